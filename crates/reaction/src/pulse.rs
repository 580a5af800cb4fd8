//! The Command Dice of a turn: Command Failure, Wild Dice for the enemy, and the Dice Chains that
//! the two sides use in Command Pulses.

use super::choice::{Choice, Choices, Plain};
use super::command::{ChainRoll, Chains, CommandRoll};
use super::exchange::{Exchange, Playthrough, Stage};
use super::field::{Battlefield, GameStatus, Status, Task};
use super::movement::LONGEST_MOVE;
use super::unit::Side;
use engine::process::Log;
use engine::text::counted;

/// The maximum number of dice of a Dice Chain that count for restocking Staff Orders.
const LONGEST_RESTOCK: u8 = 4;

impl Exchange {
    fn pulses_to_come(&self, field: &Battlefield) -> usize {
        let of_turn =
            self.stages[field.stage.into()..].iter().take_while(|stage| **stage != Stage::TurnEnds);
        of_turn.filter(|stage| matches!(stage, Stage::Pulse { .. })).count()
    }

    /// Returns the conditions of both armies after the roll of Command Dice.
    fn conditions_after(&self, failures: [bool; 2], roll: CommandRoll) -> [Status; 2] {
        match (failures, roll.lead.iter().find(|&&lead| lead != 0)) {
            _ if !self.telling.first => {
                failures.map(|fails| if fails { Status::Failure } else { Status::Commands })
            }
            ([true, true], _) => [Status::TurnOver; 2],
            ([true, false], _) => [Status::Failure, Status::First],
            ([false, true], _) => [Status::First, Status::Failure],
            (_, None) => [Status::RollAgain; 2],
            (_, Some(1..)) => [Status::First, Status::Second],
            (_, Some(_)) => [Status::Second, Status::First],
        }
    }

    /// Returns the chains a side can use, with any number of sixes. Sixes alone come last.
    pub(super) fn chains_to_use(&self, field: &Battlefield, side: Side) -> Choices {
        let chains = field.army(side).chains;
        let sixes = chains.sixes();
        let mut lengths: Vec<u8> = chains.lengths().collect();
        lengths.dedup();
        let joined = lengths
            .into_iter()
            .flat_map(|dice| (0..=sixes).map(move |sixes| Choice::Chain { dice, sixes }));
        joined.chain((sixes > 0).then_some(Choice::Chain { dice: 0, sixes })).collect()
    }

    pub(super) fn uses_of_chain(&self, field: &Battlefield, side: Side, dice: u8) -> Choices {
        let restocks = self.uses_staff && dice > 1 && field.army(side).room_for_staff() > 0;
        let longer =
            (2..=LONGEST_MOVE).contains(&dice).then(|| self.possible_moves(field, side, dice));
        [Choice::Plain(Plain::GivesOrders)]
            .into_iter()
            .chain(restocks.then_some(Choice::Plain(Plain::Restocks)))
            .chain(longer.into_iter().flatten())
            .collect()
    }
}

impl<L: Log> Playthrough<'_, L> {
    /// Begins the roll of both sides after `ties`. Chains are recorded only if pulses follow.
    pub(super) fn roll_command_dice(&mut self, ties: u8) {
        let left = self.field.armies.map(|army| army.command_dice);
        self.field.agenda.push(if self.exchange.pulses_to_come(self.field) > 0 {
            Task::Chains(ChainRoll { left, ties, ..ChainRoll::default() })
        } else {
            Task::Command(CommandRoll { left, ..CommandRoll::default() })
        });
    }

    /// Ends the roll of a side. If it fails, its 1s become Wild Dice of its enemy.
    fn end_roll_of(&mut self, side: Side, ones: u8, fails: bool, left: impl FnOnce() -> String) {
        if fails && self.exchange.keeps_wild_dice {
            self.field.army_mut(side.other()).wild += ones;
        }
        self.log.note("Command", || {
            let fate = if fails { "Command Failure, " } else { "" };
            format!("{} side: {fate}{}", side.name(), left())
        });
    }

    fn end_turn_if_both_fail(&mut self, failures: [bool; 2]) {
        if failures == [true; 2] {
            self.field.game = GameStatus::TurnOver;
            self.log.note("Command", || "both sides fail: the turn is over");
        }
    }

    pub(super) fn end_command_roll(&mut self, roll: CommandRoll) {
        self.field.agenda.pop();
        let failures = Side::ALL.map(|side| roll.fails(side));
        for side in Side::ALL {
            let ones = roll.ones[side as usize];
            let army = self.field.army_mut(side);
            let left = army.command_dice - ones;
            army.command = Some(left);
            self.end_roll_of(side, ones, failures[side as usize], || {
                format!("{} left", counted(left, "Command Die"))
            });
        }
        self.end_turn_if_both_fail(failures);
        if self.exchange.telling.command {
            let conditions = self.exchange.conditions_after(failures, roll).map(Some);
            for (army, condition) in self.field.armies.iter_mut().zip(conditions) {
                army.condition = condition;
            }
        }
    }

    /// Ends a roll for pulses. After a full tie both sides roll again, and at last a lot decides.
    pub(super) fn end_chain_roll(&mut self, roll: ChainRoll) {
        self.field.agenda.pop();
        let (failures, first) = (roll.failures(), roll.first());
        if failures == [true; 2] {
            return self.end_turn_if_both_fail(failures);
        }
        if first.is_none()
            && roll.ties < self.exchange.rules.command_re_rolls.count()
            && !roll.for_side(Side::Own).1.is_empty()
        {
            self.log.note("Command", || "a full tie: both sides roll again");
            return self.roll_command_dice(roll.ties + 1);
        }
        for side in Side::ALL {
            let (ones, chains) = roll.for_side(side);
            self.field.army_mut(side).chains = chains;
            self.end_roll_of(side, ones, failures[side as usize], || {
                format!("chains {}", chains.in_words())
            });
        }
        match first {
            Some(side) => self.give_pulse(side),
            None if self.field.armies[0].chains.is_empty() => {}
            None => self.field.agenda.push(Task::Lot),
        }
    }

    /// Gives the next pulse to a side, or to the other if this one has no dice left.
    pub(super) fn give_pulse(&mut self, side: Side) {
        let has_dice = |side: &Side| !self.field.army(*side).chains.is_empty();
        let next = [side, side.other()].into_iter().find(has_dice);
        let pulses = self.exchange.pulses_to_come(self.field);
        self.field.game =
            next.filter(|_| pulses > 0).map_or(GameStatus::On, |next| GameStatus::Pulses { next });
        for side in Side::ALL {
            if pulses == 0 || pulses == 1 && next != Some(side) {
                self.field.army_mut(side).chains = Chains::default();
            }
        }
    }

    pub(super) fn begin_pulse(&mut self) {
        let GameStatus::Pulses { next: side } = self.field.game else {
            return self.log.note("Pulse", || "no pulse: no side has Command Dice left");
        };
        self.log.note("Pulse", || {
            let chains = self.field.army(side).chains.in_words();
            format!("{} side, chains {chains}", side.name())
        });
        self.field.agenda.push(Task::Pulse { side });
    }

    /// Uses up the dice of a chain and gives the next pulse to the other side.
    pub(super) fn use_chain(&mut self, side: Side, dice: u8, sixes: u8) {
        self.field.agenda.pop();
        let army = self.field.army_mut(side);
        army.chains = army.chains.without(dice, sixes);
        self.give_pulse(side.other());
        self.field.agenda.push(Task::Chain { side, dice: dice + sixes, sixes: dice == 0 });
    }

    /// Applies the use of a chain. Staff Orders, even new ones from sixes, can be used beside it.
    pub(super) fn make_of_chain(&mut self, task: Task, choice: Choice) {
        self.field.agenda.pop();
        let (Task::Chain { side, dice, sixes }, Some(Stage::Pulse { staff })) =
            (task, self.exchange.stage(self.field))
        else {
            return;
        };
        if choice == Choice::Plain(Plain::Restocks) {
            self.restock(side, dice.min(LONGEST_RESTOCK), sixes);
        }
        let dice = if choice == Choice::Plain(Plain::GivesOrders) { dice } else { 0 };
        let staff = self.field.army(side).staff.min(*staff);
        self.field.agenda.push(Task::Orders { side, dice, staff });
        if let Choice::Move { group, chain } = choice {
            self.move_group(group, chain);
        }
    }
}
