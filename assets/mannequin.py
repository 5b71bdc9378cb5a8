#!/usr/bin/env python3
"""Builds `mannequin.glb`, the character that rigscope opens with.

    pip install "numpy>=1.26"        # the only dependency
    python3 assets/mannequin.py      # writes assets/mannequin.glb, about a minute

Everything here is our own work and comes from code: the body is a signed distance field
(tapered limbs and ellipsoids melted together), polygonised by marching tetrahedra, remeshed
to even triangles, skinned by rules and animated by functions of the walk's phase. There is no
randomness and no clock, so two runs on one machine give identical bytes.

Space: metres, +Y up, the figure faces +Z, its left is +X, the soles stand on y = 0.
Sections: proportions, distance field, polygonise, remesh, bands, rig, weights, motion, glTF.
"""

import json
import math
import os
import struct
import sys
import time

import numpy as np

V = lambda *c: np.array(c, dtype=np.float64)  # noqa: E731  (a short name keeps tables readable)


def unit(v):
    return v / np.linalg.norm(v)


# ======================================================================================
# Proportions
# ======================================================================================
# 1.75 m in 7.5 heads. Only the left side is written down; the right is its mirror image.

HEIGHT = 1.75
ARM_DROP = math.radians(42.0)  # A-pose: half-way between T-pose and hanging, so shoulders bend both ways

J = {  # joint positions
    "Hips": V(0, 0.955, -0.005),
    "Spine": V(0, 1.040, -0.004),
    "Chest": V(0, 1.150, 0.000),
    "UpperChest": V(0, 1.270, -0.006),
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

# ======================================================================================
# Distance field
# ======================================================================================
# Each primitive is a function of an (n, 3) array that is negative inside and, near the surface,
# about the distance in metres (first order is enough: points are projected by Newton steps).


def smin(a, b, k):
    """Smooth minimum. The cubic keeps the curvature of the blend continuous: no visible rings."""
    h = np.maximum(k - np.abs(a - b), 0.0) / k
    return np.minimum(a, b) - h * h * h * k / 6.0


def smax(a, b, k):
    return -smin(-a, -b, k)


def capsule(a, b, ra, rb):
    """A tapered capsule."""
    ab = b - a

    def f(p):
        t = np.clip((p - a) @ ab / (ab @ ab), 0.0, 1.0)
        return np.linalg.norm(p - a - t[:, None] * ab, axis=1) - (ra + (rb - ra) * t)

    return f


def axes(y, z_hint):
    """Right-handed columns (x, y, z) with y exact and z as near to the hint as it can be."""
    y = unit(y)
    z = unit(z_hint - y * (z_hint @ y))
    return np.stack([np.cross(y, z), y, z], axis=1)


def ellipsoid(c, radii, frame=None):
    frame = np.eye(3) if frame is None else frame
    radii = np.asarray(radii)

    def f(p):
        q = (p - c) @ frame
        k0 = np.linalg.norm(q / radii, axis=1)
        k1 = np.linalg.norm(q / (radii * radii), axis=1)
        return k0 * (k0 - 1.0) / np.maximum(k1, 1e-9)

    return f


def monotone_slopes(t, v):
    """Fritsch-Carlson slopes: the profile never bulges beyond its table."""
    d = np.diff(v) / np.diff(t)
    m = np.empty_like(v)
    m[0] = m[-1] = 0.0  # the rounded ends start level, else a crease would show through every blend
    for i in range(1, len(v) - 1):
        m[i] = 0.0 if d[i - 1] * d[i] <= 0 else 2 * d[i - 1] * d[i] / (d[i - 1] + d[i])
    return m


def profile(t, v, n=1500):
    """Looks a table up smoothly (cubic Hermite, sampled densely)."""
    t, v = np.asarray(t, float), np.asarray(v, float)
    m = monotone_slopes(t, v)
    x = np.linspace(t[0], t[-1], n)
    i = np.clip(np.searchsorted(t, x, side="right") - 1, 0, len(t) - 2)
    h = t[i + 1] - t[i]
    s = (x - t[i]) / h
    y = ((1 + 2 * s) * (1 - s) ** 2 * v[i] + s * (1 - s) ** 2 * h * m[i]
         + s * s * (3 - 2 * s) * v[i + 1] + s * s * (s - 1) * h * m[i + 1])
    return lambda q: np.interp(q, x, y)


def loft(a, b, z_hint, rows, caps, power=2.0):
    """A limb as a sculptor draws it: sections (t, centre x, centre z, radius x, radius z) along a->b.

    `caps` are the lengths of the rounded ends, `power` > 2 squares the section (a chest is no tube).
    """
    frame = axes(b - a, z_hint)
    length = np.linalg.norm(b - a)
    rows = np.asarray(rows, float)
    t = rows[:, 0] * length
    cx, cz, rx, rz = (profile(t, rows[:, i]) for i in range(1, 5))

    def f(p):
        q = (p - a) @ frame
        y = np.clip(q[:, 1], t[0], t[-1])
        u = q[:, 1] - y
        ru = np.where(u < 0, caps[0], caps[1])
        r = np.stack([rx(y), ru, rz(y)], axis=1)
        e = np.abs(np.stack([q[:, 0] - cx(y), u, q[:, 2] - cz(y)], axis=1))
        k = np.sum((e / r) ** power, axis=1) ** (1.0 / power)
        k = np.maximum(k, 1e-6)
        g = (e / r) ** (power - 1) / r * k[:, None] ** (1.0 - power)
        return (k - 1.0) / np.maximum(np.linalg.norm(g, axis=1), 1e-9)

    return f


def mirror(p):
    return p * V(-1, 1, 1)


def both(f, k):
    """A left part together with its mirror image, melted where they meet at the middle."""
    return lambda p: smin(f(p), f(mirror(p)), k)


def only_near(f, points, pad):
    """Skips the work far from a part; beyond `pad` its exact distance cannot matter."""
    lo, hi = np.min(points, axis=0) - pad, np.max(points, axis=0) + pad

    def g(p):
        d = np.full(len(p), 1.0)
        m = np.all((p > lo) & (p < hi), axis=1)
        if m.any():
            d[m] = f(p[m])
        return d

    return g


def make_torso():
    low, high = 0.86, 1.53
    trunk = loft(V(0, low, 0), V(0, high, 0), V(0, 0, 1), [((y - low) / (high - low), 0, *row) for y, *row in (
        # height, middle's z, half width, half depth
        (0.860, -0.010, 0.116, 0.092),
        (0.920, -0.010, 0.137, 0.100),
        (0.992, -0.007, 0.138, 0.100),
        (1.076, 0.001, 0.124, 0.090),
        (1.160, 0.004, 0.129, 0.095),
        (1.256, -0.002, 0.154, 0.108),
        (1.334, -0.010, 0.161, 0.107),
        (1.392, -0.018, 0.141, 0.091),
        (1.434, -0.024, 0.105, 0.073),
        (1.472, -0.024, 0.066, 0.058),
        (1.530, -0.012, 0.048, 0.052),
    )], (0.05, 0.04), power=2.2)
    pecs = both(ellipsoid(V(0.078, 1.326, 0.062), (0.080, 0.055, 0.040),
                          axes(V(0.25, 1, -0.25), V(0.2, 0.2, 1))), 0.030)
    glutes = both(ellipsoid(V(0.074, 0.898, -0.066), (0.074, 0.086, 0.060)), 0.025)
    traps = both(capsule(V(0.026, 1.488, -0.038), V(0.152, 1.418, -0.022), 0.034, 0.029), 0.03)
    blades = both(ellipsoid(V(0.090, 1.320, -0.088), (0.062, 0.085, 0.034),
                            axes(V(-0.1, 1, 0), V(0.25, 0, -1))), 0.03)
    neck = loft(V(0, 1.47, -0.024), V(0, 1.585, -0.002), V(0, 0, 1), [
        (0.0, 0, 0, 0.050, 0.053), (0.45, 0, 0, 0.048, 0.052), (1.0, 0, 0, 0.049, 0.056),
    ], (0.03, 0.03))
    collar = both(capsule(V(0.022, 1.412, 0.042), V(0.150, 1.424, 0.004), 0.010, 0.012), 0.02)

    def f(p):
        d = smin(trunk(p), pecs(p), 0.045)
        d = smin(d, blades(p), 0.05)
        d = smin(d, glutes(p), 0.05)
        d = smin(d, traps(p), 0.07)
        d = smin(d, neck(p), 0.050)
        return smin(d, collar(p), 0.030)

    return f


def make_head():
    skull = ellipsoid(V(0, 1.656, -0.006), (0.0740, 0.094, 0.0960))
    face = loft(V(0, 1.537, 0.030), V(0, 1.672, 0.024), V(0, 0, 1), [
        (0.00, 0, 0.010, 0.031, 0.043), (0.22, 0, 0.007, 0.0455, 0.055),
        (0.55, 0, 0.003, 0.0600, 0.065), (1.00, 0, -0.004, 0.0650, 0.066),
    ], (0.020, 0.05), power=2.1)
    chin = ellipsoid(V(0, 1.540, 0.0720), (0.022, 0.017, 0.017))
    jaw = both(capsule(V(0.047, 1.592, -0.002), V(0.024, 1.543, 0.050), 0.017, 0.016), 0.02)
    nose = capsule(V(0, 1.657, 0.0825), V(0, 1.610, 0.1005), 0.0070, 0.0086)
    wings = ellipsoid(V(0, 1.605, 0.0920), (0.0140, 0.0080, 0.0095))
    lip = capsule(V(0, 1.600, 0.0830), V(0, 1.577, 0.0820), 0.0085, 0.0080)
    brow = both(capsule(V(0.012, 1.669, 0.0795), V(0.046, 1.667, 0.0600), 0.0100, 0.0090), 0.012)
    socket = both(ellipsoid(V(0.0325, 1.646, 0.0975), (0.024, 0.0140, 0.0165)), 0.004)
    lips = ellipsoid(V(0, 1.571, 0.0770), (0.020, 0.0100, 0.0150))
    ear = both(ellipsoid(V(0.0745, 1.632, -0.010), (0.0085, 0.029, 0.0175),
                         axes(V(0.10, 1, -0.22), V(0.40, 0, 1))), 0.002)

    def f(p):
        d = smin(skull(p), face(p), 0.06)
        d = smin(d, jaw(p), 0.040)
        d = smin(d, chin(p), 0.030)
        d = smin(smin(d, lips(p), 0.022), lip(p), 0.022)
        d = smin(d, brow(p), 0.024)
        d = smax(d, -socket(p), 0.022)
        d = smin(d, nose(p), 0.024)
        d = smin(d, wings(p), 0.018)
        return smin(d, ear(p), 0.012)

    return f


def make_arm():
    fwd = V(0, 0, 1)
    upper = loft(J["UpperArm"], J["LowerArm"], fwd, [
        (0.00, 0, 0.000, 0.043, 0.048), (0.20, 0, 0.001, 0.043, 0.048),
        (0.48, 0, 0.004, 0.0405, 0.0460), (0.80, 0, 0.001, 0.0355, 0.0365),
        (1.00, 0, -0.002, 0.0350, 0.0340),
    ], (0.05, 0.035))
    delt = ellipsoid(J["UpperArm"] + 0.030 * ARM_DIR + V(0.003, 0.004, 0.003), (0.047, 0.086, 0.053),
                     axes(ARM_DIR, fwd))
    lower = loft(J["LowerArm"], J["Hand"], fwd, [
        (0.00, 0, -0.001, 0.0365, 0.034), (0.22, 0, 0.001, 0.0415, 0.0415),
        (0.50, 0, 0.001, 0.0345, 0.0365), (0.82, 0, 0, 0.0235, 0.0290), (1.00, 0, 0, 0.0205, 0.0275),
    ], (0.03, 0.02))
    palm = loft(J["Hand"], in_hand(0.088, 0, 0), HAND_SIDE, [
        # x is out of or into the palm here, z is towards the thumb
        (0.00, 0, 0.000, 0.0185, 0.0265), (0.35, 0, 0.001, 0.0175, 0.0335),
        (0.75, 0, 0.001, 0.0145, 0.0415), (1.00, 0, 0.000, 0.0110, 0.0410),
    ], (0.02, 0.010), power=2.4)
    ball = capsule(FINGERS["Thumb"][0], FINGERS["Thumb"][1], 0.0145, 0.0118)
    heel = ellipsoid(in_hand(0.034, -0.018, 0.006), (0.012, 0.030, 0.015), axes(HAND_Y, HAND_SIDE))
    thumb = [capsule(FINGERS["Thumb"][1], FINGERS["Thumb"][2], 0.0112, 0.0102),
             capsule(FINGERS["Thumb"][2], FINGERS["Thumb"][3], 0.0102, 0.0086)]
    fingers = []
    for name in ("Index", "Middle", "Ring", "Little"):
        pts, r = FINGERS[name], FINGER_RADII[name]
        radii = (r * 1.0, r, r * 0.93, r * 0.80)
        fingers.append([capsule(pts[i], pts[i + 1], radii[i], radii[i + 1]) for i in range(3)])

    def one_finger(parts, p):  # neighbours share a sphere, so a wide blend would swell every knuckle
        return smin(smin(parts[0](p), parts[1](p), 0.0015), parts[2](p), 0.0015)

    def hand(p):
        d = smin(palm(p), heel(p), 0.014)
        d = smin(d, one_finger((ball, *thumb), p), 0.018)
        four = one_finger(fingers[0], p)
        for parts in fingers[1:]:  # nearly a hard minimum: neighbouring fingers must never melt together
            four = smin(four, one_finger(parts, p), 0.0035)
        return smin(d, four, 0.013)

    hand_points = np.concatenate([np.array(v) for v in FINGERS.values()] + [[J["Hand"]]])
    near_hand = only_near(hand, hand_points, 0.07)

    def f(p):
        d = smin(upper(p), delt(p), 0.035)
        d = smin(d, lower(p), 0.022)
        return smin(d, near_hand(p), 0.022)

    points = np.concatenate([hand_points, [J["UpperArm"], J["LowerArm"]]])
    return only_near(f, points, 0.17)


def make_leg():
    fwd = V(0, 0, 1)
    # The frame's x points to the body's right here (y runs down), so +x is the inner side.
    thigh = loft(J["UpperLeg"], J["LowerLeg"], fwd, [
        (0.00, 0.004, -0.006, 0.078, 0.088), (0.16, 0.001, -0.004, 0.0795, 0.090),
        (0.45, 0.000, 0.005, 0.0715, 0.0805), (0.82, 0.003, 0.003, 0.0520, 0.0580),
        (1.00, 0.000, 0.000, 0.0475, 0.0515),
    ], (0.07, 0.045))
    knee = ellipsoid(J["LowerLeg"] + V(0, 0.004, 0.028), (0.034, 0.046, 0.030))
    shin = loft(J["LowerLeg"], J["Foot"], fwd, [
        (0.00, 0.000, 0.000, 0.0465, 0.0505), (0.13, 0.000, -0.004, 0.0480, 0.0530),
        (0.31, 0.001, -0.013, 0.0545, 0.0590), (0.58, 0.001, -0.009, 0.0420, 0.0460),
        (0.85, 0.000, -0.002, 0.0280, 0.0335), (1.00, 0.000, 0.000, 0.0305, 0.0355),
    ], (0.04, 0.03))
    ankles = smin_pair(ellipsoid(J["Foot"] + V(-0.0275, 0.004, 0.004), (0.010, 0.015, 0.013)),
                       ellipsoid(J["Foot"] + V(0.0275, -0.004, -0.004), (0.010, 0.015, 0.013)), 0.01)
    up = V(0, 1, 0)
    # Along the foot; the frame's z is up and its x is the body's left, which is the outer side.
    foot = loft(SOLE - 0.034 * FOOT_FWD, SOLE + 0.166 * FOOT_FWD, up, [
        (0.00, 0.000, 0.032, 0.0300, 0.040), (0.20, 0.000, 0.038, 0.0315, 0.048),
        (0.42, 0.001, 0.034, 0.0345, 0.046), (0.62, 0.002, 0.022, 0.0400, 0.036),
        (0.80, 0.002, 0.012, 0.0435, 0.026), (1.00, 0.001, 0.009, 0.0400, 0.0185),
    ], (0.040, 0.012), power=2.05)
    toes = []
    for side, z, r in ((-0.0265, 0.186, 0.0142), (-0.0045, 0.185, 0.0112), (0.0125, 0.178, 0.0105),
                       (0.0275, 0.169, 0.0100), (0.0405, 0.158, 0.0095)):
        tip = SOLE + z * FOOT_FWD + side * FOOT_SIDE + V(0, r * 0.82, 0)
        root = SOLE + (z - 0.034) * FOOT_FWD + side * 0.93 * FOOT_SIDE + V(0, r * 1.05, 0)
        toes.append(capsule(root, tip, r * 0.95, r))

    def lower_half(p):
        d = smin(shin(p), ankles(p), 0.014)
        pad = foot(p)
        all_toes = toes[0](p)
        for t in toes[1:]:
            all_toes = smin(all_toes, t(p), 0.003)
        pad = smin(pad, all_toes, 0.010)
        d = smin(d, pad, 0.040)
        return smax(d, -p[:, 1], 0.020)  # a flat sole with a soft edge

    near = only_near(lower_half, np.array([J["LowerLeg"], J["Foot"], J["ToesEnd"], SOLE]), 0.13)

    def f(p):
        d = smin(thigh(p), knee(p), 0.03)
        return smin(d, near(p), 0.026)

    return only_near(f, np.array([J["UpperLeg"], J["LowerLeg"], J["Foot"], J["ToesEnd"], SOLE]), 0.17)


def smin_pair(f, g, k):
    return lambda p: smin(f(p), g(p), k)


def make_body():
    torso, arm, leg = make_torso(), make_arm(), both(make_leg(), 0.03)
    head = only_near(make_head(), np.array([[-0.08, 1.52, -0.1], [0.08, 1.75, 0.1]]), 0.08)

    def f(p):
        d = smin(torso(p), leg(p), 0.085)
        d = smin(d, arm(p), 0.042)
        return smin(d, head(p), 0.030)

    return f


body = make_body()


def gradient(p, h=8e-4):
    g = np.empty_like(p)
    for i in range(3):
        e = np.zeros(3)
        e[i] = h
        g[:, i] = body(p + e) - body(p - e)
    return g / (2 * h)


def surface_normals(p, partner):
    """From the field on the left half (the right arm is never modelled), mirrored for the right."""
    left = p[:, 0] >= 0
    n = np.empty_like(p)
    n[left] = gradient(p[left])
    n[p[:, 0] == 0, 0] = 0.0  # no crease down the middle
    n[~left] = mirror(n[partner[~left]])
    return n / np.linalg.norm(n, axis=1, keepdims=True)


def project(p, steps=3):
    """Newton steps onto the surface, short enough never to jump to another limb."""
    for _ in range(steps):
        g = gradient(p)
        s = body(p) / np.maximum(np.sum(g * g, axis=1), 0.05)
        step = s[:, None] * g
        n = np.linalg.norm(step, axis=1, keepdims=True)
        p = p - step * np.minimum(1.0, 0.006 / np.maximum(n, 1e-12))
    return p


# ======================================================================================
# Polygonise: marching tetrahedra on the left half
# ======================================================================================
# Tetrahedra rather than cubes: no ambiguous case, so the surface is always closed and manifold,
# and the cut at x = 0 is a clean outline that the mirrored half can share. The poor triangles
# do not matter, since the remesher replaces them all.


def ticks(*pieces):
    """Grid lines: (start, spacing) ... (end, None); finer where fingers and the face need it."""
    out = []
    for (a, h), (b, _) in zip(pieces, pieces[1:]):
        n = max(1, round((b - a) / h))
        out.append(np.linspace(a, b, n, endpoint=False))
    return np.concatenate(out + [[pieces[-1][0]]])


def grid_values(xs, ys, zs, stride=4):
    """The field on the grid; only nodes near the surface are evaluated exactly."""
    shape = (len(xs), len(ys), len(zs))

    def at(ix, iy, iz):
        return body(np.stack([xs[ix], ys[iy], zs[iz]], axis=1))

    coarse = [np.unique(np.append(np.arange(0, n, stride), n - 1)) for n in shape]
    ci = np.stack(np.meshgrid(*[np.arange(len(c)) for c in coarse], indexing="ij"), -1).reshape(-1, 3)
    cv = at(coarse[0][ci[:, 0]], coarse[1][ci[:, 1]], coarse[2][ci[:, 2]])
    cv = cv.reshape([len(c) for c in coarse])
    owner = [np.clip(np.searchsorted(c, np.arange(n), side="right") - 1, 0, len(c) - 1)
             for c, n in zip(coarse, shape)]
    values = cv[np.ix_(*owner)].copy()
    near = np.zeros(cv.shape, bool)
    size = [np.diff(np.append(g[c], g[c[-1]])) for g, c in zip((xs, ys, zs), coarse)]
    diag = np.sqrt(size[0][:, None, None] ** 2 + size[1][None, :, None] ** 2 + size[2][None, None, :] ** 2)
    for off in np.ndindex(2, 2, 2):
        sl = tuple(np.minimum(np.arange(n) + o, n - 1) for n, o in zip(cv.shape, off))
        near |= np.abs(cv[np.ix_(*sl)]) < diag * 1.25 + 0.004
    want = near[np.ix_(*owner)]
    # A cell of the coarse grid also owns the nodes on its far faces.
    for ax in range(3):
        want |= np.roll(want, 1, axis=ax)
    idx = np.argwhere(want)
    for s in range(0, len(idx), 200_000):
        i = idx[s:s + 200_000]
        values[i[:, 0], i[:, 1], i[:, 2]] = at(i[:, 0], i[:, 1], i[:, 2])
    values[np.abs(values) < 1e-7] = 1e-7  # a surface through a node would make zero-size triangles
    return values


def marching_tetrahedra(xs, ys, zs):
    val = grid_values(xs, ys, zs)
    nx, ny, nz = val.shape
    node = np.arange(val.size).reshape(val.shape)
    flat = val.ravel()
    inside = val < 0
    cells_in = np.zeros((nx - 1, ny - 1, nz - 1), int)
    for o in np.ndindex(2, 2, 2):
        cells_in += inside[o[0]:nx - 1 + o[0], o[1]:ny - 1 + o[1], o[2]:nz - 1 + o[2]]
    c = np.argwhere((cells_in > 0) & (cells_in < 8))
    corner = [node[c[:, 0] + (b & 1), c[:, 1] + (b >> 1 & 1), c[:, 2] + (b >> 2 & 1)] for b in range(8)]
    tets = []
    for a, b in ((1, 3), (1, 5), (2, 3), (2, 6), (4, 5), (4, 6)):  # Kuhn's six, all around 0-7
        tets.append(np.stack([corner[0], corner[a], corner[b], corner[7]], 1))
    tets = np.concatenate(tets)
    neg = flat[tets] < 0
    count = neg.sum(1)
    order = np.argsort(~neg, axis=1, kind="stable")  # negatives first
    tets = np.take_along_axis(tets, order, axis=1)

    def edges(sel, pairs):
        return [np.sort(tets[sel][:, list(pr)], axis=1) for pr in pairs]

    tri_edges = []
    s = count == 1
    tri_edges.append(edges(s, ((0, 1), (0, 2), (0, 3))))
    s = count == 3
    tri_edges.append(edges(s, ((0, 3), (1, 3), (2, 3))))
    s = count == 2
    a, b, d, e = edges(s, ((0, 2), (0, 3), (1, 3), (1, 2)))
    tri_edges += [[a, b, d], [a, d, e]]
    tri = np.concatenate([np.stack(t, 1) for t in tri_edges])  # (n, 3, 2) grid edges
    key = tri[..., 0] * val.size + tri[..., 1]
    keys, faces = np.unique(key.ravel(), return_inverse=True)
    faces = faces.reshape(-1, 3)
    a, b = keys // val.size, keys % val.size
    grid = np.stack([xs[np.arange(val.size) // (ny * nz)], ys[np.arange(val.size) // nz % ny],
                     zs[np.arange(val.size) % nz]], 1)
    t = flat[a] / (flat[a] - flat[b])
    pts = grid[a] + t[:, None] * (grid[b] - grid[a])
    # Orient outwards.
    n = np.cross(pts[faces[:, 1]] - pts[faces[:, 0]], pts[faces[:, 2]] - pts[faces[:, 0]])
    out = gradient(pts[faces].mean(1))
    flip = np.sum(n * out, 1) < 0
    faces[flip] = faces[flip][:, ::-1]
    return pts, faces


# ======================================================================================
# Remesh: even triangles, sized by place
# ======================================================================================

SIZE_SPOTS = []  # (point, radius, edge length): small triangles where shape or bending needs them


def _spots():
    s = SIZE_SPOTS
    for name, pts in FINGERS.items():
        for a, b in zip(pts, pts[1:]):
            s.append((a, 0.012, 0.0054))
            s.append(((a + b) / 2, 0.012, 0.0054))
        s.append((pts[-1], 0.012, 0.0050))
    s.append((in_hand(0.05, 0, 0), 0.030, 0.0090))
    s.append((in_hand(0.095, 0, 0), 0.032, 0.0056))
    s.append((J["Hand"], 0.03, 0.0105))
    s.append((V(0, 1.605, 0.095), 0.040, 0.0064))
    s.append((V(0.03, 1.65, 0.07), 0.030, 0.0072))
    s.append((V(0, 1.63, 0.03), 0.100, 0.0115))
    s.append((V(0.078, 1.63, -0.008), 0.030, 0.0052))
    for k, (f, r) in {"LowerArm": (0.0125, 0.06), "LowerLeg": (0.0150, 0.08), "UpperArm": (0.0150, 0.08),
                      "Foot": (0.0115, 0.06)}.items():
        s.append((J[k], r, f))
    s.append((J["ToesEnd"] - V(0, 0, 0.010), 0.026, 0.0060))
    s.append((SOLE + 0.160 * FOOT_FWD + 0.025 * FOOT_SIDE, 0.028, 0.0062))
    s.append((J["Toes"], 0.05, 0.0100))
    s.append((SOLE + V(0, 0.03, -0.06), 0.05, 0.0100))
    s.append((V(0.0, 0.835, 0.0), 0.06, 0.0140))
    s.append((V(0.180, 1.345, -0.01), 0.040, 0.0105))
    s.append((J["UpperLeg"] + V(0, -0.02, 0.08), 0.05, 0.0170))
    s.append((V(0.03, 1.45, 0.0), 0.08, 0.0130))
    s.append((V(0.0, 1.525, 0.045), 0.040, 0.0085))


_spots()
SIZE_MAX = 0.0265


def edge_size(p):
    """Target edge length: grows by a fifth of the distance from the spots, so sizes change gently."""
    size = np.full(len(p), SIZE_MAX)
    for c, r, s in SIZE_SPOTS:
        size = np.minimum(size, s + 0.17 * np.maximum(np.linalg.norm(p - c, axis=1) - r, 0.0))
    return size


class Mesh:
    """A triangle mesh that can split, collapse and flip edges. Plain Python: ~1e5 triangles at most."""

    def __init__(self, pts, faces):
        self.p = [tuple(map(float, q)) for q in pts]
        self.f = [tuple(map(int, t)) for t in faces]
        self.vf = [set() for _ in self.p]
        for i, t in enumerate(self.f):
            for v in t:
                self.vf[v].add(i)

    def ring(self, v):
        out = set()
        for i in self.vf[v]:
            out.update(self.f[i])
        out.discard(v)
        return out

    def add(self, t):
        self.f.append(t)
        i = len(self.f) - 1
        for v in t:
            self.vf[v].add(i)

    def drop(self, i):
        for v in self.f[i]:
            self.vf[v].discard(i)
        self.f[i] = None

    def edges(self):
        seen = set()
        for t in self.f:
            if t:
                for a, b in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0])):
                    seen.add((a, b) if a < b else (b, a))
        return sorted(seen)

    def arrays(self):
        """Compact arrays, unused vertices dropped (and this mesh renumbered alike)."""
        faces = np.array([t for t in self.f if t])
        used = np.unique(faces)
        remap = np.full(len(self.p), -1)
        remap[used] = np.arange(len(used))
        return np.array(self.p)[used], remap[faces]


def dist2(a, b):
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2


def normal_of(a, b, c):
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    return (uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx)


def split_long(m, size):
    for a, b in m.edges():
        s = 0.5 * (size[a] + size[b])
        if dist2(m.p[a], m.p[b]) <= (4 / 3 * s) ** 2:
            continue
        shared = m.vf[a] & m.vf[b]
        pa, pb = m.p[a], m.p[b]
        m.p.append(((pa[0] + pb[0]) / 2, (pa[1] + pb[1]) / 2, (pa[2] + pb[2]) / 2))
        m.vf.append(set())
        size.append(s)
        n = len(m.p) - 1
        for i in sorted(shared):
            t = m.f[i]
            m.drop(i)
            m.add(tuple(n if v == b else v for v in t))
            m.add(tuple(n if v == a else v for v in t))


def collapse_short(m, size, slack=4 / 5):
    for a, b in m.edges():
        if not m.vf[a] or not m.vf[b]:
            continue
        pa, pb = m.p[a], m.p[b]
        s = 0.5 * (size[a] + size[b])
        if dist2(pa, pb) >= (slack * s) ** 2:
            continue
        shared = m.vf[a] & m.vf[b]
        if not shared:
            continue
        ra, rb = m.ring(a), m.ring(b)
        edge_on_rim = len(shared) == 1
        rim_a, rim_b = len(ra) != len(m.vf[a]), len(rb) != len(m.vf[b])
        if len(ra & rb) != len(shared) or (rim_a and rim_b and not edge_on_rim):
            continue  # the collapse would pinch the surface
        if rim_a == rim_b:
            q = ((pa[0] + pb[0]) / 2, (pa[1] + pb[1]) / 2, (pa[2] + pb[2]) / 2)
        else:
            q = pa if rim_a else pb
        if any(dist2(q, m.p[v]) > (4 / 3 * s) ** 2 for v in (ra | rb) - {a, b}):
            continue
        ok = True
        for v, other in ((a, b), (b, a)):
            for i in m.vf[v]:
                if i in shared:
                    continue
                t = m.f[i]
                old = normal_of(*(m.p[k] for k in t))
                new = normal_of(*(q if k == v else m.p[k] for k in t))
                dot = old[0] * new[0] + old[1] * new[1] + old[2] * new[2]
                if dot <= 0.25 * math.sqrt((old[0] ** 2 + old[1] ** 2 + old[2] ** 2)
                                           * (new[0] ** 2 + new[1] ** 2 + new[2] ** 2)):
                    ok = False
                    break
            if not ok:
                break
        if not ok:
            continue
        for i in sorted(shared):
            m.drop(i)
        for i in sorted(m.vf[b]):
            t = m.f[i]
            m.drop(i)
            m.add(tuple(a if v == b else v for v in t))
        m.p[a] = q


def flip_edges(m):
    """Flips towards valence 6 (4 on the rim)."""
    val = [len(m.ring(v)) if m.vf[v] else 0 for v in range(len(m.p))]
    ideal = [4 if val[v] != len(m.vf[v]) else 6 for v in range(len(m.p))]
    for a, b in m.edges():
        shared = sorted(m.vf[a] & m.vf[b])
        if len(shared) != 2:
            continue
        i, k = shared
        c = next(v for v in m.f[i] if v not in (a, b))
        d = next(v for v in m.f[k] if v not in (a, b))
        if c == d or (m.vf[c] & m.vf[d]):
            continue
        dev = lambda v, x: (val[v] + x - ideal[v]) ** 2  # noqa: E731
        if dev(a, -1) + dev(b, -1) + dev(c, 1) + dev(d, 1) >= dev(a, 0) + dev(b, 0) + dev(c, 0) + dev(d, 0):
            continue
        t = m.f[i]
        if t[(t.index(a) + 1) % 3] == b:  # triangle i runs a, b, c
            n1, n2 = (c, a, d), (d, b, c)
        else:
            n1, n2 = (c, d, a), (d, c, b)
        before = [normal_of(*(m.p[v] for v in m.f[x])) for x in shared]
        avg = tuple(before[0][x] + before[1][x] for x in range(3))
        la = math.sqrt(sum(x * x for x in avg)) or 1.0
        good = True
        for t2 in (n1, n2):
            nn = normal_of(*(m.p[v] for v in t2))
            ln = math.sqrt(sum(x * x for x in nn))
            if ln < 1e-12 or sum(nn[x] * avg[x] for x in range(3)) < 0.75 * ln * la:
                good = False
        if not good:
            continue
        m.drop(i)
        m.drop(k)
        m.add(n1)
        m.add(n2)
        val[a] -= 1
        val[b] -= 1
        val[c] += 1
        val[d] += 1


def relax(pts, faces, rim):
    """Moves each vertex towards its neighbours' middle, within the surface only."""
    area = 0.5 * np.linalg.norm(np.cross(pts[faces[:, 1]] - pts[faces[:, 0]],
                                         pts[faces[:, 2]] - pts[faces[:, 0]]), axis=1)
    target = edge_size(pts)
    # Area over target area: weights even out the wanted density, not the raw one.
    w = area / np.mean(target[faces], axis=1) ** 2
    mid = pts[faces].mean(1)
    acc, tot = np.zeros_like(pts), np.zeros(len(pts))
    for k in range(3):
        np.add.at(acc, faces[:, k], mid * w[:, None])
        np.add.at(tot, faces[:, k], w)
    move = acc / tot[:, None] - pts
    n = gradient(pts)
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    move -= n * np.sum(move * n, 1, keepdims=True)
    move[rim] *= V(0, 0.3, 0.3)  # the outline stays in its plane (its triangles lie on one side only)
    out = project(pts + 0.8 * move, 2)
    out[rim, 0] = 0.0
    return out


def remesh(pts, faces, rounds=8):
    rim = pts[:, 0] == 0.0
    pts = project(pts, 2)
    pts[rim, 0] = 0.0
    for k in range(rounds):
        m = Mesh(pts, faces)
        size = list(edge_size(pts))
        if k == 0:  # marching tetrahedra leave slivers: take them away in two gentle passes
            collapse_short(m, [0.5 * s for s in size])
        split_long(m, size)
        collapse_short(m, size)
        flip_edges(m)
        pts, faces = m.arrays()
        rim = np.abs(pts[:, 0]) < 1e-9
        for _ in range(2):
            pts = relax(pts, faces, rim)
    return project(pts, 2) * np.where(rim, 0.0, 1.0)[:, None] ** V(1, 0, 0), faces


# ======================================================================================
# Bands: material borders cut as clean lines through the triangles
# ======================================================================================

WOOD, DARK, ACCENT = 0, 1, 2


def dist_to_chain(p, pts):
    best = np.full(len(p), 1e9)
    for a, b in zip(pts, pts[1:]):
        ab = b - a
        t = np.clip((p - a) @ ab / (ab @ ab), 0, 1)
        best = np.minimum(best, np.linalg.norm(p - a - t[:, None] * ab, axis=1))
    return best


def arm_zone(p):
    return (dist_to_chain(p, [J["UpperArm"] + 0.06 * ARM_DIR, J["LowerArm"], J["Hand"], in_hand(0.2, 0, 0)])
            < 0.11) & (p[:, 0] > 0.2)


def leg_zone(p):
    return (p[:, 1] < 0.93) & (p[:, 0] < 0.3) & ~arm_zone(p)


def trunk_zone(p):
    return (p[:, 0] < 0.3) & (p[:, 1] > 0.86) & ~arm_zone(p)


def along(origin, direction, offset):
    d = unit(direction)
    return lambda p: (p - origin) @ d - offset


THIGH = J["LowerLeg"] - J["UpperLeg"]
SHIN = J["Foot"] - J["LowerLeg"]
WAIST = along(V(0, 1.035, 0), V(0, 1, 0.10), 0.0)
BELT = along(V(0, 1.035, 0), V(0, 1, 0.10), 0.022)
HEM = along(J["UpperLeg"], unit(THIGH) + V(-0.10, 0, 0.06), 0.185)
HEM2 = along(J["UpperLeg"], unit(THIGH) + V(-0.10, 0, 0.06), 0.197)
LINES = [  # (zone, function whose zero is the border)
    (trunk_zone, WAIST), (trunk_zone, BELT),
    (leg_zone, HEM), (leg_zone, HEM2),
    (leg_zone, along(J["LowerLeg"], THIGH, -0.058)), (leg_zone, along(J["LowerLeg"], SHIN, 0.052)),
    (leg_zone, along(J["Foot"], SHIN, -0.046)), (leg_zone, along(J["Foot"], SHIN, -0.026)),
    (arm_zone, along(J["LowerArm"], ARM_DIR, -0.042)), (arm_zone, along(J["LowerArm"], FOREARM_DIR, 0.042)),
    (arm_zone, along(J["Hand"], FOREARM_DIR, -0.036)), (arm_zone, along(J["Hand"], FOREARM_DIR, -0.018)),
]


def material_of(p):
    """The material at each point (triangle middles are asked, so borders are never ambiguous)."""
    mat = np.full(len(p), WOOD)
    g = [np.where(z(p), f(p), np.nan) for z, f in LINES]
    with np.errstate(invalid="ignore"):
        mat[(g[0] < 0)] = DARK
        mat[(g[0] >= 0) & (g[1] < 0)] = ACCENT
        leg = ~np.isnan(g[2])
        mat[leg & (g[2] < 0)] = DARK
        mat[leg & (g[2] >= 0) & (g[3] < 0)] = ACCENT
        mat[leg & (g[2] >= 0) & (g[3] >= 0)] = WOOD
        mat[leg & (g[4] >= 0) & (g[5] < 0)] = DARK
        mat[leg & (g[6] >= 0) & (g[7] < 0)] = ACCENT
        mat[(g[8] >= 0) & (g[9] < 0)] = DARK
        mat[(g[10] >= 0) & (g[11] < 0)] = ACCENT
    return mat


def snap_to_line(pts, zone, f):
    """Pulls vertices that nearly lie on a border onto it, so cutting leaves no slivers."""
    size = edge_size(pts)
    near = zone(pts) & (np.abs(f(pts)) < 0.36 * size)
    if not near.any():
        return pts
    q = pts[near]
    rim = q[:, 0] == 0.0
    g = gradient(q)
    n = g / np.linalg.norm(g, axis=1, keepdims=True)
    h = 1e-4
    d = np.stack([(f(q + h * e) - f(q - h * e)) / (2 * h) for e in np.eye(3)], 1)
    d -= n * np.sum(d * n, 1, keepdims=True)
    for _ in range(4):
        q = q - d * (f(q) / np.maximum(np.sum(d * d, 1), 0.05))[:, None]
        q[rim, 0] = 0.0
        q = project(q, 1)
        q[rim, 0] = 0.0
    out = pts.copy()
    out[near] = q
    return out


def cut(pts, faces, zone, f):
    """Splits every triangle that a border crosses."""
    inz = zone(pts)
    val = np.where(inz, f(pts), np.nan)
    val[np.abs(val) < 2e-4] = 0.0
    new_pts, made, out = list(pts), {}, []

    def on_edge(a, b):
        key = (min(a, b), max(a, b))
        if key not in made:
            t = val[a] / (val[a] - val[b])
            new_pts.append(pts[a] + t * (pts[b] - pts[a]))
            made[key] = len(new_pts) - 1
        return made[key]

    for t in faces:
        v = val[t]
        if np.isnan(v).any() or not ((v > 0).any() and (v < 0).any()):
            out.append(tuple(t))
            continue
        loop, sides = [], []
        for k in range(3):
            a, b = int(t[k]), int(t[(k + 1) % 3])
            loop.append(a)
            sides.append(np.sign(val[a]))
            if val[a] * val[b] < 0:
                loop.append(on_edge(a, b))
                sides.append(0.0)
        for want in (-1.0, 1.0):
            poly = [x for x, s in zip(loop, sides) if s == want or s == 0.0]
            if len(poly) == 4 and dist2(new_pts[poly[0]], new_pts[poly[2]]) > dist2(new_pts[poly[1]], new_pts[poly[3]]):
                poly = poly[1:] + poly[:1]
            for k in range(1, len(poly) - 1):
                out.append((poly[0], poly[k], poly[k + 1]))
    fresh = np.array(new_pts)
    if made:
        q = fresh[len(pts):]
        rim = np.abs(q[:, 0]) < 1e-9
        q = project(q, 1)
        q[rim, 0] = 0.0
        fresh[len(pts):] = q
    return fresh, np.array(out)


def cut_bands(pts, faces):
    for zone, f in LINES:
        pts = snap_to_line(pts, zone, f)
    for zone, f in LINES:
        pts, faces = cut(pts, faces, zone, f)
    return pts, faces


def mirrored(pts, faces):
    """The whole body; rim vertices are shared. Also each vertex's mirror partner."""
    rim = pts[:, 0] == 0.0
    other = np.where(rim, np.arange(len(pts)), len(pts) + np.cumsum(~rim) - 1)
    full = np.concatenate([pts, mirror(pts[~rim])])
    partner = np.empty(len(full), int)
    partner[:len(pts)] = other
    partner[other] = np.arange(len(pts))
    return full, np.concatenate([faces, other[faces][:, ::-1]]), partner


def check_closed(pts, faces):
    e = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    _, n = np.unique(e, axis=0, return_counts=True)
    euler = len(pts) - len(n) + len(faces)
    assert (n == 2).all(), "the surface is not closed"
    assert euler == 2, f"the surface is not one sphere-like skin (Euler number {euler})"


def build_surface():
    xs = ticks((0, 0.0055), (0.09, 0.009), (0.52, 0.0042), (0.735, None))
    ys = ticks((-0.03, 0.0055), (0.10, 0.010), (0.88, 0.0055), (1.06, 0.009), (1.50, 0.005), (1.78, None))
    zs = ticks((-0.19, 0.008), (-0.055, 0.0030), (0.095, 0.0052), (0.20, None))
    pts, faces = marching_tetrahedra(xs, ys, zs)
    log(f"marched {len(faces)} triangles")
    pts, faces = remesh(pts, faces)
    log(f"remeshed to {len(faces)}")
    pts, faces = cut_bands(pts, faces)
    full, faces, partner = mirrored(pts, faces)
    check_closed(full, faces)
    return full, faces, partner


# ======================================================================================
# Rig
# ======================================================================================
# Every bone's +Y runs along it. Limb bones have +Z forwards, so +X is the hinge of elbow, hip and
# knee: positive X brings a limb forwards. Fingers have +Z out of the palm, positive X closes them.


def flip_name(name):
    return name[:-1] + {"L": "R", "R": "L"}[name[-1]] if name[-2:] in (".L", ".R") else name


def make_rig():
    bones = []  # (name, parent, head, tail, z hint)
    fwd = V(0, 0, 1)
    chain = ["Hips", "Spine", "Chest", "UpperChest", "Neck", "Head"]
    for i, n in enumerate(chain):
        tail = J[chain[i + 1]] if i + 1 < len(chain) else J["HeadTop"]
        bones.append((n, chain[i - 1] if i else None, J[n], tail, fwd))
    for side, m in (("L", V(1, 1, 1)), ("R", V(-1, 1, 1))):
        def add(name, parent, head, tail, hint, side=side, m=m):
            parent = parent if parent in chain else f"{parent}.{side}"
            bones.append((f"{name}.{side}", parent, head * m, tail * m, hint * m))
        mid = 0.5 * (J["LowerArm"] + J["Hand"])
        add("Shoulder", "UpperChest", J["Shoulder"], J["UpperArm"], fwd)
        add("UpperArm", "Shoulder", J["UpperArm"], J["LowerArm"], fwd)
        add("LowerArm", "UpperArm", J["LowerArm"], J["Hand"], fwd)
        add("LowerArmTwist", "LowerArm", mid, J["Hand"], fwd)
        add("Hand", "LowerArm", J["Hand"], in_hand(0.09, 0, 0), fwd)
        for n in ("Thumb", "Index", "Middle", "Ring", "Little"):
            pts = FINGERS[n]
            # A thumb closes across the palm, not into it.
            hint = unit(HAND_PALM - 0.9 * HAND_SIDE) if n == "Thumb" else HAND_PALM
            for k in range(3):
                add(f"{n}{k + 1}", "Hand" if k == 0 else f"{n}{k}", pts[k], pts[k + 1], hint)
        add("UpperLeg", "Hips", J["UpperLeg"], J["LowerLeg"], fwd)
        add("LowerLeg", "UpperLeg", J["LowerLeg"], J["Foot"], fwd)
        add("Foot", "LowerLeg", J["Foot"], J["Toes"], V(0, 1, 0))
        add("Toes", "Foot", J["Toes"], J["ToesEnd"], V(0, 1, 0))
    return bones


BONES = make_rig()
NAMES = [b[0] for b in BONES]
INDEX = {n: i for i, n in enumerate(NAMES)}
PARENT = [INDEX[b[1]] if b[1] else -1 for b in BONES]
REST_POS = np.array([b[2] for b in BONES])
REST_ROT = np.array([axes(b[3] - b[2], b[4]) for b in BONES])

# ======================================================================================
# Weights
# ======================================================================================
# Rules, not heat: each chain hands over from bone to bone across the plane that halves the joint,
# within a width that suits the limb's thickness. Masks keep arms off the flanks and legs apart.
# A little smoothing over the surface (never through the air) rounds the rest off.


def step(lo, hi, x):
    t = np.clip((x - lo) / (hi - lo), 0.0, 1.0)
    return t * t * (3 - 2 * t)


def hand_over(p, joint, normal, half):
    """0 before the joint's plane, 1 after it."""
    return step(-half, half, (p - joint) @ unit(normal))


def left_weights(p):
    """Weights of points with x >= 0: central bones and the left side's only."""
    w = {n: np.zeros(len(p)) for n in NAMES}
    spine = [
        hand_over(p, J["Spine"], V(0, 1, 0), 0.070),
        hand_over(p, J["Chest"], V(0, 1, 0), 0.070),
        hand_over(p, J["UpperChest"], V(0, 1, 0), 0.075),
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
    for name, nxt in zip(("Hips", "Spine", "Chest", "UpperChest", "Neck"), spine):
        w[name] = rest * (1 - nxt)
        rest = rest * nxt
    w["Head"] = rest
    moved = w["UpperChest"] * collar
    w["UpperChest"] -= moved
    w["Shoulder.L"] = moved
    for n in ("Hips", "Spine", "Chest", "UpperChest", "Neck", "Shoulder.L"):
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


# ======================================================================================
# Motion
# ======================================================================================
# A pose is the hips' place and, per joint, a turn in *rest world axes* relative to its parent, so
# that "bend about X" means the same for every joint whatever its own axes are.


def rot(axis, angle):
    a = unit(np.asarray(axis, float))
    k = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * (k @ k)


def rx(deg):
    return rot(V(1, 0, 0), math.radians(deg))


def ry(deg):
    return rot(V(0, 1, 0), math.radians(deg))


def rz(deg):
    return rot(V(0, 0, 1), math.radians(deg))


def fraction(m, t):
    """A part of a turn, about the same axis."""
    v = V(m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1])
    s = np.linalg.norm(v)
    return np.eye(3) if s < 1e-12 else rot(v, t * math.atan2(s, np.trace(m) - 1))


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


SIDES = (("L", 1.0), ("R", -1.0))


def sided(v, s):
    return v * V(s, 1, 1)


def plant_leg(pose, side, ankle, foot_turn, toe_turn, knee_out=0.10):
    """Analytic two-bone reach. Turns are world turns away from rest. Returns reach and knee angle."""
    s = 1.0 if side == "L" else -1.0
    d, pos = pose.world()
    up, lo, ft, te = (INDEX[f"{n}.{side}"] for n in ("UpperLeg", "LowerLeg", "Foot", "Toes"))
    hip, pelvis = pos[up], d[0]
    u0, v0 = REST_POS[lo] - REST_POS[up], REST_POS[ft] - REST_POS[lo]
    l1, l2 = np.linalg.norm(u0), np.linalg.norm(v0)
    to = ankle - hip
    dist = min(np.linalg.norm(to), (l1 + l2) * 0.9995)
    to = unit(to)
    # The knee points where pelvis and foot agree to look.
    pole = unit(unit(pelvis @ V(s * knee_out, 0, 1)) + unit(foot_turn @ sided(FOOT_FWD, s) * V(1, 0, 1)))
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
    pose.turn[f"UpperLeg.{side}"] = d[0].T @ thigh
    pose.turn[f"LowerLeg.{side}"] = thigh.T @ shin
    pose.turn[f"Foot.{side}"] = shin.T @ foot_turn
    pose.turn[f"Toes.{side}"] = foot_turn.T @ toe_turn
    bend = math.degrees(math.acos(np.clip((l1 * l1 + l2 * l2 - dist * dist) / (2 * l1 * l2), -1, 1)))
    return dist / (l1 + l2), 180.0 - bend


def set_trunk(pose, hips_turn, chest_turn, head_turn):
    """World turns for pelvis, rib cage and head; the joints between share the difference."""
    pose.turn["Hips"] = hips_turn
    third = fraction(hips_turn.T @ chest_turn, 1 / 3)
    for n in ("Spine", "Chest", "UpperChest"):
        pose.turn[n] = third
    half = fraction(chest_turn.T @ head_turn, 0.5)
    pose.turn["Neck"] = half
    pose.turn["Head"] = half


def set_arm(pose, side, swing, out, elbow, wrist=0.0, twist=0.0, collar=(0.0, 0.0)):
    """Degrees. `swing` forwards, `out` from hanging, `elbow` and `wrist` bend, `collar` (forwards, up)."""
    s = 1.0 if side == "L" else -1.0
    pose.turn[f"Shoulder.{side}"] = ry(-s * collar[0]) @ rz(s * collar[1])
    lower = -s * (90.0 - math.degrees(ARM_DROP) - out)
    arm = sided(ARM_DIR, s)
    pose.turn[f"UpperArm.{side}"] = rx(-swing) @ rz(lower) @ rot(arm, math.radians(s * twist))
    pose.turn[f"LowerArm.{side}"] = rot(np.cross(arm, V(0, 0, 1)), math.radians(elbow))
    fore = sided(FOREARM_DIR, s)
    hinge = np.cross(fore, sided(HAND_PALM, s))
    pose.turn[f"Hand.{side}"] = rot(hinge, math.radians(wrist))


def curl_fingers(pose, side, deg, thumb=0.0):
    for n in ("Index", "Middle", "Ring", "Little"):
        for k in range(3):
            i = INDEX[f"{n}{k + 1}.{side}"]
            pose.turn[NAMES[i]] = rot(REST_ROT[i][:, 0], math.radians(deg * (1.0, 1.1, 0.7)[k]))
    if thumb:
        for k in range(3):
            i = INDEX[f"Thumb{k + 1}.{side}"]
            pose.turn[NAMES[i]] = rot(REST_ROT[i][:, 0], math.radians(thumb))


# --- the walk -------------------------------------------------------------------------

FPS = 24
STRIDE = 1.18  # metres per cycle of one second: the ground's speed under the in-place walk
TRACK = 0.062  # how far each foot's line is from the middle
TOE_OFF = 0.61  # share of the cycle that a foot is on the ground
CONTACT_Z = 0.321  # where a flat foot would have its ankle at heel strike


def ease(pairs, x):
    """A smooth curve through (x, value) pairs that rests at each of them."""
    for (a, va), (b, vb) in zip(pairs, pairs[1:]):
        if x <= b:
            return va + (vb - va) * float(step(a, b, np.float64(x)))
    return pairs[-1][1]


def heel_profile():
    """The heel's outline seen from the side, as the circle that fits the finished mesh within 0.7 mm."""
    return 0.098, -0.030  # radius, centre's distance behind the ankle


def stance_foot(phase, s):
    """Ankle, foot turn and toe turn of a foot on the ground at `phase` in [0, TOE_OFF]."""
    fwd, side_axis = sided(FOOT_FWD, s), sided(FOOT_SIDE, s) * s
    origin = V(s * TRACK, 0, CONTACT_Z - STRIDE * phase)  # the sole's point below the ankle, foot flat
    ankle0 = V(0, J["Foot"][1], 0)
    pitch = ease([(0.0, 21.0), (0.105, 0.0), (0.30, 0.0)], phase)
    if phase > 0.30:
        pitch = -64.0 * heel_rise((phase - 0.30) / (TOE_OFF - 0.30))
    toe_pitch = -26.0 * float(step(0.80, 1.08, np.float64((phase - 0.30) / (TOE_OFF - 0.30))))
    turn = rot(side_axis, -math.radians(pitch))
    if pitch >= 0:  # roll on the round heel: its middle stays at its height and rolls by radius * angle
        r, back = heel_profile()
        centre = origin + fwd * (back - r * math.radians(pitch)) + V(0, r, 0)
        return centre + turn @ (ankle0 - (fwd * back + V(0, r, 0))), turn, turn
    toe_turn = rot(side_axis, -math.radians(toe_pitch))
    joint0 = fwd * 0.128 + V(0, 0.020, 0)
    tip0 = fwd * 0.186 + V(0, 0.0, 0)
    joint = origin + tip0 + toe_turn @ (joint0 - tip0)
    return joint + turn @ (ankle0 - joint0), turn, toe_turn


def heel_rise(t):
    """0..1, slow at first as the body passes over the foot, quick at push-off."""
    t = min(max(t, 0.0), 1.0)
    return 0.42 * t * t + 0.58 * t ** 3


def pitch_of(turn, s):
    f = turn @ sided(FOOT_FWD, s)
    return math.degrees(math.asin(np.clip(f[1], -1, 1)))


def quintic(p0, v0, a0, p1, v1, a1, t):
    c = [p0, v0, a0 / 2]
    d = p1 - p0 - v0 - a0 / 2
    e = v1 - v0 - a0
    f = a1 - a0
    c += [10 * d - 4 * e + f / 2, -15 * d + 7 * e - f, 6 * d - 3 * e + f / 2]
    return sum(k * t ** i for i, k in enumerate(c))


def swing_foot(phase, s):
    """Carries the foot forwards, leaving and meeting the ground at the ground's own speed."""
    t = (phase - TOE_OFF) / (1 - TOE_OFF)
    span = 1 - TOE_OFF
    h = 1e-3

    def ends(at, direction):
        p = [stance_foot(at + direction * h * k, s) for k in range(3)]
        pos = [q[0] for q in p]
        v = direction * (-1.5 * pos[0] + 2 * pos[1] - 0.5 * pos[2]) / h
        ang = [pitch_of(q[1], s) for q in p]
        w = direction * (-1.5 * ang[0] + 2 * ang[1] - 0.5 * ang[2]) / h
        return pos[0], v * span, ang[0], w * span

    p0, v0, r0, w0 = ends(TOE_OFF, -1)
    p1, v1, r1, w1 = ends(0.0, +1)
    k = SWING
    ankle = quintic(p0, v0, V(0, 0, k["push"]), p1, v1 * V(1, 1, k["meet"]) - V(0, k["drop"] * span, 0), V(0, 0, k["brake"]), t)
    bump = (t / k["peak"]) ** 2 * ((1 - t) / (1 - k["peak"])) ** (2 * (1 - k["peak"]) / k["peak"])
    ankle = ankle + V(0, k["lift"] * bump, 0)
    pitch = quintic(r0, w0 * k["flick"], 0, r1, w1 * 0.3, 0, t) + k["toes_up"] * bump
    side_axis = sided(FOOT_SIDE, s) * s
    turn = rot(side_axis, -math.radians(pitch))
    toe0 = pitch_of(stance_foot(TOE_OFF, s)[2], s)
    bend = (toe0 - r0) * (1 - float(step(0.0, 0.45, np.float64(t))))
    return ankle, turn, turn @ rot(side_axis, -math.radians(bend))


SWING = {"push": 4.9, "meet": 0.79, "brake": -2.4, "lift": 0.008, "peak": 0.30, "toes_up": 5.0, "flick": 0.17,
         "drop": 0.26}


def walk_foot(phase, s):
    phase %= 1.0
    return stance_foot(phase, s) if phase <= TOE_OFF else swing_foot(phase, s)


HIP_MEAN, HIP_BOB = 0.8947, 0.0170


def walk_pose(phase):
    """`phase` 0 is the left heel's contact, 0.5 the right's."""
    pose = Pose()
    c = lambda lag, k=1: math.cos(2 * math.pi * k * (phase - lag))  # noqa: E731
    # Height: highest over the passing leg, lowest just after contact (a second wave skews it).
    pose.hips = V(0.020 * c(0.30), HIP_MEAN + HIP_BOB * c(0.285, 2) + 0.037, 0.004 * c(0.12, 2))
    yaw = -6.5 * c(0.02)  # the left hip leads with the left leg
    lift = 3.2 * c(0.24)  # the pelvis drops on the side of the swinging leg
    hips_turn = ry(yaw) @ rz(lift) @ rx(3.0 + 1.0 * c(0.10, 2))
    chest_turn = ry(6.0 * c(0.035)) @ rz(-1.6 * c(0.27)) @ rx(2.2 + 0.8 * c(0.16, 2))
    head_turn = ry(1.0 * c(0.06)) @ rx(1.5 + 0.9 * c(0.22, 2))
    set_trunk(pose, hips_turn, chest_turn, head_turn)
    for side, s in SIDES:
        arm_phase = 0.0 if s > 0 else 0.5
        a = lambda lag: -math.cos(2 * math.pi * (phase - arm_phase - lag))  # noqa: E731
        set_arm(pose, side, swing=1.0 + 21.0 * a(0.02), out=8.5, elbow=11.0 + 12.5 * a(0.085),
                wrist=4.0 + 6.0 * a(0.14), twist=-4.0, collar=(3.0 * a(0.03), -1.0 + 0.8 * c(0.33, 2)))
        curl_fingers(pose, side, 9.0 + 5.0 * a(0.17))
    info = {}
    for side, s in SIDES:
        ankle, foot, toe = walk_foot(phase + (0.0 if s > 0 else 0.5), s)
        info[side] = plant_leg(pose, side, ankle, foot, toe)
    return pose, info


# --- standing ---------------------------------------------------------------------------

STAND_X = 0.098


def stand_feet(pose):
    for side, s in SIDES:
        ankle = V(s * STAND_X, J["Foot"][1], -0.010 + 0.012 * s)
        plant_leg(pose, side, ankle, ry(s * 2.0), ry(s * 2.0))


def idle_trunk(pose, phase):
    """Breath twice per loop, weight from one leg to the other once."""
    c = lambda lag, k=1: math.cos(2 * math.pi * k * (phase - lag))  # noqa: E731
    sway = c(0.25)
    breath = -c(0.0, 2)
    pose.hips = V(0.026 * sway, 0.9530 + 0.0010 * breath - 0.002 * sway * sway, -0.004 + 0.003 * c(0.1))
    set_trunk(pose, ry(1.2 * c(0.3)) @ rz(2.4 * sway) @ rx(0.5),
              ry(-1.0 * c(0.36)) @ rz(-1.4 * c(0.28)) @ rx(-0.6 - 1.0 * breath),
              ry(2.6 * c(0.55)) @ rz(0.6 * c(0.4)) @ rx(0.8 + 0.5 * c(0.08, 2)))
    return breath, sway


def idle_pose(phase):
    pose = Pose()
    breath, sway = idle_trunk(pose, phase)
    for side, s in SIDES:
        late = -math.cos(4 * math.pi * (phase - 0.05))
        set_arm(pose, side, swing=1.0 + 0.8 * late, out=9.0 + 0.9 * late - 0.8 * s * sway, elbow=10.0 + 1.2 * late,
                wrist=5.0 + 1.0 * late, twist=-4.0, collar=(0.8 * breath, 0.2 + 1.1 * breath))
        curl_fingers(pose, side, 10.0 + 1.5 * late)
    stand_feet(pose)
    return pose


def wave_pose(phase, seconds=3.0):
    """The right hand says hello, then comes back to where `Idle` starts."""
    pose = Pose()
    t = phase * seconds
    breath, sway = idle_trunk(pose, 0.0)
    up = float(step(0.15, 0.85, np.float64(t)) * (1 - step(2.15, 2.95, np.float64(t))))
    anticipate = 4.0 * math.exp(-((t - 0.16) / 0.10) ** 2) * float(step(0.0, 0.1, np.float64(t)))
    beat = float(step(0.70, 1.0, np.float64(t)) * (1 - step(1.95, 2.3, np.float64(t))))
    wag = beat * math.sin(2 * math.pi * (t - 0.85) / 0.5)
    lag = beat * math.sin(2 * math.pi * (t - 0.93) / 0.5)
    d, _ = pose.world()
    chest = d[INDEX["UpperChest"]]
    head = d[INDEX["Head"]]
    set_trunk(pose, d[0], chest @ rz(2.2 * up) @ ry(-3.0 * up), head @ rz(-4.0 * up) @ ry(-5.0 * up) @ rx(-2 * up))
    pose.hips = pose.hips + V(0.012 * up, -0.001 * up, 0)
    late = -1.0
    set_arm(pose, "L", 1.0 + 0.8 * late, 9.0 + 0.9 * late, 10.0 + 1.2 * late, 5.0 + 1.0 * late, -4.0,
            (0.8 * breath, 0.2 + 1.1 * breath))
    raise_arm(pose, up, wag, lag, anticipate)
    curl_fingers(pose, "L", 10.0 + 1.5 * late)
    curl_fingers(pose, "R", (10.0 + 1.5 * late) * (1 - up) - 6.0 * up)
    stand_feet(pose)
    return pose


def raise_arm(pose, up, wag, lag, anticipate):
    """From hanging to the greeting: the elbow wags the forearm, the hand follows late."""
    late = -1.0
    hang = Pose()
    set_arm(hang, "R", 1.0 + 0.8 * late - anticipate, 9.0 + 0.9 * late, 10.0 + 1.2 * late, 5.0 + 1.0 * late, -4.0,
            (-0.8, -0.9))
    hi = Pose()
    set_arm(hi, "R", 14.0, 74.0, 92.0 + 20.0 * wag, -6.0, -76.0, (2.0, 9.0))
    for n in ("Shoulder.R", "UpperArm.R", "LowerArm.R", "Hand.R"):
        a, b = hang.turn[n], hi.turn[n]
        pose.turn[n] = a @ fraction(a.T @ b, up)
    fore = sided(FOREARM_DIR, -1.0)
    pose.turn["UpperArm.R"] = rz(-3.0 * wag) @ pose.turn["UpperArm.R"]
    side_hinge = sided(HAND_PALM, -1.0)
    pose.turn["Hand.R"] = pose.turn["Hand.R"] @ rot(side_hinge, math.radians(13.0 * lag))
    roll = math.radians(-14.0 * up)
    pose.turn["LowerArmTwist.R"] = rot(fore, 0.5 * roll)
    pose.turn["Hand.R"] = rot(fore, roll) @ pose.turn["Hand.R"]


# --- clips ------------------------------------------------------------------------------


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


def local_quats(pose):
    d, _ = pose.world()
    out = np.empty((len(NAMES), 4))
    for i in range(len(NAMES)):
        w = d[i] @ REST_ROT[i]
        k = PARENT[i]
        out[i] = quat(w if k < 0 else (d[k] @ REST_ROT[k]).T @ w)
    return out


REST_QUAT = local_quats(Pose())


def bake(name, pose_at, seconds, fps, breath=None):
    n = round(seconds * fps)
    poses = [pose_at(k / n) for k in range(n)]
    poses.append(poses[0])  # the last key is the first one, bit for bit
    q = np.array([local_quats(p) for p in poses])
    for k in range(1, n + 1):  # neighbours on the same half of the sphere
        flip = np.sum(q[k] * q[k - 1], 1) < 0
        q[k, flip] *= -1
    t = (np.arange(n + 1) / fps).astype(np.float32)
    hips = np.array([p.hips for p in poses])
    moving = [i for i in range(len(NAMES))
              if np.ptp(q[:, i], axis=0).max() > 1e-5 or 1 - abs(q[0, i] @ REST_QUAT[i]) > 1e-8]
    clip = {"name": name, "times": t, "hips": hips, "quats": q, "moving": moving}
    if breath:
        clip["weights"] = np.array([breath(k / n) for k in range(n)] + [breath(0.0)])
    return clip


def build_clips():
    return [
        bake("Walk", lambda p: walk_pose(p)[0], 1.0, FPS),
        bake("Idle", idle_pose, 4.0, FPS, breath=lambda p: 0.5 - 0.5 * math.cos(4 * math.pi * p)),
        bake("Wave", wave_pose, 3.0, FPS),
    ]


# ======================================================================================
# glTF
# ======================================================================================

MATERIALS = [  # name, base colour (linear), roughness
    ("Maple", (0.530, 0.305, 0.148), 0.58),
    ("Walnut", (0.060, 0.042, 0.036), 0.70),
    ("Teal", (0.022, 0.235, 0.255), 0.48),
]


def breath_offset(pts, normals):
    """The morph target: ribs widen and lift, the belly follows."""
    x, y, z = pts.T
    ribs = np.exp(-((y - 1.285) / 0.085) ** 2) * (1 - step(0.13, 0.20, np.abs(x)))
    belly = 0.55 * np.exp(-((y - 1.12) / 0.06) ** 2) * step(-0.02, 0.06, z) * (1 - step(0.10, 0.2, np.abs(x)))
    amount = ribs * (0.35 + 0.65 * step(-0.04, 0.07, z)) + belly
    move = 0.0085 * amount[:, None] * (0.9 * normals + V(0, 0.35, 0.25))
    move[amount < 0.01] = 0.0
    return move


class Glb:
    def __init__(self):
        self.bin = bytearray()
        self.views, self.accessors = [], []

    def add(self, data, kind, component, target=None, minmax=False, normalized=False):
        raw = np.ascontiguousarray(data).tobytes()
        while len(self.bin) % 4:
            self.bin.append(0)
        view = {"buffer": 0, "byteOffset": len(self.bin), "byteLength": len(raw)}
        if target:
            view["target"] = target
        self.bin += raw
        self.views.append(view)
        acc = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(data), "type": kind}
        if normalized:
            acc["normalized"] = True
        if minmax:
            flat = data.reshape(len(data), -1)
            acc["min"] = [float(v) for v in flat.min(0)]
            acc["max"] = [float(v) for v in flat.max(0)]
        self.accessors.append(acc)
        return len(self.accessors) - 1


def f32(a):
    return np.asarray(a, dtype=np.float32)


FLOAT, U16, U8 = 5126, 5123, 5121
VERTEX, ELEMENT = 34962, 34963


def write_primitives(glb, pts, normals, joints, weights, faces, breath):
    prims = []
    mat = material_of(np.abs(pts[faces].mean(1) * V(1, 0, 0)) + pts[faces].mean(1) * V(0, 1, 1))
    for m in range(len(MATERIALS)):
        f = faces[mat == m]
        used = np.unique(f)
        remap = np.zeros(len(pts), np.int64)
        remap[used] = np.arange(len(used))
        prims.append({
            "attributes": {
                "POSITION": glb.add(f32(pts[used]), "VEC3", FLOAT, VERTEX, minmax=True),
                "NORMAL": glb.add(f32(normals[used]), "VEC3", FLOAT, VERTEX),
                "JOINTS_0": glb.add(joints[used], "VEC4", U8, VERTEX),
                "WEIGHTS_0": glb.add(f32(weights[used]), "VEC4", FLOAT, VERTEX),
            },
            "indices": glb.add(remap[f].astype(np.uint16).reshape(-1), "SCALAR", U16, ELEMENT),
            "material": m,
            "targets": [{"POSITION": glb.add(f32(breath[used]), "VEC3", FLOAT, VERTEX, minmax=True)}],
        })
    return prims


def write_animations(glb, clips, mesh_node, joint_node):
    out = []
    for c in clips:
        t = glb.add(f32(c["times"]), "SCALAR", FLOAT, minmax=True)
        samplers, channels = [], []

        def track(node, path, data, kind):
            samplers.append({"input": t, "interpolation": "LINEAR", "output": glb.add(f32(data), kind, FLOAT)})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})

        track(joint_node(0), "translation", c["hips"], "VEC3")
        for i in c["moving"]:
            q = c["quats"][:, i]
            track(joint_node(i), "rotation", q / np.linalg.norm(q, axis=1, keepdims=True), "VEC4")
        if "weights" in c:
            track(mesh_node, "weights", c["weights"], "SCALAR")
        out.append({"name": c["name"], "samplers": samplers, "channels": channels})
    return out


def rest_nodes(first):
    nodes = []
    for i, n in enumerate(NAMES):
        k = PARENT[i]
        t = REST_POS[i] if k < 0 else REST_ROT[k].T @ (REST_POS[i] - REST_POS[k])
        node = {"name": n, "translation": [float(v) for v in f32(t)],
                "rotation": [float(v) for v in f32(REST_QUAT[i])]}
        kids = [first + j for j in range(len(NAMES)) if PARENT[j] == i]
        if kids:
            node["children"] = kids
        nodes.append(node)
    return nodes


def inverse_binds():
    m = np.zeros((len(NAMES), 4, 4))
    m[:, 3, 3] = 1
    m[:, :3, :3] = np.transpose(REST_ROT, (0, 2, 1))
    m[:, :3, 3] = -np.einsum("nji,nj->ni", REST_ROT, REST_POS)
    return f32(np.transpose(m, (0, 2, 1)).reshape(-1, 16))  # columns first


def write_glb(path, pts, normals, faces, joints, weights, clips):
    glb = Glb()
    prims = write_primitives(glb, pts, normals, joints, weights, faces, breath_offset(pts, normals))
    ibm = glb.add(inverse_binds(), "MAT4", FLOAT)
    animations = write_animations(glb, clips, 0, lambda i: i + 1)
    doc = {
        "asset": {"version": "2.0", "generator": "rigscope assets/mannequin.py",
                  "copyright": "rigscope authors, MIT OR Apache-2.0"},
        "scene": 0,
        "scenes": [{"name": "Mannequin", "nodes": [0, 1]}],
        "nodes": [{"name": "Mannequin", "mesh": 0, "skin": 0}] + rest_nodes(1),
        "meshes": [{"name": "Mannequin", "primitives": prims, "weights": [0.0],
                    "extras": {"targetNames": ["Breath"]}}],
        "skins": [{"name": "Mannequin", "joints": list(range(1, len(NAMES) + 1)), "inverseBindMatrices": ibm}],
        "materials": [{"name": n, "pbrMetallicRoughness": {"baseColorFactor": [*c, 1.0], "metallicFactor": 0.0,
                                                           "roughnessFactor": r}} for n, c, r in MATERIALS],
        "animations": animations,
        "accessors": glb.accessors,
        "bufferViews": glb.views,
    }
    while len(glb.bin) % 4:
        glb.bin.append(0)
    doc["buffers"] = [{"byteLength": len(glb.bin)}]
    text = json.dumps(doc, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + len(glb.bin)
    blob = struct.pack("<III", 0x46546C67, 2, total)
    blob += struct.pack("<II", len(text), 0x4E4F534A) + text
    blob += struct.pack("<II", len(glb.bin), 0x004E4942) + bytes(glb.bin)
    tmp = path + ".tmp"
    with open(tmp, "wb") as fh:  # renamed at the end, so a reader never sees half a file
        fh.write(blob)
    os.replace(tmp, path)
    return total


START = time.perf_counter()


def log(text):
    print(f"{time.perf_counter() - START:6.1f} s  {text}", file=sys.stderr)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "mannequin.glb")
    pts, faces, partner = build_surface()
    normals = surface_normals(pts, partner)
    joints, weights = skin_weights(pts, faces, partner)
    log(f"{len(pts)} vertices, {len(faces)} triangles, {len(NAMES)} joints")
    size = write_glb(out, pts, normals, faces, joints, weights, build_clips())
    log(f"wrote {out}: {size} bytes")


if __name__ == "__main__":
    main()
