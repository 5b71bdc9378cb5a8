"""Bands: material borders cut as clean lines through the triangles."""

import numpy as np

from common import dist_to_chain, log, unit, V
from proportions import ARM_DIR, FOREARM_DIR, in_hand, J
from head import carve_eyes, close_lips, EYE_R, eye_angles, LID, LIP_EDGE, mouth_line, opening, RIM
from field import gradient, mirror, project
from polygonise import marching_tetrahedra, ticks
from remesh import dist2, edge_size, remesh


WOOD, DARK, ACCENT = 0, 1, 2


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
WAIST = along(V(0, 1.006, 0), V(0, 1, 0.10), 0.0)
BELT = along(V(0, 1.006, 0), V(0, 1, 0.10), 0.016)
HEM = along(J["UpperLeg"], unit(THIGH) + V(-0.10, 0, 0.06), 0.165)
HEM2 = along(J["UpperLeg"], unit(THIGH) + V(-0.10, 0, 0.06), 0.174)


def eye_zone(p):
    r, a, e = eye_angles(p)
    return (r < EYE_R + 0.010) & (np.abs(a) < 1.25) & (p[:, 0] > 0)


def mouth_zone(p):
    return (p[:, 2] > 0.07) & (p[:, 0] < 0.0245) & (np.abs(mouth_line(p)) < 0.006)


def iris(p):
    """Negative within the iris, metres over the ball."""
    _, a, e = eye_angles(p)
    return EYE_R * (np.hypot(a + 0.15, e - 0.045) - IRIS)


IRIS = 0.375
LINES = [  # (zone, function whose zero is the border)
    (trunk_zone, WAIST), (trunk_zone, BELT),
    (leg_zone, HEM), (leg_zone, HEM2),
    (leg_zone, along(J["Foot"], SHIN, -0.078)), (leg_zone, along(J["Foot"], SHIN, -0.070)),
    (leg_zone, along(J["Foot"], SHIN, -0.026)),
    (arm_zone, along(J["Hand"], FOREARM_DIR, -0.064)), (arm_zone, along(J["Hand"], FOREARM_DIR, -0.056)),
    (arm_zone, along(J["Hand"], FOREARM_DIR, -0.014)),
    # The face's creases: lids' edges and their foot on the ball, and between the lips.
    (eye_zone, opening), (eye_zone, lambda p: opening(p) + RIM), (eye_zone, iris),
    (eye_zone, lambda p: opening(p) - RIM),
    (mouth_zone, mouth_line),
    (mouth_zone, lambda p: mouth_line(p) - LIP_EDGE), (mouth_zone, lambda p: mouth_line(p) + LIP_EDGE),
    (mouth_zone, lambda p: mouth_line(p) - 2 * LIP_EDGE), (mouth_zone, lambda p: mouth_line(p) + 2 * LIP_EDGE),
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
        mat[leg & (g[3] >= 0)] = WOOD
        mat[(g[4] >= 0) & (g[5] < 0)] = ACCENT
        mat[(g[5] >= 0) & (g[6] < 0)] = DARK
        mat[(g[7] >= 0) & (g[8] < 0)] = ACCENT
        mat[(g[8] >= 0) & (g[9] < 0)] = DARK
        mat[(g[11] < 0) & (g[12] < 0)] = DARK
    return mat


def triangle_materials(pts, faces):
    """The material of every triangle of the whole body."""
    mid = pts[faces].mean(1)
    return material_of(np.abs(mid) * V(1, 0, 0) + mid * V(0, 1, 1))


def snap_to_lines(pts):
    """Pulls vertices that nearly lie on a border onto it (the nearest one), so cutting leaves no slivers."""
    size = edge_size(pts)
    away = np.stack([np.where(zone(pts), np.abs(f(pts)), 1.0) for zone, f in LINES])
    nearest = np.argmin(away, axis=0)
    out = pts.copy()
    for k, (_, f) in enumerate(LINES):
        near = (nearest == k) & (away[k] < 0.40 * size)
        if not near.any():
            continue
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
        if np.isnan(v).any():
            # Where a border ends within the skin, the last edge that it crosses is split towards the far corner.
            k = int(np.argmax(np.isnan(v)))
            far, a, b = int(t[k]), int(t[(k + 1) % 3]), int(t[(k + 2) % 3])
            if val[a] * val[b] < 0:
                m = on_edge(a, b)
                out += [(far, a, m), (far, m, b)]
            else:
                out.append(tuple(t))
            continue
        if not ((v > 0).any() and (v < 0).any()):
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
    pts = snap_to_lines(pts)
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
    xs = ticks((0, 0.0040), (0.09, 0.009), (0.52, 0.0040), (0.735, None))
    ys = ticks((-0.03, 0.0055), (0.10, 0.010), (0.88, 0.0055), (1.06, 0.009), (1.50, 0.0042),
               (1.55, 0.0024), (1.67, 0.006), (1.78, None))
    zs = ticks((-0.19, 0.008), (-0.055, 0.0028), (0.115, 0.0052), (0.20, None))
    pts, faces = marching_tetrahedra(xs, ys, zs)
    log(f"marched {len(faces)} triangles")
    pts, faces = remesh(pts, faces)
    log(f"remeshed to {len(faces)}")
    pts, faces = cut_bands(pts, faces)
    pts = close_lips(carve_eyes(pts))
    full, faces, partner = mirrored(pts, faces)
    check_closed(full, faces)
    return full, faces, partner
