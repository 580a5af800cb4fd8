//! The `vasl show` command: lists a VASL save or log without pieces that the player may not see.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};

use super::chart::{check_picture, write_picture};
use super::fault::{Failure, Result};
use super::file_root::FileRoot;
use super::reply::{FileReport, Reply, ReplyCommand, WithOutput};
use super::shell_words::{quoted, repeated, with_examples};
use super::situation_file::map_of;
use answer::{Cell, Column, Meta, Sheet};
use api::rout::picture::position_map;
use engine::text::plain;
use play::Registry;
use render::layout::paragraph;
use saves::{OffBoardGroup, Save, SaveFault, SaveOptions, nation, off_board};
use vasl::board::Laid;
use vasl::container::MOST_ARCHIVE;
use vasl::position::{Position, SavedScenario};
use vasl::saved::Saved;

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl vasl show turn-3.vsav",
    "lowcrawl vasl show turn-3.vsav --mine german --format csv",
    "lowcrawl vasl show game-1.vlog --at-step 2",
];

/// Subcommands of `vasl`.
#[derive(Debug, Subcommand)]
pub enum Vasl {
    /// List boards, scenario, and units with their hexes; concealed and hidden pieces are left out
    #[command(after_help = with_examples("", &EXAMPLES))]
    Show(WithOutput<ShowSave>),
}

/// Arguments of `vasl show`.
#[derive(Debug, Args)]
pub struct ShowSave {
    /// Save or log (.vsav, .vlog)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Stop after this many steps of a log
    #[arg(long, value_name = "N")]
    at_step: Option<usize>,
    /// Your nation; its concealed and hidden pieces are shown
    #[arg(long, value_name = "NATION", value_parser = nation)]
    mine: Option<&'static str>,
    /// Write the boards and the units on them to a picture (.svg, .png)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Folder of boards for the picture [default: from LOWCRAWL_VASL_BOARDS, then from VASSAL's
    /// preferences]
    #[arg(long, value_name = "DIR", requires = "svg")]
    boards: Vec<PathBuf>,
}

pub fn read(files: &FileRoot, path: &Path) -> Result<(Vec<u8>, Saved)> {
    let bytes = files.named(path, MOST_ARCHIVE)?;
    let saved = Saved::read(&bytes).map_err(|fault| Failure::binary(path, fault))?;
    Ok((bytes, saved))
}

/// Returns the failure for a save at `path` that gives no answer.
pub fn failed(path: &Path, fault: SaveFault) -> Failure {
    match fault {
        SaveFault::File(fault) => Failure::binary(path, *fault),
        SaveFault::Option { name, value, fault } => {
            Failure::argument(&format!("--{name}"), &value, *fault)
        }
    }
}

impl ReplyCommand for ShowSave {
    fn write_files(&self, files: &FileRoot) -> Result<()> {
        let Some(picture) = &self.svg else { return Ok(()) };
        let (_, saved) = read(files, &self.file)?;
        let position = saves::position(&saved, self.at_step);
        let position = position.map_err(|fault| failed(&self.file, fault))?;
        self.draw(&position, picture, files)
    }

    fn reply(&self, _: &Registry, files: &FileRoot) -> Result<Reply> {
        let (_, saved) = read(files, &self.file)?;
        let in_file = |fault| Failure::binary(&self.file, fault);
        let position =
            saves::position(&saved, self.at_step).map_err(|fault| failed(&self.file, fault))?;
        let steps = saved.steps().map_err(in_file)?;
        let rolls = saved.transcript().map_err(in_file)?.rolls;
        let place = self.file.display().to_string();
        let options = repeated("at-step", self.at_step) + &repeated("mine", self.mine);
        let command = format!("lowcrawl vasl show {}{options}", quoted(&place));
        let meta = Meta::new(command, format!("what is in {}", plain(&place)));
        let mut sheet = self.sheet(&position, meta);
        let groups = off_board(&position, self.mine);
        sheet.lists = lists(&saved, &position, &groups);
        let line = |row: &Vec<Cell>| {
            let at = row[0].text() + &row[1].text();
            let is_off = if row[2] == Cell::Boolean(true) { " (not in the middle)" } else { "" };
            vec![format!("{at}{is_off}"), row[4].text(), row[5].text()]
        };
        let hidden = match self.mine {
            Some(mine) => format!("shown for {mine} only"),
            None => "not shown (`--mine NATION` shows your own)".to_string(),
        };
        Ok(Reply::Facts(FileReport {
            before: about(&saved, &position, steps, rolls.len()) + &off_boards(&groups),
            after: paragraph(&format!(
                "Concealed and hidden pieces are {hidden}; a concealed stack is one `?`."
            )),
            headings: ["hex", "piece", "nation"].map(str::to_string).to_vec(),
            lines: sheet.rows.iter().map(line).collect(),
            right: vec![false; 3],
            charts: Vec::new(),
            sheet,
        }))
    }
}

impl ShowSave {
    /// Draws the boards with all units that the player may know.
    fn draw(&self, position: &Position, picture: &Path, files: &FileRoot) -> Result<()> {
        check_picture("--svg", picture)?;
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let options = SaveOptions { mine: self.mine, ..SaveOptions::default() };
        let save = Save::new(position, &name, &options);
        let drawing = save.map_err(|fault| failed(&self.file, fault))?.drawing();
        let text = api::situation::file(&drawing.request);
        let text = text.map_err(|fault| Failure::binary(&self.file, fault))?;
        let (scenario, _) = map_of(&self.file, &text, (files, &self.boards))?;
        let map = position_map(&scenario.situation, &drawing.nations);
        let svg = charts::svg::draw(&map, Some(&plain(&name)), None).svg;
        write_picture(picture, &svg)?;
        let _ = writeln!(io::stderr(), "picture: {}", picture.display());
        Ok(())
    }

    /// Returns a table with one row for each piece on a board that the player may see.
    fn sheet(&self, position: &Position, meta: Meta) -> Sheet {
        let mut rows = Vec::new();
        for heap in position.heaps() {
            let Some(place) = &heap.place else { continue };
            for owner in heap.foreign_marks(self.mine) {
                rows.push(vec![
                    Cell::Text(plain(&place.board)),
                    Cell::Text(place.hex.clone()),
                    Cell::Boolean(place.is_off),
                    Cell::Null,
                    Cell::Text("?".to_string()),
                    owner.map_or(Cell::Null, |nation| Cell::Text(nation.to_string())),
                    Cell::Null,
                ]);
            }
            for (height, piece) in (1..).zip(heap.known(self.mine)) {
                let nation = piece.nation();
                rows.push(vec![
                    Cell::Text(plain(&place.board)),
                    Cell::Text(place.hex.clone()),
                    Cell::Boolean(place.is_off),
                    Cell::Integer(height),
                    Cell::Text(plain(&piece.name)),
                    nation.map_or(Cell::Null, |nation| Cell::Text(nation.to_string())),
                    nation.map_or(Cell::Null, |_| Cell::Boolean(piece.is_broken)),
                ]);
            }
        }
        rows.sort_by_key(|row| (row[0].text(), hex_order(&row[1].text())));
        Sheet::new(COLUMNS.to_vec(), rows, meta)
    }
}

/// Returns the lists for JSON: the boards, the scenario, and the versions that wrote the file.
fn lists(
    saved: &Saved,
    position: &Position,
    groups: &[OffBoardGroup],
) -> Vec<(&'static str, Json)> {
    let piece = |(name, nation, number): &(String, Option<&str>, usize)| {
        json!({
            "piece": name,
            "nation": nation,
            "number": number,
        })
    };
    let group = |group: &OffBoardGroup| {
        let pieces = group.pieces.iter().map(piece).collect::<Vec<_>>();
        json!({ "place": group.place, "pieces": pieces })
    };
    let board = |board: &Laid| {
        let overlay = |overlay: &String| {
            let mut words = overlay.split_whitespace();
            let name = words.next().unwrap_or_default();
            json!({ "name": name, "hexes": words.collect::<Vec<_>>() })
        };
        json!({
            "name": board.name,
            "at": [board.column, board.row],
            "turned": board.is_turned,
            "crop": board.crop,
            "zoom": board.zoom,
            "overlays": board.overlays.iter().map(overlay).collect::<Vec<_>>(),
            "ssr": board.rules,
        })
    };
    let parts = scenario_parts(&position.scenario).into_iter();
    let filled = parts.filter(|(_, value)| !value.is_empty());
    let scenario =
        filled.map(|(name, value)| (name.replace(' ', "_").to_lowercase(), json!(value)));
    let extensions = &position.extensions;
    vec![
        ("boards", position.boards.iter().map(board).collect()),
        ("scenario", scenario.collect()),
        ("phase_wheel", position.phase_wheel().into()),
        ("off_board", groups.iter().map(group).collect()),
        (
            "versions",
            json!({ "vasl": saved.vasl, "vassal": saved.vassal, "extensions": extensions }),
        ),
    ]
}

const COLUMNS: [(&str, Column); 7] = [
    ("board", Column::Text),
    ("hex", Column::Text),
    ("off_middle", Column::Boolean),
    ("height", Column::Integer),
    ("piece", Column::Text),
    ("nation", Column::Text),
    ("broken", Column::Boolean),
];

/// Describes the forces off the boards, a paragraph for each group.
fn off_boards(groups: &[OffBoardGroup]) -> String {
    let piece = |(name, nation, number): &(String, Option<&str>, usize)| {
        let times = if *number > 1 { format!("{number}x ") } else { String::new() };
        let nation = nation.map_or(String::new(), |nation| format!("{nation} "));
        format!("{times}{nation}{}", plain(name))
    };
    let group = |group: &OffBoardGroup| {
        let pieces: Vec<String> = group.pieces.iter().map(piece).collect();
        paragraph(&format!("Off the map, {}: {}.", group.place, pieces.join(", ")))
    };
    groups.iter().map(group).collect()
}

/// Returns the sort key of a hex: first its column, then its number.
fn hex_order(hex: &str) -> (usize, String, u32) {
    let letters = hex.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = hex[letters.len()..].parse().unwrap_or_default();
    (letters.len(), letters.to_string(), number)
}

fn about(saved: &Saved, position: &Position, steps: usize, rolls: usize) -> String {
    let [vasl, vassal] = [&saved.vasl, &saved.vassal]
        .map(|version| version.as_deref().map_or("an unknown version".to_string(), plain));
    let played = match position.steps {
        played if played == steps => String::new(),
        played => format!(", at step {played}"),
    };
    let kind = match steps {
        0 => "A save".to_string(),
        _ => format!("A log of {steps} steps with {rolls} rolls{played}"),
    };
    let mask = saved.mask.name();
    let named = |what: &str, list: String| match list.is_empty() {
        true => String::new(),
        false => paragraph(&format!("{what}: {list}.")),
    };
    let boards: Vec<String> = position.boards.iter().map(board).collect();
    let boards = named("Boards", boards.join("; "));
    let boards = if boards.is_empty() { "No boards.\n".to_string() } else { boards };
    let extensions = position.extensions.iter();
    let extensions: Vec<String> =
        extensions.map(|(name, version)| plain(&format!("{name} {version}"))).collect();
    paragraph(&format!("{kind}: VASL {vasl}, VASSAL {vassal}, mask {mask}."))
        + &boards
        + &named("Scenario", scenario(&position.scenario))
        + &named("Extensions", extensions.join(", "))
}

fn board(board: &Laid) -> String {
    let mut words = plain(&board.name);
    if board.is_turned {
        words += " turned";
    }
    let [left, top, width, height] = board.crop;
    if !board.is_whole() {
        words += &format!(" (pixels {left} to {} by {top} to {})", left + width, top + height);
    }
    if board.zoom != 1.0 {
        words += &format!(" enlarged {} times", board.zoom);
    }
    let list = |what: &str, names: &[String]| match names.is_empty() {
        true => String::new(),
        false => format!(", {what} {}", plain(&names.join(", "))),
    };
    words + &list("overlays", &board.overlays) + &list("changed by SSR", &board.rules)
}

fn scenario(scenario: &SavedScenario) -> String {
    let parts = scenario_parts(scenario);
    let filled = parts.iter().filter(|(_, value)| !value.is_empty());
    filled.map(|(name, value)| format!("{name} {}", plain(value))).collect::<Vec<_>>().join(", ")
}

/// Returns the entries of a scenario with their names.
fn scenario_parts(scenario: &SavedScenario) -> [(&'static str, &String); 7] {
    [
        ("turn", &scenario.turn),
        ("first", &scenario.moves_first),
        ("to move", &scenario.player_to_move),
        ("Axis ELR", &scenario.axis_elr),
        ("Axis SAN", &scenario.axis_san),
        ("Allied ELR", &scenario.allied_elr),
        ("Allied SAN", &scenario.allied_san),
    ]
}
