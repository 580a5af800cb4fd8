//! The answer as a player reads it: one or two sentences, then a small table.

use std::collections::BTreeMap;

use crate::asl::question::{Kind, Question};
use crate::table::layout::{aligned, percent};
use crate::table::{Figure, Row, Table};

/// Rows of a joint table that are shown; the others are summed up.
const JOINT_ROWS: usize = 20;

/// The whole screen.
pub fn of(question: &Question, table: &Table) -> String {
    let mut text = format!("{}\n\n", table.meta.question);
    text += &match (question.is_joint(), question.kind()) {
        (true, _) => joint(table),
        (false, Kind::Rally) => rally(table),
        (false, _) => ends(question, table),
    };
    text += "\n";
    text += &footing(table);
    text
}

/// A probability with its error: exact ones as a fraction too where it is short.
fn words(figure: &Figure) -> String {
    match figure {
        Figure::Exact { probability, fraction } => match fraction.map(|fraction| fraction.to_string()) {
            Some(fraction) if fraction.len() <= 11 => format!("{} ({fraction})", percent(*probability)),
            _ => percent(*probability),
        },
        Figure::Estimate(_) | Figure::Stratified(_) => estimate(figure),
    }
}

fn estimate(figure: &Figure) -> String {
    let (low, high) = figure.interval().unwrap_or((0.0, 0.0));
    format!("{} (95 %: {} - {})", percent(figure.probability()), percent(low), percent(high))
}

/// Rows of one slot at one phase.
fn at(table: &Table, slot: u8, phase: Option<u16>) -> Vec<&Row> {
    table.rows.iter().filter(|row| row.label.slot == Some(slot) && row.label.phase == phase).collect()
}

fn slots(table: &Table) -> BTreeMap<u8, Option<String>> {
    table.rows.iter().filter_map(|row| Some((row.label.slot?, row.label.unit.clone()))).collect()
}

fn unit_name(slot: u8, unit: &Option<String>, several: bool) -> String {
    match unit {
        None => format!("created unit [{slot}]"),
        Some(unit) if several => format!("{unit} [{slot}]"),
        Some(unit) => unit.clone(),
    }
}

/// The sum of some rows' figures.
fn sum(rows: &[&Row]) -> Option<Figure> {
    rows.iter().map(|row| row.figure).reduce(|a, b| match (a, b) {
        (Figure::Exact { probability: p, fraction: f }, Figure::Exact { probability: q, fraction: g }) => {
            Figure::Exact { probability: p + q, fraction: f.zip(g).and_then(|(f, g)| f.checked_add(g)) }
        }
        (Figure::Estimate(a), Figure::Estimate(b)) => {
            Figure::Estimate(crate::stats::Proportion { count: a.count + b.count, trials: a.trials })
        }
        // The strata of two outcomes go together, and how is not kept: their errors are added up, which is never too little.
        (Figure::Stratified(a), Figure::Stratified(b)) => Figure::Stratified(crate::engine::stratified::Estimate {
            count: a.count + b.count,
            trials: a.trials,
            std_error: a.std_error + b.std_error,
        }),
        (a, _) => a,
    })
}

fn with_status<'a>(rows: &[&'a Row], status: &str) -> Vec<&'a Row> {
    rows.iter().copied().filter(|row| row.label.status == Some(status)).collect()
}

/// Rally: when each unit rallies, and what else becomes of it.
fn rally(table: &Table) -> String {
    let phases: Vec<u16> = {
        let mut phases: Vec<u16> = table.rows.iter().filter_map(|row| row.label.phase).collect();
        phases.dedup();
        phases.sort();
        phases.dedup();
        phases
    };
    let (Some(&first), Some(&last)) = (phases.first(), phases.last()) else { return "nothing can happen\n".to_string() };
    let slots = slots(table);
    let several = slots.len() > 1;
    let mut text = String::new();
    for (&slot, unit) in &slots {
        let name = unit_name(slot, unit, several);
        if unit.is_none() {
            let there = sum(&at(table, slot, Some(last)));
            text += &format!("A unit is created as [{slot}]: {}.\n", there.map_or("never".to_string(), |figure| words(&figure)));
            continue;
        }
        let at_end = at(table, slot, Some(last));
        let rallied = |phase| sum(&with_status(&at(table, slot, Some(phase)), "rallied"));
        match (rallied(first), rallied(last)) {
            (_, Some(by_last)) if first == last => text += &format!("{name} rallies: {}.\n", words(&by_last)),
            (by_first, Some(by_last)) => {
                let by_first = by_first.map_or("never".to_string(), |figure| words(&figure));
                text += &format!("{name} rallies in the first phase: {by_first}; within {last} phases: {}.\n", words(&by_last));
            }
            (_, None) if at_end.iter().any(|row| row.label.status == Some("broken") || row.label.status == Some("disrupted")) => {
                text += &format!("{name} does not rally.\n");
            }
            _ => text += &format!("{name} is not broken.\n"),
        }
    }
    text + "\n" + &by_phase(table, &phases, &slots)
}

/// One row per phase, one column per unit and outcome; a unit whose every outcome would not fit gets its statuses only.
fn by_phase(table: &Table, phases: &[u16], slots: &BTreeMap<u8, Option<String>>) -> String {
    let several = slots.len() > 1;
    let mut headings = vec!["phase".to_string()];
    let mut columns: Vec<(u8, String, Option<String>)> = Vec::new();
    for (&slot, unit) in slots {
        for status in ["rallied", "good-order", "pinned", "broken", "disrupted", "berserk", "eliminated"] {
            let of_status: Vec<&Row> =
                table.rows.iter().filter(|row| row.label.slot == Some(slot) && row.label.status == Some(status)).collect();
            let mut counters: Vec<Option<String>> = of_status.iter().map(|row| row.label.counter.clone()).collect();
            counters.sort();
            counters.dedup();
            if several {
                counters.truncate(1);
            }
            for counter in counters {
                let shown = if several { None } else { counter };
                let name = shown.as_ref().map_or(status.to_string(), |counter| format!("{status} {counter}"));
                headings.push(if several { format!("{} {name}", unit_name(slot, unit, true)) } else { name });
                columns.push((slot, status.to_string(), shown));
            }
        }
    }
    let cell = |phase: u16, (slot, status, counter): &(u8, String, Option<String>)| {
        let rows: Vec<&Row> = with_status(&at(table, *slot, Some(phase)), status)
            .into_iter()
            .filter(|row| counter.is_none() || row.label.counter == *counter)
            .collect();
        percent(sum(&rows).map_or(0.0, |figure| figure.probability()))
    };
    let row = |&phase: &u16| {
        let mut row = vec![phase.to_string()];
        row.extend(columns.iter().map(|column| cell(phase, column)));
        row
    };
    if columns.len() > 8 {
        return transposed(&headings, phases, &columns, cell);
    }
    let rows: Vec<Vec<String>> = phases.iter().map(row).collect();
    aligned(&headings, &rows, &vec![true; headings.len()], false)
}

/// The same with phases as columns, for stacks.
fn transposed<C>(headings: &[String], phases: &[u16], columns: &[C], cell: impl Fn(u16, &C) -> String) -> String {
    let shown: Vec<u16> = if phases.len() > 6 {
        phases.iter().copied().filter(|&phase| phase <= 5 || Some(&phase) == phases.last()).collect()
    } else {
        phases.to_vec()
    };
    let mut top = vec!["by phase".to_string()];
    top.extend(shown.iter().map(u16::to_string));
    let rows: Vec<Vec<String>> = columns
        .iter()
        .zip(&headings[1..])
        .map(|(column, heading)| {
            let mut row = vec![heading.clone()];
            row.extend(shown.iter().map(|&phase| cell(phase, column)));
            row
        })
        .collect();
    let mut right = vec![true; top.len()];
    right[0] = false;
    aligned(&top, &rows, &right, false)
}

/// Check and Interdiction: how each unit ends.
fn ends(question: &Question, table: &Table) -> String {
    let good = if question.kind() == Kind::Check { ["good-order", "pinned"] } else { ["through", "stopped"] };
    let verb = if question.kind() == Kind::Check { "is unharmed" } else { "gets through" };
    let slots = slots(table);
    let several = slots.len() > 1;
    let mut text = String::new();
    for (&slot, unit) in slots.iter().filter(|(_, unit)| unit.is_some()) {
        let rows = at(table, slot, None);
        let name = unit_name(slot, unit, several);
        let unharmed = sum(&with_status(&rows, good[0])).map_or("never".to_string(), |figure| words(&figure));
        let gone =
            sum(&with_status(&rows, "eliminated")).map_or(String::new(), |figure| format!("; is eliminated: {}", words(&figure)));
        text += &format!("{name} {verb}: {unharmed}{gone}.\n");
    }
    text += "\n";
    let headings = ["slot", "unit", "ends", "as", "probability"].map(str::to_string);
    let mut rows = Vec::new();
    let mut previous = None;
    for row in &table.rows {
        let label = &row.label;
        let first = previous.replace(label.slot) != Some(label.slot);
        let shown = |text: String| if first { text } else { String::new() };
        let wounded = if label.wounded == Some(true) { " wounded" } else { "" };
        rows.push(vec![
            shown(label.slot.map_or(String::new(), |slot| slot.to_string())),
            shown(label.unit.clone().unwrap_or("created".to_string())),
            label.status.unwrap_or_default().to_string(),
            format!("{}{wounded}", label.counter.clone().unwrap_or_default()),
            words(&row.figure),
        ]);
    }
    text + &aligned(&headings, &rows, &[true, false, false, false, false], false)
}

/// Outcomes of the whole stack, likeliest first.
fn joint(table: &Table) -> String {
    let mut rows: Vec<&Row> = table.rows.iter().collect();
    let last = rows.iter().filter_map(|row| row.label.phase).max();
    rows.retain(|row| row.label.phase == last);
    rows.sort_by(|a, b| b.figure.probability().total_cmp(&a.figure.probability()));
    let shown: Vec<Vec<String>> =
        rows.iter().take(JOINT_ROWS).map(|row| vec![words(&row.figure), row.label.outcome.clone().unwrap_or_default()]).collect();
    let mut text = last.map_or(String::new(), |phase| format!("After phase {phase}:\n"));
    text += &aligned(&["probability", "outcome of the stack"].map(str::to_string), &shown, &[false, false], false);
    if let Some(rest) = sum(&rows[JOINT_ROWS.min(rows.len())..]) {
        let further = rows.len() - JOINT_ROWS;
        text += &format!("and {further} further outcomes, together {}; `--format csv` prints all\n", percent(rest.probability()));
    }
    text
}

/// How the answer was come by, and what it rests on.
fn footing(table: &Table) -> String {
    let meta = &table.meta;
    let mut text = match (meta.engine, meta.trials) {
        ("exact", _) if meta.arithmetic == Some("float") => "Exact (floating point, errors below 1e-12)".to_string(),
        ("exact", _) => "Exact".to_string(),
        (_, trials) => {
            let (trials, seed) = (trials.unwrap_or_default(), meta.seed.unwrap_or_default());
            let stratified = meta.stratify.map_or(String::new(), |rolls| format!(", first {rolls} DR stratified"));
            format!("Monte Carlo, {trials} sequence{}, seed {seed}{stratified}", if trials == 1 { "" } else { "s" })
        }
    };
    text += &format!("; profile {}, without Heat of Battle.\n", meta.profile);
    if let Some(reason) = &meta.reason {
        text += &format!("Why not exact, or not faster: {reason}.\n");
    }
    for (id, value) in &meta.switches {
        text += &format!("Interpretation {id}: {value}.\n");
    }
    for note in &meta.notes {
        text += &format!("Note: {note}.\n");
    }
    for uncertain in &meta.uncertain {
        text += &format!("Catalogue: {uncertain}.\n");
    }
    text
}
