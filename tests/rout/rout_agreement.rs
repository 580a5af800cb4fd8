//! Tests of the rout on a map against `rout_twin`, a second, slow implementation. On random
//! situations both must agree on everything a player can ask.

use crate::random::case_factor;
use crate::rout_twin::adapter::{self, hex_at};
use crate::rout_twin::random::random_situation;
use crate::rout_twin::{FirstAction, HexAt, TwinAnswer, TwinSituation, Verdict, answer};
use lowcrawl::asl::rout::{self, Rout, Situation};
use lowcrawl::board::map::Location;
use lowcrawl::course::rout::{Prospect, RoutCourse, prospect};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::process::{Due, Process as _, Silent};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Debug;

/// Returns the answer of `lowcrawl` in the types of the twin.
fn lowcrawl_answer(situation: &Situation, found: &Prospect) -> TwinAnswer {
    let router = &situation.routers[0];
    let Prospect { ruling, outlook, first_actions, .. } = found;
    let hexes = |sites: &[Location]| sites.iter().map(|&site| hex_at(site)).collect();
    let places = |enemies: &[usize]| {
        enemies.iter().map(|&enemy| hex_at(situation.enemies[enemy].at)).collect()
    };
    let cover = &outlook.choice.cover;
    let action = |action| match action {
        rout::FirstAction::Stay => FirstAction::Stay,
        rout::FirstAction::Step(to) => FirstAction::Step(hex_at(to)),
        rout::FirstAction::Crawl(to) => FirstAction::LowCrawl(hex_at(to)),
    };
    TwinAnswer {
        verdict: match ruling.verdict {
            rout::Duty::Must => Verdict::Must,
            rout::Duty::May => Verdict::May,
            rout::Duty::Cannot => Verdict::Cannot,
        },
        surrenders: ruling.surrenders,
        known: places(&outlook.known),
        first_steps: hexes(&outlook.first_steps),
        cover: cover.iter().map(|cover| (hex_at(cover.location), cover.cost.into())).collect(),
        ignorable: cover
            .iter()
            .filter(|cover| cover.is_ignorable)
            .map(|cover| hex_at(cover.location))
            .collect(),
        destinations: outlook.choice.destinations().map(|cover| hex_at(cover.location)).collect(),
        free_rout: outlook.choice.is_free,
        low_crawl: hexes(&outlook.low_crawl),
        interdicted: outlook
            .interdicted
            .iter()
            .map(|(site, by)| (hex_at(*site), places(by)))
            .collect(),
        ends: ends(&Rout::new(situation, router)),
        best: first_actions
            .iter()
            .map(|&(first, [alive, sound])| (action(first), (alive, sound)))
            .collect(),
    }
}

/// Returns the hexes in which the unit can end alive and uncaptured, by any choices and any rolls.
fn ends(rout: &Rout) -> BTreeSet<HexAt> {
    let mut ends = BTreeSet::new();
    let mut seen = HashSet::new();
    let mut open = vec![rout.start(&mut Silent)];
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        match rout.due(&state) {
            Due::Choice { options, .. } => open.extend(rout.followers(&state, options)),
            Due::Roll(dice, terms) => {
                for (face, _) in dice.distinct() {
                    let mut next = state.clone();
                    rout.apply(&mut next, rout.read(&terms, face), &mut Silent);
                    open.push(next);
                }
            }
            Due::Report(_) => rout.report(&state, &mut |outcome| {
                if outcome.survives() {
                    ends.insert(hex_at(outcome.at));
                }
            }),
            Due::Over => {}
        }
    }
    ends
}

fn compare_field<T: PartialEq + Debug>(
    field: &str,
    actual: &T,
    expected: &T,
    found: &mut Vec<String>,
) {
    if actual != expected {
        found.push(format!("{field}\n  lowcrawl {actual:?}\n  twin     {expected:?}"));
    }
}

fn compare_chances(
    actual: &BTreeMap<FirstAction, (f64, f64)>,
    expected: &BTreeMap<FirstAction, (f64, f64)>,
    found: &mut Vec<String>,
) {
    let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
    let alike = actual.len() == expected.len()
        && actual
            .iter()
            .zip(expected)
            .all(|((a, x), (b, y))| a == b && close(x.0, y.0) && close(x.1, y.1));
    if !alike {
        found.push(format!("best\n  lowcrawl {actual:?}\n  twin     {expected:?}"));
    }
}

/// 10.53: returns the courses whose marks of Interdiction disagree with their dice. Every roll on a
/// route is for an Interdiction on it, and a plan without Interdiction has a single outcome.
fn mismarked(found: &Prospect) -> impl Iterator<Item = String> {
    let is_marked_rightly =
        |course: &&RoutCourse| course.interdicted.is_empty() == (course.odds.chances.len() == 1);
    found.courses.iter().filter(move |course| !is_marked_rightly(course)).map(|course| {
        format!("{:?} by {:?} marks {:?}", course.plan, course.route, course.interdicted)
    })
}

/// Returns the fields in which the two answers differ, with both values.
fn differences(twin: &TwinSituation) -> Vec<String> {
    let situation = adapter::situation(twin);
    let prospect = prospect(&situation, &situation.routers[0], Monitor::NONE).expect("few states");
    let (actual, expected) = (lowcrawl_answer(&situation, &prospect), answer(twin));
    let mut found: Vec<String> = mismarked(&prospect).collect();
    compare_field("verdict", &actual.verdict, &expected.verdict, &mut found);
    compare_field("surrenders", &actual.surrenders, &expected.surrenders, &mut found);
    compare_field("known", &actual.known, &expected.known, &mut found);
    compare_field("first_steps", &actual.first_steps, &expected.first_steps, &mut found);
    compare_field("cover", &actual.cover, &expected.cover, &mut found);
    compare_field("ignorable", &actual.ignorable, &expected.ignorable, &mut found);
    compare_field("destinations", &actual.destinations, &expected.destinations, &mut found);
    compare_field("free_rout", &actual.free_rout, &expected.free_rout, &mut found);
    compare_field("low_crawl", &actual.low_crawl, &expected.low_crawl, &mut found);
    compare_field("interdicted", &actual.interdicted, &expected.interdicted, &mut found);
    compare_field("ends", &actual.ends, &expected.ends, &mut found);
    compare_chances(&actual.best, &expected.best, &mut found);
    found
}

/// Compares 500 situations; `LOWCRAWL_CASES` multiplies their number.
#[test]
fn rout_agrees_with_its_twin() {
    for seed in 0..500 * case_factor() {
        let twin = random_situation(seed);
        let found = differences(&twin);
        assert!(
            found.is_empty(),
            "situation {seed}\n{}\n{}",
            adapter::show(&twin),
            found.join("\n")
        );
    }
}
