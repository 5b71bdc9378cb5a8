//! Normals and tangents where a file has none, or not of unit length.

use std::collections::HashMap;

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents as mikktspace};
use glam::{Vec2, Vec3, Vec4};

use crate::document::{Primitive, TextureRef, Topology};

/// Makes normals and tangents unit, and makes those that are missing. Returns how many
/// stored normals had no length.
pub(super) fn complete(primitive: &mut Primitive, normal_map: Option<&TextureRef>) -> usize {
    let mut made_up = 0;
    if !primitive.normals.is_empty() {
        made_up = make_normals_unit(primitive);
    } else if primitive.topology == Topology::Triangles {
        primitive.flat_shading = true;
        primitive.normals = smooth_normals(primitive);
    }
    make_tangents_unit(primitive);
    if let Some(texture) = normal_map
        && primitive.tangents.is_empty()
    {
        generate_tangents(primitive, texture);
    }
    made_up
}

/// Smooth normals: the mean of the faces around each vertex, weighted by area. +Z
/// where there is no face with an area.
fn smooth_normals(primitive: &Primitive) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; primitive.positions.len()];
    if primitive.topology == Topology::Triangles {
        // Areas of tiny or huge models would leave the range of f32.
        let size = primitive.bounds.size().max_element();
        let scale = if size > 0.0 { size.recip() } else { 1.0 };
        for face in primitive.indices.chunks_exact(3) {
            let corners = [face[0], face[1], face[2]].map(|index| index as usize);
            let [a, b, c] = corners.map(|corner| primitive.positions[corner] * scale);
            let normal = (b - a).cross(c - a);
            for corner in corners {
                normals[corner] += normal;
            }
        }
    }
    for normal in &mut normals {
        *normal = unit(*normal).unwrap_or(Vec3::Z);
    }
    normals
}

/// The vector's direction, however short it is: the square of a tiny length has no
/// digits left in f32. `None` for zero.
fn unit(vector: Vec3) -> Option<Vec3> {
    (vector / vector.abs().max_element()).try_normalize()
}

/// Gives stored normals unit length. Those of no length are replaced by smooth
/// ones; returns how many there were.
fn make_normals_unit(primitive: &mut Primitive) -> usize {
    let mut missing = Vec::new();
    for (vertex, normal) in primitive.normals.iter_mut().enumerate() {
        match unit(*normal) {
            Some(unit) => *normal = unit,
            None => missing.push(vertex),
        }
    }
    if !missing.is_empty() {
        let smooth = smooth_normals(primitive);
        for &vertex in &missing {
            primitive.normals[vertex] = smooth[vertex];
        }
    }
    missing.len()
}

/// Gives stored tangents unit length and a sign of ±1.
fn make_tangents_unit(primitive: &mut Primitive) {
    for (tangent, normal) in primitive.tangents.iter_mut().zip(&primitive.normals) {
        *tangent = unit_tangent(*tangent, *normal);
    }
}

fn unit_tangent(tangent: Vec4, normal: Vec3) -> Vec4 {
    let direction = unit(tangent.truncate()).unwrap_or_else(|| normal.any_orthonormal_vector());
    direction.extend(if tangent.w < 0.0 { -1.0 } else { 1.0 })
}

/// Tangents by the algorithm that normal maps are baked with (M. S. Mikkelsen,
/// "Simulation of Wrinkled Surfaces Revisited", 2008), along the texture
/// coordinates that the normal map is read by.
///
/// The algorithm works on corners of faces. Where the corners at one vertex get
/// different tangents, copies of the vertex follow behind the file's own.
fn generate_tangents(primitive: &mut Primitive, normal_map: &TextureRef) {
    let Some(uvs) = primitive.uvs.get(normal_map.uv_set as usize) else {
        return;
    };
    if primitive.topology != Topology::Triangles || uvs.is_empty() || primitive.indices.is_empty() {
        return;
    }
    let mut corners = Corners {
        uvs: uvs
            .iter()
            .map(|&uv| normal_map.uv_transform.transform_point2(uv))
            .collect(),
        tangents: vec![None; primitive.indices.len()],
        primitive,
    };
    // No failure is known to the algorithm today; should one come, there are no
    // tangents, as for a primitive without texture coordinates.
    if mikktspace(&mut corners).is_err() {
        return;
    }
    let tangents = corners.tangents;
    assign(primitive, &tangents);
}

/// A primitive's faces as the algorithm wants to see them.
struct Corners<'a> {
    primitive: &'a Primitive,
    uvs: Vec<Vec2>,
    /// By position in the index list.
    tangents: Vec<Option<Vec4>>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.primitive.indices[face * 3 + corner] as usize
    }
}

impl Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.primitive.indices.len() / 3
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.primitive.positions[self.vertex(face, corner)].to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.primitive.normals[self.vertex(face, corner)].to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.uvs[self.vertex(face, corner)].to_array()
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        self.tangents[face * 3 + corner] = space.map(|space| {
            let [x, y, z, sign] = space.tangent_encoded();
            // glTF's texture coordinates run downwards, the algorithm's upwards.
            Vec4::new(x, y, z, -sign)
        });
    }
}

/// Gives each vertex its corners' tangent, splitting it where they disagree.
fn assign(primitive: &mut Primitive, corners: &[Option<Vec4>]) {
    let mut tangents: Vec<Option<Vec4>> = vec![None; primitive.positions.len()];
    // Copies of each vertex that has any.
    let mut copies: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut sources: Vec<usize> = Vec::new();
    for (index, corner) in primitive.indices.iter_mut().zip(corners) {
        let Some(wanted) = corner else { continue };
        let known = &mut tangents[*index as usize];
        let Some(first) = known else {
            *known = Some(*wanted);
            continue;
        };
        if is_same(*first, *wanted) {
            continue;
        }
        let others = copies.entry(*index).or_default();
        let found = others
            .iter()
            .copied()
            .find(|&copy| tangents[copy as usize].is_some_and(|t| is_same(t, *wanted)));
        *index = found.unwrap_or_else(|| {
            sources.push(*index as usize);
            let copy = tangents.len() as u32;
            tangents.push(Some(*wanted));
            others.push(copy);
            copy
        });
    }
    append_copies(primitive, &sources);
    primitive.tangents = tangents
        .iter()
        .zip(&primitive.normals)
        .map(|(tangent, &normal)| unit_tangent(tangent.unwrap_or(Vec4::ZERO), normal))
        .collect();
}

/// Equal for shading: the same side, and less than about 0.1° apart.
fn is_same(a: Vec4, b: Vec4) -> bool {
    a.w == b.w && a.truncate().dot(b.truncate()) > 0.999_998
}

fn append_copies(primitive: &mut Primitive, sources: &[usize]) {
    fn append<T: Copy>(values: &mut Vec<T>, sources: &[usize]) {
        if !values.is_empty() {
            values.reserve(sources.len());
            for &source in sources {
                values.push(values[source]);
            }
        }
    }
    append(&mut primitive.positions, sources);
    append(&mut primitive.normals, sources);
    append(&mut primitive.colors, sources);
    for uvs in &mut primitive.uvs {
        append(uvs, sources);
    }
    for target in &mut primitive.morph_targets {
        append(&mut target.positions, sources);
        append(&mut target.normals, sources);
        append(&mut target.tangents, sources);
    }
    let influences = &mut primitive.influences;
    for &source in sources {
        let range = source * influences.per_vertex..(source + 1) * influences.per_vertex;
        influences.joints.extend_from_within(range.clone());
        influences.weights.extend_from_within(range);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_of_the_shortest_vectors() {
        for length in [1e-40, 1e-30, 1e-20, 1.0, 1e18] {
            let found = unit(Vec3::new(3.0, 0.0, -4.0) * length);
            let off = (found.unwrap_or_default() - Vec3::new(0.6, 0.0, -0.8)).length();
            assert!(off < 1e-4, "{length}: {off}");
        }
        assert_eq!(unit(Vec3::ZERO), None);
    }
}
