//! Things that are dear to make and used by one thread at a time.

use std::sync::{Mutex, PoisonError};

/// As many as were ever in use at once.
pub struct Shelf<T>(Mutex<Vec<T>>);

impl<T> Default for Shelf<T> {
    fn default() -> Shelf<T> {
        Shelf(Mutex::default())
    }
}

impl<T> Shelf<T> {
    /// Takes one, if one is free.
    pub fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Puts one back.
    pub fn put(&self, thing: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(thing);
    }

    /// Does something with each that is free.
    pub fn each<E>(&self, mut with: impl FnMut(&mut T) -> Result<(), E>) -> Result<(), E> {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        free.iter_mut().try_for_each(&mut with)
    }
}
