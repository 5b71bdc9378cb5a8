//! rigscope
fn main() {}
