//! The playhead: a state machine without maths on poses.

/// What happens at the ends of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum LoopPolicy {
    /// Stops at the end.
    Once,
    /// Starts over.
    #[default]
    Loop,
    /// Turns round.
    PingPong,
}

impl LoopPolicy {
    /// Every policy, in menu order.
    pub const ALL: [Self; 3] = [Self::Loop, Self::Once, Self::PingPong];

    /// The name in menus.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Loop => "loop",
            Self::PingPong => "ping-pong",
        }
    }
}

/// Time within a clip, and how it moves.
///
/// The range played is `start_secs ..= duration_secs`. Where that is empty or a
/// single instant the playhead rests at `start_secs`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Player {
    /// Seconds on the clip's own clock, within the range played.
    pub time_secs: f32,
    /// Time of the clip's last key; 0 for none.
    pub duration_secs: f32,
    /// Whether time runs.
    pub playing: bool,
    /// Factor on real time; negative plays backwards.
    pub speed: f32,
    /// At the ends.
    pub loop_policy: LoopPolicy,
    /// Where the range begins: 0, or the clip's first key for those who want its
    /// idle lead-in skipped.
    pub start_secs: f32,
    /// Ping-pong is on its way back: it runs against the sign of `speed`.
    pub returning: bool,
    /// What rounding took off `time_secs`, so that slow motion does not drift.
    pub carry_secs: f32,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            time_secs: 0.0,
            duration_secs: 0.0,
            playing: true,
            speed: 1.0,
            loop_policy: LoopPolicy::Loop,
            start_secs: 0.0,
            returning: false,
            carry_secs: 0.0,
        }
    }
}

impl Player {
    /// Moves the playhead by `dt_secs` of real time. A step may be of any size and
    /// sign, and lands where many small ones would; a step or speed that is not
    /// finite moves nothing.
    pub fn advance(&mut self, dt_secs: f32) {
        let step = f64::from(dt_secs) * f64::from(self.speed);
        if !self.playing || !step.is_finite() {
            return;
        }
        let (start, end) = (f64::from(self.start_secs), f64::from(self.duration_secs));
        let length = end - start;
        if !(length > 0.0 && length.is_finite()) {
            self.set_time(start);
            // Nothing will ever move: "once" is over.
            self.playing = self.loop_policy != LoopPolicy::Once;
            return;
        }
        // Clamped because whoever sets `time_secs` may leave an older time's carry.
        let time = f64::from(self.time_secs) + f64::from(self.carry_secs);
        let since_start = (time - start).clamp(0.0, length);
        match self.loop_policy {
            LoopPolicy::Loop => {
                self.set_time(start + wrap(since_start + step, length));
            }
            LoopPolicy::Once => {
                let since_start = since_start + step;
                self.set_time(start + since_start.clamp(0.0, length));
                if (since_start >= length && step > 0.0) || (since_start <= 0.0 && step < 0.0) {
                    self.playing = false;
                }
            }
            LoopPolicy::PingPong => {
                // There and back is one loop of twice the length.
                let phase = if self.returning {
                    2.0 * length - since_start
                } else {
                    since_start
                };
                let phase = wrap(phase + step, 2.0 * length);
                self.returning = phase > length;
                self.set_time(start + phase.min(2.0 * length - phase));
            }
        }
    }

    /// Jumps to a time, clamped to the range played; one that is no number is ignored.
    pub fn seek(&mut self, time_secs: f32) {
        if !time_secs.is_nan() {
            let end = self.duration_secs.max(self.start_secs);
            self.time_secs = time_secs.max(self.start_secs).min(end);
            self.carry_secs = 0.0;
        }
    }

    /// Lets time run; a clip played once and over starts again from its other end.
    pub fn play(&mut self) {
        self.playing = true;
        if self.loop_policy == LoopPolicy::Once {
            if self.speed >= 0.0 && self.time_secs >= self.duration_secs {
                self.seek(self.start_secs);
            } else if self.speed < 0.0 && self.time_secs <= self.start_secs {
                self.seek(self.duration_secs);
            }
        }
    }

    /// Changes the range played, keeping the playhead inside it.
    pub fn set_range(&mut self, start_secs: f32, end_secs: f32) {
        self.start_secs = start_secs;
        self.duration_secs = end_secs;
        self.seek(self.time_secs);
    }

    fn set_time(&mut self, time_secs: f64) {
        self.time_secs = time_secs as f32;
        self.carry_secs = (time_secs - f64::from(self.time_secs)) as f32;
    }
}

/// The remainder in `0 ≤ r < length`; rounding alone would give `length` itself for
/// the smallest negative numbers.
fn wrap(secs: f64, length: f64) -> f64 {
    let rest = secs.rem_euclid(length);
    if rest < length { rest } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(loop_policy: LoopPolicy, start_secs: f32, duration_secs: f32) -> Player {
        Player {
            loop_policy,
            start_secs,
            duration_secs,
            time_secs: start_secs,
            ..Player::default()
        }
    }

    /// Times after each of these steps.
    fn times(player: &mut Player, steps: &[f32]) -> Vec<f32> {
        let visit = |&step: &f32| {
            player.advance(step);
            player.time_secs
        };
        steps.iter().map(visit).collect()
    }

    #[test]
    fn a_loop_wraps_at_its_end_and_backwards_at_its_start() {
        let mut p = player(LoopPolicy::Loop, 0.0, 2.0);
        assert_eq!(
            times(&mut p, &[0.5, 1.0, 0.5, 0.5, 4.0]),
            [0.5, 1.5, 0.0, 0.5, 0.5]
        );
        p.speed = -1.0;
        assert_eq!(times(&mut p, &[0.25, 0.5, 0.25]), [0.25, 1.75, 1.5]);
        p.speed = 2.0;
        assert_eq!(times(&mut p, &[0.5]), [0.5]);
    }

    #[test]
    fn a_loop_that_starts_at_its_first_key_never_shows_the_lead_in() {
        let mut p = player(LoopPolicy::Loop, 1.0, 3.0);
        assert_eq!(times(&mut p, &[1.5, 1.0, 1.5]), [2.5, 1.5, 1.0]);
        p.speed = -1.0;
        assert_eq!(times(&mut p, &[0.5]), [2.5]);
        p.seek(0.2);
        assert_eq!(p.time_secs, 1.0);
        p.set_range(0.0, 3.0);
        p.seek(0.2);
        assert_eq!(p.time_secs, 0.2);
        p.set_range(1.0, 3.0);
        assert_eq!(p.time_secs, 1.0);
    }

    #[test]
    fn once_stops_at_the_end_it_runs_to() {
        let mut p = player(LoopPolicy::Once, 0.0, 2.0);
        assert_eq!(times(&mut p, &[1.5, 1.5]), [1.5, 2.0]);
        assert!(!p.playing);
        assert_eq!(times(&mut p, &[1.0]), [2.0]);
        p.play();
        assert_eq!((p.time_secs, p.playing), (0.0, true));
        p.speed = -1.0;
        assert_eq!(times(&mut p, &[0.5]), [0.0]);
        assert!(!p.playing);
        p.play();
        assert_eq!((p.time_secs, p.playing), (2.0, true));
        // Standing still at an end is not running into it.
        p.speed = 0.0;
        p.advance(1.0);
        assert!(p.playing);
    }

    #[test]
    fn ping_pong_turns_at_both_ends() {
        let mut p = player(LoopPolicy::PingPong, 1.0, 3.0);
        let steps = [1.5, 1.0, 1.0, 0.75, 1.0];
        assert_eq!(times(&mut p, &steps), [2.5, 2.5, 1.5, 1.25, 2.25]);
        assert!(!p.returning);
        // Backwards from here: down to the start, then up again.
        p.speed = -1.0;
        assert_eq!(times(&mut p, &[1.0, 0.5, 1.0]), [1.25, 1.25, 2.25]);
        assert!(p.returning);
        // There and back, however often, changes nothing.
        assert_eq!(times(&mut p, &[4.0, 400.0]), [2.25, 2.25]);
    }

    #[test]
    fn a_clip_without_length_rests_at_its_start() {
        for policy in LoopPolicy::ALL {
            for (start, end) in [(0.0, 0.0), (1.5, 1.5), (2.0, 1.0)] {
                let mut p = player(policy, start, end);
                assert_eq!(times(&mut p, &[0.1, -5.0, 1e30]), [start; 3]);
                p.seek(0.5);
                assert_eq!(p.time_secs, start);
                assert_eq!(p.playing, policy != LoopPolicy::Once);
            }
        }
    }

    #[test]
    fn tiny_steps_add_up() {
        // A millionth of a second at a time, where a float's own step is ten times that.
        let mut p = player(LoopPolicy::Loop, 0.0, 200.0);
        p.seek(100.0);
        for _ in 0..100_000 {
            p.advance(1e-6);
        }
        assert!((p.time_secs - 100.1).abs() < 1e-4, "{}", p.time_secs);
    }

    #[test]
    fn a_stale_carry_does_not_jump_the_seam() {
        for policy in LoopPolicy::ALL {
            let mut p = player(policy, 0.0, 2.0);
            p.carry_secs = -1e-6;
            p.advance(0.0);
            assert_eq!(p.time_secs, 0.0);
        }
    }

    #[test]
    fn huge_and_broken_steps_stay_in_range() {
        for policy in LoopPolicy::ALL {
            for speed in [
                1.0,
                -2.0,
                f32::MAX,
                f32::MIN_POSITIVE,
                f32::NAN,
                f32::INFINITY,
            ] {
                let mut p = player(policy, 0.25, 1.75);
                p.speed = speed;
                for step in [1e30, -1e30, f32::MAX, -1e-30, f32::NAN, f32::INFINITY, 1e-9] {
                    p.playing = true;
                    p.advance(step);
                    assert!(
                        (0.25..=1.75).contains(&p.time_secs),
                        "{policy:?} {speed} {step}"
                    );
                    assert!(p.carry_secs.is_finite());
                }
            }
        }
    }

    #[test]
    fn a_paused_player_stands_still() {
        let mut p = player(LoopPolicy::Loop, 0.0, 2.0);
        p.seek(0.7);
        p.playing = false;
        assert_eq!(times(&mut p, &[0.5, 1.0]), [0.7, 0.7]);
        p.seek(f32::NAN);
        p.seek(f32::INFINITY);
        assert_eq!(p.time_secs, 2.0);
    }
}
