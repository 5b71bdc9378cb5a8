//! What a ray through the picture meets first, by the meshes as they are drawn.

use std::thread;

use glam::{Vec2, Vec3};

use super::{CameraFrame, CharacterFrame, DrawInstance, Frame, SurfacePoint, VertexRef};
use crate::{
    anim::{self, SkinMatrix},
    document::{Primitive, Topology},
    math::Aabb,
};

/// Vertices that are worth a thread of their own.
const CHUNK: usize = 16_384;

/// Half a line in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub origin: Vec3,
    /// Unit length.
    pub direction: Vec3,
}

impl Ray {
    /// From the eye through a point of the picture in normalised device coordinates,
    /// −1 … 1 with y up. `None` for a camera that looks nowhere.
    pub fn through(camera: &CameraFrame, at: Vec2) -> Option<Self> {
        let world_from_view = camera.view_from_world.inverse();
        let clip = &camera.clip_from_view;
        let across = at / Vec2::new(clip.x_axis.x, clip.y_axis.y);
        // A parallel projection leaves w alone.
        let (origin, direction) = if clip.z_axis.w == 0.0 {
            (across.extend(0.0), Vec3::NEG_Z)
        } else {
            (Vec3::ZERO, across.extend(-1.0))
        };
        let ray = Self {
            origin: world_from_view.transform_point3(origin),
            direction: world_from_view
                .transform_vector3(direction)
                .normalize_or_zero(),
        };
        let is_usable = ray.origin.is_finite() && ray.direction != Vec3::ZERO;
        is_usable.then_some(ray)
    }

    /// Distance to a triangle that it hits, and the corners' shares in the place (T. Möller
    /// and B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997); from
    /// either side.
    fn hits(&self, [a, b, c]: [Vec3; 3]) -> Option<(f32, [f32; 3])> {
        let (u, v) = (b - a, c - a);
        let p = self.direction.cross(v);
        let determinant = u.dot(p);
        let t = self.origin - a;
        let q = t.cross(u);
        let (x, y) = (t.dot(p) / determinant, self.direction.dot(q) / determinant);
        let distance = v.dot(q) / determinant;
        // Comparisons with what is no number are false.
        let inside = x >= 0.0 && y >= 0.0 && x + y <= 1.0 && distance > 0.0;
        (inside && distance.is_finite()).then_some((distance, [1.0 - x - y, x, y]))
    }

    /// Whether it comes through a box (slabs).
    fn enters(&self, bounds: &Aabb) -> bool {
        let (mut near, mut far) = (0f32, f32::INFINITY);
        for axis in 0..3 {
            let inverse = 1.0 / self.direction[axis];
            let a = (bounds.min[axis] - self.origin[axis]) * inverse;
            let b = (bounds.max[axis] - self.origin[axis]) * inverse;
            // Along a slab's plane both are no numbers, and decide nothing.
            near = near.max(a.min(b));
            far = far.min(a.max(b));
        }
        near <= far * 1.000_01
    }
}

/// The vertex nearest to where a ray first meets a surface, among the corners of the
/// triangle that it hits. Hidden instances do not count, and neither do the backs of
/// surfaces that are drawn from the front only. Some milliseconds for 200 000 triangles.
pub fn vertex_at(frame: &Frame, ray: &Ray) -> Option<VertexRef> {
    let Hit { point, nearest, .. } = first_hit(frame, ray)?;
    let document = &frame.characters.first()?.document;
    let mesh = &document.meshes[document.instances[point.instance].mesh];
    Some(VertexRef {
        instance: point.instance,
        primitive: point.primitive,
        vertex: file_vertex(&mesh.primitives[point.primitive], nearest),
    })
}

/// The first point of the surface that a ray meets, under the rules of [`vertex_at`], and
/// where that is in the world.
pub fn surface_at(frame: &Frame, ray: &Ray) -> Option<(SurfacePoint, Vec3)> {
    let Hit {
        distance, point, ..
    } = first_hit(frame, ray)?;
    Some((point, ray.origin + ray.direction * distance))
}

/// Where a ray meets a surface.
struct Hit {
    distance: f32,
    point: SurfacePoint,
    /// The corner next to it, a vertex of the primitive.
    nearest: usize,
}

fn first_hit(frame: &Frame, ray: &Ray) -> Option<Hit> {
    // The open document is the first character; selections mean it alone.
    let character = frame.characters.first()?;
    let mut best: Option<Hit> = None;
    for draw in &character.draws {
        let instance = &character.document.instances[draw.instance];
        let primitives = &character.document.meshes[instance.mesh].primitives;
        for (index, primitive) in primitives.iter().enumerate() {
            if primitive.topology != Topology::Triangles {
                continue;
            }
            let surface = Surface::new(frame, character, draw, primitive);
            if let Some(hit) = surface.nearest(ray, index)
                && best
                    .as_ref()
                    .is_none_or(|least| hit.distance < least.distance)
            {
                best = Some(hit);
            }
        }
    }
    best
}

/// A primitive of a mesh instance as it is drawn.
struct Surface<'a> {
    character: &'a CharacterFrame,
    draw: &'a DrawInstance,
    primitive: &'a Primitive,
    /// Empty for what is not skinned.
    palette: &'a [SkinMatrix],
    morphs: &'a [f32],
    /// World space, by vertex.
    positions: Vec<Vec3>,
}

impl<'a> Surface<'a> {
    fn new(
        frame: &'a Frame,
        character: &'a CharacterFrame,
        draw: &'a DrawInstance,
        primitive: &'a Primitive,
    ) -> Self {
        let document = &*character.document;
        let instance = &document.instances[draw.instance];
        let palette = match (draw.palette_start, instance.skin) {
            (Some(start), Some(skin)) if !primitive.influences.is_empty() => {
                let start = start as usize;
                let entries = document.skins[skin].joints.len() * character.skinning.entries();
                &frame.skin_matrices[start..start + entries]
            }
            _ => &[],
        };
        let morphs = draw.morph_start as usize;
        let mut surface = Self {
            character,
            draw,
            primitive,
            palette,
            morphs: &frame.morph_weights[morphs..morphs + instance.morph_weights.len()],
            positions: vec![Vec3::ZERO; primitive.vertex_count()],
        };
        let mut positions = core::mem::take(&mut surface.positions);
        in_chunks(&mut positions, |first, chunk| {
            for (offset, position) in chunk.iter_mut().enumerate() {
                *position = surface.position(first + offset);
            }
        });
        surface.positions = positions;
        surface
    }

    fn position(&self, vertex: usize) -> Vec3 {
        let (primitive, morphs) = (self.primitive, self.morphs);
        let position = if self.palette.is_empty() {
            anim::morphed_position(primitive, vertex, morphs)
        } else {
            let (weights, skinning) = (self.character.weights, self.character.skinning);
            anim::skinned_position_by(primitive, vertex, self.palette, morphs, weights, skinning)
        };
        self.draw.world_from_mesh.transform_point3(position)
    }

    /// The hit of the nearest triangle that shows; `index` is the primitive's own.
    fn nearest(&self, ray: &Ray, index: usize) -> Option<Hit> {
        let bounds = Aabb::from_points(self.positions.iter().copied());
        if !ray.enters(&bounds) {
            return None;
        }
        let corners = |triangle: &[u32]| {
            [triangle[0], triangle[1], triangle[2]].map(|i| self.positions[i as usize])
        };
        let mut best: Option<(f32, [f32; 3], &[u32])> = None;
        for triangle in self.primitive.indices.chunks_exact(3) {
            if let Some((distance, shares)) = ray.hits(corners(triangle))
                && best.is_none_or(|(least, ..)| distance < least)
                && self.shows(ray, triangle, corners(triangle))
            {
                best = Some((distance, shares, triangle));
            }
        }
        let (distance, shares, triangle) = best?;
        let hit = ray.origin + ray.direction * distance;
        let nearest = triangle.iter().min_by(|&&a, &&b| {
            let off = |vertex: u32| self.positions[vertex as usize].distance_squared(hit);
            off(a).total_cmp(&off(b))
        })?;
        Some(Hit {
            distance,
            point: SurfacePoint {
                instance: self.draw.instance,
                primitive: index,
                vertices: [triangle[0], triangle[1], triangle[2]],
                shares,
            },
            nearest: *nearest as usize,
        })
    }

    /// Whether a triangle is drawn when it is seen along a ray: backs of one-sided
    /// materials are not.
    fn shows(&self, ray: &Ray, triangle: &[u32], [a, b, c]: [Vec3; 3]) -> bool {
        let document = &self.character.document;
        let material = self
            .primitive
            .material
            .map(|index| &document.materials[index]);
        if material.is_some_and(|material| material.double_sided) {
            return true;
        }
        let counter_clockwise = (b - a).cross(c - a).dot(ray.direction) < 0.0;
        let skin = document.instances[self.draw.instance].skin;
        let mirrored_bind = skin.is_some_and(|skin| document.skins[skin].mirrored_bind());
        let reflects = self.determinant(triangle[0] as usize) < 0.0;
        counter_clockwise != (reflects != mirrored_bind)
    }

    /// Of what moves a vertex: negative where it turns its surroundings inside out.
    fn determinant(&self, vertex: usize) -> f32 {
        let placement = self.draw.world_from_mesh.determinant();
        if self.palette.is_empty() {
            return placement;
        }
        let (weights, skinning) = (self.character.weights, self.character.skinning);
        let matrix = anim::vertex_matrix(self.primitive, vertex, self.palette, weights, skinning);
        let [x, y, z] = matrix.unwrap_or_default().rows.map(glam::Vec4::truncate);
        let own = x.dot(y.cross(z));
        // Without weights it stays where it was bound.
        if own == 0.0 {
            placement
        } else {
            own * placement
        }
    }
}

/// The file's vertex that a copy was split off from: one in the same place with the
/// same influences.
fn file_vertex(primitive: &Primitive, vertex: usize) -> usize {
    let count = primitive.file_vertex_count;
    if vertex < count {
        return vertex;
    }
    let is_same = |other: &usize| {
        primitive.positions[*other] == primitive.positions[vertex]
            && (primitive.influences.of_vertex(*other)).eq(primitive.influences.of_vertex(vertex))
    };
    (0..count).find(is_same).unwrap_or(vertex)
}

/// Runs `work` over parts of a slice, each with the index of its first item; on several
/// threads where the slice is large.
fn in_chunks<T: Send>(items: &mut [T], work: impl Fn(usize, &mut [T]) + Sync) {
    if items.len() <= CHUNK {
        return work(0, items);
    }
    let threads = thread::available_parallelism().map_or(1, core::num::NonZero::get);
    let size = items.len().div_ceil(threads).max(CHUNK);
    thread::scope(|scope| {
        for (index, chunk) in items.chunks_mut(size).enumerate() {
            let work = &work;
            scope.spawn(move || work(index * size, chunk));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_hits_a_triangle_from_both_sides_and_never_behind_it() {
        let corners = [Vec3::ZERO, Vec3::X * 2.0, Vec3::Y * 2.0];
        let hit = |origin: Vec3, direction: Vec3| Ray { origin, direction }.hits(corners);
        for z in [3.0, -3.0] {
            let origin = Vec3::new(0.5, 0.5, z);
            let towards = Vec3::Z * -z.signum();
            let (distance, shares) = hit(origin, towards).expect("it is hit");
            assert!((distance - 3.0).abs() < 1e-6);
            assert_eq!(shares, [0.5, 0.25, 0.25]);
            assert_eq!(hit(origin, -towards), None);
        }
        assert_eq!(hit(Vec3::new(1.5, 1.5, 1.0), Vec3::NEG_Z), None, "beside");
        assert_eq!(hit(Vec3::new(-1.0, 0.5, 0.0), Vec3::X), None, "edge on");
        let ray = Ray {
            origin: Vec3::Z,
            direction: Vec3::NEG_Z,
        };
        assert_eq!(ray.hits([Vec3::NAN, Vec3::X, Vec3::Y]), None);
    }
}
