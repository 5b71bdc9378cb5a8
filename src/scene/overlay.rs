//! The skeleton overlay of a frame: bones, joints, axes, names.

use glam::{Mat4, Vec3, Vec4};

use super::{
    Background, Bone, Character, Frame, JointDot, Label, Line, NameScope, View,
    rig::{BoneEnd, Rig},
};

/// The accent colour over a background, sRGB: the selection, here and in panels.
pub const fn accent(background: Background) -> [u8; 3] {
    match background {
        Background::Dark | Background::Transparent => [0x4c, 0xb2, 0xff],
        Background::Light => [0x0a, 0x74, 0xcf],
    }
}

/// Bones at rest over a background, sRGB: far from the clay's tone over it.
fn bone_color(background: Background) -> [u8; 3] {
    match background {
        Background::Dark | Background::Transparent => [0xe6, 0xe9, 0xee],
        Background::Light => [0x3a, 0x40, 0x48],
    }
}

/// The axes x, y, z over the dark background, sRGB, here and in panels.
pub const AXES: [[u8; 3]; 3] = [[0xf2, 0x5f, 0x5c], [0x7a, 0xc7, 0x4f], [0x4f, 0x8c, 0xf0]];

fn linear(srgb: [u8; 3]) -> Vec4 {
    let channel = |value: u8| {
        let encoded = f32::from(value) / 255.0;
        if encoded <= 0.04045 {
            encoded / 12.92
        } else {
            ((encoded + 0.055) / 1.055).powf(2.4)
        }
    };
    Vec4::new(channel(srgb[0]), channel(srgb[1]), channel(srgb[2]), 1.0)
}

/// The colours of one frame's overlay.
struct Colors {
    plain: Vec4,
    /// Ancestors of the selected joint.
    chain: Vec4,
    selected: Vec4,
    hovered: Vec4,
}

impl Colors {
    fn over(background: Background) -> Self {
        let (plain, accent) = (linear(bone_color(background)), linear(accent(background)));
        Self {
            plain,
            chain: plain.lerp(accent, 0.6),
            selected: accent,
            hovered: accent.lerp(Vec4::ONE, 0.45),
        }
    }

    fn color(&self, joint: usize, view: &View, chain: &[bool]) -> Vec4 {
        if view.selected_joint == Some(joint) {
            self.selected
        } else if view.hovered_joint == Some(joint) {
            self.hovered
        } else if chain[joint] {
            self.chain
        } else {
            self.plain
        }
    }
}

/// Adds a character's overlay to a frame. `chain` is scratch space.
pub(super) fn push(
    character: &Character,
    rig: &Rig,
    view: &View,
    chain: &mut Vec<bool>,
    frame: &mut Frame,
) {
    let joints = &character.document.skeleton.joints;
    mark_chain(character, view.selected_joint, chain);
    let colors = Colors::over(view.background);
    let world = |joint| character.world_from_model * character.globals.world(joint);
    // A file without a surface to draw has nothing else to show.
    let all = view.skeleton || rig.alone;
    let drawn = |joint: usize| all || view.selected_joint == Some(joint);
    if all || view.selected_joint.is_some() {
        let scale = character.world_from_model.x_axis.truncate().length();
        for bone in rig.bones.iter().filter(|bone| drawn(bone.from)) {
            let from = world(bone.from);
            let start = from.w_axis.truncate();
            let end = match bone.end {
                BoneEnd::Joint(joint) => world(joint).w_axis.truncate(),
                BoneEnd::Tip(tip) => from.transform_point3(tip),
            };
            // What leads to a joint of the chain belongs to the chain; what leads
            // away from the selected joint is its own.
            let color = match bone.end {
                BoneEnd::Joint(joint) if chain[joint] => colors.chain,
                _ if view.selected_joint == Some(bone.from) => colors.selected,
                _ if view.hovered_joint == Some(bone.from) => colors.hovered,
                _ => colors.plain,
            };
            if start.is_finite() && end.is_finite() && start != end {
                frame.bones.push(Bone {
                    joint: bone.from,
                    from: start,
                    to: end,
                    side: across(from.transform_vector3(bone.side), end - start),
                    radius: bone.radius * scale,
                    color,
                });
            }
        }
        for shown in rig.joints.iter().filter(|shown| drawn(shown.joint)) {
            let joint = shown.joint;
            let position = world(joint).w_axis.truncate();
            let strong = view.selected_joint == Some(joint) || view.hovered_joint == Some(joint);
            if position.is_finite() {
                frame.joints.push(JointDot {
                    joint,
                    position,
                    radius: shown.radius * scale * if strong { 0.75 } else { 0.5 },
                    least_radius: if strong { 4.0 } else { 2.0 },
                    color: colors.color(joint, view, chain),
                });
            }
        }
    }
    let named = |joint: usize| match view.names {
        NameScope::Off => false,
        NameScope::Selected => {
            view.selected_joint == Some(joint) || view.hovered_joint == Some(joint)
        }
        NameScope::All => true,
    };
    let mut annotate = |joint: usize| {
        let matrix = world(joint);
        let strong = view.selected_joint == Some(joint) || view.hovered_joint == Some(joint);
        if named(joint) {
            frame.labels.push(Label {
                joint,
                position: matrix.w_axis.truncate(),
                strong,
            });
        }
        if view.axes && view.selected_joint == Some(joint) {
            push_axes(matrix, frame.bounds.diagonal() * 0.06, frame);
        }
    };
    for shown in &rig.joints {
        annotate(shown.joint);
    }
    // A selected plain node is no part of the rig but has a place all the same.
    if let Some(joint) = view.selected_joint
        && joint < joints.len()
        && rig
            .joints
            .binary_search_by_key(&joint, |j| j.joint)
            .is_err()
    {
        annotate(joint);
    }
}

/// Marks the selected joint and everything above it.
fn mark_chain(character: &Character, selected: Option<usize>, chain: &mut Vec<bool>) {
    let joints = &character.document.skeleton.joints;
    chain.clear();
    chain.resize(joints.len(), false);
    let mut at = selected.filter(|&joint| joint < joints.len());
    while let Some(joint) = at {
        chain[joint] = true;
        at = joints[joint].parent;
    }
}

/// `side` made perpendicular to `axis`, of unit length.
fn across(side: Vec3, axis: Vec3) -> Vec3 {
    let axis = axis.normalize_or(Vec3::Y);
    let side = side.normalize_or_zero();
    (side - axis * side.dot(axis)).normalize_or(axis.any_orthonormal_vector())
}

fn push_axes(world: Mat4, length: f32, frame: &mut Frame) {
    let origin = world.w_axis.truncate();
    for (axis, color) in [world.x_axis, world.y_axis, world.z_axis].iter().zip(AXES) {
        let direction = axis.truncate().normalize_or_zero();
        if origin.is_finite() && direction != Vec3::ZERO {
            frame.lines.push(Line {
                from: origin,
                to: origin + direction * length,
                color: linear(color),
                width: 2.0,
                through: true,
            });
        }
    }
}
