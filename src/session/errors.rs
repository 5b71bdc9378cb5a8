//! How far the sides of a comparison are from A: now on the surface, and over the clip,
//! which takes a while and is worked out elsewhere.

use std::sync::Arc;

use glam::Mat4;

use super::{PoseSource, Session};
use crate::{
    analysis::Watch,
    anim::Technique,
    compare::{self, Comparison, Matching, Measure, Moment, Options, matching},
    document::Document,
    scene::{Character, HeldMorph, SurfaceNumbers, WeightView, ramp},
};

/// What of the errors is plotted, and shown on the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum ErrorKind {
    /// Angle between the world rotations of joints.
    #[default]
    Angle,
    /// Distance between the places of joints.
    Position,
    /// Distance between the places of vertices.
    Vertex,
}

impl ErrorKind {
    /// All, in menu order.
    pub const ALL: [Self; 3] = [Self::Angle, Self::Position, Self::Vertex];

    /// The name on its switch.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Angle => "Angle",
            Self::Position => "Joints",
            Self::Vertex => "Vertices",
        }
    }

    /// A sentence on what it is.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Angle => "Angle between the world rotations of a joint",
            Self::Position => "Distance between the places of a joint",
            Self::Vertex => "Distance between the places of a vertex",
        }
    }

    /// Degrees, or world units otherwise.
    pub const fn is_angle(self) -> bool {
        matches!(self, Self::Angle)
    }

    /// The worst of a moment, in degrees or world units.
    pub fn worst(self, moment: &Moment) -> f64 {
        match self {
            Self::Angle => moment.angle.value,
            Self::Position => moment.position.value,
            Self::Vertex => moment.vertex.value,
        }
    }

    /// The mean of a moment.
    pub fn mean(self, moment: &Moment) -> f64 {
        match self {
            Self::Angle => moment.mean_angle,
            Self::Position => moment.mean_position,
            Self::Vertex => moment.mean_vertex,
        }
    }

    const fn measure(self) -> Measure {
        match self {
            Self::Angle => Measure::Angle,
            Self::Position | Self::Vertex => Measure::Distance,
        }
    }
}

/// All that a character's poses hang on, but for time.
#[derive(Debug, Clone)]
struct Inputs {
    document: Arc<Document>,
    source: PoseSource,
    technique: Technique,
    skinned: bool,
    transposed: bool,
    placed: Mat4,
    held: Vec<HeldMorph>,
}

impl Inputs {
    fn of(side: &Character) -> Self {
        Self {
            document: side.document.clone(),
            source: side.source,
            technique: side.technique.clone(),
            skinned: side.skinned,
            transposed: side.reads_bind_transposed(),
            placed: side.world_from_model,
            held: side.held_morphs().to_vec(),
        }
    }

    fn are_of(&self, side: &Character) -> bool {
        Arc::ptr_eq(&self.document, &side.document)
            && self.source == side.source
            && self.technique == side.technique
            && self.skinned == side.skinned
            && self.transposed == side.reads_bind_transposed()
            && self.placed == side.world_from_model
            && self.held == side.held_morphs()
    }
}

/// A side against A over the clip, to be worked out on another thread.
#[derive(Debug, Clone)]
pub struct ErrorJob {
    a: Character,
    b: Character,
}

impl ErrorJob {
    /// Works it out, on all cores; `None` if it is not wanted any more.
    pub fn run(&self, watch: &Watch) -> Option<SideErrors> {
        let Self { a, b } = self;
        let matching = matching(&a.document, &b.document);
        let comparison = compare::over_clip(a, b, &matching, &Options::default(), watch)?;
        Some(SideErrors {
            inputs: [Inputs::of(a), Inputs::of(b)],
            matching,
            comparison,
        })
    }

    /// Whether this is what it was about.
    pub fn is_answered_by(&self, errors: &SideErrors) -> bool {
        errors.are_of(&self.a, &self.b)
    }

    /// Whether it is about the same as another one.
    pub fn is_same(&self, other: &Self) -> bool {
        Inputs::of(&self.a).are_of(&other.a) && Inputs::of(&self.b).are_of(&other.b)
    }
}

/// A side against A over the clip.
#[derive(Debug, Clone)]
pub struct SideErrors {
    inputs: [Inputs; 2],
    /// What of the two was compared.
    pub matching: Matching,
    /// The errors.
    pub comparison: Comparison,
}

impl SideErrors {
    fn are_of(&self, a: &Character, b: &Character) -> bool {
        self.inputs[0].are_of(a) && self.inputs[1].are_of(b)
    }

    fn are_of_files(&self, a: &Character, b: &Character) -> bool {
        Arc::ptr_eq(&self.inputs[0].document, &a.document)
            && Arc::ptr_eq(&self.inputs[1].document, &b.document)
    }
}

impl Session {
    /// The next side whose errors over the clip are not known, while they are shown.
    pub fn error_job(&self) -> Option<ErrorJob> {
        let shown = self.panels.shows(super::TimelineView::Errors) || self.colors_errors();
        if !shown {
            return None;
        }
        let a = self.character()?;
        let sides = &self.comparison.as_ref()?.sides;
        let stale = sides.iter().find(|side| {
            let known = side.errors.as_ref();
            known.is_none_or(|known| !known.are_of(a, side.character()))
        })?;
        Some(ErrorJob {
            a: a.clone(),
            b: stale.character().clone(),
        })
    }

    /// A side's errors over the clip, B being 1, and whether they are those of what is
    /// played now: those of before stay until then.
    pub fn errors_over_clip(&self, side: usize) -> Option<(&SideErrors, bool)> {
        let a = self.character()?;
        let side = self.comparison.as_ref()?.sides.get(side.checked_sub(1)?)?;
        let errors = side.errors.as_deref()?;
        errors
            .are_of_files(a, side.character())
            .then(|| (errors, errors.are_of(a, side.character())))
    }

    /// From the shell: done. Dropped where something else is compared by now.
    pub(super) fn errors_measured(&mut self, errors: Arc<SideErrors>) {
        let Some(a) = self.stage.characters.first() else {
            return;
        };
        let Some(comparison) = &mut self.comparison else {
            return;
        };
        for side in &mut comparison.sides {
            if errors.are_of(a, side.character()) {
                side.errors = Some(errors.clone());
            }
        }
    }

    /// How far a side is from A now; its vertices too once it is known which are which.
    pub fn side_error(&self, side: usize) -> Option<Moment> {
        let (a, other) = (self.character()?, side.checked_sub(1)?);
        let other = self.comparison.as_ref()?.sides.get(other)?;
        if let Some((errors, _)) = self.errors_over_clip(side)
            && self.shows_vertex_errors()
        {
            return Some(compare::now(a, other.character(), &errors.matching, true));
        }
        let matching = other.joints_matched()?;
        Some(compare::now(a, other.character(), matching, false))
    }

    fn shows_vertex_errors(&self) -> bool {
        let kind = self.comparison.as_ref().map(|comparison| comparison.kind);
        kind == Some(ErrorKind::Vertex) && self.panels.shows(super::TimelineView::Errors)
    }

    /// Whether the surfaces of the other sides are coloured by how far they are from A.
    pub fn colors_errors(&self) -> bool {
        let apart = self
            .layout()
            .is_some_and(|layout| layout != super::Layout::Overlay);
        apart && self.view.weight_view == Some(WeightView::Difference)
    }

    /// Present errors of a side's vertices, as they are shown on its surface. `None` until
    /// it is known which vertices are which.
    pub(super) fn surface_errors(&self, side: usize) -> Option<SurfaceNumbers> {
        let kind = self.comparison.as_ref()?.kind;
        let a = self.character()?;
        let b = self.side(side)?;
        let (known, _) = self.errors_over_clip(side)?;
        let errors = compare::vertex_errors(a, b, &known.matching, kind.measure());
        Some(SurfaceNumbers {
            by_instance: errors.by_instance,
            peak: errors.worst,
            high: self.most_error(kind),
            is_angle: kind.is_angle(),
        })
    }

    /// The end of the ramp for all sides and the whole clip, so that a colour means the
    /// same in each and at all times.
    fn most_error(&self, kind: ErrorKind) -> f32 {
        let most = (1..self.side_count())
            .filter_map(|side| {
                let (errors, _) = self.errors_over_clip(side)?;
                let by = |moment: &Moment| match kind {
                    ErrorKind::Angle => moment.angle.value,
                    ErrorKind::Position | ErrorKind::Vertex => moment.vertex.value,
                };
                errors.comparison.worst(by).map(by)
            })
            .filter(|most| most.is_finite())
            .fold(0.0, f64::max);
        ramp::nice(most as f32, if kind.is_angle() { 0.1 } else { 1e-3 })
    }

    /// Stops where a side is farthest from A and selects the joint or vertex.
    pub(super) fn show_worst(&mut self, side: usize, kind: ErrorKind) {
        let Some((errors, _)) = self.errors_over_clip(side) else {
            return;
        };
        let Some(moment) = errors
            .comparison
            .worst(|moment| kind.worst(moment))
            .copied()
        else {
            return;
        };
        self.edit(|a| {
            a.player.playing = false;
            a.player.seek(moment.time_secs);
        });
        match kind {
            ErrorKind::Angle => self.view.selected_joint = moment.angle.at,
            ErrorKind::Position => self.view.selected_joint = moment.position.at,
            ErrorKind::Vertex => {
                self.view.selected_vertex = moment.vertex.at;
                return;
            }
        }
        self.inspect(super::Inspected::Joint);
    }
}
