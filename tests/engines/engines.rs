//! Tests that the engines agree with each other on every kind of process, and with examples worked
//! out by hand.

use std::collections::BTreeMap;

use crate::common::{
    ask, assert_close, assert_ends, assert_traces, noted, odds_of, table, trace_script,
};
use crate::fit::chi_squared;
use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::asl::outcome::Outcome;
use lowcrawl::asl::question::{Question, QuestionKind};
use lowcrawl::dice::script::ScriptError;
use lowcrawl::dice::{Base, Dice, Dr, Face};
use lowcrawl::engine::EngineError;
use lowcrawl::engine::automaton::{Automaton, MAX_ROWS};
use lowcrawl::engine::exact::{self, Bound, Fraction};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::engine::trace::{self, TraceDice, TraceError};
use lowcrawl::process::{Due, Event, Log, Player, Process, Question as _, ReportIndex, WithPolicy};

use crate::common;

/// Builds a question about an `mc`MC with ELR 3, without Heat of Battle.
fn check(stack: &str, mc: i64) -> Question {
    ask(QuestionKind::Check, &format!("stack={stack}; mc={mc}; no-hob"))
}

/// Builds a question of any kind, without Heat of Battle.
fn question(kind: QuestionKind, stack: &str, fields: &str) -> Question {
    ask(kind, &format!("stack={stack}; {fields}"))
}

/// Questions of every kind without Heat of Battle, with comments on the rules that they need.
pub const PLAIN: &str = "
    # 10.2: LLMC and LLTC down a chain of leaders.
    check     | stack=german:9-1 + german:8-0 + german:4-6-7 + german:2-4-7; mc=1
    # 10.2, 10.3: a broken leader may be wounded and die of it.
    check     | stack=german:8-1/broken + german:4-6-7 + german:4-4-7/broken; mc=2
    # 19.13: two half-squads for one underlined squad: a created slot.
    check     | stack=german:8-0 + german:8-3-8; mc=4
    # 15.2: a hero is wounded in place of breaking.
    check     | stack=german:9-1 + hero + german:4-6-7/fanatic; mc=3
    # 7.305: a broken unit takes no PTC: alone, no dice at all.
    check     | stack=german:9-1 + german:8-1 + 2x german:4-6-7 + german:4-3-6/broken; ptc
    check     | stack=german:4-6-7/broken; ptc
    # 10.6 - 10.64.
    rally     | stack=german:4-6-7/broken,dm; leader=8-1; terrain=woods
    # 18.11, 18.2: a leader may be created, who then rallies the others.
    rally     | stack=2x russian:4-4-7/broken; own-rph=odd; phases=4
    # 10.6: leaders first; 10.2: by Fate they may be lost.
    rally     | stack=german:8-1/broken,wounded + german:4-6-7/broken,dm + german:2-4-7/broken; phases=3
    # 10.53.
    interdict | stack=german:4-6-7/broken; hexes=3; leader=8-1
    # 17.2: a wounded SMC has 3 MF.
    interdict | stack=german:8-1/broken + german:9-2/broken; hexes=5
    # Outcomes of whole stacks.
    check     | stack=german:8-1 + german:4-6-7 + german:4-6-8; mc=1; joint
    rally     | stack=german:8-0/broken + german:4-6-7/broken; phases=2; joint
";

/// 10.2, 10.5, 10.6: the parts of a question have the odds of the whole.
#[test]
fn parts_agree_with_the_whole() {
    let questions = common::questions(
        "
            check     | stack=german:9-1 + german:8-0 + 2x german:4-6-7 + german:4-4-7; mc=1
            check     | stack=german:8-1/broken + german:8-0/wounded + german:4-6-8 + german:4-3-6 + german:4-6-7/broken; mc=0
            check     | stack=german:4-6-7 + german:10-2 + german:8-3-8 + german:9-1/pinned + german:4-6-8/fanatic; mc=4
            check     | stack=german:8-1 + german:8-0 + 2x german:8-3-8 + german:4-6-7; mc=4
            check     | stack=german:9-1/heroic + german:8-1 + hero + german:4-6-7 + hero/wounded; mc=2
            check     | stack=finnish:9-1 + finnish:8-0 + finnish:6-4-8 + finnish:8-3-8 + german:4-6-7; mc=3
            check     | stack=german:9-1 + german:8-0 + 2x german:4-6-7 + german:4-4-7; ptc
            rally     | stack=3x german:4-6-7/broken,dm; leader=8-1; phases=2
            rally     | stack=german:8-0/broken + 2x german:4-6-7/broken; leader=9-1; phases=2
            interdict | stack=german:8-1/broken + german:8-0/broken + 3x german:4-6-7/broken; hexes=2
        ",
    );
    for question in &questions {
        let whole = odds_of(question, &[question.whole()]);
        assert_close(&common::odds(question), &whole, 1e-12, &question.texts().in_words);
    }
    let parts = |place: usize| questions[place].parts().all().count();
    // The leaders together are one part, each sort of other units another. With two underlined
    // squads only the whole knows the created units.
    assert_eq!([parts(0), parts(2), parts(3), parts(7), parts(8), parts(9)], [3, 4, 4, 1, 1, 3]);
}

/// Counts the outcomes of some sequences of a run, each traced by itself.
fn traced_counts<P: Process<Outcome = Outcome>>(
    process: &P,
    seed: u64,
    sequences: std::ops::Range<u64>,
) -> BTreeMap<(ReportIndex, Outcome), u64> {
    let mut counts = BTreeMap::new();
    for sequence in sequences {
        let dice = TraceDice::Seeded { seed, sequence };
        for outcome in noted(trace::trace(process, &dice, Monitor::NONE).unwrap()) {
            *counts.entry(outcome).or_default() += 1;
        }
    }
    counts
}

/// Counts the outcomes of a simulated run.
fn simulated_counts<P: Process<Outcome = Outcome>>(
    process: &P,
    trials: u64,
    seed: u64,
) -> BTreeMap<(ReportIndex, Outcome), u64> {
    let run =
        Simulator::new(process, Monitor::NONE).unwrap().run(&Plan::new(trials, seed)).unwrap();
    run.counts.into_iter().map(|(point, outcome, count)| ((point, outcome), count)).collect()
}

#[test]
fn traced_sequences_are_those_that_were_counted() {
    for question in common::questions(PLAIN) {
        let process = question.whole();
        assert_eq!(
            traced_counts(&process, 52, 0..2000),
            simulated_counts(&process, 2000, 52),
            "{}",
            question.texts().in_words
        );
    }
}

/// Sequence 65,536 (0-based) is the first of the second chunk of sequences.
#[test]
fn traced_sequences_cross_chunk_boundaries() {
    let process = check("german:8-1 + german:4-6-7", 1).whole();
    let mut expected = simulated_counts(&process, 65_530, 10);
    for (outcome, count) in traced_counts(&process, 10, 65_530..65_545) {
        *expected.entry(outcome).or_default() += count;
    }
    assert_eq!(expected, simulated_counts(&process, 65_545, 10));
}

// Scripted sequences.

/// 10.31, 19.1, 17.11, 10.2: the 8-1 rolls 12 (12 - 8 = 4 > ELR 3: it is Replaced, breaks and is
/// wounded: 1/36) and dies of the wound (dr 5, 6: 1/3). The 4-6-7 checks unaided and is pinned on
/// its 7 (6/36). LLMC at +1 for a leader lost with ML 8: a 7 is a Final 8, and 7, 8, 9 fail by no
/// more than ELR 3 (15/36).
#[test]
fn mortal_wound_of_a_leader_brings_an_llmc() {
    assert_traces(
        &check("german:8-1 + german:4-6-7", 0),
        "6,6 5 3,4 2,5 | 10.1 1/36, 17.11 2/6, 10.1 6/36, 10.2 15/36 = 5/7776 | eliminated, broken 4-6-7",
    );
}

/// 10.2, 10.22: the 8-1 breaks on 9, 10, 11 (9/36), without an ELR failure. The 4-6-7 passes on 2
/// to 6 (15/36). LLTC at +1: it is pinned above 6 (21/36).
#[test]
fn broken_leader_brings_an_lltc_that_pins_the_squad() {
    assert_traces(
        &check("german:8-1 + german:4-6-7", 0),
        "4,5 1,4 3,4 | 10.1 9/36, 10.1 15/36, 10.2 21/36 = 35/576 | broken 8-1, pinned 4-6-7",
    );
}

/// 10.6 - 10.62: DM +4, leader -1, woods -1: with a broken ML of 7 it rallies on 5 or less. Fate
/// aside, it fails on 6 to 11 (25/36). In the next phase it rallies without DM on 9 or less
/// (30/36).
#[test]
fn squad_rallies_in_the_second_phase_without_dm() {
    assert_traces(
        &question(
            QuestionKind::Rally,
            "german:4-6-7/broken,dm",
            "leader=8-1; terrain=woods; phases=2",
        ),
        "3,3 4,5 | 10.6 25/36, 10.6 30/36 = 125/216 | rallied 4-6-7",
    );
}

/// 18.11, 18.2: an Original 2 (1/36) by the first MMC to Self-Rally. Leader Creation is at +1
/// Russian, +0 for ML 7, +1 broken: only a dr of 1 gives 3, an 8-0 (1/6). It then rallies the other
/// squad on 7 or less (21/36).
#[test]
fn created_leader_rallies_the_other_squad() {
    assert_traces(
        &question(QuestionKind::Rally, "2x russian:4-4-7/broken", "phases=1; own-rph=odd"),
        "1,1 1 3,4 | 10.6 1/36, 18.2 1/6, 10.6 21/36 = 7/2592 | rallied 4-4-7, rallied 4-4-7, good-order 8-0",
    );
}

/// 10.53, 17.2: the 8-1 fails the first NMC on 9, 10, 11 (9/36) and is lightly wounded (dr 1 to 4:
/// 2/3). At ML 7 it passes two more on 2 to 6 (15/36 each) and has no MF left after 3.
#[test]
fn wounded_leader_stops_after_three_hexes() {
    assert_traces(
        &question(QuestionKind::Interdict, "german:8-1/broken", "hexes=4"),
        "4,5 2 1,2 1,2 | 10.53 9/36, 17.11 4/6, 10.53 15/36, 10.53 15/36 = 25/864 | stopped 8-1/wounded",
    );
}

#[test]
fn script_that_does_not_fit_is_refused() {
    let question = check("german:8-1 + german:4-6-7", 0);
    let error = |script| match trace_script(&question, script).unwrap_err() {
        TraceError::Script { error, .. } => error,
        error => panic!("{error}"),
    };
    // Clean checks of both take two DR.
    assert!(trace_script(&question, "2,2 2,2").is_ok());
    assert_eq!(error("2,2 2,2 3,3 4"), ScriptError::LeftOver { used: 2, left: 2 });
    assert!(matches!(error("2,2"), ScriptError::RanOut { rolls: 1, .. }));
    assert!(matches!(error("2,2 4"), ScriptError::WrongDice { place: 2, written: Dice::One, .. }));
    // An Original 12 of the 8-1 needs a severity dr.
    assert_eq!(error("6,6"), ScriptError::RanOut { rolls: 1, due: Dice::One });
    assert_eq!(
        error("6,6 4,4"),
        ScriptError::WrongDice { place: 2, written: Dice::Dr, due: Dice::One }
    );
    for (script, text) in [
        ("", "the script ends after 0 roll(s), but a DR is due next"),
        ("2,2 2,2 3,3", "the sequence ends after 2 roll(s), but the script has 1 more"),
        ("2,2 4", "roll 2 of the script is a dr, but a DR is due"),
        ("6,6 4,4", "roll 2 of the script is a DR, but a dr is due"),
    ] {
        assert_eq!(error(script).to_string(), text);
    }
}

// Bounds and choices.

#[test]
fn engines_stay_within_their_bounds() {
    let process = check("german:8-1 + german:4-6-7", 0).whole();
    let odds = |bound| exact::odds(&process, bound).unwrap_err();
    let few_alive = Bound { alive: 1, ..Bound::STANDARD };
    assert_eq!(odds(few_alive), EngineError::TooManyStates { bound: 1 });
    assert_eq!(odds(Bound { worked: 1, ..Bound::STANDARD }), EngineError::TooMuchWork { bound: 1 });
    assert_eq!(
        exact::float_odds(&process, few_alive).unwrap_err(),
        EngineError::TooManyStates { bound: 1 }
    );
    assert!(Automaton::explore(&process, 1, Monitor::NONE).unwrap().is_none());
    let rows = table(&process).rows();
    assert!(Automaton::explore(&process, rows, Monitor::NONE).unwrap().is_some());
    assert!(Automaton::explore(&process, rows - 1, Monitor::NONE).unwrap().is_none());
}

/// A game with decisions of both sides. The owner takes one DR, which wins on 9 or more, or two dr.
/// Of these the first wins on a 6. After any other the enemy sets the number that the second needs:
/// 3 or more, or 5 or more. The game can begin in any state.
#[derive(Clone, Copy, Debug)]
struct Nerve(GameState);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum GameState {
    Start,
    OneDr,
    FirstOfTwo,
    EnemySets,
    SecondOfTwo { least: u8 },
    Ended { won: bool },
    Over,
}

impl Process for Nerve {
    type State = GameState;
    /// The dice to roll, and the smallest total that wins.
    type Terms = (Dice, u8);
    type Reading = bool;
    type Outcome = bool;

    fn start<L: Log>(&self, _: &mut L) -> GameState {
        self.0
    }
    fn due(&self, state: &GameState) -> Due<(Dice, u8)> {
        let roll = |dice, least| Due::Roll(dice, (dice, least));
        match *state {
            GameState::Start => Due::Choice { player: Player::Owner, options: 2 },
            GameState::EnemySets => Due::Choice { player: Player::Enemy, options: 2 },
            GameState::OneDr => roll(Dice::Dr, 9),
            GameState::FirstOfTwo => roll(Dice::One, 6),
            GameState::SecondOfTwo { least } => roll(Dice::One, least),
            GameState::Ended { .. } => Due::Report(0),
            GameState::Over => Due::Over,
        }
    }
    fn read(&self, &(dice, least): &(Dice, u8), face: Face) -> bool {
        let total = if dice == Dice::Dr { Dr::from_face(face).total() } else { face.number() };
        total >= least
    }
    fn apply<L: Log>(&self, state: &mut GameState, won: bool, _: &mut L) {
        *state = if *state == GameState::FirstOfTwo && !won {
            GameState::EnemySets
        } else {
            GameState::Ended { won }
        };
    }
    fn choose<L: Log>(&self, state: &mut GameState, option: usize, _: &mut L) {
        *state = match (*state, option) {
            (GameState::Start, 0) => GameState::OneDr,
            (GameState::Start, _) => GameState::FirstOfTwo,
            (_, 0) => GameState::SecondOfTwo { least: 3 },
            _ => GameState::SecondOfTwo { least: 5 },
        };
    }
    fn report(&self, state: &GameState, observe: &mut dyn FnMut(bool)) {
        observe(*state == GameState::Ended { won: true });
    }
    fn pass<L: Log>(&self, state: &mut GameState, _: &mut L) {
        *state = GameState::Over;
    }
    fn describe(&self, _: &GameState, &(dice, least): &(Dice, u8), _: Face) -> Event {
        Event { rule: "1", text: format!("{dice} of {least} or more") }
    }
}

#[test]
fn open_choice_is_an_error() {
    // The choice at the start, and the one after a first dr.
    for (process, script) in [(Nerve(GameState::Start), ""), (Nerve(GameState::FirstOfTwo), "3")] {
        assert_eq!(exact::odds(&process, Bound::STANDARD).unwrap_err(), EngineError::OpenChoice);
        assert_eq!(
            Automaton::explore(&process, MAX_ROWS, Monitor::NONE).unwrap_err(),
            EngineError::OpenChoice
        );
        assert_eq!(Simulator::new(&process, Monitor::NONE).unwrap_err(), EngineError::OpenChoice);
        assert_eq!(
            Simulator::Rules(&process).run(&Plan::new(100, 1)).unwrap_err(),
            EngineError::OpenChoice
        );
        let script = TraceDice::Script(script.to_string());
        assert_eq!(
            trace::trace(&process, &script, Monitor::NONE).unwrap_err(),
            TraceError::Engine(EngineError::OpenChoice)
        );
    }
    // Without a decision no policy is needed.
    assert!(exact::odds(&Nerve(GameState::OneDr), Bound::STANDARD).is_ok());
}

/// One DR: 9 or more is 10/36 = 5/18. Two dr: 1/6 + 5/6 x 4/6 = 13/18 if the enemy sets 3, 1/6 +
/// 5/6 x 2/6 = 4/9 with 5. So the enemy should set 5, and the owner should take two dr.
#[test]
fn policy_makes_every_choice() {
    let policies =
        [(0, 0, Fraction::new(5, 18)), (1, 0, Fraction::new(13, 18)), (1, 1, Fraction::new(4, 9))];
    for (owner, enemy, wins) in policies {
        let policy = move |_: &Nerve, _: &GameState, player, options| {
            assert_eq!(options, 2);
            if player == Player::Owner { owner } else { enemy }
        };
        let process = WithPolicy::new(Nerve(GameState::Start), policy);
        let chances = exact::odds(&process, Bound::STANDARD).unwrap().chances;
        assert_eq!(
            chances.iter().map(|chance| (chance.point, chance.outcome)).collect::<Vec<_>>(),
            [(0, false), (0, true)]
        );
        assert_eq!(chances[1].fraction, Some(wins));

        let run =
            Simulator::new(&process, Monitor::NONE).unwrap().run(&Plan::new(100_000, 5)).unwrap();
        assert_eq!(run, Simulator::Rules(&process).run(&Plan::new(100_000, 5)).unwrap());
        let observed: Vec<u64> = run.counts.iter().map(|&(_, _, count)| count).collect();
        let test = chi_squared(&observed, &[1.0 - wins.to_f64(), wins.to_f64()]).unwrap();
        assert!(test.p_value > 1e-4, "{test:?}");
    }
    let process = WithPolicy::new(Nerve(GameState::Start), |_: &Nerve, _: &GameState, _, _| 1);
    let script = TraceDice::Script("3 5".to_string());
    let traced = trace::trace(&process, &script, Monitor::NONE).unwrap();
    // A first dr below 6 (5/6), a second of 5 or more (1/3).
    assert_eq!(traced.probability, Some(Fraction::new(5, 18)));
}

// Leader loss, 10.2 and 10.22. LL-a begins with an attack on the IFT, which no question supports
// yet. Here its two squads and its leader begin broken, as the KIA would leave the squads, and the
// leader is lost by an Original 12. LD-4 needs moving units.

/// 10.2, LL-a: a 9-1 is lost. The 4-6-7 has a broken ML of 7 < 9 and takes its LLMC at +1: unharmed
/// on 2 to 6 (15/36), Reduced on 7 to 11 (20/36), eliminated on 12. The SS have a broken ML of 9,
/// which is not lower, and take none. NMC: the SS pass on 9 (30/36), the 4-6-7 on 7 (21/36).
#[test]
fn ll_a_lost_9_1_affects_only_squads_of_lower_morale() {
    assert_traces(
        &check("german:9-1/broken + german-ss:6-5-8/broken + german:4-6-7/broken", 0),
        "
            6,6 4,5 3,4 3,3 | 10.1 1/36, 10.1 30/36, 10.1 21/36, 10.2 15/36 | eliminated, broken 6-5-8, broken 4-6-7
            6,6 4,5 3,4 3,4 | 10.1 1/36, 10.1 30/36, 10.1 21/36, 10.2 20/36 | eliminated, broken 6-5-8, broken 2-4-7
            6,6 4,5 3,4 6,6 | 10.1 1/36, 10.1 30/36, 10.1 21/36, 10.2 1/36  | eliminated, broken 6-5-8, eliminated
        ",
    );
}

/// 10.2, LL-b: a broken 8-0 is lost in a 1MC. The 4-6-7, unbroken or broken ML 7, takes a LLMC
/// without DRM and passes on 7 or less (21/36). Once broken it is Reduced on 8 to 11 (14/36) and
/// eliminated on 12. The 4-6-8 has 8 on either side and takes none.
#[test]
fn ll_b_lost_8_0_brings_llmc_without_drm() {
    assert_traces(
        &check("german:8-0/broken + german:4-6-8 + german:4-6-7", 1),
        "
            # Clean 1MC of the 4-6-8 (P = 7: 15/36) and of the 4-6-7 (P = 6: 10/36).
            6,6 2,3 2,3 3,4 | 10.1 1/36, 10.1 15/36, 10.1 10/36, 10.2 21/36 | eliminated, good-order 4-6-8, good-order 4-6-7
            # Both squads break short of an ELR failure: the 4-6-8 on 8 to 10, the 4-6-7 on 7 to 9.
            6,6 4,4 4,4 3,4 | 10.1 1/36, 10.1 12/36, 10.1 15/36, 10.2 21/36 | eliminated, broken 4-6-8, broken 4-6-7
            6,6 4,4 4,4 4,4 | 10.1 1/36, 10.1 12/36, 10.1 15/36, 10.2 14/36 | eliminated, broken 4-6-8, broken 2-4-7
            6,6 4,4 4,4 6,6 | 10.1 1/36, 10.1 12/36, 10.1 15/36, 10.2 1/36  | eliminated, broken 4-6-8, eliminated
        ",
    );
}

/// 10.2, LL-b in exact odds, ELR 5. The broken 8-0 is lost on a 12, and on 8 to 11 with a mortal
/// wound: 1/36 + 14/36 x 1/3 = 17/108. Then the 4-6-7 is eliminated on a 12 if it broke on 7 to 11
/// (20/36). It is eliminated on 7 or more (21/36) if its 12 (an ELR failure, 13 - 7 = 6) left a
/// 2-3-7 of broken ML 6: (20/36 + 21/36) / 36 = 41/1296. In all 697/139968. The 4-6-8 breaks on 8
/// to 11, whatever leader is lost: 14/36. Only the 2-4-8 that its own 12 leaves, broken ML 7, takes
/// the LLMC, which eliminates it on 8 or more: 17/108 x 1/36 x 15/36 = 85/46656.
#[test]
fn ll_b_has_the_exact_odds_worked_by_hand() {
    let stack = "german:8-0/broken + german:4-6-8 + german:4-6-7";
    let question = question(QuestionKind::Check, stack, "mc=1; elr=5");
    assert_ends(&question, 1, "eliminated: 17/108");
    assert_ends(&question, 2, "broken 4-6-8: 7/18, good-order 4-6-8: 5/12, eliminated: 85/46656");
    assert_ends(&question, 3, "eliminated: 697/139968");
}

/// 10.2, LL-c: with an 8-1 instead, the LLMC of the 4-6-7 is a 1MC. It passes on 6 or less (15/36);
/// once broken it is Reduced on 7 to 11 (20/36) and eliminated on 12.
#[test]
fn ll_c_lost_8_1_brings_llmc_at_plus_1() {
    assert_traces(
        &check("german:8-1/broken + german:4-6-8 + german:4-6-7", 1),
        "
            6,6 2,3 2,3 3,3 | 10.1 1/36, 10.1 15/36, 10.1 10/36, 10.2 15/36 | eliminated, good-order 4-6-8, good-order 4-6-7
            6,6 4,4 4,4 3,3 | 10.1 1/36, 10.1 12/36, 10.1 15/36, 10.2 15/36 | eliminated, broken 4-6-8, broken 4-6-7
            6,6 4,4 4,4 3,4 | 10.1 1/36, 10.1 12/36, 10.1 15/36, 10.2 20/36 | eliminated, broken 4-6-8, broken 2-4-7
            6,6 4,4 4,4 6,6 | 10.1 1/36, 10.1 12/36, 10.1 15/36, 10.2 1/36  | eliminated, broken 4-6-8, eliminated
        ",
    );
}

/// 10.2, LL-d: a 9-1 instead has a higher ML than both squads. Each takes a 1MC: the 4-6-8 passes
/// on 7 or less (21/36), the 4-6-7 on 6 or less (15/36). 7.8, I-2: passing a LLMC on the highest DR
/// does not pin.
#[test]
fn ll_d_lost_9_1_affects_both_squads() {
    assert_traces(
        &check("german:9-1/broken + german:4-6-8 + german:4-6-7", 1),
        "6,6 2,3 2,3 3,4 3,3 | 10.1 1/36, 10.1 15/36, 10.1 10/36, 10.2 21/36, 10.2 15/36 | eliminated, good-order 4-6-8, good-order 4-6-7",
    );
}

/// 10.22, LD-1: a 9-1 never uses its own DRM. It passes a NMC on 9 or less, pinned on 9: 26/36 and
/// 4/36. 10 and 11 break it (5/36). 12 (12 - 9 = 3, no ELR failure) wounds it, mortally on 1/3.
#[test]
fn ld_1_lone_leader_does_not_use_its_own_drm() {
    let odds = "good-order 9-1: 13/18, pinned 9-1: 1/9, broken 9-1: 5/36, broken 9-1 wounded: 1/54, eliminated: 1/108";
    assert_ends(&check("german:9-1", 0), 1, odds);
}

/// 10.2, 10.22, LD-2: the 10-2 checks first, unaided, with P = 10. If it stays unbroken and
/// unpinned, the 9-1 passes on 11 or less.
#[test]
fn ld_2_better_leader_helps_unless_pinned_or_broken() {
    assert_traces(
        &check("german:9-1 + german:10-2", 0),
        "
            # 9 or less: 30/36; then 10 or less passes clean (33/36), 11 pins (2/36).
            4,5 5,5     | 10.1 30/36, 10.1 33/36            | good-order 9-1, good-order 10-2
            4,5 5,6     | 10.1 30/36, 10.1 2/36             | pinned 9-1, good-order 10-2
            # Pinned on 10 (3/36): no help; the 9-1 breaks on 10 and 11 (5/36). Its LLTC does not
            # affect the higher 10-2.
            5,5 5,5     | 10.1 3/36, 10.1 5/36              | broken 9-1, pinned 10-2
            # Broken on 11 (2/36): no help; clean on 8 or less (26/36); LLTC at +2: 7 or less passes.
            5,6 4,4 3,4 | 10.1 2/36, 10.1 26/36, 10.2 21/36 | good-order 9-1, broken 10-2
            5,6 4,4 4,4 | 10.1 2/36, 10.1 26/36, 10.2 15/36 | pinned 9-1, broken 10-2
        ",
    );
}

/// LD-2 in exact odds. The 9-1 ends in Good Order on 30/36 x 33/36 beside an unpinned 10-2, and on
/// 3/36 x 26/36 beside a pinned one. If the 10-2 breaks or dies (11 and 12: 3/36), it is 26/36 x
/// 21/36, since LLTC and LLMC (which never pins) are both passed on 7 or less. (990 + 78) / 1296 +
/// 1638 / 46656 = 2227/2592.
#[test]
fn ld_2_has_the_exact_odds_worked_by_hand() {
    let question = check("german:9-1 + german:10-2", 0);
    assert_ends(&question, 1, "good-order 9-1: 2227/2592");
    assert_ends(&question, 2, "good-order 10-2: 5/6, pinned 10-2: 1/12");
}

/// 10.22, LD-3: a 9-2 has the ML of a 9-1. Neither helps the other, each passes on 9 or less (26/36
/// clean, 4/36 pinned), and neither loss affects the other.
#[test]
fn ld_3_equal_leader_does_not_help() {
    let question = check("german:9-2 + german:9-1", 0);
    assert_traces(
        &question,
        "
            4,4 4,5   | 10.1 26/36, 10.1 4/36            | good-order 9-2, pinned 9-1
            4,4 5,5   | 10.1 26/36, 10.1 5/36            | good-order 9-2, broken 9-1
            6,6 6 4,4 | 10.1 1/36, 17.11 2/6, 10.1 26/36 | eliminated, good-order 9-1
        ",
    );
    assert_ends(&question, 1, "good-order 9-2: 13/18, pinned 9-2: 1/9");
    assert_ends(&question, 2, "good-order 9-1: 13/18, pinned 9-1: 1/9");
}

/// Stratified estimates are within six standard errors of the exact odds, and these errors do not
/// exceed those of plain sampling. Outcomes that the first roll decides have no error, and threads
/// have no effect.
#[test]
fn stratified_estimates_are_at_least_as_close_as_plain_ones() {
    use lowcrawl::engine::stratified;
    let question =
        ask(QuestionKind::Rally, "stack=german:4-6-7/dm; leader=8-1; terrain=woods; phases=3");
    let process = question.whole();
    let exact = exact::odds(&process, Bound::STANDARD).unwrap().chances;
    for rolls in 1..=2 {
        let plan = Plan { threads: Some(1), ..Plan::new(100_000, 36) };
        let estimates = stratified::run(&process, &plan, rolls).unwrap();
        assert_eq!(
            estimates,
            stratified::run(&process, &Plan { threads: Some(2), ..plan }, rolls).unwrap()
        );
        for (point, outcome, estimate) in &estimates {
            let chance = exact
                .iter()
                .find(|chance| (chance.point, &chance.outcome) == (*point, outcome))
                .unwrap();
            assert_eq!(estimate.trials, stratified::rounded_trials(Base::Dr, 100_000, rolls));
            let share = estimate.estimate();
            let error = (share - chance.probability).abs();
            assert!(
                error <= 6.0 * estimate.std_error() + 1e-12,
                "{outcome:?}: {share} instead of {}",
                chance.probability
            );
            let plain =
                (chance.probability * (1.0 - chance.probability) / estimate.trials as f64).sqrt();
            assert!(
                estimate.std_error() <= plain * 1.1,
                "{outcome:?}: {} against {plain}",
                estimate.std_error()
            );
            // The first Rally attempt is one DR.
            if *point == 1 {
                assert_eq!((estimate.std_error(), share), (0.0, chance.probability), "{outcome:?}");
            }
        }
    }
    assert_eq!(stratified::rounded_trials(Base::Dr, 1, 2), 2 * 1296);
    assert_eq!(stratified::rounded_trials(Base::Dr, 1297 * 3, 2), 4 * 1296);
}
