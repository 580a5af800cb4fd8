//! Factorisation: questions whose units are independent, given the course of the state they share.

use smallvec::SmallVec;

use super::Process;
use super::wrapper::Wrapper;

/// A process that can be a factor of a [`Factorization`], beside other units that it does not know.
pub trait Factored: Process {
    /// True if units share a state. What only that needs is not compiled for others.
    const SHARES_STATE: bool;
    /// Returns the owner of the roll that is due.
    fn turn(&self, state: &Self::State) -> RollOwner;
    /// Passes the drawn candidates of a Random Selection to `state`.
    fn draw(&self, state: &mut Self::State, drawn: Selection);
    /// Tells `state` which unit, of all asked in turn, was first to answer.
    fn resolve_call(&self, state: &mut Self::State, called: CallOutcome);
    /// Merges the outcome of the first unit to answer into `state`, which may equal `first`.
    fn merge_first(&self, state: &mut Self::State, first: &Self::State);
    /// Returns the moment at which each unit absent at the start appeared, in order.
    fn spawned(&self, state: &Self::State) -> Spawns;
    /// Returns `state` without what all units share, by which units beside different shared states
    /// are compared. With the shared state it must give `state`.
    fn own_part(&self, state: &Self::State) -> Self::State;
}

/// The owner of the next roll when one unit is played together with the state that all units share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollOwner {
    /// The unit makes the roll.
    Own,
    /// The state that all units share makes the roll, such as a leader.
    Common,
    /// A Random Selection of `count` among `common` shared candidates and `own` ones of the unit.
    Lots { count: u8, common: u8, own: u8 },
    /// A call, which asks all units in turn until one answers, such as this one if `answers`.
    Call { answers: bool },
    /// The first unit's answer is to be merged into all states; `own` says whether it is this unit.
    News { own: bool },
    /// The owner depends on other units: the question does not factorise.
    Unknown,
}

/// The result of a call, as one unit sees it. A call asks all units in turn until one answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallOutcome {
    First,
    Another,
    Nobody,
}

/// The candidates drawn in a Random Selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Selection {
    /// The drawn candidates of the state that all units share; bit `i` is candidate `i` (0-based).
    pub common: u64,
    /// The drawn candidates of the unit; bit `i` is candidate `i` (0-based).
    pub own: u64,
}

/// The moment at which a unit appeared. Factors compare it by round, then by the order of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spawn {
    pub round: u8,
    /// The 0-based index of its parent among the factor's earlier units; `None` if it has none.
    pub out_of: Option<u8>,
}

/// The moments at which units appeared within one factor, in order.
pub type Spawns = SmallVec<[Spawn; 2]>;

/// One factor of a [`Factorization`]: a unit with the state all units share, and its equivalents.
#[derive(Clone, Debug)]
pub struct Factor<P> {
    /// The process of the unit with the shared state. It reports the unit and its descendants.
    pub process: P,
    /// The 1-based slots (places in the list of units) of the unit and of its equivalents.
    pub slots: Vec<u8>,
}

/// A question whose units are independent given the course of the state that all units share.
#[derive(Clone, Debug)]
pub struct Factorization<P> {
    /// The process of the state that all units share; `None` if they share nothing.
    pub common: Option<P>,
    /// The factors, which cover all units outside the shared state.
    pub factors: Vec<Factor<P>>,
    /// True if a unit that is a success at one report is a success at all later ones.
    pub is_lasting: bool,
    /// True if [`super::Question::parts`] splits the question, too, and not only the factors do.
    pub has_parts: bool,
}

/// The process of a unit that shares nothing with other units, so that it makes all its rolls.
#[derive(Clone, Debug)]
pub struct IndependentUnit<P>(pub P);

impl<P: Process> Wrapper for IndependentUnit<P> {
    type Inner = P;
    type State = P::State;
    type Outcome = P::Outcome;

    #[inline]
    fn process(&self) -> &P {
        &self.0
    }

    fn report(&self, state: &P::State, observe: &mut dyn FnMut(P::Outcome)) {
        self.0.report(state, observe);
    }
}

impl<P: Process> Factored for IndependentUnit<P> {
    const SHARES_STATE: bool = false;

    fn turn(&self, _: &P::State) -> RollOwner {
        RollOwner::Own
    }
    fn draw(&self, _: &mut P::State, _: Selection) {}
    fn resolve_call(&self, _: &mut P::State, _: CallOutcome) {}
    fn merge_first(&self, _: &mut P::State, _: &P::State) {}
    fn spawned(&self, _: &P::State) -> Spawns {
        Spawns::new()
    }
    fn own_part(&self, state: &P::State) -> P::State {
        state.clone()
    }
}
