//! The gain of concealment at the end of a Player Turn (12.12 - 12.122), and which units are Lax or
//! Stealthy (11.17, 11.18).

use super::unit::{Condition, Unit};
use crate::catalogue::{Class, Counter, CounterKind};
use crate::nation::Nation;
use crate::stack::Slots;

/// The largest modified dr that gains concealment (12.122).
const MOST: i8 = 5;

/// How concealment is gained in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gain {
    Always,
    ByDr,
    Never,
}

/// The gain of concealment by the units of a Location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConcealmentGain {
    pub gain: Gain,
    /// The TEM of the Location.
    pub tem: i8,
    /// The units that are Lax, and those that are Stealthy, by SSR.
    pub lax: Slots,
    pub stealthy: Slots,
}

/// The facts about a unit and its companions that count for its dr (12.122).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConcealmentRoll {
    pub kind: CounterKind,
    /// The leadership of the best leader beside it, if there is one.
    pub leadership: Option<i8>,
    pub is_lax: bool,
    pub is_stealthy: bool,
}

impl ConcealmentGain {
    /// Returns the gain of fewer units. `place_of` maps slots, from 0, to their indices.
    pub(crate) fn within(self, place_of: impl Fn(usize) -> Option<u8>) -> ConcealmentGain {
        let (lax, stealthy) = (self.lax.within(&place_of), self.stealthy.within(&place_of));
        ConcealmentGain { lax, stealthy, ..self }
    }

    /// Returns the highest dr with which a unit gains concealment: 0 never, 6 always.
    pub(crate) fn highest_dr(self, roll: ConcealmentRoll) -> u8 {
        let size = match roll.kind {
            CounterKind::Squad => 3,
            CounterKind::HalfSquad | CounterKind::Crew => 2,
            _ => 1,
        };
        let drm = size + roll.leadership.unwrap_or(0) + i8::from(roll.is_lax)
            - i8::from(roll.is_stealthy && !roll.is_lax)
            - self.tem.max(0);
        match self.gain {
            Gain::Always => 6,
            Gain::ByDr => (MOST - drm).clamp(0, 6) as u8,
            Gain::Never => 0,
        }
    }
}

/// Returns whether units of the kind are Lax although they are experienced: Italian MMC that are
/// not elite (25.64).
pub(crate) fn lax_by_kind(counter: &Counter) -> bool {
    !counter.kind.is_smc() && counter.nation == Nation::Italian && counter.class != Class::Elite
}

/// Returns whether a unit is Stealthy by its kind (11.17, 15.24, 25.7, 25.24).
pub(crate) fn stealthy_by_kind(counter: &Counter, unit: &Unit) -> bool {
    let is_elite_finn =
        counter.nation == Nation::Finnish && matches!(counter.class, Class::Elite | Class::First);
    is_elite_finn
        || counter.nation == Nation::Partisan
        || counter.kind == CounterKind::Hero
        || unit.is(Condition::Heroic)
}
