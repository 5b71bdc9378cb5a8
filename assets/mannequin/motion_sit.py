"""Sits down on a stool that is not there: weight forwards, hips back, hands to the thighs, settle."""

import numpy as np

from common import fraction, unit, V
from motion_curve import Keys
from motion_rig import reach_arm, SIDES
from motion_stand import Performance, STANCE, standing_feet
from proportions import J
from rig import INDEX

STOOL = 0.45  # its height
FLESH = 0.082  # from the hip joint down to the stool
BACK = -0.385  # how far behind the feet the hips end
ON_THIGH = (0.53, 0.088, 0.012)  # wrist: share of the way to the knee, above the bone, outwards


class Sit:
    name, seconds = "Sit down", 72 / 24

    def __init__(self, sole):
        self.feet = standing_feet(sole)
        plain = Performance(self.seconds, loop=False)
        top = plain.pose(0.0, self.feet).hips[1]
        seat = STOOL + FLESH + J["Hips"][1] - J["UpperLeg"][1]
        self.show = p = Performance(self.seconds, loop=False)

        def k(name, *keys, lag=0.0, soft=0.12):
            p.keys(name, *keys, lag=lag, soft=soft, offset=True)

        # A breath up before going down; quick in the middle, slow before the stool takes over.
        p.keys("height", (0.0, top), (0.30, top), (0.55, top - 0.020), (1.36, seat + 0.012), (1.52, seat - 0.014),
               (1.78, seat + 0.003), (2.05, seat), soft=0.16)
        p.keys("z", (0.0, STANCE["z"]), (0.26, STANCE["z"] + 0.010), (1.30, BACK - 0.008), (1.62, BACK + 0.004),
               (2.1, BACK), soft=0.16)
        k("x", (0, 0), (0.6, -STANCE["x"] * 1.15), (2.0, -STANCE["x"]))
        k("yaw", (0, 0), (0.7, -2.5), (1.5, -1.5), (2.2, -2.0))
        k("list", (0, 0), (0.7, -4.6), (1.5, -3.8), (2.0, -4.2))
        k("lean", (0, 0), (0.28, -1.0), (1.00, 27.0), (1.40, 18.0), (2.05, -9.5), (2.5, -7.5))
        k("chest_lean", (0, 0), (0.28, -2.5), (1.02, 43.0), (1.45, 36.0), (2.15, 0.5), (2.65, 3.0), lag=0.03)
        k("chest_list", (0, 0), (0.7, 2.8), (1.6, 1.8), (2.3, 2.6))
        k("chest_yaw", (0, 0), (0.45, -7.0), (1.0, 2.0), (2.2, 1.5))
        # A glance at where the stool should be, then eyes front, head last to come up.
        k("head_yaw", (0, 0), (0.38, -26.0), (0.62, -24.0), (1.15, 0.0), (1.9, 3.0), (2.6, 1.0), soft=0.10)
        k("head_nod", (0, 0), (0.40, 15.0), (0.75, 16.0), (1.20, 10.0), (1.55, 13.0), (2.25, -2.5), (2.75, 0.5),
          lag=0.05)
        k("head_list", (0, 0), (0.42, 4.0), (1.1, -1.0), (2.2, 0.0))
        k("knee_out.L", (0, 0), (1.3, 9.0), (2.0, 8.0))
        k("knee_out.R", (0, 0), (1.3, 4.0), (2.0, 3.0))
        # Arms swing forwards against the hips, then the hands take some of the weight.
        for side, late in (("L", 0.0), ("R", 0.07)):
            k(f"swing.{side}", (0, 0), (0.30, -6.0), (0.80, 38.0), (1.4, 52.0), (2.2, 30.0), lag=late)
            k(f"elbow.{side}", (0, 0), (0.32, 2.0), (0.85, 20.0), (1.4, 46.0), (2.2, 50.0), lag=late)
            k(f"out.{side}", (0, 0), (0.9, 5.0), (2.2, 4.0), lag=late)
            k(f"lift.{side}", (0, 0), (0.35, 1.5), (1.25, 4.0), (1.5, 7.0), (1.95, -1.5), (2.5, 0.0), lag=late)
            k(f"collar.{side}", (0, 0), (1.2, 6.0), (2.2, 1.0), lag=late)
            k(f"curl.{side}", (0, 0), (0.75, -6.0), (1.0, 2.0), (1.5, -2.0), (2.3, 5.0), lag=0.08 + late)
            k(f"spread.{side}", (0, 0), (0.9, 3.0), (1.6, 3.5), (2.5, 1.0), lag=late)
            k(f"thumb.{side}", (0, 0), (1.0, 8.0), (2.4, 6.0), lag=late)
        p.keys("breath", (0, 0.0), (0.5, 0.8), (1.1, 0.6), (1.5, 0.75), (2.5, 0.0), (3.0, 0.1))
        p.keys("smile", (1.9, 0.0), (2.6, 0.35))
        p.blinks(0.20, 0.72, 1.48)
        self.touch = {side: Keys([(0.62 + late, 0.0), (1.08 + late, 1.0)], soft=0.14)
                      for side, late in (("L", 0.0), ("R", 0.09))}
        # While the trunk is over them the hands are a little higher up the thighs.
        self.slide = Keys([(1.0, -0.06), (1.5, -0.01), (2.25, 0.0)], soft=0.14)

    def pose(self, t):
        pose = self.show.pose(t, self.feet)
        for side, s in SIDES:
            hold = self.touch[side](t)
            if hold > 0.0:
                self.rest_hand(pose, side, s, t, hold)
        return pose

    def rest_hand(self, pose, side, s, t, hold):
        """Lays the hand on its thigh, by as much as `hold`."""
        names = [f"{n}.{side}" for n in ("UpperArm", "LowerArm", "Hand")]
        free = [pose.turn[n] for n in names]
        _, pos = pose.world()
        hip, knee = pos[INDEX[f"UpperLeg.{side}"]], pos[INDEX[f"LowerLeg.{side}"]]
        along = unit(knee - hip)
        across = unit(np.cross(V(0, 1, 0), along)) * s  # outwards
        up = unit(np.cross(along, across) * s)
        share, above, out = ON_THIGH
        wrist = hip + (share + self.slide(t)) * (knee - hip) + above * up + out * across
        fingers = unit(along - 0.42 * up - 0.22 * across)
        reach_arm(pose, side, wrist, V(s * 0.75, -0.15, -0.65), palm=-up - 0.18 * across, along=fingers)
        for n, turn in zip(names, free):
            pose.turn[n] = turn @ fraction(turn.T @ pose.turn[n], hold)

    def morphs(self, t):
        return self.show.morphs(t)
