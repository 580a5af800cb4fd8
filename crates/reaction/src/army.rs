//! Army Morale: losses for dispersed units, the Army Morale Check, Staff Orders, a turn's end.

use super::exchange::{Exchange, Playthrough};
use super::field::{Army, GameStatus, Pool, Status, Task};
use super::rules::{BothAtZero, MoraleLoss};
use super::unit::{Side, Unit};
use engine::process::Log;
use engine::text::counted;

/// The number of enemy dice in an Army Morale Check, and the Target Number of all its dice.
pub(super) const OPPOSING_DICE: u8 = 3;
pub(super) const CHECK_TN: u8 = 4;
/// The loss in points that causes an Army Morale Check.
const GRAVE_LOSS: u8 = 3;

impl Exchange {
    /// Returns the points lost for a D6: its number, or for a D3 half of it, rounded up.
    pub(super) fn points_lost(&self, pips: u8) -> u8 {
        if self.rules.morale_loss == MoraleLoss::D6 { pips } else { pips.div_ceil(2) }
    }
}

impl<L: Log> Playthrough<'_, L> {
    /// Removes a unit, so that equal states merge, and queues the roll for the loss of points.
    pub(super) fn disperse(&mut self, place: usize, rule: &'static str) {
        self.log.note(rule, || format!("{} is dispersed", self.exchange.name(place)));
        self.field.units[place] = Unit { dispersed: true, ..Unit::default() };
        if self.exchange.telling.armies {
            self.field.agenda.push(Task::MoraleLoss { side: self.exchange.side_of(place) });
        }
    }

    /// Takes points from a side. Under `hands_on_points` the other side gains what is lacking.
    pub(super) fn lose_points(&mut self, side: Side, points: u8) {
        self.field.agenda.pop();
        let army = self.field.army_mut(side);
        let lost = points.min(army.morale);
        army.morale -= lost;
        if self.exchange.hands_on_points {
            self.field.army_mut(side.other()).morale += points - lost;
        }
        self.log.note("Army Morale", || {
            let left = Side::ALL
                .map(|side| format!("{} army {}", side.name(), self.field.army(side).morale));
            format!("{} army loses {points}: {}", side.name(), left.join(", "))
        });
        if points == GRAVE_LOSS && self.exchange.checks_army_morale {
            self.begin_morale_check(side, self.exchange.rules.army_morale_dice.count());
        }
    }

    /// Begins an Army Morale Check. In Combat HQ a Staff Order may first add a die.
    pub(super) fn begin_morale_check(&mut self, side: Side, own: u8) {
        let (pool, opposing) = (Pool { side, left: own as i8, closed: true }, OPPOSING_DICE);
        self.field.agenda.push(Task::Opposed { group: None, pool, opposing, lead: 0 });
        if self.field.army(side).staff > 0 {
            self.field.agenda.push(Task::StaffOrder { side });
        }
    }

    /// Ends the check. A side that does not win it loses a Command Die for the rest of the game.
    pub(super) fn end_morale_check(&mut self, side: Side, passed: bool) {
        self.field.agenda.pop();
        let army = self.field.army_mut(side);
        if !passed {
            army.command_dice = army.command_dice.saturating_sub(1);
            army.staff = army.staff.min(army.command_dice);
            army.restocked = army.restocked.min(army.command_dice - army.staff);
        }
        if self.exchange.telling.check {
            army.condition = Some(if passed { Status::Passed } else { Status::Failed });
        }
        self.log.note("Army Morale", || {
            if passed { "the Army Morale Check is passed" } else { "a Command Die is lost" }
        });
    }

    /// Ends the turn. A side without Army Morale Points has lost.
    pub(super) fn end_turn(&mut self) {
        self.field.game = GameStatus::On;
        for unit in &mut self.field.units {
            (unit.fired, unit.activated) = (false, 0);
        }
        for army in &mut self.field.armies {
            let Army { morale, command_dice, condition, .. } = *army;
            let staff = army.staff + army.restocked;
            *army = Army { morale, command_dice, condition, staff, ..Army::default() };
        }
        if self.exchange.telling.armies {
            self.collapse();
        }
    }

    /// Applies Morale Collapse. If neither army has points, `both-at-zero` decides.
    fn collapse(&mut self) {
        let at_zero = self.field.armies.map(|army| army.morale == 0);
        let condition = match at_zero {
            [false, false] => return,
            [true, true] if self.exchange.rules.both_at_zero == BothAtZero::PlayOn => return,
            [true, true] => Status::Draw,
            _ => Status::Collapsed,
        };
        self.field.game = GameStatus::Over;
        for (army, at_zero) in self.field.armies.iter_mut().zip(at_zero) {
            army.condition = at_zero.then_some(condition);
        }
        self.log.note("Morale Collapse", || {
            let beaten = Side::ALL.into_iter().filter(|&side| at_zero[side as usize]);
            format!("{} army", beaten.map(Side::name).collect::<Vec<_>>().join(" and "))
        });
    }

    /// Restocks one Staff Order less than the chain has dice. Those from sixes can be used at once.
    pub(super) fn restock(&mut self, side: Side, chain: u8, sixes: bool) {
        let army = self.field.army_mut(side);
        if army.command.is_some_and(|left| left < chain) {
            let text = "too few Command Dice are left to restock Staff Orders";
            return self.log.note("Orders", || text);
        }
        army.command = army.command.map(|left| left - chain);
        let gained = army.room_for_staff().min(chain - 1);
        *(if sixes { &mut army.staff } else { &mut army.restocked }) += gained;
        self.log.note("Orders", || {
            format!("{} side restocks {}", side.name(), counted(gained, "Staff Order"))
        });
    }
}
