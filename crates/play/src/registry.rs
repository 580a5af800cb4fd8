//! Morale systems and their registry.

use super::form::Form;
use super::playable::Policy;
use engine::text::Fault;
use schema::form::named;
use schema::{FormHints, Kind, Measure, Parameter, StockUnit};

/// A game, which is a system of morale rules.
pub trait Game: Sync {
    /// Returns the name on the command line and in files: `fortitude`.
    fn name(&self) -> &'static str;
    /// Returns the description in one line.
    fn about(&self) -> &'static str;
    /// Returns the kinds of questions the game answers.
    fn kinds(&self) -> &'static [&'static Kind];
    /// Creates a question of one of those kinds, with every field at its default.
    fn form(&self, kind: &'static Kind) -> Box<dyn Form>;
    /// Returns the values of the rules that can be changed, each also a field of all questions.
    fn parameters(&self) -> Vec<Parameter>;
    /// Returns the measures that an objective can weigh, the most important first.
    fn measures(&self) -> &'static [Measure];
    /// Returns the policies for questions of a kind; empty if they leave no choices.
    fn policies(&self, _kind: &Kind) -> Vec<Policy> {
        Vec::new()
    }
    /// Returns the predefined units.
    fn units(&self) -> Vec<StockUnit>;
    /// Returns the conditions that can be written after a unit, with `N` for a number: `x=N`.
    fn conditions(&self) -> Vec<String>;
    /// Returns the weapons that firers can be given like a condition, each as its side and its
    /// name.
    fn weapons(&self) -> Vec<(String, &'static str)> {
        Vec::new()
    }
    /// Returns the hints for forms.
    fn form_hints(&self) -> FormHints {
        FormHints::default()
    }
}

/// A registry of games. The first is the default, and its kinds are commands of their own.
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
        let games = self.games.iter().map(|game| (game.name(), *game));
        named(text, games, "no morale system is called")
    }

    /// Returns the game that has the kind of question, or the first game if none has it.
    pub fn game_of(&self, kind: &'static Kind) -> &'static dyn Game {
        let has =
            |game: &&&'static dyn Game| game.kinds().iter().any(|known| std::ptr::eq(*known, kind));
        self.games.iter().find(has).copied().unwrap_or(self.first())
    }

    /// Creates a question of a kind of one of the games, with every field at its default.
    pub fn form(&self, kind: &'static Kind) -> Box<dyn Form> {
        self.game_of(kind).form(kind)
    }
}
