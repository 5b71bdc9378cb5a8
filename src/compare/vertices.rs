//! Which vertices of two meshes mean the same.

use std::{collections::HashSet, sync::Arc};

use glam::Vec3;
use rstar::{RTree, primitives::GeomWithData};

use crate::{
    document::{Document, Mesh},
    math::Aabb,
    scene::{Character, PoseSource, Poser},
};

/// Farther from its partner in the rest pose, as a share of the mesh's size, no vertex is
/// thought to be the same: compression moves them by a thousandth at most.
const REACH: f32 = 0.004;

/// A mesh of A and the one of B that it is compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshPair {
    /// A's mesh instance.
    pub a: usize,
    /// B's mesh instance.
    pub b: usize,
    /// Which of their vertices are compared.
    pub vertices: VertexPairs,
}

/// Which vertices of two meshes mean the same.
#[derive(Debug, Clone, PartialEq)]
pub enum VertexPairs {
    /// Each with that of the same number, in primitives of equal sizes: faces are the same,
    /// or most vertices are in the same places.
    SameOrder,
    /// Each with the nearest one in the rest pose: optimisers merge vertices and order
    /// them anew.
    Nearest(Vec<VertexPair>),
}

/// A vertex of A and its partner: indices of primitive and vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VertexPair {
    /// A's.
    pub a: (u32, u32),
    /// B's.
    pub b: (u32, u32),
}

impl MeshPair {
    /// How many vertices are compared.
    pub fn count(&self, a: &Document) -> usize {
        match &self.vertices {
            VertexPairs::SameOrder => a.meshes[a.instances[self.a].mesh].file_vertex_count(),
            VertexPairs::Nearest(pairs) => pairs.len(),
        }
    }
}

/// The two documents in their rest poses, made when they are first needed.
pub(super) struct RestPoses<'a> {
    documents: [&'a Arc<Document>; 2],
    characters: Option<[Character; 2]>,
}

impl<'a> RestPoses<'a> {
    pub(super) fn new(a: &'a Arc<Document>, b: &'a Arc<Document>) -> Self {
        Self {
            documents: [a, b],
            characters: None,
        }
    }

    /// Pairs the vertices of two mesh instances; a sentence on what found no partner, which
    /// is to be read after "the mesh at …".
    pub(super) fn pair(&mut self, a: usize, b: usize) -> (Option<VertexPairs>, Option<String>) {
        let meshes = [(self.documents[0], a), (self.documents[1], b)]
            .map(|(document, instance)| &document.meshes[document.instances[instance].mesh]);
        let [in_a, in_b] = meshes.map(vertex_counts);
        // Nobody who orders vertices anew leaves the faces as they were. Faces that are just
        // one vertex after the other say nothing.
        let faces = |at: usize| meshes[at].primitives.iter().map(|part| &part.indices);
        let in_turn = |indices: &Vec<u32>| (0..).zip(indices).all(|(place, &at)| place == at);
        if in_a == in_b && faces(0).eq(faces(1)) && !faces(0).all(in_turn) {
            return (Some(VertexPairs::SameOrder), None);
        }
        let documents = self.documents;
        let characters = self.characters.get_or_insert_with(|| {
            documents.map(|document| {
                let mut character = Character::new(document.clone());
                character.set_source(PoseSource::Rest);
                character
            })
        });
        let places = [
            rest_places(&characters[0], a),
            rest_places(&characters[1], b),
        ];
        let mut bounds = Aabb::EMPTY;
        for place in places[0].iter().flatten() {
            bounds.grow(*place);
        }
        let reach = bounds.diagonal() * REACH;
        if in_a == in_b && is_same_order(&places, reach) {
            return (Some(VertexPairs::SameOrder), None);
        }
        let [sum_a, sum_b] = [&places[0], &places[1]].map(|all| all.iter().map(Vec::len).sum());
        let pairs = nearest(&places, reach);
        said(pairs, sum_a, sum_b)
    }
}

fn said(
    pairs: Vec<VertexPair>,
    sum_a: usize,
    sum_b: usize,
) -> (Option<VertexPairs>, Option<String>) {
    let lost = |of: fn(&VertexPair) -> (u32, u32), all: usize| {
        let with: HashSet<(u32, u32)> = pairs.iter().map(of).collect();
        all - with.len()
    };
    let (lost_a, lost_b) = (lost(|pair| pair.a, sum_a), lost(|pair| pair.b, sum_b));
    if lost_a * 2 > sum_a || lost_b * 2 > sum_b {
        let sentence = format!(
            "has {sum_a} vertices in A and {sum_b} in B, and in the rest pose most are not \
             near any of the other's"
        );
        return (None, Some(sentence));
    }
    let sentence = (lost_a + lost_b > 0).then(|| {
        format!(
            "has {lost_a} of {sum_a} vertices in A and {lost_b} of {sum_b} in B that are not \
             near any of the other's in the rest pose"
        )
    });
    (Some(VertexPairs::Nearest(pairs)), sentence)
}

fn vertex_counts(mesh: &Mesh) -> Vec<usize> {
    let primitives = mesh.primitives.iter();
    primitives
        .map(|primitive| primitive.file_vertex_count)
        .collect()
}

/// Every vertex of the file, by primitive, world space.
fn rest_places(character: &Character, instance: usize) -> Vec<Vec<Vec3>> {
    let mut palette = Vec::new();
    let poser = Poser::new(character, instance, &mut palette);
    let document = &character.document;
    let mesh = &document.meshes[document.instances[instance].mesh];
    let primitives = mesh.primitives.iter();
    primitives
        .map(|primitive| {
            let vertices = 0..primitive.file_vertex_count;
            vertices
                .map(|vertex| poser.place(primitive, vertex))
                .collect()
        })
        .collect()
}

/// Whether most vertices are where those of the same number are: few may be far off in a
/// later version of a file.
fn is_same_order(places: &[Vec<Vec<Vec3>>; 2], reach: f32) -> bool {
    let [a, b] = places;
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    let (mut near, mut all) = (0_usize, 0_usize);
    for (a, b) in pairs {
        near += usize::from(a.distance(*b) <= reach);
        all += 1;
    }
    near * 2 >= all
}

/// Each vertex with the nearest of the other's within reach, A's first and then those of
/// B's that none of A's has found.
fn nearest(places: &[Vec<Vec<Vec3>>; 2], reach: f32) -> Vec<VertexPair> {
    let [a, b] = [&places[0], &places[1]].map(|all| numbered(all));
    let mut pairs: Vec<VertexPair> = found(&a, &b, reach)
        .map(|(a, b)| VertexPair { a, b })
        .collect();
    let taken: HashSet<(u32, u32)> = pairs.iter().map(|pair| pair.b).collect();
    let left: Vec<Numbered> = b
        .into_iter()
        .filter(|(_, at)| !taken.contains(at))
        .collect();
    pairs.extend(found(&left, &a, reach).map(|(b, a)| VertexPair { a, b }));
    pairs
}

/// A place with primitive and vertex.
type Numbered = (Vec3, (u32, u32));

fn numbered(all: &[Vec<Vec3>]) -> Vec<Numbered> {
    let primitives = all.iter().enumerate();
    let vertices = primitives.flat_map(|(primitive, places)| {
        let numbered = places.iter().enumerate();
        numbered.map(move |(vertex, place)| (*place, (primitive as u32, vertex as u32)))
    });
    // A broken pose puts vertices nowhere; the tree does not take those.
    vertices.filter(|(place, _)| place.is_finite()).collect()
}

/// Those of `from` that have one of `to` within reach, with the nearest of these.
fn found(
    from: &[Numbered],
    to: &[Numbered],
    reach: f32,
) -> impl Iterator<Item = ((u32, u32), (u32, u32))> {
    let entries = to
        .iter()
        .map(|(place, at)| GeomWithData::new(place.to_array(), *at));
    let tree = RTree::bulk_load(entries.collect());
    from.iter().filter_map(move |(place, at)| {
        let mut near = tree.nearest_neighbor_iter_with_distance_2(place.to_array());
        let (entry, squared) = near.next()?;
        (squared <= reach * reach).then_some((*at, entry.data))
    })
}
