//! The map as one routing unit meets it: the Locations within reach, the steps between them, and per step which enemies bar or
//! Interdict it. Enemies are numbered as in the situation; a set of them is a word of bits, so a rule is asked in a few operations.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::open_ground::Stance;
use super::situation::{Enemy, ROOM, Router, Situation, room_of};
use crate::asl::interdiction::{ROUT_MF, WOUNDED_MF};
use crate::asl::rulebook::{Rulebook, Switch};
use crate::asl::unit::Condition;
use crate::board::map::{Barrier, Map, Site, Works};
use crate::board::movement::{Step, same_building, steps};
use crate::board::terrain::{Cost, Mf, OpenGround};

/// A set of enemies.
pub(super) type Enemies = u64;

/// Number of a post of the field.
pub(super) type PostId = u16;

/// What cannot be paid.
pub(super) const OUT_OF_REACH: u8 = u8::MAX;

/// MF in halves, from each post or to it.
type Distances = Arc<[u8]>;

/// A place where the unit may stand: a Location, in its shellholes or works or outside.
pub(super) struct Post {
    pub site: Site,
    pub sheltered: bool,
    /// 10.51: woods, building or pillbox.
    pub is_cover: bool,
    /// 10.51: of the multi-hex building in which the rout began.
    pub is_home_building: bool,
    /// 5.11: squad-equivalents over the stacking limit once the unit is there, rounded up.
    pub overstack: u8,
    /// Enemies with LOS to it.
    pub seen_by: Enemies,
    /// Enemies in the Location.
    pub held_by: Enemies,
    /// Enemies in ADJACENT Locations (.8).
    pub adjacent_to: Enemies,
    /// Enemies in whose LOS and Normal Range it is Open Ground for a unit at rest (10.5).
    pub open_to: Enemies,
    /// Those of them who can Interdict.
    pub swept_by: Enemies,
    pub edges: Vec<Edge>,
}

/// A step from one post to another.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub to: PostId,
    /// In half MF; `None` where it takes the whole allotment.
    pub cost: Option<u8>,
    /// What of it is spent on works and shellholes, and does not count for what is nearest (10.51).
    pub extra: u8,
    /// 10.51: enemies to whom the range falls.
    pub approaches: Enemies,
    /// 10.51: enemies to whom it leads ADJACENT, those whose Location is left apart.
    pub beside: Enemies,
    /// 10.53: enemies who Interdict it, concealed ones once they are revealed.
    pub interdicted_by: Enemies,
    /// 10.52: whether one may Low Crawl this way.
    pub crawlable: bool,
}

impl Edge {
    /// 10.51: what counts for what is nearest.
    pub(super) fn plain_cost(&self) -> Option<u8> {
        self.cost.map(|cost| cost - self.extra)
    }
}

/// The map as one unit meets it.
pub struct Field {
    pub(super) posts: Vec<Post>,
    pub(super) start: PostId,
    pub(super) rulebook: Rulebook,
    pub(super) night: bool,
    /// 10.52: the unit is Disrupted.
    pub(super) disrupted: bool,
    /// Range from each post to each enemy.
    ranges: Vec<Vec<u16>>,
    /// Enemies by what they are.
    pub(super) concealed: Enemies,
    pub(super) armed: Enemies,
    pub(super) broken: Enemies,
    pub(super) in_melee: Enemies,
    pub(super) captors: Enemies,
    pub(super) in_good_order: Enemies,
    pub(super) idle: Enemies,
    /// MF of the unit as it starts, in halves.
    pub(super) allotment: u8,
    reaches: Mutex<HashMap<(Enemies, PostId), Distances>>,
    ways: Mutex<HashMap<(Enemies, Site, bool), Distances>>,
}

impl Field {
    /// The field of one unit of a situation.
    pub fn new(situation: &Situation, router: &Router) -> Field {
        let slow = router.is(Condition::Wounded) || router.escort.as_ref().is_some_and(|escort| escort.is(Condition::Wounded));
        let allotment = Mf::whole(if slow { WOUNDED_MF } else { ROUT_MF }).in_halves();
        let set = |holds: &dyn Fn(&Enemy) -> bool| {
            let bits = situation.enemies.iter().enumerate().filter(|(_, enemy)| holds(enemy)).map(|(place, _)| 1 << place);
            bits.fold(0, |set: Enemies, bit: Enemies| set | bit)
        };
        let rulebook = situation.rulebook;
        let nation = |enemy: &Enemy| enemy.member.as_ref().map(|member| member.nation.unwrap_or(member.printed().nation));
        let mut field = Field {
            posts: Vec::new(),
            start: 0,
            rulebook,
            night: situation.night,
            disrupted: router.is(Condition::Disrupted),
            ranges: Vec::new(),
            concealed: set(&|enemy| enemy.circumstances.concealed),
            armed: set(&|enemy| enemy.is_armed(rulebook)),
            broken: set(&Enemy::is_broken),
            in_melee: set(&|enemy| enemy.circumstances.in_melee),
            captors: set(&|enemy| enemy.takes_prisoners(rulebook) && !router.defies(nation(enemy))),
            in_good_order: set(&Enemy::is_in_good_order),
            idle: set(&|enemy| enemy.is(Condition::Berserk) || enemy.circumstances.vehicle || enemy.circumstances.in_melee),
            allotment,
            reaches: Mutex::default(),
            ways: Mutex::default(),
        };
        field.explore(situation, router);
        let prisoners = set(&|enemy| enemy.is(Condition::Captured));
        for post in &mut field.posts {
            post.seen_by &= !prisoners;
        }
        field
    }

    /// Finds every post within the MF of the unit, and the steps between them. The first step counts nothing: for a Low Crawl (10.52)
    /// the ways from where it ends must be known too.
    fn explore(&mut self, situation: &Situation, router: &Router) {
        let mut numbers: HashMap<(Site, bool), PostId> = HashMap::new();
        let mut least: Vec<u8> = Vec::new();
        let mut ways: Vec<Vec<(PostId, Step)>> = Vec::new();
        self.add_post(situation, router, router.at, router.sheltered && can_shelter(situation, router.at));
        numbers.insert((router.at, self.posts[0].sheltered), 0);
        least.push(0);
        ways.push(Vec::new());
        // Posts in order of their MF: a step always costs something.
        let mut queue: Vec<PostId> = vec![0];
        while let Some(place) = (0..queue.len()).min_by_key(|&place| (least[usize::from(queue[place])], queue[place])) {
            let from = queue.swap_remove(place);
            let Post { site, sheltered, .. } = self.posts[usize::from(from)];
            for step in steps(&situation.map, site, sheltered) {
                let cost = match step.cost {
                    Cost::Mf(mf) => mf.in_halves() - step.extra.in_halves(),
                    Cost::All if from == 0 => self.allotment,
                    Cost::All => OUT_OF_REACH,
                };
                if cost > self.allotment - least[usize::from(from)] {
                    continue;
                }
                let sum = if from == 0 { 0 } else { least[usize::from(from)] + cost };
                let key = (step.to, is_sheltered(step));
                let to = *numbers.entry(key).or_insert_with(|| {
                    self.add_post(situation, router, key.0, key.1);
                    let number = least.len() as PostId;
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
            let edges = ways.into_iter().map(|(to, step)| self.edge(situation, from, to, step)).collect();
            self.posts[from].edges = edges;
        }
    }

    fn add_post(&mut self, situation: &Situation, router: &Router, site: Site, sheltered: bool) {
        let Situation { map, sight, enemies, rulebook, .. } = situation;
        let set = |holds: &dyn Fn(&Enemy) -> bool| {
            enemies.iter().enumerate().filter(|(_, enemy)| holds(enemy)).fold(0, |set: Enemies, (place, _)| set | 1 << place)
        };
        let sees = |enemy: &Enemy| enemy.at == site || sight.hindrance(map, enemy.at, site).is_some();
        let ground = map.get(site.hex);
        let pillbox = sheltered && ground.is_some_and(|ground| ground.works == Some(Works::Pillbox));
        let range = |enemy: &Enemy| enemy.at.hex.range(site.hex);
        let open_to = set(&|enemy| {
            enemy.is_in_range(range(enemy)) && situation.is_open_ground_to(enemy, site, Stance::AtRest { sheltered })
        });
        let others = situation.others(router).filter(|(_, at)| *at == site).map(|(member, _)| room_of(member.printed().kind));
        let crowd = situation.crowd.iter().filter(|(at, _)| *at == site).map(|(_, room)| *room);
        let (room, own) = (others.chain(crowd).sum::<u32>(), room_of(router.member.printed().kind));
        self.ranges.push(enemies.iter().map(range).collect());
        self.posts.push(Post {
            site,
            sheltered,
            is_cover: ground.is_some_and(|ground| ground.is_cover()) || pillbox,
            is_home_building: same_building(map, site, router.at) && has_more_hexes(map, router.at),
            overstack: (room + own).saturating_sub(ROOM.max(room)).div_ceil(2) as u8,
            seen_by: set(&sees),
            held_by: set(&|enemy| enemy.at == site),
            adjacent_to: set(&|enemy| situation.are_adjacent(enemy.at, site)),
            open_to,
            swept_by: open_to & set(&|enemy| enemy.can_interdict(site.hex, *rulebook)),
            edges: Vec::new(),
        });
    }

    fn edge(&self, situation: &Situation, from: usize, to: PostId, step: Step) -> Edge {
        let (a, b) = (&self.posts[from], &self.posts[usize::from(to)]);
        let enemies = || (0..).zip(&situation.enemies);
        let set = |holds: &dyn Fn(usize, &Enemy) -> bool| {
            enemies().filter(|&(place, enemy)| holds(place, enemy)).fold(0, |set: Enemies, (place, _)| set | 1 << place)
        };
        let stance = Stance::Entering { from: a.site, step };
        let interdicts =
            |enemy: &Enemy| enemy.can_interdict(b.site.hex, self.rulebook) && situation.is_open_ground_to(enemy, b.site, stance);
        let terrain = situation.map.get(b.site.hex).is_some_and(|ground| ground.terrain.low_crawl);
        let another_hex = a.site.hex != b.site.hex || self.rulebook.is_default(Switch::V2Crawl);
        let over = if self.rulebook.is_default(Switch::I30) { 2 * b.overstack } else { 0 };
        Edge {
            to,
            cost: match step.cost {
                Cost::Mf(mf) => Some(mf.in_halves() + over),
                Cost::All => None,
            },
            extra: step.extra.in_halves(),
            approaches: set(&|enemy, _| self.ranges[usize::from(to)][enemy] < self.ranges[from][enemy]),
            beside: b.adjacent_to & !a.held_by,
            interdicted_by: set(&|_, enemy| interdicts(enemy)),
            crawlable: terrain && another_hex,
        }
    }

    #[inline]
    pub(super) fn post(&self, id: PostId) -> &Post {
        &self.posts[usize::from(id)]
    }

    /// 12.1: enemies who are still concealed when those are Known.
    pub(super) fn hidden(&self, known: Enemies) -> Enemies {
        self.concealed & !known
    }

    /// 10.53: enemies who Interdict a step.
    pub(super) fn interdictors(&self, edge: &Edge, known: Enemies) -> Enemies {
        edge.interdicted_by & !self.hidden(known)
    }

    /// Range from a post to an enemy.
    pub(super) fn range(&self, post: PostId, enemy: u32) -> u16 {
        self.ranges[usize::from(post)][enemy as usize]
    }

    /// Enemies whose presence beside the unit costs it its life when its rout ends (10.5): unbroken, and armed except in the Starter
    /// Kit.
    pub(super) fn deadly(&self) -> Enemies {
        !self.broken & if self.rulebook.is_default(Switch::SkMust) { self.armed } else { Enemies::MAX }
    }

    /// 10.5: whether a unit is ADJACENT to, or in the Location of, such an enemy it knows.
    pub(super) fn is_trapped(&self, post: PostId, known: Enemies) -> bool {
        let post = self.post(post);
        (post.adjacent_to | post.held_by) & known & self.deadly() != 0
    }

    /// 10.5: whether a rout may not end there for being in the open; I-11 says to whom.
    pub(super) fn is_exposed(&self, post: PostId, known: Enemies) -> bool {
        let post = self.post(post);
        let busy = if self.rulebook.is_default(Switch::V2Melee) { self.in_melee } else { 0 };
        let in_range = post.open_to & !busy & !self.broken;
        let to = if self.rulebook.is_default(Switch::I11) { in_range } else { post.swept_by };
        to & known != 0
    }

    /// 10.51: whether a step is legal with those enemies Known: not to a lower range (to an armed one), not ADJACENT to one, not
    /// into his Location. I-54, I-56 and the Starter Kit's stacking limit bar some more.
    #[inline]
    pub(super) fn is_legal(&self, edge: &Edge, known: Enemies) -> bool {
        let approached = if self.rulebook.is_default(Switch::V2Direction) { self.armed } else { Enemies::MAX };
        let to = self.post(edge.to);
        let barred = (edge.approaches & approached) | edge.beside | to.held_by;
        if barred & known != 0 || (to.overstack > 0 && !self.rulebook.is_default(Switch::SkStacking)) {
            return false;
        }
        let in_plain_view = to.held_by & !self.concealed;
        let back = to.site == self.post(self.start).site && !self.rulebook.is_default(Switch::I56);
        !back && (in_plain_view == 0 || self.rulebook.is_default(Switch::I54))
    }

    /// Least MF from a post to all others, over steps that are legal with those enemies Known; of a unit that has not moved yet also
    /// where it needs all its MF.
    pub(super) fn reach(&self, from: PostId, known: Enemies) -> Distances {
        let legal = |edge: &Edge| self.is_legal(edge, known);
        let find = || self.spread(from, Edge::plain_cost, &legal);
        self.reaches.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).entry((known, from)).or_insert_with(find).clone()
    }

    /// I-13: the same over all steps, legal or not.
    pub(super) fn reach_of_all(&self, from: PostId) -> Distances {
        self.spread(from, Edge::plain_cost, &|_| true)
    }

    /// Least MF that must really be spent from the start to all posts, those to leave works and shellholes included.
    pub(super) fn outlay(&self, known: Enemies) -> Distances {
        self.spread(self.start, |edge| edge.cost, &|edge| self.is_legal(edge, known))
    }

    fn spread(&self, from: PostId, cost: fn(&Edge) -> Option<u8>, legal: &dyn Fn(&Edge) -> bool) -> Distances {
        let mut least = vec![OUT_OF_REACH; self.posts.len()];
        least[usize::from(from)] = 0;
        for spent in 0..=self.allotment {
            for post in 0..self.posts.len() {
                if least[post] != spent {
                    continue;
                }
                for edge in self.posts[post].edges.iter().filter(|edge| legal(edge)) {
                    let whole = if from == self.start && spent == 0 { Some(self.allotment) } else { None };
                    let Some(cost) = cost(edge).or(whole) else { continue };
                    let to = &mut least[usize::from(edge.to)];
                    *to = (*to).min(spent.saturating_add(cost));
                }
            }
        }
        least.into()
    }

    /// Least MF from each post to a Location, over steps that are legal with those enemies Known.
    pub(super) fn ways_to(&self, goal: Site, known: Enemies) -> Distances {
        self.ways(goal, known, false)
    }

    /// The same through cover all the way.
    pub(super) fn ways_through_cover(&self, goal: Site, known: Enemies) -> Distances {
        self.ways(goal, known, true)
    }

    fn ways(&self, goal: Site, known: Enemies, in_cover: bool) -> Distances {
        let find = || self.gather(goal, known, in_cover);
        let mut ways = self.ways.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        ways.entry((known, goal, in_cover)).or_insert_with(find).clone()
    }

    fn gather(&self, goal: Site, known: Enemies, in_cover: bool) -> Distances {
        let mut least: Vec<u8> = self.posts.iter().map(|post| if post.site == goal { 0 } else { OUT_OF_REACH }).collect();
        // Posts are few and steps short: relaxing until nothing changes takes a handful of rounds.
        loop {
            let mut changed = false;
            for post in (0..self.posts.len()).rev() {
                let edges = self.posts[post].edges.iter().filter(|edge| !in_cover || self.post(edge.to).is_cover);
                for edge in edges {
                    let Some(cost) = edge.plain_cost() else { continue };
                    let sum = least[usize::from(edge.to)].saturating_add(cost);
                    if sum < least[post] && sum <= self.allotment && self.is_legal(edge, known) {
                        least[post] = sum;
                        changed = true;
                    }
                }
            }
            if !changed {
                return least.into();
            }
        }
    }
}

/// Whether a step ends in shellholes or works.
fn is_sheltered(step: Step) -> bool {
    use crate::board::movement::Way;
    matches!(step.way, Way::Sheltered | Way::Trench)
}

/// Whether a building has other hexes than that one.
fn has_more_hexes(map: &Map, site: Site) -> bool {
    map.hexes().any(|hex| hex != site.hex && same_building(map, Site { hex, ..site }, site))
}

/// Whether there are shellholes or works to be in.
fn can_shelter(situation: &Situation, site: Site) -> bool {
    let ground = situation.map.get(site.hex);
    site.level == 0 && ground.is_some_and(|ground| ground.works.is_some() || ground.terrain.open_ground == OpenGround::AtMinimum)
}

impl Situation {
    /// Units of the routing side other than `router`, with their Locations.
    fn others(&self, router: &Router) -> impl Iterator<Item = (&crate::asl::stack::Member, Site)> {
        let name = router.name.clone();
        let routers = self.routers.iter().filter(move |other| other.name != name).map(|other| (&other.member, other.at));
        routers.chain(self.friends.iter().map(|friend| (&friend.member, friend.at)))
    }

    /// .8: whether two Locations are ADJACENT: neighbours between which there is LOS and Infantry could advance, or the next level
    /// of a stairwell. The Starter Kit knows neighbouring hexes only.
    pub(super) fn are_adjacent(&self, a: Site, b: Site) -> bool {
        if !self.rulebook.is_default(Switch::SkAdjacent) {
            return a.hex.range(b.hex) == 1;
        }
        if a.hex == b.hex {
            let stairway = self.map.get(a.hex).is_some_and(|ground| ground.stairway);
            return stairway && a.level.abs_diff(b.level) == 1;
        }
        let Some(side) = a.hex.side_towards(b.hex) else { return false };
        let passable = self.map.barrier(a.hex, side) != Some(Barrier::Cliff);
        let enterable = |site: Site| self.map.get(site.hex).is_some_and(|ground| ground.terrain.cost.is_some() && !ground.blaze);
        let level = a.level == b.level && (a.level == 0 || same_building(&self.map, a, b));
        let can_advance = passable && level && enterable(a) && enterable(b);
        can_advance && self.sight.hindrance(&self.map, a, b).is_some()
    }
}
