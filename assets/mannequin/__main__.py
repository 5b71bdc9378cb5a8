"""Builds `mannequin.glb`, the character that rigscope opens with.

    pip install "numpy>=1.26"        # the only dependency
    python3 assets/mannequin         # writes assets/mannequin.glb
    python3 assets/mannequin --out /tmp/x.glb

Everything here is our own work and comes from code: the body is a signed distance field
(tapered limbs and ellipsoids melted together), polygonised by marching tetrahedra, remeshed
to even triangles, skinned by rules and animated by functions of the walk's phase. There is no
randomness and no clock, so two runs on one machine give identical bytes.

Space: metres, +Y up, the figure faces +Z, its left is +X, the soles stand on y = 0.
The built surface is kept beside the system's temporary files, under a hash of the modules that
shape it, so that a change of motion alone is rebuilt in seconds.
"""

import argparse
import hashlib
import os
import tempfile

import numpy as np

from bands import build_surface
from common import log
from field import surface_normals
from gltf import write_glb
from motion import build_clips
from rig import NAMES
from weights import skin_weights

HERE = os.path.dirname(os.path.abspath(__file__))


def surface():
    """The body's points, triangles, each point's mirror partner and its normal."""
    key = hashlib.sha256(np.__version__.encode())
    for name in ("common", "proportions", "field", "polygonise", "remesh", "bands"):
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


def main():
    options = argparse.ArgumentParser(prog="mannequin", description="Builds the built-in character.")
    options.add_argument("--out", default=os.path.join(os.path.dirname(HERE), "mannequin.glb"))
    out = options.parse_args().out
    pts, faces, partner, normals = surface()
    joints, weights = skin_weights(pts, faces, partner)
    log(f"{len(pts)} vertices, {len(faces)} triangles, {len(NAMES)} joints")
    size = write_glb(out, pts, normals, faces, joints, weights, build_clips(pts, joints, weights))
    log(f"wrote {out}: {size} bytes")


if __name__ == "__main__":
    main()
