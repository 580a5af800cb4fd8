//! Tests of cells (single questions of a study), each as a request. Its rows must equal those in
//! the stored table of the study.

use serde_json::{Value, json};

use super::run::{self, Binary};
use super::store::{Answer, Request};
use super::{Comparison, STORED, document, summary, translate};

/// Largest number of cells of each study that this test answers.
const OF_EACH: usize = 12;
/// Largest number of random sequences of a cell that this test answers.
const MOST_TRIALS: u64 = 66_000;

/// Sets a swept field of a request to its value; the field of a step has the number of the step in
/// front.
fn put(request: &mut Value, grid: &Value, name: &str, text: &str) -> Option<()> {
    let is_number = |swept: &Value| match swept {
        Value::Array(values) => values.iter().all(Value::is_i64),
        other => other.is_object(),
    };
    let value = match text {
        "true" | "false" => json!(text == "true"),
        _ if is_number(grid) => json!(text.parse::<i64>().ok()?),
        _ => json!(text),
    };
    match name.split_once('.') {
        Some((number, field)) if number.parse::<usize>().is_ok() => {
            let step =
                request["step"].as_array_mut()?.get_mut(number.parse::<usize>().ok()? - 1)?;
            step[field] = value;
        }
        _ => request[name] = value,
    }
    Some(())
}

/// Returns the swept values of a field; a field of a step is in a table under the number of the
/// step.
fn swept<'a>(grid: &'a translate::Object, name: &str) -> &'a Value {
    let in_step = || name.split_once('.').and_then(|(number, field)| grid.get(number)?.get(field));
    grid.get(name).or_else(in_step).unwrap_or(&Value::Null)
}

/// Groups the rows of a table by cell, each with its swept values.
fn cells<'a>(
    headings: &[&str],
    table: &'a [csv::StringRecord],
) -> Vec<(Vec<&'a str>, Vec<&'a csv::StringRecord>)> {
    let case = headings.iter().position(|heading| *heading == "case").unwrap();
    let mut cells: Vec<(Vec<&str>, Vec<&csv::StringRecord>)> = Vec::new();
    let mut last = "";
    for record in table {
        if record[case] != *last {
            last = &record[case];
            cells.push((record.iter().take(case).collect(), Vec::new()));
        }
        cells.last_mut().unwrap().1.push(record);
    }
    cells
}

#[test]
fn study_cells_and_requests_get_the_same_rows() {
    let mut comparison = Comparison::default();
    let binary = Binary { path: env!("CARGO_BIN_EXE_lowcrawl").into(), whole: true };
    let is_study = |(request, answer): &&(Request, Answer)| {
        request.arguments.first().is_some_and(|word| word == "study") && answer["exit"] == "0"
    };
    for (request, _) in STORED.iter().filter(is_study) {
        let answer = run::answer(request, &binary);
        let [_, _, name, options @ ..] = request.arguments.as_slice() else { continue };
        let csv = answer
            .iter()
            .find(|(part, _)| part.ends_with(".csv") && !part.ends_with("-break-even.csv"));
        let (Some((_, csv)), "0", Some(file)) =
            (csv, answer["exit"].as_str(), request.files.get(name))
        else {
            continue;
        };
        let (shared, grid, mut options_of_file) = match translate::shared_by_cells(file) {
            Ok(parts) => parts,
            Err(reason) => {
                comparison.skip(reason);
                continue;
            }
        };
        for option in options.chunks(2) {
            let [name, value] = option else { panic!("{option:?}") };
            if name == "--out" {
                continue;
            }
            let value = value.parse::<u64>().map_or(json!(value), |number| json!(number));
            options_of_file.insert(name.trim_start_matches("--").to_string(), value);
        }
        let options = Value::Object(options_of_file);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let headings = reader.headers().unwrap().clone();
        let headings: Vec<&str> = headings.iter().collect();
        let table: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let cells = cells(&headings, &table);
        let trials = headings.iter().position(|heading| *heading == "trials").unwrap();
        for (values, rows) in cells.iter().take(OF_EACH) {
            if rows
                .iter()
                .any(|row| row[trials].parse().is_ok_and(|trials: u64| trials > MOST_TRIALS))
            {
                comparison.skip("a cell of many sequences");
                continue;
            }
            let mut cell = Value::Object(shared.clone());
            let fields = headings
                .iter()
                .zip(values)
                .map(|(name, text)| put(&mut cell, swept(&grid, name), name, text));
            if fields.collect::<Option<()>>().is_none() {
                comparison.skip("a value without a field");
                continue;
            }
            cell["options"] = options.clone();
            let answer_document = match document(&cell.to_string()) {
                Ok(answer_document) => answer_document,
                Err(unanswered) => {
                    comparison.add(false, || {
                        format!("{}\n  {cell}\n  {unanswered:?}", request.command())
                    });
                    continue;
                }
            };
            let of_row = |(row, record): (&Value, &&csv::StringRecord)| {
                let cells = headings.iter().zip(record.iter()).skip(values.len() + 1);
                cells.into_iter().all(|(heading, cell)| summary::is_same(&row[*heading], cell))
            };
            let answer_rows = answer_document["rows"].as_array().unwrap().clone();
            let is_alike =
                answer_rows.len() == rows.len() && answer_rows.iter().zip(rows).all(of_row);
            comparison.add(is_alike, || format!("{}\n  {cell}", request.command()));
        }
    }
    comparison.assert_alike(230);
}
