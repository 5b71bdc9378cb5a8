//! The CPU reference: vertices by both routes of linear blend skinning, and normals.

use glam::{Mat3, Mat4, Vec3};

use super::{SkinMatrix, Skinning, palette::motion};
use crate::document::{MorphTarget, Primitive};

/// How stored weights are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Weights {
    /// Divided by their sum, vertex by vertex.
    #[default]
    Normalized,
    /// As stored.
    Stored,
}

impl Weights {
    /// Both, in menu order.
    pub const ALL: [Self; 2] = [Self::Normalized, Self::Stored];

    /// The name on the command line and in menus.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normalized => "normalized",
            Self::Stored => "stored",
        }
    }

    /// Smallest sum of weights that moves a vertex. The reciprocal of anything below
    /// may overflow, and GPUs take such numbers for 0: a vertex with a smaller sum
    /// counts as one without weights. `MIN_WEIGHT_SUM` of `shaders/lib/deform.wgsl`.
    pub const MIN_SUM: f32 = f32::MIN_POSITIVE;

    /// Factor on a vertex's stored weights, given their sum.
    pub fn factor(self, sum: f32) -> f32 {
        match self {
            Self::Normalized if sum >= Self::MIN_SUM => 1.0 / sum,
            _ => 1.0,
        }
    }
}

/// A vertex attribute in mesh space after morph targets: morph first, then skin.
/// `displacement` names a target's array for it, which may be empty.
fn morphed(
    primitive: &Primitive,
    base: Vec3,
    vertex: usize,
    morph_weights: &[f32],
    displacement: impl Fn(&MorphTarget) -> &[Vec3],
) -> Vec3 {
    primitive
        .morph_targets
        .iter()
        .zip(morph_weights)
        .fold(base, |sum, (target, &weight)| {
            displacement(target)
                .get(vertex)
                .map_or(sum, |&offset| sum + offset * weight)
        })
}

/// A vertex in mesh space with its morph targets added, before any skin.
pub fn morphed_position(primitive: &Primitive, vertex: usize, morph_weights: &[f32]) -> Vec3 {
    let base = primitive.positions[vertex];
    morphed(primitive, base, vertex, morph_weights, |t| &t.positions)
}

/// Joint slots of a vertex with the weights to use, leaving out those without
/// weight; `None` for a vertex that no joint moves ([`Weights::MIN_SUM`]).
fn influences(
    primitive: &Primitive,
    vertex: usize,
    weights: Weights,
) -> Option<impl Iterator<Item = (usize, f32)> + '_> {
    influences_by(primitive, vertex, weights, Skinning::Linear)
}

/// [`influences`] that count.
fn influences_by(
    primitive: &Primitive,
    vertex: usize,
    weights: Weights,
    skinning: Skinning,
) -> Option<impl Iterator<Item = (usize, f32)> + '_> {
    let kept = skinning.kept(primitive.influences.per_vertex);
    let stored = move || primitive.influences.of_vertex(vertex).take(kept);
    let sum: f32 = stored().map(|(_, weight)| weight).sum();
    let factor = match skinning {
        // A share each.
        Skinning::DualQuaternion | Skinning::DualQuaternionUnaligned => {
            Weights::Normalized.factor(sum)
        }
        _ => weights.factor(sum),
    };
    (sum >= Weights::MIN_SUM).then(|| {
        stored()
            .filter(|&(_, weight)| weight != 0.0)
            .map(move |(slot, weight)| (usize::from(slot), weight * factor))
    })
}

/// The first of the influences with the greatest weight.
fn heaviest(influences: impl Iterator<Item = (usize, f32)>) -> Option<usize> {
    let first = |best: Option<(usize, f32)>, next: (usize, f32)| match best {
        Some((_, weight)) if weight >= next.1 => best,
        _ => Some(next),
    };
    influences.fold(None, first).map(|(slot, _)| slot)
}

/// The one matrix by which a vertex's influences move it and its normal; `None` for a
/// vertex that no joint moves. `palette` is what [`prepare_palette`](super::prepare_palette)
/// makes for this method.
pub fn vertex_matrix(
    primitive: &Primitive,
    vertex: usize,
    palette: &[SkinMatrix],
    weights: Weights,
    skinning: Skinning,
) -> Option<SkinMatrix> {
    let all = || influences_by(primitive, vertex, weights, skinning);
    let influences = all()?;
    Some(match skinning {
        Skinning::Linear | Skinning::FourInfluences => blend(influences, palette),
        Skinning::Rigid => palette[heaviest(influences)?],
        Skinning::DualQuaternion | Skinning::DualQuaternionUnaligned => {
            let pivot = motion(&palette[2 * heaviest(influences)? + 1]).real;
            let moved = all()?.map(|(slot, weight)| {
                let part = motion(&palette[2 * slot + 1]);
                let long_way = part.real.dot(pivot) < 0.0;
                let turns = long_way && skinning == Skinning::DualQuaternion;
                part * if turns { -weight } else { weight }
            });
            let moved = moved.reduce(|sum, part| sum + part)?.normalized();
            let stretch = blend(all()?.map(|(slot, weight)| (2 * slot, weight)), palette);
            &moved.to_affine() * &stretch
        }
    })
}

/// `Σ w A` by entries of the palette.
fn blend(influences: impl Iterator<Item = (usize, f32)>, palette: &[SkinMatrix]) -> SkinMatrix {
    let mut rows = [glam::Vec4::ZERO; 3];
    for (entry, weight) in influences {
        for (row, part) in rows.iter_mut().zip(palette[entry].rows) {
            *row += part * weight;
        }
    }
    SkinMatrix { rows }
}

/// `Σ w (M M0⁻¹) v`: the position of one vertex in world space. `palette` holds
/// `M M0⁻¹` by the skin's joint slots. A vertex whose weights are all zero stays at
/// its bind position.
///
/// Of a mesh instance with a skin, that is: without one, joints and weights count for
/// nothing, and [`morphed_position`] is all there is.
pub fn skinned_position(
    primitive: &Primitive,
    vertex: usize,
    palette: &[SkinMatrix],
    morph_weights: &[f32],
    weights: Weights,
) -> Vec3 {
    let all = Skinning::Linear;
    skinned_position_by(primitive, vertex, palette, morph_weights, weights, all)
}

/// [`skinned_position`] by a method of one's choice and its palette.
pub fn skinned_position_by(
    primitive: &Primitive,
    vertex: usize,
    palette: &[SkinMatrix],
    morph_weights: &[f32],
    weights: Weights,
    skinning: Skinning,
) -> Vec3 {
    let v = morphed_position(primitive, vertex, morph_weights);
    match skinning {
        Skinning::Linear | Skinning::FourInfluences => {
            let influences = influences_by(primitive, vertex, weights, skinning);
            let moved = |(slot, weight): (usize, f32)| {
                let entry: &SkinMatrix = &palette[slot];
                entry.transform_point(v) * weight
            };
            influences.map_or(v, |influences| influences.map(moved).sum())
        }
        _ => vertex_matrix(primitive, vertex, palette, weights, skinning)
            .map_or(v, |matrix| matrix.transform_point(v)),
    }
}

/// [`skinned_position`] of every vertex.
pub fn deform_by_skin_matrices(
    primitive: &Primitive,
    palette: &[SkinMatrix],
    morph_weights: &[f32],
    weights: Weights,
    out: &mut Vec<Vec3>,
) {
    out.clear();
    out.extend(
        (0..primitive.vertex_count())
            .map(|vertex| skinned_position(primitive, vertex, palette, morph_weights, weights)),
    );
}

/// `Σ w M d` with `d = M0⁻¹ v`, the vertex in each joint's bind frame: the
/// equivalent second route, kept as a check of the first. `world_from_joint` gives
/// `M` by the skin's joint slots.
pub fn deform_by_joint_frames(
    primitive: &Primitive,
    world_from_joint: impl Fn(usize) -> Mat4,
    joint_from_mesh: &[Mat4],
    morph_weights: &[f32],
    weights: Weights,
    out: &mut Vec<Vec3>,
) {
    out.clear();
    out.extend((0..primitive.vertex_count()).map(|vertex| {
        let v = morphed_position(primitive, vertex, morph_weights);
        let Some(influences) = influences(primitive, vertex, weights) else {
            return v;
        };
        influences
            .map(|(slot, weight)| {
                let d = joint_from_mesh[slot].transform_point3(v);
                world_from_joint(slot).transform_point3(d) * weight
            })
            .sum()
    }));
}

/// Normals in world space: the cofactor matrix of the blended `Σ w (M M0⁻¹)` with the
/// sign of its determinant, times the morphed normal, brought to unit length.
///
/// A surface that a matrix `A` moves has normals along `A⁻ᵀ · n`, and `cof A` is
/// `det A` times that: right under non-uniform scale, and there where `A` is singular.
/// The sign keeps the normals of a mirrored surface pointing out, as glTF wants it;
/// its winding is then clockwise.
/// Zero where the surface collapses, or where the file's normal is zero. Empty for a
/// primitive without normals.
pub fn deform_normals(
    primitive: &Primitive,
    palette: &[SkinMatrix],
    morph_weights: &[f32],
    weights: Weights,
    out: &mut Vec<Vec3>,
) {
    let all = Skinning::Linear;
    deform_normals_by(primitive, palette, morph_weights, weights, all, false, out);
}

/// [`deform_normals`] by a method of one's choice and its palette; `naive` ones go by `A`
/// itself ([`Quirks::naive_normals`](super::Quirks::naive_normals)).
pub fn deform_normals_by(
    primitive: &Primitive,
    palette: &[SkinMatrix],
    morph_weights: &[f32],
    weights: Weights,
    skinning: Skinning,
    naive: bool,
    out: &mut Vec<Vec3>,
) {
    out.clear();
    out.extend(primitive.normals.iter().enumerate().map(|(vertex, &base)| {
        let n = morphed(primitive, base, vertex, morph_weights, |t| &t.normals);
        let Some(matrix) = vertex_matrix(primitive, vertex, palette, weights, skinning) else {
            return n.normalize_or_zero();
        };
        let [x, y, z] = matrix.rows.map(glam::Vec4::truncate);
        if naive {
            return Vec3::new(x.dot(n), y.dot(n), z.dot(n)).normalize_or_zero();
        }
        let sign = if x.dot(y.cross(z)) < 0.0 { -1.0 } else { 1.0 };
        (cofactor([x, y, z]) * n * sign).normalize_or_zero()
    }));
}

/// The cofactor matrix of a matrix given by rows. Each of its rows is the cross
/// product of the two other rows.
fn cofactor([x, y, z]: [Vec3; 3]) -> Mat3 {
    Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Influences;
    use glam::Quat;

    /// A tilted triangle, each vertex under its own mix of two joints.
    fn triangle() -> Primitive {
        Primitive {
            positions: vec![
                Vec3::new(0.0, 0.0, 0.0),
                Vec3::new(1.0, 0.2, 0.0),
                Vec3::new(0.1, 1.0, 0.7),
            ],
            indices: vec![0, 1, 2],
            influences: Influences {
                per_vertex: 2,
                joints: vec![0, 1, 0, 1, 0, 1],
                weights: vec![1.0, 0.0, 1.0, 0.0, 1.0, 0.0],
            },
            ..Primitive::default()
        }
    }

    fn face_normal(points: &[Vec3]) -> Vec3 {
        (points[1] - points[0])
            .cross(points[2] - points[0])
            .normalize()
    }

    #[test]
    fn normals_stay_on_their_side_of_the_moved_surface_mirrored_and_stretched_too() {
        let mut primitive = triangle();
        primitive.normals = vec![face_normal(&primitive.positions); 3];
        for scale in [
            Vec3::ONE,
            Vec3::new(4.0, 1.0, 0.25),
            Vec3::new(-1.0, 2.0, 1.0),
            Vec3::new(-1.0, -2.0, -3.0),
            Vec3::new(1e-3, 1e3, -1.0),
        ] {
            let matrix = Mat4::from_scale_rotation_translation(
                scale,
                Quat::from_rotation_z(0.7),
                Vec3::new(1.0, 2.0, 3.0),
            );
            let palette = [SkinMatrix::from_mat4(matrix), SkinMatrix::IDENTITY];
            let (mut positions, mut normals) = (Vec::new(), Vec::new());
            deform_by_skin_matrices(&primitive, &palette, &[], Weights::Stored, &mut positions);
            deform_normals(&primitive, &palette, &[], Weights::Stored, &mut normals);
            // A mirror turns the winding round, but not the side that is out.
            let out = face_normal(&positions) * (scale.x * scale.y * scale.z).signum();
            for normal in normals {
                assert!(normal.abs_diff_eq(out, 1e-4), "{scale}: {normal}");
            }
        }
    }

    #[test]
    fn a_flattened_surface_still_has_a_normal() {
        // Squashed onto the plane z = 0: singular, and no inverse transpose exists.
        let mut primitive = triangle();
        primitive.normals = vec![face_normal(&primitive.positions); 3];
        let flat = SkinMatrix::from_mat4(Mat4::from_scale(Vec3::new(1.0, 1.0, 0.0)));
        let mut normals = Vec::new();
        deform_normals(
            &primitive,
            &[flat, flat],
            &[],
            Weights::Stored,
            &mut normals,
        );
        assert_eq!(normals, [Vec3::Z; 3]);
    }

    #[test]
    fn weights_zero_stored_and_normalised() {
        let mut primitive = triangle();
        primitive.normals = vec![Vec3::Y; 3];
        primitive.influences.weights = vec![0.0, 0.0, 0.5, 1.5, 0.25, 0.25];
        let up = SkinMatrix::from_mat4(Mat4::from_translation(Vec3::Y));
        let palette = [up, up];
        let mut out = Vec::new();
        deform_by_skin_matrices(&primitive, &palette, &[], Weights::Normalized, &mut out);
        let p = &primitive.positions;
        assert_eq!(out, [p[0], p[1] + Vec3::Y, p[2] + Vec3::Y]);
        deform_by_skin_matrices(&primitive, &palette, &[], Weights::Stored, &mut out);
        assert_eq!(out, [p[0], (p[1] + Vec3::Y) * 2.0, (p[2] + Vec3::Y) * 0.5]);
        deform_normals(&primitive, &palette, &[], Weights::Stored, &mut out);
        assert_eq!(out, [Vec3::Y; 3]);
    }

    #[test]
    fn weights_too_small_to_divide_by_count_as_zero() {
        for (weight, moves) in [(1e-45, false), (1e-40, false), (1e-37, true)] {
            let mut primitive = triangle();
            primitive.influences.weights = vec![weight, 0.0, weight, 0.0, weight, 0.0];
            let up = SkinMatrix::from_mat4(Mat4::from_translation(Vec3::Y));
            let mut out = Vec::new();
            deform_by_skin_matrices(&primitive, &[up, up], &[], Weights::Normalized, &mut out);
            let shift = if moves { Vec3::Y } else { Vec3::ZERO };
            for (moved, bind) in out.iter().zip(&primitive.positions) {
                assert!(moved.abs_diff_eq(*bind + shift, 1e-5), "{weight}: {moved}");
            }
        }
    }

    #[test]
    fn morph_targets_move_vertices_and_normals_before_the_skin() {
        let mut primitive = triangle();
        primitive.normals = vec![Vec3::Y; 3];
        primitive.morph_targets = vec![
            MorphTarget {
                positions: vec![Vec3::X; 3],
                ..MorphTarget::default()
            },
            MorphTarget {
                normals: vec![Vec3::X; 3],
                ..MorphTarget::default()
            },
        ];
        let double = SkinMatrix::from_mat4(Mat4::from_scale(Vec3::splat(2.0)));
        let mut out = Vec::new();
        deform_by_skin_matrices(
            &primitive,
            &[double, double],
            &[0.5, 1.0],
            Weights::Stored,
            &mut out,
        );
        assert_eq!(out[0], Vec3::X);
        deform_normals(
            &primitive,
            &[double, double],
            &[0.5, 1.0],
            Weights::Stored,
            &mut out,
        );
        assert!(out[0].abs_diff_eq(Vec3::new(1.0, 1.0, 0.0).normalize(), 1e-6));
    }
}
