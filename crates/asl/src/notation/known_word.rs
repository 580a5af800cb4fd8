//! Words of the game that players write into a stack, but that are no counters of the catalogue.

use std::ops::Range;

use crate::catalogue::CounterKind;
use crate::nation::Nation;
use engine::text::{Fault, canonical};

/// The meaning of a word that is no counter of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KnownWord {
    /// A weapon that a unit carries.
    SupportWeapon,
    /// A vehicle or a Gun.
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
        // The words `hero`, `commissar` and `crew` are part of the notation, so they are not listed
        // here.
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
