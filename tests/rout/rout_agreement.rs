//! The rout on a map against its slow twin.
//! On random situations both must agree on everything a player can ask.

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

/// The answer of `lowcrawl`, in the types of the twin.
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

/// Every hex in which the unit can end alive and uncaptured, by any choice and any roll.
fn ends(rout: &Rout) -> BTreeSet<HexAt> {
    let mut ends = BTreeSet::new();
    let mut seen = HashSet::new();
    let mut open = vec![rout.start(&mut Silent)];
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        match rout.due(&state) {
            Due::Choice { options, .. } => {
                open.extend((0..options).map(|option| rout.after(&state, option)))
            }
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

fn same<T: PartialEq + Debug>(field: &str, ours: &T, twins: &T, found: &mut Vec<String>) {
    if ours != twins {
        found.push(format!("{field}\n  lowcrawl {ours:?}\n  twin     {twins:?}"));
    }
}

fn same_chances(
    ours: &BTreeMap<FirstAction, (f64, f64)>,
    twins: &BTreeMap<FirstAction, (f64, f64)>,
    found: &mut Vec<String>,
) {
    let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
    let alike = ours.len() == twins.len()
        && ours
            .iter()
            .zip(twins)
            .all(|((a, x), (b, y))| a == b && close(x.0, y.0) && close(x.1, y.1));
    if !alike {
        found.push(format!("best\n  lowcrawl {ours:?}\n  twin     {twins:?}"));
    }
}

/// 10.53: the courses whose Interdiction marks disagree with their dice.
/// Every roll on a route is for an Interdiction on it, and without one a plan has a single outcome.
fn mismarked(found: &Prospect) -> impl Iterator<Item = String> {
    let is_marked_rightly =
        |course: &&RoutCourse| course.interdicted.is_empty() == (course.odds.chances.len() == 1);
    found.courses.iter().filter(move |course| !is_marked_rightly(course)).map(|course| {
        format!("{:?} by {:?} marks {:?}", course.plan, course.route, course.interdicted)
    })
}

/// The fields on which the two answers differ, with both values.
fn differences(twin: &TwinSituation) -> Vec<String> {
    let situation = adapter::situation(twin);
    let prospect = prospect(&situation, &situation.routers[0], Monitor::NONE).expect("few states");
    let (ours, twins) = (lowcrawl_answer(&situation, &prospect), answer(twin));
    let mut found: Vec<String> = mismarked(&prospect).collect();
    same("verdict", &ours.verdict, &twins.verdict, &mut found);
    same("surrenders", &ours.surrenders, &twins.surrenders, &mut found);
    same("known", &ours.known, &twins.known, &mut found);
    same("first_steps", &ours.first_steps, &twins.first_steps, &mut found);
    same("cover", &ours.cover, &twins.cover, &mut found);
    same("ignorable", &ours.ignorable, &twins.ignorable, &mut found);
    same("destinations", &ours.destinations, &twins.destinations, &mut found);
    same("free_rout", &ours.free_rout, &twins.free_rout, &mut found);
    same("low_crawl", &ours.low_crawl, &twins.low_crawl, &mut found);
    same("interdicted", &ours.interdicted, &twins.interdicted, &mut found);
    same("ends", &ours.ends, &twins.ends, &mut found);
    same_chances(&ours.best, &twins.best, &mut found);
    found
}

/// Compares 500 situations; `LOWCRAWL_CASES` multiplies their number.
#[test]
fn rout_agrees_with_its_twin() {
    let times =
        std::env::var("LOWCRAWL_CASES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    for seed in 0..500 * times {
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
