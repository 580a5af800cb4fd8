//! The orders of a side: the words that decide for its leaders, its broken and rallied units, its
//! Rally attempts and its fire, and the policies that are sets of them.

use schema::declared::named;
use schema::field::words_of;

named! {
    /// What a leader does in his own MPh or APh.
    pub enum LeaderWord {
        /// He never moves.
        Stay = "stay",
        /// From a front he goes to the first linked Location that is none.
        Rear = "rear",
        /// From elsewhere he goes to the first linked front.
        Front = "front",
        /// He goes where most friendly units are broken, at most one link away.
        Help = "help",
    }

    /// What a broken unit does in the RtPh where it has the choice.
    pub enum RoutWord {
        /// It routs only when it must.
        Stay = "stay",
        /// It routs whenever it may.
        Rout = "rout",
        /// It routs only by a way that is not Interdicted now.
        Safe = "safe",
        /// It routs only from a Location without an unbroken leader to one with a leader.
        ToLeader = "to-leader",
    }

    /// What a Good Order MMC does that is not in a front.
    pub enum ReturnWord {
        /// It goes to a linked front in its next own MPh or APh.
        Return = "return",
        /// It stays where it has rallied.
        Wait = "wait",
        /// It returns only to an unbroken leader, or with one.
        WithLeader = "with-leader",
        /// It returns only when nobody in its Location is broken.
        Together = "together",
    }

    /// The order of the Rally attempts of a side.
    pub enum RallyWord {
        /// Leaders, then the first MMC Self-Rally by a unit that has no other way, then the rest.
        UnledFirst = "unled-first",
        /// Location by Location: leaders, then MMC in stack order.
        Reference = "reference",
        /// The first MMC Self-Rally, then leaders, then the rest.
        MmcFirst = "mmc-first",
    }

    /// How the units of a side form Fire Groups.
    pub enum FireGrouping {
        /// One Fire Group of each Location (7.55).
        ByLocation = "by-location",
        /// One Fire Group of all Locations that reach the target (7.5).
        One = "one",
        /// Each unit by itself.
        Separate = "separate",
    }

    /// A named policy: a set of words.
    pub enum PolicyWord {
        Hold = "hold",
        HoldSafe = "hold-safe",
        FallBack = "fall-back",
        RearLeader = "rear-leader",
        Shuttle = "shuttle",
        ToLeader = "to-leader",
        Nurse = "nurse",
        Spearhead = "spearhead",
        Patient = "patient",
        Escort = "escort",
        Withdraw = "withdraw",
    }
}

words_of!(LeaderWord, "WORD", "", whole = false);
words_of!(RoutWord, "WORD", "");
words_of!(ReturnWord, "WORD", "");
words_of!(RallyWord, "WORD", "");
words_of!(FireGrouping, "WORD", "");
words_of!(PolicyWord, "WORD", "no policy is called", whole = false);

/// The words of a policy: for the best leader and the others, for routs and for returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PolicyWords {
    pub best: LeaderWord,
    pub others: LeaderWord,
    pub rout: RoutWord,
    pub returns: ReturnWord,
}

impl PolicyWord {
    /// Returns the words of the policy.
    pub fn words(self) -> PolicyWords {
        use LeaderWord::{Help, Rear, Stay};
        use ReturnWord::{Return, Together, Wait, WithLeader};
        let (best, others, rout, returns) = match self {
            PolicyWord::Hold => (Stay, Stay, RoutWord::Stay, Return),
            PolicyWord::HoldSafe => (Stay, Stay, RoutWord::Safe, Return),
            PolicyWord::FallBack => (Stay, Stay, RoutWord::Rout, Return),
            PolicyWord::RearLeader => (Rear, Rear, RoutWord::Rout, Return),
            PolicyWord::Shuttle => (Help, Help, RoutWord::Rout, Return),
            PolicyWord::ToLeader => (Stay, Stay, RoutWord::ToLeader, Return),
            PolicyWord::Nurse => (Stay, Rear, RoutWord::Rout, Return),
            PolicyWord::Spearhead => (Rear, Stay, RoutWord::Rout, Return),
            PolicyWord::Patient => (Rear, Rear, RoutWord::Rout, Together),
            PolicyWord::Escort => (Help, Help, RoutWord::Rout, WithLeader),
            PolicyWord::Withdraw => (Rear, Rear, RoutWord::Rout, Wait),
        };
        PolicyWords { best, others, rout, returns }
    }

    /// Returns the policy in words.
    pub const fn about(self) -> &'static str {
        match self {
            PolicyWord::Hold => "nobody leaves",
            PolicyWord::HoldSafe => "the broken rout only where it costs nothing",
            PolicyWord::FallBack => "the broken go back, the leaders fight on",
            PolicyWord::RearLeader => "all leaders wait behind",
            PolicyWord::Shuttle => "leaders go where they are needed",
            PolicyWord::ToLeader => "the broken go to a leader",
            PolicyWord::Nurse => "the best leader directs, the others rally",
            PolicyWord::Spearhead => "the best leader rallies, the others stay in front",
            PolicyWord::Patient => "the rallied return as a body",
            PolicyWord::Escort => "nobody returns without a leader",
            PolicyWord::Withdraw => "the position is given up by and by",
        }
    }
}

/// Which Location an attack is aimed at. One with an unbroken unit always comes first (I-161).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aim {
    /// The least range.
    Nearest,
    /// The most Good Order MMC.
    Most,
    /// The least TEM and Hindrance.
    Easiest,
    /// The Location with this index while anybody is there, else the nearest.
    Fixed(u8),
}

impl Aim {
    /// The words for an aim that is no Location.
    pub const WORDS: [(&'static str, Aim); 3] =
        [("nearest", Aim::Nearest), ("most", Aim::Most), ("easiest", Aim::Easiest)];
}

/// What a unit does at its first decision, whatever the words of its side say: a broken unit in the
/// first RtPh, another in its first own MPh or APh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstOrder {
    Stay,
    /// It goes to the Location with this index, if a link leads there.
    Go(u8),
}

impl FirstOrder {
    /// The word for a unit that goes nowhere.
    pub const STAY: &str = "stay";
}

/// The orders of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideOrders {
    /// The word of each unit of the start. It counts for leaders only.
    pub leaders: Vec<LeaderWord>,
    /// The word of created leaders.
    pub created: LeaderWord,
    /// The order of each unit of the start for its first decision; empty without any.
    pub first: Vec<Option<FirstOrder>>,
    pub rout: RoutWord,
    pub returns: ReturnWord,
    pub rally: RallyWord,
    pub group: FireGrouping,
    pub aim: Aim,
}
