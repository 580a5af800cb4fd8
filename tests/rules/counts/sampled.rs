//! Counts by dice against exact counts, and counts against rows, in all games.

use std::collections::{BTreeMap, BTreeSet};

use super::{answered, build_question, by_dice, counted, counting, fields};
use crate::fit::chi_squared;
use crate::table;
use lowcrawl::answer::{ClassCounts, Counting, Engine, Estimate, Options, Trials, UnitCounts};
use lowcrawl::play::DynQuestion;
use lowcrawl::schema::Group;

/// Game, kind and fields of questions.
const QUESTIONS: &str = "
    asl       | check     | stack=9-1 + 2x german:4-6-7; mc=1
    asl       | check     | stack=2x american:7-4-7 + american:6-6-7/pinned; mc=3; no-hob
    asl       | check     | stack=4x italian:3-4-6; ptc
    asl       | fire      | stack=8-1 + 2x german:4-6-7; fp=8; drm=1
    asl       | fire      | stack=russian:4-4-7 + russian:6-2-8:2 + commissar:9-0; fp=16; drm=-2
    asl       | fire      | stack=german:4-6-7/berserk + german:hero + german:2-2-8; fp=12; no-cowering
    asl       | rally     | stack=2x german:4-6-7/dm; leader=8-1; terrain=woods; phases=4
    asl       | rally     | stack=german:8-0/dm + 2x german:4-6-7/dm; phases=3; captor
    asl       | rally     | stack=finnish:6-4-8/dm + finnish:8-0/dm; phases=3
    asl       | interdict | stack=german:4-6-7; hexes=2
    asl       | interdict | stack=german:8-1 + german:4-6-7/broken; hexes=2; voluntary-rout
    asl       | sequence  | stack=german:8-1 + 2x german:4-6-7; 1.do=fire; 1.fp=8; 2.do=rally; 2.if=broken; 2.phases=2; no-hob
    asl       | campaign  | unit=german:4-6-7/broken,dm; policy=run; open=2; leader=8-1; turns=3; fp=6
    fortitude | test      | units=unit/base=10 + unit/base=12,shaken; cause=flank
    fortitude | recover   | units=unit/base=10,shaken + unit/base=9,panicked; turns=4
    fortitude | fire      | units=unit/base=10,models=5,defense=1 + unit/base=8,models=3; dice=3; value=6; turns=2
    fortitude | assault   | units=unit/base=10,models=5; by=unit/attack=6,models=5,base=9; turns=2
    reaction  | volley    | target=panzer-iv; dice=8
    reaction  | volleys   | target=panzer-iv; dice=8; volleys=3; orders=2
    reaction  | rally     | units=panzer-iv/dp=2,suppressed + panzer-iv/dp=1; turns=3
    reaction  | rally     | units=2x unit/reaction=3,dp=1,suppressed,cohesion=3; turns=2; orders=1
    reaction  | move      | mover=panzer-iv/goal=12; dice=3
    reaction  | sequence  | own=2x panzer-iv; enemy=panzer-iv; 1.do=volley; 1.dice=8; 1.target=1; 2.do=volley; 2.dice=8; 2.target=3
    fortitude | sequence  | units=unit/base=10,models=5 + unit/base=9,models=4; enemies=unit/base=9,models=4; 1.do=turn; 2.do=fire; 2.at=1; 2.dice=4; 2.value=6
";

/// Returns every question with each of its groups.
fn all() -> Vec<(String, Box<dyn DynQuestion>, &'static Group)> {
    let mut all = Vec::new();
    for [game, kind, fields] in table::rows(QUESTIONS) {
        for group in build_question(game, kind, fields).words().facts().kind.groups {
            let what = format!("{game} {kind} {fields}: {}", group.name);
            all.push((what, build_question(game, kind, fields), group));
        }
    }
    all
}

/// Returns the probability or frequency of each set of numbers by class, at each report point.
fn by_point(counts: &UnitCounts) -> BTreeMap<u16, BTreeMap<ClassCounts, Estimate>> {
    let mut points: BTreeMap<u16, BTreeMap<ClassCounts, Estimate>> = BTreeMap::new();
    for (point, tally, figure) in &counts.tallies {
        let known = points.entry(*point).or_default().insert(*tally, *figure);
        assert!(known.is_none(), "a tally is listed twice");
    }
    points
}

/// Tests about 170 distributions at a fixed seed. One in a thousand falls below 0.001 by chance.
#[test]
fn counts_by_dice_fit_the_exact_counts() {
    let (mut tests, mut odd) = (0, 0);
    for (seed, (what, question, group)) in (19..).zip(all()) {
        let exact =
            answered(question.as_ref(), Some(group), true).expect(&what).counts.expect(&what);
        let drawn = by_dice(question.as_ref(), Some(group), 30_000, seed);
        assert_eq!(drawn.footing.engine, "monte-carlo", "{what}");
        let (expected, drawn) = (by_point(&exact), by_point(&drawn));
        for (point, expected) in expected {
            let drawn = drawn.get(&point).unwrap_or_else(|| panic!("{what}: nothing at {point}"));
            let count = |figure: &Estimate| figure.counted().unwrap_or_default().0;
            let impossible: Vec<_> = drawn
                .iter()
                .filter(|(tally, figure)| count(figure) > 0 && !expected.contains_key(tally))
                .collect();
            assert!(impossible.is_empty(), "{what} at {point}: {impossible:?}");
            let observed: Vec<u64> =
                expected.keys().map(|tally| drawn.get(tally).map_or(0, count)).collect();
            assert_eq!(observed.iter().sum::<u64>(), 30_000, "{what} at {point}");
            let odds: Vec<f64> = expected.values().map(Estimate::probability).collect();
            let fit = chi_squared(&observed, &odds).unwrap();
            assert!(fit.p_value > 1e-5, "{what} at {point}: {fit:?}");
            (tests, odd) = (tests + 1, odd + usize::from(fit.p_value < 1e-3));
        }
    }
    assert!(tests > 100 && odd <= 2, "{odd} of {tests} are odd");
}

/// In a group of whole units, the mean of a class is the sum of the rows of its statuses over the
/// slots of the group. All classes together are the group.
#[test]
fn counts_add_up_in_every_game() {
    for (what, question, group) in all() {
        let table = answered(question.as_ref(), Some(group), false).expect(&what);
        let counts = table.counts.as_ref().expect(&what);
        let slots: Vec<u8> =
            counts.initial.iter().filter(|unit| unit.parts > 0).map(|unit| unit.slot).collect();
        for point in counts.all_points() {
            let mut whole = 0.0;
            for (place, class) in counts.kind.classes.iter().enumerate() {
                let mean = counts.mean(point, place).unwrap().value;
                whole += mean;
                let rows = table.rows.iter().filter(|row| {
                    row.label.phase.or(row.label.step).unwrap_or(0) == point
                        && row.label.slot.is_some_and(|slot| slots.contains(&slot))
                        && row.label.status.is_some_and(|word| class.statuses.contains(&word))
                });
                let sum: f64 = rows.map(|row| row.figure.probability()).sum();
                let is_off = group.parts == 1 && (sum - mean).abs() > 1e-12;
                assert!(!is_off, "{what}: {} at {point}: {mean}, rows {sum}", class.name);
            }
            let initial = f64::from(counts.whole) / f64::from(group.parts);
            assert!((whole - initial).abs() < 1e-11, "{what}: {whole} of {initial} at {point}");
        }
    }
}

/// Rows do not depend on whether units are counted. The reason for a missing exact answer is given
/// once.
#[test]
fn counting_units_changes_no_rows() {
    let many = "stack=9-1 + 2x american:7-4-7 + american:8-0; fp=20";
    let cold = format!("{many}; no-hob");
    let few = "stack=8-1 + german:4-6-7; fp=8";
    for (engine, trials, fields) in [
        (Engine::Auto, Trials::HalfWidth(0.02), many),
        (Engine::Auto, Trials::Number(5_000), many),
        (Engine::MonteCarlo, Trials::HalfWidth(0.02), &cold),
        (Engine::MonteCarlo, Trials::Number(5_000), many),
        (Engine::MonteCarlo, Trials::Number(5_000), few),
        (Engine::Auto, Trials::Number(1), few),
    ] {
        let question = build_question("asl", "fire", fields);
        let answer = |counts| {
            let options = Options { engine, trials, counts, ..Options::default() };
            question.answer(&options, question.meta(String::new())).unwrap()
        };
        let plain = answer(None);
        for counting in [Some(Counting::IMPLICIT), counting(None, true)] {
            let what = format!("{engine:?} {trials:?} {fields}");
            let table = answer(counting);
            assert!(table.rows == plain.rows, "{what}: other rows");
            assert_eq!(table.meta.reason, plain.meta.reason, "{what}");
            let counts = table.counts.unwrap();
            for reason in [&table.meta.reason, &counts.footing.reason].into_iter().flatten() {
                let parts: Vec<&str> = reason.split("; ").collect();
                let once: BTreeSet<&str> = parts.iter().copied().collect();
                assert_eq!(once.len(), parts.len(), "{what}: {reason}");
                let exact = (counts.footing.arithmetic.is_some(), counts.footing.states.is_some());
                let is_exact = counts.footing.engine == "exact";
                assert_eq!(exact, (is_exact, is_exact), "{what}");
                // The counts belong to one process, so no part of them is exact alone.
                let is_of_counts = Some(reason) == counts.footing.reason.as_ref();
                assert!(!is_of_counts || !reason.starts_with("all units"), "{what}: {reason}");
            }
        }
    }
}

/// The counts before the first roll are the average of the counts after each of the 36 results.
#[test]
fn counts_before_a_roll_average_those_after_it() {
    for (stack, words, group) in [
        ("german:8-0/dm + german:4-6-7/dm", "phases=3 terrain=woods", "mmc"),
        ("german:8-0/dm + 2x german:4-6-7/dm", "phases=2 no-hob", "units"),
        ("german:9-1/broken + american:7-4-7", "phases=2", "squad-equivalents"),
    ] {
        let rows = |given: &str| {
            let fields = format!("{}; given={given}", fields(stack, words));
            let counts = counted(build_question("asl", "rally", &fields).as_ref(), group, false);
            let rows = counts.rows().into_iter().map(|row| {
                let place = (row.point, row.class, (row.number * 2.0) as u8);
                (place, row.figure.probability())
            });
            let waits = counts.waiting().into_iter();
            let waits = waits.map(|wait| ((0, 0, wait.number), wait.not_within));
            rows.chain(waits).collect::<BTreeMap<_, _>>()
        };
        let mut after: BTreeMap<_, f64> = BTreeMap::new();
        for (coloured, white) in (1..=6).flat_map(|a| (1..=6).map(move |b| (a, b))) {
            for (place, share) in rows(&format!("{coloured},{white}")) {
                *after.entry(place).or_default() += share / 36.0;
            }
        }
        let before = rows("");
        assert_eq!(before.len(), after.len(), "{stack} {words}");
        for (place, share) in before {
            let average = after[&place];
            assert!(
                (share - average).abs() < 1e-12,
                "{stack} {words}: {place:?}: {share}, {average}"
            );
        }
    }
}
