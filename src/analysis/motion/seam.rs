//! Whether a clip ends as it begins.
//!
//! Compared are the poses at 0 and at the last key, each joint relative to its parent
//! for angles and in the world for places. A clip that *travels*, such as a walk that
//! goes somewhere, or turns round, would differ everywhere: places are then taken relative to the joint
//! that carries the motion, and that joint is spoken of by itself.

use glam::{DQuat, DVec3, Mat3, Mat4, Quat};

use super::{clip::Motion, turns::degrees_between, words};
use crate::{
    anim::{Globals, Local, Modes, Pose, globals, sample},
    document::{Finding, FindingCode, JointTracks, Severity},
    math::quat,
};

const MAX_DEGREES: f64 = 5.0;
/// Of the rig's height.
const MAX_TRAVEL: f64 = 0.01;
/// Least |cosine| between the vertical and the axis of a character that turns round.
const UPRIGHT: f64 = 0.9;

/// The clip's pose at one time.
struct Still {
    pose: Pose,
    globals: Globals,
}

impl Still {
    fn new(motion: &Motion<'_>, time_secs: f32) -> Self {
        let mut still = Self {
            pose: Pose::default(),
            globals: Globals::default(),
        };
        let (document, modes) = (motion.document, Modes::default());
        sample(motion.clip, document, time_secs, &modes, &mut still.pose);
        globals(&document.skeleton, &still.pose, &mut still.globals);
        still
    }

    /// Relative to the parent; `None` where there is no telling.
    fn rotation(&self, joint: usize) -> Option<Quat> {
        match self.pose.local(joint) {
            Local::Trs(transform) => Some(quat::normalize_or(transform.rotation, Quat::IDENTITY)),
            Local::Matrix(matrix) => rotation_of(matrix),
        }
    }

    fn place(&self, joint: usize) -> DVec3 {
        self.globals.affines()[joint].translation().as_dvec3()
    }
}

/// The rotation in a matrix, if it has one: of its first two axes.
fn rotation_of(matrix: Mat4) -> Option<Quat> {
    let x = matrix.x_axis.truncate().try_normalize()?;
    let z = x.cross(matrix.y_axis.truncate()).try_normalize()?;
    Some(Quat::from_mat3(&Mat3::from_cols(x, z.cross(x), z)))
}

/// How a joint's last pose differs from its first.
#[derive(Debug, Clone, Copy, Default)]
struct Gap {
    degrees: f64,
    /// World units.
    travel: f64,
}

impl Gap {
    fn is_open(&self, height: f64) -> bool {
        self.degrees > MAX_DEGREES || self.travels(height)
    }

    fn travels(&self, height: f64) -> bool {
        height > 0.0 && self.travel > height * MAX_TRAVEL
    }

    /// What of it is open: `35.0° and 0.31 m (16 % of the height)`.
    fn text(&self, height: f64) -> String {
        let mut parts = Vec::new();
        if self.degrees > MAX_DEGREES {
            parts.push(words::degrees(self.degrees));
        }
        if self.travels(height) {
            let percent = words::number(100.0 * self.travel / height, 0);
            let metres = words::metres(self.travel);
            parts.push(format!("{metres} ({percent} % of the height)"));
        }
        parts.join(" and ")
    }
}

/// The joint that carries a clip's motion through the world, and how it moved.
struct Root {
    joint: usize,
    gap: Gap,
    first: Frame,
    last: Frame,
}

/// Where a joint is in the world, and how it is turned; its scale left out.
#[derive(Debug, Clone, Copy)]
struct Frame {
    origin: DVec3,
    turn: DQuat,
}

impl Frame {
    fn new(still: &Still, joint: usize) -> Self {
        let turn = rotation_of(still.globals.world(joint)).unwrap_or(Quat::IDENTITY);
        Self {
            origin: still.place(joint),
            turn: turn.as_dquat().normalize(),
        }
    }

    /// A place in the world as seen from here.
    fn relative(&self, place: DVec3) -> DVec3 {
        self.turn.inverse() * (place - self.origin)
    }
}

pub(super) fn check(motion: &Motion<'_>) -> Option<Finding> {
    let end_secs = motion.clip.duration_secs;
    if end_secs <= 0.0 || motion.clip.joints.is_empty() {
        return None;
    }
    let (first, last) = (Still::new(motion, 0.0), Still::new(motion, end_secs));
    let roots = find_roots(motion, &first, &last);
    let joints = &motion.document.skeleton.joints;
    // Whether the clip moves the joint, by itself or from above, and the root it hangs on.
    let mut moved = vec![false; joints.len()];
    for tracks in &motion.clip.joints {
        moved[tracks.joint()] = true;
    }
    let mut root_of: Vec<Option<&Root>> = vec![None; joints.len()];
    for root in &roots {
        root_of[root.joint] = Some(root);
    }
    let mut gaps: Vec<(usize, Gap)> = Vec::new();
    for (joint, parent) in joints.iter().map(|joint| joint.parent).enumerate() {
        if let Some(parent) = parent {
            moved[joint] |= moved[parent];
            root_of[joint] = root_of[joint].or(root_of[parent]);
        }
        let root = root_of[joint];
        let counts = moved[joint] && !motion.roles.ignored[joint];
        if counts && root.is_none_or(|root| root.joint != joint) {
            let gap = gap(&first, &last, joint, root);
            if gap.is_open(motion.height) {
                gaps.push((joint, gap));
            }
        }
    }
    finding(motion, &roots, &gaps)
}

fn gap(first: &Still, last: &Still, joint: usize, root: Option<&Root>) -> Gap {
    let degrees = match (first.rotation(joint), last.rotation(joint)) {
        (Some(a), Some(b)) => degrees_between(a, b),
        _ => 0.0,
    };
    let (from, to) = (first.place(joint), last.place(joint));
    let travel = match root {
        Some(root) => (root.first.relative(from)).distance(root.last.relative(to)),
        None => from.distance(to),
    };
    Gap {
        degrees,
        // Beyond all numbers: no distance to speak of.
        travel: if travel.is_finite() { travel } else { 0.0 },
    }
}

/// The joints that carry others through the world, at most one in each tree. Going down
/// from the top of the skinned joints that the clip keys: the first that ends elsewhere
/// than it began, or turned about the vertical. Where the way forks before, no one joint
/// carries the others.
fn find_roots(motion: &Motion<'_>, first: &Still, last: &Still) -> Vec<Root> {
    let document = motion.document;
    let joints = &document.skeleton.joints;
    let mut skinned = vec![false; joints.len()];
    for &joint in document.skins.iter().flat_map(|skin| &skin.joints) {
        skinned[joint as usize] = true;
    }
    let mut keyed = vec![false; joints.len()];
    // Keyed skinned joints in each subtree.
    let mut below = vec![0_usize; joints.len()];
    for joint in motion.clip.joints.iter().map(JointTracks::joint) {
        keyed[joint] = true;
        below[joint] = usize::from(skinned[joint]);
    }
    for joint in (0..joints.len()).rev() {
        if let Some(parent) = joints[joint].parent {
            below[parent] += below[joint];
        }
    }
    let children = document.skeleton.children();
    let tops = (0..joints.len()).filter(|&joint| joints[joint].parent.is_none());
    tops.filter_map(|top| {
        let mut joint = top;
        // One joint alone carries no others.
        while below[joint] > 1 {
            // What ends elsewhere by its own doing either carries all below or nothing does.
            if keyed[joint] && gap(first, last, joint, None).is_open(motion.height) {
                return Root::new(motion, first, last, joint);
            }
            let mut ways = children[joint].iter().filter(|&&child| below[child] > 0);
            match (ways.next(), ways.next()) {
                (Some(&only), None) => joint = only,
                _ => return None,
            }
        }
        None
    })
    .collect()
}

impl Root {
    fn new(motion: &Motion<'_>, first: &Still, last: &Still, joint: usize) -> Option<Self> {
        let gap = gap(first, last, joint, None);
        let [from, to] = [first, last].map(|still| Frame::new(still, joint));
        let turn = to.turn * from.turn.inverse();
        let (axis, _) = turn.to_axis_angle();
        let turns = gap.degrees > MAX_DEGREES && axis.y.abs() > UPRIGHT;
        (gap.travels(motion.height) || turns).then_some(Self {
            joint,
            gap,
            first: from,
            last: to,
        })
    }
}

fn finding(motion: &Motion<'_>, roots: &[Root], gaps: &[(usize, Gap)]) -> Option<Finding> {
    let label = motion.label();
    // An angle is a joint's own doing, a place may be that of any joint above it.
    let worst = gaps.iter().max_by(|(_, a), (_, b)| {
        let own = |gap: &Gap| {
            if gap.degrees > MAX_DEGREES {
                gap.degrees
            } else {
                0.0
            }
        };
        (own(a).total_cmp(&own(b))).then(a.travel.total_cmp(&b.travel))
    });
    let farthest = gaps.iter().map(|(_, gap)| gap.travel).fold(0.0, f64::max);
    let root = roots
        .iter()
        .max_by(|a, b| a.gap.travel.total_cmp(&b.gap.travel));
    let carried = root.map(|root| {
        let how = if root.gap.travels(motion.height) {
            "travels"
        } else {
            "turns"
        };
        format!(
            "{} {how}: {} ends {} from where it began",
            words::sentence(&label),
            motion.name(root.joint),
            root.gap.text(motion.height)
        )
    });
    let differ = worst.map(|(joint, gap)| {
        format!(
            "at {}, {} the most, by {}",
            words::counted(gaps.len(), "joint", "joints"),
            motion.name(*joint),
            gap.text(motion.height),
        )
    });
    let message = match (carried, differ) {
        (None, None) => return None,
        (None, Some(differ)) => {
            format!("The last pose of {label} differs from the first {differ}")
        }
        (Some(carried), None) => format!("{carried}; the other joints end as they began"),
        (Some(carried), Some(differ)) => {
            format!("{carried}; relative to it the last pose differs from the first {differ}")
        }
    };
    let named = worst
        .map(|(joint, _)| *joint)
        .or(root.map(|root| root.joint))?;
    let mut finding = motion
        .joint_finding(FindingCode::LoopSeam, Severity::Info, named, message)
        .with("joints", gaps.len() as f64);
    finding.time_secs = Some(motion.clip.duration_secs);
    if let Some((_, gap)) = worst {
        finding = finding
            .with("angle_deg", gap.degrees)
            .with("distance", gap.travel)
            .with("farthest", farthest);
    }
    if let Some(root) = root {
        finding = finding
            .with("root_travel", root.gap.travel)
            .with("root_turn_deg", root.gap.degrees);
    }
    Some(finding.with("height", motion.height))
}
