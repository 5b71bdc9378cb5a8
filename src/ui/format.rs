//! Numbers and names as text.

use glam::{Mat4, Quat, Vec3};

pub use crate::math::EulerOrder;

use crate::document::{Document, MeshInstance};

/// Characters of a number in a table of values.
pub const NUMBER_WIDTH: usize = 9;

/// `12 345`, with thin groups of three.
pub fn count(value: usize) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// `1 joint`, `65 joints`, `2 meshes`, `3 vertices`.
pub fn plural(value: usize, noun: &str) -> String {
    let many = match noun {
        "vertex" => "vertices".to_owned(),
        "mesh" => "meshes".to_owned(),
        _ => format!("{noun}s"),
    };
    format!("{} {}", count(value), if value == 1 { noun } else { &many })
}

/// The mesh's name, or its node's.
pub fn mesh_name(document: &Document, instance: &MeshInstance) -> String {
    let name = &document.meshes[instance.mesh].name;
    if name.is_empty() {
        document.skeleton.joints[instance.joint].label()
    } else {
        name.clone()
    }
}

/// The material's name, or `material 2` where there is none.
pub fn material_label(document: &Document, index: usize) -> String {
    match &document.materials[index].name {
        name if name.is_empty() => format!("material {index}"),
        name => name.clone(),
    }
}

/// `1.25 s`.
pub fn seconds(secs: f32) -> String {
    format!("{secs:.2} s")
}

/// A length in world units, which glTF says are metres: `12.3 mm`, `0.45 mm`, `1.24 m`.
pub fn millimetres(metres: f32) -> String {
    let value = metres * 1000.0;
    if !value.is_finite() {
        return "—".to_owned();
    }
    let (value, decimals, unit) = match value.abs() {
        small if small > 0.0 && small < 0.001 => return format!("{value:.0e} mm"),
        small if small < 1.0 => (value, 3, "mm"),
        medium if medium < 10.0 => (value, 2, "mm"),
        medium if medium < 999.95 => (value, 1, "mm"),
        _ => (metres, 2, "m"),
    };
    let text = format!("{value:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} {unit}")
}

/// A sum of weights to six decimals, as far as they are not zeros: `1`, `0.982`.
pub fn weight_sum(sum: f64) -> String {
    let text = format!("{sum:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Decimals, at most `wanted`, with which every one of `values` fits `room`
/// characters (no more than [`NUMBER_WIDTH`]), so that the points of a block stand
/// under each other; `None` for scientific.
pub fn shared_decimals(values: &[f32], wanted: usize, room: usize) -> Option<usize> {
    let largest = values
        .iter()
        .filter(|value| value.is_finite())
        .fold(0f32, |largest, value| largest.max(value.abs()));
    if largest >= 1e6 {
        return None;
    }
    // Sign, whole digits and point take the rest.
    let whole = (largest.max(1.0).log10().floor() as usize) + 1;
    Some(wanted.min(room.min(NUMBER_WIDTH).saturating_sub(whole + 2)))
}

/// One number of a block, right-aligned in [`NUMBER_WIDTH`] characters. A value
/// that rounds to zero has no sign, so that noise does not flicker.
pub fn number(value: f32, decimals: Option<usize>) -> String {
    let width = NUMBER_WIDTH;
    if !value.is_finite() {
        return format!("{:>width$}", if value.is_nan() { "NaN" } else { "inf" });
    }
    let Some(decimals) = decimals else {
        return format!("{value:>width$.2e}");
    };
    let text = format!("{value:.decimals$}");
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    let text = text.strip_prefix('-').filter(|_| is_zero).unwrap_or(&text);
    format!("{:>width$}", text.replace('-', "\u{2212}"))
}

/// `[1.0, 0.25, -3.0]` with every digit that is needed to read the same value back.
pub fn exact(values: &[f32]) -> String {
    format!("{values:?}")
}

/// 16 numbers, column-major, as `pose --format json` prints them.
pub fn exact_matrix(matrix: &Mat4) -> String {
    exact(&matrix.to_cols_array())
}

/// Axis and angle in degrees, 0 … 360, of a quaternion as it is stored: `q` and
/// `−q` differ, which is what joint flips are about. No axis for no turn.
pub fn axis_angle_degrees(q: Quat) -> (Vec3, f32) {
    let vector = Vec3::new(q.x, q.y, q.z);
    let sine = vector.length();
    if sine.is_nan() || sine <= 1e-7 {
        return (Vec3::ZERO, if q.w < 0.0 { 360.0 } else { 0.0 });
    }
    (vector / sine, (2.0 * sine.atan2(q.w)).to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_block_have_one_width_and_one_point() {
        let values = [0.0, -0.000_01, 12.5, -123.456_78];
        let decimals = shared_decimals(&values, 4, NUMBER_WIDTH);
        let texts = values.map(|value| number(value, decimals));
        let points = texts
            .clone()
            .map(|text| text.chars().position(|c| c == '.'));
        assert!(
            texts.iter().all(|t| t.chars().count() == NUMBER_WIDTH),
            "{texts:?}"
        );
        assert!(points.iter().all(|&p| p == points[0]), "{texts:?}");
        assert!(!texts[1].contains('\u{2212}'), "no sign on zero: {texts:?}");
        assert_eq!(texts[3].trim(), "\u{2212}123.4568");
        for huge in [1e6, -3.4e38, f32::NAN, f32::INFINITY, 999_999.0] {
            let text = number(huge, shared_decimals(&[huge], 4, NUMBER_WIDTH));
            assert!(text.chars().count() <= NUMBER_WIDTH, "{text:?}");
        }
    }

    #[test]
    fn lengths_have_some_three_digits() {
        let texts = [0.0, 0.000_000_2, 0.000_123_4, 0.005, 0.012_34, 1.5].map(millimetres);
        let wanted = ["0 mm", "2e-4 mm", "0.123 mm", "5 mm", "12.3 mm", "1.5 m"];
        assert_eq!(texts, wanted);
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(plural(1, "mesh"), "1 mesh");
        assert_eq!(plural(2, "mesh"), "2 meshes");
        assert_eq!(plural(65, "joint"), "65 joints");
    }

    #[test]
    fn axis_and_angle_keep_the_sign_of_the_quaternion() {
        let q = Quat::from_axis_angle(Vec3::Y, 1.0);
        let (axis, degrees) = axis_angle_degrees(q);
        assert!(axis.abs_diff_eq(Vec3::Y, 1e-6) && (degrees - 57.295_78).abs() < 1e-3);
        let (axis, degrees) = axis_angle_degrees(-q);
        assert!(axis.abs_diff_eq(-Vec3::Y, 1e-6) && (degrees - 302.704_22).abs() < 1e-3);
        assert_eq!(axis_angle_degrees(Quat::IDENTITY), (Vec3::ZERO, 0.0));
    }
}
