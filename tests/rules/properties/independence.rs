//! The order of a stack and its other units change no odds unless a rule says so.

use std::collections::BTreeMap;

use lowcrawl::asl::nation::Nation;
use lowcrawl::asl::outcome::{Outcome, UnitOutcome};
use lowcrawl::process::ReportIndex;
use proptest::prelude::*;
use proptest::sample::select;

use super::random::{
    Case, NATIONS, Piece, attacks, case, checks, gauntlets, ids, is_mmc, piece, rallies, stacks,
};
use super::{Sum, cases, chances, slot, sums};

/// Returns the rows of each unit of the stack, by slot.
fn rows(case: &Case) -> Vec<BTreeMap<(ReportIndex, UnitOutcome), Sum>> {
    let mut rows = vec![BTreeMap::new(); case.stack.len()];
    for (point, outcome, probability, fraction) in chances(&case.question().unwrap(), true) {
        let Outcome::Unit(unit) = outcome else { continue };
        if let Some(of_unit) = rows.get_mut(usize::from(unit.slot) - 1) {
            let nameless = UnitOutcome { slot: 0, ..unit };
            of_unit.entry((point, nameless)).or_insert(Sum::default()).add(probability, fraction);
        }
    }
    rows
}

fn assert_same(
    one: &BTreeMap<(ReportIndex, UnitOutcome), Sum>,
    other: &BTreeMap<(ReportIndex, UnitOutcome), Sum>,
    what: &str,
) {
    assert!(one.keys().eq(other.keys()), "{what}: {:?} and {:?}", one.keys(), other.keys());
    one.iter().for_each(|(key, sum)| sum.assert_eq(&other[key], &format!("{what}: {key:?}")));
}

/// Returns the probabilities of created units, by slot.
fn created(case: &Case) -> Vec<Sum> {
    let totals = sums(&chances(&case.question().unwrap(), true), slot);
    totals
        .into_iter()
        .filter(|((_, slot), _)| *slot > case.stack.len())
        .map(|(_, sum)| sum)
        .collect()
}

/// Adds a Commissar to Russian stacks, and a hero to any stack. Others are removed, because more
/// than four units, or three with Heat of Battle, are slow to solve.
fn add_smc(case: &mut Case, commissar: bool, hero: bool) {
    let plain = |id: &str| Piece {
        id: id.to_string(),
        conditions: vec![],
        morale: None,
        broken_morale: None,
    };
    let commissar = commissar && case.stack[0].counter().nation == Nation::Russian;
    case.stack.truncate(if case.hob { 3 } else { 4 } - usize::from(commissar) - usize::from(hero));
    if commissar {
        case.stack.push(plain("rus_com_9-0"));
    }
    if hero {
        case.stack.push(plain("any_hero_149"));
    }
}

proptest! {
    #![proptest_config(cases(100, 3))]

    /// 10.2, A.9: the order of MMC and heroes in the stack has no effect, and creates no more
    /// units.
    #[test]
    fn order_of_mmc_and_heroes_changes_no_odds(
        mut case in case(attacks(), stacks(2..=3, 0.4, false), any::<bool>(), 0.0),
        order in Just((0..5).collect::<Vec<usize>>()).prop_shuffle(),
        (commissar, hero) in (any::<bool>(), any::<bool>()),
    ) {
        add_smc(&mut case, commissar, hero);
        let mut order: Vec<usize> = order.into_iter().filter(|&place| place < case.stack.len()).collect();
        // Leaders keep their order among themselves.
        let leads = |&place: &usize| case.stack[place].leads();
        let leaders: Vec<usize> = (0..case.stack.len()).filter(|place| leads(place)).collect();
        let places: Vec<usize> = (0..order.len()).filter(|&at| leads(&order[at])).collect();
        places.into_iter().zip(leaders).for_each(|(at, leader)| order[at] = leader);
        let other = Case { stack: order.iter().map(|&place| case.stack[place].clone()).collect(), ..case.clone() };
        let (before, after) = (rows(&case), rows(&other));
        for (at, &place) in order.iter().enumerate() {
            assert_same(&before[place], &after[at], &format!("{} in another order", case.stack[place].text()));
        }
        let (before, after) = (created(&case), created(&other));
        assert_eq!(before.len(), after.len());
        before.iter().zip(&after).for_each(|(one, other)| one.assert_eq(other, "created units"));
    }

    /// 10.2, 10.21, 15.41: the kind and the result of an MMC do not affect other units that take
    /// the same check.
    #[test]
    fn mmc_do_not_affect_other_units(
        case in case(checks(), stacks(2..=3, 0.5, false), any::<bool>(), 0.0),
        other in select(NATIONS.to_vec()).prop_flat_map(|nation| piece(ids(nation, is_mmc), false)),
        which in any::<prop::sample::Index>(),
    ) {
        let place = which.index(case.stack.len());
        prop_assume!(!case.stack[place].leads());
        let mut changed = case.clone();
        changed.stack[place] = other;
        let (before, after) = (rows(&case), rows(&changed));
        for at in (0..case.stack.len()).filter(|&at| at != place) {
            assert_same(&before[at], &after[at], &case.stack[at].text());
        }
    }

    /// 10.2, A.9: two equal MMC have equal odds.
    #[test]
    fn equal_mmc_have_equal_odds(case in case(attacks(), stacks(1..=2, 0.5, false), any::<bool>(), 0.0), last in any::<bool>()) {
        let place = case.stack.iter().position(|piece| !piece.leads());
        prop_assume!(place.is_some());
        let mut twins = case.clone();
        let twin = twins.stack[place.unwrap()].clone();
        let at = if last { twins.stack.len() } else { 0 };
        twins.stack.insert(at, twin.clone());
        let rows = rows(&twins);
        let alike: Vec<usize> = (0..rows.len()).filter(|&place| twins.stack[place] == twin).collect();
        alike.iter().for_each(|&place| assert_same(&rows[place], &rows[alike[0]], &twin.text()));
    }

    /// 10.2, 10.22: two equal leaders have equal odds, unless Heat of Battle makes the first the
    /// better one.
    #[test]
    fn equal_leaders_have_equal_odds(case in case(checks(), stacks(1..=2, 1.0, false), Just(false), 0.0)) {
        let mut twins = case.clone();
        twins.stack.insert(0, case.stack[0].clone());
        let rows = rows(&twins);
        assert_same(&rows[0], &rows[1], &case.stack[0].text());
    }

    /// 10.6: units under a leader that does not roll rally as each would alone.
    #[test]
    fn led_mmc_rally_as_if_alone(case in case(rallies(), stacks(2..=3, 0.0, true), any::<bool>(), 1.0)) {
        for (piece, row) in case.stack.iter().zip(rows(&case)) {
            assert_same(&row, &rows(&Case { stack: vec![piece.clone()], ..case.clone() })[0], &piece.text());
        }
    }

    /// 10.5, 10.53: routing units rout one by one.
    #[test]
    fn units_rout_as_if_alone(case in case(gauntlets(), stacks(2..=3, 0.4, true), any::<bool>(), 0.4)) {
        for (piece, row) in case.stack.iter().zip(rows(&case)) {
            assert_same(&row, &rows(&Case { stack: vec![piece.clone()], ..case.clone() })[0], &piece.text());
        }
    }

    /// 10.2, 10.22: the only leader of a stack checks as if alone.
    #[test]
    fn only_leader_checks_as_if_alone(
        (_, leader) in stacks(1..=1, 1.0, false),
        case in case(checks(), stacks(1..=2, 0.0, false), any::<bool>(), 0.0),
    ) {
        let alone = Case { stack: leader.clone(), ..case.clone() };
        let in_stack = Case { stack: leader.into_iter().chain(case.stack.clone()).collect(), ..case };
        assert_same(&rows(&alone)[0], &rows(&in_stack)[0], &alone.stack[0].text());
    }
}
