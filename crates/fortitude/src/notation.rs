//! The notation of units: `ashigaru-archers/commander + 2x unit/base=12,hesitant,staff=4`.

use std::ops::Range;

use super::level::Level;
use super::unit::{Distance, MAX_UNITS, Member, SORTS, UnitValue};
use engine::text::{Fault, counted};
use schema::roster::{is_unit, units};
use schema::{Grammar, Item, UnitFact};

/// A condition that takes no number, and what it makes of a unit.
type Word = (&'static str, fn(&mut Member));
/// A condition with a number: name, least and greatest number, and what it makes of a unit.
type Number = (&'static str, u8, u8, fn(&mut Member, u8));

const WORDS: [Word; 10] = [
    ("hesitant", |member| member.level = Level::Hesitant),
    ("shaken", |member| member.level = Level::Shaken),
    ("panicked", |member| member.level = Level::Panicked),
    ("commander", |member| member.commander = true),
    ("honor", |member| member.honor = true),
    ("engaged", |member| member.engaged = true),
    ("blocked", |member| member.blocked = true),
    ("general-staff", |member| member.general_staff = true),
    ("cavalry", |member| member.cavalry = true),
    ("infantry", |member| member.cavalry = false),
];
/// The conditions with a number other than the values of a unit.
const NUMBERS: [Number; 5] = [
    ("casualties", 0, 11, |member, number| member.casualties = number),
    ("staff", 1, 60, |member, hexes| member.staff = Some(hexes)),
    ("edge", 1, 60, |member, hexes| member.edge = Some(hexes)),
    ("own-edge", 1, 60, |member, hexes| member.own_edge = Some(hexes)),
    ("fatigue", 0, 2, |member, number| member.fatigue = number),
];

/// Returns every condition that can follow a unit, such as `hesitant` or `staff=N`.
pub fn conditions() -> Vec<String> {
    let values = UnitValue::ALL.iter().map(|value| format!("{}=N", value.name()));
    let numbers = NUMBERS.map(|(name, ..)| format!("{name}=N"));
    WORDS.map(|(name, _)| name.to_string()).into_iter().chain(numbers).chain(values).collect()
}

/// The help text on the notation of units, in one line.
pub const HELP: &str = "UNITS is `unit`, `ashigaru-archers`, `sample-card` or `samurai-cavalry`, \
    with conditions after `/`: `hesitant`, `shaken`, \
`panicked`, `commander`, `honor`, `engaged`, `blocked` (cannot flee), `general-staff`, `cavalry`, \
`infantry`, `casualties=N`, `staff=N` (hexes to the \
General Staff), `edge=N` (movement to leave the board), `own-edge=N` (movement to leave over the \
edge of its own side, if that is not the nearest), `fatigue=N`, and values: `base=N`, `attack=N`, \
`attack-cavalry=N`, `defense=N`, `models=N`, \
`dice=N` (for each model). Several: `2x unit/base=12 + samurai-cavalry`.";

const GRAMMAR: Grammar = Grammar {
    unit: "unit",
    most: MAX_UNITS,
    example: "unit/base=10",
    begins: |word, behind_conditions| {
        !behind_conditions || is_unit(word, SORTS.iter().map(|sort| sort.name))
    },
};

/// Parses the units of one side. The spans of faults are byte ranges of `text`.
///
/// # Errors
///
/// Fails if the text is not in the notation, if conditions contradict each other, or if there are
/// too many units.
pub fn parse(text: &str) -> Result<Vec<Member>, Fault> {
    let items = units(text, GRAMMAR)?;
    let members = items.iter().map(member).collect::<Result<Vec<Member>, Fault>>()?;
    match members.len() {
        0..=MAX_UNITS => Ok(members),
        units => Err(Fault::new(
            format!("{units} units: one side has at most {MAX_UNITS}"),
            0..text.len(),
        )),
    }
}

fn member(item: &Item) -> Result<Member, Fault> {
    let mut member = Member::from_sort(item.named(&SORTS, |sort| sort.name)?);
    let conditions = item.conditions()?;
    for UnitFact { name, value, span, .. } in &conditions {
        match value {
            Some(number) => read_number(&mut member, name, number, span.clone())?,
            None => read_word(&mut member, name, span.clone())?,
        }
    }
    let names: Vec<&str> = conditions.iter().map(|condition| condition.name.as_str()).collect();
    check(&member, &names).map_err(|message| Fault::new(message, item.span.clone()))?;
    Ok(member)
}

fn check(member: &Member, names: &[&str]) -> Result<(), String> {
    let both = |a: &str, b: &str| names.contains(&a) && names.contains(&b);
    for (a, b) in [
        ("hesitant", "shaken"),
        ("hesitant", "panicked"),
        ("shaken", "panicked"),
        ("cavalry", "infantry"),
    ] {
        if both(a, b) {
            return Err(format!("a unit is `{a}` or `{b}`, not both"));
        }
    }
    if both("general-staff", "staff") {
        return Err("the General Staff has no distance to itself: remove `staff=`".to_string());
    }
    if let Some(own) = member.own_edge {
        edges(member.edge, own)?;
    }
    let models = member.value(UnitValue::Models);
    if member.casualties >= models {
        return Err(format!(
            "{} of {}: no model is left",
            counted(member.casualties, "casualty"),
            counted(models, "model")
        ));
    }
    Ok(())
}

/// Checks that the distance to the nearest edge is given and does not exceed that to the own edge.
pub(super) fn edges(nearest: Distance, own: u8) -> Result<(), String> {
    match nearest {
        None => Err("`own-edge` also needs `edge`, the distance to the nearest edge".to_string()),
        Some(nearest) if nearest > own => Err(format!(
            "`edge` (nearest) must not be greater than `own-edge`: `edge` is {nearest}, `own-edge` \
                {own}"
        )),
        Some(_) => Ok(()),
    }
}

fn read_word(member: &mut Member, name: &str, span: Range<usize>) -> Result<(), Fault> {
    if let Some((_, apply)) = WORDS.iter().find(|(word, _)| *word == name) {
        apply(member);
        return Ok(());
    }
    let mut numbers = ranges().map(|(number, ..)| number);
    if numbers.any(|number| number == name) {
        let fault = Fault::new(format!("`{name}` needs a number"), span);
        return Err(fault.help(format!("for example `{name}=2`")));
    }
    let fault = Fault::new(format!("no condition is called `{name}`"), span);
    let words = WORDS.into_iter().map(|(word, _)| word);
    Err(fault.expecting(name, words.chain(ranges().map(|(number, ..)| number))))
}

fn read_number(
    member: &mut Member,
    name: &str,
    number: &str,
    span: Range<usize>,
) -> Result<(), Fault> {
    let Some((_, low, high)) = ranges().find(|(known, ..)| *known == name) else {
        let fault = Fault::new(format!("no condition is called `{name}=`"), span);
        return Err(fault.expecting(name, ranges().map(|(name, ..)| name)));
    };
    let number = number.parse().ok().filter(|number| (low..=high).contains(number));
    let message = || format!("`{name}` must be a whole number from {low} to {high}");
    let number = number.ok_or_else(|| Fault::new(message(), span))?;
    if let Some(value) = UnitValue::ALL.into_iter().find(|value| value.name() == name) {
        member.overrides[value as usize] = Some(number);
    }
    if let Some((.., apply)) = NUMBERS.iter().find(|(known, ..)| *known == name) {
        apply(member, number);
    }
    Ok(())
}

/// Returns the conditions with a number: name, least and greatest number.
fn ranges() -> impl Iterator<Item = (&'static str, u8, u8)> {
    let values = UnitValue::ALL.into_iter().map(|value| {
        let (low, high) = value.range();
        (value.name(), low, high)
    });
    values.chain(NUMBERS.map(|(name, low, high, _)| (name, low, high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let shown = |members: Vec<Member>| {
            members.iter().map(Member::to_string).collect::<Vec<_>>().join(" + ")
        };
        parse(text).map_or_else(|fault| format!("{:?} {fault}", fault.span), shown)
    }

    #[test]
    fn written_units_parse_to_themselves() {
        for text in [
            "unit",
            "ashigaru-archers/commander + samurai-cavalry/infantry,hesitant,casualties=2",
            "unit/base=12,attack=3,attack-cavalry=5,defense=0,models=7,dice=2,cavalry,fatigue=1,panicked,honor,engaged,blocked,edge=6",
            "unit/general-staff + sample-card/shaken,staff=5,edge=2,own-edge=7",
        ] {
            assert_eq!(shown(text), text);
        }
        assert_eq!(
            shown("2x Ashigaru_Archers/Honor + 1xunit"),
            "ashigaru-archers/honor + ashigaru-archers/honor + unit"
        );
        assert_eq!(shown("2x unit"), "unit + unit");
        assert_eq!(
            shown("2 unit/shaken, honor, samurai-cavalry"),
            "unit/shaken,honor + unit/shaken,honor + samurai-cavalry"
        );
    }

    #[test]
    fn faults_have_their_place_and_the_nearest_word() {
        for (text, error) in [
            ("", "0..0 expected at least one unit (for example `unit/base=10`)"),
            ("unit +", "5..6 a unit is missing after `+`"),
            ("+ unit", "0..1 a unit is missing before `+`"),
            (
                "unit unit",
                "5..9 expected `+` before `unit` (write ` + ` between units, with spaces)",
            ),
            ("2x", "0..2 a unit is missing after the number"),
            ("9x unit", "0..2 expected a number of units from 1 to 8"),
            ("0x unit", "0..2 expected a number of units from 1 to 8"),
            ("5x unit + 4x unit", "0..17 9 units: one side has at most 8"),
            (
                "ashigaru-archer",
                "0..15 no unit is called `ashigaru-archer` (did you mean `ashigaru-archers`?)",
            ),
            ("unit/shakn", "5..10 no condition is called `shakn` (did you mean `shaken`?)"),
            ("unit/", "4..5 a condition is missing after `/` or `,`"),
            ("unit/honor,", "10..11 a condition is missing after `/` or `,`"),
            ("unit/honor,honor", "11..16 `honor` is given twice"),
            ("unit/modles=3", "5..13 no condition is called `modles=` (did you mean `models`?)"),
            ("unit/models", "5..11 `models` needs a number (for example `models=2`)"),
            ("unit/models=0", "5..13 `models` must be a whole number from 1 to 12"),
            ("unit/base=x", "5..11 `base` must be a whole number from 1 to 40"),
            ("unit/staff=0", "5..12 `staff` must be a whole number from 1 to 60"),
            ("unit/shaken,hesitant", "0..20 a unit is `hesitant` or `shaken`, not both"),
            (
                "unit + unit/general-staff,staff=2",
                "7..33 the General Staff has no distance to itself: remove `staff=`",
            ),
            (
                "unit/own-edge=4",
                "0..15 `own-edge` also needs `edge`, the distance to the nearest edge",
            ),
            (
                "unit/own-edge=4,edge=5",
                "0..22 `edge` (nearest) must not be greater than `own-edge`: `edge` is 5, \
                    `own-edge` 4",
            ),
            ("unit/models=3,casualties=3", "0..26 3 casualties of 3 models: no model is left"),
        ] {
            assert_eq!(shown(text), error, "{text}");
        }
    }
}
