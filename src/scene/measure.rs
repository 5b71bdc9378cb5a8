//! What is measured in the view: bounds, trails, the ruler, the reference figure.

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};

use super::{
    AXES, Background, Character, CharacterFrame, DrawInstance, Frame, Line, Stage, View, accent,
    boxes::Boxes,
    figure::{FIGURE_HEIGHT, figure},
    overlay::linear,
    ramps, side_tint,
    trail::{Trail, TrailCache},
};
use crate::{
    anim::{SkinMatrix, Skinning, Weights},
    document::Document,
    math::Aabb,
};

/// Which box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoundsKind {
    /// Around the positions as stored, under the rest pose of their nodes.
    Stored,
    /// Around the vertices over the whole clip.
    Clip,
    /// Around the vertices in the present pose.
    Now,
}

impl BoundsKind {
    /// The colour of its box over a background, sRGB.
    pub const fn color(self, background: Background) -> [u8; 3] {
        match (self, background) {
            (Self::Stored, Background::Light) => [0xa8, 0x62, 0x00],
            (Self::Stored, _) => [0xf2, 0xa9, 0x3b],
            (Self::Clip, background) => accent(background),
            (Self::Now, Background::Light) => [0x3a, 0x40, 0x4a],
            (Self::Now, _) => [0xe6, 0xea, 0xf0],
        }
    }
}

/// Something to write at a place in the view; drawn by whoever shows the frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Note {
    /// What it is about, world space.
    pub place: Vec3,
    /// What it says.
    pub text: NoteText,
}

/// What a note says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoteText {
    /// A box and its edge lengths along x, y and z, world units.
    Bounds(BoundsKind, Vec3),
    /// The reference figure's height, metres.
    Figure(f32),
}

/// What is kept from frame to frame.
#[derive(Debug, Clone, Default)]
pub(super) struct MeasureCache {
    boxes: Vec<Boxes>,
    /// By character.
    trails: Vec<TrailCache>,
    figure: Option<Arc<Document>>,
    palette: Vec<SkinMatrix>,
}

/// Boxes are large and many-lined: what they are about shall stand out more.
const BOX_OPACITY: f32 = 0.8;
/// Where lines lie behind a surface, so much of them is seen.
const BOX_BEHIND: f32 = 0.25;
const TRAIL_BEHIND: f32 = 0.55;
const RULER_BEHIND: f32 = 0.6;

/// Adds the lines, dots and notes of all that is measured. Trails and ruler are the
/// first character's, like the selection.
pub(super) fn push(stage: &Stage, view: &View, cache: &mut MeasureCache, frame: &mut Frame) {
    frame.trails.clear();
    frame.ruler = None;
    cache.boxes.truncate(stage.characters.len());
    if view.bounds.any() {
        for (index, character) in stage.characters.iter().enumerate() {
            push_boxes(index, character, view, cache, frame);
        }
    }
    let Some(character) = stage.characters.first() else {
        return;
    };
    let count = stage.characters.len();
    cache.trails.resize_with(count, TrailCache::default);
    for (index, other) in stage.characters.iter().enumerate().skip(1) {
        // Joints of another document are other joints.
        if Arc::ptr_eq(&other.document, &character.document) {
            push_others_trails(index, other, view, &mut cache.trails[index], frame);
        }
    }
    push_trails(character, view, &mut cache.trails[0], frame);
    let measured = (view.ruler).and_then(|ruler| ruler.measured(character, &mut cache.palette));
    if let Some(measured) = measured {
        frame.ruler = Some(measured);
        push_ruler(measured.from, measured.to, view.background, frame);
    }
}

/// Joints whose trails are shown, pinned ones first, each with its colour.
fn trail_joints(view: &View) -> impl Iterator<Item = (usize, [u8; 3])> + '_ {
    let pinned = view.pinned_trails.iter().enumerate();
    let pinned = pinned.map(|(order, &joint)| (joint, pinned_color(order, view.background)));
    let selected = view
        .selected_joint
        .filter(|joint| view.trail && !view.pinned_trails.contains(joint));
    pinned.chain(selected.map(|joint| (joint, accent(view.background))))
}

/// Colour of the pinned trail of this place in the order of pinning, sRGB.
pub fn pinned_color(order: usize, background: Background) -> [u8; 3] {
    let color = ramps::TRAILS[order % ramps::TRAILS.len()];
    match background {
        // The same hue, dark enough for a pale ground.
        Background::Light => color.map(|channel| (u16::from(channel) * 5 / 8) as u8),
        Background::Dark | Background::Transparent => color,
    }
}

fn push_boxes(
    index: usize,
    character: &Character,
    view: &View,
    cache: &mut MeasureCache,
    frame: &mut Frame,
) {
    if index == cache.boxes.len() {
        cache.boxes.push(Boxes::new(&character.document));
    }
    let boxes = &mut cache.boxes[index];
    boxes.follow(&character.document);
    let wanted = [
        (view.bounds.stored, BoundsKind::Stored),
        (view.bounds.clip, BoundsKind::Clip),
        (view.bounds.now, BoundsKind::Now),
    ];
    for (_, kind) in wanted.into_iter().filter(|(on, _)| *on) {
        let bounds = match kind {
            BoundsKind::Stored => boxes.stored(character),
            BoundsKind::Clip => boxes.over_clip(character),
            BoundsKind::Now => boxes.now(character, &mut cache.palette),
        };
        if bounds.is_empty() {
            continue;
        }
        let mut color = linear(kind.color(view.background));
        color.w = BOX_OPACITY;
        let dash = (kind == BoundsKind::Stored).then(|| bounds.diagonal() / 60.0);
        push_box(bounds, color, dash, frame);
        frame.notes.push(Note {
            place: bounds.max,
            text: NoteText::Bounds(kind, bounds.size()),
        });
    }
}

/// The twelve edges of a box, dashed where a length of dashes is given.
fn push_box(bounds: Aabb, color: Vec4, dash: Option<f32>, frame: &mut Frame) {
    let mut corners = [Vec3::ZERO; 8];
    for (corner, place) in corners.iter_mut().zip(bounds.corners()) {
        *corner = place;
    }
    for (index, &from) in corners.iter().enumerate() {
        for bit in [1, 2, 4].into_iter().filter(|bit| index & bit == 0) {
            let to = corners[index | bit];
            let pieces = dash.map_or(1.0, |dash| (from.distance(to) / (dash * 2.0)).round());
            let pieces = if pieces.is_finite() {
                pieces.clamp(1.0, 60.0)
            } else {
                1.0
            };
            let share = if dash.is_some() { 0.5 } else { 1.0 };
            for piece in 0..pieces as u32 {
                let at = piece as f32 + (1.0 - share) * 0.5;
                frame.lines.push(Line {
                    from: from.lerp(to, at / pieces),
                    to: from.lerp(to, (at + share) / pieces),
                    color,
                    width: 1.25,
                    behind: BOX_BEHIND,
                });
            }
        }
    }
}

fn push_trails(character: &Character, view: &View, cache: &mut TrailCache, frame: &mut Frame) {
    let shown = |joint: usize| trail_joints(view).any(|(other, _)| other == joint);
    cache.keep(shown);
    let now = character.player.time_secs;
    for (joint, color) in trail_joints(view) {
        let Some(trail) = cache.trail(character, joint) else {
            continue;
        };
        let color = match view.side {
            Some(side) => side_ink(side, view.background),
            None => linear(color),
        };
        push_trail(&trail, color, now, view.background, OWN, frame);
        frame.trails.push(trail);
    }
}

/// Of a figure that is laid over the first one, in its tint.
fn push_others_trails(
    side: usize,
    character: &Character,
    view: &View,
    cache: &mut TrailCache,
    frame: &mut Frame,
) {
    cache.keep(|joint| trail_joints(view).any(|(other, _)| other == joint));
    for (joint, _) in trail_joints(view) {
        if let Some(trail) = cache.trail(character, joint) {
            let now = character.player.time_secs;
            let color = side_ink(side, view.background);
            push_trail(&trail, color, now, view.background, OTHERS, frame);
        }
    }
}

/// The line colour of a side of a comparison, linear: its tint, and the accent for A.
fn side_ink(side: usize, background: Background) -> Vec4 {
    let color = match side {
        0 => linear(accent(background)),
        _ => side_tint(side),
    };
    let bright = match background {
        Background::Light => 0.8,
        Background::Dark | Background::Transparent => 1.35,
    };
    (color.truncate() * bright).extend(1.0)
}

impl Frame {
    /// Draws the trails of a side of this number, A being 0, at a time, under this
    /// picture's own, so that the different paths are seen together.
    pub fn add_trails(&mut self, trails: &[Arc<Trail>], side: usize, time_secs: f32) {
        let background = self.background;
        let own = core::mem::take(&mut self.lines);
        for trail in trails {
            let color = side_ink(side, background);
            push_trail(trail, color, time_secs, background, OTHERS, self);
        }
        self.lines.extend(own);
    }
}

/// Widths of a trail's line, its dots and its keys, points.
const OWN: [f32; 3] = [1.5, 4.0, 7.0];
/// Of a trail that is shown beside another one.
const OTHERS: [f32; 3] = [1.1, 3.2, 5.0];

/// The way so far in its full colour, what is to come paler.
fn push_trail(
    trail: &Trail,
    color: Vec4,
    now: f32,
    background: Background,
    [line, even, key]: [f32; 3],
    frame: &mut Frame,
) {
    let ground = match background {
        Background::Light => Vec4::new(0.7, 0.7, 0.7, 1.0),
        Background::Dark | Background::Transparent => Vec4::new(0.03, 0.03, 0.035, 1.0),
    };
    let later = color.lerp(ground, 0.6);
    let of = |time_secs: f32| if time_secs <= now { color } else { later };
    for (pair, &time_secs) in trail.points.windows(2).zip(&trail.times_secs[1..]) {
        frame.lines.push(Line {
            from: pair[0],
            to: pair[1],
            color: of(time_secs),
            width: line,
            behind: TRAIL_BEHIND,
        });
    }
    for dot in &trail.dots {
        frame.lines.push(Line {
            from: dot.place,
            to: dot.place,
            color: of(dot.time_secs),
            width: if dot.is_key { key } else { even },
            behind: TRAIL_BEHIND,
        });
    }
}

/// The line itself, and how it is made up of ways along x, y and z.
fn push_ruler(from: Vec3, to: Vec3, background: Background, frame: &mut Frame) {
    let ink = match background {
        Background::Light => Vec4::new(0.01, 0.012, 0.016, 1.0),
        Background::Dark | Background::Transparent => Vec4::ONE,
    };
    let line = |from, to, color, width| Line {
        from,
        to,
        color,
        width,
        behind: RULER_BEHIND,
    };
    if from != to {
        let corners = [from, from.with_x(to.x), from.with_x(to.x).with_z(to.z), to];
        // Along x, then z over the ground, then up.
        for (pair, axis) in corners.windows(2).zip([0, 2, 1]) {
            if pair[0] != pair[1] {
                let mut color = linear(AXES[axis]);
                color.w = 0.75;
                frame.lines.push(line(pair[0], pair[1], color, 1.25));
            }
        }
        frame.lines.push(line(from, to, ink, 2.0));
    }
    for end in [from, to] {
        frame.lines.push(line(end, end, ink, 8.0));
    }
}

/// Puts the reference figure beside what is on stage: into the frame's bounds now, and
/// among its characters by [`push_figure`].
pub(super) fn add_figure_bounds(frame: &mut Frame) -> Vec3 {
    let place = figure_place(frame.bounds, frame.ground_height);
    frame.bounds = frame.bounds.union(figure_bounds(place));
    frame.notes.push(Note {
        place: place + Vec3::Y * FIGURE_HEIGHT,
        text: NoteText::Figure(FIGURE_HEIGHT),
    });
    place
}

/// The figure as one more character, after those on stage.
pub(super) fn push_figure(place: Vec3, cache: &mut MeasureCache, frame: &mut Frame, index: usize) {
    let document = cache.figure.get_or_insert_with(figure);
    if index == frame.characters.len() {
        frame.characters.push(CharacterFrame {
            document: document.clone(),
            weights: Weights::default(),
            draws: Vec::new(),
            skinning: Skinning::default(),
            naive_normals: false,
            tint: None,
        });
    }
    let shown = &mut frame.characters[index];
    if !Arc::ptr_eq(&shown.document, document) {
        shown.document = document.clone();
    }
    shown.draws.clear();
    shown.draws.push(DrawInstance {
        instance: 0,
        world_from_mesh: Mat4::from_translation(place),
        palette_start: None,
        morph_start: frame.morph_weights.len() as u32,
        heat_start: None,
    });
}

/// Where the reference figure stands beside a box: at its −X side (the left in the
/// picture, seen from the front), half a metre or a tenth of the box away, level with
/// its middle, on the ground.
fn figure_place(bounds: Aabb, ground_height: f32) -> Vec3 {
    let half_width = 0.3;
    let gap = (bounds.size().x * 0.1).max(0.15);
    let edge = if bounds.is_empty() { 0.0 } else { bounds.min.x };
    Vec3::new(edge - gap - half_width, ground_height, bounds.center().z)
}

fn figure_bounds(place: Vec3) -> Aabb {
    Aabb {
        min: place - Vec3::new(0.3, 0.0, 0.16),
        max: place + Vec3::new(0.3, FIGURE_HEIGHT, 0.16),
    }
}

/// A box with the reference figure that stands beside it, on this ground.
pub(super) fn with_figure(bounds: Aabb, ground_height: f32) -> Aabb {
    bounds.union(figure_bounds(figure_place(bounds, ground_height)))
}
