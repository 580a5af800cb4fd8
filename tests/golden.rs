//! Exact figures worked out elsewhere, by plain enumeration with fractions, without Heat of Battle.

mod common;

use std::collections::BTreeMap;

use common::{Row, ask, assert_close, odds};
use lowcrawl::asl::question::{Kind, Value};

struct Case {
    family: String,
    stack: String,
    inputs: BTreeMap<String, String>,
    rows: BTreeMap<Row, f64>,
}

fn cases() -> Vec<Case> {
    let mut reader = csv::Reader::from_reader(include_str!("fixtures/golden.csv").as_bytes());
    let mut cases: BTreeMap<(String, String), Case> = BTreeMap::new();
    for record in reader.records() {
        let record = record.unwrap();
        let inputs = record[3].split(' ').filter_map(|input| input.split_once('='));
        let case = cases.entry((record[0].to_string(), record[1].to_string())).or_insert_with(|| Case {
            family: record[0].to_string(),
            stack: record[2].to_string(),
            inputs: inputs.map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            rows: BTreeMap::new(),
        });
        let fraction: f64 = record[9].parse::<f64>().unwrap() / record[10].parse::<f64>().unwrap();
        let status = record[6].to_string();
        let counter = record[7].to_string();
        let smc = case.stack.split(" + ").nth(record[4].parse::<usize>().unwrap() - 1).unwrap().matches('-').count() < 2;
        let wounded = (smc && !counter.is_empty()).then(|| &record[8] == "wounded");
        let phase = record[5].parse().unwrap_or(0);
        case.rows.insert((record[4].parse().unwrap(), phase, status, counter, wounded), fraction);
    }
    cases.into_values().collect()
}

/// 10.1 - 10.4, 10.2, 19.1 check; 10.6 - 10.64 rally; 10.53 run: every row to 1e-12.
#[test]
fn golden_figures() {
    let cases = cases();
    assert_eq!(cases.len(), 9);
    for case in &cases {
        let number = |name: &str| Value::Integer(case.inputs[name].parse().unwrap());
        let leader = || match &*case.inputs["leader_drm"] {
            "0" => "8-0",
            "-1" => "8-1",
            other => panic!("no leader of {other} in the fixture"),
        };
        let stack = ("stack", Value::Text(&case.stack));
        let question = match &*case.family {
            "check" => ask(Kind::Check, &[stack, ("mc", number("mc")), ("elr", number("elr"))]),
            "rally" => ask(
                Kind::Rally,
                &[
                    stack,
                    ("leader", Value::Text(leader())),
                    ("dm", Value::Boolean(case.inputs["dm"] == "1")),
                    ("terrain", Value::Text(if case.inputs["terrain"] == "1" { "woods" } else { "open" })),
                    ("phases", Value::Integer(case.rows.keys().map(|row| row.1 as i64).max().unwrap())),
                ],
            ),
            "run" => ask(Kind::Interdict, &[stack, ("hexes", number("interdicted_hexes")), ("leader", Value::Text(leader()))]),
            other => panic!("no family {other}"),
        };
        assert_close(&odds(&question), &case.rows, 1e-12, &format!("{} {}", case.family, case.stack));
    }
}
