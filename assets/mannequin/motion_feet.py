"""Feet on the ground.

A foot that rolls over heel, ball and toes must neither slide nor sink. Rather than guessing pivots,
`Sole` takes the finished skin of the foot, finds the point that touches the ground at each instant
and moves the ankle so that this point stays where it is: rolling without slip, whatever the shape.
"""

import math

import numpy as np

from common import rot, ry, V
from motion_rig import sided
from proportions import FOOT_FWD, FOOT_SIDE, J, SOLE
from rig import INDEX


def foot_turn(s, pitch, yaw=0.0, roll=0.0):
    """A foot's world turn: `pitch` lifts the toes, `yaw` turns it to the left, `roll` lifts its outer edge."""
    side_axis, fwd = sided(FOOT_SIDE, s) * s, sided(FOOT_FWD, s)
    return ry(yaw) @ rot(side_axis, -math.radians(pitch)) @ rot(fwd, math.radians(s * roll))


class Sole:
    """The left foot's skin below the ankle; the right one is its mirror image."""

    def __init__(self, pts, joints, weights):
        low = (pts[:, 0] > 0) & (pts[:, 1] < 0.075)
        self.points = pts[low]
        toe = (weights[low] * (joints[low] == INDEX["Toes.L"])).sum(1)
        self.toe = toe[:, None].astype(float)

    def relative(self, s, turn, toe_turn):
        """The sole's points relative to the ankle."""
        rest = self.points * V(s, 1, 1)
        ankle, ball = J["Foot"] * V(s, 1, 1), J["Toes"] * V(s, 1, 1)
        stiff = (rest - ankle) @ turn.T
        bent = turn @ (ball - ankle) + (rest - ball) @ toe_turn.T
        return stiff * (1 - self.toe) + bent * self.toe

    def height(self, s, turn, toe_turn):
        """How high the ankle is when the lowest point touches the ground."""
        return -self.relative(s, turn, toe_turn)[:, 1].min()

    def roll(self, s, poses, start=None):
        """Ankle places for successive (turn, toe_turn) poses that roll without slip from `start`.

        The first place is (0, height, 0) unless given; heights always touch the ground.
        """
        out = []
        last = None
        x = V(0, 0, 0) if start is None else start * V(1, 0, 1)
        for turn, toe_turn in poses:
            now = self.relative(s, turn, toe_turn)
            if last is not None:
                before = last - last[:, 1].min() * V(0, 1, 0)
                after = now - now[:, 1].min() * V(0, 1, 0)
                # Everything about to touch shares the contact, the nearest most.
                near = np.exp(-(np.maximum(before[:, 1], after[:, 1]) / 0.0004) ** 2)
                if near.sum() < 1e-9:
                    near = (np.arange(len(now)) == np.argmin(before[:, 1] + after[:, 1])).astype(float)
                x = x - (near @ (after - before) / near.sum()) * V(1, 0, 1)
            out.append(x + V(0, -now[:, 1].min(), 0))
            last = now
        return np.array(out)


def flat_ankle(x, z):
    """The ankle above a flat foot whose sole's point below the ankle is at (x, 0, z)."""
    return V(x, J["Foot"][1] - SOLE[1], z)
