//! The door: requests written as JSON, answered as the command line answers the same words, and
//! refused in the same words.
//!
//! What the command line says is in the answer store (`tests/answers`); its words become JSON by a
//! translator of the tests' own.

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

use lowcrawl::door::{self, Answer, Refused, json, no_files};
use lowcrawl::system::House;
use lowcrawl::text::Fault;
use serde_json::Value;

static STORED: LazyLock<Vec<(store::Request, store::Answer)>> = LazyLock::new(store::read);
static HOUSE: LazyLock<House> = LazyLock::new(door::house);

/// Why a text has no answer.
#[derive(Debug)]
struct No {
    /// At its place, unless an engine gave up.
    fault: Fault,
    /// Of a request that could be read.
    refused: Option<Refused>,
}

/// The answer to a request.
fn asked(text: &str) -> Result<Answer, Box<No>> {
    let asked = door::read(text, &HOUSE, &no_files).map_err(|fault| No { fault, refused: None })?;
    let places = asked.places();
    door::ask(asked.request, "it".to_string(), &asked.options).map_err(|refused| {
        let fault = match refused.clone() {
            Refused::Field(error) => places.blamed(error),
            Refused::Engine { error, help } => {
                Fault { help, ..Fault::new(error.to_string(), 0..0) }
            }
        };
        Box::new(No { fault, refused: Some(refused) })
    })
}

/// The same as JSON.
fn document(text: &str) -> Result<Value, Box<No>> {
    asked(text).map(|answer| json::answer(&answer).unwrap())
}

/// A request as it is understood.
fn canonical(text: &str) -> Value {
    door::read(text, &HOUSE, &no_files).unwrap_or_else(|fault| panic!("{fault}\n{text}")).canonical
}
