//! The Python module: it takes requests as JSON, and returns answers as objects with Arrow streams.
//! Only Python code opens files.

mod answer;
mod arrow;
mod stop;
mod study;

use std::io;
use std::sync::LazyLock;

use lowcrawl_api::exchange::{Unanswered, answer};
use lowcrawl_api::json::fault;
use lowcrawl_api::{ParsedRequest, describe, games, read};
use lowcrawl_engine::monitor::Monitor;
use lowcrawl_engine::text::Fault;
use lowcrawl_play::Registry;
use pyo3::prelude::*;
use serde_json::Value;

use answer::Answered;
use stop::Stop;

static GAMES: LazyLock<Registry> = LazyLock::new(games);

/// Builds the Python exception for a fault in JSON, with the text of its request.
fn raised(py: Python, json: &Value, text: &str) -> PyErr {
    let made = py
        .import("lowcrawl._faults")
        .and_then(|faults| faults.getattr("raised")?.call1((json["fault"].to_string(), text)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Parses a request in JSON; `open` returns the text of a file that the request names.
fn parse_request(
    text: &str,
    open: &dyn Fn(&str) -> io::Result<String>,
) -> Result<ParsedRequest, Value> {
    read(text, &GAMES, open).map_err(|error: Fault| fault(&error, text))
}

/// Answers a request that was parsed from `text`, which faults refer to.
fn answered(text: &str, parsed: ParsedRequest, watch: Monitor) -> Result<Answered, Unanswered> {
    let command = parsed.command();
    answer(text, parsed, command, watch).map(|(answer, request)| Answered::new(answer, request))
}

/// Answers a request in JSON. `open` is called with the name of each file that the request names.
#[pyfunction]
#[pyo3(name = "ask", signature = (text, open=None))]
fn ask_text(py: Python, text: &str, open: Option<Py<PyAny>>) -> PyResult<Answered> {
    let opened = |name: &str| match &open {
        None => lowcrawl_api::no_files(name),
        Some(open) => Python::attach(|py| {
            let text = open.call1(py, (name,)).and_then(|text| text.extract::<String>(py));
            text.map_err(io::Error::from)
        }),
    };
    let parsed = parse_request(text, &opened).map_err(|json| raised(py, &json, text))?;
    let stop = Stop::default();
    let answered = py.detach(|| stop.watched(|watch| answered(text, parsed, watch)));
    answered.map_err(|no| match no {
        Unanswered::Fault(json) => raised(py, &json, text),
        Unanswered::Cancelled => stop.raised(py),
    })
}

/// Returns the canonical JSON of a request. Equal requests have equal texts.
#[pyfunction]
fn canonical(py: Python, text: &str) -> PyResult<String> {
    let parsed =
        parse_request(text, &lowcrawl_api::no_files).map_err(|json| raised(py, &json, text))?;
    Ok(parsed.canonical.to_string())
}

/// Returns everything that can be asked, as JSON.
#[pyfunction]
#[pyo3(name = "describe")]
fn describe_all(py: Python) -> PyResult<String> {
    let json = describe(&GAMES, None, None).map_err(|error| raised(py, &fault(&error, ""), ""))?;
    Ok(json.to_string())
}

#[pymodule(gil_used = false)]
fn _lowcrawl(module: &Bound<PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Answered>()?;
    module.add_class::<study::Studied>()?;
    module.add_function(wrap_pyfunction!(ask_text, module)?)?;
    module.add_function(wrap_pyfunction!(canonical, module)?)?;
    module.add_function(wrap_pyfunction!(describe_all, module)?)?;
    module.add_function(wrap_pyfunction!(study::study, module)?)
}
