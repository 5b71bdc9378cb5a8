//! The menu of what curves are compared with.

use egui_kittest::kittest::Queryable as _;
use rigscope::anim::{Hemisphere, Interpolation};

use crate::{curves::curves_of, drive::harness, support::human};

#[test]
fn comparisons_come_in_groups_with_headings() {
    let mut harness = harness(curves_of(human()));
    harness.get_by_label("Compare").click();
    harness.run_steps(3);
    let popup = harness.get_by_label("Other interpolation").rect().left();
    let top = |label: &str| {
        let mut nodes = harness.query_all_by_label(label);
        let node = nodes.find(|node| (node.rect().left() - popup).abs() < 12.0);
        node.unwrap_or_else(|| panic!("{label}")).rect().top()
    };
    let order = [
        "nothing",
        "as authored",
        "Other interpolation",
        Interpolation::Step.as_str(),
        Interpolation::Slerp.as_str(),
        "Other hemisphere rule",
        Hemisphere::Align.as_str(),
        Hemisphere::Keep.as_str(),
    ];
    for pair in order.windows(2) {
        assert!(top(pair[0]) < top(pair[1]), "{pair:?}");
    }
}
