//! Interpolation of unit quaternions, with the hemisphere always explicit.
//!
//! glam's `lerp` and `slerp` align and normalise silently; a tool that shows
//! joint flips must not call them blindly.

use glam::{DQuat, Quat};

/// Component-wise blend, neither aligned nor normalised.
pub fn lerp(a: Quat, b: Quat, u: f32) -> Quat {
    a * (1.0 - u) + b * u
}

/// Component-wise blend, normalised; `a` where the blend vanishes (exactly
/// opposite keys half way), so that the result is always finite.
pub fn nlerp(a: Quat, b: Quat, u: f32) -> Quat {
    normalize_or(lerp(a, b, u), a)
}

/// `sin((1−u)Ω)/sinΩ · a + sin(uΩ)/sinΩ · b` with `cos Ω = a·b`, for unit
/// quaternions (K. Shoemake, SIGGRAPH 1985); [`nlerp`] where `|cos Ω|` exceeds
/// `threshold`. A threshold of 1 is pure slerp, 0 is pure nlerp.
///
/// A negative `a·b` takes the long arc: align `b` first ([`aligned`]) for the
/// short one. Where `b` is `±a` no arc is defined and the result stays at `a`.
/// Worked in double precision; within 2e-7 rad of the exact arc for all Ω.
pub fn slerp(a: Quat, b: Quat, u: f32, threshold: f32) -> Quat {
    let arc = Arc::new(a, b);
    if falls_back(arc.cos, threshold) {
        nlerp(a, b, u)
    } else {
        arc.at(u)
    }
}

/// Whether slerp is to give way to nlerp: `|cos Ω| > threshold`, and always at a
/// threshold of 0, where keys at right angles would slip through.
pub fn falls_back(cos: f32, threshold: f32) -> bool {
    cos.abs() > threshold || threshold <= 0.0
}

/// Arcs with `sin Ω` below this have no direction: single-precision keys are only
/// known to about 6e-8.
const MIN_SIN: f64 = 1e-7;

/// The great arc between two unit quaternions, ready to be evaluated as
/// `a cos(uΩ) + across sin(uΩ)`. Shoemake's two sines over `sin Ω` give the same
/// curve, but lose digits near Ω = π, which this form does not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    a: DQuat,
    /// `a·b`: the cosine of Ω, for thresholds and for the choice of hemisphere.
    pub cos: f32,
    /// Unit quaternion at right angles to `a`, towards `b`; zero where `b = ±a`.
    pub across: DQuat,
    /// Ω in `[0, π)`, above π/2 where `cos` is negative; 0 where `b = ±a`.
    pub omega_radians: f64,
}

impl Arc {
    /// The arc from `a` to `b` as they are, hence the long one if `a·b < 0`.
    pub fn new(a: Quat, b: Quat) -> Self {
        let (a, b) = (a.as_dquat(), b.as_dquat());
        let cos = a.dot(b);
        // Gram–Schmidt; dividing by a·a takes out the rounding of a's length.
        let across = b - a * (cos / a.dot(a));
        let sin = across.length();
        if sin > MIN_SIN {
            Self {
                a,
                cos: cos as f32,
                across: across / sin,
                omega_radians: sin.atan2(cos),
            }
        } else {
            Self {
                a,
                cos: cos as f32,
                across: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0),
                omega_radians: 0.0,
            }
        }
    }

    /// The point at `u ∈ [0, 1]`: constant speed, without any threshold.
    pub fn at(&self, u: f32) -> Quat {
        let (sin, cos) = (self.omega_radians * f64::from(u)).sin_cos();
        (self.a * cos + self.across * sin).as_quat()
    }
}

/// `q` or `−q`, whichever lies in `reference`'s hemisphere (the short arc).
pub fn aligned(q: Quat, reference: Quat) -> Quat {
    if dot(q, reference) < 0.0 { -q } else { q }
}

/// `a·b` with the digits that single precision loses near zero, so that all
/// callers agree on its sign.
pub fn dot(a: Quat, b: Quat) -> f32 {
    a.as_dquat().dot(b.as_dquat()) as f32
}

/// `q / |q|`, or `fallback` where the length is zero or not finite.
pub fn normalize_or(q: Quat, fallback: Quat) -> Quat {
    if has_length(q) {
        q / q.length()
    } else {
        fallback
    }
}

/// Whether `q` stands for a rotation at all: its length is neither zero nor not finite.
pub fn has_length(q: Quat) -> bool {
    let length = q.length();
    length > MIN_LENGTH && length.is_finite()
}

/// Quaternions shorter than this count as zero.
pub const MIN_LENGTH: f32 = 1e-12;

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::PI;

    /// A unit quaternion at angle `omega` from the identity, on a skewed axis.
    fn at_angle(omega: f64) -> Quat {
        let axis = glam::DVec3::new(0.48, -0.6, 0.64);
        let xyz = axis * omega.sin();
        DQuat::from_xyzw(xyz.x, xyz.y, xyz.z, omega.cos()).as_quat()
    }

    /// Shoemake's formula in double precision, without any shortcut.
    fn reference(a: Quat, b: Quat, u: f32) -> DQuat {
        let (a, b) = (a.as_dquat().normalize(), b.as_dquat().normalize());
        let u = f64::from(u);
        let omega = 2.0 * (a - b).length().atan2((a + b).length());
        (a * ((1.0 - u) * omega).sin() + b * (u * omega).sin()) / omega.sin()
    }

    fn angle_between(a: DQuat, b: DQuat) -> f64 {
        let b = if a.dot(b) < 0.0 { -b } else { b };
        4.0 * (a - b).length().atan2((a + b).length())
    }

    #[test]
    fn slerp_is_within_2e6_of_double_precision() {
        let turn = Quat::from_xyzw(0.5, -0.1, 0.7, 0.5).normalize();
        let mut worst: f64 = 0.0;
        for step in 1..2000 {
            let omega = PI * f64::from(step) / 2000.0;
            let (a, b) = (turn, (turn * at_angle(omega)).normalize());
            for i in 0..=32 {
                let u = i as f32 / 32.0;
                let got = slerp(a, b, u, 1.0).as_dquat();
                worst = worst.max(angle_between(got, reference(a, b, u)));
                assert!((got.length() - 1.0).abs() < 2e-7);
            }
        }
        assert!(worst < 2e-6, "largest error {worst:.1e} rad");
    }

    #[test]
    fn a_negative_dot_product_takes_the_long_way() {
        // 20° apart as rotations, 340° as stored: half way is 170° the other way.
        let a = Quat::IDENTITY;
        let b = -Quat::from_rotation_x(20_f32.to_radians());
        let half = slerp(a, b, 0.5, 1.0);
        let wanted = Quat::from_rotation_x(-170_f32.to_radians());
        assert!(half.dot(wanted).abs() > 1.0 - 1e-6, "{half}");
        let short = slerp(a, aligned(b, a), 0.5, 1.0);
        assert!(short.dot(Quat::from_rotation_x(10_f32.to_radians())) > 1.0 - 1e-6);
    }

    #[test]
    fn close_to_opposite_still_turns_steadily_about_one_axis() {
        // cos Ω = −1 + 5e-7, beyond what `acos` of a float can tell from π.
        let a = Quat::IDENTITY;
        let b = at_angle(PI - 1e-3);
        for i in 1..64 {
            let u = i as f32 / 64.0;
            let error = angle_between(slerp(a, b, u, 1.0).as_dquat(), reference(a, b, u));
            assert!(error < 2e-6, "u {u}: {error:.1e}");
        }
        // Under the usual threshold the same pair is a blend that hardly turns.
        let blended = slerp(a, b, 0.25, 0.9995);
        assert!(blended.dot(a) > 0.999, "{blended}");
    }

    #[test]
    fn degenerate_pairs_are_finite_and_stay_put() {
        let q = Quat::from_xyzw(0.1, 0.2, 0.3, 0.4).normalize();
        for b in [q, -q] {
            for threshold in [0.0, 0.5, 0.9995, 1.0, f32::NAN] {
                for i in 0..=8 {
                    let u = i as f32 / 8.0;
                    for got in [slerp(q, b, u, threshold), nlerp(q, b, u)] {
                        assert!(got.dot(q).abs() > 1.0 - 1e-6, "{got}");
                    }
                }
            }
        }
        let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        assert_eq!(normalize_or(zero, q), q);
        assert_eq!(normalize_or(Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0), q), q);
        assert_eq!(normalize_or(Quat::from_xyzw(1e30, 0.0, 0.0, 0.0), q), q);
    }

    #[test]
    fn the_threshold_morphs_from_nlerp_to_slerp() {
        let (a, b) = (Quat::IDENTITY, Quat::from_rotation_z(2.0));
        assert_eq!(slerp(a, b, 0.3, 0.0), nlerp(a, b, 0.3));
        assert_ne!(slerp(a, b, 0.3, 1.0), nlerp(a, b, 0.3));
        let cos = dot(a, b);
        assert_eq!(slerp(a, b, 0.3, cos - 1e-3), nlerp(a, b, 0.3));
        assert_eq!(slerp(a, b, 0.3, cos + 1e-3), slerp(a, b, 0.3, 1.0));
        // The rule is about |cos Ω|: the same on the long arc.
        assert_eq!(slerp(a, -b, 0.3, cos - 1e-3), nlerp(a, -b, 0.3));
        assert_eq!(slerp(a, -b, 0.3, cos + 1e-3), slerp(a, -b, 0.3, 1.0));
        // Half a turn: cos Ω = 0 exceeds nothing, yet 0 means pure nlerp.
        let half_turn = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);
        assert_eq!(slerp(a, half_turn, 0.3, 0.0), nlerp(a, half_turn, 0.3));
    }
}
