//! Changes of a Rout Phase under other values of its rule settings: in verdicts, plans and odds.

use serde_json::json;

use super::meta;
use super::report::ReportPart::{self, Gap, Line, Paragraph, Table};
use super::report::RoutFindings;
use answer::{Cell, Column, Sheet};
use asl::course::rout::{Prospect, prospect};
use asl::rout::Situation;
use asl::rulebook::Interpretation;
use asl::scenario::Scenario;
use asl::scenario::answer::{course_words, names_of, with_enemies};
use engine::EngineError;
use engine::monitor::Monitor;

/// A change of a unit's finding (text, probability 0 to 1, or null) by another interpretation.
struct Change {
    interpretation: &'static Interpretation,
    value: &'static str,
    unit: usize,
    what: String,
    from: Cell,
    to: Cell,
}

impl Change {
    fn is_any(&self, findings: &[&str]) -> bool {
        findings.contains(&self.what.as_str())
    }

    fn row(&self, situation: &Situation) -> Vec<Cell> {
        let router = &situation.routers[self.unit];
        let texts = [
            self.interpretation.id.to_string(),
            self.value.to_string(),
            router.name.clone(),
            situation.map.location_name(router.at),
            self.what.clone(),
            number_text(&self.from),
            number_text(&self.to),
        ];
        let difference = difference(&self.from, &self.to).map_or(Cell::Null, Cell::Float);
        texts.map(Cell::Text).into_iter().chain([difference]).collect()
    }
}

fn finding_text(finding: &Cell) -> String {
    match finding {
        Cell::Float(chance) => format!("{:.2} %", 100.0 * chance),
        finding => number_text(finding),
    }
}

fn number_text(finding: &Cell) -> String {
    if let Cell::Null = finding { "none".to_string() } else { finding.text() }
}

fn difference(from: &Cell, to: &Cell) -> Option<f64> {
    if let (Cell::Float(from), Cell::Float(to)) = (from, to) { Some(to - from) } else { None }
}

/// Compares a Rout Phase under other values of rule settings: in verdicts, plans and odds.
pub(crate) fn impact(
    scenario: &Scenario,
    units: &[usize],
    interpretations: &[&'static Interpretation],
    command: String,
    watch: Monitor,
) -> Result<RoutFindings, EngineError> {
    let situation = &scenario.situation;
    let before = findings_of_all(situation, units, watch)?;
    let mut changes = Vec::new();
    for &interpretation in interpretations {
        let rulebook = situation.rulebook.flipped(interpretation.switch);
        let other = Situation { rulebook, ..situation.clone() };
        let value = rulebook.value(interpretation.switch);
        let after = findings_of_all(&other, units, watch)?;
        for ((&unit, before), after) in units.iter().zip(&before).zip(&after) {
            let change = |(what, from, to)| Change { interpretation, value, unit, what, from, to };
            changes.extend(compared(before, after).map(change));
        }
    }
    let texts = ["switch", "value", "unit", "hex", "what", "from", "to"];
    let columns = texts.map(|name| (name, Column::Text)).into_iter();
    let columns = columns.chain([("difference", Column::Float)]).collect();
    let rows = changes.iter().map(|change| change.row(situation)).collect();
    let first = changes
        .iter()
        .filter(|change| change.is_any(&["verdict", "destinations", "best plan"]))
        .map(|change| {
            let [from, to] = [&change.from, &change.to].map(finding_text);
            json!({ "switch": change.interpretation.id, "value": change.value, "what": change.what,
                "unit": situation.routers[change.unit].name, "from": from, "to": to })
        });
    Ok(RoutFindings {
        headline: first.collect(),
        report: report(situation, interpretations, &changes),
        sheet: Sheet::new(columns, rows, meta(scenario, command)),
    })
}

type Findings = Vec<(String, Cell)>;

fn findings_of_all(
    situation: &Situation,
    units: &[usize],
    watch: Monitor,
) -> Result<Vec<Findings>, EngineError> {
    let prospect = |&unit: &usize| prospect(situation, &situation.routers[unit], watch);
    units.iter().map(|unit| Ok(findings(situation, &prospect(unit)?))).collect()
}

/// Returns the findings about a unit: obligation to rout, destinations, best plan, odds of plans.
fn findings(situation: &Situation, prospect: &Prospect) -> Findings {
    let Prospect { ruling, outlook, courses, .. } = prospect;
    let reasons = ruling.reasons.iter();
    let reasons = reasons.map(|reason| with_enemies(situation, &reason.text, &reason.enemies));
    let mut destinations: Vec<_> =
        outlook.choice.destinations().map(|cover| cover.location).collect();
    destinations.sort();
    let free = if outlook.choice.is_free { ", or free" } else { "" };
    let words = [
        ("verdict", ruling.words()),
        ("reasons", reasons.collect::<Vec<_>>().join("; ")),
        ("first steps", names_of(situation, outlook.first_steps.iter().copied())),
        ("destinations", names_of(situation, destinations) + free),
        ("Low Crawl", names_of(situation, outlook.low_crawl.iter().copied())),
    ];
    let best = courses.first().map(|best| {
        let sum = best.summary();
        [
            ("best plan", Cell::Text(course_words(situation, best))),
            ("survives by the best plan", Cell::Float(sum.survives)),
            ("in cover by the best plan", Cell::Float(sum.in_cover)),
        ]
    });
    let plans = courses.iter().map(|course| {
        let name = format!("survives: {}", course_words(situation, course));
        (name, Cell::Float(course.summary().survives))
    });
    let words = words.map(|(name, words)| (name, Cell::Text(words))).into_iter();
    let named = words.chain(best.into_iter().flatten());
    named.map(|(name, finding)| (name.to_string(), finding)).chain(plans).collect()
}

/// Returns the findings that differ: in the order of `before`, then those only in `after`.
fn compared<'a>(
    before: &'a Findings,
    after: &'a Findings,
) -> impl Iterator<Item = (String, Cell, Cell)> + 'a {
    let find = |findings: &Findings, name: &str| {
        let found = findings.iter().find(|(other, _)| other == name);
        found.map_or(Cell::Null, |(_, finding)| finding.clone())
    };
    let new = after.iter().filter(|(name, _)| !before.iter().any(|(other, _)| other == name));
    let all = before.iter().chain(new);
    let all = all.map(move |(name, _)| (name.clone(), find(before, name), find(after, name)));
    all.filter(|(_, from, to)| match difference(from, to) {
        Some(difference) => difference.abs() > 1e-12,
        None => from != to,
    })
}

/// Reports the changes. For several interpretations, reasons, first steps and odds of plans that
/// are not the best are omitted.
fn report(
    situation: &Situation,
    interpretations: &[&'static Interpretation],
    changes: &[Change],
) -> Vec<ReportPart> {
    let is_one = interpretations.iter().all(|other| other.id == interpretations[0].id);
    let mut parts = Vec::new();
    if is_one {
        let Interpretation { id, question, values, default, .. } = interpretations[0];
        parts.push(Paragraph(0, format!("{question} ({id})")));
        parts.push(Paragraph(2, format!("{}: {default}", values[0])));
        let alternatives = interpretations.iter();
        let alternative = |Interpretation { values, alternative, .. }: &&Interpretation| {
            Paragraph(2, format!("{}: {alternative}", values[1]))
        };
        parts.extend(alternatives.map(alternative).chain([Gap]));
    }
    let is_minor = |change: &&Change| {
        change.is_any(&["reasons", "first steps"]) || change.what.starts_with("survives: ")
    };
    let shown = || changes.iter().filter(|change| is_one || !is_minor(change));
    let row = |change: &Change| {
        let read = format!("{}={}", change.interpretation.id, change.value);
        let [from, to] = [&change.from, &change.to].map(finding_text);
        vec![read, situation.unit_called(change.unit), change.what.clone(), from, to]
    };
    let rows: Vec<Vec<String>> = shown().map(row).collect();
    let line = |text: &str| Line(text.to_string());
    parts.push(match (changes.is_empty(), is_one) {
        (true, true) => line("Nothing of this situation changes."),
        (true, false) => line("No interpretation changes anything here."),
        _ if rows.is_empty() => {
            line("No interpretation changes the verdict, the destinations or the best plan.")
        }
        _ => {
            let headings = ["read by", "unit", "changes", "from", "to"];
            Table { headings: headings.map(str::to_string).to_vec(), rows, texts: 5 }
        }
    });
    if is_one {
        return parts;
    }
    let name = |change: &Change| change.interpretation.name();
    let mut moved: Vec<String> = changes.iter().map(name).collect();
    moved.dedup();
    let idle = interpretations.len() - moved.len();
    moved.retain(|moved| !shown().any(|change| name(change) == *moved));
    if !moved.is_empty() {
        let moved = moved.join(", ");
        let words = format!("Only reasons, steps, or plans that are not the best: {moved}.");
        parts.push(Paragraph(0, words));
    }
    let words = "interpretations change nothing. `--impact NAME` shows all that one changes.";
    parts.push(Paragraph(0, format!("{idle} {words}")));
    parts
}
