//! The state of a battle: units, lost staffs and queued tasks.

use smallvec::SmallVec;

use super::order::Order;
use super::status::Status;
use schema::declared::named;

/// The 0-based index of a unit: the owner's units first, then the enemy's.
pub type UnitIndex = u8;

/// A distance: hexes to the General Staff, or movement to reach an edge. `None` if not given.
pub type Distance = Option<u8>;

named! {
    /// The side a unit belongs to.
    pub enum Army { Owner = "units", Enemy = "enemies" }

    /// A side of an assaulted unit.
    pub enum Facing { Front = "front", Flank = "flank", Rear = "rear" }
}

/// An attacker: a unit of the question, or a force without a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    Unit(UnitIndex),
    /// Dice or fixed casualties without a unit, by 0-based index in the battle's list of forces.
    Force(u8),
}

impl By {
    /// Returns the attacking unit, or `None` for a force.
    pub const fn unit(self) -> Option<UnitIndex> {
        if let By::Unit(place) = self { Some(place) } else { None }
    }
}

/// The opponents a unit is in melee with: units, forces, or one outside the question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Foes(u32);

impl Foes {
    pub const SOMEBODY: Foes = Foes(1 << 31);
    /// The maximum number of forces in one question.
    pub const MOST_FORCES: usize = 15;

    const fn bit(by: By) -> u32 {
        match by {
            By::Unit(place) => 1 << place,
            By::Force(force) => 1 << (16 + force),
        }
    }

    pub fn add(&mut self, by: By) {
        self.0 |= Foes::bit(by);
    }

    pub fn remove(&mut self, by: By) {
        self.0 &= !Foes::bit(by);
    }

    pub const fn has(self, by: By) -> bool {
        self.0 & Foes::bit(by) != 0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the indices of the units in the set, in ascending order.
    pub fn units(self) -> impl Iterator<Item = UnitIndex> {
        (0..16).filter(move |&place| self.has(By::Unit(place)))
    }

    /// Returns the indices of the forces in the set, in ascending order.
    pub fn forces(self) -> impl DoubleEndedIterator<Item = u8> {
        (0..Foes::MOST_FORCES as u8).filter(move |&force| self.has(By::Force(force)))
    }
}

/// The reported state of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitReport {
    pub status: Status,
    /// Models lost; all of them once the unit is gone.
    pub casualties: u8,
    pub honor: bool,
    /// Hexes moved in Retreat Steps; 0 where the question gives no distance.
    pub hexes: u16,
}

/// A unit on the field. Values that no longer matter are reset to those of a new unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Unit {
    pub present: bool,
    pub level: Status,
    pub casualties: u8,
    pub honor: bool,
    pub order: Order,
    /// The index of the unit that this unit assaults this turn, and the side assaulted.
    pub assaults: Option<(UnitIndex, Facing)>,
    pub foes: Foes,
    pub staff: Distance,
    /// The distance to the nearest edge.
    pub edge: Distance,
    /// The distance to the unit's own edge, given only if that is not the nearest.
    pub own_edge: Distance,
    pub hexes: u16,
    /// Casualties of the current melee, which are removed when the melee ends.
    pub struck: u8,
    /// The number of new casualties that count in each queued casualty test; 0 where all count.
    pub blows: SmallVec<[u8; 8]>,
    /// The final reported state; `None` while it can still change.
    pub settled: Option<UnitReport>,
}

impl Unit {
    /// Returns the values of the unit that count in a test made now.
    pub fn stance(&self) -> Stance {
        Stance { level: self.level, order: self.order, assaults: self.assaults }
    }

    /// Returns the reported state: the final one if there is one, otherwise the current one.
    pub fn report(&self) -> UnitReport {
        self.settled.unwrap_or(UnitReport {
            status: self.level,
            casualties: self.casualties,
            honor: self.honor,
            hexes: self.hexes,
        })
    }

    /// Returns what remains of a unit that is gone or final. `last` is its report if it has none.
    pub fn removed(&self, last: UnitReport) -> Unit {
        Unit { settled: self.settled.or(Some(last)), ..Unit::default() }
    }
}

/// The values of a unit that a failed test may change and later tests depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stance {
    pub level: Status,
    pub order: Order,
    pub assaults: Option<(UnitIndex, Facing)>,
}

/// The cause of a Fortitude Test in a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TestCause {
    /// The Morale Phase (check C1).
    MoralePhase,
    /// A flank (C2) or rear assault (C3). A combined assault (C4) makes one test for each attack.
    Assault(Facing),
    /// Casualties (C5), of which `new` count; 0 where all casualties count.
    Casualties { new: u8 },
    /// The loss of the General Staff (C6).
    StaffLost,
}

/// The manner of an attack, which decides when its casualties are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttackManner {
    Ranged,
    Melee,
}

/// A Fortitude Test that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    pub unit: UnitIndex,
    pub cause: TestCause,
    /// The values of the unit that count; `None` for its current ones.
    pub at: Option<Stance>,
}

/// An attack with dice: `left` dice to roll, and `hits` so far, up to the most that can matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Attack {
    pub by: By,
    pub at: UnitIndex,
    pub manner: AttackManner,
    pub left: u8,
    pub hits: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    Test(Test),
    Attack(Attack),
    /// The removal of all casualties of a melee.
    Casualties,
    /// The choice of an order for a unit.
    Order(UnitIndex),
    /// The choice of the sides on which a unit is assaulted.
    Sides(UnitIndex),
}

/// The state of a battle.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Battlefield {
    /// The index of the next stage.
    pub stage: u16,
    pub units: SmallVec<[Unit; 2]>,
    /// True for each army (owner, enemy) whose General Staff is lost.
    pub staff_lost: [bool; 2],
    /// Queued tasks. The last is done next.
    pub(crate) tasks: SmallVec<[Task; 4]>,
}

impl Battlefield {
    #[inline]
    pub(super) fn unit(&self, place: UnitIndex) -> &Unit {
        &self.units[usize::from(place)]
    }

    #[inline]
    pub(super) fn unit_mut(&mut self, place: UnitIndex) -> &mut Unit {
        &mut self.units[usize::from(place)]
    }

    pub(super) fn places(&self) -> impl DoubleEndedIterator<Item = UnitIndex> + use<> {
        0..self.units.len() as UnitIndex
    }

    pub(super) fn disengage(&mut self, place: UnitIndex) {
        for unit in &mut self.units {
            unit.foes.remove(By::Unit(place));
        }
        self.unit_mut(place).foes = Foes::default();
    }
}

/// A way to assault, given by the side of each attacker.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub name: &'static str,
    pub sides: &'static [Facing],
    /// The description of the policy that assaults in this way.
    pub about: &'static str,
}

/// All ways, the worst for the assaulted unit first: by penalties in tests, then by attackers.
pub(super) static WAYS: [Way; 11] = {
    use Facing::{Flank, Front, Rear};
    [
        way("flank-rear", &[Flank, Rear], "assaults flank and rear wherever it can"),
        way("rear-flank", &[Rear, Flank], "assaults rear and flank wherever it can"),
        way("both-flanks", &[Flank, Flank], "assaults both flanks wherever it can"),
        way("front-rear", &[Front, Rear], "assaults front and rear wherever it can"),
        way("rear-front", &[Rear, Front], "assaults rear and front wherever it can"),
        way("rear", &[Rear], "assaults the rear, with one unit, wherever it can"),
        way("front-flank", &[Front, Flank], "assaults front and flank wherever it can"),
        way("flank-front", &[Flank, Front], "assaults flank and front wherever it can"),
        way("flank", &[Flank], "assaults a flank, with one unit, wherever it can"),
        way("two-in-front", &[Front, Front], "assaults the front with two units wherever it can"),
        way("front", &[Front], "assaults the front, with one unit, wherever it can"),
    ]
};

const fn way(name: &'static str, sides: &'static [Facing], about: &'static str) -> Way {
    Way { name, sides, about }
}

impl Way {
    pub(super) fn from_sides(sides: impl Iterator<Item = Facing> + Clone) -> Option<&'static Way> {
        WAYS.iter().find(|way| way.sides.iter().copied().eq(sides.clone()))
    }
}
