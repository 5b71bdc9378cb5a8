"""Motion.

A pose is the hips' place and, per joint, a turn in *rest world axes* relative to its parent, so
that "bend about X" means the same for every joint whatever its own axes are.
"""

import math

import numpy as np

from common import fraction, rot, rx, ry, rz, step, unit, V
from proportions import ARM_DIR, ARM_DROP, FOOT_FWD, FOOT_SIDE, FOREARM_DIR, HAND_PALM, J
from rig import INDEX, NAMES, PARENT, REST_POS, REST_ROT


class Pose:
    def __init__(self):
        self.hips = REST_POS[0].copy()
        self.turn = {}

    def world(self):
        """Each joint's turn away from rest, and its position."""
        d = np.empty((len(NAMES), 3, 3))
        pos = np.empty((len(NAMES), 3))
        for i, n in enumerate(NAMES):
            t = self.turn.get(n, np.eye(3))
            if PARENT[i] < 0:
                d[i], pos[i] = t, self.hips
            else:
                k = PARENT[i]
                d[i] = d[k] @ t
                pos[i] = pos[k] + d[k] @ (REST_POS[i] - REST_POS[k])
        return d, pos


SIDES = (("L", 1.0), ("R", -1.0))


def sided(v, s):
    return v * V(s, 1, 1)


def plant_leg(pose, side, ankle, foot_turn, toe_turn, knee_out=0.10):
    """Analytic two-bone reach. Turns are world turns away from rest. Returns reach and knee angle."""
    s = 1.0 if side == "L" else -1.0
    d, pos = pose.world()
    up, lo, ft, te = (INDEX[f"{n}.{side}"] for n in ("UpperLeg", "LowerLeg", "Foot", "Toes"))
    hip, pelvis = pos[up], d[0]
    u0, v0 = REST_POS[lo] - REST_POS[up], REST_POS[ft] - REST_POS[lo]
    l1, l2 = np.linalg.norm(u0), np.linalg.norm(v0)
    to = ankle - hip
    dist = min(np.linalg.norm(to), (l1 + l2) * 0.9995)
    to = unit(to)
    # The knee points where pelvis and foot agree to look.
    pole = unit(unit(pelvis @ V(s * knee_out, 0, 1)) + unit(foot_turn @ sided(FOOT_FWD, s) * V(1, 0, 1)))
    pole = unit(pole - to * (pole @ to))
    a = (l1 * l1 - l2 * l2 + dist * dist) / (2 * dist)
    h = math.sqrt(max(l1 * l1 - a * a, 0.0))
    knee = hip + to * a + pole * h
    hinge_new, hinge_old = unit(np.cross(pole, to)), unit(np.cross(V(0, 0, 1), u0 + v0))

    def frame(dir_, hinge):
        y = unit(dir_)
        x = unit(hinge - y * (hinge @ y))
        return np.stack([x, y, np.cross(x, y)], 1)

    thigh = frame(knee - hip, hinge_new) @ frame(u0, hinge_old).T
    shin = frame(hip + to * dist - knee, hinge_new) @ frame(v0, hinge_old).T
    pose.turn[f"UpperLeg.{side}"] = d[0].T @ thigh
    pose.turn[f"LowerLeg.{side}"] = thigh.T @ shin
    pose.turn[f"Foot.{side}"] = shin.T @ foot_turn
    pose.turn[f"Toes.{side}"] = foot_turn.T @ toe_turn
    bend = math.degrees(math.acos(np.clip((l1 * l1 + l2 * l2 - dist * dist) / (2 * l1 * l2), -1, 1)))
    return dist / (l1 + l2), 180.0 - bend


def set_trunk(pose, hips_turn, chest_turn, head_turn):
    """World turns for pelvis, rib cage and head; the joints between share the difference."""
    pose.turn["Hips"] = hips_turn
    third = fraction(hips_turn.T @ chest_turn, 1 / 3)
    for n in ("Spine1", "Spine2", "Spine3", "Spine4"):
        pose.turn[n] = third
    half = fraction(chest_turn.T @ head_turn, 0.5)
    pose.turn["Neck"] = half
    pose.turn["Head"] = half


def set_arm(pose, side, swing, out, elbow, wrist=0.0, twist=0.0, collar=(0.0, 0.0)):
    """Degrees. `swing` forwards, `out` from hanging, `elbow` and `wrist` bend, `collar` (forwards, up)."""
    s = 1.0 if side == "L" else -1.0
    pose.turn[f"Shoulder.{side}"] = ry(-s * collar[0]) @ rz(s * collar[1])
    lower = -s * (90.0 - math.degrees(ARM_DROP) - out)
    arm = sided(ARM_DIR, s)
    pose.turn[f"UpperArm.{side}"] = rx(-swing) @ rz(lower) @ rot(arm, math.radians(s * twist))
    pose.turn[f"LowerArm.{side}"] = rot(np.cross(arm, V(0, 0, 1)), math.radians(elbow))
    fore = sided(FOREARM_DIR, s)
    hinge = np.cross(fore, sided(HAND_PALM, s))
    pose.turn[f"Hand.{side}"] = rot(hinge, math.radians(wrist))


def curl_fingers(pose, side, deg, thumb=0.0):
    for n in ("Index", "Middle", "Ring", "Little"):
        for k in range(3):
            i = INDEX[f"{n}{k + 1}.{side}"]
            pose.turn[NAMES[i]] = rot(REST_ROT[i][:, 0], math.radians(deg * (1.0, 1.1, 0.7)[k]))
    if thumb:
        for k in range(3):
            i = INDEX[f"Thumb{k + 1}.{side}"]
            pose.turn[NAMES[i]] = rot(REST_ROT[i][:, 0], math.radians(thumb))


# --- the walk -------------------------------------------------------------------------

FPS = 24
STRIDE = 1.18  # metres per cycle of one second: the ground's speed under the in-place walk
TRACK = 0.062  # how far each foot's line is from the middle
TOE_OFF = 0.61  # share of the cycle that a foot is on the ground
CONTACT_Z = 0.321  # where a flat foot would have its ankle at heel strike


def ease(pairs, x):
    """A smooth curve through (x, value) pairs that rests at each of them."""
    for (a, va), (b, vb) in zip(pairs, pairs[1:]):
        if x <= b:
            return va + (vb - va) * float(step(a, b, np.float64(x)))
    return pairs[-1][1]


def heel_profile():
    """The heel's outline seen from the side, as the circle that fits the finished mesh within 0.7 mm."""
    return 0.098, -0.030  # radius, centre's distance behind the ankle


def stance_foot(phase, s):
    """Ankle, foot turn and toe turn of a foot on the ground at `phase` in [0, TOE_OFF]."""
    fwd, side_axis = sided(FOOT_FWD, s), sided(FOOT_SIDE, s) * s
    origin = V(s * TRACK, 0, CONTACT_Z - STRIDE * phase)  # the sole's point below the ankle, foot flat
    ankle0 = V(0, J["Foot"][1], 0)
    pitch = ease([(0.0, 21.0), (0.105, 0.0), (0.30, 0.0)], phase)
    if phase > 0.30:
        pitch = -64.0 * heel_rise((phase - 0.30) / (TOE_OFF - 0.30))
    toe_pitch = -26.0 * float(step(0.80, 1.08, np.float64((phase - 0.30) / (TOE_OFF - 0.30))))
    turn = rot(side_axis, -math.radians(pitch))
    if pitch >= 0:  # roll on the round heel: its middle stays at its height and rolls by radius * angle
        r, back = heel_profile()
        centre = origin + fwd * (back - r * math.radians(pitch)) + V(0, r, 0)
        return centre + turn @ (ankle0 - (fwd * back + V(0, r, 0))), turn, turn
    toe_turn = rot(side_axis, -math.radians(toe_pitch))
    joint0 = fwd * 0.128 + V(0, 0.020, 0)
    tip0 = fwd * 0.186 + V(0, 0.0, 0)
    joint = origin + tip0 + toe_turn @ (joint0 - tip0)
    return joint + turn @ (ankle0 - joint0), turn, toe_turn


def heel_rise(t):
    """0..1, slow at first as the body passes over the foot, quick at push-off."""
    t = min(max(t, 0.0), 1.0)
    return 0.42 * t * t + 0.58 * t ** 3


def pitch_of(turn, s):
    f = turn @ sided(FOOT_FWD, s)
    return math.degrees(math.asin(np.clip(f[1], -1, 1)))


def quintic(p0, v0, a0, p1, v1, a1, t):
    c = [p0, v0, a0 / 2]
    d = p1 - p0 - v0 - a0 / 2
    e = v1 - v0 - a0
    f = a1 - a0
    c += [10 * d - 4 * e + f / 2, -15 * d + 7 * e - f, 6 * d - 3 * e + f / 2]
    return sum(k * t ** i for i, k in enumerate(c))


def swing_foot(phase, s):
    """Carries the foot forwards, leaving and meeting the ground at the ground's own speed."""
    t = (phase - TOE_OFF) / (1 - TOE_OFF)
    span = 1 - TOE_OFF
    h = 1e-3

    def ends(at, direction):
        p = [stance_foot(at + direction * h * k, s) for k in range(3)]
        pos = [q[0] for q in p]
        v = direction * (-1.5 * pos[0] + 2 * pos[1] - 0.5 * pos[2]) / h
        ang = [pitch_of(q[1], s) for q in p]
        w = direction * (-1.5 * ang[0] + 2 * ang[1] - 0.5 * ang[2]) / h
        return pos[0], v * span, ang[0], w * span

    p0, v0, r0, w0 = ends(TOE_OFF, -1)
    p1, v1, r1, w1 = ends(0.0, +1)
    k = SWING
    ankle = quintic(p0, v0, V(0, 0, k["push"]), p1, v1 * V(1, 1, k["meet"]) - V(0, k["drop"] * span, 0), V(0, 0, k["brake"]), t)
    bump = (t / k["peak"]) ** 2 * ((1 - t) / (1 - k["peak"])) ** (2 * (1 - k["peak"]) / k["peak"])
    ankle = ankle + V(0, k["lift"] * bump, 0)
    pitch = quintic(r0, w0 * k["flick"], 0, r1, w1 * 0.3, 0, t) + k["toes_up"] * bump
    side_axis = sided(FOOT_SIDE, s) * s
    turn = rot(side_axis, -math.radians(pitch))
    toe0 = pitch_of(stance_foot(TOE_OFF, s)[2], s)
    bend = (toe0 - r0) * (1 - float(step(0.0, 0.45, np.float64(t))))
    return ankle, turn, turn @ rot(side_axis, -math.radians(bend))


SWING = {"push": 4.9, "meet": 0.79, "brake": -2.4, "lift": 0.008, "peak": 0.30, "toes_up": 5.0, "flick": 0.17,
         "drop": 0.26}


def walk_foot(phase, s):
    phase %= 1.0
    return stance_foot(phase, s) if phase <= TOE_OFF else swing_foot(phase, s)


HIP_MEAN, HIP_BOB = 0.8947, 0.0170


def walk_pose(phase):
    """`phase` 0 is the left heel's contact, 0.5 the right's."""
    pose = Pose()
    c = lambda lag, k=1: math.cos(2 * math.pi * k * (phase - lag))  # noqa: E731
    # Height: highest over the passing leg, lowest just after contact (a second wave skews it).
    pose.hips = V(0.020 * c(0.30), HIP_MEAN + HIP_BOB * c(0.285, 2) + 0.037, 0.004 * c(0.12, 2))
    yaw = -6.5 * c(0.02)  # the left hip leads with the left leg
    lift = 3.2 * c(0.24)  # the pelvis drops on the side of the swinging leg
    hips_turn = ry(yaw) @ rz(lift) @ rx(3.0 + 1.0 * c(0.10, 2))
    chest_turn = ry(6.0 * c(0.035)) @ rz(-1.6 * c(0.27)) @ rx(2.2 + 0.8 * c(0.16, 2))
    head_turn = ry(1.0 * c(0.06)) @ rx(1.5 + 0.9 * c(0.22, 2))
    set_trunk(pose, hips_turn, chest_turn, head_turn)
    for side, s in SIDES:
        arm_phase = 0.0 if s > 0 else 0.5
        a = lambda lag: -math.cos(2 * math.pi * (phase - arm_phase - lag))  # noqa: E731
        set_arm(pose, side, swing=1.0 + 21.0 * a(0.02), out=8.5, elbow=11.0 + 12.5 * a(0.085),
                wrist=4.0 + 6.0 * a(0.14), twist=-4.0, collar=(3.0 * a(0.03), -1.0 + 0.8 * c(0.33, 2)))
        curl_fingers(pose, side, 9.0 + 5.0 * a(0.17))
    info = {}
    for side, s in SIDES:
        ankle, foot, toe = walk_foot(phase + (0.0 if s > 0 else 0.5), s)
        info[side] = plant_leg(pose, side, ankle, foot, toe)
    return pose, info


# --- standing ---------------------------------------------------------------------------

STAND_X = 0.098


def stand_feet(pose):
    for side, s in SIDES:
        ankle = V(s * STAND_X, J["Foot"][1], -0.010 + 0.012 * s)
        plant_leg(pose, side, ankle, ry(s * 2.0), ry(s * 2.0))


def idle_trunk(pose, phase):
    """Breath twice per loop, weight from one leg to the other once."""
    c = lambda lag, k=1: math.cos(2 * math.pi * k * (phase - lag))  # noqa: E731
    sway = c(0.25)
    breath = -c(0.0, 2)
    pose.hips = V(0.026 * sway, 0.9530 + 0.0010 * breath - 0.002 * sway * sway, -0.004 + 0.003 * c(0.1))
    set_trunk(pose, ry(1.2 * c(0.3)) @ rz(2.4 * sway) @ rx(0.5),
              ry(-1.0 * c(0.36)) @ rz(-1.4 * c(0.28)) @ rx(-0.6 - 1.0 * breath),
              ry(2.6 * c(0.55)) @ rz(0.6 * c(0.4)) @ rx(0.8 + 0.5 * c(0.08, 2)))
    return breath, sway


def idle_pose(phase):
    pose = Pose()
    breath, sway = idle_trunk(pose, phase)
    for side, s in SIDES:
        late = -math.cos(4 * math.pi * (phase - 0.05))
        set_arm(pose, side, swing=1.0 + 0.8 * late, out=9.0 + 0.9 * late - 0.8 * s * sway, elbow=10.0 + 1.2 * late,
                wrist=5.0 + 1.0 * late, twist=-4.0, collar=(0.8 * breath, 0.2 + 1.1 * breath))
        curl_fingers(pose, side, 10.0 + 1.5 * late)
    stand_feet(pose)
    return pose


def wave_pose(phase, seconds=3.0):
    """The right hand says hello, then comes back to where `Idle` starts."""
    pose = Pose()
    t = phase * seconds
    breath, sway = idle_trunk(pose, 0.0)
    up = float(step(0.15, 0.85, np.float64(t)) * (1 - step(2.15, 2.95, np.float64(t))))
    anticipate = 4.0 * math.exp(-((t - 0.16) / 0.10) ** 2) * float(step(0.0, 0.1, np.float64(t)))
    beat = float(step(0.70, 1.0, np.float64(t)) * (1 - step(1.95, 2.3, np.float64(t))))
    wag = beat * math.sin(2 * math.pi * (t - 0.85) / 0.5)
    lag = beat * math.sin(2 * math.pi * (t - 0.93) / 0.5)
    d, _ = pose.world()
    chest = d[INDEX["Spine4"]]
    head = d[INDEX["Head"]]
    set_trunk(pose, d[0], chest @ rz(2.2 * up) @ ry(-3.0 * up), head @ rz(-4.0 * up) @ ry(-5.0 * up) @ rx(-2 * up))
    pose.hips = pose.hips + V(0.012 * up, -0.001 * up, 0)
    late = -1.0
    set_arm(pose, "L", 1.0 + 0.8 * late, 9.0 + 0.9 * late, 10.0 + 1.2 * late, 5.0 + 1.0 * late, -4.0,
            (0.8 * breath, 0.2 + 1.1 * breath))
    raise_arm(pose, up, wag, lag, anticipate)
    curl_fingers(pose, "L", 10.0 + 1.5 * late)
    curl_fingers(pose, "R", (10.0 + 1.5 * late) * (1 - up) - 6.0 * up)
    stand_feet(pose)
    return pose


def raise_arm(pose, up, wag, lag, anticipate):
    """From hanging to the greeting: the elbow wags the forearm, the hand follows late."""
    late = -1.0
    hang = Pose()
    set_arm(hang, "R", 1.0 + 0.8 * late - anticipate, 9.0 + 0.9 * late, 10.0 + 1.2 * late, 5.0 + 1.0 * late, -4.0,
            (-0.8, -0.9))
    hi = Pose()
    set_arm(hi, "R", 14.0, 74.0, 92.0 + 20.0 * wag, -6.0, -76.0, (2.0, 9.0))
    for n in ("Shoulder.R", "UpperArm.R", "LowerArm.R", "Hand.R"):
        a, b = hang.turn[n], hi.turn[n]
        pose.turn[n] = a @ fraction(a.T @ b, up)
    fore = sided(FOREARM_DIR, -1.0)
    pose.turn["UpperArm.R"] = rz(-3.0 * wag) @ pose.turn["UpperArm.R"]
    side_hinge = sided(HAND_PALM, -1.0)
    pose.turn["Hand.R"] = pose.turn["Hand.R"] @ rot(side_hinge, math.radians(13.0 * lag))
    roll = math.radians(-14.0 * up)
    pose.turn["LowerArmTwist.R"] = rot(fore, 0.5 * roll)
    pose.turn["Hand.R"] = rot(fore, roll) @ pose.turn["Hand.R"]


# --- clips ------------------------------------------------------------------------------


def quat(m):
    """Rotation matrix to (x, y, z, w)."""
    t = np.trace(m)
    if t > 0:
        s = math.sqrt(t + 1) * 2
        q = V((m[2, 1] - m[1, 2]) / s, (m[0, 2] - m[2, 0]) / s, (m[1, 0] - m[0, 1]) / s, s / 4)
    else:
        i = int(np.argmax(np.diag(m)))
        j, k = (i + 1) % 3, (i + 2) % 3
        s = math.sqrt(m[i, i] - m[j, j] - m[k, k] + 1) * 2
        q = np.zeros(4)
        q[i], q[j], q[k] = s / 4, (m[j, i] + m[i, j]) / s, (m[k, i] + m[i, k]) / s
        q[3] = (m[k, j] - m[j, k]) / s
    return q / np.linalg.norm(q)


def local_quats(pose):
    d, _ = pose.world()
    out = np.empty((len(NAMES), 4))
    for i in range(len(NAMES)):
        w = d[i] @ REST_ROT[i]
        k = PARENT[i]
        out[i] = quat(w if k < 0 else (d[k] @ REST_ROT[k]).T @ w)
    return out


REST_QUAT = local_quats(Pose())


def bake(name, pose_at, seconds, fps, breath=None):
    n = round(seconds * fps)
    poses = [pose_at(k / n) for k in range(n)]
    poses.append(poses[0])  # the last key is the first one, bit for bit
    q = np.array([local_quats(p) for p in poses])
    for k in range(1, n + 1):  # neighbours on the same half of the sphere
        flip = np.sum(q[k] * q[k - 1], 1) < 0
        q[k, flip] *= -1
    t = (np.arange(n + 1) / fps).astype(np.float32)
    hips = np.array([p.hips for p in poses])
    moving = [i for i in range(len(NAMES))
              if np.ptp(q[:, i], axis=0).max() > 1e-5 or 1 - abs(q[0, i] @ REST_QUAT[i]) > 1e-8]
    clip = {"name": name, "times": t, "hips": hips, "quats": q, "moving": moving}
    if breath:
        clip["weights"] = np.array([breath(k / n) for k in range(n)] + [breath(0.0)])
    return clip


def build_clips():
    return [
        bake("Walk", lambda p: walk_pose(p)[0], 1.0, FPS),
        bake("Idle", idle_pose, 4.0, FPS, breath=lambda p: 0.5 - 0.5 * math.cos(4 * math.pi * p)),
        bake("Wave", wave_pose, 3.0, FPS),
    ]
