//! One item of a stack: a counter and its conditions, with faults for words that are no counters.

use std::ops::Range;

use crate::catalogue::{CATALOGUE, Counter, CounterId, CounterKind, HERO};
use crate::nation::Nation;
use crate::stack::MAX_UNITS;
use crate::vocabulary::{Condition, Conditions};
use engine::text::{Fault, canonical, nearest_few};
use schema::{Grammar, roster};

const CLASSES: [&str; 6] = ["e", "1", "2", "g", "c", "crew"];
/// The conditions with a value: the name, the lowest and the highest value.
const NUMBERS: [(&str, i8, i8); 3] = [("elr", 0, 6), ("morale", 1, 10), ("broken-morale", 1, 10)];

pub(crate) fn conditions() -> Vec<String> {
    let words = Condition::written().map(|condition| condition.name().to_string());
    words.chain(NUMBERS.map(|(name, ..)| format!("{name}=N"))).collect()
}

const COMMISSAR: &str = "commissar";
pub(super) const GRAMMAR: Grammar = Grammar {
    unit: "counter",
    most: MAX_UNITS,
    example: "german:4-6-7",
    begins: |word, behind_conditions| match behind_conditions {
        true => {
            word.starts_with(|letter: char| letter.is_ascii_digit())
                || word.contains(':')
                || Nation::from_word(word).is_some()
                || [COMMISSAR, CounterKind::Hero.name()].contains(&canonical(word).as_str())
                || KnownWord::parse(word).is_some()
        }
        false => !is_condition(word),
    },
};

/// The word for a unit under a `?` (12.1).
const CONCEALED: &str = "concealed";

/// An item of a stack, whose nation may still be open.
#[derive(Clone, Debug, Default)]
pub(super) struct Item {
    pub count: usize,
    /// The counters of the catalogue that match the text.
    pub candidates: Vec<CounterId>,
    pub nation: Option<Nation>,
    pub name: String,
    pub span: Range<usize>,
    pub conditions: Conditions,
    pub concealed: bool,
    pub elr: Option<u8>,
    pub morale: Option<i8>,
    pub broken_morale: Option<i8>,
}

fn is_condition(word: &str) -> bool {
    let name = canonical(word.split('=').next().unwrap_or_default());
    let mut words = Condition::written().map(Condition::name).chain([CONCEALED]);
    words.any(|word| word == name) || NUMBERS.iter().any(|(number, ..)| *number == name)
}

/// Returns the name of a counter as one word. A blank may stand in place of its colon.
fn head(text: &str, item: &roster::Item) -> Result<String, Fault> {
    let words = item.words();
    if let Some((word, known)) = words.iter().find_map(|word| {
        Some((word, KnownWord::parse(text[word.clone()].rsplit(':').next().unwrap_or_default())?))
    }) {
        let nation =
            Nation::from_word(text[words[0].clone()].split(':').next().unwrap_or_default());
        return Err(known.fault(&text[word.clone()], nation, word.clone()));
    }
    // Text copied from a web page has dashes instead of hyphens.
    let name = item.name().replace(['\u{2013}', '\u{2212}'], "-");
    let tight = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let tight = tight.replace(": ", ":").replace(" :", ":");
    let Some((front, last)) = tight.rsplit_once(' ') else { return Ok(tight) };
    let front = front.replace(' ', "-");
    let is_number = |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit());
    if is_condition(&front) {
        let fault = Fault::new(format!("`{front}` must follow the counter"), words[0].clone());
        return Err(fault.help(format!("write `{last}/{}`", canonical(&front))));
    }
    let is_front = Nation::from_word(&front).is_some() || canonical(&front) == COMMISSAR;
    // An unknown word before a number is reported as an unknown nation.
    match is_front || words.len() == 2 && is_number(last) && !is_number(&front) {
        true => Ok(format!("{front}:{last}")),
        false => Err(item.without_sign(words[1].clone())),
    }
}

impl Item {
    /// Reads an item that the grammar has split off.
    pub fn read(text: &str, item: &roster::Item) -> Result<Item, Fault> {
        let head = head(text, item)?;
        let mut read = Item {
            count: item.count,
            name: head.clone(),
            span: item.name.clone(),
            ..Item::default()
        };
        read.read_counter(&head)?;
        for condition in &item.conditions()? {
            read.read_condition(condition)?;
        }
        if read.conditions.has_any(Condition::Dm, Condition::Disrupted) {
            read.conditions.set(Condition::Broken);
        }
        Ok(read)
    }

    /// Reads `[nation ":"] name [":" class]`, `commissar:9-0` or `id:...`.
    fn read_counter(&mut self, head: &str) -> Result<(), Fault> {
        let span = self.span.clone();
        let fault = |message: String| Fault::new(message, span.clone());
        if let Some((word, id)) = head.split_once(':')
            && canonical(word) == "id"
        {
            let ids = CATALOGUE.counters().iter().map(|counter| counter.id.as_str());
            let unknown = || no_counter(fault(format!("no counter has the id `{id}`")), id, ids);
            let place = CATALOGUE.find(id).ok_or_else(unknown)?;
            self.candidates = vec![place];
            self.nation = Some(CATALOGUE.get(place).nation);
            return Ok(());
        }
        let mut parts: Vec<&str> = head.split(':').collect();
        let mut kind = None;
        if parts.len() > 1 && canonical(parts[0]) == COMMISSAR {
            kind = Some(CounterKind::Commissar);
            parts.remove(0);
        } else if parts.len() > 1
            && !parts[0].starts_with(|c: char| c.is_ascii_digit())
            && canonical(parts[0]) != "hero"
        {
            let nation = Nation::from_word(parts[0]).ok_or_else(|| {
                let names = Nation::ALL.iter().map(|nation| nation.name()).chain([COMMISSAR]);
                let end = span.end.min(span.start + parts[0].len());
                Fault { span: span.start..end, ..Nation::unknown(parts[0], names) }
            })?;
            self.nation = Some(nation);
            parts.remove(0);
        }
        let (name, class) = match parts[..] {
            [name] => (name, None),
            [name, class] => (name, Some(class)),
            _ => {
                let fault = fault(format!("`{head}` has too many `:`"));
                return Err(fault.help("write `nation:name:class`"));
            }
        };
        let class = class.map(canonical);
        if let Some(class) = class.as_deref().filter(|class| !CLASSES.contains(class)) {
            let fault = fault(format!("no class is called `{class}`"));
            return Err(fault.expecting(class, CLASSES));
        }
        let is_hero = canonical(name) == "hero";
        let fits = |counter: &Counter| {
            let named = if is_hero { counter.id == HERO } else { counter.printed() == name };
            let of_kind = kind.is_none_or(|kind| counter.kind == kind);
            let of_class = class.as_deref().is_none_or(|class| match class {
                "crew" => counter.kind == CounterKind::Crew,
                letter => counter.class.name() == letter && counter.kind != CounterKind::Crew,
            });
            named && of_kind && of_class
        };
        if name.is_empty() {
            let fault = fault(format!("a counter is missing in `{head}`"));
            return Err(fault.help("for example `german:4-6-7`"));
        }
        if let Some(nation) = Nation::from_word(name).filter(|_| self.nation.is_none()) {
            let fault = fault(format!("`{name}` is a nation: name one of its counters"));
            return Err(fault.help(format!("`lowcrawl units {nation}` lists them")));
        }
        self.name = name.to_string();
        let printed: Vec<CounterId> =
            CATALOGUE.places().filter(|&place| fits(CATALOGUE.get(place))).collect();
        let of_nation = |&place: &CounterId| {
            let nation = CATALOGUE.get(place).nation;
            self.nation.is_none_or(|named| named == nation || nation == Nation::Any)
        };
        self.candidates = printed.iter().copied().filter(of_nation).collect();
        if self.candidates.is_empty() {
            return Err(self.unknown_counter(head, &printed));
        }
        if kind == Some(CounterKind::Commissar) {
            self.nation = Some(Nation::Russian);
        }
        Ok(())
    }

    /// Returns the fault of a counter that no nation prints, or that only other nations print.
    fn unknown_counter(&self, head: &str, printed: &[CounterId]) -> Fault {
        let fault =
            Fault::new(format!("no counter has the printed values `{head}`"), self.span.clone());
        if !printed.is_empty() {
            let others: Vec<String> =
                printed.iter().map(|&place| CATALOGUE.get(place).to_string()).collect();
            return fault.help(format!("there is {}", others.join(", ")));
        }
        let of_nation =
            |counter: &&Counter| self.nation.is_none_or(|nation| nation == counter.nation);
        let mut names: Vec<&str> =
            CATALOGUE.counters().iter().filter(of_nation).map(Counter::printed).collect();
        names.sort_unstable();
        names.dedup();
        names.push("hero");
        no_counter(fault, &self.name, names)
    }

    fn read_condition(&mut self, condition: &roster::UnitFact) -> Result<(), Fault> {
        let roster::UnitFact { name, value, text, span } = condition;
        if let Some(value) = value {
            let number = NUMBERS.iter().find(|(number, ..)| number == name);
            let (_, low, high) = number.ok_or_else(|| {
                let fault = Fault::new(format!("no condition is called `{name}=`"), span.clone());
                fault.expecting(name, NUMBERS.map(|(name, ..)| name))
            })?;
            let number = value.parse::<i8>().ok().filter(|number| (low..=high).contains(&number));
            let number = Some(number.ok_or_else(|| {
                let message = format!("`{name}` must be a whole number from {low} to {high}");
                Fault::new(message, span.clone())
            })?);
            match name.as_str() {
                "elr" => self.elr = number.map(|elr| elr as u8),
                "morale" => self.morale = number,
                _ => self.broken_morale = number,
            }
            return Ok(());
        }
        if let Some(known) = KnownWord::parse(text) {
            return Err(known.fault(text, None, span.clone()));
        }
        if name == CONCEALED {
            self.concealed = true;
            return Ok(());
        }
        let known = Condition::written().find(|known| known.name() == name);
        let known = known.ok_or_else(|| {
            let fault = Fault::new(format!("no condition is called `{text}`"), span.clone());
            let names = Condition::written().map(|condition| condition.name());
            fault.expecting(text, names.chain(["elr=N", "morale=N"]))
        })?;
        self.conditions.set(known);
        Ok(())
    }
}

fn no_counter<'a>(fault: Fault, word: &str, valid: impl IntoIterator<Item = &'a str>) -> Fault {
    match nearest_few(word, valid, 5)[..] {
        [] => fault.help("`lowcrawl units` lists all counters"),
        ref near => {
            fault.help(format!("nearest: {}; `lowcrawl units` lists all counters", near.join(", ")))
        }
    }
}

/// The meaning of a word that is no counter of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KnownWord {
    SupportWeapon,
    Vehicle,
    /// A kind of counter, such as `squad`, that does not name one counter.
    Sort(CounterKind),
}

const SUPPORT_WEAPONS: &str = "sw mg lmg mmg hmg 50cal .50cal .50-cal atr baz bazooka piat psk \
    panzerschreck pf panzerfaust ft flamethrower dc mtr mortar rcl radio phone";
const VEHICLES: &str = "afv tank vehicle halftrack truck wagon gun at-gun inf-gun aa-gun";

impl KnownWord {
    /// Returns the meaning of a word, in the singular or the plural. `None` if the word is unknown.
    pub fn parse(word: &str) -> Option<KnownWord> {
        let word = canonical(word);
        let is = |known: &str| word == known || word.strip_suffix('s') == Some(known);
        let sort = CounterKind::from_word(&word).or(match word.as_str() {
            _ if is("mmc") => Some(CounterKind::Squad),
            _ if is("smc") => Some(CounterKind::Leader),
            _ => None,
        });
        // `hero`, `commissar` and `crew` are part of the notation, so they are not listed here.
        let sort = sort.filter(|sort| {
            matches!(sort, CounterKind::Squad | CounterKind::HalfSquad | CounterKind::Leader)
        });
        match word.as_str() {
            _ if SUPPORT_WEAPONS.split(' ').any(is) => Some(KnownWord::SupportWeapon),
            _ if VEHICLES.split(' ').any(is) => Some(KnownWord::Vehicle),
            _ => sort.map(KnownWord::Sort),
        }
    }

    /// Returns the fault of a known word where a counter is expected.
    pub fn fault(self, word: &str, nation: Option<Nation>, span: Range<usize>) -> Fault {
        let (message, help) = match self {
            KnownWord::SupportWeapon => (
                "support weapons are not supported: they do not affect morale".to_string(),
                format!(
                    "remove `{word}`, and add its FP to the attack; docs/limits.md lists what is \
                        not supported"
                ),
            ),
            KnownWord::Vehicle => (
                "vehicles and Guns are not supported: only Infantry checks its morale here"
                    .to_string(),
                format!("remove `{word}`; docs/limits.md lists what is not supported"),
            ),
            KnownWord::Sort(sort) => {
                let nation = nation.unwrap_or(Nation::German);
                let words = format!("{nation} {}", sort.name());
                (
                    format!("`{word}` is a kind of counter: name one, such as 4-6-7 or 8-1"),
                    format!("`lowcrawl units {words}` lists them"),
                )
            }
        };
        Fault::new(message, span).help(help)
    }
}
