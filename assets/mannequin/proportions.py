"""Proportions.

1.75 m in 7.5 heads. Only the left side is written down; the right is its mirror image.
"""

import math

import numpy as np

from common import unit, V


HEIGHT = 1.75
ARM_DROP = math.radians(42.0)  # A-pose: half-way between T-pose and hanging, so shoulders bend both ways

J = {  # joint positions
    "Hips": V(0, 0.955, -0.005),
    "Spine1": V(0, 1.035, -0.004),
    "Spine2": V(0, 1.122, 0.000),
    "Spine3": V(0, 1.214, -0.002),
    "Spine4": V(0, 1.312, -0.008),
    "Neck": V(0, 1.452, -0.026),
    "Head": V(0, 1.548, -0.004),
    "HeadTop": V(0, 1.750, 0.004),
    "Shoulder": V(0.022, 1.418, -0.004),
    "UpperArm": V(0.172, 1.402, -0.016),
    "UpperLeg": V(0.090, 0.918, -0.002),
    "LowerLeg": V(0.1045, 0.498, 0.012),
    "Foot": V(0.118, 0.083, -0.024),
}
ARM_DIR = V(math.cos(ARM_DROP), -math.sin(ARM_DROP), 0.0)
FOREARM_DIR = unit(ARM_DIR + V(0, 0, math.tan(math.radians(9.0))))  # elbows are never dead straight
J["LowerArm"] = J["UpperArm"] + 0.282 * ARM_DIR
J["Hand"] = J["LowerArm"] + 0.243 * FOREARM_DIR

TOE_OUT = math.radians(7.0)
FOOT_FWD = V(math.sin(TOE_OUT), 0, math.cos(TOE_OUT))
FOOT_SIDE = V(math.cos(TOE_OUT), 0, -math.sin(TOE_OUT))
SOLE = V(J["Foot"][0], 0.0, J["Foot"][2])  # the point of the sole below the ankle
J["Toes"] = SOLE + 0.128 * FOOT_FWD + V(0, 0.020, 0)
J["ToesEnd"] = SOLE + 0.196 * FOOT_FWD + V(0, 0.014, 0)

# The hand's own axes: along the fingers, out of the palm, towards the thumb.
HAND_Y = unit(FOREARM_DIR + V(0, -0.05, -0.04))
HAND_PALM = unit(V(-math.sin(ARM_DROP), -math.cos(ARM_DROP), 0.12))
HAND_PALM = unit(HAND_PALM - HAND_Y * (HAND_PALM @ HAND_Y))
HAND_SIDE = np.cross(HAND_PALM, HAND_Y)
HAND_SIDE = HAND_SIDE if HAND_SIDE[2] > 0 else -HAND_SIDE


def in_hand(along, side, palm):
    return J["Hand"] + along * HAND_Y + side * HAND_SIDE + palm * HAND_PALM


def finger(along, side, spread, curl, lengths, palm=0.0):
    """Joint positions of one finger: knuckle, two joints, tip. `curl` bends towards the palm."""
    pts = [in_hand(along, side, palm)]
    bend = 0.0
    flat = math.cos(spread) * HAND_Y + math.sin(spread) * HAND_SIDE
    for length, c in zip(lengths, curl):
        bend += math.radians(c)
        pts.append(pts[-1] + length * (math.cos(bend) * flat + math.sin(bend) * HAND_PALM))
    return pts


R = math.radians
FINGERS = {
    "Index": finger(0.090, 0.0345, R(7.0), (8, 12, 9), (0.036, 0.024, 0.017)),
    "Middle": finger(0.094, 0.0117, R(2.3), (9, 13, 10), (0.040, 0.027, 0.018)),
    "Ring": finger(0.089, -0.0115, R(-3.0), (11, 14, 11), (0.037, 0.025, 0.018)),
    "Little": finger(0.080, -0.0335, R(-9.0), (13, 15, 12), (0.029, 0.019, 0.015)),
}
FINGER_RADII = {"Index": 0.0087, "Middle": 0.0090, "Ring": 0.0086, "Little": 0.0078}
_t = unit(0.72 * HAND_Y + 0.62 * HAND_SIDE + 0.32 * HAND_PALM)
_t2 = unit(0.86 * HAND_Y + 0.42 * HAND_SIDE + 0.30 * HAND_PALM)
_t3 = unit(0.93 * HAND_Y + 0.26 * HAND_SIDE + 0.28 * HAND_PALM)
_t0 = in_hand(0.020, 0.018, 0.006)
FINGERS["Thumb"] = [_t0, _t0 + 0.044 * _t, _t0 + 0.044 * _t + 0.032 * _t2,
                    _t0 + 0.044 * _t + 0.032 * _t2 + 0.024 * _t3]
