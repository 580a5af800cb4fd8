//! Counts of units that hold, break and are lost. They are computed again from the outcomes of
//! whole stacks, by the definition of classes and groups.

mod apart;
mod chance;
mod kinds;
mod measures;
mod stacks;
mod twin;
mod waiting;
mod worked;

use lowcrawl::asl::kinds::QuestionKind;
use lowcrawl::asl::question::{Draft, Question, RawValue};
use lowcrawl::engine::exact::Fraction;
use lowcrawl::system::answer::{Engine, Options, Trials};
use lowcrawl::system::counting::{Counting, Group, Scheme};
use lowcrawl::system::counts::UnitCounts;
use lowcrawl::system::dyn_question::DynQuestion;
use lowcrawl::system::form::Settable as _;
use lowcrawl::system::table::Table;

/// A field of a question and its value.
type Given = (String, Said);

#[derive(Clone, Debug)]
enum Said {
    Text(String),
    Number(i64),
    Flag(bool),
}

impl Said {
    fn value(&self) -> RawValue<'_> {
        match self {
            Said::Text(text) => RawValue::Text(text),
            Said::Number(number) => RawValue::Integer(*number),
            Said::Flag(flag) => RawValue::Boolean(*flag),
        }
    }
}

/// Reads fields such as `phases=3 no-hob leader=8-1`, preceded by the stack.
fn fields(stack: &str, words: &str) -> Vec<Given> {
    let field = |word: &str| {
        let (name, said) = word.split_once('=').unwrap_or((word, "true"));
        let said = match (said, said.parse()) {
            ("true" | "false", _) => Said::Flag(said == "true"),
            (_, Ok(number)) => Said::Number(number),
            _ => Said::Text(said.to_string()),
        };
        match name.strip_prefix("no-") {
            Some("hob") => ("hob".to_string(), Said::Flag(false)),
            _ => (name.to_string(), said),
        }
    };
    let stack = ("stack".to_string(), Said::Text(stack.to_string()));
    [stack].into_iter().chain(words.split_whitespace().map(field)).collect()
}

/// A draft of ASL with these fields, or `None` if a field is invalid.
fn draft(ask: QuestionKind, fields: &[Given], joint: bool) -> Option<Draft> {
    let mut draft = Draft::new(ask);
    for (field, said) in fields {
        draft.set(field, said.value()).ok()?;
    }
    draft.set("joint", RawValue::Boolean(joint)).ok()?;
    draft.question().ok()?;
    Some(draft)
}

/// A question of any game, by the names of game and kind.
fn asking(game: &str, kind: &str, fields: &[Given]) -> Box<dyn DynQuestion> {
    let game = lowcrawl::games().game(game).unwrap();
    let kind = game.kinds().iter().find(|known| known.name == kind).unwrap();
    let mut form = kind.form();
    for (field, said) in fields {
        form.set(field, said.value()).unwrap_or_else(|fault| panic!("{field}: {fault}"));
    }
    form.finish().unwrap_or_else(|error| panic!("{}: {}", error.field, error.fault))
}

/// A question of ASL about a stack.
fn of_stack(kind: &str, stack: &str, words: &str) -> Box<dyn DynQuestion> {
    asking("asl", kind, &fields(stack, words))
}

fn counting(group: Option<&'static Group>, with_created: bool) -> Option<Counting> {
    Some(Counting { group, with_created, is_asked: true })
}

/// The exact answer with its counts; `None` if it is too large.
fn answered(
    asking: &dyn DynQuestion,
    group: Option<&'static Group>,
    with_created: bool,
) -> Option<Table> {
    let counts = counting(group, with_created);
    let options = Options { engine: Engine::Exact, counts, ..Options::default() };
    asking.answer(&options, asking.meta(String::new())).ok()
}

/// The exact counts of the group with a name.
fn counted(asking: &dyn DynQuestion, group: &str, with_created: bool) -> UnitCounts {
    let group = asking.kind().group(group).unwrap();
    answered(asking, Some(group), with_created).and_then(|table| table.counts).unwrap()
}

/// The counts by dice.
fn by_dice(
    asking: &dyn DynQuestion,
    group: Option<&'static Group>,
    trials: u64,
    seed: u64,
) -> UnitCounts {
    let (trials, counts) = (Trials::Number(trials), counting(group, true));
    let options =
        Options { engine: Engine::MonteCarlo, trials, seed, counts, ..Options::default() };
    asking.answer(&options, asking.meta(String::new())).unwrap().counts.unwrap()
}

/// The index of a class of a kind.
fn class(kind: Scheme, name: &str) -> usize {
    kind.classes.iter().position(|class| class.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn plus(a: Option<Fraction>, b: Option<Fraction>) -> Option<Fraction> {
    a.zip(b).and_then(|(a, b)| a.checked_add(b))
}

/// The question of a valid draft.
fn question(draft: &Draft) -> Question {
    draft.question().unwrap()
}
