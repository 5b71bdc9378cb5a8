//! Clips that begin in the idle stance.

use glam::{Mat4, Vec3};

use crate::film::{FPS, Film, SIDES, Shot, clip, document, range};

#[test]
fn planted_feet_stay_where_they_are() {
    for name in ["Idle", "Wave", "Look around", "Sit down", "Broken elbow"] {
        let film = Film::of(name);
        let (slide, bearing) = film.slide(1, 0.002);
        assert!(slide < 0.5, "{name}: {slide} mm per drawing");
        assert!(
            bearing.iter().all(|&share| share > 0.999),
            "{name}: {bearing:?}"
        );
        // Nor do they creep: the whole way is short, too.
        let foot = |side: char| {
            film.shots
                .iter()
                .map(move |shot| shot.place(&format!("Foot.{side}")))
        };
        for side in SIDES {
            let creep =
                range(foot(side).map(|place| place.x)) + range(foot(side).map(|place| place.z));
            assert!(creep < 0.003, "{name}: foot {side} creeps {creep} m");
        }
        assert!(film.lowest_mm() > -1.0, "{name}: {} mm", film.lowest_mm());
        let (speed, change) = film.knee_jerk();
        assert!(
            speed < 6.0 && change < 2.0,
            "{name}: knees {speed}, {change}"
        );
    }
}

#[test]
fn all_begin_in_the_idle_stance() {
    let idle = Film::of("Idle");
    for name in ["Turn", "Wave", "Look around", "Sit down", "Broken elbow"] {
        let film = Film::of(name);
        for (joint, (a, b)) in idle.shots[0]
            .worlds
            .iter()
            .zip(&film.shots[0].worlds)
            .enumerate()
        {
            let label = document().skeleton.joints[joint].label();
            let far = (a.w_axis - b.w_axis).length();
            assert!(far < 0.005, "{name}: {label} is {far} m from the stance");
        }
    }
}

#[test]
fn the_idle_breathes_blinks_and_shifts_its_weight() {
    let film = Film::of("Idle");
    let (_, clip) = clip("Idle");
    assert!((6.0..=8.0).contains(&clip.duration_secs));
    let sway = range(film.shots.iter().map(|shot| shot.place("Hips").x));
    assert!((0.04..0.12).contains(&sway), "weight shift {sway} m");
    // The leg with less to bear is the one that bends.
    for shot in &film.shots {
        let (left, bent) = (shot.place("Hips").x, shot.knee('L') - shot.knee('R'));
        if left.abs() > 0.03 {
            assert!(left * bent > 0.0, "at {}: {left} m, {bent}", shot.drawing);
        }
    }
    let fingers = range(
        film.shots
            .iter()
            .map(|shot| shot.angle("Index1.R", "Index2.R", "Index3.R")),
    );
    assert!(fingers > 3.0, "fingers move by {fingers}");
    let weights = &clip.morphs[0];
    let names = &document().meshes[0].morph_names;
    for (target, name) in names.iter().enumerate() {
        let values = || {
            weights
                .weights
                .keys
                .values()
                .iter()
                .skip(target)
                .step_by(weights.target_count)
        };
        let (low, high) = (
            values().copied().fold(1.0, f32::min),
            values().copied().fold(0.0, f32::max),
        );
        if name == "Breath" || name == "EyesClosed" {
            assert!(low < 0.05 && high > 0.9, "{name} goes from {low} to {high}");
        }
    }
    assert!(names.iter().any(|name| name == "Breath"));
}

#[test]
fn the_turn_steps_round_to_the_idle_stance_facing_back() {
    let film = Film::of("Turn");
    let (first, last) = (&film.shots[0], &film.shots[film.shots.len() - 1]);
    let back = Mat4::from_rotation_y(std::f32::consts::PI);
    for (joint, (a, b)) in first.worlds.iter().zip(&last.worlds).enumerate() {
        let label = document().skeleton.joints[joint].label();
        let far = ((back * *a).w_axis - b.w_axis).length();
        assert!(far < 0.006, "{label} ends {far} m off");
    }
    let (slide, bearing) = film.slide(1, 0.002);
    assert!(slide < 2.0, "{slide} mm per drawing");
    assert!(
        bearing.iter().all(|share| (0.5..0.8).contains(share)),
        "{bearing:?}"
    );
    assert!(film.lowest_mm() > -3.0, "{} mm", film.lowest_mm());
    // Never both in the air; each foot steps twice, and clears the ground.
    for shot in &film.shots {
        let feet = [shot.sole_height(0), shot.sole_height(1)];
        assert!(
            feet[0].min(feet[1]) < 0.004,
            "jumps at {}: {feet:?}",
            shot.drawing
        );
    }
    for foot in [0, 1] {
        let up = film.shots.iter().map(|shot| shot.sole_height(foot) > 0.012);
        let lifts = up.clone().zip(up.skip(1)).filter(|&(a, b)| !a && b).count();
        assert_eq!(lifts, 2, "foot {foot}");
    }
    // To the left by half a turn, the head ahead of the shoulders ahead of the hips.
    let passes = |name: &str, yaw: f32| {
        let by = |shot: &&Shot| unwrapped(shot.yaw(name)) > yaw;
        film.shots
            .iter()
            .find(by)
            .map_or(f32::INFINITY, |shot| shot.drawing)
    };
    let [head, chest, hips] = ["Head", "Spine4", "Hips"].map(|name| passes(name, 45.0));
    assert!(
        head + 2.0 < chest && chest < hips,
        "{head}, {chest}, {hips}"
    );
    let (speed, change) = film.knee_jerk();
    assert!(speed < 25.0 && change < 20.0, "knees {speed}, {change}");
}

/// From −180…180 to −90…270: a turn to the left only grows.
fn unwrapped(yaw: f32) -> f32 {
    if yaw < -90.0 { yaw + 360.0 } else { yaw }
}

#[test]
fn the_wave_has_anticipation_overlap_and_a_smile() {
    let film = Film::of("Wave");
    let hand = |shot: &Shot| shot.place("Hand.R");
    let lift = film
        .shots
        .iter()
        .find(|shot| hand(shot).y > hand(&film.shots[0]).y + 0.10);
    let lift = lift.map_or(0.0, |shot| shot.drawing);
    // Before it goes up the body sinks and the arm goes back.
    let before = || film.shots.iter().filter(|shot| shot.drawing < lift);
    let dip = range(before().map(|shot| shot.place("Hips").y));
    assert!(dip > 0.005, "no anticipation: {dip} m");
    let back = before()
        .map(|shot| hand(shot).z)
        .fold(f32::INFINITY, f32::min);
    assert!(
        back < hand(&film.shots[0]).z - 0.02,
        "the arm goes back to {back}"
    );
    let highest = film
        .shots
        .iter()
        .map(|shot| hand(shot).y - shot.place("Head").y);
    assert!(
        highest.fold(f32::NEG_INFINITY, f32::max) > 0.0,
        "the hand is above the chin"
    );
    // Three wags or more, the hand behind the forearm.
    let forearm = |shot: &Shot| (hand(shot) - shot.place("LowerArm.R")).x;
    let fingers = |shot: &Shot| (shot.place("Middle2.R") - hand(shot)).x;
    let turns = |measure: &dyn Fn(&Shot) -> f32| {
        let values: Vec<f32> = film.drawings().map(measure).collect();
        let at = |k: &usize| (values[*k] - values[k - 1]) * (values[k + 1] - values[*k]) < 0.0;
        (26..64).filter(at).collect::<Vec<usize>>()
    };
    let (arm, hand_late) = (turns(&forearm), turns(&fingers));
    assert!(arm.len() >= 5, "forearm turns at {arm:?}");
    for turn in &arm {
        let next = hand_late.iter().find(|late| *late >= turn);
        assert!(
            next.is_none_or(|late| late - turn <= 4),
            "hand turns at {hand_late:?}, arm at {arm:?}"
        );
    }
    assert_ne!(arm, hand_late, "hand and forearm turn together");
}

#[test]
fn the_head_leads_when_it_looks_around() {
    let film = Film::of("Look around");
    let first = |name: &str, share: f32| {
        let most = film
            .shots
            .iter()
            .take(96)
            .map(|shot| shot.yaw(name))
            .fold(0.0, f32::max);
        let there = film.shots.iter().find(|shot| shot.yaw(name) > share * most);
        there.map_or(f32::INFINITY, |shot| shot.drawing)
    };
    assert!(
        first("Head", 0.5) + 1.0 < first("Spine4", 0.5),
        "shoulders follow the head"
    );
    let yaws = || film.shots.iter().map(|shot| shot.yaw("Head"));
    let (left, right) = (yaws().fold(0.0, f32::max), yaws().fold(0.0, f32::min));
    assert!(left > 45.0 && right < -45.0, "from {left} to {right}");
}

#[test]
fn it_sits_on_a_stool_of_sensible_height() {
    let film = Film::of("Sit down");
    let last = &film.shots[film.shots.len() - 1];
    let hip = last.place("UpperLeg.L");
    assert!((0.45..0.60).contains(&hip.y), "hip joint at {} m", hip.y);
    for side in SIDES {
        let knee = last.knee(side);
        assert!((80.0..110.0).contains(&knee), "knee {side} at {knee}");
        // Each hand lies on its thigh.
        let [hip, knee, hand] =
            ["UpperLeg", "LowerLeg", "Hand"].map(|n| last.place(&format!("{n}.{side}")));
        let along = (hand - hip).dot((knee - hip).normalize());
        let off = (hand - hip - (knee - hip).normalize() * along).length();
        assert!(
            (0.06..0.13).contains(&off),
            "hand {side} is {off} m from the thigh's bone"
        );
    }
    // Forwards first: the head stays over the feet until the stool takes the weight.
    let feet = last.place("Foot.L").z;
    let lean = film
        .shots
        .iter()
        .map(|shot| shot.lean("Spine4"))
        .fold(0.0, f32::max);
    assert!(lean > 30.0, "leans by {lean}");
    for shot in film.shots.iter().filter(|shot| shot.place("Hips").y > 0.62) {
        let head = shot.place("Head").z;
        assert!(head > feet - 0.12, "falls back at {}: {head}", shot.drawing);
    }
    // Settles: the last quarter of a second is nearly still.
    let late = &film.shots[film.shots.len() - 1 - (FPS * 0.5) as usize];
    let still = late.place("Head").distance(last.place("Head"));
    assert!(still < 0.01 && last.up("Head").abs() < 12.0, "{still} m");
    assert!(last.place("Hips").distance(Vec3::ZERO) > 0.3);
}
