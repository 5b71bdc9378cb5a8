//! Four joints at a time: lane i of every vector belongs to joint i of a group.

use glam::{Mat4, Vec4};

use super::Affine;

/// Four quaternions: their x in the first vector, then y, z and w.
pub type WideQuat = [Vec4; 4];

/// Four 3-vectors: their x in the first vector, then y and z.
pub type WideVec3 = [Vec4; 3];

/// Four identity quaternions.
pub const QUAT_IDENTITY: WideQuat = [Vec4::ZERO, Vec4::ZERO, Vec4::ZERO, Vec4::ONE];

/// `a (1 − u) + b u`, component-wise.
#[inline]
pub fn lerp<const N: usize>(a: &[Vec4; N], b: &[Vec4; N], u: f32) -> [Vec4; N] {
    let (from, to) = (Vec4::splat(1.0 - u), Vec4::splat(u));
    core::array::from_fn(|i| a[i] * from + b[i] * to)
}

/// `q / |q|` lane by lane, or `fallback`'s lane where the length is zero or not
/// finite: the wide form of [`super::quat::normalize_or`].
#[inline]
pub fn normalize_or(q: &WideQuat, fallback: &WideQuat) -> WideQuat {
    let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    let usable =
        length.cmpgt(Vec4::splat(super::quat::MIN_LENGTH)) & length.cmple(Vec4::splat(f32::MAX));
    let inverse = length.recip();
    core::array::from_fn(|i| Vec4::select(usable, q[i] * inverse, fallback[i]))
}

/// Sine and cosine of angles in `[0, π]`, within 4e-7 of the exact values; exact
/// at 0.
///
/// Polynomials for half the angle (minimax over `[0, π/2]`: 4.7e-9 for the sine,
/// 2.5e-10 for the cosine, before rounding), then `sin 2t = 2 sin t cos t` and
/// `cos 2t = (cos t − sin t)(cos t + sin t)`, which rounds better than `1 − 2 sin² t`.
#[inline]
pub fn sin_cos(radians: Vec4) -> (Vec4, Vec4) {
    let t = radians * 0.5;
    let t2 = t * t;
    let horner = |coefficients: &[f32]| {
        let [rest @ .., last] = coefficients else {
            return Vec4::ZERO;
        };
        rest.iter()
            .rev()
            .fold(Vec4::splat(*last), |sum, &c| sum * t2 + Vec4::splat(c))
    };
    let sin = t * horner(&SIN);
    let cos = horner(&COS);
    ((sin + sin) * cos, (cos - sin) * (cos + sin))
}

/// `sin t / t` by powers of t².
const SIN: [f32; 5] = [
    1.0,
    -1.666_665_7e-1,
    8.333_017e-3,
    -1.980_661_5e-4,
    2.600_054_6e-6,
];
/// `cos t` by powers of t².
const COS: [f32; 6] = [
    1.0,
    -0.5,
    4.166_664e-2,
    -1.388_840_4e-3,
    2.476_188_6e-5,
    -2.607_710_4e-7,
];

/// `T · R · S` of four joints. The quaternions go through the ordinary formula as
/// they are (see [`super::transform::mat3_from_quat_as_is`]).
#[inline]
pub fn affines(translation: &WideVec3, rotation: &WideQuat, scale: &WideVec3) -> [Affine; 4] {
    let [x, y, z, w] = *rotation;
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz) = (x * x2, x * y2, x * z2);
    let (yy, yz, zz) = (y * y2, y * z2, z * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    let [sx, sy, sz] = *scale;
    let one = Vec4::ONE;
    let rows = [
        transpose([
            (one - (yy + zz)) * sx,
            (xy - wz) * sy,
            (xz + wy) * sz,
            translation[0],
        ]),
        transpose([
            (xy + wz) * sx,
            (one - (xx + zz)) * sy,
            (yz - wx) * sz,
            translation[1],
        ]),
        transpose([
            (xz - wy) * sx,
            (yz + wx) * sy,
            (one - (xx + yy)) * sz,
            translation[2],
        ]),
    ];
    core::array::from_fn(|lane| Affine {
        rows: [rows[0][lane], rows[1][lane], rows[2][lane]],
    })
}

/// Vector i of the result holds lane i of each argument.
#[inline]
fn transpose([a, b, c, d]: [Vec4; 4]) -> [Vec4; 4] {
    let turned = Mat4::from_cols(a, b, c, d).transpose();
    [turned.x_axis, turned.y_axis, turned.z_axis, turned.w_axis]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Transform, quat};
    use glam::{Quat, Vec3};

    #[test]
    fn sine_and_cosine_are_within_4e7() {
        let mut worst: f64 = 0.0;
        for step in 0..=100_000 {
            let radians = (f64::from(step) * core::f64::consts::PI / 100_000.0) as f32;
            let (sin, cos) = sin_cos(Vec4::splat(radians));
            let exact = f64::from(radians).sin_cos();
            worst = worst
                .max((f64::from(sin.x) - exact.0).abs())
                .max((f64::from(cos.w) - exact.1).abs());
        }
        assert!(worst < 4e-7, "largest error {worst:.1e}");
        assert_eq!(sin_cos(Vec4::ZERO), (Vec4::ZERO, Vec4::ONE));
    }

    #[test]
    fn four_transforms_at_once_are_those_one_by_one() {
        let transforms: [Transform; 4] = core::array::from_fn(|i| {
            let i = i as f32;
            Transform {
                translation: Vec3::new(i, 2.0 - i, 0.3),
                rotation: Quat::from_xyzw(0.1 * i, 0.4, -0.2, 0.5 + 0.2 * i),
                scale: Vec3::new(1.0, -0.5 * i, 2.0),
            }
        });
        let lanes =
            |get: &dyn Fn(&Transform) -> f32| Vec4::from_array(transforms.each_ref().map(get));
        let translation = core::array::from_fn(|k| lanes(&|t| t.translation[k]));
        let scale = core::array::from_fn(|k| lanes(&|t| t.scale[k]));
        let rotation = core::array::from_fn(|k| lanes(&|t| t.rotation.to_array()[k]));
        for (affine, transform) in affines(&translation, &rotation, &scale)
            .iter()
            .zip(&transforms)
        {
            assert_eq!(affine.to_mat4(), transform.to_mat4());
        }
    }

    #[test]
    fn lanes_without_length_fall_back() {
        let q = [
            Vec4::new(0.0, 2.0, f32::INFINITY, 1e30),
            Vec4::ZERO,
            Vec4::ZERO,
            Vec4::ZERO,
        ];
        let got = normalize_or(&q, &QUAT_IDENTITY);
        assert_eq!(got[0], Vec4::new(0.0, 1.0, 0.0, 0.0));
        assert_eq!(got[3], Vec4::new(1.0, 0.0, 1.0, 1.0));
        let narrow = quat::normalize_or(Quat::from_xyzw(1e30, 0.0, 0.0, 0.0), Quat::IDENTITY);
        assert_eq!(narrow, Quat::IDENTITY);
    }
}
