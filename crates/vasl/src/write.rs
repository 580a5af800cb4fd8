//! Writes new saves and logs, with enough of the format to test a reader.

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

use super::command::{LOGGED, together};
use super::obfuscation::Mask;
use super::piece::chained;
use super::sequence::join;

/// A file that is being built.
#[derive(Clone, Debug, Default)]
pub struct FileBuilder {
    position: Vec<String>,
    steps: Vec<String>,
    last: u64,
}

impl FileBuilder {
    /// Adds boards: `bd` records without their first word.
    pub fn boards(mut self, records: &[&str]) -> FileBuilder {
        let records: Vec<String> = records.iter().map(|board| format!("bd\t{board}")).collect();
        self.position.push(records.join(""));
        self
    }

    /// Adds a command to the position, unchanged.
    pub fn command(mut self, command: &str) -> FileBuilder {
        self.position.push(command.to_string());
        self
    }

    /// Adds a piece and returns its name within the file. The traits come outermost first, each
    /// with its state.
    pub fn piece(&mut self, traits: &[(String, String)]) -> String {
        let id = self.next();
        let (kinds, states): (Vec<&String>, Vec<&String>) =
            traits.iter().map(|(kind, state)| (kind, state)).unzip();
        let fields = [id.as_str(), &chained(&kinds), &chained(&states)];
        self.position.push(format!("+/{}", join(fields, '/')));
        id
    }

    /// Adds a stack (members from the bottom up) at a pixel of the map, and returns its name.
    pub fn stack(&mut self, x: i32, y: i32, members: &[String]) -> String {
        let id = self.next();
        let place = ["Main Map".to_string(), x.to_string(), y.to_string()];
        let state = join(place.iter().chain(members), ';');
        self.position.push(format!("+/{}", join([&id, "stack", &state], '/')));
        id
    }

    /// Adds a step to the log, unchanged.
    pub fn step(&mut self, command: &str) {
        self.steps.push(format!("{LOGGED}{command}"));
    }

    /// Adds a line of chat to the log.
    pub fn chat(&mut self, line: &str) {
        self.step(&format!("CHAT{line}"));
    }

    fn next(&mut self) -> String {
        self.last += 1;
        format!("{}", 1_600_000_000_000u64 + self.last)
    }

    /// Returns the text before encoding. The commands of a position are nested one level deeper, as
    /// in VASSAL.
    pub fn text(&self) -> String {
        let pieces = together(self.position.iter().map(String::as_str));
        let start = ["begin_save", "", &pieces, "end_save"];
        let steps = self.steps.iter().map(String::as_str);
        together(start.into_iter().chain(steps))
    }

    /// Returns the bytes of the file, with the text encoded by `mask`.
    ///
    /// # Errors
    ///
    /// Fails if the archive cannot be written.
    pub fn bytes(&self, mask: Mask) -> ZipResult<Vec<u8>> {
        let about = "<data version=\"1\"><version/><VassalVersion>3.7.15</VassalVersion></data>";
        let module = "<data version=\"1\"><version>6.7.0</version><VassalVersion>3.7.15</VassalVersion><name>VASL</name></data>";
        archive(&[
            ("savedGame", &mask.apply(&self.text())),
            ("savedata", about.as_bytes()),
            ("moduledata", module.as_bytes()),
        ])
    }
}

/// Returns a layer as a trait and the state of the trait. A level above 0 is shown.
pub fn layer(property: &str, images: &[&str], names: &[&str], level: i32) -> (String, String) {
    let mut fields = vec![String::new(); 26];
    fields[15] = join(images, ',');
    fields[16] = join(names, ',');
    fields[17] = "true".to_string();
    fields[18] = property.to_string();
    fields[21] = "false".to_string();
    (format!("emb2;{}", join(&fields, ';')), level.to_string())
}

/// Returns the innermost trait of a piece, with image and name, at a pixel of the map.
pub fn innermost(image: &str, name: &str, x: i32, y: i32) -> (String, String) {
    let kind = join(["piece", "", "", image, name], ';');
    (kind, format!("Main Map;{x};{y};2/5705"))
}

/// Returns an archive of some entries.
///
/// # Errors
///
/// Fails if the archive cannot be written.
pub fn archive(entries: &[(&str, &[u8])]) -> ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        archive.start_file(*name, SimpleFileOptions::default())?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}
