//! Attacks by named firers, reckoned to FP, column and DRM.
//!
//! | file | rules |
//! |---|---|
//! | [`weapons`] | 9, 22, 23: the support weapons (SW) |
//! | [`firers`] | the notation of firers, and who mans which SW (7.35, 4.43) |
//! | [`circumstances`] | range, phase, terrain and all else that changes an attack |
//! | [`firepower`] | 7.2: the FP of each unit and SW |
//! | [`modifiers`] | 7.6, 4.6, 24: the DRM |
//! | `direction` | 7.53, 7.9, 15.2: leadership, Cowering, heroes |
//! | `legality` | the rules that forbid an attack |
//! | [`reckoning`] | 7.3, 7.5, 7.9: the whole attack |
//! | `report` | the reckoning in rows of text and JSON |
//! | [`fields`] | the fields of a question that describe such an attack |
//! | [`lines`] | the notation of several attacks in one Player Turn |
//! | [`shots`] | 9.2, 7.1: several shots by the same firers |
//! | [`aftermath`] | 9.2, 9.7, 8.2: ROF, breakdown and Residual FP |
//! | `residual` | 8.22, 9.22: attacks by Residual FP and Fire Lanes |
//! | `final_protective` | 8.31: the NMC of the firers by the DR of the attack |

pub mod aftermath;
pub mod circumstances;
mod direction;
pub mod fields;
pub(crate) mod final_protective;
pub mod firepower;
pub mod firers;
mod legality;
pub mod lines;
pub mod modifiers;
pub mod named;
pub mod reckoning;
pub(crate) mod report;
pub(crate) mod residual;
pub mod shots;
pub mod weapons;
