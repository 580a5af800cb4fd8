//! What a morale system is to everything that knows no game: kinds of questions with their declared
//! fields, and what is done with any of them: answers, courses side by side, the best play.
//!
//! A game declares in its own room what it can be asked ([`kind`], [`field`]) and how a filled-in
//! form becomes a question ([`draft`]). What tables of files can say is declared in the same way
//! ([`nested`]). Once a form is finished the question goes behind [`asking::Asking`]: command line,
//! studies, comparisons and the solver know no more of it. That happens once a question, never a
//! roll: engines are compiled for each process.

pub mod aim;
pub mod answer;
mod apart;
pub mod asking;
pub mod best;
pub mod blocks;
pub mod compare;
pub mod count;
pub mod counts;
pub mod draft;
pub mod estimate;
pub mod field;
pub mod filled;
pub mod footing;
pub mod form;
pub mod given;
mod house;
pub mod json;
pub mod kin;
pub mod kind;
pub mod nested;
pub mod node;
pub mod objective;
pub mod parameters;
pub mod roster;
pub mod ruled;
pub mod table;
pub mod tell;
pub mod understood;

use std::hash::Hasher;
use std::sync::Arc;

use count::{Beginner, Counted, Group};
use engine::EngineError;
use engine::process::{Decisions, Label, Player, Point, Process, Question};
use engine::text::{Fault, canonical};
// What the macros of this crate expand to names it.
#[doc(hidden)]
pub use engine;
pub use footing::{Fact, Footing, Held};
pub use house::House;
pub use kind::{Game, Kind, Measure, Parameter, Play, Ready, Source};

/// What a reader hopes for at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hope {
    /// The statuses that fulfil it; none where there is nothing to hope for.
    pub statuses: &'static [&'static str],
    /// What a unit is then: `rallied after the last phase`.
    pub words: &'static str,
    /// What is hoped for of something that is no unit: `the own army`.
    pub of: Option<&'static str>,
    /// What a unit does that comes to it, where that is told from the first point on: `rallies`.
    pub verb: Option<&'static str>,
}

impl Hope {
    /// A hope for a unit.
    pub const fn of_unit(statuses: &'static [&'static str], words: &'static str) -> Hope {
        Hope { statuses, words, of: None, verb: None }
    }

    /// The same with what a unit does that comes to it.
    pub const fn told_as(self, verb: &'static str) -> Hope {
        Hope { verb: Some(verb), ..self }
    }

    /// A hope for something else.
    pub const fn of(
        of: &'static str,
        statuses: &'static [&'static str],
        words: &'static str,
    ) -> Hope {
        Hope { statuses, words, of: Some(of), verb: None }
    }
}

/// A unit, or what else outcomes tell of, as a question begins with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// In full: units of which the same is said began alike.
    pub notation: String,
    /// In short: `4-6-7`, `enemy unit`.
    pub name: String,
    /// As an end tells of it at which it is as it was.
    pub counter: Option<String>,
    pub wounded: bool,
}

/// A question in words, and what its answer rests on.
pub trait Words: Send + Sync {
    /// The question in one line.
    fn in_words(&self) -> String;
    /// The same with all that happens in it.
    fn in_full(&self) -> String {
        self.in_words()
    }
    /// Units it begins with; slots above are of others.
    fn units(&self) -> u8;
    /// What units in slots above are called before their status: `enemy `.
    fn others(&self) -> &'static str {
        ""
    }
    /// How the unit of a slot begins, or what else outcomes tell of there; none of units that are
    /// created on the way.
    fn beginning(&self, _slot: u8) -> Option<Beginning> {
        None
    }
    /// What the points of its outcomes are: `turn`, `volley`, `step`; nothing where all are told
    /// once, at the end.
    fn points(&self) -> Option<&'static str>;
    /// The last of them: where all is told at the end, that.
    fn last_point(&self) -> Point;
    /// A point at which outcomes are noted.
    fn point_in_words(&self, point: Point) -> String {
        self.points().map_or("end".to_string(), |points| format!("end of {points} {point}"))
    }
    /// What kind of question it is.
    fn kind(&self) -> &'static Kind;
    /// Every status an outcome can have, in order.
    fn statuses(&self) -> &'static [&'static str] {
        self.kind().statuses
    }
    /// The place of a status where courses are compared.
    fn rank(&self, status: &str) -> usize {
        self.statuses().iter().position(|known| *known == status).unwrap_or(usize::MAX)
    }
    /// What a reader hopes for.
    fn hoped(&self) -> Hope;
    /// Whether outcomes are those of all units together.
    fn is_joint(&self) -> bool;
    /// Tells all that its rows rest on but its last point, and gives that. Of two questions of one
    /// game of which the same is told, one that ends earlier has the first rows of the other, up to
    /// its own last point. None where that is not known.
    fn rest_on(&self, _what: &mut dyn Hasher) -> Option<Point> {
        None
    }
    /// What rules it follows.
    fn footing(&self) -> Footing;
    /// What of that is told of a whole study.
    fn held(&self) -> Vec<Held>;
    /// What had to be decided, in words.
    fn notes(&self) -> Vec<String>;
    /// The same for a question of which some dice are rolled: without what holds from its start
    /// only.
    fn notes_on_the_way(&self) -> Vec<String> {
        self.notes()
    }
    /// What was given for a field as it is understood: units with all that was filled in. None
    /// where that is what was given.
    fn understood(&self, _field: &str) -> Option<field::Json> {
        None
    }
    /// Values the answer rests on that are less than sure, as far as it can use them: `damage-rule =
    /// subtract`.
    fn uncertain(&self) -> Vec<String>;
    /// What has become of a unit that ends so and is still of use, in a word: `pinned`.
    fn change(&self, _end: &Label) -> Option<&'static str> {
        None
    }
    /// What happens in each of its steps, where it has any.
    fn steps(&self) -> Vec<String> {
        Vec::new()
    }
    /// What its first rolls come to, in words: the Morale Level, and what is to be rolled.
    fn needs(&self) -> Vec<String> {
        Vec::new()
    }
    /// A rule as its book numbers it.
    fn rule(&self, rule: &str) -> String {
        rule.to_string()
    }
    /// What is said at the end of a told sequence.
    fn aside(&self) -> Option<&'static str> {
        None
    }
    /// Numbers whose expected values are of interest, in words: `casualties of unit 1`.
    fn quantities(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A question that can be answered and told.
pub trait Asked: Question {
    fn words(&self) -> &dyn Words;
    /// How much of each of its quantities there is in an outcome: every sequence notes one outcome
    /// for each quantity.
    fn amounts(
        &self,
        _point: Point,
        _outcome: &<Self::Process as Process>::Outcome,
        _tell: &mut dyn FnMut(usize, i64),
    ) {
    }
    /// The units of a group that it begins with.
    fn begun(&self, _group: &Group) -> Vec<Beginner> {
        Vec::new()
    }
    /// Tells how each unit of a group stands in an outcome.
    fn counted(
        &self,
        _group: &Group,
        _outcome: &<Self::Process as Process>::Outcome,
        _tell: &mut dyn FnMut(Counted),
    ) {
    }
    /// The slot of the unit an outcome is of; none where it is of all together.
    fn slot(&self, outcome: &<Self::Process as Process>::Outcome) -> Option<u8>;
    /// The same outcome of a unit in another slot: of one that appeared on the way.
    fn in_slot(
        &self,
        outcome: <Self::Process as Process>::Outcome,
        _slot: u8,
    ) -> <Self::Process as Process>::Outcome {
        outcome
    }
}

/// A policy that makes a difference in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// What [`Played::option`] knows it by.
    pub place: usize,
    pub name: String,
    /// What it does.
    pub about: &'static str,
}

impl Policy {
    pub fn new(place: usize, name: &str, about: &'static str) -> Policy {
        Policy { place, name: name.to_string(), about }
    }
}

/// A question whose choices are made by policies, and whose ends are worth something.
pub trait Played: Asked<Process: Decisions> + Sized + Send {
    /// Measures, by their place in the list of the game, that tell apart what is equal by an
    /// objective.
    const TIES: [usize; 2] = [0, 1];

    /// The question with its choices left open, where they are made in one way unless somebody
    /// asks.
    fn open(self: &Arc<Self>) -> Arc<Self> {
        self.clone()
    }
    /// Policies that make a difference here; the first is that of a question that names none. There
    /// are none where nobody has anything to choose, or all choose alike.
    fn policies(&self) -> Vec<Policy>;
    /// The policy of that name, by its place.
    fn policy(&self, text: &str) -> Result<usize, Fault> {
        let policies = self.policies();
        let name = canonical(text);
        policies.iter().find(|policy| policy.name == name).map(|policy| policy.place).ok_or_else(
            || {
                let fault = Fault::new(format!("no policy is called `{text}`"), 0..text.len());
                match policies.is_empty() {
                    true => fault.help("here nobody has anything to choose"),
                    false => {
                        fault.expecting(text, policies.iter().map(|policy| policy.name.as_str()))
                    }
                }
            },
        )
    }
    /// The option a policy takes, of the number of options.
    fn option(
        &self,
        policy: usize,
        process: &Self::Process,
        state: &<Self::Process as Process>::State,
        player: Player,
        options: usize,
    ) -> usize;
    /// The same question in the midst of another, with what is found out on the way shared: where
    /// both have the same states and go on alike after equal readings, whatever faces read.
    fn beside(&self, _first: &Self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
    /// Whether a named policy is the owner's alone, and the enemy replies as is best for him.
    fn enemy_replies(&self) -> bool {
        false
    }
    /// How a unit ends, where an outcome is noted at the end: its slot, and how much there is of
    /// each measure of the game.
    fn ending(
        &self,
        point: Point,
        outcome: &<Self::Process as Process>::Outcome,
    ) -> Option<(u8, Vec<f64>)>;
    /// Who does what the options of a choice say, where they do not: `the unit `.
    fn subject(&self) -> &'static str {
        ""
    }
    /// Why a policy was not kept to, where that was so; to be asked when all is played.
    fn failure(&self) -> Option<EngineError> {
        None
    }
}
