//! Requests in JSON: they must get the same answers and the same error messages as the command
//! line.
//!
//! The answers of the command line come from the answer store (`tests/answers`). A translator in
//! these tests turns its arguments into JSON.

mod answered;
mod ask_command;
mod attack_agreement;
#[path = "../attack_twin/mod.rs"]
mod attack_twin;
mod attacks;
mod canonical_form;
#[cfg(feature = "cli")]
mod cells;
mod crossing_agreement;
mod crossings;
mod declared;
mod described;
mod forms;
mod given;
mod links;
mod mistakes;
mod mutated;
mod platoon_plans;
mod platoon_switches;
mod platoons;
#[path = "../common/random.rs"]
mod random;
mod refused;
#[cfg(not(feature = "cli"))]
#[path = "../common/report.rs"]
mod report;
mod request_text;
#[cfg(feature = "cli")]
#[path = "../answers/run.rs"]
mod run;
#[cfg(feature = "cli")]
#[path = "../shell/mod.rs"]
mod shell;
mod sides;
#[path = "../answers/store.rs"]
mod store;
#[path = "../answers/summary.rs"]
mod summary;
#[path = "../common/table.rs"]
mod table;
#[path = "../toy/mod.rs"]
mod toy;
mod traces;
mod translate;
#[allow(unused_imports)]
#[path = "../twin/mod.rs"]
mod twin;
mod two_sided_measures;
mod words;

#[cfg(feature = "cli")]
use shell::{is_progress, report};
use std::collections::BTreeMap;
use std::sync::LazyLock;

use lowcrawl::api::{self, Answer, Refused, json, no_files};
use lowcrawl::play::Registry;
use lowcrawl::text::Fault;
use serde_json::Value;

/// The stored requests, without those that the command line alone can answer.
static STORED: LazyLock<Vec<(store::Request, store::Answer)>> = LazyLock::new(|| {
    store::read().into_iter().filter(|(request, _)| request.area != "commands").collect()
});
/// Returns the stored requests that ask one question and have an answer.
fn answered_questions() -> impl Iterator<Item = &'static (store::Request, store::Answer)> {
    let is_one =
        |request: &store::Request| request.arguments.first().is_some_and(|first| first != "study");
    STORED.iter().filter(move |(request, answer)| answer["exit"] == "0" && is_one(request))
}

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

/// Requests compared with a stored or another answer: how many are alike, the differences of the
/// others, and how many are not compared, by reason.
#[derive(Default)]
struct Comparison {
    alike: usize,
    differ: Vec<String>,
    skipped: BTreeMap<&'static str, usize>,
}

impl Comparison {
    /// Counts a request as alike, or notes its difference.
    fn add(&mut self, is_alike: bool, difference: impl FnOnce() -> String) {
        match is_alike {
            true => self.alike += 1,
            false => self.differ.push(difference()),
        }
    }

    fn skip(&mut self, reason: &'static str) {
        *self.skipped.entry(reason).or_default() += 1;
    }

    /// Panics unless all compared requests are alike, and at least so many.
    fn assert_alike(&self, least: usize) {
        let (alike, number) = (self.alike, self.differ.len());
        eprintln!("{alike} alike, {number} differ; skipped: {:?}", self.skipped);
        let first = self.differ.iter().take(10).map(String::as_str).collect::<Vec<_>>();
        assert!(first.is_empty(), "{number} of {}:\n{}", alike + number, first.join("\n"));
        assert!(alike >= least, "{alike} alike");
    }

    /// Panics unless requests are skipped for these reasons, in order.
    fn assert_skipped(&self, reasons: &[&str]) {
        assert!(self.skipped.keys().eq(reasons), "{:?}", self.skipped);
    }
}
