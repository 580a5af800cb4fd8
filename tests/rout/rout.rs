//! Tests of the published rout examples, which are situation files (studies/rout).
//! The expected results are those of the articles and the rulebook (10.5 - 10.533).
#![cfg(feature = "cli")]

use std::path::Path;

use crate::board;
use lowcrawl::asl::rout::{Duty, FirstAction, Rout, RoutPlan, Situation};
use lowcrawl::board::map::Location;
use lowcrawl::board::terrain::Mf;
use lowcrawl::course::rout::{Prospect, prospect};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::scenario::{Overrides, as_written, read};
use lowcrawl::schema::{RawValue, Settable as _};

struct Example {
    situation: Situation,
    found: Vec<Prospect>,
}

fn example_with(name: &str, over: Overrides) -> Example {
    let folder = Path::new("studies/rout");
    let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap();
    let open = |name: &str| std::fs::read_to_string(folder.join(name));
    let situation =
        read(&text, over, &open).unwrap_or_else(|error| panic!("{name}: {error:?}")).situation;
    let found = situation
        .routers
        .iter()
        .map(|router| prospect(&situation, router, Monitor::NONE).unwrap())
        .collect();
    Example { situation, found }
}

fn example(name: &str) -> Example {
    example_with(name, &|rules| rules.set("no-hob", RawValue::Boolean(true)))
}

impl Example {
    fn names(&self, sites: impl IntoIterator<Item = Location>) -> String {
        let board = &self.situation.map.boards()[0].prefix;
        let name = |site| self.situation.map.location_name(site)[board.len()..].to_string();
        let mut names: Vec<String> = sites.into_iter().map(name).collect();
        names.sort();
        names.join(" ")
    }
    fn known(&self) -> String {
        self.names(
            self.found[0].outlook.known.iter().map(|&enemy| self.situation.enemies[enemy].at),
        )
    }
    fn first_steps(&self, unit: usize) -> String {
        self.names(self.found[unit].outlook.first_steps.iter().copied())
    }
    fn destinations(&self, unit: usize) -> String {
        self.names(self.found[unit].outlook.choice.destinations().map(|cover| cover.location))
    }
    fn ignorable(&self, unit: usize) -> String {
        self.names(
            self.found[unit]
                .outlook
                .choice
                .cover
                .iter()
                .filter(|cover| cover.is_ignorable)
                .map(|cover| cover.location),
        )
    }
    fn crawls(&self) -> String {
        self.names(self.found[0].outlook.low_crawl.iter().copied())
    }
    fn mf(&self, hex: &str) -> f64 {
        let site = self.situation.map.parse_location(hex).unwrap();
        let cover =
            self.found[0].outlook.choice.cover.iter().find(|cover| cover.location == site).unwrap();
        Mf::halves(cover.cost).number()
    }
    fn interdicted(&self, unit: usize, hex: &str) -> String {
        let site = self.situation.map.parse_location(hex).unwrap();
        let by = self.found[unit]
            .outlook
            .interdicted
            .iter()
            .find(|(swept, _)| *swept == site)
            .map(|(_, by)| by.clone());
        self.names(by.unwrap_or_default().into_iter().map(|enemy| self.situation.enemies[enemy].at))
    }
    /// Returns the probabilities to survive, and to be in cover unreduced, by the best play after a
    /// first step. A `>` before the hex stands for a Low Crawl.
    fn best(&self, unit: usize, action: &str) -> [f64; 2] {
        let site = |hex: &str| self.situation.map.parse_location(hex).unwrap();
        let action = match action.strip_prefix('>') {
            Some(hex) => FirstAction::Crawl(site(hex)),
            None if action == "stay" => FirstAction::Stay,
            None => FirstAction::Step(site(action)),
        };
        let found = self.found[unit].first_actions.iter().find(|(known, _)| *known == action);
        found.unwrap_or_else(|| panic!("{action:?} is not possible")).1
    }
    /// Returns the probability to survive by the best plan that ends in a hex.
    fn survives(&self, end: &str) -> f64 {
        let site = self.situation.map.parse_location(end).unwrap();
        let course = self.found[0].courses.iter().find(|course| {
            course.plan.end() == Some(site) && !matches!(course.plan, RoutPlan::Crawl(_))
        });
        course.unwrap_or_else(|| panic!("no plan ends in {end}")).summary().survives
    }
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} is not {b}");
}

/// 10.53: the Interdiction NMC of a 4-6-7 with broken morale 7.
/// Of 36 rolls 15 pass clean, 6 pin, 14 Reduce and 1 eliminates.
const CLEAN: f64 = 15.0 / 36.0;
const PIN: f64 = 6.0 / 36.0;

/// 10.51, example 1: Z9 and AA10 are at 3 MF; Z7 and Z8 would be nearer to Z5.
#[test]
fn example_1_has_two_destinations_at_3_mf() {
    let example = example("sk01");
    assert_eq!(example.found[0].ruling.verdict, Duty::Must);
    assert_eq!(example.known(), "CC8 Z5");
    assert_eq!(example.first_steps(0), "AA9 BB9");
    assert_eq!(example.destinations(0), "AA10 Z9");
    near(example.mf("Z9"), 3.0);
    near(example.mf("AA10"), 3.0);
}

/// 10.51, 10.53, example 2: the route to P1 leads by P3 and P2, both Interdicted by both enemies.
#[test]
fn example_2_route_is_interdicted_twice() {
    let example = example("sk02");
    assert_eq!((example.first_steps(0).as_str(), example.destinations(0).as_str()), ("P3", "P1"));
    near(example.mf("P1"), 4.0);
    assert_eq!(example.interdicted(0, "P3"), "N3 P5");
    assert_eq!(example.interdicted(0, "P2"), "N3 P5");
    // The unit takes two NMCs; a half-squad (broken morale 6) takes the second: 10 clean, 5 pins.
    let second = |clean: f64, pin: f64| clean + pin;
    let half_squad = second(10.0 / 36.0, 5.0 / 36.0);
    let squad = CLEAN + PIN + 14.0 / 36.0;
    // I-55: in the Starter Kit the half-squad of a failed NMC may stop there, and may lie in the
    // open then.
    assert!(half_squad < 1.0);
    near(example.best(0, "P3")[0], PIN + 14.0 / 36.0 + CLEAN * squad);
    near(example.best(0, "P3")[1], CLEAN * CLEAN);
}

/// 10.51, example 3: W6 may be ignored, because it is no farther from Y6.
/// The next are then U3, U6 and V6 at 4 MF.
#[test]
fn example_3_may_ignore_cover_no_farther_from_the_enemy() {
    let example = example("sk03");
    assert_eq!(
        (example.destinations(0).as_str(), example.ignorable(0).as_str()),
        ("U3 U6 V6 W6", "W6")
    );
    near(example.mf("W6"), 3.0);
    near(example.mf("U3"), 4.0);
}

/// 10.51, example 4: no cover is within 6 MF; X5 is the one first step, then X4, Y5 or any hex.
#[test]
fn example_4_without_cover_routs_freely() {
    let example = example("sk04");
    assert_eq!((example.known().as_str(), example.first_steps(0).as_str()), ("U4 V6 Z7", "X5"));
    assert_eq!(example.destinations(0), "");
    assert!(example.found[0].outlook.choice.is_free);
    assert_eq!(example.interdicted(0, "X5"), "U4 Z7");
    for end in ["X4", "Y5"] {
        assert!(example.survives(end) > 0.0, "{end}");
    }
}

/// 10.51, 10.53, example 5: P6 is the destination.
/// In P7 the squad discovers O6, and may then go on to any hex.
#[test]
fn example_5_discovery_frees_the_squad() {
    let example = example("sk05");
    assert_eq!((example.known().as_str(), example.destinations(0).as_str()), ("R6", "P6"));
    near(example.mf("P6"), 4.0);
    assert_eq!(example.interdicted(0, "Q8"), "R6");
    assert_eq!(example.interdicted(0, "P7"), "O6 R6");
    // The run never ends in P6: the unit survives elsewhere.
    let run = &example.found[0]
        .courses
        .iter()
        .find(|course| matches!(course.plan, RoutPlan::Destination { .. }))
        .unwrap();
    let p6 = example.situation.map.parse_location("P6").unwrap();
    assert!(run.odds.chances.iter().all(|chance| chance.outcome.at != p6));
    assert!(run.summary().survives > 0.9);
}

/// 10.5, 10.52, example 6: the run to Z7 ends beside Z8, so only a pin or a Reduction in Z6 saves
/// the squad.
/// A Low Crawl to Z4 saves it surely.
#[test]
fn example_6_low_crawl_is_safer_than_the_run() {
    let example = example("sk06");
    assert_eq!(
        (
            example.first_steps(0).as_str(),
            example.destinations(0).as_str(),
            example.crawls().as_str()
        ),
        ("Z4", "Z7", "Z4")
    );
    near(example.mf("Z7"), 6.0);
    assert_eq!(example.interdicted(0, "Z6"), "W4");
    near(example.best(0, ">Z4")[0], 1.0);
    // The unit is pinned in Z6, or is Reduced there and stops (I-55).
    near(example.best(0, "Z4")[0], PIN + 14.0 / 36.0);
    let barred = self::example("sk06b");
    assert_eq!((barred.known().as_str(), barred.first_steps(0).as_str()), ("AA3 W4 Z7", ""));
    near(barred.best(0, "stay")[0], 0.0);
}

/// 10.51, 10.52, example 7: in K6 the squad discovers K7.
/// It goes on to I5 or I6 through J5, which K7 Interdicts. A Low Crawl to K6 is fatal.
#[test]
fn example_7_run_is_safer_than_the_low_crawl() {
    let example = example("sk07");
    assert_eq!((example.known().as_str(), example.destinations(0).as_str()), ("L4", "K6"));
    assert!(
        ["K6", "J5", "J4"]
            .iter()
            .all(|step| example.first_steps(0).split(' ').any(|known| known == *step))
    );
    assert_eq!(example.interdicted(0, "J5"), "K7");
    near(example.best(0, ">K6")[0], 0.0);
    near(example.best(0, "K6")[0], 35.0 / 36.0);
    near(example.best(0, "K6")[1], CLEAN);
}

/// 10.531, 10.52, 17.2, example 8: the squad runs through the grain unharmed, or Low Crawls to T3
/// only.
/// A wounded leader can take the open route or that Low Crawl.
#[test]
fn example_8_runs_unharmed_through_the_grain() {
    let example = example("sk08");
    assert_eq!((example.destinations(0).as_str(), example.crawls().as_str()), ("U3", "T3"));
    near(example.mf("U3"), 3.0);
    assert_eq!(
        (example.interdicted(0, "T3").as_str(), example.interdicted(0, "S3").as_str()),
        ("R4", "")
    );
    assert_eq!(example.best(0, "S3"), [1.0, 1.0]);
    // By the direct route 35 of 36 survive, 15 of them unharmed in U3.
    near(example.best(0, "T3")[0], 35.0 / 36.0);
    near(example.best(0, "T3")[1], CLEAN);
    let leader = self::example("sk08-leader");
    assert_eq!((leader.destinations(0).as_str(), leader.crawls().as_str()), ("U3", "T3"));
    assert!(leader.found[0].first_actions.iter().all(|(action, _)| match action {
        FirstAction::Step(site) | FirstAction::Crawl(site) => leader.names([*site]) == "T3",
        FirstAction::Stay => false,
    }));
}

/// 10.51, example 9: the destination is L3, and on through cover K4 and J3, but not K2.
#[test]
fn example_9_goes_on_through_cover() {
    let example = example("sk09");
    assert_eq!(example.destinations(0), "L3");
    let ends =
        example.found[0].courses.iter().filter(|course| !matches!(course.plan, RoutPlan::Crawl(_)));
    assert_eq!(example.names(ends.filter_map(|course| course.plan.end())), "J3 K4 L3");
}

/// 10.51, 10.53, example 10: D6 is part of the unit's building and may be ignored.
/// E5 by C6 and D5 is Interdicted twice; by D6 and E6 it is not.
#[test]
fn example_10_best_route_is_not_interdicted() {
    let example = example("sk10");
    assert_eq!(
        (example.first_steps(0).as_str(), example.destinations(0).as_str()),
        ("C6 D6", "D4 D6 D6 level 1 E5")
    );
    assert_eq!(example.ignorable(0), "D6 D6 level 1");
    assert_eq!(
        (example.interdicted(0, "C6").as_str(), example.interdicted(0, "D5").as_str()),
        ("B7", "B7")
    );
    let e5 = example.situation.map.parse_location("E5").unwrap();
    let course =
        example.found[0].courses.iter().find(|course| course.plan.end() == Some(e5)).unwrap();
    assert_eq!(
        (example.names(course.route.iter().copied()).as_str(), course.mf.number()),
        ("D6 E5 E6", 5.0)
    );
    near(course.summary().in_cover, 1.0);
}

/// 10.5: L3 is the only step; there the squad discovers K4, and it ends in M4, N3 or N4.
/// With an enemy in L3 no step is legal.
#[test]
fn rulebook_10_5_leaves_one_legal_step() {
    let example = example("a10-5");
    assert_eq!((example.known().as_str(), example.first_steps(0).as_str()), ("K2 M2", "L3"));
    let rout = Rout::new(&example.situation, &example.situation.routers[0]);
    assert!(!rout.ruling().surrenders);
    assert_eq!(example.best(0, "L3"), [1.0, 1.0]);
    for course in
        example.found[0].courses.iter().filter(|course| !matches!(course.plan, RoutPlan::Crawl(_)))
    {
        for chance in course.odds.chances.iter().filter(|chance| chance.outcome.survives()) {
            assert!(
                ["M4", "N3", "N4"].contains(&example.names([chance.outcome.at]).as_str()),
                "{:?}",
                chance.outcome.at
            );
        }
    }
    let barred = self::example("a10-5-barred");
    assert_eq!(barred.first_steps(0), "");
    near(barred.best(0, "stay")[0], 0.0);
}

/// 10.51, B23.4: the squad goes up to M2 level 1, then to N1 level 1, or by level 2 to N1 level 2.
/// In N1 level 2 no enemy in M3 is ADJACENT.
#[test]
fn rulebook_10_51_routs_up_the_stairs() {
    let example = example("a10-51");
    let steps = example.first_steps(0);
    assert!(steps.contains("M2 level 1"), "{steps}");
    for end in ["M2 level 1", "N1 level 1", "N1 level 2"] {
        near(example.survives(end), 1.0);
    }
}

/// 10.531, 20.21: the legal steps of four units.
/// G2 steps to F1, G1 or H2. J2 may stay, go to K2, or to J0 with Interdiction in J1. I4 has only
/// I3, and I5 has none. With quarter given, I4 and I5 surrender.
#[test]
fn rulebook_10_531_gives_legal_steps_of_four_units() {
    let example = example("a10-531");
    let steps = example.first_steps(0);
    assert!(
        ["F1", "G1", "H2"].iter().all(|step| steps.split(' ').any(|known| known == *step)),
        "{steps}"
    );
    assert_eq!(example.known(), "");
    assert_eq!(
        (example.destinations(1).as_str(), example.ignorable(1).contains("K2")),
        ("J0 K2", true)
    );
    assert_eq!(example.interdicted(1, "J1"), "H5");
    assert_eq!(example.found[1].ruling.verdict, Duty::May);
    assert_eq!((example.first_steps(2).as_str(), example.first_steps(3).as_str()), ("", "I3"));
    assert!(example.found[2].ruling.surrenders && example.found[3].ruling.surrenders);
    let defiant = self::example("a10-531-no-quarter");
    assert!(!defiant.found.iter().any(|found| found.ruling.surrenders));
    near(defiant.best(0, "stay")[0], 0.0);
    // The nearest cover is H2 and J2, and both may be ignored.
    let cover = &defiant.found[1].outlook.choice.cover;
    assert_eq!(
        (
            defiant.names(cover[..2].iter().map(|cover| cover.location)).as_str(),
            cover[0].cost,
            cover[1].cost
        ),
        ("H2 J2", 6, 6)
    );
    assert!(cover[..2].iter().all(|cover| cover.is_ignorable && cover.is_destination));
    near(defiant.best(1, ">I3")[0], 1.0);
    assert!(!defiant.interdicted(1, "I3").is_empty());
}

/// 10.533: the route to J4 ends before a concealed enemy, fatally.
/// With G4 concealed, H3 is the nearest cover, and the rout may stop there.
#[test]
fn rulebook_10_533_route_ends_before_concealed_enemy() {
    let nearest = example("a10-533-nearest");
    assert!(
        nearest.destinations(0).split(' ').any(|hex| hex == "J4"),
        "{}",
        nearest.destinations(0)
    );
    near(nearest.best(0, "J4")[0], 0.0);
    let second = example("a10-533-second");
    assert!(second.destinations(0).split(' ').any(|hex| hex == "H3"), "{}", second.destinations(0));
    near(second.best(0, "H3")[0], 1.0);
}

/// 10.533: if G4 is revealed while the squad is in H3, the squad must go on to H2.
/// A Low Crawl to H3 would end beside that enemy and be fatal.
#[test]
fn rulebook_10_533_revealed_enemy_forces_the_squad_on() {
    let hidden = example("a10-533-second");
    let mut situation = hidden.situation.clone();
    situation.enemy_reveals = true;
    let revealed = Example {
        found: vec![prospect(&situation, &situation.routers[0], Monitor::NONE).unwrap()],
        situation,
    };
    near(hidden.best(0, ">H3")[0], 1.0);
    near(revealed.best(0, ">H3")[0], 0.0);
    let stop = |example: &Example| {
        let h3 = example.situation.map.parse_location("1H3").unwrap();
        let plan = example.found[0]
            .courses
            .iter()
            .find(|course| course.plan.end() == Some(h3) && course.plan != RoutPlan::Crawl(h3));
        plan.unwrap()
            .odds
            .chances
            .iter()
            .map(|chance| example.situation.map.location_name(chance.outcome.at))
            .collect::<Vec<_>>()
    };
    assert_eq!(stop(&hidden), ["1H3"]);
    assert_eq!(stop(&revealed), ["1H2"]);
}

/// The whole board of the benchmark equals that of the file.
/// The odds of every unit sum to 1, and most units have a choice.
#[test]
fn full_board_file_equals_the_benchmark() {
    let Example { situation, found } = example_with("full-board", &as_written);
    let bench = board::full();
    let hexes = |board: &Situation| {
        board.map.hexes().map(|hex| (hex, board.map.get(hex).cloned())).collect::<Vec<_>>()
    };
    assert_eq!(hexes(&situation), hexes(&bench));
    let routers = |board: &Situation| {
        board
            .routers
            .iter()
            .map(|unit| (unit.member.clone(), unit.at, unit.escort.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(routers(&situation), routers(&bench));
    let enemies = |board: &Situation| {
        let enemies = board
            .enemies
            .iter()
            .map(|enemy| (enemy.member.clone(), enemy.at, enemy.weapon, enemy.circumstances));
        enemies.collect::<Vec<_>>()
    };
    assert_eq!(enemies(&situation), enemies(&bench));
    for course in found.iter().flat_map(|unit| &unit.courses) {
        let sum: f64 = course.odds.chances.iter().map(|chance| chance.probability).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{:?}", course.plan);
    }
    assert!(found.iter().filter(|unit| unit.courses.len() > 2).count() >= 8);
}
