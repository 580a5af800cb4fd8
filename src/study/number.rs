//! The number that is told of an answer: how likely what is hoped for is, or another that is asked
//! for by name.

use std::collections::BTreeMap;

use super::told::{CellValue, Style};
use crate::table::{Cell, Column, Estimate, Mean, Meta, Row, Table, figure_cells, figure_columns};
use engine::EngineError;
use engine::text::Fault;
use files::objective::untold;
use system::answer::Options;
use system::asking::DynQuestion;
use system::count::{Group, HOLDS};
use system::counts::UnitCounts;
use system::form::{FieldFault, Form, RawValue};
use system::objective::Objective;
use system::tell::{MeasureExpr, Measurement as Number};
use system::{Game, Kind, QuestionInfo, Success};

/// The key and the option that name a number.
pub const TELL: &str = "tell";
/// What units of different groups are called together.
const UNITS: &str = "units";

/// The number that a study shows of each cell.
#[derive(Clone, Debug, Default)]
pub enum CellMeasure {
    /// How likely what is hoped for is, of the last unit; where nothing is, what is expected.
    #[default]
    Hoped,
    /// A measure, or a number of counts.
    Of(Objective),
}

impl CellMeasure {
    /// The one of that name, of a kind of question.
    pub fn read(text: &str, game: &dyn Game, kind: &'static Kind) -> Result<CellMeasure, Fault> {
        let objective = Objective::read(text, game.measures(), &[kind])?;
        match kind.untold.iter().find(|untold| objective.weighs(untold)) {
            Some(measure) => Err(untold(kind, measure, game.measures(), 0..text.len())),
            None => Ok(CellMeasure::Of(objective)),
        }
    }

    /// Whether a question tells it.
    pub fn check(&self, words: &dyn QuestionInfo) -> Result<(), FieldFault> {
        match self {
            CellMeasure::Hoped => Ok(()),
            CellMeasure::Of(objective) => {
                objective.check(words).map_err(FieldFault::in_field(TELL))
            }
        }
    }

    /// Whether a mean is a share: of one unit, which is there or not.
    pub fn is_share(&self, words: &dyn QuestionInfo) -> bool {
        let CellMeasure::Of(objective) = self else { return false };
        let whole = |tell: &MeasureExpr| tell.group.is_none_or(|group| group.parts == 1);
        words.units() == 1 && objective.measure().is_some_and(whole)
    }

    /// Whether less of it is better.
    pub fn is_minimized(&self) -> bool {
        matches!(self, CellMeasure::Of(objective) if objective.is_minimized())
    }

    /// As it is written; nothing where none is named.
    pub fn name(&self) -> Option<String> {
        if let CellMeasure::Of(objective) = self { Some(objective.to_string()) } else { None }
    }

    /// What is told of a question, in words, and how numbers of it are written.
    pub fn in_words(&self, words: &dyn QuestionInfo) -> (String, Style) {
        match (self, in_words(words)) {
            (CellMeasure::Of(objective), _) => match objective.measure() {
                Some(tell) if tell.is_odds() => (tell.in_words(), Style::Odds),
                Some(tell) => (tell.in_words(), Style::Number),
                None => (objective.in_words(words.units() > 1), Style::Number),
            },
            (CellMeasure::Hoped, Some((of, hope))) => {
                (format!("How often {of} is {hope}"), Style::Odds)
            }
            (CellMeasure::Hoped, None) => match words.quantities().pop() {
                Some(quantity) => (format!("Expected {quantity}"), Style::Number),
                None => ("Nothing is hoped for here".to_string(), Style::Number),
            },
        }
    }

    /// The number of a question, which `form` has made, and how it was come by; `answer` answers the
    /// question where that tells it.
    pub fn number(
        &self,
        form: &dyn Form,
        question: &dyn DynQuestion,
        answer: impl FnOnce() -> Result<Table, EngineError>,
        options: &Options,
    ) -> Result<(Option<Number>, Meta), EngineError> {
        // Where rows are of all units together, the same is asked unit by unit.
        let alone = match question.words().is_joint() {
            true => apart(form).ok(),
            false => None,
        };
        let asked = alone.as_deref().unwrap_or(question);
        let meta = || question.meta(String::new());
        match (self, &alone) {
            (CellMeasure::Of(objective), _) => asked.measure(objective, options, meta()),
            (CellMeasure::Hoped, Some(alone)) => {
                let table = alone.answer(options, meta())?;
                Ok((hoped_of(alone.words(), &table), table.meta))
            }
            (CellMeasure::Hoped, None) => {
                let table = answer()?;
                Ok((hoped_of(question.words(), &table), table.meta))
            }
        }
    }
}

/// A number as it stands in a table for people.
pub fn cell_value(number: &Number) -> CellValue {
    match number {
        Number::Odds(figure) => {
            CellValue { value: figure.probability(), interval: figure.interval(), word: None }
        }
        Number::Mean(mean) => {
            CellValue { value: mean.value, interval: mean.interval(), word: None }
        }
    }
}

/// The columns of numbers where rows are cells: those of a figure, or of a mean.
pub fn number_columns(style: Style) -> Vec<(&'static str, Column)> {
    match style {
        Style::Odds => figure_columns().to_vec(),
        _ => vec![
            ("mean", Column::Float),
            ("std_error", Column::Float),
            ("ci_low", Column::Float),
            ("ci_high", Column::Float),
            ("fraction", Column::Text),
        ],
    }
}

/// The cells of a number, in the order of [`number_columns`].
pub fn number_cells(number: &Number) -> Vec<Cell> {
    let float = |number: Option<f64>| number.map_or(Cell::Null, Cell::Float);
    match number {
        Number::Odds(figure) => figure_cells(figure).to_vec(),
        Number::Mean(mean) => {
            let Mean { value, fraction, std_error } = mean;
            let (low, high) = mean.interval().unzip();
            let fraction = fraction.map_or(Cell::Null, |fraction| Cell::Text(fraction.to_string()));
            vec![Cell::Float(*value), float(*std_error), float(low), float(high), fraction]
        }
    }
}

/// The question of a form with what changes the columns left out.
fn apart(form: &dyn Form) -> Result<Box<dyn DynQuestion>, FieldFault> {
    let mut form = form.boxed();
    for field in form.kind().fields().filter(|field| !field.sweeps) {
        // What is no flag stays as it is.
        let _ = form.set(field.name, RawValue::Boolean(false));
    }
    form.finish()
}

/// Whether all that is hoped for of units is that they hold, so that how many do says it too.
pub fn hopes_to_hold(words: &dyn QuestionInfo) -> bool {
    let (kind, hope) = (words.kind(), words.hoped());
    let is_hoped = |status: &&str| hope.statuses.contains(status);
    let holds = kind.classes.first().filter(|class| class.name == HOLDS);
    holds.is_some_and(|class| class.statuses.iter().all(is_hoped)) && !kind.groups.is_empty()
}

/// What the counts of an answer say of those that hold.
pub struct Held {
    points: Option<&'static str>,
    group: &'static Group,
    /// Units that are counted.
    whole: u8,
    /// How many hold on average, and how likely it is that one does.
    numbers: [Option<Number>; 2],
}

impl Held {
    pub fn of(kind: &'static Kind, counts: &UnitCounts) -> Held {
        let number = |text| MeasureExpr::read(text, &[kind]).ok()?.evaluate(counts);
        let UnitCounts { points, group, whole, .. } = *counts;
        Held { points, group, whole, numbers: [HOLDS, "holds >= 1"].map(number) }
    }
}

/// How many of the units that are counted hold in each answer: on average, or how likely it is
/// where none has more than one; in words, and for each. None where nothing was counted.
pub fn held(counts: &[Option<&Held>]) -> Option<(String, Style, Vec<Option<Number>>)> {
    let known = || counts.iter().copied().flatten();
    let after = known().next()?.points;
    let after = after.map_or(String::new(), |points| format!(" after the last {points}"));
    let are_several = known().any(|counts| counts.whole > counts.group.parts);
    let number = |held: &Held| held.numbers[usize::from(!are_several)];
    let numbers = counts.iter().map(|held| held.and_then(number)).collect();
    let mut sorts: Vec<(u8, &str)> = Vec::new();
    for sort in known().map(|counts| (counts.whole, counts.group.name)) {
        if !sorts.contains(&sort) {
            sorts.push(sort);
        }
    }
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

/// How likely what is hoped for is, or what is expected.
pub fn hoped_of(words: &dyn QuestionInfo, table: &Table) -> Option<Number> {
    let hope = words.hoped();
    if hope.statuses.is_empty() {
        return table.expected.last().map(|expected| Number::Mean(expected.mean));
    }
    let hoped = hoped(&table.rows, hope, words.units().into());
    hoped.last().map(|(_, figure)| Number::Odds(*figure))
}

/// What is hoped for, of whom: `the unit`, `rallied after the last phase`; nothing where nothing is.
pub fn in_words(words: &dyn QuestionInfo) -> Option<(&'static str, &'static str)> {
    let hope = Some(words.hoped()).filter(|hope| !hope.statuses.is_empty())?;
    let unit = if words.units() == 1 { "the unit" } else { "the last unit" };
    Some((hope.of.unwrap_or(unit), hope.words))
}

/// How likely what is hoped for of the last of the own `units` is, by phase, turn or step, or once;
/// `units` created on the way come after those and do not count.
pub(super) fn hoped(rows: &[Row], hope: Success, units: i64) -> Vec<(i64, Estimate)> {
    let mut by_point: BTreeMap<i64, (i64, Estimate)> = BTreeMap::new();
    for Row { label, figure, .. } in rows {
        let own = label.slot.map(i64::from).filter(|slot| label.unit.is_some() && *slot <= units);
        let Some(slot) = own else { continue };
        let point = label.phase.or(label.step).map_or(1, i64::from);
        let (last, sum) = by_point.entry(point).or_insert((slot, figure.of_none()));
        if slot > *last {
            (*last, *sum) = (slot, figure.of_none());
        }
        if slot == *last && label.status.is_some_and(|status| hope.statuses.contains(&status)) {
            *sum = sum.or(*figure);
        }
    }
    by_point.into_iter().map(|(point, (_, sum))| (point, sum)).collect()
}
