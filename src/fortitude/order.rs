//! Orders, as far as morale and fighting ask for them.

use crate::text::{Fault, canonical};

/// An order for one turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// None, or one that changes nothing.
    #[default]
    None,
    Defend,
    AllAroundDefense,
    FireRangedWeapons,
    FireAndRetreat,
    MoveAndFire,
    Assault,
    March,
    /// Leaves a melee; the only order that does.
    Retreat,
    Run,
}

/// What an order adds to the values of its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifiers {
    pub attack: i8,
    pub defense: i8,
    pub fortitude: i8,
}

impl Order {
    pub const ALL: [Order; 10] = [
        Order::None,
        Order::Defend,
        Order::AllAroundDefense,
        Order::FireRangedWeapons,
        Order::FireAndRetreat,
        Order::MoveAndFire,
        Order::Assault,
        Order::March,
        Order::Retreat,
        Order::Run,
    ];

    /// The word of a file.
    pub const fn name(self) -> &'static str {
        match self {
            Order::None => "none",
            Order::Defend => "defend",
            Order::AllAroundDefense => "all-around-defense",
            Order::FireRangedWeapons => "fire-ranged-weapons",
            Order::FireAndRetreat => "fire-and-retreat",
            Order::MoveAndFire => "move-and-fire",
            Order::Assault => "assault",
            Order::March => "march",
            Order::Retreat => "retreat",
            Order::Run => "run",
        }
    }

    /// The order of that name.
    pub fn named(text: &str) -> Result<Order, Fault> {
        let name = canonical(text);
        Order::ALL.into_iter().find(|order| order.name() == name).ok_or_else(|| {
            let fault = Fault::new(format!("no order is called `{text}`"), 0..text.len());
            fault.expecting(text, Order::ALL.map(Order::name))
        })
    }

    /// What it adds in melee and to every test of the turn.
    pub const fn modifiers(self) -> Modifiers {
        let (attack, defense, fortitude) = match self {
            Order::None | Order::FireRangedWeapons | Order::March => (0, 0, 0),
            Order::Defend => (0, 1, 1),
            Order::AllAroundDefense => (-2, 1, -1),
            Order::FireAndRetreat => (-2, -1, -1),
            Order::MoveAndFire => (-1, 0, 0),
            Order::Assault => (2, 0, 0),
            Order::Retreat | Order::Run => (-1, -1, -1),
        };
        Modifiers { attack, defense, fortitude }
    }

    /// What it adds to the Attack Value of ranged fire: what it adds in melee, but for Move and Fire, whose Firepower is its own.
    pub const fn firepower(self) -> i8 {
        match self {
            Order::MoveAndFire => -2,
            _ => self.modifiers().attack,
        }
    }

    /// Retreat and Run.
    pub const fn runs_away(self) -> bool {
        matches!(self, Order::Retreat | Order::Run)
    }

    /// All-Around Defense: no side of the unit is a flank or the rear.
    pub const fn has_no_flanks(self) -> bool {
        matches!(self, Order::AllAroundDefense)
    }

    /// Defend and All-Around Defense are for infantry only.
    pub const fn is_for_cavalry(self) -> bool {
        !matches!(self, Order::Defend | Order::AllAroundDefense)
    }
}
