//! Translations and scales.

use glam::Vec4;

use super::{Kind, Slot, SplineRow, build::Member};
use crate::{
    anim::{sample::hermite_weights, timeline::Span},
    document::Keys,
    math::wide::{self, WideVec3},
};

/// Tracks of one component with the same key times and the same interpolation.
#[derive(Debug, Clone)]
pub(super) struct VectorBand {
    pub timeline: usize,
    slots: Vec<Slot>,
    rows: Rows,
}

/// One entry per slot and key; those of one key lie together.
#[derive(Debug, Clone)]
enum Rows {
    Step(Vec<WideVec3>),
    Linear(Vec<WideVec3>),
    Cubic(Vec<SplineRow<3>>),
}

impl VectorBand {
    pub fn new(
        timeline: usize,
        kind: Kind,
        key_count: usize,
        members: &[Member<glam::Vec3>],
    ) -> Self {
        let values = |key: usize, member: &Member<glam::Vec3>| {
            member.lanes(key, [0.0; 3], |keys, key| keys.values()[key].to_array())
        };
        let each = |key| members.iter().map(move |member| (key, member));
        let plain = || {
            (0..key_count)
                .flat_map(each)
                .map(|(key, member)| values(key, member))
                .collect()
        };
        let rows = match kind {
            Kind::Step => Rows::Step(plain()),
            Kind::Linear => Rows::Linear(plain()),
            Kind::Cubic => Rows::Cubic(
                (0..key_count)
                    .flat_map(each)
                    .map(|(key, member)| SplineRow {
                        in_tangent: member.lanes(key, [0.0; 3], |keys, key| match keys {
                            Keys::Cubic { in_tangents, .. } => in_tangents[key].to_array(),
                            _ => [0.0; 3],
                        }),
                        value: values(key, member),
                        out_tangent: member.lanes(key, [0.0; 3], |keys, key| match keys {
                            Keys::Cubic { out_tangents, .. } => out_tangents[key].to_array(),
                            _ => [0.0; 3],
                        }),
                    })
                    .collect(),
            ),
        };
        Self {
            timeline,
            slots: members.iter().map(|member| member.slot).collect(),
            rows,
        }
    }

    pub fn sample(&self, span: &Span, hold: bool, out: &mut [WideVec3]) {
        let hold = hold || span.from == span.to;
        match &self.rows {
            Rows::Step(rows) => self.each(rows, span, out, |from, _| *from),
            Rows::Linear(rows) if hold => self.each(rows, span, out, |from, _| *from),
            Rows::Linear(rows) => {
                self.each(rows, span, out, |from, to| wide::lerp(from, to, span.u));
            }
            Rows::Cubic(rows) if hold => self.each(rows, span, out, |from, _| from.value),
            Rows::Cubic(rows) => {
                self.each(rows, span, out, |from, to| {
                    from.hermite(to, span, Vec4::ONE)
                });
            }
        }
    }

    #[inline]
    fn each<R>(
        &self,
        rows: &[R],
        span: &Span,
        out: &mut [WideVec3],
        value: impl Fn(&R, &R) -> WideVec3,
    ) {
        let width = self.slots.len();
        let (from, to) = (&rows[span.from * width..], &rows[span.to * width..]);
        for ((slot, from), to) in self.slots.iter().zip(from).zip(to) {
            slot.store(out, value(from, to));
        }
    }
}

impl<const N: usize> SplineRow<N> {
    /// The spline towards `next`, with that key and its tangent times `sign`.
    #[inline]
    pub fn hermite(&self, next: &Self, span: &Span, sign: Vec4) -> [Vec4; N] {
        let [p0, m0, p1, m1] = hermite_weights(span.u);
        let (p1, m1) = (sign * p1, sign * (m1 * span.secs));
        core::array::from_fn(|i| {
            self.value[i] * p0
                + self.out_tangent[i] * (m0 * span.secs)
                + next.value[i] * p1
                + next.in_tangent[i] * m1
        })
    }
}
