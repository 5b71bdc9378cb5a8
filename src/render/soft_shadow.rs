//! Pipelines of ambient occlusion and of the ground's soft shadow.

use super::{
    layouts::Layouts,
    model::{Deform, VERTEX_LAYOUTS},
    occlusion::OCCLUSION_FORMAT,
    pipelines::{Ground, PipelineKey, Recipe},
    shaders,
};

/// Red: blocked share of key light on the ground.
pub(super) const GROUND_SHADOW_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

impl<'a> Recipe<'a> {
    /// The recipe for one of these keys; for any other, the ground shadow's.
    pub(super) fn soft_shadow(key: PipelineKey, layouts: &'a Layouts) -> Self {
        const OVER: Option<wgpu::BlendState> = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        match key {
            PipelineKey::Depth { masked, deform } => Self {
                fragment_entry: masked.then_some("fs_masked"),
                targets: Vec::new(),
                groups: if masked {
                    vec![&layouts.frame, &layouts.model, &layouts.material]
                } else {
                    vec![&layouts.frame, &layouts.model]
                },
                buffers: &VERTEX_LAYOUTS,
                constants: alpha_test(deform, masked),
                ..Self::new(
                    // The key light's program: from the frame's uniforms as
                    // `FrameUniforms::for_depth` has them it makes the eye's depth,
                    // and a software rasteriser compiles one vertex stage less.
                    shaders::SHADOW,
                    if masked { "vs_masked" } else { "vs_solid" },
                    "occluders",
                )
            },
            PipelineKey::Occlusion => Self {
                groups: vec![&layouts.frame, &layouts.occlusion_depth],
                targets: vec![OCCLUSION_FORMAT],
                depth: None,
                // Here as in `PipelineKey::Compose` it changes nothing but saves
                // llvmpipe a second variant.
                blend: OVER,
                ..Self::new(shaders::OCCLUSION, "vs_fullscreen", "fs_occlusion")
            },
            PipelineKey::OcclusionBlur => Self {
                groups: vec![&layouts.frame, &layouts.compose_single],
                targets: vec![OCCLUSION_FORMAT],
                depth: None,
                blend: OVER,
                ..Self::new(shaders::OCCLUSION, "vs_fullscreen", "fs_blur")
            },
            _ => Self {
                groups: vec![&layouts.frame, &layouts.blit],
                targets: vec![GROUND_SHADOW_FORMAT],
                depth: None,
                blend: OVER,
                ..Self::new(shaders::GROUND_SHADOW, "vs_fullscreen", "fs_ground_shadow")
            },
        }
    }
}

/// What a vertex stage needs that only writes depth.
pub(super) fn alpha_test(deform: Deform, masked: bool) -> Vec<(&'static str, f64)> {
    let mut constants = deform.constants().to_vec();
    if masked {
        constants.push(("HAS_BASE_COLOR_TEXTURE", 1.0));
        constants.push(("HAS_VERTEX_COLORS", 1.0));
    }
    constants
}

impl Ground {
    pub(super) fn constants(self) -> Vec<(&'static str, f64)> {
        let (grid, shadow, occlusion) = match self {
            Self::None => (false, false, false),
            Self::Grid => (true, false, false),
            Self::Darkened { shadow, occlusion } => (true, shadow, occlusion),
        };
        [("GRID", grid), ("SHADOW", shadow), ("OCCLUSION", occlusion)]
            .map(|(name, on)| (name, f64::from(u8::from(on))))
            .to_vec()
    }
}
