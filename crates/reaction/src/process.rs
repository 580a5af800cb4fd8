//! The process of every question, which runs its stages task by task, and words for it.

use smallvec::smallvec;

use super::army::{CHECK_TN, OPPOSING_DICE};
use super::choice::{Choice, Plain};
use super::command::next_side;
use super::exchange::{End, Exchange, Outcome, Playthrough, Stage, Volley};
use super::field::{Army, Battlefield, GameStatus, Task, UnitSet};
use super::unit::{Member, Side};
use engine::dice::{Dice, Face};
use engine::process::{Due, Event, Log, Player, Process};
use engine::text::counted;

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
                let rules = &self.rules;
                let tn = if suppressed { rules.reaction_tn_suppressed } else { rules.reaction_tn };
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

    pub(super) fn name(&self, place: usize) -> String {
        format!("{}{}", self.roster[place].preset.name, self.slot_in_words(place))
    }

    fn slot_in_words(&self, place: usize) -> String {
        if self.roster.len() == 1 { String::new() } else { format!(" [{}]", place + 1) }
    }

    pub(super) fn names(&self, group: UnitSet) -> String {
        group.places().map(|place| self.name(place)).collect::<Vec<_>>().join(", ")
    }

    /// Describes the state: all units left, the last effect, and values that have changed.
    pub(super) fn field_in_words(&self, field: &Battlefield) -> String {
        let unit = |(place, unit): (usize, &_)| {
            let written = Member { start: *unit, ..self.roster[place] };
            let activated = if unit.activated > 0 { " (activated)" } else { "" };
            format!("{written}{}{activated}", self.slot_in_words(place))
        };
        let there = field.units.iter().enumerate().filter(|(_, unit)| !unit.dispersed);
        let mut words: Vec<String> = there.map(unit).collect();
        words.extend(field.effect.and_then(|effect| self.counter(&End::Volley(effect))));
        let [own, enemy] = &field.armies;
        if self.telling.armies {
            words.push(format!("Army Morale {} to {}", own.morale, enemy.morale));
        }
        let change = |what: &str, of: fn(&Army) -> u8| {
            let changes = field.armies.each_ref().map(of) != self.armies.each_ref().map(of);
            changes.then(|| format!("{what} {} to {}", of(own), of(enemy)))
        };
        words.extend(change("Wild Dice", |army| army.wild));
        words.extend(change("Command Dice left", |army| army.command.unwrap_or(0)));
        if let GameStatus::Pulses { next } = field.game {
            let [own, enemy] = field.armies.map(|army| army.chains.in_words());
            words.push(format!("chains {own} to {enemy}, next pulse: {} side", next.name()));
        }
        words.extend(change("Command Dice", |army| army.command_dice));
        words.extend(change("Staff Orders", |army| army.staff));
        words.extend(change("Staff Orders to come", |army| army.restocked));
        words.join(", ")
    }

    /// Describes a stage of a question about one side; `None` for all other stages.
    pub(super) fn stage_in_words(&self, stage: &Stage) -> Option<String> {
        Some(match stage {
            Stage::Volley(Volley { dice, tn, cover, .. }) => {
                let cover = match cover {
                    0 => String::new(),
                    _ => format!(", cover of {}", counted(*cover, "die")),
                };
                format!("{} at {tn}+{cover}", counted((*dice).max(0) as u8, "die"))
            }
            Stage::Orders { dice, .. } => counted(dice.unwrap_or(0), "order"),
            Stage::MoraleCheck { dice } => {
                format!("Army Morale Check of {} against {OPPOSING_DICE}", counted(*dice, "die"))
            }
            Stage::Move { place, chain, .. } => {
                let place = usize::from(*place);
                let (fixed, dice) = self.length_of_move(&self.roster[place].start, place, *chain);
                format!("{fixed} + {dice}D6 inches")
            }
            _ => return None,
        })
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
            let units = &mut self.field.units[self.exchange.places(side)];
            units.iter_mut().for_each(|unit| unit.activated = 0);
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
        match (*terms, face.number()) {
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

    fn report(&self, field: &Battlefield, observe: &mut dyn FnMut(Outcome)) {
        self.report_outcomes(field, observe);
    }

    fn pass<L: Log>(&self, field: &mut Battlefield, log: &mut L) {
        field.effect = None;
        field.stage += 1;
        Playthrough { exchange: self, field, log }.settle();
    }

    fn describe(&self, field: &Battlefield, terms: &Terms, face: Face) -> Event {
        let pips = face.number();
        let target = || self.volley(field).map_or(String::new(), |volley| self.name(volley.target));
        let command = |left| {
            let side = next_side(left).map_or("", Side::name);
            ("Command", format!("Command Dice of the {side} side"))
        };
        let (rule, mut head) = match field.agenda.last() {
            Some(Task::Fire { .. }) => ("Fire", format!("fire at {}", target())),
            Some(Task::React { .. }) => ("Reaction", format!("Reaction Check of {}", target())),
            Some(Task::Opposed { group: Some(group), pool, .. }) if pool.left > 0 => {
                ("Rally", format!("Rally Dice for {}", self.names(*group)))
            }
            Some(Task::Opposed { group: Some(_), .. }) => {
                ("Rally", "against the rally".to_string())
            }
            Some(Task::Opposed { pool, .. }) => {
                let side = if pool.left > 0 { pool.side } else { pool.side.other() };
                let text = format!("Army Morale Check, dice of the {} side", side.name());
                ("Army Morale", text)
            }
            Some(Task::Move { place, back: true, .. }) => {
                ("Forced back", format!("further inches of {}", self.name((*place).into())))
            }
            Some(Task::Move { place, .. }) => {
                ("Movement", format!("move of {}", self.name((*place).into())))
            }
            Some(Task::MoraleLoss { side }) => {
                let (side, loss) = (side.name(), self.points_lost(pips));
                let text = format!("Army Morale Points lost by the {side} side: {pips}, so {loss}");
                return Event { rule: "Army Morale", text };
            }
            Some(Task::Command(roll)) => command(roll.left),
            Some(Task::Chains(roll)) => command(roll.left),
            Some(Task::Lot) => {
                let first = Exchange::side_by_lot(pips).name();
                let text = format!("lots are drawn: {pips}, the {first} side goes first");
                return Event { rule: "Command", text };
            }
            _ => ("", String::new()),
        };
        if let Terms::Pool { tn, .. } = terms {
            head += &format!(", {tn}+");
        }
        Event { rule, text: format!("{head}: {pips}") }
    }
}
