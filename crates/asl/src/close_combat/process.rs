//! Close Combat over Player Turns as a process: what is due, and the outcomes of units and place.

use smallvec::SmallVec;

use super::ambush::{AmbushMode, AmbushRoll};
use super::creation::created_commissar;
use super::fates::points;
use super::plan::SidePlan;
use super::reckoning::CombatView;
use super::round::CombatPlay;
use super::state::{AttackOrder, CombatState, CombatStep, Force, Side, Standing, UnitSet};
use crate::catalogue::Counter;
use crate::engagement::Engagement;
use crate::location::LocationState;
use crate::outcome::UnitOutcome;
use crate::rulebook::Rulebook;
use crate::stack::{CombatRole, Member};
use crate::unit::{Condition, UnitIndex};
use crate::vocabulary::rally::created_grade;
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::{Reading, Verdict};
use engine::dice::{Dice, Dr, Face};
use engine::process::{Decisions, Due, Event, Log, Process};
use schema::declared::named;

/// What a side does in the Location beside its attack plan.
#[derive(Clone, Debug)]
pub struct CombatOrders {
    pub plan: SidePlan,
    /// The units that withdraw from the Melee (11.2), beside broken ones.
    pub withdraw: UnitSet,
    /// True if units Infiltrate whenever they may (11.22).
    pub infiltrates: bool,
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
    /// The rules for the units of each side, in the order of [`Side`].
    pub(crate) engagements: [Engagement; 2],
    pub(crate) members: [Vec<Member>; 2],
    pub(crate) orders: [CombatOrders; 2],
    pub(crate) is_woods_or_building: bool,
    pub(crate) ambush: AmbushMode,
    /// The side whose Player Turn the first one is.
    pub(crate) first_phasing: Side,
    pub(crate) begins_in_melee: bool,
    pub(crate) turns: u16,
    pub(crate) hand_to_hand: bool,
    pub(crate) no_quarter: bool,
    pub(crate) is_night: bool,
    pub(crate) creates_leaders: bool,
    pub(crate) joint: bool,
}

named! {
    /// Who is left in the Location at the end of a CCPh.
    pub enum Holders {
        Ours = "ours-alone",
        Both = "both",
        Theirs = "theirs-alone",
        Nobody = "nobody",
    }
}

/// The end of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CombatEnd {
    pub side: Side,
    /// The outcome of the unit. Its slot is that on its side, from 1.
    pub unit: UnitOutcome,
    /// True if the unit has left the Location.
    pub is_away: bool,
    pub is_concealed: bool,
    /// True for a broken unit under DM (10.62).
    pub is_dm: bool,
}

/// A noted outcome: of a unit, of all units together, or of the Location.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CombatOutcome {
    Unit(CombatEnd),
    All(Box<[CombatEnd]>),
    /// Who is left, and the CVP taken less the CVP given.
    Location {
        left: Holders,
        net: i16,
    },
}

/// The values with which a roll of Close Combat is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CombatTerms {
    /// The Ambush dr of both sides: the coloured die is ours.
    Ambush(AmbushRoll),
    /// The DR of an attack: for each Original DR from 2 the lowest that does the same.
    Attack([u8; 11]),
    /// A Leader Creation dr with its drm, on the table of NKVD troops if true (25.25).
    Creation(i8, bool),
    /// A choice of one of several MMC with equal chances.
    Placement(u8),
    /// A dr of Random Selection, and the best before.
    Selection(u8),
    /// A severity dr of a side (17.11).
    Severity(Side, Terms),
}

/// The meaning of a roll of Close Combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CombatReading {
    Ambush(Option<Side>),
    Original(u8),
    Created(Option<&'static str>),
    Number(u8),
    Severity(Side, Reading),
}

impl CloseCombat {
    pub(crate) fn engagement(&self, side: Side) -> &Engagement {
        &self.engagements[side as usize]
    }

    /// Returns the units of a side at the start.
    pub fn members(&self, side: Side) -> &[Member] {
        &self.members[side as usize]
    }

    /// Returns what was told about a unit of the start.
    pub(crate) fn role(&self, side: Side, unit: UnitIndex) -> Option<&CombatRole> {
        self.members(side).get(usize::from(unit)).map(|member| &member.role)
    }

    pub(crate) fn is_guard(&self, side: Side, unit: UnitIndex) -> bool {
        self.role(side, unit).is_some_and(|role| role.guard)
    }

    /// Returns the side whose Player Turn it is, counted from 1.
    pub fn phasing(&self, turn: u16) -> Side {
        if turn % 2 == 1 { self.first_phasing } else { self.first_phasing.other() }
    }

    /// Returns the CVP that the loss of a counter brings (26.21).
    pub(crate) fn points(&self, counter: &Counter) -> u8 {
        points(counter)
    }

    pub(crate) fn view<'a>(&'a self, state: &'a CombatState) -> CombatView<'a> {
        CombatView { combat: self, state }
    }

    /// Returns the state before the first CCPh.
    pub(crate) fn opening(&self) -> CombatState {
        let force = |side: Side| {
            let units = self.engagement(side).units.clone();
            let standing = |(unit, member): (UnitIndex, &Member)| Standing {
                is_concealed: member.concealed,
                is_ti: member.role.ti,
                ..Standing::alone(unit)
            };
            let standing = (0..).zip(self.members(side)).map(standing).collect();
            let location = LocationState { units, ..LocationState::default() };
            Force { location, standing, created_lost: 0 }
        };
        CombatState {
            turn: 1,
            is_melee: self.begins_in_melee,
            step: CombatStep::Over,
            order: AttackOrder::Simultaneous,
            forces: Side::ALL.map(force),
            attacks: SmallVec::new(),
        }
    }

    fn play_on<'a, L>(&'a self, state: &'a mut CombatState, log: &'a mut L) -> CombatPlay<'a, L> {
        CombatPlay { combat: self, state, log }
    }

    /// Returns the state at the first roll, as declared.
    pub(crate) fn declared(&self) -> CombatState {
        self.start(&mut engine::process::Silent)
    }
}

impl CombatView<'_> {
    /// Returns the name of a unit with its side and its number, such as `ours 4-6-7 [2]`.
    pub fn name(self, side: Side, unit: UnitIndex) -> String {
        let printed = self.counter(side, unit).printed();
        format!("{} {printed} [{}]", side.name(), unit + 1)
    }

    /// Returns the names of units of a side: `ours 8-1 [1], 4-6-7 [2]`.
    pub fn names(self, side: Side, units: UnitSet) -> String {
        let name = |unit| format!("{} [{}]", self.counter(side, unit).printed(), unit + 1);
        let names: Vec<String> = units.units().map(name).collect();
        format!("{} {}", side.name(), names.join(", "))
    }

    fn end(self, side: Side, unit: UnitIndex) -> CombatEnd {
        let force = self.state.force(side);
        let of = force.unit(unit);
        CombatEnd {
            side,
            unit: self.combat.engagement(side).view(&force.location).unit_outcome(unit),
            is_away: force.at(unit).is_away,
            is_concealed: force.at(unit).is_concealed,
            is_dm: of.is_present() && of.is(Condition::Dm),
        }
    }

    /// Returns the CVP that a side has lost (26.21): a Reduced squad 1, captured units once.
    fn lost(self, side: Side) -> i16 {
        let force = self.state.force(side);
        let of_stack = force.all().zip(self.combat.members(side)).map(|(unit, member)| {
            let whole = i16::from(self.combat.points(member.printed()));
            let of = force.unit(unit);
            let left = i16::from(self.combat.points(self.counter(side, unit)));
            let is_squad = member.printed().half_squad.is_some();
            match () {
                () if !of.is_present() => whole,
                () if is_squad => whole - left,
                () => 0,
            }
        });
        of_stack.sum::<i16>() + i16::from(force.created_lost) + self.created_captured(side)
    }

    /// Returns the CVP of created leaders that are captured: those eliminated are counted already.
    fn created_captured(self, side: Side) -> i16 {
        let force = self.state.force(side);
        let created = force.all().skip(self.combat.members(side).len());
        let captured = created.filter(|&unit| self.is(side, unit, Condition::Captured));
        captured.map(|unit| i16::from(self.combat.points(self.counter(side, unit)))).sum()
    }

    fn left(self) -> Holders {
        match Side::ALL.map(|side| !self.state.force(side).here().is_empty()) {
            [true, true] => Holders::Both,
            [true, false] => Holders::Ours,
            [false, true] => Holders::Theirs,
            [false, false] => Holders::Nobody,
        }
    }
}

impl Process for CloseCombat {
    type State = CombatState;
    type Terms = CombatTerms;
    type Reading = CombatReading;
    type Outcome = CombatOutcome;

    fn start<L: Log>(&self, log: &mut L) -> CombatState {
        let mut state = self.opening();
        let mut play = self.play_on(&mut state, log);
        play.begin_turn();
        play.advance();
        state
    }

    fn due(&self, state: &CombatState) -> Due<CombatTerms> {
        let now = self.view(state);
        let attack = |place: u8| &state.attacks[usize::from(place)];
        match state.step {
            CombatStep::Ambush => Due::Roll(Dice::Dr, CombatTerms::Ambush(now.ambush_roll())),
            CombatStep::Attacks => match state.due_attack() {
                Some(attack) => Due::Roll(Dice::DrTotal, CombatTerms::Attack(now.classes(attack))),
                None => Due::Over,
            },
            CombatStep::Creation { attack: place } => {
                let attack = attack(place);
                let base = now.creation_base(attack).unwrap_or_default();
                let drm = now.creation_drms(attack, base).iter().map(|drm| drm.drm).sum();
                let is_nkvd = now.counter(attack.by, base).nkvd;
                Due::Roll(Dice::One, CombatTerms::Creation(drm, is_nkvd))
            }
            CombatStep::Placement { among, .. } => {
                Due::Roll(Dice::Dr, CombatTerms::Placement(among.count() as u8))
            }
            CombatStep::Selection { best, .. } => {
                Due::Roll(Dice::One, CombatTerms::Selection(best))
            }
            CombatStep::Fates => {
                let waits = |side: &Side| !state.force(*side).location.is_quiet();
                let Some(side) = Side::ALL.into_iter().find(waits) else { return Due::Over };
                match self.engagement(side).due(&state.force(side).location) {
                    Due::Roll(dice, terms) => Due::Roll(dice, CombatTerms::Severity(side, terms)),
                    _ => Due::Over,
                }
            }
            CombatStep::Report => Due::Report(if self.turns > 1 { state.turn } else { 0 }),
            CombatStep::Over => Due::Over,
        }
    }

    fn epoch(&self, state: &CombatState) -> u32 {
        state.turn.into()
    }

    fn read(&self, terms: &CombatTerms, face: Face) -> CombatReading {
        let dr = Dr::from_face(face);
        match terms {
            CombatTerms::Ambush(roll) => {
                CombatReading::Ambush(roll.ambusher([dr.coloured(), dr.white()]))
            }
            CombatTerms::Attack(classes) => {
                CombatReading::Original(classes[usize::from(dr.total() - 2)])
            }
            CombatTerms::Creation(drm, is_nkvd) => {
                let modified = face.number() as i8 + drm;
                CombatReading::Created(match created_grade(modified).verdict {
                    _ if *is_nkvd => created_commissar(modified),
                    Verdict::Created(grade) => grade,
                    _ => None,
                })
            }
            CombatTerms::Placement(units) => {
                CombatReading::Number((face.index() * usize::from(*units) / 36) as u8)
            }
            CombatTerms::Selection(best) => {
                let dr = face.number();
                CombatReading::Number(if dr < *best { 0 } else { dr })
            }
            CombatTerms::Severity(side, terms) => {
                CombatReading::Severity(*side, self.engagement(*side).read(terms, face))
            }
        }
    }

    fn apply<L: Log>(&self, state: &mut CombatState, reading: CombatReading, log: &mut L) {
        let step = state.step;
        match (step, reading) {
            (CombatStep::Ambush, CombatReading::Ambush(side)) => {
                self.play_on(state, log).resolve_ambush(side)
            }
            (CombatStep::Attacks, CombatReading::Original(original)) => {
                self.play_on(state, log).resolve_attack(original)
            }
            (CombatStep::Creation { attack }, CombatReading::Created(grade)) => {
                self.play_on(state, log).resolve_creation(attack, grade)
            }
            (CombatStep::Placement { attack, grade, among }, CombatReading::Number(place)) => {
                let base = among.units().nth(place.into()).unwrap_or_default();
                self.play_on(state, log).create_leader(attack, grade, base)
            }
            (CombatStep::Selection { .. }, CombatReading::Number(dr)) => {
                self.play_on(state, log).resolve_selection(dr)
            }
            (CombatStep::Fates, CombatReading::Severity(side, reading)) => {
                self.play_on(state, log).resolve_severity(side, reading)
            }
            _ => {}
        }
        self.play_on(state, log).advance();
    }

    fn choose<L: Log>(&self, _: &mut CombatState, _: usize, _: &mut L) {}

    fn report(&self, state: &CombatState, observe: &mut impl FnMut(CombatOutcome)) {
        let now = self.view(state);
        let ends = Side::ALL
            .into_iter()
            .flat_map(|side| state.force(side).all().map(move |unit| now.end(side, unit)));
        if self.joint {
            observe(CombatOutcome::All(ends.collect()));
        } else {
            ends.for_each(|end| observe(CombatOutcome::Unit(end)));
        }
        let net = now.lost(Side::Theirs) - now.lost(Side::Ours);
        observe(CombatOutcome::Location { left: now.left(), net });
    }

    fn pass<L: Log>(&self, state: &mut CombatState, log: &mut L) {
        let mut play = self.play_on(state, log);
        play.end_turn();
        play.advance();
    }

    fn describe(&self, state: &CombatState, terms: &CombatTerms, face: Face) -> Event {
        self.roll_in_words(state, terms, face)
    }
}

impl Decisions for CloseCombat {
    fn decision(&self, _: &CombatState) -> String {
        String::new()
    }

    fn options(&self, _: &CombatState) -> Vec<String> {
        Vec::new()
    }

    fn kinds(&self, _: &CombatState) -> Vec<&'static str> {
        Vec::new()
    }
}
