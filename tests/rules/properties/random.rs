//! Random stacks and questions.

use lowcrawl::asl::catalogue::{CATALOGUE, Counter, CounterKind, Hardening};
use lowcrawl::asl::nation::Nation;
use lowcrawl::asl::question::{Question, QuestionKind};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use crate::common::draft;

/// A unit of a random stack.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) id: String,
    pub(super) conditions: Vec<&'static str>,
    pub(super) morale: Option<i8>,
    pub(super) broken_morale: Option<i8>,
}

impl Piece {
    pub(super) fn counter(&self) -> &'static Counter {
        CATALOGUE.get(CATALOGUE.find(&self.id).unwrap())
    }

    pub(super) fn is(&self, condition: &str) -> bool {
        self.conditions.contains(&condition)
    }

    pub(super) fn leads(&self) -> bool {
        self.counter().kind.is_leader()
    }

    pub(super) fn text(&self) -> String {
        let mut words: Vec<String> = self.conditions.iter().map(|word| word.to_string()).collect();
        words.extend(self.morale.map(|morale| format!("morale={morale}")));
        words.extend(self.broken_morale.map(|morale| format!("broken-morale={morale}")));
        format!("id:{}{}{}", self.id, if words.is_empty() { "" } else { "/" }, words.join(","))
    }

    pub(super) fn morale(&self) -> i8 {
        self.morale.unwrap_or(self.counter().morale)
    }

    pub(super) fn broken_morale(&self) -> i8 {
        self.broken_morale.unwrap_or(self.counter().broken_morale)
    }

    /// 2.3: returns the ML of a side under attack, with the effects of Encirclement and wounds.
    pub(super) fn level(&self, broken: bool) -> i8 {
        let printed = if broken { self.broken_morale() } else { self.morale() };
        let fanatic = i8::from(self.is("fanatic"));
        let loss = i8::from(self.is("wounded")) + i8::from(self.is("encircled"));
        match (self.is("berserk"), self.is("heroic")) {
            (true, _) => 10,
            // 15.21: 1-4-9 or 1-4-10, wounded 1-3-8 or 1-3-9.
            (_, true) if self.is("wounded") => (printed.clamp(9, 10) - 1 + fanatic).min(9),
            (_, true) => (printed.clamp(9, 10) + fanatic).min(10),
            _ => (printed + fanatic).min(10) - loss,
        }
    }

    /// Returns the ML of the side that is up.
    pub(super) fn present_level(&self) -> i8 {
        self.level(self.is("broken"))
    }

    /// 17.3: returns the leadership DRM, with the effect of a wound.
    pub(super) fn leadership(&self) -> i8 {
        self.counter().leadership + i8::from(self.is("wounded"))
    }

    /// 15.3: returns the leader improved by a grade, or `None`; A25.22 for Commissars.
    pub(super) fn promoted(&self) -> Option<Piece> {
        better_leader(&self.id).map(|id| Piece { id, ..self.clone() })
    }
}

/// Returns the next better grade.
pub(super) fn better_leader(id: &str) -> Option<String> {
    let counter = CATALOGUE.get(CATALOGUE.find(id)?);
    match (id, counter.kind, counter.hardening) {
        ("rus_com_8+1", ..) => Some("rus_com_9-0".to_string()),
        ("rus_com_9-0", ..) => Some("rus_com_10-0".to_string()),
        (_, CounterKind::Leader, Hardening::To(better)) => Some(CATALOGUE.get(better).id.clone()),
        _ => None,
    }
}

/// Columns of the IFT.
const COLUMNS: [i64; 11] = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36];

/// The event of a random question.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    Check(i64),
    Ptc,
    Fire { column: usize, drm: i64, cowering: bool },
    Rally { phases: i64, own: &'static str, woods: bool, adjacent: bool },
    Interdict { hexes: i64 },
}

/// A random question.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) event: Event,
    pub(super) stack: Vec<Piece>,
    pub(super) lent: Option<String>,
    pub(super) elr: i64,
    pub(super) hob: bool,
    pub(super) keu: bool,
    pub(super) captor: bool,
    pub(super) no_quarter: bool,
}

impl Case {
    fn kind(&self) -> QuestionKind {
        match self.event {
            Event::Check(_) | Event::Ptc => QuestionKind::Check,
            Event::Fire { .. } => QuestionKind::Fire,
            Event::Rally { .. } => QuestionKind::Rally,
            Event::Interdict { .. } => QuestionKind::Interdict,
        }
    }

    fn event_fields(&self) -> String {
        match self.event {
            Event::Check(mc) => format!("mc={mc}"),
            Event::Ptc => "ptc".to_string(),
            Event::Fire { column, drm, cowering } => {
                format!("fp={}; drm={drm}; cowering={cowering}", COLUMNS[column])
            }
            Event::Rally { phases, own, woods, adjacent } => {
                let terrain = if woods { "woods" } else { "open" };
                let turn = format!("phases={phases}; own-rph={own}");
                format!("{turn}; terrain={terrain}; enemy-adjacent={adjacent}")
            }
            Event::Interdict { hexes } => format!("hexes={hexes}"),
        }
    }

    /// Builds the question with further fields; `None` if the fields contradict each other.
    pub(super) fn question_with(&self, more: &str) -> Option<Question> {
        let stack = self.stack.iter().map(Piece::text).collect::<Vec<_>>().join(" + ");
        let lent = self.lent.as_ref().map(|leader| format!("; leader=id:{leader}"));
        let Case { elr, hob, keu, captor, no_quarter, .. } = self;
        let scene = format!("hob={hob}; keu={keu}; captor={captor}; no-quarter={no_quarter}");
        let stack = format!("stack={stack}{}; elr={elr}", lent.unwrap_or_default());
        let fields = format!("{stack}; {scene}; {}; {more}", self.event_fields());
        draft(self.kind(), &fields).question().ok()
    }

    pub(super) fn question(&self) -> Option<Question> {
        self.question_with("")
    }
}

pub(super) const NATIONS: [Nation; 10] = [
    Nation::German,
    Nation::German,
    Nation::GermanSs,
    Nation::Russian,
    Nation::American,
    Nation::British,
    Nation::French,
    Nation::Italian,
    Nation::Finnish,
    Nation::Partisan,
];

/// Returns the catalogue ids of a nation's counters whose kind passes `fits`.
pub(super) fn ids(nation: Nation, fits: impl Fn(CounterKind) -> bool) -> Vec<String> {
    let of_nation = |counter: &&Counter| counter.nation == nation && fits(counter.kind);
    CATALOGUE.counters().iter().filter(of_nation).map(|counter| counter.id.clone()).collect()
}

pub(super) fn is_mmc(kind: CounterKind) -> bool {
    !kind.is_smc()
}

/// Returns the conditions of a random unit: few of them, and none that exclude each other.
fn conditions(broken: bool, smc: bool, drawn: &[u8]) -> Vec<&'static str> {
    let has = |number: u8| drawn.contains(&number);
    let broken = broken || has(0);
    let heroic = smc && !broken && has(5);
    let berserk = !broken && !heroic && has(7);
    let free = !broken && !heroic && !berserk;
    let all = [
        (broken, "broken"),
        (broken && has(1), "dm"),
        (free && has(2), "pinned"),
        (smc && has(3), "wounded"),
        (has(4), "fanatic"),
        (heroic, "heroic"),
        (broken && has(6) && !has(4), "disrupted"),
        (berserk, "berserk"),
        (has(8), "encircled"),
        (!smc && free && has(9), "unarmed"),
    ];
    all.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect()
}

pub(super) fn piece(ids: Vec<String>, broken: bool) -> impl Strategy<Value = Piece> {
    let drawn =
        prop_oneof![2 => subsequence((0..10).collect::<Vec<u8>>(), 0..3), 3 => Just(vec![])];
    (select(ids), drawn).prop_map(move |(id, drawn)| {
        let smc = CATALOGUE.get(CATALOGUE.find(&id).unwrap()).kind.is_smc();
        let conditions = conditions(broken, smc, &drawn);
        Piece { id, conditions, morale: None, broken_morale: None }
    })
}

/// Returns a random MMC or leader of a nation; `leaders` is the share of leaders, from 0 to 1.
fn member(nation: Nation, leaders: f64, broken: bool) -> impl Strategy<Value = Piece> {
    let mmc = piece(ids(nation, is_mmc), broken);
    let leader = piece(ids(nation, |kind| kind == CounterKind::Leader), broken);
    (prop::bool::weighted(leaders), mmc, leader)
        .prop_map(|(leads, mmc, leader)| if leads { leader } else { mmc })
}

pub(super) fn attacks() -> impl Strategy<Value = Event> {
    let fire = (0..COLUMNS.len(), -3..5i64, any::<bool>());
    let fire = fire.prop_map(|(column, drm, cowering)| Event::Fire { column, drm, cowering });
    prop_oneof![4 => (0..7i64).prop_map(Event::Check), 1 => Just(Event::Ptc), 3 => fire]
}

pub(super) fn checks() -> impl Strategy<Value = Event> {
    prop_oneof![4 => (0..7i64).prop_map(Event::Check), 1 => Just(Event::Ptc)]
}

pub(super) fn rallies() -> impl Strategy<Value = Event> {
    let rally =
        (1..=3i64, select(vec!["odd", "even", "never"]), any::<bool>(), prop::bool::weighted(0.2));
    rally.prop_map(|(phases, own, woods, adjacent)| Event::Rally { phases, own, woods, adjacent })
}

pub(super) fn gauntlets() -> impl Strategy<Value = Event> {
    (1..=5i64).prop_map(|hexes| Event::Interdict { hexes })
}

/// Returns random questions with one of these events and a stack of one nation.
pub(super) fn case(
    events: impl Strategy<Value = Event>,
    units: impl Strategy<Value = (Nation, Vec<Piece>)>,
    hob: impl Strategy<Value = bool>,
    lent: f64,
) -> impl Strategy<Value = Case> {
    let rarely = || prop::bool::weighted(0.2);
    let scene = (
        prop_oneof![1 => Just(3), 1 => 0..6i64],
        hob,
        prop::bool::weighted(0.8),
        rarely(),
        rarely(),
    );
    let lent = (prop::bool::weighted(lent), any::<prop::sample::Index>());
    (events, units, lent, scene).prop_map(
        |(event, (nation, stack), (is_lent, which), (elr, hob, keu, captor, no_quarter))| {
            let leaders = ids(nation, |kind| kind == CounterKind::Leader);
            let lent = is_lent.then(|| which.get(&leaders).clone());
            Case { event, stack, lent, elr, hob, keu, captor, no_quarter }
        },
    )
}

/// Returns random stacks of one nation.
pub(super) fn stacks(
    size: std::ops::RangeInclusive<usize>,
    leaders: f64,
    broken: bool,
) -> impl Strategy<Value = (Nation, Vec<Piece>)> {
    select(NATIONS.to_vec()).prop_flat_map(move |nation| {
        (Just(nation), prop::collection::vec(member(nation, leaders, broken), size.clone()))
    })
}

/// Returns random single units, with values given by hand if `by_hand`.
pub(super) fn lone(broken: bool, by_hand: bool) -> impl Strategy<Value = (Nation, Vec<Piece>)> {
    let morale = move || {
        prop::option::weighted(0.3, 4..=10i8).prop_map(move |morale| morale.filter(|_| by_hand))
    };
    (stacks(1..=1, 0.4, broken), morale(), morale()).prop_map(
        |((nation, mut stack), morale, broken_morale)| {
            let piece = stack.remove(0);
            (nation, vec![Piece { morale, broken_morale, ..piece }])
        },
    )
}
