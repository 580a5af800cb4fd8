//! Parsed requests.

use asl::board::map::{Location, Map};
use asl::board::table::ListedLine;
use asl::rulebook::Interpretation;
use asl::scenario::Scenario;
use asl::scenario::later_turns::LaterTurns;
use play::dyn_question::{Depth, DynQuestion, TraceDice};
use play::form::RuleReading;
use play::objective::Objective;

/// A parsed request of any game.
pub enum Request {
    /// The odds of a question.
    Question(Box<dyn DynQuestion>),
    /// A trace of one sequence of a question, roll by roll.
    Trace { question: Box<dyn DynQuestion>, dice: TraceDice },
    /// A question under other values of its rule settings.
    Impact { question: Box<dyn DynQuestion>, readings: Vec<RuleReading> },
    /// A comparison of courses of action.
    Compare(Comparison),
    /// The best play of a question.
    Solve(Solving),
    /// A Rout Phase on a map.
    Rout(Box<Routing>),
    /// A Rout Phase under other values of its rule settings.
    Reread(Box<Rereading>),
    /// A trace of one sequence of a Rout Phase, roll by roll.
    RoutTrace(Box<RoutTracing>),
    /// The reasons why a hex of the map is a destination or not.
    Explain(Box<Explaining>),
    /// A check of a board's lines of sight.
    Check(Box<Checking>),
}

/// At least two courses of action to compare, each with its name.
pub struct Comparison {
    pub about: Option<String>,
    pub courses: Vec<(String, Box<dyn DynQuestion>)>,
    pub objective: Objective,
}

/// A request for the best play of a question.
pub struct Solving {
    pub about: Option<String>,
    pub question: Box<dyn DynQuestion>,
    pub objective: Objective,
    pub depth: Depth,
}

/// A request for a Rout Phase under other values of its rule settings.
pub struct Rereading {
    pub scenario: Scenario,
    /// 0-based indices of units in the situation.
    pub units: Vec<usize>,
    pub interpretations: Vec<&'static Interpretation>,
}

/// A request for the reasons why a Location is a destination or not.
pub struct Explaining {
    pub scenario: Scenario,
    /// 0-based indices of units in the situation.
    pub units: Vec<usize>,
    pub location: Location,
}

/// A request to compare the lines of sight of a board with a table that lists the clear ones.
pub struct Checking {
    pub map: Map,
    pub lines: Vec<ListedLine>,
    /// True if lines along the upper or lower edge of the board are compared too.
    pub edges: bool,
}

/// A request to trace one sequence of a Rout Phase.
pub struct RoutTracing {
    pub scenario: Scenario,
    /// 0-based indices of units in the situation, in the order in which they rout.
    pub units: Vec<usize>,
    /// The 1-based number of the plan of the first unit, where 1 is its best. If `None`, each unit
    /// follows its best plan.
    pub plan: Option<String>,
    pub dice: TraceDice,
}

/// A request for the odds of a Rout Phase.
pub struct Routing {
    pub scenario: Scenario,
    /// 0-based indices of units in the situation, in the order in which they rout.
    pub units: Vec<usize>,
    pub every_order: bool,
    /// The Player Turns to evaluate after the rout, if asked for.
    pub ahead: Option<LaterTurns>,
}
