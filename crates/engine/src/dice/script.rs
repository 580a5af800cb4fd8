//! Rolls that a player dictates. A script with too few or too many rolls is an error.

use std::ops::Range;

use super::{Base, Dice, Dr, Face};

/// The reason why a script of rolls does not fit its sequence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.in_words("the script"))]
pub enum ScriptError {
    /// A word is not a roll of dice of `base`. `place` is its 1-based index in the script.
    NoRoll { word: String, place: usize, base: Base },
    /// The script ends after `rolls` rolls, but the sequence needs more.
    RanOut { rolls: usize, due: Dice },
    /// A scripted roll is not of the dice that are due. `place` is its 1-based index in the script.
    WrongDice { place: usize, written: Dice, due: Dice },
    /// The sequence ends after `used` rolls, but the script has `left` more.
    LeftOver { used: usize, left: usize },
}

impl ScriptError {
    /// Describes the error in words, calling the script `text`.
    pub fn in_words(&self, text: &str) -> String {
        match self {
            ScriptError::NoRoll { word, place, base } => {
                let notation = match base {
                    Base::Dr => {
                        "a DR as `c,w`, coloured die first (`3,4`), a single die as one digit (`5`)"
                    }
                    Base::D20 => "a d20 as a number from 1 to 20",
                };
                format!("`{word}` (roll {place}) is not a valid roll: write {notation}")
            }
            ScriptError::RanOut { rolls, due } => {
                format!("{text} ends after {rolls} roll(s), but a {due} is due next")
            }
            ScriptError::WrongDice { place, written, due } => {
                format!("roll {place} of {text} is a {written}, but a {due} is due")
            }
            ScriptError::LeftOver { used, left } => {
                format!("the sequence ends after {used} roll(s), but {text} has {left} more")
            }
        }
    }

    /// Returns the byte range of `text`, the script, to which the error refers.
    pub fn span(&self, text: &str) -> Range<usize> {
        let word = |place: usize| {
            let word = text.split_whitespace().nth(place - 1).unwrap_or(text);
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            start..start + word.len()
        };
        match self {
            ScriptError::NoRoll { place, .. } | ScriptError::WrongDice { place, .. } => {
                word(*place)
            }
            ScriptError::RanOut { .. } => 0..text.len(),
            ScriptError::LeftOver { used, .. } => word(used + 1).start..text.len(),
        }
    }
}

fn read(base: Base, place: usize, word: &str) -> Result<(Dice, Face), ScriptError> {
    let no_roll = || ScriptError::NoRoll { word: word.to_string(), place, base };
    let number = |text: &str| text.parse::<u8>().map_err(|_| no_roll());
    match (base, word.split_once(',')) {
        (Base::Dr, Some((coloured, white))) => {
            let dr = Dr::new(number(coloured)?, number(white)?).ok_or_else(no_roll)?;
            Ok((Dice::Dr, dr.face()))
        }
        (Base::Dr, None) => Ok((Dice::One, Dice::One.face(number(word)?).ok_or_else(no_roll)?)),
        (Base::D20, _) => Ok((Dice::D20, Dice::D20.face(number(word)?).ok_or_else(no_roll)?)),
    }
}

fn check_dice(place: usize, written: Dice, due: Dice) -> Result<(), ScriptError> {
    if written.faces() == due.faces() {
        Ok(())
    } else {
        Err(ScriptError::WrongDice { place, written, due })
    }
}

/// Parses one roll of the `due` dice. `place` is its 1-based index in the script, for errors. A
/// total of 2 to 12 is enough for [`Dice::DrTotal`].
///
/// # Errors
///
/// Fails with [`ScriptError::NoRoll`] if the word is not a roll, and with
/// [`ScriptError::WrongDice`] if it is a roll of other dice.
pub fn roll(place: usize, word: &str, due: Dice) -> Result<Face, ScriptError> {
    let is_meant = |face: &Face| word.parse() == Ok(Dr::from_face(*face).total());
    if due == Dice::DrTotal
        && let Some((face, _)) = due.distinct().find(|(face, _)| is_meant(face))
    {
        return Ok(face);
    }
    let (written, face) = read(due.base(), place, word)?;
    check_dice(place, written, due).map(|()| face)
}

impl Dice {
    /// Formats a face as in a script: a DR as `3,4`, coloured die first, any other die as a number.
    pub fn written(self, face: Face) -> String {
        match self {
            Dice::Dr | Dice::DrTotal => {
                format!("{},{}", Dr::from_face(face).coloured(), Dr::from_face(face).white())
            }
            _ => face.number().to_string(),
        }
    }
}

/// A script: a list of rolls, used in order.
#[derive(Clone, Debug)]
pub struct ScriptedDice {
    rolls: Vec<(Dice, Face)>,
    dealt: usize,
}

impl ScriptedDice {
    /// Parses rolls separated by white space: `"3,4 6,6 2"` for DR and dr, or `"17 4"` for d20.
    ///
    /// # Errors
    ///
    /// Fails with [`ScriptError::NoRoll`] at the first word that is not a roll of `base`.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_engine::dice::script::ScriptedDice;
    /// use lowcrawl_engine::dice::{Base, Dice};
    ///
    /// let mut script = ScriptedDice::parse(Base::Dr, "3,4 6").unwrap();
    /// script.deal(Dice::Dr).unwrap();
    /// assert_eq!(script.deal(Dice::One).unwrap().number(), 6);
    /// ```
    pub fn parse(base: Base, text: &str) -> Result<ScriptedDice, ScriptError> {
        let rolls = text
            .split_whitespace()
            .zip(1..)
            .map(|(word, place)| read(base, place, word))
            .collect::<Result<_, _>>()?;
        Ok(ScriptedDice { rolls, dealt: 0 })
    }

    /// Takes the next roll from the script. It must be a roll of the dice that are `due`.
    ///
    /// # Errors
    ///
    /// Fails with [`ScriptError::RanOut`] at the end of the script, and with
    /// [`ScriptError::WrongDice`] if the roll is of other dice.
    pub fn deal(&mut self, due: Dice) -> Result<Face, ScriptError> {
        let &(written, face) = self
            .rolls
            .get(self.dealt)
            .ok_or(ScriptError::RanOut { rolls: self.rolls.len(), due })?;
        self.dealt += 1;
        check_dice(self.dealt, written, due).map(|()| face)
    }

    /// Checks that every roll was used.
    ///
    /// # Errors
    ///
    /// Fails with [`ScriptError::LeftOver`] if some rolls were not used.
    pub fn finish(&self) -> Result<(), ScriptError> {
        match self.rolls.len() - self.dealt {
            0 => Ok(()),
            left => Err(ScriptError::LeftOver { used: self.dealt, left }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_deals_its_rolls_in_order() {
        let mut script = ScriptedDice::parse(Base::Dr, " 3,4  6 ").unwrap();
        assert_eq!(Dr::from_face(script.deal(Dice::Dr).unwrap()).total(), 7);
        assert_eq!(script.finish(), Err(ScriptError::LeftOver { used: 1, left: 1 }));
        assert_eq!(script.deal(Dice::One).unwrap().number(), 6);
        assert_eq!(script.finish(), Ok(()));
        let mut pool = ScriptedDice::parse(Base::Dr, "5 2").unwrap();
        assert_eq!(
            (
                pool.deal(Dice::OneOfPool).unwrap().number(),
                pool.deal(Dice::OneOfPool).unwrap().number()
            ),
            (5, 2)
        );
        let mut d20 = ScriptedDice::parse(Base::D20, "17").unwrap();
        assert_eq!(d20.deal(Dice::D20).unwrap().number(), 17);
        assert_eq!(script.deal(Dice::Dr), Err(ScriptError::RanOut { rolls: 2, due: Dice::Dr }));
    }

    #[test]
    fn bad_scripts_are_refused_with_their_roll() {
        for (base, text, place) in [
            (Base::Dr, "7", 1),
            (Base::Dr, "3,4 3,7", 2),
            (Base::Dr, "3;4", 1),
            (Base::Dr, "1,2,3", 1),
            (Base::Dr, "0", 1),
            (Base::D20, "20 0", 2),
            (Base::D20, "1 20 21", 3),
            (Base::D20, "3,4", 1),
        ] {
            let error = ScriptedDice::parse(base, text).unwrap_err();
            assert!(
                matches!(error, ScriptError::NoRoll { place: p, .. } if p == place),
                "{text}: {error}"
            );
        }
        let error = ScriptedDice::parse(Base::Dr, "5").unwrap().deal(Dice::Dr).unwrap_err();
        assert_eq!(error.to_string(), "roll 1 of the script is a dr, but a DR is due");
    }
}
