//! Campaigns that differ in the enemy's fire only, solved one after another with shared results.
//! Each has the value that it has when solved alone.

use std::sync::Arc;

use lowcrawl::course::campaign::{CampaignKind, Campaigning};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::system::dyn_question::{Depth, DynQuestion, PreparedQuestion};
use lowcrawl::system::question_form::Word as _;
use lowcrawl::system::shared_graph::SharedGraph;

use super::lane::Fields;
use super::random::{self, Luck};
use super::{extra, one_objective};

/// Whether the two campaigns may share results.
fn are_kin(one: &Fields, other: &Fields) -> bool {
    let (one, other) = (one.lane().unwrap(), other.lane().unwrap());
    one.sharing_states_of(&other, &other.campaign()).is_some()
}

#[test]
fn kin_are_worth_what_they_are_alone() {
    let (mut kindred, mut others) = (0, 0);
    for seed in 0..200 * extra() {
        let luck = &mut Luck::new(70_000 + seed);
        let objective = one_objective(seed);
        let heated = luck.percent(30);
        let lane = random::fields(luck, random::ALL, 4).with("hob", heated);
        let kin = SharedGraph::keeping(2);
        let mut before: Option<Fields> = None;
        for _ in 0..6 {
            let fire = lane
                .with("fp", luck.one(&[0, 1, 1, 4, 8, 16, 30]))
                .with("cover-fp", luck.one(&[0, 1, 6]))
                .with("drm", luck.one(&[-1, 0, 2, 4]))
                .with("inexperienced", luck.percent(30));
            if before.replace(fire.clone()).is_some_and(|before| are_kin(&fire, &before)) {
                kindred += 1;
            } else {
                others += 1;
            }
            let question = Arc::new(Campaigning::of_lane(&fire.lane().unwrap()));
            let asked =
                PreparedQuestion::new(question, CampaignKind::Campaign.declared(), None).unwrap();
            let solve = |kin| asked.solve_among(kin, &objective, Depth::Opening, Monitor::NONE);
            let (among, alone) = (solve(&kin).unwrap(), solve(&SharedGraph::keeping(1)).unwrap());
            assert_eq!(among.value, alone.value, "{fire:?}");
            assert_eq!(among.opening, alone.opening, "{fire:?}");
            assert_eq!(among.states, alone.states, "{fire:?}");
        }
    }
    assert!(kindred > 150 && others > 150, "{kindred} next of kin, {others} others");
}

/// After given dice, a campaign stands where its own dice led it, whatever results are shared.
/// A squad with one half left routs otherwise than the whole squad of the campaigns before.
#[test]
fn kin_behind_dice_are_worth_what_they_are_alone() {
    let kin = SharedGraph::keeping(2);
    let objective = one_objective(0);
    let lane = Fields::of("german:4-6-7/broken,dm").with("begin", "fire").with("turns", 3);
    let mut routing = 0;
    for (fp, given) in
        [(4, ""), (8, "1,1 6,5"), (8, "1,2 6,5"), (12, "1,3 6,5"), (16, "2,2 6,5"), (16, "2,3 6,5")]
    {
        let lane = lane.with("fp", fp).lane().unwrap();
        let question = Arc::new(Campaigning::of_lane(&lane));
        let asked =
            PreparedQuestion::new(question, CampaignKind::Campaign.declared(), None).unwrap();
        let Ok(asked) = asked.after(Some(given)) else { continue };
        let solve = |kin| asked.solve_among(kin, &objective, Depth::Policy, Monitor::NONE);
        let (among, alone) = (solve(&kin).unwrap(), solve(&SharedGraph::keeping(1)).unwrap());
        assert_eq!((among.value, among.states), (alone.value, alone.states), "{fp} {given}");
        assert_eq!(among.decisions, alone.decisions, "{fp} {given}");
        routing +=
            usize::from(alone.opening.is_some_and(|opening| opening.state.contains("2-4-7")));
    }
    assert!(routing > 0, "no half-squad routs");
}

/// 10.62: an attack that can bring an NMC gives DM before its DR; an attack that cannot does not.
#[test]
fn fire_that_brings_dm_is_another_matter() {
    let lane = Fields::of("german:4-6-7/broken").with("begin", "fire").with("fp", 1);
    assert!(are_kin(&lane, &lane.with("fp", 36)) && are_kin(&lane, &lane.with("drm", -2)));
    assert!(!are_kin(&lane, &lane.with("drm", 6)), "1 FP +6 is no NMC");
    for (field, other) in [("range", 4), ("fp", 0), ("cover-fp", 4), ("turns", 3), ("elr", 2)] {
        assert!(!are_kin(&lane, &lane.with(field, other)), "{field}");
    }
}
