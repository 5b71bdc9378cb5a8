//! Findings of the clip in play, as marks along the lower edge of the scrub bar.

use egui::{Painter, Pos2, Rect, Stroke, pos2};

use super::axis::TimeAxis;
use crate::{
    analysis::{advice, describe},
    document::Severity,
    scene::PoseSource,
    session::Session,
    ui::theme::Colors,
};

/// Height of the strip at the track's lower edge that belongs to marks.
const STRIP: f32 = 10.0;
/// A pointer within so many points of a mark means it.
const REACH: f32 = 5.0;
/// Narrowest mark.
const WIDTH: f32 = 3.0;

/// A finding along the time axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    start_secs: f32,
    end_secs: f32,
    severity: Severity,
    /// Index into [`Session::findings`].
    finding: usize,
}

impl Mark {
    fn x_range(&self, track: Rect, axis: TimeAxis) -> (f32, f32) {
        let x = |secs| axis.x_of(track, secs);
        let (left, right) = (x(self.start_secs), x(self.end_secs));
        let room = (WIDTH - (right - left)).max(0.0) * 0.5;
        (left - room, right + room)
    }
}

/// The marks of the clip in play, made once for each list and clip.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// The findings' revision, and the pose.
    made_for: Option<(u64, PoseSource)>,
    /// By severity and time: worse ones are drawn over the others.
    list: Vec<Mark>,
}

impl Marks {
    /// Brings the marks up to date.
    pub(super) fn follow(&mut self, session: &Session) {
        let source = session.character().map(|character| character.source);
        let made_for = source.map(|source| (session.findings_revision(), source));
        if self.made_for != made_for {
            self.made_for = made_for;
            self.list = match source {
                Some(PoseSource::Clip(clip)) => of_clip(session, clip),
                _ => Vec::new(),
            };
        }
    }

    /// The finding whose mark the pointer is on, the worst of several.
    pub(super) fn at(&self, track: Rect, axis: TimeAxis, pointer: Pos2) -> Option<usize> {
        if pointer.y < track.bottom() - STRIP || pointer.y > track.bottom() + 1.0 {
            return None;
        }
        let distance = |mark: &Mark| {
            let (left, right) = mark.x_range(track, axis);
            (left - pointer.x).max(pointer.x - right).max(0.0)
        };
        self.list
            .iter()
            .filter(|mark| distance(mark) <= REACH)
            .min_by(|a, b| {
                let worst = b.severity.cmp(&a.severity);
                worst.then(distance(a).total_cmp(&distance(b)))
            })
            .map(|mark| mark.finding)
    }
    /// Bars at the lower edge, the worse the higher; the one on show over the whole track.
    pub(super) fn paint(
        &self,
        painter: &Painter,
        track: Rect,
        axis: TimeAxis,
        shown: Option<usize>,
        colors: &Colors,
    ) {
        // One bar for all of a severity that fall on one pixel.
        let mut last: Option<(Severity, f32)> = None;
        for mark in &self.list {
            let (left, right) = mark.x_range(track, axis);
            let is_covered =
                last.is_some_and(|(severity, end)| severity == mark.severity && right <= end);
            if is_covered {
                continue;
            }
            last = Some((mark.severity, right));
            let height = match mark.severity {
                Severity::Error => 8.0,
                Severity::Warning => 5.0,
                Severity::Info => 3.0,
            };
            let bottom = track.bottom();
            // A gap, so that neighbours count as two.
            let end = right - if right - left > WIDTH + 1.0 { 1.0 } else { 0.0 };
            let bar = Rect::from_min_max(pos2(left, bottom - height), pos2(end, bottom));
            let color = colors.severity(mark.severity);
            painter.rect_filled(bar.intersect(track), 1.0, color);
        }
        let shown = shown.and_then(|shown| self.list.iter().find(|mark| mark.finding == shown));
        if let Some(mark) = shown {
            let (left, right) = mark.x_range(track, axis);
            let band = Rect::from_x_y_ranges(left..=right, track.y_range());
            painter.rect_filled(band, 0.0, colors.accent.gamma_multiply(0.22));
            for x in [left, right] {
                painter.vline(x, track.y_range(), Stroke::new(1.0, colors.accent));
            }
        }
    }
}

fn of_clip(session: &Session, clip: usize) -> Vec<Mark> {
    let findings = session.findings().iter().enumerate();
    let in_clip = findings.filter(|(_, finding)| finding.clip == Some(clip));
    let mut marks: Vec<Mark> = in_clip
        .filter_map(|(index, finding)| {
            let start_secs = finding.time_secs?;
            let end_secs = finding.end_secs.unwrap_or(start_secs).max(start_secs);
            (start_secs.is_finite() && end_secs.is_finite()).then_some(Mark {
                start_secs,
                end_secs,
                severity: finding.severity,
                finding: index,
            })
        })
        .collect();
    marks.sort_by(|a, b| {
        let time = a.start_secs.total_cmp(&b.start_secs);
        a.severity.cmp(&b.severity).then(time)
    });
    marks
}

/// What a mark says under the pointer.
pub(super) fn text(session: &Session, finding: usize) -> Option<String> {
    let document = session.document()?;
    let finding = session.findings().get(finding)?;
    let title = advice(finding.code).title;
    let what = describe::what_line(document, finding).unwrap_or_default();
    let secs = describe::seconds(finding.time_secs.unwrap_or_default());
    Some(if what.is_empty() {
        format!("{title}\n{secs}")
    } else {
        format!("{title}\n{what} · {secs}")
    })
}
