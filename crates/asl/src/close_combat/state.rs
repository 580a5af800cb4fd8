//! The state of a Close Combat: the units of both sides in one Location, and a round's attacks.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::location::LocationState;
use crate::unit::{Condition, Unit, UnitIndex};
use engine::process::Player;
use schema::declared::named;
use schema::field::words_of;

named! {
    /// A side of a Close Combat: that of the stack named first, and its enemy.
    pub enum CombatSide { Ours = "ours", Theirs = "theirs" }

    /// Whether units Infiltrate when they may (11.22).
    pub enum Infiltration { Never = "never", Always = "always", Best = "best" }
}

/// What a side decides whose plan or Infiltration is `best`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChoiceKind {
    /// Who withdraws from the Melee (11.2).
    Withdrawal,
    /// All attacks of a round (11.12), whether or not there is an Ambush.
    Plan,
    /// Who leaves after an attack by its Original 2 or 12 (11.22).
    Infiltration { attack: u8 },
}

words_of!(CombatSide, "SIDE", "", whole = false);
words_of!(Infiltration, "WHEN", "");

impl CombatSide {
    /// Returns the player of the side: we own the question.
    pub const fn player(self) -> Player {
        match self {
            CombatSide::Ours => Player::Owner,
            CombatSide::Theirs => Player::Enemy,
        }
    }

    /// Returns the other side.
    pub const fn other(self) -> CombatSide {
        match self {
            CombatSide::Ours => CombatSide::Theirs,
            CombatSide::Theirs => CombatSide::Ours,
        }
    }
}

/// A set of units of one side, as bits, by their indices from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CombatUnits(u32);

impl CombatUnits {
    /// The empty set.
    pub const NOBODY: CombatUnits = CombatUnits(0);

    /// Returns the set of one unit; empty beyond the 32nd unit.
    pub const fn one(unit: UnitIndex) -> CombatUnits {
        if unit < 32 { CombatUnits(1 << unit) } else { CombatUnits(0) }
    }

    pub const fn has(self, unit: UnitIndex) -> bool {
        self.and(CombatUnits::one(unit)).0 != 0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn and(self, other: CombatUnits) -> CombatUnits {
        CombatUnits(self.0 & other.0)
    }

    pub const fn with(self, unit: UnitIndex) -> CombatUnits {
        self.with_all(CombatUnits::one(unit))
    }

    pub const fn with_all(self, units: CombatUnits) -> CombatUnits {
        CombatUnits(self.0 | units.0)
    }

    pub const fn without(self, units: CombatUnits) -> CombatUnits {
        CombatUnits(self.0 & !units.0)
    }

    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the units in order.
    pub fn units(self) -> impl Iterator<Item = UnitIndex> {
        (0..32).filter(move |&unit| self.has(unit))
    }

    /// Returns the numbers of the units, from 1, with `sign` between them.
    pub fn in_words(self, sign: &str) -> String {
        self.units().map(|unit| (unit + 1).to_string()).collect::<Vec<_>>().join(sign)
    }
}

impl FromIterator<UnitIndex> for CombatUnits {
    fn from_iter<I: IntoIterator<Item = UnitIndex>>(units: I) -> CombatUnits {
        units.into_iter().fold(CombatUnits::default(), CombatUnits::with)
    }
}

/// The result of the attack on a unit, which is attacked at most once in a CCPh (11.12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fate {
    #[default]
    Spared,
    Eliminated,
    /// Casualty Reduction of a squad (7.302).
    Reduced,
    /// A light wound by the severity dr of an SMC (17.11).
    Wounded,
    /// Capture (20.22).
    Captured,
    /// Capture of one of the two HS of a squad (20.22).
    HalfCaptured,
}

/// The state of a unit in Close Combat beside the conditions of its counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// The MMC with which an SMC stands (11.14), or the unit itself.
    pub with: UnitIndex,
    pub fate: Fate,
    /// The units that capture it by its fate (20.22).
    pub captors: CombatUnits,
    /// True for a Guard of prisoners (20.5).
    pub is_guard: bool,
    pub is_concealed: bool,
    pub is_ti: bool,
    /// True for a unit that withdraws in this round (11.2).
    pub withdraws: bool,
    /// True for a unit that has left the Location.
    pub is_away: bool,
    /// True for a unit that has left the Location in this round.
    pub has_left: bool,
    /// True for a unit attacked in this round, hit or not (10.62).
    pub is_attacked: bool,
    /// True for a unit Reduced or wounded in this round (11.2).
    pub is_hurt: bool,
    /// True for a leader created in this round (18.12).
    pub is_new: bool,
    /// True for a unit that was reported before the end of the round.
    pub(super) is_reported: bool,
    /// The CVP of the unit as the Close Combat begins.
    pub(super) worth: u8,
}

impl Standing {
    /// Creates the state of a unit that stands by itself.
    pub const fn alone(unit: UnitIndex) -> Standing {
        Standing {
            with: unit,
            fate: Fate::Spared,
            captors: CombatUnits(0),
            is_guard: false,
            is_concealed: false,
            is_ti: false,
            withdraws: false,
            is_away: false,
            has_left: false,
            is_attacked: false,
            is_hurt: false,
            is_new: false,
            is_reported: false,
            worth: 0,
        }
    }
}

/// The units of one side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Force {
    pub(crate) location: LocationState,
    pub(crate) standing: SmallVec<[Standing; 8]>,
    /// The CVP lost whose units are no longer known: created leaders, and units reported early.
    pub(crate) settled_lost: u8,
    /// The half-squads captured of squads, if that is worth more than their loss (20.1).
    pub(crate) halves_captured: u8,
    /// True if a unit that was reported early is left in the Location.
    pub(super) is_held: bool,
}

impl Force {
    /// Returns the units of the side, also those that are lost or away.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = UnitIndex> + use<> {
        self.location.places()
    }

    /// Returns a unit.
    pub fn unit(&self, unit: UnitIndex) -> &Unit {
        self.location.unit(unit)
    }

    pub(crate) fn standing_of(&self, unit: UnitIndex) -> &Standing {
        &self.standing[usize::from(unit)]
    }

    pub(crate) fn standing_of_mut(&mut self, unit: UnitIndex) -> &mut Standing {
        &mut self.standing[usize::from(unit)]
    }

    /// Returns whether a unit is in the Location: not lost, and not away.
    pub fn is_here(&self, unit: UnitIndex) -> bool {
        self.unit(unit).is_present() && !self.standing_of(unit).is_away
    }

    /// Returns the units in the Location.
    pub fn here(&self) -> CombatUnits {
        self.all().filter(|&unit| self.is_here(unit)).collect()
    }

    /// Returns the units that are neither eliminated nor captured.
    pub fn living(&self) -> CombatUnits {
        self.all().filter(|&unit| self.unit(unit).is_present()).collect()
    }

    /// Returns the units of a set that stand together with one of `units` (11.14).
    pub(crate) fn blocks_of(&self, units: CombatUnits) -> CombatUnits {
        let bases: CombatUnits =
            units.and(self.here()).units().map(|unit| self.standing_of(unit).with).collect();
        self.here().units().filter(|&unit| bases.has(self.standing_of(unit).with)).collect()
    }

    /// Returns the units in the Location by the MMC or SMC at the head of each block (11.14).
    pub(crate) fn blocks(&self, units: CombatUnits) -> SmallVec<[CombatUnits; 8]> {
        let mut bases: SmallVec<[(UnitIndex, CombatUnits); 8]> = SmallVec::new();
        for unit in units.units() {
            let with = self.standing_of(unit).with;
            match bases.iter_mut().find(|(base, _)| *base == with) {
                Some((_, block)) => *block = block.with(unit),
                None => bases.push((with, CombatUnits::one(unit))),
            }
        }
        bases.into_iter().map(|(_, block)| block).collect()
    }

    /// Returns whether a unit can attack (11.16, 11.2): unbroken, and not withdrawing.
    pub(crate) fn can_attack(&self, unit: UnitIndex) -> bool {
        self.is_here(unit)
            && !self.unit(unit).is(Condition::Broken)
            && !self.standing_of(unit).withdraws
    }
}

/// The units in the Location as far as they bear on an attack, when its DR is rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Presence {
    /// The squad-equivalents by which each side is overstacked (5.1).
    pub overstacked: [i8; 2],
    /// The friends of withdrawing targets that stay in the Melee (11.2).
    pub staying: i8,
}

/// One attack of a round, declared or rolled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CombatAttack {
    pub by: CombatSide,
    pub attackers: CombatUnits,
    pub targets: CombatUnits,
    pub is_capture: bool,
    /// The Original DR, or the lowest of those that do the same; 0 before the roll.
    pub original: u8,
    /// The leader that an Original 2 of this attack has created (18.12).
    pub leader: Option<UnitIndex>,
    /// Who was in the Location at the roll; `None` before it.
    pub presence: Option<Presence>,
    /// True if its results are worked out.
    pub is_settled: bool,
}

/// An attack of a round with the attacks that bear on its results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AttackPart {
    pub state: CombatState,
    /// The units of each side whose fates matter to it.
    pub followed: [CombatUnits; 2],
    /// The side that is attacked.
    pub loser: CombatSide,
}

impl Hash for AttackPart {
    /// Hashes what parts differ in most.
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let CombatState { order, attacks, chosen, forces, .. } = &self.state;
        (self.followed, self.loser, order, attacks, chosen).hash(hasher);
        forces.each_ref().map(|force| &force.location.units).hash(hasher);
    }
}

/// The mean CVP lost to attacks, as far as they are known.
pub(super) type AttackLosses = FxHashMap<AttackPart, f64>;

/// Attacks of a side.
pub type CombatAttacks = SmallVec<[CombatAttack; 4]>;

/// The order of the attacks in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttackOrder {
    /// All results are applied together (11.12).
    Simultaneous,
    /// The attacks of the ambushing side, each applied before the next (11.32).
    Ambushers(CombatSide),
    /// The attacks of the survivors of the side that was ambushed.
    Ambushed(CombatSide),
}

/// What a Close Combat waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CombatStep {
    /// The Ambush dr of both sides (11.4).
    Ambush,
    /// The next attack of the round.
    Attacks,
    /// A choice of a side whose plan or Infiltration is `best`.
    Choice {
        side: CombatSide,
        kind: ChoiceKind,
    },
    /// The Leader Creation dr of an attack (18.12).
    Creation {
        attack: u8,
    },
    /// The MMC with which the created leader stands, one of several with equal chances (18.12).
    Placement {
        attack: u8,
        grade: &'static str,
        among: CombatUnits,
    },
    /// The next dr of a Random Selection among the candidates of an attack (A.9).
    Selection {
        attack: u8,
        candidates: CombatUnits,
        rolled: u8,
        best: u8,
        picked: CombatUnits,
    },
    /// The severity dr of the first of these SMC, targets of an attack (17.11).
    Severity {
        attack: u8,
        waiting: CombatUnits,
    },
    /// A report of the units of each side whose results are known already.
    EarlyReport([CombatUnits; 2]),
    /// The report at the end of a CCPh.
    Report,
    Over,
}

/// The state of a Close Combat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CombatState {
    /// The Player Turn, from 1.
    pub turn: u16,
    /// True if the units in the Location are held in Melee (11.15).
    pub is_melee: bool,
    pub step: CombatStep,
    pub order: AttackOrder,
    /// The forces of both sides, in the order of [`CombatSide`].
    pub forces: [Force; 2],
    /// The attacks that sides with the plan `best` have chosen and not yet declared.
    pub chosen: [CombatAttacks; 2],
    /// The attacks that are declared and not yet applied, or that may be worked out again.
    pub attacks: CombatAttacks,
    /// The forces by which applied attacks of the ambushers are worked out again (interpretation
    /// I-116): the targets before them, the ambushers after them.
    pub(crate) earlier: Option<Box<[Force; 2]>>,
}

impl CombatState {
    /// Returns the force of a side.
    pub fn force(&self, side: CombatSide) -> &Force {
        &self.forces[side as usize]
    }

    pub(crate) fn force_mut(&mut self, side: CombatSide) -> &mut Force {
        &mut self.forces[side as usize]
    }

    /// Returns the attack whose DR is due.
    pub fn due_attack(&self) -> Option<&CombatAttack> {
        self.attacks.iter().find(|attack| attack.original == 0)
    }

    /// Returns the side that has ambushed the other in this round.
    pub fn ambusher(&self) -> Option<CombatSide> {
        match self.order {
            AttackOrder::Simultaneous => None,
            AttackOrder::Ambushers(side) => Some(side),
            AttackOrder::Ambushed(side) => Some(side.other()),
        }
    }
}
