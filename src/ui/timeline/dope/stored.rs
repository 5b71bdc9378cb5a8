//! One key as the file has it, in words and numbers.

use glam::{Mat4, Quat, Vec3};

use super::sheet::TrackLine;
use crate::{
    document::{Clip, JointTracks, Keys, Property},
    ui::format::{NUMBER_WIDTH, number, shared_decimals},
};

/// Lines for a tooltip: the value, and its tangents where it has some, each line with
/// the name of what it shows.
pub(super) fn lines(
    clip: &Clip,
    joint: usize,
    track: &TrackLine,
    key: usize,
) -> Vec<(&'static str, String)> {
    if let Some(target) = track.target {
        let morph = clip.morphs.iter().find(|morph| morph.joint == joint);
        return morph.map_or_else(Vec::new, |morph| {
            let index = key * morph.target_count + target;
            of_keys(&morph.weights.keys, index, |value| row(&[*value], &[""]))
        });
    }
    let xyz = |value: &Vec3| row(&value.to_array(), &["x", "y", "z"]);
    let found = match (clip.joint_tracks(joint), track.property) {
        (Some(JointTracks::Trs { translation, .. }), Property::Translation) => translation
            .as_ref()
            .map(|track| of_keys(&track.keys, key, xyz)),
        (Some(JointTracks::Trs { scale, .. }), Property::Scale) => {
            scale.as_ref().map(|track| of_keys(&track.keys, key, xyz))
        }
        (Some(JointTracks::Trs { rotation, .. }), Property::Rotation) => {
            let xyzw = |value: &Quat| row(&value.to_array(), &["x", "y", "z", "w"]);
            rotation
                .as_ref()
                .map(|track| of_keys(&track.keys, key, xyzw))
        }
        (Some(JointTracks::Matrix { matrix, .. }), _) => {
            Some(of_keys(&matrix.keys, key, matrix_rows))
        }
        _ => None,
    };
    found.unwrap_or_default()
}

fn of_keys<T>(
    keys: &Keys<T>,
    index: usize,
    text: impl Fn(&T) -> String,
) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let mut add = |name, values: &[T]| {
        lines.extend(values.get(index).map(|value| (name, text(value))));
    };
    add("stored", keys.values());
    if let Keys::Cubic {
        in_tangents,
        out_tangents,
        ..
    } = keys
    {
        add("tangent in, per second", in_tangents);
        add("tangent out, per second", out_tangents);
    }
    lines
}

/// `x  0.123456  y −1.000000`, points one under the other from line to line.
fn row(values: &[f32], names: &[&str]) -> String {
    let decimals = shared_decimals(values, 6, NUMBER_WIDTH);
    let parts = values.iter().zip(names).map(|(value, name)| {
        let value = number(*value, decimals);
        if name.is_empty() {
            value.trim_start().to_owned()
        } else {
            format!("{name} {value}")
        }
    });
    parts.collect::<Vec<_>>().join("  ")
}

fn matrix_rows(matrix: &Mat4) -> String {
    let decimals = shared_decimals(&matrix.to_cols_array(), 4, NUMBER_WIDTH);
    let rows = (0..4).map(|row| {
        let values = matrix.row(row).to_array();
        values.map(|value| number(value, decimals)).join(" ")
    });
    rows.collect::<Vec<_>>().join("\n")
}
