//! `rigscope compare`: how far two ways to play a file, or two files, are apart.

mod json;
mod text;

use std::{
    io::{IsTerminal, Write},
    sync::mpsc,
    thread,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{
    Error, Outcome,
    args::{ClipChoice, CompareArgs, Format, SamplingArgs, SideSpec},
    json as json_text,
    open::{self, Opened},
};
use crate::{
    analysis::Watch,
    compare::{self, Comparison, Matching, Moment, Options},
    document::Document,
    scene::{Character, PoseSource},
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
    let failures = compared.failures(args);
    match args.format {
        Format::Text => compared.write_text(args, &failures, stdout)?,
        Format::Json => json_text::write(&compared.json(args, &failures), stdout)?,
    }
    Ok(if failures.is_empty() {
        Outcome::Done
    } else {
        Outcome::Found
    })
}

impl Compared {
    fn new(args: &CompareArgs) -> Result<Self, Error> {
        let range_secs = range(args)?;
        let (spec_a, spec_b) = (SideSpec::joined(&args.a), SideSpec::joined(&args.b));
        let first = open::open(args.files.first().map(|path| &**path))?;
        let second = match args.files.get(1) {
            Some(path) => Some(open::open(Some(path))?),
            None => None,
        };
        let name_a = first.name.clone();
        let name_b = second.as_ref().map_or(&name_a, |file| &file.name).clone();
        let a = side(first, &args.sampling, &spec_a)?;
        let b = match second {
            Some(file) => {
                // The clip of that name, unless B is told another one.
                let own = spec_b.clip.is_some() || args.sampling.clip.is_some();
                let namesake = (!own).then(|| namesake(&a, &file.document)).flatten();
                let mut b = side(file, &args.sampling, &spec_b)?;
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
                side(file, &args.sampling, &spec_b)?
            }
        };
        let mut matching = if args.no_vertices {
            compare::matching_joints(&a.document, &b.document)
        } else {
            compare::matching(&a.document, &b.document)
        };
        if matching.is_empty() {
            return Err(Error::NothingToCompare {
                a: name_a,
                b: name_b,
            });
        }
        let ends = compare::durations(&a, &b).into_iter().flatten();
        let last = ends.reduce(f32::max).unwrap_or(0.0);
        if let Some(from) = args.from.filter(|&from| from > last) {
            let problem = format!("--from {from} is past the end, which is at {last} s");
            return Err(Error::Usage(format!("{problem}: {name_a}")));
        }
        let options = Options {
            rate_hz: args.rate,
            range_secs,
            vertices: !args.no_vertices,
        };
        let watch = Watch::new();
        let found = with_progress(&watch, || {
            compare::over_clip(&a, &b, &matching, &options, &watch)
        });
        let mut comparison = found.unwrap_or_default();
        matching.left_out.append(&mut comparison.left_out);
        Ok(Self {
            names: [name_a, name_b],
            specs: [spec_a.text, spec_b.text],
            a,
            b,
            matching,
            comparison,
        })
    }

    /// The limits that were passed and what `--all` misses, a sentence each.
    fn failures(&self, args: &CompareArgs) -> Vec<String> {
        let most = |by: fn(&Moment) -> f64| self.comparison.worst(by).map_or(0.0, by);
        let (angle, position, vertex) = (
            most(|m| m.angle.value),
            most(|m| m.position.value) * 1e3,
            most(|m| m.vertex.value) * 1e3,
        );
        let mut failures = Vec::new();
        // What is not a number is over every limit.
        let mut check = |what: &str, value: f64, limit: Option<f64>, unit: &str| {
            if let Some(limit) = limit
                && (value > limit || value.is_nan())
            {
                let value = number(value, unit);
                failures.push(format!("{what} is off by {value}, over {limit}{unit}"));
            }
        };
        check("a joint's angle", angle, args.max_deg, "°");
        check("a joint's place", position, args.max_mm, " mm");
        check("a vertex", vertex, args.max_mm, " mm");
        if args.all && !self.matching.is_whole() {
            failures.push("not all of both was compared".to_owned());
        }
        failures
    }

    fn joint_name(&self, joint: usize) -> String {
        self.a.document.skeleton.joints[joint].label()
    }

    fn is_equal(&self) -> bool {
        let still =
            |m: &Moment| m.angle.value == 0.0 && m.position.value == 0.0 && m.vertex.value == 0.0;
        self.comparison.moments.iter().all(still)
    }

    /// The joints that differ, the worst first, as many as are wanted.
    fn worst_joints(&self, limit: usize) -> Vec<&compare::JointError> {
        let mut joints = self.comparison.worst_joints();
        if limit > 0 {
            joints.truncate(limit);
        }
        joints
    }
}

/// A value with its unit; what is none is told in a word.
fn number(value: f64, unit: &str) -> String {
    if value.is_finite() {
        format!("{value:.3}{unit}")
    } else {
        "not a number".to_owned()
    }
}

/// `--from` and `--to`.
fn range(args: &CompareArgs) -> Result<[Option<f32>; 2], Error> {
    if let (Some(from), Some(to)) = (args.from, args.to)
        && from > to
    {
        return Err(Error::Usage(format!("--from {from} is after --to {to}")));
    }
    Ok([args.from, args.to])
}

/// Works on another thread and tells on a terminal how far it is.
fn with_progress<T: Send>(watch: &Watch, work: impl FnOnce() -> T + Send) -> T {
    const STEP: Duration = Duration::from_millis(100);
    const STEPS: u64 = 1000;
    if !std::io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (done, ended) = mpsc::channel::<()>();
        scope.spawn(move || {
            let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("  {bar:32} {percent} %");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            while ended.recv_timeout(STEP) == Err(mpsc::RecvTimeoutError::Timeout) {
                bar.set_position((watch.fraction() * STEPS as f32) as u64);
            }
            bar.finish_and_clear();
        });
        let made = work();
        drop(done);
        made
    })
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
