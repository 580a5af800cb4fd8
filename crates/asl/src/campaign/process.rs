//! The campaign as a process.

use std::sync::Arc;

use smallvec::SmallVec;

use super::orders::Phase;
use super::spot::{Part, Spot, Whereabouts, is_followed};
use super::world::{Campaign, SpotId};
use crate::board::map::Site;
use crate::choice::Choice;
use crate::location::Location;
use crate::outcome::UnitOutcome;
use crate::rout::{self, Rout};
use crate::rulebook::Switch;
use crate::scene::Scene;
use crate::unit::{Condition, Unit};
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::Reading;
use engine::dice::Face;
use engine::process::{Due, Event, Log, Player, Point, Process};

/// Where a campaign stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) turn: u16,
    pub(super) stand: Stand,
    spot: SpotId,
    /// 10.533: concealed enemies that were revealed.
    met: u64,
    /// 5.1: half squad-equivalents of units created on the way and left behind.
    behind: u8,
    pub(super) location: Location,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Stand {
    Rally,
    /// The enemy is asked whether he makes that attack.
    Aimed(u8),
    Attack(u8),
    /// 10.41: the owner is asked whether the unit breaks.
    Threatened,
    Breaking,
    Rout(u32, Box<rout::State>),
    TurnEnds,
    Over,
}

/// How the unit stands at the end of a Player Turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CampaignOutcome {
    pub turn: u16,
    /// Its slot is always 1.
    pub unit: UnitOutcome,
    pub at: Site,
    /// 10.51: whether it is in woods or a building.
    pub in_cover: bool,
    /// 5.1: half squad-equivalents of units created beside it: the other half-squad of an
    /// underlined squad (19.13).
    pub beside: u8,
}

/// What a choice is about.
pub enum Asked<'a> {
    /// 10.6: who tries to rally next, if anybody.
    Try,
    /// 10.62: whether DM is kept.
    Dm,
    /// 7.3: whether the enemy fires.
    Fire,
    /// 10.41: whether the unit breaks.
    Break,
    /// 10.5: the rout of that number.
    Rout(u32, Arc<Rout>, &'a rout::State),
}

impl Campaign {
    /// The Location of the unit.
    pub fn site(&self, state: &State) -> Site {
        match &state.stand {
            Stand::Rout(number, rout) => self.rout(*number).position(rout).0,
            _ => self.post(state.spot).site,
        }
    }

    pub(super) fn spot_of(&self, state: &State) -> &Spot {
        self.spot(state.spot)
    }

    /// The unit as it stands.
    pub(super) fn unit_in<'a>(&self, state: &'a State) -> &'a Unit {
        match &state.stand {
            Stand::Rout(_, rout) => rout.unit(),
            _ => state.location.unit(0),
        }
    }

    /// What the choice of a state is about.
    pub fn asked<'a>(&self, state: &'a State) -> Asked<'a> {
        match &state.stand {
            Stand::Aimed(_) => Asked::Fire,
            Stand::Threatened => Asked::Break,
            Stand::Rout(number, rout) => Asked::Rout(*number, self.rout(*number), rout),
            _ if self
                .spot_of(state)
                .engagement
                .choices_at(&state.location)
                .contains(&Choice::KeepDm) =>
            {
                Asked::Dm
            }
            _ => Asked::Try,
        }
    }

    /// 10.62: a broken unit ADJACENT to a Known armed enemy has DM, whether it was said or not; not
    /// where DM once lost does not come back (I-28).
    fn begin_with_dm<L: Log>(&self, state: &mut State, log: &mut L) {
        let Scene { enemy_adjacent, .. } = self.spot_of(state).engagement.scene;
        let unit = state.location.unit_mut(0);
        let broken = unit.is(Condition::Broken) && !unit.is(Condition::Dm);
        if broken && enemy_adjacent && !self.situation().rulebook.chooses(Switch::DmOnlyByNewEnemy)
        {
            unit.conditions.set(Condition::Dm);
            log.tell(|| Event {
                rule: "10.62",
                text: "ADJACENT to a Known armed enemy, the unit has DM".to_string(),
            });
        }
    }

    /// A Player Turn begins, in that phase. 7.8: pins have ended with the last CCPh.
    fn begin_turn<L: Log>(&self, state: &mut State, turn: u16, phase: Phase, log: &mut L) {
        state.turn = turn;
        state.spot = self.spot_id(turn, self.post(state.spot));
        log.tell(|| Event { rule: "", text: format!("Player Turn {turn}") });
        if turn > 1 {
            state
                .location
                .units
                .iter_mut()
                .for_each(|unit| unit.conditions.clear(Condition::Pinned));
        }
        match phase {
            Phase::Rally => self.begin_rally(state, log),
            Phase::Fire => self.aim(state, 0, log),
            Phase::Rout => self.begin_rout_phase(state, log),
        }
    }

    /// 10.6: the Rally Phase, if anybody is broken.
    fn begin_rally<L: Log>(&self, state: &mut State, log: &mut L) {
        let broken =
            state.location.units.iter().any(|unit| unit.is_present() && unit.is(Condition::Broken));
        if !is_followed(state.location.unit(0)) || !broken {
            return self.aim(state, 0, log);
        }
        state.stand = Stand::Rally;
        self.play(state, Part::Rally { own: self.orders.own_rph.is_own(state.turn) }, log);
    }

    /// 7.3: the next attack of the phase of fire, if there is one and anybody to fire at.
    fn aim<L: Log>(&self, state: &mut State, number: u8, log: &mut L) {
        if self.spot_of(state).attack(number).is_none() || !is_followed(state.location.unit(0)) {
            return self.begin_rout_phase(state, log);
        }
        if self.orders.enemy_holds_fire {
            state.stand = Stand::Aimed(number);
        } else {
            self.fire(state, number, log);
        }
    }

    fn fire<L: Log>(&self, state: &mut State, number: u8, log: &mut L) {
        state.stand = Stand::Attack(number);
        self.play(state, Part::Attack(number), log);
    }

    /// 10.5: the Rout Phase of the unit. 10.41: before it an unbroken unit may break.
    fn begin_rout_phase<L: Log>(&self, state: &mut State, log: &mut L) {
        let unit = *state.location.unit(0);
        if !is_followed(&unit) {
            return self.end_turn(state);
        }
        if !unit.is(Condition::Broken) {
            let is_hero = self.spot_of(state).engagement.is_hero(&unit);
            match self.spot_of(state).may_break && unit.can_break() && !is_hero {
                true => state.stand = Stand::Threatened,
                false => self.end_turn(state),
            }
            return;
        }
        self.begin_rout(state, log);
    }

    /// 10.5, 10.62: the rout of the broken unit.
    fn begin_rout<L: Log>(&self, state: &mut State, log: &mut L) {
        let number = self.rout_number(state.spot, *state.location.unit(0), state.met);
        let rout = self.rout(number);
        let begun = rout.start(log);
        state.stand = Stand::Rout(number, Box::new(begun));
        // The unit is with its rout until that is over.
        let unit = state.location.unit_mut(0);
        if rout.gains_dm() {
            unit.conditions.set(Condition::Dm);
        }
        self.go_on(state, log);
    }

    fn end_turn(&self, state: &mut State) {
        state.stand = Stand::TurnEnds;
        if !is_followed(state.location.unit(0)) {
            // Where it was lost matters, who else was there has gone his own way.
            self.leave_behind(state);
            state.met = 0;
        }
    }

    fn play<L: Log>(&self, state: &mut State, part: Part, log: &mut L) {
        self.spot_of(state).play(part, &mut state.location, log);
        self.go_on(state, log);
    }

    /// Goes on to the next roll or choice that leaves one.
    fn go_on<L: Log>(&self, state: &mut State, log: &mut L) {
        if let Stand::Rout(number, rout) = &mut state.stand {
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
        if !matches!(
            self.spot_of(state).engagement.due(&state.location),
            Due::Report(_) | Due::Over
        ) {
            return;
        }
        state.location.at_rest();
        if !self.orders.created_stay {
            self.leave_behind(state);
        }
        match state.stand {
            Stand::Rally => self.aim(state, 0, log),
            Stand::Attack(number) => self.aim(state, number + 1, log),
            Stand::Breaking if state.location.unit(0).is(Condition::Broken) => {
                self.begin_rout(state, log)
            }
            _ => self.end_turn(state),
        }
    }

    /// A rout is over: who did not go along stays behind.
    fn end_rout(&self, state: &mut State, rout: &Rout, ended: &rout::State) {
        let end = rout.rest_of(ended);
        let moved = end.site != self.post(state.spot).site;
        if moved {
            self.leave_behind(state);
        }
        let kept_dm = state.location.unit(0).is(Condition::Dm);
        let mut unit = end.unit;
        unit.conditions.clear(Condition::BeganBroken);
        if kept_dm && unit.is_present() && unit.is(Condition::Broken) {
            unit.conditions.set(Condition::Dm);
        }
        *state.location.unit_mut(0) = unit;
        state.met |= end.met;
        state.spot =
            self.spot_id(state.turn, Whereabouts { site: end.site, sheltered: end.sheltered });
        self.end_turn(state);
    }

    /// The units created beside the one followed go their own way.
    fn leave_behind(&self, state: &mut State) {
        state.behind += self.room_beside(state);
        state.location.truncate(1);
    }

    /// 5.1: half squad-equivalents of the units beside the one followed.
    fn room_beside(&self, state: &State) -> u8 {
        let beside = state.location.units.iter().skip(1).filter(|unit| unit.is_present());
        beside.map(|unit| rout::room_of(self.cast.roster[unit.counter].kind) as u8).sum()
    }
}

impl Process for Campaign {
    type State = State;
    type Terms = Terms;
    type Reading = Reading;
    type Outcome = CampaignOutcome;

    fn start<L: Log>(&self, log: &mut L) -> State {
        let router = &self.situation().routers[0];
        let post = Whereabouts { site: router.at, sheltered: router.sheltered };
        let location = Location::on_map(SmallVec::from_slice(&[self.cast.unit]));
        let spot = self.spot_id(1, post);
        let mut state = State { turn: 1, stand: Stand::Over, spot, met: 0, behind: 0, location };
        state.location.at_rest();
        self.begin_with_dm(&mut state, log);
        self.begin_turn(&mut state, 1, self.orders.begin, log);
        state
    }

    /// Reports are numbered by Player Turns, from 1.
    fn due(&self, state: &State) -> Due<Terms> {
        match &state.stand {
            Stand::Aimed(_) => Due::Choice { player: Player::Enemy, options: 2 },
            Stand::Threatened => Due::Choice { player: Player::Owner, options: 2 },
            Stand::Rout(number, rout) => self.rout(*number).due(rout),
            Stand::TurnEnds => Due::Report(state.turn as Point),
            Stand::Over => Due::Over,
            Stand::Rally | Stand::Attack(_) | Stand::Breaking => {
                self.spot_of(state).engagement.due(&state.location)
            }
        }
    }

    fn read(&self, terms: &Terms, face: Face) -> Reading {
        terms.read(face)
    }

    fn apply<L: Log>(&self, state: &mut State, reading: Reading, log: &mut L) {
        match &mut state.stand {
            Stand::Rout(number, rout) => self.rout(*number).apply(rout, reading, log),
            _ => self.spot(state.spot).engagement.apply(&mut state.location, reading, log),
        }
        self.go_on(state, log);
    }

    fn choose<L: Log>(&self, state: &mut State, option: usize, log: &mut L) {
        match &mut state.stand {
            Stand::Aimed(number) => {
                let number = *number;
                return match option {
                    0 => self.fire(state, number, log),
                    _ => self.aim(state, number + 1, log),
                };
            }
            Stand::Threatened if option == 0 => return self.end_turn(state),
            Stand::Threatened => {
                state.stand = Stand::Breaking;
                return self.play(state, Part::Break, log);
            }
            Stand::Rout(number, rout) => self.rout(*number).choose(rout, option, log),
            _ => self.spot(state.spot).engagement.choose(&mut state.location, option, log),
        }
        self.go_on(state, log);
    }

    fn report(&self, state: &State, tell: &mut impl FnMut(CampaignOutcome)) {
        let spot = self.spot_of(state);
        tell(CampaignOutcome {
            turn: state.turn,
            unit: spot.engagement.unit_outcome(&state.location, 0),
            at: self.post(state.spot).site,
            in_cover: spot.in_cover,
            beside: state.behind + self.room_beside(state),
        });
    }

    fn pass<L: Log>(&self, state: &mut State, log: &mut L) {
        if state.turn < self.orders.turns {
            self.begin_turn(state, state.turn + 1, Phase::Rally, log);
        } else {
            state.stand = Stand::Over;
        }
    }

    /// The phase of its Player Turn.
    fn epoch(&self, state: &State) -> u32 {
        let phase = match state.stand {
            Stand::Rally => Phase::Rally,
            Stand::Aimed(_) | Stand::Attack(_) => Phase::Fire,
            _ => Phase::Rout,
        };
        u32::from(state.turn) * Phase::ALL.len() as u32 + phase as u32
    }

    fn describe(&self, state: &State, terms: &Terms, face: Face) -> Event {
        match &state.stand {
            Stand::Rout(number, rout) => self.rout(*number).describe(rout, terms, face),
            _ => self.spot_of(state).engagement.describe(&state.location, terms, face),
        }
    }
}
