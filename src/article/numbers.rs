//! Finds the numbers of an answer by their names, for claims and code spans of an article.

use indexmap::IndexSet;

use super::fence_info::{refused, span, wrong};
use crate::cli::fault::{Failure, Result};
use crate::cli::reply::Reply;
use crate::cli::stop::watch;
use crate::study::number::{CellMeasure, cell_value, success_number};
use crate::study::number_table::{CellValue, Numbers, Style, value};
use answer::estimate::{CONFIDENCE, percent_to, points_to};
use answer::{Cell, Estimate, Options, Row, Sheet, Table};
use api::Answer;
use api::odds::OddsAnswer;
use asl::course::rout::CourseSummary;
use asl::scenario::answer::RouterAnswer;
use charts::chart::Unit;
use engine::stats::normal_half_width;
use engine::text::{Fault, canonical};
use play::compare::{ComparedCourse, Weighed};
use play::{Measurement as OfCounts, Objective, Registry, Valued};

/// A number of an answer, with the names by which an article can refer to it.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedNumber {
    /// The names of its row: fields with values (`leader 9-1`), course, choice, or unit and plan.
    pub parts: Vec<String>,
    /// The number; its word is the best choice in the row, if the number is the margin of it.
    pub number: CellValue,
    pub unit: Unit,
    pub is_minimized: bool,
}

impl NamedNumber {
    fn exact(parts: Vec<String>, value: f64, unit: Unit) -> NamedNumber {
        let number = CellValue { value, ..CellValue::default() };
        NamedNumber { parts, number, unit, is_minimized: false }
    }

    /// Returns the limits of the 95 % interval; both equal an exact number.
    pub fn ends(&self) -> (f64, f64) {
        self.number.interval.unwrap_or((self.number.value, self.number.value))
    }

    /// Returns the advantage over `other`, and its lower bound from both 95 % intervals.
    pub fn lead(&self, other: &NamedNumber) -> (f64, f64) {
        let ((low, high), (other_low, other_high)) = (self.ends(), other.ends());
        match self.is_minimized {
            true => (other.number.value - self.number.value, other_low - high),
            false => (self.number.value - other.number.value, low - other_high),
        }
    }

    pub fn render(&self, digits: usize) -> String {
        let one = |value: f64| match self.unit {
            Unit::Odds => percent_to(value, digits),
            Unit::Points => points_to(value, digits).trim_start_matches('+').to_string(),
            // Two decimals would print a small number as 0.00.
            Unit::Number if value != 0.0 && value.abs() < 0.005 => format!("{value:.2e}"),
            Unit::Number => format!("{value:.0$}", digits.max(2)),
        };
        let CellValue { value, interval, .. } = self.number;
        let interval =
            interval.map(|(low, high)| format!(" (95 %: {} to {})", one(low), one(high)));
        one(value) + &interval.unwrap_or_default()
    }
}

/// Returns all rows of an answer. A single question has at most one: its success, or a mean.
pub fn rows(reply: &Reply) -> Vec<NamedNumber> {
    match reply {
        Reply::Lists { answers, .. } => {
            let style = if answers.is_share { Style::Odds } else { answers.meant.style };
            of_cells(&answers.numbers(), style, answers.meant.is_minimized)
        }
        Reply::Study(studied) => {
            of_cells(&studied.numbers, studied.meant.style, studied.meant.is_minimized)
        }
        Reply::Facts(facts) => of_facts(&facts.sheet),
        Reply::Answer { answer, .. } => match answer {
            Answer::Question(OddsAnswer { question, table }) => {
                success_number(&question.words().facts(), table).iter().map(from_counts).collect()
            }
            Answer::Compare(side) => {
                let unit = unit_of(&side.objective, side.compared.several());
                let is_minimized = side.objective.is_minimized();
                let courses = side.names.iter().zip(&side.compared.courses);
                let course = |(name, course): (&String, &ComparedCourse)| {
                    let Weighed { value, std_error, .. } = course.objective;
                    let half = std_error.map(|error| normal_half_width(error, CONFIDENCE));
                    let interval = half.map(|half| (value - half, value + half));
                    let number = CellValue { value, interval, word: None };
                    NamedNumber { parts: vec![name.clone()], number, unit, is_minimized }
                };
                courses.map(course).collect()
            }
            Answer::Solve(played) => {
                let unit = unit_of(
                    &played.request.objective,
                    played.request.question.words().facts().units > 1,
                );
                let is_minimized = played.request.objective.is_minimized();
                let choices = played.solved.opening.iter().flat_map(|opening| &opening.choices);
                let number = |choice: &Valued| NamedNumber {
                    is_minimized,
                    ..NamedNumber::exact(vec![choice.option.clone()], choice.value[0], unit)
                };
                choices.map(number).collect()
            }
            Answer::Rout(routed) => {
                let situation = &routed.scenario.situation;
                let of_unit = |answered: &RouterAnswer| {
                    let name = situation.unit_called(answered.unit);
                    let number = |(plan, best): (String, CourseSummary)| {
                        NamedNumber::exact(vec![name.clone(), plan], best.survives, Unit::Odds)
                    };
                    answered.plans(situation).map(number).collect::<Vec<_>>()
                };
                routed.answers.iter().flat_map(of_unit).collect()
            }
            _ => Vec::new(),
        },
    }
}

/// The columns of facts that are probabilities, with their names in an article if they have others.
const SHARES: [(&str, &str); 5] = [
    ("at_most", "so low"),
    ("at_least", "so high"),
    ("so_far_apart", "so far apart"),
    ("first_phase", "first phase"),
    ("within", "within"),
];

/// Returns every number of a table of facts, named by the texts of its row and by its column.
fn of_facts(sheet: &Sheet) -> Vec<NamedNumber> {
    let number = |column: &str, cell: &Cell, texts: &[String]| {
        let value = match cell {
            Cell::Float(value) => *value,
            Cell::Integer(value) => *value as f64,
            _ => return None,
        };
        let share = SHARES.iter().find(|(name, _)| *name == column);
        let name = share.map_or(column, |(_, name)| name).to_string();
        let unit = if share.is_some() { Unit::Odds } else { Unit::Number };
        Some(NamedNumber::exact([texts, &[name]].concat(), value, unit))
    };
    let of_row = |row: &Vec<Cell>| {
        let texts = row.iter().filter(|cell| matches!(cell, Cell::Text(_))).map(Cell::text);
        let texts: Vec<String> = texts.collect();
        let cells = sheet.columns.iter().zip(row);
        cells.filter_map(|((name, _), cell)| number(name, cell, &texts)).collect::<Vec<_>>()
    };
    sheet.rows.iter().flat_map(of_row).collect()
}

fn unit_of(objective: &Objective, several: bool) -> Unit {
    if objective.is_odds(several) { Unit::Odds } else { Unit::Number }
}

fn of_cells(numbers: &Numbers, style: Style, is_minimized: bool) -> Vec<NamedNumber> {
    let cell = |(cells, measured): &(Vec<Cell>, Option<CellValue>)| {
        let parts = numbers.fields.iter().zip(cells);
        let parts = parts.map(|(field, cell)| format!("{field} {}", value(cell))).collect();
        Some(NamedNumber { parts, number: measured.clone()?, unit: style.unit(), is_minimized })
    };
    numbers.cells.iter().filter_map(cell).collect()
}

fn from_counts(counts: &OfCounts) -> NamedNumber {
    let unit = if matches!(counts, OfCounts::Odds(_)) { Unit::Odds } else { Unit::Number };
    NamedNumber { parts: Vec::new(), number: cell_value(counts), unit, is_minimized: false }
}

/// Returns whether `name`, or a part of it, is `part` or its value, with or without the nation.
pub fn names(name: &str, part: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let part = plain(part);
    let (field, value) = part.split_once(' ').unwrap_or(("", &part));
    let bare = value.rsplit(':').next().unwrap_or_default();
    let spellings = [part.as_str(), value, bare, &format!("{field} {bare}")];
    name.split(", ").map(plain).any(|name| spellings.contains(&name.as_str()))
}

/// Returns the rows that match every comma-separated part of `name`. Fails if no row matches.
pub fn named<'a>(text: &str, name: &str, rows: &'a [NamedNumber]) -> Result<Vec<&'a NamedNumber>> {
    let is_named = |row: &&NamedNumber| {
        name.split(", ").all(|one| row.parts.iter().any(|part| names(one, part)))
    };
    let selected: Vec<&NamedNumber> = rows.iter().filter(is_named).collect();
    if !selected.is_empty() {
        return Ok(selected);
    }
    let known: IndexSet<&str> =
        rows.iter().flat_map(|row| row.parts.iter().map(String::as_str)).collect();
    let fault = Fault::new(format!("the answer has no row `{name}`"), span(text, name));
    Err(wrong(text, fault.expecting(name, known)))
}

/// Returns the numbers that `term` names, or all numbers if `term` is empty.
pub fn find(term: &str, reply: &Reply, registry: &Registry) -> Result<Vec<NamedNumber>> {
    let rows = rows(reply);
    if let Reply::Answer { answer: Answer::Question(odds), options, .. } = reply
        && !term.is_empty()
    {
        return of_question(term, odds, options, registry).map(|number| vec![number]);
    }
    if !term.is_empty() {
        return Ok(named(term, term, &rows)?.into_iter().cloned().collect());
    }
    let fault = || wrong(term, Fault::new("the answer has no numbers", 0..0));
    Some(rows).filter(|rows| !rows.is_empty()).ok_or_else(fault)
}

/// Returns the number that `term` names: the probability of an outcome, a measure or a count.
fn of_question(
    term: &str,
    odds: &OddsAnswer,
    options: &Options<'static>,
    registry: &Registry,
) -> Result<NamedNumber> {
    let facts = odds.question.words().facts();
    let status = term.split_whitespace().next().map(canonical).unwrap_or_default();
    if facts.kind.statuses.contains(&status.as_str()) && facts.units == 1 && !facts.is_joint {
        return outcome(term, &status, &odds.table);
    }
    let kind = facts.kind;
    let game = registry.game_of(kind);
    let telling = CellMeasure::read(term, game, kind).map_err(|fault| wrong(term, fault))?;
    telling.check(odds.question.words()).map_err(|fault| wrong(term, fault.fault))?;
    let is_share = telling.is_share(&facts);
    let CellMeasure::Of(objective) = telling else { return Err(nothing(term)) };
    let options = Options { watch: watch(), ..*options };
    let (number, _) =
        odds.question.measure(&objective, &options, odds.question.meta(String::new()))?;
    let number = number.map(|number| from_counts(&number)).ok_or_else(|| nothing(term))?;
    Ok(if is_share { NamedNumber { unit: Unit::Odds, ..number } } else { number })
}

fn nothing(term: &str) -> Failure {
    wrong(term, Fault::new("the answer has no such number", 0..term.len()))
}

/// Returns the probability of `status` (and a counter in `term`) at the point `@`, or the last.
fn outcome(term: &str, status: &str, table: &Table) -> Result<NamedNumber> {
    let mut words: Vec<&str> = term.split_whitespace().skip(1).collect();
    let last = table.rows.iter().filter_map(|row| row.label.phase.or(row.label.step)).max();
    let at = match words.iter().position(|word| *word == "@") {
        None => last,
        Some(sign) => {
            let number = words.get(sign + 1).and_then(|word| word.parse().ok());
            let known =
                number.filter(|number| last.is_some_and(|last| (1..=last).contains(number)));
            words.truncate(sign);
            Some(known.ok_or_else(|| {
                let message = "expected a phase or step of the answer after `@`";
                let help = last.map_or(String::new(), |last| format!("the last is {last}"));
                refused(term, message, span(term, "@"), help)
            })?)
        }
    };
    let counter = words.join(" ");
    let is_own =
        |Row { label, .. }: &&Row| label.slot == Some(1) && label.phase.or(label.step) == at;
    let own = || table.rows.iter().filter(is_own);
    let counters = || own().filter_map(|row| row.label.counter.as_deref());
    if !counter.is_empty() && counters().all(|known| known != counter) {
        let fault = Fault::new(format!("the unit never ends as `{counter}`"), span(term, &counter));
        return Err(wrong(term, fault.expecting(&counter, counters())));
    }
    let is_so = |row: &&Row| {
        row.label.status == Some(status)
            && (counter.is_empty() || row.label.counter.as_deref() == Some(counter.as_str()))
    };
    let none = own().next().map(|row| row.figure.of_none());
    let figure = own().filter(is_so).map(|row| row.figure).reduce(Estimate::or).or(none);
    figure.map(|figure| from_counts(&OfCounts::Odds(figure))).ok_or_else(|| nothing(term))
}

/// Checks that `by` is the first phase by which at least one unit holds with probability 1/2.
/// Returns `None`, or the true statement.
pub fn even_odds(claim: &str, reply: &Reply, by: u16) -> Result<Option<String>> {
    let Reply::Answer { answer: Answer::Question(OddsAnswer { table, .. }), .. } = reply else {
        return Err(nothing(claim));
    };
    let wait = table.counts.as_ref().and_then(|counts| counts.waiting().into_iter().next());
    match wait.ok_or_else(|| nothing(claim))?.median {
        Some(median) if median == by => Ok(None),
        Some(median) => Ok(Some(format!("odds are even by {median}"))),
        None => Ok(Some("odds are not even by any phase of the answer".to_string())),
    }
}
