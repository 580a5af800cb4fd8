//! Structs in files that hold a hash of all their other fields.

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

/// A struct with a hash of its other fields, as JSON.
pub(super) trait Hashed: Serialize + Sized {
    /// Returns the field of the hash.
    fn hash(&mut self) -> &mut String;

    /// Returns the struct with its hash filled in.
    fn hashed(mut self) -> Self {
        self.hash().clear();
        *self.hash() = fingerprint(&serde_json::to_string(&self).unwrap_or_default());
        self
    }

    /// Returns the struct if its hash matches, otherwise nothing.
    fn if_whole(mut self) -> Option<Self> {
        let stated = self.hash().clone();
        let mut own = self.hashed();
        (*own.hash() == stated).then_some(own)
    }
}

/// Returns a hash of a text after the name of the algorithm. The hash is the same on every machine
/// and in every version.
pub(super) fn fingerprint(text: &str) -> String {
    format!("xxh3-128:{:032x}", xxh3_128(text.as_bytes()))
}
