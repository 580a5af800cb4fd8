//! Wrappers: processes that contain another process and change some of its methods.
//!
//! [`Process`] and, where the process inside has it, [`Decisions`] follow from [`Wrapper`], so no
//! wrapper forgets a method. Only [`super::Factored`] is not forwarded: factors are never wrapped.

use std::hash::Hash;
use std::sync::Arc;

use super::{Decisions, Due, Event, Log, Process, Silent};
use crate::dice::{Base, Face};

/// A process that contains another process, and uses its methods where it defines none itself.
pub trait Wrapper: Sync {
    /// The process inside.
    type Inner: Process;
    /// The state: that of the process inside, or an [`ExtendedState`] around it.
    type State: WrapperState<InnerState<Self>> + Clone + Eq + Hash + Send + Sync;
    /// A noted outcome. Its order is the order of rows in a result table.
    type Outcome: Clone + Ord + Hash + Send + Sync;

    /// Returns the process inside.
    fn process(&self) -> &Self::Inner;
    /// See [`Process::report`].
    fn report(&self, state: &Self::State, observe: &mut dyn FnMut(Self::Outcome));
    /// Continues after each change of `state`. [`Wrapper::start`], [`Wrapper::choose`],
    /// [`Wrapper::followers`] and [`Wrapper::pass`] call it only in their default form.
    fn settle<L: Log>(&self, _state: &mut Self::State, _log: &mut L) {}
    /// See [`Process::start`].
    fn start<L: Log>(&self, log: &mut L) -> Self::State {
        let mut state = self.process().start(log).into();
        self.settle(&mut state, log);
        state
    }
    /// See [`Process::due`].
    #[inline]
    fn due(&self, state: &Self::State) -> DueOf<Self::Inner> {
        self.process().due(state.inner())
    }
    /// See [`Process::choose`].
    fn choose<L: Log>(&self, state: &mut Self::State, option: usize, log: &mut L) {
        self.process().choose(state.inner_mut(), option, log);
        self.settle(state, log);
    }
    /// See [`Process::followers`].
    fn followers(&self, state: &Self::State, options: usize) -> Vec<Self::State> {
        let after = |inner| {
            let mut next = state.with_inner(inner);
            self.settle(&mut next, &mut Silent);
            next
        };
        self.process().followers(state.inner(), options).into_iter().map(after).collect()
    }
    /// See [`Process::pass`].
    fn pass<L: Log>(&self, state: &mut Self::State, log: &mut L) {
        self.process().pass(state.inner_mut(), log);
        self.settle(state, log);
    }
}

type DueOf<P> = Due<<P as Process>::Terms>;
type InnerState<W> = <<W as Wrapper>::Inner as Process>::State;

/// A state of a [`Wrapper`], with a state `S` of the process inside. Every state contains itself.
pub trait WrapperState<S>: From<S> {
    fn inner(&self) -> &S;
    fn inner_mut(&mut self) -> &mut S;
    /// Returns this state with another state inside.
    fn with_inner(&self, inner: S) -> Self;
}

impl<S> WrapperState<S> for S {
    #[inline]
    fn inner(&self) -> &S {
        self
    }
    #[inline]
    fn inner_mut(&mut self) -> &mut S {
        self
    }
    #[inline]
    fn with_inner(&self, inner: S) -> S {
        inner
    }
}

/// A state with data that a wrapper adds. The data of a new state is the default of its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExtendedState<S, T> {
    /// The state of the process inside.
    pub inner: S,
    /// The data of the wrapper.
    pub added: T,
}

impl<S, T: Default> From<S> for ExtendedState<S, T> {
    fn from(inner: S) -> Self {
        ExtendedState { inner, added: T::default() }
    }
}

impl<S, T: Clone + Default> WrapperState<S> for ExtendedState<S, T> {
    #[inline]
    fn inner(&self) -> &S {
        &self.inner
    }
    #[inline]
    fn inner_mut(&mut self) -> &mut S {
        &mut self.inner
    }
    #[inline]
    fn with_inner(&self, inner: S) -> Self {
        ExtendedState { inner, added: self.added.clone() }
    }
}

impl<W: Wrapper> Process for W {
    type State = W::State;
    type Terms = <W::Inner as Process>::Terms;
    type Reading = <W::Inner as Process>::Reading;
    type Outcome = W::Outcome;
    const BASE: Base = W::Inner::BASE;

    #[inline]
    fn start<L: Log>(&self, log: &mut L) -> W::State {
        Wrapper::start(self, log)
    }
    #[inline]
    fn due(&self, state: &W::State) -> Due<Self::Terms> {
        Wrapper::due(self, state)
    }
    #[inline]
    fn epoch(&self, state: &W::State) -> u32 {
        self.process().epoch(state.inner())
    }
    #[inline]
    fn read(&self, terms: &Self::Terms, face: Face) -> Self::Reading {
        self.process().read(terms, face)
    }
    #[inline]
    fn apply<L: Log>(&self, state: &mut W::State, reading: Self::Reading, log: &mut L) {
        self.process().apply(state.inner_mut(), reading, log);
        self.settle(state, log);
    }
    #[inline]
    fn choose<L: Log>(&self, state: &mut W::State, option: usize, log: &mut L) {
        Wrapper::choose(self, state, option, log);
    }
    #[inline]
    fn followers(&self, state: &W::State, options: usize) -> Vec<W::State> {
        Wrapper::followers(self, state, options)
    }
    #[inline]
    fn report(&self, state: &W::State, observe: &mut dyn FnMut(W::Outcome)) {
        Wrapper::report(self, state, observe);
    }
    #[inline]
    fn is_partial_report(&self, state: &W::State) -> bool {
        self.process().is_partial_report(state.inner())
    }
    #[inline]
    fn pass<L: Log>(&self, state: &mut W::State, log: &mut L) {
        Wrapper::pass(self, state, log);
    }
    fn describe(&self, state: &W::State, terms: &Self::Terms, face: Face) -> Event {
        self.process().describe(state.inner(), terms, face)
    }
}

impl<W: Wrapper> Decisions for W
where
    W::Inner: Decisions,
{
    fn decision(&self, state: &W::State) -> String {
        self.process().decision(state.inner())
    }
    fn options(&self, state: &W::State) -> Vec<String> {
        self.process().options(state.inner())
    }
    fn kinds(&self, state: &W::State) -> Vec<&'static str> {
        self.process().kinds(state.inner())
    }
}

impl<P: Process + Send> Wrapper for Arc<P> {
    type Inner = P;
    type State = P::State;
    type Outcome = P::Outcome;

    #[inline]
    fn process(&self) -> &P {
        self
    }
    fn report(&self, state: &P::State, observe: &mut dyn FnMut(P::Outcome)) {
        (**self).report(state, observe);
    }
}
