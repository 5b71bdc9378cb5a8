"""Morph targets: a breath, a smile, closed eyes. Each is (position deltas, normal deltas)."""

import numpy as np

from common import step, unit, V, vertex_normals
from head import (
    EYE, EYE_FRAME, EYE_R, eye_almond, eye_angles, eye_direction, LID, LID_DOWN, LID_HALF, LID_UP, lid_depth, opening,
)
from mend import edges_of


def breath(pts, normals):
    """Ribs widen and lift, the belly follows."""
    x, y, z = pts.T
    ribs = np.exp(-((y - 1.285) / 0.085) ** 2) * (1 - step(0.13, 0.20, np.abs(x)))
    belly = 0.55 * np.exp(-((y - 1.12) / 0.06) ** 2) * step(-0.02, 0.06, z) * (1 - step(0.10, 0.2, np.abs(x)))
    amount = ribs * (0.35 + 0.65 * step(-0.04, 0.07, z)) + belly
    move = 0.0085 * amount[:, None] * (0.9 * normals + V(0, 0.35, 0.25))
    move[amount < 0.01] = 0.0
    return move


PULLS = [  # of the left half: middle, reach, move
    (V(0.0255, 1.5690, 0.0735), 0.0105, V(0.0044, 0.0052, -0.0030)),  # the mouth's corner
    (V(0.0150, 1.5720, 0.0840), 0.0080, V(0.0016, 0.0006, -0.0012)),
    (V(0.0370, 1.6020, 0.0620), 0.0150, V(0.0010, 0.0034, 0.0022)),  # the cheek gathers
    (V(0.0310, 1.6230, 0.0740), 0.0080, V(0.0000, 0.0012, 0.0006)),  # and lifts the lower lid a little
    (V(0.0110, 1.6010, 0.0900), 0.0070, V(0.0010, 0.0006, -0.0004)),
]


def smile(pts, normals):
    """Corners out and up, cheeks full, lower lids raised: a smile of the whole face is the kind one."""
    move = np.zeros_like(pts)
    for middle, reach, pull in PULLS:
        for s in (1.0, -1.0):
            side = V(s, 1, 1)
            move += np.exp(-(np.linalg.norm(pts - middle * side, axis=1) / reach) ** 2)[:, None] * pull * side
    front = step(0.02, 0.05, pts[:, 2]) * step(1.530, 1.545, pts[:, 1])
    move *= front[:, None]
    move[np.linalg.norm(move, axis=1) < 2e-5] = 0.0
    return move


def lids_shut(pts):
    """Where each point is with shut eyes.

    The carved opening rises to the lids' dome again, the upper lid slides down over it, and what
    lay between the lids gathers to the line where they meet.
    """
    r, _, _ = eye_angles(pts)
    u, v = eye_almond(pts)
    t = np.clip(u / LID_HALF, -1, 1)
    wide = np.sqrt(np.maximum(1 - t * t, 0.0))
    top, bottom = LID_UP * (1 - t * t), -LID_DOWN * (1 - t * t)
    seam = bottom + 0.10 * (top - bottom)
    reach = 0.0075 * wide + 1e-6  # of the upper lid's skin above its edge
    over = np.clip((v - top) / reach, 0, 1)
    under = np.clip((bottom - v) / (0.45 * reach), 0, 1)
    gap = np.clip((v - bottom) / np.maximum(top - bottom, 1e-6), 0, 1)
    ease = over * over * (2 - over)  # starts level, so that the lid's lower part moves as one
    new_v = np.where(v > top, seam + (top + reach - seam) * (0.35 * over + 0.65 * ease) + 0.0,
                     np.where(v < bottom, bottom - 0.45 * reach * under + (seam - 0.0004 - bottom) * (1 - under) ** 2,
                              seam - 0.0004 * (1 - gap)))
    touched = (np.abs(u) < LID_HALF) & (v < top + reach) & (v > bottom - 0.45 * reach) & (r < EYE_R + np.where(v > top, 6.5, 2.2) * LID)
    # What lies under the brow follows less, and at the corners only the lids themselves do.
    held = np.maximum(step(EYE_R + 2.5 * LID, EYE_R + 6.5 * LID, r),
                      step(EYE_R + 1.8 * LID, EYE_R + 2.4 * LID, r) * (1 - step(0.50, 0.90, wide)))
    held = np.where(v > top, held, 0.0)
    new_v = np.where(touched, v + (1 - held) * (new_v - v), v)
    risen = r + lid_depth(pts)
    moved = np.abs(new_v - v)
    on_dome = step(0.0, 0.0006, moved) * (1 - held)
    radius = risen + on_dome * (np.maximum(np.minimum(risen, EYE_R + 1.25 * LID), EYE_R + LID) - risen)
    crease = np.exp(-((new_v - seam + 0.0002) / 0.0009) ** 2) * wide * touched
    radius = radius - 0.0007 * crease
    side = np.stack([np.where(pts[:, 0] < 0, -1.0, 1.0), np.ones(len(pts)), np.ones(len(pts))], 1)
    out = (EYE + radius[:, None] * (eye_direction(u, new_v) @ EYE_FRAME.T)) * side
    touched |= lid_depth(pts) > 0
    return np.where(touched[:, None], out, pts), touched, side


def eyes_closed(pts, normals, faces):
    """The upper lid's skin stretches evenly; what bounds the opening goes exactly where it must."""
    move = lids_shut(pts)[0] - pts
    skin = (opening(pts) > 4e-4) & (eye_almond(pts)[1] > 0) & (eye_angles(pts)[0] < EYE_R + 8 * LID)
    for _ in range(3):
        move = np.where(skin[:, None], evened(move, faces, 1), move)
    move[np.linalg.norm(move, axis=1) < 2e-5] = 0.0
    return move


def evened(vectors, faces, rounds):
    """Each vector half-way to its neighbours' middle, some times over."""
    a, b = edges_of(faces).T
    count = np.bincount(np.concatenate([a, b]), minlength=len(vectors))[:, None]
    for _ in range(rounds):
        around = np.zeros_like(vectors)
        np.add.at(around, a, vectors[b])
        np.add.at(around, b, vectors[a])
        vectors = 0.5 * (vectors + around / count)
    return vectors


def build_morphs(pts, faces, normals, partner):
    rest = vertex_normals(pts, faces)
    morphs = []
    for shape in (breath, smile, eyes_closed):
        move = shape(pts, normals, faces) if shape is eyes_closed else shape(pts, normals)
        if shape is eyes_closed:
            _, touched, side = lids_shut(pts)
            shut = pts + move
            round_ = shut - EYE * side
            far = np.linalg.norm(round_, axis=1, keepdims=True)
            # On the ball the ball's own normals, towards the socket the lids' as they lie, evened out
            # between: the few long triangles that become the lid would show as streaks.
            dome = 1 - step(EYE_R + 1.1 * LID, EYE_R + 2.0 * LID, far)
            lies = normals + vertex_normals(shut, faces) - rest
            goal = np.where(touched[:, None], dome * round_ / far + (1 - dome) * lies, lies)
            goal = np.where(touched[:, None], evened(goal, faces, 12), goal)
            turn = goal / np.linalg.norm(goal, axis=1, keepdims=True) - normals
        else:
            turn = vertex_normals(pts + move, faces) - rest
        turn[np.linalg.norm(turn, axis=1) < 1e-3] = 0.0
        turn[np.linalg.norm(move, axis=1) == 0.0] *= 0.0 if shape is breath else 1.0
        morphs.append((move, turn))
    return ["Breath", "Smile", "EyesClosed"], morphs
