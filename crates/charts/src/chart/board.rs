//! A number for each hex of a map, in a ring around the terrain with the colour of the number or of
//! the best choice. On a terminal, a hex shows its terrain, a letter for the choice, and the
//! number.

use std::collections::BTreeMap;

use super::data::{Chart, ChartKind, Panel, Unit, Value, short};
use super::ink::{FILLS, is_hatched, letter, on_fill};
use super::page::{Anchor, Area, Page, in_words, write};
use super::text::{Type, cut, room};
use crate::look::Look;
use crate::svg::canvas::{
    Canvas, HALF, Point, SIDE, centre, corners, escape, plate_size, point, scoped, side_ends,
};
use crate::svg::ground::Painter;
use crate::svg::routes::{on_ramp, ramp};
use crate::svg::sheet;
use crate::terminal::terrain::texture;
use crate::view::hex_name;
use asl::board::hex::{Hex, Hexside};
use asl::board::map::{Location, Map};

/// The smallest distance between columns of hexes, in pixels, so that numbers can be read.
const COLUMN: f64 = 40.0;
/// The width of a hex's ring, and the ring's radius, as shares of a hexside.
const RING: f64 = 0.17;
const MIDDLE: f64 = 0.89;
/// The font sizes of the names of hexes and units, in pixels.
const NAME: f64 = 9.0;
const UNIT: f64 = 8.5;
/// The width of a hex on a terminal, in characters.
const CELL: usize = 5;

/// Returns the smallest width of a chart's map in pixels; 0 without a map.
pub(super) fn least_width(chart: &Chart) -> f64 {
    let hexes: Vec<Hex> = drawn(chart).into_iter().flat_map(Map::hexes).collect();
    let (from, to) = corners(&hexes);
    (to - from).x * COLUMN / (1.5 * SIDE)
}

fn drawn(chart: &Chart) -> Option<&Map> {
    chart.board.as_deref().filter(|_| chart.kind == ChartKind::Map)
}

/// Defines the terrain once as an SVG element, which every panel shows.
pub(super) fn define(canvas: &mut Canvas, chart: &Chart, id: &str) {
    let Some(map) = drawn(chart) else { return };
    let hexes: Vec<Hex> = map.hexes().collect();
    let rules = format!(
        ".hexes{{text-anchor:middle;font-size:{NAME}px;fill:#1a1a1a}}\
         .place{{paint-order:stroke;stroke:#fffdf2;stroke-width:2px;stroke-linejoin:round}}\
         .unit{{fill:#161616;stroke:#fff}}"
    );
    canvas.add(format_args!("<style>{}</style>", scoped(&rules, id)));
    // SVG elements shown by `use` inherit from this group only, so it has its own style sheet.
    canvas.add(format_args!("{}", sheet("text{text-anchor:middle}", &format!("{id}-board"))));
    canvas.add(format_args!("<defs>"));
    canvas.group(&format!("id='{id}-board'"), |canvas| Painter { map, hexes: &hexes }.draw(canvas));
    canvas.add(format_args!("</defs>"));
}

struct Layout {
    corner: Point,
    scale: f64,
    top: Point,
}

impl Layout {
    fn place(&self, hex: Hex) -> Point {
        self.top + (centre(hex) - self.corner) * self.scale
    }
}

pub(super) fn draw(canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64 {
    let Some(map) = drawn(page.chart) else { return area.y };
    let hexes: Vec<Hex> = map.hexes().collect();
    let (from, to) = corners(&hexes);
    let scale = (area.width / (to - from).x).min(1.0);
    let layout = Layout { corner: from, scale, top: point(area.x, area.y) };
    let Point { x, y } = layout.top - from * scale;
    canvas.add(format_args!(
        "<use href='#{}-board' transform='translate({x:.2},{y:.2}) scale({scale:.4})'/>",
        page.id
    ));
    canvas.group("class='hexes'", |canvas| {
        for (hex, place, value) in numbers(map, panel) {
            draw_hex(canvas, page, map, (hex, place, value), &layout);
        }
        for (name, unit) in &panel.units {
            let Ok(location) = map.parse_location(name) else { continue };
            let size = plate_size(unit, UNIT);
            let at = layout.place(location.hex) + point(0.0, 0.62 * HALF * scale);
            canvas.add(format_args!(
                "<rect class='unit' x='{:.1}' y='{:.1}' width='{:.1}' height='{:.1}' rx='3'/>",
                at.x - size.x / 2.0,
                at.y - size.y / 2.0,
                size.x,
                size.y
            ));
            canvas.words("white", at + point(0.0, 0.36 * UNIT), unit);
        }
    });
    area.y + (to - from).y * scale
}

/// Returns the hexes of a panel that have a number, with their names.
fn numbers<'a>(map: &Map, panel: &'a Panel) -> Vec<(Hex, &'a str, &'a Value)> {
    let series = panel.series.first();
    let hex = |(place, value): (usize, &'a Value)| {
        let name = panel.places.get(place)?;
        Some((map.parse_location(name).ok()?.hex, name.as_str(), value))
    };
    series.into_iter().flat_map(|series| series.all()).filter_map(hex).collect()
}

/// Returns the position (0 to 1) of a number between the lowest and the highest of the chart.
fn share_of(chart: &Chart, value: f64) -> f64 {
    let (low, high) = chart.ends().unwrap_or((0.0, 1.0));
    if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 1.0 }
}

/// Returns the 0-based fill of a choice. The fills of frequent choices contrast with green ground.
pub(super) fn fill_of(choice: usize) -> usize {
    [5, 2, 4, 0, 3, 1][choice % 6] + choice / 6 * 6
}

/// A colour, the CSS class of a text on it, and whether the fill is hatched.
type Colour = (String, &'static str, bool);

/// Returns the 0-based index of a hex's best choice in `choices`; `None` for a plain number.
fn choice_of(choices: &[&str], value: &Value) -> Option<usize> {
    let word = value.word.as_deref()?;
    choices.iter().position(|known| *known == word)
}

fn colour_of(chart: &Chart, choice: Option<usize>, value: &Value) -> Colour {
    match choice.map(fill_of) {
        Some(fill) => (FILLS[fill % FILLS.len()].to_string(), on_fill(fill), is_hatched(fill)),
        None => {
            let along = share_of(chart, value.value);
            (ramp(along), on_ramp(along), false)
        }
    }
}

fn draw_hex(
    canvas: &mut Canvas,
    page: &Page,
    map: &Map,
    (hex, place, value): (Hex, &str, &Value),
    layout: &Layout,
) {
    let (at, scale) = (layout.place(hex), layout.scale);
    let choice = choice_of(&page.words, value);
    let (colour, ink, is_hatched) = colour_of(page.chart, choice, value);
    let terrain = map.get(hex).map_or("", |ground| Look::from_terrain(ground.terrain).name());
    let words = in_words(page, &format!("{place} ({terrain})"), "", value);
    let ring: Vec<String> = Hexside::ALL
        .iter()
        .map(|&side| (at + side_ends(Point::default(), side).0 * (MIDDLE * scale)).to_string())
        .collect();
    let (ring, wide) = (ring.join(" "), RING * SIDE * scale);
    canvas.add(format_args!(
        "<polygon class='cell' points='{ring}' fill='none' pointer-events='all' stroke='{colour}' \
            stroke-width='{wide:.1}'><title>{}</title></polygon>",
        escape(&words)
    ));
    if is_hatched {
        let id = page.id;
        canvas.add(format_args!(
            "<polygon points='{ring}' fill='none' stroke='url(#{id}-hatch)' \
            stroke-width='{wide:.1}' pointer-events='none'/>"
        ));
    }
    let inner = 1.5 * SIDE * scale;
    let name = hex_name(map, hex);
    if room(&name, NAME) <= inner && scale * HALF >= 20.0 {
        canvas.words("place", at - point(0.0, 0.72 * HALF * scale - 7.0), &name);
    }
    let number = |decimals: bool| match (page.chart.unit, decimals) {
        _ if choice.is_some() && value.value == 0.0 => String::new(),
        (Unit::Odds | Unit::Points, false) => format!("{:.0}", 100.0 * value.value),
        (unit, _) => short(unit, value.value),
    };
    let fits = |text: &String| !text.is_empty() && Type::Figure.room(text) + 4.0 <= inner;
    if let Some(text) = [number(true), number(false)].into_iter().find(fits) {
        let (wide, high) = (Type::Figure.room(&text) + 4.0, 14.0);
        let Point { x, y } = at - point(wide / 2.0, high / 2.0 - 2.0);
        canvas.add(format_args!(
            "<rect x='{x:.1}' y='{y:.1}' width='{wide:.1}' height='{high}' rx='3' fill='{colour}' \
                pointer-events='none'/>"
        ));
        let at = point(at.x, y + 11.2);
        write(canvas, (Type::Figure, Anchor::Middle, ink), at, &text);
    }
}

/// Draws the map of a panel in characters. A map wider than `width` characters is cut into blocks.
pub(super) fn plot(chart: &Chart, panel: &Panel, width: usize, colours: bool) -> String {
    let Some(map) = drawn(chart) else { return String::new() };
    let by_hex: BTreeMap<Hex, &Value> =
        numbers(map, panel).into_iter().map(|(hex, _, value)| (hex, value)).collect();
    let units: BTreeMap<Hex, &str> = panel
        .units
        .iter()
        .filter_map(|(name, unit)| Some((map.parse_location(name).ok()?.hex, unit.as_str())))
        .collect();
    let choices = chart.choices();
    let cell = if choices.is_empty() { CELL } else { CELL + 1 };
    let mut columns: Vec<i16> = map.hexes().map(|hex| hex.column).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut text = String::new();
    for part in columns.chunks((width / cell).max(1)) {
        if !text.is_empty() {
            text.push('\n');
        }
        let mut rows: BTreeMap<i32, BTreeMap<i16, Hex>> = BTreeMap::new();
        for hex in map.hexes().filter(|hex| part.contains(&hex.column)) {
            rows.entry(hex.centre().1).or_default().insert(hex.column, hex);
        }
        let mut names: BTreeMap<i16, Hex> = BTreeMap::new();
        rows.values().flatten().for_each(|(&column, &hex)| {
            names.entry(column).or_insert(hex);
        });
        let line = |cell: &dyn Fn(i16) -> String| {
            part.iter().map(|&column| cell(column)).collect::<String>().trim_end().to_string()
                + "\n"
        };
        text += &line(&|column| {
            let name = names.get(&column).map_or(String::new(), |&hex| hex_name(map, hex));
            format!("{:>cell$}", cut(&name, cell - 1))
        });
        for row in rows.values() {
            text += &line(&|column| {
                let Some(hex) = row.get(&column) else { return " ".repeat(cell) };
                let ground =
                    map.get(*hex).map_or(" ", |ground| texture(Look::from_terrain(ground.terrain)));
                let value = by_hex.get(hex);
                let choice = value.and_then(|value| choice_of(&choices, value));
                let number = match (units.get(hex), value) {
                    (Some(unit), _) => unit.to_string(),
                    (None, Some(value)) if choice.is_some() && value.value == 0.0 => String::new(),
                    (None, Some(value)) if chart.unit == Unit::Number => {
                        short(chart.unit, value.value)
                    }
                    (None, Some(value)) => whole(value.value),
                    (None, None) => String::new(),
                };
                let letter = choice.map_or(String::new(), |choice| letter(choice).to_string());
                let wide = cell - 2 - letter.len();
                let text = format!(" {ground}{letter}{:>wide$}", cut(&number, wide));
                match value.filter(|_| colours) {
                    Some(value) => coloured(&text, &colour_of(chart, choice, value)),
                    None => text,
                }
            });
        }
    }
    text + &key(&choices, map, width)
}

/// Formats a probability as a percentage of at most three characters. Only certain values are 0 or
/// 100.
fn whole(value: f64) -> String {
    match 100.0 * value {
        percent if percent > 0.0 && percent < 1.0 => "<1".to_string(),
        percent if (99.5..100.0 - 1e-9).contains(&percent) => ">99".to_string(),
        percent => format!("{percent:.0}"),
    }
}

/// Colours a text with the 256 colours of a terminal.
fn coloured(text: &str, (colour, ink, _): &Colour) -> String {
    let part = |at: usize| {
        let part = u32::from_str_radix(colour.get(at..at + 2).unwrap_or("00"), 16).unwrap_or(0);
        (part * 5 + 127) / 255
    };
    let ground = 16 + 36 * part(1) + 6 * part(3) + part(5);
    let ink = if *ink == "black" { 16 } else { 231 };
    format!("\u{1b}[38;5;{ink};48;5;{ground}m{text}\u{1b}[0m")
}

/// Returns lines of at most `width` characters that explain the letters of choices and terrain.
fn key(choices: &[&str], map: &Map, width: usize) -> String {
    let shown = |look: &Look| {
        *look != Look::Open
            && map.hexes().any(|hex| {
                map.get(hex).is_some_and(|ground| Look::from_terrain(ground.terrain) == *look)
            })
    };
    let choices = choices.iter().enumerate();
    let choices = choices.map(|(number, word)| cut(&format!("{} {word}", letter(number)), width));
    let terrain = Look::ALL.into_iter().filter(shown);
    let terrain = terrain.map(|look| format!("{} {}", texture(look), look.name()));
    let mut lines: Vec<String> = Vec::new();
    for word in choices.chain(terrain) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 2 + word.chars().count() <= width => {
                *line += &format!("  {word}")
            }
            _ => lines.push(word),
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Returns whether `places` are distinct hexes of a map at ground level; false without places.
pub fn are_hexes<'a>(map: &Map, places: impl Iterator<Item = &'a str>) -> bool {
    let mut seen = std::collections::BTreeSet::new();
    let mut is_new = |location: Location| location.level == 0 && seen.insert(location.hex);
    let mut places = places.peekable();
    places.peek().is_some() && places.all(|place| map.parse_location(place).is_ok_and(&mut is_new))
}
