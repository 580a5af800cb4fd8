//! Classes of statuses and groups of units, by which the units of an answer are counted.

use super::form::named;
use engine::text::Fault;

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
    pub about: &'static str,
    /// Number of parts of one unit that can exist alone: 2 for the half-squads of a squad.
    pub parts: u8,
}

impl Group {
    /// Creates a group of units that are counted whole.
    pub const fn whole_units(name: &'static str, about: &'static str) -> Group {
        Group { name, about, parts: 1 }
    }

    /// Converts a number of parts to a number of units.
    pub fn number(&self, parts: u16) -> f64 {
        f64::from(parts) / f64::from(self.parts)
    }
}

/// The classes and groups that can be counted in a kind of question.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    pub name: &'static str,
    /// Classes of statuses. The first is the class of units that hold.
    pub classes: &'static [StatusClass],
    /// Groups of units; the first is the default.
    pub groups: &'static [Group],
}

impl Scheme {
    /// Returns the 0-based position of the class that has a status, or `None` if no class has it.
    pub fn class_of(&self, status: &str) -> Option<usize> {
        self.classes.iter().position(|class| class.statuses.contains(&status))
    }

    /// Returns the group called `text`.
    ///
    /// # Errors
    ///
    /// Fails if there is no group of that name.
    pub fn group(&self, text: &str) -> Result<&'static Group, Fault> {
        if self.groups.is_empty() {
            let fault = Fault::new(
                format!("no group of `{}` is called `{text}`", self.name),
                0..text.len(),
            );
            return Err(fault.help("it has no groups to count"));
        }
        let groups = self.groups.iter().map(|group| (group.name, group));
        named(text, groups, &format!("no group of `{}` is called", self.name))
    }
}
