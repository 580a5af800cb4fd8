//! Command Dice and Staff Orders: Remove Unit Suppression and Rally Group.

use super::exchange::{Exchange, Playthrough, Stage};
use super::field::{Battlefield, Pool, Task, UnitSet};
use super::rules::{ActivationLimit, RallyEffect};
use super::unit::Side;
use engine::process::Log;
use engine::text::counted;

/// Describes orders: `2 Command Dice and 1 Staff Order`, or without `staff` of either kind.
pub(super) fn orders_in_words(dice: u8, staff: u8) -> String {
    match (dice, staff) {
        (1, 0) => "1 Command Die or Staff Order".to_string(),
        (_, 0) => format!("{dice} Command Dice or Staff Orders"),
        _ => format!("{} and {}", counted(dice, "Command Die"), counted(staff, "Staff Order")),
    }
}

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
}

impl<L: Log> Playthrough<'_, L> {
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
        let Some(Task::Opposed { group, pool, opposing, lead }) = self.field.agenda.last_mut()
        else {
            return;
        };
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
        let most = match self.exchange.rules.rally_effect {
            RallyEffect::OnePerRoll => 1,
            RallyEffect::OnePerSuccess => u8::MAX,
        };
        let points = successes.min(most);
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
