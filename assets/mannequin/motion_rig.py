"""Posing.

A pose is the hips' place and, per joint, a turn in *rest world axes* relative to its parent, so
that "bend about X" means the same for every joint whatever its own axes are.
"""

import math

import numpy as np

from common import fraction, rot, rx, ry, rz, unit, V
from proportions import ARM_DIR, ARM_DROP, FOOT_FWD, FOREARM_DIR, HAND_PALM
from rig import INDEX, NAMES, PARENT, REST_POS, REST_ROT

SIDES = (("L", 1.0), ("R", -1.0))
# Joint, its twist joint and how much of which roll that one takes: near the trunk it turns back
# most of its own limb's roll, near hand and foot it leads half of the next joint's.
TWISTS = (("UpperArmTwist", "UpperArm", -0.6), ("UpperLegTwist", "UpperLeg", -0.6),
          ("LowerArmTwist", "Hand", 0.5), ("LowerLegTwist", "Foot", 0.5))
SPINE = {"Spine1": 0.22, "Spine2": 0.26, "Spine3": 0.28, "Spine4": 0.24}


class Pose:
    def __init__(self):
        self.hips = REST_POS[0].copy()
        self.turn = {}

    def world(self):
        """Each joint's turn away from rest, and its position."""
        d = np.empty((len(NAMES), 3, 3))
        pos = np.empty((len(NAMES), 3))
        for i, n in enumerate(NAMES):
            t = self.turn.get(n, np.eye(3))
            if PARENT[i] < 0:
                d[i], pos[i] = t, self.hips
            else:
                k = PARENT[i]
                d[i] = d[k] @ t
                pos[i] = pos[k] + d[k] @ (REST_POS[i] - REST_POS[k])
        return d, pos


def sided(v, s):
    return v * V(s, 1, 1)


def leg_lengths(side):
    up, lo, ft = (INDEX[f"{n}.{side}"] for n in ("UpperLeg", "LowerLeg", "Foot"))
    u0, v0 = REST_POS[lo] - REST_POS[up], REST_POS[ft] - REST_POS[lo]
    return u0, v0, np.linalg.norm(u0), np.linalg.norm(v0)


def hip_joint(pose, side):
    """Where the pose's pelvis has the leg's joint; the pelvis is the root."""
    up = INDEX[f"UpperLeg.{side}"]
    return pose.hips + pose.turn["Hips"] @ (REST_POS[up] - REST_POS[0])


def knee_angle(hip, ankle, side):
    """The inner angle of a knee that reaches from hip to ankle, in degrees; 180 is straight."""
    _, _, l1, l2 = leg_lengths(side)
    dist = np.linalg.norm(ankle - hip)
    return math.degrees(math.acos(np.clip((l1 * l1 + l2 * l2 - dist * dist) / (2 * l1 * l2), -1, 1)))


def plant_leg(pose, side, ankle, foot_turn, toe_turn, knee_out=0.0):
    """Analytic two-bone reach; turns are world turns away from rest. `knee_out` in degrees."""
    s = 1.0 if side == "L" else -1.0
    pelvis, hip = pose.turn["Hips"], hip_joint(pose, side)
    u0, v0, l1, l2 = leg_lengths(side)
    to = ankle - hip
    dist = np.linalg.norm(to)
    if dist > (l1 + l2) * 0.9996:
        raise ValueError(f"leg {side} over-extended: {dist / (l1 + l2):.4f} of its length")
    to = unit(to)
    # The knee points where pelvis and foot agree to look.
    ahead = unit(pelvis @ V(s * 0.10, 0, 1)) + unit(foot_turn @ sided(FOOT_FWD, s) * V(1, 0.0001, 1))
    pole = ry(s * knee_out) @ unit(ahead)
    pole = unit(pole - to * (pole @ to))
    a = (l1 * l1 - l2 * l2 + dist * dist) / (2 * dist)
    h = math.sqrt(max(l1 * l1 - a * a, 0.0))
    knee = hip + to * a + pole * h
    hinge_new, hinge_old = unit(np.cross(pole, to)), unit(np.cross(V(0, 0, 1), u0 + v0))

    def frame(dir_, hinge):
        y = unit(dir_)
        x = unit(hinge - y * (hinge @ y))
        return np.stack([x, y, np.cross(x, y)], 1)

    thigh = frame(knee - hip, hinge_new) @ frame(u0, hinge_old).T
    shin = frame(hip + to * dist - knee, hinge_new) @ frame(v0, hinge_old).T
    pose.turn[f"UpperLeg.{side}"] = pelvis.T @ thigh
    pose.turn[f"LowerLeg.{side}"] = thigh.T @ shin
    pose.turn[f"Foot.{side}"] = shin.T @ foot_turn
    pose.turn[f"Toes.{side}"] = foot_turn.T @ toe_turn


def set_trunk(pose, hips_turn, chest_turn, head_turn):
    """World turns for pelvis, rib cage and head; the joints between share the difference."""
    pose.turn["Hips"] = hips_turn
    bend = hips_turn.T @ chest_turn
    for n, share in SPINE.items():
        pose.turn[n] = fraction(bend, share)
    nod = chest_turn.T @ head_turn
    pose.turn["Neck"] = fraction(nod, 0.45)
    pose.turn["Head"] = fraction(nod, 0.55)


def set_arm(pose, side, swing, out, elbow, wrist=0.0, twist=0.0, collar=(0.0, 0.0), roll=0.0, tilt=0.0):
    """Degrees. `swing` forwards, `out` from hanging, `elbow` and `wrist` bend, `twist` rolls the
    upper arm (its elbow's hinge) outwards, `collar` (forwards, up), `roll` turns the palm,
    `tilt` the hand towards the thumb."""
    s = 1.0 if side == "L" else -1.0
    pose.turn[f"Shoulder.{side}"] = ry(-s * collar[0]) @ rz(s * collar[1])
    lower = -s * (90.0 - math.degrees(ARM_DROP) - out)
    arm = sided(ARM_DIR, s)
    pose.turn[f"UpperArm.{side}"] = rx(-swing) @ rz(lower) @ rot(arm, math.radians(s * twist))
    pose.turn[f"LowerArm.{side}"] = rot(np.cross(arm, V(0, 0, 1)), math.radians(elbow))
    set_hand(pose, side, wrist, roll, tilt)


def set_hand(pose, side, wrist, roll=0.0, tilt=0.0):
    s = 1.0 if side == "L" else -1.0
    fore, palm = sided(FOREARM_DIR, s), sided(HAND_PALM, s)
    bend = rot(np.cross(fore, palm), math.radians(wrist)) @ rot(palm, math.radians(s * tilt))
    pose.turn[f"Hand.{side}"] = rot(fore, math.radians(s * roll)) @ bend


def reach_arm(pose, side, wrist_at, elbow_to, palm=None, along=None):
    """Two-bone reach of an arm whose trunk and collar are posed: the elbow points to `elbow_to`.
    `palm` and `along` are the world directions that the palm faces and the fingers take."""
    s = 1.0 if side == "L" else -1.0
    d, pos = pose.world()
    sh, up, lo, hd = (INDEX[f"{n}.{side}"] for n in ("Shoulder", "UpperArm", "LowerArm", "Hand"))
    l1 = np.linalg.norm(REST_POS[lo] - REST_POS[up])
    l2 = np.linalg.norm(REST_POS[hd] - REST_POS[lo])
    to = wrist_at - pos[up]
    dist = min(np.linalg.norm(to), (l1 + l2) * 0.998)
    to = unit(to)
    pole = unit(elbow_to - to * (elbow_to @ to))
    a = (l1 * l1 - l2 * l2 + dist * dist) / (2 * dist)
    elbow = to * a + pole * math.sqrt(max(l1 * l1 - a * a, 0.0))
    upper, fore = unit(elbow), unit(to * dist - elbow)
    hinge = unit(np.cross(upper, fore))
    arm0, fore0 = sided(ARM_DIR, s), sided(FOREARM_DIR, s)
    hinge0 = unit(np.cross(arm0, fore0))

    def frame(y, x):
        return np.stack([x, y, np.cross(x, y)], 1)

    u = frame(upper, hinge) @ frame(arm0, hinge0).T
    f = frame(fore, hinge) @ frame(fore0, hinge0).T
    pose.turn[f"UpperArm.{side}"] = d[sh].T @ u
    pose.turn[f"LowerArm.{side}"] = u.T @ f
    if palm is not None:
        y0, z0 = sided(unit(REST_ROT[hd][:, 1] * V(s, 1, 1)), s), sided(HAND_PALM, s)
        pose.turn[f"Hand.{side}"] = f.T @ _basis(along, palm) @ _basis(y0, z0).T


def _basis(y, z):
    y = unit(y)
    z = unit(z - y * (z @ y))
    return np.stack([np.cross(y, z), y, z], 1)


def curl_fingers(pose, side, deg, thumb=0.0, spread=0.0, cascade=2.0):
    """Closes the fingers by `deg` per joint, the little one `cascade` degrees more than its neighbour
    and so on; `spread` fans them. A hand at rest is never flat nor even."""
    s = 1.0 if side == "L" else -1.0
    palm = sided(HAND_PALM, s)
    for f, n in enumerate(("Index", "Middle", "Ring", "Little")):
        for k in range(3):
            i = INDEX[f"{n}{k + 1}.{side}"]
            bend = rot(REST_ROT[i][:, 0], math.radians((deg + cascade * (f - 1)) * (0.9, 1.2, 0.75)[k]))
            fan = rot(palm, math.radians(-s * spread * (f - 1.4))) if k == 0 else np.eye(3)
            pose.turn[NAMES[i]] = fan @ bend
    for k in range(3):
        i = INDEX[f"Thumb{k + 1}.{side}"]
        pose.turn[NAMES[i]] = rot(REST_ROT[i][:, 0], math.radians(thumb * (0.7, 1.0, 1.1)[k]))


def quat(m):
    """Rotation matrix to (x, y, z, w)."""
    t = np.trace(m)
    if t > 0:
        s = math.sqrt(t + 1) * 2
        q = V((m[2, 1] - m[1, 2]) / s, (m[0, 2] - m[2, 0]) / s, (m[1, 0] - m[0, 1]) / s, s / 4)
    else:
        i = int(np.argmax(np.diag(m)))
        j, k = (i + 1) % 3, (i + 2) % 3
        s = math.sqrt(m[i, i] - m[j, j] - m[k, k] + 1) * 2
        q = np.zeros(4)
        q[i], q[j], q[k] = s / 4, (m[j, i] + m[i, j]) / s, (m[k, i] + m[i, k]) / s
        q[3] = (m[k, j] - m[j, k]) / s
    return q / np.linalg.norm(q)


def roll_about(turn, axis):
    """The angle of a turn's twist about an axis (swing-twist decomposition), in radians."""
    q = quat(turn)
    return 2 * math.atan2(q[:3] @ axis * (1 if q[3] >= 0 else -1), abs(q[3]))


def set_twists(pose):
    for side, _ in SIDES:
        for name, source, share in TWISTS:
            i = INDEX[f"{name}.{side}"]
            axis = REST_ROT[i][:, 1]
            turn = pose.turn.get(f"{source}.{side}")
            if turn is not None:
                pose.turn[NAMES[i]] = rot(axis, share * roll_about(turn, axis))


def local_quats(pose):
    d, _ = pose.world()
    out = np.empty((len(NAMES), 4))
    for i in range(len(NAMES)):
        w = d[i] @ REST_ROT[i]
        k = PARENT[i]
        out[i] = quat(w if k < 0 else (d[k] @ REST_ROT[k]).T @ w)
    return out


REST_QUAT = local_quats(Pose())
