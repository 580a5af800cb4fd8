#![cfg(feature = "cli")]
//! `rout`: the picture it writes and the map it shows.

mod shell;

use std::fs;
use std::path::Path;

use shell::{fails, lowcrawl, names, ok, texts};
use tempfile::{TempDir, tempdir};

const SITUATION: &str = r#"
about = "Low Crawl, or run?"

[map]
rows = """
   P  Q  R  S
3  .  .  w  .
4  g  .  .  b
"""

[[rout]]
name = "Kolb"
unit = "german:4-6-7/broken,dm"
at = "R4"

[[rout]]
name = "Meyer"
unit = "german:4-6-7/broken,dm"
at = "S3"

[[enemy]]
unit = "american:6-6-6"
at = "P3"
"#;

fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("village.toml"), SITUATION).unwrap();
    folder
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn a_picture_is_written_beside_the_answer() {
    let folder = folder();
    let plain = ok(folder.path(), "rout village.toml");
    let output = lowcrawl(folder.path(), "rout village.toml --svg village.svg").output().unwrap();
    assert_eq!(texts(&output), (plain, "picture: village.svg\n".to_string()));
    let picture = read(folder.path(), "village.svg");
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    assert!(picture.contains("<title>Low Crawl, or run?</title>") && picture.contains("Kolb") && picture.contains("Meyer in S3"));
    assert_eq!(names(folder.path()), ["village.svg", "village.toml"]);
}

#[test]
fn a_picture_of_one_unit_with_rows_of_odds() {
    let folder = folder();
    let line = "rout village.toml --unit Kolb --format csv";
    let rows = ok(folder.path(), line);
    let output = lowcrawl(folder.path(), &format!("{line} --svg one.svg")).output().unwrap();
    assert_eq!(texts(&output).0, rows);
    let picture = read(folder.path(), "one.svg");
    assert!(picture.contains("1: Kolb in R4") && !picture.contains("2: Meyer"));
}

#[test]
fn without_about_the_file_is_the_title() {
    let folder = folder();
    fs::write(folder.path().join("a&b.toml"), SITUATION.replace("about = \"Low Crawl, or run?\"\n", "")).unwrap();
    lowcrawl(folder.path(), "rout a&b.toml --svg x.svg").status().unwrap();
    assert!(read(folder.path(), "x.svg").contains("<title>a&amp;b.toml</title>"));
}

#[test]
fn a_picture_that_cannot_be_written_is_told() {
    let folder = folder();
    fs::create_dir(folder.path().join("inside")).unwrap();
    for (line, code, told) in [
        ("--svg nowhere/x.svg", 1, "nowhere/x.svg: there is no folder `nowhere`"),
        ("--svg inside", 1, "inside: a folder is in the way"),
        ("--svg -", 2, "a picture goes into a file"),
        ("--svg village.toml", 2, "another file of this command is there"),
        ("--svg x.csv --out x.csv", 2, "another file of this command is there"),
        ("--svg x.svg --explain R3", 2, "cannot be used with"),
        ("--svg x.svg --unit Nobody", 2, "no routing unit is called `Nobody`"),
    ] {
        let report = fails(folder.path(), &format!("rout village.toml {line}"), code);
        assert!(report.contains(told), "{line}: {report}");
    }
    assert_eq!(read(folder.path(), "village.toml"), SITUATION);
    assert_eq!(names(folder.path()), ["inside", "village.toml"]);
}

/// The map stands above the words, in plain characters where nobody sees colours.
#[test]
fn the_map_stands_above_the_words() {
    let folder = folder();
    let told = ok(folder.path(), "rout village.toml");
    let bare = ok(folder.path(), "rout village.toml --no-map");
    assert!(
        told.contains("/ R4 \\") && told.contains("U1 Kolb (german:4-6-7/broken,dm) in R4") && !told.contains('\x1b'),
        "{told}"
    );
    assert!(!bare.contains("/ R4 \\") && bare.starts_with("Low Crawl, or run?\n\nKolb "), "{bare}");
    let words = bare.strip_prefix("Low Crawl, or run?\n\n").unwrap();
    assert!(told.ends_with(words));
    assert!(ok(folder.path(), "rout village.toml --unit S3").contains("U2 Meyer"));
    for format in ["table", "markdown", "json", "csv"] {
        assert!(!ok(folder.path(), &format!("rout village.toml --format {format}")).contains("/ R4 \\"), "{format}");
    }
    ok(folder.path(), "rout village.toml --out told.txt");
    assert_eq!(read(folder.path(), "told.txt"), told);
}
