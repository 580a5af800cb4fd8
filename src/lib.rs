//! **lowcrawl** works out the odds of morale and rout in tactical board wargames, first of all Advanced Squad Leader (ASL).
//!
//! ```
//! use lowcrawl::{Rally, prelude::*};
//!
//! // Will it rally? 10 of 36, each of the first phase.
//! let rally = Rally::of("german:4-6-7/dm").leader("8-1").terrain("woods").heat_of_battle(false);
//! let table = rally.odds().unwrap();
//! let rallied = table.rows.iter().find(|row| row.label.status == Some("rallied") && row.label.phase == Some(1)).unwrap();
//! assert!((rallied.figure.probability() - 10.0 / 36.0).abs() < 1e-12);
//! ```
//!
//! [`Fire`], [`Check`], [`Rally`] and [`Interdict`] are questions about a stack, with a method for each field. Everything there is, also the
//! rout on a map, comparisons and the best play, is a [`Request`]: [`read`] makes one of JSON, [`ask`] gives its [`Answer`], [`describe`]
//! says what can be asked. `examples/` holds five programs of under forty lines.
//!
//! A rule procedure is a finite stochastic process, written once ([`process`]); what is done with it is an engine ([`engine`]).
//! Rules are written to be read beside the rulebook: each cites its number. Speed comes from compiling them to tables.
//!
//! # The house
//!
//! | crate | holds |
//! |---|---|
//! | [`engine`] | [`dice`], [`process`], [`stats`], the text of faults, and the engines: exact, Monte Carlo, best play. It knows no game |
//! | [`system`] | what a game is to those that know none: declared fields, kinds, forms; answers, courses side by side |
//! | [`files`] | TOML and JSON as values with their places, and questions read from them. It opens no file |
//! | [`asl`] | Advanced Squad Leader: rules, [`board`], the best rout ([`course`]), situations ([`scenario`]) |
//! | [`fortitude`], [`reaction`] | Samurai Battles and Reaction Dice |
//! | [`report`] | pictures of a rout: SVG, and maps in plain characters |
//! | [`door`] | the one list of games; every request answered, and described |
//! | `lowcrawl` | this crate: the nouns a user needs, and with the feature `cli` (default) the command line, studies and tables |
//!
//! A crate may use those above it in this table, and no game another. Nothing but this crate needs Polars, clap or a file; `parallel`
//! lets Monte Carlo use all cores, all else builds with `--no-default-features`.
//!
//! # How one DR travels from the stream to a Parquet row
//!
//! 1. [`dice::stream`] takes nine unbiased codes of 36 from a 64-bit word of the chunk's generator.
//! 2. The walk of an [`engine::automaton`] looks up the roll class of the code and follows one cell: the landing is counted, the
//!    row of the next state found. The cell was made from the rules: [`process::Process::due`] named the dice and the terms,
//!    [`process::Process::read`] what the face means ("pinned"), [`process::Process::apply`] what follows.
//! 3. [`engine::monte_carlo`] adds the landings of all chunks up and turns them into counts of outcomes.
//! 4. [`process::Question::label`] puts an outcome into words, [`stats::Proportion`] gives its count an error.
//! 5. [`system::table::Row`] holds both; `table::frame` makes a typed Polars column of each field, and `study::run` writes the file and
//!    renames it into place.
//!
//! # How a field travels from its declaration to an answer
//!
//! A line of [`system::fields!`] declares it: name, what it takes, default, words, rule. A [`system::Kind`] lists the fields it has, a
//! [`system::Game`] its kinds, [`door::house`] the games. Command line, files, help, errors and completions are made from these lists; all
//! fill in the same [`system::draft::Draft`], whose [`system::draft::Topic`] checks the fields against each other and makes the question.
//! From there on nobody knows which game it is ([`system::asking::Asking`]): once a question, never a roll.
//!
//! Only the rout on a map stays apart. Its question is a situation, a map with units on it, which no list of fields holds, and its answer
//! is a list of plans with their odds, not outcomes of one process. Its fields are declared like all others
//! ([`asl::rout::RoutFields`]), and over Player Turns it is a campaign, which is a question like any other.
//!
//! # How a request travels through the door
//!
//! JSON, TOML or words become a [`door::Request`]: JSON by [`files::from_json`], where each value keeps its place in the text, and
//! [`door::read()`]; words by the command line. Both fill in the same forms, so both complain in the same words. [`door::ask`] answers it with the
//! engines, watched by whoever asked ([`engine::watch`]), and the [`door::Answer`] is data: the command line puts it into words, [`door::json`] into
//! JSON, a table into CSV and Parquet.
//!
//! ```
//! use lowcrawl::door::{ask, house, json, no_files, read};
//! use lowcrawl::system::answer::Options;
//!
//! let text = r#"{"kind": "check", "stack": "9-1 + 2x german:4-6-7", "mc": 1, "given": "6,3"}"#;
//! let asked = read(text, &house(), &no_files).unwrap();
//! let command = asked.command();
//! let answer = ask(asked.request, command, &Options::default()).unwrap();
//! assert_eq!(json::answer(&answer).unwrap()["rows"][0]["status"], "broken");
//! ```

pub use asl::ask::{Check, Fire, Interdict, Rally};
pub use asl::{board, course, scenario};
pub use door::{Answer, Refused, Request, ask, describe, house, no_files, read};
pub use engine::text::Fault;
pub use engine::{dice, process, stats, text};
pub use system::answer::{Engine, Options, Trials};
pub use system::table::{Figure, Row, Table};
pub use {asl, door, engine, files, fortitude, reaction, report, system};

/// Traits whose methods fill in a question: `use lowcrawl::prelude::*`.
pub mod prelude {
    pub use asl::ask::{FieldSetters as _, StepSetters as _};
}

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod study;
#[cfg(feature = "cli")]
pub mod table;

/// The Rust of the manual compiles, and says what is so.
#[cfg(doctest)]
#[doc = include_str!("../docs/programmers.md")]
mod programmers {}
