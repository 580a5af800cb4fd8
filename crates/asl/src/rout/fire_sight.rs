//! What firers on a map see of a Location: range, level, Hindrance and hexside of their LOS.

use super::situation::Situation;
use crate::attack::circumstances::{CrossedHexside, Sight};
use crate::board::geometry::BLOCKING;
use crate::board::map::{Barrier, Location};

impl Situation {
    /// Returns what firers in one Location see of another; `None` without LOS. Hindrances of 6 or
    /// more block it (B.10). The Hindrance has that of SMOKE.
    pub fn fire_sight(&self, from: Location, to: Location) -> Option<Sight> {
        let hindrance = self.hindrance_drm(from, to).filter(|drm| *drm < BLOCKING)?;
        Some(Sight {
            range: u8::try_from(from.hex.range(to.hex)).ok()?,
            level: self.map.level(from).saturating_sub(self.map.level(to)),
            hindrance,
            hexside: self.crossed_hexside(from, to),
            smoke_los: 0,
            smoke_out: 0,
        })
    }

    /// Returns the hexside of a Location at ground level that a LOS crosses: the best for a target
    /// there if it comes through a vertex.
    fn crossed_hexside(&self, from: Location, to: Location) -> CrossedHexside {
        let crossed = |barrier: Barrier| match barrier {
            Barrier::Wall => CrossedHexside::Wall,
            Barrier::Hedge => CrossedHexside::Hedge,
            Barrier::Bocage => CrossedHexside::Bocage,
            Barrier::Roadblock => CrossedHexside::Roadblock,
            Barrier::Cliff | Barrier::RowhouseWall | Barrier::FactoryWall => CrossedHexside::None,
        };
        let crossed = self.hexsides_before(to, to.hex.entered_from(from.hex)).map(crossed);
        let crossed = crossed.filter(|_| to.level == 0).max_by_key(|hexside| hexside.tem());
        crossed.unwrap_or_default()
    }
}
