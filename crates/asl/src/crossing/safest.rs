//! The safest paths to a hex of a map, found best first: no further Location makes an arrival
//! likelier, so the first paths that come out are the best.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::defenders::DefenderSight;
use super::on_map::{CrossingBoard, MapNode, MapStep};
use crate::attack::circumstances::TargetWorks;
use crate::board::map::Location;
use crate::board::terrain::Mf;
use schema::FieldFault;

/// A path to a hex, with the chance to arrive there.
#[derive(Clone, Debug)]
pub struct RankedPath {
    /// The hexes from the start on.
    pub hexes: String,
    pub mf: Mf,
    /// The chance of a unit of the stack to arrive unpinned.
    pub arrived: f64,
}

/// The best paths to a hex.
pub(super) struct SafestPaths {
    /// The steps of the best path.
    pub best: Vec<MapStep>,
    pub ranked: Vec<RankedPath>,
    /// Why some paths were left out, if any were.
    pub left_out: Option<FieldFault>,
}

/// The number of paths that are ranked.
const MOST_RANKED: usize = 5;
/// The largest number of different crossings that are solved, and of paths that are followed.
const MOST_SOLVED: usize = 3_000;
const MOST_FOLLOWED: usize = 200_000;

/// Why a search has no best path.
pub(super) enum SearchError {
    /// No path is within the MF.
    NoPath,
    /// There are more paths than a search follows.
    TooMany,
    /// Every path has this fault.
    Fault(FieldFault),
}

/// What the chances of a path depend on in one Location. Terrain that nobody sees does not matter.
type LocationKey = (Mf, Option<(*const str, TargetWorks, Vec<Option<DefenderSight>>)>);

/// A path that has not reached the hex, or has just reached it.
struct Prefix {
    at: MapNode,
    steps: Vec<MapStep>,
    /// The Locations, each as the number of its key.
    keys: Vec<u32>,
    mf: Mf,
    /// The chance to arrive at its end, or a bound of it: that of the path without its last step.
    arrived: f64,
    is_solved: bool,
    /// The number of prefixes before it.
    number: usize,
}

impl Prefix {
    fn rank(&self) -> (Reverse<Mf>, Reverse<usize>) {
        (Reverse(self.mf), Reverse(self.number))
    }
}

impl Ord for Prefix {
    fn cmp(&self, other: &Prefix) -> Ordering {
        self.arrived.total_cmp(&other.arrived).then_with(|| self.rank().cmp(&other.rank()))
    }
}

impl PartialOrd for Prefix {
    fn partial_cmp(&self, other: &Prefix) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Prefix {
    fn eq(&self, other: &Prefix) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Prefix {}

/// A search for the safest paths.
pub(super) struct PathSearch<'a> {
    board: &'a CrossingBoard<'a>,
    /// Returns the chance of a unit to arrive unpinned at the end of a path.
    chance: &'a dyn Fn(&[MapStep]) -> Result<f64, FieldFault>,
    target: Location,
    /// The MF of the slowest unit.
    budget: Mf,
    ways: FxHashMap<MapNode, Vec<MapStep>>,
    numbers: FxHashMap<LocationKey, u32>,
    solved: FxHashMap<Vec<u32>, Option<f64>>,
    met: FxHashSet<(MapNode, Vec<u32>)>,
    left_out: Option<FieldFault>,
}

fn mf_of(steps: &[MapStep]) -> Mf {
    steps.iter().fold(Mf::default(), |sum, step| sum + step.location.mf)
}

impl<'a> PathSearch<'a> {
    /// Creates a search to a target within the MF of the slowest unit.
    pub fn new(
        board: &'a CrossingBoard<'a>,
        chance: &'a dyn Fn(&[MapStep]) -> Result<f64, FieldFault>,
        (target, budget): (Location, Mf),
    ) -> PathSearch<'a> {
        PathSearch {
            board,
            chance,
            target,
            budget,
            ways: FxHashMap::default(),
            numbers: FxHashMap::default(),
            solved: FxHashMap::default(),
            met: FxHashSet::default(),
            left_out: None,
        }
    }

    /// Returns the safest paths that go on from the steps already named.
    ///
    /// # Errors
    ///
    /// Fails if there is no path, or more than can be followed.
    pub fn best(mut self, start: MapNode, named: Vec<MapStep>) -> Result<SafestPaths, SearchError> {
        let at = named.last().map_or(start, |step| step.to);
        let rest = self.mf_to_target(at, mf_of(&named));
        let mut open = BinaryHeap::new();
        open.extend(self.prefix(at, named, 1.0));
        let mut best: Vec<Prefix> = Vec::new();
        while let Some(prefix) = open.pop() {
            if !prefix.is_solved {
                open.extend(self.solved(prefix)?);
            } else if prefix.at.at == self.target {
                best.push(prefix);
                if best.len() == MOST_RANKED {
                    break;
                }
            } else {
                for step in self.ways.get(&prefix.at).cloned().unwrap_or_default() {
                    let sum = prefix.mf + step.location.mf;
                    let fits = rest.get(&step.to).is_some_and(|rest| sum + *rest <= self.budget);
                    let is_new = start.at != step.to.at
                        && prefix.steps.iter().all(|earlier| earlier.to.at != step.to.at);
                    if fits && is_new {
                        let steps = prefix.steps.iter().cloned().chain([step.clone()]).collect();
                        open.extend(self.prefix(step.to, steps, prefix.arrived));
                    }
                }
            }
        }
        let ranked = best.iter().map(|prefix| self.ranked(start, prefix)).collect();
        let Some(first) = best.into_iter().next() else {
            return Err(self.left_out.map_or(SearchError::NoPath, SearchError::Fault));
        };
        Ok(SafestPaths { best: first.steps, ranked, left_out: self.left_out })
    }

    fn ranked(&self, start: MapNode, prefix: &Prefix) -> RankedPath {
        let name = |node: MapNode| {
            let works = if node.sheltered { " works" } else { "" };
            self.board.name(node.at) + works
        };
        let nodes = std::iter::once(start).chain(prefix.steps.iter().map(|step| step.to));
        let hexes: Vec<String> = nodes.map(name).collect();
        RankedPath { hexes: hexes.join(" "), mf: prefix.mf, arrived: prefix.arrived }
    }

    /// Returns the MF from each node within reach to the target, and notes the steps on the way.
    fn mf_to_target(&mut self, start: MapNode, spent: Mf) -> FxHashMap<MapNode, Mf> {
        let mut into: FxHashMap<MapNode, Vec<(MapNode, Mf)>> = FxHashMap::default();
        let budget = self.budget;
        let board = self.board;
        let ways = &mut self.ways;
        let reached = least(
            vec![(spent, start)],
            |from| {
                let steps = ways.entry(from).or_insert_with(|| board.steps_from(from));
                let edge = |step: &MapStep| {
                    into.entry(step.to).or_default().push((from, step.location.mf));
                    (step.to, step.location.mf)
                };
                steps.iter().map(edge).collect()
            },
            budget,
        );
        let ends = reached.keys().filter(|node| node.at == self.target);
        let ends = ends.map(|node| (Mf::default(), *node)).collect();
        least(ends, |to| into.get(&to).cloned().unwrap_or_default(), budget)
    }

    /// Returns a path with a bound of its chance; `None` if another path of the same chances has
    /// come to its end.
    fn prefix(&mut self, at: MapNode, steps: Vec<MapStep>, bound: f64) -> Option<Prefix> {
        let keys: Vec<u32> = steps.iter().map(|step| self.number(step)).collect();
        self.met.insert((at, keys.clone())).then(|| {
            let number = self.met.len();
            Prefix { at, mf: mf_of(&steps), steps, keys, arrived: bound, is_solved: false, number }
        })
    }

    /// Returns a path with its chance; `None` if it is left out.
    fn solved(&mut self, prefix: Prefix) -> Result<Option<Prefix>, SearchError> {
        if self.solved.len() > MOST_SOLVED || self.met.len() > MOST_FOLLOWED {
            return Err(SearchError::TooMany);
        }
        let arrived = match self.solved.get(&prefix.keys) {
            Some(known) => *known,
            None => {
                let solved = (self.chance)(&prefix.steps);
                let arrived = solved.map_err(|fault| self.left_out.get_or_insert(fault)).ok();
                self.solved.insert(prefix.keys.clone(), arrived);
                arrived
            }
        };
        // A further Location makes no arrival likelier; figures differ by what floats lose.
        let bounded = |arrived: f64| arrived.min(prefix.arrived);
        Ok(arrived.map(|arrived| Prefix { arrived: bounded(arrived), is_solved: true, ..prefix }))
    }

    /// Returns the number of what the chances depend on in the Location of a step.
    fn number(&mut self, step: &MapStep) -> u32 {
        let sights = self.board.firing_locations().map(|from| self.board.sight(from, step.to.at));
        let sights: Vec<Option<DefenderSight>> = sights.collect();
        let of = &step.location;
        let is_seen = sights.iter().any(Option::is_some);
        let seen = is_seen.then(|| (std::ptr::from_ref(of.terrain.id.as_str()), of.works, sights));
        let next = self.numbers.len() as u32;
        *self.numbers.entry((of.mf, seen)).or_insert(next)
    }
}

/// Returns the least MF to each node from those at the beginning, up to a bound.
fn least(
    begin: Vec<(Mf, MapNode)>,
    mut edges: impl FnMut(MapNode) -> Vec<(MapNode, Mf)>,
    bound: Mf,
) -> FxHashMap<MapNode, Mf> {
    let mut least: FxHashMap<MapNode, Mf> = FxHashMap::default();
    let mut open: BinaryHeap<Reverse<(Mf, MapNode)>> = begin.into_iter().map(Reverse).collect();
    while let Some(Reverse((mf, node))) = open.pop() {
        if mf > bound || least.contains_key(&node) {
            continue;
        }
        least.insert(node, mf);
        open.extend(edges(node).into_iter().map(|(to, cost)| Reverse((mf + cost, to))));
    }
    least
}
