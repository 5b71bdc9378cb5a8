"""The body's distance field: torso, arms, legs, and the head from `head.py`, melted together."""

import numpy as np

from common import axes, V
from head import bevel, make_head
from proportions import (
    ARM_DIR, FINGER_RADII, FINGERS, FOOT_FWD, FOOT_SIDE, FOREARM_DIR, HAND_SIDE, HAND_Y, in_hand, J, SOLE,
)
from shapes import both, capsule, ellipsoid, hollow, loft, mirror, only_near, smax, smin, smin_pair, tube


def make_torso():
    low, high = 0.86, 1.53
    trunk = loft(V(0, low, 0), V(0, high, 0), V(0, 0, 1), [((y - low) / (high - low), 0, *row) for y, *row in (
        # height, middle's z, half width, half depth
        (0.860, -0.012, 0.116, 0.090),
        (0.920, -0.012, 0.140, 0.098),
        (0.985, -0.007, 0.139, 0.097),
        (1.080, 0.002, 0.1185, 0.085),
        (1.160, 0.003, 0.1255, 0.090),
        (1.256, -0.003, 0.1490, 0.103),
        (1.334, -0.011, 0.1580, 0.104),
        (1.392, -0.019, 0.1400, 0.090),
        (1.434, -0.024, 0.105, 0.071),
        (1.472, -0.024, 0.066, 0.058),
        (1.530, -0.012, 0.048, 0.052),
    )], (0.05, 0.04), power=2.2)
    pecs = both(ellipsoid(V(0.073, 1.338, 0.048), (0.086, 0.052, 0.043),
                          axes(V(0.34, 1, -0.20), V(0.24, 0.25, 1))), 0.030)
    belly = ellipsoid(V(0, 1.120, 0.050), (0.058, 0.125, 0.040))
    glutes = both(ellipsoid(V(0.074, 0.900, -0.066), (0.074, 0.086, 0.060)), 0.025)
    traps = both(capsule(V(0.026, 1.490, -0.040), V(0.150, 1.420, -0.024), 0.034, 0.029), 0.03)
    blades = both(ellipsoid(V(0.088, 1.318, -0.086), (0.056, 0.082, 0.032),
                            axes(V(-0.16, 1, 0.05), V(0.25, 0, -1))), 0.03)
    loins = both(capsule(V(0.034, 1.200, -0.072), V(0.034, 0.990, -0.068), 0.026, 0.026), 0.02)
    neck = loft(V(0, 1.47, -0.024), V(0, 1.585, -0.002), V(0, 0, 1), [
        (0.0, 0, 0, 0.0510, 0.054), (0.45, 0, 0, 0.0465, 0.052), (1.0, 0, -0.008, 0.0440, 0.052),
    ], (0.03, 0.03))
    fill = both(capsule(V(0.030, 1.424, 0.004), V(0.135, 1.420, -0.004), 0.030, 0.026), 0.02)
    collar = both(tube([(0.017, 1.418, 0.0370, 0.0090), (0.060, 1.424, 0.0400, 0.0075), (0.105, 1.432, 0.0230, 0.0080),
                        (0.152, 1.432, 0.0020, 0.0110)], 7), 0.02)
    cords = both(tube([(0.015, 1.427, 0.0310, 0.0085), (0.032, 1.490, 0.0240, 0.0095), (0.046, 1.575, -0.0120, 0.0090)],
                      6), 0.008)
    furrows = [
        hollow([V(0, 1.425, -0.115), V(0, 1.25, -0.115), V(0, 1.12, -0.100), V(0, 0.985, -0.105)], 0.0075, 0.022),
        hollow([V(0, 1.400, 0.080), V(0, 1.290, 0.100)], 0.0035, 0.016),  # breast bone
        hollow([V(0, 1.260, 0.102), V(0, 1.075, 0.094)], 0.0025, 0.013),  # down to the navel
        hollow([V(0, 1.060, 0.092), V(0, 1.053, 0.091)], 0.0060, 0.0075),
        hollow([V(0, 1.432, 0.034), V(0, 1.438, 0.034)], 0.0050, 0.016),  # between the collar bones
        hollow([V(0.070, 1.262, 0.090), V(0.030, 1.280, 0.100)], 0.0020, 0.022),
    ]

    def f(p):
        d = smin(trunk(p), pecs(p), 0.040)
        d = smin(d, belly(p), 0.040)
        d = smin(d, blades(p), 0.045)
        d = smin(d, loins(p), 0.040)
        d = smin(d, glutes(p), 0.050)
        d = smin(d, traps(p), 0.065)
        d = smin(d, neck(p), 0.045)
        d = smin(d, cords(p), 0.022)
        d = smin(d, fill(p), 0.040)
        d = smin(d, collar(p), 0.030)
        for furrow in furrows:
            d = d + furrow(p)
        return d

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
    up = np.cross(ARM_DIR, fwd) * -1.0
    elbow = ellipsoid(J["LowerArm"] + V(0, 0, -0.022), (0.015, 0.020, 0.017))
    muscles = smin_pair(ellipsoid(J["UpperArm"] + 0.150 * ARM_DIR + 0.020 * fwd, (0.030, 0.072, 0.028), axes(ARM_DIR, fwd)),
                        ellipsoid(J["UpperArm"] + 0.140 * ARM_DIR - 0.022 * fwd, (0.030, 0.080, 0.028), axes(ARM_DIR, fwd)), 0.02)
    supinator = ellipsoid(J["LowerArm"] + 0.045 * FOREARM_DIR + 0.016 * up + 0.010 * fwd, (0.024, 0.070, 0.026),
                          axes(FOREARM_DIR - 0.10 * up, fwd))
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
        d = smin(smin(upper(p), muscles(p), 0.030), delt(p), 0.030)
        d = smin(d, lower(p), 0.022)
        d = smin(d, supinator(p), 0.026)
        d = smin(d, elbow(p), 0.020)
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
    knee = ellipsoid(J["LowerLeg"] + V(0, 0.006, 0.034), (0.027, 0.034, 0.025))
    vasti = smin_pair(ellipsoid(J["LowerLeg"] + V(-0.024, 0.075, 0.020), (0.026, 0.048, 0.030)),
                      ellipsoid(J["LowerLeg"] + V(0.024, 0.110, 0.022), (0.028, 0.066, 0.034)), 0.02)
    calves = smin_pair(ellipsoid(J["LowerLeg"] + V(-0.019, -0.122, -0.034), (0.028, 0.074, 0.032), axes(V(0.06, 1, -0.10), V(0, 0, 1))),
                       ellipsoid(J["LowerLeg"] + V(0.022, -0.108, -0.032), (0.026, 0.070, 0.030), axes(V(-0.04, 1, -0.10), V(0, 0, 1))), 0.02)
    shin = loft(J["LowerLeg"], J["Foot"], fwd, [
        (0.00, 0.000, 0.000, 0.0465, 0.0505), (0.13, 0.000, -0.004, 0.0480, 0.0530),
        (0.31, 0.000, -0.010, 0.0500, 0.0540), (0.58, 0.000, -0.007, 0.0385, 0.0430),
        (0.84, 0.000, -0.003, 0.0270, 0.0330), (1.00, 0.000, 0.000, 0.0300, 0.0355),
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
        d = smin(d, calves(p), 0.030)
        pad = foot(p)
        all_toes = toes[0](p)
        for t in toes[1:]:
            all_toes = smin(all_toes, t(p), 0.003)
        pad = smin(pad, all_toes, 0.010)
        d = smin(d, pad, 0.040)
        return smax(d, -p[:, 1], 0.020)  # a flat sole with a soft edge

    near = only_near(lower_half, np.array([J["LowerLeg"], J["Foot"], J["ToesEnd"], SOLE]), 0.13)

    def f(p):
        d = smin(thigh(p), vasti(p), 0.034)
        d = smin(d, knee(p), 0.024)
        return smin(d, near(p), 0.026)

    return only_near(f, np.array([J["UpperLeg"], J["LowerLeg"], J["Foot"], J["ToesEnd"], SOLE]), 0.17)


def make_body():
    torso, arm, leg = make_torso(), make_arm(), both(make_leg(), 0.03)
    head = only_near(make_head(), np.array([[-0.08, 1.52, -0.1], [0.08, 1.75, 0.1]]), 0.08)

    def f(p):
        d = smin(torso(p), leg(p), 0.085)
        d = smin(d, arm(p), 0.042)
        return smin(d, head(p), 0.026)

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
    n[left] = bevel(p[left], n[left] / np.linalg.norm(n[left], axis=1, keepdims=True))
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
