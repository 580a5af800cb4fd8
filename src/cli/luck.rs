//! The `luck` command: compares each player's dice in VASL logs with chance.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value as Json, json};

use super::fault::Failure;
use super::file_root::{FileRoot, hash};
use super::output::OutputArguments;
use super::reply::{FileReport, Reply, ReplyCommand};
use super::shell_words::quoted;
use super::vasl::read;
use answer::{Cell, Column, Meta, Sheet};
use charts::chart::{Chart, ChartKind, Panel, Series, Unit, Value};
use engine::text::{Fault, MOST_FILE, plain};
use play::Registry;
use render::layout::{Digits, paragraph};
use vasl::chat::{Transcript, decode};
use vasl::container::Archive;
use vasl::luck::{ENOUGH, Missing, RollGroup, RollStatistics, band};
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

const MOST_SHOWN: usize = 120;
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

/// The rolls of all files, and the lines that could not be read.
struct Heard {
    luck: Sessions,
    unparsed: Vec<UnparsedLines>,
}

/// The lines of a file that look like rolls but could not be read.
struct UnparsedLines {
    log: usize,
    lines: usize,
    /// The number of the first such line of a chat, or step of a log. With `--anonymous`, its
    /// `text` is omitted.
    first: usize,
    text: Option<String>,
}

impl ReplyCommand for LuckCommand {
    fn output(&self) -> Option<&OutputArguments> {
        Some(&self.output)
    }

    fn reply(&self, _: &Registry, files: &FileRoot) -> Result<Reply, Failure> {
        self.output.format()?;
        let (heard, digits) = (self.read(files)?, self.output.digits());
        let luck = &heard.luck;
        let players = luck.players();
        if players.is_empty() {
            let place = self.names().join(", ");
            let fault = Fault::new("the logs have no rolls", 0..0);
            let unparsed = self.unparsed_in_words(&heard).join(" ");
            let help = if unparsed.is_empty() { WHERE_ROLLS_ARE } else { &unparsed };
            return Err(Failure::argument(&plain(&place), "", fault.help(help)));
        }
        let called = |player: &str| {
            let number = players.iter().position(|known| *known == player).unwrap_or(0);
            match (self.anonymous, u8::try_from(number)) {
                (false, _) => plain(player),
                (true, Ok(number @ 0..26)) => format!("Player {}", char::from(b'A' + number)),
                (true, _) => format!("Player {}", number + 1),
            }
        };
        let tallies: Vec<RollStatistics> = luck
            .tallies()
            .into_iter()
            .map(|tally| RollStatistics { player: called(&tally.player), ..tally })
            .collect();
        let missing: Vec<Missing> = luck
            .missing()
            .into_iter()
            .map(|missing| Missing { player: called(&missing.player), ..missing })
            .collect();
        let runs = players.iter().map(|player| (called(player), luck.run(player))).collect();
        let sheet = sheet(&tallies, self.meta(), self.lists(&heard, &missing));
        let verdicts = players.iter().flat_map(|player| {
            let player = called(player);
            [Some(verdict(&player, &tallies, digits)), colours(&player, &tallies, digits)]
        });
        Ok(Reply::Facts(FileReport {
            before: verdicts.flatten().map(|line| paragraph(&line)).collect(),
            after: self.notes(&tallies, &heard, &missing),
            headings: HEADINGS.map(str::to_string).to_vec(),
            lines: tallies.iter().map(|tally| line(tally, digits)).collect(),
            right: HEADINGS.iter().enumerate().map(|(place, _)| place > 1).collect(),
            charts: chart(runs, &sheet.meta.question),
            sheet,
        }))
    }
}

const HEADINGS: [&str; 9] =
    ["player", "rolls of", "rolls", "mean", "so low", "so high", "2s", "12s", "coloured, white"];

impl LuckCommand {
    fn read(&self, files: &FileRoot) -> Result<Heard, Failure> {
        let (mut logs, mut unparsed) = (Vec::new(), Vec::new());
        let mut seen: Vec<(String, String)> = Vec::new();
        for (log, path) in self.files.iter().chain(&self.chat).enumerate() {
            let place = path.display().to_string();
            let in_file = |fault| Failure::argument(&place, "", fault);
            let (bytes, transcript) = if log < self.files.len() {
                let (bytes, saved) = read(files, path)?;
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
            if let Some((before, _)) = seen.iter().find(|(_, known)| *known == hash) {
                let message = format!("this file has the same content as {}", plain(before));
                return Err(in_file(Fault::new(message, 0..0).help("give each file once")));
            }
            seen.push((place, hash));
            logs.push(transcript.rolls);
            unparsed.extend(transcript.first_unparsed.map(|(first, text)| {
                let text = Some(text).filter(|_| !self.anonymous);
                UnparsedLines { log, lines: transcript.unparsed, first, text }
            }));
        }
        Ok(Heard { luck: Sessions::new(logs), unparsed })
    }

    fn names(&self) -> Vec<String> {
        self.files.iter().chain(&self.chat).map(|path| path.display().to_string()).collect()
    }

    fn meta(&self) -> Meta {
        let words = |option: &str, paths: &[PathBuf]| {
            let word = |path: &PathBuf| format!("{option}{}", quoted(&path.display().to_string()));
            paths.iter().map(word).collect::<String>()
        };
        let anonymous = if self.anonymous { " --anonymous" } else { "" };
        Meta {
            version: env!("CARGO_PKG_VERSION"),
            command: format!(
                "lowcrawl luck{}{}{anonymous}",
                words(" ", &self.files),
                words(" --chat ", &self.chat)
            ),
            question: format!("the dice of {}", plain(&self.names().join(", "))),
            engine: "exact",
            ..Meta::default()
        }
    }

    /// Returns the lists for JSON of rolls that are missing, in several files, without a number, or
    /// could not be read.
    fn lists(&self, heard: &Heard, missing: &[Missing]) -> Vec<(&'static str, Json)> {
        let names = self.names();
        let gap = |Missing { player, logs, numbers }: &Missing| {
            json!({ "player": player, "log": names[logs[0]],
            "numbers": numbers })
        };
        let pair = |([first, log], Overlap { same, different }): (&[usize; 2], &Overlap)| {
            json!({ "first": names[*first], "log": names[*log], "same": same,
            "different": different })
        };
        let unparsed = |UnparsedLines { log, lines, first, text }: &UnparsedLines| {
            json!({ "log": names[*log], "lines": lines, "first": first,
            "text": text })
        };
        let sessions = &heard.luck;
        vec![
            ("missing", missing.iter().map(gap).collect()),
            ("repeated", sessions.repeated.iter().map(pair).collect()),
            ("alike", sessions.alike.iter().map(pair).collect()),
            ("unnumbered", sessions.unnumbered().into()),
            ("unread", heard.unparsed.iter().map(unparsed).collect()),
        ]
    }

    fn unparsed_in_words(&self, heard: &Heard) -> Vec<String> {
        let names = self.names();
        let in_words = |UnparsedLines { log, lines, first, text }: &UnparsedLines| {
            let place = if *log < self.files.len() { "step" } else { "line" };
            let text = text.as_ref().map_or(String::new(), |text| {
                let shown: String = text.chars().take(MOST_SHOWN).collect();
                // A backtick would end the inline code.
                format!(": `{}`", plain(&shown).replace('`', "'"))
            });
            format!(
                "Unreadable lines in {} that look like rolls: {lines}. The first is {place} \
                    {first}{text}.",
                plain(&names[*log])
            )
        };
        heard.unparsed.iter().map(in_words).collect()
    }

    fn shared_in_words(&self, heard: &Heard) -> Vec<String> {
        let names = self.names();
        let rolls = |[first, log]: &[usize; 2], same: usize| {
            let [one, other] = [first, log].map(|log| plain(&names[*log]));
            let place = match first == log {
                true => format!("twice in {one}"),
                false => format!("in both {one} and {other}"),
            };
            format!("Rolls {place}: {same}.")
        };
        let sessions = &heard.luck;
        let repeated = sessions.repeated.iter().map(|(logs, overlap)| {
            let different = match overlap.different {
                0 => String::new(),
                number => format!(
                    " Rolls with the same number but different dice: {number}; both are counted."
                ),
            };
            format!("{} They are counted once.{different}", rolls(logs, overlap.same))
        });
        let alike = sessions.alike.iter().map(|(logs, overlap)| {
            format!(
                "{} The rolls around them differ, so these are two sessions, and every roll is \
                    counted.",
                rolls(logs, overlap.same)
            )
        });
        let unnumbered = Some(sessions.unnumbered()).filter(|rolls| *rolls > 0).map(|rolls| {
            format!(
                "Rolls without a number from the dice bot: {rolls}. If two files have the same \
                    session, these are counted twice."
            )
        });
        repeated.chain(alike).chain(unnumbered).collect()
    }

    fn notes(&self, tallies: &[RollStatistics], heard: &Heard, missing: &[Missing]) -> String {
        let names = self.names();
        let judged =
            tallies.iter().filter(|tally| matches!(tally.group, RollGroup::Kind(_))).count();
        let mut lines =
            vec![
            "So low (so high): exact probability that as many fair dice have this sum or a lower \
                (higher) one.".to_string(),
            "Low is good in IFT, TH, TK, MC, TC, Rally, CC and SA (low DR: all but SA); in RS, DR \
                and dr it is neither good nor bad.".to_string(),
        ];
        if judged > 1 {
            // Sums are discrete, so at most 5 % of fair dice are below 5 % at each end.
            let by_chance = judged as f64 / 10.0;
            lines.push(format!(
                "Of {judged} kinds, at most {by_chance:.1} on average are below 5 % at one end by \
                    chance alone."
            ));
        }
        lines.extend(missing.iter().map(|Missing { player, logs, numbers }| {
            let logs: Vec<String> = logs.iter().map(|log| plain(&names[*log])).collect();
            let words = if *numbers == 1 { "number is" } else { "numbers are" };
            format!(
                "{player}: {numbers} {words} missing from {}; this can be due to another session.",
                logs.join(" and ")
            )
        }));
        lines.extend(self.shared_in_words(heard));
        lines.extend(self.unparsed_in_words(heard));
        lines.iter().map(|line| paragraph(line)).collect()
    }
}

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
    let (side, chance) = match tally.total.cmp(&(7 * rolls)) {
        std::cmp::Ordering::Less => ("good", tally.at_most),
        std::cmp::Ordering::Equal => {
            return format!("{start}, which is neither good nor bad luck.");
        }
        std::cmp::Ordering::Greater => ("bad", tally.at_least),
    };
    let chance = digits.percent(chance);
    format!("{start}; {chance} of players have luck as {side} as that, or more so.")
}

/// Describes the difference between coloured and white dice; `None` with too few rolls.
fn colours(player: &str, tallies: &[RollStatistics], digits: Digits) -> Option<String> {
    let tally =
        statistics(player, RollGroup::AllDr, tallies).filter(|tally| tally.rolls >= ENOUGH)?;
    let pairs = tally.pairs?;
    let mean = |sum: usize| format!("{:.2}", sum as f64 / tally.rolls as f64);
    let (coloured, white) = (mean(pairs.coloured), mean(pairs.white));
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

fn line(tally: &RollStatistics, digits: Digits) -> Vec<String> {
    let pairs = tally.pairs;
    let of_pairs =
        |number: &dyn Fn(vasl::luck::Pairs) -> String| pairs.map_or(String::new(), number);
    let mean = |sum: usize| format!("{:.2}", sum as f64 / tally.rolls as f64);
    vec![
        tally.player.clone(),
        tally.group.name().to_string(),
        tally.rolls.to_string(),
        format!("{:.2}", tally.mean()),
        digits.percent(tally.at_most),
        digits.percent(tally.at_least),
        of_pairs(&|pairs| pairs.twos.to_string()),
        of_pairs(&|pairs| pairs.twelves.to_string()),
        of_pairs(&|pairs| format!("{}, {}", mean(pairs.coloured), mean(pairs.white))),
    ]
}

fn sheet(tallies: &[RollStatistics], meta: Meta, lists: Vec<(&'static str, Json)>) -> Sheet {
    let columns = vec![
        ("player", Column::Text),
        ("kind", Column::Text),
        ("low_is_good", Column::Boolean),
        ("rolls", Column::Integer),
        ("total", Column::Integer),
        ("mean", Column::Float),
        ("fair_mean", Column::Float),
        ("at_most", Column::Float),
        ("at_least", Column::Float),
        ("twos", Column::Integer),
        ("twelves", Column::Integer),
        ("coloured_mean", Column::Float),
        ("white_mean", Column::Float),
        ("so_far_apart", Column::Float),
    ];
    let integer = |number: usize| Cell::Integer(number as i64);
    let row = |tally: &RollStatistics| {
        let pairs = tally.pairs;
        let mean = |sum: usize| Cell::Float(sum as f64 / tally.rolls as f64);
        vec![
            Cell::Text(tally.player.clone()),
            Cell::Text(tally.group.name().to_string()),
            Cell::Boolean(tally.group.is_low_good()),
            integer(tally.rolls),
            integer(tally.total),
            Cell::Float(tally.mean()),
            Cell::Float(3.5 * tally.dice as f64),
            Cell::Float(tally.at_most),
            Cell::Float(tally.at_least),
            pairs.map_or(Cell::Null, |pairs| integer(pairs.twos)),
            pairs.map_or(Cell::Null, |pairs| integer(pairs.twelves)),
            pairs.map_or(Cell::Null, |pairs| mean(pairs.coloured)),
            pairs.map_or(Cell::Null, |pairs| mean(pairs.white)),
            pairs.map_or(Cell::Null, |pairs| Cell::Float(pairs.difference_odds)),
        ]
    };
    let rows = tallies.iter().map(row).collect();
    Sheet { lists, ..Sheet::new(columns, rows, meta) }
}

/// Charts the running mean of each player's DR for which low is good. A band holds 95 % of players
/// with fair dice.
fn chart(runs: Vec<(String, Vec<usize>)>, question: &str) -> Vec<Chart> {
    let longest = runs.iter().map(|(_, run)| run.len()).max().unwrap_or(0);
    if longest == 0 {
        return Vec::new();
    }
    let step = longest.div_ceil(MOST_PLACES);
    let mut places: Vec<usize> = (1..=longest / step).map(|place| place * step).collect();
    if places.last() != Some(&longest) {
        places.push(longest);
    }
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
