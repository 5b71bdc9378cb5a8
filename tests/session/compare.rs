//! Several sides of a comparison.

use rigscope::{
    anim::{Interpolation, Skinning, Technique},
    scene::PoseSource,
    session::{Layout, MOST_SIDES},
};

use super::*;

fn loaded(path: &str) -> Command {
    super::loaded(hero(), path)
}

fn technique(interpolation: Interpolation) -> Technique {
    let mut technique = Technique::default();
    technique.modes.interpolation = interpolation;
    technique
}

fn set(side: usize, technique: Technique) -> Command {
    Command::SetTechnique {
        side,
        technique: Box::new(technique),
    }
}

#[test]
fn another_side_shows_the_same_moment_by_other_means() {
    let mut session = session_with([loaded("a.glb")]);
    run(&mut session, [Command::AddSide, Command::SetTime(0.3)]);
    assert_eq!(session.side_count(), 2);
    let (a, b) = (session.side(0).expect("A"), session.side(1).expect("B"));
    assert_ne!(
        a.technique.modes.interpolation,
        b.technique.modes.interpolation
    );
    assert_eq!((a.player.time_secs, b.player.time_secs), (0.3, 0.3));
    let labels = [session.side_label(0), session.side_label(1)];
    assert_eq!(labels, ["authored", "lerp"]);

    run(
        &mut session,
        [
            set(1, technique(Interpolation::Step)),
            Command::SetSource(PoseSource::Clip(1)),
        ],
    );
    let b = session.side(1).expect("B");
    assert_eq!(b.source, PoseSource::Clip(1), "it goes where A goes");
    let own = Some(PoseSource::Rest);
    run(
        &mut session,
        [Command::SetSideSource {
            side: 1,
            source: own,
        }],
    );
    assert_eq!(session.side(1).map(|b| b.source), own);
    assert!(
        session.side_label(1).contains("rest pose"),
        "{}",
        session.side_label(1)
    );
    run(
        &mut session,
        [Command::SetSideSource {
            side: 1,
            source: None,
        }],
    );
    assert_eq!(session.side(1).map(|b| b.source), Some(PoseSource::Clip(1)));
}

#[test]
fn sides_come_and_go_and_are_at_most_four() {
    let mut session = session_with([loaded("a.glb")]);
    run(&mut session, (0..6).map(|_| Command::AddSide));
    assert_eq!(session.side_count(), MOST_SIDES);
    let modes: std::collections::HashSet<_> = (0..MOST_SIDES)
        .filter_map(|side| Some(session.side(side)?.technique.modes.interpolation))
        .collect();
    assert_eq!(modes.len(), MOST_SIDES, "each another way");
    run(
        &mut session,
        [Command::RemoveSide(9), Command::RemoveSide(0)],
    );
    assert_eq!(
        session.side_count(),
        MOST_SIDES,
        "there is no such side, and A stays"
    );
    run(&mut session, [3, 2, 1].map(Command::RemoveSide));
    assert!(session.comparison.is_none());
    run(&mut session, [Command::AddSide, Command::EndComparison]);
    assert!(session.comparison.is_none());
}

#[test]
fn swapping_exchanges_what_a_and_b_do() {
    let mut session = session_with([loaded("a.glb"), Command::AddSide]);
    let rigid = Technique {
        skinning: Skinning::Rigid,
        ..technique(Interpolation::Nlerp)
    };
    run(&mut session, [set(1, rigid.clone()), Command::SwapSides]);
    assert_eq!(session.side(0).map(|a| &a.technique), Some(&rigid));
    assert_eq!(
        session.side(1).map(|b| &b.technique),
        Some(&Technique::default())
    );
}

#[test]
fn a_broken_technique_changes_nothing_and_joints_that_are_not_there_are_dropped() {
    let mut session = session_with([loaded("a.glb")]);
    let mut broken = technique(Interpolation::Euler);
    broken.modes.threshold = f32::NAN;
    run(
        &mut session,
        [set(0, broken), set(7, technique(Interpolation::Euler))],
    );
    assert_eq!(
        session.side(0).map(|a| &a.technique),
        Some(&Technique::default())
    );
    let mut own = technique(Interpolation::Slerp);
    own.set_modes_of(1, Some(technique(Interpolation::Step).modes));
    own.set_modes_of(999, Some(technique(Interpolation::Step).modes));
    run(&mut session, [set(0, own)]);
    let joints = session.side(0).map(|a| a.technique.joint_modes.len());
    assert_eq!(joints, Some(1));
}

#[test]
fn another_file_can_be_b_and_an_own_one_follows_a_reload() {
    let mut session = session_with([loaded("a.glb"), Command::AddSide]);
    let reloaded = loaded("a.glb");
    run(&mut session, [reloaded]);
    let same = |session: &Session| {
        let (a, b) = (session.side(0).expect("A"), session.side(1).expect("B"));
        Arc::ptr_eq(&a.document, &b.document)
    };
    assert!(same(&session), "B shows the new version too");
    let Command::LoadFinished { document, .. } = loaded("b.glb") else {
        unreachable!("loaded makes no other command");
    };
    let beside = Command::BesideFinished {
        document,
        path: PathBuf::from("b.glb"),
    };
    run(&mut session, [beside, Command::SetTime(0.2)]);
    assert!(!same(&session));
    assert_eq!(session.side(1).map(|b| b.player.time_secs), Some(0.2));
    run(&mut session, [loaded("a.glb")]);
    assert!(!same(&session), "another file stays");
}

#[test]
fn layouts_and_the_wipe_stay_in_range() {
    let mut session = session_with([loaded("a.glb")]);
    run(
        &mut session,
        [Command::SetLayout(Layout::Wipe), Command::SetWipe(0.2)],
    );
    assert_eq!(session.layout(), None, "nothing is compared");
    run(
        &mut session,
        [Command::AddSide, Command::SetLayout(Layout::Overlay)],
    );
    assert_eq!(
        session.overlay_stage().map(|stage| stage.characters.len()),
        Some(2)
    );
    for (share, kept) in [(0.2, 0.2), (7.0, 1.0), (f32::NAN, 1.0)] {
        run(&mut session, [Command::SetWipe(share)]);
        assert_eq!(session.comparison.as_ref().map(|c| c.wipe), Some(kept));
    }
}
