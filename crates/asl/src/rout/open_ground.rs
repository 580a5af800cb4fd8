//! Open Ground from the position of a given enemy (10.531).

use super::situation::{Enemy, Situation};
use crate::board::hex::{Hexside, Hexsides};
use crate::board::map::{Barrier, Location};
use crate::board::movement::{EntryMode, MoveOption};
use crate::board::terrain::OpenGround;
use crate::rulebook::Switch;

/// The posture of a unit: just entering a Location, or at rest in works or shellholes or outside.
#[derive(Clone, Copy)]
pub(super) enum Stance {
    Entering { from: Location, step: MoveOption },
    AtRest { sheltered: bool },
}

impl Situation {
    /// Returns whether a Location is Open Ground from the position of `enemy` (10.531): no upper
    /// level, SMOKE, or TEM of terrain, works, hexside (B9.3) or Height Advantage (B10.31). The
    /// caller checks that the LOS has no Hindrance.
    pub(super) fn is_bare_to(&self, enemy: &Enemy, location: Location, stance: Stance) -> bool {
        let (Some(ground), Some(enemy_hex)) =
            (self.map.get(location.hex), self.map.get(enemy.at.hex))
        else {
            return false;
        };
        let smoke = ground.smoke || enemy_hex.smoke || ground.blaze;
        let entered = location.hex.entered_from(enemy.at.hex);
        !smoke
            && location.level == 0
            && self.is_bare(location, stance, entered)
            && !self.has_height_advantage(enemy, location, stance)
    }

    /// Returns whether the hex gives no TEM against a LOS through the hexsides `entered`.
    fn is_bare(&self, location: Location, stance: Stance, entered: Hexsides) -> bool {
        let Some(ground) = self.map.get(location.hex) else { return false };
        let sheltered = match stance {
            Stance::Entering { step, .. } => {
                matches!(step.way, EntryMode::Sheltered | EntryMode::Trench)
            }
            Stance::AtRest { sheltered } => sheltered,
        };
        let along_road = |side: Hexside| {
            !self.rulebook.chooses(Switch::RoadNeverInterdicted) && entered.has(side.opposite())
        };
        let terrain = match (ground.terrain.open_ground, stance) {
            (OpenGround::Yes, _) => !sheltered,
            (OpenGround::AtMinimum, _) => !sheltered,
            (OpenGround::AlongRoad, _) => ground.road.iter().any(|side| entered.has(side)),
            // At the road rate a unit is on the road (B3). I-62 says which units may use a woods-road.
            (OpenGround::No, Stance::Entering { step, .. }) if step.way == EntryMode::Road => {
                !ground.is_cover() || step.side.is_some_and(along_road)
            }
            (OpenGround::No, _) => false,
        };
        terrain && self.hexsides_before(location, entered).next().is_none()
    }

    /// Returns the walls and the like where the LOS enters (B9.3), at a vertex by I-59.
    pub(crate) fn hexsides_before(
        &self,
        location: Location,
        entered: Hexsides,
    ) -> impl Iterator<Item = Barrier> {
        let through_vertex = entered.iter().count() > 1;
        let counts = !through_vertex || !self.rulebook.chooses(Switch::VertexUnprotected);
        let entered = entered.iter().filter(move |_| counts);
        let barriers = entered.filter_map(move |side| self.map.barrier(location.hex, side));
        barriers.filter(|barrier| barrier.has_tem())
    }

    /// Returns whether the unit is higher than the enemy (B10.31). Its height does not count if the
    /// LOS crosses the crest hexside that the unit has just crossed.
    fn has_height_advantage(&self, enemy: &Enemy, location: Location, stance: Stance) -> bool {
        let level = |location: Location| self.map.level(location);
        let crossed = match stance {
            Stance::Entering { from, step } if level(from) != level(location) => {
                step.side.map(|side| side.opposite())
            }
            _ => None,
        };
        let lost = crossed.is_some_and(|side| location.hex.entered_from(enemy.at.hex).has(side));
        level(location) > level(enemy.at) && !lost
    }
}
