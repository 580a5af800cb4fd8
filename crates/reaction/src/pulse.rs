//! The Command Dice of a turn: Command Failure, Wild Dice for the enemy, and the Dice Chains that
//! the two sides use in Command Pulses.

use super::chains::{ChainRoll, Chains};
use super::choice::{Choice, Choices};
use super::command::{CommandDie, CommandRoll};
use super::exchange::Exchange;
use super::field::{ArmyCondition, Battlefield, GameStatus, Task};
use super::movement::LONGEST_MOVE;
use super::plural::counted;
use super::stage::Stage;
use super::unit::Side;
use engine::process::{Event, Log};

/// The maximum number of dice of a Dice Chain that count for restocking Staff Orders.
const LONGEST_RESTOCK: u8 = 4;

impl Exchange {
    /// Returns the number of Command Pulses still to come in this turn.
    pub(super) fn pulses_to_come(&self, field: &Battlefield) -> usize {
        let of_turn =
            self.stages[field.stage.into()..].iter().take_while(|stage| **stage != Stage::TurnEnds);
        of_turn.filter(|stage| matches!(stage, Stage::Pulse { .. })).count()
    }

    /// Begins the roll of all Command Dice of both sides. Chains are recorded only if pulses
    /// follow.
    pub(super) fn begin_command_roll(&self, field: &mut Battlefield) {
        if self.pulses_to_come(field) > 0 {
            return self.roll_chains(field, 0);
        }
        let dice = Side::BOTH.map(|side| field.army(side).command_dice);
        field.agenda.push(Task::Command(CommandRoll::from_dice(dice)));
    }

    pub(super) fn command_die(&self, field: &mut Battlefield, die: CommandDie) {
        if let Some(Task::Command(roll)) = field.agenda.last_mut()
            && let Some(side) = roll.side()
        {
            roll.add(side, die);
        }
    }

    /// Ends the roll. The 1s are set aside. If a side fails, its 1s become Wild Dice of its enemy;
    /// if both sides fail, the turn is over.
    pub(super) fn end_command_roll<L: Log>(
        &self,
        field: &mut Battlefield,
        roll: CommandRoll,
        log: &mut L,
    ) {
        field.agenda.pop();
        for side in Side::BOTH {
            let (ones, fails) = (roll.ones[side as usize], roll.fails(side));
            let army = field.army_mut(side);
            let left = army.command_dice - ones;
            army.command = Some(left);
            field.army_mut(side.other()).wild +=
                if fails && self.keeps_wild_dice { ones } else { 0 };
            log.record(|| {
                let fate = if fails { "Command Failure, " } else { "" };
                Event {
                    rule: "Command",
                    text: format!(
                        "{} side: {fate}{} left",
                        side.name(),
                        counted(left, "Command Die")
                    ),
                }
            });
        }
        let failures = Side::BOTH.map(|side| roll.fails(side));
        if failures == [true; 2] {
            field.game = GameStatus::TurnOver;
            log.record(|| Event {
                rule: "Command",
                text: "both sides fail: the turn is over".to_string(),
            });
        }
        if self.telling.command {
            for (army, condition) in
                field.armies.iter_mut().zip(self.conditions_after(failures, roll))
            {
                army.condition = condition;
            }
        }
    }

    /// Returns the conditions of both armies after the roll of Command Dice. If the question does
    /// not ask which side goes first, each army only fails or commands.
    fn conditions_after(&self, failures: [bool; 2], roll: CommandRoll) -> [ArmyCondition; 2] {
        let first = [ArmyCondition::First, ArmyCondition::Second];
        let second = [ArmyCondition::Second, ArmyCondition::First];
        match (failures, roll.lead.iter().find(|&&lead| lead != 0)) {
            _ if !self.telling.first => failures
                .map(|fails| if fails { ArmyCondition::Failure } else { ArmyCondition::Commands }),
            ([true, true], _) => [ArmyCondition::TurnOver; 2],
            ([true, false], _) => [ArmyCondition::Failure, ArmyCondition::First],
            ([false, true], _) => [ArmyCondition::First, ArmyCondition::Failure],
            (_, None) => [ArmyCondition::RollAgain; 2],
            (_, Some(lead)) => {
                if *lead > 0 {
                    first
                } else {
                    second
                }
            }
        }
    }

    pub(super) fn chain_die(&self, field: &mut Battlefield, number: u8) {
        if let Some(Task::Chains(roll)) = field.agenda.last_mut()
            && let Some(side) = roll.side()
        {
            roll.add(side, number);
        }
    }

    /// Ends the roll of both sides. If the sides tie in all numbers, both roll again, up to
    /// `command-re-rolls` times. After that a lot decides.
    pub(super) fn end_chain_roll<L: Log>(
        &self,
        field: &mut Battlefield,
        roll: ChainRoll,
        log: &mut L,
    ) {
        field.agenda.pop();
        let failures = roll.failures();
        if failures == [true; 2] {
            field.game = GameStatus::TurnOver;
            return log.record(|| Event {
                rule: "Command",
                text: "both sides fail: the turn is over".to_string(),
            });
        }
        let first = roll.first();
        if first.is_none()
            && roll.ties < self.rules.command_re_rolls.count()
            && !roll.for_side(Side::Own).1.is_empty()
        {
            log.record(|| Event {
                rule: "Command",
                text: "a full tie: both sides roll again".to_string(),
            });
            return self.roll_chains(field, roll.ties + 1);
        }
        for side in Side::BOTH {
            let (ones, chains) = roll.for_side(side);
            let fails = failures[side as usize];
            field.army_mut(side).chains = chains;
            field.army_mut(side.other()).wild += if self.keeps_wild_dice { ones } else { 0 };
            log.record(|| {
                let fate = if fails { "Command Failure, " } else { "" };
                Event {
                    rule: "Command",
                    text: format!("{} side: {fate}chains {}", side.name(), chains.in_words()),
                }
            });
        }
        match first {
            Some(side) => self.give_pulse(field, side),
            None if field.armies[0].chains.is_empty() => {}
            None => field.agenda.push(Task::Lot),
        }
    }

    pub(super) fn roll_chains(&self, field: &mut Battlefield, ties: u8) {
        let dice = Side::BOTH.map(|side| field.army(side).command_dice);
        field.agenda.push(Task::Chains(ChainRoll::rolled(dice, ties)));
    }

    /// Gives the next pulse to a side, or to the other side if this one has no dice left. Chains
    /// that no pulse can use are dropped, so that equal states merge.
    pub(super) fn give_pulse(&self, field: &mut Battlefield, side: Side) {
        let has_dice = |side: &Side| !field.army(*side).chains.is_empty();
        let next = [side, side.other()].into_iter().find(has_dice);
        let pulses = self.pulses_to_come(field);
        field.game =
            next.filter(|_| pulses > 0).map_or(GameStatus::On, |next| GameStatus::Pulses { next });
        for side in Side::BOTH {
            if pulses == 0 || pulses == 1 && next != Some(side) {
                field.army_mut(side).chains = Chains::default();
            }
        }
    }

    /// Begins a pulse. The side that has the pulse must use a chain.
    pub(super) fn begin_pulse<L: Log>(&self, field: &mut Battlefield, log: &mut L) {
        let GameStatus::Pulses { next: side } = field.game else {
            return log.record(|| Event {
                rule: "Pulse",
                text: "no pulse: no side has Command Dice left".to_string(),
            });
        };
        log.record(|| {
            let chains = field.army(side).chains.in_words();
            Event { rule: "Pulse", text: format!("{} side, chains {chains}", side.name()) }
        });
        field.agenda.push(Task::Pulse { side });
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

    /// Uses up the dice of a chain and gives the next pulse to the other side.
    pub(super) fn use_chain(&self, field: &mut Battlefield, side: Side, dice: u8, sixes: u8) {
        field.agenda.pop();
        let army = field.army_mut(side);
        army.chains = army.chains.without(dice, sixes);
        self.give_pulse(field, side.other());
        field.agenda.push(Task::Chain { side, dice: dice + sixes, sixes: dice == 0 });
    }

    /// Returns the uses of a chain: orders, Staff Orders if any can be restocked, or a longer move
    /// with two or three dice.
    pub(super) fn uses_of_chain(&self, field: &Battlefield, side: Side, dice: u8) -> Choices {
        let restocks = self.uses_staff && dice > 1 && field.army(side).room_for_staff() > 0;
        let longer =
            (2..=LONGEST_MOVE).contains(&dice).then(|| self.possible_moves(field, side, dice));
        [Choice::GivesOrders]
            .into_iter()
            .chain(restocks.then_some(Choice::Restocks))
            .chain(longer.into_iter().flatten())
            .collect()
    }

    /// Applies the use of a chain: orders (one a die), Staff Orders, or the move of a group. Staff
    /// Orders of the side, even new ones from sixes, can be used beside the chain.
    pub(super) fn make_of_chain<L: Log>(
        &self,
        field: &mut Battlefield,
        task: Task,
        choice: Choice,
        log: &mut L,
    ) {
        field.agenda.pop();
        let (Task::Chain { side, dice, sixes }, Some(Stage::Pulse { staff })) =
            (task, self.stage(field))
        else {
            return;
        };
        if choice == Choice::Restocks {
            self.restock(field, side, dice.min(LONGEST_RESTOCK), sixes, log);
        }
        let dice = if choice == Choice::GivesOrders { dice } else { 0 };
        field.agenda.push(Task::Orders { side, dice, staff: field.army(side).staff.min(*staff) });
        if let Choice::Move { group, chain } = choice {
            self.move_group(field, group, chain);
        }
    }
}
