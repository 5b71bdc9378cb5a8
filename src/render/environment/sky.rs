//! Procedural skies: a vertical gradient with soft boxes and glows in it.

use glam::{Vec2, Vec3};

/// Where light comes from, as a formula. Radiances are linear.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sky {
    /// Radiance from straight up.
    pub zenith: Vec3,
    /// Radiance from the horizon.
    pub horizon: Vec3,
    /// Radiance from straight down: light off the ground.
    pub nadir: Vec3,
    /// Rectangular lights; those without radiance are off.
    pub boxes: [SoftBox; 6],
    /// Round lights that fade outwards; those without radiance are off.
    pub glows: [Glow; 3],
}

/// A rectangle of light with soft edges, upright and facing the stage.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SoftBox {
    /// Towards its middle, unit length, not straight up or down.
    pub direction: Vec3,
    /// Half its width and height, over its distance.
    pub half_size: Vec2,
    /// Share of the half size over which it fades, inwards and outwards: 0 … 1.
    pub softness: f32,
    /// Radiance at its middle.
    pub radiance: Vec3,
    /// It is the key light's lamp: seen in reflections only, since the key light,
    /// which throws shadows, brings its diffuse light.
    pub is_key: bool,
}

/// A spherical Gaussian: radiance · exp(sharpness · (cos − 1)).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Glow {
    /// Towards its middle, unit length.
    pub direction: Vec3,
    /// Larger is narrower.
    pub sharpness: f32,
    /// Radiance at its middle.
    pub radiance: Vec3,
}

impl Sky {
    /// The same radiance from everywhere.
    pub fn uniform(radiance: f32) -> Self {
        Self {
            zenith: Vec3::splat(radiance),
            horizon: Vec3::splat(radiance),
            nadir: Vec3::splat(radiance),
            ..Self::default()
        }
    }

    /// Radiance from a direction of unit length, as reflections show it.
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        self.sum(direction, true)
    }

    /// Radiance from a direction of unit length without the key light's lamp.
    pub fn ambient_radiance(&self, direction: Vec3) -> Vec3 {
        self.sum(direction, false)
    }

    fn sum(&self, direction: Vec3, with_key: bool) -> Vec3 {
        let boxes = self.boxes.iter().filter(|b| with_key || !b.is_key);
        self.gradient(direction.y)
            + boxes.map(|b| b.radiance(direction)).sum::<Vec3>()
            + self
                .glows
                .iter()
                .map(|g| g.radiance * (g.sharpness * (direction.dot(g.direction) - 1.0)).exp())
                .sum::<Vec3>()
    }

    /// The sky without lights. Air is brightest near the horizon, where most of it is
    /// looked through; the ground darkens towards the figure's feet.
    fn gradient(&self, y: f32) -> Vec3 {
        let sky = self.horizon.lerp(self.zenith, y.max(0.0).sqrt());
        let ground = self
            .horizon
            .lerp(self.nadir, smoothstep(0.0, 0.5, (-y).max(0.0)));
        ground.lerp(sky, smoothstep(-0.12, 0.12, y))
    }
}

impl SoftBox {
    fn radiance(&self, direction: Vec3) -> Vec3 {
        let depth = direction.dot(self.direction);
        if depth <= 0.0 || self.radiance == Vec3::ZERO {
            return Vec3::ZERO;
        }
        let right = Vec3::Y.cross(self.direction).normalize();
        let up = self.direction.cross(right);
        let at = Vec2::new(direction.dot(right), direction.dot(up)) / (depth * self.half_size);
        let edge = |x: f32| 1.0 - smoothstep(1.0 - self.softness, 1.0 + self.softness, x.abs());
        // The lamp behind the cloth is in the middle.
        let falloff = 1.0 / (1.0 + 0.35 * at.length_squared());
        self.radiance * (edge(at.x) * edge(at.y) * falloff)
    }
}

fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    if low >= high {
        return if x < low { 0.0 } else { 1.0 };
    }
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_bright_inside_and_absent_outside_and_behind() {
        let light = SoftBox {
            direction: Vec3::Z,
            half_size: Vec2::new(0.2, 0.6),
            softness: 0.1,
            radiance: Vec3::ONE,
            is_key: false,
        };
        let at = |x: f32, y: f32, z: f32| light.radiance(Vec3::new(x, y, z).normalize()).x;
        assert_eq!(at(0.0, 0.0, 1.0), 1.0);
        assert!(at(0.0, 0.5, 1.0) > 0.75, "it is tall");
        assert_eq!(at(0.5, 0.0, 1.0), 0.0, "and narrow");
        assert_eq!(at(0.0, 0.0, -1.0), 0.0, "and in front");
    }

    #[test]
    fn the_keys_lamp_is_left_out_of_ambient_light() {
        let mut sky = Sky::uniform(0.25);
        sky.boxes[0] = SoftBox {
            direction: Vec3::Z,
            half_size: Vec2::ONE,
            softness: 0.5,
            radiance: Vec3::ONE,
            is_key: true,
        };
        assert_eq!(sky.radiance(Vec3::Z), Vec3::splat(1.25));
        assert_eq!(sky.ambient_radiance(Vec3::Z), Vec3::splat(0.25));
    }
}
