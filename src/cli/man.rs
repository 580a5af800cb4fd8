//! The `man` command: manual pages, generated from the same definitions as `--help`.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man as Page;

use super::fault::Failure;
use super::suggest::named;
use super::writer::{print, write_into};

pub const EXAMPLES: [&str; 3] =
    ["lowcrawl man", "lowcrawl man rally > lowcrawl-rally.1", "lowcrawl man --out man1"];

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct Man {
    /// Command whose page is printed [default: the program itself]
    #[arg(conflicts_with = "out")]
    command: Vec<String>,
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite files with these names, such as the pages of another version
    #[arg(long, requires = "out")]
    replace: bool,
}

impl Man {
    pub fn run(&self, mut whole: Command) -> Result<(), Failure> {
        whole.build();
        if let Some(folder) = &self.out {
            let mut files = Vec::new();
            pages(&whole, &mut files)?;
            return write_into(folder, None, &files, self.replace);
        }
        print(page(named(&whole, &self.command, "COMMAND", &[])?)?.1)
    }
}

fn pages(command: &Command, files: &mut Vec<(String, Vec<u8>)>) -> Result<(), Failure> {
    files.push(page(command)?);
    command.get_subcommands().try_for_each(|command| pages(command, files))
}

/// Returns the file name and the content of a command's manual page.
fn page(command: &Command) -> Result<(String, Vec<u8>), Failure> {
    let page = Page::new(command.clone()).source(concat!("lowcrawl ", env!("CARGO_PKG_VERSION")));
    let mut content = Vec::new();
    let name = page.get_filename();
    page.render(&mut content).map_err(|error| Failure::io(&name, error))?;
    Ok((name, content))
}
