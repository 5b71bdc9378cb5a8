//! The panels without a window: what a person does, and the commands it gives.
//! Numbers and names, not pictures.

#[path = "ui/drive.rs"]
mod drive;
#[path = "ui/support.rs"]
mod support;

#[path = "ui/commands.rs"]
mod commands;
#[path = "ui/compare.rs"]
mod compare;
#[path = "ui/curves.rs"]
mod curves;
#[path = "ui/details.rs"]
mod details;
#[path = "ui/dope.rs"]
mod dope;
#[path = "ui/errors.rs"]
mod errors;
#[path = "ui/fonts.rs"]
mod fonts;
#[path = "ui/inspector.rs"]
mod inspector;
#[path = "ui/layout.rs"]
mod layout;
#[path = "ui/measures.rs"]
mod measures;
#[path = "ui/outliner.rs"]
mod outliner;
#[path = "ui/problem_numbers.rs"]
mod problem_numbers;
#[path = "ui/problems.rs"]
mod problems;
#[path = "ui/robustness.rs"]
mod robustness;
#[path = "ui/sides.rs"]
mod sides;
#[path = "ui/timeline.rs"]
mod timeline;
#[path = "ui/vertex.rs"]
mod vertex;
#[path = "ui/view.rs"]
mod view;
