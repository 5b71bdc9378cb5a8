//! The light on stage: a procedural sky and one key light.

use glam::{Vec3, Vec4};

use super::uniforms::Lobe;

/// What lights the stage. All radiances are linear; 1 makes a white, fully lit
/// Lambertian surface come out white.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Environment {
    /// Radiance from straight up.
    pub zenith: Vec3,
    /// Radiance from the horizon.
    pub horizon: Vec3,
    /// Radiance from straight down: light off the ground.
    pub nadir: Vec3,
    /// Soft lights in the sky.
    pub lobes: [Lobe; 3],
    /// Towards the key light, unit length.
    pub key_direction: Vec3,
    /// What a white Lambertian surface facing the key light sends out because of it.
    pub key_radiance: Vec3,
    /// Width of the key light's disc over its distance: how fast shadows soften.
    pub key_width: f32,
}

impl Default for Environment {
    /// A studio as seen by the default camera: warm key from the upper left, a wide
    /// cool fill from the right, a rim light from behind, over a soft sky.
    fn default() -> Self {
        let lobe = |direction: Vec3, sharpness, radiance| Lobe {
            direction: direction.normalize(),
            sharpness,
            radiance,
            padding: 0.0,
        };
        Self {
            zenith: Vec3::new(0.40, 0.43, 0.48),
            horizon: Vec3::new(0.20, 0.21, 0.225),
            nadir: Vec3::new(0.075, 0.073, 0.07),
            lobes: [
                lobe(Vec3::new(-0.4, 0.8, 0.62), 18.0, Vec3::new(1.5, 1.42, 1.3)),
                lobe(Vec3::new(0.9, 0.3, 0.45), 6.0, Vec3::new(0.30, 0.36, 0.45)),
                lobe(Vec3::new(0.35, 0.5, -0.9), 12.0, Vec3::new(1.6, 1.7, 1.9)),
            ],
            key_direction: Vec3::new(-0.4, 0.8, 0.62).normalize(),
            key_radiance: Vec3::new(0.64, 0.61, 0.56),
            key_width: 0.16,
        }
    }
}

impl Environment {
    /// The same radiance from everywhere and no key light: a surface that neither
    /// absorbs nor emits must vanish in it.
    pub fn furnace(radiance: f32) -> Self {
        Self {
            zenith: Vec3::splat(radiance),
            horizon: Vec3::splat(radiance),
            nadir: Vec3::splat(radiance),
            lobes: [Lobe::default(); 3],
            key_direction: Vec3::Y,
            key_radiance: Vec3::ZERO,
            key_width: 0.1,
        }
    }

    /// Radiance of the sky from a direction; `sky_gradient` at width 0 plus the
    /// lights, as in `shaders/lib/environment.wgsl`.
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        let smoothstep = |low: f32, high: f32, x: f32| {
            let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        };
        let y = direction.y;
        let sky = self.horizon.lerp(self.zenith, y.max(0.0).sqrt());
        let floor = self
            .horizon
            .lerp(self.nadir, smoothstep(0.0, 0.5, (-y).max(0.0)));
        let gradient = floor.lerp(sky, smoothstep(-0.12, 0.12, y));
        self.lobes.iter().fold(gradient, |sum, lobe| {
            sum + lobe.radiance * (lobe.sharpness * (direction.dot(lobe.direction) - 1.0)).exp()
        })
    }

    /// Outgoing radiance of a white Lambertian surface as 9 spherical harmonics
    /// (R. Ramamoorthi, P. Hanrahan, SIGGRAPH 2001), with the basis constants and
    /// the cosine lobe folded in: `Σ c · (1, y, z, x, xy, yz, 3z²−1, xz, x²−y²)`.
    pub fn irradiance(&self) -> [Vec4; 9] {
        const RINGS: usize = 32;
        const STEPS: usize = 48;
        let mut sums = [Vec3::ZERO; 9];
        for ring in 0..RINGS {
            // Rings of equal area.
            let y = 1.0 - (2.0 * ring as f32 + 1.0) / RINGS as f32;
            let radius = (1.0 - y * y).sqrt();
            for step in 0..STEPS {
                let angle = core::f32::consts::TAU * (step as f32 + 0.5) / STEPS as f32;
                let d = Vec3::new(radius * angle.sin(), y, radius * angle.cos());
                let radiance = self.radiance(d);
                for (sum, value) in sums.iter_mut().zip(basis(d)) {
                    *sum += radiance * value;
                }
            }
        }
        // Squared normalisation of each basis function × its cosine lobe factor
        // (π, 2π/3, π/4) / π × the solid angle of a sample.
        let solid_angle = 4.0 * core::f32::consts::PI / (RINGS * STEPS) as f32;
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
        core::array::from_fn(|i| (sums[i] * (factors[i] * solid_angle)).extend(0.0))
    }
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

    fn diffuse(coefficients: &[Vec4; 9], n: Vec3) -> Vec3 {
        coefficients
            .iter()
            .zip(basis(n))
            .fold(Vec3::ZERO, |sum, (c, value)| sum + c.truncate() * value)
    }

    #[test]
    fn a_furnace_lights_every_side_alike() {
        let coefficients = Environment::furnace(0.7).irradiance();
        for n in [Vec3::X, Vec3::Y, Vec3::NEG_Z, Vec3::ONE.normalize()] {
            let got = diffuse(&coefficients, n);
            assert!(got.abs_diff_eq(Vec3::splat(0.7), 2e-3), "{n}: {got}");
        }
    }

    #[test]
    fn harmonics_match_the_integral_over_the_sky() {
        let sky = Environment::default();
        let coefficients = sky.irradiance();
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
                sum += sky.radiance(d) * cos;
                weight += cos;
            }
            let exact = sum / weight;
            let got = diffuse(&coefficients, n);
            // Nine coefficients hold a sky with lights this soft to some percent.
            assert!(
                got.abs_diff_eq(exact, 0.06 * exact.max_element()),
                "{n}: {got} against {exact}"
            );
        }
    }
}
