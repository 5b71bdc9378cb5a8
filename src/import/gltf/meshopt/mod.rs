//! `EXT_meshopt_compression` and `KHR_meshopt_compression`: buffer views whose bytes
//! are stored compressed, written from the extensions' text.
//!
//! A view is unpacked when it is first read and kept until the load ends. What the JSON
//! says of it is checked first ([`Plan`]); the decoders then trust nothing in the stream:
//! they read through [`Stream`], which ends where the stream ends. What a view unpacks to
//! is charged to the load's [`Budget`] before it is allocated.

mod attributes;
mod filters;
mod indices;

use std::{borrow::Cow, sync::OnceLock};

use serde::Deserialize;

use super::{
    budget::Budget,
    schema::{BufferView, Root},
};

/// The extension's names. A view that has both is not legal; the first one counts.
pub(super) const EXTENSIONS: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];

/// What an extension stores with a buffer view: where the stream lies, and its form.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Stored {
    buffer: usize,
    byte_offset: u64,
    byte_length: u64,
    byte_stride: u64,
    count: u64,
    mode: String,
    filter: Option<String>,
}

/// Why a compressed view cannot be unpacked.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum Fault {
    #[error("its description does not fit: {0}")]
    Description(String),
    #[error("its {what} is {found}, but must be {expected}")]
    Rule {
        what: &'static str,
        found: String,
        expected: String,
    },
    #[error("it refers to buffer {buffer}, but the file has {count}")]
    Buffer { buffer: usize, count: usize },
    #[error("its stream lies in buffer {0}, which has no data")]
    NoData(usize),
    #[error(
        "its stream covers {wanted} bytes from byte {offset}, past the end of buffer {buffer}, which has {available}"
    )]
    Range {
        offset: u64,
        wanted: u64,
        buffer: usize,
        available: usize,
    },
    #[error("it would unpack to {bytes} bytes, more than the {limit} that are allowed here")]
    TooLarge { bytes: u64, limit: u64 },
    #[error("its stream begins with {found:#04x}, not {expected}")]
    Header { found: u8, expected: &'static str },
    #[error("its stream of {length} bytes ends before element {element} of {count}")]
    Short {
        length: usize,
        element: usize,
        count: usize,
    },
    #[error("{left} of its stream's {length} bytes are left over")]
    LeftOver { left: usize, length: usize },
    #[error("its stream is broken at element {element}: {what}")]
    Broken { element: usize, what: String },
}

/// Content of the compressed views, each unpacked when first asked for.
pub(super) struct Views(Vec<OnceLock<Result<Vec<u8>, Fault>>>);

impl Views {
    pub(super) fn new(root: &Root) -> Self {
        Self(root.buffer_views.iter().map(|_| OnceLock::new()).collect())
    }

    /// The view's bytes; `None` for one that is not compressed, else the extension's
    /// name with what there is.
    pub(super) fn get<'a>(
        &'a self,
        index: usize,
        view: &BufferView,
        buffers: &[Option<Cow<'_, [u8]>>],
        budget: &Budget,
    ) -> Option<(&'static str, &'a Result<Vec<u8>, Fault>)> {
        let extension = extension_of(view)?;
        let cell = self.0.get(index)?;
        let unpack = || unpack(view, extension, buffers, budget);
        Some((extension, cell.get_or_init(unpack)))
    }
}

/// The extension by which a view is compressed.
fn extension_of(view: &BufferView) -> Option<&'static str> {
    EXTENSIONS
        .into_iter()
        .find(|&name| view.extensions.contains_key(name))
}

fn stored(view: &BufferView) -> Option<Result<Stored, Fault>> {
    let value = view.extensions.get(extension_of(view)?)?;
    Some(Stored::deserialize(value).map_err(|error| Fault::Description(error.to_string())))
}

/// Buffers that are there only for readers without the extension: compressed views
/// refer to them, and nothing else does.
pub(super) fn fallback_buffers(root: &Root) -> Vec<bool> {
    let mut is_fallback = vec![false; root.buffers.len()];
    let mut needed = vec![false; root.buffers.len()];
    for view in &root.buffer_views {
        let own = view.buffer.unwrap_or(0);
        let (mark, source) = match stored(view) {
            Some(stored) => (&mut is_fallback, stored.ok().map(|stored| stored.buffer)),
            None => (&mut needed, None),
        };
        if let Some(mark) = mark.get_mut(own) {
            *mark = true;
        }
        if let Some(needed) = source.and_then(|buffer| needed.get_mut(buffer)) {
            *needed = true;
        }
    }
    is_fallback
        .into_iter()
        .zip(needed)
        .map(|(fallback, needed)| fallback && !needed)
        .collect()
}

/// Where the streams in buffer 0 end.
pub(super) fn end_in_first_buffer(root: &Root) -> u64 {
    root.buffer_views
        .iter()
        .filter_map(|view| stored(view)?.ok())
        .filter(|stored| stored.buffer == 0)
        .map(|stored| stored.byte_offset.saturating_add(stored.byte_length))
        .max()
        .unwrap_or(0)
}

/// How the elements are coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// What is done to the elements afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

/// A description that keeps the extension's rules.
#[derive(Debug, Clone, Copy)]
struct Plan {
    mode: Mode,
    filter: Filter,
    count: usize,
    stride: usize,
    /// Newest version of the attribute stream that the extension knows.
    version: u8,
}

impl Plan {
    fn new(stored: &Stored, view: &BufferView, extension: &str) -> Result<Self, Fault> {
        let rule = |what, found: &dyn ToString, expected: &str| Fault::Rule {
            what,
            found: found.to_string(),
            expected: expected.into(),
        };
        let is_khr = extension == EXTENSIONS[0];
        let mode = match stored.mode.as_str() {
            "ATTRIBUTES" => Mode::Attributes,
            "TRIANGLES" => Mode::Triangles,
            "INDICES" => Mode::Indices,
            other => {
                let modes = "ATTRIBUTES, TRIANGLES or INDICES";
                return Err(rule("mode", &format!("{other:?}"), modes));
            }
        };
        let filter = match stored.filter.as_deref() {
            None | Some("NONE") => Filter::None,
            Some("OCTAHEDRAL") => Filter::Octahedral,
            Some("QUATERNION") => Filter::Quaternion,
            Some("EXPONENTIAL") => Filter::Exponential,
            Some("COLOR") if is_khr => Filter::Color,
            Some(other) => {
                let filters = "one that the extension has";
                return Err(rule("filter", &format!("{other:?}"), filters));
            }
        };
        let stride = stored.byte_stride;
        let (fits, expected) = match (mode, filter) {
            (Mode::Attributes, Filter::Octahedral | Filter::Color) => {
                (matches!(stride, 4 | 8), "4 or 8 for its filter")
            }
            (Mode::Attributes, Filter::Quaternion) => (stride == 8, "8 for its filter"),
            (Mode::Attributes, _) => (
                stride.is_multiple_of(4) && (4..=256).contains(&stride),
                "a multiple of 4 up to 256",
            ),
            _ => (matches!(stride, 2 | 4), "2 or 4 for indices"),
        };
        if !fits {
            return Err(rule("byteStride", &stride, expected));
        }
        if mode != Mode::Attributes && filter != Filter::None {
            return Err(rule("filter", &format!("{filter:?}"), "NONE for indices"));
        }
        if mode == Mode::Triangles && !stored.count.is_multiple_of(3) {
            return Err(rule("count", &stored.count, "a multiple of 3"));
        }
        if stored.count.checked_mul(stride) != Some(view.byte_length) {
            let expected = format!("{} × {stride} = count × byteStride", stored.count);
            return Err(rule("byteLength", &view.byte_length, &expected));
        }
        // The newer extension has dropped this rule.
        if let Some(own) = view.byte_stride.filter(|&own| !is_khr && own != stride) {
            let expected = format!("the {stride} of its extension");
            return Err(rule("own byteStride", &own, &expected));
        }
        let too_large = |_| Fault::TooLarge {
            bytes: view.byte_length,
            limit: usize::MAX as u64,
        };
        Ok(Self {
            mode,
            filter,
            count: usize::try_from(stored.count).map_err(too_large)?,
            stride: usize::try_from(stride).map_err(too_large)?,
            version: u8::from(is_khr),
        })
    }
}

fn unpack(
    view: &BufferView,
    extension: &str,
    buffers: &[Option<Cow<'_, [u8]>>],
    budget: &Budget,
) -> Result<Vec<u8>, Fault> {
    let Some(stored) = stored(view) else {
        return Ok(Vec::new());
    };
    let stored = stored?;
    let plan = Plan::new(&stored, view, extension)?;
    let buffer = buffers.get(stored.buffer).ok_or(Fault::Buffer {
        buffer: stored.buffer,
        count: buffers.len(),
    })?;
    let bytes = buffer.as_ref().ok_or(Fault::NoData(stored.buffer))?;
    let stream = super::accessor::slice(bytes, stored.byte_offset, stored.byte_length).ok_or(
        Fault::Range {
            offset: stored.byte_offset,
            wanted: stored.byte_length,
            buffer: stored.buffer,
            available: bytes.len(),
        },
    )?;
    budget
        .reserve(view.byte_length)
        .map_err(|limit| Fault::TooLarge {
            bytes: view.byte_length,
            limit,
        })?;
    let (count, stride) = (plan.count, plan.stride);
    let mut unpacked = match plan.mode {
        Mode::Attributes => attributes::decode(stream, count, stride, plan.version)?,
        Mode::Triangles => indices::triangles(stream, count, stride)?,
        Mode::Indices => indices::sequence(stream, count, stride)?,
    };
    match plan.filter {
        Filter::None => {}
        Filter::Octahedral => filters::octahedral(&mut unpacked, stride),
        Filter::Quaternion => filters::quaternion(&mut unpacked),
        Filter::Exponential => filters::exponential(&mut unpacked),
        Filter::Color => filters::color(&mut unpacked, stride),
    }
    Ok(unpacked)
}

/// The part of a stream that is still to be read.
struct Stream<'a> {
    rest: &'a [u8],
    /// Of the whole stream, for messages.
    length: usize,
    /// Elements that it should hold.
    count: usize,
    /// The one that is being read.
    element: usize,
}

impl<'a> Stream<'a> {
    /// The next `length` bytes.
    fn take(&mut self, length: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or_else(|| self.short())?;
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        let (&byte, rest) = self.rest.split_first().ok_or_else(|| self.short())?;
        self.rest = rest;
        Ok(byte)
    }

    /// A number in one to five bytes, seven bits in each, the lowest first; the highest
    /// bit says that another follows.
    fn varint(&mut self) -> Result<u32, Fault> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.broken("a number of more than five bytes".into()))
    }

    fn end(&self) -> Result<(), Fault> {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(Fault::LeftOver {
                left,
                length: self.length,
            }),
        }
    }

    fn short(&self) -> Fault {
        Fault::Short {
            length: self.length,
            element: self.element,
            count: self.count,
        }
    }

    fn broken(&self, what: String) -> Fault {
        Fault::Broken {
            element: self.element,
            what,
        }
    }
}
