//! The marks of the routes on the map.

use std::collections::BTreeMap;

use super::page::Mark;
use crate::board::{Colours, MapHex};
use crate::route_map::{Route, RouteMap};

/// Returns the routes that the map shows, each with the marks of its steps: the best solid route
/// and the best dashed one of each unit. The marks are `1a`, `1b` or `1~` for a dashed route. The
/// last one is `1B` or `1-` if the route ends in the open.
pub(super) fn marked(map: &RouteMap) -> Vec<(&Route, Vec<String>)> {
    let mut marked = Vec::new();
    for unit in &map.moving {
        let Some(best) = unit.routes.first() else { continue };
        let other = unit.routes.iter().find(|route| route.is_dashed != best.is_dashed);
        for route in std::iter::once(best).chain(other) {
            let letters = if route.is_dashed { '~'..='~' } else { 'a'..='z' };
            let marks = route.steps.iter().zip(letters);
            let mut marks: Vec<String> =
                marks.map(|(_, letter)| format!("{}{letter}", unit.number)).collect();
            if let Some(last) = marks.last_mut().filter(|_| route.is_exposed) {
                *last = last.to_uppercase().replace('~', "-");
            }
            marked.push((route, marks));
        }
    }
    marked
}

/// Returns the step marks in each hex, in the colour of the route's probability of survival.
pub(super) fn in_hexes(map: &RouteMap) -> BTreeMap<MapHex, Vec<Mark>> {
    let mut steps: BTreeMap<MapHex, Vec<Mark>> = BTreeMap::new();
    for (route, marks) in marked(map) {
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
