//! The calls of a Sniper (14.1), and one attack of it on a stack (14.2, 14.3).

use smallvec::SmallVec;

use crate::close_combat::state::CombatUnits;
use crate::engagement::Engagement;
use crate::location::LocationState;
use crate::outcome::UnitOutcome;
use crate::rulebook::Switch;
use crate::stack::Member;
use crate::unit::{Condition, UnitIndex};
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::{Reading, Verdict};
use engine::dice::{Dice, Dr, Face};
use engine::process::{Decisions, Due, Event, Log, Process};

/// The highest Sniper dr that does something (14.2).
const MOST_EFFECTIVE: u8 = 2;
/// The severity dr of an SMC needs this drm at most; others have none.
const NO_TERMS: Terms = Terms::Severity(0);

/// A question: the DR of a game, or one activated Sniper.
#[derive(Clone, Debug)]
pub enum SniperPlay {
    /// `rolls` Original DR of the enemy of a Sniper with this SAN.
    Calls { san: u8, rolls: u16 },
    /// One attack, whose dr may be given.
    Attack { engagement: Box<Engagement>, members: Vec<Member>, dr: Option<u8> },
    /// The gain of concealment, with the highest dr of each unit (12.122).
    Gain { engagement: Box<Engagement>, members: Vec<Member>, highest: Vec<u8> },
}

/// A roll that is still to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SniperTask {
    /// An Original DR of the player that the Sniper harms (14.1).
    Call,
    /// The dr of a Sniper that was called by a DR.
    Effect,
    /// The Sniper dr for one candidate, or for all units if none is drawn yet.
    SniperDr { target: Option<CombatUnits> },
    /// The next dr of a Random Selection among units, concealed ones of a stack as one candidate.
    Selection {
        among: CombatUnits,
        inside: bool,
        rolled: u8,
        best: u8,
        picked: CombatUnits,
        dr: u8,
    },
    /// The severity dr of a unit (17.11).
    Severity { unit: UnitIndex },
    /// The dr with which a unit gains concealment (12.122).
    Gain { unit: UnitIndex },
}

/// The state of a game's DR, or of one attack.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SniperState {
    location: LocationState,
    tasks: SmallVec<[SniperTask; 4]>,
    /// The DR still to come, and the effective attacks so far.
    rolls: u16,
    attacks: u16,
    is_reported: bool,
}

/// The meaning of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SniperReading {
    Called(bool),
    Number(u8),
    Severity(Reading),
}

/// The values that a roll is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SniperTerms {
    San(u8),
    Number,
    Severity(Terms),
}

/// An outcome: a unit with its concealment and DM, or the number of effective attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SniperOutcome {
    Unit { unit: UnitOutcome, is_dm: bool, is_concealed: bool },
    Attacks(u16),
}

impl SniperPlay {
    fn attack(&self) -> Option<(&Engagement, &[Member])> {
        match self {
            SniperPlay::Calls { .. } => None,
            SniperPlay::Attack { engagement, members, .. }
            | SniperPlay::Gain { engagement, members, .. } => Some((engagement, members)),
        }
    }

    /// Returns the highest dr with which a unit gains concealment.
    pub fn highest_dr(&self, unit: UnitIndex) -> u8 {
        match self {
            SniperPlay::Gain { highest, .. } => highest[usize::from(unit)],
            _ => 0,
        }
    }

    /// Returns the candidates of a Random Selection (14.23): single units, and all concealed ones
    /// together unless the selection is among these.
    fn candidates(&self, among: CombatUnits, inside: bool) -> SmallVec<[CombatUnits; 12]> {
        let Some((_, members)) = self.attack() else { return SmallVec::new() };
        let is_hidden = |unit: UnitIndex| !inside && members[usize::from(unit)].concealed;
        let hidden: CombatUnits = among.units().filter(|&unit| is_hidden(unit)).collect();
        let mut all: SmallVec<[CombatUnits; 12]> = SmallVec::new();
        for unit in among.units() {
            match is_hidden(unit) {
                true if all.contains(&hidden) => {}
                true => all.push(hidden),
                false => all.push(CombatUnits::one(unit)),
            }
        }
        all
    }

    /// Returns which of the tied candidates the Sniper player chooses (I-133): that of the best
    /// leader, else that of most FP.
    fn preferred(&self, tied: &[CombatUnits]) -> usize {
        let Some((engagement, _)) = self.attack() else { return 0 };
        let rank = |units: &CombatUnits| {
            let of_unit = |unit: UnitIndex| {
                let unit = &engagement.units[usize::from(unit)];
                let counter = engagement.counter(unit);
                let leadership = unit.leads.then(|| engagement.leadership(unit));
                (leadership.map_or(i8::MAX, |drm| drm), -i16::from(counter.firepower.unwrap_or(0)))
            };
            units.units().map(of_unit).min()
        };
        (0..tied.len()).min_by_key(|&place| rank(&tied[place])).unwrap_or(0)
    }

    /// Applies the Sniper dr to a candidate. A concealed stack has a Random Selection inside
    /// (14.23).
    fn strike(&self, state: &mut SniperState, target: CombatUnits, dr: u8, log: &mut impl Log) {
        if target.count() > 1 {
            state.tasks.push(selection(target, true, dr));
        } else if let Some(unit) = target.units().next()
            && dr <= MOST_EFFECTIVE
        {
            self.hit(state, unit, dr, log);
        }
    }

    /// Applies a result to a unit (14.3). Hero, heroic and berserk leader are SMC (I-130).
    fn hit(&self, state: &mut SniperState, unit: UnitIndex, dr: u8, log: &mut impl Log) {
        let Some((engagement, _)) = self.attack() else { return };
        let location = &mut state.location;
        let of = *location.unit(unit);
        let is_smc = engagement.counter(&of).kind.is_smc();
        let is_weak = [Condition::Broken, Condition::Berserk, Condition::Unarmed]
            .into_iter()
            .any(|condition| of.is(condition));
        let is_spared = engagement.rulebook.chooses(Switch::HeroesWoundedBySniper)
            && (engagement.is_hero(&of) || of.is(Condition::Berserk));
        match (is_smc, dr) {
            (true, 1) if !is_spared => engagement.eliminate(location, unit, "14.3", log),
            (true, _) => match engagement.severity(location, unit) {
                Some(_) => state.tasks.push(SniperTask::Severity { unit }),
                None => engagement.eliminate(location, unit, "17.11", log),
            },
            (false, 1) if is_weak => {
                let is_squad = engagement.counter(&of).half_squad.is_some();
                match is_squad {
                    true => engagement.reduce_unit(location, unit, log),
                    false => engagement.eliminate(location, unit, "7.302", log),
                }
            }
            (false, 1) => location.unit_mut(unit).break_down(),
            _ if is_weak => {}
            _ => location.unit_mut(unit).conditions.set(Condition::Pinned),
        }
        state.location.forget_lost_leaders();
    }

    /// Ends a Random Selection: the chosen candidate takes the dr, the other tied ones each a new
    /// one (14.2).
    fn select(&self, state: &mut SniperState, task: SniperTask, log: &mut impl Log) {
        let SniperTask::Selection { among, inside, picked, dr, .. } = task else { return };
        let all = self.candidates(among, inside);
        let tied: Vec<CombatUnits> =
            picked.units().filter_map(|place| all.get(usize::from(place)).copied()).collect();
        let chosen = self.preferred(&tied);
        for (place, target) in tied.iter().enumerate().rev() {
            if place != chosen {
                state.tasks.push(SniperTask::SniperDr { target: Some(*target) });
            }
        }
        if let Some(target) = tied.get(chosen) {
            self.strike(state, *target, dr, log);
        }
    }

    /// Begins an attack with a dr: every broken unit of the Location gains DM (10.62, 14.3).
    fn begin(&self, state: &mut SniperState, dr: u8, log: &mut impl Log) {
        if dr > MOST_EFFECTIVE {
            return;
        }
        for unit in &mut state.location.units {
            if unit.is(Condition::Broken) {
                unit.conditions.set(Condition::Dm);
            }
        }
        let all: CombatUnits = state.location.places().collect();
        let candidates = self.candidates(all, false);
        match candidates[..] {
            [one] => self.strike(state, one, dr, log),
            _ => state.tasks.push(selection(all, false, dr)),
        }
    }
}

fn selection(among: CombatUnits, inside: bool, dr: u8) -> SniperTask {
    let picked = CombatUnits::NOBODY;
    SniperTask::Selection { among, inside, rolled: 0, best: 0, picked, dr }
}

impl Process for SniperPlay {
    type State = SniperState;
    type Terms = SniperTerms;
    type Reading = SniperReading;
    type Outcome = SniperOutcome;

    fn start<L: Log>(&self, log: &mut L) -> SniperState {
        let mut state = SniperState {
            location: LocationState::default(),
            tasks: SmallVec::new(),
            rolls: 0,
            attacks: 0,
            is_reported: false,
        };
        match self {
            SniperPlay::Calls { rolls, .. } => {
                state.rolls = *rolls;
                state.tasks.push(SniperTask::Call);
            }
            SniperPlay::Attack { engagement, dr, .. } => {
                state.location.units = engagement.units.clone();
                match dr {
                    Some(dr) => self.begin(&mut state, *dr, log),
                    None => state.tasks.push(SniperTask::SniperDr { target: None }),
                }
            }
            SniperPlay::Gain { engagement, members, .. } => {
                state.location.units = engagement.units.clone();
                for unit in state.location.places().rev() {
                    let is_sure = self.highest_dr(unit) >= 6;
                    if is_sure || members[usize::from(unit)].concealed {
                        state.location.unit_mut(unit).conditions.set(Condition::Concealed);
                    } else if self.highest_dr(unit) > 0 {
                        state.tasks.push(SniperTask::Gain { unit });
                    }
                }
            }
        }
        state
    }

    fn due(&self, state: &SniperState) -> Due<SniperTerms> {
        let san = match self {
            SniperPlay::Calls { san, .. } => *san,
            SniperPlay::Attack { .. } | SniperPlay::Gain { .. } => 0,
        };
        match state.tasks.last() {
            Some(SniperTask::Call) => Due::Roll(Dice::DrTotal, SniperTerms::San(san)),
            Some(SniperTask::Severity { unit }) => {
                let terms = self
                    .attack()
                    .and_then(|(engagement, _)| engagement.severity(&state.location, *unit));
                Due::Roll(Dice::One, SniperTerms::Severity(terms.unwrap_or(NO_TERMS)))
            }
            Some(_) => Due::Roll(Dice::One, SniperTerms::Number),
            None if state.is_reported => Due::Over,
            None => Due::Report(0),
        }
    }

    fn read(&self, terms: &SniperTerms, face: Face) -> SniperReading {
        match terms {
            SniperTerms::San(san) => SniperReading::Called(Dr::from_face(face).total() == *san),
            SniperTerms::Number => SniperReading::Number(face.number()),
            SniperTerms::Severity(terms) => SniperReading::Severity(terms.read(face)),
        }
    }

    fn apply<L: Log>(&self, state: &mut SniperState, reading: SniperReading, log: &mut L) {
        let Some(task) = state.tasks.pop() else { return };
        match (task, reading) {
            (SniperTask::Call, SniperReading::Called(called)) => {
                state.rolls -= 1;
                if state.rolls > 0 {
                    state.tasks.push(SniperTask::Call);
                }
                if called {
                    state.tasks.push(SniperTask::Effect);
                }
            }
            (SniperTask::Gain { unit }, SniperReading::Number(dr))
                if dr <= self.highest_dr(unit) =>
            {
                state.location.unit_mut(unit).conditions.set(Condition::Concealed);
            }
            (SniperTask::Effect, SniperReading::Number(dr)) => {
                state.attacks += u16::from(dr <= MOST_EFFECTIVE);
            }
            (SniperTask::SniperDr { target: None }, SniperReading::Number(dr)) => {
                self.begin(state, dr, log)
            }
            (SniperTask::SniperDr { target: Some(target) }, SniperReading::Number(dr)) => {
                self.strike(state, target, dr, log)
            }
            (
                SniperTask::Selection { among, inside, rolled, best, picked, dr },
                SniperReading::Number(number),
            ) => {
                let (best, picked) = match number {
                    number if number > best => (number, CombatUnits::one(rolled)),
                    number if number == best => (best, picked.with(rolled)),
                    _ => (best, picked),
                };
                let rolled = rolled + 1;
                let task = SniperTask::Selection { among, inside, rolled, best, picked, dr };
                if usize::from(rolled) < self.candidates(among, inside).len() {
                    state.tasks.push(task);
                } else {
                    self.select(state, task, log);
                }
            }
            (SniperTask::Severity { unit }, SniperReading::Severity(reading)) => {
                let Some((engagement, _)) = self.attack() else { return };
                match reading.verdict {
                    Verdict::MortalWound => {
                        engagement.eliminate(&mut state.location, unit, "17.11", log)
                    }
                    _ => engagement.wound_lightly(&mut state.location, unit, log),
                }
                state.location.forget_lost_leaders();
            }
            _ => {}
        }
    }

    fn choose<L: Log>(&self, _: &mut SniperState, _: usize, _: &mut L) {}

    fn report(&self, state: &SniperState, observe: &mut impl FnMut(SniperOutcome)) {
        match self.attack() {
            None => observe(SniperOutcome::Attacks(state.attacks)),
            Some((engagement, _)) => {
                for unit in state.location.places() {
                    let of = state.location.unit(unit);
                    let is_dm = of.is_present() && of.is(Condition::Dm);
                    let unit = engagement.view(&state.location).unit_outcome(unit);
                    let is_concealed = of.is_present() && of.is(Condition::Concealed);
                    observe(SniperOutcome::Unit { unit, is_dm, is_concealed });
                }
            }
        }
    }

    fn pass<L: Log>(&self, state: &mut SniperState, _: &mut L) {
        state.is_reported = true;
    }

    fn describe(&self, state: &SniperState, _: &SniperTerms, face: Face) -> Event {
        let number = face.number();
        let (rule, text) = match state.tasks.last() {
            Some(SniperTask::Call) => ("14.1", format!("Original {}", Dr::from_face(face).total())),
            Some(SniperTask::Selection { .. }) => (".9", format!("Random Selection: dr {number}")),
            Some(SniperTask::Severity { .. }) => ("17.11", format!("severity: dr {number}")),
            Some(SniperTask::Gain { unit }) => {
                let most = self.highest_dr(*unit);
                ("12.122", format!("[{}] conceals itself on {most} or less: dr {number}", unit + 1))
            }
            _ => ("14.2", format!("Sniper dr {number}")),
        };
        Event { rule, text }
    }
}

impl Decisions for SniperPlay {
    fn decision(&self, _: &SniperState) -> String {
        String::new()
    }

    fn options(&self, _: &SniperState) -> Vec<String> {
        Vec::new()
    }

    fn kinds(&self, _: &SniperState) -> Vec<&'static str> {
        Vec::new()
    }
}
