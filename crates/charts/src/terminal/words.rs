//! The lists below the map: units, best routes, Interdicted hexes, and the meaning of the signs.

use std::collections::BTreeMap;

use super::terrain::letter;
use super::{LINE, mark_of, mark_of_router, step_marks, ways};
use crate::look::Look;
use crate::view::{View, chances, crawls};
use asl::board::hex::Hex;
use asl::board::map::{Barrier, Location, Works};
use asl::rout::{Situation, mark};
use asl::stack::Member;

/// Returns the lists below a map. `is_cut` is true if columns of the map were cut off.
pub(super) fn below(view: &View, is_cut: bool) -> String {
    let groups = [units(view), courses(view), danger(view), key(view), part(view, is_cut)];
    let lines: Vec<String> = groups.iter().flat_map(|group| in_lines(group)).collect();
    format!("\n{}\n", lines.join("\n"))
}

fn in_lines(items: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + item.chars().count() <= LINE => {
                *line += &format!("   {item}")
            }
            _ => lines.extend(wrapped(item)),
        }
    }
    lines
}

/// Wraps an item into lines of at most [`LINE`] characters. All lines but the first are indented.
fn wrapped(item: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in item.split(' ') {
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > LINE {
            lines.push(std::mem::replace(&mut line, "  ".to_string()));
        }
        line += if line.trim().is_empty() { "" } else { " " };
        line.extend(word.chars().take(LINE - 2));
    }
    lines.push(line);
    lines
}

/// Returns a text on each unit: its mark, its name, its counter and its Location.
fn units(view: &View) -> Vec<String> {
    let Situation { routers, friends, enemies, .. } = view.situation;
    let unit_in_words = |mark: String, name: &str, member: Option<&Member>, at: Location| {
        let what = match (view.own_name(name, member, at), member) {
            (Some(name), Some(member)) => format!("{name} ({member})"),
            (None, Some(member)) => member.to_string(),
            (_, None) => view.short_name(name, at),
        };
        let off = if view.hexes.contains(&at.hex) { "" } else { ", off this map" };
        let what: String = what.chars().filter(|letter| !letter.is_control()).collect();
        format!("{mark} {what} in {}{off}", view.location_name(at))
    };
    let routing = routers.iter().enumerate().map(|(place, router)| {
        let mark = mark_of_router(view, place);
        let unit = unit_in_words(mark, &router.name, Some(&router.member), router.at);
        router.escort.iter().fold(unit, |unit, escort| format!("{unit} with {escort}"))
    });
    let friends = friends.iter().enumerate().map(|(place, friend)| {
        unit_in_words(mark('F', place), &friend.name, Some(&friend.member), friend.at)
    });
    let enemies = enemies.iter().enumerate().map(|(place, enemy)| {
        unit_in_words(mark_of(view, place, enemy), &enemy.name, enemy.member.as_ref(), enemy.at)
    });
    routing.chain(friends).chain(enemies).collect()
}

/// Returns a text on each course on the map: the marks of its steps, and its probabilities.
fn courses(view: &View) -> Vec<String> {
    let routes = ways(view).into_iter().map(|(unit, course)| {
        let what = if crawls(course) { "Low Crawl" } else { "best run" };
        let steps = step_marks(view, unit, course).join(" ");
        let open = if view.ends_exposed(course) { ", still in the open" } else { "" };
        format!("{steps} {what} of U{unit}{open}: {}", chances(course))
    });
    routes.collect()
}

/// Returns texts on the Interdicted hexes, grouped by their Interdictors.
fn danger(view: &View) -> Vec<String> {
    let mut hexes: BTreeMap<Vec<usize>, Vec<Hex>> = BTreeMap::new();
    for (&hex, by) in &view.interdicted {
        hexes.entry(by.iter().copied().collect()).or_default().push(hex);
    }
    let firing = hexes.into_iter().map(|(by, hexes)| {
        let enemy = |&place: &usize| Some(mark_of(view, place, view.situation.enemies.get(place)?));
        let by: Vec<String> = by.iter().filter_map(enemy).collect();
        let hexes: Vec<String> = hexes.into_iter().map(|hex| view.hex_name(hex)).collect();
        format!("! Interdicted by {}: {}", by.join(" "), hexes.join(" "))
    });
    firing.collect()
}

/// Returns the meaning of each sign on the map.
fn key(view: &View) -> Vec<String> {
    let enemies = &view.situation.enemies;
    let grounds = || view.grounds();
    let mut key = Vec::new();
    let mut sign = |shown: bool, text: &str| key.extend(shown.then(|| text.to_string()));
    sign(!view.known.is_empty(), "E Known enemy");
    sign(view.known.len() < enemies.len(), "e enemy not yet Known");
    sign(enemies.iter().any(|enemy| enemy.circumstances.concealed), "? concealed");
    sign(enemies.iter().any(|enemy| enemy.is_broken()), "b broken");
    let has_road = grounds().any(|ground| !ground.road.is_empty());
    sign(has_road, "= road");
    for look in Look::of_hexes(grounds()) {
        let is_said = has_road && look == Look::Road;
        sign(!is_said, &format!("{} {}", look.texture(), look.name()));
    }
    for barrier in Barrier::ALL {
        let shown = grounds().any(|ground| ground.sides.contains(&Some(barrier)));
        sign(shown, &format!("{} {}", letter(barrier), barrier.name()));
    }
    sign(grounds().any(|ground| ground.level != 0), "_1__ level 1");
    for (works, text) in Works::ALL.into_iter().zip(["f foxhole", "t trench", "p pillbox"]) {
        sign(grounds().any(|ground| ground.works == Some(works)), text);
    }
    sign(grounds().any(|ground| ground.smoke), "s SMOKE");
    sign(grounds().any(|ground| ground.blaze), "* Blaze");
    sign(grounds().any(|ground| ground.hazard), "m minefield or FFE");
    key
}

/// Returns a text on the part of the map that is shown, unless all of it is.
fn part(view: &View, is_cut: bool) -> Vec<String> {
    let ends = view.hexes.first().zip(view.hexes.last()).filter(|_| view.is_cropped());
    let why = if is_cut { "; no more columns fit" } else { "" };
    let part = ends.map(|(&first, &last)| {
        format!("part of the map, {} to {}{why}", view.hex_name(first), view.hex_name(last))
    });
    part.into_iter().collect()
}
