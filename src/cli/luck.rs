//! The `luck` command: compares each player's dice in VASL logs with chance.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value as Json, json};

use super::fault::{Failure, Result};
use super::file_root::{FileRoot, hash};
use super::output::OutputArguments;
use super::reply::{FileReport, Reply, ReplyCommand};
use super::shell_words::{quoted, repeated};
use super::vasl::read;
use answer::{Cell, Column, Meta, Sheet};
use charts::chart::{Chart, ChartKind, Panel, Series, Unit, Value};
use engine::text::{Fault, MOST_FILE, plain};
use play::Registry;
use render::layout::{Digits, paragraph};
use vasl::chat::{Transcript, decode};
use vasl::container::Archive;
use vasl::luck::{ENOUGH, Missing, Pairs, RollGroup, RollStatistics, band};
use vasl::session::{Overlap, Sessions};

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl luck game-1.vlog game-2.vlog",
    "lowcrawl luck game-1.vlog --anonymous --chart run.svg",
    "lowcrawl luck --chat chat.txt --format csv",
];

pub const HELP: &str = "\
The table has the rolls of every player and kind, and their mean. It also has the exact \
probability that as many fair dice have this sum or a lower one, and this sum or a higher one. Low \
is good in IFT, TH, TK, MC, TC, Rally, CC and SA. In RS, and in DR and dr without a named purpose, \
low is neither good nor bad.";

const WHERE_ROLLS_ARE: &str = "only logs (.vlog) have rolls, not saves; give chat with `--chat`";

/// The characters that are shown of an unreadable line, which then fits a line of the screen.
const MOST_SHOWN: usize = 72;
/// The most points of a curve in the chart.
const MOST_PLACES: usize = 24;

/// Arguments of `luck`.
#[derive(Debug, Args)]
pub struct LuckCommand {
    /// VASL logs (.vlog); a roll that is in several files is counted once
    #[arg(value_name = "FILE", required_unless_present = "chat")]
    files: Vec<PathBuf>,
    /// Chat as text, copied from VASSAL's window
    #[arg(long, value_name = "FILE")]
    chat: Vec<PathBuf>,
    /// Call players A, B, ... in the order of their first rolls
    #[arg(long)]
    anonymous: bool,
    #[command(flatten)]
    output: OutputArguments,
}

struct Heard {
    names: Vec<String>,
    luck: Sessions,
    unparsed: Vec<UnparsedLines>,
}

/// The lines of a file that look like rolls but could not be read.
struct UnparsedLines {
    log: usize,
    lines: usize,
    /// What `first` counts: lines of a chat, or steps of a log.
    place: &'static str,
    first: usize,
    /// The first such line; `None` with `--anonymous`.
    text: Option<String>,
}

impl ReplyCommand for LuckCommand {
    fn output(&self) -> Option<&OutputArguments> {
        Some(&self.output)
    }

    fn reply(&self, _: &Registry, files: &FileRoot) -> Result<Reply> {
        self.output.format()?;
        let (heard, digits) = (self.read(files)?, self.output.digits());
        let luck = &heard.luck;
        let players = luck.players();
        if players.is_empty() {
            let unparsed = heard.unparsed_in_words().collect::<Vec<_>>().join(" ");
            let help = if unparsed.is_empty() { WHERE_ROLLS_ARE.to_string() } else { unparsed };
            let place = plain(&heard.names.join(", "));
            return Err(Failure::refused(&place, "", "the logs have no rolls").help(help));
        }
        let called = |player: &str| {
            let number = players.iter().position(|known| *known == player).unwrap_or(0);
            match (self.anonymous, u8::try_from(number)) {
                (false, _) => plain(player),
                (true, Ok(number @ 0..26)) => format!("Player {}", char::from(b'A' + number)),
                (true, _) => format!("Player {}", number + 1),
            }
        };
        let tallies = luck.tallies().into_iter();
        let tallies: Vec<RollStatistics> = tallies
            .map(|tally| RollStatistics { player: called(&tally.player), ..tally })
            .collect();
        let missing = luck.missing().into_iter();
        let missing: Vec<Missing> =
            missing.map(|missing| Missing { player: called(&missing.player), ..missing }).collect();
        let runs = players.iter().map(|player| (called(player), luck.run(player))).collect();
        let line = |tally: &RollStatistics| LINE.map(|(_, text)| text(tally, digits)).to_vec();
        let sheet = sheet(&tallies, self.meta(&heard.names), heard.lists(&missing));
        let verdicts = players.iter().flat_map(|player| {
            let player = called(player);
            [Some(verdict(&player, &tallies, digits)), colours(&player, &tallies, digits)]
        });
        Ok(Reply::Facts(FileReport {
            before: verdicts.flatten().map(|line| paragraph(&line)).collect(),
            after: heard.notes(&tallies, &missing),
            headings: LINE.map(|(heading, _)| heading.to_string()).to_vec(),
            lines: tallies.iter().map(line).collect(),
            right: (0..LINE.len()).map(|place| place > 1).collect(),
            charts: chart(runs, &sheet.meta.question),
            sheet,
        }))
    }
}

/// Returns the failure for a text that stands in place of a log.
fn text_not_log(path: &Path) -> Failure {
    let name = path.display().to_string();
    let failure = Failure::refused(&name, "", "expected a log of VASL (.vlog), not a text");
    failure.help(format!("chat is given with `--chat`: `lowcrawl luck --chat {}`", quoted(&name)))
}

impl LuckCommand {
    fn read(&self, files: &FileRoot) -> Result<Heard> {
        let paths: Vec<&PathBuf> = self.files.iter().chain(&self.chat).collect();
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let (mut logs, mut unparsed, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
        for (log, path) in paths.into_iter().enumerate() {
            let in_file = |fault| Failure::binary(path, fault);
            let is_log = log < self.files.len();
            let (bytes, transcript) = if is_log {
                let (bytes, saved) = read(files, path).or_else(|fault| {
                    let bytes = files.named(path, MOST_FILE);
                    let is_text =
                        |bytes: &Vec<u8>| !Archive::is_one(bytes) && decode(bytes).is_ok();
                    match bytes.is_ok_and(|bytes| is_text(&bytes)) {
                        true => Err(text_not_log(path)),
                        false => Err(fault),
                    }
                })?;
                (bytes, saved.transcript().map_err(in_file)?)
            } else {
                let bytes = files.named(path, MOST_FILE)?;
                if Archive::is_one(&bytes) {
                    let fault = Fault::new("this is an archive, not a text file", 0..0);
                    return Err(in_file(fault.help("give a log (.vlog) without `--chat`")));
                }
                let text = decode(&bytes).map_err(in_file)?;
                (bytes, Transcript::read(&text))
            };
            let hash = hash(&bytes);
            if let Some(before) = hashes.iter().position(|known| *known == hash) {
                let before = plain(&names[before]);
                let fault = Fault::new(format!("this file has the same content as {before}"), 0..0);
                return Err(in_file(fault.help("give each file once")));
            }
            hashes.push(hash);
            logs.push(transcript.rolls);
            unparsed.extend(transcript.first_unparsed.map(|(first, text)| {
                let text = Some(text).filter(|_| !self.anonymous);
                let place = if is_log { "step" } else { "line" };
                UnparsedLines { log, lines: transcript.unparsed, place, first, text }
            }));
        }
        Ok(Heard { names, luck: Sessions::new(logs), unparsed })
    }

    fn meta(&self, names: &[String]) -> Meta {
        let files = self.files.iter().map(|path| format!(" {}", quoted(&path.to_string_lossy())));
        let files = files.collect::<String>();
        let chat = repeated("chat", self.chat.iter().map(|path| path.display()));
        let anonymous = if self.anonymous { " --anonymous" } else { "" };
        let command = format!("lowcrawl luck{files}{chat}{anonymous}");
        let question = format!("the dice of {}", plain(&names.join(", ")));
        Meta { engine: "exact", ..Meta::new(command, question) }
    }
}

impl Heard {
    /// Returns the lists for JSON of rolls that are missing, repeated, unnumbered or unreadable.
    fn lists(&self, missing: &[Missing]) -> Vec<(&'static str, Json)> {
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
        let sessions = &self.luck;
        vec![
            ("missing", missing.iter().map(gap).collect()),
            ("repeated", sessions.repeated.iter().map(pair).collect()),
            ("alike", sessions.alike.iter().map(pair).collect()),
            ("unnumbered", sessions.unnumbered().into()),
            ("unread", self.unparsed.iter().map(unparsed).collect()),
        ]
    }

    fn unparsed_in_words(&self) -> impl Iterator<Item = String> {
        self.unparsed.iter().map(|UnparsedLines { log, lines, place, first, text }| {
            let text = text.as_ref().map_or(String::new(), |text| {
                let shown: String = text.chars().take(MOST_SHOWN).collect();
                // A backtick would end the inline code.
                format!(": `{}`", plain(&shown).replace('`', "'"))
            });
            format!(
                "Unreadable lines in {} that look like rolls: {lines}. The first is {place} \
                    {first}{text}.",
                plain(&self.names[*log])
            )
        })
    }

    fn shared_in_words(&self) -> impl Iterator<Item = String> {
        let rolls = |[first, log]: &[usize; 2], same: usize| {
            let [one, other] = [first, log].map(|log| plain(&self.names[*log]));
            let place = match first == log {
                true => format!("twice in {one}"),
                false => format!("in both {one} and {other}"),
            };
            format!("Rolls {place}: {same}.")
        };
        let sessions = &self.luck;
        let repeated = sessions.repeated.iter().map(move |(logs, overlap)| {
            let different = match overlap.different {
                0 => String::new(),
                number => format!(
                    " Rolls with the same number but different dice: {number}; both are counted."
                ),
            };
            format!("{} They are counted once.{different}", rolls(logs, overlap.same))
        });
        let alike = sessions.alike.iter().map(move |(logs, overlap)| {
            let rolls = rolls(logs, overlap.same);
            format!(
                "{rolls} The rolls around them differ, so these are two sessions, and every roll \
                    is counted."
            )
        });
        let unnumbered = Some(sessions.unnumbered()).filter(|rolls| *rolls > 0).map(|rolls| {
            format!(
                "Rolls without a number from the dice bot: {rolls}. If two files have the same \
                    session, these are counted twice."
            )
        });
        repeated.chain(alike).chain(unnumbered)
    }

    fn notes(&self, tallies: &[RollStatistics], missing: &[Missing]) -> String {
        let judged =
            tallies.iter().filter(|tally| matches!(tally.group, RollGroup::Kind(_))).count();
        let mut lines = MEANINGS.map(str::to_string).to_vec();
        if judged > 1 {
            // Sums are discrete, so at most 5 % of fair dice are below 5 % at each end.
            let by_chance = judged as f64 / 10.0;
            lines.push(format!(
                "Of {judged} kinds, at most {by_chance:.1} on average are below 5 % at one end by \
                    chance alone."
            ));
        }
        lines.extend(missing.iter().map(|Missing { player, logs, numbers }| {
            let logs: Vec<String> = logs.iter().map(|log| plain(&self.names[*log])).collect();
            let words = if *numbers == 1 { "number is" } else { "numbers are" };
            let logs = logs.join(" and ");
            format!(
                "{player}: {numbers} {words} missing from {logs}; this can be due to another \
                    session."
            )
        }));
        lines.extend(self.shared_in_words().chain(self.unparsed_in_words()));
        lines.iter().map(|line| paragraph(line)).collect()
    }
}

const MEANINGS: [&str; 2] = [
    "So low (so high): exact probability that as many fair dice have this sum or a lower (higher) \
        one.",
    "Low is good in IFT, TH, TK, MC, TC, Rally, CC and SA (low DR: all but SA); in RS, DR and dr \
        it is neither good nor bad.",
];

/// Describes the luck of a player in the DR for which low is good, in one sentence.
fn verdict(player: &str, tallies: &[RollStatistics], digits: Digits) -> String {
    let Some(tally) = statistics(player, RollGroup::LowDr, tallies) else {
        return format!("{player}: no DR where low is good, so no conclusion is possible.");
    };
    let (rolls, mean) = (tally.rolls, tally.mean());
    let start = format!("{player}: {rolls} DR where low is good, {mean:.2} on average");
    if rolls < ENOUGH {
        return format!("{start}: fewer than {ENOUGH}, so no conclusion is possible.");
    }
    let fair = 7 * rolls;
    if tally.total == fair {
        return format!("{start}, which is neither good nor bad luck.");
    }
    let is_good = tally.total < fair;
    let (side, chance) = if is_good { ("good", tally.at_most) } else { ("bad", tally.at_least) };
    let chance = digits.percent(chance);
    format!("{start}; {chance} of players have luck as {side} as that, or more so.")
}

/// Describes the difference between coloured and white dice; `None` with too few rolls.
fn colours(player: &str, tallies: &[RollStatistics], digits: Digits) -> Option<String> {
    let tally =
        statistics(player, RollGroup::AllDr, tallies).filter(|tally| tally.rolls >= ENOUGH)?;
    let pairs = tally.pairs?;
    let [coloured, white] = means(tally, pairs);
    let difference = digits.percent(pairs.difference_odds);
    Some(format!(
        "{player}: coloured dice {coloured} on average, white dice {white}; {difference} of \
            players have a difference as large."
    ))
}

fn statistics<'a>(
    player: &str,
    group: RollGroup,
    tallies: &'a [RollStatistics],
) -> Option<&'a RollStatistics> {
    tallies.iter().find(|tally| tally.player == player && tally.group == group)
}

type LineColumn = (&'static str, fn(&RollStatistics, Digits) -> String);

const LINE: [LineColumn; 9] = [
    ("player", |tally, _| tally.player.clone()),
    ("rolls of", |tally, _| tally.group.name().to_string()),
    ("rolls", |tally, _| tally.rolls.to_string()),
    ("mean", |tally, _| format!("{:.2}", tally.mean())),
    ("so low", |tally, digits| digits.percent(tally.at_most)),
    ("so high", |tally, digits| digits.percent(tally.at_least)),
    ("2s", |tally, _| of_pairs(tally, |pairs| integer(pairs.twos)).text()),
    ("12s", |tally, _| of_pairs(tally, |pairs| integer(pairs.twelves)).text()),
    ("coloured, white", |tally, _| {
        tally.pairs.map_or(String::new(), |pairs| means(tally, pairs).join(", "))
    }),
];

fn means(tally: &RollStatistics, pairs: Pairs) -> [String; 2] {
    [pairs.coloured, pairs.white].map(|sum| format!("{:.2}", sum as f64 / tally.rolls as f64))
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

fn sheet(tallies: &[RollStatistics], meta: Meta, lists: Vec<(&'static str, Json)>) -> Sheet {
    let columns = SHEET.map(|(name, column, _)| (name, column)).to_vec();
    let row = |tally: &RollStatistics| SHEET.map(|(.., cell)| cell(tally)).to_vec();
    Sheet { lists, ..Sheet::new(columns, tallies.iter().map(row).collect(), meta) }
}

/// Charts the mean so far of each player; a band holds 95 % of players with fair dice.
fn chart(runs: Vec<(String, Vec<usize>)>, question: &str) -> Vec<Chart> {
    let longest = runs.iter().map(|(_, run)| run.len()).max().unwrap_or(0);
    if longest == 0 {
        return Vec::new();
    }
    let step = longest.div_ceil(MOST_PLACES);
    let places: Vec<usize> = (step..longest).step_by(step).chain([longest]).collect();
    let mean = |run: &[usize], rolls: usize| {
        let sum = run.get(rolls - 1)?;
        Some(Value::from(*sum as f64 / rolls as f64))
    };
    let fair = |rolls: &usize| Some(Value { interval: Some(band(*rolls)), ..Value::from(7.0) });
    let chance = Series::new("by chance", places.iter().map(fair));
    let player = |(name, run): (String, Vec<usize>)| {
        Series::new(name, places.iter().map(|rolls| mean(&run, *rolls)))
    };
    let series = std::iter::once(chance).chain(runs.into_iter().map(player)).collect();
    vec![Chart {
        title: "DR where low is good: mean so far".to_string(),
        note: format!("{question}. The band contains 95 % of players with fair dice."),
        kind: ChartKind::Curve,
        unit: Unit::Number,
        along: "rolls".to_string(),
        across: "player".to_string(),
        panels: vec![Panel::new(places.iter().map(usize::to_string).collect(), series)],
        board: None,
    }]
}
