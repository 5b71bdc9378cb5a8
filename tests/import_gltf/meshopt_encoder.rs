//! A small encoder of meshopt streams: not the tightest, but it uses every code that a
//! decoder has to know.

use std::collections::VecDeque;

use super::robustness::Random;

/// Widths of a group by its two header bits: version 0, and version 1 by control mode.
const WIDTHS: [[u8; 4]; 3] = [[0, 2, 4, 8], [0, 1, 2, 4], [1, 2, 4, 8]];

/// Elements of `stride` bytes in version 0, or in version 1 with the channel modes 0, 1
/// and 2 in turn and all four control modes.
pub fn attributes(elements: &[u8], stride: usize, version: u8, random: &mut Random) -> Vec<u8> {
    let channels = stride / 4;
    let modes: Vec<u8> = (0..channels)
        .map(|channel| match (version, channel % 3) {
            (0, _) | (_, 0) => 0,
            (_, 1) => 1,
            _ => 2 | ((channel as u8 % 16) << 4),
        })
        .collect();
    let mut stream = vec![0xa0 | version];
    let first = &elements[..stride];
    let mut before = first.to_vec();
    let block = ((8192 / stride) & !15).min(256);
    for elements in elements.chunks(block * stride) {
        let mut rows = vec![Vec::new(); stride];
        for element in elements.chunks(stride) {
            for (channel, mode) in modes.iter().enumerate() {
                let at = channel * 4..channel * 4 + 4;
                let difference = differences(*mode, &before[at.clone()], &element[at.clone()]);
                for (byte, difference) in at.zip(difference) {
                    rows[byte].push(difference);
                }
            }
            before.copy_from_slice(element);
        }
        let mut controls = vec![0_u8; channels];
        let mut body = Vec::new();
        for (byte, row) in rows.iter().enumerate() {
            if version == 0 {
                body.extend(groups(row, &WIDTHS[0]));
                continue;
            }
            let control = match random.below(3) {
                _ if row.iter().all(|&d| d == 0) => 2,
                2 => 3,
                other => other as u8,
            };
            controls[byte / 4] |= control << (2 * (byte % 4));
            match control {
                2 => {}
                3 => body.extend(row),
                control => body.extend(groups(row, &WIDTHS[1 + usize::from(control)])),
            }
        }
        if version == 1 {
            stream.extend(controls);
        }
        stream.extend(body);
    }
    let (tail, least) = match version {
        0 => (first.to_vec(), 32),
        _ => ([first, &modes].concat(), 24),
    };
    stream.resize(stream.len() + usize::saturating_sub(least, tail.len()), 0);
    stream.extend(tail);
    stream
}

fn differences(mode: u8, before: &[u8], now: &[u8]) -> Vec<u8> {
    let word = |bytes: &[u8], at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    match mode & 15 {
        0 => before
            .iter()
            .zip(now)
            .map(|(&before, &now)| {
                let d = now.wrapping_sub(before);
                (d << 1) ^ ((d as i8) >> 7) as u8
            })
            .collect(),
        1 => [0, 2]
            .into_iter()
            .flat_map(|at| {
                let d = word(now, at).wrapping_sub(word(before, at));
                ((d << 1) ^ ((d as i16) >> 15) as u16).to_le_bytes()
            })
            .collect(),
        _ => {
            let [before, now] = [before, now]
                .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
            (before ^ now)
                .rotate_left(u32::from(mode >> 4))
                .to_le_bytes()
                .to_vec()
        }
    }
}

fn groups(row: &[u8], widths: &[u8; 4]) -> Vec<u8> {
    let mut header = vec![0_u8; row.len().div_ceil(16).div_ceil(4)];
    let mut body: Vec<u8> = Vec::new();
    for (index, group) in row.chunks(16).enumerate() {
        let mut group = group.to_vec();
        group.resize(16, 0);
        let packed = widths.map(|width| packed(&group, width));
        let best = (0..4)
            .filter(|&code| packed[code].is_some())
            .min_by_key(|&code| packed[code].as_ref().map(Vec::len));
        let best = best.expect("some width fits any group");
        header[index / 4] |= (best as u8) << (2 * (index % 4));
        body.extend(packed[best].as_ref().expect("it was found there"));
    }
    header.extend(body);
    header
}

/// Sixteen differences of a width; `None` where they do not fit.
fn packed(group: &[u8], width: u8) -> Option<Vec<u8>> {
    match width {
        0 => group.iter().all(|&d| d == 0).then(Vec::new),
        8 => Some(group.to_vec()),
        width => {
            let escape = (1_u8 << width) - 1;
            let mut bytes = vec![0_u8; 2 * usize::from(width)];
            let mut long = Vec::new();
            for (index, &difference) in group.iter().enumerate() {
                let per_byte = 8 / usize::from(width);
                let place = index % per_byte;
                let shift = if width == 1 {
                    place
                } else {
                    (per_byte - 1 - place) * usize::from(width)
                };
                bytes[index / per_byte] |= difference.min(escape) << shift;
                if difference >= escape {
                    long.push(difference);
                }
            }
            bytes.extend(long);
            Some(bytes)
        }
    }
}

fn varint(mut value: u32, stream: &mut Vec<u8>) {
    while value >= 0x80 {
        stream.push(value as u8 | 0x80);
        value >>= 7;
    }
    stream.push(value as u8);
}

fn zigzag(difference: u32) -> u32 {
    (difference << 1) ^ ((difference as i32) >> 31) as u32
}

/// Indices in any order.
pub fn sequence(indices: &[u32]) -> Vec<u8> {
    let mut stream = vec![0xd1];
    let mut last = [0_u32; 2];
    for &index in indices {
        let nearer = usize::from(index.abs_diff(last[1]) < index.abs_diff(last[0]));
        let difference = zigzag(index.wrapping_sub(last[nearer]));
        varint((difference << 1) | nearer as u32, &mut stream);
        last[nearer] = index;
    }
    stream.extend([0; 4]);
    stream
}

/// The last sixteen, the newest first.
#[derive(Default)]
struct Recent<T>(VecDeque<T>);

impl<T: PartialEq> Recent<T> {
    fn push(&mut self, value: T) {
        self.0.push_front(value);
        self.0.truncate(16);
    }

    fn find(&self, value: &T, limit: usize) -> Option<u8> {
        let found = self.0.iter().position(|v| v == value)?;
        (found < limit).then_some(found as u8)
    }
}

/// A list of triangles; returned with it, the list as it comes out, in which triangles
/// may begin with another of their corners. Counts the codes used by kind.
pub fn triangles(list: &[[u32; 3]], used: &mut [usize; 8]) -> (Vec<u8>, Vec<u32>) {
    let (mut codes, mut data, mut out) = (Vec::new(), Vec::new(), Vec::new());
    let (mut edges, mut vertices) = (Recent::default(), Recent::default());
    let (mut next, mut last) = (0_u32, 0_u32);
    for &[a, b, c] in list {
        let turned = [[a, b, c], [b, c, a], [c, a, b]];
        let beside = turned
            .iter()
            .find_map(|&[a, b, c]| Some(([a, b, c], edges.find(&[a, b], 15)?)));
        if let Some(([a, b, c], edge)) = beside {
            let back = vertices.find(&c, 13).filter(|&back| back > 0);
            let third = if c == next {
                next += 1;
                used[0] += 1;
                0
            } else if let Some(back) = back {
                used[1] += 1;
                back
            } else {
                let difference = c.wrapping_sub(last);
                last = c;
                match difference {
                    u32::MAX => {
                        used[2] += 1;
                        13
                    }
                    1 => {
                        used[3] += 1;
                        14
                    }
                    difference => {
                        used[4] += 1;
                        varint(zigzag(difference), &mut data);
                        15
                    }
                }
            };
            if back.is_none() || third == 0 {
                vertices.push(c);
            }
            edges.push([c, b]);
            edges.push([a, c]);
            codes.push((edge << 4) | third);
            out.extend([a, b, c]);
            continue;
        }
        let is_new = a == next;
        next += u32::from(is_new);
        let mut given = Vec::new();
        let mut give = |index: u32, given: &mut Vec<u8>| {
            varint(zigzag(index.wrapping_sub(last)), given);
            last = index;
        };
        if !is_new {
            give(a, &mut given);
        }
        let mut corner = |index: u32, allow_new: bool| {
            if index == next && allow_new {
                next += 1;
                0
            } else if let Some(back) = vertices.find(&index, 14) {
                back + 1
            } else {
                give(index, &mut given);
                15
            }
        };
        // 0 behind 0xff would start the numbering anew.
        let corners = [corner(b, is_new), corner(c, true)];
        let packed = (corners[0] << 4) | corners[1];
        if is_new && packed == 0 {
            used[5] += 1;
            codes.push(0xf0);
        } else {
            used[if is_new { 6 } else { 7 }] += 1;
            codes.push(if is_new { 0xfe } else { 0xff });
            data.push(packed);
            data.extend(given);
        }
        for edge in [[b, a], [c, b], [a, c]] {
            edges.push(edge);
        }
        vertices.push(a);
        for (index, bits) in [b, c].into_iter().zip(corners) {
            if matches!(bits, 0 | 15) {
                vertices.push(index);
            }
        }
        out.extend([a, b, c]);
    }
    let mut stream = vec![0xe1];
    stream.extend(codes);
    stream.extend(data);
    stream.extend([0; 16]);
    (stream, out)
}
