//! The ways to assault a unit that an attacker can choose from: with one unit or with two.

use super::field::Facing;

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
        Way {
            name: "flank-rear",
            sides: &[Flank, Rear],
            about: "assaults flank and rear wherever it can",
        },
        Way {
            name: "rear-flank",
            sides: &[Rear, Flank],
            about: "assaults rear and flank wherever it can",
        },
        Way {
            name: "both-flanks",
            sides: &[Flank, Flank],
            about: "assaults both flanks wherever it can",
        },
        Way {
            name: "front-rear",
            sides: &[Front, Rear],
            about: "assaults front and rear wherever it can",
        },
        Way {
            name: "rear-front",
            sides: &[Rear, Front],
            about: "assaults rear and front wherever it can",
        },
        Way {
            name: "rear",
            sides: &[Rear],
            about: "assaults the rear, with one unit, wherever it can",
        },
        Way {
            name: "front-flank",
            sides: &[Front, Flank],
            about: "assaults front and flank wherever it can",
        },
        Way {
            name: "flank-front",
            sides: &[Flank, Front],
            about: "assaults flank and front wherever it can",
        },
        Way {
            name: "flank",
            sides: &[Flank],
            about: "assaults a flank, with one unit, wherever it can",
        },
        Way {
            name: "two-in-front",
            sides: &[Front, Front],
            about: "assaults the front with two units wherever it can",
        },
        Way {
            name: "front",
            sides: &[Front],
            about: "assaults the front, with one unit, wherever it can",
        },
    ]
};

impl Way {
    /// Returns the way to assault with exactly these sides, or `None` if no way has them.
    pub(super) fn from_sides(sides: &[Facing]) -> Option<&'static Way> {
        WAYS.iter().find(|way| way.sides == sides)
    }

    pub(super) fn in_words(&self) -> String {
        self.sides.iter().map(|side| side.name()).collect::<Vec<_>>().join(" and ")
    }
}
