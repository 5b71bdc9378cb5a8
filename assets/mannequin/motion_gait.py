"""What walk and run share: a leg's journey through one cycle, and the trunk and arms over it.

Time is counted in drawings (1/24 s). Each leg's clock starts at its own contact.
"""

import math

import numpy as np

from common import V
from motion_curve import Spline
from motion_feet import foot_turn
from motion_rig import hip_joint, knee_angle, leg_lengths, plant_leg, Pose, SIDES

FPS = 24.0


def wave(period, lag, k=1):
    """A cosine of the cycle's k-th harmonic that peaks at drawing `lag`."""
    return lambda t: math.cos(2 * math.pi * k * (t - lag) / period)


class Leg:
    """Ankle, foot and toes of one leg over a cycle, on ground that moves back `speed` per drawing.

    `pitch` and `toe` are curves of the foot's and the toes' lift over the whole cycle, `off` is the
    drawing at which the foot leaves the ground, `still` one at which the ankle is above `at`
    (side, forwards). `hip` is the leg's joint as a function of the drawing: the swing is drawn
    as (drawing, degrees that the leg leans forwards, knee angle, side), so a knee cannot pop.
    `raised` lifts the standing foot: limbs that turn evenly from key to key bulge outwards between
    them, and half of that error is better at the keys than all of it between them.
    """

    FINE = 0.05

    def __init__(self, sole, side, period, speed, pitch, toe, off, still, at, swing, yaw=0.0,
                 hip=None, raised=0.0):
        self.side, self.s = side, 1.0 if side == "L" else -1.0
        self.period, self.off, self.yaw, self.hip = period, off, yaw, hip
        self.pitch, self.toe = pitch, toe
        n = int(round(off / self.FINE))
        self.clock = np.linspace(0.0, off, n + 1)
        rolled = sole.roll(self.s, [self.turns(t) for t in self.clock])
        k = int(round(still / off * n))
        self.stance = rolled + V(self.s * at[0] - rolled[k][0], raised, at[1] - rolled[k][2])
        self.stance[:, 2] -= speed * (self.clock - self.clock[k])
        h = self.clock[1]
        ends = [self.measures(t, self.stance[i]) for t, i in ((off - h, -2), (off, -1), (0.0, 0), (h, 1))]
        keys = [(off, ends[1])] + [(t, V(a, b, c)) for t, a, b, c in swing] + [(period, ends[2])]
        self.swing = Spline(keys, slopes=((ends[1] - ends[0]) / h, (ends[3] - ends[2]) / h))

    def measures(self, t, ankle):
        """Lean, knee angle and side of a leg that reaches this ankle."""
        hip = self.hip(t)
        lean = math.degrees(math.atan2(ankle[2] - hip[2], hip[1] - ankle[1]))
        return V(lean, knee_angle(hip, ankle, self.side), self.s * ankle[0])

    def turns(self, t):
        pitch = self.pitch(t % self.period)
        turn = foot_turn(self.s, pitch, self.yaw)
        return turn, foot_turn(self.s, pitch + self.toe(t % self.period), self.yaw)

    def ankle(self, t):
        t %= self.period
        if t <= self.off:
            return V(*(np.interp(t, self.clock, self.stance[:, k]) for k in range(3)))
        lean, knee, side = self.swing(t)
        hip, x = self.hip(t), self.s * side
        _, _, l1, l2 = leg_lengths(self.side)
        dist2 = l1 * l1 + l2 * l2 - 2 * l1 * l2 * math.cos(math.radians(knee))
        reach = math.sqrt(dist2 - (x - hip[0]) ** 2)
        return V(x, hip[1] - reach * math.cos(math.radians(lean)), hip[2] + reach * math.sin(math.radians(lean)))


def bisect(f, lo, hi):
    """The root of an increasing function."""
    for _ in range(60):
        mid = 0.5 * (lo + hi)
        lo, hi = (mid, hi) if f(mid) < 0 else (lo, mid)
    return 0.5 * (lo + hi)


class Gait:
    """Both legs under one pelvis. A kind of gait gives `period`, `speed` (metres per drawing),
    `pelvis(pose, t, y)`, `height(t)` and `arm(pose, side, clock)`."""

    def leg(self, sole, side, **how):
        return Leg(sole, side, self.period, self.speed, hip=lambda t: self.hip(t, side), **how)

    def clock(self, t, side):
        """A side's own drawing: the right follows the left by half a cycle."""
        return t if side == "L" else t + self.period / 2

    def hip(self, clock, side):
        """The leg's joint at its own drawing."""
        pose = Pose()
        t = self.clock(clock, side)
        self.pelvis(pose, t, self.height(t))
        return hip_joint(pose, side)

    def height_for(self, leg, t, knee):
        """The hips' height at which the left knee has this angle on the ground."""
        def error(y):
            pose = Pose()
            self.pelvis(pose, t, y)
            return knee_angle(hip_joint(pose, "L"), leg.ankle(t), "L") - knee
        return bisect(error, 0.70, 0.99)

    def limbs(self, pose, t):
        for side, _ in SIDES:
            clock, leg = self.clock(t, side), self.legs[side]
            self.arm(pose, side, clock)
            plant_leg(pose, side, leg.ankle(clock), *leg.turns(clock))
