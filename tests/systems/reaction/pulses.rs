//! Command Pulses: chains, the first pulse, and the use of each.

use lowcrawl::dice::Dice;
use lowcrawl::process::{Decisions, Due, Listener, Process, Silent};

use super::*;

/// Returns the fields of a turn: Command Dice of both sides, then steps.
fn turn(own: &str, [own_dice, enemy_dice]: [u8; 2], steps: &str) -> String {
    format!(
        "own={own}; enemy=unit/reaction=1,at=1; army=false; own-command-dice={own_dice}; \
         enemy-command-dice={enemy_dice}; 1.do=roll; {steps}"
    )
}

/// Returns the state after these dice, with these options where a choice is due.
fn state_after(process: &Exchange, dice: &[u8], options: &[usize]) -> Battlefield {
    let mut state = process.start(&mut Silent);
    let (mut dice, mut options) = (dice.iter(), options.iter());
    loop {
        match process.due(&state) {
            Due::Roll(_, terms) => {
                let Some(&pips) = dice.next() else { return state };
                process.apply(
                    &mut state,
                    process.read(&terms, Dice::One.face(pips).unwrap()),
                    &mut Silent,
                );
            }
            Due::Choice { .. } => {
                let Some(&option) = options.next() else { return state };
                process.choose(&mut state, option, &mut Silent);
            }
            Due::Report(_) => process.pass(&mut state, &mut Silent),
            Due::Over => return state,
        }
    }
}

/// Order of steps in a turn, 3: a chain is all dice of one number with any number of sixes, or all
/// sixes.
#[test]
fn pulse_uses_one_chain_or_all_sixes() {
    let pulses = "2.do=pulse; 3.do=pulse; 4.do=pulse";
    let question = ask("sequence", &turn("2x unit/suppressed", [5, 1], pulses));
    let process = question.whole();
    // Two 3s, two 6s and a 5 against a 4.
    let state = state_after(&process, &[3, 6, 3, 5, 6, 4], &[]);
    assert_eq!(
        process.options(&state),
        [
            "use a chain of 2",
            "use a chain of 2 with 1 six",
            "use a chain of 2 with 2 sixes",
            "use a chain of 1",
            "use a chain of 1 with 1 six",
            "use a chain of 1 with 2 sixes",
            "use 2 sixes alone",
        ]
    );
    let [chain, with_sixes, alone] = ["chain", "chain-with-sixes", "sixes"];
    assert_eq!(
        process.kinds(&state),
        [chain, with_sixes, with_sixes, chain, with_sixes, with_sixes, alone]
    );
    assert_eq!(
        process.decision(&state),
        "own side, chains 2, 1 and 2 sixes: unit/suppressed [1], unit/suppressed [2], unit/reaction=1,at=1 [3], \
         chains 2, 1 and 2 sixes to 1, next pulse: own side"
    );
    // Two orders are useful: the pair without a six.
    assert_eq!(question.option(0, &process, &state, lowcrawl::process::Player::Owner, 7), 0);
    // The single die is used and one of two units is freed. Then the enemy uses its only die, and
    // then the pair or the sixes are left.
    let state = state_after(&process, &[3, 6, 3, 5, 6, 4], &[3, 0]);
    assert!(
        process
            .decision(&state)
            .starts_with("own side, chains 2 and 2 sixes: unit [1], unit/suppressed [2]")
    );
}

/// Order of steps in a turn, 1 and 2, at one die a side. Of 36 rolls both fail in 1, each side
/// alone in 5; 5 are full ties and 10 are decided each way. One die frees one unit. With one pulse
/// the own side must have it; with two its die must not be a 1.
#[test]
fn one_die_a_side_frees_a_unit_at_the_worked_odds() {
    let freed = |steps: &str, re_rolls| {
        let more = format!("{steps}; command-re-rolls={re_rolls}");
        ends(&ask("sequence", &turn("unit/suppressed", [1, 1], &more)), 1, "ready").to_string()
    };
    let once = "2.do=pulse";
    // Either die wins if it is not a 1: 15/36, and half of the ties.
    assert_eq!(freed(once, 0), "35/72");
    // 15/36 + 5/36 of that again: 15/36 + 5/36 * 35/72.
    assert_eq!(freed(once, 1), "1255/2592");
    assert_eq!(freed(once, 2), "45155/93312");
    let twice = "2.do=pulse; 3.do=pulse";
    // 30/36 by the first roll alone. A tie that is rolled again may still fail: 25/36 + 5/36 *
    // 30/36.
    assert_eq!([freed(twice, 0), freed(twice, 1)], ["5/6", "175/216"]);
}

/// Order of steps in a turn, 3: restocked Staff Orders are for the next turn, but those of sixes
/// can be used at once.
#[test]
fn chains_restock_staff_orders() {
    let pulse = "2.do=pulse; 2.staff=3; 3.do=turn; 4.do=command; 4.staff=9; staff-orders=0";
    let question = ask("sequence", &turn("4x unit/suppressed", [4, 0], pulse));
    let process = question.whole();
    // Three 4s and a 6: the 4s alone, for two Staff Orders.
    let state = state_after(&process, &[4, 4, 6, 4], &[0]);
    assert_eq!(
        (process.kinds(&state), process.options(&state)),
        (
            vec!["orders", "restock"],
            vec!["give orders".to_string(), "restock Staff Orders".to_string()]
        )
    );
    assert!(
        process.decision(&state).starts_with("own side, a chain of 3 dice: unit/suppressed [1]")
    );
    let state = state_after(&process, &[4, 4, 6, 4], &[0, 1]);
    assert!(
        process
            .decision(&state)
            .starts_with("own side, 0 Command Dice and 2 Staff Orders: unit/suppressed [1]")
    );
    assert_eq!(process.epoch(&state), 4);
    // Three 6s and a 4, the sixes alone: they are used in this pulse.
    let state = state_after(&process, &[6, 6, 4, 6], &[4, 1]);
    assert!(
        process
            .decision(&state)
            .starts_with("own side, 0 Command Dice and 2 Staff Orders: unit/suppressed [1]")
    );
    assert_eq!(process.epoch(&state), 2);
    // If no step uses Staff Orders, a chain gives orders.
    let plain = ask("sequence", &turn("4x unit/suppressed", [4, 0], "2.do=pulse")).whole();
    assert_eq!(plain.kinds(&state_after(&plain, &[4, 4, 6, 4], &[0]))[0], "unsuppress");
    // An Army Morale Check uses them, if Army Morale is reported.
    for (army, check, first) in
        [(true, false, "unsuppress"), (false, true, "unsuppress"), (true, true, "orders")]
    {
        let more = format!("2.do=pulse; army={army}; army-morale-check={check}; staff-orders=0");
        let process = ask("sequence", &turn("4x unit/suppressed", [4, 0], &more)).whole();
        assert_eq!(
            process.kinds(&state_after(&process, &[4, 4, 6, 4], &[0]))[0],
            first,
            "{army} {check}"
        );
    }
}

/// Pulses alternate while both sides have dice; a side without dice is skipped.
#[test]
fn pulses_alternate_while_both_sides_have_dice() {
    let pulses = "2.do=pulse; 3.do=pulse; 4.do=pulse; 5.do=pulse";
    let question = ask("sequence", &turn("3x unit/suppressed", [3, 1], pulses));
    // 5, 4, 3 against a 6: the enemy has the first pulse, then the own side three.
    let odds = exact::odds(&played(&question, 0), Bound::STANDARD).unwrap();
    let freed = |point, slots: usize| {
        chance_at(&odds, point, |ends| {
            unit_end(ends, slots - 1).is_some_and(|(status, ..)| status == Status::Ready)
        })
        .to_f64()
    };
    assert!(freed(2, 1) < freed(3, 1) && freed(3, 2) < freed(4, 2) && freed(4, 3) < freed(5, 3));
    let process = question.whole();
    let mut events = Vec::new();
    let mut state = state_after(&process, &[5, 4, 3], &[]);
    let Due::Roll(_, terms) = process.due(&state) else { panic!("the enemy's die") };
    process.apply(
        &mut state,
        process.read(&terms, Dice::One.face(6).unwrap()),
        &mut Listener::appending(&mut events),
    );
    while process.due(&state) != Due::Over {
        match process.due(&state) {
            Due::Choice { .. } => {
                process.choose(&mut state, 0, &mut Listener::appending(&mut events))
            }
            _ => process.pass(&mut state, &mut Listener::appending(&mut events)),
        }
    }
    let pulses: Vec<&str> = events
        .iter()
        .filter(|event| event.rule == "Pulse")
        .map(|event| event.text.as_str())
        .collect();
    let own = ["own side, chains 1, 1, 1", "own side, chains 1, 1", "own side, chains 1"];
    let own = own.into_iter().flat_map(|pulse| [pulse, "use a chain of 1"]);
    assert_eq!(
        pulses,
        ["enemy side, chains 1 six", "use 1 six alone"].into_iter().chain(own).collect::<Vec<_>>()
    );
}
