//! Descriptions of rolls in words, for the trace, and of the results that first rolls need.

use super::engagement::{Engagement, PlayView};
use crate::catalogue::CounterKind;
use crate::sequence::Action;
use crate::stack::Slots;
use crate::vocabulary::{
    Attack, Cause, Condition, DM_DRM, Fall, FireResult, HeatRoll, LocationState, Means,
    RallyAttempt, Reading, SELF_RALLY_DRM, Stage, Task, Terms, Unit, UnitIndex, Verdict,
};
use engine::dice::{Dr, Face};
use engine::process::{Process as _, Silent};
use schema::roster::{condition, written};

impl Engagement {
    pub(crate) fn written(&self, unit: &Unit) -> String {
        let shown = unit.conditions.written().filter(|&condition| {
            !(condition == Condition::Broken && unit.is(Condition::Disrupted))
                && condition != Condition::Cx
        });
        let shown = shown.map(|word| condition(word.name(), true));
        written(self.counter(unit).printed(), shown)
    }

    /// Returns a sentence for each kind of unit that rolls: its Morale Level (10.1) and the highest
    /// DR that succeeds, never 12 in a MC (10.31) or Rally attempt (10.64). A squad that routs or
    /// rallies has one for its half-squad too.
    pub(crate) fn needs(&self, action: &Action) -> Vec<String> {
        let location = self.start(&mut Silent);
        let mut needs: Vec<String> = Vec::new();
        for place in location.places() {
            let Some(need) = self.view(&location).need(place, action) else { continue };
            let reduced = self.view(&location).reduced(place);
            let reduced = reduced.filter(|_| !matches!(action, Action::Single(_)));
            let reduced = reduced.and_then(|reduced| self.view(&reduced).need(place, action));
            for need in [Some(need), reduced].into_iter().flatten() {
                if !needs.contains(&need) {
                    needs.push(need);
                }
            }
        }
        needs
    }
}

impl PlayView<'_> {
    /// Returns the name of a unit: its counter, with its slot if there are several units.
    pub(crate) fn name(self, place: UnitIndex) -> String {
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
            (Task::Attack, Terms::Volley) => ("7.3", self.volley_in_words(original)),
            (Task::Attack, Terms::Shot { .. }) => ("7.3", self.shot_in_words(original)),
            (Task::FirerSelection { selection, original }, _) => {
                (".9", self.firer_dr_in_words(selection, original, face))
            }
            (Task::RandomSelection { classes, .. }, _) => {
                let rolled =
                    self.location.selection.len().checked_sub(usize::from(self.bystanders));
                let candidate = rolled.and_then(|rolled| self.candidates(classes).nth(rolled));
                let owner = candidate.map_or("another unit".to_string(), |place| self.name(place));
                (".9", format!("Random Selection, {owner}: dr {}", face.number()))
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
            (Task::Concealment { unit }, Terms::Concealment(highest)) => {
                let (name, number) = (self.name(unit), face.number());
                ("12.122", format!("{name} conceals itself on {highest} or less: dr {number}"))
            }
            (task, _) => self.sniper_dr_in_words(task, face),
        }
    }

    /// Describes the roll of a task of a Sniper.
    fn sniper_dr_in_words(self, task: Task, face: Face) -> (&'static str, String) {
        let number = face.number();
        match task {
            Task::SniperShare { .. } => {
                let dr = Dr::from_face(face);
                let rolled = format!("{},{}", dr.coloured(), dr.white());
                ("14.2", format!("where the Sniper strikes: DR {rolled}"))
            }
            Task::SniperDr { .. } => ("14.2", format!("Sniper dr {number}")),
            Task::SniperSelection { inside, .. } => {
                (".9", format!("Random Selection, {}: dr {number}", self.next_candidate(inside)))
            }
            Task::SniperTie { .. } => ("14.2", "choice among tied units".to_string()),
            Task::SniperCheck => {
                let (dr, drm) = (Dr::from_face(face).total(), self.search_drm());
                let total = dr as i8 + drm;
                ("14.4", format!("Sniper Check: Original {dr} {drm:+} = Final {total}"))
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

    /// Returns the attack on each class of targets (A.5) in words.
    fn volley_in_words(self, original: Dr) -> String {
        let Some(Stage::FireAtClasses(classes)) = self.stage() else { return String::new() };
        let words =
            |(slots, attack): &(Slots, Attack)| format!("at {slots}: {}", attack.words(original));
        classes.iter().map(words).collect::<Vec<_>>().join("; ")
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

    fn reduced(self, place: UnitIndex) -> Option<LocationState> {
        let half_squad = self.counter(self.unit(place)).half_squad?;
        let mut reduced = self.location.clone();
        reduced.unit_mut(place).counter = half_squad;
        Some(reduced)
    }

    fn need(self, place: UnitIndex, action: &Action) -> Option<String> {
        let unit = self.unit(place);
        let broken = unit.is(Condition::Broken);
        let name = self.counter(unit).printed();
        let side = if broken { "broken Morale Level" } else { "Morale Level" };
        let (what, drm, cause) = match action {
            _ if unit.is(Condition::Berserk) => return None,
            Action::Rally(_) if broken => return Some(self.need_to_rally(place)),
            Action::Single(Stage::MoraleCheck { drm }) if !broken => ("", *drm, Cause::Attack),
            Action::Single(Stage::PinTaskCheck) if !broken => ("", 0, Cause::Attack),
            Action::Single(Stage::Fire(_) | Stage::Shot { .. }) | Action::Attack(_) => {
                (" a NMC", 0, Cause::Attack)
            }
            Action::Interdict(_) if broken => (" a NMC of Interdiction", 0, Cause::Interdiction),
            _ => return None,
        };
        let check = self.morale_check(place, drm, cause);
        let mut terms = format!("{side} {}", check.level);
        if check.drm != 0 {
            terms += &format!(", {:+}", check.drm);
        }
        if check.leadership != 0 {
            terms += &format!(", leader {:+}", check.leadership);
        }
        let read = |original: u8| match action {
            Action::Single(Stage::PinTaskCheck) => check.task_check(original, self.rulebook),
            _ => check.morale_check(original, self.rulebook),
        };
        let passes =
            |original: &u8| matches!(read(*original).verdict, Verdict::Passed | Verdict::Pinned);
        Some(match highest(passes) {
            Some(number) => format!("{name} passes{what} on {number} or less ({terms})."),
            None => format!("{name} cannot pass{what}{} ({terms}).", but_heated(read(2))),
        })
    }

    fn need_to_rally(self, place: UnitIndex) -> String {
        let name = self.counter(self.unit(place)).printed();
        let attempt = self.rally_attempt(place);
        if self.means(place).is_none() {
            return format!("{name} cannot try to rally at first.");
        }
        let mut terms = format!("broken Morale Level {}", attempt.level);
        terms += &match attempt.means {
            Means::Led { leadership } => format!(", leader {leadership:+}"),
            Means::CommissarLed { leadership } => format!(", Commissar {leadership:+}"),
            Means::SelfRally | Means::FirstSelfRally { .. } => {
                format!(", Self-Rally {SELF_RALLY_DRM:+}")
            }
        };
        if attempt.dm {
            terms += &format!(", DM {DM_DRM:+}");
        }
        if attempt.terrain != 0 {
            terms += &format!(", terrain {:+}", attempt.terrain);
        }
        let rallies = |attempt: RallyAttempt| {
            move |original: &u8| matches!(attempt.read(*original).verdict, Verdict::Rallied { .. })
        };
        let first = highest(rallies(attempt));
        // DM is removed at the end of the phase (10.62).
        let without =
            match attempt.dm.then(|| highest(rallies(RallyAttempt { dm: false, ..attempt }))) {
                Some(Some(without)) => format!(", without DM on {without}"),
                _ => String::new(),
            };
        match first {
            Some(first) => format!("{name} rallies on {first} or less{without} ({terms})."),
            None => {
                let under_dm = if attempt.dm { " under DM" } else { "" };
                let but = but_heated(attempt.read(2));
                format!("{name} cannot rally{under_dm}{but}{without} ({terms}).")
            }
        }
    }
}

fn dr_in_words(what: &str, face: Face, sources: &[(i8, &str)]) -> String {
    let mut words = format!("{what}: dr {}", face.number());
    for (drm, source) in sources.iter().filter(|(drm, _)| *drm != 0) {
        words += &format!(" {drm:+} ({source})");
    }
    if sources.iter().all(|(drm, _)| *drm == 0) {
        return words;
    }
    let sum: i8 = sources.iter().map(|(drm, _)| drm).sum();
    format!("{words} = {}", face.number() as i8 + sum)
}

fn highest(will_do: impl Fn(&u8) -> bool) -> Option<u8> {
    (2..=12).rev().find(will_do)
}

/// Returns the words for Heat of Battle where only an Original 2 can still help (15.1).
fn but_heated(reading: Reading) -> &'static str {
    if reading.heats { " but by Heat of Battle" } else { "" }
}
