//! The structures that transforms are made of: `Transform`, `Translation`, `Rotation`,
//! `Scale`, each one factor of a node's matrix.

use std::borrow::Cow;

use glam::{DMat3, DMat4, DQuat, DVec3, Mat4};

use super::{
    ddl::{Data, Id, Tree},
    error::{OgexError, OgexProblem},
    metrics::Metrics,
};
use crate::math::Polar;

/// What a factor's numbers mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Sixteen numbers, column by column, however many the file has.
    Matrix,
    /// All three axes, or one.
    Translation(Axes),
    Rotation(Turn),
    /// All three axes, or one.
    Scale(Axes),
}

/// Which axes numbers are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axes {
    All,
    One(usize),
}

/// How a rotation is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Angle, then axis.
    AngleAxis,
    /// x, y, z, w.
    Quaternion,
    /// An angle about one axis.
    One(usize),
}

impl Kind {
    /// Numbers per value.
    pub(super) fn width(self) -> usize {
        match self {
            Self::Matrix => 16,
            Self::Translation(Axes::All) | Self::Scale(Axes::All) => 3,
            Self::Rotation(Turn::AngleAxis | Turn::Quaternion) => 4,
            _ => 1,
        }
    }

    /// The translation, in metres; zero for another kind.
    pub(super) fn translation(self, numbers: &[f64], metrics: &Metrics) -> DVec3 {
        match self {
            Self::Translation(axes) => axes.vector(numbers, 0.0) * f64::from(metrics.distance),
            _ => DVec3::ZERO,
        }
    }

    /// The scale; one for another kind.
    pub(super) fn scale(self, numbers: &[f64]) -> DVec3 {
        match self {
            Self::Scale(axes) => axes.vector(numbers, 1.0),
            _ => DVec3::ONE,
        }
    }

    /// The rotation, of unit length; none for another kind.
    pub(super) fn rotation(self, numbers: &[f64], metrics: &Metrics) -> DQuat {
        let unit = |axis: DVec3, angle: f64| {
            DQuat::from_axis_angle(axis, angle * f64::from(metrics.angle))
        };
        match self {
            Self::Rotation(Turn::One(axis)) => unit(DVec3::AXES[axis], numbers[0]),
            Self::Rotation(Turn::AngleAxis) => DVec3::from_slice(&numbers[1..4])
                .try_normalize()
                .map_or(DQuat::IDENTITY, |axis| unit(axis, numbers[0])),
            Self::Rotation(Turn::Quaternion) => {
                let stored = DQuat::from_slice(numbers);
                if stored.length_squared() > 1e-30 {
                    stored.normalize()
                } else {
                    DQuat::IDENTITY
                }
            }
            _ => DQuat::IDENTITY,
        }
    }

    /// The factor as a matrix, lengths in metres.
    pub(super) fn matrix(self, numbers: &[f64], metrics: &Metrics) -> DMat4 {
        match self {
            Self::Matrix => {
                let mut matrix = DMat4::from_cols_slice(numbers);
                for row in 0..3 {
                    matrix.w_axis[row] *= f64::from(metrics.distance);
                }
                matrix
            }
            Self::Translation(_) => DMat4::from_translation(self.translation(numbers, metrics)),
            Self::Rotation(_) => DMat4::from_quat(self.rotation(numbers, metrics)),
            Self::Scale(_) => DMat4::from_scale(self.scale(numbers)),
        }
    }

    /// What plays between two linear keys, at `s` of the way: quaternions and the turn in
    /// a matrix go the short way along the arc, all else straight.
    pub(super) fn between(self, a: &[f64], b: &[f64], s: f64) -> Vec<f64> {
        let arc = |a: DQuat, b: DQuat| {
            let b = if a.dot(b) < 0.0 { -b } else { b };
            a.slerp(b, s)
        };
        let straight = |a: &[f64], b: &[f64]| -> Vec<f64> {
            let pairs = a.iter().zip(b);
            pairs.map(|(&a, &b)| a + (b - a) * s).collect()
        };
        match self {
            Self::Rotation(Turn::Quaternion) => {
                let [from, to] = [a, b].map(DQuat::from_slice);
                if from.length_squared() < 1e-30 || to.length_squared() < 1e-30 {
                    return straight(a, b);
                }
                arc(from.normalize(), to.normalize()).to_array().to_vec()
            }
            Self::Matrix => {
                let mut mixed = straight(a, b);
                let [from, to] =
                    [a, b].map(|m| Polar::new(DMat3::from_mat4(DMat4::from_cols_slice(m))));
                let stretch = from.stretch + (to.stretch - from.stretch) * s;
                let axes = DMat3::from_quat(arc(from.rotation, to.rotation)) * stretch;
                for column in 0..3 {
                    for row in 0..3 {
                        mixed[4 * column + row] = axes.col(column)[row];
                    }
                }
                mixed
            }
            _ => straight(a, b),
        }
    }

    /// Radians that the angle turns between two values; 0 where it is no angle.
    pub(super) fn turned(self, from: &[f64], to: &[f64], metrics: &Metrics) -> f64 {
        match self {
            Self::Rotation(Turn::One(_) | Turn::AngleAxis) => {
                ((to[0] - from[0]) * f64::from(metrics.angle)).abs()
            }
            _ => 0.0,
        }
    }
}

impl Axes {
    fn vector(self, numbers: &[f64], other: f64) -> DVec3 {
        match self {
            Self::All => DVec3::from_slice(numbers),
            Self::One(axis) => {
                let mut vector = DVec3::splat(other);
                vector[axis] = numbers[0];
                vector
            }
        }
    }
}

/// One factor of a transform.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) id: Id,
    pub(super) kind: Kind,
    /// Meant for the node's object alone, not for its children.
    pub(super) is_object: bool,
    /// As stored, `kind.width()` of them.
    pub(super) numbers: Vec<f64>,
}

impl Part {
    pub(super) fn matrix(&self, metrics: &Metrics) -> DMat4 {
        self.kind.matrix(&self.numbers, metrics)
    }
}

/// Factors that one structure may have. Maya, with all its pivots, has sixteen; the work
/// per key goes with their number.
const MAX_PARTS: usize = 64;

/// All factors directly in a structure, in order: the first is applied last.
pub(super) fn parts(tree: &Tree<'_>, owner: Id) -> Result<Vec<Part>, OgexError> {
    let parts: Vec<Part> = tree
        .children(owner)
        .filter_map(|id| part(tree, id).transpose())
        .collect::<Result<_, _>>()?;
    if parts.len() > MAX_PARTS {
        return Err(tree.error(
            owner,
            OgexProblem::Count {
                what: "transforms in it, of which there may be no more",
                actual: parts.len(),
                expected: MAX_PARTS,
            },
        ));
    }
    Ok(parts)
}

/// `None` for another structure.
fn part(tree: &Tree<'_>, id: Id) -> Result<Option<Part>, OgexError> {
    const AXES: [&str; 3] = ["x", "y", "z"];
    let structure = tree.get(id).kind;
    if !["Transform", "Translation", "Rotation", "Scale"].contains(&structure) {
        return Ok(None);
    }
    let word = tree.text(id, "kind")?;
    let one = AXES.iter().position(|&axis| word == Some(axis));
    let unknown = |expected| {
        let problem = OgexProblem::Property {
            property: "kind",
            value: format!("{:?}", word.unwrap_or_default()),
            expected,
        };
        tree.error(id, problem)
    };
    let axes = || match (word, one) {
        (None | Some("xyz"), _) => Ok(Axes::All),
        (_, Some(axis)) => Ok(Axes::One(axis)),
        _ => Err(unknown("x, y, z or xyz is expected")),
    };
    let kind = match structure {
        "Transform" => Kind::Matrix,
        "Translation" => Kind::Translation(axes()?),
        "Scale" => Kind::Scale(axes()?),
        _ => Kind::Rotation(match (word, one) {
            (None | Some("axis"), _) => Turn::AngleAxis,
            (Some("quaternion"), _) => Turn::Quaternion,
            (_, Some(axis)) => Turn::One(axis),
            _ => return Err(unknown("x, y, z, axis or quaternion is expected")),
        }),
    };
    let numbers = if kind == Kind::Matrix {
        matrix_numbers(tree, id)?
    } else {
        floats(tree, id, kind.width())?.into()
    };
    if numbers.len() != kind.width() {
        return Err(tree.error(
            id,
            OgexProblem::Count {
                what: "numbers in it",
                actual: numbers.len(),
                expected: kind.width(),
            },
        ));
    }
    Ok(Some(Part {
        id,
        kind,
        is_object: tree.flag(id, "object")?,
        numbers: numbers.iter().map(|&number| f64::from(number)).collect(),
    }))
}

/// The floats in a structure, in subarrays of this width (or, for a single one of them
/// and for a width of 1, in a plain list).
pub(super) fn floats<'t>(tree: &'t Tree<'_>, id: Id, width: usize) -> Result<&'t [f32], OgexError> {
    let data = tree
        .data(id)
        .ok_or_else(|| tree.error(id, OgexProblem::Missing { what: "data" }))?;
    let expected = || {
        if width == 1 {
            "float".to_owned()
        } else {
            format!("float[{width}]")
        }
    };
    match &data.data {
        Data::Floats(values)
            if data.width as usize == width
                || data.width <= 1
                    && (width == 1 || values.len() == width || values.is_empty()) =>
        {
            Ok(values)
        }
        _ => Err(tree.error(
            id,
            OgexProblem::Data {
                expected: expected(),
                found: match data.width {
                    0 => data.kind.to_owned(),
                    width => format!("{}[{width}]", data.kind),
                },
            },
        )),
    }
}

/// The sixteen numbers, column by column, of each matrix in a structure.
///
/// `OpenGEX` 3 lets a file leave out what is always the same: `float[12]` has no fourth
/// row, and a texture's matrix may have 9 (turn and scale in space), 6 (in the plane, and
/// a translation) or 4 numbers.
pub(super) fn matrix_numbers<'t>(tree: &'t Tree<'_>, id: Id) -> Result<Cow<'t, [f32]>, OgexError> {
    let of_texture = tree
        .parent(id)
        .is_some_and(|owner| tree.get(owner).kind == "Texture");
    let width = tree.data(id).map_or(16, |data| data.width as usize);
    let (rows, columns): (usize, &[usize]) = match width {
        12 => (3, &[0, 1, 2, 3]),
        9 if of_texture => (3, &[0, 1, 2]),
        6 if of_texture => (2, &[0, 1, 3]),
        4 if of_texture => (2, &[0, 1]),
        _ => return floats(tree, id, 16).map(Cow::Borrowed),
    };
    let stored = floats(tree, id, width)?;
    let mut whole = Vec::with_capacity(stored.len() / width * 16);
    for numbers in stored.chunks_exact(width) {
        let mut matrix = Mat4::IDENTITY.to_cols_array();
        for (&column, numbers) in columns.iter().zip(numbers.chunks_exact(rows)) {
            matrix[4 * column..4 * column + rows].copy_from_slice(numbers);
        }
        whole.extend(matrix);
    }
    Ok(whole.into())
}

/// The matrices in a `Transform` that holds any number of them, lengths in metres.
pub(super) fn matrices(
    tree: &Tree<'_>,
    id: Id,
    metrics: &Metrics,
) -> Result<Vec<DMat4>, OgexError> {
    let numbers = matrix_numbers(tree, id)?;
    Ok(numbers
        .chunks_exact(16)
        .map(|numbers| {
            let numbers: Vec<f64> = numbers.iter().map(|&number| f64::from(number)).collect();
            Kind::Matrix.matrix(&numbers, metrics)
        })
        .collect())
}

/// The product of factors.
pub(super) fn product<'p>(parts: impl IntoIterator<Item = &'p Part>, metrics: &Metrics) -> Mat4 {
    parts
        .into_iter()
        .fold(DMat4::IDENTITY, |product, part| {
            product * part.matrix(metrics)
        })
        .as_mat4()
}
