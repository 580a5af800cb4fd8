//! A second, slow implementation of counts: the definitions of classes and groups, applied to joint
//! outcomes of the whole stack.

use std::collections::{BTreeMap, BTreeSet};

use super::stacks::{self, Dice};
use super::{answered, draft, plus, question};
use lowcrawl::answer::{Estimate, Table, UnitCounts};
use lowcrawl::asl::catalogue::{CATALOGUE, CounterKind};
use lowcrawl::asl::kinds::QuestionKind;
use lowcrawl::asl::nation::Nation;
use lowcrawl::asl::outcome::Outcome;
use lowcrawl::asl::question::{Draft, Question};
use lowcrawl::asl::unit::Condition;
use lowcrawl::engine::exact::{self, Bound, Fraction};
use lowcrawl::play::Form as _;
use lowcrawl::process::{Question as _, ReportIndex};

/// The classes of a kind, in order, each with its statuses.
type Classes = &'static [(&'static str, &'static [&'static str])];

/// Assigns statuses to classes. A pinned unbroken unit is in Good Order. Of routing units only
/// those in Good Order (Heat of Battle) hold.
pub fn classes(ask: QuestionKind) -> Classes {
    match ask {
        QuestionKind::Fire | QuestionKind::Check | QuestionKind::Sequence | QuestionKind::Turn => {
            &[
                ("holds", &["good-order", "pinned"]),
                ("breaks", &["broken", "disrupted"]),
                ("lost", &["eliminated", "captured"]),
                ("berserk", &["berserk"]),
            ]
        }
        QuestionKind::Rally => &[
            ("holds", &["rallied", "good-order", "pinned"]),
            ("breaks", &["broken", "disrupted"]),
            ("lost", &["eliminated", "captured"]),
            ("berserk", &["berserk"]),
        ],
        QuestionKind::Interdict => &[
            ("holds", &["good-order"]),
            ("through", &["through"]),
            ("stopped", &["stopped", "pinned", "broken", "disrupted"]),
            ("lost", &["eliminated", "captured"]),
            ("berserk", &["berserk"]),
        ],
    }
}

pub const GROUPS: [&str; 4] = ["mmc", "units", "leaders", "squad-equivalents"];

fn is_mmc(kind: CounterKind) -> bool {
    matches!(kind, CounterKind::Squad | CounterKind::HalfSquad | CounterKind::Crew)
}

/// Returns the number of half-squads that a counter counts as.
fn halves(kind: CounterKind) -> u16 {
    match kind {
        CounterKind::Squad => 2,
        CounterKind::HalfSquad | CounterKind::Crew => 1,
        CounterKind::Leader | CounterKind::Hero | CounterKind::Commissar => 0,
    }
}

fn in_group(group: &str, kind: CounterKind) -> bool {
    match group {
        "mmc" => is_mmc(kind),
        "units" => true,
        "leaders" => matches!(kind, CounterKind::Leader | CounterKind::Commissar),
        _ => panic!("{group} is not counted by unit"),
    }
}

/// A unit of an outcome, as written: `2:broken 8-1/wounded`.
struct WrittenUnit<'a> {
    slot: usize,
    status: &'a str,
    printed: Option<&'a str>,
}

fn written_units(text: &str) -> Vec<WrittenUnit<'_>> {
    let written = |text| {
        let (slot, rest): (&str, &str) = str::split_once(text, ':').unwrap();
        let (status, counter) = match rest.split_once(' ') {
            Some((status, counter)) => (status, Some(counter)),
            None => (rest, None),
        };
        let printed = counter.map(|counter| counter.split('/').next().unwrap());
        WrittenUnit { slot: slot.parse().unwrap(), status, printed }
    };
    text.split("; ").map(written).collect()
}

struct InitialUnit {
    kind: CounterKind,
    nation: Nation,
    broken: bool,
}

/// A question about the whole stack, and its units at the start.
pub struct Twin {
    question: Question,
    initial_units: Vec<InitialUnit>,
    pub classes: Classes,
}

/// Numbers of units or half-squads, one for each class.
type Numbers = Vec<u16>;

pub struct Tallies(BTreeMap<ReportIndex, Vec<(Numbers, Option<Fraction>, f64)>>);

impl Twin {
    /// Builds the twin of a joint question.
    pub fn new(joint: &Draft) -> Twin {
        let question = question(joint);
        let initial_units = question.stack.members.iter().map(|member| InitialUnit {
            kind: member.printed().kind,
            nation: member.nation.unwrap_or(member.printed().nation),
            broken: member.is(Condition::Broken),
        });
        let (initial_units, classes) = (initial_units.collect(), classes(question.ask));
        Twin { question, initial_units, classes }
    }

    pub fn question(&self) -> &Question {
        &self.question
    }

    fn class(&self, status: &str) -> usize {
        let matching =
            (0..).zip(self.classes).filter(|(_, (_, statuses))| statuses.contains(&status));
        let places: Vec<usize> = matching.map(|(place, _)| place).collect();
        assert_eq!(places.len(), 1, "{status} is in one class");
        places[0]
    }

    /// Returns the kind of a counter. No nation prints two kinds alike. An MMC created on the way
    /// is always a half-squad (A19.13).
    fn kind(&self, written: &WrittenUnit) -> CounterKind {
        let printed = written.printed.expect("a counter");
        let initial = self.initial_units.get(written.slot - 1);
        let is_of = |nation: Nation| match initial {
            Some(initial) => nation == initial.nation || nation == Nation::Any,
            None => {
                nation == Nation::Any
                    || self.initial_units.iter().any(|initial| initial.nation == nation)
            }
        };
        let fits = |kind: CounterKind| match initial {
            Some(initial) => is_mmc(initial.kind) == is_mmc(kind),
            None => !matches!(kind, CounterKind::Squad | CounterKind::Crew),
        };
        let kinds: BTreeSet<CounterKind> = CATALOGUE
            .counters()
            .iter()
            .filter(|counter| {
                counter.printed() == printed && is_of(counter.nation) && fits(counter.kind)
            })
            .map(|counter| counter.kind)
            .collect();
        // A Commissar is a leader, and no leader is printed like a hero.
        *kinds.first().unwrap_or_else(|| panic!("what is {printed}?"))
    }

    /// Returns the kind of a created unit. The process must tell it if the unit is eliminated.
    fn created(&self, written: &WrittenUnit, outcome: &Outcome) -> CounterKind {
        let Outcome::Stack { units, .. } = outcome else { panic!("one unit") };
        let noted = units.iter().find(|unit| usize::from(unit.slot) == written.slot);
        let noted = noted.and_then(|unit| unit.created).expect("a created unit");
        if written.printed.is_some() {
            let groups = |kind| GROUPS.map(|group| group != GROUPS[3] && in_group(group, kind));
            assert_eq!(groups(self.kind(written)), groups(noted), "what was created");
        }
        noted
    }

    /// Returns the numbers of units of a group in each class, for an outcome in words.
    fn numbers(&self, group: &str, with_created: bool, text: &str, outcome: &Outcome) -> Numbers {
        let mut numbers = vec![0; self.classes.len()];
        for written in written_units(text) {
            let initial = self.initial_units.get(written.slot - 1).map(|initial| initial.kind);
            let class = self.class(written.status);
            if group == "squad-equivalents" {
                // Remaining units count in their class; the lost part follows at the end.
                if self.classes[class].0 != "lost" {
                    numbers[class] += halves(self.kind(&written));
                }
            } else if let Some(kind) = initial {
                numbers[class] += u16::from(in_group(group, kind));
            } else if with_created {
                numbers[class] += u16::from(in_group(group, self.created(&written, outcome)));
            }
        }
        if group == "squad-equivalents" {
            let lost = self.classes.iter().position(|(name, _)| *name == "lost").unwrap();
            numbers[lost] = self.whole(group) - numbers.iter().sum::<u16>();
        }
        numbers
    }

    /// Returns the number of units or half-squads of a group at the start.
    fn whole(&self, group: &str) -> u16 {
        let parts = |kind| match group {
            "squad-equivalents" => halves(kind),
            group => in_group(group, kind).into(),
        };
        self.initial_units.iter().map(|initial| parts(initial.kind)).sum()
    }

    /// Returns the number of units that began broken and hold in an outcome.
    pub fn back(&self, group: &str, text: &str) -> usize {
        let is_back = |written: &WrittenUnit| {
            let initial = self.initial_units.get(written.slot - 1);
            initial.is_some_and(|initial| {
                initial.broken && in_group(group, initial.kind) && self.class(written.status) == 0
            })
        };
        if group == "squad-equivalents" {
            return 0;
        }
        written_units(text).iter().filter(|written| is_back(written)).count()
    }

    /// Returns the number of units of a group that begin broken.
    pub fn awaited(&self, group: &str) -> usize {
        let is_awaited = |initial: &&InitialUnit| {
            group != "squad-equivalents" && initial.broken && in_group(group, initial.kind)
        };
        self.initial_units.iter().filter(is_awaited).count()
    }
}

/// All outcomes of the whole stack with their odds and words; `None` if there are too many.
type Joint = Vec<(ReportIndex, Outcome, String, Option<Fraction>, f64)>;

fn joint(twin: &Twin) -> Option<Joint> {
    let bound = Bound { alive: 1 << 13, worked: 1 << 14, ..Bound::STANDARD };
    let odds = exact::odds(&twin.question.whole(), bound).ok()?;
    let rows = odds.chances.into_iter().map(|chance| {
        let text = twin.question.label(chance.point, &chance.outcome).outcome.unwrap();
        (chance.point, chance.outcome, text, chance.fraction, chance.probability)
    });
    Some(rows.collect())
}

impl Tallies {
    fn new(twin: &Twin, joint: &Joint, group: &str, with_created: bool) -> Tallies {
        let mut tallies = Tallies(BTreeMap::new());
        for (point, outcome, text, fraction, probability) in joint {
            let numbers = twin.numbers(group, with_created, text, outcome);
            let here = tallies.0.entry(*point).or_default();
            match here.iter_mut().find(|(known, ..)| *known == numbers) {
                Some((_, sum, of)) => (*sum, *of) = (plus(*sum, *fraction), *of + probability),
                None => here.push((numbers, *fraction, *probability)),
            }
        }
        tallies
    }

    /// Returns the probability that exactly `number` units are in a class at a report point.
    fn of_number(&self, point: ReportIndex, class: usize, number: u16) -> (Option<Fraction>, f64) {
        let fits = self.0[&point].iter().filter(|(numbers, ..)| numbers[class] == number);
        fits.fold((Some(Fraction::new(0, 1)), 0.0), |(sum, of), (_, fraction, probability)| {
            (plus(sum, *fraction), of + probability)
        })
    }

    fn mean(&self, point: ReportIndex, class: usize) -> f64 {
        self.0[&point].iter().map(|(numbers, _, p)| f64::from(numbers[class]) * p).sum()
    }
}

const EXACT: f64 = 1e-12;

fn assert_same(figure: Estimate, (fraction, probability): (Option<Fraction>, f64), what: &str) {
    let Estimate::Exact { probability: actual, fraction: short } = figure else {
        panic!("{what}: not exact")
    };
    if let Some((actual, fraction)) = short.zip(fraction) {
        assert_eq!(actual, fraction, "{what}");
    }
    assert!((actual - probability).abs() < EXACT, "{what}: {actual}, not {probability}");
}

/// Panics unless every count equals that of the twin.
fn assert_agree(twin: &Twin, counts: &UnitCounts, tallies: &Tallies, what: &str) {
    let scale = if counts.group.name == "squad-equivalents" { 2.0 } else { 1.0 };
    let names: Vec<&str> = counts.kind.classes.iter().map(|class| class.name).collect();
    let known: Vec<&str> = twin.classes.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, known, "{what}");
    let met = tallies.0.values().flatten().flat_map(|(numbers, ..)| numbers).max();
    let most = met.copied().unwrap_or_default().max(twin.whole(counts.group.name));
    let (mut rows, points) = (counts.rows().into_iter(), counts.all_points());
    assert_eq!(points, tallies.0.keys().copied().collect::<Vec<_>>(), "{what}");
    for point in points {
        for (class, name) in names.iter().enumerate() {
            let what = format!("{what}: {name} at {point}");
            let (mut sum, mut at_least) = (0.0, 1.0);
            for number in 0..=most {
                let row = rows.next().unwrap_or_else(|| panic!("{what}: no row for {number}"));
                let place = (row.point, row.class, row.number * scale);
                assert_eq!(place, (point, class, f64::from(number)), "{what}");
                let expected = tallies.of_number(point, class, number);
                assert_same(row.figure, expected, &format!("{what}: {number}"));
                assert!((row.at_least - at_least).abs() < EXACT, "{what}: {number} or more");
                at_least -= expected.1;
                sum += row.figure.probability();
            }
            assert!((sum - 1.0).abs() < EXACT, "{what}: {sum} in all");
            let mean = counts.mean(point, class).unwrap();
            let expected = tallies.mean(point, class) / scale;
            assert!((mean.value - expected).abs() < EXACT, "{what}: {mean:?}, not {expected}");
            if let Some(fraction) = mean.fraction {
                assert!((fraction.to_f64() - expected).abs() < EXACT, "{what}: {fraction}");
            }
        }
    }
    assert!(rows.next().is_none(), "{what}: more rows");
}

/// Panics unless the mean of a class is the sum of the rows of its statuses.
fn assert_adds_up(twin: &Twin, table: &Table, group: &str, with_created: bool, what: &str) {
    let counts = table.counts.as_ref().unwrap();
    let is_counted = |slot: usize| match twin.initial_units.get(slot - 1) {
        Some(initial) => in_group(group, initial.kind),
        None => with_created,
    };
    for point in counts.all_points() {
        for (class, (name, statuses)) in twin.classes.iter().enumerate() {
            let rows = table.rows.iter().filter(|row| {
                let at = row.label.phase.or(row.label.step).unwrap_or(0);
                at == point
                    && is_counted(row.label.slot.unwrap().into())
                    && statuses.contains(&row.label.status.unwrap())
            });
            let sum: f64 = rows.map(|row| row.figure.probability()).sum();
            let mean = counts.mean(point, class).unwrap().value;
            assert!(
                (sum - mean).abs() < EXACT,
                "{what}: {name} at {point}: rows {sum}, mean {mean}"
            );
        }
    }
}

/// Panics unless the program counts a question like the twin, in every group, with and without
/// created units. Returns false if the question is invalid or too large for the twin.
pub fn counts_agree(ask: QuestionKind, fields: &str) -> bool {
    let Some((plain, whole)) = draft(ask, fields, false).zip(draft(ask, fields, true)) else {
        return false;
    };
    let twin = Twin::new(&whole);
    let Some(joint) = joint(&twin) else { return false };
    let question = plain.finish().unwrap();
    for group in GROUPS {
        for with_created in [false, true] {
            let what = format!("{ask:?} {fields}: {group}, created {with_created}");
            let counted_group = question.words().facts().kind.group(group).unwrap();
            let table = answered(question.as_ref(), Some(counted_group), with_created)
                .unwrap_or_else(|| panic!("{what}: too big"));
            let counts = table.counts.as_ref().unwrap();
            assert_eq!((counts.group.name, counts.footing.with_created), (group, with_created));
            assert_eq!(counts.footing.engine, "exact", "{what}");
            let tallies = Tallies::new(&twin, &joint, group, with_created);
            assert_agree(&twin, counts, &tallies, &what);
            if group != "squad-equivalents" && (group == "units" || !with_created) {
                assert_adds_up(&twin, &table, group, with_created, &what);
            }
            if with_created && group == "mmc" {
                // Counts of all units at once equal those of one unit at a time.
                let table = answered(whole.finish().unwrap().as_ref(), Some(counted_group), true);
                assert_agree(&twin, &table.unwrap().counts.unwrap(), &tallies, &what);
            }
        }
    }
    // The default group is MMC, or all units if there are no MMC.
    let default = answered(question.as_ref(), None, false).unwrap().counts.unwrap().group.name;
    let has_mmc = twin.initial_units.iter().any(|initial| is_mmc(initial.kind));
    assert_eq!(default, if has_mmc { "mmc" } else { "units" }, "{fields}");
    true
}

/// Compares `wanted` questions about stacks of all kinds of units in all conditions.
fn random_stacks(seed: u64, wanted: usize) {
    let mut dice = Dice(seed);
    let (mut done, mut drawn) = (BTreeMap::new(), 0);
    while done.values().sum::<usize>() < wanted {
        let (ask, fields) = stacks::question(&mut dice);
        drawn += 1;
        assert!(drawn < 40 * wanted, "too few questions");
        if counts_agree(ask, &fields) {
            *done.entry(format!("{ask:?}")).or_default() += 1;
        }
    }
    assert_eq!(done.len(), 5, "{done:?}");
}

/// A5.1, A10.6, A15.21, A18.2, A19.13, A20.2: which units count in which class.
#[test]
fn random_stacks_are_counted_as_by_the_twin() {
    random_stacks(19, 100);
}

#[test]
fn more_random_stacks_are_counted_as_by_the_twin() {
    random_stacks(1936, 100);
}
