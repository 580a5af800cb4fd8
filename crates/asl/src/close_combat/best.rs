//! The best plans of both sides (11.12): the ATTACKER declares first and openly, so he gets the
//! best of the worst cases, and the DEFENDER the best answer to what he sees. Both plans hold for
//! the round whatever the Ambush dr show; each later round has plans of its own.
//!
//! A choice is solved by trying its options in the order of a rough estimate. Options that cannot
//! be better than what is found already are left (alpha-beta), so the value is exact all the same.

use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::by_attack::{TooManyStates, mean_loss};
use super::choices::ChoiceOption;
use super::combat::{CloseCombat, CombatView};
use super::plan::{BestPlans, RatedPlan};
use super::state::{
    AttackLosses, ChoiceKind, CombatAttack, CombatAttacks, CombatSide, CombatState, CombatStep,
    CombatUnits, Infiltration,
};
use crate::catalogue::CATALOGUE;
use crate::unit::{Condition, Conditions, Elr, UnitIndex};
use engine::process::{Due, Player, Process, Silent};
use engine::roll_classes;

/// The largest number of states of dice that are followed.
const MOST_STATES: u64 = 20_000_000;
/// As many if a simpler plan can stand for the best one.
const FEWER_STATES: u64 = 4_000_000;
/// As many in a step of a sequence, whose best plans are searched for each state of the stack.
const STATES_OF_STEP: u64 = 40_000;

/// The largest number of states that wait for dice whose values are kept.
const MOST_KEPT: usize = 1 << 16;

/// The largest number of choices whose options are kept in order.
const MOST_ORDERED: usize = 1 << 10;

impl BestPlans {
    /// Creates the plans of a step of a sequence: they are found once its units are known.
    pub(crate) fn on_demand() -> BestPlans {
        BestPlans { found: Some(Mutex::default()), ..BestPlans::default() }
    }

    /// Returns the best option of a state.
    pub(crate) fn get(&self, combat: &CloseCombat, state: &CombatState) -> Option<u16> {
        let state = combat.folded(state.clone());
        let Some(found) = &self.found else { return self.options.get(&state).copied() };
        let found = || found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(option) = found().options.get(&state) {
            return Some(*option);
        }
        let combat = CloseCombat { policy: None, ..combat.clone() };
        let mut search = Search::new(&combat, MOST_STATES);
        search.losses = std::mem::take(&mut found().losses);
        let value = search.value(&state, OPEN);
        let promising = || search.sorted_options(&state).first().map(|(option, _)| *option as u16);
        let option = search.options.get(&state).copied().filter(|_| value.is_ok());
        let option = option.or_else(promising);
        let mut found = found();
        found.options.extend(option.map(|option| (state, option)));
        found.options.extend(search.options);
        found.losses.extend(search.losses);
        option
    }
}

/// The search for the best options.
struct Search<'a> {
    combat: &'a CloseCombat,
    values: FxHashMap<CombatState, f64>,
    options: FxHashMap<CombatState, u16>,
    /// The values of states that wait for dice, as many as are kept.
    rolls: FxHashMap<CombatState, f64>,
    /// The mean losses by attacks whose sum is the value.
    losses: AttackLosses,
    /// The plans of a side in the order of their estimates, whatever the other side has chosen.
    ordered: FxHashMap<CombatState, Rc<[NumberedOption]>>,
    states_left: u64,
}

/// An option with its number among those of a choice.
type NumberedOption = (usize, ChoiceOption);

/// The values between which a choice still matters.
#[derive(Clone, Copy)]
struct Window {
    low: f64,
    high: f64,
}

const OPEN: Window = Window { low: f64::NEG_INFINITY, high: f64::INFINITY };

/// The least difference that counts.
const EQUAL: f64 = 1e-12;

impl<'a> Search<'a> {
    fn new(combat: &'a CloseCombat, states_left: u64) -> Search<'a> {
        let (values, options, rolls, losses, ordered) = Default::default();
        Search { combat, values, options, rolls, losses, ordered, states_left }
    }

    /// Returns the value of a round whose losses are the sum of those by each attack.
    fn sum_of_attacks(
        &mut self,
        state: &CombatState,
        weights: [f64; 2],
    ) -> Result<f64, TooManyStates> {
        let now = self.combat.view(state);
        let parts = now.parts();
        self.states_left = self.states_left.checked_sub(parts.len() as u64).ok_or(TooManyStates)?;
        let lost_before = |side: CombatSide| weights[side as usize] * f64::from(now.lost(side));
        let mut value: f64 = CombatSide::ALL.into_iter().map(lost_before).sum();
        for part in parts {
            let weight = weights[part.loser as usize];
            let states_left = &mut self.states_left;
            value += weight * mean_loss(self.combat, part, &mut self.losses, states_left)?;
        }
        Ok(value)
    }

    /// Returns the mean value after the dice that a state waits for.
    fn expect(&mut self, state: &CombatState) -> Result<f64, TooManyStates> {
        let Due::Roll(dice, terms) = self.combat.due(state) else { return Ok(0.0) };
        if let Some(weights) = self.combat.objective.weights_of_losses()
            && self.combat.view(state).is_sum_of_attacks()
        {
            return self.sum_of_attacks(state, weights);
        }
        self.states_left = self.states_left.checked_sub(1).ok_or(TooManyStates)?;
        let mut sum = 0.0;
        for (reading, weight) in roll_classes(self.combat, dice, &terms) {
            let mut next = state.clone();
            self.combat.apply(&mut next, reading, &mut Silent);
            let next = self.combat.folded(next);
            sum += f64::from(weight) / f64::from(dice.faces()) * self.value(&next, OPEN)?;
        }
        if self.rolls.len() >= MOST_KEPT {
            self.rolls.clear();
        }
        self.rolls.insert(state.clone(), sum);
        Ok(sum)
    }

    /// Returns the value of a state for us, exact within the window.
    fn value(&mut self, state: &CombatState, window: Window) -> Result<f64, TooManyStates> {
        if let Some(value) = self.values.get(state) {
            return Ok(*value);
        }
        match self.combat.due(state) {
            Due::Over => Ok(0.0),
            Due::Roll(..) => match self.rolls.get(state) {
                Some(value) => Ok(*value),
                None => self.expect(state),
            },
            Due::Choice { player, .. } => {
                let (value, best) = self.choose(state, player, window)?;
                if window.low < value && value < window.high {
                    self.values.insert(state.clone(), value);
                    self.options.insert(state.clone(), best as u16);
                }
                Ok(value)
            }
            Due::Report(_) => {
                let mut next = state.clone();
                self.combat.pass(&mut next, &mut Silent);
                let is_last = state.turn >= self.combat.turns;
                let own = self.combat.objective.value(self.combat.view(state));
                let value = if is_last { own } else { self.value(&next, OPEN)? };
                self.values.insert(state.clone(), value);
                Ok(value)
            }
        }
    }

    /// Returns the options of a state with their numbers, the most promising first. Those of plans
    /// are kept.
    fn ordered(&mut self, state: &CombatState) -> Rc<[NumberedOption]> {
        if !matches!(state.step, CombatStep::Choice { kind: ChoiceKind::Plan, .. }) {
            return self.sorted_options(state);
        }
        let chosen = Default::default();
        let alike = CombatState { chosen, ..state.clone() };
        if let Some(ordered) = self.ordered.get(&alike) {
            return ordered.clone();
        }
        let ordered = self.sorted_options(state);
        if self.ordered.len() >= MOST_ORDERED {
            self.ordered.clear();
        }
        self.ordered.insert(alike, ordered.clone());
        ordered
    }

    /// Returns the options of a state as [`Search::ordered`] does, without keeping them.
    fn sorted_options(&self, state: &CombatState) -> Rc<[NumberedOption]> {
        let CombatStep::Choice { side, kind } = state.step else { return Rc::default() };
        let now = self.combat.view(state);
        let rated = |option: ChoiceOption| {
            let estimate = match &option {
                ChoiceOption::Withdraw(_) | ChoiceOption::Infiltrate(_) => 0.0,
                ChoiceOption::Attack(attacks) => now.estimate(attacks),
            };
            (estimate, option)
        };
        let options = now.options(side, kind).into_iter().map(rated);
        let mut options: Vec<(usize, (f64, ChoiceOption))> = options.enumerate().collect();
        options.sort_by(|(_, (one, _)), (_, (other, _))| other.total_cmp(one));
        options.into_iter().map(|(number, (_, option))| (number, option)).collect()
    }

    fn after(&self, state: &CombatState, option: ChoiceOption) -> CombatState {
        let mut next = state.clone();
        self.combat.take(&mut next, option);
        next
    }

    /// Returns the value of the best option, and its number.
    fn choose(
        &mut self,
        state: &CombatState,
        player: Player,
        mut window: Window,
    ) -> Result<(f64, usize), TooManyStates> {
        let mut best: Option<(f64, usize)> = None;
        for (number, option) in self.ordered(state).iter() {
            let value = self.value(&self.after(state, option.clone()), window)?;
            let is_better = match (best, player) {
                (None, _) => true,
                (Some((known, _)), Player::Owner) => value > known + EQUAL,
                (Some((known, _)), Player::Enemy) => value < known - EQUAL,
            };
            if is_better {
                best = Some((value, *number));
            }
            match player {
                Player::Owner => window.low = window.low.max(value),
                Player::Enemy => window.high = window.high.min(value),
            }
            if window.low >= window.high {
                break;
            }
        }
        Ok(best.unwrap_or_default())
    }

    /// Returns the best two options of the first plan, exactly, each with what follows it up to the
    /// dice.
    fn rated(&mut self, start: &CombatState) -> Result<Vec<RatedPlan>, TooManyStates> {
        let Due::Choice { player, .. } = self.combat.due(start) else {
            return Ok(Vec::new());
        };
        let mut best: Vec<(f64, ChoiceOption)> = Vec::new();
        for (_, option) in self.ordered(start).iter() {
            let mut window = OPEN;
            if let [_, (second, _)] = best[..] {
                match player {
                    Player::Owner => window.low = second,
                    Player::Enemy => window.high = second,
                }
            }
            let value = self.value(&self.after(start, option.clone()), window)?;
            best.push((value, option.clone()));
            best.sort_by(|(one, _), (other, _)| match player {
                Player::Owner => other.total_cmp(one),
                Player::Enemy => one.total_cmp(other),
            });
            best.truncate(2);
        }
        let mut rated = Vec::new();
        for (value, option) in best {
            rated.push(self.followed(start, value, option)?);
        }
        Ok(rated)
    }

    /// Returns the plans of both sides after an option, up to the dice.
    fn followed(
        &mut self,
        start: &CombatState,
        value: f64,
        option: ChoiceOption,
    ) -> Result<RatedPlan, TooManyStates> {
        let value = self.combat.objective.sign() * value;
        let mut rated = RatedPlan { attacks: Default::default(), withdraw: [NOBODY; 2], value };
        let (mut state, mut next) = (start.clone(), Some(option));
        while let CombatStep::Choice { side, .. } = state.step {
            self.value(&state, OPEN)?;
            let best = self.options.get(&state).copied().unwrap_or_default();
            let option = match next.take() {
                Some(option) => option,
                None => {
                    let CombatStep::Choice { kind, .. } = state.step else { break };
                    let options = self.combat.view(&state).options(side, kind);
                    let Some(option) = options.into_iter().nth(best.into()) else { break };
                    option
                }
            };
            match &option {
                ChoiceOption::Withdraw(units) => rated.withdraw[side as usize] = *units,
                ChoiceOption::Attack(attacks) => rated.attacks.extend(attacks.iter().cloned()),
                ChoiceOption::Infiltrate(_) => {}
            }
            state = self.after(&state, option);
        }
        Ok(rated)
    }
}

const NOBODY: CombatUnits = CombatUnits::NOBODY;

/// The conditions that bear on Close Combat.
const MATTERING: Conditions = Conditions::from_array([
    Condition::Broken,
    Condition::Pinned,
    Condition::Wounded,
    Condition::Fanatic,
    Condition::Heroic,
    Condition::Disrupted,
    Condition::Berserk,
    Condition::Cx,
    Condition::Unarmed,
    Condition::Captured,
    Condition::Eliminated,
]);

impl CombatView<'_> {
    /// Returns about how many CVP attacks cost those that are attacked.
    fn estimate(self, attacks: &CombatAttacks) -> f64 {
        let of_attack = |attack: &CombatAttack| {
            let side = attack.by.other();
            let points = |units: CombatUnits| -> f64 {
                let of = |unit| f64::from(self.combat.points(self.counter(side, unit)));
                units.units().map(of).sum()
            };
            let costs = (2..).zip(self.effects_of_all(attack, 0)).map(|(original, effects)| {
                let halves = points(effects.candidates) / 2.0;
                let reduced = halves / effects.candidates.count().max(1) as f64;
                let ways = f64::from(6 - (original - 7i16).abs());
                ways / 36.0 * (points(effects.killed) + reduced)
            });
            costs.sum::<f64>()
        };
        attacks.iter().map(of_attack).sum()
    }
}

impl CloseCombat {
    /// Makes states equal that are of equal worth: without conditions and ELR that have no part in
    /// Close Combat, and with one counter for created leaders of equal use once their attack is
    /// done (a leadership of 0 or worse is not used, 10.72, and each is worth 1 CVP).
    pub(super) fn folded(&self, mut state: CombatState) -> CombatState {
        for unit in state.forces.iter_mut().flat_map(|force| &mut force.location.units) {
            unit.conditions.keep_only(MATTERING);
            unit.elr = Elr::Side(0);
        }
        for side in CombatSide::ALL {
            let first = self.members(side).len() as UnitIndex;
            let attacks = state.attacks.clone();
            let force = state.force_mut(side);
            for unit in first..force.all().count() as UnitIndex {
                let directs =
                    attacks.iter().any(|attack| attack.by == side && attack.leader == Some(unit));
                let of = force.unit(unit);
                let counter = self.engagement(side).counter(of);
                if of.leads && !directs && counter.leadership >= 0 {
                    let like = CATALOGUE.places().find(|&place| {
                        let other = CATALOGUE.get(place);
                        let is_like = other.kind == counter.kind && other.nation == counter.nation;
                        is_like && other.leadership == 0
                    });
                    if let Some(like) = like {
                        force.location.unit_mut(unit).counter = like;
                    }
                }
            }
        }
        state
    }

    /// Returns whether a side decides on something in some Player Turn.
    fn has_choices(&self) -> bool {
        if self.orders.iter().any(|orders| orders.infiltration == Infiltration::Best) {
            return true;
        }
        let opening = self.opening();
        let in_turn = |turn: u16| {
            let state = CombatState { turn, ..opening.clone() };
            CombatSide::ALL.into_iter().any(|side| self.view(&state).decides(side))
        };
        in_turn(1) || self.turns > 1 && in_turn(2)
    }

    /// Returns the Close Combat with the best options of all choices, if there are any. `is_cheap`:
    /// the search is given up early.
    ///
    /// # Errors
    ///
    /// Fails if there are too many plans to try.
    pub(crate) fn solved(self, is_cheap: bool) -> Result<CloseCombat, TooManyStates> {
        if !self.has_choices() {
            return Ok(self);
        }
        let states_left = if is_cheap { FEWER_STATES } else { MOST_STATES };
        let mut search = Search::new(&self, states_left);
        let start = self.folded(self.start(&mut Silent));
        let value = self.objective.sign() * search.value(&start, OPEN)?;
        let plans = search.rated(&start)?;
        let options = search.options;
        let best = BestPlans { options, found: None, value, plans };
        Ok(CloseCombat { policy: Some(best.into()), ..self })
    }

    /// Returns the Close Combat of a step of a sequence, whose best options are found as they are
    /// needed: the units that then fight are not known yet.
    ///
    /// # Errors
    ///
    /// Fails if there are too many plans to try even for the units of the start.
    pub(crate) fn solved_on_demand(self) -> Result<CloseCombat, TooManyStates> {
        if !self.has_choices() {
            return Ok(self);
        }
        let start = self.folded(self.start(&mut Silent));
        Search::new(&self, STATES_OF_STEP).value(&start, OPEN)?;
        Ok(CloseCombat { policy: Some(BestPlans::on_demand().into()), ..self })
    }
}
