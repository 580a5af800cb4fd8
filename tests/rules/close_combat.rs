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
        stacks: ["9-1 + german:4-6-7", "russian:4-4-7/broken + russian:6-2-8:e"].map(String::from),
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

/// Returns the expected CVP of a question, in which a field may be `best`.
fn net(stacks: [&str; 2], plans: [&str; 2], fields: &str) -> f64 {
    let case = Case {
        id: format!("{plans:?}"),
        stacks: stacks.map(String::from),
        plans: plans.map(String::from),
        fields: fields.to_string(),
        what: "net".to_string(),
        value: String::new(),
    };
    value(&case, &question(&case))
}

/// Returns all ways to split numbers into an unordered list of groups.
fn groupings(units: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let Some((first, others)) = units.split_first() else { return vec![vec![]] };
    let mut all = Vec::new();
    for grouping in groupings(others) {
        for place in 0..grouping.len() {
            let mut joined = grouping.clone();
            joined[place].push(*first);
            all.push(joined);
        }
        let mut apart = grouping.clone();
        apart.push(vec![*first]);
        all.push(apart);
    }
    all
}

/// Returns all plans of some blocks on some targets, by their numbers, as texts: each attacks, no
/// target twice.
fn all_plans(own: &[u8], targets: &[u8]) -> Vec<String> {
    let numbers = |units: &[u8]| {
        let mut units = units.to_vec();
        units.sort();
        units.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
    };
    let mut plans = Vec::new();
    for groups in groupings(own) {
        let choices = groups.len() as u32 + 1;
        for way in 0..choices.pow(targets.len() as u32) {
            // Each target belongs to no group, or to one.
            let group_of = |place: usize| (way / choices.pow(place as u32) % choices) as usize;
            let of = |group: usize| -> Vec<u8> {
                let is_its = |(place, _): &(usize, &u8)| group_of(*place) == group + 1;
                let its = targets.iter().enumerate().filter(is_its);
                its.map(|(_, target)| *target).collect()
            };
            if (0..groups.len()).any(|group| of(group).is_empty()) {
                continue;
            }
            let attacks = groups.iter().enumerate();
            let attacks = attacks.map(|(at, by)| format!("{}>{}", numbers(by), numbers(&of(at))));
            plans.push(attacks.collect::<Vec<_>>().join("; "));
        }
    }
    if plans.is_empty() { vec!["none".to_string()] } else { plans }
}

/// 11.12: there are as many plans as the rules count, the best one is that of a listing of all
/// plans and replies, and no reply to it is worth more to the enemy than told.
#[test]
fn best_plans_are_those_of_a_full_listing() {
    let counts = [1, 2, 3].map(|size| {
        let units: Vec<u8> = (1..=size).collect();
        all_plans(&units, &units).len()
    });
    assert_eq!(counts, [1, 5, 49]);
    // The stacks, the blocks of each that attack, and those that are attacked.
    type Blocks = [&'static [u8]; 2];
    let listed: [([&str; 2], Blocks, Blocks, &str); 7] = [
        (
            ["2x german:4-6-7", "2x russian:4-4-7"],
            [&[1, 2], &[1, 2]],
            [&[1, 2], &[1, 2]],
            "no-creation",
        ),
        (
            ["8-1 + 2x german:4-6-7", "russian:6-2-8:e + 2x russian:2-3-7"],
            [&[2, 3], &[1, 2, 3]],
            [&[2, 3], &[1, 2, 3]],
            "no-creation",
        ),
        (
            ["german:4-6-7 + german:2-4-7", "2x russian:4-4-7/cx"],
            [&[1, 2], &[1, 2]],
            [&[1, 2], &[1, 2]],
            "terrain=building",
        ),
        (
            ["9-1 + german:4-6-7 + german:2-4-7", "russian:4-4-7/broken + russian:4-4-7/pinned"],
            [&[2, 3], &[2]],
            [&[2, 3], &[1, 2]],
            "terrain=building",
        ),
        (
            ["german:4-6-7/berserk + german:4-6-7", "russian:8-0 + 2x russian:4-4-7"],
            [&[1, 2], &[2, 3]],
            [&[1, 2], &[2, 3]],
            "ambush=theirs phasing=theirs",
        ),
        (
            ["german:8-3-8 + german:4-4-7", "russian:9-1/wounded + 2x russian:4-4-7"],
            [&[1, 2], &[2, 3]],
            [&[1, 2], &[2, 3]],
            "melee exits=no,no",
        ),
        (
            ["3x german:4-6-7", "russian:6-2-8:e + russian:4-4-7 + russian:2-3-7"],
            [&[1, 2, 3], &[1, 2, 3]],
            [&[1, 2, 3], &[1, 2, 3]],
            "no-creation",
        ),
    ];
    for (stacks, [own, enemy], [targets, enemy_targets], fields) in listed {
        let plans = all_plans(own, enemy_targets);
        let replies = all_plans(enemy, targets);
        let worst = |plan: &String| {
            let values = replies.iter().map(|reply| net(stacks, [plan, reply], fields));
            values.fold(f64::INFINITY, f64::min)
        };
        let best_reply = |reply: &String| {
            let values = plans.iter().map(|plan| net(stacks, [plan, reply], fields));
            values.fold(f64::NEG_INFINITY, f64::max)
        };
        let expected = match fields.contains("phasing=theirs") {
            true => replies.iter().map(best_reply).fold(f64::INFINITY, f64::min),
            false => plans.iter().map(worst).fold(f64::NEG_INFINITY, f64::max),
        };
        let best = net(stacks, ["best", "best"], fields);
        assert!((best - expected).abs() < 1e-9, "{stacks:?}: {best}, listed {expected}");
    }
}

/// Best plans of an independent program (11.12).
#[test]
fn best_plans_agree_with_an_independent_program() {
    for (stacks, fields, expected) in [
        (["2x german:4-6-7", "2x russian:4-4-7"], "no-creation", 0.0),
        (["2x german:4-6-7", "russian:4-4-7 + russian:2-3-7"], "no-creation", 1.0 / 3.0),
        (
            ["9-1 + 2x german:4-6-7", "russian:4-4-7 + russian:4-4-7/broken"],
            "no-creation terrain=building",
            1.892939814814815,
        ),
    ] {
        let found = net(stacks, ["best", "best"], fields);
        assert!((found - expected).abs() < 1e-9, "{stacks:?}: {found}, expected {expected}");
    }
}

/// 20.1, 20.22: captured units count twice at the end of a scenario. To capture a broken 4-4-7 (5
/// or less captures it, 6 a half) brings 10/36 x 2 + 5/36 CVP and as much again, to kill it (6 or
/// less, 7) 15/36 x 2 + 6/36.
#[test]
fn capture_is_best_at_the_end_of_a_scenario() {
    let of = |objective: &str| {
        let fields = format!("no-creation objective={objective}");
        net(["german:4-6-7", "russian:4-4-7/broken"], ["best", "none"], &fields)
    };
    assert!((of("net") - 1.0).abs() < 1e-12);
    assert!((of("net-final") - 25.0 / 36.0).abs() < 1e-12);
}

/// 11.2, 18.12: a leader whom a Close Combat creates is one more friend who stays in the Melee, so
/// on 1/36 the squad's leader withdraws at 0, not at -1.
#[test]
fn created_leader_covers_a_withdrawal() {
    let case = Case {
        id: "created leader".to_string(),
        stacks: ["german:4-6-7 + german:8-1", "russian:4-4-7 + russian:5-2-7"].map(String::from),
        plans: ["1>1; withdraw 2", "all"].map(String::from),
        fields: "melee".to_string(),
        what: "ours 2 withdrew".to_string(),
        value: String::new(),
    };
    let found = value(&case, &question(&case));
    assert!((found - 0.4235).abs() < 5e-5, "{found}");
}

/// 11.22: units Infiltrate by `best` if that is better for the objective. Attackers who have rolled a
/// 2 escape the reply; a side that wants the Location for itself stays.
#[test]
fn best_infiltration_depends_on_the_objective() {
    let of = |fields: &str, what: &str| {
        let case = Case {
            id: fields.to_string(),
            stacks: ["2x german:4-6-7", "russian:4-4-7 + russian:6-2-8:e"].map(String::from),
            plans: ["pairs", "all"].map(String::from),
            fields: fields.to_string(),
            what: what.to_string(),
            value: String::new(),
        };
        value(&case, &question(&case))
    };
    for (objective, what) in [("clear", "ours-alone"), ("net", "net")] {
        let [never, always, best] = ["never", "always", "best"]
            .map(|word| of(&format!("objective={objective} infiltrate={word}"), what));
        assert!((never - always).abs() > 1e-6, "{objective}: {never}, {always}");
        assert!(best > never.max(always) - 1e-12, "{objective}: {best}, {never} or {always}");
    }
    // Each side by its own order: both may leave.
    let both = of("infiltrate=best their-infiltrate=best", "net");
    let theirs = of("their-infiltrate=best", "net");
    assert!(both > theirs - 1e-12, "{both}, {theirs}");
}

/// Questions of players, each with the figures of an independent program to four decimals: how long
/// a Melee lasts, what a leader is worth, a broken enemy, capture, concealment, Withdrawal,
/// Hand-to-Hand.
#[test]
fn questions_of_players_have_the_figures_of_an_independent_program() {
    let [german, russian] = ["german:4-6-7", "russian:4-4-7"];
    let all = ["all", "all"];
    let cover = ["1>1; withdraw 2", "all"];
    for (stacks, plans, fields, figures) in [
        ([german, russian], all, "", "both 0.6944; nobody 0.0235; ours 1 reduced 0.1094"),
        ([german, russian], all, "terrain=building", "both 0.6863; ours-alone 0.1492"),
        ([german, russian], all, "turns=4", "both 0.1430; ours-alone 0.3975"),
        (
            ["9-2 + german:4-6-7", russian],
            all,
            "",
            "theirs 1 eliminated 0.4167; ours 2 eliminated 0.0833; ours 1 eliminated 0.0994; \
                net 0.4960",
        ),
        (
            [german, "russian:4-4-7/broken"],
            all,
            "turns=2",
            "theirs 1 eliminated 0.9259; theirs 1 withdrew 0.0741",
        ),
        (
            ["2x russian:4-4-7", german],
            ["capture", "all"],
            "",
            "theirs 1 captured 0.2559; theirs 1 reduced 0.1273; net 0.2141",
        ),
        (["2x russian:4-4-7", german], all, "", "theirs 1 eliminated 0.4128; net 0.5775"),
        (
            ["german:4-6-8 + 8-0", "russian:4-2-6"],
            ["capture", "all"],
            "terrain=building",
            "theirs 1 captured 0.2895; net 0.4441",
        ),
        (
            [german, "russian:4-4-7/concealed"],
            ["all", "none"],
            "terrain=woods",
            "theirs 1 eliminated 0.0656; theirs 1 reduced 0.0733",
        ),
        (
            [german, russian],
            ["all", "withdraw"],
            "melee",
            "theirs 1 withdrew 0.4167; theirs 1 eliminated 0.4167; theirs 1 reduced 0.1667",
        ),
        (
            ["german:4-6-7 + german:8-1", "russian:4-4-7 + russian:5-2-7"],
            cover,
            "melee",
            "ours 2 withdrew 0.4235; ours 2 eliminated 0.4674; ours 2 wounded 0.1091",
        ),
        (
            [german, russian],
            all,
            "hand-to-hand",
            "both 0.3403; nobody 0.1665; ours 1 eliminated 0.4128",
        ),
    ] {
        for figure in figures.split("; ") {
            let (what, expected) = figure.rsplit_once(' ').unwrap();
            let case = Case {
                id: format!("{stacks:?} {fields}"),
                stacks: stacks.map(String::from),
                plans: plans.map(String::from),
                fields: fields.to_string(),
                what: what.to_string(),
                value: String::new(),
            };
            let found = value(&case, &question(&case));
            let expected: f64 = expected.parse().unwrap();
            assert!((found - expected).abs() < 5.1e-5, "{}: {what}: {found}", case.id);
        }
    }
}
