//! Tests of cells (single questions of a study) that share a process and are answered together.
//! Each must equal its answer alone to the last bit.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use lowcrawl::answer::{Cell, Engine, Meta, Options, Trials};
use lowcrawl::api::games;
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::process::ReportIndex;
use lowcrawl::study::file::{Extent, Study};
use lowcrawl::study::grid::{CellAnswer, Grid, RowHash, StudyInfo};
use lowcrawl::study::options::Run;
use lowcrawl::study::run::run;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A study that does not say what its cells depend on, so each is answered alone.
struct Alone<'a>(&'a Study);

impl Grid for Alone<'_> {
    fn info(&self) -> &StudyInfo {
        self.0.info()
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        self.0.swept_cells(case)
    }

    fn canonical(&self, case: usize) -> Result<String, String> {
        self.0.canonical(case)
    }

    fn answer(&self, case: usize, options: &Options, meta: &Meta) -> CellAnswer {
        self.0.answer(case, options, meta)
    }
}

fn study(text: &str) -> Study {
    Study::parse(text, &games(), Extent::WHOLE, Monitor::NONE)
        .unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

/// Returns a study of rallies that sweeps random values of random fields, in random order.
fn random_study(dice: &mut Xoshiro256PlusPlus) -> String {
    let fields: [(&str, &[&str]); 8] = [
        (
            "leader",
            &["\"none\"", "\"7-0\"", "\"8-0\"", "\"8-1\"", "\"9-1\"", "\"9-2\"", "\"10-2\""],
        ),
        ("terrain", &["\"open\"", "\"woods\"", "\"building\"", "\"pillbox\"", "\"rubble\""]),
        ("phases", &["1", "2", "3", "5"]),
        ("own-rph", &["\"odd\"", "\"even\"", "\"never\""]),
        ("dm", &["true", "false"]),
        ("hob", &["true", "false"]),
        ("elr", &["1", "3", "5"]),
        ("i49", &["\"default\"", "\"alternative\""]),
    ];
    let stacks = [
        "german:4-6-7",
        "german:4-6-7/broken + german:8-1",
        "russian:4-4-7/dm",
        "2x german:4-6-8/dm",
        "german:8-0/broken + german:4-6-7/broken",
        "russian:4-5-8/broken + russian:8-1",
        "italian:3-4-6/dm + italian:8-0",
    ];
    let mut pick = |below: usize| (dice.next_u64() % below as u64) as usize;
    let mut text =
        format!("question = \"rally\"\n[base]\nstack = \"{}\"\n[grid]\n", stacks[pick(7)]);
    let mut order: Vec<usize> = (0..fields.len()).collect();
    let mut cells = 1;
    while !order.is_empty() {
        let (name, values) = fields[order.swap_remove(pick(order.len()))];
        let swept: Vec<&str> = values.iter().copied().filter(|_| pick(2) == 0).collect();
        if !swept.is_empty() && cells * swept.len() <= 60 {
            cells *= swept.len();
            text += &format!("{name} = [{}]\n", swept.join(", "));
        }
    }
    text
}

/// Groups cells by what they depend on, and then by their last report.
fn shared_groups(study: &Study) -> HashMap<u128, BTreeMap<ReportIndex, Vec<usize>>> {
    let mut groups: HashMap<u128, BTreeMap<ReportIndex, Vec<usize>>> = HashMap::new();
    for (case, rest) in study.row_hashes(0..study.info().cells).into_iter().enumerate() {
        let RowHash { on, until } = rest.expect("a rally says what it rests on");
        groups.entry(on).or_default().entry(until).or_default().push(case);
    }
    groups
}

/// Every cell of 60 random studies has the same answer alone and as a part of a longer cell.
/// Estimates are shared by cells of equal length only, and made again for others.
#[test]
fn parts_equal_the_answers_of_single_cells() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(20);
    let meta = Meta::default();
    let (mut parts, mut equals) = (0, 0);
    for number in 0..60 {
        let text = random_study(&mut dice);
        let study = study(&text);
        let estimates = Options {
            engine: Engine::MonteCarlo,
            trials: Trials::Number(500),
            ..Options::default()
        };
        let options = if number % 6 == 0 { estimates } else { Options::default() };
        for lengths in shared_groups(&study).into_values() {
            let (_, longest) = lengths.last_key_value().unwrap();
            let (whole, longest) = study.answer_part(longest[0], None, &options, &meta).unwrap();
            for (until, cells) in &lengths {
                let longest = longest.as_ref().map(|longest| (longest, *until));
                let part = study.answer_part(cells[0], longest, &options, &meta).unwrap();
                parts += usize::from(part.1.is_none() && part.0.rows.len() < whole.rows.len());
                equals += cells.len() - 1;
                for &case in cells {
                    let alone = study.answer(case, &options, &meta).unwrap();
                    assert_eq!(part.0, alone, "case {} of\n{text}", case + 1);
                }
            }
        }
    }
    assert!(parts > 100 && equals > 100, "{parts} parts, {equals} equals");
}

fn written(grid: &dyn Grid, options: Options) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    run(grid, &Run::new("sweep", folder.path(), options), &Meta::default()).unwrap();
    let read = |path: &Path| fs::read(path).unwrap();
    let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), read(&entry.path()))).collect()
}

/// Runs over several blocks, with counts, and by Monte Carlo write the same bytes to every file,
/// with sharing and without.
#[test]
fn files_do_not_depend_on_sharing() {
    let grid =
        "terrain = [\"open\", \"woods\", \"trench\"]\nleader = [\"none\", \"8-1\", \"9-1\"]\n";
    let stack = "\"german:4-6-7/broken\", \"german:8-0/broken + german:4-6-8/broken\"";
    for (head, rest, engine) in [
        (
            "",
            "elr = { from = 0, to = 5 }\ndm = [true, false]\nphases = { from = 1, to = 6 }",
            Engine::Auto,
        ),
        (
            "",
            "phases = { from = 1, to = 6 }\ndm = [true, false]\nelr = { from = 0, to = 5 }",
            Engine::Exact,
        ),
        ("counts = \"mmc\"\n", "phases = [1, 3]", Engine::Auto),
        ("", "phases = [1, 3]", Engine::MonteCarlo),
    ] {
        let text = format!("question = \"rally\"\n{head}[grid]\nstack = [{stack}]\n{grid}{rest}\n");
        let study = study(&text);
        let options = Options { engine, trials: Trials::Number(1000), ..Options::default() };
        let (shared, alone) = (written(&study, options), written(&Alone(&study), options));
        assert_eq!(shared.keys().collect::<Vec<_>>(), alone.keys().collect::<Vec<_>>());
        for (name, bytes) in &shared {
            assert!(*bytes == alone[name], "{name} of\n{text}");
        }
    }
}

/// Trench and woods give the same DRM (10.61), and an 8-1 and a 9-1 lend the same (10.6). In a
/// stack with a leader they do not, as he may have a higher ML than one of them (10.22).
#[test]
fn cells_with_equal_rules_share_a_process() {
    let groups = |stack: &str| {
        let text = format!(
            "question = \"rally\"\n[base]\nstack = \"{stack}\"\n[grid]\nleader = [\"none\", \"8-1\", \"9-1\", \"9-2\"]\nterrain = [\"open\", \"woods\", \"trench\"]\nphases = [1, 2, 3]\n"
        );
        shared_groups(&study(&text)).len()
    };
    assert_eq!(groups("german:4-6-7/broken"), 3 * 2);
    assert_eq!(groups("german:4-6-7/broken + german:8-0/broken"), 4 * 2);
    // Cells with dice already rolled share nothing.
    let given = "question = \"rally\"\n[base]\nstack = \"german:4-6-7/broken\"\ngiven = \"6,3\"\n[grid]\nphases = [1, 2]\n";
    assert!(study(given).row_hashes(0..2).iter().all(Option::is_none));
}
