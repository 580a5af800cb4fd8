//! The stack notation: `9-1 + 2x german:4-6-7 + german:4-6-8/broken,dm`.
//!
//! ```text
//! stack = item { WS "+" WS item }
//! item  = [N "x" [WS]] [nation ":"] name [":" class] ["/" cond {"," cond}]
//! ```
//!
//! Other spellings with one possible meaning are accepted too: other separators and counts (read by
//! [`schema::roster`]), and a blank for the `:` after a nation or the `/` before a condition.

mod item;

use std::collections::BTreeSet;

use crate::catalogue::{
    CATALOGUE, Class, Counter, CounterId, CounterKind, HERO, Hardening, WOUNDED_HERO,
};
use crate::nation::Nation;
use crate::stack::{MAX_UNITS, Member, Stack, check_conditions};
use crate::vocabulary::Condition;
use engine::text::{Fault, canonical, listed};
pub use item::conditions;
use item::{GRAMMAR, Item};
use schema::field::single_spaced;
use schema::roster::{self, items};

/// A parsed stack, whose nations may still be open.
#[derive(Clone, Debug)]
pub struct StackNotation {
    items: Vec<Item>,
    /// The Dummies among them, which are no units (12.11).
    dummies: usize,
    text: String,
}

/// The word for a Dummy (12.11).
const DUMMY: &str = "dummy";

impl StackNotation {
    /// Returns the text of the stack, with single spaces.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Parses the notation.
    ///
    /// # Errors
    ///
    /// Fails if the text is no stack or has more than [`MAX_UNITS`] units. Spans are bytes of
    /// `text`.
    pub fn parse(text: &str) -> Result<StackNotation, Fault> {
        if text.trim().is_empty() {
            return Err(Fault::new("the stack is empty: expected a counter", 0..text.len())
                .help(format!("for example `{}`", GRAMMAR.example)));
        }
        let items = items(text, GRAMMAR)?;
        let is_dummy = |item: &roster::Item| canonical(&text[item.name.clone()]) == DUMMY;
        let (dummies, items): (Vec<_>, Vec<_>) = items.into_iter().partition(is_dummy);
        if items.is_empty() {
            let message = "Dummies alone are no units: the first result removes them (A12.11)";
            let help = "name the units beside them; under fire Dummies go as often as a concealed \
                unit in their place loses its concealment";
            return Err(Fault::new(message, 0..text.len()).help(help));
        }
        let dummies = dummies.iter().map(|item| item.count).sum();
        let items: Vec<Item> =
            items.iter().map(|item| Item::read(text, item)).collect::<Result<_, _>>()?;
        let written = StackNotation { items, dummies, text: single_spaced(text) };
        match written.units() {
            units if units > MAX_UNITS => Err(Fault::new(
                format!("{units} units: a stack has at most {MAX_UNITS}"),
                0..text.len(),
            )),
            _ => Ok(written),
        }
    }

    /// Returns the number of units.
    pub fn units(&self) -> usize {
        self.items.iter().map(|item| item.count).sum()
    }

    /// Returns the nations of counters, given by a word or by the only nation that prints it.
    pub fn nations<'a>(all: impl IntoIterator<Item = &'a StackNotation>) -> Vec<Nation> {
        let items = all.into_iter().flat_map(|written| &written.items);
        BTreeSet::from_iter(items.filter_map(Item::named_nation)).into_iter().collect()
    }

    /// Fills in the nations left open. An open nation becomes the only one in `named`. If the
    /// counters of all possible nations are equal, the first of these nations is taken.
    ///
    /// # Errors
    ///
    /// Fails if a nation is ambiguous, or if a unit cannot have its conditions.
    pub fn resolve(&self, named: &[Nation]) -> Result<Stack, Fault> {
        self.resolve_among(named, |_, _| false)
    }

    /// Fills in the nations left open, as [`Self::resolve`] does. Of several counters of a nation
    /// that are `alike`, the first is taken.
    pub(crate) fn resolve_among(
        &self,
        named: &[Nation],
        alike: fn(&Counter, &Counter) -> bool,
    ) -> Result<Stack, Fault> {
        let mut stack = Stack { dummies: self.dummies, ..Stack::default() };
        if self.dummies > 0 {
            stack.assumed.push(
                "Dummies go when the concealment is lost, and at the start of a Close Combat \
                    (A12.11, A11.19)"
                    .to_string(),
            );
        }
        for item in &self.items {
            let (counter, assumed) = item.resolve(named, alike)?;
            stack.assumed.extend(assumed);
            let mut conditions = item.conditions;
            if CATALOGUE.get(counter).id == WOUNDED_HERO {
                conditions.set(Condition::Wounded);
            }
            // A wounded hero has a counter of its own (15.2).
            let is_wounded = conditions.has(Condition::Wounded);
            let flips = CATALOGUE.get(counter).id == HERO && is_wounded;
            let counter = CATALOGUE.find(WOUNDED_HERO).filter(|_| flips).unwrap_or(counter);
            let open = CATALOGUE.get(counter).nation == Nation::Any;
            let nation = item
                .nation
                .or(named.first().copied())
                .filter(|&nation| open && nation != Nation::Any);
            let doubtful = CATALOGUE.get(counter).kind == CounterKind::Crew || named.len() > 1;
            if open && item.nation.is_none() && doubtful {
                let owner = nation.map_or(
                    "taken to have no nation; a leader it creates is german".to_string(),
                    |nation| format!("taken as {nation}"),
                );
                stack.assumed.push(format!("{} {owner}", item.name));
            }
            let member = Member {
                counter,
                nation,
                conditions,
                concealed: item.concealed,
                role: item.role,
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

impl Stack {
    /// Parses a stack and fills in its nations.
    ///
    /// # Errors
    ///
    /// Fails if the text is no stack, or if a nation is ambiguous.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_asl::stack::Stack;
    ///
    /// let stack = Stack::parse("9-1 + 2x german:4-6-7").unwrap();
    /// assert_eq!(stack.to_string(), "german:9-1 + german:4-6-7 + german:4-6-7");
    /// ```
    pub fn parse(text: &str) -> Result<Stack, Fault> {
        let written = StackNotation::parse(text)?;
        written.resolve(&StackNotation::nations([&written]))
    }
}

impl Item {
    /// Returns the nation of the item, given by a word or by the only nation that prints it.
    fn named_nation(&self) -> Option<Nation> {
        let first = CATALOGUE.get(self.candidates[0]).nation;
        let only = self.candidates.iter().all(|&place| CATALOGUE.get(place).nation == first);
        self.nation
            .or(if only { Some(first) } else { None })
            .filter(|&nation| nation != Nation::Any)
    }

    /// Returns the counter that is meant, with a note on any assumption.
    fn resolve(
        &self,
        named: &[Nation],
        alike: fn(&Counter, &Counter) -> bool,
    ) -> Result<(CounterId, Option<String>), Fault> {
        let nation_of = |place: CounterId| CATALOGUE.get(place).nation;
        let mut fitting = self.candidates.clone();
        let mut assumed = None;
        if let ([nation], None) = (named, self.named_nation())
            && nation_of(fitting[0]) != Nation::Any
        {
            fitting.retain(|&place| nation_of(place) == *nation);
            if fitting.is_empty() {
                let fault = Fault::new(
                    format!("no counter has the printed values `{nation}:{}`", self.name),
                    self.span.clone(),
                );
                return Err(fault.help(format!("there is {}", self.list(&self.candidates))));
            }
            assumed = Some(format!("{} taken as {nation}", self.name));
        }
        let first = fitting[0];
        if fitting.len() == 1 {
            if self.nation.is_none() && assumed.is_none() && nation_of(first) != Nation::Any {
                assumed = Some(format!("{} taken as {}", self.name, nation_of(first)));
            }
            return Ok((first, assumed));
        }
        let one_nation = fitting.iter().all(|&place| nation_of(place) == nation_of(first));
        if !one_nation
            && fitting.iter().all(|&place| CATALOGUE.get(first).agrees_with(CATALOGUE.get(place)))
        {
            let assumed = format!(
                "{} taken as {}: all nations with this counter play alike",
                self.name,
                nation_of(first)
            );
            return Ok((first, Some(assumed)));
        }
        if one_nation
            && fitting.iter().all(|&place| alike(CATALOGUE.get(first), CATALOGUE.get(place)))
        {
            let id = &CATALOGUE.get(first).id;
            return Ok((first, Some(format!("{} taken as id:{id}: all fire alike", self.name))));
        }
        let message = if Class::from_word(&self.name).is_some() {
            format!("several counters are {}", self.name)
        } else if one_nation {
            format!("several {} counters have the printed values `{}`", nation_of(first), self.name)
        } else {
            format!("several nations have different counters `{}`", self.name)
        };
        Err(Fault::new(message, self.span.clone())
            .help(format!("choose one of {}", self.list(&fitting))))
    }

    /// Lists counters in the notation, each in a form that means that counter alone.
    fn list(&self, places: &[CounterId]) -> String {
        let name = |&place: &CounterId| {
            let counter = CATALOGUE.get(place);
            let alike = places
                .iter()
                .filter(|&&other| CATALOGUE.get(other).to_string() == counter.to_string())
                .count();
            let class = |other: &&CounterId| {
                let other = CATALOGUE.get(**other);
                other.nation == counter.nation
                    && other.class == counter.class
                    && other.kind == counter.kind
            };
            match (alike, places.iter().filter(class).count()) {
                (1, _) => counter.to_string(),
                (_, 1) if counter.kind == CounterKind::Crew => format!("{counter}:crew"),
                (_, 1) => format!("{counter}:{}", counter.class.name()),
                _ => format!("id:{} ({})", counter.id, descent(place)),
            }
        };
        let names: Vec<String> = places.iter().map(name).collect();
        listed(&names.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

/// Describes in what counters with equal printed values differ: the squads whose half-squad they
/// are (A1.122), and their Battle Hardening (15.3).
fn descent(place: CounterId) -> String {
    let squads = CATALOGUE.counters().iter().filter(|squad| squad.half_squad == Some(place));
    let squads: Vec<&str> = squads.map(Counter::printed).collect();
    let half =
        if squads.is_empty() { String::new() } else { format!("half of {}, ", squads.join(", ")) };
    let hardening = match CATALOGUE.get(place).hardening {
        Hardening::To(better) => format!("hardens to {}", CATALOGUE.get(better).printed()),
        Hardening::Fanatic => "hardens to Fanatic".to_string(),
        Hardening::Exempt => "does not harden".to_string(),
    };
    half + &hardening
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::CATALOGUE;

    fn shown(text: &str) -> String {
        Stack::parse(text)
            .map_or_else(|fault| format!("{:?} {fault}", fault.span), |stack| stack.to_string())
    }

    #[test]
    fn written_stacks_parse_to_themselves() {
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
    fn unambiguous_spellings_are_accepted() {
        let two = "german:4-6-7 + german:4-6-7";
        for (text, stack) in [
            ("2 4-6-7", two),
            ("2*4-6-7", two),
            ("2 x 4-6-7", two),
            ("2X4-6-7", two),
            ("2\u{d7} 4-6-7", two),
            ("4-6-7 x2", two),
            ("4-6-7, 4-6-7", two),
            ("4-6-7,4-6-7", two),
            ("4-6-7 and 4-6-7", two),
            ("4-6-7 & german:4-6-7", two),
            ("4-6-7+4-6-7", two),
            ("GERMAN 4-6-7 + 4-6-7", two),
            ("german 4-6-7, german: 4-6-7", two),
            ("2 Germans 4-6-7", two),
            ("4\u{2013}6\u{2013}7 + 4-6-7", two),
            ("german:6+1+4-6-7", "german:6+1 + german:4-6-7"),
            ("2 6+1, german:4-6-7", "german:6+1 + german:6+1 + german:4-6-7"),
            ("4-6-7/broken, dm, 8-1", "german:4-6-7/broken,dm + german:8-1"),
            ("4-6-7/broken,8-1", "german:4-6-7/broken + german:8-1"),
            ("4-6-7 DM, Hero", "german:4-6-7/broken,dm + german:1-4-9"),
            ("4-6-7 broken dm", "german:4-6-7/broken,dm"),
            ("4-6-7 / broken", "german:4-6-7/broken"),
            ("german ss 6-5-8", "german-ss:6-5-8"),
            ("SS:6-5-8/elr = 2", "german-ss:6-5-8/elr=2"),
            ("Commissar 9-0 + Soviet 4-4-7", "commissar:9-0 + russian:4-4-7"),
            ("axis minor 4-4-7", "axis-minor:4-4-7"),
            ("ID:ger_1_467", "german:4-6-7"),
            ("id:rus_ldr_6+1 + ID:RUS-LDR-6+1", "russian:6+1 + russian:6+1"),
            ("2x467", two),
            ("467 squad + 4\u{2011}6\u{2011}7", two),
        ] {
            assert_eq!(shown(text), stack, "{text}");
        }
    }

    #[test]
    fn every_counter_is_read() {
        for counter in CATALOGUE.counters() {
            for name in [format!("id:{}", counter.id), counter.to_string()] {
                let nation = counter.nation.name();
                for text in [format!("{name} + {name}/dm"), format!("2 {name},{nation} hero")] {
                    let written =
                        StackNotation::parse(&text).unwrap_or_else(|f| panic!("{text}: {f}"));
                    assert_eq!(written.items.len(), 2, "{text}");
                }
            }
        }
    }

    #[test]
    fn fault_spans_lie_within_the_text() {
        let pieces = [
            "4-6-7", "6+1", "german", "broken", "and", "hero", "é", "\u{a0}", " ", "/", ",", "+",
            ":", "x", "*", "2", "=",
        ];
        let most = pieces.len().pow(3);
        for mut number in 0..2 * most {
            let mut text = if number < most { String::new() } else { "4-6-7".to_string() };
            for _ in 0..3 {
                text += pieces[number % pieces.len()];
                number /= pieces.len();
            }
            if let Err(fault) = StackNotation::parse(&text) {
                assert!(text.get(fault.span.clone()).is_some(), "{text}: {fault:?}");
            }
        }
    }

    #[test]
    fn game_words_that_are_no_counters_get_their_own_faults() {
        for (text, error) in [
            (
                "4-6-7 + LMG",
                "8..11 a support weapon does not affect the morale of its unit (remove `LMG`",
            ),
            ("4-6-7/LMG", "6..9 a support weapon does not affect"),
            ("4-6-7 with 2 MMGs", "13..17 a support weapon"),
            ("4-6-7/broken, lmg", "14..17 a support weapon"),
            ("4-6-7 + tank", "8..12 vehicles and Guns are not supported"),
            (
                "3 squads",
                "2..8 `squads` is a kind of counter: name one, such as 4-6-7 or 8-1 (`lowcrawl units german squad` lists them)",
            ),
            (
                "russian leader",
                "8..14 `leader` is a kind of counter: name one, such as 4-6-7 or 8-1 (`lowcrawl units russian leader` lists them)",
            ),
            (
                "german",
                "0..6 `german` is a nation: name one of its counters (`lowcrawl units german` lists them)",
            ),
            (
                "japanese:4-4-7",
                "0..8 japanese counters are not supported yet (supported: german, german-ss, ",
            ),
            ("Gurkhas 4-5-8", "0..7 gurkha counters are not supported yet"),
            (
                "romanian 4-4-7",
                "0..8 no nation is called `romanian` (Axis Minors are `axis-minor`)",
            ),
            ("grman 4-6-7", "0..5 no nation is called `grman` (did you mean `german`?)"),
            ("broken 4-6-7", "0..6 `broken` must follow the counter (write `4-6-7/broken`)"),
            ("4-6-7,", "5..6 a counter is missing after `,`"),
            ("3 x", "0..3 a counter is missing after the number"),
            ("4-6-7 x13", "6..9 expected a number of counters from 1 to 12"),
            (
                "4-6-7 4-6-7",
                "6..11 expected `+` before `4-6-7` (write ` + ` between counters, with spaces)",
            ),
            ("4-6-7/broken german:8-1", "13..23 expected `+` before `german:8-1`"),
            ("4-6-7/elr=3,elr=3", "12..17 `elr` is given twice"),
        ] {
            assert!(shown(text).starts_with(error), "{text}: {}", shown(text));
        }
    }

    #[test]
    fn missing_nations_are_inferred_or_requested() {
        assert_eq!(shown("8-0 + russian:4-4-7"), "russian:8-0 + russian:4-4-7");
        // The only Russian counter printed 9-0 is a Commissar.
        assert_eq!(shown("9-0/heroic + russian:4-4-7"), "commissar:9-0/heroic + russian:4-4-7");
        assert!(
            shown("10-0").contains("choose one of finnish:10-0, russian:10-0"),
            "{}",
            shown("10-0")
        );
        let assumed = Stack::parse("3-4-7:1").unwrap().assumed;
        assert_eq!(assumed, ["3-4-7 taken as italian: all nations with this counter play alike"]);
        assert_eq!(Stack::parse("4-6-7").unwrap().assumed, ["4-6-7 taken as german"]);
        let error = shown("9-1");
        assert!(
            error.starts_with(
                "0..3 several nations have different counters `9-1` (choose one of german:9-1, "
            ),
            "{error}"
        );
        assert_eq!(
            shown("german:2-3-7"),
            "0..12 several german counters have the printed values `2-3-7` (choose one of \
                id:ger_2_237 (half of 4-4-7, hardens to 2-4-7), \
                id:ger_2s_237 (half of 5-3-7, hardens to Fanatic))"
        );
        assert!(
            shown("german:4-6-7 + 6-6-6").ends_with("american:6-6-6)")
                || shown("german:4-6-7 + 6-6-6").contains("american")
        );
    }

    #[test]
    fn faults_have_their_place_and_the_nearest_word() {
        for (text, error) in [
            ("", "0..0 the stack is empty: expected a counter (for example `german:4-6-7`)"),
            ("german:4-6-7 +", "13..14 a counter is missing after `+`"),
            ("+ german:4-6-7", "0..1 a counter is missing before `+`"),
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
            ("german:4-6-7/broken,broken", "20..26 `broken` is given twice"),
            ("german:4-6-7/elr=9", "13..18 `elr` must be a whole number from 0 to 6"),
            ("german:4-6-7:x", "0..14 no class is called `x` (valid: e, 1, 2, g, c, crew)"),
            ("german:", "0..7 a counter is missing in `german:` (for example `german:4-6-7`)"),
            ("german:4-6-7/", "12..13 a condition is missing after `/` or `,`"),
            ("german:4-6-7/broken,", "19..20 a condition is missing after `/` or `,`"),
            (
                "german:4-6-7/wounded",
                "0..12 4-6-7 is impossible: only an SMC can be wounded (A17.1)",
            ),
            ("0x german:4-6-7", "0..2 expected a number of counters from 1 to 12"),
            ("99x german:4-6-7", "0..3 expected a number of counters from 1 to 12"),
            ("8x german:4-6-7 + 8x german:4-6-8", "0..33 16 units: a stack has at most 12"),
            (
                "german:6-6-6",
                "0..12 no counter has the printed values `german:6-6-6` (there is american:6-6-6)",
            ),
        ] {
            assert_eq!(shown(text), error, "{text}");
        }
        let error = shown("german:4-6-9");
        assert!(
            error.contains(
                "no counter has the printed values `german:4-6-9` (nearest: 4-6-7, 4-6-8"
            ),
            "{error}"
        );
    }
}
