//! An attack on the Infantry Fire Table (7.3 - 7.305, 7.9 Cowering), and Random Selection (A.9).

use std::sync::LazyLock;

use super::engagement::{Engagement, Stage};
use super::leader_loss::Standing;
use super::location::{Fall, Location, Place, Strike, Task};
use crate::dice::Dr;
use crate::process::{Event, Log};

/// A result of the Infantry Fire Table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FireResult {
    NoEffect,
    /// 7.305.
    PinTaskCheck,
    /// 7.303, 7.304: 0 is a NMC.
    MoraleCheck(i8),
    /// 7.302: one unit is Reduced, then all take this MC.
    Casualties(i8),
    /// 7.301: so many are eliminated, the others break.
    Kills(u8),
}

impl FireResult {
    fn read(text: &str) -> Option<FireResult> {
        let number = |text: &str| text.parse().ok();
        Some(match text {
            "-" => FireResult::NoEffect,
            "PTC" => FireResult::PinTaskCheck,
            "NMC" => FireResult::MoraleCheck(0),
            _ if text.starts_with("K/") => FireResult::Casualties(number(&text[2..])?),
            _ if text.ends_with("KIA") => FireResult::Kills(number(text.trim_end_matches("KIA"))? as u8),
            _ => FireResult::MoraleCheck(number(text.trim_end_matches("MC"))?),
        })
    }

    /// Whether it is at least a NMC, so that broken units gain DM (10.62).
    fn checks_morale(self) -> bool {
        !matches!(self, FireResult::NoEffect | FireResult::PinTaskCheck)
    }
}

impl std::fmt::Display for FireResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FireResult::NoEffect => f.write_str("no effect"),
            FireResult::PinTaskCheck => f.write_str("PTC"),
            FireResult::MoraleCheck(0) => f.write_str("NMC"),
            FireResult::MoraleCheck(drm) => write!(f, "{drm}MC"),
            FireResult::Casualties(drm) => write!(f, "K/{drm}"),
            FireResult::Kills(count) => write!(f, "{count}KIA"),
        }
    }
}

/// 7.3: the table. Its columns by FP, and a row of results for each Final DR from 0 to 15.
struct FireTable {
    firepower: Vec<u16>,
    results: Vec<Vec<FireResult>>,
}

/// Read from the embedded file; a test reads it too, so a bad cell cannot reach a user.
static TABLE: LazyLock<FireTable> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(include_str!("ift.csv").as_bytes());
    let headings = reader.headers().expect("ift.csv has headings").clone();
    let firepower = headings.iter().skip(1).map(|heading| heading[2..].parse().expect("a column of ift.csv is named by its FP"));
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.expect("ift.csv is well formed");
        let result = |text| FireResult::read(text).unwrap_or_else(|| panic!("ift.csv has no result `{text}`"));
        record.iter().skip(1).map(result).collect()
    };
    FireTable { firepower: firepower.collect(), results: reader.records().map(row).collect() }
});

/// 7.3: an attack: its column, DRM and how many columns Cowering costs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    pub firepower: u16,
    pub drm: i8,
    /// 7.9: columns lost on an Original doubles: 1, for Inexperienced firers (19.3) 2, for those who do not Cower 0.
    pub cowering: u8,
}

impl Attack {
    /// 7.3: the result of an Original DR. The column is the highest not above the FP; a Final DR below 0 reads as 0. 7.9: on an
    /// Original doubles it shifts left, and left of the first there is no effect.
    pub fn result(&self, original: Dr) -> FireResult {
        let table = &*TABLE;
        let column = table.firepower.iter().rposition(|&firepower| firepower <= self.firepower);
        let shift = if original.coloured() == original.white() { usize::from(self.cowering) } else { 0 };
        let Some(column) = column.and_then(|column| column.checked_sub(shift)) else { return FireResult::NoEffect };
        let row = (original.total() as i8 + self.drm).max(0) as usize;
        table.results.get(row).map_or(FireResult::NoEffect, |results| results[column])
    }

    /// The attack's DR in words.
    pub(super) fn words(&self, original: Dr) -> String {
        let cowers = self.cowering > 0 && original.coloured() == original.white();
        let drm =
            if self.drm == 0 { String::new() } else { format!(" {:+} = Final {}", self.drm, original.total() as i8 + self.drm) };
        let cowers = if cowers {
            format!(", Cowering ({} left, 7.9)", if self.cowering == 1 { "1 column" } else { "2 columns" })
        } else {
            String::new()
        };
        format!("attack of {} FP: Original {}{drm}{cowers}: {}", self.firepower, original.total(), self.result(original))
    }
}

impl Engagement {
    /// 7.3: an attack begins. 10.62: broken units gain DM if it could give at least a NMC, Cowering counted.
    pub(super) fn begin_attack(&self, location: &mut Location, attack: &Attack) {
        if Dr::ALL.iter().any(|&original| attack.result(original).checks_morale()) {
            self.gain_dm(location);
        }
        location.push(Task::Attack);
    }

    /// Carries out the result of an attack.
    pub(super) fn resolve_attack<L: Log>(&self, location: &mut Location, result: FireResult, log: &mut L) {
        let targets = location.present().count() + usize::from(self.bystanders);
        match result {
            FireResult::NoEffect => {}
            FireResult::PinTaskCheck => self.call_for_pin_task_checks(location),
            FireResult::MoraleCheck(drm) => self.call_for_morale_checks(location, drm),
            FireResult::Casualties(drm) => {
                self.call_for_morale_checks(location, drm);
                self.select(location, 1, false, targets, log);
            }
            FireResult::Kills(count) => {
                location.push(Task::LeaderLosses);
                self.select(location, count, true, targets, log);
            }
        }
    }

    /// 7.303, 7.304: puts a MC of every unit on the agenda, and then the losses of leaders.
    pub(super) fn call_for_morale_checks(&self, location: &mut Location, drm: i8) {
        location.push(Task::LeaderLosses);
        for unit in self.checking_order(location).into_iter().rev() {
            location.push(Task::MoraleCheck { unit, drm });
        }
    }

    /// 7.305: puts a PTC of every unit on the agenda.
    pub(super) fn call_for_pin_task_checks(&self, location: &mut Location) {
        for unit in self.checking_order(location).into_iter().rev() {
            location.push(Task::PinTaskCheck { unit });
        }
    }

    /// A.9: a Random Selection; where all are wanted no dr is needed.
    fn select<L: Log>(&self, location: &mut Location, count: u8, kia: bool, targets: usize, log: &mut L) {
        if usize::from(count) >= targets {
            location.selection.resize(targets, 1);
            self.strike_selected(location, kia, log);
        } else {
            location.push(Task::RandomSelection { count, kia });
        }
    }

    /// A.9: the dr of the next candidate. The `count` highest are selected, with every tie for the last place; who is out of it is
    /// forgotten, so that sequences merge. Units of the stack that this process leaves out roll first, and are nobody in particular.
    pub(super) fn resolve_selection<L: Log>(&self, location: &mut Location, count: u8, kia: bool, dr: u8, log: &mut L) {
        location.selection.push(dr);
        let drs = location.selection.clone();
        for own in location.selection.iter_mut() {
            if drs.iter().filter(|&&other| other > *own).count() >= usize::from(count) {
                *own = 0;
            }
        }
        let bystanders = usize::from(self.bystanders).min(drs.len());
        location.selection[..bystanders].sort_unstable();
        if drs.len() < usize::from(self.bystanders) + location.present().count() {
            location.push(Task::RandomSelection { count, kia });
        } else {
            self.strike_selected(location, kia, log);
        }
    }

    /// 7.301, 7.302: puts what happens to the selected units, and in a KIA to the others, on the agenda, in stack order. A K result
    /// takes the place of the MC of an SMC.
    fn strike_selected<L: Log>(&self, location: &mut Location, kia: bool, log: &mut L) {
        let drs = std::mem::take(&mut location.selection);
        let own = drs.into_iter().skip(usize::from(self.bystanders));
        let candidates: Vec<(Place, bool)> = location.present().zip(own).map(|(place, dr)| (place, dr > 0)).collect();
        log.tell(|| {
            let names: Vec<String> =
                candidates.iter().filter(|(_, hit)| *hit).map(|&(place, _)| self.name(location, place)).collect();
            let rule = if kia { "7.301" } else { "7.302" };
            Event { rule, text: format!("Random Selection: {}", names.join(", ")) }
        });
        for &(unit, hit) in candidates.iter().rev() {
            let how = match (kia, hit) {
                (true, true) => Strike::Eliminated,
                (true, false) => Strike::Broken,
                (false, true) => Strike::Reduced,
                (false, false) => continue,
            };
            if how == Strike::Reduced && self.counter(location.unit(unit)).kind.is_smc() {
                location.agenda.retain(|task| !matches!(task, Task::MoraleCheck { unit: other, .. } if *other == unit));
            }
            location.push(Task::Struck { unit, how, level: self.morale_level(location, unit) });
        }
    }

    /// 7.301, 7.302: what strikes one unit. A unit that cannot break is Reduced instead; no DR, so no ELR failure. I-5: all are struck
    /// at once, so leaders are compared by their ML before any was.
    pub(super) fn strike<L: Log>(&self, location: &mut Location, place: Place, how: Strike, level: i8, log: &mut L) {
        let unit = location.unit(place);
        let standing = Standing { level, ..self.standing(location, place) };
        match how {
            Strike::Eliminated => self.lose_as(location, place, standing, "7.301", log),
            Strike::Broken if unit.can_break() && !self.is_hero(unit) => {
                self.break_unit(location, place, log);
                self.note_fall(location, place, Fall::Broke, standing);
            }
            Strike::Broken | Strike::Reduced => self.reduce(location, place, standing, log),
        }
    }

    /// The attack of the stage being worked through.
    pub(super) fn attack(&self, location: &Location) -> Option<&Attack> {
        match self.stage(location) {
            Some(Stage::Fire(attack)) => Some(attack),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(firepower: u16, drm: i8, cowering: u8, coloured: u8, white: u8) -> String {
        Attack { firepower, drm, cowering }.result(Dr::new(coloured, white).unwrap()).to_string()
    }

    /// 7.3: columns by FP, DRM, and what lies beyond the table's edges.
    #[test]
    fn the_infantry_fire_table() {
        assert_eq!(TABLE.firepower, [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36]);
        assert_eq!((TABLE.results.len(), TABLE.results.iter().all(|row| row.len() == 11)), (16, true));
        for (firepower, drm, coloured, white, expected) in [
            (8, 0, 3, 4, "1MC"),
            (8, 1, 3, 4, "NMC"),
            (11, 1, 3, 4, "NMC"),
            (12, 1, 3, 4, "1MC"),
            (4, 0, 3, 4, "PTC"),
            (4, 2, 3, 4, "no effect"),
            (1, 0, 1, 2, "1MC"),
            (36, -9, 1, 2, "7KIA"),
            (500, 10, 3, 2, "PTC"),
            (500, 11, 3, 2, "no effect"),
            (6, -1, 3, 1, "K/2"),
            (0, 0, 1, 2, "no effect"),
        ] {
            assert_eq!(result(firepower, drm, 0, coloured, white), expected, "{firepower} FP {drm:+} on {coloured},{white}");
        }
    }

    /// 7.9: doubles cost one column, Inexperienced firers two; left of the first there is no effect.
    #[test]
    fn cowering() {
        assert_eq!(result(8, 0, 0, 3, 3), "1MC");
        assert_eq!(result(8, 0, 1, 3, 3), "1MC");
        assert_eq!(result(8, 0, 1, 2, 2), "2MC");
        assert_eq!(result(8, 0, 2, 2, 2), "1MC");
        assert_eq!(result(8, 0, 2, 1, 3), "2MC");
        assert_eq!(result(1, 0, 1, 1, 1), "no effect");
        assert_eq!(result(2, 0, 1, 1, 1), "1MC");
        assert_eq!(result(2, 0, 2, 1, 1), "no effect");
    }
}
