//! The choices of a side with the plan `best` (11.12): who withdraws, and which attacks are made.

use super::combat::{CombatPlay, CombatView};
use super::plan::{AttackPlan, NamedPlan};
use super::state::{ChoiceKind, CombatAttacks, CombatSide, CombatStep, CombatUnits};
use crate::unit::{Condition, UnitIndex};
use engine::process::Log;
use smallvec::SmallVec;

/// An option of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceOption {
    Withdraw(CombatUnits),
    Attack(CombatAttacks),
    Infiltrate(CombatUnits),
}

/// The largest number of units that have each set of them tried as those that leave.
const MOST_LEAVING_FREELY: usize = 3;

impl CombatView<'_> {
    /// Returns whether a side decides by the plan `best` in this Player Turn.
    pub fn decides(self, side: CombatSide) -> bool {
        let plan = self.combat.orders[side as usize].plan.in_turn(self.state.turn);
        *plan == AttackPlan::Named(NamedPlan::Best)
    }

    /// Returns the sets of units of which a side may withdraw one (11.2), nobody first.
    pub fn withdrawals(self, side: CombatSide) -> Vec<CombatUnits> {
        let orders = &self.combat.orders[side as usize];
        let mut sets = vec![CombatUnits::default()];
        if !self.state.is_melee || !orders.has_exit {
            return sets;
        }
        let force = self.state.force(side);
        let is_free = |unit: &UnitIndex| {
            let is_concealed = force.standing_of(*unit).is_concealed;
            let is_broken = self.is(side, *unit, Condition::Broken);
            !is_concealed && !is_broken && self.may_leave(side, *unit)
        };
        sets.extend(leaving(force.all().filter(is_free)));
        sets
    }

    /// Returns the blocks of a side that can attack, and those that can be attacked.
    fn blocks_left(self, side: CombatSide) -> [SmallVec<[CombatUnits; 8]>; 2] {
        let (own, enemy) = (self.state.force(side), self.state.force(side.other()));
        let able: CombatUnits = own.all().filter(|&unit| own.can_attack(unit)).collect();
        [own.blocks(able), enemy.blocks(enemy.here())]
    }

    fn may_hold_off(self, side: CombatSide, block: CombatUnits) -> bool {
        let force = self.state.force(side);
        block.units().all(|unit| {
            force.standing_of(unit).is_concealed && !self.is(side, unit, Condition::Berserk)
        })
    }

    /// Returns an attack of units of a side, and the same as an attempt to capture (20.22) where
    /// that can be better: the objective counts captured units twice, or a target is easier to
    /// capture than to kill.
    fn ways(self, side: CombatSide, by: CombatUnits, at: CombatUnits) -> CombatAttacks {
        let attack = self.attack(side, by, at, false);
        let capture = self.attack(side, by, at, true);
        let counts_twice = self.combat.counts_captured_twice();
        let is_easy = || at.units().any(|unit| self.capture(side.other(), unit, false).0 <= 0);
        let differs = capture.is_capture && !attack.is_capture;
        let mut ways = CombatAttacks::from_iter([attack]);
        if differs && (counts_twice || is_easy()) {
            ways.push(capture);
        }
        ways
    }

    /// Returns every plan of a side for a round: all its blocks attack in groups, each
    /// with targets of its own, but concealed ones may hold off.
    pub fn plans(self, side: CombatSide) -> Vec<CombatAttacks> {
        let [own, targets] = self.blocks_left(side);
        let mut plans = Vec::new();
        self.add_plans(side, &own, &targets, &mut CombatAttacks::new(), &mut plans);
        if plans.is_empty() {
            plans.push(CombatAttacks::new());
        }
        plans
    }

    fn add_plans(
        self,
        side: CombatSide,
        own: &[CombatUnits],
        targets: &[CombatUnits],
        before: &mut CombatAttacks,
        plans: &mut Vec<CombatAttacks>,
    ) {
        let Some((first, others)) = own.split_first() else {
            return plans.push(before.clone());
        };
        for (group, left) in subsets(others) {
            let by = group.into_iter().fold(*first, CombatUnits::with_all);
            for (at, further) in subsets(targets) {
                let at = at.into_iter().fold(CombatUnits::default(), CombatUnits::with_all);
                if at.is_empty() {
                    continue;
                }
                for attack in self.ways(side, by, at) {
                    before.push(attack);
                    self.add_plans(side, &left, &further, before, plans);
                    before.pop();
                }
            }
        }
        if self.may_hold_off(side, *first) {
            self.add_plans(side, others, targets, before, plans);
        }
    }

    /// Returns the options of the choice that is due.
    pub fn options(self, side: CombatSide, kind: ChoiceKind) -> Vec<ChoiceOption> {
        match kind {
            ChoiceKind::Withdrawal => {
                self.withdrawals(side).into_iter().map(ChoiceOption::Withdraw).collect()
            }
            ChoiceKind::Plan => self.plans(side).into_iter().map(ChoiceOption::Attack).collect(),
            ChoiceKind::Infiltration { attack } => {
                let may = self.may_infiltrate(&self.state.attacks[usize::from(attack)]);
                let sets = leaving(may.1.units()).into_iter();
                let all = std::iter::once(CombatUnits::NOBODY).chain(sets);
                all.map(ChoiceOption::Infiltrate).collect()
            }
        }
    }
}

/// Returns the sets of units of which one may leave: all of a few units, else each alone and all.
fn leaving(units: impl Iterator<Item = UnitIndex>) -> Vec<CombatUnits> {
    let free: Vec<UnitIndex> = units.collect();
    if free.len() <= MOST_LEAVING_FREELY {
        let of_set = |set: u32| {
            let of_set = (0..).zip(&free).filter(|(place, _)| set >> place & 1 == 1);
            of_set.map(|(_, unit)| *unit).collect()
        };
        return (1..1 << free.len()).map(of_set).collect();
    }
    let all = free.iter().copied().collect();
    free.iter().map(|&unit| CombatUnits::one(unit)).chain([all]).collect()
}

/// Returns the number of plans of blocks against targets in which every block attacks (11.12).
pub(super) fn plan_count(blocks: usize, targets: usize) -> u64 {
    let choose = |of: usize, number: usize| -> u64 {
        (0..number).fold(1, |ways, place| ways * (of - place) as u64 / (place as u64 + 1))
    };
    let Some(others) = blocks.checked_sub(1) else { return 1 };
    // The first block attacks with some of the others, at some of the targets.
    let with = |with: usize| -> u64 {
        let at =
            (1..=targets).map(|at| choose(targets, at) * plan_count(others - with, targets - at));
        choose(others, with) * at.sum::<u64>()
    };
    (0..=others).map(with).sum()
}

/// Returns all subsets of blocks, the empty one first, each with those left.
fn subsets(blocks: &[CombatUnits]) -> Vec<(Vec<CombatUnits>, Vec<CombatUnits>)> {
    let of_set = |set: u32| {
        let place = |place: usize| set >> place & 1 == 1;
        let (picked, left): (Vec<usize>, Vec<usize>) = (0..blocks.len()).partition(|&p| place(p));
        let blocks = |places: Vec<usize>| places.into_iter().map(|place| blocks[place]).collect();
        (blocks(picked), blocks(left))
    };
    (0..1u32 << blocks.len().min(16)).map(of_set).collect()
}

impl<L: Log> CombatPlay<'_, L> {
    /// Waits for a choice of a side, if it decides on something. Returns whether the state waits.
    pub fn ask(&mut self, side: CombatSide, kind: ChoiceKind) -> bool {
        let now = self.now();
        let asks = now.decides(side)
            && match kind {
                ChoiceKind::Withdrawal => now.withdrawals(side).len() > 1,
                ChoiceKind::Plan | ChoiceKind::Infiltration { .. } => true,
            };
        if asks {
            self.state.step = CombatStep::Choice { side, kind };
        }
        asks
    }

    /// Carries out the choice for which the state waits, by the number of an option.
    pub fn decide(&mut self, option: usize) {
        let CombatStep::Choice { side, kind } = self.state.step else { return };
        if let Some(option) = self.now().options(side, kind).into_iter().nth(option) {
            self.take(option);
        }
    }

    /// Carries out an option of the choice for which the state waits.
    pub fn take(&mut self, option: ChoiceOption) {
        let CombatStep::Choice { side, kind } = self.state.step else { return };
        self.state.step = CombatStep::Attacks;
        match option {
            ChoiceOption::Withdraw(units) => {
                for unit in units.units() {
                    self.state.force_mut(side).standing_of_mut(unit).withdraws = true;
                }
            }
            ChoiceOption::Attack(attacks) => self.state.chosen[side as usize] = attacks,
            ChoiceOption::Infiltrate(units) => {
                let ChoiceKind::Infiltration { attack } = kind else { return };
                self.infiltrate(attack.into(), units);
                return self.end_attack_results(attack.into());
            }
        }
        self.declare_from(side, kind);
    }

    /// Takes the option of the policy, if there is one. Returns whether it has.
    pub fn follow_policy(&mut self) -> bool {
        let Some(policy) = &self.combat.policy else { return false };
        let option = policy.get(self.combat, self.state).unwrap_or_default();
        self.decide(option.into());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::plan_count;

    #[test]
    fn plans_are_counted() {
        let counts = [(1, 1), (2, 2), (3, 3), (4, 4)].map(|(own, enemy)| plan_count(own, enemy));
        assert_eq!(counts, [1, 5, 49, 749]);
        assert_eq!(plan_count(2, 1), 1);
    }
}
