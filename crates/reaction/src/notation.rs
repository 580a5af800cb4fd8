//! The notation of units: `panzer-iv/dp=1 + 2x unit/reaction=3,at=4`.

use std::fmt;
use std::ops::Range;

use super::unit::{Behind, MAX_UNITS, Member, PRESETS, Unit};
use engine::text::Fault;
use schema::roster::{condition, is_unit, joined, numbered, units, written};
use schema::{FieldValue, Grammar, Item, Json, RawValue, Takes, UnitFact};

/// A unit with the byte range of its notation in the text.
pub type PlacedUnit = (Member, Range<usize>);

/// A list of at most `MOST` units as written; empty if nothing is given.
#[derive(Clone, Debug, Default)]
pub struct UnitList<const MOST: usize>(pub Vec<PlacedUnit>);

/// A condition of a unit, from the least to the greatest number: how it is read and set.
#[derive(Clone, Copy)]
enum Condition {
    Flag(fn(&mut Member) -> &mut bool),
    Value(u16, u16, fn(&mut Member) -> &mut Option<u8>),
    Number(u16, u16, fn(&Member) -> Option<u16>, fn(&mut Member, u16)),
    /// The extent of a friend behind the unit.
    Friend,
}

const CONDITIONS: [(&str, Condition); 16] = {
    use Condition::{Flag, Friend, Number, Value};
    [
        ("reaction=N", Value(0, 20, |unit| &mut unit.dice[0])),
        ("artillery=N", Value(0, 20, |unit| &mut unit.dice[1])),
        ("at=N", Value(0, 20, |unit| &mut unit.dice[2])),
        ("fp=N", Value(0, 20, |unit| &mut unit.dice[3])),
        ("cohesion=N", Value(1, 40, |unit| &mut unit.cohesion)),
        ("fast", Flag(|unit| &mut unit.fast)),
        ("soft", Flag(|unit| &mut unit.soft)),
        ("dp=N", Number(0, 39, |u| positive(u.start.dp), |u, n| u.start.dp = n as u8)),
        ("suppressed", Flag(|unit| &mut unit.start.suppressed)),
        ("fired", Flag(|unit| &mut unit.start.fired)),
        ("moved=N", Number(0, 9999, |u| positive(u.start.moved), |u, n| u.start.moved = n)),
        ("goal=N", Number(0, 9999, |u| u.start.goal, |u, n| u.start.goal = Some(n))),
        ("edge=N", Value(0, 99, |unit| &mut unit.start.behind.edge)),
        ("cover=N", Value(0, 99, |unit| &mut unit.start.behind.cover)),
        ("enemy=N", Value(0, 99, |unit| &mut unit.start.behind.enemy)),
        ("friend=N-N", Friend),
    ]
};

fn positive(number: impl Into<u16>) -> Option<u16> {
    Some(number.into()).filter(|number| *number > 0)
}

pub(super) fn conditions() -> [&'static str; 16] {
    CONDITIONS.map(|(condition, _)| condition)
}

fn name(condition: &'static str) -> &'static str {
    condition.split('=').next().unwrap_or(condition)
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut unit = *self;
        let friend = unit.start.behind.friend.map(|(from, to)| format!("{from}-{to}"));
        let conditions = CONDITIONS.map(|(known, rule)| match rule {
            Condition::Flag(flag) => condition(known, *flag(&mut unit)),
            Condition::Value(_, _, value) => numbered(name(known), *value(&mut unit)),
            Condition::Number(_, _, number, _) => numbered(name(known), number(self)),
            Condition::Friend => numbered(name(known), friend.as_ref()),
        });
        f.write_str(&written(self.preset.name, conditions))
    }
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
        let units = items.iter().map(|item| Ok((member(item)?, item.span.clone())));
        let units = units.collect::<Result<Vec<_>, Fault>>()?;
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
    let (dice, start) = ([None; 4], Unit::default());
    let mut member = Member { preset, dice, cohesion: None, fast: false, soft: false, start };
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
    let Some((known, condition)) = CONDITIONS.iter().find(|(known, _)| self::name(known) == name)
    else {
        return Err(fault(format!("no condition is called `{text}`")).expecting(text, conditions()));
    };
    let Some(value) = value else {
        let Condition::Flag(flag) = condition else {
            return Err(fault(format!("`{name}` needs a value: `{known}`")));
        };
        *flag(member) = true;
        return Ok(());
    };
    let number = |low, high| {
        let number = value.parse().ok().filter(|number| (low..=high).contains(number));
        let message = || format!("`{name}=` must be a whole number from {low} to {high}");
        number.ok_or_else(|| fault(message()))
    };
    match *condition {
        Condition::Flag(_) => return Err(fault(format!("`{name}` does not take a value"))),
        Condition::Value(low, high, value) => *value(member) = Some(number(low, high)? as u8),
        Condition::Number(low, high, _, set) => set(member, number(low, high)?),
        Condition::Friend => member.start.behind.friend = Some(friend(value, span.clone())?),
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
