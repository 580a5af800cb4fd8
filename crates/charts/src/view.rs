//! The part of a map that a picture shows.

use std::collections::BTreeSet;

use super::board::{MapGround, MapHex, SIDES};
use super::route_map::{Route, RouteMap, Token};

/// Range, in hexes, that is shown around units without a drawn route.
const AROUND_OTHERS: u32 = 2;

/// Range, in hexes, that is shown around a route.
const AROUND_ROUTES: u32 = 1;

/// A map, and the hexes of it that a picture shows.
pub(super) struct View<'a> {
    pub map: &'a RouteMap,
    /// The hexes shown, all within one rectangle.
    pub hexes: Vec<MapHex>,
}

impl<'a> View<'a> {
    /// Creates a view of the hexes up to `within` from moving units; `None` shows the whole map.
    /// Hexes that shown hexes do not connect to a unit or route are omitted.
    pub fn new(map: &'a RouteMap, within: Option<u32>) -> View<'a> {
        let mut view = View { map, hexes: map.board.keys().copied().collect() };
        if let Some(within) = within {
            let sights = view.sights(within);
            view.hexes = view.joined(view.rectangle(&sights), &sights);
        }
        view
    }

    /// Returns the hexes that must be shown, each with the range to show around it.
    fn sights(&self, within: u32) -> Vec<(MapHex, u32)> {
        let moving = self.map.moving.iter().map(|unit| (unit.at.hex, within));
        let others = self.tokens().map(|token| (token.at.hex, AROUND_OTHERS.min(within)));
        let steps = self.routes().flat_map(|route| &route.steps);
        moving.chain(others).chain(steps.map(|step| (step.hex, AROUND_ROUTES))).collect()
    }

    /// Returns all counters, the uppermost group first.
    pub fn tokens(&self) -> impl Iterator<Item = &'a Token> + use<'a> {
        let RouteMap { units, friends, enemies, .. } = self.map;
        units.iter().chain(friends).chain(enemies)
    }

    /// Returns the routes of all units.
    pub fn routes(&self) -> impl Iterator<Item = &'a Route> + use<'a> {
        self.map.moving.iter().flat_map(|unit| &unit.routes)
    }

    /// Returns the contents of the hexes shown.
    pub fn grounds(&self) -> impl Iterator<Item = &'a MapGround> {
        self.hexes.iter().filter_map(|hex| self.map.board.get(hex))
    }

    /// Returns the name of a hex as printed on the map.
    pub fn hex_name(&self, hex: MapHex) -> &'a str {
        self.map.board.get(&hex).map_or("", |ground| &ground.name)
    }

    /// Returns the hexes in the smallest rectangle around all `sights`.
    fn rectangle(&self, sights: &[(MapHex, u32)]) -> Vec<MapHex> {
        let is_seen = |hex: &&MapHex| sights.iter().any(|(of, around)| hex.range(*of) <= *around);
        let seen: Vec<&MapHex> = self.hexes.iter().filter(is_seen).collect();
        let columns = || seen.iter().map(|hex| hex.column);
        let heights = || seen.iter().map(|hex| hex.height);
        let (Some(left), Some(right), Some(top), Some(bottom)) =
            (columns().min(), columns().max(), heights().min(), heights().max())
        else {
            return self.hexes.clone();
        };
        let is_inside = |hex: &&MapHex| {
            (left..=right).contains(&hex.column) && (top..=bottom).contains(&hex.height)
        };
        self.hexes.iter().filter(is_inside).copied().collect()
    }

    /// Returns the hexes that are connected to one of the `sights`, or all if none is among them.
    fn joined(&self, hexes: Vec<MapHex>, sights: &[(MapHex, u32)]) -> Vec<MapHex> {
        let shown: BTreeSet<MapHex> = hexes.iter().copied().collect();
        let starts = sights.iter().map(|(hex, _)| *hex);
        let mut joined: BTreeSet<MapHex> = starts.filter(|hex| shown.contains(hex)).collect();
        let mut open: Vec<MapHex> = joined.iter().copied().collect();
        while let Some(hex) = open.pop() {
            let next = (0..SIDES).map(|side| hex.neighbour(side));
            open.extend(next.filter(|next| shown.contains(next) && joined.insert(*next)));
        }
        if joined.is_empty() { hexes } else { joined.into_iter().collect() }
    }
}
