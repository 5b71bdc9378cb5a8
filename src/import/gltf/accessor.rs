//! The checked accessor reader: any component type, stride and alignment,
//! sparse or not. Everything is compared with the bytes that are really there
//! before anything is allocated.

use core::fmt;
use std::borrow::Cow;

use super::{
    budget::Budget,
    component::{Component, Integers, signed, width_of},
    draco::Unpacked,
    error::GltfError,
    meshopt,
    schema::{Accessor, BufferView, Root},
};

/// The JSON's accessors over the bytes they refer to.
#[derive(Clone, Copy)]
pub(super) struct Accessors<'a> {
    accessors: &'a [Accessor],
    views: &'a [BufferView],
    buffers: &'a [Option<Cow<'a, [u8]>>],
    /// What compressed views hold.
    compressed: &'a meshopt::Views,
    /// What is read in place of accessors of one primitive.
    in_place: Option<&'a Unpacked>,
    budget: &'a Budget,
}

/// Where an accessor's elements lie, checked.
struct Layout<'a> {
    /// From the first element on; `None` means zeros.
    bytes: Option<&'a [u8]>,
    stride: usize,
    count: usize,
    component: Component,
    normalized: bool,
    sparse: Option<SparseLayout<'a>>,
}

struct SparseLayout<'a> {
    indices: &'a [u8],
    index_component: Component,
    values: &'a [u8],
    count: usize,
}

impl<'a> Accessors<'a> {
    pub(super) fn new(
        root: &'a Root,
        buffers: &'a [Option<Cow<'a, [u8]>>],
        compressed: &'a meshopt::Views,
        budget: &'a Budget,
    ) -> Self {
        Self {
            accessors: &root.accessors,
            views: &root.buffer_views,
            buffers,
            compressed,
            in_place: None,
            budget,
        }
    }

    /// The same, with the content of a compressed primitive in place of its accessors'.
    pub(super) fn with(self, unpacked: Option<&'a Unpacked>) -> Self {
        Self {
            in_place: unpacked,
            ..self
        }
    }

    /// How much may be unpacked.
    pub(super) fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// How many elements an accessor says it has.
    pub(super) fn stated_count(&self, accessor: usize) -> Option<u64> {
        Some(self.accessors.get(accessor)?.count)
    }

    /// Vectors of floats, integers converted.
    pub(super) fn floats<const N: usize, V: From<[f32; N]>>(
        &self,
        accessor: usize,
        usage: fmt::Arguments<'_>,
        accepted: &[Component],
        integers: Integers,
    ) -> Result<Vec<V>, GltfError> {
        let layout = self.layout(accessor, usage, N, accepted)?;
        self.reserve(accessor, usage, layout.count, N * 4)?;
        let normalized = layout.normalized || integers == Integers::Normalized;
        let at = (accessor, usage);
        // glTF 2.0, 3.6.2.2: unsigned c / max, signed max(c / max, −1).
        let unsigned = |max: f32| if normalized { max.recip() } else { 1.0 };
        match layout.component {
            Component::F32 => gather(&layout, at, f32::from_le_bytes),
            Component::U8 => {
                let scale = unsigned(255.0);
                gather(&layout, at, |[byte]: [u8; 1]| f32::from(byte) * scale)
            }
            Component::U16 => {
                let scale = unsigned(65535.0);
                gather(&layout, at, |bytes| {
                    f32::from(u16::from_le_bytes(bytes)) * scale
                })
            }
            Component::I8 => gather(&layout, at, |bytes| {
                signed(f32::from(i8::from_le_bytes(bytes)), 127.0, normalized)
            }),
            Component::I16 => gather(&layout, at, |bytes| {
                signed(f32::from(i16::from_le_bytes(bytes)), 32767.0, normalized)
            }),
            Component::U32 => gather(&layout, at, |bytes| u32::from_le_bytes(bytes) as f32),
        }
    }

    /// Indices of a primitive.
    pub(super) fn indices(
        &self,
        accessor: usize,
        usage: fmt::Arguments<'_>,
    ) -> Result<Vec<u32>, GltfError> {
        let layout = self.layout(accessor, usage, 1, Component::INDEX)?;
        self.reserve(accessor, usage, layout.count, 4)?;
        let at = (accessor, usage);
        let indices: Vec<[u32; 1]> = match layout.component {
            Component::U8 => gather(&layout, at, |[byte]: [u8; 1]| u32::from(byte)),
            Component::U16 => gather(&layout, at, |bytes| u32::from(u16::from_le_bytes(bytes))),
            _ => gather(&layout, at, u32::from_le_bytes),
        }?;
        Ok(indices.into_iter().map(|[index]| index).collect())
    }

    /// A `JOINTS_n` attribute.
    pub(super) fn joints(
        &self,
        accessor: usize,
        usage: fmt::Arguments<'_>,
    ) -> Result<Vec<[u16; 4]>, GltfError> {
        let layout = self.layout(accessor, usage, 4, Component::JOINT)?;
        self.reserve(accessor, usage, layout.count, 8)?;
        let at = (accessor, usage);
        match layout.component {
            Component::U8 => gather(&layout, at, |[byte]: [u8; 1]| u16::from(byte)),
            _ => gather(&layout, at, u16::from_le_bytes),
        }
    }

    /// What the numbers are stored as.
    pub(super) fn component(&self, accessor: usize) -> Option<Component> {
        if let Some(column) = self.in_place.and_then(|unpacked| unpacked.column(accessor)) {
            return Some(column.component);
        }
        Component::from_gltf(self.accessors.get(accessor)?.component_type)
    }

    /// Components per element, such as 3 for `VEC3`; 0 for an unknown type or accessor.
    pub(super) fn width(&self, accessor: usize) -> usize {
        self.accessors
            .get(accessor)
            .and_then(|a| width_of(&a.r#type))
            .unwrap_or(0)
    }

    /// Checks an accessor that nothing reads, whatever it may be for.
    pub(super) fn check_unused(&self, accessor: usize) -> Result<(), GltfError> {
        // Matrices of 2 or 3 columns are never read here.
        let width = self.width(accessor);
        if width == 0 {
            return Ok(());
        }
        self.layout(accessor, format_args!("unused"), width, Component::ALL)
            .map(drop)
    }

    /// The bytes of a buffer view.
    pub(super) fn view(
        &self,
        view: usize,
        from: fmt::Arguments<'_>,
    ) -> Result<&'a [u8], GltfError> {
        let described = self.views.get(view).ok_or_else(|| GltfError::Reference {
            from: from.to_string(),
            what: "bufferView",
            index: view,
            count: self.views.len(),
        })?;
        let compressed = self
            .compressed
            .get(view, described, self.buffers, self.budget);
        if let Some((extension, unpacked)) = compressed {
            return unpacked
                .as_deref()
                .map_err(|fault| GltfError::ViewCompressed {
                    view,
                    extension,
                    reason: fault.to_string(),
                });
        }
        let buffer = described.buffer.unwrap_or(0);
        let bytes = self
            .buffers
            .get(buffer)
            .ok_or_else(|| GltfError::Reference {
                from: format!("bufferView {view}"),
                what: "buffer",
                index: buffer,
                count: self.buffers.len(),
            })?;
        let bytes = bytes.as_ref().ok_or(GltfError::BufferMissing { buffer })?;
        slice(bytes, described.byte_offset, described.byte_length).ok_or(GltfError::ViewRange {
            view,
            offset: described.byte_offset,
            wanted: described.byte_length,
            buffer,
            available: bytes.len() as u64,
        })
    }

    /// Counts what an accessor unpacks to before it is allocated.
    fn reserve(
        &self,
        accessor: usize,
        usage: fmt::Arguments<'_>,
        count: usize,
        element: usize,
    ) -> Result<(), GltfError> {
        let bytes = (count as u64).saturating_mul(element as u64);
        self.budget
            .reserve(bytes)
            .map_err(|limit| GltfError::AccessorTooLarge {
                accessor,
                usage: usage.to_string(),
                bytes,
                limit,
            })
    }

    fn layout(
        &self,
        accessor: usize,
        usage: fmt::Arguments<'_>,
        width: usize,
        accepted: &[Component],
    ) -> Result<Layout<'a>, GltfError> {
        let described = self
            .accessors
            .get(accessor)
            .ok_or_else(|| GltfError::Reference {
                from: usage.to_string(),
                what: "accessor",
                index: accessor,
                count: self.accessors.len(),
            })?;
        let component = self
            .component(accessor)
            .filter(|component| accepted.contains(component))
            .ok_or_else(|| self.wrong_component(accessor, usage, described, accepted))?;
        if width_of(&described.r#type) != Some(width) {
            return Err(GltfError::AccessorType {
                accessor,
                usage: usage.to_string(),
                found: format!("{:?}", described.r#type),
                expected: format!("of {width} components"),
            });
        }
        let element = width * component.bytes();
        if let Some(column) = self.in_place.and_then(|unpacked| unpacked.column(accessor)) {
            return Ok(Layout {
                bytes: Some(&column.bytes),
                stride: element,
                count: column.bytes.len() / element,
                component,
                normalized: described.normalized,
                sparse: None,
            });
        }
        // The count must fit memory even where there are no bytes to compare it with.
        let limit = self.budget.limit() / element as u64;
        let count = usize::try_from(described.count)
            .ok()
            .filter(|_| described.count <= limit)
            .ok_or_else(|| GltfError::AccessorTooLarge {
                accessor,
                usage: usage.to_string(),
                bytes: described.count.saturating_mul(element as u64),
                limit: self.budget.limit(),
            })?;
        let sparse = self.sparse_layout(accessor, usage, described, element)?;
        let (bytes, stride) = match described.buffer_view {
            None => (None, element),
            Some(view) => {
                let (bytes, stride) =
                    self.elements(accessor, usage, view, described.byte_offset, count, element)?;
                (Some(bytes), stride)
            }
        };
        Ok(Layout {
            bytes,
            stride,
            count,
            component,
            normalized: described.normalized,
            sparse,
        })
    }

    /// The bytes from the first element on, and the stride.
    fn elements(
        &self,
        accessor: usize,
        usage: fmt::Arguments<'_>,
        view: usize,
        offset: u64,
        count: usize,
        element: usize,
    ) -> Result<(&'a [u8], usize), GltfError> {
        let bytes = self.view(view, format_args!("accessor {accessor} ({usage})"))?;
        let element = element as u64;
        let stride = self.views[view].byte_stride.unwrap_or(element);
        if stride < element {
            return Err(GltfError::Stride {
                view,
                stride,
                element,
                accessor,
            });
        }
        let wanted = match count as u64 {
            0 => 0,
            count => stride
                .saturating_mul(count - 1)
                .saturating_add(element)
                .saturating_add(offset),
        };
        if wanted > bytes.len() as u64 {
            return Err(GltfError::AccessorRange {
                accessor,
                usage: usage.to_string(),
                view,
                wanted,
                available: bytes.len() as u64,
            });
        }
        let start = if count == 0 { 0 } else { offset as usize };
        // A stride of which only one element is used may be any number.
        let stride = if count < 2 { element } else { stride };
        Ok((&bytes[start..], stride as usize))
    }

    fn sparse_layout(
        &self,
        accessor: usize,
        usage: fmt::Arguments<'_>,
        described: &Accessor,
        element: usize,
    ) -> Result<Option<SparseLayout<'a>>, GltfError> {
        let Some(sparse) = &described.sparse else {
            return Ok(None);
        };
        if sparse.count > described.count {
            return Err(GltfError::SparseCount {
                accessor,
                usage: usage.to_string(),
                sparse: sparse.count,
                count: described.count,
            });
        }
        let count = sparse.count as usize;
        let index_component = Component::from_gltf(sparse.indices.component_type)
            .filter(|component| Component::INDEX.contains(component))
            .ok_or_else(|| GltfError::AccessorType {
                accessor,
                usage: format!("{usage}, sparse indices"),
                found: format!("of component type {}", sparse.indices.component_type),
                expected: "of an unsigned integer type".into(),
            })?;
        let part = |view: Option<usize>, offset, element, what| {
            let usage = format_args!("{usage}, sparse {what}");
            let view = view.ok_or_else(|| GltfError::Schema {
                object: format!("accessor {accessor}"),
                message: format!("its sparse {what} name no bufferView"),
            })?;
            self.elements(accessor, usage, view, offset, count, element)
                .map(|(bytes, _)| bytes)
        };
        Ok(Some(SparseLayout {
            indices: part(
                sparse.indices.buffer_view,
                sparse.indices.byte_offset,
                index_component.bytes(),
                "indices",
            )?,
            index_component,
            values: part(
                sparse.values.buffer_view,
                sparse.values.byte_offset,
                element,
                "values",
            )?,
            count,
        }))
    }

    fn wrong_component(
        &self,
        accessor: usize,
        usage: fmt::Arguments<'_>,
        described: &Accessor,
        accepted: &[Component],
    ) -> GltfError {
        let found = self.component(accessor).map_or_else(
            || format!("of unknown component type {}", described.component_type),
            |component| format!("of {}", component.name()),
        );
        let names: Vec<_> = accepted.iter().map(|c| c.name()).collect();
        GltfError::AccessorType {
            accessor,
            usage: usage.to_string(),
            found,
            expected: format!("of {}", names.join(", ")),
        }
    }
}

/// `length` bytes from `offset`, or `None` where they are not all there.
pub(super) fn slice(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let end = usize::try_from(offset.checked_add(length)?).ok()?;
    bytes.get(usize::try_from(offset).ok()?..end)
}

/// Reads all elements: `N` components of `B` bytes each.
fn gather<const N: usize, const B: usize, T, V>(
    layout: &Layout<'_>,
    (accessor, usage): (usize, fmt::Arguments<'_>),
    component: impl Fn([u8; B]) -> T,
) -> Result<Vec<V>, GltfError>
where
    T: Copy + Default,
    V: From<[T; N]>,
{
    let element = |bytes: &[u8]| -> V {
        let component = |index: usize| {
            let mut buffer = [0; B];
            buffer.copy_from_slice(&bytes[index * B..(index + 1) * B]);
            component(buffer)
        };
        V::from(core::array::from_fn(component))
    };
    let mut values: Vec<V> = match layout.bytes {
        // The last element may be shorter than the stride.
        Some(bytes) => bytes
            .chunks(layout.stride)
            .take(layout.count)
            .map(element)
            .collect(),
        None => (0..layout.count)
            .map(|_| V::from([T::default(); N]))
            .collect(),
    };
    if let Some(sparse) = &layout.sparse {
        let replacements = sparse.values.chunks(N * B).take(sparse.count);
        for (position, bytes) in replacements.enumerate() {
            let index = sparse.index(position);
            let count = values.len() as u64;
            let value = usize::try_from(index)
                .ok()
                .and_then(|index| values.get_mut(index))
                .ok_or_else(|| GltfError::SparseIndex {
                    accessor,
                    usage: usage.to_string(),
                    index,
                    count,
                })?;
            *value = element(bytes);
        }
    }
    Ok(values)
}

impl SparseLayout<'_> {
    fn index(&self, position: usize) -> u64 {
        let size = self.index_component.bytes();
        self.indices[position * size..(position + 1) * size]
            .iter()
            .rev()
            .fold(0, |index, &byte| (index << 8) | u64::from(byte))
    }
}
