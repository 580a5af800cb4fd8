//! The dice of logs and chats compared with chance, as a table and a chart.

use serde_json::{Value as Json, json};

use answer::{Cell, Column, Meta, Sheet};
use charts::chart::{Chart, ChartKind, Panel, Series, Unit, Value};
use engine::text::{Fault, plain};
use vasl::chat::{Roll, RollContext, Transcript, decode};
use vasl::container::Archive;
use vasl::luck::{Missing, Pairs, RollStatistics, band};
use vasl::saved::Saved;
use vasl::session::{Overlap, Sessions};

/// The most points of a curve in the chart.
const MOST_PLACES: usize = 24;

/// A file with rolls.
#[derive(Clone, Debug)]
pub struct LogFile {
    /// The name of the file in answers.
    pub name: String,
    pub bytes: Vec<u8>,
    /// True for a text that was copied from VASSAL's window, false for a log.
    pub is_chat: bool,
}

/// The lines of a file that look like rolls but could not be read.
#[derive(Clone, Debug)]
pub struct UnparsedLines {
    /// The 0-based index of the file.
    pub log: usize,
    pub lines: usize,
    /// What `first` counts: lines of a chat, or steps of a log.
    pub place: &'static str,
    pub first: usize,
    /// The first such line; `None` if players are not named.
    pub text: Option<String>,
}

/// The rolls of some files, with the names of their players.
#[derive(Clone, Debug)]
pub struct Luck {
    /// The names of the files.
    pub names: Vec<String>,
    pub sessions: Sessions,
    pub unparsed: Vec<UnparsedLines>,
    /// The context of each roll of all files, in order.
    contexts: Vec<RollContext>,
    is_anonymous: bool,
}

/// Reads the rolls of files. If `is_anonymous`, players are called `Player A`, `Player B`, ...
///
/// # Errors
///
/// Fails with the 0-based index of a file that cannot be read, or that is another file once more.
pub fn luck(files: &[LogFile], is_anonymous: bool) -> Result<Luck, (usize, Fault)> {
    let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    let (mut logs, mut contexts, mut unparsed) = (Vec::new(), Vec::new(), Vec::new());
    for (log, file) in files.iter().enumerate() {
        let in_file = |fault| (log, fault);
        let transcript = transcript(file).map_err(in_file)?;
        let is_same = |other: &&LogFile| other.bytes == file.bytes;
        if let Some(before) = files[..log].iter().find(is_same) {
            let before = plain(&before.name);
            let fault = Fault::new(format!("this file has the same content as {before}"), 0..0);
            return Err(in_file(fault.help("give each file once")));
        }
        logs.push(transcript.rolls);
        contexts.extend(transcript.contexts);
        unparsed.extend(transcript.first_unparsed.map(|(first, text)| {
            let text = Some(text).filter(|_| !is_anonymous);
            let place = if file.is_chat { "line" } else { "step" };
            UnparsedLines { log, lines: transcript.unparsed, place, first, text }
        }));
    }
    Ok(Luck { names, sessions: Sessions::new(logs), unparsed, contexts, is_anonymous })
}

fn transcript(file: &LogFile) -> Result<Transcript, Fault> {
    let is_archive = Archive::is_one(&file.bytes);
    match (file.is_chat, is_archive) {
        (true, true) => {
            let fault = Fault::new("this is an archive, not a text file", 0..0);
            Err(fault.help("give a log (.vlog) without `--chat`"))
        }
        (true, false) => Ok(Transcript::read(&decode(&file.bytes)?)),
        (false, false) if !file.bytes.is_empty() && decode(&file.bytes).is_ok() => {
            let fault = Fault::new("expected a log of VASL (.vlog), not a text", 0..0);
            let name = plain(&file.name);
            let name = if name.contains(' ') { format!("\"{name}\"") } else { name };
            Err(fault.help(format!("chat is given with `--chat`: `lowcrawl luck --chat {name}`")))
        }
        (false, _) => Saved::read(&file.bytes)?.transcript(),
    }
}

impl Luck {
    /// Returns the names of the players, in the order of their first rolls.
    pub fn players(&self) -> Vec<String> {
        self.sessions.players().iter().map(|player| self.called(player)).collect()
    }

    /// Returns a player's rolls in order, by his name in answers, each with what is known of it.
    pub fn rolls_of(&self, player: &str) -> Vec<(&Roll, &RollContext)> {
        let own = self.sessions.all().filter(|session| self.called(&session.player) == player);
        let rolls = own.flat_map(|session| {
            let places = self.sessions.indices(session).iter();
            places.filter_map(|place| self.contexts.get(*place)).zip(self.sessions.rolls(session))
        });
        rolls.map(|(context, roll)| (roll, context)).collect()
    }

    fn called(&self, player: &str) -> String {
        let players = self.sessions.players();
        let number = players.iter().position(|known| *known == player).unwrap_or(0);
        match (self.is_anonymous, u8::try_from(number)) {
            (false, _) => plain(player),
            (true, Ok(number @ 0..26)) => format!("Player {}", char::from(b'A' + number)),
            (true, _) => format!("Player {}", number + 1),
        }
    }

    /// Returns the statistics of every player: by kind of roll, then for groups of kinds.
    pub fn tallies(&self) -> Vec<RollStatistics> {
        let tallies = self.sessions.tallies().into_iter();
        let named =
            |tally: RollStatistics| RollStatistics { player: self.called(&tally.player), ..tally };
        tallies.map(named).collect()
    }

    /// Returns how many numbers that the dice bot gives to rolls are missing, by session.
    pub fn missing(&self) -> Vec<Missing> {
        let missing = self.sessions.missing().into_iter();
        missing.map(|one| Missing { player: self.called(&one.player), ..one }).collect()
    }

    /// Returns the table of all statistics, with the lists of its JSON.
    pub fn sheet(&self, meta: Meta) -> Sheet {
        let columns = SHEET.map(|(name, column, _)| (name, column)).to_vec();
        let row = |tally: &RollStatistics| SHEET.map(|(.., cell)| cell(tally)).to_vec();
        let rows = self.tallies().iter().map(row).collect();
        Sheet { lists: self.lists(), ..Sheet::new(columns, rows, meta) }
    }

    /// Returns the lists for JSON of rolls that are missing, repeated, unnumbered or unreadable.
    fn lists(&self) -> Vec<(&'static str, Json)> {
        let name = |log: usize| self.names[log].as_str();
        let gap = |Missing { player, logs, numbers }: &Missing| {
            let log = name(logs[0]);
            json!({ "player": player, "log": log, "numbers": numbers })
        };
        let pair = |([first, log], Overlap { same, different }): (&[usize; 2], &Overlap)| {
            let (first, log) = (name(*first), name(*log));
            json!({ "first": first, "log": log, "same": same, "different": different })
        };
        let unparsed = |UnparsedLines { log, lines, first, text, .. }: &UnparsedLines| {
            let log = name(*log);
            json!({ "log": log, "lines": lines, "first": first, "text": text })
        };
        let sessions = &self.sessions;
        vec![
            ("missing", self.missing().iter().map(gap).collect()),
            ("repeated", sessions.repeated.iter().map(pair).collect()),
            ("alike", sessions.alike.iter().map(pair).collect()),
            ("unnumbered", sessions.unnumbered().into()),
            ("unread", self.unparsed.iter().map(unparsed).collect()),
        ]
    }

    /// Charts the mean so far of each player; a band holds 95 % of players with fair dice.
    pub fn charts(&self, question: &str) -> Vec<Chart> {
        let players = self.sessions.players();
        let runs = players.iter().map(|player| (self.called(player), self.sessions.run(player)));
        chart(runs.collect(), question)
    }
}

type SheetColumn = (&'static str, Column, fn(&RollStatistics) -> Cell);

const SHEET: [SheetColumn; 14] = [
    ("player", Column::Text, |tally| Cell::Text(tally.player.clone())),
    ("kind", Column::Text, |tally| Cell::Text(tally.group.name().to_string())),
    ("low_is_good", Column::Boolean, |tally| Cell::Boolean(tally.group.is_low_good())),
    ("rolls", Column::Integer, |tally| integer(tally.rolls)),
    ("total", Column::Integer, |tally| integer(tally.total)),
    ("mean", Column::Float, |tally| Cell::Float(tally.mean())),
    ("fair_mean", Column::Float, |tally| Cell::Float(3.5 * tally.dice as f64)),
    ("at_most", Column::Float, |tally| Cell::Float(tally.at_most)),
    ("at_least", Column::Float, |tally| Cell::Float(tally.at_least)),
    ("twos", Column::Integer, |tally| of_pairs(tally, |pairs| integer(pairs.twos))),
    ("twelves", Column::Integer, |tally| of_pairs(tally, |pairs| integer(pairs.twelves))),
    ("coloured_mean", Column::Float, |tally| mean_of_pairs(tally, |pairs| pairs.coloured)),
    ("white_mean", Column::Float, |tally| mean_of_pairs(tally, |pairs| pairs.white)),
    ("so_far_apart", Column::Float, |tally| {
        of_pairs(tally, |pairs| Cell::Float(pairs.difference_odds))
    }),
];

fn integer(number: usize) -> Cell {
    Cell::Integer(number as i64)
}

fn of_pairs(tally: &RollStatistics, cell: impl Fn(Pairs) -> Cell) -> Cell {
    tally.pairs.map_or(Cell::Null, cell)
}

fn mean_of_pairs(tally: &RollStatistics, sum: impl Fn(Pairs) -> usize) -> Cell {
    of_pairs(tally, |pairs| Cell::Float(sum(pairs) as f64 / tally.rolls as f64))
}

/// Charts the mean so far of each player; a band holds 95 % of players with fair dice.
fn chart(runs: Vec<(String, Vec<usize>)>, question: &str) -> Vec<Chart> {
    let mean = |run: &[usize], rolls: usize| Some(*run.get(rolls - 1)? as f64 / rolls as f64);
    let chart = curves_over_rolls(runs, mean, |_, mean| mean);
    let chart = chart.map(|chart| Chart {
        title: "DR where low is good: mean so far".to_string(),
        note: format!("{question}. The band contains 95 % of players with fair dice."),
        ..chart
    });
    chart.into_iter().collect()
}

/// Charts a number of each player over his rolls, without title and note. `number` returns that of
/// a run after so many rolls, `of_mean` the number that a mean of so many rolls comes to.
pub(super) fn curves_over_rolls<T>(
    runs: Vec<(String, Vec<T>)>,
    number: impl Fn(&[T], usize) -> Option<f64>,
    of_mean: impl Fn(usize, f64) -> f64,
) -> Option<Chart> {
    let longest = runs.iter().map(|(_, run)| run.len()).max().filter(|longest| *longest > 0)?;
    let step = longest.div_ceil(MOST_PLACES);
    let places: Vec<usize> = (step..longest).step_by(step).chain([longest]).collect();
    let fair = |rolls: &usize| {
        let (low, high) = band(*rolls);
        let interval = Some((of_mean(*rolls, low), of_mean(*rolls, high)));
        Some(Value { interval, ..Value::from(of_mean(*rolls, 7.0)) })
    };
    let chance = Series::new("by chance", places.iter().map(fair));
    let player = |(name, run): (String, Vec<T>)| {
        let numbers = places.iter().map(|rolls| number(&run, *rolls).map(Value::from));
        Series::new(name, numbers.collect::<Vec<_>>())
    };
    let series = std::iter::once(chance).chain(runs.into_iter().map(player)).collect();
    Some(Chart {
        title: String::new(),
        note: String::new(),
        kind: ChartKind::Curve,
        unit: Unit::Number,
        along: "rolls".to_string(),
        across: "player".to_string(),
        panels: vec![Panel::new(places.iter().map(usize::to_string).collect(), series)],
        board: None,
    })
}
