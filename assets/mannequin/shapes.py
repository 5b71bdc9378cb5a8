"""Shapes: the vocabulary that the figure is sculpted with.

Each primitive is a function of an (n, 3) array that is negative inside and, near the surface,
about the distance in metres (first order is enough: points are projected by Newton steps).
"""

import numpy as np

from common import axes, dist_to_chain, V


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

def spline(points, count):
    """Catmull-Rom through the rows (any number of columns), resampled evenly in the parameter."""
    q = np.asarray(points, float)
    q = np.concatenate([[2 * q[0] - q[1]], q, [2 * q[-1] - q[-2]]])
    out = []
    for s in np.linspace(0, len(q) - 3, count):
        i = min(int(s), len(q) - 4)
        t = s - i
        a, b, c, d = q[i:i + 4]
        out.append(b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))))
    return np.array(out)


def tube(rows, count=9):
    """A bent round rod through rows of (x, y, z, radius)."""
    q = spline(rows, count)

    def f(p):
        best = np.full(len(p), 1e9)
        for a, b in zip(q, q[1:]):
            ab = b[:3] - a[:3]
            t = np.clip((p - a[:3]) @ ab / (ab @ ab), 0.0, 1.0)
            best = np.minimum(best, np.linalg.norm(p - a[:3] - t[:, None] * ab, axis=1) - (a[3] + (b[3] - a[3]) * t))
        return best

    return f


def aside(f):
    """A left part and its mirror image that do not meet."""
    return lambda p: f(np.abs(p) * V(1, 0, 0) + p * V(0, 1, 1))


def smin_pair(f, g, k):
    return lambda p: smin(f(p), g(p), k)


def hollow(points, depth, width):
    """A soft furrow along a polyline: what the distance grows by there."""
    def f(p):
        return depth * np.exp(-(dist_to_chain(p, points) / width) ** 2)

    return f
