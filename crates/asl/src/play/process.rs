//! The process of every ASL question: stages in a Location, task by task, and the reports of units.

use super::engagement::{Engagement, Play, PlayView};
use crate::rulebook::Switch;
use crate::vocabulary::{
    Attack, Cause, Check, Condition, Conditions, Fall, FireResult, LeaderLoss, LocationState,
    Outcome, Reading, Report, Stage, Status, Task, Terms, Unit, UnitIndex, UnitOutcome, Verdict,
};
use engine::dice::{Dice, Face};
use engine::process::{
    CallOutcome, Due, Event, Factored, Log, Player, Process, RollOwner, Selection, Silent, Spawn,
    Spawns,
};
use smallvec::SmallVec;

impl Engagement {
    /// Plays a stage on units of another process, to a roll or the end. A report must follow it.
    pub(crate) fn play<L: Log>(&self, stage: usize, location: &mut LocationState, log: &mut L) {
        location.stage = stage as u16;
        self.play_on(location, log).settle();
    }

    /// Plays the effects of a result of an attack, whose Random Selection is made already, up to a
    /// roll or the end.
    pub(crate) fn suffer<L: Log>(
        &self,
        location: &mut LocationState,
        (attack, result, hits): (&Attack, FireResult, u16),
        log: &mut L,
    ) {
        let mut play = self.play_on(location, log);
        play.suffer(attack, result, hits);
        play.settle();
    }

    /// Goes on from an attack that units outside this process have taken as well.
    pub(crate) fn go_on<L: Log>(&self, location: &mut LocationState, log: &mut L) {
        self.play_on(location, log).settle();
    }

    /// Returns the outcome of a unit that has this index among all units of its stack.
    pub(crate) fn outcome_of(&self, unit: &Unit, place: UnitIndex) -> UnitOutcome {
        let there = !unit.is(Condition::Eliminated);
        UnitOutcome {
            slot: self.telling.slot(place),
            status: Status::of_conditions(unit.conditions, self.telling.wording),
            counter: there.then(|| self.roster.alike[usize::from(unit.counter.0)]),
            fanatic: there && unit.is(Condition::Fanatic),
            heroic: there && unit.is(Condition::Heroic),
            wounded: (there && self.counter(unit).kind.is_smc())
                .then(|| unit.is(Condition::Wounded)),
            created: (!self.telling.is_of_stack(place)).then(|| self.counter(unit).kind),
            is_away: false,
            is_concealed: there && self.telling.tells_concealment && unit.is(Condition::Concealed),
        }
    }
}

impl PlayView<'_> {
    /// Returns whether Encirclement lowers the ML, as it does while an attack is resolved (7.7).
    pub(super) fn counts_encirclement(self) -> bool {
        let Some(stage) = self.stage() else { return false };
        let is_check = matches!(stage, Stage::MoraleCheck { .. } | Stage::PinTaskCheck);
        is_check
            || matches!(stage, Stage::Fire(_) | Stage::FireAtClasses(_) | Stage::Shot { .. })
            || matches!(stage, Stage::Elimination(_))
    }

    fn still_due(self, task: Task) -> bool {
        match task {
            Task::PinTaskCheck { unit } => {
                self.can_be_pinned(unit) && !self.unit(unit).is(Condition::Pinned)
            }
            Task::LossCheck { unit, loss } => self.takes_loss_check(unit, loss),
            Task::MoraleCheck { unit, .. } => self.unit(unit).is_present(),
            Task::HeatOfBattle { unit, .. } => self.can_be_heated(self.unit(unit)),
            // A unit that went berserk before its own rout does not rout.
            Task::Interdiction { unit, hex: Some(1) } => self.unit(unit).is(Condition::Broken),
            Task::BerserkCheck { unit, .. } => self.takes_berserk_check(unit),
            Task::FirerSelection { selection, original } => self.is_drawn(selection, original),
            Task::SniperCheck => self.searchers().next().is_some(),
            _ => true,
        }
    }

    /// Returns the dice of a task and the values they are compared with, or `None` for no dice.
    fn terms(self, task: Task) -> Option<(Dice, Terms)> {
        let morale = |check| (Dice::DrTotal, Terms::Morale(check, self.rulebook));
        let task_check = |check| (Dice::DrTotal, Terms::Task(check, self.rulebook));
        Some(match task {
            Task::Attack => self.attack_terms()?,
            Task::RandomSelection { .. } | Task::FirerSelection { .. } => {
                (Dice::One, Terms::Selection)
            }
            Task::MoraleCheck { unit, drm } => morale(self.morale_check(unit, drm, Cause::Attack)),
            Task::LossCheck { unit, loss } => {
                let drm = self.loss_drm(unit, loss);
                let check = self.morale_check(unit, drm, Cause::LeaderLoss);
                if loss.fall == Fall::Died { morale(check) } else { task_check(check) }
            }
            Task::Interdiction { unit, .. } => {
                morale(self.morale_check(unit, 0, Cause::Interdiction))
            }
            // Leadership helps in a PTC as in a MC (7.305).
            Task::PinTaskCheck { unit } => task_check(self.morale_check(unit, 0, Cause::Attack)),
            // Only the DRM of the leader gone berserk counts, whatever its nationality (15.41).
            Task::BerserkCheck { unit, leader } => task_check(Check {
                leadership: self.leadership(self.unit(leader)),
                ..Check::of_level(self.morale_level(unit))
            }),
            Task::WoundSeverity { unit, bonus, .. } => {
                (Dice::One, Terms::Severity(self.severity_drm(unit, bonus)))
            }
            Task::HeatOfBattle { unit, was_broken } => {
                (Dice::DrTotal, Terms::Heat(self.heat_roll(unit, was_broken)))
            }
            Task::RallyAttempt { unit } => (Dice::DrTotal, Terms::Rally(self.rally_attempt(unit))),
            Task::Concealment { unit } => (Dice::One, self.concealment_terms(unit)?),
            Task::SniperShare { is_second } => (Dice::Dr, self.sniper_share(is_second)),
            Task::SniperDr { .. } => (Dice::One, Terms::SniperDr),
            Task::SniperSelection { .. } => (Dice::One, Terms::Selection),
            Task::SniperTie { .. } => (Dice::Dr, self.sniper_tie()),
            Task::SniperCheck => (Dice::DrTotal, Terms::SniperCheck(self.search_drm())),
            Task::LeaderCreation { unit } => {
                let sources = self.creation_sources(unit);
                (Dice::One, Terms::Creation(sources.iter().map(|(drm, _)| drm).sum()))
            }
            _ => return None,
        })
    }

    /// Reports the outcome of every unit that `telling` selects, or one of the whole stack.
    pub(super) fn report_outcomes(self, observe: &mut dyn FnMut(Outcome)) {
        let is_reported = |&place: &UnitIndex| {
            *self.telling.reported.get(usize::from(place)).unwrap_or(&self.telling.created)
                && !self.is_adopted(place)
        };
        let outcomes =
            self.location.places().filter(is_reported).map(|place| self.unit_outcome(place));
        if self.telling.report == Report::Calls {
            return observe(Outcome::Calls(self.location.calls));
        }
        if self.telling.report == Report::Stack {
            let sniper = self.sniper.filter(|sniper| sniper.strikes());
            let sniper = sniper.map(|_| self.location.hunt.attacks);
            return observe(Outcome::Stack { units: outcomes.collect(), sniper });
        }
        for outcome in outcomes {
            observe(Outcome::Unit(outcome));
            for &slot in
                self.telling.equals.iter().filter(|_| outcome.slot < self.telling.first_created)
            {
                observe(Outcome::Unit(UnitOutcome { slot, ..outcome }));
            }
        }
    }

    pub(crate) fn unit_outcome(self, place: UnitIndex) -> UnitOutcome {
        self.outcome_of(self.unit(place), place)
    }
}

impl<L: Log> Play<'_, L> {
    fn begin(&mut self, stage: &Stage) {
        let unreported = self.unreported;
        self.location.units.iter_mut().for_each(|unit| unit.conditions.clear_all(unreported));
        self.location.begin_round();
        match stage {
            Stage::Fire(attack) => self.begin_attack(attack),
            Stage::FireAtClasses(_) => self.begin_volley(),
            Stage::Shot { shots, is_first, .. } => self.begin_shot(shots, *is_first),
            Stage::MoraleCheck { drm } => {
                self.gain_dm();
                self.call_for_morale_checks(*drm);
            }
            Stage::PinTaskCheck => self.call_for_pin_task_checks(),
            Stage::Elimination(slots) => self.eliminate_units(*slots),
            Stage::VoluntaryBreak(slots) => self.break_voluntarily(*slots),
            Stage::DesperationMorale => self.gain_dm(),
            Stage::Concealment(gain) => self.begin_concealment(*gain),
            Stage::Reveal(slots) => self.reveal_slots(*slots),
            Stage::Sniper(dr) => self.begin_sniper(*dr),
            Stage::RallyPhase(_) => {
                // Pins ended with the last Close Combat Phase (7.8).
                let over = Conditions::from_array([Condition::Pinned, Condition::Tried]);
                self.location.units.iter_mut().for_each(|unit| unit.conditions.clear_all(over));
                self.location.hunt.end_turn();
                self.location.push(Task::NextRally);
            }
            Stage::Gauntlet(gauntlet) => self.begin_gauntlet(gauntlet),
            Stage::Only { .. } if self.common.is_some() => self.location.push(Task::Call),
            Stage::Only { test, .. } if test.holds(self.location) => {}
            Stage::Only { skip, leaves_out, .. } => {
                if let Some(words) = leaves_out {
                    self.log.note("", || words.to_string());
                }
                self.location.stage += skip;
            }
            Stage::CloseCombat(_) | Stage::Report(_) => {}
        }
    }

    /// Carries out all tasks without dice, up to the next roll, choice, report or the end.
    pub(super) fn settle(&mut self) {
        loop {
            let Some(&task) = self.location.agenda.last() else {
                if self.begin_called_attack() {
                    continue;
                }
                // The enemy in the same Melee takes the attack before the stage ends.
                if self.location.guests > 0 {
                    return;
                }
                self.location.end_stage();
                self.end_shot();
                match self.engagement.stages.get(usize::from(self.location.stage)) {
                    None | Some(Stage::Report(_) | Stage::CloseCombat(_)) => {
                        self.location.firers.firing = 0;
                        return;
                    }
                    Some(stage) => {
                        self.location.stage += 1;
                        self.begin(stage);
                        continue;
                    }
                }
            };
            match task {
                Task::LeaderLosses => self.work_off_losses(),
                Task::EarlyTaskChecks => self.hasten_task_checks(),
                Task::NextRally if self.choices.rally && self.now().rally_choices().len() > 1 => {
                    return;
                }
                Task::NextRally => self.next_rally(),
                Task::DmRemoval => return,
                task if task.waits_for_dice() && self.now().still_due(task) => return,
                task => {
                    self.location.agenda.pop();
                    self.carry_out(task);
                }
            }
        }
    }

    fn resolve(&mut self, reading: Reading) {
        let Some(task) = self.location.agenda.pop() else { return };
        if self.now().is_called_by(reading.calls) {
            self.note_call(task);
        }
        match (task, reading.verdict) {
            (
                Task::MoraleCheck { unit, .. }
                | Task::LossCheck { unit, loss: LeaderLoss { fall: Fall::Died, .. } },
                _,
            ) => {
                if self.chooses(Switch::LltcFirst) && matches!(task, Task::MoraleCheck { .. }) {
                    self.location.push(Task::EarlyTaskChecks);
                }
                self.resolve_morale_check(unit, reading);
            }
            (Task::PinTaskCheck { unit } | Task::LossCheck { unit, .. }, Verdict::NotPassed) => {
                self.pin(unit)
            }
            (Task::BerserkCheck { unit, .. }, Verdict::Passed) => self.follow_berserk(unit),
            (Task::WoundSeverity { unit, noted, .. }, verdict) => {
                self.resolve_severity(unit, noted, verdict == Verdict::MortalWound);
            }
            (Task::HeatOfBattle { unit, was_broken }, Verdict::Heat(heat)) => {
                self.resolve_heat(unit, was_broken, heat);
            }
            (Task::RallyAttempt { unit }, _) => self.resolve_rally(unit, reading),
            (Task::LeaderCreation { unit }, Verdict::Created(grade)) => {
                self.create_leader(unit, grade)
            }
            (Task::Interdiction { unit, hex }, _) => self.resolve_interdiction(unit, hex, reading),
            (Task::Attack, Verdict::Fire(result)) => self.resolve_attack(result),
            (Task::Attack, Verdict::Original(original)) => match self.now().shot() {
                Some(_) => self.resolve_shot(original),
                None => self.resolve_volley(original),
            },
            (Task::FirerSelection { selection, original }, Verdict::Selection(dr)) => {
                self.resolve_firer_selection(selection, original, dr);
            }
            (Task::RandomSelection { count, kia, classes }, Verdict::Selection(dr)) => {
                self.resolve_selection(count, kia, classes, dr);
            }
            (Task::Concealment { unit }, Verdict::Concealed(true)) => self.conceal(unit),
            (Task::SniperShare { .. }, Verdict::Here(is_here)) => self.place_sniper(is_here),
            (Task::SniperDr { target }, Verdict::Selection(dr)) => {
                self.resolve_sniper_dr(target, dr)
            }
            (Task::SniperSelection { inside, dr }, Verdict::Selection(number)) => {
                self.resolve_sniper_selection(inside, dr, number);
            }
            (Task::SniperCheck, Verdict::Searched(found)) => self.end_search(found),
            (Task::SniperTie { inside, dr }, Verdict::Selection(chosen)) => {
                self.strike_tied(inside, dr, Some(chosen));
            }
            _ => {}
        }
        self.settle();
    }

    /// Carries out a task that needs no dice and finishes at once. No other has an effect.
    fn carry_out(&mut self, task: Task) {
        match task {
            Task::Struck { unit, how, level } => self.strike(unit, how, level),
            Task::CommissarsPrice { unit } => self.pay_the_commissar(unit),
            Task::EscortLost { unit } => self.lose_escort(unit),
            Task::FirerSelection { selection, original } => self.select_firer(selection, original),
            Task::FirersDone => self.forget_firers(),
            Task::Revealed { classes } => self.reveal(classes),
            Task::AfterInterdiction { unit, hex, wounded } => {
                self.after_interdiction(unit, hex, wounded)
            }
            _ => {}
        }
    }
}

impl Task {
    /// Returns the unit that makes a roll for itself.
    pub(super) fn roller(self) -> Option<UnitIndex> {
        match self {
            Task::MoraleCheck { unit, .. }
            | Task::PinTaskCheck { unit }
            | Task::LossCheck { unit, .. }
            | Task::WoundSeverity { unit, .. }
            | Task::HeatOfBattle { unit, .. }
            | Task::BerserkCheck { unit, .. }
            | Task::RallyAttempt { unit }
            | Task::LeaderCreation { unit }
            | Task::Concealment { unit }
            | Task::Interdiction { unit, .. } => Some(unit),
            _ => None,
        }
    }

    fn is_of_sniper(self) -> bool {
        use Task::{SniperCheck, SniperDr, SniperSelection, SniperShare, SniperTie};
        let is_choice = matches!(self, SniperSelection { .. } | SniperTie { .. });
        is_choice || matches!(self, SniperShare { .. } | SniperDr { .. } | SniperCheck)
    }

    /// Returns whether the task waits for dice, its own or those of another factor.
    fn waits_for_dice(self) -> bool {
        let is_of_all = matches!(self, Task::Attack | Task::RandomSelection { .. });
        let is_of_all = is_of_all || matches!(self, Task::FirerSelection { .. });
        let is_of_all = is_of_all || self.is_of_sniper();
        is_of_all || self.roller().is_some() || matches!(self, Task::Call | Task::News { .. })
    }
}

impl Process for Engagement {
    type State = LocationState;
    type Terms = Terms;
    type Reading = Reading;
    type Outcome = Outcome;

    fn start<L: Log>(&self, log: &mut L) -> LocationState {
        let mut location = LocationState {
            round: 2 * u8::from(self.common.is_some()),
            units: self.units.clone(),
            ..LocationState::default()
        };
        self.play_on(&mut location, log).settle();
        location
    }

    #[inline]
    fn due(&self, location: &LocationState) -> Due<Terms> {
        let Some(&task) = location.agenda.last() else {
            return match self.stages.get(usize::from(location.stage)) {
                Some(&Stage::Report(point)) => Due::Report(point),
                _ => Due::Over,
            };
        };
        match self.view(location).terms(task) {
            Some((dice, terms)) => Due::Roll(dice, terms),
            None if matches!(task, Task::Call | Task::News { .. }) => Due::Over,
            None => Due::Choice { player: Player::Owner, options: self.choices_at(location).len() },
        }
    }

    /// Returns the number of the current stage among those that roll dice, from 1.
    fn epoch(&self, location: &LocationState) -> u32 {
        let rolls = |stage: &&Stage| {
            use Stage::{DesperationMorale, Only, Report, Reveal};
            !matches!(stage, DesperationMorale | Reveal(_) | Only { .. } | Report(_))
        };
        self.stages.iter().take(location.stage.into()).filter(rolls).count() as u32
    }

    #[inline]
    fn read(&self, terms: &Terms, face: Face) -> Reading {
        let reading = match *terms {
            Terms::Shot { stage, firing } => {
                Reading::new(Verdict::Original(self.read_shot(stage, firing, face)))
            }
            _ => terms.read(face),
        };
        Reading { calls: self.sniper_called_by(terms, face), ..reading }
    }

    fn apply<L: Log>(&self, location: &mut LocationState, reading: Reading, log: &mut L) {
        self.play_on(location, log).resolve(reading);
    }

    fn choose<L: Log>(&self, location: &mut LocationState, option: usize, log: &mut L) {
        if let Some(&choice) = self.choices_at(location).get(option) {
            let mut play = self.play_on(location, log);
            play.make_choice(choice);
            play.settle();
        }
    }

    fn report(&self, location: &LocationState, observe: &mut dyn FnMut(Outcome)) {
        self.view(location).report_outcomes(observe);
    }

    fn pass<L: Log>(&self, location: &mut LocationState, log: &mut L) {
        location.stage += 1;
        self.play_on(location, log).settle();
    }

    fn describe(&self, location: &LocationState, terms: &Terms, face: Face) -> Event {
        let task = location.agenda.last();
        let (rule, text) = task.map_or(("", String::new()), |&task| {
            self.view(location).roll_in_words(task, terms, face)
        });
        Event { rule, text }
    }
}

impl Factored for Engagement {
    const SHARES_STATE: bool = true;

    /// Returns the owner of the next roll. All present units join a Random Selection (A.9, 20.5).
    fn turn(&self, location: &LocationState) -> RollOwner {
        let is_common = |place: UnitIndex| self.view(location).is_common(place);
        match location.agenda.last() {
            // At the limit of their number rounds are not distinct.
            _ if location.round >= u8::MAX - 1 => RollOwner::Unknown,
            Some(Task::Attack | Task::FirerSelection { .. }) => RollOwner::Common,
            Some(&Task::RandomSelection { count, .. }) => {
                let (common, own): (Vec<UnitIndex>, Vec<UnitIndex>) =
                    location.present().partition(|&place| is_common(place));
                RollOwner::Lots { count, common: common.len() as u8, own: own.len() as u8 }
            }
            Some(Task::Call) => self
                .view(location)
                .answers()
                .map_or(RollOwner::Unknown, |answers| RollOwner::Call { answers }),
            Some(&Task::News { own, .. }) => RollOwner::News { own },
            Some(task) if task.roller().is_some_and(is_common) => RollOwner::Common,
            _ => RollOwner::Own,
        }
    }

    /// Applies the result of a Random Selection (A.9) without rolling its dr.
    fn draw(&self, location: &mut LocationState, drawn: Selection) {
        let Some(Task::RandomSelection { kia, classes, .. }) = location.agenda.pop() else {
            return;
        };
        let Selection { mut common, mut own } = drawn;
        let left_out = std::iter::repeat_n(0, self.bystanders.into());
        let present = location.present().map(|place| {
            let is_common = self.view(location).is_common(place);
            let drawn = if is_common { &mut common } else { &mut own };
            (*drawn & 1, *drawn >>= 1).0 as u8
        });
        let selection = left_out.chain(present).collect();
        location.selection = selection;
        self.play_on(location, &mut Silent).strike_selected(kia, classes);
        self.play_on(location, &mut Silent).settle();
    }

    fn resolve_call(&self, location: &mut LocationState, called: CallOutcome) {
        location.agenda.pop();
        match self.view(location).stage() {
            Some(&Stage::Only { ref test, skip, .. }) => {
                if !test.is_met_if(called != CallOutcome::Nobody) {
                    location.stage += skip;
                }
            }
            _ => self.play_on(location, &mut Silent).end_call(called),
        }
        self.play_on(location, &mut Silent).settle();
    }

    fn merge_first(&self, location: &mut LocationState, first: &LocationState) {
        self.play_on(location, &mut Silent).take_over(first);
        self.play_on(location, &mut Silent).settle();
    }

    fn spawned(&self, location: &LocationState) -> Spawns {
        let own = || {
            let created = location.places().skip(self.units.len());
            created.filter(|&place| !self.view(location).is_adopted(place))
        };
        let birth = |place: UnitIndex| {
            let (round, of) = location.unit(place).conditions.birth();
            let out_of = own().position(|place| place == of).map(|place| place as u8);
            Spawn { round, out_of }
        };
        own().map(birth).collect()
    }

    fn own_part(&self, location: &LocationState) -> LocationState {
        let own = location.places().filter(|&place| !self.view(location).is_common(place));
        LocationState {
            stage: 0,
            round: 0,
            firers: Default::default(),
            units: own.map(|place| *location.unit(place)).collect(),
            losses: SmallVec::new(),
            ..location.clone()
        }
    }
}
