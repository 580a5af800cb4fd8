//! Counts of units that hold, break and are lost. They are computed again from the outcomes of
//! whole stacks, by the definition of classes and groups.

mod by_hand;
mod certified;
mod ends;
mod factored;
mod kinds;
mod measures;
mod sampled;
mod stacks;
mod twin;
mod waiting;

use crate::table;
use lowcrawl::answer::{Counting, Engine, Options, Table, Trials, UnitCounts};
use lowcrawl::asl::kinds::QuestionKind;
use lowcrawl::asl::question::{Draft, Question, RawValue};
use lowcrawl::engine::exact::Fraction;
use lowcrawl::play::DynQuestion;
use lowcrawl::schema::{Group, Kind, Settable as _};

/// Returns the fields of a question about a stack, from words such as `phases=3 no-hob leader=8-1`.
fn fields(stack: &str, words: &str) -> String {
    format!("stack={stack}; {}", words.replace(' ', "; "))
}

/// Returns a draft of ASL with these fields, or `None` if a field is invalid.
fn draft(ask: QuestionKind, fields: &str, joint: bool) -> Option<Draft> {
    let mut draft = Draft::new(ask);
    for (field, value) in table::fields(fields) {
        draft.set(field, value).ok()?;
    }
    draft.set("joint", RawValue::Boolean(joint)).ok()?;
    draft.question().ok()?;
    Some(draft)
}

/// Builds a question of any game from the names of game and kind.
fn build_question(game: &str, kind: &str, fields: &str) -> Box<dyn DynQuestion> {
    let game = lowcrawl::games().game(game).unwrap();
    let kind = game.kinds().iter().find(|known| known.name == kind).unwrap();
    let mut form = game.form(kind);
    for (field, value) in table::fields(fields) {
        form.set(field, value).unwrap_or_else(|fault| panic!("{field}: {fault}"));
    }
    form.finish().unwrap_or_else(|error| panic!("{}: {}", error.field, error.fault))
}

/// Builds a question of ASL about a stack.
fn of_stack(kind: &str, stack: &str, words: &str) -> Box<dyn DynQuestion> {
    build_question("asl", kind, &fields(stack, words))
}

fn counting(group: Option<&'static Group>, with_created: bool) -> Option<Counting> {
    Some(Counting { group, with_created, is_requested: true, ..Counting::IMPLICIT })
}

/// Returns the exact answer with its counts, or `None` if it is too large.
fn answered(
    question: &dyn DynQuestion,
    group: Option<&'static Group>,
    with_created: bool,
) -> Option<Table> {
    let counts = counting(group, with_created);
    let options = Options { engine: Engine::Exact, counts, ..Options::default() };
    question.answer(&options, question.meta(String::new())).ok()
}

/// Returns the exact counts of the named group.
fn counted(question: &dyn DynQuestion, group: &str, with_created: bool) -> UnitCounts {
    let group = question.words().facts().kind.group(group).unwrap();
    answered(question, Some(group), with_created).and_then(|table| table.counts).unwrap()
}

/// Returns the counts estimated by Monte Carlo.
fn by_dice(
    question: &dyn DynQuestion,
    group: Option<&'static Group>,
    trials: u64,
    seed: u64,
) -> UnitCounts {
    let (trials, counts) = (Trials::Number(trials), counting(group, true));
    let options =
        Options { engine: Engine::MonteCarlo, trials, seed, counts, ..Options::default() };
    question.answer(&options, question.meta(String::new())).unwrap().counts.unwrap()
}

/// Returns the index of a named class of a kind.
fn class(kind: &'static Kind, name: &str) -> usize {
    kind.classes.iter().position(|class| class.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn plus(a: Option<Fraction>, b: Option<Fraction>) -> Option<Fraction> {
    a.zip(b).and_then(|(a, b)| a.checked_add(b))
}

/// Returns the question of a valid draft.
fn question(draft: &Draft) -> Question {
    draft.question().unwrap()
}
