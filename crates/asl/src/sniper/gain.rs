//! The place in which concealment is gained at the end of a Player Turn (12.12 - 12.122).

use crate::board::terrain::{SightEffect, Terrain};
use crate::stack::{Member, Slots};
use crate::vocabulary::{ConcealmentGain, Gain};
use schema::declared::named;
use schema::field::words_of;

named! {
    /// Where the nearest unbroken enemy is.
    pub enum EnemyRange { Within = "within-16", Beyond = "beyond-16", None = "none" }

    /// Whether an unbroken enemy has LOS.
    pub enum EnemyLos { Yes = "yes", No = "no" }
}

words_of!(EnemyRange, "RANGE", "");
words_of!(EnemyLos, "YES", "");

/// The place in which units gain concealment.
#[derive(Clone, Copy, Debug)]
pub struct GainPlace {
    pub terrain: &'static Terrain,
    pub enemy: EnemyRange,
    pub los: EnemyLos,
}

impl GainPlace {
    /// Returns how concealment is gained there (12.12 - 12.122). Terrain that hinders or blocks LOS
    /// is Concealment Terrain.
    fn way(self) -> Gain {
        let is_seen = self.enemy != EnemyRange::None && self.los == EnemyLos::Yes;
        let is_concealing = self.terrain.sight != SightEffect::Open;
        match (is_concealing, is_seen, self.enemy) {
            (true, false, _) => Gain::Always,
            (true, true, EnemyRange::Beyond) => Gain::ByDr,
            (false, false, EnemyRange::Beyond | EnemyRange::None) => Gain::Always,
            (false, false, EnemyRange::Within) => Gain::ByDr,
            _ => Gain::Never,
        }
    }

    /// Returns the gain by the members of a stack there.
    pub(crate) fn gain(self, members: &[Member]) -> ConcealmentGain {
        let slots = |is: fn(&Member) -> bool| -> Slots {
            (0..).zip(members).filter(|(_, member)| is(member)).map(|(place, _)| place).collect()
        };
        ConcealmentGain {
            gain: self.way(),
            tem: self.terrain.tem,
            lax: slots(|member| member.role.lax),
            stealthy: slots(|member| member.role.stealthy),
        }
    }
}
