"""Clips: their order, and the baking of poses into keys."""

import numpy as np

from motion_gait import FPS
from motion_feet import Sole
from motion_gestures import BrokenElbow, LookAround, Wave
from motion_rig import local_quats, REST_QUAT, set_twists
from motion_walk import Walk
from motion_run import Run
from motion_sit import Sit
from motion_stand import Idle
from motion_turn import Turn
from rig import INDEX, NAMES


def bake(name, pose_at, drawings, loop=True, morphs=None, speed=None, rate=FPS):
    """Keys at every drawing, or `rate` a second. `pose_at` and `morphs` are functions of the drawing."""
    times = np.arange(0, drawings + 1e-6, FPS / rate)
    poses = [pose_at(float(k)) for k in times[:-1]]
    poses.append(poses[0] if loop else pose_at(float(drawings)))  # a loop ends as it began, bit for bit
    for pose in poses:
        set_twists(pose)
    q = np.array([local_quats(p) for p in poses])
    for k in range(1, len(q)):  # neighbours on the same half of the sphere
        q[k, np.sum(q[k] * q[k - 1], 1) < 0] *= -1
    moving = [i for i in range(len(NAMES))
              if np.ptp(q[:, i], axis=0).max() > 1e-5 or 1 - abs(q[0, i] @ REST_QUAT[i]) > 1e-8]
    clip = {"name": name, "times": (times / FPS).astype(np.float32), "hips": np.array([p.hips for p in poses]),
            "quats": q, "moving": moving}
    if morphs:
        rows = [morphs(float(k)) for k in times[:-1]]
        clip["weights"] = np.array(rows + [rows[0] if loop else morphs(float(drawings))])
    if speed:
        clip["extras"] = {"groundSpeed": round(speed, 6)}
    return clip


def build_clips(pts, joints, weights):
    """All clips; the first is the one that plays when the character is shown."""
    sole = Sole(pts, joints, weights)
    clips = [bake(gait.name, gait.pose, round(gait.period), speed=gait.speed * FPS) for gait in (Walk(sole), Run(sole))]

    def perform(clip, loop=True, rate=FPS):
        return bake(clip.name, lambda k: clip.pose(k / FPS), round(clip.seconds * FPS), loop,
                    lambda k: clip.morphs(k / FPS), rate=rate)

    clips += [perform(Idle(sole)), perform(Turn(sole), loop=False), perform(Wave(sole)), perform(LookAround(sole)),
              perform(Sit(sole), loop=False)]
    broken = perform(BrokenElbow(sole), rate=BrokenElbow.RATE)
    broken["quats"][BrokenElbow.FLIP:, INDEX[BrokenElbow.JOINT]] *= -1
    return clips + [broken]
