//! Probabilities add up after every question and step.

use std::collections::BTreeMap;

use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::asl::outcome::{Outcome, UnitOutcome};
use lowcrawl::asl::question::Question;
use lowcrawl::process::ReportIndex;
use proptest::prelude::*;

use super::random::{Case, Piece, attacks, case, gauntlets, rallies, stacks};
use super::{CERTAIN, Sum, cases, chances, slot, sums};
use crate::common::sequence;

/// Panics unless every unit of the stack has a total probability of 1 at every point. A second
/// created unit must not be more likely than the first.
fn assert_adds_up(question: &Question, parts: bool) {
    let units = question.stack.members.len();
    let name = question.texts().in_words;
    let totals = sums(&chances(question, parts), slot);
    for (&(point, slot), total) in &totals {
        if slot <= units {
            total.assert_eq(&CERTAIN, &format!("{name}: slot {slot} at {point}"));
        } else if let Some(before) = totals.get(&(point, slot - 1)) {
            assert!(
                total.double <= before.double + 1e-12,
                "{name}: slot {slot} at {point} comes more often than the one before"
            );
        } else {
            panic!("{name}: slot {slot} at {point} without the one before");
        }
    }
    let last = totals.keys().map(|&(point, _)| point).max().unwrap();
    for slot in 1..=units {
        assert!(totals.contains_key(&(last, slot)), "{name}: nothing about slot {slot}");
    }
}

/// Panics unless the joint odds add up and have the rows of each unit as marginals.
fn assert_joint_adds_up(case: &Case) {
    let (Some(single), Some(joint)) = (case.question(), case.question_with("joint")) else {
        return;
    };
    let name = single.texts().in_words;
    let mut marginals: BTreeMap<(ReportIndex, UnitOutcome), Sum> = BTreeMap::new();
    let joint = chances(&joint, true);
    for (point, outcome, probability, fraction) in &joint {
        let Outcome::Stack { units, .. } = outcome else {
            panic!("{name}: one unit in joint odds")
        };
        units.iter().for_each(|unit| {
            marginals.entry((*point, *unit)).or_default().add(*probability, *fraction)
        });
    }
    sums(&joint, slot).values().for_each(|total| total.assert_eq(&CERTAIN, &name));
    let rows = sums(&chances(&single, true), |outcome| match outcome {
        Outcome::Unit(unit) => *unit,
        other => panic!("{name}: {other:?} in the odds of units"),
    });
    assert!(rows.keys().eq(marginals.keys()), "{name}");
    rows.iter().for_each(|(key, row)| row.assert_eq(&marginals[key], &format!("{name}: {key:?}")));
}

proptest! {
    #![proptest_config(cases(60, 1))]

    /// 7.3, 10.1, 7.305: probabilities add up after an attack, a MC or a PTC, solved at once or
    /// part by part.
    #[test]
    fn attacks_add_up(case in case(attacks(), stacks(1..=3, 0.4, false), any::<bool>(), 0.0), parts in any::<bool>()) {
        assert_adds_up(&case.question().unwrap(), parts);
    }

    /// 10.6: probabilities add up after every Rally Phase.
    #[test]
    fn rallies_add_up(case in case(rallies(), stacks(1..=2, 0.4, true), any::<bool>(), 0.4), parts in any::<bool>()) {
        assert_adds_up(&case.question().unwrap(), parts);
    }

    /// 10.53: probabilities add up after a rout.
    #[test]
    fn routs_add_up(case in case(gauntlets(), stacks(1..=3, 0.3, true), any::<bool>(), 0.4), parts in any::<bool>()) {
        assert_adds_up(&case.question().unwrap(), parts);
    }

    /// A.9, 7.3: joint odds of attacks have the rows of the units as marginals.
    #[test]
    fn joint_attacks_add_up(case in case(attacks(), stacks(1..=3, 0.4, false), any::<bool>(), 0.0)) {
        assert_joint_adds_up(&case);
    }

    /// 10.6: joint odds of Rally Phases have the rows of the units as marginals.
    #[test]
    fn joint_rallies_add_up(case in case(rallies(), stacks(1..=2, 0.4, true), any::<bool>(), 0.4)) {
        assert_joint_adds_up(&case);
    }
}

fn step(what: u8, size: i64) -> String {
    let test = ["any broken", "none broken", "1 good-order", "any gone"][size as usize];
    match what {
        0 => format!("do=fire; fp={}", size * 4 + 1),
        1 => format!("do=check; mc={size}; if={test}"),
        2 => format!("do=interdict; hexes={}", size + 1),
        3 => "do=eliminate; slots=1".to_string(),
        4 => "do=break; slots=1".to_string(),
        5 => "do=rally; own-rph=odd".to_string(),
        _ => "do=dm".to_string(),
    }
}

proptest! {
    #![proptest_config(cases(60, 2))]

    /// 7.3, 10.41, 10.53, 10.6, 10.62: probabilities add up after every step of a sequence.
    #[test]
    fn sequences_add_up(
        (_, stack) in stacks(1..=2, 0.4, false),
        steps in prop::collection::vec((0..7u8, 0..4i64), 1..=3),
        hob in any::<bool>(),
    ) {
        let text = stack.iter().map(Piece::text).collect::<Vec<_>>().join(" + ");
        let steps: Vec<_> = steps.into_iter().map(|(what, size)| step(what, size)).collect();
        let fields = &format!("stack={text}; hob={hob}");
        assert_adds_up(&sequence(fields, &steps.iter().map(String::as_str).collect::<Vec<_>>()), true);
    }
}
