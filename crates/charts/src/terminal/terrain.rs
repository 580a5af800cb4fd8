//! Characters and terminal colours of terrain, hexside terrain and works.

use crate::look::{Look, Style};
use asl::board::map::{Barrier, HexContents, Works};

pub(super) fn style(ground: &HexContents) -> Style {
    match (Look::from_hex(ground), ground.level) {
        (Look::Open, 2..) => "38;5;16;48;5;137",
        (Look::Open, 1) => "38;5;16;48;5;180",
        (look, _) => look.style(),
    }
}

pub(super) fn letter(barrier: Barrier) -> &'static str {
    match barrier {
        Barrier::Wall => "+",
        Barrier::Hedge => "%",
        Barrier::Bocage => "&",
        Barrier::Roadblock => "X",
        Barrier::Cliff => "^",
    }
}

/// Returns the signs for level, works, SMOKE, Blaze and minefield, such as `2fs*`, or nothing.
pub(super) fn low_marks(ground: &HexContents) -> String {
    let level = if ground.level == 0 { String::new() } else { ground.level.to_string() };
    let works = match ground.works {
        Some(Works::Foxhole) => "f",
        Some(Works::Trench) => "t",
        Some(Works::Pillbox) => "p",
        None => "",
    };
    let (smoke, blaze) = (if ground.smoke { "s" } else { "" }, if ground.blaze { "*" } else { "" });
    let hazard = if ground.hazard { "m" } else { "" };
    let marks = format!("{level}{works}{smoke}{blaze}{hazard}");
    if marks.is_empty() { marks } else { format!("{marks:_^4}").chars().take(4).collect() }
}
