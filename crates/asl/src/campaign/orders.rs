//! The parameters of a campaign apart from its map and units, and the enemy's attacks in it (7.3).

use crate::board::map::Location;
use crate::board::terrain::Terrain;
use crate::rout::{Enemy, Situation};
use crate::sequence::OwnRph;
use crate::vocabulary::{Attack, Condition};
use schema::declared::named;

named! {
    /// A phase of a Player Turn in a campaign.
    pub enum Phase {
        /// The RPh (10.6).
        Rally = "rally",
        /// The PFPh of the enemy's Player Turn, or the DFPh of the side's own (7.3).
        Fire = "fire",
        /// The RtPh (10.5).
        Rout = "rout",
    }
}

impl Phase {
    /// Returns the name that players use.
    pub const fn in_words(self) -> &'static str {
        match self {
            Phase::Rally => "RPh",
            Phase::Fire => "fire",
            Phase::Rout => "RtPh",
        }
    }

    /// Returns the default for own RPh (18.11): the first Rally Phase of a campaign is an own one.
    pub fn first_own_rph(self) -> OwnRph {
        if self == Phase::Rally { OwnRph::Odd } else { OwnRph::Even }
    }
}

/// The parameters of a campaign, apart from its map and units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignOrders {
    /// The number of Player Turns. The first one may lack its first phases.
    pub turns: u16,
    /// The phase with which the first Player Turn begins.
    pub begin: Phase,
    /// The Player Turns, from 1, with an own RPh, where the first MMC can Self-Rally (18.11).
    pub own_rph: OwnRph,
    pub fire: Fire,
    /// True if the enemy can hold its fire, attack by attack.
    pub enemy_holds_fire: bool,
    /// True if created units (15.1, 18.2, 19.13) stay until the unit routs, not just in the phase.
    pub created_stay: bool,
    /// The leaders that arrive later: their index in the situation, and their first Player Turn.
    pub arrivals: Vec<(usize, u16)>,
    /// Names of Locations that differ from the names on the map.
    pub names: Vec<(Location, String)>,
}

/// The attacks that the enemy makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fire {
    /// One attack by each enemy that can fire and does not hold its fire, with its own FP.
    Everyone,
    /// Attacks on the listed Locations, and none elsewhere.
    Listed(Vec<(Location, Attack)>),
}

impl Fire {
    /// Returns the listed Locations, with true where DM can result (10.62). `None` for `Everyone`.
    pub(super) fn brings_dm(&self) -> Option<Vec<(Location, bool)>> {
        let Fire::Listed(attacks) = self else { return None };
        let may = |(location, attack): &(Location, Attack)| (*location, attack.may_check_morale());
        Some(attacks.iter().map(may).collect())
    }

    /// Returns the attacks on a Location in one phase of fire. `sheltered` means inside works.
    pub(super) fn attacks(
        &self,
        situation: &Situation,
        location: Location,
        sheltered: bool,
    ) -> Vec<Attack> {
        match self {
            Fire::Listed(attacks) => {
                let here = attacks.iter().filter(|(at, _)| *at == location);
                here.map(|(_, attack)| *attack).collect()
            }
            Fire::Everyone => {
                let attack = |enemy| by(enemy, situation, location, sheltered);
                situation.enemies.iter().filter_map(attack).collect()
            }
        }
    }
}

/// Returns the attack of one enemy, if any (7.3). In this model concealed enemies hold their fire.
fn by(enemy: &Enemy, situation: &Situation, location: Location, sheltered: bool) -> Option<Attack> {
    let unable = [Condition::Broken, Condition::Captured, Condition::Unarmed, Condition::Berserk];
    let circumstances = enemy.circumstances;
    let idle = circumstances.in_melee
        || circumstances.stunned
        || circumstances.concealed
        || circumstances.ti
        || circumstances.holds_fire;
    if idle || unable.into_iter().any(|unable| enemy.is(unable)) {
        return None;
    }
    let hindrance = situation.hindrance_drm(enemy.at, location)?;
    let firepower = enemy.firepower_at(enemy.at.hex.range(location.hex));
    let drm = tem(situation, location, sheltered) + hindrance as i8;
    (firepower > 0).then_some(Attack::new(firepower, drm, 1))
}

/// Returns the TEM of a Location against fire (B.1), or that of the unit's works if it is higher.
fn tem(situation: &Situation, location: Location, sheltered: bool) -> i8 {
    let Some(ground) = situation.map.get(location.hex) else { return 0 };
    let works = ground
        .works
        .filter(|_| sheltered)
        .and_then(|works| Terrain::named(works.name()).ok())
        .map_or(0, |works| works.tem);
    // Shellholes shelter only a unit that has paid MF for them (B2).
    let own = if ground.terrain.id == "shellhole" && !sheltered { 0 } else { ground.terrain.tem };
    own.max(works)
}

impl Enemy {
    /// Returns the FP at a range in hexes, weapon included: tripled at 0, doubled at 1 (7.21),
    /// halved up to twice the Normal Range (7.22), while pinned (7.8) or moving, rounded down.
    fn firepower_at(&self, range: u16) -> u16 {
        let at_range = |(firepower, normal): (u8, u16)| {
            let quarters = match range {
                0 => 12,
                1 => 8,
                _ if range <= normal => 4,
                _ if range <= 2 * normal => 2,
                _ => 0,
            };
            u16::from(firepower) * quarters
        };
        let quarters: u16 = self.armament().into_iter().map(at_range).sum();
        let halved = self.is(Condition::Pinned) || self.circumstances.moving;
        quarters / if halved { 8 } else { 4 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::hex::Hex;
    use crate::rout::Weapon;
    use crate::stack::Stack;

    /// A 6-6-6 with a machine gun of 4 FP and Normal Range 8 has the right FP (7.21, 7.22, 7.8).
    #[test]
    fn firepower_falls_with_range_and_pinning() {
        let member = Stack::parse("american:6-6-6").unwrap().members.remove(0);
        let weapon = Weapon { firepower: 4, range: 8, covered_arc: None, malfunctioned: false };
        let at = Location::ground(Hex::parse("K5").unwrap());
        let mut enemy = Enemy { member: Some(member), weapon: Some(weapon), ..Enemy::new("", at) };
        let by_range = |enemy: &Enemy| {
            [0, 1, 6, 7, 8, 9, 12, 13, 16, 17].map(|range| enemy.firepower_at(range))
        };
        assert_eq!(by_range(&enemy), [30, 20, 10, 7, 7, 5, 5, 2, 2, 0]);
        if let Some(member) = &mut enemy.member {
            member.conditions.set(Condition::Pinned);
        }
        assert_eq!(by_range(&enemy), [15, 10, 5, 3, 3, 2, 2, 1, 1, 0]);
    }
}
