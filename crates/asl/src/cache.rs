//! Values that are built on first use and kept, for use from several threads.

use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A map from keys to values, each computed when it is first requested.
pub(crate) struct Cache<K, V>(Mutex<FxHashMap<K, V>>);

impl<K, V> Default for Cache<K, V> {
    fn default() -> Cache<K, V> {
        Cache(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    /// Returns the value for `key`, built under the lock if new, so `build` must not use the cache.
    pub fn get(&self, key: K, build: impl FnOnce() -> V) -> V {
        self.lock().entry(key).or_insert_with(build).clone()
    }

    pub fn lock(&self) -> MutexGuard<'_, FxHashMap<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Values by key and by number. The numbers count the values, from 0, in the order of building.
pub(crate) struct Numbered<K, V>(RwLock<IndexMap<K, Arc<V>, FxBuildHasher>>);

impl<K, V> Default for Numbered<K, V> {
    fn default() -> Numbered<K, V> {
        Numbered(RwLock::default())
    }
}

impl<K: Eq + Hash, V> Numbered<K, V> {
    /// Returns the number of the value for `key`, which `build` computes if it is not known.
    pub fn number(&self, key: K, build: impl FnOnce() -> V) -> u32 {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get_index_of(&key);
        let number = known.unwrap_or_else(|| {
            let value = Arc::new(build());
            let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
            let entry = all.entry(key);
            let number = entry.index();
            entry.or_insert(value);
            number
        });
        number as u32
    }

    /// Returns the value with this number, which must exist.
    pub fn get(&self, number: u32) -> Arc<V> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)[number as usize].clone()
    }
}
