//! How much work goes into a picture.

use super::{
    Gpu,
    target::{DEPTH_FORMAT, SCENE_FORMAT},
};

/// Switches that trade time for beauty, or beauty for sameness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quality {
    /// Samples per pixel: 1, or 4 where the device can.
    pub samples: u32,
    /// Noise that hides the steps of 8-bit gradients.
    pub dither: bool,
    /// Largest anisotropy of texture filters; 1 turns it off.
    pub anisotropy: u16,
    /// Edge of the square shadow map in texels.
    pub shadow_map_size: u32,
}

impl Default for Quality {
    fn default() -> Self {
        Self {
            samples: 4,
            dither: true,
            anisotropy: 8,
            shadow_map_size: 1024,
        }
    }
}

impl Quality {
    /// For picture tests: nothing in it depends on sample positions or noise.
    pub fn deterministic() -> Self {
        Self {
            samples: 1,
            dither: false,
            anisotropy: 1,
            shadow_map_size: 512,
        }
    }

    /// The default for this device: a rasteriser on the CPU pays dearly for what a
    /// card gives for nothing.
    pub fn for_gpu(gpu: &Gpu) -> Self {
        if gpu.is_software() {
            Self {
                anisotropy: 1,
                shadow_map_size: 512,
                ..Self::default()
            }
        } else {
            Self::default()
        }
    }

    /// `samples` if the device can multisample our formats, else 1. Never on OpenGL,
    /// where reading single samples back in a shader gave nothing (Mesa 22.3).
    pub(super) fn supported_samples(&self, gpu: &Gpu) -> u32 {
        use wgpu::TextureFormatFeatureFlags as Flags;
        let flags = |format| gpu.adapter.get_texture_format_features(format).flags;
        let color = flags(SCENE_FORMAT);
        let can = self.samples >= 4
            && gpu.info.backend != wgpu::Backend::Gl
            && color.contains(Flags::MULTISAMPLE_X4)
            && flags(DEPTH_FORMAT).contains(Flags::MULTISAMPLE_X4);
        if can { 4 } else { 1 }
    }
}
