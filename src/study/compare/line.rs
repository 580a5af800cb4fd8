//! A question of any morale system, played by a policy, as a course of action.

use std::fmt;

use super::{Comparable, Ending};
use crate::course::line::Line;
use crate::process::{Point, Process, Question};
use crate::system::{Asked, Played};

/// How a unit ends, in the order of the statuses of its system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    is_enemy: bool,
    place: usize,
    status: &'static str,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_enemy { "enemy " } else { "" }, self.status)
    }
}

impl<Q: Played + Send + 'static> Comparable for Line<Q> {
    type End = End;
    type Standing = Vec<f64>;

    fn units(&self) -> u8 {
        Asked::units(self)
    }

    fn ending(&self, point: Point, outcome: &<Self::Process as Process>::Outcome) -> Option<Ending<End, Vec<f64>>> {
        let (slot, standing) = self.question().ending(point, outcome)?;
        let status = self.label(point, outcome).status?;
        let place = self.statuses().iter().position(|known| *known == status)?;
        Some(Ending { slot, end: End { is_enemy: slot > Asked::units(self), place, status }, standing })
    }
}
