//! A Close Combat and its orders, as every part of it knows them, and the view of one moment.

use smallvec::SmallVec;
use std::sync::Arc;

use super::objective::{CombatObjective, NamedObjective};
use super::plan::{BestPlans, SidePlan};
use super::state::{
    AttackOrder, CombatSide, CombatState, CombatStep, CombatUnits, Force, Infiltration, Standing,
};
use crate::catalogue::{Counter, CounterKind};
use crate::counting::cvp;
use crate::engagement::Engagement;
use crate::location::LocationState;
use crate::rulebook::{Rulebook, Switch};
use crate::stack::{CombatRole, Member};
use crate::unit::{Condition, Unit, UnitIndex};
use engine::process::{Event, Log};

/// What a Close Combat says about its Ambush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmbushMode {
    /// Both sides roll for it where the rules allow it (11.4).
    Rolled,
    /// There is none.
    Barred,
    /// A side has ambushed the other already.
    By(CombatSide),
}

/// What a side does in the Location beside its attack plan.
#[derive(Clone, Debug)]
pub struct CombatOrders {
    pub plan: SidePlan,
    /// The units that withdraw from the Melee (11.2), beside broken ones.
    pub withdraw: CombatUnits,
    /// Whether units Infiltrate when they may (11.22).
    pub infiltration: Infiltration,
    /// True if ambushers leave before any attack (11.41).
    pub leaves_before: bool,
    /// True if ambushers leave after all attacks (11.41).
    pub leaves_after: bool,
    /// True if there is an Accessible Location without a Known enemy.
    pub has_exit: bool,
    /// True if every attack is one to capture (20.22).
    pub captures: bool,
}

/// A Close Combat: both sides, their orders and the place.
#[derive(Clone, Debug)]
pub struct CloseCombat {
    pub(crate) rulebook: Rulebook,
    /// The rules for the units of each side, in the order of [`CombatSide`].
    pub(crate) engagements: [Engagement; 2],
    pub(crate) members: [Vec<Member>; 2],
    pub(crate) orders: [CombatOrders; 2],
    pub(crate) is_woods_or_building: bool,
    pub(crate) ambush: AmbushMode,
    /// The side whose Player Turn the first one is.
    pub(crate) first_phasing: CombatSide,
    pub(crate) begins_in_melee: bool,
    pub(crate) turns: u16,
    pub(crate) hand_to_hand: bool,
    pub(crate) no_quarter: bool,
    pub(crate) is_night: bool,
    pub(crate) creates_leaders: bool,
    pub(crate) joint: bool,
    /// What the plans `best` are best for.
    pub(crate) objective: CombatObjective,
    /// The best option of each state with a choice, once they are found.
    pub(crate) policy: Option<Arc<BestPlans>>,
    /// The units of each side whose fates are worked out, if others have no bearing.
    pub(super) followed: Option<[CombatUnits; 2]>,
    /// True if units are reported as soon as their results are known.
    pub(super) reports_early: bool,
}

impl CloseCombat {
    pub(crate) fn engagement(&self, side: CombatSide) -> &Engagement {
        &self.engagements[side as usize]
    }

    /// Returns the units of a side at the start.
    pub fn members(&self, side: CombatSide) -> &[Member] {
        &self.members[side as usize]
    }

    /// Returns what was told about a unit of the start.
    pub(crate) fn role(&self, side: CombatSide, unit: UnitIndex) -> Option<&CombatRole> {
        self.members(side).get(usize::from(unit)).map(|member| &member.role)
    }

    /// Returns the side whose Player Turn it is, counted from 1.
    pub fn phasing(&self, turn: u16) -> CombatSide {
        if turn % 2 == 1 { self.first_phasing } else { self.first_phasing.other() }
    }

    /// Returns the CVP that the loss of a counter brings (26.21): 2 for a crew, as for a squad, and
    /// none for a hero, who is additional.
    pub(crate) fn points(&self, counter: &Counter) -> u8 {
        match counter.kind {
            CounterKind::Hero => 0,
            CounterKind::Crew => 2,
            _ => cvp(counter) as u8,
        }
    }

    /// Returns the most CVP that a side can lose: its units, and a leader that each attack of
    /// each Player Turn creates (18.12), an 8-1 at best.
    pub(crate) fn most_lost(&self, side: CombatSide) -> u16 {
        let units = self.members(side);
        let points = units.iter().map(|member| u16::from(self.points(member.printed())));
        let attacks = self.turns * (units.len() as u16 + self.turns);
        points.sum::<u16>() + 2 * attacks
    }

    /// Returns whether the objective counts captured units twice (20.1).
    pub(crate) fn counts_captured_twice(&self) -> bool {
        self.objective == CombatObjective::Named(NamedObjective::NetFinal)
    }

    /// Returns whether the plans `best` are best for the balance of losses, as by default.
    pub(crate) fn is_for_net(&self) -> bool {
        self.objective == CombatObjective::Named(NamedObjective::Net)
    }

    pub(crate) fn view<'a>(&'a self, state: &'a CombatState) -> CombatView<'a> {
        CombatView { combat: self, state }
    }

    /// Returns the force of a side with these units: those of its stack, and created ones.
    pub(super) fn force(&self, side: CombatSide, units: SmallVec<[Unit; 14]>) -> Force {
        let standing = |unit: UnitIndex| {
            let alone = Standing::alone(unit);
            self.members(side).get(usize::from(unit)).map_or(alone, |member| Standing {
                is_concealed: member.concealed,
                is_ti: member.role.ti,
                is_guard: member.role.guard,
                ..alone
            })
        };
        let standing = (0..units.len() as UnitIndex).map(standing).collect();
        let location = LocationState { units, ..LocationState::default() };
        Force { location, standing, settled_lost: 0, halves_captured: 0, is_held: false }
    }

    /// Notes what the units of both sides are worth as a Close Combat begins.
    pub(super) fn appraise(&self, state: &mut CombatState) {
        for side in CombatSide::ALL {
            let force = state.force_mut(side);
            for unit in force.all().take(self.members(side).len()) {
                let of = *force.unit(unit);
                let points = self.points(self.engagement(side).counter(&of));
                force.standing_of_mut(unit).worth = if of.is_present() { points } else { 0 };
            }
        }
    }

    /// Returns the state before the first CCPh.
    pub(crate) fn opening(&self) -> CombatState {
        let force = |side: CombatSide| self.force(side, self.engagement(side).units.clone());
        let mut state = CombatState {
            turn: 1,
            is_melee: self.begins_in_melee,
            step: CombatStep::Over,
            order: AttackOrder::Simultaneous,
            forces: CombatSide::ALL.map(force),
            chosen: Default::default(),
            attacks: SmallVec::new(),
            earlier: None,
        };
        self.appraise(&mut state);
        state
    }
}

/// The largest number of kinds of units that are named.
const MOST_NAMED: usize = 3;

/// A Close Combat at one moment.
#[derive(Clone, Copy)]
pub(crate) struct CombatView<'a> {
    pub combat: &'a CloseCombat,
    pub state: &'a CombatState,
}

/// A DRM with its cause and its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CombatModifier {
    pub name: &'static str,
    pub drm: i8,
    pub rule: &'static str,
}

/// The modifiers of one roll.
pub type CombatModifiers = SmallVec<[CombatModifier; 6]>;

impl<'a> CombatView<'a> {
    pub fn unit(self, side: CombatSide, unit: UnitIndex) -> &'a Unit {
        self.state.force(side).unit(unit)
    }

    pub fn counter(self, side: CombatSide, unit: UnitIndex) -> &'a Counter {
        self.combat.engagement(side).counter(self.unit(side, unit))
    }

    pub fn is(self, side: CombatSide, unit: UnitIndex, condition: Condition) -> bool {
        self.unit(side, unit).is(condition)
    }

    pub fn chooses(self, switch: Switch) -> bool {
        self.combat.rulebook.chooses(switch)
    }

    /// Returns the name of a unit with its side and its number, such as `ours 4-6-7 [2]`.
    pub fn name(self, side: CombatSide, unit: UnitIndex) -> String {
        let printed = self.counter(side, unit).printed();
        format!("{} {printed} [{}]", side.name(), unit + 1)
    }

    /// Returns the names of units of a side, equal ones together: `ours 8-1 [1], 2x 4-6-7 [2,3]`.
    /// Of many kinds of units it returns the numbers alone: `ours [1,2,3,4,5]`.
    pub fn names(self, side: CombatSide, units: CombatUnits) -> String {
        let mut alike: Vec<(&str, CombatUnits)> = Vec::new();
        for unit in units.units() {
            let printed = self.counter(side, unit).printed();
            match alike.iter_mut().find(|(name, _)| *name == printed) {
                Some((_, units)) => *units = units.with(unit),
                None => alike.push((printed, CombatUnits::one(unit))),
            }
        }
        if alike.len() > MOST_NAMED {
            return format!("{} [{}]", side.name(), units.in_words(","));
        }
        let names = alike.into_iter().map(|(name, units)| match units.count() {
            1 => format!("{name} [{}]", units.in_words(",")),
            number => format!("{number}x {name} [{}]", units.in_words(",")),
        });
        format!("{} {}", side.name(), names.collect::<Vec<_>>().join(", "))
    }
}

/// A Close Combat as it goes on, with a log of what happens.
pub(crate) struct CombatPlay<'a, L> {
    pub combat: &'a CloseCombat,
    pub state: &'a mut CombatState,
    pub log: &'a mut L,
}

impl CombatSide {
    /// Returns a log that says that events are about this side.
    pub fn log<L: Log>(self, log: &mut L) -> L::Changed<'_> {
        log.changed(move |Event { rule, text }| Event {
            rule,
            text: format!("{}: {text}", self.name()),
        })
    }
}
