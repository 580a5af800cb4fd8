//! The ways to assault a unit that an attacker can choose from: with one unit or with two.

use super::field::{By, Facing};

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
    /// Returns the way to assault with exactly these sides, or `None` if no way has them.
    pub(super) fn from_sides(sides: impl Iterator<Item = Facing> + Clone) -> Option<&'static Way> {
        WAYS.iter().find(|way| way.sides.iter().copied().eq(sides.clone()))
    }

    pub(super) fn from_attackers(attackers: &[(By, Facing)]) -> Option<&'static Way> {
        Way::from_sides(attackers.iter().map(|&(_, side)| side))
    }
}
