//! Splines of rotations that get short between two keys.
//!
//! The format's spline blends the four components and is normalised afterwards. Where
//! the raw length gets small, so does what normalising has to go by: the joint hurries
//! round, and in players that forget to normalise it shrinks.

use glam::{DQuat, Quat};

use super::{clip::Lane, words};
use crate::document::{Finding, FindingCode, Keys, Severity};

/// Shorter than this times its keys, a spline is reported. Two keys 90° apart without
/// tangents come to 0.92.
const SHORT: f64 = 0.9;

/// Where a spline is shortest.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Shortest {
    /// The interval's first key.
    key: usize,
    length: f64,
    /// 0 … 1 between the keys.
    u: f64,
}

pub(super) fn check(lane: &Lane<'_>, keys: &Keys<Quat>) -> Vec<Finding> {
    let Keys::Cubic {
        in_tangents,
        values,
        out_tangents,
    } = keys
    else {
        return Vec::new();
    };
    let mut short = Vec::new();
    for key in 0..values.len().saturating_sub(1) {
        let third = lane.gap_secs(key) / 3.0;
        let [a, b, leave, arrive] = [
            values[key],
            values[key + 1],
            out_tangents[key],
            in_tangents[key + 1],
        ]
        .map(Quat::as_dquat);
        let curve = [a, a + leave * third, b - arrive * third, b];
        // A key that is short itself is another finding's matter.
        let limit = SHORT * a.length().min(b.length()).min(1.0);
        if let Some((length, u)) = shortest_below(&curve, limit) {
            short.push(Shortest { key, length, u });
        }
    }
    lane.few(&short, |short| finding(lane, values, short))
}

fn finding(lane: &Lane<'_>, values: &[Quat], short: &Shortest) -> Finding {
    let Shortest { key, length, u } = *short;
    let at_secs = f64::from(lane.times[key]) + u * lane.gap_secs(key);
    let opposite = values[key].as_dquat().dot(values[key + 1].as_dquat()) < 0.0;
    let cause = if opposite {
        ", whose signs are opposite"
    } else {
        ""
    };
    let message = format!(
        "The spline of {} gets as short as {length:.2} at {}, between {}{cause}; a rotation has length 1",
        lane.name(),
        words::secs(at_secs as f32),
        lane.keys(key, key + 1)
    );
    lane.finding(
        FindingCode::CubicDegenerate,
        Severity::Warning,
        (key, key + 1),
        message,
    )
    .with("min_length", length)
    .with("min_at_secs", at_secs)
    .with("opposite_signs", f64::from(u8::from(opposite)))
}

/// `binomial(3, i) · binomial(3, j) / binomial(6, i + j)`: how the control points of a
/// cubic make those of its square.
const SQUARE: [[f64; 4]; 4] = {
    let (three, six) = ([1.0, 3.0, 3.0, 1.0], [1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0]);
    let mut weights = [[0.0; 4]; 4];
    let mut i = 0;
    while i < 4 {
        let mut j = 0;
        while j < 4 {
            weights[i][j] = three[i] * three[j] / six[i + j];
            j += 1;
        }
        i += 1;
    }
    weights
};

/// Precision of the squared length.
const PRECISION: f64 = 1e-9;

/// The least length of a Bézier curve and where it is, if that is below `limit` at all.
///
/// The squared length is a polynomial of degree six. Its Bernstein coefficients bound it
/// from below, so halves that cannot hold the least value are left out (branch and
/// bound): no minimum slips between samples, and a curve that is nowhere short costs one
/// look at seven numbers.
fn shortest_below(curve: &[DQuat; 4], limit: f64) -> Option<(f64, f64)> {
    let mut square = [0.0; 7];
    for (i, a) in curve.iter().enumerate() {
        for (j, b) in curve.iter().enumerate() {
            square[i + j] += SQUARE[i][j] * a.dot(*b);
        }
    }
    if square.iter().any(|number| !number.is_finite()) {
        return None;
    }
    let (mut best, mut best_u) = (limit * limit, None);
    let mut parts = vec![(square, 0.0, 1.0)];
    while let Some((part, start, width)) = parts.pop() {
        let bound = part.iter().copied().fold(f64::INFINITY, f64::min);
        if bound >= best - PRECISION {
            continue;
        }
        let (left, right) = halves(part);
        for (value, u) in [(part[0], start), (right[0], start + width / 2.0)] {
            if value < best {
                (best, best_u) = (value, Some(u));
            }
        }
        // Beyond this width the curve is a line, and its ends have been looked at.
        if width > 1e-9 {
            parts.push((right, start + width / 2.0, width / 2.0));
            parts.push((left, start, width / 2.0));
        }
    }
    best_u.map(|u| (best.max(0.0).sqrt(), u))
}

/// De Casteljau's construction at the middle.
fn halves(mut part: [f64; 7]) -> ([f64; 7], [f64; 7]) {
    let (mut left, mut right) = ([0.0; 7], [0.0; 7]);
    for level in 0..7 {
        left[level] = part[0];
        right[6 - level] = part[6 - level];
        for i in 0..6 - level {
            part[i] = (part[i] + part[i + 1]) / 2.0;
        }
    }
    (left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(curve: &[DQuat; 4], u: f64) -> f64 {
        let v = 1.0 - u;
        let [a, b, c, d] = *curve;
        (a * (v * v * v) + b * (3.0 * v * v * u) + c * (3.0 * v * u * u) + d * (u * u * u)).length()
    }

    /// Against ten thousand samples, on curves of every shape.
    #[test]
    fn the_true_minimum_is_found() {
        let mut state = 7_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
        };
        let mut found = 0;
        for case in 0..300 {
            let size = [1.0, 5.0, 200.0][case % 3];
            let mut quat =
                |size: f64| DQuat::from_xyzw(random(), random(), random(), random()) * size;
            let (a, b) = (quat(1.0).normalize(), quat(1.0).normalize());
            let curve = [a, quat(size), quat(size), b];
            let sampled = (0..=10_000)
                .map(|i| length(&curve, f64::from(i) / 1e4))
                .fold(f64::INFINITY, f64::min);
            match shortest_below(&curve, 0.9) {
                Some((least, u)) => {
                    found += 1;
                    assert!((length(&curve, u) - least).abs() < 1e-6 * size, "{curve:?}");
                    assert!(least < sampled + 1e-7, "{curve:?}: {least}, {sampled}");
                }
                None => assert!(sampled > 0.9 - 1e-7, "{curve:?}: {sampled}"),
            }
        }
        assert!((100..280).contains(&found), "{found} of 300 are short");
    }

    /// Through zero so fast that a hundred samples see nothing.
    #[test]
    fn a_narrow_dip_does_not_slip_through() {
        let x = |x: f64| DQuat::from_xyzw(x, 0.0, 0.0, 0.0);
        let curve = [x(-1.0), x(-4e4), x(3e4), x(1.0)];
        let (least, u) = shortest_below(&curve, 0.9).expect("it passes through zero");
        // As exact as squares of 1e9 can be.
        assert!(least < 5e-3, "{least} at {u}");
        assert!((length(&curve, u) - least).abs() < 5e-3);
    }

    #[test]
    fn opposite_keys_meet_in_the_middle_of_nothing() {
        let (a, zero) = (DQuat::IDENTITY, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
        let (least, u) = shortest_below(&[a, a, -a, -a], 0.9).expect("short");
        assert!(least < 1e-4 && (u - 0.5).abs() < 1e-3, "{least} at {u}");
        assert_eq!(shortest_below(&[a, a, a, a], 0.9), None);
        assert_eq!(shortest_below(&[zero; 4], 0.0), None);
        let far = DQuat::from_xyzw(1e300, 0.0, 0.0, 0.0);
        assert_eq!(shortest_below(&[a, far, far, a], 0.9), None);
    }
}
