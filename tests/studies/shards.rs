//! Studies in shards: merged shards equal the results of one machine. Shards that are missing,
//! truncated, swapped, copied or foreign are reported.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::shell::{Sheet, assert_fails, fails, folder_with, names, ok, send_signal};
use tempfile::{TempDir, tempdir};

/// A study with two tables, exact and simulated cells, and several blocks.
const STUDY: &str = r#"
question = "rally"
counts = "mmc"

[base]
stack = "german:4-6-7/dm"

[grid]
leader = ["none", "8-0", "8-1", "9-1"]
elr = { from = 0, to = 5 }
terrain = ["open", "woods", "building"]
hob = [true, false]
phases = { from = 1, to = 8 }
"#;

/// A study that takes a second or more on one core.
const LONG: &str = r#"
question = "rally"

[grid]
stack = ["german:4-6-7", "german:4-6-8"]
leader = ["7-0", "8-0", "8-1", "9-1", "9-2"]
elr = { from = 1, to = 5 }
phases = { from = 5, to = 10 }

[run]
engine = "monte-carlo"
trials = 400_000
"#;

fn planned(text: &str, shards: usize) -> TempDir {
    let folder = folder_with(&[("s.toml", text)]);
    ok(folder.path(), &format!("study plan s.toml --shards {shards} --out plan.json"));
    folder
}

fn run_all(folder: &Path, shards: usize) {
    for shard in 0..shards {
        ok(folder, &format!("study run plan.json --shard {shard}"));
    }
}

/// Checks that both folders have equal files, hidden ones aside.
fn assert_same(a: &Path, b: &Path) {
    assert_eq!(names(a), names(b));
    for name in names(a) {
        assert!(fs::read(a.join(&name)).unwrap() == fs::read(b.join(&name)).unwrap(), "{name}");
    }
}

#[test]
fn merged_shards_equal_a_run_on_one_machine() {
    let folder = planned(STUDY, 3);
    let folder = folder.path();
    run_all(folder, 3);
    ok(folder, "study run s.toml --out whole");
    let output = ok(folder, "study merge plan.json --out merged --replace");
    assert!(output.starts_with("3 shards, 1152 cells, "), "{output}");
    assert_same(&folder.join("whole"), &folder.join("merged"));
    assert_eq!(
        names(&folder.join("merged")),
        ["manifest.json", "s-counts.csv", "s-counts.parquet", "s.csv", "s.parquet"]
    );
    // Each shard is a table of its own, with the numbers of its cells.
    let last = Sheet::of_parquet(&folder.join("shards/00002.parquet")).column("case");
    let numbers = last.iter().map(|cell| cell.number());
    assert_eq!(numbers.clone().fold(0.0, f64::max), 1152.0);
    assert!(numbers.fold(f64::MAX, f64::min) > 300.0);
    // A shard that is run again has the same bytes for any number of threads.
    let before = fs::read(folder.join("shards/00001.parquet")).unwrap();
    fs::remove_file(folder.join("shards/00001.sum")).unwrap();
    ok(folder, "study run plan.json --shard 1 --threads 1");
    assert!(before == fs::read(folder.join("shards/00001.parquet")).unwrap());
}

/// A study with a break-even table, which depends on all cells.
const CAMPAIGN: &str = r#"
question = "campaign"
objective = "good-order"

[base]
unit = "german:4-6-7/broken,dm"
open = 2
interdicted = 1
cover = "woods"
turns = 2

[grid]
leader = ["none", "8-1"]
fp = [2, 6, 12]

[run]
break-even = "fp"
"#;

/// Situations, campaigns, listed cases, and a table of one number of each cell can be sharded.
#[test]
fn every_kind_of_study_can_be_sharded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies");
    let folder = tempdir().unwrap();
    let own = folder.path().join("campaign.toml");
    fs::write(&own, CAMPAIGN).unwrap();
    let shipped = ["anywhere", "recovery", "rally-under-dm"];
    let shipped = shipped.map(|name| root.join(format!("{name}.toml")));
    for file in shipped.iter().chain([&own]) {
        let folder = tempdir().unwrap();
        let (file, folder) = (file.display(), folder.path());
        let output = ok(folder, &format!("study plan {file} --shards 2 --out plan.json"));
        assert!(output.contains(" cells in 2 shards of "), "{output}");
        run_all(folder, 2);
        ok(folder, &format!("study run {file} --out whole"));
        ok(folder, "study merge plan.json --out merged");
        assert_same(&folder.join("whole"), &folder.join("merged"));
    }
}

#[test]
fn faults_of_shards_are_reported() {
    let folder = planned(STUDY, 4);
    let folder = folder.path();
    let shards = folder.join("shards");
    let merge = || fails(folder, "study merge plan.json", 2).trim_end().to_string();
    for shard in [0, 1, 3] {
        ok(folder, &format!("study run plan.json --shard {shard}"));
    }
    assert_eq!(
        ok(folder, "study status plan.json"),
        "3 of 4 shards are complete.\nshard 2 is missing\n"
    );
    assert!(
        merge().ends_with("some shards are missing or damaged shard 2 is missing"),
        "{}",
        merge()
    );
    // The shard is written, but its sum is not.
    ok(folder, "study run plan.json --shard 2");
    fs::rename(shards.join("00002.sum"), folder.join("kept.sum")).unwrap();
    assert!(merge().ends_with("shard 2 is missing"));
    fs::rename(folder.join("kept.sum"), shards.join("00002.sum")).unwrap();
    // The shard is truncated, then changed at equal length.
    let path = shards.join("00002.parquet");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let length = bytes.len();
    let short =
        format!("shard 2: shards/00002.parquet has {} bytes instead of {length}", length - 1);
    assert!(merge().ends_with(&short), "{}", merge());
    let mut other = bytes.clone();
    other[length / 2] ^= 1;
    fs::write(&path, &other).unwrap();
    assert!(merge().ends_with("shard 2: shards/00002.parquet was changed after it was written"));
    // Running the shard again repairs it.
    ok(folder, "study run plan.json --shard 2");
    assert!(fs::read(&path).unwrap() == bytes);
    ok(folder, "study merge plan.json");
    // Shards are swapped, then one is copied, and a foreign file is added.
    for ending in ["parquet", "sum"] {
        let [one, two] = ["00000", "00001"].map(|name| shards.join(format!("{name}.{ending}")));
        fs::rename(&one, folder.join("kept")).unwrap();
        fs::rename(&two, &one).unwrap();
        fs::rename(folder.join("kept"), &two).unwrap();
    }
    assert!(merge().ends_with("shard 0: it holds shard 1 shard 1: it holds shard 0"));
    run_all(folder, 2);
    fs::copy(&path, shards.join("copy of 2.parquet")).unwrap();
    fs::write(shards.join("notes.txt"), "mine").unwrap();
    let foreign = "shards/copy of 2.parquet is a second copy of shard 2 shards/notes.txt does not belong to this plan";
    assert!(merge().ends_with(foreign), "{}", merge());
    fs::remove_file(shards.join("copy of 2.parquet")).unwrap();
    fs::remove_file(shards.join("notes.txt")).unwrap();
    // Another seed makes another plan.
    ok(folder, "study plan s.toml --shards 4 --out plan.json --seed 2");
    assert!(merge().contains("shard 3: it belongs to another plan"), "{}", merge());
}

#[test]
fn conflicts_with_a_plan_are_refused() {
    let folder = planned(STUDY, 4);
    let folder = folder.path();
    for (line, expected) in [
        ("study run plan.json", "run one shard with `--shard I`"),
        ("study run s.toml --shard 0", "`lowcrawl study plan` writes one"),
        ("study run plan.json --shard 4", "`--shard` must be a whole number from 0 to 3, not `4`"),
        ("study run plan.json --shard 0 --seed 3", "the plan sets this option"),
        (
            "study plan s.toml --shards 0",
            "`--shards` must be a whole number from 1 to 1152, not `0`",
        ),
        ("study plan s.toml --shards 2000", "a whole number from 1 to 1152, not `2000`"),
        ("study merge s.toml", "this is not a plan of shards"),
    ] {
        assert_fails(folder, line, 2, &[expected]);
    }
    let text = fs::read_to_string(folder.join("plan.json")).unwrap();
    let changed = text.replacen("\"seed\": ", "\"seed\": 1", 1);
    fs::write(folder.join("plan.json"), changed).unwrap();
    assert_fails(folder, "study status plan.json", 2, &["its hash does not match"]);
    fs::write(folder.join("plan.json"), "{ \"identity\": 3 }").unwrap();
    assert_fails(folder, "study status plan.json", 2, &["this is not a plan: "]);
}

fn start(folder: &Path, shard: usize) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lowcrawl"));
    command.args(["study", "run", "plan.json", "--shard", &shard.to_string(), "--threads", "1"]);
    command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Two runs work on one shard and one is killed; the other is not disturbed.
#[test]
fn killed_run_does_not_disturb_another_on_its_shard() {
    let folder = planned(LONG, 6);
    let folder = folder.path();
    for shard in 0..6 {
        let (mut killed, mut other) = (start(folder, shard), start(folder, shard));
        std::thread::sleep(Duration::from_millis(20 * shard as u64));
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert!(other.wait().unwrap().success(), "shard {shard}");
    }
    ok(folder, "study run s.toml --out whole");
    ok(folder, "study merge plan.json --out merged");
    assert_same(&folder.join("whole"), &folder.join("merged"));
}

#[test]
#[cfg(unix)]
fn stopped_shard_leaves_no_files() {
    let folder = planned(&LONG.replace("400_000", "40_000_000"), 2);
    let mut child = start(folder.path(), 0);
    let start_time = Instant::now();
    while names(folder.path()).len() < 3 && start_time.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(200));
    assert!(send_signal(&child, "TERM"));
    let signalled = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(128 + 15));
    assert!(signalled.elapsed() < Duration::from_secs(2), "{:?}", signalled.elapsed());
    assert!(names(&folder.path().join("shards")).is_empty());
}
