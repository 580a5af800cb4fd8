//! Colours, for a light page and a dark one.
//!
//! Any two fills, and any fill and either page, differ by at least 1.5 in luminance contrast. So
//! the same six serve both pages. They also differ under protanopia, deuteranopia and tritanopia.
//! Fills after the sixth are hatched.

use std::fmt::Write as _;

use super::text::Type;

/// The fills of adjacent marks, in the order in which they are used.
pub(super) const FILLS: [&str; 6] =
    ["#2d794c", "#aaddb9", "#de9f2f", "#8d887e", "#6b0c1d", "#224e95"];
/// The letters of series where there are no colours.
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Whether a text on each fill is dark.
const PALE: [bool; 6] = [false, true, true, true, false, false];
/// The colours of a light page.
pub(super) const LIGHT: Theme = Theme {
    page: "#fffdf7",
    ink: "#1a1a1a",
    soft: "#55554e",
    rule: "#d9d6cc",
    ramp: "#1b6b41",
    lines: ["#1f8a5a", "#224e95", "#7a1030", "#8a5a00"],
};
pub(super) const DARK: Theme = Theme {
    page: "#111315",
    ink: "#ececec",
    soft: "#b3b3ad",
    rule: "#3a3d40",
    ramp: "#7fdca8",
    lines: ["#8fdcae", "#6f9bf0", "#f06a60", "#f0d060"],
};
/// The depths of the ramp from which on a text turns light on a light page, and dark on a dark one.
pub(super) const TURNS: [f64; 2] = [0.85, 0.57];

/// The colours of one kind of page.
pub(super) struct Theme {
    pub page: &'static str,
    pub ink: &'static str,
    pub soft: &'static str,
    pub rule: &'static str,
    /// The colour of the highest number of a heat map.
    pub ramp: &'static str,
    /// The colours of curves, which are dashed from the fifth on.
    pub lines: [&'static str; 4],
}

/// The largest number of distinct fills; the series after them are drawn as one.
pub(super) const MOST_FILLS: usize = 2 * FILLS.len();

/// Returns the class of a fill.
pub(super) fn fill(series: usize) -> String {
    format!("f{}", series % FILLS.len())
}

/// Returns whether a fill is hatched.
pub(super) fn is_hatched(series: usize) -> bool {
    series >= FILLS.len()
}

/// Returns the class of a text on a fill.
pub(super) fn on_fill(series: usize) -> &'static str {
    if PALE[series % FILLS.len()] { "black" } else { "white" }
}

/// Returns the classes of a curve: its colour and its dash.
pub(super) fn line(series: usize) -> String {
    let colours = LIGHT.lines.len();
    format!("l{} d{}", series % colours, series / colours % 3)
}

/// Returns the letter of a series, where there are no colours.
pub(super) fn letter(number: usize) -> char {
    LETTERS[number % LETTERS.len()] as char
}

/// Returns the class of a text on the ramp.
pub(super) fn on_ramp(depth: f64) -> &'static str {
    match TURNS.map(|turn| depth >= turn) {
        [true, _] => "turned dark-turned",
        [false, true] => "dark-turned",
        [false, false] => "",
    }
}

/// Returns the style sheet of a chart. Every rule applies only to the picture `id`.
pub(super) fn style(id: &str) -> String {
    let mut css = format!(
        "#{id}{{font-family:Arial,Helvetica,'Liberation Sans','DejaVu Sans',sans-serif}}\
         #{id} .start{{text-anchor:start}}#{id} .middle{{text-anchor:middle}}#{id} \
         .end{{text-anchor:end}}\
         #{id} .title,#{id} .head{{font-weight:bold}}#{id} .black{{fill:#000}}#{id} \
         .white{{fill:#fff}}\
         #{id} path{{fill:none;stroke-linejoin:round}}#{id} .curve{{stroke-width:2.4}}#{id} \
         path.band{{stroke:none;fill-opacity:.2}}\
         #{id} .d1{{stroke-dasharray:7 4}}#{id} .d2{{stroke-dasharray:2 3}}#{id} \
         .lead{{stroke-width:1;stroke-dasharray:none}}\
         #{id} .grid{{stroke-width:1}}#{id} .axis,#{id} .whisker{{stroke-width:1.5}}#{id} \
         .flip{{stroke-width:3;stroke-linecap:square}}"
    );
    for style in Type::ALL {
        let _ = write!(css, "#{id} .{}{{font-size:{}px}}", style.name(), style.size());
    }
    for (number, fill) in FILLS.iter().enumerate() {
        let _ = write!(css, "#{id} .f{number}{{fill:{fill}}}");
    }
    css += &LIGHT.rules(id, "turned");
    let _ = write!(css, "@media (prefers-color-scheme:dark){{{}}}", DARK.rules(id, "dark-turned"));
    css
}

impl Theme {
    /// Returns the rules that differ between pages; `turned` is the class of texts on the deep end
    /// of the ramp.
    fn rules(&self, id: &str, turned: &str) -> String {
        let Theme { page, ink, soft, rule, ramp, lines } = self;
        let on_ramp = if *page == LIGHT.page { "#000" } else { "#fff" };
        let mut css = format!(
            "#{id} .page{{fill:{page}}}#{id} .hatch{{stroke:{page}}}#{id} .mark{{stroke:{page}}}\
             #{id} .title,#{id} .head,#{id} .label,#{id} .ink{{fill:{ink}}}#{id} \
             .note{{fill:{soft}}}\
             #{id} .grid{{stroke:{rule}}}#{id} .axis,#{id} .whisker,#{id} .flip{{stroke:{ink}}}\
             #{id} .ramp{{fill:{ramp}}}#{id} .on-ramp{{fill:{on_ramp}}}#{id} \
             .{turned}{{fill:{page}}}"
        );
        if turned == "dark-turned" {
            // A text that turns on a light page turns on a dark one too.
            let _ = write!(css, "#{id} .turned{{fill:{page}}}");
        }
        for (number, colour) in lines.iter().enumerate() {
            let _ = write!(
                css,
                "#{id} .l{number}{{stroke:{colour}}}#{id} .band.l{number},#{id} \
                    .dot.l{number}{{fill:{colour}}}"
            );
        }
        css
    }
}
