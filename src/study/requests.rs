//! The distinct requests of some cells of a study. Cells with equal requests are answered once.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use indexmap::IndexMap;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::grid::{Grid, RowHash};
use engine::process::ReportIndex;

/// The number of cells whose forms are filled in together; cells that share a value fill it in
/// once.
const SLICE: usize = 128;

/// A request, with the cells (0-based) that it answers.
pub(super) struct Request {
    /// The hash of everything that decides the rows.
    pub key: u128,
    /// The last report point; 0 if unknown.
    pub until: ReportIndex,
    pub cells: Vec<usize>,
}

/// Returns the distinct requests of some cells, which must be in order. Requests that differ only
/// in their last report point form a group, longest first: the rows of the first serve the others.
pub(super) fn distinct_requests(study: &dyn Grid, cells: &[usize]) -> Vec<Vec<Request>> {
    let hashes = cells.par_chunks(SLICE).flat_map_iter(|slice| row_hashes(study, slice));
    let hashes: Vec<RowHash> = hashes.collect();
    let mut groups: IndexMap<u128, BTreeMap<Reverse<ReportIndex>, Vec<usize>>> = IndexMap::new();
    for (&case, RowHash { on, until }) in cells.iter().zip(hashes) {
        groups.entry(on).or_default().entry(Reverse(until)).or_default().push(case);
    }
    let group = |(on, lengths): (u128, BTreeMap<Reverse<ReportIndex>, Vec<usize>>)| {
        let request = |(Reverse(until), cells): (Reverse<ReportIndex>, Vec<usize>)| {
            let key = on.wrapping_add(until.into());
            Request { key, until, cells }
        };
        lengths.into_iter().map(request).collect()
    };
    groups.into_iter().map(group).collect()
}

/// Returns for each cell a hash of everything that decides its rows. If the study knows none,
/// returns the hash of the canonical request. A cell without a request gets a hash of its own.
fn row_hashes(study: &dyn Grid, cells: &[usize]) -> Vec<RowHash> {
    let [first, ..] = *cells else { return Vec::new() };
    let known = study.row_hashes(first..cells[cells.len() - 1] + 1);
    let canonical = |case| study.canonical(case).unwrap_or_else(|_| format!("case {case}"));
    let hash = |&case: &usize| {
        let of_text = || RowHash { on: xxh3_128(canonical(case).as_bytes()), until: 0 };
        known[case - first].unwrap_or_else(of_text)
    };
    cells.iter().map(hash).collect()
}
