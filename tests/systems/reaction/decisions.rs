//! Decisions of the players: options, policies, the best play.

use lowcrawl::engine::solve::{EQUAL, Solution};
use lowcrawl::process::{Decisions, Due, Player, Process, Silent};

use super::*;

/// Returns the process of a question, and its state at the first choice.
fn first_choice(question: &Question) -> (Exchange, Battlefield) {
    let process = question.whole();
    let state = process.start(&mut Silent);
    assert!(matches!(process.due(&state), Due::Choice { .. }), "{}", question.texts().in_words);
    (process, state)
}

/// Returns the value of a measure under best play of both sides.
fn best(question: &Question, measure: &str) -> f64 {
    let place = Reaction.measures().iter().position(|known| known.name == measure).unwrap();
    let weight = Reaction.measures()[place].weight;
    let process = question.whole();
    let gain = |point, outcome: &Outcome| {
        [question.ending(point, outcome).map_or(0.0, |(_, amounts)| weight * amounts[place])]
    };
    let mut solution = Solution::new(&process, gain, 1 << 20);
    solution.worth(&process.start(&mut Silent)).unwrap()[0]
}

fn worth(question: &Question, measure: &str, policy: usize) -> f64 {
    let place = Reaction.measures().iter().position(|known| known.name == measure).unwrap();
    let weight = Reaction.measures()[place].weight;
    let odds = exact::odds(&played(question, policy), Bound::STANDARD).unwrap();
    let amount = |chance: &exact::Chance<Outcome>| {
        question.ending(chance.point, &chance.outcome).map_or(0.0, |(_, all)| all[place])
    };
    odds.chances.iter().map(|chance| weight * chance.probability * amount(chance)).sum()
}

/// Orders: the suppression of each unit, every group that can be rallied, or nothing more.
#[test]
fn command_dice_are_offered_for_rally_and_suppression() {
    let question =
        ask("rally", "units=unit/dp=1,suppressed + unit/dp=2 + unit/dp=1 + unit; orders=3");
    let (process, state) = first_choice(&question);
    let expected = [
        ("unsuppress", "remove the suppression of unit [1]"),
        ("rally", "rally unit [2], unit [3]"),
        ("rally", "rally unit [3]"),
        ("rally", "rally unit [2]"),
        ("elsewhere", "nothing more here"),
    ];
    assert_eq!(process.kinds(&state), expected.map(|(kind, _)| kind));
    assert_eq!(process.options(&state), expected.map(|(_, words)| words));
    let words = "own side, 3 Command Dice or Staff Orders: unit/dp=1,suppressed [1], unit/dp=2 [2], unit/dp=1 [3], unit [4]";
    assert_eq!(process.decision(&state), words);
    assert_eq!(process.due(&state), Due::Choice { player: Player::Owner, options: 5 });
}

/// Rally: the owner chooses the units whose points are removed, unless all points are.
#[test]
fn owner_allocates_removed_disruption_points() {
    let question = ask("rally", "units=unit/dp=2 + unit/dp=1; orders=1; turns=1");
    let (process, mut state) = first_choice(&question);
    process.choose(&mut state, 0, &mut Silent);
    // A 4 and three 1s are one success.
    for pips in [4, 1, 1, 1] {
        let Due::Roll(_, terms) = process.due(&state) else { panic!("four dice") };
        let reading = process.read(&terms, lowcrawl::dice::Dice::One.face(pips).unwrap());
        process.apply(&mut state, reading, &mut Silent);
    }
    assert_eq!(
        process.options(&state),
        ["remove a Disruption Point of unit [1]", "remove a Disruption Point of unit [2]"]
    );
    // The default policy relieves the unit nearest to dispersal.
    assert_eq!(question.option(0, &process, &state, Player::Owner, 2), 0);
    // Four dice and three points to remove: the number of successes decides the points that are
    // left.
    let left = chance(&odds(&question), |ends| unit_end(ends, 1) == Some((Status::Ready, 0, 0)));
    // With one success unit 1 is relieved, with two unit 1 again or 2 (equal: the first), with
    // three both: 5/16.
    assert_eq!(left.to_string(), "5/16");
}

/// Every policy is a way to play; the best play of either side is at least as good for it.
#[test]
fn best_play_beats_every_policy() {
    let fields = "target=unit/reaction=2,dp=1; dice=3; volleys=3; orders=2";
    let question = ask("volleys", &format!("{fields}; wild=2"));
    for measure in ["survives", "may-fire", "disruption-points"] {
        let best = best(&question, measure);
        let by_policy: Vec<f64> = question
            .policies()
            .iter()
            .map(|policy| worth(&question, measure, policy.place))
            .collect();
        assert!(
            by_policy.iter().all(|&worth| worth <= best + EQUAL),
            "{measure}: {by_policy:?}, best {best}"
        );
        // Wild Dice have more value later, or after a bad roll, and no policy waits.
        assert!(
            by_policy.iter().all(|&worth| worth < best - 1e-6),
            "{measure}: {by_policy:?}, best {best}"
        );
    }
    let with = |enemy_wild| ask("volleys", &format!("{fields}; enemy-wild={enemy_wild}"));
    assert!(best(&with(1), "survives") < best(&with(0), "survives"));
    // The enemy plays against the owner: no worse than by using the dice at once.
    assert!(best(&with(1), "survives") <= worth(&with(1), "survives", 0) + EQUAL);
}

/// Orders: the decision of each policy with one die, a suppressed unit with two points and a unit
/// with one point.
#[test]
fn policies_spend_dice_as_their_names_say() {
    let question = ask("rally", "units=unit/dp=2,suppressed + unit/dp=1; orders=1; turns=1");
    let (process, state) = first_choice(&question);
    for (name, kind) in [
        ("unsuppress-then-rally", "unsuppress"),
        ("rally-then-unsuppress", "rally"),
        ("unsuppress", "unsuppress"),
        ("elsewhere", "elsewhere"),
    ] {
        let policy = policy(&question, name);
        let option = question.option(policy, &process, &state, Player::Owner, 3);
        assert_eq!(process.kinds(&state)[option], kind, "{name}");
    }
    assert_eq!(question.policies()[0].name, "unsuppress-then-rally");
    let rallied = exact::odds(
        &played(&question, policy(&question, "rally-then-unsuppress")),
        Bound::STANDARD,
    )
    .unwrap();
    // One point is removed by any success of four dice: 15/16.
    assert_eq!(
        chance(&rallied, |ends| unit_end(ends, 1) == Some((Status::Ready, 0, 0))).to_string(),
        "15/16"
    );
    let unsuppressed =
        exact::odds(&played(&question, policy(&question, "unsuppress")), Bound::STANDARD).unwrap();
    assert_eq!(
        chance(&unsuppressed, |ends| unit_end(ends, 0) == Some((Status::Ready, 2, 0))).to_string(),
        "1/1"
    );
}

/// Forced back: an owner that passes cover may meet an enemy behind it, so halting is better.
#[test]
fn halting_in_cover_avoids_the_enemy_behind_it() {
    let fields = "target=unit/reaction=0,cohesion=9,cover=6,enemy=8; dice=1; fire-tn=6";
    let question = ask("volley", fields);
    let dispersed = |name| {
        let odds =
            exact::odds(&played(&question, policy(&question, name)), Bound::STANDARD).unwrap();
        chance(&odds, |ends| {
            unit_end(ends, 0).is_some_and(|(status, ..)| status == Status::Dispersed)
        })
        .to_string()
    };
    assert_eq!(dispersed("unsuppress-then-rally"), "0/1");
    // A six on one die, then 6 + D6 inches reach 8 on 2 to 6.
    assert_eq!(dispersed("hold-fire"), "5/36");
    assert!((best(&question, "survives") - 1.0).abs() < EQUAL);
    let process = question.whole();
    let mut state = process.start(&mut Silent);
    for pips in [6, 5] {
        let Due::Roll(_, terms) = process.due(&state) else { panic!("a die") };
        let reading = process.read(&terms, lowcrawl::dice::Dice::One.face(pips).unwrap());
        process.apply(&mut state, reading, &mut Silent);
    }
    assert_eq!(process.kinds(&state), ["halt", "go-on"]);
    assert_eq!(process.options(&state), ["halt in cover", "pass the cover"]);
    assert_eq!(
        process.decision(&state),
        "own side, 9 inches or more back: unit/reaction=0,cohesion=9,dp=1,suppressed,cover=6,enemy=8"
    );
}

/// Forced back: a unit that passes the last item behind it is not in cover, whether or not inches
/// are reported. Figure: 8.95 %.
#[test]
fn unit_that_passes_cover_is_no_longer_in_cover() {
    let fields = "target=unit/reaction=3,cover=8,cohesion=9; dice=8; volleys=2";
    let dispersed = [false, true].map(|inches| {
        let question = ask("volleys", &[fields, &format!("inches={inches}")].join("; "));
        ["unsuppress-then-rally", "hold-fire"].map(|name| {
            let odds =
                exact::odds(&played(&question, policy(&question, name)), Bound::STANDARD).unwrap();
            chance(&odds, |ends| {
                unit_end(ends, 0).is_some_and(|(status, ..)| status == Status::Dispersed)
            })
            .to_f64()
        })
    });
    for (plain, with_inches) in dispersed[0].into_iter().zip(dispersed[1]) {
        assert!((plain - with_inches).abs() < EQUAL, "{dispersed:?}");
    }
    let [halts, goes_on] = dispersed[0];
    assert!((goes_on - 0.0895).abs() < 5e-5, "{goes_on}");
    assert!(halts < goes_on, "{halts} {goes_on}");
}

/// Wild Dice join before the roll, or by `wild-die-timing` once it is seen, which has more value.
/// The default policy adds them all, so its value does not change.
#[test]
fn wild_dice_have_more_value_after_the_roll() {
    let plain = "target=unit/reaction=2,cohesion=2; dice=3; volleys=2";
    let [before, after] = ["before", "after"]
        .map(|timing| ask("volleys", &format!("{plain}; wild=1; wild-die-timing={timing}")));
    assert!((worth(&before, "survives", 0) - worth(&after, "survives", 0)).abs() < EQUAL);
    assert!(best(&after, "survives") > best(&before, "survives") + 1e-6);
    let kept = policy(&before, "keep-wild-dice");
    let without = ask("volleys", plain);
    assert!((worth(&before, "survives", kept) - worth(&without, "survives", 0)).abs() < EQUAL);
    let (process, state) = first_choice(&ask("volley", "target=panther; dice=2; enemy-wild=2"));
    assert_eq!(process.due(&state), Due::Choice { player: Player::Enemy, options: 2 });
    assert_eq!(process.kinds(&state), ["add-wild-die", "keep-wild-die"]);
    assert_eq!(process.decision(&state), "enemy side, 2 dice to fire: panther");
    // A die lost by sliding stays lost: 1 die at 8 is -1, and a Wild Die makes it 0.
    let slid = ask("volley", "target=unit/reaction=0; dice=1; enemy-wild=1; fire-tn=8");
    assert_eq!(ends(&slid, 1, "ready").to_string(), "1/1");
}

/// Fire: a unit may hold its fire for a better shot; once it has fired it is marked.
#[test]
fn unit_may_hold_its_fire_for_a_better_shot() {
    let fields = "own=unit/reaction=9,at=4; enemy=unit/reaction=2,cohesion=2; 1.do=volley; 1.firer=1; \
        1.target=2; 1.range=long; 1.may-hold; 2.do=volley; 2.firer=1; 2.target=2; 2.range=close";
    let question = ask("sequence", fields);
    let (process, state) = first_choice(&question);
    assert_eq!(
        (process.kinds(&state), process.options(&state)),
        (vec!["fire", "hold-fire"], vec!["fire".to_string(), "hold fire".to_string()])
    );
    assert_eq!(
        process.decision(&state),
        "own side, fire or not: unit/reaction=9,at=4 [1], unit/reaction=2,cohesion=2 [2], Army Morale 15 to 15"
    );
    let held = worth(&question, "enemy-dispersed", policy(&question, "hold-fire"));
    assert!(held > worth(&question, "enemy-dispersed", 0));
    assert!((best(&question, "enemy-dispersed") - held).abs() < EQUAL);
    assert!(best(&question, "enemy-morale") <= -worth(&question, "enemy-morale", 0).abs() + 15.0);
}

/// Army Morale Check: a Staff Order adds a die: 5 against 3.
#[test]
fn staff_order_adds_a_die_to_an_army_morale_check() {
    let question = ask("check", "staff-order");
    let (process, state) = first_choice(&question);
    assert_eq!(process.kinds(&state), ["add-staff-order", "keep-staff-order"]);
    assert_eq!(process.decision(&state), "own side, Army Morale Check: ");
    let added = WithPolicy::new(question.whole(), |_: &Exchange, _: &Battlefield, _, _| 0);
    let passed = |ends: &[End]| matches!(ends, [End::Army { status: Status::Passed, .. }]);
    assert_eq!(
        chance(&exact::odds(&added, Bound::STANDARD).unwrap(), passed).to_string(),
        "163/256"
    );
    assert_eq!(ends(&question, 1, "passed").to_string(), "1/2");
}

#[test]
fn measures_are_taken_only_at_the_end() {
    let question = ask("volleys", "target=unit/reaction=0; dice=1; volleys=2; army");
    let end = |status, dp| Outcome::One(End::Unit { place: 0, status, dp, moved: 0, goal: None });
    assert_eq!(question.ending(1, &end(Status::Ready, 1)), None);
    assert_eq!(
        question.ending(2, &end(Status::Ready, 1)),
        Some((1, vec![1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]))
    );
    assert_eq!(
        question.ending(2, &end(Status::Suppressed, 0)),
        Some((1, vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
    );
    assert_eq!(
        question.ending(2, &end(Status::Dispersed, 0)),
        Some((1, vec![0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0]))
    );
    let army = Outcome::One(End::Army {
        side: lowcrawl::reaction::unit::Side::Own,
        status: Status::Holds,
        left: 13,
        dice_lost: 0,
    });
    assert_eq!(question.ending(2, &army), Some((2, vec![0.0, 0.0, 0.0, 13.0, 0.0, 0.0, 0.0])));
    assert_eq!((question.facts().units, ask("rally", "units=2x unit").facts().units), (1, 2));
}

/// The first policy is always offered, others only if they can make a difference. Without a
/// decision none is offered.
#[test]
fn only_policies_with_an_effect_are_offered() {
    for [kind, fields, expected] in rows(
        "
            volley  | target=unit/reaction=1; dice=2 |
            command | |
            rally   | units=2x unit |
            check   | |
            check   | staff-order | unsuppress-then-rally add-staff-orders
            rally   | units=unit/dp=2; turns=1 | unsuppress-then-rally unsuppress elsewhere
            rally   | units=unit/suppressed | unsuppress-then-rally elsewhere
            rally   | units=2x unit/suppressed; orders=2 | unsuppress-then-rally elsewhere
            rally   | units=2x unit/dp=1; orders=2 | unsuppress-then-rally unsuppress elsewhere
            rally   | units=unit/dp=2 + unit/suppressed,dp=1 | unsuppress-then-rally rally-then-unsuppress unsuppress elsewhere
            rally   | units=unit/dp=2; wild=1 | unsuppress-then-rally unsuppress elsewhere keep-wild-dice
            volley  | target=unit/reaction=1; dice=2; enemy-wild=1 | unsuppress-then-rally keep-wild-dice
            volleys | target=unit/reaction=1; dice=2; orders=1 | unsuppress-then-rally unsuppress elsewhere
            volley  | target=unit/reaction=1,cover=7,cohesion=5; dice=2 |
            volley  | target=unit/reaction=1,cover=7,cohesion=5; dice=2; inches | unsuppress-then-rally hold-fire
            volleys | target=unit/reaction=1,cover=7,cohesion=5; dice=2 | unsuppress-then-rally hold-fire
            volley  | target=unit/reaction=1,cover=7,enemy=6; dice=2; inches |
        ",
    ) {
        let question = ask(kind, fields);
        let policies = question.policies();
        let names: Vec<&str> = policies.iter().map(|policy| policy.name.as_str()).collect();
        assert_eq!(names.join(" "), expected, "{kind} {fields:?}");
        let distribution = |policy| {
            let odds = exact::odds(&played(&question, policy), Bound::STANDARD).unwrap();
            odds.chances
                .into_iter()
                .map(|row| (row.point, format!("{:?}", row.outcome), row.fraction))
                .collect::<Vec<_>>()
        };
        let by_policy: Vec<_> = policies.iter().map(|policy| distribution(policy.place)).collect();
        for (place, odds) in by_policy.iter().enumerate().skip(1) {
            assert_ne!(*odds, by_policy[0], "{kind} {fields:?}: {}", names[place]);
        }
    }
}

/// Descriptions of reachable choices differ within a stage.
#[test]
fn descriptions_of_choices_are_unique() {
    use std::collections::{HashMap, HashSet};
    let volley = "target=unit/reaction=3,cohesion=4,cover=7; dice=4; wild=1";
    let after = "wild-die-timing=after";
    let rally = "units=2x unit/dp=2; orders=2; wild=1; turns=2";
    for question in [
        ask("volley", volley),
        ask("volley", &[volley, &format!("{after}; enemy-wild=1")].join("; ")),
        ask("volley", &[volley, "dp-rule=all-if-more; high-suppression"].join("; ")),
        ask("volleys", &[volley, "volleys=2; orders=2"].join("; ")),
        ask("volleys", &[volley, "volleys=2; effects"].join("; ")),
        ask("rally", rally),
        ask("rally", &[rally, &format!("{after}; rally-opposed; rally-dice=2")].join("; ")),
        super::engines::exchange("army-morale-check"),
        super::engines::pulses(),
        super::engines::moving_units(),
    ] {
        let process = question.whole();
        let mut words: HashMap<(u32, String), Battlefield> = HashMap::new();
        let start = process.start(&mut Silent);
        let (mut seen, mut open) = (HashSet::from([start.clone()]), vec![start]);
        while let Some(state) = open.pop() {
            assert!(seen.len() < 1 << 19, "{}", question.texts().in_words);
            let nexts: Vec<Battlefield> = match process.due(&state) {
                Due::Choice { options, .. } => {
                    let description = (process.epoch(&state), process.decision(&state));
                    let other = words.insert(description.clone(), state.clone());
                    assert!(other.is_none(), "{description:?}:\n{state:?}\n{other:?}");
                    let choose = |option| {
                        let mut next = state.clone();
                        process.choose(&mut next, option, &mut Silent);
                        next
                    };
                    (0..options).map(choose).collect()
                }
                Due::Roll(dice, terms) => {
                    let roll = |face| {
                        let mut next = state.clone();
                        process.apply(&mut next, process.read(&terms, face), &mut Silent);
                        next
                    };
                    dice.all().map(roll).collect()
                }
                Due::Report(_) => {
                    let mut next = state.clone();
                    process.pass(&mut next, &mut Silent);
                    vec![next]
                }
                Due::Over => Vec::new(),
            };
            open.extend(nexts.into_iter().filter(|next| seen.insert(next.clone())));
        }
        assert!(words.len() > 1, "{}", question.texts().in_words);
    }
}
