//! The campaign of one unit as a process.

use std::sync::Arc;

use super::orders::Phase;
use super::world::{BREAK, Campaign, CampaignNode, CampaignNodeId, Whereabouts, is_followed};
use crate::board::map::Location;
use crate::rout::{self, Rout};
use crate::rulebook::Switch;
use crate::vocabulary::{
    Choice, Condition, LocationState, Reading, Scene, Terms, Unit, UnitOutcome,
};
use engine::dice::Face;
use engine::process::{Due, Event, Log, Player, Process, ReportIndex};

/// The state of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CampaignState {
    pub(super) turn: u16,
    pub(super) stand: CampaignStage,
    node: CampaignNodeId,
    /// The concealed enemies that have been revealed, as bits (10.533).
    met: u64,
    /// The room, in half squad-equivalents, of created units that were left behind (5.1).
    behind: u8,
    pub(super) location: LocationState,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum CampaignStage {
    Rally,
    /// The enemy chooses whether to make the attack with this number, from 0.
    Aimed(u8),
    Attack(u8),
    /// The owner chooses whether the unit breaks (10.41).
    Threatened,
    Breaking,
    Rout(u32, Box<rout::RoutState>),
    TurnEnds,
    Over,
}

/// The state of the unit at the end of a Player Turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CampaignOutcome {
    pub turn: u16,
    /// The outcome of the unit, whose slot is always 1.
    pub unit: UnitOutcome,
    pub at: Location,
    /// True if the unit is in cover: woods, a building or a pillbox (10.51).
    pub in_cover: bool,
    /// The room, in half squad-equivalents, of units created beside the unit (5.1, 19.13).
    pub created_half_squads: u8,
}

/// The subject of a choice in a campaign, such as a Voluntary Break.
pub enum ChoiceSubject<'a> {
    /// The unit that tries to rally next, if any (10.6).
    Try,
    /// Keeping or removing DM (10.62).
    Dm,
    /// The enemy's decision to fire or to hold its fire (7.3).
    Fire,
    /// A Voluntary Break of the unit (10.41).
    Break,
    /// A choice in the rout with this number (10.5).
    Rout(u32, Arc<Rout>, &'a rout::RoutState),
}

impl Campaign {
    /// Returns the Location of the unit.
    pub fn location(&self, state: &CampaignState) -> Location {
        match &state.stand {
            CampaignStage::Rout(number, rout) => self.rout(*number).position(rout).0,
            _ => self.whereabouts(state.node).location,
        }
    }

    pub(super) fn node_of(&self, state: &CampaignState) -> &CampaignNode {
        self.node(state.node)
    }

    pub(super) fn unit_in<'a>(&self, state: &'a CampaignState) -> &'a Unit {
        match &state.stand {
            CampaignStage::Rout(_, rout) => rout.unit(),
            _ => state.location.unit(0),
        }
    }

    /// Returns the subject of the choice in a state.
    pub fn choice_subject<'a>(&self, state: &'a CampaignState) -> ChoiceSubject<'a> {
        match &state.stand {
            CampaignStage::Aimed(_) => ChoiceSubject::Fire,
            CampaignStage::Threatened => ChoiceSubject::Break,
            CampaignStage::Rout(number, rout) => {
                ChoiceSubject::Rout(*number, self.rout(*number), rout)
            }
            _ => {
                let choices = self.node_of(state).engagement.choices_at(&state.location);
                if choices.contains(&Choice::KeepDm) {
                    ChoiceSubject::Dm
                } else {
                    ChoiceSubject::Try
                }
            }
        }
    }

    /// Gives DM to a broken unit that starts ADJACENT to a Known armed enemy (10.62, I-28).
    fn begin_with_dm<L: Log>(&self, state: &mut CampaignState, log: &mut L) {
        let Scene { enemy_adjacent, .. } = self.node_of(state).engagement.scene;
        let unit = state.location.unit_mut(0);
        let broken = unit.is(Condition::Broken) && !unit.is(Condition::Dm);
        if broken && enemy_adjacent && !self.situation().rulebook.chooses(Switch::DmOnlyByNewEnemy)
        {
            unit.conditions.set(Condition::Dm);
            log.note("10.62", || "ADJACENT to a Known armed enemy, the unit has DM");
        }
    }

    /// Begins a Player Turn with a phase. Pins have ended with the last Close Combat Phase (7.8).
    fn begin_turn<L: Log>(&self, state: &mut CampaignState, turn: u16, phase: Phase, log: &mut L) {
        state.turn = turn;
        state.node = self.node_id(turn, self.whereabouts(state.node));
        log.note("", || format!("Player Turn {turn}"));
        if turn > 1 {
            let units = state.location.units.iter_mut();
            units.for_each(|unit| unit.conditions.clear(Condition::Pinned));
        }
        match phase {
            Phase::Rally => self.begin_rally(state, log),
            Phase::Fire => self.aim(state, 0, log),
            Phase::Rout => self.begin_rout_phase(state, log),
        }
    }

    /// Begins the Rally Phase if any unit is broken (10.6).
    fn begin_rally<L: Log>(&self, state: &mut CampaignState, log: &mut L) {
        let is_broken = |unit: &Unit| unit.is_present() && unit.is(Condition::Broken);
        if !is_followed(state.location.unit(0)) || !state.location.units.iter().any(is_broken) {
            return self.aim(state, 0, log);
        }
        state.stand = CampaignStage::Rally;
        self.play(state, self.orders.own_rph.is_own(state.turn).into(), log);
    }

    /// Begins the attack with this number, from 0, or the Rout Phase if there is none (7.3).
    fn aim<L: Log>(&self, state: &mut CampaignState, number: u8, log: &mut L) {
        let attacks = self.node_of(state).attacks.len();
        if usize::from(number) >= attacks || !is_followed(state.location.unit(0)) {
            return self.begin_rout_phase(state, log);
        }
        if self.orders.enemy_holds_fire {
            state.stand = CampaignStage::Aimed(number);
        } else {
            self.fire(state, number, log);
        }
    }

    fn fire<L: Log>(&self, state: &mut CampaignState, number: u8, log: &mut L) {
        state.stand = CampaignStage::Attack(number);
        self.play(state, BREAK + 1 + usize::from(number), log);
    }

    /// Begins the Rout Phase (10.5). An unbroken unit can first break voluntarily (10.41).
    fn begin_rout_phase<L: Log>(&self, state: &mut CampaignState, log: &mut L) {
        let unit = *state.location.unit(0);
        if !is_followed(&unit) {
            return self.end_turn(state);
        }
        if !unit.is(Condition::Broken) {
            let is_hero = self.node_of(state).engagement.is_hero(&unit);
            match self.node_of(state).may_break && unit.can_break() && !is_hero {
                true => state.stand = CampaignStage::Threatened,
                false => self.end_turn(state),
            }
            return;
        }
        self.begin_rout(state, log);
    }

    /// Begins the rout of the broken unit (10.5, 10.62).
    fn begin_rout<L: Log>(&self, state: &mut CampaignState, log: &mut L) {
        let number = self.rout_number(state.node, *state.location.unit(0), state.met);
        let rout = self.rout(number);
        let running = rout.start(log);
        state.stand = CampaignStage::Rout(number, Box::new(running));
        // The rout has its own copy of the unit. The DM set on this one is read when the rout ends.
        let unit = state.location.unit_mut(0);
        if rout.gains_dm() {
            unit.conditions.set(Condition::Dm);
        }
        self.go_on(state, log);
    }

    fn end_turn(&self, state: &mut CampaignState) {
        state.stand = CampaignStage::TurnEnds;
        if !is_followed(state.location.unit(0)) {
            // Only the Location of the loss matters, so other units are left behind.
            self.leave_behind(state);
            state.met = 0;
        }
    }

    fn play<L: Log>(&self, state: &mut CampaignState, event: usize, log: &mut L) {
        self.node_of(state).play(event, &mut state.location, log);
        self.go_on(state, log);
    }

    /// Continues to the next roll, to the next choice with at least two options, or to the report.
    fn go_on<L: Log>(&self, state: &mut CampaignState, log: &mut L) {
        if let CampaignStage::Rout(number, rout) = &mut state.stand {
            let running = self.rout(*number);
            loop {
                match running.due(rout) {
                    Due::Choice { options: 1, .. } => running.choose(rout, 0, log),
                    Due::Report(_) | Due::Over => break,
                    _ => return,
                }
            }
            let rout = rout.clone();
            return self.end_rout(state, &running, &rout);
        }
        let due = self.node_of(state).engagement.due(&state.location);
        if !matches!(due, Due::Report(_) | Due::Over) {
            return;
        }
        state.location.normalise();
        if !self.orders.created_stay {
            self.leave_behind(state);
        }
        match state.stand {
            CampaignStage::Rally => self.aim(state, 0, log),
            CampaignStage::Attack(number) => self.aim(state, number + 1, log),
            CampaignStage::Breaking if state.location.unit(0).is(Condition::Broken) => {
                self.begin_rout(state, log)
            }
            _ => self.end_turn(state),
        }
    }

    /// Ends a rout. If the unit has moved, the units created beside it are left behind.
    fn end_rout(&self, state: &mut CampaignState, rout: &Rout, ended: &rout::RoutState) {
        let (location, _) = rout.position(ended);
        if location != self.whereabouts(state.node).location {
            self.leave_behind(state);
        }
        let kept_dm = state.location.unit(0).is(Condition::Dm);
        let mut unit = *ended.unit();
        unit.conditions.clear(Condition::BeganBroken);
        if kept_dm && unit.is_present() && unit.is(Condition::Broken) {
            unit.conditions.set(Condition::Dm);
        }
        *state.location.unit_mut(0) = unit;
        state.met |= rout.met(ended);
        let sheltered = rout.is_sheltered(ended);
        state.node = self.node_id(state.turn, Whereabouts { location, sheltered });
        self.end_turn(state);
    }

    fn leave_behind(&self, state: &mut CampaignState) {
        state.behind += self.stacked_with(state);
        state.location.units.truncate(1);
    }

    /// Returns the room, in half squad-equivalents, of the units created beside the unit (5.1).
    fn stacked_with(&self, state: &CampaignState) -> u8 {
        let stacked = state.location.units.iter().skip(1).filter(|unit| unit.is_present());
        stacked.map(|unit| rout::room_of(self.party.roster[unit.counter].kind) as u8).sum()
    }
}

impl Process for Campaign {
    type State = CampaignState;
    type Terms = Terms;
    type Reading = Reading;
    type Outcome = CampaignOutcome;

    fn start<L: Log>(&self, log: &mut L) -> CampaignState {
        let router = &self.situation().routers[0];
        let whereabouts = Whereabouts { location: router.at, sheltered: router.sheltered };
        let location = LocationState::on_map(self.party.units.clone());
        let node = self.node_id(1, whereabouts);
        let mut state = CampaignState {
            turn: 1,
            stand: CampaignStage::Over,
            node,
            met: 0,
            behind: 0,
            location,
        };
        state.location.normalise();
        self.begin_with_dm(&mut state, log);
        self.begin_turn(&mut state, 1, self.orders.begin, log);
        state
    }

    /// Returns what is due. The index of a report is the number of the Player Turn, from 1.
    fn due(&self, state: &CampaignState) -> Due<Terms> {
        match &state.stand {
            CampaignStage::Aimed(_) => Due::Choice { player: Player::Enemy, options: 2 },
            CampaignStage::Threatened => Due::Choice { player: Player::Owner, options: 2 },
            CampaignStage::Rout(number, rout) => self.rout(*number).due(rout),
            CampaignStage::TurnEnds => Due::Report(state.turn as ReportIndex),
            CampaignStage::Over => Due::Over,
            CampaignStage::Rally | CampaignStage::Attack(_) | CampaignStage::Breaking => {
                self.node_of(state).engagement.due(&state.location)
            }
        }
    }

    fn read(&self, terms: &Terms, face: Face) -> Reading {
        terms.read(face)
    }

    fn apply<L: Log>(&self, state: &mut CampaignState, reading: Reading, log: &mut L) {
        match &mut state.stand {
            CampaignStage::Rout(number, rout) => self.rout(*number).apply(rout, reading, log),
            _ => self.node(state.node).engagement.apply(&mut state.location, reading, log),
        }
        self.go_on(state, log);
    }

    fn choose<L: Log>(&self, state: &mut CampaignState, option: usize, log: &mut L) {
        match &mut state.stand {
            CampaignStage::Aimed(number) => {
                let number = *number;
                return match option {
                    0 => self.fire(state, number, log),
                    _ => self.aim(state, number + 1, log),
                };
            }
            CampaignStage::Threatened if option == 0 => return self.end_turn(state),
            CampaignStage::Threatened => {
                state.stand = CampaignStage::Breaking;
                return self.play(state, BREAK, log);
            }
            CampaignStage::Rout(number, rout) => self.rout(*number).choose(rout, option, log),
            _ => self.node(state.node).engagement.choose(&mut state.location, option, log),
        }
        self.go_on(state, log);
    }

    fn report(&self, state: &CampaignState, observe: &mut dyn FnMut(CampaignOutcome)) {
        let node = self.node_of(state);
        observe(CampaignOutcome {
            turn: state.turn,
            unit: node.engagement.view(&state.location).unit_outcome(0),
            at: self.whereabouts(state.node).location,
            in_cover: node.in_cover,
            created_half_squads: state.behind + self.stacked_with(state),
        });
    }

    fn pass<L: Log>(&self, state: &mut CampaignState, log: &mut L) {
        if state.turn < self.orders.turns {
            self.begin_turn(state, state.turn + 1, Phase::Rally, log);
        } else {
            state.stand = CampaignStage::Over;
        }
    }

    fn epoch(&self, state: &CampaignState) -> u32 {
        let phase = match state.stand {
            CampaignStage::Rally => Phase::Rally,
            CampaignStage::Aimed(_) | CampaignStage::Attack(_) => Phase::Fire,
            _ => Phase::Rout,
        };
        u32::from(state.turn) * Phase::ALL.len() as u32 + phase as u32
    }

    fn describe(&self, state: &CampaignState, terms: &Terms, face: Face) -> Event {
        match &state.stand {
            CampaignStage::Rout(number, rout) => self.rout(*number).describe(rout, terms, face),
            _ => self.node_of(state).engagement.describe(&state.location, terms, face),
        }
    }
}
