//! Pipelines, each made when a frame first needs it: on a software rasteriser
//! compiling is what a first picture costs most.

use std::collections::HashMap;

use super::{
    cores::on_all_cores,
    layouts::Layouts,
    model::{Alpha, Deform, VERTEX_LAYOUTS},
    overlay,
    shaders::{self, Program},
    soft_shadow,
    target::{DEPTH_FORMAT, PICTURE_FORMAT, SCENE_FORMAT},
};
use crate::{document::Topology, scene::Shading};

/// Format of deformed vertices read back.
pub(super) const READBACK_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;
/// Red: coverage; green: coverage × height.
pub(super) const COVERAGE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg8Unorm;

/// Which faces of a mesh are dropped, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Cull {
    /// None: double-sided materials, points, lines.
    Nothing,
    /// Clockwise ones, by the rasteriser.
    Clockwise,
    /// Counter-clockwise ones, by the rasteriser: the whole draw is mirrored.
    CounterClockwise,
    /// Back faces, by the fragment shader: plain and mirrored parts are mixed.
    InShader,
}

impl Cull {
    /// What the rasteriser drops.
    pub(super) fn face(self) -> Option<wgpu::Face> {
        match self {
            Self::Nothing | Self::InShader => None,
            Self::Clockwise => Some(wgpu::Face::Back),
            Self::CounterClockwise => Some(wgpu::Face::Front),
        }
    }
}

/// All that makes one mesh pipeline differ from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ModelKey {
    pub shading: Shading,
    /// Weights as colours instead.
    pub heat: bool,
    /// A translucent figure of the instance's tint instead.
    pub tinted: bool,
    pub deform: Deform,
    pub topology: Topology,
    pub cull: Cull,
    pub double_sided: bool,
    pub flat: bool,
    pub unlit: bool,
    pub alpha: Alpha,
    /// Bits of the textures in use.
    pub textures: u8,
    pub vertex_colors: bool,
    pub shadows: bool,
    /// Reads ambient occlusion.
    pub occlusion: bool,
    /// Mirrors the sky.
    pub reflections: bool,
}

/// What of the ground a part of the picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Ground {
    /// Nothing: it is over the horizon.
    None,
    /// Its grid.
    Grid,
    /// Its grid, and what characters do to its light.
    Darkened { shadow: bool, occlusion: bool },
}

/// One pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PipelineKey {
    Model(ModelKey),
    Edges(Deform),
    /// The finished picture, from samples or not.
    Compose {
        multisampled: bool,
        ground: Ground,
    },
    /// Depth of what occludes ambient light; masked materials test their alpha.
    Depth {
        masked: bool,
        deform: Deform,
    },
    /// Ambient occlusion from depth.
    Occlusion,
    OcclusionBlur,
    /// The key light's view; masked materials test their alpha.
    Shadow {
        masked: bool,
        deform: Deform,
    },
    ShadowMips,
    /// The soft shadow on the ground, from the coverage.
    GroundShadow,
    /// Bones as tapered octahedra, on the overlay's layer.
    Bones,
    /// Bones as thin lines, on the overlay's layer.
    Sticks,
    /// Joints, on the overlay's layer.
    Dots,
    /// The overlay's layer over the picture.
    Overlay {
        multisampled: bool,
    },
    /// Lines, over the picture.
    Lines {
        multisampled: bool,
    },
    /// Deformed vertices as texels.
    Readback(Deform),
}

/// Compiled pipelines and shader modules.
#[derive(Debug, Default)]
pub(super) struct Pipelines {
    made: HashMap<(PipelineKey, u32), wgpu::RenderPipeline>,
    modules: HashMap<&'static str, wgpu::ShaderModule>,
    wanted: Vec<(PipelineKey, u32)>,
}

impl Pipelines {
    /// Notes that [`Self::make`] is to make the pipeline for targets of so many samples,
    /// if it is missing.
    pub(super) fn want(&mut self, key: PipelineKey, samples: u32) {
        let pipeline = (key, samples);
        if !self.made.contains_key(&pipeline) && !self.wanted.contains(&pipeline) {
            self.wanted.push(pipeline);
        }
    }

    /// Whether [`Self::make`] has anything to make.
    pub(super) fn are_missing(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// Makes what is wanted, on all cores: a driver spends milliseconds on each, and the
    /// first picture waits for all.
    pub(super) fn make(&mut self, device: &wgpu::Device, layouts: &Layouts) {
        let recipes: Vec<_> = self
            .wanted
            .iter()
            .map(|&(key, _)| Recipe::of(key, layouts))
            .collect();
        let mut programs: Vec<Program> = Vec::new();
        for program in recipes.iter().map(|recipe| recipe.program) {
            let known = |other: &Program| other.name == program.name;
            if !self.modules.contains_key(program.name) && !programs.iter().any(known) {
                programs.push(program);
            }
        }
        let modules = on_all_cores(&programs, |_, program| program.compile(device));
        self.modules
            .extend(programs.iter().map(|program| program.name).zip(modules));
        let (modules, wanted) = (&self.modules, &self.wanted);
        let pipelines = on_all_cores(&recipes, |index, recipe| {
            recipe.build(device, &modules[recipe.program.name], wanted[index].1)
        });
        self.made.extend(self.wanted.drain(..).zip(pipelines));
    }

    /// A pipeline that [`Self::make`] has made.
    pub(super) fn get(&self, key: PipelineKey, samples: u32) -> &wgpu::RenderPipeline {
        &self.made[&(key, samples)]
    }
}

/// How a pipeline differs from a plain opaque triangle pipeline of the main pass.
pub(super) struct Recipe<'a> {
    pub(super) program: Program,
    pub(super) label: &'static str,
    pub(super) vertex_entry: &'static str,
    /// Nothing but depth without one.
    pub(super) fragment_entry: Option<&'static str>,
    pub(super) groups: Vec<&'a wgpu::BindGroupLayout>,
    pub(super) buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub(super) topology: wgpu::PrimitiveTopology,
    pub(super) cull: Option<wgpu::Face>,
    pub(super) targets: Vec<wgpu::TextureFormat>,
    pub(super) blend: Option<wgpu::BlendState>,
    pub(super) depth: Option<wgpu::DepthStencilState>,
    pub(super) constants: Vec<(&'static str, f64)>,
}

impl<'a> Recipe<'a> {
    pub(super) fn new(
        program: Program,
        vertex_entry: &'static str,
        fragment_entry: &'static str,
    ) -> Self {
        Self {
            program,
            label: fragment_entry,
            vertex_entry,
            fragment_entry: Some(fragment_entry),
            groups: Vec::new(),
            buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            cull: None,
            targets: vec![SCENE_FORMAT],
            blend: None,
            depth: Some(depth_state(wgpu::CompareFunction::Greater, true)),
            constants: Vec::new(),
        }
    }

    fn of(key: PipelineKey, layouts: &'a Layouts) -> Self {
        const OVER: Option<wgpu::BlendState> = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        use wgpu::CompareFunction::{Greater, GreaterEqual};
        let frame = vec![&layouts.frame];
        match key {
            PipelineKey::Model(key) => Self::model(key, layouts),
            PipelineKey::Edges(deform) => Self {
                constants: deform.constants().to_vec(),
                groups: vec![&layouts.frame, &layouts.model],
                buffers: &VERTEX_LAYOUTS,
                topology: wgpu::PrimitiveTopology::LineList,
                blend: OVER,
                depth: Some(depth_state(GreaterEqual, false)),
                ..Self::new(shaders::MODEL, "vs_edges", "fs_edges")
            },
            PipelineKey::Compose {
                multisampled,
                ground,
            } => Self {
                constants: ground.constants(),
                groups: vec![
                    &layouts.lit_frame,
                    if multisampled {
                        &layouts.compose_multisampled
                    } else {
                        &layouts.compose_single
                    },
                ],
                targets: vec![PICTURE_FORMAT],
                depth: None,
                // It covers every pixel of a cleared picture, so blending changes
                // nothing; but without, llvmpipe compiles a second variant of the
                // shader, which costs a first picture some 50 ms.
                blend: OVER,
                ..Self::new(
                    shaders::COMPOSE,
                    "vs_fullscreen",
                    if multisampled {
                        "fs_multisampled"
                    } else {
                        "fs_single"
                    },
                )
            },
            PipelineKey::Shadow { masked, deform } => Self {
                groups: if masked {
                    vec![&layouts.frame, &layouts.model, &layouts.material]
                } else {
                    vec![&layouts.frame, &layouts.model]
                },
                buffers: &VERTEX_LAYOUTS,
                targets: vec![COVERAGE_FORMAT],
                depth: Some(wgpu::DepthStencilState {
                    bias: wgpu::DepthBiasState {
                        // Away from the light, which reverse-Z makes negative.
                        constant: -2,
                        slope_scale: -1.5,
                        clamp: 0.0,
                    },
                    ..depth_state(Greater, true)
                }),
                constants: soft_shadow::alpha_test(deform, masked),
                ..Self::new(
                    shaders::SHADOW,
                    if masked { "vs_masked" } else { "vs_solid" },
                    if masked { "fs_masked" } else { "fs_solid" },
                )
            },
            PipelineKey::Depth { .. }
            | PipelineKey::Occlusion
            | PipelineKey::OcclusionBlur
            | PipelineKey::GroundShadow => Self::soft_shadow(key, layouts),
            PipelineKey::ShadowMips => Self {
                groups: vec![&layouts.blit],
                targets: vec![COVERAGE_FORMAT],
                depth: None,
                // See `Compose`.
                blend: OVER,
                ..Self::new(shaders::SHADOW_MIPS, "vs_fullscreen", "fs_downsample")
            },
            PipelineKey::Bones => Self {
                groups: frame,
                buffers: &overlay::BONE_LAYOUT,
                ..Self::overlay(shaders::BONES, "vs_bone", "fs_bone")
            },
            PipelineKey::Sticks => Self {
                groups: frame,
                buffers: &overlay::BONE_LAYOUT,
                ..Self::overlay(shaders::BONES, "vs_stick", "fs_stick")
            },
            PipelineKey::Dots => Self {
                groups: frame,
                buffers: &overlay::DOT_LAYOUT,
                ..Self::overlay(shaders::BONES, "vs_dot", "fs_dot")
            },
            PipelineKey::Overlay { multisampled } => Self {
                groups: vec![
                    &layouts.frame,
                    if multisampled {
                        &layouts.compose_multisampled
                    } else {
                        &layouts.compose_single
                    },
                    &layouts.overlay,
                ],
                topology: wgpu::PrimitiveTopology::TriangleList,
                depth: None,
                ..Self::overlay(
                    shaders::OVERLAY,
                    "vs_overlay",
                    if multisampled {
                        "fs_multisampled"
                    } else {
                        "fs_single"
                    },
                )
            },
            PipelineKey::Lines { multisampled } => Self {
                groups: if multisampled {
                    vec![&layouts.frame, &layouts.compose_multisampled]
                } else {
                    vec![&layouts.frame, &layouts.compose_single]
                },
                buffers: &overlay::LINE_LAYOUT,
                depth: None,
                ..Self::overlay(
                    shaders::LINES,
                    "vs_line",
                    if multisampled {
                        "fs_line_multisampled"
                    } else {
                        "fs_line_single"
                    },
                )
            },
            PipelineKey::Readback(deform) => Self {
                constants: deform.constants().to_vec(),
                groups: vec![&layouts.frame, &layouts.model],
                buffers: &VERTEX_LAYOUTS,
                topology: wgpu::PrimitiveTopology::PointList,
                targets: vec![READBACK_FORMAT; 2],
                depth: None,
                ..Self::new(shaders::READBACK, "vs_readback", "fs_readback")
            },
        }
    }

    /// Encoded colours blended over a picture or layer.
    fn overlay(program: Program, vertex_entry: &'static str, fragment_entry: &'static str) -> Self {
        Self {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            targets: vec![PICTURE_FORMAT],
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            ..Self::new(program, vertex_entry, fragment_entry)
        }
    }

    fn build(
        &self,
        device: &wgpu::Device,
        module: &wgpu::ShaderModule,
        samples: u32,
    ) -> wgpu::RenderPipeline {
        let groups: Vec<_> = self.groups.iter().map(|&group| Some(group)).collect();
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.label),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        let targets: Vec<_> = self
            .targets
            .iter()
            .map(|&format| {
                Some(wgpu::ColorTargetState {
                    format,
                    blend: self.blend,
                    write_mask: wgpu::ColorWrites::ALL,
                })
            })
            .collect();
        let options = wgpu::PipelineCompilationOptions {
            constants: &self.constants,
            ..Default::default()
        };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(self.vertex_entry),
                compilation_options: options.clone(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: self.topology,
                cull_mode: self.cull,
                ..Default::default()
            },
            depth_stencil: self.depth.clone(),
            multisample: wgpu::MultisampleState {
                count: samples,
                ..Default::default()
            },
            fragment: self.fragment_entry.map(|entry| wgpu::FragmentState {
                module,
                entry_point: Some(entry),
                compilation_options: options,
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

pub(super) fn depth_state(compare: wgpu::CompareFunction, write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}
