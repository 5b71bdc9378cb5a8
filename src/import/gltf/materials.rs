//! Materials, and the textures and images they use.

use std::collections::HashMap;

use glam::{Affine2, Vec2, Vec3, Vec4};
use serde_json::Value;

use super::{
    label,
    schema::{self, Root},
};
use crate::document::{
    AlphaMode, Filter, Finding, FindingCode, Material, Sampler, Severity, Texture, TextureRef, Wrap,
};

/// Materials with what they use; unused textures and images are left out.
pub(super) struct Surfaces {
    pub(super) materials: Vec<Material>,
    pub(super) textures: Vec<Texture>,
    /// The file's image index behind each `Texture::image`.
    pub(super) images: Vec<usize>,
}

/// Reads all materials.
pub(super) fn read(root: &Root, image_count: usize, findings: &mut Vec<Finding>) -> Surfaces {
    let mut reader = Reader {
        root,
        image_count,
        texture_of: HashMap::new(),
        image_of: HashMap::new(),
        textures: Vec::new(),
        images: Vec::new(),
        findings,
    };
    let materials = root
        .materials
        .iter()
        .enumerate()
        .map(|(index, stored)| reader.material(index, stored))
        .collect();
    Surfaces {
        materials,
        textures: reader.textures,
        images: reader.images,
    }
}

struct Reader<'a> {
    root: &'a Root,
    image_count: usize,
    /// New index by the file's texture index; `None` for an unusable one.
    texture_of: HashMap<usize, Option<usize>>,
    /// New index by the file's image index.
    image_of: HashMap<usize, usize>,
    textures: Vec<Texture>,
    images: Vec<usize>,
    findings: &'a mut Vec<Finding>,
}

impl Reader<'_> {
    fn material(&mut self, index: usize, stored: &schema::Material) -> Material {
        let name = label("material", index, &stored.name);
        let pbr = &stored.pbr_metallic_roughness;
        let standard = Material::default();
        let mut texture = |info: &Option<schema::TextureInfo>, what: &str| {
            info.as_ref()
                .and_then(|info| self.texture_ref(info, &format!("{what} of {name}")))
        };
        let base_color_texture = texture(&pbr.base_color_texture, "base colour texture");
        let metallic_roughness_texture = texture(
            &pbr.metallic_roughness_texture,
            "metallic-roughness texture",
        );
        let normal_texture = texture(&stored.normal_texture, "normal texture");
        let occlusion_texture = texture(&stored.occlusion_texture, "occlusion texture");
        let emissive_texture = texture(&stored.emissive_texture, "emissive texture");

        let mut factor = |value: Option<f32>, default: f32, what: &str| match value {
            Some(value) if value.is_finite() => value,
            None => default,
            Some(_) => {
                self.findings.push(reference_finding(format!(
                    "{name}: its {what} is not finite; {default} is used"
                )));
                default
            }
        };
        let scale_of = |info: &Option<schema::TextureInfo>| info.as_ref().and_then(|i| i.scale);
        let strength_of =
            |info: &Option<schema::TextureInfo>| info.as_ref().and_then(|i| i.strength);
        let [r, g, b, a] = pbr.base_color_factor.unwrap_or([1.0; 4]);
        let mut color = |value: f32, default| factor(Some(value), default, "base colour factor");
        let base_color = Vec4::new(color(r, 1.0), color(g, 1.0), color(b, 1.0), color(a, 1.0));
        let emissive = Vec3::from(stored.emissive_factor.unwrap_or_default())
            .map(|value| factor(Some(value), 0.0, "emissive factor"));
        let emissive_strength = factor(
            number(
                &stored.extensions,
                "KHR_materials_emissive_strength",
                "emissiveStrength",
            ),
            1.0,
            "emissive strength",
        );
        Material {
            base_color,
            base_color_texture,
            metallic: factor(pbr.metallic_factor, standard.metallic, "metallic factor"),
            roughness: factor(pbr.roughness_factor, standard.roughness, "roughness factor"),
            metallic_roughness_texture,
            normal_texture,
            normal_scale: factor(scale_of(&stored.normal_texture), 1.0, "normal scale"),
            occlusion_texture,
            occlusion_strength: factor(
                strength_of(&stored.occlusion_texture),
                1.0,
                "occlusion strength",
            ),
            emissive: emissive * emissive_strength,
            emissive_texture,
            alpha_mode: match stored.alpha_mode.as_deref() {
                Some("MASK") => AlphaMode::Mask(factor(stored.alpha_cutoff, 0.5, "alpha cutoff")),
                Some("BLEND") => AlphaMode::Blend,
                _ => AlphaMode::Opaque,
            },
            double_sided: stored.double_sided,
            unlit: stored.extensions.contains_key("KHR_materials_unlit"),
            name: stored.name.clone(),
        }
    }

    fn texture_ref(&mut self, info: &schema::TextureInfo, what: &str) -> Option<TextureRef> {
        let texture = self.texture(info.index?, what)?;
        let transform = info.extensions.get("KHR_texture_transform");
        let uv_set = transform
            .and_then(|t| t.get("texCoord")?.as_u64())
            .unwrap_or(u64::from(info.tex_coord));
        if uv_set > 1 {
            self.findings.push(reference_finding(format!(
                "the {what} uses TEXCOORD_{uv_set}, but only 0 and 1 are read; it is left out"
            )));
            return None;
        }
        Some(TextureRef {
            texture,
            uv_set: uv_set as u32,
            uv_transform: transform.map_or(Affine2::IDENTITY, uv_transform),
        })
    }

    fn texture(&mut self, index: usize, what: &str) -> Option<usize> {
        if let Some(&known) = self.texture_of.get(&index) {
            return known;
        }
        let texture = self.new_texture(index, what);
        self.texture_of.insert(index, texture);
        texture
    }

    fn new_texture(&mut self, index: usize, what: &str) -> Option<usize> {
        let mut missing = |message: String| {
            self.findings.push(reference_finding(message));
            None
        };
        let Some(stored) = self.root.textures.get(index) else {
            return missing(format!(
                "the {what} is texture {index}, but the file has {}; it is left out",
                self.root.textures.len()
            ));
        };
        // The WebP is the better one where there are both.
        let webp = stored
            .extensions
            .get("EXT_texture_webp")
            .and_then(|webp| webp.get("source")?.as_u64())
            .and_then(|source| usize::try_from(source).ok());
        let Some(image) = webp.or(stored.source) else {
            return missing(format!(
                "texture {index}, the {what}, has no image in a format that is read; it is left out"
            ));
        };
        if image >= self.image_count {
            return missing(format!(
                "texture {index}, the {what}, refers to image {image}, but the file has {}; it is left out",
                self.image_count
            ));
        }
        let sampler = match stored.sampler {
            None => Some(default_sampler()),
            Some(sampler) => self.root.samplers.get(sampler).map(sampler_of),
        };
        let Some(sampler) = sampler else {
            return missing(format!(
                "texture {index}, the {what}, refers to a sampler that does not exist; it is left out"
            ));
        };
        let images = &mut self.images;
        let image = *self.image_of.entry(image).or_insert_with(|| {
            images.push(image);
            images.len() - 1
        });
        self.textures.push(Texture { image, sampler });
        Some(self.textures.len() - 1)
    }
}

fn reference_finding(message: String) -> Finding {
    Finding::new(FindingCode::ReferenceInvalid, Severity::Warning, message)
}

fn number(extensions: &schema::Extensions, extension: &str, field: &str) -> Option<f32> {
    extensions
        .get(extension)?
        .get(field)?
        .as_f64()
        .map(|value| value as f32)
}

/// `KHR_texture_transform`: translation · rotation · scale. The angle counts
/// against the clock as seen in the picture, whose v axis points down.
fn uv_transform(transform: &Value) -> Affine2 {
    let pair = |name: &str, default: Vec2| {
        let parts = transform.get(name).and_then(Value::as_array);
        let part = |index: usize| Some(parts?.get(index)?.as_f64()? as f32);
        match (part(0), part(1)) {
            (Some(x), Some(y)) => Vec2::new(x, y),
            _ => default,
        }
    };
    let angle = transform
        .get("rotation")
        .and_then(Value::as_f64)
        .unwrap_or(0.0) as f32;
    let matrix = Affine2::from_scale_angle_translation(
        pair("scale", Vec2::ONE),
        -angle,
        pair("offset", Vec2::ZERO),
    );
    if matrix.is_finite() {
        matrix
    } else {
        Affine2::IDENTITY
    }
}

/// By OpenGL's numbers; an unknown one is read as the default.
fn sampler_of(stored: &schema::Sampler) -> Sampler {
    let wrap = |number: Option<u32>| match number {
        Some(33071) => Wrap::Clamp,
        Some(33648) => Wrap::Mirror,
        _ => Wrap::Repeat,
    };
    let (min, mip) = match stored.min_filter {
        Some(9728) => (Filter::Nearest, None),
        Some(9729) => (Filter::Linear, None),
        Some(9984) => (Filter::Nearest, Some(Filter::Nearest)),
        Some(9985) => (Filter::Linear, Some(Filter::Nearest)),
        Some(9986) => (Filter::Nearest, Some(Filter::Linear)),
        _ => (Filter::Linear, Some(Filter::Linear)),
    };
    Sampler {
        mag: if stored.mag_filter == Some(9728) {
            Filter::Nearest
        } else {
            Filter::Linear
        },
        min,
        mip,
        wrap_u: wrap(stored.wrap_s),
        wrap_v: wrap(stored.wrap_t),
    }
}

/// What glTF leaves to the reader: smooth at any size.
fn default_sampler() -> Sampler {
    Sampler {
        mip: Some(Filter::Linear),
        ..Sampler::default()
    }
}
