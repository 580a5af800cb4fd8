//! Exact figures computed by an independent enumeration with fractions: `golden.csv` without Heat
//! of Battle, `golden_full.csv` with it.

use std::collections::BTreeMap;

use crate::common::{Row, ask, assert_close, odds, odds_of};
use lowcrawl::asl::question::{Question, QuestionKind};
use lowcrawl::process::Question as _;

struct Case {
    family: String,
    stack: String,
    inputs: BTreeMap<String, String>,
    rows: BTreeMap<Row, f64>,
}

fn cases(csv: &str) -> Vec<Case> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let mut cases: BTreeMap<(String, String), Case> = BTreeMap::new();
    for record in reader.records() {
        let record = record.unwrap();
        let inputs = record[3].split(' ').filter_map(|input| input.split_once('='));
        let case =
            cases.entry((record[0].to_string(), record[1].to_string())).or_insert_with(|| Case {
                family: record[0].to_string(),
                stack: record[2].to_string(),
                inputs: inputs.map(|(name, value)| (name.to_string(), value.to_string())).collect(),
                rows: BTreeMap::new(),
            });
        let fraction: f64 = record[9].parse::<f64>().unwrap() / record[10].parse::<f64>().unwrap();
        let counter = record[7].to_string();
        let printed = counter.split('/').next().unwrap();
        let smc = !printed.is_empty()
            && (printed.matches('-').count() < 2 || printed == "1-4-9" || printed == "1-3-8");
        let wounded = smc.then(|| &record[8] == "wounded");
        let phase = record[5].parse().unwrap_or(0);
        case.rows.insert(
            (record[4].parse().unwrap(), phase, record[6].to_string(), counter, wounded),
            fraction,
        );
    }
    cases.into_values().collect()
}

fn question(case: &Case) -> Question {
    let input = |name: &str| case.inputs.get(name).map_or("", String::as_str);
    let leader = || match input("leader_drm") {
        "" => "none",
        "0" => "8-0",
        "-1" => "8-1",
        other => panic!("no leader of {other} in the fixture"),
    };
    let flag = |name: &str, on: &str| input(name) == on;
    let elr = case.inputs.get("elr").map_or(String::new(), |elr| format!("; elr={elr}"));
    let (kind, fields) = match &*case.family {
        "check" => (QuestionKind::Check, format!("mc={}", input("mc"))),
        "fire" => (
            QuestionKind::Fire,
            format!(
                "fp={}; drm={}; cowering={}",
                input("fp"),
                input("drm"),
                flag("cowering", "on")
            ),
        ),
        "rally" => {
            let phases = case.rows.keys().map(|row| row.1).max().unwrap();
            let terrain = if flag("terrain", "1") { "woods" } else { "open" };
            let own = if flag("attacker", "0") { "never" } else { "odd" };
            let dm = flag("dm", "1");
            let fields = format!("phases={phases}; terrain={terrain}; own-rph={own}; dm={dm}");
            (QuestionKind::Rally, format!("leader={}; {fields}", leader()))
        }
        "run" => (
            QuestionKind::Interdict,
            format!("hexes={}; leader={}", input("interdicted_hexes"), leader()),
        ),
        other => panic!("no family {other}"),
    };
    let (hob, captor) = (flag("hob", "on"), flag("captor", "1"));
    let keu = !flag("keu", "0");
    ask(
        kind,
        &format!("stack={}; hob={hob}; keu={keu}; captor={captor}{elr}; {fields}", case.stack),
    )
}

fn assert_agrees(csv: &str, expected: usize) {
    let cases = cases(csv);
    assert_eq!(cases.len(), expected);
    for case in &cases {
        let question = question(case);
        let name = format!("{} {}", case.family, case.stack);
        assert_close(&odds(&question), &case.rows, 1e-12, &name);
        assert_close(
            &odds_of(&question, &[question.whole()]),
            &case.rows,
            1e-12,
            &format!("{name} as a whole"),
        );
    }
}

/// 10.1 - 10.4, 10.2, 19.1 check; 7.3 - 7.305, 7.9 fire; 10.6 - 10.64 rally; 10.53 run: every row
/// to 1e-12.
#[test]
fn engine_matches_golden_figures() {
    assert_agrees(include_str!("../fixtures/golden.csv"), 10);
}

/// 15.1 - 15.5: the figures with Heat of Battle, every row to 1e-12.
#[test]
fn engine_matches_golden_figures_with_heat_of_battle() {
    assert_agrees(include_str!("../fixtures/golden_full.csv"), 5);
}
