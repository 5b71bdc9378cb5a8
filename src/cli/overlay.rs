//! What `rigscope render` lays over the picture: skeleton, bounds, trails, figure.

use clap::Args;

use super::{Error, args::one_of};
use crate::{
    analysis::{self, Effort, Watch},
    document::Document,
    scene::{
        self, BoneColor, BoneStyle, BoundsShown, Character, GhostSpacing, Ghosts, JointScope,
        MOST_GHOSTS, View,
    },
};

/// Flags about what lies over the picture.
#[derive(Debug, Args)]
pub struct OverlayArgs {
    /// Joints and bones through the surface, whatever --view shows
    #[arg(long)]
    pub skeleton: bool,

    /// Shape of bones; shows the skeleton
    #[arg(long, value_name = "STYLE", value_parser = one_of(BoneStyle::ALL.map(|s| (s.as_str(), s.description(), s))))]
    pub bones: Option<BoneStyle>,

    /// What colours bones and joints; shows the skeleton
    #[arg(long, value_name = "WHAT", value_parser = one_of(BoneColor::ALL.map(|c| (c.as_str(), c.description(), c))))]
    pub color_by: Option<BoneColor>,

    /// Local axes of every joint
    #[arg(long)]
    pub axes: bool,

    /// Boxes around the character: as stored (dashed), now, and over the clip
    #[arg(long)]
    pub bounds: bool,

    /// The path of a joint over the clip; by name or by node index. May be repeated
    #[arg(long, value_name = "JOINT")]
    pub trail: Vec<String>,

    /// Translucent figures before and after: how many of each, then seconds between them, or
    /// `keys` for the clip's keys
    #[arg(long, value_name = "BEFORE,AFTER[,SECONDS|keys]", value_parser = ghosts)]
    pub ghosts: Option<Ghosts>,

    /// A person 1.8 m tall beside the character
    #[arg(long)]
    pub figure: bool,
}

impl OverlayArgs {
    /// Sets the switches of a view of this character, and marks its joints where their
    /// findings are to be seen.
    pub(super) fn apply(
        &self,
        view: &mut View,
        character: &mut Character,
        file: &str,
    ) -> Result<(), Error> {
        view.skeleton |= self.skeleton || self.bones.is_some() || self.color_by.is_some();
        view.bone_style = self.bones.unwrap_or_default();
        view.bone_color = self.color_by.unwrap_or_default();
        if self.axes {
            view.axes = JointScope::All;
        }
        if self.bounds {
            view.bounds = BoundsShown::ALL;
        }
        view.figure = self.figure;
        view.ghosts = self.ghosts.unwrap_or_default();
        if !self.trail.is_empty() && character.clip().is_none() {
            return Err(Error::Usage(format!(
                "--trail {} needs a clip to follow, and there is none in this pose: {file}",
                self.trail[0]
            )));
        }
        for wanted in &self.trail {
            let joint = joint(&character.document, wanted)
                .map_err(|problem| Error::Usage(format!("{problem}: {file}")))?;
            if !view.pinned_trails.contains(&joint) {
                view.pinned_trails.push(joint);
            }
        }
        if view.bone_color == BoneColor::Findings {
            let document = &character.document;
            // Nobody cancels it.
            let report = analysis::analyse(document, Effort::Usual, &Watch::default());
            let findings = report.unwrap_or_default().findings;
            character.joint_marks = scene::joint_marks(document, &findings);
        }
        Ok(())
    }
}

/// `3,3,0.1` or `2,0,keys`.
fn ghosts(text: &str) -> Result<Ghosts, String> {
    let wrong = || {
        format!("expected two counts up to {MOST_GHOSTS}, and seconds or `keys`, such as 3,3,0.1")
    };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let count = |text: &str| {
        text.parse::<u8>()
            .ok()
            .filter(|count| *count <= MOST_GHOSTS)
    };
    let (before, after, spacing) = match parts[..] {
        [before, after] => (before, after, Ghosts::default().spacing),
        [before, after, "keys"] => (before, after, GhostSpacing::Keys),
        [before, after, secs] => {
            let secs = secs
                .parse::<f32>()
                .ok()
                .filter(|secs| *secs > 0.0 && secs.is_finite());
            (
                before,
                after,
                GhostSpacing::Seconds(secs.ok_or_else(wrong)?),
            )
        }
        _ => return Err(wrong()),
    };
    Ok(Ghosts {
        on: true,
        before: count(before).ok_or_else(wrong)?,
        after: count(after).ok_or_else(wrong)?,
        spacing,
    })
}

/// The joint of that name, or else of that node index.
fn joint(document: &Document, wanted: &str) -> Result<usize, String> {
    let joints = &document.skeleton.joints;
    let named: Vec<usize> = (0..joints.len())
        .filter(|&joint| joints[joint].name == *wanted)
        .collect();
    match named[..] {
        [joint] => Ok(joint),
        [] => {
            let node = wanted.parse::<usize>().ok();
            let joint = node.and_then(|node| document.skeleton.joint_of_node.get(node));
            joint
                .copied()
                .ok_or_else(|| format!("no joint is called {wanted:?}, and it is no node index"))
        }
        [first, ..] => Err(format!(
            "{} joints are called {wanted:?}; name one by its node index, such as {}",
            named.len(),
            joints[first].node
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Joint, Skeleton};

    #[test]
    fn joints_go_by_name_and_then_by_node() {
        let names = ["hips", "arm", "arm", "7"];
        let joints = names.iter().enumerate().map(|(index, name)| Joint {
            name: (*name).to_owned(),
            node: 3 - index,
            ..Joint::default()
        });
        let document = Document {
            skeleton: Skeleton {
                joints: joints.collect(),
                joint_of_node: vec![3, 2, 1, 0],
            },
            ..Document::default()
        };
        assert_eq!(joint(&document, "hips"), Ok(0));
        assert_eq!(joint(&document, "7"), Ok(3), "a name before a number");
        assert_eq!(joint(&document, "2"), Ok(1));
        let twice = joint(&document, "arm").expect_err("there are two");
        assert!(twice.contains("such as 2"), "{twice}");
        assert!(joint(&document, "leg").is_err() && joint(&document, "4").is_err());
    }
}
