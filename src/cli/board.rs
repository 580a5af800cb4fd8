//! The `board` command. `board import` imports tables of boards; `board check` compares computed
//! lines of sight with a listed table.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::board_import::{self, Import};
use super::fault::Failure;
use super::file_root::FileRoot;
use super::progress::ask;
use super::reply::{Reply, ReplyCommand, WithOutput};
use super::shell_words::{quoted, with_examples};
use answer::Options;
use api::Request;
use api::request::Checking;
use asl::board::hex::Hex;
use asl::board::map::{Map, PlacedBoard};
use asl::board::table::{read_hexes, read_lines};
use play::Registry;

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl new studies --out studies",
    "lowcrawl board check --hexes studies/rout/board-y.csv --los studies/rout/los-y.csv",
    "lowcrawl board check --hexes studies/rout/board-z.csv --los studies/rout/los-z.csv --edges",
];

/// Subcommands of `board`.
#[derive(Debug, Subcommand)]
pub enum BoardCommand {
    /// Compare the lines of sight computed from a table of hexes with a table of clear lines
    #[command(after_help = with_examples("", &EXAMPLES))]
    Check(WithOutput<CheckBoard>),
    /// Create tables of hexes and lines of sight from your own VASL boards
    #[command(after_help = with_examples("", &board_import::EXAMPLES))]
    Import(Import),
}

/// Arguments of `board check`.
#[derive(Debug, Args)]
pub struct CheckBoard {
    /// Table of hexes (CSV)
    #[arg(long, value_name = "FILE")]
    hexes: PathBuf,
    /// Table of clear lines of sight (CSV); a pair that is not listed is blocked
    #[arg(long, value_name = "FILE")]
    los: PathBuf,
    /// Also count lines along the upper and lower edge, which tables may lack
    #[arg(long)]
    edges: bool,
}

impl ReplyCommand for CheckBoard {
    fn reply(&self, _: &Registry, files: &FileRoot) -> Result<Reply, Failure> {
        let read = |path: &PathBuf| files.text(path).map(|text| (path.display().to_string(), text));
        let ((hexes_file, hexes), (los_file, los)) = (read(&self.hexes)?, read(&self.los)?);
        let hexes =
            read_hexes(&hexes, 0).map_err(|fault| Failure::file(&hexes_file, &hexes, fault))?;
        let lines = read_lines(&los).map_err(|fault| Failure::file(&los_file, &los, fault))?;
        let map = Map::new(vec![PlacedBoard::alone()], hexes);
        let is_missing = |hex: &Hex| map.get(*hex).is_none();
        if let Some(hex) = lines.iter().flat_map(|&(a, b, _)| [a, b]).find(is_missing) {
            let message = format!("the lines name {hex}, which is missing in {hexes_file}");
            return Err(Failure::refused(&los_file, "", message)
                .help("both tables must describe the same board"));
        }
        let (hexes, los) = (quoted(&hexes_file), quoted(&los_file));
        let edges = if self.edges { " --edges" } else { "" };
        let command = format!("lowcrawl board check --hexes {hexes} --los {los}{edges}");
        let request = Request::Check(Box::new(Checking { map, lines, edges: self.edges }));
        let options = Options::default();
        let answer = ask(request, command, &options)?;
        Ok(Reply::plain(answer, options))
    }
}
