//! Descriptions of units and rolls for the trace.

use super::battle::{Battle, Force, Terms, View};
use super::field::{Attack, AttackManner, By, Task, Test, UnitIndex};
use engine::dice::Face;
use engine::process::{Event, Process as _};
use engine::text::counted;

impl Battle {
    /// Returns the name of a unit: its sort, and its slot if there are several units.
    pub(super) fn name(&self, place: UnitIndex) -> String {
        let fighter = self.fighter(place);
        let sort = fighter.member.sort.name;
        match self.fighters.len() {
            1 => sort.to_string(),
            _ => format!("{sort} [{}]", fighter.slot),
        }
    }

    pub(super) fn attacker(&self, by: By) -> String {
        match by {
            By::Unit(place) => self.name(place),
            By::Force(force) => match self.force(force) {
                Force::Dice { .. } => "an attack".to_string(),
                Force::Fixed(casualties) => {
                    format!("an attack for {}", counted(casualties, "casualty"))
                }
            },
        }
    }
}

impl View<'_> {
    pub(super) fn roll_in_words(self, terms: &Terms, face: Face) -> Event {
        let (battle, number) = (self.battle, face.number());
        match self.field.tasks.last() {
            Some(&Task::Attack(Attack { by, at, manner, .. })) => {
                let (dice, value) = self.dice(by, at, manner);
                let how = if manner == AttackManner::Melee { "in melee with" } else { "fires at" };
                let (by, at, dice) = (battle.attacker(by), battle.name(at), counted(dice, "die"));
                let text = format!("{by} {how} {at}, {dice} of {value}: {number}");
                Event { rule: "Attack", text }
            }
            Some(&Task::Test(test)) => {
                let (fortitude, sources) = (self.fortitude(test), self.sources_in_words(test));
                let result = if battle.read(terms, face) { "passed" } else { "failed" };
                let name = battle.name(test.unit);
                let head = format!("Fortitude Test of {name} at {fortitude} ({sources})");
                Event { rule: test.cause.rule(), text: format!("{head}: {number}, {result}") }
            }
            _ => Event { rule: "", text: String::new() },
        }
    }

    /// Returns the modifiers of a test that are not 0, such as `base 10, Shaken -2`.
    fn sources_in_words(self, test: Test) -> String {
        let sources = self.fortitude_sources(test).into_iter();
        let words = sources.filter(|(modifier, _)| *modifier != 0).enumerate().map(
            |(place, (modifier, source))| match place {
                0 => format!("{source} {modifier}"),
                _ => format!("{source} {modifier:+}"),
            },
        );
        words.collect::<Vec<_>>().join(", ")
    }
}
