//! Parameters: each changes only its own odds, can be set in every question, and is reported where
//! it is assumed.

use std::collections::BTreeSet;

use lowcrawl::reaction::kinds::StepKind;
use lowcrawl::reaction::rules::Rules;
use lowcrawl::schema::RawValue::{Boolean, Integer, Text};
use lowcrawl::schema::{Field, Parameter, Rules as _, Settable as _, Source, Takes};

use super::*;
use crate::table::value;

/// Questions by kind and fields, each with the parameters that its odds depend on. A `!` marks a
/// parameter that matters only to policies other than the default.
const QUESTIONS: &str = "
    volley   | target=unit/reaction=3; dice=4 | fire-tn range-tn-effective reaction-tn cohesion dp-rule high-suppression
    volley   | target=unit/reaction=3; dice=4; inches | fire-tn range-tn-effective reaction-tn cohesion dp-rule high-suppression forced-back-base forced-back-per-six
    volley   | target=unit/reaction=3,suppressed,cohesion=4; dice=4 | fire-tn range-tn-effective reaction-tn-suppressed dp-rule high-suppression forced-back-when-already-suppressed
    volley   | target=unit/reaction=3; dice=4; range=close; flank; move=double; cover=light | fire-tn range-tn-close flank-tn move-dice-double cover-dice-light reaction-tn cohesion dp-rule high-suppression
    volley   | target=unit/reaction=3; dice=4; dice=6; range=long; uphill; move=triple; cover=heavy | fire-tn range-tn-long uphill-dice move-dice-triple cover-dice-heavy reaction-tn cohesion dp-rule high-suppression
    volley   | target=unit/reaction=3; dice=4; cover=medium; army; wild=1 | fire-tn range-tn-effective cover-dice-medium reaction-tn cohesion dp-rule high-suppression morale-loss army-morale army-morale-check !wild-die-timing
    volleys  | target=unit/reaction=3,cover=7,edge=30; dice=4; volleys=2 | fire-tn range-tn-effective reaction-tn reaction-tn-suppressed cohesion dp-rule high-suppression forced-back-base forced-back-per-six halted-cover cover-dice-light
    volleys  | target=unit/reaction=3; dice=4; volleys=2; orders=1 | fire-tn range-tn-effective reaction-tn cohesion dp-rule high-suppression rally-dice rally-tn rally-effect rally-opposed
    rally    | units=unit/dp=2; orders=2; turns=1 | rally-dice rally-tn rally-effect rally-opposed rallies-per-gap
    rally    | units=unit/dp=1,suppressed; orders=2; turns=1 | rally-dice rally-tn rally-opposed
    rally    | units=unit/dp=2,suppressed; turns=1 |
    command  |  | command-dice
    command  | dice=3; enemy-dice=2 |
    morale   | points=4 | morale-loss army-morale-check
    morale   |  | morale-loss army-morale army-morale-check
    # A check reports the Command Dice that are left.
    check    |  | army-morale-dice command-dice
    check    | dice=4 | command-dice
    move     | mover=panther |
    sequence | own=unit/reaction=1,dp=1; enemy=unit/reaction=1,at=2; own-morale=0; enemy-morale=0; 1.do=turn; 2.do=disperse; 2.slot=1 | both-at-zero
    sequence | own=unit/reaction=1,dp=1; enemy=unit/reaction=1,at=2; own-command-dice=2; 1.do=disperse; 1.slot=2; 2.do=disperse; 2.slot=1; 3.do=roll | morale-loss army-morale army-morale-check
    sequence | own=unit/reaction=1,dp=1; enemy=unit/reaction=1,at=2; 1.do=command; 1.dice=1; 2.do=command; 2.staff=1 | army-morale rally-dice rally-tn rally-opposed activation-limit rallies-per-gap
    sequence | own=4x unit/suppressed; army=false; 1.do=command; 1.staff=4 | staff-orders
    sequence | own=unit/reaction=1,dp=1; enemy=unit/reaction=1,at=2; own-command-dice=2; enemy-command-dice=1; 1.do=disperse; 1.slot=2; 2.do=roll; 3.do=command | army-morale morale-loss army-morale-check rally-dice rally-tn rally-opposed rallies-per-gap !wild-die-timing
    sequence | own=unit/reaction=1,dp=1; enemy=unit/reaction=1,at=2; own-command-dice=2; enemy-command-dice=1; army=false; 1.do=roll; 2.do=pulse | command-re-rolls rally-dice rally-tn rally-opposed rallies-per-gap !wild-die-timing
    sequence | own=unit/reaction=1,dp=1; enemy=unit/reaction=1,at=2; army-morale-check; own-command-dice=2; enemy-command-dice=1; 1.do=disperse; 1.slot=2; 2.do=roll; 3.do=command; 3.side=own | army-morale morale-loss rally-dice rally-tn rally-opposed rallies-per-gap army-morale-check army-morale-dice !wild-die-timing
";

/// Returns another allowed value of a parameter.
fn other_value(parameter: &Parameter) -> String {
    match parameter
        .values
        .strip_prefix("a whole number from ")
        .and_then(|range| range.split_once(" to "))
    {
        Some((low, _)) => {
            let (default, low): (i64, i64) =
                (parameter.default.parse().unwrap(), low.parse().unwrap());
            // Mostly a smaller value, which has an effect in small questions, too. A cohesion below
            // the points would be invalid.
            let down = default > low && parameter.name != "cohesion";
            if down { default - 1 } else { default + 1 }.to_string()
        }
        None => parameter
            .values
            .split(" or ")
            .find(|word| *word != parameter.default)
            .unwrap()
            .to_string(),
    }
}

fn distribution(question: &Question) -> Vec<(ReportIndex, String, Fraction)> {
    let chances = odds(question).chances.into_iter();
    chances
        .map(|chance| (chance.point, format!("{:?}", chance.outcome), chance.fraction.unwrap()))
        .collect()
}

#[test]
fn each_parameter_changes_its_own_odds_only() {
    let mut effective = BTreeSet::new();
    for [kind, fields, moving] in rows(QUESTIONS) {
        let expected: BTreeSet<&str> =
            moving.split_whitespace().filter(|name| !name.starts_with('!')).collect();
        let plain = distribution(&ask(kind, fields));
        let is_set = |name: &str| fields.split(['=', ';']).any(|word| word.trim() == name);
        let mut found = BTreeSet::new();
        for parameter in Reaction.parameters() {
            let other = if is_set(parameter.name) {
                parameter.default.to_string()
            } else {
                other_value(&parameter)
            };
            let changed = ask(kind, &format!("{fields}; {}={other}", parameter.name));
            if distribution(&changed) != plain {
                found.insert(parameter.name);
            }
        }
        assert_eq!(found, expected, "{kind} {fields:?}");
        effective.extend(found);
    }
    effective.insert("wild-die-timing");
    let all: BTreeSet<&str> =
        Reaction.parameters().iter().map(|parameter| parameter.name).collect();
    assert_eq!(effective, all);
}

/// Assumptions are reported exactly where the odds depend on them, and not once a value is given.
#[test]
fn assumptions_are_reported_where_odds_depend_on_them() {
    for [kind, fields, moving] in rows(QUESTIONS) {
        let names = moving.split_whitespace().map(|name| name.trim_start_matches('!'));
        let expected: BTreeSet<&str> = names
            .filter(|name| {
                Reaction
                    .parameters()
                    .iter()
                    .any(|known| known.name == *name && known.source == Source::Assumed)
            })
            .collect();
        let uncertain = ask(kind, fields).texts().uncertain;
        let found: BTreeSet<&str> =
            uncertain.iter().map(|note| note.split(' ').next().unwrap()).collect();
        assert_eq!(found, expected, "{kind} {fields:?}");
        for name in expected {
            let parameter =
                Reaction.parameters().into_iter().find(|parameter| parameter.name == name).unwrap();
            assert!(uncertain.contains(&format!("{name} = {}", parameter.default)));
            let other = other_value(&parameter);
            let with_value = ask(kind, &format!("{fields}; {name}={other}"));
            assert!(
                !with_value.texts().uncertain.iter().any(|note| note.starts_with(name)),
                "{kind}: {name}"
            );
            assert!(with_value.provenance().settings().any(|set| set == (name, other.as_str())));
        }
    }
    let by_us_tank = ask("volley", "target=us-tank; by=us-tank");
    assert_eq!(by_us_tank.texts().uncertain, ["us-tank at = 6", "us-tank reaction = 5"]);
    let given = ask("volley", "target=us-tank/reaction=5; by=us-tank/at=6");
    assert_eq!(given.texts().uncertain, [""; 0]);
    let notes = ask("rally", "units=2x unit").texts().notes;
    assert_eq!(
        notes,
        ["the units of a side are near enough to each other to be one Command Group"]
    );
    let high = ask("volley", "target=panther; dice=2; high-suppression");
    assert_eq!(
        high.texts().notes,
        ["high suppression needs at least one firing six, which is assumed"]
    );
    let dry = ask("volley", "target=panther; dice=1; move=double");
    assert_eq!(dry.texts().notes, ["the modifiers of a volley leave it no dice"]);
    let command = |limit| {
        let fields = format!("own=unit; 1.do=command; 1.dice=1; activation-limit={limit}");
        ask("sequence", &fields).texts().notes
    };
    let turn = "rallies of a unit are counted over a turn; activation-limit = pulse: over each `command` step";
    let pulse = "rallies of a unit are counted over each `command` step; activation-limit = turn: over a turn";
    let gap = "rallies of a unit are counted between two volleys of the enemy; activation-limit = turn: over a turn";
    assert_eq!([command("turn"), command("pulse"), command("gap")], [[turn], [pulse], [gap]]);
}

/// Every parameter is a field of every question, from its least value to its greatest, but not
/// beyond.
#[test]
fn every_parameter_is_a_field_of_every_question() {
    for kind in Reaction.kinds() {
        for parameter in Reaction.parameters() {
            let set = |value: RawValue| draft(kind.name, "").set(parameter.name, value);
            assert!(draft(kind.name, "").knows(parameter.name));
            match parameter
                .values
                .strip_prefix("a whole number from ")
                .and_then(|range| range.split_once(" to "))
            {
                Some((low, high)) => {
                    let (low, high): (i64, i64) = (low.parse().unwrap(), high.parse().unwrap());
                    assert!(set(Integer(low)).is_ok() && set(Integer(high)).is_ok());
                    for beyond in [low - 1, high + 1] {
                        let message = format!(
                            "`{}` must be {}, not {beyond}",
                            parameter.name, parameter.values
                        );
                        assert_eq!(set(Integer(beyond)).unwrap_err().to_string(), message);
                    }
                }
                None => {
                    parameter
                        .values
                        .split(" or ")
                        .for_each(|word| assert!(set(value(word)).is_ok(), "{word}"));
                    assert!(set(Integer(1)).is_err() && set(Text("zzz")).is_err());
                }
            }
        }
    }
}

#[test]
fn declared_fields_accept_their_declared_values() {
    for kind in Reaction.kinds() {
        assert_eq!(draft(kind.name, "").has_steps(), kind.name == "sequence");
        for field in kind.fields() {
            assert!(draft(kind.name, "").knows(field.name) && !field.about.is_empty());
            assert!(Rules::find(field.name).is_none(), "{} is a parameter", field.name);
            assert_takes(&draft(kind.name, ""), field, field.name);
        }
    }
    for step_kind in StepKind::ALL.iter().map(|step_kind| step_kind.declared()) {
        let step = draft("sequence", &format!("1.do={}", step_kind.name));
        for field in step_kind.fields() {
            assert_takes(&step, field, &format!("1.{}", field.name));
        }
    }
}

fn assert_takes(draft: &Draft, field: &Field, name: &str) {
    let set = |value| draft.clone().set(name, value).map_err(|fault| fault.to_string());
    match field.takes {
        Takes::Flag => assert!([true, false].into_iter().all(|flag| set(Boolean(flag)).is_ok())),
        Takes::Number(low, high) => {
            assert!(
                low < high && [low, high].into_iter().all(|number| set(Integer(number)).is_ok()),
                "{name}"
            );
            for number in [low - 1, high + 1] {
                let message = format!(
                    "`{}` must be a whole number from {low} to {high}, not {number}",
                    field.name
                );
                assert_eq!(set(Integer(number)), Err(message));
            }
        }
        Takes::Word("WORD", words) => {
            assert!(words().into_iter().all(|word| set(Text(word)).is_ok()), "{name}");
            let message =
                format!("`{}` has no value `zzz` (valid: {})", field.name, words().join(", "));
            assert_eq!(set(Text("zzz")), Err(message));
        }
        Takes::Text("UNIT") => {
            assert_eq!(
                (set(Text("unit")), set(Text("2x unit"))),
                (Ok(()), Err("expected one unit, not 2".to_string()))
            );
        }
        Takes::Text("UNITS") => {
            let many = "5 units: a Command Group has at most 4".to_string();
            assert_eq!((set(Text("4x unit")), set(Text("4x unit + unit"))), (Ok(()), Err(many)));
        }
        other => panic!("{name}: {other:?}"),
    }
}
