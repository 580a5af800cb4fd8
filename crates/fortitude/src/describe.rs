//! Descriptions of rolls and events for the trace.

use super::battle::{Battle, Force, Reading, Terms};
use super::field::{AttackManner, Battlefield, By, Facing, Stance, Task, TestCause, UnitIndex};
use super::status::Status;
use engine::dice::Face;
use engine::process::{Event, Process as _};
use engine::text::counted;

impl Battle {
    /// Returns the name of a unit: its sort, and its slot if there are several units.
    pub(super) fn name(&self, place: UnitIndex) -> String {
        let fighter = self.fighter(place);
        let sort = fighter.member.sort.name;
        if self.fighters.len() == 1 {
            sort.to_string()
        } else {
            format!("{sort} [{}]", fighter.slot)
        }
    }

    pub(super) fn attacker(&self, by: By) -> String {
        match by {
            By::Unit(place) => self.name(place),
            By::Force(force) => match self.force(force) {
                Force::Fixed(casualties) => {
                    format!("an attack for {}", counted(casualties, "casualty"))
                }
                Force::Dice { .. } => "an attack".to_string(),
            },
        }
    }

    pub(super) fn assault_in_words(&self, by: By, at: UnitIndex, side: Facing) -> Event {
        let side = match side {
            Facing::Front => "in front",
            Facing::Flank => "on a flank",
            Facing::Rear => "in the rear",
        };
        Event {
            rule: "Assault",
            text: format!("{} assaults {} {side}", self.attacker(by), self.name(at)),
        }
    }

    pub(super) fn end_in_words(&self, place: UnitIndex, end: Status) -> Event {
        let (rule, what) = match end {
            Status::Surrendered => ("Surrender", "surrenders"),
            Status::Destroyed => ("Attack", "is destroyed"),
            _ => ("Panic", "leaves the board"),
        };
        Event { rule, text: format!("{} {what}", self.name(place)) }
    }

    pub(super) fn casualties_in_words(&self, place: UnitIndex, casualties: u8) -> Event {
        let casualties = counted(casualties, "casualty");
        Event { rule: "Attack", text: format!("{} suffers {casualties}", self.name(place)) }
    }

    pub(super) fn hits_in_words(
        &self,
        field: &Battlefield,
        by: By,
        at: UnitIndex,
        hits: u8,
        casualties: u8,
    ) -> Event {
        let hits = match hits == self.most_hits(field, by, at) {
            true => format!("{hits} or more hits"),
            false => counted(hits, "hit"),
        };
        let casualties = counted(casualties, "casualty");
        let text = format!("{hits} against Defense {}: {casualties}", self.defense(field, by, at));
        Event { rule: "Attack", text }
    }

    pub(super) fn roll_in_words(&self, field: &Battlefield, terms: &Terms, face: Face) -> Event {
        match (field.tasks.last(), terms) {
            (Some(&Task::Attack { by, at, manner, .. }), _) => {
                let (dice, value) = self.attack(field, by, at, manner);
                let how = if manner == AttackManner::Melee { "in melee with" } else { "fires at" };
                let head = format!(
                    "{} {how} {}, {} of {value}",
                    self.attacker(by),
                    self.name(at),
                    counted(dice, "die")
                );
                Event { rule: "Attack", text: format!("{head}: {}", face.d20()) }
            }
            (Some(&Task::Test { unit, check, at }), &Terms::Test { fortitude, .. }) => {
                let at = at.unwrap_or(field.unit(unit).stance());
                let sources = self.sources_in_words(field, unit, check, at);
                let result =
                    if self.read(terms, face) == Reading::Success { "passed" } else { "failed" };
                let head =
                    format!("Fortitude Test of {} at {fortitude} ({sources})", self.name(unit));
                Event { rule: check.rule(), text: format!("{head}: {}, {result}", face.d20()) }
            }
            _ => Event { rule: "", text: String::new() },
        }
    }

    fn sources_in_words(
        &self,
        field: &Battlefield,
        unit: UnitIndex,
        check: TestCause,
        at: Stance,
    ) -> String {
        let sources =
            self.fortitude_sources(field, unit, check, at).filter(|(modifier, _)| *modifier != 0);
        let words = sources.enumerate().map(|(place, (modifier, source))| match place {
            0 => format!("{source} {modifier}"),
            _ => format!("{source} {modifier:+}"),
        });
        words.collect::<Vec<_>>().join(", ")
    }
}
