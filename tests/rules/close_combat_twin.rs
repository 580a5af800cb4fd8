//! Close Combat against `cc_twin`, a second, slow implementation of the rules. `LOWCRAWL_LONG=1`
//! compares 1,000 engagements, and `LOWCRAWL_CASES=3` three times as many.

use crate::cc_twin::adapter::{difference, request};
use crate::cc_twin::random::random_case;
use crate::cc_twin::{Case, Table, odds};
use crate::random::case_factor;
use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::answer_json;
use lowcrawl::asl::close_combat::question::{CombatQuestion, close_combat};
use lowcrawl::asl::close_combat::terms::CombatOutcome;
use lowcrawl::engine::exact::{self, Bound, Chance};
use lowcrawl::engine::process::Question as _;
use lowcrawl::schema::RawValue;
use lowcrawl::schema::field::Builder as _;
use serde_json::{Value, json};

/// Returns the question of an engagement, or why it is refused.
pub fn question(case: &Case) -> Result<CombatQuestion, String> {
    let (stacks, fields) = request(case);
    question_of(&stacks, &fields)
}

fn question_of(
    stacks: &[String; 2],
    fields: &[(&'static str, String)],
) -> Result<CombatQuestion, String> {
    let mut question = close_combat(&stacks[0], &stacks[1]);
    for (name, value) in fields {
        question = match value.as_str() {
            "true" => question.put(name, RawValue::Boolean(true)),
            "false" => question.put(name, RawValue::Boolean(false)),
            value => {
                question.put(name, value.parse().map_or(RawValue::Text(value), RawValue::Integer))
            }
        };
    }
    question.question().map_err(|fault| fault.to_string())
}

/// Returns the figures of an answer in the form of the twin.
pub fn answered(question: &CombatQuestion) -> Table {
    let odds = question.parts().all().map(|process| exact::odds(&process, Bound::STANDARD));
    table(odds.flat_map(|odds| odds.unwrap().chances))
}

fn table(chances: impl Iterator<Item = Chance<CombatOutcome>>) -> Table {
    let mut table = Table::new();
    for chance in chances {
        let what = match &chance.outcome {
            CombatOutcome::All(_) => continue,
            CombatOutcome::Location { left, net } => format!("{} {net}", left.name()),
            CombatOutcome::Unit(end) => {
                let side = end.side as usize;
                let status = end.unit.status.name();
                let counter = end.unit.counter_text().unwrap_or_default();
                let printed = counter.split('/').next().unwrap_or_default();
                let mut fact = format!("{side} {} {status} {printed}", end.unit.slot);
                let is_taken = status == "captured";
                for (holds, word) in [
                    (end.unit.wounded == Some(true), "wounded"),
                    (end.is_away, "away"),
                    (end.is_concealed, "concealed"),
                    (end.is_dm, "dm"),
                ] {
                    if holds && !is_taken {
                        fact += &format!(" {word}");
                    }
                }
                fact.trim_end().to_string()
            }
        };
        *table.entry((usize::from(chance.point).max(1), what)).or_insert(0.0) += chance.probability;
    }
    table
}

/// The twin has 4.51, 4.8, 5.12, 5.131, 7.302, 7.8, 7.831, 10.62, 10.7, 10.72, 11.11 - 11.22, 11.4,
/// 11.41, 15.24, 15.43 - 15.46, 17.11, 17.3, 18.12, 18.2, 19.12, 19.35, 19.36, 20.22, 20.221,
/// 20.52, 25.22 - 25.25, 25.63, 25.64, 25.7, 25.71, 26.21, and J2.31.
#[test]
fn random_engagements_have_the_odds_of_the_twin() {
    let cases = if std::env::var_os("LOWCRAWL_LONG").is_some() { 1_000 } else { 120 };
    let cases = cases * case_factor();
    let (mut compared, mut wrong) = (0, Vec::new());
    for seed in 1..=cases {
        let case = random_case(seed);
        let Ok(question) = question(&case) else { continue };
        compared += 1;
        let (most, place) = difference(&answered(&question), &odds(&case));
        if most > 1e-9 {
            wrong.push(format!("{seed}: {:?}\n    {place}", request(&case)));
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared * 2 > cases, "{compared} of {cases} engagements are accepted");
}

/// Units that are reported before the end of a round (11.12) have the odds of the whole round, also
/// after an Ambush (11.32) and with leaders that are created (18.12).
#[test]
fn units_reported_early_have_the_odds_of_the_whole() {
    let cases = 100 * case_factor();
    let (mut early, mut wrong) = (0, Vec::new());
    for seed in 1..=cases {
        let case = Case { turns: 1, ..random_case(seed) };
        let (stacks, mut fields) = request(&case);
        fields
            .retain(|(name, _)| !["then", "then-reply", "melee", "ambush-withdraw"].contains(name));
        for (name, value) in &mut fields {
            match *name {
                "plan" | "reply" if seed % 3 > 0 => *value = "pairs".to_string(),
                "infiltrate" | "their-infiltrate" => *value = "never".to_string(),
                _ => {}
            }
        }
        let Ok(question) = question_of(&stacks, &fields) else { continue };
        let whole = exact::odds(&question.whole(), Bound::STANDARD).unwrap();
        let part = question.parts().all().next().unwrap();
        early += usize::from(exact::odds(&part, Bound::STANDARD).unwrap().states < whole.states);
        let (most, place) = difference(&answered(&question), &table(whole.chances.into_iter()));
        if most > 1e-12 {
            wrong.push(format!("{seed}: {stacks:?} {fields:?}\n    {place}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(early as u64 * 20 > cases, "{early} of {cases} report units early");
}

/// 11.12: the best plans of a round are worth what is told: the sum over attacks by which they are
/// searched for is the mean of the whole round, also after an Ambush (11.32) and with leaders that
/// are created (18.12).
#[test]
fn best_plans_are_worth_what_is_told() {
    let cases = 60 * case_factor();
    let (mut compared, mut wrong) = (0, Vec::new());
    for seed in 1..=cases {
        let case = Case { turns: 1, ..random_case(seed) };
        let (stacks, mut fields) = request(&case);
        fields.retain(|(name, _)| {
            !["then", "then-reply", "infiltrate", "their-infiltrate", "ambush-withdraw"]
                .contains(name)
        });
        for (name, value) in &mut fields {
            if ["plan", "reply"].contains(name) {
                *value = "best".to_string();
            }
        }
        let Ok(question) = question_of(&stacks, &fields) else { continue };
        let reckoned = question.details().reckoned.unwrap();
        let (_, told) = reckoned.json.into_iter().find(|(name, _)| *name == "value").unwrap();
        let odds = exact::odds(&question.whole(), Bound::STANDARD).unwrap();
        let net = odds.chances.iter().map(|chance| match chance.outcome {
            CombatOutcome::Location { net, .. } => f64::from(net) * chance.probability,
            _ => 0.0,
        });
        let (net, told): (f64, f64) = (net.sum(), told["net"].as_f64().unwrap());
        compared += 1;
        if (net - told).abs() > 1e-9 {
            wrong.push(format!("{seed}: {stacks:?} {fields:?}: {net}, told {told}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared * 2 > cases, "{compared} of {cases} engagements are accepted");
}

/// Counts of units gather those that are reported early: they are those of the outcomes of all
/// units together, which have one report.
#[test]
fn counts_gather_units_reported_early() {
    for (stacks, fields) in [
        (["3x german:4-6-7", "2x russian:4-4-7"], json!({ "creation": false })),
        (["german:8-1 + 2x german:4-6-7", "2x russian:4-4-7"], json!({ "terrain": "building" })),
    ] {
        let [ours, theirs] = stacks;
        let mut request = json!({ "kind": "cc", "stack": ours, "against": theirs, "plan": "pairs",
            "reply": "pairs", "options": { "counts": "mmc" } });
        fields.as_object().unwrap().iter().for_each(|(key, value)| request[key] = value.clone());
        let early = answer_json(&request.to_string());
        request["joint"] = true.into();
        let whole = answer_json(&request.to_string());
        let [early, whole] = [early, whole].map(|answer| {
            let rows = answer["counts"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
            let key = |row: &Value| format!("{} {}", row["class"], row["number"]);
            let chance = |row: &Value| row["probability"].as_f64().unwrap();
            rows.iter().map(|row| (key(row), chance(row))).collect::<Vec<_>>()
        });
        assert_eq!(early.len(), whole.len(), "{ours}");
        for (one, other) in early.iter().zip(&whole) {
            assert!(one.0 == other.0 && (one.1 - other.1).abs() < 1e-12, "{one:?}, {other:?}");
        }
    }
}
