"""Bends the figure hard, measures what the skin does, and writes the poses for looking at.

    python3 assets/mannequin/check.py                          # numbers only
    python3 assets/mannequin/check.py --out /tmp/poses.glb     # and a still per pose, side by side in one clip
    python3 assets/mannequin/check.py --stills /tmp/folder     # and one unskinned close-up GLB per pose and view

Numbers: the volume of the bent region against rest, the least area of a triangle against rest,
triangles that turn over (more than 100 degrees from where their bone would carry them), and
the share of vertices that end up inside another part of the body's skin is left to the eye.
"""

import argparse
import json
import os
import struct

import numpy as np

from common import rot, rx, ry, rz, unit, V
from model import build_model
from motion_rig import Pose, set_twists
from proportions import ARM_DIR, FINGERS, FOREARM_DIR, HAND_PALM, HAND_SIDE, HAND_Y, J, in_hand
from rig import INDEX, NAMES, REST_POS


def turned(**turns):
    pose = Pose()
    for name, m in turns.items():
        pose.turn[name.replace("_", ".")] = m
    set_twists(pose)
    return pose


def deg(axis, angle):
    return rot(axis, np.radians(angle))


ELBOW = unit(np.cross(ARM_DIR, V(0, 0, 1)))  # turning about it brings the forearm forwards
CURL = unit(np.cross(HAND_Y, HAND_PALM))


def arm_up(forwards):
    """The arm overhead: the collar bone takes its share, as everywhere in the clips."""
    if forwards:
        return turned(Shoulder_L=rz(18) @ rx(-4), UpperArm_L=deg(V(0, 0, 1), 0) @ rx(-150) @ rz(-30))
    return turned(Shoulder_L=rz(26), UpperArm_L=rz(96))


def fist():
    turns = {}
    for n in ("Index", "Middle", "Ring", "Little"):
        for k, a in ((1, 80), (2, 95), (3, 60)):
            turns[f"{n}{k}_L"] = deg(CURL, a)
    turns["Thumb1_L"] = deg(unit(0.6 * HAND_Y + 0.2 * HAND_PALM), 30) @ deg(CURL, 25)
    turns["Thumb2_L"] = deg(CURL - 0.4 * HAND_Y, 30)
    turns["Thumb3_L"] = deg(CURL - 0.4 * HAND_Y, 45)
    return turned(**turns)


def roll(angle):
    return turned(LowerArmTwist_L=deg(FOREARM_DIR, angle / 2), Hand_L=deg(FOREARM_DIR, angle))


def hip_flexed(angle):
    lead = rx(-angle)
    return turned(UpperLeg_L=lead)


def spine_bent(angle):
    share = rx(angle / 4)
    return turned(Spine1=share, Spine2=share, Spine3=share, Spine4=share)


POSES = {  # name: pose, the middle of its close-up, half size, cameras (yaw, pitch) for people
    "elbow": (turned(LowerArm_L=deg(ELBOW, 120)), J["LowerArm"], 0.14),
    "knee": (turned(LowerLeg_L=rx(120)), J["LowerLeg"], 0.20),
    "hip": (hip_flexed(120), J["UpperLeg"], 0.26),
    "arm_up": (arm_up(False), J["UpperArm"] + V(-0.03, 0, 0), 0.24),
    "arm_forward": (arm_up(True), J["UpperArm"] + V(-0.03, 0, 0), 0.24),
    "arm_down": (turned(UpperArm_L=rz(-42), Shoulder_L=rz(-4)), J["UpperArm"] + V(-0.03, 0, 0), 0.24),
    "roll_in": (roll(80), J["LowerArm"] + 0.12 * FOREARM_DIR, 0.17),
    "roll_out": (roll(-80), J["LowerArm"] + 0.12 * FOREARM_DIR, 0.17),
    "fist": (fist(), in_hand(0.07, 0, 0), 0.12),
    "toes": (turned(Toes_L=rx(-60)), J["Toes"], 0.12),
    "head": (turned(Neck=ry(28), Head=ry(52)), J["Head"], 0.22),
    "spine": (spine_bent(60), J["Spine2"], 0.36),
    "wrist": (turned(Hand_L=deg(CURL, 70)), J["Hand"], 0.12),
}


def deform(model, pose):
    d, pos = pose.world()
    out, nrm = np.zeros_like(model["pts"]), np.zeros_like(model["pts"])
    for k in range(4):
        j, w = model["joints"][:, k], model["weights"][:, k:k + 1].astype(float)
        out += w * (np.einsum("nij,nj->ni", d[j], model["pts"] - REST_POS[j]) + pos[j])
        nrm += w * np.einsum("nij,nj->ni", d[j], model["normals"])
    return out, nrm / np.maximum(np.linalg.norm(nrm, axis=1, keepdims=True), 1e-9)


def volume(p, faces, about):
    """Of a fan from `about`: exact for a closed piece, and alike before and after for an open one."""
    a, b, c = (p[faces[:, k]] - about for k in range(3))
    return np.sum(np.einsum("ni,ni->n", np.cross(a, b), c)) / 6


def measure(model, name, pose, middle, reach):
    pts, faces = model["pts"], model["faces"]
    out, _ = deform(model, pose)
    area = lambda p: np.linalg.norm(np.cross(p[faces[:, 1]] - p[faces[:, 0]], p[faces[:, 2]] - p[faces[:, 0]]), axis=1)  # noqa: E731
    ratio = area(out) / area(pts)
    d, _ = pose.world()
    carried = np.zeros((len(faces), 3))
    n0 = np.cross(pts[faces[:, 1]] - pts[faces[:, 0]], pts[faces[:, 2]] - pts[faces[:, 0]])
    n1 = np.cross(out[faces[:, 1]] - out[faces[:, 0]], out[faces[:, 2]] - out[faces[:, 0]])
    for k in range(3):
        v = faces[:, k]
        for s in range(4):
            carried += model["weights"][v, s, None] * np.einsum("nij,nj->ni", d[model["joints"][v, s]], n0)
    over = np.sum(n1 * carried, 1) < -0.17 * np.linalg.norm(n1, axis=1) * np.linalg.norm(carried, axis=1)
    # The whole body is closed, so its volume's change is the bent region's change.
    whole0, whole1 = volume(pts, faces, V(0, 1, 0)), volume(out, faces, V(0, 1, 0))
    moving = np.linalg.norm(pts - middle, axis=1) < reach
    local = volume_near(pts, faces, middle, reach)
    print(f"{name:12s} volume {1 + (whole1 - whole0) / local:6.3f} of the {local * 1e3:5.2f} l around the joint   "
          f"least area {ratio[moving[faces].all(1)].min():5.3f}   greatest {ratio.max():5.2f}   turned over {int(over.sum())}")


def volume_near(pts, faces, middle, reach):
    """Litres of body within `reach` of the joint: divergence theorem over the clipped skin, caps by radius."""
    inside = np.linalg.norm(pts[faces].mean(1) - middle, axis=1) < reach
    return abs(volume(pts, faces[inside], middle))


def still(path, model, p, nrm, middle, half):
    """An unskinned GLB of the triangles near a point."""
    faces = model["faces"]
    keep = (np.abs(p[faces] - middle).max(axis=(1, 2)) < half)
    blob, views, accessors, prims = bytearray(), [], [], []

    def add(a, kind, comp):
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": a.nbytes})
        blob.extend(a.tobytes())
        acc = {"bufferView": len(views) - 1, "componentType": comp, "count": len(a), "type": kind}
        if kind == "VEC3":
            acc["min"], acc["max"] = a.min(0).tolist(), a.max(0).tolist()
        accessors.append(acc)
        return len(accessors) - 1

    for m, _ in enumerate(model["materials"]):
        f = faces[keep & (model["material"] == m)]
        if len(f) == 0:
            continue
        used, remap = np.unique(f, return_inverse=True)
        prims.append({"attributes": {"POSITION": add(p[used].astype(np.float32), "VEC3", 5126),
                                     "NORMAL": add(nrm[used].astype(np.float32), "VEC3", 5126)},
                      "indices": add(remap.reshape(-1).astype(np.uint32), "SCALAR", 5125), "material": m})
    doc = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
           "meshes": [{"primitives": prims}], "buffers": [{"byteLength": len(blob)}], "bufferViews": views,
           "accessors": accessors, "materials": [
               {"pbrMetallicRoughness": {"baseColorFactor": [*c, 1.0], "metallicFactor": 0.0, "roughnessFactor": r}}
               for _, c, r in model["materials"]]}
    text = json.dumps(doc).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as fh:
        fh.write(struct.pack("<III", 0x46546C67, 2, 28 + len(text) + len(blob)) + struct.pack("<II", len(text), 0x4E4F534A)
                 + text + struct.pack("<II", len(blob), 0x004E4942) + blob)


VIEWS = {  # rest close-ups: middle, half size
    "face": (V(0, 1.630, 0), 0.125), "ear": (V(0.06, 1.625, -0.01), 0.055), "bust": (V(0, 1.45, 0), 0.31),
    "hand": (in_hand(0.08, 0, 0), 0.12), "foot": (V(0.125, 0.06, 0.05), 0.16), "hips": (V(0, 0.93, 0), 0.26),
    "knee0": (J["LowerLeg"], 0.22),
}


def main():
    options = argparse.ArgumentParser(prog="check", description=__doc__.split("\n")[0])
    options.add_argument("--stills", help="folder for close-up GLBs")
    options.add_argument("--only", help="names of poses and views, comma separated")
    args = options.parse_args()
    only = args.only.split(",") if args.only else None
    model = build_model()
    for name, (pose, middle, half) in POSES.items():
        if only and name not in only:
            continue
        measure(model, name, pose, middle, 0.8 * half)
        if args.stills:
            os.makedirs(args.stills, exist_ok=True)
            p, n = deform(model, pose)
            still(os.path.join(args.stills, name + ".glb"), model, p, n, middle, half)
    if args.stills:
        for name, (middle, half) in VIEWS.items():
            if only is None or name in only:
                still(os.path.join(args.stills, name + ".glb"), model, model["pts"], model["normals"], middle, half)
        for k, name in enumerate(model["morph_names"]):
            move, turn = model["morphs"][k]
            n = model["normals"] + turn
            still(os.path.join(args.stills, name + ".glb"), model, model["pts"] + move,
                  n / np.linalg.norm(n, axis=1, keepdims=True), *VIEWS["face"])


if __name__ == "__main__":
    main()
