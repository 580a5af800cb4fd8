//! Plans: the first action of a rout, and where it ends. A rout under a plan is a process with
//! fewer choices.

use super::distance::{Distances, OUT_OF_REACH};
use super::field::{Edge, PostId};
use super::march::{March, Move, Moves, Progress};
use super::process::{Rout, RoutOutcome, State};
use crate::board::map::Site;
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::Reading;
use engine::dice::Face;
use engine::process::{Due, Event, Log, Player, Process};

/// A plan for a rout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plan {
    Stay,
    /// A Low Crawl (10.52).
    Crawl(Site),
    /// A rout to a declared destination, and possibly on through cover (10.51).
    Destination {
        declared: Site,
        end: Site,
    },
    /// A free rout (10.51).
    Free {
        end: Site,
    },
}

impl Plan {
    /// Returns the kind of the plan in words.
    pub const fn kind(self) -> &'static str {
        match self {
            Plan::Stay => "stay",
            Plan::Crawl(_) => "Low Crawl",
            Plan::Destination { .. } => "run",
            Plan::Free { .. } => "rout freely",
        }
    }

    /// Returns the Location where the rout ends, or `None` if the unit stays.
    pub fn end(self) -> Option<Site> {
        match self {
            Plan::Stay => None,
            Plan::Crawl(end) | Plan::Destination { end, .. } | Plan::Free { end } => Some(end),
        }
    }
}

/// A rout under a plan. While the plan is possible, the owner makes only moves that keep it. If a
/// wound or a newly Known enemy makes it impossible, every move is open again.
#[derive(Clone, Copy)]
pub struct Planned<'a> {
    pub rout: &'a Rout,
    pub plan: Plan,
    /// Whether the unit takes only routes with the fewest MF, whatever the risk.
    pub shortest: bool,
}

impl Planned<'_> {
    /// Returns the possible moves in a state.
    pub fn moves(&self, state: &State) -> Moves {
        let moves = self.rout.moves(state);
        let left = self.rout.left(state);
        let further = self.further(&state.march);
        let keeps = |&chosen: &Move| self.keeps(&state.march, chosen, left, &further);
        let kept: Moves = moves.iter().copied().filter(keeps).collect();
        if kept.is_empty() { moves } else { kept }
    }

    fn keeps(&self, march: &March, chosen: Move, left: u8, further: &Further) -> bool {
        let site = |post: PostId| self.rout.field.post(post).site;
        let at_end = Some(site(march.post)) == self.plan.end();
        match (chosen, self.plan) {
            (Move::Stay, plan) => plan == Plan::Stay,
            (Move::Crawl(post), plan) => plan == Plan::Crawl(site(post)),
            (Move::GoFree, plan) => matches!(plan, Plan::Free { .. }),
            (Move::Declare(to), Plan::Destination { declared, .. }) => to == declared,
            (Move::Declare(_), _) => false,
            (Move::Stop, _) => at_end || march.may_stop,
            (Move::Step(_), _) if at_end => false,
            (Move::Step(place), _) => self.leads_on(march, place, left, further),
        }
    }

    /// Returns the distance to the end of the plan. Beyond a declared destination only cover
    /// counts.
    fn further(&self, march: &March) -> Further {
        let field = &self.rout.field;
        let (Plan::Destination { end, .. } | Plan::Free { end }) = self.plan else {
            return Further::Never;
        };
        match march.phase {
            Progress::Bound(goal) if goal == end => Further::Kept,
            Progress::Bound(goal) => {
                let beyond = field.posts.iter().position(|post| post.site == goal);
                let beyond = beyond
                    .map_or(OUT_OF_REACH, |post| field.ways_through_cover(end, march.known)[post]);
                Further::From(field.ways_to(goal, march.known), beyond)
            }
            Progress::Arrived => Further::From(field.ways_through_cover(end, march.known), 0),
            Progress::Free => Further::From(field.ways_to(end, march.known), 0),
            Progress::Start | Progress::Refiguring | Progress::Over(_) => Further::Never,
        }
    }

    /// Returns whether the end of the plan is still within reach after a step.
    fn leads_on(&self, march: &March, step: u8, left: u8, further: &Further) -> bool {
        let edge = &self.rout.field.post(march.post).edges[usize::from(step)];
        let further = match further {
            Further::Never => return false,
            _ if self.shortest && !self.is_shortest(march, edge) => return false,
            Further::Kept => return true,
            Further::From(ways, beyond) => ways[usize::from(edge.to)].saturating_add(*beyond),
        };
        match edge.cost {
            Some(cost) => cost.saturating_add(further) <= left,
            None => further == 0,
        }
    }
}

impl Planned<'_> {
    /// Returns whether a step is on a route with the fewest MF.
    fn is_shortest(&self, march: &March, edge: &Edge) -> bool {
        let field = &self.rout.field;
        let Some(end) = self.plan.end() else { return false };
        let ways = match march.phase {
            Progress::Bound(goal) => field.ways_to(goal, march.known),
            Progress::Arrived => field.ways_through_cover(end, march.known),
            _ => field.ways_to(end, march.known),
        };
        field.is_shortest(&ways, march.post, edge)
    }
}

/// The distance to the end of a plan.
enum Further {
    /// The plan allows no steps now.
    Never,
    /// The rules of the step decide, because works may make the unit arrive late.
    Kept,
    /// The distance of each post to the next goal, and the distance from there to the end.
    From(Distances, u8),
}

impl Process for Planned<'_> {
    type State = State;
    type Terms = Terms;
    type Reading = Reading;
    type Outcome = RoutOutcome;

    fn start<L: Log>(&self, log: &mut L) -> State {
        self.rout.start(log)
    }
    fn due(&self, state: &State) -> Due<Terms> {
        match self.rout.due(state) {
            Due::Choice { player: Player::Owner, .. } => {
                Due::Choice { player: Player::Owner, options: self.moves(state).len() }
            }
            other => other,
        }
    }
    fn read(&self, terms: &Terms, face: Face) -> Reading {
        self.rout.read(terms, face)
    }
    fn apply<L: Log>(&self, state: &mut State, reading: Reading, log: &mut L) {
        self.rout.apply(state, reading, log);
    }
    fn choose<L: Log>(&self, state: &mut State, option: usize, log: &mut L) {
        match state.ambush {
            Some(_) => self.rout.choose(state, option, log),
            None => self.rout.make(state, self.moves(state)[option], log),
        }
    }
    fn followers(&self, state: &State, _: usize) -> Vec<State> {
        self.rout
            .after_ambush(state)
            .unwrap_or_else(|| self.rout.after_each(state, &self.moves(state)))
    }
    fn report(&self, state: &State, tell: &mut impl FnMut(RoutOutcome)) {
        self.rout.report(state, tell);
    }
    fn pass<L: Log>(&self, state: &mut State, log: &mut L) {
        self.rout.pass(state, log);
    }
    fn describe(&self, state: &State, terms: &Terms, face: Face) -> Event {
        self.rout.describe(state, terms, face)
    }
}

impl Rout {
    /// Returns every plan that is possible with what is Known at the start. Plans of one first move
    /// are adjacent.
    pub fn plans(&self) -> Vec<Plan> {
        let mut plans = Vec::new();
        let state = self.start(&mut engine::process::Silent);
        let (march, left) = (state.march, self.left(&state));
        if matches!(march.phase, Progress::Over(_)) {
            return vec![Plan::Stay];
        }
        let outlay = self.field.outlay(march.known);
        for chosen in self.moves(&state) {
            match chosen {
                Move::Stay => plans.push(Plan::Stay),
                Move::Crawl(post) => plans.push(Plan::Crawl(self.field.post(post).site)),
                Move::Declare(declared) => {
                    let there =
                        || (0..).zip(&self.field.posts).filter(|(_, post)| post.site == declared);
                    let spent = there().map(|(post, _)| outlay[post]).min().unwrap_or(OUT_OF_REACH);
                    let Some((goal, _)) = there().next() else { continue };
                    let on = self.field.reach_through_cover(goal as PostId, march.known);
                    let within = |post: usize| spent.saturating_add(on[post]) <= left;
                    let ends =
                        self.ends(|post| self.field.posts[post].site == declared || within(post));
                    plans.extend(ends.into_iter().map(|end| Plan::Destination { declared, end }));
                }
                Move::GoFree => {
                    let ends = self.ends(|post| outlay[post] <= left);
                    plans.extend(ends.into_iter().map(|end| Plan::Free { end }));
                }
                Move::Step(_) | Move::Stop => {}
            }
        }
        plans
    }

    /// Returns the Locations of the posts that satisfy `fit`, without the first one.
    fn ends(&self, fit: impl Fn(usize) -> bool) -> Vec<Site> {
        let posts = self.field.posts.iter().enumerate().filter(|&(post, _)| fit(post));
        let mut ends: Vec<Site> = posts.map(|(_, post)| post.site).collect();
        ends.sort();
        ends.dedup();
        ends.retain(|&site| site != self.field.post(self.field.start).site);
        ends
    }
}
