//! Stretches of time that something is said about: flips, and what was found.

use super::View;
use crate::{
    analysis::curves::{Curve, JointCurves},
    document::{FindingCode, Property, Severity},
    scene::PoseSource,
};

/// A stretch of time that something is said about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mark {
    pub from: f32,
    pub to: f32,
    pub severity: Severity,
    source: Source,
}

/// Who says it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Source {
    /// A finding, by its index in the session's list.
    Finding(usize),
    /// The signs of the keys, whatever the checks have found so far.
    Flip,
}

/// What is to be said about a joint's curve where the plot is, in the order of time.
pub(super) fn marks(view: &View<'_>, curves: &JointCurves, curve: Curve) -> Vec<Mark> {
    let property = curve.property();
    let (mut marks, mut known) = findings(view, curves, property);
    if property == Property::Rotation {
        known.sort_by(f32::total_cmp);
        let flips = curves.flips();
        let first = flips.partition_point(|flip| flip[1] < view.axis.from_secs);
        let last = flips.partition_point(|flip| flip[0] <= view.axis.to_secs);
        for &[from, to] in &flips[first..last.max(first)] {
            let near = known.partition_point(|&known| known < from - 1e-5);
            if known.get(near).is_some_and(|&known| known < from + 1e-5) {
                continue;
            }
            marks.push(Mark {
                from,
                to,
                severity: Severity::Warning,
                source: Source::Flip,
            });
        }
    }
    marks.sort_by(|a, b| a.from.total_cmp(&b.from));
    marks
}

/// The sentence of a mark.
pub(super) fn text(mark: &Mark, view: &View<'_>, curves: &mut JointCurves) -> String {
    match mark.source {
        Source::Finding(index) => {
            let finding = view.session.findings().get(index);
            finding.map_or_else(String::new, |finding| finding.message.clone())
        }
        Source::Flip => flip_text(curves, view, mark.from, mark.to),
    }
}

/// Marks of one severity that share a pixel as one.
pub(super) fn merged(marks: Vec<Mark>, pixel_secs: f32) -> Vec<Mark> {
    let mut merged: Vec<Mark> = Vec::new();
    for mark in marks {
        match merged.last_mut() {
            Some(last)
                if last.severity == mark.severity && mark.from <= last.to + pixel_secs
                    // Neighbours that can be told apart stay apart.
                    && (mark.to - mark.from < 4.0 * pixel_secs || mark.to <= last.to) =>
            {
                last.to = last.to.max(mark.to);
            }
            _ => merged.push(mark),
        }
    }
    merged
}

/// Marks of findings, and where the sign flips among them begin.
fn findings(view: &View<'_>, curves: &JointCurves, property: Property) -> (Vec<Mark>, Vec<f32>) {
    let (mut marks, mut flips) = (Vec::new(), Vec::new());
    let (PoseSource::Clip(clip), Some(&(joint, _))) = (view.character.source, view.joints.first())
    else {
        return (marks, flips);
    };
    let joints = &view.character.document.skeleton.joints;
    let node = joints.get(joint).map(|joint| joint.node);
    for (index, finding) in view.session.findings().iter().enumerate() {
        let is_here = finding.clip == Some(clip)
            && finding.node == node
            && finding.property.is_none_or(|of| of == property);
        let Some(from) = finding.time_secs.filter(|_| is_here) else {
            continue;
        };
        let to = finding.end_secs.or_else(|| {
            // Without an end of its own it is about the interval that the key begins.
            let times = curves.times(property)?;
            times.get(finding.key? + 1).copied()
        });
        let to = to.unwrap_or(from).max(from);
        if finding.code == FindingCode::RotationSignFlip {
            flips.push(from);
        }
        if is_seen(view, from, to) {
            marks.push(Mark {
                from,
                to,
                severity: finding.severity,
                source: Source::Finding(index),
            });
        }
    }
    (marks, flips)
}

fn is_seen(view: &View<'_>, from: f32, to: f32) -> bool {
    to >= view.axis.from_secs && from <= view.axis.to_secs
}

fn flip_text(curves: &mut JointCurves, view: &View<'_>, from: f32, to: f32) -> String {
    let mut arcs = Vec::new();
    let middle = from + (to - from) * 0.5;
    curves.value(Curve::AngleToPreviousKey, &view.reading, middle, &mut arcs);
    match arcs[..] {
        [short, stored] => {
            format!(
                "Sign flip: {short:.1}° on the short arc, {stored:.1}° between the keys as stored"
            )
        }
        _ => "Sign flip".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_share_a_pixel_are_drawn_once() {
        let mark = |from: f32, to: f32| Mark {
            from,
            to,
            severity: Severity::Warning,
            source: Source::Flip,
        };
        let crowd = (0..10_000).map(|k| mark(k as f32 * 1e-3, (k + 1) as f32 * 1e-3));
        let merged = merged(crowd.collect(), 0.01);
        assert_eq!(merged.len(), 1);
        assert!((merged[0].to - 10.0).abs() < 1e-4);
        let apart = vec![mark(0.0, 0.1), mark(0.1, 0.2), mark(0.5, 0.6)];
        assert_eq!(super::merged(apart.clone(), 0.001), apart);
    }
}
