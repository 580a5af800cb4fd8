//! First decisions worked out by hand as fractions, with Heat of Battle off.
//! Fractions of 36 are chances of a DR.

use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::asl::campaign::{Campaign, CampaignOrders, Fire};
use lowcrawl::asl::counting::MEASURES;
use lowcrawl::asl::rout::{Circumstances, Situation};
use lowcrawl::course::campaign::Campaigning;
use lowcrawl::engine::exact;
use lowcrawl::play::{Decision, Playable as _};

use super::lane::Fields;
use super::{BOUND, best_value, objective, solved, under};

/// Returns the first decision of the best play for the objective `wanted`.
fn opening(fields: &Fields, wanted: &str) -> Decision {
    let campaign = fields.campaign();
    let objective = objective(wanted);
    solved(&campaign, &objective).opening().unwrap().expect("a decision")
}

/// Panics unless these are the choices, the best first. Each has its value as numerator and
/// denominator.
fn assert_choices(decision: &Decision, expected: &[(&str, i64, i64)]) {
    let found: Vec<(&str, f64)> =
        decision.choices.iter().map(|choice| (choice.option.as_str(), choice.value[0])).collect();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((option, value), (words, numerator, denominator)) in found.iter().zip(expected) {
        let fraction = *numerator as f64 / *denominator as f64;
        assert!(option.contains(words), "{option} instead of {words}");
        assert!(
            (value - fraction).abs() < 1e-15,
            "{option}: {value} instead of {numerator}/{denominator}"
        );
    }
}

/// A broken 4-6-7 (broken ML 7) under DM in Open Ground in the enemy's sight must choose its rout.
/// Next to it is one Interdicted hex, then woods out of sight. The enemy fires 4 FP +0 without
/// Cowering at what it sees. The unit cannot rally (10.6): there is no leader, and the RPh is not
/// its own. Two Player Turns are left from the RtPh on. In the second comes one attack (7.3). Then
/// a unit left in the open runs into the woods without Interdiction (10.53: the hex it starts in
/// does not count).
///
/// Attack A on the squad, by Original DR:
///
/// * 2 (1/36) is K/2 (7.302): a 2-4-7 of broken ML 6 takes a 2MC and survives with 4 or less, 6/36.
/// * 3 (2/36) is 2MC: 10/36 pass, 25/36 are Reduced (10.3), 1/36 is lost (10.31).
/// * 4 or 5 (7/36) is 1MC: 15/36, 20/36, 1/36.
/// * 6 (5/36) is NMC: 21/36, 14/36, 1/36.
/// * 7 is PTC, which no broken unit takes (7.305), and the rest no effect: 21/36.
///
/// So of 1296 cases 1 x 6 + 14 x 35 + 21 x 36 = 1252 survive: 313/324. The squads left are 1 x 3 +
/// 2 x 22.5 + 7 x 25 + 5 x 28 + 21 x 36 = 1119: 373/432.
///
/// 10.52: if it Low Crawls, it takes attack A as a whole squad.
///
/// 10.53: if it runs, it goes on with 15/36, and with 6/36 (a 7) it is pinned and suffers attack A.
/// With 14/36 it goes on as a half-squad, and with 1/36 it is lost. It survives with 29/36 + 6/36 x
/// 313/324 = 1879/1944, against 1878/1944 of the Low Crawl. The squads left are 15/36 + 7/36 + 6/36
/// x 373/432 = 1957/2592, against 2238/2592.
///
/// To survive it runs, better by 1/1944. To keep its strength it Low Crawls, better by 281/2592.
#[test]
fn run_is_best_to_survive_and_low_crawl_to_keep_strength() {
    let fields = Fields::from_unit("german:4-6-7/dm").and("open=1; turns=2; own-rph=never");
    let fields = fields.and("fp=4; no-cowering");
    let survives = opening(&fields, "survives");
    assert_choices(&survives, &[("runs for the woods", 1879, 1944), ("Low Crawls", 313, 324)]);
    assert!((survives.margin() - 1.0 / 1944.0).abs() < 1e-15);
    let left = opening(&fields, "squad-equivalents");
    assert_choices(&left, &[("Low Crawls", 373, 432), ("runs for the woods", 1957, 2592)]);
    assert!((left.margin() - 281.0 / 2592.0).abs() < 1e-15);
}

/// 10.62: a 4-6-7 under DM in brush, which is no Open Ground and forces no unit to rout (10.5).
/// Beside it are woods out of sight, with a 9-1. It cannot rally at first (10.6). The enemy may
/// fire 4 FP +0 without Cowering, or hold its fire.
///
/// Without DM the unit may not rout (10.5), and the enemy holds its fire lest it give DM back
/// (10.62). The unit stays, and never rallies: 0.
///
/// With DM kept it routs to the 9-1. In the second RPh it rallies with 5 or less (ML 7, -1 for the
/// leader, -1 in woods, +4), 10/36. As a half-squad it rallies with 4 or less, 6/36. An enemy that
/// holds its fire leaves it 10/36, so the enemy fires. By the attack worked out above, 2 x 10 + 7 x
/// 15 + 5 x 21 + 21 x 36 = 986 of 1296 are left as a squad. 1 x 6 + 2 x 25 + 7 x 20 + 5 x 14 = 266
/// are left as a half-squad: (986 x 10 + 266 x 6) / 46656 = 179/729.
#[test]
fn dm_is_kept_to_rout_to_a_leader() {
    let fields = Fields::from_unit("german:4-6-7/dm").and("here=brush; open=0; leader=german:9-1");
    let fields = fields.and("fp=4; no-cowering; enemy-holds-fire");
    let fields = fields.and("begin=rally; turns=2; own-rph=never");
    let decision = opening(&fields, "good-order");
    let [keeps, loses] = &decision.choices[..] else { panic!("{decision:?}") };
    assert!(["DM is kept", "keeps DM"].contains(&keeps.option.as_str()), "{}", keeps.option);
    assert!((keeps.value[0] - 179.0 / 729.0).abs() < 1e-15, "{}", keeps.value[0]);
    assert_eq!(loses.value[0], 0.0);
}

/// 10.62, 18.11: a 4-6-7 under DM in Open Ground out of sight, alone, with no cover near.
/// The second RPh is its own. It rallies with +1 (10.63): without DM by 6 or less, 15/36; with DM
/// by an Original 2 only, 1/36.
#[test]
fn dm_is_removed_to_self_rally() {
    let fields = Fields::from_unit("german:4-6-7/dm")
        .and("exposed=false; open=12; interdicted=0; begin=rally; turns=2; own-rph=even");
    let decision = opening(&fields, "good-order");
    let [loses, keeps] = &decision.choices[..] else { panic!("{decision:?}") };
    assert!(["DM is removed", "loses DM"].contains(&loses.option.as_str()), "{}", loses.option);
    assert!(
        (loses.value[0] - 15.0 / 36.0).abs() < 1e-15 && (keeps.value[0] - 1.0 / 36.0).abs() < 1e-15,
        "{decision:?}"
    );
    assert!((decision.margin() - 7.0 / 18.0).abs() < 1e-15);
}

/// 10.62, I-28: beside the enemy a broken 4-6-7 is under DM, though the field does not say so.
/// An 8-0 rallies it by 3 or less, 3/36. Were DM gone until the enemy comes anew, it would rally by
/// 7 or less, 21/36. If it does not rally, it surrenders (20.21).
#[test]
fn unit_broken_beside_the_enemy_is_under_dm() {
    let fields = Fields::from_unit("german:4-6-7/broken")
        .and("range=1; leader-here=german:8-0; begin=rally");
    for (i28, faces) in [("default", 3.0), ("alternative", 21.0)] {
        let decision = opening(&fields.with("turns", 1).with("i28", i28), "good-order");
        assert!((decision.choices[0].value[0] - faces / 36.0).abs() < 1e-15, "{i28}: {decision:?}");
    }
}

/// 10.41: in sight of the enemy an unbroken 4-6-7 may break of its own accord, or hold its place.
/// In its last Rout Phase those are all its choices.
#[test]
fn unbroken_unit_may_hold_its_place_or_break() {
    let decision =
        opening(&Fields::from_unit("german:4-6-7").and("turns=1; fp=0; range=4"), "good-order");
    assert_choices(&decision, &[("holds its place", 1, 1), ("breaks of its own accord", 0, 1)]);
}

/// 5.1: woods that hold 2.5 squad-equivalents have room for a half-squad.
/// For a squad they cost 1 MF more, and the squad has none of its 6 to spare. By the attack worked
/// out above, the fire Reduces it in 266 of 1296 cases. Then it is in cover at the end.
#[test]
fn half_squad_enters_woods_without_room_for_a_squad() {
    let fields =
        Fields::from_unit("german:4-6-7/dm").and("open=4; interdicted=0; begin=fire; turns=1");
    let lane = fields.and("fp=4; no-cowering").lane().unwrap();
    let in_cover = |crowd: u32| {
        let crowd = vec![(lane.lane.location(5), crowd)];
        let campaign =
            Campaign::new(Situation { crowd, ..lane.situation.clone() }, lane.orders.clone());
        best_value(&campaign, &objective("in-cover"))
    };
    for (crowd, expected) in [(4, 1252.0), (5, 266.0), (6, 0.0)] {
        assert!(
            (in_cover(crowd) - expected / 1296.0).abs() < 1e-15,
            "{crowd}: {}",
            in_cover(crowd)
        );
    }
}

/// 7.3, 7.9: an enemy of 1 FP fires at what it sees.
/// A 3 that is no doubles (2 of 36) is a 1MC for the squad of ML 7. A 4 that is none (2 of 36) is
/// an NMC. The squad breaks with 21 and 15 of 36, in all (2 x 21 + 2 x 15) / 1296. An enemy that is
/// concealed, in Melee, stunned, TI or holding its fire does not fire.
#[test]
fn only_able_enemies_in_sight_fire() {
    let fields = Fields::from_unit("german:4-6-7").and("here=brush; begin=fire; turns=1");
    let value = |exposed: bool, circumstances: Circumstances| {
        let lane = fields.with("exposed", exposed).lane().unwrap();
        let mut situation = lane.situation.clone();
        situation.enemies[0].circumstances = circumstances;
        best_value(
            &Campaign::new(situation, CampaignOrders { fire: Fire::Everyone, ..lane.orders }),
            &objective("good-order"),
        )
    };
    let none = Circumstances::default;
    assert!((value(true, none()) - 17.0 / 18.0).abs() < 1e-15);
    assert_eq!(value(false, none()), 1.0);
    for (case, circumstances) in [
        ("concealed", Circumstances { concealed: true, ..none() }),
        ("in Melee", Circumstances { in_melee: true, ..none() }),
        ("stunned", Circumstances { stunned: true, ..none() }),
        ("TI", Circumstances { ti: true, ..none() }),
        ("holds its fire", Circumstances { holds_fire: true, ..none() }),
    ] {
        assert_eq!(value(true, circumstances), 1.0, "{case}");
    }
}

/// 15.5, 20.21: beside the enemy a squad that cannot rout without Interdiction surrenders.
/// SS never surrender to Russians: they Low Crawl away.
#[test]
fn ss_surrender_to_americans_but_not_to_russians() {
    let fields = Fields::from_unit("german-ss:6-5-8/dm").and("range=1; open=1; turns=1");
    for (enemy, expected) in [("russian", 1.0), ("american", 0.0)] {
        assert_eq!(
            best_value(&fields.with("enemy", enemy).campaign(), &objective("survives")),
            expected,
            "{enemy}"
        );
    }
}

/// The objective counts at the end of the last Player Turn of a campaign.
/// Here the unit, in Good Order, holds its place.
#[test]
fn objective_counts_at_end_of_the_last_player_turn() {
    let lane = Fields::from_unit("german:4-6-7").with("turns", 2).lane().unwrap();
    let question = Campaigning::of_lane(&lane);
    assert_eq!(
        question.texts().notes,
        ["german:4-6-7 is not marked as broken, so it begins in Good Order"]
    );
    let chances = exact::odds(&under(&lane.campaign(), |_, _, _| 0), BOUND).unwrap().chances;
    let endings: Vec<_> =
        chances.iter().map(|chance| question.ending(chance.point, &chance.outcome)).collect();
    let [None, Some((1, amounts))] = &endings[..] else { panic!("{endings:?}") };
    let amount =
        |name: &str| amounts[MEASURES.iter().position(|measure| measure.name == name).unwrap()];
    assert_eq!(
        ["good-order", "survives", "squad-equivalents", "in-cover"].map(amount),
        [1.0, 1.0, 1.0, 0.0]
    );
    let about = question
        .policies()
        .into_iter()
        .find(|policy| policy.name == "best-rout")
        .map(|policy| policy.about);
    assert_eq!(about, Some("each rout takes the plan best for that rout"));
}
