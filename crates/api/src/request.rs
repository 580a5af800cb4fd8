//! Requests of every game.

use asl::board::map::{Location, Map};
use asl::board::table::ListedLine;
use asl::rulebook::Interpretation;
use asl::scenario::Scenario;
use asl::scenario::later_turns::LaterTurns;
use play::dyn_question::{Depth, DynQuestion, TraceDice};
use play::form::RuleReading;
use play::objective::Objective;

/// A request, of any game.
pub enum Request {
    /// The odds of a question.
    Question(Box<dyn DynQuestion>),
    /// One sequence of a question, as a trace.
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
    /// One sequence of a Rout Phase, as a trace.
    RoutTrace(Box<RoutTracing>),
    /// The reasons why a hex of the map is a destination or not.
    Explain(Box<Explaining>),
    /// A check of a board's lines of sight.
    Check(Box<Checking>),
}

/// Courses of action to be compared, at least two, each with its name.
pub struct Comparison {
    pub about: Option<String>,
    pub courses: Vec<(String, Box<dyn DynQuestion>)>,
    pub objective: Objective,
}

/// A question whose best play is wanted.
pub struct Solving {
    pub about: Option<String>,
    pub question: Box<dyn DynQuestion>,
    pub objective: Objective,
    pub depth: Depth,
}

/// A situation, and the rule settings to vary.
pub struct Rereading {
    pub scenario: Scenario,
    /// 0-based indices of units in the situation.
    pub units: Vec<usize>,
    pub interpretations: Vec<&'static Interpretation>,
}

/// A situation, and a Location of its map to be explained.
pub struct Explaining {
    pub scenario: Scenario,
    /// 0-based indices of units in the situation.
    pub units: Vec<usize>,
    pub location: Location,
}

/// A board, and the lines of sight that a table lists as clear.
pub struct Checking {
    pub map: Map,
    pub lines: Vec<ListedLine>,
    /// Whether lines along the upper and lower edge count too.
    pub edges: bool,
}

/// A situation of which one sequence is traced.
pub struct RoutTracing {
    pub scenario: Scenario,
    /// 0-based indices of units in the situation, in the order in which they rout.
    pub units: Vec<usize>,
    /// The plan of the first unit, as a 1-based number in the list of its plans, the best first.
    /// Without it each unit plays its best plan.
    pub plan: Option<String>,
    pub dice: TraceDice,
}

/// A situation, and what is asked about it.
pub struct Routing {
    pub scenario: Scenario,
    /// 0-based indices of units in the situation, in the order in which they rout.
    pub units: Vec<usize>,
    /// Whether every order of the units is evaluated.
    pub every_order: bool,
    /// The continuation over Player Turns, if asked for.
    pub ahead: Option<LaterTurns>,
}
