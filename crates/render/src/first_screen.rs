//! The first screen of an answer: few lines, the answer first. `--all` shows everything else.

use std::collections::{BTreeSet, VecDeque};

use super::curves;
use super::document::{Document, aligned, emphasized, paragraph};
use super::joint::Together;
use super::layout::{Digits, NUMBERS, WIDTH, evenly_spaced};
use super::screen::Screen;
use super::units::{self, Alike};
use super::{Looks, expected, method, notes, sentence, short_percent, widest_interval};
use super::{along_path, two_sides};
use answer::counts::{CountRow, Wait};
use answer::{Estimate, Meta, Table, UnitCounts};
use api::odds::{last_point, point, rows_at};
use engine::process::ReportIndex;
use engine::text::counted;
use play::DynQuestion;
use schema::Kind;

/// Largest number of lines for a question about one kind of unit.
pub(super) const LINES: usize = 12;
/// Largest number of lines for a question about several kinds of units.
pub(super) const MORE_LINES: usize = 16;
/// Largest number of columns of report points.
const POINTS: usize = 3;
/// Largest number of lines of sentences about kinds of units; more stand in a table.
const SENTENCES: usize = 5;
/// Largest number of kinds of units in a table.
const KINDS: usize = 8;
/// Largest number of joint outcomes.
const TOGETHER: usize = 8;

const OTHERS: &str = "--all shows every outcome";

/// Renders the answer to a question in at most [`LINES`] or [`MORE_LINES`] lines.
pub(super) fn render(question: &dyn DynQuestion, table: &Table, looks: &Looks) -> Document {
    let facts = question.words().facts();
    let mut screen = Screen::default();
    screen.add(0, paragraph(&table.meta.question));
    let all = units::alike(&facts, table, true);
    let is_reckoned = question.reckoned().is_some_and(|one| !one.rows.is_empty());
    let mut most = if all.len() > 1 || is_reckoned { MORE_LINES } else { LINES };
    let closing = closing(table, looks.digits);
    match table.counts.as_ref().filter(|_| looks.counts) {
        Some(counts) => {
            screen.add(0, units::counted(counts, looks.digits));
            most = MORE_LINES.max(screen.lines() + closing.lines() + 2);
        }
        None if facts.is_joint => {
            most = MORE_LINES;
            let together = Together::new(question.words(), table);
            let room = most.saturating_sub(screen.lines() + closing.lines());
            let shown = |shown| together.render(facts.points.unwrap_or_default(), looks, shown);
            let fits = |text: &Document| text.lines() <= room;
            screen.add(0, (2..=TOGETHER).rev().map(shown).find(fits).unwrap_or_else(|| shown(1)));
        }
        None if !question.words().details().curves.is_empty() => {
            let several = curves::screen(&mut screen, question, table, looks.digits);
            most = if several { MORE_LINES } else { LINES };
            screen.add(0, closing);
            return screen.fit(most);
        }
        None if facts.kind.has_sides() => {
            most = MORE_LINES;
            let room = most.saturating_sub(closing.lines() + expected(table).count());
            two_sides::screen(&mut screen, question, table, &all, (looks.digits, room));
        }
        None if facts.kind.has_locations() => {
            most = MORE_LINES;
            along_path::screen(&mut screen, question, table, &all, looks.digits);
        }
        None => of_units(&mut screen, question, table, &all, looks),
    }
    screen.add(2, paragraph(&expected(table).collect::<Vec<_>>().join(" ")));
    screen.add(0, closing);
    screen.fit(most)
}

fn of_units(
    screen: &mut Screen,
    question: &dyn DynQuestion,
    table: &Table,
    all: &[Alike],
    looks: &Looks,
) {
    let (words, digits) = (question.words(), looks.digits);
    let (facts, details) = (words.facts(), words.details());
    let several = all.len() > 1;
    let steps = (1..).zip(&details.steps).map(|(number, step)| format!("{number}. {step}"));
    screen.join(4, paragraph(&steps.collect::<Vec<_>>().join("; ")));
    let counts = table.counts.as_ref().filter(units::counts_several);
    let [shown, harmed] = units::first_roll(question, &details, table, digits);
    let reckoned = details.reckoned.as_ref();
    let summary = reckoned.iter().flat_map(|reckoned| &reckoned.summary);
    let summary: Vec<&str> = summary.map(String::as_str).collect();
    screen.add(0, paragraph(&summary.join(" ")));
    screen.join(1, shown);
    let after = reckoned.iter().flat_map(|reckoned| &reckoned.after);
    screen.join(1, after.map(|sentence| paragraph(sentence)).collect());
    let (mut answers, mut rest) = (Document::default(), Document::default());
    for units in all.iter().filter(|_| !facts.kind.classes.is_empty()) {
        let sentences = units::headline(words, table, units, &units.called(all), looks);
        let mut sentences = sentences.iter();
        answers += sentences.next().map(|first| emphasized(first)).unwrap_or_default();
        rest += sentences.map(|further| paragraph(further)).collect::<Document>();
    }
    let is_tabled = answers.lines() > SENTENCES;
    let stack = counts.filter(|_| is_tabled).map(|counts| {
        let holds = &facts.kind.classes[0].name;
        emphasized(&units::at_least_one(&(holds, &[holds]), counts, digits))
    });
    let stack = if harmed.pieces().is_empty() { stack.unwrap_or_default() } else { harmed };
    if is_tabled {
        (answers, rest) = (by_class(facts.kind, table, all, digits), Document::default());
    }
    let successes = units::success_sentences(&facts, table, digits);
    answers += successes.map(|success| emphasized(&success)).collect::<Document>();
    screen.add(0, stack + answers);
    screen.join(if several || counts.is_some() { 5 } else { 2 }, rest);
    let needs = details.needs.iter().filter(|_| !question.has_given_dice());
    for (rank, need) in needs.enumerate() {
        let short = need.rsplit_once(" (").filter(|_| need.chars().count() > WIDTH);
        let short = short.map(|(need, _)| paragraph(&format!("{need}.")));
        screen.join_or(if rank == 0 { 2 } else { 6 }, paragraph(need), short);
    }
    if let Some(counts) = counts {
        screen.add(1, of_counts(counts, digits));
        // The last line says it if rows and counts have one engine.
        let (rows, own) = (&table.meta, &counts.footing);
        if (rows.trials, rows.error_bound.is_some()) != (own.trials, own.error_bound.is_some()) {
            screen.join(1, units::how_counted(counts, digits));
        }
        screen.join(4, back(counts));
    }
    if let Some(name) = facts.points {
        let has_success = facts.success.verb.is_some();
        screen.add(3, by_point(name, facts.kind, table, all, (has_success, digits)));
    }
}

/// Returns a table with a row for each kind of unit, and a column for each class that is met.
fn by_class(kind: &Kind, table: &Table, all: &[Alike], digits: Digits) -> Document {
    let last = last_point(table);
    let figure = |units: &Alike, class: usize| {
        units::class_figure(kind, &rows_at(table, units.slots[0], last), class)
    };
    let is_met = |class: &usize| all.iter().any(|units| figure(units, *class).is_some());
    let met: Vec<usize> = (0..kind.classes.len()).filter(is_met).collect();
    let row = |units: &Alike| {
        let cells = met.iter().map(|class| percent(figure(units, *class), digits));
        std::iter::once(units.called(all)).chain(cells).collect()
    };
    let headings = std::iter::once("unit").chain(met.iter().map(|class| kind.classes[*class].name));
    let shown = if all.len() > KINDS { KINDS - 1 } else { all.len() };
    let text = aligned(headings, all[..shown].iter().map(row), &[false, true]);
    match all.len() - shown {
        0 => text,
        further => text + format!("and {further} further kinds of units"),
    }
}

/// Formats a probability; `None` is that of an outcome without a row.
fn percent(figure: Option<Estimate>, digits: Digits) -> String {
    figure.map_or(digits.percent(0.0), |figure| short_percent(&figure, digits))
}

/// Returns the chances that at least some numbers of units are in each of the first two classes.
pub(super) fn of_counts(counts: &UnitCounts, digits: Digits) -> Document {
    let (rows, last) = (counts.rows(), counts.last_point());
    let numbers = units::numbers_of_units(counts, &rows);
    let numbers = &numbers[1..];
    let shown: Vec<f64> =
        evenly_spaced(numbers.len(), NUMBERS).map(|place| numbers[place]).collect();
    let row = |class: usize| {
        let cell = |number: &f64| {
            let is_it =
                |row: &&CountRow| (row.point, row.class, row.number) == (last, class, *number);
            let row = rows.iter().find(is_it);
            percent(row.map(|row| Estimate::plain(row.at_least)), digits)
        };
        let name = format!("{}, at least", counts.kind.classes[class].name);
        std::iter::once(name).chain(shown.iter().map(cell)).collect()
    };
    let of = format!("of {} {}", counts.group.number(counts.whole.into()), counts.group.written);
    let headings = std::iter::once(of).chain(shown.iter().map(f64::to_string));
    let classes = units::classes_counted(counts, &rows).into_iter().take(2);
    aligned(headings, classes.map(row), &[false, true])
}

/// Returns the report point by which the odds are even that each number of units holds at once.
fn back(counts: &UnitCounts) -> Document {
    let all = counts.waiting();
    let (Some(point), 2..=NUMBERS) = (counts.points, all.len()) else {
        return Document::default();
    };
    // Of several numbers that are back by the same point, the largest says all.
    let same = |one: &Wait, other: &Wait| one.median == other.median;
    let back = all.chunk_by(same).filter_map(|same| Some((same.last()?.number, same[0].median?)));
    let by = |(place, (number, median)): (usize, (u8, ReportIndex))| match place {
        0 => format!("{number} of {} back by {point} {median}", counts.awaited),
        _ => format!("{number} by {median}"),
    };
    let mut list: Vec<String> = back.enumerate().map(by).collect();
    if list.is_empty() {
        return Document::default();
    }
    let is_open = all.last().is_some_and(|wait| wait.median.is_none());
    list.extend(is_open.then(|| "more later or never".to_string()));
    paragraph(&format!("Even odds: at least {}.", list.join(", ")))
}

/// Returns the odds of the first class by the first, second and last report point.
fn by_point(
    name: &str,
    kind: &Kind,
    table: &Table,
    all: &[Alike],
    looks: (bool, Digits),
) -> Document {
    let (is_told, digits) = looks;
    let points: BTreeSet<u16> = table.rows.iter().filter_map(|row| point(&row.label)).collect();
    let last = points.last().copied();
    let shown: Vec<u16> = points
        .into_iter()
        .take(POINTS - 1)
        .chain(last)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    // The sentence above tells the first and the last.
    if kind.classes.is_empty() || shown.len() < if is_told { POINTS } else { 2 } {
        return Document::default();
    }
    let row = |units: &Alike| {
        let cell = |at: &u16| {
            let rows = rows_at(table, units.slots[0], Some(*at));
            percent(units::class_figure(kind, &rows, 0), digits)
        };
        let name =
            if all.len() == 1 { kind.classes[0].name.to_string() } else { units.called(all) };
        std::iter::once(name).chain(shown.iter().map(cell)).collect()
    };
    let first = match all.len() {
        1 => format!("by {name}"),
        _ => format!("{} by {name}", kind.classes[0].name),
    };
    let headings = std::iter::once(first).chain(shown.iter().map(u16::to_string));
    aligned(headings, all.iter().map(row), &[false, true])
}

/// Returns how an answer was computed and with which error, the rules, and the notes that fit.
fn closing(table: &Table, digits: Digits) -> Document {
    let widest = widest_interval(table.rows.iter().map(|row| &row.figure));
    let error = widest.map(|half| format!(", 95 % intervals at most +- {}", digits.percent(half)));
    closing_line(&(method(&table.meta) + &error.unwrap_or_default()), &table.meta, OTHERS)
}

/// Returns how an answer was computed, the rules, and the notes that fit into two lines.
pub(super) fn closing_line(method: &str, meta: &Meta, others: &str) -> Document {
    let mut notes: VecDeque<String> = notes(meta, "").collect();
    let mut text = format!("{method}. {}.", sentence(&meta.footing.words));
    let whole = |text: &str, left: usize| {
        let notes = match left {
            0 => String::new(),
            _ => format!(" and {}", counted(left as u64, "note")),
        };
        paragraph(&format!("{text} {others}{notes}."))
    };
    while let Some(note) = notes.front() {
        let longer = format!("{text} {note}");
        if whole(&longer, notes.len() - 1).lines() > 2 {
            break;
        }
        text = longer;
        notes.pop_front();
    }
    whole(&text, notes.len())
}
