//! Open Ground, as a given enemy sees it (10.531).

use super::situation::{Enemy, Situation};
use crate::board::hex::{Side, Sides};
use crate::board::map::Site;
use crate::board::movement::{Step, Way};
use crate::board::terrain::OpenGround;
use crate::rulebook::Switch;

/// How a unit stands in a Location: as it has just entered, or at rest, in the works or shellholes
/// or outside.
#[derive(Clone, Copy)]
pub(super) enum Stance {
    Entering { from: Site, step: Step },
    AtRest { sheltered: bool },
}

impl Situation {
    /// 10.531: whether hypothetical Defensive First Fire of that enemy would have the FFMO DRM, his
    /// LOS being free of Hindrances: there is no SMOKE, and no TEM of any sort applies, of terrain,
    /// works, hexside (B9.3) or Height Advantage (B10.31).
    pub(super) fn is_bare_to(&self, enemy: &Enemy, site: Site, stance: Stance) -> bool {
        let (Some(ground), Some(theirs)) = (self.map.get(site.hex), self.map.get(enemy.at.hex))
        else {
            return false;
        };
        let smoke = ground.smoke || theirs.smoke || ground.blaze;
        let entered = site.hex.entered_from(enemy.at.hex);
        !smoke
            && site.level == 0
            && self.is_bare(site, stance, entered)
            && !self.has_height_advantage(enemy, site, stance)
    }

    /// The same as far as the hex itself goes, its hexsides included.
    fn is_bare(&self, site: Site, stance: Stance, entered: Sides) -> bool {
        let Some(ground) = self.map.get(site.hex) else { return false };
        let sheltered = match stance {
            Stance::Entering { step, .. } => matches!(step.way, Way::Sheltered | Way::Trench),
            Stance::AtRest { sheltered } => sheltered,
        };
        let along_road = |side: Side| {
            !self.rulebook.chooses(Switch::RoadNeverInterdicted) && entered.has(side.opposite())
        };
        let terrain = match (ground.terrain.open_ground, stance) {
            (OpenGround::Yes, _) => !sheltered,
            (OpenGround::AtMinimum, _) => !sheltered,
            (OpenGround::AlongRoad, _) => ground.road.iter().any(|side| entered.has(side)),
            // B3: at the road rate the road is what is entered; I-62 says to whom a woods-road is.
            (OpenGround::No, Stance::Entering { step, .. }) if step.way == Way::Road => {
                !ground.is_cover() || step.side.is_some_and(along_road)
            }
            (OpenGround::No, _) => false,
        };
        terrain && !self.is_behind_hexside(site, entered)
    }

    /// B9.3, I-59: whether a wall, hedge or the like runs along the side through which the LOS
    /// comes, or along one of the two at its vertex.
    fn is_behind_hexside(&self, site: Site, entered: Sides) -> bool {
        let through_vertex = entered.iter().count() > 1;
        let counts = !through_vertex || !self.rulebook.chooses(Switch::VertexUnprotected);
        let protects =
            |side| self.map.barrier(site.hex, side).is_some_and(|barrier| barrier.has_tem());
        counts && entered.iter().any(protects)
    }

    /// B10.31: whether the unit stands higher than the enemy, unless his LOS crosses the crest
    /// hexside it has just crossed.
    fn has_height_advantage(&self, enemy: &Enemy, site: Site, stance: Stance) -> bool {
        let level =
            |site: Site| self.map.get(site.hex).map_or(0, |ground| ground.level) + site.level as i8;
        let crossed = match stance {
            Stance::Entering { from, step } if level(from) != level(site) => {
                step.side.map(|side| side.opposite())
            }
            _ => None,
        };
        let lost = crossed.is_some_and(|side| site.hex.entered_from(enemy.at.hex).has(side));
        level(site) > level(enemy.at) && !lost
    }
}
