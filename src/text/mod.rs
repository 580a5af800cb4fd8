//! Places in a text, what is wrong there, and the nearest valid word.

pub mod notation;

use std::fmt;
use std::ops::Range;

use notation::Help;

/// Something wrong at a place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong and what was expected, in one sentence.
    pub message: String,
    /// The bytes of the text it is about.
    pub span: Range<usize>,
    /// What to do instead.
    pub help: Option<Help>,
    /// Valid words near the one that is wrong, the nearest first.
    pub near: Vec<String>,
}

impl Fault {
    /// A fault with no advice.
    pub fn new(message: impl Into<String>, span: Range<usize>) -> Fault {
        Fault { message: message.into(), span, help: None, near: Vec::new() }
    }

    /// The same fault with advice.
    pub fn help(mut self, help: impl Into<Help>) -> Fault {
        self.help = Some(help.into());
        self
    }

    /// The same fault, with the nearest of `valid` as advice, or all of them where none is near.
    pub fn expecting<'a>(self, word: &str, valid: impl IntoIterator<Item = &'a str>) -> Fault {
        let valid: Vec<&str> = valid.into_iter().collect();
        let near = nearest_few(word, valid.iter().copied(), 3);
        let help = match near.first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("valid: {}", valid.join(", ")),
        };
        Fault { near: near.into_iter().map(str::to_string).collect(), ..self }.help(help)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

/// The word of `valid` nearest to `word`, if any is near enough to be meant.
pub fn nearest<'a>(word: &str, valid: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_few(word, valid, 1).into_iter().next()
}

/// Up to `most` words of `valid` near enough to `word` to be meant, nearest first.
pub fn nearest_few<'a>(word: &str, valid: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    // Hyphens are what players leave out: `467` is near to `4-6-7`.
    let letters = |word: &str| canonical(word).replace('-', "");
    let word = letters(word);
    let mut near: Vec<(usize, &str)> = valid
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, &letters(candidate)), candidate))
        .filter(|&(distance, candidate)| distance <= 1 + candidate.len() / 4 && 2 * distance <= word.len())
        .collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.dedup_by_key(|&mut (_, candidate)| candidate);
    near.into_iter().map(|(_, candidate)| candidate).take(most).collect()
}

/// A word as names are compared: lower case, `_` as `-`.
pub fn canonical(word: &str) -> String {
    word.trim().to_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_the_one_meant() {
        assert_eq!(nearest("wood", ["open", "woods", "building"]), Some("woods"));
        assert_eq!(nearest("bulding", ["open", "woods", "building"]), Some("building"));
        assert_eq!(nearest("zzz", ["open", "woods", "building"]), None);
        assert_eq!(nearest("Axis_Minor", ["axis-minor"]), Some("axis-minor"));
        assert_eq!(nearest("z", ["e", "crew"]), None);
        assert_eq!(nearest("467", ["4-4-7", "4-6-7"]), Some("4-6-7"));
    }

    #[test]
    fn a_fault_lists_all_words_when_none_is_near() {
        let fault = Fault::new("no terrain `zzz`", 0..3).expecting("zzz", ["open", "woods"]);
        assert_eq!(fault.to_string(), "no terrain `zzz` (valid: open, woods)");
    }
}
