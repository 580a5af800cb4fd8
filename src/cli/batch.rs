//! Lists of values as options: a question for each combination (cell), whose answers are a table.

use super::fault::{Failure, Result};
use super::field_args::Typed;
use super::progress::Sign;
use crate::study::list_study::{Answers, ListStudy, MOST_CELLS};
use crate::study::number::CellMeasure;
use crate::study::number_table::Numbers;
use crate::study::run_error::RunError;
use answer::Options;
use api::Refused;
use engine::EngineError;
use engine::monte_carlo::threads::shared_out;
use engine::text::Fault;
use engine::text::notation::Notation;
use play::Form;
use render::document::Document;
use render::layout::{Digits, paragraph};
use schema::FieldFault;

const SHOWN_LINES: usize = 40;

/// Answers all combinations of listed values; `blame` places a fault in a field without a list.
pub fn answer(
    study: &ListStudy,
    lists: &[Typed],
    command: &str,
    blame: &dyn Fn(FieldFault) -> Failure,
    options: &Options,
) -> Result<Answers> {
    // The failure for a fault of a cell, which the message names if there are lists.
    let at_cell = |case: usize, FieldFault { field, mut fault }: FieldFault| {
        if !lists.is_empty() {
            fault.message = format!("{}: {}", study.named(case), fault.message);
        }
        match lists.iter().find(|list| list.is_called(&field)) {
            Some(list) => list.blame(study.value_of(case, list.field).unwrap_or(0), fault),
            None => blame(FieldFault { field, fault }),
        }
    };
    let cells = study.cells().filter(|cells| *cells <= MOST_CELLS);
    let Some(cells) = cells else { return Err(too_many(lists)) };
    for case in 0..cells {
        options.watch.check_cancelled()?;
        study.question(case).map_err(|error| at_cell(case, error))?;
    }
    let sign = Sign::of_life();
    let finished = || sign.add(1, cells, "lists", "cells");
    // Cells are answered in parallel, so a single cell must not set a number of threads.
    let (threads, options) = (options.threads, Options { threads: None, ..*options });
    let answers = shared_out(threads, || study.answer(command, &options, &finished));
    sign.finish();
    answers.map_err(|(case, refused)| match *refused {
        Refused::Engine { error: EngineError::Interrupted, .. } => EngineError::Interrupted.into(),
        Refused::Engine { error, help } => {
            let help = help.map(|help| format!(" ({})", help.render(Notation::Words)));
            let problem = format!("{error}{}", help.unwrap_or_default());
            Failure::Study(RunError::Listed { cell: study.named(case), problem })
        }
        Refused::Field(error) => at_cell(case, error),
    })
}

/// Creates the study of a form and of lists, after checking each value by itself.
pub fn study(lists: &[Typed], form: Box<dyn Form>, telling: CellMeasure) -> Result<ListStudy> {
    for list in lists {
        for (number, (owned, ..)) in list.values.iter().enumerate() {
            let set = form.boxed().set(list.field, owned.value());
            set.map_err(|fault| list.blame(number, fault))?;
        }
    }
    let mut study = ListStudy::new(form, telling);
    for list in lists {
        let add = study.add(list.field, list.swept_values());
        add.map_err(|(value, message)| list.blame(value, Fault::new(message, 0..0)))?;
    }
    Ok(study)
}

fn too_many(lists: &[Typed]) -> Failure {
    let lengths: Vec<String> = lists.iter().map(|list| list.values.len().to_string()).collect();
    let place: Vec<&str> = lists.iter().map(|list| list.place.as_str()).collect();
    let lengths = lengths.join(" x ");
    let message = format!("the lists make {lengths} questions; at most {MOST_CELLS} are allowed");
    Failure::refused(&place.join(" "), "", message)
        .help("use a study, which saves its progress: `lowcrawl new study`")
}

/// Renders the answers as text with their provenance; without `all`, long tables are shortened.
pub fn text(answers: &Answers, all: bool, digits: Digits) -> String {
    let most = if all { usize::MAX } else { SHOWN_LINES };
    let numbers = Numbers { digits, ..answers.numbers() };
    let (mut text, left) = numbers.on_screen(&answers.meant, false, most);
    if left > 0 {
        text += &format!("and {left} more lines; `--all` shows all\n");
    }
    let errors = numbers.widest(answers.meant.style).map_or(String::new(), |line| line + "\n");
    format!("{}\n{text}{errors}\n{}", paragraph(&answers.meta.question), provenance(answers))
}

pub fn markdown(answers: &Answers, digits: Digits) -> String {
    let numbers = Numbers { digits, ..answers.numbers() };
    let errors = numbers.widest(answers.meant.style).map_or(String::new(), |line| line + " ");
    render::captioned(
        &answers.meta,
        &format!("{errors}{}", provenance(answers)),
        &numbers.markdown(&answers.meant),
    )
}

fn provenance(answers: &Answers) -> Document {
    match answers.by_chance() {
        None => render::provenance(&answers.meta),
        Some((exact, drawn)) => {
            let trials = answers.meta.trials.unwrap_or_default();
            let seed = answers.meta.seed.unwrap_or_default();
            let method = format!(
                "{exact} cells exact, {drawn} with Monte Carlo, at most {trials} sequences, seed \
                    {seed}"
            );
            render::assumptions(&method, &answers.meta)
        }
    }
}
