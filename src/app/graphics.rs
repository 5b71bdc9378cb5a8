//! Everything on the graphics device: the window's surface, egui's painter, the
//! scene's renderer and the texture of the view.

use std::{sync::Arc, time::Duration};

use egui::{ClippedPrimitive, TextureId, TexturesDelta};
use egui_wgpu::{RendererOptions, ScreenDescriptor};
use winit::{event_loop::OwnedDisplayHandle, window::Window};

use super::{
    AppError,
    surface::{Acquired, Surface},
};
use crate::{
    render::{Gpu, GpuError, Pixels, Prepared, Quality, RenderError, Renderer, Target},
    scene::Frame,
};

/// How painting a frame went.
pub(super) enum Painted {
    /// It is on the screen.
    Presented,
    /// Not this time; paint again after this time.
    Later(Duration),
    /// Nobody can see the window.
    Hidden,
}

pub(super) struct Graphics {
    window: Arc<Window>,
    pub(super) gpu: Gpu,
    pub(super) surface: Surface,
    painter: egui_wgpu::Renderer,
    renderer: Renderer,
    quality: Quality,
    /// The view's pictures, one for each side of a comparison.
    views: Vec<ViewPicture>,
}

/// A picture of the 3D view.
struct ViewPicture {
    target: Target,
    /// egui's name for it.
    texture: Option<TextureId>,
}

impl Graphics {
    /// Opens the device that draws on this window.
    ///
    /// # Errors
    /// Says which step the system refused.
    pub(super) fn new(
        window: &Arc<Window>,
        display: &OwnedDisplayHandle,
    ) -> Result<Self, AppError> {
        let (gpu, surface) = open_device(window, display)?;
        let surface = Surface::new(window.clone(), &gpu, surface)?;
        let painter =
            egui_wgpu::Renderer::new(&gpu.device, surface.format(), RendererOptions::default());
        let quality = Quality::for_gpu(&gpu);
        let mut renderer = Renderer::new(&gpu, &quality)?;
        renderer.split_ground(true);
        Ok(Self {
            window: window.clone(),
            renderer,
            views: Vec::new(),
            quality,
            painter,
            surface,
            gpu,
        })
    }

    /// What egui calls a picture of the view, once there is one.
    pub(super) fn texture(&self, index: usize) -> Option<TextureId> {
        self.views.get(index)?.texture
    }

    /// Gives the view so many pictures of this many pixels each; returns whether they must
    /// be drawn anew.
    pub(super) fn resize_views(&mut self, count: usize, [width, height]: [u32; 2]) -> bool {
        for dropped in self.views.drain(count.min(self.views.len())..) {
            if let Some(id) = dropped.texture {
                self.painter.free_texture(&id);
            }
        }
        let device = &self.gpu.device;
        let mut changed = false;
        while self.views.len() < count {
            self.views.push(ViewPicture {
                target: Target::new(&self.gpu, 0, 0, &self.quality),
                texture: None,
            });
        }
        for picture in &mut self.views {
            if !picture.target.resize(width, height) {
                continue;
            }
            let Some(view) = picture.target.color_view() else {
                continue;
            };
            // One texel is one pixel, so nothing is ever filtered.
            let filter = wgpu::FilterMode::Nearest;
            match picture.texture {
                Some(id) => self
                    .painter
                    .update_egui_texture_from_wgpu_texture(device, view, filter, id),
                None => {
                    let id = self.painter.register_native_texture(device, view, filter);
                    picture.texture = Some(id);
                }
            }
            changed = true;
        }
        changed
    }

    /// Takes what was prepared for a document that is about to be shown.
    pub(super) fn expect(&mut self, prepared: Prepared) {
        self.renderer.expect(prepared);
    }

    /// Draws a scene into a picture of the view, with overlays to fit the screen.
    ///
    /// # Errors
    /// What the renderer says; the old picture stays.
    pub(super) fn render_view(
        &mut self,
        index: usize,
        frame: &Frame,
        pixels_per_point: f32,
    ) -> Result<(), RenderError> {
        let Some(picture) = self.views.get(index) else {
            return Ok(());
        };
        self.renderer.set_pixels_per_point(pixels_per_point);
        self.renderer.render(frame, &picture.target)
    }

    /// What had to be changed to fit the device since the last call.
    pub(super) fn take_messages(&mut self) -> Vec<String> {
        self.renderer.take_messages()
    }

    /// Draws the scene into a picture of its own, of the view's size.
    ///
    /// # Errors
    /// What the renderer says.
    pub(super) fn picture(&mut self, frame: &Frame) -> Result<Pixels, RenderError> {
        let size = self.views.first().map(|picture| picture.target.size());
        let (width, height) = size.unwrap_or_default();
        let target = Target::new(&self.gpu, width, height, &self.quality);
        self.renderer.render(frame, &target)?;
        self.renderer.read_pixels(&target)
    }

    /// Brings egui's shapes on the screen. Texture changes are taken over even
    /// where nothing can be shown, for they come only once.
    pub(super) fn paint(
        &mut self,
        textures: &mut TexturesDelta,
        shapes: &[ClippedPrimitive],
        pixels_per_point: f32,
    ) -> Painted {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        for (id, deltas) in textures.set.drain() {
            for delta in deltas {
                self.painter.update_texture(device, queue, id, &delta);
            }
        }
        let painted = match self.surface.acquire() {
            Acquired::Texture(texture) => {
                self.paint_on(&texture, shapes, pixels_per_point);
                self.window.pre_present_notify();
                self.gpu.queue.present(texture);
                Painted::Presented
            }
            Acquired::Later(delay) => Painted::Later(delay),
            Acquired::Hidden => Painted::Hidden,
        };
        for id in textures.free.drain() {
            self.painter.free_texture(&id);
        }
        painted
    }

    fn paint_on(
        &mut self,
        texture: &wgpu::SurfaceTexture,
        shapes: &[ClippedPrimitive],
        pixels_per_point: f32,
    ) {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        // The texture's own size: the window may have changed since.
        let screen = ScreenDescriptor {
            size_in_pixels: [texture.texture.width(), texture.texture.height()],
            pixels_per_point,
        };
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("panels"),
        });
        let before = (self.painter).update_buffers(device, queue, &mut encoder, shapes, &screen);
        let view = texture
            .texture
            .create_view(&wgpu::TextureViewDescriptor::default());
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("panels"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    resolve_target: None,
                    depth_slice: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..wgpu::RenderPassDescriptor::default()
            });
            // The encoder is not touched before the pass is dropped.
            self.painter
                .render(&mut pass.forget_lifetime(), shapes, &screen);
        }
        queue.submit(before.into_iter().chain([encoder.finish()]));
    }
}

/// The first adapter that can draw on the window.
fn open_device(
    window: &Arc<Window>,
    display: &OwnedDisplayHandle,
) -> Result<(Gpu, wgpu::Surface<'static>), AppError> {
    let mut reason = String::new();
    for backends in Gpu::backends() {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends,
            ..wgpu::InstanceDescriptor::new_with_display_handle_from_env(Box::new(display.clone()))
        });
        let surface = match instance.create_surface(window.clone()) {
            Ok(surface) => surface,
            Err(error) => {
                reason = error.to_string();
                continue;
            }
        };
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: Some(&surface),
            ..wgpu::RequestAdapterOptions::default()
        }));
        let adapter = match adapter {
            Ok(adapter) => adapter,
            Err(error) => {
                reason = error.to_string();
                continue;
            }
        };
        return Ok((Gpu::open(instance, adapter)?, surface));
    }
    Err(GpuError::NoAdapter { reason }.into())
}
