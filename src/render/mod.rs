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
//!    pointer); frame uniforms, instances, **one** buffer of skin matrices and one
//!    of morph weights are written, one write each.
//! 2. The key light's view: depth for shadows on meshes; coverage with its smaller
//!    levels, and from these the soft shadow on the ground.
//! 3. Ambient occlusion at half the resolution, where characters are: the depth of
//!    solid meshes and of the ground, openness from that depth, a blur that stops at
//!    edges.
//! 4. The scene: solid meshes, blended meshes, edges, overlay; reverse-Z,
//!    multisampled, linear colours premultiplied by alpha.
//! 5. The picture: samples averaged, laid over grid, ground shadow and background,
//!    encoded. Each pixel finds the ground by its ray, so the ground is always behind.
//!    It is drawn part by part, each by the leanest program that shows it (`plan`).
//!
//! [`Renderer::measure`] tells what each stage costs.
//!
//! | bind group | content | changes |
//! |---|---|---|
//! | 0 | frame uniforms, shadow maps, ambient occlusion | once per view |
//! | 1 | instances, skin matrices, morph weights and displacements, further influences | per model |
//! | 2 | material | per material |
//!
//! # Light and colour
//!
//! Shading computes unbounded radiance and maps it to display range (Khronos PBR
//! Neutral) at the end of the fragment shader, before samples are averaged: a bright
//! highlight does not fray its edge, and unlit colours, grid and skeleton come out
//! exactly as given. All blending is linear; sRGB is encoded once per pixel, at the
//! end. (Tone mapping the averaged picture instead would need one more full pass and
//! could not tell unlit colours from lit ones.)
//!
//! The sky is analytic (a gradient with soft lights): diffuse light comes from nine
//! spherical harmonics, reflections from closed-form convolutions, and nothing has
//! to be baked before the first picture. Pipelines are compiled when first needed,
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
mod draws;
mod environment;
mod error;
mod gpu;
mod layouts;
mod model;
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
mod target;
mod timing;
pub mod uniforms;
mod view;

pub use environment::Environment;
pub use error::RenderError;
pub use gpu::{Gpu, GpuError, GpuOptions};
pub use quality::Quality;
pub use readback::{DeformedPrimitive, Pixels};
pub use renderer::Renderer;
pub use target::Target;
pub use timing::Stage;
