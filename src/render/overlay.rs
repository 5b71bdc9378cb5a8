//! The skeleton overlay and lines as instances of small built-in shapes.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::{RenderError, buffers::GrowBuffer};
use crate::scene::Frame;

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct BoneInstance {
    head: Vec3,
    radius: f32,
    tail: Vec3,
    side: Vec3,
    color: [f32; 4],
}

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct DotInstance {
    position: Vec3,
    radius: f32,
    color: [f32; 4],
    least: f32,
}

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct LineInstance {
    from: Vec3,
    to: Vec3,
    color: [f32; 4],
    width: f32,
}

pub(super) const BONE_LAYOUT: [Option<wgpu::VertexBufferLayout<'static>>; 1] =
    [Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<BoneInstance>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Float32x3, 4 => Float32x4
        ],
    })];
pub(super) const DOT_LAYOUT: [Option<wgpu::VertexBufferLayout<'static>>; 1] =
    [Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<DotInstance>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32, 2 => Float32x4, 3 => Float32
        ],
    })];
pub(super) const LINE_LAYOUT: [Option<wgpu::VertexBufferLayout<'static>>; 1] =
    [Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<LineInstance>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32
        ],
    })];

/// Vertices of a bone: eight triangles.
pub(super) const BONE_VERTICES: u32 = 24;
/// Vertices of a dot or line: a strip of two triangles.
pub(super) const QUAD_VERTICES: u32 = 4;

/// Overlay instances of the present frame, on the device and as they are made.
#[derive(Debug)]
pub(super) struct Overlay {
    pub bones: Instances<BoneInstance>,
    pub dots: Instances<DotInstance>,
    /// Lines that surfaces hide, then those drawn through.
    pub lines: Instances<LineInstance>,
    pub lines_through: Instances<LineInstance>,
    order: Vec<(f32, usize)>,
}

/// Instances with their buffer.
#[derive(Debug)]
pub(super) struct Instances<T> {
    list: Vec<T>,
    buffer: GrowBuffer,
}

impl<T: bytemuck::NoUninit> Instances<T> {
    fn new(device: &wgpu::Device, label: &'static str) -> Self {
        Self {
            list: Vec::new(),
            buffer: GrowBuffer::new(device, label, wgpu::BufferUsages::VERTEX),
        }
    }

    fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), RenderError> {
        self.buffer.write(device, queue, &self.list).map(|_| ())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Draws all of them with the pipeline that is set.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, vertices: u32) {
        pass.set_vertex_buffer(0, self.buffer.buffer().slice(..));
        pass.draw(0..vertices, 0..self.list.len() as u32);
    }
}

impl Overlay {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        Self {
            bones: Instances::new(device, "bones"),
            dots: Instances::new(device, "joints"),
            lines: Instances::new(device, "lines"),
            lines_through: Instances::new(device, "lines through surfaces"),
            order: Vec::new(),
        }
    }

    /// Takes over a frame's overlay, farthest first so that translucent parts
    /// blend rightly.
    pub(super) fn update(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        frame: &Frame,
    ) -> Result<(), RenderError> {
        let depth = |p: Vec3| frame.camera.view_from_world.transform_point3(p).z;
        self.order.clear();
        self.order.extend(
            frame
                .bones
                .iter()
                .enumerate()
                .map(|(i, bone)| (depth(bone.from.midpoint(bone.to)), i)),
        );
        // Total order even if a broken pose makes positions non-finite.
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        self.bones.list.clear();
        self.bones.list.extend(self.order.iter().map(|&(_, i)| {
            let bone = &frame.bones[i];
            BoneInstance {
                head: bone.from,
                radius: bone.radius,
                tail: bone.to,
                side: bone.side,
                color: bone.color.to_array(),
            }
        }));
        self.order.clear();
        self.order.extend(
            frame
                .joints
                .iter()
                .enumerate()
                .map(|(i, dot)| (depth(dot.position), i)),
        );
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        self.dots.list.clear();
        self.dots.list.extend(self.order.iter().map(|&(_, i)| {
            let dot = &frame.joints[i];
            DotInstance {
                position: dot.position,
                radius: dot.radius,
                color: dot.color.to_array(),
                least: dot.least_radius,
            }
        }));
        for (instances, through) in [(&mut self.lines, false), (&mut self.lines_through, true)] {
            instances.list.clear();
            let lines = frame.lines.iter().filter(|line| line.through == through);
            instances.list.extend(lines.map(|line| LineInstance {
                from: line.from,
                to: line.to,
                color: line.color.to_array(),
                width: line.width,
            }));
        }
        self.bones.upload(device, queue)?;
        self.dots.upload(device, queue)?;
        self.lines.upload(device, queue)?;
        self.lines_through.upload(device, queue)
    }
}
