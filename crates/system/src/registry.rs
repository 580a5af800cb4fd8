//! The registry of games.

use super::kind::{Game, Kind};
use engine::text::{Fault, canonical};

/// A registry of games. Files need not name the first game. Its kinds of questions are commands of
/// their own.
#[derive(Clone)]
pub struct Registry {
    games: Vec<&'static dyn Game>,
}

impl Registry {
    /// Creates a registry of at least one game.
    ///
    /// # Panics
    ///
    /// Panics if `games` is empty.
    pub fn new(games: Vec<&'static dyn Game>) -> Registry {
        assert!(!games.is_empty(), "a registry without games");
        Registry { games }
    }

    /// Returns all games, the default one first.
    pub fn games(&self) -> &[&'static dyn Game] {
        &self.games
    }

    /// Returns the default game, which is the first.
    pub fn first(&self) -> &'static dyn Game {
        self.games[0]
    }

    /// Returns the game called `text`.
    ///
    /// # Errors
    ///
    /// Fails if no game has that name; the fault suggests the nearest one.
    pub fn game(&self, text: &str) -> Result<&'static dyn Game, Fault> {
        let name = canonical(text);
        self.games.iter().find(|game| game.name() == name).copied().ok_or_else(|| {
            let fault = Fault::new(format!("no morale system is called `{text}`"), 0..text.len());
            fault.expecting(text, self.games.iter().map(|game| game.name()))
        })
    }

    /// Returns the game that has the kind of question, or the first game if none has it.
    pub fn game_of(&self, kind: &'static Kind) -> &'static dyn Game {
        let has =
            |game: &&&'static dyn Game| game.kinds().iter().any(|known| std::ptr::eq(*known, kind));
        self.games.iter().find(has).copied().unwrap_or(self.first())
    }
}
