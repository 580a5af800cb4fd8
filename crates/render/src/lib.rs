//! Answers for readers: sentences, tables and charts, alike on terminals, in Markdown and on pages.

mod along_path;
pub mod chart;
mod compare;
mod curves;
pub mod document;
pub mod escape;
mod first_screen;
mod impact;
mod joint;
pub mod layout;
mod markdown;
pub mod rout;
mod screen;
mod solve;
mod trace;
mod two_sides;
mod units;

use std::collections::BTreeMap;

use answer::estimate::certain_to;
use answer::{Cell, Estimate, Expected, Meta, Provenance, Row, Table};
use api::Answer;
use api::board::Checked;
use api::odds::OddsAnswer;
pub use api::odds::point;
use api::reckoning::ReckonedAnswer;
use document::{Block, Document, aligned, paragraph};
use engine::EngineError;
use engine::monitor::Monitor;
use engine::stats::Proportion;
use joint::Together;
use layout::Digits;
use play::DynQuestion;

pub use markdown::{captioned, heading, render as markdown};

/// Options for the content and the style of a rendered answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Looks {
    /// True if the map is shown above the answer about a rout.
    pub map: bool,
    /// Largest number of plans shown for each routing unit, and of orders of the units; 0 for all.
    pub most: usize,
    pub colours: bool,
    /// True if every outcome and note is shown, not the first screen alone.
    pub all: bool,
    /// True if counts of units are shown instead of outcomes.
    pub counts: bool,
    pub digits: Digits,
}

/// Renders an answer.
///
/// # Errors
///
/// Fails if the computation that compares a best play with fixed policies is cancelled.
pub fn render(answer: &Answer, looks: &Looks, watch: Monitor) -> Result<Document, EngineError> {
    let document = match answer {
        Answer::Question(OddsAnswer { question, table }) => {
            of_question(question.as_ref(), table, looks)
        }
        Answer::Reckoning(reckoning) => of_reckoning(reckoning, looks.digits),
        Answer::Trace(traced) => trace::render(traced, looks.digits),
        Answer::Impact(moved) => impact::render(moved, looks.digits),
        Answer::Compare(side) => compare::ComparisonText(side, looks.digits).render(),
        Answer::Solve(played) => solve::render(played, looks, watch)?,
        Answer::RoutFindings(findings) => rout::report(findings.report.clone()),
        Answer::Rout(routed) => rout::render(routed, looks),
        Answer::Check(checked) => of_check(checked, looks.digits),
    };
    Ok(document.fitted())
}

fn of_question(question: &dyn DynQuestion, table: &Table, looks: &Looks) -> Document {
    if !looks.all {
        return first_screen::render(question, table, looks);
    }
    let words = question.words();
    let counts = table.counts.as_ref().filter(|_| looks.counts);
    let body = match (counts, words.facts().is_joint, words.facts().points) {
        (Some(counts), ..) => units::counted(counts, looks.digits),
        (None, true, point) => {
            Together::new(words, table).render(point.unwrap_or_default(), looks, usize::MAX)
        }
        (None, false, _) => {
            let facts = words.facts();
            let is_on_path = facts.kind.has_locations();
            let fates = is_on_path.then(|| along_path::whole(&facts, table, looks.digits));
            units::render(question, table, looks, fates)
        }
    };
    let expected: Document = expected(table).map(Document::from).collect();
    let place = two_sides::of_place(table, words.facts().points, usize::MAX, looks.digits);
    let mut document = paragraph(&table.meta.question) + Block::Gap + body;
    if !place.pieces().is_empty() {
        document += Document::from(Block::Gap) + place;
    }
    if !expected.pieces().is_empty() {
        document += Document::from(Block::Gap) + expected;
    }
    document + Block::Gap + provenance(&table.meta)
}

/// Renders what a question reckons before its first roll, without its odds.
fn of_reckoning(ReckonedAnswer { reckoned, meta }: &ReckonedAnswer, digits: Digits) -> Document {
    let after = reckoned.after.iter().map(|sentence| paragraph(sentence));
    let numbers = reckoned.numbers.iter().map(|(name, number)| format!("{name} {number}"));
    let rows = match reckoned.rows.is_empty() {
        true => paragraph(&format!("{}.", numbers.collect::<Vec<_>>().join(", "))),
        false => units::reckoned_rows(reckoned),
    };
    paragraph(&meta.question)
        + Block::Gap
        + rows
        + units::first_results(&reckoned.first_roll, digits)
        + after.collect::<Document>()
        + Block::Gap
        + provenance(meta)
}

/// Returns a sentence for each expected value, except those that are certainly 0.
fn expected(table: &Table) -> impl Iterator<Item = String> {
    let is_shown = |expected: &&Expected| {
        expected.mean.value != 0.0
            || expected.mean.std_error.is_some_and(|std_error| std_error > 0.0)
    };
    table.expected.iter().filter(is_shown).map(|expected| format!("{expected}."))
}

/// Renders the agreement of a board's computed lines of sight with a table of them.
fn of_check(checked: &Checked, digits: Digits) -> Document {
    let cell = |cell: &Cell| match cell {
        Cell::Float(share) => digits.percent(*share),
        Cell::Null => "-".to_string(),
        other => other.text(),
    };
    let sheet = checked.sheet();
    let rows = sheet.rows.iter().map(|row| row.iter().map(cell).collect());
    let headings =
        ["range", "pairs", "clear", "agreement", "recall", "precision", "same Hindrances"];
    aligned(headings, rows, &[true])
}

/// Returns the text with a capital first letter.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    first.to_uppercase().chain(letters).collect()
}

/// Returns the name of the unit in each slot, behind its side if there are two; `None` for a
/// created unit without a side.
fn slots(table: &Table) -> BTreeMap<u8, Option<String>> {
    let name = |Row { label, .. }: &Row| match (label.side.as_deref(), &label.unit) {
        (Some(side), unit) => {
            let unit = unit.as_deref().unwrap_or("created unit");
            Some(format!("{side} {unit}"))
        }
        (None, unit) => unit.clone(),
    };
    table.rows.iter().filter_map(|row| Some((row.label.slot?, name(row)))).collect()
}

fn unit_name(slot: u8, unit: Option<&str>, several: bool) -> String {
    match unit {
        None => format!("created unit [{slot}]"),
        Some(unit) if several => format!("{unit} [{slot}]"),
        Some(unit) => unit.to_string(),
    }
}

fn sum(rows: &[&Row]) -> Option<Estimate> {
    rows.iter().map(|row| row.figure).reduce(Estimate::or)
}

/// Formats a probability; `None` is that of an outcome which is impossible or was not seen.
fn odds(table: &Table, figure: Option<Estimate>, digits: Digits) -> String {
    match (figure, unseen(&table.meta)) {
        (Some(figure), _) => digits.in_full(&figure),
        (None, None) => "never".to_string(),
        (None, Some(unseen)) => {
            format!("not seen (95 %: below {})", digits.percent(figure_high(&unseen)))
        }
    }
}

/// Returns the estimate for outcomes without a row; `None` if every possible outcome has one.
fn unseen(meta: &Meta) -> Option<Estimate> {
    meta.unseen?;
    meta.trials.map(|trials| Estimate::Estimate(Proportion { count: 0, trials }))
}

/// Returns the upper end (0 to 1) of an estimate's interval, or 1 if it is exact.
fn figure_high(figure: &Estimate) -> f64 {
    figure.interval().map_or(1.0, |(_, high)| high)
}

/// Returns half the width of the widest 95 % interval; `None` without estimates.
fn widest_interval<'a>(figures: impl Iterator<Item = &'a Estimate>) -> Option<f64> {
    let half_widths = figures.filter_map(Estimate::interval).map(|(low, high)| (high - low) / 2.0);
    half_widths.max_by(f64::total_cmp)
}

/// Returns a sentence about the widest 95 % interval; empty without estimates.
fn interval_sentence<'a>(figures: impl Iterator<Item = &'a Estimate>, digits: Digits) -> String {
    widest_interval(figures).map_or(String::new(), |widest| {
        let widest = digits.percent(widest);
        format!("95 % intervals of single outcomes are at most +- {widest} wide.\n")
    })
}

/// Formats a probability for a table; one that occurred in no sequence as `< LIMIT`.
fn short_percent(figure: &Estimate, digits: Digits) -> String {
    let percent = |share| digits.percent(share);
    match (figure.counted(), figure_high(figure)) {
        (Some((0, _)), high) if percent(high) != percent(f64::MIN_POSITIVE) => {
            format!("< {}", percent(high))
        }
        (Some((0, _)), _) => percent(f64::MIN_POSITIVE),
        _ => percent(figure.probability()),
    }
}

/// Returns how an answer was computed, and the rules, settings and notes that it rests on.
pub fn provenance(meta: &Meta) -> Document {
    assumptions(&method(meta), meta)
}

/// Returns how an answer was computed, as a sentence without its full stop.
fn method(meta: &Meta) -> String {
    let seed = meta.seed.unwrap_or_default();
    match (meta.engine, meta.trials) {
        ("exact", _) if meta.arithmetic == Some("float") => {
            "Exact (fractions outgrew 128 bits: floating point, errors below 1e-12)".to_string()
        }
        ("exact", _) => meta.error_bound.map_or("Exact".to_string(), |bound| {
            format!("Exact but for courses of next to no chance ({})", certain_to(bound))
        }),
        ("exact+monte-carlo", Some(trials)) => {
            format!("Exact; created units by Monte Carlo, {trials} sequences, seed {seed}")
        }
        (_, trials) => {
            let trials = trials.unwrap_or_default();
            let stratified = meta.stratify.map(|rolls| format!(", first {rolls} DR stratified"));
            let (s, first) = (if trials == 1 { "" } else { "s" }, stratified.unwrap_or_default());
            format!("Monte Carlo, {trials} sequence{s}, seed {seed}{first}")
        }
    }
}

/// Returns an answer's provenance: `method`, a line per setting and note, and the uncertain values.
pub fn assumptions(method: &str, meta: &Meta) -> Document {
    let Provenance { words, uncertain: source, .. } = &meta.footing;
    let uncertain = Some(&meta.uncertain).filter(|all| !all.is_empty());
    let uncertain = uncertain.map(|all| format!("{source}: {}.", all.join("; ")));
    let lines = std::iter::once(format!("{method}. {}.", sentence(words)));
    lines.chain(notes(meta, "Note: ")).chain(uncertain).map(|line| paragraph(&line)).collect()
}

/// Returns a sentence for the reason for an engine, each setting and each note, below `label`.
fn notes(meta: &Meta, label: &str) -> impl Iterator<Item = String> {
    let reason = meta.reason.iter().map(|reason| format!("Why: {reason}."));
    let setting = meta.footing.setting;
    let settings =
        meta.footing.settings().map(move |(id, value)| format!("{setting} {id}: {value}."));
    let notes = meta.notes.iter().map(move |note| sentence(&format!("{label}{note}.")));
    reason.chain(settings).chain(notes)
}
