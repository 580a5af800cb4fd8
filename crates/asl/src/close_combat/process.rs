//! Close Combat over Player Turns as a process: what is due, and the outcomes of units and place.

use super::choices::ChoiceOption;
use super::combat::{CloseCombat, CombatPlay, CombatView};
use super::creation::created_commissar;
use super::state::{CombatSide, CombatState, CombatStep, Force};
use super::terms::{CombatEnd, CombatOutcome, CombatReading, CombatTerms, Holders};
use crate::unit::{Condition, UnitIndex};
use crate::vocabulary::rally::created_grade;
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::Verdict;
use engine::dice::{Dice, Dr, Face};
use engine::process::{Decisions, Due, Event, Log, Process, Silent};

impl CloseCombat {
    fn play_on<'a, L>(&'a self, state: &'a mut CombatState, log: &'a mut L) -> CombatPlay<'a, L> {
        CombatPlay { combat: self, state, log }
    }

    /// Carries out an option of a choice.
    pub(super) fn take(&self, state: &mut CombatState, option: ChoiceOption) {
        self.play_on(state, &mut Silent).take(option);
        self.play_on(state, &mut Silent).advance();
    }

    /// Goes on to the next roll of a round.
    pub(super) fn go_on(&self, state: &mut CombatState) {
        self.play_on(state, &mut Silent).advance();
    }

    /// Begins a CCPh, up to its first roll, choice or report.
    pub(super) fn begin<L: Log>(&self, state: &mut CombatState, log: &mut L) {
        let mut play = self.play_on(state, log);
        play.begin_turn();
        play.advance();
    }

    /// Returns the state at the first roll, as declared.
    pub(crate) fn declared(&self) -> CombatState {
        self.start(&mut Silent)
    }
}

impl CombatView<'_> {
    fn end(self, side: CombatSide, unit: UnitIndex) -> CombatEnd {
        let force = self.state.force(side);
        let of = force.unit(unit);
        CombatEnd {
            side,
            unit: self.combat.engagement(side).view(&force.location).unit_outcome(unit),
            is_away: force.standing_of(unit).is_away,
            is_concealed: force.standing_of(unit).is_concealed,
            is_dm: of.is_present() && of.is(Condition::Dm),
            is_unarmed: of.is_present() && of.is(Condition::Unarmed),
        }
    }

    /// Returns the CVP that a side has lost (26.21): a Reduced squad 1, captured units once.
    pub fn lost(self, side: CombatSide) -> i16 {
        let force = self.state.force(side);
        let of_stack = force.all().take(self.combat.members(side).len()).map(|unit| {
            let whole = i16::from(force.standing_of(unit).worth);
            let counter = self.counter(side, unit);
            match () {
                () if !force.unit(unit).is_present() => whole,
                () if counter.kind.is_smc() => 0,
                () => whole - i16::from(self.combat.points(counter)),
            }
        });
        of_stack.sum::<i16>() + i16::from(force.settled_lost) + self.created_captured(side)
    }

    /// Returns the CVP of units of a side that are captured, whose loss is worth as much again at
    /// the end of a scenario (20.1).
    pub fn captured(self, side: CombatSide) -> i16 {
        let force = self.state.force(side);
        let captured = force.all().filter(|&unit| self.is(side, unit, Condition::Captured));
        let points = captured.map(|unit| i16::from(self.combat.points(self.counter(side, unit))));
        points.sum::<i16>() + i16::from(force.halves_captured)
    }

    /// Returns how many units of a side, of those at the start, are eliminated or captured.
    pub fn lost_units(self, side: CombatSide) -> usize {
        let force = self.state.force(side);
        let of_stack = force.all().take(self.combat.members(side).len());
        of_stack.filter(|&unit| !force.unit(unit).is_present()).count()
    }

    /// Returns the CVP of created leaders that are captured: those eliminated are counted already.
    fn created_captured(self, side: CombatSide) -> i16 {
        let force = self.state.force(side);
        let created = force.all().skip(self.combat.members(side).len());
        let captured = created.filter(|&unit| self.is(side, unit, Condition::Captured));
        captured.map(|unit| i16::from(self.combat.points(self.counter(side, unit)))).sum()
    }

    fn left(self) -> Holders {
        let holds = |force: &Force| force.is_held || !force.here().is_empty();
        match self.state.forces.each_ref().map(holds) {
            [true, true] => Holders::Both,
            [true, false] => Holders::Ours,
            [false, true] => Holders::Theirs,
            [false, false] => Holders::Nobody,
        }
    }
}

impl CombatTerms {
    /// Returns the meaning of a face.
    pub(crate) fn read(&self, face: Face) -> CombatReading {
        let dr = Dr::from_face(face);
        match self {
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
            CombatTerms::Severity(terms) => CombatReading::Severity(terms.read(face)),
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
        self.begin(&mut state, log);
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
            CombatStep::Choice { side, kind } => {
                Due::Choice { player: side.player(), options: now.options(side, kind).len() }
            }
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
            CombatStep::Severity { attack: place, waiting } => {
                let side = attack(place).by.other();
                let unit = waiting.units().next().unwrap_or_default();
                let terms = now.severity(side, unit).unwrap_or(Terms::Severity(0));
                Due::Roll(Dice::One, CombatTerms::Severity(terms))
            }
            CombatStep::EarlyReport(_) => Due::Report(0),
            CombatStep::Report => Due::Report(if self.turns > 1 { state.turn } else { 0 }),
            CombatStep::Over => Due::Over,
        }
    }

    fn epoch(&self, state: &CombatState) -> u32 {
        state.turn.into()
    }

    fn read(&self, terms: &CombatTerms, face: Face) -> CombatReading {
        terms.read(face)
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
            (CombatStep::Severity { .. }, CombatReading::Severity(reading)) => {
                self.play_on(state, log).resolve_severity(reading)
            }
            _ => {}
        }
        self.play_on(state, log).advance();
    }

    fn choose<L: Log>(&self, state: &mut CombatState, option: usize, log: &mut L) {
        self.play_on(state, log).decide(option);
        self.play_on(state, log).advance();
    }

    fn report(&self, state: &CombatState, observe: &mut dyn FnMut(CombatOutcome)) {
        let now = self.view(state);
        let early = match state.step {
            CombatStep::EarlyReport(units) => Some(units),
            _ => None,
        };
        let is_due = |side: CombatSide, unit: &UnitIndex| match early {
            Some(units) => units[side as usize].has(*unit),
            None => !state.force(side).standing_of(*unit).is_reported,
        };
        let ends = CombatSide::ALL.into_iter().flat_map(|side| {
            let due = state.force(side).all().filter(move |unit| is_due(side, unit));
            due.map(move |unit| now.end(side, unit))
        });
        if self.joint {
            observe(CombatOutcome::All(ends.collect()));
        } else {
            ends.for_each(|end| observe(CombatOutcome::Unit(end)));
        }
        if early.is_some() {
            return;
        }
        let net = now.lost(CombatSide::Theirs) - now.lost(CombatSide::Ours);
        observe(CombatOutcome::Location { left: now.left(), net });
    }

    fn is_partial_report(&self, state: &CombatState) -> bool {
        matches!(state.step, CombatStep::EarlyReport(_))
    }

    fn pass<L: Log>(&self, state: &mut CombatState, log: &mut L) {
        let step = state.step;
        let mut play = self.play_on(state, log);
        match step {
            CombatStep::EarlyReport(units) => {
                play.state.step = CombatStep::Attacks;
                play.forget(units);
            }
            _ => play.end_turn(),
        }
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
