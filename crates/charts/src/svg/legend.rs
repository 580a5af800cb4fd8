//! Parts around the map: a heading with a line for each unit, and a legend of what the map shows.

use std::collections::BTreeMap;

use super::canvas::{Canvas, HALF, Point, SIDE, point};
use super::ground::Painter;
use super::routes::{end_style, ramp};
use crate::board::{BARRIERS, Board, FEATURES, MINEFIELD, MapGround, MapHex, TerrainStyle};
use crate::chart::text::{BOLD, in_lines, room};
use crate::route_map::MovingUnit;
use crate::view::View;

const LINE: f64 = 30.0;

/// Widths of a sample in the legend and of the colour scale, in pixels.
const SAMPLE: f64 = 36.0;
const RAMP: f64 = 150.0;

/// Draws the heading, and returns the y coordinate below it.
pub(super) fn draw_heading(canvas: &mut Canvas, view: &View, title: &str, wide: f64) -> f64 {
    let mut y = 0.0;
    for line in wrapped(title, 17.0 * BOLD, wide) {
        y += 20.0;
        canvas.words("title", point(0.0, y), &line);
    }
    let captions = view.map.moving.iter().map(|unit| &unit.caption);
    for line in captions.flat_map(|caption| wrapped(caption, 12.5, wide)) {
        y += 17.0;
        canvas.words("caption", point(0.0, y), &line);
    }
    y + 8.0
}

/// Wraps a text into lines of at most `wide` pixels. A word wider than a line is split.
fn wrapped(text: &str, size: f64, wide: f64) -> Vec<String> {
    let fits = |line: &str| room(line, size) <= wide;
    let split = |word: &str| {
        let (mut parts, mut part) = (Vec::new(), String::new());
        for letter in word.chars() {
            if !fits(&format!("{part}{letter}")) {
                parts.push(std::mem::take(&mut part));
            }
            part.push(letter);
        }
        parts.push(part);
        parts
    };
    in_lines(text.split_whitespace(), " ", fits, split)
}

/// Draws the legend below `at`, and returns the y coordinate below it.
pub(super) fn draw(canvas: &mut Canvas, view: &View, at: Point, wide: f64) -> f64 {
    let mut place = at + point(0.0, 16.0);
    if !view.map.moving.is_empty() {
        place.x += draw_ramp(canvas, at);
    }
    for (text, sample) in symbols(view).into_iter().chain(terrains(view)) {
        let long = SAMPLE + room(&text, 11.0) + 10.0;
        if place.x + long > at.x + wide {
            place = point(at.x, place.y + LINE);
        }
        let move_to = format!("class='sample' transform='translate({place})'");
        canvas.group(&move_to, |canvas| canvas.text += &sample);
        canvas.words("key", place + point(SAMPLE, 4.0), &text);
        place.x += long;
    }
    place.y + 22.0
}

/// Draws the scale of the colours of routes, and returns its width.
fn draw_ramp(canvas: &mut Canvas, at: Point) -> f64 {
    let scale = at + point(12.0, 14.0);
    for step in 0..30 {
        let (x, y) = (scale.x + f64::from(step) * RAMP / 30.0, scale.y - 5.0);
        let (wide, colour) = (RAMP / 30.0 + 0.3, ramp(f64::from(step) / 29.0));
        canvas.add(format_args!(
            "<rect x='{x:.1}' y='{y:.1}' width='{wide:.1}' height='9' fill='{colour}'/>"
        ));
    }
    for (share, text) in [(0.0, "0%"), (0.5, "50%"), (1.0, "100%")] {
        canvas.words("tick", scale + point(share * RAMP, 15.0), text);
    }
    let chance = "chance to survive";
    canvas.words("key", scale + point(RAMP + 16.0, 4.0), chance);
    RAMP + 40.0 + room(chance, 11.0)
}

fn sample(draw: impl FnOnce(&mut Canvas)) -> String {
    let mut sample = Canvas::default();
    draw(&mut sample);
    sample.text
}

/// Returns legend entries (text and sample) for routes, lines and counters in the picture.
fn symbols(view: &View) -> Vec<(String, String)> {
    let colour = ramp(1.0);
    let line =
        |class: &str, style: &str| format!("<path class='{class}' {style} d='M2,0 L30,0'/>\n");
    let route = |wide: f64, dash: &str| {
        let case = if dash.is_empty() { "route case" } else { "route case crawl" };
        line(case, &format!("stroke-width='{:.1}'", wide + 2.2))
            + &line("route", &format!("stroke='{colour}' stroke-width='{wide}'{dash}"))
    };
    let head = |is_exposed: bool| {
        let style = end_style("head", &colour, is_exposed);
        format!("<path {style} d='M26,0 L10,-8 L10,8z'/>\n")
    };
    let enemy = "<rect class='counter' x='6' y='-10' width='20' height='20' fill='#eee'/>\n";
    let unknown = sample(|canvas| canvas.group("class='unknown'", |inner| inner.text += enemy));
    let hatch = "<polygon class='interdicted' points='6,0 11,-9 22,-9 27,0 22,9 11,9'/>\n";
    let storeys = sample(|canvas| canvas.plate("storeys", point(16.0, 0.0), 10.0, "+1"));
    let level = sample(|canvas| canvas.words("tag", point(16.0, 4.0), "L1"));

    let mut items = Vec::new();
    let mut add = |is_shown: bool, text: &str, sample: &str| {
        items.extend(is_shown.then(|| (text.to_string(), sample.to_string())));
    };
    let (words, enemies) = (&view.map.words, &view.map.enemies);
    let others = |unit: &MovingUnit| unit.routes.iter().skip(1).any(|route| !route.is_dashed);
    add(view.routes().next().is_some(), &words.best_route, &route(5.5, ""));
    add(view.map.moving.iter().any(others), "other route", &route(3.4, ""));
    let dashed = " stroke-dasharray='6 4' stroke-linecap='butt'";
    add(view.routes().any(|route| route.is_dashed), words.dashed_route, &route(4.0, dashed));
    for (is_exposed, text) in [(false, "ends in cover"), (true, "ends in the open")] {
        let is_met = view.routes().any(|route| route.is_exposed == is_exposed);
        add(is_met, text, &head(is_exposed));
    }
    let mut ends = view.routes().flat_map(|route| route.steps.last());
    add(ends.any(|end| end.level > 0), "ends on that level", &level);
    let has_danger = !view.map.dangers.is_empty();
    add(has_danger, words.danger, hatch);
    add(has_danger, words.line_of_sight, &line("sight strong", ""));
    let has_known = enemies.iter().any(|enemy| enemy.is_known) && !words.known.is_empty();
    add(has_known, words.known, enemy);
    let is_high = view.grounds().any(|ground| ground.upper_levels > 0);
    add(is_high, "levels above the ground floor", &storeys);
    add(enemies.iter().any(|enemy| !enemy.is_known), words.unknown, &unknown);
    items
}

/// Returns a legend entry for each terrain, hexside terrain and other feature of the hexes shown.
fn terrains(view: &View) -> Vec<(String, String)> {
    let mut samples: BTreeMap<TerrainStyle, MapGround> = BTreeMap::new();
    let mut features: BTreeMap<&str, MapGround> = BTreeMap::new();
    for ground in view.grounds() {
        let MapGround { style, terrain, is_bridge, .. } = *ground;
        if style != TerrainStyle::Open {
            let plain = || MapGround { style, terrain, is_bridge, ..MapGround::default() };
            samples.entry(style).or_insert_with(plain);
        }
        let open = MapGround::default;
        if ground.has_road() {
            let roads = [false, true, false, false, true, false];
            features.insert("road", MapGround { roads, ..open() });
        }
        for (barrier, _) in BARRIERS.into_iter().filter(|(name, _)| ground.barriers.contains(name))
        {
            let barriers = [barrier, "", "", "", "", barrier];
            features.insert(barrier, MapGround { barriers, ..open() });
        }
        // A minefield is named on the map.
        for &feature in ground.features.iter().filter(|feature| **feature != MINEFIELD) {
            features.insert(feature, MapGround { features: vec![feature], ..open() });
        }
        if ground.level > 0 {
            features.insert("level of a hill", MapGround { level: 1, ..open() });
        }
    }
    let samples = samples.into_iter().map(|(style, ground)| (style.name(), ground));
    let item = |(name, ground): (&str, MapGround)| {
        let is_fortified =
            FEATURES[..3].iter().any(|(feature, _)| ground.features.contains(feature));
        let scale = if is_fortified { 0.3 } else { 0.27 };
        let (x, y) = (SIDE * 0.34, -HALF * scale);
        let hex = MapHex { column: 0, height: 1 };
        let board = Board::from([(hex, ground)]);
        let painter = Painter { board: &board, hexes: &[hex] };
        let placed = format!("transform='translate({x},{y}) scale({scale})'");
        (name.to_string(), sample(|canvas| canvas.group(&placed, |canvas| painter.draw(canvas))))
    };
    samples.chain(features).map(item).collect()
}
