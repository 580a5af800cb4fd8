//! Advanced Squad Leader: morale, leader loss, rally and Interdiction.
//!
//! Numbers without a letter in front are rules of chapter A. One file per part of the rulebook:
//!
//! | file | rules |
//! |---|---|
//! | [`catalogue`], [`nation`] | A1 counters |
//! | [`stack`], `notation` | units in one Location, and how they are written |
//! | [`mod@unit`] | conditions and statuses |
//! | [`rulebook`] | points of interpretation, each a switch |
//! | [`check`] | 10.1 - 10.4, 7.8 Morale and Task Checks, pins |
//! | `casualty` | 10.31, 7.302, 17, 19.1 Casualty MC, Reduction, wounds, Replacement |
//! | `leader_loss` | 10.2 LLMC and LLTC |
//! | `morale` | 10.1 - 10.22, 10.7 Morale Level and leadership |
//! | [`rally`] | 10.6 - 10.64, 18.11, 18.2 Rally and Leader Creation |
//! | [`interdiction`] | 10.53 the gauntlet |
//! | [`location`], [`engagement`] | the state, and the process that works its agenda off |
//! | [`outcome`] | how units end |
//! | `draft`, [`question`] | a question in words, checked, and made a process |
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
//! let question = draft.finish().unwrap();
//! let odds = odds(&question.whole(), Bound::STANDARD).unwrap();
//! let rallied = odds.chances.iter().find(|chance| question.label(chance.point, &chance.outcome).status == Some("rallied")).unwrap();
//! assert_eq!(rallied.fraction.unwrap().to_string(), "5/18");
//! ```

mod casualty;
pub mod catalogue;
pub mod check;
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
pub mod rulebook;
pub mod scene;
pub mod sequence;
pub mod stack;
mod step;
mod telling;
pub mod unit;
