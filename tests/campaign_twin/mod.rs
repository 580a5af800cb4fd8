//! A "twin" of the campaign on abstract ground: a second, slow implementation, for tests.
//!
//! It follows the text of the rules alone (profile asl_v3, default interpretations, Heat of Battle
//! off). It uses only the catalogue of counters of the crates, and the Infantry Fire Table of
//! `twin`. It plays a squad, half-squad, crew or leader hex by hex and phase by phase, and tries
//! every option of both sides. Its only shortcut is that the value of a position is computed once.
//!
//! Pins are not represented, except for the pin that ends a rout (10.53). A pinned unit is in Good
//! Order (A.7), may break of its own accord (10.41) and checks like any other. Pins end with the
//! Player Turn.
#![allow(dead_code)]

pub mod ground;
pub mod man;
pub mod morale;
pub mod random;
pub mod rout;
pub mod solver;

use ground::Terrain;

/// A lane (a row of hexes away from the enemy) with the unit, the leaders and the enemy on it.
#[derive(Clone, Debug)]
pub struct TwinLane {
    pub unit: TwinUnit,
    pub here: Terrain,
    pub cover: Terrain,
    pub open: i8,
    pub interdicted: i8,
    pub exposed: bool,
    pub range: i8,
    pub fp: i32,
    pub cover_fp: i32,
    pub drm: i32,
    /// 7.9: the number of columns that the attack loses on doubles.
    pub cowering: i32,
    pub leader: Option<&'static str>,
    pub leader_here: Option<&'static str>,
    pub leader_turn: Option<u8>,
    pub elr: i32,
    pub turns: u8,
    pub begin: Phase,
    pub own_rph: OwnRph,
    pub enemy_holds_fire: bool,
    pub no_quarter: bool,
}

/// The unit as it begins; `id` identifies its counter in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct TwinUnit {
    pub id: &'static str,
    pub broken: bool,
    pub dm: bool,
    pub disrupted: bool,
    pub wounded: bool,
    pub fanatic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Rally,
    Fire,
    Rout,
}

/// 18.11: the Player Turns in which the RPh belongs to the unit's own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnRph {
    Odd,
    Even,
    Never,
    /// The field is not given; the first Rally Phase of the campaign is then the side's own.
    Unsaid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    GoodOrder,
    Survives,
    InCover,
    SquadEquivalents,
    Cvp,
}

impl Objective {
    pub const ALL: [Objective; 5] = [
        Objective::GoodOrder,
        Objective::Survives,
        Objective::InCover,
        Objective::SquadEquivalents,
        Objective::Cvp,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Objective::GoodOrder => "good-order",
            Objective::Survives => "survives",
            Objective::InCover => "in-cover",
            Objective::SquadEquivalents => "squad-equivalents",
            Objective::Cvp => "cvp",
        }
    }
}

/// An option of the first decision. Hexes are counted from the unit's first hex, which is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    Nothing,
    TryToRally,
    DoNotTry,
    RemoveDm,
    KeepDm,
    Fire,
    HoldFire,
    HoldPlace,
    Break,
    Stay,
    RunFor(i8),
    RoutFreely,
    LowCrawl(i8),
    Step(i8),
    Stop,
}

/// The value of the campaign, and the options of its first decision, if it has one.
pub struct Answer {
    pub value: f64,
    pub options: Vec<(Act, f64)>,
}

pub fn answer(lane: &TwinLane, objective: Objective) -> Answer {
    solver::Solver::new(lane, objective).answer()
}
