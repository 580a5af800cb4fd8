//! Command Dice, Staff Orders, Command Pulses, Remove Unit Suppression and Rally Group.

use super::choice::{Choice, Choices, Plain, orders_in_words};
use super::command::{ChainRoll, Chains, CommandRoll};
use super::exchange::{Exchange, Playthrough, Stage};
use super::field::{Battlefield, GameStatus, Pool, Status, Task, UnitSet};
use super::movement::LONGEST_MOVE;
use super::rules::{ActivationLimit, RallyEffect};
use super::unit::Side;
use engine::process::Log;
use engine::text::counted;

/// The maximum number of dice of a Dice Chain that count for restocking Staff Orders.
const LONGEST_RESTOCK: u8 = 4;

impl Exchange {
    pub(super) fn most_orders(&self, stage: &Stage, side: Side) -> u8 {
        match stage {
            Stage::Orders { side: of, dice, staff, .. } if *of == side => {
                dice.map_or(u8::MAX, |dice| dice + staff)
            }
            Stage::Pulse { staff } => self.armies[side as usize].command_dice + staff,
            _ => 0,
        }
    }

    pub(super) fn ends_activations(&self, stage: &Stage) -> bool {
        match stage {
            Stage::Orders { ends_activations, .. } => *ends_activations,
            Stage::Pulse { .. } => self.rules.activation_limit == ActivationLimit::Pulse,
            _ => false,
        }
    }

    /// Returns whether activations of a side end as a stage begins (`activation-limit = gap`).
    pub(super) fn ends_gap(&self, stage: &Stage, side: Side) -> bool {
        let by_gap = self.rules.activation_limit == ActivationLimit::Gap;
        by_gap && matches!(stage, Stage::Volley(volley) if volley.side != side)
    }

    pub(super) fn can_rally(&self, field: &Battlefield, side: Side) -> UnitSet {
        let limit = self.rules.rallies_per_gap.count();
        self.units_that(field, side, |unit| {
            unit.may_be_grouped() && unit.dp > 0 && unit.activated < limit
        })
    }

    fn pulses_to_come(&self, field: &Battlefield) -> usize {
        let of_turn =
            self.stages[field.stage.into()..].iter().take_while(|stage| **stage != Stage::TurnEnds);
        of_turn.filter(|stage| matches!(stage, Stage::Pulse { .. })).count()
    }

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
        let Task::Chain { side, dice, sixes } = task else { return };
        let Some(&Stage::Pulse { staff }) = self.exchange.stage(self.field) else { return };
        if choice == Choice::Plain(Plain::Restocks) {
            self.restock(side, dice.min(LONGEST_RESTOCK), sixes);
        }
        let dice = if choice == Choice::Plain(Plain::GivesOrders) { dice } else { 0 };
        let staff = self.field.army(side).staff.min(staff);
        self.field.agenda.push(Task::Orders { side, dice, staff });
        if let Choice::Move { group, chain } = choice {
            self.move_group(group, chain);
        }
    }

    pub(super) fn begin_orders(&mut self, side: Side, dice: Option<u8>, staff: u8) {
        let army = self.field.army(side);
        let dice = army.command.map_or(dice.unwrap_or(0), |left| dice.unwrap_or(left).min(left));
        let staff = staff.min(army.staff);
        self.log
            .note("Orders", || format!("{} side: {}", side.name(), orders_in_words(dice, staff)));
        self.field.agenda.push(Task::Orders { side, dice, staff });
    }

    /// Ends the orders of a stage. Unused Command Dice are kept.
    pub(super) fn end_orders(&mut self) {
        self.field.agenda.pop();
        let stage = self.exchange.stage(self.field);
        if stage.is_some_and(|stage| self.exchange.ends_activations(stage)) {
            self.field.units.iter_mut().for_each(|unit| unit.activated = 0);
        }
    }

    /// Pays for an order with a Command Die, or a Staff Order if no die is left.
    pub(super) fn pay(&mut self) {
        let Some(Task::Orders { side, dice, staff }) = self.field.agenda.last_mut() else { return };
        let army = &mut self.field.armies[*side as usize];
        if *dice > 0 {
            *dice -= 1;
            army.command = army.command.map(|left| left - 1);
        } else {
            *staff -= 1;
            army.staff -= 1;
        }
    }

    pub(super) fn rally(&mut self, side: Side, group: UnitSet) {
        self.pay();
        group.places().for_each(|place| self.field.units[place].activated += 1);
        let dice = self.exchange.rally_dice[side as usize];
        let opposing = if self.exchange.rules.rally_opposed { dice } else { 0 };
        let pool = Pool::new(side, dice as i8);
        self.field.agenda.push(Task::Opposed { group: Some(group), pool, opposing, lead: 0 });
    }

    /// Counts a die. The lead is kept where further dice can still change the result.
    pub(super) fn opposed_die(&mut self, success: bool) {
        let task = self.field.agenda.last_mut();
        let Some(Task::Opposed { group, pool, opposing, lead }) = task else { return };
        let places = group.iter().flat_map(|group| group.places());
        let points: u8 = places.map(|place| self.field.units[place].dp).sum();
        let most = if group.is_some() { points.into() } else { 1 };
        if pool.left > 0 {
            pool.left -= 1;
            *lead += i16::from(success);
        } else {
            *opposing -= 1;
            *lead -= i16::from(success);
        }
        *lead = (*lead).clamp(-i16::from(pool.left), most + i16::from(*opposing));
    }

    pub(super) fn end_rally(&mut self, side: Side, group: UnitSet, successes: u8) {
        self.field.agenda.pop();
        let is_one = self.exchange.rules.rally_effect == RallyEffect::OnePerRoll;
        let points = if is_one { successes.min(1) } else { successes };
        self.log
            .note("Rally", || format!("{} can be removed", counted(points, "Disruption Point")));
        self.field.agenda.push(Task::Remove { side, group, points });
    }

    pub(super) fn remove_point(&mut self, place: usize) {
        let Some(Task::Remove { points, .. }) = self.field.agenda.last_mut() else { return };
        *points -= 1;
        self.field.units[place].dp -= 1;
        let dp = self.field.units[place].dp;
        self.log.note("Rally", || {
            format!("{} has {} left", self.exchange.name(place), counted(dp, "Disruption Point"))
        });
    }
}
