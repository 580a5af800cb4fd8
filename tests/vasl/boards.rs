//! Tests on boards of VASL, which cannot be distributed here. `LOWCRAWL_VASL_BOARDS` names the
//! folder with `01/LOSData` and so on. The expected results are in `los_01.csv` and
//! `board_01.csv`: in the folder of `LOWCRAWL_VASL_TABLES`, in that of the boards, or in `boards`
//! two levels above it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use vasl::ground::LosBoard;
use vasl::ground::grid::{HexGrid, HexId};
use vasl::ground::raster::Raster;
use vasl::ground::terrain::TerrainCodes;

/// Returns the boards that exist and have a table: name, folder, table.
fn boards(table: &str) -> Vec<(String, PathBuf, PathBuf)> {
    let Some(folder) = std::env::var_os("LOWCRAWL_VASL_BOARDS").map(PathBuf::from) else {
        eprintln!("SKIPPED: no boards of VASL; LOWCRAWL_VASL_BOARDS names their folder");
        return Vec::new();
    };
    let named = std::env::var_os("LOWCRAWL_VASL_TABLES").map(PathBuf::from);
    let places: Vec<PathBuf> =
        named.into_iter().chain([folder.clone(), folder.join("../../boards")]).collect();
    let mut boards = Vec::new();
    for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if !entry.path().join("LOSData").is_file() {
            continue;
        }
        let tables = places.iter().map(|place| place.join(format!("{table}_{name}.csv")));
        match tables.into_iter().find(|path| path.is_file()) {
            Some(path) => boards.push((name, entry.path(), path)),
            None => eprintln!("SKIPPED: board {name} has no {table}_{name}.csv"),
        }
    }
    boards.sort();
    boards
}

fn ground(folder: &Path) -> LosBoard {
    let raster = Raster::read(&fs::read(folder.join("LOSData")).unwrap()).unwrap();
    LosBoard::new(raster, &TerrainCodes::common()).unwrap()
}

fn rows(path: PathBuf) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let header = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        header.iter().map(str::to_string).zip(record.iter().map(str::to_string)).collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// Every pair of hexes of every board has the line of sight in the table, except pairs along the
/// upper and lower edge.
#[test]
fn lines_of_sight_equal_the_tables() {
    for (name, folder, table) in boards("los") {
        let started = Instant::now();
        let ground = ground(&folder);
        let read = started.elapsed();
        let grid = &ground.grid;
        let hexes: BTreeMap<String, usize> =
            (0..grid.cells.len()).map(|hex| (grid.name(hex), hex)).collect();
        let mut known: BTreeMap<(usize, usize), u8> = BTreeMap::new();
        for row in rows(table) {
            let (a, b) = (hexes[&row["a"]], hexes[&row["b"]]);
            known.insert((a.min(b), a.max(b)), row["hindrance"].parse().unwrap());
        }
        let started = Instant::now();
        let (mut pairs, mut wrong) = (0, Vec::new());
        for from in 0..grid.cells.len() {
            for to in from + 1..grid.cells.len() {
                let found = ground.sight(from, to);
                if along_edge(grid, from, to) {
                    continue;
                }
                pairs += 1;
                let expected = known.get(&(from, to)).copied();
                if found != expected {
                    wrong.push(format!(
                        "{}-{}: {found:?}, not {expected:?}",
                        grid.name(from),
                        grid.name(to)
                    ));
                }
            }
        }
        eprintln!("board {name}: {pairs} pairs in {:?}, read in {read:?}", started.elapsed());
        assert_eq!(pairs, 59_445);
        assert!(
            wrong.is_empty(),
            "{name}: {} wrong: {:#?}",
            wrong.len(),
            &wrong[..wrong.len().min(30)]
        );
    }
}

/// Returns whether both hexes lie on the upper or both on the lower edge. VASL gives no answer for
/// some of these pairs.
fn along_edge(grid: &HexGrid, one: HexId, other: HexId) -> bool {
    let [one, other] = [one, other].map(|hex| &grid.cells[hex]);
    let is_at = |row: i32| [one, other].iter().all(|cell| cell.column % 2 == 1 && cell.row == row);
    is_at(0) || is_at(grid.rows)
}

/// Every column of every hex agrees with the table.
#[test]
fn hexes_equal_the_tables() {
    for (name, folder, listed) in boards("board") {
        let ground = ground(&folder);
        let started = Instant::now();
        let table = vasl::ground::facts::table(&ground, &Vec::new());
        eprintln!("board {name}: hexes in {:?}", started.elapsed());
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let header = reader.headers().unwrap().clone();
        let expected = rows(listed);
        let mut wrong = Vec::new();
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(records.len(), expected.len());
        for (record, expected) in records.iter().zip(&expected) {
            for (column, found) in header.iter().zip(record) {
                if found != expected[column] {
                    wrong.push(format!(
                        "{} {column}: {found}, not {}",
                        &record[0], expected[column]
                    ));
                }
            }
        }
        assert!(
            wrong.is_empty(),
            "{name}: {} wrong: {:#?}",
            wrong.len(),
            &wrong[..wrong.len().min(60)]
        );
    }
}
