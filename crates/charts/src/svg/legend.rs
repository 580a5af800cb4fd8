//! Parts around the map: a heading with a line for each unit, and a legend of what the map shows.

use std::collections::BTreeMap;

use super::canvas::{Canvas, HALF, Point, SIDE, point};
use super::ground::Painter;
use super::routes::{end_style, ramp};
use crate::chart::text::{BOLD, room};
use crate::look::Look;
use crate::view::{View, crawls};
use asl::board::hex::{Hex, Hexside};
use asl::board::map::{Barrier, HexContents, Map, PlacedBoard, Works};
use asl::course::rout::BEST;

const LINE: f64 = 30.0;

/// Width of a sample in the legend, in pixels.
const SAMPLE: f64 = 36.0;

/// Draws the heading, and returns the y coordinate below it.
pub(super) fn draw_heading(canvas: &mut Canvas, view: &View, title: &str, wide: f64) -> f64 {
    let mut y = 0.0;
    for line in wrapped(title, 17.0 * BOLD, wide) {
        y += 20.0;
        canvas.words("title", point(0.0, y), &line);
    }
    for line in view.captions().iter().flat_map(|caption| wrapped(caption, 12.5, wide)) {
        y += 17.0;
        canvas.words("caption", point(0.0, y), &line);
    }
    y + 8.0
}

/// Wraps a text of font size `size` into lines of at most `wide` pixels. A word wider than a line
/// is split.
fn wrapped(text: &str, size: f64, wide: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if room(&format!("{line} {word}"), size) <= wide => {
                *line += &format!(" {word}")
            }
            _ => {
                let mut part = String::new();
                for letter in word.chars() {
                    if room(&format!("{part}{letter}"), size) > wide {
                        lines.push(std::mem::take(&mut part));
                    }
                    part.push(letter);
                }
                lines.push(part);
            }
        }
    }
    lines
}

struct Item {
    text: String,
    sample: Canvas,
}

/// Draws the legend below `at`, and returns the y coordinate below it.
pub(super) fn draw(canvas: &mut Canvas, view: &View, at: Point, wide: f64) -> f64 {
    draw_ramp(canvas, at + point(12.0, 14.0));
    let mut place = at + point(RAMP + 40.0 + room(CHANCE, 11.0), 16.0);
    for item in symbols(view).into_iter().chain(terrains(view)) {
        let long = SAMPLE + room(&item.text, 11.0) + 10.0;
        if place.x + long > at.x + wide {
            place = point(at.x, place.y + LINE);
        }
        canvas.add(format_args!(
            "<g class='sample' transform='translate({place})'>\n{}</g>",
            item.sample.text
        ));
        canvas.words("key", place + point(SAMPLE, 4.0), &item.text);
        place.x += long;
    }
    place.y + 22.0
}

const CHANCE: &str = "chance to survive";

const RAMP: f64 = 150.0;

fn draw_ramp(canvas: &mut Canvas, at: Point) {
    for step in 0..30 {
        let (x, part) = (at.x + f64::from(step) * RAMP / 30.0, RAMP / 30.0 + 0.3);
        let colour = ramp(f64::from(step) / 29.0);
        canvas.add(format_args!(
            "<rect x='{x:.1}' y='{:.1}' width='{part:.1}' height='9' fill='{colour}'/>",
            at.y - 5.0
        ));
    }
    for (share, text) in [(0.0, "0%"), (0.5, "50%"), (1.0, "100%")] {
        canvas.words("tick", at + point(share * RAMP, 15.0), text);
    }
    canvas.words("key", at + point(RAMP + 16.0, 4.0), CHANCE);
}

fn item(text: impl Into<String>, draw: impl FnOnce(&mut Canvas)) -> Item {
    let mut sample = Canvas::default();
    draw(&mut sample);
    Item { text: text.into(), sample }
}

/// Returns legend entries for the routes, lines and counters in the picture.
fn symbols(view: &View) -> Vec<Item> {
    let colour = ramp(1.0);
    let line = |class: &str, style: &str| {
        let path = format!("<path class='{class}' {style} d='M2,0 L30,0'/>");
        move |canvas: &mut Canvas| canvas.add(format_args!("{path}"))
    };
    let route = |wide: f64, dash: &str| {
        let case = if dash.is_empty() { "route case" } else { "route case crawl" };
        let case = line(case, &format!("stroke-width='{:.1}'", wide + 2.2));
        let path = line("route", &format!("stroke='{colour}' stroke-width='{wide}'{dash}"));
        move |canvas: &mut Canvas| {
            case(canvas);
            path(canvas);
        }
    };
    let head = |is_exposed: bool| {
        let style = end_style("head", &colour, is_exposed);
        move |canvas: &mut Canvas| {
            canvas.add(format_args!("<path {style} d='M26,0 L10,-8 L10,8z'/>"))
        }
    };
    let enemy = |canvas: &mut Canvas| {
        canvas.add(format_args!(
            "<rect class='counter' x='6' y='-10' width='20' height='20' fill='#eee'/>"
        ))
    };
    let mut items = Vec::new();
    let courses = || view.courses.iter().flatten();
    if courses().next().is_some() {
        items.push(item(format!("best route ({BEST})"), route(5.5, "")));
    }
    if view.courses.iter().flat_map(|courses| courses.iter().skip(1)).any(|course| !crawls(course))
    {
        items.push(item("other route", route(3.4, "")));
    }
    if courses().any(|course| crawls(course)) {
        let dashed = " stroke-dasharray='6 4' stroke-linecap='butt'";
        items.push(item("Low Crawl", route(4.0, dashed)));
    }
    for (is_exposed, text) in [(false, "ends in cover"), (true, "ends in the open")] {
        if courses().any(|course| view.ends_exposed(course) == is_exposed) {
            items.push(item(text, head(is_exposed)));
        }
    }
    if courses().flat_map(|course| course.route.last()).any(|end| end.level > 0) {
        items.push(item("ends on that level", |canvas: &mut Canvas| {
            canvas.words("tag", point(16.0, 4.0), "L1")
        }));
    }
    if !view.interdicted.is_empty() {
        let hatch = "<polygon class='interdicted' points='6,0 11,-9 22,-9 27,0 22,9 11,9'/>";
        items.push(item("Interdicted", |canvas| canvas.add(format_args!("{hatch}"))));
        items.push(item("LOS of an Interdictor", line("sight strong", "")));
    }
    let enemies = view.situation.enemies.len();
    if !view.known.is_empty() {
        items.push(item("enemy Known at the start", enemy));
    }
    let storeys = view.hexes.iter().filter_map(|&hex| view.situation.map.get(hex));
    if storeys.into_iter().any(|ground| ground.upper_levels > 0) {
        items.push(item("levels above the ground floor", |canvas: &mut Canvas| {
            canvas.plate("storeys", point(16.0, 0.0), 10.0, "+1")
        }));
    }
    if view.known.len() < enemies {
        items.push(item("enemy not yet Known", |canvas| canvas.group("class='unknown'", enemy)));
    }
    items
}

/// Returns a legend entry for each terrain, hexside terrain and other feature of the hexes shown.
fn terrains(view: &View) -> Vec<Item> {
    let mut samples: BTreeMap<(u8, Look, &str), HexContents> = BTreeMap::new();
    let open = || HexContents::from_terrain(asl::board::terrain::Terrain::open());
    for ground in view.hexes.iter().filter_map(|&hex| view.situation.map.get(hex)) {
        let look = Look::from_terrain(ground.terrain);
        if look != Look::Open {
            samples
                .entry((0, look, look.name()))
                .or_insert_with(|| HexContents::from_terrain(ground.terrain));
        }
        let mut feature = |name, ground| samples.insert((1, Look::Open, name), ground);
        if !ground.road.is_empty() {
            feature(
                "road",
                HexContents {
                    road: [Hexside::Northeast, Hexside::Southwest].into_iter().collect(),
                    ..open()
                },
            );
        }
        for barrier in ground.sides.into_iter().flatten() {
            feature(barrier.name(), walled(barrier));
        }
        if let Some(works) = ground.works {
            feature(works.name(), HexContents { works: Some(works), ..open() });
        }
        if ground.smoke {
            feature("SMOKE", HexContents { smoke: true, ..open() });
        }
        if ground.blaze {
            feature("Blaze", HexContents { blaze: true, ..open() });
        }
        if ground.level > 0 {
            feature("level of a hill", HexContents { level: 1, ..open() });
        }
    }
    samples
        .into_iter()
        .map(|((_, _, name), ground)| item(name, |canvas| small_hex(canvas, ground)))
        .collect()
}

fn walled(barrier: Barrier) -> HexContents {
    let mut ground = HexContents::from_terrain(asl::board::terrain::Terrain::open());
    ground.sides[Hexside::Northwest as usize] = Some(barrier);
    ground.sides[Hexside::North as usize] = Some(barrier);
    ground
}

fn small_hex(canvas: &mut Canvas, ground: HexContents) {
    let works = ground.works.is_some_and(|works| Works::ALL.contains(&works));
    let hex = Hex::new(0, 0);
    let map = Map::new(vec![PlacedBoard::alone()], [(hex, ground)]);
    let scale = if works { 0.3 } else { 0.27 };
    canvas.group(
        &format!("transform='translate({},{}) scale({scale})'", SIDE * 0.34, -HALF * scale),
        |canvas| {
            Painter { map: &map, hexes: &[hex] }.draw(canvas);
        },
    );
}
