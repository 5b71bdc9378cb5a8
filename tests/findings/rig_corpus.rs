//! What importer and rig checks find over the shared corpus.

use std::{collections::BTreeMap, path::PathBuf};

use rigscope::{
    analysis::{Effort, Watch, analyse},
    document::{Document, Finding, Severity},
    import::{Progress, load},
};

use crate::common;

/// Every file of the corpus that loads, broken ones too where `bad`, by its path there.
pub fn documents(bad: bool) -> Option<Vec<(String, Document)>> {
    let corpus = common::shared()?.join("corpus");
    let files: Vec<PathBuf> = if bad {
        common::files_below(&corpus, &["glb", "gltf", "vrm", "vrma"])
    } else {
        common::model_files()?
    };
    let documents = files.into_iter().filter_map(|path| {
        let name = path.strip_prefix(&corpus).unwrap_or(&path);
        let document = load(&path, &Progress::new()).ok()?;
        Some((name.to_string_lossy().into_owned(), document))
    });
    Some(documents.collect())
}

/// All findings of a document, by every check.
pub fn all_findings(document: &Document) -> Vec<Finding> {
    let report = analyse(document, Effort::Usual, &Watch::new()).expect("nobody cancels");
    report.findings
}

#[test]
fn codes_and_counts_over_the_corpus() {
    let Some(documents) = documents(true) else {
        return;
    };
    let mut counts: BTreeMap<(&str, Severity), usize> = BTreeMap::new();
    for (name, document) in &documents {
        for finding in all_findings(document) {
            *counts
                .entry((finding.code.as_str(), finding.severity))
                .or_default() += 1;
            println!(
                "{name}: {} {}: {}",
                finding.severity, finding.code, finding.message
            );
        }
    }
    for ((code, severity), count) in counts {
        println!("{count:5} {severity:8} {code}");
    }
}
