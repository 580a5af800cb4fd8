//! The points on which the rules leave room, each a switch (the numbered INTERPRETATIONS of the rules restated).

mod morale;
mod rout;

use crate::board::terrain::{RallyBonus, Terrain};
use crate::text::{Fault, canonical};

/// An edition of the rules: a bundle of switch values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The current, third edition.
    #[default]
    AslV3,
    /// The second edition.
    AslV2,
    /// The Starter Kit.
    AslSk,
}

impl Profile {
    pub const ALL: [Profile; 3] = [Profile::AslV3, Profile::AslV2, Profile::AslSk];

    /// The word of the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Profile::AslV3 => "asl-v3",
            Profile::AslV2 => "asl-v2",
            Profile::AslSk => "aslsk",
        }
    }

    /// The profile of that name.
    pub fn named(text: &str) -> Result<Profile, Fault> {
        let name = canonical(text);
        Profile::ALL.into_iter().find(|profile| profile.name() == name).ok_or_else(|| {
            let fault = Fault::new(format!("no profile is called `{text}`"), 0..text.len());
            fault.expecting(text, Profile::ALL.iter().map(|profile| profile.name()))
        })
    }
}

/// A point of interpretation, or one on which editions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Switch {
    I01,
    I02,
    I03,
    I04,
    I05,
    I06,
    I07,
    I08,
    I09,
    I10,
    I16Rubble,
    I16LightWoods,
    I18,
    I19,
    I20,
    I21,
    I23,
    I24,
    I25,
    I27,
    I28,
    I32,
    I33,
    I34,
    I35,
    I41,
    I42,
    I43,
    I44,
    I45,
    I46,
    I47,
    I48,
    I49,
    I50,
    I51,
    I52,
    I53,
    /// 15.1, 15.21: whether heroic leaders roll for Heat of Battle.
    HeroicHeat,
    /// 25.22: whose DRM a Rally under a Commissar has.
    CommissarDrm,
    /// 10.6 of the second edition: Finnish Conscripts Self-Rally.
    V2Finns,
    /// The Starter Kit has no Heat of Battle.
    SkHeat,
    /// The Starter Kit has neither heroes nor Fanatics nor Commissars.
    SkUnits,
    /// The Starter Kit has no Voluntary Break.
    SkBreak,
    I11,
    I12,
    I13,
    I14Nearest,
    I14All,
    I15First,
    I15Ending,
    I17,
    I22,
    I30,
    I31,
    I36,
    I38,
    I39,
    I54,
    I55,
    I56,
    I57,
    I58,
    I59,
    I60,
    I61,
    I62,
    I63Keu,
    I63Cover,
    V2Melee,
    V2Direction,
    V2Crawl,
    V2Interdictors,
    V2Surrender,
    V2Captor,
    SkMust,
    SkAdjacent,
    SkStacking,
    SkSurrender,
}

/// A switch with its question and its two readings. A question with more than two has a switch for each beside the default.
#[derive(Clone, Copy, Debug)]
pub struct Interpretation {
    pub switch: Switch,
    /// Word of the command line, such as `i01`.
    pub id: &'static str,
    /// Words of the two values: `default` and `alternative`, or names of their own.
    pub values: [&'static str; 2],
    /// Rules it bears on.
    pub rules: &'static str,
    pub question: &'static str,
    /// What the default says.
    pub default: &'static str,
    /// What the alternative says.
    pub alternative: &'static str,
}

impl Interpretation {
    /// The switch in a word: `i01`, or `i14=nearest` where its question has more readings.
    pub fn name(&self) -> String {
        let [_, value] = self.values;
        if value == "alternative" { self.id.to_string() } else { format!("{}={value}", self.id) }
    }

    /// Whether only the rout on a map asks for it.
    pub fn is_of_rout(&self) -> bool {
        self.switch as u8 >= Switch::I11 as u8
    }

    /// Profiles in which the alternative is in force.
    pub fn profiles(&self) -> &'static [Profile] {
        match self.switch {
            Switch::V2Finns => &[Profile::AslV2],
            Switch::V2Melee | Switch::V2Crawl | Switch::V2Interdictors | Switch::V2Surrender | Switch::V2Captor => {
                &[Profile::AslV2]
            }
            Switch::V2Direction | Switch::I55 => &[Profile::AslV2, Profile::AslSk],
            Switch::I11 | Switch::SkHeat | Switch::SkUnits | Switch::SkBreak => &[Profile::AslSk],
            Switch::SkMust | Switch::SkAdjacent | Switch::SkStacking | Switch::SkSurrender => &[Profile::AslSk],
            _ => &[],
        }
    }
}

const fn switch(
    switch: Switch,
    id: &'static str,
    rules: &'static str,
    question: &'static str,
    default: &'static str,
    alternative: &'static str,
) -> Interpretation {
    Interpretation { switch, id, values: ["default", "alternative"], rules, question, default, alternative }
}

impl Interpretation {
    /// The same with names of its own for the values.
    const fn called(self, default: &'static str, alternative: &'static str) -> Interpretation {
        Interpretation { values: [default, alternative], ..self }
    }
}

/// Number of switches.
const SWITCHES: usize = morale::MORALE.len() + rout::ROUT.len();

/// Every switch, in order.
pub const INTERPRETATIONS: [Interpretation; SWITCHES] = {
    let mut all = [morale::MORALE[0]; SWITCHES];
    let mut place = 0;
    while place < SWITCHES {
        let (first, second) = (morale::MORALE.len(), &rout::ROUT);
        all[place] = if place < first { morale::MORALE[place] } else { second[place - first] };
        place += 1;
    }
    all
};

const fn bit(switch: Switch) -> u128 {
    1 << switch as u128
}

/// The switches for which something holds.
fn bits(holds: impl Fn(&Interpretation) -> bool) -> u128 {
    INTERPRETATIONS.iter().filter(|one| holds(one)).fold(0, |bits, one| bits | bit(one.switch))
}

/// The switches of one question.
fn bits_of(id: &str) -> u128 {
    bits(|interpretation| interpretation.id == id)
}

/// A value of every switch: those of a profile, changed by hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rulebook {
    profile: Profile,
    alternatives: u128,
}

impl Rulebook {
    /// The switches as the profile has them.
    pub fn of(profile: Profile) -> Rulebook {
        Rulebook { profile, alternatives: bits(|interpretation| interpretation.profiles().contains(&profile)) }
    }

    /// The profile the switches started from.
    pub const fn profile(self) -> Profile {
        self.profile
    }

    /// Whether `switch` is at its default.
    #[inline]
    pub const fn is_default(self, switch: Switch) -> bool {
        self.alternatives & bit(switch) == 0
    }

    /// 10.61: whether the terrain gives the -1 of Rally; I-16 says so of rubble and light woods.
    pub fn gives_rally_bonus(self, terrain: &Terrain) -> bool {
        match terrain.rally_bonus {
            RallyBonus::Yes => true,
            RallyBonus::No => false,
            RallyBonus::Rubble => !self.is_default(Switch::I16Rubble),
            RallyBonus::LightWoods => self.is_default(Switch::I16LightWoods),
        }
    }

    /// The word of a switch's value.
    pub fn value(self, switch: Switch) -> &'static str {
        INTERPRETATIONS[switch as usize].values[usize::from(!self.is_default(switch))]
    }

    /// The same with one switch at its other value, and no other reading of its question.
    pub fn flipped(self, switch: Switch) -> Rulebook {
        let others = bits_of(INTERPRETATIONS[switch as usize].id) & !bit(switch);
        Rulebook { alternatives: (self.alternatives ^ bit(switch)) & !others, ..self }
    }

    /// The interpretation called `id`: `i01`, `I-1` and `i1` are the same.
    pub fn find(id: &str) -> Option<&'static Interpretation> {
        let id = canonical(id);
        let known = |id: &str| INTERPRETATIONS.iter().find(|interpretation| interpretation.id == id);
        if let Some(interpretation) = known(&id) {
            return Some(interpretation);
        }
        let rest = id.strip_prefix("i-").or_else(|| id.strip_prefix('i'))?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u32 = rest[..digits].parse().ok()?;
        known(&format!("i{number:02}{}", &rest[digits..]))
    }

    /// All readings of the question called `id` beside the default.
    pub fn readings(id: &str) -> Result<Vec<&'static Interpretation>, Fault> {
        let found = Rulebook::find(id).ok_or_else(|| {
            let fault = Fault::new(format!("no interpretation is called `{id}`"), 0..id.len());
            let mut ids: Vec<&str> = INTERPRETATIONS.iter().map(|interpretation| interpretation.id).collect();
            ids.dedup();
            fault.expecting(id, ids)
        })?;
        Ok(INTERPRETATIONS.iter().filter(|interpretation| interpretation.id == found.id).collect())
    }

    /// Answers one question from words.
    pub fn set(&mut self, id: &str, value: &str) -> Result<(), Fault> {
        let readings = Rulebook::readings(id)?;
        let Interpretation { id, values: [default, _], .. } = readings[0];
        let word = canonical(value);
        let chosen = readings.iter().find(|reading| reading.values[1] == word).map(|reading| bit(reading.switch));
        if chosen.is_none() && word != *default && word != "default" {
            let fault = Fault::new(format!("`{id}` has no value `{value}`"), 0..value.len());
            return Err(fault.expecting(value, std::iter::once(*default).chain(readings.iter().map(|reading| reading.values[1]))));
        }
        self.alternatives = self.alternatives & !bits_of(id) | chosen.unwrap_or(0);
        Ok(())
    }

    /// The interpretations that are not as the profile has them.
    pub fn changed(self) -> impl Iterator<Item = &'static Interpretation> {
        let changed = self.alternatives ^ Rulebook::of(self.profile).alternatives;
        INTERPRETATIONS.iter().filter(move |interpretation| changed & bit(interpretation.switch) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_set_by_name() {
        let mut rulebook = Rulebook::default();
        for (place, interpretation) in INTERPRETATIONS.iter().enumerate() {
            assert_eq!(interpretation.switch as usize, place);
            rulebook.set(interpretation.id, interpretation.values[1]).unwrap();
            assert!(!rulebook.is_default(interpretation.switch));
        }
        rulebook.set("I-1", "default").unwrap();
        assert!(rulebook.is_default(Switch::I01));
        // Of the three readings of I-14 and of I-15 one is in force.
        assert_eq!(rulebook.changed().count(), INTERPRETATIONS.len() - 3);
        rulebook.set("i16_rubble", "default").unwrap();
        assert!(rulebook.is_default(Switch::I16Rubble));
    }

    #[test]
    fn bad_switches_are_told_apart() {
        let mut rulebook = Rulebook::default();
        assert_eq!(rulebook.set("i99", "alternative").unwrap_err().message, "no interpretation is called `i99`");
        assert_eq!(
            rulebook.set("i01", "alternativ").unwrap_err().to_string(),
            "`i01` has no value `alternativ` (did you mean `alternative`?)"
        );
    }

    #[test]
    fn a_question_may_have_more_readings() {
        let mut rulebook = Rulebook::default();
        let readings = |rulebook: Rulebook| (rulebook.is_default(Switch::I14Nearest), rulebook.is_default(Switch::I14All));
        for (value, expected) in [("nearest", (false, true)), ("all", (true, false)), ("any", (true, true))] {
            rulebook.set("i14", value).unwrap();
            assert_eq!(readings(rulebook), expected, "{value}");
        }
        rulebook.set("i14", "all").unwrap();
        assert_eq!(readings(rulebook.flipped(Switch::I14Nearest)), (false, true));
        assert_eq!(rulebook.value(Switch::I14All), "all");
        rulebook.set("I-14", "default").unwrap();
        assert_eq!(readings(rulebook), (true, true));
        let fault = rulebook.set("i15", "alternative").unwrap_err();
        assert_eq!(fault.message, "`i15` has no value `alternative`");
    }
}
