//! Lanes: one strip with a value axis of its own for each curve that is shown.

use core::ops::RangeInclusive;

use egui::{Align2, FontId, Painter, Rect, Stroke, Ui, pos2, vec2};

use super::store::Whole;
use crate::{
    analysis::curves::{Curve, Unit},
    ui::{
        theme::{Colors, colors},
        timeline::ruler,
    },
};

/// Smallest distance of two labelled values.
const LABEL_SPACING: f32 = 17.0;
/// Between lanes.
const GAP: f32 = 5.0;
/// Above and below a fitted curve, as a part of its span.
const MARGIN: f32 = 0.07;
/// At the top of a lane, for what it shows.
const TITLE: f32 = 14.0;
/// Lower lanes have their title over the curves.
const TITLE_FROM: f32 = 40.0;
const LABEL: f32 = 10.5;
/// Steps between labelled degrees that people think in.
const DEGREES: [f32; 9] = [5.0, 10.0, 15.0, 30.0, 45.0, 90.0, 180.0, 360.0, 720.0];

/// One strip.
#[derive(Debug, Clone)]
pub struct Lane {
    /// In [`Curve::ALL`].
    pub index: usize,
    /// What it shows.
    pub curve: Curve,
    /// Where.
    pub rect: Rect,
    /// The value at its bottom edge.
    pub low: f32,
    /// The value at its top edge.
    pub high: f32,
    /// What `low` and `high` are when it is fitted.
    pub fitted: [f32; 2],
    /// Each component over its own span.
    pub own_scale: bool,
}

/// Side by side from top to bottom.
pub fn rects(plot: Rect, count: usize) -> impl Iterator<Item = Rect> {
    let gaps = GAP * count.saturating_sub(1) as f32;
    let height = ((plot.height() - gaps) / count.max(1) as f32).max(1.0);
    (0..count).map(move |index| {
        let top = plot.top() + (height + GAP) * index as f32;
        Rect::from_min_size(pos2(plot.left(), top), vec2(plot.width(), height))
    })
}

/// Low and high values that show all of these curves.
pub fn fit<'a>(curve: Curve, wholes: impl Iterator<Item = &'a Whole>) -> [f32; 2] {
    let extents = wholes.flat_map(|whole| whole.extents.iter().flatten());
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for &[least, most] in extents {
        low = low.min(least);
        high = high.max(most);
    }
    // What starts from nothing shows its zero; a length shows the 1 that it should be.
    match curve {
        Curve::AngleFromOrientation | Curve::AngleToPreviousKey | Curve::AngularSpeed => {
            low = low.min(0.0);
            high = high.max(0.0);
        }
        Curve::LengthBeforeNormalising => {
            low = low.min(1.0);
            high = high.max(1.0);
        }
        _ => {}
    }
    if !(low.is_finite() && high.is_finite()) {
        return [-1.0, 1.0];
    }
    let least = match curve.unit() {
        Unit::Degrees | Unit::DegreesPerSecond => 2.0,
        Unit::Metres => 0.01,
        Unit::Quaternion | Unit::Factor | Unit::Weight => 0.04,
    };
    let (low, high) = (f64::from(low), f64::from(high));
    // Stillness is a line in the middle, not noise blown up.
    let span = (high - low)
        .max(least)
        .max(low.abs().max(high.abs()) * 1e-5);
    let middle = (high + low) * 0.5;
    let half = span * (0.5 + f64::from(MARGIN));
    [(middle - half) as f32, (middle + half) as f32]
}

impl Lane {
    /// Height between `low` and `high`, in points.
    fn height(&self) -> f32 {
        let height = self.rect.height();
        if height < TITLE_FROM {
            height
        } else {
            height - TITLE
        }
    }

    /// Where a value lies, in points.
    pub fn y_of(&self, value: f32) -> f32 {
        let part = (value - self.low) / (self.high - self.low);
        // Far outside is outside; huge numbers would not reach the screen as numbers.
        self.rect.bottom() - self.height() * part.clamp(-50.0, 50.0)
    }

    /// The value at a height.
    pub fn value_at(&self, y: f32) -> f32 {
        self.low + self.per_point() * (self.rect.bottom() - y)
    }

    /// Units that a point covers.
    pub fn per_point(&self) -> f32 {
        (self.high - self.low) / self.height().max(1.0)
    }

    /// Factor and offset that bring a component of this extent to the lane's axis: one
    /// and none, or whatever makes it fill the lane.
    pub fn scale(&self, extent: Option<[f32; 2]>) -> (f32, f32) {
        let Some([least, most]) = extent.filter(|_| self.own_scale) else {
            return (1.0, 0.0);
        };
        let [low, high] = self.fitted;
        let inner = (high - low) / (1.0 + 2.0 * MARGIN);
        let (middle, span) = ((low + high) * 0.5, most - least);
        let factor = if span > self.curve.unit().stillness() {
            inner / span
        } else {
            0.0
        };
        (factor, middle - factor * (least + most) * 0.5)
    }

    /// Nearer by `factor` (above 1) or farther; the value at `y` stays where it is.
    pub fn zoomed(&self, y: f32, factor: f32) -> [f32; 2] {
        let at = self.value_at(y);
        let [low, high] = self.fitted;
        let span = (self.high - self.low) / factor;
        let most = (high - low) * 50.0;
        let least = (high - low).max(at.abs() * 1e-3) * 1e-4;
        let span = span.clamp(least, most.max(least));
        let part = (at - self.low) / (self.high - self.low);
        let low = at - span * part;
        [low, low + span]
    }

    /// Grid lines with their values at the left, in `labels`.
    pub fn paint_axis(&self, ui: &Ui, labels: RangeInclusive<f32>) {
        let colors = colors(ui.visuals());
        let painter = ui.painter_at(self.rect);
        if self.own_scale {
            return;
        }
        let step = self.step();
        let decimals = (-(step * 1.001).log10().floor()).clamp(0.0, 5.0) as usize;
        let first = (self.low / step).ceil();
        let count = ((self.high / step).floor() - first + 1.0).clamp(0.0, 200.0) as usize;
        let outside = ui.painter();
        for index in 0..count {
            let value = (first + index as f32) * step;
            let y = self.y_of(value);
            let is_zero = (value / step).abs() < 1e-3;
            let strength = if is_zero { 1.6 } else { 0.8 };
            let stroke = Stroke::new(1.0, colors.line.gamma_multiply(strength));
            painter.hline(self.rect.x_range(), row(&painter, y), stroke);
            // At the very edge it would be between two lanes.
            if self.rect.shrink2(vec2(0.0, 1.0)).y_range().contains(y) {
                let value = if is_zero { 0.0 } else { value };
                let text = format!("{value:.decimals$}").replace('-', "\u{2212}");
                let font = FontId::proportional(LABEL);
                let at = pos2(*labels.end(), y);
                outside.text(at, Align2::RIGHT_CENTER, text, font, colors.weak);
            }
        }
        self.paint_guides(&painter, colors);
    }

    /// The smallest step of labels that leaves them apart.
    fn step(&self) -> f32 {
        let wanted = self.per_point() * LABEL_SPACING;
        if self.curve.unit() == Unit::Degrees && wanted > 3.0 {
            let step = DEGREES.into_iter().find(|&step| step >= wanted);
            return step.unwrap_or_else(|| ruler::nice_step(wanted));
        }
        ruler::nice_step(wanted)
    }

    /// What a length should be, and where it gets visible.
    fn paint_guides(&self, painter: &Painter, colors: &Colors) {
        if self.curve != Curve::LengthBeforeNormalising {
            return;
        }
        for (value, color) in [(1.0, colors.weak), (0.9, colors.warning)] {
            let y = row(painter, self.y_of(value));
            let line = [pos2(self.rect.left(), y), pos2(self.rect.right(), y)];
            let stroke = Stroke::new(1.0, color.gamma_multiply(0.55));
            painter.extend(egui::Shape::dashed_line(&line, stroke, 3.0, 4.0));
        }
    }
}

/// Whether no lane above reads the same track: what is said about a track stands once.
pub fn is_first_of_property(lanes: &[Lane], lane: &Lane) -> bool {
    let same = |other: &&Lane| other.curve.property() == lane.curve.property();
    lanes.iter().find(same).map(|first| first.index) == Some(lane.index)
}

/// The middle of the pixel row that holds `y`, for crisp hairlines.
pub fn row(painter: &Painter, y: f32) -> f32 {
    ruler::column(painter, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(extents: &[[f32; 2]]) -> Whole {
        Whole {
            extents: extents.iter().copied().map(Some).collect(),
            ..Whole::default()
        }
    }

    fn lane(curve: Curve, whole: &Whole) -> Lane {
        let fitted = fit(curve, core::iter::once(whole));
        Lane {
            index: 0,
            curve,
            rect: Rect::from_min_size(pos2(10.0, 20.0), vec2(400.0, 100.0)),
            low: fitted[0],
            high: fitted[1],
            fitted,
            own_scale: false,
        }
    }

    #[test]
    fn a_fitted_lane_shows_all_of_it_and_blows_up_no_noise() {
        let wide = lane(Curve::Translation, &whole(&[[-1.0, 0.5], [2.0, 3.0]]));
        assert!(wide.low < -1.0 && wide.high > 3.0 && wide.high < 4.0);
        let still = lane(Curve::Translation, &whole(&[[0.95, 0.950_001]]));
        assert!((still.y_of(0.95) - 77.0).abs() < 0.1, "in the middle");
        assert!(still.high - still.low > 0.01);
        let angle = lane(
            Curve::AngleToPreviousKey,
            &whole(&[[21.0, 21.0], [339.0, 339.0]]),
        );
        assert!(angle.low < 0.0 && angle.high > 339.0);
        for extents in [&[][..], &[[f32::MIN, f32::MAX]], &[[0.0, 0.0]]] {
            let [low, high] = fit(Curve::Scale, core::iter::once(&whole(extents)));
            assert!(low < high, "{extents:?}");
        }
    }

    #[test]
    fn zooming_keeps_the_value_under_the_pointer() {
        let mut lane = lane(Curve::Translation, &whole(&[[0.0, 2.0]]));
        for (y, factor) in [(40.0, 1.5), (90.0, 3.0), (110.0, 0.7)] {
            let before = lane.value_at(y);
            [lane.low, lane.high] = lane.zoomed(y, factor);
            assert!((lane.value_at(y) - before).abs() < 1e-4);
        }
        for _ in 0..300 {
            [lane.low, lane.high] = lane.zoomed(60.0, 2.0);
        }
        assert!(lane.high > lane.low);
    }

    #[test]
    fn on_its_own_scale_a_component_fills_the_lane() {
        let whole = whole(&[[0.0, 0.02], [0.9, 1.1], [5.0, 5.0]]);
        let mut lane = lane(Curve::Translation, &whole);
        assert_eq!(lane.scale(Some([0.0, 1.0])), (1.0, 0.0));
        lane.own_scale = true;
        for extent in &whole.extents[..2] {
            let [least, most] = extent.expect("made above");
            let (factor, offset) = lane.scale(*extent);
            let height = lane.y_of(least * factor + offset) - lane.y_of(most * factor + offset);
            assert!(height > 65.0 && height < 85.0, "{height}");
        }
        let (factor, offset) = lane.scale(whole.extents[2]);
        assert!(
            (lane.y_of(5.0 * factor + offset) - 77.0).abs() < 0.5,
            "still: in the middle"
        );
    }
}
