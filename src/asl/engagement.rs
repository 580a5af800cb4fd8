//! The process of every ASL question: stages worked through in a Location, one task at a time.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::casualty::MORTAL;
use super::check::{Cause, Check};
use super::location::{Fall, Location, MAX_IN_PLAY, Place, Task};
use super::outcome::Outcome;
use super::rally::RallyAttempt;
use super::roster::Roster;
use super::rulebook::Rulebook;
use super::unit::{Condition, Unit, Wording};
use crate::dice::{Dice, Dr, Face};
use crate::process::{Due, Event, Log, Point, Process};

/// One stage of an engagement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// 7.303, 7.304: every unit takes a MC with this DRM, then the losses of leaders are worked off.
    MoraleCheck { drm: i8 },
    /// 7.305: every unbroken, unpinned unit takes a PTC.
    PinTaskCheck,
    /// 10.6: a Rally Phase; `own` is that of the side's own Player Turn (18.11).
    RallyPhase { own: bool },
    /// 10.53: every unit that began broken runs through the Interdicted hexes.
    Gauntlet,
    /// The state of every unit is noted.
    Report(Point),
}

/// A Location with units, and what happens there: the process of an ASL question.
#[derive(Clone, Debug)]
pub struct Engagement {
    pub(super) roster: Arc<Roster>,
    pub(super) rulebook: Rulebook,
    pub(super) units: ArrayVec<Unit, MAX_IN_PLAY>,
    pub(super) stages: Vec<Stage>,
    /// 10.6, I-8: a Good Order leader who only lends his leadership.
    pub(super) lent_leader: Option<Unit>,
    /// 10.61.
    pub(super) rally_terrain: bool,
    /// 10.62.
    pub(super) keeps_dm: bool,
    /// Interdicted hexes to cross.
    pub(super) hexes: u8,
    pub(super) telling: Telling,
}

/// How outcomes are told.
#[derive(Clone, Debug)]
pub struct Telling {
    pub wording: Wording,
    /// Slot of each unit of this process.
    pub slots: Vec<u8>,
    /// Slot of the first created unit.
    pub first_created: u8,
    /// Places told about; created units always are.
    pub told: Vec<bool>,
    /// One outcome for the whole stack in place of one per unit.
    pub joint: bool,
}

/// What a due roll is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// A Morale Check.
    Morale(Check, Rulebook),
    /// A Task Check.
    Task(Check, Rulebook),
    /// 17.11: the drm of a severity dr.
    Severity(i8),
    Rally(RallyAttempt),
    /// 18.2: the drm of Leader Creation.
    Creation(i8),
}

/// What a roll means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    Passed,
    /// Passed a MC on the highest DR, or failed a Task Check.
    Pinned,
    Failed {
        elr_failure: bool,
    },
    /// 10.31.
    Casualty {
        elr_failure: bool,
    },
    LightWound,
    MortalWound,
    Rallied {
        creation: bool,
    },
    NotRallied,
    /// 10.64.
    Fate,
    /// 18.2: grade of the new leader, if any.
    Created(Option<&'static str>),
}

impl Engagement {
    /// The stage being worked through.
    pub(super) fn stage(&self, location: &Location) -> Option<Stage> {
        self.stages.get(usize::from(location.stage).checked_sub(1)?).copied()
    }

    /// 7.7: Encirclement lowers ML while an attack is resolved.
    pub(super) fn counts_encirclement(&self, location: &Location) -> bool {
        matches!(self.stage(location), Some(Stage::MoraleCheck { .. } | Stage::PinTaskCheck))
    }

    /// A unit in words: its counter, and its slot where there are several.
    pub(super) fn name(&self, location: &Location, place: Place) -> String {
        let printed = self.counter(location.unit(place)).printed();
        if location.units.len() == 1 { printed.to_string() } else { format!("{printed} [{}]", self.telling.slot(place)) }
    }

    fn leader_name(&self, location: &Location, leader: Option<Place>) -> String {
        match leader {
            Some(place) => self.name(location, place),
            None => self.lent_leader.as_ref().map_or(String::new(), |leader| self.counter(leader).printed().to_string()),
        }
    }

    /// Puts the tasks of a stage on the agenda.
    fn begin(&self, stage: Stage, location: &mut Location) {
        match stage {
            Stage::MoraleCheck { drm } => {
                location.push(Task::LeaderLosses);
                for unit in self.checking_order(location).into_iter().rev() {
                    location.push(Task::MoraleCheck { unit, drm });
                }
            }
            Stage::PinTaskCheck => {
                for unit in self.checking_order(location).into_iter().rev() {
                    location.push(Task::PinTaskCheck { unit });
                }
            }
            Stage::RallyPhase { .. } => self.begin_rally_phase(location),
            Stage::Gauntlet => self.begin_gauntlet(location),
            Stage::Report(_) => {}
        }
    }

    /// Carries out all that needs no dice, up to the next roll, report or end.
    fn settle<L: Log>(&self, location: &mut Location, log: &mut L) {
        loop {
            let Some(&task) = location.agenda.last() else {
                location.losses.clear();
                match self.stages.get(usize::from(location.stage)) {
                    None | Some(Stage::Report(_)) => return,
                    Some(&stage) => {
                        location.stage += 1;
                        self.begin(stage, location);
                        continue;
                    }
                }
            };
            match task {
                Task::LeaderLosses => self.work_off_losses(location, log),
                Task::NextRally => self.next_rally(location, log),
                Task::AfterInterdiction { unit, hex, wounded } => {
                    location.agenda.pop();
                    self.after_interdiction(location, unit, hex, wounded, log);
                }
                task if self.still_due(location, task) => return,
                _ => {
                    location.agenda.pop();
                }
            }
        }
    }

    /// Whether a check that was put on the agenda is still to be made when its turn comes.
    fn still_due(&self, location: &Location, task: Task) -> bool {
        match task {
            Task::PinTaskCheck { unit } => self.can_be_pinned(location, unit) && !location.unit(unit).is(Condition::Pinned),
            Task::LossMoraleCheck { unit, level, .. } => self.takes_loss_check(location, unit, level, Fall::Died),
            Task::LossTaskCheck { unit, level, .. } => self.takes_loss_check(location, unit, level, Fall::Broke),
            Task::MoraleCheck { unit, .. } => location.unit(unit).is_present(),
            _ => true,
        }
    }

    /// The dice of a task, and what they are compared with.
    fn terms(&self, location: &Location, task: Task) -> Option<(Dice, Terms)> {
        let morale = |check| (Dice::DrTotal, Terms::Morale(check, self.rulebook));
        Some(match task {
            Task::MoraleCheck { unit, drm } => morale(self.morale_check(location, unit, drm, Cause::Attack)),
            Task::LossMoraleCheck { unit, leadership, .. } => {
                let drm = self.loss_drm(location, unit, leadership, Fall::Died);
                morale(self.morale_check(location, unit, drm, Cause::LeaderLoss))
            }
            Task::Interdiction { unit, .. } => morale(self.morale_check(location, unit, 0, Cause::Interdiction)),
            Task::PinTaskCheck { unit } => (Dice::DrTotal, Terms::Task(self.pin_task_check(location, unit), self.rulebook)),
            Task::LossTaskCheck { unit, leadership, .. } => {
                let drm = self.loss_drm(location, unit, leadership, Fall::Broke);
                let check = self.morale_check(location, unit, drm, Cause::LeaderLoss);
                (Dice::DrTotal, Terms::Task(check, self.rulebook))
            }
            Task::WoundSeverity { unit, bonus, .. } => (Dice::One, Terms::Severity(self.severity_drm(location, unit, bonus))),
            Task::RallyAttempt { unit } => (Dice::DrTotal, Terms::Rally(self.rally_attempt(location, unit))),
            Task::LeaderCreation { unit } => (Dice::One, Terms::Creation(self.creation_drm(location, unit))),
            Task::LeaderLosses | Task::NextRally | Task::AfterInterdiction { .. } => return None,
        })
    }

    /// The roll of a task in words, with the rule that calls for it.
    fn roll_in_words(&self, location: &Location, task: Task, terms: &Terms, face: Face) -> (&'static str, String) {
        let original = Dr::of(face).total();
        let with = |leader: Option<Place>| leader.map(|place| self.leader_name(location, Some(place)));
        let check = |unit: Place, drm_source: &str, leader: Option<String>| match terms {
            Terms::Morale(check, _) | Terms::Task(check, _) => {
                format!("{}: {}", self.name(location, unit), check.words(original, drm_source, leader))
            }
            _ => String::new(),
        };
        match task {
            Task::MoraleCheck { unit, drm } => {
                let what = if drm == 0 { "NMC".to_string() } else { format!("{drm}MC") };
                ("10.1", format!("{what} of {}", check(unit, &what, with(self.leader_for_check(location, unit)))))
            }
            Task::PinTaskCheck { unit } => {
                ("7.305", format!("PTC of {}", check(unit, "PTC", with(self.leader_for_check(location, unit)))))
            }
            Task::LossMoraleCheck { unit, .. } => ("10.2", format!("LLMC of {}", check(unit, "lost leader", None))),
            Task::LossTaskCheck { unit, .. } => ("10.2", format!("LLTC of {}", check(unit, "broken leader", None))),
            Task::Interdiction { unit, hex } => {
                let leader = self.leadership_in_hex(location, unit).map(|_| self.leader_name(location, None));
                ("10.53", format!("Interdiction in hex {hex}: NMC of {}", check(unit, "", leader)))
            }
            Task::RallyAttempt { unit } => {
                let leader = self.leader_for_rally(location, unit).map(|(leader, _)| self.leader_name(location, leader));
                let words = match terms {
                    Terms::Rally(attempt) => attempt.words(original, leader),
                    _ => String::new(),
                };
                ("10.6", format!("Rally attempt of {}: {words}", self.name(location, unit)))
            }
            Task::WoundSeverity { unit, .. } => ("17.11", self.dr_in_words("wound severity", location, unit, terms, face)),
            Task::LeaderCreation { unit } => ("18.2", self.dr_in_words("Leader Creation", location, unit, terms, face)),
            Task::LeaderLosses | Task::NextRally | Task::AfterInterdiction { .. } => ("", String::new()),
        }
    }

    fn dr_in_words(&self, what: &str, location: &Location, unit: Place, terms: &Terms, face: Face) -> String {
        let (Terms::Severity(drm) | Terms::Creation(drm)) = terms else { return String::new() };
        let original = face.dr();
        let sum = if *drm == 0 { String::new() } else { format!(" {drm:+} = {}", original as i8 + drm) };
        format!("{what} of {}: dr {original}{sum}", self.name(location, unit))
    }
}

impl Telling {
    /// Slot of the unit in a place (section 21): that of the stack, then created units in order of appearance.
    pub(super) fn slot(&self, place: Place) -> u8 {
        let place = usize::from(place);
        self.slots.get(place).copied().unwrap_or(self.first_created + (place - self.slots.len().min(place)) as u8)
    }
}

impl Process for Engagement {
    type State = Location;
    type Terms = Terms;
    type Reading = Reading;
    type Outcome = Outcome;

    fn start<L: Log>(&self, log: &mut L) -> Location {
        let mut location = Location { stage: 0, units: self.units.clone(), agenda: ArrayVec::new(), losses: ArrayVec::new() };
        self.settle(&mut location, log);
        location
    }

    #[inline]
    fn due(&self, location: &Location) -> Due<Terms> {
        match location.agenda.last().and_then(|&task| self.terms(location, task)) {
            Some((dice, terms)) => Due::Roll(dice, terms),
            None => match self.stages.get(usize::from(location.stage)) {
                Some(&Stage::Report(point)) => Due::Report(point),
                _ => Due::Over,
            },
        }
    }

    #[inline]
    fn read(&self, terms: &Terms, face: Face) -> Reading {
        match terms {
            Terms::Morale(check, rulebook) => check.morale_check(Dr::of(face).total(), *rulebook),
            Terms::Task(check, rulebook) => check.task_check(Dr::of(face).total(), *rulebook),
            Terms::Rally(attempt) => attempt.read(Dr::of(face).total()),
            Terms::Severity(drm) if face.dr() as i8 + drm >= MORTAL => Reading::MortalWound,
            Terms::Severity(_) => Reading::LightWound,
            Terms::Creation(drm) => Engagement::created_grade(face.dr() as i8 + drm),
        }
    }

    fn apply<L: Log>(&self, location: &mut Location, reading: Reading, log: &mut L) {
        let Some(task) = location.agenda.pop() else { return };
        match (task, reading) {
            (Task::MoraleCheck { unit, .. } | Task::LossMoraleCheck { unit, .. }, _) => {
                self.resolve_morale_check(location, unit, reading, log);
            }
            (Task::PinTaskCheck { unit } | Task::LossTaskCheck { unit, .. }, Reading::Pinned) => {
                self.pin(location, unit, log);
            }
            (Task::WoundSeverity { unit, noted, .. }, _) => {
                self.resolve_severity(location, unit, noted, reading == Reading::MortalWound, log);
            }
            (Task::RallyAttempt { unit }, _) => self.resolve_rally(location, unit, reading, log),
            (Task::LeaderCreation { unit }, Reading::Created(grade)) => self.create_leader(location, unit, grade, log),
            (Task::Interdiction { unit, hex }, _) => self.resolve_interdiction(location, unit, hex, reading, log),
            _ => {}
        }
        self.settle(location, log);
    }

    fn choose<L: Log>(&self, _: &mut Location, _: usize, _: &mut L) {
        unreachable!("no rule so far leaves a choice, so none is ever due");
    }

    fn report(&self, location: &Location, tell: &mut impl FnMut(Outcome)) {
        self.tell_outcomes(location, tell);
    }

    fn pass<L: Log>(&self, location: &mut Location, log: &mut L) {
        location.stage += 1;
        self.settle(location, log);
    }

    fn describe(&self, location: &Location, terms: &Terms, face: Face) -> Event {
        let task = location.agenda.last();
        let (rule, text) = task.map_or(("", String::new()), |&task| self.roll_in_words(location, task, terms, face));
        Event { rule, text }
    }
}
