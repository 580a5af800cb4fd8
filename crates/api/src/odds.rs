//! Odds of a question, and advice if it is too big for an engine.

use serde_json::{Map, Value};

use super::Refused;
use super::request::Context;
use answer::{Engine, Estimate, Meta, Options, QuestionFacts, Row, Sheet, Table};
use engine::EngineError;
use engine::process::{Label, ReportIndex};
use engine::text::notation::{CodePiece, Remedy, shown};
use play::DynQuestion;

/// The odds of a question, as a table.
pub struct OddsAnswer {
    pub question: Box<dyn DynQuestion>,
    pub table: Table,
}

impl OddsAnswer {
    /// Returns the odds as a table; the JSON also has what was reckoned before the first roll.
    pub(super) fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::from(&self.table);
        let reckoned = self.question.reckoned();
        sheet.lists.extend(reckoned.into_iter().flat_map(|reckoned| reckoned.json));
        sheet.lists.extend(self.summary().map(|summary| ("summary", summary)));
        sheet
    }

    /// Returns what becomes of the place as a whole, such as who is left there, with the expected
    /// quantities that have short names; `None` if no row has a place.
    fn summary(&self) -> Option<Value> {
        let last = last_point(&self.table);
        let rows = self.table.rows.iter().filter(|row| {
            let label = &row.label;
            label.slot.is_none() && label.place.is_some() && point(label) == last
        });
        let mut chances: Vec<(String, Estimate)> = Vec::new();
        for row in rows {
            let Some(status) = row.label.status else { continue };
            let name = status.replace('-', "_");
            match chances.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum = sum.or(row.figure),
                None => chances.push((name, row.figure)),
            }
        }
        if chances.is_empty() {
            return None;
        }
        let value = |figure: Estimate| match figure {
            Estimate::Exact { fraction: Some(fraction), .. } => fraction.to_string().into(),
            figure => Value::from(figure.probability()),
        };
        let mut summary: Map<String, Value> =
            chances.into_iter().map(|(name, figure)| (name, value(figure))).collect();
        let keys = self.question.words().quantity_keys();
        for (key, expected) in keys.iter().zip(&self.table.expected) {
            summary.insert(key.to_string(), expected.mean.value.into());
        }
        Some(summary.into())
    }
}

const MONTE_CARLO: CodePiece = CodePiece::Option("engine", "monte-carlo");
const TRIALS: CodePiece = CodePiece::Key("trials");
const UNBOUND: &str = "use `{}`, which has no such limit";

/// Returns the advice to use the Monte Carlo engine, for a process too big for the exact engine.
pub(super) fn unbound() -> Remedy {
    shown(UNBOUND, [MONTE_CARLO])
}

pub(super) fn table(
    question: &dyn DynQuestion,
    options: &Options,
    meta: Meta,
) -> Result<Table, Refused> {
    let facts = question.words().facts();
    question.answer(options, meta).map_err(|error| {
        let is_joint = facts.is_joint && facts.points != Some("step");
        let (instead, mut pieces) = match (&error, options.engine) {
            (EngineError::TooManyOutcomes { .. }, Engine::Exact) => {
                ("use `{}` with few `{}`, or fewer units", vec![MONTE_CARLO, TRIALS])
            }
            (EngineError::TooManyOutcomes { .. }, _) => {
                ("use fewer `{}`, or fewer units", vec![TRIALS])
            }
            _ => (UNBOUND, vec![MONTE_CARLO]),
        };
        let smaller = match &error {
            _ if !is_joint => "",
            EngineError::TooManyOutcomes { .. } => "; without `{}` each unit has its own result",
            _ => "; without `{}` the question is smaller",
        };
        pieces.extend(is_joint.then_some(CodePiece::Key("joint")));
        let help = shown(format!("{instead}{smaller}"), pieces);
        Refused::Engine { error, help: Some(help) }
    })
}

/// Returns the report point of a row: its 1-based phase or step. `None` if it has neither.
pub fn point(label: &Label) -> Option<ReportIndex> {
    label.phase.or(label.step)
}

/// Returns the final state of a unit in words; `mark` stands before `wounded`.
pub fn end_in_words(label: &Label, counter: Option<&str>, mark: &str) -> String {
    let counter = counter.map_or(String::new(), |counter| format!(" {counter}"));
    let wounded =
        if label.wounded == Some(true) { format!("{mark}wounded") } else { String::new() };
    format!("{}{counter}{wounded}", label.status.unwrap_or_default())
}

/// Returns the last report point of a table.
pub fn last_point(table: &Table) -> Option<ReportIndex> {
    table.rows.iter().filter_map(|row| point(&row.label)).max()
}

/// Returns the rows of one unit (by 1-based slot) at one report point.
pub fn rows_at(table: &Table, slot: u8, at: Option<ReportIndex>) -> Vec<&Row> {
    let is_there = |row: &&Row| row.label.slot == Some(slot) && point(&row.label) == at;
    table.rows.iter().filter(is_there).collect()
}

/// Returns each initial unit's slot, name and final probability of success; `None` without success.
pub fn successes<'a>(
    facts: &QuestionFacts,
    table: &'a Table,
) -> Vec<(u8, &'a str, Option<Estimate>)> {
    successes_at(facts, table, last_point(table))
}

/// Returns each initial unit's slot, name and probability of success at one report point.
pub fn successes_at<'a>(
    facts: &QuestionFacts,
    table: &'a Table,
    at: Option<ReportIndex>,
) -> Vec<(u8, &'a str, Option<Estimate>)> {
    let is_success = |status: &'static str| facts.success.statuses.contains(&status);
    let unit = |slot| {
        let rows = rows_at(table, slot, at);
        let unit = rows.iter().find_map(|row| row.label.unit.as_deref())?;
        let successful = rows.iter().filter(|row| row.label.status.is_some_and(is_success));
        Some((slot, unit, successful.map(|row| row.figure).reduce(Estimate::or)))
    };
    (1..=facts.units).filter_map(unit).collect()
}

pub(super) fn answer(
    question: Box<dyn DynQuestion>,
    Context { command, options }: Context,
) -> Result<OddsAnswer, Refused> {
    let table = table(question.as_ref(), options, question.meta(command))?;
    Ok(OddsAnswer { question, table })
}
