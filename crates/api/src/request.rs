//! Parsed requests.

use answer::Options;
use asl::board::map::{Location, Map};
use asl::board::table::ListedLine;
use asl::rulebook::Interpretation;
use asl::scenario::Scenario;
use asl::scenario::campaign::LaterTurns;
use play::variations::NamedQuestion;
use play::{Depth, DynQuestion, Objective, RuleReading, TraceDice};
use schema::VariationOption;

/// The command that repeats a request, for the metadata of its answer, and the options.
pub(super) struct Context<'a> {
    pub command: String,
    pub options: &'a Options<'a>,
}

/// A parsed request of any game.
pub enum Request {
    /// The odds of a question.
    Question(Box<dyn DynQuestion>),
    /// What a question reckons before its first roll, without its odds.
    Reckoning(Box<dyn DynQuestion>),
    /// A trace of one sequence of a question, roll by roll.
    Trace { question: Box<dyn DynQuestion>, dice: TraceDice },
    /// A question under other values of its rule settings.
    Impact { question: Box<dyn DynQuestion>, readings: Vec<RuleReading> },
    /// A comparison of courses of action.
    Compare(Comparison),
    /// The best play of a question.
    Solve(Solving),
    /// A request about a Rout Phase on a map.
    Rout(Box<Routing>),
    /// A check of a board's lines of sight.
    Check(Box<Checking>),
}

/// At least two courses of action to compare, each with its name.
pub struct Comparison {
    pub about: Option<String>,
    pub courses: Vec<NamedQuestion>,
    pub objective: Objective,
    /// The set of variations of the first course that the others are, if they are one.
    pub variations: Option<&'static VariationOption>,
}

/// A request for the best play of a question.
pub struct Solving {
    pub about: Option<String>,
    pub question: Box<dyn DynQuestion>,
    pub objective: Objective,
    pub depth: Depth,
}

/// A request to compare the lines of sight of a board with a table that lists the clear ones.
pub struct Checking {
    pub map: Map,
    pub lines: Vec<ListedLine>,
    /// True if lines along the upper or lower edge of the board are compared too.
    pub edges: bool,
}

/// A request about some units in a Rout Phase on a map.
pub struct Routing {
    pub scenario: Scenario,
    /// 0-based indices of units in the situation, in the order in which they rout.
    pub units: Vec<usize>,
    pub wanted: RoutWanted,
}

/// The wanted answer about a Rout Phase.
pub enum RoutWanted {
    /// The odds of every plan, and of the whole phase.
    Odds {
        every_order: bool,
        /// The Player Turns to evaluate after the rout, if asked for.
        ahead: Option<LaterTurns>,
    },
    /// The changes under other values of rule settings.
    Impact(Vec<&'static Interpretation>),
    /// The reasons why a Location is a destination or not.
    Explanation(Location),
    /// One sequence, roll by roll.
    Trace {
        /// The 1-based number of the first unit's plan; `None` is its best, as for all others.
        plan: Option<String>,
        dice: TraceDice,
    },
}
