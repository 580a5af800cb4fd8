//! **lowcrawl** works out the odds of morale and rout in tactical board wargames, first of all Advanced Squad Leader (ASL).
//!
//! A rule procedure is a finite stochastic process, written once ([`process`]); what is done with it is an engine ([`engine`]).
//! Rules are written to be read beside the rulebook: each cites its number. Speed comes from compiling them to tables.
//!
//! # The house
//!
//! | room | holds | may use |
//! |---|---|---|
//! | [`dice`] | faces, DR, the 36, the seeded roll stream, common random numbers, scripts | `rand_xoshiro`, `thiserror` |
//! | [`process`] | the trait of a process, its log, labels of outcomes | dice |
//! | [`stats`] | intervals, tests, sample sizes | `statrs`, `thiserror` |
//! | [`engine`] | exact, automaton, monte_carlo, stratified, paired, solve, trace, watch | dice, process, stats, `indexmap`, `rayon`, `rustc_hash`, `smallvec`, `thiserror` |
//! | [`text`] | faults with their place, the nearest valid word | `strsim` |
//! | [`system`] | what a game is to those that know none: declared fields, kinds, forms; answers, courses side by side, the best play | dice, engine, process, stats, text, `indexmap`, `rustc_hash`, `serde`, `serde_json`, `thiserror` |
//! | [`board`] | hexes, terrain, maps, tables of hexes and lines, lines of sight | text, `csv` |
//! | [`asl`] | counters, stacks, fire, checks, leader loss, casualty, Heat of Battle, Commissars, rally, Interdiction, rout, sequences | dice, process, board, system, text, `csv`, `rustc_hash`, `smallvec` |
//! | [`reaction`] | Reaction Dice: volleys, Disruption and Suppression, orders and rally, Command Dice, Army Morale | dice, process, system, text, `smallvec` |
//! | [`fortitude`] | Samurai Battles: Morale Levels, Fortitude Tests, fire, melee, Flee and Panic | dice, process, system, text, `smallvec` |
//! | [`course`] | ASL as a game: plans, policies and measures; the best rout | asl, board, engine, process, system, text, `indexmap` |
//! | [`report`] | pictures of a rout: SVG, and maps in plain characters | asl, board, course |
//! | [`files`] | what files and requests say: TOML and JSON as values with their places, questions and courses read from them | system, text, `serde`, `serde_json`, `toml` |
//! | [`scenario`] | the situation of a rout from its tables, and its answer | asl, board, course, engine, files, system, text, `serde_json` |
//! | [`door`] | the one list of games; every request answered, and described | asl, board, course, dice, engine, files, fortitude, process, reaction, scenario, system, text, `base64`, `miniz_oxide`, `serde_json` |
#![cfg_attr(
    feature = "cli",
    doc = "| [`table`] | tables in their formats: text, frames to CSV and Parquet | system, `comfy_table`, `polars`, `serde`, `serde_json` |"
)]
#![cfg_attr(
    feature = "cli",
    doc = "| [`study`] | sweeps: studies from files, their grids, their results on disk | asl, board, dice, door, engine, files, process, scenario, stats, system, table, text, `indexmap`, `polars`, `rayon`, `serde`, `serde_json`, `thiserror`, `xxhash_rust` |"
)]
#![cfg_attr(
    feature = "cli",
    doc = "| [`cli`] | one file per command: arguments and printing | asl, board, course, dice, door, engine, files, process, report, scenario, stats, study, system, table, text, `annotate_snippets`, `clap`, `clap_complete`, `indicatif`, `rand`, `rayon`, `serde_json`, `signal_hook` |"
)]
//!
//! The last column is the law; a test reads it from this page. Within `engine` only `monte_carlo` may use `rayon`. The rooms from
//! `table` on come with the feature `cli` (default), `rayon` with `parallel`; all others build with `--no-default-features`.
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
//! A line of [`fields!`] declares it: name, what it takes, default, words, rule. A [`system::Kind`] lists the fields it has, a
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
//!
//! # A first question
//!
//! ```
//! use lowcrawl::asl::ask::{FieldSetters as _, Rally, StepSetters as _};
//!
//! // Will it rally? 10 of 36, each of the first phase.
//! let rally = Rally::of("german:4-6-7/broken,dm").leader("8-1").terrain("woods").heat_of_battle(false);
//! let answer = rally.odds().unwrap();
//! let rallied = answer.rows.iter().find(|row| row.label.status == Some("rallied") && row.label.phase == Some(1)).unwrap();
//! assert!((rallied.figure.probability() - 10.0 / 36.0).abs() < 1e-12);
//! ```
#![forbid(unsafe_code)]

pub mod asl;
pub mod board;
#[cfg(feature = "cli")]
pub mod cli;
pub mod course;
pub mod dice;
pub mod door;
pub mod engine;
pub mod files;
pub mod fortitude;
pub mod process;
pub mod reaction;
pub mod report;
pub mod scenario;
pub mod stats;
#[cfg(feature = "cli")]
pub mod study;
pub mod system;
#[cfg(feature = "cli")]
pub mod table;
pub mod text;

/// The Rust of the manual compiles, and says what is so.
#[cfg(doctest)]
#[doc = include_str!("../docs/programmers.md")]
mod programmers {}
