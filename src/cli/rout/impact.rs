//! `rout --impact`: what each interpretation changes in this situation.

use super::super::fault::Failure;
use super::super::output::{OutputArguments, write};
use super::super::watch;
use super::told::{list, with_enemies};
use super::too_big;
use crate::asl::rout::Situation;
use crate::asl::rulebook::{INTERPRETATIONS, Interpretation, Rulebook};
use crate::course::rout::{Prospect, prospect};
use crate::engine::EngineError;
use crate::scenario::answer::course_words;
use crate::table::layout::{aligned, percent};
use crate::table::{Cell, Column, Meta, Sheet};

/// One thing that is otherwise when an interpretation is read the other way.
struct Change {
    interpretation: &'static Interpretation,
    /// The value it is read by.
    value: &'static str,
    unit: usize,
    what: String,
    from: Fact,
    to: Fact,
}

/// What can be said of a unit: in words, or as a chance.
#[derive(Clone, PartialEq)]
enum Fact {
    None,
    Words(String),
    Chance(f64),
}

impl Fact {
    fn text(&self) -> String {
        match self {
            Fact::None => "none".to_string(),
            Fact::Words(words) => words.clone(),
            Fact::Chance(chance) => percent(*chance),
        }
    }

    fn chance(&self) -> Option<f64> {
        if let Fact::Chance(chance) = self { Some(*chance) } else { None }
    }

    fn differs(&self, other: &Fact) -> bool {
        match (self, other) {
            (Fact::Chance(a), Fact::Chance(b)) => (a - b).abs() > 1e-12,
            (a, b) => a != b,
        }
    }
}

/// Answers with the interpretations in `which` read the other way: all, or the one named.
pub(super) fn run(
    situation: &Situation,
    units: &[usize],
    which: &str,
    meta: Meta,
    output: &OutputArguments,
) -> Result<(), Failure> {
    let asked: Vec<&Interpretation> = match which {
        "all" => INTERPRETATIONS.iter().collect(),
        id => Rulebook::readings(id).map_err(|fault| Failure::argument("--impact", id, fault))?,
    };
    let before = facts_of_all(situation, units).map_err(too_big)?;
    let mut changes = Vec::new();
    for &interpretation in &asked {
        let rulebook = situation.rulebook.flipped(interpretation.switch);
        let after = facts_of_all(&Situation { rulebook, ..situation.clone() }, units).map_err(too_big)?;
        let value = rulebook.value(interpretation.switch);
        for ((&unit, before), after) in units.iter().zip(&before).zip(after) {
            let changed = compared(before, &after);
            changes.extend(changed.map(|(what, from, to)| Change { interpretation, value, unit, what, from, to }));
        }
    }
    let sheet = sheet(situation, &changes, meta);
    write(output, &sheet, || told(situation, &asked, &changes))
}

/// Facts with their names.
type Facts = Vec<(String, Fact)>;

fn facts_of_all(situation: &Situation, units: &[usize]) -> Result<Vec<Facts>, EngineError> {
    units.iter().map(|&unit| Ok(facts(situation, &prospect(situation, &situation.routers[unit], watch())?))).collect()
}

/// What a player asks first: what the rules say, where to, the best plan; then the odds of every plan.
fn facts(situation: &Situation, found: &Prospect) -> Facts {
    let Prospect { ruling, outlook, courses, .. } = found;
    let verdict = if ruling.surrenders { "surrenders" } else { ruling.verdict.words() };
    let reasons = ruling.reasons.iter().map(|reason| with_enemies(situation, reason.text, &reason.enemies)).collect::<Vec<_>>();
    let mut destinations: Vec<_> = outlook.choice.destinations().map(|cover| cover.site).collect();
    destinations.sort();
    let destinations = list(situation, destinations);
    let free = if outlook.choice.is_free { ", or free" } else { "" };
    let mut facts = vec![
        ("verdict".to_string(), Fact::Words(verdict.to_string())),
        ("reasons".to_string(), Fact::Words(reasons.join("; "))),
        ("first steps".to_string(), Fact::Words(list(situation, outlook.first_steps.iter().copied()))),
        ("destinations".to_string(), Fact::Words(destinations + free)),
        ("Low Crawl".to_string(), Fact::Words(list(situation, outlook.low_crawl.iter().copied()))),
    ];
    if let Some(best) = courses.first() {
        let sum = best.summary();
        facts.push(("best plan".to_string(), Fact::Words(course_words(situation, best))));
        facts.push(("survives by the best plan".to_string(), Fact::Chance(sum.survives)));
        facts.push(("in cover by the best plan".to_string(), Fact::Chance(sum.in_cover)));
    }
    facts.extend(
        courses
            .iter()
            .map(|course| (format!("survives: {}", course_words(situation, course)), Fact::Chance(course.summary().survives))),
    );
    facts
}

/// What differs, in the order of the facts before, then those that are new.
fn compared<'a>(before: &'a Facts, after: &'a Facts) -> impl Iterator<Item = (String, Fact, Fact)> {
    let find =
        |facts: &Facts, name: &str| facts.iter().find(|(other, _)| other == name).map_or(Fact::None, |(_, fact)| fact.clone());
    let new = after.iter().filter(|(name, _)| !before.iter().any(|(other, _)| other == name));
    let all = before.iter().chain(new).map(move |(name, _)| (name.clone(), find(before, name), find(after, name)));
    all.filter(|(_, from, to)| from.differs(to))
}

/// Every change, for analysis.
fn sheet(situation: &Situation, changes: &[Change], meta: Meta) -> Sheet {
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
        let number = |fact: &Fact| fact.chance().map_or_else(|| fact.text(), |chance| chance.to_string());
        let difference = change.from.chance().zip(change.to.chance()).map(|(from, to)| to - from);
        vec![
            Cell::Text(change.interpretation.id.to_string()),
            Cell::Text(change.value.to_string()),
            Cell::Text(router.name.clone()),
            Cell::Text(situation.map.site_name(router.at)),
            Cell::Text(change.what.clone()),
            Cell::Text(number(&change.from)),
            Cell::Text(number(&change.to)),
            difference.map_or(Cell::Null, Cell::Float),
        ]
    };
    Sheet { columns, rows: changes.iter().map(row).collect(), json_only: None, lists: Vec::new(), meta }
}

/// Of all interpretations the verdict, the destinations and the best plan; of one every change.
fn told(situation: &Situation, asked: &[&Interpretation], changes: &[Change]) -> String {
    let is_one = asked.iter().all(|interpretation| interpretation.id == asked[0].id);
    let mut text = String::new();
    if is_one {
        let Interpretation { id, question, values, default, .. } = asked[0];
        text += &format!("{question} ({id})\n  {}: {default}\n", values[0]);
        for Interpretation { values, alternative, .. } in asked {
            text += &format!("  {}: {alternative}\n", values[1]);
        }
        text.push('\n');
    }
    let is_shown = |change: &&Change| {
        is_one || !["reasons", "first steps"].contains(&change.what.as_str()) && !change.what.starts_with("survives: ")
    };
    let row = |change: &Change| {
        let read = format!("{}={}", change.interpretation.id, change.value);
        let name = situation.routers[change.unit].name.clone();
        vec![read, name, change.what.clone(), change.from.text(), change.to.text()]
    };
    let rows: Vec<Vec<String>> = changes.iter().filter(is_shown).map(row).collect();
    let headings = ["read by", "unit", "changes", "from", "to"].map(str::to_string);
    text += &match (changes.is_empty(), is_one) {
        (true, true) => "Nothing of this situation changes.\n".to_string(),
        (true, false) => "No interpretation changes anything here.\n".to_string(),
        _ if rows.is_empty() => "No interpretation changes the verdict, the destinations or the best plan.\n".to_string(),
        _ => aligned(&headings, &rows, &[false; 5], false),
    };
    if !is_one {
        let mut moved: Vec<String> = changes.iter().map(|change| change.interpretation.name()).collect();
        moved.dedup();
        let hidden =
            moved.iter().filter(|name| !changes.iter().filter(is_shown).any(|change| change.interpretation.name() == **name));
        let hidden: Vec<&str> = hidden.map(String::as_str).collect();
        if !hidden.is_empty() {
            text += &format!("Only reasons, steps, or plans that are not the best: {}.\n", hidden.join(", "));
        }
        text += &format!(
            "{} interpretations change nothing. `--impact NAME` shows all that one changes.\n",
            asked.len() - moved.len()
        );
    }
    text
}
