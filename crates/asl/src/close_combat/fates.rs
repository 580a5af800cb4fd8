//! The results of a round (11.11, 20.22): what becomes of each unit, and the end of the CCPh.

use super::combat::{CombatPlay, CombatView, SideLog};
use super::state::{
    AttackOrder, CombatAttack, CombatSide, CombatStep, CombatUnits, Fate, Standing,
};
use crate::catalogue::CounterKind;
use crate::location::Task;
use crate::rulebook::Switch;
use crate::unit::{Condition, UnitIndex};
use crate::vocabulary::verdict::Reading;
use engine::process::{Log, Process as _};

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

    /// Returns the units of a side that rolled attacks have certainly put out, whatever a Random
    /// Selection shows.
    pub fn certainly_out(self, side: CombatSide) -> CombatUnits {
        let force = self.state.force(side);
        let fated = force.all().filter(|&unit| match force.standing_of(unit).fate {
            Fate::Eliminated | Fate::Captured => true,
            Fate::Reduced => self.dies_if_reduced(side, unit),
            Fate::Spared | Fate::HalfCaptured => false,
        });
        let rolled = self
            .state
            .attacks
            .iter()
            .filter(|attack| attack.by != side && attack.original > 0 && !attack.is_settled);
        let pending = rolled.map(|attack| {
            let effects = self.effects(attack);
            let alone = effects.candidates.units().filter(|&unit| {
                effects.candidates.count() == 1 && self.dies_if_reduced(side, unit)
            });
            effects.killed.with_all(alone.collect())
        });
        pending.fold(fated.collect(), CombatUnits::with_all)
    }

    fn dies_if_reduced(self, side: CombatSide, unit: UnitIndex) -> bool {
        matches!(self.counter(side, unit).kind, CounterKind::HalfSquad | CounterKind::Crew)
    }

    /// Returns whether a unit may stay broken in the Melee: a Guard (11.16, 38.3).
    fn may_stay_broken(self, side: CombatSide, unit: UnitIndex) -> bool {
        self.combat.is_guard(side, unit)
    }
}

/// The fates that are applied first. Captures come last, because a side that is wiped out in the
/// same round loses them (20.221).
const LOSSES: [Fate; 2] = [Fate::Eliminated, Fate::Reduced];

impl<L: Log> CombatPlay<'_, L> {
    /// Applies the fates of all units, one by one, up to a severity dr.
    pub fn apply_fates(&mut self) {
        let next = |play: &Self, wanted: &[Fate]| {
            CombatSide::ALL.into_iter().find_map(|side| {
                let force = play.state.force(side);
                let fated = |unit: &UnitIndex| wanted.contains(&force.standing_of(*unit).fate);
                Some((side, force.all().find(fated)?))
            })
        };
        while let Some((side, unit)) = next(self, &LOSSES) {
            let fate = std::mem::take(&mut self.state.force_mut(side).standing_of_mut(unit).fate);
            self.apply_loss(side, unit, fate);
            if !self.state.force(side).location.is_quiet() {
                return;
            }
        }
        self.apply_captures();
        match self.state.order {
            AttackOrder::Simultaneous => self.conclude(),
            AttackOrder::Ambushers(_) | AttackOrder::Ambushed(_) => self.end_attack(),
        }
    }

    fn apply_loss(&mut self, side: CombatSide, unit: UnitIndex, fate: Fate) {
        let combat = self.combat;
        let points = combat.points(self.now().counter(side, unit));
        let force = self.state.force_mut(side);
        let engagement = combat.engagement(side);
        let mut log = SideLog { side, log: &mut *self.log };
        match fate {
            Fate::Eliminated => engagement.eliminate(&mut force.location, unit, "11.11", &mut log),
            _ => {
                force.standing_of_mut(unit).is_hurt = true;
                engagement.reduce_unit(&mut force.location, unit, &mut log);
            }
        }
        // A Reduced unit loses its concealment (12.14).
        force.standing_of_mut(unit).is_concealed = false;
        self.count_created(side, unit, points);
    }

    /// Applies a severity dr (17.11).
    pub fn resolve_severity(&mut self, side: CombatSide, reading: Reading) {
        let combat = self.combat;
        let location = &self.state.force(side).location;
        let Some(&Task::WoundSeverity { unit, .. }) = location.agenda.last() else { return };
        let points = combat.points(self.now().counter(side, unit));
        let force = self.state.force_mut(side);
        let mut log = SideLog { side, log: &mut *self.log };
        combat.engagement(side).apply(&mut force.location, reading, &mut log);
        self.count_created(side, unit, points);
    }

    /// Adds the points of a created leader that has just been lost.
    fn count_created(&mut self, side: CombatSide, unit: UnitIndex, points: u8) {
        let is_created = usize::from(unit) >= self.combat.members(side).len();
        let force = self.state.force_mut(side);
        let is_lost = force.unit(unit).is(Condition::Eliminated);
        if is_created && is_lost {
            force.created_lost = force.created_lost.saturating_add(points);
        }
    }

    /// Captures units (20.22), but by a side that has lost all its units in the same round
    /// (20.221).
    fn apply_captures(&mut self) {
        let is_captured = |fate: Fate| matches!(fate, Fate::Captured | Fate::HalfCaptured);
        let survives = CombatSide::ALL.map(|side| {
            let force = self.state.force(side);
            let mut living = force.living().units();
            living.any(|unit| force.standing_of(unit).fate != Fate::Captured)
        });
        for side in CombatSide::ALL {
            let holds = survives[side.other() as usize];
            for unit in self.state.force(side).all() {
                let fate = self.state.force(side).standing_of(unit).fate;
                if !is_captured(fate) {
                    continue;
                }
                self.state.force_mut(side).standing_of_mut(unit).fate = Fate::Spared;
                if holds {
                    self.capture(side, unit, fate);
                } else {
                    let name = self.now().name(side, unit);
                    self.log.note("20.221", || format!("nobody is left to hold {name}"));
                }
            }
        }
    }

    fn capture(&mut self, side: CombatSide, unit: UnitIndex, fate: Fate) {
        let half_squad = self.now().counter(side, unit).half_squad;
        match (fate, half_squad) {
            (Fate::HalfCaptured, Some(half_squad)) => {
                self.note("20.22", |now| {
                    format!("one half of {} is captured", now.name(side, unit))
                });
                let force = self.state.force_mut(side);
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
    /// eliminated or captured (11.4).
    fn end_attack(&mut self) {
        if let Some(place) = self.state.attacks.iter().position(|attack| attack.is_settled) {
            let attack: CombatAttack = self.state.attacks.remove(place);
            let targets = self.state.force(attack.by.other());
            if attack.targets.units().any(|unit| targets.unit(unit).is_present()) {
                self.reveal(attack.by, |_, unit| attack.attackers.has(unit));
            }
        }
        self.state.step = CombatStep::Attacks;
    }

    /// Ends the CCPh: ambushers may leave (11.41), broken units gain DM (10.62), withdrawing ones
    /// leave (11.2), and those that must have left are eliminated (11.16, 19.12).
    pub fn conclude(&mut self) {
        if let Some(side) = self.state.ambusher()
            && self.combat.orders[side as usize].leaves_after
        {
            self.ambush_withdrawal(side);
        }
        let combat = self.combat;
        for side in CombatSide::ALL {
            for unit in self.state.force(side).all() {
                if self.state.force(side).standing_of(unit).is_attacked {
                    let force = self.state.force_mut(side);
                    combat.engagement(side).gain_dm_in_combat(&mut force.location, unit);
                }
            }
        }
        for side in CombatSide::ALL {
            self.withdraw(side);
        }
        for side in CombatSide::ALL {
            self.eliminate_those_left(side);
        }
        for side in CombatSide::ALL {
            self.calm_berserk(side);
            for unit in self.state.force(side).all() {
                let force = self.state.force_mut(side);
                let at = *force.standing_of(unit);
                let is_concealed = at.is_concealed && force.unit(unit).is_present();
                let is_away = at.is_away && force.unit(unit).is_present();
                *force.standing_of_mut(unit) =
                    Standing { is_concealed, is_away, ..Standing::alone(unit) };
            }
        }
        self.state.attacks.clear();
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
    fn eliminate_those_left(&mut self, side: CombatSide) {
        let is_melee = self.state.is_melee;
        let enemies = !self.state.force(side.other()).here().is_empty();
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
                && !now.may_stay_broken(side, unit);
            let from_now = is_melee || !now.chooses(Switch::DisruptedStayFirstRound);
            let disrupted = is(Condition::Disrupted) && enemies && from_now;
            let rule = if disrupted { "19.12" } else { "11.16" };
            if broken || disrupted {
                let combat = self.combat;
                let points = combat.points(self.now().counter(side, unit));
                let force = self.state.force_mut(side);
                let mut log = SideLog { side, log: &mut *self.log };
                combat.engagement(side).eliminate(&mut force.location, unit, rule, &mut log);
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
