"""The glTF writer: model and clips into one GLB."""

import json
import os
import struct

import numpy as np

from rig import NAMES, PARENT, REST_POS, REST_ROT
from motion import REST_QUAT


MATERIALS = [  # name, base colour (linear), roughness
    ("Maple", (0.530, 0.305, 0.148), 0.58),
    ("Walnut", (0.060, 0.042, 0.036), 0.70),
    ("Teal", (0.022, 0.235, 0.255), 0.48),
]


class Glb:
    def __init__(self):
        self.bin = bytearray()
        self.views, self.accessors = [], []

    def add(self, data, kind, component, target=None, minmax=False, normalized=False):
        raw = np.ascontiguousarray(data).tobytes()
        while len(self.bin) % 4:
            self.bin.append(0)
        view = {"buffer": 0, "byteOffset": len(self.bin), "byteLength": len(raw)}
        if target:
            view["target"] = target
        self.bin += raw
        self.views.append(view)
        acc = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(data), "type": kind}
        if normalized:
            acc["normalized"] = True
        if minmax:
            flat = data.reshape(len(data), -1)
            acc["min"] = [float(v) for v in flat.min(0)]
            acc["max"] = [float(v) for v in flat.max(0)]
        self.accessors.append(acc)
        return len(self.accessors) - 1


def f32(a):
    return np.asarray(a, dtype=np.float32)


FLOAT, U16, U8 = 5126, 5123, 5121
VERTEX, ELEMENT = 34962, 34963


def write_primitives(glb, model):
    """One primitive a material. Vertices that a seam doubles differ in their texture coordinates alone."""
    prims = []
    for m in range(len(MATERIALS)):
        used, indices = np.unique(model["corners"][model["material"] == m], return_inverse=True)
        points = model["source"][used]
        prims.append({
            "attributes": {
                "POSITION": glb.add(f32(model["pts"][points]), "VEC3", FLOAT, VERTEX, minmax=True),
                "NORMAL": glb.add(f32(model["normals"][points]), "VEC3", FLOAT, VERTEX),
                "TEXCOORD_0": glb.add(f32(model["uv"][used]), "VEC2", FLOAT, VERTEX),
                "JOINTS_0": glb.add(model["joints"][points], "VEC4", U8, VERTEX),
                "WEIGHTS_0": glb.add(f32(model["weights"][points]), "VEC4", FLOAT, VERTEX),
            },
            "indices": glb.add(indices.astype(np.uint16).reshape(-1), "SCALAR", U16, ELEMENT),
            "material": m,
            "targets": [{"POSITION": glb.add(f32(move[points]), "VEC3", FLOAT, VERTEX, minmax=True),
                         "NORMAL": glb.add(f32(turn[points]), "VEC3", FLOAT, VERTEX)}
                        for move, turn in model["morphs"]],
        })
    return prims


def write_animations(glb, clips, mesh_node, joint_node, morphs):
    out = []
    for c in clips:
        t = glb.add(f32(c["times"]), "SCALAR", FLOAT, minmax=True)
        samplers, channels = [], []

        def track(node, path, data, kind):
            samplers.append({"input": t, "interpolation": "LINEAR", "output": glb.add(f32(data), kind, FLOAT)})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})

        track(joint_node(0), "translation", c["hips"], "VEC3")
        for i in c["moving"]:
            q = c["quats"][:, i]
            track(joint_node(i), "rotation", q / np.linalg.norm(q, axis=1, keepdims=True), "VEC4")
        if "weights" in c:
            w = np.asarray(c["weights"], float).reshape(len(c["times"]), morphs)
            track(mesh_node, "weights", w.reshape(-1), "SCALAR")
        out.append({"name": c["name"], "samplers": samplers, "channels": channels}
                   | ({"extras": c["extras"]} if "extras" in c else {}))
    return out


def rest_nodes(first):
    nodes = []
    for i, n in enumerate(NAMES):
        k = PARENT[i]
        t = REST_POS[i] if k < 0 else REST_ROT[k].T @ (REST_POS[i] - REST_POS[k])
        node = {"name": n, "translation": [float(v) for v in f32(t)],
                "rotation": [float(v) for v in f32(REST_QUAT[i])]}
        kids = [first + j for j in range(len(NAMES)) if PARENT[j] == i]
        if kids:
            node["children"] = kids
        nodes.append(node)
    return nodes


def inverse_binds():
    m = np.zeros((len(NAMES), 4, 4))
    m[:, 3, 3] = 1
    m[:, :3, :3] = np.transpose(REST_ROT, (0, 2, 1))
    m[:, :3, 3] = -np.einsum("nji,nj->ni", REST_ROT, REST_POS)
    return f32(np.transpose(m, (0, 2, 1)).reshape(-1, 16))  # columns first


def write_glb(path, model, clips):
    glb = Glb()
    prims = write_primitives(glb, model)
    ibm = glb.add(inverse_binds(), "MAT4", FLOAT)
    animations = write_animations(glb, clips, 0, lambda i: i + 1, len(model["morphs"]))
    doc = {
        "asset": {"version": "2.0", "generator": "rigscope assets/mannequin",
                  "copyright": "rigscope authors, MIT OR Apache-2.0"},
        "scene": 0,
        "scenes": [{"name": "Mannequin", "nodes": [0, 1]}],
        "nodes": [{"name": "Mannequin", "mesh": 0, "skin": 0}] + rest_nodes(1),
        "meshes": [{"name": "Mannequin", "primitives": prims, "weights": [0.0] * len(model["morphs"]),
                    "extras": {"targetNames": model["morph_names"]}}],
        "skins": [{"name": "Mannequin", "joints": list(range(1, len(NAMES) + 1)), "inverseBindMatrices": ibm}],
        "materials": [{"name": n, "pbrMetallicRoughness": {"baseColorFactor": [*c, 1.0], "metallicFactor": 0.0,
                                                           "roughnessFactor": r}} for n, c, r in MATERIALS],
        "animations": animations,
        "accessors": glb.accessors,
        "bufferViews": glb.views,
    }
    while len(glb.bin) % 4:
        glb.bin.append(0)
    doc["buffers"] = [{"byteLength": len(glb.bin)}]
    text = json.dumps(doc, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + len(glb.bin)
    blob = struct.pack("<III", 0x46546C67, 2, total)
    blob += struct.pack("<II", len(text), 0x4E4F534A) + text
    blob += struct.pack("<II", len(glb.bin), 0x004E4942) + bytes(glb.bin)
    tmp = path + ".tmp"
    with open(tmp, "wb") as fh:  # renamed at the end, so a reader never sees half a file
        fh.write(blob)
    os.replace(tmp, path)
    return total
