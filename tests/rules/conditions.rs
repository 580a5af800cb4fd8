//! The `if` of a step and the DM that a step causes, by small examples and at random.

use std::collections::BTreeMap;

use crate::common::{Row, assert_ends, row, sequence};
use crate::twin::{self, Scene, TwinUnit};
use lowcrawl::asl::question::Question;
use lowcrawl::engine::exact::{self, Bound};
use lowcrawl::process::Question as _;
use proptest::prelude::*;
use proptest::sample::select;

fn steps(stack: &str, heat: bool, steps: &[String]) -> Question {
    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    sequence(&format!("stack={stack}; hob={heat}"), &steps)
}

/// Returns the exact odds after the last step.
fn last_odds(question: &Question, steps: u16) -> BTreeMap<Row, f64> {
    let bound = Bound { alive: 1 << 20, worked: 1 << 24, ..Bound::STANDARD };
    let chances = exact::odds(&question.whole(), bound).unwrap().chances;
    let last = chances.into_iter().filter(|chance| chance.point == steps);
    last.map(|chance| (row(&question.label(chance.point, &chance.outcome)), chance.probability))
        .collect()
}

fn eliminate_if(condition: &str) -> String {
    format!("do=eliminate; slots=1; if={condition}")
}

fn rally_if(condition: &str) -> String {
    format!("do=rally; own-rph=never; if={condition}")
}

/// 7.8: the `if` is evaluated before the pins end. A 4-6-7 beside an 8-0 rallies on 7 or less.
#[test]
fn condition_on_pins_is_read_before_they_end() {
    let stack = "german:4-6-7/pinned + german:4-6-7/broken + german:8-0";
    let question = steps(stack, false, &[rally_if("1 pinned")]);
    assert_ends(&question, 2, "good-order 4-6-7: 7/12");
    assert_ends(&question, 1, "good-order 4-6-7: 1/1");
}

/// 7.8: a skipped Rally step ends no pin.
#[test]
fn skipped_step_changes_no_pin() {
    let question =
        steps("german:4-6-7/pinned", false, &[rally_if("any broken"), eliminate_if("1 pinned")]);
    assert_ends(&question, 1, "eliminated: 1/1");
}

/// Single and combined conditions on a pinned, a broken and a berserk squad.
#[test]
fn conditions_combine_with_not_and_and_or() {
    let stack = "german:4-6-7/pinned + german:4-6-7/dm + german:4-6-7/berserk + german:4-6-7";
    for (condition, holds) in [
        ("1 unpinned", false),
        ("4 unpinned", true),
        ("2 unpinned", true),
        ("1 holds", true),
        ("2 holds", false),
        ("3 holds", false),
        ("1 moving", false),
        ("2 moving", false),
        ("3 moving", true),
        ("4 moving", true),
        ("not any gone", true),
        ("not all unbroken", true),
        ("not none broken", true),
        ("1 pinned and any broken", true),
        ("1 pinned and 2 pinned", false),
        ("1 broken or 2 broken", true),
        // `and` binds more tightly than `or`, and `not` more tightly than `and`.
        ("1 pinned or 2 pinned and 3 pinned", true),
        ("2 pinned and 3 pinned or 1 pinned", true),
        ("not 1 pinned or 2 dm", true),
        ("not 1 pinned and 2 dm", false),
        ("not 2 pinned and not 3 pinned", true),
    ] {
        let question = steps(stack, false, &[eliminate_if(condition)]);
        let end = if holds { "eliminated: 1/1" } else { "pinned 4-6-7: 1/1" };
        assert_ends(&question, 1, end);
    }
}

/// 10.3, 10.62: a broken squad that fails the Interdiction NMC (8 to 11: 14/36) is Reduced and gets
/// DM. A squad that passes does not, and a 12 eliminates it.
#[test]
fn unit_reduced_by_interdiction_gains_dm() {
    let interdict = || "do=interdict; hexes=1".to_string();
    let question = steps("german:4-6-7/broken", false, &[interdict(), eliminate_if("1 dm")]);
    assert_ends(&question, 1, "eliminated: 5/12");
    // With DM its half-squad of broken ML 6 rallies under the 8-0 on 2 (1/36), and 12 is Fate. The
    // 8-0 stays in the hex and lends its leadership of 0.
    let rally = "do=rally; own-rph=never".to_string();
    let question = steps("german:4-6-7/broken + german:8-0", false, &[interdict(), rally]);
    let ends = "good-order 2-4-7: 7/648, broken 2-4-7: 497/1296";
    assert_ends(&question, 1, ends);
}

const STEPS: [&str; 7] = ["fire", "check", "ptc", "interdict", "rally", "break", "dm"];

fn step(kind: &str, condition: Option<&str>) -> String {
    let fields = match kind {
        "fire" => "do=fire; fp=8; drm=1",
        "check" => "do=check; mc=1",
        "ptc" => "do=check; ptc",
        "interdict" => "do=interdict; hexes=2",
        "rally" => "do=rally; phases=2",
        "break" => "do=break; slots=1",
        _ => "do=dm",
    };
    condition.map_or(fields.to_string(), |condition| format!("{fields}; if={condition}"))
}

/// Pairs of a condition and its negation.
const OPPOSITES: [(&str, &str); 8] = [
    ("broken", "none broken"),
    ("1 pinned", "not 1 pinned"),
    ("all unpinned", "not all unpinned"),
    ("1 moving or 2 dm", "not 1 moving and not 2 dm"),
    ("1 holds and any broken", "not 1 holds or none broken"),
    ("2 gone", "not 2 gone"),
    (
        "any dm and none pinned or 1 berserk",
        "none dm and not 1 berserk or any pinned and not 1 berserk",
    ),
    (
        "any disrupted or any wounded or any captured",
        "none disrupted and none wounded and none captured",
    ),
];

const STACKS: [&str; 5] = [
    "german:4-6-7/pinned + german:8-0",
    "german:4-6-7/broken + german:8-0/pinned",
    "german-ss:6-5-8/elr=1 + german:2-4-7/dm",
    "russian:4-4-7/pinned + russian:4-2-6/broken",
    "american:6-6-6/berserk + american:8-1",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 120,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(5),
        ..ProptestConfig::default()
    })]

    /// A step happens either under a condition or under its negation, and has no effect otherwise.
    /// So both questions together equal one with the step and one without it. Later steps show
    /// changes of pins and DM.
    #[test]
    fn condition_and_its_negation_cover_every_case(
        stack in select(STACKS.to_vec()),
        first in select(STEPS.to_vec()),
        second in select(STEPS.to_vec()),
        (condition, opposite) in select(OPPOSITES.to_vec()),
        seen in select(vec!["1 dm", "1 pinned"]),
        heat in any::<bool>(),
    ) {
        let rows = |second: Vec<String>| {
            let mut all = vec![step(first, None)];
            all.extend(second);
            all.push(eliminate_if(seen));
            last_odds(&steps(stack, heat, &all), all.len() as u16)
        };
        let mut sums = BTreeMap::<Row, f64>::new();
        for (row, p) in rows(vec![step(second, Some(condition))]).into_iter().chain(rows(vec![step(second, Some(opposite))])) {
            *sums.entry(row).or_default() += p;
        }
        for (row, p) in rows(vec![step(second, None)]).into_iter().chain(rows(vec![])) {
            *sums.entry(row).or_default() -= p;
        }
        for (row, difference) in sums {
            prop_assert!(difference.abs() < 1e-12, "{row:?}: {difference}");
        }
    }

    /// 10.3, 10.62: the DM of every unit after a check, an attack and an Interdicted hex. These
    /// reach Casualty Reduction by a failed MC, a LLMC, a K, a KIA and an Original 12.
    #[test]
    fn dm_after_a_step_agrees_with_the_twin(
        units in prop::collection::vec((select(vec![
            "ger_1_467", "ger_1_247", "rus_C_426", "ss_E_658", "ger_ldr_8-0", "ger_ldr_9-1", "rus_ldr_7-0",
        ]), 0..4u8), 1..=3),
        kind in select(vec!["fire", "check", "ptc", "interdict"]),
        heat in any::<bool>(),
    ) {
        let units: Vec<TwinUnit> = units.into_iter().map(|(id, state)| TwinUnit {
            broken: state > 0,
            dm: state > 1,
            ..TwinUnit::good_order(id)
        }).collect();
        let units = if kind == "interdict" {
            vec![TwinUnit { broken: true, ..units[0].clone() }]
        } else {
            units
        };
        let written = |unit: &TwinUnit| {
            let state = if unit.dm { "/dm" } else if unit.broken { "/broken" } else { "" };
            format!("id:{}{state}", unit.id)
        };
        let stack = units.iter().map(written).collect::<Vec<_>>().join(" + ");
        let scene = if heat { Scene::hot() } else { Scene::quiet() };
        let ends = match kind {
            "fire" => twin::attacked(&units, 8, 1, 1, 3, scene),
            "check" => twin::checked(&units, 1, 3, scene),
            "ptc" => twin::pins_checked(&units, 3, scene),
            _ => twin::crossed(&units[0], 2, None, 3, scene),
        };
        let question = steps(&stack, heat, &[step(kind, None), eliminate_if("1 dm")]);
        let is_lost = |row: &Row| row.0 == 1 && matches!(row.2.as_str(), "eliminated" | "captured");
        let odds = last_odds(&question, 2);
        let found: f64 = odds.iter().filter(|(row, _)| is_lost(row)).map(|(_, p)| p).sum();
        let of_first = |unit: &twin::Unit, began: &TwinUnit| {
            // 10.62: a MC, or an attack that could cause one, gives DM to every broken unit of the
            // target. A unit that passes an Interdiction NMC gets none.
            let has_dm = match kind {
                "fire" | "check" => unit.broken,
                "ptc" => began.dm,
                _ => unit.dm,
            };
            !unit.alive || unit.captured || has_dm && unit.broken
        };
        let lost = ends.iter().filter(|(stack, _)| of_first(&stack.units[0], &units[0]));
        let expected: f64 = lost.map(|(_, weight)| weight).sum();
        prop_assert!((found - expected).abs() < 1e-12, "{stack} {kind}: {found}, not {expected}");
    }
}
