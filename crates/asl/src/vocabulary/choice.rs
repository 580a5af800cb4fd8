//! What the owner may choose in a Rally Phase (10.6, 10.62, 18.11), where a question leaves it to
//! him.

use super::location::Place;
use super::rally::RallyAttempt;
use super::verdict::Verdict;
use crate::catalogue::CounterKind;

/// Which choices a question leaves to the owner; by default none: then the reference order is
/// played, and DM removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices {
    /// 10.6: who tries to rally next, and whether anybody else does.
    pub rally: bool,
    /// 10.62: whether DM is kept at the end of a Rally Phase.
    pub dm: bool,
}

impl Choices {
    pub const ALL: Choices = Choices { rally: true, dm: true };

    /// Whether any choice is left to the owner.
    pub fn any(self) -> bool {
        self != Choices::default()
    }
}

/// One option of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// 10.6: this unit tries to rally next.
    Tries(Place),
    /// 10.6: nobody else tries in this Rally Phase.
    NobodyElse,
    /// 10.62: all units lose DM.
    RemoveDm,
    /// 10.62: all units that have DM keep it.
    KeepDm,
}

/// A unit that can try to rally now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub kind: CounterKind,
    /// The attempt it would make.
    pub attempt: RallyAttempt,
    /// A25.22: whether it has to.
    pub must: bool,
}

impl Candidate {
    /// 10.64: whether the attempt can bring nothing but Fate: not even an Original 2 rallies the
    /// unit or brings Heat of Battle.
    pub fn is_hopeless(&self) -> bool {
        let best = self.attempt.read(2);
        best.verdict == Verdict::NotRallied && !best.heats
    }
}

impl Choice {
    /// What it is, in a word.
    pub(crate) const fn kind(self) -> &'static str {
        match self {
            Choice::Tries(_) => "try",
            Choice::NobodyElse => "let-be",
            Choice::RemoveDm => "remove-dm",
            Choice::KeepDm => "keep-dm",
        }
    }

    /// The rule that gives it.
    pub(crate) const fn rule(self) -> &'static str {
        match self {
            Choice::Tries(_) | Choice::NobodyElse => "10.6",
            Choice::RemoveDm | Choice::KeepDm => "10.62",
        }
    }
}
