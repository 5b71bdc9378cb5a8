//! Lines and keys that were worked out, kept until something they hang on changes: a
//! still frame samples nothing.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    sync::Arc,
};

use crate::{
    analysis::curves::{Curve, Dots, JointCurves, Reading, Resolution, Trace},
    anim::{Hemisphere, Interpolation},
    document::Document,
};

/// Width in pixels at which a whole clip is looked at for its extents.
const WHOLE_PIXELS: usize = 600;

/// What a curve is over its whole clip.
#[derive(Debug, Default)]
pub struct Whole {
    /// Keys as stored.
    pub dots: Dots,
    /// Per component the smallest and largest value of curve and keys; `None` where it
    /// has none.
    pub extents: Vec<Option<[f32; 2]>>,
}

/// Lines, keys and samplers of one clip.
#[derive(Debug, Default)]
pub struct Store {
    document: Option<Arc<Document>>,
    clip: Option<usize>,
    joints: HashMap<usize, JointCurves>,
    traces: HashMap<(WholeKey, [u32; 4]), Kept<Trace>>,
    wholes: HashMap<WholeKey, Kept<Whole>>,
    now: u64,
    /// Lines worked out so far, for tests.
    made: usize,
}

#[derive(Debug)]
struct Kept<T> {
    value: Arc<T>,
    used: u64,
}

/// What a curve hangs on, whatever part of it is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct WholeKey {
    joint: usize,
    curve: Curve,
    interpolation: Interpolation,
    hemisphere: Hemisphere,
    threshold: u32,
    continuous: bool,
}

impl WholeKey {
    fn new(joint: usize, curve: Curve, reading: &Reading) -> Self {
        Self {
            joint,
            curve,
            interpolation: reading.modes.interpolation,
            hemisphere: reading.modes.hemisphere,
            threshold: reading.modes.threshold.to_bits(),
            continuous: reading.continuous && curve.can_be_continuous(),
        }
    }
}

impl Store {
    /// Begins a frame: forgets what the last one did not use, and all of another clip.
    /// Gives the document that was open before, where it is another one now.
    pub fn begin(
        &mut self,
        document: &Arc<Document>,
        clip: Option<usize>,
    ) -> Option<Option<Arc<Document>>> {
        let same = self
            .document
            .as_ref()
            .is_some_and(|known| Arc::ptr_eq(known, document));
        if !same || self.clip != clip {
            self.joints.clear();
            self.traces.clear();
            self.wholes.clear();
        }
        self.clip = clip;
        // Two passes of one frame must not throw away each other's work.
        let oldest = self.now.saturating_sub(3);
        self.traces.retain(|_, kept| kept.used >= oldest);
        self.wholes.retain(|_, kept| kept.used >= oldest);
        self.now += 1;
        (!same).then(|| self.document.replace(document.clone()))
    }

    /// A joint of the clip; `None` without such a joint or clip.
    pub fn joint(&mut self, joint: usize) -> Option<&mut JointCurves> {
        let (document, clip) = (self.document.as_ref()?, self.clip?);
        match self.joints.entry(joint) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(free) => Some(free.insert(JointCurves::new(document, clip, joint)?)),
        }
    }

    /// A curve's keys and extents.
    pub fn whole(&mut self, joint: usize, curve: Curve, reading: &Reading) -> Arc<Whole> {
        let key = WholeKey::new(joint, curve, reading);
        if let Some(kept) = touch(&mut self.wholes, &key, self.now) {
            return kept;
        }
        let Some(curves) = self.joint(joint) else {
            return Arc::default();
        };
        let dots = curves.dots(curve, reading);
        let end = curves.duration_secs().max(1e-3);
        let resolution = Resolution {
            range: 0.0..end,
            pixels: WHOLE_PIXELS,
            tolerance: None,
        };
        let trace = curves.trace(curve, reading, &resolution);
        let width = curves.width(curve);
        let extents = (0..width).map(|component| {
            let keys = dots.values.iter().skip(component).step_by(width);
            let keys = keys.filter(|value| value.is_finite());
            keys.fold(trace.extent(component), |extent, &value| {
                let [low, high] = extent.unwrap_or([value; 2]);
                Some([low.min(value), high.max(value)])
            })
        });
        let extents = extents.collect();
        self.made += 1;
        keep(&mut self.wholes, key, Whole { dots, extents }, self.now)
    }

    /// A curve's lines over a range, `pixels` wide, within `tolerance` of the curve.
    pub fn trace(
        &mut self,
        joint: usize,
        curve: Curve,
        reading: &Reading,
        range: core::ops::Range<f32>,
        pixels: usize,
        tolerance: f32,
    ) -> Arc<Trace> {
        // By powers of two, so that a zoom does not make all lines anew at every step.
        let tolerance = tolerance.max(f32::MIN_POSITIVE).log2().floor().exp2();
        let view = [
            range.start.to_bits(),
            range.end.to_bits(),
            pixels as u32,
            tolerance.to_bits(),
        ];
        let key = (WholeKey::new(joint, curve, reading), view);
        if let Some(kept) = touch(&mut self.traces, &key, self.now) {
            return kept;
        }
        let Some(curves) = self.joint(joint) else {
            return Arc::default();
        };
        let resolution = Resolution {
            range,
            pixels,
            tolerance: Some(tolerance),
        };
        let trace = curves.trace(curve, reading, &resolution);
        self.made += 1;
        keep(&mut self.traces, key, trace, self.now)
    }
}

fn touch<K: Eq + Hash, T>(kept: &mut HashMap<K, Kept<T>>, key: &K, now: u64) -> Option<Arc<T>> {
    let kept = kept.get_mut(key)?;
    kept.used = now;
    Some(kept.value.clone())
}

fn keep<K: Eq + Hash, T>(kept: &mut HashMap<K, Kept<T>>, key: K, value: T, now: u64) -> Arc<T> {
    let value = Arc::new(value);
    let entry = Kept {
        value: value.clone(),
        used: now,
    };
    kept.insert(key, entry);
    value
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::document::{Clip, Joint, JointTracks, Keys, Track};

    fn document() -> Arc<Document> {
        let mut document = Document::default();
        document.skeleton.joints.push(Joint::default());
        document.clips.push(Clip {
            duration_secs: 1.0,
            joints: vec![JointTracks::Trs {
                joint: 0,
                translation: None,
                rotation: Some(Track {
                    times: [0.0, 1.0].into(),
                    keys: Keys::Linear(vec![Quat::IDENTITY, Quat::from_rotation_x(1.0)]),
                }),
                scale: None,
            }],
            ..Clip::default()
        });
        Arc::new(document)
    }

    #[test]
    fn a_still_frame_samples_nothing_and_a_change_does() {
        let document = document();
        let mut store = Store::default();
        let mut reading = Reading::default();
        let frame = |store: &mut Store, reading: &Reading, from: f32| {
            store.begin(&document, Some(0));
            store.whole(0, Curve::QuaternionStored, reading);
            store.trace(0, Curve::QuaternionStored, reading, from..1.0, 300, 0.01);
            store.made
        };
        let first = frame(&mut store, &reading, 0.0);
        for _ in 0..10 {
            assert_eq!(frame(&mut store, &reading, 0.0), first);
        }
        assert_eq!(frame(&mut store, &reading, 0.5), first + 1, "another range");
        reading.modes.interpolation = Interpolation::Nlerp;
        assert_eq!(frame(&mut store, &reading, 0.5), first + 3, "another mode");
        for from in 0..100 {
            frame(&mut store, &reading, from as f32 * 0.001);
        }
        assert!(store.traces.len() <= 5, "{} kept", store.traces.len());
        let other = self::document();
        assert!(store.begin(&other, Some(0)).is_some());
        assert!(store.traces.is_empty() && store.joints.is_empty());
        assert!(store.begin(&other, None).is_none());
        assert!(store.joint(0).is_none());
    }
}
