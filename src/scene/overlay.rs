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

/// Bones at rest, sRGB: light on any background, for their outline sets them off.
const BONE: [u8; 3] = [0xe2, 0xe6, 0xec];

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

/// How a joint stands to the selected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kin {
    /// Not at all.
    #[default]
    None,
    /// It moves the selected joint.
    Ancestor,
    /// It is the one.
    Selected,
    /// The selected joint moves it.
    Descendant,
}

/// The colours of one frame's overlay.
struct Colors {
    plain: Vec4,
    ancestor: Vec4,
    selected: Vec4,
    descendant: Vec4,
    hovered: Vec4,
}

impl Colors {
    fn over(background: Background) -> Self {
        let (plain, accent) = (linear(BONE), linear(accent(background)));
        Self {
            plain,
            ancestor: plain.lerp(accent, 0.22),
            selected: accent,
            descendant: plain.lerp(accent, 0.62),
            hovered: accent.lerp(Vec4::ONE, 0.72),
        }
    }

    fn of(&self, kin: Kin, is_hovered: bool) -> Vec4 {
        match kin {
            Kin::Selected => self.selected,
            _ if is_hovered => self.hovered,
            Kin::Ancestor => self.ancestor,
            Kin::Descendant => self.descendant,
            Kin::None => self.plain,
        }
    }
}

/// Adds a character's overlay to a frame. `kin` is scratch space.
pub(super) fn push(
    character: &Character,
    rig: &Rig,
    view: &View,
    kin: &mut Vec<Kin>,
    frame: &mut Frame,
) {
    let joints = &character.document.skeleton.joints;
    mark_kin(character, view.selected_joint, kin);
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
            // What turns with a joint has its colour, but for a bone that leads away
            // from the line of ancestors.
            let kin = match bone.end {
                BoneEnd::Joint(to) if kin[bone.from] == Kin::Ancestor => match kin[to] {
                    Kin::Ancestor | Kin::Selected => Kin::Ancestor,
                    Kin::None | Kin::Descendant => Kin::None,
                },
                _ => kin[bone.from],
            };
            let color = colors.of(kin, view.hovered_joint == Some(bone.from));
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
                    radius: shown.radius * scale * if strong { 0.62 } else { 0.42 },
                    least_radius: if strong { 3.5 } else { 1.8 },
                    room: if strong {
                        f32::INFINITY
                    } else {
                        shown.room * scale
                    },
                    color: colors.of(kin[joint], view.hovered_joint == Some(joint)),
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

/// How every joint stands to the selected one.
fn mark_kin(character: &Character, selected: Option<usize>, kin: &mut Vec<Kin>) {
    let joints = &character.document.skeleton.joints;
    kin.clear();
    kin.resize(joints.len(), Kin::None);
    let Some(selected) = selected.filter(|&joint| joint < joints.len()) else {
        return;
    };
    let mut above = joints[selected].parent;
    while let Some(joint) = above {
        kin[joint] = Kin::Ancestor;
        above = joints[joint].parent;
    }
    kin[selected] = Kin::Selected;
    // Parents come before children.
    for joint in selected + 1..joints.len() {
        let parent = joints[joint].parent.map(|parent| kin[parent]);
        if matches!(parent, Some(Kin::Selected | Kin::Descendant)) {
            kin[joint] = Kin::Descendant;
        }
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
            });
        }
    }
}
