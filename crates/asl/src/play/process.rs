//! The process of every ASL question: stages in a Location, carried out one task at a time.

use smallvec::SmallVec;

use super::engagement::Engagement;
use crate::rulebook::Switch;
use crate::vocabulary::check::Cause;
use crate::vocabulary::location::{Entered, Fall, LocationState, Task};
use crate::vocabulary::outcome::Outcome;
use crate::vocabulary::stage::Stage;
use crate::vocabulary::terms::Terms;
use crate::vocabulary::unit::{Condition, UnitIndex};
use crate::vocabulary::verdict::{Reading, Verdict};
use engine::dice::{Dice, Face};
use engine::process::{
    CallOutcome, Due, Event, Factored, Log, Player, Process, RollOwner, Selection, Silent, Spawn,
    Spawns,
};

impl Engagement {
    /// Returns whether Encirclement lowers the ML, as it does while an attack is resolved (7.7).
    pub(super) fn counts_encirclement(&self, location: &LocationState) -> bool {
        let attacked = |stage| {
            matches!(stage, &Stage::Fire(_) | &Stage::MoraleCheck { .. } | &Stage::PinTaskCheck)
        };
        self.stage(location)
            .is_some_and(|stage| attacked(stage) || matches!(stage, Stage::Elimination(_)))
    }

    fn begin<L: Log>(&self, stage: &Stage, location: &mut LocationState, log: &mut L) {
        location.units.iter_mut().for_each(|unit| unit.conditions.clear_all(self.unreported));
        location.begin_round();
        match stage {
            Stage::Fire(attack) => self.begin_attack(location, attack),
            Stage::MoraleCheck { drm } => {
                self.gain_dm(location);
                self.call_for_morale_checks(location, *drm);
            }
            Stage::PinTaskCheck => self.call_for_pin_task_checks(location),
            Stage::Elimination(slots) => self.eliminate_units(location, *slots, log),
            Stage::VoluntaryBreak(slots) => self.break_voluntarily(location, *slots, log),
            Stage::DesperationMorale => self.gain_dm(location),
            Stage::RallyPhase(_) => self.begin_rally_phase(location),
            Stage::Gauntlet(gauntlet) => self.begin_gauntlet(location, gauntlet),
            Stage::Only { .. } if self.common.is_some() => location.push(Task::Call),
            Stage::Only { test, skip, leaves_out } => {
                if !test.holds(location) {
                    if let Some(condition) = leaves_out {
                        log.record(|| Event {
                            rule: "",
                            text: format!("the next step is left out: it happens only {condition}"),
                        });
                    }
                    location.stage += skip;
                }
            }
            Stage::Report(_) => {}
        }
    }

    /// Plays the stage with this index, from 0, on units from another process. It stops at the
    /// first roll or at the end. A report must follow the stage.
    pub(crate) fn play<L: Log>(&self, stage: usize, location: &mut LocationState, log: &mut L) {
        location.stage = stage as u16;
        self.settle(location, log);
    }

    /// Carries out all tasks without dice, up to the next roll, choice, report or the end.
    fn settle<L: Log>(&self, location: &mut LocationState, log: &mut L) {
        loop {
            let Some(&task) = location.agenda.last() else {
                location.end_stage();
                match self.stages.get(usize::from(location.stage)) {
                    None | Some(Stage::Report(_)) => return,
                    Some(stage) => {
                        location.stage += 1;
                        self.begin(stage, location, log);
                        continue;
                    }
                }
            };
            match task {
                Task::LeaderLosses => self.work_off_losses(location, log),
                Task::EarlyTaskChecks => self.hasten_task_checks(location),
                Task::NextRally if self.choices.rally && self.may_choose_who_rallies(location) => {
                    return;
                }
                Task::NextRally => self.next_rally(location, log),
                Task::DmRemoval => return,
                task if task.needs_dice() => {
                    if self.still_due(location, task) {
                        return;
                    }
                    location.agenda.pop();
                }
                task => {
                    location.agenda.pop();
                    self.carry_out(location, task, log);
                }
            }
        }
    }

    /// Carries out a task that needs no dice and finishes at once.
    fn carry_out<L: Log>(&self, location: &mut LocationState, task: Task, log: &mut L) {
        match task {
            Task::Struck { unit, how, level } => self.strike(location, unit, how, level, log),
            Task::CommissarsPrice { unit } => self.pay_the_commissar(location, unit, log),
            Task::EscortLost { unit } => self.lose_escort(location, unit, log),
            Task::AfterInterdiction { unit, hex, wounded } => {
                self.after_interdiction(location, unit, hex, wounded, log)
            }
            Task::Spoilt => {}
            other => unreachable!("{other:?} is not done at once"),
        }
    }

    /// Returns whether a task on the agenda must still be done when its turn comes.
    fn still_due(&self, location: &LocationState, task: Task) -> bool {
        match task {
            Task::PinTaskCheck { unit } => {
                self.can_be_pinned(location, unit) && !location.unit(unit).is(Condition::Pinned)
            }
            Task::LossMoraleCheck { unit, leader, level, .. } => {
                self.takes_loss_check(location, unit, leader, level, Fall::Died)
            }
            Task::LossTaskCheck { unit, leader, level, .. } => {
                self.takes_loss_check(location, unit, leader, level, Fall::Broke)
            }
            Task::MoraleCheck { unit, .. } => location.unit(unit).is_present(),
            Task::HeatOfBattle { unit, .. } => self.can_be_heated(location.unit(unit)),
            // A unit that went berserk before its own rout does not rout.
            Task::Interdiction { unit, hex: Entered::Hex(1) } => {
                location.unit(unit).is(Condition::Broken)
            }
            Task::BerserkCheck { unit, .. } => self.takes_berserk_check(location, unit),
            _ => true,
        }
    }

    /// Returns the dice of a task and the values they are compared with, or `None` for no dice.
    fn terms(&self, location: &LocationState, task: Task) -> Option<(Dice, Terms)> {
        let morale = |check| (Dice::DrTotal, Terms::Morale(check, self.rulebook));
        let task_check = |check| (Dice::DrTotal, Terms::Task(check, self.rulebook));
        Some(match task {
            Task::Attack => (Dice::Dr, Terms::Attack(*self.attack(location)?)),
            Task::RandomSelection { .. } => (Dice::One, Terms::Selection),
            Task::MoraleCheck { unit, drm } => {
                morale(self.morale_check(location, unit, drm, Cause::Attack))
            }
            Task::LossMoraleCheck { unit, leadership, .. } => {
                let drm = self.loss_drm(location, unit, leadership, Fall::Died);
                morale(self.morale_check(location, unit, drm, Cause::LeaderLoss))
            }
            Task::Interdiction { unit, .. } => {
                morale(self.morale_check(location, unit, 0, Cause::Interdiction))
            }
            Task::PinTaskCheck { unit } => task_check(self.pin_task_check(location, unit)),
            Task::LossTaskCheck { unit, leadership, .. } => {
                let drm = self.loss_drm(location, unit, leadership, Fall::Broke);
                task_check(self.morale_check(location, unit, drm, Cause::LeaderLoss))
            }
            Task::BerserkCheck { unit, leader } => {
                task_check(self.berserk_check(location, unit, leader))
            }
            Task::WoundSeverity { unit, bonus, .. } => {
                (Dice::One, Terms::Severity(self.severity_drm(location, unit, bonus)))
            }
            Task::HeatOfBattle { unit, was_broken } => {
                (Dice::DrTotal, Terms::Heat(self.heat_roll(location, unit, was_broken)))
            }
            Task::RallyAttempt { unit } => {
                (Dice::DrTotal, Terms::Rally(self.rally_attempt(location, unit)))
            }
            Task::LeaderCreation { unit } => {
                (Dice::One, Terms::Creation(self.creation_drm(location, unit)))
            }
            _ => return None,
        })
    }
}

impl Task {
    fn roller(self) -> Option<UnitIndex> {
        match self {
            Task::MoraleCheck { unit, .. }
            | Task::PinTaskCheck { unit }
            | Task::LossMoraleCheck { unit, .. }
            | Task::LossTaskCheck { unit, .. }
            | Task::WoundSeverity { unit, .. }
            | Task::HeatOfBattle { unit, .. }
            | Task::BerserkCheck { unit, .. }
            | Task::RallyAttempt { unit }
            | Task::LeaderCreation { unit }
            | Task::Interdiction { unit, .. } => Some(unit),
            _ => None,
        }
    }

    fn needs_dice(self) -> bool {
        !matches!(
            self,
            Task::Struck { .. }
                | Task::LeaderLosses
                | Task::EarlyTaskChecks
                | Task::NextRally
                | Task::Spoilt
                | Task::DmRemoval
                | Task::CommissarsPrice { .. }
                | Task::EscortLost { .. }
                | Task::AfterInterdiction { .. }
        )
    }
}

impl Process for Engagement {
    type State = LocationState;
    type Terms = Terms;
    type Reading = Reading;
    type Outcome = Outcome;

    fn start<L: Log>(&self, log: &mut L) -> LocationState {
        let mut location = LocationState {
            stage: 0,
            round: 2 * u8::from(self.common.is_some()),
            units: self.units.clone(),
            agenda: SmallVec::new(),
            losses: SmallVec::new(),
            selection: SmallVec::new(),
        };
        self.settle(&mut location, log);
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
        match self.terms(location, task) {
            Some((dice, terms)) => Due::Roll(dice, terms),
            None if matches!(task, Task::Call | Task::News { .. }) => Due::Over,
            None => Due::Choice { player: Player::Owner, options: self.choices_at(location).len() },
        }
    }

    /// Returns the number of the current stage among those that roll dice, from 1.
    fn epoch(&self, location: &LocationState) -> u32 {
        let rolls = |stage: &&Stage| {
            !matches!(stage, Stage::DesperationMorale | Stage::Only { .. } | Stage::Report(_))
        };
        self.stages.iter().take(location.stage.into()).filter(rolls).count() as u32
    }

    #[inline]
    fn read(&self, terms: &Terms, face: Face) -> Reading {
        terms.read(face)
    }

    fn apply<L: Log>(&self, location: &mut LocationState, reading: Reading, log: &mut L) {
        let Some(task) = location.agenda.pop() else { return };
        match (task, reading.verdict) {
            (Task::MoraleCheck { unit, .. } | Task::LossMoraleCheck { unit, .. }, _) => {
                if self.rulebook.chooses(Switch::LltcFirst)
                    && matches!(task, Task::MoraleCheck { .. })
                {
                    location.push(Task::EarlyTaskChecks);
                }
                self.resolve_morale_check(location, unit, reading, log);
            }
            (
                Task::PinTaskCheck { unit } | Task::LossTaskCheck { unit, .. },
                Verdict::NotPassed,
            ) => {
                self.pin(location, unit, log);
            }
            (Task::BerserkCheck { unit, .. }, Verdict::Passed) => {
                self.follow_berserk(location, unit, log)
            }
            (Task::WoundSeverity { unit, noted, .. }, verdict) => {
                self.resolve_severity(location, unit, noted, verdict == Verdict::MortalWound, log);
            }
            (Task::HeatOfBattle { unit, was_broken }, Verdict::Heat(heat)) => {
                self.resolve_heat(location, unit, was_broken, heat, log);
            }
            (Task::RallyAttempt { unit }, _) => self.resolve_rally(location, unit, reading, log),
            (Task::LeaderCreation { unit }, Verdict::Created(grade)) => {
                self.create_leader(location, unit, grade, log)
            }
            (Task::Interdiction { unit, hex }, _) => {
                self.resolve_interdiction(location, unit, hex, reading, log)
            }
            (Task::Attack, Verdict::Fire(result)) => self.resolve_attack(location, result, log),
            (Task::RandomSelection { count, kia }, Verdict::Selection(dr)) => {
                self.resolve_selection(location, count, kia, dr, log);
            }
            _ => {}
        }
        self.settle(location, log);
    }

    fn choose<L: Log>(&self, location: &mut LocationState, option: usize, log: &mut L) {
        if let Some(&choice) = self.choices_at(location).get(option) {
            self.make_choice(location, choice, log);
            self.settle(location, log);
        }
    }

    fn report(&self, location: &LocationState, observe: &mut impl FnMut(Outcome)) {
        self.report_outcomes(location, observe);
    }

    fn pass<L: Log>(&self, location: &mut LocationState, log: &mut L) {
        location.stage += 1;
        self.settle(location, log);
    }

    fn describe(&self, location: &LocationState, terms: &Terms, face: Face) -> Event {
        let task = location.agenda.last();
        let (rule, text) = task
            .map_or(("", String::new()), |&task| self.roll_in_words(location, task, terms, face));
        Event { rule, text }
    }
}

impl Factored for Engagement {
    /// Returns the owner of the next roll. All present units, which prisoners are not (20.5), join
    /// a Random Selection (A.9).
    fn turn(&self, location: &LocationState) -> RollOwner {
        let is_common = |place: UnitIndex| self.is_common(location, place);
        match location.agenda.last() {
            _ if location.has_lost_count() => RollOwner::Unknown,
            Some(Task::Attack) => RollOwner::Common,
            Some(&Task::RandomSelection { count, .. }) => {
                let (common, own): (Vec<UnitIndex>, Vec<UnitIndex>) =
                    location.present().partition(|&place| is_common(place));
                RollOwner::Lots { count, common: common.len() as u8, own: own.len() as u8 }
            }
            Some(Task::Call) => self
                .answers(location)
                .map_or(RollOwner::Unknown, |answers| RollOwner::Call { answers }),
            Some(&Task::News { own, .. }) => RollOwner::News { own },
            Some(task) if task.roller().is_some_and(is_common) => RollOwner::Common,
            _ => RollOwner::Own,
        }
    }

    /// Applies the result of a Random Selection (A.9) without rolling its dr.
    fn draw(&self, location: &mut LocationState, drawn: Selection) {
        let Some(Task::RandomSelection { kia, .. }) = location.agenda.pop() else { return };
        let Selection { mut common, mut own } = drawn;
        let left_out = std::iter::repeat_n(0, self.bystanders.into());
        let present = location.present().map(|place| {
            let drawn = if self.is_common(location, place) { &mut common } else { &mut own };
            (*drawn & 1, *drawn >>= 1).0 as u8
        });
        let selection = left_out.chain(present).collect();
        location.selection = selection;
        self.strike_selected(location, kia, &mut Silent);
        self.settle(location, &mut Silent);
    }

    fn resolve_call(&self, location: &mut LocationState, called: CallOutcome) {
        location.agenda.pop();
        match self.stage(location) {
            Some(Stage::Only { test, skip, .. }) => {
                if !test.is_met_if(called != CallOutcome::Nobody) {
                    location.stage += skip;
                }
            }
            _ => self.end_call(location, called),
        }
        self.settle(location, &mut Silent);
    }

    fn merge_first(&self, location: &mut LocationState, first: &LocationState) {
        self.take_over(location, first);
        self.settle(location, &mut Silent);
    }

    fn spawned(&self, location: &LocationState) -> Spawns {
        let own = || {
            let created = location.places().skip(self.units.len());
            created.filter(|&place| !self.is_adopted(location, place))
        };
        let birth = |place: UnitIndex| {
            let (round, of) = location.unit(place).conditions.birth();
            let out_of = own().position(|place| place == of).map(|place| place as u8);
            Spawn { round, out_of }
        };
        own().map(birth).collect()
    }
}
