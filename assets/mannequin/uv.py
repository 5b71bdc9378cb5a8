"""Texture coordinates.

The skin is taken apart along places that hide a seam: the costume's edges, the sides of the
trunk, the inside of arms and legs, the rim of the ear, the sides of the hand, the sole's edge.
Every chart is flattened as rigidly as possible (Liu et al. 2008, "A Local/Global Approach to Mesh
Parameterization"): the plane is written as complex numbers, the global step is a conjugate
gradient, the start is a cylinder, a projection, or Tutte's embedding, none of which folds.
"""

import numpy as np

from bands import arm_zone, leg_zone, LINES, SHIN, THIGH
from common import dist_to_chain, log, step, unit, V
from head import EAR, EAR_FRAME
from proportions import ARM_DIR, FINGERS, FOREARM_DIR, HAND_PALM, HAND_SIDE, HAND_Y, in_hand, J, SOLE

MARGIN = 0.004  # between charts, of the square's side
ROUNDS = 40


def line(zone, f):
    return lambda p: np.where(zone(p), f(p), -1.0)


def chart_names(p, n):
    """The chart of each triangle of the left half, by its middle and normal."""
    waist, hem = LINES[0][1](p) < 0, line(leg_zone, LINES[2][1])(p) > 0
    ankle = line(leg_zone, LINES[6][1])(p) > 0
    wrist = line(arm_zone, LINES[9][1])(p) > 0
    limb = dist_to_chain(p, [J["UpperArm"], J["LowerArm"], J["Hand"]])
    arm = ((p - J["UpperArm"]) @ unit(ARM_DIR + V(0.5, 0, 0)) > 0.030) & (limb < 0.085) & (p[:, 0] > 0.18) | arm_zone(p)
    front = p[:, 2] > -0.012
    name = np.where(front, "chest", "back").astype("<U13")
    neck = (p - V(0, 1.468, -0.02)) @ unit(V(0, 0.94, 0.34)) > 0
    ear = np.linalg.norm((p - EAR) / V(0.03, 0.036, 0.026), axis=1) < 1
    face = np.where(ear, (p - EAR) @ EAR_FRAME[:, 2] + 0.35 * (n @ EAR_FRAME[:, 2]) * 0.01 > 0.0015, p[:, 2] > -0.012)
    name[neck] = np.where(face, "face", "scalp")[neck]
    name[waist] = np.where(p[:, 2] > -0.004, "shorts front", "shorts back")[waist]
    name[hem] = "leg"
    name[ankle] = np.where((n[:, 1] < -0.45) & (p[:, 1] < 0.022), "sole", "foot")[ankle]
    name[arm] = "arm"
    name[wrist] = np.where(palm_side(p) > 0, "palm", "hand back")[wrist]
    thumb = dist_to_chain(p, FINGERS["Thumb"])
    others = np.min([dist_to_chain(p, FINGERS[n]) for n in FINGERS if n != "Thumb"], axis=0)
    along = (p - FINGERS["Thumb"][0]) @ unit(FINGERS["Thumb"][1] - FINGERS["Thumb"][0])
    name[wrist & (thumb < others) & (along > 0.036)] = "thumb"
    name[(name == "thumb") & (palm_side(p) > 0)] = "thumb palm"
    return name


def palm_side(p):
    """Positive on the palm's side of the nearest finger's own middle plane (or the hand's)."""
    best, side = np.full(len(p), 1e9), np.zeros(len(p))
    chains = [*FINGERS.values(), [J["Hand"] - 0.05 * FOREARM_DIR, J["Hand"], in_hand(0.09, 0, 0)]]
    for pts in chains:
        for a, b in zip(pts, pts[1:]):
            ab = b - a
            t = np.clip((p - a) @ ab / (ab @ ab), -0.5, 1.5)
            away = p - a - t[:, None] * ab
            d = np.linalg.norm(away, axis=1)
            closer = d < best
            best[closer] = d[closer]
            side[closer] = (away @ HAND_PALM)[closer]
    return side


def neighbours(faces):
    """For each triangle the three triangles across its edges."""
    e = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    order = np.lexsort((e[:, 1], e[:, 0]))
    t = np.empty(len(e), int)
    t[order[0::2]], t[order[1::2]] = order[1::2] % len(faces), order[0::2] % len(faces)
    return t.reshape(3, -1).T


def components(faces_across, label):
    """Connected patches of triangles with the same label."""
    comp = np.arange(len(label))
    same = label[faces_across] == label[:, None]
    while True:
        low = np.minimum(comp, np.where(same, comp[faces_across], comp[:, None]).min(1))
        low = low[low]
        if (low == comp).all():
            return comp
        comp = low


def label_charts(pts, faces):
    """A chart per triangle, without crumbs: small patches join their neighbours."""
    mid = pts[faces].mean(1)
    n = np.cross(pts[faces[:, 1]] - pts[faces[:, 0]], pts[faces[:, 2]] - pts[faces[:, 0]])
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    left = mid[:, 0] > 0
    flip = np.where(left, 1.0, -1.0)[:, None] * V(1, 0, 0) + V(0, 1, 1)
    names = chart_names(mid * flip, n * flip)
    sided = np.isin(names, ["arm", "leg", "palm", "hand back", "thumb", "thumb palm", "sole", "foot"])
    names = np.where(sided, np.where(left, np.char.add(names, ".L"), np.char.add(names, ".R")), names)
    kinds, label = np.unique(names, return_inverse=True)
    across = neighbours(faces)
    for _ in range(3):  # straighten the borders that follow no line
        around = label[across]
        two = (around[:, 0] == around[:, 1]) | (around[:, 0] == around[:, 2])
        major = np.where(two, around[:, 0], around[:, 1])
        lonely = (around != label[:, None]).sum(1) >= 2
        agreed = two | (around[:, 1] == around[:, 2])
        label = np.where(lonely & agreed, major, label)
    for _ in range(6):
        comp = components(across, label)
        ids, first, count = np.unique(comp, return_inverse=True, return_counts=True)
        best = np.zeros(len(kinds), int)
        np.maximum.at(best, label, count[first])
        crumb = count[first] < best[label]
        if not crumb.any():
            break
        for k in range(3):
            other = across[:, k]
            take = crumb & ~crumb[other]
            label = np.where(take, label[other], label)
            crumb &= ~take
    return kinds, label


def cylinder(kind, p, mid):
    """Angle around the limb (0 away from the seam, which is on the inside) and length along it."""
    if kind.startswith("arm"):
        a, b, out = J["UpperArm"], J["Hand"], V(0, 1, 0.0)
    elif kind.startswith("leg"):
        a, b, out = J["UpperLeg"], J["Foot"], V(1, 0, 0.25)
    else:  # the foot opens at the heel, seen from above
        a, b, out = SOLE + V(0.006, 0.2, 0.050), SOLE + V(0.006, 0, 0.050), V(0, 0, 1)
    y = unit(b - a)
    z = unit(out - y * (out @ y))
    x = np.cross(y, z)

    def polar(q):
        return np.arctan2((q - a) @ x, (q - a) @ z)

    return polar(p), polar(mid), (p - a) @ y


def rim_edges(n, e):
    """Of directed edges those without a counterpart."""
    return e[~np.isin(e[:, 0] * n + e[:, 1], e[:, 1] * n + e[:, 0])]


def tutte(n, faces):
    """Boundary on a circle, every inner vertex in the middle of its neighbours."""
    e = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    rim = rim_edges(n, e)
    after = dict(zip(rim[:, 0].tolist(), rim[:, 1].tolist()))
    assert len(after) == len(rim), "a chart touches itself at a corner"
    loop = [int(rim[0, 0])]
    while after[loop[-1]] != loop[0]:
        loop.append(after[loop[-1]])
    assert len(loop) == len(rim), "a chart has a hole"
    z = np.zeros(n, complex)
    z[loop] = np.exp(2j * np.pi * np.arange(len(loop)) / len(loop))
    fixed = np.zeros(n, bool)
    fixed[loop] = True
    nbr, w = table(n, e[:, 0], e[:, 1], np.ones(len(e)))
    pinned = np.where(fixed, z, 0)
    free = ~fixed
    d = w.sum(1)

    def apply(x):
        x = np.where(free, x, 0)
        return np.where(free, d * x - (w * x[nbr]).sum(1), 0)

    return pinned + solve(apply, np.where(free, (w * pinned[nbr]).sum(1), 0), d, np.zeros(n, complex), 3000, 1e-9)


def table(n, i, j, w):
    """Sums of w at (i, j) and (j, i) as a padded table of neighbours."""
    key, at = np.unique(np.concatenate([i * n + j, j * n + i]), return_inverse=True)
    val = np.bincount(at, np.concatenate([w, w]))
    row, col = key // n, key % n
    start = np.searchsorted(row, np.arange(n))
    slot = np.arange(len(row)) - start[row]
    nbr, wt = np.zeros((n, slot.max() + 1), int), np.zeros((n, slot.max() + 1))
    nbr[row, slot], wt[row, slot] = col, val
    return nbr, wt


def solve(apply, b, diag, x, limit, tol):
    """Conjugate gradients with the diagonal as preconditioner."""
    r = b - apply(x)
    z = r / diag
    p, rz = z, np.vdot(r, z).real
    stop = tol * tol * max(np.vdot(b, b / diag).real, 1e-300)
    for _ in range(limit):
        if rz <= stop:
            break
        ap = apply(p)
        alpha = rz / np.vdot(p, ap).real
        x = x + alpha * p
        r = r - alpha * ap
        z = r / diag
        rz, old = np.vdot(r, z).real, rz
        p = z + rz / old * p
    return x


SPREAD = {"Thumb": 0.0, "Index": 22.0, "Middle": 7.0, "Ring": -17.0, "Little": -34.0}  # degrees, of the flat hand


def spread(p):
    """The hand with its fingers spread, so that they lie beside each other in the plane too."""
    names = list(FINGERS)
    dist = np.stack([dist_to_chain(p, FINGERS[n]) for n in names], 1)
    near = np.exp(-((dist - dist.min(1, keepdims=True)) / 0.0040) ** 2)
    near /= near.sum(1, keepdims=True)
    move = np.zeros_like(p)
    for k, n in enumerate(names):
        root, first = FINGERS[n][0], unit(FINGERS[n][1] - FINGERS[n][0])
        begin, end = (0.000, 0.040) if n == "Thumb" else (-0.012, 0.018)
        angle = np.radians(SPREAD[n]) * step(begin, end, (p - root) @ first)
        along, side, up = ((p - root) @ axis for axis in (HAND_Y, HAND_SIDE, HAND_PALM))
        cos, sin = np.cos(angle), np.sin(angle)
        turned = root + np.outer(cos * along - sin * side, HAND_Y) + np.outer(sin * along + cos * side, HAND_SIDE)
        move += near[:, k:k + 1] * (turned + np.outer(up, HAND_PALM) - p)
    return p + move


def unfold(z, faces):
    """Evens out the neighbourhood of triangles that turned over, and of points that the skin goes round
    more than once, until there are none."""
    n = len(z)
    nbr, w = table(n, faces[:, [1, 2, 0]].ravel(), faces[:, [2, 0, 1]].ravel(), np.ones(faces.size))
    inner = np.ones(n, bool)
    inner[rim_edges(n, np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]))] = False
    for k in range(60):
        a, b, c = (z[faces[:, m]] for m in range(3))
        area = (np.conj(b - a) * (c - a)).imag
        flat = area * np.sign(area.sum()) < 1e-3 * np.median(np.abs(area))
        turn = np.zeros(n)
        for m, (u, v) in enumerate(((b - a, c - a), (c - b, a - b), (a - c, b - c))):
            turn += np.bincount(faces[:, m], np.abs(np.angle(v / u)), n)
        twice = turn > np.where(inner, 2 * np.pi + 0.1, 4 * np.pi)
        bad = np.union1d(faces[flat], np.flatnonzero(twice)).astype(int)
        if len(bad) == 0:
            break
        for _ in range(k // 15):
            bad = np.unique(nbr[bad][w[bad] > 0])
        bad = bad[inner[bad] | twice[bad]]
        z = z.copy()
        z[bad] = (w[bad] * z[nbr[bad]]).sum(1) / w[bad].sum(1)
    return z


def flatten(p, faces, start):
    """As rigid as possible, from a start that does not fold."""
    n = len(p)
    a, b, c = (p[faces[:, k]] for k in range(3))
    ab, ac = b - a, c - a
    length = np.linalg.norm(ab, axis=1)
    ex = ab / length[:, None]
    x = np.sum(ac * ex, 1)
    y = np.linalg.norm(ac - x[:, None] * ex, axis=1)
    flat = np.stack([np.zeros(len(x)), length, x + 1j * y], 1)
    edge = np.stack([flat[:, (k + 2) % 3] - flat[:, (k + 1) % 3] for k in range(3)], 1)  # opposite corner k
    cot = np.stack([(np.conj(-edge[:, (k + 1) % 3]) * edge[:, (k + 2) % 3]) for k in range(3)], 1)
    cot = np.clip(cot.real / np.maximum(np.abs(cot.imag), 1e-15), 0.03, 8.0)
    i, j = faces[:, [1, 2, 0]], faces[:, [2, 0, 1]]
    nbr, w = table(n, i.ravel(), j.ravel(), cot.ravel())
    diag = w.sum(1)

    def apply(v):
        return diag * v - (w * v[nbr]).sum(1)

    z = start
    for _ in range(ROUNDS):
        now = z[j] - z[i]
        turn = np.sum(cot * np.conj(edge) * now, 1)
        turn = turn / np.maximum(np.abs(turn), 1e-15)
        pull = cot * turn[:, None] * edge
        rhs = np.zeros(n, complex)
        for k in range(3):
            rhs += add_up(j[:, k], pull[:, k], n) - add_up(i[:, k], pull[:, k], n)
        z = solve(apply, rhs, diag, z, 120, 1e-5)
        z = z - z.mean()
    return z


def add_up(at, value, n):
    return np.bincount(at, value.real, n) + 1j * np.bincount(at, value.imag, n)


def on_the_left(kind, p):
    return p * V(-1, 1, 1) if kind.endswith(".R") else p


def open_chart(kind, pts, faces):
    """A chart's own vertices (indices into `pts`), its triangles over them and a start in the plane."""
    p = on_the_left(kind, pts)
    wrapped = kind[:3] in ("arm", "leg", "foo")
    used, local = np.unique(faces, return_inverse=True)
    local = local.reshape(-1, 3)
    if not wrapped:
        q = p[used]
        if kind.startswith(("palm", "hand", "thumb")):
            q = spread(q)
            side = unit(np.cross(HAND_PALM, HAND_Y))
            start = q @ HAND_Y + 1j * (q @ side)
        elif kind.startswith(("chest", "back", "shorts", "sole")):
            start = q[:, 0] + 1j * (q[:, 2] if kind.startswith("sole") else q[:, 1])
        else:
            start = tutte(len(used), local) * 0.12
        return used, local, start
    theta, centre, along = cylinder(kind, p[used], p[faces].mean(1))
    lap = np.round((centre[:, None] - theta[local]) / (2 * np.pi)).astype(int)
    key, corner = np.unique(local * 8 + lap + 4, return_inverse=True)
    corner = corner.reshape(-1, 3)
    v = key // 8
    if kind.startswith("foot"):
        return used[v], corner, tutte(len(v), corner) * 0.12
    return used[v], corner, 0.045 * (theta[v] + 2 * np.pi * (key % 8 - 4)) + 1j * along[v]


def orient(z, pts, faces):
    """Counter-clockwise triangles, the long side upright."""
    e1, e2 = z[faces[:, 1]] - z[faces[:, 0]], z[faces[:, 2]] - z[faces[:, 0]]
    if np.sum((np.conj(e1) * e2).imag) < 0:
        z = np.conj(z)
    z = z - z.mean()
    best = min(np.linspace(0, np.pi, 91)[:-1], key=lambda a: box(z * np.exp(1j * a)))
    z = z * np.exp(1j * best)
    if np.ptp(z.real) > np.ptp(z.imag):
        z = z * 1j
    return z - (z.real.min() + 1j * z.imag.min())


def box(z):
    return np.ptp(z.real) * np.ptp(z.imag)


def pack(sizes):
    """Shelves, tall charts first: the largest scale at which everything fits into the unit square."""
    order = sorted(range(len(sizes)), key=lambda k: (-sizes[k][1], k))

    def place(scale):
        at, x, y, shelf = [None] * len(sizes), MARGIN, MARGIN, 0.0
        for k in order:
            w, h = sizes[k][0] * scale, sizes[k][1] * scale
            if x + w + MARGIN > 1:
                x, y, shelf = MARGIN, y + shelf + MARGIN, 0.0
            if x + w + MARGIN > 1 or y + h + MARGIN > 1:
                return None
            at[k] = (x, y)
            x += w + MARGIN
            shelf = max(shelf, h)
        return at

    lo, hi = 0.01, 10.0
    for _ in range(40):
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if place(mid) else (lo, mid)
    return lo, place(lo)


def overlaps(z, faces, pitch):
    """Pairs of triangles that hold the same sample of a grid."""
    lo = z.real.min() + 1j * z.imag.min()
    t = (z[faces] - lo) / pitch
    owner = np.full((int(np.ptp(z.imag) / pitch) + 2, int(np.ptp(z.real) / pitch) + 2), -1)
    pairs = set()
    for i, (a, b, c) in enumerate(t.tolist()):
        x0, x1 = int(min(a.real, b.real, c.real)), int(max(a.real, b.real, c.real)) + 1
        y0, y1 = int(min(a.imag, b.imag, c.imag)), int(max(a.imag, b.imag, c.imag)) + 1
        q = (np.arange(x0, x1) + 0.5) + 1j * (np.arange(y0, y1) + 0.5)[:, None]
        u, v, w = (np.sign((np.conj(f - e) * (q - e)).imag) for e, f in ((a, b), (b, c), (c, a)))
        inside = np.abs(u + v + w) == 3
        here = owner[y0:y1, x0:x1]
        pairs.update((int(k), i) for k in here[inside] if k >= 0)
        here[inside] = i
    return sorted(pairs)


def open_out(kind, pts, faces):
    """One chart, flat: (source vertices, triangles over them, places in the plane)."""
    source, local, start = open_chart(kind, pts, faces)
    if np.sum((np.conj(start[local[:, 1]] - start[local[:, 0]]) * (start[local[:, 2]] - start[local[:, 0]])).imag) < 0:
        start = np.conj(start)
    shape = on_the_left(kind, pts[source])
    if kind.startswith(("palm", "hand", "thumb")):
        shape = spread(shape)
    return source, local, orient(unfold(flatten(shape, local, start), local), pts, local)


def open_all(pts, faces):
    """All charts. Where one laps over itself, the lapping triangles at its rim go to the neighbour."""
    kinds, label = label_charts(pts, faces)
    across = neighbours(faces)
    flat, stale, settled = {}, set(range(len(kinds))), set()
    for _ in range(12):
        for k in sorted(stale):
            mine = np.flatnonzero(label == k)
            flat[k] = (mine, *open_out(str(kinds[k]), pts, faces[mine]))
        checked, stale, moved = sorted(stale), set(), {}
        for k in checked:
            mine, _, local, z = flat[k]
            for pair in overlaps(z, local, 0.0007):
                for i in mine[list(pair)]:
                    others = [int(label[j]) for j in across[i] if label[j] != k]
                    if others and i not in settled:  # once only, else it may go to and fro
                        moved[int(i)] = others[0]
                        stale |= {k, others[0]}
        for i, k in moved.items():
            label[i] = k
        settled |= moved.keys()
        if not moved:
            break
    return [(str(kinds[k]), *flat[k]) for k in range(len(kinds))]


def unwrap(pts, faces):
    """Texture coordinates with their own vertices: (source vertices, coordinates, triangles over these)."""
    charts = open_all(pts, faces)
    scale, at = pack([(np.ptp(c[4].real), np.ptp(c[4].imag)) for c in charts])
    source_all, uv, corners, base = [], [], np.empty_like(faces), 0
    for (kind, mine, source, local, z), (x, y) in zip(charts, at):
        report(kind, pts[source], local, z)
        source_all.append(source)
        uv.append(np.stack([x + scale * z.real, 1 - y - scale * z.imag], 1))
        corners[mine] = local + base
        base += len(source)
    return np.concatenate(source_all), np.concatenate(uv), corners


def report(kind, p, faces, z):
    a, b, c = (p[faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    ex = (b - a) / np.linalg.norm(b - a, axis=1, keepdims=True)
    ey = np.cross(np.cross(b - a, c - a) / area[:, None], ex)
    u1, u2 = z[faces[:, 1]] - z[faces[:, 0]], z[faces[:, 2]] - z[faces[:, 0]]
    m = np.stack([np.stack([u1.real, u2.real], 1), np.stack([u1.imag, u2.imag], 1)], 1)
    q = np.stack([np.stack([np.sum((b - a) * ex, 1), np.sum((c - a) * ex, 1)], 1),
                  np.stack([np.zeros(len(a)), np.sum((c - a) * ey, 1)], 1)], 1)
    s = np.linalg.svd(m @ np.linalg.inv(q), compute_uv=False)
    folded = np.linalg.det(m) < 0
    angle, grow = s[:, 0] / np.maximum(s[:, 1], 1e-9), s[:, 0] * s[:, 1]
    log(f"chart {kind:13s} {len(faces):5d} triangles  angle {np.average(angle, weights=area):.2f} mean "
        f"{np.quantile(angle, 0.95):.2f} at 95 %  area {np.quantile(grow, 0.05):.2f}..{np.quantile(grow, 0.95):.2f}  "
        f"folded {int(folded.sum())}")
