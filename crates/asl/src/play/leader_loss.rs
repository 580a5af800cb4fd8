//! Leader Loss Morale Checks and Task Checks (10.2), kept in a queue.

use super::engagement::Engagement;
use crate::catalogue::CounterKind;
use crate::nation::Nation;
use crate::rulebook::Switch;
use crate::stack::Slots;
use crate::vocabulary::location::{Fall, LeaderLoss, LocationState, Rank, Task};
use crate::vocabulary::unit::{Condition, UnitIndex};
use engine::process::{Event, Log};

impl Engagement {
    /// Returns the ML and leadership DRM of a leader before the DR by which it is lost
    /// (interpretation I-5). A berserk leader keeps its leadership, unless interpretation I-47 says
    /// otherwise.
    pub(super) fn rank(&self, location: &LocationState, place: UnitIndex) -> Rank {
        let unit = location.unit(place);
        let forfeited =
            unit.is(Condition::Berserk) && self.rulebook.chooses(Switch::BerserkForfeitsRating);
        let leadership = if forfeited { 0 } else { self.leadership(unit) };
        Rank { level: self.morale_level(location, place), leadership }
    }

    /// Returns the ML and leadership DRM that count for a Replaced or wounded leader. They are its
    /// old ones, or by the alternative of interpretation I-5 its new ones as if unbroken.
    pub(super) fn rank_after(
        &self,
        before: Rank,
        location: &LocationState,
        place: UnitIndex,
    ) -> Rank {
        if !self.rulebook.chooses(Switch::LostAtNewLevel) {
            return before;
        }
        let mut unit = *location.unit(place);
        unit.conditions.clear(Condition::Broken);
        let encircled = unit.is(Condition::Encircled) && self.counts_encirclement(location);
        let level = self.morale_level_of(&unit, self.has_commissar(location, place), encircled);
        Rank { level, leadership: self.leadership(&unit) }
    }

    /// Records the loss of a leader (10.2), and returns whether the unit is a leader. Heroic
    /// leaders are leaders, but heroes and MMC are not.
    pub(super) fn note_fall(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        fall: Fall,
        rank: Rank,
    ) -> bool {
        let leader = location.unit(place).leads;
        if leader {
            let Rank { level, leadership } = rank;
            location.losses.push(LeaderLoss { leader: place, fall, level, leadership });
        }
        leader
    }

    /// Adds the checks for the first recorded loss to the agenda, leaders first (10.2). Removes the
    /// task when no loss is left.
    pub(super) fn work_off_losses<L: Log>(&self, location: &mut LocationState, log: &mut L) {
        if location.losses.is_empty() {
            location.agenda.pop();
            return;
        }
        let loss = location.losses.remove(0);
        log.record(|| {
            let (what, checks) =
                if loss.fall == Fall::Died { ("lost", "LLMC") } else { ("broken", "LLTC") };
            let text = format!(
                "{} is {what} at ML {}: {checks}",
                self.name(location, loss.leader),
                loss.level
            );
            Event { rule: "10.2", text }
        });
        self.call_for_loss_checks(location, loss);
    }

    /// Adds a LLMC or LLTC of every other unit to the agenda, leaders first (10.2).
    /// `takes_loss_check` decides at the turn of a unit whether it takes the check.
    fn call_for_loss_checks(&self, location: &mut LocationState, loss: LeaderLoss) {
        let LeaderLoss { leader, fall, level, leadership } = loss;
        location.begin_round();
        for unit in self.checking_order(location).into_iter().rev().filter(|&unit| unit != leader) {
            location.push(match fall {
                Fall::Died => Task::LossMoraleCheck { unit, leader, level, leadership },
                Fall::Broke => Task::LossTaskCheck { unit, leader, level, leadership },
            });
        }
    }

    /// Adds the LLTC for newly broken leaders before the remaining MC (10.2, interpretation I-32).
    pub(super) fn hasten_task_checks(&self, location: &mut LocationState) {
        location.agenda.pop();
        while let Some(place) = location.losses.iter().position(|loss| loss.fall == Fall::Broke) {
            let loss = location.losses.remove(place);
            self.call_for_loss_checks(location, loss);
        }
    }

    /// Eliminates units at once, whatever the cause, and adds the LLMC for leaders (10.2).
    pub(super) fn eliminate_units<L: Log>(
        &self,
        location: &mut LocationState,
        slots: Slots,
        log: &mut L,
    ) {
        location.push(Task::LeaderLosses);
        for (place, rank) in self.ranks(location, |place| slots.has(place)) {
            self.lose_as(location, place, rank, "10.2", log);
        }
    }

    /// Returns the picked units that are present, each with its present ML and leadership DRM.
    pub(super) fn ranks(
        &self,
        location: &LocationState,
        picked: impl Fn(UnitIndex) -> bool,
    ) -> Vec<(UnitIndex, Rank)> {
        location
            .present()
            .filter(|&place| picked(place))
            .map(|place| (place, self.rank(location, place)))
            .collect()
    }

    /// Returns the DRM of a LLMC or LLTC: the leadership that is lost (10.2). A leader with a
    /// positive DRM gives no relief. For a Finn a dead leader counts 1 at most.
    pub(super) fn loss_drm(
        &self,
        location: &LocationState,
        place: UnitIndex,
        leadership: i8,
        fall: Fall,
    ) -> i8 {
        let missed = (-leadership).max(0);
        let finn = self.counter(location.unit(place)).nation == Nation::Finnish;
        if finn && fall == Fall::Died { missed.min(1) } else { missed }
    }

    /// Returns whether the unit now takes the LLMC or LLTC for a leader lost at ML `level` (10.2).
    ///
    /// Only units of lower ML take it. All leaders take it for a Commissar, and a Commissar never
    /// does (A25.22). Berserk units never do (15.42). Only units that can be pinned take a LLTC.
    /// Interpretation I-43 says whether a hero created in this attack takes a LLMC.
    pub(super) fn takes_loss_check(
        &self,
        location: &LocationState,
        place: UnitIndex,
        leader: UnitIndex,
        level: i8,
        fall: Fall,
    ) -> bool {
        let unit = location.unit(place);
        let kind = self.counter(unit).kind;
        let exempt =
            !unit.is_present() || unit.conditions.has_any(Condition::Berserk, Condition::Newcomer);
        let in_reach = match fall {
            Fall::Died => true,
            Fall::Broke => self.can_be_pinned(location, place) && !unit.is(Condition::Pinned),
        };
        let shaken = self.morale_level(location, place) < level
            || (kind == CounterKind::Leader
                && self.counter(location.unit(leader)).kind == CounterKind::Commissar);
        !exempt && kind != CounterKind::Commissar && in_reach && shaken
    }
}
