//! Movement: units with a goal, by steps and by orders; rally or move.

use lowcrawl::process::{Decisions, Due, Listener, Player, Process, Silent};

use super::*;

/// Builds a question about a unit and steps.
fn unit_and_steps(own: &'static str, steps: &str) -> String {
    [&format!("own={own}; army=false"), steps].join("; ")
}

/// Movement: 6 inches and a D6. A goal 8 inches away is reached by 2 to 6; otherwise the rest is
/// left. Inches beyond the goal are not counted.
#[test]
fn move_reaches_the_goal_or_leaves_the_rest() {
    for (unit, dice, arrived) in [
        ("unit/goal=8", 1, "5/6"),
        ("unit/goal=12", 1, "1/6"),
        ("unit/goal=13", 1, "0/1"),
        // By the D6 alone, and by two of them.
        ("unit/goal=3,fast", 1, "1/1"),
        // Two fixed moves and two D6: 19 inches need a sum of 7 or more, 21 of 36.
        ("unit/goal=19", 2, "7/12"),
    ] {
        let step = &format!("1.do=move; 1.slot=1; 1.dice={dice}");
        assert_fraction(
            unit,
            ends(&ask("sequence", &unit_and_steps(unit, step)), 1, "arrived"),
            arrived,
        );
        assert_fraction(
            unit,
            ends(&ask("move", &format!("mover={unit}; dice={dice}")), 1, "arrived"),
            arrived,
        );
    }
    // A suppressed unit loses the Fixed Move; at its goal it is still suppressed.
    let step = "1.do=move; 1.slot=1";
    let question = ask("sequence", &unit_and_steps("unit/goal=4,suppressed", step));
    let at_goal =
        |end: &End| matches!(end, End::Unit { status: Status::Suppressed, goal: Some(0), .. });
    assert_fraction("4 to 6", chance(&odds(&question), |ends| ends.iter().any(at_goal)), "1/2");
    let counters: Vec<Option<String>> =
        odds(&question).chances.iter().map(|one| question.label(1, &one.outcome).counter).collect();
    let left = |goal| Some(format!("unit/suppressed,goal={goal}"));
    assert_eq!(counters, [left(0), left(1), left(2), left(3)]);
    // Only inches actually moved are counted.
    let made = ask("sequence", &unit_and_steps("unit/goal=8; inches", step));
    // 7, then 8 five times.
    assert_fraction("inches made", expected(&made, "inches"), "47/6");
}

/// Forced back: the distance to the goal grows. A six against no Reaction Die: 6 + D6 back, in 1 of
/// 6.
#[test]
fn forced_back_unit_is_farther_from_its_goal() {
    let volley = "1.do=volley; 1.dice=1; 1.target=1";
    let question = ask("sequence", &unit_and_steps("unit/reaction=0,goal=5", volley));
    for (goal, odds_of) in [(5, "5/6"), (11, "0/1"), (12, "1/36"), (17, "1/36")] {
        let is_left =
            |end: &End| matches!(end, End::Unit { goal: Some(left), .. } if *left == goal);
        assert_fraction(
            &format!("{goal} inches"),
            chance(&odds(&question), |ends| ends.iter().any(is_left)),
            odds_of,
        );
    }
}

/// `activation-limit`: a unit is activated once in a turn, by a rally or a move.
#[test]
fn unit_is_activated_once_a_turn_by_rally_or_move() {
    let command = "1.do=command; 1.dice=2";
    let question = ask("sequence", &unit_and_steps("unit/dp=1,goal=20 + unit/goal=5", command));
    let process = question.whole();
    let mut state = process.start(&mut Silent);
    assert_eq!(
        process.options(&state),
        [
            "rally unit [1]",
            "move of unit [1], unit [2]",
            "move of unit [2]",
            "move of unit [1]",
            "nothing more here"
        ]
    );
    assert_eq!(process.kinds(&state), ["rally", "move", "move", "move", "elsewhere"]);
    // Both move: the second reaches its goal without a die, and no unit is left for orders.
    process.choose(&mut state, 1, &mut Silent);
    let Due::Roll(dice, terms) = process.due(&state) else { panic!("a D6") };
    let reading = process.read(&terms, dice.all().next().unwrap());
    process.apply(&mut state, reading, &mut Silent);
    assert_eq!(process.due(&state), Due::Report(1));
    // The second moves; the other die rallies the first, which then cannot move.
    let mut state = process.start(&mut Silent);
    process.choose(&mut state, 2, &mut Silent);
    assert_eq!(
        process.options(&state),
        ["rally unit [1]", "move of unit [1]", "nothing more here"]
    );
    let words = "own side, 1 Command Die or Staff Order: unit/dp=1,goal=20 [1], unit/goal=0 [2] (activated)";
    assert_eq!(process.decision(&state), words);
    // Each step is a step: a rallied unit does not move later in the turn, but with `pulse` it
    // does.
    for (limit, arrived) in [("turn", "0/1"), ("pulse", "1/1")] {
        let steps = &format!(
            "1.do=command; 1.dice=1; 2.do=move; 2.slot=1; activation-limit={limit}; rally-dice=1"
        );
        let question = ask("sequence", &unit_and_steps("unit/dp=1,goal=3", steps));
        assert_fraction(limit, ends(&question, 1, "arrived"), arrived);
    }
}

/// Suppressed units move alone, and stay suppressed. A chain of two or three dice may be one longer
/// move.
#[test]
fn chain_of_three_dice_may_be_a_triple_move() {
    let fields = "own=unit/goal=40 + unit/goal=9,suppressed; army=false; own-command-dice=3; \
        enemy-command-dice=0; 1.do=roll; 2.do=pulse";
    let process = ask("sequence", fields).whole();
    let mut state = process.start(&mut Silent);
    for pips in [4, 4, 4] {
        let Due::Roll(_, terms) = process.due(&state) else { panic!("a Command Die") };
        process.apply(
            &mut state,
            process.read(&terms, lowcrawl::dice::Dice::One.face(pips).unwrap()),
            &mut Silent,
        );
    }
    assert_eq!(process.due(&state), Due::Report(1));
    process.pass(&mut state, &mut Silent);
    assert_eq!(
        process.options(&state),
        ["give orders", "triple move of unit [1]", "triple move of unit [2]"]
    );
    assert_eq!(process.kinds(&state), ["orders", "triple-move", "triple-move"]);
    process.choose(&mut state, 1, &mut Silent);
    // 18 inches and a 1, a 2, a 3; the dice of the chain are used up.
    for pips in [1, 2, 3] {
        let Due::Roll(_, terms) = process.due(&state) else { panic!("a die") };
        process.apply(
            &mut state,
            process.read(&terms, lowcrawl::dice::Dice::One.face(pips).unwrap()),
            &mut Silent,
        );
    }
    assert_eq!(process.due(&state), Due::Report(2));
    assert_eq!(state.units[0].goal, Some(16));
}

/// A step may leave the move to its side. A unit that is dispersed, activated or at its goal stays.
#[test]
fn unit_may_stay_and_stays_once_lost_or_activated() {
    let steps = "1.do=move; 1.slot=1; 1.may-hold";
    let question = ask("sequence", &unit_and_steps("unit/goal=6", steps));
    let process = question.whole();
    let state = process.start(&mut Silent);
    assert_eq!(
        (process.kinds(&state), process.options(&state)),
        (vec!["go", "stay"], vec!["move".into(), "stay".into()])
    );
    assert_eq!(process.decision(&state), "own side, move or not: unit/goal=6");
    let steps = "1.do=move; 1.slot=2; 1.may-hold; enemy=unit/goal=6";
    let of_enemy = ask("sequence", &unit_and_steps("unit", steps)).whole();
    let due = of_enemy.due(&of_enemy.start(&mut Silent));
    assert_eq!(due, Due::Choice { player: Player::Enemy, options: 2 });
    let stays = WithPolicy::new(question.whole(), |_: &Exchange, _: &Battlefield, _, _| 1);
    let staying = exact::odds(&stays, Bound::STANDARD).unwrap();
    assert_eq!(
        chance(&staying, |ends| unit_end(ends, 0)
            .is_some_and(|(status, ..)| status == Status::Ready))
        .to_string(),
        "1/1"
    );
    assert_fraction("go", ends(&question, 1, "arrived"), "1/1");
    assert!(question.facts().kind.statuses.contains(&"arrived"));
    let mut events = Vec::new();
    let left_out = "1.do=move; 1.slot=2; 2.do=move; 2.slot=1; 3.do=move; 3.slot=1; 4.do=disperse; 4.slot=1; \
        5.do=move; 5.slot=1";
    let process =
        ask("sequence", &unit_and_steps("unit/goal=14,suppressed + unit/goal=0", left_out)).whole();
    let mut state = process.start(&mut Listener::appending(&mut events));
    loop {
        match process.due(&state) {
            Due::Roll(_, terms) => {
                process.apply(
                    &mut state,
                    process.read(&terms, lowcrawl::dice::Dice::One.face(3).unwrap()),
                    &mut Listener::appending(&mut events),
                );
            }
            Due::Report(_) => process.pass(&mut state, &mut Listener::appending(&mut events)),
            _ => break,
        }
    }
    let expected = [
        "no move: unit [2] is at its goal",
        "unit [1] moves 3 inches, 11 inches from its goal",
        "no move: unit [1] is activated already",
        "unit [1] is dispersed",
        "no move: unit [1] is dispersed",
    ];
    assert_eq!(events.iter().map(|event| event.text.as_str()).collect::<Vec<_>>(), expected);
}

/// Rally or move: one die before a volley, one after it, and a goal that one move reaches. Rallying
/// first makes survival likelier, moving first makes arrival likelier. The policies and the best
/// play agree, for either objective.
#[test]
fn rallying_first_survives_and_moving_first_arrives() {
    let fields = "own=unit/reaction=3,dp=2,goal=7; army=false; 1.do=command; 1.dice=1; 2.do=volley; 2.dice=4; \
        2.target=1";
    let question = ask("sequence", fields);
    let names: Vec<String> = question.policies().into_iter().map(|policy| policy.name).collect();
    assert_eq!(names, ["unsuppress-then-rally", "unsuppress", "elsewhere", "move-first"]);
    let at_goal = |end: &End| matches!(end, End::Unit { goal: Some(0), .. });
    let by = |name| {
        let odds =
            exact::odds(&played(&question, policy(&question, name)), Bound::STANDARD).unwrap();
        let lives = |end: &End| !matches!(end, End::Unit { status: Status::Dispersed, .. });
        [
            chance(&odds, |ends| ends.iter().any(at_goal)),
            chance(&odds, |ends| ends.iter().any(lives)),
        ]
        .map(|odds| odds.to_string())
    };
    // RD-18.u: at two points any point disperses, 1/2. Otherwise the unit is at its goal, because a
    // suppressed unit with a point is dispersed.
    assert_eq!(by("move-first"), ["1/2", "1/2"]);
    // Of four Rally Dice (RD-09) 1/16 leave two points, 1/4 one, 11/16 none. The unit is dispersed
    // by 1, 2 or 3 points with 64, 29, 8 of 128: 1 - (64 1/16 + 29 1/4 + 8 11/16) / 128 = 1 - (64 +
    // 116 + 88) / 2048.
    assert_eq!(by("unsuppress-then-rally"), ["0/1", "445/512"]);
    let best = |measure: &str| {
        let place = Reaction.measures().iter().position(|known| known.name == measure).unwrap();
        let process = question.whole();
        let gain = |point, outcome: &Outcome| {
            [question.ending(point, outcome).map_or(0.0, |(_, amounts)| amounts[place])]
        };
        let mut solution = lowcrawl::engine::solve::Solution::new(&process, gain, 1 << 20);
        solution.worth(&process.start(&mut Silent)).unwrap()[0]
    };
    assert!((best("reaches-goal") - 0.5).abs() < 1e-12);
    assert!((best("survives") - 445.0 / 512.0).abs() < 1e-12);
}
