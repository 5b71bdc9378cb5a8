//! rigscope
pub mod anim;
pub mod document;
pub mod import;
pub mod math;
pub mod render;
pub mod scene;
pub mod session;
pub mod ui;
