//! Inverse bind matrices: read, mended, and told apart from such as were written row by
//! row.

use glam::{Mat4, Vec3, Vec4};

use super::{
    accessor::Accessors,
    component::{Component, Integers},
    counted,
    error::GltfError,
    skins::Named,
    vertices::{Finite as _, MAX_MAGNITUDE},
};
use crate::document::{Finding, FindingCode, Severity};

/// What a fourth row or a translation may be off by and still count as none.
const ROUNDING: f32 = 1e-5;

/// The matrices of a skin, one per joint.
pub(super) struct InverseBinds {
    /// As the format has it; identities where the file gives none.
    pub(super) matrices: Vec<Mat4>,
    /// Read row by row, where they look written so.
    pub(super) transposed: Option<Vec<Mat4>>,
}

/// Reads the matrices and makes them finite and affine. A singular one stays as it is,
/// for it can still be multiplied with.
pub(super) fn read(
    accessors: &Accessors<'_>,
    skin: Named<'_>,
    findings: &mut Vec<Finding>,
) -> Result<InverseBinds, GltfError> {
    let name = skin.name;
    let count = skin.stored.joints.len();
    let Some(accessor) = skin.stored.inverse_bind_matrices else {
        let joints = counted(count, "joint", "joints");
        let message =
            format!("{name} has no inverse bind matrices: identity is assumed for its {joints}");
        findings.push(
            Finding::new(FindingCode::InverseBindMissing, Severity::Info, message)
                .at_skin(skin.index)
                .with("joints", count as f64),
        );
        return Ok(InverseBinds {
            matrices: vec![Mat4::IDENTITY; count],
            transposed: None,
        });
    };
    let stored: Vec<[f32; 16]> = accessors.floats(
        accessor,
        format_args!("inverse bind matrices of {name}"),
        Component::FLOAT,
        Integers::AsFlagged,
    )?;
    if stored.len() < count {
        let message = format!(
            "{name} has {count} joints, but only {} inverse bind matrices (accessor {accessor}); identity is used for the rest",
            stored.len()
        );
        findings.push(
            Finding::new(FindingCode::SkinInvalid, Severity::Error, message)
                .at_skin(skin.index)
                .with("joints", count as f64)
                .with("matrices", stored.len() as f64),
        );
    }
    let mut matrices: Vec<Mat4> = stored
        .iter()
        .take(count)
        .map(Mat4::from_cols_array)
        .collect();
    let transposed = looks_transposed(&matrices).then(|| {
        let mut meant: Vec<Mat4> = matrices.iter().map(Mat4::transpose).collect();
        meant.iter_mut().for_each(make_affine);
        meant.resize(count, Mat4::IDENTITY);
        meant
    });
    if transposed.is_some() {
        findings.push(transposition(skin, &matrices));
    }
    mend(&mut matrices, skin, transposed.is_some(), findings);
    matrices.resize(count, Mat4::IDENTITY);
    Ok(InverseBinds {
        matrices,
        transposed,
    })
}

/// Whether the fourth row holds something that belongs into the fourth column.
fn has_row_translation(matrix: &Mat4) -> bool {
    !matrix.row(3).truncate().abs_diff_eq(Vec3::ZERO, ROUNDING)
}

/// Whether the matrices look written row by row: translations in the fourth row, none
/// in the fourth column, and nothing that contradicts. A matrix without translation is
/// the same either way as far as this can tell.
fn looks_transposed(matrices: &[Mat4]) -> bool {
    let fits = |matrix: &Mat4| matrix.is_usable() && matrix.w_axis.abs_diff_eq(Vec4::W, ROUNDING);
    matrices.iter().all(fits) && matrices.iter().any(has_row_translation)
}

fn transposition(skin: Named<'_>, matrices: &[Mat4]) -> Finding {
    let turned = matrices.iter().filter(|matrix| has_row_translation(matrix));
    let (count, first) = (turned.clone().count(), turned.clone().next());
    let row = first.map_or(Vec4::W, |matrix| matrix.row(3));
    let message = format!(
        "{}: the inverse bind matrices look written row by row: {} of {} hold a translation in the fourth row, such as {row}, and none in the fourth column; the format reads them by columns and drops it",
        skin.name,
        count,
        matrices.len()
    );
    Finding::new(
        FindingCode::InverseBindTransposed,
        Severity::Warning,
        message,
    )
    .at_skin(skin.index)
    .with("matrices", count as f64)
    .with("joints", skin.stored.joints.len() as f64)
}

fn make_affine(matrix: &mut Mat4) {
    for column in 0..4 {
        matrix.col_mut(column).w = if column == 3 { 1.0 } else { 0.0 };
    }
}

/// What is wrong with a matrix, with the words for one and for many.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    NotFinite,
    LastRow,
    Singular,
}

impl Fault {
    const ALL: [Self; 3] = [Self::NotFinite, Self::LastRow, Self::Singular];

    /// Ends the sentence on the first of them.
    fn text(self, matrix: &Mat4) -> String {
        match self {
            Self::NotFinite => {
                format!(
                    "is not finite (NaN, infinite or beyond {MAX_MAGNITUDE:e}); identity is used"
                )
            }
            Self::LastRow => format!(
                "has the last row {}, not [0, 0, 0, 1], which is used",
                matrix.row(3)
            ),
            Self::Singular => "cannot be inverted: the joint has no bind pose".into(),
        }
    }
}

/// Makes the matrices finite and affine, with a finding for each kind of fault: a file
/// that is wrong in one joint is mostly wrong in all.
fn mend(matrices: &mut [Mat4], skin: Named<'_>, is_transposed: bool, findings: &mut Vec<Finding>) {
    // Slot and matrix as stored of the first of each kind, and how many there are.
    let mut faults: [Option<(usize, Mat4, usize)>; 3] = [None; 3];
    for (slot, matrix) in matrices.iter_mut().enumerate() {
        let stored = *matrix;
        let mut note = |fault: Fault| {
            let entry = faults[fault as usize].get_or_insert((slot, stored, 0));
            entry.2 += 1;
        };
        if !matrix.is_usable() {
            note(Fault::NotFinite);
            *matrix = Mat4::IDENTITY;
            continue;
        }
        let is_affine = matrix.row(3).abs_diff_eq(Vec4::W, ROUNDING);
        make_affine(matrix);
        // The worse of the two: a matrix of zeros has no last row either.
        if !can_be_inverted(matrix) {
            note(Fault::Singular);
        } else if !is_affine && !is_transposed {
            note(Fault::LastRow);
        }
    }
    for (fault, found) in Fault::ALL.into_iter().zip(faults) {
        let Some((slot, matrix, count)) = found else {
            continue;
        };
        let node = skin.stored.joints[slot];
        let others = match count - 1 {
            0 => String::new(),
            more => format!("; the same goes for {more} more"),
        };
        let message = format!(
            "{}: the inverse bind matrix of joint {slot}, {}, {}{others}",
            skin.name,
            skin.nodes.label(node),
            fault.text(&matrix)
        );
        findings.push(
            Finding::new(FindingCode::InverseBindSingular, Severity::Error, message)
                .at_skin(skin.index)
                .at_node(node)
                .with("count", count as f64)
                .with("joint_slot", slot as f64),
        );
    }
}

/// Relative to the size of its axes: a rig in millimetres is not singular.
fn can_be_inverted(matrix: &Mat4) -> bool {
    let axes = glam::Mat3::from_mat4(*matrix);
    let volume = axes.x_axis.length() * axes.y_axis.length() * axes.z_axis.length();
    axes.determinant().abs() > volume * 1e-6 && matrix.inverse().is_finite()
}
