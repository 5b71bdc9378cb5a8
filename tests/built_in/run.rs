//! The run against the animator's rules.

use crate::film::{Film, SIDES, Shot, clip, peak, range};

#[test]
fn a_step_takes_four_drawings_and_leaves_the_ground() {
    let film = Film::of("Run");
    let (_, clip) = clip("Run");
    assert!((clip.duration_secs - 8.0 / 24.0).abs() < 1e-4);
    for flight in [3.0, 7.0] {
        let feet = [0, 1].map(|foot| film.at(flight).sole_height(foot));
        assert!(
            feet.iter().all(|&height| height > 0.08),
            "at {flight}: {feet:?} m"
        );
    }
    for (foot, landing) in [(0, 0.0), (1, 4.0)] {
        let heights = [7.0, 0.0, 1.0, 2.0, 3.0].map(|k| film.at(landing + k).sole_height(foot));
        assert!(
            heights[0] > 0.1 && heights[4] > 0.1,
            "in the air around it: {heights:?}"
        );
        assert!(
            heights[1..4].iter().all(|height| height.abs() < 0.008),
            "down for three: {heights:?}"
        );
    }
}

#[test]
fn it_covers_more_ground_and_rises_more_than_the_walk() {
    let (run, walk) = (Film::of("Run"), Film::of("Walk"));
    let stride = |film: &Film| film.speed * (film.shots.len() - 1) as f32 * 0.5;
    assert!(
        stride(&run) > 1.2 * stride(&walk),
        "{} m a cycle",
        stride(&run)
    );
    let rise = |film: &Film| range(film.shots.iter().map(|shot| shot.place("Hips").y));
    assert!(rise(&run) > 2.5 * rise(&walk), "{} m", rise(&run));
    // Lowest on the bent knee, highest in the air.
    let hips = |drawing: f32| run.at(drawing).place("Hips").y;
    assert!(hips(1.0) < hips(0.0) && hips(1.0) < hips(2.0) && hips(3.0) > hips(2.0));
}

#[test]
fn planted_feet_hold_at_every_drawing() {
    let film = Film::of("Run");
    let (slide, bearing) = film.slide(2, 0.008);
    assert!(slide < 2.0, "{slide} mm per drawing");
    assert!(
        bearing.iter().all(|share| (share - 0.25).abs() < 0.01),
        "{bearing:?}"
    );
    // Between drawings a limb of straight-line keys bulges outwards: of 230 mm of ground
    // in a drawing, the ball of the foot strays by less than 9.
    let (between, _) = film.slide(1, 0.008);
    assert!(between * 0.5 < 9.0, "{} mm", between * 0.5);
    let lowest = film.lowest_mm();
    assert!(lowest > -6.5, "{lowest} mm");
    let at_drawings = film
        .drawings()
        .flat_map(|shot| [shot.sole_height(0), shot.sole_height(1)]);
    assert!(at_drawings.fold(f32::INFINITY, f32::min) > -0.003);
}

#[test]
fn it_lands_on_the_ball_and_the_knee_gives() {
    let film = Film::of("Run");
    for (foot, landing, side) in [(0, 0.0, 'L'), (1, 4.0, 'R')] {
        let shot = film.at(landing);
        let ankle = shot.place(&format!("Foot.{side}"));
        let lowest = shot.soles[foot].iter().min_by(|a, b| a.y.total_cmp(&b.y));
        assert!(
            lowest.is_some_and(|point| point.z > ankle.z + 0.05),
            "lands on {lowest:?}"
        );
        let [at, after, push] = [0.0, 1.0, 2.0].map(|k| film.at(landing + k).knee(side));
        assert!(
            at > 150.0 && after < at - 15.0,
            "the knee gives from {at} to {after}"
        );
        assert!(push > 150.0, "the leg pushes off bent: {push}");
        for shot in &film.shots {
            assert!(shot.knee(side) < 178.5, "over-extended at {}", shot.drawing);
        }
    }
    let (speed, change) = film.knee_jerk();
    assert!(speed < 50.0, "{speed} degrees per drawing");
    assert!(change < 70.0, "{change} degrees per drawing, per drawing");
}

#[test]
fn it_leans_forwards_with_bent_arms_that_swing_harder() {
    let (run, walk) = (Film::of("Run"), Film::of("Walk"));
    assert!(run.shots.iter().all(|shot| shot.lean("Spine4") > 8.0));
    for side in SIDES {
        let elbow = |shot: &Shot| shot.elbow(side);
        assert!(
            run.shots
                .iter()
                .map(elbow)
                .all(|angle| (60.0..120.0).contains(&angle))
        );
        let swing = |film: &Film| {
            let (arm, end) = (format!("UpperArm.{side}"), format!("LowerArm.{side}"));
            peak(film, |shot| shot.place(&end).z - shot.place(&arm).z)
        };
        let ((arm_at, run_swing), (_, walk_swing)) = (swing(&run), swing(&walk));
        assert!(
            run_swing > 1.4 * walk_swing,
            "{run_swing} m against {walk_swing} m"
        );
        let (leg_at, _) = peak(&run, |shot| shot.place(&format!("LowerLeg.{side}")).z);
        let apart = (arm_at - leg_at).rem_euclid(8.0);
        assert!(
            (2.5..5.5).contains(&apart),
            "arm {side} follows its leg by {apart} of 8"
        );
    }
    let (hips_at, _) = peak(&run, |shot| shot.yaw("Hips"));
    let (chest_at, _) = peak(&run, |shot| shot.yaw("Spine4"));
    let apart = (chest_at - hips_at).rem_euclid(8.0);
    assert!(
        (3.0..5.0).contains(&apart),
        "the shoulders follow the hips by {apart} of 8"
    );
    let bob = |shot: &Shot| shot.up("Head");
    assert!(range(run.shots.iter().map(bob)) < 4.0, "the head nods");
}
