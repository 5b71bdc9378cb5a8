"""Standing: where the feet are, what the body does over them, and the idle.

A performance is a set of named controls, each a curve over seconds. Whatever a clip does not say,
the idle stance says: `STANCE` is the pose in which all these clips begin.
"""

import math

import numpy as np

from common import rx, ry, rz, V
from motion_curve import Keys, Spline
from motion_feet import flat_ankle, foot_turn
from motion_rig import curl_fingers, hip_joint, leg_lengths, plant_leg, Pose, set_arm, set_trunk, SIDES

KNEE = 174.0  # a standing leg's straightest knee
STANCE = {
    "x": 0.036, "z": -0.004, "drop": 0.0, "yaw": 2.0, "list": 4.2, "lean": 0.5,
    "chest_yaw": -1.5, "chest_list": -2.4, "chest_lean": -0.8,
    "head_yaw": 1.0, "head_list": 1.2, "head_nod": 1.5,
    "breath": 0.0, "smile": 0.0, "blink": 0.0,
}
ARM = {  # both arms, unless a side says otherwise
    "swing": 2.0, "out": 9.0, "elbow": 13.0, "wrist": 4.0, "twist": 2.0, "roll": 4.0, "tilt": -2.0,
    "collar": 0.0, "lift": 0.0, "curl": 14.0, "thumb": 7.0, "spread": 1.2, "knee_out": 2.0,
}
ARM_SIDES = {"L": {"out": 9.5, "swing": 1.0, "curl": 15.0},
    "R": {"elbow": 16.0, "swing": 4.0, "curl": 12.0, "knee_out": 9.0}}
STAND = {"L": (0.100, -0.020, 3.0), "R": (-0.112, 0.012, -9.0)}  # ankle across, ankle forwards, extra yaw


def default(name):
    """A control's value in the stance."""
    if name in STANCE:
        return STANCE[name]
    key, side = name.split(".")
    return ARM_SIDES[side].get(key, ARM[key])


class Performance:
    """Controls by name; `add` layers a curve of offsets over what is there."""

    def __init__(self, seconds, loop):
        self.seconds, self.loop = seconds, loop
        self.layers = {}

    def keys(self, name, *keys, lag=0.0, soft=0.07, offset=False):
        """A curve through (seconds, value) keys; with `offset` the values count from the stance."""
        base = default(name) if offset else 0.0
        keys = [(t, v + base) for t, v in keys]
        self.layers.setdefault(name, []).append(Keys(keys, self.seconds if self.loop else None, lag, soft))

    def add(self, name, function):
        self.layers.setdefault(name, []).append(lambda t: function(t))
        if len(self.layers[name]) == 1:
            base = default(name)
            self.layers[name].insert(0, lambda t: base)

    def sway(self, name, size, period, lag):
        """A sine that starts from the stance, `lag` seconds after its own start."""
        wave = lambda t: math.sin(2 * math.pi * (t - lag) / period)  # noqa: E731
        self.add(name, lambda t: size * (wave(t) - wave(0.0)))

    def __call__(self, name, t):
        layers = self.layers.get(name)
        return sum(f(t) for f in layers) if layers else default(name)

    def pose(self, t, feet):
        """The pose at `t` seconds over feet given as {side: Foot}."""
        g = lambda n: self(n, t)  # noqa: E731
        pose = Pose()
        pelvis = ry(g("yaw")) @ rz(g("list")) @ rx(g("lean"))
        chest = ry(g("chest_yaw")) @ rz(g("chest_list")) @ rx(g("chest_lean"))
        head = ry(g("head_yaw")) @ rz(g("head_list")) @ rx(g("head_nod"))
        set_trunk(pose, pelvis, chest, head)
        ankles = {side: feet[side].ankle(t) for side, _ in SIDES}
        pose.hips = V(g("x"), 0.0, g("z"))
        pose.hips[1] = g("height") if "height" in self.layers else standing_height(pose, ankles) - g("drop")
        for side, _ in SIDES:
            a = lambda n, s=side: self(f"{n}.{s}", t)  # noqa: E731
            set_arm(pose, side, a("swing"), a("out"), a("elbow"), a("wrist"), a("twist"), (a("collar"), a("lift")),
                    a("roll"), a("tilt"))
            curl_fingers(pose, side, a("curl"), a("thumb"), a("spread"), cascade=2.5)
            plant_leg(pose, side, ankles[side], *feet[side].turns(t), knee_out=a("knee_out"))
        return pose

    def morphs(self, t):
        """Breath, smile and closed eyes, each 0 to 1."""
        return [min(max(self(n, t), 0.0), 1.0) for n in ("breath", "smile", "blink")]

    def blinks(self, *times):
        """Closes the eyes in two drawings and opens them in four, at each of the times."""
        frame = 1 / 24
        keys = [(0.0, 0.0)]
        for t in times:
            keys += [(t - 2 * frame, 0.0), (t, 1.0), (t + frame, 1.0), (t + 4 * frame, 0.0)]
        self.keys("blink", *keys, (self.seconds - 0.01, 0.0), soft=0.02)

    def breathe(self, period, depth=1.0, lag=0.0):
        """In a little faster than out; ribs, collars and arms follow."""
        def breath(t):
            u = ((t - lag) % period) / period
            return 0.5 - 0.5 * math.cos(2 * math.pi * (u ** 0.86 if u > 0 else 0.0))
        self.add("breath", lambda t: depth * breath(t))
        self.add("chest_lean", lambda t: -1.1 * depth * breath(t))
        self.add("head_nod", lambda t: 0.5 * depth * breath(t))
        for side, _ in SIDES:
            self.add(f"lift.{side}", lambda t: 1.3 * depth * breath(t))
            self.add(f"collar.{side}", lambda t: -0.8 * depth * breath(t))
            self.add(f"out.{side}", lambda t: 0.8 * depth * breath(t - 0.12))


def standing_height(pose, ankles):
    """The hips' height at which the leg with less to spare is as good as straight.

    A soft minimum of both legs' limits, so that nothing jerks when the weight changes over.
    """
    soft = 0.004
    limits = []
    for side, _ in SIDES:
        _, _, l1, l2 = leg_lengths(side)
        reach2 = l1 * l1 + l2 * l2 - 2 * l1 * l2 * math.cos(math.radians(KNEE))
        hip, a = hip_joint(pose, side), ankles[side]
        limits.append(a[1] - hip[1] + pose.hips[1] + math.sqrt(reach2 - (hip[0] - a[0]) ** 2 - (hip[2] - a[2]) ** 2))
    low = min(limits)
    return low - soft * math.log(sum(math.exp((low - y) / soft) for y in limits))


class Foot:
    """A foot that stands and steps. `plants` are (from, to, still, x, z): on the ground between two
    seconds, with its flat ankle at (x, z) at the second `still`. `pitch`, `toe`, `yaw` are curves;
    `lift` is how high the ankle rises on the way."""

    FINE = 1 / 480

    def __init__(self, sole, side, plants, pitch=None, toe=None, yaw=None, lift=0.10):
        self.s = 1.0 if side == "L" else -1.0
        zero = lambda t: 0.0  # noqa: E731
        self.pitch, self.toe, self.yaw = pitch or zero, toe or zero, yaw or zero
        self.spans = []
        for start, end, still, x, z in plants:
            clock = np.linspace(start, end, max(int((end - start) / self.FINE), 1) + 1)
            path = sole.roll(self.s, [self.turns(t) for t in clock])
            k = int(np.argmin(np.abs(clock - still)))
            path = path + flat_ankle(x, z) * V(1, 0, 1) - path[k] * V(1, 0, 1)
            self.spans.append((clock, path))
        self.moves = []
        for (c0, p0), (c1, p1) in zip(self.spans, self.spans[1:]):
            leave, meet = (p0[-1] - p0[-2]) / self.FINE, (p1[1] - p1[0]) / self.FINE
            t0, t1 = c0[-1], c1[0]
            up = V(0, 1, 0)
            way = [(t0, p0[-1]), (t0 + 0.45 * (t1 - t0), p0[-1] + 0.46 * (p1[0] - p0[-1])),
                   (t1, p1[0])]
            way[1] = (way[1][0], way[1][1] * V(1, 0, 1) + up * (max(p0[-1][1], p1[0][1]) + lift - 0.06))
            self.moves.append(Spline(way, slopes=(leave, meet)))

    def turns(self, t):
        pitch, yaw = self.pitch(t), self.yaw(t)
        return foot_turn(self.s, pitch, yaw), foot_turn(self.s, pitch + self.toe(t), yaw)

    def ankle(self, t):
        for i, (clock, path) in enumerate(self.spans):
            if t <= clock[-1] or i == len(self.spans) - 1:
                if t >= clock[0] or i == 0:
                    return V(*(np.interp(t, clock, path[:, k]) for k in range(3)))
                return self.moves[i - 1](t)
        raise AssertionError("the last span ends the search")


def standing_feet(sole):
    """Both feet flat where the stance has them."""
    out = {}
    for side, _ in SIDES:
        x, z, yaw = STAND[side]
        out[side] = Foot(sole, side, [(0.0, 0.01, 0.0, x, z)], yaw=lambda t, yaw=yaw: yaw)
    return out


class Idle:
    name, seconds = "Idle", 8.0

    def __init__(self, sole):
        self.feet = standing_feet(sole)
        self.show = p = Performance(self.seconds, loop=True)
        shift = lambda a, b: ((0.0, a), (2.9, a), (4.15, b), (6.5, b), (7.7, a))  # noqa: E731
        # The hips go first, the rib cage answers, the head comes last and stays upright.
        p.keys("x", (0.0, 0.036), (2.6, 0.038), (3.1, 0.041), (4.25, -0.038), (4.8, -0.034), (6.3, -0.038),
               (7.6, 0.037), soft=0.3)
        p.keys("z", (0.0, -0.004), (2.2, -0.001), (4.2, -0.006), (6.0, -0.002), soft=0.4)
        p.keys("list", *shift(4.2, -4.0), lag=0.03, soft=0.3)
        p.keys("yaw", *shift(2.0, -2.4), lag=0.05, soft=0.3)
        p.keys("chest_list", *shift(-2.4, 2.1), lag=0.10, soft=0.3)
        p.keys("chest_yaw", *shift(-1.5, 1.6), lag=0.16, soft=0.3)
        p.keys("head_list", *shift(1.2, -1.4), lag=0.22, soft=0.3)
        p.keys("head_yaw", (0.0, 1.0), (1.2, 2.2), (2.9, 1.4), (3.7, -5.0), (5.2, -6.2), (6.4, -4.6), (7.4, 2.4),
               soft=0.3)
        p.sway("head_nod", 0.7, 8 / 3, 0.0)
        p.keys("knee_out.L", *shift(2.0, 8.0), soft=0.4)
        p.keys("knee_out.R", *shift(9.0, 3.0), soft=0.4)
        p.breathe(4.0)
        for side, s in SIDES:
            late = 0.0 if s > 0 else 0.35  # never both hands at once
            p.sway(f"swing.{side}", 1.3, 8, 0.3 + late)
            p.sway(f"elbow.{side}", 1.6, 4, 0.6 + late)
            p.sway(f"wrist.{side}", 2.0, 4, 0.9 + late)
            p.sway(f"roll.{side}", 2.0, 8, 1.2 + late)
            p.add(f"out.{side}", lambda t, s=s: -1.2 * s * (self.show("x", t - 0.15) - STANCE["x"]) / 0.075)
        p.keys("curl.L", (0.0, 15.0), (1.5, 12.0), (3.4, 17.0), (4.6, 13.0), (6.6, 18.0), soft=0.3)
        p.keys("curl.R", (0.0, 12.0), (1.1, 14.0), (2.6, 11.0), (5.1, 22.0), (5.7, 13.0), (7.0, 11.0), soft=0.25)
        p.keys("thumb.R", (0.0, 7.0), (5.2, 13.0), (6.0, 6.0), soft=0.25)
        p.blinks(1.3, 3.35, 5.95, 6.25)

    def pose(self, t):
        return self.show.pose(t, self.feet)

    def morphs(self, t):
        return self.show.morphs(t)
