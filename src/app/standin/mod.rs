//! Stand-ins for modules that are written beside this one.
#![allow(missing_docs, reason = "goes away when the real modules arrive")]
pub mod import;
pub mod render;
pub mod ui;
