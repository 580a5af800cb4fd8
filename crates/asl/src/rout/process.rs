//! The rout of one unit as a process. Its owner makes choices, and Interdiction rolls dice.

use std::sync::Arc;

use smallvec::SmallVec;

use super::field::{RoutMap, RoutNode};
use super::march::{Ambush, March, Moves, RoutEnd, RoutMove, RoutPlan, RoutProgress};
use super::situation::{Enemies, Friend, Router, Situation};
use super::verdict::{Duty, Ruling};
use crate::board::map::Location;
use crate::board::terrain::Mf;
use crate::catalogue::CounterKind;
use crate::choice::Choices;
use crate::engagement::{Engagement, EngagementSetup};
use crate::location::{LocationState, Task};
use crate::roster::Roster;
use crate::scene::Scene;
use crate::stack::Member;
use crate::unit::{Condition, Status, Unit};
use crate::vocabulary::gauntlet::{Gauntlet, WOUNDED_MF};
use crate::vocabulary::outcome::{OutcomeDetail, UnitOutcome};
use crate::vocabulary::stage::Stage;
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::Reading;
use engine::dice::Face;
use engine::process::{Due, Event, Log, Player, Process, Silent};

/// The state of a rout: the position of the unit, and its condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RoutState {
    pub(super) march: March,
    pub(super) location: LocationState,
    pub(super) failed: bool,
    /// The pending choice of the enemy to reveal units (10.533).
    pub(super) ambush: Option<Ambush>,
    reported: bool,
}

/// The outcome of a rout.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoutOutcome {
    /// The outcome of the unit. Its slot is its turn in a Rout Phase, from 1.
    pub unit: UnitOutcome,
    /// The Location where the rout ended.
    pub at: Location,
    pub end: RoutEnd,
    /// Whether the unit was lost by Failure to Rout (10.5).
    pub failed: bool,
    /// Whether the unit is in woods, a building or a pillbox (10.51).
    pub in_cover: bool,
    /// Whether Interdiction pinned the unit (10.53).
    pub pinned: bool,
    /// Whether the unit was Reduced, wounded or eliminated during the rout.
    pub is_hurt: bool,
    /// The MF spent, in halves.
    pub mf: u8,
}

impl RoutState {
    pub(crate) fn unit(&self) -> &Unit {
        self.location.unit(0)
    }
}

impl RoutOutcome {
    /// Returns whether the unit is neither eliminated nor captured.
    pub fn survives(&self) -> bool {
        !matches!(self.unit.status, Status::Eliminated | Status::Captured)
    }
}

/// The rout of one unit of a situation.
#[derive(Clone)]
pub struct Rout {
    pub(super) field: Arc<RoutMap>,
    pub(super) ruling: Ruling,
    opening: Moves,
    pub(super) start: LocationState,
    /// One Interdiction engagement per helper (or none), ADJACENT captor and Known enemy in LOS.
    engagements: Arc<[Engagement]>,
    /// The helping leader at each node (interpretation I-8), counted from 1; 0 stands for none.
    helpers: Vec<u8>,
    /// The plan of the owner, if any, and whether the unit takes only routes with the fewest MF.
    pub(super) plan: Option<(RoutPlan, bool)>,
}

/// The units of a rout: `units` has the routing unit and its escort, `lent` the leaders that stay.
pub(crate) struct Party {
    pub roster: Arc<Roster>,
    pub units: SmallVec<[Unit; 14]>,
    pub lent: Vec<Unit>,
}

impl Party {
    pub(crate) fn new(situation: &Situation, router: &Router) -> Party {
        let here = std::iter::once(&router.member).chain(&router.escort);
        let lent = situation.leaders().map(|leader| &leader.member);
        let members: Vec<Member> = here.chain(lent).cloned().collect();
        let (roster, counters) = Roster::from_members(&members);
        let unit = |(member, &counter)| Unit::from_member(member, counter, situation.elr);
        let mut units: SmallVec<[Unit; 14]> = members.iter().zip(&counters).map(unit).collect();
        let lent = units.drain(1 + usize::from(router.escort.is_some())..).collect();
        Party { roster, units, lent }
    }
}

impl Rout {
    /// Builds the rout of `router`, which is one of the routing units of `situation`.
    pub fn new(situation: &Situation, router: &Router) -> Rout {
        let party = Party::new(situation, router);
        Rout::on_field(router, Arc::new(RoutMap::new(situation, router)), party)
    }

    /// Builds a rout on a map of the same position and `Bearing`, with `company` as it is now.
    pub(crate) fn on_field(router: &Router, field: Arc<RoutMap>, company: Party) -> Rout {
        let situation = &field.situation;
        let ruling = field.ruling(router);
        let opening = match ruling.verdict {
            Duty::Cannot => SmallVec::from_slice(&[RoutMove::Stay]),
            verdict => {
                field.moves(&field.beginning(), field.bearing.allotment, verdict != Duty::Must)
            }
        };
        let Party { roster, mut units, lent } = company;
        let helpers: Vec<&Friend> = situation.leaders().collect();
        let of_post = |post: &RoutNode| {
            helpers.iter().position(|helper| helper.at == post.location).map_or(0, |n| n as u8 + 1)
        };
        units[0].conditions.set(Condition::BeganBroken);
        let escort = router.escort.as_ref().map(|_| 1);
        let scene = situation.scene();
        let engagement = |captor: bool, known_enemy: bool, lent_leader: Option<Unit>| {
            Engagement::new(EngagementSetup {
                choices: Choices::default(),
                sniper: None,
                bystanders: 0,
                roster: roster.clone(),
                rulebook: situation.rulebook,
                scene: Scene { known_enemy, captor, ..scene },
                units: units.clone(),
                resident: None,
                stages: vec![Stage::Gauntlet(Gauntlet {
                    hexes: None,
                    lent_leader,
                    escort,
                    disrupted: true,
                })],
                telling: OutcomeDetail::of_the_first(units.len()),
            })
        };
        let lent = std::iter::once(None).chain(lent.iter().copied().map(Some));
        let of_leader = |leader: Option<Unit>| {
            let around = [(false, false), (false, true), (true, false), (true, true)];
            around.map(|(captor, known_enemy)| engagement(captor, known_enemy, leader))
        };
        let engagements = lent.flat_map(of_leader).collect();
        Rout {
            helpers: field.posts.iter().map(of_post).collect(),
            start: LocationState::on_map(units),
            field,
            ruling,
            opening,
            engagements,
            plan: None,
        }
    }

    /// Returns the rout under a plan. While the plan is possible, the owner makes only moves that
    /// keep it. If a wound or a newly Known enemy makes it impossible, every move is open again.
    /// With `shortest` the unit takes only routes with the fewest MF, whatever the risk.
    pub fn with_plan(&self, plan: RoutPlan, shortest: bool) -> Rout {
        Rout { plan: Some((plan, shortest)), ..self.clone() }
    }

    /// Returns whether the unit must, may or cannot rout, and why.
    pub fn ruling(&self) -> &Ruling {
        &self.ruling
    }

    pub(super) fn kind_of(&self, unit: &Unit) -> CounterKind {
        self.engagements[0].counter(unit).kind
    }

    pub(super) fn engagement(&self, march: &March) -> &Engagement {
        let post = self.field.post(march.post);
        let captor = post.adjacent_to & march.known & self.field.bearing.captors != 0;
        let known_enemy = post.seen_by & march.known != 0;
        let helper = usize::from(self.helpers[usize::from(march.post)]);
        &self.engagements[4 * helper + 2 * usize::from(captor) + usize::from(known_enemy)]
    }

    /// Returns the MF that the unit has left, in halves (10.5, 17.2).
    pub fn left(&self, state: &RoutState) -> u8 {
        let allotment = match state.unit().is(Condition::Wounded) {
            true => Mf::whole(WOUNDED_MF).in_halves(),
            false => self.field.bearing.allotment,
        };
        allotment.saturating_sub(state.march.spent)
    }

    /// Returns the moves that the rules allow the owner in a state.
    pub(super) fn all_moves(&self, state: &RoutState) -> Moves {
        match state.march.phase {
            RoutProgress::Start => self.opening.clone(),
            _ => self.field.moves(&state.march, self.left(state), false),
        }
    }

    /// Continues after a step of the unit, with an NMC if enemies Interdict it.
    pub(super) fn arrive<L: Log>(&self, state: &mut RoutState, interdictors: Enemies, log: &mut L) {
        if interdictors != 0 {
            let by = || self.field.names(interdictors);
            log.note("10.532", || format!("{} is Interdicted by {}", self.location(state), by()));
            state.location.push(Task::Interdiction { unit: 0, hex: None });
            return;
        }
        self.go_on(state, log);
    }

    pub(super) fn go_on<L: Log>(&self, state: &mut RoutState, log: &mut L) {
        let left = self.left(state);
        self.field.follow_up(&mut state.march, left);
        if state.march.phase == RoutProgress::Refiguring {
            log.note("10.51", || {
                format!("in {} it re-figures its destination", self.location(state))
            });
            if let [only] = self.all_moves(state)[..] {
                self.field.take(&mut state.march, only, left);
            }
        }
        if let RoutProgress::Over(_) = state.march.phase {
            self.conclude(state, log);
        }
    }

    pub(super) fn make<L: Log>(&self, state: &mut RoutState, chosen: RoutMove, log: &mut L) {
        self.log_move(state, chosen, log);
        let (left, knew) = (self.left(state), state.march.known);
        let step = self.field.take(&mut state.march, chosen, left);
        let discovered = state.march.known & !knew;
        if discovered != 0 {
            log.note("10.51", || format!("Known now: {}", self.field.names(discovered)));
        }
        if let RoutProgress::Over(RoutEnd::Repulsed) = state.march.phase {
            log.note("10.533", || format!("it is thrown back to {}", self.location(state)));
        }
        match step {
            Some(edge) if self.may_ambush(state, Ambush::new(Some(edge.interdicted_by))) => {}
            Some(edge) => {
                self.arrive(state, self.field.interdictors(&edge, state.march.known), log)
            }
            None if matches!(state.march.phase, RoutProgress::Over(_)) => self.conclude(state, log),
            None => {}
        }
    }

    pub(super) fn location(&self, state: &RoutState) -> String {
        self.field.situation.map.location_name(self.position(state).0)
    }

    fn log_move<L: Log>(&self, state: &RoutState, chosen: RoutMove, log: &mut L) {
        log.record(|| {
            let location = self.target(state, chosen).unwrap_or(self.position(state).0);
            let location = self.field.situation.map.location_name(location);
            let (rule, text) = match chosen {
                RoutMove::Stay => ("10.5", format!("it stays in {location}")),
                RoutMove::Stop => ("10.5", format!("it stops in {location}")),
                RoutMove::GoFree => ("10.51", "it routs freely".to_string()),
                RoutMove::Declare(_) => ("10.51", format!("its destination is {location}")),
                RoutMove::Crawl(_) => ("10.52", format!("Low Crawl to {location}")),
                RoutMove::Step(place) => {
                    let cost = self.field.post(state.march.post).edges[usize::from(place)].cost;
                    let mf =
                        cost.map_or("all its".to_string(), |cost| Mf::halves(cost).to_string());
                    ("10.51", format!("to {location}, {mf} MF"))
                }
            };
            Event { rule, text }
        });
    }

    /// Returns the state after each option of a choice.
    pub(super) fn next_states(&self, state: &RoutState) -> Vec<RoutState> {
        let after = |change: &dyn Fn(&mut RoutState)| {
            let mut next = state.clone();
            change(&mut next);
            next
        };
        let Some(ambush) = state.ambush else {
            let make = |chosen| after(&|next| self.make(next, chosen, &mut Silent));
            return self.moves(state).into_iter().map(make).collect();
        };
        let spring = |option| after(&|next| self.spring(next, ambush, option, &mut Silent));
        (0..self.ambush_options(state, ambush)).map(spring).collect()
    }
}

impl Process for Rout {
    type State = RoutState;
    type Terms = Terms;
    type Reading = Reading;
    type Outcome = RoutOutcome;

    fn start<L: Log>(&self, log: &mut L) -> RoutState {
        let mut state = RoutState {
            march: self.field.beginning(),
            location: self.start.clone(),
            failed: false,
            ambush: None,
            reported: false,
        };
        if self.ruling.surrenders {
            log.note("20.21", || "it surrenders");
            state.march.phase = RoutProgress::Over(RoutEnd::Surrendered);
            state.location.capture(0);
            self.conclude(&mut state, log);
        }
        state
    }

    fn due(&self, state: &RoutState) -> Due<Terms> {
        if !state.location.is_quiet() {
            return self.engagement(&state.march).due(&state.location);
        }
        if let Some(ambush) = state.ambush {
            let options = self.ambush_options(state, ambush);
            return Due::Choice { player: Player::Enemy, options };
        }
        match state.march.phase {
            RoutProgress::Over(_) if state.reported => Due::Over,
            RoutProgress::Over(_) => Due::Report(0),
            _ => Due::Choice { player: Player::Owner, options: self.moves(state).len() },
        }
    }

    fn read(&self, terms: &Terms, face: Face) -> Reading {
        self.engagements[0].read(terms, face)
    }

    fn apply<L: Log>(&self, state: &mut RoutState, reading: Reading, log: &mut L) {
        self.engagement(&state.march).apply(&mut state.location, reading, log);
        if state.location.is_quiet() {
            self.after_interdiction(state, log);
        }
    }

    fn choose<L: Log>(&self, state: &mut RoutState, option: usize, log: &mut L) {
        match state.ambush {
            Some(ambush) => self.spring(state, ambush, option, log),
            None => self.make(state, self.moves(state)[option], log),
        }
    }

    fn followers(&self, state: &RoutState, _: usize) -> Vec<RoutState> {
        self.next_states(state)
    }

    fn report(&self, state: &RoutState, observe: &mut dyn FnMut(RoutOutcome)) {
        let RoutProgress::Over(end) = state.march.phase else { return };
        let (unit, began) = (state.location.unit(0), self.start.unit(0));
        let post = self.field.post(state.march.post);
        let wounded = unit.is(Condition::Wounded) && !began.is(Condition::Wounded);
        let smaller = self.kind_of(unit) != self.kind_of(began);
        observe(RoutOutcome {
            unit: self.engagements[0].view(&state.location).unit_outcome(0),
            at: post.location,
            end,
            failed: state.failed,
            in_cover: post.is_cover,
            pinned: unit.is(Condition::Pinned),
            is_hurt: unit.is(Condition::Eliminated) || smaller || wounded,
            mf: state.march.spent,
        });
    }

    fn pass<L: Log>(&self, state: &mut RoutState, _: &mut L) {
        state.reported = true;
    }

    fn describe(&self, state: &RoutState, terms: &Terms, face: Face) -> Event {
        self.engagement(&state.march).describe(&state.location, terms, face)
    }
}
