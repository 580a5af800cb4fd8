//! Army Morale: the loss for a dispersed unit, the Army Morale Check, Staff Orders and the end of a
//! turn.

use super::chains::Chains;
use super::exchange::Exchange;
use super::field::{Army, ArmyCondition, Battlefield, GameStatus, Task};
use super::plural::counted;
use super::pool::DieResult;
use super::rules::{BothAtZero, MoraleLoss};
use super::unit::{Side, Unit};
use engine::process::{Event, Log};

/// The number of enemy dice in an Army Morale Check.
pub const OPPOSING_DICE: u8 = 3;
/// The Target Number of all dice of an Army Morale Check.
pub const CHECK_TN: u8 = 4;
/// The loss in points that causes an Army Morale Check.
const GRAVE_LOSS: u8 = 3;

impl Exchange {
    /// Removes a unit, and queues the roll for the Army Morale Points its side loses.
    pub(super) fn disperse<L: Log>(
        &self,
        field: &mut Battlefield,
        place: usize,
        rule: &'static str,
        log: &mut L,
    ) {
        log.record(|| Event { rule, text: format!("{} is dispersed", self.name(place)) });
        field.units[place] = Unit::DISPERSED;
        if self.telling.armies {
            field.agenda.push(Task::MoraleLoss { side: self.side_of(place) });
        }
    }

    /// Returns the points lost for a D6: its number, or for a D3 half of it, rounded up.
    pub(super) fn points_lost(&self, pips: u8) -> u8 {
        if self.rules.morale_loss == MoraleLoss::D6 { pips } else { pips.div_ceil(2) }
    }

    /// Takes points from a side. Under `hands_on_points` the other side gains what is lacking.
    pub(super) fn lose_points<L: Log>(
        &self,
        field: &mut Battlefield,
        side: Side,
        points: u8,
        log: &mut L,
    ) {
        field.agenda.pop();
        let army = field.army_mut(side);
        let lost = points.min(army.morale);
        army.morale -= lost;
        field.army_mut(side.other()).morale += if self.hands_on_points { points - lost } else { 0 };
        log.record(|| {
            let left =
                Side::BOTH.map(|side| format!("{} army {}", side.name(), field.army(side).morale));
            Event {
                rule: "Army Morale",
                text: format!("{} army loses {points}: {}", side.name(), left.join(", ")),
            }
        });
        if points == GRAVE_LOSS && self.checks_army_morale {
            self.begin_morale_check(field, side, self.rules.army_morale_dice.count());
        }
    }

    /// Begins an Army Morale Check. In Combat HQ a Staff Order may first add a die.
    pub(super) fn begin_morale_check(&self, field: &mut Battlefield, side: Side, own: u8) {
        field.agenda.push(Task::MoraleCheck { side, own, enemy: OPPOSING_DICE, lead: 0 });
        if field.army(side).staff > 0 {
            field.agenda.push(Task::StaffOrder { side });
        }
    }

    pub(super) fn answer_staff_order(&self, field: &mut Battlefield, side: Side, adds: bool) {
        field.agenda.pop();
        if adds && let Some(Task::MoraleCheck { own, .. }) = field.agenda.last_mut() {
            *own += 1;
            field.army_mut(side).staff -= 1;
        }
    }

    /// Counts one die of the check: the side's own dice first, then the enemy's. The lead is
    /// clamped once dice cannot reverse it any more, so that equal states merge.
    pub(super) fn morale_check_die(&self, field: &mut Battlefield, shown: DieResult) {
        let Some(Task::MoraleCheck { own, enemy, lead, .. }) = field.agenda.last_mut() else {
            return;
        };
        let success = i8::from(shown.is_success());
        if *own > 0 {
            *own -= 1;
            *lead += success;
        } else {
            *enemy -= 1;
            *lead -= success;
        }
        *lead = (*lead).clamp(-(*own as i8), *enemy as i8 + 1);
    }

    /// Ends the check. A side that does not win it loses a Command Die for the rest of the game.
    /// Its maximum of Staff Orders falls with it.
    pub(super) fn end_morale_check<L: Log>(
        &self,
        field: &mut Battlefield,
        side: Side,
        lead: i8,
        log: &mut L,
    ) {
        field.agenda.pop();
        let passed = lead > 0;
        let army = field.army_mut(side);
        if !passed {
            army.command_dice = army.command_dice.saturating_sub(1);
            army.staff = army.staff.min(army.command_dice);
            army.restocked = army.restocked.min(army.command_dice - army.staff);
        }
        if self.telling.check {
            army.condition = if passed { ArmyCondition::Passed } else { ArmyCondition::Failed };
        }
        log.record(|| {
            let text =
                if passed { "the Army Morale Check is passed" } else { "a Command Die is lost" };
            Event { rule: "Army Morale", text: text.to_string() }
        });
    }

    /// Ends the turn. Fire markers, Command Dice and Wild Dice are removed, and restocked Staff
    /// Orders arrive. A side without Army Morale Points has lost.
    pub(super) fn end_turn<L: Log>(&self, field: &mut Battlefield, log: &mut L) {
        field.game = GameStatus::On;
        for unit in &mut field.units {
            (unit.fired, unit.activated) = (false, 0);
        }
        for army in &mut field.armies {
            let staff = army.staff + army.restocked;
            *army = Army {
                staff,
                restocked: 0,
                command: None,
                chains: Chains::default(),
                wild: 0,
                ..*army
            };
        }
        if self.telling.armies {
            self.collapse(field, log);
        }
    }

    /// Applies Morale Collapse. If neither army has points, `both-at-zero` decides.
    fn collapse<L: Log>(&self, field: &mut Battlefield, log: &mut L) {
        let at_zero = Side::BOTH.map(|side| field.army(side).morale == 0);
        let conditions = match at_zero {
            [true, true] if self.rules.both_at_zero == BothAtZero::PlayOn => return,
            [true, true] => [ArmyCondition::Drawn; 2],
            [true, false] => [ArmyCondition::Collapsed, ArmyCondition::Holds],
            [false, true] => [ArmyCondition::Holds, ArmyCondition::Collapsed],
            [false, false] => return,
        };
        field.game = GameStatus::Over;
        for (army, condition) in field.armies.iter_mut().zip(conditions) {
            army.condition = condition;
        }
        log.record(|| {
            let sides: Vec<&str> = Side::BOTH
                .into_iter()
                .filter(|&side| at_zero[side as usize])
                .map(Side::name)
                .collect();
            Event { rule: "Morale Collapse", text: format!("{} army", sides.join(" and ")) }
        });
    }

    /// Restocks one Staff Order less than the chain has dice, up to the number of Command Dice.
    /// Staff Orders from a chain of sixes can be used at once.
    pub(super) fn restock<L: Log>(
        &self,
        field: &mut Battlefield,
        side: Side,
        chain: u8,
        sixes: bool,
        log: &mut L,
    ) {
        let army = field.army_mut(side);
        if army.command.is_some_and(|left| left < chain) {
            return log.record(|| Event {
                rule: "Orders",
                text: "too few Command Dice are left to restock Staff Orders".to_string(),
            });
        }
        army.command = army.command.map(|left| left - chain);
        let gained = army.room_for_staff().min(chain - 1);
        *(if sixes { &mut army.staff } else { &mut army.restocked }) += gained;
        log.record(|| Event {
            rule: "Orders",
            text: format!("{} side restocks {}", side.name(), counted(gained, "Staff Order")),
        });
    }
}
