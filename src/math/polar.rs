//! Polar decomposition: a matrix as a rotation after a stretch.

use glam::{DMat3, DQuat, DVec3, Mat3, Quat};

/// `A = rotation · stretch`, with a proper rotation and a symmetric stretch.
///
/// Of all rotations it is the one nearest to `A` (in the Frobenius norm) where
/// `det A > 0`, and unlike the columns of `A` brought to unit length it prefers no axis.
/// A mirror goes into the stretch, whose eigenvalues are then all negative or zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polar {
    /// A proper rotation: its determinant is 1.
    pub rotation: DQuat,
    /// Symmetric. Applied first, along axes of the matrix's source space.
    pub stretch: DMat3,
    /// Iterations that were needed; 0 where the matrix is singular, or is no matrix.
    pub steps: u32,
    /// `|A − rotation · stretch| / |A|` in the Frobenius norm; 0 for a zero matrix.
    pub error: f64,
}

/// What a matrix of nothing, or of no numbers, comes to.
const NOTHING: Polar = Polar {
    rotation: DQuat::IDENTITY,
    stretch: DMat3::ZERO,
    steps: 0,
    error: 0.0,
};

/// Far more than was ever seen: where axes differ by a factor of ten thousand it is six.
const MAX_STEPS: u32 = 24;

/// Determinants below this, of a matrix whose Frobenius norm is 1, count as zero.
const SINGULAR: f64 = 1e-12;

impl Polar {
    /// Splits a matrix.
    ///
    /// Newton's iteration `U ← ½ (γ U + γ⁻¹ U⁻ᵀ)` with
    /// `γ = (|U⁻¹| / |U|)^½` in Frobenius norms (N. J. Higham, *Computing the polar
    /// decomposition, with applications*, SIAM J. Sci. Stat. Comput. 7, 1986; K. Shoemake
    /// and T. Duff, *Matrix animation and polar decomposition*, Graphics Interface 1992),
    /// which converges quadratically to the orthogonal factor of any invertible matrix.
    ///
    /// A singular matrix has no such limit: its rotation comes from the eigenvectors of
    /// `AᵀA`, with the direction that `A` says nothing about left where right angles and
    /// the smallest turn put it. A matrix of zeros, or with a number that is not finite,
    /// has no rotation and no stretch.
    pub fn new(matrix: DMat3) -> Self {
        let size = frobenius(matrix);
        // A size that underflows when squared is no size to speak of.
        if !size.is_finite() || size < 1e-150 {
            return NOTHING;
        }
        let a = matrix * (1.0 / size);
        let (orthogonal, steps) = match iterate(a) {
            Some(found) => found,
            None => (of_singular(a), 0),
        };
        // The other root of the same stretch: −U is proper where U is not.
        let proper = if orthogonal.determinant() < 0.0 {
            -orthogonal
        } else {
            orthogonal
        };
        let rotation = DQuat::from_mat3(&proper).normalize();
        let turned = DMat3::from_quat(rotation);
        let stretch = symmetric(turned.transpose() * a);
        Self {
            rotation,
            stretch: stretch * size,
            steps,
            error: frobenius(turned * stretch - a),
        }
    }

    /// [`Self::new`] in single precision: rotation and stretch.
    pub fn split(matrix: Mat3) -> (Quat, Mat3) {
        let parts = Self::new(matrix.as_dmat3());
        (parts.rotation.as_quat(), parts.stretch.as_mat3())
    }

    /// How far the stretch is from one along the matrix's own axes, 0 … 1: the largest of
    /// its off-diagonal entries over its Frobenius norm. 0 is a product of translation,
    /// rotation and scale; with more, there is shear that no such product gives.
    pub fn shear(&self) -> f64 {
        let size = frobenius(self.stretch);
        if size == 0.0 {
            return 0.0;
        }
        let [x, y] = [self.stretch.x_axis, self.stretch.y_axis];
        x.y.abs().max(x.z.abs()).max(y.z.abs()) / size
    }
}

fn frobenius(m: DMat3) -> f64 {
    (m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()).sqrt()
}

fn symmetric(m: DMat3) -> DMat3 {
    (m + m.transpose()) * 0.5
}

/// The orthogonal factor of a matrix of size 1, and the steps it took; `None` where it
/// is singular.
fn iterate(a: DMat3) -> Option<(DMat3, u32)> {
    let mut u = a;
    for step in 1..=MAX_STEPS {
        // det(U) · U⁻ᵀ, column by column.
        let cofactor = DMat3::from_cols(
            u.y_axis.cross(u.z_axis),
            u.z_axis.cross(u.x_axis),
            u.x_axis.cross(u.y_axis),
        );
        let determinant = u.x_axis.dot(cofactor.x_axis);
        if determinant.abs() < SINGULAR {
            return None;
        }
        let inverse_transpose = cofactor * (1.0 / determinant);
        let gamma = (frobenius(inverse_transpose) / frobenius(u)).sqrt();
        let next = u * (0.5 * gamma) + inverse_transpose * (0.5 / gamma);
        let change = frobenius(next - u);
        u = next;
        if change < 1e-9 {
            // Quadratic: what is left is the square of that.
            return Some((u, step));
        }
    }
    Some((u, MAX_STEPS))
}

/// An orthogonal matrix with `A = U · S` for a singular A of size 1.
fn of_singular(a: DMat3) -> DMat3 {
    let (values, axes) = eigen(a.transpose() * a);
    // From the strongest axis down, so that what is weak adapts to what is strong.
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| values[j].total_cmp(&values[i]));
    let axis = order.map(|i| axes.col(i));
    let image = axis.map(|axis| a * axis);
    let first = image[0].normalize_or(axis[0]);
    // The second singular value counts if it stands out from rounding.
    let second = (image[1] - first * first.dot(image[1]))
        .try_normalize()
        .filter(|_| image[1].length() > 1e-7)
        .unwrap_or_else(|| DQuat::from_rotation_arc(axis[0], first) * axis[1]);
    let third = first.cross(second) * axis[0].cross(axis[1]).dot(axis[2]);
    DMat3::from_cols(first, second, third) * DMat3::from_cols(axis[0], axis[1], axis[2]).transpose()
}

/// Eigenvalues and orthonormal eigenvectors of a symmetric matrix, by Jacobi's cyclic
/// rotations.
fn eigen(mut m: DMat3) -> (DVec3, DMat3) {
    let mut axes = DMat3::IDENTITY;
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = m.col(q)[p];
            if off.abs() < 1e-18 {
                continue;
            }
            let theta = (m.col(q)[q] - m.col(p)[p]) / (2.0 * off);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = c;
            turn.col_mut(q)[q] = c;
            turn.col_mut(q)[p] = t * c;
            turn.col_mut(p)[q] = -t * c;
            m = turn.transpose() * m * turn;
            axes *= turn;
        }
    }
    (DVec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z), axes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(a: f64, b: f64, c: f64) -> DQuat {
        DQuat::from_euler(glam::EulerRot::XYZ, a, b, c)
    }

    #[track_caller]
    fn check(a: DMat3, tolerance: f64) -> Polar {
        let parts = Polar::new(a);
        let rotation = DMat3::from_quat(parts.rotation);
        assert!((rotation.determinant() - 1.0).abs() < 1e-12);
        let size = frobenius(a).max(1e-300);
        let off = frobenius(rotation * parts.stretch - a) / size;
        assert!(off <= tolerance, "{a}: off by {off:.1e}, {parts:?}");
        assert!(parts.error <= tolerance);
        let lopsided = frobenius(parts.stretch - parts.stretch.transpose());
        assert!(lopsided <= 1e-12 * size, "{a}: {}", parts.stretch);
        parts
    }

    #[test]
    fn a_rotation_is_its_own_and_a_stretch_has_none() {
        let q = turn(0.3, -1.2, 2.9);
        let parts = check(DMat3::from_quat(q), 1e-14);
        assert!(parts.rotation.dot(q).abs() > 1.0 - 1e-14);
        assert!(frobenius(parts.stretch - DMat3::IDENTITY) < 1e-14);
        let stretch = DMat3::from_cols_array(&[2.0, 0.3, -0.1, 0.3, 1.0, 0.2, -0.1, 0.2, 0.5]);
        let parts = check(stretch, 1e-14);
        assert!(parts.rotation.w.abs() > 1.0 - 1e-14);
        assert!((parts.shear() - 0.3 / frobenius(stretch)).abs() < 1e-12);
    }

    #[test]
    fn singular_matrices_of_every_rank_are_split_too() {
        let q = DMat3::from_quat(turn(1.0, 0.4, -2.0));
        for scale in [
            DVec3::new(1.0, 2.0, 0.0),
            DVec3::new(0.0, 1.0, 3.0),
            DVec3::new(0.0, 0.0, 5.0),
            DVec3::new(-1.0, 0.0, 0.0),
            DVec3::new(-1.0, 2.0, 0.0),
        ] {
            check(q * DMat3::from_diagonal(scale), 1e-9);
            let skewed = DMat3::from_quat(turn(0.2, 0.9, 0.4));
            check(q * DMat3::from_diagonal(scale) * skewed, 1e-9);
        }
        // What a flattened axis leaves is still the whole turn.
        let parts = check(q * DMat3::from_diagonal(DVec3::new(1.0, 2.0, 0.0)), 1e-12);
        assert!(frobenius(DMat3::from_quat(parts.rotation) - q) < 1e-9);
    }

    #[test]
    fn nothing_and_no_numbers_are_no_turn() {
        for matrix in [
            DMat3::ZERO,
            DMat3::from_diagonal(DVec3::new(1.0, f64::NAN, 1.0)),
            DMat3::from_diagonal(DVec3::new(1.0, f64::INFINITY, 1.0)),
            DMat3::from_diagonal(DVec3::splat(1e-200)),
        ] {
            assert_eq!(Polar::new(matrix), NOTHING);
        }
        check(DMat3::from_diagonal(DVec3::splat(1e-30)), 1e-12);
        check(DMat3::from_diagonal(DVec3::new(1e20, 1e8, 1e20)), 1e-9);
    }

    #[test]
    fn a_mirror_goes_into_the_stretch() {
        let q = DMat3::from_quat(turn(0.5, 1.0, -0.7));
        let parts = check(q * DMat3::from_diagonal(DVec3::new(-1.0, 2.0, 3.0)), 1e-13);
        let (values, _) = eigen(parts.stretch);
        assert!(values.max_element() < 0.0, "{values}");
    }
}
