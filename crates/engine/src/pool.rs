//! A pool of objects that are expensive to build, each used by one thread at a time.

use std::sync::{Mutex, PoisonError};

/// A pool of reusable objects. It grows to the largest number ever in use at once.
pub struct ObjectPool<T>(Mutex<Vec<T>>);

impl<T> Default for ObjectPool<T> {
    fn default() -> ObjectPool<T> {
        ObjectPool(Mutex::default())
    }
}

impl<T> ObjectPool<T> {
    /// Takes a free object out of the pool; `None` if no object is free.
    pub fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Puts an object back into the pool.
    pub fn give_back(&self, thing: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(thing);
    }

    /// Returns the free objects.
    pub fn into_objects(self) -> Vec<T> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies `with` to each free object.
    ///
    /// # Errors
    ///
    /// Stops at the first error of `with` and returns it.
    pub fn each<E>(&self, mut with: impl FnMut(&mut T) -> Result<(), E>) -> Result<(), E> {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        free.iter_mut().try_for_each(&mut with)
    }
}
