//! Leader Loss Morale Checks and Task Checks (10.2), worked off as a queue.

use super::engagement::Engagement;
use super::location::{Fall, LeaderLoss, Location, Place, Task};
use super::nation::Nation;
use super::rulebook::Switch;
use super::unit::Condition;
use crate::process::{Event, Log};

/// What a leader's loss is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub level: i8,
    pub leadership: i8,
}

impl Engagement {
    /// I-5: ML and leadership of a leader before the DR that costs him.
    pub(super) fn standing(&self, location: &Location, place: Place) -> Standing {
        let unit = location.unit(place);
        Standing { level: self.morale_level(location, place), leadership: self.leadership(unit) }
    }

    /// I-5: the standing he is compared by once Replaced or wounded: unchanged, or by the alternative as he is now, his break
    /// left aside.
    pub(super) fn standing_after(&self, before: Standing, location: &Location, place: Place) -> Standing {
        if self.rulebook.is_default(Switch::I05) {
            return before;
        }
        let mut unit = *location.unit(place);
        unit.conditions.clear(Condition::Broken);
        let encircled = unit.is(Condition::Encircled) && self.counts_encirclement(location);
        Standing { level: self.morale_level_of(&unit, encircled), leadership: self.leadership(&unit) }
    }

    /// 10.2: notes a leader who is lost; heroes and MMC are not. Heroic leaders are leaders. True when noted.
    pub(super) fn note_fall(&self, location: &mut Location, place: Place, fall: Fall, standing: Standing) -> bool {
        let leader = self.counter(location.unit(place)).kind.is_leader();
        leader
            && location
                .losses
                .try_push(LeaderLoss { leader: place, fall, level: standing.level, leadership: standing.leadership })
                .is_ok()
    }

    /// 10.2: puts the checks for the first leader lost on the agenda, leaders first; done when no loss is left.
    pub(super) fn work_off_losses<L: Log>(&self, location: &mut Location, log: &mut L) {
        if location.losses.is_empty() {
            location.agenda.pop();
            return;
        }
        let loss = location.losses.remove(0);
        log.tell(|| {
            let (what, checks) = if loss.fall == Fall::Died { ("lost", "LLMC") } else { ("broken", "LLTC") };
            let text = format!("{} is {what} at ML {}: {checks}", self.name(location, loss.leader), loss.level);
            Event { rule: "10.2", text }
        });
        for unit in self.checking_order(location).into_iter().rev().filter(|&unit| unit != loss.leader) {
            let LeaderLoss { level, leadership, .. } = loss;
            location.push(match loss.fall {
                Fall::Died => Task::LossMoraleCheck { unit, level, leadership },
                Fall::Broke => Task::LossTaskCheck { unit, level, leadership },
            });
        }
    }

    /// 10.2: the DRM of a LLMC or LLTC: how much the leader will be missed; a bad leader gives no relief.
    pub(super) fn loss_drm(&self, location: &Location, place: Place, leadership: i8, fall: Fall) -> i8 {
        let missed = (-leadership).max(0);
        let finn = self.counter(location.unit(place)).nation == Nation::Finnish;
        if finn && fall == Fall::Died { missed.min(1) } else { missed }
    }

    /// 10.2: whether the unit, at its turn, takes the LLMC or LLTC of a leader lost at `level`.
    ///
    /// Only units of lower ML do. 15.42: berserk units never. LLTC only for units that it could pin.
    pub(super) fn takes_loss_check(&self, location: &Location, place: Place, level: i8, fall: Fall) -> bool {
        let unit = location.unit(place);
        let exempt = !unit.is_present() || unit.is(Condition::Berserk);
        let in_reach = match fall {
            Fall::Died => true,
            Fall::Broke => self.can_be_pinned(location, place) && !unit.is(Condition::Pinned),
        };
        !exempt && in_reach && self.morale_level(location, place) < level
    }
}
