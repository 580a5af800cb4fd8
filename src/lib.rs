//! **lowcrawl** works out the odds of morale and rout in tactical board wargames, first of all
//! Advanced Squad Leader (ASL).
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
//! [`Fire`], [`Check`], [`Rally`] and [`Interdict`] are questions about a stack, with a method for
//! each field. Everything there is, also the rout on a map, comparisons and the best play, is a
//! [`Request`]: [`read()`] makes one of JSON, [`ask`] gives its [`Answer`], [`describe`] says what
//! can be asked. `examples/` holds five programs of under forty lines.
//!
//! A rule procedure is a finite stochastic process, written once ([`process`]); what is done with
//! it is an engine ([`engine`]). Rules are written to be read beside the rulebook: each cites its
//! number. Speed comes from compiling them to tables.
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
//! | [`report`] | pictures of a rout and charts of odds: SVG, and plain characters |
//! | [`door`] | the one list of games; every request answered, and described |
//! | `screen` | an answer in words, tables and charts, for a terminal, Markdown or a page |
//! | `lowcrawl` | this crate: the nouns a user needs, and with the feature `cli` (default) the command line, studies and tables |
//!
//! A crate may use those above it in this table, and no game another. Nothing but this crate needs
//! Polars, clap or a file; `parallel` lets Monte Carlo use all cores, all else builds with
//! `--no-default-features`.
//!
//! `docs/architecture.md` follows a roll from the stream to a row, and a stack from words to an
//! answer.

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
mod article;
#[cfg(feature = "cli")]
pub mod chart;
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
