//! The GLB container: a header of 12 bytes, then chunks.

use core::ops::Range;

use super::error::GltfError;
use crate::document::{Finding, FindingCode, Severity};

const MAGIC: [u8; 4] = *b"glTF";
const JSON: [u8; 4] = *b"JSON";
const BIN: [u8; 4] = *b"BIN\0";

/// Where the parts of a GLB lie; nothing is copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glb {
    pub(super) json: Range<usize>,
    pub(super) bin: Option<Range<usize>>,
}

/// Whether these bytes start like a GLB.
pub(in crate::import) fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Finds the chunks. Chunks of unknown types are skipped, as the format demands.
pub(super) fn parse(bytes: &[u8], findings: &mut Vec<Finding>) -> Result<Glb, GltfError> {
    if !has_magic(bytes) {
        return Err(GltfError::NotGlb {
            found: printable(&bytes[..bytes.len().min(4)]),
        });
    }
    if bytes.len() < 12 {
        return Err(GltfError::HeaderTruncated {
            actual: bytes.len(),
        });
    }
    let version = u32_at(bytes, 4);
    if version != 2 {
        return Err(GltfError::ContainerVersion { version });
    }
    let stated = u32_at(bytes, 8) as usize;
    if stated > bytes.len() {
        return Err(GltfError::FileTruncated {
            stated,
            actual: bytes.len(),
        });
    }
    if stated < bytes.len() {
        let extra = bytes.len() - stated;
        findings.push(container_finding(format!(
            "{extra} bytes follow after the end that the GLB header states ({stated} bytes); they are ignored"
        )));
    }
    chunks(&bytes[..stated], findings)
}

fn chunks(bytes: &[u8], findings: &mut Vec<Finding>) -> Result<Glb, GltfError> {
    let (mut json, mut bin) = (None, None);
    let mut start = 12;
    let mut chunk = 0;
    while start < bytes.len() || chunk == 0 {
        let available = bytes.len().saturating_sub(start);
        if available < 8 {
            return Err(GltfError::ChunkHeader { chunk, available });
        }
        let length = u32_at(bytes, start) as usize;
        let kind = [4, 5, 6, 7].map(|offset| bytes[start + offset]);
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
