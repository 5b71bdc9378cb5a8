//! Findings: for each code a small file built in code that raises exactly it, and
//! one alike that does not.
//!
//! `file` holds the file to start from, `asserts` the words for its outcome; the other
//! modules are the pairs, by subject.

#![allow(
    clippy::needless_pass_by_value,
    reason = "`json!` values written where they are used read best"
)]
#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]
#![allow(dead_code, reason = "each module uses its own part of the helpers")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../support/random_rig.rs"]
mod random_rig;

mod asserts;
mod clips;
mod corpus;
mod file;
mod random;
mod rig;
mod rig_bind;
mod rig_files;
mod rig_nodes;
mod rig_robust;
mod rig_speed;
mod rig_weights;
mod rotation;
mod seams;
mod start;
mod validator;
