//! `ask`: requests as JSON, one or one a line; answers the same way.

use std::io::{self, BufRead, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use super::fault::Failure;
use super::file_root::FileRoot;
use door::json::{fault, linked, refused};
use door::read::ID;
use door::{Refused, read};
use engine::EngineError;
use engine::text::{MOST_FILE, MOST_LINE, within};
use system::House;
use system::answer::Options;

/// What a request looks like.
pub const HELP: &str = "\
A request is a JSON object: what is asked, with the names of the command line and of files:
  {\"kind\": \"rally\", \"stack\": \"german:4-6-7/dm\", \"leader\": \"8-1\", \"options\": {\"engine\": \"exact\"}}
  {\"system\": \"fortitude\", \"kind\": \"recover\", \"units\": \"unit/base=10,shaken\"}
  {\"kind\": \"sequence\", \"stack\": \"4-6-7\", \"step\": [{\"do\": \"fire\", \"fp\": 4}, {\"do\": \"rally\"}]}
  {\"request\": \"compare\", \"kind\": \"rally\", \"objective\": \"good-order\", \"base\": {...}, \"course\": [{...}, {...}]}
  {\"request\": \"solve\", \"kind\": \"campaign\", \"objective\": \"good-order\", \"unit\": \"4-6-7/dm\", \"turns\": 6}
  {\"request\": \"trace\", \"kind\": \"rally\", \"stack\": \"4-6-7/dm\", \"script\": \"3,4\"}
  {\"request\": \"impact\", \"kind\": \"rally\", \"stack\": \"4-6-7/dm\", \"of\": \"i01\"}
  {\"kind\": \"rout\", \"map\": {...}, \"rout\": [{...}], \"enemy\": [{...}]}
An answer has the request as it was understood, and a link that holds it (`v=1&q=...`), which is read as a request too.
An `id` is told again in the answer, and of several requests the `line` each stood in.
`lowcrawl describe` lists everything that can be asked. A request with a fault is answered with the fault, its place and the
nearest words; the others go on, and the exit code is 2.";

pub const EXAMPLES: [&str; 3] = [
    "echo '{\"kind\": \"rally\", \"stack\": \"4-6-7/dm\", \"leader\": \"8-1\"}' | lowcrawl ask -",
    "lowcrawl new studies/requests.jsonl --out requests.jsonl",
    "lowcrawl ask requests.jsonl",
];

/// Questions as JSON.
#[derive(Debug, Args)]
pub struct Ask {
    /// File of one request, or of one a line; `-` is standard input
    file: PathBuf,
}

impl Ask {
    pub fn run(&self, house: &House) -> Result<(), Failure> {
        let asker = Asker { house, beside: self.file.parent().unwrap_or(Path::new("")) };
        if self.file == Path::new("-") {
            return asker.lines("standard input", io::stdin().lock());
        }
        let place = self.file.display().to_string();
        let file = std::fs::File::open(&self.file).map_err(|error| Failure::io(&place, error))?;
        asker.lines(&place, io::BufReader::new(file))
    }
}

struct Asker<'a> {
    house: &'a House,
    /// The folder of the files that a request names.
    beside: &'a Path,
}

impl Asker<'_> {
    /// Answers every line as it comes; where the first is the beginning of a request only, all of
    /// them are one.
    fn lines(&self, place: &str, mut reader: impl BufRead) -> Result<(), Failure> {
        let (mut asked, mut bad) = (0, 0);
        // Of the file, from 1.
        let mut number = 0;
        while let Some(line) = next_line(place, &mut reader)? {
            number += 1;
            let is_begun = || {
                serde_json::from_str::<&serde_json::value::RawValue>(&line)
                    .is_err_and(|error| error.is_eof())
            };
            let (text, is_one) = match asked == 0 && is_begun() {
                true => (line + &rest_of_file(place, &mut reader)?, true),
                false => (line, false),
            };
            if text.trim().is_empty() {
                continue;
            }
            let (mut told, is_good) = match is_one || text.len() <= MOST_LINE {
                true => self.told(text.trim_end())?,
                false => {
                    let length = text.len() + rest_of_line(place, number, &mut reader)?;
                    let too_long = within("the line", length, MOST_LINE).err();
                    (too_long.map_or(Value::Null, |too_long| fault(&too_long, "")), false)
                }
            };
            if !is_one {
                told["line"] = number.into();
            }
            let told = if is_one {
                serde_json::to_string_pretty(&told)
            } else {
                serde_json::to_string(&told)
            };
            let told = told.map_err(|error| Failure::io(place, error.into()))?;
            super::print(told + "\n")?;
            (asked, bad) = (asked + 1, bad + usize::from(!is_good));
        }
        if bad > 0 { Err(Failure::Requests { asked, bad }) } else { Ok(()) }
    }

    /// The answer to a request, or its fault; and whether it has one.
    fn told(&self, text: &str) -> Result<(Value, bool), Failure> {
        let (mut told, is_good) = self.answered(text)?;
        // What the asker knows it by.
        if let Some(id) =
            serde_json::from_str::<Value>(text).ok().and_then(|request| request.get(ID).cloned())
        {
            told[ID] = id;
        }
        Ok((told, is_good))
    }

    fn answered(&self, text: &str) -> Result<(Value, bool), Failure> {
        let open = |name: &str| FileRoot::anywhere().text_beside(self.beside, name);
        let asked = match read(text, self.house, &open) {
            Ok(asked) => asked,
            Err(found) => return Ok((fault(&found, text), false)),
        };
        let (places, command, request) = (asked.places(), asked.command(), asked.whole());
        let options = Options { watch: super::watch(), ..asked.options };
        match door::ask(asked.request, command, &options) {
            Ok(answered) => {
                let told = linked(&answered, request)
                    .map_err(|error| Failure::io("the answer", error.into()))?;
                Ok((told, true))
            }
            Err(Refused::Engine { error: EngineError::Interrupted, .. }) => {
                Err(EngineError::Interrupted.into())
            }
            Err(why) => Ok((refused(why, &places, text), false)),
        }
    }
}

/// The next line; none after the last. Of one that is too long for a request so much is read that
/// it is known to be.
fn next_line(place: &str, reader: &mut impl BufRead) -> Result<Option<String>, Failure> {
    let mut bytes = Vec::new();
    let read = reader
        .by_ref()
        .take(MOST_LINE as u64 + 1)
        .read_until(b'\n', &mut bytes)
        .map_err(|error| Failure::io(place, error))?;
    Ok((read > 0).then(|| text_of(&bytes)))
}

/// What is not UTF-8 is no JSON, and is answered as such; some editors begin a file with a mark.
fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_start_matches('\u{feff}').to_string()
}

/// All that follows, of a file that is one request.
fn rest_of_file(place: &str, reader: &mut impl BufRead) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    reader
        .by_ref()
        .take(MOST_FILE as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::io(place, error))?;
    within("the request", bytes.len(), MOST_FILE)
        .map_err(|fault| Failure::argument(place, "", fault))?;
    Ok(text_of(&bytes))
}

/// Leaves out what follows of a line, and says how long it was; one without end is not gone
/// through.
fn rest_of_line(place: &str, number: usize, reader: &mut impl BufRead) -> Result<usize, Failure> {
    let left_out = reader
        .by_ref()
        .take(MOST_FILE as u64 + 1)
        .skip_until(b'\n')
        .map_err(|error| Failure::io(place, error))?;
    within(&format!("line {number}"), left_out, MOST_FILE)
        .map_err(|fault| Failure::argument(place, "", fault))?;
    Ok(left_out)
}
