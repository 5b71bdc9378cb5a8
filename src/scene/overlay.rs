//! The skeleton overlay of a frame: bones, joints, axes, names.

use glam::{Mat3, Mat4, Vec3, Vec4};

use super::{
    Background, Bone, BoneColor, Character, Frame, JointDot, JointScope, Label, Line, View, ramps,
    rig::{BoneEnd, Rig, RigBone, RigJoint},
};
use crate::math;

/// The accent colour over a background, sRGB: the selection, here and in panels.
pub const fn accent(background: Background) -> [u8; 3] {
    match background {
        Background::Dark | Background::Transparent => [0x4c, 0xb2, 0xff],
        Background::Light => [0x0a, 0x74, 0xcf],
    }
}

/// Bones at rest, sRGB: light on any background, for their outline sets them off.
const BONE: [u8; 3] = [0xe2, 0xe6, 0xec];
/// Bones of joints that no vertex follows.
const IDLE: [u8; 3] = [0x78, 0x7f, 0x8a];

/// The axes x, y, z over the dark background, sRGB, here and in panels.
pub const AXES: [[u8; 3]; 3] = [[0xf2, 0x5f, 0x5c], [0x7a, 0xc7, 0x4f], [0x4f, 0x8c, 0xf0]];

/// An opaque colour as lines and bones take it.
pub(super) fn linear(srgb: [u8; 3]) -> Vec4 {
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
    idle: Vec4,
    accent: Vec4,
    hovered: Vec4,
}

impl Colors {
    fn over(background: Background) -> Self {
        let accent = linear(accent(background));
        Self {
            plain: linear(BONE),
            idle: linear(IDLE),
            accent,
            hovered: accent.lerp(Vec4::ONE, 0.72),
        }
    }
}

/// What decides how a joint looks.
struct Look<'a> {
    character: &'a Character,
    rig: &'a Rig,
    view: &'a View,
    kin: &'a [Kin],
    colors: Colors,
}

impl Look<'_> {
    fn world(&self, joint: usize) -> Mat4 {
        self.character.world_from_model * self.character.globals.world(joint)
    }

    fn is_strong(&self, joint: usize) -> bool {
        self.view.selected_joint == Some(joint) || self.view.hovered_joint == Some(joint)
    }

    /// Of a joint that stands to the selected one as `kin`.
    fn plain(&self, joint: usize, kin: Kin) -> Vec4 {
        let colors = &self.colors;
        let rest = if self.rig.idle[joint] {
            colors.idle
        } else {
            colors.plain
        };
        match kin {
            Kin::Selected => colors.accent,
            _ if self.view.hovered_joint == Some(joint) => colors.hovered,
            Kin::Ancestor => rest.lerp(colors.accent, 0.22),
            Kin::Descendant => rest.lerp(colors.accent, 0.62),
            Kin::None => rest,
        }
    }

    /// By what the view colours by; `None` where that is nothing.
    fn measured(&self, joint: usize) -> Option<Vec4> {
        let color = match self.view.bone_color {
            BoneColor::Plain => return None,
            BoneColor::Findings => ramps::severity_color(self.mark(joint)),
            BoneColor::Shear => {
                let shear = math::axes::shear(Mat3::from_mat4(self.world(joint)));
                ramps::shear_color(ramps::shear_place(shear))
            }
            BoneColor::Determinant => ramps::handedness_color(math::handedness(&self.world(joint))),
        };
        Some(linear(color))
    }

    fn mark(&self, joint: usize) -> Option<crate::document::Severity> {
        self.character.joint_marks.get(joint).copied().flatten()
    }

    fn bone(&self, joint: usize, kin: Kin) -> Vec4 {
        match self.measured(joint) {
            Some(color) if self.view.hovered_joint == Some(joint) => color.lerp(Vec4::ONE, 0.4),
            Some(color) => color,
            None => self.plain(joint, kin),
        }
    }

    fn dot(&self, shown: &RigJoint, scale: f32) -> Option<JointDot> {
        let joint = shown.joint;
        let position = self.world(joint).w_axis.truncate();
        let strong = self.is_strong(joint);
        let marked = self.view.bone_color == BoneColor::Findings && self.mark(joint).is_some();
        let (size, least_radius) = match (strong, marked) {
            (true, _) => (0.62, 3.5),
            (false, true) => (0.55, 3.0),
            (false, false) => (0.42, 1.8),
        };
        let color = match self.measured(joint) {
            Some(color) if !strong => color,
            _ => self.plain(joint, self.kin[joint]),
        };
        position.is_finite().then_some(JointDot {
            joint,
            position,
            radius: shown.radius * scale * size,
            least_radius,
            room: if strong || marked {
                f32::INFINITY
            } else {
                shown.room * scale
            },
            color,
        })
    }

    /// Whether a joint is among those that something is shown of.
    fn covers(&self, scope: JointScope, joint: usize) -> bool {
        match scope {
            JointScope::Off => false,
            JointScope::Selected => self.view.selected_joint == Some(joint),
            JointScope::Children => matches!(self.kin[joint], Kin::Selected | Kin::Descendant),
            JointScope::All => true,
        }
    }

    fn is_named(&self, joint: usize) -> bool {
        let scope = self.view.names;
        // Whoever wants names at all wants that of the joint under the pointer.
        let pointed_at = scope != JointScope::Off && self.view.hovered_joint == Some(joint);
        pointed_at || self.covers(scope, joint)
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
    mark_kin(character, view.selected_joint, kin);
    let look = Look {
        character,
        rig,
        view,
        kin,
        colors: Colors::over(view.background),
    };
    // A file without a surface to draw has nothing else to show.
    let all = view.skeleton || rig.alone;
    let drawn = |joint: usize| all || view.selected_joint == Some(joint);
    let scale = character.world_from_model.x_axis.truncate().length();
    if all || view.selected_joint.is_some() {
        for bone in rig.bones.iter().filter(|bone| drawn(bone.from)) {
            push_bone(&look, bone, scale, frame);
        }
        let dots = rig.joints.iter().filter(|shown| drawn(shown.joint));
        frame
            .joints
            .extend(dots.filter_map(|shown| look.dot(shown, scale)));
    }
    for shown in &rig.joints {
        annotate(&look, shown.joint, shown.room * scale, frame);
    }
    // A selected plain node is no part of the rig but has a place all the same.
    if let Some(joint) = view.selected_joint
        && joint < character.document.skeleton.joints.len()
        && rig
            .joints
            .binary_search_by_key(&joint, |j| j.joint)
            .is_err()
    {
        annotate(&look, joint, f32::INFINITY, frame);
    }
}

fn push_bone(look: &Look<'_>, bone: &RigBone, scale: f32, frame: &mut Frame) {
    let from = look.world(bone.from);
    let start = from.w_axis.truncate();
    let end = match bone.end {
        BoneEnd::Joint(joint) => look.world(joint).w_axis.truncate(),
        BoneEnd::Tip(tip) => from.transform_point3(tip),
    };
    // What turns with a joint has its colour, but for a bone that leads away from the
    // line of ancestors.
    let kin = match bone.end {
        BoneEnd::Joint(to) if look.kin[bone.from] == Kin::Ancestor => match look.kin[to] {
            Kin::Ancestor | Kin::Selected => Kin::Ancestor,
            Kin::None | Kin::Descendant => Kin::None,
        },
        _ => look.kin[bone.from],
    };
    if start.is_finite() && end.is_finite() && start != end {
        frame.bones.push(Bone {
            joint: bone.from,
            from: start,
            to: end,
            side: across(from.transform_vector3(bone.side), end - start),
            radius: bone.radius * scale,
            color: look.bone(bone.from, kin),
        });
    }
}

/// Share of its shortest bone that a joint's axes take, and their least and largest
/// length as shares of the character's size.
const AXES_SHARE: f32 = 0.45;
const AXES_LEAST: f32 = 0.008;
const AXES_MOST: f32 = 0.06;

/// Name and axes of a joint that has `room` world units to the next one.
fn annotate(look: &Look<'_>, joint: usize, room: f32, frame: &mut Frame) {
    let matrix = look.world(joint);
    if look.is_named(joint) {
        frame.labels.push(Label {
            joint,
            position: matrix.w_axis.truncate(),
            strong: look.is_strong(joint),
        });
    }
    if look.covers(look.view.axes, joint) {
        let size = frame.bounds.diagonal();
        let is_selected = look.view.selected_joint == Some(joint);
        let (length, width) = if is_selected {
            (size * AXES_MOST, 2.0)
        } else {
            let (least, most) = (size * AXES_LEAST, size * AXES_MOST);
            ((room * AXES_SHARE).clamp(least, most.max(least)), 1.4)
        };
        push_axes(matrix, length, width, frame);
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

fn push_axes(world: Mat4, length: f32, width: f32, frame: &mut Frame) {
    let origin = world.w_axis.truncate();
    for (axis, color) in [world.x_axis, world.y_axis, world.z_axis].iter().zip(AXES) {
        let direction = axis.truncate().normalize_or_zero();
        if origin.is_finite() && direction != Vec3::ZERO {
            frame.lines.push(Line {
                from: origin,
                to: origin + direction * length,
                color: linear(color),
                width,
                behind: 1.0,
            });
        }
    }
}
