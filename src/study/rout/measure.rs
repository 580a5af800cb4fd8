//! The number that a table shows of a situation: of the last unit's best plan, or over all units.

use super::super::number::cell_value;
use super::super::number_table::{CellValue, Style};
use answer::{Counting, Estimate, Options};
use asl::counting::MEASURES;
use asl::course::phase::{InOrder, SCHEME, counts, in_order};
use asl::course::rout::{BEST, Prospect, final_state};
use asl::rout::Situation;
use engine::EngineError;
use engine::text::{Fault, canonical};
use play::{Measurement, Objective};

/// The statuses that count as success for the last unit, in words.
pub const SUCCESS: &str = "in woods or a building after its best plan, neither lost nor captured";

#[derive(Clone, Debug, Default)]
pub enum RoutMeasure {
    /// The probability of success of the last unit.
    #[default]
    Success,
    /// The kind of the last unit's best plan, and its margin over the best plan of another kind.
    Choice,
    /// The margin of the best plan of the last unit over its best plan of another kind.
    Margin,
    /// A measure or count over all units, which rout one after another in the order of the file.
    Of(Objective),
}

const CHOICE: &str = "choice";
const MARGIN: &str = "margin";
const SURRENDER: &str = "surrender";

impl RoutMeasure {
    /// Parses `choice`, `margin`, or the name of a measure or count.
    ///
    /// # Errors
    ///
    /// Fails if the name is unknown, or if the count is not taken at the end.
    pub fn read(text: &str) -> Result<RoutMeasure, Fault> {
        match canonical(text).as_str() {
            CHOICE => return Ok(RoutMeasure::Choice),
            MARGIN => return Ok(RoutMeasure::Margin),
            _ => {}
        }
        let objective = Objective::read(text, MEASURES, &[&SCHEME]).map_err(|fault| {
            if fault.help.is_none() || text.split_whitespace().count() > 1 {
                return fault;
            }
            let names = MEASURES.iter().map(|measure| measure.name);
            let classes = SCHEME.classes.iter().map(|class| class.name);
            fault.expecting(text, [CHOICE, MARGIN].into_iter().chain(names).chain(classes))
        })?;
        match objective.measure() {
            Some(expr) if expr.at.is_some() => {
                Err(Fault::new("a rout has results only at its end: remove `@`", 0..text.len()))
            }
            _ => Ok(RoutMeasure::Of(objective)),
        }
    }

    /// Returns whether a lower number is better.
    pub fn is_minimized(&self) -> bool {
        matches!(self, RoutMeasure::Of(objective) if objective.is_minimized())
    }

    /// Returns the name as written in a study file; `None` for the default.
    pub fn name(&self) -> Option<String> {
        match self {
            RoutMeasure::Success => None,
            RoutMeasure::Choice => Some(CHOICE.to_string()),
            RoutMeasure::Margin => Some(MARGIN.to_string()),
            RoutMeasure::Of(objective) => Some(objective.to_string()),
        }
    }

    /// Describes the number for a situation with `units` routing units, and returns its format.
    pub fn in_words(&self, units: usize) -> (String, Style) {
        let unit = if units > 1 { "the last unit" } else { "the unit" };
        match self {
            RoutMeasure::Success => (format!("How often the last unit is {SUCCESS}"), Style::Odds),
            RoutMeasure::Choice => {
                let words = format!("The best kind of plan for {unit}: {BEST}");
                (words, Style::Choice { of_odds: true })
            }
            RoutMeasure::Margin => {
                let than = "is better than one of another kind";
                (format!("By how much the best plan of {unit} {than}: {BEST}"), Style::Points)
            }
            RoutMeasure::Of(objective) => {
                let is_odds = objective.is_odds(units > 1);
                let style = if is_odds { Style::Odds } else { Style::Number };
                (format!("{}, by best play", objective.in_words(units > 1)), style)
            }
        }
    }

    /// Returns a situation's number, if any, from plans `last` and odds `success` of its last unit.
    ///
    /// # Errors
    ///
    /// Fails if the engine is cancelled or exceeds a limit.
    pub fn number(
        &self,
        situation: &Situation,
        last: &Prospect,
        success: Option<Estimate>,
        options: &Options,
    ) -> Result<Option<CellValue>, EngineError> {
        Ok(match self {
            RoutMeasure::Success => success.map(Measurement::Odds).as_ref().map(cell_value),
            RoutMeasure::Choice | RoutMeasure::Margin => best(last),
            RoutMeasure::Of(objective) => all(situation, objective, options)?,
        })
    }
}

/// Returns the kind of the best plan and its margin over another kind; `None` without plans.
fn best(Prospect { ruling, courses, .. }: &Prospect) -> Option<CellValue> {
    let best = courses.first()?;
    let kind = best.plan.kind();
    let other = courses.iter().find(|course| course.plan.kind() != kind);
    let (word, other) = if ruling.surrenders { (SURRENDER, None) } else { (kind, other) };
    let value = other.map_or(0.0, |other| best.lead(other));
    Some(CellValue { value, interval: None, word: Some(word.to_string()) })
}

fn all(
    situation: &Situation,
    objective: &Objective,
    options: &Options,
) -> Result<Option<CellValue>, EngineError> {
    let order: Vec<usize> = (0..situation.routers.len()).collect();
    if let Some(expr) = objective.measure() {
        let (group, end) = (expr.group, expr.further_end(&SCHEME));
        let counting = Counting { group, end, is_requested: true, ..Counting::IMPLICIT };
        let counts = counts(situation, &order, counting, options)?;
        return Ok(counts.and_then(|counts| expr.evaluate(&counts)).as_ref().map(cell_value));
    }
    let worth = |phase: InOrder| {
        let units = phase.order.iter().zip(&phase.odds);
        let worth = units.flat_map(|(&unit, odds)| {
            let began = situation.routers[unit].member.printed();
            odds.iter().map(move |chance| {
                chance.probability
                    * objective.worth(&final_state(&chance.outcome, began).in_order())
            })
        });
        CellValue { value: objective.number(worth.sum()), ..CellValue::default() }
    };
    Ok(in_order(situation, &order, options.watch)?.map(worth))
}
