//! How others would play a file: named sets of switches.

use super::{Hemisphere, Interpolation, Modes, Quirks, Skinning, Technique, Weights};

/// What another player does differently.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// The word on the command line.
    pub id: &'static str,
    /// The name in menus and badges.
    pub title: &'static str,
    /// One sentence: who does it, and what a person sees.
    pub text: &'static str,
    /// It is one of [`Technique::quirks`], which nothing else shows.
    pub is_quirk: bool,
    /// Puts it in force, or takes it back.
    pub set: fn(&mut Technique, bool),
    /// Whether it is in force.
    pub is_on: fn(&Technique) -> bool,
}

/// A preset that is a quirk of this field.
macro_rules! quirk {
    ($id:literal, $title:literal, $field:ident, $text:literal) => {
        Preset {
            id: $id,
            title: $title,
            text: $text,
            is_quirk: true,
            set: |technique, on| technique.quirks.$field = on,
            is_on: |technique| technique.quirks.$field,
        }
    };
}

/// All, in menu order.
pub const PRESETS: [Preset; 9] = [
    Preset {
        id: "no-short-path",
        title: "No short path",
        text: "Keys of opposite sign are not aligned: joints flip the long way round",
        is_quirk: false,
        set: |technique, on| {
            technique.modes.hemisphere = if on {
                Hemisphere::Keep
            } else {
                Hemisphere::Align
            };
        },
        is_on: |technique| technique.modes.hemisphere == Hemisphere::Keep,
    },
    Preset {
        id: "raw-lerp",
        title: "Raw lerp",
        text: "Quaternions are blended and never normalised: limbs squash between keys",
        is_quirk: false,
        set: |technique, on| {
            technique.modes.interpolation = if on {
                Interpolation::Lerp
            } else {
                Interpolation::Authored
            };
        },
        is_on: |technique| technique.modes.interpolation == Interpolation::Lerp,
    },
    Preset {
        id: "four-influences",
        title: "Four influences",
        text: "Influences past the fourth are dropped, as most mobile engines do",
        is_quirk: false,
        set: |technique, on| {
            technique.skinning = if on {
                Skinning::FourInfluences
            } else {
                Skinning::Linear
            };
        },
        is_on: |technique| technique.skinning == Skinning::FourInfluences,
    },
    quirk!(
        "u8-joints",
        "Joint indices as bytes",
        joint_bytes,
        "Joint 256 counts as 0: far parts of large rigs follow the wrong joints"
    ),
    quirk!(
        "256-joint-limit",
        "256 joints at most",
        joint_limit,
        "Matrices past the 256th read as zeros: what they move collapses to the origin"
    ),
    quirk!(
        "start-at-first-key",
        "Start at the first key",
        skip_lead_in,
        "The clip's idle lead-in is cut off: everything comes earlier"
    ),
    quirk!(
        "drop-shear",
        "Transforms as TRS",
        drop_shear,
        "World transforms are kept as translation, rotation, scale: shear is dropped"
    ),
    quirk!(
        "mesh-transform-twice",
        "Mesh transform applied twice",
        mesh_transform_twice,
        "The skinned mesh's own node moves it once more: it stands elsewhere, or at another size"
    ),
    quirk!(
        "naive-normals",
        "Naive normals",
        naive_normals,
        "Normals go by the matrix of positions: shading is wrong under uneven scale"
    ),
];

impl Technique {
    /// Whether it does everything as the file format says.
    pub fn is_as_specified(&self) -> bool {
        let Self {
            modes,
            joint_modes,
            skinning,
            weights,
            quirks,
        } = self;
        *modes == Modes::default()
            && joint_modes.is_empty()
            && *skinning == Skinning::default()
            && *weights == Weights::default()
            && *quirks == Quirks::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_can_be_put_in_force_and_taken_back() {
        for preset in PRESETS {
            let mut technique = Technique::default();
            assert!(!(preset.is_on)(&technique), "{}", preset.id);
            (preset.set)(&mut technique, true);
            assert!((preset.is_on)(&technique), "{}", preset.id);
            assert!(!technique.is_as_specified(), "{}", preset.id);
            let others = PRESETS.iter().filter(|other| other.id != preset.id);
            for other in others {
                assert!(!(other.is_on)(&technique), "{} by {}", other.id, preset.id);
            }
            (preset.set)(&mut technique, false);
            assert!(technique.is_as_specified(), "{}", preset.id);
        }
    }
}
