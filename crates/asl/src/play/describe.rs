//! Descriptions of rolls in words, for the trace.

use super::engagement::{Engagement, PlayView};
use crate::catalogue::CounterKind;
use crate::vocabulary::{
    Condition, Fall, FireResult, HeatRoll, Task, Terms, Unit, UnitIndex, with_conditions,
};
use engine::dice::{Dr, Face};

impl Engagement {
    pub(crate) fn written(&self, unit: &Unit) -> String {
        let shown = unit.conditions.written().filter(|&condition| {
            !(condition == Condition::Broken && unit.is(Condition::Disrupted))
                && condition != Condition::Cx
        });
        let words: Vec<&str> = shown.map(Condition::name).collect();
        with_conditions(self.counter(unit).printed(), &words)
    }
}

impl PlayView<'_> {
    /// Returns the name of a unit: its counter, with its slot if there are several units.
    pub(super) fn name(self, place: UnitIndex) -> String {
        let printed = self.counter(self.unit(place)).printed();
        if self.location.units.len() == 1 {
            printed.to_string()
        } else {
            format!("{printed} [{}]", self.telling.slot(place))
        }
    }

    /// Returns the name of the leader at an index, or of the leader outside the stack for `None`.
    fn leader_name(self, leader: Option<UnitIndex>) -> String {
        match leader {
            Some(place) => self.name(place),
            None => self
                .lent_leader()
                .map_or(String::new(), |leader| self.counter(leader).printed().to_string()),
        }
    }

    /// Describes the roll of a task in words, with the rule that calls for it.
    pub(super) fn roll_in_words(
        self,
        task: Task,
        terms: &Terms,
        face: Face,
    ) -> (&'static str, String) {
        let original = Dr::from_face(face);
        let check = |what: &str, unit: UnitIndex, drm_source: &str, leader: Option<String>| {
            let (Terms::Morale(check, _) | Terms::Task(check, _)) = terms else {
                return String::new();
            };
            let (name, sources) = (self.name(unit), self.level_sources(unit));
            let roll = check.words(original.total(), drm_source, leader);
            format!("{what} of {name}: {roll}{sources}")
        };
        let with = |unit| {
            let (leader, _) = self.leader_for_check(unit)?;
            Some(format!("{}, 10.21", self.leader_name(leader)))
        };
        match (task, terms) {
            (Task::Attack, Terms::Attack(attack)) => ("7.3", attack.words(original)),
            (Task::RandomSelection { .. }, _) => {
                let rolled =
                    self.location.selection.len().checked_sub(usize::from(self.bystanders));
                let candidate = rolled.and_then(|rolled| self.location.present().nth(rolled));
                let owner = candidate.map_or("another unit".to_string(), |place| self.name(place));
                (".9", format!("Random Selection, {owner}: dr {}", face.dr()))
            }
            (Task::MoraleCheck { unit, drm }, _) => {
                let what = FireResult::MoraleCheck(drm).to_string();
                ("10.1", check(&what, unit, &what, with(unit)))
            }
            (Task::PinTaskCheck { unit }, _) => ("7.305", check("PTC", unit, "PTC", with(unit))),
            (Task::LossCheck { unit, loss }, _) => match loss.fall {
                Fall::Died => ("10.2", check("LLMC", unit, "lost leader", None)),
                Fall::Broke => ("10.2", check("LLTC", unit, "broken leader", None)),
            },
            (Task::BerserkCheck { unit, leader }, _) => {
                ("15.41", check("NTC", unit, "", Some(format!("{}, 15.41", self.name(leader)))))
            }
            (Task::Interdiction { unit, hex }, _) => {
                let leader = self.leadership_in_hex(unit).map(|(leader, _)| {
                    let rule = if leader.is_some() { "10.711" } else { "10.21" };
                    format!("{}, {rule}", self.leader_name(leader))
                });
                let hex = hex.map_or(String::new(), |hex| format!(" in hex {hex}"));
                ("10.53", check(&format!("Interdiction{hex}: NMC"), unit, "", leader))
            }
            (Task::HeatOfBattle { unit, was_broken }, Terms::Heat(roll)) => {
                ("15.1", self.heat_in_words(unit, was_broken, roll, original))
            }
            (Task::RallyAttempt { unit }, Terms::Rally(attempt)) => {
                let leader =
                    self.leader_for_rally(unit).map(|(leader, _)| self.leader_name(leader));
                let roll = attempt.words(original.total(), leader);
                let (name, sources) = (self.name(unit), self.level_sources(unit));
                ("10.6", format!("Rally attempt of {name}: {roll}{sources}"))
            }
            (Task::WoundSeverity { unit, bonus, .. }, _) => {
                let again = self.severity_drm(unit, bonus) - bonus;
                let sources = [(bonus, "Original 12, 10.31"), (again, "wounded before, 17.11")];
                let what = format!("wound severity of {}", self.name(unit));
                ("17.11", dr_in_words(&what, face, &sources))
            }
            (Task::LeaderCreation { unit }, _) => {
                let what = format!("Leader Creation of {}", self.name(unit));
                ("18.2", dr_in_words(&what, face, &self.creation_sources(unit)))
            }
            _ => ("", String::new()),
        }
    }

    /// Lists the reasons why the ML differs from the printed one: ` (Fanatic +1, Commissar +1)`.
    fn level_sources(self, place: UnitIndex) -> String {
        use crate::vocabulary::unit::Condition::{Berserk, Encircled, Fanatic, Wounded};
        let unit = self.unit(place);
        let hero = self.is_hero(unit);
        if unit.is(Berserk) {
            return " (berserk, 15.42)".to_string();
        }
        let sources = [
            ("Fanatic +1, 10.8", unit.is(Fanatic)),
            ("Commissar +1, 25.22", self.has_commissar(place)),
            ("heroic, 15.21", hero && self.counter(unit).kind != CounterKind::Hero),
            ("wounded -1, 17.3", unit.is(Wounded) && !hero),
            ("Encircled -1, 7.7", unit.is(Encircled) && !hero && self.counts_encirclement()),
        ];
        let words: Vec<&str> =
            sources.into_iter().filter(|(_, holds)| *holds).map(|(words, _)| words).collect();
        if words.is_empty() { String::new() } else { format!(" ({})", words.join("; ")) }
    }

    fn heat_in_words(
        self,
        place: UnitIndex,
        was_broken: bool,
        roll: &HeatRoll,
        original: Dr,
    ) -> String {
        let original = original.total();
        let mut words = format!("Heat of Battle for {}: Original {original}", self.name(place));
        for (source, drm) in self.heat_sources(place, was_broken) {
            words += &format!(" {drm:+} ({source})");
        }
        format!("{words} = Final {}: {}", original as i8 + roll.drm, roll.read(original).name())
    }
}

fn dr_in_words(what: &str, face: Face, sources: &[(i8, &str)]) -> String {
    let mut words = format!("{what}: dr {}", face.dr());
    for (drm, source) in sources.iter().filter(|(drm, _)| *drm != 0) {
        words += &format!(" {drm:+} ({source})");
    }
    if sources.iter().all(|(drm, _)| *drm == 0) {
        return words;
    }
    let sum: i8 = sources.iter().map(|(drm, _)| drm).sum();
    format!("{words} = {}", face.dr() as i8 + sum)
}
