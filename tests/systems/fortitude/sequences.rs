//! Battles of several units by small examples, and the descriptions of questions and outcomes.

use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::fortitude::Fortitude;
use lowcrawl::fortitude::battle::Outcome;
use lowcrawl::fortitude::notation::parse;
use lowcrawl::play::Game as _;
use lowcrawl::process::Question as _;
use lowcrawl::schema::StockUnit;

use crate::table::rows;

use super::engines::BATTLE;
use super::questions::{ask, fraction, outcomes, possible_outcomes, status, sum};

/// Checks the odds of statuses, by turn and slot.
fn assert_sequence(fields: &str, expected: &[(u16, u8, &str, &str)]) {
    let question = ask("sequence", fields);
    for &(turn, slot, end, odds) in expected {
        assert_eq!(
            status(&question, turn, slot, end),
            fraction(odds),
            "{fields}: {end} [{slot}] after turn {turn}"
        );
    }
}

/// C6: fire destroys a General Staff of one model. Its army is tested at 8, once, and the penalty
/// stays: C1 at 7.
#[test]
fn loss_of_the_general_staff_by_fire_tests_its_army() {
    let fields = "units=unit/general-staff,models=1 + unit; 1.do=turn; 2.do=fire; 2.at=1; 2.casualties=1; 3.do=fire; 3.at=1; 3.casualties=1; \
                  4.do=turn; 5.do=staff-destroyed";
    assert_sequence(
        fields,
        &[(1, 1, "destroyed", "1"), (1, 2, "hesitant", "12/20"), (2, 2, "hesitant", "39/100")],
    );
    // The loss of the enemy's staff affects only the enemy.
    let fields = "units=unit; enemies=unit; 1.do=turn; 2.do=staff-destroyed; 2.of=enemies";
    assert_sequence(fields, &[(1, 1, "normal", "1"), (1, 2, "hesitant", "12/20")]);
}

/// C2, C5: both units of a melee strike together. One model each, Defense 0, hit at 10 and at 8.
#[test]
fn both_sides_of_a_melee_strike_together() {
    let fields = "units=unit/models=1,defense=0,attack=10; enemies=unit/models=1,defense=0,attack=6; \
                  1.do=turn; 2.do=assault; 2.at=1; 2.by=2";
    // 10/20 and 6 + 2 = 8/20, independent of each other.
    assert_sequence(fields, &[(1, 1, "destroyed", "8/20"), (1, 2, "destroyed", "10/20")]);
    let joint = ask("sequence", &format!("{fields}; joint=true"));
    let both = outcomes(&joint.whole());
    let odds: Vec<(String, String)> = both
        .iter()
        .map(|((_, outcome), odds)| (joint.label(1, outcome).outcome.unwrap(), odds.to_string()))
        .collect();
    let unit = ["unit/attack=10,defense=0,models=1", "unit/attack=6,defense=0,models=1"];
    assert!(
        odds.contains(&("1:destroyed; 2:destroyed".to_string(), "1/5".to_string())),
        "{odds:?}"
    );
    // A unit that destroys the enemy earns an Honor Marker.
    assert!(
        odds.contains(&(format!("1:normal {},honor; 2:destroyed", unit[0]), "3/10".to_string())),
        "{odds:?}"
    );
    assert!(
        odds.contains(&(format!("1:normal {}; 2:normal {}", unit[0], unit[1]), "3/10".to_string())),
        "{odds:?}"
    );
}

/// A melee continues without a new assault: turn 2 has neither C1 nor C2, and the Attack Value is
/// 6, not 8.
#[test]
fn melee_continues_without_a_new_assault() {
    let fields = "units=unit/models=1,defense=0,attack=0; enemies=unit/models=1,defense=9,attack=6; \
                  1.do=turn; 2.do=assault; 2.at=1; 2.by=2; 2.sides=front; 3.do=turn";
    // 1 - 12/20 * 14/20.
    assert_sequence(fields, &[(1, 1, "destroyed", "8/20"), (2, 1, "destroyed", "29/50")]);
}

/// Slot 3 assaults slot 2 on a flank while slot 1 assaults slot 3. Slot 3 strikes slot 2 only, with
/// 8 + 2 + 2 on one die. Its Defense of 0 + 1 takes the one hit of slot 2. Against slot 1, which
/// hits at 8 + 2, it is 0.
#[test]
fn unit_strikes_the_unit_it_assaults() {
    let fields = "units=unit/models=1,defense=0,attack=8 + unit/models=1,defense=0,attack=20; enemies=unit/models=1,defense=0,attack=8; \
                  1.do=turn; 2.do=assault; 2.at=3; 2.by=1; 3.do=assault; 3.at=2; 3.by=3; 3.sides=flank";
    assert_sequence(
        fields,
        &[(1, 1, "normal", "1"), (1, 2, "destroyed", "12/20"), (1, 3, "destroyed", "10/20")],
    );
}

/// An enemy that fire made Shaken neither fires nor assaults.
#[test]
fn routed_units_neither_fire_nor_assault() {
    let fields = "units=unit/models=1,defense=0; enemies=2x unit/shaken,base=1,attack=20; 1.do=turn; 2.do=fire; 2.at=1; 2.by=2; \
                  3.do=assault; 3.at=1; 3.by=3; 3.sides=rear";
    assert_sequence(fields, &[(1, 1, "normal", "1"), (1, 2, "shaken", "1")]);
}

/// A unit that only fires has the dice of its models and its own Attack Value: 6 dice of 8 + 1
/// (Honor) + 2 (staff) - 2 (Hesitant) - 2 (Move and Fire) against infantry. Archers have 5 dice of
/// 2, or against cavalry 3.
#[test]
fn firing_units_use_the_dice_of_their_models() {
    for [units, by, order, dice, value] in rows(
        "
            unit         | samurai-cavalry/models=2,honor,staff=2,hesitant | move-and-fire       | 6 | 7
            unit         | ashigaru-archers/attack-cavalry=3 | fire-ranged-weapons | 5 | 2
            unit/cavalry | ashigaru-archers/attack-cavalry=3,casualties=1 | defend              | 4 | 3
            unit         | ashigaru-archers/attack=9 | fire-and-retreat    | 5 | 7
        ",
    ) {
        let by_unit = ask("fire", &format!("units={units}; by={by}; by-order={order}; turns=2"));
        let by_dice = ask("fire", &format!("units={units}; dice={dice}; value={value}; turns=2"));
        assert_eq!(outcomes(&by_unit.whole()), outcomes(&by_dice.whole()), "{by} {order}");
    }
    // Several units fire one after the other; once the staff is lost no unit is near it.
    let both = ask("fire", "units=unit; by=unit/attack=9,models=1 + unit/attack=12,models=2");
    let one_by_one = "units=unit; enemies=unit/attack=9,models=1 + unit/attack=12,models=2; 1.do=turn; 2.do=fire; 2.at=1; 2.by=2,3";
    for end in ["normal", "hesitant", "shaken"] {
        assert_eq!(
            status(&both, 1, 1, end),
            status(&ask("sequence", one_by_one), 1, 1, end),
            "{end}"
        );
    }
}

/// A unit is placed beside its staff. It is Shaken, and Hesitant at the end of the turn.
#[test]
fn shaken_unit_placed_beside_its_staff_becomes_hesitant() {
    let fields = "units=unit/shaken; 1.do=turn; 2.do=place; 2.at=1; 2.staff=1";
    assert_sequence(fields, &[(1, 1, "hesitant", "1")]);
    let question = ask("sequence", fields);
    assert_eq!(question.quantities(), ["models lost", "hexes run in Retreat Steps"]);
}

/// Flee without a General Staff runs to the own edge and stops beside it; Panic runs to the nearest
/// edge. A base of 1 passes no test.
#[test]
fn flight_runs_to_the_own_edge_and_panic_to_the_nearest() {
    let hexes = |fields: &str, turn: u16, expected: u16| {
        let question = ask("recover", fields);
        let runs = |outcome: &Outcome| matches!(outcome, Outcome::Unit(1, standing) if standing.hexes == expected);
        sum(&outcomes(&question.whole()), |point, outcome| point == turn && runs(outcome))
    };
    let shaken = "staff-lost=true; turns=2; units=unit/base=1,shaken,edge=2";
    assert_eq!(hexes(shaken, 2, 1), fraction("1"));
    assert_eq!(hexes(&format!("{shaken},own-edge=9"), 2, 4), fraction("1"));
    let panicked = "units=unit/base=1,panicked,edge=2,own-edge=9; turns=1";
    assert_eq!(status(&ask("recover", panicked), 1, 1, "left-board"), fraction("1"));
    // From 3 hexes it runs 2 and then stays. Placed at 9, it runs 2 in each of two turns.
    let placed = "units=unit/base=1,shaken,edge=3,own-edge=3; staff-lost=true; 1.do=turn; 2.do=turn; 3.do=place; 3.at=1; 3.edge=7; \
                  3.own-edge=9; 4.do=turn";
    let question = ask("sequence", placed);
    let runs =
        |outcome: &Outcome| matches!(outcome, Outcome::Unit(1, standing) if standing.hexes == 6);
    assert_eq!(
        sum(&outcomes(&question.whole()), |point, outcome| point == 3 && runs(outcome)),
        fraction("1")
    );
}

/// C5 of a melee if casualties count only in the test they cause: each is at 10 - 1, the second at
/// 9 - 1 once Hesitant. If they count permanently, both are at 10 - 2, or one less.
#[test]
fn each_attack_of_a_melee_counts_its_own_casualties() {
    let fields = "units=unit/models=9; sides=front,front; casualties=1";
    let own = ask("assault", &format!("{fields}; casualty-fortitude-permanent=false"));
    assert_eq!(status(&own, 1, 1, "normal"), fraction("81/400"));
    assert_eq!(status(&own, 1, 1, "shaken"), fraction("132/400"));
    assert_eq!(status(&ask("assault", fields), 1, 1, "normal"), fraction("64/400"));
    // Both of two casualties in one attack count in each of two tests.
    let each = "units=unit/models=9; casualties=2; casualty-tests=per-casualty; casualty-fortitude-permanent=false";
    assert_eq!(status(&ask("assault", each), 1, 1, "normal"), fraction("64/400"));
}

/// The only order of the enemy does not let it fire, except Defend: 1 die at 10.
#[test]
fn unit_fires_only_with_an_order_that_allows_it() {
    let fields = |orders: &str| {
        format!(
            "units=unit/models=1,defense=0; enemies=unit/models=1,attack=10; enemy-orders={orders}; \
             1.do=turn; 2.do=fire; 2.at=1; 2.by=2"
        )
    };
    for (orders, odds) in [
        ("march", "0"),
        ("rest", "0"),
        ("run", "0"),
        ("defend", "1/2"),
        ("none", "1/2"),
        ("move-and-fire", "8/20"),
    ] {
        assert_sequence(&fields(orders), &[(1, 1, "destroyed", odds)]);
    }
}

/// Orders by slot. All-Around Defense has no flanks; a unit that assaults needs no order.
#[test]
fn orders_apply_to_the_units_of_their_slots() {
    let fields = |order: &str| {
        format!(
            "units=2x unit; enemies=unit/attack=0; 1.do=turn; 1.orders=2:{order}; 2.do=assault; 2.at=2; 2.by=3; 2.sides=flank"
        )
    };
    // The attack of 0 + 2 + 2 has 5 dice at 4/20. With Defense 20 only the test before the melee
    // matters.
    let sure = |order: &str| fields(order).replace("2x unit", "2x unit/defense=20");
    assert_sequence(&sure("all-around-defense"), &[(1, 2, "normal", "1")]);
    assert_sequence(&sure("defend"), &[(1, 2, "normal", "8/20"), (1, 1, "normal", "1")]);
    assert_sequence(&sure("march"), &[(1, 2, "normal", "7/20")]);
}

/// If a distance is not given, a unit moves its whole rate: 2 hexes of Panic at once, then 2 more,
/// in Panic or, with C1 passed at 7, in flight. A Shaken unit flees 2 hexes at once, then 2 more if
/// C1 fails at 8.
#[test]
fn unit_moves_its_whole_rate_without_a_distance() {
    for [unit, hexes, odds] in rows(
        "
            unit/panicked,staff=5 | 4 | 1
            unit/shaken,edge=30 | 4 | 12/20
            unit/shaken,edge=30 | 2 | 8/20
            samurai-cavalry/base=10,shaken,edge=30 | 8 | 12/20
        ",
    ) {
        let question = ask("recover", &format!("units={unit}; turns=1; just-routed=true"));
        let found = |outcome: &Outcome| matches!(outcome, Outcome::Unit(1, standing) if standing.hexes.to_string() == hexes);
        assert_eq!(
            sum(&outcomes(&question.whole()), |_, outcome| found(outcome)),
            fraction(odds),
            "{unit}: {hexes}"
        );
    }
    // Sixty turns of 60 hexes exceed a byte.
    let far = ask("recover", "units=unit/panicked,base=1,staff=5; turns=60; panic-hexes=60");
    let all =
        |outcome: &Outcome| matches!(outcome, Outcome::Unit(1, standing) if standing.hexes == 3600);
    assert!(
        possible_outcomes(&far.whole()).iter().all(|(point, outcome)| *point < 60 || all(outcome))
    );
}

/// A unit is engaged, as the notation says, until it flees.
#[test]
fn unit_that_flees_leaves_the_melee() {
    // Shaken and engaged: no C1 in turn 1, then it has fled: C1 at 8.
    assert_eq!(
        status(&ask("recover", "units=unit/shaken,engaged; turns=2"), 1, 1, "hesitant"),
        fraction("0")
    );
    assert_eq!(
        status(&ask("recover", "units=unit/shaken,engaged; turns=2"), 2, 1, "hesitant"),
        fraction("8/20")
    );
    assert_eq!(
        status(&ask("recover", "units=unit/shaken,engaged,blocked; turns=2"), 2, 1, "hesitant"),
        fraction("0")
    );
}

#[test]
fn questions_are_described_in_words() {
    for [kind, fields, words] in rows(
        "
            test     | units=unit/shaken; cause=rear; order=march | unit/shaken assaulted in the rear, order march
            recover  | units=2x unit/shaken; just-routed=true; turns=1 | unit/shaken + unit/shaken just routed, over 1 turn
            fire     | units=unit; by=samurai-cavalry; attacks=2; turns=3; until=routed | unit under fire of samurai-cavalry (fire-ranged-weapons) 2 times a turn, 3 turns, until routed
            assault  | units=unit; sides=flank,rear; dice=3; value=9; orders=defend,retreat; staff-lost=true | unit assaulted (flank, rear) by 3 dice at 9 from each side, 1 turn, orders defend or retreat, General Staff lost
            sequence | units=unit; enemies=unit; 1.do=turn; 2.do=turn | unit against unit in a sequence of 2 turns
        ",
    ) {
        assert_eq!(ask(kind, fields).texts().in_words, words);
    }
}

#[test]
fn questions_report_their_notes() {
    for [kind, fields, note] in rows(
        "
            recover | units=unit/shaken,base=2 | the unit can never become Normal: a test cannot be passed
            recover | units=unit/shaken,engaged | the unit is engaged: it makes no test in the Morale Phase
            test    | units=unit; cause=morale | the unit is Normal: it makes no test in the Morale Phase
            test    | units=unit/shaken; cause=flank; order=defend | the unit is Shaken: it gets no order
            test    | units=unit/shaken,engaged; cause=morale | the unit is engaged: it makes no test in the Morale Phase
            test    | units=unit; cause=rear; order=all-around-defense | the unit has neither flank nor rear in All-Around Defense: it makes no test
            recover | units=2x unit/shaken | each of units 1 and 2 is Normal after 85/18 = 4.722 Morale Phases on average
            test    | units=unit + unit/shaken; cause=morale | unit 1 is Normal: it makes no test in the Morale Phase
            assault | units=unit | no unit fights: only the tests before the melee are made
            assault | units=unit; by=2x unit; sides=front,rear | the unit attacks its first remaining enemy
        ",
    ) {
        assert_eq!(ask(kind, fields).texts().notes, [note], "{fields}");
    }
    assert_eq!(ask("recover", "units=unit/shaken,staff=4").texts().notes, [""; 0]);
}

/// Every counter that an outcome prints reads back as itself, and every predefined unit can be
/// used.
#[test]
fn printed_counters_parse_back_as_themselves() {
    for (kind, fields) in [
        ("sequence", BATTLE),
        (
            "assault",
            "units=unit/models=4,cavalry,fatigue=1; by=samurai-cavalry/infantry,commander,models=2; turns=2",
        ),
    ] {
        let question = ask(kind, fields);
        let mut printed = 0;
        for (point, outcome) in possible_outcomes(&question.whole()) {
            let label = question.label(point, &outcome);
            for counter in label.unit.into_iter().chain(label.counter) {
                let members = parse(&counter).unwrap_or_else(|fault| panic!("{counter}: {fault}"));
                assert_eq!(members.iter().map(ToString::to_string).collect::<Vec<_>>(), [counter]);
                printed += 1;
            }
        }
        assert!(printed > 10);
    }
    for StockUnit { name, about, .. } in Fortitude.units() {
        assert_eq!(parse(&name).unwrap().len(), 1, "{name}: {about}");
    }
}

/// The labels of all outcomes have known slots, report points and statuses.
#[test]
fn labels_have_slots_points_and_known_statuses() {
    let battle = ask("sequence", BATTLE);
    assert_eq!((battle.facts().units, battle.facts().points), (2, Some("turn")));
    for (point, outcome) in possible_outcomes(&battle.whole()) {
        let label = battle.label(point, &outcome);
        assert_eq!((label.step, label.phase), (None, Some(point)));
        assert!((1..=4).contains(&label.slot.unwrap()) && (1..=2).contains(&point));
        assert!(battle.facts().kind.statuses.contains(&label.status.unwrap()));
        assert_eq!(
            label.counter.is_none(),
            matches!(label.status.unwrap(), "destroyed" | "surrendered" | "left-board")
        );
    }
    let test = ask("test", "units=unit; cause=flank");
    assert_eq!(test.facts().points, None);
    for (point, outcome) in possible_outcomes(&test.whole()) {
        let label = test.label(point, &outcome);
        assert_eq!((label.step, label.phase, label.unit.as_deref()), (None, None, Some("unit")));
    }
}
