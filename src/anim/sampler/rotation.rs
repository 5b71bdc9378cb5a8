//! Rotations.

use core::f64::consts::PI;

use glam::{Quat, Vec4};

use super::{Kind, Slot, SplineRow, build::Member};
use crate::{
    anim::{Hemisphere, Interpolation, Modes, sample::unit, timeline::Span},
    document::Keys,
    math::{
        quat::Arc,
        wide::{self, WideQuat},
    },
};

/// Rotation tracks with the same key times and the same interpolation.
#[derive(Debug, Clone)]
pub(super) struct RotationBand {
    pub timeline: usize,
    kind: Kind,
    slots: Vec<Slot>,
    /// One entry per slot and key; those of one key lie together.
    arcs: Vec<ArcRow>,
    /// The same for authored cubic splines; empty for other kinds.
    splines: Vec<SplineRow<4>>,
}

/// Four keys and the arcs from them to the next keys: [`Arc`] four times.
#[derive(Debug, Clone, Copy)]
struct ArcRow {
    /// The keys, of unit length, as stored but for that.
    q: WideQuat,
    /// Along the short arc, at right angles to `q`.
    across: WideQuat,
    /// Ω of the short arc.
    short_radians: Vec4,
    /// Ω of the arc between the keys as stored.
    stored_radians: Vec4,
    /// The dot product of the keys as stored.
    cos: Vec4,
}

impl RotationBand {
    pub fn new(timeline: usize, kind: Kind, key_count: usize, members: &[Member<Quat>]) -> Self {
        let rows =
            || (0..key_count).flat_map(|key| members.iter().map(move |member| (key, member)));
        let splines = rows().map(|(key, member)| SplineRow {
            in_tangent: member.lanes(key, [0.0; 4], |keys, key| match keys {
                Keys::Cubic { in_tangents, .. } => in_tangents[key].to_array(),
                _ => [0.0; 4],
            }),
            value: member.lanes(key, Quat::IDENTITY.to_array(), |keys, key| {
                keys.values()[key].to_array()
            }),
            out_tangent: member.lanes(key, [0.0; 4], |keys, key| match keys {
                Keys::Cubic { out_tangents, .. } => out_tangents[key].to_array(),
                _ => [0.0; 4],
            }),
        });
        Self {
            timeline,
            kind,
            slots: members.iter().map(|member| member.slot).collect(),
            arcs: rows()
                .map(|(key, member)| ArcRow::new(key, member))
                .collect(),
            splines: if kind == Kind::Cubic {
                splines.collect()
            } else {
                Vec::new()
            },
        }
    }

    pub fn sample(&self, span: &Span, modes: &Modes, out: &mut [WideQuat]) {
        let (u, keep) = (span.u, modes.hemisphere == Hemisphere::Keep);
        let threshold = modes.threshold;
        match (modes.interpolation, self.kind) {
            _ if span.from == span.to => self.each(span, out, |a, _| a.q),
            (Interpolation::Step, _) | (Interpolation::Authored, Kind::Step) => {
                self.each(span, out, |a, _| a.q);
            }
            (Interpolation::Authored, Kind::Cubic) => self.splines(span, modes, out),
            (Interpolation::Lerp, _) => self.each(span, out, |a, b| a.lerp(b, u, keep)),
            (Interpolation::Nlerp, _) => self.each(span, out, |a, b| a.nlerp(b, u, keep)),
            (Interpolation::Slerp, _) | (Interpolation::Authored, Kind::Linear) => {
                if threshold <= 0.0 {
                    self.each(span, out, |a, b| a.nlerp(b, u, keep));
                } else if keep {
                    self.each(span, out, |a, b| a.slerp::<true>(b, u, threshold));
                } else {
                    self.each(span, out, |a, b| a.slerp::<false>(b, u, threshold));
                }
            }
            // Read from the tracks as stored (`Modes::are_wide`).
            (
                Interpolation::Cubic
                | Interpolation::MatrixLerp
                | Interpolation::Polar
                | Interpolation::Euler,
                _,
            ) => {}
        }
    }

    #[inline]
    fn each(
        &self,
        span: &Span,
        out: &mut [WideQuat],
        value: impl Fn(&ArcRow, &ArcRow) -> WideQuat,
    ) {
        let width = self.slots.len();
        let (from, to) = (
            &self.arcs[span.from * width..],
            &self.arcs[span.to * width..],
        );
        for ((slot, from), to) in self.slots.iter().zip(from).zip(to) {
            slot.store(out, value(from, to));
        }
    }

    /// Authored cubic splines, from the keys as stored.
    fn splines(&self, span: &Span, modes: &Modes, out: &mut [WideQuat]) {
        let width = self.slots.len();
        let rows = |key: usize| &self.splines[key * width..];
        let arcs = &self.arcs[span.from * width..];
        let ends = rows(span.from).iter().zip(rows(span.to));
        for ((slot, (from, to)), arc) in self.slots.iter().zip(ends).zip(arcs) {
            let sign = if modes.hemisphere == Hemisphere::AlignAll {
                arc.sign()
            } else {
                Vec4::ONE
            };
            let spline = from.hermite(to, span, sign);
            slot.store(out, wide::normalize_or(&spline, &arc.q));
        }
    }
}

impl ArcRow {
    fn new(key: usize, member: &Member<Quat>) -> Self {
        let resting = Self::numbers(Quat::IDENTITY, Quat::IDENTITY);
        let [
            x,
            y,
            z,
            w,
            ax,
            ay,
            az,
            aw,
            short_radians,
            stored_radians,
            cos,
        ] = member.lanes(key, resting, |keys, key| {
            let values = keys.values();
            // The last key holds: an arc of no length.
            let next = values.get(key + 1).unwrap_or(&values[key]);
            Self::numbers(unit(values[key]), unit(*next))
        });
        Self {
            q: [x, y, z, w],
            across: [ax, ay, az, aw],
            short_radians,
            stored_radians,
            cos,
        }
    }

    /// One lane, field by field.
    fn numbers(a: Quat, b: Quat) -> [f32; 11] {
        let Arc {
            cos,
            across,
            omega_radians,
            ..
        } = Arc::new(a, b);
        // To −b the angle is the rest of half a turn; an arc without direction has none.
        let (across, short_radians) = if cos < 0.0 && omega_radians > 0.0 {
            (-across, PI - omega_radians)
        } else {
            (across, omega_radians)
        };
        let [x, y, z, w] = a.to_array();
        let [ax, ay, az, aw] = across.as_quat().to_array();
        let (short, stored) = (short_radians as f32, omega_radians as f32);
        [x, y, z, w, ax, ay, az, aw, short, stored, cos]
    }

    /// −1 in lanes whose next key lies in the other hemisphere.
    #[inline]
    fn sign(&self) -> Vec4 {
        Vec4::select(self.cos.cmplt(Vec4::ZERO), Vec4::NEG_ONE, Vec4::ONE)
    }

    /// Blend towards `next`, as stored or on the short arc.
    #[inline]
    fn lerp(&self, next: &Self, u: f32, keep: bool) -> WideQuat {
        if keep {
            wide::lerp(&self.q, &next.q, u)
        } else {
            let sign = self.sign();
            wide::lerp(&self.q, &next.q.map(|component| component * sign), u)
        }
    }

    #[inline]
    fn nlerp(&self, next: &Self, u: f32, keep: bool) -> WideQuat {
        wide::normalize_or(&self.lerp(next, u, keep), &self.q)
    }

    /// See [`crate::math::quat::slerp`].
    #[inline]
    fn slerp<const KEEP: bool>(&self, next: &Self, u: f32, threshold: f32) -> WideQuat {
        let (radians, sign) = if KEEP {
            (self.stored_radians, self.sign())
        } else {
            (self.short_radians, Vec4::ONE)
        };
        let (sin, cos) = wide::sin_cos(radians * u);
        let sin = sin * sign;
        let arc = core::array::from_fn(|i| self.q[i] * cos + self.across[i] * sin);
        let falls_back = self.cos.abs().cmpgt(Vec4::splat(threshold));
        if falls_back.any() {
            let blend = self.nlerp(next, u, KEEP);
            core::array::from_fn(|i| Vec4::select(falls_back, blend[i], arc[i]))
        } else {
            arc
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        anim::{Cursor, Local, Pose, Sampler, sample_rotation},
        document::{Clip, Document, Joint, JointTracks, Track},
    };

    /// One joint that turns from `a` to `b` in a second.
    fn document(a: Quat, b: Quat) -> (Document, Track<Quat>) {
        let track = Track {
            times: [0.0, 1.0].into(),
            keys: Keys::Linear(vec![a, b]),
        };
        let mut document = Document::default();
        document.skeleton.joints.push(Joint::default());
        document.clips.push(Clip {
            joints: vec![JointTracks::Trs {
                joint: 0,
                translation: None,
                rotation: Some(track.clone()),
                scale: None,
            }],
            ..Clip::default()
        });
        (document, track)
    }

    /// Pairs that random tests hardly ever meet.
    #[test]
    fn equal_opposite_and_half_turn_keys_agree_with_plain_sampling() {
        let a = Quat::from_xyzw(0.5, -0.5, 0.5, 0.5);
        let right_angle = Quat::from_xyzw(0.5, 0.5, 0.5, -0.5);
        let nearly = |q: Quat| (q + Quat::from_xyzw(3e-4, 0.0, 0.0, 0.0)).normalize();
        for b in [a, -a, right_angle, -right_angle, nearly(a), nearly(-a)] {
            let (document, track) = document(a, b);
            let sampler = Sampler::new(&document, &document.clips[0]);
            let (mut cursor, mut pose) = (Cursor::default(), Pose::default());
            for interpolation in Interpolation::ALL.into_iter().filter(|m| !m.is_by_matrix()) {
                for hemisphere in Hemisphere::ALL {
                    for threshold in [0.0, 0.5, 0.9995, 1.0] {
                        for step in 0..=16 {
                            let time = step as f32 / 16.0;
                            let modes = Modes {
                                interpolation,
                                hemisphere,
                                threshold,
                                ..Modes::default()
                            };
                            sampler.sample(time, &modes, &mut cursor, &mut pose);
                            let wanted = sample_rotation(&track, time, &modes);
                            let Local::Trs(got) = pose.local(0) else {
                                panic!("a rotation track makes no matrix");
                            };
                            let close = got.rotation.abs_diff_eq(wanted, 1e-6);
                            assert!(close, "{b} {modes:?} at {time}: {}, {wanted}", got.rotation);
                        }
                    }
                }
            }
        }
    }
}
