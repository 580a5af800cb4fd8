//! Descriptions of rolls in words, for the trace.

use super::engagement::{Engagement, PlayView};
use crate::catalogue::CounterKind;
use crate::vocabulary::location::{Entered, Task};
use crate::vocabulary::terms::Terms;
use crate::vocabulary::unit::{Condition, Unit, UnitIndex};
use engine::dice::{Dr, Face};

impl Engagement {
    pub(crate) fn written(&self, unit: &Unit) -> String {
        let shown = unit.conditions.written().filter(|&condition| {
            !(condition == Condition::Broken && unit.is(Condition::Disrupted))
                && condition != Condition::Cx
        });
        let words: Vec<&str> = shown.map(Condition::name).collect();
        let printed = self.counter(unit).printed();
        if words.is_empty() {
            printed.to_string()
        } else {
            format!("{printed}/{}", words.join(","))
        }
    }
}

impl PlayView<'_> {
    /// Returns the name of a unit: its counter, with its slot if there are several units.
    pub(super) fn name(self, place: UnitIndex) -> String {
        let printed = self.counter(self.location.unit(place)).printed();
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
        let check =
            |what: String, unit: UnitIndex, drm_source: &str, leader: Option<String>| match terms {
                Terms::Morale(check, _) | Terms::Task(check, _) => {
                    let sources = self.level_sources(unit);
                    format!(
                        "{what} of {}: {}{sources}",
                        self.name(unit),
                        check.words(original.total(), drm_source, leader)
                    )
                }
                _ => String::new(),
            };
        let with = |unit| {
            let (leader, _) = self.leader_for_check(unit)?;
            Some(format!("{}, 10.21", self.leader_name(leader)))
        };
        match task {
            Task::Attack => match terms {
                Terms::Attack(attack) => ("7.3", attack.words(original)),
                _ => ("7.3", String::new()),
            },
            Task::RandomSelection { .. } => {
                let rolled =
                    self.location.selection.len().checked_sub(usize::from(self.bystanders));
                let candidate = rolled.and_then(|rolled| self.location.present().nth(rolled));
                let owner = candidate.map_or("another unit".to_string(), |place| self.name(place));
                (".9", format!("Random Selection, {owner}: dr {}", face.dr()))
            }
            Task::MoraleCheck { unit, drm } => {
                let what = if drm == 0 { "NMC".to_string() } else { format!("{drm}MC") };
                ("10.1", check(what.clone(), unit, &what, with(unit)))
            }
            Task::PinTaskCheck { unit } => {
                ("7.305", check("PTC".to_string(), unit, "PTC", with(unit)))
            }
            Task::LossMoraleCheck { unit, .. } => {
                ("10.2", check("LLMC".to_string(), unit, "lost leader", None))
            }
            Task::LossTaskCheck { unit, .. } => {
                ("10.2", check("LLTC".to_string(), unit, "broken leader", None))
            }
            Task::BerserkCheck { unit, leader } => (
                "15.41",
                check("NTC".to_string(), unit, "", Some(format!("{}, 15.41", self.name(leader)))),
            ),
            Task::Interdiction { unit, hex } => {
                let leader = self.leadership_in_hex(unit).map(|(leader, _)| {
                    let rule = if leader.is_some() { "10.711" } else { "10.21" };
                    format!("{}, {rule}", self.leader_name(leader))
                });
                let hex = match hex {
                    Entered::Hex(hex) => format!(" in hex {hex}"),
                    Entered::OnMap => String::new(),
                };
                ("10.53", check(format!("Interdiction{hex}: NMC"), unit, "", leader))
            }
            Task::HeatOfBattle { unit, was_broken } => {
                ("15.1", self.heat_in_words(unit, was_broken, terms, original))
            }
            Task::RallyAttempt { unit } => {
                let leader =
                    self.leader_for_rally(unit).map(|leader| self.leader_name(leader.place));
                let words = match terms {
                    Terms::Rally(attempt) => attempt.words(original.total(), leader),
                    _ => String::new(),
                };
                (
                    "10.6",
                    format!(
                        "Rally attempt of {}: {words}{}",
                        self.name(unit),
                        self.level_sources(unit)
                    ),
                )
            }
            Task::WoundSeverity { unit, bonus, .. } => {
                ("17.11", self.severity_in_words(unit, bonus, face))
            }
            Task::LeaderCreation { unit } => ("18.2", self.creation_in_words(unit, face)),
            _ => ("", String::new()),
        }
    }

    /// Lists the reasons why the ML differs from the printed one: ` (Fanatic +1, Commissar +1)`.
    fn level_sources(self, place: UnitIndex) -> String {
        use crate::vocabulary::unit::Condition::{Berserk, Encircled, Fanatic, Wounded};
        let unit = self.location.unit(place);
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
        sourced(sources.into_iter().filter(|(_, holds)| *holds).map(|(words, _)| words.to_string()))
    }

    fn heat_in_words(
        self,
        place: UnitIndex,
        was_broken: bool,
        terms: &Terms,
        original: Dr,
    ) -> String {
        let mut words =
            format!("Heat of Battle for {}: Original {}", self.name(place), original.total());
        for (source, drm) in self.heat_sources(place, was_broken) {
            words += &format!(" {drm:+} ({source})");
        }
        if let Terms::Heat(roll) = terms {
            words += &format!(
                " = Final {}: {}",
                original.total() as i8 + roll.drm,
                roll.read(original.total())
            );
        }
        words
    }

    fn severity_in_words(self, place: UnitIndex, bonus: i8, face: Face) -> String {
        let again = self.severity_drm(place, bonus) - bonus;
        let sources = [(bonus, "Original 12, 10.31"), (again, "wounded before, 17.11")];
        dr_in_words(&format!("wound severity of {}", self.name(place)), face, &sources)
    }

    fn creation_in_words(self, place: UnitIndex, face: Face) -> String {
        dr_in_words(
            &format!("Leader Creation of {}", self.name(place)),
            face,
            &self.creation_sources(place),
        )
    }
}

fn dr_in_words(what: &str, face: Face, sources: &[(i8, &str)]) -> String {
    let mut words = format!("{what}: dr {}", face.dr());
    let mut sum = 0;
    for (drm, source) in sources.iter().filter(|(drm, _)| *drm != 0) {
        words += &format!(" {drm:+} ({source})");
        sum += drm;
    }
    if sources.iter().any(|(drm, _)| *drm != 0) {
        words + &format!(" = {}", face.dr() as i8 + sum)
    } else {
        words
    }
}

fn sourced(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join("; ")) }
}
