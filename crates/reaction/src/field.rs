//! The state of a sequence: units and armies as they stand, and the work in hand.

use smallvec::SmallVec;

use super::chains::{ChainRoll, Chains};
use super::command::CommandRoll;
use super::outcome::Status;
use super::pool::Pool;
use super::unit::{MAX_UNITS, Unit};
use engine::process::Player;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side whose odds are asked for.
    Own,
    Enemy,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::Own, Side::Enemy];

    pub const fn other(self) -> Side {
        match self {
            Side::Own => Side::Enemy,
            Side::Enemy => Side::Own,
        }
    }

    /// Who chooses for it.
    pub(super) const fn player(self) -> Player {
        match self {
            Side::Own => Player::Owner,
            Side::Enemy => Player::Enemy,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Side::Own => "own",
            Side::Enemy => "enemy",
        }
    }
}

/// How an army stands, as far as its points do not show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Standing {
    #[default]
    Holds,
    /// Its Command Dice showed no more 1s than 6s; nobody asked who goes first.
    Commands,
    First,
    Second,
    /// Equal in all numbers: both roll again.
    RollAgain,
    /// A Command Failure: it goes second.
    Failure,
    /// Both sides failed: the turn ends at once.
    TurnOver,
    /// An Army Morale Check.
    Passed,
    Failed,
    /// Had no points left at the end of a turn.
    Collapsed,
    /// Both sides had none.
    Drawn,
}

/// A side beside its units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Army {
    /// Army Morale Points.
    pub morale: u8,
    /// Command Dice it rolls each turn.
    pub command_dice: u8,
    /// Command Dice left of those rolled this turn; nothing where none were, or where they are for
    /// pulses.
    pub command: Option<u8>,
    /// Command Dice left for pulses.
    pub chains: Chains,
    pub staff: u8,
    /// Staff Orders that can be used from the next turn on.
    pub restocked: u8,
    pub wild: u8,
    pub standing: Standing,
}

impl std::hash::Hash for Army {
    /// All fields in one word: states are hashed once per roll.
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        let Army { morale, command_dice, command, chains, staff, restocked, wild, standing } =
            *self;
        let command = command.unwrap_or(u8::MAX);
        let word = u64::from_le_bytes([
            morale,
            command_dice,
            command,
            staff,
            restocked,
            wild,
            standing as u8,
            0,
        ]);
        hasher.write_u64(word ^ chains.word().rotate_right(8));
    }
}

impl Army {
    /// Staff Orders that can still be restocked: there are never more than Command Dice.
    pub(super) fn room_for_staff(&self) -> u8 {
        self.command_dice.saturating_sub(self.staff + self.restocked)
    }
}

/// Whether anything more happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Game {
    #[default]
    On,
    /// A side has the next Command Pulse of the turn.
    Pulses {
        next: Side,
    },
    /// Nothing until the turn ends.
    TurnOver,
    Over,
}

/// Units, by their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group(pub u8);

impl Group {
    pub fn has(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }

    pub fn places(self) -> impl Iterator<Item = usize> {
        (0..2 * MAX_UNITS).filter(move |&place| self.has(place))
    }

    pub(super) fn of(places: impl Iterator<Item = usize>) -> Group {
        Group(places.fold(0, |bits, place| bits | 1 << place))
    }

    /// Every part of the group but the empty one, the whole group first.
    pub(super) fn parts(self) -> impl Iterator<Item = Group> {
        (1..=self.0).rev().filter(move |bits| bits & !self.0 == 0).map(Group)
    }
}

/// Something to be rolled or chosen now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// The firer's side may hold its fire.
    MayHold,
    /// Firing dice.
    Fire {
        pool: Pool,
        hits: u8,
        sixes: u8,
    },
    /// Reaction Dice: hits of the firer, those not cancelled, and firing sixes not matched.
    React {
        pool: Pool,
        hits: u8,
        net: u8,
        unmatched: i8,
    },
    /// D6 of a forced back move.
    Distance {
        dice: u8,
        inches: u16,
    },
    /// The owner may halt in cover.
    Halt {
        inches: u16,
    },
    /// The D3 of a dispersed unit.
    MoraleLoss {
        side: Side,
    },
    /// A Staff Order may add a die to the Army Morale Check.
    StaffOrder {
        side: Side,
    },
    /// Own dice, then those of the enemy; own successes less the enemy's.
    MoraleCheck {
        side: Side,
        own: u8,
        enemy: u8,
        lead: i8,
    },
    /// Command Dice and Staff Orders to be spent.
    Orders {
        side: Side,
        dice: u8,
        staff: u8,
    },
    /// Rally Dice, then those that oppose them.
    Rally {
        side: Side,
        group: Group,
        pool: Pool,
        opposing: u8,
        successes: u8,
    },
    /// Points to be removed from the units of a group.
    Remove {
        side: Side,
        group: Group,
        points: u8,
    },
    Command(CommandRoll),
    /// Command Dice for pulses.
    Chains(ChainRoll),
    /// It is drawn by lot who goes first.
    Lot,
    /// A side must use a Dice Chain.
    Pulse {
        side: Side,
    },
    /// A chain that is used, perhaps one of sixes alone.
    Chain {
        side: Side,
        dice: u8,
        sixes: bool,
    },
    /// The side may let the unit stay.
    MayMove,
    /// D6 of an ordinary move of the unit in a place.
    Move {
        place: u8,
        dice: u8,
        inches: u16,
    },
}

/// What a volley did to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Effect {
    pub status: Status,
    /// Disruption Points taken; none are counted of a target that is dispersed.
    pub points: u8,
    /// Sixes not matched; none of them either.
    pub sixes: u8,
}

impl Effect {
    pub(super) const NOT_FIRED: Effect = Effect { status: Status::NotFired, points: 0, sixes: 0 };
}

/// Where a sequence stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Battlefield {
    /// Number of the stage being worked through, from 1; 0 before the first.
    pub stage: u16,
    pub game: Game,
    /// What the volley just fired did, where that is asked and until it is told.
    pub effect: Option<Effect>,
    /// Own units, then those of the enemy.
    pub units: SmallVec<[Unit; 4]>,
    pub armies: [Army; 2],
    /// The last is worked on.
    pub agenda: SmallVec<[Task; 2]>,
}

impl Battlefield {
    pub fn army(&self, side: Side) -> &Army {
        &self.armies[side as usize]
    }

    pub(super) fn army_mut(&mut self, side: Side) -> &mut Army {
        &mut self.armies[side as usize]
    }
}
