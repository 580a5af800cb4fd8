//! Answers as data and as tables. Other crates render them.

use serde_json::{Value, json};

use super::Refused;
use super::board::Checked;
use super::compare::ComparedQuestions;
use super::impact::Moved;
use super::odds::OddsAnswer;
use super::reckoning::ReckonedAnswer;
use super::request::{Context, Solving};
use super::rout::Routed;
use super::rout::report::RoutFindings;
use super::trace::Traced;
use answer::{Cell, Column, Meta, Sheet};
use engine::EngineError;
use engine::exact::Arithmetic;
use play::{Branch, Decision, Depth, Fork, Solved, Valued, created_count};

/// An answer, with one variant for each type of request.
pub enum Answer {
    Question(OddsAnswer),
    Reckoning(ReckonedAnswer),
    Trace(Traced),
    Impact(Moved),
    Compare(ComparedQuestions),
    Solve(BestPlayAnswer),
    Rout(Box<Routed>),
    RoutFindings(Box<RoutFindings>),
    Check(Checked),
}

/// The best play of a question.
pub struct BestPlayAnswer {
    pub request: Solving,
    /// The solution, with values in the quantity that the objective names.
    pub solved: Solved,
    pub meta: Meta,
}

impl Answer {
    /// Returns the metadata of the answer.
    pub fn meta(&self) -> &Meta {
        match self {
            Answer::Question(answer) => &answer.table.meta,
            Answer::Reckoning(reckoning) => &reckoning.meta,
            Answer::Trace(traced) => &traced.meta,
            Answer::Impact(moved) => &moved.before.meta,
            Answer::Compare(side) => &side.compared.meta,
            Answer::Solve(played) => &played.meta,
            Answer::Rout(routed) => &routed.meta,
            Answer::RoutFindings(findings) => &findings.sheet.meta,
            Answer::Check(checked) => &checked.meta,
        }
    }

    /// Returns the metadata of the answer, to be changed.
    pub fn meta_mut(&mut self) -> &mut Meta {
        match self {
            Answer::Question(answer) => &mut answer.table.meta,
            Answer::Reckoning(reckoning) => &mut reckoning.meta,
            Answer::Trace(traced) => &mut traced.meta,
            Answer::Impact(moved) => &mut moved.before.meta,
            Answer::Compare(side) => &mut side.compared.meta,
            Answer::Solve(played) => &mut played.meta,
            Answer::Rout(routed) => &mut routed.meta,
            Answer::RoutFindings(findings) => &mut findings.sheet.meta,
            Answer::Check(checked) => &mut checked.meta,
        }
    }

    /// Returns the answer as a table; `None` for a trace.
    pub fn sheet(&self) -> Option<Sheet> {
        Some(match self {
            Answer::Question(answer) => answer.sheet(),
            Answer::Reckoning(reckoning) => reckoning.sheet(),
            Answer::Trace(_) => return None,
            Answer::Impact(moved) => moved.sheet(),
            Answer::Compare(side) => side.sheet(),
            Answer::Solve(played) => played.sheet(),
            Answer::Rout(routed) => routed.sheet(),
            Answer::RoutFindings(findings) => findings.sheet.clone(),
            Answer::Check(checked) => checked.sheet(),
        })
    }
}

const TOO_BIG: &str = "use fewer Player Turns (`turns`), phases or units; `created-stay` and \
    `enemy-holds-fire` need more states";

pub(super) fn solve(solving: Solving, context: Context) -> Result<BestPlayAnswer, Refused> {
    let Solving { question, objective, depth, .. } = &solving;
    let mut meta = Meta {
        question: question.in_full(),
        objective: Some(objective.to_string()),
        engine: "exact",
        arithmetic: Some("float"),
        ..question.meta(context.command)
    };
    let solved = question.solve(objective, *depth, context.options.watch);
    let solved = solved.map_err(|error| {
        let is_too_big = matches!(error, EngineError::TooManyStates { .. });
        Refused::Engine { help: is_too_big.then(|| TOO_BIG.into()), error }
    })?;
    meta.worked(solved.states);
    if solved.error_bound.is_some() {
        meta.computed_in(Arithmetic::Certified);
        meta.error_bound = solved.error_bound;
    }
    if solved.counts_created {
        meta.notes.push(created_count(question.words().facts().kind));
    }
    let solved = solved.in_numbers(objective);
    Ok(BestPlayAnswer { solved, meta, request: solving })
}

impl BestPlayAnswer {
    /// Returns the best option in each state as a table.
    fn sheet(&self) -> Sheet {
        let texts = ["state", "choice"].map(|name| (name, Column::Text));
        let numbers = ["value", "margin", "error_bound"].map(|name| (name, Column::Float));
        let columns = texts.into_iter().chain(numbers).collect();
        let row = |decision: &Decision| {
            let taken = &decision.choices[0];
            let texts = [&decision.state, &taken.option].map(|text| Cell::Text(text.clone()));
            let numbers = [taken.value[0], decision.margin()].map(Cell::Float);
            let bound = decision.error_bound.map_or(Cell::Null, Cell::Float);
            texts.into_iter().chain(numbers).chain([bound]).collect()
        };
        let rows = self.solved.decisions.iter().map(row).collect();
        let tree = matches!(self.request.depth, Depth::Tree(..))
            .then(|| ("tree", tree(&self.solved.tree)));
        Sheet { lists: tree.into_iter().collect(), ..Sheet::new(columns, rows, self.meta.clone()) }
    }
}

/// Returns a decision tree as JSON; its branches are those of [`Branch`].
fn tree(branches: &[(f64, Branch)]) -> Value {
    let branch = |(probability, branch): &(f64, Branch)| match branch {
        Branch::Fork(Fork { decision, leads }) => {
            let option =
                |choice: &Valued| json!({ "option": choice.option, "value": choice.value[0] });
            let options: Value = decision.choices.iter().map(option).collect();
            json!({ "probability": probability, "state": decision.state, "options": options,
                "leads": tree(leads) })
        }
        Branch::Cut { state, value } => {
            json!({ "probability": probability, "state": state, "value": value })
        }
        Branch::Rare { decisions, value } => {
            json!({ "probability": probability, "rarer_decisions": decisions, "value": value })
        }
        Branch::End { value } => json!({ "probability": probability, "value": value }),
    };
    branches.iter().map(branch).collect()
}
