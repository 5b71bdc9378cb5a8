//! Large rigs: how long it takes, what is left out, and that it can be stopped.

use std::time::{Duration, Instant};

use glam::{Mat4, Quat, Vec3};
use rigscope::{
    analysis::{Effort, Watch, analyse},
    document::{
        Clip, Document, FindingCode, Influences, Joint, JointTracks, Keys, Mesh, MeshInstance,
        Primitive, Skeleton, Skin, Track,
    },
};

/// A chain of so many joints, a mesh of so many vertices with eight influences each, and
/// so many clips of 64 keys in which every joint turns and is scaled unevenly.
fn large(joints: usize, vertices: usize, clips: usize) -> Document {
    let skeleton = Skeleton {
        joint_of_node: (0..joints).collect(),
        joints: (0..joints)
            .map(|node| Joint {
                name: format!("joint {node}"),
                node,
                parent: node.checked_sub(1),
                translation: Vec3::Y * 0.01,
                ..Joint::default()
            })
            .collect(),
    };
    let worlds = skeleton.rest_globals();
    let primitive = Primitive {
        positions: (0..vertices).map(|v| Vec3::X * v as f32 * 1e-5).collect(),
        indices: vec![0, 1, 2],
        file_vertex_count: vertices,
        influences: Influences {
            per_vertex: 8,
            joints: (0..vertices * 8)
                .map(|at| (at * 7 % joints) as u16)
                .collect(),
            weights: vec![0.125; vertices * 8],
        },
        ..Primitive::default()
    };
    let times: std::sync::Arc<[f32]> = (0..64).map(|key| key as f32 / 30.0).collect();
    let turn = |key: usize| Quat::from_rotation_z(key as f32 * 0.001);
    let squash = |key: usize| Vec3::new(1.0, 1.0 + key as f32 * 1e-4, 1.0);
    let tracks = |joint| JointTracks::Trs {
        joint,
        translation: None,
        rotation: Some(Track {
            times: times.clone(),
            keys: Keys::Linear((0..64).map(turn).collect()),
        }),
        scale: Some(Track {
            times: times.clone(),
            keys: Keys::Linear((0..64).map(squash).collect()),
        }),
    };
    let clip = Clip {
        name: "Squash".into(),
        duration_secs: times[63],
        joints: (0..joints).map(tracks).collect(),
        ..Clip::default()
    };
    Document {
        skins: vec![Skin {
            joints: (0..joints as u32).collect(),
            joint_from_mesh: worlds.iter().map(Mat4::inverse).collect(),
            has_inverse_bind_matrices: true,
            ..Skin::default()
        }],
        skeleton,
        meshes: vec![Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        }],
        instances: vec![MeshInstance {
            joint: 0,
            mesh: 0,
            skin: Some(0),
            in_scene: true,
            morph_weights: Vec::new(),
        }],
        clips: vec![clip; clips],
        ..Document::default()
    }
}

#[test]
fn a_large_rig_takes_no_more_than_a_few_seconds() {
    let document = large(1484, 200_000, 1);
    let start = Instant::now();
    let report = analyse(&document, Effort::Usual, &Watch::new()).expect("nobody cancels");
    let took = start.elapsed();
    println!("1484 joints, 200000 vertices: {} ms", took.as_millis());
    let found = |code| report.findings.iter().filter(|f| f.code == code).count();
    assert_eq!(found(FindingCode::WeightsBeyondFour), 1);
    assert_eq!(found(FindingCode::JointCount), 1);
    assert_eq!(found(FindingCode::ScaleShear), 1);
    assert_eq!(report.left_out, Vec::<String>::new());
    // Unoptimised, and on a machine that does other things.
    assert!(took < Duration::from_secs(30), "{took:?}");
}

#[test]
fn what_is_too_much_is_left_out_and_said() {
    let document = large(1484, 100, 100);
    let report = analyse(&document, Effort::Usual, &Watch::new()).expect("nobody cancels");
    let said: Vec<_> = report
        .left_out
        .iter()
        .filter(|s| s.contains("shear"))
        .collect();
    assert_eq!(said.len(), 1, "{:?}", report.left_out);
    let shear = |f: &&rigscope::document::Finding| f.code == FindingCode::ScaleShear;
    assert_eq!(report.findings.iter().filter(shear).count(), 0);
}

#[test]
fn it_can_be_stopped() {
    let document = large(1484, 200_000, 100);
    let watch = Watch::new();
    watch.cancel();
    let start = Instant::now();
    assert_eq!(analyse(&document, Effort::Whole, &watch), None);
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
    // In the middle of it.
    let watch = Watch::new();
    let clone = watch.clone();
    let start = Instant::now();
    let outcome = std::thread::scope(|scope| {
        let worker = scope.spawn(|| analyse(&document, Effort::Whole, &watch));
        std::thread::sleep(Duration::from_millis(200));
        clone.cancel();
        worker.join().expect("no panic")
    });
    assert_eq!(outcome, None);
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}
