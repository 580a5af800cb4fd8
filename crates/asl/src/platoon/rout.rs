//! The Rout Phase of a platoon (10.5): who must, may or cannot rout, where to, and the way through
//! Interdicted hexes (10.53).

use super::ground::Link;
use super::model::{Platoon, PlatoonPlay, PlatoonView};
use super::orders::{FirstOrder, RoutWord};
use super::state::{EventScope, PlatoonEvent, SceneFacts, Trooper, Whereabouts};
use crate::catalogue::CounterKind;
use crate::location::LocationState;
use crate::rulebook::Switch;
use crate::unit::Condition;
use engine::process::Log;
use smallvec::{SmallVec, smallvec};

/// What a broken unit does in the RtPh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RoutOrder {
    Stays,
    /// It surrenders (20.21, 19.12).
    Captured,
    /// Failure to Rout (10.5).
    Fails,
    /// It routs by a link, through so many Interdicted hexes.
    Goes {
        link: u8,
        hexes: u8,
    },
}

/// A link by which a unit can rout.
struct Way {
    link: u8,
    /// The index of the Location where it ends.
    to: u8,
    /// The number of Interdicted hexes on it.
    hexes: u8,
    /// True if an unbroken leader is at its end.
    has_leader: bool,
}

/// The squad-equivalents that fill a Location, in halves (5.1).
const FULL: u8 = 6;

impl PlatoonView<'_> {
    /// Returns the next unit of a side in the order of its routs: those on the way, then by
    /// Location and stack order.
    fn next_to_rout(self, side: usize) -> Option<usize> {
        let waits = |trooper: &Trooper| trooper.is_broken() && !trooper.has_routed;
        let units = self.units(side).iter().enumerate();
        let waiting = units.filter(|(_, trooper)| waits(trooper));
        let first = waiting.min_by_key(|(_, trooper)| trooper.at.as_location());
        first.map(|(unit, _)| unit)
    }

    fn rout_order(self, side: usize, unit: usize) -> RoutOrder {
        let trooper = &self.units(side)[unit];
        match (trooper.at.as_way(), trooper.at.as_location()) {
            (Some((link, left)), _) => self.order_on_way(side, trooper, link, left),
            (None, Some(at)) => self.order_in_location(side, unit, at),
            (None, None) => RoutOrder::Stays,
        }
    }

    /// Returns what a unit on the way does: while its link is Interdicted it must go on.
    fn order_on_way(self, side: usize, trooper: &Trooper, link: u8, left: u8) -> RoutOrder {
        let is_interdicted = self.interdicted(side, link) > 0;
        match () {
            () if is_interdicted => RoutOrder::Goes { link, hexes: left },
            () if trooper.unit.is(Condition::Dm) && !trooper.unit.is(Condition::Disrupted) => {
                RoutOrder::Goes { link, hexes: 0 }
            }
            () => RoutOrder::Stays,
        }
    }

    /// Returns the links by which a unit can rout from a Location.
    fn ways(self, side: usize, at: u8) -> SmallVec<[Way; 4]> {
        let own = self.side(side);
        let is_open_to =
            |to: u8| !self.chooses(Switch::FullLocationClosed) || self.fill(side, to) < FULL;
        let links = own.links.iter().zip(0..).filter(|(link, _)| link.from == at);
        let links = links.filter(|(link, _)| is_open_to(link.to));
        let way = |(link, number): (&Link, u8)| Way {
            link: number,
            to: link.to,
            hexes: self.interdicted(side, number),
            has_leader: self.has_leader(side, link.to),
        };
        links.map(way).collect()
    }

    fn order_in_location(self, side: usize, index: usize, at: u8) -> RoutOrder {
        let trooper = &self.units(side)[index];
        let unit = &trooper.unit;
        let near = self.facts(side, trooper.at).has(SceneFacts::CAPTOR);
        let must = near || self.is_exposed(side, at);
        let rules = self.platoon.rules_at(side, at.into(), self.facts(side, trooper.at));
        let surrenders = near && !rules.never_surrenders(unit);
        if unit.is(Condition::Disrupted) && surrenders {
            return RoutOrder::Captured;
        }
        if unit.is(Condition::Disrupted) && !must {
            return RoutOrder::Stays;
        }
        let ways = self.ways(side, at);
        let has_free = ways.iter().any(|way| way.hexes == 0);
        if surrenders && !has_free {
            return RoutOrder::Captured;
        }
        if must && ways.is_empty() {
            return RoutOrder::Fails;
        }
        let first = self.first_order(side, index, true);
        let stays = ways.is_empty() || !unit.is(Condition::Dm) || !self.is_threatened(side);
        if !must && (stays || first == Some(FirstOrder::Stay)) {
            return RoutOrder::Stays;
        }
        let is_allowed = |way: &&Way| way.hexes == 0 || !(near && has_free);
        let word = self.side(side).orders.rout;
        let is_led_here = self.has_leader(side, at);
        let fits = |way: &&Way| match word {
            _ if must => is_allowed(way),
            RoutWord::Stay => false,
            RoutWord::Rout => true,
            RoutWord::Safe => way.hexes == 0,
            RoutWord::ToLeader => way.has_leader && !is_led_here,
        };
        // Of equals the first.
        let best = ways.iter().filter(fits).min_by_key(|way| match word {
            RoutWord::ToLeader => (u8::from(!way.has_leader), way.hexes),
            _ => (way.hexes, u8::from(!way.has_leader)),
        });
        let ordered = |way: &&Way| first == Some(FirstOrder::Go(way.to)) && is_allowed(way);
        let goes = |way: &Way| RoutOrder::Goes { link: way.link, hexes: way.hexes };
        ways.iter().find(ordered).or(best).map_or(RoutOrder::Stays, goes)
    }

    fn has_leader(self, side: usize, location: u8) -> bool {
        self.in_location(side, location).any(|trooper| trooper.unit.leads && trooper.is_up())
    }

    /// Returns the squad-equivalents in a Location, in halves (5.1).
    fn fill(self, side: usize, location: u8) -> u8 {
        let halves = |trooper: &Trooper| match self.counter(&trooper.unit).kind {
            CounterKind::Squad => 2,
            CounterKind::HalfSquad | CounterKind::Crew => 1,
            CounterKind::Leader | CounterKind::Commissar | CounterKind::Hero => 0,
        };
        self.in_location(side, location).map(halves).sum()
    }
}

impl<L: Log> PlatoonPlay<'_, L> {
    /// Begins the RtPh: broken units in Open Ground in sight of the enemy gain DM (10.62).
    pub fn begin_routs(&mut self) {
        for side in 0..self.platoon.sides.len() {
            for unit in 0..self.state.sides[side].units.len() {
                let trooper = self.state.sides[side].units[unit];
                let at = trooper.at.as_location();
                let way = trooper.at.as_way();
                let gains = trooper.is_broken()
                    && (at.is_some_and(|at| self.now().is_exposed(side, at))
                        || way.is_some_and(|(link, _)| self.now().interdicted(side, link) > 0));
                let trooper = self.unit_mut(side, unit);
                trooper.has_routed = false;
                if gains {
                    trooper.unit.conditions.set(Condition::Dm);
                }
            }
        }
    }

    /// Lets the next broken unit of a side rout or stay. Returns false after the last.
    pub fn rout_next(&mut self, side: usize) -> bool {
        let Some(unit) = self.now().next_to_rout(side) else { return false };
        let order = self.now().rout_order(side, unit);
        self.unit_mut(side, unit).has_routed = true;
        match order {
            RoutOrder::Stays => {}
            RoutOrder::Captured => self.remove(side, unit, true),
            RoutOrder::Fails => self.remove(side, unit, false),
            RoutOrder::Goes { link, hexes } => self.go_on(side, unit, link, hexes),
        }
        true
    }

    /// Takes a unit away that surrenders (20.21), or whose rout fails (10.5).
    fn remove(&mut self, side: usize, unit: usize, is_captured: bool) {
        let platoon = self.platoon;
        let kind = self.now().counter(&self.now().units(side)[unit].unit).kind;
        let trooper = self.unit_mut(side, unit);
        let mut alone = LocationState::on_map(smallvec![trooper.unit]);
        if is_captured {
            alone.capture(0);
        } else {
            alone.eliminate(0, kind);
            alone.end_stage();
        }
        trooper.unit = *alone.unit(0);
        let (rule, what) = if is_captured {
            ("20.21", "surrenders")
        } else {
            ("10.5", "is lost: Failure to Rout")
        };
        self.log.note(rule, || format!("{} {what}", platoon.unit_name(side, unit)));
    }

    /// Moves a routing unit into the next of the `hexes` Interdicted hexes left, or to the end of
    /// the link.
    pub fn go_on(&mut self, side: usize, unit: usize, link: u8, hexes: u8) {
        let platoon: &Platoon = self.platoon;
        if hexes == 0 {
            let to = platoon.sides[side].links[usize::from(link)].to;
            self.unit_mut(side, unit).at = Whereabouts::location(to);
            let name = || &platoon.sides[side].locations[usize::from(to)].name;
            self.log
                .note("10.5", || format!("{} routs to {}", platoon.unit_name(side, unit), name()));
            return;
        }
        let scope = EventScope::Way { unit: unit as u8, link, left: hexes };
        let scene = SceneFacts::KNOWN;
        let location = self.now().participants(side, scope);
        let mut event = PlatoonEvent { side: side as u8, scope, scene, location };
        let troop = &self.state.sides[side];
        let mut log = platoon.event_log(self.log, troop, (side, scope));
        let rules = platoon.engagement(&event);
        rules.play(Platoon::GAUNTLET, &mut event.location, &mut log);
        self.state.event = Some(event);
    }

    /// Continues after a unit has made the check of an Interdicted hex, of which `hexes` were left
    /// with it: it lies there, or goes on (17.2, I-9, I-153, I-164).
    pub fn after_hex(&mut self, side: usize, unit: usize, link: u8, hexes: u8) {
        let rulebook = self.platoon.rulebook;
        let trooper = self.unit_mut(side, unit);
        if !trooper.is_present() {
            return;
        }
        let left = hexes - 1;
        let is_wounded = trooper.unit.is(Condition::Stopped);
        trooper.unit.conditions.clear(Condition::Stopped);
        trooper.unit.conditions.clear(Condition::BeganBroken);
        let is_pinned = trooper.unit.is(Condition::Pinned);
        let is_restored = !trooper.unit.is(Condition::Broken);
        let lies = is_pinned
            || is_restored && !rulebook.chooses(Switch::RoutGoesOnAfterHeat)
            || is_wounded && rulebook.chooses(Switch::WoundedOnWayLies);
        if !lies {
            return self.go_on(side, unit, link, left);
        }
        let goes_back = is_pinned && rulebook.chooses(Switch::PinnedOnWayGoesBack);
        let from = self.platoon.sides[side].links[usize::from(link)].from;
        let at = self.now().units(side)[unit].at;
        self.unit_mut(side, unit).at = match at.as_way() {
            None if goes_back => Whereabouts::location(from),
            _ => Whereabouts::on_way(link, left),
        };
    }
}
