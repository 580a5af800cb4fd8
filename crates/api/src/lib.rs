//! The list of games, and functions that parse, answer and describe requests about them.
//!
//! A [`Request`] is a question, one sequence of it, or its odds under other rule settings. It can
//! also be a comparison, a best play, a rout on a map, or a check of lines of sight. The function
//! [`read()`] and the command line create requests, and [`ask`] returns the [`Answer`]. This crate
//! opens no files, prints nothing and starts no threads.

pub mod answer;
pub mod board;
pub mod compare;
mod describe;
pub mod exchange;
pub mod impact;
pub mod json;
pub mod link;
pub mod number_format;
pub mod odds;
pub mod read;
pub mod reckoning;
pub mod reference;
pub mod request;
pub mod rout;
pub mod situation;
pub mod trace;
#[cfg(feature = "vasl")]
mod vasl_files;
pub mod words;

pub use self::answer::Answer;
use ::answer::options::Options;
use asl::course::game::Asl;
pub use describe::describe;
use engine::EngineError;
use engine::text::notation::Remedy;
use fortitude::Fortitude;
use play::Registry;
use reaction::Reaction;
pub use read::{ParsedRequest, no_files, read};
pub use request::Request;
use request::{Context, RoutWanted, Routing};
use schema::FieldFault;

/// Returns the registry of all games.
///
/// # Examples
///
/// ```
/// let games = lowcrawl_api::games();
/// assert_eq!(games.games().len(), 3);
/// ```
pub fn games() -> Registry {
    Registry::new(vec![&Asl, &Fortitude, &Reaction])
}

/// Reason why a request has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// A fault of a field. Its span is within the field's text, and may be empty.
    #[error(transparent)]
    Field(#[from] FieldFault),
    /// An error of an engine, with advice on what to do instead.
    #[error("{error}{}", .help.as_ref().map_or(String::new(), |help| format!(" ({help})")))]
    Engine { error: EngineError, help: Option<Remedy> },
}

impl From<EngineError> for Refused {
    fn from(error: EngineError) -> Refused {
        Refused::Engine { error, help: None }
    }
}

/// Answers a request. `command` is the command that repeats it, for the metadata of the answer.
///
/// # Errors
///
/// Fails with [`Refused::Engine`] if the process is too big or the run is cancelled, and with
/// [`Refused::Field`] if a field turns out to be invalid.
///
/// # Examples
///
/// ```
/// use lowcrawl_api::{ask, games, no_files, read};
///
/// let text = r#"{"kind": "check", "stack": "german:4-6-7", "mc": 1}"#;
/// let asked = read(text, &games(), &no_files).unwrap();
/// let answer = ask(asked.request, String::new(), &asked.options).unwrap();
/// assert_eq!(answer.meta().engine, "exact");
/// ```
pub fn ask(request: Request, command: String, options: &Options) -> Result<Answer, Refused> {
    let context = Context { command, options };
    Ok(match request {
        Request::Question(question) => Answer::Question(odds::answer(question, context)?),
        Request::Reckoning(question) => {
            Answer::Reckoning(reckoning::reckoning(question.as_ref(), context)?)
        }
        Request::Trace { question, dice } => {
            Answer::Trace(trace::question(question.as_ref(), dice, context)?)
        }
        Request::Impact { question, readings } => {
            Answer::Impact(impact::impact(question, readings, context)?)
        }
        Request::Compare(comparison) => Answer::Compare(compare::compare(comparison, context)?),
        Request::Solve(solving) => Answer::Solve(answer::solve(solving, context)?),
        Request::Check(checking) => Answer::Check(board::check(*checking, context.command)),
        Request::Rout(routing) => return rout_answer(*routing, context),
    })
}

fn rout_answer(
    Routing { scenario, units, wanted }: Routing,
    Context { command, options }: Context,
) -> Result<Answer, Refused> {
    Ok(match wanted {
        RoutWanted::Odds { every_order, ahead } => {
            let wanted = (every_order, ahead);
            Answer::Rout(rout::rout(scenario, &units, wanted, command, options)?.into())
        }
        RoutWanted::Impact(readings) => {
            let impact =
                rout::impact::impact(&scenario, &units, &readings, command, options.watch)?;
            Answer::RoutFindings(impact.into())
        }
        RoutWanted::Explanation(location) => {
            let explanation = rout::explain::explain(&scenario, &units, location, command);
            Answer::RoutFindings(explanation.into())
        }
        RoutWanted::Trace { plan, dice } => {
            let plan = (&*units, plan.as_deref());
            Answer::Trace(trace::rout(&scenario, plan, dice, Context { command, options })?)
        }
    })
}
