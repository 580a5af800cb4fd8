//! The answer store: 4,200 requests of every kind and system with the answers of the binary, as
//! text by area (`tests/answers/*.txt`; [`store`] has the format). A difference is a defect, or a
//! line in the CHANGELOG.
//!
//! * `cargo test --release --test answers` runs all requests, one test per area. It prints the
//!   first ten that have another answer, and the number of differences by kind.
//! * `LOWCRAWL_WRITE=1 cargo test --release --test answers` writes the answers again; `git diff`
//!   shows the changes below each command. To add a request, add a line `$ lowcrawl ...` to the
//!   file of its area, with its files below (`< NAME`, then the text after a space).
//! * `LOWCRAWL_BASE=path/to/lowcrawl cargo test --release --test answers` compares with the whole
//!   answers of another binary, where the store keeps only the beginning and a digest.
//!
//! Not stored are version and command, the duration of a study, and the content of Parquet files.

mod difference;
mod summary;

#[path = "../common/progress.rs"]
mod progress;
mod run;
mod store;

use std::env;
use std::path::PathBuf;
use std::sync::LazyLock;

use difference::Differences;
use progress::is_progress;
use run::Binary;
use store::{AREAS, Answer, Request};

static STORED: LazyLock<Vec<(Request, Answer)>> = LazyLock::new(store::read);

/// Runs the requests of an area again, and compares or writes the answers.
fn compare(area: &str) {
    let base = env::var_os("LOWCRAWL_BASE").map(|path| Binary { path: path.into(), whole: true });
    let built = PathBuf::from(env!("CARGO_BIN_EXE_lowcrawl"));
    let built = Binary { path: built, whole: base.is_some() };
    let of_area = STORED.iter().filter(|(request, _)| request.area == area);
    let answered = of_area.map(|(request, stored)| (request, stored, run::answer(request, &built)));
    if env::var_os("LOWCRAWL_WRITE").is_some() {
        let all = answered.map(|(request, _, answer)| (request.clone(), answer));
        return store::write_area(area, &all.collect::<Vec<_>>());
    }
    let mut differences = Differences::default();
    for (request, stored, answer) in answered {
        let before = base.as_ref().map(|base| run::answer(request, base));
        differences.add(request, before.as_ref().unwrap_or(stored), &answer);
    }
    if let Some(report) = differences.report(area) {
        panic!("{report}");
    }
}

/// Makes a test of every area.
macro_rules! areas {
    ($($area:ident)*) => {
        $(#[test]
        fn $area() {
            compare(stringify!($area));
        })*

        #[test]
        fn every_area_has_a_test() {
            assert_eq!(AREAS, [$(stringify!($area)),*]);
        }
    };
}

areas! { campaigns commands comparisons fields fortitude lists reaction refused routs sequences shipped stacks studies traces }

#[test]
fn store_holds_every_kind_of_answer() {
    let count = |holds: &dyn Fn(&Request, &Answer) -> bool| {
        STORED.iter().filter(|(request, answer)| holds(request, answer)).count()
    };
    let refused = count(&|_, answer| answer["exit"] != "0");
    let engine = |word: &str| {
        let member = format!("\"engine\":\"{word}\"");
        count(&|_, answer| answer.get("json").is_some_and(|json| json.contains(&member)))
    };
    assert!(STORED.len() >= 3000, "{} requests", STORED.len());
    assert!(refused >= 600, "{refused} are refused");
    for (word, least) in [("exact", 1400), ("monte-carlo", 250)] {
        assert!(engine(word) >= least, "{} by {word}", engine(word));
    }
    for area in AREAS {
        assert!(count(&|request, _| request.area == area) >= 40, "too few {area}");
    }
}

#[test]
fn store_is_small_enough_to_review() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/answers");
    let sizes = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap());
    let bytes: u64 = sizes.map(|metadata| metadata.len()).sum();
    assert!(bytes <= 4 << 20, "{bytes} bytes");
}
