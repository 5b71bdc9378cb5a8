"""Vectors, rotations and the log: what every module of the builder uses."""

import math
import sys
import time

import numpy as np

V = lambda *c: np.array(c, dtype=np.float64)  # noqa: E731  (a short name keeps tables readable)


def unit(v):
    return v / np.linalg.norm(v)


START = time.perf_counter()


def axes(y, z_hint):
    """Right-handed columns (x, y, z) with y exact and z as near to the hint as it can be."""
    y = unit(y)
    z = unit(z_hint - y * (z_hint @ y))
    return np.stack([np.cross(y, z), y, z], axis=1)


def step(lo, hi, x):
    t = np.clip((x - lo) / (hi - lo), 0.0, 1.0)
    return t * t * (3 - 2 * t)


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


def log(text):
    print(f"{time.perf_counter() - START:6.1f} s  {text}", file=sys.stderr)


def dist_to_chain(p, pts):
    best = np.full(len(p), 1e9)
    for a, b in zip(pts, pts[1:]):
        ab = b - a
        t = np.clip((p - a) @ ab / (ab @ ab), 0, 1)
        best = np.minimum(best, np.linalg.norm(p - a - t[:, None] * ab, axis=1))
    return best


def vertex_normals(pts, faces):
    """Weighted by the angle at the corner: independent of how a flat patch is cut up."""
    out = np.zeros_like(pts)
    for k in range(3):
        a, b, c = (pts[faces[:, (k + s) % 3]] for s in range(3))
        u, v = b - a, c - a
        n = np.cross(u, v)
        size = np.linalg.norm(n, axis=1, keepdims=True)
        angle = np.arctan2(size[:, 0], np.sum(u * v, 1))
        np.add.at(out, faces[:, k], n / np.maximum(size, 1e-15) * angle[:, None])
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-15)
