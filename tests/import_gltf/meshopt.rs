//! Buffer views compressed by `EXT_meshopt_compression` and its successor.

use rigscope::{document::Document, import::from_glb_bytes};
use serde_json::{Value, json};

use crate::{
    common::glb::{Builder, F32, U16, U32},
    fixture::{load, load_clean, primitive, quad, refusal, rig},
    meshopt_encoder::{attributes, sequence, triangles},
    robustness::{Random, survive},
};

const EXT: &str = "EXT_meshopt_compression";
const KHR: &str = "KHR_meshopt_compression";

fn random() -> Random {
    Random(0x9e37_79b9_7f4a_7c15)
}

/// Puts a stream in place of a view's bytes, which go to a buffer that does not exist.
fn compress(file: &mut Builder, view: usize, extension: &str, stream: &[u8], form: Value) {
    let length = file.json["bufferViews"][view]["byteLength"].clone();
    let stored = file.view(stream);
    let place = file.json["bufferViews"]
        .as_array_mut()
        .expect("views")
        .remove(stored);
    let mut form = form;
    for key in ["buffer", "byteOffset", "byteLength"] {
        form[key] = place[key].clone();
    }
    file.json["bufferViews"][view] =
        json!({"buffer": 1, "byteLength": length, "extensions": {extension: form}});
    file.json["extensionsUsed"] = json!([extension]);
    file.json["extensionsRequired"] = json!([extension]);
    file.json["buffers"] = json!([
        {"byteLength": file.bin.len()},
        {"byteLength": 1 << 20, "extensions": {extension: {"fallback": true}}}
    ]);
}

/// The bytes of a view as the fixture has stored them.
fn content(file: &Builder, view: usize) -> Vec<u8> {
    let place = |key: &str| file.json["bufferViews"][view][key].as_u64().unwrap_or(0) as usize;
    file.bin[place("byteOffset")..][..place("byteLength")].to_vec()
}

/// A view of attributes of the fixture.
fn compress_attributes(file: &mut Builder, view: usize, stride: usize, extension: &str) {
    let plain = content(file, view);
    let version = u8::from(extension == KHR);
    let stream = attributes(&plain, stride, version, &mut random());
    let form = json!({"mode": "ATTRIBUTES", "byteStride": stride, "count": plain.len() / stride});
    compress(file, view, extension, &stream, form);
}

fn assert_same(a: &Document, b: &Document) {
    assert_eq!(a.meshes, b.meshes);
    assert_eq!(a.skins, b.skins);
    assert_eq!(a.clips, b.clips);
}

#[test]
fn a_rig_arrives_as_it_was() {
    let plain = rig();
    for extension in [EXT, KHR] {
        let mut file = rig();
        // Positions, slots, weights, matrices, times and rotations.
        for (view, stride) in [(0, 12), (2, 4), (3, 16), (4, 64), (5, 4), (6, 16)] {
            compress_attributes(&mut file, view, stride, extension);
        }
        let (stream, indices) = triangles(&[[0, 1, 2], [0, 2, 3]], &mut [0; 8]);
        assert_eq!(indices[..3], [0, 1, 2]);
        let form = json!({"mode": "TRIANGLES", "byteStride": 2, "count": 6});
        compress(&mut file, 1, extension, &stream, form);
        let mut expected = load_clean(&plain);
        expected.meshes[0].primitives[0].indices = indices;
        let found = load_clean(&file);
        assert_same(&found, &expected);
        let listed: Vec<_> = found
            .asset
            .extensions
            .iter()
            .map(|e| (e.name.as_str(), e.required, e.supported))
            .collect();
        assert_eq!(listed, [(extension, true, true)]);
    }
}

/// Random numbers, slow and fast ones, over several blocks of every size.
#[test]
fn attributes_of_every_stride() {
    let mut random = random();
    for stride in (4..=256).step_by(4) {
        for count in [1, 15, 16, 17, 300, 700] {
            let mut plain = vec![0_u8; stride * count];
            for at in 0..plain.len() {
                let before = at.checked_sub(stride).map_or(7, |before| plain[before]);
                let byte = at % stride;
                plain[at] = match byte % 5 {
                    0 => before.wrapping_add(1),
                    1 => random.below(256) as u8,
                    2 => before.wrapping_add((random.below(40) / 39) as u8),
                    3 => before.wrapping_sub(random.below(6) as u8),
                    _ => before,
                };
            }
            for extension in [EXT, KHR] {
                let version = u8::from(extension == KHR);
                let stream = attributes(&plain, stride, version, &mut random);
                check_bytes(&plain, stride, extension, &stream);
            }
        }
    }
}

/// Reads a view of any bytes back: as joint slots, four bytes at a time.
fn check_bytes(plain: &[u8], stride: usize, extension: &str, stream: &[u8]) {
    let vertices = plain.len() / 4;
    let mut file = quad();
    let positions = file.floats("VEC3", &vec![0.0; vertices * 3]);
    let colors = file.accessor(5121, "VEC4", vertices, plain);
    *primitive(&mut file) =
        json!({"mode": 0, "attributes": {"POSITION": positions, "COLOR_0": colors}});
    let form = json!({"mode": "ATTRIBUTES", "byteStride": stride, "count": plain.len() / stride});
    compress(&mut file, colors, extension, stream, form);
    let document = from_glb_bytes("test.glb", &file.glb()).expect("it loads");
    let read: Vec<u8> = document.meshes[0].primitives[0]
        .colors
        .iter()
        .flat_map(|color| color.to_array().map(|value| (value * 255.0).round() as u8))
        .collect();
    assert!(
        read == plain,
        "{extension}, stride {stride}, {vertices} × 4 bytes"
    );
}

/// A wavy grid, triangles in disorder, and strangers: every code is used.
#[test]
fn triangles_of_every_kind() {
    let mut random = random();
    let mut used = [0; 8];
    for case in 0..40 {
        let width = 3 + case as u32 % 9;
        let mut list = Vec::new();
        for y in 0..width {
            for x in 0..width {
                let at = y * (width + 1) + x;
                list.push([at, at + 1, at + width + 1]);
                list.push([at + 1, at + width + 2, at + width + 1]);
            }
        }
        if case % 4 == 1 {
            for at in (1..list.len()).rev() {
                list.swap(at, random.below(at + 1));
            }
        }
        if case % 4 == 2 {
            for _ in 0..60 {
                list.push(core::array::from_fn(|_| random.below(60_000) as u32));
            }
        }
        if case % 4 == 3 {
            // Numbered as they are first used, as optimised meshes are, with a few jumps.
            let mut numbers = std::collections::HashMap::new();
            for corner in list.iter_mut().flatten() {
                let count = numbers.len() as u32;
                *corner = *numbers.entry(*corner).or_insert(count);
            }
            let at = random.below(list.len());
            list.insert(at, [0, 1, 2]);
        }
        let (stream, expected) = triangles(&list, &mut used);
        for stride in [2_usize, 4] {
            assert_eq!(
                read_indices("TRIANGLES", &stream, expected.len(), stride),
                expected
            );
        }
    }
    assert!(used.iter().all(|&used| used > 3), "{used:?}");
}

#[test]
fn indices_in_any_order() {
    let mut random = random();
    for count in [1, 2, 7, 500] {
        let indices: Vec<u32> = (0..count)
            .map(|at| match at % 3 {
                0 => at,
                1 => 60_000 - at,
                _ => random.below(60_000) as u32,
            })
            .collect();
        for stride in [2, 4] {
            let read = read_indices("INDICES", &sequence(&indices), indices.len(), stride);
            assert_eq!(read, indices);
        }
    }
}

/// Indices of a point cloud of 65 536 vertices, whose positions are all zero.
fn read_indices(mode: &str, stream: &[u8], count: usize, stride: usize) -> Vec<u32> {
    let mut file = quad();
    let positions = file.push(
        "accessors",
        json!({"componentType": F32, "type": "VEC3", "count": 65_536}),
    );
    let component = if stride == 2 { U16 } else { U32 };
    let indices = file.accessor(component, "SCALAR", count, &vec![0; count * stride]);
    let view = file.json["accessors"][indices]["bufferView"]
        .as_u64()
        .expect("a view") as usize;
    *primitive(&mut file) =
        json!({"mode": 0, "attributes": {"POSITION": positions}, "indices": indices});
    let form = json!({"mode": mode, "byteStride": stride, "count": count});
    compress(&mut file, view, EXT, stream, form);
    let document = from_glb_bytes("test.glb", &file.glb()).expect("it loads");
    document.meshes[0].primitives[0].indices.clone()
}

/// The uncompressed copy for other readers is not even looked for.
#[test]
fn a_fallback_is_not_read() {
    let mut file = rig();
    compress_attributes(&mut file, 0, 12, EXT);
    file.json["buffers"][1]["uri"] = json!("not_there.bin");
    file.json["extensionsRequired"] = json!([]);
    assert_same(&load_clean(&file), &load_clean(&rig()));
    // As soon as something else lies in it, it is.
    file.json["bufferViews"][2]["buffer"] = json!(1);
    assert!(refusal(&file).contains("buffer 1"));
}

/// What is changed, and words of the message that then comes.
type Case<'a> = (fn(&mut Value), &'a [&'a str]);

#[test]
fn rules_of_the_extension() {
    let broken = |change: fn(&mut Value)| {
        let mut file = rig();
        compress_attributes(&mut file, 0, 12, EXT);
        change(&mut file.json["bufferViews"][0]);
        refusal(&file)
    };
    let cases: [Case<'_>; 13] = [
        (
            |view| view["extensions"][EXT]["count"] = json!(5),
            &["48", "5 × 12"],
        ),
        (
            |view| view["extensions"][EXT]["count"] = json!(u64::MAX),
            &["48", "× 12"],
        ),
        (
            |view| view["extensions"][EXT]["count"] = json!("four"),
            &["four"],
        ),
        (
            |view| view["extensions"][EXT]["byteStride"] = json!(6),
            &["byteStride is 6", "multiple of 4"],
        ),
        (
            |view| view["extensions"][EXT]["byteStride"] = json!(0),
            &["byteStride is 0"],
        ),
        (
            |view| view["extensions"][EXT]["mode"] = json!("POINTS"),
            &["mode is \"POINTS\""],
        ),
        (
            |view| view["extensions"][EXT]["mode"] = json!("TRIANGLES"),
            &["byteStride is 12", "2 or 4"],
        ),
        (
            |view| view["extensions"][EXT]["filter"] = json!("OCTAHEDRAL"),
            &["byteStride is 12", "4 or 8"],
        ),
        (
            |view| view["extensions"][EXT]["filter"] = json!("QUATERNION"),
            &["byteStride is 12", "be 8"],
        ),
        (
            |view| view["extensions"][EXT]["filter"] = json!("COLOR"),
            &["filter is \"COLOR\""],
        ),
        (
            |view| view["extensions"][EXT]["buffer"] = json!(9),
            &["buffer 9", "has 2"],
        ),
        (
            |view| view["extensions"][EXT]["buffer"] = json!(1),
            &["buffer 1", "no data"],
        ),
        (
            |view| view["extensions"][EXT]["byteLength"] = json!(1_u64 << 40),
            &["1099511627776", "buffer 0"],
        ),
    ];
    for (change, words) in cases {
        let message = broken(change);
        for word in ["bufferView 0", EXT].iter().chain(words) {
            assert!(message.contains(word), "{word:?} is not in {message:?}");
        }
    }
    let message = broken(|view| view["byteStride"] = json!(16));
    assert!(
        message.contains("16") && message.contains("12"),
        "{message}"
    );
    // The newer streams belong to the newer extension.
    let mut file = rig();
    let stream = attributes(&content(&file, 0), 12, 1, &mut random());
    let form = json!({"mode": "ATTRIBUTES", "byteStride": 12, "count": 4});
    compress(&mut file, 0, EXT, &stream, form);
    let message = refusal(&file);
    assert!(
        message.contains("0xa1") && message.contains("0xa0"),
        "{message}"
    );
}

/// A broken view that nothing uses is worth a word, no more.
#[test]
fn unused_views_may_be_broken() {
    let mut file = rig();
    let unused = file.accessor(F32, "VEC3", 4, &[0; 48]);
    let form = json!({"mode": "ATTRIBUTES", "byteStride": 12, "count": 4});
    compress(&mut file, unused, EXT, &[0xa0; 20], form);
    let document = load(&file);
    let [finding] = &document.findings[..] else {
        panic!("{:?}", document.findings);
    };
    assert!(
        finding.message.contains("bufferView 7"),
        "{}",
        finding.message
    );
}

/// A few bytes cannot ask for more than a load may take.
#[test]
fn a_small_file_does_not_unpack_to_gigabytes() {
    let mut file = rig();
    // The tightest stream there is: a control byte for each four of 256 × 256 bytes.
    let blocks = 4096;
    let mut stream = vec![0xa1];
    stream.extend(vec![0xaa; 64 * blocks]);
    stream.extend([0; 256 + 64]);
    let count = blocks * 32;
    let form = json!({"mode": "ATTRIBUTES", "byteStride": 256, "count": count});
    file.json["bufferViews"][0]["byteLength"] = json!(count * 256);
    compress(&mut file, 0, KHR, &stream, form);
    assert_eq!(load_clean(&file).meshes[0].primitives[0].positions.len(), 4);
    let view = file.json["bufferViews"][0].clone();
    for _ in 0..100 {
        let views = file.json["bufferViews"].as_array_mut().expect("views");
        views.push(view.clone());
        let view = views.len() - 1;
        file.push(
            "accessors",
            json!({"bufferView": view, "componentType": F32, "type": "VEC3", "count": 4}),
        );
    }
    let last = file.json["accessors"].as_array().expect("accessors").len() - 1;
    let targets: Vec<Value> = (last - 99..=last)
        .map(|accessor| json!({"POSITION": accessor}))
        .collect();
    primitive(&mut file)["targets"] = json!(targets);
    let message = refusal(&file);
    assert!(
        message.contains("allowed") && message.contains(KHR),
        "{message}"
    );
}

/// Streams cut and changed anywhere end in a message that names the view, or in a sound
/// document.
#[test]
fn broken_streams() {
    let mut random = random();
    let mut loaded = 0;
    for extension in [EXT, KHR] {
        let mut file = rig();
        for (view, stride) in [(0, 12), (3, 16), (4, 64), (6, 16)] {
            compress_attributes(&mut file, view, stride, extension);
        }
        let (stream, _) = triangles(&[[0, 1, 2], [0, 2, 3]], &mut [0; 8]);
        let form = json!({"mode": "TRIANGLES", "byteStride": 2, "count": 6});
        compress(&mut file, 1, extension, &stream, form);
        for view in [0, 1, 3, 4, 6] {
            let place = |key: &str| {
                file.json["bufferViews"][view]["extensions"][extension][key]
                    .as_u64()
                    .expect("a number") as usize
            };
            let (start, length) = (place("byteOffset"), place("byteLength"));
            for cut in 0..length {
                let mut file = file.clone();
                file.json["bufferViews"][view]["extensions"][extension]["byteLength"] = json!(cut);
                // A channel is left out, a mesh is not.
                let message = if view == 6 {
                    load(&file).findings[0].message.clone()
                } else {
                    refusal(&file)
                };
                assert!(
                    message.contains(&format!("bufferView {view} ")),
                    "{message}"
                );
            }
            for case in 0..400 {
                let mut file = file.clone();
                for _ in 0..=random.below(3) {
                    file.bin[start + random.below(length)] = random.below(256) as u8;
                }
                loaded += usize::from(survive(
                    &file.glb(),
                    &format!("{extension} view {view} case {case}"),
                ));
            }
        }
    }
    println!("{loaded} of 4000 broken files loaded");
    assert!(loaded > 100, "only {loaded}");
}
