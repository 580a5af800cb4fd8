//! Morale Level and leadership (10.1 - 10.22, 10.7 - 10.72, 17.3).

use smallvec::SmallVec;

use super::engagement::Engagement;
use crate::catalogue::{Counter, CounterKind};
use crate::rulebook::Switch;
use crate::vocabulary::location::{Location, Place};
use crate::vocabulary::unit::{Condition, Unit};

/// A.18: no increase lifts a Morale Level above 10.
pub const MAX_MORALE_LEVEL: i8 = 10;

impl Engagement {
    /// A hero, or a leader who is one as well (15.2, 15.21).
    #[inline]
    pub(crate) fn is_hero(&self, unit: &Unit) -> bool {
        unit.is(Condition::Heroic) || self.counter(unit).kind == CounterKind::Hero
    }

    /// 10.1: the Morale Level of the unit at `place`, as things stand in its Location.
    #[inline]
    pub(super) fn morale_level(&self, location: &Location, place: Place) -> i8 {
        let unit = location.unit(place);
        let encircled = unit.is(Condition::Encircled) && self.counts_encirclement(location);
        self.morale_level_of(unit, self.has_commissar(location, place), encircled)
    }

    /// 10.1: the Morale Level of a unit, with a Commissar or without, Encirclement counted or not.
    ///
    /// 15.42 berserk: 10 whatever else applies. 10.8 Fanatic and A25.22 Commissar: +1 each, up to
    /// 10 (A.18). 17.3 wounded leader and 7.7 Encirclement within an attack: -1 each; heroes suffer
    /// neither (15.2). I-33 says whether the cap comes first.
    pub(super) fn morale_level_of(&self, unit: &Unit, commissar: bool, encircled: bool) -> i8 {
        if unit.is(Condition::Berserk) {
            return 10;
        }
        let counter = self.counter(unit);
        let hero = unit.is(Condition::Heroic) || counter.kind == CounterKind::Hero;
        let bonus = i8::from(unit.is(Condition::Fanatic)) + i8::from(commissar);
        let loss = i8::from(unit.is(Condition::Wounded) && !hero) + i8::from(encircled && !hero);
        let base = printed_morale(unit, counter);
        let capped = if self.rulebook.chooses(Switch::CapOnSum) {
            base + bonus - loss
        } else {
            (base + bonus).min(MAX_MORALE_LEVEL) - loss
        };
        // 13: a wounded hero has 9 at most, Fanatic or not.
        let most = if hero && unit.is(Condition::Wounded) {
            MAX_MORALE_LEVEL - 1
        } else {
            MAX_MORALE_LEVEL
        };
        capped.min(most)
    }

    /// 17.3: a wound makes a leader's DRM one worse.
    #[inline]
    pub(super) fn leadership(&self, unit: &Unit) -> i8 {
        self.counter(unit).leadership + i8::from(unit.is(Condition::Wounded))
    }

    /// 10.7: his DRM for `unit`, one worse for troops of another nationality. A25.22: that of a
    /// Commissar too, unless I-64 says that he has none.
    #[inline]
    pub(super) fn leadership_for(&self, unit: &Unit, leader: &Unit) -> i8 {
        if self.rulebook.chooses(Switch::CommissarDrmNever)
            && self.counter(leader).kind == CounterKind::Commissar
        {
            return 0;
        }
        let foreign = self.counter(unit).nation.is_foreign_to(self.counter(leader).nation);
        self.leadership(leader) + i8::from(foreign)
    }

    /// 10.21, 10.22, 10.72: the leader whose DRM the unit at `place` uses for a check of an attack.
    ///
    /// One unbroken, unpinned, not berserk leader other than itself; for a leader only one whose ML
    /// is higher than his own at this moment. The DRM of the only such leader must be used; of
    /// several the owner takes the best (I-23). 15.42: a berserk unit has none. A25.22: beside a
    /// Commissar nobody else's DRM counts, and he uses no other's.
    pub(super) fn leader_for_check(
        &self,
        location: &Location,
        place: Place,
    ) -> Option<(Option<Place>, i8)> {
        let unit = location.unit(place);
        if unit.is(Condition::Berserk) || self.counter(unit).kind == CounterKind::Commissar {
            return None;
        }
        let under_commissar = self.has_commissar(location, place);
        let fits =
            |leader: &Unit| !under_commissar || self.counter(leader).kind == CounterKind::Commissar;
        let helps = |&(other, leader): &(usize, &Unit)| {
            leader.can_lead()
                && other != usize::from(place)
                && fits(leader)
                && self.outranks(location, place, || self.morale_level(location, other as Place))
        };
        let lent = self
            .lent_leader(location)
            .filter(|leader| fits(leader) && self.may_lend_to(location, place, leader));
        let present = location.units.iter().enumerate().filter(helps);
        let leaders = lent
            .map(|leader| (None, leader))
            .into_iter()
            .chain(present.map(|(at, leader)| (Some(at as Place), leader)));
        leaders
            .map(|(at, leader)| (at, self.leadership_for(unit, leader)))
            .min_by_key(|&(_, drm)| drm)
    }

    /// 10.22: whether a leader of that ML may lend his DRM to the unit at `place`: to a leader only
    /// from a higher ML.
    pub(super) fn outranks(
        &self,
        location: &Location,
        place: Place,
        leader_level: impl FnOnce() -> i8,
    ) -> bool {
        !location.unit(place).leads || leader_level() > self.morale_level(location, place)
    }

    /// 10.22: the same for a leader who is not one of the units.
    pub(super) fn may_lend_to(&self, location: &Location, place: Place, leader: &Unit) -> bool {
        self.outranks(location, place, || self.morale_level_of(leader, false, false))
    }

    /// 10.2: the order of checks: Commissars (A25.22), then leaders by ML, broken ones too, then
    /// all others; equals in stack order.
    pub(super) fn checking_order(&self, location: &Location) -> SmallVec<[Place; 14]> {
        let rank = |place: Place| match self.counter(location.unit(place)).kind {
            CounterKind::Commissar => (0, -self.morale_level(location, place), place),
            CounterKind::Leader => (1, -self.morale_level(location, place), place),
            _ => (2, 0, place),
        };
        let mut order: SmallVec<[(u8, i8, Place); 14]> = location.present().map(rank).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, _, place)| place).collect()
    }
}

/// 10.4: the morale of the side that is up; 15.21: a heroic leader counts as 1-4-10 or 1-4-9,
/// wounded 1-3-9 or 1-3-8.
fn printed_morale(unit: &Unit, counter: &Counter) -> i8 {
    if unit.is(Condition::Heroic) {
        return counter.morale.clamp(9, 10) - i8::from(unit.is(Condition::Wounded));
    }
    if unit.is(Condition::Broken) { counter.broken_morale } else { counter.morale }
}
