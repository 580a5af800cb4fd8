//! The choices of the owner in a Rally Phase (10.6, 10.62, 18.11), if a question leaves them open.

use super::rally::RallyAttempt;
use super::unit::UnitIndex;
use super::verdict::Verdict;
use crate::catalogue::CounterKind;

/// The choices that the owner makes: none by default, when leaders rally first and DM is removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices {
    /// True if the owner chooses which unit tries to rally next, or that no other does (10.6).
    pub rally: bool,
    /// True if the owner chooses whether DM is kept at the end of a Rally Phase (10.62).
    pub dm: bool,
}

impl Choices {
    /// Every choice.
    pub const ALL: Choices = Choices { rally: true, dm: true };

    /// Returns whether the owner makes at least one choice.
    pub fn any(self) -> bool {
        self != Choices::default()
    }
}

/// One option of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// This unit tries to rally next (10.6).
    Tries(UnitIndex),
    /// No other unit tries in this Rally Phase (10.6).
    NobodyElse,
    /// All units lose DM (10.62).
    RemoveDm,
    /// All units that have DM keep it (10.62).
    KeepDm,
}

/// A unit that can try to rally now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub kind: CounterKind,
    /// The attempt that the unit would make.
    pub attempt: RallyAttempt,
}

impl Candidate {
    /// Returns whether the attempt can have no effect but Fate (10.64), not even by an Original 2.
    pub fn is_hopeless(&self) -> bool {
        let best = self.attempt.read(2);
        best.verdict == Verdict::NotRallied && !best.heats
    }
}

impl Choice {
    pub(crate) const fn kind(self) -> &'static str {
        match self {
            Choice::Tries(_) => "try",
            Choice::NobodyElse => "let-be",
            Choice::RemoveDm => "remove-dm",
            Choice::KeepDm => "keep-dm",
        }
    }

    pub(crate) const fn rule(self) -> &'static str {
        match self {
            Choice::Tries(_) | Choice::NobodyElse => "10.6",
            Choice::RemoveDm | Choice::KeepDm => "10.62",
        }
    }
}
