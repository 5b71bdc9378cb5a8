"""Weights.

Rules, not heat: each chain hands over from bone to bone across the plane that halves the joint,
within a width that suits the limb's thickness. Masks keep arms off the flanks and legs apart.
A little smoothing over the surface (never through the air) rounds the rest off.
"""

import numpy as np

from common import dist_to_chain, step, unit, V
from proportions import ARM_DIR, FINGERS, FOOT_FWD, FOREARM_DIR, HAND_Y, in_hand, J
from bands import SHIN, THIGH
from rig import flip_name, INDEX, NAMES


def hand_over(p, joint, normal, half):
    """0 before the joint's plane, 1 after it."""
    return step(-half, half, (p - joint) @ unit(normal))


def left_weights(p):
    """Weights of points with x >= 0: central bones and the left side's only."""
    w = {n: np.zeros(len(p)) for n in NAMES}
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
    arm = hand_over(p, J["UpperArm"] + V(0.008, 0, 0), V(0.985, -0.17, 0), 0.060)
    arm = arm * (1 - step(0.078, 0.122, dist_to_chain(p, arm_chain)))
    arm = np.where(p[:, 0] > 0.30, 1.0, arm)
    collar = step(0.015, 0.135, p[:, 0]) * step(1.270, 1.420, p[:, 1])
    leg = hand_over(p, J["UpperLeg"] + V(0, -0.008, 0), V(0.62, -0.785, 0), 0.070) * step(0.0, 0.050, p[:, 0])
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

    elbow = hand_over(p, J["LowerArm"], ARM_DIR + FOREARM_DIR, 0.042)
    wrist = hand_over(p, J["Hand"], FOREARM_DIR + HAND_Y, 0.024)
    w["UpperArm.L"] = arm * (1 - elbow)
    lower = arm * elbow * (1 - wrist)
    t = (p - J["LowerArm"]) @ FOREARM_DIR / 0.243
    twist = 0.92 * step(0.25, 0.95, t)
    w["LowerArmTwist.L"] = lower * twist
    w["LowerArm.L"] = lower * (1 - twist)
    hand = arm * elbow * wrist
    spread_fingers(p, hand, w)

    knee = hand_over(p, J["LowerLeg"], THIGH + SHIN, 0.055)
    ankle = hand_over(p, J["Foot"], V(0, -0.80, 0.60), 0.034)
    toes = hand_over(p, J["Toes"] - 0.002 * FOOT_FWD, FOOT_FWD, 0.018)
    w["UpperLeg.L"] = leg * (1 - knee)
    w["LowerLeg.L"] = leg * knee * (1 - ankle)
    w["Foot.L"] = leg * knee * ankle * (1 - toes)
    w["Toes.L"] = leg * knee * ankle * toes
    return np.stack([w[n] for n in NAMES], 1)


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
        if n == "Thumb":
            base = hand_over(p, pts[0] + 0.012 * first, first, 0.022)
            base = base * (1 - step(0.015, 0.026, dist[:, k]))
        else:
            base = hand_over(p, pts[0] + 0.002 * first, first, 0.011)
        left = hand * base * near[:, k]
        taken += left
        for j in range(1, 3):
            nxt = hand_over(p, pts[j], unit(pts[j] - pts[j - 1]) + unit(pts[j + 1] - pts[j]), 0.0085)
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
