//! The best play of a process that leaves choices: what it is worth, what to do in each state, and
//! by how much that is better.

use indexmap::IndexMap;

use engine::process::{Decisions, Due, Player, Point, Process, Silent};
use engine::solve::{GroundOf, Play, Solution, Worth, is_better};
use engine::watch::Watch;
use engine::{EngineError, roll_classes};

/// Most states that are solved.
pub const STATES: usize = 1 << 19;

/// An objective; among what is equal by it survival, then squad-equivalents.
pub type Value = Worth<3>;

/// What an outcome noted at a point is worth.
pub type Gain<'a, O> = Box<dyn Fn(Point, &O) -> Value + Sync + 'a>;

/// A process solved by backward induction: its owner plays for the objective, the enemy against it.
pub struct Best<'a, P: Process> {
    process: &'a P,
    solution: Solution<'a, P, Gain<'a, P::Outcome>, 3>,
    start: P::State,
    value: Value,
    watch: Watch<'a>,
}

/// An option of a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Valued {
    /// In words.
    pub option: String,
    /// In one word that means the same everywhere.
    pub kind: &'static str,
    /// What it is worth under the best play after it.
    pub value: Value,
}

/// A state in which somebody chooses.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// In words.
    pub state: String,
    pub player: Player,
    /// Where on the clock of the process it is made.
    pub epoch: u32,
    /// Probability that it is reached under the best play.
    pub reached: f64,
    /// Its options, the one taken first.
    pub choices: Vec<Valued>,
}

impl Decision {
    /// By how much the option taken is better by the objective, for the one who chooses, than the
    /// next best.
    pub fn margin(&self) -> f64 {
        let next = self.choices.get(1).map_or(self.choices[0].value[0], |choice| choice.value[0]);
        (self.choices[0].value[0] - next).abs()
    }

    /// Changes what its options are worth by the objective.
    pub(super) fn change(&mut self, change: &impl Fn(&mut f64)) {
        self.choices.iter_mut().for_each(|choice| change(&mut choice.value[0]));
    }
}

/// A decision, and what it leads to.
#[derive(Clone, Debug)]
pub struct Fork {
    pub decision: Decision,
    /// After the option taken: with what probability which further decision, or end.
    pub leads: Vec<(f64, Branch)>,
}

/// Where a chance leads.
#[derive(Clone, Debug)]
pub enum Branch {
    Fork(Fork),
    /// A decision that is not followed up.
    Cut {
        state: String,
        value: f64,
    },
    /// So many decisions that are too rare to be told one by one, and what they are worth on
    /// average.
    Rare {
        decisions: usize,
        value: f64,
    },
    /// No decision comes any more; what is the case then is worth so much on average.
    End {
        value: f64,
    },
}

impl Branch {
    /// Changes all values on the way from here on.
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

/// The decisions that some state leads to without another choice between, by probability; and of
/// what is left the expected value.
struct Ahead<S> {
    decisions: IndexMap<S, f64>,
    /// Probability that no decision comes any more.
    end: f64,
    /// What is gained before them, or without them, in all.
    gained: f64,
}

impl<'a, P: Decisions> Best<'a, P> {
    /// Solves `process`; reports of one sequence add up.
    ///
    /// Fails with [`EngineError::TooManyStates`] beyond [`STATES`].
    pub fn solve(process: &'a P, gain: Gain<'a, P::Outcome>) -> Result<Best<'a, P>, EngineError> {
        Best::watched(process, gain, Watch::NONE)
    }

    /// The same with somebody who looks on, from here on.
    pub fn watched(
        process: &'a P,
        gain: Gain<'a, P::Outcome>,
        watch: Watch<'a>,
    ) -> Result<Best<'a, P>, EngineError> {
        Best::on(GroundOf::<P>::default(), process, gain, watch)
    }

    /// The same on what was found about another process: see [`Solution::on`].
    pub fn on(
        ground: GroundOf<P>,
        process: &'a P,
        gain: Gain<'a, P::Outcome>,
        watch: Watch<'a>,
    ) -> Result<Best<'a, P>, EngineError> {
        let mut solution = Solution::new(process, gain, STATES).watched(watch).on(ground);
        let start = process.start(&mut Silent);
        let value = solution.worth(&start)?;
        Ok(Best { process, solution, start, value, watch })
    }

    /// What the process is worth under the best play.
    pub fn value(&self) -> Value {
        self.value
    }

    /// States solved.
    pub fn states(&self) -> usize {
        self.solution.states()
    }

    /// The option taken in a state, for a policy of [`engine::process::Under`].
    pub fn option(&self, state: &P::State) -> usize {
        self.solution.best(state)
    }

    /// What was found, for another process.
    pub fn into_ground(self) -> GroundOf<P> {
        self.solution.into_ground()
    }

    /// What to do in every state.
    pub fn into_play(self) -> Play<P::State> {
        self.solution.into_play()
    }

    /// What each option of the choice made at once is worth; of a process that begins with none,
    /// what that is worth.
    pub fn first_worths(&mut self) -> Result<Vec<Value>, EngineError> {
        match self.process.due(&self.start) {
            Due::Choice { options, .. } => self.solution.options(&self.start, options),
            _ => Ok(vec![self.value]),
        }
    }

    /// The choice made at once, if the process begins with one.
    pub fn opening(&mut self) -> Result<Option<Decision>, EngineError> {
        let start = self.start.clone();
        self.decision(&start, 1.0)
    }

    /// The choice of a state, if it has one of two options at least.
    fn decision(
        &mut self,
        state: &P::State,
        reached: f64,
    ) -> Result<Option<Decision>, EngineError> {
        self.watch.look()?;
        let Due::Choice { player, options: options @ 2.. } = self.process.due(state) else {
            return Ok(None);
        };
        let worths = self.solution.options(state, options)?;
        let choice = |((option, kind), value)| Valued { option, kind, value };
        let words = self.process.options(state).into_iter().zip(self.process.kinds(state));
        let mut choices: Vec<Valued> = words.zip(worths).map(choice).collect();
        choices = best_first(choices, player, |choice| &choice.value);
        let (state, epoch) = (self.process.decision(state), self.process.epoch(state));
        Ok(Some(Decision { state, player, epoch, reached, choices }))
    }

    /// Every decision that the best play can meet, by the clock, the likeliest first.
    pub fn policy(&mut self) -> Result<Vec<Decision>, EngineError> {
        let mut decisions: Vec<Decision> = Vec::new();
        let mut reached: IndexMap<P::State, f64> = IndexMap::from([(self.start.clone(), 1.0)]);
        while !reached.is_empty() {
            let mut next: IndexMap<P::State, f64> = IndexMap::new();
            for (state, probability) in std::mem::take(&mut reached) {
                for (after, chance) in self.successors(&state) {
                    *next.entry(after).or_insert(0.0) += probability * chance;
                }
                if let Some(decision) = self.decision(&state, probability)? {
                    note(&mut decisions, decision);
                }
            }
            reached = next;
        }
        decisions.sort_by(|a, b| a.epoch.cmp(&b.epoch).then(b.reached.total_cmp(&a.reached)));
        Ok(decisions)
    }

    /// The decisions as a tree: so many on every path, the option taken followed up; those that
    /// come next with a chance below `rare` are told together.
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
        // How many are rare, their probability, and their worth weighted with it.
        let mut others = (0, 0.0, 0.0);
        for (state, chance) in ahead.decisions {
            if chance < rare {
                others = (
                    others.0 + 1,
                    others.1 + chance,
                    others.2 + chance * self.solution.worth(&state)?[0],
                );
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
        branches.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        if let (decisions @ 1.., chance, worth) = others {
            branches.push((chance, Branch::Rare { decisions, value: worth / chance }));
        }
        if ahead.end > 0.0 {
            branches.push((ahead.end, Branch::End { value: ahead.gained / ahead.end }));
        }
        Ok(branches)
    }

    /// Follows a state up to the next decisions.
    fn ahead(&mut self, from: &P::State) -> Result<Ahead<P::State>, EngineError> {
        let mut ahead = Ahead { decisions: IndexMap::new(), end: 0.0, gained: 0.0 };
        let mut reached: IndexMap<P::State, f64> = IndexMap::from([(from.clone(), 1.0)]);
        while !reached.is_empty() {
            let mut next: IndexMap<P::State, f64> = IndexMap::new();
            for (state, probability) in std::mem::take(&mut reached) {
                self.watch.look()?;
                match self.process.due(&state) {
                    Due::Choice { options: 2.., .. } => {
                        *ahead.decisions.entry(state).or_insert(0.0) += probability;
                        continue;
                    }
                    Due::Over => ahead.end += probability,
                    Due::Report(_) => {
                        let before = self.solution.worth(&state)?[0];
                        for (after, _) in self.successors(&state) {
                            ahead.gained +=
                                probability * (before - self.solution.worth(&after)?[0]);
                        }
                    }
                    _ => {}
                }
                for (after, chance) in self.successors(&state) {
                    *next.entry(after).or_insert(0.0) += probability * chance;
                }
            }
            reached = next;
        }
        Ok(ahead)
    }

    /// The states after a state under the best play, with their chances.
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

/// Adds a decision; one that reads the same is the same.
fn note(decisions: &mut Vec<Decision>, decision: Decision) {
    let same =
        |other: &&mut Decision| other.state == decision.state && other.choices == decision.choices;
    match decisions.iter_mut().find(same) {
        Some(other) => other.reached += decision.reached,
        None => decisions.push(decision),
    }
}

/// The best for the one who chooses, then the best of the others, and so on; of equal ones the
/// first.
pub fn best_first<T>(mut options: Vec<T>, player: Player, value: impl Fn(&T) -> &Value) -> Vec<T> {
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
