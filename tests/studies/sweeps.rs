//! Runs of a study whose cells cost nothing, on a disk that fails: whatever goes wrong, nothing is
//! lost, mixed or left behind.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use lowcrawl::engine::monitor::Monitor;
use lowcrawl::study::disk::{Disk, DiskOp, OpResult};
use lowcrawl::study::grid::{AnsweredCell, CellAnswer, CellFacts, Further, Grid};
use lowcrawl::study::run::{Finished, Run, RunError, run};
use lowcrawl::system::Provenance;
use lowcrawl::system::answer::Options;
use lowcrawl::table::{Cell, Column, Meta};

/// Cells by their number, two of which ask the same.
pub struct Toy {
    cells: usize,
    what: &'static str,
    answered: AtomicUsize,
    /// Raised after so many answers.
    stop: AtomicBool,
    stop_after: usize,
    /// Whether it has a second table.
    counts: bool,
}

impl Toy {
    pub fn of(cells: usize, what: &'static str) -> Toy {
        Toy {
            cells,
            what,
            answered: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            stop_after: usize::MAX,
            counts: false,
        }
    }

    pub fn stopped_after(self, answers: usize) -> Toy {
        Toy { stop_after: answers, ..self }
    }
}

impl Grid for Toy {
    fn text(&self) -> &str {
        "toy"
    }

    fn identity(&self) -> String {
        format!("{} {}", self.cells, self.what)
    }

    fn about(&self) -> Option<&str> {
        None
    }

    fn cells(&self) -> usize {
        self.cells
    }

    fn swept_columns(&self) -> Vec<(&str, Column)> {
        vec![("number", Column::Integer)]
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        vec![Cell::Integer(case as i64)]
    }

    fn answer_columns(&self) -> Vec<(&'static str, Column)> {
        vec![("case", Column::Integer), ("what", Column::Text), ("value", Column::Float)]
    }

    fn canonical(&self, case: usize) -> Result<String, String> {
        Ok((case / 2).to_string())
    }

    fn count_columns(&self) -> Option<Vec<(&'static str, Column)>> {
        self.counts.then(|| vec![("case", Column::Integer), ("so_many", Column::Float)])
    }

    fn answer(&self, case: usize, _: &Options, _: &Meta) -> CellAnswer {
        if self.answered.fetch_add(1, Ordering::Relaxed) + 1 >= self.stop_after {
            self.stop.store(true, Ordering::Relaxed);
        }
        let row = |value: f64| {
            vec![Cell::Integer(1), Cell::Text(self.what.to_string()), Cell::Float(value)]
        };
        let half = (case / 2) as f64;
        let facts = CellFacts {
            hoped: Some(half),
            best: Some(self.what.to_string()),
            ..CellFacts::default()
        };
        let number = |number: f64| vec![Cell::Integer(1), Cell::Float(number)];
        let counts =
            if self.counts { vec![number(0.0), number(half), number(1.0)] } else { vec![] };
        Ok(AnsweredCell { rows: vec![row(half), row(-half)], counts, facts })
    }

    fn rules(&self) -> Provenance {
        Provenance::default()
    }

    fn headline(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    fn needs_facts(&self) -> bool {
        true
    }

    fn further(&self, facts: &[CellFacts]) -> Option<Further> {
        let rows = vec![vec![Cell::Float(facts.iter().filter_map(|facts| facts.hoped).sum())]];
        Some(Further { name: "sum", columns: vec![("sum".to_string(), Column::Float)], rows })
    }
}

/// Runs a study in `folder`, keeping finished cells after so many.
pub fn sweep(toy: &Toy, folder: &Path, keep: usize, disk: Disk) -> Result<Finished, RunError> {
    let options = Options { watch: Monitor::stopped_by(&toy.stop), ..Options::default() };
    // A process that another test starts has for a moment, until it is itself, every lock of this
    // one: that is waited for.
    let new = Run::new("toy", folder, options);
    let job = Run { disk, keep: (keep, Duration::from_secs(3600)), wait: true, ..new };
    // One thread, so that deeds come in the same order every time.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| run(toy, &job, &Meta::default()))
}

pub fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap_or_default())
        })
        .collect()
}

pub fn whole(toy: &Toy) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    sweep(toy, folder.path(), 1 << 20, Disk::default()).unwrap();
    content(folder.path())
}

#[test]
fn cells_that_ask_the_same_are_asked_once() {
    let toy = Toy::of(3001, "a");
    let folder = tempfile::tempdir().unwrap();
    let finished = sweep(&toy, folder.path(), 100, Disk::default()).unwrap();
    assert_eq!(toy.answered.load(Ordering::Relaxed), 1501);
    let hoped: Vec<f64> =
        finished.summary.unwrap().facts.iter().map(|facts| facts.hoped.unwrap()).collect();
    assert_eq!(hoped, (0..3001).map(|case| (case / 2) as f64).collect::<Vec<_>>());
    let csv = fs::read_to_string(folder.path().join("toy.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * 3001);
    for (case, pair) in lines[1..].chunks(2).enumerate() {
        let half = (case / 2) as f64;
        assert_eq!(
            pair,
            [format!("{case},{},a,{half}", case + 1), format!("{case},{},a,{}", case + 1, -half)]
        );
    }
    assert_eq!(
        content(folder.path()).into_keys().collect::<Vec<_>>(),
        ["manifest.json", "toy-sum.csv", "toy.csv", "toy.parquet"]
    );
}

/// Counts stand in a table of their own, in order of cells, beside rows that are what they were;
/// both are kept in one batch.
#[test]
fn counts_are_a_table_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let toy = Toy { counts: true, ..Toy::of(2100, "a") };
    sweep(&toy, folder.path(), 100, Disk::default()).unwrap();
    let mut there = content(folder.path());
    let told = String::from_utf8(there.remove("toy-counts.csv").unwrap()).unwrap();
    for (case, line) in told.lines().skip(1).enumerate() {
        let (cell, half) = (case / 3, (case / 6) as f64);
        let number = [0.0, half, 1.0][case % 3];
        assert_eq!(line, format!("{cell},{},{number}", cell + 1));
    }
    assert_eq!(told.lines().next(), Some("number,case,so_many"));
    assert_eq!(told.lines().count(), 1 + 3 * 2100);
    let without = whole(&Toy::of(2100, "a"));
    assert_eq!(there["toy.csv"], without["toy.csv"]);
    let manifest: serde_json::Value = serde_json::from_slice(&there["manifest.json"]).unwrap();
    let files: Vec<&str> = manifest["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        files,
        ["toy.parquet", "toy.csv", "toy-counts.parquet", "toy-counts.csv", "toy-sum.csv"]
    );
}

/// How the disk behaves from some deed on.
#[derive(Clone, Copy, Debug)]
enum Trouble {
    /// One deed fails, those after it go well.
    Once,
    /// Nothing is done any more, as after a kill.
    Kill,
    /// The same, but half of what was to be written is.
    Half,
    /// Writes are taken by halves from there on, and all goes well.
    Short,
    /// The disk is full.
    Full,
}

/// The fate of deeds; counts them.
fn troubled<'a>(
    deeds: &'a AtomicUsize,
    at: usize,
    trouble: Trouble,
) -> impl Fn(DiskOp, &Path) -> OpResult + Sync + 'a {
    move |deed, _| {
        let number = deeds.fetch_add(1, Ordering::Relaxed);
        let dead = || OpResult::Fails(io::Error::other("killed"));
        match trouble {
            Trouble::Once if number == at => OpResult::Fails(io::Error::from_raw_os_error(5)),
            Trouble::Kill if number >= at => dead(),
            Trouble::Half if number == at && deed == DiskOp::Write => OpResult::Short,
            Trouble::Half if number >= at => dead(),
            Trouble::Short if number >= at && deed == DiskOp::Write => OpResult::Short,
            Trouble::Full if number >= at && matches!(deed, DiskOp::Write | DiskOp::Create) => {
                OpResult::Fails(io::Error::from_raw_os_error(28))
            }
            _ => OpResult::Done,
        }
    }
}

/// Each deed of a run goes wrong in each way; the next run gives the bytes of one that was never
/// disturbed, and keeps what was kept.
#[test]
fn whatever_a_disk_does_the_next_run_mends() {
    let mut injected = 0;
    for (cells, keep, counts) in
        [(40, 7, false), (1030, 600, false), (30, 3, false), (1, 1, true), (20, 7, true)]
    {
        let toy = || Toy { counts, ..Toy::of(cells, "a") };
        let expected = whole(&toy());
        let deeds = AtomicUsize::new(0);
        let counted = |_: DiskOp, _: &Path| {
            deeds.fetch_add(1, Ordering::Relaxed);
            OpResult::Done
        };
        let folder = tempfile::tempdir().unwrap();
        sweep(&toy(), folder.path(), keep, Disk(Some(&counted))).unwrap();
        for at in 0..deeds.load(Ordering::Relaxed) {
            for trouble in
                [Trouble::Once, Trouble::Kill, Trouble::Half, Trouble::Short, Trouble::Full]
            {
                injected += 1;
                let folder = tempfile::tempdir().unwrap();
                let out = folder.path().join("out");
                let count = AtomicUsize::new(0);
                let first = sweep(&toy(), &out, keep, Disk(Some(&troubled(&count, at, trouble))));
                if let Err(error) = &first {
                    let words = error.to_string();
                    assert!(
                        !words.contains("lowcrawl-part") && !words.contains("Error"),
                        "{words}"
                    );
                    let full = format!(": {}", io::Error::from_raw_os_error(28));
                    assert!(!matches!(trouble, Trouble::Full) || words.ends_with(&full), "{words}");
                } else {
                    let there = content(&out);
                    assert!(
                        expected.iter().all(|(name, bytes)| there.get(name) == Some(bytes)),
                        "{cells} {at} {trouble:?}"
                    );
                }
                let kept = fs::read_dir(out.join("lowcrawl-work")).map_or(0, |batches| {
                    batches
                        .filter(|batch| {
                            batch
                                .as_ref()
                                .unwrap()
                                .path()
                                .extension()
                                .is_some_and(|end| end == "parquet")
                        })
                        .count()
                });
                let again = toy();
                let finished = sweep(&again, &out, keep, Disk::default())
                    .unwrap_or_else(|error| panic!("{at} {trouble:?}: {error}"));
                assert!(
                    content(&out) == expected,
                    "{cells} cells, deed {at}, {trouble:?}: {:?}",
                    content(&out).keys()
                );
                let there = kept.saturating_sub(1) * keep;
                assert!(
                    finished.resumed >= there.min(cells),
                    "{at} {trouble:?}: {kept} batches, {} cells resumed",
                    finished.resumed
                );
            }
        }
    }
    assert!(injected >= 1000, "{injected} faults");
}

/// Stopped after any number of cells, a run goes on where it was, with its counts.
#[test]
fn a_run_that_is_stopped_again_and_again_comes_to_the_same_end() {
    for (every, counts) in [(1, false), (7, true), (50, false), (50, true)] {
        let expected = whole(&Toy { counts, ..Toy::of(300, "a") });
        let folder = tempfile::tempdir().unwrap();
        let mut done = 0;
        let runs = (0..).find(|_| {
            let toy = Toy { stop_after: every, counts, ..Toy::of(300, "a") };
            match sweep(&toy, folder.path(), 20, Disk::default()) {
                Err(RunError::Interrupted { kept, cells: 300 }) => {
                    assert!(kept > done, "{kept} after {done}");
                    done = kept;
                    false
                }
                other => other.map(|_| true).unwrap(),
            }
        });
        assert!(content(folder.path()) == expected, "{every}");
        assert_eq!(runs, Some(150 / every), "{every}");
    }
}

/// Runs of different questions never share a folder, and one waits for another of the same.
#[test]
fn a_folder_belongs_to_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let begun = Mutex::new(());
    let hold = begun.lock().unwrap();
    let reached = AtomicBool::new(false);
    // Writing its first batch, the first run is held up.
    let held = |deed: DiskOp, _: &Path| {
        if deed == DiskOp::Create {
            reached.store(true, Ordering::Relaxed);
            drop(begun.lock().unwrap());
        }
        OpResult::Done
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| sweep(&Toy::of(40, "a"), folder.path(), 7, Disk(Some(&held))));
        while !reached.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        for what in ["a", "b"] {
            let job = Run::new("toy", folder.path(), Options::default());
            let busy = run(&Toy::of(40, what), &job, &Meta::default()).unwrap_err().to_string();
            let who = format!(
                "a run is at work in this folder (process {}, seed 36)",
                std::process::id()
            );
            assert!(busy.contains(&who) && busy.contains("`--wait`"), "{busy}");
        }
        let path = folder.path();
        let wait = move |what: &'static str| {
            let toy = Toy::of(40, what);
            let job = Run { wait: true, ..Run::new("toy", path, Options::default()) };
            (
                run(&toy, &job, &Meta::default()).map(|finished| finished.resumed),
                toy.answered.into_inner(),
            )
        };
        let same = scope.spawn(move || wait("a"));
        let other = scope.spawn(move || wait("b"));
        std::thread::sleep(Duration::from_millis(20));
        drop(hold);
        assert_eq!(first.join().unwrap().unwrap().resumed, 0);
        let (resumed, answered) = same.join().unwrap();
        assert_eq!((resumed.unwrap(), answered), (40, 0));
        let (refused, answered) = other.join().unwrap();
        assert!(
            refused.unwrap_err().to_string().contains("of another run: it asks something else")
        );
        assert_eq!(answered, 0);
    });
    assert!(content(folder.path()) == whole(&Toy::of(40, "a")));
}

/// A copy of a batch under another name is neither a second one nor a panic.
#[test]
fn a_batch_under_another_name_is_none() {
    let expected = whole(&Toy::of(1100, "a"));
    for block in [1, 9] {
        let folder = tempfile::tempdir().unwrap();
        let toy = Toy { stop_after: 30, ..Toy::of(1100, "a") };
        assert!(sweep(&toy, folder.path(), 20, Disk::default()).is_err());
        let batches = folder.path().join("lowcrawl-work");
        let names = content(&batches).into_keys().filter(|name| name.ends_with(".parquet"));
        let names: Vec<String> = names.collect();
        assert!(!names.is_empty());
        for name in names {
            fs::copy(
                batches.join(&name),
                batches.join(name.replacen("0000000", &format!("{block:07}"), 1)),
            )
            .unwrap();
        }
        sweep(&Toy::of(1100, "a"), folder.path(), 20, Disk::default()).unwrap();
        assert!(content(folder.path()) == expected, "{block}");
    }
}
