//! Points on a character's surface: found by a ray, followed through poses.

use glam::Vec3;

use super::Character;
use crate::{
    anim::{self, SkinMatrix},
    document::{MeshInstance, Primitive, Topology},
};

/// A point of a triangle, wherever the pose takes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// Index into `Document::instances`.
    pub instance: usize,
    /// Index within the instance's mesh.
    pub primitive: usize,
    /// The triangle's corners, vertex indices of the primitive.
    pub vertices: [u32; 3],
    /// Weight of each corner; they sum to 1.
    pub shares: [f32; 3],
}

impl SurfacePoint {
    /// Where it is in the world, in the present pose; `None` in a document that has no
    /// such triangle, or where a broken pose puts it nowhere. `palette` is scratch space.
    pub fn place(&self, character: &Character, palette: &mut Vec<SkinMatrix>) -> Option<Vec3> {
        let document = &character.document;
        let instance = document.instances.get(self.instance)?;
        let mesh = &document.meshes[instance.mesh];
        let primitive = mesh.primitives.get(self.primitive)?;
        let count = primitive.vertex_count();
        if self.vertices.iter().any(|&vertex| vertex as usize >= count) {
            return None;
        }
        let poser = Poser::new(character, self.instance, instance, primitive, palette);
        let corners = self.vertices.map(|vertex| poser.place(vertex as usize));
        let sum: Vec3 = corners.iter().zip(self.shares).map(|(&c, s)| c * s).sum();
        sum.is_finite().then_some(sum)
    }
}

/// Vertices of one primitive in world space.
struct Poser<'a> {
    character: &'a Character,
    primitive: &'a Primitive,
    morph_weights: &'a [f32],
    /// `None` where no skin moves it.
    palette: Option<&'a [SkinMatrix]>,
    world_from_mesh: glam::Mat4,
}

impl<'a> Poser<'a> {
    fn new(
        character: &'a Character,
        index: usize,
        instance: &MeshInstance,
        primitive: &'a Primitive,
        palette: &'a mut Vec<SkinMatrix>,
    ) -> Self {
        palette.clear();
        let is_skinned = instance.skin.is_some() && character.skinning;
        if let Some(skin) = instance.skin.filter(|_| is_skinned) {
            character.palette(skin, palette);
        }
        // A skin takes the place of the node's transform, also while it is off.
        let world_from_mesh = match instance.skin {
            Some(_) => character.world_from_model,
            None => character.world_from_model * character.globals.world(instance.joint),
        };
        Self {
            character,
            primitive,
            morph_weights: &character.pose.morph_weights[index],
            palette: is_skinned.then_some(palette),
            world_from_mesh,
        }
    }

    fn place(&self, vertex: usize) -> Vec3 {
        let (primitive, weights) = (self.primitive, self.morph_weights);
        let position = match self.palette {
            Some(palette) => {
                let rule = self.character.weights;
                anim::skinned_position(primitive, vertex, palette, weights, rule)
            }
            None => anim::morphed_position(primitive, vertex, weights),
        };
        self.world_from_mesh.transform_point3(position)
    }
}

/// The first point of the character's visible surface that a ray from `origin` along
/// `direction` meets, from either side, and where that is. Meshes whose instance index
/// is `hidden` are passed through.
///
/// Takes as long as deforming every vertex: for clicks, and for a pointer over meshes
/// that are not too large.
pub fn surface_at(
    character: &Character,
    hidden: &[usize],
    origin: Vec3,
    direction: Vec3,
) -> Option<(SurfacePoint, Vec3)> {
    let document = &character.document;
    let (mut palette, mut places) = (Vec::new(), Vec::new());
    let mut nearest: Option<(f32, SurfacePoint)> = None;
    let instances = document.instances.iter().enumerate();
    for (index, instance) in instances.filter(|(i, shown)| shown.in_scene && !hidden.contains(i)) {
        let primitives = document.meshes[instance.mesh].primitives.iter().enumerate();
        for (p, primitive) in primitives.filter(|(_, p)| p.topology == Topology::Triangles) {
            let poser = Poser::new(character, index, instance, primitive, &mut palette);
            places.clear();
            places.extend((0..primitive.vertex_count()).map(|vertex| poser.place(vertex)));
            for triangle in primitive.indices.chunks_exact(3) {
                let vertices = [triangle[0], triangle[1], triangle[2]];
                let corners = vertices.map(|vertex| places[vertex as usize]);
                let Some((distance, shares)) = meet(origin, direction, corners) else {
                    continue;
                };
                if nearest.is_none_or(|(known, _)| distance < known) {
                    let point = SurfacePoint {
                        instance: index,
                        primitive: p,
                        vertices,
                        shares,
                    };
                    nearest = Some((distance, point));
                }
            }
        }
    }
    nearest.map(|(distance, point)| (point, origin + direction * distance))
}

/// Where a ray meets a triangle: multiples of `direction`, and the corners' shares
/// (Möller and Trumbore 1997, without culling).
fn meet(origin: Vec3, direction: Vec3, [a, b, c]: [Vec3; 3]) -> Option<(f32, [f32; 3])> {
    let (ab, ac) = (b - a, c - a);
    let across = direction.cross(ac);
    let determinant = ab.dot(across);
    if determinant == 0.0 {
        return None;
    }
    let from_a = origin - a;
    let u = from_a.dot(across) / determinant;
    let turned = from_a.cross(ab);
    let v = direction.dot(turned) / determinant;
    let distance = ac.dot(turned) / determinant;
    // Written so that NaN fails.
    let is_inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0;
    is_inside.then_some((distance, [1.0 - u - v, u, v]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_meets_a_triangle_from_both_sides_and_never_behind_it() {
        let corners = [Vec3::ZERO, Vec3::X * 2.0, Vec3::Y * 2.0];
        for z in [3.0, -3.0] {
            let origin = Vec3::new(0.5, 0.5, z);
            let towards = Vec3::Z * -z;
            let (distance, shares) = meet(origin, towards, corners).expect("it is hit");
            assert!((distance - 1.0).abs() < 1e-6);
            assert_eq!(shares, [0.5, 0.25, 0.25]);
            assert_eq!(meet(origin, -towards, corners), None);
        }
        let beside = meet(Vec3::new(1.5, 1.5, 1.0), Vec3::NEG_Z, corners);
        assert_eq!(beside, None);
        let edge_on = meet(Vec3::new(-1.0, 0.5, 0.0), Vec3::X, corners);
        assert_eq!(edge_on, None);
        let broken = meet(Vec3::Z, Vec3::NEG_Z, [Vec3::NAN, Vec3::X, Vec3::Y]);
        assert_eq!(broken, None);
    }
}
