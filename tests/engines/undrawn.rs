//! Tests of possible outcomes that no sequence drew. They have rows if they are known, and a note
//! if they are not.

use std::collections::BTreeSet;

use lowcrawl::answer::sheet::figure_cells;
use lowcrawl::answer::{Cell, Engine, Options, Table, Trials};
use lowcrawl::play::DynQuestion;
use lowcrawl::process::Label;
use lowcrawl::schema::Kind;
use lowcrawl::schema::form::setting;
use lowcrawl::stats::{METHOD, METHOD_OF_STRATA, Proportion};

/// Builds a question from `fortitude recover; units=unit/shaken; turns=3`. The game of ASL is not
/// named.
fn build_question(text: &str) -> Box<dyn DynQuestion> {
    let registry = lowcrawl::api::games();
    let mut parts = text.split(';').map(str::trim);
    let words: Vec<&str> = parts.next().unwrap().split(' ').collect();
    let game = if words.len() == 1 { registry.first() } else { registry.game(words[0]).unwrap() };
    let mut form = game.form(Kind::named(words[words.len() - 1], game.kinds()).expect(text));
    for part in parts {
        let (field, value) = part.split_once('=').expect(text);
        let value = form
            .field(field)
            .map_or_else(|| setting(value), |declared| declared.takes.value(value));
        form.set(field, value).unwrap_or_else(|fault| panic!("{text}: {field}: {fault}"));
    }
    form.finish().unwrap_or_else(|error| panic!("{text}: {}: {}", error.field, error.fault))
}

fn answer_of(question: &dyn DynQuestion, engine: Engine, trials: u64, stratify: u32) -> Table {
    let options =
        Options { engine, trials: Trials::Number(trials), stratify, ..Options::default() };
    question.answer(&options, question.meta(String::new())).unwrap()
}

fn labels(answer: &Table) -> BTreeSet<Label> {
    answer.rows.iter().map(|row| row.label.clone()).collect()
}

const SMALL: [&str; 8] = [
    "check; stack=9-1 + 2x german:4-6-7; mc=1",
    "check; stack=9-1 + german:4-6-7; mc=1; joint=true",
    "fire; stack=8-0 + german:4-6-7; fp=8",
    "rally; stack=german:8-1/broken + german:4-6-7/dm; phases=3",
    "interdict; stack=2x german:4-6-7/dm; hexes=2",
    "sequence; stack=german:4-6-7; 1.do=check; 1.mc=0; 2.do=rally; 2.leader=8-0; 2.phases=3",
    "fortitude recover; units=unit/shaken + unit/panicked; turns=3",
    "reaction volley; target=unit/reaction=2,cohesion=3; dice=4",
];

/// A simulation by the table has a row for each possible outcome, after any number of sequences.
#[test]
fn every_possible_outcome_has_a_row() {
    let mut undrawn = 0;
    for text in SMALL {
        let question = build_question(text);
        let exact = labels(&answer_of(question.as_ref(), Engine::Exact, 0, 0));
        for stratify in [0, 1] {
            let answer = answer_of(question.as_ref(), Engine::MonteCarlo, 100, stratify);
            assert_eq!(labels(&answer), exact, "{text}");
            assert_eq!((answer.rows.len(), answer.meta.unseen), (exact.len(), None), "{text}");
            let method = if stratify == 0 { METHOD } else { METHOD_OF_STRATA };
            assert_eq!(answer.meta.interval, Some(method));
            for row in answer.rows.iter().filter(|row| row.figure.probability() == 0.0) {
                undrawn += 1;
                let (_, trials) = row.figure.counted().unwrap();
                let (low, high) = Proportion { count: 0, trials }.interval(0.95);
                assert_eq!(
                    (low, row.figure.interval()),
                    (0.0, Some((0.0, high))),
                    "{text}: {:?}",
                    row.label
                );
                let cells = [0.0, 0.0, 0.0, high].map(Cell::Float).into_iter();
                let cells: Vec<Cell> = cells
                    .chain([Cell::Integer(0), Cell::Integer(trials as i64), Cell::Null, Cell::Null])
                    .collect();
                assert_eq!(figure_cells(&row.figure).to_vec(), cells);
            }
        }
    }
    assert!(undrawn > 100, "{undrawn}");
}

/// Rows of outcomes that occurred in no sequence add nothing to the sums.
#[test]
fn outcomes_of_every_unit_add_up_to_all_sequences() {
    for text in ["check; stack=9-1 + 2x german:4-6-7; mc=1", "fire; stack=8-0 + german:4-6-7; fp=8"]
    {
        let question = build_question(text);
        let answer = answer_of(question.as_ref(), Engine::MonteCarlo, 360, 1);
        for slot in 1..=question.words().facts().units {
            let own = answer.rows.iter().filter(|row| row.label.slot == Some(slot));
            assert_eq!(
                own.map(|row| row.figure.counted().unwrap().0).sum::<u64>(),
                360,
                "{text}: {slot}"
            );
        }
    }
}

/// Seven units have more states than a table holds, so a note gives the bound on all outcomes
/// without a row. In only 50 sequences nearly all outcomes of the stack are drawn once, and no
/// bound is known.
#[test]
fn note_gives_the_bound_on_unknown_outcomes() {
    let note = |answer: &Table| {
        answer
            .meta
            .notes
            .iter()
            .filter(|note| note.starts_with("all outcomes that never came up"))
            .count()
    };
    let bound = |text: &str, trials| {
        let answer = answer_of(build_question(text).as_ref(), Engine::MonteCarlo, trials, 0);
        assert_eq!(note(&answer), 1, "{:?}", answer.meta.notes);
        assert!(answer.rows.iter().all(|row| row.figure.probability() > 0.0));
        answer.meta.unseen.unwrap()
    };
    let stack = "fire; stack=8-1 + 6x german:4-6-7; fp=12";
    let (few, many) = (bound(stack, 1_000), bound(stack, 20_000));
    assert!(3.6 / 20_000.0 < many && many < few && few < 0.1, "{few} {many}");
    assert!(bound("fire; stack=8-1 + 6x german:4-6-7; fp=12; joint=true", 50) > 0.9);
    let exact = answer_of(build_question(SMALL[0]).as_ref(), Engine::Exact, 0, 0);
    assert_eq!((note(&exact), exact.meta.interval, exact.meta.unseen), (0, None, None));
}
