//! The way in: the one list of games, and every request about them read, answered and described.
//!
//! A [`Request`] is a question, a question told or read otherwise, courses side by side, the best
//! play, a rout on a map, or lines of sight to be checked; whoever has read it ([`read()`], the
//! command line) gets its [`Answer`] from [`ask`]. Nothing here opens a file, prints, or starts a
//! thread.

pub mod answer;
pub mod board;
pub mod compare;
mod describe;
pub mod impact;
pub mod json;
pub mod link;
pub mod read;
pub mod reference;
pub mod request;
pub mod rout;
pub mod situation;
pub mod trace;
pub mod words;

use std::error::Error;
use std::fmt;

pub use answer::Answer;
use asl::course::game::Asl;
pub use describe::describe;
use engine::EngineError;
use engine::text::notation::Help;
use fortitude::Fortitude;
use reaction::Reaction;
pub use read::{Asked, no_files, read};
pub use request::Request;
use system::House;
use system::answer::Options;
use system::form::FieldFault;

/// All games there are.
pub fn house() -> House {
    House::new(vec![&Asl, &Fortitude, &Reaction])
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// Something wrong with one of its fields; the span is that of the field's text, where it has
    /// one.
    Field(FieldFault),
    /// An engine that gave up, with what to do instead.
    Engine { error: EngineError, help: Option<Help> },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Field(fault) => fault.fmt(f),
            Refused::Engine { error, help: Some(help) } => write!(f, "{error} ({help})"),
            Refused::Engine { error, help: None } => error.fmt(f),
        }
    }
}

impl Error for Refused {}

impl From<FieldFault> for Refused {
    fn from(fault: FieldFault) -> Refused {
        Refused::Field(fault)
    }
}

/// Answers a request; `command` asks it again.
///
/// Fails with [`Refused::Engine`] where it is too big, or was stopped.
pub fn ask(request: Request, command: String, options: &Options) -> Result<Answer, Refused> {
    Ok(match request {
        Request::Question(question) => {
            Answer::Question(answer::question(question, command, options)?)
        }
        Request::Trace { question, dice } => {
            Answer::Trace(trace::question(question.as_ref(), command, dice, options)?)
        }
        Request::Impact { question, readings } => {
            Answer::Impact(impact::impact(question, readings, command, options)?)
        }
        Request::Compare(comparison) => {
            Answer::Compare(compare::compare(comparison, command, options)?)
        }
        Request::Solve(solving) => Answer::Solve(answer::solve(solving, command, options)?),
        Request::Reread(rereading) => {
            Answer::Reread(Box::new(rout::impact::reread(*rereading, command, options)?))
        }
        Request::RoutTrace(tracing) => Answer::Trace(trace::rout(*tracing, command, options)?),
        Request::Explain(explaining) => {
            Answer::Explain(Box::new(rout::explain::explain(*explaining, command)))
        }
        Request::Check(checking) => Answer::Check(board::check(*checking, command)),
        Request::Rout(routing) => Answer::Rout(Box::new(rout::rout(*routing, command, options)?)),
    })
}
