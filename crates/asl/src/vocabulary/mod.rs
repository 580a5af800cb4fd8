//! What the rules speak of: units and their conditions, the state of a Location, and values with
//! the arithmetic a player does on them. Nothing here knows in which order things happen: that is
//! [`super::play`], which nothing here uses.
//!
//! | file | rules |
//! |---|---|
//! | [`mod@unit`], [`scene`] | conditions and statuses; the enemy, as far as morale rules ask about him |
//! | [`location`], [`stage`], [`when`] | the state of a Location with its agenda; what happens there, and on which condition |
//! | [`attack`] | 7.3 the Infantry Fire Table, 7.9 Cowering |
//! | [`check`] | 10.1, 7.8, 10.31 a Morale or Task Check |
//! | [`heat`] | 15.1 the Heat of Battle table |
//! | [`rally`] | 10.6 - 10.64 a Rally attempt, 18.2 Leader Creation |
//! | [`gauntlet`] | 10.53, 17.2 Interdicted hexes and MF |
//! | [`choice`] | what a Rally Phase leaves to its owner |
//! | [`terms`], [`verdict`] | what any roll is compared with, and what it means |
//! | [`outcome`], [`telling`] | how units end, and how that is told |

pub mod attack;
pub mod check;
pub mod choice;
pub mod gauntlet;
pub mod heat;
pub mod location;
pub mod outcome;
pub mod rally;
pub mod scene;
pub mod stage;
pub mod telling;
pub mod terms;
pub mod unit;
pub mod verdict;
pub mod when;
