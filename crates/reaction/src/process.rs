//! The process of every question, which runs through its stages one task at a time.

use smallvec::smallvec;

use super::army::CHECK_TN;
use super::choice::{Choice, Plain};
use super::command::next_side;
use super::exchange::{Exchange, Playthrough, Stage};
use super::field::{Battlefield, GameStatus, Task};
use super::outcome::Outcome;
use super::unit::Side;
use engine::dice::{Dice, Face};
use engine::process::{Due, Event, Log, Player, Process};

/// The terms of a due roll: the sort of die, and the numbers that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// A die of a pool against a TN. `sixes` is true if a six counts as more than a success.
    Pool { tn: u8, sixes: bool },
    /// A die of which the number counts.
    Pips,
    /// A Command Die of which only 1s and 6s count.
    OnesAndSixes,
    /// The die for the points lost with a dispersed unit: a D3, or a D6 by `morale-loss`.
    Loss,
    /// A lot between the sides.
    Lot,
}

/// The reading of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A die of a pool. A six is always a success, because no TN is above 6.
    Pool { success: bool, six: bool },
    /// A number, or the Army Morale Points lost; 0 for a Command Die that does not count.
    Number(u8),
    /// The side that has the first pulse.
    First(Side),
}

impl Exchange {
    /// Returns the dice a task waits for; `None` while a decision on Wild Dice is due.
    fn roll(&self, field: &Battlefield, task: Task) -> Option<(Dice, Terms)> {
        let pool = |tn, sixes| Some((Dice::OneOfPool, Terms::Pool { tn, sixes }));
        match task {
            _ if self.may_join(field, task) => None,
            Task::Fire { pool: of, .. } if of.left > 0 => pool(self.volley(field)?.tn, true),
            Task::React { pool: of, unmatched, .. } if of.left > 0 => {
                let volley = self.volley(field)?;
                let suppressed = field.units[volley.target].suppressed;
                let tn = if suppressed {
                    self.rules.reaction_tn_suppressed
                } else {
                    self.rules.reaction_tn
                };
                // Once all sixes are matched, a further six is an ordinary success.
                pool(tn.count(), unmatched > volley.matched)
            }
            Task::Opposed { group, pool: of, opposing, .. } if of.left > 0 || opposing > 0 => {
                pool(group.map_or(CHECK_TN, |_| self.rules.rally_tn.count()), false)
            }
            Task::Move { dice: 1.., .. } => Some((Dice::OneOfPool, Terms::Pips)),
            Task::MoraleLoss { .. } => Some((Dice::One, Terms::Loss)),
            Task::Command(roll) => {
                let terms = if self.telling.first { Terms::Pips } else { Terms::OnesAndSixes };
                next_side(roll.left).map(|_| (Dice::OneOfPool, terms))
            }
            Task::Chains(roll) => next_side(roll.left).map(|_| (Dice::OneOfPool, Terms::Pips)),
            Task::Lot => Some((Dice::One, Terms::Lot)),
            _ => None,
        }
    }

    pub(super) fn side_by_lot(pips: u8) -> Side {
        if pips <= 3 { Side::Own } else { Side::Enemy }
    }
}

impl<L: Log> Playthrough<'_, L> {
    fn begin(&mut self, stage: &Stage) {
        match (self.field.game, stage) {
            (GameStatus::TurnOver, Stage::TurnEnds)
            | (GameStatus::On | GameStatus::Pulses { .. }, _) => {}
            _ => return self.log.note("Turn", || "the turn is over: this is left out"),
        }
        for side in Side::ALL.into_iter().filter(|&side| self.exchange.ends_gap(stage, side)) {
            self.field.units[self.exchange.places(side)]
                .iter_mut()
                .for_each(|unit| unit.activated = 0);
        }
        match stage {
            Stage::Volley(volley) => self.begin_volley(volley),
            Stage::Orders { side, dice, staff, .. } => self.begin_orders(*side, *dice, *staff),
            Stage::Command => self.roll_command_dice(0),
            Stage::Pulse { .. } => self.begin_pulse(),
            Stage::Restock { side, chain, sixes } => self.restock(*side, *chain, *sixes),
            Stage::TurnEnds => self.end_turn(),
            Stage::Disperse(place) if self.field.units[usize::from(*place)].dispersed => {}
            Stage::Disperse(place) => self.disperse((*place).into(), "Dispersion"),
            Stage::MoraleLoss(side) => self.field.agenda.push(Task::MoraleLoss { side: *side }),
            Stage::MoraleCheck { dice } => self.begin_morale_check(Side::Own, *dice),
            Stage::Move { place, chain, may_hold } => self.begin_move(*place, *chain, *may_hold),
            Stage::Report(_) => {}
        }
    }

    /// Runs everything that needs neither dice nor a choice, until something is due.
    fn settle(&mut self) {
        loop {
            match self.field.agenda.last() {
                Some(&task) => {
                    if self.exchange.roll(self.field, task).is_some()
                        || self.exchange.choices(self.field, task).len() > 1
                    {
                        return;
                    }
                    self.end(task);
                }
                None => match self.exchange.stages.get(usize::from(self.field.stage)) {
                    None | Some(Stage::Report(_)) => return,
                    Some(stage) => {
                        self.field.stage += 1;
                        self.begin(stage);
                    }
                },
            }
        }
    }

    /// Ends a task that waits for nothing.
    fn end(&mut self, task: Task) {
        match task {
            Task::Fire { hits, sixes, .. } => self.end_fire(hits, sixes),
            Task::React { hits, net, unmatched, .. } => self.end_reaction(hits, net, unmatched),
            Task::Orders { .. } => self.end_orders(),
            Task::Opposed { group: Some(group), pool, lead, .. } => {
                self.end_rally(pool.side, group, lead as u8)
            }
            Task::Opposed { pool, lead, .. } => self.end_morale_check(pool.side, lead > 0),
            Task::Remove { group, points: 1.., .. } => {
                match self.field.disrupted(group).places().next() {
                    Some(place) => self.remove_point(place),
                    None => drop(self.field.agenda.pop()),
                }
            }
            Task::Command(roll) => self.end_command_roll(roll),
            Task::Chains(roll) => self.end_chain_roll(roll),
            Task::Pulse { side } => {
                if let [only, ..] = self.exchange.chains_to_use(self.field, side)[..] {
                    self.make(task, only);
                }
            }
            Task::Chain { .. } => self.make_of_chain(task, Choice::Plain(Plain::GivesOrders)),
            Task::Move { place, inches, back, .. } => self.end_move(place, inches, back),
            _ => drop(self.field.agenda.pop()),
        }
    }
}

impl Process for Exchange {
    type State = Battlefield;
    type Terms = Terms;
    type Reading = Reading;
    type Outcome = Outcome;

    fn start<L: Log>(&self, log: &mut L) -> Battlefield {
        let mut field = Battlefield {
            stage: 0,
            game: GameStatus::On,
            effect: None,
            units: self.roster.iter().map(|member| member.start).collect(),
            armies: self.armies,
            agenda: smallvec![],
        };
        Playthrough { exchange: self, field: &mut field, log }.settle();
        field
    }

    #[inline]
    fn due(&self, field: &Battlefield) -> Due<Terms> {
        let Some(&task) = field.agenda.last() else {
            return match self.stages.get(usize::from(field.stage)) {
                Some(&Stage::Report(point)) => Due::Report(point),
                _ => Due::Over,
            };
        };
        match self.roll(field, task) {
            Some((dice, terms)) => Due::Roll(dice, terms),
            None => Due::Choice {
                player: [Player::Owner, Player::Enemy][self.chooses(task) as usize],
                options: self.choices(field, task).len(),
            },
        }
    }

    /// Returns the 1-based number of the current stage, reports not counted.
    fn epoch(&self, field: &Battlefield) -> u32 {
        let happens = |stage: &&Stage| !matches!(stage, Stage::Report(_));
        self.stages.iter().take(field.stage.into()).filter(happens).count() as u32
    }

    #[inline]
    fn read(&self, terms: &Terms, face: Face) -> Reading {
        match (*terms, face.dr()) {
            (Terms::Pool { tn, sixes }, pips) => {
                Reading::Pool { success: pips >= tn, six: sixes && pips == 6 }
            }
            (Terms::Loss, pips) => Reading::Number(self.points_lost(pips)),
            (Terms::Lot, pips) => Reading::First(Exchange::side_by_lot(pips)),
            (Terms::OnesAndSixes, 2..=5) => Reading::Number(0),
            (Terms::Pips | Terms::OnesAndSixes, pips) => Reading::Number(pips),
        }
    }

    fn apply<L: Log>(&self, field: &mut Battlefield, reading: Reading, log: &mut L) {
        let mut play = Playthrough { exchange: self, field, log };
        match (play.field.agenda.last_mut(), reading) {
            (Some(task), Reading::Pool { success, six }) => match task {
                Task::Fire { .. } => play.fire_die(success, six),
                Task::React { .. } => play.reaction_die(success, six),
                _ => play.opposed_die(success),
            },
            (Some(Task::Move { .. }), Reading::Number(pips)) => play.move_die(pips),
            (Some(&mut Task::MoraleLoss { side }), Reading::Number(points)) => {
                play.lose_points(side, points)
            }
            (Some(Task::Command(roll)), Reading::Number(pips)) => roll.add(pips),
            (Some(Task::Chains(roll)), Reading::Number(pips)) => roll.add(pips),
            (Some(Task::Lot), Reading::First(side)) => {
                play.field.agenda.pop();
                play.give_pulse(side);
            }
            _ => {}
        }
        play.settle();
    }

    fn choose<L: Log>(&self, field: &mut Battlefield, option: usize, log: &mut L) {
        let Some(&task) = field.agenda.last() else { return };
        if let Some(&choice) = self.choices(field, task).get(option) {
            let mut play = Playthrough { exchange: self, field, log };
            play.make(task, choice);
            play.settle();
        }
    }

    fn report(&self, field: &Battlefield, observe: &mut impl FnMut(Outcome)) {
        self.report_outcomes(field, observe);
    }

    fn pass<L: Log>(&self, field: &mut Battlefield, log: &mut L) {
        field.effect = None;
        field.stage += 1;
        Playthrough { exchange: self, field, log }.settle();
    }

    fn describe(&self, field: &Battlefield, terms: &Terms, face: Face) -> Event {
        self.roll_in_words(field, terms, face)
    }
}
