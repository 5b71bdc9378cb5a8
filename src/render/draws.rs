//! A frame's meshes as draws: which pipeline, which bindings, in which order.

use glam::Mat4;

use super::{
    RenderError,
    layouts::Layouts,
    model::{Alpha, BASE_COLOR, Deform, GpuMaterial, GpuPrimitive, Method, Models, NORMAL},
    pipelines::{Cull, ModelKey, PipelineKey},
    uniforms::{Instance, MIRRORED_BIND, NAIVE_NORMALS, NONE, NORMALIZE_WEIGHTS},
};
use crate::{
    anim::{Skinning, Weights},
    document::Topology,
    scene::{CharacterFrame, DrawInstance, Frame, Shading},
};

/// One primitive of one mesh instance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draw {
    pub key: PipelineKey,
    /// Index into the renderer's models.
    pub model: usize,
    pub mesh: usize,
    pub primitive: usize,
    /// Index into the instance buffer.
    pub instance: u32,
    pub alpha: Alpha,
    pub deform: Deform,
    /// A figure without substance: it throws no shadow.
    pub tinted: bool,
    /// View-space z of the middle: smaller is farther.
    pub depth: f32,
}

impl Draw {
    /// Masked surfaces test their alpha before they occlude.
    pub(super) fn depth_key(&self) -> PipelineKey {
        PipelineKey::Depth {
            masked: self.alpha != Alpha::Opaque,
            deform: self.deform,
        }
    }

    /// Anything but an opaque surface tests its alpha before it throws a shadow.
    pub(super) fn shadow_key(&self) -> PipelineKey {
        PipelineKey::Shadow {
            masked: self.alpha != Alpha::Opaque,
            deform: self.deform,
        }
    }
}

/// All draws of a frame, buffers kept from frame to frame.
#[derive(Debug, Default)]
pub(super) struct DrawList {
    pub instances: Vec<Instance>,
    /// Opaque and masked.
    pub solid: Vec<Draw>,
    /// Blended, farthest first.
    pub blended: Vec<Draw>,
}

/// Which of the light's costlier parts a frame has.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LightParts {
    pub shadows: bool,
    pub occlusion: bool,
    pub reflections: bool,
}

/// What uploading takes.
pub(super) struct Uploads<'a> {
    pub device: &'a wgpu::Device,
    pub queue: &'a wgpu::Queue,
    pub layouts: &'a Layouts,
    pub anisotropy: u16,
    pub messages: &'a mut Vec<String>,
    /// Number of the present frame.
    pub frame_number: u64,
}

impl DrawList {
    /// Lists every visible primitive of the frame, uploading documents that are new.
    pub(super) fn update(
        &mut self,
        frame: &Frame,
        light: LightParts,
        models: &mut Models,
        uploads: &mut Uploads<'_>,
    ) -> Result<(), RenderError> {
        self.instances.clear();
        self.solid.clear();
        self.blended.clear();
        for character in &frame.characters {
            let model = models.find_or_upload(uploads, &character.document)?;
            let Some(model) = model else { continue };
            models.get_mut(model).last_frame = uploads.frame_number;
            if frame.wireframe {
                models.get_mut(model).ensure_edges(
                    uploads.device,
                    uploads.queue,
                    &character.document,
                )?;
            }
            for draw in &character.draws {
                self.push_instance(frame, character, draw, model, models, light);
            }
        }
        self.blended.sort_by(|a, b| {
            a.depth
                .total_cmp(&b.depth)
                .then(a.instance.cmp(&b.instance))
        });
        Ok(())
    }

    fn push_instance(
        &mut self,
        frame: &Frame,
        character: &CharacterFrame,
        draw: &DrawInstance,
        model: usize,
        models: &Models,
        light: LightParts,
    ) {
        let gpu = models.get(model);
        let mesh = character.document.instances[draw.instance].mesh;
        let mirrored_bind = gpu.mirrored_bind(draw.instance, &character.document);
        let sides = Sides::of(frame, character, draw, mirrored_bind);
        let mut vertices = 0;
        for (index, primitive) in gpu.geometry.meshes[mesh].iter().enumerate() {
            let heat_before = vertices;
            vertices += primitive.vertex_count;
            if primitive.vertex_count == 0 || primitive.indices.is_empty() {
                continue;
            }
            let material = gpu.material(primitive.material);
            let look = Look {
                shading: frame.shading,
                heat: frame.heat.is_some() && character.tint.is_none(),
                tinted: character.tint.is_some(),
                deform: deform(character, primitive),
            };
            let key = model_key(look, primitive, material, sides, light);
            let placed = draw.world_from_mesh * sides.first;
            let depth = (frame.camera.view_from_world * placed)
                .transform_point3(primitive.center)
                .z;
            let entry = Draw {
                key: PipelineKey::Model(key),
                model,
                mesh,
                primitive: index,
                instance: self.instances.len() as u32,
                alpha: key.alpha,
                deform: key.deform,
                tinted: key.tinted,
                depth,
            };
            let mut record = instance(character, draw, primitive, mirrored_bind);
            record.heat_start = draw.heat_start.map_or(NONE, |start| start + heat_before);
            self.instances.push(record);
            if key.alpha == Alpha::Blend {
                self.blended.push(entry);
            } else {
                self.solid.push(entry);
            }
        }
    }
}

/// The instance's record for the vertex stage. `mirrored_bind` is
/// [`super::model::GpuModel::mirrored_bind`]'s.
pub(super) fn instance(
    character: &CharacterFrame,
    draw: &DrawInstance,
    primitive: &GpuPrimitive,
    mirrored_bind: bool,
) -> Instance {
    let mesh = &character.document.meshes[character.document.instances[draw.instance].mesh];
    let normalize = match character.weights {
        Weights::Normalized => NORMALIZE_WEIGHTS,
        Weights::Stored => 0,
    };
    Instance {
        world_from_mesh: draw.world_from_mesh.into(),
        palette_start: draw
            .palette_start
            .filter(|_| primitive.deform.skinned)
            .unwrap_or(NONE),
        morph_start: draw.morph_start,
        morph_count: mesh.morph_weights.len() as u32,
        delta_start: primitive.delta_start,
        vertex_start: primitive.vertex_start,
        vertex_count: primitive.vertex_count,
        influence_start: primitive.influence_start,
        influence_count: primitive.influence_count,
        flags: primitive.flags
            | normalize
            | if mirrored_bind { MIRRORED_BIND } else { 0 }
            | if character.naive_normals {
                NAIVE_NORMALS
            } else {
                0
            },
        tint: character.tint.map_or(0, packed_tint),
        ..Instance::default()
    }
}

/// Linear RGBA as bytes; the colour by its square root, which keeps dark ones apart.
fn packed_tint(tint: glam::Vec4) -> u32 {
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    let [r, g, b] = tint
        .truncate()
        .to_array()
        .map(|value| byte(value.max(0.0).sqrt()));
    u32::from_le_bytes([r, g, b, byte(tint.w)])
}

/// Which sides of a mesh instance face out.
#[derive(Debug, Clone, Copy)]
struct Sides {
    plain: bool,
    mirrored: bool,
    /// The first skin matrix, a guess at where a skinned mesh is.
    first: Mat4,
}

impl Sides {
    /// Looks at the sign of the determinant of every matrix that moves the mesh,
    /// turned round where the bind was mirrored.
    fn of(
        frame: &Frame,
        character: &CharacterFrame,
        draw: &DrawInstance,
        mirrored_bind: bool,
    ) -> Self {
        let placement = draw.world_from_mesh.determinant();
        let document = &character.document;
        let skin = document.instances[draw.instance].skin;
        let (Some(start), Some(skin)) = (draw.palette_start, skin) else {
            return Self {
                plain: (placement >= 0.0) != mirrored_bind,
                mirrored: (placement < 0.0) != mirrored_bind,
                first: Mat4::IDENTITY,
            };
        };
        let start = start as usize;
        let entries = character.skinning.entries();
        let count = document.skins[skin].joints.len() * entries;
        let palette = &frame.skin_matrices[start..start + count];
        let mut sides = Self {
            plain: false,
            mirrored: false,
            first: palette.first().map_or(Mat4::IDENTITY, |m| m.to_mat4()),
        };
        // Of stretch and motion only the stretch can mirror.
        for matrix in palette.iter().step_by(entries) {
            let [a, b, c] = matrix.rows.map(glam::Vec4::truncate);
            if (a.dot(b.cross(c)) * placement < 0.0) != mirrored_bind {
                sides.mirrored = true;
            } else {
                sides.plain = true;
            }
        }
        sides
    }

    fn cull(self) -> Cull {
        match (self.plain, self.mirrored) {
            (_, false) => Cull::Clockwise,
            (false, true) => Cull::CounterClockwise,
            (true, true) => Cull::InShader,
        }
    }
}

/// The parts of a primitive's deformation that the frame asks for.
pub(super) fn deform(character: &CharacterFrame, primitive: &GpuPrimitive) -> Deform {
    Deform {
        more_influences: primitive.deform.more_influences
            && character.skinning != Skinning::FourInfluences,
        method: if primitive.deform.skinned {
            character.skinning.into()
        } else {
            Method::default()
        },
        ..primitive.deform
    }
}

/// How the frame wants a primitive to look.
#[derive(Debug, Clone, Copy)]
struct Look {
    shading: Shading,
    heat: bool,
    /// A translucent figure of one colour.
    tinted: bool,
    deform: Deform,
}

/// The leanest pipeline that shows the primitive rightly.
fn model_key(
    look: Look,
    primitive: &GpuPrimitive,
    material: &GpuMaterial,
    sides: Sides,
    light: LightParts,
) -> ModelKey {
    let triangles = primitive.topology == Topology::Triangles;
    if look.tinted {
        return ModelKey {
            shading: Shading::Clay,
            heat: false,
            tinted: true,
            deform: look.deform,
            topology: primitive.topology,
            // Back faces would show through and double the colour.
            cull: if triangles {
                sides.cull()
            } else {
                Cull::Nothing
            },
            double_sided: false,
            flat: triangles && primitive.flat,
            unlit: false,
            alpha: Alpha::Blend,
            textures: 0,
            vertex_colors: false,
            shadows: false,
            occlusion: false,
            reflections: false,
        };
    }
    let heat = look.heat && triangles;
    // Points and lines without normals have nothing to be lit by (glTF 2.0, 3.7.2.1).
    let unlit = !heat && (material.unlit || (!triangles && !primitive.has_normals));
    // Which material the surface has does not matter then, but for what it lets through.
    let shading = match look.shading {
        _ if heat => Shading::Clay,
        shading if triangles => shading,
        _ => Shading::Shaded,
    };
    let (textures, alpha) = match shading {
        Shading::Shaded => (
            if unlit {
                material.textures & BASE_COLOR
            } else {
                material.textures
            },
            material.alpha,
        ),
        Shading::Normals | Shading::Clay => {
            let masked = material.alpha == Alpha::Mask;
            let for_mask = if masked { BASE_COLOR } else { 0 };
            let for_normal = if shading == Shading::Normals {
                NORMAL
            } else {
                0
            };
            (
                material.textures & (for_mask | for_normal),
                if masked { Alpha::Mask } else { Alpha::Opaque },
            )
        }
    };
    let flat = triangles && primitive.flat && !unlit;
    ModelKey {
        shading,
        heat,
        tinted: false,
        deform: look.deform,
        topology: primitive.topology,
        cull: if material.double_sided || !triangles {
            Cull::Nothing
        } else {
            sides.cull()
        },
        double_sided: material.double_sided && triangles && !unlit && !flat,
        flat,
        unlit,
        alpha,
        textures,
        // Clay and normals look at colours for their alpha only.
        vertex_colors: primitive.has_colors && (shading == Shading::Shaded || alpha == Alpha::Mask),
        shadows: light.shadows && !unlit && !heat && shading != Shading::Normals,
        // What is blended is not in the depth that occlusion comes from.
        occlusion: light.occlusion
            && !unlit
            && shading != Shading::Normals
            && alpha != Alpha::Blend
            && triangles,
        reflections: light.reflections && !unlit && !heat && shading != Shading::Normals,
    }
}
