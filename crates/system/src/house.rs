//! Games under one roof.

use super::kind::{Game, Kind};
use engine::text::{Fault, canonical};

/// Games under one roof. The first is the one that files need not name, and its kinds of questions
/// are commands by themselves.
#[derive(Clone)]
pub struct House {
    games: Vec<&'static dyn Game>,
}

impl House {
    /// A house of at least one game.
    pub fn new(games: Vec<&'static dyn Game>) -> House {
        assert!(!games.is_empty(), "a house without games");
        House { games }
    }

    pub fn games(&self) -> &[&'static dyn Game] {
        &self.games
    }

    pub fn first(&self) -> &'static dyn Game {
        self.games[0]
    }

    /// The game of that name.
    pub fn game(&self, text: &str) -> Result<&'static dyn Game, Fault> {
        let name = canonical(text);
        self.games.iter().find(|game| game.name() == name).copied().ok_or_else(|| {
            let fault = Fault::new(format!("no morale system is called `{text}`"), 0..text.len());
            fault.expecting(text, self.games.iter().map(|game| game.name()))
        })
    }

    /// The game whose kind of question that is.
    pub fn game_of(&self, kind: &'static Kind) -> &'static dyn Game {
        let has =
            |game: &&&'static dyn Game| game.kinds().iter().any(|known| std::ptr::eq(*known, kind));
        self.games.iter().find(has).copied().unwrap_or(self.first())
    }
}
