//! Mode ATTRIBUTES: elements of any kind, byte by byte as differences.
//!
//! ```text
//! header · blocks · padding · first element · channel modes (version 1)
//! block: control bits (version 1) · for each byte of an element: group sizes, groups of 16
//! ```

use super::{Fault, Stream};

/// Elements in a group.
const GROUP: usize = 16;
/// Largest number of elements in a block.
const MAX_BLOCK: usize = 256;

/// Bits for each difference of a group by the two bits in its header.
type Widths = [u8; 4];
const WIDTHS_0: Widths = [0, 2, 4, 8];
/// By control mode.
const WIDTHS_1: [Widths; 2] = [[0, 1, 2, 4], [1, 2, 4, 8]];

/// How the four bytes of a channel differ from those before.
#[derive(Debug, Clone, Copy)]
enum Channel {
    Bytes,
    Words,
    /// Exclusive or, turned left by so many bits.
    Xor(u32),
}

/// Unpacks `count` elements of `stride` bytes, a multiple of 4 up to 256. `newest` is the
/// newest version that the extension allows.
pub(super) fn decode(
    stream: &[u8],
    count: usize,
    stride: usize,
    newest: u8,
) -> Result<Vec<u8>, Fault> {
    let mut rest = Stream {
        rest: stream,
        length: stream.len(),
        count,
        element: 0,
    };
    let header = rest.byte()?;
    let version = header.wrapping_sub(0xa0);
    if version > newest {
        return Err(Fault::Header {
            found: header,
            expected: if newest == 0 { "0xa0" } else { "0xa0 or 0xa1" },
        });
    }
    let channels = stride / 4;
    let (tail, padded) = match version {
        0 => (stride, stride.max(32)),
        _ => (stride + channels, (stride + channels).max(24)),
    };
    let body = rest.rest.len().checked_sub(padded);
    let (body, end) = rest.rest.split_at(body.ok_or_else(|| rest.short())?);
    let (first, modes) = end[padded - tail..].split_at(stride);
    rest.rest = body;
    let modes: Vec<Channel> = match version {
        0 => vec![Channel::Bytes; channels],
        _ => modes.iter().map(channel).collect::<Result<_, _>>()?,
    };
    let block = ((8192 / stride) & !(GROUP - 1)).min(MAX_BLOCK);
    // What such a stream takes at the least, before anything is allocated.
    let least = match version {
        0 => stride * count.div_ceil(4 * GROUP),
        _ => channels * count.div_ceil(block),
    };
    if body.len() < least {
        return Err(rest.short());
    }
    let mut output = vec![0; count * stride];
    let mut last = first.to_vec();
    for elements in output.chunks_mut(block * stride) {
        let in_block = elements.len() / stride;
        let controls = match version {
            0 => None,
            _ => Some(rest.take(channels)?),
        };
        for (index, &mode) in modes.iter().enumerate() {
            let mut differences = [[0; MAX_BLOCK]; 4];
            for (byte, differences) in differences.iter_mut().enumerate() {
                let differences = &mut differences[..in_block.next_multiple_of(GROUP)];
                match controls.map(|controls| (controls[index] >> (2 * byte)) & 3) {
                    None => groups(&mut rest, differences, &WIDTHS_0)?,
                    Some(2) => {}
                    Some(3) => {
                        differences[..in_block].copy_from_slice(rest.take(in_block)?);
                    }
                    Some(control) => {
                        groups(&mut rest, differences, &WIDTHS_1[usize::from(control)])?;
                    }
                }
            }
            let at = index * 4;
            let mut value = [last[at], last[at + 1], last[at + 2], last[at + 3]];
            for (element, bytes) in elements.chunks_exact_mut(stride).enumerate() {
                let difference = differences.each_ref().map(|bytes| bytes[element]);
                value = mode.next(value, difference);
                bytes[at..at + 4].copy_from_slice(&value);
            }
            last[at..at + 4].copy_from_slice(&value);
        }
        rest.element += in_block;
    }
    rest.end()?;
    Ok(output)
}

fn channel(mode: &u8) -> Result<Channel, Fault> {
    match (mode & 15, mode >> 4) {
        (0, 0) => Ok(Channel::Bytes),
        (1, 0) => Ok(Channel::Words),
        (2, turn) => Ok(Channel::Xor(turn.into())),
        _ => Err(Fault::Broken {
            element: 0,
            what: format!("the unknown channel mode {mode:#04x}"),
        }),
    }
}

impl Channel {
    /// The value after `before`.
    fn next(self, before: [u8; 4], difference: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Bytes => core::array::from_fn(|i| {
                let d = difference[i];
                before[i].wrapping_add((d >> 1) ^ (d & 1).wrapping_neg())
            }),
            Self::Words => {
                let half = |at: usize| {
                    let word = |bytes: [u8; 4]| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
                    let d = word(difference);
                    let value = word(before).wrapping_add((d >> 1) ^ (d & 1).wrapping_neg());
                    value.to_le_bytes()
                };
                let [low, high] = [half(0), half(2)];
                [low[0], low[1], high[0], high[1]]
            }
            Self::Xor(turn) => {
                let difference = u32::from_le_bytes(difference).rotate_right(turn);
                (u32::from_le_bytes(before) ^ difference).to_le_bytes()
            }
        }
    }
}

/// Reads one byte of each element of a block: two bits for each group that say how wide
/// its differences are, then the groups.
fn groups(stream: &mut Stream<'_>, output: &mut [u8], widths: &Widths) -> Result<(), Fault> {
    let groups = output.len() / GROUP;
    let header = stream.take(groups.div_ceil(4))?;
    for (group, output) in output.chunks_exact_mut(GROUP).enumerate() {
        let width = widths[usize::from((header[group / 4] >> (2 * (group % 4))) & 3)];
        match width {
            0 => output.fill(0),
            8 => output.copy_from_slice(stream.take(GROUP)?),
            width => {
                let packed = stream.take(GROUP * usize::from(width) / 8)?;
                let escape = (1 << width) - 1;
                for (index, output) in output.iter_mut().enumerate() {
                    let bit = index * usize::from(width);
                    // Single bits begin with the lowest of a byte, wider ones with the highest.
                    let shift = if width == 1 {
                        bit % 8
                    } else {
                        8 - usize::from(width) - bit % 8
                    };
                    let short = (packed[bit / 8] >> shift) & escape;
                    *output = if short == escape {
                        stream.byte()?
                    } else {
                        short
                    };
                }
            }
        }
    }
    Ok(())
}
