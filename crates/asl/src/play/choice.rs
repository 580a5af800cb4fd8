//! The options of the owner in a Rally Phase (10.6, 10.62, 18.11), and the effect of each.

use smallvec::{SmallVec, smallvec};

use super::engagement::{Engagement, Play, PlayView};
use crate::catalogue::CounterKind;
use crate::rulebook::Switch;
use crate::vocabulary::{
    Candidate, Choice, Condition, LocationState, Means, Stage, Task, UnitIndex,
};
use engine::process::{Decisions, Log, ReportIndex};

impl Engagement {
    /// Returns the present options of the owner, in order. The list is empty if no choice is due.
    pub fn choices_at(&self, location: &LocationState) -> SmallVec<[Choice; 15]> {
        match location.agenda.last() {
            Some(Task::NextRally) => self.view(location).rally_choices(),
            Some(Task::DmRemoval) => smallvec![Choice::RemoveDm, Choice::KeepDm],
            _ => SmallVec::new(),
        }
    }

    /// Returns the Rally attempt that the unit at index `place` would make now.
    pub fn candidate(&self, location: &LocationState, place: UnitIndex) -> Candidate {
        let now = self.view(location);
        Candidate {
            kind: self.counter(location.unit(place)).kind,
            attempt: now.rally_attempt(place),
        }
    }

    /// Returns the index of the last report, or `None` if outcomes are never reported.
    pub fn last_point(&self) -> Option<ReportIndex> {
        let point =
            |stage: &Stage| if let Stage::Report(point) = stage { Some(*point) } else { None };
        self.stages.iter().rev().find_map(point)
    }
}

impl PlayView<'_> {
    /// Returns the options for the next attempt (10.6). The unit of the reference order comes
    /// first, then the others in stack order. Equal units appear once. Attempts are voluntary, so
    /// the last option is that no other unit tries, unless one that must try is left (A25.22).
    pub(super) fn rally_choices(self) -> SmallVec<[Choice; 15]> {
        let mut choices: SmallVec<[Choice; 15]> =
            self.next_to_rally().into_iter().map(Choice::Tries).collect();
        let mut must = false;
        for place in self.location.places().filter(|&place| self.can_try_to_rally(place)) {
            must |= self.must_try_to_rally(place);
            let unit = self.unit(place);
            if !choices
                .iter()
                .any(|choice| matches!(choice, Choice::Tries(other) if self.unit(*other) == unit))
            {
                choices.push(Choice::Tries(place));
            }
        }
        if !must {
            choices.push(Choice::NobodyElse);
        }
        choices
    }

    /// Returns whether the unit must try (A25.22): a Commissar, or a unit led by one.
    fn must_try_to_rally(self, place: UnitIndex) -> bool {
        self.commissars
            && (self.kind(place) == CounterKind::Commissar
                || matches!(self.means(place), Some(Means::CommissarLed { .. })))
    }

    /// Returns whether the owner can keep DM (10.62): some unit has it, and the terrain is not
    /// rally terrain. ADJACENT to a Known armed enemy DM returns anyway (interpretation I-28).
    pub(super) fn may_keep_dm(self) -> bool {
        let comes_back = self.scene.enemy_adjacent && !self.chooses(Switch::DmOnlyByNewEnemy);
        self.rally_phase().is_some_and(|phase| !phase.keeps_dm && !phase.terrain)
            && !comes_back
            && self.location.units.iter().any(|unit| unit.is(Condition::Dm))
    }

    fn choice_in_words(self, choice: Choice) -> String {
        match choice {
            Choice::Tries(place) => format!("{} tries to rally", self.name(place)),
            Choice::NobodyElse => "no other unit tries to rally".to_string(),
            Choice::RemoveDm => "DM is removed".to_string(),
            Choice::KeepDm => "DM is kept".to_string(),
        }
    }

    fn phase_in_words(self) -> String {
        let phases = |stages: &[Stage]| {
            stages.iter().filter(|stage| matches!(stage, Stage::RallyPhase(_))).count()
        };
        match (
            phases(&self.stages),
            self.stages.get(..usize::from(self.location.stage)).map_or(0, phases),
        ) {
            (0 | 1, _) => "Rally Phase".to_string(),
            (_, phase) => format!("Rally Phase {phase}"),
        }
    }

    /// Lists the present units of the stack: `8-1 [1], 4-6-7/broken,dm [2]`.
    fn stack_in_words(self) -> String {
        let unit = |place| {
            let tried = if self.unit(place).is(Condition::Tried) { " (has tried)" } else { "" };
            format!("{} [{}]{tried}", self.written(self.unit(place)), self.telling.slot(place))
        };
        self.location.present().map(unit).collect::<Vec<_>>().join(", ")
    }
}

impl<L: Log> Play<'_, L> {
    pub(super) fn make_choice(&mut self, choice: Choice) {
        self.note(choice.rule(), |now| now.choice_in_words(choice));
        match choice {
            Choice::Tries(unit) => self.location.push(Task::RallyAttempt { unit }),
            Choice::NobodyElse => self.end_attempts(),
            Choice::RemoveDm | Choice::KeepDm => {
                self.location.agenda.pop();
                if choice == Choice::RemoveDm {
                    self.remove_dm();
                }
            }
        }
    }
}

impl Decisions for Engagement {
    /// Describes the situation: `Rally Phase 2: 8-1/broken [1], 4-6-7/broken [2] (has tried)`.
    fn decision(&self, location: &LocationState) -> String {
        let ends =
            if matches!(location.agenda.last(), Some(Task::DmRemoval)) { "end of " } else { "" };
        let now = self.view(location);
        format!("{ends}{}: {}", now.phase_in_words(), now.stack_in_words())
    }

    fn options(&self, location: &LocationState) -> Vec<String> {
        self.choices_at(location)
            .into_iter()
            .map(|choice| self.view(location).choice_in_words(choice))
            .collect()
    }

    fn kinds(&self, location: &LocationState) -> Vec<&'static str> {
        self.choices_at(location).into_iter().map(Choice::kind).collect()
    }
}
