//! The state of an exchange: units, armies, queued tasks, and statuses.

use smallvec::SmallVec;

use super::command::{ChainRoll, Chains, CommandRoll};
use super::unit::{MAX_UNITS, Side, Unit};
use schema::declared::named;
use schema::{ChartClass, StatusInCharts};

/// The values of an army without its units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Army {
    pub morale: u8,
    /// Command Dice rolled each turn.
    pub command_dice: u8,
    /// Command Dice left of those rolled this turn; `None` without any, or if pulses use them.
    pub command: Option<u8>,
    /// Command Dice left for Command Pulses, grouped in Dice Chains.
    pub chains: Chains,
    pub staff: u8,
    /// Staff Orders that can be used from the next turn on.
    pub restocked: u8,
    pub wild: u8,
    /// The status of the army; `None` while only its points decide.
    pub condition: Option<Status>,
}

impl std::hash::Hash for Army {
    /// Hashes all fields as one word, for speed: states are hashed once a roll.
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        let Army { morale, command_dice, command, chains, staff, restocked, wild, condition } =
            *self;
        let command = command.unwrap_or(u8::MAX);
        let condition = condition.map_or(u8::MAX, |status| status as u8);
        let word = [morale, command_dice, command, staff, restocked, wild, condition, 0];
        let word = u64::from_le_bytes(word);
        hasher.write_u64(word ^ chains.word().rotate_right(8));
    }
}

impl Army {
    /// Returns how many Staff Orders can still be restocked, up to the number of Command Dice.
    pub(super) fn room_for_staff(&self) -> u8 {
        self.command_dice.saturating_sub(self.staff + self.restocked)
    }
}

/// The phase of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameStatus {
    /// The turn goes on.
    #[default]
    On,
    /// Command Pulses are going on. `next` is the side with the next pulse.
    Pulses { next: Side },
    /// Nothing more happens until the turn ends.
    TurnOver,
    /// The game has ended.
    Over,
}

/// A set of units. Bit n stands for the unit with the 0-based index n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnitSet(pub u8);

impl UnitSet {
    pub fn places(self) -> impl Iterator<Item = usize> {
        (0..2 * MAX_UNITS).filter(move |&place| self.0 >> place & 1 == 1)
    }

    pub(super) fn from_indices(places: impl Iterator<Item = usize>) -> UnitSet {
        UnitSet(places.fold(0, |bits, place| bits | 1 << place))
    }

    /// Returns all non-empty subsets, the whole group first.
    pub(super) fn parts(self) -> impl Iterator<Item = UnitSet> {
        (1..=self.0).rev().filter(move |bits| bits & !self.0 == 0).map(UnitSet)
    }
}

/// The dice of a roll that are still to be rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    pub side: Side,
    /// The number of dice. Below 0 it counts dice lost by sliding; each takes up a Wild Die.
    pub left: i8,
    /// True if no further Wild Die can join the roll.
    pub closed: bool,
}

impl Pool {
    pub(super) fn new(side: Side, dice: i8) -> Pool {
        Pool { side, left: dice, closed: false }
    }

    pub(super) fn dice(self) -> u8 {
        self.left.max(0) as u8
    }
}

/// A task of an exchange: something to roll or to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// The choice of the firing side to fire or to hold its fire.
    MayHold { side: Side },
    /// Firing dice, with hits and sixes so far.
    Fire { pool: Pool, hits: u8, sixes: u8 },
    /// Reaction Dice, with the firer's hits, those not cancelled yet, and its unmatched sixes.
    React { pool: Pool, hits: u8, net: u8, unmatched: i8 },
    /// The choice of the owner to halt in cover or to move on, with the inches back.
    Halt { place: u8, inches: u16 },
    /// The D3 of Army Morale Points lost for a dispersed unit.
    MoraleLoss { side: Side },
    /// The choice of the side to spend a Staff Order on a die of the Army Morale Check.
    StaffOrder { side: Side },
    /// The choice of orders, with the Command Dice and Staff Orders left for them.
    Orders { side: Side, dice: u8, staff: u8 },
    /// Rally Dice or own dice of an Army Morale Check, then opposing dice. `lead` is in successes.
    Opposed { group: Option<UnitSet>, pool: Pool, opposing: u8, lead: i16 },
    /// The choice of the units in a group that lose Disruption Points, `points` in all.
    Remove { side: Side, group: UnitSet, points: u8 },
    /// The roll of Command Dice.
    Command(CommandRoll),
    /// The roll of Command Dice for Command Pulses.
    Chains(ChainRoll),
    /// The lot that decides which side goes first.
    Lot,
    /// The choice of a Dice Chain for the pulse of a side.
    Pulse { side: Side },
    /// The choice of a use for a chain. `sixes` is true if the chain consists of sixes only.
    Chain { side: Side, dice: u8, sixes: bool },
    /// The choice of the side to move a unit or to let it stay.
    MayMove { place: u8, chain: u8 },
    /// Dice of the move of a unit, by its 0-based index. It moves `back` if it is forced back.
    Move { place: u8, dice: u8, inches: u16, back: bool },
}

impl Task {
    /// Returns the dice of a roll that Wild Dice can join, or `None` for another task.
    pub(super) fn pool_mut(&mut self) -> Option<&mut Pool> {
        match self {
            Task::Fire { pool, .. } | Task::React { pool, .. } | Task::Opposed { pool, .. } => {
                Some(pool)
            }
            _ => None,
        }
    }
}

named! {
    /// The status of a unit, an army or a volley.
    pub enum Status {
        /// Ready and at its goal.
        Arrived = "arrived",
        /// Ready and without points, in questions about rallies.
        Fresh = "fresh",
        Ready = "ready",
        Suppressed = "suppressed",
        /// Suppressed and forced back by the volley that the question reports on.
        ForcedBack = "forced-back",
        /// Forced back by at least the inches of the field `at-least`.
        ForcedBackFar = "forced-back-far",
        Dispersed = "dispersed",
        /// A volley that was not fired. The statuses of a fired volley follow: no hit (`Missed`),
        /// neither a point nor suppression (`Held`), points only (`Disrupted`).
        NotFired = "not-fired",
        Missed = "missed",
        Held = "held",
        Disrupted = "disrupted",
        Holds = "holds",
        AtZero = "at-zero",
        /// The army had no points left at the end of a turn.
        Collapsed = "collapsed",
        /// Neither army had points left at the end of a turn.
        Draw = "draw",
        /// There was no Command Failure, and the question does not ask which side goes first.
        Commands = "commands",
        First = "first",
        Second = "second",
        /// All numbers are equal, so both sides roll again.
        RollAgain = "roll-again",
        /// A Command Failure; the side goes second.
        Failure = "failure",
        /// Both sides failed, so the turn ends at once.
        TurnOver = "turn-over",
        Passed = "passed",
        Failed = "failed",
    }
}

impl Status {
    /// Returns what charts show of the status with a name.
    pub(super) fn in_charts(name: &str) -> Option<StatusInCharts> {
        use Status::*;
        let status = Status::ALL.into_iter().find(|status| status.name() == name)?;
        let class = match status {
            Arrived | Fresh | Ready | Missed | Holds | Commands | First | Passed => {
                ChartClass::Good
            }
            Held => ChartClass::Through,
            NotFired | Draw | RollAgain => ChartClass::Pinned,
            Disrupted | Second => ChartClass::Reduced,
            Suppressed | Failure | Failed => ChartClass::Broken,
            ForcedBack | ForcedBackFar => ChartClass::Berserk,
            Dispersed | AtZero | Collapsed | TurnOver => ChartClass::Lost,
        };
        Some((class, status.name()))
    }

    /// Returns whether the unit is neither suppressed nor dispersed.
    pub(super) fn may_answer(self) -> bool {
        matches!(self, Status::Ready | Status::Arrived)
    }
}

/// The effect of a volley on its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Effect {
    pub status: Status,
    /// Disruption Points taken; 0 if the target is dispersed by the volley.
    pub points: u8,
    /// Firing sixes not matched by sixes of the target; 0 if the target is dispersed by the volley.
    pub sixes: u8,
}

/// The state of an exchange.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Battlefield {
    /// The 1-based number of the current stage; 0 before the first.
    pub stage: u16,
    pub game: GameStatus,
    /// The effect of the last volley until it is reported; `None` if effects are not reported.
    pub effect: Option<Effect>,
    /// The own units, then the enemy's, in order of slots.
    pub units: SmallVec<[Unit; 4]>,
    pub armies: [Army; 2],
    /// The queued tasks; the last is the current one.
    pub agenda: SmallVec<[Task; 2]>,
}

impl Battlefield {
    pub fn army(&self, side: Side) -> &Army {
        &self.armies[side as usize]
    }

    pub(super) fn army_mut(&mut self, side: Side) -> &mut Army {
        &mut self.armies[side as usize]
    }

    /// Returns the number of Wild Dice that can still join a roll.
    pub(super) fn wild_dice(&self, pool: Pool) -> u8 {
        if pool.closed { 0 } else { self.army(pool.side).wild }
    }

    pub(super) fn points_of(&self, group: UnitSet) -> u8 {
        group.places().map(|place| self.units[place].dp).sum()
    }

    pub(super) fn disrupted(&self, group: UnitSet) -> UnitSet {
        UnitSet::from_indices(group.places().filter(|&place| self.units[place].dp > 0))
    }
}
