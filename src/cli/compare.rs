//! `rigscope compare`: how far two ways to play a file, or two files, are apart.

use std::io::Write;

use serde::Serialize;

use super::{
    Error, Outcome,
    args::{ClipChoice, CompareArgs, Format, SamplingArgs, SideSpec},
    json,
    open::{self, Opened},
    table::Table,
};
use crate::{
    compare::{self, Comparison, Matching, Moment, Options},
    document::Document,
    scene::{Character, PoseSource, VertexRef},
};

/// Both sides, and what came of it.
struct Compared {
    names: [String; 2],
    specs: [String; 2],
    a: Character,
    b: Character,
    matching: Matching,
    comparison: Comparison,
}

pub(super) fn run(args: &CompareArgs, stdout: &mut dyn Write) -> Result<Outcome, Error> {
    let compared = Compared::new(args)?;
    let exceeded = compared.exceeded(args);
    match args.format {
        Format::Text => compared.write_text(args, &exceeded, stdout)?,
        Format::Json => json::write(&compared.json(args, &exceeded), stdout)?,
    }
    Ok(if exceeded.is_empty() {
        Outcome::Done
    } else {
        Outcome::Found
    })
}

impl Compared {
    fn new(args: &CompareArgs) -> Result<Self, Error> {
        let first = open::open(args.files.first().map(|path| &**path))?;
        let second = match args.files.get(1) {
            Some(path) => Some(open::open(Some(path))?),
            None => None,
        };
        let name_a = first.name.clone();
        let name_b = second.as_ref().map_or(&name_a, |file| &file.name).clone();
        let a = side(first, &args.sampling, &args.a)?;
        let b = match second {
            Some(file) => {
                // The clip of that name, unless B is told another one.
                let own = args.b.clip.is_some() || args.sampling.clip.is_some();
                let namesake = (!own).then(|| namesake(&a, &file.document)).flatten();
                let mut b = side(file, &args.sampling, &args.b)?;
                if let Some(source) = namesake {
                    b.set_source(source);
                }
                b
            }
            None => {
                let file = Opened {
                    name: name_a.clone(),
                    document: a.document.clone(),
                };
                side(file, &args.sampling, &args.b)?
            }
        };
        let matching = compare::matching(&a.document, &b.document);
        let options = Options {
            rate_hz: args.rate,
            range_secs: None,
            vertices: !args.no_vertices,
        };
        let comparison = compare::over_clip(&a, &b, &matching, &options, &|| true);
        Ok(Self {
            names: [name_a, name_b],
            specs: [args.a.text.clone(), args.b.text.clone()],
            a,
            b,
            matching,
            comparison,
        })
    }

    /// The limits that were passed, a sentence each.
    fn exceeded(&self, args: &CompareArgs) -> Vec<String> {
        let most = |by: fn(&Moment) -> f64| self.comparison.worst(by).map_or(0.0, by);
        let (angle, position, vertex) = (
            most(|m| m.angle.value),
            most(|m| m.position.value) * 1e3,
            most(|m| m.vertex.value) * 1e3,
        );
        let mut exceeded = Vec::new();
        // What is not a number is over every limit.
        let mut check = |what: &str, value: f64, limit: Option<f64>, unit: &str| {
            if let Some(limit) = limit
                && (value > limit || value.is_nan())
            {
                exceeded.push(format!(
                    "{what} is off by {value:.3}{unit}, over {limit}{unit}"
                ));
            }
        };
        check("a joint's angle", angle, args.max_deg, "°");
        check("a joint's place", position, args.max_mm, " mm");
        check("a vertex", vertex, args.max_mm, " mm");
        exceeded
    }

    fn joint_name(&self, joint: usize) -> String {
        self.a.document.skeleton.joints[joint].label()
    }

    fn vertex_name(&self, at: VertexRef) -> String {
        let instance = &self.a.document.instances[at.instance];
        let mesh = self.joint_name(instance.joint);
        format!("vertex {} of {mesh}", at.vertex)
    }

    fn write_text(
        &self,
        args: &CompareArgs,
        exceeded: &[String],
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let sides = [(&self.a, "A"), (&self.b, "B")];
        for (index, (side, letter)) in sides.into_iter().enumerate() {
            let spec = match self.specs[index].as_str() {
                "" => String::new(),
                spec => format!("  {spec}"),
            };
            let name = &self.names[index];
            writeln!(out, "{letter}  {name} · {}{spec}", source_name(side))?;
        }
        let Comparison {
            moments, vertices, ..
        } = &self.comparison;
        let (from, to) = (moments.first(), moments.last());
        let span = from
            .zip(to)
            .map_or((0.0, 0.0), |(a, b)| (a.time_secs, b.time_secs));
        writeln!(
            out,
            "   {} joints, {vertices} vertices, {} moments from {:.3} s to {:.3} s",
            self.matching.joints.len(),
            moments.len(),
            span.0,
            span.1
        )?;
        let (only_a, only_b) = (self.matching.only_a.len(), self.matching.only_b.len());
        if only_a + only_b > 0 {
            writeln!(
                out,
                "   without a partner: {only_a} joints of A, {only_b} of B"
            )?;
        }
        for sentence in &self.matching.left_out {
            writeln!(out, "   not compared: {sentence}")?;
        }
        writeln!(out)?;
        self.summary().write(out)?;
        let joints = self.worst_joints(args.limit);
        if !joints.is_empty() {
            writeln!(out)?;
            let mut table = Table::new(2, &["joint", ">angle", ">at", ">position", ">at"]);
            for error in joints {
                table.row([
                    self.joint_name(error.joint),
                    format!("{:.3}°", error.angle.0),
                    format!("{:.3} s", error.angle.1),
                    format!("{:.3} mm", error.position.0 * 1e3),
                    format!("{:.3} s", error.position.1),
                ]);
            }
            table.write(out)?;
        }
        writeln!(out)?;
        match exceeded {
            [] if self.is_equal() => writeln!(out, "equal")?,
            [] => writeln!(out, "done")?,
            _ => writeln!(out, "failed: {}", exceeded.join("; "))?,
        }
        Ok(())
    }

    /// Angle, position and vertex: worst, where, when and mean.
    fn summary(&self) -> Table {
        let comparison = &self.comparison;
        let mut table = Table::new(2, &["", ">worst", "where", ">when", ">mean"]);
        let nowhere = || "nowhere".to_owned();
        let when = |moment: Option<&Moment>, value: f64| match moment {
            Some(moment) if value != 0.0 => format!("{:.3} s", moment.time_secs),
            _ => String::new(),
        };
        let angle = comparison.worst(|m| m.angle.value);
        let worst = angle.map(|m| m.angle).unwrap_or_default();
        table.row([
            "angle".to_owned(),
            format!("{:.3}°", worst.value),
            worst
                .at
                .map_or_else(nowhere, |joint| self.joint_name(joint)),
            when(angle, worst.value),
            format!("{:.3}°", comparison.mean(|m| m.mean_angle)),
        ]);
        let position = comparison.worst(|m| m.position.value);
        let worst = position.map(|m| m.position).unwrap_or_default();
        table.row([
            "position".to_owned(),
            format!("{:.3} mm", worst.value * 1e3),
            worst
                .at
                .map_or_else(nowhere, |joint| self.joint_name(joint)),
            when(position, worst.value),
            format!("{:.3} mm", comparison.mean(|m| m.mean_position) * 1e3),
        ]);
        if comparison.vertices > 0 {
            let vertex = comparison.worst(|m| m.vertex.value);
            let worst = vertex.map(|m| m.vertex).unwrap_or_default();
            table.row([
                "vertex".to_owned(),
                format!("{:.3} mm", worst.value * 1e3),
                worst.at.map_or_else(nowhere, |at| self.vertex_name(at)),
                when(vertex, worst.value),
                format!("{:.3} mm", comparison.mean(|m| m.mean_vertex) * 1e3),
            ]);
        }
        table
    }

    fn is_equal(&self) -> bool {
        let still =
            |m: &Moment| m.angle.value == 0.0 && m.position.value == 0.0 && m.vertex.value == 0.0;
        self.comparison.moments.iter().all(still)
    }

    /// The joints that differ, the worst angle first; of equals the farthest off.
    fn worst_joints(&self, limit: usize) -> Vec<&compare::JointError> {
        let differs = |error: &&compare::JointError| error.angle.0 > 0.0 || error.position.0 > 0.0;
        let mut joints: Vec<_> = self.comparison.joints.iter().filter(differs).collect();
        joints.sort_by(|a, b| {
            let (a, b) = ((a.angle.0, a.position.0), (b.angle.0, b.position.0));
            b.partial_cmp(&a).unwrap_or(core::cmp::Ordering::Equal)
        });
        if limit > 0 {
            joints.truncate(limit);
        }
        joints
    }

    fn json(&self, args: &CompareArgs, exceeded: &[String]) -> CompareJson {
        let comparison = &self.comparison;
        let side = |index: usize, side: &Character| SideJson {
            file: self.names[index].clone(),
            source: source_name(side),
            changes: self.specs[index].clone(),
        };
        let node = |joint: usize| self.a.document.skeleton.joints[joint].node;
        let angle = comparison.worst(|m| m.angle.value);
        let position = comparison.worst(|m| m.position.value);
        let vertex = comparison.worst(|m| m.vertex.value);
        let place = |moment: Option<&Moment>, value: f64, joint: Option<usize>| WorstJson {
            value,
            node: joint.map(node),
            name: joint.map(|joint| self.joint_name(joint)),
            time_secs: moment.map(|m| m.time_secs),
            ..WorstJson::default()
        };
        let worst_vertex = vertex.map(|m| m.vertex).unwrap_or_default();
        CompareJson {
            a: side(0, &self.a),
            b: side(1, &self.b),
            joints: self.matching.joints.len(),
            vertices: comparison.vertices,
            moments: comparison.moments.len(),
            only_a: self
                .matching
                .only_a
                .iter()
                .map(|&joint| self.joint_name(joint))
                .collect(),
            only_b: (self.matching.only_b.iter())
                .map(|&joint| self.b.document.skeleton.joints[joint].label())
                .collect(),
            not_compared: self.matching.left_out.clone(),
            worst_angle_deg: place(
                angle,
                angle.map_or(0.0, |m| m.angle.value),
                angle.and_then(|m| m.angle.at),
            ),
            worst_position_m: place(
                position,
                position.map_or(0.0, |m| m.position.value),
                position.and_then(|m| m.position.at),
            ),
            worst_vertex_m: WorstJson {
                value: worst_vertex.value,
                time_secs: vertex.map(|m| m.time_secs),
                node: worst_vertex
                    .at
                    .map(|at| node(self.a.document.instances[at.instance].joint)),
                primitive: worst_vertex.at.map(|at| at.primitive),
                vertex: worst_vertex.at.map(|at| at.vertex),
                name: None,
            },
            mean_angle_deg: comparison.mean(|m| m.mean_angle),
            mean_position_m: comparison.mean(|m| m.mean_position),
            mean_vertex_m: comparison.mean(|m| m.mean_vertex),
            exceeded: exceeded.to_vec(),
            worst_joints: (self.worst_joints(args.limit).into_iter())
                .map(|error| JointJson {
                    node: node(error.joint),
                    name: self.joint_name(error.joint),
                    angle_deg: error.angle.0,
                    angle_time_secs: error.angle.1,
                    position_m: error.position.0,
                    position_time_secs: error.position.1,
                })
                .collect(),
        }
    }
}

/// A file as a side plays it.
pub(super) fn side(
    file: Opened,
    sampling: &SamplingArgs,
    spec: &SideSpec,
) -> Result<Character, Error> {
    let choice: Option<&ClipChoice> = spec.clip.as_ref().or(sampling.clip.as_ref());
    let mut character = file.character_of(sampling, choice, 0.0)?;
    spec.apply(&mut character.technique);
    character.update();
    Ok(character)
}

/// The clip of A's name in another document, if it has one.
fn namesake(a: &Character, b: &Document) -> Option<PoseSource> {
    let name = &a.clip()?.name;
    let mut clips = b.clips.iter();
    let found = clips.position(|clip| clip.name == *name && !name.is_empty())?;
    Some(PoseSource::Clip(found))
}

fn source_name(side: &Character) -> String {
    match side.source {
        PoseSource::Clip(index) => {
            let clip = side.document.clips.get(index);
            clip.map_or_else(String::new, |clip| clip.label(index))
        }
        PoseSource::Rest => "rest pose".to_owned(),
        PoseSource::Bind => "bind pose".to_owned(),
    }
}

#[derive(Serialize)]
struct CompareJson {
    a: SideJson,
    b: SideJson,
    joints: usize,
    vertices: usize,
    moments: usize,
    only_a: Vec<String>,
    only_b: Vec<String>,
    not_compared: Vec<String>,
    worst_angle_deg: WorstJson,
    worst_position_m: WorstJson,
    worst_vertex_m: WorstJson,
    mean_angle_deg: f64,
    mean_position_m: f64,
    mean_vertex_m: f64,
    exceeded: Vec<String>,
    worst_joints: Vec<JointJson>,
}

#[derive(Serialize)]
struct SideJson {
    file: String,
    source: String,
    changes: String,
}

#[derive(Serialize, Default)]
struct WorstJson {
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_secs: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    primitive: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertex: Option<usize>,
}

#[derive(Serialize)]
struct JointJson {
    node: usize,
    name: String,
    angle_deg: f64,
    angle_time_secs: f32,
    position_m: f64,
    position_time_secs: f32,
}
