//! Boards of VASL, which are not ours to ship: `LOWCRAWL_VASL_BOARDS` names the folder that holds
//! `01/LOSData` and so on beside `los_01.csv` and `board_01.csv`, or those in
//! `LOWCRAWL_VASL_TABLES`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use lowcrawl_vasl::ground::raster::Raster;
use lowcrawl_vasl::ground::terrain::Terrains;
use lowcrawl_vasl::ground::{Ground, along_edge};

/// The boards that are there: their names, folders and the folder of tables.
fn boards() -> Vec<(String, PathBuf, PathBuf)> {
    let Some(folder) = std::env::var_os("LOWCRAWL_VASL_BOARDS").map(PathBuf::from) else {
        eprintln!("SKIPPED: no boards of VASL; LOWCRAWL_VASL_BOARDS names their folder");
        return Vec::new();
    };
    let tables =
        std::env::var_os("LOWCRAWL_VASL_TABLES").map_or_else(|| folder.clone(), PathBuf::from);
    let mut boards = Vec::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let entry = entry.unwrap();
        if entry.path().join("LOSData").is_file() {
            let name = entry.file_name().into_string().unwrap();
            boards.push((name, entry.path(), tables.clone()));
        }
    }
    assert!(!boards.is_empty(), "{} has no boards", folder.display());
    boards.sort();
    boards
}

fn ground(folder: &PathBuf) -> Ground {
    let raster = Raster::read(&fs::read(folder.join("LOSData")).unwrap()).unwrap();
    Ground::new(raster, &Terrains::common()).unwrap()
}

fn rows(path: PathBuf) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let header = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        header.iter().map(str::to_string).zip(record.iter().map(str::to_string)).collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// Every pair of hexes of every board, but those along the upper and the lower edge.
#[test]
fn lines_are_those_of_the_tables() {
    for (name, folder, tables) in boards() {
        let started = Instant::now();
        let ground = ground(&folder);
        let read = started.elapsed();
        let grid = &ground.grid;
        let hexes: BTreeMap<String, usize> =
            (0..grid.cells.len()).map(|hex| (grid.name(hex), hex)).collect();
        let mut known: BTreeMap<(usize, usize), u8> = BTreeMap::new();
        for row in rows(tables.join(format!("los_{name}.csv"))) {
            let (a, b) = (hexes[&row["a"]], hexes[&row["b"]]);
            known.insert((a.min(b), a.max(b)), row["hindrance"].parse().unwrap());
        }
        let started = Instant::now();
        let (mut pairs, mut wrong) = (0, Vec::new());
        for one in 0..grid.cells.len() {
            for other in one + 1..grid.cells.len() {
                let found = ground.sight(one, other);
                if along_edge(grid, one, other) {
                    continue;
                }
                pairs += 1;
                let expected = known.get(&(one, other)).copied();
                if found != expected {
                    wrong.push(format!(
                        "{}-{}: {found:?}, not {expected:?}",
                        grid.name(one),
                        grid.name(other)
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

/// Every column of every hex.
#[test]
fn hexes_are_those_of_the_tables() {
    for (name, folder, tables) in boards() {
        let ground = ground(&folder);
        let started = Instant::now();
        let table = lowcrawl_vasl::ground::facts::table(&ground);
        eprintln!("board {name}: hexes in {:?}", started.elapsed());
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let header = reader.headers().unwrap().clone();
        let expected = rows(tables.join(format!("board_{name}.csv")));
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
