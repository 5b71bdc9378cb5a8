//! The device: how it is found, what it can do, what went wrong on it.

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Why there is no usable graphics device.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// No driver answered on any backend.
    #[error(
        "no graphics adapter was found ({reason}); install a Vulkan driver, such as the \
         package mesa-vulkan-drivers (Debian, Ubuntu, Fedora) or vulkan-swrast (Arch), \
         which also draws without a graphics card"
    )]
    NoAdapter {
        /// What the loader said.
        reason: String,
    },
    /// The adapter lacks something that every picture needs.
    #[error("{adapter} offers {limit} = {offered}, {needed} are needed")]
    TooLittle {
        /// Adapter's name.
        adapter: String,
        /// Name of the limit.
        limit: &'static str,
        /// What it offers.
        offered: u64,
        /// What rigscope needs.
        needed: u64,
    },
    /// The driver refused to open the device.
    #[error("the driver of {adapter} refused to open it: {reason}")]
    Device {
        /// Adapter's name.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
}

/// How to look for a device without a window.
#[derive(Debug, Clone, Default)]
pub struct GpuOptions {
    /// Only this rasteriser kind: `true` asks for one that runs on the CPU, so
    /// that pictures do not depend on the graphics card.
    pub software: bool,
}

/// An open device with its queue, and the errors that nobody caught.
#[derive(Debug, Clone)]
pub struct Gpu {
    /// The loader.
    pub instance: wgpu::Instance,
    /// The card, or the software rasteriser.
    pub adapter: wgpu::Adapter,
    /// The open device.
    pub device: wgpu::Device,
    /// Its only queue.
    pub queue: wgpu::Queue,
    /// Name, driver and kind.
    pub info: wgpu::AdapterInfo,
    errors: Arc<ErrorLog>,
}

impl Gpu {
    /// Where to look for a device, in this order: Vulkan (or Metal, Direct3D) comes
    /// first; OpenGL is loaded only where that finds nothing, because loading it costs
    /// time and memory. The environment variable `WGPU_BACKEND` overrides the choice.
    pub fn backends() -> Vec<wgpu::Backends> {
        match wgpu::Backends::from_env() {
            Some(backends) => vec![backends],
            None => vec![wgpu::Backends::PRIMARY, wgpu::Backends::GL],
        }
    }

    /// Opens a device without a window.
    ///
    /// # Errors
    /// See [`GpuError`].
    pub fn headless(options: &GpuOptions) -> Result<Self, GpuError> {
        let mut reason = String::new();
        for backends in Self::backends() {
            let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
                backends,
                flags: wgpu::InstanceFlags::from_build_config().with_env(),
                ..wgpu::InstanceDescriptor::new_without_display_handle()
            });
            let adapter =
                pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
                    power_preference: wgpu::PowerPreference::HighPerformance,
                    force_fallback_adapter: options.software,
                    ..Default::default()
                }));
            match adapter {
                Ok(adapter) => return Self::open(instance, adapter),
                Err(error) => reason = error.to_string(),
            }
        }
        Err(GpuError::NoAdapter { reason })
    }

    /// Opens an adapter that somebody chose, such as one that can draw on a window.
    /// Errors that nobody catches are collected from here on.
    ///
    /// # Errors
    /// [`GpuError::TooLittle`] if the adapter cannot do what every picture needs,
    /// [`GpuError::Device`] if its driver refuses.
    pub fn open(instance: wgpu::Instance, adapter: wgpu::Adapter) -> Result<Self, GpuError> {
        check_adapter(&adapter)?;
        let (device, queue) = pollster::block_on(
            adapter.request_device(&device_descriptor(&adapter)),
        )
        .map_err(|error| GpuError::Device {
            adapter: adapter.get_info().name,
            reason: error.to_string(),
        })?;
        let errors = Arc::new(ErrorLog::default());
        let log = errors.clone();
        device.on_uncaptured_error(Arc::new(move |error| log.record(error.to_string())));
        let log = errors.clone();
        device.set_device_lost_callback(move |reason, message| {
            // Dropping the device at the end reports `Destroyed`: no news.
            if reason != wgpu::DeviceLostReason::Destroyed {
                log.lost.store(true, Ordering::Relaxed);
                log.record(format!("the graphics device was lost: {message}"));
            }
        });
        Ok(Self {
            info: adapter.get_info(),
            instance,
            adapter,
            device,
            queue,
            errors,
        })
    }

    /// Uncaught device errors since the last call, each text once per session.
    pub fn take_errors(&self) -> Vec<String> {
        self.errors.take()
    }

    /// Whether the device is gone; everything made from it must be made anew.
    pub fn is_lost(&self) -> bool {
        self.errors.lost.load(Ordering::Relaxed)
    }

    /// Whether the adapter draws on the CPU.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }
}

/// How to open the adapter, for the window and for headless use alike.
fn device_descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
    wgpu::DeviceDescriptor {
        label: Some("rigscope device"),
        // Where there are time stamps, `Renderer::measure` can use them.
        required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
        // Everything it offers: a rig may need large buffers, and asking for less
        // gains nothing.
        required_limits: adapter.limits(),
        // Small blocks: a viewer's few buffers should not reserve hundreds of MiB.
        memory_hints: wgpu::MemoryHints::MemoryUsage,
        ..Default::default()
    }
}

/// Storage buffers of the vertex stage; see `shaders/lib/deform.wgsl`.
const STORAGE_BUFFERS: u32 = 5;

fn check_adapter(adapter: &wgpu::Adapter) -> Result<(), GpuError> {
    let limits = adapter.limits();
    let too_little = |limit, offered: u32, needed: u32| {
        if offered < needed {
            Err(GpuError::TooLittle {
                adapter: adapter.get_info().name,
                limit,
                offered: u64::from(offered),
                needed: u64::from(needed),
            })
        } else {
            Ok(())
        }
    };
    let vertex_storage = adapter
        .get_downlevel_capabilities()
        .flags
        .contains(wgpu::DownlevelFlags::VERTEX_STORAGE);
    too_little(
        "max_storage_buffers_per_shader_stage (vertex)",
        if vertex_storage {
            limits.max_storage_buffers_per_shader_stage
        } else {
            0
        },
        STORAGE_BUFFERS,
    )?;
    too_little("max_bind_groups", limits.max_bind_groups, 3)?;
    too_little("max_vertex_attributes", limits.max_vertex_attributes, 7)
}

/// Device errors that nobody caught, without repeats.
#[derive(Debug, Default)]
struct ErrorLog {
    messages: Mutex<Messages>,
    lost: AtomicBool,
}

#[derive(Debug, Default)]
struct Messages {
    fresh: Vec<String>,
    seen: HashSet<String>,
}

impl ErrorLog {
    /// Texts kept to recognise repeats; past this, errors are only logged.
    const LIMIT: usize = 256;

    fn record(&self, message: String) {
        log::warn!("graphics device: {message}");
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        if messages.seen.len() < Self::LIMIT && messages.seen.insert(message.clone()) {
            messages.fresh.push(message);
        }
    }

    fn take(&self) -> Vec<String> {
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut messages.fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_once_however_often_it_comes() {
        let log = ErrorLog::default();
        for _ in 0..3 {
            log.record("bad draw".to_owned());
        }
        assert_eq!(log.take(), ["bad draw"]);
        log.record("bad draw".to_owned());
        log.record("worse draw".to_owned());
        assert_eq!(log.take(), ["worse draw"]);
    }
}
