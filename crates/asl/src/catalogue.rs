//! The counters as printed (A1), read from `units.csv`.

use std::fmt;
use std::mem::discriminant;
use std::sync::LazyLock;

use super::nation::Nation;
use crate::board::terrain::cell;
use engine::text::canonical;
use schema::declared::named;
use schema::field::words_of;

/// The index of a counter in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CounterId(pub(super) u8);

named! {
    /// The kind of a counter (A1).
    pub enum CounterKind {
        /// A squad, an MMC (A1.121).
        Squad = "squad",
        /// A half-squad, an MMC (A1.122).
        HalfSquad = "hs",
        /// A crew, an MMC (A1.123).
        Crew = "crew",
        /// A leader, an SMC (A1.11).
        Leader = "leader",
        /// A hero, an SMC (A15.2).
        Hero = "hero",
        /// A Commissar, an SMC and a leader (A25.22).
        Commissar = "commissar",
    }

    /// The class of a counter (A1.25), named by its letter. The last two have no rank.
    pub enum Class {
        Elite = "e",
        First = "1",
        Second = "2",
        Green = "g",
        Conscript = "c",
        /// The single class of Partisans.
        Partisan = "p",
        /// No class, for vehicular crews.
        None = "n",
    }

    /// The confidence in the values of one row of the catalogue.
    pub enum Confidence { Low = "low", Medium = "medium", High = "high" }
}

words_of!(CounterKind, "KIND", "");
words_of!(Class, "CLASS", "");
words_of!(Confidence, "CONFIDENCE", "");

impl Class {
    /// Returns the name of the class in words, such as `conscript`; empty if it has none.
    pub const fn in_words(self) -> &'static str {
        match self {
            Class::Elite => "elite",
            Class::First => "first-line",
            Class::Second => "second-line",
            Class::Green => "green",
            Class::Conscript => "conscript",
            Class::Partisan | Class::None => "",
        }
    }

    /// Returns the class with this name in words, in the singular or the plural.
    pub fn from_word(word: &str) -> Option<Class> {
        let word = canonical(word);
        let is = |name: &str| word == name || word.strip_suffix('s') == Some(name);
        Class::ALL.into_iter().find(|class| !class.in_words().is_empty() && is(class.in_words()))
    }
}

impl CounterKind {
    /// Returns the kind that a word means, in the singular or the plural, if it means one.
    pub fn from_word(word: &str) -> Option<CounterKind> {
        let word = canonical(word);
        let is = |name: &str| word == name || word.strip_suffix('s') == Some(name);
        let half_squad = ["half-squad", "halfsquad"].into_iter().any(is);
        let named = CounterKind::ALL
            .into_iter()
            .find(|kind| is(kind.name()) || word == "heroes" && *kind == CounterKind::Hero);
        named.or(half_squad.then_some(CounterKind::HalfSquad))
    }

    /// Returns whether the counter is a Single-Man Counter. The others are Multi-Man Counters.
    pub const fn is_smc(self) -> bool {
        matches!(self, CounterKind::Leader | CounterKind::Hero | CounterKind::Commissar)
    }

    /// Returns whether the counter is a leader. Heroes are not leaders (10.2).
    pub const fn is_leader(self) -> bool {
        matches!(self, CounterKind::Leader | CounterKind::Commissar)
    }
}

/// The result of an ELR failure for a counter (19.1 - 19.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Replacement by the next lower counter of the same size.
    By(CounterId),
    /// Replacement of an underlined squad by two half-squads (19.13).
    TwoHalfSquads(CounterId),
    /// No lower unit, so the unit is Disrupted (19.12).
    Disrupted,
    /// No lower unit, and the unit is never Disrupted (19.12).
    BrokenOnly,
    /// No ELR failure at all (19.11).
    Immune,
}

impl Replacement {
    pub(crate) fn counter(self) -> Option<CounterId> {
        match self {
            Replacement::By(id) | Replacement::TwoHalfSquads(id) => Some(id),
            Replacement::Disrupted | Replacement::BrokenOnly | Replacement::Immune => None,
        }
    }
}

/// The result of Battle Hardening for a counter (15.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hardening {
    /// Replacement by the next better counter of the same size.
    To(CounterId),
    /// No better counter, so the unit becomes Fanatic.
    Fanatic,
    /// No Battle Hardening at all.
    Exempt,
}

impl Hardening {
    pub(crate) fn counter(self) -> Option<CounterId> {
        match self {
            Hardening::To(id) => Some(id),
            Hardening::Fanatic | Hardening::Exempt => None,
        }
    }
}

/// A counter (a playing piece) with its printed values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The id in the catalogue, such as `ger_1_467`.
    pub id: String,
    pub(super) printed: String,
    pub nation: Nation,
    pub kind: CounterKind,
    pub class: Class,
    /// The printed firepower. `None` for leaders.
    pub firepower: Option<u8>,
    /// The printed Normal Range in hexes. `None` for leaders.
    pub range: Option<u8>,
    /// The printed morale of the unbroken side.
    pub morale: i8,
    /// True if the morale is underscored, so that the ELR is 5 (A1.23).
    pub underlined: bool,
    /// The printed morale of the broken side. For a hero, who has none, the unbroken morale.
    pub broken_morale: i8,
    /// True if the broken morale is boxed, so that the unit can Self-Rally.
    pub self_rally: bool,
    /// The leadership DRM. It is 0 for all but leaders.
    pub leadership: i8,
    /// The half-squad of a squad. `None` for other counters.
    pub half_squad: Option<CounterId>,
    pub replacement: Replacement,
    pub hardening: Hardening,
    /// The half-squad that an underlined squad leaves after a Casualty MC with an ELR failure.
    pub lesser_half_squad: Option<CounterId>,
    /// True for an NKVD unit (A25.25).
    pub nkvd: bool,
    /// True for a squad with Assault Fire, whose FP is underscored (7.36).
    pub assault_fire: bool,
    /// True for a squad that can use Spraying Fire, whose range is underscored (7.34).
    pub spraying_fire: bool,
    /// The wounded side of an unwounded hero (15.2). `None` for other counters.
    pub wounded_side: Option<CounterId>,
    pub confidence: Confidence,
}

pub(super) const HERO: &str = "any_hero_149";
pub(super) const WOUNDED_HERO: &str = "any_hero_138";

impl Counter {
    /// Returns the printed values, such as `4-6-7`, `9-1`, `6+1`, whatever morale the user set.
    #[inline]
    pub fn printed(&self) -> &str {
        &self.printed
    }

    /// Returns whether two counters have the same values in play, whatever their nations.
    pub(crate) fn agrees_with(&self, other: &Counter) -> bool {
        let printed = |id: Option<CounterId>| id.map(|id| CATALOGUE.get(id).printed());
        let values = |c: &Counter| {
            let factors = (c.firepower, c.range, c.morale, c.broken_morale, c.leadership);
            let next = [c.half_squad, c.lesser_half_squad, c.replacement.counter()];
            let next = (next.map(printed), printed(c.hardening.counter()));
            let effects = (discriminant(&c.replacement), discriminant(&c.hardening));
            (c.kind, c.class, c.underlined, c.self_rally, factors, next, effects)
        };
        values(self) == values(other)
    }

    /// Returns whether two counters have the same values for an attack that they make (7.2, 7.9).
    pub(crate) fn fires_as(&self, other: &Counter) -> bool {
        let values = |c: &Counter| {
            let factors = (c.firepower, c.range, c.leadership);
            (c.nation, c.kind, c.class, factors, c.assault_fire, c.spraying_fire)
        };
        values(self) == values(other)
    }
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.nation, self.printed())
    }
}

/// A list of counters.
#[derive(Debug)]
pub struct Catalogue {
    counters: Vec<Counter>,
}

/// The built-in catalogue.
pub static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::read(include_str!("units.csv")));

static REMAINS: LazyLock<[CounterId; 3]> = LazyLock::new(|| {
    [CounterKind::HalfSquad, CounterKind::Leader, CounterKind::Hero].map(|kind| {
        let is_first = |&id: &CounterId| CATALOGUE.get(id).kind == kind;
        CATALOGUE.places().find(is_first).unwrap_or(CounterId(0))
    })
});

impl CounterKind {
    /// Returns the counter that stands for all eliminated units of such a kind.
    pub(crate) fn remains(self) -> CounterId {
        REMAINS[match self {
            CounterKind::Leader | CounterKind::Commissar => 1,
            CounterKind::Hero => 2,
            CounterKind::Squad | CounterKind::HalfSquad | CounterKind::Crew => 0,
        }]
    }
}

impl Catalogue {
    /// Returns every counter, in the order of the catalogue.
    pub fn counters(&self) -> &[Counter] {
        &self.counters
    }

    /// Returns the counter at an index.
    pub fn get(&self, id: CounterId) -> &Counter {
        &self.counters[usize::from(id.0)]
    }

    /// Returns the index of a catalogue id, if it exists. Case and `-` or `_` make no difference.
    pub fn find(&self, id: &str) -> Option<CounterId> {
        let id = canonical(id);
        self.places().find(|&place| canonical(&self.get(place).id) == id)
    }

    /// Returns the printed values that digits stand for: `467` is 4-6-7, `91` 9-1 and `61` 6+1. An
    /// `8-1` is preferred to an `8+1`, which only some of `nation` may print.
    pub fn printed_as(&self, digits: &str, nation: Option<Nation>) -> Option<&str> {
        let is_meant = |counter: &&Counter| {
            nation.is_none_or(|nation| [nation, Nation::Any].contains(&counter.nation))
                && counter.printed.bytes().filter(u8::is_ascii_digit).eq(digits.bytes())
        };
        let meant = self.counters.iter().filter(is_meant);
        meant.map(Counter::printed).min_by_key(|printed| printed.contains('+'))
    }

    /// Returns the leader, not Commissar, of a nation with this printed value, if there is one.
    pub fn leader(&self, nation: Nation, printed: &str) -> Option<CounterId> {
        self.places().find(|&place| {
            let counter = self.get(place);
            counter.kind == CounterKind::Leader
                && counter.nation == nation
                && counter.printed() == printed
        })
    }

    /// Returns the indices of all counters.
    pub fn places(&self) -> impl Iterator<Item = CounterId> {
        (0..self.counters.len()).map(|place| CounterId(place as u8))
    }

    /// Reads the embedded table. Panics at a malformed row, which a test excludes.
    fn read(text: &str) -> Catalogue {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let records: Vec<csv::StringRecord> =
            reader.records().collect::<Result<_, _>>().expect("units.csv is well formed");
        let ids: Vec<&str> = records.iter().map(|record| &record[0]).collect();
        let place = |id: &str| {
            let place = ids.iter().position(|&known| known == id);
            CounterId(
                place.unwrap_or_else(|| panic!("units.csv names `{id}`, which has no row")) as u8
            )
        };
        Catalogue { counters: records.iter().map(|record| read_counter(record, &place)).collect() }
    }
}

/// Reads one row of `units.csv`, whose columns are numbered from 0.
fn read_counter(record: &csv::StringRecord, place: &impl Fn(&str) -> CounterId) -> Counter {
    let id = &record[0];
    let optional = |column: usize| Some(&record[column]).filter(|id| !id.is_empty()).map(place);
    let number = |column: usize| record[column].parse::<i8>().ok();
    let morale = number(7).unwrap_or_else(|| panic!("units.csv, row {id}: no morale"));
    let leadership = number(11).unwrap_or(0);
    let factor = |column: usize| record[column].parse::<u8>().ok();
    let printed = match (factor(5), factor(6)) {
        (Some(firepower), Some(range)) => format!("{firepower}-{range}-{morale}"),
        _ if leadership > 0 => format!("{morale}+{leadership}"),
        _ => format!("{morale}-{}", -leadership),
    };
    Counter {
        id: id.to_string(),
        printed,
        nation: Nation::from_word(&record[1])
            .unwrap_or_else(|| panic!("units.csv, row {id}: no nation")),
        kind: cell(record, 2),
        class: cell(record, 3),
        firepower: factor(5),
        range: factor(6),
        morale,
        underlined: &record[8] == "1",
        broken_morale: number(9).unwrap_or(morale),
        self_rally: &record[10] == "1",
        leadership,
        half_squad: optional(12),
        replacement: match &record[13] {
            "DISRUPT" => Replacement::Disrupted,
            "BREAK_ONLY" => Replacement::BrokenOnly,
            "IMMUNE" => Replacement::Immune,
            target => match target.strip_prefix("2x:") {
                Some(half_squad) => Replacement::TwoHalfSquads(place(half_squad)),
                None => Replacement::By(place(target)),
            },
        },
        hardening: match &record[14] {
            "FANATIC" => Hardening::Fanatic,
            "NOT_SUBJECT" => Hardening::Exempt,
            target => Hardening::To(place(target)),
        },
        lesser_half_squad: optional(15),
        nkvd: &record[16] == "nkvd",
        wounded_side: (id == HERO).then(|| place(WOUNDED_HERO)),
        confidence: cell(record, 17),
        assault_fire: &record[18] == "1",
        spraying_fire: &record[19] == "1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a counter and its Replacements, in order (19.13).
    fn chain(id: &str) -> Vec<&'static str> {
        let mut names = vec![CATALOGUE.get(CATALOGUE.find(id).unwrap()).printed()];
        let mut place = CATALOGUE.find(id).unwrap();
        while let Replacement::By(next) = CATALOGUE.get(place).replacement {
            names.push(CATALOGUE.get(next).printed());
            place = next;
        }
        names
    }

    /// The Replacement ladders are as the rules give them (19.1, 19.13, 15.3).
    #[test]
    fn replacement_ladders_match_the_rules() {
        assert_eq!(chain("ger_E_468"), ["4-6-8", "4-6-7", "4-4-7", "4-3-6"]);
        assert_eq!(chain("ger_E_548")[..2], ["5-4-8", "4-4-7"]);
        assert_eq!(chain("ger_E_248"), ["2-4-8", "2-4-7", "2-3-7", "2-3-6"]);
        assert_eq!(chain("rus_E_458"), ["4-5-8", "4-4-7", "4-2-6"]);
        assert_eq!(chain("rus_E_628"), ["6-2-8", "5-2-7", "4-2-6"]);
        assert_eq!(chain("usa_E_667"), ["6-6-7", "6-6-6", "5-4-6", "5-3-6"]);
        assert_eq!(
            chain("bri_ldr_10-3"),
            ["10-3", "10-2", "9-2", "9-1", "8-1", "8-0", "7-0", "6+1"]
        );
        assert_eq!(chain("fin_ldr_10-2"), ["10-2", "10-1", "10-0", "9-1", "9-0", "8-0", "8+1"]);
    }

    /// Replacement only weakens a unit (19.13). A half-squad's broken morale is 1 lower (A1.122).
    #[test]
    fn every_counter_obeys_the_replacement_rules() {
        for counter in CATALOGUE.counters() {
            let factors = |c: &Counter| {
                [c.firepower.map_or(0, i32::from), c.range.map_or(0, i32::from), c.morale.into()]
            };
            if let Replacement::By(lower) = counter.replacement {
                let lower = CATALOGUE.get(lower);
                assert_eq!(lower.kind, counter.kind, "{}", counter.id);
                if !counter.kind.is_smc() {
                    assert!(
                        factors(lower).iter().zip(factors(counter)).all(|(low, high)| *low <= high),
                        "{}",
                        counter.id
                    );
                    assert_ne!(factors(lower), factors(counter), "{}", counter.id);
                }
            }
            if let Some(half_squad) = counter.half_squad {
                let half_squad = CATALOGUE.get(half_squad);
                assert_eq!(half_squad.kind, CounterKind::HalfSquad, "{}", counter.id);
                assert_eq!(half_squad.broken_morale, counter.broken_morale - 1, "{}", counter.id);
                assert_eq!(half_squad.morale, counter.morale, "{}", counter.id);
            }
            assert_eq!(
                counter.kind == CounterKind::Squad,
                counter.half_squad.is_some(),
                "{}",
                counter.id
            );
        }
        assert_eq!(CATALOGUE.counters().len(), 181);
    }

    /// Leaders, squads, crews and classes have their printed values (1.11, 1.121, 1.123, 1.25).
    #[test]
    fn counters_print_their_values() {
        let printed = |id: &str| CATALOGUE.get(CATALOGUE.find(id).unwrap()).to_string();
        assert_eq!(printed("ger_1_467"), "german:4-6-7");
        assert_eq!(printed("SS-LDR-6+1"), "german-ss:6+1");
        assert_eq!(printed("rus_ldr_8-0"), "russian:8-0");
        assert_eq!(printed("any_hero_149"), "any:1-4-9");
    }
}
