//! Tests that the dice of generated logs are counted.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::vasl_writer::FileBuilder;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use vasl::chat::rolls;
use vasl::luck::{RollGroup, RollStatistics};
use vasl::obfuscation::Mask;
use vasl::saved::Saved;
use vasl::session::Sessions;

fn line(player: &str, kind: &str, dice: &str, nth: usize, serial: usize) -> String {
    format!(
        "*** ({kind}) {dice} ***   <{player}>      [1 / {nth}   avg   6,58 (6,58)]    (01.{serial:02} - by random.org)"
    )
}

fn tally<'a>(tallies: &'a [RollStatistics], player: &str, group: &str) -> &'a RollStatistics {
    let is_it = |tally: &&RollStatistics| tally.player == player && tally.group.name() == group;
    tallies.iter().find(is_it).unwrap_or_else(|| panic!("{player}: no {group}"))
}

/// Alice: 12 DR with the sum 79, one of them a MC of 3, and one dr of 6. Bob: 5 DR with the mean
/// 7.2, two of them MC of 7, and 5 dr with the mean 3.2.
#[test]
fn roll_statistics_of_a_log_are_found() {
    let mut draft = FileBuilder::default().boards(&["0\t0\t01\tVER\t6.3"]);
    let alice =
        ["1,2", "6,6", "3,4", "5,2", "6,4", "1,1", "4,4", "2,6", "5,1", "3,3", "2,2", "1,5"];
    draft.chat(&line("Alice", "MC DR", alice[0], 1, 50));
    for (number, dice) in alice.iter().enumerate().skip(1) {
        draft.chat(&line("Alice", "IFT DR", dice, number + 1, 60 - number));
    }
    draft.chat(&line("Alice", "Other dr", "6", 1, 99));
    draft.chat("<Bob> - what luck");
    for (number, (kind, dice)) in
        [("MC DR", "3,4"), ("TH DR", "6,1"), ("MC DR", "2,5"), ("CC DR", "6,2"), ("TC DR", "1,6")]
            .iter()
            .enumerate()
    {
        draft.chat(&line("Bob", kind, dice, number + 1, number * 7 % 10 + 1));
    }
    for (number, dice) in ["1", "5", "3", "6", "1"].iter().enumerate() {
        draft.chat(&line("Bob", "RS dr", dice, number + 1, 40 + number * 3 % 7));
    }
    for mask in [Mask::Digits(0x5b), Mask::Bytes(0xc1)] {
        let saved = Saved::read(&draft.bytes(mask).unwrap()).unwrap();
        let luck = Sessions::new(vec![saved.transcript().unwrap().rolls]);
        assert_eq!(luck.players(), ["Alice", "Bob"]);
        assert_eq!(luck.missing(), []);
        let tallies = luck.tallies();
        let rolls_and_total = |player: &str, group: &str| {
            let tally = tally(&tallies, player, group);
            (tally.rolls, tally.total)
        };
        assert_eq!(rolls_and_total("Alice", "all DR"), (12, 79));
        assert_eq!(format!("{:.2}", tally(&tallies, "Alice", "all DR").mean()), "6.58");
        assert_eq!(
            (rolls_and_total("Alice", "MC"), rolls_and_total("Alice", "dr")),
            ((1, 3), (1, 6))
        );
        assert_eq!(
            (rolls_and_total("Bob", "all DR"), rolls_and_total("Bob", "MC")),
            ((5, 36), (2, 14))
        );
        assert_eq!(tally(&tallies, "Bob", "all DR").mean(), 7.2);
        assert_eq!(
            (rolls_and_total("Bob", "RS"), tally(&tallies, "Bob", "RS").mean()),
            ((5, 16), 3.2)
        );
        let pairs = tally(&tallies, "Alice", "all DR").pairs.unwrap();
        assert_eq!((pairs.twos, pairs.twelves, pairs.coloured, pairs.white), (1, 1, 39, 40));
        assert!(
            tallies
                .iter()
                .all(|tally| (tally.group == RollGroup::LowDr) <= tally.group.is_low_good())
        );
    }
}

/// Chat that a log repeats from before its beginning belongs to another log.
#[test]
fn chat_of_a_save_is_not_counted() {
    let roll = line("Alice", "IFT DR", "1,1", 1, 1);
    let mut draft = FileBuilder::default().command(&format!("CHAT{roll}"));
    let rolls = |draft: &FileBuilder| {
        Saved::read(&draft.bytes(Mask::Plain).unwrap()).unwrap().transcript().unwrap().rolls.len()
    };
    assert_eq!(rolls(&draft), 0);
    draft.chat(&roll);
    assert_eq!(rolls(&draft), 1);
}

/// Random logs hold parts of random sessions, in any order. Each roll is counted once.
#[test]
fn each_roll_of_random_logs_is_counted_once() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(38);
    let mut below = |limit: usize| (dice.next_u64() % limit as u64) as usize;
    let mut overlapping = 0;
    for _ in 0..300 {
        // The chat of each session; a player has own numbers, in a shuffled series.
        let sessions: Vec<Vec<String>> = (0..1 + below(3))
            .map(|_| {
                let mut counts = [[0; 2]; 2];
                let (from, step) = (below(99), [1, 2, 5, 7, 40][below(5)]);
                let length = 20 + below(60);
                let mut chat_line = |number: usize| {
                    let (player, two) = (below(2), below(4) > 0);
                    let nth = &mut counts[player][usize::from(two)];
                    *nth += 1;
                    let (kind, dice) = match two {
                        true => ("IFT DR", format!("{},{}", below(6) + 1, below(6) + 1)),
                        false => ("SA dr", format!("{}", below(6) + 1)),
                    };
                    line(
                        ["Alice", "Bob"][player],
                        kind,
                        &dice,
                        *nth,
                        (from + step * number) % 99 + 1,
                    )
                };
                (0..length).map(&mut chat_line).collect()
            })
            .collect();
        let mut held = BTreeSet::new();
        let mut logs = Vec::new();
        for _ in 0..1 + below(5) {
            let session = below(sessions.len());
            let lines = &sessions[session];
            let from = below(lines.len());
            let to = from + 1 + below(lines.len() - from);
            logs.push(lines[from..to].iter().flat_map(|line| rolls(line)).collect::<Vec<_>>());
            overlapping += (from..to).filter(|number| !held.insert((session, *number))).count();
        }
        let luck = Sessions::new(logs.clone());
        let counted = |luck: &Sessions| {
            let all = luck.tallies().into_iter();
            all.filter(|tally| matches!(tally.group, RollGroup::AllDr | RollGroup::AllDie))
                .map(|tally| tally.rolls)
                .sum::<usize>()
        };
        assert_eq!(counted(&luck), held.len(), "{logs:?}");
        logs.reverse();
        assert_eq!(counted(&Sessions::new(logs)), held.len());
    }
    assert!(overlapping > 1000, "{overlapping}");
}

#[test]
fn long_log_is_counted_completely() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut die = || dice.next_u64() % 6 + 1;
    let mut draft = FileBuilder::default();
    for number in 0..10_000 {
        let kind = ["IFT DR", "MC DR", "TH DR", "Rally DR"][number % 4];
        let player = ["Alice", "Bob"][number / 4 % 2];
        draft.chat(&line(player, kind, &format!("{},{}", die(), die()), number / 2 + 1, 1));
    }
    let bytes = draft.bytes(Mask::Digits(7)).unwrap();
    let started = Instant::now();
    let tallies =
        Sessions::new(vec![Saved::read(&bytes).unwrap().transcript().unwrap().rolls]).tallies();
    eprintln!("10,000 rolls in {:?}", started.elapsed());
    let all: Vec<&RollStatistics> =
        tallies.iter().filter(|tally| tally.group == RollGroup::LowDr).collect();
    assert_eq!(all.iter().map(|tally| tally.rolls).sum::<usize>(), 10_000);
    for tally in all {
        let middle = 7 * tally.rolls;
        assert!(tally.total.abs_diff(middle) < 700, "{tally:?}");
        assert!(
            tally.at_most > 1e-5 && tally.at_least > 1e-5 && tally.at_most + tally.at_least > 1.0
        );
    }
}
