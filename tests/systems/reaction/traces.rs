//! Traces of single sequences with scripted dice.

use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::trace::{self, TraceDice, TraceError, TraceLine};

use super::*;

/// Returns the rules and texts of a trace, and its probability.
fn trace_lines(question: &Question, script: &str) -> Result<(Vec<String>, Fraction), TraceError> {
    let dice = TraceDice::Script(script.to_string());
    let traced = trace::trace(&played(question, 0), &dice, Monitor::NONE)?;
    let lines = traced.lines.into_iter().filter_map(|line| match line {
        TraceLine::Roll { event, .. } | TraceLine::Event(event) => {
            Some(format!("{}: {}", event.rule, event.text))
        }
        TraceLine::Noted { .. } => None,
    });
    Ok((lines.collect(), traced.probability.unwrap()))
}

/// Fire, Reaction, Disruption, Suppression, forced back: two hits, one of them a six; one is
/// cancelled, the six is not matched. Odds: a success other than a six 2/6, a six 1/6, a miss 1/2;
/// each number of inches 1/6.
#[test]
fn volley_trace_shows_each_roll_until_forced_back() {
    let fields = "target=panzer-iv/reaction=2; dice=3; inches";
    let (lines, probability) = trace_lines(&ask("volley", fields), "4 6 1 5 3 2").unwrap();
    let expected = [
        "Fire: fire at panzer-iv, 4+: 4",
        "Fire: fire at panzer-iv, 4+: 6",
        "Fire: fire at panzer-iv, 4+: 1",
        "Reaction: Reaction Check of panzer-iv, 4+: 5",
        "Reaction: Reaction Check of panzer-iv, 4+: 3",
        "Disruption: panzer-iv takes 1 and has 1",
        "Suppression: panzer-iv is suppressed",
        "Forced back: panzer-iv is forced back",
        "Forced back: further inches of panzer-iv: 2",
        "Forced back: panzer-iv ends 8 inches back",
    ];
    assert_eq!(lines, expected);
    // 2/6 x 1/6 x 1/2 x 2/6 x 1/2 x 1/6.
    assert_eq!(probability.to_string(), "1/1296");
}

/// Orders, Rally: one die removes the suppression, the next is a Rally Group order with three
/// successes for two points.
#[test]
fn rally_trace_shows_each_order_and_roll() {
    let fields = "units=panther/dp=2,suppressed; orders=2; turns=1";
    let (lines, _) = trace_lines(&ask("rally", fields), "4 1 5 6").unwrap();
    let expected = [
        "Orders: own side: 2 Command Dice or Staff Orders",
        "Orders: remove the suppression of panther",
        "Orders: rally panther",
        "Rally: Rally Dice for panther, 4+: 4",
        "Rally: Rally Dice for panther, 4+: 1",
        "Rally: Rally Dice for panther, 4+: 5",
        "Rally: Rally Dice for panther, 4+: 6",
        "Rally: 2 Disruption Points can be removed",
        "Rally: panther has 1 Disruption Point left",
        "Rally: panther has 0 Disruption Points left",
    ];
    assert_eq!(lines, expected);
}

/// Command, Wild Dice, dispersal, Army Morale, turn: a Command Failure gives the enemy a Wild Die,
/// which joins its next roll.
#[test]
fn turn_trace_shows_wild_die_dispersal_and_collapse() {
    let fields = "own=unit/reaction=0,cohesion=1; enemy=unit/reaction=0,at=1; own-command-dice=2; \
        enemy-command-dice=1; own-morale=1; 1.do=roll; 2.do=volley; 2.firer=2; 2.target=1; \
        3.do=volley; 3.firer=2; 3.target=1; 4.do=turn";
    let (lines, _) = trace_lines(&ask("sequence", fields), "1 3 2 3 4 5").unwrap();
    let expected = [
        "Command: Command Dice of the own side: 1",
        "Command: Command Dice of the own side: 3",
        "Command: Command Dice of the enemy side: 2",
        "Command: own side: Command Failure, 1 Command Die left",
        "Command: enemy side: 1 Command Die left",
        "Wild Die: add a Wild Die",
        "Fire: fire at unit [1], 4+: 3",
        "Fire: fire at unit [1], 4+: 4",
        "Disruption: unit [1] is dispersed",
        "Army Morale: Army Morale Points lost by the own side: 5, so 3",
        "Army Morale: own army loses 3: own army 0, enemy army 17",
        "Fire: no volley: unit [2] has fired",
        "Morale Collapse: own army",
    ];
    assert_eq!(lines, expected);
}

/// Forced back, Command: an enemy behind a unit disperses it; both sides fail, and the rest of the
/// turn is skipped.
#[test]
fn traces_show_a_dispersal_and_a_turn_left_out() {
    let fields = "target=unit/reaction=1,enemy=7; dice=2; cover=none";
    let (lines, _) = trace_lines(&ask("volley", fields), "6 5 1 1").unwrap();
    assert_eq!(lines.last().unwrap(), "Forced back: unit is dispersed");
    let fields = "own=unit/reaction=1; own-command-dice=1; enemy-command-dice=1; 1.do=roll; 2.do=volley; \
        2.dice=4; 2.target=1; 3.do=turn";
    let (lines, _) = trace_lines(&ask("sequence", fields), "1 1").unwrap();
    assert_eq!(
        lines[4..],
        ["Command: both sides fail: the turn is over", "Turn: the turn is over: this is left out"]
    );
}

/// A script must match the rolls, and the fault says where it does not.
#[test]
fn script_that_does_not_fit_the_rolls_is_rejected() {
    let question = ask("volley", "target=panther; dice=2");
    let error = trace_lines(&question, "1").unwrap_err().to_string();
    assert_eq!(
        error,
        "the script ends after 1 roll(s), but a die of a pool is due next: fire at panther, 4+"
    );
    assert!(trace_lines(&question, "1 2").is_ok());
    assert!(trace_lines(&question, "1 2 3").is_err());
}

/// Order of steps in a turn, 2: after a full tie a lot decides; the own side goes first on 1 to 3.
#[test]
fn lot_decides_the_first_side_after_a_full_tie() {
    let fields = "own=unit/suppressed; enemy=unit; army=false; own-command-dice=1; enemy-command-dice=1; \
        command-re-rolls=0; 1.do=roll; 2.do=pulse";
    let question = ask("sequence", fields);
    for (pips, side) in [(3, "own"), (4, "enemy")] {
        let (lines, _) = trace_lines(&question, &format!("4 4 {pips}")).unwrap();
        let expected = format!("Command: lots are drawn: {pips}, the {side} side goes first");
        assert!(lines.contains(&expected), "{lines:?}");
    }
}
