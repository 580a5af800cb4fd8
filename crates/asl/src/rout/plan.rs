//! A plan: what is declared at the start, and where the rout is to end. A rout under a plan is a
//! process with fewer choices.

use super::distance::{Distances, OUT_OF_REACH};
use super::field::{Edge, PostId};
use super::march::{March, Move, Moves, Progress};
use super::process::{Rout, RoutOutcome, State};
use crate::board::map::Site;
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::Reading;
use engine::dice::Face;
use engine::process::{Due, Event, Log, Player, Process};

/// What a plan declares, and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plan {
    Stay,
    /// 10.52.
    Crawl(Site),
    /// 10.51: to a declared destination, and perhaps on through cover.
    Destination {
        declared: Site,
        end: Site,
    },
    /// 10.51: a free rout.
    Free {
        end: Site,
    },
}

impl Plan {
    /// What kind it is of, in a word.
    pub const fn kind(self) -> &'static str {
        match self {
            Plan::Stay => "stay",
            Plan::Crawl(_) => "Low Crawl",
            Plan::Destination { .. } => "run",
            Plan::Free { .. } => "rout freely",
        }
    }

    /// Where it is to end; `None` where the unit stays.
    pub fn end(self) -> Option<Site> {
        match self {
            Plan::Stay => None,
            Plan::Crawl(end) | Plan::Destination { end, .. } | Plan::Free { end } => Some(end),
        }
    }
}

/// A rout under a plan. As long as the plan can be kept the owner makes only moves that keep it;
/// once it is out of reach, by a wound or a discovery, every move is open again.
#[derive(Clone, Copy)]
pub struct Planned<'a> {
    pub rout: &'a Rout,
    pub plan: Plan,
    /// Whether the unit takes the ways that cost the fewest MF only, whatever waits for it there.
    pub shortest: bool,
}

impl Planned<'_> {
    /// What the owner may do in a state.
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

    /// How far it is to the end: past a declared destination through cover only.
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

    /// Whether the end is within reach after a step.
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
    /// Whether a step is one on a way that costs the fewest MF.
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

/// What is left of the way to the end of a plan, after a step.
enum Further {
    /// The plan takes no steps.
    Never,
    /// Works may make it arrive late: the rules of the step know.
    Kept,
    /// That much from each post, and that much more.
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
    /// Every plan that can be kept by what is Known at the start, those of one end side by side.
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

    /// The Locations other than the first in which a rout might end: those of the posts that `fit`
    /// takes.
    fn ends(&self, fit: impl Fn(usize) -> bool) -> Vec<Site> {
        let posts = self.field.posts.iter().enumerate().filter(|&(post, _)| fit(post));
        let mut ends: Vec<Site> = posts.map(|(_, post)| post.site).collect();
        ends.sort();
        ends.dedup();
        ends.retain(|&site| site != self.field.post(self.field.start).site);
        ends
    }
}
