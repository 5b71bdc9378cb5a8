//! A finding's place and numbers as text, for panel, command line and bug reports.

use crate::document::{Clip, Document, Finding, JointTracks, Keys, Property, Track};

/// A label with its value.
pub type Row = (String, String);

/// Where a finding is, from clip to key; only what applies. Names as stored, each with
/// its index in the file, for names may be missing or not unique.
pub fn place_rows(document: &Document, finding: &Finding) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = |label: &str, value: String| rows.push((label.to_owned(), value));
    if let Some(index) = finding.clip {
        let name = document.clips.get(index).map(|clip| &*clip.name);
        row("Clip", named(name, "clip", index));
    }
    if let Some(node) = finding.node {
        row(
            node_word(document, node),
            named(node_name(document, node), "node", node),
        );
    }
    if let Some(index) = finding.skin {
        let name = document.skins.get(index).map(|skin| &*skin.name);
        row("Skin", named(name, "skin", index));
    }
    if let Some(index) = finding.mesh {
        let name = document.meshes.get(index).map(|mesh| &*mesh.name);
        row("Mesh", named(name, "mesh", index));
    }
    if let Some(primitive) = finding.primitive {
        row("Primitive", primitive.to_string());
    }
    if let Some(vertex) = finding.vertex {
        row("Vertex", vertex.to_string());
    }
    let keys = KeyFacts::of(document, finding);
    if let Some(property) = finding.property {
        let interpolation = keys.as_ref().map(|keys| keys.interpolation);
        let interpolation = interpolation.map_or(String::new(), |word| format!(", {word}"));
        row("Property", format!("{}{interpolation}", property.as_str()));
    }
    if let Some(key) = finding.key {
        match &keys {
            Some(keys) if keys.is_interval => row("Keys", format!("{key} and {}", key + 1)),
            _ => row("Key", key.to_string()),
        }
    }
    if let Some(start) = finding.time_secs {
        row("Time", time_text(document, finding, start));
    }
    rows
}

/// The numbers that belong to a finding, each with its unit.
pub fn value_rows(document: &Document, finding: &Finding) -> Vec<Row> {
    let row = |&(name, value): &(&str, f64)| {
        if let Some((_, label)) = SHARES.iter().find(|(known, _)| *known == name) {
            return ((*label).to_owned(), format!("{} %", number(percent(value))));
        }
        if name.ends_with("_node") && value >= 0.0 {
            let node = value as usize;
            let text = named(node_name(document, node), "node", node);
            return (sentence_case(name), text);
        }
        let unit = |end: &str| UNITS.iter().find(|(known, _)| end.ends_with(known));
        let (end, unit) = unit(name).copied().unwrap_or(("", ""));
        let known = LABELS.iter().find(|(known, ..)| *known == name);
        match known {
            Some((_, label, own)) => {
                let unit = if own.is_empty() { unit } else { own };
                ((*label).to_owned(), format!("{}{unit}", number(value)))
            }
            None => {
                let words = name.strip_suffix(end).unwrap_or(name);
                (sentence_case(words), format!("{}{unit}", number(value)))
            }
        }
    };
    let says_nothing = |(name, value): &&(&str, f64)| *value == 0.0 && QUIET_AT_ZERO.contains(name);
    let values = finding.values.iter().filter(|value| !says_nothing(value));
    values.map(row).collect()
}

/// The keys of a finding as the file stores them, a row each, with every digit that is
/// needed to read the same values back: `Key 12 at 0.5 s`.
pub fn key_rows(document: &Document, finding: &Finding) -> Vec<Row> {
    KeyFacts::of(document, finding).map_or(Vec::new(), |facts| facts.values)
}

/// [`key_rows`] for a narrow place: `Key 12`, three decimals.
pub fn short_key_rows(document: &Document, finding: &Finding) -> Vec<Row> {
    let short = |(label, values): Row| {
        let label = label.split(" at ").next().unwrap_or_default().to_owned();
        let values = values.split(", ").map(|value| match value.parse::<f32>() {
            // Adding 0 takes the sign from −0.
            Ok(value) => format!("{:.3}", (value * 1e3).round() / 1e3 + 0.0),
            Err(_) => value.to_owned(),
        });
        (label, values.collect::<Vec<_>>().join(", "))
    };
    let rows = key_rows(document, finding).into_iter();
    rows.map(short).collect()
}

/// The place in one line: `Walk · LowerArm.L · 0.5 s`; empty for what concerns the
/// whole file.
pub fn place_line(document: &Document, finding: &Finding) -> String {
    let clip = finding.clip.map(|index| match document.clips.get(index) {
        Some(clip) => clip.label(index),
        None => format!("clip {index}"),
    });
    let what = what_line(document, finding);
    let time = finding.time_secs.map(seconds);
    let parts: Vec<String> = clip.into_iter().chain(what).chain(time).collect();
    parts.join(" · ")
}

/// The thing that a finding is about, by name: joint, else mesh with vertex, else skin.
pub fn what_line(document: &Document, finding: &Finding) -> Option<String> {
    let mesh = finding.mesh.map(|index| {
        let name = document.meshes.get(index).map_or("", |mesh| &*mesh.name);
        let name = if name.is_empty() {
            format!("mesh {index}")
        } else {
            name.to_owned()
        };
        match finding.vertex {
            Some(vertex) => format!("{name}, vertex {vertex}"),
            None => name,
        }
    });
    let skin = || {
        let index = finding.skin?;
        let name = document.skins.get(index).map_or("", |skin| &*skin.name);
        Some(if name.is_empty() {
            format!("skin {index}")
        } else {
            name.to_owned()
        })
    };
    let node = finding.node.map(|node| {
        let name = node_name(document, node).unwrap_or_default();
        if name.is_empty() {
            format!("node {node}")
        } else {
            name.to_owned()
        }
    });
    node.or(mesh).or_else(skin)
}

/// A number for reading: four digits that count, all digits of whole numbers.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return if value.is_nan() { "NaN" } else { "infinite" }.to_owned();
    }
    if value.fract() == 0.0 && size < 1e15 {
        return format!("{value:.0}");
    }
    if !(1e-4..1e6).contains(&size) {
        return format!("{value:.2e}");
    }
    let decimals = (3.0 - size.log10().floor()).clamp(0.0, 4.0) as usize;
    let text = format!("{value:.decimals$}");
    if decimals == 0 {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Ends of value names, with the unit that they stand for; the longer ones first.
const UNITS: &[(&str, &str)] = &[
    ("_deg_per_sec", " °/s"),
    ("_degrees", "°"),
    ("_deg", "°"),
    ("_seconds", " s"),
    ("_secs", " s"),
    ("_percent", " %"),
    ("_bytes", " bytes"),
    ("_metres", " m"),
    ("_units", " units"),
    ("_mm", " mm"),
    ("_m", " m"),
    ("_fps", " per second"),
];

/// Value names whose words say too little, and units that are not in the name.
const LABELS: &[(&str, &str, &str)] = &[
    ("stored_arc_deg", "Arc as stored", ""),
    ("interval_secs", "Key spacing", ""),
    ("speed_deg_per_sec", "Speed", ""),
    ("speed_around_deg_per_sec", "Speed around it", ""),
    ("min_length", "Shortest length", ""),
    ("min_at_secs", "Shortest at", ""),
    ("count", "How many", ""),
    ("of", "Of how many", ""),
    ("moved", "Moved", " m"),
    ("distance", "Distance", " m"),
    ("root_travel", "Root travels", " m"),
    ("root_turn_deg", "Root turns", ""),
    ("height", "Height", " m"),
    ("displacement_mm", "Displacement", ""),
    ("displacement_stored_mm", "With stored weights", ""),
    ("vertices", "Vertices affected", ""),
    ("most_influences", "Most joints on a vertex", ""),
    (
        "outweighed_vertices",
        "Vertices that lose a heavier weight than one they keep",
        "",
    ),
];

/// Shares from 0 to 1 that read better as percent.
const SHARES: &[(&str, &str)] = &[("largest_share", "Largest part of a vertex's weight lost")];

/// Counts of something worse than the finding itself: none of it goes without saying.
const QUIET_AT_ZERO: &[&str] = &["outweighed_vertices"];

/// A share from 0 to 1 to a tenth of a percent.
fn percent(share: f64) -> f64 {
    (share * 1e3).round() / 10.0
}

/// `true_angle` → `True angle`.
fn sentence_case(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

/// `Walk (clip 0)`, or `clip 0` for what has no name.
fn named(name: Option<&str>, what: &str, index: usize) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{name} ({what} {index})"),
        _ => format!("{what} {index}"),
    }
}

/// The joint index of a file's node.
pub fn joint_of(document: &Document, finding: &Finding) -> Option<usize> {
    let joint = *document.skeleton.joint_of_node.get(finding.node?)?;
    (joint < document.skeleton.joints.len()).then_some(joint)
}

fn node_name(document: &Document, node: usize) -> Option<&str> {
    let joint = *document.skeleton.joint_of_node.get(node)?;
    let joint = document.skeleton.joints.get(joint)?;
    Some(&joint.name)
}

/// Whether a skin moves by it.
fn node_word(document: &Document, node: usize) -> &'static str {
    let joint = document.skeleton.joint_of_node.get(node).copied();
    let is_joint = joint.is_some_and(|joint| {
        let mut skins = document.skins.iter();
        skins.any(|skin| skin.joints.contains(&(joint as u32)))
    });
    if is_joint { "Joint" } else { "Node" }
}

/// `0.5 … 0.5417 s, frames 12 … 13 at a guessed 24 per second`.
fn time_text(document: &Document, finding: &Finding, start: f32) -> String {
    let fps = (finding.clip)
        .and_then(|clip| document.clips.get(clip))
        .and_then(Clip::guessed_fps);
    let pair = |one: f32, scale: f32| {
        let start = number(rounded(one * scale));
        match finding.end_secs {
            Some(end) if end > one => format!("{start} … {}", number(rounded(end * scale))),
            _ => start,
        }
    };
    let seconds = pair(start, 1.0);
    match fps {
        Some(fps) => {
            let frames = pair(start, fps);
            let word = if frames.contains('…') {
                "frames"
            } else {
                "frame"
            };
            let fps = number(fps.into());
            format!("{seconds} s, {word} {frames} at a guessed {fps} per second")
        }
        None => format!("{seconds} s"),
    }
}

/// A time to the millisecond, which is as fine as anybody keys: `0.542 s`.
pub fn seconds(secs: f32) -> String {
    format!("{} s", number(rounded(secs)))
}

fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e3).round() / 1e3
}

/// What the track of a finding says about its keys.
struct KeyFacts {
    interpolation: &'static str,
    /// The finding fills the interval from its key to the next.
    is_interval: bool,
    values: Vec<Row>,
}

impl KeyFacts {
    fn of(document: &Document, finding: &Finding) -> Option<Self> {
        let clip = document.clips.get(finding.clip?)?;
        let joint = joint_of(document, finding)?;
        let tracks = clip.joint_tracks(joint);
        match (finding.property?, tracks) {
            (
                Property::Translation,
                Some(JointTracks::Trs {
                    translation: Some(track),
                    ..
                }),
            ) => Some(Self::new(finding, track, |v| numbers(&v.to_array()))),
            (
                Property::Rotation,
                Some(JointTracks::Trs {
                    rotation: Some(track),
                    ..
                }),
            ) => Some(Self::new(finding, track, |q| numbers(&q.to_array()))),
            (
                Property::Scale,
                Some(JointTracks::Trs {
                    scale: Some(track), ..
                }),
            ) => Some(Self::new(finding, track, |v| numbers(&v.to_array()))),
            (Property::Matrix, Some(JointTracks::Matrix { matrix, .. })) => {
                Some(Self::new(finding, matrix, |m| numbers(&m.to_cols_array())))
            }
            (Property::MorphWeights, _) => {
                let morph = clip.morphs.iter().find(|morph| morph.joint == joint)?;
                Some(Self::of_morphs(finding, &morph.weights, morph.target_count))
            }
            _ => None,
        }
    }

    fn new<T>(finding: &Finding, track: &Track<T>, text: impl Fn(&T) -> String) -> Self {
        let value = |key: usize| track.keys.values().get(key).map(&text);
        Self::with(finding, &track.times, &track.keys, value)
    }

    fn of_morphs(finding: &Finding, track: &Track<f32>, targets: usize) -> Self {
        let values = track.keys.values();
        let value = |key: usize| {
            let range = key * targets..(key + 1) * targets;
            values.get(range).map(numbers)
        };
        Self::with(finding, &track.times, &track.keys, value)
    }

    fn with<T>(
        finding: &Finding,
        times: &[f32],
        keys: &Keys<T>,
        value: impl Fn(usize) -> Option<String>,
    ) -> Self {
        let next = finding.key.and_then(|key| times.get(key + 1));
        let is_interval = next.is_some() && finding.end_secs == next.copied();
        let count = if is_interval { 2 } else { 1 };
        let shown = finding.key.map_or(0..0, |key| key..key + count);
        let values = shown.filter_map(|key| {
            let secs = seconds(*times.get(key)?);
            Some((format!("Key {key} at {secs}"), value(key)?))
        });
        Self {
            interpolation: keys.interpolation_name(),
            is_interval,
            values: values.collect(),
        }
    }
}

/// Numbers with every digit that is needed to read the same value back.
fn numbers(values: &[f32]) -> String {
    /// Of a face with hundreds of morph targets the first few must do.
    const SHOWN: usize = 16;
    let shown = values.iter().take(SHOWN).map(f32::to_string);
    let more = if values.len() > SHOWN { ", …" } else { "" };
    shown.collect::<Vec<_>>().join(", ") + more
}
