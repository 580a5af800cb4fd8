//! `board import`: tables of hexes and lines of sight, made from a player's own boards of VASL.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use clap::Args;
use rayon::prelude::{IntoParallelIterator as _, ParallelIterator as _};

use super::fault::Failure;
use super::file_root::{FileRoot, hash};
use super::output::write_into;
use super::progress::Sign;
use crate::table::layout::paragraph;
use asl::rout::asked::{VASL_HEXES, VASL_LINES};
use engine::text::{Fault, plain};
use engine::watch::Progress;
use vasl::container::{Archive, MOST_ARCHIVE};
use vasl::ground::raster::{MOST_RASTER, Raster};
use vasl::ground::terrain::Terrains;
use vasl::ground::{Ground, about, facts};

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl board import bdy --out boards",
    "lowcrawl board import bdy bd01 --boards archives --out boards",
    "lowcrawl board import bdy --module VASL.vmod --out boards",
];

/// Environment variable that names folders of boards.
const FOLDERS: &str = "LOWCRAWL_VASL_BOARDS";
const LOS: &str = "LOSData";
/// Where a module has its table of terrain.
const SHARED: [&str; 2] = ["boardData/SharedBoardMetadata.xml", "SharedBoardMetadata.xml"];
const MOST_XML: usize = 8 << 20;
/// Hexes that are named of terrain.
const NAMED: usize = 8;

/// Boards to be read.
#[derive(Debug, Args)]
pub struct Import {
    /// Boards, as VASL's archives (bd01, bdy) or folders of what is in them; those that are not
    /// where they are said to be are looked for
    #[arg(value_name = "BOARD", required = true)]
    boards: Vec<PathBuf>,
    /// Folder of the tables: board-NAME.csv and los-NAME.csv for each board
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write over other files of these names
    #[arg(long)]
    replace: bool,
    /// Folder of boards; without it that of LOWCRAWL_VASL_BOARDS, then VASSAL's own preferences
    #[arg(long = "boards", value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// VASL's module, whose table of terrain is read in place of the common one
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
}

impl Import {
    pub fn run(&self) -> Result<(), Failure> {
        let files = &FileRoot::anywhere();
        let terrains = self.terrains(files)?;
        let boards = self.boards.iter().map(|board| find(files, board, &self.folders));
        // A board that is not there is told before hours of work, and each that is done at once.
        for board in boards.collect::<Result<Vec<_>, _>>()? {
            super::print(self.import(files, &board, &terrains)?)?;
        }
        Ok(())
    }

    /// The table of terrain.
    fn terrains(&self, files: &FileRoot) -> Result<Terrains, Failure> {
        let Some(path) = &self.module else { return Ok(Terrains::common()) };
        let place = path.display().to_string();
        let bytes = read(files, path)?;
        let in_file = |fault: Fault| Failure::argument(&place, "", fault);
        if !Archive::is_one(&bytes) {
            return Terrains::of_module(&bytes).map_err(in_file);
        }
        let mut archive = Archive::open(&bytes).map_err(in_file)?;
        for name in SHARED {
            if let Some(xml) = archive.entry(name, MOST_XML).map_err(in_file)? {
                return Terrains::of_module(&xml).map_err(in_file);
            }
        }
        let fault = Fault::new(format!("the module has no `{}`", SHARED[0]), 0..0);
        Err(in_file(fault.help("VASL's own module has one; an extension has not")))
    }

    /// Makes both tables of a board, and says what they hold.
    fn import(
        &self,
        files: &FileRoot,
        path: &Path,
        terrains: &Terrains,
    ) -> Result<String, Failure> {
        let place = path.display().to_string();
        let in_board = |fault: Fault| Failure::argument(&place, "", fault);
        let (pixels, own) = parts(files, path)?;
        let unread = own.as_deref().map_or(Ok(Vec::new()), about::unread).map_err(in_board)?;
        let ground = ground(path, &pixels, terrains)?;
        let name =
            path.file_name().map_or(String::new(), |name| name.to_string_lossy().to_string());
        let name = name.strip_prefix("bd").unwrap_or(&name);
        let hexes = facts::table(&ground);
        let lines = lines(name, &ground)?;
        let [count, clear] = [&hexes, &lines].map(|text| text.lines().count() - 1);
        let files = [(format!("board-{name}.csv"), hexes), (format!("los-{name}.csv"), lines)];
        let files = files.map(|(file, text)| (file, text.into_bytes()));
        write_into(&self.out, None, &files, self.replace)?;
        let [hexes, lines] = files.map(|(file, _)| self.out.join(file).display().to_string());
        let mut told = paragraph(&plain(&format!(
            "{name}: {count} hexes in {hexes}, {clear} clear lines of sight in {lines}."
        )));
        for (terrain, hexes) in ground.unproven() {
            let named = hexes.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = match hexes.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} others"),
            };
            told += &paragraph(&format!(
                "Note: lines over {} ({named}{more}) follow rules that no board has confirmed; its hexes are called by the nearest word that situations know, or open.",
                plain(terrain)
            ));
        }
        for (what, hexes) in unread {
            let hexes = plain(&hexes.join(", "));
            told += &paragraph(&format!("Note: {what} of {hexes} is not looked at."));
        }
        Ok(told)
    }
}

/// Where a board stands: where it is said to, or in a folder of boards.
fn find(files: &FileRoot, board: &Path, given: &[PathBuf]) -> Result<PathBuf, Failure> {
    if files.has(board) {
        return Ok(board.to_path_buf());
    }
    let (folders, looked) = folders(given);
    let name = board.to_string_lossy();
    // As an archive is called, and as players call the board.
    let names = [&*name, name.strip_prefix("bd").unwrap_or(&name), &format!("bd{name}")];
    let mut places = folders.iter().flat_map(|folder| names.map(|name| folder.join(name)));
    places.find(|path| path.exists()).ok_or_else(|| {
        let place = board.display().to_string();
        let fault = Fault::new("there is no such board", 0..place.len());
        let help = format!("looked for it here, and in: {}", looked.join("; "));
        Failure::argument("BOARD", &place, fault.help(plain(&help)))
    })
}

/// The ground of a board's pixels.
fn ground(path: &Path, pixels: &[u8], terrains: &Terrains) -> Result<Ground, Failure> {
    let in_board = |fault: Fault| Failure::argument(&path.display().to_string(), "", fault);
    let raster = Raster::read(pixels).map_err(in_board)?;
    Ground::new(raster, terrains).map_err(in_board)
}

/// Tables that were made, by what the pixels held: hexes, and lines of sight.
static MADE: Mutex<BTreeMap<String, [String; 2]>> = Mutex::new(BTreeMap::new());

/// A table of a board that a situation names, as the board beside it or as one in the folders of
/// boards; both are made when the first is asked for.
pub fn table(
    files: &FileRoot,
    folder: &Path,
    asked: &str,
    given: &[PathBuf],
) -> io::Result<String> {
    let wrong = |fault: Fault| io::Error::new(io::ErrorKind::InvalidData, fault.to_string());
    let told = |failure: Failure| match failure {
        Failure::Io { error, .. } => error,
        Failure::Input { fault, .. } => wrong(*fault),
        other => io::Error::other(other.report()),
    };
    let (name, which) = match asked.strip_suffix(VASL_LINES) {
        Some(name) => (name, 1),
        None => (asked.strip_suffix(VASL_HEXES).unwrap_or(asked), 0),
    };
    if let Some(table) = imported(files, folder, name, which, given) {
        return files.text_beside(Path::new(""), &table.to_string_lossy());
    }
    let beside = folder.join(name);
    let path = match files.has(&beside) {
        true => beside,
        false => find(files, Path::new(name), given).map_err(told)?,
    };
    let (pixels, own) = parts(files, &path).map_err(told)?;
    own.as_deref().map_or(Ok(Vec::new()), about::unread).map_err(wrong)?;
    let hash = hash(&pixels);
    if let Some(made) = MADE.lock().ok().and_then(|made| made.get(&hash).cloned()) {
        return Ok(made[which].clone());
    }
    let ground = ground(&path, &pixels, &Terrains::common()).map_err(told)?;
    let made = [facts::table(&ground), lines(name, &ground).map_err(told)?];
    if let Ok(mut known) = MADE.lock() {
        known.insert(hash, made.clone());
    }
    Ok(made[which].clone())
}

/// A table of a board that was imported, where both of them lie in one folder: that of the
/// situation, or one of boards.
fn imported(
    files: &FileRoot,
    folder: &Path,
    name: &str,
    which: usize,
    given: &[PathBuf],
) -> Option<PathBuf> {
    let name = name.strip_prefix("bd").unwrap_or(name);
    let tables = [format!("board-{name}.csv"), format!("los-{name}.csv")];
    let all = std::iter::once(folder.to_path_buf()).chain(folders(given).0);
    let has = |folder: &PathBuf| tables.iter().all(|table| files.has(&folder.join(table)));
    all.into_iter().find(has).map(|folder| folder.join(&tables[which]))
}

/// A file of any kind.
fn read(files: &FileRoot, path: &Path) -> Result<Vec<u8>, Failure> {
    files.named(path, MOST_ARCHIVE)
}

/// The pixels of a board, and what its own file says of it.
fn parts(files: &FileRoot, path: &Path) -> Result<(Vec<u8>, Option<Vec<u8>>), Failure> {
    let place = path.display().to_string();
    let in_board = |fault: Fault| Failure::argument(&place, "", fault);
    let none = || {
        let fault = Fault::new(format!("the board has no `{LOS}`"), 0..0);
        in_board(fault.help("VASL makes lines of sight of boards that have it, and so does this"))
    };
    if files.path(path).is_ok_and(|path| path.is_dir()) {
        let pixels = path.join(LOS);
        if !files.has(&pixels) {
            return Err(none());
        }
        let about = path.join(about::FILE);
        let own = files.has(&about).then(|| read(files, &about)).transpose()?;
        return Ok((read(files, &pixels)?, own));
    }
    let bytes = read(files, path)?;
    let mut archive = Archive::open(&bytes).map_err(in_board)?;
    let pixels = archive.entry(LOS, MOST_RASTER).map_err(in_board)?.ok_or_else(none)?;
    Ok((pixels, archive.entry(about::FILE, MOST_XML).map_err(in_board)?))
}

/// The table of clear lines of a board of that name, which is shown while it is made.
fn lines(name: &str, ground: &Ground) -> Result<String, Failure> {
    let (hexes, grid) = (ground.grid.cells.len(), &ground.grid);
    let (sign, work) = (Sign::of_life(), format!("lines of sight of {}", plain(name)));
    let done = std::sync::atomic::AtomicU64::new(0);
    let of = |one: usize| {
        super::watch().look()?;
        let line = |other: usize| {
            let hindrance = ground.sight(one, other)?;
            let range = grid.range(one, other);
            Some(format!("{},{},{range},{hindrance}\n", grid.name(one), grid.name(other)))
        };
        let text: String = (one + 1..hexes).filter_map(line).collect();
        let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        sign.tell(&work, Progress { done, expected: Some(hexes as u64) }, "hexes");
        Ok(text)
    };
    let rows: Result<Vec<String>, engine::EngineError> =
        (0..hexes).into_par_iter().map(of).collect();
    sign.finish();
    Ok("a,b,range,hindrance\n".to_string() + &rows?.concat())
}

/// Folders in which boards may stand, and what was looked at to find them.
pub fn folders(given: &[PathBuf]) -> (Vec<PathBuf>, Vec<String>) {
    if !given.is_empty() {
        return (given.to_vec(), given.iter().map(|path| path.display().to_string()).collect());
    }
    let named = std::env::var_os(FOLDERS);
    let mut folders: Vec<PathBuf> =
        named.iter().flat_map(|value| std::env::split_paths(value)).collect();
    let mut looked = vec![match folders.is_empty() {
        true => format!("{FOLDERS} (not set)"),
        false => format!("{FOLDERS} ({})", display(&folders)),
    }];
    for file in preferences() {
        match std::fs::read(&file).map(|bytes| board_folder(&String::from_utf8_lossy(&bytes))) {
            Ok(Some(folder)) => {
                looked.push(format!("{} ({})", file.display(), folder.display()));
                folders.push(folder);
            }
            Ok(None) => looked.push(format!("{} (it has no boardURL)", file.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                looked.push(format!("{} (not there)", file.display()));
            }
            Err(error) => looked.push(format!("{} ({error})", file.display())),
        }
    }
    (folders, looked)
}

fn display(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Where VASSAL has VASL's preferences on Windows, macOS and Linux.
fn preferences() -> Vec<PathBuf> {
    let of = |variable: &str, below: &[&str]| {
        let start = std::env::var_os(variable).filter(|value| !value.is_empty());
        start.map(|start| below.iter().fold(PathBuf::from(start), |path, part| path.join(part)))
    };
    let homes = if cfg!(windows) {
        [of("APPDATA", &["VASSAL"]), None]
    } else if cfg!(target_os = "macos") {
        [of("HOME", &["Library", "Application Support", "VASSAL"]), of("HOME", &[".VASSAL"])]
    } else {
        [of("HOME", &[".VASSAL"]), None]
    };
    homes.into_iter().flatten().map(|home| home.join("prefs").join("VASL")).collect()
}

/// The folder that a Java properties file calls `boardURL`.
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
    fn preferences_name_the_folder_of_boards() {
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
