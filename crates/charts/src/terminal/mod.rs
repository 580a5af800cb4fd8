//! A map with counters and routes in plain characters: a hex map in lines of 80 characters, which
//! stands in two parts if it is wider. Lists of the units, routes and signs follow.

mod page;
mod words;

use std::collections::BTreeMap;

use super::board::{Colours, MapHex};
use super::route_map::RouteMap;
use super::svg::WITHIN;
use super::view::View;
use page::{Mark, Page};

/// Largest number of characters in a line of the map.
const WIDTH: usize = 80;
/// Largest number of parts of a map.
const PARTS: i16 = 2;

const OWN: Colours = "1;38;5;231;48;5;16";
const KNOWN: Colours = "1;38;5;231;48;5;124";
const UNKNOWN: Colours = "38;5;124;48;5;231";

/// Draws a map with counters and routes, with `colour` for terminals with 256 colours.
pub fn draw(map: &RouteMap, colour: bool) -> String {
    let (view, is_cut) = fit_view(map);
    let (counters, steps) = (counters(map), steps(map));
    let marks = |of: &BTreeMap<MapHex, Vec<Mark>>, hex: &MapHex| -> Vec<Mark> {
        of.get(hex).cloned().unwrap_or_default()
    };
    let part = |view: &View| {
        let mut page = Page::new(view);
        for &hex in &view.hexes {
            page.outline(view, hex);
        }
        for hex in &view.hexes {
            page.fill(view, *hex, &marks(&counters, hex), &marks(&steps, hex));
        }
        page.text(colour)
    };
    let parts: Vec<String> = parts(&view).iter().map(part).collect();
    parts.join("further columns to the right:\n") + &words::below(&view, is_cut)
}

/// Returns the number of columns of hexes from the first to the last.
fn columns(view: &View) -> i16 {
    match (view.hexes.first(), view.hexes.last()) {
        (Some(first), Some(last)) => last.column - first.column + 1,
        _ => 0,
    }
}

/// Divides a view into parts of about the same width that fit a line, from left to right.
fn parts<'a>(view: &View<'a>) -> Vec<View<'a>> {
    let all = columns(view);
    let number = (all - 1).max(0) / Page::new(view).columns(WIDTH) + 1;
    let wide = (all - 1).max(0) / number + 1;
    let first = view.hexes.first().map_or(0, |hex| hex.column);
    let part = |left: i16| {
        let is_in = |hex: &MapHex| (left..left + wide).contains(&hex.column);
        View { map: view.map, hexes: view.hexes.iter().copied().filter(is_in).collect() }
    };
    (0..number).map(|number| part(first + number * wide)).collect()
}

/// Returns the view with the largest range around the moving units that fits the width. The flag
/// is true if even the smallest range did not fit, so that columns were cut off.
fn fit_view(map: &RouteMap) -> (View<'_>, bool) {
    let most = |view: &View| PARTS * Page::new(view).columns(WIDTH);
    let mut view = View::new(map, Some(WITHIN));
    for within in [5, 4, 3, 2] {
        if columns(&view) > most(&view) {
            view = View::new(map, Some(within));
        }
    }
    let (columns, most) = (columns(&view), most(&view));
    if columns > most {
        let moving = || map.moving.iter().map(|unit| unit.at.hex.column);
        let middle = (moving().min().unwrap_or(0) + moving().max().unwrap_or(0)) / 2;
        let first = view.hexes[0].column;
        let left = (middle - most / 2).clamp(first, first + columns - most);
        view.hexes.retain(|hex| (left..left + most).contains(&hex.column));
    }
    (view, columns > most)
}

/// Returns the marks of the units in each hex: moving units, friends, then enemies.
fn counters(map: &RouteMap) -> BTreeMap<MapHex, Vec<Mark>> {
    let own = map.units.iter().chain(&map.friends).map(|token| (token, OWN));
    let enemies = map.enemies.iter();
    let enemies = enemies.map(|enemy| (enemy, if enemy.is_known { KNOWN } else { UNKNOWN }));
    let mut marks: BTreeMap<MapHex, Vec<Mark>> = BTreeMap::new();
    for (token, colours) in own.chain(enemies).filter(|(token, _)| !token.sign.is_empty()) {
        marks.entry(token.at.hex).or_default().push((token.sign.clone(), colours));
    }
    marks
}

/// Returns the step marks in each hex, in the colour of the route's probability of survival.
fn steps(map: &RouteMap) -> BTreeMap<MapHex, Vec<Mark>> {
    let mut steps: BTreeMap<MapHex, Vec<Mark>> = BTreeMap::new();
    for (route, marks) in words::marked(map) {
        let colours = colours_of(route.survives);
        for (location, mark) in route.steps.iter().zip(marks) {
            steps.entry(location.hex).or_default().push((mark, colours));
        }
    }
    steps
}

/// Returns the terminal colours of a probability (0 to 1), in six steps.
fn colours_of(chance: f64) -> Colours {
    match chance {
        low if low < 0.2 => "1;38;5;231;48;5;88",
        low if low < 0.4 => "1;38;5;231;48;5;160",
        some if some < 0.6 => "1;38;5;16;48;5;208",
        some if some < 0.8 => "1;38;5;16;48;5;220",
        high if high < 0.9 => "1;38;5;16;48;5;117",
        _ => "1;38;5;231;48;5;26",
    }
}
