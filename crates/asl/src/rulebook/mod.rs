//! The interpretations: points on which the rules leave room, or on which editions differ. Each is
//! a switch with a default and an alternative value. I-14 is the interpretation with the id `i14`.

mod switches;

pub use self::switches::{INTERPRETATIONS, Interpretation, Switch};
use crate::board::terrain::{RallyBonus, Terrain};
use engine::text::{Fault, canonical};
use schema::declared::named;
use schema::form;

named! {
    /// An edition of the rules: a value for each switch.
    #[derive(Default)]
    pub enum Profile {
        /// The third edition of the rules, the current one.
        #[default]
        AslV3 = "asl-v3",
        /// The second edition.
        AslV2 = "asl-v2",
        /// The Starter Kit.
        AslSk = "aslsk",
    }
}

/// Further names of the profiles: `SK`, and the modules of the Starter Kit.
const PROFILES: [(&str, Profile); 3] = [
    ("asl v3", Profile::AslV3),
    ("v2", Profile::AslV2),
    ("sk asl-sk starter-kit aslsk1 aslsk2 aslsk3", Profile::AslSk),
];

impl Profile {
    /// Returns the name of the edition in a sentence.
    pub fn edition(self) -> &'static str {
        match self {
            Profile::AslV3 => "ASL v3",
            Profile::AslV2 => "ASL v2",
            Profile::AslSk => "ASL Starter Kit",
        }
    }

    /// Returns the profile with a name, in any case.
    ///
    /// # Errors
    ///
    /// Fails if no profile has this name.
    pub fn named(text: &str) -> Result<Profile, Fault> {
        let word = canonical(text).replace(' ', "-");
        let alias = PROFILES.iter().find(|(words, _)| words.split(' ').any(|known| known == word));
        let name = alias.map_or(text, |(_, profile)| profile.name());
        form::named(name, Profile::ALL.map(|one| (one.name(), one)), "no profile is called")
    }
}

/// A set of switches, with one bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct SwitchSet([u64; SwitchSet::WORDS]);

impl SwitchSet {
    const BITS: usize = u64::BITS as usize;
    const WORDS: usize = INTERPRETATIONS.len().div_ceil(SwitchSet::BITS);

    /// Returns the set of the switches that satisfy a condition.
    fn that(holds: impl Fn(&Interpretation) -> bool) -> SwitchSet {
        let mut set = SwitchSet::default();
        for one in INTERPRETATIONS.iter().filter(|one| holds(one)) {
            set.set(one.switch, true);
        }
        set
    }

    /// Returns the set of the switches of a question.
    fn of_question(id: &str) -> SwitchSet {
        SwitchSet::that(|interpretation| interpretation.id == id)
    }

    #[inline]
    const fn has(self, switch: Switch) -> bool {
        let place = switch as usize;
        self.0[place / SwitchSet::BITS] >> (place % SwitchSet::BITS) & 1 == 1
    }

    fn set(&mut self, switch: Switch, value: bool) {
        let place = switch as usize;
        let bit = 1 << (place % SwitchSet::BITS);
        let word = &mut self.0[place / SwitchSet::BITS];
        *word = if value { *word | bit } else { *word & !bit };
    }

    fn without(self, others: SwitchSet) -> SwitchSet {
        let mut words = self.0;
        words.iter_mut().zip(others.0).for_each(|(word, other)| *word &= !other);
        SwitchSet(words)
    }
}

/// A value for every switch: the values of a profile, with the user's changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rulebook {
    profile: Profile,
    alternatives: SwitchSet,
}

impl Rulebook {
    /// Returns the rulebook of a profile without changes.
    pub fn from_profile(profile: Profile) -> Rulebook {
        Rulebook { profile, alternatives: SwitchSet::that(|one| one.profiles.contains(&profile)) }
    }

    /// Returns the profile whose values the rulebook started from.
    pub const fn profile(self) -> Profile {
        self.profile
    }

    /// Returns whether the alternative of a switch is in force.
    #[inline]
    pub const fn chooses(self, switch: Switch) -> bool {
        self.alternatives.has(switch)
    }

    /// Returns whether Heat of Battle (15.1) is played: `wanted` by the user, and in the edition.
    #[inline]
    pub const fn plays_heat_of_battle(self, wanted: bool) -> bool {
        wanted && !self.chooses(Switch::NoHeatOfBattle)
    }

    /// Returns whether the terrain gives the -1 DRM to rally (10.61, interpretation I-16).
    pub fn gives_rally_bonus(self, terrain: &Terrain) -> bool {
        match terrain.rally_bonus {
            RallyBonus::Yes => true,
            RallyBonus::No => false,
            RallyBonus::Rubble => self.chooses(Switch::RubbleHelpsRally),
            RallyBonus::LightWoods => !self.chooses(Switch::LightWoodsNoHelp),
        }
    }

    /// Returns the value in force for the question of a switch, whichever switch has set it.
    pub fn value(self, switch: Switch) -> &'static str {
        self.value_and_answer(switch).0
    }

    /// Returns the value in force for the question of a switch, and the answer it stands for.
    pub(crate) fn value_and_answer(self, switch: Switch) -> (&'static str, &'static str) {
        let question = &INTERPRETATIONS[switch as usize];
        INTERPRETATIONS
            .iter()
            .find(|reading| reading.id == question.id && self.chooses(reading.switch))
            .map_or((question.values[0], question.default), |reading| {
                (reading.values[1], reading.alternative)
            })
    }

    /// Returns a copy with one switch at its other value, and the others of its question off.
    pub fn flipped(self, switch: Switch) -> Rulebook {
        let of_question = SwitchSet::of_question(INTERPRETATIONS[switch as usize].id);
        let mut alternatives = self.alternatives.without(of_question);
        alternatives.set(switch, !self.chooses(switch));
        Rulebook { alternatives, ..self }
    }

    /// Returns the first switch of a question, if it exists. `i01`, `I-1` and `i1` are equal.
    pub fn find(id: &str) -> Option<&'static Interpretation> {
        let id = canonical(id);
        let known =
            |id: &str| INTERPRETATIONS.iter().find(|interpretation| interpretation.id == id);
        if let Some(interpretation) = known(&id) {
            return Some(interpretation);
        }
        let rest = id.strip_prefix("i-").or_else(|| id.strip_prefix('i'))?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u32 = rest[..digits].parse().ok()?;
        known(&format!("i{number:02}{}", &rest[digits..]))
    }

    /// Returns the names of all questions, in order.
    pub fn ids() -> Vec<&'static str> {
        let mut ids: Vec<&str> = INTERPRETATIONS.iter().map(|reading| reading.id).collect();
        ids.dedup();
        ids
    }

    pub(crate) fn unknown(name: &str) -> Fault {
        let fault = Fault::new(format!("no interpretation is called `{name}`"), 0..name.len());
        fault.expecting(name, Rulebook::ids())
    }

    /// Returns all switches of the question `id`, or of all questions without `id`.
    ///
    /// # Errors
    ///
    /// Fails if no question has this name.
    pub fn readings(id: Option<&str>) -> Result<Vec<&'static Interpretation>, Fault> {
        let Some(id) = id else { return Ok(INTERPRETATIONS.iter().collect()) };
        let known = Rulebook::find(id).ok_or_else(|| Rulebook::unknown(id))?;
        Ok(INTERPRETATIONS.iter().filter(|interpretation| interpretation.id == known.id).collect())
    }

    /// Sets the value of the question `id`.
    ///
    /// # Errors
    ///
    /// Fails if no question has this name, or if the question has no such value.
    pub fn set(&mut self, id: &str, value: &str) -> Result<(), Fault> {
        let readings = Rulebook::readings(Some(id))?;
        let Interpretation { id, values: [default, _], .. } = readings[0];
        let word = canonical(value);
        let chosen = readings
            .iter()
            .find(|reading| reading.values[1] == word || reading.also == Some(&word))
            .map(|reading| reading.switch);
        if chosen.is_none() && word != *default && word != "default" {
            let fault = Fault::new(format!("`{id}` has no value `{value}`"), 0..value.len());
            return Err(fault.expecting(
                value,
                std::iter::once(*default).chain(readings.iter().map(|reading| reading.values[1])),
            ));
        }
        self.alternatives = self.alternatives.without(SwitchSet::of_question(id));
        if let Some(switch) = chosen {
            self.alternatives.set(switch, true);
        }
        Ok(())
    }

    /// Returns the switches whose values differ from those of the profile.
    pub fn changed(self) -> impl Iterator<Item = &'static Interpretation> {
        let profile = Rulebook::from_profile(self.profile);
        INTERPRETATIONS
            .iter()
            .filter(move |one| self.chooses(one.switch) != profile.chooses(one.switch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn switches_are_set_by_name() {
        let mut rulebook = Rulebook::default();
        for (place, interpretation) in INTERPRETATIONS.iter().enumerate() {
            assert_eq!(interpretation.switch as usize, place);
            rulebook.set(interpretation.id, interpretation.values[1]).unwrap();
            assert!(rulebook.chooses(interpretation.switch));
        }
        // A question with more than two values has several switches, of which one is on.
        let ids: BTreeSet<&str> = INTERPRETATIONS.iter().map(|one| one.id).collect();
        assert_eq!(rulebook.changed().count(), ids.len());
        rulebook.set("I-1", "default").unwrap();
        assert!(!rulebook.chooses(Switch::OnlyFinalAtLevelPins));
        rulebook.set("i16_rubble", "default").unwrap();
        assert!(!rulebook.chooses(Switch::RubbleHelpsRally));
    }

    #[test]
    fn bad_switches_and_values_are_refused() {
        let mut rulebook = Rulebook::default();
        assert_eq!(
            rulebook.set("i299", "alternative").unwrap_err().message,
            "no interpretation is called `i299`"
        );
        assert_eq!(
            rulebook.set("i01", "alternativ").unwrap_err().to_string(),
            "`i01` has no value `alternativ` (did you mean `alternative`?)"
        );
    }

    #[test]
    fn interpretation_may_have_more_than_two_values() {
        let mut rulebook = Rulebook::default();
        let readings = |rulebook: Rulebook| {
            (
                rulebook.chooses(Switch::NoFartherFromNearest),
                rulebook.chooses(Switch::NoFartherFromAll),
            )
        };
        for (value, expected) in
            [("nearest", (true, false)), ("all", (false, true)), ("any", (false, false))]
        {
            rulebook.set("i14", value).unwrap();
            assert_eq!(readings(rulebook), expected, "{value}");
        }
        rulebook.set("i14", "all").unwrap();
        assert_eq!(readings(rulebook.flipped(Switch::NoFartherFromNearest)), (true, false));
        assert_eq!(rulebook.value(Switch::NoFartherFromAll), "all");
        rulebook.set("I-14", "default").unwrap();
        assert_eq!(readings(rulebook), (false, false));
        let fault = rulebook.set("i15", "alternative").unwrap_err();
        assert_eq!(fault.message, "`i15` has no value `alternative`");
    }

    #[test]
    fn old_names_of_values_are_still_accepted() {
        let mut rulebook = Rulebook::default();
        let readings = |rulebook: Rulebook| {
            (
                rulebook.chooses(Switch::CommissarDrmNever),
                rulebook.chooses(Switch::CommissarDrmAlways),
            )
        };
        for (value, expected) in [
            ("alternative", (false, true)),
            ("never", (true, false)),
            ("always", (false, true)),
            ("default", (false, false)),
        ] {
            rulebook.set("commissar-drm", value).unwrap();
            assert_eq!(readings(rulebook), expected, "{value}");
        }
        assert!(rulebook.set("commissar-drm", "sometimes").is_err());
    }
}
