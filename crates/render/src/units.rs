//! Rendering of answers about units: sentences, counts, waiting times, and a table of outcomes.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::document::{Block, Bullets, Document, aligned, emphasized, paragraph};
use super::layout::Digits;
use super::{
    Looks, interval_sentence, odds, sentence, short_percent, slots, sum, unit_name, unseen,
};
use answer::counts::{CountRow, Wait};
use answer::estimate::certain_to;
use answer::{
    Estimate, FirstRoll, QuestionDetails, QuestionFacts, QuestionInfo, Reckoned, Row, Table,
    UnitCounts,
};
use api::odds::{end_in_words, last_point, point, rows_at, successes};
use engine::process::Label;
use engine::text;
use play::DynQuestion;
use schema::Kind;

/// The place of a unit that has not left.
pub(super) const HERE: &str = "here";
/// Probability below which outcomes share a row of a grouped table.
const RARE: f64 = 0.001;
/// Largest number of columns for numbers of units, and for report points (phases or steps).
const ACROSS: usize = 8;

/// Units with equal descriptions and equal odds. Slots are 1-based.
pub(super) struct Alike {
    pub name: String,
    pub slots: Vec<u8>,
    /// The numbers by which the units are shown: their slots, on their own side if there are two.
    pub numbers: Vec<u8>,
}

impl Alike {
    /// Returns a name such as `4-6-7 (each of 2)`, with the slots if groups share that name.
    pub fn called(&self, all: &[Alike]) -> String {
        let namesakes = all.iter().filter(|other| other.name == self.name).count();
        let places = || self.numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
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

/// Renders every outcome. `fates` replaces the sentences about the ends of units.
pub fn render(
    question: &dyn DynQuestion,
    table: &Table,
    looks: &Looks,
    fates: Option<Document>,
) -> Document {
    let words = question.words();
    let (facts, details) = (words.facts(), words.details());
    let all = alike(&facts, table, false);
    let mut text: Document = (1..)
        .zip(&details.steps)
        .map(|(number, step)| paragraph(&format!("step {number}: {step}")))
        .collect();
    if !text.pieces().is_empty() {
        text += Block::Gap;
    }
    text += details.reckoned.as_ref().map(reckoned_rows).unwrap_or_default();
    text += first_roll(question, &details, table, looks.digits).into_iter().collect::<Document>();
    let classes = facts.kind.classes;
    for summary in details.reckoned.iter().filter(|_| facts.kind.has_sides()) {
        text += summary.summary.iter().map(|line| paragraph(line)).collect::<Document>();
    }
    let has_fates = fates.is_some() || classes.is_empty();
    text += fates.unwrap_or_default();
    for units in all.iter().filter(|_| !has_fates) {
        let sentences = headline(words, table, units, &units.called(&all), looks);
        text += sentences.iter().map(|sentence| paragraph(sentence)).collect::<Document>();
    }
    text +=
        success_sentences(&facts, table, looks.digits).map(Document::from).collect::<Document>();
    let reckoned = details.reckoned.iter();
    for left in reckoned.flat_map(|reckoned| reckoned.after.iter().chain(&reckoned.spare)) {
        text += paragraph(left);
    }
    for need in details.needs.into_iter().filter(|_| !question.has_given_dice()) {
        text += paragraph(&need);
    }
    if let Some(counts) = table.counts.as_ref().filter(counts_several) {
        text += Block::Gap;
        text += counted(counts, looks.digits);
    }
    text += Block::Gap;
    let outcomes = Outcomes { facts, table, all: &all, digits: looks.digits };
    text += match facts.points {
        Some(phase) => outcomes.by_point(phase),
        None => outcomes.ends(),
    };
    text
}

/// Says what the first roll shows on its table, and how many of several units that harms.
pub(super) fn first_roll(
    question: &dyn DynQuestion,
    details: &QuestionDetails,
    table: &Table,
    digits: Digits,
) -> [Document; 2] {
    let reckoned = details.reckoned.as_ref().filter(|_| !question.has_given_dice());
    let rolls = reckoned.filter(|reckoned| !reckoned.first_roll.results.is_empty());
    let Some(Reckoned { first_roll, .. }) = rolls else { return Default::default() };
    let counts = table.counts.as_ref().filter(counts_several);
    let harmed = counts.map(|counts| emphasized(&at_least_one(&first_roll.harmed, counts, digits)));
    [first_results(first_roll, digits), harmed.unwrap_or_default()]
}

/// Says what the first roll shows on its table, for each class of targets.
pub(super) fn first_results(first_roll: &FirstRoll, digits: Digits) -> Document {
    let shown = |(class, results): &(String, Vec<(String, f64)>)| {
        let effect = results.iter().fold(0.0, |sum, (_, odds)| sum + odds);
        let nothing = ("nothing".to_string(), 1.0 - effect);
        let all = results.iter().chain(Some(&nothing).filter(|(_, odds)| *odds > 1e-9));
        let all = all.map(|(result, odds)| format!("{result} {}", digits.percent(*odds)));
        let at = if class.is_empty() { String::new() } else { format!(" {class}:") };
        let (name, all) = (first_roll.table, all.collect::<Vec<_>>().join(", "));
        let some = digits.percent(effect);
        paragraph(&sentence(&format!("{name} shows{at} {all}: some effect {some}.")))
    };
    first_roll.results.iter().map(shown).collect()
}

/// Returns the chances that at least one of the counted units is in some classes, and that all are.
pub(super) fn at_least_one(
    (words, classes): &(&str, &[&str]),
    counts: &UnitCounts,
    digits: Digits,
) -> String {
    let chance = |least: u8| {
        let figure = counts.odds(counts.last_point(), |tally| {
            let all = counts.kind.classes.iter().zip(&tally.classes);
            let parts = all.filter(|(class, _)| classes.contains(&class.name));
            parts.map(|(_, parts)| parts).sum::<u8>() >= least
        });
        short_percent(&figure, digits)
    };
    let of = format!("{} {}", counts.group.number(counts.whole.into()), counts.group.written);
    let (one, all) = (chance(counts.group.parts), chance(counts.whole));
    sentence(&format!("{words}: at least one of {of} {one}, all {all}."))
}

/// Returns whether more than one unit is counted.
pub(super) fn counts_several(counts: &&UnitCounts) -> bool {
    counts.whole > counts.group.parts
}

/// Returns a sentence about the success of each unit. There are none if ending in the first class
/// comes to the same, which [`headline`] shows.
pub(super) fn success_sentences<'a>(
    facts: &QuestionFacts,
    table: &'a Table,
    digits: Digits,
) -> impl Iterator<Item = String> + use<'a> {
    let (classes, success) = (facts.kind.classes, facts.success);
    let holds = classes.first().map_or(&[][..], |class| class.statuses);
    let is_more = success.statuses.iter().all(|status| holds.contains(status))
        && holds.iter().any(|status| {
            !success.statuses.contains(status)
                && table.rows.iter().any(|row| row.label.status == Some(status))
        });
    let has_more = classes.is_empty() || success.verb.is_none() && is_more;
    let shown = has_more && !success.statuses.is_empty();
    // Units created on the way always show their slots.
    let several = slots(table).values().flatten().count() > 1;
    let all = if shown { successes(facts, table) } else { Vec::new() };
    all.into_iter().map(move |(slot, unit, figure)| {
        let name = unit_name(slot, Some(unit), several);
        format!("{name} is {}: {}.", success.words, odds(table, figure, digits))
    })
}

/// Renders what was reckoned before the first roll.
pub(super) fn reckoned_rows(reckoned: &Reckoned) -> Document {
    if reckoned.rows.is_empty() {
        return Document::default();
    }
    let rows = reckoned.rows.iter().map(|row| row.to_vec());
    aligned::<String>(Vec::new(), rows, &[false, true, false]) + Block::Gap
}

/// Renders counts of units: their distribution over the classes, and waiting times.
pub fn counted(counts: &UnitCounts, digits: Digits) -> Document {
    if counts.most() == 0 {
        return paragraph(&format!("No unit begins in the group `{}`.", counts.group.name));
    }
    numbers(counts, digits) + waiting(counts, digits)
}

/// The error of an exact probability in doubles.
const ROUNDING: f64 = 1e-12;

/// Groups the initial units with equal descriptions and equal odds. If `is_rough`, estimates are
/// equal if the intervals of each class overlap.
pub(super) fn alike(facts: &QuestionFacts, table: &Table, is_rough: bool) -> Vec<Alike> {
    let last = last_point(table);
    let overlap = |a: u8, b: u8| {
        let interval = |slot, class| {
            let figure = class_figure(facts.kind, &rows_at(table, slot, last), class);
            figure.map(|figure| {
                let exact = figure.probability();
                figure.interval().unwrap_or((exact - ROUNDING, exact + ROUNDING))
            })
        };
        (0..facts.kind.classes.len()).all(|class| match [a, b].map(|slot| interval(slot, class)) {
            [None, None] => true,
            [Some((low, high)), Some((least, most))] => low <= most && least <= high,
            _ => false,
        })
    };
    let ends = |slot: u8| {
        let rows = table.rows.iter().filter(move |row| row.label.slot == Some(slot));
        let end = |Row { label, figure, .. }: &'_ Row| {
            let state = (label.status, label.place, label.counter.clone(), label.wounded);
            (point(label), state, *figure)
        };
        rows.map(end).collect::<Vec<_>>()
    };
    let mut all: Vec<Alike> = Vec::new();
    for (slot, unit) in slots(table).into_iter().filter(|(slot, _)| *slot <= facts.units) {
        let Some(name) = unit else { continue };
        let same = |units: &&mut Alike| {
            units.name == name
                && (ends(units.slots[0]) == ends(slot)
                    || is_rough && !facts.kind.classes.is_empty() && overlap(units.slots[0], slot))
        };
        let number = table
            .rows
            .iter()
            .find_map(|Row { label, .. }| label.side_slot.filter(|_| label.slot == Some(slot)));
        let number = number.unwrap_or(slot);
        match all.iter_mut().find(same) {
            Some(units) => {
                units.slots.push(slot);
                units.numbers.push(number);
            }
            None => all.push(Alike { name, slots: vec![slot], numbers: vec![number] }),
        }
    }
    all
}

/// Returns the probability that the unit of some rows ends in a class; `None` if it never does.
pub(super) fn class_figure(kind: &Kind, rows: &[&Row], class: usize) -> Option<Estimate> {
    sum(&of_class(kind, rows, class)).filter(|figure| figure.probability() > 0.0)
}

fn of_class<'a>(kind: &Kind, rows: &[&'a Row], class: usize) -> Vec<&'a Row> {
    let is_in =
        |row: &&&Row| row.label.status.and_then(|status| kind.class_of(status)) == Some(class);
    rows.iter().filter(is_in).copied().collect()
}

/// Returns the probability of each class; the first also lists the changes of its units.
fn classes(words: &dyn QuestionInfo, table: &Table, rows: &[&Row], looks: &Looks) -> String {
    let (QuestionFacts { kind, .. }, digits) = (words.facts(), looks.digits);
    let mut parts = Vec::new();
    for (place, class) in kind.classes.iter().enumerate() {
        let Some(figure) = class_figure(kind, rows, place) else { continue };
        let mut changed: IndexMap<&'static str, Vec<&Row>> = IndexMap::new();
        for row in of_class(kind, rows, place).into_iter().filter(|_| place == 0) {
            let Some(how) = words.change(&row.label) else { continue };
            changed.entry(how).or_default().push(row);
        }
        let changed = changed.into_iter().filter_map(|(how, rows)| {
            Some(format!("{how} {}", short_percent(&sum(&rows)?, digits)))
        });
        let fraction = match figure {
            Estimate::Exact { fraction: Some(fraction), .. }
                if looks.all && fraction.denominator > 1 =>
            {
                Some(fraction.to_string()).filter(|text| text.len() <= 7)
            }
            _ => None,
        };
        let changed: Vec<String> = fraction.into_iter().chain(changed).collect();
        let changed =
            if changed.is_empty() { String::new() } else { format!(" ({})", changed.join(", ")) };
        parts.push(format!("{} {}{changed}", class.name, with_error(&figure, digits)));
    }
    if parts.is_empty() { odds(table, sum(rows), digits) } else { parts.join(", ") }
}

/// Formats a probability, with the half-width of its interval if it is an estimate.
fn with_error(figure: &Estimate, digits: Digits) -> String {
    let error = figure.interval().map_or(String::new(), |(low, high)| {
        let half = digits.percent((high - low) / 2.0);
        format!(" +- {}", half.trim_end_matches(" %"))
    });
    short_percent(figure, digits) + &error
}

/// Returns what becomes of equal units, in a sentence, and where they end in another, if needed.
pub(super) fn headline(
    words: &dyn QuestionInfo,
    table: &Table,
    units: &Alike,
    name: &str,
    looks: &Looks,
) -> Vec<String> {
    let slot = units.slots[0];
    let last = last_point(table);
    let ends = classes(words, table, &rows_at(table, slot, last), looks);
    let unit_at_start = table.counts.as_ref().and_then(|counts| {
        counts.initial.iter().find(|unit| unit.slot == slot && counts.awaited > 0)
    });
    let is_awaited = unit_at_start.is_some_and(|unit| !unit.holds && unit.parts > 0);
    let QuestionFacts { points, success, .. } = words.facts();
    let (Some(phase), Some(last), Some(verb)) = (points, last, success.verb) else {
        return vec![format!("{name}: {ends}.")];
    };
    if unit_at_start.is_some_and(|unit| unit.holds) {
        let start = format!("{name} is not broken at the start");
        return vec![format!("{start}; after {phase} {last}: {ends}.")];
    }
    let held = |at_point: u16| {
        let rows = rows_at(table, slot, Some(at_point));
        let is_good = |status: &'static str| success.statuses.contains(&status);
        let good = rows.into_iter().filter(|row| row.label.status.is_some_and(is_good));
        let figure = good.map(|row| row.figure).reduce(Estimate::or);
        match figure.filter(|_| !looks.all) {
            Some(figure) => with_error(&figure, looks.digits),
            None => odds(table, figure, looks.digits),
        }
    };
    let first = table.rows.iter().filter_map(|row| row.label.phase).min().unwrap_or(1);
    let alone = table.counts.as_ref().filter(|counts| counts.awaited == 1 && is_awaited);
    let wait = alone.and_then(|counts| counts.waiting().first().copied());
    let wait = wait.filter(|_| looks.all || last > 2).map_or(String::new(), |wait| {
        let even = wait.median.map(|by| format!("even odds by {phase} {by}"));
        let even = even.unwrap_or("no even odds".to_string());
        let mean = wait.mean.filter(|_| looks.all).map_or(String::new(), |mean| {
            format!(", on average {phase} {mean:.2} of those who come back")
        });
        format!("{even}{mean}")
    });
    let wait = if wait.is_empty() { wait } else { format!(" {}.", sentence(&wait)) };
    if first == last {
        return vec![format!("{name} {verb}: {}.", held(first)), format!("{}.", sentence(&ends))];
    }
    let (first, all) = (held(first), held(last));
    let by = format!("{name} {verb}: {first} in the first {phase}, {all} within {last}.");
    vec![by, format!("After {phase} {last}: {ends}.{wait}")]
}

/// Returns the numbers of units from 0 to the largest that a class can have.
pub(super) fn numbers_of_units(counts: &UnitCounts, rows: &[CountRow]) -> Vec<f64> {
    let most = rows.iter().map(|row| row.number).fold(0.0, f64::max);
    let step = 1.0 / f64::from(counts.group.parts);
    (0..=(most / step).round() as u32).map(|number| f64::from(number) * step).collect()
}

/// Returns the classes that any counted unit reaches. The first is omitted if no unit starts in it
/// and none reaches it.
pub(super) fn classes_counted(counts: &UnitCounts, rows: &[CountRow]) -> Vec<usize> {
    let last = counts.last_point();
    let of_class = |class| rows.iter().filter(move |row| row.point == last && row.class == class);
    let happens =
        |class| of_class(class).any(|row| row.number > 0.0 && row.figure.probability() > 0.0);
    let is_first = |class: usize| class == 0 && counts.initial.iter().any(|unit| unit.holds);
    let all = 0..counts.kind.classes.len();
    all.filter(|class| is_first(*class) || happens(*class)).collect()
}

/// Renders a table: the probability that each number of units ends in each class.
fn numbers(counts: &UnitCounts, digits: Digits) -> Document {
    let last = counts.last_point();
    let rows = counts.rows();
    let numbers = numbers_of_units(counts, &rows);
    let of = format!("of {} {}", counts.group.number(counts.whole.into()), counts.group.written);
    let line = |name: String, cell: &dyn Fn(f64) -> String| -> Vec<String> {
        std::iter::once(name).chain(numbers.iter().map(|number| cell(*number))).collect()
    };
    let of_class = |class| rows.iter().filter(move |row| row.point == last && row.class == class);
    let cell = |class: usize, number: f64, figure: &dyn Fn(&CountRow) -> Option<Estimate>| {
        let figure = of_class(class).find(|row| row.number == number).and_then(figure);
        figure.map_or(String::new(), |figure| short_percent(&figure, digits))
    };
    let classes_shown = classes_counted(counts, &rows);
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
    let is_wide = numbers.len() < ACROSS;
    let mut lines = vec![line(of, &|number| number.to_string())];
    for class in classes_shown {
        let name = counts.kind.classes[class].name;
        lines.push(line(name.to_string(), &|number| cell(class, number, &|row| Some(row.figure))));
        if counts_several(&counts) {
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

pub(super) fn how_counted(counts: &UnitCounts, digits: Digits) -> Document {
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

/// Returns the outcomes as a table grouped as on the screen: headings, rows, and which columns are
/// numbers. The rare outcomes of a group share a row.
pub(super) fn grouped(
    question: &dyn DynQuestion,
    table: &Table,
    digits: Digits,
) -> (Vec<String>, Vec<Vec<String>>, Vec<bool>) {
    let facts = question.words().facts();
    let all = alike(&facts, table, true);
    let outcomes = Outcomes { facts, table, all: &all, digits };
    let points: BTreeSet<_> = table.rows.iter().map(|row| point(&row.label)).collect();
    let groups = outcomes.groups();
    let mut of_place: IndexMap<(&str, &str), Vec<&Row>> = IndexMap::new();
    for row in rows_of_place(table) {
        let label = &row.label;
        let key = (label.place.unwrap_or_default(), label.status.unwrap_or_default());
        of_place.entry(key).or_default().push(row);
    }
    let are_several = all.iter().any(|units| units.slots.len() > 1);
    let is_named = groups.len() + usize::from(!of_place.is_empty()) > 1 || are_several;
    let names = usize::from(is_named);
    let mut lines = Vec::new();
    for (name, slot) in groups {
        let is_frequent = |_: &String, rows: &mut Vec<&Row>| {
            rows.iter().any(|row| row.figure.probability() >= RARE)
        };
        let mut few = outcomes.states(slot);
        let mut shown: IndexMap<String, Vec<&Row>> = few.extract_if(.., is_frequent).collect();
        match few.len() {
            0 | 1 => shown.extend(few),
            number => {
                let rows = few.into_values().flatten().collect();
                shown.insert(text::counted(number as u64, "rarer outcome"), rows);
            }
        }
        for (end, rows) in shown {
            let odds = points.iter().map(|at| outcomes.odds_at(&rows, *at));
            let first = std::iter::once(name.clone()).take(names);
            lines.push(first.chain([end]).chain(odds).collect());
        }
    }
    for ((place, status), rows) in of_place {
        let odds = points.iter().map(|at| outcomes.odds_at(&rows, *at));
        let first = std::iter::once(place.to_string()).take(names);
        lines.push(first.chain([status.to_string()]).chain(odds).collect());
    }
    let at = |at: &Option<u16>| match at {
        Some(at) => format!("{} {at}", facts.points.unwrap_or_default()),
        None => "probability".to_string(),
    };
    let first = ["unit", "outcome"][1 - names..].iter().map(|name| name.to_string());
    let right = (0..=names + points.len()).map(|column| column > names).collect();
    (first.chain(points.iter().map(at)).collect(), lines, right)
}

/// Returns the rows that tell of the place as a whole. Those with a counter are numbers of units.
pub(super) fn rows_of_place(table: &Table) -> impl Iterator<Item = &Row> {
    let is_meant = |row: &&Row| {
        let label = &row.label;
        label.slot.is_none() && label.status.is_some() && label.counter.is_none()
    };
    table.rows.iter().filter(is_meant)
}

fn row_in_words(Row { label, .. }: &Row) -> String {
    let end = end_in_words(label, label.counter.as_deref(), " ");
    match label.place.filter(|place| *place != HERE) {
        Some(place) => format!("{end} {place}"),
        None => end,
    }
}

/// The outcomes of units, to be shown in full. `all` are the groups of equal units.
struct Outcomes<'a> {
    facts: QuestionFacts,
    table: &'a Table,
    all: &'a [Alike],
    digits: Digits,
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

    /// Renders the widest interval of the outcomes.
    fn footing(&self) -> String {
        interval_sentence(self.table.rows.iter().map(|row| &row.figure), self.digits)
    }

    fn ends(&self) -> Document {
        let Outcomes { facts, table, digits, .. } = *self;
        let groups = self.groups();
        let alone = groups.iter().filter(|(_, slot)| *slot <= facts.units).count() == 1;
        let figure = |row: &Row| match alone {
            true => digits.in_full(&row.figure),
            false => short_percent(&row.figure, digits),
        };
        let list = |(heading, slot)| {
            let rows = rows_at(table, slot, None).into_iter();
            let rows = rows.map(|row| (row_in_words(row), figure(row))).collect();
            Bullets { heading, rows }
        };
        Document::from(Block::Lists(groups.into_iter().map(list).collect())) + self.footing()
    }

    /// Renders the outcomes by report point, in as many tables as fit one below the other.
    fn by_point(&self, phase: &str) -> Document {
        let points: BTreeSet<u16> =
            self.table.rows.iter().filter_map(|row| point(&row.label)).collect();
        let points: Vec<u16> = points.into_iter().collect();
        let tables = |across: usize| {
            let mut text = Document::default();
            for shown in points.chunks(across) {
                text += self.at_points(phase, shown);
                text += Block::Gap;
            }
            text
        };
        let text = (2..=ACROSS).rev().map(tables).find(Document::fits);
        text.unwrap_or_else(|| tables(1)).without_gaps() + self.footing()
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

    /// Renders the outcomes at some report points.
    fn at_points(&self, phase: &str, shown: &[u16]) -> Document {
        let Outcomes { table, all, .. } = *self;
        let first = std::iter::once(format!("by {phase}"));
        let headings: Vec<String> = first.chain(shown.iter().map(u16::to_string)).collect();
        let mut lines: Vec<Vec<String>> = Vec::new();
        let alone = all.len() == 1 && slots(table).len() == 1;
        for (name, slot) in self.groups() {
            if !alone {
                let mut line = vec![name];
                line.resize(headings.len(), String::new());
                lines.push(line);
            }
            for (end, rows) in self.states(slot) {
                let indent = if alone { "" } else { "  " };
                let odds = shown.iter().map(|at| self.odds_at(&rows, Some(*at)));
                lines.push(std::iter::once(format!("{indent}{end}")).chain(odds).collect());
            }
        }
        aligned(headings, lines, &[false, true])
    }

    /// Formats the probability of an outcome, or of several, at a report point.
    fn odds_at(&self, rows: &[&Row], at: Option<u16>) -> String {
        let here: Vec<&Row> = rows.iter().filter(|row| point(&row.label) == at).copied().collect();
        let unseen = unseen(&self.table.meta).filter(|_| rows[0].figure.counted().is_some());
        let figure = sum(&here).or(unseen);
        figure.map_or(self.digits.percent(0.0), |figure| short_percent(&figure, self.digits))
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
