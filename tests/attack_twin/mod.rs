//! A "twin" of the rules of fire (A7 - A9, A15.2, A22 - A24, B9, B10): a second, slow
//! implementation, for tests. It follows the text of the rules alone and optimises nothing.
//!
//! * `tables`: the IFT, counters, SW and terrain.
//! * `counters`: counters and SW as printed.
//! * `firers`: who fires, directs and can Cower.
//! * `firepower`: the FP of each unit and SW.
//! * `modifiers`: TEM and the other DRM.
//! * `legality`: what the rules forbid.
//! * `reckoning`: the whole attack before the dice.
//! * `outcomes`: all pairs of dice, breakdown, ROF and Residual FP.
//! * `random`, `random_firers`, `random_crossing`: attacks and crossings for comparisons.
//! * `crossing`: a stack that moves under fire, with the morale rules of `tests/twin`.
//! * `adapter`: conversion of these attacks and their figures for `lowcrawl`.
//!
//! Rule numbers without a letter are those of chapter A; open questions (`I-n`) are read as by
//! default.

pub mod adapter;
mod counters;
pub mod crossing;
mod firepower;
mod firers;
mod legality;
mod modifiers;
mod outcomes;
pub mod random;
pub mod random_crossing;
mod random_firers;
#[path = "../common/ratio.rs"]
#[allow(dead_code)]
mod ratio;
mod reckoning;
mod tables;

use counters::{Counter, UnitKind, Weapon};
use tables::TERRAIN;

/// Declares an enum whose values have a word each; the first value is the default.
macro_rules! words {
    ($name:ident { $first:ident $first_word:literal $(, $value:ident $word:literal)+ }) => {
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name { #[default] $first $(, $value)+ }

        impl $name {
            #[allow(dead_code)]
            pub const ALL: &[$name] = &[$name::$first $(, $name::$value)+];

            pub fn word(self) -> &'static str {
                match self { $name::$first => $first_word $(, $name::$value => $word)+ }
            }
        }
    };
}

words!(Phase {
    Prep "prep", First "first", Subsequent "subsequent", Fpf "fpf", Final "final",
    FinalAgain "final-again", Advancing "advancing", Opportunity "opportunity"
});
words!(Movement {
    None "none", Assault "assault", NonAssault "non-assault", Dash "dash", Hazardous "hazardous"
});
words!(Works {
    None "none", Foxhole "foxhole", Trench "trench", Shellhole "shellhole", Wreck "wreck"
});
words!(Hexside {
    None "none", Wall "wall", Hedge "hedge", Bocage "bocage", Roadblock "roadblock"
});
words!(WallAdvantage { None "none", Target "target", Firer "firer" });
words!(Direction { Auto "auto", Force "force", None "none" });

impl Phase {
    /// Returns whether it is fire in the enemy's MPh (8).
    fn is_in_movement(self) -> bool {
        matches!(self, Phase::First | Phase::Subsequent | Phase::Fpf)
    }

    /// Returns whether all that fires is marked (8.3, 8.31, 8.4).
    fn is_by_marked(self) -> bool {
        matches!(self, Phase::Subsequent | Phase::Fpf | Phase::FinalAgain)
    }
}

/// A SW in the hands of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldWeapon {
    weapon: Weapon,
    /// True if it is marked First Fire.
    is_marked: bool,
}

/// A unit of the firing stack.
#[derive(Clone, Debug, PartialEq)]
pub struct Firer {
    counter: Counter,
    weapons: Vec<HeldWeapon>,
    /// Its conditions, and words such as `sw-only`.
    words: Vec<&'static str>,
}

impl Firer {
    fn new(counter: Counter) -> Firer {
        Firer { counter, weapons: Vec::new(), words: Vec::new() }
    }

    fn is(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    fn set(&mut self, word: &'static str, is_so: bool) {
        self.words.retain(|known| *known != word);
        self.words.extend(is_so.then_some(word));
    }

    fn is_heroic(&self) -> bool {
        self.counter.kind == UnitKind::Hero || self.is("heroic")
    }

    /// Returns whether it is a SMC but no hero.
    fn is_plain_smc(&self) -> bool {
        !self.counter.is_mmc() && !self.is_heroic()
    }
}

/// The firers of one Location.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FiringLocation {
    firers: Vec<Firer>,
    /// SW given to nobody (I-71).
    loose: Vec<Weapon>,
    range: i32,
    /// Hindrance and level, if they are not those of the attack.
    hindrance: Option<i32>,
    level: Option<i32>,
}

/// The state of targets that matters to an attack.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TargetState {
    concealed: bool,
    pinned: bool,
    broken: bool,
    berserk: bool,
}

/// An attack.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attack {
    locations: Vec<FiringLocation>,
    target: Vec<(Counter, TargetState)>,
    phase: Phase,
    terrain: Terrain,
    tem: Option<i32>,
    works: Works,
    pillbox: Option<i32>,
    hexside: Hexside,
    wall_advantage: WallAdvantage,
    level: i32,
    crest: bool,
    hindrance: i32,
    smoke: i32,
    smoke_los: i32,
    smoke_out: i32,
    lv: i32,
    night: bool,
    movement: Movement,
    mf: i32,
    spraying: bool,
    snap_shot: bool,
    area: i32,
    direct: Direction,
    overstack_by: i32,
    overstack_target: i32,
    target_ft: i32,
    dc_thrown: bool,
    mol: bool,
    drm: i32,
}

impl Attack {
    fn level_of(&self, location: usize) -> i32 {
        self.locations[location].level.unwrap_or(self.level)
    }

    fn hindrance_of(&self, location: usize) -> i32 {
        self.locations[location].hindrance.unwrap_or(self.hindrance)
    }
}

/// The terrain of the target hex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terrain {
    word: &'static str,
    tem: i32,
    is_open_ground: bool,
    is_clear: bool,
    /// Twice the level of the top.
    half_levels: i32,
}

impl Terrain {
    fn list() -> Vec<Terrain> {
        let terrain = |line: &'static str| {
            let words: Vec<&'static str> = line.split(' ').collect();
            Terrain {
                word: words[0],
                tem: words[1].parse().unwrap(),
                is_open_ground: words[2] == "open",
                is_clear: words[3] == "clear",
                half_levels: words[4].parse().unwrap(),
            }
        };
        TERRAIN.split(", ").map(terrain).collect()
    }

    fn named(word: &str) -> Terrain {
        Terrain::list().into_iter().find(|terrain| terrain.word == word).unwrap()
    }
}

impl Default for Terrain {
    fn default() -> Terrain {
        Terrain::named("open")
    }
}
