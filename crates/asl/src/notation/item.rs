//! One item of a stack: a counter and its conditions, with faults for words that are no counters.

use std::ops::Range;

use crate::catalogue::{CATALOGUE, Class, Counter, CounterId, CounterKind, HERO};
use crate::nation::Nation;
use crate::stack::{CombatRole, MAX_UNITS};
use crate::vocabulary::{Condition, Conditions};
use engine::text::{Fault, canonical, listed, nearest_few};
use schema::{Grammar, roster};

const CLASSES: [&str; 6] = ["e", "1", "2", "g", "c", "crew"];
/// The condition of an SMC that names its MMC (11.14).
const WITH: &str = "with";
/// The conditions with a value: the name, the lowest and the highest value.
const NUMBERS: [(&str, i8, i8); 4] =
    [("elr", 0, 6), ("morale", 1, 10), ("broken-morale", 1, 10), (WITH, 1, MAX_UNITS as i8)];

/// Returns the conditions as they are written, such as `elr=N`.
pub fn conditions() -> Vec<String> {
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
                || KnownWord::parse(word).is_some_and(|known| !known.is_sort())
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
    pub role: CombatRole,
    pub elr: Option<u8>,
    pub morale: Option<i8>,
    pub broken_morale: Option<i8>,
}

fn is_condition(word: &str) -> bool {
    let name = canonical(word.split('=').next().unwrap_or_default());
    // Players write `4-6-7 with 9-1`, where the word begins no condition.
    let is_written = word.contains('=') || name != WITH;
    let is_number = || is_written && NUMBERS.iter().any(|(number, ..)| *number == name);
    let is_role = || CombatRole::WORDS.contains(&name.as_str());
    name == CONCEALED || is_role() || Condition::from_word(&name).is_some() || is_number()
}

/// Dashes that stand for hyphens in text copied from a web page or a document.
const DASHES: [char; 6] = ['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'];

/// The words before the conditions of a unit.
struct Head {
    /// The name of the counter as one word, with its nation and class.
    name: String,
    /// The kind of counter that a further word such as `squad` names.
    kind: Option<CounterKind>,
}

/// Reads the words before the conditions. A blank may stand in place of a colon.
fn head(text: &str, item: &roster::Item) -> Result<Head, Fault> {
    let mut words = item.words();
    let has_digit = |word: &str| word.contains(|letter: char| letter.is_ascii_digit());
    let class = |word: &Range<usize>| Class::from_word(&text[word.clone()]);
    let is_named = words.iter().any(|word| has_digit(&text[word.clone()]) || class(word).is_some());
    let mut kind = None;
    if let Some((place, known)) = words.iter().enumerate().find_map(|(place, word)| {
        let word = text[word.clone()].rsplit(':').next().unwrap_or_default();
        Some((place, KnownWord::parse(word)?))
    }) {
        let word = &text[words[place].clone()];
        match known {
            KnownWord::Sort(sort) if is_named && !word.contains(':') => {
                kind = Some(sort);
                words.remove(place);
            }
            _ => {
                let first = text[words[0].clone()].split(':').next().unwrap_or_default();
                return Err(known.fault(word, Nation::from_word(first), words[place].clone()));
            }
        }
    }
    if let Some(word) = words.iter().find(|word| Nation::is_known(&text[(*word).clone()])) {
        return Err(Nation::unknown(&text[word.clone()], nations()).with_span(word.clone()));
    }
    // `4-6-7 conscript` is `4-6-7:c`.
    let is_class = |word: &Range<usize>| words.len() > 1 && class(word).is_some();
    let of_class = words
        .iter()
        .position(is_class)
        .filter(|_| words.iter().any(|word| has_digit(&text[word.clone()])));
    let class = of_class.map(|place| words.remove(place));
    let class = class.map_or(String::new(), |word| format!(":{}", &text[word]));
    let tight: Vec<&str> = words.iter().map(|word| &text[word.clone()]).collect();
    let tight = tight.join(" ").replace(DASHES, "-").replace(": ", ":").replace(" :", ":");
    let named = |name: String| Ok(Head { name: name + &class, kind });
    if let Some((nation, rest)) = tight.split_once(':')
        && Nation::from_word(&nation.replace(' ', "-")).is_some()
        && !rest.contains(' ')
    {
        return named(format!("{}:{rest}", nation.replace(' ', "-")));
    }
    let Some((front, last)) = tight.rsplit_once(' ') else { return named(tight) };
    let front = front.replace(' ', "-");
    let is_number = |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit());
    if is_condition(&front) {
        let fault = Fault::new(format!("`{front}` must follow the counter"), words[0].clone());
        return Err(fault.help(format!("write `{last}/{}`", canonical(&front))));
    }
    let is_front = Nation::from_word(&front).is_some() || canonical(&front) == COMMISSAR;
    // An unknown word before a number is reported as an unknown nation.
    match is_front || words.len() == 2 && is_number(last) && !is_number(&front) {
        true => named(format!("{front}:{last}")),
        false => Err(item.without_sign(words[1].clone())),
    }
}

/// Returns the words that may stand before the colon of a counter.
fn nations() -> impl Iterator<Item = &'static str> {
    Nation::names().chain([COMMISSAR])
}

impl Item {
    /// Reads an item that the grammar has split off.
    pub fn read(text: &str, item: &roster::Item) -> Result<Item, Fault> {
        let Head { name: head, kind } = head(text, item)?;
        let mut read = Item {
            count: item.count,
            name: head.clone(),
            span: item.name.clone(),
            ..Item::default()
        };
        read.read_counter(&head, kind)?;
        for condition in &item.conditions()? {
            read.read_condition(condition)?;
        }
        if read.conditions.has_any(Condition::Dm, Condition::Disrupted) {
            read.conditions.set(Condition::Broken);
        }
        Ok(read)
    }

    /// Reads the id of a counter, after `id:`.
    fn read_id(&mut self, id: &str) -> Result<(), Fault> {
        let fault = || Fault::new(format!("no counter has the id `{id}`"), self.span.clone());
        let ids = CATALOGUE.counters().iter().map(|counter| counter.id.as_str());
        let place = CATALOGUE.find(id).ok_or_else(|| no_counter(fault(), id, ids))?;
        self.candidates = vec![place];
        self.nation = Some(CATALOGUE.get(place).nation);
        Ok(())
    }

    /// Reads `[nation ":"] name [":" class]`, `commissar:9-0` or `id:...`. `sort` is the kind that
    /// a word names, if any.
    fn read_counter(&mut self, head: &str, sort: Option<CounterKind>) -> Result<(), Fault> {
        let span = self.span.clone();
        let fault = |message: String| Fault::new(message, span.clone());
        if let Some((word, id)) = head.split_once(':')
            && canonical(word) == "id"
        {
            return self.read_id(id);
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
                let end = span.end.min(span.start + parts[0].len());
                Nation::unknown(parts[0], nations()).with_span(span.start..end)
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
        let class = class.map(|class| {
            Class::from_word(class).map_or(canonical(class), |class| class.name().to_string())
        });
        if let Some(class) = class.as_deref().filter(|class| !CLASSES.contains(class)) {
            let fault = fault(format!("no class is called `{class}`"));
            return Err(fault.expecting(class, CLASSES));
        }
        if name.is_empty() {
            let fault = fault(format!("a counter is missing in `{head}`"));
            return Err(fault.help("for example `german:4-6-7`"));
        }
        if let Some(nation) = Nation::from_word(name).filter(|_| self.nation.is_none()) {
            let fault = fault(format!("`{name}` is a nation: name one of its counters"));
            return Err(fault.help(format!("`lowcrawl units {nation}` lists them")));
        }
        let printed = self.find(name, class.as_deref(), kind, sort);
        if self.candidates.is_empty() {
            return Err(self.unknown_counter(head, class.as_deref(), &printed));
        }
        let found = CATALOGUE.get(self.candidates[0]).kind;
        if let Some(sort) = sort.filter(|sort| sort.is_smc() != found.is_smc()) {
            let fault = fault(format!("{name} is a {}, not a {}", found.name(), sort.name()));
            return Err(fault.help(format!("write `{name}`")));
        }
        if kind == Some(CounterKind::Commissar) {
            self.nation = Some(Nation::Russian);
        }
        Ok(())
    }

    /// Finds the candidates: the counters called `name`, of a class and a kind if these are given.
    /// Returns those of other nations too. `sort` is the kind of `conscript`, by default a squad.
    fn find(
        &mut self,
        name: &str,
        class: Option<&str>,
        kind: Option<CounterKind>,
        sort: Option<CounterKind>,
    ) -> Vec<CounterId> {
        let is_hero = canonical(name) == "hero";
        // `conscript` alone is any squad of that class.
        let by_class = Class::from_word(name);
        let of_sort = sort.or(by_class.map(|_| CounterKind::Squad));
        let is_digits = name.bytes().all(|letter| letter.is_ascii_digit());
        let full = CATALOGUE.printed_as(name, self.nation).or(CATALOGUE.printed_as(name, None));
        let name = full.filter(|_| is_digits).unwrap_or(name);
        let fits = |counter: &Counter| {
            let named = match by_class {
                _ if is_hero => counter.id == HERO,
                Some(class) => counter.class == class && Some(counter.kind) == of_sort,
                None => counter.printed() == name,
            };
            let of_kind = kind.is_none_or(|kind| counter.kind == kind);
            let of_class = class.is_none_or(|class| match class {
                "crew" => counter.kind == CounterKind::Crew,
                letter => counter.class.name() == letter && counter.kind != CounterKind::Crew,
            });
            named && of_kind && of_class
        };
        self.name = name.to_string();
        let printed: Vec<CounterId> =
            CATALOGUE.places().filter(|&place| fits(CATALOGUE.get(place))).collect();
        let of_nation = |&place: &CounterId| {
            let nation = CATALOGUE.get(place).nation;
            self.nation.is_none_or(|named| named == nation || nation == Nation::Any)
        };
        self.candidates = printed.iter().copied().filter(of_nation).collect();
        printed
    }

    /// Returns the fault of a counter that no nation prints, or that only other nations print.
    fn unknown_counter(&self, head: &str, class: Option<&str>, printed: &[CounterId]) -> Fault {
        let fault =
            Fault::new(format!("no counter has the printed values `{head}`"), self.span.clone());
        let of_nation =
            |counter: &&Counter| self.nation.is_none_or(|nation| nation == counter.nation);
        let is_named = |counter: &&Counter| of_nation(counter) && counter.printed() == self.name;
        if let (Some(class), Some(counter)) = (class, CATALOGUE.counters().iter().find(is_named)) {
            let in_class = CATALOGUE.counters().iter().filter(|other| {
                (other.nation, other.kind) == (counter.nation, counter.kind)
                    && other.class.name() == class
            });
            let others: Vec<String> = in_class.map(|other| format!(", or {other}")).collect();
            let wanted = Class::ALL.into_iter().find(|one| one.name() == class);
            let wanted = wanted.map_or(class, |class| class.in_words());
            let own = Some(counter.class.in_words()).filter(|words| !words.is_empty());
            let own = own.unwrap_or(counter.class.name());
            let message = format!("{} is {own}, not {wanted}", self.name);
            let fault = Fault::new(message, self.span.clone());
            return fault.help(format!("write `{counter}`{}", others.concat()));
        }
        if !printed.is_empty() {
            let others: Vec<String> =
                printed.iter().map(|&place| CATALOGUE.get(place).to_string()).collect();
            let others: Vec<&str> = others.iter().map(String::as_str).collect();
            let fault = match (Class::from_word(&self.name), self.nation) {
                (Some(_), Some(nation)) => {
                    let message = format!("no {nation} counter is {}", self.name);
                    Fault { message, ..fault }
                }
                _ => fault,
            };
            return fault.help(format!("there is {}", listed(&others)));
        }
        let mut names: Vec<&str> =
            CATALOGUE.counters().iter().filter(of_nation).map(Counter::printed).collect();
        names.sort_unstable();
        names.dedup();
        names.push("hero");
        let is_model = self.name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && self.name.contains(|letter: char| letter.is_ascii_digit());
        match is_model && nearest_few(&self.name, names.iter().copied(), 1).is_empty() {
            true => KnownWord::Vehicle.fault(&self.name, None, self.span.clone()),
            false => no_counter(fault, &self.name, names),
        }
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
                WITH => self.role.with = number.map(|unit| unit as u8),
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
        if let Some(flag) = self.role.flag(name) {
            *flag = true;
            return Ok(());
        }
        let known = Condition::from_word(name).ok_or_else(|| {
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
            let has_morale = near[0].matches('-').count() == 2;
            let further = match has_morale {
                true => format!("another Morale Level is set like this: `{}/morale=8`", near[0]),
                false => "`lowcrawl units` lists all counters".to_string(),
            };
            fault.help(format!("nearest: {}; {further}", near.join(", ")))
        }
    }
}

/// The meaning of a word that is no counter of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KnownWord {
    SupportWeapon,
    Vehicle,
    /// A state of concealment (A12).
    Concealment,
    /// A kind of counter, such as `squad`, that does not name one counter.
    Sort(CounterKind),
}

const SUPPORT_WEAPONS: &str = "sw mg lmg mmg hmg 50cal .50cal .50-cal atr baz bazooka piat psk \
    panzerschreck pf panzerfaust ft flamethrower dc mtr mortar rcl radio phone";
const VEHICLES: &str = "afv tank vehicle halftrack truck wagon gun at-gun inf-gun aa-gun sherman \
    panther tiger stuart";
const CONCEALMENT: &str = "concealment hidden hip ?";

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
            _ if CONCEALMENT.split(' ').any(is) => Some(KnownWord::Concealment),
            _ => sort.map(KnownWord::Sort),
        }
    }

    const fn is_sort(self) -> bool {
        matches!(self, KnownWord::Sort(_))
    }

    /// Returns the fault of a known word where a counter is expected.
    pub fn fault(self, word: &str, nation: Option<Nation>, span: Range<usize>) -> Fault {
        let (message, help) = match self {
            KnownWord::SupportWeapon => (
                "a support weapon does not affect the morale of its unit".to_string(),
                format!("remove `{word}`; a SW that fires belongs to the firers of an attack"),
            ),
            KnownWord::Vehicle => (
                "vehicles and Guns are not supported: only Infantry checks its morale here"
                    .to_string(),
                format!("remove `{word}`; docs/limits.md lists what is not supported"),
            ),
            KnownWord::Concealment => (
                format!("a concealed unit is written `german:4-6-7/{CONCEALED}`"),
                format!("write that for `{word}` where named firers attack it (A12.13)"),
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
