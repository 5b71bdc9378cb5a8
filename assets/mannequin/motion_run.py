"""The run: four drawings a step, two of them in the air.

Drawing 0 is the left foot's landing, on its ball; 1 takes the weight, 2 pushes off, 3 flies.
"""

from common import rx, ry, rz, V
from motion_curve import Spline
from motion_gait import Gait, wave
from motion_rig import curl_fingers, Pose, set_arm, set_trunk, SIDES

PERIOD = 8.0  # drawings
STRIDE = 1.84  # metres a cycle of a third of a second
TRACK = 0.045
OFF = 2.0
CONTACT = 0.150  # where a flat foot would have its ankle at landing
KNEE_LOAD = 134.0

PITCH = Spline([(0, -7.0), (1, -17.0), (2, -38.0), (3, -76.0), (4, -62.0), (5, -40.0), (6, -16.0), (7, -4.0)], PERIOD)
TOE = Spline([(0, 9.0), (1, 16.5), (2, 23.0), (3, 12.0), (4, 0.0), (5, 0.0), (6, 4.0), (7, 8.0)], PERIOD)
HEIGHT = Spline([(0, -0.012), (1, -0.038), (2, 0.022), (3, 0.050)], PERIOD / 2)  # about the mean
# drawing, lean, knee, side
SWING = [(3.0, -30.0, 116.0, TRACK), (4.0, -4.0, 70.0, TRACK), (5.0, 33.0, 64.0, TRACK + 0.01),
         (6.0, 43.0, 92.0, TRACK + 0.01), (7.0, 33.0, 132.0, TRACK)]


class Run(Gait):
    name, period, speed = "Run", PERIOD, STRIDE / PERIOD

    def __init__(self, sole):
        how = {"pitch": PITCH, "toe": TOE, "off": OFF, "still": 0.5, "at": (TRACK, CONTACT - 0.5 * self.speed),
               "swing": SWING, "raised": 0.0058}
        self.mean = 0.9
        rough = self.leg(sole, "L", **how)
        self.mean += self.height_for(rough, 1.0, KNEE_LOAD) - self.height(1.0)
        self.legs = {side: self.leg(sole, side, **how) for side, _ in SIDES}

    def height(self, t):
        """Falls into the bent knee at drawing 1, flies highest at 3."""
        return self.mean + HEIGHT(t)

    def pelvis(self, pose, t, y):
        c = lambda lag, k=1: wave(PERIOD, lag, k)(t)  # noqa: E731
        pose.hips = V(0.010 * c(1.1), y, 0.008 * c(2.6, 2))
        pose.turn["Hips"] = ry(-11.0 * c(-1.1)) @ rz(3.5 * c(0.9)) @ rx(10.0 + 2.0 * c(2.6, 2))

    def pose(self, t):
        """The pose at drawing `t`."""
        pose = Pose()
        c = lambda lag, k=1: wave(PERIOD, lag, k)(t)  # noqa: E731
        self.pelvis(pose, t, self.height(t))
        chest = ry(13.0 * c(-0.9)) @ rz(-2.5 * c(1.2)) @ rx(13.0 + 2.2 * c(1.4, 2))
        head = ry(1.5 * c(-0.4)) @ rx(4.0 + 1.0 * c(1.8, 2))
        set_trunk(pose, pose.turn["Hips"], chest, head)
        self.limbs(pose, t)
        return pose

    @staticmethod
    def arm(pose, side, clock):
        """Bent at right angles; the elbow closes on the way forwards and opens on the way back."""
        a = lambda lag, k=1: -wave(PERIOD, lag, k)(clock)  # noqa: E731  (+1 forwards)
        set_arm(pose, side, swing=-6.0 + 44.0 * a(-1.3), out=12.0 - 3.0 * a(-1.0), elbow=86.0 + 17.0 * a(-0.7),
                wrist=4.0 - 9.0 * a(1.1), twist=-14.0 + 4.0 * a(-0.9), roll=4.0 * a(-0.3), tilt=4.0 * a(-0.1),
                collar=(7.0 * a(-1.1), 1.5 + 2.0 * a(1.4, 2)))
        curl_fingers(pose, side, 40.0 - 5.0 * a(1.5), thumb=26.0)
