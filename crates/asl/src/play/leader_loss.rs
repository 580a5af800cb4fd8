//! Leader Loss Morale Checks and Task Checks (10.2), worked off as a queue.

use super::engagement::Engagement;
use crate::catalogue::CounterKind;
use crate::nation::Nation;
use crate::rulebook::Switch;
use crate::stack::Slots;
use crate::vocabulary::location::{Fall, LeaderLoss, Location, Place, Standing, Task};
use crate::vocabulary::unit::Condition;
use engine::process::{Event, Log};

impl Engagement {
    /// I-5: ML and leadership of a leader before the DR that costs him. I-47: a berserk one keeps
    /// his rating, by the alternative it is forfeited.
    pub(super) fn standing(&self, location: &Location, place: Place) -> Standing {
        let unit = location.unit(place);
        let forfeited =
            unit.is(Condition::Berserk) && self.rulebook.chooses(Switch::BerserkForfeitsRating);
        let leadership = if forfeited { 0 } else { self.leadership(unit) };
        Standing { level: self.morale_level(location, place), leadership }
    }

    /// I-5: the standing he is compared by once Replaced or wounded: unchanged, or by the
    /// alternative as he is now, his break left aside.
    pub(super) fn standing_after(
        &self,
        before: Standing,
        location: &Location,
        place: Place,
    ) -> Standing {
        if !self.rulebook.chooses(Switch::LostAtNewLevel) {
            return before;
        }
        let mut unit = *location.unit(place);
        unit.conditions.clear(Condition::Broken);
        let encircled = unit.is(Condition::Encircled) && self.counts_encirclement(location);
        let level = self.morale_level_of(&unit, self.has_commissar(location, place), encircled);
        Standing { level, leadership: self.leadership(&unit) }
    }

    /// 10.2: notes a leader who is lost; heroes and MMC are not. Heroic leaders are leaders. True
    /// when noted.
    pub(super) fn note_fall(
        &self,
        location: &mut Location,
        place: Place,
        fall: Fall,
        standing: Standing,
    ) -> bool {
        let leader = location.unit(place).leads;
        if leader {
            let Standing { level, leadership } = standing;
            location.losses.push(LeaderLoss { leader: place, fall, level, leadership });
        }
        leader
    }

    /// 10.2: puts the checks for the first leader lost on the agenda, leaders first; done when no
    /// loss is left.
    pub(super) fn work_off_losses<L: Log>(&self, location: &mut Location, log: &mut L) {
        if location.losses.is_empty() {
            location.agenda.pop();
            return;
        }
        let loss = location.losses.remove(0);
        log.tell(|| {
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

    /// 10.2: puts a LLMC or LLTC of everyone else on the agenda, leaders first; who takes it is
    /// seen at his turn.
    fn call_for_loss_checks(&self, location: &mut Location, loss: LeaderLoss) {
        let LeaderLoss { leader, fall, level, leadership } = loss;
        location.begin_round();
        for unit in self.checking_order(location).into_iter().rev().filter(|&unit| unit != leader) {
            location.push(match fall {
                Fall::Died => Task::LossMoraleCheck { unit, leader, level, leadership },
                Fall::Broke => Task::LossTaskCheck { unit, leader, level, leadership },
            });
        }
    }

    /// 10.2, I-32: by the alternative the LLTC of a leader who has just broken come before the MC
    /// that are still to be made.
    pub(super) fn hasten_task_checks(&self, location: &mut Location) {
        location.agenda.pop();
        while let Some(place) = location.losses.iter().position(|loss| loss.fall == Fall::Broke) {
            let loss = location.losses.remove(place);
            self.call_for_loss_checks(location, loss);
        }
    }

    /// 10.2: units are eliminated, by whatever cause and all at once, and the LLMC for leaders
    /// follow.
    pub(super) fn eliminate_units<L: Log>(
        &self,
        location: &mut Location,
        slots: Slots,
        log: &mut L,
    ) {
        location.push(Task::LeaderLosses);
        for (place, standing) in self.standings(location, |place| slots.has(place)) {
            self.lose_as(location, place, standing, "10.2", log);
        }
    }

    /// I-5: the units that are there and picked, with the standing of each before anything happens
    /// to any of them.
    pub(super) fn standings(
        &self,
        location: &Location,
        picked: impl Fn(Place) -> bool,
    ) -> Vec<(Place, Standing)> {
        location
            .present()
            .filter(|&place| picked(place))
            .map(|place| (place, self.standing(location, place)))
            .collect()
    }

    /// 10.2: the DRM of a LLMC or LLTC: how much the leader will be missed; a bad leader gives no
    /// relief.
    pub(super) fn loss_drm(
        &self,
        location: &Location,
        place: Place,
        leadership: i8,
        fall: Fall,
    ) -> i8 {
        let missed = (-leadership).max(0);
        let finn = self.counter(location.unit(place)).nation == Nation::Finnish;
        if finn && fall == Fall::Died { missed.min(1) } else { missed }
    }

    /// 10.2: whether the unit, at its turn, takes the LLMC or LLTC of a leader lost at `level`.
    ///
    /// Only units of lower ML do; A25.22 for a Commissar all leaders do, and a Commissar never.
    /// 15.42: berserk units never. LLTC only for units that it could pin. I-43 says whether a hero
    /// made in this attack is one of them.
    pub(super) fn takes_loss_check(
        &self,
        location: &Location,
        place: Place,
        leader: Place,
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
