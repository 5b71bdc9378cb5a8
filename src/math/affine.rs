//! Affine matrices by rows.

use core::ops::Mul;

use glam::{Mat4, Vec3, Vec4, Vec4Swizzles as _};

/// The upper three rows of an affine matrix; the fourth is 0 0 0 1.
///
/// By rows because that is what a GPU storage buffer takes with 48 bytes an entry,
/// and because a product then fills all four lanes (36 multiplications against 48
/// for four columns).
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Affine {
    /// Row i gives the i-th coordinate of the result.
    pub rows: [Vec4; 3],
}

impl Default for Affine {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Affine {
    /// Leaves points where they are.
    pub const IDENTITY: Self = Self {
        rows: [Vec4::X, Vec4::Y, Vec4::Z],
    };

    /// Drops the fourth row, which is 0 0 0 1 in an affine matrix.
    pub fn from_mat4(matrix: Mat4) -> Self {
        let rows = matrix.transpose();
        Self {
            rows: [rows.x_axis, rows.y_axis, rows.z_axis],
        }
    }

    /// Back to a full matrix.
    pub fn to_mat4(self) -> Mat4 {
        Mat4::from_cols(self.rows[0], self.rows[1], self.rows[2], Vec4::W).transpose()
    }

    /// Where the origin goes.
    pub fn translation(&self) -> Vec3 {
        Vec3::new(self.rows[0].w, self.rows[1].w, self.rows[2].w)
    }

    /// Applies it to a point.
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        let point = point.extend(1.0);
        Vec3::new(
            self.rows[0].dot(point),
            self.rows[1].dot(point),
            self.rows[2].dot(point),
        )
    }

    /// The upper three rows of `self · right` for any matrix, its fourth row too.
    #[inline]
    #[must_use]
    pub fn mul_mat4(&self, right: &Mat4) -> Self {
        let right = right.transpose();
        Self {
            rows: self.rows.map(|row| {
                row.xxxx() * right.x_axis
                    + row.yyyy() * right.y_axis
                    + (row.zzzz() * right.z_axis + row.wwww() * right.w_axis)
            }),
        }
    }
}

impl Mul<&Affine> for &Affine {
    type Output = Affine;

    #[inline]
    fn mul(self, right: &Affine) -> Affine {
        let [x, y, z] = &right.rows;
        Affine {
            rows: self
                .rows
                .map(|row| row.xxxx() * *x + row.yyyy() * *y + (row.zzzz() * *z + row * Vec4::W)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_full_matrices() {
        let a = Mat4::from_cols_array(&core::array::from_fn(|i| (i * i % 7) as f32 - 2.5));
        let b = Mat4::from_cols_array(&core::array::from_fn(|i| (i * 5 % 11) as f32 - 3.0));
        let (a, affine_b) = (Affine::from_mat4(a), Affine::from_mat4(b));
        let upper = |m: Mat4| [m.row(0), m.row(1), m.row(2)];
        assert_eq!(
            (&a * &affine_b).rows,
            upper(a.to_mat4() * affine_b.to_mat4())
        );
        // `b` has a fourth row of its own, which must count.
        assert_eq!(a.mul_mat4(&b).rows, upper(a.to_mat4() * b));
        assert_ne!(a.mul_mat4(&b), &a * &affine_b);
    }

    #[test]
    fn points_and_sizes() {
        assert_eq!(size_of::<Affine>(), 48);
        let matrix = Mat4::from_scale_rotation_translation(
            Vec3::new(1.0, -2.0, 3.0),
            glam::Quat::from_rotation_y(0.4),
            Vec3::new(5.0, 6.0, 7.0),
        );
        let affine = Affine::from_mat4(matrix);
        assert_eq!(affine.to_mat4(), matrix);
        assert_eq!(affine.translation(), Vec3::new(5.0, 6.0, 7.0));
        let point = Vec3::new(0.1, 0.2, 0.3);
        assert!(
            affine
                .transform_point(point)
                .abs_diff_eq(matrix.transform_point3(point), 1e-6)
        );
    }
}
