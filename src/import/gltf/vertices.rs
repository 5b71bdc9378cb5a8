//! Vertex attributes, and what is done about numbers that are none.

use core::fmt;
use std::collections::BTreeMap;

use glam::{Vec3, Vec4};

use super::{
    accessor::Accessors,
    component::{Component, Integers},
    error::GltfError,
};
use crate::document::{Finding, FindingCode, Severity};

/// Where a primitive stands, for findings.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct Place {
    pub(in crate::import) mesh: usize,
    /// Index among the primitives that are kept: those of the document.
    pub(in crate::import) primitive: usize,
}

impl Place {
    /// Names the mesh, the primitive and one of its vertices.
    pub(in crate::import) fn mark(self, finding: Finding, vertex: usize) -> Finding {
        finding.at_mesh(self.mesh).at_vertex(self.primitive, vertex)
    }
}

/// The attributes of one primitive, or of one of its morph targets.
#[derive(Clone, Copy)]
pub(super) struct Attributes<'a> {
    pub(super) accessors: &'a Accessors<'a>,
    pub(super) stored: &'a BTreeMap<String, usize>,
    /// Names the primitive in messages.
    pub(super) owner: &'a str,
    /// Where it stands.
    pub(super) place: Place,
    /// What every attribute has to count.
    pub(super) vertices: usize,
}

impl Attributes<'_> {
    /// The accessor's index and its usage for messages, where the attribute exists.
    fn find(&self, name: &str) -> Option<usize> {
        self.stored.get(name).copied()
    }

    /// Reads an attribute of floats or of quantised integers.
    pub(super) fn floats<const N: usize, V: From<[f32; N]>>(
        &self,
        name: &str,
        integers: Integers,
    ) -> Result<Option<Vec<V>>, GltfError> {
        let Some(accessor) = self.find(name) else {
            return Ok(None);
        };
        let usage = format_args!("{name} of {}", self.owner);
        let values = self
            .accessors
            .floats(accessor, usage, Component::VERTEX, integers)?;
        self.check_count(name, values.len())?;
        Ok(Some(values))
    }

    /// Reads a `JOINTS_n` attribute.
    pub(super) fn joints(&self, name: &str) -> Result<Option<Vec<[u16; 4]>>, GltfError> {
        let Some(accessor) = self.find(name) else {
            return Ok(None);
        };
        let usage = format_args!("{name} of {}", self.owner);
        let values = self.accessors.joints(accessor, usage)?;
        self.check_count(name, values.len())?;
        Ok(Some(values))
    }

    /// Linear RGBA; alpha is 1 where the file has none.
    pub(super) fn colors(&self, name: &str) -> Result<Option<Vec<Vec4>>, GltfError> {
        let integers = Integers::Normalized;
        if self.find(name).map(|a| self.accessors.width(a)) == Some(3) {
            let colors: Option<Vec<Vec3>> = self.floats(name, integers)?;
            return Ok(colors.map(|rgb| rgb.into_iter().map(|c| c.extend(1.0)).collect()));
        }
        self.floats(name, integers)
    }

    /// Error of one stored weight: half a step of integers, or what glTF's validator
    /// allows for floats. The coarsest set decides.
    pub(super) fn weight_rounding(&self) -> f64 {
        self.stored
            .iter()
            .filter(|(name, _)| name.starts_with("WEIGHTS_"))
            .map(|(_, &accessor)| match self.accessors.component(accessor) {
                Some(Component::U8) => 0.5 / 255.0,
                Some(Component::U16) => 0.5 / 65535.0,
                _ => 2e-7,
            })
            .fold(0.0, f64::max)
    }

    fn check_count(&self, name: &str, count: usize) -> Result<(), GltfError> {
        if count == self.vertices {
            return Ok(());
        }
        Err(GltfError::AttributeCount {
            primitive: self.owner.into(),
            attribute: name.into(),
            count,
            vertices: self.vertices,
        })
    }
}

/// Largest magnitude of a number that is worked with; one beyond counts as infinite
/// and is mended as such. The square of a length must not overflow (3.4e38), and
/// nothing sensible comes near: 1e18 m is a hundred light years.
pub(in crate::import) const MAX_MAGNITUDE: f32 = 1e18;

/// What vertex data, keys and transforms are made of.
pub(in crate::import) trait Finite: Copy {
    /// Whether all components are numbers of at most [`MAX_MAGNITUDE`].
    fn is_usable(&self) -> bool;
}

impl Finite for f32 {
    fn is_usable(&self) -> bool {
        // False for NaN.
        self.abs() <= MAX_MAGNITUDE
    }
}

macro_rules! finite {
    ($($of_floats:ty),*) => { $(
        impl Finite for $of_floats {
            fn is_usable(&self) -> bool {
                self.to_array().iter().all(Finite::is_usable)
            }
        }
    )* };
}
finite!(glam::Vec2, Vec3, Vec4, glam::Quat);

impl Finite for glam::Mat4 {
    fn is_usable(&self) -> bool {
        self.to_cols_array().iter().all(Finite::is_usable)
    }
}

/// Replaces values that are not finite, or too large to work with: by the last finite one before them, or the
/// first after them, or `fallback` where there is none. Neighbours in the file are
/// mostly neighbours in space, so this distorts least. Returns how many there
/// were and the first of them.
pub(in crate::import) fn mend<V: Finite>(values: &mut [V], fallback: V) -> Option<(usize, usize)> {
    let first = values.iter().position(|value| !value.is_usable())?;
    let mut last = match first.checked_sub(1) {
        Some(before) => values[before],
        None => values
            .iter()
            .copied()
            .find(Finite::is_usable)
            .unwrap_or(fallback),
    };
    let mut count = 0;
    for value in &mut values[first..] {
        if value.is_usable() {
            last = *value;
        } else {
            *value = last;
            count += 1;
        }
    }
    Some((count, first))
}

/// [`mend`] with a finding that names the first vertex.
pub(in crate::import) fn mend_reported<V: Finite>(
    values: &mut [V],
    fallback: V,
    what: fmt::Arguments<'_>,
    place: Place,
    findings: &mut Vec<Finding>,
) {
    let total = values.len();
    if let Some((count, first)) = mend(values, fallback) {
        let finding = Finding::new(
                FindingCode::MeshNonFinite,
                Severity::Error,
                format!(
                    "{what}: {count} of {total} are NaN, infinite or beyond {MAX_MAGNITUDE:e}, the first is vertex {first}; their neighbours' values are used"
                ),
            )
            .with("count", count as f64)
            .with("vertices", total as f64);
        findings.push(place.mark(finding, first));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_values_take_their_neighbours() {
        let nan = f32::NAN;
        let mut values = [nan, 1.0, nan, f32::INFINITY, 4.0, -1e38, 1e18];
        assert_eq!(mend(&mut values, 9.0), Some((4, 0)));
        assert_eq!(values, [1.0, 1.0, 1.0, 1.0, 4.0, 4.0, 1e18]);

        let mut values = [nan, nan];
        assert_eq!(mend(&mut values, 9.0), Some((2, 0)));
        assert_eq!(values, [9.0, 9.0]);
        assert_eq!(mend(&mut values, 9.0), None);
    }
}
