//! Checks of skeleton, skins and meshes.
//!
//! - [`names`]: nodes of one name.
//! - [`scale`]: shear, mirrors, scales to nothing and scales of units, at rest.
//! - [`clip_scale`]: the same, where a clip brings it about.
//! - [`skins`]: rest against bind, and how many joints there are.
//! - [`instances`]: transforms of skinned meshes, which do not count.
//! - [`weights`]: joints named twice, and what does not fit into four influences.
//!
//! One cause is one finding: what a scale does to thirty joints below it is told once,
//! at the joint where it is worst.

mod clip_scale;
mod instances;
mod names;
mod rest;
mod scale;
mod skins;
mod weights;
mod words;

use rayon::prelude::*;

use self::rest::Rest;
use super::{Found, Subject};
use crate::document::Finding;

/// More findings of one kind than this become one: a character may be made of sixty
/// meshes, all under the one transform that does not count.
const MANY: usize = 8;

/// The findings, or of too many the first, which tells how many more there are.
fn few(findings: Vec<Finding>) -> Vec<Finding> {
    if findings.len() <= MANY {
        return findings;
    }
    let count = findings.len();
    let first = findings.into_iter().take(1).map(|mut finding| {
        finding.message += &format!("; the same goes for {} more", count - 1);
        finding.with("alike", count as f64)
    });
    first.collect()
}

/// Everything about the rig.
pub(super) fn check(subject: &Subject<'_>) -> Found {
    let rest = Rest::new(subject.document);
    let checks: [&(dyn Fn() -> Found + Sync); 6] = [
        &|| names::check(subject.document).into(),
        &|| scale::check(subject.document, &rest).into(),
        &|| clip_scale::check(subject, &rest),
        &|| skins::check(subject.document, &rest).into(),
        &|| instances::check(subject.document, &rest).into(),
        &|| weights::check(subject).into(),
    ];
    let found: Vec<Found> = checks
        .par_iter()
        .map(|check| match subject.watch.is_cancelled() {
            true => Found::default(),
            false => check(),
        })
        .collect();
    let mut all = Found::default();
    // In this order, whichever was ready first.
    found.into_iter().for_each(|part| all.append(part));
    all
}
