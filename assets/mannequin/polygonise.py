"""Polygonise: marching tetrahedra on the left half.

Tetrahedra rather than cubes: no ambiguous case, so the surface is always closed and manifold,
and the cut at x = 0 is a clean outline that the mirrored half can share. The poor triangles
do not matter, since the remesher replaces them all.
"""

import numpy as np

from field import body, gradient


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
