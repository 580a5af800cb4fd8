//! **lowcrawl** computes the odds of morale and rout in tactical board wargames, above all in
//! Advanced Squad Leader (ASL).
//!
//! ```
//! use lowcrawl::{Phase, Status, prelude::*, rally};
//!
//! // The unit rallies in the first Rally Phase with probability 10/36.
//! let rally = rally("german:4-6-7/dm").leader("8-1").terrain("woods").heat_of_battle(false);
//! let odds = rally.odds().unwrap();
//! assert!((odds.probability(Status::Rallied, Phase(1)) - 10.0 / 36.0).abs() < 1e-12);
//! assert_eq!(odds.estimate(1, Status::Rallied, Phase(1)).to_string(), "27.78 % (5/18)");
//! ```
//!
//! [`fire`], [`check()`], [`rally`] and [`interdict`] start a question about a stack, which has a
//! method for each field. A [`Request`] holds any question, a rout on a map, a comparison of
//! policies or a search for best play. [`read()`] parses it from JSON, [`ask`] returns its
//! [`Answer`], and [`describe`] lists all that can be asked. The folder `examples` has five
//! programs.
//!
//! A rule procedure is a finite stochastic process ([`process`]), written once, with rule numbers,
//! to be read beside the rulebook, and compiled to tables for speed. Engines compute the
//! distribution of its outcomes, sample it by Monte Carlo or find the best play ([`engine`]).
//!
//! # Crates
//!
//! | crate | contents |
//! |---|---|
//! | [`engine`] | [`dice`], [`process`], [`stats`], faults in texts, and the engines; no game |
//! | [`schema`] | what can be asked: fields, kinds, rule settings; TOML and JSON with positions |
//! | [`answer`] | tables of odds, counts and estimates, with their provenance |
//! | [`play`] | policies, best play, comparisons; forms, games, questions in files; opens no file |
//! | [`asl`] | ASL: rules, [`board`], the best rout ([`course`]), situations ([`scenario`]) |
//! | [`fortitude`], [`reaction`] | Samurai Battles and Reaction Dice |
//! | [`charts`] | maps of a rout and charts of odds, as SVG and as text |
//! | [`api`] | the list of games; answers and describes every request |
//! | `render` | renders an answer as words, tables and charts for a terminal, Markdown or a page |
//! | `vasl` | readers of VASL's saves, logs and boards; uses `engine` only |
//! | `lowcrawl` | questions as types; with the feature `cli` the command line, studies and tables |
//!
//! A crate may use only those above it in this table, and no game uses another. Only this crate
//! opens files, or depends on Polars and clap. The feature `cli` is a default. The feature
//! `parallel` lets Monte Carlo use all cores. Without both, use `--no-default-features`.
//!
//! `docs/architecture.md` follows a roll to a row of the answer, and a stack from its notation on.

pub use answer::{End, Engine, Estimate, Options, Phase, ReportPoint, Row, Step, Table, Trials};
pub use api::exchange::answer_json;
pub use api::{Answer, Refused, Request, ask, describe, games, no_files, read};
pub use asl::campaign::LaneSetters;
pub use asl::close_combat::fields::CombatSetters;
pub use asl::close_combat::question::close_combat;
pub use asl::course::campaign::campaign;
pub use asl::crossing::fields::CrossingSetters;
pub use asl::crossing::question::cross;
pub use asl::kinds::{check, fire, interdict, rally};
pub use asl::rout::{RoutSetters, Situation};
pub use asl::unit::Status;
pub use asl::{board, course, scenario};
pub use engine::text::Fault;
pub use engine::{dice, process, stats, text};
pub use {answer, api, asl, charts, engine, fortitude, play, reaction, schema};

/// Traits whose methods fill in a question: `use lowcrawl::prelude::*`.
pub mod prelude {
    pub use asl::kinds::{FieldSetters as _, StepSetters as _};
}

#[cfg(feature = "cli")]
mod article;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
mod frame;
#[cfg(feature = "cli")]
pub mod study;

/// Compiles and runs the Rust examples of the manual.
#[cfg(doctest)]
#[doc = include_str!("../docs/programmers.md")]
mod programmers {}
