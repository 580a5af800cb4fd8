//! Changes of a Rout Phase under other values of its rule settings: in verdicts, plans and odds.

use super::super::Refused;
use super::super::request::Rereading;
use super::meta;
use answer::meta::Meta;
use answer::options::Options;
use answer::sheet::{Cell, Column, Sheet};
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

/// A change of one unit's finding, caused by another value of an interpretation.
pub struct Change {
    pub interpretation: &'static Interpretation,
    pub value: &'static str,
    pub unit: usize,
    pub what: String,
    pub from: UnitFinding,
    pub to: UnitFinding,
}

/// A finding about a unit: none, words, or a probability (0 to 1).
#[derive(Clone, PartialEq)]
pub enum UnitFinding {
    None,
    Words(String),
    Chance(f64),
}

impl UnitFinding {
    /// Returns the finding as text; a probability is a percentage with two decimals.
    pub fn text(&self) -> String {
        match self {
            UnitFinding::None => "none".to_string(),
            UnitFinding::Words(words) => words.clone(),
            UnitFinding::Chance(chance) => format!("{:.2} %", 100.0 * chance),
        }
    }

    fn chance(&self) -> Option<f64> {
        if let UnitFinding::Chance(chance) = self { Some(*chance) } else { None }
    }

    fn differs(&self, other: &UnitFinding) -> bool {
        match (self, other) {
            (UnitFinding::Chance(a), UnitFinding::Chance(b)) => (a - b).abs() > 1e-12,
            (a, b) => a != b,
        }
    }
}

pub(crate) fn reread(
    rereading: Rereading,
    command: String,
    options: &Options,
) -> Result<Reread, Refused> {
    let Rereading { scenario, units, interpretations } = rereading;
    let situation = &scenario.situation;
    let all = |situation: &Situation| {
        let facts = facts_of_all(situation, &units, options.watch);
        facts.map_err(|error| Refused::Engine { error, help: None })
    };
    let before = all(situation)?;
    let mut changes = Vec::new();
    for &interpretation in &interpretations {
        let rulebook = situation.rulebook.flipped(interpretation.switch);
        let after = all(&Situation { rulebook, ..situation.clone() })?;
        let value = rulebook.value(interpretation.switch);
        for ((&unit, before), after) in units.iter().zip(&before).zip(after) {
            let changed = compared(before, &after);
            changes.extend(changed.map(|(what, from, to)| Change {
                interpretation,
                value,
                unit,
                what,
                from,
                to,
            }));
        }
    }
    let meta = meta(&scenario, command);
    Ok(Reread { scenario, interpretations, changes, meta })
}

impl Reread {
    pub(crate) fn sheet(&self) -> Sheet {
        let situation = &self.scenario.situation;
        let columns = vec![
            ("switch", Column::Text),
            ("value", Column::Text),
            ("unit", Column::Text),
            ("hex", Column::Text),
            ("what", Column::Text),
            ("from", Column::Text),
            ("to", Column::Text),
            ("difference", Column::Float),
        ];
        let row = |change: &Change| {
            let router = &situation.routers[change.unit];
            let number = |fact: &UnitFinding| {
                fact.chance().map_or_else(|| fact.text(), |chance| chance.to_string())
            };
            let difference =
                change.from.chance().zip(change.to.chance()).map(|(from, to)| to - from);
            vec![
                Cell::Text(change.interpretation.id.to_string()),
                Cell::Text(change.value.to_string()),
                Cell::Text(router.name.clone()),
                Cell::Text(situation.map.location_name(router.at)),
                Cell::Text(change.what.clone()),
                Cell::Text(number(&change.from)),
                Cell::Text(number(&change.to)),
                difference.map_or(Cell::Null, Cell::Float),
            ]
        };
        Sheet {
            columns,
            rows: self.changes.iter().map(row).collect(),
            json_only: Vec::new(),
            lists: Vec::new(),
            meta: self.meta.clone(),
        }
    }
}

type Facts = Vec<(String, UnitFinding)>;

fn facts_of_all(
    situation: &Situation,
    units: &[usize],
    watch: Monitor,
) -> Result<Vec<Facts>, EngineError> {
    units
        .iter()
        .map(|&unit| Ok(facts(situation, &prospect(situation, &situation.routers[unit], watch)?)))
        .collect()
}

/// Returns the findings about a unit: its obligation to rout, destinations, best plan, and the odds
/// of every plan.
fn facts(situation: &Situation, prospect: &Prospect) -> Facts {
    let Prospect { ruling, outlook, courses, .. } = prospect;
    let verdict = if ruling.surrenders { "surrenders" } else { ruling.verdict.words() };
    let reasons = ruling
        .reasons
        .iter()
        .map(|reason| with_enemies(situation, reason.text, &reason.enemies))
        .collect::<Vec<_>>();
    let mut destinations: Vec<_> =
        outlook.choice.destinations().map(|cover| cover.location).collect();
    destinations.sort();
    let destinations = names_of(situation, destinations);
    let free = if outlook.choice.is_free { ", or free" } else { "" };
    let mut facts = vec![
        ("verdict".to_string(), UnitFinding::Words(verdict.to_string())),
        ("reasons".to_string(), UnitFinding::Words(reasons.join("; "))),
        (
            "first steps".to_string(),
            UnitFinding::Words(names_of(situation, outlook.first_steps.iter().copied())),
        ),
        ("destinations".to_string(), UnitFinding::Words(destinations + free)),
        (
            "Low Crawl".to_string(),
            UnitFinding::Words(names_of(situation, outlook.low_crawl.iter().copied())),
        ),
    ];
    if let Some(best) = courses.first() {
        let sum = best.summary();
        facts.push(("best plan".to_string(), UnitFinding::Words(course_words(situation, best))));
        facts.push(("survives by the best plan".to_string(), UnitFinding::Chance(sum.survives)));
        facts.push(("in cover by the best plan".to_string(), UnitFinding::Chance(sum.in_cover)));
    }
    facts.extend(courses.iter().map(|course| {
        (
            format!("survives: {}", course_words(situation, course)),
            UnitFinding::Chance(course.summary().survives),
        )
    }));
    facts
}

/// Returns the findings that differ: in the order of `before`, then those only in `after`.
fn compared<'a>(
    before: &'a Facts,
    after: &'a Facts,
) -> impl Iterator<Item = (String, UnitFinding, UnitFinding)> {
    let find = |facts: &Facts, name: &str| {
        facts
            .iter()
            .find(|(other, _)| other == name)
            .map_or(UnitFinding::None, |(_, fact)| fact.clone())
    };
    let new = after.iter().filter(|(name, _)| !before.iter().any(|(other, _)| other == name));
    let all = before
        .iter()
        .chain(new)
        .map(move |(name, _)| (name.clone(), find(before, name), find(after, name)));
    all.filter(|(_, from, to)| from.differs(to))
}
