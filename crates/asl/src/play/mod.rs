//! The procedures of the rules: what happens to each unit, and in which order. Every file adds its
//! part of the rulebook to [`engagement::Engagement`], the play in one Location. The values come
//! from [`super::vocabulary`].
//!
//! | file | rules |
//! |---|---|
//! | [`engagement`], `process` | the parts of an engagement, and the process that plays it |
//! | `fire` | 7.3 attacks, A.9 Random Selection, K and KIA |
//! | `check` | 10.1 - 10.41, 7.8 Morale and Task Checks, pins, Voluntary Break |
//! | `morale` | 10.1 - 10.22, 10.7 Morale Level and leadership |
//! | `casualty` | 10.31, 7.302, 17, 19.1 Casualty MC, Reduction, wounds, Replacement |
//! | `leader_loss` | 10.2 LLMC and LLTC |
//! | `heat_of_battle` | 15.1 - 15.5 heroes, Battle Hardening, berserk units, surrender |
//! | `commissar` | 25.22 Commissars |
//! | `rally` | 10.6 - 10.64, 18.11, 18.2 Rally and Leader Creation |
//! | `choice` | 10.6, 10.62, 18.11 the choices of the owner in a Rally Phase |
//! | `interdiction` | 10.53, 10.711 Interdicted hexes, and Voluntary Rout |
//! | `needs` | the results that first rolls need, in words |
//! | `outcome`, `describe` | final states of units, and rolls in words |

mod casualty;
mod check;
mod choice;
mod commissar;
mod describe;
pub mod engagement;
mod fire;
mod heat_of_battle;
mod interdiction;
mod leader_loss;
mod morale;
mod needs;
mod outcome;
mod process;
mod rally;
