//! Several sides in one picture, beside each other.

use std::sync::Arc;

use super::{Error, args::RenderArgs, compare::side, open::Opened};
use crate::{
    analysis::Watch,
    compare::{self, Matching, Measure},
    export::Stamper,
    render::{Pixels, Studio, StudioError},
    scene::{self, Character, Frame, PoseSource, Stage, SurfaceNumbers, View, WeightView, ramp},
    session,
};

/// Pixels between two sides.
const GAP: u32 = 4;

/// The size of each of so many sides in a picture of this size.
pub(super) fn pane_size([width, height]: [u32; 2], count: usize) -> [u32; 2] {
    let count = count.max(1) as u32;
    let seams = GAP * (count - 1);
    [(width.saturating_sub(seams) / count).max(1), height]
}

/// The sides of `--compare`, or the one that there is without.
pub(super) fn sides(file: &Opened, args: &RenderArgs) -> Result<Vec<Character>, Error> {
    let again = || Opened {
        name: file.name.clone(),
        document: file.document.clone(),
    };
    if args.compare.is_empty() {
        return Ok(vec![again().character(&args.sampling, args.time)?]);
    }
    let made = args.compare.iter().map(|spec| {
        let mut character = side(again(), &args.sampling, spec)?;
        character.player.seek(args.time);
        character.update();
        Ok(character)
    });
    made.collect()
}

/// Sides that share camera and time.
pub(super) struct Panes {
    stages: Vec<Stage>,
    views: Vec<View>,
    frames: Vec<Frame>,
    differences: Option<Differences>,
    /// Of the whole picture.
    width: u32,
    /// Where pictures say what they show.
    stamper: Option<Stamper>,
}

impl Panes {
    /// With one view for all.
    pub(super) fn new(sides: Vec<Character>, view: &View, args: &RenderArgs) -> Self {
        let differences =
            (view.weight_view == Some(WeightView::Difference)).then(|| Differences::new(&sides));
        let many = sides.len() > 1;
        let views = (0..sides.len()).map(|side| {
            let mut view = view.clone();
            view.side = many.then_some(side);
            if side == 0 && differences.is_some() {
                view.weight_view = None;
            }
            view
        });
        let views = views.collect();
        let stage = |character| Stage {
            characters: vec![character],
        };
        Self {
            stages: sides.into_iter().map(stage).collect(),
            views,
            frames: Vec::new(),
            differences,
            width: args.size[0],
            stamper: args.stamp.then(Stamper::new),
        }
    }

    /// The first side's stage, for what is said of a picture.
    pub(super) fn first(&self) -> &Stage {
        &self.stages[0]
    }

    /// The largest difference over the clip and how many sides, where it is shown.
    pub(super) fn most_difference(&self) -> Option<f64> {
        self.differences
            .as_ref()
            .map(|differences| differences.most)
    }

    /// Draws all sides at a time.
    pub(super) fn draw(
        &mut self,
        studio: &mut Studio,
        time_secs: f32,
    ) -> Result<Pixels, StudioError> {
        let stages = self.stages.iter_mut();
        for character in stages.flat_map(|stage| &mut stage.characters) {
            character.player.seek(time_secs);
            character.update();
        }
        if let Some(differences) = &self.differences {
            let (a, others) = self.stages.split_at(1);
            for (index, stage) in others.iter().enumerate() {
                let numbers = differences.numbers(index, &a[0], stage);
                self.views[index + 1].numbers = Some(Arc::new(numbers));
            }
        }
        let sides: Vec<_> = self.stages.iter().zip(&self.views).collect();
        let mut pictures = studio.draw_sides(&sides, &mut self.frames)?;
        if let Some(stamper) = &mut self.stamper {
            for (picture, stage) in pictures.iter_mut().zip(&self.stages) {
                let size = [picture.width, picture.height];
                let lines = caption(&stage.characters[0], time_secs);
                stamper.stamp(&mut picture.rgba, size, &lines);
            }
        }
        Ok(Pixels::beside_in(self.width, &pictures, GAP))
    }
}

/// File and clip; time and how it is played.
fn caption(character: &Character, time_secs: f32) -> [String; 2] {
    let name = &character.document.name;
    let ways = session::ways(character);
    match (character.source, character.clip()) {
        (PoseSource::Clip(index), Some(clip)) => {
            let frame = clip.guessed_fps().map_or_else(String::new, |fps| {
                format!(" · frame {:.0}", time_secs * fps)
            });
            [
                format!("{name} · {}", clip.label(index)),
                format!("{time_secs:.3} s{frame} · {ways}"),
            ]
        }
        (PoseSource::Bind, _) => [name.clone(), "bind pose".to_owned()],
        _ => [name.clone(), "rest pose".to_owned()],
    }
}

/// How far the surfaces of the other sides are from the first one's.
struct Differences {
    matchings: Vec<Matching>,
    /// The largest over the clip and all sides, world units.
    most: f64,
}

impl Differences {
    fn new(sides: &[Character]) -> Self {
        let (a, others) = (&sides[0], &sides[1..]);
        let matching = |b: &Character| compare::matching(&a.document, &b.document);
        let matchings: Vec<Matching> = others.iter().map(matching).collect();
        let (options, watch) = (compare::Options::default(), Watch::new());
        let worst = others.iter().zip(&matchings).filter_map(|(b, matching)| {
            let comparison = compare::over_clip(a, b, matching, &options, &watch)?;
            Some(comparison.worst(|m| m.vertex.value)?.vertex.value)
        });
        let most = worst.filter(|worst| worst.is_finite()).fold(0.0, f64::max);
        Self { matchings, most }
    }

    fn numbers(&self, index: usize, a: &Stage, b: &Stage) -> SurfaceNumbers {
        let (a, b) = (&a.characters[0], &b.characters[0]);
        let measure = Measure::Distance;
        let errors = compare::vertex_errors(a, b, &self.matchings[index], measure);
        SurfaceNumbers {
            by_instance: errors.by_instance,
            peak: errors.worst,
            high: ramp::nice(self.most as f32, 1e-3),
            is_angle: false,
        }
    }
}

/// Points the camera so that every side fits, if it was to be chosen.
pub(super) fn frame_all(sides: &[Character], view: &mut View, frame: &mut Frame, aspect: f32) {
    let Some((first, others)) = sides.split_first() else {
        return;
    };
    let bounds = others
        .iter()
        .fold(frame.framed_bounds(first, view), |bounds, side| {
            bounds.union(scene::shown_bounds(side, view.skeleton))
        });
    view.camera.frame(bounds, aspect);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_fill_the_picture_but_for_their_seams() {
        assert_eq!(pane_size([640, 360], 1), [640, 360]);
        assert_eq!(pane_size([640, 360], 2), [318, 360]);
        assert_eq!(pane_size([2, 2], 4), [1, 2]);
    }
}
