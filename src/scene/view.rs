//! How the stage is looked at.

use std::sync::Arc;

use super::{BoneColor, BoneStyle, BoundsShown, Ghosts, JointScope, OrbitCamera, Ruler};

/// What the mesh's surface shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Shading {
    /// Materials under light.
    #[default]
    Shaded,
    /// World-space normals as colours.
    Normals,
    /// One calm clay colour, for reading form and skeleton.
    Clay,
}

/// What lights the stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Light {
    /// Soft boxes around the figure: a key from the upper left, a fill, rims.
    #[default]
    Studio,
    /// A clear day: sun, blue sky, warm ground.
    Outdoor,
}

impl Light {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Studio, Self::Outdoor];

    /// The word in settings and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Studio => "studio",
            Self::Outdoor => "outdoor",
        }
    }

    /// A few words for people.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Studio => "soft boxes: key from the upper left, fill, rims",
            Self::Outdoor => "a clear day: sun, blue sky, warm ground",
        }
    }
}

/// Behind the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Background {
    /// Quiet dark gradient.
    #[default]
    Dark,
    /// Quiet light gradient.
    Light,
    /// Alpha 0, for compositing.
    Transparent,
}

/// What the surface shows of the skin's weights in place of its material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WeightView {
    /// Weight of the selected joint.
    Joint,
    /// A colour for each joint, mixed by weight.
    Joints,
    /// How many influences have weight.
    Influences,
    /// How far the stored weights are from summing to 1.
    Sum,
    /// The first attribute set alone moves the mesh, as in engines that know four
    /// influences a vertex, and colours tell how far that is from where it should be.
    FourInfluences,
    /// How far a side of a comparison is from A ([`View::numbers`]). Not among
    /// [`ALL`](Self::ALL), for it takes two.
    Difference,
}

impl WeightView {
    /// All that a single file has, in the order in which they are offered.
    pub const ALL: [Self; 5] = [
        Self::Joint,
        Self::Joints,
        Self::Influences,
        Self::Sum,
        Self::FourInfluences,
    ];

    /// The word on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Joint => "weights",
            Self::Joints => "joints",
            Self::Influences => "influences",
            Self::Sum => "weight-sum",
            Self::FourInfluences => "four-influences",
            Self::Difference => "difference",
        }
    }

    /// The name in menus.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Joint => "Selected joint",
            Self::Joints => "All joints",
            Self::Influences => "Influence count",
            Self::Sum => "Sum of weights",
            Self::FourInfluences => "Four influences",
            Self::Difference => "Difference from A",
        }
    }

    /// A few words for people.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Joint => "how much of each vertex the joint moves",
            Self::Joints => "a colour for each joint, mixed by weight",
            Self::Influences => "how many joints move each vertex; more than four stand out",
            Self::Sum => "how far the stored weights of each vertex are from summing to 1",
            Self::FourInfluences => {
                "the mesh as engines show it that drop influences past the fourth, and how far off it is"
            }
            Self::Difference => "how far each vertex is from where A has it",
        }
    }
}

/// A number for each vertex of a character, made by who compares it with another one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SurfaceNumbers {
    /// By mesh instance: all vertices of all primitives, split copies too, in order. NaN
    /// where there is none; empty where the whole mesh has none.
    pub by_instance: Vec<Vec<f32>>,
    /// The largest, and whose it is.
    pub peak: Option<(f32, VertexRef)>,
    /// The number of the ramp's last colour; above 0.
    pub high: f32,
    /// Degrees; otherwise world units.
    pub is_angle: bool,
}

/// A vertex of the open document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexRef {
    /// Index into `Document::instances`.
    pub instance: usize,
    /// Primitive index within its mesh.
    pub primitive: usize,
    /// The file's vertex index within its primitive.
    pub vertex: usize,
}

/// Camera and display switches; all of it but the hovered joint can be undone.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// The eye.
    pub camera: OrbitCamera,
    /// Surface.
    pub shading: Shading,
    /// What the surface shows of the skin's weights instead, if anything.
    pub weight_view: Option<WeightView>,
    /// What [`WeightView::Difference`] shows of the first character; without it that is
    /// plain.
    pub numbers: Option<Arc<SurfaceNumbers>>,
    /// Whether meshes are drawn at all.
    pub mesh: bool,
    /// Triangle edges over the surface.
    pub wireframe: bool,
    /// Joints and bones through the surface; without it, the selected joint's only.
    pub skeleton: bool,
    /// Joint names in the view.
    pub names: JointScope,
    /// Whose local axes are drawn.
    pub axes: JointScope,
    /// Shape of bones.
    pub bone_style: BoneStyle,
    /// Colour of bones and joints.
    pub bone_color: BoneColor,
    /// Boxes around the character.
    pub bounds: BoundsShown,
    /// A figure of 1.8 m beside the character.
    pub figure: bool,
    /// A bar of known length in the corner of the view.
    pub scale_bar: bool,
    /// The selected joint's path over the clip.
    pub trail: bool,
    /// Joints whose paths are shown whatever is selected, in the order in which they
    /// were chosen.
    pub pinned_trails: Vec<usize>,
    /// The side of a comparison that this shows, A being 0: trails have its colour, to
    /// be told from those of other sides.
    pub side: Option<usize>,
    /// The character before and after, translucent.
    pub ghosts: Ghosts,
    /// The ruler, if it is out.
    pub ruler: Option<Ruler>,
    /// Ground grid.
    pub grid: bool,
    /// Shadows of the key light, on the ground and on the character itself.
    pub shadow: bool,
    /// Darker corners, and ground darker close under what stands on it: ambient light
    /// that does not get there.
    pub ambient_occlusion: bool,
    /// The sky mirrored in surfaces; without, it lights them evenly.
    pub reflections: bool,
    /// Sky and key light.
    pub light: Light,
    /// Behind everything.
    pub background: Background,
    /// Exposure in stops; 0 is neutral.
    pub exposure_stops: f32,
    /// Selected joint, drawn in the accent colour.
    pub selected_joint: Option<usize>,
    /// Joint under the pointer.
    pub hovered_joint: Option<usize>,
    /// Vertex whose influences are listed, marked in the view.
    pub selected_vertex: Option<VertexRef>,
    /// Mesh instances not drawn, by instance index.
    pub hidden_instances: Vec<usize>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            camera: OrbitCamera::default(),
            shading: Shading::Shaded,
            weight_view: None,
            numbers: None,
            mesh: true,
            wireframe: false,
            skeleton: false,
            names: JointScope::Off,
            axes: JointScope::Off,
            bone_style: BoneStyle::Octahedra,
            bone_color: BoneColor::Plain,
            bounds: BoundsShown::default(),
            figure: false,
            scale_bar: false,
            trail: false,
            side: None,
            pinned_trails: Vec::new(),
            ghosts: Ghosts::default(),
            ruler: None,
            grid: true,
            shadow: true,
            ambient_occlusion: true,
            reflections: true,
            light: Light::Studio,
            background: Background::Dark,
            exposure_stops: 0.0,
            selected_joint: None,
            hovered_joint: None,
            selected_vertex: None,
            hidden_instances: Vec::new(),
        }
    }
}

impl View {
    /// Whether the surface shows weights, so that a click on it means a vertex.
    pub fn shows_weights(&self) -> bool {
        (self.weight_view).is_some_and(|shown| shown != WeightView::Difference)
    }

    /// Pins the selected joint's trail, or lets it go.
    pub fn pin_selected(&mut self) {
        let Some(joint) = self.selected_joint else {
            return;
        };
        match self
            .pinned_trails
            .iter()
            .position(|&pinned| pinned == joint)
        {
            Some(place) => {
                self.pinned_trails.remove(place);
            }
            None => self.pinned_trails.push(joint),
        }
    }
}
