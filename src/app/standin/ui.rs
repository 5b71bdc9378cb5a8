use crate::{scene::Frame, session::*};
pub struct Ui;
pub struct UiOutput {
    pub viewport_points: egui::Rect,
    pub viewport_pixels: [u32; 2],
}
impl Ui {
    pub fn new(_ctx: &egui::Context) -> Self {
        Self
    }
    pub fn run(
        &mut self,
        ui: &mut egui::Ui,
        session: &Session,
        frame: &Frame,
        viewport: Option<egui::TextureId>,
        commands: &mut Vec<Command>,
    ) -> UiOutput {
        let _ = frame;
        egui::Panel::top("top").show(ui, |ui| {
            ui.label(session.document().map_or("nothing", |d| &d.name));
            for message in session.messages.iter() {
                if ui.button(&message.text).clicked() {
                    commands.push(Command::Dismiss(message.id));
                }
            }
        });
        egui::Panel::bottom("bottom").show(ui, |ui| {
            if let Some(c) = session.character() {
                let mut t = c.player.time_secs;
                ui.spacing_mut().slider_width = 900.0;
                if ui
                    .add(egui::Slider::new(&mut t, 0.0..=c.player.duration_secs))
                    .changed()
                {
                    commands.push(Command::SetTime(t));
                }
                if let Some(loading) = &session.loading {
                    ui.label(format!("{:?}", loading));
                }
            }
        });
        let mut rect = egui::Rect::NOTHING;
        egui::CentralPanel::default().show(ui, |ui| {
            rect = ui.available_rect_before_wrap();
            if let Some(id) = viewport {
                ui.painter().image(
                    id,
                    rect,
                    egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0)),
                    egui::Color32::WHITE,
                );
            }
        });
        let size = rect.size().max(egui::Vec2::ZERO) * ui.ctx().pixels_per_point();
        UiOutput {
            viewport_points: rect,
            viewport_pixels: [size.x.round() as u32, size.y.round() as u32],
        }
    }
}
