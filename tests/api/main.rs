//! Requests in JSON: they must get the same answers and the same error messages as the command
//! line.
//!
//! The answers of the command line come from the answer store (`tests/answers`). A translator in
//! these tests turns its arguments into JSON.

mod answered;
mod ask_command;
mod canonical_form;
#[cfg(feature = "cli")]
mod cells;
mod declared;
mod described;
mod faults;
mod forms;
mod given;
mod links;
mod mistakes;
mod mutated;
mod refused;
mod request_text;
#[cfg(feature = "cli")]
#[path = "../answers/run.rs"]
mod run;
#[cfg(feature = "cli")]
#[path = "../shell/mod.rs"]
mod shell;
#[path = "../answers/store.rs"]
mod store;
#[path = "../answers/summary.rs"]
mod summary;
#[path = "../toy/mod.rs"]
mod toy;
mod traces;
mod translate;

use std::sync::LazyLock;

use lowcrawl::api::{self, Answer, Refused, json, no_files};
use lowcrawl::play::Registry;
use lowcrawl::text::Fault;
use serde_json::Value;

static STORED: LazyLock<Vec<(store::Request, store::Answer)>> = LazyLock::new(store::read);
static GAMES: LazyLock<Registry> = LazyLock::new(api::games);

/// Reason why a request has no answer.
#[derive(Debug)]
struct Unanswered {
    /// The fault. Its span is empty if an engine gave up.
    fault: Fault,
    /// The refusal, if the request could be parsed.
    refused: Option<Refused>,
}

fn answer_request(text: &str) -> Result<Answer, Box<Unanswered>> {
    let request =
        api::read(text, &GAMES, &no_files).map_err(|fault| Unanswered { fault, refused: None })?;
    let places = request.node.clone();
    api::ask(request.request, "it".to_string(), &request.options).map_err(|refused| {
        let fault = match refused.clone() {
            Refused::Field(error) => api::read::blamed(&places, error),
            Refused::Engine { error, help } => {
                Fault { help, ..Fault::new(error.to_string(), 0..0) }
            }
        };
        Box::new(Unanswered { fault, refused: Some(refused) })
    })
}

/// Answers a request, and returns the answer as JSON.
fn document(text: &str) -> Result<Value, Box<Unanswered>> {
    answer_request(text).map(|answer| json::answer(&answer).unwrap())
}

/// Returns the canonical form of a request.
fn canonical(text: &str) -> Value {
    api::read(text, &GAMES, &no_files).unwrap_or_else(|fault| panic!("{fault}\n{text}")).canonical
}
