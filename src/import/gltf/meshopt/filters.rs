//! Filters: what an encoder did to elements so that they pack better, undone in place
//! (appendix B of the extension). Elements that no encoder writes give any numbers, but
//! numbers: casts from floats to integers saturate, and NaN becomes 0.

/// Unit vectors on the faces of an octahedron, of 4 × 8 or 4 × 16 bits; the third number
/// says what 1 is, the fourth is passed on.
pub(super) fn octahedral(bytes: &mut [u8], stride: usize) {
    let max = if stride == 4 { 127.0 } else { 32767.0 };
    let unpack = |[x, y, one]: [f32; 3]| {
        let (x, y) = (x / one, y / one);
        let z = 1.0 - x.abs() - y.abs();
        // The lower half is folded out over the edges of the square.
        let fold = z.min(0.0);
        let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
        let scale = max / (x * x + y * y + z * z).sqrt();
        [x, y, z].map(|value| (value * scale).round())
    };
    if stride == 4 {
        let (elements, _) = bytes.as_chunks_mut::<4>();
        for element in elements {
            let stored = [element[0], element[1], element[2]];
            let vector = unpack(stored.map(|byte| f32::from(byte.cast_signed())));
            for (byte, value) in element.iter_mut().zip(vector) {
                *byte = (value as i8).cast_unsigned();
            }
        }
    } else {
        let (elements, _) = bytes.as_chunks_mut::<8>();
        for element in elements {
            let [x, y, one, fourth] = words(*element);
            let [x, y, z] = unpack([x, y, one].map(f32::from)).map(|value| value as i16);
            *element = from_words([x, y, z, fourth]);
        }
    }
}

/// Unit quaternions without their largest component, of 4 × 16 bits; the fourth number
/// says what 1 is and, in its two lowest bits, which component is left out.
pub(super) fn quaternion(bytes: &mut [u8]) {
    let (elements, _) = bytes.as_chunks_mut::<8>();
    for element in elements {
        let [x, y, z, last] = words(*element);
        // What is not the largest is at most 1/√2, and is stored larger by that.
        let scale = core::f32::consts::FRAC_1_SQRT_2 / f32::from(last | 3);
        let [x, y, z] = [x, y, z].map(|value| f32::from(value) * scale);
        let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
        let largest = (last & 3) as usize;
        let mut quaternion = [0; 4];
        for (offset, value) in [w, x, y, z].into_iter().enumerate() {
            quaternion[(largest + offset) % 4] = (value * 32767.0).round() as i16;
        }
        *element = from_words(quaternion);
    }
}

/// Floats as 8 bits of exponent and 24 bits of mantissa: 2^e · m.
pub(super) fn exponential(bytes: &mut [u8]) {
    let (numbers, _) = bytes.as_chunks_mut::<4>();
    for number in numbers {
        let stored = i32::from_le_bytes(*number);
        // The extension allows −100 to 100; normal floats reach a little further.
        let exponent = (stored >> 24).clamp(-126, 127);
        let power = f32::from_bits(((exponent + 127) as u32) << 23);
        let mantissa = (stored << 8) >> 8;
        *number = (power * mantissa as f32).to_le_bytes();
    }
}

/// Colours as `YCoCg`, of 4 × 8 or 4 × 16 bits; the highest bit of the fourth number says
/// how many bits are used, those below it are alpha.
pub(super) fn color(bytes: &mut [u8], stride: usize) {
    if stride == 4 {
        let (elements, _) = bytes.as_chunks_mut::<4>();
        for element in elements {
            let [y, co, cg, a] = *element;
            let chroma = [co, cg].map(|byte| i32::from(byte.cast_signed()));
            let rgba = rgba(y.into(), chroma, a.into(), 255.0);
            *element = rgba.map(|value| value as u8);
        }
    } else {
        let (elements, _) = bytes.as_chunks_mut::<8>();
        for element in elements {
            let [y, co, cg, a] = words(*element);
            let luma = i32::from(y.cast_unsigned());
            let alpha = i32::from(a.cast_unsigned());
            let rgba = rgba(luma, [co.into(), cg.into()], alpha, 65535.0);
            *element = from_words(rgba.map(|value| (value as u16).cast_signed()));
        }
    }
}

fn rgba(y: i32, [co, cg]: [i32; 2], alpha: i32, max: f32) -> [f32; 4] {
    // All ones up to the highest bit of alpha.
    let largest = alpha
        .checked_ilog2()
        .map_or(0, |highest| (2 << highest) - 1);
    let alpha = alpha & (largest >> 1);
    let alpha = (alpha << 1) | (alpha & 1);
    let scale = max / largest as f32;
    [y + co - cg, y + cg, y - co - cg, alpha].map(|value| (value as f32 * scale).round())
}

fn words(bytes: [u8; 8]) -> [i16; 4] {
    core::array::from_fn(|i| i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]))
}

fn from_words(words: [i16; 4]) -> [u8; 8] {
    core::array::from_fn(|i| words[i / 2].to_le_bytes()[i % 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_and_edges_of_the_octahedron() {
        for (stored, expected) in [
            ([0, 0, 127, 9], [0, 0, 127, 9]),
            ([127, 0, 127, 0], [127, 0, 0, 0]),
            ([0, -127, 127, 0], [0, -127, 0, 0]),
            // The corners of the square are all −z.
            ([-127, -127, 127, -5], [0, 0, -127, -5]),
            ([127, -127, 127, 0], [0, 0, -127, 0]),
            // With 4 bits 1 is 7: (3, 3, −1) of that length.
            ([4, 4, 7, 0], [87, 87, -29, 0]),
        ] {
            let mut bytes = stored.map(i8::cast_unsigned);
            octahedral(&mut bytes, 4);
            assert_eq!(bytes.map(u8::cast_signed), expected, "{stored:?}");
        }
        let mut wide = from_words([0, 1023, 1023, -77]);
        octahedral(&mut wide, 8);
        assert_eq!(words(wide), [0, 32767, 0, -77]);
        // No direction at all.
        octahedral(&mut [0; 8], 4);
        octahedral(&mut [0; 8], 8);
    }

    #[test]
    fn quaternions_come_back() {
        for bits in [4, 8, 12, 16] {
            let one = f32::from(i16::MAX >> (16 - bits));
            for seed in 0..200 {
                let angle = |factor: f32| ((seed + 1) as f32 * factor).sin();
                let q = glam::Quat::from_xyzw(angle(1.1), angle(2.3), angle(3.7), angle(5.3));
                let q = q.normalize().to_array();
                let largest = (0..4).max_by(|&a, &b| q[a].abs().total_cmp(&q[b].abs()));
                let largest = largest.unwrap_or(0);
                let sign = q[largest].signum();
                let mut stored = [0_i16; 4];
                for offset in 1..4 {
                    let value = q[(largest + offset) % 4] * sign * core::f32::consts::SQRT_2;
                    stored[offset - 1] = (value * one).round() as i16;
                }
                stored[3] = (one as i16 & !3) | largest as i16;
                let mut bytes = from_words(stored);
                quaternion(&mut bytes);
                let found = words(bytes).map(|value| f32::from(value) / 32767.0);
                for (found, expected) in found.into_iter().zip(q) {
                    let off = (found - expected * sign).abs();
                    assert!(off < 1.5 / one + 1e-4, "{bits} bits: {off} in {q:?}");
                }
            }
        }
        quaternion(&mut [0; 8]);
    }

    #[test]
    fn floats_come_back_exactly() {
        for (exponent, mantissa, expected) in [
            (-1, 3, 1.5),
            (0, -7, -7.0),
            (-100, 1, 2.0_f32.powi(-100)),
            (100, -1, -2.0_f32.powi(100)),
            (-22, 0x7f_ffff, 0x7f_ffff as f32 / 4_194_304.0),
            (3, -0x80_0000, -67_108_864.0),
        ] {
            let stored: i32 = (exponent << 24) | (mantissa & 0xff_ffff);
            let mut bytes = stored.to_le_bytes();
            exponential(&mut bytes);
            assert_eq!(f32::from_le_bytes(bytes), expected, "{exponent} {mantissa}");
        }
    }

    #[test]
    fn colours_come_back() {
        // Red 100, green 40, blue 60 with 8 bits; 7 bits of alpha and the mark.
        let mut bytes = [60, 20, 236, 0x80 | 0x7f];
        color(&mut bytes, 4);
        assert_eq!(bytes, [100, 40, 60, 255]);
        // The same of 16 bits, half of them used.
        let mut wide = from_words([60, 20, -20, 0x80]);
        color(&mut wide, 8);
        assert_eq!(
            words(wide).map(i16::cast_unsigned),
            [100 * 257, 40 * 257, 60 * 257, 0]
        );
        color(&mut [9; 8], 4);
        color(&mut [0; 8], 8);
    }
}
