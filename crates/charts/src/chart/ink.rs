//! Colours for charts on a light page and on a dark one.
//!
//! Every class of final states has one colour in all charts. The colours differ for readers with
//! protanopia, deuteranopia and tritanopia too. On a dark page each has a contrast of at least 3.

use schema::ChartClass;

use super::data::Series;
use super::text::Type;
use crate::svg::canvas::scoped;

/// The colours of a class.
#[derive(Debug, PartialEq)]
pub struct Shade {
    /// The name of its CSS class.
    pub name: &'static str,
    /// The colours of a shape on a light page and on a dark one.
    pub light: &'static str,
    pub dark: &'static str,
    /// The colour of a line on a light page, and of characters.
    pub line: &'static str,
    /// The colour of a text on the light shape. On the dark shape it is black.
    pub ink: &'static str,
}

const fn shade(
    name: &'static str,
    [light, dark, line]: [&'static str; 3],
    ink: &'static str,
) -> Shade {
    Shade { name, light, dark, line, ink }
}

/// The colours of each class, in the order of [`ChartClass`], and those of everything else.
pub const SHADES: [Shade; ChartClass::ALL.len() + 1] = [
    shade(ChartClass::Good.name(), ["#2a7b5b", "#64aa89", "#1e916d"], "white"),
    shade(ChartClass::Reduced.name(), ["#9a6629", "#a17500", "#7d563e"], "white"),
    shade(ChartClass::Pinned.name(), ["#e4d02f", "#f2e951", "#9e9400"], "black"),
    shade(ChartClass::Through.name(), ["#2b50b6", "#7b87ef", "#294768"], "white"),
    shade(ChartClass::Stopped.name(), ["#e6a388", "#ffc196", "#cc7440"], "black"),
    shade(ChartClass::Broken.name(), ["#e9751e", "#fb8d0d", "#ac520c"], "black"),
    shade(ChartClass::Berserk.name(), ["#9665d9", "#cdaeff", "#7552a2"], "black"),
    shade(ChartClass::Lost.name(), ["#7d1020", "#ff4565", "#790112"], "white"),
    shade("others", ["#8d887e", "#8d887e", "#77736b"], "black"),
];

const fn of_class(class: ChartClass) -> &'static Shade {
    &SHADES[class as usize]
}

/// The colours of shapes without a class, in their order.
const PLAIN: [&Shade; 6] = [
    of_class(ChartClass::Good),
    of_class(ChartClass::Broken),
    of_class(ChartClass::Through),
    of_class(ChartClass::Lost),
    of_class(ChartClass::Pinned),
    of_class(ChartClass::Berserk),
];

/// The colours of lines without a class, in their order.
const LINES: [&Shade; 4] = [PLAIN[0], PLAIN[2], PLAIN[3], of_class(ChartClass::Reduced)];

/// Shares of white in the tints of a class, after its full colour.
const TINTS: [f64; 3] = [0.42, 0.6, 0.75];

/// The letters that stand for series without colours.
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub(super) const LIGHT: Theme =
    Theme { page: "#fffdf7", ink: "#1a1a1a", soft: "#55554e", rule: "#d9d6cc", ramp: "#1b6b41" };
pub(super) const DARK: Theme =
    Theme { page: "#111315", ink: "#ececec", soft: "#b3b3ad", rule: "#3a3d40", ramp: "#7fdca8" };
/// Depths of a heat map's colour from which texts take the page's colour, on light and dark pages.
pub(super) const TURNS: [f64; 2] = [0.85, 0.57];

/// The colours for one kind of page, light or dark.
pub(super) struct Theme {
    pub page: &'static str,
    pub ink: &'static str,
    pub soft: &'static str,
    pub rule: &'static str,
    pub ramp: &'static str,
}

/// The largest number of series that are all named; of more, the rare ones are drawn as one.
pub(super) const MOST_FILLS: usize = 2 * PLAIN.len();

/// The filling of a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint {
    pub shade: &'static Shade,
    /// The share of white in a tint; `None` for the full colour.
    pub tint: Option<f64>,
    pub is_hatched: bool,
}

impl Paint {
    /// Returns the paint with this 0-based number of shapes without a class.
    pub fn plain(number: usize) -> Paint {
        let shade = PLAIN[number % PLAIN.len()];
        Paint { shade, tint: None, is_hatched: number >= PLAIN.len() }
    }

    /// Returns the paint of a series (0-based): its class, in another tint than others of it.
    pub fn of_series(all: &[Series], number: usize) -> Paint {
        let (rank, class) = rank(all, number);
        match (class, all[number].is_rest) {
            (_, true) => Paint { shade: &SHADES[ChartClass::ALL.len()], ..Paint::plain(0) },
            (Some(class), _) => {
                let tint = rank.checked_sub(1).map(|tint| TINTS[tint % TINTS.len()]);
                Paint { shade: of_class(class), tint, is_hatched: false }
            }
            (None, _) => Paint::plain(number),
        }
    }

    /// Returns the CSS class of a text on the paint.
    pub fn ink(self) -> String {
        if self.tint.is_some() { "black".to_string() } else { format!("on-{}", self.shade.name) }
    }
}

/// Returns the 0-based rank of a series among those of its class, and the class.
fn rank(all: &[Series], number: usize) -> (usize, Option<ChartClass>) {
    let class = all[number].class;
    (all[..number].iter().filter(|other| other.class == class).count(), class)
}

/// Returns the CSS classes of the curve of a series (0-based): its colour and its dashes.
pub(super) fn line(all: &[Series], number: usize) -> String {
    let (shade, dashes) = match rank(all, number) {
        // The line of this class looks like that of the broken to some readers.
        (rank, Some(class @ ChartClass::Stopped)) => (of_class(class), rank + 1),
        (rank, Some(class)) => (of_class(class), rank),
        (number, None) => (LINES[number % LINES.len()], number / LINES.len()),
    };
    format!("{}-line d{}", shade.name, dashes % 3)
}

pub(super) fn letter(number: usize) -> char {
    LETTERS[number % LETTERS.len()] as char
}

/// Returns the nearest of the 256 colours of a terminal.
pub(super) fn of_terminal(colour: &str) -> u32 {
    let part = |at: usize| {
        let part = u32::from_str_radix(colour.get(at..at + 2).unwrap_or("00"), 16).unwrap_or(0);
        (part * 5 + 127) / 255
    };
    16 + 36 * part(1) + 6 * part(3) + part(5)
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
    let (light, dark) = (LIGHT.rules("turned"), DARK.rules("dark-turned"));
    rules += &format!("{light}@media (prefers-color-scheme:dark){{{dark}}}");
    const FONTS: &str = "Arial,Helvetica,'Liberation Sans','DejaVu Sans',sans-serif";
    format!("#{id}{{font-family:{FONTS}}}{}", scoped(&rules, id))
}

impl Theme {
    /// Returns the rules of the page; `turned` is the CSS class of texts on its deepest colours.
    fn rules(&self, turned: &str) -> String {
        let Theme { page, ink, soft, rule, ramp } = self;
        let is_light = *page == LIGHT.page;
        let on_ramp = if is_light { "#000" } else { "#fff" };
        let mut css = format!(
            ".page{{fill:{page}}}.hatch{{stroke:{page}}}.mark{{stroke:{page}}}\
             .title,.head,.label,.ink{{fill:{ink}}}.note{{fill:{soft}}}\
             .grid{{stroke:{rule}}}.axis,.whisker,.flip{{stroke:{ink}}}\
             .ramp{{fill:{ramp}}}.on-ramp{{fill:{on_ramp}}}.{turned}{{fill:{page}}}"
        );
        if !is_light {
            // A text in the page's colour on a light page has the page's colour on a dark page too.
            css += &format!(".turned{{fill:{page}}}");
        }
        for Shade { name, light, dark, line, ink } in &SHADES {
            let (fill, stroke, ink) =
                if is_light { (light, line, ink) } else { (dark, dark, &"black") };
            css += &format!(".{name}{{fill:{fill}}}.on-{name}{{fill:{ink}}}");
            let line = format!(".{name}-line");
            css += &format!("{line}{{stroke:{stroke}}}.band{line},.dot{line}{{fill:{stroke}}}");
        }
        css
    }
}
