//! Changes of a Rout Phase under other values of its rule settings: in verdicts, plans and odds.

use super::meta;
use answer::{Cell, Column, Meta, Sheet};
use asl::course::rout::{Prospect, prospect};
use asl::rout::Situation;
use asl::rulebook::Interpretation;
use asl::scenario::Scenario;
use asl::scenario::answer::{course_words, names_of, with_enemies};
use engine::EngineError;
use engine::monitor::Monitor;

/// The changes of a Rout Phase under other values of its rule settings.
pub struct Reread {
    pub scenario: Scenario,
    pub interpretations: Vec<&'static Interpretation>,
    pub changes: Vec<Change>,
    pub meta: Meta,
}

/// A change of one unit's finding, caused by another value of an interpretation. A finding is a
/// text, a probability (0 to 1), or null.
pub struct Change {
    pub interpretation: &'static Interpretation,
    pub value: &'static str,
    pub unit: usize,
    pub what: String,
    pub from: Cell,
    pub to: Cell,
}

/// Returns a finding as text; a probability is a percentage with two decimals.
pub fn finding_text(finding: &Cell) -> String {
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

pub(crate) fn reread(
    scenario: Scenario,
    units: &[usize],
    interpretations: Vec<&'static Interpretation>,
    command: String,
    watch: Monitor,
) -> Result<Reread, EngineError> {
    let situation = &scenario.situation;
    let before = findings_of_all(situation, units, watch)?;
    let mut changes = Vec::new();
    for &interpretation in &interpretations {
        let rulebook = situation.rulebook.flipped(interpretation.switch);
        let other = Situation { rulebook, ..situation.clone() };
        let value = rulebook.value(interpretation.switch);
        let after = findings_of_all(&other, units, watch)?;
        for ((&unit, before), after) in units.iter().zip(&before).zip(&after) {
            let change = |(what, from, to)| Change { interpretation, value, unit, what, from, to };
            changes.extend(compared(before, after).map(change));
        }
    }
    let meta = meta(&scenario, command);
    Ok(Reread { scenario, interpretations, changes, meta })
}

impl Reread {
    pub(crate) fn sheet(&self) -> Sheet {
        let situation = &self.scenario.situation;
        let texts = ["switch", "value", "unit", "hex", "what", "from", "to"];
        let row = |Change { interpretation, value, unit, what, from, to }: &Change| {
            let router = &situation.routers[*unit];
            let texts = [
                interpretation.id.to_string(),
                value.to_string(),
                router.name.clone(),
                situation.map.location_name(router.at),
                what.clone(),
                number_text(from),
                number_text(to),
            ];
            let difference = difference(from, to).map_or(Cell::Null, Cell::Float);
            texts.map(Cell::Text).into_iter().chain([difference]).collect()
        };
        let columns = texts.map(|name| (name, Column::Text)).into_iter();
        let columns = columns.chain([("difference", Column::Float)]).collect();
        Sheet::new(columns, self.changes.iter().map(row).collect(), self.meta.clone())
    }
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

/// Returns the findings about a unit: its obligation to rout, destinations, best plan, and the odds
/// of every plan.
fn findings(situation: &Situation, prospect: &Prospect) -> Findings {
    let Prospect { ruling, outlook, courses, .. } = prospect;
    let reasons = ruling.reasons.iter();
    let reasons = reasons.map(|reason| with_enemies(situation, &reason.text, &reason.enemies));
    let mut destinations: Vec<_> =
        outlook.choice.destinations().map(|cover| cover.location).collect();
    destinations.sort();
    let free = if outlook.choice.is_free { ", or free" } else { "" };
    let words = [
        ("verdict", ruling.words().to_string()),
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
