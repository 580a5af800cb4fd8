//! Advanced Squad Leader: morale, leader loss, rally and Interdiction.
//!
//! Numbers without a letter in front are rules of chapter A. What rolls are compared with, and what
//! they mean, is the [`vocabulary`]; what happens to whom, and in which order, is in [`play`], one
//! file per part of the rulebook:
//!
//! | file | rules |
//! |---|---|
//! | [`catalogue`], [`nation`] | 1 counters |
//! | [`stack`], `notation`, `roster` | units in one Location, how they are written, and the counters of one question |
//! | [`rulebook`] | profiles and points of interpretation, each a switch |
//! | [`vocabulary`] | values and their arithmetic: units and their conditions, checks, attacks, Rally attempts, and how they are read |
//! | [`play`] | 7.3, 10.1 - 10.8, 15, 17, 18.2, 19.1, 25.22: what the rules do with the units of a Location |
//! | [`rout`] | 10.5 - 10.533, 20.21 the Rout Phase on a map |
//! | [`campaign`] | a broken unit over Player Turns: Rally Phases, fire, Rout Phases, and what may be chosen in them |
//! | `draft`, `step`, [`sequence`], [`question`], [`asked`] | a question in words, checked, in steps, and made a process |
//!
//! [`rule_map`] lists every rule with the functions and the tests it is in; [`where_help_hurts`]
//! when a better leader, a higher morale or a lower MC makes things worse.
//!
//! ```
//! use lowcrawl_asl::ask::{FieldSetters as _, Rally, StepSetters as _};
//! use engine::exact::{Bound, odds};
//! use engine::process::Question as _;
//!
//! // 10.6: 4-6-7 under DM, with an 8-1 in woods: 7 or less with +4 -1 -1, so 5 or less: 10 of 36.
//! let rally = Rally::of("german:4-6-7/broken,dm").leader("8-1").terrain("woods").heat_of_battle(false);
//! let question = rally.question().unwrap();
//! let odds = odds(&question.whole(), Bound::STANDARD).unwrap();
//! let rallied = odds.chances.iter().find(|chance| question.label(chance.point, &chance.outcome).status == Some("rallied")).unwrap();
//! assert_eq!(rallied.fraction.unwrap().to_string(), "5/18");
//! ```

#[cfg_attr(doc, doc = include_str!("rule_map.md"))]
pub mod rule_map {}

#[cfg_attr(doc, doc = include_str!("where_help_hurts.md"))]
pub mod where_help_hurts {}

pub mod ask;
pub mod asked;
pub mod board;
pub mod campaign;
pub mod catalogue;
mod certainty;
pub mod count;
pub mod course;
pub mod draft;
pub mod nation;
pub mod notation;
pub mod play;
pub mod question;
mod roster;
pub mod rout;
pub mod rulebook;
pub mod scenario;
pub mod sequence;
pub mod stack;
mod step;
pub mod tables;
pub mod vocabulary;

pub use play::engagement;
pub use vocabulary::{choice, location, outcome, scene, unit};
