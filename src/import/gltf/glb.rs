//! The GLB container: a header of 12 bytes, then chunks.

use core::ops::Range;
use std::io;

use super::error::GltfError;
use crate::{
    document::{Finding, FindingCode, Severity},
    import::file::ModelFile,
};

const MAGIC: [u8; 4] = *b"glTF";
const JSON: [u8; 4] = *b"JSON";
const BIN: [u8; 4] = *b"BIN\0";

/// Where the parts of a GLB lie, in bytes from its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glb {
    pub(super) json: Range<u64>,
    pub(super) bin: Option<Range<u64>>,
}

/// Where the bytes of a GLB come from. Only the headers are asked for here.
pub(super) trait Source {
    /// Bytes in the whole.
    fn length(&self) -> u64;
    /// The bytes of a range that lies within the length.
    fn part(&mut self, range: Range<u64>) -> io::Result<Vec<u8>>;
}

impl Source for &[u8] {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn part(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        Ok(slice(self, &range).to_vec())
    }
}

impl Source for ModelFile<'_> {
    fn length(&self) -> u64 {
        Self::length(self)
    }

    fn part(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        Self::part(self, range.start, range.end - range.start)
    }
}

/// A range of bytes in memory, where the range was found by [`parse`].
pub(super) fn slice<'a>(bytes: &'a [u8], range: &Range<u64>) -> &'a [u8] {
    // What lies within a slice fits its index type.
    &bytes[range.start as usize..range.end as usize]
}

/// Whether these bytes start like a GLB.
pub(in crate::import) fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Finds the chunks. Chunks of unknown types are skipped, as the format demands.
pub(super) fn parse(
    source: &mut impl Source,
    findings: &mut Vec<Finding>,
) -> Result<Glb, GltfError> {
    let actual = source.length();
    let header = read(source, 0..actual.min(12))?;
    if !has_magic(&header) {
        return Err(GltfError::NotGlb {
            found: printable(&header[..header.len().min(4)]),
        });
    }
    if header.len() < 12 {
        return Err(GltfError::HeaderTruncated { actual });
    }
    let version = u32_at(&header, 4);
    if version != 2 {
        return Err(GltfError::ContainerVersion { version });
    }
    let stated = u64::from(u32_at(&header, 8));
    if stated > actual {
        return Err(GltfError::FileTruncated { stated, actual });
    }
    if stated < actual {
        let extra = actual - stated;
        findings.push(container_finding(format!(
            "{extra} bytes follow after the end that the GLB header states ({stated} bytes); they are ignored"
        )));
    }
    chunks(source, stated, findings)
}

/// A part of the source, which the caller has checked to be there.
pub(super) fn read(source: &mut impl Source, range: Range<u64>) -> Result<Vec<u8>, GltfError> {
    source
        .part(range)
        .map_err(|error| GltfError::Unreadable { error })
}

/// The chunks up to the end that the header states.
fn chunks(
    source: &mut impl Source,
    end: u64,
    findings: &mut Vec<Finding>,
) -> Result<Glb, GltfError> {
    let (mut json, mut bin) = (None, None);
    let mut start = 12;
    let mut chunk = 0;
    while start < end || chunk == 0 {
        let available = end.saturating_sub(start);
        if available < 8 {
            return Err(GltfError::ChunkHeader { chunk, available });
        }
        let header = read(source, start..start + 8)?;
        let length = u64::from(u32_at(&header, 0));
        let kind = [4, 5, 6, 7].map(|offset| header[offset]);
        if chunk == 0 && kind != JSON {
            return Err(GltfError::FirstChunk {
                found: printable(&kind),
            });
        }
        let available = available - 8;
        if length > available {
            return Err(GltfError::ChunkTruncated {
                chunk,
                kind: printable(&kind),
                stated: length,
                available,
            });
        }
        if !length.is_multiple_of(4) {
            findings.push(container_finding(format!(
                "the length {length} of GLB chunk {chunk} ({}) is no multiple of 4; strict readers refuse that",
                printable(&kind)
            )));
        }
        let content = start + 8..start + 8 + length;
        match kind {
            JSON if json.is_none() => json = Some(content),
            BIN if bin.is_none() => bin = Some(content),
            JSON | BIN => findings.push(container_finding(format!(
                "GLB chunk {chunk} is a second {} chunk; it is ignored",
                printable(&kind)
            ))),
            _ => {}
        }
        start += 8 + length;
        chunk += 1;
    }
    Ok(Glb {
        json: json.expect("the first chunk is JSON, or we returned above"),
        bin,
    })
}

fn container_finding(message: String) -> Finding {
    Finding::new(FindingCode::ContainerInvalid, Severity::Warning, message)
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[offset + i]))
}

/// Four bytes as text where they are text: `"BIN\0"`, `"\xff\xd8"`.
fn printable(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}
