//! Colours: sRGB's transfer function (IEC 61966-2-1) and Oklab (B. Ottosson, "A
//! perceptual color space for image processing", 2020), in which equal distances look
//! about equally large. Linear colours have Rec. 709 primaries, 0 … 1 in gamut.

use glam::Vec3;

/// One channel from its encoded value, 0 … 1.
pub fn linear_from_srgb(encoded: f32) -> f32 {
    if encoded <= 0.04045 {
        encoded / 12.92
    } else {
        ((encoded + 0.055) / 1.055).powf(2.4)
    }
}

/// One channel to its encoded value, 0 … 1.
pub fn srgb_from_linear(linear: f32) -> f32 {
    if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}

/// A linear colour as encoded bytes; out of gamut it is clipped.
pub fn srgb_bytes(linear: Vec3) -> [u8; 3] {
    let byte = |channel: f32| (srgb_from_linear(channel.clamp(0.0, 1.0)) * 255.0).round() as u8;
    [byte(linear.x), byte(linear.y), byte(linear.z)]
}

/// Oklab (lightness 0 … 1, green–red, blue–yellow) of a linear colour.
pub fn oklab_from_linear(rgb: Vec3) -> Vec3 {
    let cones = Vec3::new(
        rgb.dot(Vec3::new(0.412_221_46, 0.536_332_55, 0.051_445_995)),
        rgb.dot(Vec3::new(0.211_903_5, 0.680_699_5, 0.107_396_96)),
        rgb.dot(Vec3::new(0.088_302_46, 0.281_718_85, 0.629_978_7)),
    )
    .map(f32::cbrt);
    Vec3::new(
        cones.dot(Vec3::new(0.210_454_26, 0.793_617_8, -0.004_072_047)),
        cones.dot(Vec3::new(1.977_998_5, -2.428_592_2, 0.450_593_7)),
        cones.dot(Vec3::new(0.025_904_037, 0.782_771_77, -0.808_675_77)),
    )
}

/// The linear colour of an Oklab colour, which may be out of gamut.
pub fn linear_from_oklab(lab: Vec3) -> Vec3 {
    let cones = Vec3::new(
        lab.dot(Vec3::new(1.0, 0.396_337_78, 0.215_803_76)),
        lab.dot(Vec3::new(1.0, -0.105_561_346, -0.063_854_17)),
        lab.dot(Vec3::new(1.0, -0.089_484_18, -1.291_485_5)),
    );
    let cones = cones * cones * cones;
    Vec3::new(
        cones.dot(Vec3::new(4.076_741_7, -3.307_711_6, 0.230_969_94)),
        cones.dot(Vec3::new(-1.268_438, 2.609_757_4, -0.341_319_38)),
        cones.dot(Vec3::new(-0.004_196_086, -0.703_418_6, 1.707_614_7)),
    )
}

/// Oklab of a lightness, a chroma and a hue in degrees, with as much of the chroma as
/// sRGB can show at that lightness and hue.
pub fn oklab_in_gamut(lightness: f32, chroma: f32, hue_degrees: f32) -> Vec3 {
    let (sine, cosine) = hue_degrees.to_radians().sin_cos();
    let lab = |share: f32| Vec3::new(lightness, chroma * share * cosine, chroma * share * sine);
    let fits = |share: f32| {
        let rgb = linear_from_oklab(lab(share));
        rgb.min_element() >= 0.0 && rgb.max_element() <= 1.0
    };
    if fits(1.0) {
        return lab(1.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = 0.5 * (low + high);
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    lab(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oklab_of_known_colours_and_back() {
        // Ottosson's own table gives red as 0.628, 0.225, 0.126.
        let red = oklab_from_linear(Vec3::X);
        assert!(
            red.abs_diff_eq(Vec3::new(0.628, 0.225, 0.126), 1e-3),
            "{red}"
        );
        let white = oklab_from_linear(Vec3::ONE);
        assert!(white.abs_diff_eq(Vec3::X, 1e-3), "{white}");
        for rgb in [Vec3::new(0.1, 0.5, 0.9), Vec3::splat(0.2), Vec3::Y] {
            let back = linear_from_oklab(oklab_from_linear(rgb));
            assert!(back.abs_diff_eq(rgb, 1e-4), "{rgb}: {back}");
        }
    }

    #[test]
    fn encoding_and_back() {
        for byte in 0..=255u8 {
            let linear = linear_from_srgb(f32::from(byte) / 255.0);
            assert_eq!(srgb_bytes(Vec3::splat(linear)), [byte; 3]);
        }
        assert_eq!(srgb_bytes(Vec3::new(-1.0, 2.0, 0.5)), [0, 255, 188]);
    }

    #[test]
    fn chroma_gives_way_to_the_gamut_and_lightness_does_not() {
        for hue in (0..360).step_by(15) {
            let lab = oklab_in_gamut(0.7, 0.4, hue as f32);
            let rgb = linear_from_oklab(lab);
            assert!(
                rgb.min_element() >= -1e-4 && rgb.max_element() <= 1.0001,
                "{hue}: {rgb}"
            );
            assert!((oklab_from_linear(rgb).x - 0.7).abs() < 1e-3);
        }
    }
}
