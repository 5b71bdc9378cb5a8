//! Lengths as text, in units that fit: glTF's unit is the metre.

use glam::Vec3;

/// Heights outside are most likely in another unit.
const TALLEST: f32 = 20.0;
const SMALLEST: f32 = 0.1;
/// Shorter than this many metres is none.
const NOTHING: f32 = 1e-6;
/// Metres in an inch.
const INCH: f32 = 0.0254;

/// A unit of length.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Unit {
    /// How many of them make a metre.
    per_metre: f32,
    name: &'static str,
}

/// `value` to three significant digits.
fn rounded(value: f32) -> f32 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let step = 10f64.powi(f64::from(value.abs()).log10().floor() as i32 - 2);
    ((f64::from(value) / step).round() * step) as f32
}

fn unit_for(metres: f32) -> Unit {
    let unit = |per_metre, name| Unit { per_metre, name };
    match rounded(metres.abs()) {
        size if size >= 1000.0 => unit(1e-3, "km"),
        size if size >= 1.0 || size == 0.0 => unit(1.0, "m"),
        size if size >= 0.01 => unit(100.0, "cm"),
        _ => unit(1000.0, "mm"),
    }
}

/// Decimals with which a number has three significant digits.
fn decimals(value: f32) -> usize {
    let size = rounded(value.abs()).max(1e-6);
    (2.0 - size.log10().floor()).clamp(0.0, 5.0) as usize
}

fn written(value: f32, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    let text = text.strip_prefix('-').filter(|_| is_zero).unwrap_or(&text);
    text.replace('-', "\u{2212}")
}

/// `1.75 m`, `17.5 cm`, `3.20 mm`, `2.40 km`: three digits in the unit that fits.
pub fn length(metres: f32) -> String {
    if !metres.is_finite() {
        return "no length".to_owned();
    }
    // Rounding of the arithmetic behind it is no length.
    let metres = if metres.abs() < NOTHING { 0.0 } else { metres };
    let unit = unit_for(metres);
    let value = metres * unit.per_metre;
    let digits = if value == 0.0 { 0 } else { decimals(value) };
    format!("{} {}", written(value, digits), unit.name)
}

/// `5 m`, `20 cm`: a round length without the digits that say nothing.
pub fn round_length(metres: f32) -> String {
    let unit = unit_for(metres);
    let value = metres * unit.per_metre;
    let text = written(value, decimals(value));
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    format!("{text} {}", unit.name)
}

/// `0.52 × 1.75 × 0.31 m`: edge lengths along x, y and z in one unit.
pub fn dimensions(metres: Vec3) -> String {
    let [x, y, z] = in_one_unit(metres);
    let unit = unit_for(metres.abs().max_element()).name;
    format!("{x} × {y} × {z} {unit}")
}

/// Numbers along x, y and z in the unit of the largest of them, with its decimals.
pub fn in_one_unit(metres: Vec3) -> [String; 3] {
    let largest = metres.abs().max_element();
    let unit = unit_for(largest);
    let digits = decimals(largest * unit.per_metre);
    metres
        .to_array()
        .map(|value| written(value * unit.per_metre, digits))
}

/// The unit that [`in_one_unit`] writes in.
pub fn common_unit(metres: Vec3) -> &'static str {
    unit_for(metres.abs().max_element()).name
}

/// Why a height is hard to believe in metres, and what it would be in other units;
/// `None` for what can be believed.
pub fn doubt(height_metres: f32) -> Option<String> {
    let height = height_metres;
    if height > TALLEST && height.is_finite() {
        return Some(format!(
            "{} tall: glTF counts in metres. If the file counts in centimetres it is {} tall, if in inches, {}.",
            length(height),
            length(height * 0.01),
            length(height * INCH)
        ));
    }
    (height > 0.0 && height < SMALLEST).then(|| {
        format!(
            "{} tall: glTF counts in metres. If metres were taken for centimetres on the way, it was {} tall, if for inches, {}.",
            length(height),
            length(height * 100.0),
            length(height / INCH)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_three_digits_in_a_unit_that_fits() {
        for (metres, text) in [
            (1.754_9, "1.75 m"),
            (0.175, "17.5 cm"),
            (0.999_6, "1.00 m"),
            (0.0032, "3.20 mm"),
            (79.3, "79.3 m"),
            (175.4, "175 m"),
            (2404.0, "2.40 km"),
            (0.0, "0 m"),
            (-0.25, "\u{2212}25.0 cm"),
            (0.000_004, "0.00400 mm"),
            (-0.000_000_3, "0 m"),
            (f32::INFINITY, "no length"),
        ] {
            assert_eq!(length(metres), text);
        }
    }

    #[test]
    fn round_lengths_are_short() {
        for (metres, text) in [
            (0.5, "50 cm"),
            (2.0, "2 m"),
            (100.0, "100 m"),
            (0.002, "2 mm"),
            (0.000_5, "0.5 mm"),
            (5000.0, "5 km"),
        ] {
            assert_eq!(round_length(metres), text);
        }
    }

    #[test]
    fn dimensions_share_a_unit_and_its_decimals() {
        let size = Vec3::new(0.524, 1.749, 0.05);
        assert_eq!(dimensions(size), "0.52 × 1.75 × 0.05 m");
        assert_eq!(dimensions(size * 0.1), "5.2 × 17.5 × 0.5 cm");
        assert_eq!(
            in_one_unit(Vec3::new(-0.001, -1.0, 0.5)),
            ["0.00", "\u{2212}1.00", "0.50"]
        );
    }

    #[test]
    fn only_heights_that_nobody_has_are_doubted() {
        for height in [0.1, 0.4, 1.75, 20.0, 0.0, f32::NAN, f32::INFINITY] {
            assert_eq!(doubt(height), None, "{height}");
        }
        let centimetres = doubt(175.0).expect("a giant");
        assert!(centimetres.contains("1.75 m"), "{centimetres}");
        let inches = doubt(69.0).expect("a giant");
        assert!(inches.contains("1.75 m"), "{inches}");
        let tiny = doubt(0.0175).expect("a dwarf");
        assert!(
            tiny.contains("1.75 cm tall") && tiny.contains("1.75 m"),
            "{tiny}"
        );
    }
}
