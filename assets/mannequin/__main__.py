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
import os

from common import log
from gltf import write_glb
from model import HERE, build_model
from motion import build_clips


def main():
    options = argparse.ArgumentParser(prog="mannequin", description="Builds the built-in character.")
    options.add_argument("--out", default=os.path.join(os.path.dirname(HERE), "mannequin.glb"))
    out = options.parse_args().out
    model = build_model()
    size = write_glb(out, model, build_clips(model["pts"], model["joints"], model["weights"]))
    log(f"wrote {out}: {size} bytes")


if __name__ == "__main__":
    main()
