//! The gain of concealment at the end of a Player Turn (12.12 - 12.122).

use crate::board::terrain::{SightEffect, Terrain};
use crate::catalogue::{Class, CounterKind};
use crate::close_combat::ambush::{lax_by_kind, stealthy_by_kind};
use crate::engagement::Engagement;
use crate::stack::Member;
use crate::unit::{Condition, Unit};
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

/// The largest modified dr that gains concealment (12.122).
const MOST: i8 = 5;

/// The place in which units gain concealment.
#[derive(Clone, Copy, Debug)]
pub struct GainPlace {
    pub terrain: &'static Terrain,
    pub enemy: EnemyRange,
    pub los: EnemyLos,
}

/// How concealment is gained in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gain {
    Always,
    ByDr,
    Never,
}

impl GainPlace {
    /// Returns how concealment is gained there (12.12 - 12.122). Terrain that hinders or blocks LOS
    /// is Concealment Terrain.
    pub fn gain(self) -> Gain {
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
}

/// Returns the highest dr with which each unit gains concealment: 0 never, 6 always.
pub fn highest_drs(engagement: &Engagement, members: &[Member], place: GainPlace) -> Vec<u8> {
    let units = &engagement.units;
    let is_good_order = |unit: &Unit| unit.is_steady();
    let leads = |unit: &Unit| unit.leads && is_good_order(unit);
    (0..units.len())
        .map(|own| {
            let unit = &units[own];
            if !is_good_order(unit) || members[own].concealed || place.gain() == Gain::Never {
                return 0;
            }
            if place.gain() == Gain::Always {
                return 6;
            }
            let others = (0..units.len()).filter(|&other| other != own && leads(&units[other]));
            let leadership = others.map(|leader| engagement.leadership(&units[leader])).min();
            let counter = engagement.counter(unit);
            let size = match counter.kind {
                CounterKind::Squad => 3,
                CounterKind::HalfSquad | CounterKind::Crew => 2,
                _ => 1,
            };
            let is_led = units.iter().any(leads);
            let is_inexperienced = unit.is(Condition::Unarmed)
                || !counter.kind.is_smc()
                    && (counter.class == Class::Conscript
                        || counter.class == Class::Green && !is_led);
            let role = &members[own].role;
            let is_lax = role.lax || lax_by_kind(counter) || is_inexperienced;
            let is_stealthy = !is_lax && (role.stealthy || stealthy_by_kind(counter, unit));
            let drm = size + leadership.unwrap_or(0) + i8::from(is_lax)
                - i8::from(is_stealthy)
                - place.terrain.tem.max(0);
            (MOST - drm).clamp(0, 6) as u8
        })
        .collect()
}
