//! The procedures of the rules: what happens to each unit, and in which order. Every file adds its
//! part of the rulebook to [`engagement::Engagement`], the play in one Location. The values come
//! from [`super::vocabulary`].
//!
//! | file | rules |
//! |---|---|
//! | [`engagement`], `process` | the parts of an engagement, and the process that plays it |
//! | `fire` | 7.3 attacks, A.9 Random Selection, K and KIA |
//! | `morale` | 10.1 - 10.41, 7.8, 10.7, 25.22 Morale Level, leadership, checks, pins, Commissars |
//! | `casualty` | 10.31, 7.302, 17, 19.1, 10.2 Casualty MC, Reduction, wounds, Replacement, LLMC |
//! | `heat_of_battle` | 15.1 - 15.5 heroes, Battle Hardening, berserk units, surrender |
//! | `rally` | 10.6 - 10.64, 18.11, 18.2 Rally with its choices, and Leader Creation |
//! | `interdiction` | 10.53, 10.711 Interdicted hexes, and Voluntary Rout |
//! | `describe` | rolls, and the results that first rolls need, in words |

mod casualty;
mod describe;
pub mod engagement;
mod fire;
mod heat_of_battle;
mod interdiction;
mod morale;
mod process;
mod rally;
