//! Close Combat: exact figures from an independent program, and examples of the rulebook.

use crate::fit::chi_squared;
use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::asl::close_combat::combat::CloseCombat;
use lowcrawl::asl::close_combat::question::{CombatQuestion, close_combat};
use lowcrawl::asl::close_combat::state::{CombatState, CombatStep};
use lowcrawl::asl::close_combat::terms::{CombatOutcome, CombatReading};
use lowcrawl::engine::exact::{Bound, Odds, odds};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::engine::process::{Due, Process as _, Question as _, Silent};
use lowcrawl::schema::RawValue;
use lowcrawl::schema::field::Builder as _;

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

/// Every figure of an independent program, and every example printed in the rulebook: odds and
/// Kill Numbers (11.11, 11.12, 5.12, 5.131), leadership and heroes (11.14, 11.141, 15.24, 18.12,
/// 25.24, 25.25, 25.71), CX and TI (4.51, 4.8), broken units and Melee (11.15, 11.16, 11.2, 15.46),
/// Infiltration (11.22), Ambush (11.4, 11.41, 11.17, 11.18, 11.32, 15.432, 19.36, 25.64, 25.7),
/// concealment (11.19), capture (20.22, 20.221, 20.52, 19.35, 25.63).
#[test]
fn figures_agree_with_an_independent_program() {
    let mut wrong = Vec::new();
    let all = cases(include_str!("../fixtures/close_combat.csv"));
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

/// Monte Carlo agrees with the exact odds over five Player Turns of Melee (11.15, 11.2).
#[test]
fn dice_agree_with_exact_odds_over_five_turns() {
    let case = Case {
        id: "five turns".to_string(),
        stacks: ["9-1 + 2x german:4-6-7", "russian:4-4-7/broken + russian:6-2-8:e"]
            .map(String::from),
        plans: ["pairs", "all"].map(String::from),
        fields: "terrain=building turns=5 infiltrate=always".to_string(),
        what: String::new(),
        value: String::new(),
    };
    let question = question(&case);
    let exact = odds(&question.whole(), Bound::STANDARD).unwrap();
    let process = question.whole();
    let simulator = Simulator::new(&process, Monitor::NONE).unwrap();
    let run = simulator.run(&Plan::new(40_000, 11)).unwrap();
    let count = |turn: u16, outcome: &CombatOutcome| {
        let is_it = |(point, noted, _): &&_| (*point, noted) == (turn, outcome);
        run.counts.iter().find(is_it).map_or(0, |(.., count)| *count)
    };
    for turn in 1..=5 {
        let chances = exact.chances.iter().filter(|chance| {
            chance.point == turn && matches!(chance.outcome, CombatOutcome::Location { .. })
        });
        let (seen, expected): (Vec<u64>, Vec<f64>) =
            chances.map(|chance| (count(turn, &chance.outcome), chance.probability)).unzip();
        let fit = chi_squared(&seen, &expected).unwrap();
        assert!(fit.p_value > 1e-4, "Player Turn {turn}: {fit:?}");
    }
}
