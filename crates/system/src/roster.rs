//! How units are written in every system: `2x unit/base=12,hesitant + samurai-cavalry`. What the
//! words mean is the game's.
//!
//! ```text
//! units     = item { WS "+" WS item }
//! item      = [N "x" [WS]] name ["/" condition {"," condition}]
//! condition = word ["=" value]
//! ```

use std::ops::Range;

use engine::text::{Fault, canonical};

/// A unit as it is written.
#[derive(Clone, Debug)]
pub struct Item<'a> {
    text: &'a str,
    /// Its bytes of the text.
    pub span: Range<usize>,
}

/// What is said of a unit.
#[derive(Clone, Debug)]
pub struct Condition<'a> {
    /// Its one spelling.
    pub name: String,
    pub value: Option<&'a str>,
    /// As it is written.
    pub text: &'a str,
    /// Its bytes of the text.
    pub span: Range<usize>,
}

/// Every unit of a text, as often as its number says, which is at most `most`; `example` is one
/// that could stand there.
pub fn items<'a>(text: &'a str, most: usize, example: &str) -> Result<Vec<Item<'a>>, Fault> {
    let mut words = words(text).peekable();
    if words.peek().is_none() {
        return Err(Fault::new("no units: expected one at least", 0..text.len())
            .help(format!("for example `{example}`")));
    }
    let mut items = Vec::new();
    loop {
        let (number, span) = item(text, most, &mut words)?;
        items.extend(std::iter::repeat_n(Item { text, span }, number));
        match words.next() {
            None => return Ok(items),
            Some(sign) if &text[sign.clone()] == "+" && words.peek().is_none() => {
                return Err(Fault::new("a unit is missing after `+`", sign));
            }
            Some(sign) if &text[sign.clone()] == "+" => {}
            Some(other) => {
                let fault =
                    Fault::new(format!("expected `+` before `{}`", &text[other.clone()]), other);
                return Err(fault.help("write ` + ` between units, with spaces"));
            }
        }
    }
}

/// The number of an item, and its word.
fn item(
    text: &str,
    most: usize,
    words: &mut impl Iterator<Item = Range<usize>>,
) -> Result<(usize, Range<usize>), Fault> {
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
    let number = text[word.start..at].parse().ok().filter(|number| (1..=most).contains(number));
    let number = number.ok_or_else(|| {
        Fault::new(format!("expected a number of units from 1 to {most}"), word.start..at + 1)
    })?;
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

impl<'a> Item<'a> {
    /// The name, and what is said of the unit.
    fn parts(&self) -> (&'a str, Option<&'a str>) {
        let word = &self.text[self.span.clone()];
        word.split_once('/').map_or((word, None), |(name, conditions)| (name, Some(conditions)))
    }

    /// The one of some units that is named, by what they are called.
    pub fn named<T>(
        &self,
        known: &'static [T],
        name_of: impl Fn(&T) -> &'static str,
    ) -> Result<&'static T, Fault> {
        let (name, _) = self.parts();
        known.iter().find(|unit| name_of(unit) == canonical(name)).ok_or_else(|| {
            let fault = Fault::new(
                format!("no unit is called `{name}`"),
                self.span.start..self.span.start + name.len(),
            );
            fault.expecting(name, known.iter().map(name_of))
        })
    }

    /// What is said of the unit, each thing once.
    pub fn conditions(&self) -> Result<Vec<Condition<'a>>, Fault> {
        let (name, conditions) = self.parts();
        let mut at = self.span.start + name.len() + 1;
        let mut said: Vec<Condition> = Vec::new();
        for text in conditions.into_iter().flat_map(|conditions| conditions.split(',')) {
            let span = at..at + text.len();
            let (word, value) =
                text.split_once('=').map_or((text, None), |(word, value)| (word, Some(value)));
            let name = canonical(word);
            if name.is_empty() {
                return Err(Fault::new(
                    "a condition is missing after `/` or `,`",
                    at - 1..span.end,
                ));
            }
            if said.iter().any(|earlier| earlier.name == name) {
                return Err(Fault::new(format!("`{name}` is said twice"), span));
            }
            at = span.end + 1;
            said.push(Condition { name, value, text, span });
        }
        Ok(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let item = |item: Item| -> Result<String, Fault> {
            let conditions =
                item.conditions()?.into_iter().map(|condition| match condition.value {
                    Some(value) => format!(" {}={value}", condition.name),
                    None => format!(" {}", condition.name),
                });
            Ok(item.named(&["unit", "gun"], |name| *name)?.to_string()
                + &conditions.collect::<String>())
        };
        let shown = items(text, 4, "gun")
            .and_then(|items| items.into_iter().map(item).collect::<Result<Vec<_>, _>>());
        shown.map_or_else(|fault| format!("{:?} {fault}", fault.span), |items| items.join(" + "))
    }

    #[test]
    fn units_are_read() {
        for (text, units) in [
            ("unit", "unit"),
            (
                "2x Gun/Dp=1,Just_Routed + 1x unit",
                "gun dp=1 just-routed + gun dp=1 just-routed + unit",
            ),
            ("  unit/a=  +  gun ", "unit a= + gun"),
        ] {
            assert_eq!(shown(text), units);
        }
    }

    #[test]
    fn faults_have_their_place() {
        for (text, fault) in [
            (" ", "0..1 no units: expected one at least (for example `gun`)"),
            ("unit +", "5..6 a unit is missing after `+`"),
            ("+ unit", "0..1 a unit is missing before `+`"),
            ("unit + + gun", "7..8 a unit is missing before `+`"),
            ("2x", "0..2 a unit is missing"),
            ("unit gun", "5..8 expected `+` before `gun` (write ` + ` between units, with spaces)"),
            ("5x unit", "0..2 expected a number of units from 1 to 4"),
            ("0xunit", "0..2 expected a number of units from 1 to 4"),
            ("unit + gum/x", "7..10 no unit is called `gum` (did you mean `gun`?)"),
            ("unit/", "4..5 a condition is missing after `/` or `,`"),
            ("unit/a,,b", "6..7 a condition is missing after `/` or `,`"),
            ("gun + unit/é=1,É=2", "16..20 `é` is said twice"),
        ] {
            assert_eq!(shown(text), fault, "{text}");
        }
    }
}
