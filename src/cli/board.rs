//! `board check`: how well computed lines of sight agree with listed ones.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::fault::Failure;
use crate::board::agreement::{Agreement, Counts, along_edge};
use crate::board::geometry::Geometry;
use crate::board::map::{Map, Placed};
use crate::board::table::{read_hexes, read_lines};
use crate::table::layout::{aligned, percent};
use crate::text::Fault;

/// Questions about a board.
#[derive(Debug, Subcommand)]
pub enum Board {
    /// Compare the lines of sight computed from a table of hexes with a table of clear lines
    Check(Check),
}

/// A board and its lines.
#[derive(Debug, Args)]
pub struct Check {
    /// Table of hexes (CSV)
    #[arg(long, value_name = "FILE")]
    hexes: PathBuf,
    /// Table of clear lines of sight (CSV); a pair that is not listed is blocked
    #[arg(long, value_name = "FILE")]
    los: PathBuf,
    /// Count lines along the upper and lower edge too, which tables may not know
    #[arg(long)]
    edges: bool,
}

impl Board {
    pub fn run(&self) -> Result<(), Failure> {
        match self {
            Board::Check(check) => check.run(),
        }
    }
}

impl Check {
    fn run(&self) -> Result<(), Failure> {
        let read = |path: &PathBuf| super::read_text(path).map(|text| (path.display().to_string(), text));
        let ((hexes_file, hexes), (los_file, los)) = (read(&self.hexes)?, read(&self.los)?);
        let hexes = read_hexes(&hexes, 0).map_err(|fault| Failure::file(&hexes_file, &hexes, fault))?;
        let lines = read_lines(&los).map_err(|fault| Failure::file(&los_file, &los, fault))?;
        let map = Map::new(vec![Placed::alone()], hexes);
        if let Some(hex) = lines.iter().flat_map(|(a, b, _)| [a, b]).find(|hex| map.get(**hex).is_none()) {
            let fault = Fault::new(format!("the lines name {hex}, which {hexes_file} has not"), 0..0);
            return Err(Failure::file(&los_file, "", fault.help("both tables must be of the same board")));
        }
        let agreement = Agreement::of(&map, &lines, &Geometry, |a, b| !self.edges && along_edge(a, b));
        let share = |share: Option<f64>| share.map_or("-".to_string(), percent);
        let row = |name: String, counts: &Counts| {
            let shares = [counts.agreement(), counts.recall(), counts.precision(), counts.hindrance_agreement()].map(share);
            [vec![name, counts.pairs().to_string(), counts.clear.to_string()], shares.to_vec()].concat()
        };
        let mut rows = vec![row("all".to_string(), &agreement.total()), row("1 to 16".to_string(), &agreement.within(16))];
        let by_range = agreement.by_range.iter().enumerate().filter(|(_, counts)| counts.pairs() > 0);
        rows.extend(by_range.map(|(range, counts)| row(range.to_string(), counts)));
        let headings = ["range", "pairs", "clear", "agreement", "recall", "precision", "same Hindrances"].map(str::to_string);
        super::print(aligned(&headings, &rows, &[true; 7], false))
    }
}
