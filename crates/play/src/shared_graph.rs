//! Cache of state graphs, reused by questions with the same states and transitions.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::dice_prefix::ConditionedState;
use super::playable::Playable;
use answer::{CountedState, StateOf};
use engine::pool::ObjectPool;
use engine::process::{Process, Question};
use engine::solve::StateGraph;

type ConditionedGraph<Q> = StateGraph<
    CountedState<ConditionedState<StateOf<Q>>>,
    <<Q as Question>::Process as Process>::Reading,
>;

/// A cache of state graphs by groups of questions, for one objective; the oldest is dropped first.
pub struct SharedGraph {
    kept: usize,
    groups: Mutex<VecDeque<Arc<dyn Any + Send + Sync>>>,
}

/// A group of questions that share state graphs; see [`Playable::sharing_states_of`].
pub(super) struct SharedGraphKey<Q: Playable> {
    first: Arc<Q>,
    /// The state graphs, one for each thread that solved a question of the group at the same time.
    pub graphs: ObjectPool<ConditionedGraph<Q>>,
}

impl SharedGraph {
    /// Creates a cache of up to `kept` groups: the number of questions solved at once.
    pub fn keeping(kept: usize) -> SharedGraph {
        SharedGraph { kept, groups: Mutex::default() }
    }

    /// Returns the group of a question, and a copy of the question that uses its graph.
    pub(super) fn join<Q: Playable + Sync + 'static>(
        &self,
        question: Arc<Q>,
    ) -> (Arc<Q>, Arc<SharedGraphKey<Q>>) {
        let mut groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        for group in groups.iter() {
            let Ok(group) = group.clone().downcast::<SharedGraphKey<Q>>() else { continue };
            if let Some(sharing) = question.sharing_states_of(&group.first) {
                return (Arc::new(sharing), group);
            }
        }
        let group =
            Arc::new(SharedGraphKey { first: question.clone(), graphs: ObjectPool::default() });
        groups.push_back(group.clone());
        if groups.len() > self.kept {
            groups.pop_front();
        }
        (question, group)
    }
}
