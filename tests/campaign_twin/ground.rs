//! The lane: a row of hexes that leads away from the enemy. The unit begins in hex 0, and an
//! ADJACENT enemy is in hex -1.

use super::TwinLane;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terrain {
    Open,
    Brush,
    Grain,
    Woods,
    WoodenBuilding,
    StoneBuilding,
}

impl Terrain {
    /// Returns the cost of entry, in half-MF.
    fn cost(self) -> i8 {
        match self {
            Terrain::Open => 2,
            Terrain::Grain => 3,
            _ => 4,
        }
    }

    fn tem(self) -> i32 {
        match self {
            Terrain::Open | Terrain::Brush | Terrain::Grain => 0,
            Terrain::Woods => 1,
            Terrain::WoodenBuilding => 2,
            Terrain::StoneBuilding => 3,
        }
    }

    /// Returns whether the terrain is woods or a building. Both are cover (10.51), help to rally
    /// (10.61) and end DM (10.62).
    pub fn is_cover(self) -> bool {
        matches!(self, Terrain::Woods | Terrain::WoodenBuilding | Terrain::StoneBuilding)
    }

    /// Returns the word for the terrain in requests.
    pub fn name(self) -> &'static str {
        match self {
            Terrain::Open => "open_ground",
            Terrain::Brush => "brush",
            Terrain::Grain => "grain",
            Terrain::Woods => "woods",
            Terrain::WoodenBuilding => "bldg_wood",
            Terrain::StoneBuilding => "bldg_stone",
        }
    }
}

/// 10.532: the longest range, in hexes, at which units Interdict.
const INTERDICTION_RANGE: i8 = 16;

impl TwinLane {
    pub fn terrain(&self, hex: i8) -> Terrain {
        match hex {
            0 => self.here,
            _ if hex <= self.open => Terrain::Open,
            _ => self.cover,
        }
    }

    pub fn is_cover(&self, hex: i8) -> bool {
        self.terrain(hex).is_cover()
    }

    /// Returns the cost of entry into a hex, in half-MF.
    pub fn cost(&self, hex: i8) -> i8 {
        self.terrain(hex).cost()
    }

    pub fn range_to(&self, hex: i8) -> i8 {
        self.range + hex
    }

    pub fn is_enemys(&self, hex: i8) -> bool {
        self.range_to(hex) == 0
    }

    /// Returns whether the enemy has a LOS to the hex, at any range.
    pub fn sees(&self, hex: i8) -> bool {
        match hex {
            0 => self.exposed,
            _ if hex < 0 => true,
            _ if hex <= self.open => hex <= self.interdicted,
            _ => self.cover_fp > 0,
        }
    }

    /// A.8: returns whether the hex is ADJACENT to the enemy: a neighbour with a LOS.
    pub fn is_adjacent(&self, hex: i8) -> bool {
        self.range_to(hex) == 1 && self.sees(hex)
    }

    /// Returns whether the hex is ADJACENT to the enemy, or is the enemy's hex.
    pub fn is_beside_enemy(&self, hex: i8) -> bool {
        self.is_adjacent(hex) || self.is_enemys(hex)
    }

    /// 10.531: returns whether the -1 of FFMO would apply, in the enemy's LOS and Normal Range.
    pub fn is_open_in_sight(&self, hex: i8) -> bool {
        self.terrain(hex) == Terrain::Open && self.sees(hex)
    }

    /// 10.53, 10.532: returns whether a unit that enters the hex is Interdicted.
    pub fn is_interdicted(&self, hex: i8) -> bool {
        self.is_open_in_sight(hex) && self.range_to(hex) <= INTERDICTION_RANGE
    }

    pub fn neighbours(&self, hex: i8) -> impl Iterator<Item = i8> + use<> {
        let first = if self.range == 1 { -1 } else { 0 };
        let last = self.open + 1;
        [hex - 1, hex + 1].into_iter().filter(move |next| (first..=last).contains(next))
    }

    /// 7.3: returns the FP and DRM of the enemy's attack on the hex; `None` if there is no attack.
    pub fn attack(&self, hex: i8) -> Option<(i32, i32)> {
        let fp = if hex > self.open { self.cover_fp } else { self.fp };
        (fp > 0 && self.sees(hex)).then(|| (fp, self.drm + self.terrain(hex).tem()))
    }

    /// Returns the leader in the hex in this Player Turn.
    pub fn leader(&self, hex: i8, turn: u8) -> Option<&'static str> {
        match hex {
            0 => self.leader_here,
            _ if hex > self.open => {
                self.leader.filter(|_| self.leader_turn.is_none_or(|from| from <= turn))
            }
            _ => None,
        }
    }
}
