//! The losses of a round as a sum over its attacks, for the search of the best plans.
//!
//! The CVP that a side loses to one attack depend on few others (11.12): those that may create a
//! leader among its targets (18.12), and in an Ambush those that hit its attackers first (11.32).
//! So each attack is played with these alone, and many plans share it.

use rustc_hash::FxHashMap;

use super::combat::{CloseCombat, CombatView};
use super::state::{
    AttackLosses, AttackOrder, AttackPart, CombatAttack, CombatAttacks, CombatSide, CombatState,
    CombatStep, CombatUnits, Standing,
};
use crate::rulebook::Switch;
use crate::unit::{Condition, UnitIndex};
use engine::process::{Due, Process, Silent};
use engine::roll_classes;

/// There are too many states to find the best plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyStates;

impl CombatView<'_> {
    /// Returns whether the results of an attack are worked out.
    pub fn is_followed(self, attack: &CombatAttack) -> bool {
        let at = attack.by.other() as usize;
        let hits = |units: [CombatUnits; 2]| !attack.targets.and(units[at]).is_empty();
        self.combat.followed.is_none_or(hits)
    }

    /// Returns whether the attacks of a round are about to be made, each side has planned its own,
    /// and its losses are the sum of those by each attack: nobody leaves, surrenders or is taken.
    pub(super) fn is_sum_of_attacks(self) -> bool {
        let state = self.state;
        if state.step != CombatStep::Attacks || state.turn < self.combat.turns {
            return false;
        }
        let is_ambush = state.order != AttackOrder::Simultaneous;
        let is_plain = |side: CombatSide| {
            let (force, orders) = (state.force(side), &self.combat.orders[side as usize]);
            let is_plain = |unit| {
                let standing = force.standing_of(unit);
                let is_bound = state.is_melee && self.is(side, unit, Condition::Broken);
                let is_other = standing.is_attacked
                    || standing.withdraws
                    || is_bound
                    || (is_ambush && standing.is_concealed)
                    || self.is(side, unit, Condition::Disrupted);
                !is_other
            };
            let leaves = orders.leaves_before || orders.leaves_after || self.infiltrates(side);
            let is_crowded = is_ambush && self.overstacked(side) > 0;
            self.decides(side) && !leaves && !is_crowded && force.here().units().all(is_plain)
        };
        let mut attacks = state.attacks.iter().chain(state.chosen.iter().flatten());
        !self.chooses(Switch::AppliedWorkedOutAgain)
            && CombatSide::ALL.into_iter().all(is_plain)
            && attacks.all(|attack| attack.original == 0 && !attack.is_capture)
    }

    /// Returns each attack of a round with those that bear on its results.
    pub(super) fn parts(self) -> Vec<AttackPart> {
        let attacks = &self.state.attacks;
        match self.state.order {
            AttackOrder::Ambushers(side) => {
                let first = attacks.iter().map(|attack| self.part(attack, [attack.clone()], []));
                let answers = self.state.chosen[side.other() as usize].iter();
                let second = answers.map(|answer| {
                    self.part(answer, self.bearing_on_answer(answer), [answer.clone()])
                });
                first.chain(second).collect()
            }
            _ => (0..attacks.len())
                .map(|place| {
                    let with = bearing_on(attacks, place).into_iter();
                    self.part(&attacks[place], with.map(|other| attacks[other].clone()), [])
                })
                .collect(),
        }
    }

    /// Returns the ambushed units whose fates bear on an attack of theirs: the attackers. SMC whose
    /// MMC is lost join another attack.
    fn attacking(self, answer: &CombatAttack) -> CombatUnits {
        let here = self.state.force(answer.by).here();
        let has_smc = here.units().any(|unit| self.counter(answer.by, unit).kind.is_smc());
        if has_smc { here } else { answer.attackers }
    }

    /// Returns the first unbroken MMC of a side, with which created leaders stand later (11.14).
    fn first_mmc(self, side: CombatSide) -> CombatUnits {
        let is_able = |unit: &UnitIndex| {
            !self.counter(side, *unit).kind.is_smc() && !self.is(side, *unit, Condition::Broken)
        };
        self.state.force(side).here().units().find(is_able).into_iter().collect()
    }

    /// Returns the attacks of ambushers that bear on an attack of the ambushed: those that hit its
    /// attackers. All may create leaders, who then stand with the first MMC (11.14).
    fn bearing_on_answer(self, answer: &CombatAttack) -> CombatAttacks {
        let attacking = self.attacking(answer);
        let first = self.first_mmc(answer.by.other());
        let is_joined = self.combat.creates_leaders && !answer.targets.and(first).is_empty();
        let bears = |attack: &&CombatAttack| is_joined || !attack.targets.and(attacking).is_empty();
        self.state.attacks.iter().filter(bears).cloned().collect()
    }

    /// Returns an attack with others, and with one that is declared after an Ambush.
    fn part(
        self,
        attack: &CombatAttack,
        with: impl IntoIterator<Item = CombatAttack>,
        declared_later: impl IntoIterator<Item = CombatAttack>,
    ) -> AttackPart {
        let mut state = CombatState { attacks: with.into_iter().collect(), ..self.state.clone() };
        let (by, loser) = (attack.by, attack.by.other());
        state.chosen = Default::default();
        state.chosen[by as usize] = declared_later.into_iter().collect();
        let mut followed = [CombatUnits::NOBODY; 2];
        followed[loser as usize] = attack.targets;
        if !state.chosen[by as usize].is_empty() {
            followed[by as usize] = self.attacking(attack);
        }
        if CombatSide::ALL.into_iter().all(|side| self.overstacked(side) == 0) {
            self.remove_others(&mut state, followed);
        }
        AttackPart { state, followed, loser }
    }

    /// Removes the units that take no part in the attacks of a state, so that equal ones merge.
    fn remove_others(self, state: &mut CombatState, mut part: [CombatUnits; 2]) {
        for attack in state.attacks.iter().chain(state.chosen.iter().flatten()) {
            for (side, units) in
                [(attack.by, attack.attackers), (attack.by.other(), attack.targets)]
            {
                part[side as usize] = part[side as usize].with_all(units);
            }
        }
        if let Some(side) = self.state.ambusher() {
            part[side as usize] = part[side as usize].with_all(self.first_mmc(side));
        }
        for (side, part) in CombatSide::ALL.into_iter().zip(part) {
            let force = state.force_mut(side);
            for unit in force.all().filter(|&unit| !part.has(unit)) {
                force.location.eliminate(unit, self.counter(side, unit).kind);
                *force.standing_of_mut(unit) = Standing::alone(unit);
            }
            force.location.forget_lost_leaders();
        }
    }
}

/// Returns the places of an attack and of those that bear on its results: attacks by its targets
/// may create leaders, and attacks before these may add to the odds by which they do (18.12).
fn bearing_on(attacks: &CombatAttacks, place: usize) -> Vec<usize> {
    let mut found = vec![place];
    let mut next = 0;
    while let Some(&at) = found.get(next) {
        let attack = &attacks[at];
        let bears = |&(other, by): &(usize, &CombatAttack)| {
            by.by != attack.by
                && !by.attackers.and(attack.targets).is_empty()
                && (at == place || other < at)
        };
        let bearing = attacks.iter().enumerate().filter(bears).map(|(other, _)| other);
        let new: Vec<usize> = bearing.filter(|other| !found.contains(other)).collect();
        found.extend(new);
        next += 1;
    }
    found.sort_unstable();
    found
}

/// The largest number of attacks whose mean losses are kept.
const MOST_KEPT: usize = 1 << 16;

/// Returns the mean CVP that a side loses to an attack, and keeps it among those known.
pub(super) fn mean_loss(
    combat: &CloseCombat,
    part: AttackPart,
    known: &mut AttackLosses,
    states_left: &mut u64,
) -> Result<f64, TooManyStates> {
    if let Some(mean) = known.get(&part) {
        return Ok(*mean);
    }
    let combat = CloseCombat { followed: Some(part.followed), ..combat.clone() };
    let mut means = FxHashMap::default();
    let before = f64::from(combat.view(&part.state).lost(part.loser));
    let mut start = part.state.clone();
    combat.go_on(&mut start);
    let mean = mean_lost(&combat, (&start, part.loser), &mut means, states_left)? - before;
    if known.len() >= MOST_KEPT {
        known.clear();
    }
    known.insert(part, mean);
    Ok(mean)
}

fn mean_lost(
    combat: &CloseCombat,
    (state, side): (&CombatState, CombatSide),
    known: &mut FxHashMap<CombatState, f64>,
    states_left: &mut u64,
) -> Result<f64, TooManyStates> {
    let Due::Roll(dice, terms) = combat.due(state) else {
        return Ok(combat.view(state).lost(side).into());
    };
    if let Some(mean) = known.get(state) {
        return Ok(*mean);
    }
    *states_left = states_left.checked_sub(1).ok_or(TooManyStates)?;
    let mut mean = 0.0;
    for (reading, weight) in roll_classes(combat, dice, &terms) {
        let mut next = state.clone();
        combat.apply(&mut next, reading, &mut Silent);
        let next = combat.folded(next);
        let share = f64::from(weight) / f64::from(dice.faces());
        mean += share * mean_lost(combat, (&next, side), known, states_left)?;
    }
    known.insert(state.clone(), mean);
    Ok(mean)
}
