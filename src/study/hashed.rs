//! Hashes of result files, and of structs in files.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64, xxh3_128};

/// A finished result file, as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultFile {
    pub name: String,
    pub bytes: u64,
    /// The XXH3-64 hash of the bytes, with the name of the algorithm in front.
    pub hash: String,
}

impl ResultFile {
    pub fn new(name: &str, bytes: &[u8]) -> ResultFile {
        let hash = format!("xxh3-64:{:016x}", xxh3_64(bytes));
        ResultFile { name: name.to_string(), bytes: bytes.len() as u64, hash }
    }
}

#[derive(Default)]
pub(super) struct Measured {
    bytes: u64,
    hash: Xxh3Default,
}

impl Measured {
    pub fn written(&self, name: &str) -> ResultFile {
        let hash = format!("xxh3-64:{:016x}", self.hash.digest());
        ResultFile { name: name.to_string(), bytes: self.bytes, hash }
    }
}

impl Write for Measured {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        self.bytes += content.len() as u64;
        self.hash.update(content);
        Ok(content.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Sets the field `hash` of a struct to a hash of its other fields, as JSON.
pub(crate) fn hashed<T: Serialize>(mut value: T, hash: fn(&mut T) -> &mut String) -> T {
    hash(&mut value).clear();
    *hash(&mut value) = fingerprint(&serde_json::to_string(&value).unwrap_or_default());
    value
}

/// Returns a struct if its field `hash` matches its other fields.
pub(crate) fn if_whole<T: Serialize>(mut value: T, hash: fn(&mut T) -> &mut String) -> Option<T> {
    let stated = hash(&mut value).clone();
    let mut own = hashed(value, hash);
    (*hash(&mut own) == stated).then_some(own)
}

/// Returns a hash of a text, equal on every machine, after the name of the algorithm.
pub(super) fn fingerprint(text: &str) -> String {
    format!("xxh3-128:{:032x}", xxh3_128(text.as_bytes()))
}
