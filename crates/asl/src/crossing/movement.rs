//! Movement of the stack: its MF, who goes on, and what it meets in a Location (4.1, 4.2, 7.8).

use smallvec::SmallVec;

use super::marks::FireTier;
use super::model::{AttackSource, Crossing, CrossingReport};
use super::state::{CrossingState, CrossingStep};
use crate::attack::residual::is_open_to;
use crate::board::terrain::Mf;
use crate::catalogue::{Class, Counter, CounterKind};
use crate::vocabulary::{Attack, Condition, LocationState, PartSet, UnitIndex};

/// The MF of a unit (4.11, 4.12, 4.5, 15.431, 17.2, 19.31).
#[derive(Clone, Copy, Debug)]
pub struct MoverMf<'a> {
    pub counter: &'a Counter,
    pub is_wounded: bool,
    pub is_cx: bool,
    pub is_berserk: bool,
    /// True if a leader moves along all the way.
    pub has_leader: bool,
}

impl MoverMf<'_> {
    /// Returns the MF.
    pub fn mf(self) -> Mf {
        let is_smc = self.counter.kind.is_smc();
        let is_inexperienced = match self.counter.class {
            _ if is_smc || self.counter.kind == CounterKind::Crew => false,
            Class::Conscript => true,
            Class::Green => !self.has_leader,
            _ => false,
        };
        let base = match () {
            () if self.is_berserk => return Mf::whole(8),
            () if self.is_wounded => 3,
            () if is_smc => 6,
            () if is_inexperienced => 3,
            () => 4,
        };
        let led = if self.has_leader && !is_smc { 2 } else { 0 };
        Mf::whole(base + led + if self.is_cx { 2 } else { 0 })
    }
}

impl Crossing {
    /// Returns the state before the stack enters the first Location.
    pub(crate) fn opening(&self) -> CrossingState {
        let units = self.engagement.units.clone();
        let counts = self.setting.goes_on_apart || self.report == CrossingReport::Shots;
        let lying = self.path.iter().filter(|_| counts);
        CrossingState {
            mover: LocationState { units, ..LocationState::default() },
            step: CrossingStep::Next(0),
            location: 0,
            leg: 0,
            waiting: SmallVec::new(),
            waits_in: 0,
            behind: 0,
            ends: Vec::new(),
            markers: self.positions.iter().map(|position| position.begin).collect(),
            residual: lying.map(|location| location.residual).collect(),
            rolled: None,
            is_lane_gone: false,
            original: 0,
            struck: 0,
            check: None,
            told: None,
        }
    }

    /// Returns whether the stack begins concealed.
    pub(crate) fn is_concealed(&self) -> bool {
        self.engagement.units.iter().any(|unit| unit.is(Condition::Concealed))
    }

    /// Returns whether a unit is still moving: neither broken nor pinned, and not out of the stack
    /// because it went berserk.
    pub(crate) fn is_moving(&self, state: &CrossingState, unit: UnitIndex) -> bool {
        let of = state.mover.unit(unit);
        let is_able =
            of.is_present() && !of.conditions.has_any(Condition::Broken, Condition::Pinned);
        is_able && state.is_along(unit) && (self.is_charge || !of.is(Condition::Berserk))
    }

    /// Returns whether any unit is still moving.
    pub(crate) fn has_movers(&self, state: &CrossingState) -> bool {
        state.mover.places().any(|unit| self.is_moving(state, unit))
    }

    /// Returns the MF of a unit in which `has_leader` says whether a leader goes along.
    fn mf(&self, state: &CrossingState, unit: UnitIndex, has_leader: bool) -> Mf {
        let of = state.mover.unit(unit);
        MoverMf {
            counter: self.engagement.counter(of),
            is_wounded: of.is(Condition::Wounded),
            is_cx: of.is(Condition::Cx),
            is_berserk: of.is(Condition::Berserk),
            has_leader,
        }
        .mf()
    }

    /// Returns the MF that the path costs up to a Location, the first ones included.
    fn spent(&self, location: usize) -> Mf {
        self.path.iter().take(location + 1).fold(Mf::default(), |sum, of| sum + of.mf)
    }

    /// Returns whether a unit can move on: now, or in the next Player Turn, which ends its pin
    /// (7.8).
    fn stays_able(&self, state: &CrossingState, unit: UnitIndex) -> bool {
        let of = state.mover.unit(unit);
        let unable = of.conditions.has_any(Condition::Broken, Condition::Berserk);
        self.is_moving(state, unit)
            || self.setting.has_turns() && of.is_present() && state.is_along(unit) && !unable
    }

    /// Returns whether a unit goes on to the next Location: it is able to, and has the MF. Without
    /// the leader who was with it, it lacks his 2 MF (4.12, 7.831). Assault Movement has new MF in
    /// each Location, and leaves some (4.61).
    pub(crate) fn may_go_on(&self, state: &CrossingState, unit: UnitIndex) -> bool {
        let next = usize::from(state.location) + 1;
        let suffices = |unit: UnitIndex, has_leader: bool| {
            let mf = self.mf(state, unit, has_leader);
            match self.setting.has_turns() {
                true => self.path.get(next).is_some_and(|location| mf > location.mf),
                false => mf >= self.spent(next),
            }
        };
        let leads = |other: UnitIndex| {
            let is_leader = state.mover.unit(other).leads && self.stays_able(state, other);
            is_leader && suffices(other, false)
        };
        self.stays_able(state, unit) && suffices(unit, state.mover.places().any(leads))
    }

    /// Returns the Residual FP in the present Location, if there is any.
    pub(crate) fn residual(&self, state: &CrossingState) -> Option<u8> {
        let place = usize::from(state.location);
        let lying = state.residual.get(place).copied();
        lying.or(Some(self.path[place].residual)).filter(|fp| *fp > 0)
    }

    /// Returns whether a Location is Open Ground for a position (10.531).
    pub(crate) fn is_open(&self, position: usize, place: usize) -> bool {
        let Some(sight) = self.positions[position].sight(place) else { return false };
        let circumstances = self.explored(&[]).circumstances(place, FireTier::First);
        is_open_to(&circumstances, sight, self.setting.rulebook)
    }

    /// Returns the attack of an entry on a target in the state with this number.
    pub(crate) fn attack(&self, entry: u16, key: PartSet, target: usize) -> Option<Attack> {
        let of = self.entries[usize::from(entry)];
        match of.source {
            AttackSource::Position(position, tier) => {
                let shots = &self.shots[usize::from(position)][usize::from(of.location)];
                shots[tier as usize].shots.get(key).map(|table| table.attack_on(target))
            }
            source => {
                let lying = self.explored(&[]).lying(usize::from(of.location), source)?;
                Some(lying.table(self.setting.rulebook).attack_on(target))
            }
        }
    }
}
