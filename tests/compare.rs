//! Comparisons of characters, on rigs made in code: what is matched, and what is measured.

use std::{collections::HashSet, sync::Arc};

use glam::{Mat4, Vec3};
use rigscope::{
    analysis::Watch,
    anim::{Interpolation, Skinning},
    compare::{
        Comparison, JointError, Matching, Measure, Moment, Options, VertexPairs, durations,
        matching, matching_joints, now, over_clip, times, vertex_errors,
    },
    document::{Document, Primitive},
    lab,
    scene::{Character, PoseSource},
};

fn scene(id: &str) -> Document {
    let scene = lab::find(id).expect("a scene of the lab");
    (scene.document)()
}

fn over(a: &Character, b: &Character, options: &Options) -> (Matching, Comparison) {
    let matching = matching(&a.document, &b.document);
    let comparison = over_clip(a, b, &matching, options, &Watch::new());
    (matching, comparison.expect("nobody cancels"))
}

/// The same surface with its vertices in another order.
fn shuffled(primitive: &Primitive) -> Primitive {
    let count = primitive.positions.len();
    // Coprime steps visit each once.
    let step = (count / 3..).find(|step| gcd(*step, count) == 1);
    let step = step.expect("a number without a common factor");
    let order: Vec<usize> = (0..count).map(|i| i * step % count).collect();
    let mut new_index = vec![0; count];
    for (new, &old) in order.iter().enumerate() {
        new_index[old] = new as u32;
    }
    let mut made = primitive.clone();
    made.positions = order.iter().map(|&i| primitive.positions[i]).collect();
    made.normals = order.iter().map(|&i| primitive.normals[i]).collect();
    let per = primitive.influences.per_vertex;
    let slots = || order.iter().flat_map(|&i| i * per..(i + 1) * per);
    made.influences.joints = slots().map(|i| primitive.influences.joints[i]).collect();
    made.influences.weights = slots().map(|i| primitive.influences.weights[i]).collect();
    for (made, old) in made.indices.iter_mut().zip(&primitive.indices) {
        *made = new_index[*old as usize];
    }
    made
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn vertices_in_another_order_are_found_by_their_place() {
    let original = scene("candy-wrapper");
    let mut other = original.clone();
    other.meshes[0].primitives[0] = shuffled(&original.meshes[0].primitives[0]);
    assert_ne!(
        other.meshes[0].primitives[0].positions,
        original.meshes[0].primitives[0].positions
    );
    let count = original.meshes[0].file_vertex_count();
    let (a, b) = (Arc::new(original), Arc::new(other));
    let (a, b) = (Character::new(a), Character::new(b));
    let (matching, comparison) = over(&a, &b, &Options::default());
    assert!(matching.is_whole(), "{matching:?}");
    let VertexPairs::Nearest(pairs) = &matching.meshes[0].vertices else {
        panic!("paired by number");
    };
    let distinct: HashSet<(u32, u32)> = pairs.iter().map(|pair| pair.a).collect();
    assert_eq!(distinct.len(), count);
    let worst = comparison.worst(|m| m.vertex.value).expect("moments");
    // Coincident vertices of a seam may change places; their weights are the same.
    assert!(worst.vertex.value < 1e-6, "{worst:?}");
    // And what really differs is still found.
    let mut b = b;
    b.technique.skinning = Skinning::DualQuaternion;
    let (_, comparison) = over(&a, &b, &Options::default());
    let worst = comparison.worst(|m| m.vertex.value).expect("moments");
    assert!(worst.vertex.value > 0.05, "{worst:?}");
}

/// Triangles of a file without indices, sorted anew: the faces are 0, 1, 2 … in both.
#[test]
fn faces_in_turn_are_no_word_about_the_order() {
    let mut original = scene("candy-wrapper");
    let primitive = &mut original.meshes[0].primitives[0];
    let corners: Vec<usize> = primitive.indices.iter().map(|&at| at as usize).collect();
    let loose = |corners: &[usize], from: &Primitive| {
        let per = from.influences.per_vertex;
        let slots = || corners.iter().flat_map(|&i| i * per..(i + 1) * per);
        let mut made = from.clone();
        made.positions = corners.iter().map(|&i| from.positions[i]).collect();
        made.normals = corners.iter().map(|&i| from.normals[i]).collect();
        made.colors = corners.iter().map(|&i| from.colors[i]).collect();
        made.influences.joints = slots().map(|i| from.influences.joints[i]).collect();
        made.influences.weights = slots().map(|i| from.influences.weights[i]).collect();
        made.indices = (0..corners.len() as u32).collect();
        made.file_vertex_count = corners.len();
        made
    };
    let mut back: Vec<usize> = corners.chunks(3).rev().flatten().copied().collect();
    back.rotate_left(3);
    let from = primitive.clone();
    *primitive = loose(&corners, &from);
    let mut other = original.clone();
    other.meshes[0].primitives[0] = loose(&back, &from);
    let (a, b) = (Arc::new(original), Arc::new(other));
    let (_, comparison) = over(&Character::new(a), &Character::new(b), &Options::default());
    let worst = comparison.worst(|m| m.vertex.value).expect("moments");
    assert!(
        comparison.vertices > 0 && worst.vertex.value < 1e-6,
        "{worst:?}"
    );
}

#[test]
fn a_mesh_is_paired_once_and_only_where_it_is_shown() {
    let original = scene("candy-wrapper");
    let mut other = original.clone();
    // A second mesh that the scene does not show, and a third that it does.
    let mut hidden = other.instances[0].clone();
    hidden.in_scene = false;
    other.instances.insert(0, hidden);
    let mut extra = other.instances[1].clone();
    extra.in_scene = true;
    other.instances.push(extra);
    let found = matching(&Arc::new(original.clone()), &Arc::new(other.clone()));
    let pairs: Vec<(usize, usize)> = found.meshes.iter().map(|pair| (pair.a, pair.b)).collect();
    assert_eq!(pairs, [(0, 1)]);
    assert_eq!(found.left_out.len(), 1, "{:?}", found.left_out);
    assert!(found.left_out[0].contains("of B has no partner in A"));
    assert!(!found.is_whole());
    // The other way round, and two of A's do not get the same one.
    let found = matching(&Arc::new(other), &Arc::new(original));
    assert_eq!(found.meshes.len(), 1);
    assert!(found.left_out[0].contains("of A has no partner in B"));
}

#[test]
fn rigs_with_nothing_in_common_match_nothing() {
    let mut a = scene("half-turn-elbow");
    let mut b = scene("gimbal-detour");
    for (document, letter) in [(&mut a, 'a'), (&mut b, 'b')] {
        for joint in &mut document.skeleton.joints {
            joint.name = format!("{letter}_{}", joint.name);
        }
        document.meshes[0].name = letter.to_string();
    }
    b.skins.clear();
    b.instances.clear();
    b.skeleton.joints.pop();
    let found = matching(&Arc::new(a), &Arc::new(b));
    assert!(found.is_empty() && !found.is_whole(), "{found:?}");
}

#[test]
fn joints_alone_are_matched_without_their_meshes() {
    let document = Arc::new(scene("half-turn-elbow"));
    let found = matching_joints(&document, &document);
    assert!(found.meshes.is_empty() && found.is_whole());
    assert_eq!(found.joints.len(), document.skeleton.joints.len());
    let copy = Arc::new((*document).clone());
    assert_eq!(matching_joints(&document, &copy).joints, found.joints);
}

#[test]
fn a_broken_joint_is_the_worst_of_all_and_stays_in_the_table() {
    let document = scene("half-turn-elbow");
    let elbow = document.skeleton.joints.iter();
    let elbow = elbow.clone().position(|joint| joint.name == "elbow");
    let elbow = elbow.expect("an elbow");
    let mut broken = document.clone();
    broken.clips[0] = Default::default();
    broken.skeleton.joints[elbow].translation.x = f32::NAN;
    let (a, b) = (Arc::new(document), Arc::new(broken));
    let (a, b) = (Character::new(a), Character::new(b));
    let (_, comparison) = over(&a, &b, &Options::default());
    let worst = comparison.worst(|m| m.position.value).expect("moments");
    assert!(worst.position.value.is_nan(), "{worst:?}");
    let table = comparison.worst_joints();
    assert!(table[0].position.0.is_nan() || table[0].angle.0.is_nan());
    let names: Vec<usize> = table.iter().map(|error| error.joint).collect();
    assert!(names.contains(&elbow), "{names:?}");
}

#[test]
fn the_stage_counts_for_joints_as_it_does_for_vertices() {
    let document = Arc::new(scene("half-turn-elbow"));
    let a = Character::new(document);
    let mut b = a.clone();
    b.world_from_model =
        Mat4::from_rotation_translation(glam::Quat::from_rotation_y(0.5), Vec3::new(0.0, 2.0, 0.0));
    let matching = matching(&a.document, &b.document);
    let moment = now(&a, &b, &matching, true);
    assert!((moment.angle.value - 0.5_f64.to_degrees()).abs() < 1e-4);
    assert!(moment.position.value >= 2.0 && moment.vertex.value >= 2.0);
}

#[test]
fn the_shorter_clip_ends_a_comparison() {
    let mut long = scene("half-turn-elbow");
    let short = Character::new(Arc::new(long.clone()));
    long.clips[0].duration_secs *= 2.0;
    let long = Character::new(Arc::new(long));
    let [a, b] = durations(&short, &long).map(|end| end.expect("a clip"));
    assert_eq!(b, a * 2.0);
    for pair in [[&short, &long], [&long, &short]] {
        let all = times(pair[0], pair[1], &Options::default()).secs;
        assert_eq!((all[0], all[all.len() - 1]), (0.0, a));
    }
    let options = Options {
        range_secs: [Some(0.25), Some(0.75)],
        rate_hz: 8.0,
        ..Options::default()
    };
    let some = times(&short, &long, &options).secs;
    assert_eq!((some[0], some[some.len() - 1]), (0.25, 0.75));
    assert!(some.windows(2).all(|pair| pair[0] < pair[1]));
    let mut rest = short.clone();
    rest.set_source(PoseSource::Rest);
    let still = times(&rest, &rest, &Options::default());
    assert_eq!(still.secs, [0.0]);
}

#[test]
fn too_many_moments_are_thinned_over_the_whole_range_and_said() {
    let character = Character::new(Arc::new(scene("half-turn-elbow")));
    let options = Options {
        rate_hz: 10_000.0,
        range_secs: [None, Some(1000.0)],
        ..Options::default()
    };
    let found = times(&character, &character, &options);
    assert!(found.secs.len() < 110_000, "{}", found.secs.len());
    assert_eq!(found.secs.last(), Some(&1000.0));
    let gaps = found.secs.windows(2).map(|pair| pair[1] - pair[0]);
    assert!(gaps.fold(0.0, f32::max) < 0.011);
    assert!(
        found.left_out[0].contains("100.000 moments a second"),
        "{:?}",
        found.left_out
    );
    assert!(
        times(&character, &character, &Options::default())
            .left_out
            .is_empty()
    );
}

#[test]
fn means_are_over_time_and_not_over_keys() {
    let at = |time_secs: f32, mean_angle: f64| Moment {
        time_secs,
        mean_angle,
        ..Moment::default()
    };
    let mean = |moments: Vec<Moment>| {
        let comparison = Comparison {
            moments,
            ..Comparison::default()
        };
        comparison.mean(|m| m.mean_angle)
    };
    assert_eq!(mean(vec![at(0.0, 0.0), at(1.0, 2.0)]), 1.0);
    let dense = [0.0, 0.5, 0.5, 0.5, 0.5, 1.0].map(|time| at(time, f64::from(time) * 2.0));
    assert!((mean(dense.to_vec()) - 1.0).abs() < 1e-12);
    assert_eq!(mean(vec![at(3.0, 7.0)]), 7.0);
    assert_eq!(mean(Vec::new()), 0.0);
}

#[test]
fn the_table_of_joints_is_that_of_every_moment() {
    let document = Arc::new(scene("half-turn-elbow"));
    let a = Character::new(document);
    let mut b = a.clone();
    b.technique.modes.interpolation = Interpolation::Lerp;
    let (matching, comparison) = over(&a, &b, &Options::default());
    let mut wanted: Vec<JointError> = comparison.joints.clone();
    for error in &mut wanted {
        (error.angle, error.position) = ((0.0, 0.0), (0.0, 0.0));
    }
    let (mut a, mut b) = (a, b);
    for moment in &comparison.moments {
        for side in [&mut a, &mut b] {
            side.player.time_secs = moment.time_secs;
            side.update();
        }
        let again = now(&a, &b, &matching, true);
        assert_eq!(again, *moment);
        for (joint, error) in wanted.iter_mut().enumerate() {
            if again.position.at == Some(joint) && again.position.value > error.position.0 {
                error.position = (again.position.value, moment.time_secs);
            }
        }
    }
    // The worst of each moment are a lower bound for each, and exact for the tip.
    let tip = comparison.worst_joints()[0].joint;
    assert_eq!(comparison.joints[tip].position, wanted[tip].position);
}

#[test]
fn what_is_not_wanted_any_more_gives_nothing() {
    let character = Character::new(Arc::new(scene("half-turn-elbow")));
    let matching = matching(&character.document, &character.document);
    let watch = Watch::new();
    watch.cancel();
    let options = Options::default();
    assert!(over_clip(&character, &character, &matching, &options, &watch).is_none());
    let watch = Watch::new();
    assert!(over_clip(&character, &character, &matching, &options, &watch).is_some());
    assert_eq!(watch.fraction(), 1.0);
}

#[test]
fn errors_on_the_surface_are_those_of_the_moment() {
    let document = Arc::new(scene("candy-wrapper"));
    let mut a = Character::new(document.clone());
    let mut b = a.clone();
    b.technique.skinning = Skinning::DualQuaternion;
    let half = a.player.duration_secs * 0.25;
    for side in [&mut a, &mut b] {
        side.player.time_secs = half;
        side.update();
    }
    let matching = matching(&document, &document);
    let moment = now(&a, &b, &matching, true);
    let errors = vertex_errors(&a, &b, &matching, Measure::Distance);
    let (worst, at) = errors.worst.expect("vertices");
    assert_eq!(worst, moment.vertex.value as f32);
    assert_eq!(Some(at), moment.vertex.at);
    let values = &errors.by_instance[at.instance];
    assert_eq!(
        values.len(),
        document.meshes[0].primitives[0].vertex_count()
    );
    assert_eq!(values[at.vertex], worst);
    // Skinning does not turn joints.
    let angles = vertex_errors(&a, &b, &matching, Measure::Angle);
    assert_eq!(angles.worst.map(|(worst, _)| worst), Some(0.0));
    b.technique.modes.interpolation = Interpolation::Step;
    b.update();
    let moment = now(&a, &b, &matching, false);
    let angles = vertex_errors(&a, &b, &matching, Measure::Angle);
    let (worst, _) = angles.worst.expect("vertices");
    assert!(
        (f64::from(worst) - moment.angle.value).abs() < 1e-3,
        "{worst} {moment:?}"
    );
}
