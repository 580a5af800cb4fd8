//! Close Combat (11): odds, Kill Numbers, Ambush, capture, Infiltration, Withdrawal and Melee.
//!
//! | file | rules |
//! |---|---|
//! | [`tables`] | 11.11, 11.4: the CC Table and the drm of an Ambush |
//! | [`plan`] | 11.12: the attacks of a side, as a text or by name |
//! | [`state`] | the units of both sides in one Location, and the attacks of a round |
//! | [`combat`], [`terms`] | the Close Combat and its orders, its rolls and outcomes |
//! | [`reckoning`] | 11.11 - 11.19: the odds and DRM of one attack, and what each DR does |
//! | [`ambush`] | 11.4: the drm of both sides |
//! | [`round`], [`fates`] | 11.12, 11.2, 11.22, 11.41, 18.12: one round and its results |
//! | `early_reports` | 11.12: the reports of units before the last DR of a round |
//! | `resettle` | 18.12: applied attacks that a created leader changes |
//! | `choices`, [`best`] | 11.12: all plans, and the best of them |
//! | `by_attack` | the losses of a round as a sum over its attacks |
//! | [`objective`], `value` | what the best plans are best for |
//! | [`process`] | the rounds over Player Turns as a process |
//! | [`stage`] | a Close Combat as a step of a sequence |
//! | [`fields`], [`checks`] | the fields, and what they cannot say together |
//! | [`question`], `report` | the answer, and the arithmetic in words |

pub mod ambush;
pub mod best;
mod by_attack;
pub mod checks;
mod choices;
pub mod combat;
mod creation;
mod early_reports;
pub(crate) mod engagements;
pub mod fates;
pub mod fields;
pub mod objective;
pub mod plan;
pub mod process;
pub mod question;
pub mod reckoning;
mod report;
mod resettle;
pub mod round;
pub mod stage;
pub mod state;
pub mod tables;
pub mod terms;
mod value;
