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
            let runs = unit.present && unit.level.is_routed();
            if runs && !self.battle.member(place).blocked {
                self.run(place, unit.level == Status::Panicked);
            }
        }
        for unit in &mut self.field.units {
            unit.order = Order::None;
            unit.assaults = None;
        }
    }

    /// Moves a routed unit. A Shaken unit becomes Hesitant beside its General Staff without a test.
    /// Without a staff it flees to its own edge and stops there, as the General Staff itself does.
    fn run(&mut self, place: UnitIndex, panics: bool) {
        let Fighter { member, runs, .. } = self.battle.fighter(place);
        let rules = &self.battle.rules;
        let (rule, verb, rate) = match (panics, member.cavalry) {
            (false, false) => ("Flee", "flees", rules.flee_hexes),
            (false, true) => ("Flee", "flees", rules.flee_hexes_cavalry),
            (true, false) => ("Panic", "panics", rules.panic_hexes),
            (true, true) => ("Panic", "panics", rules.panic_hexes_cavalry),
        };
        let no_staff = self.battle.view(self.field).has_lost_staff(place) || member.general_staff;
        self.field.disengage(place);
        let unit = self.field.unit_mut(place);
        let way = match unit.own_edge {
            _ if !panics && !no_staff => &mut unit.staff,
            Some(_) if !panics => &mut unit.own_edge,
            _ => &mut unit.edge,
        };
        let leaves = panics && rules.panic_exit_destroys;
        let least = if leaves { 0 } else { 1 };
        let moved = walk(way, rate, least, *runs);
        let arrives = *way == Some(least);
        // The nearest edge is never farther than the own edge.
        unit.edge = unit.own_edge.map_or(unit.edge, |own| unit.edge.map(|edge| edge.min(own)));
        unit.hexes = unit.hexes.saturating_add(moved);
        self.log.note(rule, || {
            let hexes =
                if moved == 0 { String::new() } else { format!(" {}", counted(moved, "hex")) };
            format!("{} {verb}{hexes}", self.battle.name(place))
        });
        if arrives && leaves {
            self.end(place, Status::LeftBoard, AttackManner::Ranged);
        } else if arrives && !panics && !no_staff {
            self.set_level(place, Status::Hesitant, rule);
        }
    }
}

/// Reduces a distance, if it is known, by a rate, and returns the hexes moved.
fn walk(way: &mut Distance, rate: Hexes, least: u8, runs: bool) -> u16 {
    let Some(hexes) = way else { return if runs { rate.count().into() } else { 0 } };
    let moved = hexes.saturating_sub(least).min(rate.count());
    *hexes -= moved;
    moved.into()
}
