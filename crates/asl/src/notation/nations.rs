//! Resolves the nations that a stack leaves open, and writes counters as text.

use super::StackNotation;
use super::item::Item;
use crate::catalogue::{CATALOGUE, CounterId, CounterKind, HERO, WOUNDED_HERO};
use crate::nation::Nation;
use crate::stack::{Member, Stack, check_conditions};
use crate::vocabulary::Condition;
use engine::text::Fault;

impl StackNotation {
    /// Fills in the nations left open. An open nation becomes the only one in `named`. If the
    /// counters of all possible nations are equal, the first of these nations is taken.
    ///
    /// # Errors
    ///
    /// Fails if a nation is ambiguous, or if a unit cannot have its conditions.
    pub fn resolve(&self, named: &[Nation]) -> Result<Stack, Fault> {
        let mut stack = Stack { members: Vec::new(), spans: Vec::new(), assumed: Vec::new() };
        for item in &self.items {
            let (counter, assumed) = item.resolve(named)?;
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
                    "assumed to have no nation; a leader it creates is german".to_string(),
                    |nation| format!("taken as {nation}"),
                );
                stack.assumed.push(format!("{} is {owner}", item.name));
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

impl Item {
    /// Returns the nation of the item, given by a word or because only one nation prints the
    /// counter.
    pub(super) fn named_nation(&self) -> Option<Nation> {
        let first = CATALOGUE.get(self.candidates[0]).nation;
        let only = self.candidates.iter().all(|&place| CATALOGUE.get(place).nation == first);
        self.nation
            .or(if only { Some(first) } else { None })
            .filter(|&nation| nation != Nation::Any)
    }

    /// Returns the counter that is meant, with a note on any assumption.
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
                    format!("no counter has the printed values `{nation}:{}`", self.name),
                    self.span.clone(),
                );
                return Err(fault.help(format!("there is {}", self.list(&self.candidates))));
            }
            assumed =
                Some(format!("{} is assumed {nation}, like the rest of the stack", self.name));
        }
        let first = fitting[0];
        if fitting.len() == 1 {
            if self.nation.is_none() && assumed.is_none() && nation_of(first) != Nation::Any {
                assumed =
                    Some(format!("{} is {}: no other nation has it", self.name, nation_of(first)));
            }
            return Ok((first, assumed));
        }
        let one_nation = fitting.iter().all(|&place| nation_of(place) == nation_of(first));
        if !one_nation
            && fitting.iter().all(|&place| CATALOGUE.get(first).agrees_with(CATALOGUE.get(place)))
        {
            let assumed = format!(
                "{} is assumed {}: all nations with this counter play alike",
                self.name,
                nation_of(first)
            );
            return Ok((first, Some(assumed)));
        }
        let message = if one_nation {
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
                (_, 1) => format!("{counter}:{}", counter.class.name()),
                _ => format!("id:{}", counter.id),
            }
        };
        places.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}
