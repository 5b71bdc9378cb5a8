//! The skeleton overlay and lines as instances of small built-in shapes.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

use super::{RenderError, buffers::GrowBuffer, pipelines::PipelineKey};
use crate::scene::{BoneStyle, Frame};

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
    room: f32,
}

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct LineInstance {
    from: Vec3,
    to: Vec3,
    color: [f32; 4],
    width: f32,
    behind: f32,
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
            0 => Float32x3, 1 => Float32, 2 => Float32x4, 3 => Float32, 4 => Float32
        ],
    })];
pub(super) const LINE_LAYOUT: [Option<wgpu::VertexBufferLayout<'static>>; 1] =
    [Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<LineInstance>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32, 4 => Float32
        ],
    })];

/// Vertices of every shape: a strip of two triangles.
const QUAD_VERTICES: u32 = 4;

/// Overlay instances of the present frame, on the device and as they are made.
#[derive(Debug)]
pub(super) struct Overlay {
    pub bones: Instances<BoneInstance>,
    pub dots: Instances<DotInstance>,
    pub lines: Instances<LineInstance>,
    /// Shape of bones.
    bone_style: BoneStyle,
    /// Pixels that bones and joints may cover: first and past the last, x and y.
    pub area: [u32; 4],
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
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_vertex_buffer(0, self.buffer.buffer().slice(..));
        pass.draw(0..QUAD_VERTICES, 0..self.list.len() as u32);
    }
}

impl Overlay {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        Self {
            bones: Instances::new(device, "bones"),
            dots: Instances::new(device, "joints"),
            lines: Instances::new(device, "lines"),
            bone_style: BoneStyle::default(),
            area: [0; 4],
            order: Vec::new(),
        }
    }

    /// Whether there is anything to draw that surfaces soften.
    pub(super) fn has_layer(&self) -> bool {
        let [left, top, right, bottom] = self.area;
        left < right && top < bottom
    }

    /// Limits a pass to the pixels that bones and joints may cover.
    pub(super) fn limit(&self, pass: &mut wgpu::RenderPass<'_>) {
        let [left, top, right, bottom] = self.area;
        pass.set_scissor_rect(left, top, right - left, bottom - top);
    }

    /// What draws the bones.
    pub(super) fn bone_pipeline(&self) -> PipelineKey {
        match self.bone_style {
            BoneStyle::Octahedra => PipelineKey::Bones,
            BoneStyle::Sticks => PipelineKey::Sticks,
        }
    }

    /// What becomes of the scene's depths: layer and lines are held against them.
    pub(super) fn depth_use(&self) -> wgpu::StoreOp {
        if self.has_layer() || !self.lines.is_empty() {
            wgpu::StoreOp::Store
        } else {
            wgpu::StoreOp::Discard
        }
    }

    /// Takes over a frame's overlay, farthest first: smooth edges blend with what is
    /// behind them. For a target of `size` pixels.
    pub(super) fn update(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        frame: &Frame,
        size: (u32, u32),
        pixels_per_point: f32,
    ) -> Result<(), RenderError> {
        self.bone_style = frame.bone_style;
        self.area = covered(frame, size, pixels_per_point);
        let depth = |p: Vec3| frame.camera.view_from_world.transform_point3(p).z;
        let order = &mut self.order;
        sort_by_depth(order, &frame.bones, |b| depth(b.from.midpoint(b.to)));
        self.bones.list.clear();
        self.bones.list.extend(order.iter().map(|&(_, i)| {
            let bone = &frame.bones[i];
            BoneInstance {
                head: bone.from,
                radius: bone.radius,
                tail: bone.to,
                side: bone.side,
                color: bone.color.to_array(),
            }
        }));
        sort_by_depth(order, &frame.joints, |dot| depth(dot.position));
        self.dots.list.clear();
        self.dots.list.extend(order.iter().map(|&(_, i)| {
            let dot = &frame.joints[i];
            DotInstance {
                position: dot.position,
                radius: dot.radius,
                color: dot.color.to_array(),
                least: dot.least_radius,
                room: dot.room,
            }
        }));
        self.lines.list.clear();
        self.lines
            .list
            .extend(frame.lines.iter().map(|line| LineInstance {
                from: line.from,
                to: line.to,
                color: line.color.to_array(),
                width: line.width,
                behind: line.behind,
            }));
        self.bones.upload(device, queue)?;
        self.dots.upload(device, queue)?;
        self.lines.upload(device, queue)
    }
}

/// The pixels that bones and joints may cover, with room to spare: everything else
/// need not be looked at. All of the picture where something reaches the eye.
fn covered(frame: &Frame, (width, height): (u32, u32), pixels_per_point: f32) -> [u32; 4] {
    /// Outline, smooth edge and the least radii of `shaders/bones.wgsl`, points.
    const ROOM: f32 = 6.0;
    let size = Vec2::new(width as f32, height as f32);
    let clip_from_world = frame.camera.clip_from_view * frame.camera.view_from_world;
    let pixels = clip_from_world.row(1).truncate().length() * size.y * 0.5;
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    let mut grow = |at: Vec3, radius: f32| {
        let clip = clip_from_world * at.extend(1.0);
        let w = clip.w.max(1e-9);
        let middle = (clip.truncate().truncate() / w * Vec2::new(0.5, -0.5) + 0.5) * size;
        // A corner of a bone may be nearer than its ends, and so appear larger.
        let reach = radius * pixels / (w - radius).max(w * 0.1) + ROOM * pixels_per_point;
        low = low.min(middle - reach);
        high = high.max(middle + reach);
        clip.w > clip.z
    };
    let mut is_before_eye = true;
    for bone in &frame.bones {
        is_before_eye &= grow(bone.from, bone.radius) & grow(bone.to, bone.radius);
    }
    for dot in &frame.joints {
        grow(dot.position, dot.radius);
    }
    if !is_before_eye {
        return [0, 0, width, height];
    }
    let low = low.floor().clamp(Vec2::ZERO, size).as_uvec2();
    let high = high.ceil().clamp(Vec2::ZERO, size).as_uvec2().max(low);
    [low.x, low.y, high.x, high.y]
}

/// Indices of `items` by view-space z, the farthest first: a total order even if a
/// broken pose makes positions non-finite.
fn sort_by_depth<T>(order: &mut Vec<(f32, usize)>, items: &[T], depth: impl Fn(&T) -> f32) {
    order.clear();
    order.extend(items.iter().enumerate().map(|(i, item)| (depth(item), i)));
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
}
