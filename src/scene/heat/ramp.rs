//! Colours for numbers. Ramps are paths through Oklab, cut into steps that look equally
//! large; lightness rises or falls all along each, so that they read without hues too.

use std::sync::LazyLock;

use glam::Vec3;

use crate::math::color::{linear_from_oklab, oklab_in_gamut, srgb_bytes};

/// Colours that a ramp is made of; between them it is straight in linear light.
pub const STOPS: usize = 33;

/// Of no weight at all, and of what has no skin: linear, a neutral grey.
pub const PLAIN: Vec3 = Vec3::splat(0.19);
/// Of vertices whose weights are all zero: linear, in no ramp.
pub const UNWEIGHTED: Vec3 = Vec3::new(1.0, 0.0, 0.55);

/// A path of colours over a range of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ramp {
    /// The numbers of the first and the last colour.
    pub range: [f32; 2],
    /// Linear colours, evenly over the range.
    pub stops: [Vec3; STOPS],
    /// The colour of exactly 0, where it is one of its own.
    pub zero: Option<Vec3>,
}

impl Ramp {
    /// For amounts from 0 up to `high`: from dark blue to yellow, and grey for nothing.
    pub fn amount(high: f32) -> Self {
        Self {
            range: [0.0, high],
            stops: *AMOUNT,
            zero: Some(PLAIN),
        }
    }

    /// For differences up to `reach` either way: blue below, pale at 0, orange above.
    pub fn difference(reach: f32) -> Self {
        Self {
            range: [-reach, reach],
            stops: *DIFFERENCE,
            zero: None,
        }
    }

    /// The linear colour of a number; beyond the range that of its end.
    pub fn color(&self, value: f32) -> Vec3 {
        if let (true, Some(zero)) = (value == 0.0, self.zero) {
            return zero;
        }
        let [low, high] = self.range;
        let last = (STOPS - 1) as f32;
        let at = ((value - low) / (high - low)).clamp(0.0, 1.0) * last;
        let first = (at as usize).min(STOPS - 2);
        self.stops[first].lerp(self.stops[first + 1], at - first as f32)
    }

    /// [`Self::color`] as sRGB bytes.
    pub fn srgb(&self, value: f32) -> [u8; 3] {
        srgb_bytes(self.color(value))
    }
}

/// Colours by number of influences: calm blues up to four, loud from five on.
pub fn count_color(count: usize) -> Vec3 {
    let (lightness, chroma, hue) = match count {
        0 => return UNWEIGHTED,
        1 => (0.90, 0.02, 240.0),
        2 => (0.76, 0.05, 240.0),
        3 => (0.62, 0.08, 245.0),
        4 => (0.48, 0.10, 255.0),
        5 => (0.88, 0.16, 92.0),
        6 => (0.79, 0.16, 72.0),
        7 => (0.70, 0.18, 52.0),
        _ => (0.61, 0.20, 36.0),
    };
    linear_from_oklab(oklab_in_gamut(lightness, chroma, hue))
}

/// Oklab of a joint's own colour. Hues go round by the golden angle, so that joints of
/// neighbouring numbers, which are mostly neighbours, differ; and so does lightness.
pub fn joint_color(joint: usize) -> Vec3 {
    let hue = joint as f32 * 137.507_77 % 360.0;
    let lightness = [0.60, 0.82, 0.70][joint % 3];
    oklab_in_gamut(lightness, 0.13, hue)
}

static AMOUNT: LazyLock<[Vec3; STOPS]> = LazyLock::new(|| even(amount_path));

/// From blue by teal and green to yellow. Half-way sRGB has the least chroma to give: at
/// its limit the path would bend, and the bend would show as an edge.
fn amount_path(t: f32) -> Vec3 {
    let chroma = 0.165 - 0.075 * (core::f32::consts::PI * t).sin();
    oklab_in_gamut(0.36 + 0.56 * t, chroma, 284.0 - 182.0 * t)
}

static DIFFERENCE: LazyLock<[Vec3; STOPS]> = LazyLock::new(|| {
    let arm = |hue: f32| {
        move |t: f32| {
            let share = t * t * (3.0 - 2.0 * t);
            oklab_in_gamut(0.88 - 0.42 * t, 0.16 * share, hue)
        }
    };
    const HALF: usize = STOPS / 2;
    let below: [Vec3; HALF + 1] = even(arm(255.0));
    let above: [Vec3; HALF + 1] = even(arm(52.0));
    core::array::from_fn(|i| {
        if i < HALF {
            below[HALF - i]
        } else {
            above[i - HALF]
        }
    })
});

/// `N` linear colours along a path through Oklab from `t` = 0 to 1, at equal distances.
fn even<const N: usize>(path: impl Fn(f32) -> Vec3) -> [Vec3; N] {
    const FINE: usize = 512;
    let points: Vec<Vec3> = (0..=FINE).map(|i| path(i as f32 / FINE as f32)).collect();
    let mut length = vec![0.0];
    for pair in points.windows(2) {
        length.push(length[length.len() - 1] + pair[0].distance(pair[1]));
    }
    let whole = length[FINE];
    core::array::from_fn(|stop| {
        let wanted = whole * stop as f32 / (N - 1) as f32;
        let after = length.partition_point(|&at| at < wanted).clamp(1, FINE);
        let (from, to) = (length[after - 1], length[after]);
        let share = ((wanted - from) / (to - from)).clamp(0.0, 1.0);
        linear_from_oklab(points[after - 1].lerp(points[after], share)).clamp(Vec3::ZERO, Vec3::ONE)
    })
}

/// The next round number, a tenth to a quarter apart, from `value` up; `least` for what is not larger.
pub fn nice(value: f32, least: f32) -> f32 {
    if !value.is_finite() || value <= least {
        return least;
    }
    let power = 10f32.powf(value.log10().floor());
    let steps = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    // A hair of room: 0.2 must not become 0.5 by rounding.
    let step = steps.iter().find(|&&step| value <= step * power * 1.000_01);
    step.map_or(value, |step| step * power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::color::oklab_from_linear;

    fn labs(ramp: &Ramp) -> Vec<Vec3> {
        ramp.stops
            .iter()
            .map(|&rgb| oklab_from_linear(rgb))
            .collect()
    }

    #[test]
    fn steps_look_equally_large() {
        for ramp in [Ramp::amount(1.0), Ramp::difference(1.0)] {
            let labs = labs(&ramp);
            let steps: Vec<f32> = labs.windows(2).map(|w| w[0].distance(w[1])).collect();
            let (low, high) = steps
                .iter()
                .fold((f32::INFINITY, 0f32), |(l, h), &s| (l.min(s), h.max(s)));
            assert!(high < low * 1.1, "{low} … {high}");
        }
    }

    #[test]
    fn no_step_turns_a_corner() {
        let labs = labs(&Ramp::amount(1.0));
        let steps: Vec<Vec3> = labs.windows(2).map(|w| (w[1] - w[0]).normalize()).collect();
        for pair in steps.windows(2) {
            let turn = pair[0].dot(pair[1]).clamp(-1.0, 1.0).acos();
            assert!(turn.to_degrees() < 15.0, "{}°", turn.to_degrees());
        }
    }

    #[test]
    fn lightness_alone_tells_order() {
        let amount = labs(&Ramp::amount(1.0));
        assert!(amount.windows(2).all(|w| w[1].x > w[0].x + 0.005));
        let difference = labs(&Ramp::difference(1.0));
        let (below, above) = difference.split_at(STOPS / 2);
        assert!(below.windows(2).all(|w| w[1].x > w[0].x));
        assert!(above.windows(2).all(|w| w[1].x < w[0].x));
        // Which side it is, blue against orange, those who confuse red and green see too.
        assert!(below[0].z < -0.1 && above[above.len() - 1].z > 0.08);
    }

    #[test]
    fn ends_middle_and_zero() {
        let ramp = Ramp::amount(4.0);
        assert_eq!(ramp.color(4.0), ramp.stops[STOPS - 1]);
        assert_eq!(ramp.color(9.0), ramp.stops[STOPS - 1]);
        assert!(ramp.color(1e-6).distance(ramp.stops[0]) < 1e-4);
        assert_eq!(ramp.color(0.0), PLAIN);
        assert!(ramp.color(2.0).distance(ramp.stops[STOPS / 2]) < 1e-6);
        let ramp = Ramp::difference(0.5);
        assert_eq!(ramp.color(0.0), ramp.stops[STOPS / 2]);
    }

    #[test]
    fn more_than_four_is_loud() {
        let chroma = |count| {
            let lab = oklab_from_linear(count_color(count));
            lab.y.hypot(lab.z)
        };
        for calm in 1..=4 {
            assert!((5..9).all(|loud| chroma(loud) > chroma(calm) + 0.04));
        }
    }

    #[test]
    fn round_numbers() {
        for (value, wanted) in [
            (0.31, 0.4),
            (0.2, 0.2),
            (12.3, 15.0),
            (81.0, 100.0),
            (1e-9, 1e-3),
        ] {
            let got = nice(value, 1e-3);
            assert!((got - wanted).abs() <= wanted * 1e-4, "{value}: {got}");
        }
        assert_eq!(nice(f32::NAN, 1.0), 1.0);
        assert_eq!(nice(f32::INFINITY, 1.0), 1.0);
    }
}
