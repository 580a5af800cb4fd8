//! Decisions on orders: options, policies and the best play.

use lowcrawl::engine::solve::Solution;
use lowcrawl::fortitude::battle::Outcome;
use lowcrawl::fortitude::order::Order;
use lowcrawl::fortitude::{Fortitude, Question};
use lowcrawl::play::{Game as _, Playable as _};
use lowcrawl::process::{Decisions as _, Due, Player, Process as _, Question as _, Silent};

use crate::table::rows;

use super::questions::{ask, fraction, outcomes, status, sum, with_policy};

/// A unit in melee each turn against dice that always hit.
const HELD: &str =
    "units=unit; dice=2; value=20; turns=3; orders=defend,retreat,all-around-defense";

#[test]
fn choice_of_an_order_is_described() {
    let process = ask("assault", HELD).whole();
    let start = process.start(&mut Silent);
    assert_eq!(process.due(&start), Due::Choice { player: Player::Owner, options: 3 });
    assert_eq!(process.decision(&start), "turn 1: the order of unit, Normal, 5 models");
    assert_eq!(
        process.options(&start),
        ["the order defend", "the order retreat", "the order all-around-defense"]
    );
    assert_eq!(process.kinds(&start), ["defend", "retreat", "all-around-defense"]);
}

/// Cavalry is not offered Defend. A single order is no choice, and Shaken units have none.
#[test]
fn only_orders_the_unit_may_have_are_offered() {
    for [fields, options] in rows(
        "
            units=samurai-cavalry; dice=1; value=1; orders=defend,march,retreat | 2
            units=samurai-cavalry; dice=1; value=1; orders=defend,march |
            units=unit/shaken; dice=1; value=1; orders=defend,march |
            units=unit; dice=1; value=1; orders=defend |
            units=unit; dice=1; value=1; orders=defend,run,march; orders-without-commander=defend,march | 2
            units=unit; dice=1; value=1; orders=defend,run; orders-without-commander=defend |
            units=unit/commander; dice=1; value=1; orders=defend,run; orders-without-commander=defend | 2
            units=unit/general-staff; dice=1; value=1; orders=defend,run; orders-without-commander=defend | 2
            units=unit; dice=1; value=1; orders=defend,none; orders-without-commander=none |
        ",
    ) {
        let (process, options) = (ask("fire", fields).whole(), options.parse().ok());
        match process.due(&process.start(&mut Silent)) {
            Due::Choice { options: found, .. } => assert_eq!(Some(found), options, "{fields}"),
            _ => assert_eq!(options, None, "{fields}"),
        }
    }
}

/// A policy plays the order of its name, with the odds of that order fixed.
#[test]
fn policy_plays_the_order_of_its_name() {
    let open = ask("assault", HELD);
    for (policy, order) in
        [("stand", "defend"), ("defend", "defend"), ("all-around-defense", "all-around-defense")]
    {
        let fields =
            HELD.replace("orders=defend,retreat,all-around-defense", &format!("order={order}"));
        assert_eq!(
            outcomes(&with_policy(&open, policy)),
            outcomes(&ask("assault", &fields).whole()),
            "{policy}"
        );
    }
}

/// The enemy chooses the sides after the orders of the turn are known. Each policy plays its way;
/// `worst-sides` plays the worst.
#[test]
fn enemy_chooses_the_sides_of_an_assault() {
    let fields = "units=unit; dice=2; value=9; turns=2; sides=front or flank or flank,rear";
    let open = ask("assault", fields);
    let process = open.whole();
    let start = process.start(&mut Silent);
    assert_eq!(process.due(&start), Due::Choice { player: Player::Enemy, options: 3 });
    assert_eq!(
        process.decision(&start),
        "turn 1: the sides of an assault on unit, Normal, 5 models"
    );
    assert_eq!(process.options(&start), ["front", "flank", "flank and rear"]);
    assert_eq!(process.kinds(&start), ["front", "flank", "flank-rear"]);
    let names = |question: &Question| {
        question.policies().into_iter().map(|policy| policy.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&open), ["worst-sides", "flank-rear", "flank", "front"]);
    for (policy, sides) in [
        ("worst-sides", "flank,rear"),
        ("flank-rear", "flank,rear"),
        ("flank", "flank"),
        ("front", "front"),
    ] {
        let fixed = ask("assault", &fields.replace("front or flank or flank,rear", sides));
        assert_eq!(outcomes(&with_policy(&open, policy)), outcomes(&fixed.whole()), "{policy}");
    }
    // With two units it matters which one assaults the rear; a unit that is not used does not
    // change.
    let units = "units=unit; by=unit/attack=9,models=1 + unit/attack=5,models=1; sides=rear,flank or flank,rear or rear";
    let by_units = ask("assault", units);
    for (policy, sides) in [("rear-flank", "rear,flank"), ("worst-sides", "flank,rear")] {
        let fixed = ask("assault", &units.replace("rear,flank or flank,rear or rear", sides));
        assert_eq!(outcomes(&with_policy(&by_units, policy)), outcomes(&fixed.whole()), "{policy}");
    }
    let one = ask("assault", "units=unit; by=unit/attack=9,models=1; sides=rear");
    let slot_1 = |odds: std::collections::BTreeMap<(u16, Outcome), _>| {
        odds.into_iter()
            .filter(|((_, outcome), _)| matches!(outcome, Outcome::Unit(1, _)))
            .collect::<Vec<_>>()
    };
    assert_eq!(slot_1(outcomes(&with_policy(&by_units, "rear"))), slot_1(outcomes(&one.whole())));
    // If orders are open as well, they come first, and every policy of orders uses the worst sides.
    let both = ask("assault", &format!("{fields}; orders=defend,none"));
    assert_eq!(names(&both), ["stand", "none", "defend", "flank-rear", "flank", "front"]);
    let fixed =
        ask("assault", "units=unit; dice=2; value=9; turns=2; sides=flank,rear; order=defend");
    assert_eq!(outcomes(&with_policy(&both, "stand")), outcomes(&fixed.whole()));
}

/// C4 at 10 - 3 twice. All-Around Defense has no flank, so there is no test whatever the enemy
/// chooses.
#[test]
fn all_around_defense_has_no_worst_side() {
    let open =
        ask("assault", "units=unit; orders=all-around-defense,none; sides=front or flank,flank");
    for (policy, odds) in [("all-around-defense", "1"), ("none", "49/400"), ("front", "1")] {
        let is_normal = |outcome: &Outcome| matches!(outcome, Outcome::Unit(1, standing) if standing.status.name() == "normal");
        assert_eq!(
            sum(&outcomes(&with_policy(&open, policy)), |_, outcome| is_normal(outcome)),
            fraction(odds),
            "{policy}"
        );
    }
}

#[test]
fn only_policies_with_an_effect_are_offered() {
    for (kind, fields, names) in [
        (
            "assault",
            HELD,
            &["stand", "flee-when-hesitant", "defend", "all-around-defense", "retreat"][..],
        ),
        (
            "fire",
            "units=unit; casualties=1; orders=run,march",
            &["stand", "flee-when-hesitant", "march", "run"],
        ),
        (
            "fire",
            "units=samurai-cavalry; casualties=1; orders=defend,march,none",
            &["stand", "none", "march"],
        ),
        ("fire", "units=samurai-cavalry; casualties=1; orders=defend,march", &[]),
        ("fire", "units=unit; casualties=1; orders=defend", &[]),
        ("recover", "units=unit/shaken", &[]),
        // A unit that assaults has that order in the only turn.
        ("assault", "units=unit; by=unit; enemy-orders=march,retreat", &[]),
        (
            "assault",
            "units=unit; by=unit; turns=2; enemy-orders=march,none",
            &["stand", "none", "march"],
        ),
    ] {
        let found: Vec<String> =
            ask(kind, fields).policies().into_iter().map(|policy| policy.name).collect();
        assert_eq!(found, names, "{kind} {fields}");
    }
    // Run is not a way to stand: with Run open, `flee-when-hesitant` uses it.
    let open = ask("fire", "units=unit/hesitant; casualties=1; orders=run,march");
    for (policy, order) in [("stand", "march"), ("flee-when-hesitant", "run")] {
        let fixed = ask("fire", &format!("units=unit/hesitant; casualties=1; order={order}"));
        assert_eq!(outcomes(&with_policy(&open, policy)), outcomes(&fixed.whole()), "{policy}");
    }
}

/// Two certain hits a turn cost one model against Defense 1, and C5 is at 9. A unit that flees when
/// Hesitant fights one turn less: it loses a model in turns 1 and 2, and has left by turn 3. A unit
/// that stands loses three, unless it becomes Shaken before.
#[test]
fn fleeing_when_hesitant_leaves_the_melee() {
    let open = ask("assault", "units=unit; dice=2; value=20; turns=3; orders=none,retreat");
    let lost = |policy: &str, models: u8| {
        sum(&outcomes(&with_policy(&open, policy)), |point, outcome| {
            point == 3
                && matches!(outcome, Outcome::Unit(1, standing) if standing.casualties == models)
        })
    };
    // Normal to the end of turn 2: 9/20 * 8/20. Hesitant in turn 2 it loses two against Defense 1 -
    // 1 - 1, and leaves.
    assert_eq!(lost("flee-when-hesitant", 2), fraction("0"));
    // Hesitant after turn 1 (11/20): 1 + 2 models. Normal, then Hesitant (9/20 * 12/20): 1 + 1 + 2.
    assert_eq!(lost("flee-when-hesitant", 4), fraction("27/100"));
    assert_eq!(lost("flee-when-hesitant", 3), fraction("73/100"));
}

/// The best of three orders is never worse than any policy; the enemy makes its own choices.
#[test]
fn best_play_is_no_worse_than_any_policy() {
    let open = ask("assault", "units=unit; dice=4; value=9; turns=3; orders=none,defend,retreat");
    let process = open.whole();
    let normal = |point, outcome: &Outcome| {
        [open.ending(point, outcome).map_or(0.0, |(_, measures)| measures[2])]
    };
    let mut solution = Solution::new(&process, normal, 1 << 20);
    let best = solution.worth(&process.start(&mut Silent)).unwrap()[0];
    for policy in ["stand", "none", "defend", "retreat", "flee-when-hesitant"] {
        let odds = outcomes(&with_policy(&open, policy));
        let worth = sum(&odds, |point, outcome| normal(point, outcome)[0] > 0.0).to_f64();
        assert!(best >= worth - 1e-12, "{policy}: {worth} beats {best}");
    }
    let enemy = ask(
        "assault",
        "units=unit; by=2x unit; sides=front,front; turns=2; enemy-orders=march,retreat",
    )
    .whole();
    let mut state = enemy.start(&mut Silent);
    let found = loop {
        match enemy.due(&state) {
            Due::Choice { player, options } => break (player, options),
            Due::Roll(_, terms) => {
                let miss = enemy.read(&terms, lowcrawl::dice::Dice::D20.face(20).unwrap());
                enemy.apply(&mut state, miss, &mut Silent);
            }
            Due::Report(_) => enemy.pass(&mut state, &mut Silent),
            Due::Over => panic!("nobody chooses"),
        }
    };
    assert_eq!(found, (Player::Enemy, 2));
    assert_eq!(
        enemy.decision(&state),
        "turn 2: the order of enemy unit [2], Normal, 5 models, in melee"
    );
}

/// The measures are: survives, ready, normal, models left, and for the enemy destroyed.
#[test]
fn endings_give_the_value_of_each_measure() {
    let question = ask("assault", "units=unit/shaken,casualties=2; by=unit/models=1,defense=0");
    let mut seen = Vec::new();
    for ((point, outcome), _) in outcomes(&question.whole()) {
        let Outcome::Unit(slot, standing) = &outcome else { panic!("not joint") };
        let (of, measures) = question.ending(point, &outcome).unwrap();
        assert_eq!(of, *slot);
        seen.push((*slot, standing.status.name(), standing.casualties, measures));
    }
    assert!(seen.contains(&(1, "shaken", 2, vec![1.0, 0.0, 0.0, 3.0, 0.0])), "{seen:?}");
    assert!(seen.contains(&(2, "destroyed", 1, vec![0.0, 0.0, 0.0, 0.0, 1.0])), "{seen:?}");
    assert_eq!(Fortitude.measures().len(), 5);
    let early = ask("recover", "units=unit/shaken; turns=2");
    assert!(
        outcomes(&early.whole())
            .keys()
            .all(|(point, outcome)| early.ending(*point, outcome).is_some() == (*point == 2))
    );
    assert_eq!(status(&early, 1, 1, "hesitant"), fraction("8/20"));
}

#[test]
fn help_of_order_fields_lists_all_orders() {
    let fields = Fortitude
        .kinds()
        .iter()
        .flat_map(|kind| kind.fields())
        .filter(|field| field.name.contains("order"));
    let orders = Order::ALL.map(Order::name).join(", ");
    let mut seen = 0;
    for field in fields {
        assert!(field.about.ends_with(&format!(": {orders}")), "{}: {}", field.name, field.about);
        seen += 1;
    }
    assert_eq!(seen, 9);
}
