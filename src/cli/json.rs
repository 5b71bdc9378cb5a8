//! JSON for people and programs: one line per node, skin, mesh or finding, so that
//! results can be read, searched line by line and compared by `diff`.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::{
    document::{Finding, Property},
    math::Aabb,
};

/// Writes `value` and a final line end. Numbers are the shortest that read back as
/// the same `f32` or `f64`.
pub(super) fn write(value: &impl Serialize, mut out: impl Write) -> io::Result<()> {
    let formatter = Rows::default();
    let mut serializer = Serializer::with_formatter(&mut out, formatter);
    value.serialize(&mut serializer)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// The fields of the top object, and the elements of its arrays, on lines of their
/// own; everything deeper on one line.
#[derive(Default)]
struct Rows {
    /// Open brackets.
    depth: usize,
    /// The innermost bracket closed so far had content.
    has_value: bool,
}

/// Starts a line.
fn line<W: ?Sized + Write>(out: &mut W, indent: usize) -> io::Result<()> {
    out.write_all(b"\n")?;
    (0..indent).try_for_each(|_| out.write_all(b"  "))
}

impl Formatter for Rows {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        out.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if self.depth == 1 && self.has_value {
            line(out, 1)?;
        }
        out.write_all(b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        if self.depth == 2 {
            line(out, 2)?;
        }
        Ok(())
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        out.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if self.depth == 0 && self.has_value {
            line(out, 0)?;
        }
        out.write_all(b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        if self.depth == 1 {
            line(out, 1)
        } else if first {
            Ok(())
        } else {
            out.write_all(b" ")
        }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}

/// A box.
#[derive(Serialize)]
pub(super) struct BoundsJson {
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
}

impl BoundsJson {
    /// `None` for an empty box.
    pub(super) fn new(bounds: Aabb) -> Option<Self> {
        (!bounds.is_empty()).then(|| Self {
            min: bounds.min.to_array(),
            max: bounds.max.to_array(),
        })
    }
}

/// A finding as every command prints it; fields that do not apply are left out.
#[derive(Serialize)]
pub(super) struct FindingJson<'a> {
    pub(super) code: &'static str,
    pub(super) severity: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    clip: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skin: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    primitive: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertex: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_secs: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_secs: Option<f32>,
    pub(super) message: &'a str,
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    values: serde_json::Map<String, serde_json::Value>,
}

impl<'a> From<&'a Finding> for FindingJson<'a> {
    fn from(finding: &'a Finding) -> Self {
        let Finding {
            code,
            severity,
            clip,
            node,
            mesh,
            skin,
            primitive,
            vertex,
            property,
            key,
            time_secs,
            end_secs,
            message,
            values,
        } = finding;
        Self {
            code: code.as_str(),
            severity: severity.to_string(),
            clip: *clip,
            node: *node,
            mesh: *mesh,
            skin: *skin,
            primitive: *primitive,
            vertex: *vertex,
            property: property.map(Property::as_str),
            key: *key,
            time_secs: *time_secs,
            end_secs: *end_secs,
            message,
            values: values
                .iter()
                .map(|&(name, value)| (name.to_owned(), value.into()))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_top_level_array_have_lines_of_their_own() {
        let value = serde_json::json!({
            "clip": {"a": 1, "b": [1.5, 2]}, "empty": [], "nodes": [{"m": [[1], [2]]}, {"m": []}]
        });
        let mut out = Vec::new();
        write(&value, &mut out).expect("memory takes everything");
        let text = String::from_utf8(out).expect("JSON is UTF-8");
        let wanted = "{\n  \"clip\": {\"a\": 1, \"b\": [1.5,2]},\n  \"empty\": [],\n  \"nodes\": [\n    \
                      {\"m\": [[1],[2]]},\n    {\"m\": []}\n  ]\n}\n";
        assert_eq!(text, wanted);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).ok(),
            Some(value)
        );
    }

    #[test]
    fn an_f32_prints_as_written() {
        let mut out = Vec::new();
        write(&[0.1f32, 1.0, 1e-7, 16777216.0], &mut out).expect("memory takes everything");
        assert_eq!(out, b"[0.1,1.0,1e-7,16777216.0]\n");
    }
}
