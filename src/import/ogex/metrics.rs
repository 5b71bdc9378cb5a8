//! Units and axes of a file.

use glam::{Mat3, Quat, Vec3};

use super::{
    ddl::{Data, Tree},
    error::{OgexError, OgexProblem},
};
use crate::document::{Finding, FindingCode, Severity};

/// What a file's numbers are multiplied by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Metrics {
    /// Metres per unit of length.
    pub(super) distance: f32,
    /// Radians per unit of angle.
    pub(super) angle: f32,
    /// Seconds per unit of time.
    pub(super) time: f32,
    /// Turns the file's axes so that Y is up: goes before the transform of each root.
    pub(super) upright: Quat,
}

impl Metrics {
    /// Reads the `Metric` structures of the top level. Without them the format has
    /// metres, radians, seconds, and Z up.
    pub(super) fn read(tree: &Tree<'_>, findings: &mut Vec<Finding>) -> Result<Self, OgexError> {
        let mut metrics = Self {
            distance: 1.0,
            angle: 1.0,
            time: 1.0,
            upright: Quat::IDENTITY,
        };
        let (mut up, mut forward) = (Vec3::Z, None);
        for id in tree.ids() {
            if tree.get(id).kind != "Metric" || tree.parent(id).is_some() {
                continue;
            }
            let missing = |what| tree.error(id, OgexProblem::Missing { what });
            let key = tree.text(id, "key")?.ok_or_else(|| missing("key"))?;
            let data = tree.data(id).ok_or_else(|| missing("value"))?;
            match (key, &data.data) {
                ("distance" | "angle" | "time", Data::Floats(values)) => {
                    let value = values.first().copied().unwrap_or(f32::NAN);
                    // The squares of lengths must stay in range.
                    if !(1e-9..=1e9).contains(&value) {
                        return Err(tree.error(
                            id,
                            OgexProblem::Property {
                                property: "value",
                                value: value.to_string(),
                                expected: "a factor from 1e-9 to 1e9 is expected",
                            },
                        ));
                    }
                    match key {
                        "distance" => metrics.distance = value,
                        "angle" => metrics.angle = value,
                        _ => metrics.time = value,
                    }
                }
                ("up" | "forward", Data::Strings(values)) => {
                    let word = values.first().map_or("", String::as_str);
                    match axis(word) {
                        Some(axis) if key == "up" => up = axis,
                        Some(axis) => forward = Some(axis),
                        None => findings.push(unknown(
                            tree.get(id).line,
                            &format!("{key} is {word:?}, which is no axis; it is ignored"),
                        )),
                    }
                }
                // `OpenGEX` 3 has the colours of the screen here.
                _ => {}
            }
        }
        if forward.is_some_and(|forward| forward.dot(up).abs() > 0.5) {
            findings.push(unknown(1, "forward points along up; it is ignored"));
            forward = None;
        }
        metrics.upright = upright(up, forward);
        Ok(metrics)
    }
}

fn unknown(line: u32, what: &str) -> Finding {
    Finding::new(
        FindingCode::ContainerInvalid,
        Severity::Warning,
        format!("line {line}: the metric {what}"),
    )
}

fn axis(word: &str) -> Option<Vec3> {
    Some(match word {
        "x" => Vec3::X,
        "y" => Vec3::Y,
        "z" => Vec3::Z,
        "-x" => Vec3::NEG_X,
        "-y" => Vec3::NEG_Y,
        "-z" => Vec3::NEG_Z,
        _ => return None,
    })
}

/// The rotation that takes `up` to +Y and `forward` to +Z.
fn upright(up: Vec3, forward: Option<Vec3>) -> Quat {
    let forward = forward.unwrap_or(match up {
        // Blender's view from the front looks along +Y.
        Vec3::Z => Vec3::NEG_Y,
        Vec3::NEG_Z => Vec3::Y,
        Vec3::NEG_Y => Vec3::NEG_Z,
        _ => Vec3::Z,
    });
    let file_from_document = Mat3::from_cols(up.cross(forward), up, forward);
    Quat::from_mat3(&file_from_document.transpose()).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_and_forward() {
        let turned = |up: &str, forward: Option<&str>, v: [f32; 3]| {
            let turn = upright(axis(up).expect("an axis"), forward.and_then(axis));
            (turn * Vec3::from(v)).round().to_array()
        };
        assert_eq!(turned("y", None, [1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
        assert_eq!(turned("z", None, [1.0, 2.0, 3.0]), [1.0, 3.0, -2.0]);
        assert_eq!(turned("z", Some("x"), [1.0, 2.0, 3.0]), [2.0, 3.0, 1.0]);
        assert_eq!(turned("y", Some("-z"), [1.0, 2.0, 3.0]), [-1.0, 2.0, -3.0]);
    }
}
