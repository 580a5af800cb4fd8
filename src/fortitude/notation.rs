//! How units are written: `ashigaru-archers/commander + 2x unit/base=12,hesitant,staff=4`.
//!
//! ```text
//! units = item { WS "+" WS item }
//! item  = [N "x" [WS]] sort ["/" condition {"," condition}]
//! ```

use std::fmt::Display;
use std::ops::Range;

use super::level::Level;
use super::telling::counted;
use super::unit::{Distance, MAX_UNITS, Member, SORTS, Value};
use crate::text::{Fault, canonical};

/// Conditions that are a word.
const WORDS: [&str; 10] =
    ["hesitant", "shaken", "panicked", "commander", "honor", "engaged", "blocked", "general-staff", "cavalry", "infantry"];
/// Conditions with a number, beside the values of a unit, and what the number can be.
const NUMBERS: [(&str, u8, u8); 5] =
    [("casualties", 0, 11), ("staff", 1, 60), ("edge", 1, 60), ("own-edge", 1, 60), ("fatigue", 0, 2)];

/// What may be written after a unit, in one line.
pub const HELP: &str = "UNITS is `unit`, `ashigaru-archers`, `sample-card` or `samurai-cavalry`, with conditions after `/`: `hesitant`, `shaken`, \
`panicked`, `commander`, `honor`, `engaged`, `blocked` (cannot flee), `general-staff`, `cavalry`, `infantry`, `casualties=N`, `staff=N` (hexes to the \
General Staff), `edge=N` (movement to leave the board), `own-edge=N` (the same over the edge of its own side, where that is not the nearest), `fatigue=N`, and values: `base=N`, `attack=N`, `attack-cavalry=N`, `defense=N`, `models=N`, \
`dice=N` (for each model). Several: `2x unit/base=12 + samurai-cavalry`.";

/// Reads units; spans are bytes of `text`.
pub fn parse(text: &str) -> Result<Vec<Member>, Fault> {
    let mut members = Vec::new();
    let mut words = words(text).peekable();
    if words.peek().is_none() {
        return Err(Fault::new("no units: expected one at least", 0..text.len()).help("for example `unit/base=10`"));
    }
    loop {
        let (count, word) = item(text, &mut words)?;
        let member = Item { text, span: word }.member()?;
        members.extend(std::iter::repeat_n(member, count));
        match words.next() {
            None => break,
            Some(sign) if &text[sign.clone()] == "+" && words.peek().is_none() => {
                return Err(Fault::new("a unit is missing after `+`", sign));
            }
            Some(sign) if &text[sign.clone()] == "+" => {}
            Some(other) => {
                let fault = Fault::new(format!("expected `+` before `{}`", &text[other.clone()]), other);
                return Err(fault.help("write ` + ` between units, with spaces"));
            }
        }
    }
    match members.len() {
        0..=MAX_UNITS => Ok(members),
        units => Err(Fault::new(format!("{units} units: one side has at most {MAX_UNITS}"), 0..text.len())),
    }
}

/// The number of an item, and its word.
fn item(text: &str, words: &mut impl Iterator<Item = Range<usize>>) -> Result<(usize, Range<usize>), Fault> {
    let missing = |span| Fault::new("a unit is missing", span);
    let word = words.next().ok_or_else(|| missing(text.len()..text.len()))?;
    if &text[word.clone()] == "+" {
        return Err(Fault::new("a unit is missing before `+`", word));
    }
    let digits = text[word.clone()].bytes().take_while(u8::is_ascii_digit).count();
    let at = word.start + digits;
    if digits == 0 || text[at..word.end].bytes().next() != Some(b'x') {
        return Ok((1, word));
    }
    let number = text[word.start..at].parse().ok().filter(|number| (1..=MAX_UNITS).contains(number));
    let number =
        number.ok_or_else(|| Fault::new(format!("expected a number of units from 1 to {MAX_UNITS}"), word.start..at + 1))?;
    let rest = at + 1..word.end;
    Ok((number, if rest.is_empty() { words.next().ok_or_else(|| missing(word))? } else { rest }))
}

/// Ranges of the words of a text.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_whitespace().map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

/// One unit as it is written.
struct Item<'a> {
    text: &'a str,
    span: Range<usize>,
}

impl Item<'_> {
    fn member(&self) -> Result<Member, Fault> {
        let word = &self.text[self.span.clone()];
        let (head, tail) = word.split_once('/').map_or((word, None), |(head, tail)| (head, Some(tail)));
        let name = canonical(head);
        let head_span = self.span.start..self.span.start + head.len();
        let sort = SORTS.iter().find(|sort| sort.name == name).ok_or_else(|| {
            let fault = Fault::new(format!("no unit is called `{head}`"), head_span);
            fault.expecting(head, SORTS.iter().map(|sort| sort.name))
        })?;
        let mut member = Member::of(sort);
        let mut said: Vec<String> = Vec::new();
        let mut at = self.span.start + head.len() + 1;
        for condition in tail.into_iter().flat_map(|tail| tail.split(',')) {
            let span = at..at + condition.len();
            let name = canonical(condition.split('=').next().unwrap_or_default());
            if name.is_empty() {
                return Err(Fault::new("a condition is missing after `/` or `,`", at - 1..span.end));
            }
            if said.contains(&name) {
                return Err(Fault::new(format!("`{name}` is said twice"), span));
            }
            match condition.split_once('=') {
                Some((_, number)) => read_number(&mut member, &name, number, span)?,
                None => read_word(&mut member, &name, span)?,
            }
            said.push(name);
            at += condition.len() + 1;
        }
        self.check(member, &said)
    }

    /// Conditions that cannot be together.
    fn check(&self, member: Member, said: &[String]) -> Result<Member, Fault> {
        let both = |a: &str, b: &str| said.iter().any(|word| word == a) && said.iter().any(|word| word == b);
        let fault = |message: String| Err(Fault::new(message, self.span.clone()));
        for (a, b) in [("hesitant", "shaken"), ("hesitant", "panicked"), ("shaken", "panicked"), ("cavalry", "infantry")] {
            if both(a, b) {
                return fault(format!("a unit is `{a}` or `{b}`, not both"));
            }
        }
        if both("general-staff", "staff") {
            return fault("the General Staff has no distance to itself: leave `staff=` out".to_string());
        }
        if let Some(own) = member.own_edge
            && let Err(message) = edges(member.edge, own)
        {
            return fault(message);
        }
        let models = member.value(Value::Models);
        if member.casualties >= models {
            return fault(format!(
                "{} of {}: nobody is left",
                counted(member.casualties, "casualty", "casualties"),
                counted(models, "model", "models")
            ));
        }
        Ok(member)
    }
}

/// The nearest edge, where that of its own side is told: it is no farther.
pub(super) fn edges(nearest: Distance, own: u8) -> Result<(), String> {
    match nearest {
        None => Err("`own-edge` needs `edge`, the nearest, beside it".to_string()),
        Some(nearest) if nearest > own => {
            Err(format!("the nearest edge is no farther than its own: `edge` is {nearest}, `own-edge` {own}"))
        }
        Some(_) => Ok(()),
    }
}

fn read_word(member: &mut Member, name: &str, span: Range<usize>) -> Result<(), Fault> {
    match name {
        "hesitant" => member.level = Level::Hesitant,
        "shaken" => member.level = Level::Shaken,
        "panicked" => member.level = Level::Panicked,
        "commander" => member.commander = true,
        "honor" => member.honor = true,
        "engaged" => member.engaged = true,
        "blocked" => member.blocked = true,
        "general-staff" => member.general_staff = true,
        "cavalry" => member.cavalry = true,
        "infantry" => member.cavalry = false,
        _ if numbers().any(|(number, _, _)| number == name) => {
            return Err(Fault::new(format!("`{name}` needs a number"), span).help(format!("for example `{name}=2`")));
        }
        _ => {
            let fault = Fault::new(format!("no condition is called `{name}`"), span);
            return Err(fault.expecting(name, WORDS.into_iter().chain(numbers().map(|(name, _, _)| name))));
        }
    }
    Ok(())
}

fn read_number(member: &mut Member, name: &str, number: &str, span: Range<usize>) -> Result<(), Fault> {
    let (_, low, high) = numbers().find(|(known, _, _)| *known == name).ok_or_else(|| {
        let fault = Fault::new(format!("no condition is called `{name}=`"), span.clone());
        fault.expecting(name, numbers().map(|(name, _, _)| name))
    })?;
    let number = number.parse().ok().filter(|number| (low..=high).contains(number));
    let number = number.ok_or_else(|| must_be(name, low, high, span))?;
    match name {
        "casualties" => member.casualties = number,
        "staff" => member.staff = Some(number),
        "edge" => member.edge = Some(number),
        "own-edge" => member.own_edge = Some(number),
        "fatigue" => member.fatigue = number,
        value => {
            if let Some(value) = Value::ALL.into_iter().find(|known| known.name() == value) {
                member.given[value as usize] = Some(number);
            }
        }
    }
    Ok(())
}

fn must_be(name: &str, low: impl Display, high: impl Display, span: Range<usize>) -> Fault {
    Fault::new(format!("`{name}` must be a whole number from {low} to {high}"), span)
}

/// Every condition with a number.
fn numbers() -> impl Iterator<Item = (&'static str, u8, u8)> {
    let values = Value::ALL.into_iter().map(|value| (value.name(), value.range().0, value.range().1));
    values.chain(NUMBERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let shown = |members: Vec<Member>| members.iter().map(Member::to_string).collect::<Vec<_>>().join(" + ");
        parse(text).map_or_else(|fault| format!("{:?} {fault}", fault.span), shown)
    }

    #[test]
    fn the_notation_reads_back_what_it_writes() {
        for text in [
            "unit",
            "ashigaru-archers/commander + samurai-cavalry/infantry,hesitant,casualties=2",
            "unit/base=12,attack=3,attack-cavalry=5,defense=0,models=7,dice=2,cavalry,fatigue=1,panicked,honor,engaged,blocked,edge=6",
            "unit/general-staff + sample-card/shaken,staff=5,edge=2,own-edge=7",
        ] {
            assert_eq!(shown(text), text);
        }
        assert_eq!(shown("2x Ashigaru_Archers/Honor + 1xunit"), "ashigaru-archers/honor + ashigaru-archers/honor + unit");
        assert_eq!(shown("2x unit"), "unit + unit");
    }

    #[test]
    fn errors_name_the_place_and_the_nearest_word() {
        for (text, error) in [
            ("", "0..0 no units: expected one at least (for example `unit/base=10`)"),
            ("unit +", "5..6 a unit is missing after `+`"),
            ("+ unit", "0..1 a unit is missing before `+`"),
            ("unit unit", "5..9 expected `+` before `unit` (write ` + ` between units, with spaces)"),
            ("2x", "0..2 a unit is missing"),
            ("9x unit", "0..2 expected a number of units from 1 to 8"),
            ("0x unit", "0..2 expected a number of units from 1 to 8"),
            ("5x unit + 4x unit", "0..17 9 units: one side has at most 8"),
            ("ashigaru-archer", "0..15 no unit is called `ashigaru-archer` (did you mean `ashigaru-archers`?)"),
            ("unit/shakn", "5..10 no condition is called `shakn` (did you mean `shaken`?)"),
            ("unit/", "4..5 a condition is missing after `/` or `,`"),
            ("unit/honor,", "10..11 a condition is missing after `/` or `,`"),
            ("unit/honor,honor", "11..16 `honor` is said twice"),
            ("unit/modles=3", "5..13 no condition is called `modles=` (did you mean `models`?)"),
            ("unit/models", "5..11 `models` needs a number (for example `models=2`)"),
            ("unit/models=0", "5..13 `models` must be a whole number from 1 to 12"),
            ("unit/base=x", "5..11 `base` must be a whole number from 1 to 40"),
            ("unit/staff=0", "5..12 `staff` must be a whole number from 1 to 60"),
            ("unit/shaken,hesitant", "0..20 a unit is `hesitant` or `shaken`, not both"),
            ("unit + unit/general-staff,staff=2", "7..33 the General Staff has no distance to itself: leave `staff=` out"),
            ("unit/own-edge=4", "0..15 `own-edge` needs `edge`, the nearest, beside it"),
            ("unit/own-edge=4,edge=5", "0..22 the nearest edge is no farther than its own: `edge` is 5, `own-edge` 4"),
            ("unit/models=3,casualties=3", "0..26 3 casualties of 3 models: nobody is left"),
        ] {
            assert_eq!(shown(text), error, "{text}");
        }
    }
}
