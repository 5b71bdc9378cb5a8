//! Modes TRIANGLES and INDICES: vertex indices by what was used shortly before.

use super::{Fault, Stream};

/// The sixteen values pushed last.
struct Recent<T> {
    values: [T; 16],
    /// How many were pushed in all, as far as that matters.
    pushed: usize,
    next: usize,
}

impl<T: Copy + Default> Recent<T> {
    fn new() -> Self {
        Self {
            values: [T::default(); 16],
            pushed: 0,
            next: 0,
        }
    }

    fn push(&mut self, value: T) {
        self.values[self.next] = value;
        self.next = (self.next + 1) % 16;
        self.pushed = (self.pushed + 1).min(16);
    }

    /// The value that was pushed `back` before the last one.
    fn get(&self, back: u8) -> Option<T> {
        let back = usize::from(back);
        (back < self.pushed).then(|| self.values[(self.next + 15 - back) % 16])
    }
}

/// What the bits of a triangle say about a corner.
#[derive(Debug, Clone, Copy)]
enum Corner {
    /// The first vertex that was not there yet.
    New,
    /// Used shortly before, counted from 0 for the last.
    Recent(u8),
    /// Given as the distance to the last one that was given.
    Given,
}

impl Corner {
    fn of(bits: u8) -> Self {
        match bits {
            0 => Self::New,
            15 => Self::Given,
            back => Self::Recent(back - 1),
        }
    }
}

struct Triangles<'a> {
    data: Stream<'a>,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    next: u32,
    last: u32,
}

/// Unpacks a list of `count` indices, a multiple of 3, of `stride` bytes.
pub(super) fn triangles(stream: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Fault> {
    let mut data = begin(stream, count, 0xe1, "0xe1")?;
    // One byte for each triangle, and sixteen at the end, before anything is allocated.
    let codes = data.take(count / 3)?;
    let table = data.rest.len().checked_sub(16);
    let (rest, table) = data.rest.split_at(table.ok_or_else(|| data.short())?);
    data.rest = rest;
    if let Some(&entry) = table.iter().find(|&&e| e >> 4 == 15 || e & 15 == 15) {
        return Err(data.broken(format!("{entry:#04x} in the table of codes")));
    }
    let mut state = Triangles {
        data,
        edges: Recent::new(),
        vertices: Recent::new(),
        next: 0,
        last: 0,
    };
    let mut output = Vec::with_capacity(count * stride);
    for (triangle, &code) in codes.iter().enumerate() {
        state.data.element = triangle * 3;
        for index in state.triangle(code, table)? {
            output.extend_from_slice(&index.to_le_bytes()[..stride]);
        }
    }
    state.data.end()?;
    Ok(output)
}

impl Triangles<'_> {
    fn triangle(&mut self, code: u8, table: &[u8]) -> Result<[u32; 3], Fault> {
        if code < 0xf0 {
            return self.beside_edge(code >> 4, code & 15);
        }
        let (first, others) = match code {
            0xfe => (Corner::New, self.data.byte()?),
            0xff => (Corner::Given, self.data.byte()?),
            code => (Corner::New, table[usize::from(code & 15)]),
        };
        // Starts the numbering anew: streams put one behind the other.
        if code >= 0xfe && others == 0 {
            self.next = 0;
        }
        let corners = [first, Corner::of(others >> 4), Corner::of(others & 15)];
        // Nothing is pushed before all three are known.
        let mut indices = [0; 3];
        for (index, &corner) in indices.iter_mut().zip(&corners) {
            *index = match corner {
                Corner::New => self.new_vertex(),
                Corner::Recent(back) => self.recent(back)?,
                Corner::Given => self.given()?,
            };
        }
        let [a, b, c] = indices;
        for edge in [[b, a], [c, b], [a, c]] {
            self.edges.push(edge);
        }
        for (&index, corner) in indices.iter().zip(corners) {
            if !matches!(corner, Corner::Recent(_)) {
                self.vertices.push(index);
            }
        }
        Ok(indices)
    }

    /// A triangle at an edge of one before it.
    fn beside_edge(&mut self, edge: u8, third: u8) -> Result<[u32; 3], Fault> {
        let [a, b] = self.edges.get(edge).ok_or_else(|| {
            let edges = self.edges.pushed;
            self.data.broken(format!(
                "edge {edge} of the last ones, of which {edges} are"
            ))
        })?;
        let c = match third {
            0 => self.new_vertex(),
            back @ 1..=12 => self.recent(back)?,
            13 => self.near_last(u32::MAX),
            14 => self.near_last(1),
            _ => self.given()?,
        };
        if !matches!(third, 1..=12) {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    fn new_vertex(&mut self) -> u32 {
        let index = self.next;
        self.next = index.wrapping_add(1);
        index
    }

    fn recent(&self, back: u8) -> Result<u32, Fault> {
        self.vertices.get(back).ok_or_else(|| {
            let vertices = self.vertices.pushed;
            self.data.broken(format!(
                "vertex {back} of the last ones, of which {vertices} are"
            ))
        })
    }

    fn given(&mut self) -> Result<u32, Fault> {
        let stored = self.data.varint()?;
        Ok(self.near_last((stored >> 1) ^ (stored & 1).wrapping_neg()))
    }

    fn near_last(&mut self, difference: u32) -> u32 {
        self.last = self.last.wrapping_add(difference);
        self.last
    }
}

/// Unpacks `count` indices of `stride` bytes: differences to one of two running values.
pub(super) fn sequence(stream: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Fault> {
    let mut data = begin(stream, count, 0xd1, "0xd1")?;
    let body = data.rest.len().checked_sub(4);
    data.rest = &data.rest[..body.ok_or_else(|| data.short())?];
    // At least a byte for each, before anything is allocated.
    if data.rest.len() < count {
        return Err(data.short());
    }
    let mut last = [0_u32; 2];
    let mut output = Vec::with_capacity(count * stride);
    for element in 0..count {
        data.element = element;
        let stored = data.varint()?;
        let difference = (stored >> 2) ^ ((stored >> 1) & 1).wrapping_neg();
        let last = &mut last[(stored & 1) as usize];
        *last = last.wrapping_add(difference);
        output.extend_from_slice(&last.to_le_bytes()[..stride]);
    }
    data.end()?;
    Ok(output)
}

/// A stream behind its header.
fn begin<'a>(
    stream: &'a [u8],
    count: usize,
    header: u8,
    expected: &'static str,
) -> Result<Stream<'a>, Fault> {
    let mut data = Stream {
        rest: stream,
        length: stream.len(),
        count,
        element: 0,
    };
    match data.byte()? {
        found if found == header => Ok(data),
        found => Err(Fault::Header { found, expected }),
    }
}
