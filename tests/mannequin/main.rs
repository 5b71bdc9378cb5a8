//! The built-in character as an object: its surface, texture coordinates, rig, weights and
//! morph targets, and how its skin bears hard bends. All is measured on the document as the
//! library reads it, and posed and skinned by the library. What its clips do is in `built_in/`.

mod bends;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use glam::{Mat4, Vec2, Vec3};
use rigscope::{document::Document, import};

/// The built-in character with its primitives put together.
struct Body {
    document: Document,
    /// Distinct places; vertices that a seam or a change of material doubles count once.
    places: Vec<Vec3>,
    /// Triangles over `places`.
    faces: Vec<[usize; 3]>,
    /// Normals at the corners of `faces`.
    normals: Vec<[Vec3; 3]>,
    /// Texture coordinates at the corners of `faces`.
    uvs: Vec<[Vec2; 3]>,
    /// For each place a vertex there: primitive and index.
    source: Vec<(usize, usize)>,
}

fn body() -> &'static Body {
    static BODY: OnceLock<Body> = OnceLock::new();
    BODY.get_or_init(|| {
        let document = import::built_in();
        let mut body = Body {
            places: Vec::new(),
            faces: Vec::new(),
            normals: Vec::new(),
            uvs: Vec::new(),
            source: Vec::new(),
            document: Document::default(),
        };
        let mut index = HashMap::new();
        for (p, primitive) in document.primitives().enumerate() {
            for corners in primitive.indices.chunks_exact(3) {
                let corners = [0, 1, 2].map(|k| corners[k] as usize);
                body.faces.push(corners.map(|v| {
                    let place = primitive.positions[v];
                    *index
                        .entry(place.to_array().map(f32::to_bits))
                        .or_insert_with(|| {
                            body.places.push(place);
                            body.source.push((p, v));
                            body.places.len() - 1
                        })
                }));
                body.normals.push(corners.map(|v| primitive.normals[v]));
                body.uvs.push(corners.map(|v| primitive.uvs[0][v]));
            }
        }
        body.document = document;
        body
    })
}

fn face_normal(places: &[Vec3], face: [usize; 3]) -> Vec3 {
    let [a, b, c] = face.map(|v| places[v]);
    (b - a).cross(c - a)
}

// ---- surface ----

#[test]
fn it_is_one_closed_skin_of_ten_to_twenty_five_thousand_triangles() {
    let Body { faces, places, .. } = body();
    let count = body().document.triangle_count();
    assert_eq!(count, faces.len());
    assert!((10_000..=25_000).contains(&count), "{count} triangles");
    // Each edge once in each direction: closed, manifold along edges, wound alike.
    let mut directed = HashSet::new();
    for &[a, b, c] in faces {
        for edge in [(a, b), (b, c), (c, a)] {
            assert_ne!(edge.0, edge.1, "a triangle without area");
            assert!(directed.insert(edge), "an edge used twice: {edge:?}");
        }
    }
    for &(a, b) in &directed {
        assert!(directed.contains(&(b, a)), "a hole at {}", places[a]);
    }
    let euler = places.len() + faces.len() - directed.len() / 2;
    assert_eq!(euler, 2, "the skin is one sphere, without handles");
    assert!(volume(places, faces) > 0.0, "it is wound outwards");
}

#[test]
fn its_normals_are_unit_vectors_and_face_as_their_triangles_do() {
    let body = body();
    for (&face, normals) in body.faces.iter().zip(&body.normals) {
        let flat = face_normal(&body.places, face).normalize();
        for (normal, v) in normals.iter().zip(face) {
            assert!((normal.length() - 1.0).abs() < 1e-3, "{normal}");
            let angle = normal.angle_between(flat).to_degrees();
            assert!(angle < 75.0, "{angle} degrees at {}", body.places[v]);
        }
    }
}

#[test]
fn it_stands_on_the_ground_seven_and_a_half_heads_tall() {
    let places = &body().places;
    let heights = || places.iter().map(|p| p.y);
    let (low, high) = (
        heights().fold(f32::INFINITY, f32::min),
        heights().fold(f32::NEG_INFINITY, f32::max),
    );
    assert!(low.abs() < 0.002, "soles at {low}");
    assert!((high - low - 1.75).abs() < 0.01, "{} m", high - low);
    // The chin ends where the profile, followed downwards from the lips, turns under by more
    // than 45 degrees.
    let on = |p: &&Vec3| p.x.abs() < 1e-5 && p.z > 0.0 && (1.48..1.545).contains(&p.y);
    let mut profile: Vec<_> = places.iter().filter(on).collect();
    profile.sort_by(|a, b| b.y.total_cmp(&a.y));
    let mut steps = profile.windows(2);
    let turn = steps.find(|step| step[0].z - step[1].z > step[0].y - step[1].y);
    let chin = turn.map_or(f32::NAN, |step| step[0].y);
    let heads = (high - low) / (high - chin);
    assert!((heads / 7.5 - 1.0).abs() < 0.03, "{heads} heads");
}

#[test]
fn it_is_a_small_file_with_three_plain_materials() {
    let document = &body().document;
    let bytes = include_bytes!("../../assets/mannequin.glb").len();
    assert!(bytes <= 3 << 20, "{bytes} bytes");
    assert_eq!(document.materials.len(), 3);
    assert_eq!(document.instances.len(), 1);
    for material in &document.materials {
        assert_eq!(material.metallic, 0.0, "{}", material.name);
        assert!(material.roughness > 0.3, "{}", material.name);
    }
}

// ---- texture coordinates ----

#[test]
fn its_texture_coordinates_fill_the_square_without_overlap() {
    const SIDE: usize = 512;
    let mut hits = vec![0_u8; SIDE * SIDE];
    for uvs in &body().uvs {
        for uv in uvs {
            let inside = (0.0..=1.0).contains(&uv.x) && (0.0..=1.0).contains(&uv.y);
            assert!(inside, "{uv}");
        }
        let [a, b, c] = uvs.map(|uv| uv * SIDE as f32);
        let turn = (b - a).perp_dot(c - a);
        assert!(turn != 0.0, "a triangle without texture");
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        for y in low.y as usize..=(high.y as usize).min(SIDE - 1) {
            for x in low.x as usize..=(high.x as usize).min(SIDE - 1) {
                let q = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let side = |e: Vec2, f: Vec2| (f - e).perp_dot(q - e) * turn.signum() > 0.0;
                if side(a, b) && side(b, c) && side(c, a) {
                    hits[y * SIDE + x] += 1;
                }
            }
        }
    }
    let covered = hits.iter().filter(|&&n| n > 0).count();
    let doubled = hits.iter().filter(|&&n| n > 1).count();
    assert!(covered > hits.len() * 2 / 5, "{covered} texels covered");
    assert_eq!(doubled, 0, "texels in two triangles");
}

#[test]
fn seams_double_vertices_that_move_alike() {
    // Whatever is at one place has one normal, one set of weights, one set of displacements,
    // or the skin would open there.
    let body = body();
    let mut seen: HashMap<[u32; 3], (usize, usize)> = HashMap::new();
    let primitives: Vec<_> = body.document.primitives().collect();
    let mut doubled = 0;
    for (p, primitive) in primitives.iter().enumerate() {
        for (v, place) in primitive.positions.iter().enumerate() {
            let &mut (q, u) = seen
                .entry(place.to_array().map(f32::to_bits))
                .or_insert((p, v));
            doubled += usize::from((p, v) != (q, u));
            let twin = primitives[q];
            assert_eq!(primitive.normals[v], twin.normals[u]);
            let influences = |at: (usize, usize)| {
                let of = primitives[at.0].influences.of_vertex(at.1);
                of.collect::<Vec<_>>()
            };
            assert_eq!(influences((p, v)), influences((q, u)));
            for (mine, theirs) in primitive.morph_targets.iter().zip(&twin.morph_targets) {
                assert_eq!(mine.positions[v], theirs.positions[u]);
                assert_eq!(mine.normals[v], theirs.normals[u]);
            }
        }
    }
    assert!(
        doubled > 500,
        "{doubled} doubled vertices: are there seams?"
    );
}

// ---- rig ----

fn joint(name: &str) -> usize {
    let joints = &body().document.skeleton.joints;
    let index = joints.iter().position(|joint| joint.name == name);
    index.unwrap_or_else(|| unreachable!("there is a joint {name}"))
}

fn rest() -> Vec<Mat4> {
    body().document.skeleton.rest_globals()
}

/// The joint that a bone points at: the one that goes on with the limb.
fn main_child(name: &str) -> Option<String> {
    const CHAIN: [&str; 7] = [
        "Hips", "Spine1", "Spine2", "Spine3", "Spine4", "Neck", "Head",
    ];
    if let Some(k) = CHAIN.iter().position(|&n| n == name) {
        return CHAIN.get(k + 1).map(|&n| n.to_owned());
    }
    let (stem, side) = name.split_at(name.len() - 2);
    let next = match stem {
        "Shoulder" => "UpperArm",
        "UpperArm" => "LowerArm",
        "LowerArm" | "LowerArmTwist" => "Hand",
        "UpperLeg" => "LowerLeg",
        "LowerLeg" | "LowerLegTwist" => "Foot",
        "Foot" => "Toes",
        _ => {
            let finger = stem.strip_suffix(['1', '2'])?;
            let number = if stem.ends_with('1') { 2 } else { 3 };
            return Some(format!("{finger}{number}{side}"));
        }
    };
    Some(format!("{next}{side}"))
}

#[test]
fn its_rig_has_the_joints_of_a_character_with_unique_names() {
    let document = &body().document;
    let names: HashSet<_> = document.skins[0]
        .joints
        .iter()
        .map(|&j| document.skeleton.joints[j as usize].name.as_str())
        .collect();
    assert_eq!(names.len(), document.skins[0].joints.len(), "unique names");
    assert!((55..=75).contains(&names.len()), "{} joints", names.len());
    for limb in ["UpperArm", "LowerArm", "UpperLeg", "LowerLeg"] {
        for side in ['L', 'R'] {
            let twist = joint(&format!("{limb}Twist.{side}"));
            let parent = document.skeleton.joints[twist].parent;
            assert_eq!(parent, Some(joint(&format!("{limb}.{side}"))));
        }
    }
    for finger in ["Thumb", "Index", "Middle", "Ring", "Little"] {
        for (number, side) in [(1, 'L'), (2, 'L'), (3, 'L'), (1, 'R'), (2, 'R'), (3, 'R')] {
            joint(&format!("{finger}{number}.{side}"));
        }
    }
}

#[test]
fn every_bone_runs_along_its_y_axis() {
    let rest = rest();
    let mut checked = 0;
    for j in &body().document.skins[0].joints {
        let name = &body().document.skeleton.joints[*j as usize].name;
        let Some(child) = main_child(name) else {
            continue;
        };
        let here = rest[*j as usize];
        let there = rest[joint(&child)].w_axis.truncate();
        let along = (there - here.w_axis.truncate()).normalize();
        let y = here.y_axis.truncate();
        assert!(y.dot(along) > 0.9999, "{name} points at {y}, not {along}");
        let axes = [here.x_axis, here.y_axis, here.z_axis].map(glam::Vec4::truncate);
        assert!(axes[0].cross(axes[1]).dot(axes[2]) > 0.999, "{name}");
        checked += 1;
    }
    assert_eq!(checked, 42, "bones that go on");
}

#[test]
fn left_and_right_are_mirror_images() {
    let rest = rest();
    let flip = Vec3::new(-1.0, 1.0, 1.0);
    let mut pairs = 0;
    for (index, bone) in body().document.skeleton.joints.iter().enumerate() {
        let Some(stem) = bone.name.strip_suffix(".L") else {
            continue;
        };
        let other = rest[joint(&format!("{stem}.R"))];
        let axis = |m: Mat4, k: usize| m.col(k).truncate();
        let here = rest[index];
        assert!((axis(here, 3) * flip).abs_diff_eq(axis(other, 3), 1e-5));
        assert!((axis(here, 1) * flip).abs_diff_eq(axis(other, 1), 1e-4));
        assert!((axis(here, 2) * flip).abs_diff_eq(axis(other, 2), 1e-4));
        pairs += 1;
    }
    assert_eq!(pairs, 27);
    let key = |p: Vec3| (p * 1e5).round().to_array().map(|v| v as i32);
    let all: HashSet<_> = body().places.iter().map(|&p| key(p)).collect();
    let alone = body().places.iter().filter(|&&p| {
        let [x, y, z] = key(p * flip);
        let near = |d: i32| (d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1);
        (0..27)
            .map(near)
            .all(|(i, j, k)| !all.contains(&[x + i, y + j, z + k]))
    });
    assert_eq!(alone.count(), 0, "points without a mirror image");
}

// ---- weights and morph targets ----

#[test]
fn each_vertex_has_at_most_four_weights_that_sum_to_one() {
    for primitive in body().document.primitives() {
        for v in 0..primitive.vertex_count() {
            let weights: Vec<_> = primitive.influences.of_vertex(v).collect();
            assert!(weights.iter().filter(|(_, w)| *w > 0.0).count() <= 4);
            let sum: f32 = weights.iter().map(|(_, w)| w).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{sum}");
        }
    }
}

#[test]
fn every_joint_holds_skin() {
    // A joint that moves nothing is a joint that an artist animates in vain.
    let mut share = vec![0.0; body().document.skins[0].joints.len()];
    for primitive in body().document.primitives() {
        for v in 0..primitive.vertex_count() {
            for (slot, weight) in primitive.influences.of_vertex(v) {
                share[usize::from(slot)] += weight;
            }
        }
    }
    for (slot, share) in share.iter().enumerate() {
        let index = body().document.skins[0].joints[slot] as usize;
        let name = &body().document.skeleton.joints[index].name;
        assert!(*share > 5.0, "{name} holds the weight of {share} vertices");
    }
}

#[test]
fn three_morph_targets_breathe_smile_and_close_the_eyes() {
    let mesh = &body().document.meshes[0];
    assert_eq!(mesh.morph_names, ["Breath", "Smile", "EyesClosed"]);
    assert!(mesh.morph_weights.iter().all(|&w| w == 0.0));
    // Where each works: height from, to, and how far the skin goes there in metres.
    let regions = [
        (1.0, 1.47, 0.005..0.02),
        (1.53, 1.66, 0.002..0.01),
        (1.61, 1.66, 0.005..0.02),
    ];
    for (k, (low, high, reach)) in regions.into_iter().enumerate() {
        let mut most: f32 = 0.0;
        for primitive in &mesh.primitives {
            let moves = &primitive.morph_targets[k].positions;
            for (place, by) in primitive.positions.iter().zip(moves) {
                most = most.max(by.length());
                assert!(
                    by.length() < 2e-4 || (low..high).contains(&place.y),
                    "{} moves {place}",
                    mesh.morph_names[k]
                );
            }
        }
        assert!(reach.contains(&most), "{}: {most} m", mesh.morph_names[k]);
    }
}

// ---- measures ----

fn volume(places: &[Vec3], faces: &[[usize; 3]]) -> f32 {
    volume_from(places, faces.iter().copied(), Vec3::Y)
}

/// Of the fan between a point and triangles.
fn volume_from(places: &[Vec3], faces: impl Iterator<Item = [usize; 3]>, from: Vec3) -> f32 {
    let six = faces.map(|face| {
        let [a, b, c] = face.map(|v| (places[v] - from).as_dvec3());
        a.cross(b).dot(c)
    });
    (six.sum::<f64>() / 6.0) as f32
}
