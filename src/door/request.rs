//! What can be asked.

use crate::scenario::Scenario;
use crate::scenario::ahead::Ahead;
use crate::system::asking::{Asking, Depth, TaleDice};
use crate::system::form::Reading;
use crate::system::objective::Objective;

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
