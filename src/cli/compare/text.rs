//! A comparison as text.

use std::io::Write;

use super::{super::table::Table, CompareArgs, Compared, Error, number, source_name};
use crate::{
    compare::{self, Comparison, Moment},
    document::Clip,
    scene::{Character, VertexRef},
};

/// Names without a partner that are listed; the rest is counted.
const NAMES: usize = 8;

impl Compared {
    pub(super) fn write_text(
        &self,
        args: &CompareArgs,
        failures: &[String],
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        self.write_sides(out)?;
        self.write_matching(out)?;
        writeln!(out)?;
        self.summary().write(out)?;
        let joints = self.worst_joints(args.limit);
        if !joints.is_empty() {
            writeln!(out)?;
            let mut table = Table::new(2, &["joint", ">angle", ">at", ">position", ">at"]);
            for error in joints {
                table.row([
                    self.joint_name(error.joint),
                    number(error.angle.0, "°"),
                    self.when(error.angle.1),
                    number(error.position.0 * 1e3, " mm"),
                    self.when(error.position.1),
                ]);
            }
            table.write(out)?;
        }
        writeln!(out)?;
        match failures {
            [] if !self.is_equal() => writeln!(out, "done")?,
            [] if self.matching.is_whole() => writeln!(out, "equal")?,
            [] => writeln!(out, "equal in what was compared")?,
            _ => writeln!(out, "failed: {}", failures.join("; "))?,
        }
        Ok(())
    }

    /// What is compared, and when.
    fn write_sides(&self, out: &mut dyn Write) -> Result<(), Error> {
        let sides = [(&self.a, "A"), (&self.b, "B")];
        let durations = compare::durations(&self.a, &self.b);
        let differ = matches!(durations, [Some(a), Some(b)] if (a - b).abs() > 1e-4);
        for (index, (side, letter)) in sides.into_iter().enumerate() {
            let spec = match self.specs[index].as_str() {
                "" => String::new(),
                spec => format!("  {spec}"),
            };
            let long = match durations[index] {
                Some(secs) if differ => format!(", {secs:.3} s long"),
                _ => String::new(),
            };
            let name = &self.names[index];
            writeln!(out, "{letter}  {name} · {}{long}{spec}", source_name(side))?;
        }
        let Comparison {
            moments, vertices, ..
        } = &self.comparison;
        let ends = moments.first().zip(moments.last());
        let [from, to] = ends.map_or([0.0; 2], |(a, b)| [a.time_secs, b.time_secs]);
        writeln!(
            out,
            "   {} joints, {vertices} vertices, {} moments from {from:.3} s to {to:.3} s",
            self.matching.joints.len(),
            moments.len(),
        )?;
        if differ && durations.iter().flatten().any(|&end| end > to + 1e-4) {
            writeln!(out, "   what is after {to:.3} s was not compared")?;
        }
        Ok(())
    }

    /// What has no partner.
    fn write_matching(&self, out: &mut dyn Write) -> Result<(), Error> {
        let matching = &self.matching;
        let both = [
            (&self.a, &matching.only_a, "A"),
            (&self.b, &matching.only_b, "B"),
        ];
        for (side, joints, letter) in both {
            if let Some(names) = names(side, joints) {
                let count = joints.len();
                let noun = if count == 1 { "joint" } else { "joints" };
                writeln!(
                    out,
                    "   without a partner: {count} {noun} of {letter}: {names}"
                )?;
            }
        }
        for sentence in &matching.left_out {
            writeln!(out, "   not compared: {sentence}")?;
        }
        Ok(())
    }

    /// Seconds, and the frame where the clip's keys tell a rate.
    fn when(&self, time_secs: f32) -> String {
        match self.a.clip().and_then(Clip::guessed_fps) {
            Some(fps) => format!("{time_secs:.3} s, frame {:.1}", time_secs * fps),
            None => format!("{time_secs:.3} s"),
        }
    }

    /// Angle, position and vertex: worst, where, when and mean.
    fn summary(&self) -> Table {
        let mut table = Table::new(2, &["", ">worst", "where", ">when", ">mean over time"]);
        let joint = |at: Option<usize>| at.map(|joint| self.joint_name(joint));
        let vertex = |at: Option<VertexRef>| at.map(|at| self.vertex_name(at));
        let mut row = |what: &str,
                       value: fn(&Moment) -> f64,
                       mean: fn(&Moment) -> f64,
                       place: &dyn Fn(&Moment) -> Option<String>,
                       (scale, unit): (f64, &str)| {
            let worst = self.comparison.worst(value);
            let place = worst.and_then(place);
            let when = worst.filter(|_| place.is_some());
            table.row([
                what.to_owned(),
                number(worst.map_or(0.0, value) * scale, unit),
                place.unwrap_or_else(|| "nowhere".to_owned()),
                when.map_or_else(String::new, |moment| self.when(moment.time_secs)),
                number(self.comparison.mean(mean) * scale, unit),
            ]);
        };
        const DEGREES: (f64, &str) = (1.0, "°");
        const MILLIMETRES: (f64, &str) = (1e3, " mm");
        row(
            "angle",
            |m| m.angle.value,
            |m| m.mean_angle,
            &|m| joint(m.angle.at),
            DEGREES,
        );
        row(
            "position",
            |m| m.position.value,
            |m| m.mean_position,
            &|m| joint(m.position.at),
            MILLIMETRES,
        );
        if self.comparison.vertices > 0 {
            row(
                "vertex",
                |m| m.vertex.value,
                |m| m.mean_vertex,
                &|m| vertex(m.vertex.at),
                MILLIMETRES,
            );
        }
        table
    }

    fn vertex_name(&self, at: VertexRef) -> String {
        let instance = &self.a.document.instances[at.instance];
        let mesh = self.joint_name(instance.joint);
        let primitives = &self.a.document.meshes[instance.mesh].primitives;
        match primitives.len() {
            1 => format!("vertex {} of {mesh}", at.vertex),
            _ => format!("vertex {} of {mesh}, primitive {}", at.vertex, at.primitive),
        }
    }
}

/// The first few names, and how many more there are.
fn names(side: &Character, joints: &[usize]) -> Option<String> {
    let name = |&joint: &usize| side.document.skeleton.joints[joint].label();
    let named: Vec<String> = joints.iter().take(NAMES).map(name).collect();
    if named.is_empty() {
        return None;
    }
    Some(match joints.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    })
}
