//! The Retreat Step: Flee and Panic.

use super::battle::Playthrough;
use super::field::{AttackManner, UnitIndex};
use super::level::{End, Level};
use super::order::Order;
use super::rules::RetreatLeaves;
use super::unit::Distance;
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
                Level::Shaken => self.flee(place),
                Level::Panicked => self.panic(place),
                Level::Normal | Level::Hesitant => {}
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
        let rate = if self.battle.member(place).cavalry {
            self.battle.rules.flee_hexes_cavalry
        } else {
            self.battle.rules.flee_hexes
        };
        let no_staff = self.field.staff_lost[self.battle.fighter(place).army as usize]
            || self.battle.member(place).general_staff;
        let runs = self.battle.fighter(place).runs;
        self.field.disengage(place);
        let unit = self.field.unit_mut(place);
        let way = match (no_staff, unit.own_edge) {
            (false, _) => &mut unit.staff,
            (true, Some(_)) => &mut unit.own_edge,
            (true, None) => &mut unit.edge,
        };
        let moved = walk(way, rate.0, 1, runs);
        let rallies = !no_staff && *way == Some(1);
        // The nearest edge is never farther than the own edge.
        unit.edge = unit.own_edge.map_or(unit.edge, |own| unit.edge.map(|edge| edge.min(own)));
        unit.hexes = unit.hexes.saturating_add(moved);
        self.log
            .note("Flee", || format!("{} flees{}", self.battle.name(place), hexes_in_words(moved)));
        if rallies {
            self.set_level(place, Level::Hesitant, "Flee");
        }
    }

    /// Moves a Panicked unit to the nearest edge, and off the board under `panic-exit-destroys`.
    fn panic(&mut self, place: UnitIndex) {
        let rate = if self.battle.member(place).cavalry {
            self.battle.rules.panic_hexes_cavalry
        } else {
            self.battle.rules.panic_hexes
        };
        let runs = self.battle.fighter(place).runs;
        self.field.disengage(place);
        let unit = self.field.unit_mut(place);
        let moved = walk(
            &mut unit.edge,
            rate.0,
            if self.battle.rules.panic_exit_destroys { 0 } else { 1 },
            runs,
        );
        unit.hexes = unit.hexes.saturating_add(moved);
        let left = unit.edge == Some(0);
        self.log.note("Panic", || {
            format!("{} panics{}", self.battle.name(place), hexes_in_words(moved))
        });
        if left {
            self.end(place, End::LeftBoard, AttackManner::Ranged);
        }
    }
}

/// Reduces a distance by a rate, down to `least`, and returns the hexes moved. An unknown distance
/// stays unknown; if `runs` is true, the unit moves the whole rate.
fn walk(way: &mut Distance, rate: i8, least: u8, runs: bool) -> u16 {
    let rate = rate.unsigned_abs();
    let Some(hexes) = way else { return if runs { rate.into() } else { 0 } };
    let moved = hexes.saturating_sub(least).min(rate);
    *hexes -= moved;
    moved.into()
}

/// Returns the distance moved in words; empty if it is 0.
fn hexes_in_words(moved: u16) -> String {
    if moved == 0 { String::new() } else { format!(" {}", counted(moved, "hex")) }
}
