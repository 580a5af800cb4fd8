//! The notation of field values, such as `ashigaru-archers/commander + 2x unit/base=12,hesitant`.

use std::ops::Range;

use super::field::{Army, Distance, Facing, Foes, Way};
use super::order::{Order, orders, pieces};
use super::status::{Status, Until};
use super::unit::{MAX_UNITS, Member, SORTS, UnitValue};
use engine::text::{Fault, counted};
use schema::declared::named;
use schema::field::words_of;
use schema::roster::{is_unit, units};
use schema::{FieldValue, Grammar, Item, Json, RawValue, Takes, UnitFact, Whole};

/// A condition that takes no number, and what it makes of a unit.
type Word = (&'static str, fn(&mut Member));
/// A condition with a number: name, least and greatest number, and what it makes of a unit.
type Number = (&'static str, u8, u8, fn(&mut Member, u8));

const WORDS: [Word; 10] = [
    (Status::Hesitant.name(), |unit| unit.start.level = Status::Hesitant),
    (Status::Shaken.name(), |unit| unit.start.level = Status::Shaken),
    (Status::Panicked.name(), |unit| unit.start.level = Status::Panicked),
    ("commander", |unit| unit.commander = true),
    ("honor", |unit| unit.start.honor = true),
    ("engaged", |unit| unit.start.foes = Foes::SOMEBODY),
    ("blocked", |unit| unit.blocked = true),
    ("general-staff", |unit| unit.general_staff = true),
    ("cavalry", |unit| unit.cavalry = true),
    ("infantry", |unit| unit.cavalry = false),
];
/// The conditions with a number: first the values of a unit, then the others.
const NUMBERS: [Number; 11] = [
    ("base", 1, 40, |unit, number| unit.set(UnitValue::Base, number)),
    ("attack", 0, 20, |unit, number| unit.set(UnitValue::Attack, number)),
    ("attack-cavalry", 0, 20, |unit, number| unit.set(UnitValue::AttackCavalry, number)),
    ("defense", 0, 20, |unit, number| unit.set(UnitValue::Defense, number)),
    ("models", 1, 12, |unit, number| unit.set(UnitValue::Models, number)),
    ("dice", 1, 6, |unit, number| unit.set(UnitValue::Dice, number)),
    ("casualties", 0, 11, |unit, number| unit.start.casualties = number),
    ("staff", 1, 60, |unit, hexes| unit.start.staff = Some(hexes)),
    ("edge", 1, 60, |unit, hexes| unit.start.edge = Some(hexes)),
    ("own-edge", 1, 60, |unit, hexes| unit.start.own_edge = Some(hexes)),
    ("fatigue", 0, 2, |unit, number| unit.fatigue = number),
];
/// Conditions that contradict each other.
const EITHER: [[&str; 2]; 4] = [
    [Status::Hesitant.name(), Status::Shaken.name()],
    [Status::Hesitant.name(), Status::Panicked.name()],
    [Status::Shaken.name(), Status::Panicked.name()],
    ["cavalry", "infantry"],
];

/// Returns every condition that can follow a unit, such as `hesitant` or `staff=N`.
pub fn conditions() -> Vec<String> {
    let (values, others) = NUMBERS.split_at(UnitValue::ALL.len());
    let numbers = others.iter().chain(values).map(|(name, ..)| format!("{name}=N"));
    WORDS.map(|(name, _)| name.to_string()).into_iter().chain(numbers).collect()
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
    for condition in &conditions {
        read_condition(&mut member, condition)?;
    }
    let has = |name: &str| conditions.iter().any(|condition| condition.name == name);
    check(&member, has).map_err(|message| Fault::new(message, item.span.clone()))?;
    Ok(member)
}

fn check(member: &Member, has: impl Fn(&str) -> bool) -> Result<(), String> {
    if let Some([a, b]) = EITHER.into_iter().find(|[a, b]| has(a) && has(b)) {
        return Err(format!("a unit is `{a}` or `{b}`, not both"));
    }
    if member.general_staff && member.start.staff.is_some() {
        return Err("the General Staff has no distance to itself: remove `staff=`".to_string());
    }
    check_edges(member.start.edge, member.start.own_edge)?;
    let (models, casualties) = (member.value(UnitValue::Models), member.start.casualties);
    if casualties >= models {
        let [lost, all] =
            [(casualties, "casualty"), (models, "model")].map(|(n, of)| counted(n, of));
        return Err(format!("{lost} of {all}: no model is left"));
    }
    Ok(())
}

/// Checks that the distance to the own edge comes with the nearest, which is not greater.
pub(super) fn check_edges(edge: Distance, own_edge: Distance) -> Result<(), String> {
    match (edge, own_edge) {
        (None, Some(_)) => {
            Err("`own-edge` also needs `edge`, the distance to the nearest edge".to_string())
        }
        (Some(edge), Some(own)) if edge > own => Err(format!(
            "`edge` (nearest) must not be greater than `own-edge`: `edge` is {edge}, `own-edge` \
                {own}"
        )),
        _ => Ok(()),
    }
}

fn read_condition(member: &mut Member, condition: &UnitFact) -> Result<(), Fault> {
    let UnitFact { name, value, span, .. } = condition;
    let fault = |message: String| Fault::new(message, span.clone());
    let word = WORDS.iter().find(|(word, _)| word == name);
    let number = NUMBERS.iter().find(|(number, ..)| number == name);
    let words = WORDS.into_iter().map(|(word, _)| word);
    let numbers = NUMBERS.into_iter().map(|(number, ..)| number);
    match (word, number, value) {
        (Some((_, apply)), _, None) => apply(member),
        (_, Some((_, low, high, apply)), Some(value)) => {
            let number = value.parse().ok().filter(|number| (low..=high).contains(&number));
            let message = || format!("`{name}` must be a whole number from {low} to {high}");
            apply(member, number.ok_or_else(|| fault(message()))?);
        }
        (_, Some(_), None) => {
            let help = format!("for example `{name}=2`");
            return Err(fault(format!("`{name}` needs a number")).help(help));
        }
        (_, None, Some(_)) => {
            return Err(fault(format!("no condition is called `{name}=`")).expecting(name, numbers));
        }
        (None, None, None) => {
            let fault = fault(format!("no condition is called `{name}`"));
            return Err(fault.expecting(name, words.chain(numbers)));
        }
    }
    Ok(())
}

/// The number of casualties of one attack.
pub type Casualties = Whole<0, 12>;
/// The number of attack dice of one attack.
pub type AttackDice = Whole<1, 72>;
pub type AttackValue = Whole<0, 40>;
/// The number of attacks on one unit in a turn.
pub type Attacks = Whole<1, 12>;
/// The number of hexes to the General Staff, or to an edge.
pub type Hexes = Whole<1, 60>;
pub type Turns = Whole<1, 60>;

/// Declares field types of lists: placeholder, parser, separator and the writer of one item.
macro_rules! lists {
    ($($(#[$about:meta])* $name:ident($of:ty) = $placeholder:literal, $read:expr, $between:literal,
        $write:expr;)+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, Default)]
        pub struct $name(pub Vec<$of>);

        impl FieldValue for $name {
            const TAKES: Takes = Takes::Text($placeholder);

            fn read(field: &str, value: RawValue) -> Result<$name, Fault> {
                let read: fn(&str, RawValue) -> Result<Vec<$of>, Fault> = $read;
                read(field, value).map($name)
            }

            fn to_json(&self) -> Json {
                let write: fn(&$of) -> String = $write;
                match self.0.is_empty() {
                    true => Json::Null,
                    false => self.0.iter().map(write).collect::<Vec<_>>().join($between).into(),
                }
            }
        }
    )+};
}

lists! {
    /// The units of one side.
    Units(Member) = "UNITS", |field, value| parse(value.text(field)?), " + ",
        Member::to_string;
    /// Orders to choose from.
    Choices(Order) = "ORDERS", orders, ",", |order| order.name().to_string();
    /// The orders of a turn, each with the slot of its unit.
    OrdersBySlot((u8, Order)) = "ORDERS", orders_by_slot, ",",
        |(slot, order)| format!("{slot}:{}", order.name());
    /// The side of each attacker, in order.
    Sides(Facing) = "SIDES", |field, value| sides(field, value.text(field)?), ",",
        |side| side.name().to_string();
    /// Ways to assault, each with the sides of its attackers. The attacker chooses one way.
    Ways(Vec<Facing>) = "SIDES", ways, " or ", |way| way.iter().map(|side| side.name())
        .collect::<Vec<_>>().join(",");
    /// 1-based slots of units.
    Slots(u8) = "SLOTS", slots, ",", u8::to_string;
}

named! {
    /// The cause of a Fortitude Test, as a question states it.
    pub enum Cause {
        Morale = "morale",
        Flank = "flank",
        Rear = "rear",
        Casualties = "casualties",
        StaffLost = "staff-lost",
    }
}

words_of!(Cause, "CAUSE", "unknown cause");
words_of!(Army, "ARMY", "no side is called");
words_of!(Facing, "SIDE", "no side is called");
words_of!(Until, "LEVEL", "`until` has no value", whole = false);

/// Reads orders by slot, such as `1:defend,3:march`.
fn orders_by_slot(field: &str, value: RawValue) -> Result<Vec<(u8, Order)>, Fault> {
    let mut orders: Vec<(u8, Order)> = Vec::new();
    for (piece, span) in pieces(value.text(field)?) {
        let fault = || {
            Fault::new(format!("`{piece}` is not an order by slot"), span.clone())
                .help("for example `1:defend,3:march`")
        };
        let (slot, name) = piece.split_once(':').ok_or_else(fault)?;
        let slot = self::slot(slot).ok_or_else(fault)?;
        let order = Order::read(field, RawValue::Text(name))
            .map_err(|fault| fault.with_span(span.end - name.len()..span.end))?;
        if orders.iter().any(|&(other, _)| other == slot) {
            return Err(Fault::new(format!("slot {slot} gets two orders"), span));
        }
        orders.push((slot, order));
    }
    Ok(orders)
}

fn sides(field: &str, text: &str) -> Result<Vec<Facing>, Fault> {
    let mut sides: Vec<Facing> = Vec::new();
    for (piece, span) in pieces(text) {
        let side = Facing::read(field, RawValue::Text(piece))
            .map_err(|fault| fault.with_span(span.clone()))?;
        sides.push(side);
        // The maximum follows from the six sides of a hex.
        let (most, assault) = [(3, "assault"), (2, "assault"), (1, "assaults")][side as usize];
        if sides.iter().filter(|&&other| other == side).count() > most {
            let message = format!("at most {most} {assault} the {}", side.name());
            return Err(Fault::new(message, span));
        }
    }
    Ok(sides)
}

fn ways(field: &str, value: RawValue) -> Result<Vec<Vec<Facing>>, Fault> {
    let text = value.text(field)?;
    let mut ways: Vec<Vec<Facing>> = Vec::new();
    for list in text.split(" or ") {
        let start = list.as_ptr() as usize - text.as_ptr() as usize;
        let way = sides(field, list).map_err(|fault| {
            let span = start + fault.span.start..start + fault.span.end;
            fault.with_span(span)
        })?;
        let (name, span) = (list.trim(), start..start + list.len());
        if ways.contains(&way) {
            return Err(Fault::new(format!("`{name}` is given twice"), span));
        }
        if list.len() < text.len() && Way::from_sides(way.iter().copied()).is_none() {
            let message = format!("`{name}` has more than two attackers, so it cannot be chosen");
            let help = "for example `front or flank or flank,rear`";
            return Err(Fault::new(message, span).help(help));
        }
        ways.push(way);
    }
    Ok(ways)
}

fn slot(word: &str) -> Option<u8> {
    word.parse().ok().filter(|slot| (1..=16).contains(slot))
}

fn slots(field: &str, value: RawValue) -> Result<Vec<u8>, Fault> {
    let read = |word: &str, span: Range<usize>| {
        let message = || format!("`{field}` must be slots, such as `2` or `\"1,3\"`, not `{word}`");
        slot(word).ok_or_else(|| Fault::new(message(), span))
    };
    match value {
        RawValue::Integer(slot) => Ok(vec![read(&slot.to_string(), 0..0)?]),
        _ => pieces(value.text(field)?).map(|(word, span)| read(word, span)).collect(),
    }
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
