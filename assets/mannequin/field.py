"""Distance field.

Each primitive is a function of an (n, 3) array that is negative inside and, near the surface,
about the distance in metres (first order is enough: points are projected by Newton steps).
"""

import numpy as np

from common import axes, V
from proportions import (
    ARM_DIR, FINGER_RADII, FINGERS, FOOT_FWD, FOOT_SIDE, HAND_SIDE, HAND_Y, in_hand, J, SOLE,
)


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
