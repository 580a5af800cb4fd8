//! The process of a question about a stack: an engagement, with Close Combats between its stages.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use crate::close_combat::stage::{CombatStage, end_enemy_pins};
use crate::close_combat::state::{CombatSide, CombatState, CombatStep, CombatUnits};
use crate::close_combat::terms::{CombatReading, CombatTerms};
use crate::engagement::Engagement;
use crate::location::LocationState;
use crate::melee_fire::MeleeFire;
use crate::outcome::{Outcome, UnitOutcome};
use crate::unit::Condition;
use crate::vocabulary::{Attack, Reading, Report, Stage, Task, Terms};
use engine::dice::Face;
use engine::process::{Decisions, Due, Event, Log, Process};

/// The process of a question about a stack. Without Close Combat it is its engagement.
#[derive(Clone, Debug)]
pub struct StackProcess {
    engagement: Engagement,
    combats: Vec<CombatStage>,
}

/// The state of a stack, and of its Close Combat or Melee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackState {
    location: LocationState,
    /// The Close Combat that is fought, with our units, or the Melee that goes on, without them.
    combat: Option<Box<CombatState>>,
    /// The index of the Close Combat that began with its enemy.
    met: Option<u8>,
    /// The fire at the Melee that is being resolved.
    fire: Option<Box<MeleeFire>>,
    /// The ends of the enemies whose Close Combats are over.
    enemies: Vec<UnitOutcome>,
    /// Our units that have left its Location. They are back with the others once it is over.
    away: CombatUnits,
    /// True at the report after a Close Combat.
    is_after_combat: bool,
}

/// The values with which a roll is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackTerms {
    Unit(Terms),
    Combat(CombatTerms),
}

/// The meaning of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackReading {
    Unit(Reading),
    Combat(CombatReading),
}

impl Hash for StackState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.location.hash(hasher);
        if self.combat.is_some() || !self.away.is_empty() || !self.enemies.is_empty() {
            (&self.combat, self.away, &self.enemies, &self.fire).hash(hasher);
        }
    }
}

impl Deref for StackState {
    type Target = LocationState;

    #[inline]
    fn deref(&self) -> &LocationState {
        &self.location
    }
}

impl AsRef<LocationState> for StackState {
    fn as_ref(&self) -> &LocationState {
        &self.location
    }
}

impl AsRef<LocationState> for LocationState {
    fn as_ref(&self) -> &LocationState {
        self
    }
}

impl Deref for StackProcess {
    type Target = Engagement;

    #[inline]
    fn deref(&self) -> &Engagement {
        &self.engagement
    }
}

impl StackProcess {
    /// Creates a process. The stages name `combats` by their indices.
    pub(crate) fn new(engagement: Engagement, combats: Vec<CombatStage>) -> StackProcess {
        StackProcess { engagement, combats }
    }

    /// Returns the Close Combat to which a state has come, if any.
    #[inline]
    fn stage_of(&self, location: &LocationState) -> Option<&CombatStage> {
        if self.combats.is_empty() {
            return None;
        }
        match self.engagement.stages.get(usize::from(location.stage)) {
            Some(&Stage::CloseCombat(place)) => self.combats.get(usize::from(place)),
            _ => None,
        }
    }

    /// Returns the Close Combat that is being fought, with its state.
    #[inline]
    fn fought<'a>(&'a self, state: &'a StackState) -> Option<(&'a CombatStage, &'a CombatState)> {
        let combat = state.combat.as_deref()?;
        Some((self.stage_of(&state.location)?, combat))
    }

    /// Begins the Close Combat to which a state has come, if any.
    fn settle<L: Log>(&self, state: &mut StackState, log: &mut L) {
        let Some(stage) = self.stage_of(&state.location) else { return };
        let melee = state.combat.take();
        match (stage.goes_on, melee) {
            (true, None) => self.leave_out(state, "no Melee goes on", log),
            (false, Some(melee)) => {
                state.combat = Some(melee);
                self.leave_out(state, "the Melee with another enemy goes on", log);
            }
            (_, melee) => {
                if !stage.goes_on {
                    state.met = Some(stage.place);
                }
                let units = std::mem::take(&mut state.location.units);
                let melee = melee.map(|melee| *melee);
                let combat = stage.begin(melee, units, state.location.hunt, log);
                state.combat = Some(Box::new(combat));
                self.end_combat(state, log);
            }
        }
    }

    /// Goes on from a Close Combat that has no effect.
    fn leave_out<L: Log>(&self, state: &mut StackState, why: &'static str, log: &mut L) {
        log.note("11.15", || format!("the step is left out: {why}"));
        self.engagement.pass(&mut state.location, log);
    }

    /// Ends a Close Combat that is over.
    fn end_combat<L: Log>(&self, state: &mut StackState, log: &mut L) {
        let is_over = self.fought(state).is_some_and(|(_, of)| of.step == CombatStep::Report);
        let Some(stage) = self.stage_of(&state.location).filter(|_| is_over) else { return };
        let Some(combat) = state.combat.take() else { return };
        let ours = combat.force(CombatSide::Ours);
        state.away = ours.living().without(ours.here());
        let enemies = stage.enemies(Some(&combat));
        let (units, melee) = stage.end(*combat);
        if melee.is_none() {
            state.met = None;
            state.enemies.extend(enemies);
        }
        (state.location.units, state.combat) = (units, melee.map(Box::new));
        state.is_after_combat = true;
        self.engagement.pass(&mut state.location, log);
    }

    /// Carries out a change of a Close Combat that is being fought.
    fn fight<L: Log>(&self, state: &mut StackState, reading: CombatReading, log: &mut L) {
        let Some(stage) = self.stage_of(&state.location) else { return };
        if let Some(combat) = &mut state.combat {
            stage.combat.apply(combat, reading, log);
            stage.pass_reports(combat, log);
        }
        self.end_combat(state, log);
    }

    /// Ends the pins with the Player Turn of a Close Combat (7.8).
    fn end_pins(state: &mut StackState) {
        state.location.hunt.end_turn();
        for unit in &mut state.location.units {
            unit.conditions.clear(Condition::Pinned);
        }
        if let Some(melee) = &mut state.combat {
            end_enemy_pins(melee);
        }
    }

    /// Returns whether the next step is fire with the same DRM at all targets, which hits a Melee
    /// (11.15).
    fn fires_next(&self, location: &LocationState) -> bool {
        let later = self.engagement.stages.iter().skip(usize::from(location.stage) + 1);
        let is_end = |stage: &&Stage| !matches!(stage, Stage::Report(_) | Stage::CloseCombat(_));
        let mut of_step = later.take_while(is_end).peekable();
        let fires = |stage: &Stage| match stage {
            Stage::Only { .. } | Stage::Fire(_) => true,
            Stage::Shot { shots, .. } => shots.is_uniform(),
            _ => false,
        };
        of_step.peek().is_some() && of_step.all(fires)
    }

    /// Returns the attack whose DR is due, if it is one on all units alike.
    fn attack(&self, location: &LocationState) -> Option<Attack> {
        let is_due = location.agenda.last() == Some(&Task::Attack);
        let stage = usize::from(location.stage).checked_sub(1).filter(|_| is_due)?;
        match self.engagement.stages.get(stage) {
            Some(Stage::Fire(attack)) => Some(*attack),
            Some(Stage::Shot { shots, .. }) => {
                let shot = shots.get(location.firers.firing)?;
                shot.is_uniform().then(|| shot.attack_on(0))
            }
            _ => None,
        }
    }

    /// Goes on by `play`. If that brings fire at a Melee, its units on both sides are under fire.
    fn come_to_fire(&self, state: &mut StackState, play: impl FnOnce(&mut LocationState)) {
        let away = state.away.units().map(|unit| (unit, *state.location.unit(unit)));
        let apart: Vec<_> = away.collect();
        play(&mut state.location);
        let melee = state.combat.as_ref().filter(|melee| MeleeFire::hits(melee));
        if let (Some(attack), Some(melee)) = (self.attack(&state.location), melee) {
            let under_fire = (attack, &mut state.location);
            let fire = MeleeFire::begin(under_fire, melee, apart.into_iter());
            state.fire = Some(Box::new(fire));
        }
    }

    /// Returns the rules and the units of those whose roll is due under fire at a Melee: the enemy,
    /// if ours are through.
    fn under_fire<'a>(&'a self, state: &'a StackState) -> (&'a Engagement, &'a LocationState) {
        let theirs = state.fire.as_ref().and_then(|fire| fire.theirs());
        let theirs = theirs.and_then(|location| Some((self.enemy(state)?, location)));
        theirs.unwrap_or((&self.engagement, &state.location))
    }

    /// Returns the rules for the enemy in the Melee under fire.
    fn enemy(&self, state: &StackState) -> Option<&Engagement> {
        self.combats.get(usize::from(state.met?))?.under_fire.as_ref()
    }

    /// Applies a roll under fire at a Melee, first of ours and then of the enemy.
    fn apply_to_melee<L: Log>(&self, state: &mut StackState, reading: Reading, log: &mut L) {
        let Some(mut fire) = state.fire.take() else { return };
        let Some((enemy, mut melee)) = self.enemy(state).zip(state.combat.take()) else { return };
        if fire.theirs().is_some() {
            fire.apply(enemy, reading, log);
        } else {
            fire.note(reading);
            self.engagement.apply(&mut state.location, reading, log);
            if state.location.is_quiet() {
                fire.begin_theirs(enemy, &mut state.location, &melee, log);
            }
        }
        if !fire.is_over(enemy) {
            (state.fire, state.combat) = (Some(fire), Some(melee));
            return;
        }
        fire.end(&mut state.location, &mut melee);
        let is_met = !melee.force(CombatSide::Theirs).here().is_empty();
        state.combat = Some(melee);
        if !is_met {
            self.end_melee(state);
        }
        // MG that keep their ROF fire again (9.2).
        self.come_to_fire(state, |location| self.engagement.go_on(location, log));
        let is_left = state.location.present().any(|unit| !state.away.has(unit));
        if state.fire.is_none() && !is_left {
            self.end_melee(state);
        }
    }

    /// Ends a Melee in which one side has no unit left.
    fn end_melee(&self, state: &mut StackState) {
        let melee = state.combat.take();
        let met = state.met.take().and_then(|met| self.combats.get(usize::from(met)));
        state.enemies.extend(met.into_iter().flat_map(|stage| stage.enemies(melee.as_deref())));
        state.away = CombatUnits::NOBODY;
    }

    /// Returns the outcomes of the enemies of all Close Combats, met, fought or still to come.
    fn enemies(&self, state: &StackState) -> Vec<UnitOutcome> {
        let mut all = Vec::new();
        for stage in self.combats.iter().filter(|stage| !stage.goes_on) {
            let ended = state.enemies.iter().filter(|outcome| stage.is_of_enemy(outcome));
            let ended: Vec<UnitOutcome> = ended.copied().collect();
            let melee = state.combat.as_deref().filter(|_| state.met == Some(stage.place));
            all.extend(if ended.is_empty() { stage.enemies(melee) } else { ended });
        }
        all
    }

    /// Returns the index of the report of the next step, if it is no Close Combat.
    fn report_of_next(&self, location: &LocationState) -> Option<u16> {
        let next = location.stage + 1;
        let mut later = (next..).zip(self.engagement.stages.get(usize::from(next)..)?);
        let (place, stage) =
            later.find(|(_, stage)| matches!(stage, Stage::Report(_) | Stage::CloseCombat(_)))?;
        matches!(stage, Stage::Report(_)).then_some(place)
    }
}

impl Process for StackProcess {
    type State = StackState;
    type Terms = StackTerms;
    type Reading = StackReading;
    type Outcome = Outcome;

    fn start<L: Log>(&self, log: &mut L) -> StackState {
        let location = self.engagement.start(log);
        let away = CombatUnits::NOBODY;
        let enemies = Vec::new();
        let mut state = StackState {
            location,
            combat: None,
            met: None,
            fire: None,
            enemies,
            away,
            is_after_combat: false,
        };
        self.settle(&mut state, log);
        state
    }

    #[inline]
    fn due(&self, state: &StackState) -> Due<StackTerms> {
        match self.fought(state) {
            None if state.fire.is_some() => {
                let (engagement, location) = self.under_fire(state);
                with_terms(engagement.due(location), StackTerms::Unit)
            }
            None => with_terms(self.engagement.due(&state.location), StackTerms::Unit),
            Some((stage, of)) => with_terms(stage.combat.due(of), StackTerms::Combat),
        }
    }

    fn epoch(&self, state: &StackState) -> u32 {
        // A Close Combat is no part of the stage before it.
        self.engagement.epoch(&state.location) + u32::from(self.fought(state).is_some())
    }

    #[inline]
    fn read(&self, terms: &StackTerms, face: Face) -> StackReading {
        match terms {
            StackTerms::Unit(terms) => StackReading::Unit(self.engagement.read(terms, face)),
            StackTerms::Combat(terms) => StackReading::Combat(terms.read(face)),
        }
    }

    #[inline]
    fn apply<L: Log>(&self, state: &mut StackState, reading: StackReading, log: &mut L) {
        match reading {
            StackReading::Unit(reading) if state.fire.is_some() => {
                self.apply_to_melee(state, reading, log);
            }
            StackReading::Unit(reading) => {
                self.engagement.apply(&mut state.location, reading, log);
                self.settle(state, log);
            }
            StackReading::Combat(reading) => self.fight(state, reading, log),
        }
    }

    fn choose<L: Log>(&self, state: &mut StackState, option: usize, log: &mut L) {
        self.engagement.choose(&mut state.location, option, log);
        self.settle(state, log);
    }

    #[inline]
    fn report(&self, state: &StackState, observe: &mut dyn FnMut(Outcome)) {
        if self.combats.is_empty() {
            return self.engagement.report(&state.location, observe);
        }
        let enemies = self.enemies(state);
        let mark = |unit: &mut UnitOutcome| {
            unit.is_away = self.telling.place(unit.slot).is_some_and(|unit| state.away.has(unit));
        };
        self.engagement.report(&state.location, &mut |mut outcome| {
            match &mut outcome {
                Outcome::Unit(unit) => mark(unit),
                Outcome::Stack { units, .. } => {
                    units.iter_mut().for_each(mark);
                    let all = units.iter().chain(&enemies).copied();
                    *units = all.collect();
                }
                Outcome::Calls(_) => {}
            }
            observe(outcome);
        });
        if self.telling.report == Report::Units {
            enemies.into_iter().for_each(|enemy| observe(Outcome::Unit(enemy)));
        }
    }

    /// Moves past a report. What else the next step does is left out in Melee (11.15).
    fn pass<L: Log>(&self, state: &mut StackState, log: &mut L) {
        if std::mem::take(&mut state.is_after_combat) {
            StackProcess::end_pins(state);
            if state.combat.is_none() {
                state.away = CombatUnits::NOBODY;
            }
        }
        let left_out = state.combat.as_ref().and_then(|_| self.report_of_next(&state.location));
        match left_out {
            Some(report) if !self.fires_next(&state.location) => {
                log.note("11.15", || "the step is left out: the stack is in Melee");
                state.location.stage = report;
            }
            _ => {
                self.come_to_fire(state, |location| self.engagement.pass(location, log));
                self.settle(state, log);
            }
        }
    }

    fn describe(&self, state: &StackState, terms: &StackTerms, face: Face) -> Event {
        match (terms, self.fought(state)) {
            (StackTerms::Combat(terms), Some((stage, of))) => {
                stage.combat.describe(of, terms, face)
            }
            (StackTerms::Unit(terms), _) => {
                let (engagement, location) = self.under_fire(state);
                engagement.describe(location, terms, face)
            }
            _ => Event { rule: "", text: String::new() },
        }
    }
}

#[inline]
fn with_terms<A, B>(due: Due<A>, wrap: impl FnOnce(A) -> B) -> Due<B> {
    match due {
        Due::Roll(dice, terms) => Due::Roll(dice, wrap(terms)),
        Due::Choice { player, options } => Due::Choice { player, options },
        Due::Report(point) => Due::Report(point),
        Due::Over => Due::Over,
    }
}

impl Decisions for StackProcess {
    fn decision(&self, state: &StackState) -> String {
        self.engagement.decision(&state.location)
    }

    fn options(&self, state: &StackState) -> Vec<String> {
        self.engagement.options(&state.location)
    }

    fn kinds(&self, state: &StackState) -> Vec<&'static str> {
        self.engagement.kinds(&state.location)
    }
}
