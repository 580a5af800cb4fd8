//! The graph of a rout: Locations, steps, and the enemies that bar or Interdict each step.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::open_ground::Stance;
use super::situation::{Enemies, Enemy, ROOM, Router, Situation, each, numbers, room_of, set_of};
use crate::board::hex::Hex;
use crate::board::map::{Barrier, Location, Map, Works};
use crate::board::movement::{MoveOption, same_building, steps};
use crate::board::terrain::{Cost, Mf, OpenGround};
use crate::cache::Cache;
use crate::rulebook::Switch;
use crate::unit::Condition;
use crate::vocabulary::gauntlet::{ROUT_MF, WOUNDED_MF};

pub(super) type RoutNodeId = u16;

pub(super) const OUT_OF_REACH: u8 = u8::MAX;

/// The distance of each node in half MF, by node index.
pub(super) type Distances = Arc<[u8]>;

/// The caches of one `RoutMap`. The `bool` in a key of `ways` is set for routes that stay in cover.
#[derive(Default)]
pub(super) struct Memo {
    pub reaches: Cache<(Enemies, RoutNodeId), Distances>,
    pub ways: Cache<(Enemies, Location, bool), Distances>,
    pub choices: Cache<Viewpoint, Arc<InReach>>,
}

/// A Location with cover within reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cover {
    pub location: Location,
    /// The distance to the Location, in half MF.
    pub cost: u8,
    /// Whether the owner may ignore the cover (10.51).
    pub is_ignorable: bool,
    /// Whether the owner may declare the Location as the destination.
    pub is_destination: bool,
}

/// The cover and the destinations that a unit has within reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InReach {
    /// All cover within reach, nearest first.
    pub cover: Vec<Cover>,
    /// Whether the unit may go anywhere: no cover is in reach, or all may be ignored (10.51).
    pub is_free: bool,
}

impl InReach {
    /// Returns the cover that the owner may declare as the destination.
    pub fn destinations(&self) -> impl Iterator<Item = &Cover> {
        self.cover.iter().filter(|cover| cover.is_destination)
    }
}

/// The node and the circumstances that decide the choice of cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Viewpoint {
    pub post: RoutNodeId,
    /// The MF left, in halves.
    pub left: u8,
    pub known: Enemies,
    /// Whether the choice is made at the start, instead of in re-figuring.
    pub at_start: bool,
}

/// A node of the graph: a Location, inside or outside its shellholes or works.
pub(super) struct RoutNode {
    pub location: Location,
    pub sheltered: bool,
    /// Whether the node is woods, a building or a pillbox (10.51).
    pub is_cover: bool,
    /// Whether the node belongs to the multi-hex building in which the rout began (10.51).
    pub is_home_building: bool,
    /// The part of the unit above the stacking limit, in squad-equivalents rounded up (5.11).
    pub overstack: u8,
    /// The enemies with a LOS to the node, except prisoners.
    pub seen_by: Enemies,
    /// The enemies in the Location.
    pub held_by: Enemies,
    pub adjacent_to: Enemies,
    /// The enemies to which a unit at rest is in Open Ground, in Normal Range and clear LOS (10.5).
    pub open_to: Enemies,
    /// The enemies of `open_to` that can Interdict.
    pub swept_by: Enemies,
    /// The enemies in LOS without Hindrance that could fire at the node (10.532).
    covered_by: Enemies,
    pub edges: Vec<Edge>,
    /// The edges that lead to the node, each as its start node and its index there.
    pub ways_in: Vec<(RoutNodeId, u8)>,
}

#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub to: RoutNodeId,
    /// The cost in half MF, or `None` if the step takes all MF of the unit.
    pub cost: Option<u8>,
    /// The part of `cost` for works and shellholes, in half MF. Distances leave it out (10.51).
    pub extra: u8,
    /// The enemies to which the step decreases the range (10.51).
    pub approaches: Enemies,
    /// The enemies ADJACENT to `to`, except those in the Location that the unit leaves (10.51).
    pub adjacent: Enemies,
    /// The enemies that Interdict the step, of which concealed ones must first be revealed (10.53).
    pub interdicted_by: Enemies,
    /// Whether the step can be a Low Crawl (10.52).
    pub crawlable: bool,
}

impl Edge {
    /// Returns the cost in half MF without `extra` (10.51), or `None` if the step takes all MF.
    pub(super) fn plain_cost(&self) -> Option<u8> {
        self.cost.map(|cost| cost - self.extra)
    }
}

/// The properties of a unit, beside its position, on which its `RoutMap` depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bearing {
    /// Whether the unit is Disrupted, and so may crawl only at night (10.52).
    pub(super) disrupted: bool,
    /// The MF of the unit at the start, in halves.
    pub(super) allotment: u8,
    /// The enemies to which the unit could surrender (20.21).
    pub(super) captors: Enemies,
    /// The room that the unit takes up, in half squad-equivalents (5.1).
    room: u32,
}

impl Bearing {
    pub(crate) fn new(situation: &Situation, router: &Router) -> Bearing {
        let slow = router.is(Condition::Wounded)
            || router.escort.as_ref().is_some_and(|escort| escort.is(Condition::Wounded));
        let disrupted = router.is(Condition::Disrupted);
        let takes_it = |enemy: &Enemy| {
            enemy.takes_prisoners(disrupted, situation.rulebook) && !router.defies(enemy.nation())
        };
        Bearing {
            disrupted,
            allotment: Mf::whole(if slow { WOUNDED_MF } else { ROUT_MF }).in_halves(),
            captors: situation.enemies_that(takes_it),
            room: room_of(router.member.printed().kind),
        }
    }
}

/// The graph of the Locations that one routing unit can reach, and the enemies that matter to it.
pub struct RoutMap {
    pub(super) situation: Situation,
    pub(super) posts: Vec<RoutNode>,
    pub(super) bearing: Bearing,
    /// The range in hexes from each node (outer index) to each enemy (inner index).
    ranges: Vec<Vec<u16>>,
    /// The concealed enemies. The names of the sets below say which enemies they hold.
    pub(super) concealed: Enemies,
    pub(super) armed: Enemies,
    pub(super) broken: Enemies,
    pub(super) in_melee: Enemies,
    pub(super) in_good_order: Enemies,
    /// The enemies that are berserk, in Melee or vehicles.
    pub(super) idle: Enemies,
    pub(super) memo: Memo,
}

pub(super) const START: RoutNodeId = 0;

impl Situation {
    /// Returns every hex that a routing unit can reach with its MF, its own first.
    pub fn way(&self, router: &Router) -> Vec<Hex> {
        let mut hexes: Vec<Hex> = Vec::new();
        for post in &RoutMap::new(self, router).posts {
            if !hexes.contains(&post.location.hex) {
                hexes.push(post.location.hex);
            }
        }
        hexes
    }

    /// Returns the 0-based indices of the enemies of unknown fire who see where a unit may rout.
    pub fn unknown_fire(&self) -> Vec<usize> {
        let unknown = self.enemies_that(|enemy| enemy.circumstances.unknown_fire);
        if unknown == 0 {
            return Vec::new();
        }
        let maps = self.routers.iter().map(|router| RoutMap::new(self, router));
        let seen = maps.flat_map(|map| map.posts).fold(0, |seen, post| seen | post.seen_by);
        numbers(unknown & seen)
    }
}

impl RoutMap {
    pub fn new(situation: &Situation, router: &Router) -> RoutMap {
        let mut field = RoutMap {
            situation: situation.clone(),
            posts: Vec::new(),
            bearing: Bearing::new(situation, router),
            ranges: Vec::new(),
            concealed: situation.enemies_that(|enemy| enemy.circumstances.concealed),
            armed: situation.enemies_that(|enemy| enemy.is_armed(situation.rulebook)),
            broken: situation.enemies_that(Enemy::is_broken),
            in_melee: situation.enemies_that(|enemy| enemy.circumstances.in_melee),
            in_good_order: situation.enemies_that(Enemy::is_in_good_order),
            idle: situation.enemies_that(|enemy| {
                enemy.is(Condition::Berserk)
                    || enemy.circumstances.vehicle
                    || enemy.circumstances.in_melee
            }),
            memo: Memo::default(),
        };
        field.explore(router);
        field
    }

    #[inline]
    pub(super) fn chooses(&self, switch: Switch) -> bool {
        self.situation.rulebook.chooses(switch)
    }

    pub(super) fn names(&self, enemies: Enemies) -> String {
        let names = each(enemies).map(|place| self.situation.enemy_called(place));
        names.collect::<Vec<_>>().join(", ")
    }

    pub(super) fn burns(&self) -> bool {
        let start = self.post(START).location.hex;
        self.situation.map.get(start).is_some_and(|ground| ground.blaze)
    }

    /// Finds every node within the MF of the unit, and the steps between nodes. The first step
    /// counts as 0 MF, because the end of a Low Crawl (10.52) needs distances too.
    fn explore(&mut self, router: &Router) {
        let allotment = self.bearing.allotment;
        let sheltered = router.sheltered && can_shelter(&self.situation, router.at);
        self.add_post(router, router.at, sheltered);
        let mut numbers = FxHashMap::from_iter([((router.at, sheltered), 0)]);
        let mut least: Vec<u8> = vec![0];
        let mut ways: Vec<Vec<(RoutNodeId, MoveOption)>> = vec![Vec::new()];
        // Dijkstra's algorithm: the node with the least MF is visited next.
        let mut queue: Vec<RoutNodeId> = vec![0];
        while let Some(place) =
            (0..queue.len()).min_by_key(|&place| (least[usize::from(queue[place])], queue[place]))
        {
            let from = queue.swap_remove(place);
            let RoutNode { location, sheltered, .. } = self.posts[usize::from(from)];
            for step in steps(&self.situation.map, location, sheltered) {
                let cost = match step.cost {
                    Cost::Mf(mf) => mf.in_halves() - step.extra.in_halves(),
                    Cost::All if from == 0 => allotment,
                    Cost::All => OUT_OF_REACH,
                };
                if cost > allotment - least[usize::from(from)] {
                    continue;
                }
                let sum = if from == 0 { 0 } else { least[usize::from(from)] + cost };
                let sheltered = step.is_sheltered();
                let to = *numbers.entry((step.to, sheltered)).or_insert_with(|| {
                    self.add_post(router, step.to, sheltered);
                    let number = least.len() as RoutNodeId;
                    least.push(sum);
                    ways.push(Vec::new());
                    queue.push(number);
                    number
                });
                least[usize::from(to)] = least[usize::from(to)].min(sum);
                ways[usize::from(from)].push((to, step));
            }
        }
        for (from, ways) in ways.into_iter().enumerate() {
            let edges: Vec<Edge> =
                ways.into_iter().map(|(to, step)| self.edge(from, to, step)).collect();
            for (place, edge) in edges.iter().enumerate() {
                self.posts[usize::from(edge.to)].ways_in.push((from as RoutNodeId, place as u8));
            }
            self.posts[from].edges = edges;
        }
    }

    fn add_post(&mut self, router: &Router, location: Location, sheltered: bool) {
        let situation = &self.situation;
        let Situation { map, enemies, rulebook, .. } = situation;
        // Lines of sight are the most expensive part, so each is computed once.
        let line = |enemy: &Enemy| situation.hindrance(enemy, location);
        let lines: Vec<Option<u8>> = enemies.iter().map(line).collect();
        let clear = set_of(lines.iter().map(|line| *line == Some(0)));
        let ground = map.get(location.hex);
        let pillbox =
            sheltered && ground.is_some_and(|ground| ground.works == Some(Works::Pillbox));
        let range = |enemy: &Enemy| enemy.at.hex.range(location.hex);
        let open_to = situation.those(clear, |enemy| {
            enemy.is_in_range(range(enemy))
                && situation.is_bare_to(enemy, location, Stance::AtRest { sheltered })
        });
        let covered_by =
            situation.those(clear, |enemy| enemy.can_interdict(location.hex, *rulebook));
        let others = situation.routers.iter().filter(|other| other.name != router.name);
        let others = others.map(|other| (&other.member, other.at));
        let friends = situation.friends.iter().map(|friend| (&friend.member, friend.at));
        let others = others.chain(friends).filter(|(_, at)| *at == location);
        let others = others.map(|(member, _)| room_of(member.printed().kind));
        let crowd = situation.crowd.iter().filter(|(at, _)| *at == location).map(|(_, room)| *room);
        let (room, own) = (others.chain(crowd).sum::<u32>(), room_of(router.member.printed().kind));
        self.ranges.push(enemies.iter().map(range).collect());
        self.posts.push(RoutNode {
            location,
            sheltered,
            is_cover: ground.is_some_and(|ground| ground.is_cover()) || pillbox,
            is_home_building: same_building(map, location, router.at)
                && has_more_hexes(map, router.at),
            overstack: (room + own).saturating_sub(ROOM.max(room)).div_ceil(2) as u8,
            seen_by: set_of(lines.iter().map(Option::is_some))
                & !situation.enemies_that(|enemy| enemy.is(Condition::Captured)),
            held_by: situation.enemies_that(|enemy| enemy.at == location),
            adjacent_to: situation.enemies_that(|enemy| situation.are_adjacent(enemy.at, location)),
            open_to,
            swept_by: open_to & covered_by,
            covered_by,
            edges: Vec::new(),
            ways_in: Vec::new(),
        });
    }

    fn edge(&self, from: usize, to: RoutNodeId, step: MoveOption) -> Edge {
        let situation = &self.situation;
        let (a, b) = (&self.posts[from], &self.posts[usize::from(to)]);
        let stance = Stance::Entering { from: a.location, step };
        let in_the_open = |enemy: &Enemy| situation.is_bare_to(enemy, b.location, stance);
        let ranges = self.ranges[usize::from(to)].iter().zip(&self.ranges[from]);
        let terrain =
            situation.map.get(b.location.hex).is_some_and(|ground| ground.terrain.low_crawl);
        let another_hex = a.location.hex != b.location.hex || !self.chooses(Switch::CrawlOneHex);
        let over = if self.chooses(Switch::NoOverstackCost) { 0 } else { 2 * b.overstack };
        Edge {
            to,
            cost: match step.cost {
                Cost::Mf(mf) => Some(mf.in_halves() + over),
                Cost::All => None,
            },
            extra: step.extra.in_halves(),
            approaches: set_of(ranges.map(|(to, from)| to < from)),
            adjacent: b.adjacent_to & !a.held_by,
            interdicted_by: situation.those(b.covered_by, in_the_open),
            crawlable: terrain && another_hex,
        }
    }

    #[inline]
    pub(super) fn post(&self, id: RoutNodeId) -> &RoutNode {
        &self.posts[usize::from(id)]
    }

    /// Returns the concealed enemies that are not among the Known ones (12.1).
    pub(super) fn hidden(&self, known: Enemies) -> Enemies {
        self.concealed & !known
    }

    /// Returns the enemies that Interdict a step (10.53), without those that are still concealed.
    pub(super) fn interdictors(&self, edge: &Edge, known: Enemies) -> Enemies {
        edge.interdicted_by & !self.hidden(known)
    }

    pub(super) fn range(&self, post: RoutNodeId, enemy: usize) -> u16 {
        self.ranges[usize::from(post)][enemy]
    }

    /// Returns the enemies that eliminate a unit whose rout ends ADJACENT to them (10.5). They are
    /// unbroken, and armed except in the Starter Kit.
    pub(super) fn deadly(&self) -> Enemies {
        let unarmed_too = self.chooses(Switch::UnbrokenEnemiesForce);
        !self.broken & if unarmed_too { Enemies::MAX } else { self.armed }
    }

    /// Returns whether a Known enemy eliminates a unit whose rout ends at the node (10.5).
    pub(super) fn is_trapped(&self, post: RoutNodeId, known: Enemies) -> bool {
        let post = self.post(post);
        (post.adjacent_to | post.held_by) & known & self.deadly() != 0
    }

    /// Returns whether the node is open to a Known enemy, where no rout may end (10.5, I-11).
    pub(super) fn is_exposed(&self, post: RoutNodeId, known: Enemies) -> bool {
        let post = self.post(post);
        let busy = if self.chooses(Switch::MeleeForces) { 0 } else { self.in_melee };
        let only_interdictors = self.chooses(Switch::OnlyInterdictorBarsOpenGround);
        let to =
            if only_interdictors { post.swept_by } else { post.open_to & !busy & !self.broken };
        to & known != 0
    }

    /// Returns whether a step is legal for these Known enemies (10.51): not nearer to an armed one,
    /// not ADJACENT to one or in its Location, nor barred by I-54, I-56 or Starter Kit stacking.
    #[inline]
    pub(super) fn is_legal(&self, edge: &Edge, known: Enemies) -> bool {
        let approached =
            if self.chooses(Switch::UnarmedNotApproached) { Enemies::MAX } else { self.armed };
        let to = self.post(edge.to);
        let barred = (edge.approaches & approached) | edge.adjacent | to.held_by;
        if barred & known != 0 || (to.overstack > 0 && self.chooses(Switch::FullHexBars)) {
            return false;
        }
        let in_plain_view = to.held_by & !self.concealed;
        let back = to.location == self.post(START).location && self.chooses(Switch::NoWayBack);
        !back && (in_plain_view == 0 || !self.chooses(Switch::PlainViewBars))
    }
}

fn has_more_hexes(map: &Map, location: Location) -> bool {
    map.hexes().any(|hex| {
        hex != location.hex && same_building(map, Location { hex, ..location }, location)
    })
}

fn can_shelter(situation: &Situation, location: Location) -> bool {
    let ground = situation.map.get(location.hex);
    location.level == 0
        && ground.is_some_and(|ground| {
            ground.works.is_some() || ground.terrain.open_ground == OpenGround::AtMinimum
        })
}

impl Situation {
    /// Returns whether Locations are ADJACENT (.8): neighbours with a LOS between which Infantry
    /// could advance, successive levels of a stairwell, or in the Starter Kit any neighbours.
    pub fn are_adjacent(&self, a: Location, b: Location) -> bool {
        if self.rulebook.chooses(Switch::NeighboursAreAdjacent) {
            return a.hex.range(b.hex) == 1;
        }
        if a.hex == b.hex {
            let stairway = self.map.get(a.hex).is_some_and(|ground| ground.stairway);
            return stairway && a.level.abs_diff(b.level) == 1;
        }
        let Some(side) = a.hex.side_towards(b.hex) else { return false };
        let passable = self.map.barrier(a.hex, side).is_none_or(Barrier::is_passable);
        let enterable = |location: Location| {
            let ground = self.map.get(location.hex);
            ground.is_some_and(|ground| ground.terrain.cost.is_some() && !ground.blaze)
        };
        let level = a.level == b.level && (a.level == 0 || same_building(&self.map, a, b));
        let can_advance = passable && level && enterable(a) && enterable(b);
        can_advance && self.sight.hindrance(&self.map, a, b).is_some()
    }
}
