//! Interpolation of unit quaternions, with the hemisphere always explicit.
//!
//! glam's `lerp` and `slerp` align and normalise silently; a tool that shows
//! joint flips must not call them blindly.

use glam::Quat;

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
pub fn slerp(a: Quat, b: Quat, u: f32, threshold: f32) -> Quat {
    let cos = a.dot(b);
    if cos.abs() > threshold {
        return nlerp(a, b, u);
    }
    let omega = cos.clamp(-1.0, 1.0).acos();
    let sin = omega.sin();
    if sin.abs() < 1e-6 {
        return nlerp(a, b, u);
    }
    a * (((1.0 - u) * omega).sin() / sin) + b * ((u * omega).sin() / sin)
}

/// `q` or `−q`, whichever lies in `reference`'s hemisphere (the short arc).
pub fn aligned(q: Quat, reference: Quat) -> Quat {
    if q.dot(reference) < 0.0 { -q } else { q }
}

/// `q / |q|`, or `fallback` where the length is zero or not finite.
pub fn normalize_or(q: Quat, fallback: Quat) -> Quat {
    let length = q.length();
    if length > 1e-12 && length.is_finite() {
        q / length
    } else {
        fallback
    }
}
