//! Primitives compressed by `KHR_draco_mesh_compression`.

use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, FaceIndex, GeometryAttributeType, Mesh, MeshEncoder,
    PointAttribute, PointIndex,
};
use rigscope::document::Primitive;
use serde_json::{Value, json};

use crate::{
    common::{
        self,
        glb::{Builder, U16},
    },
    fixture::{load, load_clean, primitive, refusal, rig},
    robustness::{Random, survive},
};

const EXTENSION: &str = "KHR_draco_mesh_compression";

/// Columns and rows of a grid of vertices.
const SIDE: usize = 9;

fn positions() -> Vec<f32> {
    (0..SIDE * SIDE)
        .flat_map(|v| {
            let [x, y] = [v % SIDE, v / SIDE].map(|n| n as f32);
            [
                x,
                y,
                ((x * 7.0).sin() * 10.0 + (y * 0.4).cos() * 10.0).round() / 10.0,
            ]
        })
        .collect()
}

fn faces() -> Vec<[u32; 3]> {
    let side = SIDE as u32;
    (0..side - 1)
        .flat_map(|y| (0..side - 1).map(move |x| y * side + x))
        .flat_map(|at| [[at, at + 1, at + side], [at + 1, at + side + 1, at + side]])
        .collect()
}

/// The lower joint at the left, the upper at the right.
fn slots() -> Vec<u16> {
    (0..SIDE * SIDE)
        .flat_map(|v| [u16::from(v % SIDE > SIDE / 2), 0, 0, 0])
        .collect()
}

fn weights() -> Vec<f32> {
    (0..SIDE * SIDE)
        .flat_map(|_| [1.0, 0.0, 0.0, 0.0])
        .collect()
}

/// A stream of positions (id 0), slots (1) and weights (2); quantised by so many bits,
/// or exact for 0.
fn stream(level: i32, bits: i32) -> Vec<u8> {
    let mut mesh = Mesh::new();
    let mut add = |kind, width: u8, data: DataType, bytes: Vec<u8>| {
        let mut attribute = PointAttribute::new();
        attribute.init(kind, width, data, false, SIDE * SIDE);
        attribute.buffer_mut().write(0, &bytes);
        mesh.add_attribute(attribute)
    };
    let floats = |values: Vec<f32>| values.into_iter().flat_map(f32::to_le_bytes).collect();
    let position = add(
        GeometryAttributeType::Position,
        3,
        DataType::Float32,
        floats(positions()),
    );
    let slots = slots().into_iter().flat_map(u16::to_le_bytes).collect();
    add(GeometryAttributeType::Generic, 4, DataType::Uint16, slots);
    add(
        GeometryAttributeType::Generic,
        4,
        DataType::Float32,
        floats(weights()),
    );
    mesh.set_num_points(SIDE * SIDE);
    mesh.set_num_faces(faces().len());
    for (index, face) in faces().into_iter().enumerate() {
        mesh.set_face(FaceIndex(index as u32), face.map(PointIndex));
    }
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut options = EncoderOptions::new();
    options.set_compression_level(level);
    options.set_attribute_quantization(position, bits);
    let mut out = EncoderBuffer::new();
    encoder.encode(&options, &mut out).expect("it encodes");
    out.data().to_vec()
}

/// The grid on the rig's joints, not compressed.
fn plain() -> Builder {
    let mut file = rig();
    let positions = file.floats("VEC3", &positions());
    let slots = file.accessor(U16, "VEC4", SIDE * SIDE, &crate::fixture::bytes(&slots()));
    let weights = file.floats("VEC4", &weights());
    let corners: Vec<u16> = faces()
        .into_iter()
        .flatten()
        .map(|index| index as u16)
        .collect();
    let indices = file.accessor(
        U16,
        "SCALAR",
        corners.len(),
        &crate::fixture::bytes(&corners),
    );
    *primitive(&mut file) = json!({
        "attributes": {"POSITION": positions, "JOINTS_0": slots, "WEIGHTS_0": weights},
        "indices": indices
    });
    file
}

/// The same with a stream.
fn compressed(stream: &[u8]) -> Builder {
    let mut file = plain();
    let view = file.view(stream);
    for accessor in file.json["accessors"]
        .as_array_mut()
        .expect("accessors")
        .iter_mut()
        .skip(7)
    {
        accessor
            .as_object_mut()
            .expect("an object")
            .remove("bufferView");
    }
    primitive(&mut file)["extensions"] = json!({EXTENSION: {
        "bufferView": view,
        "attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}
    }});
    file.json["extensionsUsed"] = json!([EXTENSION]);
    file.json["extensionsRequired"] = json!([EXTENSION]);
    file
}

/// Triangles by their corners' positions and joints, in an order of their own.
fn corners(primitive: &Primitive) -> Vec<[[i32; 4]; 3]> {
    let mut triangles: Vec<[[i32; 4]; 3]> = primitive
        .indices
        .chunks(3)
        .map(|triangle| {
            let mut corners = [0, 1, 2].map(|corner| {
                let vertex = triangle[corner] as usize;
                let [x, y, z] = primitive.positions[vertex]
                    .to_array()
                    .map(|v| (v * 100.0).round() as i32);
                [
                    x,
                    y,
                    z,
                    i32::from(primitive.positions[vertex].x.round() as usize > SIDE / 2),
                ]
            });
            // The winding counts, the first corner does not.
            let first = (0..3).min_by_key(|&corner| corners[corner]).unwrap_or(0);
            corners.rotate_left(first);
            corners
        })
        .collect();
    triangles.sort_unstable();
    triangles
}

#[test]
fn a_skinned_grid_arrives() {
    let expected = load_clean(&plain());
    let expected = &expected.meshes[0].primitives[0];
    for (level, bits) in [(0, 0), (0, 14), (5, 14), (7, 16), (10, 14)] {
        let document = load_clean(&compressed(&stream(level, bits)));
        let found = &document.meshes[0].primitives[0];
        assert_eq!(found.file_vertex_count, SIDE * SIDE, "level {level}");
        assert_eq!(corners(found), corners(expected), "level {level}");
        for vertex in 0..found.file_vertex_count {
            let slot = u16::from(found.positions[vertex].x.round() as usize > SIDE / 2);
            let influences: Vec<_> = found.influences.of_vertex(vertex).collect();
            assert_eq!(influences[0], (slot, 1.0), "level {level} vertex {vertex}");
        }
    }
}

/// Exporters of old left the counts of before the compression; the stream is right.
#[test]
fn counts_are_the_streams() {
    let mut file = compressed(&stream(7, 14));
    for accessor in file.json["accessors"]
        .as_array_mut()
        .expect("accessors")
        .iter_mut()
        .skip(7)
    {
        accessor["count"] = json!(3);
    }
    let document = load(&file);
    assert_eq!(
        document.meshes[0].primitives[0].file_vertex_count,
        SIDE * SIDE
    );
    let [finding] = &document.findings[..] else {
        panic!("{:?}", document.findings);
    };
    for word in ["primitive 0", "81", "384 indices", "not 3"] {
        assert!(finding.message.contains(word), "{}", finding.message);
    }
}

/// What is changed, and words of the message that then comes.
type Case<'a> = (fn(&mut Value), &'a [&'a str]);

#[test]
fn rules_of_the_extension() {
    let cases: [Case<'_>; 7] = [
        (|p| p["mode"] = json!(1), &["mode is 1"]),
        (|p| p["extensions"][EXTENSION] = json!({}), &["bufferView"]),
        (
            |p| p["extensions"][EXTENSION]["bufferView"] = json!(99),
            &["bufferView 99"],
        ),
        (
            |p| p["extensions"][EXTENSION]["bufferView"] = json!("x"),
            &["\"x\""],
        ),
        (
            |p| p["extensions"][EXTENSION]["bufferView"] = json!(0),
            &["bufferView 0", "48 bytes"],
        ),
        (
            |p| p["extensions"][EXTENSION]["attributes"]["POSITION"] = json!(9),
            &["attribute 9"],
        ),
        (
            |p| p["extensions"][EXTENSION]["attributes"]["POSITION"] = json!(1),
            &["4 components", "has 3"],
        ),
    ];
    let stream = stream(7, 14);
    for (change, words) in cases {
        let mut file = compressed(&stream);
        change(primitive(&mut file));
        let message = refusal(&file);
        for word in ["mesh 0 \"Quad\" primitive 0"].iter().chain(words) {
            assert!(message.contains(word), "{word:?} is not in {message:?}");
        }
    }
}

/// Streams cut and changed anywhere end in a message that names the primitive, or in a
/// sound document.
#[test]
fn broken_streams() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut loaded = 0;
    for (level, bits) in [(0, 0), (0, 14), (5, 14), (7, 11), (10, 14)] {
        let stream = stream(level, bits);
        for length in 0..stream.len() {
            let file = compressed(&stream[..length]);
            if let Err(error) = rigscope::import::from_glb_bytes("test.glb", &file.glb()) {
                assert!(error.to_string().contains("primitive 0"), "{error}");
            }
        }
        for case in 0..800 {
            let mut stream = stream.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(stream.len());
                stream[at] = random.below(256) as u8;
            }
            loaded += usize::from(survive(
                &compressed(&stream).glb(),
                &format!("level {level} case {case}"),
            ));
        }
    }
    println!("{loaded} of 4000 broken files loaded");
    assert!(loaded > 100, "only {loaded}");
}

/// The same with the streams of other encoders.
#[test]
fn broken_files_of_the_corpus() {
    let Some(shared) = common::shared() else {
        return;
    };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for name in [
        "blender/bl_human_draco.glb",
        "variants/Fox_meshopt.glb",
        "variants/AnimatedMorphSphere_meshopt.glb",
    ] {
        let whole = std::fs::read(shared.join("corpus").join(name)).expect("a file of the corpus");
        let json = u32::from_le_bytes([12, 13, 14, 15].map(|i| whole[i])) as usize;
        // Bytes of the streams: where they begin in the buffer, and how long they are.
        let streams = match name {
            "blender/bl_human_draco.glb" => 0..22_914,
            "variants/Fox_meshopt.glb" => 26_768..57_804,
            _ => 0..22_954,
        };
        let mut loaded = 0;
        for case in 0..150 {
            let mut bytes = whole.clone();
            for _ in 0..=random.below(3) {
                let at = 28 + json + streams.start + random.below(streams.len());
                bytes[at] ^= 1 << random.below(8);
            }
            loaded += usize::from(survive(&bytes, &format!("{name} case {case}")));
        }
        println!("{name}: {loaded} of 150 loaded");
    }
}
