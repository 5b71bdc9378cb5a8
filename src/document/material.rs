//! Metallic-roughness materials, textures and images.

use glam::{Affine2, Vec3, Vec4};

/// A glTF 2.0 metallic-roughness material. Factors are linear.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Name as stored, or empty.
    pub name: String,
    /// Linear RGBA.
    pub base_color: Vec4,
    /// Multiplies `base_color`; sRGB.
    pub base_color_texture: Option<TextureRef>,
    /// 0 dielectric … 1 metal.
    pub metallic: f32,
    /// Perceptual roughness 0 … 1.
    pub roughness: f32,
    /// Green = roughness, blue = metallic; linear.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Tangent-space normals; linear.
    pub normal_texture: Option<TextureRef>,
    /// Scales the normal map's x and y.
    pub normal_scale: f32,
    /// Red = occlusion; linear.
    pub occlusion_texture: Option<TextureRef>,
    /// 0 none … 1 full occlusion.
    pub occlusion_strength: f32,
    /// Linear RGB, already multiplied by `KHR_materials_emissive_strength`.
    pub emissive: Vec3,
    /// Multiplies `emissive`; sRGB.
    pub emissive_texture: Option<TextureRef>,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// Draw both sides, with the normal turned to the viewer.
    pub double_sided: bool,
    /// `KHR_materials_unlit`: base colour only.
    pub unlit: bool,
}

impl Default for Material {
    /// glTF's default material: white, fully metallic factor 1, roughness 1.
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: Vec4::ONE,
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: Vec3::ZERO,
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
        }
    }
}

/// How a surface's alpha is used.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum AlphaMode {
    /// Alpha ignored.
    #[default]
    Opaque,
    /// Drawn where alpha ≥ the cutoff.
    Mask(f32),
    /// Blended over what lies behind.
    Blend,
}

/// A texture as a material uses it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureRef {
    /// Index into `Document::textures`.
    pub texture: usize,
    /// Texture coordinate set, 0 or 1.
    pub uv_set: u32,
    /// `KHR_texture_transform` as one matrix, identity without it.
    pub uv_transform: Affine2,
}

/// Image and sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texture {
    /// Index into `Document::images`.
    pub image: usize,
    /// How to read it.
    pub sampler: Sampler,
}

/// How a texture is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Sampler {
    /// Enlarging.
    pub mag: Filter,
    /// Shrinking, within a mip level.
    pub min: Filter,
    /// Between mip levels; `None` uses the largest level only.
    pub mip: Option<Filter>,
    /// Outside 0…1 horizontally.
    pub wrap_u: Wrap,
    /// Outside 0…1 vertically.
    pub wrap_v: Wrap,
}

/// Texel filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Filter {
    /// The nearest texel.
    Nearest,
    /// Weighted mean.
    #[default]
    Linear,
}

/// Texture addressing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Wrap {
    /// Tiles.
    #[default]
    Repeat,
    /// Tiles, every second one mirrored.
    Mirror,
    /// Extends the edge.
    Clamp,
}

/// A decoded picture, rows from the top.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Image {
    /// Name, URI or `image 3`, for messages and lists.
    pub name: String,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Layout of `pixels`.
    pub format: PixelFormat,
    /// Tightly packed rows.
    pub pixels: Vec<u8>,
    /// Why this is only a placeholder, where the real picture could not be read.
    pub placeholder: Option<String>,
}

impl core::fmt::Debug for Image {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Image")
            .field("name", &self.name)
            .field("width", &self.width)
            .field("height", &self.height)
            .field("placeholder", &self.placeholder)
            .finish_non_exhaustive()
    }
}

/// Layout of an image's pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PixelFormat {
    /// Four bytes, straight alpha. Colour space is the user's business.
    #[default]
    Rgba8,
}
