//! The Retreat Step: Flee and Panic.

use super::battle::Battle;
use super::field::{AttackManner, Battlefield, UnitIndex};
use super::level::{End, Level};
use super::order::Order;
use super::rules::RetreatLeaves;
use super::unit::Distance;
use engine::process::{Event, Log};

impl Battle {
    /// Runs the Retreat Step: units flee, panic or leave the melee, and then all orders end.
    pub(super) fn retreat_step<L: Log>(&self, field: &mut Battlefield, log: &mut L) {
        for place in field.places() {
            self.leave_melee(field, place, RetreatLeaves::AfterMelee, log);
            let unit = field.unit(place);
            match unit.level {
                _ if !unit.present || self.member(place).blocked => {}
                Level::Shaken => self.flee(field, place, log),
                Level::Panicked => self.panic(field, place, log),
                Level::Normal | Level::Hesitant => {}
            }
        }
        for unit in &mut field.units {
            unit.order = Order::None;
            unit.assaults = None;
        }
    }

    /// Moves a Shaken unit towards its General Staff, and makes it Hesitant beside it without a
    /// test. A unit without a staff, and the General Staff itself, flee to their own edge and stop
    /// there.
    fn flee<L: Log>(&self, field: &mut Battlefield, place: UnitIndex, log: &mut L) {
        let rate = if self.member(place).cavalry {
            self.rules.flee_hexes_cavalry
        } else {
            self.rules.flee_hexes
        };
        let no_staff =
            field.staff_lost[self.fighter(place).army as usize] || self.member(place).general_staff;
        let runs = self.fighter(place).runs;
        field.disengage(place);
        let unit = field.unit_mut(place);
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
        log.record(|| Event {
            rule: "Flee",
            text: format!("{} flees{}", self.name(place), hexes_in_words(moved)),
        });
        if rallies {
            self.set_level(field, place, Level::Hesitant, "Flee", log);
        }
    }

    /// Moves a Panicked unit to the nearest edge, and off the board under `panic-exit-destroys`.
    fn panic<L: Log>(&self, field: &mut Battlefield, place: UnitIndex, log: &mut L) {
        let rate = if self.member(place).cavalry {
            self.rules.panic_hexes_cavalry
        } else {
            self.rules.panic_hexes
        };
        let runs = self.fighter(place).runs;
        field.disengage(place);
        let unit = field.unit_mut(place);
        let moved =
            walk(&mut unit.edge, rate.0, if self.rules.panic_exit_destroys { 0 } else { 1 }, runs);
        unit.hexes = unit.hexes.saturating_add(moved);
        let left = unit.edge == Some(0);
        log.record(|| Event {
            rule: "Panic",
            text: format!("{} panics{}", self.name(place), hexes_in_words(moved)),
        });
        if left {
            self.end(field, place, End::LeftBoard, AttackManner::Ranged, log);
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
    match moved {
        0 => String::new(),
        1 => " 1 hex".to_string(),
        _ => format!(" {moved} hexes"),
    }
}
