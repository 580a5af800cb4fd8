//! The rout on a map against its slow twin: on random situations both must say the same of everything a player asks.

mod rout_twin;

use lowcrawl::asl::rout::{self, Rout, Situation};
use lowcrawl::board::map::Site;
use lowcrawl::course::rout::{Prospect, prospect};
use lowcrawl::process::{Due, Process as _, Silent};
use rout_twin::adapter::{self, hex_at};
use rout_twin::random::random_situation;
use rout_twin::{FirstAction, HexAt, TwinAnswer, TwinSituation, Verdict, answer};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Debug;

/// What `lowcrawl` says, in the words of the twin.
fn lowcrawl_answer(situation: &Situation) -> TwinAnswer {
    let router = &situation.routers[0];
    let Prospect { ruling, outlook, first_actions, .. } = prospect(situation, router).expect("few states");
    let hexes = |sites: &[Site]| sites.iter().map(|&site| hex_at(site)).collect();
    let places = |enemies: &[usize]| enemies.iter().map(|&enemy| hex_at(situation.enemies[enemy].at)).collect();
    let cover = &outlook.choice.cover;
    let action = |action| match action {
        rout::FirstAction::Stay => FirstAction::Stay,
        rout::FirstAction::Step(to) => FirstAction::Step(hex_at(to)),
        rout::FirstAction::Crawl(to) => FirstAction::LowCrawl(hex_at(to)),
    };
    TwinAnswer {
        verdict: match ruling.verdict {
            rout::Verdict::Must => Verdict::Must,
            rout::Verdict::May => Verdict::May,
            rout::Verdict::Cannot => Verdict::Cannot,
        },
        surrenders: ruling.surrenders,
        known: places(&outlook.known),
        first_steps: hexes(&outlook.first_steps),
        cover: cover.iter().map(|cover| (hex_at(cover.site), cover.cost.into())).collect(),
        ignorable: cover.iter().filter(|cover| cover.is_ignorable).map(|cover| hex_at(cover.site)).collect(),
        destinations: outlook.choice.destinations().map(|cover| hex_at(cover.site)).collect(),
        free_rout: outlook.choice.is_free,
        low_crawl: hexes(&outlook.low_crawl),
        interdicted: outlook.interdicted.iter().map(|(site, by)| (hex_at(*site), places(by))).collect(),
        ends: ends(&Rout::new(situation, router)),
        best: first_actions.into_iter().map(|(first, [alive, sound])| (action(first), (alive, sound))).collect(),
    }
}

/// Every hex in which the unit can end alive and uncaptured, whatever its owner and the dice do.
fn ends(rout: &Rout) -> BTreeSet<HexAt> {
    let mut ends = BTreeSet::new();
    let mut seen = HashSet::new();
    let mut open = vec![rout.start(&mut Silent)];
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        match rout.due(&state) {
            Due::Choice { options, .. } => open.extend((0..options).map(|option| rout.after(&state, option))),
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

fn trace(rout: &Rout, to: HexAt) {
    let mut seen = HashSet::new();
    let mut log = Vec::new();
    let mut open = vec![(rout.start(&mut log), log)];
    while let Some((state, log)) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        match rout.due(&state) {
            Due::Choice { options, .. } => {
                for o in 0..options {
                    let mut n = state.clone();
                    let mut l = log.clone();
                    rout.choose(&mut n, o, &mut l);
                    open.push((n, l));
                }
            }
            Due::Roll(dice, terms) => {
                for (face, _) in dice.distinct() {
                    let mut n = state.clone();
                    let mut l = log.clone();
                    l.push(rout.describe(&state, &terms, face));
                    rout.apply(&mut n, rout.read(&terms, face), &mut l);
                    open.push((n, l));
                }
            }
            Due::Report(_) => {
                let mut hit = false;
                rout.report(&state, &mut |o| hit |= o.survives() && hex_at(o.at) == to);
                if hit {
                    for e in &log {
                        println!("   {} {}", e.rule, e.text);
                    }
                    return;
                }
            }
            Due::Over => {}
        }
    }
}

fn same<T: PartialEq + Debug>(field: &str, ours: &T, twins: &T, found: &mut Vec<String>) {
    if ours != twins {
        found.push(format!("{field}\n  lowcrawl {ours:?}\n  twin     {twins:?}"));
    }
}

fn same_chances(ours: &BTreeMap<FirstAction, (f64, f64)>, twins: &BTreeMap<FirstAction, (f64, f64)>, found: &mut Vec<String>) {
    let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
    let alike =
        ours.len() == twins.len() && ours.iter().zip(twins).all(|((a, x), (b, y))| a == b && close(x.0, y.0) && close(x.1, y.1));
    if !alike {
        found.push(format!("best\n  lowcrawl {ours:?}\n  twin     {twins:?}"));
    }
}

/// The fields on which the two differ, with both values.
fn differences(twin: &TwinSituation) -> Vec<String> {
    let (ours, twins) = (lowcrawl_answer(&adapter::situation(twin)), answer(twin));
    let mut found = Vec::new();
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

/// 500 situations; `LOWCRAWL_CASES` multiplies them.
#[test]
fn rout_agrees_with_its_twin() {
    let times = std::env::var("LOWCRAWL_CASES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut bad = 0;
    let mut kinds: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let show: u64 = std::env::var("SHOW").ok().and_then(|t| t.parse().ok()).unwrap_or(u64::MAX);
    let only = if show == u64::MAX { 0..500 * times } else { show..show + 1 };
    for seed in only {
        let twin = random_situation(seed);
        let found = differences(&twin);
        if !found.is_empty() {
            bad += 1;
            for f in &found {
                kinds.entry(f.lines().next().unwrap().into()).or_default().push(seed);
            }
            if show == seed {
                let s = adapter::situation(&twin);
                let r = Rout::new(&s, &s.routers[0]);
                let (a, b) = (ends(&r), answer(&twin).ends);
                for h in a.difference(&b) {
                    println!("trace to {h:?}");
                    trace(&r, *h);
                }
                println!("seed {seed}\n{}\n{}\n", adapter::show(&twin), found.join("\n"));
            }
        }
    }
    for (k, v) in &kinds {
        println!("{k}: {} {:?}", v.len(), &v[..v.len().min(12)]);
    }
    assert!(bad == 0, "{bad} differ");
}
