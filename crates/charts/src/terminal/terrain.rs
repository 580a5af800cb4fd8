//! Characters and terminal colours of terrain, hexside terrain and works.

use crate::look::Look;
use asl::board::map::{Barrier, HexContents, Works};

/// The colours of a character: the numbers of an ANSI escape sequence.
pub(super) type Style = &'static str;

/// Returns the character that fills a hex of a terrain.
pub(crate) fn texture(look: Look) -> &'static str {
    match look {
        Look::Open => " ",
        Look::Road => "=",
        Look::Woods => "\"",
        Look::Wooden => "H",
        Look::Stone => "#",
        Look::Grain => ":",
        Look::Orchard => "o",
        Look::Brush => ";",
        Look::Marsh => "-",
        Look::Water | Look::Stream => "~",
        Look::Gully => "v",
        Look::Shellholes => ".",
        Look::Rubble => "@",
    }
}

pub(super) fn style(ground: &HexContents) -> Style {
    match Look::from_terrain(ground.terrain) {
        Look::Open if ground.level > 1 => "38;5;16;48;5;137",
        Look::Open if ground.level == 1 => "38;5;16;48;5;180",
        Look::Open => "38;5;16;48;5;151",
        Look::Road => "38;5;240;48;5;230",
        Look::Woods => "38;5;22;48;5;71",
        Look::Wooden => "38;5;230;48;5;94",
        Look::Stone => "38;5;255;48;5;243",
        Look::Grain => "38;5;94;48;5;221",
        Look::Orchard => "38;5;22;48;5;114",
        Look::Brush => "38;5;22;48;5;107",
        Look::Marsh => "38;5;24;48;5;109",
        Look::Water | Look::Stream => "38;5;18;48;5;74",
        Look::Gully => "38;5;18;48;5;138",
        Look::Shellholes => "38;5;52;48;5;144",
        Look::Rubble => "38;5;16;48;5;145",
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
