"""Half a turn to the left on the spot: four steps, the head ahead, hips and shoulders after it."""

from motion_curve import Keys
from motion_stand import Foot, Performance, STANCE, STAND

D = 1 / 24  # the keys below are in drawings


def curve(*keys, soft=0.05):
    return Keys([(t * D, v) for t, v in keys], soft=soft)


class Turn:
    name, seconds = "Turn", 66 * D

    def __init__(self, sole):
        lx, lz, lyaw = STAND["L"]
        rx, rz, ryaw = STAND["R"]
        self.feet = {
            "L": Foot(sole, "L", [(0, 10 * D, 0, lx, lz), (20 * D, 33 * D, 25 * D, 0.118, -0.070),
                                  (43 * D, 66 * D, 60 * D, -lx, -lz)],
                      pitch=curve((5, 0), (10, -24), (15, -12), (20, 7), (23, 0),
                                  (26, 0), (33, -25), (37, -15), (43, 7), (46, 0)),
                      toe=curve((5, 0), (10, 22), (14, 4), (20, 2), (23, 0),
                                (26, 0), (33, 23), (37, 4), (43, 2), (46, 0)),
                      yaw=curve((0, lyaw), (8, lyaw), (20, 84), (33, 88), (43, 180 + lyaw)), lift=0.105),
            "R": Foot(sole, "R", [(0, 21 * D, 3 * D, rx, rz), (32 * D, 43 * D, 36 * D, 0.085, 0.105),
                                  (53 * D, 66 * D, 60 * D, -rx, -rz)],
                      pitch=curve((11, 0), (21, -30), (26, -16), (32, 6), (35, 0),
                                  (38, 0), (43, -20), (47, -8), (53, 5), (56, 0)),
                      toe=curve((11, 0), (21, 27), (25, 4), (32, 2), (35, 0),
                                (38, 0), (43, 18), (47, 2), (53, 2), (56, 0)),
                      yaw=curve((0, ryaw), (19, ryaw + 6), (32, 132), (43, 136), (53, 180 + ryaw)), lift=0.11),
        }
        self.show = p = Performance(self.seconds, loop=False)

        def k(name, *keys, lag=0.0, soft=0.10, offset=True):
            p.keys(name, *((t * D, v) for t, v in keys), lag=lag * D, soft=soft, offset=offset)

        # Away from the turn first, then the head, the shoulders, the hips; all overshoot and settle.
        k("head_yaw", (0, 0), (4, -4), (16, 62), (22, 78), (36, 150), (47, 186), (54, 178), (60, 180))
        k("chest_yaw", (0, 0), (6, -5), (18, 40), (32, 106), (46, 174), (53, 186), (60, 179), (65, 180))
        k("yaw", (0, 0), (6, -4), (20, 40), (33, 108), (47, 172), (54, 183), (61, 180))
        k("x", (0, 0), (7, -0.130), (12, -0.135), (19, -0.070), (26, 0.078), (32, 0.050), (39, 0.045), (47, -0.120),
          (53, -0.115), (61, -2 * STANCE["x"]), soft=0.12)
        k("z", (0, 0), (8, 0.010), (18, -0.010), (26, -0.055), (33, 0.02), (39, 0.080), (47, 0.015),
          (60, -2 * STANCE["z"]), soft=0.12)
        k("list", (0, 0), (8, -7.0), (15, -7.0), (25, 0.5), (31, 0.0), (38, -7.5), (44, -2.0), (50, 1.5), (60, 0))
        k("chest_list", (0, 0), (9, 4.0), (16, 4.5), (26, 1.0), (38, 5.0), (50, 0.0), (62, 0))
        k("head_list", (0, 0), (14, -4.0), (30, -2.5), (46, -4.0), (58, 0))
        k("head_nod", (0, 0), (6, 4.0), (13, 7.0), (22, 1.0), (33, 5.0), (44, 4.0), (54, 0))
        k("chest_lean", (0, 0), (8, 3.0), (26, 2.0), (44, 3.0), (52, -0.5), (60, 0))
        k("drop", (0, 0), (6, 0.014), (13, 0.006), (21, 0.018), (27, 0.006), (33, 0.018), (38, 0.006), (44, 0.016),
          (50, 0.004), (54, 0.010), (62, 0))
        # Arms hang after the trunk: dragged outwards while it speeds up, swung past when it stops.
        for side, s, late in (("L", 1.0, 0), ("R", -1.0, 1)):
            k(f"out.{side}", (0, 0), (8, 1), (20, 5), (34, 6), (48, 4.5), (56, -1), (63, 0), lag=late)
            k(f"swing.{side}", (0, 0), (8, 2 * s), (19, -8 * s), (30, -3 * s), (40, -7 * s), (53, 8 * s), (60, -2 * s),
              (65, 0), lag=late)
            k(f"elbow.{side}", (0, 0), (10, 2), (22, 6), (36, 5), (50, 6), (58, -2), (64, 0), lag=1 + late)
            k(f"wrist.{side}", (0, 0), (12, 3), (24, -4), (38, 2), (54, -5), (62, 0), lag=2 + late)
            k(f"curl.{side}", (0, 0), (12, 4), (24, -2), (38, 4), (53, -4), (62, 0), lag=3 + late)
            k(f"collar.{side}", (0, 0), (18, -3 * s), (40, -3 * s), (52, 3 * s), (60, 0), lag=late)
        k("knee_out.R", (0, 0), (20, -8), (40, -6), (58, 0))
        p.keys("breath", (0, 0), (0.5, 0.6), (1.4, 0.2), (2.2, 0.55), (2.75, 0.0))
        p.blinks(11 * D, 45 * D)

    def pose(self, t):
        return self.show.pose(t, self.feet)

    def morphs(self, t):
        return self.show.morphs(t)
