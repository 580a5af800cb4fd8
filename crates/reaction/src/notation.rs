//! The notation of units: `panzer-iv/dp=1 + 2x unit/reaction=3,at=4`.

use std::ops::Range;

use super::unit::{Behind, MAX_UNITS, Member, PRESETS, Unit, ValueOverrides};
use engine::text::Fault;
use schema::roster::{is_unit, joined, units};
use schema::{FieldValue, Grammar, Item, Json, RawValue, Takes, UnitFact};

/// A unit with the byte range of its notation in the text.
pub type PlacedUnit = (Member, Range<usize>);

/// A list of at most `MOST` units as written; empty if nothing is given.
#[derive(Clone, Debug, Default)]
pub struct UnitList<const MOST: usize>(pub Vec<PlacedUnit>);

/// The effect of a condition on a unit.
#[derive(Clone, Copy)]
enum Effect {
    Flag(fn(&mut Member)),
    /// A number from the first to the second.
    Number(u16, u16, fn(&mut Member, u16)),
    /// The extent of a friend behind the unit.
    Friend,
}

const EFFECTS: [(&str, Effect); 16] = {
    use Effect::{Flag, Friend, Number};
    [
        ("reaction=N", Number(0, 20, |unit, dice| unit.values.reaction = Some(dice as u8))),
        ("artillery=N", Number(0, 20, |unit, dice| unit.values.artillery = Some(dice as u8))),
        ("at=N", Number(0, 20, |unit, dice| unit.values.at = Some(dice as u8))),
        ("fp=N", Number(0, 20, |unit, dice| unit.values.fp = Some(dice as u8))),
        ("cohesion=N", Number(1, 40, |unit, points| unit.values.cohesion = Some(points as u8))),
        ("fast", Flag(|unit| unit.values.fast = true)),
        ("soft", Flag(|unit| unit.values.soft = true)),
        ("dp=N", Number(0, 39, |unit, points| unit.start.dp = points as u8)),
        ("suppressed", Flag(|unit| unit.start.suppressed = true)),
        ("fired", Flag(|unit| unit.start.fired = true)),
        ("moved=N", Number(0, 9999, |unit, inches| unit.start.moved = inches)),
        ("goal=N", Number(0, 9999, |unit, inches| unit.start.goal = Some(inches))),
        ("edge=N", Number(0, 99, |unit, inches| unit.start.behind.edge = Some(inches as u8))),
        ("cover=N", Number(0, 99, |unit, inches| unit.start.behind.cover = Some(inches as u8))),
        ("enemy=N", Number(0, 99, |unit, inches| unit.start.behind.enemy = Some(inches as u8))),
        ("friend=N-N", Friend),
    ]
};

/// Returns every condition that can follow a unit.
pub fn conditions() -> [&'static str; 16] {
    EFFECTS.map(|(condition, _)| condition)
}

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
        let units: Vec<Member> = self.0.iter().map(|(member, _)| *member).collect();
        if units.is_empty() { Json::Null } else { joined(&units).into() }
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
    let fault = |message: String| Fault::new(message, span.clone());
    let is_named = |known: &str| known.split('=').next() == Some(name.as_str());
    let Some((known, effect)) = EFFECTS.iter().find(|(known, _)| is_named(known)) else {
        return Err(fault(format!("no condition is called `{text}`")).expecting(text, conditions()));
    };
    match (effect, value) {
        (Effect::Flag(apply), None) => apply(member),
        (Effect::Number(low, high, apply), Some(value)) => {
            let number = value.parse().ok().filter(|number| (*low..=*high).contains(number));
            let message = || format!("`{name}=` must be a whole number from {low} to {high}");
            apply(member, number.ok_or_else(|| fault(message()))?);
        }
        (Effect::Friend, Some(value)) => {
            member.start.behind.friend = Some(friend(value, span.clone())?);
        }
        (Effect::Flag(_), Some(_)) => return Err(fault(format!("`{name}` does not take a value"))),
        (_, None) => return Err(fault(format!("`{name}` needs a value: `{known}`"))),
    }
    Ok(())
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
