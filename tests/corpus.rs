//! Every good glTF file of the shared corpus loads, and keeps the promises of
//! `document`.

mod common;

use std::time::Instant;

use glam::Vec4;
use rigscope::{
    document::{Document, FindingCode, JointTracks},
    import::{GltfError, ImportError, Progress, from_glb_bytes, load},
};
use serde_json::Value;

#[test]
fn every_file_loads_into_a_sound_document() {
    let Some(files) = common::model_files() else {
        return;
    };
    let mut loaded = 0;
    let mut refused = Vec::new();
    for path in files {
        let name = path.display();
        match load(&path, &Progress::new()) {
            Ok(document) => {
                let violations = common::validate::violations(&document);
                assert!(violations.is_empty(), "{name}: {violations:#?}");
                loaded += 1;
            }
            // Decoders are another matter; nothing else may stand in the way.
            Err(ImportError::Gltf {
                problem: GltfError::ExtensionsRequired { list, .. },
                ..
            }) => refused.push((name.to_string(), list)),
            Err(error) => panic!("{error}"),
        }
    }
    println!("{loaded} files loaded, {} need a decoder:", refused.len());
    for (name, list) in &refused {
        println!("  {name}: {}", list.join(", "));
        for extension in list {
            assert_eq!(extension, "KHR_texture_basisu", "{name}");
        }
    }
    assert!(loaded > 80, "only {loaded} files");
}

fn open(name: &str) -> Option<Document> {
    let path = common::shared()?.join("corpus").join(name);
    Some(load(&path, &Progress::new()).expect("a good file of the corpus"))
}

#[test]
fn the_knight_arrives_whole() {
    let Some(knight) = open("gltf/Knight.glb") else {
        return;
    };
    assert_eq!(knight.clips.len(), 76);
    assert_eq!(knight.skinned_joint_count(), 41);
    assert_eq!(knight.instances.len(), 15);
    assert!(
        knight
            .images
            .iter()
            .all(|image| image.placeholder.is_none())
    );
    let channels: usize = knight
        .clips
        .iter()
        .flat_map(|clip| &clip.joints)
        .map(|tracks| match tracks {
            JointTracks::Trs {
                translation,
                rotation,
                scale,
                ..
            } => [translation.is_some(), rotation.is_some(), scale.is_some()]
                .into_iter()
                .filter(|&there| there)
                .count(),
            JointTracks::Matrix { .. } => 1,
        })
        .sum();
    assert_eq!(channels, 8712);
    // Tracks that share a time accessor share its memory.
    let mut times: Vec<*const f32> = knight
        .clips
        .iter()
        .flat_map(|clip| &clip.joints)
        .filter_map(|tracks| match tracks {
            JointTracks::Trs { rotation, .. } => rotation.as_ref(),
            JointTracks::Matrix { .. } => None,
        })
        .map(|track| track.times.as_ptr())
        .collect();
    let tracks = times.len();
    times.sort_unstable();
    times.dedup();
    println!("{tracks} rotation tracks over {} time arrays", times.len());
    assert!(times.len() * 4 < tracks);
}

#[test]
fn a_missing_picture_is_no_failure() {
    let Some(file) = open("gltf/interpolation_test/interpolation_test.gltf") else {
        return;
    };
    assert_eq!(file.clips.len(), 9);
    let missing: Vec<_> = file
        .findings
        .iter()
        .filter(|f| f.code == FindingCode::ImageUnreadable)
        .collect();
    assert_eq!(missing.len(), 1);
    assert!(missing[0].message.contains("l.jpg"));
}

/// Unpacking takes no longer than a few times what the rest of a load does.
#[test]
fn compressed_files_load_as_fast() {
    let Some(shared) = common::shared() else {
        return;
    };
    let least = |name: &str| {
        let path = shared.join("corpus").join(name);
        let time = || {
            let start = Instant::now();
            load(&path, &Progress::new()).expect("a good file of the corpus");
            start.elapsed()
        };
        // What the work takes, without what else the machine does.
        (0..15).map(|_| time()).min().unwrap_or_default()
    };
    for (plain, packed) in [
        ("gltf/Fox.glb", "variants/Fox_meshopt.glb"),
        ("gltf/CesiumMan.glb", "variants/CesiumMan_meshopt.glb"),
        (
            "gltf/AnimatedMorphSphere.glb",
            "variants/AnimatedMorphSphere_meshopt.glb",
        ),
        ("gltf/CesiumMan.glb", "variants/CesiumMan_draco.glb"),
        ("blender/bl_human.glb", "blender/bl_human_draco.glb"),
    ] {
        let [before, after] = [plain, packed].map(least);
        let ratio = after.as_secs_f64() / before.as_secs_f64();
        println!("{packed}: {after:?}, {ratio:.2} × the {before:?} of {plain}");
        assert!(ratio < 10.0, "{packed}: {ratio}");
    }
}

/// The avocado's tangents were written by a tool of its own; ours, made from the
/// same file without them, must point the same way and have the same signs.
#[test]
fn generated_tangents_agree_with_stored_ones() {
    let Some(shared) = common::shared() else {
        return;
    };
    let path = shared.join("corpus/gltf/Avocado_512.glb");
    let bytes = std::fs::read(&path).expect("the avocado");
    let length = u32::from_le_bytes([12, 13, 14, 15].map(|i| bytes[i])) as usize;
    let mut json: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    let attributes = &mut json["meshes"][0]["primitives"][0]["attributes"];
    attributes
        .as_object_mut()
        .expect("attributes")
        .remove("TANGENT")
        .expect("stored tangents");
    let text = serde_json::to_vec(&json).expect("JSON");
    let bare = common::glb::pack(&text, &bytes[20 + length + 8..]);
    let made = from_glb_bytes("bare.glb", &bare).expect("it loads");
    let stored = from_glb_bytes("Avocado_512.glb", &bytes).expect("it loads");
    let [made, stored] = [&made, &stored].map(|document| &document.meshes[0].primitives[0]);
    // Where a vertex was split, the nearest of its copies counts.
    let (mut angles, mut same_sign) = (Vec::new(), 0);
    for vertex in 0..stored.vertex_count() {
        let wanted = stored.tangents[vertex];
        let nearest = (0..made.vertex_count())
            .filter(|&copy| {
                made.positions[copy] == stored.positions[vertex]
                    && made.uvs[0][copy] == stored.uvs[0][vertex]
                    && made.normals[copy] == stored.normals[vertex]
            })
            .map(|copy| made.tangents[copy])
            .max_by(|a, b| cos(*a, wanted).total_cmp(&cos(*b, wanted)))
            .expect("the vertex itself");
        angles.push(cos(nearest, wanted).clamp(-1.0, 1.0).acos().to_degrees());
        same_sign += usize::from(nearest.w == wanted.w);
    }
    angles.sort_by(f32::total_cmp);
    let (median, total) = (angles[angles.len() / 2], angles.len());
    println!(
        "{} vertices made of {total}; median {median:.3}°, 95 % below {:.3}°, signs equal on {same_sign}",
        made.vertex_count(),
        angles[total * 95 / 100]
    );
    assert!(median < 1.0, "median {median}°");
    assert!(
        same_sign * 100 >= total * 99,
        "{same_sign} of {total} signs"
    );
}

fn cos(a: Vec4, b: Vec4) -> f32 {
    a.truncate().dot(b.truncate())
}
