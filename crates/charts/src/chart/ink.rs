//! Colours for charts on a light page and on a dark one.
//!
//! The luminance contrast between any two fills, and between a fill and a page, is at least 1.5. So
//! the same six fills serve both pages. They also differ under protanopia, deuteranopia and
//! tritanopia. Fills after the sixth are hatched.

use super::text::Type;
use crate::svg::canvas::scoped;

/// The fills of shapes that touch, in the order of the series.
pub(super) const FILLS: [&str; 6] =
    ["#2d794c", "#aaddb9", "#de9f2f", "#8d887e", "#6b0c1d", "#224e95"];
/// The letters that stand for series without colours.
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Marks the fills on which texts are dark.
const PALE: [bool; 6] = [false, true, true, true, false, false];
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
/// Depths of a heat map's colour from which texts take the page's colour, on light and dark pages.
pub(super) const TURNS: [f64; 2] = [0.85, 0.57];

/// The colours for one kind of page, light or dark.
pub(super) struct Theme {
    pub page: &'static str,
    pub ink: &'static str,
    pub soft: &'static str,
    pub rule: &'static str,
    pub ramp: &'static str,
    /// The colours of curves; curves after the fourth are dashed too.
    pub lines: [&'static str; 4],
}

/// The largest number of series with a fill of their own; the series after them are drawn as one.
pub(super) const MOST_FILLS: usize = 2 * FILLS.len();

pub(super) fn is_hatched(series: usize) -> bool {
    series >= FILLS.len()
}

/// Returns the CSS class of a text on the fill of a series.
pub(super) fn on_fill(series: usize) -> &'static str {
    if PALE[series % FILLS.len()] { "black" } else { "white" }
}

/// Returns the CSS classes of a curve: its colour and its dashes.
pub(super) fn line(series: usize) -> String {
    let colours = LIGHT.lines.len();
    format!("l{} d{}", series % colours, series / colours % 3)
}

pub(super) fn letter(number: usize) -> char {
    LETTERS[number % LETTERS.len()] as char
}

/// Returns the CSS classes of a text on a heat map's colour of `depth` (0 to 1).
pub(super) fn on_ramp(depth: f64) -> &'static str {
    match TURNS.map(|turn| depth >= turn) {
        [true, _] => "turned dark-turned",
        [false, true] => "dark-turned",
        [false, false] => "",
    }
}

/// Returns the style sheet of the chart with the element id `id`; it applies to no other element.
pub(super) fn style(id: &str) -> String {
    let size = |style: Type| format!(".{}{{font-size:{}px}}", style.name, style.size);
    let mut rules = include_str!("chart.css").to_string() + &Type::ALL.map(size).concat();
    for (number, fill) in FILLS.iter().enumerate() {
        rules += &format!(".f{number}{{fill:{fill}}}");
    }
    let (light, dark) = (LIGHT.rules("turned"), DARK.rules("dark-turned"));
    rules += &format!("{light}@media (prefers-color-scheme:dark){{{dark}}}");
    const FONTS: &str = "Arial,Helvetica,'Liberation Sans','DejaVu Sans',sans-serif";
    format!("#{id}{{font-family:{FONTS}}}{}", scoped(&rules, id))
}

impl Theme {
    /// Returns the rules of the page; `turned` is the CSS class of texts on its deepest colours.
    fn rules(&self, turned: &str) -> String {
        let Theme { page, ink, soft, rule, ramp, lines } = self;
        let on_ramp = if *page == LIGHT.page { "#000" } else { "#fff" };
        let mut css = format!(
            ".page{{fill:{page}}}.hatch{{stroke:{page}}}.mark{{stroke:{page}}}\
             .title,.head,.label,.ink{{fill:{ink}}}.note{{fill:{soft}}}\
             .grid{{stroke:{rule}}}.axis,.whisker,.flip{{stroke:{ink}}}\
             .ramp{{fill:{ramp}}}.on-ramp{{fill:{on_ramp}}}.{turned}{{fill:{page}}}"
        );
        if turned == "dark-turned" {
            // A text in the page's colour on a light page has the page's colour on a dark page too.
            css += &format!(".turned{{fill:{page}}}");
        }
        for (number, colour) in lines.iter().enumerate() {
            let (line, filled) = (format!(".l{number}"), format!("fill:{colour}"));
            css += &format!("{line}{{stroke:{colour}}}.band{line},.dot{line}{{{filled}}}");
        }
        css
    }
}
