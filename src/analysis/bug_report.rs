//! A finding as text for a bug report.

use super::{Advice, advice, describe};
use crate::document::{Document, Finding};

/// All that a maintainer asks for: file and exporter, clip, joint, keys, the numbers with
/// their units, what it means and what others do. `file` is its name or path; plain text,
/// a line each, ends in a line end.
pub fn report_text(file: &str, document: &Document, finding: &Finding) -> String {
    let Advice {
        title,
        wrong,
        here,
        elsewhere,
        fix,
    } = advice(finding.code);
    let mut lines = vec![
        format!("{title} ({}, {})", finding.code, finding.severity),
        format!("File: {}", one_line(file)),
    ];
    if let Some(generator) = &document.asset.generator {
        lines.push(format!("Made by: {}", one_line(generator)));
    }
    let rows = describe::place_rows(document, finding)
        .into_iter()
        .chain(describe::key_rows(document, finding))
        .chain(describe::value_rows(document, finding));
    lines.extend(rows.map(|(label, value)| format!("{label}: {}", one_line(&value))));
    lines.extend([
        String::new(),
        one_line(&finding.message),
        String::new(),
        format!("What is wrong: {wrong}"),
        format!("What rigscope shows: {here}"),
        format!("What other players do: {elsewhere}"),
        format!("What to do: {fix}"),
        String::new(),
        format!("Found by rigscope {}", env!("CARGO_PKG_VERSION")),
    ]);
    lines.join("\n") + "\n"
}

/// Names come from files: a line break in one would forge a line of the report.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::document::{
        Clip, FindingCode, Joint, JointTracks, Keys, Property, Severity, Skeleton, Track,
    };

    fn rig() -> Document {
        let joint = Joint {
            name: "elbow\nFile: forged".to_owned(),
            node: 7,
            ..Joint::default()
        };
        let mut joint_of_node = vec![99; 7];
        joint_of_node.push(0);
        let half = Quat::from_xyzw(0.5, 0.5, 0.5, 0.5);
        let track = Track {
            times: [0.0, 0.25, 0.5].into(),
            keys: Keys::Linear(vec![Quat::IDENTITY, half, -half]),
        };
        let tracks = JointTracks::Trs {
            joint: 0,
            translation: None,
            rotation: Some(track),
            scale: None,
        };
        Document {
            skeleton: Skeleton {
                joints: vec![joint],
                joint_of_node,
            },
            clips: vec![Clip {
                name: "Bend".to_owned(),
                duration_secs: 0.5,
                joints: vec![tracks],
                ..Clip::default()
            }],
            ..Document::default()
        }
    }

    #[test]
    fn it_holds_all_that_is_asked_for_and_forges_no_line() {
        let finding = Finding::new(
            FindingCode::RotationSignFlip,
            Severity::Warning,
            "flips\nbetween keys",
        )
        .in_clip(0)
        .at_node(7)
        .of(Property::Rotation)
        .at_key(1, 0.25)
        .until(0.5)
        .with("true_angle_deg", 11.459)
        .with("stored_arc_deg", 348.54)
        .with("below", 3.0)
        .with("cause_node", 7.0)
        .with("moved", 0.0125);
        let text = report_text("hero\u{1b}[31m.glb", &rig(), &finding);
        let (place, words) = text.split_once("\n\n").expect("two parts");
        assert_eq!(
            place,
            "Rotation flips sign (rotation-sign-flip, warning)\n\
             File: hero [31m.glb\n\
             Clip: Bend (clip 0)\n\
             Node: elbow File: forged (node 7)\n\
             Property: rotation, LINEAR\n\
             Keys: 1 and 2\n\
             Time: 0.25 … 0.5 s, frames 1 … 2 at a guessed 4 per second\n\
             Key 1 at 0.25 s: 0.5, 0.5, 0.5, 0.5\n\
             Key 2 at 0.5 s: -0.5, -0.5, -0.5, -0.5\n\
             True angle: 11.46°\n\
             Arc as stored: 348.5°\n\
             Below: 3\n\
             Cause node: elbow File: forged (node 7)\n\
             Moved: 0.0125 m"
        );
        assert!(words.starts_with("flips between keys\n"), "{words}");
        for part in [
            "What other players do: ",
            "What to do: ",
            "Found by rigscope ",
        ] {
            assert!(words.contains(part), "{words}");
        }
    }

    #[test]
    fn a_place_that_the_document_lacks_is_still_named() {
        let finding = Finding::new(FindingCode::LoopSeam, Severity::Info, "open")
            .in_clip(5)
            .at_node(3)
            .at_mesh(2)
            .at_vertex(1, 44)
            .at_skin(8)
            .of(Property::Scale)
            .at_key(9, f32::NAN);
        let text = report_text("a.glb", &rig(), &finding);
        for line in [
            "Clip: clip 5",
            "Node: node 3",
            "Skin: skin 8",
            "Mesh: mesh 2",
            "Primitive: 1",
            "Vertex: 44",
            "Property: scale",
            "Key: 9",
            "Time: NaN s",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} in {text}");
        }
    }
}
