//! The glTF importer on files built in code: good ones must arrive complete,
//! broken ones must name what is broken.

#[path = "../common/mod.rs"]
mod common;

mod accessors;
mod clips;
mod container;
mod fixture;
mod geometry;
mod nodes;
mod robustness;
mod skins;
mod surfaces;
mod uris;
