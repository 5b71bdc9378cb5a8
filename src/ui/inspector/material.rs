//! A material with its textures, and a picture at full width.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use egui::{Color32, Rect, Role, Sense, TextureHandle, Ui, WidgetInfo, vec2};

use super::facts::{self, fact, fact_with, link, quiet};
use crate::{
    document::{AlphaMode, Document, Filter, Image, Material, TextureRef, Wrap},
    session::{Command, Inspected},
    ui::{
        Context, format,
        icons::Icon,
        text::display,
        theme::{GAP, PAD, RADIUS, colors},
        widgets,
    },
};

/// Side of a thumbnail in points.
const THUMB: f32 = 48.0;
/// Longer side of what is kept of a picture, in pixels: enough for the panel's width
/// at 200 %.
const KEPT: usize = 512;
/// Pixels averaged into one, each way, at most.
const TAPS: usize = 4;

/// Small copies of a document's pictures, made when they are first seen.
#[derive(Default)]
pub(super) struct Thumbnails {
    document: Weak<Document>,
    textures: HashMap<usize, TextureHandle>,
}

impl core::fmt::Debug for Thumbnails {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Thumbnails")
            .field("textures", &self.textures.len())
            .finish_non_exhaustive()
    }
}

impl Thumbnails {
    fn get(&mut self, ui: &Ui, document: &Arc<Document>, image: usize) -> TextureHandle {
        if !std::ptr::eq(self.document.as_ptr(), Arc::as_ptr(document)) {
            self.document = Arc::downgrade(document);
            self.textures.clear();
        }
        self.textures
            .entry(image)
            .or_insert_with(|| {
                let small = shrunk(&document.images[image]);
                let options = egui::TextureOptions::LINEAR;
                ui.ctx()
                    .load_texture(format!("image {image}"), small, options)
            })
            .clone()
    }

    pub(super) fn material(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        document: &Arc<Document>,
        index: usize,
    ) {
        let material = &document.materials[index];
        let label = format::material_label(document, index);
        facts::header(ui, context, Icon::Material, &label, |ui, _| {
            quiet(ui, &format!("Material {index}"));
        });
        factors(ui, material);
        let parts = (document.meshes.iter())
            .flat_map(|mesh| &mesh.primitives)
            .filter(|primitive| primitive.material == Some(index))
            .count();
        fact(ui, "Used by", &format::plural(parts, "part"));
        ui.add_space(PAD);
        let textures = [
            ("Base colour", material.base_color_texture),
            ("Metal, roughness", material.metallic_roughness_texture),
            ("Normals", material.normal_texture),
            ("Occlusion", material.occlusion_texture),
            ("Emission", material.emissive_texture),
        ];
        widgets::section(ui, "Textures", true, |ui| {
            if textures.iter().all(|(_, texture)| texture.is_none()) {
                quiet(ui, "None");
            }
            for (role, texture) in textures {
                if let Some(texture) = texture {
                    self.texture_row(ui, context, document, role, texture);
                }
            }
        });
    }

    fn texture_row(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        document: &Arc<Document>,
        role: &str,
        used: TextureRef,
    ) {
        let image = document.textures[used.texture].image;
        let picture = &document.images[image];
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), THUMB + GAP), Sense::click());
        response.widget_info(|| {
            let text = format!("{role}: {}", picture.name);
            WidgetInfo::labeled(Role::Link, true, text)
        });
        let colors = colors(ui.visuals());
        if response.hovered() {
            ui.painter().rect_filled(rect, RADIUS, colors.raised);
        }
        widgets::focus_ring(ui, rect, &response);
        let thumb = Rect::from_min_size(rect.min, vec2(THUMB, THUMB));
        self.paint(ui, document, image, thumb);
        let x = thumb.right() + PAD;
        let width = rect.right() - x;
        let lines = [
            (role.to_owned(), 13.0, colors.text),
            (picture.name.clone(), 12.0, colors.weak),
            (use_text(picture, used), 11.5, colors.weak),
        ];
        for (line, (text, size, color)) in lines.iter().enumerate() {
            let y = rect.top() + 8.0 + 16.0 * line as f32;
            let font = egui::FontId::proportional(*size);
            widgets::fitted_text(ui, text, font, *color, x, y, width);
        }
        let response = response
            .on_hover_cursor(egui::CursorIcon::PointingHand)
            .on_hover_text(display(&format!("{}: show it larger", picture.name)));
        if response.clicked() {
            let command = Command::Inspect(Inspected::Image(image));
            context.commands.push(command);
        }
    }

    pub(super) fn image(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        document: &Arc<Document>,
        index: usize,
    ) {
        let picture = &document.images[index];
        facts::header(ui, context, Icon::Image, &picture.name, |ui, _| {
            quiet(ui, &format!("Image {index}"));
        });
        let width = ui.available_width();
        let aspect = picture.height.max(1) as f32 / picture.width.max(1) as f32;
        let (rect, response) = ui.allocate_exact_size(
            vec2(width, (width * aspect).min(width * 1.5)),
            Sense::hover(),
        );
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &*picture.name));
        self.paint(ui, document, index, rect);
        ui.add_space(PAD);
        let size = format!("{} × {} pixels", picture.width, picture.height);
        fact(ui, "Size", &size);
        let kib = picture.pixels.len() as f64 / 1024.0;
        fact(ui, "In memory", &format!("{kib:.0} KiB, RGBA of 8 bits"));
        if let Some(reason) = &picture.placeholder {
            fact(ui, "Placeholder", reason);
        }
        let textures: Vec<usize> = (0..document.textures.len())
            .filter(|&texture| document.textures[texture].image == index)
            .collect();
        for &texture in &textures {
            let sampler = document.textures[texture].sampler;
            let filter = match (sampler.mag, sampler.mip) {
                (Filter::Nearest, _) => "nearest",
                (Filter::Linear, None) => "linear, no mip levels",
                (Filter::Linear, Some(_)) => "linear with mip levels",
            };
            let wrap = |wrap| match wrap {
                Wrap::Repeat => "repeat",
                Wrap::Mirror => "mirror",
                Wrap::Clamp => "clamp",
            };
            let wraps = format!("{} × {}", wrap(sampler.wrap_u), wrap(sampler.wrap_v));
            fact(
                ui,
                &format!("Texture {texture}"),
                &format!("{filter}; {wraps}"),
            );
        }
        let materials = document.materials.iter().enumerate();
        let users = materials.filter(|(_, material)| {
            [
                material.base_color_texture,
                material.metallic_roughness_texture,
                material.normal_texture,
                material.occlusion_texture,
                material.emissive_texture,
            ]
            .iter()
            .flatten()
            .any(|used| textures.contains(&used.texture))
        });
        for (material, _) in users {
            fact_with(ui, "Used by", |ui| {
                let label = format::material_label(document, material);
                if link(ui, &label, "Show the material").clicked() {
                    let command = Command::Inspect(Inspected::Material(material));
                    context.commands.push(command);
                }
            });
        }
    }

    /// The picture as large as it fits, over a chequerboard that shows through.
    fn paint(&mut self, ui: &Ui, document: &Arc<Document>, image: usize, rect: Rect) {
        if !ui.is_rect_visible(rect) {
            return;
        }
        let texture = self.get(ui, document, image);
        let size = texture.size_vec2();
        let scale = (rect.width() / size.x).min(rect.height() / size.y);
        let place = Rect::from_center_size(rect.center(), size * scale);
        chequer(ui, place);
        let uv = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        ui.painter().image(texture.id(), place, uv, Color32::WHITE);
    }
}

fn chequer(ui: &Ui, rect: Rect) {
    const CELL: f32 = 6.0;
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 0.0, Color32::from_gray(96));
    let (columns, rows) = (
        (rect.width() / CELL).ceil() as usize,
        (rect.height() / CELL).ceil() as usize,
    );
    for row in 0..rows.min(200) {
        for column in (row % 2..columns.min(200)).step_by(2) {
            let corner = rect.min + vec2(column as f32, row as f32) * CELL;
            let cell = Rect::from_min_size(corner, vec2(CELL, CELL));
            painter.rect_filled(cell, 0.0, Color32::from_gray(128));
        }
    }
}

fn factors(ui: &mut Ui, material: &Material) {
    let [r, g, b, a] = material.base_color.to_array();
    fact_with(ui, "Base colour", |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            let (rect, _) = ui.allocate_exact_size(vec2(28.0, 14.0), Sense::hover());
            let color: Color32 = egui::Rgba::from_rgb(r, g, b).into();
            ui.painter().rect_filled(rect, 2.0, color);
            ui.label(format!("{r:.3} {g:.3} {b:.3}"));
        })
        .response
        .on_hover_text("Linear red, green, blue factor");
    });
    let alpha = match material.alpha_mode {
        AlphaMode::Opaque => "opaque".to_owned(),
        AlphaMode::Mask(cutoff) => format!("cut out below {cutoff:.2}"),
        AlphaMode::Blend => format!("blended, factor {a:.2}"),
    };
    fact(ui, "Alpha", &alpha);
    if material.unlit {
        fact(ui, "Light", "unlit: base colour only");
    } else {
        fact(ui, "Metallic", &format!("{:.2}", material.metallic));
        fact(ui, "Roughness", &format!("{:.2}", material.roughness));
    }
    let [r, g, b] = material.emissive.to_array();
    if material.emissive != glam::Vec3::ZERO {
        fact(ui, "Emission", &format!("{r:.3} {g:.3} {b:.3}"));
    }
    let sides = if material.double_sided {
        "both"
    } else {
        "front only"
    };
    fact(ui, "Sides drawn", sides);
}

/// `1024 × 1024 · UV 1 · transformed`.
fn use_text(picture: &Image, used: TextureRef) -> String {
    let mut parts = vec![format!("{} × {}", picture.width, picture.height)];
    if used.uv_set > 0 {
        parts.push(format!("UV set {}", used.uv_set));
    }
    if used.uv_transform != glam::Affine2::IDENTITY {
        parts.push("transformed".to_owned());
    }
    if picture.placeholder.is_some() {
        parts.push("unreadable".to_owned());
    }
    parts.join(" · ")
}

/// The picture, or a smaller copy whose pixels are the mean of a few of those below.
fn shrunk(image: &Image) -> egui::ColorImage {
    let (width, height) = (image.width as usize, image.height as usize);
    let longer = width.max(height).max(1);
    let scale = |side: usize| (side * KEPT.min(longer) / longer).max(1);
    let [columns, rows] = [scale(width), scale(height)];
    let mut pixels = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            pixels.push(mean(image, [column, row], [columns, rows]));
        }
    }
    egui::ColorImage::new([columns, rows], pixels)
}

/// Mean of at most `TAPS` × `TAPS` pixels under one of the copy's.
fn mean(image: &Image, at: [usize; 2], size: [usize; 2]) -> Color32 {
    let from = [image.width as usize, image.height as usize];
    let span = |axis: usize| {
        let first = at[axis] * from[axis] / size[axis];
        let end = ((at[axis] + 1) * from[axis] / size[axis]).max(first + 1);
        (first, end.min(from[axis]).max(first))
    };
    let taps = |(first, end): (usize, usize)| {
        let step = (end - first).div_ceil(TAPS).max(1);
        (first..end).step_by(step)
    };
    let (mut sum, mut count) = ([0u32; 4], 0);
    for y in taps(span(1)) {
        for x in taps(span(0)) {
            let offset = (y * from[0] + x) * 4;
            if let Some(pixel) = image.pixels.get(offset..offset + 4) {
                (0..4).for_each(|c| sum[c] += u32::from(pixel[c]));
                count += 1;
            }
        }
    }
    let [r, g, b, a] = sum.map(|channel| (channel / count.max(1)) as u8);
    Color32::from_rgba_unmultiplied(r, g, b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thumbnail_keeps_the_shape_and_the_mean() {
        let mut image = Image {
            width: 2048,
            height: 512,
            pixels: Vec::new(),
            ..Image::default()
        };
        for index in 0..2048 * 512 {
            let value = if index % 2 == 0 { 0 } else { 200 };
            image.pixels.extend([value, 100, 0, 255]);
        }
        let small = shrunk(&image);
        assert_eq!(small.size, [512, 128]);
        let [r, g, b, a] = small.pixels[600].to_array();
        assert_eq!([r, g, b, a], [100, 100, 0, 255]);
        let tiny = shrunk(&Image {
            width: 1,
            height: 1,
            pixels: vec![1, 2, 3, 255],
            ..Image::default()
        });
        assert_eq!(
            (tiny.size, tiny.pixels[0].to_array()),
            ([1, 1], [1, 2, 3, 255])
        );
    }
}
