//! The vertex stage against the CPU reference, vertex by vertex.

#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]

mod common;
mod rigs;

use std::sync::Arc;

use glam::{DMat3, DMat4, DVec3, Mat4, Quat, Vec3};
use rigscope::{
    anim::{self, Skinning, Weights},
    document::{Document, Primitive},
    import,
    render::{Quality, Renderer},
    scene::{
        self, Character, CharacterFrame, DrawInstance, Frame, PoseSource, Shading, Stage, View,
    },
};

/// Largest allowed distance, as a share of the model's size.
const TOLERANCE: f64 = 1e-4;

/// Position, shading normal and mirroring of one vertex, in double precision and
/// by another route than the shader's: the inverse transpose, not cofactors.
fn reference(
    frame: &Frame,
    character: &CharacterFrame,
    draw: &DrawInstance,
    primitive: &Primitive,
    vertex: usize,
) -> (DVec3, Option<DVec3>, Option<bool>) {
    let mut position = primitive.positions[vertex].as_dvec3();
    let mut normal = primitive.normals.get(vertex).map(|n| n.as_dvec3());
    for (target, weight) in primitive
        .morph_targets
        .iter()
        .zip(&frame.morph_weights[draw.morph_start as usize..])
    {
        if let Some(delta) = target.positions.get(vertex) {
            position += delta.as_dvec3() * f64::from(*weight);
        }
        if let (Some(normal), Some(delta)) = (&mut normal, target.normals.get(vertex)) {
            *normal += delta.as_dvec3() * f64::from(*weight);
        }
    }
    let mut matrix = DMat4::IDENTITY;
    if let Some(start) = draw.palette_start
        && !primitive.influences.is_empty()
    {
        let mut sum = DMat4::ZERO;
        let mut total = 0.0;
        for (slot, weight) in primitive.influences.of_vertex(vertex) {
            let skin_matrix = frame.skin_matrices[start as usize + usize::from(slot)];
            sum += skin_matrix.to_mat4().as_dmat4() * f64::from(weight);
            total += f64::from(weight);
        }
        if total >= f64::from(Weights::MIN_SUM) {
            matrix = match character.weights {
                Weights::Normalized => sum * (1.0 / total),
                Weights::Stored => sum,
            };
            // Rows 0 to 2 matter; stored weights scale the last one too.
            matrix = DMat4::from_cols_array(&{
                let mut a = matrix.to_cols_array();
                (a[3], a[7], a[11], a[15]) = (0.0, 0.0, 0.0, 1.0);
                a
            });
        }
    }
    let world = draw.world_from_mesh.as_dmat4() * matrix;
    // A mirrored bind turns the stored winding round; the normals stay.
    let document = &character.document;
    let mirrored_bind = document.instances[draw.instance]
        .skin
        .is_some_and(|skin| document.skins[skin].mirrored_bind());
    let linear = DMat3::from_mat4(world);
    let scale = linear.x_axis.length() * linear.y_axis.length() * linear.z_axis.length();
    // Neither side nor normal means anything where the matrix is almost flat.
    let regular = linear.determinant().abs() > 1e-3 * scale && scale > 1e-12;
    (
        world.transform_point3(position),
        normal
            .filter(|n| regular && n.length() > 1e-3)
            .map(|n| (linear.inverse().transpose() * n).normalize()),
        regular.then_some((linear.determinant() < 0.0) != mirrored_bind),
    )
}

/// Positions and, where the placement leaves them alone, normals of a skinned draw by
/// the functions that everything without a GPU uses.
fn by_cpu(
    frame: &Frame,
    character: &CharacterFrame,
    draw: &DrawInstance,
    primitive: &Primitive,
) -> Option<(Vec<Vec3>, Vec<Vec3>)> {
    let start = draw.palette_start? as usize;
    let document = &character.document;
    let instance = &document.instances[draw.instance];
    let skinning = character.skinning;
    let entries = document.skins[instance.skin?].joints.len() * skinning.entries();
    let palette = &frame.skin_matrices[start..start + entries];
    let morphs = &frame.morph_weights[draw.morph_start as usize..][..instance.morph_weights.len()];
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    let weights = character.weights;
    positions.extend((0..primitive.vertex_count()).map(|vertex| {
        anim::skinned_position_by(primitive, vertex, palette, morphs, weights, skinning)
    }));
    if draw.world_from_mesh == Mat4::IDENTITY {
        let naive = character.naive_normals;
        anim::deform_normals_by(
            primitive,
            palette,
            morphs,
            weights,
            skinning,
            naive,
            &mut normals,
        );
    }
    for position in &mut positions {
        *position = draw.world_from_mesh.transform_point3(*position);
    }
    Some((positions, normals))
}

/// Compares every vertex of every draw, and returns how many there were.
fn compare(renderer: &mut Renderer, frame: &Frame, name: &str) -> usize {
    let mut count = 0;
    for (c, character) in frame.characters.iter().enumerate() {
        for (d, draw) in character.draws.iter().enumerate() {
            let mesh = character.document.instances[draw.instance].mesh;
            let read = renderer
                .read_deformed(frame, c, d)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            for (p, (primitive, read)) in character.document.meshes[mesh]
                .primitives
                .iter()
                .zip(&read)
                .enumerate()
            {
                assert_eq!(read.positions.len(), primitive.vertex_count());
                // The second reference knows linear skinning alone.
                let is_linear = character.skinning == Skinning::Linear && !character.naive_normals;
                let wanted: Vec<_> = (0..primitive.vertex_count())
                    .map(|v| reference(frame, character, draw, primitive, v))
                    .collect();
                let size = wanted
                    .iter()
                    .map(|w| w.0)
                    .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
                        (low.min(p), high.max(p))
                    });
                // A point has no size of its own: its distance from the origin then.
                let size = (size.1 - size.0).length().max(size.1.abs().max_element());
                let (positions, normals) =
                    by_cpu(frame, character, draw, primitive).unwrap_or_default();
                for (v, (position, normal, mirrored)) in wanted.iter().enumerate() {
                    let place = format_args!("{name}: draw {d} primitive {p} vertex {v}");
                    if let Some(cpu) = positions.get(v) {
                        let off = read.positions[v].as_dvec3().distance(cpu.as_dvec3());
                        assert!(off <= TOLERANCE * size, "{place} is off by {off}");
                    }
                    if let (Some(cpu), Some(_)) = (normals.get(v), normal) {
                        let off = read.normals[v].distance(*cpu);
                        assert!(off <= 2e-3, "{place} has a normal that is off by {off}");
                    }
                    count += 1;
                    if !is_linear {
                        continue;
                    }
                    let off = read.positions[v].as_dvec3().distance(*position);
                    assert!(
                        off <= TOLERANCE * size,
                        "{name}: draw {d} primitive {p} vertex {v} is {} on the GPU, {position} \
                         on the CPU: off by {off}, size {size}",
                        read.positions[v]
                    );
                    if let Some(normal) = normal {
                        let off = read.normals[v].as_dvec3().distance(*normal);
                        assert!(
                            off <= 2e-3,
                            "{name}: draw {d} primitive {p} vertex {v} has normal {} on the GPU, \
                             {normal} on the CPU",
                            read.normals[v]
                        );
                    }
                    if let Some(mirrored) = mirrored {
                        assert_eq!(
                            read.mirrored[v], *mirrored,
                            "{name}: draw {d} primitive {p} vertex {v} is mirrored"
                        );
                    }
                }
            }
        }
    }
    count
}

struct Bench {
    renderer: Renderer,
    frame: Frame,
}

impl Bench {
    fn new() -> Self {
        let gpu = rigs::gpu();
        Self {
            renderer: Renderer::new(&gpu, &Quality::deterministic()).expect("the device is fresh"),
            frame: Frame::default(),
        }
    }

    fn check(&mut self, character: Character, name: &str) -> usize {
        let stage = Stage {
            characters: vec![character],
        };
        scene::build(&stage, &View::default(), 1.0, &mut self.frame);
        compare(&mut self.renderer, &self.frame, name)
    }

    /// At a time, by every method of skinning, with normalised and with stored weights.
    fn check_document(&mut self, document: Document, time_secs: f32, name: &str) {
        let document = Arc::new(document);
        for weights in Weights::ALL {
            for skinning in Skinning::ALL {
                let mut character = Character::new(document.clone());
                character.technique.weights = weights;
                character.technique.skinning = skinning;
                character.technique.quirks.naive_normals = skinning == Skinning::FourInfluences;
                character.player.seek(time_secs);
                character.update();
                let name = format!("{name}, {}, {}", weights.as_str(), skinning.as_str());
                let count = self.check(character, &name);
                assert!(count > 0, "{name} has no vertices");
            }
        }
    }
}

#[test]
fn chains_with_any_number_of_joints_and_influences() {
    let mut bench = Bench::new();
    for (joints, per_vertex) in [(1, 4), (6, 4), (12, 8), (30, 12), (601, 12)] {
        let document = rigs::bending_tube(joints, per_vertex);
        bench.check_document(
            document,
            0.7,
            &format!("{joints} joints, {per_vertex} influences"),
        );
    }
}

#[test]
fn morphs_come_before_the_skin() {
    let mut bench = Bench::new();
    let mut document = rigs::bending_tube(6, 8);
    rigs::add_swell(&mut document, 0.4, true);
    rigs::add_swell(&mut document, -0.1, false);
    rigs::add_swell(&mut document, 0.2, true);
    // A target that moves normals and nothing else.
    document.meshes[0].primitives[0].morph_targets[2]
        .positions
        .clear();
    document.instances[0].morph_weights = vec![0.75, 0.0, -0.5];
    bench.check_document(document, 0.6, "morphed tube");

    let mut unskinned = rigs::document(
        "morphed cube",
        vec![rigs::joint("a", None, Vec3::X)],
        rigs::cube(1.0),
    );
    rigs::add_swell(&mut unskinned, 0.3, true);
    unskinned.instances[0].morph_weights = vec![1.5];
    bench.check_document(unskinned, 0.0, "morphed cube");
}

#[test]
fn mirrored_and_uneven_scale_on_joints_and_stage() {
    let mut bench = Bench::new();
    for scale in [
        Vec3::new(-1.0, 1.0, 1.0),
        Vec3::new(1.0, 0.2, 3.0),
        Vec3::new(-0.5, 2.0, -1.5),
        Vec3::new(-2.0, -0.5, -1.0),
        Vec3::new(1.0, 0.0, 1.0),
    ] {
        let mut document = rigs::bending_tube(6, 4);
        document.skeleton.joints[2].scale = scale;
        document.skeleton.joints[4].orientation = Quat::from_rotation_x(0.8);
        let mut character = Character::new(Arc::new(document));
        character.player.seek(1.0);
        character.update();
        bench.check(character.clone(), &format!("joint scaled by {scale}"));
        character.world_from_model = Mat4::from_scale_rotation_translation(
            Vec3::new(1.0, -1.0, 2.0),
            Quat::from_rotation_y(0.4),
            Vec3::new(3.0, 0.0, -1.0),
        );
        bench.check(character, &format!("joint scaled by {scale}, placed"));

        let mut rigid = rigs::document(
            "cube",
            vec![rigs::joint("a", None, Vec3::X)],
            rigs::cube(1.0),
        );
        rigid.skeleton.joints[0].scale = scale;
        bench.check_document(rigid, 0.0, &format!("cube scaled by {scale}"));
    }
}

#[test]
fn zero_weights_stay_at_bind_under_the_stage_placement() {
    let mut bench = Bench::new();
    let mut document = rigs::bending_tube(6, 8);
    let influences = &mut document.meshes[0].primitives[0].influences;
    for weight in influences.weights.iter_mut().take(40 * 8) {
        *weight = 0.0;
    }
    // Sums too small to divide by count as 0: `Weights::MIN_SUM`.
    for weight in influences.weights.iter_mut().take(20 * 8) {
        *weight = 1e-41;
    }
    let bind = document.meshes[0].primitives[0].positions[7];
    bench.check_document(document.clone(), 1.0, "zero weights");
    let mut character = Character::new(Arc::new(document));
    character.player.seek(1.0);
    character.update();
    character.world_from_model = Mat4::from_translation(Vec3::new(0.0, 5.0, 0.0));
    bench.check(character, "zero weights, moved");
    let read = bench
        .renderer
        .read_deformed(&bench.frame, 0, 0)
        .expect("it is a draw");
    assert!(read[0].positions[7].abs_diff_eq(bind + Vec3::Y * 5.0, 1e-5));
}

#[test]
fn skinning_off_and_bind_pose_show_the_mesh_as_stored() {
    let mut bench = Bench::new();
    let document = Arc::new(rigs::bending_tube(6, 4));
    let stored = document.meshes[0].primitives[0].positions.clone();
    for off in [true, false] {
        let mut character = Character::new(document.clone());
        character.player.seek(1.0);
        if off {
            character.skinned = false;
        } else {
            character.set_source(PoseSource::Bind);
        }
        character.update();
        bench.check(character, "undeformed");
        let read = bench
            .renderer
            .read_deformed(&bench.frame, 0, 0)
            .expect("it is a draw");
        for (gpu, cpu) in read[0].positions.iter().zip(&stored) {
            assert!(gpu.abs_diff_eq(*cpu, 1e-5), "{gpu} {cpu}");
        }
    }
}

#[test]
fn all_characters_share_one_buffer_of_skin_matrices() {
    let mut bench = Bench::new();
    let mut characters = Vec::new();
    for (i, joints) in [6, 12, 3].into_iter().enumerate() {
        let mut document = rigs::bending_tube(joints, 4);
        rigs::add_swell(&mut document, 0.1 * i as f32, true);
        document.instances[0].morph_weights = vec![i as f32];
        let mut character = Character::new(Arc::new(document));
        character.player.seek(0.3 * (i + 1) as f32);
        character.world_from_model = Mat4::from_translation(Vec3::X * i as f32);
        character.update();
        characters.push(character);
    }
    let stage = Stage { characters };
    scene::build(&stage, &View::default(), 1.0, &mut bench.frame);
    assert_eq!(bench.frame.skin_matrices.len(), 21);
    let count = compare(&mut bench.renderer, &bench.frame, "three characters");
    assert_eq!(
        count,
        stage
            .characters
            .iter()
            .map(|c| c.document.vertex_count())
            .sum::<usize>()
    );
}

/// Front faces follow the joints' own matrices, whatever they were bound to.
#[test]
fn a_tube_looks_the_same_however_bind_and_pose_are_mirrored() {
    let mut studio = rigs::Studio::new(64);
    let mirror = Vec3::new(-1.0, 1.0, 1.0);
    let mut shoot = |bind: bool, pose: bool, double_sided: bool, shading| {
        let mut document = rigs::bending_tube(6, 4);
        document.materials[0].double_sided = double_sided;
        if pose {
            document.skeleton.joints[0].scale = mirror;
        }
        if bind {
            for joint_from_mesh in &mut document.skins[0].joint_from_mesh {
                *joint_from_mesh *= Mat4::from_scale(mirror);
            }
            // As exporters write it: clockwise triangles, normals out.
            for triangle in document.meshes[0].primitives[0].indices.chunks_mut(3) {
                triangle.swap(1, 2);
            }
            assert!(document.skins[0].mirrored_bind());
        }
        let mut character = Character::new(Arc::new(document));
        character.set_source(PoseSource::Rest);
        character.update();
        let mut view = rigs::framed(&character);
        (view.grid, view.shadow) = (false, false);
        view.camera.yaw_radians = 0.0;
        view.shading = shading;
        studio.shoot(vec![character], &view)
    };
    for shading in [Shading::Normals, Shading::Shaded] {
        let plain = shoot(false, false, false, shading);
        for (bind, pose, double_sided) in [
            (false, true, false),
            (true, false, false),
            (true, true, false),
            (false, true, true),
            (true, false, true),
            (true, true, true),
        ] {
            let seen = shoot(bind, pose, double_sided, shading);
            let pixels = plain.rgba.chunks(4).zip(seen.rgba.chunks(4));
            let different = pixels
                .filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 24))
                .count();
            assert!(
                different < 40,
                "{different} pixels differ: bind {bind}, pose {pose}, double-sided {double_sided}"
            );
        }
    }
}

#[test]
fn every_skinned_or_morphed_corpus_file() {
    let Some(paths) = common::model_files() else {
        return;
    };
    let mut bench = Bench::new();
    let (mut files, mut vertices) = (0, 0);
    for path in paths {
        // What the importer refuses is the importer's own test.
        let Ok(document) = import::load(&path, &import::Progress::new()) else {
            continue;
        };
        let skinned = document
            .instances
            .iter()
            .any(|instance| instance.skin.is_some());
        let morphed = document
            .meshes
            .iter()
            .any(|mesh| !mesh.morph_weights.is_empty());
        if !skinned && !morphed {
            continue;
        }
        let name = path.display().to_string();
        let mut character = Character::new(Arc::new(document));
        character.player.seek(character.player.duration_secs * 0.37);
        character.update();
        vertices += bench.check(character, &name);
        files += 1;
    }
    println!("{files} files, {vertices} vertices");
    assert!(files >= 60, "only {files} files were compared");
}
