//! Our importer against the `gltf` crate: two readers, one content. Every GLB of
//! the corpus that the crate accepts must give the same vertices, influences,
//! indices and inverse bind matrices, number by number.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use glam::{Mat4, Vec3};
use rigscope::{
    document::{Document, Primitive, Topology},
    import::{self, Progress},
};

/// What the peer reads of one triangle primitive.
struct Peer {
    positions: Vec<Vec3>,
    indices: Vec<u32>,
    joints: Vec<u16>,
    weights: Vec<f32>,
}

fn read_peer(primitive: &gltf::Primitive<'_>, blob: &[u8]) -> Option<Peer> {
    let reader = primitive.reader(|_| Some(blob));
    let positions: Vec<Vec3> = reader.read_positions()?.map(Vec3::from).collect();
    let indices = reader.read_indices().map_or_else(
        || (0..positions.len() as u32).collect(),
        |indices| indices.into_u32().collect(),
    );
    let joints = reader
        .read_joints(0)
        .map_or_else(Vec::new, |joints| joints.into_u16().flatten().collect());
    let weights = reader
        .read_weights(0)
        .map_or_else(Vec::new, |weights| weights.into_f32().flatten().collect());
    Some(Peer {
        positions,
        indices,
        joints,
        weights,
    })
}

fn assert_same(ours: &Primitive, peer: &Peer, what: &str) {
    assert_eq!(
        ours.positions[..ours.file_vertex_count],
        peer.positions[..],
        "{what}: positions"
    );
    // Corners may name a copy that tangent generation split off behind the file's vertices.
    let corner = |index: &u32| ours.positions[*index as usize];
    assert!(
        ours.indices
            .iter()
            .map(corner)
            .eq(peer.indices.iter().map(|&i| peer.positions[i as usize])),
        "{what}: corners"
    );
    if peer.joints.is_empty() || ours.influences.is_empty() {
        return;
    }
    for vertex in 0..ours.file_vertex_count {
        let expected = peer.joints[4 * vertex..]
            .iter()
            .copied()
            .zip(peer.weights[4 * vertex..].iter().copied());
        for (ours, peer) in ours.influences.of_vertex(vertex).zip(expected).take(4) {
            // A slot without weight may be renamed: it moves nothing.
            assert!(ours.1 == peer.1, "{what}: weight of vertex {vertex}");
            assert!(
                ours.0 == peer.0 || peer.1 == 0.0,
                "{what}: joint of vertex {vertex}"
            );
        }
    }
}

fn compare(document: &Document, peer: &gltf::Gltf, blob: &[u8], file: &str) -> usize {
    let mut compared = 0;
    assert_eq!(
        document.skeleton.joints.len(),
        peer.nodes().count(),
        "{file}"
    );
    for joint in &document.skeleton.joints {
        let name = peer
            .nodes()
            .nth(joint.node)
            .and_then(|n| n.name().map(str::to_owned));
        assert_eq!(joint.name, name.unwrap_or_default(), "{file}");
    }
    for (skin, theirs) in document.skins.iter().zip(peer.skins()) {
        if let Some(matrices) = theirs.reader(|_| Some(blob)).read_inverse_bind_matrices() {
            let matrices: Vec<Mat4> = matrices.map(|m| Mat4::from_cols_array_2d(&m)).collect();
            assert_eq!(skin.joint_from_mesh, matrices, "{file}: skin");
        }
    }
    for (mesh, theirs) in document.meshes.iter().zip(peer.meshes()) {
        for (primitive, theirs) in mesh.primitives.iter().zip(theirs.primitives()) {
            let lists = theirs.mode() == gltf::mesh::Mode::Triangles;
            if lists && primitive.topology == Topology::Triangles {
                let Some(peer) = read_peer(&theirs, blob) else {
                    continue;
                };
                assert_same(primitive, &peer, &format!("{file}, mesh {}", mesh.name));
                compared += primitive.file_vertex_count;
            }
        }
    }
    compared
}

#[test]
fn the_gltf_crate_reads_the_same_numbers() {
    let Some(shared) = common::shared() else {
        return;
    };
    let mut files = common::files_below(&shared.join("corpus"), &["glb"]);
    files.retain(|path| !path.components().any(|part| part.as_os_str() == "bad"));
    let (mut agreed, mut refused, mut vertices) = (0, 0, 0);
    for path in &files {
        let Ok(document) = import::load(path, &Progress::new()) else {
            continue;
        };
        let bytes = std::fs::read(path).expect("a file that was just loaded");
        // The crate refuses or panics on valid files (quantised ones, for example).
        let peer = catch_unwind(AssertUnwindSafe(|| gltf::Gltf::from_slice(&bytes).ok()));
        let Ok(Some(mut peer)) = peer else {
            refused += 1;
            continue;
        };
        let blob = peer.blob.take().unwrap_or_default();
        vertices += compare(&document, &peer, &blob, &path.display().to_string());
        agreed += 1;
    }
    println!("{agreed} files agree on {vertices} vertices; the crate refuses {refused}");
    assert!(
        agreed >= 30,
        "only {agreed} of {} files were compared",
        files.len()
    );
}
