//! Runs of a study with trivial cells on a failing disk: no fault may lose results, mix them, or
//! leave files behind.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use std::{fs, io};

use crate::shell::content;
use lowcrawl::answer::{Cell, Column, Meta, Options};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::study::disk::{Disk, DiskOp, OpResult, RealDisk};
use lowcrawl::study::grid::{AnsweredCell, CellAnswer, CellFacts, Further, Grid, StudyInfo};
use lowcrawl::study::options::Run;
use lowcrawl::study::run::{Finished, run};
use lowcrawl::study::run_error::RunError;

/// A study of numbered cells (single questions), of which two neighbours ask the same question.
pub struct Toy {
    info: StudyInfo,
    what: &'static str,
    answered: AtomicUsize,
    stop: AtomicBool,
    stop_after: usize,
}

impl Toy {
    pub fn new(cells: usize, what: &'static str) -> Toy {
        let info = StudyInfo {
            identity: format!("{cells} {what}"),
            cells,
            swept_columns: vec![("number".to_string(), Column::Integer)],
            answer_columns: vec![
                ("case", Column::Integer),
                ("what", Column::Text),
                ("value", Column::Float),
            ],
            needs_facts: true,
            text: "toy".to_string(),
            ..StudyInfo::default()
        };
        Toy {
            info,
            what,
            answered: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            stop_after: usize::MAX,
        }
    }

    pub fn stopped_after(self, answers: usize) -> Toy {
        Toy { stop_after: answers, ..self }
    }

    /// Adds a second table, of counts, if `counts` is set.
    fn with_counts(mut self, counts: bool) -> Toy {
        let columns = vec![("case", Column::Integer), ("so_many", Column::Float)];
        self.info.count_columns = Some(columns).filter(|_| counts);
        self
    }
}

impl Grid for Toy {
    fn info(&self) -> &StudyInfo {
        &self.info
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        vec![Cell::Integer(case as i64)]
    }

    fn canonical(&self, case: usize) -> Result<String, String> {
        Ok((case / 2).to_string())
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
        let counts = match self.info.count_columns {
            Some(_) => vec![number(0.0), number(half), number(1.0)],
            None => vec![],
        };
        Ok(AnsweredCell { rows: vec![row(half), row(-half)], counts, facts })
    }

    fn further(&self, facts: &[CellFacts]) -> Option<Further> {
        let rows = vec![vec![Cell::Float(facts.iter().filter_map(|facts| facts.hoped).sum())]];
        Some(Further { name: "sum", columns: vec![("sum".to_string(), Column::Float)], rows })
    }
}

/// Runs a study in `folder`, and writes a batch after every `keep` finished cells.
pub fn sweep(toy: &Toy, folder: &Path, keep: usize, disk: &dyn Disk) -> Result<Finished, RunError> {
    let options = Options { watch: Monitor::stopped_by(&toy.stop), ..Options::default() };
    // A process that another test starts holds the locks of this one until it calls exec, so the
    // run waits for locks.
    let new = Run::new("toy", folder, options);
    let job = Run { disk, keep: (keep, Duration::from_secs(3600)), wait: true, ..new };
    // One thread makes the order of disk operations reproducible.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| run(toy, &job, &Meta::default()))
}

pub fn whole(toy: &Toy) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    sweep(toy, folder.path(), 1 << 20, &RealDisk).unwrap();
    content(folder.path())
}

/// The file with the finished cells of a stopped run.
pub const PART: &str = "lowcrawl-work/finished.part";

/// Returns the places in the part file where records of finished cells begin.
pub fn records(folder: &Path) -> Vec<usize> {
    let bytes = fs::read(folder.join(PART)).unwrap_or_default();
    let begin = b"{\"version\":2,\"identity\":";
    let is_record = |at: &usize| bytes[*at..].starts_with(begin);
    (0..bytes.len()).filter(is_record).map(|at| at - 17).collect()
}

/// Returns the number of cells in all records of a part file but the last, which may be torn.
fn cells_before_last_record(folder: &Path) -> usize {
    let bytes = fs::read(folder.join(PART)).unwrap_or_default();
    let cells = |at: &usize| {
        let line = bytes[at + 17..].split(|byte| *byte == b'\n').next().unwrap();
        let head: serde_json::Value = serde_json::from_slice(line).unwrap();
        head["facts"].as_object().unwrap().len()
    };
    let records = records(folder);
    records.split_last().map_or(0, |(_, intact)| intact.iter().map(cells).sum())
}

#[test]
fn equal_cells_are_answered_once() {
    let toy = Toy::new(3001, "a");
    let folder = tempfile::tempdir().unwrap();
    let finished = sweep(&toy, folder.path(), 100, &RealDisk).unwrap();
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

/// Counts are in a table of their own, in order of cells, and the rows are those of a study without
/// counts.
#[test]
fn counts_are_written_to_a_table_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let toy = Toy::new(2100, "a").with_counts(true);
    sweep(&toy, folder.path(), 100, &RealDisk).unwrap();
    let mut there = content(folder.path());
    let csv = String::from_utf8(there.remove("toy-counts.csv").unwrap()).unwrap();
    for (case, line) in csv.lines().skip(1).enumerate() {
        let (cell, half) = (case / 3, (case / 6) as f64);
        let number = [0.0, half, 1.0][case % 3];
        assert_eq!(line, format!("{cell},{},{number}", cell + 1));
    }
    assert_eq!(csv.lines().next(), Some("number,case,so_many"));
    assert_eq!(csv.lines().count(), 1 + 3 * 2100);
    let without = whole(&Toy::new(2100, "a"));
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

/// A disk that gives operations the results of a function.
struct FaultyDisk<F>(F);

impl<F: Fn(DiskOp, &Path) -> OpResult + Sync> Disk for FaultyDisk<F> {
    fn result(&self, operation: DiskOp, path: &Path) -> OpResult {
        self.0(operation, path)
    }
}

/// A fault of the disk that begins at some operation.
#[derive(Clone, Copy, Debug)]
enum DiskFault {
    /// One operation fails, and later ones succeed.
    Once,
    /// No operation is done any more, as after the process is killed.
    Kill,
    /// As `Kill`, but half of the last write is done.
    Half,
    /// All later writes are short, and the run succeeds.
    Short,
    /// The disk is full.
    Full,
}

/// Returns the results of disk operations with this fault at operation `at`; counts the operations.
fn with_fault<'a>(
    operations: &'a AtomicUsize,
    at: usize,
    fault: DiskFault,
) -> impl Fn(DiskOp, &Path) -> OpResult + Sync + 'a {
    move |operation, _| {
        let number = operations.fetch_add(1, Ordering::Relaxed);
        let dead = || OpResult::Fails(io::Error::other("killed"));
        match fault {
            DiskFault::Once if number == at => OpResult::Fails(io::Error::from_raw_os_error(5)),
            DiskFault::Kill if number >= at => dead(),
            DiskFault::Half if number == at && operation == DiskOp::Write => OpResult::Short,
            DiskFault::Half if number >= at => dead(),
            DiskFault::Short if number >= at && operation == DiskOp::Write => OpResult::Short,
            DiskFault::Full
                if number >= at && matches!(operation, DiskOp::Write | DiskOp::Create) =>
            {
                OpResult::Fails(io::Error::from_raw_os_error(28))
            }
            _ => OpResult::Done,
        }
    }
}

/// Each operation of a run fails in each way. The next run gives the bytes of an undisturbed run,
/// and keeps the finished batches.
#[test]
fn run_after_any_disk_fault_gives_the_same_bytes() {
    let mut injected = 0;
    for (cells, keep, counts) in
        [(40, 7, false), (1030, 600, false), (30, 3, false), (1, 1, true), (20, 7, true)]
    {
        let toy = || Toy::new(cells, "a").with_counts(counts);
        let expected = whole(&toy());
        let operations = AtomicUsize::new(0);
        let counted = |_: DiskOp, _: &Path| {
            operations.fetch_add(1, Ordering::Relaxed);
            OpResult::Done
        };
        let folder = tempfile::tempdir().unwrap();
        sweep(&toy(), folder.path(), keep, &FaultyDisk(counted)).unwrap();
        for at in 0..operations.load(Ordering::Relaxed) {
            for fault in [
                DiskFault::Once,
                DiskFault::Kill,
                DiskFault::Half,
                DiskFault::Short,
                DiskFault::Full,
            ] {
                injected += 1;
                let folder = tempfile::tempdir().unwrap();
                let out = folder.path().join("out");
                let count = AtomicUsize::new(0);
                let first = sweep(&toy(), &out, keep, &FaultyDisk(with_fault(&count, at, fault)));
                if let Err(error) = &first {
                    let words = error.to_string();
                    assert!(
                        !words.contains("lowcrawl-part") && !words.contains("Error"),
                        "{words}"
                    );
                    let full = format!(": {}", io::Error::from_raw_os_error(28));
                    assert!(!matches!(fault, DiskFault::Full) || words.ends_with(&full), "{words}");
                } else {
                    let there = content(&out);
                    assert!(
                        expected.iter().all(|(name, bytes)| there.get(name) == Some(bytes)),
                        "{cells} {at} {fault:?}"
                    );
                }
                let kept = cells_before_last_record(&out);
                let again = toy();
                let finished = sweep(&again, &out, keep, &RealDisk)
                    .unwrap_or_else(|error| panic!("{at} {fault:?}: {error}"));
                assert!(
                    content(&out) == expected,
                    "{cells} cells, operation {at}, {fault:?}: {:?}",
                    content(&out).keys()
                );
                assert!(
                    finished.resumed >= kept,
                    "{at} {fault:?}: {kept} cells kept, {} cells resumed",
                    finished.resumed
                );
            }
        }
    }
    assert!(injected >= 1000, "{injected} faults");
}

/// A run that is stopped after any number of cells continues from there, with its counts.
#[test]
fn run_stopped_repeatedly_gives_the_same_bytes() {
    for (every, counts) in [(1, false), (7, true), (50, false), (50, true)] {
        let expected = whole(&Toy::new(300, "a").with_counts(counts));
        let folder = tempfile::tempdir().unwrap();
        let mut done = 0;
        let runs = (0..).find(|_| {
            let toy = Toy::new(300, "a").with_counts(counts).stopped_after(every);
            match sweep(&toy, folder.path(), 20, &RealDisk) {
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

/// Runs of different questions never share a folder, and a run waits for another of the same
/// questions.
#[test]
fn folder_is_locked_by_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let gate = Mutex::new(());
    let hold = gate.lock().unwrap();
    let reached = AtomicBool::new(false);
    // The first run is blocked while it writes its first batch.
    let held = |operation: DiskOp, _: &Path| {
        if operation == DiskOp::Create {
            reached.store(true, Ordering::Relaxed);
            drop(gate.lock().unwrap());
        }
        OpResult::Done
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| sweep(&Toy::new(40, "a"), folder.path(), 7, &FaultyDisk(held)));
        while !reached.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        for what in ["a", "b"] {
            let job = Run::new("toy", folder.path(), Options::default());
            let busy = run(&Toy::new(40, what), &job, &Meta::default()).unwrap_err().to_string();
            let who =
                format!("another run uses this folder (process {}, seed 36)", std::process::id());
            assert!(busy.contains(&who) && busy.contains("`--wait`"), "{busy}");
        }
        let path = folder.path();
        let wait = move |what: &'static str| {
            let toy = Toy::new(40, what);
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
        assert!(refused.unwrap_err().to_string().contains("another run: the questions differ"));
        assert_eq!(answered, 0);
    });
    assert!(content(folder.path()) == whole(&Toy::new(40, "a")));
}

/// A part file with a damaged, repeated or misplaced record is read up to there.
#[test]
fn damaged_records_of_a_part_are_ignored() {
    let expected = whole(&Toy::new(1100, "a"));
    for change in 0..4 {
        let folder = tempfile::tempdir().unwrap();
        let toy = Toy { stop_after: 30, ..Toy::new(1100, "a") };
        assert!(sweep(&toy, folder.path(), 20, &RealDisk).is_err());
        let part = folder.path().join(PART);
        let mut bytes = fs::read(&part).unwrap();
        let starts = records(folder.path());
        assert!(starts.len() > 2, "{starts:?}");
        match change {
            // A record is cut off, is changed, stands there twice, or has an endless line.
            0 => bytes.truncate(bytes.len() - 1),
            1 => bytes[starts[1] + 20] ^= 1,
            2 => bytes.extend_from_within(starts[0]..starts[1]),
            _ => bytes.retain(|byte| *byte != b'\n'),
        }
        fs::write(&part, bytes).unwrap();
        let finished = sweep(&Toy::new(1100, "a"), folder.path(), 20, &RealDisk).unwrap();
        assert_eq!(finished.resumed, [40, 20, 60, 0][change], "{change}");
        assert!(content(folder.path()) == expected, "{change}");
    }
}

/// Records of another version are discarded.
#[test]
fn records_of_another_version_are_discarded() {
    let folder = tempfile::tempdir().unwrap();
    let toy = Toy { stop_after: 10, ..Toy::new(100, "a") };
    assert!(sweep(&toy, folder.path(), 20, &RealDisk).is_err());
    let part = folder.path().join(PART);
    let text = fs::read(&part).unwrap();
    assert_eq!(records(folder.path()), [0]);
    let mut record = text[17..].to_vec();
    record["{\"version\":".len()] = b'1';
    let hash = format!("{:016x} ", xxhash_rust::xxh3::xxh3_64(&record));
    fs::write(&part, [hash.as_bytes(), &record].concat()).unwrap();
    let finished = sweep(&Toy::new(100, "a"), folder.path(), 20, &RealDisk).unwrap();
    assert_eq!(finished.resumed, 0);
    assert!(content(folder.path()) == whole(&Toy::new(100, "a")));
}
