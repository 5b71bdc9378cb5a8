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
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Player {
    /// Seconds from the clip's start, in `0 ..= duration_secs`.
    pub time_secs: f32,
    /// Length of the clip; 0 for none.
    pub duration_secs: f32,
    /// Whether time runs.
    pub playing: bool,
    /// Factor on real time; negative plays backwards.
    pub speed: f32,
    /// At the ends.
    pub loop_policy: LoopPolicy,
    /// Where the clip starts when `start_at_first_key` is on.
    pub start_secs: f32,
    /// Ping-pong is on its way back.
    pub returning: bool,
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
        }
    }
}

impl Player {
    /// Moves the playhead by `dt_secs` of real time.
    pub fn advance(&mut self, dt_secs: f32) {
        let (start, end) = (self.start_secs, self.duration_secs);
        let length = end - start;
        if !self.playing || !(length > 0.0) || !dt_secs.is_finite() {
            return;
        }
        let direction = if self.returning { -1.0 } else { 1.0 };
        let time = self.time_secs + dt_secs * self.speed * direction;
        match self.loop_policy {
            LoopPolicy::Loop => self.time_secs = start + (time - start).rem_euclid(length),
            LoopPolicy::Once => {
                self.time_secs = time.clamp(start, end);
                if (time >= end && self.speed > 0.0) || (time <= start && self.speed < 0.0) {
                    self.playing = false;
                }
            }
            LoopPolicy::PingPong => {
                let phase = (time - start).rem_euclid(2.0 * length);
                let turned = ((time - start) / length).floor() as i64 % 2 != 0;
                self.time_secs = start
                    + if phase > length {
                        2.0 * length - phase
                    } else {
                        phase
                    };
                if turned {
                    self.returning = !self.returning;
                }
            }
        }
    }

    /// Jumps to a time, clamped to the clip.
    pub fn seek(&mut self, time_secs: f32) {
        if time_secs.is_finite() {
            self.time_secs = time_secs.clamp(0.0, self.duration_secs.max(0.0));
        }
    }
}
