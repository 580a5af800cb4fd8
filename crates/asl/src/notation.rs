//! The stack notation: `9-1 + 2x german:4-6-7 + german:4-6-8/broken,dm`.
//!
//! ```text
//! stack = item { WS "+" WS item }
//! item  = [N "x" [WS]] [nation ":"] name [":" class] ["/" cond {"," cond}]
//! ```

use std::ops::Range;

use super::catalogue::{CATALOGUE, Counter, CounterId, CounterKind, HERO, WOUNDED_HERO};
use super::nation::Nation;
use super::stack::{MAX_UNITS, Member, Stack, check_conditions};
use super::unit::{Condition, Conditions};
use engine::text::{Fault, canonical, nearest_few};
use system::field::single_spaced;

const CLASSES: [&str; 6] = ["e", "1", "2", "g", "c", "crew"];

/// A stack read but for the nations it leaves open.
#[derive(Clone, Debug)]
pub struct Written {
    items: Vec<Item>,
    text: String,
}

#[derive(Clone, Debug)]
struct Item {
    count: usize,
    /// Counters that fit what is written, nation aside.
    candidates: Vec<CounterId>,
    nation: Option<Nation>,
    name: String,
    span: Range<usize>,
    conditions: Conditions,
    elr: Option<u8>,
    morale: Option<i8>,
    broken_morale: Option<i8>,
}

impl Written {
    /// As it is written, with single spaces.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads the notation; spans are bytes of `text`.
    pub fn parse(text: &str) -> Result<Written, Fault> {
        let mut items = Vec::new();
        let mut plus: Option<Range<usize>> = None;
        let mut words = words(text).peekable();
        if words.peek().is_none() {
            return Err(Fault::new("an empty stack: expected a counter", 0..text.len())
                .help("for example `german:4-6-7`"));
        }
        loop {
            let Some(mut word) = words.next() else {
                let at = plus.unwrap_or(0..text.len());
                return Err(Fault::new("a counter is missing after `+`", at));
            };
            if &text[word.clone()] == "+" {
                return Err(Fault::new("a counter is missing before `+`", word));
            }
            let mut count = 1;
            if let Some((number, rest)) = multiplier(&text[word.clone()]) {
                count = number.map_err(|()| count_fault(word.clone()))?;
                word = if rest < word.len() {
                    word.start + rest..word.end
                } else {
                    words.next().ok_or_else(|| {
                        Fault::new("a counter is missing after the number", word.clone())
                    })?
                };
            }
            items.push(Item::parse(text, word, count)?);
            match words.next() {
                None => break,
                Some(sign) if &text[sign.clone()] == "+" => plus = Some(sign),
                Some(other) => {
                    let fault = Fault::new(
                        format!("expected `+` before `{}`", &text[other.clone()]),
                        other,
                    );
                    return Err(fault.help("write ` + ` between counters, with spaces"));
                }
            }
        }
        let units: usize = items.iter().map(|item| item.count).sum();
        if units > MAX_UNITS {
            return Err(Fault::new(
                format!("{units} units: a stack has at most {MAX_UNITS}"),
                0..text.len(),
            ));
        }
        Ok(Written { items, text: single_spaced(text) })
    }

    /// The nations its counters name: in words, or because only one nation prints them.
    pub fn nations(&self) -> Vec<Nation> {
        let mut nations: Vec<Nation> = self.items.iter().filter_map(Item::named_nation).collect();
        nations.sort();
        nations.dedup();
        nations
    }

    /// Fills in the nations left open: the one nation in `named`, or where counters of all nations
    /// play alike, the first.
    pub fn resolve(&self, named: &[Nation]) -> Result<Stack, Fault> {
        let mut stack = Stack { members: Vec::new(), spans: Vec::new(), assumed: Vec::new() };
        for item in &self.items {
            let (counter, assumed) = item.resolve(named)?;
            stack.assumed.extend(assumed);
            let mut conditions = item.conditions;
            if CATALOGUE.get(counter).id == WOUNDED_HERO {
                conditions.set(Condition::Wounded);
            }
            let (counter, conditions) = wounded_side(counter, conditions);
            let open = CATALOGUE.get(counter).nation == Nation::Any;
            let nation = item
                .nation
                .or(named.first().copied())
                .filter(|&nation| open && nation != Nation::Any);
            let doubtful = CATALOGUE.get(counter).kind == CounterKind::Crew || named.len() > 1;
            if open && item.nation.is_none() && doubtful {
                let whose = nation
                    .map_or("of no nation; a leader it creates is german".to_string(), |nation| {
                        format!("taken as {nation}")
                    });
                stack.assumed.push(format!("{} is {whose}", item.name));
            }
            let member = Member {
                counter,
                nation,
                conditions,
                elr: item.elr,
                morale: item.morale,
                broken_morale: item.broken_morale,
            };
            check_conditions(&member).map_err(|message| Fault::new(message, item.span.clone()))?;
            stack.members.extend(std::iter::repeat_n(member, item.count));
            stack.spans.extend(std::iter::repeat_n(item.span.clone(), item.count));
        }
        Ok(stack)
    }
}

/// 15.2: a wounded hero lies on his wounded side.
fn wounded_side(counter: CounterId, conditions: Conditions) -> (CounterId, Conditions) {
    let flipped = CATALOGUE.get(counter).id == HERO && conditions.has(Condition::Wounded);
    let other_side = flipped.then(|| CATALOGUE.find(WOUNDED_HERO)).flatten();
    (other_side.unwrap_or(counter), conditions)
}

/// Ranges of the words of a text.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_whitespace().map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

/// `2x` at the start of a word: the number (an error when absurd) and where the rest begins.
fn multiplier(word: &str) -> Option<(Result<usize, ()>, usize)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || word.as_bytes().get(digits) != Some(&b'x') {
        return None;
    }
    let number =
        word[..digits].parse().ok().filter(|number| (1..=MAX_UNITS).contains(number)).ok_or(());
    Some((number, digits + 1))
}

fn count_fault(span: Range<usize>) -> Fault {
    Fault::new(format!("expected a number of counters from 1 to {MAX_UNITS}"), span)
}

impl Item {
    fn parse(text: &str, span: Range<usize>, count: usize) -> Result<Item, Fault> {
        let word = &text[span.clone()];
        let (head, tail) =
            word.split_once('/').map_or((word, None), |(head, tail)| (head, Some(tail)));
        let mut item = Item {
            count,
            candidates: Vec::new(),
            nation: None,
            name: head.to_string(),
            span: span.start..span.start + head.len(),
            conditions: Conditions::default(),
            elr: None,
            morale: None,
            broken_morale: None,
        };
        item.read_counter(head)?;
        if let Some(tail) = tail {
            let mut at = span.start + head.len() + 1;
            for condition in tail.split(',') {
                item.read_condition(condition, at..at + condition.len())?;
                at += condition.len() + 1;
            }
        }
        if item.conditions.has_any(Condition::Dm, Condition::Disrupted) {
            item.conditions.set(Condition::Broken);
        }
        Ok(item)
    }

    /// `[nation ":"] name [":" class]`, `commissar:9-0` or `id:...`.
    fn read_counter(&mut self, head: &str) -> Result<(), Fault> {
        let span = self.span.clone();
        if let Some(id) = head.strip_prefix("id:") {
            let ids = CATALOGUE.counters().iter().map(|counter| counter.id.as_str());
            let place = CATALOGUE.find(id).ok_or_else(|| {
                no_counter(Fault::new(format!("no counter has the id `{id}`"), span), id, ids)
            })?;
            self.candidates = vec![place];
            self.nation = Some(CATALOGUE.get(place).nation);
            return Ok(());
        }
        if head.contains('+') && head.matches('-').count() > 2 {
            return Err(Fault::new(format!("no counter is printed `{head}`"), span)
                .help("write ` + ` between counters, with spaces"));
        }
        let mut parts: Vec<&str> = head.split(':').collect();
        let mut kind = None;
        if parts.len() > 1 && canonical(parts[0]) == "commissar" {
            kind = Some(CounterKind::Commissar);
            parts.remove(0);
        } else if parts.len() > 1
            && !parts[0].starts_with(|c: char| c.is_ascii_digit())
            && canonical(parts[0]) != "hero"
        {
            let nation = Nation::named(parts[0]).ok_or_else(|| {
                let names = Nation::ALL.iter().map(|nation| nation.name()).chain(["commissar"]);
                let part = span.start..span.start + parts[0].len();
                Fault::new(format!("no nation is called `{}`", parts[0]), part)
                    .expecting(parts[0], names)
            })?;
            self.nation = Some(nation);
            parts.remove(0);
        }
        let (name, class) = match parts[..] {
            [name] => (name, None),
            [name, class] => (name, Some(class)),
            _ => {
                return Err(Fault::new(format!("`{head}` has too many `:`"), span)
                    .help("write `nation:name:class`"));
            }
        };
        let class = class.map(canonical);
        if let Some(class) = class.as_deref().filter(|class| !CLASSES.contains(class)) {
            return Err(
                Fault::new(format!("no class is called `{class}`"), span).expecting(class, CLASSES)
            );
        }
        let is_hero = canonical(name) == "hero";
        let fits = |counter: &Counter| {
            let named = if is_hero { counter.id == HERO } else { counter.printed() == name };
            let of_kind = kind.is_none_or(|kind| counter.kind == kind);
            let of_class = class.as_deref().is_none_or(|class| match class {
                "crew" => counter.kind == CounterKind::Crew,
                letter => counter.class.letter() == letter && counter.kind != CounterKind::Crew,
            });
            named && of_kind && of_class
        };
        if name.is_empty() {
            return Err(Fault::new(format!("a counter is missing in `{head}`"), span)
                .help("for example `german:4-6-7`"));
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

    /// The error for a counter nobody prints, or only others do.
    fn unknown_counter(&self, head: &str, printed: &[CounterId]) -> Fault {
        let fault = Fault::new(format!("no counter is printed `{head}`"), self.span.clone());
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

    fn read_condition(&mut self, word: &str, span: Range<usize>) -> Result<(), Fault> {
        if let Some((name, value)) = word.split_once('=') {
            let name = canonical(name);
            let (low, high) = if name == "elr" { (0, 6) } else { (1, 10) };
            let number = || {
                let number =
                    value.parse::<i8>().ok().filter(|number| (low..=high).contains(number));
                number.ok_or_else(|| {
                    Fault::new(
                        format!("`{name}` must be a whole number from {low} to {high}"),
                        span.clone(),
                    )
                })
            };
            match name.as_str() {
                "elr" => self.elr = Some(number()? as u8),
                "morale" => self.morale = Some(number()?),
                "broken-morale" => self.broken_morale = Some(number()?),
                _ => {
                    let fault = Fault::new(format!("no condition is called `{name}=`"), span);
                    return Err(fault.expecting(&name, ["elr", "morale", "broken-morale"]));
                }
            }
            return Ok(());
        }
        let name = canonical(word);
        if name.is_empty() {
            return Err(Fault::new(
                "a condition is missing after `/` or `,`",
                span.start.saturating_sub(1)..span.end,
            ));
        }
        let condition = Condition::WRITTEN
            .into_iter()
            .find(|condition| condition.name() == name)
            .ok_or_else(|| {
            let fault = Fault::new(format!("no condition is called `{word}`"), span.clone());
            fault.expecting(
                word,
                Condition::WRITTEN
                    .iter()
                    .map(|condition| condition.name())
                    .chain(["elr=N", "morale=N"]),
            )
        })?;
        if self.conditions.has(condition) {
            return Err(Fault::new(format!("`{name}` is said twice"), span));
        }
        self.conditions.set(condition);
        Ok(())
    }

    /// The nation this counter names: in words, or by being printed by one nation only.
    fn named_nation(&self) -> Option<Nation> {
        let first = CATALOGUE.get(self.candidates[0]).nation;
        let only = self.candidates.iter().all(|&place| CATALOGUE.get(place).nation == first);
        self.nation
            .or(if only { Some(first) } else { None })
            .filter(|&nation| nation != Nation::Any)
    }

    /// The counter meant, and what had to be assumed.
    fn resolve(&self, named: &[Nation]) -> Result<(CounterId, Option<String>), Fault> {
        let nation_of = |place: CounterId| CATALOGUE.get(place).nation;
        let mut fitting = self.candidates.clone();
        let mut assumed = None;
        if let ([nation], None) = (named, self.named_nation())
            && nation_of(fitting[0]) != Nation::Any
        {
            fitting.retain(|&place| nation_of(place) == *nation);
            if fitting.is_empty() {
                let fault = Fault::new(
                    format!("no counter is printed `{nation}:{}`", self.name),
                    self.span.clone(),
                );
                return Err(fault.help(format!("there is {}", self.list(&self.candidates))));
            }
            assumed =
                Some(format!("{} is taken as {nation}, like the rest of the stack", self.name));
        }
        let first = fitting[0];
        if fitting.len() == 1 {
            if self.nation.is_none() && assumed.is_none() && nation_of(first) != Nation::Any {
                assumed = Some(format!(
                    "{} is {}: no other nation prints it",
                    self.name,
                    nation_of(first)
                ));
            }
            return Ok((first, assumed));
        }
        let one_nation = fitting.iter().all(|&place| nation_of(place) == nation_of(first));
        if !one_nation && fitting.iter().all(|&place| CATALOGUE.agree(first, place)) {
            let assumed = format!(
                "{} is taken as {}: all nations that print it play alike",
                self.name,
                nation_of(first)
            );
            return Ok((first, Some(assumed)));
        }
        let message = if one_nation {
            format!("`{}` is printed on several {} counters", self.name, nation_of(first))
        } else {
            format!("`{}` is printed by several nations, and they differ", self.name)
        };
        Err(Fault::new(message, self.span.clone())
            .help(format!("say which: {}", self.list(&fitting))))
    }

    /// Counters in words that parse to just one of them.
    fn list(&self, places: &[CounterId]) -> String {
        let name = |&place: &CounterId| {
            let counter = CATALOGUE.get(place);
            let nation = places
                .iter()
                .filter(|&&other| CATALOGUE.get(other).nation == counter.nation)
                .count();
            let class = |other: &&CounterId| {
                let other = CATALOGUE.get(**other);
                other.nation == counter.nation
                    && other.class == counter.class
                    && other.kind == counter.kind
            };
            match (nation, places.iter().filter(class).count()) {
                (1, _) => counter.to_string(),
                (_, 1) if counter.kind == CounterKind::Crew => format!("{counter}:crew"),
                (_, 1) => format!("{counter}:{}", counter.class.letter()),
                _ => format!("id:{}", counter.id),
            }
        };
        places.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}

/// A fault with the nearest few of the counters there are as advice.
fn no_counter<'a>(fault: Fault, word: &str, valid: impl IntoIterator<Item = &'a str>) -> Fault {
    match nearest_few(word, valid, 5)[..] {
        [] => fault.help("`lowcrawl units` lists all counters"),
        ref near => {
            fault.help(format!("nearest: {}; `lowcrawl units` lists all counters", near.join(", ")))
        }
    }
}

impl Stack {
    /// Reads a stack by itself.
    pub fn parse(text: &str) -> Result<Stack, Fault> {
        let written = Written::parse(text)?;
        written.resolve(&written.nations())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        Stack::parse(text)
            .map_or_else(|fault| format!("{:?} {fault}", fault.span), |stack| stack.to_string())
    }

    #[test]
    fn the_notation_reads_back_what_it_writes() {
        for text in [
            "german:4-6-7",
            "german:9-1 + german:4-6-7 + german:4-6-7 + german:4-6-8/broken,dm",
            "russian:6+1 + russian:8-1/wounded",
            "id:ger_2_237 + id:ger_2s_237",
            "1-4-9 + 1-3-8",
            "commissar:9-0 + russian:4-4-7/elr=2,morale=8,broken-morale=6",
            "finnish:8-3-8/fanatic,encircled",
            "german:8-0/dm,disrupted",
        ] {
            let stack = Stack::parse(text).unwrap();
            assert_eq!(Stack::parse(&stack.to_string()).unwrap().members, stack.members, "{text}");
        }
        assert_eq!(shown("9-1 + 2x german:4-6-7"), "german:9-1 + german:4-6-7 + german:4-6-7");
        assert_eq!(shown("2x 4-6-7/dm"), "german:4-6-7/broken,dm + german:4-6-7/broken,dm");
        assert_eq!(
            shown("3xGERMAN_SS:6-5-8"),
            "german-ss:6-5-8 + german-ss:6-5-8 + german-ss:6-5-8"
        );
        assert_eq!(shown("hero/wounded"), "1-3-8");
        assert_eq!(shown("russian:6-2-8:2"), "id:rus_2_628");
        assert_eq!(shown("german:2-2-8:crew"), "german:2-2-8");
    }

    #[test]
    fn nations_left_open() {
        assert_eq!(shown("8-0 + russian:4-4-7"), "russian:8-0 + russian:4-4-7");
        // A Commissar is printed 9-0, as no other Russian is.
        assert_eq!(shown("9-0/heroic + russian:4-4-7"), "commissar:9-0/heroic + russian:4-4-7");
        assert!(
            shown("10-0").contains("say which: finnish:10-0, russian:10-0"),
            "{}",
            shown("10-0")
        );
        let assumed = Stack::parse("3-4-7:1").unwrap().assumed;
        assert_eq!(assumed, ["3-4-7 is taken as italian: all nations that print it play alike"]);
        assert_eq!(
            Stack::parse("4-6-7").unwrap().assumed,
            ["4-6-7 is german: no other nation prints it"]
        );
        let error = shown("9-1");
        assert!(
            error.starts_with(
                "0..3 `9-1` is printed by several nations, and they differ (say which: german:9-1, "
            ),
            "{error}"
        );
        assert_eq!(
            shown("german:2-3-7"),
            "0..12 `2-3-7` is printed on several german counters (say which: id:ger_2_237, id:ger_2s_237)"
        );
        assert!(
            shown("german:4-6-7 + 6-6-6").ends_with("american:6-6-6)")
                || shown("german:4-6-7 + 6-6-6").contains("american")
        );
    }

    #[test]
    fn errors_name_the_place_and_the_nearest_word() {
        for (text, error) in [
            ("", "0..0 an empty stack: expected a counter (for example `german:4-6-7`)"),
            ("german:4-6-7 +", "13..14 a counter is missing after `+`"),
            ("+ german:4-6-7", "0..1 a counter is missing before `+`"),
            (
                "german:4-6-7+german:4-6-7",
                "0..25 no counter is printed `german:4-6-7+german:4-6-7` (write ` + ` between counters, with spaces)",
            ),
            (
                "german:4-6-7 german:4-6-7",
                "13..25 expected `+` before `german:4-6-7` (write ` + ` between counters, with spaces)",
            ),
            ("grman:4-6-7", "0..5 no nation is called `grman` (did you mean `german`?)"),
            ("comissar:9-0", "0..8 no nation is called `comissar` (did you mean `commissar`?)"),
            (
                "german:4-6-7/brokn",
                "13..18 no condition is called `brokn` (did you mean `broken`?)",
            ),
            ("german:4-6-7/broken,broken", "20..26 `broken` is said twice"),
            ("german:4-6-7/elr=9", "13..18 `elr` must be a whole number from 0 to 6"),
            ("german:4-6-7:x", "0..14 no class is called `x` (valid: e, 1, 2, g, c, crew)"),
            ("german:", "0..7 a counter is missing in `german:` (for example `german:4-6-7`)"),
            ("german:4-6-7/", "12..13 a condition is missing after `/` or `,`"),
            ("german:4-6-7/broken,", "19..20 a condition is missing after `/` or `,`"),
            (
                "german:4-6-7/wounded",
                "0..12 an impossible 4-6-7: only an SMC can be wounded (A17.1)",
            ),
            ("0x german:4-6-7", "0..2 expected a number of counters from 1 to 12"),
            ("99x german:4-6-7", "0..3 expected a number of counters from 1 to 12"),
            ("8x german:4-6-7 + 8x german:4-6-8", "0..33 16 units: a stack has at most 12"),
            (
                "german:6-6-6",
                "0..12 no counter is printed `german:6-6-6` (there is american:6-6-6)",
            ),
        ] {
            assert_eq!(shown(text), error, "{text}");
        }
        let error = shown("german:4-6-9");
        assert!(
            error.contains("no counter is printed `german:4-6-9` (nearest: 4-6-7, 4-6-8"),
            "{error}"
        );
    }
}
