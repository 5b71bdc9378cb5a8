//! By what means a clip becomes vertices.

use super::{Modes, Skinning, Weights};

/// Everything that decides what a file looks like at a time, but the file: what differs
/// between two players of one file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Technique {
    /// How tracks are sampled.
    pub modes: Modes,
    /// Joints with modes of their own, sorted by joint index.
    pub joint_modes: Vec<(usize, Modes)>,
    /// How joints move vertices.
    pub skinning: Skinning,
    /// Use of stored weights.
    pub weights: Weights,
    /// What other players do on top of that.
    pub quirks: Quirks,
}

impl Technique {
    /// The modes of one joint: its own or everybody's.
    pub fn modes_of(&self, joint: usize) -> &Modes {
        match self.joint_modes.binary_search_by_key(&joint, |own| own.0) {
            Ok(place) => &self.joint_modes[place].1,
            Err(_) => &self.modes,
        }
    }

    /// Gives one joint modes of its own, or everybody's with `None`.
    pub fn set_modes_of(&mut self, joint: usize, modes: Option<Modes>) {
        let place = self.joint_modes.binary_search_by_key(&joint, |own| own.0);
        match (place, modes) {
            (Ok(place), Some(modes)) => self.joint_modes[place].1 = modes,
            (Ok(place), None) => {
                self.joint_modes.remove(place);
            }
            (Err(place), Some(modes)) => self.joint_modes.insert(place, (joint, modes)),
            (Err(_), None) => {}
        }
    }
}

/// Joints that a shader with a fixed array knows.
pub const JOINT_LIMIT: usize = 256;

/// Faults of other players, to be seen on one's own file. None by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Quirks {
    /// Joint indices of vertices are bytes: joint 256 counts as 0.
    pub joint_bytes: bool,
    /// Matrices past the [`JOINT_LIMIT`]th read as zeros.
    pub joint_limit: bool,
    /// The clip starts at its first key: everything comes earlier by the lead-in.
    pub skip_lead_in: bool,
    /// World transforms are translation, rotation and scale; what shear is between them
    /// is lost.
    pub drop_shear: bool,
    /// The transform of a skinned mesh's own node moves it once more.
    pub mesh_transform_twice: bool,
    /// Normals go by the matrix of positions, which is wrong under uneven scale.
    pub naive_normals: bool,
}

impl Quirks {
    /// What a vertex's joint of this slot reads from the palette: this or another slot,
    /// or zeros.
    pub(super) fn slot(self, slot: usize) -> Option<usize> {
        if self.joint_bytes {
            return Some(slot % 256);
        }
        (!self.joint_limit || slot < JOINT_LIMIT).then_some(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::Interpolation;

    #[test]
    fn a_joint_has_its_own_modes_until_it_gives_them_back() {
        let mut technique = Technique::default();
        let own = Modes {
            interpolation: Interpolation::Euler,
            ..Modes::default()
        };
        for joint in [7, 2, 9, 2] {
            technique.set_modes_of(joint, Some(own));
        }
        let joints: Vec<usize> = technique.joint_modes.iter().map(|m| m.0).collect();
        assert_eq!(joints, [2, 7, 9]);
        assert_eq!(*technique.modes_of(7), own);
        assert_eq!(*technique.modes_of(3), Modes::default());
        technique.set_modes_of(7, None);
        technique.set_modes_of(7, None);
        assert_eq!(*technique.modes_of(7), Modes::default());
    }
}
