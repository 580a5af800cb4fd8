//! Questions that are solved one after another and go on alike: what is found out about one serves
//! the next.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use engine::shelf::Shelf;
use engine::solve::Ground;

use super::Played;
use super::count::Stands;
use super::given::After;
use super::ruled::State;
use engine::process::{Process, Question};

/// What is found out about the process of a question, behind given dice and counted.
type GroundOfGiven<Q> =
    Ground<Stands<After<State<Q>>>, <<Q as Question>::Process as Process>::Reading>;

/// The families of questions that were met last, all solved for the same objective.
pub struct Kin {
    kept: usize,
    families: Mutex<VecDeque<Arc<dyn Any + Send + Sync>>>,
}

/// Questions that go on alike: see [`Played::beside`].
pub(super) struct Family<Q: Played> {
    first: Arc<Q>,
    /// What was found by each of those who were at work at once.
    pub grounds: Shelf<GroundOfGiven<Q>>,
}

impl Kin {
    /// Keeps so many families: one, and as many more as questions are solved at once.
    pub fn keeping(kept: usize) -> Kin {
        Kin { kept, families: Mutex::default() }
    }

    /// The family of a question, and the question in its midst.
    pub(super) fn of<Q: Played + Sync + 'static>(
        &self,
        question: Arc<Q>,
    ) -> (Arc<Q>, Arc<Family<Q>>) {
        let mut families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        for family in families.iter() {
            let Ok(family) = family.clone().downcast::<Family<Q>>() else { continue };
            if let Some(beside) = question.beside(&family.first) {
                return (Arc::new(beside), family);
            }
        }
        let family = Arc::new(Family { first: question.clone(), grounds: Shelf::default() });
        families.push_back(family.clone());
        if families.len() > self.kept {
            families.pop_front();
        }
        (question, family)
    }
}
