//! `Track` structures → curves, cut to what their animation plays.

use std::{borrow::Cow, sync::Arc};

use super::{
    clips::{Owner, Reader},
    curve::{Between, Curve, Shape, tcb},
    ddl::{Data, Id, Tree},
    error::{OgexError, OgexProblem},
    transform::{Kind, floats, matrix_numbers},
};
use crate::{
    document::{Finding, FindingCode, Severity},
    import::gltf::{
        keys::{Times, usable},
        vertices::{Finite as _, MAX_MAGNITUDE},
    },
};

/// What one animation plays, in the file's unit of time.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Span {
    /// `None`: from the first key.
    pub(super) begin: Option<f32>,
    /// `None`: to the last.
    pub(super) end: Option<f32>,
}

impl Span {
    /// The span of an `Animation` structure.
    pub(super) fn read(tree: &Tree<'_>, id: Id) -> Result<Self, OgexError> {
        Ok(Self {
            begin: tree.float(id, "begin")?,
            end: tree.float(id, "end")?,
        })
    }

    /// Cuts a curve; before and after it the value at the cut holds. A span that ends
    /// before it begins is the one instant where it begins.
    fn cut(self, curve: &mut Curve, factor: f32, between: Between<'_>) {
        let secs = |time: f32| (time * factor).clamp(0.0, MAX_MAGNITUDE);
        let begin = self.begin.map(secs);
        if let Some(begin) = begin {
            curve.begin_at(begin, between);
        }
        if let Some(end) = self.end.map(secs) {
            curve.end_at(end.max(begin.unwrap_or(0.0)), between);
        }
    }
}

/// Numbers of a `Key` structure that has one row per stored key → rows of usable keys.
struct Rows<'a> {
    tree: &'a Tree<'a>,
    times: &'a Times,
}

impl Rows<'_> {
    fn of(&self, id: Id, numbers: &[f32], width: usize) -> Result<Vec<f64>, OgexError> {
        if numbers.len() != self.times.stored * width {
            return Err(self.tree.error(
                id,
                OgexProblem::Count {
                    what: "keys",
                    actual: numbers.len() / width,
                    expected: self.times.stored,
                },
            ));
        }
        let row = |key: usize| numbers[key * width..(key + 1) * width].iter();
        Ok(match &self.times.kept {
            Some(kept) => kept
                .iter()
                .flat_map(|&key| row(key))
                .map(|&n| f64::from(n))
                .collect(),
            None => numbers.iter().map(|&n| f64::from(n)).collect(),
        })
    }

    /// The rows of one kind of `Key`; numbers that are none become those of `fallback`.
    fn mended(
        &self,
        owner: Id,
        kind: &'static str,
        width: usize,
        fallback: &[f64],
    ) -> Result<Vec<f64>, OgexError> {
        let stored = keys(self.tree, owner, kind, width)?;
        let mut numbers = self.of(owner, &stored, width)?;
        for (number, &fallback) in numbers.iter_mut().zip(fallback) {
            if !(number.is_finite() && number.abs() <= f64::from(MAX_MAGNITUDE)) {
                *number = fallback;
            }
        }
        Ok(numbers)
    }

    /// The control points before and after each key.
    fn controls(
        &self,
        owner: Id,
        width: usize,
        fallback: &[f64],
    ) -> Result<(Vec<f64>, Vec<f64>), OgexError> {
        Ok((
            self.mended(owner, "-control", width, fallback)?,
            self.mended(owner, "+control", width, fallback)?,
        ))
    }

    /// How values run between keys.
    fn shape(&self, value: Id, width: usize, values: &[f64]) -> Result<Shape, OgexError> {
        Ok(match word(self.tree, value)? {
            "constant" => Shape::Constant,
            "linear" => Shape::Linear,
            "bezier" => {
                let (before, after) = self.controls(value, width, values)?;
                Shape::Bezier { before, after }
            }
            "tcb" => {
                let secs = &self.times.secs;
                let zeros = vec![0.0; secs.len()];
                let [tension, continuity, bias] = ["tension", "continuity", "bias"]
                    .map(|kind| self.mended(value, kind, 1, &zeros));
                let (tension, continuity, bias) = (tension?, continuity?, bias?);
                let params: Vec<[f64; 3]> = (0..secs.len())
                    .map(|key| [tension[key], continuity[key], bias[key]])
                    .collect();
                tcb(values, width, &params)
            }
            other => {
                let expected = "constant, linear, bezier or tcb is expected";
                return Err(unknown(self.tree, value, other, expected));
            }
        })
    }
}

/// The kind of curve that a `Time` or `Value` structure names.
fn word<'t>(tree: &'t Tree<'_>, id: Id) -> Result<&'t str, OgexError> {
    Ok(tree.text(id, "curve")?.unwrap_or("linear"))
}

fn unknown(tree: &Tree<'_>, id: Id, word: &str, expected: &'static str) -> OgexError {
    tree.error(
        id,
        OgexProblem::Property {
            property: "curve",
            value: format!("{word:?}"),
            expected,
        },
    )
}

impl Reader<'_> {
    /// Reads the time and the value curve of a track, and cuts it to its animation's
    /// span. `between` is what the target makes of two linear keys.
    pub(super) fn curve(
        &mut self,
        id: Id,
        width: usize,
        (span, between): (Span, Between<'_>),
        owner: Owner<'_>,
    ) -> Result<Curve, OgexError> {
        let tree = self.source.tree;
        let child = |kind: &'static str| {
            tree.child(id, kind)
                .ok_or_else(|| tree.error(id, OgexProblem::Missing { what: kind }))
        };
        let (time, value) = (child("Time")?, child("Value")?);
        let factor = self.source.metrics.time;
        let stored: Vec<f32> = keys(tree, time, "value", 1)?
            .iter()
            .map(|secs| secs * factor)
            .collect();
        let times = usable(&stored);
        if times.secs.is_empty() {
            let what = "usable keys";
            return Err(tree.error(time, OgexProblem::Missing { what }));
        }
        if let Some(repair) = times.repair {
            let message = format!(
                "{}: the key times do not increase from 0 on, the first wrong one is key {} at {} s; keys are sorted, {} of {} dropped",
                owner.name, repair.first_key, repair.first_secs, repair.dropped, times.stored
            );
            let code = FindingCode::TimesNotIncreasing;
            let finding = Finding::new(code, Severity::Error, message)
                .with("first_wrong_key", repair.first_key as f64)
                .with("dropped", repair.dropped as f64);
            self.findings.push(owner.place(finding));
        }
        let rows = Rows {
            tree,
            times: &times,
        };
        let mut values = rows.of(value, &keys(tree, value, "value", width)?, width)?;
        self.mend(&mut values, width, &times.secs, owner);
        let time_controls = match word(tree, time)? {
            "linear" => None,
            "bezier" => {
                let factor = f64::from(factor);
                let secs = times.secs.iter().map(|&secs| f64::from(secs) / factor);
                let (mut before, mut after) =
                    rows.controls(time, 1, &secs.collect::<Vec<f64>>())?;
                for number in before.iter_mut().chain(&mut after) {
                    *number *= factor;
                }
                Some((before, after))
            }
            other => return Err(unknown(tree, time, other, "linear or bezier is expected")),
        };
        let mut curve = Curve {
            shape: rows.shape(value, width, &values)?,
            secs: times.secs.to_vec(),
            time_controls,
            width,
            values,
        };
        span.cut(&mut curve, factor, between);
        Ok(curve)
    }

    /// A key with a number that is none takes the key before it, or the first usable one.
    fn mend(&mut self, values: &mut [f64], width: usize, secs: &Arc<[f32]>, owner: Owner<'_>) {
        let is_good = |row: &[f64]| row.iter().all(|&number| (number as f32).is_usable());
        let mut last = values
            .chunks_exact(width)
            .find(|row| is_good(row))
            .map_or_else(|| vec![0.0; width], <[f64]>::to_vec);
        let (mut count, mut first) = (0, None);
        for (key, row) in values.chunks_exact_mut(width).enumerate() {
            if is_good(row) {
                last.copy_from_slice(row);
            } else {
                row.copy_from_slice(&last);
                count += 1;
                first.get_or_insert(key);
            }
        }
        if let Some(key) = first {
            self.findings.push(
                owner
                    .place(Finding::new(
                        FindingCode::KeysNonFinite,
                        Severity::Error,
                        format!("{}: {count} key values are NaN, infinite or beyond {MAX_MAGNITUDE:e}, the first at key {key}; the key before it holds", owner.name),
                    ))
                    .at_key(key, secs[key])
                    .with("count", f64::from(count)),
            );
        }
    }
}

/// The numbers of the first `Key` of a kind.
fn keys<'t>(
    tree: &'t Tree<'_>,
    owner: Id,
    kind: &'static str,
    width: usize,
) -> Result<Cow<'t, [f32]>, OgexError> {
    for id in tree.of_kind(owner, "Key") {
        if tree.text(id, "kind")?.unwrap_or("value") == kind {
            let data = tree.data(id).map(|data| &data.data);
            if data == Some(&Data::Floats(Vec::new())) {
                break;
            }
            return if width == Kind::Matrix.width() {
                matrix_numbers(tree, id)
            } else {
                floats(tree, id, width).map(Cow::Borrowed)
            };
        }
    }
    let what = kind_name(kind);
    Err(tree.error(owner, OgexProblem::Missing { what }))
}

/// The kind of a key for a message.
fn kind_name(kind: &'static str) -> &'static str {
    match kind {
        "value" => "keys",
        "-control" => "keys of the kind \"-control\"",
        "+control" => "keys of the kind \"+control\"",
        "tension" => "keys of the kind \"tension\"",
        "continuity" => "keys of the kind \"continuity\"",
        _ => "keys of the kind \"bias\"",
    }
}
