//! The curves that move a node's factors → tracks of its joint.

use glam::{DMat4, DQuat, DVec3, Mat4, Quat, Vec3};

use super::{
    curve::{Curve, Shape, Side},
    metrics::Metrics,
    nodes::{Node, is_trs},
    resample::{Budget, Function, knots, sample},
    transform::{Kind, Part, Turn},
};
use crate::document::Keys;

/// Largest turn between two resampled keys, radians: well under half a turn, so that the
/// short way between them is the way.
const MAX_TURN: f64 = core::f64::consts::FRAC_PI_4;
/// Largest error of resampled rotations, radians: 0.01°.
const MAX_ANGLE: f64 = 1.745e-4;
/// Largest error of other resampled values, as a share of the largest number in them.
const MAX_SHARE: f64 = 1e-4;

/// Key times and values of one property.
pub(super) type Track<T> = (Vec<f32>, Keys<T>);

/// The tracks of a joint.
pub(super) enum Composed {
    Trs {
        translation: Option<Track<Vec3>>,
        rotation: Option<Track<Quat>>,
        scale: Option<Track<Vec3>>,
    },
    Matrix(Track<Mat4>),
}

/// A factor and the curve that moves it, if one does.
#[derive(Clone, Copy)]
struct Moved<'a> {
    part: &'a Part,
    curve: Option<&'a Curve>,
}

impl Moved<'_> {
    /// The factor's numbers at a time.
    fn numbers(&self, secs: f64, side: Side) -> Vec<f64> {
        match self.curve {
            Some(curve) => curve.at(secs, side),
            None => self.part.numbers.clone(),
        }
    }
}

/// Makes the tracks of a node from the curves of its factors (`curve_of` by structure).
pub(super) fn compose<'a>(
    node: &'a Node,
    curve_of: impl Fn(&Part) -> Option<&'a Curve>,
    metrics: &Metrics,
    budget: &mut Budget,
) -> Composed {
    let parts = node.own_parts();
    let before = if node.is_root {
        metrics.upright
    } else {
        Quat::IDENTITY
    };
    let moved: Vec<Moved<'_>> = parts
        .iter()
        .map(|&part| Moved {
            part,
            curve: curve_of(part),
        })
        .collect();
    let composer = Composer { metrics, before };
    if !is_trs(&parts) {
        return Composed::Matrix(composer.matrix(&moved, budget));
    }
    let of = |wanted: fn(Kind) -> bool| -> Vec<Moved<'_>> {
        moved
            .iter()
            .copied()
            .filter(|moved| wanted(moved.part.kind))
            .collect()
    };
    Composed::Trs {
        translation: composer.vector(&of(|kind| matches!(kind, Kind::Translation(_))), budget),
        rotation: composer.rotation(&of(|kind| matches!(kind, Kind::Rotation(_))), budget),
        scale: composer.vector(&of(|kind| matches!(kind, Kind::Scale(_))), budget),
    }
}

struct Composer<'a> {
    metrics: &'a Metrics,
    /// The turn of the up axis at a root.
    before: Quat,
}

/// The curves among factors; none where nothing moves.
fn curves<'a>(moved: &[Moved<'a>]) -> Vec<&'a Curve> {
    moved.iter().filter_map(|moved| moved.curve).collect()
}

/// Whether all curves hold between keys.
fn all_hold(curves: &[&Curve]) -> bool {
    curves.iter().all(|curve| curve.shape == Shape::Constant)
}

impl Composer<'_> {
    /// Translations or scales, alone or several of them.
    fn vector(&self, moved: &[Moved<'_>], budget: &mut Budget) -> Option<Track<Vec3>> {
        let curves = curves(moved);
        if curves.is_empty() {
            return None;
        }
        let is_scale = matches!(moved[0].part.kind, Kind::Scale(_));
        let one = |kind: Kind, numbers: &[f64]| {
            if is_scale {
                kind.scale(numbers)
            } else {
                self.before.as_dquat() * kind.translation(numbers, self.metrics)
            }
        };
        if let [only] = moved
            && let Some(curve) = only.curve
        {
            let kind = only.part.kind;
            let all = |numbers: &[f64]| -> Vec<Vec3> {
                let rows = numbers.chunks_exact(curve.width);
                rows.map(|row| one(kind, row).as_vec3()).collect()
            };
            let tangents = curve.tangents().map(|(arriving, leaving)| {
                // Of an axis that nothing moves the tangent is 0, not the scale 1.
                let still = one(kind, &vec![0.0; curve.width]).as_vec3();
                [arriving, leaving].map(|numbers| {
                    let rows = all(&numbers).into_iter();
                    rows.map(|tangent| tangent - still).collect::<Vec<_>>()
                })
            });
            if let Some(keys) = exact(curve, all(&curve.values), tangents) {
                return Some((curve.secs.clone(), keys));
            }
        }
        let value = |secs: f64, side: Side| {
            moved.iter().fold(
                if is_scale { DVec3::ONE } else { DVec3::ZERO },
                |sum, moved| {
                    let value = one(moved.part.kind, &moved.numbers(secs, side));
                    if is_scale { sum * value } else { sum + value }
                },
            )
        };
        if all_hold(&curves) {
            let secs = knots(&curves);
            let held = secs
                .iter()
                .map(|&t| value(f64::from(t), Side::After).as_vec3());
            let keys = Keys::Step(held.collect());
            return Some((secs, keys));
        }
        let size = knots(&curves)
            .iter()
            .map(|&secs| value(f64::from(secs), Side::After).abs().max_element())
            .fold(0.0, f64::max);
        let function = Function {
            curves: &curves,
            value: &value,
            parts: &|_, _| 1,
            is_near: &|a, middle, b| {
                ((*a + *b) * 0.5 - *middle).abs().max_element() <= size * MAX_SHARE + 1e-9
            },
        };
        let (secs, values) = sample(&function, budget);
        let values = values.iter().map(|value| value.as_vec3()).collect();
        Some((secs, Keys::Linear(values)))
    }

    fn rotation(&self, moved: &[Moved<'_>], budget: &mut Budget) -> Option<Track<Quat>> {
        let curves = curves(moved);
        if curves.is_empty() {
            return None;
        }
        if let [only] = moved
            && let Some(curve) = only.curve
            && only.part.kind == Kind::Rotation(Turn::Quaternion)
        {
            // Keys as stored, neither of one hemisphere nor of unit length.
            let all = |numbers: &[f64]| -> Vec<Quat> {
                let rows = numbers.chunks_exact(4);
                rows.map(|row| self.before * DQuat::from_slice(row).as_quat())
                    .collect()
            };
            let tangents = curve
                .tangents()
                .map(|(arriving, leaving)| [all(&arriving), all(&leaving)]);
            if let Some(keys) = exact(curve, all(&curve.values), tangents) {
                return Some((curve.secs.clone(), keys));
            }
        }
        let value = |secs: f64, side: Side| {
            moved.iter().fold(self.before.as_dquat(), |product, moved| {
                let numbers = moved.numbers(secs, side);
                product * moved.part.kind.rotation(&numbers, self.metrics)
            })
        };
        let one_way = |values: Vec<DQuat>| -> Vec<Quat> {
            let mut last = DQuat::IDENTITY;
            let aligned = values.into_iter().map(|value| {
                last = if value.dot(last) < 0.0 { -value } else { value };
                last.as_quat()
            });
            aligned.collect()
        };
        if all_hold(&curves) {
            let secs = knots(&curves);
            let held = secs.iter().map(|&t| value(f64::from(t), Side::After));
            let keys = Keys::Step(one_way(held.collect()));
            return Some((secs, keys));
        }
        let function = Function {
            curves: &curves,
            value: &value,
            parts: &|start, end| self.parts(moved, start, end),
            is_near: &|a, middle, b| {
                let b = if a.dot(*b) < 0.0 { -*b } else { *b };
                // Halfway on the arc is along the sum.
                let chord = (*a + b).normalize();
                2.0 * chord.dot(*middle).abs().min(1.0).acos() <= MAX_ANGLE
            },
        };
        let (secs, values) = sample(&function, budget);
        Some((secs, Keys::Linear(one_way(values))))
    }

    /// Parts of an interval in which no angle turns further than [`MAX_TURN`]. A curve
    /// that overshoots its keys turns further: looked at in sixteen steps.
    fn parts(&self, moved: &[Moved<'_>], start: f64, end: f64) -> usize {
        const STEPS: usize = 16;
        let turned: f64 = moved
            .iter()
            .filter(|moved| moved.curve.is_some_and(|c| c.shape != Shape::Constant))
            .map(|moved| {
                let at = |step: usize| {
                    let secs = start + (end - start) * step as f64 / STEPS as f64;
                    let side = if step == STEPS {
                        Side::Before
                    } else {
                        Side::After
                    };
                    moved.numbers(secs, side)
                };
                let fastest = (0..STEPS)
                    .map(|step| {
                        moved
                            .part
                            .kind
                            .turned(&at(step), &at(step + 1), self.metrics)
                    })
                    .fold(0.0, f64::max);
                fastest * STEPS as f64
            })
            .sum();
        // Not a hair more than an exact multiple.
        (turned / MAX_TURN - 1e-6).ceil().max(1.0) as usize
    }

    /// Matrices: as stored where a single one is, else the product's.
    fn matrix(&self, moved: &[Moved<'_>], budget: &mut Budget) -> Track<Mat4> {
        let curves = curves(moved);
        let before = DMat4::from_quat(self.before.as_dquat());
        if let [only] = moved
            && let Some(curve) = only.curve
        {
            let all = |numbers: &[f64]| -> Vec<Mat4> {
                let rows = numbers.chunks_exact(curve.width);
                rows.map(|row| (before * only.part.kind.matrix(row, self.metrics)).as_mat4())
                    .collect()
            };
            let tangents = curve
                .tangents()
                .map(|(arriving, leaving)| [all(&arriving), all(&leaving)]);
            if let Some(keys) = exact(curve, all(&curve.values), tangents) {
                return (curve.secs.clone(), keys);
            }
        }
        let value = |secs: f64, side: Side| {
            moved.iter().fold(before, |product, moved| {
                product
                    * moved
                        .part
                        .kind
                        .matrix(&moved.numbers(secs, side), self.metrics)
            })
        };
        if all_hold(&curves) {
            let secs = knots(&curves);
            let held = secs
                .iter()
                .map(|&t| value(f64::from(t), Side::After).as_mat4());
            let keys = Keys::Step(held.collect());
            return (secs, keys);
        }
        let size = knots(&curves)
            .iter()
            .flat_map(|&secs| value(f64::from(secs), Side::After).to_cols_array())
            .fold(0.0, |size: f64, number| size.max(number.abs()));
        let function = Function {
            curves: &curves,
            value: &value,
            parts: &|start, end| self.parts(moved, start, end),
            is_near: &|a: &DMat4, middle: &DMat4, b: &DMat4| {
                let numbers = |m: &DMat4| m.to_cols_array();
                let (a, middle, b) = (numbers(a), numbers(middle), numbers(b));
                (0..16).all(|i| ((a[i] + b[i]) * 0.5 - middle[i]).abs() <= size * MAX_SHARE)
            },
        };
        let (secs, values) = sample(&function, budget);
        let values = values.iter().map(DMat4::as_mat4).collect();
        (secs, Keys::Linear(values))
    }
}

/// Keys that play exactly what the curve says, if there are any.
pub(super) fn exact<T>(
    curve: &Curve,
    values: Vec<T>,
    tangents: Option<[Vec<T>; 2]>,
) -> Option<Keys<T>> {
    match (&curve.shape, tangents) {
        (Shape::Constant, _) => Some(Keys::Step(values)),
        (Shape::Linear, _) if curve.has_even_time() => Some(Keys::Linear(values)),
        (_, Some([in_tangents, out_tangents])) => Some(Keys::Cubic {
            in_tangents,
            values,
            out_tangents,
        }),
        _ => None,
    }
}
