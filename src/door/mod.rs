//! The way in: the one list of games.

use crate::course::game::Asl;
use crate::fortitude::Fortitude;
use crate::reaction::Reaction;
use crate::system::House;

/// All games there are.
pub fn house() -> House {
    House::new(vec![&Asl, &Fortitude, &Reaction])
}
