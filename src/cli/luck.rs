//! `luck`: how lucky the dice of logs were, player by player, against chance.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::fault::Failure;
use super::output::OutputArguments;
use super::reply::{Asks, Facts, Reply};
use super::typed::quoted;
use super::{shelf, vasl as files};
use crate::table::layout::{paragraph, percent};
use crate::table::{Cell, Column, Meta, Sheet};
use engine::text::{Fault, plain};
use report::chart::{Chart, Kind, Panel, Series, Unit, Value};
use system::House;
use vasl::chat::rolls;
use vasl::luck::{ENOUGH, Group, Luck, Missing, Tally, band};

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl luck game-1.vlog game-2.vlog",
    "lowcrawl luck game-1.vlog --anonymous --chart run.svg",
    "lowcrawl luck --chat chat.txt --format csv",
];

pub const HELP: &str = "\
Of every player and kind: rolls, their mean, and the exact chance that so many fair dice come to this sum or a lower one, and
to this or a higher one. Low is good for who rolls in IFT, TH, TK, MC, TC, Rally, CC and SA; of RS, and of DR and dr that
are for nothing named, nobody knows.";

/// Where the mean of a curve is marked, at most.
const MOST_PLACES: usize = 24;

/// Logs to be counted.
#[derive(Debug, Args)]
pub struct Counted {
    /// Logs of VASL (.vlog), each a session
    #[arg(value_name = "FILE", required_unless_present = "chat")]
    files: Vec<PathBuf>,
    /// Chat as text, as it is copied out of VASSAL's window; a session too
    #[arg(long, value_name = "FILE")]
    chat: Vec<PathBuf>,
    /// Call players A, B, ... in the order of their first rolls
    #[arg(long)]
    anonymous: bool,
    #[command(flatten)]
    output: OutputArguments,
}

impl Asks for Counted {
    fn output(&self) -> Option<&OutputArguments> {
        Some(&self.output)
    }

    fn reply(&self, _: &House) -> Result<Reply, Failure> {
        self.output.format()?;
        let luck = self.read()?;
        let players = luck.players();
        if players.is_empty() {
            let place = self.names().join(", ");
            let fault = Fault::new("nobody rolled a die", 0..0);
            let help =
                "rolls are in logs (.vlog) of a session, not in saves; chat goes behind `--chat`";
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
        let tallies: Vec<Tally> = luck
            .tallies()
            .into_iter()
            .map(|tally| Tally { player: called(&tally.player), ..tally })
            .collect();
        let missing: Vec<Missing> = luck
            .missing()
            .into_iter()
            .map(|missing| Missing { player: called(&missing.player), ..missing })
            .collect();
        let runs = players.iter().map(|player| (called(player), luck.run(player))).collect();
        let sheet = sheet(&tallies, self.meta(), self.found(&missing));
        let verdicts = players.iter().flat_map(|player| {
            [Some(verdict(&called(player), &tallies)), colours(&called(player), &tallies)]
        });
        Ok(Reply::Facts(Facts {
            before: verdicts.flatten().map(|line| paragraph(&line)).collect(),
            after: self.notes(&tallies, &missing),
            headings: HEADINGS.map(str::to_string).to_vec(),
            lines: tallies.iter().map(line).collect(),
            right: HEADINGS.iter().enumerate().map(|(place, _)| place > 1).collect(),
            charts: chart(runs, &sheet.meta.question),
            sheet,
        }))
    }
}

/// Of the table that people read.
const HEADINGS: [&str; 9] =
    ["player", "rolls of", "rolls", "mean", "so low", "so high", "2s", "12s", "coloured, white"];

impl Counted {
    /// The rolls of all files, in their order.
    fn read(&self) -> Result<Luck, Failure> {
        let mut logs = Vec::new();
        let mut seen: Vec<(String, String)> = Vec::new();
        for path in &self.files {
            let place = path.display().to_string();
            let (bytes, saved) = files::read(path)?;
            let hash = shelf::hash(&bytes);
            if let Some((before, _)) = seen.iter().find(|(_, known)| *known == hash) {
                let message = format!("it holds the same as {}", plain(before));
                let fault = Fault::new(message, 0..0).help("name each log once");
                return Err(Failure::argument(&place, "", fault));
            }
            logs.push(saved.rolls().map_err(|fault| Failure::argument(&place, "", fault))?);
            seen.push((place, hash));
        }
        for path in &self.chat {
            logs.push(super::read_text(path)?.lines().flat_map(rolls).collect());
        }
        Ok(Luck::of(logs))
    }

    /// The files as they were named.
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

    /// What is missing, for JSON.
    fn found(&self, missing: &[Missing]) -> serde_json::Value {
        let names = self.names();
        let one = |Missing { player, log, numbers }: &Missing| json!({ "player": player, "log": names.get(*log), "numbers": numbers });
        missing.iter().map(one).collect()
    }

    /// What stands below the table.
    fn notes(&self, tallies: &[Tally], missing: &[Missing]) -> String {
        let names = self.names();
        let judged = tallies.iter().filter(|tally| matches!(tally.group, Group::Kind(_))).count();
        let mut lines = vec![
            "So low (so high): how often as many fair dice come to this sum or a lower (higher) one, exactly.".to_string(),
            "Low is good in IFT, TH, TK, MC, TC, Rally, CC and SA (low DR: all but SA); in RS, DR and dr it is neither good nor bad.".to_string(),
        ];
        if judged > 1 {
            // Chances of sums come in steps: of fair dice at most so many lie below a bound.
            let by_chance = judged as f64 / 10.0;
            lines.push(format!(
                "Of {judged} kinds at most {by_chance:.1} on average are below 5 % at one end by chance alone."
            ));
        }
        lines.extend(missing.iter().map(|Missing { player, log, numbers }| {
            let log = names.get(*log).map_or("", String::as_str);
            let words = if *numbers == 1 { "number is" } else { "numbers are" };
            format!(
                "{player}: {numbers} {words} missing from {}; another session can explain that.",
                plain(log)
            )
        }));
        lines.iter().map(|line| paragraph(line)).collect()
    }
}

/// What can be said of the rolls of a player that are to be low.
fn verdict(player: &str, tallies: &[Tally]) -> String {
    let Some(tally) = of(player, Group::LowDr, tallies) else {
        return format!(
            "{player}: no DR of which it is known that low is good, so nothing can be said."
        );
    };
    let (rolls, mean) = (tally.rolls, tally.mean());
    let start = format!("{player}: {rolls} DR that are to be low, {mean:.2} on average");
    if rolls < ENOUGH {
        return format!("{start}: with fewer than {ENOUGH} nothing can be said.");
    }
    let (side, chance) = match tally.total.cmp(&(7 * rolls)) {
        std::cmp::Ordering::Less => ("good", tally.at_most),
        std::cmp::Ordering::Equal => {
            return format!("{start}, which is neither good nor bad luck.");
        }
        std::cmp::Ordering::Greater => ("bad", tally.at_least),
    };
    format!("{start}; luck as {side} as that, or more so, comes to {} of players.", percent(chance))
}

/// How far the coloured and the white dice of a player are apart, if there are enough of them.
fn colours(player: &str, tallies: &[Tally]) -> Option<String> {
    let tally = of(player, Group::AllDr, tallies).filter(|tally| tally.rolls >= ENOUGH)?;
    let pairs = tally.pairs?;
    let mean = |sum: usize| format!("{:.2}", sum as f64 / tally.rolls as f64);
    let (coloured, white) = (mean(pairs.coloured), mean(pairs.white));
    let apart = percent(pairs.apart);
    Some(format!(
        "{player}: coloured dice {coloured} on average, white dice {white}; those of {apart} of players are as far apart."
    ))
}

/// What the rolls of a player come to in a group.
fn of<'a>(player: &str, group: Group, tallies: &'a [Tally]) -> Option<&'a Tally> {
    tallies.iter().find(|tally| tally.player == player && tally.group == group)
}

/// A row for people.
fn line(tally: &Tally) -> Vec<String> {
    let pairs = tally.pairs;
    let of_pairs =
        |number: &dyn Fn(vasl::luck::Pairs) -> String| pairs.map_or(String::new(), number);
    let mean = |sum: usize| format!("{:.2}", sum as f64 / tally.rolls as f64);
    vec![
        tally.player.clone(),
        tally.group.name().to_string(),
        tally.rolls.to_string(),
        format!("{:.2}", tally.mean()),
        percent(tally.at_most),
        percent(tally.at_least),
        of_pairs(&|pairs| pairs.twos.to_string()),
        of_pairs(&|pairs| pairs.twelves.to_string()),
        of_pairs(&|pairs| format!("{}, {}", mean(pairs.coloured), mean(pairs.white))),
    ]
}

fn sheet(tallies: &[Tally], meta: Meta, missing: serde_json::Value) -> Sheet {
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
    let row = |tally: &Tally| {
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
            pairs.map_or(Cell::Null, |pairs| Cell::Float(pairs.apart)),
        ]
    };
    let rows = tallies.iter().map(row).collect();
    Sheet { columns, rows, json_only: Vec::new(), lists: vec![("missing", missing)], meta }
}

/// The mean of each player's DR so far, with the band in which chance alone leaves nineteen of
/// twenty players.
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
    let chance =
        Series { name: "by chance".to_string(), values: places.iter().map(fair).collect() };
    let player = |(name, run): (String, Vec<usize>)| Series {
        name,
        values: places.iter().map(|rolls| mean(&run, *rolls)).collect(),
    };
    let series = std::iter::once(chance).chain(runs.into_iter().map(player)).collect();
    vec![Chart {
        title: "DR that are to be low: their mean so far".to_string(),
        note: format!("{question}. The band holds nineteen of twenty players with fair dice."),
        kind: Kind::Curve,
        unit: Unit::Number,
        along: "rolls".to_string(),
        across: "player".to_string(),
        panels: vec![Panel {
            places: places.iter().map(usize::to_string).collect(),
            series,
            ..Panel::default()
        }],
        board: None,
    }]
}
