//! Rendering of answers about units: sentences, counts, waiting times, and a table of outcomes.

use super::document::{Block, Bullets, Document, aligned, paragraph};
use super::layout::Digits;
use super::{Looks, odds, rows_at, sentence, short_percent, slots, sum, unseen};
use answer::counts::UnitCounts;
use answer::estimate::Estimate;
use answer::question_info::QuestionInfo;
use answer::table::{Row, Table};
use play::dyn_question::DynQuestion;

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
    /// Returns a name such as `4-6-7 (each of 2)`. If several groups share that name, it has the
    /// slots.
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

fn last_point(table: &Table) -> Option<u16> {
    table.rows.iter().filter_map(|row| row.label.phase.or(row.label.step)).max()
}

pub fn render(question: &dyn DynQuestion, table: &Table, looks: &Looks) -> Document {
    let words = question.words();
    let all = alike(words, table);
    let mut text: Document = (1..)
        .zip(words.steps())
        .map(|(number, step)| paragraph(&format!("step {number}: {step}")))
        .collect();
    if !text.pieces().is_empty() {
        text += Block::Gap;
    }
    let classes = words.kind().classes;
    for units in all.iter().filter(|_| !classes.is_empty()) {
        text += headline(words, table, units, &units.called(&all), looks.digits);
    }
    // Success is shown only if it differs from ending in the first class, which `headline` shows.
    let success = words.success();
    let holds = classes.first().map_or(&[][..], |class| class.statuses);
    let is_more = success.statuses.iter().all(|status| holds.contains(status))
        && holds.iter().any(|status| {
            !success.statuses.contains(status)
                && table.rows.iter().any(|row| row.label.status == Some(status))
        });
    let has_more = classes.is_empty() || success.verb.is_none() && is_more;
    if has_more && !success.statuses.is_empty() {
        text += super::successes(words, table, looks.digits);
    }
    for need in words.needs().into_iter().filter(|_| !question.has_given_dice()) {
        text += paragraph(&need);
    }
    let several = |counts: &&UnitCounts| counts.whole > counts.group.parts;
    if let Some(counts) = table.counts.as_ref().filter(several) {
        text += Block::Gap;
        text += counted(counts, looks.digits);
    }
    text += Block::Gap;
    text += match words.points() {
        Some(point) => by_point(words, table, &all, point, looks),
        None => ends(words, table, &all, looks),
    };
    text
}

/// Renders counts of units: their distribution over the classes, and waiting times.
pub fn counted(counts: &UnitCounts, digits: Digits) -> Document {
    if counts.most() == 0 {
        return paragraph(&format!("No unit begins in the group `{}`.", counts.group.name));
    }
    numbers(counts, digits) + waiting(counts, digits)
}

/// Groups the initial units that have equal odds.
fn alike(words: &dyn QuestionInfo, table: &Table) -> Vec<Alike> {
    let ends = |slot: u8| {
        let rows = table.rows.iter().filter(move |row| row.label.slot == Some(slot));
        rows.map(|row| {
            let label = &row.label;
            let point = label.phase.or(label.step);
            (point, label.status, label.counter.clone(), label.wounded, row.figure)
        })
        .collect::<Vec<_>>()
    };
    let mut all: Vec<Alike> = Vec::new();
    for (slot, unit) in slots(table).into_iter().filter(|(slot, _)| *slot <= words.units()) {
        let Some(name) = unit else { continue };
        let same = |units: &&mut Alike| units.name == name && ends(units.slots[0]) == ends(slot);
        match all.iter_mut().find(same) {
            Some(units) => units.slots.push(slot),
            None => all.push(Alike { name, slots: vec![slot] }),
        }
    }
    all
}

/// Formats the total probability of some rows, with its error or a short fraction.
fn full(table: &Table, rows: &[&Row], digits: Digits) -> String {
    odds(table, sum(rows), digits)
}

/// Returns the probability of each class; the first also lists the changes of its units.
fn classes(words: &dyn QuestionInfo, table: &Table, rows: &[&Row], digits: Digits) -> String {
    let kind = words.kind();
    let mut parts = Vec::new();
    for (place, class) in kind.classes.iter().enumerate() {
        let of_class =
            |row: &&&Row| row.label.status.and_then(|status| kind.class_of(status)) == Some(place);
        let of_class: Vec<&Row> = rows.iter().filter(of_class).copied().collect();
        let Some(figure) = sum(&of_class).filter(|figure| figure.probability() > 0.0) else {
            continue;
        };
        let mut changed: Vec<(&'static str, Vec<&Row>)> = Vec::new();
        for row in of_class.iter().filter(|_| place == 0) {
            let Some(how) = words.change(&row.label) else { continue };
            match changed.iter_mut().find(|(known, _)| *known == how) {
                Some((_, rows)) => rows.push(row),
                None => changed.push((how, vec![row])),
            }
        }
        let changed = changed.into_iter().filter_map(|(how, rows)| {
            Some(format!("{how} {}", short_percent(&sum(&rows)?, digits)))
        });
        let changed: Vec<String> = short_fraction(&figure).into_iter().chain(changed).collect();
        let changed =
            if changed.is_empty() { String::new() } else { format!(" ({})", changed.join(", ")) };
        parts.push(format!("{} {}{changed}", class.name, with_error(&figure, digits)));
    }
    if parts.is_empty() { full(table, rows, digits) } else { parts.join(", ") }
}

fn short_fraction(figure: &Estimate) -> Option<String> {
    let Estimate::Exact { fraction: Some(fraction), .. } = figure else { return None };
    let text = fraction.to_string();
    (text.len() <= 7 && fraction.denominator > 1).then_some(text)
}

/// Formats an exact probability as `71.02 %`, and an estimate as `71.02 % +- 0.09`.
fn with_error(figure: &Estimate, digits: Digits) -> String {
    match figure.interval() {
        None => short_percent(figure, digits),
        Some((low, high)) => {
            let half = digits.percent((high - low) / 2.0);
            format!("{} +- {}", short_percent(figure, digits), half.trim_end_matches(" %"))
        }
    }
}

/// Renders how a unit ends, in one or two sentences.
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
    let (Some(point), Some(last), Some(verb)) = (words.points(), last, words.success().verb) else {
        return paragraph(&format!("{name}: {ends}."));
    };
    if unit_at_start.is_some_and(|unit| unit.holds) {
        return paragraph(&format!(
            "{name} is not broken at the start; after {point} {last}: {ends}."
        ));
    }
    let held = |at_point: u16| {
        let rows = rows_at(table, slot, Some(at_point));
        let success = words.success();
        let rows: Vec<&Row> = rows
            .into_iter()
            .filter(|row| row.label.status.is_some_and(|status| success.statuses.contains(&status)))
            .collect();
        full(table, &rows, digits)
    };
    let first = table.rows.iter().filter_map(|row| row.label.phase).min().unwrap_or(1);
    let alone = table.counts.as_ref().filter(|counts| counts.awaited == 1 && is_awaited);
    let wait = alone.and_then(|counts| counts.waiting().first().copied());
    let wait = wait.map_or(String::new(), |wait| {
        let even = wait
            .median
            .map_or("no even odds".to_string(), |by| format!("even odds by {point} {by}"));
        let mean = wait.mean.map_or(String::new(), |mean| {
            format!(", on average {point} {mean:.2} of those who come back")
        });
        format!("; {even}{mean}")
    });
    if first == last {
        return paragraph(&format!("{name} {verb}: {}. {}.", held(first), sentence(&ends)));
    }
    let by = format!(
        "{name} {verb} in the first {point}: {}; within {last} {point}s: {}{wait}.",
        held(first),
        held(last)
    );
    paragraph(&by) + paragraph(&format!("After {point} {last}: {ends}."))
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
    let at_point = |class: usize, number: f64| {
        rows.iter().find(|row| row.point == last && row.class == class && row.number == number)
    };
    let cell = |class: usize, number: f64| {
        at_point(class, number).map_or(String::new(), |row| short_percent(&row.figure, digits))
    };
    let least = |class: usize, number: f64| {
        at_point(class, number)
            .filter(|row| row.number > 0.0)
            .map_or(String::new(), |row| short_percent(&Estimate::plain(row.at_least), digits))
    };
    let mean = |class: usize| {
        counts.mean(last, class).map(|mean| match mean.std_error {
            None => format!("{:.2}", mean.value),
            Some(error) => format!("{:.4} +- {:.4}", mean.value, 1.96 * error),
        })
    };
    let happens = |class: &usize| {
        numbers.iter().any(|number| {
            *number > 0.0
                && at_point(*class, *number).is_some_and(|row| row.figure.probability() > 0.0)
        })
    };
    // The first class is omitted if no unit starts in it and none reaches it.
    let is_first = |class: usize| class == 0 && counts.initial.iter().any(|unit| unit.holds);
    let classes_shown: Vec<usize> =
        (0..counts.kind.classes.len()).filter(|class| is_first(*class) || happens(class)).collect();
    let average =
        |class: &usize| Some(format!("{} {}", counts.kind.classes[*class].name, mean(*class)?));
    let averages: Vec<String> = classes_shown.iter().filter_map(average).collect();
    let average = match averages.is_empty() {
        true => Document::default(),
        false => paragraph(&format!("On average {}.", averages.join(", "))),
    } + how_counted(counts, digits);
    if numbers.len() <= ACROSS + 1 {
        let mut headings = vec![of];
        headings.extend(numbers.iter().map(f64::to_string));
        let mut lines = Vec::new();
        for class in classes_shown {
            let name = counts.kind.classes[class].name;
            let mut line = vec![name.to_string()];
            line.extend(numbers.iter().map(|number| cell(class, *number)));
            lines.push(line);
            if class == 0 {
                let mut line = vec![format!("{name}, at least")];
                line.extend(numbers.iter().map(|number| least(class, *number)));
                lines.push(line);
            }
        }
        let mut right = vec![true; headings.len()];
        right[0] = false;
        return aligned(&headings, &lines, &right) + average;
    }
    let mut headings = vec![of];
    for class in &classes_shown {
        headings.push(counts.kind.classes[*class].name.to_string());
        headings.extend((*class == 0).then(|| "at least".to_string()));
    }
    let mut lines: Vec<Vec<String>> = Vec::new();
    for number in &numbers {
        let mut line = vec![number.to_string()];
        for class in &classes_shown {
            line.push(cell(*class, *number));
            line.extend((*class == 0).then(|| least(*class, *number)));
        }
        lines.push(line);
    }
    aligned(&headings, &lines, &vec![true; headings.len()]) + average
}

/// Renders how estimated counts were computed; empty for exact counts.
fn how_counted(counts: &UnitCounts, digits: Digits) -> Document {
    let widths = counts.tallies.iter().filter_map(|(.., figure)| figure.interval());
    let Some(trials) = counts.footing.trials.filter(|_| widths.count() > 0) else {
        return Document::default();
    };
    let rows = counts.rows();
    let half =
        rows.iter().filter_map(|row| row.figure.interval()).map(|(low, high)| (high - low) / 2.0);
    let widest = digits.percent(half.fold(0.0, f64::max));
    paragraph(&format!(
        "Counted by Monte Carlo, {trials} sequences: 95 % intervals of at most +- {widest}."
    ))
}

/// Renders the waiting times until 1, 2 and more units have reached the first class.
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
    let line = |wait: &answer::counts::Wait| {
        vec![
            format!("{} of {}", wait.number, counts.awaited),
            wait.median.map_or(format!("after {last}"), |median| median.to_string()),
            wait.mean.map_or("never".to_string(), |mean| match wait.std_error {
                None => format!("{mean:.2}"),
                Some(error) => format!("{mean:.4} +- {:.4}", 1.96 * error),
            }),
            short_percent(&Estimate::plain(wait.not_within), digits),
        ]
    };
    let lines: Vec<Vec<String>> = all.iter().map(line).collect();
    Document::from(Block::Gap) + aligned(&headings, &lines, &[false, true, true, true])
}

fn end_in_words(row: &Row) -> String {
    let label = &row.label;
    let wounded = if label.wounded == Some(true) { " wounded" } else { "" };
    let counter = label.counter.as_deref().map_or(String::new(), |counter| format!(" {counter}"));
    format!("{}{counter}{wounded}", label.status.unwrap_or_default())
}

fn intervals(table: &Table, digits: Digits) -> String {
    super::widest_interval(table.rows.iter().map(|row| &row.figure), digits)
}

fn left_out(rare: &[&Row]) -> String {
    match sum(rare) {
        None => String::new(),
        Some(_) => format!(
            "{} rarer outcome{}, each below 0.1 %: `--all` shows them too.\n",
            rare.len(),
            if rare.len() == 1 { "" } else { "s" }
        ),
    }
}

/// Renders the outcomes of a question without report points, in lists side by side.
fn ends(words: &dyn QuestionInfo, table: &Table, all: &[Alike], looks: &Looks) -> Document {
    let mut rare: Vec<&Row> = Vec::new();
    let mut lists: Vec<Bullets> = Vec::new();
    let mut sorts: Vec<(String, Vec<u8>)> =
        all.iter().map(|units| (units.called(all), units.slots.clone())).collect();
    let others = slots(table)
        .into_iter()
        .filter(|(slot, _)| !all.iter().any(|units| units.slots.contains(slot)));
    sorts.extend(others.map(|(slot, unit)| {
        (unit.unwrap_or_else(|| format!("created unit [{slot}]")), vec![slot])
    }));
    let alone = sorts.iter().filter(|(_, slots)| slots[0] <= words.units()).count() == 1;
    for (name, of) in &sorts {
        let (frequent, few): (Vec<&Row>, Vec<&Row>) = rows_at(table, of[0], None)
            .into_iter()
            .partition(|row| looks.all || row.figure.probability() >= RARE);
        rare.extend(few);
        if frequent.is_empty() {
            continue;
        }
        let figure = |row: &Row| match alone {
            true => looks.digits.in_full(&row.figure),
            false => short_percent(&row.figure, looks.digits),
        };
        let rows = frequent.into_iter().map(|row| (end_in_words(row), figure(row))).collect();
        lists.push(Bullets { heading: name.clone(), rows });
    }
    Document::from(Block::Lists(lists)) + intervals(table, looks.digits) + left_out(&rare)
}

/// Renders the outcomes with one column for each report point. If they do not fit, the last point
/// follows the first ones.
fn by_point(
    words: &dyn QuestionInfo,
    table: &Table,
    all: &[Alike],
    point: &str,
    looks: &Looks,
) -> Document {
    let layout_of = |across: &usize| points_across(words, table, all, point, looks, *across);
    let most = if looks.all { usize::MAX } else { ACROSS };
    let fewer = (2..ACROSS).rev().map(|across| layout_of(&across));
    std::iter::once(layout_of(&most))
        .chain(fewer)
        .find(Document::fits)
        .unwrap_or_else(|| layout_of(&most))
}

fn points_across(
    words: &dyn QuestionInfo,
    table: &Table,
    all: &[Alike],
    point: &str,
    looks: &Looks,
    across: usize,
) -> Document {
    let mut points: Vec<u16> =
        table.rows.iter().filter_map(|row| row.label.phase.or(row.label.step)).collect();
    points.sort_unstable();
    points.dedup();
    let is_cut = points.len() > across;
    let last = points.last().copied().filter(|_| is_cut);
    let shown: Vec<u16> = match is_cut {
        true => points[..across - 1].iter().copied().chain(last).collect(),
        false => points,
    };
    let mut headings = vec![format!("by {point}")];
    headings.extend(shown.iter().map(|at| match last {
        Some(last) if *at == last => format!("... {last}"),
        _ => at.to_string(),
    }));
    let mut lines: Vec<Vec<String>> = Vec::new();
    let mut rare: Vec<&Row> = Vec::new();
    let alone = all.len() == 1 && slots(table).len() == 1;
    let mut sorts: Vec<(String, u8)> =
        all.iter().map(|units| (units.called(all), units.slots[0])).collect();
    let others = slots(table)
        .into_iter()
        .filter(|(slot, _)| !all.iter().any(|units| units.slots.contains(slot)));
    sorts.extend(
        others.map(|(slot, unit)| (unit.unwrap_or_else(|| format!("created unit [{slot}]")), slot)),
    );
    for (name, slot) in &sorts {
        let rows: Vec<&Row> =
            table.rows.iter().filter(|row| row.label.slot == Some(*slot)).collect();
        let mut known: Vec<(String, Vec<&Row>)> = Vec::new();
        for row in rows {
            let end = end_in_words(row);
            match known.iter_mut().find(|(known, _)| *known == end) {
                Some((_, rows)) => rows.push(row),
                None => known.push((end, vec![row])),
            }
        }
        let order = |status: &str| words.statuses().iter().position(|known| *known == status);
        known.sort_by_key(|(_, rows)| {
            let label = &rows[0].label;
            (
                label.status.and_then(order),
                plain_number(label.counter.as_deref()),
                label.counter.clone(),
            )
        });
        let (frequent, few): (Vec<_>, Vec<_>) = known.into_iter().partition(|(_, rows)| {
            looks.all || rows.iter().any(|row| row.figure.probability() >= RARE)
        });
        rare.extend(few.iter().map(|(_, rows)| rows[0]));
        if frequent.is_empty() {
            continue;
        }
        if !alone {
            let mut line = vec![name.clone()];
            line.resize(headings.len(), String::new());
            lines.push(line);
        }
        for (end, rows) in frequent {
            let indent = if alone { "" } else { "  " };
            let mut line = vec![format!("{indent}{end}")];
            line.extend(shown.iter().map(|at| {
                let here = rows.iter().find(|row| row.label.phase.or(row.label.step) == Some(*at));
                here.map(|row| row.figure)
                    .or_else(|| unseen(&table.meta).filter(|_| rows[0].figure.counted().is_some()))
                    .map_or_else(
                        || looks.digits.percent(0.0),
                        |figure| short_percent(&figure, looks.digits),
                    )
            }));
            lines.push(line);
        }
    }
    let mut right = vec![true; headings.len()];
    right[0] = false;
    aligned(&headings, &lines, &right) + intervals(table, looks.digits) + left_out(&rare)
}

/// Returns the number that a counter consists of, as its sort key; `None` for other counters.
fn plain_number(counter: Option<&str>) -> Option<u32> {
    counter.and_then(|text| text.parse().ok())
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
