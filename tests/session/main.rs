//! The session: command lists in, state out. No window, no files.

mod bad_input;
mod camera;
mod compare;
mod errors;
mod findings;
mod framing;
mod measures;
mod open;
mod reload;
mod saving;
mod time;
mod undo;
mod vertex;

use std::{path::PathBuf, sync::Arc};

use glam::{Quat, Vec3};
use rigscope::{
    anim::{Interpolation, LoopPolicy},
    document::{
        Clip, Document, Joint, JointTracks, Keys, Mesh, MeshInstance, Severity, Skeleton, Track,
    },
    scene::{PoseSource, Shading},
    session::{Action, Command, Loading, Request, Session},
};

fn joint(name: &str, node: usize, parent: Option<usize>) -> Joint {
    Joint {
        name: name.to_owned(),
        node,
        parent,
        translation: Vec3::Y,
        ..Joint::default()
    }
}

fn turn(joint: usize, times: &[f32]) -> JointTracks {
    let angle = |&time: &f32| Quat::from_rotation_z(time);
    JointTracks::Trs {
        joint,
        translation: None,
        rotation: Some(Track {
            times: times.into(),
            keys: Keys::Linear(times.iter().map(angle).collect()),
        }),
        scale: None,
    }
}

fn clip(name: &str, joints: Vec<JointTracks>) -> Clip {
    let times = |tracks: &JointTracks| match tracks {
        JointTracks::Trs {
            rotation: Some(track),
            ..
        } => (track.start_secs(), track.end_secs()),
        _ => (0.0, 0.0),
    };
    let start = joints.iter().map(|t| times(t).0).fold(f32::MAX, f32::min);
    let end = joints.iter().map(|t| times(t).1).fold(0.0, f32::max);
    Clip {
        name: name.to_owned(),
        duration_secs: end,
        start_secs: start,
        joints,
        morphs: Vec::new(),
    }
}

/// Joints `names` in a chain, shown meshes at each; clips as given.
fn document(names: &[&str], clips: Vec<Clip>) -> Arc<Document> {
    let joints = names
        .iter()
        .enumerate()
        .map(|(index, name)| joint(name, index, index.checked_sub(1)))
        .collect();
    let instance = |joint| MeshInstance {
        joint,
        mesh: 0,
        skin: None,
        in_scene: true,
        morph_weights: Vec::new(),
    };
    Arc::new(Document {
        name: "hero.glb".to_owned(),
        skeleton: Skeleton {
            joints,
            joint_of_node: (0..names.len()).collect(),
        },
        meshes: vec![Mesh::default()],
        instances: (0..names.len()).map(instance).collect(),
        clips,
        ..Document::default()
    })
}

/// `Idle` of 2 s with keys every half second; `Walk` of 1 s from 0.25 s on whose
/// arm has keys of its own.
fn hero() -> Arc<Document> {
    document(
        &["hips", "spine", "arm"],
        vec![
            clip("Idle", vec![turn(0, &[0.0, 0.5, 1.0, 1.5, 2.0])]),
            clip(
                "Walk",
                vec![turn(0, &[0.25, 0.5, 1.0]), turn(2, &[0.3, 0.7])],
            ),
        ],
    )
}

fn loaded(document: Arc<Document>, path: &str) -> Command {
    Command::LoadFinished {
        document,
        path: Some(PathBuf::from(path)),
    }
}

fn session_with(commands: impl IntoIterator<Item = Command>) -> Session {
    let mut session = Session::default();
    run(&mut session, [loaded(hero(), "hero.glb")]);
    run(&mut session, commands);
    session
}

fn run(session: &mut Session, commands: impl IntoIterator<Item = Command>) {
    for command in commands {
        assert_eq!(session.apply(command), None);
    }
}

fn act(session: &mut Session, action: Action) {
    if let Some(command) = action.command(session, 1.5) {
        session.apply(command);
    }
}

fn time(session: &Session) -> f32 {
    session
        .character()
        .expect("a document is open")
        .player
        .time_secs
}

fn playing(session: &Session) -> bool {
    session
        .character()
        .expect("a document is open")
        .player
        .playing
}

fn source(session: &Session) -> PoseSource {
    session.character().expect("a document is open").source
}
