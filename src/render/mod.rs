//! From a [`Frame`](crate::scene::Frame) to pixels: the only wgpu code but the
//! window's.
//!
//! ```no_run
//! # fn draw(frame: &rigscope::scene::Frame) -> Result<(), Box<dyn std::error::Error>> {
//! use rigscope::render::{Gpu, GpuOptions, Quality, Renderer, Target};
//!
//! let gpu = Gpu::headless(&GpuOptions::default())?;
//! let quality = Quality::for_gpu(&gpu);
//! let target = Target::new(&gpu, 640, 480, &quality);
//! let mut renderer = Renderer::new(&gpu, &quality)?;
//! renderer.render(frame, &target)?; // built for `target.aspect()`
//! let picture = renderer.read_pixels(&target)?;
//! # Ok(()) }
//! ```
//!
//! The window chooses an adapter that can draw on it, opens it by [`Gpu::open`], and
//! shows [`Target::color_view`] as an egui texture.
//!
//! # What happens in a frame
//!
//! 1. Documents that are new are uploaded ([`Renderer`] finds them by `Arc`
//!    pointer; [`Prepared`] is the part of it that takes no device, done by the thread
//!    that reads the file); frame uniforms, instances, **one** buffer of skin matrices and one
//!    of morph weights are written, one write each.
//! 2. The key light's view: depth for shadows on meshes; coverage with its smaller
//!    levels, and from these the soft shadow on the ground.
//! 3. Ambient occlusion at half the resolution, where characters are: the depth of
//!    solid meshes, openness from that and the ground's, a blur that stops at edges.
//! 4. The scene: solid meshes, blended meshes, edges; reverse-Z, multisampled, linear
//!    colours premultiplied by alpha.
//! 5. The picture: samples averaged, laid over grid, ground shadow and background,
//!    encoded. Each pixel finds the ground by its ray, so the ground is always behind.
//!    It is drawn part by part, each by the leanest program that shows it (`plan`).
//! 6. The skeleton overlay: bones and joints on a layer with a depth of its own, where
//!    they hide each other and never add up; the layer over the picture, softer where
//!    the scene's surface is before it; lines over both. One sample will do, for
//!    fragments work out their own coverage; only the pixels about the bones are
//!    touched. (Bones in the scene's pass, as blended triangles, added up where they
//!    crossed, speckled where they grazed the skin, and changed with the exposure.)
//!
//! Where pipelines are missing, as in a first frame, stages 2 and 3 are submitted by
//! themselves, so that the device is busy while those of the later stages are compiled.
//!
//! [`Renderer::measure`] tells what each stage costs.
//!
//! | bind group | content | changes |
//! |---|---|---|
//! | 0 | frame uniforms, shadow maps, the sky's map, ambient occlusion | once per view |
//! | 1 | instances, skin matrices, morph weights and displacements, further influences | per model |
//! | 2 | material | per material |
//!
//! # Light and colour
//!
//! Shading computes unbounded radiance and maps it to display range (Khronos PBR
//! Neutral) at the end of the fragment shader, before samples are averaged: a bright
//! highlight does not fray its edge, and unlit colours and grid come out exactly as
//! given. Blending is linear but for the overlay's; sRGB is encoded once per pixel, at
//! the end. (Tone mapping the averaged picture instead would need one more full pass and
//! could not tell unlit colours from lit ones.)
//!
//! The sky is a formula (a gradient with soft boxes and glows) that `assets/` holds
//! prefiltered: reflections by roughness as a small map, diffuse light as nine
//! spherical harmonics. Nothing has to be baked before the first picture. Pipelines are compiled when first needed,
//! each for the features that its material really uses.
//!
//! # Mirrored parts
//!
//! A negative determinant turns triangles inside out; glTF then counts clockwise
//! ones as front faces. Where all matrices of a draw agree the rasteriser culls by
//! the right winding; where a skin mixes plain and mirrored joints nothing is
//! culled and the fragment shader decides by the vertex's own determinant. What
//! counts is the joint's matrix `M`, not `M M0⁻¹`: a skin bound to mirrored joints
//! turns its draws' sides round.

mod buffers;
mod cores;
mod draws;
mod environment;
mod error;
mod frame_buffers;
mod gpu;
mod heat;
mod join;
mod layer;
mod layouts;
mod model;
mod model_pipeline;
mod occlusion;
mod overlay;
mod passes;
mod pipelines;
mod plan;
mod quality;
mod readback;
mod renderer;
pub mod shaders;
mod shadow;
mod soft_shadow;
mod studio;
mod target;
mod timing;
pub mod uniforms;
mod view;

pub use environment::{Environment, Glow, Sky, SoftBox};
pub use error::RenderError;
pub use gpu::{Gpu, GpuError, GpuOptions};
pub use model::Prepared;
pub use quality::Quality;
pub use readback::{DeformedPrimitive, Pixels};
pub use renderer::Renderer;
pub use studio::{Studio, StudioError};
pub use target::Target;
pub use timing::Stage;
