//! Pieces of a save that are not understood, and the player's word to ignore them.

use super::SaveFault;
use super::boards::Boards;
use asl::board::hex::Hex;
use engine::text::{Fault, plain};
use vasl::board::BoardHex;

/// A piece that is not understood, or does not stand where pieces stand.
pub struct Doubt {
    pub what: String,
    pub place: BoardHex,
}

impl Doubt {
    /// Returns whether the piece is at a routing unit, or ADJACENT to it.
    pub fn touches(&self, routers: &[&BoardHex]) -> bool {
        routers.iter().any(|router| {
            let ends = Hex::parse(&self.place.hex).zip(Hex::parse(&router.hex));
            let is_near = ends.is_none_or(|(one, other)| one.range(other) <= 1);
            self.place.board == router.board && is_near
        })
    }

    pub fn message(&self, boards: &Boards) -> String {
        plain(&format!("{} in {}", self.what, boards.hex(&self.place)))
    }

    /// Returns the word that waives the doubt.
    pub fn waiver(&self, boards: &Boards) -> String {
        format!("piece:{}", boards.hex(&self.place))
    }
}

/// The option that waives doubts.
pub const ANYWAY: &str = "anyway";
/// The word that waives all doubts.
pub const ALL: &str = "all";

/// The doubts that the player waives.
#[derive(Clone, Debug, Default)]
pub struct Waivers(Vec<String>);

impl Waivers {
    /// Reads the words of `--anyway`; `known` are those that something of the save has.
    ///
    /// # Errors
    ///
    /// Fails if nothing of the save has one of the words.
    pub fn read(words: &[String], known: &[String]) -> Result<Waivers, SaveFault> {
        for word in words.iter().filter(|word| *word != ALL) {
            if !known.iter().any(|known| known.eq_ignore_ascii_case(word)) {
                let message = format!("nothing in the save is waived by `{word}`");
                let names = known.iter().map(String::as_str);
                let fault = Fault::new(message, 0..word.len()).expecting(word, names);
                return Err(SaveFault::option(ANYWAY, word, fault));
            }
        }
        Ok(Waivers(words.to_vec()))
    }

    /// Returns whether something with one of these words is waived.
    pub fn cover(&self, words: &[String]) -> bool {
        let is_meant = |word: &String| {
            word == ALL || words.iter().any(|known| known.eq_ignore_ascii_case(word))
        };
        self.0.iter().any(is_meant)
    }
}

/// Returns the fault for what touches the hexes of a question, with the word that waives the
/// first of it.
pub fn refusal(touching: &[String], waiver: Option<String>) -> Fault {
    let message =
        format!("what is not understood in the file affects the answer: {}", touching.join("; "));
    let one = waiver.map_or(String::new(), |word| format!(", `--anyway={word}` only this"));
    Fault::new(plain(&message), 0..0).help(format!("`--anyway` ignores all of it{one}"))
}
