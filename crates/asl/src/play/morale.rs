//! Morale Level and leadership (10.1 - 10.22, 10.7 - 10.72, 17.3), Morale Checks and Task Checks
//! (10.1 - 10.4, 7.305, 7.8, 10.31), and Commissars (A25.22).

use smallvec::SmallVec;

use super::engagement::{Engagement, Play, PlayView};
use crate::catalogue::{Counter, CounterKind, Replacement};
use crate::nation::Nation;
use crate::rulebook::Switch;
use crate::stack::Slots;
use crate::vocabulary::{
    Cause, Check, Condition, Elr, Fall, Reading, Stage, Task, Unit, UnitIndex, Verdict,
};
use engine::process::Log;

/// The highest Morale Level that increases can reach (A.18).
pub const MAX_MORALE_LEVEL: i8 = 10;

impl Engagement {
    /// Returns whether the unit is a hero, or a heroic leader (15.2, 15.21).
    #[inline]
    pub(crate) fn is_hero(&self, unit: &Unit) -> bool {
        unit.is(Condition::Heroic) || self.counter(unit).kind == CounterKind::Hero
    }

    /// Returns the Morale Level (10.1), in which `commissar` and `encircled` count if true.
    /// A berserk unit has 10 whatever else applies (15.42). Fanaticism (10.8) and a Commissar
    /// (A25.22) add 1 each, up to 10 (A.18). The wound of a leader (17.3) and Encirclement in an
    /// attack (7.7) subtract 1 each. Heroes suffer neither (15.2). Interpretation I-33 says whether
    /// the limit of 10 applies before or after the subtractions.
    pub(crate) fn morale_level_of(&self, unit: &Unit, commissar: bool, encircled: bool) -> i8 {
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
    pub(crate) fn leadership(&self, unit: &Unit) -> i8 {
        self.counter(unit).leadership + i8::from(unit.is(Condition::Wounded))
    }

    /// Returns the leadership DRM of a leader for `unit`, one worse for another nationality (10.7).
    /// By the interpretation `commissar-drm` a Commissar can have none (A25.22).
    #[inline]
    pub(crate) fn leadership_for(&self, unit: &Unit, leader: &Unit) -> i8 {
        if self.chooses(Switch::CommissarDrmNever) && self.is_commissar(leader) {
            return 0;
        }
        let foreign = self.counter(unit).nation.is_foreign_to(self.counter(leader).nation);
        self.leadership(leader) + i8::from(foreign)
    }

    /// Returns the ELR for a check, or a counter's own (A1.23); `None` if immune (19.1, 19.11).
    fn elr_at_stake(&self, unit: &Unit) -> Option<i8> {
        let counter = self.counter(unit);
        let immune = matches!(counter.kind, CounterKind::Crew | CounterKind::Commissar)
            || self.is_hero(unit)
            || unit.conditions.has_any(Condition::Broken, Condition::Unarmed)
            || unit.is(Condition::Berserk);
        let elr = match unit.elr {
            Elr::Side(_) if counter.underlined => 5,
            Elr::Side(elr) | Elr::Own(elr) => elr,
        };
        (!immune).then_some(elr as i8)
    }

    #[inline]
    pub(super) fn is_commissar(&self, unit: &Unit) -> bool {
        self.counter(unit).kind == CounterKind::Commissar
    }

    /// Returns whether a unit does not surrender, whatever happens (15.5, 20.21, 20.3).
    pub(crate) fn never_surrenders(&self, unit: &Unit) -> bool {
        let nation = self.counter(unit).nation;
        nation == Nation::Partisan
            || self.is_commissar(unit)
            || unit.is(Condition::Fanatic)
            || (nation == Nation::GermanSs && self.scene.against_russians)
            || self.scene.no_quarter
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

    /// Returns the leader, if any, that helps the unit at `place` in a check of an attack (10.21),
    /// and its DRM. The index is `None` for a leader outside the stack.
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

    /// Returns whether that ML suffices to lead the unit at `place`: above a leader's own (10.22).
    pub(super) fn outranks(self, place: UnitIndex, leader_level: impl FnOnce() -> i8) -> bool {
        !self.unit(place).leads || leader_level() > self.morale_level(place)
    }

    /// Returns whether a leader outside the stack can give its DRM to the unit at `place` (10.22).
    pub(super) fn may_lend_to(self, place: UnitIndex, leader: &Unit) -> bool {
        self.outranks(place, || self.morale_level_of(leader, false, false))
    }

    /// Returns the order of checks (10.2): Commissars (A25.22), leaders by descending ML, the rest.
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

    /// Returns the ML and modifiers of a Morale Check. Leadership helps in an attack or
    /// Interdiction (10.21), never for a leader loss. Only the former can pin (10.53, 7.8, I-2).
    pub(super) fn morale_check(self, place: UnitIndex, drm: i8, cause: Cause) -> Check {
        let unit = self.unit(place);
        let can_be_pinned = self.can_be_pinned(place);
        let (leader, pins) = match cause {
            Cause::Attack => (self.leader_for_check(place), can_be_pinned),
            Cause::Interdiction => {
                (self.leadership_in_hex(place), unit.is(Condition::Broken) || can_be_pinned)
            }
            Cause::LeaderLoss => (None, can_be_pinned && self.chooses(Switch::LlmcPins)),
        };
        Check {
            level: self.morale_level(place),
            drm,
            leadership: leader.map_or(0, |(_, drm)| drm),
            elr: self.elr_at_stake(unit),
            pins,
            heats: self.can_be_heated(unit),
        }
    }

    /// Returns whether the unit can be pinned (7.8). Broken or berserk units and heroes cannot.
    pub(super) fn can_be_pinned(self, place: UnitIndex) -> bool {
        let unit = self.unit(place);
        unit.is_steady() && !self.is_hero(unit)
    }

    /// Returns whether the unit, no Commissar itself, has the +1 ML of an able Commissar (A25.22).
    #[inline]
    pub(super) fn has_commissar(self, place: UnitIndex) -> bool {
        self.commissars && !self.is_commissar(self.unit(place)) && self.is_with_commissar(place)
    }

    fn is_with_commissar(self, place: UnitIndex) -> bool {
        let acts = |unit: &Unit| self.is_commissar(unit) && unit.can_lead();
        match self.stage() {
            // A routing unit has left all others behind, except the leader on a Voluntary Rout.
            Some(Stage::Gauntlet(gauntlet)) => {
                let escort = gauntlet
                    .escort
                    .filter(|&escort| escort != place)
                    .map(|escort| *self.unit(escort));
                escort.iter().chain(&gauntlet.lent_leader).any(acts)
            }
            Some(Stage::RallyPhase(phase))
                if phase.lent_leader.as_ref().is_some_and(|leader| self.is_commissar(leader)) =>
            {
                true
            }
            _ => self.resident.iter().chain(self.location.units.iter()).any(acts),
        }
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

impl<L: Log> Play<'_, L> {
    /// Applies the result of a Morale Check (10.3, 10.31, 7.8), before Heat of Battle (15.1).
    pub(super) fn resolve_morale_check(&mut self, place: UnitIndex, reading: Reading) {
        self.note_heat(place, reading);
        match reading.verdict {
            Verdict::Pinned => self.pin(place),
            Verdict::Failed { elr_failure } => self.fail(place, elr_failure),
            Verdict::Casualty { elr_failure } => self.casualty_morale_check(place, elr_failure),
            Verdict::Passed => {}
            other => unreachable!("a Morale Check does not read as {other:?}"),
        }
    }

    /// Adds the Heat of Battle DR to the agenda if the roll causes one (15.1).
    pub(super) fn note_heat(&mut self, place: UnitIndex, reading: Reading) {
        if reading.heats {
            let was_broken = self.location.unit(place).is(Condition::Broken);
            self.location.push(Task::HeatOfBattle { unit: place, was_broken });
        }
    }

    pub(super) fn pin(&mut self, place: UnitIndex) {
        self.location.unit_mut(place).conditions.set(Condition::Pinned);
        self.note_unit("7.8", place, "is pinned");
    }

    /// Applies a failed Morale Check other than an Original 12 (10.3).
    pub(super) fn fail(&mut self, place: UnitIndex, elr_failure: bool) {
        let unit = *self.location.unit(place);
        if unit.is(Condition::Broken) {
            self.location.unit_mut(place).conditions.set(Condition::Dm);
            self.reduce(place, None);
        } else if self.is_hero(&unit) {
            self.hit_hero(place, 0);
        } else if unit.is(Condition::Berserk) || unit.is(Condition::Unarmed) {
            self.reduce(place, None);
        } else {
            let mut rank = self.now().rank(place);
            if elr_failure {
                self.replace(place, "19.1");
                rank = self.now().rank_after(rank, place);
            }
            self.break_unit(place);
            self.note_fall(place, Fall::Broke, rank);
        }
    }

    /// Breaks the unit, which gains DM (10.3, 10.62).
    pub(super) fn break_unit(&mut self, place: UnitIndex) {
        self.location.unit_mut(place).break_down();
        self.note_unit("10.3", place, "breaks");
    }

    /// Applies a Voluntary Break (10.41) to all that can break. Leaders then cause a LLTC (I-35).
    pub(super) fn break_voluntarily(&mut self, slots: Slots) {
        let accepts_loss = !self.chooses(Switch::NoLltcForVoluntaryBreak);
        self.location.push(Task::LeaderLosses);
        for (place, rank) in self.now().ranks(|place| slots.has(place)) {
            let unit = self.location.unit(place);
            if !unit.can_break() || self.is_hero(unit) {
                continue;
            }
            self.location.unit_mut(place).break_down();
            self.note_unit("10.41", place, "breaks voluntarily");
            if accepts_loss {
                self.note_fall(place, Fall::Broke, rank);
            }
        }
    }

    /// Applies the penalty for a failed Rally under a Commissar (A25.22), of which I-50 can exempt
    /// leaders: Replacement by the next lower unit, broken but not Disrupted. Without a lower unit
    /// a squad is Reduced, and any other unit is eliminated.
    pub(super) fn pay_the_commissar(&mut self, place: UnitIndex) {
        let unit = *self.location.unit(place);
        let kind = self.counter(&unit).kind;
        if !unit.is_present()
            || !unit.is(Condition::Broken)
            || (kind.is_leader() && self.chooses(Switch::LeadersSparedPrice))
        {
            return;
        }
        self.note_unit("25.22", place, "pays for its failure");
        match (self.counter(&unit).replacement, kind) {
            (Replacement::By(_) | Replacement::TwoHalfSquads(_), _) => self.replace(place, "25.22"),
            (_, CounterKind::Squad) => self.reduce(place, None),
            _ => self.lose(place, None, "25.22"),
        }
    }
}
