"""The walk: a brisk, confident one; nine drawings a step.

Contact at drawings 0 and 9, passing half-way. Drawing 0 is the left heel's contact.
"""

from common import rx, ry, rz, V
from motion_curve import Spline
from motion_gait import Gait, wave
from motion_rig import curl_fingers, Pose, set_arm, set_trunk, SIDES

PERIOD = 18.0  # drawings
STRIDE = 1.36  # metres a cycle
TRACK = 0.058  # how far each foot's line is from the middle
OFF = 11.0
CONTACT = 0.303  # where a flat foot would have its ankle at heel strike
PASSING = 4.6
KNEE_CONTACT, KNEE_PASSING = 171.0, 175.0

PITCH = Spline([(0, 22.0), (1, 12.5), (2, 4.0), (3, 0.4), (4, 0.0), (5, -0.8), (6, -3.0), (7, -7.0), (8, -14.0),
                (9, -25.0), (10, -43.0), (11, -60.0), (12, -57.5), (13.5, -34.0), (15, -6.0), (16.5, 17.0)], PERIOD)
TOE = Spline([(0, 3.0), (1, 5.0), (2, 2.0), (3, 0.0), (4, 0.0), (5, 0.8), (6, 3.0), (7, 7.0), (8, 14.0), (9, 24.0),
              (10, 33.5), (11, 31.0), (12, 27.0), (13.5, 9.0), (15, 6.0), (16.5, 5.0)], PERIOD)
# drawing, lean, knee, side
SWING = [(12.5, -16.5, 117.5, TRACK), (13.9, 4.0, 113.0, TRACK + 0.005), (15.6, 19.0, 146.0, TRACK),
         (17.0, 19.6, 170.5, TRACK)]


class Walk(Gait):
    name, period, speed = "Walk", PERIOD, STRIDE / PERIOD

    def __init__(self, sole):
        how = {"pitch": PITCH, "toe": TOE, "off": OFF, "still": 4.0, "at": (TRACK, CONTACT - 4.0 * self.speed),
               "swing": SWING, "raised": 0.0006}
        self.low = self.high = 0.9
        rough = self.leg(sole, "L", **how)
        self.low = self.height_for(rough, 0.0, KNEE_CONTACT)
        self.high = self.height_for(rough, PASSING, KNEE_PASSING)
        self.legs = {side: self.leg(sole, side, **how) for side, _ in SIDES}

    def pelvis(self, pose, t, y):
        c = lambda lag, k=1: wave(PERIOD, lag, k)(t)  # noqa: E731
        pose.hips = V(0.021 * c(4.9), y, 0.006 * c(2.6, 2))
        pose.turn["Hips"] = ry(-7.0 * c(0.3)) @ rz(3.6 * c(3.9)) @ rx(2.0 + 1.2 * c(1.5, 2))

    def height(self, t):
        u = wave(PERIOD, PASSING, 2)(t) + 0.06 * wave(PERIOD, PASSING, 4)(t)
        base = -1.0 + 0.06
        return self.low + (self.high - self.low) * (u - base) / (1.06 - base)

    def pose(self, t):
        """The pose at drawing `t`."""
        pose = Pose()
        c = lambda lag, k=1: wave(PERIOD, lag, k)(t)  # noqa: E731
        self.pelvis(pose, t, self.height(t))
        chest = ry(6.5 * c(0.7)) @ rz(-2.2 * c(4.6)) @ rx(1.2 + 1.0 * c(2.2, 2))
        head = ry(0.8 * c(1.2)) @ rz(0.3 * c(5.2)) @ rx(0.6 + 0.6 * c(3.0, 2))
        set_trunk(pose, pose.turn["Hips"], chest, head)
        self.limbs(pose, t)
        return pose

    @staticmethod
    def arm(pose, side, clock):
        """Swings against its leg; elbow, wrist and fingers drag behind by a drawing each."""
        a = lambda lag, k=1: -wave(PERIOD, lag, k)(clock)  # noqa: E731  (+1 forwards)
        set_arm(pose, side, swing=2.0 + 25.0 * a(0.4) - 1.5 * a(0.4, 2), out=8.0 - 1.5 * a(0.8),
                elbow=17.0 + 14.0 * a(1.5), wrist=3.0 - 8.0 * a(5.6), twist=6.0 + 4.0 * a(1.0), roll=6.0 * a(1.8),
                tilt=-2.0 + 4.0 * a(2.4), collar=(4.0 * a(0.6), -0.6 + 0.9 * a(2.4, 2)))
        curl_fingers(pose, side, 13.0 - 5.0 * a(6.8), thumb=6.0 - 2.0 * a(6.8), spread=1.0)
