//! Named policies, and an enemy that may hold its fire.

use lowcrawl::asl::campaign::CampaignState;
use lowcrawl::course::policy::{Followed, RoutPolicy};
use lowcrawl::process::Player;

use super::lane::Fields;
use super::random::{self, Rng};
use super::{CLOSE, best_value, case_factor, objective, objective_of, under, value_of};

/// Returns every named policy, alone and with each of its additions.
fn all_policies() -> Vec<RoutPolicy> {
    let extras = ["keep-dm", "break"];
    let manners: Vec<&str> = RoutPolicy::words().filter(|word| !extras.contains(word)).collect();
    assert!(manners.len() >= 5 && RoutPolicy::words().count() == manners.len() + extras.len());
    let mut words: Vec<String> = manners.iter().map(|manner| manner.to_string()).collect();
    for extra in extras {
        words.extend(words.clone().iter().map(|policy| format!("{policy}, {extra}")));
    }
    words.iter().map(|words| RoutPolicy::parse(words).unwrap()).collect()
}

/// 10.41, 10.52, 10.62: no named policy beats the best play, and now and then one equals it.
#[test]
fn no_named_policy_beats_the_best_play() {
    let (mut equal, mut worse) = (0, 0);
    let policies = all_policies();
    for seed in 0..200 * case_factor() {
        let rng = &mut Rng::new(2000 + seed);
        let fields = random::fields(rng, random::ALL, 3).with("hob", seed % 2 == 0);
        let campaign = fields.campaign();
        let objective = objective_of(seed / 2);
        let best = best_value(&campaign, &objective);
        for policy in &policies {
            let followed = Followed::new(*policy);
            let choose = |state: &CampaignState, player: Player, options| {
                followed.option(&campaign, state, player, options)
            };
            let value = value_of(&campaign, &objective, &under(&campaign, choose));
            assert_eq!(followed.failure(), None);
            assert!(
                value <= best + CLOSE,
                "{policy} gives {value}, the best {best}: {objective}, {fields:?}"
            );
            let count = if value >= best - CLOSE { &mut equal } else { &mut worse };
            *count += 1;
        }
    }
    assert!(equal > 200 && worse > 200, "{equal} as good, {worse} worse");
}

/// 10.52, 10.53: a 4-6-7 (broken ML 7) that Low Crawls survives.
/// A run through one Interdicted hex loses it with 1/36. Through two, it is pinned in the first
/// with 6/36. It takes the second as a squad with 15/36, and is lost there with 1/36. It takes the
/// second as a half-squad (broken ML 6) with 14/36, and survives it with 15/36. In all it survives
/// with (6 x 36 + 15 x 35 + 14 x 15) / 1296. By `run-if-one` it Low Crawls before two.
#[test]
fn named_policies_have_the_values_worked_by_hand() {
    let survives = objective("survives");
    for (interdicted, policy, expected) in [
        (1, "crawl", 1.0),
        (1, "run", 35.0 / 36.0),
        (1, "run-if-one", 35.0 / 36.0),
        (2, "crawl", 1.0),
        (2, "run", 951.0 / 1296.0),
        (2, "run-if-one", 1.0),
    ] {
        let campaign = Fields::from_unit("german:4-6-7/dm")
            .with("interdicted", interdicted)
            .with("turns", 1)
            .campaign();
        let followed = Followed::new(RoutPolicy::parse(policy).unwrap());
        let choose = |state: &CampaignState, player: Player, options| {
            followed.option(&campaign, state, player, options)
        };
        let value = value_of(&campaign, &survives, &under(&campaign, choose));
        assert!(
            (value - expected).abs() < CLOSE,
            "{policy} through {interdicted}: {value} instead of {expected}"
        );
    }
}

/// 10.5, 10.51, 10.52: a policy must be legal for the unit.
/// A unit in the open in the enemy's sight may not stay.
#[test]
fn staying_is_refused_in_the_enemys_sight() {
    let open = |fields: Fields| {
        let campaign = fields.with("turns", 1).campaign();
        ["run", "crawl", "run-if-one", "stay", "best-rout"]
            .map(|word| RoutPolicy::parse(word).unwrap().check(&campaign).is_ok())
    };
    assert_eq!(open(Fields::from_unit("german:4-6-7/dm")), [true, true, true, false, true]);
    assert_eq!(open(Fields::from_unit("german:4-6-7/dm").with("exposed", false)), [true; 5]);
}

/// 7.3: an enemy that may hold its fire can still make every attack.
/// So the permission never helps the unit.
#[test]
fn permission_to_hold_fire_never_helps_the_unit() {
    let mut hurts = 0;
    for seed in 0..200 * case_factor() {
        let rng = &mut Rng::new(3000 + seed);
        let fields = random::fields(rng, random::ALL, 3).with("hob", rng.percent(30));
        let objective = objective_of(seed);
        let always = best_value(&fields.campaign(), &objective);
        let may = best_value(&fields.with("enemy-holds-fire", true).campaign(), &objective);
        assert!(
            may <= always + CLOSE,
            "{may} if it may hold fire, {always} if not: {objective}, {fields:?}"
        );
        hurts += u32::from(may < always - CLOSE);
    }
    assert!(hurts > 0, "the enemy never profits from holding its fire");
}
