//! The pipelines of meshes: one for each combination of what a material has.

use super::{
    layouts::Layouts,
    model::{Alpha, BASE_COLOR, EMISSIVE, METALLIC_ROUGHNESS, NORMAL, OCCLUSION, VERTEX_LAYOUTS},
    pipelines::{Cull, ModelKey, Recipe, depth_state},
    shaders,
};
use crate::{document::Topology, scene::Shading};

impl<'a> Recipe<'a> {
    /// A mesh as its key says.
    pub(super) fn model(key: ModelKey, layouts: &'a Layouts) -> Self {
        if key.heat {
            return Self::heat(key, layouts);
        }
        let blended = key.alpha == Alpha::Blend;
        let constants = [
            ("HAS_BASE_COLOR_TEXTURE", key.textures & BASE_COLOR != 0),
            (
                "HAS_METALLIC_ROUGHNESS_TEXTURE",
                key.textures & METALLIC_ROUGHNESS != 0,
            ),
            ("HAS_NORMAL_TEXTURE", key.textures & NORMAL != 0),
            ("HAS_OCCLUSION_TEXTURE", key.textures & OCCLUSION != 0),
            ("HAS_EMISSIVE_TEXTURE", key.textures & EMISSIVE != 0),
            ("HAS_VERTEX_COLORS", key.vertex_colors),
            ("UNLIT", key.unlit),
            ("FLAT", key.flat),
            ("DOUBLE_SIDED", key.double_sided),
            ("CULL_IN_SHADER", key.cull == Cull::InShader),
            ("SHADOWS", key.shadows),
            ("OCCLUSION", key.occlusion),
            ("REFLECTIONS", key.reflections),
            ("TINTED", key.tinted),
        ];
        let mut constants: Vec<(&str, f64)> = constants
            .into_iter()
            .map(|(name, on)| (name, f64::from(u8::from(on))))
            .collect();
        constants.extend(key.deform.constants());
        constants.push((
            "ALPHA_MODE",
            match key.alpha {
                Alpha::Opaque => 0.0,
                Alpha::Mask => 1.0,
                Alpha::Blend => 2.0,
            },
        ));
        Self {
            groups: vec![&layouts.lit_frame, &layouts.model, &layouts.material],
            buffers: &VERTEX_LAYOUTS,
            topology: primitive_topology(key.topology),
            cull: key.cull.face(),
            blend: blended.then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            depth: Some(depth_state(wgpu::CompareFunction::Greater, !blended)),
            constants,
            ..Self::new(
                shaders::MODEL,
                "vs_model",
                match key.shading {
                    _ if key.tinted => "fs_tinted",
                    Shading::Shaded => "fs_shaded",
                    Shading::Normals => "fs_normals",
                    Shading::Clay => "fs_clay",
                },
            )
        }
    }
}

fn primitive_topology(topology: Topology) -> wgpu::PrimitiveTopology {
    match topology {
        Topology::Points => wgpu::PrimitiveTopology::PointList,
        Topology::Lines => wgpu::PrimitiveTopology::LineList,
        Topology::Triangles => wgpu::PrimitiveTopology::TriangleList,
    }
}
