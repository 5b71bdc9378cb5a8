//! Several sides in one picture, beside each other.

use super::{Error, args::RenderArgs, compare::side, open::Opened};
use crate::{
    render::{Pixels, Studio, StudioError},
    scene::{self, Character, Frame, Stage, View},
};

/// Pixels between two sides.
const GAP: u32 = 4;
/// Their colour, sRGB.
const SEAM: [u8; 4] = [24, 26, 31, 255];

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
    frames: Vec<Frame>,
    size: [u32; 2],
}

impl Panes {
    /// For a picture of `size` pixels.
    pub(super) fn new(sides: Vec<Character>, size: [u32; 2]) -> Self {
        let stage = |character| Stage {
            characters: vec![character],
        };
        let stages: Vec<Stage> = sides.into_iter().map(stage).collect();
        let mut frames = Vec::new();
        frames.resize_with(stages.len().saturating_sub(1), Frame::default);
        Self {
            stages,
            frames,
            size,
        }
    }

    /// The first side's stage, for what is said of a picture.
    pub(super) fn first(&self) -> &Stage {
        &self.stages[0]
    }

    /// Draws all sides at a time.
    pub(super) fn draw(
        &mut self,
        studio: &mut Studio,
        view: &View,
        time_secs: f32,
    ) -> Result<Pixels, StudioError> {
        for character in self
            .stages
            .iter_mut()
            .flat_map(|stage| &mut stage.characters)
        {
            character.player.seek(time_secs);
            character.update();
        }
        let first = studio.draw(&self.stages[0], view)?;
        if self.frames.is_empty() {
            return Ok(first);
        }
        let [width, height] = self.size;
        let mut whole = Pixels {
            width,
            height,
            rgba: SEAM.repeat(width as usize * height as usize),
        };
        paste(&mut whole, &first, 0);
        let mut left = first.width + GAP;
        for (stage, frame) in self.stages[1..].iter().zip(&mut self.frames) {
            let pixels = studio.draw_beside(frame, stage, view)?;
            paste(&mut whole, &pixels, left);
            left += pixels.width + GAP;
        }
        Ok(whole)
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

fn paste(whole: &mut Pixels, part: &Pixels, left: u32) {
    let (row, of_part) = (whole.width as usize * 4, part.width as usize * 4);
    let start = left as usize * 4;
    for y in 0..part.height.min(whole.height) as usize {
        let end = (start + of_part).min(row);
        if start < end {
            let source = &part.rgba[y * of_part..][..end - start];
            whole.rgba[y * row + start..y * row + end].copy_from_slice(source);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_fill_the_picture_but_for_their_seams() {
        assert_eq!(pane_size([640, 360], 1), [640, 360]);
        assert_eq!(pane_size([640, 360], 2), [318, 360]);
        assert_eq!(pane_size([2, 2], 4), [1, 2]);
        let mut whole = Pixels {
            width: 5,
            height: 1,
            rgba: vec![0; 20],
        };
        let part = Pixels {
            width: 2,
            height: 1,
            rgba: vec![9; 8],
        };
        paste(&mut whole, &part, 4);
        assert_eq!(whole.rgba[16..], [9; 4], "what is over the edge is cut");
        assert_eq!(whole.rgba[..16], [0; 16]);
    }
}
