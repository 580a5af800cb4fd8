//! Changes that never lower the value of the best play, with Heat of Battle off.
//! They are a better leader, an earlier leader, fewer Interdicted hexes and lighter fire. Cases in
//! which the rules say otherwise are left out here; module `exceptions` works them out.

use lowcrawl::play::Objective;

use super::lane::Fields;
use super::random::{self, Rng};
use super::{CLOSE, best_value, case_factor, objective, objective_of};

/// Compares 1000 pairs of random lanes. The first of a pair must never have a lower value, and must
/// sometimes have a higher one.
fn assert_never_worse(first: u64, pair: impl Fn(&mut Rng, &Objective) -> Option<(Fields, Fields)>) {
    let mut better = 0;
    for seed in 0..1000 * case_factor() {
        let objective = objective_of(seed);
        let Some((good, poor)) = pair(&mut Rng::new(first + seed), &objective) else { continue };
        let (more, less) =
            (best_value(&good.campaign(), &objective), best_value(&poor.campaign(), &objective));
        assert!(more >= less - CLOSE, "{objective}: {more} of {good:?}\nand {less} of {poor:?}");
        better += u64::from(more > less + CLOSE);
    }
    assert!(better >= 50, "better in {better} cases only");
}

/// Returns a unit and two leaders of its nation with one ML: one without a DRM, and a better one.
fn company(rng: &mut Rng) -> (String, String, String) {
    let unit = random::unit(rng, random::ALL);
    let nation = unit.split(':').next().unwrap().to_string();
    // The Finns have no 8-1.
    let level = if nation == "finnish" { 9 } else { 8 };
    (unit, format!("{nation}:{level}-0"), format!("{nation}:{level}-1"))
}

/// 10.21, 10.6: a leader with a better DRM, in the cover or beside the unit, never lowers the
/// value. The exception is a leader that keeps the unit alive to be captured, for a prisoner costs
/// more than an eliminated unit.
#[test]
fn better_leader_never_lowers_the_value() {
    assert_never_worse(10_000, |rng, wanted| {
        let place = rng.pick(&["leader", "leader", "leader-here"]);
        let fields = random::fields(rng, random::ALL, 4).without("leader-here");
        let fields = if *wanted == objective("cvp") { fields.with("range", 2) } else { fields };
        let (unit, plain, better) = company(rng);
        let fields = fields.with("unit", unit.as_str());
        Some((fields.with(place, better.as_str()), fields.with(place, plain.as_str())))
    });
}

/// 10.6: a leader in the cover is no worse than none, if it forbids no Self-Rally (10.63, 18.11).
#[test]
fn leader_is_no_worse_than_none() {
    assert_never_worse(20_000, |rng, _| {
        let fields = random::fields(rng, random::ALL, 4).with("own-rph", "never");
        let (unit, plain, _) = company(rng);
        let fields = fields.with("unit", unit.as_str());
        Some((fields.with("leader", plain.as_str()), fields.without("leader")))
    });
}

/// 10.6: one leader is no worse a Player Turn earlier.
#[test]
fn earlier_leader_is_no_worse() {
    assert_never_worse(30_000, |rng, _| {
        let fields = random::fields(rng, random::ALL, 4).with("own-rph", "never");
        let (unit, plain, better) = company(rng);
        let leader = if rng.percent(50) { plain } else { better };
        let turn = 1 + rng.below(3) as i64;
        let fields = fields.with("unit", unit.as_str()).with("leader", leader.as_str());
        Some((fields.with("leader-turn", turn), fields.with("leader-turn", turn + 1)))
    });
}

/// 10.53: one Interdicted hex fewer is no worse.
/// 19.12: Disrupted units are left out, because only forced routs bring them into cover.
#[test]
fn one_interdicted_hex_fewer_is_no_worse() {
    assert_never_worse(40_000, |rng, _| {
        let open = 1 + rng.below(6);
        let fields = random::fields(rng, random::ALL, 4).with("open", open as i64);
        let unit = random::unit(rng, random::ALL);
        let interdicted = rng.below(open) as i64;
        let fields = fields.with("unit", unit.as_str());
        let pair =
            (fields.with("interdicted", interdicted), fields.with("interdicted", interdicted + 1));
        (!unit.contains("disrupted")).then_some(pair)
    });
}

/// 7.3: fire of one column less is no worse. Three cases are left out.
/// 10.62: the fire may give a unit the DM that it needs to rout.
/// 10.53: where only cover counts, a Reduced unit goes on, and a unit that passes may be pinned.
/// Eliminated units may cost less than prisoners.
#[test]
fn lighter_fire_is_no_worse() {
    assert_never_worse(50_000, |rng, wanted| {
        let fields = random::fields(rng, random::ALL, 4).and("here=open_ground; exposed");
        let fields = fields.with("range", rng.pick(&[2, 4, 8]));
        let (light, heavy) =
            rng.pick(&[(0, 1), (1, 2), (2, 4), (4, 6), (6, 8), (8, 12), (12, 16), (16, 20)]);
        let place = rng.pick(&["fp", "fp", "cover-fp"]);
        (*wanted != objective("in-cover"))
            .then(|| (fields.with(place, light), fields.with(place, heavy)))
    });
}
