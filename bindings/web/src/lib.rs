//! The door for a page: requests and answers as JSON, with the words and pictures of an answer.

use asl::rout::Situation;
use asl::scenario::answer::Answered;
use door::json::{fault, linked, refused};
use door::{Answer, house, no_files, read, words};
use engine::watch::{Progress, Watch};
use report::chart::{Chart, draw, label};
use screen::Looks;
use serde_json::{Value, json};
use system::answer::Options;
use wasm_bindgen::prelude::*;

/// Answers take and give back much memory in small pieces, for which the usual one is slower here.
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Plans of a unit that a page has room for.
const MOST_PLANS: usize = 12;

#[wasm_bindgen]
extern "C" {
    /// What a worker has in its scope to be told how far an answer has come: what is done, and what
    /// is expected where that is known.
    #[wasm_bindgen(js_name = lowcrawlProgress)]
    fn progress(done: f64, expected: Option<f64>);
}

/// Everything that can be asked.
#[wasm_bindgen]
pub fn describe() -> String {
    door::describe(&house(), None, None).unwrap_or_default().to_string()
}

/// The answer to a request in JSON, as `lowcrawl ask` gives it, or its fault. Beside it `screen`
/// holds what is said of it, with every outcome where `all` are wanted; `charts` those that fit
/// it, so wide; `markdown` the table of it; of a rout, `picture` is that of a file, and `map` the map
/// alone. With no width there is none of them.
#[wasm_bindgen]
pub fn ask(request: &str, all: bool, width: f64) -> String {
    let house = house();
    let asked = match read(request, &house, &no_files) {
        Ok(asked) => asked,
        Err(found) => return fault(&found, request).to_string(),
    };
    let (places, typed, whole) = (asked.places(), asked.command(), asked.whole());
    let command = words::command(&house, &whole).unwrap_or(typed);
    let tell = |Progress { done, expected }: Progress| {
        progress(done as f64, expected.map(|expected| expected as f64));
    };
    let watch = Watch { progress: Some(&tell), ..Watch::NONE };
    let answer = match door::ask(asked.request, command, &Options { watch, ..asked.options }) {
        Ok(answer) => answer,
        Err(why) => return refused(why, &places, request).to_string(),
    };
    let looks = Looks { all, most: if all { 0 } else { MOST_PLANS }, ..Looks::default() };
    let failed = |error: &dyn std::fmt::Display| {
        json!({ "fault": { "message": error.to_string() } }).to_string()
    };
    let mut told = match linked(&answer, whole) {
        Ok(told) => told,
        Err(error) => return failed(&error),
    };
    if width <= 0.0 {
        return told.to_string();
    }
    let said = match screen::of(&answer, &looks, watch) {
        Ok(said) => said.json(),
        Err(error) => return failed(&error),
    };
    let drawn = |chart: &Chart| json!({ "kind": chart.kind.name(), "label": label(chart), "svg": draw(chart, width) });
    told["screen"] = said;
    told["charts"] = screen::chart::of(&answer, false).iter().map(drawn).collect();
    told["markdown"] = answer.sheet().map(|sheet| screen::markdown(&answer, &sheet, looks.digits)).into();
    if let Answer::Rout(routed) = &answer {
        let title = routed.scenario.about.as_deref().unwrap_or_default();
        told["picture"] = screen::rout::picture(routed, title).into();
        told["map"] = map(&routed.scenario.situation, &routed.answers);
    }
    told.to_string()
}

/// The request in JSON that a link holds, or its fault.
#[wasm_bindgen]
pub fn follow(line: &str) -> String {
    door::link::json(line).unwrap_or_else(|found| fault(&found, line).to_string())
}

/// A map with the middle of each hex.
fn map(situation: &Situation, answers: &[Answered]) -> Value {
    let drawn = screen::rout::map(situation, answers);
    let hexes = drawn.middles.iter().map(|(hex, [x, y])| json!([situation.map.name(*hex), x, y]));
    json!({ "svg": drawn.svg, "hexes": hexes.collect::<Vec<_>>() })
}

/// The map of a request with whoever stands on it so far, as `map` of an answer has it, or its
/// fault.
#[wasm_bindgen]
pub fn lay(request: &str) -> String {
    let found = read::laid_out(request, &no_files);
    found.map_or_else(|found| fault(&found, request), |situation| map(&situation, &[])).to_string()
}

/// The request in JSON that a situation file is, or its fault.
#[wasm_bindgen]
pub fn situation(file: &str) -> String {
    door::situation::request(file).unwrap_or_else(|found| fault(&found, file)).to_string()
}

/// The `file` of a situation that a request has, or its fault.
#[wasm_bindgen]
pub fn file(request: &str) -> String {
    let text = serde_json::from_str(request).unwrap_or_default();
    let written = door::situation::file(&text);
    written.map_or_else(|found| fault(&found, request), |file| json!({ "file": file })).to_string()
}
