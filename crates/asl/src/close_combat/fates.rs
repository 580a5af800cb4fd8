//! The results of a round (11.11, 20.22): what becomes of each unit, and the end of the CCPh.

use super::combat::{CombatPlay, CombatView};
use super::state::{
    AttackOrder, CombatAttack, CombatSide, CombatStep, CombatUnits, Fate, Standing,
};
use crate::catalogue::CounterKind;
use crate::rulebook::Switch;
use crate::unit::{Condition, UnitIndex};
use engine::process::Log;
use smallvec::SmallVec;

impl CombatView<'_> {
    /// Returns the one unit that its owner gives up to capture at the Kill Number (20.22): a HS or
    /// crew, then a HS of a squad, then an SMC; by the alternative of interpretation I-121 the one
    /// of the fewest CVP.
    pub fn given_up(self, side: CombatSide, candidates: CombatUnits) -> CombatUnits {
        let rank = |&unit: &UnitIndex| {
            let counter = self.counter(side, unit);
            let by_kind = match counter.kind {
                CounterKind::HalfSquad | CounterKind::Crew => 0,
                CounterKind::Squad => 1,
                _ => 2,
            };
            let points = match counter.kind {
                CounterKind::Squad => 1,
                _ => self.combat.points(counter),
            };
            if self.chooses(Switch::FewestPointsGivenUp) { (points, by_kind) } else { (by_kind, 0) }
        };
        candidates.units().min_by_key(rank).into_iter().collect()
    }

    /// Returns the units of a side that rolled attacks have eliminated or captured.
    pub fn out(self, side: CombatSide) -> CombatUnits {
        let force = self.state.force(side);
        let is_out = |&unit: &UnitIndex| {
            matches!(force.standing_of(unit).fate, Fate::Eliminated | Fate::Captured)
        };
        force.all().filter(is_out).collect()
    }

    /// Returns the units taken by captors that these cannot hold (20.5), by the alternative of
    /// interpretation I-122: those of the fewest CVP. One half of a squad is always held.
    fn freed(self, side: CombatSide, captors: CombatUnits, taken: &[Prisoner]) -> CombatUnits {
        if !self.chooses(Switch::ExcessPrisonersFreed) {
            return CombatUnits::NOBODY;
        }
        let guards = captors.and(self.state.force(side.other()).here());
        let holds = |unit| CAPACITY * self.size(side.other(), unit);
        let mut room: u8 = guards.units().map(holds).sum();
        let mut order: SmallVec<[Prisoner; 4]> = taken.into();
        order.sort_by_key(|&(unit, fate)| {
            let points = i16::from(self.combat.points(self.counter(side, unit)));
            (fate != Fate::HalfCaptured, -points)
        });
        let mut freed = CombatUnits::NOBODY;
        for (unit, fate) in order {
            let is_half = fate == Fate::HalfCaptured;
            let size = if is_half { HALF_SQUAD_SIZE } else { self.size(side, unit) };
            match room.checked_sub(size) {
                Some(left) => room = left,
                None if is_half => room = 0,
                None => freed = freed.with(unit),
            }
        }
        freed
    }

    /// Returns the US# of a unit (20.5): 3 for a squad, 2 for other MMC, 1 for an SMC.
    pub fn size(self, side: CombatSide, unit: UnitIndex) -> u8 {
        match self.counter(side, unit).kind {
            CounterKind::Squad => 3,
            CounterKind::HalfSquad | CounterKind::Crew => HALF_SQUAD_SIZE,
            _ => 1,
        }
    }
}

/// The US# of a HS or crew.
const HALF_SQUAD_SIZE: u8 = 2;

/// A unit that an attack has taken, with its fate.
type Prisoner = (UnitIndex, Fate);

/// How many US# of prisoners a Guard holds for each of its own (20.5).
const CAPACITY: u8 = 5;

impl<L: Log> CombatPlay<'_, L> {
    /// Applies the fates of all units. Captures come last, because a side that is wiped out in the
    /// same round loses them (20.221).
    pub fn apply_fates(&mut self) {
        for side in CombatSide::ALL {
            self.state.force(side).all().for_each(|unit| self.apply_fate(side, unit));
        }
        self.apply_captures();
    }

    /// Applies the fate of a unit, but for a capture.
    pub(super) fn apply_fate(&mut self, side: CombatSide, unit: UnitIndex) {
        let fate = self.state.force(side).standing_of(unit).fate;
        if matches!(fate, Fate::Eliminated | Fate::Reduced | Fate::Wounded) {
            self.state.force_mut(side).standing_of_mut(unit).fate = Fate::Spared;
            self.apply_loss(side, unit, fate);
        }
    }

    /// Gives DM to a broken unit that was attacked (10.62).
    pub(super) fn give_dm(&mut self, side: CombatSide, unit: UnitIndex) {
        if self.state.force(side).standing_of(unit).is_attacked {
            let (combat, force) = (self.combat, self.state.force_mut(side));
            combat.engagement(side).gain_dm_in_combat(&mut force.location, unit);
        }
    }

    fn apply_loss(&mut self, side: CombatSide, unit: UnitIndex, fate: Fate) {
        let combat = self.combat;
        let points = combat.points(self.now().counter(side, unit));
        let force = self.state.force_mut(side);
        let engagement = combat.engagement(side);
        let location = &mut force.location;
        match (fate, &mut side.log(self.log)) {
            (Fate::Eliminated, log) => engagement.eliminate(location, unit, "11.11", log),
            (Fate::Wounded, log) => engagement.wound_lightly(location, unit, log),
            (_, log) => engagement.reduce_unit(location, unit, log),
        }
        let standing = force.standing_of_mut(unit);
        // A Reduced unit loses its concealment (12.14).
        (standing.is_hurt, standing.is_concealed) = (true, false);
        self.count_created(side, unit, points);
    }

    /// Adds the points of a created leader that has just been lost.
    fn count_created(&mut self, side: CombatSide, unit: UnitIndex, points: u8) {
        let is_created = usize::from(unit) >= self.combat.members(side).len();
        let force = self.state.force_mut(side);
        let is_lost = force.unit(unit).is(Condition::Eliminated);
        if is_created && is_lost {
            force.settled_lost = force.settled_lost.saturating_add(points);
        }
        // No LLMC follows (11.141): equal states merge.
        force.location.forget_lost_leaders();
    }

    /// Captures units (20.22), but by a side that has lost all its units in the same round
    /// (20.221).
    fn apply_captures(&mut self) {
        let is_captured = |fate: Fate| matches!(fate, Fate::Captured | Fate::HalfCaptured);
        let survives = CombatSide::ALL.map(|side| {
            let force = self.state.force(side);
            let mut of_round = force
                .living()
                .units()
                .filter(|&unit| force.is_here(unit) || force.standing_of(unit).has_left);
            of_round.any(|unit| force.standing_of(unit).fate != Fate::Captured)
        });
        for side in CombatSide::ALL {
            let holds = survives[side.other() as usize];
            let mut prisoners: SmallVec<[(CombatUnits, Prisoner); 4]> = SmallVec::new();
            for unit in self.state.force(side).all() {
                let Standing { fate, captors, .. } = *self.state.force(side).standing_of(unit);
                if !is_captured(fate) {
                    continue;
                }
                let standing = self.state.force_mut(side).standing_of_mut(unit);
                (standing.fate, standing.captors) = (Fate::Spared, CombatUnits::default());
                if holds {
                    prisoners.push((captors, (unit, fate)));
                } else {
                    let name = self.now().name(side, unit);
                    self.log.note("20.221", || format!("nobody is left to hold {name}"));
                }
            }
            while let Some(&(captors, _)) = prisoners.first() {
                let of_attack = prisoners.iter().filter(|(by, _)| *by == captors);
                let taken: SmallVec<[Prisoner; 4]> = of_attack.map(|(_, one)| *one).collect();
                prisoners.retain(|(by, _)| *by != captors);
                self.take_prisoners(side, captors, &taken);
            }
        }
    }

    /// Captures units that an attack has taken, and appoints Guards. Those beyond what the captors
    /// can hold are freed by the alternative of interpretation I-122.
    fn take_prisoners(&mut self, side: CombatSide, captors: CombatUnits, taken: &[Prisoner]) {
        let freed = self.now().freed(side, captors, taken);
        let mut size = 0;
        for &(unit, fate) in taken {
            if freed.has(unit) {
                self.note("20.5", |now| format!("{} is freed, unarmed", now.name(side, unit)));
                let force = self.state.force_mut(side);
                force.location.unit_mut(unit).conditions.set(Condition::Unarmed);
                force.standing_of_mut(unit).is_concealed = false;
            } else {
                self.capture(side, unit, fate);
                size += self.now().size(side, unit);
            }
        }
        self.appoint_guards(side.other(), captors, size);
    }

    /// Makes captors Guards of prisoners of a size (20.5): the one of least FP that can hold all,
    /// else the largest ones.
    pub fn appoint_guards(&mut self, side: CombatSide, captors: CombatUnits, mut size: u8) {
        let here = captors.and(self.state.force(side).here());
        let mut left: SmallVec<[UnitIndex; 8]> = here.units().collect();
        while size > 0 && !left.is_empty() {
            let now = self.now();
            let holds = |unit: UnitIndex| CAPACITY * now.size(side, unit);
            let rank = |&place: &usize| {
                let unit = left[place];
                match holds(unit) >= size {
                    true => (0, now.strength(side, unit)),
                    false => (1, u16::from(u8::MAX - holds(unit))),
                }
            };
            let Some(place) = (0..left.len()).min_by_key(rank) else { return };
            let guard = left.remove(place);
            size = size.saturating_sub(CAPACITY * self.now().size(side, guard));
            self.note("20.5", |now| format!("{} guards the prisoners", now.name(side, guard)));
            self.state.force_mut(side).standing_of_mut(guard).is_guard = true;
        }
    }

    fn capture(&mut self, side: CombatSide, unit: UnitIndex, fate: Fate) {
        let half_squad = self.now().counter(side, unit).half_squad;
        match (fate, half_squad) {
            (Fate::HalfCaptured, Some(half_squad)) => {
                self.note("20.22", |now| {
                    format!("one half of {} is captured", now.name(side, unit))
                });
                let counts_twice = self.combat.counts_captured_twice();
                let force = self.state.force_mut(side);
                force.halves_captured += u8::from(counts_twice);
                force.location.unit_mut(unit).counter = half_squad;
                let standing = force.standing_of_mut(unit);
                (standing.is_hurt, standing.is_concealed) = (true, false);
            }
            _ => {
                self.note("20.22", |now| format!("{} is captured", now.name(side, unit)));
                let force = self.state.force_mut(side);
                force.location.capture(unit);
                force.standing_of_mut(unit).is_concealed = false;
            }
        }
    }

    /// Ends an attack of a sequential round. Ambushers keep their `?` if all their targets are
    /// eliminated or captured (11.4). An attack stays that may be worked out again.
    pub fn end_attack(&mut self, place: usize) {
        let attack: CombatAttack = self.state.attacks[place].clone();
        if self.state.earlier.is_none() || self.state.ambusher() != Some(attack.by) {
            self.state.attacks.remove(place);
        }
        let targets = self.state.force(attack.by.other());
        if attack.targets.units().any(|unit| targets.unit(unit).is_present()) {
            self.reveal(attack.by, |_, unit| attack.attackers.has(unit));
        }
    }

    /// Ends the CCPh: ambushers may leave (11.41), broken units gain DM (10.62), withdrawing ones
    /// leave (11.2), and those that must have left are eliminated (11.16, 19.12).
    pub fn conclude(&mut self) {
        if let Some(side) = self.state.ambusher()
            && self.combat.orders[side as usize].leaves_after
        {
            self.ambush_withdrawal(side);
        }
        for side in CombatSide::ALL {
            self.state.force(side).all().for_each(|unit| self.give_dm(side, unit));
            self.withdraw(side);
        }
        let met = CombatSide::ALL.map(|side| !self.state.force(side.other()).here().is_empty());
        for side in CombatSide::ALL {
            self.eliminate_those_left(side, met[side as usize]);
        }
        for side in CombatSide::ALL {
            self.calm_berserk(side);
            for unit in self.state.force(side).all() {
                let force = self.state.force_mut(side);
                let at = *force.standing_of(unit);
                let is_concealed = at.is_concealed && force.unit(unit).is_present();
                let is_away = at.is_away && force.unit(unit).is_present();
                let is_guard = at.is_guard && force.unit(unit).is_present();
                let Standing { worth, is_reported, .. } = at;
                let alone = Standing { worth, is_reported, ..Standing::alone(unit) };
                *force.standing_of_mut(unit) =
                    Standing { is_concealed, is_away, is_guard, ..alone };
            }
        }
        self.state.attacks.clear();
        self.state.earlier = None;
        self.state.chosen = Default::default();
        self.state.order = AttackOrder::Simultaneous;
        let held = |side: CombatSide| {
            let force = self.state.force(side);
            force.here().units().any(|unit| !force.standing_of(unit).is_concealed)
        };
        self.state.is_melee = CombatSide::ALL.into_iter().all(held);
        self.state.step = CombatStep::Report;
    }

    /// Moves the withdrawing units away that were neither eliminated, Reduced nor wounded (11.2;
    /// interpretation I-114).
    fn withdraw(&mut self, side: CombatSide) {
        for unit in self.state.force(side).all() {
            let now = self.now();
            let standing = now.state.force(side).standing_of(unit);
            let is_smc = now.counter(side, unit).kind.is_smc();
            let is_held = standing.is_hurt && !(is_smc && now.chooses(Switch::WoundedSmcWithdraws));
            if standing.withdraws && !is_held && now.state.force(side).is_here(unit) {
                self.leave(side, unit, "11.2");
            }
        }
    }

    /// Eliminates broken units that were in Melee and have not left (11.16, interpretation I-115),
    /// and Disrupted ones beside enemies (19.12, interpretation I-123).
    fn eliminate_those_left(&mut self, side: CombatSide, enemies: bool) {
        let is_melee = self.state.is_melee;
        for unit in self.state.force(side).here().units() {
            let now = self.now();
            let is = |condition| now.is(side, unit, condition);
            let spares_half = now.state.force(side).standing_of(unit).is_hurt
                && now.chooses(Switch::ReducedStayInMelee);
            let is_concealed = now.state.force(side).standing_of(unit).is_concealed;
            let broken = is_melee
                && is(Condition::Broken)
                && !is(Condition::Disrupted)
                && !is_concealed
                && !spares_half
                && !now.state.force(side).standing_of(unit).is_guard;
            let from_now = is_melee || !now.chooses(Switch::DisruptedStayFirstRound);
            let disrupted = is(Condition::Disrupted) && enemies && from_now;
            let rule = if disrupted { "19.12" } else { "11.16" };
            if broken || disrupted {
                let combat = self.combat;
                let points = combat.points(self.now().counter(side, unit));
                let force = self.state.force_mut(side);
                let (location, engagement) = (&mut force.location, combat.engagement(side));
                engagement.eliminate(location, unit, rule, &mut side.log(self.log));
                self.count_created(side, unit, points);
            }
        }
    }

    /// Returns berserk units to Good Order when no enemy is left in the Location, and at least one
    /// was eliminated (15.46).
    fn calm_berserk(&mut self, side: CombatSide) {
        let enemy = self.state.force(side.other());
        let cleared = enemy.here().is_empty()
            && enemy.all().any(|unit| enemy.unit(unit).is(Condition::Eliminated));
        for unit in self.state.force(side).here().units().filter(|_| cleared) {
            let force = self.state.force_mut(side);
            if force.unit(unit).is(Condition::Berserk) {
                force.location.unit_mut(unit).conditions.clear(Condition::Berserk);
                self.note("15.46", |now| format!("{} is no longer berserk", now.name(side, unit)));
            }
        }
    }

    /// Goes on to the next Player Turn after a report. Pins end with the Player Turn (7.8).
    pub fn end_turn(&mut self) {
        for side in CombatSide::ALL {
            let force = self.state.force_mut(side);
            for unit in force.all() {
                force.location.unit_mut(unit).conditions.clear(Condition::Pinned);
            }
        }
        if self.state.turn >= self.combat.turns {
            self.state.step = CombatStep::Over;
            return;
        }
        self.state.turn += 1;
        self.begin_turn();
    }
}
