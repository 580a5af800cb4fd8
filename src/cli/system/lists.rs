//! What a system has ready: its parameters and its units.

use clap::Args;

use crate::cli::fault::Failure;
use crate::cli::print;
use crate::system::{Parameter, System};
use crate::table::layout::aligned;
use crate::text::Fault;

/// List the parameters.
#[derive(Debug, Args)]
pub struct Parameters {
    /// Only those with this word in their name, description or source
    word: Option<String>,
}

/// List the units.
#[derive(Debug, Args)]
pub struct Units {
    /// Only those with this word in their name or description
    word: Option<String>,
}

/// Whether a word is in one of the texts; it is where none is given.
fn has(word: &Option<String>, texts: &[&str]) -> bool {
    let word = word.as_deref().unwrap_or_default().to_lowercase();
    texts.iter().any(|text| text.to_lowercase().contains(&word))
}

/// Nothing has the word.
fn none_found(rows: &[Vec<String>], word: &Option<String>) -> Result<(), Failure> {
    match word {
        Some(word) if rows.is_empty() => {
            let fault =
                Fault::new(format!("nothing here has `{word}` in it"), 0..word.len()).help("leave the word out to see all");
            Err(Failure::argument("WORD", word, fault))
        }
        _ => Ok(()),
    }
}

impl Parameters {
    pub fn run<S: System>(&self) -> Result<(), Failure> {
        let row = |parameter: &Parameter| {
            let Parameter { name, default, values, source, about } = *parameter;
            vec![name.to_string(), default.to_string(), values.to_string(), source.name().to_string(), about.to_string()]
        };
        let shown = S::parameters()
            .iter()
            .filter(|parameter| has(&self.word, &[parameter.name, parameter.about, parameter.source.name()]));
        let rows: Vec<Vec<String>> = shown.map(row).collect();
        none_found(&rows, &self.word)?;
        let headings = ["parameter", "default", "values", "source", "what it is"].map(str::to_string);
        let sources = "Sources: stated in the text the system was first described in; found in a public excerpt of the rules;\n\
                       inferred from these; assumed, where nothing was found. `--set NAME=VALUE` sets one.\n";
        print(format!("{}\n\n{}\n{sources}", S::ABOUT, aligned(&headings, &rows, &[false; 5], false)))
    }
}

impl Units {
    pub fn run<S: System>(&self) -> Result<(), Failure> {
        let shown = S::units().into_iter().filter(|(unit, about)| has(&self.word, &[unit, about]));
        let rows: Vec<Vec<String>> = shown.map(|(unit, about)| vec![unit, about]).collect();
        none_found(&rows, &self.word)?;
        let headings = ["unit", "what it is"].map(str::to_string);
        print(format!("{}\n\n{}", S::ABOUT, aligned(&headings, &rows, &[false; 2], false)))
    }
}
