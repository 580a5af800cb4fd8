//! Writes to standard output, and to files that the user named.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use super::fault::{Failure, Result};
use super::stop;
use crate::study::disk::{self, Disk, FileError, RealDisk, Unfinished};
use crate::study::hashed::ResultFile;
use crate::study::owned::WrittenList;

pub fn print(text: impl AsRef<[u8]>) -> Result<()> {
    print_by(|stdout| stdout.write_all(text.as_ref()))
}

pub fn print_by(content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    written(content(&mut stdout).and_then(|()| stdout.flush()))
}

/// Flushes standard output, unless the write with the result `text` had failed.
pub fn written(text: io::Result<()>) -> Result<()> {
    text.and_then(|()| io::stdout().flush())
        .map_err(|error| FileError::at_path(Path::new("standard output"))(error).into())
}

/// Returns whether a stream is a terminal, and `NO_COLOR` is unset or empty.
pub fn colours_are_seen(stream: &impl IsTerminal) -> bool {
    let is_wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    is_wanted && stream.is_terminal()
}

/// Writes a file that the user named; a first signal waits for it, unless it is a pipe.
pub fn write_file(path: &Path, content: &[u8]) -> Result<()> {
    write_file_by(path, |file| file.write_all(content))
}

/// Writes a file like [`write_file`], with content that is produced while it is written.
pub fn write_file_by(
    path: &Path,
    content: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<()> {
    let is_file =
        std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) || !path.exists();
    let _hold = is_file.then(stop::hold);
    disk::write_out(path, content).map_err(Failure::from)
}

/// Writes files to a folder; without `replace` only over the files named in its file `list`.
pub fn write_into(
    folder: &Path,
    list: Option<&str>,
    files: &[(String, Vec<u8>)],
    replace: bool,
) -> Result<()> {
    let _hold = stop::hold();
    std::fs::create_dir_all(folder).map_err(FileError::at_path(folder))?;
    let (disk, list): (&dyn Disk, _) = (&RealDisk, list.map(|list| folder.join(list)));
    let read = |list| WrittenList::read(disk, list).map_err(Failure::Study);
    let before = list.as_deref().map_or(Ok(WrittenList::default()), read)?;
    let new = files.iter().map(|(name, content)| ResultFile::new(name, content));
    let mut owned = before.clone();
    owned.add(&new.collect::<Vec<_>>());
    let mut complete = Vec::new();
    for (name, content) in files {
        owned.check((disk, folder), name, replace).map_err(Failure::Study)?;
        let place = folder.join(name);
        let mut file = disk.begin(&place)?;
        file.write_all(content).map_err(FileError::at_path(&place))?;
        // No file appears unless all could be written.
        file.sync()?;
        complete.push(file);
    }
    let Some(list) = list else {
        return Ok(complete.into_iter().try_for_each(Unfinished::finish)?);
    };
    if owned != before {
        disk.write_json(&list, &owned)?;
    }
    complete.into_iter().try_for_each(Unfinished::finish)?;
    let after = owned.still_in(disk, folder)?;
    if after != owned {
        disk.write_json(&list, &after)?;
    }
    Ok(())
}
