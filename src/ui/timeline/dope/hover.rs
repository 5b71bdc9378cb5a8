//! What lies under the pointer, and what is said of it.

use egui::{Rect, Response, RichText, Tooltip, Ui, pos2, vec2};

use super::{DopeSheet, keys::RowPaint, marks::Mark, rows::Row, stored};
use crate::{
    document::Clip,
    ui::{Context, icons::Icon, text::display, theme::colors, timeline::axis},
};

/// A key is hit from this far.
const REACH: f32 = 6.0;

/// What lies at one place of the plot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    /// The row.
    pub row: Row,
    /// Where the row is.
    pub paint: RowPaint,
    /// Index of a key among the row's times, and its time.
    pub key: Option<(usize, f32)>,
    /// The finding there.
    pub mark: Option<Mark>,
}

impl DopeSheet {
    /// Key and mark of a row at `x`.
    pub(super) fn hit(&self, row: Row, paint: RowPaint, x: f32) -> Hit {
        let secs = paint.axis.secs_at(paint.rect, x);
        let times = self.sheet.times(row);
        let key = axis::nearest_index(times, secs)
            .map(|key| (key, times[key]))
            .filter(|&(_, time)| (paint.axis.x_of(paint.rect, time) - x).abs() <= REACH);
        let marks = self.row_marks(row).map_or(&[][..], |marks| &marks.timed);
        // The narrowest: a single key's within an interval's.
        let mark = marks
            .iter()
            .filter(|mark| paint.mark_rect(mark).expand(1.0).x_range().contains(x))
            .min_by(|a, b| {
                let width = |mark: &Mark| mark.to_secs - mark.from_secs;
                width(a)
                    .total_cmp(&width(b))
                    .then(b.severity.cmp(&a.severity))
            });
        Hit {
            row,
            paint,
            key,
            mark: mark.copied(),
        }
    }

    /// Tells what was hit, beside it.
    pub(super) fn tell(
        &self,
        ui: &Ui,
        context: &Context<'_>,
        clip: &Clip,
        response: &Response,
        hit: &Hit,
    ) {
        if hit.key.is_none() && hit.mark.is_none() {
            return;
        }
        let Some(line) = hit.row.line() else { return };
        let rect = match (hit.key, hit.mark) {
            (Some((_, secs)), _) => {
                let x = hit.paint.axis.x_of(hit.paint.rect, secs);
                let center = pos2(x, hit.paint.rect.center().y);
                Rect::from_center_size(center, vec2(12.0, hit.paint.rect.height()))
            }
            (None, Some(mark)) => {
                let rect = hit.paint.mark_rect(&mark).intersect(hit.paint.rect);
                let x = response.hover_pos().map_or(rect.center().x, |p| p.x);
                Rect::from_center_size(pos2(x, rect.center().y), vec2(12.0, rect.height()))
            }
            (None, None) => return,
        };
        let id = response.id.with("told");
        let mut tip = Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), id, rect);
        tip.popup = tip.popup.width(400.0);
        tip.show(|ui| {
            ui.spacing_mut().item_spacing.y = 3.0;
            let of = &self.sheet.lines[line];
            let title = match hit.row {
                Row::Track(_, track) => {
                    let track = &of.tracks[track];
                    let morph = if track.target.is_some() {
                        "morph weight "
                    } else {
                        ""
                    };
                    format!("{} · {morph}{}", of.label, track.label)
                }
                _ => of.label.clone(),
            };
            ui.label(RichText::new(display(&title)).color(colors(ui.visuals()).strong));
            if let Some((key, secs)) = hit.key {
                self.tell_key(ui, context, clip, hit.row, key, secs);
            }
            if let Some(mark) = hit.mark
                && let Some(finding) = context.session.findings().get(mark.finding)
            {
                let color = colors(ui.visuals()).severity(finding.severity);
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = 5.0;
                    let (icon, _) = ui.allocate_exact_size(vec2(14.0, 16.0), egui::Sense::hover());
                    Icon::of_severity(finding.severity).paint(ui.painter(), icon, color);
                    let text = RichText::new(display(&finding.message)).color(color);
                    ui.add(egui::Label::new(text).wrap());
                });
                if hit.key.is_none() {
                    ui.weak("Click to go there");
                }
            }
        });
    }

    fn tell_key(
        &self,
        ui: &mut Ui,
        context: &Context<'_>,
        clip: &Clip,
        row: Row,
        key: usize,
        secs: f32,
    ) {
        let frame = secs * context.session.guessed_fps();
        let whole = (frame - frame.round()).abs() < 0.005;
        let frame = if whole {
            format!("{frame:.0}")
        } else {
            format!("{frame:.2}")
        };
        let count = self.sheet.times(row).len();
        let place = format!("{secs:.4} s · frame {frame} · key {key} of {count}");
        ui.label(place);
        let Some(of) = row.line().map(|line| &self.sheet.lines[line]) else {
            return;
        };
        match row {
            Row::Track(_, track) => {
                let track = &of.tracks[track];
                for (name, text) in stored::lines(clip, of.joint, track, key) {
                    ui.weak(format!("{name}, {}", track.shape.word()));
                    ui.monospace(text);
                }
            }
            _ => {
                let keyed = of.tracks.iter().filter(|track| {
                    track
                        .times
                        .binary_search_by(|time| time.total_cmp(&secs))
                        .is_ok()
                });
                let names: Vec<&str> = keyed.map(|track| &*track.label).collect();
                ui.weak(names.join(", "));
            }
        }
    }
}
