//! The WebAssembly module of the web page. Requests and answers are JSON, with the text and the
//! charts of an answer.

use api::exchange::{self, Unanswered};
use api::json::{fault, linked};
use api::odds::{OddsAnswer, last_point, successes_at};
use api::rout::picture::route_map;
use api::{Answer, games, no_files, read, words};
use asl::rout::Situation;
use asl::scenario::answer::RouterAnswer;
use charts::chart::{Chart, draw, label};
use engine::EngineError;
use engine::monitor::{Monitor, Progress};
use render::Looks;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

/// Answers allocate and free many small blocks, for which the default allocator is slower.
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Largest number of plans of a unit that the page shows.
const MOST_PLANS: usize = 12;

#[wasm_bindgen]
extern "C" {
    /// A function in the scope of the worker that receives progress: the work done, and the
    /// expected work if it is known.
    #[wasm_bindgen(js_name = lowcrawlProgress)]
    fn progress(done: f64, expected: Option<f64>);
}

/// Returns everything that can be asked, as JSON.
#[wasm_bindgen]
pub fn describe() -> String {
    api::describe(&games(), None, None).unwrap_or_default().to_string()
}

/// Answers a request in JSON as `lowcrawl ask` does, or returns its fault.
///
/// The answer has further keys unless `width` is 0. `screen` is the laid-out text, with every
/// outcome if `all` is set. `curves` are the probabilities of success after each report point.
/// `charts` are the fitting charts, `width` pixels wide. `markdown` is the table. A rout also has
/// `picture`, the SVG for a file, and `map`, the map alone.
#[wasm_bindgen]
pub fn ask(request: &str, all: bool, width: f64) -> String {
    let registry = games();
    let parsed = match read(request, &registry, &no_files) {
        Ok(parsed) => parsed,
        Err(error) => return fault(&error, request).to_string(),
    };
    let command = words::command(&registry, &parsed.whole()).unwrap_or(parsed.command());
    let failed = |error: &dyn std::fmt::Display| {
        json!({ "fault": { "message": error.to_string() } }).to_string()
    };
    let report_progress = |Progress { done, expected }: Progress| {
        progress(done as f64, expected.map(|expected| expected as f64));
    };
    let watch = Monitor { progress: Some(&report_progress), ..Monitor::NONE };
    let (answer, whole) = match exchange::answer(request, parsed, command, watch) {
        Ok(answered) => answered,
        Err(Unanswered::Fault(json)) => return json.to_string(),
        Err(Unanswered::Cancelled) => return failed(&EngineError::Interrupted),
    };
    let looks = Looks { all, most: if all { 0 } else { MOST_PLANS }, ..Looks::default() };
    let mut page = match linked(&answer, whole) {
        Ok(page) => page,
        Err(error) => return failed(&error),
    };
    if width <= 0.0 {
        return page.to_string();
    }
    let document = match render::render(&answer, &looks, watch) {
        Ok(document) => document.json(),
        Err(error) => return failed(&error),
    };
    let drawn = |chart: &Chart| json!({ "kind": chart.kind.name(), "label": label(chart), "svg": draw(chart, width) });
    page["screen"] = document;
    page["curves"] = curves(&answer);
    page["charts"] = render::chart::charts(&answer, false).iter().map(drawn).collect();
    page["markdown"] = answer.sheet().map(|sheet| render::markdown(&answer, &sheet, &looks)).into();
    if let Answer::Rout(routed) = &answer {
        let title = routed.scenario.about.as_deref().unwrap_or_default();
        page["picture"] = render::rout::picture(routed, title).into();
        page["map"] = map(&routed.scenario.situation, &routed.answers);
    }
    page.to_string()
}

/// Returns the probability of success of each unit after each report point, by slot; empty if the
/// answer has a single report point.
fn curves(answer: &Answer) -> Value {
    let Answer::Question(OddsAnswer { question, table }) = answer else { return json!({}) };
    let facts = question.words().facts();
    let last = last_point(table).unwrap_or_default();
    if last < 2 || facts.success.statuses.is_empty() || table.shape.joint {
        return json!({});
    }
    let mut curves: BTreeMap<u8, Vec<f64>> = BTreeMap::new();
    for at in 1..=last {
        for (slot, _, figure) in successes_at(&facts, table, Some(at)) {
            let probability = figure.map_or(0.0, |figure| figure.probability());
            curves.entry(slot).or_default().push(probability);
        }
    }
    json!(curves)
}

/// Returns the request in JSON that a link holds, or its fault.
#[wasm_bindgen]
pub fn follow(line: &str) -> String {
    api::link::json(line).unwrap_or_else(|found| fault(&found, line).to_string())
}

/// Returns a map as SVG, with the name and the centre of each hex in SVG units.
fn map(situation: &Situation, answers: &[RouterAnswer]) -> Value {
    let units: Vec<_> = answers.iter().map(|one| (one.unit, &one.prospect)).collect();
    let drawn = charts::svg::draw(&route_map(situation, &units, 6), None, None);
    let hexes = situation.map.hexes().zip(&drawn.middles);
    let hexes = hexes.map(|(hex, [x, y])| json!([situation.map.name(hex), x, y]));
    json!({ "svg": drawn.svg, "hexes": hexes.collect::<Vec<_>>() })
}

/// Returns the map of an unfinished request with the units placed so far, in the form of `map` in
/// an answer, or its fault.
#[wasm_bindgen]
pub fn lay(request: &str) -> String {
    let found = read::read_unfinished(request, &no_files);
    found.map_or_else(|found| fault(&found, request), |situation| map(&situation, &[])).to_string()
}

/// Returns the request in JSON for a situation file, or its fault.
#[wasm_bindgen]
pub fn situation(file: &str) -> String {
    api::situation::request(file).unwrap_or_else(|found| fault(&found, file)).to_string()
}

/// Returns the situation file of a request as `file`, or its fault.
#[wasm_bindgen]
pub fn file(request: &str) -> String {
    let text = serde_json::from_str(request).unwrap_or_default();
    let written = api::situation::file(&text);
    written.map_or_else(|found| fault(&found, request), |file| json!({ "file": file })).to_string()
}
