//! Rejected inputs with their exact messages, and the notation.

use super::*;
use crate::table::value;
use lowcrawl::schema::RawValue::{Integer, Text};
use lowcrawl::schema::{Settable as _, StockUnit};

/// Returns the message for a field's value, and the part of the text that it is about.
fn fault(kind: &str, field: &str, text: &str) -> (String, String) {
    let fault = draft(kind, "").set(field, Text(text)).unwrap_err();
    (fault.to_string(), text[fault.span].to_string())
}

/// Panics unless the question is refused at a field with this message.
fn assert_blamed(kind: &str, fields: &str, field: &str, message: &str) {
    let blame = blame(kind, fields);
    let found = blame.fault.to_string().replace('\n', "\\n");
    assert_eq!((blame.field.as_str(), found.as_str()), (field, message), "{kind}: {fields}");
}

#[test]
fn bad_units_are_rejected_with_their_place() {
    for [text, message, part] in rows(
        "
                                       | expected at least one unit (for example `panzer-iv` or `unit/reaction=3,at=4`) |
            panter                     | no unit is called `panter` (did you mean `panther`?) | panter
            xyz                        | no unit is called `xyz` (valid: unit, panzer-iv, panther, stug-iii, us-tank) | xyz
            panther/                   | a condition is missing after `/` or `,` | /
            panther/dp=1,              | a condition is missing after `/` or `,` | ,
            panther/dp                 | `dp` needs a value: `dp=N` | dp
            panther/dp=x               | `dp=` must be a whole number from 0 to 39 | dp=x
            panther/reaction=21        | `reaction=` must be a whole number from 0 to 20 | reaction=21
            panther/cohesion=0         | `cohesion=` must be a whole number from 1 to 40 | cohesion=0
            panther/edge=100           | `edge=` must be a whole number from 0 to 99 | edge=100
            panther/supressed          | no condition is called `supressed` (did you mean `suppressed`?) | supressed
            panther/suppressed=1       | `suppressed` does not take a value | suppressed=1
            panther/dp=1,dp=2          | `dp` is given twice | dp=2
            panther/friend=8-8         | `friend=` must be two rising whole numbers from 0 to 99 with `-` between them (`friend=7-10`: a move that would end from 7 on, but short of 10, goes on to 10 inches) | friend=8-8
            panther/edge=6,enemy=7     | an obstacle behind a unit cannot be farther than the table edge | panther/edge=6,enemy=7
            panther/goal=9,edge=12     | a unit with `goal=` cannot have obstacles behind it (use either `goal=` or obstacles behind it) | panther/goal=9,edge=12
            panther/goal=far           | `goal=` must be a whole number from 0 to 9999 | goal=far
            panther/cover=7,friend=6-9 | neither cover nor an enemy can be where a friend stands | panther/cover=7,friend=6-9
            panther + unit             | expected one unit, not 2 | panther + unit
            panther unit               | expected `+` before `unit` (write ` + ` between units, with spaces) | unit
            panther +                  | a unit is missing after `+` | +
            5x panther                 | expected a number of units from 1 to 4 | 5x
            2x                         | a unit is missing after the number | 2x
        ",
    ) {
        assert_eq!(
            fault("volley", "target", text),
            (message.to_string(), part.to_string()),
            "{text}"
        );
    }
    let (message, _) = fault("rally", "units", "3x panther + 2x unit");
    assert_eq!(message, "5 units: a Command Group has at most 4");
}

/// The notation: units are written as they are read, except for `Nx` and the order of conditions.
#[test]
fn units_are_printed_in_their_notation() {
    for [text, printed] in rows(
        "
            Panzer_IV | panzer-iv
            2xpanther/dp=1 | panther/dp=1 + panther/dp=1
            2x panther + unit/soft,at=3,suppressed | panther + panther + unit/at=3,soft,suppressed
            unit/friend=7-10,enemy=20,cover=6,edge=30,moved=4,fired,dp=2,fast,cohesion=5,fp=1,at=2,artillery=3,reaction=4 | unit/reaction=4,artillery=3,at=2,fp=1,cohesion=5,fast,dp=2,fired,moved=4,edge=30,cover=6,enemy=20,friend=7-10
        ",
    ) {
        let question = ask("rally", &format!("units={text}"));
        let units: Vec<String> = question.roster().iter().map(ToString::to_string).collect();
        assert_eq!(units.join(" + "), printed);
        assert_eq!(ask("rally", &format!("units={printed}")).roster().len(), units.len());
    }
    for StockUnit { name, about, .. } in Reaction.units() {
        assert_eq!(ask("move", &format!("mover={name}")).roster()[0].to_string(), name);
        assert!(about.len() > 5);
    }
    let known: Vec<String> = Reaction.units().into_iter().map(|ready| ready.about).collect();
    assert_eq!(known[1], "Panzer IV: reaction 5 (found)");
    assert_eq!(known[4], "US tank: reaction 5 (assumed), AT 6 (assumed)");
}

#[test]
fn bad_values_are_rejected_with_their_message() {
    for [kind, field, word, message] in rows(
        "
            volley   | dice     | 31     | `dice` must be a whole number from 1 to 30, not 31
            volley   | range    | far    | `range` has no value `far` (valid: close, effective, long)
            volley   | cover    | mediun | `cover` has no value `mediun` (did you mean `medium`?)
            volley   | flank    | 1      | `flank` must be true or false, not 1
            volley   | at-least | 0      | `at-least` must be a whole number from 1 to 99, not 0
            volleys  | at-least | 9      | `volleys` has no field `at-least` (it belongs to volley)
            volley   | rnge     | long   | `volley` has no field `rnge` (did you mean `range`?)
            volley   | ralli-tn | 3      | `volley` has no field `ralli-tn` (did you mean `rally-tn`?)
            check    | zzz      | 3      | `check` has no field `zzz` (valid: dice, staff-order, joint, policy, given; and the points of the rules: fire-tn, ...)
            command  | dice     | 0      | `dice` must be a whole number from 1 to 10, not 0
            rally    | turns    | '3'    | `turns` must be a whole number from 1 to 50, not `3` (remove the quotes)
            volley   | 1.do     | volley | `volley` has no field `1.do` (valid: target, at-least, dice, by, range, flank, uphill, move, ... (17 in all); and the points of the rules: fire-tn, ...)
            sequence | 2.do     | volley | step 2 is out of order: the sequence has 0 steps before it
            sequence | 61.do    | volley | a sequence has at most 60 steps
            sequence | 1.do     | voley  | no kind of step is called `voley` (did you mean `volley`?)
            sequence | 1.target | 1      | step 1 does not exist: the sequence has 0 steps
        ",
    ) {
        let fault = draft(kind, "").set(field, value(word)).unwrap_err();
        assert_eq!(fault.to_string(), message, "{kind}: {field}={word}");
    }
    let mut one = draft("sequence", "1.do=roll");
    assert_eq!(
        one.set("3.do", Text("turn")).unwrap_err().to_string(),
        "step 3 is out of order: the sequence has 1 step before it"
    );
    let fault = one.set("1.target", Integer(1)).unwrap_err().to_string();
    assert_eq!(fault, "a step that does `roll` has no field `target` (valid: )");
    assert!(
        one.knows("1.do")
            && one.knows("2.do")
            && !one.knows("1.target")
            && one.knows("Rally_TN")
            && !one.knows("x")
    );
    assert!(one.has_steps() && !draft("volley", "").has_steps());
}

/// Contradictions between fields are reported at one of them.
#[test]
fn contradictions_are_reported_at_a_field() {
    for [kind, fields, field, message] in rows(
        r#"
            volley   | dice=3 | target | a unit is missing (for example `panzer-iv`)
            volley   | target=panther | dice   | say who fires (for example `dice = 4`, or `by = "stug-iii"`)
            volley   | target=panther; dice=3; by=stug-iii | by     | use either firing dice or a firing unit, not both
            volley   | target=panther; by=panther | by     | the dice of `panther` against armour are missing (write for example `/at=6`)
            volley   | target=panther/soft; by=us-tank | by     | the dice of `us-tank` against soft targets are missing (write for example `/fp=6`)
            volley   | target=panther; by=stug-iii/suppressed | by     | `stug-iii` is suppressed: it cannot fire
            volley   | target=panther; by=stug-iii/fired | by     | `stug-iii` has fired: it cannot fire
            volleys  | target=unit; dice=3 | target | the Reaction Dice of `unit` are missing (write for example `/reaction=5`)
            rally    | units=unit + unit/dp=3 | units  | 3 Disruption Points disperse a unit of cohesion 3
            rally    | units=unit/dp=2; cohesion=2 | units  | 2 Disruption Points disperse a unit of cohesion 2
            sequence | 1.do=turn | own    | a unit is missing (for example `panzer-iv`)
            sequence | own=unit | 1.do   | a sequence needs at least one step (for example [[step]]\ndo = "volley")
        "#,
    ) {
        assert_blamed(kind, fields, field, message);
    }
    let blamed = blame("rally", "units=unit + unit/dp=3");
    assert_eq!(blamed.fault.span, 7..16);
}

/// Contradictions within a step are reported at a field of the step.
#[test]
fn contradictions_in_steps_are_reported_at_the_step() {
    for [step, field, message] in rows(
        "
            do=volley | 1.target | say who is fired at (for example `target = 2`)
            do=volley; target=2 | 1.firer  | say who fires (for example `firer = 1`, or `dice = 4`)
            do=volley; target=4 | 1.target | there is no slot 4: the units have slots 1 to 3
            do=volley; target=2; firer=3 | 1.target | firer and target are on the same side
            do=volley; target=2; firer=1; dice=4 | 1.dice   | use either firing dice or a firing unit, not both
            do=volley; target=3; firer=1 | 1.target | the Reaction Dice of `unit` are missing (write for example `/reaction=5`)
            do=volley; target=1; firer=3 | 1.firer  | the dice of `unit` against armour are missing (write for example `/at=6`)
            do=command | 1.dice   | say how many Command Dice there are (for example `dice = 2`, or a step `roll` before it in the same turn)
            do=restock; dice=2 | 1.do     | no Command Dice have been rolled in this turn (put a step `roll` before this step)
            do=restock | 1.dice   | say how many Command Dice show the same number (2, 3 or 4)
            do=pulse | 1.do     | no Command Dice have been rolled in this turn (put a step `roll` before this step)
            do=move | 1.slot   | say who moves (for example `slot = 1`)
            do=move; slot=4 | 1.slot   | there is no slot 4: the units have slots 1 to 3
            do=move; slot=3 | 1.slot   | `unit` in slot 3 has no goal to move to (write for example `/goal=24`)
            do=disperse | 1.slot   | say who is dispersed (for example `slot = 1`)
        ",
    ) {
        let step: Vec<String> = step.split("; ").map(|field| format!("1.{field}")).collect();
        let fields = format!("own=stug-iii; enemy=us-tank + unit; {}", step.join("; "));
        assert_blamed("sequence", &fields, field, message);
    }
}

/// Rolled dice are for one turn. After it they can be neither spent nor used for Staff Orders.
#[test]
fn rolled_dice_are_only_for_their_turn() {
    let fields = |step: &str| format!("own=unit; 1.do=roll; 2.do=turn; {step}");
    for [step, field, message] in rows(
        "
            3.do=command | 3.dice | say how many Command Dice there are (for example `dice = 2`, or a step `roll` before it in the same turn)
            3.do=restock; 3.dice=2 | 3.do | no Command Dice have been rolled in this turn (put a step `roll` before this step)
        ",
    ) {
        assert_blamed("sequence", &fields(step), field, message);
    }
    ask("sequence", &fields("3.do=roll; 4.do=command"));
    ask("sequence", &fields("3.do=command; 3.staff=1"));
}

/// Order of steps in a turn, 3: pulses use the dice chain by chain, so a turn with pulses has no
/// other use for them.
#[test]
fn dice_of_pulses_have_no_other_use() {
    for [step, field, help] in rows(
        "
            3.do=command           | 3.dice | write `dice = 0` with `staff`, or remove the steps `pulse` from this turn
            3.do=command; 3.dice=1 | 3.dice | write `dice = 0` with `staff`, or remove the steps `pulse` from this turn
            3.do=restock; 3.dice=2 | 3.do   | in a step `pulse`, the side may restock Staff Orders
        ",
    ) {
        let message = format!("the pulses of this turn use its Command Dice ({help})");
        let fields = format!("own=unit; 1.do=roll; 2.do=pulse; {step}");
        assert_blamed("sequence", &fields, field, &message);
    }
    let own = "own=unit; 1.do=command; 1.dice=1; 2.do=roll; 3.do=pulse";
    assert_eq!(blame("sequence", own).field, "1.dice");
    ask("sequence", "own=unit; 1.do=roll; 2.do=pulse; 3.do=command; 3.staff=1");
}

/// Staff Orders: a side keeps at most as many as it has Command Dice. With one die, one of two
/// suppressed units is freed.
#[test]
fn staff_orders_kept_are_limited_by_command_dice() {
    let freed = |dice| {
        let fields =
            format!("own=2x unit/suppressed; own-command-dice={dice}; 1.do=command; 1.staff=4");
        [1, 2].map(|slot| ends(&ask("sequence", &fields), slot, "ready").to_string())
    };
    assert_eq!([freed(0), freed(1), freed(2)], [["0/1", "0/1"], ["1/1", "0/1"], ["1/1", "1/1"]]);
}
