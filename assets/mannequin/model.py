"""The model: everything that the character is, but its clips."""

import hashlib
import os
import tempfile

import numpy as np

from bands import build_surface, triangle_materials
from common import log
from field import surface_normals
from gltf import MATERIALS
from morphs import build_morphs
from rig import NAMES
from weights import skin_weights

HERE = os.path.dirname(os.path.abspath(__file__))


def surface():
    """The body's points, triangles, each point's mirror partner and its normal."""
    key = hashlib.sha256(np.__version__.encode())
    for name in ("common", "proportions", "shapes", "head", "field", "polygonise", "remesh", "bands"):
        with open(os.path.join(HERE, name + ".py"), "rb") as fh:
            key.update(fh.read())
    kept = os.path.join(tempfile.gettempdir(), f"rigscope-mannequin-{key.hexdigest()[:16]}.npz")
    if os.path.exists(kept):
        with np.load(kept) as data:
            return [data[name] for name in ("pts", "faces", "partner", "normals")]
    pts, faces, partner = build_surface()
    normals = surface_normals(pts, partner)
    np.savez(kept + ".tmp.npz", pts=pts, faces=faces, partner=partner, normals=normals)
    os.replace(kept + ".tmp.npz", kept)
    return pts, faces, partner, normals


def build_model():
    """All that the character is, but its clips."""
    pts, faces, partner, normals = surface()
    joints, weights = skin_weights(pts, faces, partner)
    names, morphs = build_morphs(pts, faces, normals, partner)
    log(f"{len(pts)} vertices, {len(faces)} triangles, {len(NAMES)} joints")
    return {"pts": pts, "faces": faces, "partner": partner, "normals": normals, "joints": joints, "weights": weights,
            "morph_names": names, "morphs": morphs, "materials": MATERIALS, "material": triangle_materials(pts, faces)}
