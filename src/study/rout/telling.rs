//! What is told of a situation in a table: how its last unit best routs, or a measure or a count of
//! all units after the Rout Phase.

use super::super::number::told;
use super::super::told::{Style, Told};
use crate::table::Figure;
use asl::course::game::Asl;
use asl::course::phase::{InOrder, SCHEME, counts, in_order};
use asl::course::rout::{BEST, Prospect, standing};
use asl::rout::Situation;
use engine::EngineError;
use engine::text::{Fault, canonical};
use system::answer::Options;
use system::count::Counting;
use system::objective::Objective;
use system::{Game as _, Kind};

/// What is hoped for of the last unit.
pub const HOPE: &str = "in woods or a building after its best plan, neither lost nor captured";

/// What is told.
#[derive(Clone, Debug, Default)]
pub enum Telling {
    /// How likely what is hoped for is.
    #[default]
    Hoped,
    /// The kind of the best plan, and by how much it is better than one of another kind.
    Choice,
    /// The latter.
    Margin,
    /// A measure, or a number of counts, where the units rout one after another in their order.
    Of(Objective),
}

const CHOICE: &str = "choice";
const MARGIN: &str = "margin";
const SURRENDER: &str = "surrender";

impl Telling {
    /// The one of that name.
    pub fn read(text: &str) -> Result<Telling, Fault> {
        match canonical(text).as_str() {
            CHOICE => return Ok(Telling::Choice),
            MARGIN => return Ok(Telling::Margin),
            _ => {}
        }
        let counted =
            |kind: &&'static Kind| kind.classes == SCHEME.classes && kind.groups == SCHEME.groups;
        let kinds: Vec<&'static Kind> = Asl.kinds().iter().copied().filter(counted).collect();
        let objective = Objective::read(text, Asl.measures(), &kinds).map_err(|fault| {
            let is_word = text.split_whitespace().count() < 2 && fault.help.is_some();
            let names = || Asl.measures().iter().map(|measure| measure.name);
            let classes = SCHEME.classes.iter().map(|class| class.name);
            match is_word {
                true => fault
                    .expecting(text, [CHOICE, MARGIN].into_iter().chain(names()).chain(classes)),
                false => fault,
            }
        })?;
        match objective.tell() {
            Some(tell) if tell.is_at_point() => {
                Err(Fault::new("a rout is told at its end only", 0..text.len()))
            }
            _ => Ok(Telling::Of(objective)),
        }
    }

    /// Whether less of it is better.
    pub fn is_minimized(&self) -> bool {
        matches!(self, Telling::Of(objective) if objective.is_minimized())
    }

    /// As it is written; nothing where none is named.
    pub fn name(&self) -> Option<String> {
        match self {
            Telling::Hoped => None,
            Telling::Choice => Some(CHOICE.to_string()),
            Telling::Margin => Some(MARGIN.to_string()),
            Telling::Of(objective) => Some(objective.to_string()),
        }
    }

    /// The same in words, of so many routing units, and how its numbers are written.
    pub fn in_words(&self, units: usize) -> (String, Style) {
        let unit = if units > 1 { "the last unit" } else { "the unit" };
        match self {
            Telling::Hoped => (format!("How often the last unit is {HOPE}"), Style::Odds),
            Telling::Choice => (
                format!("The best kind of plan for {unit}: {BEST}"),
                Style::Choice { of_odds: true },
            ),
            Telling::Margin => {
                let words = "By how much the best plan of";
                (
                    format!("{words} {unit} is better than one of another kind: {BEST}"),
                    Style::Points,
                )
            }
            Telling::Of(objective) => {
                let several = units > 1;
                let (words, is_odds) = match objective.tell() {
                    Some(tell) => (tell.in_words(), tell.is_odds()),
                    None => (objective.in_words(several), objective.is_odds(several)),
                };
                let style = if is_odds { Style::Odds } else { Style::Number };
                (format!("{words}, by best play"), style)
            }
        }
    }

    /// The number of a situation, of which the last unit has that before it, and how likely what is
    /// hoped for of that is.
    pub fn number(
        &self,
        situation: &Situation,
        last: &Prospect,
        hoped: Option<Figure>,
        options: &Options,
    ) -> Result<Option<Told>, EngineError> {
        Ok(match self {
            Telling::Hoped => hoped.map(|figure| Told {
                value: figure.probability(),
                interval: figure.interval(),
                word: None,
            }),
            Telling::Choice | Telling::Margin => best(last),
            Telling::Of(objective) => all(situation, objective, options)?,
        })
    }
}

/// The kind of the best plan, and by how much it is better than the best of another kind.
fn best(Prospect { ruling, courses, .. }: &Prospect) -> Option<Told> {
    let best = courses.first()?;
    let kind = best.plan.kind();
    let other = courses.iter().find(|course| course.plan.kind() != kind);
    let (word, other) = if ruling.surrenders { (SURRENDER, None) } else { (kind, other) };
    let value = other.map_or(0.0, |other| best.lead(other));
    Some(Told { value, interval: None, word: Some(word.to_string()) })
}

/// What all units of a situation come to.
fn all(
    situation: &Situation,
    objective: &Objective,
    options: &Options,
) -> Result<Option<Told>, EngineError> {
    let order: Vec<usize> = (0..situation.routers.len()).collect();
    if let Some(tell) = objective.tell() {
        let counting = Counting { group: tell.group, is_asked: true, ..Counting::BESIDE };
        let counts = counts(situation, &order, counting, options)?;
        return Ok(counts.and_then(|counts| tell.of(&counts)).as_ref().map(told));
    }
    let worth = |phase: InOrder| {
        let units = phase.order.iter().zip(&phase.odds);
        let worth = units.flat_map(|(&unit, odds)| {
            let began = situation.routers[unit].member.printed();
            odds.iter().map(move |chance| {
                chance.probability * objective.worth(&standing(&chance.outcome, began))
            })
        });
        Told { value: objective.number(worth.sum()), ..Told::default() }
    };
    Ok(in_order(situation, &order, options.watch)?.map(worth))
}
