//! The notation of units: `panzer-iv/dp=1 + 2x unit/reaction=3,at=4`.

use std::ops::Range;

use super::unit::{Behind, MAX_UNITS, Member, PRESETS, Unit, ValueOverrides};
use engine::text::Fault;
use schema::field::{FieldValue, Json, Takes};
use schema::form::RawValue;
use schema::roster::{Grammar, Item, UnitFact, is_unit, units};

/// A unit with the byte range of its notation in the text.
pub type PlacedUnit = (Member, Range<usize>);

/// A list of at most `MOST` units as written; empty if nothing is given.
#[derive(Clone, Debug, Default)]
pub struct UnitList<const MOST: usize>(pub Vec<PlacedUnit>);

pub const CONDITIONS: [&str; 16] = [
    "reaction=N",
    "artillery=N",
    "at=N",
    "fp=N",
    "cohesion=N",
    "fast",
    "soft",
    "dp=N",
    "suppressed",
    "fired",
    "moved=N",
    "goal=N",
    "edge=N",
    "cover=N",
    "enemy=N",
    "friend=N-N",
];

const GRAMMAR: Grammar = Grammar {
    unit: "unit",
    most: MAX_UNITS,
    example: "panzer-iv` or `unit/reaction=3,at=4",
    begins: |word, behind_conditions| {
        !behind_conditions || is_unit(word, PRESETS.iter().map(|preset| preset.name))
    },
};

impl<const MOST: usize> FieldValue for UnitList<MOST> {
    const TAKES: Takes = Takes::Text(if MOST == 1 { "UNIT" } else { "UNITS" });

    fn read(field: &str, value: RawValue) -> Result<Self, Fault> {
        let text = value.text(field)?;
        let items = units(text, GRAMMAR)?;
        let units = items
            .iter()
            .map(|item| Ok((member(item)?, item.span.clone())))
            .collect::<Result<Vec<_>, Fault>>()?;
        match (units.len(), MOST) {
            (count, most) if count <= most => Ok(UnitList(units)),
            (count, 1) => Err(Fault::new(format!("expected one unit, not {count}"), 0..text.len())),
            (count, most) => Err(Fault::new(
                format!("{count} units: a Command Group has at most {most}"),
                0..text.len(),
            )),
        }
    }

    fn to_json(&self) -> Json {
        match self.0.is_empty() {
            true => Json::Null,
            false => self
                .0
                .iter()
                .map(|(member, _)| member.to_string())
                .collect::<Vec<_>>()
                .join(" + ")
                .into(),
        }
    }
}

fn member(item: &Item) -> Result<Member, Fault> {
    let preset = item.named(&PRESETS, |preset| preset.name)?;
    let mut member = Member { preset, values: ValueOverrides::default(), start: Unit::default() };
    for condition in item.conditions()? {
        read_condition(&mut member, &condition)?;
    }
    if member.start.goal.is_some() && member.start.behind != Behind::default() {
        let message = "a unit with `goal=` cannot have obstacles behind it";
        return Err(Fault::new(message, item.span.clone())
            .help("use either `goal=` or obstacles behind it"));
    }
    check_behind(member.start.behind, item.span.clone())?;
    Ok(member)
}

fn read_condition(member: &mut Member, condition: &UnitFact) -> Result<(), Fault> {
    let UnitFact { name, value, text, span } = condition;
    let number = |low: u16, high: u16| {
        let read = value
            .and_then(|value| value.parse::<u16>().ok())
            .filter(|number| (low..=high).contains(number));
        let message = || format!("`{name}=` must be a whole number from {low} to {high}");
        read.ok_or_else(|| Fault::new(message(), span.clone()))
    };
    let dice = || number(0, 20).map(|dice| Some(dice as u8));
    let inches = || number(0, 99).map(|inches| Some(inches as u8));
    let Member { values, start, .. } = member;
    match (name.as_str(), value.is_some()) {
        ("reaction", true) => values.reaction = dice()?,
        ("artillery", true) => values.artillery = dice()?,
        ("at", true) => values.at = dice()?,
        ("fp", true) => values.fp = dice()?,
        ("cohesion", true) => values.cohesion = Some(number(1, 40)? as u8),
        ("fast", false) => values.fast = true,
        ("soft", false) => values.soft = true,
        ("dp", true) => start.dp = number(0, 39)? as u8,
        ("suppressed", false) => start.suppressed = true,
        ("fired", false) => start.fired = true,
        ("moved", true) => start.moved = number(0, 9999)?,
        ("goal", true) => start.goal = Some(number(0, 9999)?),
        ("edge", true) => start.behind.edge = inches()?,
        ("cover", true) => start.behind.cover = inches()?,
        ("enemy", true) => start.behind.enemy = inches()?,
        ("friend", true) => {
            start.behind.friend = Some(friend(value.unwrap_or_default(), span.clone())?)
        }
        (name, _) => return Err(unknown(text, name, span.clone())),
    }
    Ok(())
}

/// Returns the error for a condition that is unknown, lacks its value, or takes none.
fn unknown(condition: &str, name: &str, span: Range<usize>) -> Fault {
    match CONDITIONS.iter().find(|known| known.split('=').next() == Some(name)) {
        Some(known) if known.contains('=') => {
            Fault::new(format!("`{name}` needs a value: `{known}`"), span)
        }
        Some(_) => Fault::new(format!("`{name}` does not take a value"), span),
        None => Fault::new(format!("no condition is called `{condition}`"), span)
            .expecting(condition, CONDITIONS),
    }
}

/// Parses the extent of a friendly unit behind another unit, such as `7-10` inches.
fn friend(value: &str, span: Range<usize>) -> Result<(u8, u8), Fault> {
    let numbers =
        value.split_once('-').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    numbers.filter(|&(from, to)| from < to && to <= 99u8).ok_or_else(|| {
        let message =
            "`friend=` must be two rising whole numbers from 0 to 99 with `-` between them";
        Fault::new(message, span).help(
            "`friend=7-10`: a move that would end from 7 on, but short of 10, goes on to 10 inches",
        )
    })
}

/// Checks that nothing lies beyond the table edge or where a friendly unit stands.
fn check_behind(behind: Behind, span: Range<usize>) -> Result<(), Fault> {
    let fault = |message: &str| Err(Fault::new(message, span.clone()));
    let Behind { edge, cover, enemy, friend } = behind;
    let beyond = |place: Option<u8>| edge.zip(place).is_some_and(|(edge, place)| place > edge);
    if beyond(cover) || beyond(enemy) || beyond(friend.map(|(_, to)| to)) {
        return fault("an obstacle behind a unit cannot be farther than the table edge");
    }
    let in_friend = |place: Option<u8>| {
        friend.zip(place).is_some_and(|((from, to), place)| (from..to).contains(&place))
    };
    if in_friend(cover) || in_friend(enemy) {
        return fault("neither cover nor an enemy can be where a friend stands");
    }
    Ok(())
}
