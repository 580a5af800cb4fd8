//! The roll of Command Dice: Command Failure, Wild Dice for the enemy, and the side that goes
//! first.

use super::describe::counted;
use super::exchange::Exchange;
use super::field::{ArmyCondition, Battlefield, GameStatus, Side, Task};
use engine::process::{Event, Log};

/// The count of numbers that decide the order of sides: 6s first, then 5s, down to 2s.
const DECIDING: usize = 5;

/// A roll of Command Dice: the own dice first, then the enemy's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CommandRoll {
    left: [u8; 2],
    ones: [u8; 2],
    sixes: [u8; 2],
    /// Own dice minus enemy dice that show 6, 5, 4, 3 and 2. Only 6s count if the order of sides is
    /// not asked for.
    lead: [i8; DECIDING],
}

/// The reading of a Command Die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandDie {
    One,
    Six,
    /// Another number, or 0 if it does not matter.
    Other(u8),
}

impl CommandDie {
    /// Reads a die. The numbers 2 to 5 count only if the order of sides is asked for.
    pub(super) fn from_pips(pips: u8, compares_first: bool) -> CommandDie {
        match pips {
            1 => CommandDie::One,
            6 => CommandDie::Six,
            pips => CommandDie::Other(if compares_first { pips } else { 0 }),
        }
    }
}

/// Whether the dice are a Command Failure: more 1s than 6s.
pub(super) fn fails(ones: u8, sixes: u8) -> bool {
    ones > sixes
}

impl CommandRoll {
    fn from_dice(dice: [u8; 2]) -> CommandRoll {
        CommandRoll { left: dice, ones: [0; 2], sixes: [0; 2], lead: [0; DECIDING] }
    }

    /// The side whose die is rolled next.
    pub(super) fn side(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.left[side as usize] > 0)
    }

    fn fails(&self, side: Side) -> bool {
        fails(self.ones[side as usize], self.sixes[side as usize])
    }

    fn add(&mut self, side: Side, die: CommandDie) {
        let place = side as usize;
        self.left[place] -= 1;
        let deciding = match die {
            CommandDie::One => {
                self.ones[place] += 1;
                None
            }
            CommandDie::Six => {
                self.sixes[place] += 1;
                Some(0)
            }
            CommandDie::Other(0) => None,
            CommandDie::Other(pips) => Some(6 - usize::from(pips)),
        };
        if let Some(number) = deciding {
            self.lead[number] += if side == Side::Own { 1 } else { -1 };
        }
        self.forget();
    }

    /// Drops what no longer matters once all own dice are rolled, so that equal states merge. These
    /// are 6s beyond the own 1s, the order of sides after a failure, and the numbers below one in
    /// which the enemy already leads.
    fn forget(&mut self) {
        if self.left[0] > 0 {
            return;
        }
        let failed = self.fails(Side::Own);
        self.sixes[0] = if failed { 0 } else { self.ones[0] };
        let decided =
            self.lead.iter().position(|&lead| lead != 0).filter(|&number| self.lead[number] < 0);
        if failed {
            self.lead = [0; DECIDING];
        } else if decided.is_some() {
            self.lead = [-1, 0, 0, 0, 0];
        }
    }
}

impl Exchange {
    /// Begins the roll of all Command Dice of both sides. The numbers matter only if pulses follow.
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

    /// Ends the roll. The 1s are set aside; those of a side that fails become Wild Dice of its
    /// enemy. If both sides fail, the turn is over.
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

    /// The state of both armies after the roll. If only one side rolls, it fails or commands.
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
}
