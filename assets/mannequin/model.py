"""The model: everything that the character is, but its clips."""

import hashlib
import os
import tempfile

import numpy as np

from bands import build_surface, triangle_materials
from common import log
from field import surface_normals
from gltf import MATERIALS
from mend import mend
from morphs import build_morphs
from rig import NAMES
from uv import unwrap
from weights import skin_weights

HERE = os.path.dirname(os.path.abspath(__file__))


SHAPE = ("common", "proportions", "shapes", "head", "field", "polygonise", "remesh", "bands")


def kept(what, modules, names, make):
    """What `make` returns, kept beside the system's temporary files under a hash of the modules that it comes from."""
    key = hashlib.sha256(np.__version__.encode())
    for name in modules:
        with open(os.path.join(HERE, name + ".py"), "rb") as fh:
            key.update(fh.read())
    path = os.path.join(tempfile.gettempdir(), f"rigscope-mannequin-{what}-{key.hexdigest()[:16]}.npz")
    if os.path.exists(path):
        with np.load(path) as data:
            return [data[name] for name in names]
    made = make()
    part = f"{path}.{os.getpid()}.npz"
    np.savez(part, **dict(zip(names, made)))
    os.replace(part, path)  # renamed at the end: a second run beside this one never reads half a file
    return made


def build_skin():
    pts, faces, partner = build_surface()
    return pts, faces, partner, surface_normals(pts, partner)


def surface():
    """The body's points, triangles, each point's mirror partner and its normal."""
    pts, faces, partner, normals = kept("surface", SHAPE, ("pts", "faces", "partner", "normals"), build_skin)
    pts, normals = mend(pts, faces, partner, normals)
    return pts, faces, partner, normals


def texture(pts, faces):
    """Vertices as files want them, several at a seam: the point of each, its texture coordinates, and the triangles."""
    return kept("texture", (*SHAPE, "mend", "uv"), ("source", "uv", "corners"), lambda: unwrap(pts, faces))


def build_model():
    """All that the character is, but its clips."""
    pts, faces, partner, normals = surface()
    joints, weights = skin_weights(pts, faces, partner)
    names, morphs = build_morphs(pts, faces, normals, partner)
    source, uv, corners = texture(pts, faces)
    log(f"{len(pts)} points, {len(source)} vertices, {len(faces)} triangles, {len(NAMES)} joints")
    return {"pts": pts, "faces": faces, "partner": partner, "normals": normals, "joints": joints, "weights": weights,
            "source": source, "uv": uv, "corners": corners, "morph_names": names, "morphs": morphs, "materials": MATERIALS, "material": triangle_materials(pts, faces)}
