//! The requests: shipped files, commands of the manual, and random ones by tables of fields and
//! words of its own. They are copied by hand and know nothing of what the crate declares.

mod boards;
mod campaigns;
mod chosen;
mod compared;
mod dice;
mod fields;
mod fortitude;
mod reaction;
mod refused;
mod sequences;
mod shipped;
mod situations;
mod stacks;
mod studies;
mod traces;
mod words;

use std::collections::BTreeMap;

pub use chosen::chosen;
use dice::Words;

use crate::store::{Request, Runs};

/// A request of an area with its files.
fn request<const N: usize>(
    area: &str,
    words: Words,
    files: [(&str, String); N],
    runs: Runs,
) -> Request {
    let files =
        files.into_iter().map(|(name, text)| (name.to_string(), text)).collect::<BTreeMap<_, _>>();
    Request { area: area.to_string(), arguments: words.0, files, runs }
}
