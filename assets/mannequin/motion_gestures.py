"""Gestures over the idle stance: a wave, a look around, and an elbow that is broken on purpose."""

import math

from motion_stand import Performance, standing_feet


def tiring(size):
    """The wave's beats: to and fro, each a little smaller and a little slower than the last."""
    shares = ((0.85, 0.0), (1.08, 1.0), (1.30, -1.05), (1.52, 0.95), (1.75, -0.9), (1.99, 0.8), (2.24, -0.65),
              (2.50, 0.4), (2.75, 0.0))
    return [(t, share * size) for t, share in shares]


def both_ways(left, right):
    """A look to the left, to the right and back.

    Each way begins with a hint of the other, goes past its mark and drifts on while it rests.
    """
    return [(0, 0), (0.35, -0.06 * left), (0.85, 1.06 * left), (1.05, left), (2.05, 1.03 * left), (2.22, 1.09 * left),
            (2.95, 1.06 * right), (3.2, right), (4.25, 1.04 * right), (4.42, 1.08 * right), (5.0, -0.03 * right),
            (5.3, 0)]


class Gesture:
    """A looping performance on planted feet."""

    def __init__(self, sole):
        self.feet = standing_feet(sole)
        self.show = Performance(self.seconds, loop=True)
        self.play(self.show)

    def pose(self, t):
        return self.show.pose(t, self.feet)

    def morphs(self, t):
        return self.show.morphs(t)


class Wave(Gesture):
    """Hello with the right hand: a dip first, the elbow leads the hand up, four beats that tire."""

    name, seconds = "Wave", 4.0

    def play(self, p):
        k = lambda name, *keys, **how: p.keys(name, *keys, offset=True, **how)  # noqa: E731
        # The body makes room: down and away first, then up and over to the standing leg.
        k("drop", (0, 0), (0.30, 0.012), (0.75, 0.0), (2.9, 0.0), (3.35, 0.007), (3.9, 0))
        k("x", (0, 0), (0.30, -0.006), (0.95, 0.014), (2.9, 0.012), (3.7, 0))
        k("list", (0, 0), (0.3, -0.8), (1.0, 1.2), (2.9, 1.0), (3.8, 0))
        k("chest_list", (0, 0), (0.30, 1.6), (0.95, -4.6), (1.6, -3.4), (2.8, -4.0), (3.5, 0.8), (3.9, 0))
        k("chest_yaw", (0, 0), (0.30, -2.5), (0.95, 4.5), (2.8, 3.5), (3.6, 0))
        k("chest_lean", (0, 0), (0.32, 2.2), (0.95, -1.8), (2.8, -1.2), (3.4, 1.0), (3.9, 0))
        k("head_list", (0, 0), (0.25, -1.0), (1.05, 6.0), (1.9, 4.0), (2.7, 6.5), (3.6, 0), lag=0.04)
        k("head_yaw", (0, 0), (0.45, -5.0), (2.9, -4.0), (3.8, 0))
        k("head_nod", (0, 0), (0.35, 3.0), (0.9, -3.5), (1.5, -1.5), (2.65, -1.0), (2.95, 4.0), (3.5, 0))
        p.keys("smile", (0.10, 0), (0.75, 1.0), (2.9, 0.95), (3.85, 0))
        p.keys("breath", (0, 0.0), (0.8, 0.9), (2.2, 0.35), (3.0, 0.5), (3.95, 0.0))
        p.blinks(0.32, 3.2)
        # The arm: collar, upper arm, forearm, hand, fingers, each a little after the last.
        k("lift.R", (0, 0), (0.28, -2.5), (0.80, 12.0), (2.75, 10.0), (3.35, -1.0), (3.8, 0))
        k("collar.R", (0, 0), (0.28, 2.0), (0.85, -2.0), (2.75, -1.0), (3.6, 0))
        k("out.R", (0, 0), (0.30, -2.5), (0.92, 49.0), (1.1, 45.0), (2.72, 43.0), (3.38, -2.5), (3.75, 0), lag=0.02)
        k("swing.R", (0, 0), (0.30, -7.0), (0.72, 22.0), (1.05, 12.0), (2.75, 14.0), (3.1, 20.0), (3.48, -4.0),
          (3.9, 0))
        k("twist.R", (0, 0), (0.35, 0.0), (0.95, -80.0), (2.72, -78.0), (3.30, 2.0), (3.7, 0))
        k("elbow.R", (0, 0), (0.30, -6.0), (0.80, 108.0), (1.02, 96.0), (2.7, 97.0), (3.0, 88.0), (3.55, -5.0),
          (3.9, 0), lag=0.03)
        k("wrist.R", (0, 0), (0.35, 10.0), (0.65, 34.0), (1.05, -12.0), (2.7, -10.0), (3.05, -26.0), (3.45, 14.0),
          (3.9, 0))
        k("roll.R", (0, 0), (0.4, 4.0), (1.0, -22.0), (2.75, -20.0), (3.4, 0))
        k("curl.R", (0, 0), (0.40, 10.0), (0.70, 16.0), (1.10, -14.0), (2.7, -12.0), (3.15, 8.0), (3.9, 0), lag=0.04)
        k("spread.R", (0, 0), (0.7, 0.0), (1.10, 4.5), (2.7, 4.0), (3.3, 0))
        k("thumb.R", (0, 0), (0.7, 6.0), (1.1, -8.0), (2.7, -6.0), (3.4, 0))
        p.keys("elbow.R", *tiring(17.0), soft=0.09)
        p.keys("tilt.R", *tiring(-19.0), lag=0.085, soft=0.10)
        p.keys("spread.R", *tiring(1.2), lag=0.14, soft=0.10)
        p.keys("curl.R", *tiring(4.0), lag=0.12, soft=0.10)
        p.keys("out.R", *tiring(-3.5), lag=-0.02, soft=0.10)
        p.keys("chest_list", *tiring(0.5), lag=0.02, soft=0.12)
        # The other arm only keeps the balance.
        k("out.L", (0, 0), (0.32, 1.0), (1.1, 5.0), (2.8, 3.5), (3.8, 0), lag=0.06)
        k("swing.L", (0, 0), (0.4, 1.0), (1.1, -4.0), (2.8, -2.5), (3.7, 0), lag=0.08)
        k("elbow.L", (0, 0), (0.45, 3.0), (1.2, 7.0), (2.9, 4.0), (3.8, 0), lag=0.08)
        k("curl.L", (0, 0), (0.5, 5.0), (1.3, -1.0), (2.9, 3.0), (3.8, 0), lag=0.10)


class LookAround(Gesture):
    """Something to the left? To the right? The head leads, shoulders and hips follow late."""

    name, seconds = "Look around", 5.5

    def play(self, p):
        k = lambda name, *keys, **how: p.keys(name, *keys, offset=True, **how)  # noqa: E731
        k("head_yaw", *both_ways(56.0, -60.0))
        k("chest_yaw", *both_ways(17.0, -21.0), lag=0.14, soft=0.12)
        k("yaw", *both_ways(4.5, -7.0), lag=0.20, soft=0.14)
        # Fast turns of the head go through a low arc.
        k("head_nod", (0, 0), (0.35, 2.0), (0.60, 8.0), (0.95, -2.0), (1.7, -5.0), (2.2, -2.0), (2.6, 9.0), (3.05, 2.0),
          (3.7, 4.5), (4.35, 3.0), (4.7, 7.5), (5.15, 0), soft=0.09)
        k("head_list", (0, 0), (0.9, -3.0), (1.9, -2.0), (2.6, 0.0), (3.2, 3.0), (3.75, 8.0), (4.3, 7.0), (4.9, 0),
          soft=0.12)
        k("x", (0, 0), (0.9, 0.004), (2.1, 0.006), (3.1, -0.040), (4.3, -0.043), (5.15, 0), soft=0.2)
        k("list", (0, 0), (0.9, 0.4), (2.2, 0.4), (3.1, -5.0), (4.35, -5.2), (5.2, 0), soft=0.2)
        k("chest_list", (0, 0), (1.0, -0.8), (2.2, -0.8), (3.2, 3.2), (4.4, 3.0), (5.2, 0), lag=0.06, soft=0.2)
        k("chest_lean", (0, 0), (0.5, -1.0), (1.1, 1.5), (2.2, 1.0), (2.6, -1.0), (3.3, 4.0), (4.3, 4.5), (5.0, 0),
          soft=0.14)
        k("lean", (0, 0), (3.2, 1.5), (4.3, 1.5), (5.1, 0), soft=0.2)
        k("z", (0, 0), (1.1, 0.004), (2.3, 0.0), (3.4, 0.010), (4.4, 0.010), (5.2, 0), soft=0.2)
        for side, s in (("L", 1.0), ("R", -1.0)):
            wind = lambda f: [(t, f * v) for t, v in both_ways(1.0, -1.15)]  # noqa: E731
            k(f"swing.{side}", *wind(-5.0 * s), lag=0.24, soft=0.16)
            k(f"elbow.{side}", *wind(4.0 * s), lag=0.32, soft=0.16)
            k(f"out.{side}", (0, 0), (0.9, 2.0), (2.2, 1.0), (2.9, 2.6), (4.3, 1.2), (5.2, 0), lag=0.2, soft=0.16)
            k(f"lift.{side}", (0, 0), (0.8, 1.2), (2.1, 0.3), (2.8, 1.6), (4.2, 0.8), (5.1, 0), lag=0.10, soft=0.14)
            k(f"wrist.{side}", *wind(3.0 * s), lag=0.40, soft=0.16)
            k(f"curl.{side}", (0, 0), (0.8, 4.0), (1.5, -2.0), (2.7, 5.0), (3.5, -1.0), (4.7, 4.0), (5.3, 0),
              lag=0.12 + 0.05 * s, soft=0.14)
        k("knee_out.L", (0, 0), (2.3, 0.0), (3.2, 6.0), (4.4, 6.0), (5.2, 0), soft=0.2)
        k("knee_out.R", (0, 0), (2.3, 0.0), (3.2, -6.0), (4.4, -6.0), (5.2, 0), soft=0.2)
        p.keys("breath", (0, 0.1), (0.9, 0.7), (2.0, 0.15), (2.9, 0.8), (4.3, 0.1), (5.0, 0.45))
        p.blinks(0.58, 2.56, 3.9, 4.70)


class BrokenElbow(Gesture):
    """The left arm bends and straightens; `FLIP` is the key from which the elbow's quaternions have
    the other sign. The turn they stand for is right; only a player that does not take the short way
    whips the forearm round."""

    name, seconds = "Broken elbow", 3.0
    RATE = 8.0  # keys a second: few enough for the whip to be seen
    JOINT, FLIP = "LowerArm.L", 8

    def play(self, p):
        bend = lambda t: 0.5 - 0.5 * math.cos(2 * math.pi * t / 3.0)  # noqa: E731

        def add(name, curve):  # late as it may be, it begins in the stance
            p.add(name, lambda t: curve(t) - curve(0.0))

        add("elbow.L", lambda t: 104.0 * bend(t))
        add("swing.L", lambda t: 16.0 * bend(t - 0.12))
        add("out.L", lambda t: 3.0 * bend(t - 0.2))
        add("twist.L", lambda t: -6.0 * bend(t))
        add("wrist.L", lambda t: 9.0 * math.sin(2 * math.pi * (t - 0.3) / 3.0))
        add("curl.L", lambda t: 16.0 * bend(t - 0.25))
        add("head_yaw", lambda t: 15.0 * bend(t - 0.1))
        add("head_nod", lambda t: 12.0 * bend(t - 0.1))
        add("chest_yaw", lambda t: -2.0 * bend(t - 0.2))
        add("chest_list", lambda t: -1.5 * bend(t - 0.15))
        add("x", lambda t: -0.004 * bend(t - 0.15))
        add("lift.L", lambda t: 1.5 * bend(t - 0.05))
        p.add("breath", lambda t: bend(t))
