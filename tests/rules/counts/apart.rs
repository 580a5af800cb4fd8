//! Questions that come apart, against the whole of them: rows, units that appear on the way, and
//! counts.

use super::stacks::{Dice, question as any};
use super::{counting, draft};
use lowcrawl::asl::engagement::Engagement;
use lowcrawl::asl::outcome::Outcome;
use lowcrawl::asl::question::Question;
use lowcrawl::engine::EngineError;
use lowcrawl::process::{Label, Parts, Point, Question as _};
use lowcrawl::system::answer::{Engine, Options, answer};
use lowcrawl::system::count::{Beginner, Counted, Group};
use lowcrawl::system::table::{Figure, Meta, Table};
use lowcrawl::system::{Asked, Words};

/// A question that does not say how it comes apart.
struct Whole<'a>(&'a Question);

impl lowcrawl::process::Question for Whole<'_> {
    type Process = Engagement;

    fn whole(&self) -> Engagement {
        self.0.whole()
    }
    fn parts(&self) -> Parts<Engagement> {
        self.0.parts()
    }
    fn label(&self, point: Point, outcome: &Outcome) -> Label {
        self.0.label(point, outcome)
    }
}

impl Asked for Whole<'_> {
    fn words(&self) -> &dyn Words {
        self.0.words()
    }
    fn begun(&self, group: &Group) -> Vec<Beginner> {
        self.0.begun(group)
    }
    fn counted(&self, group: &Group, outcome: &Outcome, tell: &mut dyn FnMut(Counted)) {
        self.0.counted(group, outcome, tell);
    }
    fn slot(&self, outcome: &Outcome) -> Option<u8> {
        self.0.slot(outcome)
    }
}

fn same(one: Figure, other: Figure, what: &str) {
    match (one, other) {
        (
            Figure::Exact { fraction: Some(one), .. },
            Figure::Exact { fraction: Some(other), .. },
        ) => {
            assert_eq!(one, other, "{what}");
        }
        _ => assert!(
            (one.probability() - other.probability()).abs() < 1e-12,
            "{what}: {one} {other}"
        ),
    }
}

fn agree(apart: &Table, whole: &Table, what: &str) {
    let labels = |table: &Table| table.rows.iter().map(|row| row.label.clone()).collect::<Vec<_>>();
    assert_eq!(labels(apart), labels(whole), "{what}");
    for (one, other) in apart.rows.iter().zip(&whole.rows) {
        same(one.figure, other.figure, &format!("{what}: {:?}", one.label));
    }
    let (apart, whole) = (apart.counts.as_ref().unwrap(), whole.counts.as_ref().unwrap());
    let tallies = |table: &[(Point, _, Figure)]| {
        table.iter().map(|(point, tally, _)| (*point, *tally)).collect::<Vec<_>>()
    };
    assert_eq!(tallies(&apart.tallies), tallies(&whole.tallies), "{what}");
    for ((point, tally, one), (.., other)) in apart.tallies.iter().zip(&whole.tallies) {
        same(*one, *other, &format!("{what}: {point} {tally:?}"));
    }
}

/// Both answers, if the question comes apart and the whole is small enough.
fn both(
    question: &Question,
    with_created: bool,
    group: Option<&'static Group>,
) -> Option<[Table; 2]> {
    question.limbs()?;
    let counts = counting(group, with_created);
    let options = Options { engine: Engine::Exact, counts, ..Options::default() };
    let whole = match answer(&Whole(question), &options, Meta::default()) {
        Err(EngineError::TooManyStates { .. } | EngineError::TooMuchWork { .. }) => return None,
        whole => whole.unwrap(),
    };
    Some([answer(question, &options, Meta::default()).unwrap(), whole])
}

#[test]
fn random_questions_apart_are_those_of_the_whole() {
    let mut dice = Dice(20);
    let (mut compared, mut created) = (0, 0);
    while compared < 300 {
        let (ask, fields) = any(&mut dice);
        let Some(draft) = draft(ask, &fields, false) else { continue };
        let question = draft.question().unwrap();
        let groups = question.words().kind().groups;
        let group = Some(&groups[dice.below(groups.len())]);
        let Some([apart, whole]) = both(&question, compared % 2 == 0, group) else { continue };
        agree(&apart, &whole, &format!("{ask:?} {fields:?} {group:?}"));
        let units = question.words().units();
        created += usize::from(apart.rows.iter().any(|row| row.label.slot > Some(units)));
        compared += 1;
    }
    assert!(created > 60, "{created} of them tell of units that appear on the way");
}
