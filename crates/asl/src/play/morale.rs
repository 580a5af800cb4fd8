//! Morale Level and leadership (10.1 - 10.22, 10.7 - 10.72, 17.3).

use smallvec::SmallVec;

use super::engagement::{Engagement, PlayView};
use crate::catalogue::{Counter, CounterKind};
use crate::rulebook::Switch;
use crate::vocabulary::{Condition, Unit, UnitIndex};

/// The highest Morale Level that increases can reach (A.18).
pub const MAX_MORALE_LEVEL: i8 = 10;

impl Engagement {
    /// Returns whether the unit is a hero, or a heroic leader (15.2, 15.21).
    #[inline]
    pub(crate) fn is_hero(&self, unit: &Unit) -> bool {
        unit.is(Condition::Heroic) || self.counter(unit).kind == CounterKind::Hero
    }

    /// Returns the Morale Level of a unit (10.1). `commissar` and `encircled` are true if these
    /// effects count.
    ///
    /// A berserk unit has 10 whatever else applies (15.42). Fanaticism (10.8) and a Commissar
    /// (A25.22) add 1 each, up to 10 (A.18). The wound of a leader (17.3) and Encirclement in an
    /// attack (7.7) subtract 1 each. Heroes suffer neither (15.2). Interpretation I-33 says whether
    /// the limit of 10 applies before or after the subtractions.
    pub(super) fn morale_level_of(&self, unit: &Unit, commissar: bool, encircled: bool) -> i8 {
        if unit.is(Condition::Berserk) {
            return 10;
        }
        let counter = self.counter(unit);
        let hero = self.is_hero(unit);
        let bonus = i8::from(unit.is(Condition::Fanatic)) + i8::from(commissar);
        let loss = i8::from(unit.is(Condition::Wounded) && !hero) + i8::from(encircled && !hero);
        let base = printed_morale(unit, counter);
        let capped = if self.chooses(Switch::CapOnSum) {
            base + bonus - loss
        } else {
            (base + bonus).min(MAX_MORALE_LEVEL) - loss
        };
        // A wounded hero has 9 at most, Fanatic or not.
        capped.min(MAX_MORALE_LEVEL - i8::from(hero && unit.is(Condition::Wounded)))
    }

    /// Returns the leadership DRM of a leader. A wound makes it one worse (17.3).
    #[inline]
    pub(super) fn leadership(&self, unit: &Unit) -> i8 {
        self.counter(unit).leadership + i8::from(unit.is(Condition::Wounded))
    }

    /// Returns the leadership DRM of a leader for `unit`. It is one worse for troops of another
    /// nationality (10.7). The interpretation `commissar-drm` can take away that of a Commissar
    /// (A25.22).
    #[inline]
    pub(super) fn leadership_for(&self, unit: &Unit, leader: &Unit) -> i8 {
        if self.chooses(Switch::CommissarDrmNever) && self.is_commissar(leader) {
            return 0;
        }
        let foreign = self.counter(unit).nation.is_foreign_to(self.counter(leader).nation);
        self.leadership(leader) + i8::from(foreign)
    }
}

impl PlayView<'_> {
    /// Returns the present Morale Level of the unit at index `place` (10.1).
    #[inline]
    pub(super) fn morale_level(self, place: UnitIndex) -> i8 {
        let unit = self.unit(place);
        let encircled = unit.is(Condition::Encircled) && self.counts_encirclement();
        self.morale_level_of(unit, self.has_commissar(place), encircled)
    }

    /// Returns the leader whose DRM the unit at `place` uses for a check of an attack (10.21), and
    /// that DRM. The index is `None` for a leader outside the stack. Returns `None` if no leader
    /// helps.
    ///
    /// The leader must be another unit, unbroken, unpinned and not berserk. If the unit is a leader
    /// itself, the ML of the other must be higher at this moment (10.22). The DRM of the only such
    /// leader must be used. Of several the owner takes the best (10.72, interpretation I-23). A
    /// berserk unit uses none (15.42). Beside a Commissar no other DRM counts, and a Commissar uses
    /// none (A25.22).
    pub(super) fn leader_for_check(self, place: UnitIndex) -> Option<(Option<UnitIndex>, i8)> {
        let unit = self.unit(place);
        if unit.is(Condition::Berserk) || self.is_commissar(unit) {
            return None;
        }
        let under_commissar = self.has_commissar(place);
        let fits = |leader: &Unit| !under_commissar || self.is_commissar(leader);
        let helps = |&(other, leader): &(usize, &Unit)| {
            leader.can_lead()
                && other != usize::from(place)
                && fits(leader)
                && self.outranks(place, || self.morale_level(other as UnitIndex))
        };
        let lent =
            self.lent_leader().filter(|leader| fits(leader) && self.may_lend_to(place, leader));
        let present = self.location.units.iter().enumerate().filter(helps);
        let present = present.map(|(at, leader)| (Some(at as UnitIndex), leader));
        self.best_leader(unit, lent.map(|leader| (None, leader)).into_iter().chain(present))
    }

    /// Returns the leader with the best DRM for the unit (10.72), and that DRM.
    pub(super) fn best_leader<'u>(
        self,
        unit: &Unit,
        leaders: impl Iterator<Item = (Option<UnitIndex>, &'u Unit)>,
    ) -> Option<(Option<UnitIndex>, i8)> {
        let with_drm = leaders.map(|(at, leader)| (at, self.leadership_for(unit, leader)));
        with_drm.min_by_key(|&(_, drm)| drm)
    }

    /// Returns whether a leader of that ML can give its DRM to the unit at `place` (10.22). If that
    /// unit is a leader, the ML must be higher than its own.
    pub(super) fn outranks(self, place: UnitIndex, leader_level: impl FnOnce() -> i8) -> bool {
        !self.unit(place).leads || leader_level() > self.morale_level(place)
    }

    /// Returns whether a leader outside the stack can give its DRM to the unit at `place` (10.22).
    pub(super) fn may_lend_to(self, place: UnitIndex, leader: &Unit) -> bool {
        self.outranks(place, || self.morale_level_of(leader, false, false))
    }

    /// Returns the order of checks (10.2): Commissars (A25.22), leaders by descending ML, broken
    /// ones too, then all others. Ties are in stack order.
    pub(super) fn checking_order(self) -> SmallVec<[UnitIndex; 14]> {
        let rank = |place: UnitIndex| match self.kind(place) {
            CounterKind::Commissar => (0, -self.morale_level(place), place),
            CounterKind::Leader => (1, -self.morale_level(place), place),
            _ => (2, 0, place),
        };
        let mut order: SmallVec<[(u8, i8, UnitIndex); 14]> =
            self.location.present().map(rank).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, _, place)| place).collect()
    }
}

/// Returns the printed morale of the present side of the counter (10.4). A heroic leader counts as
/// 1-4-10 or 1-4-9, wounded as 1-3-9 or 1-3-8 (15.21).
fn printed_morale(unit: &Unit, counter: &Counter) -> i8 {
    if unit.is(Condition::Heroic) {
        return counter.morale.clamp(9, 10) - i8::from(unit.is(Condition::Wounded));
    }
    if unit.is(Condition::Broken) { counter.broken_morale } else { counter.morale }
}
