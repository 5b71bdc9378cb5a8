"""Mends the few places where triangles are too large for the form: the webs between fingers and toes, the corners
of the eyes. There single triangles fold over, or lean away from the normals that the field has there.
"""

import numpy as np

from common import log, V, vertex_normals

FOLD = np.cos(np.radians(66.0))  # of the angle between a triangle and the normal at its corner
LEAN = np.cos(np.radians(70.0))


def edges_of(faces):
    return np.unique(np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), 1), axis=0)


def face_normals(pts, faces):
    n = np.cross(pts[faces[:, 1]] - pts[faces[:, 0]], pts[faces[:, 2]] - pts[faces[:, 0]])
    return n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-15)


def away(normals, flat, faces, limit):
    """Corners (by their points) whose normal is further from the triangle than the limit."""
    return np.unique(faces[np.einsum("fki,fi->fk", normals[faces], flat) < limit])


def mend(pts, faces, partner, normals):
    """Points and normals such that every triangle faces as its corners' normals do. Mirror images stay so."""
    edges = edges_of(faces)
    a, b = edges.T
    valence = np.bincount(edges.ravel(), minlength=len(pts))[:, None]
    moved = set()
    for _ in range(60):
        folded = away(vertex_normals(pts, faces), face_normals(pts, faces), faces, FOLD)
        if len(folded) == 0:
            break
        folded = np.union1d(folded, partner[folded])
        moved.update(folded.tolist())
        around = np.zeros_like(pts)
        np.add.at(around, a, pts[b])
        np.add.at(around, b, pts[a])
        out = pts.copy()
        out[folded] += 0.4 * (around / valence - pts)[folded]
        pts = 0.5 * (out + out[partner] * V(-1, 1, 1))
    flat, smooth = face_normals(pts, faces), vertex_normals(pts, faces)
    turned = set()
    for _ in range(30):
        lean = away(normals, flat, faces, LEAN)
        if len(lean) == 0:
            break
        lean = np.union1d(lean, partner[lean])
        turned.update(lean.tolist())
        normals = normals.copy()
        normals[lean] += 0.3 * smooth[lean]
        normals[lean] /= np.linalg.norm(normals[lean], axis=1, keepdims=True)
    log(f"mended: {len(moved)} points moved, {len(turned)} normals turned, {len(folded)} and {len(lean)} left")
    return pts, normals
