//! What a file raises.

use rigscope::{
    analysis::{Effort, Watch, analyse},
    document::{Document, Finding, FindingCode, Severity},
    import::from_glb_bytes,
};

use crate::common::{glb::Builder, validate};

/// Loads, and checks what every document promises.
#[track_caller]
pub fn load(file: &Builder) -> Document {
    let document = from_glb_bytes("test.glb", &file.glb()).expect("the file loads");
    let violations = validate::violations(&document);
    assert!(violations.is_empty(), "{violations:#?}");
    document
}

/// Every finding of importer and checks.
#[track_caller]
pub fn findings(document: &Document) -> Vec<Finding> {
    let report = analyse(document, Effort::Usual, &Watch::new()).expect("nobody cancels");
    assert_eq!(report.left_out, Vec::<String>::new());
    report.findings
}

/// Asserts that a file raises this code and, but for infos, no other; gives back the
/// findings of that code in order.
#[track_caller]
pub fn raises(document: &Document, code: FindingCode) -> Vec<Finding> {
    let (wanted, others): (Vec<_>, Vec<_>) = findings(document)
        .into_iter()
        .partition(|finding| finding.code == code);
    assert!(!wanted.is_empty(), "no {code}, but {others:#?}");
    assert_no_complaint(&others);
    wanted
}

/// Asserts that a file does not raise this code, nor, but for infos, any other.
#[track_caller]
pub fn raises_not(document: &Document, code: FindingCode) {
    let found = findings(document);
    let wanted: Vec<_> = found.iter().filter(|f| f.code == code).collect();
    assert!(wanted.is_empty(), "{wanted:#?}");
    assert_no_complaint(&found);
}

#[track_caller]
fn assert_no_complaint(found: &[Finding]) {
    let complaint = |finding: &&Finding| finding.severity > Severity::Info;
    let complaints: Vec<_> = found.iter().filter(complaint).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// Asserts that a text holds all of these.
#[track_caller]
pub fn assert_names(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{text:?} does not hold {word:?}");
    }
}

/// A named number of a finding.
#[track_caller]
pub fn value(finding: &Finding, name: &str) -> f64 {
    let named = finding.values.iter().find(|(known, _)| *known == name);
    named
        .unwrap_or_else(|| panic!("no {name} in {finding:#?}"))
        .1
}
