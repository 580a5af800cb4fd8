//! A number for each hex of a map, in a ring around the terrain with the colour of the number or of
//! the best choice. On a terminal, a hex shows its terrain, a letter for the choice, and the
//! number.

use std::collections::{BTreeMap, BTreeSet};

use super::data::{Panel, Unit, Value};
use super::ink::{Paint, letter, of_terminal};
use super::kind::{Area, Axes, Chart, ChartBoard, Kind, Look, Page, SweptFields};
use super::page::{choices, colour_scale, in_words, paint_names};
use super::text::{MAX_NAMED, Type, cut, joined, room, sentences};
use crate::board::{MapGround, MapHex, SIDES, TerrainStyle};
use crate::svg::canvas::{
    Canvas, HALF, Point, SIDE, centre, corners, escape, frame, plate_size, point, scoped, side_ends,
};
use crate::svg::ground::Painter;
use crate::svg::routes::{on_ramp, ramp};
use crate::svg::sheet;

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
/// The words for hexes whose number is not drawn.
const WITHOUT: &str = "without a number";
/// The fewest hexes of a field for which the map is preferred to other charts.
const MANY_HEXES: usize = 20;

/// A hex of a map for each place, in the colour of its number or of its best choice.
#[derive(Debug)]
pub(super) struct Map;

impl Kind for Map {
    fn name(&self) -> &'static str {
        "map"
    }

    fn axes(&self, swept: &SweptFields) -> Option<Axes> {
        let (field, hexes) = swept.hexes?;
        let rank = if hexes >= MANY_HEXES { 0 } else { u8::MAX };
        Some(Axes { rank, along: field, across: None, on_map: true, most_places: usize::MAX })
    }

    fn draw(&self, canvas: &mut Canvas, page: &Page, panel: &Panel, area: Area) -> f64 {
        let Some(board) = page.chart.board.as_deref() else { return area.y };
        let (from, to) = corners(&hexes(board));
        let scale = (area.width / (to - from).x).min(1.0);
        let top = point(area.x, area.y);
        let Point { x, y } = top - from * scale;
        canvas.add(format_args!(
            "<use href='#{}-board' transform='translate({x:.2},{y:.2}) scale({scale:.4})'/>",
            page.id
        ));
        let place = |hex: MapHex| top + (centre(hex) - from) * scale;
        let usual = usual(page.chart);
        canvas.group("class='hexes'", |canvas| {
            for (hex, name, value) in numbers(board, panel) {
                if let Some(ground) = board.hexes.get(&hex) {
                    let is_usual = usual.as_deref() == Some(&*page.chart.unit.written(value.value));
                    draw_hex(canvas, page, (place(hex), scale), (name, ground), value, is_usual);
                }
            }
            for (name, unit) in &panel.units {
                let Some(hex) = board.places.get(name) else { continue };
                let size = plate_size(unit, UNIT);
                let at = place(*hex) + point(0.0, 0.62 * HALF * scale);
                let place = frame(at - size * 0.5, size, 1);
                canvas.add(format_args!("<rect class='unit' {place} rx='3'/>"));
                canvas.words("white", at + point(0.0, 0.36 * UNIT), unit);
            }
        });
        area.y + (to - from).y * scale
    }

    fn finding(&self, chart: &Chart, panel: &Panel) -> String {
        if !chart.choices().is_empty() {
            return choices(chart, panel, "hexes");
        }
        let hexes: Vec<(&str, f64)> =
            panel.all().map(|(place, _, value)| (place, value.value)).collect();
        let most = hexes.iter().map(|(_, value)| *value).reduce(f64::max);
        let least = hexes.iter().map(|(_, value)| *value).reduce(f64::min);
        let Some((most, least)) = most.zip(least) else { return String::new() };
        let (most, least) = (chart.unit.written(most), chart.unit.written(least));
        if most == least {
            return format!("{most} everywhere.");
        }
        let end = |word: &str, end: &str| {
            let there = hexes.iter().filter(|(_, value)| chart.unit.written(*value) == end);
            let there: Vec<&str> = there.map(|(hex, _)| *hex).collect();
            let named = there[..there.len().min(MAX_NAMED)].join(", ");
            match there.len().saturating_sub(MAX_NAMED) {
                0 => format!("{word} {end} at {named}"),
                more => format!("{word} {end} at {named} and {more} others"),
            }
        };
        sentences([end("lowest", &least), end("highest", &most)], MAX_NAMED)
    }

    fn text(&self, chart: &Chart, look: &Look) -> Option<String> {
        Some(chart.text(look, |panel| plot(chart, panel, look)))
    }

    fn legend(&self, canvas: &mut Canvas, page: &Page, area: Area) -> f64 {
        let fill = |share: f64| format!("fill='{}'", ramp(share));
        match page.words.is_empty() {
            // Opaque steps overlap a little, so that the page does not show between them.
            true => {
                let bottom = colour_scale(canvas, page, area, (24, 6.0, 6.5), fill);
                let Some(usual) = usual(page.chart) else { return bottom };
                let text = format!("{WITHOUT}: {usual}");
                canvas.words("label start", point(area.x, bottom + 6.0), &text);
                bottom + 20.0
            }
            false => {
                let words = page.words.iter().enumerate();
                let names: Vec<(&str, Paint)> =
                    words.map(|(number, word)| (*word, paint_of(number))).collect();
                paint_names(canvas, page, area, &names, None)
            }
        }
    }

    /// Defines the terrain once as an SVG element, which every panel shows.
    fn define(&self, canvas: &mut Canvas, chart: &Chart, id: &str) {
        let Some(board) = chart.board.as_deref() else { return };
        let rules = format!(
            ".hexes{{text-anchor:middle;font-size:{NAME}px;fill:#1a1a1a}}\
             .place{{paint-order:stroke;stroke:#fffdf2;stroke-width:2px;stroke-linejoin:round}}\
             .unit{{fill:#161616;stroke:#fff}}"
        );
        canvas.add(format_args!("<style>{}</style>", scoped(&rules, id)));
        // SVG elements shown by `use` inherit from this group only, so it has its own style sheet.
        canvas.add(format_args!("{}", sheet("text{text-anchor:middle}", &format!("{id}-board"))));
        canvas.add(format_args!("<defs>"));
        canvas.group(&format!("id='{id}-board'"), |canvas| {
            Painter { board: &board.hexes, hexes: &hexes(board) }.draw(canvas)
        });
        canvas.add(format_args!("</defs>"));
    }

    /// Maps stand one below the other.
    fn row_width(&self, chart: &Chart) -> Option<f64> {
        let (from, to) = corners(&chart.board.as_deref().map_or(Vec::new(), hexes));
        Some((to - from).x * COLUMN / (1.5 * SIDE))
    }
}

fn hexes(board: &ChartBoard) -> Vec<MapHex> {
    board.hexes.keys().copied().collect()
}

fn draw_hex(
    canvas: &mut Canvas,
    page: &Page,
    (at, scale): (Point, f64),
    (name, ground): (&str, &MapGround),
    value: &Value,
    is_usual: bool,
) {
    let choice = choice_of(&page.words, value);
    let (colour, ink, is_hatched) = colour_of(page.chart, choice, value);
    let words = in_words(page, &format!("{name} ({})", ground.style.name()), "", value);
    let corner = |side| at + side_ends(Point::default(), side).0 * (MIDDLE * scale);
    let ring = (0..SIDES).map(|side| corner(side).to_string()).collect::<Vec<_>>().join(" ");
    let wide = RING * SIDE * scale;
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
    if room(&ground.name, NAME) <= inner && scale * HALF >= 20.0 {
        canvas.words("place", at - point(0.0, 0.72 * HALF * scale - 7.0), &ground.name);
    }
    let number = |decimals: bool| match (page.chart.unit, decimals) {
        _ if choice.is_some() && value.value == 0.0 => String::new(),
        (Unit::Odds | Unit::Points, false) => format!("{:.0}", 100.0 * value.value),
        (unit, _) => unit.short(value.value),
    };
    let fits = |text: &String| !text.is_empty() && Type::FIGURE.room(text) + 4.0 <= inner;
    let texts = if is_usual { Vec::new() } else { vec![number(true), number(false)] };
    if let Some(text) = texts.into_iter().find(fits) {
        let (wide, high) = (Type::FIGURE.room(&text) + 4.0, 14.0);
        let Point { x, y } = at - point(wide / 2.0, high / 2.0 - 2.0);
        canvas.add(format_args!(
            "<rect x='{x:.1}' y='{y:.1}' width='{wide:.1}' height='{high}' rx='3' fill='{colour}' \
                    pointer-events='none'/>"
        ));
        canvas.words(&format!("figure middle {ink}"), point(at.x, y + 11.2), &text);
    }
}

/// Returns the number that more than half of many hexes have, as it is written.
fn usual(chart: &Chart) -> Option<String> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for value in chart.values().filter(|value| value.word.is_none()) {
        *times.entry(chart.unit.written(value.value)).or_default() += 1;
    }
    let all = times.values().sum::<usize>();
    let is_usual = |times: usize| all >= MANY_HEXES && 2 * times > all;
    times.into_iter().find(|(_, times)| is_usual(*times)).map(|(number, _)| number)
}

/// Returns the hexes of a panel that have a number, with their names.
fn numbers<'a>(board: &ChartBoard, panel: &'a Panel) -> Vec<(MapHex, &'a str, &'a Value)> {
    let hex = |(place, _, value): (&'a str, &str, &'a Value)| {
        Some((*board.places.get(place)?, place, value))
    };
    panel.all().filter_map(hex).collect()
}

/// Returns the paint of a choice. The paints of frequent choices contrast with green ground.
fn paint_of(choice: usize) -> Paint {
    Paint::plain([2, 1, 3, 0, 5, 4][choice % 6] + choice / 6 * 6)
}

/// A colour, the CSS class of a text on it, and whether the fill is hatched.
type Colour = (String, &'static str, bool);

/// Returns the 0-based index of a hex's best choice in `choices`; `None` for a plain number.
fn choice_of(choices: &[&str], value: &Value) -> Option<usize> {
    let word = value.word.as_deref()?;
    choices.iter().position(|known| *known == word)
}

fn colour_of(chart: &Chart, choice: Option<usize>, value: &Value) -> Colour {
    match choice.map(paint_of) {
        Some(Paint { shade, is_hatched, .. }) => (shade.light.to_string(), shade.ink, is_hatched),
        None => {
            let along = chart.share(value.value, 1.0);
            (ramp(along), on_ramp(along), false)
        }
    }
}

/// Draws the map of a panel in characters. A map wider than `width` characters is cut into blocks.
fn plot(chart: &Chart, panel: &Panel, look: &Look) -> String {
    let Some(board) = chart.board.as_deref() else { return String::new() };
    let Look { width, colours } = *look;
    let ChartBoard { hexes, places } = board;
    let by_hex: BTreeMap<MapHex, &Value> =
        numbers(board, panel).into_iter().map(|(hex, _, value)| (hex, value)).collect();
    let units = panel.units.iter();
    let units: BTreeMap<MapHex, &str> =
        units.filter_map(|(name, unit)| Some((*places.get(name)?, unit.as_str()))).collect();
    let (choices, usual) = (chart.choices(), usual(chart));
    let is_usual = |value: &Value| usual.as_deref() == Some(&*chart.unit.written(value.value));
    let cell = if choices.is_empty() { CELL } else { CELL + 1 };
    let columns: BTreeSet<i16> = hexes.keys().map(|hex| hex.column).collect();
    let columns: Vec<i16> = columns.into_iter().collect();
    let mut text = String::new();
    for part in columns.chunks((width / cell).max(1)) {
        if !text.is_empty() {
            text.push('\n');
        }
        let mut rows: BTreeMap<i32, BTreeMap<i16, (&MapHex, &MapGround)>> = BTreeMap::new();
        for (hex, ground) in hexes.iter().filter(|(hex, _)| part.contains(&hex.column)) {
            rows.entry(hex.height).or_default().insert(hex.column, (hex, ground));
        }
        let line = |cell: &dyn Fn(i16) -> String| {
            let cells: String = part.iter().map(|&column| cell(column)).collect();
            cells.trim_end().to_string() + "\n"
        };
        text += &line(&|column| {
            let top = rows.values().find_map(|row| row.get(&column));
            let name = top.map_or("", |(_, ground)| &ground.name);
            format!("{:>cell$}", cut(name, cell - 1))
        });
        for row in rows.values() {
            text += &line(&|column| {
                let Some((hex, ground)) = row.get(&column) else { return " ".repeat(cell) };
                let ground = ground.style.texture();
                let value = by_hex.get(hex);
                let choice = value.and_then(|value| choice_of(&choices, value));
                let number = match (units.get(hex), value) {
                    (Some(unit), _) => unit.to_string(),
                    (None, Some(value)) if choice.is_some() && value.value == 0.0 => String::new(),
                    (None, Some(value)) if is_usual(value) => String::new(),
                    (None, Some(value)) if chart.unit == Unit::Number => {
                        chart.unit.short(value.value)
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
    let usual = usual.map_or(String::new(), |usual| format!("{WITHOUT}: {usual}\n"));
    text + &usual + &key(&choices, board, width)
}

/// Formats a percentage in at most three characters; only certain values are 0 or 100.
fn whole(value: f64) -> String {
    match 100.0 * value {
        percent if percent > 0.0 && percent < 1.0 => "<1".to_string(),
        percent if (99.5..100.0 - 1e-9).contains(&percent) => ">99".to_string(),
        percent => format!("{percent:.0}"),
    }
}

/// Colours a text with the 256 colours of a terminal.
fn coloured(text: &str, (colour, ink, _): &Colour) -> String {
    let ground = of_terminal(colour);
    let ink = if *ink == "black" { 16 } else { 231 };
    format!("\u{1b}[38;5;{ink};48;5;{ground}m{text}\u{1b}[0m")
}

/// Returns lines of at most `width` characters that explain the letters of choices and terrain.
fn key(choices: &[&str], board: &ChartBoard, width: usize) -> String {
    let choices = choices.iter().enumerate();
    let choices = choices.map(|(number, word)| cut(&format!("{} {word}", letter(number)), width));
    let styles = TerrainStyle::of_hexes(board.hexes.values());
    let terrain = styles.iter().map(|style| format!("{} {}", style.texture(), style.name()));
    let counted = |text: String| {
        let length = text.chars().count();
        (text, length)
    };
    joined(choices.chain(terrain).map(counted), width)
}
