//! Checks of dependencies that Cargo cannot make: which modules of a crate may use which others.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Returns the text of a file up to its test module.
pub(crate) fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap()
}

/// Modules of a crate depend in one direction only. The engines use dice, processes and statistics;
/// the rules of ASL use the board; and play uses the rules. Only one engine uses threads.
#[test]
fn modules_depend_in_one_direction_only() {
    for file in
        [sources(Path::new("crates/engine/src")), sources(Path::new("crates/asl/src"))].concat()
    {
        let place: Vec<_> =
            file.iter().map(|part| part.to_str().unwrap().trim_end_matches(".rs")).collect();
        let may = |name: &str| match (place[1], place[3]) {
            (_, "lib") => true,
            ("engine", room @ ("dice" | "process")) => [room, "dice", "process"].contains(&name),
            ("engine", room @ ("stats" | "text")) | ("asl", room @ "board") => name == room,
            ("asl", "scenario") | ("engine", _) => true,
            ("asl", "course") => name != "scenario",
            // A crossing takes a whole situation as the value of one of its fields.
            ("asl", "crossing") if file.ends_with("map.rs") => name != "course",
            _ => !["course", "scenario"].contains(&name),
        };
        let text = fs::read_to_string(&file).unwrap();
        let code = without_tests(&text);
        let words = |path: &'static str| {
            code.split(path).skip(1).map(|rest| {
                rest.split(|c: char| !(c.is_ascii_lowercase() || c == '_')).next().unwrap()
            })
        };
        let barred: Vec<&str> = words("crate::").filter(|name| !may(name)).collect();
        assert!(barred.is_empty(), "{}: may not use {barred:?}", file.display());
        let threads = words("rayon::").count() > 0;
        assert!(
            !threads || file.ends_with("monte_carlo.rs"),
            "{}: only monte_carlo may use threads",
            file.display()
        );
    }
}

/// The crates open no file, start no thread, read no clock, and need neither Polars nor clap.
#[test]
fn library_crates_use_no_files_threads_or_clock() {
    for file in sources(Path::new("crates")) {
        let text = fs::read_to_string(&file).unwrap();
        for outside in
            ["std::fs", "std::time", "std::thread", "std::env", "std::process", "std::net"]
        {
            assert!(!without_tests(&text).contains(outside), "{}: {outside}", file.display());
        }
    }
    for entry in fs::read_dir("crates").unwrap() {
        let manifest = entry.unwrap().path().join("Cargo.toml");
        let text = fs::read_to_string(&manifest).unwrap();
        assert!(!text.contains("polars") && !text.contains("clap"), "{}", manifest.display());
        assert!(
            text.lines().all(|line| !line.starts_with("rayon") || line.contains("optional = true")),
            "{}",
            manifest.display()
        );
    }
}

/// Only the signal flags of the command line are mutable globals. A static may also hold a value
/// that is computed once.
#[test]
fn only_signal_flags_are_mutable_globals() {
    let mutable = ["Atomic", "Mutex", "RwLock", "Cell<", "OnceLock"];
    let files = [sources(Path::new("src")), sources(Path::new("crates"))].concat();
    for file in files.iter().filter(|file| !file.ends_with("src/cli/stop.rs")) {
        let text = fs::read_to_string(file).unwrap();
        for line in without_tests(&text).lines().map(str::trim_start) {
            let is_static = line.starts_with("static ") || line.starts_with("pub static ");
            let is_global = is_static && mutable.iter().any(|kind| line.contains(kind));
            let is_barred = ["thread_local!", "static mut "].iter().any(|word| line.contains(word));
            assert!(!is_global && !is_barred, "{}: {line}", file.display());
        }
    }
}

/// The crates below the games depend on no game, and neither do those that draw and render. Of all
/// of them only `render` uses `api`, for the answers of every game.
#[test]
fn neutral_crates_depend_on_no_game() {
    for name in ["engine", "schema", "answer", "play", "charts", "render"] {
        let manifest = fs::read_to_string(format!("crates/{name}/Cargo.toml")).unwrap();
        let depends = |other: &str| manifest.contains(&format!("\n{other}."));
        for game in ["asl", "fortitude", "reaction"] {
            assert!(!depends(game), "{name} depends on {game}");
        }
        assert!(name == "render" || !depends("api"), "{name} depends on api");
    }
}

/// The modules of the ASL rules do not use those of play. The files of play share only the
/// engagement they extend.
#[test]
fn asl_rules_do_not_use_modules_of_play() {
    let uses = |file: &Path| -> Vec<String> {
        let text = fs::read_to_string(file).unwrap();
        without_tests(&text)
            .lines()
            .filter(|line| line.starts_with("use "))
            .map(str::to_string)
            .collect()
    };
    let words = sources(Path::new("crates/asl/src/vocabulary"));
    let play = sources(Path::new("crates/asl/src/play"));
    let has = |room: &[PathBuf], name: &str| room.iter().any(|file| file.ends_with(name));
    assert!(words.len() > 10 && has(&words, "location.rs"), "the vocabulary was not found");
    assert!(play.len() >= 10 && has(&play, "process.rs"), "the files of play were not found");
    for file in &words {
        let knows = |line: &&String| {
            ["::play", "::engagement", "::question"].iter().any(|room| line.contains(room))
        };
        assert_eq!(uses(file).iter().find(knows), None, "{}", file.display());
    }
    for file in &play {
        let knows = |line: &&String| {
            line.starts_with("use super::") && !line.starts_with("use super::engagement::")
        };
        assert_eq!(uses(file).iter().find(knows), None, "{}", file.display());
        let roundabout =
            |line: &&String| line.contains("crate::play") || line.contains("crate::engagement");
        assert_eq!(uses(file).iter().find(roundabout), None, "{}", file.display());
    }
}

/// The web page is built from declarations, and names no unit, status or kind of question of a
/// game. The exception is the rout, whose form is a map.
#[test]
fn page_source_names_no_game() {
    let registry = lowcrawl::games();
    let mut words: Vec<String> = Vec::new();
    for game in registry.games() {
        words.push(game.name().to_string());
        words.extend(game.conditions());
        for kind in game.kinds() {
            words.push(kind.name.to_string());
            words.extend(kind.statuses.iter().map(|status| status.to_string()));
        }
    }
    for entry in fs::read_dir("bindings/web/page").unwrap() {
        let path = entry.unwrap().path();
        let is_script = path.extension().is_some_and(|extension| extension == "ts");
        let text = if is_script { fs::read_to_string(&path).unwrap() } else { continue };
        let named: Vec<&String> =
            words.iter().filter(|word| text.contains(&format!("\"{word}\""))).collect();
        assert!(named.is_empty(), "{}: {named:?}", path.display());
    }
}
