//! Polar decomposition of a hundred thousand random matrices.

use glam::{DMat3, DQuat, DVec3, EulerRot};
use rigscope::math::Polar;

/// A generator of its own, so that the numbers stay the same: `SplitMix64`.
struct Random(u64);

impl Random {
    /// 0 … 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn rotation(&mut self) -> DQuat {
        let [a, b, c] = [0; 3].map(|_| (self.next() - 0.5) * std::f64::consts::TAU);
        DQuat::from_euler(EulerRot::XYZ, a, b, c)
    }

    /// 0.01 … 100, evenly over the powers of ten.
    fn scale(&mut self) -> f64 {
        10_f64.powf(self.next() * 4.0 - 2.0)
    }
}

/// Angle between two rotations, radians.
fn angle(a: DQuat, b: DQuat) -> f64 {
    let turn = a.inverse() * b;
    2.0 * DVec3::new(turn.x, turn.y, turn.z)
        .length()
        .atan2(turn.w.abs())
}

fn size(m: DMat3) -> f64 {
    (m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()).sqrt()
}

#[test]
fn rotation_and_scale_of_a_hundred_thousand_come_back() {
    let mut random = Random(5);
    let (mut worst_turn, mut worst_stretch, mut most_steps): (f64, f64, u32) = (0.0, 0.0, 0);
    for _ in 0..100_000 {
        let rotation = random.rotation();
        let scale = DVec3::new(random.scale(), random.scale(), random.scale());
        let matrix = DMat3::from_quat(rotation) * DMat3::from_diagonal(scale);
        let parts = Polar::new(matrix);
        worst_turn = worst_turn.max(angle(rotation, parts.rotation));
        let off = size(parts.stretch - DMat3::from_diagonal(scale)) / size(parts.stretch);
        worst_stretch = worst_stretch.max(off);
        most_steps = most_steps.max(parts.steps);
        assert!(parts.shear() < 1e-10 && parts.error < 1e-12, "{matrix}");
    }
    // The least axis is a ten-thousandth of the largest: that many digits are lost.
    assert!(worst_turn < 2e-12, "turned off by {worst_turn:.1e} rad");
    assert!(worst_stretch < 1e-12, "stretch off by {worst_stretch:.1e}");
    assert!(most_steps <= 7, "{most_steps} steps");
}

#[test]
fn mirrors_and_shear_are_the_stretchs() {
    let mut random = Random(6);
    for _ in 0..20_000 {
        let rotation = DMat3::from_quat(random.rotation());
        let scale = DVec3::new(random.scale(), random.scale(), random.scale());
        let axes = DMat3::from_quat(random.rotation());
        // Along axes of its own: what no translation, rotation and scale gives.
        let stretch = axes * DMat3::from_diagonal(scale) * axes.transpose();
        for sign in [1.0, -1.0] {
            let parts = Polar::new(rotation * stretch * sign);
            let off = size(DMat3::from_quat(parts.rotation) - rotation);
            assert!(off < 1e-9, "{off:.1e}");
            let off = size(parts.stretch - stretch * sign) / size(stretch);
            assert!(off < 1e-11, "{off:.1e}");
            let lean = stretch.x_axis.y.abs().max(stretch.x_axis.z.abs());
            let lean = lean.max(stretch.y_axis.z.abs()) / size(stretch);
            assert!((parts.shear() - lean).abs() < 1e-10);
        }
    }
}

#[test]
fn nearly_singular_ones_are_split_to_the_digits_they_have() {
    let mut random = Random(7);
    for _ in 0..20_000 {
        let rotation = random.rotation();
        let thin = 10_f64.powf(-random.next() * 14.0);
        let scale = DVec3::new(random.scale(), random.scale(), thin);
        let matrix = DMat3::from_quat(rotation) * DMat3::from_diagonal(scale);
        let parts = Polar::new(matrix);
        assert!(parts.error < 1e-7, "{:.1e} at {thin:.1e}", parts.error);
        assert!(parts.rotation.is_finite() && parts.stretch.is_finite());
        let turned = DMat3::from_quat(parts.rotation);
        assert!((turned.determinant() - 1.0).abs() < 1e-9);
        assert!(parts.steps <= 24);
    }
}
