//! The glTF importer on files built in code: good ones must arrive complete,
//! broken ones must name what is broken.

#![allow(
    clippy::needless_pass_by_value,
    reason = "`json!` values written where they are used read best"
)]
#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]

#[path = "../common/mod.rs"]
mod common;

mod accessors;
mod clips;
mod container;
mod draco;
mod fixture;
mod geometry;
mod meshopt;
mod meshopt_encoder;
mod nodes;
mod robustness;
mod skins;
mod surfaces;
mod uris;
