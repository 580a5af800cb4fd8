//! Odds after dice already rolled: computed by hand, and by the law of total probability.

mod by_hand;
#[cfg(feature = "cli")]
mod command;
mod courses;
mod law;

use std::collections::BTreeMap;

use crate::toy;
use lowcrawl::answer::{Engine, Estimate, Options, Table};
use lowcrawl::engine::exact::Fraction;
use lowcrawl::play::{DynQuestion, Form, Registry};
use lowcrawl::process::Label;
use lowcrawl::schema::Kind;
use lowcrawl::schema::form::setting;

/// Returns the form of a question written as `fortitude recover; units=unit/shaken; turns=3`; for
/// ASL the name of the game is left out.
fn form(text: &str) -> Box<dyn Form> {
    let registry = Registry::new([lowcrawl::api::games().games(), &[&toy::Toy]].concat());
    let mut parts = text.split(';').map(str::trim);
    let words: Vec<&str> = parts.next().unwrap().split(' ').collect();
    let game = if words.len() == 1 { registry.first() } else { registry.game(words[0]).unwrap() };
    let mut form = game.form(Kind::named(words[words.len() - 1], game.kinds()).expect(text));
    for part in parts {
        let (field, value) = part.split_once('=').expect(text);
        let value = match form.field(field) {
            Some(declared) => declared.takes.value(value),
            None if field == "given" => value.into(),
            None => setting(value),
        };
        form.set(field, value).unwrap_or_else(|fault| panic!("{text}: {field}: {fault}"));
    }
    form
}

fn parse_question(text: &str) -> Box<dyn DynQuestion> {
    form(text).finish().unwrap_or_else(|error| panic!("{text}: {}: {}", error.field, error.fault))
}

fn answer_table(question: &dyn DynQuestion, options: &Options) -> Table {
    question.answer(options, question.meta(String::new())).unwrap()
}

/// Returns the exact odds of every row.
fn odds(question: &dyn DynQuestion) -> BTreeMap<Label, (f64, Option<Fraction>)> {
    let rows =
        answer_table(question, &Options { engine: Engine::Exact, ..Options::default() }).rows;
    let odds = rows.into_iter().map(|row| match row.figure {
        Estimate::Exact { probability, fraction } => (row.label, (probability, fraction)),
        _ => panic!("not exact"),
    });
    odds.collect()
}

/// Returns the probability that the unit in `slot` has the end `end` (`broken`, or `broken 4-6-7`)
/// at a phase or step; 0 if there is no such row.
fn ends(text: &str, slot: u8, point: u16, end: &str) -> String {
    let fits = |label: &Label| {
        let (status, counter) =
            (label.status.unwrap_or_default(), label.counter.clone().unwrap_or_default());
        let is_end = end == status || end == format!("{status} {counter}");
        is_end && label.slot == Some(slot) && label.phase.or(label.step).unwrap_or(0) == point
    };
    let fitting = odds(parse_question(text).as_ref()).into_iter().filter(|(label, _)| fits(label));
    let sum = fitting.fold(Fraction::new(0, 1), |sum, (_, (_, fraction))| {
        sum.checked_add(fraction.unwrap()).unwrap()
    });
    sum.to_string()
}
