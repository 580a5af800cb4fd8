//! What can be asked.

use asl::board::map::{Map, Site};
use asl::board::table::ListedLine;
use asl::rulebook::Interpretation;
use asl::scenario::Scenario;
use asl::scenario::ahead::Ahead;
use system::asking::{Asking, Depth, TaleDice};
use system::form::Reading;
use system::objective::Objective;

/// Something that can be asked, of whatever game.
pub enum Request {
    /// The odds of a question.
    Question(Box<dyn Asking>),
    /// One sequence of a question, told.
    Trace { question: Box<dyn Asking>, dice: TaleDice },
    /// A question under other readings of the rules.
    Impact { question: Box<dyn Asking>, readings: Vec<Reading> },
    /// Courses of action side by side.
    Compare(Comparison),
    /// The best play.
    Solve(Solving),
    /// A Rout Phase on a map.
    Rout(Box<Routing>),
    /// The same under other readings of the rules.
    Reread(Box<Rereading>),
    /// The same, one sequence told.
    RoutTrace(Box<RoutTracing>),
    /// Why a hex of its map is a destination, or is not.
    Explain(Box<Explaining>),
    /// Lines of sight of a board.
    Check(Box<Checking>),
}

/// Courses of action, of which there are at least two, each with its name.
pub struct Comparison {
    pub about: Option<String>,
    pub courses: Vec<(String, Box<dyn Asking>)>,
    pub objective: Objective,
}

/// A question to be played best.
pub struct Solving {
    pub about: Option<String>,
    pub question: Box<dyn Asking>,
    pub objective: Objective,
    pub depth: Depth,
}

/// A situation, and the readings it is asked under.
pub struct Rereading {
    pub scenario: Scenario,
    /// By their places in the situation.
    pub units: Vec<usize>,
    pub asked: Vec<&'static Interpretation>,
}

/// A situation, and a Location of its map.
pub struct Explaining {
    pub scenario: Scenario,
    /// By their places in the situation.
    pub units: Vec<usize>,
    pub site: Site,
}

/// A board, and the lines of sight that a table says are clear.
pub struct Checking {
    pub map: Map,
    pub lines: Vec<ListedLine>,
    /// Whether lines along the upper and lower edge count too.
    pub edges: bool,
}

/// A situation of which one sequence is told.
pub struct RoutTracing {
    pub scenario: Scenario,
    /// In the order in which they rout, by their places in the situation.
    pub units: Vec<usize>,
    /// The plan of the first of them, as a number from 1 among its plans, the best first; without
    /// it each plays its best.
    pub plan: Option<String>,
    pub dice: TaleDice,
}

/// A situation, and what of it is asked.
pub struct Routing {
    pub scenario: Scenario,
    /// The units asked for, in the order in which they rout, by their places in the situation.
    pub units: Vec<usize>,
    /// Whether every order of them is worked out.
    pub every_order: bool,
    /// How it goes on over Player Turns.
    pub ahead: Option<Ahead>,
}
