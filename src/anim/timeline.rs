//! Where a time falls among keys.

/// A place between two neighbouring keys, or on a single one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Span {
    /// The key at or before the time; the first key before all keys.
    pub from: usize,
    /// The key after it; equal to `from` where a key holds.
    pub to: usize,
    /// 0 at `from`, below 1 at `to`.
    pub u: f32,
    /// Key spacing in seconds; 0 where a key holds.
    pub secs: f32,
}

impl Span {
    fn hold(key: usize) -> Self {
        Self {
            from: key,
            to: key,
            u: 0.0,
            secs: 0.0,
        }
    }

    fn between(times: &[f32], from: usize, time_secs: f32) -> Self {
        let secs = times[from + 1] - times[from];
        Self {
            from,
            to: from + 1,
            u: (time_secs - times[from]) / secs,
            secs,
        }
    }

    /// By binary search. The first key holds before it (and at NaN), the last after
    /// it. `times` must be strictly increasing and not empty.
    pub fn find(times: &[f32], time_secs: f32) -> Self {
        let after = times.partition_point(|&t| t <= time_secs);
        if after == 0 {
            Self::hold(0)
        } else if after == times.len() {
            Self::hold(times.len() - 1)
        } else {
            Self::between(times, after - 1, time_secs)
        }
    }

    /// Like [`Self::find`], trying the keys around a previous place first. The guess
    /// only ever costs time: any number gives the same result.
    #[inline]
    pub fn find_near(times: &[f32], guess: usize, time_secs: f32) -> Self {
        let around = |from: usize| match times.get(from..from + 2) {
            Some(&[start, end]) => start <= time_secs && time_secs < end,
            _ => false,
        };
        // Playing forward, a step stays in its interval or enters the next.
        for from in [guess, guess.wrapping_add(1)] {
            if from < times.len() && around(from) {
                return Self::between(times, from, time_secs);
            }
        }
        Self::find(times, time_secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_hold_and_the_inside_is_found() {
        let times = [0.5, 1.0, 3.0];
        for (time, from, to, u) in [
            (f32::NAN, 0, 0, 0.0),
            (f32::NEG_INFINITY, 0, 0, 0.0),
            (0.4, 0, 0, 0.0),
            (0.5, 0, 1, 0.0),
            (0.75, 0, 1, 0.5),
            (1.0, 1, 2, 0.0),
            (2.5, 1, 2, 0.75),
            (3.0, 2, 2, 0.0),
            (f32::INFINITY, 2, 2, 0.0),
        ] {
            let span = Span::find(&times, time);
            assert_eq!((span.from, span.to, span.u), (from, to, u), "at {time}");
            for guess in [0, 1, 2, 3, 100, usize::MAX] {
                assert_eq!(
                    Span::find_near(&times, guess, time),
                    span,
                    "{guess} at {time}"
                );
            }
        }
        assert_eq!(Span::find(&[2.0], 2.0), Span::hold(0));
    }

    #[test]
    fn u_stays_below_one_just_before_a_key() {
        for next in [1.0_f32, 0.1, 1e-30, 1e30, 1.0 / 3.0] {
            let span = Span::find(&[0.0, next], next.next_down());
            assert!(span.u < 1.0 && span.to == 1);
        }
    }
}
