//! Buffers that grow with what is written into them.

use super::RenderError;

/// A buffer written anew each frame; grown by half when too small, so that a
/// growing scene settles after a few frames.
#[derive(Debug)]
pub(super) struct GrowBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: wgpu::Buffer,
}

impl GrowBuffer {
    /// An almost empty buffer: bindings may not be empty.
    pub(super) fn new(
        device: &wgpu::Device,
        label: &'static str,
        usage: wgpu::BufferUsages,
    ) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Self {
            label,
            usage,
            buffer: create(device, label, usage, 256),
        }
    }

    /// The present buffer; a later [`Self::write`] may replace it.
    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Puts `items` at the start. `true` if the buffer was replaced, so that bind
    /// groups with it must be made anew.
    pub(super) fn write<T: bytemuck::NoUninit>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        items: &[T],
    ) -> Result<bool, RenderError> {
        let bytes: &[u8] = bytemuck::cast_slice(items);
        let needed = bytes.len() as u64;
        let grow = needed > self.buffer.size();
        if grow {
            check_size(device, self.label, needed, self.usage)?;
            let roomy = (needed + needed / 2).next_multiple_of(256);
            let size = if check_size(device, self.label, roomy, self.usage).is_ok() {
                roomy
            } else {
                needed.next_multiple_of(4)
            };
            self.buffer = create(device, self.label, self.usage, size);
        }
        if !bytes.is_empty() {
            queue.write_buffer(&self.buffer, 0, bytes);
        }
        Ok(grow)
    }
}

fn create(
    device: &wgpu::Device,
    label: &str,
    usage: wgpu::BufferUsages,
    size: u64,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// Refuses what the device cannot hold in one buffer of this use.
pub(super) fn check_size(
    device: &wgpu::Device,
    object: &str,
    bytes: u64,
    usage: wgpu::BufferUsages,
) -> Result<(), RenderError> {
    let limits = device.limits();
    let (limit, allowed) = if usage.contains(wgpu::BufferUsages::STORAGE)
        && limits.max_storage_buffer_binding_size < limits.max_buffer_size
    {
        (
            "max_storage_buffer_binding_size",
            limits.max_storage_buffer_binding_size,
        )
    } else {
        ("max_buffer_size", limits.max_buffer_size)
    };
    if bytes > allowed {
        return Err(RenderError::TooLarge {
            object: object.to_owned(),
            bytes,
            limit,
            allowed,
        });
    }
    Ok(())
}

/// A buffer that is written once and never changes.
pub(super) fn filled<T: bytemuck::NoUninit>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    label: &str,
    usage: wgpu::BufferUsages,
    items: &[T],
) -> Result<wgpu::Buffer, RenderError> {
    let bytes: &[u8] = bytemuck::cast_slice(items);
    // Bindings may not be empty, and sizes are multiples of four.
    let size = (bytes.len() as u64).max(16).next_multiple_of(4);
    check_size(device, label, size, usage)?;
    let buffer = create(device, label, usage | wgpu::BufferUsages::COPY_DST, size);
    if !bytes.is_empty() {
        queue.write_buffer(&buffer, 0, bytes);
    }
    Ok(buffer)
}
