"""Skin weights.

Rules, not heat: each chain hands over from bone to bone across the plane that halves the joint, within
a width that suits the limb and the side of the bend; a limb's ends share with its twist joint. Masks keep
arms off the flanks and legs apart.
A little smoothing over the surface (never through the air) rounds the rest off.
"""

import numpy as np

from common import dist_to_chain, step, unit, V
from proportions import ARM_DIR, FINGERS, FOOT_FWD, FOREARM_DIR, HAND_PALM, HAND_SIDE, HAND_Y, in_hand, J
from bands import SHIN, THIGH
from rig import flip_name, INDEX, NAMES


def hand_over(p, joint, normal, half):
    """0 before the joint's plane, 1 after it."""
    return step(-half, half, (p - joint) @ unit(normal))


HINGES = {  # hand-over of each hinge: offset along the limb on the inside and on the outside of the bend, half width alike
    "elbow": (0.0030, -0.0160, 0.0140, 0.0280),
    "knee": (0.000, 0.018, 0.022, 0.032),
    "knuckle": (0.0050, 0.0060, 0.0130, 0.0080),
    "finger": (0.0004, -0.0020, 0.0095, 0.0095),
    "shoulder": (0.0180, -0.0046, 0.0600, 0.0860),
    "hip": (-0.040, 0.098, 0.036, 0.050),
}


def hinge(name, p, joint, normal, outwards, radius):
    """0 before a hinge, 1 after it. The skin on the outside hands over within a shorter way, so that it
    keeps its distance from the joint; on the inside the way is longer, so that the crease stays soft."""
    off_in, off_out, half_in, half_out = HINGES[name]
    side = np.clip(0.5 + 0.5 * ((p - joint) @ unit(outwards)) / radius, 0, 1)
    s = (p - joint) @ unit(normal) - (off_in + side * (off_out - off_in))
    half = half_in + side * (half_out - half_in)
    return step(-1.0, 1.0, s / half)


def left_weights(p):
    """Weights of points with x >= 0: central bones and the left side's only."""
    w = {n: np.zeros(len(p)) for n in NAMES}
    arm, leg = trunk_weights(p, w)

    elbow = hinge("elbow", p, J["LowerArm"], ARM_DIR + FOREARM_DIR, V(0, 0, -1), 0.042)
    wrist = hand_over(p, J["Hand"], FOREARM_DIR + HAND_Y, 0.024)
    share(w, "UpperArm", arm * (1 - elbow), 1 - step(0.12, 0.75, part_of(p, "UpperArm", "LowerArm")))
    share(w, "LowerArm", arm * elbow * (1 - wrist), 0.92 * step(0.25, 0.95, part_of(p, "LowerArm", "Hand")))
    spread_fingers(p, arm * elbow * wrist, w)

    knee = hinge("knee", p, J["LowerLeg"], THIGH + SHIN, V(0, 0, 1), 0.058)
    ankle = hand_over(p, J["Foot"], V(0, -0.80, 0.60), 0.034)
    toes = hand_over(p, J["Toes"] - 0.002 * FOOT_FWD, FOOT_FWD, 0.018)
    share(w, "UpperLeg", leg * (1 - knee), 1 - step(0.20, 0.75, part_of(p, "UpperLeg", "LowerLeg")))
    share(w, "LowerLeg", leg * knee * (1 - ankle), 0.92 * step(0.30, 0.95, part_of(p, "LowerLeg", "Foot")))
    w["Foot.L"] = leg * knee * ankle * (1 - toes)
    w["Toes.L"] = leg * knee * ankle * toes
    return np.stack([w[n] for n in NAMES], 1)


def part_of(p, start, end):
    """How far along a limb a point is: 0 at its start, 1 at its end."""
    along = J[end] - J[start]
    return (p - J[start]) @ along / (along @ along)


def share(w, bone, weight, twist):
    """Splits a bone's weight with its twist joint."""
    w[f"{bone}Twist.L"] = weight * twist
    w[f"{bone}.L"] = weight * (1 - twist)


def trunk_weights(p, w):
    """Fills in spine, neck, head and collar; returns what the arm and the leg take."""
    spine = [
        hand_over(p, J["Spine1"], V(0, 1, 0), 0.065),
        hand_over(p, J["Spine2"], V(0, 1, 0), 0.060),
        hand_over(p, J["Spine3"], V(0, 1, 0), 0.060),
        hand_over(p, J["Spine4"], V(0, 1, 0), 0.065),
        hand_over(p, J["Neck"] + V(0, 0.006, 0), V(0, 0.92, 0.38), 0.045),
        hand_over(p, J["Head"] + V(0, -0.004, 0), V(0, 0.80, 0.60), 0.030),
    ]
    arm_chain = [J["UpperArm"], J["LowerArm"], J["Hand"], in_hand(0.2, 0, 0)]
    # The top of the shoulder is near the arm's line, the flank is not.
    arm = hinge("shoulder", p, J["UpperArm"], V(*ARM_CUT), V(0, 1, 0), 0.055)
    arm = arm * (1 - step(*ARM_REACH, dist_to_chain(p, arm_chain)))
    arm = np.where(p[:, 0] > 0.30, 1.0, arm)
    collar = step(0.015, 0.135, p[:, 0]) * step(1.270, 1.420, p[:, 1])
    leg = hinge("hip", p, J["UpperLeg"], V(*LEG_CUT), V(0, 0, -1), 0.10)
    # Between the legs the pelvis holds the skin; further down each leg has its own.
    leg = leg * step(0.0, 0.050, p[:, 0] + np.maximum(0.800 - p[:, 1], 0.0))
    leg = np.where(p[:, 1] < 0.70, 1.0, leg) * (arm < 0.5)

    rest = np.ones(len(p))
    for name, nxt in zip(("Hips", "Spine1", "Spine2", "Spine3", "Spine4", "Neck"), spine):
        w[name] = rest * (1 - nxt)
        rest = rest * nxt
    w["Head"] = rest
    moved = w["Spine4"] * collar
    w["Spine4"] -= moved
    w["Shoulder.L"] = moved
    for n in ("Hips", "Spine1", "Spine2", "Spine3", "Spine4", "Neck", "Shoulder.L"):
        w[n] = w[n] * (1 - arm) * (1 - leg)
    return arm, leg


ARM_CUT = (0.894, -0.445, 0.050)
ARM_REACH = (0.051, 0.088)  # from the arm's line: where its pull begins to fade, and ends
LEG_CUT = (0.42, -0.85, 0.20)


def spread_fingers(p, hand, w):
    """Shares the hand's weight among its fingers; `near` decides whose skin a point is."""
    names = list(FINGERS)
    dist = np.stack([dist_to_chain(p, FINGERS[n]) - (0.003 if n == "Thumb" else 0.0) for n in names], 1)
    near = np.exp(-((dist - dist.min(1, keepdims=True)) / 0.0035) ** 2)
    near /= near.sum(1, keepdims=True)
    taken = np.zeros(len(p))
    for k, n in enumerate(names):
        pts = FINGERS[n]
        first = unit(pts[1] - pts[0])
        out = -(HAND_PALM - 0.9 * HAND_SIDE) if n == "Thumb" else -HAND_PALM
        if n == "Thumb":
            base = hand_over(p, pts[0] + 0.012 * first, first, 0.022)
            base = base * (1 - step(0.015, 0.026, dist[:, k]))
        else:
            base = hinge("knuckle", p, pts[0], first, out, 0.011)
        left = hand * base * near[:, k]
        taken += left
        for j in range(1, 3):
            along = unit(unit(pts[j] - pts[j - 1]) + unit(pts[j + 1] - pts[j]))
            nxt = hinge("finger", p, pts[j], along, out - along * (out @ along), 0.0085)
            w[f"{n}{j}.L"] = left * (1 - nxt)
            left = left * nxt
        w[f"{n}3.L"] = left
    w["Hand.L"] = hand - taken


def smooth_weights(w, faces, amount, rounds):
    e = np.unique(np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), 1), axis=0)
    for _ in range(rounds):
        acc, n = np.zeros_like(w), np.zeros(len(w))
        np.add.at(acc, e[:, 0], w[e[:, 1]])
        np.add.at(acc, e[:, 1], w[e[:, 0]])
        np.add.at(n, e[:, 0], 1.0)
        np.add.at(n, e[:, 1], 1.0)
        w = w + amount[:, None] * 0.5 * (acc / n[:, None] - w)
    return w


def skin_weights(pts, faces, partner):
    left = pts[:, 0] >= 0
    w = np.zeros((len(pts), len(NAMES)))
    w[left] = left_weights(pts[left])
    swap = np.array([INDEX[flip_name(n)] for n in NAMES])
    w[~left] = w[partner[~left]][:, swap]
    # Smooth where broad forms meet (hips, shoulders, trunk); fingers keep their crisp joints.
    x, y = np.abs(pts[:, 0]), pts[:, 1]
    amount = np.where((x < 0.30) & (y > 0.70), 1.0, 0.35)
    amount[(x > 0.50) | (y < 0.12)] = 0.15
    w = smooth_weights(w, faces, amount, 7)
    # Nothing of one side may pull the other side's skin.
    for i, n in enumerate(NAMES):
        if n.endswith(".L"):
            w[pts[:, 0] < 0, i] = 0
        elif n.endswith(".R"):
            w[pts[:, 0] > 0, i] = 0
    w = w / w.sum(1, keepdims=True)
    w = 0.5 * (w + w[partner][:, swap])  # exact symmetry
    return top_four(w)


def top_four(w):
    order = np.argsort(-w, axis=1, kind="stable")[:, :4]
    val = np.take_along_axis(w, order, axis=1)
    val[val < 0.004] = 0.0
    val = (val / val.sum(1, keepdims=True)).astype(np.float32)
    # The largest takes up the rounding, so that the stored numbers sum to one.
    val[:, 0] = (1.0 - val[:, 1:].astype(np.float64).sum(1)).astype(np.float32)
    joints = np.where(val > 0, order, 0).astype(np.uint8)
    return joints, val
