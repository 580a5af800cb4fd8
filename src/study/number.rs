//! The number that sums up an answer: the probability of success, or a measure requested by name.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::number_table::{CellValue, Style};
use answer::sheet::{figure_cells, figure_columns};
use answer::{
    Cell, Column, Estimate, Mean, Meta, Options, QuestionFacts, QuestionInfo, Row, Success, Table,
    UnitCounts,
};
use engine::EngineError;
use engine::process::Player;
use engine::text::Fault;
use play::{DynQuestion, Form, Game, MeasureExpr, Measurement as Number, Objective};
use schema::classes::HOLDS;
use schema::{FieldFault, Group, Kind, RawValue};

/// The key and the option that name the measure of a study.
pub const TELL: &str = "tell";
const UNITS: &str = "units";

#[derive(Clone, Debug, Default)]
pub enum CellMeasure {
    /// The probability of success of the last unit; without success, the last expected value.
    #[default]
    Success,
    /// A named measure of the question or of its unit counts.
    Of(Objective),
}

impl CellMeasure {
    /// Parses a measure that questions of `kind` report.
    pub fn read(text: &str, game: &dyn Game, kind: &'static Kind) -> Result<CellMeasure, Fault> {
        let objective = Objective::read(text, game.measures(), &[kind])?;
        objective.check_kind(kind, 0..text.len())?;
        Ok(CellMeasure::Of(objective))
    }

    /// Checks that a question reports the measure.
    pub fn check(&self, question: &dyn QuestionInfo) -> Result<(), FieldFault> {
        match self {
            CellMeasure::Success => Ok(()),
            CellMeasure::Of(objective) => {
                objective.check(question).map_err(FieldFault::in_field(TELL))
            }
        }
    }

    /// Returns whether the mean lies between 0 and 1, because the measure counts a single unit.
    pub fn is_share(&self, facts: &QuestionFacts) -> bool {
        let CellMeasure::Of(objective) = self else { return false };
        let whole = |expr: &MeasureExpr| expr.group.is_none_or(|group| group.parts == 1);
        facts.units == 1 && objective.measure().is_some_and(whole)
    }

    /// Returns whether less is better for a side. Success is that of the owner.
    pub fn is_minimized(&self, side: Player) -> bool {
        match self {
            CellMeasure::Of(objective) => objective.is_minimized_for(side),
            CellMeasure::Success => side == Player::Enemy,
        }
    }

    /// Returns the measure as it is written in a file; `None` for the default.
    pub fn name(&self) -> Option<String> {
        if let CellMeasure::Of(objective) = self { Some(objective.to_string()) } else { None }
    }

    /// Describes the meaning of the number, and returns its format. A mean of one unit is a chance,
    /// unless the units vary.
    pub fn in_words(&self, words: &dyn QuestionInfo, units_vary: bool) -> (String, Style) {
        let facts = words.facts();
        match (self, in_words(&facts)) {
            (CellMeasure::Of(objective), _) => match objective.measure() {
                Some(expr) if expr.at_least.is_some() => (expr.in_words(), Style::Odds),
                Some(_) if self.is_share(&facts) && !units_vary => {
                    (format!("P({objective})"), Style::Odds)
                }
                Some(expr) => (expr.in_words(), Style::Number),
                None if objective.is_odds(facts.units > 1 || units_vary) => {
                    (objective.in_words(false), Style::Odds)
                }
                None if objective.reckoned().is_some() => {
                    (objective.in_words(false), Style::Reckoned)
                }
                None => (objective.in_words(facts.units > 1 || units_vary), Style::Number),
            },
            (CellMeasure::Success, Some((of, success))) => {
                (format!("How often {of} is {success}"), Style::Odds)
            }
            (CellMeasure::Success, None) => match words.quantities().pop() {
                Some(quantity) => (format!("Expected {quantity}"), Style::Number),
                None => ("Nothing counts as a success here".to_string(), Style::Number),
            },
        }
    }

    /// Returns a question's number and metadata; `answer` is called only if the number needs it.
    pub fn number(
        &self,
        form: &dyn Form,
        question: &dyn DynQuestion,
        answer: impl FnOnce() -> Result<Table, EngineError>,
        options: &Options,
    ) -> Result<(Option<Number>, Meta), EngineError> {
        // If a row describes all units together, the question is asked again with one row per unit.
        let is_joint = question.words().facts().is_joint;
        let alone = is_joint.then(|| without_column_flags(form)).and_then(Result::ok);
        let question_alone = alone.as_deref().unwrap_or(question);
        let meta = || question.meta(String::new());
        if let CellMeasure::Of(objective) = self {
            return question_alone.measure(objective, options, meta());
        }
        let table = match &alone {
            Some(alone) => alone.answer(options, meta())?,
            None => answer()?,
        };
        Ok((success_number(&question_alone.words().facts(), &table), table.meta))
    }
}

pub fn cell_value(number: &Number) -> CellValue {
    let (value, interval) = match number {
        Number::Odds(figure) => (figure.probability(), figure.interval()),
        Number::Mean(mean) => (mean.value, mean.interval()),
    };
    CellValue { value, interval, word: None }
}

/// Returns the columns of a number in a table with one row per cell: of a mean, or of a chance.
pub fn number_columns(is_mean: bool) -> Vec<(&'static str, Column)> {
    let columns = figure_columns();
    let [_, std_error, low, high, .., fraction, error_bound] = columns;
    match is_mean {
        false => columns.to_vec(),
        true => vec![("mean", Column::Float), std_error, low, high, fraction, error_bound],
    }
}

/// Returns a number as table cells, in the order of [`number_columns`].
pub fn number_cells(number: &Number) -> Vec<Cell> {
    let float = |number: Option<f64>| number.map_or(Cell::Null, Cell::Float);
    match number {
        Number::Odds(figure) => figure_cells(figure).to_vec(),
        Number::Mean(mean) => {
            let Mean { value, fraction, std_error, error_bound } = mean;
            let (low, high) = mean.interval().unzip();
            let fraction = fraction.map_or(Cell::Null, |fraction| Cell::Text(fraction.to_string()));
            let errors = [*std_error, low, high].map(float);
            let value = [Cell::Float(*value)].into_iter().chain(errors);
            value.chain([fraction, float(*error_bound)]).collect()
        }
    }
}

/// Returns the question of a form without the flags that change its columns.
fn without_column_flags(form: &dyn Form) -> Result<Box<dyn DynQuestion>, FieldFault> {
    let mut form = form.boxed();
    for field in form.kind().fields().filter(|field| !field.sweeps) {
        // A field that is not a flag refuses this value and stays unchanged.
        let _ = form.set(field.name, RawValue::Boolean(false));
    }
    form.finish()
}

/// Returns whether the number of holding units can replace the probability of success.
pub fn holding_is_success(facts: &QuestionFacts) -> bool {
    let QuestionFacts { kind, success, .. } = facts;
    let is_success = |status: &&str| success.statuses.contains(status);
    let holds = kind.classes.first().filter(|class| class.name == HOLDS);
    holds.is_some_and(|class| class.statuses.iter().all(is_success)) && !kind.groups.is_empty()
}

/// The units of an answer that hold (in ASL: in Good Order, pinned or not), from its unit counts.
pub struct HoldingUnits {
    points: Option<&'static str>,
    group: &'static Group,
    /// The number of all counted units, in parts of the group (such as half-squads).
    whole: u8,
    /// The mean number of units that hold, and the probability that at least one holds.
    numbers: [Option<Number>; 2],
}

impl HoldingUnits {
    pub fn of(kind: &'static Kind, counts: &UnitCounts) -> HoldingUnits {
        let number = |text| MeasureExpr::read(text, &[kind]).ok()?.evaluate(counts);
        let UnitCounts { points, group, whole, .. } = *counts;
        HoldingUnits { points, group, whole, numbers: [HOLDS, "holds >= 1"].map(number) }
    }
}

/// Returns how many counted units hold in each answer, in words and numbers, if any are counted.
pub fn mean_holding(
    counts: &[Option<&HoldingUnits>],
) -> Option<(String, Style, Vec<Option<Number>>)> {
    let known = || counts.iter().copied().flatten();
    let after = known().next()?.points;
    let after = after.map_or(String::new(), |points| format!(" after the last {points}"));
    let are_several = known().any(|counts| counts.whole > counts.group.parts);
    let number = |held: &HoldingUnits| held.numbers[usize::from(!are_several)];
    let numbers = counts.iter().map(|held| held.and_then(number)).collect();
    let sorts: IndexSet<(u8, &str)> =
        known().map(|counts| (counts.whole, counts.group.written)).collect();
    let sorts = Vec::from_iter(sorts);
    let of = match &sorts[..] {
        [(whole, group)] => format!("of {whole} {group}"),
        [(_, first), ..] if sorts.iter().all(|(_, group)| group == first) => first.to_string(),
        _ => UNITS.to_string(),
    };
    Some(match are_several {
        true => (format!("How many {of} hold on average{after}"), Style::Number, numbers),
        false => (format!("How often the unit holds{after}"), Style::Odds, numbers),
    })
}

/// Returns the probability of success at the last report point, or the last expected value.
pub fn success_number(facts: &QuestionFacts, table: &Table) -> Option<Number> {
    let Some(success) = success(facts) else {
        return table.expected.last().map(|expected| Number::Mean(expected.mean));
    };
    let by_point = success_by_point(&table.rows, success, facts.units.into());
    by_point.last().map(|(_, figure)| Number::Odds(*figure))
}

pub(super) fn success(facts: &QuestionFacts) -> Option<Success> {
    Some(facts.success).filter(|success| !success.statuses.is_empty())
}

/// Describes the unit and its success: `the unit`, `rallied after the last phase`.
pub fn in_words(facts: &QuestionFacts) -> Option<(&'static str, &'static str)> {
    let success = success(facts)?;
    let unit = if facts.units == 1 { "the unit" } else { "the last unit" };
    Some((success.of.unwrap_or(unit), success.words))
}

/// Returns the probability of success of the last of the first `units` units at each report point,
/// or at point 1 without phases and steps. Units created later have higher slots and do not count.
pub(super) fn success_by_point(rows: &[Row], success: Success, units: i64) -> Vec<(i64, Estimate)> {
    let mut by_point: BTreeMap<i64, (i64, Estimate)> = BTreeMap::new();
    for Row { label, figure, .. } in rows {
        let own = label.slot.map(i64::from).filter(|slot| label.unit.is_some() && *slot <= units);
        let Some(slot) = own else { continue };
        let point = label.phase.or(label.step).map_or(1, i64::from);
        let (last, sum) = by_point.entry(point).or_insert((slot, figure.of_none()));
        if slot > *last {
            (*last, *sum) = (slot, figure.of_none());
        }
        if slot == *last && label.status.is_some_and(|status| success.statuses.contains(&status)) {
            *sum = sum.or(*figure);
        }
    }
    by_point.into_iter().map(|(point, (_, sum))| (point, sum)).collect()
}
