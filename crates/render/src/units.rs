//! Rendering of answers about units: sentences, counts, waiting times, and a table of outcomes.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::document::{Block, Bullets, Document, aligned, paragraph};
use super::layout::Digits;
use super::{Looks, odds, sentence, short_percent, slots, sum, unit_name, unseen, widest_interval};
use answer::counts::{CountRow, Wait};
use answer::estimate::certain_to;
use answer::question_info::Reckoned;
use answer::{Estimate, QuestionFacts, QuestionInfo, Row, Table, UnitCounts};
use api::odds::{end_in_words, last_point, point, rows_at, successes};
use engine::process::Label;
use engine::text;
use play::DynQuestion;

/// Probability below which outcomes are shown only on request.
const RARE: f64 = 0.001;
/// Largest number of columns for numbers of units, and for report points (phases or steps).
const ACROSS: usize = 6;

/// Units with equal descriptions and equal odds. Slots are 1-based.
struct Alike {
    name: String,
    slots: Vec<u8>,
}

impl Alike {
    /// Returns a name such as `4-6-7 (each of 2)`, with the slots if groups share that name.
    fn called(&self, all: &[Alike]) -> String {
        let namesakes = all.iter().filter(|other| other.name == self.name).count();
        let places = || self.slots.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
        match self.slots.len() {
            number if namesakes > 1 && number > 1 => {
                format!("{} (each of [{}])", self.name, places())
            }
            _ if namesakes > 1 => format!("{} [{}]", self.name, places()),
            1 => self.name.clone(),
            number => format!("{} (each of {number})", self.name),
        }
    }
}

pub fn render(question: &dyn DynQuestion, table: &Table, looks: &Looks) -> Document {
    let words = question.words();
    let (facts, details) = (words.facts(), words.details());
    let all = alike(&facts, table);
    let mut text: Document = (1..)
        .zip(details.steps)
        .map(|(number, step)| paragraph(&format!("step {number}: {step}")))
        .collect();
    if !text.pieces().is_empty() {
        text += Block::Gap;
    }
    if let Some(reckoned) = &details.reckoned {
        text += before_rolls(reckoned);
    }
    let classes = facts.kind.classes;
    for units in all.iter().filter(|_| !classes.is_empty()) {
        text += headline(words, table, units, &units.called(&all), looks.digits);
    }
    // Success is shown only if it differs from ending in the first class, which `headline` shows.
    let success = facts.success;
    let holds = classes.first().map_or(&[][..], |class| class.statuses);
    let is_more = success.statuses.iter().all(|status| holds.contains(status))
        && holds.iter().any(|status| {
            !success.statuses.contains(status)
                && table.rows.iter().any(|row| row.label.status == Some(status))
        });
    let has_more = classes.is_empty() || success.verb.is_none() && is_more;
    if has_more && !success.statuses.is_empty() {
        // Units created on the way always show their slots.
        let several = slots(table).values().flatten().count() > 1;
        for (slot, unit, figure) in successes(&facts, table) {
            let name = unit_name(slot, Some(unit), several);
            let odds = odds(table, figure, looks.digits);
            text += format!("{name} is {}: {odds}.", success.words);
        }
    }
    for left in details.reckoned.iter().flat_map(|reckoned| &reckoned.after) {
        text += paragraph(left);
    }
    for need in details.needs.into_iter().filter(|_| !question.has_given_dice()) {
        text += paragraph(&need);
    }
    let several = |counts: &&UnitCounts| counts.whole > counts.group.parts;
    if let Some(counts) = table.counts.as_ref().filter(several) {
        text += Block::Gap;
        text += counted(counts, looks.digits);
    }
    text += Block::Gap;
    let outcomes = Outcomes { facts, table, all: &all, looks };
    text += match facts.points {
        Some(phase) => outcomes.by_point(phase),
        None => outcomes.ends(),
    };
    text
}

/// Renders what was reckoned before the first roll: its rows, and the odds of that roll.
fn before_rolls(reckoned: &Reckoned) -> Document {
    let mut text = Document::default();
    if !reckoned.rows.is_empty() {
        let rows = reckoned.rows.iter().map(|row| row.to_vec());
        text += aligned::<String>(Vec::new(), rows, &[false, true]);
        text += Block::Gap;
    }
    for results in &reckoned.results {
        text += paragraph(&format!("{results}."));
    }
    text
}

/// Renders counts of units: their distribution over the classes, and waiting times.
pub fn counted(counts: &UnitCounts, digits: Digits) -> Document {
    if counts.most() == 0 {
        return paragraph(&format!("No unit begins in the group `{}`.", counts.group.name));
    }
    numbers(counts, digits) + waiting(counts, digits)
}

fn alike(facts: &QuestionFacts, table: &Table) -> Vec<Alike> {
    let ends = |slot: u8| {
        let rows = table.rows.iter().filter(move |row| row.label.slot == Some(slot));
        let end = |Row { label, figure, .. }: &'_ Row| {
            (point(label), label.status, label.counter.clone(), label.wounded, *figure)
        };
        rows.map(end).collect::<Vec<_>>()
    };
    let mut all: Vec<Alike> = Vec::new();
    for (slot, unit) in slots(table).into_iter().filter(|(slot, _)| *slot <= facts.units) {
        let Some(name) = unit else { continue };
        let same = |units: &&mut Alike| units.name == name && ends(units.slots[0]) == ends(slot);
        match all.iter_mut().find(same) {
            Some(units) => units.slots.push(slot),
            None => all.push(Alike { name, slots: vec![slot] }),
        }
    }
    all
}

/// Returns the probability of each class; the first also lists the changes of its units.
fn classes(words: &dyn QuestionInfo, table: &Table, rows: &[&Row], digits: Digits) -> String {
    let QuestionFacts { kind, .. } = words.facts();
    let mut parts = Vec::new();
    for (place, class) in kind.classes.iter().enumerate() {
        let of_class =
            |row: &&&Row| row.label.status.and_then(|status| kind.class_of(status)) == Some(place);
        let of_class: Vec<&Row> = rows.iter().filter(of_class).copied().collect();
        let Some(figure) = sum(&of_class).filter(|figure| figure.probability() > 0.0) else {
            continue;
        };
        let mut changed: IndexMap<&'static str, Vec<&Row>> = IndexMap::new();
        for row in of_class.iter().filter(|_| place == 0) {
            let Some(how) = words.change(&row.label) else { continue };
            changed.entry(how).or_default().push(*row);
        }
        let changed = changed.into_iter().filter_map(|(how, rows)| {
            Some(format!("{how} {}", short_percent(&sum(&rows)?, digits)))
        });
        let fraction = match figure {
            Estimate::Exact { fraction: Some(fraction), .. } if fraction.denominator > 1 => {
                Some(fraction.to_string()).filter(|text| text.len() <= 7)
            }
            _ => None,
        };
        let changed: Vec<String> = fraction.into_iter().chain(changed).collect();
        let changed =
            if changed.is_empty() { String::new() } else { format!(" ({})", changed.join(", ")) };
        let error = figure.interval().map_or(String::new(), |(low, high)| {
            let half = digits.percent((high - low) / 2.0);
            format!(" +- {}", half.trim_end_matches(" %"))
        });
        let percent = short_percent(&figure, digits);
        parts.push(format!("{} {percent}{error}{changed}", class.name));
    }
    if parts.is_empty() { odds(table, sum(rows), digits) } else { parts.join(", ") }
}

fn headline(
    words: &dyn QuestionInfo,
    table: &Table,
    units: &Alike,
    name: &str,
    digits: Digits,
) -> Document {
    let slot = units.slots[0];
    let last = last_point(table);
    let ends = classes(words, table, &rows_at(table, slot, last), digits);
    let unit_at_start = table.counts.as_ref().and_then(|counts| {
        counts.initial.iter().find(|unit| unit.slot == slot && counts.awaited > 0)
    });
    let is_awaited = unit_at_start.is_some_and(|unit| !unit.holds && unit.parts > 0);
    let QuestionFacts { points, success, .. } = words.facts();
    let (Some(phase), Some(last), Some(verb)) = (points, last, success.verb) else {
        return paragraph(&format!("{name}: {ends}."));
    };
    if unit_at_start.is_some_and(|unit| unit.holds) {
        let start = format!("{name} is not broken at the start");
        return paragraph(&format!("{start}; after {phase} {last}: {ends}."));
    }
    let held = |at_point: u16| {
        let rows = rows_at(table, slot, Some(at_point));
        let is_good = |status: &'static str| success.statuses.contains(&status);
        let good = rows.into_iter().filter(|row| row.label.status.is_some_and(is_good));
        odds(table, good.map(|row| row.figure).reduce(Estimate::or), digits)
    };
    let first = table.rows.iter().filter_map(|row| row.label.phase).min().unwrap_or(1);
    let alone = table.counts.as_ref().filter(|counts| counts.awaited == 1 && is_awaited);
    let wait = alone.and_then(|counts| counts.waiting().first().copied());
    let wait = wait.map_or(String::new(), |wait| {
        let even = wait.median.map(|by| format!("even odds by {phase} {by}"));
        let even = even.unwrap_or("no even odds".to_string());
        let mean = wait.mean.map_or(String::new(), |mean| {
            format!(", on average {phase} {mean:.2} of those who come back")
        });
        format!("; {even}{mean}")
    });
    if first == last {
        return paragraph(&format!("{name} {verb}: {}. {}.", held(first), sentence(&ends)));
    }
    let (first, all) = (held(first), held(last));
    let by = format!(
        "{name} {verb} in the first {phase}: {first}; within {last} {phase}s: {all}{wait}."
    );
    paragraph(&by) + paragraph(&format!("After {phase} {last}: {ends}."))
}

/// Renders a table: the probability that each number of units ends in each class.
fn numbers(counts: &UnitCounts, digits: Digits) -> Document {
    let last = counts.last_point();
    let rows = counts.rows();
    let most = rows.iter().map(|row| row.number).fold(0.0, f64::max);
    let step = 1.0 / f64::from(counts.group.parts);
    let numbers: Vec<f64> =
        (0..=(most / step).round() as u32).map(|number| f64::from(number) * step).collect();
    let of = format!("of {} {}", counts.group.number(counts.whole.into()), counts.group.name);
    let line = |name: String, cell: &dyn Fn(f64) -> String| -> Vec<String> {
        std::iter::once(name).chain(numbers.iter().map(|number| cell(*number))).collect()
    };
    let of_class = |class| rows.iter().filter(move |row| row.point == last && row.class == class);
    let cell = |class: usize, number: f64, figure: &dyn Fn(&CountRow) -> Option<Estimate>| {
        let figure = of_class(class).find(|row| row.number == number).and_then(figure);
        figure.map_or(String::new(), |figure| short_percent(&figure, digits))
    };
    let happens =
        |class| of_class(class).any(|row| row.number > 0.0 && row.figure.probability() > 0.0);
    // The first class is omitted if no unit starts in it and none reaches it.
    let is_first = |class: usize| class == 0 && counts.initial.iter().any(|unit| unit.holds);
    let classes_shown: Vec<usize> = (0..counts.kind.classes.len())
        .filter(|class| is_first(*class) || happens(*class))
        .collect();
    let average = |class: &usize| {
        let mean = counts.mean(last, *class)?;
        let mean = mean_in_words(mean.value, mean.std_error);
        Some(format!("{} {mean}", counts.kind.classes[*class].name))
    };
    let averages: Vec<String> = classes_shown.iter().filter_map(average).collect();
    let mut average = how_counted(counts, digits);
    if !averages.is_empty() {
        average = paragraph(&format!("On average {}.", averages.join(", "))) + average;
    }
    let is_wide = numbers.len() <= ACROSS + 1;
    let mut lines = vec![line(of, &|number| number.to_string())];
    for class in classes_shown {
        let name = counts.kind.classes[class].name;
        lines.push(line(name.to_string(), &|number| cell(class, number, &|row| Some(row.figure))));
        if class == 0 {
            let name = if is_wide { format!("{name}, at least") } else { "at least".to_string() };
            let least = |row: &CountRow| (row.number > 0.0).then(|| Estimate::plain(row.at_least));
            lines.push(line(name, &|number| cell(class, number, &least)));
        }
    }
    if is_wide {
        let headings = lines.remove(0);
        return aligned(headings, lines, &[false, true]) + average;
    }
    let column = |place: usize| lines.iter().map(|line| line[place].clone()).collect();
    aligned::<String>(column(0), (1..=numbers.len()).map(column), &[true]) + average
}

/// Formats a mean, with the half-width of its 95 % interval if it is an estimate.
fn mean_in_words(mean: f64, std_error: Option<f64>) -> String {
    match std_error {
        None => format!("{mean:.2}"),
        Some(error) => format!("{mean:.4} +- {:.4}", 1.96 * error),
    }
}

fn how_counted(counts: &UnitCounts, digits: Digits) -> Document {
    if let Some(bound) = counts.footing.error_bound {
        return paragraph(&format!("Counts are {}.", certain_to(bound)));
    }
    let mut widths = counts.tallies.iter().filter_map(|(.., figure)| figure.interval());
    let trials = counts.footing.trials.filter(|_| widths.next().is_some());
    let rows = counts.rows();
    let ends = rows.iter().filter_map(|row| row.figure.interval());
    let widest = ends.map(|(low, high)| (high - low) / 2.0).fold(0.0, f64::max);
    trials.map_or(Document::default(), |trials| {
        let intervals = format!("95 % intervals of at most +- {}", digits.percent(widest));
        paragraph(&format!("Counted by Monte Carlo, {trials} sequences: {intervals}."))
    })
}

fn waiting(counts: &UnitCounts, digits: Digits) -> Document {
    let all = counts.waiting();
    let Some(points) = counts.points.filter(|_| all.len() > 1) else { return Document::default() };
    let last = counts.last_point();
    let headings = [
        "back together".to_string(),
        format!("even odds by {points}"),
        "on average".to_string(),
        format!("not within {last}"),
    ];
    let line = |wait: &Wait| {
        vec![
            format!("{} of {}", wait.number, counts.awaited),
            wait.median.map_or(format!("after {last}"), |median| median.to_string()),
            wait.mean.map_or("never".to_string(), |mean| mean_in_words(mean, wait.std_error)),
            short_percent(&Estimate::plain(wait.not_within), digits),
        ]
    };
    Document::from(Block::Gap) + aligned(headings, all.iter().map(line), &[false, true])
}

fn row_in_words(Row { label, .. }: &Row) -> String {
    end_in_words(label, label.counter.as_deref(), " ")
}

/// The outcomes of units, to be shown in full. `all` are the groups of equal units.
struct Outcomes<'a> {
    facts: QuestionFacts,
    table: &'a Table,
    all: &'a [Alike],
    looks: &'a Looks,
}

impl<'a> Outcomes<'a> {
    /// Returns the name and the first slot of each group of equal units, then of the created units.
    fn groups(&self) -> Vec<(String, u8)> {
        let equal = self.all.iter().map(|units| (units.called(self.all), units.slots[0]));
        let is_new = |slot: &u8| !self.all.iter().any(|units| units.slots.contains(slot));
        let others = slots(self.table).into_iter().filter(|(slot, _)| is_new(slot));
        equal
            .chain(others.map(|(slot, unit)| (unit_name(slot, unit.as_deref(), false), slot)))
            .collect()
    }

    /// Renders what follows the outcomes: their widest interval, and the rare ones left out.
    fn footing(&self, rare: &[&Row]) -> String {
        let figures = self.table.rows.iter().map(|row| &row.figure);
        let widest = widest_interval(figures, self.looks.digits);
        if rare.is_empty() {
            return widest;
        }
        let outcomes = text::counted(rare.len() as u64, "rarer outcome");
        widest + &outcomes + ", each below 0.1 %: `--all` shows them too.\n"
    }

    fn ends(&self) -> Document {
        let Outcomes { facts, table, looks, .. } = *self;
        let mut rare: Vec<&Row> = Vec::new();
        let mut lists: Vec<Bullets> = Vec::new();
        let groups = self.groups();
        let alone = groups.iter().filter(|(_, slot)| *slot <= facts.units).count() == 1;
        for (name, slot) in groups {
            let (frequent, few): (Vec<&Row>, Vec<&Row>) = rows_at(table, slot, None)
                .into_iter()
                .partition(|row| looks.all || row.figure.probability() >= RARE);
            rare.extend(few);
            let figure = |row: &Row| match alone {
                true => looks.digits.in_full(&row.figure),
                false => short_percent(&row.figure, looks.digits),
            };
            let rows = frequent.into_iter().map(|row| (row_in_words(row), figure(row)));
            let list = Bullets { heading: name, rows: rows.collect() };
            lists.extend((!list.rows.is_empty()).then_some(list));
        }
        Document::from(Block::Lists(lists)) + self.footing(&rare)
    }

    /// Renders the outcomes by report point. If not all points fit, the last follows the first.
    fn by_point(&self, phase: &str) -> Document {
        let most = if self.looks.all { usize::MAX } else { ACROSS };
        let fewer = (2..ACROSS).rev().map(|across| self.points_across(phase, across));
        let mut layouts = std::iter::once(self.points_across(phase, most)).chain(fewer);
        layouts.find(Document::fits).unwrap_or_else(|| self.points_across(phase, most))
    }

    /// Returns the rows of each final state of a slot, in the order of statuses and counters.
    fn states(&self, slot: u8) -> IndexMap<String, Vec<&'a Row>> {
        let mut known: IndexMap<String, Vec<&Row>> = IndexMap::new();
        for row in self.table.rows.iter().filter(|row| row.label.slot == Some(slot)) {
            known.entry(row_in_words(row)).or_default().push(row);
        }
        let order =
            |status: &str| self.facts.kind.statuses.iter().position(|known| *known == status);
        known.sort_by_key(|_, rows| {
            let Label { status, counter, .. } = &rows[0].label;
            // Counters that are numbers are sorted as such.
            let number = counter.as_ref().and_then(|text| text.parse::<u32>().ok());
            (status.and_then(order), number, counter.clone())
        });
        known
    }

    /// Renders the outcomes with at most `across` columns of report points.
    fn points_across(&self, phase: &str, across: usize) -> Document {
        let Outcomes { table, all, looks, .. } = *self;
        let points: BTreeSet<u16> = table.rows.iter().filter_map(|row| point(&row.label)).collect();
        let points: Vec<u16> = points.into_iter().collect();
        let is_cut = points.len() > across;
        let last = points.last().copied().filter(|_| is_cut);
        let shown: Vec<u16> = match is_cut {
            true => points[..across - 1].iter().copied().chain(last).collect(),
            false => points,
        };
        let mut headings = vec![format!("by {phase}")];
        headings.extend(shown.iter().map(|at| match last {
            Some(last) if *at == last => format!("... {last}"),
            _ => at.to_string(),
        }));
        let mut lines: Vec<Vec<String>> = Vec::new();
        let mut rare: Vec<&Row> = Vec::new();
        let alone = all.len() == 1 && slots(table).len() == 1;
        for (name, slot) in self.groups() {
            let is_frequent = |row: &&Row| looks.all || row.figure.probability() >= RARE;
            let (frequent, few): (Vec<_>, Vec<_>) =
                self.states(slot).into_iter().partition(|(_, rows)| rows.iter().any(is_frequent));
            rare.extend(few.iter().map(|(_, rows)| rows[0]));
            if !alone && !frequent.is_empty() {
                let mut line = vec![name];
                line.resize(headings.len(), String::new());
                lines.push(line);
            }
            for (end, rows) in frequent {
                let unseen = unseen(&table.meta).filter(|_| rows[0].figure.counted().is_some());
                let indent = if alone { "" } else { "  " };
                let mut line = vec![format!("{indent}{end}")];
                line.extend(shown.iter().map(|at| {
                    let here = rows.iter().find(|row| point(&row.label) == Some(*at));
                    let figure = here.map(|row| row.figure).or(unseen);
                    figure.map_or(looks.digits.percent(0.0), |figure| {
                        short_percent(&figure, looks.digits)
                    })
                }));
                lines.push(line);
            }
        }
        aligned(headings, lines, &[false, true]) + self.footing(&rare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use api::{Answer, ask, games, no_files, read};

    /// A leader created by a unit (A18.2) is counted in a group in which no unit begins.
    #[test]
    fn created_units_are_shown_in_a_group_without_initial_units() {
        let text = |with_created: bool| {
            let request = format!(
                r#"{{"kind": "sequence", "stack": "german:4-3-6/broken", "given": "1,1 1",
                    "step": [{{"do": "rally"}}, {{"do": "fire", "fp": 36, "drm": -20, "no-cowering": true}}],
                    "options": {{"counts": "leaders", "with-created": {with_created}}}}}"#
            );
            let asked = read(&request, &games(), &no_files).unwrap();
            let Answer::Question(answer) =
                ask(asked.request, String::new(), &asked.options).unwrap()
            else {
                panic!("a sequence has odds");
            };
            let counts = answer.table.counts.unwrap();
            counted(&counts, Digits::default()).json().to_string()
        };
        assert!(text(false).contains("No unit begins in the group `leaders`."));
        let created = text(true);
        assert!(created.contains("100.00 %") && created.contains("lost"), "{created}");
    }
}
