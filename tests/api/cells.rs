//! Tests of cells (single questions of a study), each as a request. Its rows must equal those in
//! the stored table of the study.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::run::{self, Binary};
use super::store::{Answer, Request};
use super::{STORED, document, translate};

/// Largest number of cells of each study that this test answers.
const OF_EACH: usize = 24;
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

/// Returns whether a JSON value equals a cell of the table.
fn is_same(value: &Value, cell: &str) -> bool {
    match value {
        Value::Null => cell.is_empty(),
        Value::String(text) => text == cell,
        Value::Bool(flag) => cell == flag.to_string(),
        number => number
            .as_f64()
            .zip(cell.parse::<f64>().ok())
            .is_some_and(|(a, b)| a.to_bits() == b.to_bits()),
    }
}

#[test]
fn study_cells_and_requests_get_the_same_rows() {
    let (mut alike, mut differ) = (0, Vec::new());
    let mut skipped: BTreeMap<&str, usize> = BTreeMap::new();
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
        let mut skip_cell = |reason| *skipped.entry(reason).or_default() += 1;
        let (shared, grid, mut options_of_file) = match translate::shared_by_cells(file) {
            Ok(parts) => parts,
            Err(reason) => {
                skip_cell(reason);
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
                skip_cell("a cell of many sequences");
                continue;
            }
            let mut cell = Value::Object(shared.clone());
            let fields = headings
                .iter()
                .zip(values)
                .map(|(name, text)| put(&mut cell, swept(&grid, name), name, text));
            if fields.collect::<Option<()>>().is_none() {
                skip_cell("a value without a field");
                continue;
            }
            cell["options"] = options.clone();
            let answer_document = match document(&cell.to_string()) {
                Ok(answer_document) => answer_document,
                Err(unanswered) => {
                    differ.push(format!(
                        "{}\n  {cell}\n  {unanswered:?}",
                        request.arguments.join(" ")
                    ));
                    continue;
                }
            };
            let of_row = |(row, record): (&Value, &&csv::StringRecord)| {
                let cells = headings.iter().zip(record.iter()).skip(values.len() + 1);
                cells.into_iter().all(|(heading, cell)| is_same(&row[*heading], cell))
            };
            let answer_rows = answer_document["rows"].as_array().unwrap().clone();
            match answer_rows.len() == rows.len() && answer_rows.iter().zip(rows).all(of_row) {
                true => alike += 1,
                false => differ.push(format!("{}\n  {cell}", request.arguments.join(" "))),
            }
        }
    }
    eprintln!("{alike} cells alike, {} differ; skipped: {skipped:?}", differ.len());
    assert!(differ.is_empty(), "{}", differ[..differ.len().min(5)].join("\n"));
    assert!(alike >= 230, "{alike} cells alike");
}
