//! The window's surface: configured, acquired, and mended when it breaks.

use std::{sync::Arc, time::Duration};

use winit::{dpi::PhysicalSize, window::Window};

use super::AppError;
use crate::render::Gpu;

/// A texture of the window to draw on, or when to try again.
pub(super) enum Acquired {
    /// Draw on it and present it.
    Texture(wgpu::SurfaceTexture),
    /// Not now; ask again after this time.
    Later(Duration),
    /// Nobody can see the window; an event will tell when that changes.
    Hidden,
}

/// How long to wait after the compositor did not hand out a texture.
const RETRY: Duration = Duration::from_millis(50);

pub(super) struct Surface {
    window: Arc<Window>,
    gpu: Gpu,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// The configuration and the window differ.
    stale: bool,
}

impl Surface {
    /// Takes over the surface that the adapter was chosen for.
    ///
    /// # Errors
    /// If the adapter cannot draw on it after all.
    pub(super) fn new(
        window: Arc<Window>,
        gpu: &Gpu,
        surface: wgpu::Surface<'static>,
    ) -> Result<Self, AppError> {
        let capabilities = surface.get_capabilities(&gpu.adapter);
        // egui blends in gamma space and wants its bytes shown as they are.
        let format = egui_wgpu::preferred_framebuffer_format(&capabilities.formats)
            .map_err(|error| AppError::Surface(error.to_string()))?;
        let config = wgpu::SurfaceConfiguration {
            format,
            present_mode: wgpu::PresentMode::AutoVsync,
            ..surface
                .get_default_config(&gpu.adapter, 1, 1)
                .ok_or_else(|| AppError::Surface("the adapter cannot present to it".into()))?
        };
        Ok(Self {
            window,
            gpu: gpu.clone(),
            surface,
            config,
            stale: true,
        })
    }

    /// Layout of its pixels.
    pub(super) fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    /// Pixels across and down.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Follows the window, within what the device can do. An empty size changes
    /// nothing: there is nothing to draw on.
    pub(super) fn resize(&mut self, size: PhysicalSize<u32>) {
        let limit = self.gpu.device.limits().max_texture_dimension_2d;
        let (width, height) = (size.width.min(limit), size.height.min(limit));
        if width > 0 && height > 0 && [width, height] != self.size() {
            self.config.width = width;
            self.config.height = height;
            self.stale = true;
        }
    }

    /// The next texture. *Outdated* surfaces are configured again and *lost* ones
    /// made again, once each per call.
    pub(super) fn acquire(&mut self) -> Acquired {
        use wgpu::CurrentSurfaceTexture as Current;
        for _ in 0..2 {
            if self.stale {
                self.surface.configure(&self.gpu.device, &self.config);
                self.stale = false;
            }
            match self.surface.get_current_texture() {
                Current::Success(texture) => return Acquired::Texture(texture),
                Current::Suboptimal(texture) => {
                    // Good enough for this frame.
                    self.stale = true;
                    return Acquired::Texture(texture);
                }
                Current::Outdated => self.stale = true,
                Current::Lost => {
                    match self.gpu.instance.create_surface(self.window.clone()) {
                        Ok(surface) => self.surface = surface,
                        Err(error) => log::warn!("cannot make the surface again: {error}"),
                    }
                    self.stale = true;
                }
                Current::Occluded => return Acquired::Hidden,
                Current::Timeout | Current::Validation => return Acquired::Later(RETRY),
            }
        }
        Acquired::Later(RETRY)
    }
}
