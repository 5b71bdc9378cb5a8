//! Numbers and names for reading.

use glam::Vec3;

use crate::{analysis::measures::Difference, document::Document};

/// `node 3 "upper"`, with the file's index: names need not be unique.
pub(super) fn node(document: &Document, joint: usize) -> String {
    let joint = &document.skeleton.joints[joint];
    label("node", joint.node, &joint.name)
}

/// `mesh 0 "Body"`.
pub(super) fn mesh(document: &Document, index: usize) -> String {
    label("mesh", index, &document.meshes[index].name)
}

/// `skin 0 "Rig"`.
pub(super) fn skin(document: &Document, index: usize) -> String {
    label("skin", index, &document.skins[index].name)
}

/// `clip 0 "Walk"`.
pub(super) fn clip(document: &Document, index: usize) -> String {
    label("clip", index, &document.clips[index].name)
}

fn label(what: &str, index: usize, name: &str) -> String {
    if name.is_empty() {
        format!("{what} {index}")
    } else {
        format!("{what} {index} {name:?}")
    }
}

/// `1 joint`, `2 joints`.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Three digits that say something, without zeros at the end: `0.0123`, `1.5`, `340`.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let decimals = (2.0 - value.abs().log10().floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// `12.3 mm`.
pub(super) fn millimetres(metres: f64) -> String {
    format!("{} mm", number(metres * 1e3))
}

/// `0.5 s`.
pub(super) fn secs(secs: f32) -> String {
    format!("{} s", number(f64::from(secs)))
}

/// `2`, or `(1, 2, 1)` where the axes are not alike.
pub(super) fn scale(scale: Vec3) -> String {
    let [x, y, z] = scale.to_array().map(|factor| number(f64::from(factor)));
    if x == y && y == z {
        x
    } else {
        format!("({x}, {y}, {z})")
    }
}

/// `turned by 45.0°, moved by 0.12 m and scaled by 2`: what of it can be seen, in a rig
/// of this size.
pub(super) fn difference(difference: &Difference, size: f32) -> String {
    let mut parts = Vec::new();
    if difference.degrees >= 0.05 {
        parts.push(format!("turned by {:.1}°", difference.degrees));
    }
    if difference.distance > size * 1e-4 {
        let distance = number(f64::from(difference.distance));
        parts.push(format!("moved by {distance} m"));
    }
    if (difference.scale - 1.0).abs().max_element() > 1e-3 {
        parts.push(format!("scaled by {}", scale(difference.scale)));
    }
    listed(&parts)
}

/// `a, b and c`.
pub(super) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The first few of many, and how many more there are: `a, b, c and 9 more`.
pub(super) fn some_of(parts: &[String]) -> String {
    const SHOWN: usize = 3;
    // A fourth one is no longer than "1 more".
    if parts.len() <= SHOWN + 1 {
        return listed(parts);
    }
    let (shown, more) = parts.split_at(SHOWN);
    format!("{} and {} more", shown.join(", "), more.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (0.012_34, "0.0123"),
            (1.5, "1.5"),
            (340.4, "340"),
            (12_345.6, "12346"),
            (-0.01, "-0.01"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(millimetres(0.012_34), "12.3 mm");
        assert_eq!(scale(Vec3::new(1.0, 2.0, 1.0)), "(1, 2, 1)");
        assert_eq!(scale(Vec3::splat(0.01)), "0.01");
    }

    #[test]
    fn lists_read_well() {
        let parts: Vec<String> = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
        assert_eq!(listed(&[]), "");
        assert_eq!(listed(&parts[..2]), "a and b");
        assert_eq!(some_of(&parts[..4]), "a, b, c and d");
        assert_eq!(some_of(&parts), "a, b, c and 2 more");
        let turned = Difference {
            degrees: 45.0,
            distance: 0.12,
            scale: Vec3::splat(2.0),
        };
        assert_eq!(
            difference(&turned, 1.0),
            "turned by 45.0°, moved by 0.12 m and scaled by 2"
        );
    }
}
