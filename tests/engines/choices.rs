//! Tests of decisions in a Rally Phase (10.6, 10.62, 18.11): small examples, comparison with all
//! policies, and simulation.

use std::collections::BTreeMap;

use crate::common::{ask, flipped};
use crate::fit::chi_squared;
use lowcrawl::asl::choice::{Choice, Choices};
use lowcrawl::asl::outcome::{Outcome, UnitOutcome};
use lowcrawl::asl::question::{Question, QuestionKind};
use lowcrawl::asl::rulebook::Rulebook;
use lowcrawl::asl::stack_process::{StackProcess, StackState, StackTerms};
use lowcrawl::asl::unit::Status;
use lowcrawl::course::stack::{POLICIES, RallyPolicy};
use lowcrawl::dice::Dr;
use lowcrawl::engine::exact::{self, Bound, Fraction};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::engine::solve::{Solution, SolvedPolicy, ValueVector};
use lowcrawl::process::{
    Decisions, Due, Event, Listener, Player, Process, Question as _, ReportIndex, Silent,
    WithPolicy,
};

/// Stacks to rally, each with its number of phases and the phases that are the owner's.
const STACKS: [(&str, i64, &str); 40] = [
    ("german:4-6-7/broken", 1, "odd"),
    ("german:4-6-7/broken", 3, "odd"),
    ("german:4-6-7/broken,dm", 3, "even"),
    ("german:8-1/broken", 3, "never"),
    ("german:8-1/broken,dm", 2, "odd"),
    ("german:8-1/broken + german:4-6-7/broken", 1, "odd"),
    ("german:8-1/broken + german:4-6-7/broken", 3, "odd"),
    ("german:8-1/broken,dm + german:4-6-7/broken,dm", 3, "even"),
    ("german:8-1/broken + german:4-6-7/broken + german:4-6-7/broken", 2, "odd"),
    ("german:4-6-7/broken + german:4-6-7/broken,dm + german:4-6-7/broken", 2, "odd"),
    ("german:4-6-7/broken + german:4-4-7/broken + german:2-2-8/broken", 2, "odd"),
    ("german:2-2-8/broken", 3, "odd"),
    ("german:2-2-8/broken + german:9-1/broken", 2, "even"),
    ("german:8-1/broken + german:9-1/broken", 2, "odd"),
    ("german:8-1/broken,wounded + german:9-2/broken,dm + german:4-6-7/broken", 2, "odd"),
    ("german:6+1/broken + german:4-3-6/broken", 2, "odd"),
    ("german:8-1 + german:4-6-7/broken", 2, "odd"),
    ("german:8-1 + german:4-6-7/broken,dm + german:4-6-7/broken", 2, "odd"),
    ("german:8-1 + german:8-0/broken + german:4-6-7/broken,dm", 2, "odd"),
    ("german:6+1 + german:4-6-7/broken + german:4-4-7/broken,disrupted", 2, "odd"),
    ("german:4-6-7/broken,disrupted + german:8-0/broken", 2, "odd"),
    ("german:4-6-7/broken,fanatic + german:7-0/broken", 2, "odd"),
    ("german:4-6-7/broken,encircled + german:7-0/broken", 2, "odd"),
    ("german-ss:6-5-8/broken + german-ss:9-1/broken", 2, "odd"),
    ("russian:4-4-7/broken + russian:8-0/broken", 2, "odd"),
    ("russian:4-2-6/broken + russian:4-2-6/broken", 2, "odd"),
    ("russian:6-2-8:e/broken + russian:7-0/broken,dm", 2, "even"),
    ("commissar:9-0 + russian:4-4-7/broken,dm", 2, "odd"),
    ("commissar:9-0/broken + russian:4-4-7/broken", 2, "odd"),
    ("commissar:9-0/broken,dm + russian:4-4-7/broken + russian:8-0/broken", 2, "odd"),
    ("commissar:10-0 + russian:8-1/broken + russian:4-4-7/broken", 2, "even"),
    ("commissar:9-0/broken + commissar:10-0/broken", 2, "odd"),
    ("american:6-6-6/broken + american:8-1/broken", 2, "odd"),
    ("american:6-6-6/broken,dm + american:7-0/broken,dm", 2, "odd"),
    ("british:4-5-7/broken + british:8-0/broken", 2, "odd"),
    ("finnish:6-4-8/broken + finnish:4-4-7/broken", 2, "odd"),
    ("finnish:6-4-8/broken,dm + finnish:8-0/broken", 2, "never"),
    ("italian:3-4-7/broken + italian:8-0/broken", 2, "odd"),
    ("hero + german:4-6-7/broken + german:8-0/broken", 2, "odd"),
    ("german:9-2/berserk + german:4-6-7/broken + german:8-0/broken", 2, "odd"),
];

/// Builds a question about Rally Phases of a stack.
fn rally(stack: &str, phases: i64, own: &str, heat: bool) -> Question {
    ask(QuestionKind::Rally, &format!("stack={stack}; phases={phases}; own-rph={own}; hob={heat}"))
}

/// 10.6, 10.62: with every choice left to the owner, the first options equal the reference order,
/// to the fraction.
#[test]
fn first_options_equal_the_reference_order() {
    for heat in [false, true] {
        for (stack, phases, own) in STACKS {
            for enemy_adjacent in [false, true] {
                let phases = phases.min(if heat { 2 } else { 3 });
                let place = format!("enemy-adjacent={enemy_adjacent}; own-rph={own}");
                let fields = format!("stack={stack}; phases={phases}; hob={heat}; {place}");
                let question = ask(QuestionKind::Rally, &fields);
                let plain = exact::odds(&question.whole(), Bound::STANDARD).unwrap();
                let process = question.with_choices(Choices::ALL).whole();
                let played = exact::odds(
                    &WithPolicy::new(process, on_stack(policy("reference"))),
                    Bound::STANDARD,
                )
                .unwrap();
                assert_eq!(plain.chances, played.chances, "{stack}");
            }
        }
    }
}

/// Returns the process of a question with every choice open, and its start state.
fn begin(question: &Question) -> (StackProcess, StackState) {
    let process = question.with_choices(Choices::ALL).whole();
    let location = process.start(&mut Silent);
    (process, location)
}

/// Rolls a DR with the total `original`, which must be due.
fn roll(process: &StackProcess, location: &mut StackState, original: u8) {
    let Due::Roll(dice, terms) = process.due(location) else { panic!("no roll is due") };
    let face = dice.all().find(|&face| Dr::from_face(face).total() == original).unwrap();
    let reading = process.read(&terms, face);
    process.apply(location, reading, &mut Silent);
}

/// 10.6, 10.62, 18.11: the options are in reference order, then stack order.
/// Equal units have one option. The last option is that no unit tries. The end of the phase asks
/// about DM.
#[test]
fn options_are_listed_in_reference_then_stack_order() {
    let stack = "german:4-6-7/broken,dm + german:8-1/broken,dm + german:4-6-7/broken,dm";
    let (process, mut location) = begin(&rally(stack, 2, "odd", false));
    assert_eq!(
        process.decision(&location),
        "Rally Phase 1: 4-6-7/broken,dm [1], 8-1/broken,dm [2], 4-6-7/broken,dm [3]"
    );
    let options =
        ["8-1 [2] tries to rally", "4-6-7 [1] tries to rally", "no other unit tries to rally"];
    assert_eq!(process.options(&location), options);
    let mut log: Vec<Event> = Vec::new();
    process.choose(&mut location, 1, &mut Listener::appending(&mut log));
    assert_eq!(log, [Event { rule: "10.6", text: "4-6-7 [1] tries to rally".to_string() }]);
    // With +5 against 7 it fails; the other squad can no longer be the first.
    roll(&process, &mut location, 7);
    assert_eq!(
        process.decision(&location),
        "Rally Phase 1: 4-6-7/broken,dm [1] (has tried), 8-1/broken,dm [2], 4-6-7/broken,dm [3]"
    );
    assert_eq!(
        process.options(&location),
        ["8-1 [2] tries to rally", "no other unit tries to rally"]
    );
    log.clear();
    process.choose(&mut location, 1, &mut Listener::appending(&mut log));
    assert_eq!(log, [Event { rule: "10.6", text: "no other unit tries to rally".to_string() }]);
    assert_eq!(
        process.decision(&location),
        "end of Rally Phase 1: 4-6-7/broken,dm [1] (has tried), 8-1/broken,dm [2], 4-6-7/broken,dm [3]"
    );
    assert_eq!(process.options(&location), ["DM is removed", "DM is kept"]);
    log.clear();
    process.choose(&mut location, 1, &mut Listener::appending(&mut log));
    assert_eq!(log, [Event { rule: "10.62", text: "DM is kept".to_string() }]);
    assert_eq!(process.due(&location), Due::Report(1));
    process.pass(&mut location, &mut Silent);
    assert_eq!(
        process.decision(&location),
        "Rally Phase 2: 4-6-7/broken,dm [1], 8-1/broken,dm [2], 4-6-7/broken,dm [3]"
    );
}

/// Returns a reward function: the number of units in Good Order at the last report.
fn in_good_order(
    process: &StackProcess,
) -> impl Fn(ReportIndex, &Outcome) -> ValueVector<1> + use<> {
    let last = process.last_point();
    let up = |unit: &&UnitOutcome| matches!(unit.status, Status::GoodOrder | Status::Rallied);
    move |point, outcome| match outcome {
        _ if Some(point) != last => [0.0],
        Outcome::Unit(unit) => [f64::from(u8::from(up(&unit)))],
        Outcome::Stack { units, .. } => [units.iter().filter(up).count() as f64],
        Outcome::Calls(_) => [0.0],
    }
}

/// Returns the best expected reward under `gain`, and the policy that reaches it.
fn best<const N: usize>(
    process: &StackProcess,
    gain: impl Fn(ReportIndex, &Outcome) -> ValueVector<N>,
) -> (ValueVector<N>, SolvedPolicy<StackState>) {
    let mut solution = Solution::new(process, gain, 1 << 20);
    let worth = solution.worth(&process.start(&mut Silent)).unwrap();
    (worth, solution.into_play())
}

/// Returns the expected number of units in Good Order after the last phase under a policy.
fn worth_under(
    process: &StackProcess,
    policy: impl Fn(&StackProcess, &StackState, Player, usize) -> usize + Send + Sync,
) -> f64 {
    let gain = in_good_order(process);
    let odds = exact::odds(&WithPolicy::new(process.clone(), policy), Bound::STANDARD).unwrap();
    odds.chances
        .iter()
        .map(|chance| chance.probability * gain(chance.point, &chance.outcome)[0])
        .sum()
}

fn best_worth(process: &StackProcess) -> f64 {
    best(process, in_good_order(process)).0[0]
}

/// 10.6, 10.62, 18.11: no named policy beats the best play, whose odds equal its stated value.
#[test]
fn no_policy_beats_the_best_play() {
    for heat in [false, true] {
        for (stack, phases, own) in STACKS {
            let process = rally(stack, if heat { phases.min(2) } else { phases }, own, heat)
                .with_choices(Choices::ALL)
                .whole();
            let (worth, play) = best(&process, in_good_order(&process));
            let played = worth_under(&process, |_, location, _, _| play.best(location));
            assert!((worth[0] - played).abs() < 1e-12, "{stack}: {} is not {played}", worth[0]);
            for (name, _, policy) in POLICIES {
                let played = worth_under(&process, on_stack(policy));
                assert!(
                    played < worth[0] + 1e-12,
                    "{stack}: {name} has {played}, more than {}",
                    worth[0]
                );
            }
        }
    }
}

/// Returns the best value, by plain recursion over every option and every roll.
fn value_by_recursion(process: &StackProcess, location: &StackState) -> f64 {
    let gain = in_good_order(process);
    let mut next = location.clone();
    match process.due(location) {
        Due::Over => 0.0,
        Due::Report(point) => {
            let mut sum = 0.0;
            process.report(location, &mut |outcome| sum += gain(point, &outcome)[0]);
            process.pass(&mut next, &mut Silent);
            sum + value_by_recursion(process, &next)
        }
        Due::Roll(dice, terms) => {
            let after = |(face, faces): (_, u8)| {
                let mut next = location.clone();
                process.apply(&mut next, process.read(&terms, face), &mut Silent);
                f64::from(faces) / f64::from(dice.faces()) * value_by_recursion(process, &next)
            };
            dice.distinct().map(after).sum()
        }
        Due::Choice { options, .. } => {
            let after = |option| {
                let mut next = location.clone();
                process.choose(&mut next, option, &mut Silent);
                value_by_recursion(process, &next)
            };
            (0..options).map(after).fold(f64::NEG_INFINITY, f64::max)
        }
    }
}

/// 10.6, 10.62, A25.22: the value of the best play equals that of a plain recursion over all
/// options.
#[test]
fn best_play_equals_recursion_over_all_options() {
    for (stack, phases) in [
        ("german:4-6-7/broken,dm", 2),
        ("german:6+1/broken + german:4-6-7/broken", 1),
        ("german:8-1/broken + german:4-6-7/broken,dm", 1),
        ("german:6+1 + german:4-3-6/broken,dm", 2),
        ("german:2-2-8/broken,dm + german:7-0/broken", 1),
        ("commissar:9-0/broken + russian:4-4-7/broken", 1),
        ("german:4-6-7/broken + german:4-6-7/broken", 1),
    ] {
        for heat in [false, true] {
            let process = rally(stack, phases, "odd", heat).with_choices(Choices::ALL).whole();
            let (naive, solved) =
                (value_by_recursion(&process, &process.start(&mut Silent)), best_worth(&process));
            assert!((naive - solved).abs() < 1e-12, "{stack}: {naive} is not {solved}");
        }
    }
}

/// Returns every state in which a choice can be due, with the number of its options.
fn decisions(process: &StackProcess) -> Vec<(StackState, usize)> {
    let (mut found, mut waiting): (Vec<(StackState, usize)>, _) =
        (Vec::new(), vec![process.start(&mut Silent)]);
    while let Some(location) = waiting.pop() {
        match process.due(&location) {
            Due::Over => {}
            Due::Report(_) => {
                let mut next = location;
                process.pass(&mut next, &mut Silent);
                waiting.push(next);
            }
            Due::Roll(dice, terms) => waiting.extend(dice.distinct().map(|(face, _)| {
                let mut next = location.clone();
                process.apply(&mut next, process.read(&terms, face), &mut Silent);
                next
            })),
            Due::Choice { options, .. } if !found.iter().any(|(known, _)| *known == location) => {
                waiting.extend(process.followers(&location, options));
                found.push((location, options));
            }
            Due::Choice { .. } => {}
        }
    }
    found
}

/// 10.6, 10.62, 18.11: the best play is the best of all possible policies.
#[test]
fn best_play_equals_the_best_of_all_policies() {
    for (stack, phases, most) in [
        ("german:6+1/broken + german:4-6-7/broken", 1, 20_000),
        ("german:6+1 + german:4-3-6/broken,dm", 2, 20_000),
        ("german:4-6-7/broken,dm", 2, 20_000),
    ] {
        let process = rally(stack, phases, "odd", false).with_choices(Choices::ALL).whole();
        let decisions = decisions(&process);
        let policies: usize = decisions.iter().map(|(_, options)| options).product();
        assert!((2..most).contains(&policies), "{stack}: {policies} policies");
        let worth = |number: usize| {
            worth_under(&process, |_, location, _, _| {
                let mut rest = number;
                for (known, options) in &decisions {
                    if known == location {
                        return rest % options;
                    }
                    rest /= options;
                }
                unreachable!("a state that was not found")
            })
        };
        let all = (0..policies).map(worth).fold(f64::NEG_INFINITY, f64::max);
        assert!((all - best_worth(&process)).abs() < 1e-12, "{stack}: {all} of {policies}");
    }
}

/// Returns the policy with this name.
fn policy(name: &str) -> RallyPolicy {
    POLICIES.iter().find(|(known, ..)| *known == name).unwrap().2
}

/// Returns a policy of an engagement as one of the process around it.
fn on_stack(
    policy: RallyPolicy,
) -> impl Fn(&StackProcess, &StackState, Player, usize) -> usize + Send + Sync {
    move |process, location, player, options| policy(process, location, player, options)
}

/// Returns the exact expected number of units in Good Order after the last phase under a policy,
/// without Heat of Battle.
fn exact_worth(question: &Question, policy: RallyPolicy) -> Fraction {
    let process = question.with_choices(Choices::ALL).whole();
    let gain = in_good_order(&process);
    let odds = exact::odds(&WithPolicy::new(process, on_stack(policy)), Bound::STANDARD).unwrap();
    let up = odds.chances.iter().filter(|chance| gain(chance.point, &chance.outcome)[0] > 0.0);
    up.fold(Fraction::new(0, 1), |sum, chance| sum.checked_add(chance.fraction.unwrap()).unwrap())
}

/// Returns the first decision of the best play, without Heat of Battle.
fn best_first(question: &Question) -> String {
    let (process, location) = begin(question);
    let (_, play) = best(&process, in_good_order(&process));
    process.options(&location)[play.best(&location)].clone()
}

/// 18.11, 10.6, 10.71: the better first try is that of a broken 7-0, but not that of a 6+1. The
/// other unit is a 4-6-7 beside it, in the owner's RPh, without DM.
///
/// 4-6-7 (broken ML 7), first MMC: Self-Rally on 6 or less, 15/36. A 2 (1/36) also makes a leader,
/// whatever the dr (18.2: -1 German, +1 broken): 8-1 on 1, 8-0 or 7-0 on 2 to 5, 6+1 on 6. Neither
/// leader here has a higher ML than the squad, so its death does not affect the squad (10.2).
///
/// 7-0, on 6 or less (15/36). If it goes first, it leads the squad to 7 or less (21/36), or else
/// the squad has its 16/36: 15/36 + 15/36 * 21/36 + 21/36 * 16/36 = 1191/1296. If it goes second,
/// it tries alone, or led to 8, 7, 7 or 6 or less: 16/36 + 35/36 * 15/36 + 1/36 * (26 + 4 * 21 +
/// 15)/216. From this 1/36 * 1/6 * 1/36 * 2/6 * 21/36 is lost for a new 6+1 that breaks when the
/// 7-0 meets Fate and dies (10.64, 17.11, 10.2). The result, 242309/279936, is less.
///
/// 6+1, on 5 or less (10/36). If it goes first, it leads the squad to 6 or less (15/36), no better
/// than alone, and no leader appears: 10/36 + 10/36 * 15/36 + 26/36 * 16/36 = 463/648. If it goes
/// second, alone, or led to 7, 6, 6 or 5 or less: 16/36 + 35/36 * 10/36 + 1/36 * (21 + 4 * 15 +
/// 10)/216 = 5647/7776, which is more.
#[test]
fn leader_7_0_tries_before_the_squad_and_6_plus_1_after_it() {
    for (leader, leader_before, squad_before) in [
        ("7-0", Fraction::new(1191, 1296), Fraction::new(242_309, 279_936)),
        ("6+1", Fraction::new(463, 648), Fraction::new(5647, 7776)),
    ] {
        let question =
            rally(&format!("german:{leader}/broken + german:4-6-7/broken"), 1, "odd", false);
        assert_eq!(exact_worth(&question, policy("reference")), leader_before);
        assert_eq!(exact_worth(&question, policy("leaders-first")), leader_before);
        assert_eq!(exact_worth(&question, policy("mmc-first")), squad_before);
        let better =
            if leader_before.to_f64() > squad_before.to_f64() { "7-0 [1]" } else { "4-6-7 [2]" };
        assert_eq!(best_first(&question), format!("{better} tries to rally"));
    }
}

/// 18.11: only the first of two squads may try, so the better one should be first, in any
/// stack order. 4-6-8 (broken ML 8): 7 or less, 21/36, and a leader on a 2 (-1 German, -1 for the
/// ML, +1: 8-1 on 1 and 2, then 8-0 or 7-0). That leads the 4-4-7 (broken ML 7) to 8 or 7 or less:
/// 22/36 + 1/36 * (2 * 26 + 4 * 21)/216.
#[test]
fn better_of_two_squads_tries_first() {
    let question = rally("german:4-4-7/broken + german:4-6-8/broken", 1, "odd", false);
    assert_eq!(best_first(&question), "4-6-8 [2] tries to rally");
    let (process, _) = begin(&question);
    assert!((best_worth(&process) - Fraction::new(4888, 7776).to_f64()).abs() < 1e-12);
    assert!(exact_worth(&question, policy("mmc-first")).to_f64() < best_worth(&process));
}

/// I-20, 18.11: if leaders may not try before the first MMC, the reference order lets the MMC go
/// first. An owner that lets the leader try anyway gives up that chance. The 6+1 rallies on 10/36,
/// then leads the 4-6-7 on 15/36: 10/36 + 10/36 * 15/36.
#[test]
fn leader_that_tries_first_forfeits_the_mmc_try_under_i20() {
    let question = rally("german:6+1/broken + german:4-6-7/broken", 1, "odd", false);
    let question = flipped(&question, Rulebook::find("i20").unwrap().switch);
    assert_eq!(exact_worth(&question, policy("reference")), Fraction::new(5647, 7776));
    assert_eq!(exact_worth(&question, policy("leaders-first")), Fraction::new(510, 1296));
    assert_eq!(best_first(&question), "4-6-7 [2] tries to rally");
}

/// 10.6, 10.64: under DM a 4-3-6 (broken ML 5) beside a 6+1 would need 0 or less, so a try can only
/// meet Fate (1/36). Left alone it rallies in the next phase on 4 or less, 6/36; as a 2-3-6 (broken
/// ML 4) on 3 or less, 3/36. The 6+1 is unbroken throughout.
#[test]
fn hopeless_unit_is_better_left_alone() {
    let question = rally("german:6+1 + german:4-3-6/broken,dm", 2, "never", false);
    assert_eq!(best_first(&question), "no other unit tries to rally");
    // 1 + 6/36, against 1 + 35/36 * 6/36 + 1/36 * 3/36.
    assert_eq!(exact_worth(&question, policy("hopeful")), Fraction::new(7, 6));
    assert_eq!(exact_worth(&question, policy("reference")), Fraction::new(1509, 1296));
    assert!((best_worth(&begin(&question).0) - 7.0 / 6.0).abs() < 1e-12);
    let (process, location) = begin(&question);
    assert!(process.candidate(&location, 1).is_hopeless());
    // With Heat of Battle an Original 2 gives it a chance (15.1).
    let (process, location) =
        begin(&rally("german:6+1 + german:4-3-6/broken,dm", 2, "never", true));
    assert!(!process.candidate(&location, 1).is_hopeless());
}

/// A25.22: a Commissar must try to rally every broken unit with it. Only the order is the owner's
/// choice; the last unit is no choice.
#[test]
fn commissar_leaves_only_the_order_to_the_owner() {
    let (process, mut location) =
        begin(&rally("commissar:9-0 + russian:4-4-7/broken + russian:8-0/broken", 1, "odd", false));
    assert_eq!(process.options(&location), ["8-0 [3] tries to rally", "4-4-7 [2] tries to rally"]);
    process.choose(&mut location, 1, &mut Silent);
    roll(&process, &mut location, 11);
    assert!(matches!(process.due(&location), Due::Roll(..)), "the 8-0 has to");
    // A Commissar outside the stack also lends its presence.
    let fields = "stack=russian:4-4-7/broken; leader=commissar:9-0; phases=1";
    let (process, location) = begin(&ask(QuestionKind::Rally, fields));
    assert!(matches!(process.due(&location), Due::Roll(..)), "the 4-4-7 has to");
}

/// A25.22: a broken Commissar must Self-Rally. If it fails, the other units may choose; if it
/// rallies, they must try.
#[test]
fn others_may_choose_if_a_broken_commissar_fails() {
    let question =
        rally("commissar:9-0/broken + russian:8-0/broken + russian:4-4-7/broken", 1, "odd", false);
    for (original, nobody) in [(9, true), (8, false)] {
        let (process, mut location) = begin(&question);
        let all = ["9-0 [1] tries to rally", "8-0 [2] tries to rally", "4-4-7 [3] tries to rally"];
        assert_eq!(process.options(&location), all);
        process.choose(&mut location, 0, &mut Silent);
        // On 8 or less with +1 against 9.
        roll(&process, &mut location, original);
        let has_nobody = process.choices_at(&location).contains(&Choice::NobodyElse);
        assert_eq!(
            (process.choices_at(&location).len(), has_nobody),
            (2 + usize::from(nobody), nobody)
        );
    }
}

/// 10.6: without a leader and outside its own RPh a squad has nothing to choose.
#[test]
fn squad_without_leader_has_no_choice_in_the_enemys_rph() {
    let (process, location) = begin(&rally("german:4-6-7/broken", 1, "never", false));
    assert_eq!(process.due(&location), Due::Report(1));
}

/// Returns what is due first in a Rally Phase in which no unit can attempt to rally.
fn first_due(fields: &str, switch: Option<&str>) -> Due<StackTerms> {
    let fields = format!("stack=german:4-6-7/broken,dm; phases=1; own-rph=never; {fields}");
    let question = ask(QuestionKind::Rally, &fields);
    let flipped = switch.map(|switch| flipped(&question, Rulebook::find(switch).unwrap().switch));
    let process =
        flipped.unwrap_or(question).with_choices(Choices { rally: false, dm: true }).whole();
    process.due(&process.start(&mut Silent))
}

/// 10.62, I-28: DM may be kept in the open. It may not in woods, nor if the question keeps it
/// anyway. ADJACENT to an armed enemy it may only if it does not return at once.
#[test]
fn dm_may_be_kept_only_in_the_open_away_from_the_enemy() {
    let choice = Due::Choice { player: Player::Owner, options: 2 };
    assert_eq!(first_due("", None), choice);
    assert_eq!(first_due("terrain=woods", None), Due::Report(1));
    assert_eq!(first_due("keep-dm", None), Due::Report(1));
    assert_eq!(first_due("enemy-adjacent", None), Due::Report(1));
    assert_eq!(first_due("enemy-adjacent", Some("i28")), choice);
    assert_eq!(first_due("stack=german:4-6-7/broken", None), Due::Report(1));
}

/// 10.62: DM that is kept applies in the next phase. 4-6-7 alone, own RPh in even phases: with +1
/// on 6 or less, 15/36; with +5 only on a 2, 1/36. In both cases the 2 makes a leader (18.11).
#[test]
fn kept_dm_applies_in_the_next_phase() {
    let question = rally("german:4-6-7/broken,dm", 2, "even", false);
    assert_eq!(exact_worth(&question, policy("reference")), Fraction::new(16, 36));
    assert_eq!(exact_worth(&question, policy("keep-dm")), Fraction::new(2, 36));
}

/// 10.6, 18.11: a simulation of the best play agrees with its exact odds and its value.
#[test]
fn dice_agree_with_the_best_play() {
    for (heat, seed) in [(false, 1), (true, 2)] {
        let stack = "german:6+1/broken + german:4-6-7/broken,dm + german:4-6-8/broken";
        let fields = format!("stack={stack}; phases=2; hob={heat}; joint");
        let process = ask(QuestionKind::Rally, &fields).with_choices(Choices::ALL).whole();
        let (worth, play) = best(&process, in_good_order(&process));
        let gain = in_good_order(&process);
        let under = WithPolicy::new(process, |_: &StackProcess, location: &StackState, _, _| {
            play.best(location)
        });
        let run =
            Simulator::new(&under, Monitor::NONE).unwrap().run(&Plan::new(300_000, seed)).unwrap();
        let mut counts: BTreeMap<_, u64> = run
            .counts
            .into_iter()
            .map(|(point, outcome, count)| ((point, outcome), count))
            .collect();
        let mut phases: BTreeMap<ReportIndex, (Vec<u64>, Vec<f64>)> = BTreeMap::new();
        let mut expected_worth = 0.0;
        for chance in exact::odds(&under, Bound::STANDARD).unwrap().chances {
            expected_worth += chance.probability * gain(chance.point, &chance.outcome)[0];
            let (observed, expected) = phases.entry(chance.point).or_default();
            expected.push(chance.probability);
            observed.push(counts.remove(&(chance.point, chance.outcome)).unwrap_or(0));
        }
        assert!(counts.is_empty() && phases.len() == 2, "impossible outcomes: {counts:?}");
        assert!((expected_worth - worth[0]).abs() < 1e-12);
        for (observed, expected) in phases.values() {
            assert!(chi_squared(observed, expected).unwrap().p_value > 1e-4);
        }
    }
}
