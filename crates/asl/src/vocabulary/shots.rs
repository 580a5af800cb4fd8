//! The shots of named firers at a target in one phase: ROF, breakdown, and who fires on (9.2, 9.7).

use rustc_hash::FxHashMap;

use super::attack::Attack;
use super::unit::{Condition, Unit};
use engine::dice::{Dr, Face};

/// A set of parts of an attack (inherent FP and SW, in the order of the firers), as bits.
pub type PartSet = u32;

/// All shots that the firers of an attack can have in one phase.
#[derive(Debug, PartialEq, Eq)]
pub struct Shots {
    /// The parts of the first shot, unless an earlier attack has cost some of them.
    pub(crate) all: PartSet,
    /// The first of the bits at which a state keeps the parts that fire no more, for firers that
    /// fire in several phases.
    pub(crate) lost_from: Option<u8>,
    /// True if a later attack depends on the parts that this one costs.
    pub(crate) records: bool,
    /// The shots by the parts that fire.
    pub(crate) by_parts: FxHashMap<PartSet, ShotTable>,
    /// The name of each part: `4-6-7`, `HMG`.
    pub(crate) names: Vec<String>,
    /// True if a MG whose unit Cowering marks keeps its ROF (I-81).
    pub(crate) marked_keeps: bool,
    /// True if a state keeps all that a shot costs its firers until somebody reads it.
    pub(crate) tells_costs: bool,
}

/// What a shot by some parts does, by its DR.
#[derive(Debug, PartialEq, Eq)]
pub struct ShotTable {
    /// The attack on a target in each state, by [`target_state`].
    attacks: [Attack; TARGET_STATES],
    is_uniform: bool,
    firing: Firing,
    /// For the last shot of a phase and for others: the first DR with the effects of each DR.
    alike: [[Dr; 36]; 2],
}

/// The firers of a shot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Firing {
    /// The columns that Cowering costs.
    pub(crate) cowering: u8,
    /// The parts of each unit that Cowering can mark, fired or not.
    pub(crate) markable: Vec<PartSet>,
    pub(crate) weapons: Vec<FiringWeapon>,
}

/// A SW of a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FiringWeapon {
    pub(crate) part: PartSet,
    pub(crate) rof: u8,
    pub(crate) breakdown: Option<u8>,
    pub(crate) x_number: Option<u8>,
}

/// A Random Selection among the firers of a shot (7.9, 9.71), in the order of the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FirerSelection {
    /// The unit that Cowering marks.
    Marked,
    /// The SW that malfunction or are removed.
    Breakdown,
}

impl FirerSelection {
    pub(crate) const ALL: [FirerSelection; 2] = [FirerSelection::Marked, FirerSelection::Breakdown];

    /// Returns the rule.
    pub(crate) fn rule(self) -> &'static str {
        match self {
            FirerSelection::Marked => "7.9",
            FirerSelection::Breakdown => "9.7",
        }
    }
}

/// The number of states of targets that an attack tells apart (A.5).
pub(crate) const TARGET_STATES: usize = 8;

/// Returns the state of a target (A.5): pinned, broken, berserk or neither; from 4 on concealed.
#[inline]
pub(crate) fn target_state(unit: &Unit) -> usize {
    let state = match () {
        _ if unit.is(Condition::Broken) => 2,
        _ if unit.is(Condition::Berserk) => 3,
        _ => usize::from(unit.is(Condition::Pinned)),
    };
    state + if unit.is(Condition::Concealed) { TARGET_STATES / 2 } else { 0 }
}

impl Shots {
    /// Creates the one shot of firers without names at a stack with concealed units, against which
    /// the FP are halved (12.13).
    pub(crate) fn of_plain(attack: Attack) -> Shots {
        let attacks = std::array::from_fn(|state| match state < TARGET_STATES / 2 {
            true => attack,
            false => Attack { firepower: attack.firepower / 2, ..attack },
        });
        let table = ShotTable::new(attacks, Firing::default(), |_, _| 0, |_, _| 0);
        Shots {
            all: 1,
            lost_from: None,
            records: false,
            by_parts: std::iter::once((1, table)).collect(),
            names: vec![format!("{} FP", attack.firepower)],
            marked_keeps: false,
            tells_costs: false,
        }
    }

    /// Returns the attack of the one shot of firers without names on Known units, and on concealed
    /// ones.
    pub(crate) fn plain(&self) -> Option<[Attack; 2]> {
        let table = self.get(self.all)?;
        Some([table.attack_on(0), table.attack_on(TARGET_STATES / 2)])
    }

    /// Returns the shot by some parts; `None` if they cannot fire.
    #[inline]
    pub(crate) fn get(&self, parts: PartSet) -> Option<&ShotTable> {
        self.by_parts.get(&parts)
    }

    /// Returns the parts of the first shot. `lost` has the parts that fire no more, of all firers.
    pub(crate) fn first(&self, lost: u32) -> PartSet {
        self.all & !self.lost_from.map_or(0, |from| lost >> from)
    }

    /// Returns the same parts without any shot.
    pub(crate) fn clone_without_tables(&self) -> Shots {
        Shots {
            by_parts: FxHashMap::default(),
            names: self.names.clone(),
            all: self.all,
            lost_from: self.lost_from,
            records: self.records,
            marked_keeps: self.marked_keeps,
            tells_costs: self.tells_costs,
        }
    }

    /// Returns whether no shot depends on the state of the target (A.5).
    pub(crate) fn is_uniform(&self) -> bool {
        self.by_parts.values().all(|shot| shot.is_uniform)
    }

    /// Returns the parts that Random Selections after an Original DR can cost, if they matter:
    /// those in `kept`, or all if a later attack asks for them.
    pub(crate) fn matters(&self, selection: FirerSelection, kept: PartSet) -> PartSet {
        let of_later = if self.records { self.all } else { 0 };
        match selection {
            FirerSelection::Marked if self.marked_keeps => of_later,
            _ => kept | of_later,
        }
    }

    /// Returns the names of parts.
    pub(crate) fn names(&self, parts: PartSet) -> String {
        let named = self.names.iter().enumerate().filter(|(part, _)| parts >> part & 1 == 1);
        named.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(" and ")
    }
}

impl Firing {
    /// Returns the MG that may fire again if nothing else befalls them (9.2).
    pub(crate) fn kept(&self, original: Dr, is_last: bool) -> PartSet {
        let keeps = |weapon: &&FiringWeapon| weapon.rof >= original.coloured() && !is_last;
        self.weapons.iter().filter(keeps).map(|weapon| weapon.part).sum()
    }

    /// Returns the SW of which a number is reached by an Original DR.
    fn reached(&self, number: fn(&FiringWeapon) -> Option<u8>, original: Dr) -> PartSet {
        let is = |weapon: &&FiringWeapon| {
            number(weapon).is_some_and(|number| original.total() >= number)
        };
        self.weapons.iter().filter(is).map(|weapon| weapon.part).sum()
    }

    /// Returns the SW that an Original DR can remove (9.7).
    pub(crate) fn removable(&self, original: Dr) -> PartSet {
        self.reached(|weapon| weapon.x_number, original)
    }

    /// Returns the candidates of a Random Selection after an Original DR (7.9, 9.71).
    pub(crate) fn candidates(&self, selection: FirerSelection, original: Dr) -> Vec<PartSet> {
        let cowers = original.coloured() == original.white() && self.cowering > 0;
        match selection {
            FirerSelection::Marked if cowers => self.markable.clone(),
            FirerSelection::Marked => Vec::new(),
            FirerSelection::Breakdown => {
                let at_risk = self.malfunctioning(original) | self.removable(original);
                let parts = self.weapons.iter().map(|weapon| weapon.part);
                parts.filter(|part| at_risk & part != 0).collect()
            }
        }
    }

    fn malfunctioning(&self, original: Dr) -> PartSet {
        self.reached(|weapon| weapon.breakdown, original)
    }

    /// Returns the parts that a Random Selection costs, by the dr of its candidates: the highest,
    /// of SW those whose B# is reached and those whose X# is reached (9.71).
    pub(crate) fn selected(&self, selection: FirerSelection, original: Dr, drs: &[u8]) -> PartSet {
        let candidates = self.candidates(selection, original);
        let highest = |of: PartSet| {
            let own = candidates.iter().zip(drs).filter(|(parts, _)| **parts & of != 0);
            let top = own.clone().map(|(_, dr)| *dr).max();
            own.filter(|(_, dr)| Some(**dr) == top).fold(0, |all, (parts, _)| all | parts)
        };
        match selection {
            FirerSelection::Marked => highest(PartSet::MAX),
            FirerSelection::Breakdown => {
                highest(self.malfunctioning(original)) | highest(self.removable(original))
            }
        }
    }
}

impl ShotTable {
    /// Creates a shot. `matters` returns the parts that matter after a Random Selection, `also` a
    /// number for each DR by which what comes later differs.
    pub(crate) fn new(
        attacks: [Attack; TARGET_STATES],
        firing: Firing,
        matters: impl Fn(FirerSelection, PartSet) -> PartSet,
        also: impl Fn(&[Attack], Dr) -> u8,
    ) -> ShotTable {
        let effect = |original: Dr, is_last: bool| {
            let kept = firing.kept(original, is_last);
            let selections = FirerSelection::ALL.map(|selection| {
                let candidates = firing.candidates(selection, original);
                let matter = matters(selection, kept);
                let removable = firing.removable(original);
                let costs = candidates.iter().any(|parts| parts & matter != 0);
                costs.then_some((candidates, removable))
            });
            (
                attacks.map(|attack| attack.result(original)),
                kept,
                selections,
                also(&attacks, original),
            )
        };
        let alike = [false, true].map(|is_last| {
            let all: Vec<_> = Dr::ALL.iter().map(|&original| effect(original, is_last)).collect();
            let first = |of: &_| all.iter().position(|other| other == of).unwrap_or_default();
            std::array::from_fn(|face| Dr::ALL[first(&all[face])])
        });
        let is_uniform = attacks.iter().all(|attack| *attack == attacks[0]);
        ShotTable { attacks, is_uniform, firing, alike }
    }

    /// Returns the attack on a unit in its present state.
    pub(crate) fn attack(&self, unit: &Unit) -> Attack {
        self.attacks[target_state(unit)]
    }

    /// Returns the attack on a unit in the state with this number; see [`target_state`].
    pub(crate) fn attack_on(&self, state: usize) -> Attack {
        self.attacks[state]
    }

    /// Returns whether all targets, in whatever state, are attacked alike.
    pub(crate) fn is_uniform(&self) -> bool {
        self.is_uniform
    }

    pub(crate) fn firing(&self) -> &Firing {
        &self.firing
    }

    /// Returns the first DR whose effects, on targets and firers, are those of a face.
    pub(crate) fn read(&self, face: Face, is_last: bool) -> Dr {
        self.alike[usize::from(is_last)][face.index()]
    }
}
