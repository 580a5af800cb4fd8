//! A "twin" of Close Combat (A11): a second, slow implementation, for tests. It follows the text of
//! the rules alone, with plain recursion over the dice, and optimises nothing.
//!
//! * `counters`: counters as printed, and the tables.
//! * `attack`: FP, odds and DRM of one attack, and its results.
//! * `ambush`: the drm of the Ambush dr.
//! * `round`: who attacks whom, Leader Creation and Infiltration in one CCPh.
//! * `ending`: the results of a CCPh, and the next Player Turn.
//! * `random`: engagements for comparisons.
//! * `adapter`: conversion of engagements and of answers for `lowcrawl`.
//!
//! Open questions (`I-n`) are read as by default.
#![allow(dead_code)]

pub mod adapter;
mod ambush;
mod attack;
mod counters;
mod ending;
pub mod random;
mod round;

use std::collections::BTreeMap;

/// The place of a unit: in the Location, withdrawn, lost or taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    #[default]
    Here,
    Away,
    Dead,
    Captured,
}

/// A unit. `counter` is the row in the catalogue.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Man {
    pub counter: usize,
    pub place: Place,
    pub broken: bool,
    pub dm: bool,
    pub pinned: bool,
    pub wounded: bool,
    pub fanatic: bool,
    pub heroic: bool,
    pub disrupted: bool,
    pub berserk: bool,
    pub cx: bool,
    pub ti: bool,
    pub unarmed: bool,
    pub guard: bool,
    pub stealthy: bool,
    pub lax: bool,
    pub concealed: bool,
    pub alone: bool,
    /// The MMC, from 0, that the text names for an SMC (11.14).
    pub with: Option<usize>,
    /// The unit at the head of its block in this round.
    pub head: usize,
    pub withdraws: bool,
    pub attacked: bool,
    pub hurt: bool,
    pub new: bool,
}

/// An attack of a written plan: attackers, targets (all if empty), and whether it is to capture.
pub type PlannedAttack = (Vec<usize>, Vec<usize>, bool);

/// The plan of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    All,
    First,
    Pairs,
    Capture,
    None,
    Withdraw,
    Written { attacks: Vec<PlannedAttack>, withdraw: Vec<usize> },
}

/// When ambushers leave (11.41).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    Never,
    Before,
    After,
}

/// Whether there is an Ambush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ambush {
    Roll,
    No,
    By(usize),
}

/// A side at the start, with its orders.
#[derive(Clone, Debug)]
pub struct Side {
    pub men: Vec<Man>,
    pub plan: Plan,
    pub then: Option<Plan>,
    pub infiltrates: bool,
    pub has_exit: bool,
}

/// An engagement. Side 0 is ours.
#[derive(Clone, Debug)]
pub struct Case {
    pub sides: [Side; 2],
    pub phasing: usize,
    pub building: bool,
    pub ambush: Ambush,
    pub leaving: Leaving,
    pub melee: bool,
    pub turns: usize,
    pub hand_to_hand: bool,
    pub no_quarter: bool,
    pub night: bool,
    pub creation: bool,
}

/// The Location at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pub men: [Vec<Man>; 2],
    /// The CVP that each side has lost.
    pub lost: [i32; 2],
    pub turn: usize,
    pub melee: bool,
    /// The side that has ambushed the other in this round.
    pub ambusher: Option<usize>,
}

/// States with their probabilities.
pub type Mix = Vec<(f64, State)>;

/// What is compared: the Player Turn, then a unit (side, slot) or the Location, in words.
pub type Table = BTreeMap<(usize, String), f64>;

impl Case {
    fn plan(&self, side: usize, turn: usize) -> &Plan {
        let orders = &self.sides[side];
        orders.then.as_ref().filter(|_| turn > 1).unwrap_or(&orders.plan)
    }

    fn attacker(&self, turn: usize) -> usize {
        if turn % 2 == 1 { self.phasing } else { 1 - self.phasing }
    }
}

impl State {
    fn here(&self, side: usize) -> Vec<usize> {
        (0..self.men[side].len()).filter(|&i| self.men[side][i].place == Place::Here).collect()
    }
}

/// Returns the chances of all outcomes after each Player Turn.
pub fn odds(case: &Case) -> Table {
    let start = State {
        men: [0, 1].map(|side: usize| case.sides[side].men.clone()),
        turn: 1,
        melee: case.melee,
        ..State::default()
    };
    let mut table = Table::new();
    let mut states: BTreeMap<State, f64> = BTreeMap::from([(start, 1.0)]);
    for turn in 1..=case.turns {
        let mut next = BTreeMap::new();
        for (state, chance) in states {
            for (share, end) in round::round(case, state) {
                for what in adapter::facts(&end) {
                    *table.entry((turn, what)).or_insert(0.0) += chance * share;
                }
                *next.entry(ending::next_turn(case, end)).or_insert(0.0) += chance * share;
            }
        }
        states = next;
    }
    table
}
