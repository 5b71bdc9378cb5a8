//! A sky as light on surfaces: reflections by roughness, diffuse light by
//! spherical harmonics.
//!
//! Reflections are a square map of directions (an octahedron unfolded, the zenith in
//! the middle, the nadir in the four corners; Z. Engelhardt and C. Dachsbacher, 2008).
//! Level 0 is the sky itself; each smaller level is the sky as a rougher surface
//! reflects it, straight at the viewer: the first sum of B. Karis's split sum ("Real
//! Shading in Unreal Engine 4", SIGGRAPH 2013), integrated over all texels of level 0.

use core::f32::consts::PI;

use glam::{Vec2, Vec3};

use super::sky::Sky;

/// Edge of level 0 in texels.
pub(in crate::render) const SIZE: u32 = 128;
/// Levels, each half as wide as the one before it. Level l is for roughness
/// l / ([`LEVELS`] − 1).
pub(in crate::render) const LEVELS: u32 = 5;
/// Samples along each side of a texel of level 0, against stairs at lights' edges.
const SAMPLES: u32 = 4;

/// What shaders need of a sky.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::render) struct SkyLight {
    /// Outgoing radiance of a white Lambertian surface, see [`basis`]; without the
    /// key light's lamp.
    pub irradiance: [Vec3; 9],
    /// Reflected radiance, rows along +Z, by level.
    pub levels: Vec<Vec<Vec3>>,
}

/// Edge of a level in texels.
pub(in crate::render) fn level_size(level: u32) -> u32 {
    SIZE >> level
}

/// The point of the octahedron |x| + |y| + |z| = 1 at `uv` in −1…1.
fn octahedron(uv: Vec2) -> Vec3 {
    let y = 1.0 - uv.x.abs() - uv.y.abs();
    if y >= 0.0 {
        Vec3::new(uv.x, y, uv.y)
    } else {
        Vec3::new(
            (1.0 - uv.y.abs()) * 1f32.copysign(uv.x),
            y,
            (1.0 - uv.x.abs()) * 1f32.copysign(uv.y),
        )
    }
}

fn texel_middle(x: u32, y: u32, size: u32) -> Vec2 {
    (Vec2::new(x as f32, y as f32) + 0.5) * (2.0 / size as f32) - 1.0
}

/// A texel of level 0: direction, share of the sphere, radiance.
struct Source {
    direction: Vec3,
    solid_angle: f32,
    radiance: Vec3,
    ambient: Vec3,
}

fn sources(sky: &Sky) -> Vec<Source> {
    let fine = SIZE * SAMPLES;
    let mut sources = Vec::with_capacity((SIZE * SIZE) as usize);
    for (y, x) in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (y, x))) {
        let point = octahedron(texel_middle(x, y, SIZE));
        let [mut radiance, mut ambient] = [Vec3::ZERO; 2];
        for (j, i) in (0..SAMPLES).flat_map(|j| (0..SAMPLES).map(move |i| (j, i))) {
            let uv = texel_middle(x * SAMPLES + i, y * SAMPLES + j, fine);
            let direction = octahedron(uv).normalize();
            radiance += sky.radiance(direction);
            ambient += sky.ambient_radiance(direction);
        }
        let samples = (SAMPLES * SAMPLES) as f32;
        sources.push(Source {
            direction: point.normalize(),
            solid_angle: point.length().powi(-3),
            radiance: radiance / samples,
            ambient: ambient / samples,
        });
    }
    let sum: f32 = sources.iter().map(|s| s.solid_angle).sum();
    for source in &mut sources {
        source.solid_angle *= 4.0 * PI / sum;
    }
    sources
}

/// Prefilters a sky: some tenths of a second of one core's time.
pub(in crate::render) fn prefilter(sky: &Sky) -> SkyLight {
    let sources = sources(sky);
    let mut levels = vec![sources.iter().map(|s| s.radiance).collect::<Vec<_>>()];
    for level in 1..LEVELS {
        let size = level_size(level);
        let roughness = level as f32 / (LEVELS - 1) as f32;
        let texels = (0..size * size).map(|i| {
            let normal = octahedron(texel_middle(i % size, i / size, size)).normalize();
            reflected(&sources, normal, roughness * roughness)
        });
        levels.push(texels.collect());
    }
    for (level, texels) in (0..).zip(&mut levels) {
        join_edges(texels, level_size(level) as usize);
    }
    SkyLight {
        irradiance: irradiance(&sources),
        levels,
    }
}

/// Mean radiance by the GGX lobe about `normal`, which is also towards the viewer,
/// weighted by the cosine: with the half vector h, D(n·h) (n·l) dω.
fn reflected(sources: &[Source], normal: Vec3, alpha: f32) -> Vec3 {
    let alpha2 = alpha * alpha;
    let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
    for source in sources {
        let n_dot_l = source.direction.dot(normal);
        if n_dot_l <= 0.0 {
            continue;
        }
        let n_dot_h2 = 0.5 + 0.5 * n_dot_l;
        let f = n_dot_h2 * (alpha2 - 1.0) + 1.0;
        let weight = n_dot_l / (f * f) * source.solid_angle;
        sum += source.radiance * weight;
        weights += weight;
    }
    sum / weights
}

/// Opposite halves of each edge are the same directions: they get the same texels, so
/// that a sampler which stays inside shows no seam.
fn join_edges(texels: &mut [Vec3], size: usize) {
    let last = size - 1;
    let mut join = |a: usize, b: usize| {
        let mean = (texels[a] + texels[b]) * 0.5;
        (texels[a], texels[b]) = (mean, mean);
    };
    for i in 0..size / 2 {
        let j = last - i;
        join(i, j);
        join(last * size + i, last * size + j);
        join(i * size, j * size);
        join(i * size + last, j * size + last);
    }
    let corners = [0, last, last * size, last * size + last];
    let mean = corners.iter().map(|&i| texels[i]).sum::<Vec3>() / 4.0;
    for corner in corners {
        texels[corner] = mean;
    }
}

/// Outgoing radiance of a white Lambertian surface as 9 spherical harmonics
/// (R. Ramamoorthi, P. Hanrahan, SIGGRAPH 2001), with the basis constants and
/// the cosine lobe folded in: `Σ c · (1, y, z, x, xy, yz, 3z²−1, xz, x²−y²)`.
fn irradiance(sources: &[Source]) -> [Vec3; 9] {
    let mut sums = [Vec3::ZERO; 9];
    for source in sources {
        for (sum, value) in sums.iter_mut().zip(basis(source.direction)) {
            *sum += source.ambient * (value * source.solid_angle);
        }
    }
    // Squared normalisation of each basis function × its cosine lobe factor
    // (π, 2π/3, π/4) / π.
    let factors = [
        0.282_095f32.powi(2),
        0.488_603f32.powi(2) * 2.0 / 3.0,
        0.488_603f32.powi(2) * 2.0 / 3.0,
        0.488_603f32.powi(2) * 2.0 / 3.0,
        1.092_548f32.powi(2) * 0.25,
        1.092_548f32.powi(2) * 0.25,
        0.315_392f32.powi(2) * 0.25,
        1.092_548f32.powi(2) * 0.25,
        0.546_274f32.powi(2) * 0.25,
    ];
    core::array::from_fn(|i| sums[i] * factors[i])
}

/// The first nine real spherical harmonics without their constants.
fn basis(d: Vec3) -> [f32; 9] {
    [
        1.0,
        d.y,
        d.z,
        d.x,
        d.x * d.y,
        d.y * d.z,
        3.0 * d.z * d.z - 1.0,
        d.x * d.z,
        d.x * d.x - d.y * d.y,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{render::Environment, scene::Light};

    fn diffuse(coefficients: &[Vec3; 9], n: Vec3) -> Vec3 {
        coefficients
            .iter()
            .zip(basis(n))
            .fold(Vec3::ZERO, |sum, (&c, value)| sum + c * value)
    }

    fn mean(texels: &[Vec3], size: u32) -> Vec3 {
        let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
        for (i, &texel) in (0..).zip(texels) {
            let weight = octahedron(texel_middle(i % size, i / size, size))
                .length()
                .powi(-3);
            sum += texel * weight;
            weights += weight;
        }
        sum / weights
    }

    #[test]
    fn a_uniform_sky_stays_uniform() {
        let light = prefilter(&Sky::uniform(0.7));
        for (level, texels) in light.levels.iter().enumerate() {
            for texel in texels {
                assert!(
                    texel.abs_diff_eq(Vec3::splat(0.7), 1e-4),
                    "level {level}: {texel}"
                );
            }
        }
        for n in [Vec3::X, Vec3::Y, Vec3::NEG_Z, Vec3::ONE.normalize()] {
            let got = diffuse(&light.irradiance, n);
            assert!(got.abs_diff_eq(Vec3::splat(0.7), 2e-3), "{n}: {got}");
        }
    }

    #[test]
    fn blurring_keeps_the_mean_radiance() {
        for preset in Light::ALL {
            let light = prefilter(&Environment::of(preset).sky);
            let whole = mean(&light.levels[0], SIZE);
            for (level, texels) in (0..).zip(&light.levels) {
                let got = mean(texels, level_size(level));
                assert!(
                    got.abs_diff_eq(whole, 0.02 * whole.max_element()),
                    "{preset:?}, level {level}: {got} against {whole}"
                );
            }
        }
    }

    #[test]
    fn harmonics_match_the_integral_over_the_sky() {
        for preset in Light::ALL {
            let sky = Environment::of(preset).sky;
            let coefficients = irradiance(&sources(&sky));
            for n in [
                Vec3::Y,
                Vec3::Z,
                Vec3::new(-1.0, 0.3, 0.2).normalize(),
                Vec3::NEG_Y,
            ] {
                let (mut sum, mut weight) = (Vec3::ZERO, 0.0);
                for i in 0..20_000 {
                    // Fibonacci sphere.
                    let y = 1.0 - (2.0 * i as f32 + 1.0) / 20_000.0;
                    let angle = 2.399_963_2 * i as f32;
                    let r = (1.0 - y * y).sqrt();
                    let d = Vec3::new(r * angle.cos(), y, r * angle.sin());
                    let cos = d.dot(n).max(0.0);
                    sum += sky.ambient_radiance(d) * cos;
                    weight += cos;
                }
                let exact = sum / weight;
                let got = diffuse(&coefficients, n);
                // Nine coefficients hold a sky with soft lights to some percent.
                assert!(
                    got.abs_diff_eq(exact, 0.08 * exact.max_element()),
                    "{preset:?}, {n}: {got} against {exact}"
                );
            }
        }
    }

    #[test]
    fn edges_meet() {
        let light = prefilter(&Environment::of(Light::Outdoor).sky);
        for (level, texels) in (0..).zip(&light.levels) {
            let size = level_size(level) as usize;
            for i in 0..size {
                let j = size - 1 - i;
                assert_eq!(texels[i], texels[j], "level {level}, top");
                assert_eq!(texels[i * size], texels[j * size], "level {level}, left");
            }
        }
    }
}
