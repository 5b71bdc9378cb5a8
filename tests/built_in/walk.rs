//! The walk against the animator's rules.

use glam::Vec3;

use crate::film::{Film, SIDES, Shot, clip, peak, range};

/// Contact at 0 (left heel) and 9 (right heel), passing half-way between.
const STEP: f32 = 9.0;
/// Half-way, as near as half drawings come to it.
const PASSING: f32 = 4.5;

fn hips(shot: &Shot) -> f32 {
    shot.place("Hips").y
}

#[test]
fn a_step_takes_nine_drawings() {
    let film = Film::of("Walk");
    let (_, clip) = clip("Walk");
    assert!((clip.duration_secs - 0.75).abs() < 1e-4);
    for (foot, contact) in [(0, 0.0), (1, STEP)] {
        let before = film.at(contact + 17.0).sole_height(foot);
        let at = film.at(contact).sole_height(foot);
        assert!(
            before > 0.004,
            "foot {foot} is down a drawing early: {before} m"
        );
        assert!(at < 0.002, "foot {foot} is not down at contact: {at} m");
    }
    // Fast enough to be brisk, slow enough to have a foot on the ground at all times.
    let (speed, (_, bearing)) = (film.speed * 24.0, film.slide(1, 0.002));
    assert!((1.5..1.95).contains(&speed), "{speed} m/s");
    assert!(
        bearing.iter().all(|share| (0.55..0.66).contains(share)),
        "{bearing:?}"
    );
}

#[test]
fn no_foot_slides_sinks_or_overreaches() {
    let film = Film::of("Walk");
    let (slide, _) = film.slide(1, 0.002);
    assert!(slide < 2.0, "{slide} mm per drawing");
    let lowest = film.lowest_mm();
    assert!(lowest > -2.0, "{lowest} mm");
    for shot in &film.shots {
        let straightest = SIDES
            .map(|side| shot.knee(side))
            .into_iter()
            .fold(0.0, f32::max);
        assert!(
            straightest < 178.5,
            "over-extended at {}: {straightest}",
            shot.drawing
        );
    }
}

#[test]
fn the_passing_pose_is_straight_and_highest_and_contact_lowest() {
    let film = Film::of("Walk");
    for (contact, support) in [(0.0, 'L'), (STEP, 'R')] {
        let passing = film.at(contact + PASSING);
        // The free foot passes the one that stands.
        let [l, r] = ["Foot.L", "Foot.R"].map(|name| passing.place(name).z);
        assert!(
            (l - r).abs() < 0.10,
            "at passing the feet are {} m apart",
            l - r
        );
        for drawing in [4.0, 4.5, 5.0] {
            let knee = film.at(contact + drawing).knee(support);
            assert!(
                knee > 170.0,
                "the supporting knee {support} is bent to {knee} at {drawing}"
            );
        }
        let step = || (0..=18).map(|k| film.at(contact + k as f32 * 0.5));
        let lowest = step().map(hips).fold(f32::INFINITY, f32::min);
        let highest = step().map(hips).fold(0.0, f32::max);
        assert!(
            hips(film.at(contact)) - lowest < 5e-4,
            "contact is not lowest"
        );
        assert!(highest - hips(passing) < 1e-3, "passing is not highest");
        let rise = highest - lowest;
        assert!((0.018..0.045).contains(&rise), "the hips rise by {rise} m");
        // Weight: the knee gives after the contact, before it carries the body up.
        let given = film.at(contact + 1.0).knee(support);
        assert!(
            given < film.at(contact).knee(support) - 5.0,
            "no give: {given}"
        );
    }
}

#[test]
fn the_foot_strikes_with_the_heel_and_leaves_with_the_toes() {
    let film = Film::of("Walk");
    for (foot, contact, side) in [(0, 0.0, 'L'), (1, STEP, 'R')] {
        let (ankle, toes) = (format!("Foot.{side}"), format!("Toes.{side}"));
        let lowest = |shot: &Shot| {
            let by_height = |a: &&Vec3, b: &&Vec3| a.y.total_cmp(&b.y);
            shot.soles[foot]
                .iter()
                .min_by(by_height)
                .map_or(0.0, |point| point.z)
        };
        let strike = film.at(contact);
        assert!(
            lowest(strike) < strike.place(&ankle).z,
            "the heel comes first"
        );
        assert!(
            strike.up(&ankle) > 15.0,
            "toes up at contact: {}",
            strike.up(&ankle)
        );
        let off = film.at(contact + 11.0);
        assert!(lowest(off) > off.place(&toes).z, "the toes go last");
        let bend = off.up(&toes) - off.up(&ankle);
        assert!(bend > 20.0, "the toes bend by {bend} at push-off");
        let flat = film.at(contact + 4.0);
        assert!(
            flat.up(&ankle).abs() < 1.5,
            "the foot is flat in the middle"
        );
    }
}

#[test]
fn knees_do_not_pop() {
    let (speed, change) = Film::of("Walk").knee_jerk();
    assert!(speed < 30.0, "{speed} degrees per drawing");
    assert!(change < 30.0, "{change} degrees per drawing, per drawing");
}

#[test]
fn hips_and_shoulders_turn_against_each_other_and_the_head_stays_level() {
    let film = Film::of("Walk");
    let (hips_at, hips_size) = peak(&film, |shot| shot.yaw("Hips"));
    let (chest_at, chest_size) = peak(&film, |shot| shot.yaw("Spine4"));
    let apart = (chest_at - hips_at).rem_euclid(18.0);
    assert!(
        (7.5..11.5).contains(&apart),
        "the shoulders follow the hips by {apart} of 18"
    );
    assert!(
        hips_size > 4.0 && chest_size > 4.0,
        "{hips_size} and {chest_size} degrees"
    );
    // The head: within a degree or so of level, and no bounce of its own.
    let worst = |measure: fn(&Shot) -> f32| {
        film.shots
            .iter()
            .map(measure)
            .map(f32::abs)
            .fold(0.0, f32::max)
    };
    assert!(
        worst(|shot| shot.up("Head")) < 2.0,
        "pitch {}",
        worst(|shot| shot.up("Head"))
    );
    assert!(
        worst(|shot| shot.roll("Head")) < 1.0,
        "roll {}",
        worst(|shot| shot.roll("Head"))
    );
    assert!(
        worst(|shot| shot.yaw("Head")) < 2.0,
        "yaw {}",
        worst(|shot| shot.yaw("Head"))
    );
    let height = range(film.shots.iter().map(|shot| shot.place("Head").y));
    assert!(height < 0.032, "the head bobs by {height} m");
}

#[test]
fn the_hips_sway_over_the_standing_leg_and_drop_on_the_free_side() {
    let film = Film::of("Walk");
    for (passing, sign) in [(PASSING, 1.0), (STEP + PASSING, -1.0)] {
        let shot = film.at(passing);
        let sway = shot.place("Hips").x * sign;
        assert!((0.012..0.04).contains(&sway), "sway {sway} m at {passing}");
        let drop = shot.roll("Hips") * sign;
        assert!(
            (2.0..6.0).contains(&drop),
            "drop {drop} degrees at {passing}"
        );
    }
}

#[test]
fn arms_swing_against_the_legs_and_drag() {
    let film = Film::of("Walk");
    for side in SIDES {
        let name = |joint: &str| format!("{joint}.{side}");
        let (hip, elbow, hand, tip) = (
            name("UpperArm"),
            name("LowerArm"),
            name("Hand"),
            name("Middle3"),
        );
        let forwards = |shot: &Shot, to: &str, from: &str| shot.place(to).z - shot.place(from).z;
        let (leg_at, _) = peak(&film, |shot| shot.place(&name("Foot")).z);
        let (arm_at, swing) = peak(&film, |shot| forwards(shot, &elbow, &hip));
        let apart = (arm_at - leg_at).rem_euclid(18.0);
        assert!(
            (7.0..11.0).contains(&apart),
            "arm {side} follows its leg by {apart} of 18"
        );
        assert!(swing > 0.08, "arm {side} swings by {swing} m");
        // Overlap: forearm after upper arm, hand after forearm.
        let (fore_at, _) = peak(&film, |shot| -shot.elbow(side));
        let (hand_at, bend) = peak(&film, |shot| shot.angle(&elbow, &hand, &tip));
        let late = |a: f32, b: f32| (a - b + 9.0).rem_euclid(18.0) - 9.0;
        assert!(
            late(fore_at, arm_at) > 0.5,
            "the forearm {side} does not drag"
        );
        assert!(bend > 2.0, "the hand {side} is stiff: {bend}");
        assert!(
            late(hand_at, fore_at).abs() > 1.0,
            "the hand {side} moves with the forearm: {hand_at} {fore_at}"
        );
    }
}
