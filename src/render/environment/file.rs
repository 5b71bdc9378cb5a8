//! Prefiltered skies as bytes; those of the presets lie in `assets/`, so that no
//! first picture waits for them.
//!
//! A file is the 8 bytes `rigsky01`; nine spherical harmonics of 3 × f32; then the
//! levels, largest first, rows of texels of 4 bytes in the format `Rgb9e5Ufloat`. All
//! numbers are little-endian. Sizes are not stored: they are the ones of `prefilter`.

use std::borrow::Cow;

use glam::Vec3;

use super::prefilter::{LEVELS, SkyLight, level_size};
use crate::scene::Light;

const MAGIC: &[u8; 8] = b"rigsky01";
const HARMONICS: usize = 9;
const HEADER: usize = MAGIC.len() + HARMONICS * 3 * 4;

/// The light of a sky as it is stored and uploaded.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::render) struct SkyFile(Cow<'static, [u8]>);

impl SkyFile {
    /// A preset's, made ahead.
    pub(in crate::render) fn stored(light: Light) -> Self {
        // A test of this module compares both with what the code would make.
        let bytes: &[u8] = match light {
            Light::Studio => include_bytes!("../../../assets/studio.sky"),
            Light::Outdoor => include_bytes!("../../../assets/outdoor.sky"),
        };
        Self(Cow::Borrowed(bytes))
    }

    pub(in crate::render) fn new(light: &SkyLight) -> Self {
        let mut bytes = MAGIC.to_vec();
        for value in light.irradiance.iter().flat_map(Vec3::to_array) {
            bytes.extend(value.to_le_bytes());
        }
        for &texel in light.levels.iter().flatten() {
            bytes.extend(shared_exponent(texel).to_le_bytes());
        }
        Self(Cow::Owned(bytes))
    }

    /// Spherical harmonics of diffuse light.
    pub(in crate::render) fn irradiance(&self) -> [Vec3; HARMONICS] {
        core::array::from_fn(|i| {
            Vec3::from_array(core::array::from_fn(|channel| {
                let at = MAGIC.len() + (i * 3 + channel) * 4;
                f32::from_le_bytes(core::array::from_fn(|byte| self.0[at + byte]))
            }))
        })
    }

    /// Texels by level, largest first.
    pub(in crate::render) fn levels(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = &self.0[HEADER..];
        (0..LEVELS).map(move |level| {
            let (texels, after) = rest.split_at((level_size(level).pow(2) * 4) as usize);
            rest = after;
            texels
        })
    }
}

/// Three mantissas of 9 bits, red lowest, and an exponent of 5 with bias 15 on top
/// (OpenGL extension `EXT_texture_shared_exponent`).
fn shared_exponent(color: Vec3) -> u32 {
    const LARGEST: f32 = 65408.0;
    let color = color.clamp(Vec3::ZERO, Vec3::splat(LARGEST));
    let binary_exponent = |x: f32| (x.to_bits() >> 23) as i32 - 127;
    let mut exponent = binary_exponent(color.max_element()).max(-16) + 16;
    let mantissa = |x: f32, exponent: i32| (x / 2f32.powi(exponent - 24) + 0.5).floor() as u32;
    if mantissa(color.max_element(), exponent) == 512 {
        exponent += 1;
    }
    let [r, g, b] = color.to_array().map(|x| mantissa(x, exponent));
    r | g << 9 | b << 18 | (exponent as u32) << 27
}

#[cfg(test)]
mod tests {
    use super::{super::prefilter::prefilter, *};
    use crate::render::Environment;

    fn decoded(texel: u32) -> Vec3 {
        let scale = 2f32.powi((texel >> 27) as i32 - 24);
        let channel = |shift: u32| (texel >> shift & 511) as f32 * scale;
        Vec3::new(channel(0), channel(9), channel(18))
    }

    #[test]
    fn a_shared_exponent_keeps_nine_bits() {
        for color in [
            Vec3::new(0.0, 1.0, 0.5),
            Vec3::new(0.999_9, 0.001, 0.3),
            Vec3::new(13.7, 2.0, 0.1),
            Vec3::splat(1e-6),
            Vec3::splat(60_000.0),
        ] {
            let error = (decoded(shared_exponent(color)) - color)
                .abs()
                .max_element();
            let step = color.max_element() / 256.0;
            assert!(error <= step.max(1e-5) * 0.51, "{color}: off by {error}");
        }
        assert_eq!(decoded(shared_exponent(Vec3::ZERO)), Vec3::ZERO);
    }

    /// `RIGSCOPE_BLESS=1` writes the files anew.
    #[test]
    fn the_stored_skies_are_those_of_the_code() {
        for (light, name) in [(Light::Studio, "studio"), (Light::Outdoor, "outdoor")] {
            let made = SkyFile::new(&prefilter(&Environment::of(light).sky));
            if std::env::var_os("RIGSCOPE_BLESS").is_some() {
                let path = format!("{}/assets/{name}.sky", env!("CARGO_MANIFEST_DIR"));
                std::fs::write(path, &made.0).expect("the assets can be written");
                continue;
            }
            let stored = SkyFile::stored(light);
            assert_eq!(stored.0.len(), made.0.len(), "{name}");
            assert_eq!(stored.0[..8], made.0[..8], "{name}");
            // Mathematics libraries differ in the last bit.
            for (a, b) in stored.irradiance().iter().zip(made.irradiance()) {
                assert!(a.abs_diff_eq(b, 1e-4), "{name}: {a} is stored, not {b}");
            }
            for (level, (a, b)) in stored.levels().zip(made.levels()).enumerate() {
                for (at, (a, b)) in a.chunks(4).zip(b.chunks(4)).enumerate() {
                    let [a, b] = [a, b].map(|bytes| {
                        decoded(u32::from_le_bytes(core::array::from_fn(|i| bytes[i])))
                    });
                    assert!(
                        a.abs_diff_eq(b, b.max_element() / 200.0),
                        "{name}, level {level}, texel {at}: {a} is stored, not {b}"
                    );
                }
            }
        }
    }
}
