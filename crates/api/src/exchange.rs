//! A request in JSON and its answer in JSON.

use serde_json::{Value, json};

use super::answer::Answer;
use super::json::{fault, linked, refused};
use super::read::{ParsedRequest, no_files, read};
use super::{Refused, ask, games};
use answer::Options;
use asl::scenario::Open;
use engine::EngineError;
use engine::monitor::Monitor;
use play::Registry;

/// The reason why a parsed request has no answer.
pub enum Unanswered {
    /// A fault, as JSON.
    Fault(Value),
    /// The run was cancelled.
    Cancelled,
}

/// Answers a parsed request with its own options. Returns the answer and the canonical request.
/// `text` is the request as written, in which faults have their positions.
///
/// # Errors
///
/// Fails if the request cannot be answered, or if `monitor` cancels the run.
pub fn answer(
    text: &str,
    parsed: ParsedRequest,
    command: String,
    monitor: Monitor,
) -> Result<(Answer, Value), Unanswered> {
    let request = parsed.whole();
    let options = Options { watch: monitor, ..parsed.options };
    match ask(parsed.request, command, &options) {
        Ok(answer) => Ok((answer, request)),
        Err(Refused::Engine { error: EngineError::Interrupted, .. }) => Err(Unanswered::Cancelled),
        Err(why) => Err(Unanswered::Fault(refused(why, &parsed.node, text))),
    }
}

/// Answers a request in JSON as `lowcrawl ask` does: with the answer, or with an object whose only
/// key is `fault`. The request may name no files.
///
/// # Examples
///
/// ```
/// use lowcrawl_api::exchange::answer_json;
///
/// let text = r#"{"kind": "check", "stack": "german:4-6-7", "mc": 1, "hob": false}"#;
/// let answer = answer_json(text);
/// assert_eq!(answer["rows"][0]["fraction"], "5/18");
/// assert_eq!(answer_json(r#"{"kind": "chek"}"#)["fault"]["near"][0], "check");
/// ```
pub fn answer_json(text: &str) -> Value {
    match respond(text, &games(), &no_files, Monitor::NONE) {
        Ok(json) | Err(Unanswered::Fault(json)) => json,
        Err(Unanswered::Cancelled) => message(EngineError::Interrupted.to_string()),
    }
}

/// Answers a request in JSON, with its own options. `open` returns the text of a named table.
///
/// # Errors
///
/// Fails if the request is invalid or cannot be answered, or if `monitor` cancels the run.
pub fn respond(
    text: &str,
    registry: &Registry,
    open: Open,
    monitor: Monitor,
) -> Result<Value, Unanswered> {
    #[cfg(feature = "vasl")]
    if let Some(answer) = super::vasl_files::respond(text) {
        return answer.map_err(|error| Unanswered::Fault(fault(&error, text)));
    }
    let parsed =
        read(text, registry, open).map_err(|error| Unanswered::Fault(fault(&error, text)))?;
    let command = parsed.command();
    let (answer, request) = answer(text, parsed, command, monitor)?;
    linked(&answer, request).map_err(|error| Unanswered::Fault(message(error.to_string())))
}

fn message(message: String) -> Value {
    json!({ "fault": { "message": message } })
}
