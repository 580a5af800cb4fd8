//! A rout in plain characters: a hex map of at most 110 columns. Lists of the units, routes and
//! signs follow in lines of 80 characters.
//!
//! | file | contains |
//! |---|---|
//! | `page` | a page of characters; the shape of a hex |
//! | `terrain` | characters and colours of terrain and hexside terrain |
//! | `words` | the lists below the map |

mod page;
mod terrain;
mod words;

use std::collections::BTreeMap;

use super::look::Style;
use super::view::{Units, View, crawls};
use asl::board::hex::Hex;
use asl::course::rout::{Prospect, RoutCourse};
use asl::rout::{Enemy, Situation, mark};
use page::{Mark, Page};

/// Largest number of characters in a line of the map.
const WIDTH: usize = 110;
/// Largest number of characters in a line of the lists below the map.
const LINE: usize = 80;

const ROUTING: Style = "1;38;5;231;48;5;16";
const KNOWN: Style = "1;38;5;231;48;5;124";
const UNKNOWN: Style = "38;5;124;48;5;231";

/// Draws the routs of some units, each given by its 0-based index in the situation. `colour` adds
/// escape sequences for terminals with 256 colours.
pub fn rout_map(situation: &Situation, units: &[(usize, &Prospect)], colour: bool) -> String {
    let (view, is_cut) = fit_view(situation, units);
    let mut page = Page::new(&view);
    for &hex in &view.hexes {
        page.outline(&view, hex);
    }
    let (counters, steps) = (counters(&view), steps(&view));
    let marks = |of: &BTreeMap<Hex, Vec<Mark>>, hex: &Hex| of.get(hex).cloned().unwrap_or_default();
    for hex in &view.hexes {
        page.fill(&view, *hex, &marks(&counters, hex), &marks(&steps, hex));
    }
    page.text(colour) + &words::below(&view, is_cut)
}

/// Returns the view with the largest range around the routing units that fits the width. The flag
/// is true if even the smallest range did not fit, so that columns were cut off.
fn fit_view<'a>(situation: &'a Situation, units: &'a Units<'a>) -> (View<'a>, bool) {
    let columns = |view: &View| match (view.hexes.first(), view.hexes.last()) {
        (Some(first), Some(last)) => last.column - first.column + 1,
        _ => 0,
    };
    let most = |view: &View| Page::new(view).columns(WIDTH);
    let mut view = View::new(situation, units, 2, Some(6));
    for within in [5, 4, 3, 2] {
        if columns(&view) > most(&view) {
            view = View::new(situation, units, 2, Some(within));
        }
    }
    let (columns, most) = (columns(&view), most(&view));
    if columns > most {
        let drawn = || units.iter().filter_map(|(unit, _)| situation.routers.get(*unit));
        let drawn = || drawn().map(|router| router.at.hex.column);
        let middle = (drawn().min().unwrap_or(0) + drawn().max().unwrap_or(0)) / 2;
        let first = view.hexes[0].column;
        let left = (middle - most / 2).clamp(first, first + columns - most);
        view.hexes.retain(|hex| (left..left + most).contains(&hex.column));
    }
    (view, columns > most)
}

/// Returns the mark of an enemy: `E1` if Known, else `e1`. A `?` is added for concealed and a `b`
/// for broken enemies.
fn mark_of(view: &View, place: usize, enemy: &Enemy) -> String {
    let letter = if view.known.contains(&place) { 'E' } else { 'e' };
    let concealed = if enemy.circumstances.concealed { "?" } else { "" };
    let broken = if enemy.is_broken() { "b" } else { "" };
    format!("{}{concealed}{broken}", mark(letter, place))
}

/// Returns the mark of a routing unit: `U1`, or `u1` if its rout is not drawn.
fn mark_of_router(view: &View, place: usize) -> String {
    mark(if view.units.iter().any(|(unit, _)| *unit == place) { 'U' } else { 'u' }, place)
}

/// Returns the marks of the units in each hex: routing units, friends, then enemies.
fn counters(view: &View) -> BTreeMap<Hex, Vec<Mark>> {
    let Situation { routers, friends, enemies, .. } = view.situation;
    let mut marks: BTreeMap<Hex, Vec<Mark>> = BTreeMap::new();
    let mut put =
        |hex: Hex, mark: String, style: Style| marks.entry(hex).or_default().push((mark, style));
    for (place, router) in routers.iter().enumerate() {
        put(router.at.hex, mark_of_router(view, place), ROUTING);
    }
    for (place, friend) in friends.iter().enumerate() {
        put(friend.at.hex, mark('F', place), ROUTING);
    }
    for (place, enemy) in enemies.iter().enumerate() {
        let style = if view.known.contains(&place) { KNOWN } else { UNKNOWN };
        put(enemy.at.hex, mark_of(view, place, enemy), style);
    }
    marks
}

/// Returns the courses that the map shows: the best run and the best Low Crawl of each unit, with
/// the unit's 1-based number.
fn ways<'a>(view: &View<'a>) -> Vec<(usize, &'a RoutCourse)> {
    let mut ways = Vec::new();
    for (&(unit, _), courses) in view.units.iter().zip(&view.courses) {
        let best = courses.first().copied();
        let other = courses
            .iter()
            .copied()
            .find(|course| best.is_some_and(|best| crawls(best) != crawls(course)));
        ways.extend(best.into_iter().chain(other).map(|course| (unit + 1, course)));
    }
    ways
}

/// Returns the marks of a course's steps: `1a`, `1b` for a run, `1~` for a Low Crawl. The last one
/// is `1B` or `1-` if the unit ends in the open.
fn step_marks(view: &View, unit: usize, course: &RoutCourse) -> Vec<String> {
    let letters = if crawls(course) { '~'..='~' } else { 'a'..='z' };
    let marks = course.route.iter().zip(letters).map(|(_, letter)| format!("{unit}{letter}"));
    let mut marks: Vec<String> = marks.collect();
    if let Some(last) = marks.last_mut().filter(|_| view.ends_exposed(course)) {
        *last = last.to_uppercase().replace('~', "-");
    }
    marks
}

/// Returns the step marks in each hex, in the colour of the course's probability of survival.
fn steps(view: &View) -> BTreeMap<Hex, Vec<Mark>> {
    let mut steps: BTreeMap<Hex, Vec<Mark>> = BTreeMap::new();
    for (unit, course) in ways(view) {
        let style = style_of(course.summary().survives);
        for (location, mark) in course.route.iter().zip(step_marks(view, unit, course)) {
            steps.entry(location.hex).or_default().push((mark, style));
        }
    }
    steps
}

/// Returns the terminal colours of a probability (0 to 1), in six steps.
fn style_of(chance: f64) -> Style {
    match chance {
        low if low < 0.2 => "1;38;5;231;48;5;88",
        low if low < 0.4 => "1;38;5;231;48;5;160",
        some if some < 0.6 => "1;38;5;16;48;5;208",
        some if some < 0.8 => "1;38;5;16;48;5;220",
        high if high < 0.9 => "1;38;5;16;48;5;117",
        _ => "1;38;5;231;48;5;26",
    }
}
