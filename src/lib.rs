//! rigscope, a desktop microscope for skinned characters: the library behind the
//! window, the command line and the tests. These pages are the architecture text.
//!
//! # How data flows
//!
//! ```text
//! file ──import──▶ Document (immutable, Arc)
//!                     │
//!   Command ─▶ Session.apply ─▶ Stage { Character { Player } }, View, selection
//!                     │ advance(dt)
//!                     ▼
//!         anim: Sampler ▶ Pose ▶ Globals ▶ skin matrices
//!                     ▼
//!         scene::build ▶ Frame (plain data, no GPU)
//!                     ▼
//!         render: Renderer ▶ Target ──▶ texture in the window │ PNG │ test
//! ```
//!
//! Data goes one way; the only way back up is a [`session::Command`]. Everything
//! above [`scene::Frame`] runs without a GPU, everything above egui runs without a
//! window. The window, `rigscope render` and the picture tests call the very same
//! [`scene::build`] and renderer; they differ only in who takes the picture.
//!
//! # Layers
//!
//! A module imports only from rows above it; `tests/layering.rs` has this table as
//! data and holds the code to it.
//!
//! | rank | module | holds |
//! |---|---|---|
//! | 0 | [`math`] | transforms, every interpolation of quaternions with its hemisphere explicit, boxes |
//! | 1 | [`document`] | what a file contains, whatever its format; immutable |
//! | 2 | [`import`] | bytes → `Document`: all distrust of input lives here |
//! | 2 | [`anim`] | clip and time → pose → world and skin matrices → vertices (CPU reference) |
//! | 2 | [`export`] | pictures and other bytes → files that are never half there |
//! | 3 | [`analysis`] | what is wrong with a rig and its clips, and the numbers behind it; returns data, never draws |
//! | 3 | [`scene`] | what to draw this frame, as plain data: stage, view, camera, frame |
//! | 3 | [`lab`] | small scenes made in code that show one thing each, and the ways to play them |
//! | 3 | [`compare`] | how far two characters are apart, over joints, vertices and time |
//! | 4 | [`session`] | the window's one mutable state, without input and output; every command, once |
//! | 4 | [`render`] | all of wgpu: device, targets, models, pipelines, passes |
//! | 5 | [`ui`] | egui panels: read `&Session`, push commands |
//! | 6 | [`app`] | the window: event loop, loader thread, watching of files, dialogs |
//! | 6 | [`cli`] | the commands without a window, a file each |
//! | 7 | `main.rs` | arguments in, exit code out |
//!
//! `scene` and `render` know no session and no egui; `session` reads no files: it
//! answers with a [`session::Request`] that the shell carries out and reports back.
//!
//! # A frame in the window
//!
//! Input → panels → commands applied → time advanced → `scene::build` → the view's
//! texture drawn → egui paints → present. egui may run two passes a frame and feeds
//! the input to the first one: the queue of commands is kept across passes and
//! applied once, and commands are absolute, so that a repeat does no harm. Nothing is
//! drawn unless something changed or plays.
//!
//! # Where to add what
//!
//! - **An interpolation mode**: a variant of [`anim::Interpolation`] with its row in
//!   `ALL`, its maths in `math::quat`, its arm in the sampler and in the readable
//!   reference `anim::sample`. Menus, command line and help read the enum.
//! - **A file format**: a folder in `import` that makes a `Document`, and its place
//!   where [`import::load`] tells formats apart. Nothing else changes.
//! - **A command of the window**: a row in the table of `session/action.rs`; menus,
//!   keys, the `?` sheet and the palette read it.
//! - **A command without a window**: a variant in `cli/args.rs` and a file in `cli`.
//! - **A curve**: a variant of [`analysis::curves::Curve`] with its row in `ALL`, its value
//!   and keys in `analysis/curves/joint.rs`; list, lanes and read-out read the enum.
//! - **Something to be found wrong**: a code in `document/finding.rs`, its words in
//!   `analysis/advice.rs`, its check in a file of `analysis`, and two small files in
//!   `tests/findings`: one that raises it and one alike that does not.
//!
//! # Rules of the code
//!
//! Panics are our own bugs only: bad input is an error value or a
//! [`document::Finding`]. Matrices are named `target_from_source`; bare numbers carry
//! their unit (`_secs`, `_radians`). Files aim at 100 to 250 lines and end at 500.
//!
//! # Glossary
//!
//! | word | meaning |
//! |---|---|
//! | joint | a transform node of the file, whether a skin names it or not; *joint index*: parents before children, *node index*: the file's own |
//! | orientation, rotation | both unit quaternions relative to the parent, `local = T · orientation · rotation · S`; the orientation is fixed (glTF: the rest rotation), the rotation is what animation changes |
//! | skeleton | all joints, parents before children |
//! | track, clip | keys over time of one property; a named set of tracks |
//! | pose | every joint relative to its parent, and morph weights |
//! | globals | `M`: world matrix of each joint |
//! | rest pose | the node transforms as stored |
//! | bind pose | where the mesh was bound: `M0`, the inverses of the inverse bind matrices |
//! | skin matrix | `M · M0⁻¹`; a skin's skin matrices are its *palette* |
//! | influence | a joint and a weight on a vertex; four make an *attribute set* |
//! | linear blend skinning | `v = Σ wᵢ Mᵢ M0ᵢ⁻¹ v₀` |
//! | hemisphere | which of `q` and `−q`, the same rotation, a key counts as; it decides which way round the arc goes |
//! | bone | what the skeleton overlay draws from a joint to its child; nothing else is called so |
//! | trail | a joint's path over the clip |
//! | stage, character | all that is on show; one document with a playhead and modes |
//! | frame | one picture as plain data |
//! | finding | something wrong or remarkable in a file: a code, a severity, a place, numbers |

pub mod analysis;
pub mod anim;
pub mod app;
pub mod cli;
pub mod compare;
pub mod document;
pub mod export;
pub mod import;
pub mod lab;
pub mod math;
pub mod render;
pub mod scene;
pub mod session;
pub mod ui;
