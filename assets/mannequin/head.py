"""The head: cranium, face, ears.

Landmarks come from the usual canon for a head of H = 0.2333 m: eyes half-way up, brow, base of
the nose and chin a third of the face apart, five eye widths across, ears from brow to nose.
"""

import numpy as np

from common import axes, step, unit, V
from shapes import aside, both, ellipsoid, hollow, loft, only_near, smax, smin, tube


EYE = V(0.0310, 1.6335, 0.0632)  # the eyeball's middle
EYE_R = 0.0146  # what shows between the lids
LID = 0.0014  # the lids' thickness


def mouth_line(p):
    """Where the lips meet: height above the line, in metres."""
    return p[:, 1] - 1.5674 - 2.4 * p[:, 0] ** 2


EYE_FRAME = axes(V(0, 1, 0), unit(V(0.16, 0, 1)))  # the opening follows the face's curve outwards


def eye_angles(p):
    """Radius, and the angles outwards and upwards of a point as seen from the eye's middle."""
    q = (np.abs(p) * V(1, 0, 0) + p * V(0, 1, 1) - EYE) @ EYE_FRAME
    r = np.linalg.norm(q, axis=1)
    return r, np.arctan2(q[:, 0], q[:, 2]), np.arcsin(np.clip(q[:, 1] / np.maximum(r, 1e-9), -1, 1))


LID_HALF, LID_UP, LID_DOWN = 0.0150, 0.0070, 0.0042  # half width, height above and below the corners
LID_TILT = 0.09  # the outer corner sits a little higher


def eye_almond(p):
    """Metres over the ball from the middle of the corners: outwards and upwards, along the lids' tilt."""
    _, a, e = eye_angles(p)
    u, v = EYE_R * a - 0.0004, EYE_R * e + 0.0006
    return u + LID_TILT * v, v - LID_TILT * u


def eye_direction(u, v):
    """The inverse: unit vectors in the eye's frame."""
    k = 1 + LID_TILT * LID_TILT
    a, e = ((u - LID_TILT * v) / k + 0.0004) / EYE_R, ((v + LID_TILT * u) / k - 0.0006) / EYE_R
    return np.stack([np.cos(e) * np.sin(a), np.sin(e), np.cos(e) * np.cos(a)], 1)


def opening(p):
    """Negative between the lids: metres over the ball from an almond of two arcs."""
    u, v = eye_almond(p)
    upper = (LID_HALF ** 2 + LID_UP ** 2) / (2 * LID_UP)
    lower = (LID_HALF ** 2 + LID_DOWN ** 2) / (2 * LID_DOWN)
    # The upper lid is highest a little to the inside, the lower one lowest to the outside.
    return smax(np.hypot(u + 0.0010, v - LID_UP + upper) - upper, np.hypot(u - 0.0010, v + LID_DOWN - lower) - lower,
                0.0012)


RIM = 0.0010  # how far the lids' edge takes to come down to the ball


def lid_depth(p):
    """How far the opening lies below the lids' dome."""
    r, _, _ = eye_angles(p)
    return LID * np.clip(-opening(p) / RIM, 0, 1) * (r < EYE_R + 2 * LID)


def carve_eyes(p):
    """Opens the lids: what lies between their edges sinks from the dome onto the ball."""
    r, _, _ = eye_angles(p)
    middle = EYE * np.stack([np.sign(p[:, 0]), np.ones(len(p)), np.ones(len(p))], 1)
    return middle + (p - middle) * (1 - lid_depth(p) / np.maximum(r, 1e-9))[:, None]


LIP_EDGE = 0.0013  # half the width of the crease between the lips


def close_lips(p):
    """Presses the line between the lips in: a crease that runs out towards the corners."""
    m, side = np.abs(mouth_line(p)), np.abs(p[:, 0])
    depth = 0.0015 * np.clip(1 - m / LIP_EDGE, 0, 1) * (1 - step(0.010, 0.0250, side)) * (p[:, 2] > 0.06)
    return p - depth[:, None] * V(0, 0, 1)


def across(f, p, n):
    """Where a border's function falls fastest within the surface: unit vectors, 0 where it is flat."""
    h = 1e-4
    d = np.stack([(f(p + h * e) - f(p - h * e)) / (2 * h) for e in np.eye(3)], 1)
    d -= n * np.sum(d * n, 1, keepdims=True)
    return -d / np.maximum(np.linalg.norm(d, axis=1, keepdims=True), 1e-3)


def bevel(p, n):
    """Normals along the carved edges lean into the crease, the same all along each edge."""
    r, _, _ = eye_angles(p)
    at = opening(p)
    near = r < EYE_R + 2 * LID
    lean = near * (0.9 * (np.abs(at) < 3e-4) + 0.4 * (np.abs(at + RIM) < 3e-4))
    out = n + lean[:, None] * across(opening, p, n)
    m = mouth_line(p)
    lips = (p[:, 2] > 0.06) * (1 - step(0.010, 0.0250, np.abs(p[:, 0]))) * (np.abs(np.abs(m) - LIP_EDGE) < 3e-4)
    out = out + (0.7 * lips)[:, None] * across(lambda q: np.abs(mouth_line(q)), p, n)
    return out / np.linalg.norm(out, axis=1, keepdims=True)


EAR = V(0.0745, 1.6240, -0.0105)
EAR_FRAME = axes(V(0.05, 1, -0.20), V(1, 0, 0.42))  # columns: along the ear's plane, up, outwards


def make_ear():
    c, fr = EAR, EAR_FRAME
    s = 1.0 if fr[2, 0] > 0 else -1.0  # which way of the first column is forwards

    def at(fwd, up, out, r):
        return (*(c + fr @ V(s * fwd, up, out)), r)

    helix = tube([at(0.006, 0.002, 0.0005, 0.0028), at(0.011, 0.012, 0.0010, 0.0032), at(0.009, 0.024, 0.0020, 0.0036),
                  at(-0.002, 0.0300, 0.0030, 0.0038), at(-0.013, 0.024, 0.0040, 0.0038), at(-0.0160, 0.011, 0.0045, 0.0036),
                  at(-0.013, -0.006, 0.0040, 0.0034), at(-0.006, -0.019, 0.0025, 0.0038), at(0.001, -0.0260, 0.0010, 0.0046),
                  at(0.007, -0.022, 0.000, 0.0040)], 16)
    anti = tube([at(0.000, 0.019, 0.0025, 0.0028), at(-0.007, 0.011, 0.0035, 0.0030), at(-0.0075, -0.002, 0.0040, 0.0030),
                 at(-0.002, -0.012, 0.0030, 0.0030), at(0.004, -0.0145, 0.002, 0.0028)], 7)
    tragus = ellipsoid(c + fr @ V(s * 0.0095, -0.005, 0.0005), (0.0042, 0.0062, 0.0040), fr)
    plate = ellipsoid(c + fr @ V(s * -0.002, 0.002, 0.001), (0.0160, 0.030, 0.0046), fr)
    root = ellipsoid(c + fr @ V(s * -0.001, 0.000, -0.005), (0.0110, 0.023, 0.0085), fr)
    concha = ellipsoid(c + fr @ V(s * 0.002, -0.003, 0.0065), (0.0070, 0.0095, 0.0065), fr)

    def f(p):
        d = smin(plate(p), root(p), 0.010)
        d = smax(d, -concha(p), 0.004)
        d = smin(d, anti(p), 0.0045)
        d = smin(d, helix(p), 0.0040)
        return smin(d, tragus(p), 0.0050)

    return only_near(aside(f), np.array([c, c * V(-1, 1, 1)]), 0.05)


def make_head():
    back = ellipsoid(V(0, 1.6640, -0.0270), (0.0735, 0.0850, 0.0800))
    front = ellipsoid(V(0, 1.6640, 0.0080), (0.0650, 0.0840, 0.0800))
    low, high = 1.520, 1.672
    face = loft(V(0, low, 0), V(0, high, 0), V(0, 0, 1), [((y - low) / (high - low), 0, z - d, w, d)
                                                         for y, z, w, d in (
        # height, front's z, half width, half depth
        (1.520, 0.0770, 0.0180, 0.034),
        (1.531, 0.0815, 0.0245, 0.045),
        (1.548, 0.0810, 0.0355, 0.056),
        (1.572, 0.0832, 0.0472, 0.067),
        (1.596, 0.0840, 0.0570, 0.075),
        (1.618, 0.0825, 0.0628, 0.079),
        (1.640, 0.0820, 0.0648, 0.082),
        (1.672, 0.0830, 0.0650, 0.084),
    )], (0.012, 0.05), power=2.2)
    jaw = both(tube([(0.0560, 1.616, -0.006, 0.0110), (0.0485, 1.574, 0.004, 0.0100), (0.0360, 1.549, 0.027, 0.0095),
                     (0.0160, 1.532, 0.0620, 0.0100)], 6), 0.02)
    chin = ellipsoid(V(0, 1.5315, 0.0715), (0.0160, 0.0140, 0.0140))
    cheek = both(ellipsoid(V(0.0420, 1.6110, 0.0470), (0.0140, 0.0120, 0.0180), axes(V(0, 1, 0), V(0.9, 0, 1))), 0.01)
    brow = both(tube([(0.004, 1.6540, 0.0755, 0.0065), (0.020, 1.6585, 0.0750, 0.0065), (0.038, 1.6600, 0.0665, 0.0065),
                      (0.053, 1.6520, 0.0520, 0.0060)], 6), 0.012)
    buccal = both(ellipsoid(V(0.0330, 1.5860, 0.0460), (0.0190, 0.0300, 0.0260)), 0.01)
    socket = aside(ellipsoid(V(0.0285, 1.6365, 0.0920), (0.0185, 0.0125, 0.0160)))
    nose = tube([(0, 1.6520, 0.0770, 0.0070), (0, 1.6350, 0.0815, 0.0062), (0, 1.6180, 0.0915, 0.0068),
                 (0, 1.6070, 0.0995, 0.0074), (0, 1.6015, 0.0970, 0.0068), (0, 1.5985, 0.0890, 0.0050)], 9)
    wing = both(ellipsoid(V(0.0090, 1.6028, 0.0872), (0.0060, 0.0058, 0.0110), axes(V(0, 1, 0.15), V(0.3, 0, 1))), 0.006)
    muzzle = ellipsoid(V(0, 1.5690, 0.0640), (0.0310, 0.0260, 0.0265))
    upper = both(tube([(0, 1.5716, 0.0886, 0.0042), (0.0060, 1.5730, 0.0882, 0.0045), (0.0150, 1.5713, 0.0842, 0.0036),
                       (0.0255, 1.5690, 0.0735, 0.0018)], 6), 0.002)
    lower = both(tube([(0, 1.5618, 0.0866, 0.0054), (0.0085, 1.5623, 0.0854, 0.0052), (0.0170, 1.5646, 0.0806, 0.0038),
                       (0.0255, 1.5688, 0.0732, 0.0018)], 6), 0.004)
    eye = aside(ellipsoid(EYE, (EYE_R + LID,) * 3))  # the lids' dome; `carve_eyes` opens it
    ear = make_ear()
    nostril = hollow([V(0.0065, 1.5945, 0.0950), V(0.0075, 1.5950, 0.0890)], 0.0016, 0.0034)
    near_nose = only_near(nose, np.array([[-0.02, 1.58, 0.07], [0.02, 1.66, 0.11]]), 0.04)
    lips = only_near(lambda p: smin(upper(p), lower(p), 0.0040), np.array([[-0.03, 1.55, 0.06], [0.03, 1.58, 0.1]]), 0.03)

    def f(p):
        d = smin(smin(back(p), front(p), 0.030), face(p), 0.045)
        d = smin(d, jaw(p), 0.030)
        d = smin(d, chin(p), 0.024)
        d = smin(d, cheek(p), 0.030)
        d = smin(d, buccal(p), 0.040)
        d = smin(d, brow(p), 0.026)
        d = smax(d, -socket(p), 0.020)
        d = smin(d, muzzle(p), 0.026)
        d = smin(d, near_nose(p), 0.020)
        d = smin(d, wing(p), 0.013)
        d = smin(d, lips(p), 0.0060)
        d = smin(d, eye(p), 0.009) + nostril(np.abs(p) * V(1, 0, 0) + p * V(0, 1, 1))
        return smin(d, ear(p), 0.007)

    return f
