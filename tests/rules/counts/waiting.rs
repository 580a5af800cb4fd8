//! Tests of the time until a number of units has rallied, against a walk over all sequences.

use std::collections::HashMap;

use super::twin::{GROUPS, Twin};
use super::{answered, by_dice, draft, fields};
use lowcrawl::answer::{UnitCounts, Wait};
use lowcrawl::asl::kinds::QuestionKind;
use lowcrawl::play::Form as _;
use lowcrawl::process::{Due, Process, Question as _, ReportIndex, Silent};

/// Probabilities by number of units, minus one: that so many hold together for the first time at
/// each report point, and that so many hold at the end.
struct Passage {
    first: Vec<Vec<(ReportIndex, f64)>>,
    at_end: Vec<f64>,
}

/// Plays all sequences roll by roll, with the largest number of rallied units so far.
fn passage(twin: &Twin, group: &str) -> Passage {
    let (process, most) = (twin.question().whole(), twin.awaited(group));
    let mut first = vec![Vec::new(); most];
    let (mut at_end, mut last) = (vec![0.0; most], 0);
    let start = process.start(&mut Silent);
    // The state, the largest number of rallied units so far, and their number at the last report.
    let mut level = HashMap::from([((start, 0, 0), 1.0)]);
    while !level.is_empty() {
        let mut next: HashMap<_, f64> = HashMap::new();
        for ((state, best, now), weight) in level {
            match process.due(&state) {
                Due::Over => (0..now).for_each(|number: usize| at_end[number] += weight),
                Due::Choice { .. } => panic!("a choice"),
                Due::Report(point) => {
                    let mut back = 0;
                    process.report(&state, &mut |outcome| {
                        let words = twin.question().label(point, &outcome).outcome.unwrap();
                        back = twin.back(group, &words);
                    });
                    (best..back).for_each(|number: usize| first[number].push((point, weight)));
                    last = last.max(point);
                    let mut after = state;
                    process.pass(&mut after, &mut Silent);
                    *next.entry((after, best.max(back), back)).or_insert(0.0) += weight;
                }
                Due::Roll(dice, terms) => {
                    for face in dice.all() {
                        let mut after = state.clone();
                        let reading = process.read(&terms, face);
                        process.apply(&mut after, reading, &mut Silent);
                        let share = weight / f64::from(dice.faces());
                        *next.entry((after, best, now)).or_insert(0.0) += share;
                    }
                }
            }
        }
        level = next;
    }
    Passage { first, at_end }
}

fn sum(shares: impl Iterator<Item = f64>) -> f64 {
    shares.fold(0.0, |sum, share| sum + share)
}

/// Panics unless the waiting times equal those of the walk.
fn assert_agree(counts: &UnitCounts, passage: &Passage, what: &str) {
    let waiting = counts.waiting();
    assert_eq!(waiting.len(), passage.first.len(), "{what}");
    for (wait, first) in waiting.iter().zip(&passage.first) {
        let what = format!("{what}: {wait:?}");
        let by =
            |point: ReportIndex| sum(first.iter().filter(|(at, _)| *at <= point).map(|(_, p)| *p));
        let reached = by(ReportIndex::MAX);
        let median = (1..=counts.last_point()).find(|point| by(*point) >= 0.5 - 1e-12);
        assert_eq!(wait.median, median, "{what}");
        assert!((wait.not_within - (1.0 - reached)).abs() < 1e-12, "{what}: {}", 1.0 - reached);
        let weighed = sum(first.iter().map(|(point, p)| f64::from(*point) * p));
        match wait.mean {
            Some(mean) => assert!((mean - weighed / reached).abs() < 1e-10, "{what}: {weighed}"),
            None => assert_eq!(reached, 0.0, "{what}"),
        }
        assert_eq!(wait.std_error, None, "{what}");
    }
}

/// Returns the exact waiting times of a rally, checked against the walk. Also returns the
/// probabilities that so many units hold at the end, and the counts by Monte Carlo.
fn checked(stack: &str, words: &str, group: &str) -> (Vec<Wait>, Vec<f64>, UnitCounts) {
    let (fields, what) = (fields(stack, words), format!("{stack} {words}: {group}"));
    let twin = Twin::new(&draft(QuestionKind::Rally, &fields, true).expect(&what));
    let question = draft(QuestionKind::Rally, &fields, false).unwrap().finish().unwrap();
    let counted_group = question.words().facts().kind.group(group).unwrap();
    let counts =
        answered(question.as_ref(), Some(counted_group), false).expect(&what).counts.unwrap();
    let passage = passage(&twin, group);
    assert_agree(&counts, &passage, &what);
    let relapsed = passage.first.iter().zip(&passage.at_end);
    let relapsed = relapsed.map(|(first, at_end)| sum(first.iter().map(|(_, p)| *p)) - at_end);
    let sampled = by_dice(question.as_ref(), Some(counted_group), 40_000, 7);
    (counts.waiting(), relapsed.collect(), sampled)
}

/// A10.6, A10.62, A18.11: rallies of up to three units, with and without a leader.
#[test]
fn waiting_times_agree_with_a_walk_over_all_sequences() {
    for (stack, words) in [
        ("german:4-6-7/dm", "phases=6 leader=8-1 no-hob"),
        ("german:4-6-7/dm", "phases=4 leader=8-1"),
        ("german:4-6-7", "phases=5 own-rph=even no-hob"),
        ("2x german:4-6-7/dm", "phases=5 leader=9-1 terrain=woods no-hob"),
        ("2x russian:4-4-7/dm", "phases=3 leader=commissar:9-0 terrain=woods"),
        ("german:8-0/broken + 2x german:4-6-7/dm", "phases=4 no-hob"),
        ("german:6+1/dm,wounded + german:4-6-7/broken + german:2-4-7/broken", "phases=4 no-hob"),
        ("german:9-1 + german:4-6-7/dm + german:4-6-7/broken", "phases=4"),
        ("3x german:4-6-7/broken", "phases=4 leader=8-0 no-hob"),
        ("american:7-4-7/dm + american:2-2-7", "phases=4 no-hob"),
        ("finnish:6-4-8/dm + finnish:8-0/dm", "phases=3"),
        ("german:4-6-7/disrupted + german:4-6-7", "phases=2 no-hob"),
    ] {
        for group in GROUPS {
            let (waiting, _, sampled) = checked(stack, words, group);
            // The estimates agree to within five standard errors, but not to the last digit.
            for (exact, wait) in waiting.iter().zip(sampled.waiting()) {
                let error = |p: f64| 5.0 * (p * (1.0 - p) / 40_000.0).sqrt() + 1e-9;
                let off = (exact.not_within - wait.not_within).abs();
                assert!(off <= error(exact.not_within), "{stack} {group}: {wait:?} for {exact:?}");
                let Some(((mean, sampled_mean), std_error)) =
                    exact.mean.zip(wait.mean).zip(wait.std_error)
                else {
                    continue;
                };
                assert!(
                    (mean - sampled_mean).abs() <= 5.0 * std_error + 1e-9,
                    "{wait:?} for {exact:?}"
                );
            }
        }
    }
}

/// A10.64, A10.2: a leader that meets its Fate takes squads down that were back. They still count
/// as having been back.
#[test]
fn relapses_do_not_make_the_wait_longer() {
    let stack = "german:10-2/dm + 2x german:4-3-6/broken";
    let (waiting, relapsed, _) = checked(stack, "phases=4 leader=8-0 terrain=woods no-hob", "mmc");
    assert!(relapsed.iter().all(|share| *share > 1e-4), "{relapsed:?}");
    assert_eq!(waiting.len(), 2);
}

/// A10.6: 26 of 36 with an 8-1, because Fate leaves a half-squad, which needs 6 on its broken side.
#[test]
fn waiting_time_of_one_squad_matches_a_hand_count() {
    let (waiting, ..) = checked("german:4-6-7/broken", "phases=2 leader=8-1 no-hob", "mmc");
    let first = 26.0 / 36.0;
    let second = 9.0 / 36.0 * first + 1.0 / 36.0 * 21.0 / 36.0;
    let reached = first + second;
    let [wait] = waiting[..] else { panic!("{waiting:?}") };
    assert_eq!((wait.number, wait.median), (1, Some(1)));
    assert!((wait.not_within - (1.0 - reached)).abs() < 1e-12);
    assert!((wait.mean.unwrap() - (first + 2.0 * second) / reached).abs() < 1e-12);
}

/// Waiting times exist only for answers by phase, and only for units that began broken.
#[test]
fn only_broken_units_in_rallies_have_waiting_times() {
    let count = |ask, stack: &str, words: &str, group: &str| {
        let question = draft(ask, &fields(stack, words), false).unwrap().finish().unwrap();
        let counted_group = question.words().facts().kind.group(group).unwrap();
        answered(question.as_ref(), Some(counted_group), false)
            .unwrap()
            .counts
            .unwrap()
            .waiting()
            .len()
    };
    let stack = "german:8-1 + german:4-6-7/broken";
    assert_eq!(count(QuestionKind::Check, stack, "mc=1 no-hob", "mmc"), 0);
    assert_eq!(count(QuestionKind::Fire, stack, "fp=4 no-hob", "mmc"), 0);
    assert_eq!(count(QuestionKind::Interdict, "german:4-6-7", "hexes=1 no-hob", "mmc"), 0);
    assert_eq!(count(QuestionKind::Sequence, stack, "1.do=rally 1.phases=2 no-hob", "mmc"), 0);
    let numbers = GROUPS.map(|group| count(QuestionKind::Rally, stack, "phases=2 no-hob", group));
    assert_eq!(numbers, [1, 1, 0, 0]);
}
