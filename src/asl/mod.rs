//! Advanced Squad Leader: morale, leader loss, rally and Interdiction.
//!
//! Numbers without a letter in front are rules of chapter A. One file per part of the rulebook:
//!
//! | file | rules |
//! |---|---|
//! | [`catalogue`], [`nation`] | 1 counters |
//! | [`stack`], `notation`, `roster` | units in one Location, how they are written, and the counters of one question |
//! | [`mod@unit`], [`scene`] | conditions and statuses; the enemy, as far as morale rules ask about him |
//! | [`rulebook`] | profiles and points of interpretation, each a switch |
//! | [`fire`] | 7.3 the Infantry Fire Table, Cowering, Random Selection, K and KIA |
//! | [`check`] | 10.1 - 10.41, 7.8 Morale and Task Checks, pins, Voluntary Break |
//! | `casualty` | 10.31, 7.302, 17, 19.1 Casualty MC, Reduction, wounds, Replacement |
//! | `leader_loss` | 10.2 LLMC and LLTC |
//! | `morale` | 10.1 - 10.22, 10.7 Morale Level and leadership |
//! | [`heat_of_battle`] | 15.1 - 15.5 heroes, Battle Hardening, berserk units, surrender |
//! | `commissar` | 25.22 |
//! | [`rally`] | 10.6 - 10.64, 18.11, 18.2 Rally and Leader Creation |
//! | [`choice`] | 10.6, 10.62, 18.11 what a Rally Phase leaves to its owner |
//! | [`interdiction`] | 10.53, 10.711 the gauntlet, and the leader who goes along |
//! | [`rout`] | 10.5 - 10.533, 20.21 the Rout Phase on a map |
//! | [`campaign`] | a broken unit over Player Turns: Rally Phases, fire, Rout Phases, and what may be chosen in them |
//! | [`location`], [`engagement`] | the state, and the process that works its agenda off |
//! | [`outcome`], `telling` | how units end, and rolls in words |
//! | `draft`, `step`, [`sequence`], [`question`], [`asked`] | a question in words, checked, in steps, and made a process |
//!
//! [`rule_map`] lists every rule with the functions and the tests it is in; [`where_help_hurts`] when a better leader, a higher morale
//! or a lower MC makes things worse.
//!
//! ```
//! use lowcrawl::asl::question::{Draft, Kind, Value};
//! use lowcrawl::engine::exact::{Bound, odds};
//! use lowcrawl::process::Question as _;
//!
//! // 10.6: 4-6-7 under DM, with an 8-1 in woods: 7 or less with +4 -1 -1, so 5 or less: 10 of 36.
//! let mut draft = Draft::new(Kind::Rally);
//! for (field, value) in [("stack", "german:4-6-7/broken,dm"), ("leader", "8-1"), ("terrain", "woods")] {
//!     draft.set(field, Value::Text(value)).unwrap();
//! }
//! draft.set("no-hob", Value::Boolean(true)).unwrap();
//! let question = draft.finish().unwrap();
//! let odds = odds(&question.whole(), Bound::STANDARD).unwrap();
//! let rallied = odds.chances.iter().find(|chance| question.label(chance.point, &chance.outcome).status == Some("rallied")).unwrap();
//! assert_eq!(rallied.fraction.unwrap().to_string(), "5/18");
//! ```

#[doc = include_str!("rule_map.md")]
pub mod rule_map {}

#[doc = include_str!("where_help_hurts.md")]
pub mod where_help_hurts {}

pub mod asked;
pub mod campaign;
mod casualty;
pub mod catalogue;
pub mod check;
pub mod choice;
mod commissar;
mod draft;
pub mod engagement;
pub mod fire;
pub mod heat_of_battle;
pub mod interdiction;
mod leader_loss;
pub mod location;
mod morale;
pub mod nation;
mod notation;
pub mod outcome;
pub mod question;
pub mod rally;
mod roster;
pub mod rout;
pub mod rulebook;
pub mod scene;
pub mod sequence;
pub mod stack;
mod step;
mod telling;
pub mod unit;
