//! Requests in JSON: they must get the same answers and the same error messages as the command
//! line.
//!
//! The answers of the command line come from the answer store (`tests/answers`). A translator in
//! these tests turns its arguments into JSON.

mod answered;
mod ask_command;
#[cfg(feature = "cli")]
mod cells;
mod declared;
mod described;
mod faults;
mod forms;
mod given;
mod links;
mod mutated;
mod refused;
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
mod tales;
#[path = "../toy/mod.rs"]
mod toy;
mod translate;
mod understood;
mod written;
mod wrong;

use std::sync::LazyLock;

use lowcrawl::api::{self, Answer, Refused, json, no_files};
use lowcrawl::system::Registry;
use lowcrawl::text::Fault;
use serde_json::Value;

static STORED: LazyLock<Vec<(store::Request, store::Answer)>> = LazyLock::new(store::read);
static GAMES: LazyLock<Registry> = LazyLock::new(api::games);

/// A request without an answer.
#[derive(Debug)]
struct No {
    /// The fault at its place; without a place if an engine gave up.
    fault: Fault,
    /// The refusal, if the request could be read.
    refused: Option<Refused>,
}

/// Answers a request.
fn asked(text: &str) -> Result<Answer, Box<No>> {
    let asked = api::read(text, &GAMES, &no_files).map_err(|fault| No { fault, refused: None })?;
    let places = asked.places();
    api::ask(asked.request, "it".to_string(), &asked.options).map_err(|refused| {
        let fault = match refused.clone() {
            Refused::Field(error) => places.blamed(error),
            Refused::Engine { error, help } => {
                Fault { help, ..Fault::new(error.to_string(), 0..0) }
            }
        };
        Box::new(No { fault, refused: Some(refused) })
    })
}

/// Answers a request, and returns the answer as JSON.
fn document(text: &str) -> Result<Value, Box<No>> {
    asked(text).map(|answer| json::answer(&answer).unwrap())
}

/// Returns the canonical form of a request.
fn canonical(text: &str) -> Value {
    api::read(text, &GAMES, &no_files).unwrap_or_else(|fault| panic!("{fault}\n{text}")).canonical
}
