//! Skin matrices.

use glam::{DMat3, Mat3, Mat4, Vec3};

use super::{Globals, Quirks, Skinning};
use crate::{
    document::Skin,
    math::{Affine, DualQuat, Polar},
};

/// The upper three rows of `M · M0⁻¹`, as the GPU's storage buffer holds them
/// (48 bytes).
pub type SkinMatrix = Affine;

/// `M · M0⁻¹` for each joint of a skin, appended to `out`.
pub fn palette(skin: &Skin, globals: &Globals, out: &mut Vec<SkinMatrix>) {
    let worlds = globals.affines();
    out.extend(
        skin.joints
            .iter()
            .zip(&skin.joint_from_mesh)
            .map(|(&joint, joint_from_mesh)| worlds[joint as usize].mul_mat4(joint_from_mesh)),
    );
}

/// Turns the skin matrices at the end of `out`, from `start` on, into what a method of
/// skinning reads: [`Skinning::entries`] a joint, in the skin's order. For dual quaternions
/// that is the stretch as a matrix and then the motion, with its real part in the first row
/// and its dual part in the second.
pub fn prepare_palette(
    skin: &Skin,
    skinning: Skinning,
    quirks: Quirks,
    start: usize,
    out: &mut Vec<SkinMatrix>,
) {
    if quirks.joint_bytes || quirks.joint_limit {
        // Downwards: no slot reads from one above it.
        for slot in (0..out.len() - start).rev() {
            let source = quirks.slot(slot);
            out[start + slot] = source.map_or(ZERO, |source| out[start + source]);
        }
    }
    if !skinning.is_dual() {
        return;
    }
    let count = out.len() - start;
    out.resize(start + 2 * count, ZERO);
    for slot in (0..count).rev() {
        let pivot = pivot(&skin.joint_from_mesh[slot]);
        let [stretch, motion] = split(&out[start + slot], pivot);
        out[start + 2 * slot] = stretch;
        out[start + 2 * slot + 1] = motion;
    }
}

const ZERO: SkinMatrix = Affine {
    rows: [glam::Vec4::ZERO; 3],
};

/// The joint's place in the bind pose, mesh space; the origin where it has none.
fn pivot(joint_from_mesh: &Mat4) -> Vec3 {
    let place = joint_from_mesh.inverse().w_axis.truncate();
    if place.is_finite() { place } else { Vec3::ZERO }
}

/// A skin matrix as a stretch about `pivot` and the rigid motion after it.
///
/// With `A v = L v + a` and `L = Q S`: the stretch is `v ↦ S (v − p) + p`, and the motion
/// turns by `Q` and moves by `a + L p − Q p`. Stretching about the joint keeps what is
/// blended of it small; about the origin it would shift far vertices.
fn split(matrix: &SkinMatrix, pivot: Vec3) -> [SkinMatrix; 2] {
    let [x, y, z] = matrix.rows.map(glam::Vec4::truncate);
    let linear = Mat3::from_cols(x, y, z).transpose();
    let parts = Polar::new(linear.as_dmat3());
    let turned = DMat3::from_quat(parts.rotation);
    let (p, a) = (pivot.as_dvec3(), matrix.translation().as_dvec3());
    let shift = p - parts.stretch * p;
    let motion = DualQuat::new(
        parts.rotation.as_quat(),
        (a + linear.as_dmat3() * p - turned * p).as_vec3(),
    );
    // Zeros stand for a joint that is not there.
    if *matrix == ZERO {
        return [ZERO, ZERO];
    }
    let rows = [0, 1, 2].map(|i| parts.stretch.row(i).as_vec3().extend(shift[i] as f32));
    [Affine { rows }, packed(&motion)]
}

fn packed(motion: &DualQuat) -> SkinMatrix {
    Affine {
        rows: [motion.real.into(), motion.dual.into(), glam::Vec4::ZERO],
    }
}

/// The way back from [`packed`].
pub(super) fn motion(entry: &SkinMatrix) -> DualQuat {
    DualQuat {
        real: glam::Quat::from_vec4(entry.rows[0]),
        dual: glam::Quat::from_vec4(entry.rows[1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn stretch_and_motion_make_the_matrix_again() {
        let matrix = Mat4::from_scale_rotation_translation(
            Vec3::new(2.0, 0.5, 1.5),
            Quat::from_euler(glam::EulerRot::XYZ, 0.4, 2.0, -1.0),
            Vec3::new(3.0, -1.0, 0.5),
        );
        let affine = Affine::from_mat4(matrix);
        for pivot in [Vec3::ZERO, Vec3::new(0.0, 1.4, -0.3)] {
            let [stretch, moved] = split(&affine, pivot);
            let whole = &motion(&moved).to_affine() * &stretch;
            assert!(whole.to_mat4().abs_diff_eq(matrix, 1e-5), "{pivot}");
            assert!(stretch.transform_point(pivot).abs_diff_eq(pivot, 1e-5));
        }
    }

    #[test]
    fn bytes_wrap_and_limits_read_zeros() {
        let skin = Skin::default();
        let numbered = |n: usize| Affine::from_mat4(Mat4::from_translation(Vec3::splat(n as f32)));
        let all: Vec<SkinMatrix> = (0..300).map(numbered).collect();
        let with = |quirks| {
            let mut out = all.clone();
            prepare_palette(&skin, Skinning::Linear, quirks, 0, &mut out);
            out
        };
        let bytes = with(Quirks {
            joint_bytes: true,
            ..Quirks::default()
        });
        assert_eq!(
            (bytes[255], bytes[256], bytes[299]),
            (all[255], all[0], all[43])
        );
        let limited = with(Quirks {
            joint_limit: true,
            ..Quirks::default()
        });
        assert_eq!((limited[255], limited[256]), (all[255], ZERO));
    }
}
