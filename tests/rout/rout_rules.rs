//! Tests of rout rules on maps of a few hexes, where the odds can be worked out by hand.
//! The lines of sight are given, and Heat of Battle is off.

use std::sync::Arc;

use crate::board;
use lowcrawl::asl::campaign::{Campaign, CampaignOrders, CampaignOutcome, Fire, Phase};
use lowcrawl::asl::rout::fields::{HexLevel, HexName, SightLine};
use lowcrawl::asl::rout::{
    Circumstances, Enemy, Rout, RoutMove, RoutPhase, RoutPlan, RoutRules, RoutState, Situation,
    Weapon,
};
use lowcrawl::asl::rulebook::{Profile, Rulebook};
use lowcrawl::asl::sequence::OwnRph;
use lowcrawl::asl::unit::Status;
use lowcrawl::board::geometry::Geometry;
use lowcrawl::board::map::{HexContents, Map, PlacedBoard, Works, hex_terrain};
use lowcrawl::board::sight::ListedSight;
use lowcrawl::course::phase::in_order;
use lowcrawl::course::policy::{Followed, RoutPolicy};
use lowcrawl::course::rout::{RoutCourse, prospect};
use lowcrawl::engine::exact::{Bound, Chance, odds};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::process::{Due, Player, Process as _, Silent, WithPolicy};
use lowcrawl::schema::{FieldValue as _, RawValue, Settable as _, Takes};

const SQUAD: &str = "german:4-6-7/broken,dm";

/// Returns the words of a text such as `E5 E6 E7=woods`, each with what it says after `=`.
fn words<'a>(text: &'a str, default: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    text.split_whitespace().map(move |word| word.split_once('=').unwrap_or((word, default)))
}

/// Creates a map of hexes such as `E5 E6 E7=woods`, which are open otherwise.
fn map(hexes: &str) -> Map {
    let hex = |name: &str| lowcrawl::board::hex::Hex::parse(name).unwrap();
    let grounds = words(hexes, "open").map(|(name, terrain)| {
        (hex(name), HexContents::from_terrain(hex_terrain(terrain).unwrap()))
    });
    Map::new(vec![PlacedBoard::alone()], grounds)
}

/// Creates a situation in which only the pairs of hexes in `lines` have a LOS. Units and enemies
/// are hexes, in which a squad and a 6-6-6 are unless another counter is named.
fn situation(hexes: &str, units: &str, enemies: &str, lines: &str) -> Situation {
    let map = map(hexes);
    let at = |name: &str| map.parse_location(name).unwrap();
    let routers = words(units, SQUAD).map(|(name, unit)| board::router(&map, unit, name)).collect();
    let enemies: Vec<Enemy> =
        words(enemies, "american:6-6-6").map(|(name, unit)| board::enemy(unit, at(name))).collect();
    let lines = lines.split_whitespace().map(|line| line.split_once('-').unwrap());
    let lines: Vec<_> = lines.map(|(a, b)| (at(a).hex, at(b).hex, 0)).collect();
    let sight = Arc::new(ListedSight::new(lines, Some(Geometry)));
    Situation { heat_of_battle: false, ..board::situation(map, sight, routers, enemies) }
}

/// Returns the courses other than Low Crawl, each with the name of its final hex.
fn courses(situation: &Situation) -> Vec<(String, RoutCourse)> {
    let courses =
        prospect(situation, &situation.routers[0], Monitor::NONE).unwrap().courses.into_iter();
    let runs = courses.filter(|course| !matches!(course.plan, RoutPlan::Crawl(_)));
    runs.filter_map(|course| Some((situation.map.location_name(course.plan.end()?), course)))
        .collect()
}

/// Returns a situation with a unit upstairs in E5, in a house of two levels with a stairwell. The
/// hexes in `house` also belong to the house.
fn upstairs(hexes: &str, house: &[&str]) -> Situation {
    let mut situation = situation(hexes, "E5", "", "");
    let built = situation.map.hexes().map(|hex| {
        let ground = situation.map.get(hex).unwrap().clone();
        let of_house = house.contains(&hex.to_string().as_str());
        let house =
            HexContents { building: Some(1), upper_levels: 1, stairway: true, ..ground.clone() };
        (hex, if of_house { house } else { ground })
    });
    situation.map = Map::new(vec![PlacedBoard::alone()], built.collect::<Vec<_>>());
    situation.routers[0].at.level = 1;
    situation
}

/// Returns a state in which the enemy may reveal units. Two concealed, pinned enemies see E6, where
/// a squad from E5 has just come on a free rout.
fn before_hidden_enemies() -> (Rout, RoutState) {
    let enemies = "E1=american:6-6-6/pinned I7=american:6-6-6/pinned";
    let mut situation = situation("E1 E5 E6 E7 I7", "E5", enemies, "E1-E6 E6-I7");
    situation.enemies.iter_mut().for_each(|enemy| enemy.circumstances.concealed = true);
    situation.enemy_reveals = true;
    let rout = Rout::new(&situation, &situation.routers[0]);
    let mut state = rout.start(&mut Silent);
    own_move(&rout, &mut state, |chosen| matches!(chosen, RoutMove::GoFree));
    own_move(&rout, &mut state, |chosen| matches!(chosen, RoutMove::Step(_)));
    (rout, state)
}

/// Makes the owner's first move of the wanted kind.
fn own_move(rout: &Rout, state: &mut RoutState, kind: fn(&RoutMove) -> bool) {
    assert!(has_choice(rout, state, Player::Owner));
    let option = rout.moves(state).iter().position(kind).expect("a move");
    rout.choose(state, option, &mut Silent);
}

fn has_choice(rout: &Rout, state: &RoutState, owner: Player) -> bool {
    matches!(rout.due(state), Due::Choice { player, .. } if player == owner)
}

/// Returns the odds of a policy over Player Turns from the RtPh on, with an enemy that never fires.
fn over_turns(situation: Situation, turns: u16, policy: &str) -> Vec<Chance<CampaignOutcome>> {
    let orders = CampaignOrders {
        turns,
        begin: Phase::Rout,
        own_rph: OwnRph::Never,
        fire: Fire::Listed(Vec::new()),
        enemy_holds_fire: false,
        created_stay: false,
        arrivals: Vec::new(),
        names: Vec::new(),
    };
    let followed = Followed::new(RoutPolicy::parse(policy).unwrap());
    let campaign = WithPolicy::new(
        Campaign::new(situation, orders),
        |campaign: &Campaign, state: &_, player, options| {
            followed.option(campaign, state, player, options)
        },
    );
    odds(&campaign, Bound::STANDARD).unwrap().chances
}

fn surrenders(situation: &Situation) -> bool {
    Rout::new(situation, &situation.routers[0]).ruling().surrenders
}

fn assert_36ths(chance: f64, faces: f64) {
    assert!((chance - faces / 36.0).abs() < 1e-12, "{} of 36 instead of {faces}", 36.0 * chance);
}

/// 10.533: of two woods 3 MF away, one is ADJACENT to an enemy found on the way.
/// The unit goes to the other. That is one course, named by the woods where it ends.
#[test]
fn plan_upset_by_a_discovery_is_named_by_its_end() {
    for (woods, enemy) in [("D6", "F6"), ("F6", "D6")] {
        let hexes = format!("E5 E6 E7=woods {woods}=woods {enemy}");
        let enemies = format!("{enemy}=american:6-6-6/pinned");
        let situation = situation(&hexes, "E5", &enemies, &format!("E6-{enemy} E7-{enemy}"));
        let ends: Vec<String> = courses(&situation).into_iter().map(|(end, _)| end).collect();
        assert_eq!(ends, [woods], "the enemy in {enemy}");
    }
}

/// Returns the course of a squad that steps from E5 into E6 and finds the enemy in F6 there. The
/// enemy Interdicts the squad, and woods are beyond in D6.
fn through_a_trap(heat_of_battle: bool) -> RoutCourse {
    let situation = situation("E5 E6 D6=woods F6", "E5", "F6", "E6-F6");
    let courses = courses(&Situation { heat_of_battle, ..situation });
    courses.into_iter().find(|(end, _)| end == "D6").unwrap().1
}

/// After the course, the squad is left whole, as a half-squad, or not at all.
#[test]
fn counters_left_after_interdiction_are_listed() {
    let chances = through_a_trap(false).odds.chances;
    let mut left: Vec<_> = chances
        .iter()
        .map(|chance| (chance.outcome.survives(), chance.outcome.unit.counter_text()))
        .collect();
    left.sort();
    left.dedup();
    let counter = |text: &str| Some(text.to_string());
    assert_eq!(left, [(false, None), (true, counter("2-4-7")), (true, counter("4-6-7"))]);
}

/// 10.5, 10.53: a unit that Interdiction eliminates is not lost by Failure to Rout.
/// The squad of broken ML 7 goes on with 6 or less, 15/36, and as a half-squad with 8 to 11, 14/36.
/// With a 7, 6/36, it is pinned ADJACENT to the enemy, which is Failure to Rout. With a 12 it is
/// lost.
#[test]
fn interdiction_is_no_failure_to_rout() {
    let sum = through_a_trap(false).summary();
    for (chance, faces) in
        [(sum.failed, 6.0), (sum.eliminated, 7.0), (sum.unhurt, 15.0), (sum.hurt, 14.0)]
    {
        assert_36ths(chance, faces);
    }
}

/// 15.1, 10.5: a unit that Heat of Battle makes Good Order or Berserk does not fail to rout.
/// That holds even beside the enemy. An Original 2, 1/36, brings Heat of Battle, with +1 for a
/// broken unit. Of its 36 rolls 18 are Battle Hardening, 12 Berserk and 3 Surrender. The other 3
/// create a Hero beside the broken squad, which does not help the squad.
#[test]
fn heat_of_battle_is_no_failure_to_rout() {
    let sum = through_a_trap(true).summary();
    for (chance, faces) in [
        (sum.failed, 6.0),
        (sum.eliminated, 7.0),
        (sum.captured, 3.0 / 36.0),
        (sum.survives, 29.0 - 3.0 / 36.0),
    ] {
        assert_36ths(chance, faces);
    }
}

/// 20.21: a unit ADJACENT to a Good Order enemy surrenders unless it can rout safely.
/// It must be able to end somewhere without Interdiction. A first step out of the enemy's sight is
/// not enough.
#[test]
fn unit_without_a_safe_rout_surrenders() {
    let with = |enemies: &str, lines: &str| situation("E4 E5 E6 F6", "E5", enemies, lines);
    assert!(!surrenders(&with("E4", "E4-E5")), "E6 is out of its sight");
    assert!(surrenders(&with("E4", "E4-E5 E4-E6")), "the enemy Interdicts E6");
    // In E6 the unit would be ADJACENT to an enemy that it does not know yet.
    // That enemy is pinned, so it Interdicts no unit.
    let mut trap = with("E4 F6=american:6-6-6/pinned", "E4-E5 E6-F6");
    assert!(surrenders(&trap), "E6 is a trap");
    // I-57: by what the unit knows, it gets away.
    trap.rulebook.set("i57", "alternative").unwrap();
    assert!(!surrenders(&trap));
}

/// 20.21, I-15: by `first-hex` only the first hex must be free of Interdiction.
/// The squad may not end in E6, in sight of the pinned enemy. On its way to the woods it is
/// Interdicted in E7.
#[test]
fn first_hex_reading_needs_only_a_safe_first_hex() {
    let far = |lines: &str| {
        let enemies = "E4=american:6-6-6/pinned I7";
        let mut situation = situation("E4 E5 E6 E7 E8=woods I7", "E5", enemies, lines);
        let by_whole_rout = surrenders(&situation);
        situation.rulebook.set("i15", "first-hex").unwrap();
        (by_whole_rout, surrenders(&situation))
    };
    assert_eq!(far("E4-E5 E4-E6"), (false, false));
    assert_eq!(far("E4-E5 E4-E6 E7-I7"), (true, false));
    assert_eq!(far("E4-E5 E4-E6 E6-I7"), (true, true));
}

/// 5.1: units that have routed into a hex take up room there for the next ones.
/// Beyond three squad-equivalents each costs 1 MF more, and the last unit has no MF to spare. The
/// woods of E6 are 6 MF from E1, and 4 MF from E3.
#[test]
fn routed_units_take_up_room_in_the_woods() {
    let last_after = |before: &str| {
        let units = format!("{before} E1");
        let situation = situation("E1 E2 E3 E4 E5 E6=woods I3 I4=woods", &units, "", "");
        let order: Vec<usize> = (0..situation.routers.len()).collect();
        let phase = in_order(&situation, &order, Monitor::NONE).unwrap().unwrap();
        let sums: Vec<(usize, f64)> =
            phase.summaries().map(|(unit, sum)| (unit, sum.in_cover)).collect();
        let (&(_, in_cover), others) = sums.split_last().unwrap();
        assert!(others.iter().all(|(_, in_cover)| *in_cover == 1.0), "{before}");
        assert_eq!(
            (phase.survivors(), phase.in_cover()),
            (order.len() as f64, others.len() as f64 + in_cover)
        );
        in_cover == 1.0
    };
    assert!(last_after(""));
    assert!(last_after("E3 E3"));
    assert!(!last_after("E3 E3 E3"));
    assert!(last_after("E3=german:2-4-7/broken,dm E3=german:2-4-7/broken,dm E3"));
    assert!(!last_after("E3=german:2-4-7/broken,dm E3 E3"));
    // A third squad in other woods takes no room from these.
    assert!(last_after("E3 E3 I3"));
}

/// 10.51: of two routes to one woods, both are shown.
/// One costs the fewest MF, 4, and is Interdicted twice. The other stays out of the enemy's sight
/// and costs 5 MF.
#[test]
fn shortest_route_is_shown_beside_the_best() {
    let hexes = "E1 E5 E6 E7 E8=woods D5 D6 D7";
    let situation = situation(hexes, "E5", "E1", "E1-E6 E1-E7");
    let to_woods =
        courses(&situation).into_iter().filter(|(end, _)| end == "E8").map(|(_, course)| course);
    let ways: Vec<_> = to_woods
        .map(|course| (course.shortest, course.mf.in_halves(), course.interdicted.len()))
        .collect();
    assert_eq!(ways, [(false, 10, 0), (true, 8, 2)]);
}

/// 10.51, 10.53: a unit that runs by a policy also takes the best route.
/// Here that is by F5, F6 and F7, out of the enemy's sight.
#[test]
fn running_policy_takes_the_best_route() {
    let hexes = "E1 E5 E6 E7 E8=woods F5 F6 F7";
    let situation = situation(hexes, "E5", "E1", "E1-E6 E1-E7");
    let chances = over_turns(situation, 1, "run");
    assert!(chances.len() == 1 && chances[0].outcome.in_cover, "{chances:?}");
}

/// 10.51, B16: marsh takes all the MF of a unit.
/// A free rout ends in it with the first step or never.
#[test]
fn free_rout_enters_marsh_only_by_its_first_step() {
    let marshes = situation("E4=marsh E5 E6 E7=marsh", "E5", "", "");
    let mut ends: Vec<String> = courses(&marshes).into_iter().map(|(end, _)| end).collect();
    ends.sort();
    assert_eq!(ends, ["E4", "E6"]);
}

/// 10.52, v2-10.52: a Low Crawl goes to the next Location, which may be down the stairs.
/// By the alternative it goes to the next hex only.
#[test]
fn low_crawl_may_go_down_the_stairs() {
    let mut situation = upstairs("E5=building E6=building", &["E5", "E6"]);
    let crawls = |situation: &Situation| {
        let to = Rout::new(situation, &situation.routers[0]).outlook().low_crawl.into_iter();
        to.map(|site| situation.map.location_name(site)).collect::<Vec<_>>()
    };
    assert_eq!(crawls(&situation), ["E5", "E6 level 1"]);
    situation.rulebook.set("v2-10.52", "alternative").unwrap();
    assert_eq!(crawls(&situation), ["E6 level 1"]);
}

/// 10.51: cover in the building in which the rout begins may be ignored, if it has several hexes.
/// The ground floor of a house of one hex may not.
#[test]
fn cover_in_own_building_is_ignorable_if_it_has_several_hexes() {
    let ignorable = |house: &[&str]| {
        let situation = upstairs("E5=building E6=building", house);
        let outlook = Rout::new(&situation, &situation.routers[0]).outlook();
        let cover = outlook
            .choice
            .cover
            .iter()
            .map(|cover| (situation.map.location_name(cover.location), cover.is_ignorable));
        cover.collect::<Vec<_>>()
    };
    let expected = |cover: &[(&str, bool)]| {
        cover.iter().map(|&(name, may)| (name.to_string(), may)).collect::<Vec<_>>()
    };
    assert_eq!(ignorable(&["E5"]), expected(&[("E5", false), ("E6", false)]));
    assert_eq!(
        ignorable(&["E5", "E6"]),
        expected(&[("E5", true), ("E6 level 1", true), ("E6", true)])
    );
}

/// 10.533: the enemy may reveal each concealed unit once.
/// After one of them only later units are offered.
#[test]
fn concealed_enemies_are_offered_once_in_order() {
    let names = ["E1 american:6-6-6/pinned in E1", "E2 american:6-6-6/pinned in I7"];
    let offered = |option: Option<usize>| {
        let (rout, mut state) = before_hidden_enemies();
        if let Some(option) = option {
            rout.choose(&mut state, option, &mut Silent);
        }
        rout.may_be_revealed(&state)
    };
    assert_eq!(offered(None), Some(names.map(str::to_string).to_vec()));
    assert_eq!(offered(Some(0)), None);
    assert_eq!(offered(Some(1)), Some(vec![names[1].to_string()]));
    assert_eq!(offered(Some(2)), None);
}

/// 10.533, 10.5: a unit has stopped, and then an enemy is revealed before it.
/// It must rout on out of the open. If no enemy is revealed, it may stay there.
#[test]
fn enemy_revealed_after_a_stop_forces_the_unit_on() {
    for (revealed, goes_on) in [(0, false), (1, true), (2, true)] {
        let (rout, mut state) = before_hidden_enemies();
        rout.choose(&mut state, 0, &mut Silent);
        own_move(&rout, &mut state, |chosen| matches!(chosen, RoutMove::Stop));
        rout.choose(&mut state, revealed, &mut Silent);
        if has_choice(&rout, &state, Player::Enemy) {
            rout.choose(&mut state, 0, &mut Silent);
        }
        assert_eq!(has_choice(&rout, &state, Player::Owner), goes_on, "{revealed}");
    }
}

/// 10.533: before a unit begins its rout, the enemy may reveal any units, and the unit knows them.
#[test]
fn enemies_revealed_before_the_rout_are_known() {
    let mut situation = situation("E1 E5 E6 I7", "E5", "E1 I7", "E1-E5 E5-I7");
    situation.enemies.iter_mut().for_each(|enemy| enemy.circumstances.concealed = true);
    situation.enemy_reveals = true;
    let phase = RoutPhase::new(&situation, vec![0]).unwrap();
    for (options, known) in [(&[0][..], &[][..]), (&[1, 0], &[0]), (&[2], &[1]), (&[1, 1], &[0, 1])]
    {
        let mut state = phase.start(&mut Silent);
        for &option in options {
            assert!(state.awaits_enemy(), "{options:?}");
            phase.choose(&mut state, option, &mut Silent);
        }
        assert!(!state.awaits_enemy(), "{options:?}");
        assert_eq!(phase.rout(state.current().0).outlook().known, known, "{options:?}");
    }
}

/// 5.1, 10.51: in the Starter Kit no rout leads into a full hex or through it.
#[test]
fn full_hex_is_closed_in_the_starter_kit() {
    let mut situation = situation("E4=woods E5 E6 E7=woods", "E5", "", "");
    situation.crowd =
        ["E4", "E6"].map(|name| (situation.map.parse_location(name).unwrap(), 6)).to_vec();
    let reached = |situation: &Situation| {
        let outlook = Rout::new(situation, &situation.routers[0]).outlook();
        (outlook.first_steps.len(), outlook.choice.cover.len())
    };
    assert_eq!(reached(&situation), (2, 2));
    situation.rulebook = Rulebook::from_profile(Profile::AslSk);
    assert_eq!(reached(&situation), (0, 0));
}

/// 10.532: broken, pinned, CX, captured and unarmed units do not Interdict, nor do units in Melee
/// or stunned.
/// Encircled units, those marked by Spotted Fire and those in Motion do so in the second edition
/// only. TI units may (I-22).
#[test]
fn only_able_units_interdict() {
    let map = map("E5 E6");
    let [at, target] = ["E5", "E6"].map(|name| map.parse_location(name).unwrap());
    let rulebook = |switch: &str| {
        let mut rulebook = Rulebook::from_profile(Profile::AslV3);
        rulebook.set(switch, "alternative").unwrap();
        rulebook
    };
    let by = |enemy: &Enemy| {
        [Rulebook::from_profile(Profile::AslV3), rulebook("v2-10.532"), rulebook("i22")]
            .map(|rules| enemy.can_interdict(target.hex, rules))
    };
    assert_eq!(by(&board::enemy("american:6-6-6", at)), [true; 3]);
    for unfit in ["broken", "pinned", "cx", "captured", "unarmed"] {
        assert_eq!(
            by(&board::enemy(&format!("american:6-6-6/{unfit}"), at)),
            [false; 3],
            "{unfit}"
        );
    }
    assert_eq!(by(&board::enemy("american:6-6-6/encircled", at)), [false, true, false]);
    let placed = |circumstances| by(&Enemy { circumstances, ..board::enemy("american:6-6-6", at) });
    let none = Circumstances::default;
    assert_eq!(placed(Circumstances { in_melee: true, ..none() }), [false; 3]);
    assert_eq!(placed(Circumstances { stunned: true, ..none() }), [false; 3]);
    assert_eq!(placed(Circumstances { spotted_fire: true, ..none() }), [false, true, false]);
    assert_eq!(placed(Circumstances { moving: true, ..none() }), [false, true, false]);
    assert_eq!(placed(Circumstances { ti: true, ..none() }), [true, true, false]);
}

/// 10.532: a weapon Interdicts within its own Normal Range, whatever the range of its crew.
/// It must function, and may not be fired by a single SMC.
#[test]
fn weapon_interdicts_within_its_own_normal_range() {
    let map = map("E5 E6 E9");
    let [at, target] = ["E5", "E9"].map(|name| map.parse_location(name).unwrap());
    let with = |unit, weapon| {
        let enemy = Enemy { weapon: Some(weapon), firepower: Some(0), ..board::enemy(unit, at) };
        enemy.can_interdict(target.hex, Rulebook::from_profile(Profile::AslV3))
    };
    let gun = Weapon { firepower: 4, range: 4, covered_arc: None, malfunctioned: false };
    assert!(with("russian:2-2-8", gun));
    assert!(!with("russian:2-2-8", Weapon { malfunctioned: true, ..gun }));
    assert!(!with("russian:2-2-8", Weapon { firepower: 0, ..gun }));
    assert!(!with("russian:2-2-8", Weapon { range: 3, ..gun }));
    assert!(!with("russian:9-1", gun));
}

#[test]
fn settings_of_a_phase_apply_to_its_situation() {
    let mut rules = RoutRules::default();
    assert!(rules.settings().contains(&"i22") && rules.settings().iter().all(|id| rules.knows(id)));
    rules.set("night", RawValue::Boolean(true)).unwrap();
    rules.set("elr", RawValue::Integer(2)).unwrap();
    rules.set("i22", RawValue::Text("alternative")).unwrap();
    assert!(rules.set("i222", RawValue::Text("alternative")).is_err());
    let mut situation = situation("E5", "E5", "", "");
    rules.govern(&mut situation).unwrap();
    let mut rulebook = Rulebook::from_profile(Profile::AslV3);
    rulebook.set("i22", "alternative").unwrap();
    assert_eq!((situation.night, situation.elr, situation.rulebook), (true, 2, rulebook));
}

/// A line is given by hand twice; the previous value is reported if it differs.
#[test]
fn line_set_twice_reports_a_differing_value() {
    let map = map("E5 E6");
    let [a, b] = ["E5", "E6"].map(|name| map.parse_location(name).unwrap());
    let mut lines = ListedSight::of_boards(Vec::new(), Geometry);
    assert_eq!(lines.set(a, b, Some(1)), None);
    assert_eq!(lines.set(b, a, Some(1)), None);
    assert_eq!(lines.set(b, a, None), Some(Some(1)));
    assert_eq!(lines.set(a, b, Some(0)), Some(None));
}

/// B27, 10.5: a unit in a foxhole in the enemy's sight need not rout, and so survives.
/// In the open outside, it would have no hex to rout to.
#[test]
fn unit_in_a_foxhole_need_not_rout() {
    let mut situation = situation("E1 E5 E6", "E5", "E1", "E1-E5 E1-E6");
    situation.routers[0].sheltered = false;
    let survivors = |works: Option<Works>| {
        let hole = situation.map.parse("E6").unwrap();
        let with = situation.map.hexes().map(|hex| {
            let ground = situation.map.get(hex).unwrap().clone();
            (hex, if hex == hole { HexContents { works, ..ground } } else { ground })
        });
        let map = Map::new(vec![PlacedBoard::alone()], with.collect::<Vec<_>>());
        let chances = over_turns(Situation { map, ..situation.clone() }, 2, "best-rout");
        let alive = chances
            .iter()
            .filter(|chance| chance.point == 2 && chance.outcome.unit.status != Status::Eliminated);
        alive.map(|chance| chance.probability).sum::<f64>()
    };
    assert_eq!((survivors(None), survivors(Some(Works::Foxhole))), (0.0, 1.0));
}

#[test]
fn written_hexes_and_lines_are_parsed() {
    assert_eq!(HexName::read("at", RawValue::Text("K5")).unwrap().0, "K5");
    assert!(HexName::read("at", RawValue::Integer(5)).is_err());
    let level = |text| HexLevel::read("level", RawValue::Text(text)).ok().map(|level| level.0);
    assert_eq!(["-4", "-3", "20", "21"].map(level), [None, Some(-3), Some(20), None]);
    assert!(matches!(HexLevel::TAKES, Takes::Number(-3, 20)));
    let line = |value| {
        SightLine::read("K5-K6", value)
            .map(|line| line.0)
            .map_err(|fault| fault.help.unwrap().to_string())
    };
    assert_eq!(
        [line(RawValue::Integer(2)), line(RawValue::Text("Blocked"))],
        [Ok(Some(2)), Ok(None)]
    );
    assert_eq!(line(RawValue::Text("bloked")), Err("did you mean `blocked`?".to_string()));
    assert_eq!(line(RawValue::Boolean(true)), Err("H5-J1 = 0".to_string()));
}
