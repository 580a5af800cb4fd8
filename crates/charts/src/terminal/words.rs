//! The lists below the map: units, best routes, dangerous hexes, and the meaning of the signs.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{BARRIERS, FEATURES, MapGround, TerrainStyle};
use crate::chart::text::in_lines;
use crate::route_map::{Route, RouteMap};
use crate::view::View;

/// Largest number of characters in a line.
const LINE: usize = 80;

/// Returns the lists below a map. `is_cut` is true if columns of the map were cut off.
pub(super) fn below(view: &View, is_cut: bool) -> String {
    let routes = marked(view.map).into_iter();
    let routes = routes.map(|(route, marks)| marks.into_iter().chain([route.listed.clone()]));
    let routes = routes.map(|words| words.collect::<Vec<String>>().join(" "));
    let routes = routes.collect();
    let groups = [units(view), routes, dangers(view), key(view), part(view, is_cut)];
    let in_lines =
        |group: &Vec<String>| in_lines(group.iter().map(String::as_str), "   ", fits, wrapped);
    let lines: Vec<String> = groups.iter().flat_map(in_lines).collect();
    format!("\n{}\n", lines.join("\n"))
}

fn fits(line: &str) -> bool {
    line.chars().count() <= LINE
}

/// Wraps an item into lines. All lines but the first are indented.
fn wrapped(item: &str) -> Vec<String> {
    let mut indent = "";
    let start = |word: &str| {
        let word: String = word.chars().take(LINE - 2).collect();
        vec![std::mem::replace(&mut indent, "  ").to_string() + &word]
    };
    in_lines(item.split_whitespace(), " ", fits, start)
}

/// Returns a text on each unit: its mark, its name, its counter and its Location.
fn units(view: &View) -> Vec<String> {
    let text = view.tokens().filter(|token| !token.sign.is_empty()).map(|token| {
        let off = if view.hexes.contains(&token.at.hex) { "" } else { ", off this map" };
        let [unit, with] = &token.listed;
        format!("{} {unit}{off}{with}", token.sign)
    });
    text.collect()
}

/// Returns the routes that the map shows, each with the marks of its steps: the best solid route
/// and the best dashed one of each unit, and the one without a step if it is best. The marks are `1a`, `1b` or `1~` for a dashed route. The
/// last one is `1B` or `1-` if the route ends in the open.
pub(super) fn marked(map: &RouteMap) -> Vec<(&Route, Vec<String>)> {
    let mut marked = Vec::new();
    for unit in &map.moving {
        let mut kinds = Vec::new();
        for route in &unit.routes {
            let kind = (route.is_dashed, route.steps.is_empty());
            if kinds.contains(&kind) {
                continue;
            }
            kinds.push(kind);
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

/// Returns texts on the dangerous hexes, grouped by the enemies that make them so.
fn dangers(view: &View) -> Vec<String> {
    let mut hexes: BTreeMap<&BTreeSet<usize>, Vec<&str>> = BTreeMap::new();
    for (&hex, by) in &view.map.dangers {
        hexes.entry(by).or_default().push(view.hex_name(hex));
    }
    let text = hexes.into_iter().map(|(by, hexes)| {
        let by = by.iter().filter_map(|&enemy| view.map.enemies.get(enemy));
        let by: Vec<&str> = by.map(|enemy| enemy.sign.as_str()).collect();
        format!("! {} by {}: {}", view.map.words.danger, by.join(" "), hexes.join(" "))
    });
    text.collect()
}

/// Returns the meaning of each sign on the map.
fn key(view: &View) -> Vec<String> {
    let letters = view.map.words.letters.iter().map(|letter| letter.to_string());
    let mut key: Vec<String> = letters.collect();
    let mut sign = |shown: bool, sign: &str, name: &str| {
        key.extend(shown.then(|| format!("{sign} {name}")));
    };
    let has_road = view.grounds().any(MapGround::has_road);
    sign(has_road, "=", "road");
    for style in TerrainStyle::of_hexes(view.grounds()) {
        let is_said = has_road && style == TerrainStyle::Road;
        sign(!is_said, style.texture(), style.name());
    }
    for (barrier, letter) in BARRIERS {
        let is_met = view.grounds().any(|ground| ground.barriers.contains(&barrier));
        sign(is_met, letter, barrier);
    }
    sign(view.grounds().any(|ground| ground.level != 0), "_1__", "level 1");
    for (feature, letter) in FEATURES {
        let is_met = view.grounds().any(|ground| ground.features.contains(&feature));
        sign(is_met, letter, feature);
    }
    key
}

/// Returns a text on the part of the map that is shown, unless all of it is.
fn part(view: &View, is_cut: bool) -> Vec<String> {
    let ends = view.hexes.first().zip(view.hexes.last());
    let ends = ends.filter(|_| view.hexes.len() < view.map.board.len());
    let why = if is_cut { "; no more columns fit" } else { "" };
    let part = ends.map(|(&first, &last)| {
        format!("part of the map, {} to {}{why}", view.hex_name(first), view.hex_name(last))
    });
    part.into_iter().collect()
}
