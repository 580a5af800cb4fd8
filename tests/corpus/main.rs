//! The equality corpus: 3,600 requests of every kind and system, with what the built binary
//! answered when it was made. A difference is a defect, or a line in the CHANGELOG.
//!
//! `cargo test --release --test corpus` runs them all again, area by area, and tells the first ten
//! that differ and how many differ in what: exit codes, words of errors, rows, meta (engine and
//! states worked are there), lists beside the rows, screens, files.
//!
//! `LOWCRAWL_CORPUS=make cargo test --release --test corpus` writes the answers anew, from the
//! binary as it is, to the same requests; `LOWCRAWL_CORPUS=new` makes the list of requests anew
//! from its seed, shipped files and manual as they are now.
//!
//! `zcat tests/corpus/corpus.jsonl.gz` shows it: a line of JSON a file, and a line a request. Of an
//! answer as JSON version and command are left out, and rows that say what the CSV says; of a study
//! the time it took and the command; of a Parquet file all but that it is there. A part that is
//! very long is cut, with a hash of the whole.

mod difference;
mod generate;
mod json;
mod run;
mod store;

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use difference::Differences;
use store::{Answer, Request};

static CORPUS: LazyLock<Vec<(Request, Answer)>> = LazyLock::new(store::read);

/// `make` or `new`, where the corpus is to be made.
fn making() -> Option<String> {
    std::env::var("LOWCRAWL_CORPUS").ok().filter(|word| !word.is_empty())
}

/// The answers of the binary as it is, two at a time.
fn answers(requests: &[Request]) -> Vec<Answer> {
    let next = AtomicUsize::new(0);
    let work = || {
        let places = std::iter::from_fn(|| {
            Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&place| place < requests.len())
        });
        places.map(|place| (place, run::answer(&requests[place]))).collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, Answer)> = thread::scope(|scope| {
        let other = scope.spawn(work);
        work().into_iter().chain(other.join().unwrap()).collect()
    });
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, answer)| answer).collect()
}

/// Whether it still holds what it is for; before that it is made, if that is asked.
#[test]
fn it_holds_every_kind() {
    match making().as_deref() {
        Some("new") => store::write(&generate::chosen()),
        Some("make") => {
            let requests: Vec<Request> =
                CORPUS.iter().map(|(request, _)| request.clone()).collect();
            let answers = answers(&requests);
            store::write(&requests.into_iter().zip(answers).collect::<Vec<_>>());
        }
        Some(other) => panic!("LOWCRAWL_CORPUS is `make` or `new`, not `{other}`"),
        None => {}
    }
    let all = store::read();
    let count = |holds: &dyn Fn(&Request, &Answer) -> bool| {
        all.iter().filter(|(request, answer)| holds(request, answer)).count()
    };
    let refused = count(&|_, answer| answer["exit"] != "0");
    let engine = |word: &str| {
        count(&|_, answer| {
            answer.get("meta").is_some_and(|meta| meta.contains(&format!("\"engine\": \"{word}\"")))
        })
    };
    assert!(all.len() >= 3000, "{} requests", all.len());
    assert!(refused >= 600, "{refused} are turned away");
    for (word, least) in [("exact", 1400), ("monte-carlo", 250)] {
        assert!(engine(word) >= least, "{} by {word}", engine(word));
    }
    for area in AREAS {
        assert!(count(&|request, _| request.area == area) >= 40, "too few {area}");
    }
}

/// Runs the requests of an area again.
fn compare(area: &str) {
    if making().is_some() {
        return;
    }
    let mut differences = Differences::default();
    for (number, (request, stored)) in
        (1..).zip(CORPUS.iter()).filter(|(_, (request, _))| request.area == area)
    {
        differences.add(number, request, stored, &run::answer(request));
    }
    if let Some(report) = differences.report(area) {
        panic!("{report}");
    }
}

/// A test for every area.
macro_rules! areas {
    ($($area:ident)*) => {
        const AREAS: [&str; [$(stringify!($area)),*].len()] = [$(stringify!($area)),*];
        $(#[test]
        fn $area() {
            compare(stringify!($area));
        })*
    };
}

areas! { campaigns comparisons fields fortitude lists reaction refused routs sequences shipped stacks studies traces }
