//! A map with counters and routes in plain characters: a hex map of at most 110 columns. Lists of
//! the units, routes and signs follow in lines of 80 characters.

mod page;
mod words;

use std::collections::BTreeMap;

use super::board::{Colours, MapHex};
use super::route_map::RouteMap;
use super::svg::WITHIN;
use super::view::View;
use page::{Mark, Page};

/// Largest number of characters in a line of the map.
const WIDTH: usize = 110;

const OWN: Colours = "1;38;5;231;48;5;16";
const KNOWN: Colours = "1;38;5;231;48;5;124";
const UNKNOWN: Colours = "38;5;124;48;5;231";

/// Draws a map with counters and routes, with `colour` for terminals with 256 colours.
pub fn draw(map: &RouteMap, colour: bool) -> String {
    let (view, is_cut) = fit_view(map);
    let mut page = Page::new(&view);
    for &hex in &view.hexes {
        page.outline(&view, hex);
    }
    let (counters, steps) = (counters(map), steps(map));
    let marks = |of: &BTreeMap<MapHex, Vec<Mark>>, hex| of.get(hex).cloned().unwrap_or_default();
    for hex in &view.hexes {
        page.fill(&view, *hex, &marks(&counters, hex), &marks(&steps, hex));
    }
    page.text(colour) + &words::below(&view, is_cut)
}

/// Returns the view with the largest range around the moving units that fits the width. The flag
/// is true if even the smallest range did not fit, so that columns were cut off.
fn fit_view(map: &RouteMap) -> (View<'_>, bool) {
    let columns = |view: &View| match (view.hexes.first(), view.hexes.last()) {
        (Some(first), Some(last)) => last.column - first.column + 1,
        _ => 0,
    };
    let most = |view: &View| Page::new(view).columns(WIDTH);
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
