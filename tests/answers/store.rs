//! The stored answers as text, one file per area (`tests/answers/AREA.txt`).
//!
//! The first character of a line gives its type:
//!
//! ```text
//! $ lowcrawl rally map.toml       a request: its arguments as a shell reads them
//! * csv, json                     it is run with these formats, not plainly (`plain`)
//! < map.toml 2f8a0c11             a file it needs; a text that stood above is named by its digest
//! > exit 0                        the exit code
//! > screen                        a part of the answer
//!  text                           a line of that file or part
//! \                               the text above does not end with a line break
//! ```

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;

/// The areas, each with a file and a test of its own. Those of `commands` belong to the command
/// line alone: its hints, its faults of files and options, and articles, charts and lists.
pub const AREAS: [&str; 14] = [
    "campaigns",
    "commands",
    "comparisons",
    "fields",
    "fortitude",
    "lists",
    "reaction",
    "refused",
    "routs",
    "sequences",
    "shipped",
    "stacks",
    "studies",
    "traces",
];

/// The formats in which a request is run: as written, with `--format csv` and `--format json`, or
/// both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Runs {
    Plain,
    Rows,
    PlainAndRows,
}

impl Runs {
    const ALL: [(Runs, &str); 3] = [
        (Runs::Plain, "plain"),
        (Runs::Rows, "csv, json"),
        (Runs::PlainAndRows, "plain, csv, json"),
    ];
}

/// A command line with the files it needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    pub area: String,
    pub arguments: Vec<String>,
    /// The texts of the files that the request needs, by name.
    pub files: BTreeMap<String, String>,
    pub runs: Runs,
}

impl Request {
    /// Returns the command line in shell notation.
    pub fn command(&self) -> String {
        let words = self.arguments.iter().map(String::as_str);
        format!("lowcrawl {}", shlex::try_join(words).expect("an argument without NUL"))
    }
}

/// The parts of an answer by name: `exit`, `errors`, `screen`, `csv`, `json`, `file NAME`.
pub type Answer = BTreeMap<String, String>;

/// Reads every request with its answer, area by area.
pub fn read() -> Vec<(Request, Answer)> {
    AREAS.iter().flat_map(|area| read_area(area)).collect()
}

fn path(area: &str) -> String {
    format!("{}/tests/answers/{area}.txt", env!("CARGO_MANIFEST_DIR"))
}

/// The text that the lines after a header belong to.
enum Target {
    Nothing,
    /// A file, with the digest by which other requests refer to its text.
    File(String, String),
    Part(String),
}

fn read_area(area: &str) -> Vec<(Request, Answer)> {
    let path = path(area);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut known: HashMap<String, String> = HashMap::new();
    let mut all: Vec<(Request, Answer)> = Vec::new();
    let mut target = Target::Nothing;
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |what: &str| -> ! { panic!("{path}:{number}: {what}: {line}") };
        let (mark, rest) = line.split_at(line.len().min(1));
        let rest = if mark == " " { rest } else { rest.trim_start() };
        if mark == "$" {
            let words = shlex::split(rest).unwrap_or_else(|| wrong("no words of a shell"));
            let request = Request {
                area: area.to_string(),
                arguments: words.into_iter().skip(1).collect(),
                files: BTreeMap::new(),
                runs: Runs::Plain,
            };
            all.push((request, Answer::from([("errors".to_string(), String::new())])));
            target = Target::Nothing;
            continue;
        }
        let Some((request, answer)) = all.last_mut() else { wrong("no request stands above") };
        match mark {
            "*" => {
                let runs = Runs::ALL.iter().find(|(_, name)| *name == rest);
                request.runs = runs.unwrap_or_else(|| wrong("no formats")).0;
            }
            "<" => {
                let (name, digest) = rest.split_once(' ').unwrap_or((rest, ""));
                let text = known.get(digest).cloned();
                target = match &text {
                    Some(_) => Target::Nothing,
                    None => Target::File(name.to_string(), digest.to_string()),
                };
                request.files.insert(name.to_string(), text.unwrap_or_default());
            }
            ">" if rest.starts_with("exit") => {
                let (name, code) = rest.rsplit_once(' ').unwrap_or_else(|| wrong("no exit code"));
                answer.insert(name.to_string(), code.to_string());
            }
            ">" => {
                answer.insert(rest.to_string(), String::new());
                target = Target::Part(rest.to_string());
            }
            " " | "\\" => {
                let text = match &target {
                    Target::File(name, _) => request.files.get_mut(name),
                    Target::Part(name) => answer.get_mut(name),
                    Target::Nothing => None,
                };
                let text = text.unwrap_or_else(|| wrong("no head stands above this text"));
                match mark {
                    " " => *text += &format!("{rest}\n"),
                    _ => drop(text.pop()),
                }
                if let Target::File(_, digest) = &target {
                    known.insert(digest.clone(), text.clone());
                }
            }
            _ => wrong("no line of an answer store"),
        }
    }
    all
}

/// Writes the requests of an area with their answers.
#[allow(dead_code, reason = "some suites only read")]
pub fn write_area(area: &str, all: &[(Request, Answer)]) {
    let mut known = HashSet::new();
    let mut text = String::new();
    for (request, answer) in all {
        let _ = writeln!(text, "$ {}", request.command());
        if let Some((_, name)) =
            Runs::ALL.iter().find(|(runs, _)| *runs == request.runs && *runs != Runs::Plain)
        {
            let _ = writeln!(text, "* {name}");
        }
        for (name, content) in &request.files {
            let digest = digest(content);
            let _ = writeln!(text, "< {name} {digest}");
            if known.insert(digest) {
                text += &indented(content);
            }
        }
        let (exits, parts): (Vec<_>, Vec<_>) =
            answer.iter().partition(|(name, _)| name.starts_with("exit"));
        exits.into_iter().for_each(|(name, code)| text += &format!("> {name} {code}\n"));
        let parts = parts.into_iter().filter(|(_, part)| !part.is_empty());
        parts.for_each(|(name, part)| text += &format!("> {name}\n{}", indented(part)));
    }
    fs::write(path(area), text).unwrap();
}

fn indented(text: &str) -> String {
    let mut lines: String = text.split_inclusive('\n').map(|line| format!(" {line}")).collect();
    if !text.is_empty() && !text.ends_with('\n') {
        lines += "\n\\\n";
    }
    lines
}

/// Returns the FNV-1a hash of a text, its halves folded together, as 8 hexadecimal digits.
pub fn digest(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{:08x}", (hash ^ (hash >> 32)) as u32)
}

/// Largest number of bytes that are stored of a file in an answer.
pub const MOST_OF_A_FILE: usize = 900;

/// The start of the line that stands for the omitted lines of a long text.
pub const CUT: &str = "... ";

/// Returns a text as it is stored: if it is longer than `most` bytes, only its first lines and a
/// digest of the whole.
pub fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_string();
    }
    let lines = text.split_inclusive('\n').scan(0, |length, line| {
        *length += line.len();
        (*length <= most).then_some(line)
    });
    format!("{}{CUT}{} lines, {}\n", lines.collect::<String>(), text.lines().count(), digest(text))
}
