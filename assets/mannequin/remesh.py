"""Remesh: even triangles, sized by place."""

import math

import numpy as np

from common import V
from head import EYE
from proportions import FINGERS, FOOT_FWD, FOOT_SIDE, in_hand, J, SOLE
from field import gradient, project


SIZE_SPOTS = []  # (point, radius, edge length): small triangles where shape or bending needs them


def _spots():
    s = SIZE_SPOTS
    for name, pts in FINGERS.items():
        for a, b in zip(pts, pts[1:]):
            s.append((a, 0.012, 0.0050))
            s.append(((a + b) / 2, 0.012, 0.0052))
        s.append((pts[-1], 0.012, 0.0044))
    s.append((in_hand(0.05, 0, 0), 0.030, 0.0090))
    s.append((in_hand(0.095, 0, 0), 0.034, 0.0054))
    s.append((J["Hand"], 0.03, 0.0105))
    s.append((V(0, 1.601, 0.095), 0.015, 0.0030))  # nose
    s.append((V(0.010, 1.568, 0.085), 0.017, 0.0024))  # lips
    s.append((EYE + V(0, 0, 0.010), 0.015, 0.0020))
    s.append((V(0, 1.66, -0.005), 0.10, 0.0110))
    s.append((V(0, 1.63, 0.03), 0.100, 0.0115))
    s.append((V(0.078, 1.626, -0.012), 0.030, 0.0038))
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
    s.append((V(0.0, 1.057, 0.092), 0.010, 0.0048))  # navel


_spots()
SIZE_MAX = 0.0290


def edge_size(p):
    """Target edge length: grows by a fifth of the distance from the spots, so sizes change gently."""
    size = np.full(len(p), SIZE_MAX)
    for c, r, s in SIZE_SPOTS:
        size = np.minimum(size, s + 0.19 * np.maximum(np.linalg.norm(p - c, axis=1) - r, 0.0))
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
