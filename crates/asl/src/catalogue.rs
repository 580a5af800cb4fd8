//! The counters as printed (A1), read from `units.csv`.

use std::fmt;
use std::sync::LazyLock;

use super::nation::Nation;
use engine::text::canonical;

/// Place of a counter in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CounterId(pub(super) u8);

/// A1: what a counter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CounterKind {
    /// A1.121 squad, an MMC.
    Squad,
    /// A1.122 half-squad, an MMC.
    HalfSquad,
    /// A1.123 crew, an MMC.
    Crew,
    /// A1.11 leader, an SMC.
    Leader,
    /// A15.2 hero, an SMC.
    Hero,
    /// A25.22 Commissar, an SMC and a leader.
    Commissar,
}

impl CounterKind {
    /// The name used in the catalogue.
    pub const fn name(self) -> &'static str {
        match self {
            CounterKind::Squad => "squad",
            CounterKind::HalfSquad => "hs",
            CounterKind::Crew => "crew",
            CounterKind::Leader => "leader",
            CounterKind::Hero => "hero",
            CounterKind::Commissar => "commissar",
        }
    }

    /// The sort that a player means, in the singular or the plural.
    pub fn meant(word: &str) -> Option<CounterKind> {
        let word = canonical(word);
        let is = |name: &str| word == name || word.strip_suffix('s') == Some(name);
        let all = [
            CounterKind::Squad,
            CounterKind::HalfSquad,
            CounterKind::Crew,
            CounterKind::Leader,
            CounterKind::Hero,
            CounterKind::Commissar,
        ];
        let half_squad = ["half-squad", "halfsquad"].into_iter().any(is);
        let named = all
            .into_iter()
            .find(|kind| is(kind.name()) || word == "heroes" && *kind == CounterKind::Hero);
        named.or(half_squad.then_some(CounterKind::HalfSquad))
    }

    /// Single-Man Counters; the others are Multi-Man Counters.
    pub const fn is_smc(self) -> bool {
        matches!(self, CounterKind::Leader | CounterKind::Hero | CounterKind::Commissar)
    }

    /// Heroes are not leaders (10.2).
    pub const fn is_leader(self) -> bool {
        matches!(self, CounterKind::Leader | CounterKind::Commissar)
    }
}

/// A1.25: the class ladder, and the two classes off it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    Elite,
    First,
    Second,
    Green,
    Conscript,
    /// Partisans have a single class.
    Partisan,
    /// No class: vehicular crews.
    None,
}

impl Class {
    /// The letter the notation and the catalogue use.
    pub const fn letter(self) -> &'static str {
        match self {
            Class::Elite => "e",
            Class::First => "1",
            Class::Second => "2",
            Class::Green => "g",
            Class::Conscript => "c",
            Class::Partisan => "p",
            Class::None => "n",
        }
    }
}

/// What an ELR failure makes of a counter (19.1 - 19.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// The next lower counter of the same size.
    By(CounterId),
    /// 19.13: two half-squads for an underlined squad.
    TwoHalfSquads(CounterId),
    /// 19.12: no lower unit, so Disrupted.
    Disrupted,
    /// 19.12: no lower unit and never Disrupted.
    BrokenOnly,
    /// 19.11: never suffers an ELR failure.
    Immune,
}

/// What Battle Hardening makes of a counter (15.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hardening {
    /// The next better counter of the same size.
    To(CounterId),
    /// No better counter: Fanatic.
    Fanatic,
    /// Never Battle Hardens.
    Exempt,
}

/// How sure the catalogue is of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    Low,
    Medium,
    High,
}

impl Confidence {
    /// The word the catalogue uses.
    pub const fn name(self) -> &'static str {
        match self {
            Confidence::Low => "low",
            Confidence::Medium => "medium",
            Confidence::High => "high",
        }
    }
}

/// A counter as printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Catalogue id, such as `ger_1_467`.
    pub id: String,
    pub(super) printed: String,
    pub nation: Nation,
    pub kind: CounterKind,
    pub class: Class,
    /// Printed firepower and Normal Range; MMC and heroes only.
    pub firepower: Option<u8>,
    pub range: Option<u8>,
    /// Printed morale of the good-order side.
    pub morale: i8,
    /// A1.23: underscored morale, so ELR 5.
    pub underlined: bool,
    /// Printed morale of the broken side; the good-order morale for a hero, who has none.
    pub broken_morale: i8,
    /// Boxed broken morale: Self-Rally.
    pub self_rally: bool,
    /// Leadership DRM; 0 for all but leaders.
    pub leadership: i8,
    /// Half-squad of a squad.
    pub half_squad: Option<CounterId>,
    pub replacement: Replacement,
    pub hardening: Hardening,
    /// The lesser half-squad an underlined squad leaves after a Casualty MC with ELR failure.
    pub lesser_half_squad: Option<CounterId>,
    /// A25.25: NKVD troops.
    pub nkvd: bool,
    /// 15.2: the wounded side of a hero.
    pub wounded_side: Option<CounterId>,
    pub confidence: Confidence,
}

/// Catalogue ids of the two sides of a hero.
pub(super) const HERO: &str = "any_hero_149";
pub(super) const WOUNDED_HERO: &str = "any_hero_138";

impl Counter {
    /// The counter in players' notation: `4-6-7`, `9-1`, `6+1`. What is printed stays when a morale
    /// is given by hand.
    #[inline]
    pub fn printed(&self) -> &str {
        &self.printed
    }

    /// Whether both counters play alike, whatever the question.
    fn agrees_with(&self, other: &Counter) -> bool {
        let target = |id: Option<CounterId>| id.map(|id| CATALOGUE.get(id).printed());
        let replacement = |counter: &Counter| match counter.replacement {
            Replacement::By(id) => (0, target(Some(id))),
            Replacement::TwoHalfSquads(id) => (1, target(Some(id))),
            Replacement::Disrupted => (2, None),
            Replacement::BrokenOnly => (3, None),
            Replacement::Immune => (4, None),
        };
        let hardening = |counter: &Counter| match counter.hardening {
            Hardening::To(id) => (0, target(Some(id))),
            Hardening::Fanatic => (1, None),
            Hardening::Exempt => (2, None),
        };
        let values = |c: &Counter| {
            (
                c.kind,
                c.class,
                c.firepower,
                c.range,
                c.morale,
                c.underlined,
                c.broken_morale,
                c.self_rally,
            )
        };
        values(self) == values(other)
            && self.leadership == other.leadership
            && target(self.half_squad) == target(other.half_squad)
            && target(self.lesser_half_squad) == target(other.lesser_half_squad)
            && replacement(self) == replacement(other)
            && hardening(self) == hardening(other)
    }
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.nation, self.printed())
    }
}

/// All counters.
#[derive(Debug)]
pub struct Catalogue {
    counters: Vec<Counter>,
}

/// The catalogue this crate carries.
pub static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::read(include_str!("units.csv")));

/// Counters that eliminated units are remembered as: a half-squad, a leader, a hero.
static REMAINS: LazyLock<[CounterId; 3]> = LazyLock::new(|| {
    [CounterKind::HalfSquad, CounterKind::Leader, CounterKind::Hero].map(|kind| {
        let is_first = |&id: &CounterId| CATALOGUE.get(id).kind == kind;
        CATALOGUE.places().find(is_first).unwrap_or(CounterId(0))
    })
});

impl CounterKind {
    /// Returns the counter that an eliminated unit is remembered as. Of what it was only the groups
    /// matter in which it is counted.
    pub(crate) fn remains(self) -> CounterId {
        REMAINS[match self {
            CounterKind::Leader | CounterKind::Commissar => 1,
            CounterKind::Hero => 2,
            CounterKind::Squad | CounterKind::HalfSquad | CounterKind::Crew => 0,
        }]
    }
}

impl Catalogue {
    /// Every counter, in catalogue order.
    pub fn counters(&self) -> &[Counter] {
        &self.counters
    }

    /// The counter in a place.
    pub fn get(&self, id: CounterId) -> &Counter {
        &self.counters[usize::from(id.0)]
    }

    /// The place of a catalogue id; `-` and `_` are the same.
    pub fn find(&self, id: &str) -> Option<CounterId> {
        let id = canonical(id);
        self.places().find(|&place| canonical(&self.get(place).id) == id)
    }

    /// The leader (not Commissar) of `nation` with that printed value.
    pub fn leader(&self, nation: Nation, printed: &str) -> Option<CounterId> {
        self.places().find(|&place| {
            let counter = self.get(place);
            counter.kind == CounterKind::Leader
                && counter.nation == nation
                && counter.printed() == printed
        })
    }

    /// Every place.
    pub fn places(&self) -> impl Iterator<Item = CounterId> {
        (0..self.counters.len()).map(|place| CounterId(place as u8))
    }

    /// Whether the two counters play alike, whatever the question.
    pub fn agree(&self, a: CounterId, b: CounterId) -> bool {
        self.get(a).agrees_with(self.get(b))
    }

    /// Reads the embedded table. A test reads it too, so a bad row cannot reach a user.
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
        let optional = |id: &str| if id.is_empty() { None } else { Some(place(id)) };
        let counters =
            records.iter().map(|record| read_counter(record, &place, &optional)).collect();
        Catalogue { counters }
    }
}

/// One row of `units.csv`; its columns are in the order read here.
fn read_counter(
    record: &csv::StringRecord,
    place: &impl Fn(&str) -> CounterId,
    optional: &impl Fn(&str) -> Option<CounterId>,
) -> Counter {
    let id = &record[0];
    let bad = |what: &str| -> ! { panic!("units.csv, row {id}: unknown {what}") };
    let number = |column: usize| record[column].parse::<i8>().ok();
    let morale = number(7).unwrap_or_else(|| bad("morale"));
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
        nation: Nation::named(&record[1]).unwrap_or_else(|| bad("nationality")),
        kind: match &record[2] {
            "squad" => CounterKind::Squad,
            "hs" => CounterKind::HalfSquad,
            "crew" => CounterKind::Crew,
            "leader" => CounterKind::Leader,
            "hero" => CounterKind::Hero,
            "commissar" => CounterKind::Commissar,
            _ => bad("kind"),
        },
        class: match &record[3] {
            "E" => Class::Elite,
            "1" => Class::First,
            "2" => Class::Second,
            "G" => Class::Green,
            "C" => Class::Conscript,
            "P" => Class::Partisan,
            "N" => Class::None,
            _ => bad("class"),
        },
        firepower: factor(5),
        range: factor(6),
        morale,
        underlined: &record[8] == "1",
        broken_morale: number(9).unwrap_or(morale),
        self_rally: &record[10] == "1",
        leadership,
        half_squad: optional(&record[12]),
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
        lesser_half_squad: optional(&record[15]),
        nkvd: &record[16] == "nkvd",
        wounded_side: if id == HERO { Some(place(WOUNDED_HERO)) } else { None },
        confidence: match &record[17] {
            "high" => Confidence::High,
            "medium" => Confidence::Medium,
            "low" => Confidence::Low,
            _ => bad("confidence"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows a counter down the ladder of 19.13.
    fn chain(id: &str) -> Vec<&'static str> {
        let mut names = vec![CATALOGUE.get(CATALOGUE.find(id).unwrap()).printed()];
        let mut place = CATALOGUE.find(id).unwrap();
        while let Replacement::By(next) = CATALOGUE.get(place).replacement {
            names.push(CATALOGUE.get(next).printed());
            place = next;
        }
        names
    }

    /// 19.1, 19.13, 15.3: the ladders the rules spell out.
    #[test]
    fn replacement_ladders() {
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

    /// 19.13: no strength factor rises and at least one falls; the size stays. A1.122: a half-squad
    /// breaks one worse.
    #[test]
    fn every_row_obeys_the_rules_it_was_derived_by() {
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

    /// 1.11, 1.121, 1.123, 1.25: leaders, squads, crews and classes as printed.
    #[test]
    fn printed_values() {
        let printed = |id: &str| CATALOGUE.get(CATALOGUE.find(id).unwrap()).to_string();
        assert_eq!(printed("ger_1_467"), "german:4-6-7");
        assert_eq!(printed("SS-LDR-6+1"), "german-ss:6+1");
        assert_eq!(printed("rus_ldr_8-0"), "russian:8-0");
        assert_eq!(printed("any_hero_149"), "any:1-4-9");
    }
}
