//! Advanced Squad Leader: morale, leader loss, rally and Interdiction.
//!
//! Rule numbers without a letter in front are rules of chapter A. The module [`vocabulary`] holds
//! the values that dice rolls are compared with, and what each comparison means. The module
//! [`play`] says what happens to each unit, and in which order. It has one file for each part of
//! the rulebook:
//!
//! | file | rules |
//! |---|---|
//! | [`catalogue`], [`nation`] | 1 counters |
//! | [`stack`], `notation`, `roster` | the units in one Location, their notation, and the counters of one question |
//! | [`rulebook`] | profiles and interpretations of the rules, each one a switch |
//! | [`attack`] | 7.2, 7.5, 7.53, 7.6, 9, 22, 23: attacks by named firers, reckoned to FP, DRM |
//! | [`vocabulary`] | values and their arithmetic: units and conditions, checks, attacks, Rally attempts, and their labels |
//! | [`play`] | 7.3, 10.1 - 10.8, 15, 17, 18.2, 19.1, 25.22: the rules applied to the units of a Location |
//! | [`crossing`] | 8, 9.22, 4.6, 12.14: a stack that moves under fire |
//! | [`sniper`] | 14: Snipers, their calls and what their attacks do |
//! | [`close_combat`] | 11, 18.12, 19.12, 20.22: Close Combat and Melee in a Location |
//! | [`platoon`] | 3, 4.7, 7.55, 10.6, 18.11: a platoon or a firefight over Player Turns |
//! | [`rout`] | 10.5 - 10.533, 20.21: the Rout Phase on a map |
//! | [`campaign`] | a broken unit over Player Turns: Rally Phases, fire, Rout Phases, and the choices in them |
//! | `draft`, [`sequence`], [`question`], [`question_info`] | how the fields of a question are checked, split into steps, and made a process |
//! | [`stack_process`] | that process: stages of an engagement, and Close Combats between them |
//!
//! The page [`rule_map`] lists every rule with the functions and tests that cover it. The page
//! [`counterexamples`] lists cases in which a better leader, a higher morale or a lower MC makes
//! things worse.
//!
//! ```
//! use lowcrawl_asl::kinds::{FieldSetters as _, StepSetters as _, rally};
//! use engine::exact::{Bound, odds};
//! use engine::process::Question as _;
//!
//! // 10.6: 4-6-7 under DM, with an 8-1 in woods: 7 or less with +4 -1 -1, so 5 or less: 10 of 36.
//! let rally = rally("german:4-6-7/broken,dm").leader("8-1").terrain("woods").heat_of_battle(false);
//! let question = rally.question().unwrap();
//! let odds = odds(&question.whole(), Bound::STANDARD).unwrap();
//! let rallied = odds.chances.iter().find(|chance| question.label(chance.point, &chance.outcome).status == Some("rallied")).unwrap();
//! assert_eq!(rallied.fraction.unwrap().to_string(), "5/18");
//! ```

#[cfg_attr(doc, doc = include_str!("rule_map.md"))]
pub mod rule_map {}

#[cfg_attr(doc, doc = include_str!("counterexamples.md"))]
pub mod counterexamples {}

pub mod attack;
pub mod board;
mod cache;
pub mod campaign;
pub mod catalogue;
pub mod close_combat;
pub mod counting;
pub mod course;
pub mod crossing;
pub mod draft;
mod field_values;
#[cfg(not(test))]
mod form_hints;
pub mod kinds;
mod melee_fire;
pub mod nation;
pub mod notation;
pub mod platoon;
pub mod play;
pub mod question;
pub mod question_info;
mod roster;
pub mod rout;
mod rule_settings;
pub mod rulebook;
pub mod scenario;
mod scope;
pub mod sequence;
pub mod shots_made;
pub mod sniper;
pub mod sniper_calls;
pub mod stack;
pub mod stack_process;
pub mod tables;
pub mod vocabulary;

pub use play::engagement;
pub use vocabulary::{choice, location, outcome, scene, unit};
