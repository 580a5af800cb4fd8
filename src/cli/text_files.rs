//! Reading of the text files that a question names. A table of a VASL board is computed on reading.

use std::io;
use std::path::{Path, PathBuf};

use super::board::table;
use super::fault::{Failure, Result};
use super::file_root::{FileRoot, unreadable};
use super::shell_words::quoted;
use asl::notation::StackNotation;
use asl::rout::fields::VASL;

impl FileRoot {
    /// Reads a text file in `folder`; the prefix of VASL names a board's table, also in `boards`.
    pub fn text_among(&self, folder: &Path, name: &str, boards: &[PathBuf]) -> io::Result<String> {
        if let Some(board) = name.strip_prefix(VASL) {
            return table(self, folder, board, boards);
        }
        self.plain_text(&folder.join(name))
    }

    /// Reads a file for which `lowcrawl new` has the template `like`. Fails if a stack stands in
    /// its place.
    pub fn text_like(&self, path: &Path, like: &str) -> Result<String> {
        let name = path.to_string_lossy();
        if !self.has(path) && StackNotation::parse(&name).is_ok() {
            let failure = Failure::refused("FILE", &name, "expected a file, not a stack");
            let name = quoted(&name);
            return Err(failure.help(format!(
                "`lowcrawl new {like} --out {like}.toml` writes one to start from; without a file: \
                    `lowcrawl rally {name}`, `lowcrawl interdict {name} --hexes 2`"
            )));
        }
        self.text(path)
    }

    /// Reads a text file named on the command line.
    pub fn text(&self, path: &Path) -> Result<String> {
        let text = self.text_among(Path::new(""), &path.to_string_lossy(), &[]);
        text.map_err(|error| unreadable(path, error))
    }
}
