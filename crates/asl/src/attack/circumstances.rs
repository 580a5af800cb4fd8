//! The circumstances of an attack: its phase, its range, and what lies between and at the target.

use crate::board::terrain::Terrain;
use schema::declared::named;
use schema::field::words_of;

named! {
    /// The fire phase or kind of an attack (3, 7.25, 8).
    #[derive(Default)]
    pub enum FirePhase {
        /// The PFPh.
        #[default]
        Prep = "prep",
        /// Defensive First Fire at a moving unit (8.1).
        First = "first",
        /// Subsequent First Fire (8.3).
        Subsequent = "subsequent",
        /// Final Protective Fire (8.31).
        Fpf = "fpf",
        /// The DFPh, by unmarked units (8.4).
        Final = "final",
        /// The DFPh, by units marked First Fire (8.4).
        FinalAgain = "final-again",
        /// The AFPh (7.24).
        Advancing = "advancing",
        /// Opportunity Fire in the AFPh (7.25).
        Opportunity = "opportunity",
    }

    /// How a target moves (4.6).
    #[derive(Default)]
    pub enum Movement {
        /// It has not moved.
        #[default]
        None = "none",
        Assault = "assault",
        NonAssault = "non-assault",
        Dash = "dash",
        /// Hazardous Movement (4.62).
        Hazardous = "hazardous",
    }

    /// TargetWorks in the target hex that give TEM (B2, B27, D9.3).
    #[derive(Default)]
    pub enum TargetWorks {
        #[default]
        None = "none",
        Foxhole = "foxhole",
        Trench = "trench",
        Shellhole = "shellhole",
        Wreck = "wreck",
    }

    /// A hexside of the target hex that the LOS crosses (B9, B29).
    #[derive(Default)]
    pub enum CrossedHexside {
        #[default]
        None = "none",
        Wall = "wall",
        Hedge = "hedge",
        Bocage = "bocage",
        Roadblock = "roadblock",
    }

    /// The side with Wall Advantage over that hexside (B9.3).
    #[derive(Default)]
    pub enum WallAdvantage {
        #[default]
        None = "none",
        Target = "target",
        Firer = "firer",
    }

    /// Which leaders direct fire (10.72).
    #[derive(Default)]
    pub enum Direction {
        /// Leaders of a rating of 0 or better.
        #[default]
        Auto = "auto",
        /// Leaders of any rating.
        Force = "force",
        None = "none",
    }

    /// The use of a Demolition Charge (23).
    #[derive(Default)]
    pub enum DemolitionUse {
        #[default]
        Placed = "placed",
        Thrown = "thrown",
    }
}

words_of!(FirePhase, "PHASE", "no phase is called");
words_of!(Movement, "HOW", "");
words_of!(TargetWorks, "WORKS", "");
words_of!(CrossedHexside, "HEXSIDE", "");
words_of!(WallAdvantage, "WHO", "");
words_of!(Direction, "WHICH", "");
words_of!(DemolitionUse, "USE", "");

impl FirePhase {
    /// Returns whether the attack is in the enemy's MPh.
    pub fn is_in_movement(self) -> bool {
        matches!(self, FirePhase::First | FirePhase::Subsequent | FirePhase::Fpf)
    }

    /// Returns whether all that fires is marked and so halved, its MG as Sustained Fire (8.3, 8.4).
    pub fn is_by_marked(self) -> bool {
        matches!(self, FirePhase::Subsequent | FirePhase::Fpf | FirePhase::FinalAgain)
    }

    /// Returns the name in sentences, such as `Prep Fire`.
    pub fn in_words(self) -> &'static str {
        match self {
            FirePhase::Prep => "Prep Fire",
            FirePhase::First => "First Fire",
            FirePhase::Subsequent => "Subsequent First Fire",
            FirePhase::Fpf => "FPF",
            FirePhase::Final => "Final Fire",
            FirePhase::FinalAgain => "Final Fire by marked units",
            FirePhase::Advancing => "Advancing Fire",
            FirePhase::Opportunity => "Opportunity Fire",
        }
    }
}

impl TargetWorks {
    /// Returns the TEM (B2.3, B27.3, D9.3).
    pub fn tem(self) -> i8 {
        match self {
            TargetWorks::None => 0,
            TargetWorks::Foxhole | TargetWorks::Trench => 2,
            TargetWorks::Shellhole | TargetWorks::Wreck => 1,
        }
    }

    /// Returns the rule of the TEM.
    pub fn rule(self) -> &'static str {
        match self {
            TargetWorks::Shellhole => "B2.3",
            TargetWorks::Wreck => "D9.3",
            TargetWorks::None | TargetWorks::Foxhole | TargetWorks::Trench => "B27.3",
        }
    }

    /// Returns the works that a terrain word stands for, if it does.
    pub fn of_terrain(terrain: &Terrain) -> Option<TargetWorks> {
        TargetWorks::ALL
            .into_iter()
            .find(|works| *works != TargetWorks::None && works.name() == terrain.id)
    }
}

impl CrossedHexside {
    /// Returns the TEM (B9.3, B29.3).
    pub fn tem(self) -> i8 {
        match self {
            CrossedHexside::None => 0,
            CrossedHexside::Hedge => 1,
            CrossedHexside::Wall | CrossedHexside::Bocage | CrossedHexside::Roadblock => 2,
        }
    }

    /// Returns the rule of the TEM.
    pub fn rule(self) -> &'static str {
        match self {
            CrossedHexside::Bocage => "B9.5",
            CrossedHexside::Roadblock => "B29.3",
            CrossedHexside::None | CrossedHexside::Wall | CrossedHexside::Hedge => "B9.3",
        }
    }
}

/// What a Location of firers sees of the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// The range in hexes; 0 is the target's own hex.
    pub range: u8,
    /// The level of the firer less that of the target.
    pub level: i8,
    /// The DRM of Hindrances without SMOKE (6.7).
    pub hindrance: u8,
    pub hexside: CrossedHexside,
    /// The DRM of SMOKE between firer and target (24.2).
    pub smoke_los: u8,
    /// The DRM of SMOKE in the firer's own Location (24.8).
    pub smoke_out: u8,
}

impl Sight {
    /// Returns a TEM as seen from above (B9.33): less by what the height exceeds the range.
    pub fn lowered(&self, tem: i8) -> i8 {
        let above = self.level - self.range.min(100) as i8;
        (tem - above.max(0)).max(0)
    }

    /// Returns the TEM of the hexside. Height lowers walls and hedges only (B9.33, B9.531).
    pub fn hexside_tem(&self) -> i8 {
        let tem = self.hexside.tem();
        match self.hexside {
            CrossedHexside::Wall | CrossedHexside::Hedge => self.lowered(tem),
            CrossedHexside::None | CrossedHexside::Bocage | CrossedHexside::Roadblock => tem,
        }
    }
}

/// The circumstances of an attack that all its firers share.
#[derive(Clone, Debug, Default)]
pub struct AttackCircumstances {
    pub phase: FirePhase,
    pub terrain: &'static Terrain,
    /// A TEM that replaces that of the terrain.
    pub tem: Option<i8>,
    pub works: TargetWorks,
    /// The CA or NCA number of the pillbox of the target (B30.3).
    pub pillbox: Option<i8>,
    pub wall_advantage: WallAdvantage,
    /// True if heroes give no DRM of their own (15.24).
    pub plain_heroes: bool,
    /// True if the target has just crossed the crest hexside of the LOS (B10.31).
    pub crest: bool,
    /// The DRM of SMOKE in the target's Location (24.2).
    pub smoke: u8,
    /// Low Visibility (E3.1).
    pub low_visibility: u8,
    pub night: bool,
    pub movement: Movement,
    /// The MF that the target has spent in its Location, in the enemy's MPh.
    pub mf: u8,
    pub spraying: bool,
    pub snap_shot: bool,
    /// How often terrain of the firers halves their FP (7.23).
    pub area: u8,
    pub direction: Direction,
    /// The squad-equivalents by which the firers' Location is overstacked (5.12).
    pub overstacked_firers: u8,
    /// The squad-equivalents by which the target's Location is overstacked (5.131).
    pub overstacked_target: u8,
    /// The FT that the target has (22.4).
    pub target_flamethrowers: u8,
    pub demolition: DemolitionUse,
    /// True if the MOL Check was passed (22.6).
    pub molotov: bool,
    /// A DRM to be added.
    pub drm: i8,
}

/// The state of target units that one Final DR is for (A.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TargetState {
    pub concealed: bool,
    pub pinned: bool,
    pub broken: bool,
    pub berserk: bool,
}
