//! A "twin" of the Rout rules (A10.5 - A10.533, A20.21): a second, slow implementation, for tests.
//! It follows the text of the rules alone, tries every legal play, and optimises nothing.
//!
//! * `geometry`: hexes, ranges, and the hexsides through which a line enters a hex.
//! * `legality`: Known enemies, legal steps and their MF, Interdictors, and forbidden positions.
//! * `destination`: nearest cover, ignorable cover, free rout, and Low Crawl.
//! * `plays`: one step of a rout with its dice.
//! * `search`: the tree of all plays.
//! * `random`: situations for comparisons.
//! * `adapter`: conversion of these situations for `lowcrawl`.
//!
//! Heat of Battle is off, no friendly leader goes along, and MF are counted in half-MF.
#![allow(dead_code)]

pub mod adapter;
pub mod destination;
pub mod geometry;
pub mod legality;
pub mod plays;
pub mod random;
#[path = "../common/ratio.rs"]
pub mod ratio;
pub mod search;

use std::collections::{BTreeMap, BTreeSet};

pub type HexAt = (i32, i32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terrain {
    Open,
    Woods,
    WoodsRoad,
    Building,
    Orchard,
    Grain,
    Shellholes,
    Gully,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SideTerrain {
    #[default]
    None,
    Wall,
    Hedge,
    Cliff,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwinHex {
    pub terrain: Terrain,
    /// The elevation in levels; a gully on level 0 has -1.
    pub level: i32,
    /// The number of the building; hexes with equal numbers are one building.
    pub building: Option<u32>,
    /// The sides with a road: bit 0 N, 1 NE, 2 SE, 3 S, 4 SW, 5 NW.
    pub road_sides: u8,
    /// The hexside terrain in the same order. A hexside has it if either of its hexes names it.
    pub walls: [SideTerrain; 6],
    pub smoke: bool,
    pub blaze: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwinEnemy {
    pub at: HexAt,
    pub range: i32,
    pub fp: i32,
    pub armed: bool,
    pub broken: bool,
    pub pinned: bool,
    pub cx: bool,
    pub melee: bool,
    pub concealed: bool,
    pub encircled: bool,
    pub berserk: bool,
    pub disrupted: bool,
    pub leader_without_sw: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Squad,
    HalfSquad,
    Leader,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwinUnit {
    pub at: HexAt,
    pub kind: Kind,
    /// The printed broken ML, without wounds and the Fanatic bonus.
    pub broken_morale: i32,
    pub dm: bool,
    pub wounded: bool,
    pub disrupted: bool,
    pub encircled: bool,
    pub fanatic: bool,
    pub entrenched: bool,
}

/// I-14: the Known enemies to which an ignored hex may be no nearer than the starting hex: any one
/// of them, the nearest, or all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoFarther {
    #[default]
    Any,
    Nearest,
    All,
}

/// I-15: the part of a rout that must be free of Interdiction for a unit not to surrender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SafePart {
    #[default]
    Whole,
    FirstHex,
    EndingAdjacent,
}

/// Switches of the rules. A `false` stands for the third edition with default interpretations, and
/// a `true` for the alternative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    pub i10_wound_ends_rout: bool,
    pub i11_open_end_needs_interdictor: bool,
    pub i12_crawl_by_hexes: bool,
    pub i13_nearest_over_all_routes: bool,
    pub i14: NoFarther,
    pub i15: SafePart,
    pub i33_cap_after_sum: bool,
    pub i36_disrupted_ignores_enemy: bool,
    pub i38_from_refigured_hex: bool,
    pub i54_unseen_enemy_bars: bool,
    pub i55_half_squad_may_stop: bool,
    pub i56_never_back_to_start: bool,
    pub i57_surrender_by_known_only: bool,
    pub i58_refigure_always: bool,
    pub i59_vertex_crosses_nothing: bool,
    pub i60_crawl_to_nearest: bool,
    pub i61_broken_enemy_forces: bool,
    pub i62_woods_road_never_open: bool,
    pub i63_present_keu_only: bool,
    pub i63_cover_must_move_on: bool,
    /// 10.5 of the second edition: enemies in Melee also count.
    pub v2_melee_enemies_force: bool,
    /// 10.51 of the second edition and the Starter Kit: no step may lead nearer to any Known enemy,
    /// even an unarmed one.
    pub v2_any_enemy_direction: bool,
    /// 10.531 of the second edition: a unit with any rout left, even Low Crawl, does not surrender.
    pub v2_surrender_without_rout_only: bool,
    /// 10.532 of the second edition: Encircled enemies Interdict.
    pub v2_encircled_interdicts: bool,
    pub sk_no_surrender: bool,
    /// Starter Kit: in Open Ground only a Good Order enemy able to Interdict the hex forces a rout.
    /// Beside the unit any unbroken Known enemy does, even an unarmed one.
    pub sk_forcing_enemies: bool,
    /// Starter Kit: all neighbouring hexes are adjacent.
    pub sk_hex_adjacency: bool,
}

impl Switches {
    /// Returns the switches of the Starter Kit (rules section 19).
    pub fn starter_kit() -> Self {
        Self {
            i11_open_end_needs_interdictor: true,
            i55_half_squad_may_stop: true,
            v2_any_enemy_direction: true,
            sk_no_surrender: true,
            sk_forcing_enemies: true,
            sk_hex_adjacency: true,
            ..Self::default()
        }
    }

    /// Returns the switches of the second edition (rules section 20).
    pub fn second_edition() -> Self {
        Self {
            i55_half_squad_may_stop: true,
            v2_melee_enemies_force: true,
            v2_any_enemy_direction: true,
            v2_surrender_without_rout_only: true,
            v2_encircled_interdicts: true,
            ..Self::default()
        }
    }
}

#[derive(Clone, Debug)]
pub struct TwinSituation {
    pub map: BTreeMap<HexAt, TwinHex>,
    /// The number of Hindrances on each clear line, stored in at least one order of its ends. A
    /// pair that is absent has no LOS. A hex always sees itself.
    pub los: BTreeMap<(HexAt, HexAt), u32>,
    pub unit: TwinUnit,
    pub enemies: Vec<TwinEnemy>,
    pub no_quarter: bool,
    pub switches: Switches,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Must,
    May,
    Cannot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FirstAction {
    Stay,
    Step(HexAt),
    LowCrawl(HexAt),
}

#[derive(Clone, Debug)]
pub struct TwinAnswer {
    pub verdict: Verdict,
    pub surrenders: bool,
    pub known: BTreeSet<HexAt>,
    pub first_steps: BTreeSet<HexAt>,
    /// The cost of each cover hex in reach, in half-MF.
    pub cover: BTreeMap<HexAt, i32>,
    pub ignorable: BTreeSet<HexAt>,
    pub destinations: BTreeSet<HexAt>,
    pub free_rout: bool,
    pub low_crawl: BTreeSet<HexAt>,
    pub interdicted: BTreeMap<HexAt, BTreeSet<HexAt>>,
    pub ends: BTreeSet<HexAt>,
    pub best: BTreeMap<FirstAction, (f64, f64)>,
}

pub fn answer(situation: &TwinSituation) -> TwinAnswer {
    let ground = legality::Ground::new(situation);
    let start = situation.unit.at;
    let known = ground.seen_from(start);
    let choice = destination::at_start(&ground);
    let verdict = ground.verdict();
    let surrenders = search::surrenders(&ground);
    let (ends, best) = search::outcomes(&ground, verdict, surrenders);
    TwinAnswer {
        verdict,
        surrenders,
        known: ground.hexes_of(known),
        first_steps: ground
            .steps(start, known, ground.allotment(), ground.dug_in(start, None))
            .into_iter()
            .map(|step| step.to)
            .collect(),
        low_crawl: destination::low_crawls(&ground, &choice),
        interdicted: destination::interdicted(&ground),
        cover: choice.cover,
        ignorable: choice.ignorable,
        destinations: choice.destinations,
        free_rout: choice.free_rout,
        ends,
        best,
    }
}
