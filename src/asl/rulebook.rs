//! The points on which the rules leave room, each a switch (the numbered INTERPRETATIONS of the rules restated).

use crate::text::{Fault, canonical};

/// A point of interpretation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Switch {
    I01,
    I02,
    I03,
    I04,
    I05,
    I08,
    I10,
    I16Rubble,
    I16LightWoods,
    I18,
    I19,
    I20,
    I24,
    I25,
    I33,
    I34,
    I49,
    I53,
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
pub const INTERPRETATIONS: [Interpretation; 18] = [
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
        "Heat of Battle replaces the pin (no effect without Heat of Battle)",
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
        Switch::I08,
        "i08",
        "10.21, 10.53, 10.711",
        "Does a leader who stays in the Interdicted hex help the routing unit?",
        "yes",
        "no, only one who moves with it",
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
    switch(
        Switch::I49,
        "i49",
        "10.22, 10.6",
        "Does a Good Order leader who rallies a broken leader of equal or higher ML lend his DRM?",
        "yes",
        "no",
    ),
    switch(
        Switch::I53,
        "i53",
        "10.31, 19.12",
        "What does a Casualty MC with ELR failure leave of an underlined squad that has no lesser half-squad?",
        "its own half-squad, broken and Disrupted",
        "its own half-squad, broken",
    ),
];

/// A value of every switch: the default profile `asl-v3`, changed by hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rulebook {
    alternatives: u32,
}

impl Rulebook {
    /// Name of the profile the defaults are.
    pub const PROFILE: &'static str = "asl-v3";

    /// Whether `switch` is at its default.
    #[inline]
    pub const fn is_default(self, switch: Switch) -> bool {
        self.alternatives & (1 << switch as u8) == 0
    }

    /// The interpretation called `id`: `i01`, `I-1` and `i1` are the same.
    pub fn find(id: &str) -> Option<&'static Interpretation> {
        let id = canonical(id);
        let rest = id.strip_prefix("i-").or_else(|| id.strip_prefix('i'))?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u32 = rest[..digits].parse().ok()?;
        let id = format!("i{number:02}{}", &rest[digits..]);
        INTERPRETATIONS.iter().find(|interpretation| interpretation.id == id)
    }

    /// Sets one switch from words.
    pub fn set(&mut self, id: &str, value: &str) -> Result<(), Fault> {
        let interpretation = Rulebook::find(id).ok_or_else(|| {
            let fault = Fault::new(format!("no interpretation is called `{id}`"), 0..id.len());
            fault.expecting(id, INTERPRETATIONS.iter().map(|interpretation| interpretation.id))
        })?;
        let bit = 1 << interpretation.switch as u8;
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

    /// The interpretations that are not at their default.
    pub fn changed(self) -> impl Iterator<Item = &'static Interpretation> {
        INTERPRETATIONS.iter().filter(move |interpretation| !self.is_default(interpretation.switch))
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
