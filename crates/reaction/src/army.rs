//! Army Morale: what a dispersed unit costs, the Army Morale Check, and the end of a turn.

use super::chains::Chains;
use super::exchange::Exchange;
use super::field::{Army, Battlefield, Game, Side, Standing, Task};
use super::pool::Shown;
use super::rules::{BothAtZero, MoraleLoss};
use super::telling::counted;
use super::unit::Unit;
use engine::process::{Event, Log};

/// Enemy dice against an Army Morale Check.
pub const OPPOSING_DICE: u8 = 3;
/// What every die of an Army Morale Check must show.
pub const CHECK_TN: u8 = 4;
/// The loss that calls for one.
const GRAVE_LOSS: u8 = 3;

impl Exchange {
    /// A unit is removed, and its side rolls for the Army Morale Points it loses.
    pub(super) fn disperse<L: Log>(
        &self,
        field: &mut Battlefield,
        place: usize,
        rule: &'static str,
        log: &mut L,
    ) {
        log.tell(|| Event { rule, text: format!("{} is dispersed", self.name(place)) });
        field.units[place] = Unit::DISPERSED;
        if self.telling.armies {
            field.agenda.push(Task::MoraleLoss { side: self.side_of(place) });
        }
    }

    /// What a D6 costs: its pips, or as a D3 half of them (1 for an odd half point).
    pub(super) fn points_lost(&self, pips: u8) -> u8 {
        if self.rules.morale_loss == MoraleLoss::D6 { pips } else { pips.div_ceil(2) }
    }

    /// A side loses points as far as it has any; the other side gains the rest.
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
        log.tell(|| {
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

    /// An Army Morale Check begins: who has Staff Orders may first spend one on another die (Combat
    /// HQ).
    pub(super) fn begin_morale_check(&self, field: &mut Battlefield, side: Side, own: u8) {
        field.agenda.push(Task::MoraleCheck { side, own, enemy: OPPOSING_DICE, lead: 0 });
        if field.army(side).staff > 0 {
            field.agenda.push(Task::StaffOrder { side });
        }
    }

    /// Spends a Staff Order on a die more, or does not.
    pub(super) fn answer_staff_order(&self, field: &mut Battlefield, side: Side, adds: bool) {
        field.agenda.pop();
        if adds && let Some(Task::MoraleCheck { own, .. }) = field.agenda.last_mut() {
            *own += 1;
            field.army_mut(side).staff -= 1;
        }
    }

    /// A die of the side, or after them one of its enemy. A lead that can no longer be caught up is
    /// as good as any.
    pub(super) fn morale_check_die(&self, field: &mut Battlefield, shown: Shown) {
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

    /// A side that does not win the check loses a Command Die for the rest of the game, and with it
    /// room for Staff Orders.
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
            army.standing = if passed { Standing::Passed } else { Standing::Failed };
        }
        log.tell(|| {
            let text =
                if passed { "the Army Morale Check is passed" } else { "a Command Die is lost" };
            Event { rule: "Army Morale", text: text.to_string() }
        });
    }

    /// The turn ends: marks, Command Dice and Wild Dice go, restocked Staff Orders come, and a side
    /// without points has lost.
    pub(super) fn end_turn<L: Log>(&self, field: &mut Battlefield, log: &mut L) {
        field.game = Game::On;
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

    /// Morale Collapse; `both-at-zero` says what comes of two armies without points.
    fn collapse<L: Log>(&self, field: &mut Battlefield, log: &mut L) {
        let at_zero = Side::BOTH.map(|side| field.army(side).morale == 0);
        let standings = match at_zero {
            [true, true] if self.rules.both_at_zero == BothAtZero::PlayOn => return,
            [true, true] => [Standing::Drawn; 2],
            [true, false] => [Standing::Collapsed, Standing::Holds],
            [false, true] => [Standing::Holds, Standing::Collapsed],
            [false, false] => return,
        };
        field.game = Game::Over;
        for (army, standing) in field.armies.iter_mut().zip(standings) {
            army.standing = standing;
        }
        log.tell(|| {
            let sides: Vec<&str> = Side::BOTH
                .into_iter()
                .filter(|&side| at_zero[side as usize])
                .map(Side::name)
                .collect();
            Event { rule: "Morale Collapse", text: format!("{} army", sides.join(" and ")) }
        });
    }

    /// Restocks Staff Orders: one less than there are dice in the chain, up to the number of
    /// Command Dice. Those of a chain of sixes can be used at once.
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
            return log.tell(|| Event {
                rule: "Orders",
                text: "too few Command Dice are left to restock Staff Orders".to_string(),
            });
        }
        army.command = army.command.map(|left| left - chain);
        let gained = army.room_for_staff().min(chain - 1);
        *(if sixes { &mut army.staff } else { &mut army.restocked }) += gained;
        log.tell(|| Event {
            rule: "Orders",
            text: format!("{} side restocks {}", side.name(), counted(gained, "Staff Order")),
        });
    }
}
