//! Best play of a process with choices: its value, and the options of each state by value.

use indexmap::IndexMap;

use answer::estimate::MOST_DROPPED;
use engine::monitor::Monitor;
use engine::order::sort_by;
use engine::process::{Decisions, Due, Player, Process, ReportIndex, Silent};
use engine::solve::{Solution, StateGraphOf, ValueVector, is_better};
use engine::{EngineError, roll_classes};

/// Largest number of states in a process that is solved.
pub const STATES: usize = 1 << 19;

/// The value of the objective, followed by the values of the two tie-breakers.
pub type PlayValue = ValueVector<3>;

/// The value of an outcome at a report. The value of a sequence is the sum over its reports.
pub type Reward<'a, O> = Box<dyn Fn(ReportIndex, &O) -> PlayValue + Sync + 'a>;

/// A process solved by backward induction. The owner maximises the objective, the enemy minimises.
pub struct Best<'a, P: Process> {
    process: &'a P,
    /// The solver, with all states that best play can reach from the start.
    pub solution: Solution<'a, P, Reward<'a, P::Outcome>, 3>,
    start: P::State,
    /// The value of the process under best play.
    pub value: PlayValue,
    watch: Monitor<'a>,
}

/// An option of a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Valued {
    pub option: String,
    /// Category of the option, in one word that means the same in all states.
    pub kind: &'static str,
    /// Value if the option is taken and best play follows.
    pub value: PlayValue,
}

/// A state with a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    pub state: String,
    pub player: Player,
    /// The process's own measure of time in the state, such as a phase.
    pub epoch: u32,
    /// Probability of reaching the state under best play, from 0 to 1.
    pub reached: f64,
    /// Options, the best one first.
    pub choices: Vec<Valued>,
    /// Largest error of the value of the best option if it is certified; `None` otherwise.
    pub error_bound: Option<f64>,
}

impl Decision {
    /// Returns how much the best option is better than the next, by the objective and for the
    /// player who chooses. The margin is 0 for a single option, and never negative.
    ///
    /// # Panics
    ///
    /// Panics if there are no options.
    pub fn margin(&self) -> f64 {
        let next = self.choices.get(1).map_or(self.choices[0].value[0], |choice| choice.value[0]);
        (self.choices[0].value[0] - next).abs()
    }

    pub(super) fn change(&mut self, change: &impl Fn(&mut f64)) {
        self.choices.iter_mut().for_each(|choice| change(&mut choice.value[0]));
    }
}

/// A decision, and what follows it.
#[derive(Clone, Debug)]
pub struct Fork {
    pub decision: Decision,
    /// Continuations after the best option: decisions or ends, each with its probability.
    pub leads: Vec<(f64, Branch)>,
}

/// One thing that can follow a decision.
#[derive(Clone, Debug)]
pub enum Branch {
    Fork(Fork),
    /// A decision below the depth of the tree.
    Cut {
        state: String,
        value: f64,
    },
    /// Decisions too rare to be listed singly, with their mean value.
    Rare {
        decisions: usize,
        value: f64,
    },
    /// The end without a further decision, with the mean value.
    End {
        value: f64,
    },
}

impl Branch {
    pub(super) fn change(&mut self, change: &impl Fn(&mut f64)) {
        match self {
            Branch::Fork(Fork { decision, leads }) => {
                decision.change(change);
                leads.iter_mut().for_each(|(_, branch)| branch.change(change));
            }
            Branch::Cut { value, .. } | Branch::Rare { value, .. } | Branch::End { value } => {
                change(value)
            }
        }
    }
}

struct Ahead<S> {
    decisions: IndexMap<S, f64>,
    end: f64,
    /// Expected reward before the next decision, or before the end.
    gained: f64,
}

impl<'a, P: Decisions> Best<'a, P> {
    /// Solves `process`. The value of a sequence is the sum of `gain` over its reports. `watch` may
    /// cancel this call and later calls on the result.
    ///
    /// # Errors
    ///
    /// Fails with [`EngineError::TooManyStates`] beyond [`STATES`] states, or when cancelled.
    pub fn solve(
        process: &'a P,
        gain: Reward<'a, P::Outcome>,
        watch: Monitor<'a>,
    ) -> Result<Best<'a, P>, EngineError> {
        Best::on(StateGraphOf::<P>::default(), process, gain, None, watch)
    }

    /// Solves `process` on the state graph of another process; see [`Solution::ground`]. With the
    /// `range` of the values, the value is certified if there are too many states.
    ///
    /// # Errors
    ///
    /// Fails if [`STATES`] states do not make the value certain enough, or when cancelled.
    pub fn on(
        ground: StateGraphOf<P>,
        process: &'a P,
        gain: Reward<'a, P::Outcome>,
        range: Option<[f64; 2]>,
        watch: Monitor<'a>,
    ) -> Result<Best<'a, P>, EngineError> {
        let mut solution = Solution::new(process, gain, STATES).watched(watch);
        solution.ground = ground;
        let start = process.start(&mut Silent);
        let value = match (solution.worth(&start), range) {
            (Err(EngineError::TooManyStates { .. }), Some(range)) => {
                solution.certified_worth(&start, range, MOST_DROPPED / 2.0)?
            }
            (value, _) => value?,
        };
        Ok(Best { process, solution, start, value, watch })
    }

    /// Returns the largest error of the value if it is certified, or `None` if it is exact.
    pub fn error_bound(&self) -> Option<f64> {
        self.solution.error_bound(&self.start)
    }

    /// Returns the first choice, or `None` if the process does not start with one.
    ///
    /// # Errors
    ///
    /// Fails beyond [`STATES`] states, or when cancelled.
    pub fn opening(&mut self) -> Result<Option<Decision>, EngineError> {
        let start = self.start.clone();
        self.decision(&start, 1.0)
    }

    /// Returns the choice of a state, or `None` if the state has fewer than two options.
    fn decision(
        &mut self,
        state: &P::State,
        reached: f64,
    ) -> Result<Option<Decision>, EngineError> {
        self.watch.check_cancelled()?;
        let Due::Choice { player, options: options @ 2.. } = self.process.due(state) else {
            return Ok(None);
        };
        let worths = self.solution.options(state, options)?;
        let choice = |((option, kind), value)| Valued { option, kind, value };
        let words = self.process.options(state).into_iter().zip(self.process.kinds(state));
        let mut choices: Vec<Valued> = words.zip(worths).map(choice).collect();
        choices = best_first(choices, player, |choice| &choice.value);
        let error_bound = self.solution.error_bound(state);
        let (state, epoch) = (self.process.decision(state), self.process.epoch(state));
        Ok(Some(Decision { state, player, epoch, reached, choices, error_bound }))
    }

    /// Returns every decision that best play can reach, by epoch, the most probable first.
    ///
    /// # Errors
    ///
    /// Fails beyond [`STATES`] states, or when cancelled.
    pub fn policy(&mut self) -> Result<Vec<Decision>, EngineError> {
        let mut decisions: Vec<Decision> = Vec::new();
        self.follow(&self.start.clone(), |best, state, probability| {
            if best.solution.is_dropped(state) {
                return Ok(false);
            }
            if let Some(decision) = best.decision(state, probability)? {
                note(&mut decisions, decision);
            }
            Ok(true)
        })?;
        sort_by(&mut decisions, |a, b| a.epoch.cmp(&b.epoch).then(b.reached.total_cmp(&a.reached)));
        Ok(decisions)
    }

    /// Follows best play. `visit` gets each state with its odds, and returns false to stop there.
    /// No decision of a state that is not solved is known.
    fn follow(
        &mut self,
        from: &P::State,
        mut visit: impl FnMut(&mut Self, &P::State, f64) -> Result<bool, EngineError>,
    ) -> Result<(), EngineError> {
        let mut reached: IndexMap<P::State, f64> = IndexMap::from([(from.clone(), 1.0)]);
        while !reached.is_empty() {
            for (state, probability) in std::mem::take(&mut reached) {
                if visit(self, &state, probability)? {
                    for (after, chance) in self.successors(&state) {
                        *reached.entry(after).or_insert(0.0) += probability * chance;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns a tree of best options, at most `depth` deep; those below `rare` are summarised.
    ///
    /// # Errors
    ///
    /// Fails beyond [`STATES`] states, or when cancelled.
    pub fn tree(&mut self, depth: usize, rare: f64) -> Result<Vec<(f64, Branch)>, EngineError> {
        let start = self.start.clone();
        self.branches(&start, depth, rare)
    }

    fn branches(
        &mut self,
        from: &P::State,
        depth: usize,
        rare: f64,
    ) -> Result<Vec<(f64, Branch)>, EngineError> {
        let ahead = self.ahead(from)?;
        let mut branches = Vec::new();
        // Number of rare decisions, their probability, and the sum of value times probability.
        let (mut decisions, mut rarely, mut worth) = (0, 0.0, 0.0);
        for (state, chance) in ahead.decisions {
            if chance < rare {
                decisions += 1;
                rarely += chance;
                worth += chance * self.solution.worth(&state)?[0];
                continue;
            }
            let Some(decision) = self.decision(&state, chance)? else { continue };
            let branch = if depth == 0 {
                Branch::Cut { state: decision.state, value: decision.choices[0].value[0] }
            } else {
                let mut after = state.clone();
                self.process.choose(&mut after, self.solution.best(&state), &mut Silent);
                Branch::Fork(Fork { leads: self.branches(&after, depth - 1, rare)?, decision })
            };
            branches.push((chance, branch));
        }
        sort_by(&mut branches, |(a, _), (b, _)| b.total_cmp(a));
        if decisions > 0 {
            branches.push((rarely, Branch::Rare { decisions, value: worth / rarely }));
        }
        if ahead.end > 0.0 {
            branches.push((ahead.end, Branch::End { value: ahead.gained / ahead.end }));
        }
        Ok(branches)
    }

    fn ahead(&mut self, from: &P::State) -> Result<Ahead<P::State>, EngineError> {
        let mut ahead = Ahead { decisions: IndexMap::new(), end: 0.0, gained: 0.0 };
        self.follow(from, |best, state, probability| {
            best.watch.check_cancelled()?;
            if best.solution.is_dropped(state) {
                ahead.end += probability;
                ahead.gained += probability * best.solution.worth(state)?[0];
                return Ok(false);
            }
            match best.process.due(state) {
                Due::Choice { options: 2.., .. } => {
                    *ahead.decisions.entry(state.clone()).or_insert(0.0) += probability;
                    return Ok(false);
                }
                Due::Over => ahead.end += probability,
                Due::Report(_) => {
                    let before = best.solution.worth(state)?[0];
                    for (after, _) in best.successors(state) {
                        ahead.gained += probability * (before - best.solution.worth(&after)?[0]);
                    }
                }
                _ => {}
            }
            Ok(true)
        })?;
        Ok(ahead)
    }

    fn successors(&self, state: &P::State) -> Vec<(P::State, f64)> {
        let after = |change: &dyn Fn(&mut P::State)| {
            let mut next = state.clone();
            change(&mut next);
            next
        };
        match self.process.due(state) {
            Due::Over => Vec::new(),
            Due::Report(_) => vec![(after(&|next| self.process.pass(next, &mut Silent)), 1.0)],
            Due::Choice { .. } => {
                let best = self.solution.best(state);
                vec![(after(&|next| self.process.choose(next, best, &mut Silent)), 1.0)]
            }
            Due::Roll(dice, terms) => {
                let apply = |reading| after(&|next| self.process.apply(next, reading, &mut Silent));
                let classes = roll_classes(self.process, dice, &terms).into_iter();
                classes
                    .map(|(reading, faces)| {
                        (apply(reading), f64::from(faces) / f64::from(dice.faces()))
                    })
                    .collect()
            }
        }
    }
}

/// Adds a decision. Decisions with equal descriptions and options are merged.
fn note(decisions: &mut Vec<Decision>, decision: Decision) {
    let same =
        |other: &&mut Decision| other.state == decision.state && other.choices == decision.choices;
    match decisions.iter_mut().find(same) {
        Some(other) => {
            other.reached += decision.reached;
            if other.error_bound < decision.error_bound {
                other.error_bound = decision.error_bound;
            }
        }
        None => decisions.push(decision),
    }
}

/// Sorts options by value for the player who chooses, the best first; equal ones stay in order.
pub fn best_first<T>(
    mut options: Vec<T>,
    player: Player,
    value: impl Fn(&T) -> &PlayValue,
) -> Vec<T> {
    let beats = |other: &T, best: &T| match player {
        Player::Owner => is_better(value(other), value(best)),
        Player::Enemy => is_better(value(best), value(other)),
    };
    for place in 0..options.len() {
        let better = |best: usize, other: usize| {
            if beats(&options[other], &options[best]) { other } else { best }
        };
        let best = (place..options.len()).reduce(better).unwrap_or(place);
        options[place..=best].rotate_right(1);
    }
    options
}
