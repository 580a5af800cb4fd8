//! Saves and logs made anew: enough of the format to try a reader on, with nothing of a real file.

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

use super::command::{LOGGED, together};
use super::obfuscation::Mask;
use super::piece::chained;
use super::sequence::join;

/// A file in the making.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    position: Vec<String>,
    steps: Vec<String>,
    last: u64,
}

impl Draft {
    /// A map of boards: `bd` records without their first word.
    pub fn boards(mut self, records: &[&str]) -> Draft {
        let records: Vec<String> = records.iter().map(|board| format!("bd\t{board}")).collect();
        self.position.push(records.join(""));
        self
    }

    /// A command of the position, as it is written.
    pub fn command(mut self, command: &str) -> Draft {
        self.position.push(command.to_string());
        self
    }

    /// A piece with its traits, outermost first, each with its state; its name within the file.
    pub fn piece(&mut self, traits: &[(String, String)]) -> String {
        let id = self.next();
        let (kinds, states): (Vec<&String>, Vec<&String>) =
            traits.iter().map(|(kind, state)| (kind, state)).unzip();
        let fields = [id.as_str(), &chained(&kinds), &chained(&states)];
        self.position.push(format!("+/{}", join(fields, '/')));
        id
    }

    /// Pieces upon each other, from the bottom up, at a pixel of the map.
    pub fn stack(&mut self, x: i32, y: i32, members: &[String]) -> String {
        let id = self.next();
        let place = ["Main Map".to_string(), x.to_string(), y.to_string()];
        let state = join(place.iter().chain(members), ';');
        self.position.push(format!("+/{}", join([&id, "stack", &state], '/')));
        id
    }

    /// A step of the log, as it is written.
    pub fn step(&mut self, command: &str) {
        self.steps.push(format!("{LOGGED}{command}"));
    }

    /// A line that was said in the course of the log.
    pub fn says(&mut self, line: &str) {
        self.step(&format!("CHAT{line}"));
    }

    fn next(&mut self) -> String {
        self.last += 1;
        format!("{}", 1_600_000_000_000u64 + self.last)
    }

    /// The text under the mask. Commands of a position lie one level deeper, as VASSAL has them.
    pub fn text(&self) -> String {
        let pieces = together(self.position.iter().map(String::as_str));
        let start = ["begin_save", "", &pieces, "end_save"];
        let steps = self.steps.iter().map(String::as_str);
        together(start.into_iter().chain(steps))
    }

    /// The file.
    pub fn bytes(&self, mask: Mask) -> ZipResult<Vec<u8>> {
        let about = "<data version=\"1\"><version/><VassalVersion>3.7.15</VassalVersion></data>";
        let module = "<data version=\"1\"><version>6.7.0</version><VassalVersion>3.7.15</VassalVersion><name>VASL</name></data>";
        archive(&[
            ("savedGame", &mask.put_on(&self.text())),
            ("savedata", about.as_bytes()),
            ("moduledata", module.as_bytes()),
        ])
    }
}

/// A layer of faces as a trait and its state: a level above 0 is shown.
pub fn layer(property: &str, images: &[&str], names: &[&str], level: i32) -> (String, String) {
    let mut fields = vec![String::new(); 26];
    fields[15] = join(images, ',');
    fields[16] = join(names, ',');
    fields[17] = "true".to_string();
    fields[18] = property.to_string();
    fields[21] = "false".to_string();
    (format!("emb2;{}", join(&fields, ';')), level.to_string())
}

/// The innermost piece, with its image and name, at a pixel of the map.
pub fn innermost(image: &str, name: &str, x: i32, y: i32) -> (String, String) {
    let kind = join(["piece", "", "", image, name], ';');
    (kind, format!("Main Map;{x};{y};2/5705"))
}

/// An archive of some entries.
pub fn archive(entries: &[(&str, &[u8])]) -> ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        archive.start_file(*name, SimpleFileOptions::default())?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}
