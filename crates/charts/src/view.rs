//! The contents of a picture of a rout: part of the map, Interdicted hexes, Known enemies, and
//! routes.

use std::collections::{BTreeMap, BTreeSet};

use asl::board::hex::{Hex, Hexside};
use asl::board::map::{HexContents, Location, Map, Works};
use asl::course::rout::{Prospect, RoutCourse};
use asl::rout::{RoutPlan, Situation, mark};
use asl::stack::Member;

/// Range, in hexes, that is shown around units without a drawn rout.
const AROUND_OTHERS: u16 = 2;

/// Range, in hexes, that is shown around a route.
const AROUND_ROUTES: u16 = 1;

/// The units whose routs are drawn: their 0-based indices in the situation, with their plans.
pub(super) type Units<'a> = [(usize, &'a Prospect)];

/// A situation, and the parts of it that a picture shows.
pub(super) struct View<'a> {
    pub situation: &'a Situation,
    pub units: &'a Units<'a>,
    /// The courses drawn for each of `units`, the best first.
    pub courses: Vec<Vec<&'a RoutCourse>>,
    /// The hexes shown, all within one rectangle.
    pub hexes: Vec<Hex>,
    /// The Interdicted hexes, with the 0-based indices of their Interdictors. Hexes that drawn runs
    /// enter without Interdiction are omitted.
    pub interdicted: BTreeMap<Hex, BTreeSet<usize>>,
    /// The 0-based indices of enemies Known to any of `units` at the start.
    pub known: BTreeSet<usize>,
}

impl<'a> View<'a> {
    /// Creates a view with at most `routes` courses of each unit. It shows the hexes up to `within`
    /// from these units; `None` shows the whole map. Hexes that shown hexes do not connect to a
    /// unit or route are omitted.
    pub fn new(
        situation: &'a Situation,
        units: &'a Units<'a>,
        routes: usize,
        within: Option<u16>,
    ) -> View<'a> {
        let known =
            units.iter().flat_map(|(_, prospect)| prospect.outlook.known.iter().copied()).collect();
        let courses: Vec<Vec<&RoutCourse>> =
            units.iter().map(|(_, prospect)| worth_drawing(&prospect.courses, routes)).collect();
        let mut interdicted: BTreeMap<Hex, BTreeSet<usize>> = BTreeMap::new();
        for ((_, prospect), drawn) in units.iter().zip(&courses) {
            for (location, by) in &prospect.outlook.interdicted {
                if !spare_interdiction(drawn, *location) {
                    interdicted.entry(location.hex).or_default().extend(by);
                }
            }
        }
        let mut view = View { situation, units, courses, hexes: Vec::new(), interdicted, known };
        view.hexes = match within {
            Some(within) => {
                let sights = view.sights(within);
                joined(rectangle(&situation.map, &sights), sights.iter().map(|(hex, _)| *hex))
            }
            None => situation.map.hexes().collect(),
        };
        view
    }

    /// Returns the hexes that must be shown, each with the range to show around it.
    fn sights(&self, within: u16) -> Vec<(Hex, u16)> {
        let routers = &self.situation.routers;
        let drawn = self.units.iter().filter_map(|(unit, _)| routers.get(*unit));
        let drawn = drawn.map(|router| (router.at.hex, within));
        let around = AROUND_OTHERS.min(within);
        let others = self.occupied().map(|hex| (hex, around));
        let routes = self.courses.iter().flatten().flat_map(|course| &course.route);
        let routes = routes.map(|location| (location.hex, AROUND_ROUTES));
        drawn.chain(others).chain(routes).collect()
    }

    /// Returns the hexes of all units of both sides.
    pub fn occupied(&self) -> impl Iterator<Item = Hex> {
        let Situation { routers, friends, enemies, .. } = self.situation;
        let own = routers.iter().map(|router| router.at).chain(friends.iter().map(|one| one.at));
        own.chain(enemies.iter().map(|enemy| enemy.at)).map(|location| location.hex)
    }

    /// Returns the contents of the hexes shown.
    pub fn grounds(&self) -> impl Iterator<Item = &HexContents> {
        self.hexes.iter().filter_map(|&hex| self.situation.map.get(hex))
    }

    pub fn is_cropped(&self) -> bool {
        self.hexes.len() < self.situation.map.hexes().count()
    }

    /// Returns the name of a hex as printed on the map, without the board's prefix if there is only
    /// one board.
    pub fn hex_name(&self, hex: Hex) -> String {
        hex_name(&self.situation.map, hex)
    }

    /// Returns the name of a Location as printed on the map, with its level if that is not 0.
    pub fn location_name(&self, location: Location) -> String {
        let name = self.hex_name(location.hex);
        if location.level == 0 { name } else { format!("{name} level {}", location.level) }
    }

    /// Removes the Location from a unit's name, because the picture shows where the unit is.
    pub fn short_name(&self, name: &str, at: Location) -> String {
        name.replacen(&format!(" in {}", self.situation.map.location_name(at)), "", 1)
    }

    /// Returns a unit's own name; `None` if the unit is named after its counter.
    pub fn own_name(&self, name: &str, member: Option<&Member>, at: Location) -> Option<String> {
        let short = self.short_name(name, at);
        let printed = member.map_or("", |member| member.printed().printed());
        let is_counter = short
            .strip_prefix(printed)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("));
        (!is_counter).then_some(short)
    }

    /// Describes where a course leads if no attack stops it, such as `to Z9 by AA9`.
    pub fn way(&self, course: &RoutCourse) -> String {
        let Some((&end, through)) = course.route.split_last() else { return "stay".to_string() };
        let end = self.location_name(end);
        let through = through.iter().map(|&location| self.location_name(location));
        match through.collect::<Vec<_>>().join(", ").as_str() {
            _ if crawls(course) => format!("Low Crawl to {end}"),
            "" => format!("to {end}"),
            through => format!("to {end} by {through}"),
        }
    }

    /// Returns whether a course ends in a hex without cover.
    pub fn ends_exposed(&self, course: &RoutCourse) -> bool {
        let ground = course.route.last().and_then(|end| self.situation.map.get(end.hex));
        ground.is_some_and(|ground| !ground.is_cover() && ground.works != Some(Works::Pillbox))
    }

    /// Describes the rules' demand on a unit, such as `must rout` or `surrenders to Z5`.
    pub fn ruling(&self, prospect: &Prospect) -> String {
        let ruling = &prospect.ruling;
        if !ruling.surrenders {
            return format!("{} rout", ruling.verdict.name());
        }
        let captor = |&enemy: &usize| self.situation.enemies.get(enemy);
        let captors = ruling.captors.iter().filter_map(captor).map(|enemy| {
            let name = self.short_name(&enemy.name, enemy.at);
            format!("{name} in {}", self.location_name(enemy.at))
        });
        format!("surrenders to {}", captors.collect::<Vec<_>>().join(" or "))
    }
}

impl View<'_> {
    /// Returns one line for each unit: its obligation and its best course.
    pub fn captions(&self) -> Vec<String> {
        self.units.iter().filter_map(|(unit, prospect)| self.caption(*unit, prospect)).collect()
    }

    fn caption(&self, unit: usize, prospect: &Prospect) -> Option<String> {
        let router = self.situation.routers.get(unit)?;
        let name = self.short_name(&router.name, router.at);
        let mut caption = format!(
            "{}: {name} in {} {}.",
            mark('U', unit),
            self.location_name(router.at),
            self.ruling(prospect)
        );
        let best = prospect.courses.first().filter(|_| !prospect.ruling.surrenders);
        let other = |best: &&RoutCourse| {
            let differs =
                |course: &&RoutCourse| crawls(course) != crawls(best) && !course.route.is_empty();
            prospect.courses.iter().find(differs)
        };
        for (word, course) in [("Best: ", best), ("Otherwise ", best.as_ref().and_then(other))] {
            if let Some(course) = course {
                caption += &format!(" {word}{}: {}.", self.way(course), chances(course));
            }
        }
        Some(caption)
    }
}

pub(super) fn chances(course: &RoutCourse) -> String {
    let sum = course.summary();
    let (survives, unhurt) = (percent(sum.survives), percent(sum.unhurt));
    match survives == unhurt {
        true if sum.survives > 0.0 => format!("survives unhurt {survives}"),
        true => format!("survives {survives}"),
        false => format!("survives {survives}, unhurt {unhurt}"),
    }
}

pub(super) fn crawls(course: &RoutCourse) -> bool {
    matches!(course.plan, RoutPlan::Crawl(_))
}

/// Returns whether drawn runs enter a Location and none is Interdicted there. A run can pay the
/// cost of cover that a hex offers to avoid Interdiction (B2.4).
fn spare_interdiction(courses: &[&RoutCourse], location: Location) -> bool {
    let runs = courses.iter().filter(|course| !crawls(course));
    let mut entries =
        runs.flat_map(|run| run.entries()).filter(|(to, _)| *to == location).peekable();
    entries.peek().is_some() && entries.all(|(_, is_interdicted)| !is_interdicted)
}

/// Selects the best courses that move: at most `routes`, and each route once. With room for two,
/// both a run and a Low Crawl are selected, since players weigh one against the other.
fn worth_drawing(courses: &[RoutCourse], routes: usize) -> Vec<&RoutCourse> {
    let mut moving: Vec<&RoutCourse> = Vec::new();
    for course in courses.iter().filter(|course| !course.route.is_empty()) {
        let is_same =
            |other: &&RoutCourse| other.route == course.route && crawls(other) == crawls(course);
        if !moving.iter().any(is_same) {
            moving.push(course);
        }
    }
    let is_run = |course: &RoutCourse| !crawls(course);
    let best = moving.first().map(|best| is_run(best));
    let other_kind =
        moving.iter().position(|course| best.is_some_and(|best| is_run(course) != best));
    if let Some(other) = other_kind.filter(|&other| other >= routes && routes > 1) {
        moving.swap(other, routes - 1);
    }
    moving.truncate(routes);
    moving
}

/// Returns the hexes in the smallest rectangle around all `sights`; each is a hex and its range.
fn rectangle(map: &Map, sights: &[(Hex, u16)]) -> Vec<Hex> {
    let is_seen = |hex: &Hex| sights.iter().any(|(of, around)| hex.range(*of) <= *around);
    let seen: Vec<Hex> = map.hexes().filter(is_seen).collect();
    let columns = || seen.iter().map(|hex| hex.column);
    let heights = || seen.iter().map(|hex| hex.centre().1);
    let (Some(left), Some(right), Some(top), Some(bottom)) =
        (columns().min(), columns().max(), heights().min(), heights().max())
    else {
        return map.hexes().collect();
    };
    let is_inside = |hex: &Hex| {
        (left..=right).contains(&hex.column) && (top..=bottom).contains(&hex.centre().1)
    };
    map.hexes().filter(is_inside).collect()
}

/// Returns the hexes that are connected to one of the `starts`, or all if no start is among them.
fn joined(hexes: Vec<Hex>, starts: impl Iterator<Item = Hex>) -> Vec<Hex> {
    let shown: BTreeSet<Hex> = hexes.iter().copied().collect();
    let mut joined: BTreeSet<Hex> = starts.filter(|hex| shown.contains(hex)).collect();
    let mut open: Vec<Hex> = joined.iter().copied().collect();
    while let Some(hex) = open.pop() {
        let next = Hexside::ALL.map(|side| hex.neighbour(side));
        open.extend(next.into_iter().filter(|next| shown.contains(next) && joined.insert(*next)));
    }
    if joined.is_empty() { hexes } else { joined.into_iter().collect() }
}

/// Returns the name of a hex as printed on the map.
pub(super) fn hex_name(map: &Map, hex: Hex) -> String {
    match map.boards() {
        [only] => only.on_board(hex).map_or_else(|| map.name(hex), |own| own.to_string()),
        _ => map.name(hex),
    }
}

/// Formats a probability as a percentage; only certain values are 0% or 100%.
pub(super) fn percent(chance: f64) -> String {
    match 100.0 * chance {
        sure if sure >= 100.0 - 1e-9 => "100%".to_string(),
        near if near >= 99.95 => ">99.9%".to_string(),
        near if near >= 99.5 => format!("{near:.1}%"),
        none if none <= 1e-9 => "0%".to_string(),
        low if low < 0.5 => "<1%".to_string(),
        some => format!("{some:.0}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_certain_odds_print_0_or_100_percent() {
        let percentages: Vec<String> =
            [0.0, 0.001, 0.25, 0.994, 0.9966, 0.9999, 1.0].into_iter().map(percent).collect();
        assert_eq!(percentages, ["0%", "<1%", "25%", "99%", "99.7%", ">99.9%", "100%"]);
    }
}
