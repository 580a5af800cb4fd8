//! A case for the slow implementation (`twin`), and the oracle that decides its dice.

use std::collections::BTreeMap;

/// Decides each test of the dice, so that every sequence of results occurs once.
#[derive(Default)]
pub struct Oracle {
    path: Vec<(bool, f64)>,
    pub decided: usize,
}

impl Oracle {
    /// Decides whether a d20 shows one of `faces` faces. Certain results are not counted.
    pub fn falls(&mut self, faces: i32) -> bool {
        let chance = f64::from(faces.clamp(0, 20)) / 20.0;
        if chance == 0.0 || chance == 1.0 {
            return chance == 1.0;
        }
        if self.decided == self.path.len() {
            self.path.push((true, chance));
        }
        self.decided += 1;
        self.path[self.decided - 1].0
    }

    /// Moves on to the next sequence of results; false if there is none.
    pub fn next(&mut self) -> bool {
        self.decided = 0;
        while let Some((first, chance)) = self.path.pop() {
            if first {
                self.path.push((false, 1.0 - chance));
                return true;
            }
        }
        false
    }

    pub fn chance(&self) -> f64 {
        self.path.iter().map(|(_, chance)| chance).product()
    }
}

/// A unit of the case, with its state.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub enemy: bool,
    pub base: i32,
    pub attack: i32,
    pub attack_cavalry: i32,
    pub defense: i32,
    pub models: i32,
    pub dice: i32,
    pub cavalry: bool,
    pub level: i32,
    pub lost: i32,
    pub fatigue: usize,
    pub commander: bool,
    pub honor: bool,
    pub engaged: bool,
    pub blocked: bool,
    pub is_staff: bool,
    pub staff: Option<i32>,
    pub edge: Option<i32>,
    pub own_edge: Option<i32>,
    pub order: String,
    pub side: String,
    pub target: usize,
    pub foes: Vec<Who>,
    pub hexes: i32,
    pub end: Option<&'static str>,
    pub first_arrival: Option<(String, i32, bool, i32)>,
    pub struck: i32,
    pub blows: Vec<i32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Who {
    Unit(usize),
    Dice(usize),
    Somebody,
}

#[derive(Clone, Debug)]
pub enum Event {
    MoralePhase,
    Orders(Vec<String>),
    /// A Fortitude Test of all units, with its cause.
    Test(&'static str),
    Casualties(i32),
    Fire {
        by: Who,
        at: usize,
    },
    Assault {
        at: usize,
        by: Vec<(Who, &'static str)>,
        again: bool,
    },
    Melee,
    StaffLost(bool),
    Retreat,
    Report(u16),
}

#[derive(Clone, Debug, Default)]
pub struct Case {
    pub units: Vec<Unit>,
    /// Number of dice and the value to hit, or 0 dice and a fixed number of casualties.
    pub forces: Vec<(i32, i32)>,
    pub events: Vec<Event>,
    pub staff_lost: [bool; 2],
    pub until: String,
    pub parameters: BTreeMap<String, String>,
}

/// Returns whether a list of orders, as a parameter has it, contains an order.
pub fn allows(list: &str, order: &str) -> bool {
    matches!(order, "" | "none") || list == "all" || list.split(',').any(|other| other == order)
}
