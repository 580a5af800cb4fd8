//! Checks that wrappers do not change the odds of a process.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use lowcrawl::answer::{CountedReport, Tallied};
use lowcrawl::dice::stream::DiceLane;
use lowcrawl::engine::exact::{self, Bound};
use lowcrawl::play::{Conditioned, DicePrefix};
use lowcrawl::process::{
    Due, Player, Process, ReportIndex, Silent, WithPolicy, Wrapper, WrapperState as _,
};

const BOUND: Bound = Bound { alive: 1 << 20, worked: 1 << 24, ..Bound::STANDARD };

/// A policy that takes the first option.
fn first_option<P: Process>(process: P) -> WithPolicy<'static, P> {
    WithPolicy::new(process, |_, _, _, _| 0)
}

fn own<O: Debug>(noted: CountedReport<O>) -> O {
    let CountedReport::Own(outcome) = noted else { panic!("{noted:?} is counted") };
    outcome
}

fn odds<P: Process, O: Ord>(
    process: &P,
    unwrap: impl Fn(P::Outcome) -> O,
) -> BTreeMap<(ReportIndex, O), f64> {
    let chances = exact::odds(process, BOUND).unwrap().chances;
    chances
        .into_iter()
        .map(|chance| ((chance.point, unwrap(chance.outcome)), chance.probability))
        .collect()
}

/// Plays one sequence of a wrapped process. Panics unless each state has the epoch of the state
/// inside it, and each follower is the state after that option.
fn assert_consistent<W: Wrapper>(wrapper: &W, what: &str) {
    let mut lane = DiceLane::new(W::Inner::BASE, 7, 0, 0);
    let mut state = wrapper.start(&mut Silent);
    loop {
        assert_eq!(wrapper.epoch(&state), wrapper.process().epoch(state.inner()), "{what}");
        match wrapper.due(&state) {
            Due::Roll(dice, terms) => {
                let reading = wrapper.read(&terms, lane.roll(dice));
                wrapper.apply(&mut state, reading, &mut Silent);
            }
            Due::Choice { options, .. } => {
                let followers = wrapper.followers(&state, options);
                assert_eq!(followers.len(), options, "{what}");
                for (option, follower) in followers.into_iter().enumerate() {
                    let mut next = state.clone();
                    wrapper.choose(&mut next, option, &mut Silent);
                    assert!(next == follower, "{what}: option {option}");
                }
                wrapper.choose(&mut state, options - 1, &mut Silent);
            }
            Due::Report(_) => wrapper.pass(&mut state, &mut Silent),
            Due::Over => return,
        }
    }
}

/// Panics unless the process has equal odds in every wrapper, and keeps its clock and its choices.
pub fn assert_alike_in_every_wrapper<P>(process: &P, what: &str)
where
    P: Process<Outcome: Debug> + Clone + Send,
{
    let whole = || process.clone();
    let at_start = Arc::new(DicePrefix::at_start(process));
    assert_consistent(&Arc::new(whole()), what);
    assert_consistent(&Tallied::plain(whole()), what);
    assert_consistent(&Conditioned::new(whole(), at_start), what);
    assert_consistent(&first_option(whole()).leaving(Player::Owner), what);
    let base = first_option(whole());
    let expected = odds(&base, |outcome| outcome);
    assert!(!expected.is_empty(), "{what}");
    let wrapped = [
        odds(&Arc::new(base.clone()), |outcome| outcome),
        odds(&Tallied::plain(base.clone()), own),
        odds(&Conditioned::under(base.clone(), None), |outcome| outcome),
        odds(&first_option(base), |outcome| outcome),
    ];
    for (number, odds) in wrapped.iter().enumerate() {
        assert_eq!(*odds, expected, "{what}: wrapper {number}");
    }
}
