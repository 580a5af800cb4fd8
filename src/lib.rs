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
//! | [`engine`] | exact, automaton, monte_carlo, stratified, paired, solve, trace | dice, process, `indexmap`, `rayon`, `rustc_hash`, `smallvec`, `thiserror` |
//! | [`text`] | faults with their place, the nearest valid word | `strsim` |
//! | [`system`] | what a morale system is to the rooms that know no game: questions, their fields, words for their answers | process, text |
//! | [`board`] | hexes, terrain, maps, tables of hexes and lines, lines of sight | text, `csv` |
//! | [`asl`] | counters, stacks, fire, checks, leader loss, casualty, Heat of Battle, Commissars, rally, Interdiction, rout, sequences | dice, process, board, system, text, `csv`, `rustc_hash`, `smallvec` |
//! | [`reaction`] | Reaction Dice: volleys, Disruption and Suppression, orders and rally, Command Dice, Army Morale | dice, process, system, text, `smallvec` |
//! | [`fortitude`] | Samurai Battles: Morale Levels, Fortitude Tests, fire, melee, Flee and Panic | dice, process, system, text, `smallvec` |
//! | [`course`] | plans, policies and objectives; the best play and what it is worth | asl, board, engine, process, system, text, `indexmap` |
//! | [`report`] | pictures of a rout: SVG, and maps in plain characters | asl, board, course |
//! | [`stats`] | intervals, tests, sample sizes | `statrs`, `thiserror` |
#![cfg_attr(
    feature = "cli",
    doc = "| [`table`] | rows of odds; layout, JSON, frames to CSV and Parquet | engine, process, stats, system, `comfy_table`, `polars`, `serde`, `serde_json` |"
)]
#![cfg_attr(
    feature = "cli",
    doc = "| [`study`] | one answer, the study file, the situation file, the sweep, courses side by side | asl, board, course, dice, engine, fortitude, process, reaction, stats, system, table, text, `indexmap`, `polars`, `rayon`, `rustc_hash`, `serde`, `serde_json`, `tempfile`, `thiserror`, `toml` |"
)]
#![cfg_attr(
    feature = "cli",
    doc = "| [`cli`] | one file per command: arguments and printing | asl, board, course, dice, engine, fortitude, process, reaction, report, stats, study, system, table, text, `annotate_snippets`, `clap`, `clap_complete`, `ctrlc`, `indicatif`, `rand`, `rayon`, `serde_json` |"
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
//! 5. `table::Row` holds both; `table::frame` makes a typed Polars column of each field, and `study::run` writes the file and
//!    renames it into place.
//!
//! # A first question
//!
//! ```
//! use lowcrawl::asl::question::{Draft, Kind, Value};
//! use lowcrawl::engine::monte_carlo::{Plan, Simulator};
//! use lowcrawl::process::Question as _;
//!
//! let mut draft = Draft::new(Kind::Interdict);
//! draft.set("stack", Value::Text("german:4-6-7")).unwrap();
//! draft.set("hexes", Value::Integer(2)).unwrap();
//! draft.set("no-hob", Value::Boolean(true)).unwrap();
//! let process = draft.finish().unwrap().whole();
//! let counts = Simulator::new(&process).unwrap().run(&Plan::new(100_000, 36)).unwrap();
//! assert_eq!(counts.counts.iter().map(|(_, _, count)| count).sum::<u64>(), 100_000);
//! ```
#![forbid(unsafe_code)]

pub mod asl;
pub mod board;
#[cfg(feature = "cli")]
pub mod cli;
pub mod course;
pub mod dice;
pub mod engine;
pub mod fortitude;
pub mod process;
pub mod reaction;
pub mod report;
pub mod stats;
#[cfg(feature = "cli")]
pub mod study;
pub mod system;
#[cfg(feature = "cli")]
pub mod table;
pub mod text;
