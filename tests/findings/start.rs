//! Nothing is wrong with the file that the others start from.

use crate::{
    asserts::{findings, load},
    file::{arm, bending_arm},
};

#[test]
fn the_start_is_clean_with_and_without_a_clip() {
    for file in [arm(), bending_arm()] {
        assert_eq!(findings(&load(&file)), []);
    }
}
