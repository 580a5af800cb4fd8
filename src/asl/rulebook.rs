//! The points on which the rules leave room, each a switch (the numbered INTERPRETATIONS of the rules restated).

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
}

/// A switch with its question and its two readings.
#[derive(Clone, Copy, Debug)]
pub struct Interpretation {
    pub switch: Switch,
    /// Word of the command line, such as `i01`.
    pub id: &'static str,
    /// Rules it bears on.
    pub rules: &'static str,
    pub question: &'static str,
    /// What the default says.
    pub default: &'static str,
    /// What the alternative says.
    pub alternative: &'static str,
}

impl Interpretation {
    /// Profiles in which the alternative is in force.
    pub fn profiles(&self) -> &'static [Profile] {
        match self.switch {
            Switch::V2Finns => &[Profile::AslV2],
            Switch::SkHeat | Switch::SkUnits | Switch::SkBreak => &[Profile::AslSk],
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
    Interpretation { switch, id, rules, question, default, alternative }
}

/// Every switch, in order.
pub const INTERPRETATIONS: [Interpretation; 44] = [
    switch(
        Switch::I01,
        "i01",
        "7.8, 10.31",
        "Which Original DR pins when the pass number is 12 or more?",
        "11, the highest DR that can pass",
        "none: only a Final DR equal to the Morale Level pins",
    ),
    switch(Switch::I02, "i02", "7.8, 10.2", "Does passing a LLMC with the highest DR pin?", "no", "yes"),
    switch(Switch::I03, "i03", "10.1", "Does an Original 12 on a TC pass when the pass number is 12 or more?", "yes", "no"),
    switch(
        Switch::I04,
        "i04",
        "7.8, 15.1",
        "Original 2 with pass number 2: pinned as well as Heat of Battle?",
        "pinned, then Heat of Battle",
        "Heat of Battle replaces the pin",
    ),
    switch(
        Switch::I05,
        "i05",
        "10.2",
        "Which ML of the lost leader decides who takes LLMC or LLTC?",
        "that before his loss",
        "that after Replacement or wound in the same attack",
    ),
    switch(
        Switch::I06,
        "i06",
        "17.11, 15.2",
        "A wounded hero who is Reduced other than by a failed MC?",
        "another severity dr, +1 for the earlier wound",
        "he dies",
    ),
    switch(
        Switch::I07,
        "i07",
        "10.711, 10.2",
        "A Voluntary Rout leader lost with the failed check of his unit: does the unit take a LLMC?",
        "yes, after the NMC",
        "no",
    ),
    switch(
        Switch::I08,
        "i08",
        "10.21, 10.53, 10.711",
        "Does a leader who stays in the Interdicted hex help the routing unit?",
        "yes",
        "no, only one who moves with it",
    ),
    switch(
        Switch::I09,
        "i09",
        "15.1, 10.53",
        "A unit that Heat of Battle restores or sends berserk in mid-rout?",
        "its rout ends in that hex",
        "it goes on",
    ),
    switch(
        Switch::I10,
        "i10",
        "17.2",
        "May a leader wounded in mid-rout go on?",
        "yes, while fewer than 3 MF are spent",
        "no, his rout ends at once",
    ),
    switch(Switch::I16Rubble, "i16-rubble", "10.61", "Does rubble give the -1 of rally terrain?", "no", "yes"),
    switch(Switch::I16LightWoods, "i16-light-woods", "10.61", "Do light woods give the -1 of rally terrain?", "yes", "no"),
    switch(Switch::I18, "i18", "7.7, 10.6", "Does Encirclement lower the ML of a Rally attempt?", "no", "yes"),
    switch(
        Switch::I19,
        "i19",
        "18.11",
        "Original 2 by the first MMC Self-Rally when the unit may Self-Rally anyway: Leader Creation?",
        "yes",
        "no, only for an MMC that could not otherwise Self-Rally",
    ),
    switch(
        Switch::I20,
        "i20",
        "18.11",
        "May leaders try to rally before the first MMC Self-Rally?",
        "yes, it must be the first MMC attempt",
        "no, it must be the first attempt of all",
    ),
    switch(Switch::I21, "i21", "15.3, 25.22", "Battle Hardening of a Commissar?", "no effect", "he becomes Fanatic"),
    switch(
        Switch::I23,
        "i23",
        "10.72",
        "May a leader be passed over when another is there?",
        "any eligible leader may be chosen; the reference policy takes the best",
        "the best leader is always used: the same under the reference policy",
    ),
    switch(
        Switch::I24,
        "i24",
        "10.31, 19.12",
        "What does a Casualty MC with ELR failure leave of a squad that has no lower class?",
        "its half-squad, broken and Disrupted",
        "its half-squad, broken",
    ),
    switch(Switch::I25, "i25", "17.3, 19.1", "Does a wounded leader who is Replaced keep his wound?", "yes", "no"),
    switch(
        Switch::I27,
        "i27",
        "15.1",
        "A second Original 2 of a unit in the same attack?",
        "Heat of Battle again",
        "no second time",
    ),
    switch(
        Switch::I28,
        "i28",
        "10.62",
        "DM of a unit ADJACENT to a Known armed enemy at the end of the RPh?",
        "removed and regained at once",
        "removed until an enemy moves ADJACENT anew",
    ),
    switch(Switch::I32, "i32", "10.2", "LLTC and the MC still to be made in the attack?", "LLTC after all MC", "LLTC first"),
    switch(
        Switch::I33,
        "i33",
        "A.18, 17.3",
        "Where does the ML cap of 10 apply?",
        "to the bonuses, before losses",
        "to the sum of bonuses and losses",
    ),
    switch(
        Switch::I34,
        "i34",
        "18.2",
        "Which ML counts for Leader Creation?",
        "the broken ML, as changed",
        "the printed good-order ML",
    ),
    switch(Switch::I35, "i35", "10.41, 10.2", "Does a leader who breaks voluntarily bring a LLTC?", "yes", "no"),
    switch(
        Switch::I41,
        "i41",
        "15.1",
        "Heat of Battle +1 for broken when the Original 2 itself broke the unit?",
        "yes",
        "no, only when it was broken before",
    ),
    switch(
        Switch::I42,
        "i42",
        "10.2, 15.1",
        "LLTC for a leader who broke on an Original 2 and was restored by Heat of Battle?",
        "stands",
        "falls away",
    ),
    switch(Switch::I43, "i43", "15.21, 10.2", "Does a hero take the LLMC of the attack that created him?", "yes", "no"),
    switch(
        Switch::I44,
        "i44",
        "15.1",
        "Heat of Battle 5 or 6: which comes first?",
        "the hero, Fanatic only if the MMC already was",
        "Battle Hardening",
    ),
    switch(Switch::I45, "i45", "15.41", "Do broken units take the NTC of a berserk leader?", "yes", "no"),
    switch(Switch::I46, "i46", "15.41", "Does a leader gone berserk by such a NTC bring his own?", "no", "yes"),
    switch(
        Switch::I47,
        "i47",
        "15.41, 10.2",
        "DRM of the LLMC for a berserk leader?",
        "his rating",
        "0, his leadership is forfeited",
    ),
    switch(
        Switch::I48,
        "i48",
        "15.5, 10.2",
        "Does an unbroken leader who surrenders by Heat of Battle bring a LLTC?",
        "yes, he breaks",
        "no",
    ),
    switch(
        Switch::I49,
        "i49",
        "10.22, 10.6",
        "Does a Good Order leader who rallies a broken leader of equal or higher ML lend his DRM?",
        "yes",
        "no",
    ),
    switch(
        Switch::I50,
        "i50",
        "25.22",
        "A leader who fails to rally under a Commissar?",
        "Replaced by the next grade, a 6+1 eliminated",
        "nothing happens",
    ),
    switch(
        Switch::I51,
        "i51",
        "25.22, 10.64",
        "Fate in a Rally under a Commissar?",
        "Casualty Reduction only",
        "Casualty Reduction, then Replacement",
    ),
    switch(
        Switch::I52,
        "i52",
        "15.1, 19.3",
        "Are Green troops with an unbroken leader Inexperienced in Heat of Battle?",
        "no",
        "yes",
    ),
    switch(
        Switch::I53,
        "i53",
        "10.31, 19.12",
        "What does a Casualty MC with ELR failure leave of an underlined squad that has no lesser half-squad?",
        "its own half-squad, broken and Disrupted",
        "its own half-squad, broken",
    ),
    switch(
        Switch::HeroicHeat,
        "heroic-heat",
        "15.1, 15.21",
        "Does a heroic leader roll for Heat of Battle?",
        "yes, to Battle Harden; he neither goes berserk nor surrenders",
        "no, he is exempt like a hero",
    ),
    switch(
        Switch::CommissarDrm,
        "commissar-drm",
        "25.22, 10.72, 17.3",
        "What DRM has a Rally led by a Commissar whose rating is not 0 (wounded, 8+1, of another nationality)?",
        "0: his aid is the Morale Level",
        "his rating, as for any leader",
    ),
    switch(Switch::V2Finns, "v2-10.6", "10.6", "Which Finns Self-Rally?", "all but Conscripts", "all"),
    switch(Switch::SkHeat, "sk-15.1", "15.1", "Is there Heat of Battle?", "yes", "no"),
    switch(
        Switch::SkUnits,
        "sk-15.2",
        "15.2, 10.8, 15.4, 25.22",
        "Are there heroes, Fanatics, berserk units, Commissars and Encirclement?",
        "yes",
        "no, they are turned away",
    ),
    switch(Switch::SkBreak, "sk-10.41", "10.41", "Is there Voluntary Break?", "yes", "no"),
];

/// A value of every switch: those of a profile, changed by hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rulebook {
    profile: Profile,
    alternatives: u64,
}

impl Rulebook {
    /// The switches as the profile has them.
    pub fn of(profile: Profile) -> Rulebook {
        let bit = |interpretation: &Interpretation| 1 << interpretation.switch as u64;
        let alternatives = INTERPRETATIONS.iter().filter(|interpretation| interpretation.profiles().contains(&profile)).map(bit);
        Rulebook { profile, alternatives: alternatives.fold(0, |bits: u64, bit: u64| bits | bit) }
    }

    /// The profile the switches started from.
    pub const fn profile(self) -> Profile {
        self.profile
    }

    /// Whether `switch` is at its default.
    #[inline]
    pub const fn is_default(self, switch: Switch) -> bool {
        self.alternatives & (1 << switch as u64) == 0
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
        if self.is_default(switch) { "default" } else { "alternative" }
    }

    /// The same with one switch at its other value.
    pub fn flipped(self, switch: Switch) -> Rulebook {
        Rulebook { alternatives: self.alternatives ^ (1 << switch as u64), ..self }
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

    /// Sets one switch from words.
    pub fn set(&mut self, id: &str, value: &str) -> Result<(), Fault> {
        let interpretation = Rulebook::find(id).ok_or_else(|| {
            let fault = Fault::new(format!("no interpretation is called `{id}`"), 0..id.len());
            fault.expecting(id, INTERPRETATIONS.iter().map(|interpretation| interpretation.id))
        })?;
        let bit = 1 << interpretation.switch as u64;
        match canonical(value).as_str() {
            "default" => self.alternatives &= !bit,
            "alternative" => self.alternatives |= bit,
            _ => {
                let fault = Fault::new(format!("`{}` has no value `{value}`", interpretation.id), 0..value.len());
                return Err(fault.expecting(value, ["default", "alternative"]));
            }
        }
        Ok(())
    }

    /// The interpretations that are not as the profile has them.
    pub fn changed(self) -> impl Iterator<Item = &'static Interpretation> {
        let changed = self.alternatives ^ Rulebook::of(self.profile).alternatives;
        INTERPRETATIONS.iter().filter(move |interpretation| changed & (1 << interpretation.switch as u64) != 0)
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
            rulebook.set(interpretation.id, "alternative").unwrap();
            assert!(!rulebook.is_default(interpretation.switch));
        }
        rulebook.set("I-1", "default").unwrap();
        assert!(rulebook.is_default(Switch::I01));
        assert_eq!(rulebook.changed().count(), INTERPRETATIONS.len() - 1);
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
}
