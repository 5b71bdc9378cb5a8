//! Agreement with the Khronos glTF validator, by its stored reports on the corpus.
//!
//! The table says which of its codes have one of ours. Where it reports such a code, we
//! must; where we report one of ours that it looks for as well, it must. What is left is
//! listed as an exception, with the reason.

use std::collections::{BTreeMap, BTreeSet};

use rigscope::{
    analysis::{Effort, Watch, analyse},
    document::{
        Document, Finding,
        FindingCode::{self, *},
        Severity,
    },
    import::{ImportError, Progress, load},
};
use serde_json::Value;

use crate::common;

/// Codes of the validator, and those of ours of which one must be there too.
const TABLE: &[(&str, &[FindingCode])] = &[
    ("ACCESSOR_ANIMATION_INPUT_NEGATIVE", &[TimesNotIncreasing]),
    (
        "ACCESSOR_ANIMATION_INPUT_NON_INCREASING",
        &[TimesNotIncreasing],
    ),
    (
        "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
        &[RotationNotUnit],
    ),
    ("ACCESSOR_INDEX_OOB", &[MeshIndexOutOfRange]),
    (
        "ACCESSOR_INVALID_FLOAT",
        &[MeshNonFinite, WeightsInvalid, KeysNonFinite],
    ),
    (
        "ACCESSOR_INVALID_IBM",
        &[InverseBindSingular, InverseBindTransposed],
    ),
    ("ACCESSOR_JOINTS_INDEX_DUPLICATE", &[WeightsDuplicateJoint]),
    ("ACCESSOR_JOINTS_INDEX_OOB", &[JointIndexOutOfRange]),
    ("ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE", &[AccessorInvalid]),
    ("ACCESSOR_WEIGHTS_NEGATIVE", &[WeightsInvalid]),
    (
        "ACCESSOR_WEIGHTS_NON_NORMALIZED",
        &[WeightsNotNormalized, WeightsZero],
    ),
    ("ANIMATION_DUPLICATE_TARGETS", &[ChannelDuplicate]),
    (
        "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS",
        &[ChannelInvalid],
    ),
    (
        "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT",
        &[ChannelInvalid],
    ),
    ("EMPTY_ENTITY", &[MeshInvalid, ClipEmpty]),
    ("GLB_CHUNK_LENGTH_UNALIGNED", &[ContainerInvalid]),
    ("IMAGE_UNRECOGNIZED_FORMAT", &[ImageUnreadable]),
    ("INVALID_IBM_ACCESSOR_COUNT", &[SkinInvalid]),
    ("IO_ERROR", &[ImageUnreadable]),
    ("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", &[WeightsInvalid]),
    ("MESH_PRIMITIVE_NO_POSITION", &[MeshInvalid]),
    ("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", &[MeshInvalid]),
    ("NODE_MATRIX_NON_TRS", &[ScaleShear, ScaleZero]),
    (
        "NODE_SKINNED_MESH_LOCAL_TRANSFORMS",
        &[SkinnedMeshTransform],
    ),
    (
        "NODE_SKINNED_MESH_PARENT_TRANSFORMS",
        &[SkinnedMeshTransform],
    ),
    ("ROTATION_NON_UNIT", &[RotationNotUnit]),
    ("SKIN_NO_COMMON_ROOT", &[SkinInvalid]),
    ("UNRESOLVED_REFERENCE", &[ReferenceInvalid, ChannelInvalid]),
    ("UNSUPPORTED_EXTENSION", &[ExtensionUnsupported]),
];

/// Codes of ours that the validator looks for with the same eyes: none without its word.
const SAME_EYES: &[FindingCode] = &[
    WeightsNotNormalized,
    WeightsZero,
    WeightsDuplicateJoint,
    WeightsInvalid,
    JointIndexOutOfRange,
    InverseBindSingular,
    InverseBindTransposed,
    RotationNotUnit,
    TimesNotIncreasing,
    KeysNonFinite,
    MeshNonFinite,
    MeshIndexOutOfRange,
    ChannelDuplicate,
];

/// Files, a code of either side, and why they do not agree.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "bad/11_nan_weight.glb",
        "ACCESSOR_WEIGHTS_NON_NORMALIZED",
        "weights that are no numbers have no sum, and are told as such",
    ),
    (
        "bad/13_joint_index_oob.glb",
        "ACCESSOR_WEIGHTS_NON_NORMALIZED",
        "the stored weights sum to 1; what a joint takes away that is not there is told with it",
    ),
    (
        "bad/validator/animation__sampler_too_few_cubic_frames.gltf",
        "rotation-not-unit",
        "its keys are the zeros of an accessor without data, at which the validator does not look",
    ),
    (
        "bad/validator/mesh_data__joints_weights_complex.gltf",
        "ACCESSOR_JOINTS_INDEX_DUPLICATE",
        "the second time with a negative weight, which is taken for none and told as such",
    ),
    (
        "bad/validator/skin__ibm_invalid_count.gltf",
        "inverse-bind-singular",
        "the matrices there are are the zeros of an accessor without data",
    ),
    (
        "bad/validator/skin__ignored_parent_transform.gltf",
        "weights-zero",
        "the weights are the zeros of an accessor without data",
    ),
    (
        "blender/bl_human_draco.glb",
        "UNSUPPORTED_EXTENSION",
        PACKED,
    ),
    (
        "blender/bl_human_draco.glb",
        "weights-not-normalized",
        PACKED,
    ),
    (
        "variants/AnimatedMorphSphere_meshopt.glb",
        "UNSUPPORTED_EXTENSION",
        PACKED,
    ),
    (
        "variants/CesiumMan_draco.glb",
        "UNSUPPORTED_EXTENSION",
        PACKED,
    ),
    (
        "variants/CesiumMan_draco.glb",
        "weights-not-normalized",
        PACKED,
    ),
    (
        "variants/CesiumMan_meshopt.glb",
        "UNSUPPORTED_EXTENSION",
        PACKED,
    ),
    ("variants/Fox_meshopt.glb", "UNSUPPORTED_EXTENSION", PACKED),
];

/// Why the validator and we do not agree on compressed files.
const PACKED: &str = "it is unpacked here; the validator does not look into it";

/// The messages of a stored report, or `None` where there is none that can be read.
fn report(path: &str) -> Option<Vec<Value>> {
    let name = format!("{}.json", path.replace('/', "_"));
    let text = std::fs::read(common::shared()?.join("oracle/validator").join(name)).ok()?;
    let report: Value = serde_json::from_slice(&text).ok()?;
    report["issues"]["messages"].as_array().cloned()
}

/// All findings of a document, by every check.
fn all_findings(document: &Document) -> Vec<Finding> {
    let report = analyse(document, Effort::Usual, &Watch::new()).expect("nobody cancels");
    report.findings
}

/// What is said of a file here.
enum Ours {
    Findings(Vec<FindingCode>),
    /// The refusal as a finding. Nothing else is looked at then.
    Refusal(FindingCode),
}

impl Ours {
    /// `None` for a refusal that has no code.
    fn of(path: &std::path::Path) -> Option<Self> {
        match load(path, &Progress::new()) {
            Ok(document) => Some(Self::Findings(
                all_findings(&document).iter().map(|f| f.code).collect(),
            )),
            Err(error) => Some(Self::Refusal(ImportError::finding(&error)?.code)),
        }
    }

    fn codes(&self) -> &[FindingCode] {
        match self {
            Self::Findings(codes) => codes,
            Self::Refusal(code) => core::slice::from_ref(code),
        }
    }

    /// Whether one of these codes would have been found.
    fn looks_for(&self, codes: &[FindingCode]) -> bool {
        match self {
            Self::Findings(_) => true,
            Self::Refusal(code) => codes.contains(code),
        }
    }
}

#[test]
fn the_validator_agrees() {
    let Some(shared) = common::shared() else {
        return;
    };
    let corpus = shared.join("corpus");
    let files = common::files_below(&corpus, &["glb", "gltf", "vrm", "vrma"]);
    let mut agreed: BTreeMap<&str, usize> = BTreeMap::new();
    let mut disputes = Vec::new();
    let mut used = BTreeSet::new();
    let mut compared = 0;
    for path in files {
        let name = path
            .strip_prefix(&corpus)
            .unwrap_or(&path)
            .to_string_lossy();
        let (Some(theirs), Some(ours)) = (report(&name), Ours::of(&path)) else {
            continue;
        };
        compared += 1;
        let codes = theirs.iter().filter_map(|message| message["code"].as_str());
        let theirs: BTreeSet<&str> = codes.collect();
        let mut dispute = |code: &str, what: String| {
            let known = |row: &&(&str, &str, &str)| row.0 == name && row.1 == code;
            match EXCEPTIONS.iter().position(|row| known(&row)) {
                Some(row) => _ = used.insert(row),
                None => disputes.push(format!("{name}: {what}")),
            }
        };
        let told = |row: &&(&str, &[FindingCode])| theirs.contains(row.0) && ours.looks_for(row.1);
        for (code, matching) in TABLE.iter().filter(told) {
            if ours.codes().iter().any(|found| matching.contains(found)) {
                *agreed.entry(code).or_default() += 1;
            } else {
                dispute(
                    code,
                    format!("the validator says {code}, we only {:?}", ours.codes()),
                );
            }
        }
        for code in SAME_EYES.iter().filter(|code| ours.codes().contains(code)) {
            let rows = TABLE.iter().filter(|(_, matching)| matching.contains(code));
            if !rows
                .clone()
                .any(|(theirs_code, _)| theirs.contains(theirs_code))
            {
                dispute(
                    code.as_str(),
                    format!("we say {code}, the validator says only {theirs:?}"),
                );
            }
        }
    }
    println!("{compared} files compared; agreement by file:");
    for (code, count) in agreed {
        println!("{count:4} {code}");
    }
    assert_eq!(disputes, Vec::<String>::new());
    assert!(compared > 100, "only {compared} files");
    let idle: Vec<_> = (0..EXCEPTIONS.len())
        .filter(|row| !used.contains(row))
        .collect();
    assert!(
        idle.is_empty(),
        "exceptions that are none any more: {idle:?}"
    );
}

#[test]
fn what_the_validator_passes_raises_no_error() {
    let Some(files) = common::model_files() else {
        return;
    };
    let corpus = common::shared().map(|shared| shared.join("corpus"));
    let mut passed = 0;
    for path in files {
        let name = path
            .strip_prefix(corpus.as_deref().unwrap_or(&path))
            .unwrap_or(&path);
        let Some(theirs) = report(&name.to_string_lossy()) else {
            continue;
        };
        let is_error = |message: &Value| message["severity"].as_u64() == Some(0);
        if theirs.iter().any(is_error) {
            continue;
        }
        let Ok(document) = load(&path, &Progress::new()) else {
            continue;
        };
        passed += 1;
        let findings = all_findings(&document);
        let errors: Vec<_> = findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", name.display());
    }
    println!("{passed} files that the validator passes");
    assert!(passed > 40, "only {passed} files");
}

/// Not only the file: the very vertices.
#[test]
fn sums_are_off_at_as_many_vertices() {
    let Some(shared) = common::shared() else {
        return;
    };
    for name in ["gltf/CesiumMan.glb", "gltf/RiggedFigure.glb"] {
        let theirs = report(name).expect("a report");
        let code = |message: &&Value| message["code"] == "ACCESSOR_WEIGHTS_NON_NORMALIZED";
        let theirs: Vec<&Value> = theirs.iter().filter(code).collect();
        let path = shared.join("corpus").join(name);
        let document = load(&path, &Progress::new()).expect("a good file");
        let mut findings = document.findings.iter();
        let ours = findings
            .find(|f| f.code == WeightsNotNormalized)
            .expect("a finding");
        let value = |name| crate::asserts::value(ours, name);
        assert_eq!(value("count"), theirs.len() as f64, "{name}");
        // "… (at indices 4..7) …" of a flat list of four each.
        let first = format!("(at indices {}..", 4.0 * value("first_vertex"));
        let message = theirs[0]["message"].as_str().unwrap_or_default();
        assert!(message.contains(&first), "{name}: {message} {first}");
    }
}
