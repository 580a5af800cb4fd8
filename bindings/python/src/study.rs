//! Studies in memory: many questions, answered on all cores.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use lowcrawl_answer::{Cell, Column};
use lowcrawl_api::json::fault;
use lowcrawl_engine::text::Fault;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use rayon::prelude::*;
use serde_json::{Map, Value};

use super::answer::Answered;
use super::arrow::{batch, schema, schema_capsule, stream};
use super::stop::{PAUSE, Stop};
use super::{answered, parse_request, raised};
use lowcrawl_api::exchange::Unanswered;

/// The rows of a study, each preceded by the swept values and the number of its case.
#[pyclass(frozen, name = "Studied", module = "lowcrawl._lowcrawl")]
pub struct Studied {
    columns: Vec<(String, Column)>,
    batches: Vec<arrow_array::RecordBatch>,
}

type Table = (Vec<(String, Column)>, Vec<Vec<Cell>>);

/// Number of cases whose rows form one record batch.
const BATCH: usize = 1024;

/// Answers `base` with every combination of the values of `grid`, a JSON object of lists. The last
/// list varies fastest. The first fault ends the study.
#[pyfunction]
pub fn study(py: Python, base: &str, grid: &str) -> PyResult<Studied> {
    let read = |text: &str| serde_json::from_str::<Map<String, Value>>(text);
    let wrong =
        |error: serde_json::Error| pyo3::exceptions::PyValueError::new_err(error.to_string());
    let (base, grid) = (read(base).map_err(wrong)?, read(grid).map_err(wrong)?);
    let grid: Vec<(String, Vec<Value>)> = grid
        .into_iter()
        .map(|(name, values)| match values {
            Value::Array(values) => (name, values),
            value => (name, vec![value]),
        })
        .collect();
    let swept: Result<Vec<(String, Column)>, Fault> =
        grid.iter().map(|(name, values)| Ok((name.clone(), column_of(name, values)?))).collect();
    let swept = swept.map_err(|found| raised(py, &fault(&found, ""), ""))?;
    let cells = grid.iter().map(|(_, values)| values.len()).product();
    let of_cell = |cell: usize| {
        let mut below: usize = cells;
        let own = grid.iter().map(move |(name, values)| {
            below /= values.len();
            (name.clone(), values[cell / below % values.len()].clone())
        });
        own.collect::<Vec<_>>()
    };
    let stop = Stop::default();
    let answer = |cell: usize| -> Result<Table, (usize, String, Unanswered)> {
        let own = of_cell(cell);
        let mut request = base.clone();
        request.extend(own.iter().filter(|(_, value)| !value.is_null()).cloned());
        let text = Value::Object(request).to_string();
        let failed = |no| (cell, text.clone(), no);
        if stop.is_raised() {
            return Err(failed(Unanswered::Cancelled));
        }
        let parsed = parse_request(&text, &lowcrawl_api::no_files)
            .map_err(|json| failed(Unanswered::Fault(json)))?;
        let answered = answered(&text, parsed, stop.watch()).map_err(failed)?;
        let (columns, rows) = Answered::table(&answered);
        let front: Vec<Cell> = own.iter().map(|(_, value)| cell_of(value)).collect();
        let number = Cell::Integer(cell as i64 + 1);
        let row = |row: Vec<Cell>| {
            let own = front.iter().cloned().chain([number.clone()]);
            // The first column is the number of the case, which is always 1 in a single answer.
            own.chain(row.into_iter().skip(1)).collect::<Vec<Cell>>()
        };
        Ok((columns, rows.into_iter().map(row).collect()))
    };
    let work = || {
        let mut all = Vec::new();
        let mut columns = swept.clone();
        for first in (0..cells).step_by(BATCH) {
            let part = (first..cells.min(first + BATCH)).into_par_iter().map(answer);
            let mut rows = Vec::new();
            for answered in part.collect::<Vec<_>>() {
                let (own, further) = answered?;
                if columns.len() == swept.len() {
                    columns.extend(own);
                }
                rows.extend(further);
            }
            all.push(rows);
        }
        Ok((columns, all))
    };
    // Only this thread receives Ctrl-C, so the computation runs on others.
    let done = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            let worker = scope.spawn(|| {
                let done = work();
                drop(sender);
                done
            });
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(PAUSE) {
                let _: &std::sync::mpsc::Receiver<()> = &receiver;
                stop.poll();
            }
            worker.join()
        })
    });
    match done {
        Ok(Ok((columns, rows))) => {
            let batches = rows.iter().map(|rows| batch(&columns, rows)).collect::<PyResult<_>>()?;
            Ok(Studied { columns, batches })
        }
        Ok(Err((_, _, Unanswered::Cancelled))) => Err(stop.raised(py)),
        Ok(Err((cell, text, Unanswered::Fault(mut json)))) => {
            let message = json["fault"]["message"].as_str().unwrap_or_default().to_string();
            json["fault"]["message"] = format!("case {}: {message}", cell + 1).into();
            Err(raised(py, &json, &text))
        }
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn cell_of(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Bool(value) => Cell::Boolean(*value),
        Value::String(text) => Cell::Text(text.clone()),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Cell::Integer(number),
            None => number.as_f64().map_or(Cell::Null, Cell::Float),
        },
        other => Cell::Text(other.to_string()),
    }
}

/// Returns the column type of a swept field's values. Null fits any type; a mixture is a fault.
fn column_of(name: &str, values: &[Value]) -> Result<Column, Fault> {
    let wrong = |message: String| Err(Fault::new(message, 0..0));
    if values.is_empty() {
        return wrong(format!("the list of `{name}` is empty"));
    }
    let column = |value: &Value| match cell_of(value) {
        Cell::Integer(_) => Some(Column::Integer),
        Cell::Float(_) => Some(Column::Float),
        Cell::Boolean(_) => Some(Column::Boolean),
        Cell::Text(_) => Some(Column::Text),
        Cell::Null => None,
    };
    let mut columns = values.iter().filter_map(column);
    let first = columns.next().unwrap_or(Column::Text);
    match columns.all(|other| other == first) {
        true => Ok(first),
        false => wrong(format!("the values of `{name}` are of different types")),
    }
}

#[pymethods]
impl Studied {
    /// The names of its columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.columns.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.batches.iter().map(arrow_array::RecordBatch::num_rows).sum()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        stream(py, schema(&self.columns), self.batches.clone())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &schema(&self.columns))
    }
}
