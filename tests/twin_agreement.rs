//! Exact odds against the slow twin: the same rules written a second time, from the text alone, without states or tables.

mod common;
mod twin;

use std::collections::BTreeMap;

use common::{Row, ask, assert_close, odds, odds_of};
use lowcrawl::asl::question::{Kind, Value};
use lowcrawl::process::Question as _;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use twin::TwinUnit;

fn rows(odds: twin::Odds) -> BTreeMap<Row, f64> {
    odds.into_iter()
        .map(|((slot, phase, status, counter, wounded), p)| ((slot, phase, status.to_string(), counter, wounded), p))
        .collect()
}

/// A unit for both sides: the twin's, and the same in the notation.
fn notation(units: &[TwinUnit]) -> String {
    let one = |unit: &TwinUnit| {
        let conditions = [
            (unit.broken && !unit.dm && !unit.disrupted, "broken"),
            (unit.dm, "dm"),
            (unit.pinned, "pinned"),
            (unit.wounded && unit.id != "any_hero_138", "wounded"),
            (unit.fanatic, "fanatic"),
            (unit.heroic, "heroic"),
            (unit.disrupted, "disrupted"),
            (unit.encircled, "encircled"),
            (unit.berserk, "berserk"),
        ];
        let words: Vec<&str> = conditions.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect();
        let slash = if words.is_empty() { "" } else { "/" };
        format!("id:{}{slash}{}", unit.id, words.join(","))
    };
    units.iter().map(one).collect::<Vec<_>>().join(" + ")
}

const MMC: [&str; 26] = [
    "ger_1_467",
    "ger_E_468",
    "ger_2_447",
    "ger_C_436",
    "ger_E_838",
    "ger_1_247",
    "ger_C_236",
    "ger_crew_228",
    "ss_E_658",
    "ss_E_348",
    "rus_1_447",
    "rus_C_426",
    "rus_2_628",
    "rus_E_458",
    "usa_E_747",
    "usa_1_666",
    "usa_G_536",
    "bri_E_648",
    "bri_1_457",
    "fin_1_648",
    "fin_E_838",
    "fin_C_437",
    "ita_1_346",
    "axm_C_336",
    "par_337",
    "par_137",
];
const LEADERS: [&str; 14] = [
    "ger_ldr_10-2",
    "ger_ldr_9-2",
    "ger_ldr_9-1",
    "ger_ldr_8-1",
    "ger_ldr_8-0",
    "ger_ldr_6+1",
    "ss_ldr_9-1",
    "rus_ldr_8-0",
    "rus_ldr_7-0",
    "usa_ldr_9-1",
    "fin_ldr_9-0",
    "fin_ldr_8+1",
    "par_ldr_6+1",
    "ita_ldr_8-1",
];

fn unit(broken: bool) -> impl Strategy<Value = TwinUnit> {
    let smc = prop_oneof![3 => Just(false), 2 => Just(true)];
    (smc, select(MMC.to_vec()), select(LEADERS.to_vec()), subsequence((0..8).collect::<Vec<u8>>(), 0..3), 0..12u8).prop_map(
        move |(smc, mmc, leader, conditions, hero)| {
            if hero == 0 && !broken {
                return TwinUnit {
                    wounded: conditions.contains(&3),
                    id: if conditions.contains(&3) { "any_hero_138" } else { "any_hero_149" }.into(),
                    fanatic: conditions.contains(&4),
                    ..TwinUnit::default()
                };
            }
            let has = |condition: u8| conditions.contains(&condition);
            let broken = broken || has(0);
            let heroic = smc && has(5) && !broken;
            let berserk = !broken && !heroic && has(7);
            let fanatic = has(4);
            let disrupted = broken && !fanatic && has(6);
            TwinUnit {
                id: if smc { leader } else { mmc }.into(),
                broken,
                dm: broken && has(1),
                pinned: !broken && !heroic && !berserk && has(2),
                wounded: smc && has(3),
                fanatic,
                heroic,
                disrupted,
                encircled: has(6) && !disrupted,
                berserk,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(36), ..ProptestConfig::default() })]

    /// 10.1 - 10.4, 10.2, 10.31, 19.1, 17: a MC of random stacks, part by part and as one process.
    #[test]
    fn checks(units in prop::collection::vec(unit(false), 1..=3), mc in 0..5i64, elr in 0..6i64) {
        let stack = notation(&units);
        let question = ask(Kind::Check, &[("stack", Value::Text(&stack)), ("mc", Value::Integer(mc)), ("elr", Value::Integer(elr))]);
        let expected = rows(twin::check(&units, mc as i32, elr as i32));
        assert_close(&odds(&question), &expected, 1e-12, &stack);
        assert_close(&odds_of(&question, &[question.whole()]), &expected, 1e-12, &stack);
    }

    /// 7.305: a PTC of random stacks.
    #[test]
    fn pin_task_checks(units in prop::collection::vec(unit(false), 1..=4)) {
        let stack = notation(&units);
        let question = ask(Kind::Check, &[("stack", Value::Text(&stack)), ("ptc", Value::Boolean(true))]);
        assert_close(&odds(&question), &rows(twin::pin_task_check(&units, 3)), 1e-12, &stack);
    }

    /// 10.53: the gauntlet for random broken units.
    #[test]
    fn gauntlets(unit in unit(true), hexes in 1..=6i64, leader in prop::option::of(select(LEADERS.to_vec()))) {
        let stack = notation(std::slice::from_ref(&unit));
        let lent = leader.map_or("none".to_string(), |leader| format!("id:{leader}"));
        let fields = [("stack", Value::Text(&stack)), ("hexes", Value::Integer(hexes)), ("leader", Value::Text(&lent))];
        let expected = rows(twin::interdict(&unit, hexes as usize, leader));
        assert_close(&odds(&ask(Kind::Interdict, &fields)), &expected, 1e-12, &format!("{stack} {hexes} {lent}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(6), ..ProptestConfig::default() })]

    /// 10.6 - 10.64, 18.11, 18.2: Rally Phases of random stacks.
    #[test]
    fn rallies(
        units in prop::collection::vec((unit(true), unit(false), prop::bool::weighted(0.7)), 1..=3),
        leader in prop::option::weighted(0.3, select(LEADERS.to_vec())),
        own in select(vec![Some(true), Some(false), None]),
        terrain in any::<bool>(),
        elr in 0..6i64,
    ) {
        let mut units: Vec<TwinUnit> = units.into_iter().map(|(broken, other, pick)| if pick { broken } else { other }).collect();
        if !units.iter().any(|unit| unit.broken) {
            units[0] = TwinUnit::broken("ger_1_467");
        }
        let phases = if units.len() < 3 { 3 } else { 2 };
        let stack = notation(&units);
        let lent = leader.map_or("none".to_string(), |leader| format!("id:{leader}"));
        let fields = [
            ("stack", Value::Text(&stack)),
            ("leader", Value::Text(&lent)),
            ("phases", Value::Integer(phases)),
            ("own-rph", Value::Text(match own { Some(true) => "odd", Some(false) => "even", None => "never" })),
            ("terrain", Value::Text(if terrain { "woods" } else { "open" })),
            ("elr", Value::Integer(elr)),
        ];
        let question = ask(Kind::Rally, &fields);
        let expected = rows(twin::rally(&units, phases as usize, leader, terrain, own, elr as i32));
        assert_close(&odds(&question), &expected, 1e-12, &format!("{stack} {lent} {own:?}"));
        assert_close(&odds_of(&question, &[question.whole()]), &expected, 1e-12, &stack);
    }
}
