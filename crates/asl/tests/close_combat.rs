//! Close Combat: exact figures from an independent program, and examples of the rulebook.

use engine::exact::{Bound, Odds, odds};
use engine::process::{Due, Process as _, Question as _, Silent};
use lowcrawl_asl as asl;

use answer::QuestionInfo as _;
use asl::close_combat::process::{CloseCombat, CombatOutcome, CombatReading};
use asl::close_combat::question::{CombatQuestion, close_combat};
use asl::close_combat::state::{CombatState, CombatStep};
use schema::RawValue;
use schema::field::Builder as _;

/// One row of `close_combat.csv`: a question, and the chance or value of one thing in its answer.
struct Case {
    id: String,
    stacks: [String; 2],
    plans: [String; 2],
    fields: String,
    what: String,
    value: String,
}

fn cases(text: &str) -> Vec<Case> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let case = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.unwrap();
        let cell = |place: usize| record[place].to_string();
        Case {
            id: cell(0),
            stacks: [cell(1), cell(2)],
            plans: [cell(3), cell(4)],
            fields: cell(5),
            what: cell(6),
            value: cell(7),
        }
    };
    reader.records().map(case).collect()
}

fn question(case: &Case) -> CombatQuestion {
    let [ours, theirs] = &case.stacks;
    let [plan, reply] = &case.plans;
    let mut question = close_combat(ours, theirs)
        .put("plan", RawValue::Text(plan))
        .put("reply", RawValue::Text(reply));
    for field in case.fields.split_whitespace() {
        question = match field.split_once('=') {
            None => question.put(field, RawValue::Boolean(true)),
            Some((name, word)) => {
                question.put(name, word.parse().map_or(RawValue::Text(word), RawValue::Integer))
            }
        };
    }
    question.question().unwrap_or_else(|fault| panic!("{}: {fault}", case.id))
}

type Chances = Odds<CombatOutcome>;

/// Returns the chance at the last report that outcomes fit.
fn chance(question: &CombatQuestion, odds: &Chances, fits: impl Fn(&CombatOutcome) -> bool) -> f64 {
    let last = question.facts().last_point;
    let chances = odds.chances.iter().filter(|chance| chance.point == last);
    chances.filter(|chance| fits(&chance.outcome)).map(|chance| chance.probability).sum()
}

/// Returns whether an outcome of a unit is what the word says: a status, `reduced`, `withdrew`, ...
fn unit_is(question: &CombatQuestion, outcome: &CombatOutcome, unit: &str, what: &str) -> bool {
    let (side, number) = unit.split_once(' ').unwrap();
    let CombatOutcome::Unit(end) = outcome else { return false };
    let members = question.combat().members(end.side).len() as u8;
    let is_it = match number {
        "new" => end.unit.slot == members + 1,
        number => end.unit.slot.to_string() == number,
    };
    if end.side.name() != side || !is_it {
        return false;
    }
    let label = question.label(0, outcome);
    let change = question.change(&label);
    let status = end.unit.status.name();
    let is_there = !["eliminated", "captured"].contains(&status);
    match what {
        "created" => true,
        "reduced" => is_there && change == Some("reduced"),
        "wounded" => is_there && end.unit.wounded == Some(true) && change == Some("wounded"),
        "withdrew" => is_there && end.is_away,
        "unharmed" => is_there && !matches!(change, Some("reduced" | "wounded")),
        "concealed" => is_there && end.is_concealed,
        "dm" => end.is_dm,
        what if what.contains(['-', '+']) => {
            label.counter.is_some_and(|counter| counter.split('/').next() == Some(what))
        }
        what => status == what,
    }
}

/// Returns the drm of a side's Ambush dr, and the chances of both sides and of neither.
fn ambush(question: &CombatQuestion, what: &str) -> f64 {
    let reckoned = question.details().reckoned.unwrap();
    let (_, json) = reckoned.json.into_iter().find(|(name, _)| *name == "ambush").unwrap();
    if let Some(side) = what.strip_prefix("drm ") {
        let drms = json["drm"][side].as_array().unwrap();
        return drms.iter().map(|drm| drm["drm"].as_f64().unwrap()).sum();
    }
    fraction(json[what].as_str().unwrap())
}

fn fraction(text: &str) -> f64 {
    let (numerator, denominator) = text.split_once('/').unwrap();
    numerator.parse::<f64>().unwrap() / denominator.parse::<f64>().unwrap()
}

/// Returns the chance that a leader of a grade appears, also if he is lost in the same round.
fn created(combat: &CloseCombat, state: &CombatState, side: &str, grade: &str) -> f64 {
    let Due::Roll(dice, terms) = combat.due(state) else { return 0.0 };
    let faces = dice.distinct().map(|(face, weight)| {
        let reading = combat.read(&terms, face);
        let appears = matches!(reading, CombatReading::Created(Some(one)) if one == grade);
        let is_his = match state.step {
            CombatStep::Creation { attack } => state.attacks[usize::from(attack)].by.name() == side,
            _ => false,
        };
        let mut next = state.clone();
        combat.apply(&mut next, reading, &mut Silent);
        let chance = f64::from(weight) / f64::from(dice.faces());
        let later = created(combat, &next, side, grade);
        chance * if appears && is_his { 1.0 } else { later }
    });
    faces.sum()
}

/// Returns what a row asks for, from the odds of its question.
fn value(case: &Case, question: &CombatQuestion) -> f64 {
    if let Some(side) = case.what.strip_prefix("ambush ") {
        return ambush(question, side);
    }
    if case.what.starts_with("drm ") {
        return ambush(question, &case.what);
    }
    if let Some((side, grade)) = case.what.split_once(" creates ") {
        let combat = question.combat();
        return created(combat, &combat.start(&mut Silent), side, grade);
    }
    let all = odds(&question.whole(), Bound::STANDARD).unwrap();
    match (case.what.as_str(), case.what.rsplit_once(' ')) {
        ("net", _) => {
            let last = question.facts().last_point;
            let at_end = all.chances.iter().filter(|chance| chance.point == last);
            let net = at_end.map(|chance| match chance.outcome {
                CombatOutcome::Location { net, .. } => f64::from(net) * chance.probability,
                _ => 0.0,
            });
            net.sum()
        }
        (_, Some((unit, what))) => {
            chance(question, &all, |outcome| unit_is(question, outcome, unit, what))
        }
        (holders, None) => chance(
            question,
            &all,
            |outcome| matches!(outcome, CombatOutcome::Location { left, .. } if left.name() == holders),
        ),
    }
}

#[test]
fn figures_agree_with_an_independent_program() {
    let mut wrong = Vec::new();
    let all = cases(include_str!("../../../tests/fixtures/close_combat.csv"));
    for case in &all {
        let question = question(case);
        let found = value(case, &question);
        let expected = fraction(&case.value);
        if (found - expected).abs() > 1e-12 {
            wrong.push(format!("{} {}: {found}, expected {expected}", case.id, case.what));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), all.len(), wrong.join("\n"));
}
