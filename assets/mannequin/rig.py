"""Rig.

Every bone's +Y runs along it. Limb bones have +Z forwards, so +X is the hinge of elbow, hip and
knee: positive X brings a limb forwards. Fingers have +Z out of the palm, positive X closes them.
"""

import numpy as np

from common import axes, unit, V
from proportions import FINGERS, HAND_PALM, HAND_SIDE, in_hand, J


def flip_name(name):
    return name[:-1] + {"L": "R", "R": "L"}[name[-1]] if name[-2:] in (".L", ".R") else name


def make_rig():
    bones = []  # (name, parent, head, tail, z hint)
    fwd = V(0, 0, 1)
    chain = ["Hips", "Spine1", "Spine2", "Spine3", "Spine4", "Neck", "Head"]
    for i, n in enumerate(chain):
        tail = J[chain[i + 1]] if i + 1 < len(chain) else J["HeadTop"]
        bones.append((n, chain[i - 1] if i else None, J[n], tail, fwd))
    for side, m in (("L", V(1, 1, 1)), ("R", V(-1, 1, 1))):
        def add(name, parent, head, tail, hint, side=side, m=m):
            parent = parent if parent in chain else f"{parent}.{side}"
            bones.append((f"{name}.{side}", parent, head * m, tail * m, hint * m))

        def part(start, end, t):
            return J[start] + t * (J[end] - J[start])

        add("Shoulder", "Spine4", J["Shoulder"], J["UpperArm"], fwd)
        add("UpperArm", "Shoulder", J["UpperArm"], J["LowerArm"], fwd)
        # Twist joints near the trunk hold the skin back from the limb's roll, those near hand
        # and foot lead it on.
        add("UpperArmTwist", "UpperArm", part("UpperArm", "LowerArm", 0.3), part("UpperArm", "LowerArm", 0.6), fwd)
        add("LowerArm", "UpperArm", J["LowerArm"], J["Hand"], fwd)
        add("LowerArmTwist", "LowerArm", part("LowerArm", "Hand", 0.5), J["Hand"], fwd)
        add("Hand", "LowerArm", J["Hand"], in_hand(0.09, 0, 0), fwd)
        for n in ("Thumb", "Index", "Middle", "Ring", "Little"):
            pts = FINGERS[n]
            # A thumb closes across the palm, not into it.
            hint = unit(HAND_PALM - 0.9 * HAND_SIDE) if n == "Thumb" else HAND_PALM
            for k in range(3):
                add(f"{n}{k + 1}", "Hand" if k == 0 else f"{n}{k}", pts[k], pts[k + 1], hint)
        add("UpperLeg", "Hips", J["UpperLeg"], J["LowerLeg"], fwd)
        add("UpperLegTwist", "UpperLeg", part("UpperLeg", "LowerLeg", 0.3), part("UpperLeg", "LowerLeg", 0.6), fwd)
        add("LowerLeg", "UpperLeg", J["LowerLeg"], J["Foot"], fwd)
        add("LowerLegTwist", "LowerLeg", part("LowerLeg", "Foot", 0.5), J["Foot"], fwd)
        add("Foot", "LowerLeg", J["Foot"], J["Toes"], V(0, 1, 0))
        add("Toes", "Foot", J["Toes"], J["ToesEnd"], V(0, 1, 0))
    return bones


BONES = make_rig()
NAMES = [b[0] for b in BONES]
INDEX = {n: i for i, n in enumerate(NAMES)}
PARENT = [INDEX[b[1]] if b[1] else -1 for b in BONES]
REST_POS = np.array([b[2] for b in BONES])
REST_ROT = np.array([axes(b[3] - b[2], b[4]) for b in BONES])
