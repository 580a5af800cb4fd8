//! Answers for Python, as JSON, text, charts, maps and Arrow streams.

use lowcrawl_answer::{Cell, Column};
use lowcrawl_api::{Answer, json};
use lowcrawl_charts::chart::draw;
use lowcrawl_engine::EngineError;
use lowcrawl_render::{Looks, chart, rout};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use serde_json::Value;

use super::arrow::{batch, schema, schema_capsule, stream};
use super::stop::Stop;

/// Width of a chart, in SVG pixels.
const WIDTH: f64 = 720.0;

/// An answer with the request it belongs to.
#[pyclass(frozen, name = "Answered", module = "lowcrawl._lowcrawl")]
pub struct Answered {
    answer: Answer,
    request: Value,
}

fn failed(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

impl Answered {
    pub fn new(answer: Answer, request: Value) -> Answered {
        Answered { answer, request }
    }

    /// Returns the columns of the answer's table, and its rows; both are empty for a trace.
    pub fn table(&self) -> (Vec<(String, Column)>, Vec<Vec<Cell>>) {
        let Some(sheet) = self.answer.sheet() else { return Default::default() };
        let columns = sheet.columns.iter().map(|(name, column)| (name.to_string(), *column));
        (columns.collect(), sheet.rows)
    }
}

#[pymethods]
impl Answered {
    /// Returns the whole answer as JSON, including the request as it was understood.
    fn json(&self) -> PyResult<String> {
        let mut json = json::answer(&self.answer).map_err(failed)?;
        json["request"] = self.request.clone();
        Ok(json.to_string())
    }

    /// Returns the answer as text, as a terminal shows it.
    fn text(&self, py: Python) -> PyResult<String> {
        let looks = Looks { most: 12, ..Looks::default() };
        let stop = Stop::default();
        let document = py
            .detach(|| stop.watched(|watch| lowcrawl_render::render(&self.answer, &looks, watch)));
        let document = document.map_err(|error| match error {
            EngineError::Interrupted => stop.raised(py),
            error => failed(error),
        });
        Ok(document?.to_string())
    }

    /// Returns the best chart as SVG, or the chart of a kind. `None` if no chart fits.
    #[pyo3(signature = (kind=None))]
    fn chart(&self, py: Python, kind: Option<&str>) -> PyResult<Option<String>> {
        py.detach(|| {
            let charts = chart::charts(&self.answer, false);
            let Some(kind) = kind else {
                return Ok(charts.first().map(|chart| draw(chart, WIDTH)));
            };
            let names: Vec<&str> = charts.iter().map(|chart| chart.kind.name()).collect();
            let fitting = charts.iter().find(|chart| chart.kind.name() == kind);
            let unknown =
                || failed(format!("no chart of kind `{kind}` fits (valid: {})", names.join(", ")));
            Ok(Some(draw(fitting.ok_or_else(unknown)?, WIDTH)))
        })
    }

    /// Returns the map of a rout as SVG. `None` for other answers.
    fn map(&self, py: Python) -> Option<String> {
        let Answer::Rout(routed) = &self.answer else { return None };
        let heading = routed.scenario.about.as_deref().unwrap_or("A Rout Phase");
        Some(py.detach(|| rout::picture(routed, heading)))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The Arrow protocol allows to ignore the requested schema; callers can cast.
        drop(requested_schema);
        let (columns, rows) = self.table();
        stream(py, schema(&columns), vec![batch(&columns, &rows)?])
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &schema(&self.table().0))
    }
}
