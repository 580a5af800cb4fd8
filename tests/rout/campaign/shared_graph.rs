//! Campaigns that differ in the enemy's fire only, solved one after another with shared results.
//! Each has the value that it has when solved alone.

use std::sync::Arc;

use lowcrawl::answer::Engine;
use lowcrawl::course::campaign::Campaigning;
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::play::{Depth, DynQuestion, PreparedQuestion, SharedGraph};

use super::lane::Fields;
use super::random::{self, Rng};
use super::{case_factor, objective_of};

/// Returns true if the two campaigns may share a state graph.
fn share_a_graph(first: &Fields, second: &Fields) -> bool {
    let (first, second) = (first.lane().unwrap(), second.lane().unwrap());
    first.sharing_states_of(&second, &second.campaign()).is_some()
}

#[test]
fn shared_graph_gives_same_values_as_solving_alone() {
    let (mut sharing, mut separate) = (0, 0);
    for seed in 0..200 * case_factor() {
        let rng = &mut Rng::new(70_000 + seed);
        let objective = objective_of(seed);
        let heated = rng.percent(30);
        let lane = random::fields(rng, random::ALL, 4).with("hob", heated);
        let graph = SharedGraph::keeping(2);
        let mut before: Option<Fields> = None;
        for _ in 0..6 {
            let fire = lane
                .with("fp", rng.pick(&[0, 1, 1, 4, 8, 16, 30]))
                .with("cover-fp", rng.pick(&[0, 1, 6]))
                .with("drm", rng.pick(&[-1, 0, 2, 4]))
                .with("inexperienced", rng.percent(30));
            if before.replace(fire.clone()).is_some_and(|before| share_a_graph(&fire, &before)) {
                sharing += 1;
            } else {
                separate += 1;
            }
            let question = Arc::new(Campaigning::of_lane(&fire.lane().unwrap()));
            let prepared = PreparedQuestion::new(question, None).unwrap();
            let solve = |graph| {
                prepared.solve_among(
                    graph,
                    &objective,
                    Depth::Opening,
                    Engine::Exact,
                    Monitor::NONE,
                )
            };
            let (shared, alone) =
                (solve(&graph).unwrap(), solve(&SharedGraph::keeping(1)).unwrap());
            assert_eq!(shared.value, alone.value, "{fire:?}");
            assert_eq!(shared.opening, alone.opening, "{fire:?}");
            assert_eq!(shared.states, alone.states, "{fire:?}");
        }
    }
    assert!(sharing > 150 && separate > 150, "{sharing} share a graph, {separate} do not");
}

/// After rolled dice, a campaign is in the state that its own dice led to.
/// A shared graph does not change that. A half-squad routs otherwise than the whole squad of the
/// campaigns before it.
#[test]
fn shared_graph_after_rolled_dice_gives_same_values() {
    let graph = SharedGraph::keeping(2);
    let objective = objective_of(0);
    let lane = Fields::from_unit("german:4-6-7/broken,dm").and("begin=fire; turns=3");
    let mut routing = 0;
    for (fp, dice) in
        [(4, ""), (8, "1,1 6,5"), (8, "1,2 6,5"), (12, "1,3 6,5"), (16, "2,2 6,5"), (16, "2,3 6,5")]
    {
        let lane = lane.with("fp", fp).lane().unwrap();
        let question = Arc::new(Campaigning::of_lane(&lane));
        let prepared = PreparedQuestion::new(question, None).unwrap();
        let Ok(prepared) = prepared.after(Some(dice)) else { continue };
        let solve = |graph| {
            prepared.solve_among(graph, &objective, Depth::Policy, Engine::Exact, Monitor::NONE)
        };
        let (shared, alone) = (solve(&graph).unwrap(), solve(&SharedGraph::keeping(1)).unwrap());
        assert_eq!((shared.value, shared.states), (alone.value, alone.states), "{fp} {dice}");
        assert_eq!(shared.decisions, alone.decisions, "{fp} {dice}");
        routing +=
            usize::from(alone.opening.is_some_and(|opening| opening.state.contains("2-4-7")));
    }
    assert!(routing > 0, "no half-squad routs");
}

/// 10.62: an attack that can bring an NMC gives DM before its DR; an attack that cannot does not.
#[test]
fn lanes_share_a_graph_only_if_fire_brings_dm_alike() {
    let lane = Fields::from_unit("german:4-6-7/broken").and("begin=fire; fp=1");
    assert!(
        share_a_graph(&lane, &lane.with("fp", 36)) && share_a_graph(&lane, &lane.with("drm", -2))
    );
    assert!(!share_a_graph(&lane, &lane.with("drm", 6)), "1 FP +6 is no NMC");
    for (field, value) in [("range", 4), ("fp", 0), ("cover-fp", 4), ("turns", 3), ("elr", 2)] {
        assert!(!share_a_graph(&lane, &lane.with(field, value)), "{field}");
    }
}
