//! Rotations as three turns about axes.

use glam::{DQuat, DVec3, EulerRot, Quat, Vec3};

/// The order in which a rotation is read as three turns about moving axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum EulerOrder {
    /// x, then the new y, then the new z.
    #[default]
    Xyz,
    /// x, z, y.
    Xzy,
    /// y, x, z.
    Yxz,
    /// y, z, x.
    Yzx,
    /// z, x, y.
    Zxy,
    /// z, y, x.
    Zyx,
}

impl EulerOrder {
    /// All, in menu order.
    pub const ALL: [Self; 6] = [
        Self::Xyz,
        Self::Xzy,
        Self::Yxz,
        Self::Yzx,
        Self::Zxy,
        Self::Zyx,
    ];

    /// Three letters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Xyz => "XYZ",
            Self::Xzy => "XZY",
            Self::Yxz => "YXZ",
            Self::Yzx => "YZX",
            Self::Zxy => "ZXY",
            Self::Zyx => "ZYX",
        }
    }

    /// The axes in the order of turning, as 0, 1, 2 for x, y, z.
    pub fn axes(self) -> [usize; 3] {
        match self {
            Self::Xyz => [0, 1, 2],
            Self::Xzy => [0, 2, 1],
            Self::Yxz => [1, 0, 2],
            Self::Yzx => [1, 2, 0],
            Self::Zxy => [2, 0, 1],
            Self::Zyx => [2, 1, 0],
        }
    }

    /// Angles in degrees about x, y and z (in that order of display, whatever the
    /// order of turning); zero for a quaternion of no length. The angle of the middle
    /// turn is within ±90°, the others within ±180°.
    pub fn degrees(self, q: Quat) -> Vec3 {
        let q = super::quat::normalize_or(q, Quat::IDENTITY);
        // Double precision, for the middle angle is an arc sine.
        let (first, second, third) = q.as_dquat().normalize().to_euler(self.rotation());
        let [a, b, c] = self.axes();
        let mut angles = DVec3::ZERO;
        angles[a] = first;
        angles[b] = second;
        angles[c] = third;
        angles.map(f64::to_degrees).as_vec3()
    }

    /// The rotation of three angles in degrees about x, y and z: the way back from
    /// [`degrees`](Self::degrees).
    pub fn quat(self, degrees: Vec3) -> Quat {
        let angles = degrees.as_dvec3().map(f64::to_radians);
        let [a, b, c] = self.axes();
        DQuat::from_euler(self.rotation(), angles[a], angles[b], angles[c]).as_quat()
    }

    fn rotation(self) -> EulerRot {
        match self {
            Self::Xyz => EulerRot::XYZ,
            Self::Xzy => EulerRot::XZY,
            Self::Yxz => EulerRot::YXZ,
            Self::Yzx => EulerRot::YZX,
            Self::Zxy => EulerRot::ZXY,
            Self::Zyx => EulerRot::ZYX,
        }
    }

    /// Of all angles that mean the same rotation as `degrees`, those nearest to
    /// `previous`: whole turns are added, and the other reading of the three turns
    /// (half a turn on the outer ones, the middle one mirrored) is tried as well.
    pub fn nearest(self, degrees: Vec3, previous: Vec3) -> Vec3 {
        let [a, b, c] = self.axes();
        let mut other = degrees;
        other[a] += 180.0;
        other[b] = 180.0 - degrees[b];
        other[c] += 180.0;
        let near = |angles: Vec3| {
            let turns = ((previous - angles) / 360.0).map(f32::round);
            angles + turns * 360.0
        };
        let distance = |angles: Vec3| (angles - previous).abs().element_sum();
        let (first, second) = (near(degrees), near(other));
        if distance(second) < distance(first) {
            second
        } else {
            first
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(order: EulerOrder, degrees: Vec3) -> Quat {
        let angles = degrees.map(f32::to_radians);
        let turn = |axis: usize| match axis {
            0 => Quat::from_rotation_x(angles.x),
            1 => Quat::from_rotation_y(angles.y),
            _ => Quat::from_rotation_z(angles.z),
        };
        let [a, b, c] = order.axes();
        turn(a) * turn(b) * turn(c)
    }

    #[test]
    fn euler_angles_turn_back_into_the_rotation() {
        let q = Quat::from_euler(EulerRot::YZX, 0.4, -1.1, 2.0);
        for order in EulerOrder::ALL {
            let turned = back(order, order.degrees(q));
            assert!(turned.dot(q).abs() > 0.999_99, "{order:?}: {turned}");
            let turned = order.quat(order.degrees(q));
            assert!(turned.dot(q).abs() > 1.0 - 1e-6, "{order:?}: {turned}");
        }
    }

    #[test]
    fn the_nearest_angles_mean_the_same_rotation() {
        let q = Quat::from_euler(EulerRot::XYZ, 1.0, 0.7, -2.0);
        for order in EulerOrder::ALL {
            let plain = order.degrees(q);
            for previous in [
                Vec3::ZERO,
                Vec3::new(700.0, -200.0, 100.0),
                Vec3::new(179.0, 120.0, -179.0),
            ] {
                let near = order.nearest(plain, previous);
                let again = back(order, near);
                assert!(again.dot(q).abs() > 0.999_9, "{order:?} {previous}: {near}");
                let outer = (near - previous).abs();
                let [a, _, c] = order.axes();
                assert!(outer[a] <= 360.0 && outer[c] <= 360.0, "{near}");
                assert!(
                    outer.element_sum() <= (plain - previous).abs().element_sum() + 1e-3,
                    "{order:?}: {near} is no nearer to {previous} than {plain}"
                );
            }
        }
    }
}
