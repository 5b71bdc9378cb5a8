//! The shader programs: a file with entry points plus the shared files it uses,
//! put together when the crate is compiled.

/// One program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// File name in `shaders/` without its ending; also the label on the device.
    pub name: &'static str,
    /// The whole text.
    pub source: &'static str,
}

macro_rules! program {
    ($name:literal: $($library:literal),*) => {
        Program {
            name: $name,
            source: concat!(
                $(include_str!(concat!("../../shaders/lib/", $library, ".wgsl")), "\n",)*
                include_str!(concat!("../../shaders/", $name, ".wgsl")),
            ),
        }
    };
}

/// Meshes.
pub const MODEL: Program = program!("model": "frame", "vector", "color", "deform", "material", "environment", "pbr", "occlusion");
/// Meshes in the colours of their weights.
pub const HEAT: Program =
    program!("heat": "frame", "vector", "color", "deform", "material", "occlusion");
/// The key light's view, and the eye's of what occludes ambient light.
pub const SHADOW: Program = program!("shadow": "frame", "vector", "deform", "material");
/// Smaller levels of the key light's view.
pub const SHADOW_MIPS: Program = program!("shadow_mips": "fullscreen");
/// The soft shadow on the ground.
pub const GROUND_SHADOW: Program = program!("ground_shadow": "frame", "fullscreen");
/// The finished picture: samples, ground and background.
pub const COMPOSE: Program = program!("compose": "frame", "color", "occlusion", "fullscreen");
/// Ambient occlusion.
pub const OCCLUSION: Program = program!("occlusion": "frame", "vector", "occlusion", "fullscreen");
/// The skeleton overlay.
pub const BONES: Program = program!("bones": "frame", "vector", "color");
/// The skeleton overlay's layer over the finished picture.
pub const OVERLAY: Program = program!("overlay": "frame", "behind");
/// Overlay lines.
pub const LINES: Program = program!("lines": "frame", "color", "behind");
/// Deformed vertices as texels.
pub const READBACK: Program = program!("readback": "frame", "vector", "deform");

/// Every program, for tests.
pub const PROGRAMS: [Program; 11] = [
    MODEL,
    HEAT,
    SHADOW,
    SHADOW_MIPS,
    GROUND_SHADOW,
    COMPOSE,
    OCCLUSION,
    BONES,
    OVERLAY,
    LINES,
    READBACK,
];

impl Program {
    /// Compiles it. Trouble comes out as a device error.
    pub(super) fn compile(&self, device: &wgpu::Device) -> wgpu::ShaderModule {
        device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.name),
            source: wgpu::ShaderSource::Wgsl(self.source.into()),
        })
    }
}
