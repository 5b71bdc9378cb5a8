//! One frame as plain data.

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};

use super::{
    Background, BoneStyle, Character, Heat, Light, Measured, Note, PoseSource, Shading, Stage,
    Trail, VertexMark, View, WeightView,
    bounds::{self, Probe, over_clip},
    ghosts::GhostCache,
    heat,
    measure::{self, MeasureCache},
    overlay,
    rig::Rig,
};
use crate::{
    anim::{SkinMatrix, Skinning, Technique, Weights},
    document::Document,
    math::Aabb,
};

/// Everything the renderer needs to draw one picture. Buffers are reused from
/// frame to frame by [`build`].
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// The eye.
    pub camera: CameraFrame,
    /// Surface of all meshes.
    pub shading: Shading,
    /// Weights as colours, in place of the surface.
    pub heat: Option<Heat>,
    /// Triangle edges too.
    pub wireframe: bool,
    /// Sky and key light.
    pub light: Light,
    /// Behind everything.
    pub background: Background,
    /// Exposure in stops.
    pub exposure_stops: f32,
    /// Ground grid, if wanted.
    pub grid: Option<Grid>,
    /// Whether the key light throws shadows, on the ground and on the characters.
    pub shadow: bool,
    /// Whether surfaces keep ambient light from one another and from the ground.
    pub ambient_occlusion: bool,
    /// Whether surfaces mirror the sky.
    pub reflections: bool,
    /// World y of the ground, with or without a grid.
    pub ground_height: f32,
    /// Box around all characters over their whole clips, world space.
    pub bounds: Aabb,
    /// What to draw.
    pub characters: Vec<CharacterFrame>,
    /// `M · M0⁻¹` of all skins of all characters; draws carry start indices.
    pub skin_matrices: Vec<SkinMatrix>,
    /// Morph weights of all draws; draws carry start indices.
    pub morph_weights: Vec<f32>,
    /// Skeleton overlay: bones.
    pub bones: Vec<Bone>,
    /// Skeleton overlay: joints.
    pub joints: Vec<JointDot>,
    /// Skeleton overlay: shape of bones.
    pub bone_style: BoneStyle,
    /// Thin overlay lines (axes, bounds, trails, the ruler).
    pub lines: Vec<Line>,
    /// Joint names to write at world positions; drawn by whoever shows the frame.
    pub labels: Vec<Label>,
    /// Other things to write at world positions; drawn by whoever shows the frame.
    pub notes: Vec<Note>,
    /// Motion trails shown, pinned ones first.
    pub trails: Vec<Arc<Trail>>,
    /// What the ruler measures, once it starts somewhere.
    pub ruler: Option<Measured>,
    /// The selected vertex; drawn by whoever shows the frame.
    pub vertex: Option<VertexMark>,
    /// What [`build`] keeps for the next frame; starts empty.
    pub cache: FrameCache,
}

/// The eye as matrices.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CameraFrame {
    /// World to view space.
    pub view_from_world: Mat4,
    /// View to clip space, reverse-Z. Its aspect is that of the target it was built for.
    pub clip_from_view: Mat4,
    /// Eye in world space.
    pub eye: Vec3,
}

/// Ground plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// World y of the plane.
    pub height: f32,
    /// Spacing of thin lines in world units, a power of ten; every tenth is strong.
    pub spacing: f32,
    /// Distance from the characters' middle at which it has faded out.
    pub radius: f32,
}

/// One character's draws.
#[derive(Debug, Clone)]
pub struct CharacterFrame {
    /// Geometry and materials; the renderer caches its GPU copy by this pointer.
    pub document: Arc<Document>,
    /// Use of stored weights.
    pub weights: Weights,
    /// How joints move vertices; palettes are made for it.
    pub skinning: Skinning,
    /// Normals go by the matrix of positions.
    pub naive_normals: bool,
    /// A translucent figure of this colour, linear RGBA.
    pub tint: Option<Vec4>,
    /// Visible mesh instances; none if meshes are hidden.
    pub draws: Vec<DrawInstance>,
}

/// One mesh instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawInstance {
    /// Index into `Document::instances`.
    pub instance: usize,
    /// Places an unskinned mesh; for a skinned one the stage placement only,
    /// applied after the skin matrices.
    pub world_from_mesh: Mat4,
    /// First entry in `Frame::skin_matrices`; `None` draws it unskinned.
    pub palette_start: Option<u32>,
    /// First entry in `Frame::morph_weights`.
    pub morph_start: u32,
    /// First entry in [`Heat::values`], primitive by primitive; `None` has no weights.
    pub heat_start: Option<u32>,
}

/// A bone of the overlay, from a joint to its child.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bone {
    /// Joint index of the parent end, for picking.
    pub joint: usize,
    /// Parent end, world space.
    pub from: Vec3,
    /// Child end, world space.
    pub to: Vec3,
    /// Unit vector across the bone that turns with the joint, so that the drawn
    /// shape does not roll on its own.
    pub side: Vec3,
    /// Half the thickness, world units.
    pub radius: f32,
    /// Linear RGBA.
    pub color: Vec4,
}

/// A joint of the overlay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointDot {
    /// Joint index.
    pub joint: usize,
    /// World space.
    pub position: Vec3,
    /// World units.
    pub radius: f32,
    /// Least radius on screen in points, where there is `room` for it.
    pub least_radius: f32,
    /// Length of the shortest bone at it, world units.
    pub room: f32,
    /// Linear RGBA.
    pub color: Vec4,
}

/// A line of the overlay with round ends; a disc where both ends are one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// One end, world space.
    pub from: Vec3,
    /// Other end, world space.
    pub to: Vec3,
    /// Linear RGBA.
    pub color: Vec4,
    /// Width in points.
    pub width: f32,
    /// How much of it is seen where it lies behind a surface, 0 … 1.
    pub behind: f32,
}

/// A joint's name in the view.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The joint.
    pub joint: usize,
    /// Where, world space.
    pub position: Vec3,
    /// Selected or hovered.
    pub strong: bool,
}

/// What [`build`] keeps from frame to frame: overlay shapes, bounds, scratch space.
#[derive(Debug, Clone, Default)]
pub struct FrameCache {
    rigs: Vec<CachedRig>,
    palette_starts: Vec<u32>,
    kin: Vec<overlay::Kin>,
    measures: MeasureCache,
    heat: heat::HeatCache,
    ghosts: GhostCache,
}

/// What is known of a document on stage.
#[derive(Debug, Clone)]
struct CachedRig {
    rig: Rig,
    probe: Probe,
    /// What `bounds` were probed for.
    probed: Option<(PoseSource, bool, bool, Technique)>,
    /// Box over the whole clip, model space.
    bounds: Aabb,
}

impl CachedRig {
    fn new(document: &Arc<Document>) -> Self {
        Self {
            rig: Rig::new(document),
            probe: Probe::new(document),
            probed: None,
            bounds: Aabb::EMPTY,
        }
    }
}

impl FrameCache {
    /// Makes entry `index` fit the character.
    fn refresh(&mut self, index: usize, character: &Character) {
        let document = &character.document;
        match self.rigs.get(index) {
            Some(cached) if Arc::ptr_eq(&cached.rig.document, document) => {}
            Some(_) => self.rigs[index] = CachedRig::new(document),
            None => self.rigs.push(CachedRig::new(document)),
        }
        let cached = &mut self.rigs[index];
        let wanted = Some((
            character.source,
            character.skinned,
            character.reads_bind_transposed(),
            character.technique.clone(),
        ));
        if cached.probed != wanted {
            cached.bounds = cached.probe.animated_bounds(character);
            cached.probed = wanted;
        }
    }
}

impl Frame {
    /// Takes another frame's ground, so that two pictures of one place agree.
    pub fn share_ground(&mut self, other: &Self) {
        self.ground_height = other.ground_height;
        self.grid = other.grid;
        self.bounds = self.bounds.union(other.bounds);
    }

    /// [`shown_bounds`](super::shown_bounds) of the stage's first character. What it
    /// takes to find them is kept, so that the [`build`] that follows need not find it
    /// again.
    pub fn shown_bounds(&mut self, character: &Character, skeleton: bool) -> Aabb {
        self.cache.refresh(0, character);
        let CachedRig { rig, bounds, .. } = &self.cache.rigs[0];
        let mut shown = *bounds;
        if skeleton || rig.alone {
            shown = shown.union(over_clip(character, |probed| rig.bounds(probed)));
        }
        shown.transformed(character.world_from_model)
    }

    /// [`framed_bounds`](super::framed_bounds) of the stage's first character, as
    /// [`shown_bounds`](Self::shown_bounds) does it.
    pub fn framed_bounds(&mut self, character: &Character, view: &View) -> Aabb {
        let bounds = self.shown_bounds(character, view.skeleton);
        if !view.figure {
            return bounds;
        }
        let solid = self.cache.rigs[0].bounds;
        let solid = solid.transformed(character.world_from_model);
        bounds.union(measure::with_figure(solid, bounds::ground_height(solid)))
    }
}

/// Turns the stage as seen by `view` into a frame for a target of this aspect
/// (width over height). Characters must be up to date ([`Character::update`]).
/// Allocates only where documents, clips or counts have changed since the frame
/// was last built, and for the times of ghosts.
pub fn build(stage: &Stage, view: &View, aspect: f32, frame: &mut Frame) {
    frame.camera = CameraFrame {
        view_from_world: view.camera.view_from_world(),
        clip_from_view: view.camera.clip_from_view(aspect),
        eye: view.camera.eye(),
    };
    frame.shading = view.shading;
    frame.wireframe = view.wireframe;
    frame.light = view.light;
    frame.background = view.background;
    frame.exposure_stops = view.exposure_stops;
    frame.shadow = view.shadow && view.mesh;
    // Normals are colours, not light.
    frame.reflections = view.reflections;
    let shows_normals = view.shading == Shading::Normals && view.weight_view.is_none();
    frame.ambient_occlusion = view.ambient_occlusion && view.mesh && !shows_normals;
    frame.skin_matrices.clear();
    frame.morph_weights.clear();
    frame.bones.clear();
    frame.joints.clear();
    frame.lines.clear();
    frame.labels.clear();
    frame.notes.clear();
    frame.bone_style = view.bone_style;

    // Out of the frame while it is being filled.
    let mut cache = core::mem::take(&mut frame.cache);
    cache.rigs.truncate(stage.characters.len());
    let figures = usize::from(view.figure);
    let mut ghost_cache = core::mem::take(&mut cache.ghosts);
    let ghosts = ghost_cache.update(stage, view.selected_joint, &view.ghosts);
    let shown = stage.characters.len() + ghosts.len();
    frame.characters.truncate(shown + figures);
    frame.bounds = Aabb::EMPTY;
    for (index, character) in stage.characters.iter().enumerate() {
        cache.refresh(index, character);
        let bounds = cache.rigs[index].bounds;
        frame.bounds = frame
            .bounds
            .union(bounds.transformed(character.world_from_model));
    }
    frame.ground_height = bounds::ground_height(frame.bounds);
    let figure = view.figure.then(|| measure::add_figure_bounds(frame));
    set_grid(view, frame);
    for (index, character) in stage.characters.iter().enumerate() {
        push_character(index, character, view, &mut cache.palette_starts, frame);
        let rig = &cache.rigs[index].rig;
        overlay::push(character, rig, view, &mut cache.kin, frame);
    }
    for (index, ghost) in (stage.characters.len()..).zip(ghosts) {
        push_character(index, ghost, view, &mut cache.palette_starts, frame);
    }
    if let Some(place) = figure {
        let index = shown;
        measure::push_figure(place, &mut cache.measures, frame, index);
    }
    measure::push(stage, view, &mut cache.measures, frame);
    let size = frame.bounds.diagonal();
    let Frame {
        heat, characters, ..
    } = frame;
    heat::update(stage, view, size, &mut cache.heat, heat, characters);
    frame.vertex = VertexMark::of(stage, view);
    cache.ghosts = ghost_cache;
    frame.cache = cache;
}

/// The ground's grid: around what is on stage, in steps that suit its size.
fn set_grid(view: &View, frame: &mut Frame) {
    let size = frame.bounds.diagonal();
    // A power of ten such that a character is some ten thin lines large.
    let size = if size > 0.0 && size.is_finite() {
        size
    } else {
        1.0
    };
    frame.grid = view.grid.then(|| Grid {
        height: frame.ground_height,
        spacing: 10f32.powf((size / 4.0).log10().floor()),
        radius: size * 5.0,
    });
}

/// How joints move the meshes: the preview of four influences has its own way.
pub fn shown_skinning(character: &Character, view: &View) -> Skinning {
    match view.weight_view {
        Some(WeightView::FourInfluences) => Skinning::FourInfluences,
        _ => character.technique.skinning,
    }
}

fn push_character(
    index: usize,
    character: &Character,
    view: &View,
    palette_starts: &mut Vec<u32>,
    frame: &mut Frame,
) {
    let document = &character.document;
    let skinning = shown_skinning(character, view);
    palette_starts.clear();
    for skin in 0..document.skins.len() {
        palette_starts.push(frame.skin_matrices.len() as u32);
        character.palette_by(skin, skinning, &mut frame.skin_matrices);
    }
    match frame.characters.get_mut(index) {
        Some(kept) => {
            if !Arc::ptr_eq(&kept.document, document) {
                kept.document = document.clone();
            }
            kept.draws.clear();
        }
        None => frame.characters.push(CharacterFrame {
            document: document.clone(),
            weights: character.technique.weights,
            skinning,
            naive_normals: false,
            tint: None,
            draws: Vec::new(),
        }),
    }
    let Frame {
        characters,
        morph_weights,
        ..
    } = frame;
    let character_frame = &mut characters[index];
    character_frame.weights = character.technique.weights;
    character_frame.skinning = skinning;
    character_frame.tint = character.tint;
    character_frame.naive_normals = character.technique.quirks.naive_normals;
    let visible = document
        .instances
        .iter()
        .enumerate()
        .filter(|(index, instance)| {
            view.mesh && instance.in_scene && !view.hidden_instances.contains(index)
        });
    for (index, instance) in visible {
        let morph_start = morph_weights.len() as u32;
        morph_weights.extend_from_slice(&character.pose.morph_weights[index]);
        let skin = instance.skin.filter(|_| character.skinned);
        character_frame.draws.push(DrawInstance {
            instance: index,
            world_from_mesh: character.world_from_mesh(index),
            palette_start: skin.map(|skin| palette_starts[skin]),
            morph_start,
            heat_start: None,
        });
    }
}
