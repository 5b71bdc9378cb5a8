//! The reference figure: a plain standing person of 1.8 m, made here in code.
//!
//! Its body is a distance field of round cones that melt into one another, meshed by
//! naive surface nets (Gibson 1998): one vertex for each cell that the surface passes
//! through, at the mean of where it cuts the cell's edges.

use std::{collections::HashMap, sync::Arc};

use glam::{IVec3, Vec3, Vec4};

use crate::{
    document::{Document, Joint, Material, Mesh, MeshInstance, Primitive, Skeleton},
    math::Aabb,
};

/// How tall it stands, metres.
pub const FIGURE_HEIGHT: f32 = 1.8;

/// Edge of a cell, metres.
const CELL: f32 = 0.018;
/// How far parts melt into one another, metres.
const MELT: f32 = 0.045;

/// A round cone: the hull of two balls.
struct Part {
    from: Vec3,
    from_radius: f32,
    to: Vec3,
    to_radius: f32,
    /// Factor on depth before measuring: above 1 makes it flat.
    depth: f32,
}

const fn part(from: [f32; 3], from_radius: f32, to: [f32; 3], to_radius: f32, depth: f32) -> Part {
    Part {
        from: Vec3::from_array(from),
        from_radius,
        to: Vec3::from_array(to),
        to_radius,
        depth,
    }
}

/// In the middle: pelvis, belly, chest, shoulders, neck, head.
const TRUNK: [Part; 6] = [
    part([-0.06, 0.945, 0.0], 0.094, [0.06, 0.945, 0.0], 0.094, 1.12),
    part([0.0, 0.96, 0.0], 0.135, [0.0, 1.18, 0.0], 0.132, 1.42),
    part([0.0, 1.16, 0.0], 0.132, [0.0, 1.32, 0.0], 0.158, 1.5),
    part([-0.148, 1.425, 0.0], 0.056, [0.148, 1.425, 0.0], 0.056, 1.0),
    part([0.0, 1.42, 0.0], 0.06, [0.0, 1.58, 0.012], 0.05, 1.0),
    part([0.0, 1.622, 0.022], 0.074, [0.0, 1.7, 0.006], 0.096, 1.0),
];

/// On the figure's left, mirrored to its right: arm and leg from the trunk down, each
/// part as thick where it begins as the one before it where it ends.
const LIMBS: [Part; 6] = [
    part([0.182, 1.415, 0.0], 0.052, [0.228, 1.14, -0.01], 0.04, 1.0),
    part([0.228, 1.14, -0.01], 0.04, [0.252, 0.89, 0.028], 0.029, 1.0),
    part([0.252, 0.89, 0.028], 0.029, [0.258, 0.76, 0.05], 0.024, 1.0),
    part([0.086, 0.88, 0.0], 0.083, [0.098, 0.5, 0.006], 0.054, 1.0),
    part(
        [0.098, 0.5, 0.006],
        0.054,
        [0.102, 0.08, -0.022],
        0.035,
        1.0,
    ),
    part(
        [0.102, 0.05, -0.028],
        0.042,
        [0.118, 0.032, 0.125],
        0.03,
        1.0,
    ),
];

impl Part {
    fn distance(&self, at: Vec3) -> f32 {
        let squash = Vec3::new(1.0, 1.0, self.depth);
        let (from, to, at) = (self.from * squash, self.to * squash, at * squash);
        let along = to - from;
        let share = ((at - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let radius = self.from_radius + (self.to_radius - self.from_radius) * share;
        at.distance(from + along * share) - radius
    }
}

/// Smaller of two distances, rounded over so many metres where they meet (Quilez'
/// polynomial minimum).
fn melted(a: f32, b: f32, over: f32) -> f32 {
    let share = (over - (a - b).abs()).max(0.0) / over.max(f32::MIN_POSITIVE);
    a.min(b) - share * share * over * 0.25
}

/// Distance to the body, negative inside.
fn body(at: Vec3) -> f32 {
    let sided = at.with_x(at.x.abs());
    let limb = |parts: &[Part]| {
        let distances = parts.iter().map(|part| part.distance(sided));
        distances.fold(f32::INFINITY, f32::min)
    };
    let (arms, legs) = (limb(&LIMBS[..3]), limb(&LIMBS[3..]));
    let trunk = TRUNK.iter().map(|part| part.distance(at));
    let trunk = trunk.fold(legs, |a, b| melted(a, b, MELT));
    // Arms join at the shoulder and nowhere else.
    let shoulder = ((at.y - 1.2) / 0.15).clamp(0.0, 1.0);
    melted(trunk, arms, MELT * shoulder)
}

/// A document that holds the figure and nothing else: feet on y = 0, its face to +Z.
pub(super) fn figure() -> Arc<Document> {
    let material = Material {
        name: "Reference figure".to_owned(),
        base_color: Vec4::new(0.13, 0.14, 0.165, 1.0),
        metallic: 0.0,
        roughness: 0.95,
        ..Material::default()
    };
    Arc::new(Document {
        name: "Reference figure".to_owned(),
        skeleton: Skeleton {
            joints: vec![Joint::default()],
            joint_of_node: vec![0],
        },
        meshes: vec![Mesh {
            name: "Reference figure".to_owned(),
            primitives: vec![surface()],
            ..Mesh::default()
        }],
        instances: vec![MeshInstance {
            joint: 0,
            mesh: 0,
            skin: None,
            in_scene: true,
            morph_weights: Vec::new(),
        }],
        materials: vec![material],
        ..Document::default()
    })
}

/// Corners of a cell, and its edges as pairs of them.
const CORNERS: [IVec3; 8] = [
    IVec3::new(0, 0, 0),
    IVec3::new(1, 0, 0),
    IVec3::new(0, 1, 0),
    IVec3::new(1, 1, 0),
    IVec3::new(0, 0, 1),
    IVec3::new(1, 0, 1),
    IVec3::new(0, 1, 1),
    IVec3::new(1, 1, 1),
];
const EDGES: [(usize, usize); 12] = [
    (0, 1),
    (2, 3),
    (4, 5),
    (6, 7),
    (0, 2),
    (1, 3),
    (4, 6),
    (5, 7),
    (0, 4),
    (1, 5),
    (2, 6),
    (3, 7),
];

/// The field at the corners of a grid of cells.
struct Samples {
    low: Vec3,
    size: IVec3,
    values: Vec<f32>,
}

impl Samples {
    fn new(bounds: Aabb) -> Self {
        let size = (bounds.size() / CELL).ceil().as_ivec3() + 1;
        let mut samples = Self {
            low: bounds.min,
            size,
            values: Vec::with_capacity((size.x * size.y * size.z) as usize),
        };
        for z in 0..size.z {
            for y in 0..size.y {
                for x in 0..size.x {
                    let value = body(samples.place(IVec3::new(x, y, z)));
                    samples.values.push(value);
                }
            }
        }
        samples
    }

    fn place(&self, corner: IVec3) -> Vec3 {
        self.low + corner.as_vec3() * CELL
    }

    fn at(&self, corner: IVec3) -> f32 {
        let IVec3 { x, y, z } = corner;
        self.values[((z * self.size.y + y) * self.size.x + x) as usize]
    }

    /// Mean of where the surface cuts the edges of the cell at `corner`, if it does.
    fn vertex(&self, corner: IVec3) -> Option<Vec3> {
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for (a, b) in EDGES {
            let (a, b) = (corner + CORNERS[a], corner + CORNERS[b]);
            let (inner, outer) = (self.at(a), self.at(b));
            if (inner < 0.0) != (outer < 0.0) {
                sum += self.place(a).lerp(self.place(b), inner / (inner - outer));
                count += 1.0;
            }
        }
        (count > 0.0).then(|| sum / count)
    }
}

fn surface() -> Primitive {
    let reach = Vec3::new(0.32, 0.0, 0.2);
    let bounds = Aabb {
        min: -reach - Vec3::Y * 0.04,
        max: reach + Vec3::Y * (FIGURE_HEIGHT + 0.04),
    };
    let samples = Samples::new(bounds);
    let mut primitive = Primitive {
        material: Some(0),
        ..Primitive::default()
    };
    let mut vertex_of: HashMap<IVec3, u32> = HashMap::new();
    let cells = samples.size - 1;
    let all = |size: IVec3| {
        (0..size.z).flat_map(move |z| {
            (0..size.y).flat_map(move |y| (0..size.x).map(move |x| IVec3::new(x, y, z)))
        })
    };
    for cell in all(cells) {
        if let Some(place) = samples.vertex(cell) {
            vertex_of.insert(cell, primitive.positions.len() as u32);
            primitive.positions.push(place);
        }
    }
    // Around each edge that the surface cuts, the four cells' vertices make a quad.
    for corner in all(samples.size) {
        for axis in 0..3 {
            let step = |axis: usize| IVec3::AXES[axis % 3];
            let end = corner + step(axis);
            if end.cmpge(samples.size).any() {
                continue;
            }
            let is_inside = samples.at(corner) < 0.0;
            if is_inside == (samples.at(end) < 0.0) {
                continue;
            }
            let (u, v) = (step(axis + 1), step(axis + 2));
            let ring = [corner, corner - u, corner - u - v, corner - v];
            let quad: Vec<u32> = ring
                .iter()
                .filter_map(|cell| vertex_of.get(cell).copied())
                .collect();
            if let [a, b, c, d] = quad[..] {
                let turned = if is_inside {
                    [a, b, c, a, c, d]
                } else {
                    [a, c, b, a, d, c]
                };
                primitive.indices.extend(turned);
            }
        }
    }
    stand(&mut primitive);
    primitive
}

/// Normals from the field; feet on the ground and the right height, to the last digit.
fn stand(primitive: &mut Primitive) {
    let slope = |at: Vec3, axis: Vec3| body(at + axis * 0.002) - body(at - axis * 0.002);
    primitive.normals = (primitive.positions.iter())
        .map(|&at| Vec3::from_array(Vec3::AXES.map(|axis| slope(at, axis))).normalize_or(Vec3::Y))
        .collect();
    let bounds = Aabb::from_points(primitive.positions.iter().copied());
    let stretch = FIGURE_HEIGHT / bounds.size().y;
    for position in &mut primitive.positions {
        position.y = (position.y - bounds.min.y) * stretch;
    }
    primitive.bounds = Aabb::from_points(primitive.positions.iter().copied());
    primitive.file_vertex_count = primitive.positions.len();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figure_is_a_closed_surface_of_its_height_on_the_ground() {
        let document = figure();
        let primitive = &document.meshes[0].primitives[0];
        let Aabb { min, max } = primitive.bounds;
        assert!(min.y.abs() < 1e-6 && (max.y - FIGURE_HEIGHT).abs() < 1e-6);
        assert!((max.x + min.x).abs() < 1e-3, "it is symmetric: {min} {max}");
        assert!((0.5..0.65).contains(&(max.x - min.x)), "{}", max.x - min.x);
        assert!(primitive.positions.len() < 20_000);
        // Each edge of a closed surface is passed once in each direction.
        let mut edges = HashMap::new();
        for triangle in primitive.indices.chunks(3) {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                *edges.entry((triangle[a], triangle[b])).or_insert(0) += 1;
            }
        }
        assert!(edges.keys().all(|&(a, b)| edges.contains_key(&(b, a))));
        // Outside is to the left of counter-clockwise.
        let volume: f32 = (primitive.indices.chunks(3))
            .map(|t| {
                let [a, b, c] = [t[0], t[1], t[2]].map(|v| primitive.positions[v as usize]);
                a.dot(b.cross(c)) / 6.0
            })
            .sum();
        assert!((0.05..0.12).contains(&volume), "{volume} m³ of a person");
        let out = (primitive.indices.chunks(3)).filter(|t| {
            let [a, b, c] = [t[0], t[1], t[2]].map(|v| primitive.positions[v as usize]);
            (b - a).cross(c - a).dot(primitive.normals[t[0] as usize]) > 0.0
        });
        let share = out.count() as f32 / (primitive.indices.len() / 3) as f32;
        assert!(share > 0.99, "{share} of the normals point out");
    }
}
