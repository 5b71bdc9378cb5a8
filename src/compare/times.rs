//! The moments at which two clips are compared.

use super::{Options, durations};
use crate::scene::Character;

/// Nobody waits for more steps of a rate, nor for more keys.
const MOST: usize = 100_000;
/// Closer together is the same moment, seconds.
const SAME: f32 = 1e-4;

/// The moments at which two clips are compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Times {
    /// In order; at least one.
    pub secs: Vec<f32>,
    /// What was thinned because there is too much of it, a sentence each.
    pub left_out: Vec<String>,
}

/// In steps of the rate over the part that both clips have, with all key times and the
/// middles between them. Of more than 100 000 steps, or key times, every so many-th is
/// taken, over the whole range.
pub fn times(a: &Character, b: &Character, options: &Options) -> Times {
    let common = durations(a, b).into_iter().flatten().reduce(f32::min);
    let [from, to] = options.range_secs;
    let from = from.unwrap_or(0.0);
    let to = to.or(common).unwrap_or(0.0).max(from);
    let mut left_out = Vec::new();
    let span = f64::from(to) - f64::from(from);
    let mut rate = f64::from(options.rate_hz.max(1e-3));
    if span * rate > MOST as f64 {
        rate = MOST as f64 / span;
        left_out.push(format!(
            "the range is long: {rate:.3} moments a second are compared, not {}",
            options.rate_hz
        ));
    }
    let steps = (span * rate).floor() as usize;
    let mut secs: Vec<f32> = (0..=steps)
        .map(|step| ((f64::from(from) + step as f64 / rate) as f32).min(to))
        .collect();
    let keys = thinned(key_times(a, b, from, to), &mut left_out);
    secs.extend(keys.windows(2).map(|pair| (pair[0] + pair[1]) * 0.5));
    secs.extend(keys);
    secs.sort_unstable_by(f32::total_cmp);
    secs.dedup_by(|next, kept| *next - *kept < SAME);
    if let Some(last) = secs.last_mut() {
        *last = to;
    }
    Times { secs, left_out }
}

/// All key times of both within a range, and the range's end.
fn key_times(a: &Character, b: &Character, from: f32, to: f32) -> Vec<f32> {
    let clips = [a, b].into_iter().filter_map(Character::clip);
    let mut keys: Vec<f32> = clips
        .flat_map(|clip| clip.times().flat_map(|times| times.iter().copied()))
        .filter(|time| (from..=to).contains(time))
        .collect();
    keys.push(to);
    keys.sort_unstable_by(f32::total_cmp);
    keys.dedup();
    keys
}

fn thinned(keys: Vec<f32>, left_out: &mut Vec<String>) -> Vec<f32> {
    let every = keys.len().div_ceil(MOST).max(1);
    if every == 1 {
        return keys;
    }
    left_out.push(format!(
        "there are {} key times: one in {every} is compared",
        keys.len()
    ));
    keys.into_iter().step_by(every).collect()
}
