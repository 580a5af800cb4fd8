//! Writes saves, logs and boards of VASL, with enough of the format to test the readers.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::io::{Cursor, Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibEncoder;
use flate2::write::GzEncoder;
use vasl::ground::raster::{Pixel, Raster};
use vasl::obfuscation::Mask;
use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

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
        self.steps.push(format!("LOG\t{command}"));
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
            ("savedGame", &encoded(mask, &self.text())),
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

/// Returns bytes as base64 without padding.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = bytes.chunks(3).flat_map(|three| {
        let bits = three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - three.len()));
        (0..=three.len()).map(move |place| (bits >> (18 - 6 * place)) & 63)
    });
    digits.map(|digit| char::from(DIGITS[digit as usize])).collect()
}

/// Joins items to a list, as [`vasl::sequence::split`] reads it.
pub fn join<T: AsRef<str>>(items: impl IntoIterator<Item = T>, between: char) -> String {
    let escaped = format!("\\{between}");
    let item = |item: T| {
        let item = item.as_ref();
        let text = item.replace(between, &escaped);
        let is_misread = item.starts_with('\\')
            || item.ends_with('\\')
            || item.starts_with('\'') && item.ends_with('\'');
        if is_misread { format!("'{text}'") } else { text }
    };
    items.into_iter().map(item).collect::<Vec<_>>().join(&between.to_string())
}

/// Joins items to a chain, outermost first.
pub fn chained<T: AsRef<str>>(items: &[T]) -> String {
    let Some((last, outer)) = items.split_last() else { return String::new() };
    let around = |inner: String, item: &T| join([item.as_ref(), &inner], '\t');
    // The innermost item is not a list, so it is not escaped.
    outer.iter().rev().fold(last.as_ref().to_string(), around)
}

/// Joins commands to one text.
pub fn together<T: AsRef<str>>(commands: impl IntoIterator<Item = T>) -> String {
    join(commands, '\u{1b}')
}

/// Encodes a text in the format of a mask.
fn encoded(mask: Mask, text: &str) -> Vec<u8> {
    let digits = |start: &str, key: u8, bytes: &[u8]| {
        let digits = bytes.iter().map(|byte| format!("{:02x}", byte ^ key));
        format!("{start}{key:02x}{}", digits.collect::<String>()).into_bytes()
    };
    match mask {
        Mask::Plain => text.as_bytes().to_vec(),
        Mask::Digits(key) => digits("!VCSK", key, text.as_bytes()),
        Mask::Bytes(key) => {
            let masked = text.bytes().map(|byte| byte ^ key);
            b"VOBS".iter().copied().chain([key]).chain(masked).collect()
        }
        Mask::Packed(key) => {
            let mut packed = Vec::new();
            let mut encoder = ZlibEncoder::new(text.as_bytes(), Compression::fast());
            encoder.read_to_end(&mut packed).unwrap();
            digits("!VCSZ", key, &packed)
        }
    }
}

/// Returns a board of open ground at level 0.
pub fn empty_board(columns: usize, rows: usize) -> Raster {
    // Columns are 56.25 pixels apart, rows 64.5, rounded to the nearest pixel.
    let (width, height) = ((225 * (columns - 1) + 2) / 4, (129 * rows).div_ceil(2));
    Raster {
        columns,
        rows,
        width,
        height,
        pixels: vec![Pixel::default(); width * height],
        stairways: vec![false; columns * rows + columns / 2],
    }
}

/// Sets a pixel of a board; has no effect off the board.
pub fn put(board: &mut Raster, x: i32, y: i32, pixel: Pixel) {
    if board.pixel(x, y).is_some() {
        board.pixels[x as usize * board.height + y as usize] = pixel;
    }
}

/// Returns the bytes of a board on disk.
pub fn board_bytes(board: &Raster) -> Vec<u8> {
    let sizes = [board.columns, board.rows, board.width, board.height];
    let mut text: Vec<u8> = sizes.iter().flat_map(|size| (*size as i32).to_be_bytes()).collect();
    text.extend(board.pixels.iter().flat_map(|pixel| [pixel.elevation as u8, pixel.terrain]));
    text.extend(board.stairways.iter().map(|stairway| u8::from(*stairway)));
    let mut stream = vec![0xac, 0xed, 0, 5];
    // Java writes records of 1024 bytes; the last one is shorter.
    for record in text.chunks(1024) {
        match u8::try_from(record.len()) {
            Ok(length) => stream.extend([0x77, length]),
            Err(_) => {
                stream.push(0x7a);
                stream.extend((record.len() as i32).to_be_bytes());
            }
        }
        stream.extend(record);
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&stream).unwrap();
    packed.finish().unwrap()
}
