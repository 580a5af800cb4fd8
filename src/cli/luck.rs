//! The `luck` command: compares each player's dice in VASL logs with chance.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::fault::{Failure, Result};
use super::file_root::FileRoot;
use super::luck_report::luck_page;
use super::output::{OutputArguments, is_same};
use super::reply::{FileReport, Reply, ReplyCommand};
use super::shell_words::{quoted, repeated};
use super::writer::write_file;
use answer::Meta;
use engine::text::{MOST_FILE, plain};
use play::Registry;
use render::layout::{Digits, paragraph};
use saves::luck::{LogFile, Luck, UnparsedLines, luck};
use vasl::container::MOST_ARCHIVE;
use vasl::luck::{ENOUGH, Missing, Pairs, RollGroup, RollStatistics};

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

/// The ending of the names of logs.
const LOG: &str = ".vlog";
const WHERE_ROLLS_ARE: &str = "only logs (.vlog) have rolls, not saves; give chat with `--chat`";

/// The characters that are shown of an unreadable line, which then fits a line of the screen.
const MOST_SHOWN: usize = 72;

/// Arguments of `luck`.
#[derive(Debug, Args)]
pub struct LuckCommand {
    /// VASL logs (.vlog), a folder of them, or a pattern such as "game-*.vlog"; a roll that is in
    /// several files is counted once
    #[arg(value_name = "FILE", required_unless_present = "chat")]
    files: Vec<PathBuf>,
    /// Chat as text, copied from VASSAL's window
    #[arg(long, value_name = "FILE")]
    chat: Vec<PathBuf>,
    /// Call players A, B, ... in the order of their first rolls
    #[arg(long)]
    anonymous: bool,
    /// Write a report as one page (HTML): totals, sums so far, turns, phases, streaks, ROF
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArguments,
}

impl ReplyCommand for LuckCommand {
    fn output(&self) -> Option<&OutputArguments> {
        Some(&self.output)
    }

    fn reply(&self, _: &Registry, files: &FileRoot) -> Result<Reply> {
        Ok(Reply::Facts(self.facts(files)?.1))
    }

    fn write_files(&self, files: &FileRoot) -> Result<()> {
        let Some(path) = &self.report else { return Ok(()) };
        let (heard, facts) = self.facts(files)?;
        self.write_report(path, &luck_page(&heard, &facts, self.output.digits()))
    }
}

impl LuckCommand {
    /// Returns the rolls, and the table of them with its text.
    fn facts(&self, files: &FileRoot) -> Result<(Luck, FileReport)> {
        self.output.format()?;
        let (heard, digits) = (self.read(files)?, self.output.digits());
        let players = heard.players();
        if players.is_empty() {
            let unparsed = unparsed_in_words(&heard).collect::<Vec<_>>().join(" ");
            let help = if unparsed.is_empty() { WHERE_ROLLS_ARE.to_string() } else { unparsed };
            let place = plain(&heard.names.join(", "));
            return Err(Failure::refused(&place, "", "the logs have no rolls").help(help));
        }
        let tallies = heard.tallies();
        let line = |tally: &RollStatistics| LINE.map(|(_, text)| text(tally, digits)).to_vec();
        let sheet = heard.sheet(self.meta(&heard.names));
        let verdicts = players.iter().flat_map(|player| {
            [Some(verdict(player, &tallies, digits)), colours(player, &tallies, digits)]
        });
        let facts = FileReport {
            before: verdicts.flatten().map(|line| paragraph(&line)).collect(),
            after: notes(&heard, &tallies),
            headings: LINE.map(|(heading, _)| heading.to_string()).to_vec(),
            lines: tallies.iter().map(line).collect(),
            right: (0..LINE.len()).map(|place| place > 1).collect(),
            charts: heard.charts(&sheet.meta.question),
            sheet,
        };
        Ok((heard, facts))
    }
}

/// Returns the logs that a path means: those of a folder, those that fit a pattern with `*` in its
/// last part, or the path itself.
fn logs_of(files: &FileRoot, path: &Path) -> Result<Vec<PathBuf>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_folder = files.path(path).is_ok_and(|path| path.is_dir());
    let (folder, start, end) = match name.split_once('*') {
        _ if is_folder => (path, "", LOG),
        Some((start, end)) if !files.has(path) => {
            (path.parent().unwrap_or(Path::new("")), start, end)
        }
        _ => return Ok(vec![path.to_path_buf()]),
    };
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let place = path.display().to_string();
    let io = |error| Failure::io(&place, error);
    let mut logs = Vec::new();
    for entry in files.path(here).and_then(std::fs::read_dir).map_err(io)? {
        let name = entry.map_err(io)?.file_name().to_string_lossy().into_owned();
        let is_long_enough = name.len() >= start.len() + end.len();
        if is_long_enough && name.starts_with(start) && name.ends_with(end) {
            logs.push(folder.join(name));
        }
    }
    logs.sort();
    match logs.is_empty() {
        false => Ok(logs),
        true => Err(Failure::refused(&place, "", "no log fits").help("logs have the ending .vlog")),
    }
}

impl LuckCommand {
    /// Writes the page of the report to a file that is none of the logs.
    fn write_report(&self, path: &Path, page: &str) -> Result<()> {
        let place = path.display().to_string();
        let refused = |message: &str| {
            Err(Failure::refused("--report", &place, message).help("--report luck.html"))
        };
        if place == "-" || path.extension().is_none_or(|end| end != "html") {
            return refused("the report is an HTML file");
        }
        if self.files.iter().chain(&self.chat).any(|file| is_same(path, file)) {
            return refused("this command already uses this file");
        }
        write_file(path, page.as_bytes())?;
        let _ = writeln!(io::stderr(), "report: {place}");
        Ok(())
    }

    fn read(&self, files: &FileRoot) -> Result<Luck> {
        let log = |(path, is_chat): (&PathBuf, bool)| {
            let most = if is_chat { MOST_FILE } else { MOST_ARCHIVE };
            let (name, bytes) = (path.display().to_string(), files.named(path, most)?);
            Ok(LogFile { name, bytes, is_chat })
        };
        let named = self.files.iter().map(|path| logs_of(files, path));
        let named: Vec<PathBuf> = named.collect::<Result<Vec<_>>>()?.concat();
        let logs = named.iter().map(|path| (path, false));
        let paths: Vec<(&PathBuf, bool)> =
            logs.chain(self.chat.iter().map(|path| (path, true))).collect();
        let all = paths.iter().copied().map(log).collect::<Result<Vec<LogFile>>>()?;
        luck(&all, self.anonymous).map_err(|(log, fault)| Failure::binary(paths[log].0, fault))
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

fn unparsed_in_words(heard: &Luck) -> impl Iterator<Item = String> {
    heard.unparsed.iter().map(|UnparsedLines { log, lines, place, first, text }| {
        let text = text.as_ref().map_or(String::new(), |text| {
            let shown: String = text.chars().take(MOST_SHOWN).collect();
            // A backtick would end the inline code.
            format!(": `{}`", plain(&shown).replace('`', "'"))
        });
        format!(
            "Unreadable lines in {} that look like rolls: {lines}. The first is {place} \
                {first}{text}.",
            plain(&heard.names[*log])
        )
    })
}

fn shared_in_words(heard: &Luck) -> impl Iterator<Item = String> {
    let rolls = |[first, log]: &[usize; 2], same: usize| {
        let [one, other] = [first, log].map(|log| plain(&heard.names[*log]));
        let place = match first == log {
            true => format!("twice in {one}"),
            false => format!("in both {one} and {other}"),
        };
        format!("Rolls {place}: {same}.")
    };
    let sessions = &heard.sessions;
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

fn notes(heard: &Luck, tallies: &[RollStatistics]) -> String {
    let judged = tallies.iter().filter(|tally| matches!(tally.group, RollGroup::Kind(_))).count();
    let mut lines = MEANINGS.map(str::to_string).to_vec();
    if judged > 1 {
        // Sums are discrete, so at most 5 % of fair dice are below 5 % at each end.
        let by_chance = judged as f64 / 10.0;
        lines.push(format!(
            "Of {judged} kinds, at most {by_chance:.1} on average are below 5 % at one end by \
                chance alone."
        ));
    }
    lines.extend(heard.missing().iter().map(|Missing { player, logs, numbers }| {
        let logs: Vec<String> = logs.iter().map(|log| plain(&heard.names[*log])).collect();
        let words = if *numbers == 1 { "number is" } else { "numbers are" };
        let logs = logs.join(" and ");
        format!(
            "{player}: {numbers} {words} missing from {logs}; this can be due to another \
                session."
        )
    }));
    lines.extend(shared_in_words(heard).chain(unparsed_in_words(heard)));
    lines.iter().map(|line| paragraph(line)).collect()
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
    ("2s", |tally, _| number(tally, |pairs| pairs.twos)),
    ("12s", |tally, _| number(tally, |pairs| pairs.twelves)),
    ("coloured, white", |tally, _| {
        tally.pairs.map_or(String::new(), |pairs| means(tally, pairs).join(", "))
    }),
];

fn means(tally: &RollStatistics, pairs: Pairs) -> [String; 2] {
    [pairs.coloured, pairs.white].map(|sum| format!("{:.2}", sum as f64 / tally.rolls as f64))
}

fn number(tally: &RollStatistics, of: impl Fn(Pairs) -> usize) -> String {
    tally.pairs.map_or(String::new(), |pairs| of(pairs).to_string())
}
