//! The `ask` command: reads one JSON request, or one per line, and prints the answers as JSON.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::Value;
use serde_json::value::RawValue;

use super::fault::{Failure, Result};
use super::file_root::FileRoot;
use super::stop::watch;
use super::writer::print;
use api::exchange::{self, Unanswered};
use api::json::fault;
use api::read::ID;
use engine::EngineError;
use engine::text::{MOST_FILE, MOST_LINE, within};
use play::Registry;

pub const HELP: &str = "\
A request is a JSON object. Its keys have the names of the command line and of files:
  {\"kind\": \"rally\", \"stack\": \"german:4-6-7/dm\", \"leader\": \"8-1\", \"options\": {\"engine\": \"exact\"}}
  {\"system\": \"fortitude\", \"kind\": \"recover\", \"units\": \"unit/base=10,shaken\"}
  {\"kind\": \"sequence\", \"stack\": \"4-6-7\", \"step\": [{\"do\": \"fire\", \"fp\": 4}, {\"do\": \"rally\"}]}
  {\"request\": \"compare\", \"kind\": \"rally\", \"objective\": \"good-order\", \"base\": {...}, \"course\": [{...}, {...}]}
  {\"request\": \"solve\", \"kind\": \"campaign\", \"objective\": \"good-order\", \"unit\": \"4-6-7/dm\", \"turns\": 6}
  {\"request\": \"trace\", \"kind\": \"rally\", \"stack\": \"4-6-7/dm\", \"script\": \"3,4\"}
  {\"request\": \"impact\", \"kind\": \"rally\", \"stack\": \"4-6-7/dm\", \"of\": \"i01\"}
  {\"kind\": \"rout\", \"map\": {...}, \"rout\": [{...}], \"enemy\": [{...}]}
An answer repeats the request in full, with a link (`v=1&q=...`) that is also accepted as a request.
It repeats the `id` of the request. With several requests it also has the `line` of the request.
A single request may span several lines. If a pipe brings no complete value within 64 KiB or 50 \
ms, each line is read as one request, and an incomplete line is answered with a fault. `--lines` \
reads each line as one request from the start.
`lowcrawl describe` lists all questions and fields. An invalid request is answered with the fault, \
its place and suggestions. The other requests are still answered, and the exit code is 2.";

pub const EXAMPLES: [&str; 3] = [
    "echo '{\"kind\": \"rally\", \"stack\": \"4-6-7/dm\"}' | lowcrawl ask -",
    "lowcrawl new studies/requests.jsonl --out requests.jsonl",
    "lowcrawl ask requests.jsonl",
];

/// Questions as JSON.
#[derive(Debug, Args)]
pub struct AskCommand {
    /// File with one request, or with one request per line; `-` is standard input
    file: PathBuf,
    /// Read every line as one request, including the first
    #[arg(long)]
    lines: bool,
}

impl AskCommand {
    pub fn run(&self, registry: &Registry) -> Result<()> {
        let is_dash = self.file == Path::new("-");
        let (place, file) = match is_dash {
            true => ("standard input".to_string(), stdin_file()),
            false => {
                let place = self.file.display().to_string();
                let file = File::open(&self.file).map_err(|error| Failure::io(&place, error))?;
                (place, Some(file))
            }
        };
        let metadata = file.as_ref().and_then(|file| file.metadata().ok());
        let mode = match metadata.is_some_and(|metadata| metadata.is_file()) {
            _ if self.lines => InputMode::Line,
            true => InputMode::File,
            false => InputMode::Piped,
        };
        let reader: Reader = match file.filter(|_| !is_dash) {
            Some(file) => Box::new(BufReader::new(file)),
            None => Box::new(BufReader::new(io::stdin())),
        };
        let (folder, files) = (self.file.parent().unwrap_or(Path::new("")), FileRoot::anywhere());
        Responder { registry, folder, files, place }.answer_all(reader, mode)
    }
}

/// Returns standard input as a file; `None` if the system has no such file.
fn stdin_file() -> Option<File> {
    #[cfg(unix)]
    let file = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned().ok().map(File::from);
    #[cfg(not(unix))]
    let file = None;
    file
}

/// The handling of a first line that is the start of a JSON value, but not all of it.
#[derive(Clone, Copy)]
enum InputMode {
    /// The request is the whole file.
    File,
    /// The request continues if its rest arrives at once, since a pipe may stay open forever.
    Piped,
    /// The line is a faulty request of its own.
    Line,
}

/// The number of bytes within which a first request from a pipe must be complete.
const AT_ONCE: usize = 64 << 10;
const WAIT: Duration = Duration::from_millis(50);

type Reader = Box<dyn BufRead + Send>;

struct Responder<'a> {
    registry: &'a Registry,
    /// The folder to which file names in requests are relative.
    folder: &'a Path,
    files: FileRoot,
    place: String,
}

impl Responder<'_> {
    /// Answers each line as it arrives; `mode` says how the rest of a started request is read.
    fn answer_all(&self, mut reader: Reader, mut mode: InputMode) -> Result<()> {
        let (mut answered, mut bad, mut number) = (0, 0, 0);
        while let Some(line) = self.next_line(&mut reader)? {
            number += 1;
            let mut text = text_of(&line);
            if text.trim().is_empty() {
                continue;
            }
            let begins = std::mem::replace(&mut mode, InputMode::Line);
            let is_started =
                serde_json::from_str::<&RawValue>(&text).is_err_and(|fault| fault.is_eof());
            let is_one = is_started && !matches!(begins, InputMode::Line);
            if is_one {
                let (request, rest) = self.first_request(line, reader, begins)?;
                reader = rest;
                let Some(request) = request else {
                    number -= 1;
                    continue;
                };
                // The rest of the request's last line is read next, and counted then.
                number = number + request.matches('\n').count() - 1;
                text = request;
            }
            let (mut json, is_good) = match is_one || text.len() <= MOST_LINE {
                true => self.answer(text.trim_end())?,
                false => {
                    let length = text.len() + self.rest_of_line(number, &mut reader)?;
                    let too_long = within("the line", length, MOST_LINE).err();
                    (too_long.map_or(Value::Null, |too_long| fault(&too_long, "")), false)
                }
            };
            if !is_one {
                json["line"] = number.into();
            }
            print(if is_one { format!("{json:#}\n") } else { format!("{json}\n") })?;
            (answered, bad) = (answered + 1, bad + usize::from(!is_good));
        }
        if bad > 0 { Err(Failure::Requests { answered, bad }) } else { Ok(()) }
    }

    /// Returns the answer of a request and true, or its fault and false, with its `id`.
    fn answer(&self, text: &str) -> Result<(Value, bool)> {
        let open = |name: &str| self.files.text_among(self.folder, name, &[]);
        let (mut json, is_good) = match exchange::respond(text, self.registry, &open, watch()) {
            Ok(json) => (json, true),
            Err(Unanswered::Fault(json)) => (json, false),
            Err(Unanswered::Cancelled) => return Err(EngineError::Interrupted.into()),
        };
        // The `id` lets a client match answers with requests.
        let request = serde_json::from_str::<Value>(text).ok();
        if let Some(id) = request.and_then(|request| request.get(ID).cloned()) {
            json[ID] = id;
        }
        Ok((json, is_good))
    }

    /// Returns the request that starts with a given line, if there is one, and the input after it.
    fn first_request(
        &self,
        line: Vec<u8>,
        reader: Reader,
        mode: InputMode,
    ) -> Result<(Option<String>, Reader)> {
        let mut bytes = line;
        let (is_all, rest): (bool, Reader) = if let InputMode::Piped = mode {
            let piped = Piped::new(reader).map_err(|error| self.unreadable(error))?;
            let is_all = piped.gather(&mut bytes, AT_ONCE, WAIT);
            (is_all.map_err(|error| self.unreadable(error))?, Box::new(piped))
        } else {
            let read = reader.take(MOST_FILE as u64 + 1).read_to_end(&mut bytes);
            read.map_err(|error| self.unreadable(error))?;
            self.within("the request", bytes.len())?;
            (true, Box::new(io::empty()))
        };
        let mut values = serde_json::Deserializer::from_slice(&bytes).into_iter::<&RawValue>();
        let is_whole = values.next().is_some_and(|value| value.is_ok());
        // A whole JSON object on an unindented line is another request, not part of the first.
        let is_request = |line: &[u8]| {
            line.starts_with(b"{") && serde_json::from_slice::<&RawValue>(line).is_ok()
        };
        let mut below = bytes.split(|byte| *byte == b'\n').skip(1);
        let end = match (is_all, is_whole) {
            (true, false) if below.any(is_request) => 0,
            (true, _) => bytes.len(),
            (false, true) => values.byte_offset(),
            (false, false) => 0,
        };
        let left = bytes.split_off(end);
        let text = (end > 0).then(|| text_of(&bytes));
        Ok((text, Box::new(Cursor::new(left).chain(rest))))
    }

    /// Returns the next line, cut after [`MOST_LINE`] bytes and one more; `None` after the last.
    fn next_line(&self, reader: &mut Reader) -> Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        let read = reader.take(MOST_LINE as u64 + 1).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| self.unreadable(error))?;
        Ok((read > 0).then_some(bytes))
    }

    /// Skips the rest of a line and returns its length in bytes, at most [`MOST_FILE`].
    fn rest_of_line(&self, number: usize, reader: &mut Reader) -> Result<usize> {
        let left_out = reader.take(MOST_FILE as u64 + 1).skip_until(b'\n');
        let left_out = left_out.map_err(|error| self.unreadable(error))?;
        self.within(&format!("line {number}"), left_out)?;
        Ok(left_out)
    }

    fn unreadable(&self, error: io::Error) -> Failure {
        Failure::io(&self.place, error)
    }

    fn within(&self, what: &str, bytes: usize) -> Result<()> {
        let fault = within(what, bytes, MOST_FILE);
        fault.map_err(|fault| Failure::argument(&self.place, "", fault))
    }
}

/// Converts bytes to text without byte order mark; invalid UTF-8 becomes U+FFFD.
fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_start_matches('\u{feff}').to_string()
}

/// A reader of the pieces that a background thread reads from a pipe, as they arrive.
struct Piped {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Cursor<Vec<u8>>,
}

impl Piped {
    fn new(mut reader: impl BufRead + Send + 'static) -> io::Result<Piped> {
        let (sender, pieces) = sync_channel(1);
        let read = move || {
            loop {
                let piece = reader.fill_buf().map(<[u8]>::to_vec);
                let length = piece.as_ref().map_or(0, Vec::len);
                reader.consume(length);
                let is_interrupted = |error: &io::Error| error.kind() == io::ErrorKind::Interrupted;
                let goes_on = length > 0 || piece.as_ref().is_err_and(is_interrupted);
                // Sending fails once the command has dropped the receiver.
                if sender.send(piece).is_err() || !goes_on {
                    break;
                }
            }
        };
        std::thread::Builder::new().name("pipe".to_string()).spawn(read)?;
        Ok(Piped { pieces, piece: Cursor::default() })
    }

    /// Appends input to `bytes` for the time `wait`, up to `most` bytes. Returns whether it ended.
    fn gather(&self, bytes: &mut Vec<u8>, most: usize, wait: Duration) -> io::Result<bool> {
        let until = Instant::now() + wait;
        while bytes.len() < most {
            match self.pieces.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Ok(piece)) if piece.is_empty() => return Ok(true),
                Ok(Ok(piece)) => bytes.extend(piece),
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(Err(error)) => return Err(error),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Ok(true),
            }
        }
        Ok(false)
    }
}

impl BufRead for Piped {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        // Receiving fails after the last piece, which is the end of the input.
        if self.piece.fill_buf()?.is_empty()
            && let Ok(piece) = self.pieces.recv()
        {
            self.piece = Cursor::new(piece?);
        }
        self.piece.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.piece.consume(amount);
    }
}

impl Read for Piped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}
