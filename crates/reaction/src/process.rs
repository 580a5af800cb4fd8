//! The process of every question, which runs through its stages one task at a time.

use smallvec::{SmallVec, smallvec};

use super::army::CHECK_TN;
use super::choice::Choice;
use super::command::CommandDie;
use super::exchange::{Exchange, Playthrough};
use super::field::{Battlefield, GameStatus, Task};
use super::outcome::Outcome;
use super::pool::DieResult;
use super::stage::Stage;
use super::unit::Side;
use engine::dice::{Dice, Face};
use engine::process::{Due, Event, Log, Process};

/// The terms of a due roll: the sort of die, and the numbers that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// A die of a pool against a TN. `sixes` is true if a six counts as more than a success.
    Pool { tn: u8, sixes: bool },
    /// A die of which the number counts.
    Pips,
    /// The die for the points lost with a dispersed unit: a D3, or a D6 by `morale-loss`.
    Loss,
    /// A Command Die. `every_number` is true if the numbers 2 to 5 count.
    Command { every_number: bool },
    /// A lot between the sides. The lower half of the numbers is for the own side.
    Lot,
}

/// The reading of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    Shown(DieResult),
    Pips(u8),
    /// Army Morale Points lost.
    Points(u8),
    Command(CommandDie),
    /// The side that has the first pulse.
    First(Side),
}

impl Exchange {
    /// Returns the dice a task waits for; `None` while a decision on Wild Dice is due.
    fn roll(&self, field: &Battlefield, task: Task) -> Option<(Dice, Terms)> {
        let pool = |tn, sixes| Some((Dice::OneOfPool, Terms::Pool { tn, sixes }));
        match task {
            _ if self.needs_choice(field, task) => None,
            Task::Fire { pool: of, .. } if of.left > 0 => pool(self.volley(field)?.roll.tn, true),
            Task::React { pool: of, unmatched, .. } if of.left > 0 => {
                let volley = self.volley(field)?;
                let suppressed = field.units[usize::from(volley.target)].suppressed;
                let tn = if suppressed {
                    self.rules.reaction_tn_suppressed
                } else {
                    self.rules.reaction_tn
                };
                // Once all sixes are matched, a further six is an ordinary success.
                pool(tn.count(), unmatched > volley.matched())
            }
            Task::Rally { pool: of, opposing, .. } if of.left > 0 || opposing > 0 => {
                pool(self.rules.rally_tn.count(), false)
            }
            Task::MoraleCheck { own, enemy, .. } if own + enemy > 0 => pool(CHECK_TN, false),
            Task::Distance { dice, .. } | Task::Move { dice, .. } if dice > 0 => {
                Some((Dice::OneOfPool, Terms::Pips))
            }
            Task::MoraleLoss { .. } => Some((Dice::One, Terms::Loss)),
            Task::Command(roll) => {
                let every_number = self.telling.first;
                roll.side().map(|_| (Dice::OneOfPool, Terms::Command { every_number }))
            }
            Task::Chains(roll) => roll.side().map(|_| (Dice::OneOfPool, Terms::Pips)),
            Task::Lot => Some((Dice::One, Terms::Lot)),
            _ => None,
        }
    }

    /// Returns the TN of the pool being rolled, or `None` if no pool is rolled.
    pub(super) fn tn_of_roll(&self, field: &Battlefield) -> Option<u8> {
        match self.roll(field, *field.agenda.last()?) {
            Some((_, Terms::Pool { tn, .. })) => Some(tn),
            _ => None,
        }
    }

    /// Returns whether a decision on a Wild Die is due in a task.
    fn needs_choice(&self, field: &Battlefield, task: Task) -> bool {
        // Wild Dice are rare, so this is checked first.
        field.armies.iter().any(|army| army.wild > 0)
            && self
                .pool_of(field, task)
                .is_some_and(|(side, pool)| self.needs_wild_die_choice(field, side, pool))
    }
}

impl<L: Log> Playthrough<'_, L> {
    fn begin(&mut self, stage: &Stage) {
        match (self.field.game, stage) {
            (GameStatus::TurnOver, Stage::TurnEnds)
            | (GameStatus::On | GameStatus::Pulses { .. }, _) => {}
            _ => {
                return self.log.note("Turn", || "the turn is over: this is left out");
            }
        }
        for side in Side::ALL.into_iter().filter(|&side| self.exchange.ends_gap(stage, side)) {
            self.field.units[self.exchange.places(side)]
                .iter_mut()
                .for_each(|unit| unit.activated = 0);
        }
        match stage {
            Stage::Volley(volley) => self.begin_volley(volley),
            Stage::Orders(orders) => self.begin_orders(orders),
            Stage::Command => self.begin_command_roll(),
            Stage::Pulse { .. } => self.begin_pulse(),
            Stage::Restock { side, chain, sixes } => self.restock(*side, *chain, *sixes),
            Stage::TurnEnds => self.end_turn(),
            Stage::Disperse(place) if self.field.units[usize::from(*place)].dispersed => {}
            Stage::Disperse(place) => self.disperse((*place).into(), "Dispersion"),
            Stage::MoraleLoss(side) => self.field.agenda.push(Task::MoraleLoss { side: *side }),
            Stage::MoraleCheck { dice } => self.begin_morale_check(Side::Own, *dice),
            Stage::Move(of) => self.begin_move(of),
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
        let volley = self.exchange.volley(self.field).copied();
        match (task, volley) {
            (Task::Fire { hits, sixes, .. }, Some(volley)) => self.end_fire(&volley, hits, sixes),
            (Task::React { .. }, Some(volley)) => self.end_reaction(&volley, task),
            (Task::Distance { inches, .. }, Some(volley)) => {
                self.end_distance(volley.target.into(), inches)
            }
            (Task::Orders { .. }, _) => self.end_orders(),
            (Task::Rally { side, group, successes, .. }, _) => {
                self.end_rally(side, group, successes)
            }
            (Task::Remove { group, points, .. }, _) => {
                match self.exchange.disrupted(self.field, group).places().next() {
                    Some(place) if points > 0 => self.remove_point(place),
                    _ => drop(self.field.agenda.pop()),
                }
            }
            (Task::MoraleCheck { side, lead, .. }, _) => self.end_morale_check(side, lead),
            (Task::Command(roll), _) => self.end_command_roll(roll),
            (Task::Chains(roll), _) => self.end_chain_roll(roll),
            (Task::Pulse { side }, _) => {
                if let [only, ..] = self.exchange.chains_to_use(self.field, side)[..] {
                    self.make(task, only);
                }
            }
            (Task::Chain { .. }, _) => self.make_of_chain(task, Choice::GivesOrders),
            (Task::Move { place, inches, .. }, _) => self.end_move(place.into(), inches),
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
        let units: SmallVec<_> = self.roster.iter().map(|member| member.start).collect();
        let mut field = Battlefield {
            stage: 0,
            game: GameStatus::On,
            effect: None,
            units,
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
                player: self.chooses(field, task).player(),
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
        match *terms {
            Terms::Pool { tn, sixes } => Reading::Shown(DieResult::from_face(face, tn, sixes)),
            Terms::Pips => Reading::Pips(face.dr()),
            Terms::Loss => Reading::Points(self.points_lost(face.dr())),
            Terms::Lot => Reading::First(if face.dr() <= 3 { Side::Own } else { Side::Enemy }),
            Terms::Command { every_number } => {
                Reading::Command(CommandDie::from_pips(face.dr(), every_number))
            }
        }
    }

    fn apply<L: Log>(&self, field: &mut Battlefield, reading: Reading, log: &mut L) {
        let volley = self.volley(field).copied();
        let mut play = Playthrough { exchange: self, field, log };
        match (play.field.agenda.last().copied(), reading, volley) {
            (Some(Task::Fire { .. }), Reading::Shown(shown), Some(volley)) => {
                play.fire_die(&volley, shown)
            }
            (Some(Task::React { .. }), Reading::Shown(shown), Some(volley)) => {
                play.reaction_die(&volley, shown)
            }
            (Some(Task::Rally { .. }), Reading::Shown(shown), _) => play.rally_die(shown),
            (Some(Task::MoraleCheck { .. }), Reading::Shown(shown), _) => {
                play.morale_check_die(shown)
            }
            (Some(Task::Distance { .. }), Reading::Pips(pips), Some(volley)) => {
                play.distance_die(volley.target.into(), pips);
            }
            (Some(Task::Move { .. }), Reading::Pips(pips), _) => play.move_die(pips),
            (Some(Task::MoraleLoss { side }), Reading::Points(points), _) => {
                play.lose_points(side, points)
            }
            (Some(Task::Command(_)), Reading::Command(die), _) => play.command_die(die),
            (Some(Task::Chains(_)), Reading::Pips(pips), _) => play.chain_die(pips),
            (Some(Task::Lot), Reading::First(side), _) => {
                play.field.agenda.pop();
                play.give_pulse(side);
            }
            _ => {}
        }
        play.settle();
    }

    fn choose<L: Log>(&self, field: &mut Battlefield, option: usize, log: &mut L) {
        let Some(&task) = field.agenda.last() else { return };
        let choice: Option<Choice> = self.choices(field, task).get(option).copied();
        if let Some(choice) = choice {
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

    fn describe(&self, field: &Battlefield, _: &Terms, face: Face) -> Event {
        self.roll_in_words(field, face)
    }
}
