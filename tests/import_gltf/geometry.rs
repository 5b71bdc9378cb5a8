//! Topology, missing normals and tangents, colours, broken vertices.

use glam::{Vec2, Vec3, Vec4};
use rigscope::document::{Document, FindingCode, Topology};
use serde_json::json;

use crate::{
    common::glb::{Builder, I8, U8, U16},
    fixture::{
        QUAD, assert_names, attribute, bytes, finding, first, load, load_clean, primitive, quad,
        refusal, rig,
    },
};

#[test]
fn every_mode_becomes_a_list() {
    for (mode, topology, indices) in [
        (0, Topology::Points, vec![0, 1, 2, 3]),
        (1, Topology::Lines, vec![0, 1, 2, 3]),
        (2, Topology::Lines, vec![0, 1, 1, 2, 2, 3, 3, 0]),
        (3, Topology::Lines, vec![0, 1, 1, 2, 2, 3]),
        (5, Topology::Triangles, vec![0, 1, 2, 1, 3, 2]),
        (6, Topology::Triangles, vec![1, 2, 0, 2, 3, 0]),
    ] {
        let mut file = quad();
        *primitive(&mut file) = json!({"attributes": {"POSITION": 0}, "mode": mode});
        let document = load_clean(&file);
        assert_eq!(first(&document).topology, topology);
        assert_eq!(first(&document).indices, indices);
        // Points and lines have no faces that could give them normals.
        assert_eq!(
            first(&document).normals.is_empty(),
            topology != Topology::Triangles
        );
    }
    let mut file = quad();
    primitive(&mut file)["mode"] = json!(9);
    let document = load(&file);
    assert!(document.meshes[0].primitives.is_empty());
    assert_names(
        &finding(&document, FindingCode::MeshInvalid).message,
        &["\"Quad\"", "mode 9"],
    );
}

#[test]
fn indices_of_every_width_and_their_faults() {
    let wide: Vec<u8> = [0_u32, 1, 2].iter().flat_map(|v| v.to_le_bytes()).collect();
    for (component, raw) in [
        (U8, vec![0_u8, 1, 2]),
        (U16, bytes(&[0, 1, 2])),
        (5125, wide),
    ] {
        let mut file = quad();
        let accessor = file.accessor(component, "SCALAR", 3, &raw);
        primitive(&mut file)["indices"] = json!(accessor);
        assert_eq!(first(&load_clean(&file)).indices, [0, 1, 2]);
    }
    let mut file = quad();
    let accessor = file.accessor(U16, "SCALAR", 4, &bytes(&[0, 1, 2, 3]));
    primitive(&mut file)["indices"] = json!(accessor);
    let document = load(&file);
    assert_eq!(first(&document).indices.len(), 3);
    assert_names(
        &document.findings[0].message,
        &["\"Quad\"", "1 ind", "left out"],
    );
    let accessor = file.accessor(U16, "SCALAR", 3, &bytes(&[0, 1, 4]));
    primitive(&mut file)["indices"] = json!(accessor);
    assert_names(
        &refusal(&file),
        &["mesh 0 \"Quad\"", "index 4", "4 vertices"],
    );
}

#[test]
fn attributes_must_count_as_many_as_there_are_vertices() {
    for name in [
        "NORMAL",
        "TEXCOORD_0",
        "TEXCOORD_1",
        "COLOR_0",
        "TANGENT",
        "JOINTS_0",
        "WEIGHTS_0",
    ] {
        let mut file = rig();
        let normals = file.floats("VEC3", &[0., 0., 1.].repeat(4));
        attribute(&mut file, "NORMAL", normals);
        let accessor = match name {
            "JOINTS_0" => file.accessor(U8, "VEC4", 3, &[0; 12]),
            "NORMAL" => file.floats("VEC3", &[0., 0., 1.].repeat(3)),
            "TEXCOORD_0" | "TEXCOORD_1" => file.floats("VEC2", &[0.; 6]),
            _ => file.floats("VEC4", &[0.; 12]),
        };
        attribute(&mut file, name, accessor);
        assert_names(
            &refusal(&file),
            &["mesh 0 \"Quad\"", name, "3 elements", "4 vertices"],
        );
    }
    let mut file = quad();
    let accessor = file.floats("VEC3", &QUAD[..9]);
    primitive(&mut file)["targets"] = json!([{"POSITION": accessor}]);
    assert_names(
        &refusal(&file),
        &["morph target 0", "POSITION", "3 elements"],
    );
}

#[test]
fn primitives_that_cannot_be_drawn_leave_the_rest() {
    let mut file = quad();
    let empty = file.floats("VEC3", &[]);
    let list = file.json["meshes"][0]["primitives"]
        .as_array_mut()
        .expect("a list");
    list.insert(0, json!({"attributes": {"NORMAL": 0}}));
    list.insert(1, json!({"attributes": {"POSITION": empty}}));
    let document = load(&file);
    assert_eq!(document.meshes[0].primitives.len(), 1);
    assert_names(
        &document.findings[0].message,
        &["mesh 0 \"Quad\" primitive 0", "no POSITION"],
    );
    assert_names(
        &document.findings[1].message,
        &["mesh 0 \"Quad\" primitive 1", "no vertices"],
    );
}

#[test]
fn missing_normals_are_made_and_said_to_be_flat() {
    let document = load_clean(&quad());
    assert!(first(&document).flat_shading);
    assert_eq!(first(&document).normals, [Vec3::Z; 4]);
    // Tiny models have faces too.
    let mut file = quad();
    let tiny = file.floats("VEC3", &QUAD.map(|v| v * 1e-18));
    attribute(&mut file, "POSITION", tiny);
    assert_eq!(first(&load_clean(&file)).normals, [Vec3::Z; 4]);
}

#[test]
fn stored_normals_become_unit() {
    let mut file = quad();
    let stored = file.floats("VEC3", &[0., 3., 4., 0., 0., 0., 1., 0., 0., 0., 1., 0.]);
    attribute(&mut file, "NORMAL", stored);
    let document = load(&file);
    let normals = &first(&document).normals;
    assert!(!first(&document).flat_shading);
    assert!(normals[0].abs_diff_eq(Vec3::new(0.0, 0.6, 0.8), 1e-6));
    assert_eq!(normals[1], Vec3::Z);
    assert_names(
        &document.findings[0].message,
        &["\"Quad\"", "1 of 4 normals"],
    );

    let mut file = quad();
    let stored = file.accessor(I8, "VEC3", 4, &[0, 0, 127].repeat(4));
    file.json["accessors"][stored]["normalized"] = json!(true);
    attribute(&mut file, "NORMAL", stored);
    assert_eq!(first(&load_clean(&file)).normals, [Vec3::Z; 4]);
}

#[test]
fn colours_of_every_kind() {
    let colours = |kind: &str, component: u32, raw: &[u8]| {
        let mut file = quad();
        let accessor = file.accessor(component, kind, 4, raw);
        file.json["accessors"][accessor]["normalized"] = json!(true);
        attribute(&mut file, "COLOR_0", accessor);
        first(&load_clean(&file)).colors[0]
    };
    let near = |a: Vec4, b: [f32; 4]| assert!(a.abs_diff_eq(Vec4::from(b), 1e-6), "{a}");
    near(
        colours("VEC3", U8, &[51, 0, 255].repeat(4)),
        [0.2, 0.0, 1.0, 1.0],
    );
    near(
        colours("VEC4", U8, &[51, 0, 255, 51].repeat(4)),
        [0.2, 0.0, 1.0, 0.2],
    );
    near(
        colours("VEC4", U16, &bytes(&[13107, 0, 65535, 0].repeat(4))),
        [0.2, 0.0, 1.0, 0.0],
    );
    let floats = [0.5_f32, 0.25, 2.0].map(f32::to_le_bytes).concat();
    near(
        colours("VEC3", 5126, &floats.repeat(4)),
        [0.5, 0.25, 2.0, 1.0],
    );
}

#[test]
fn quantised_texture_coordinates() {
    let uvs = |component: u32, normalized: bool, raw: &[u8]| {
        let mut file = quad();
        let accessor = file.accessor(component, "VEC2", 4, raw);
        file.json["accessors"][accessor]["normalized"] = json!(normalized);
        attribute(&mut file, "TEXCOORD_1", accessor);
        let document = load_clean(&file);
        assert!(first(&document).uvs[0].is_empty());
        first(&document).uvs[1][0]
    };
    assert_eq!(uvs(U8, true, &[255, 0].repeat(4)), Vec2::new(1.0, 0.0));
    assert_eq!(uvs(U8, false, &[255, 2].repeat(4)), Vec2::new(255.0, 2.0));
    assert_eq!(
        uvs(U16, true, &bytes(&[65535, 0].repeat(4))),
        Vec2::new(1.0, 0.0)
    );
    assert_eq!(uvs(I8, false, &[0xff, 3].repeat(4)), Vec2::new(-1.0, 3.0));
}

#[test]
fn vertices_that_are_no_numbers() {
    let mut file = quad();
    let mut positions = QUAD;
    positions[3] = f32::NAN;
    positions[10] = f32::INFINITY;
    let accessor = file.floats("VEC3", &positions);
    attribute(&mut file, "POSITION", accessor);
    let uvs = file.floats("VEC2", &[0., f32::NAN, 1., 1., 1., 1., 1., 1.]);
    attribute(&mut file, "TEXCOORD_0", uvs);
    let document = load(&file);
    let positions = &first(&document).positions;
    assert_eq!((positions[1], positions[3]), (positions[0], positions[2]));
    assert_eq!(first(&document).bounds.max, Vec3::new(1.0, 1.0, 0.0));
    assert_eq!(first(&document).uvs[0][0], Vec2::ONE);
    assert_names(
        &document.findings[0].message,
        &["POSITION of mesh 0 \"Quad\"", "2 of 4", "vertex 1"],
    );
    assert_names(
        &document.findings[1].message,
        &["TEXCOORD_0", "1 of 4", "vertex 0"],
    );
    assert_eq!(document.findings[0].mesh, Some(0));
}

/// A normal-mapped quad whose right half is mirrored in texture space: the two
/// vertices on the seam need tangents of both signs.
fn mirrored() -> Builder {
    let mut file = rig();
    file.json["materials"] = json!([{"normalTexture": {"index": 0}}]);
    file.json["textures"] = json!([{"source": 0}]);
    file.json["images"] = json!([{"uri": "data:,"}]);
    let positions = [
        [0., 0., 0.],
        [1., 0., 0.],
        [2., 0., 0.],
        [0., 1., 0.],
        [1., 1., 0.],
        [2., 1., 0.],
    ];
    let positions = file.floats("VEC3", &positions.concat());
    let uvs = [[0., 1.], [1., 1.], [0., 1.], [0., 0.], [1., 0.], [0., 0.]];
    let uvs = file.floats("VEC2", &uvs.concat());
    let normals = file.floats("VEC3", &[0., 0., 1.].repeat(6));
    let joints = file.accessor(U8, "VEC4", 6, &[1, 0, 0, 0].repeat(6));
    let weights = file.floats("VEC4", &[0.5, 0.5, 0., 0.].repeat(6));
    let indices = file.accessor(
        U16,
        "SCALAR",
        12,
        &bytes(&[0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4]),
    );
    *primitive(&mut file) = json!({
        "attributes": {"POSITION": positions, "NORMAL": normals, "TEXCOORD_0": uvs,
            "COLOR_0": normals, "JOINTS_0": joints, "WEIGHTS_0": weights},
        "indices": indices, "material": 0, "targets": [{"POSITION": positions}]
    });
    file
}

#[test]
fn missing_tangents_are_made_and_split_where_they_must() {
    let document = load(&mirrored());
    let made = first(&document);
    assert_eq!((made.file_vertex_count, made.vertex_count()), (6, 8));
    assert_eq!(document.vertex_count(), 6);
    // The copies carry everything that their originals have.
    for copy in 6..8 {
        let original = (0..6)
            .find(|&v| made.positions[v] == made.positions[copy])
            .expect("a copy of a vertex of the file");
        assert_eq!(made.uvs[0][copy], made.uvs[0][original]);
        assert_eq!(made.colors[copy], made.colors[original]);
        assert_eq!(
            made.influences.of_vertex(copy).collect::<Vec<_>>(),
            made.influences.of_vertex(original).collect::<Vec<_>>()
        );
        let target = &made.morph_targets[0].positions;
        assert_eq!(target[copy], target[original]);
    }
    // Along growing u; v grows downwards, so the bitangent n × t · w points up.
    for (position, tangent) in made.positions.iter().zip(&made.tangents) {
        let right = position.x > 1.0 || (position.x == 1.0 && tangent.x < 0.0);
        let expected = if right {
            Vec4::new(-1., 0., 0., -1.)
        } else {
            Vec4::new(1., 0., 0., 1.)
        };
        assert!(tangent.abs_diff_eq(expected, 1e-5), "{position} {tangent}");
    }
    for face in made.indices.chunks(3) {
        let sign = made.tangents[face[0] as usize].w;
        assert!(face.iter().all(|&v| made.tangents[v as usize].w == sign));
    }
}

#[test]
fn tangents_follow_the_transform_of_the_normal_map() {
    let mut file = mirrored();
    // A quarter turn of the texture coordinates.
    file.json["materials"][0]["normalTexture"]["extensions"] =
        json!({"KHR_texture_transform": {"rotation": core::f32::consts::FRAC_PI_2}});
    let document = load(&file);
    let tangent = first(&document).tangents[0];
    assert!(tangent.y.abs() > 0.99, "{tangent}");
}

#[test]
fn stored_tangents_are_kept_but_not_without_normals() {
    let mut file = mirrored();
    let tangents = file.floats("VEC4", &[0., 2., 0., 0.5].repeat(6));
    attribute(&mut file, "TANGENT", tangents);
    let document = load(&file);
    assert_eq!(first(&document).tangents, [Vec4::new(0., 1., 0., 1.); 6]);

    primitive(&mut file)["attributes"]
        .as_object_mut()
        .expect("an object")
        .remove("NORMAL");
    let document = load(&file);
    assert!(first(&document).flat_shading);
    assert!(
        first(&document).tangents[0].x.abs() > 0.99,
        "made, not read"
    );
}

#[test]
fn no_normal_map_no_tangents() {
    let mut file = mirrored();
    file.json["materials"] = json!([{}]);
    let document: Document = load_clean(&file);
    assert!(first(&document).tangents.is_empty());
    assert_eq!(first(&document).vertex_count(), 6);
}

#[test]
fn degenerate_faces_do_not_hurt_tangents() {
    let mut file = mirrored();
    let same = file.floats("VEC3", &[1., 1., 1.].repeat(6));
    attribute(&mut file, "POSITION", same);
    load(&file);
    let mut file = mirrored();
    let same = file.floats("VEC2", &[0.5; 12]);
    attribute(&mut file, "TEXCOORD_0", same);
    load(&file);
    let mut file = mirrored();
    let huge = file.floats("VEC3", &[1e38, -1e38, 3e38, -3e38, 0., 1.].repeat(3));
    attribute(&mut file, "POSITION", huge);
    load(&file);
}
