//! What happens to whom, and in which order. Every file adds its part of the rulebook to the one
//! [`engagement::Engagement`], which holds no procedure itself, and speaks the words of
//! [`super::vocabulary`].
//!
//! | file | rules |
//! |---|---|
//! | [`engagement`], `process` | what a Location in play is made of, and the process that works its agenda off |
//! | `fire` | 7.3 attacks, A.9 Random Selection, K and KIA |
//! | `check` | 10.1 - 10.41, 7.8 Morale and Task Checks, pins, Voluntary Break |
//! | `morale` | 10.1 - 10.22, 10.7 Morale Level and leadership |
//! | `casualty` | 10.31, 7.302, 17, 19.1 Casualty MC, Reduction, wounds, Replacement |
//! | `leader_loss` | 10.2 LLMC and LLTC |
//! | `heat_of_battle` | 15.1 - 15.5 heroes, Battle Hardening, berserk units, surrender |
//! | `commissar` | 25.22 |
//! | `rally` | 10.6 - 10.64, 18.11, 18.2 Rally and Leader Creation |
//! | `choice` | 10.6, 10.62, 18.11 what a Rally Phase leaves to its owner |
//! | `interdiction` | 10.53, 10.711 the gauntlet, and the leader who goes along |
//! | `needs` | what first rolls need, in words |
//! | `outcome`, `telling` | how units end, and rolls in words |

mod casualty;
mod check;
mod choice;
mod commissar;
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
mod telling;
