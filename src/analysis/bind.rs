//! The rest pose against the bind pose, joint by joint.
//!
//! At rest a vertex that follows one joint alone is moved by `M M0⁻¹`, the joint's
//! *residual*. Where the two poses agree it is the identity, or one and the same matrix
//! for all joints, which moves the mesh as a whole and bends nothing (a root that turns
//! from Z up to Y up, a mesh stored in other units).

use glam::{DMat3, DMat4, DVec3, Mat4};

use super::{
    influences,
    measures::{Difference, difference, difference_at},
};
use crate::document::{Document, Skin};

/// Below this a turn is no difference: exporters round.
const TURN_DEGREES: f32 = 0.5;
/// The same for distances, as a share of the rig's size.
const MOVE_SHARE: f32 = 1e-3;
/// The same for scale factors, off 1.
const SCALE_SHARE: f32 = 2e-3;

/// One joint of a skin at rest and at bind.
#[derive(Debug, Clone, PartialEq)]
pub struct BindRow {
    /// Index into [`Skin::joints`].
    pub slot: usize,
    /// Joint index.
    pub joint: usize,
    /// Whether the inverse bind matrix can be inverted. Without, there is no bind pose
    /// to compare with, and the differences are [`Difference::NONE`].
    pub has_bind: bool,
    /// Whether any vertex has weight on it.
    pub is_used: bool,
    /// `M M0⁻¹` at rest, world from mesh space.
    pub residual: Mat4,
    /// Rest against bind in the world, beyond [`BindTable::common`]. The distance is the
    /// joint's origin's, in world units.
    pub whole: Difference,
    /// The same relative to the nearest ancestor in the skin: this joint's own share in
    /// it. What a turned shoulder does to the hand is the shoulder's.
    pub own: Difference,
    /// Whether `whole` is more than rounding: over half a degree, a thousandth of the
    /// rig's size, or a five-hundredth of its scale.
    pub differs: bool,
}

/// Rest pose against bind pose of a skin.
#[derive(Debug, Clone, PartialEq)]
pub struct BindTable {
    /// A row per joint of the skin: the worst by its own share first, those without a
    /// bind pose last.
    pub rows: Vec<BindRow>,
    /// What moves the mesh as a whole at rest: the residual of a topmost joint, where
    /// more joints agree with it than with the identity; else the identity.
    pub common: Mat4,
    /// Diagonal of the box around the joints at rest, world units.
    pub size: f32,
}

impl BindTable {
    /// How many joints rest elsewhere than they were bound.
    pub fn differing(&self) -> usize {
        self.rows.iter().filter(|row| row.differs).count()
    }

    /// Whether [`Self::common`] is this matrix, but for rounding.
    pub fn is_common(&self, matrix: Mat4) -> bool {
        let inverse = self.common.as_dmat4().inverse();
        let off = difference((matrix.as_dmat4() * inverse).as_mat4());
        inverse.is_finite() && !exceeds(&off, self.size)
    }

    /// What [`Self::common`] amounts to.
    pub fn common_difference(&self) -> Difference {
        difference(self.common)
    }

    /// Whether one matrix, which is not the identity, explains every row: nothing bends,
    /// but the mesh as a whole moves.
    pub fn moves_as_a_whole(&self) -> bool {
        self.differing() == 0 && exceeds(&self.common_difference(), self.size)
    }
}

/// Whether a difference is more than rounding.
fn exceeds(difference: &Difference, size: f32) -> bool {
    difference.degrees > TURN_DEGREES
        || difference.distance > MOVE_SHARE * size
        || (difference.scale - 1.0).abs().max_element() > SCALE_SHARE
}

/// A joint's place in the file's two poses, in double precision: residuals are made of
/// numbers that mostly cancel.
struct Placed {
    slot: usize,
    /// `M M0⁻¹`.
    residual: DMat4,
    /// Its inverse and the joint's origin at bind, where there is a bind pose.
    bind: Option<(DMat4, DVec3)>,
}

impl Placed {
    fn new(slot: usize, world_from_joint: DMat4, joint_from_mesh: DMat4) -> Self {
        let residual = world_from_joint * joint_from_mesh;
        let [mesh_from_joint, inverse] = [joint_from_mesh, residual].map(|m| m.inverse());
        let is_usable = joint_from_mesh.determinant() != 0.0
            && mesh_from_joint.is_finite()
            && inverse.is_finite();
        Self {
            slot,
            residual,
            bind: is_usable.then(|| (inverse, mesh_from_joint.w_axis.truncate())),
        }
    }

    /// Whether `known` explains its residual.
    fn agrees(&self, known: DMat4, known_inverse: DMat4, size: f32) -> bool {
        let is_near = self.bind.is_some_and(|(_, origin)| {
            let [here, there] = [self.residual, known].map(|m| m.transform_point3(origin));
            here.distance(there) as f32 <= MOVE_SHARE * size
        });
        // The cheap question first: this is asked of every joint many times.
        is_near && !exceeds(&self.beyond(known, known_inverse), size)
    }

    /// What of its residual `known` does not explain, seen at the joint's origin.
    fn beyond(&self, known: DMat4, known_inverse: DMat4) -> Difference {
        let Some((_, origin)) = self.bind else {
            return Difference::NONE;
        };
        difference_at(
            self.residual * known_inverse,
            known.transform_point3(origin),
        )
    }
}

/// Rest pose against bind pose of a skin, by joint. Without such a skin the table has
/// no rows.
pub fn table(document: &Document, skin: usize) -> BindTable {
    match document.skins.get(skin) {
        Some(stored) => table_read_as(document, skin, stored),
        None => BindTable {
            rows: Vec::new(),
            common: Mat4::IDENTITY,
            size: 0.0,
        },
    }
}

/// [`table`] with other inverse bind matrices than those stored: `stored` is the
/// document's skin of index `skin` otherwise (see [`transposed`]).
pub fn table_read_as(document: &Document, skin: usize, stored: &Skin) -> BindTable {
    let worlds = rest_worlds(document);
    let slots = stored.joints.iter().zip(&stored.joint_from_mesh);
    let placed: Vec<Placed> = slots
        .enumerate()
        .map(|(slot, (&joint, matrix))| {
            Placed::new(slot, worlds[joint as usize], matrix.as_dmat4())
        })
        .collect();
    let size = size(document, skin, &worlds, &placed);
    let usage = influences::slot_usage(document, skin);
    let ancestors = ancestors(document, stored, &placed);
    let common = common(&placed, &stored.joints, &ancestors, &usage, size);
    let common_inverse = common.inverse();
    let mut rows: Vec<BindRow> = placed
        .iter()
        .map(|at| {
            let joint = stored.joints[at.slot] as usize;
            let whole = at.beyond(common, common_inverse);
            let own = match ancestors[joint].and_then(|slot| Some((slot, placed[slot].bind?))) {
                Some((slot, (inverse, _))) => at.beyond(placed[slot].residual, inverse),
                None => whole,
            };
            BindRow {
                slot: at.slot,
                joint,
                has_bind: at.bind.is_some(),
                is_used: usage[at.slot] > 0,
                residual: at.residual.as_mat4(),
                differs: exceeds(&whole, size),
                whole,
                own,
            }
        })
        .collect();
    let rank = |row: &BindRow| (score(&row.own, size), score(&row.whole, size));
    rows.sort_by(|a, b| {
        let ((own, whole), (other_own, other_whole)) = (rank(a), rank(b));
        b.has_bind
            .cmp(&a.has_bind)
            .then(other_own.total_cmp(&own))
            .then(other_whole.total_cmp(&whole))
    });
    BindTable {
        rows,
        common: common.as_mat4(),
        size,
    }
}

/// World matrices at rest in double precision.
fn rest_worlds(document: &Document) -> Vec<DMat4> {
    let joints = &document.skeleton.joints;
    let mut worlds: Vec<DMat4> = Vec::with_capacity(joints.len());
    for joint in joints {
        let local = joint.rest_mat4().as_dmat4();
        worlds.push(joint.parent.map_or(local, |parent| worlds[parent] * local));
    }
    worlds
}

/// How large the rig is at rest: the diagonal of the box around its joints or of the
/// meshes on it, whichever is longer. Never below a hundredth of the distance from the
/// world's origin, where rounding is as large as what is to be found.
fn size(document: &Document, skin: usize, worlds: &[DMat4], placed: &[Placed]) -> f32 {
    let joints = &document.skins[skin].joints;
    let origins = joints
        .iter()
        .map(|&joint| worlds[joint as usize].w_axis.truncate());
    let (mut min, mut max, mut far) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0_f64);
    for origin in origins {
        (min, max) = (min.min(origin), max.max(origin));
        far = far.max(origin.length());
    }
    let joints_size = (max - min).max(DVec3::ZERO).length();
    // Meshes are stored in units of their own; a residual brings them into the world.
    let scale = placed
        .iter()
        .find(|at| at.bind.is_some())
        .map_or(1.0, |at| {
            DMat3::from_mat4(at.residual).determinant().abs().cbrt()
        });
    let meshes_size = influences::skinned(document, skin)
        .map(|(_, primitive)| (primitive.bounds.max - primitive.bounds.min).length())
        .fold(0.0, f32::max);
    joints_size
        .max(f64::from(meshes_size) * scale)
        .max(far * 1e-2) as f32
}

/// What moves the mesh as a whole: of the identity and the residuals of the skin's
/// topmost joints the one with which most joints agree that move vertices (of all, where
/// none does). Only the top is asked: a turned chest takes arms and head along, and yet
/// it is the chest that differs, not the hips.
fn common(
    placed: &[Placed],
    joints: &[u32],
    ancestors: &[Option<usize>],
    usage: &[usize],
    size: f32,
) -> DMat4 {
    /// More tops than this are no character.
    const CANDIDATES: usize = 32;
    let is_used = |at: &&Placed| usage[at.slot] > 0 && at.bind.is_some();
    let mut voters: Vec<&Placed> = placed.iter().filter(is_used).collect();
    if voters.is_empty() {
        voters = placed.iter().filter(|at| at.bind.is_some()).collect();
    }
    let agreeing = |known: DMat4, inverse: DMat4| {
        let votes = voters.iter().filter(|at| at.agrees(known, inverse, size));
        votes.count()
    };
    let tops = placed.iter().filter_map(|at| {
        let is_top = ancestors[joints[at.slot] as usize].is_none();
        let (inverse, _) = at.bind?;
        is_top.then_some((at.residual, inverse))
    });
    let mut best = (DMat4::IDENTITY, agreeing(DMat4::IDENTITY, DMat4::IDENTITY));
    for (residual, inverse) in tops.take(CANDIDATES) {
        // More than half cannot be outvoted.
        if best.1 * 2 > voters.len() {
            break;
        }
        let votes = agreeing(residual, inverse);
        if votes > best.1 {
            best = (residual, votes);
        }
    }
    best.0
}

/// By joint index: the slot of the nearest ancestor that is in the skin and has a bind
/// pose.
fn ancestors(document: &Document, skin: &Skin, placed: &[Placed]) -> Vec<Option<usize>> {
    let joints = &document.skeleton.joints;
    let mut slots = vec![None; joints.len()];
    // Backwards, so that of a joint that is there twice the first slot counts.
    for at in placed.iter().rev().filter(|at| at.bind.is_some()) {
        slots[skin.joints[at.slot] as usize] = Some(at.slot);
    }
    let mut nearest: Vec<Option<usize>> = Vec::with_capacity(joints.len());
    for joint in joints {
        nearest.push(joint.parent.and_then(|p| slots[p].or(nearest[p])));
    }
    nearest
}

/// How many times a difference is over what counts as one.
fn score(difference: &Difference, size: f32) -> f32 {
    let scaled = (difference.scale - 1.0).abs().max_element() / SCALE_SHARE;
    let moved = difference.distance / (MOVE_SHARE * size).max(f32::MIN_POSITIVE);
    (difference.degrees / TURN_DEGREES).max(moved).max(scaled)
}

/// The skin with its matrices read row by row, where the file's look written so; for a
/// preview of what was probably meant. See [`Skin::transposed_bind`].
pub fn transposed(skin: &Skin) -> Option<Skin> {
    let matrices = skin.transposed_bind.clone()?;
    Some(Skin {
        joint_from_mesh: matrices,
        transposed_bind: None,
        ..skin.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Joint, Skeleton};
    use core::f32::consts::FRAC_PI_2;
    use glam::{Quat, Vec3};

    /// root – arm – hand, one unit apart along y, under a plain node; bound at rest.
    fn rig() -> Document {
        let joint = |node: usize, parent: Option<usize>, translation| Joint {
            name: ["top", "root", "arm", "hand"][node].to_owned(),
            node,
            parent,
            translation,
            ..Joint::default()
        };
        let skeleton = Skeleton {
            joints: vec![
                joint(0, None, Vec3::ZERO),
                joint(1, Some(0), Vec3::ZERO),
                joint(2, Some(1), Vec3::Y),
                joint(3, Some(2), Vec3::Y),
            ],
            joint_of_node: vec![0, 1, 2, 3],
        };
        let worlds = skeleton.rest_globals();
        Document {
            skins: vec![Skin {
                joints: vec![1, 2, 3],
                joint_from_mesh: worlds[1..].iter().map(Mat4::inverse).collect(),
                has_inverse_bind_matrices: true,
                ..Skin::default()
            }],
            skeleton,
            ..Document::default()
        }
    }

    fn row(table: &BindTable, joint: usize) -> &BindRow {
        let mut rows = table.rows.iter();
        rows.find(|row| row.joint == joint).expect("a row")
    }

    #[test]
    fn equal_poses_differ_nowhere() {
        let table = table(&rig(), 0);
        assert_eq!(table.rows.len(), 3);
        assert_eq!((table.differing(), table.moves_as_a_whole()), (0, false));
        assert_eq!((table.common, table.size), (Mat4::IDENTITY, 2.0));
        assert!(table.rows.iter().all(|row| row.own == Difference::NONE));
    }

    #[test]
    fn a_turned_arm_is_the_worst_and_the_hand_only_follows() {
        let mut document = rig();
        document.skeleton.joints[2].orientation = Quat::from_rotation_z(FRAC_PI_2);
        let table = table(&document, 0);
        assert_eq!(table.differing(), 2);
        assert_eq!(table.rows[0].joint, 2);
        let (arm, hand) = (row(&table, 2), row(&table, 3));
        assert!((arm.own.degrees - 90.0).abs() < 1e-3, "{arm:?}");
        assert!(arm.own.distance < 1e-6 && arm.whole.distance < 1e-6);
        assert!((hand.whole.degrees - 90.0).abs() < 1e-3, "{hand:?}");
        assert!((hand.whole.distance - 2.0_f32.sqrt()).abs() < 1e-5);
        assert!(hand.own.degrees < 1e-3 && hand.own.distance < 1e-5);
        assert!(!row(&table, 1).differs);
        // The residual says the same: about the arm's joint, by a right angle.
        let moved = arm.residual.transform_point3(Vec3::new(0.0, 2.0, 0.0));
        assert!(moved.abs_diff_eq(Vec3::new(-1.0, 1.0, 0.0), 1e-5));
    }

    #[test]
    fn one_matrix_over_all_joints_is_told_apart_from_bending() {
        let mut document = rig();
        document.skeleton.joints[0].orientation = Quat::from_rotation_x(-FRAC_PI_2);
        document.skeleton.joints[0].scale = Vec3::splat(0.01);
        let whole = table(&document, 0);
        assert_eq!((whole.differing(), whole.moves_as_a_whole()), (0, true));
        let common = whole.common_difference();
        assert!((common.degrees - 90.0).abs() < 1e-3);
        assert!(common.scale.abs_diff_eq(Vec3::splat(0.01), 1e-6));
        // A hand that is turned besides is told as such.
        document.skeleton.joints[3].orientation = Quat::from_rotation_y(0.1);
        let bent = table(&document, 0);
        assert_eq!((bent.differing(), bent.moves_as_a_whole()), (1, false));
        assert_eq!(bent.rows[0].joint, 3);
        assert!((bent.rows[0].whole.degrees - 0.1_f32.to_degrees()).abs() < 1e-3);
        assert_eq!(bent.common, whole.common);
    }

    #[test]
    fn a_move_and_a_scale_of_a_joints_own() {
        let mut document = rig();
        document.skeleton.joints[3].translation = Vec3::new(0.5, 1.0, 0.0);
        document.skeleton.joints[3].scale = Vec3::new(1.0, 1.5, 1.0);
        let table = table(&document, 0);
        let hand = &table.rows[0];
        assert!((hand.own.distance - 0.5).abs() < 1e-6);
        assert!((hand.own.worst_scale() - 1.5).abs() < 1e-5, "{hand:?}");
        assert_eq!(table.differing(), 1);
    }

    #[test]
    fn what_cannot_be_inverted_comes_last_and_judges_nothing() {
        let mut document = rig();
        document.skins[0].joint_from_mesh[1] = Mat4::ZERO;
        let table = table(&document, 0);
        assert_eq!(table.differing(), 0);
        assert!(!table.rows[2].has_bind);
        assert_eq!(table.rows[2].joint, 2);
        document.skins[0].joint_from_mesh = vec![Mat4::ZERO; 3];
        assert_eq!(super::table(&document, 0).differing(), 0);
        assert!(super::table(&document, 7).rows.is_empty());
    }

    #[test]
    fn rounding_far_from_the_origin_is_no_difference() {
        let mut document = rig();
        document.skeleton.joints[0].translation = Vec3::new(3000.0, 0.0, -2000.0);
        document.skeleton.joints[0].orientation = Quat::from_rotation_y(0.3);
        let worlds = document.skeleton.rest_globals();
        document.skins[0].joint_from_mesh = worlds[1..].iter().map(Mat4::inverse).collect();
        document.skins[0].joints.truncate(1);
        document.skins[0].joint_from_mesh.truncate(1);
        let table = table(&document, 0);
        assert_eq!((table.differing(), table.moves_as_a_whole()), (0, false));
    }

    #[test]
    fn the_other_reading_of_the_matrices() {
        let mut skin = rig().skins.remove(0);
        assert_eq!(transposed(&skin), None);
        let meant = vec![Mat4::from_translation(Vec3::Y); 3];
        skin.transposed_bind = Some(meant.clone());
        let read = transposed(&skin).expect("a second reading");
        assert_eq!(read.joint_from_mesh, meant);
        assert_eq!(read.joints, skin.joints);
    }
}
