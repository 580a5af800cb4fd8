//! Leader Loss Morale Checks and Task Checks (10.2), kept in a queue.

use super::engagement::{Play, PlayView};
use crate::catalogue::CounterKind;
use crate::nation::Nation;
use crate::rulebook::Switch;
use crate::stack::Slots;
use crate::vocabulary::{Condition, Fall, LeaderLoss, Rank, Task, UnitIndex};
use engine::process::Log;

impl PlayView<'_> {
    /// Returns the ML and leadership DRM of a leader before the DR by which it is lost
    /// (interpretation I-5). A berserk leader keeps its leadership, unless interpretation I-47 says
    /// otherwise.
    pub(super) fn rank(self, place: UnitIndex) -> Rank {
        let unit = self.unit(place);
        let forfeited = unit.is(Condition::Berserk) && self.chooses(Switch::BerserkForfeitsRating);
        let leadership = if forfeited { 0 } else { self.leadership(unit) };
        Rank { level: self.morale_level(place), leadership }
    }

    /// Returns the ML and leadership DRM that count for a Replaced or wounded leader. They are its
    /// old ones, or by the alternative of interpretation I-5 its new ones as if unbroken.
    pub(super) fn rank_after(self, before: Rank, place: UnitIndex) -> Rank {
        if !self.chooses(Switch::LostAtNewLevel) {
            return before;
        }
        let mut unit = *self.unit(place);
        unit.conditions.clear(Condition::Broken);
        let encircled = unit.is(Condition::Encircled) && self.counts_encirclement();
        let level = self.morale_level_of(&unit, self.has_commissar(place), encircled);
        Rank { level, leadership: self.leadership(&unit) }
    }

    /// Returns the picked units that are present, each with its present ML and leadership DRM.
    pub(super) fn ranks(self, picked: impl Fn(UnitIndex) -> bool) -> Vec<(UnitIndex, Rank)> {
        self.location
            .present()
            .filter(|&place| picked(place))
            .map(|place| (place, self.rank(place)))
            .collect()
    }

    /// Returns the DRM of a LLMC or LLTC: the leadership that is lost (10.2). A leader with a
    /// positive DRM gives no relief. For a Finn a dead leader counts 1 at most.
    pub(super) fn loss_drm(self, place: UnitIndex, loss: LeaderLoss) -> i8 {
        let missed = (-loss.rank.leadership).max(0);
        let finn = self.counter(self.unit(place)).nation == Nation::Finnish;
        if finn && loss.fall == Fall::Died { missed.min(1) } else { missed }
    }

    /// Returns whether the unit now takes the LLMC or LLTC for a lost leader (10.2).
    ///
    /// Only units of lower ML take it. All leaders take it for a Commissar, and a Commissar never
    /// does (A25.22). Berserk units never do (15.42). Only units that can be pinned take a LLTC.
    /// Interpretation I-43 says whether a hero created in this attack takes a LLMC.
    pub(super) fn takes_loss_check(self, place: UnitIndex, loss: LeaderLoss) -> bool {
        let unit = self.unit(place);
        let kind = self.counter(unit).kind;
        let exempt =
            !unit.is_present() || unit.conditions.has_any(Condition::Berserk, Condition::Newcomer);
        let in_reach = match loss.fall {
            Fall::Died => true,
            Fall::Broke => self.can_be_pinned(place) && !unit.is(Condition::Pinned),
        };
        let shaken = self.morale_level(place) < loss.rank.level
            || (kind == CounterKind::Leader && self.kind(loss.leader) == CounterKind::Commissar);
        !exempt && kind != CounterKind::Commissar && in_reach && shaken
    }
}

impl<L: Log> Play<'_, L> {
    /// Records the loss of a leader (10.2), and returns whether the unit is a leader. Heroic
    /// leaders are leaders, but heroes and MMC are not.
    pub(super) fn note_fall(&mut self, place: UnitIndex, fall: Fall, rank: Rank) -> bool {
        let leader = self.location.unit(place).leads;
        if leader {
            self.location.losses.push(LeaderLoss { leader: place, fall, rank });
        }
        leader
    }

    /// Adds the checks for the first recorded loss to the agenda, leaders first (10.2). Removes the
    /// task when no loss is left.
    pub(super) fn work_off_losses(&mut self) {
        if self.location.losses.is_empty() {
            self.location.agenda.pop();
            return;
        }
        let loss = self.location.losses.remove(0);
        self.note("10.2", |now| {
            let (what, checks) =
                if loss.fall == Fall::Died { ("lost", "LLMC") } else { ("broken", "LLTC") };
            format!("{} is {what} at ML {}: {checks}", now.name(loss.leader), loss.rank.level)
        });
        self.call_for_loss_checks(loss);
    }

    /// Adds a LLMC or LLTC of every other unit to the agenda, leaders first (10.2).
    /// `takes_loss_check` decides at the turn of a unit whether it takes the check.
    fn call_for_loss_checks(&mut self, loss: LeaderLoss) {
        self.location.begin_round();
        let units = self.now().checking_order().into_iter().rev();
        for unit in units.filter(|&unit| unit != loss.leader) {
            self.location.push(Task::LossCheck { unit, loss });
        }
    }

    /// Adds the LLTC for newly broken leaders before the remaining MC (10.2, interpretation I-32).
    pub(super) fn hasten_task_checks(&mut self) {
        self.location.agenda.pop();
        while let Some(place) =
            self.location.losses.iter().position(|loss| loss.fall == Fall::Broke)
        {
            let loss = self.location.losses.remove(place);
            self.call_for_loss_checks(loss);
        }
    }

    /// Eliminates units at once, whatever the cause, and adds the LLMC for leaders (10.2).
    pub(super) fn eliminate_units(&mut self, slots: Slots) {
        self.location.push(Task::LeaderLosses);
        for (place, rank) in self.now().ranks(|place| slots.has(place)) {
            self.lose_as(place, rank, "10.2");
        }
    }
}
