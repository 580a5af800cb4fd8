//! The Retreat Step: Flee and Panic.

use super::battle::{Fighter, Playthrough};
use super::field::{AttackManner, Distance, UnitIndex};
use super::order::Order;
use super::rules::{Hexes, RetreatLeaves};
use super::status::Status;
use engine::process::Log;
use engine::text::counted;

impl<L: Log> Playthrough<'_, L> {
    /// Runs the Retreat Step: units flee, panic or leave the melee, and then all orders end.
    pub(super) fn retreat_step(&mut self) {
        for place in self.field.places() {
            self.leave_melee(place, RetreatLeaves::AfterMelee);
            let unit = self.field.unit(place);
            match unit.level {
                _ if !unit.present || self.battle.member(place).blocked => {}
                Status::Shaken => self.flee(place),
                Status::Panicked => self.panic(place),
                _ => {}
            }
        }
        for unit in &mut self.field.units {
            unit.order = Order::None;
            unit.assaults = None;
        }
    }

    /// Moves a Shaken unit towards its General Staff, and makes it Hesitant beside it without a
    /// test. A unit without a staff, and the General Staff itself, flee to their own edge and stop
    /// there.
    fn flee(&mut self, place: UnitIndex) {
        let Fighter { member, runs, .. } = self.battle.fighter(place);
        let rules = &self.battle.rules;
        let rate = if member.cavalry { rules.flee_hexes_cavalry } else { rules.flee_hexes };
        let no_staff = self.battle.view(self.field).has_lost_staff(place) || member.general_staff;
        self.field.disengage(place);
        let unit = self.field.unit_mut(place);
        let way = match (no_staff, unit.own_edge) {
            (false, _) => &mut unit.staff,
            (true, Some(_)) => &mut unit.own_edge,
            (true, None) => &mut unit.edge,
        };
        let moved = walk(way, rate, 1, *runs);
        let rallies = !no_staff && *way == Some(1);
        // The nearest edge is never farther than the own edge.
        unit.edge = unit.own_edge.map_or(unit.edge, |own| unit.edge.map(|edge| edge.min(own)));
        self.count_hexes(place, moved, "Flee", "flees");
        if rallies {
            self.set_level(place, Status::Hesitant, "Flee");
        }
    }

    /// Moves a Panicked unit to the nearest edge, and off the board under `panic-exit-destroys`.
    fn panic(&mut self, place: UnitIndex) {
        let Fighter { member, runs, .. } = self.battle.fighter(place);
        let rules = &self.battle.rules;
        let rate = if member.cavalry { rules.panic_hexes_cavalry } else { rules.panic_hexes };
        self.field.disengage(place);
        let edge = &mut self.field.unit_mut(place).edge;
        let moved = walk(edge, rate, if rules.panic_exit_destroys { 0 } else { 1 }, *runs);
        let left = *edge == Some(0);
        self.count_hexes(place, moved, "Panic", "panics");
        if left {
            self.end(place, Status::LeftBoard, AttackManner::Ranged);
        }
    }

    fn count_hexes(&mut self, place: UnitIndex, moved: u16, rule: &'static str, runs: &str) {
        let unit = self.field.unit_mut(place);
        unit.hexes = unit.hexes.saturating_add(moved);
        self.log.note(rule, || {
            let hexes =
                if moved == 0 { String::new() } else { format!(" {}", counted(moved, "hex")) };
            format!("{} {runs}{hexes}", self.battle.name(place))
        });
    }
}

/// Reduces a distance by a rate, down to `least`, and returns the hexes moved. An unknown distance
/// stays unknown; if `runs` is true, the unit moves the whole rate.
fn walk(way: &mut Distance, rate: Hexes, least: u8, runs: bool) -> u16 {
    let Some(hexes) = way else { return if runs { rate.count().into() } else { 0 } };
    let moved = hexes.saturating_sub(least).min(rate.count());
    *hexes -= moved;
    moved.into()
}
