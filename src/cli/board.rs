//! The `board` command: `import` makes tables of VASL boards, `check` compares lines with a table.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use rayon::prelude::{IntoParallelIterator as _, ParallelIterator as _};

use super::fault::{Failure, Result};
use super::file_root::{FileRoot, MissingBoard, hash};
use super::progress::{Sign, ask};
use super::reply::{Reply, ReplyCommand, WithOutput};
use super::shell_words::{quoted, with_examples};
use super::stop::watch;
use super::writer::{print, write_into};
use answer::Options;
use api::Request;
use api::request::Checking;
use asl::board::hex::Hex;
use asl::board::map::{Map, PlacedBoard};
use asl::board::table::{read_hexes, read_lines};
use asl::rout::fields::{VASL_HEXES, VASL_LINES};
use engine::text::{Fault, plain};
use play::Registry;
use render::layout::paragraph;
use vasl::container::{Archive, MOST_ARCHIVE};
use vasl::ground::raster::{MOST_RASTER, Raster};
use vasl::ground::terrain::TerrainCodes;
use vasl::ground::{LosBoard, facts, metadata};

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl new studies --out studies",
    "lowcrawl board check --hexes studies/rout/board-y.csv --los studies/rout/los-y.csv",
    "lowcrawl board check --hexes studies/rout/board-z.csv --los studies/rout/los-z.csv --edges",
];

/// Subcommands of `board`.
#[derive(Debug, Subcommand)]
pub enum BoardCommand {
    /// Compare the lines of sight computed from a table of hexes with a table of clear lines
    #[command(after_help = with_examples("", &EXAMPLES))]
    Check(WithOutput<CheckBoard>),
    /// Create tables of hexes and lines of sight from your own VASL boards
    #[command(after_help = with_examples("", &IMPORTS))]
    Import(Import),
}

/// Arguments of `board check`.
#[derive(Debug, Args)]
pub struct CheckBoard {
    /// Table of hexes (CSV)
    #[arg(long, value_name = "FILE")]
    hexes: PathBuf,
    /// Table of clear lines of sight (CSV); a pair that is not listed is blocked
    #[arg(long, value_name = "FILE")]
    los: PathBuf,
    /// Also count lines along the upper and lower edge, which tables may lack
    #[arg(long)]
    edges: bool,
}

impl ReplyCommand for CheckBoard {
    fn reply(&self, _: &Registry, files: &FileRoot) -> Result<Reply> {
        let read = |path: &PathBuf| files.text(path).map(|text| (path.display().to_string(), text));
        let ((hexes_file, hexes), (los_file, los)) = (read(&self.hexes)?, read(&self.los)?);
        let hexes =
            read_hexes(&hexes, 0).map_err(|fault| Failure::file(&hexes_file, &hexes, fault))?;
        let lines = read_lines(&los).map_err(|fault| Failure::file(&los_file, &los, fault))?;
        let map = Map::new(vec![PlacedBoard::alone()], hexes);
        let is_missing = |hex: &Hex| map.get(*hex).is_none();
        if let Some(hex) = lines.iter().flat_map(|&(a, b, _)| [a, b]).find(is_missing) {
            let message = format!("the lines name {hex}, which is missing in {hexes_file}");
            return Err(Failure::refused(&los_file, "", message)
                .help("both tables must describe the same board"));
        }
        let (hexes, los) = (quoted(&hexes_file), quoted(&los_file));
        let edges = if self.edges { " --edges" } else { "" };
        let command = format!("lowcrawl board check --hexes {hexes} --los {los}{edges}");
        let request = Request::Check(Box::new(Checking { map, lines, edges: self.edges }));
        let options = Options::default();
        let answer = ask(request, command, &options)?;
        Ok(Reply::plain(answer, options))
    }
}

const IMPORTS: [&str; 3] = [
    "lowcrawl board import bdy --out boards",
    "lowcrawl board import bdy bd01 --boards archives --out boards",
    "lowcrawl board import bdy --module VASL.vmod --out boards",
];

const FOLDERS: &str = "LOWCRAWL_VASL_BOARDS";
const LOS: &str = "LOSData";
/// The possible paths of the terrain table inside a VASL module.
const SHARED: [&str; 2] = ["boardData/SharedBoardMetadata.xml", "SharedBoardMetadata.xml"];
const MOST_XML: usize = 8 << 20;
const NAMED: usize = 8;

/// Arguments of `board import`.
#[derive(Debug, Args)]
pub struct Import {
    /// Boards, as VASL archives (bd01, bdy) or folders with their contents; a name without a path
    /// is searched for
    #[arg(value_name = "BOARD", required = true)]
    boards: Vec<PathBuf>,
    /// Output folder for board-NAME.csv and los-NAME.csv of each board
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Overwrite files with these names
    #[arg(long)]
    replace: bool,
    /// Folder of boards [default: from LOWCRAWL_VASL_BOARDS, then from VASSAL's preferences]
    #[arg(long = "boards", value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// VASL's module; its table of terrain replaces the common one
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
}

impl Import {
    pub fn run(&self) -> Result<()> {
        let files = &FileRoot::anywhere();
        let terrains = self.terrains(files)?;
        let boards = self.boards.iter().map(|board| {
            find(files, board, &self.folders).map_err(|missing| {
                let failure = Failure::refused("BOARD", &missing.board, missing.to_string());
                failure.help(missing.help)
            })
        });
        // All boards are found first, so that a missing one fails before hours of work.
        for board in boards.collect::<Result<Vec<_>, _>>()? {
            print(self.import(files, &board, &terrains)?)?;
        }
        Ok(())
    }

    /// Reads the terrain table of the VASL module; without a module, returns the built-in table.
    fn terrains(&self, files: &FileRoot) -> Result<TerrainCodes> {
        let Some(path) = &self.module else { return Ok(TerrainCodes::common()) };
        let bytes = files.named(path, MOST_ARCHIVE)?;
        let in_file = |fault: Fault| Failure::binary(path, fault);
        if !Archive::is_one(&bytes) {
            return TerrainCodes::of_module(&bytes).map_err(in_file);
        }
        let mut archive = Archive::open(&bytes).map_err(in_file)?;
        for name in SHARED {
            if let Some(xml) = archive.entry(name, MOST_XML).map_err(in_file)? {
                return TerrainCodes::of_module(&xml).map_err(in_file);
            }
        }
        let fault = Fault::new(format!("the module has no `{}`", SHARED[0]), 0..0);
        Err(in_file(fault.help("VASL's own module has one; an extension does not")))
    }

    fn import(&self, files: &FileRoot, path: &Path, terrains: &TerrainCodes) -> Result<String> {
        let (pixels, mut ignored) = parts(files, path)?;
        let ground = ground(path, &pixels, terrains)?;
        add_hillocks(&ground, &mut ignored);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.strip_prefix("bd").unwrap_or(&name);
        let hexes = facts::table(&ground, &ignored);
        let lines = lines(name, &ground)?;
        let [count, clear] = [&hexes, &lines].map(|text| text.lines().count() - 1);
        let files = [(format!("board-{name}.csv"), hexes), (format!("los-{name}.csv"), lines)];
        let files = files.map(|(file, text)| (file, text.into_bytes()));
        write_into(&self.out, None, &files, self.replace)?;
        let [hexes, lines] = files.map(|(file, _)| self.out.join(file).display().to_string());
        let mut report = paragraph(&plain(&format!(
            "{name}: {count} hexes in {hexes}, {clear} clear lines of sight in {lines}."
        )));
        for (terrain, hexes) in ground.unproven() {
            let mut named = hexes.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
            if hexes.len() > NAMED {
                named += &format!(" and {} others", hexes.len() - NAMED);
            }
            report += &paragraph(&format!(
                "Note: lines over {} ({named}) follow rules that no board has confirmed. The \
                    hexes of this terrain get the nearest terrain that situations know, or open.",
                plain(terrain)
            ));
        }
        for (what, hexes) in ignored {
            let hexes = plain(&hexes.join(", "));
            report += &paragraph(&format!(
                "Note: {what} of {hexes} is ignored in lines of sight, also where the board is \
                    used."
            ));
        }
        Ok(report)
    }
}

/// Returns the path of a board: as given, or in a folder of boards.
fn find(
    files: &FileRoot,
    board: &Path,
    named_folders: &[PathBuf],
) -> Result<PathBuf, MissingBoard> {
    if files.has(board) {
        return Ok(board.to_path_buf());
    }
    let (folders, looked) = folders(named_folders);
    let name = board.to_string_lossy();
    // Archives have names such as `bd01`, where players say `01`.
    let names = [&*name, name.strip_prefix("bd").unwrap_or(&name), &format!("bd{name}")];
    let mut places = folders.iter().flat_map(|folder| names.map(|name| folder.join(name)));
    let found = places.find(|path| path.exists());
    found.ok_or_else(|| {
        let looked = plain(&looked.join("; "));
        let help = format!(
            "looked here and in: {looked}; `--boards DIR` or {FOLDERS} names the folder of boards"
        );
        MissingBoard { board: name.to_string(), help }
    })
}

/// Returns the pixels of a board that a situation in `folder` names, if its archive is found.
pub fn raster_of(
    files: &FileRoot,
    folder: &Path,
    name: &str,
    named_folders: &[PathBuf],
) -> Option<Raster> {
    let own_path = folder.join(name);
    let path = match files.has(&own_path) {
        true => own_path,
        false => find(files, Path::new(name), named_folders).ok()?,
    };
    let (pixels, _) = parts(files, &path).ok()?;
    Raster::read(&pixels).ok()
}

fn ground(path: &Path, pixels: &[u8], terrains: &TerrainCodes) -> Result<LosBoard> {
    let in_board = |fault: Fault| Failure::binary(path, fault);
    let raster = Raster::read(pixels).map_err(in_board)?;
    LosBoard::new(raster, terrains).map_err(in_board)
}

/// Returns a table of a VASL board that a situation names: an imported one, else one made from the
/// board, beside the situation or in a folder of boards. Fails if it is not found or not readable.
pub fn table(
    files: &FileRoot,
    folder: &Path,
    argument: &str,
    named_folders: &[PathBuf],
) -> io::Result<String> {
    let wrong = |fault: Fault| io::Error::new(io::ErrorKind::InvalidData, fault.to_string());
    let in_request = |failure: Failure| match failure {
        Failure::Io { error, .. } => error,
        Failure::Input { fault, .. } => wrong(*fault),
        other => io::Error::other(other.report()),
    };
    let (name, which) = match argument.strip_suffix(VASL_LINES) {
        Some(name) => (name, 1),
        None => (argument.strip_suffix(VASL_HEXES).unwrap_or(argument), 0),
    };
    // An imported table is used if both tables of the board are in one folder.
    let stem = name.strip_prefix("bd").unwrap_or(name);
    let tables = [format!("board-{stem}.csv"), format!("los-{stem}.csv")];
    let has = |folder: &PathBuf| tables.iter().all(|table| files.has(&folder.join(table)));
    let mut all = std::iter::once(folder.to_path_buf()).chain(folders(named_folders).0);
    if let Some(folder) = all.find(has) {
        return files.plain_text(&folder.join(&tables[which]));
    }
    let own_path = folder.join(name);
    let path = match files.has(&own_path) {
        true => own_path,
        false => find(files, Path::new(name), named_folders).map_err(io::Error::other)?,
    };
    let (pixels, mut ignored) = parts(files, &path).map_err(in_request)?;
    let hash = hash(&pixels);
    let known = files.board_tables.lock().ok();
    if let Some(made) = known.and_then(|known| known.get(&hash).cloned()) {
        return Ok(made[which].clone());
    }
    let ground = ground(&path, &pixels, &TerrainCodes::common()).map_err(in_request)?;
    add_hillocks(&ground, &mut ignored);
    let made = [facts::table(&ground, &ignored), lines(name, &ground).map_err(in_request)?];
    if let Ok(mut known) = files.board_tables.lock() {
        known.insert(hash, made.clone());
    }
    Ok(made[which].clone())
}

/// Adds the hillocks of a board to what lines of sight ignore.
fn add_hillocks(ground: &LosBoard, ignored: &mut facts::Ignored) {
    let hexes = ground.hillocks();
    ignored.extend((!hexes.is_empty()).then(|| ("hillock".to_string(), hexes)));
}

/// Returns the pixels of a board, and the elements of its metadata that are not supported.
fn parts(files: &FileRoot, path: &Path) -> Result<(Vec<u8>, facts::Ignored)> {
    let in_board = |fault: Fault| Failure::binary(path, fault);
    let none = || {
        let fault = Fault::new(format!("the board has no `{LOS}`"), 0..0);
        in_board(fault.help("VASL and lowcrawl both need it to compute lines of sight"))
    };
    let (pixels, own) = if files.path(path).is_ok_and(|path| path.is_dir()) {
        let [pixels, about] = [LOS, metadata::FILE].map(|name| path.join(name));
        if !files.has(&pixels) {
            return Err(none());
        }
        let own = files.has(&about).then(|| files.named(&about, MOST_ARCHIVE)).transpose()?;
        (files.named(&pixels, MOST_ARCHIVE)?, own)
    } else {
        let bytes = files.named(path, MOST_ARCHIVE)?;
        let mut archive = Archive::open(&bytes).map_err(in_board)?;
        let pixels = archive.entry(LOS, MOST_RASTER).map_err(in_board)?.ok_or_else(none)?;
        (pixels, archive.entry(metadata::FILE, MOST_XML).map_err(in_board)?)
    };
    let unsupported = own.as_deref().map(metadata::unsupported_elements).transpose();
    Ok((pixels, unsupported.map_err(in_board)?.unwrap_or_default()))
}

/// Computes the table of clear lines of sight of the board `name`, and shows its progress.
fn lines(name: &str, ground: &LosBoard) -> Result<String> {
    let (hexes, grid) = (ground.grid.cells.len(), &ground.grid);
    let (sign, work) = (Sign::of_life(), format!("lines of sight of {}", plain(name)));
    let of = |one: usize| {
        watch().check_cancelled()?;
        let line = |other: usize| {
            let hindrance = ground.sight(one, other)?;
            let range = grid.range(one, other);
            Some(format!("{},{},{range},{hindrance}\n", grid.name(one), grid.name(other)))
        };
        let text: String = (one + 1..hexes).filter_map(line).collect();
        sign.add(1, hexes, &work, "hexes");
        Ok(text)
    };
    let rows: Result<Vec<String>, engine::EngineError> =
        (0..hexes).into_par_iter().map(of).collect();
    sign.finish();
    Ok("a,b,range,hindrance\n".to_string() + &rows?.concat())
}

/// Returns the folders that may contain boards, and their origins for messages.
pub fn folders(named_folders: &[PathBuf]) -> (Vec<PathBuf>, Vec<String>) {
    if !named_folders.is_empty() {
        let looked = named_folders.iter().map(|path| path.display().to_string());
        return (named_folders.to_vec(), looked.collect());
    }
    let named = std::env::var_os(FOLDERS);
    let mut folders: Vec<PathBuf> = named.iter().flat_map(std::env::split_paths).collect();
    let display: Vec<String> = folders.iter().map(|path| path.display().to_string()).collect();
    let mut looked = vec![match folders.is_empty() {
        true => format!("{FOLDERS} (not set)"),
        false => format!("{FOLDERS} ({})", display.join(", ")),
    }];
    for file in preferences() {
        let text = std::fs::read(&file);
        let found = match text.map(|bytes| board_folder(&String::from_utf8_lossy(&bytes))) {
            Ok(Some(folder)) => {
                folders.push(folder.clone());
                folder.display().to_string()
            }
            Ok(None) => "it has no boardURL".to_string(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => "not there".to_string(),
            Err(error) => error.to_string(),
        };
        looked.push(format!("{} ({found})", file.display()));
    }
    (folders, looked)
}

fn preferences() -> Vec<PathBuf> {
    let of = |variable: &str, below: &[&str]| {
        let start = std::env::var_os(variable).filter(|value| !value.is_empty());
        start.map(|start| below.iter().fold(PathBuf::from(start), |path, part| path.join(part)))
    };
    let on_mac = ["Library", "Application Support", "VASSAL"];
    let homes = [
        of("APPDATA", &["VASSAL"]).filter(|_| cfg!(windows)),
        of("HOME", &on_mac).filter(|_| cfg!(target_os = "macos")),
        of("HOME", &[".VASSAL"]).filter(|_| cfg!(not(windows))),
    ];
    homes.into_iter().flatten().map(|home| home.join("prefs").join("VASL")).collect()
}

/// Parses the value of `boardURL` from a Java properties file.
fn board_folder(properties: &str) -> Option<PathBuf> {
    let value = properties.lines().find_map(|line| {
        let (key, value) = line.trim_start().split_once(['=', ':'])?;
        (key.trim_end() == "boardURL").then(|| value.trim_start())
    })?;
    let mut text = String::new();
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        match letters.next() {
            Some('u') => {
                let digits: String = letters.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                text.extend(code.and_then(char::from_u32));
            }
            Some('t') => text.push('\t'),
            Some(other) => text.push(other),
            None => {}
        }
    }
    let path = text.strip_prefix("file:").unwrap_or(&text);
    let path = if path.starts_with("//") { path.trim_start_matches("//") } else { path };
    (!path.is_empty()).then(|| PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_folder_is_read_from_preferences() {
        let folder = |text: &str| board_folder(text).map(|path| path.display().to_string());
        assert_eq!(folder("#VASL\nx=1\nboardURL=/home/a/b\n").as_deref(), Some("/home/a/b"));
        assert_eq!(
            folder("boardURL = C\\:\\\\VASL\\\\boards").as_deref(),
            Some("C:\\VASL\\boards")
        );
        assert_eq!(folder("boardURL=file\\:/home/\\u00e4").as_deref(), Some("/home/ä"));
        assert_eq!(folder("boardURL="), None);
        assert_eq!(folder("other=1"), None);
    }
}
