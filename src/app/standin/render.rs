use crate::scene::Frame;

#[derive(Debug, Clone)]
pub struct Gpu {
    pub instance: wgpu::Instance,
    pub adapter: wgpu::Adapter,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    #[error("no graphics adapter: install mesa-vulkan-drivers and libvulkan1 ({reason})")]
    NoAdapter { reason: String },
    #[error("{adapter} {reason}")]
    Device { adapter: String, reason: String },
}
#[derive(Debug, thiserror::Error)]
#[error("render")]
pub struct RenderError;
pub struct Quality;
impl Quality {
    pub fn for_gpu(_: &Gpu) -> Self {
        Self
    }
}
pub fn device_descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
    wgpu::DeviceDescriptor {
        required_limits: adapter.limits(),
        ..Default::default()
    }
}
impl Gpu {
    pub fn from_parts(
        instance: wgpu::Instance,
        adapter: wgpu::Adapter,
        device: wgpu::Device,
        queue: wgpu::Queue,
    ) -> Result<Self, GpuError> {
        Ok(Self {
            instance,
            adapter,
            device,
            queue,
        })
    }
    pub fn take_errors(&self) -> Vec<String> {
        Vec::new()
    }
    pub fn is_lost(&self) -> bool {
        false
    }
}
pub struct Target {
    device: wgpu::Device,
    size: (u32, u32),
    texture: Option<(wgpu::Texture, wgpu::TextureView)>,
}
impl Target {
    pub fn new(gpu: &Gpu, width: u32, height: u32, _: &Quality) -> Self {
        let mut t = Self {
            device: gpu.device.clone(),
            size: (0, 0),
            texture: None,
        };
        t.resize(width, height);
        t
    }
    pub fn resize(&mut self, width: u32, height: u32) -> bool {
        if self.size == (width, height) {
            return false;
        }
        self.size = (width, height);
        self.texture = (width > 0 && height > 0).then(|| {
            let texture = self.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("view"),
                size: wgpu::Extent3d {
                    width,
                    height,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            });
            let view = texture.create_view(&Default::default());
            (texture, view)
        });
        true
    }
    pub fn size(&self) -> (u32, u32) {
        self.size
    }
    pub fn color_view(&self) -> Option<&wgpu::TextureView> {
        self.texture.as_ref().map(|t| &t.1)
    }
}
pub struct Renderer {
    gpu: Gpu,
}
impl Renderer {
    pub fn new(gpu: &Gpu, _: &Quality) -> Self {
        Self { gpu: gpu.clone() }
    }
    pub fn render(&mut self, frame: &Frame, target: &Target) -> Result<(), RenderError> {
        let Some(view) = target.color_view() else {
            return Ok(());
        };
        let c = frame
            .characters
            .first()
            .map_or(0.0, |c| c.document.skeleton.joints.len() as f64)
            + frame.camera.eye.x as f64;
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                resolve_target: None,
                depth_slice: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color {
                        r: (c * 0.37).fract().abs(),
                        g: 0.3,
                        b: 0.4,
                        a: 1.0,
                    }),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        self.gpu.queue.submit([encoder.finish()]);
        Ok(())
    }
    pub fn read_pixels(&self, target: &Target) -> Result<Vec<u8>, RenderError> {
        Ok(vec![128; (target.size().0 * target.size().1 * 4) as usize])
    }
}
