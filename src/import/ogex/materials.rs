//! Materials and textures.
//!
//! The format has the diffuse and specular colours of older shading. They become a
//! metallic-roughness material that looks alike: the diffuse colour is the base colour,
//! nothing is metal, and the roughness is **guessed** from the specular power `p` as
//! (2 / (p + 2))^¼, which is where a Blinn-Phong lobe of that power is as wide as the
//! microfacet lobe (α = roughness², α² = 2 / (p + 2)). Without a power, or with a black
//! specular colour, the surface is rough. `OpenGEX` 3 may state roughness and metalness,
//! which are taken. The tint of the specular colour is not shown. Colours are taken as linear.

use std::{collections::HashMap, path::PathBuf};

use glam::{Affine2, DMat4, Mat2, Vec2, Vec3, Vec4};

use super::{
    Failure, Pictures, Source,
    ddl::{Data, Id, Tree},
    error::OgexError,
    metrics::Metrics,
    nodes::name,
    transform,
};
use crate::{
    document::{
        AlphaMode, Finding, FindingCode, Image, Material, Sampler, Severity, Texture, TextureRef,
    },
    import::{
        gltf::uri::{self, Resource},
        picture,
        progress::Stage,
    },
};

/// Largest file that is read as a picture.
const MAX_FILE_BYTES: u64 = 256 << 20;
/// What all decoded pictures may take together.
const MAX_TOTAL_BYTES: u64 = 1 << 30;

/// All materials and the textures they use.
#[derive(Default)]
pub(super) struct Surfaces {
    pub(super) materials: Vec<Material>,
    pub(super) textures: Vec<Texture>,
    by_id: HashMap<Id, usize>,
    /// File names as stored, by image.
    names: Vec<String>,
    image_of: HashMap<String, usize>,
}

impl Surfaces {
    /// The material of a structure, if it is one.
    pub(super) fn material(&self, id: Id) -> Option<usize> {
        self.by_id.get(&id).copied()
    }
}

/// Reads every `Material` structure of the top level.
pub(super) fn read(source: &Source<'_>, findings: &mut Vec<Finding>) -> Result<Surfaces, Failure> {
    let tree = source.tree;
    let mut surfaces = Surfaces::default();
    for id in tree.ids() {
        if tree.get(id).kind == "Material" && tree.parent(id).is_none() {
            let material = surfaces.read(tree, id, &source.metrics, findings)?;
            surfaces.by_id.insert(id, surfaces.materials.len());
            surfaces.materials.push(material);
        }
    }
    Ok(surfaces)
}

impl Surfaces {
    fn read(
        &mut self,
        tree: &Tree<'_>,
        id: Id,
        metrics: &Metrics,
        findings: &mut Vec<Finding>,
    ) -> Result<Material, OgexError> {
        let mut material = Material {
            name: name(tree, id),
            metallic: 0.0,
            double_sided: tree.flag(id, "two_sided")?,
            ..Material::default()
        };
        let (mut power, mut stated) = (None, None);
        let mut is_matt = false;
        // What the document has no place for, as the file calls it.
        let mut left_out: Vec<String> = Vec::new();
        for child in tree.children(id) {
            let attrib = tree.text(child, "attrib")?.unwrap_or_default();
            match tree.get(child).kind {
                "Color" => {
                    let color = color(tree, child);
                    match attrib {
                        "diffuse" => {
                            material.base_color =
                                color.truncate().extend(material.base_color.w * color.w);
                        }
                        "specular" => is_matt = color.truncate().max_element() <= 0.0,
                        "emission" => material.emissive = color.truncate(),
                        // The mean of what shines through each colour is hidden.
                        "opacity" => material.base_color.w *= mean(color),
                        "transparency" => material.base_color.w *= 1.0 - mean(color),
                        _ => left_out.push(format!("colour {attrib:?}")),
                    }
                }
                "Param" => {
                    let value = number(tree, child);
                    match attrib {
                        "specular_power" => power = value,
                        "opacity" => material.base_color.w *= value.unwrap_or(1.0),
                        "transparency" => {
                            material.base_color.w *= 1.0 - value.unwrap_or(0.0);
                        }
                        "metalness" | "metallic" => {
                            material.metallic = value.unwrap_or(0.0).clamp(0.0, 1.0);
                        }
                        "roughness" => stated = value,
                        "normal_scale" => material.normal_scale = value.unwrap_or(1.0),
                        _ => left_out.push(format!("number {attrib:?}")),
                    }
                }
                "Texture" => {
                    let texture = self.texture(tree, child, metrics)?;
                    match attrib {
                        "diffuse" => material.base_color_texture = texture,
                        "normal" => material.normal_texture = texture,
                        "emission" => {
                            material.emissive_texture = texture;
                            if material.emissive == Vec3::ZERO {
                                material.emissive = Vec3::ONE;
                            }
                        }
                        "occlusion" => material.occlusion_texture = texture,
                        _ => left_out.push(format!("texture {attrib:?}")),
                    }
                }
                _ => {}
            }
        }
        material.base_color = material.base_color.clamp(Vec4::ZERO, Vec4::ONE);
        if material.base_color.w < 1.0 {
            material.alpha_mode = AlphaMode::Blend;
        }
        material.roughness = match stated {
            Some(stated) => stated.clamp(0.0, 1.0),
            None => roughness(power.filter(|_| !is_matt)),
        };
        if !left_out.is_empty() {
            const SHOWN: usize = 8;
            let count = left_out.len();
            left_out.truncate(SHOWN);
            let more = if count > SHOWN { ", …" } else { "" };
            findings.push(Finding::new(
                FindingCode::ExtensionUnsupported,
                Severity::Info,
                format!(
                    "line {}: {} has what is not shown: {}{more}",
                    tree.get(id).line,
                    tree.path(id),
                    left_out.join(", ")
                ),
            ));
        }
        Ok(material)
    }

    fn texture(
        &mut self,
        tree: &Tree<'_>,
        id: Id,
        metrics: &Metrics,
    ) -> Result<Option<TextureRef>, OgexError> {
        let Some(Data::Strings(names)) = tree.data(id).map(|data| &data.data) else {
            return Ok(None);
        };
        let file = names.first().cloned().unwrap_or_default();
        let image = match self.image_of.get(&file) {
            Some(&known) => known,
            None => {
                let new = self.names.len();
                self.textures.push(Texture {
                    image: new,
                    sampler: Sampler::default(),
                });
                self.image_of.insert(file.clone(), new);
                self.names.push(file);
                new
            }
        };
        let matrix = transform::product(
            &transform::parts(tree, id)?,
            &Metrics {
                // Texture space has no metres.
                distance: 1.0,
                ..*metrics
            },
        );
        Ok(Some(TextureRef {
            texture: image,
            // A set beyond the second is not kept; the first stands in.
            uv_set: tree
                .number(id, "texcoord")?
                .filter(|&set| set < 2)
                .unwrap_or(0),
            uv_transform: downwards(matrix.as_dmat4()),
        }))
    }

    /// Decodes the pictures; one that cannot be read becomes a placeholder and a finding.
    pub(super) fn pictures(
        &self,
        source: &Source<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<Pictures, Failure> {
        let mut pictures = Pictures::default();
        let mut budget = MAX_TOTAL_BYTES;
        for (index, name) in self.names.iter().enumerate() {
            source.check(Stage::Images, index, self.names.len())?;
            let shown = uri::shortened(name);
            let image = match load(source, name, &mut budget) {
                Ok((image, path, bytes)) => {
                    pictures.sources.push(path);
                    pictures.size_bytes += bytes;
                    image
                }
                Err(reason) => {
                    findings.push(
                        Finding::new(
                            FindingCode::ImageUnreadable,
                            Severity::Warning,
                            format!("image {index} {shown:?}: {reason}; a placeholder is shown"),
                        )
                        .with("image", index as f64),
                    );
                    picture::placeholder(shown.clone(), reason)
                }
            };
            pictures.images.push(image);
        }
        Ok(pictures)
    }
}

/// Reads and decodes one picture beside the model, within what is left of the budget.
fn load(
    source: &Source<'_>,
    name: &str,
    budget: &mut u64,
) -> Result<(Image, PathBuf, u64), String> {
    // Blender writes `//` for the folder of the file. Names are plain, not escaped.
    let plain = name.strip_prefix("//").unwrap_or(name).replace('%', "%25");
    let relative = match uri::resolve(&plain).map_err(|error| error.to_string())? {
        Resource::Path(path) => path,
        Resource::Data(_) => return Err("it is no file name".into()),
    };
    let folder = source
        .folder
        .ok_or("the model is in memory and has no folder")?;
    let path = folder.join(relative);
    let bytes = uri::read(&path, Some(MAX_FILE_BYTES)).map_err(|error| error.to_string())?;
    let size = picture::decoded_bytes(&bytes).map_err(|error| error.to_string())?;
    *budget = budget
        .checked_sub(size)
        .ok_or("the file's images together are too large")?;
    let image = picture::decode(uri::shortened(name), &bytes).map_err(|error| error.to_string())?;
    Ok((image, path, bytes.len() as u64))
}

/// The format's texture coordinates run upwards, ours downwards: flip, transform, flip.
fn downwards(matrix: DMat4) -> Affine2 {
    let axes = Mat2::from_cols(
        matrix.x_axis.truncate().truncate().as_vec2(),
        matrix.y_axis.truncate().truncate().as_vec2(),
    );
    let moved = matrix.w_axis.truncate().truncate().as_vec2();
    let flip = Affine2::from_mat2_translation(Mat2::from_diagonal(Vec2::new(1.0, -1.0)), Vec2::Y);
    let result = flip * Affine2::from_mat2_translation(axes, moved) * flip;
    if result.is_finite() {
        result
    } else {
        Affine2::IDENTITY
    }
}

fn roughness(power: Option<f32>) -> f32 {
    match power {
        Some(power) if power > 0.0 && power.is_finite() => (2.0 / (power + 2.0)).sqrt().sqrt(),
        _ => 1.0,
    }
}

fn mean(color: Vec4) -> f32 {
    color.truncate().element_sum() / 3.0
}

/// Three or four floats; alpha is 1 where there is none. White where there are too few.
fn color(tree: &Tree<'_>, id: Id) -> Vec4 {
    match tree.data(id).map(|data| &data.data) {
        Some(Data::Floats(values)) if values.len() >= 3 => {
            let part = |index: usize| {
                let value = values.get(index).copied().unwrap_or(1.0);
                if value.is_finite() {
                    value.max(0.0)
                } else {
                    1.0
                }
            };
            Vec4::new(part(0), part(1), part(2), part(3))
        }
        _ => Vec4::ONE,
    }
}

fn number(tree: &Tree<'_>, id: Id) -> Option<f32> {
    match tree.data(id).map(|data| &data.data) {
        Some(Data::Floats(values)) => values.first().copied().filter(|value| value.is_finite()),
        _ => None,
    }
}
