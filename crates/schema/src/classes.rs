//! Classes of statuses and groups of units, by which the units of an answer are counted.

use super::declared::named;

/// A named class of final statuses, such as all statuses in which a unit holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StatusClass {
    /// The name, which is also the verb of a sentence: `holds`.
    pub name: &'static str,
    pub statuses: &'static [&'static str],
    /// Weight of one unit of this class in an objective: 1 or -1.
    pub weight: f64,
}

impl StatusClass {
    /// Creates a class of which more units are better.
    pub const fn good(name: &'static str, statuses: &'static [&'static str]) -> StatusClass {
        StatusClass { name, statuses, weight: 1.0 }
    }

    /// Creates a class of which fewer units are better.
    pub const fn bad(name: &'static str, statuses: &'static [&'static str]) -> StatusClass {
        StatusClass { name, statuses, weight: -1.0 }
    }
}

named! {
    /// A class of final states in charts, which decides their colour.
    pub enum ChartClass {
        /// Unharmed and of full use.
        Good = "good",
        /// Of use, but weaker than before.
        Reduced = "reduced",
        /// Of no use for the moment.
        Pinned = "pinned",
        /// At the end of its way, and still of no use.
        Through = "through",
        /// Held up on its way.
        Stopped = "stopped",
        Broken = "broken",
        /// Out of control.
        Berserk = "berserk",
        Lost = "lost",
    }
}

/// A way in which a unit can end, which can be counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitEnd {
    /// A class, a status, or another word of the kind, such as `replaced`.
    pub name: &'static str,
    /// Weight of one unit that ends so in an objective: 1 or -1.
    pub weight: f64,
    /// The counter that the unit must be at the end; `None` for any.
    pub counter: Option<&'static str>,
}

impl UnitEnd {
    /// Creates an end that is good for the owner, whatever the counter.
    pub const fn good(name: &'static str) -> UnitEnd {
        UnitEnd { name, weight: 1.0, counter: None }
    }

    /// Creates an end that is bad for the owner, whatever the counter.
    pub const fn bad(name: &'static str) -> UnitEnd {
        UnitEnd { name, weight: -1.0, counter: None }
    }
}

/// Usual name of the class of units that are still of use, always the first of a kind.
pub const HOLDS: &str = "holds";

/// Name of the class of units that are gone, with lost parts such as half-squads.
pub const LOST: &str = "lost";

/// Largest number of classes in a kind.
pub const MOST_CLASSES: usize = 6;

/// Units that are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    pub name: &'static str,
    /// Name in charts, as the rulebook has it: `MMC`.
    pub written: &'static str,
    pub about: &'static str,
    /// Number of parts of one unit that can exist alone: 2 for the half-squads of a squad.
    pub parts: u8,
}

impl Group {
    /// Creates a group of units that are counted whole.
    pub const fn whole_units(name: &'static str, about: &'static str) -> Group {
        Group { name, written: name, about, parts: 1 }
    }

    /// Converts a number of parts to a number of units.
    pub fn number(&self, parts: u16) -> f64 {
        f64::from(parts) / f64::from(self.parts)
    }
}
