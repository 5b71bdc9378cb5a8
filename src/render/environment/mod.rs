//! The light on stage: a procedural sky and one key light.

mod file;
mod map;
mod prefilter;
mod sky;

use glam::{Vec2, Vec3};

pub(super) use file::SkyFile;
pub(super) use map::SkyMap;
pub(super) use prefilter::prefilter;
pub use sky::{Glow, Sky, SoftBox};

use crate::scene::Light;

/// What lights the stage. All radiances are linear; 1 makes a white, fully lit
/// Lambertian surface come out white.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Environment {
    /// Light from all sides.
    pub sky: Sky,
    /// Towards the key light, unit length.
    pub key_direction: Vec3,
    /// What a white Lambertian surface facing the key light sends out because of it.
    pub key_radiance: Vec3,
    /// Width of the key light's disc over its distance: how fast shadows soften.
    pub key_width: f32,
    /// Share of the key light that makes highlights of its own: 0 where the sky has
    /// its lamp, 1 for a sun, which is too small for the sky's map.
    pub key_specular: f32,
}

impl Default for Environment {
    fn default() -> Self {
        Self::of(Light::default())
    }
}

impl Environment {
    /// A preset.
    pub fn of(light: Light) -> Self {
        match light {
            Light::Studio => Self::studio(),
            Light::Outdoor => Self::outdoor(),
        }
    }

    /// The same radiance from everywhere and no key light: a surface that neither
    /// absorbs nor emits must vanish in it.
    pub fn furnace(radiance: f32) -> Self {
        Self {
            sky: Sky::uniform(radiance),
            key_direction: Vec3::Y,
            key_radiance: Vec3::ZERO,
            key_width: 0.1,
            key_specular: 0.0,
        }
    }

    /// A photographer's studio around the default camera: a large warm key box from the
    /// upper left, a tall cool fill on the right, two strips behind that draw rims, and a
    /// low card in front.
    fn studio() -> Self {
        let key_direction = Vec3::new(-0.4, 0.8, 0.62).normalize();
        let light = |direction: Vec3, half_size: Vec2, softness, radiance| SoftBox {
            direction: direction.normalize(),
            half_size,
            softness,
            radiance,
            is_key: false,
        };
        let sky = Sky {
            zenith: Vec3::new(0.24, 0.258, 0.295),
            horizon: Vec3::new(0.135, 0.145, 0.168),
            nadir: Vec3::new(0.098, 0.094, 0.094),
            boxes: [
                SoftBox {
                    is_key: true,
                    ..light(
                        key_direction,
                        Vec2::new(0.50, 0.38),
                        0.12,
                        Vec3::new(4.6, 4.4, 4.1),
                    )
                },
                // Fill: tall, to the right of the camera.
                light(
                    Vec3::new(1.0, 0.25, 0.25),
                    Vec2::new(0.30, 0.95),
                    0.25,
                    Vec3::new(0.66, 0.73, 0.86),
                ),
                // Rims, behind on both sides.
                light(
                    Vec3::new(0.62, 0.4, -0.95),
                    Vec2::new(0.10, 0.9),
                    0.2,
                    Vec3::new(11.0, 11.4, 12.0),
                ),
                light(
                    Vec3::new(-1.0, 0.3, -0.3),
                    Vec2::new(0.09, 0.9),
                    0.2,
                    Vec3::new(6.5, 6.5, 6.6),
                ),
                // Low and wide in front: eyes and polished things have something to show.
                light(
                    Vec3::new(0.25, -0.25, 1.0),
                    Vec2::new(0.7, 0.12),
                    0.6,
                    Vec3::new(0.28, 0.26, 0.24),
                ),
                SoftBox::default(),
            ],
            ..Sky::default()
        };
        Self {
            sky,
            key_direction,
            key_radiance: Vec3::new(0.84, 0.80, 0.74),
            key_width: 0.16,
            key_specular: 0.0,
        }
    }

    /// A clear day: the sun from the upper left, blue above, haze at the horizon, warm
    /// light off the ground.
    fn outdoor() -> Self {
        let key_direction = Vec3::new(-0.5, 0.75, 0.6).normalize();
        let glow = |sharpness, radiance| Glow {
            direction: key_direction,
            sharpness,
            radiance,
        };
        let sky = Sky {
            zenith: Vec3::new(0.19, 0.31, 0.52),
            horizon: Vec3::new(0.44, 0.485, 0.53),
            nadir: Vec3::new(0.19, 0.155, 0.115),
            glows: [
                glow(5.0, Vec3::new(0.22, 0.20, 0.16)),
                glow(60.0, Vec3::new(0.9, 0.82, 0.66)),
                glow(400.0, Vec3::new(3.0, 2.8, 2.4)),
            ],
            ..Sky::default()
        };
        Self {
            sky,
            key_direction,
            key_radiance: Vec3::new(0.92, 0.83, 0.68),
            key_width: 0.05,
            key_specular: 1.0,
        }
    }
}
