//! The stored corpus: a gzipped text with a line of JSON for every file that requests share, and
//! one for every request.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/corpus.jsonl.gz");

/// How often a request is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Runs {
    /// Once, as it is.
    Plain,
    /// With `--format csv` and `--format json`.
    Rows,
    /// As it is, and with both formats.
    PlainAndRows,
}

impl Runs {
    pub fn count(self) -> u32 {
        match self {
            Runs::Plain => 1,
            Runs::Rows => 2,
            Runs::PlainAndRows => 3,
        }
    }
}

/// A command line with the files it needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    pub area: String,
    pub arguments: Vec<String>,
    /// By name, with their content.
    pub files: BTreeMap<String, String>,
    pub runs: Runs,
}

/// What came of a request, by part: `exit`, `errors`, `csv`, `meta`, ...
pub type Answer = BTreeMap<String, String>;

/// A line of the document; files are named by their number.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    File {
        file: usize,
        text: String,
    },
    Request {
        request: usize,
        area: String,
        arguments: Vec<String>,
        files: BTreeMap<String, usize>,
        runs: Runs,
        answer: Answer,
    },
}

/// Every request with its answer, in order.
pub fn read() -> Vec<(Request, Answer)> {
    let file = File::open(PATH).unwrap_or_else(|error| panic!("{PATH}: {error}"));
    let (mut texts, mut all) = (HashMap::new(), Vec::new());
    for line in BufReader::new(GzDecoder::new(BufReader::new(file))).lines() {
        match serde_json::from_str(&line.unwrap()).unwrap() {
            Line::File { file, text } => drop(texts.insert(file, text)),
            Line::Request { area, arguments, files, runs, answer, .. } => {
                let files = files
                    .into_iter()
                    .map(|(name, file): (String, usize)| (name, texts[&file].clone()))
                    .collect();
                all.push((Request { area, arguments, files, runs }, answer));
            }
        }
    }
    all
}

/// Writes them all.
pub fn write(all: &[(Request, Answer)]) {
    let mut sink = GzEncoder::new(BufWriter::new(File::create(PATH).unwrap()), Compression::best());
    let mut tell = |line: &Line| {
        serde_json::to_writer(&mut sink, line).unwrap();
        sink.write_all(b"\n").unwrap();
    };
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (request, (Request { area, arguments, files, runs }, answer)) in (1..).zip(all) {
        let mut number = |text| {
            let next = numbers.len() + 1;
            *numbers.entry(text).or_insert_with(|| {
                tell(&Line::File { file: next, text: text.to_string() });
                next
            })
        };
        let files =
            files.iter().map(|(name, text)| (name.clone(), number(text.as_str()))).collect();
        let (area, arguments, answer) = (area.clone(), arguments.clone(), answer.clone());
        tell(&Line::Request { request, area, arguments, files, runs: *runs, answer });
    }
    sink.finish().unwrap().flush().unwrap();
}
