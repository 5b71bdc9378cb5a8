//! Object transforms applied to vertices.

use glam::{Mat3, Mat4, Vec3};

use crate::{
    document::{Finding, Primitive, Topology},
    import::gltf::vertices::{Place, mend, mend_reported},
    math::Aabb,
};

/// Applies an object transform to the vertices.
pub(super) fn by(
    primitive: &mut Primitive,
    matrix: Mat4,
    place: Place,
    findings: &mut Vec<Finding>,
) {
    let axes = Mat3::from_mat4(matrix);
    // Normals go by the cofactors, which exist also where no inverse does.
    let cofactors = Mat3::from_cols(
        axes.y_axis.cross(axes.z_axis),
        axes.z_axis.cross(axes.x_axis),
        axes.x_axis.cross(axes.y_axis),
    );
    let turned = |normal: &mut Vec3| *normal = (cofactors * *normal).normalize_or_zero();
    for position in &mut primitive.positions {
        *position = matrix.transform_point3(*position);
    }
    primitive.normals.iter_mut().for_each(turned);
    for target in &mut primitive.morph_targets {
        for offset in &mut target.positions {
            *offset = axes * *offset;
        }
        for offset in &mut target.normals {
            *offset = cofactors * *offset;
        }
    }
    if axes.determinant() < 0.0 && primitive.topology == Topology::Triangles {
        for normal in &mut primitive.normals {
            *normal = -*normal;
        }
        for triangle in primitive.indices.chunks_exact_mut(3) {
            triangle.swap(1, 2);
        }
    }
    let owner = format_args!("positions moved by the transform of their object");
    mend_reported(&mut primitive.positions, Vec3::ZERO, owner, place, findings);
    for target in &mut primitive.morph_targets {
        mend(&mut target.positions, Vec3::ZERO);
        mend(&mut target.normals, Vec3::ZERO);
    }
    primitive.bounds = Aabb::from_points(primitive.positions.iter().copied());
}
