//! The selected joint: `local = T · orientation · rotation · S`, and its matrices.

use egui::{RichText, Ui};
use glam::Quat;

use super::{
    Inspector, keys,
    values::{self, Block},
};
use crate::{
    anim::Local,
    document::{Document, Joint},
    scene::Character,
    session::Command,
    ui::{
        Context,
        format::{self, EulerOrder, axis_angle_degrees},
        technique,
        text::display,
        theme::{GAP, PAD, SMALL, colors},
        widgets,
    },
};

/// Modes for one joint alone, where the clip moves it.
fn own_modes(ui: &mut Ui, context: &mut Context<'_>, character: &Character, joint: usize) {
    let moves = |clip: &crate::document::Clip| clip.joint_tracks(joint).is_some();
    if !character.clip().is_some_and(moves) {
        return;
    }
    widgets::section(ui, "This joint only", false, |ui| {
        ui.spacing_mut().item_spacing.y = GAP;
        let mut technique = character.technique.clone();
        let mut modes = *technique.modes_of(joint);
        let before = technique.joint_modes.iter().any(|own| own.0 == joint);
        let mut own = before;
        widgets::check_box(ui, &mut own, "Modes of its own")
            .on_hover_text("Interpolate this joint another way than the rest of the rig");
        if own != before {
            technique.set_modes_of(joint, own.then_some(modes));
        }
        if own {
            technique::modes(ui, &mut modes);
            technique.set_modes_of(joint, Some(modes));
        }
        if technique != character.technique {
            let (side, technique) = (0, Box::new(technique));
            context
                .commands
                .push(Command::SetTechnique { side, technique });
        }
    });
}

impl Inspector {
    pub(super) fn joint_facts(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        character: &Character,
        joint: usize,
    ) {
        ui.spacing_mut().item_spacing.y = 0.0;
        header(ui, context, &character.document, joint);
        ui.add_space(PAD);
        if joint >= character.pose.len() || joint >= character.globals.len() {
            return;
        }
        keys::shown_meshes(ui, context, character, joint);
        self.morphs_of_node(ui, context, character, joint);
        widgets::section(ui, "Relative to parent", true, |ui| {
            values::column_letters(ui);
            match character.local(joint) {
                Local::Trs(transform) => {
                    let joint = &character.document.skeleton.joints[joint];
                    self.trs(ui, context, &transform, joint);
                }
                Local::Matrix(matrix) => values::matrix(
                    ui,
                    context,
                    "Local matrix",
                    "parent from joint; stored as a matrix that is no product of translation, rotation and scale",
                    &matrix,
                    |_| {},
                ),
            }
        });
        widgets::section(ui, "Matrices", true, |ui| {
            let tooltip = "M: world from joint, now";
            values::matrix(
                ui,
                context,
                "World matrix M",
                tooltip,
                &character.globals.world(joint),
                |_| {},
            );
            self.skin_matrices(ui, context, character, joint);
        });
        keys::keys(ui, character, joint);
        own_modes(ui, context, character, joint);
    }

    /// Sliders for the morph targets of the meshes that the joint's node shows.
    fn morphs_of_node(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        character: &Character,
        joint: usize,
    ) {
        let document = &*character.document;
        for (index, instance) in document.instances.iter().enumerate() {
            let has_targets = !document.meshes[instance.mesh].morph_weights.is_empty();
            if instance.joint == joint && has_targets {
                ui.push_id(("morphs of node", index), |ui| {
                    widgets::section(ui, "Morph targets", true, |ui| {
                        self.morphs(ui, context, character, index);
                    });
                });
            }
        }
    }

    fn trs(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        transform: &crate::math::Transform,
        joint: &Joint,
    ) {
        let vector = |title, tooltip, values: &[f32; 3], ui: &mut Ui, context: &mut Context<'_>| {
            Block {
                title,
                tooltip,
                values,
                decimals: 4,
                unit: "",
                copy: format::exact(values),
            }
            .show(ui, context, |_| {});
        };
        let translation = transform.translation.to_array();
        let tooltip = "Position in the parent's frame, file units";
        vector("Translation", tooltip, &translation, ui, context);

        let stored = transform.rotation.to_array();
        let tooltip = "Quaternion x y z w relative to the parent, as keys and nodes store it: orientation · rotation";
        Block {
            title: "Rotation · as stored",
            tooltip,
            values: &stored,
            decimals: 4,
            unit: "",
            copy: format::exact(&stored),
        }
        .show(ui, context, |_| {});

        let orientation_values = joint.orientation.to_array();
        Block {
            title: "Orientation",
            tooltip: "Fixed unit quaternion x y z w: the frame that the rotation turns in (glTF: the node's rest rotation)",
            values: &orientation_values,
            decimals: 4,
            unit: "",
            copy: format::exact(&orientation_values),
        }
        .show(ui, context, |_| {});

        self.rotation(ui, context, joint.animated_rotation(transform.rotation));

        let scale = transform.scale.to_array();
        vector("Scale", "Along the joint's own axes", &scale, ui, context);
    }

    fn rotation(&mut self, ui: &mut Ui, context: &mut Context<'_>, rotation: Quat) {
        let quaternion = rotation.to_array();
        let length = rotation.length();
        Block {
            title: "Rotation · from rest",
            tooltip: "Orientation⁻¹ · stored, as x y z w: what animation changes",
            values: &quaternion,
            decimals: 4,
            unit: "",
            copy: format::exact(&quaternion),
        }
        .show(ui, context, |ui| {
            if (length - 1.0).abs() > 1e-3 {
                let color = colors(ui.visuals()).warning;
                let text = RichText::new(format!("length {length:.3}"))
                    .size(SMALL)
                    .color(color);
                ui.label(text)
                    .on_hover_text("Not a unit quaternion: the joint squashes");
            }
        });

        let (axis, degrees) = axis_angle_degrees(rotation);
        let values = [axis.x, axis.y, axis.z, degrees];
        Block {
            title: "Axis, angle · from rest",
            tooltip: "Unit axis and angle in degrees, 0 … 360 as stored: −q is the other way round",
            values: &values,
            decimals: 4,
            unit: "°",
            copy: format::exact(&values),
        }
        .show(ui, context, |_| {});

        let angles = self.euler_order.degrees(rotation).to_array();
        let mut order = self.euler_order;
        Block {
            title: "Euler · from rest",
            tooltip: "Degrees about x, y, z; turned in the chosen order about the moving axes",
            values: &angles,
            decimals: 2,
            unit: "°",
            copy: format::exact(&angles),
        }
        .show(ui, context, |ui| order = euler_chooser(ui, order));
        self.euler_order = order;
    }

    fn skin_matrices(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        character: &Character,
        joint: usize,
    ) {
        // Where the joint stands in each skin that uses it.
        let document = &character.document;
        let skins: Vec<(usize, usize)> = document
            .skins
            .iter()
            .enumerate()
            .filter_map(|(index, skin)| {
                let slot = skin.joints.iter().position(|&j| j as usize == joint)?;
                Some((index, slot))
            })
            .collect();
        let shown = skins
            .iter()
            .find(|(skin, _)| Some(*skin) == self.skin)
            .or(skins.first());
        let Some(&(skin, slot)) = shown else {
            ui.label(
                RichText::new("In no skin: it moves no vertices by weight.")
                    .size(SMALL + 0.5)
                    .color(colors(ui.visuals()).weak),
            );
            return;
        };
        if skins.len() > 1 {
            ui.add_space(GAP);
            let entries = skins
                .iter()
                .map(|&(index, _)| (index, document.skins[index].label(index), ""));
            let chosen = widgets::labelled(ui, "Skin", |ui| {
                let width = ui.available_width() - PAD;
                let text = document.skins[skin].label(skin);
                let tip = "Whose matrices are shown";
                widgets::dropdown(ui, "Skin of the joint", width, skin, &text, tip, entries)
            });
            if chosen.is_some() {
                self.skin = chosen;
            }
            ui.add_space(GAP);
        }
        let joint_from_mesh = character.skins()[skin].joint_from_mesh[slot];
        let tooltip = if document.skins[skin].has_inverse_bind_matrices {
            "Inverse bind matrix as stored: joint from mesh"
        } else {
            "The file gives none: identity"
        };
        values::matrix(
            ui,
            context,
            "Inverse bind M0⁻¹",
            tooltip,
            &joint_from_mesh,
            |_| {},
        );
        let skin_matrix = character.globals.world(joint) * joint_from_mesh;
        let tooltip = "What moves the vertices: world from mesh by this joint";
        values::matrix(
            ui,
            context,
            "Skin matrix M · M0⁻¹",
            tooltip,
            &skin_matrix,
            |_| {},
        );
    }
}

fn header(ui: &mut Ui, context: &mut Context<'_>, document: &Document, joint: usize) {
    let joints = &document.skeleton.joints;
    let this = &joints[joint];
    let label = this.label();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if widgets::copy_button(ui, "Copy name").clicked() {
                context.commands.push(Command::CopyText(label.clone()));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let text = RichText::new(display(&label))
                    .heading()
                    .color(colors(ui.visuals()).strong);
                ui.add(egui::Label::new(text).truncate());
            });
        });
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        let weak = |text: String| RichText::new(text).size(SMALL + 0.5);
        ui.label(weak(format!("Node {}", this.node)).color(colors(ui.visuals()).weak));
        ui.label(weak("· parent".to_owned()).color(colors(ui.visuals()).weak));
        match this.parent {
            Some(parent) => {
                let text = weak(display(&joints[parent].label()).into_owned())
                    .color(colors(ui.visuals()).accent);
                let link = egui::Label::new(text)
                    .truncate()
                    .sense(egui::Sense::click());
                let response = ui
                    .add(link)
                    .on_hover_cursor(egui::CursorIcon::PointingHand)
                    .on_hover_text("Select the parent");
                if response.hovered() {
                    context.hovered_joint = Some(parent);
                }
                if response.clicked() {
                    context.commands.push(Command::SelectJoint(Some(parent)));
                }
            }
            None => {
                ui.label(weak("none".to_owned()).color(colors(ui.visuals()).weak));
            }
        }
    });
}

fn euler_chooser(ui: &mut Ui, current: EulerOrder) -> EulerOrder {
    let entries = EulerOrder::ALL.map(|order| (order, order.as_str().to_owned(), ""));
    ui.spacing_mut().interact_size.y = 18.0;
    ui.spacing_mut().button_padding.y = 0.0;
    widgets::dropdown(
        ui,
        "Euler order",
        52.0,
        current,
        current.as_str(),
        "Order of the turns",
        entries,
    )
    .unwrap_or(current)
}
