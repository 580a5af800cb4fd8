//! Factored questions against whole ones: rows, created units, and counts.

use std::collections::{BTreeMap, BTreeSet};

use super::stacks::{Dice, question as random_question};
use super::{counting, draft};
use crate::fit::chi_squared;
use lowcrawl::answer::counting::OutcomeCounter;
use lowcrawl::answer::factored::{COURSES, FactoredRequest};
use lowcrawl::answer::odds::answer;
use lowcrawl::answer::{
    Answerable, CountedUnit, Engine, Estimate, Meta, Options, QuestionInfo, Row, Table, Trials,
    UnitInClass,
};
use lowcrawl::asl::kinds::QuestionKind;
use lowcrawl::asl::outcome::Outcome;
use lowcrawl::asl::question::{Draft, Question};
use lowcrawl::asl::stack_process::StackProcess;
use lowcrawl::engine::EngineError;
use lowcrawl::engine::exact::Bound;
use lowcrawl::engine::factored::{Manner, TreeError, play};
use lowcrawl::process::{Label, Parts, ReportIndex};
use lowcrawl::schema::{Group, UnitEnd};

/// A question whose factorisation is hidden.
struct Whole<'a>(&'a Question);

impl lowcrawl::process::Question for Whole<'_> {
    type Process = StackProcess;

    fn whole(&self) -> StackProcess {
        self.0.whole()
    }
    fn parts(&self) -> Parts<StackProcess> {
        self.0.parts()
    }
    fn label(&self, point: ReportIndex, outcome: &Outcome) -> Label {
        self.0.label(point, outcome)
    }
}

impl Answerable for Whole<'_> {
    fn words(&self) -> &dyn QuestionInfo {
        self.0.words()
    }
    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        self.0.counted_units(group)
    }
    fn counted(
        &self,
        group: &Group,
        end: Option<&UnitEnd>,
        outcome: &Outcome,
        visit: &mut dyn FnMut(UnitInClass),
    ) {
        self.0.counted(group, end, outcome, visit);
    }
    fn slot(&self, outcome: &Outcome) -> Option<u8> {
        self.0.slot(outcome)
    }
}

fn assert_same(one: Estimate, other: Estimate, what: &str) {
    match (one, other) {
        (
            Estimate::Exact { fraction: Some(one), .. },
            Estimate::Exact { fraction: Some(other), .. },
        ) => {
            assert_eq!(one, other, "{what}");
        }
        _ => assert!(
            (one.probability() - other.probability()).abs() < 1e-12,
            "{what}: {one} {other}"
        ),
    }
}

fn assert_agree(factored: &Table, whole: &Table, what: &str) {
    let labels = |table: &Table| table.rows.iter().map(|row| row.label.clone()).collect::<Vec<_>>();
    assert_eq!(labels(factored), labels(whole), "{what}");
    for (one, other) in factored.rows.iter().zip(&whole.rows) {
        assert_same(one.figure, other.figure, &format!("{what}: {:?}", one.label));
    }
    let (factored, whole) = (factored.counts.as_ref().unwrap(), whole.counts.as_ref().unwrap());
    let tallies = |table: &[(ReportIndex, _, Estimate)]| {
        table.iter().map(|(point, tally, _)| (*point, *tally)).collect::<Vec<_>>()
    };
    assert_eq!(tallies(&factored.tallies), tallies(&whole.tallies), "{what}");
    for ((point, tally, one), (.., other)) in factored.tallies.iter().zip(&whole.tallies) {
        assert_same(*one, *other, &format!("{what}: {point} {tally:?}"));
    }
}

/// Returns the factored and the whole answer, if the question factorises and the whole is small
/// enough.
fn both(
    question: &Question,
    with_created: bool,
    group: Option<&'static Group>,
) -> Option<[Table; 2]> {
    question.factorization()?;
    let counts = counting(group, with_created);
    let options = Options { engine: Engine::Exact, counts, ..Options::default() };
    let whole = match answer(&Whole(question), &options, Meta::default()) {
        Err(EngineError::TooManyStates { .. } | EngineError::TooMuchWork { .. }) => return None,
        whole => whole.unwrap(),
    };
    Some([answer(question, &options, Meta::default()).unwrap(), whole])
}

#[test]
fn factored_answers_equal_whole_answers() {
    let mut dice = Dice(20);
    let (mut compared, mut created, mut unparted) = (0_u32, 0, 0);
    while compared < 500 {
        let (ask, fields) = random_question(&mut dice);
        let Some(draft) = draft(ask, &fields, false) else { continue };
        let question = draft.question().unwrap();
        let groups = question.words().facts().kind.groups;
        let group = Some(&groups[dice.below(groups.len())]);
        let Some([factored, whole]) = both(&question, compared.is_multiple_of(2), group) else {
            continue;
        };
        assert_agree(&factored, &whole, &format!("{ask:?} {fields:?} {group:?}"));
        let units = question.words().facts().units;
        unparted += u32::from(
            question.factorization().is_some_and(|factorization| !factorization.has_parts),
        );
        created += usize::from(factored.rows.iter().any(|row| row.label.slot > Some(units)));
        compared += 1;
    }
    assert!(created > 100, "only {created} of them create units");
    assert!(unparted > 150, "only {unparted} of them report rows by courses alone");
}

/// Created units are reported in the order of their creation, which is kept for 126 Rally Phases. A
/// longer sequence does not factorise.
#[test]
fn sequence_of_too_many_rally_phases_does_not_factorise() {
    let factorises = |steps: usize| {
        let step = |step| format!("{step}.do=rally; {step}.leader=8-1; {step}.phases=60");
        let steps: Vec<String> = (1..=steps).map(step).collect();
        let fields = format!("stack=2x german:4-6-7/dm; {}", steps.join("; "));
        let question = draft(QuestionKind::Sequence, &fields, false).unwrap().question().unwrap();
        let factorization = question.factorization().unwrap();
        let played = play::<_, f64>(
            &factorization,
            Bound::STANDARD,
            Manner::default(),
            |_, _| None,
            &mut |_| Ok(()),
        );
        assert!(matches!(played, Ok(_) | Err(TreeError::NotFactored)), "{played:?}");
        played.is_ok()
    };
    assert_eq!([1, 2, 3].map(factorises), [true, true, false]);
}

/// Draws one question about two random stacks together.
fn big(dice: &mut Dice) -> Option<Draft> {
    let (ask, fields) = random_question(dice);
    let (_, others) = random_question(dice);
    let other = others.split("; ").next().unwrap().trim_start_matches("stack=");
    let fields = fields.replacen("; ", &format!(" + {other}; "), 1);
    draft(ask, &fields, false)
}

/// Returns the p-value of the draws against the exact odds.
fn fit_p_value<K: Ord + std::fmt::Debug>(
    exact: impl Iterator<Item = (K, f64)>,
    drawn: impl Iterator<Item = (K, u64)>,
    trials: u64,
    what: &str,
) -> f64 {
    let expected: BTreeMap<K, f64> = exact.collect();
    let counted: BTreeMap<K, u64> = drawn.filter(|(_, count)| *count > 0).collect();
    let impossible: Vec<&K> = counted.keys().filter(|key| !expected.contains_key(key)).collect();
    assert!(impossible.is_empty(), "{what}: {impossible:?}");
    let observed = expected.keys().map(|key| counted.get(key).copied().unwrap_or(0));
    let mut observed: Vec<u64> = observed.collect();
    let mut odds: Vec<f64> = expected.into_values().collect();
    // The rest of all outcomes.
    observed.push(trials - observed.iter().sum::<u64>());
    odds.push((1.0 - odds.iter().sum::<f64>()).max(0.0));
    chi_squared(&observed, &odds).map_or(1.0, |fit| fit.p_value)
}

/// Tests about 300 distributions at a fixed seed. One in a thousand falls below 0.001 by chance.
#[test]
fn drawn_outcomes_of_big_stacks_fit_the_exact_odds() {
    const TRIALS: u64 = 20_000;
    let mut dice = Dice(36);
    let (mut compared, mut tests, mut odd) = (0, 0, 0);
    while compared < 100 {
        let Some(question) = big(&mut dice).map(|draft| draft.question().unwrap()) else {
            continue;
        };
        let units = question.words().facts().units;
        if question.factorization().is_none() || units < 4 {
            continue;
        }
        let what = question.texts().in_words;
        let counts = counting(None, true);
        let exactly = Options { engine: Engine::Exact, counts, ..Options::default() };
        let Ok(exact) = answer(&question, &exactly, Meta::default()) else { continue };
        let (trials, seed) = (Trials::Number(TRIALS), compared);
        let by_dice = Options { engine: Engine::MonteCarlo, trials, seed, ..exactly };
        let drawn = answer(&question, &by_dice, Meta::default()).unwrap();
        let count = |figure: &Estimate| figure.counted().unwrap().0;
        let point = |label: &Label| label.phase.unwrap_or_default();
        // Each created unit at each point, and the counts.
        let slots: BTreeSet<_> =
            exact.rows.iter().map(|row| (row.label.slot, point(&row.label))).collect();
        for of in slots.into_iter().filter(|(slot, _)| *slot > Some(units)) {
            let of_slot = |row: &&Row| (row.label.slot, point(&row.label)) == of;
            let p = fit_p_value(
                exact.rows.iter().filter(of_slot).map(|row| (&row.label, row.figure.probability())),
                drawn.rows.iter().filter(of_slot).map(|row| (&row.label, count(&row.figure))),
                TRIALS,
                &format!("{what} {of:?}"),
            );
            assert!(p > 1e-5, "{what} {of:?}: {p}");
            (tests, odd) = (tests + 1, odd + usize::from(p < 1e-3));
        }
        let (exact, drawn) = (exact.counts.unwrap(), drawn.counts.unwrap());
        for at in exact.all_points() {
            let p = fit_p_value(
                exact
                    .tallies
                    .iter()
                    .filter(|(point, ..)| *point == at)
                    .map(|(_, tally, figure)| (tally, figure.probability())),
                drawn
                    .tallies
                    .iter()
                    .filter(|(point, ..)| *point == at)
                    .map(|(_, tally, figure)| (tally, count(figure))),
                TRIALS,
                &format!("{what} at {at}"),
            );
            assert!(p > 1e-5, "{what} at {at}: {p}");
            (tests, odd) = (tests + 1, odd + usize::from(p < 1e-3));
        }
        compared += 1;
    }
    assert!(tests > 200 && odd <= 3, "{odd} of {tests} are odd");
}

/// A leader lost to one shot takes no part in the next (A9.2): the factors stay in step.
#[test]
fn factored_shots_have_the_odds_of_the_whole() {
    for (stack, step) in [
        ("8-0 + russian:4-4-7", "by=9-2 + german:4-6-7/hmg; 1.range=3; 1.rof=2"),
        ("2x russian:4-4-7", "by=8-1 + german:4-6-7/hmg; 1.range=2; 1.rof=2"),
    ] {
        let again = "2.do=fire; 2.fp=8";
        let fields = format!("stack={stack}; hob=false; 1.do=fire; 1.{step}; {again}");
        let question = draft(QuestionKind::Sequence, &fields, false).unwrap().question().unwrap();
        let factorization = question.factorization().unwrap();
        play::<_, f64>(
            &factorization,
            Bound::STANDARD,
            Manner::default(),
            |_, _| None,
            &mut |_| Ok(()),
        )
        .unwrap_or_else(|error| panic!("{fields}: {error:?}"));
        let [factored, whole] = both(&question, true, None).unwrap();
        assert_agree(&factored, &whole, &fields);
    }
}

/// Returns the outcomes of initial units, and the counts, each with its probability.
fn followed(question: &Question, joint: bool) -> Option<[BTreeMap<String, f64>; 2]> {
    let counter = OutcomeCounter::new(question, counting(None, false)?)?;
    let wanted = [FactoredRequest::Rows, FactoredRequest::Counts(&counter)];
    let (factors, manner) = (question.factors()?, Manner { dropping: None, joint });
    let answers = factors.followed(question, &wanted, COURSES, manner).unwrap()?;
    let [Some(rows), Some(counts)] = &answers[..] else { return None };
    let row = |(noted, figure): &(_, Estimate)| (format!("{noted:?}"), figure.probability());
    let count = |(point, tally, figure): &(ReportIndex, _, Estimate)| {
        (format!("{point} {tally:?}"), figure.probability())
    };
    Some([rows.noted.iter().map(row).collect(), counts.tallies.iter().map(count).collect()])
}

/// Joint states have the odds of courses. They are refused where slots are not interchangeable:
/// where units can appear on the way or only the first may Self-Rally.
#[test]
fn joint_states_have_the_odds_of_courses() {
    let mut dice = Dice(41);
    let (mut compared, mut selected, mut refused) = (0, 0, 0);
    while compared < 300 {
        let (ask, fields) = random_question(&mut dice);
        let Some(draft) = draft(ask, &fields, false) else { continue };
        let question = draft.question().unwrap();
        let Some(courses) = followed(&question, false) else { continue };
        let Some(joint) = followed(&question, true) else {
            refused += 1;
            continue;
        };
        for (courses, joint) in courses.iter().zip(&joint) {
            let keys = |odds: &BTreeMap<String, f64>| odds.keys().cloned().collect::<Vec<_>>();
            assert_eq!(keys(courses), keys(joint), "{ask:?} {fields}");
            for (key, odds) in courses {
                assert!((odds - joint[key]).abs() < 1e-12, "{ask:?} {fields}: {key}");
            }
        }
        selected += u32::from(ask == QuestionKind::Fire);
        compared += 1;
    }
    assert!(selected > 20 && refused > 20, "{selected} attacks, {refused} refused");
}
