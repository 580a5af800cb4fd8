//! The counters as printed (rules section 2), parsed from the catalogue in `units.csv`.

use std::collections::HashMap;
use std::sync::OnceLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Squad,
    HalfSquad,
    Crew,
    Leader,
    Commissar,
    Hero,
}

/// The effect of an ELR failure on a counter (A19.13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replacement {
    Lower(String),
    TwoHalfSquads(String),
    Disrupted,
    OnlyBroken,
    Immune,
}

/// The effect of Battle Hardening on a counter (A15.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hardened {
    Better(String),
    Fanatic,
    NotSubject,
}

#[derive(Clone, Debug)]
pub struct Counter {
    pub id: String,
    pub nationality: String,
    pub kind: Kind,
    /// The class: `E`, `1`, `2`, `G`, `C`, or one outside this ladder, `P` or `N` (A1.25).
    pub class: String,
    pub printed: String,
    pub morale: i32,
    pub broken_morale: i32,
    pub underlined: bool,
    pub self_rally: bool,
    pub leadership: i32,
    pub half_squad: String,
    pub replacement: Replacement,
    pub hardened: Hardened,
}

/// The half-squads left by underlined squads that fail their ELR on an Original 12 (A10.31, section
/// 8). SS squads have none.
const LESSER_HALF_SQUADS: [(&str, &str); 5] = [
    ("ger_E_838", "ger_2_237"),
    ("usa_E_747", "usa_2_236"),
    ("bri_E_648", "bri_2_237"),
    ("fin_E_838", "fin_1_238"),
    ("rus_2_628", "rus_1_227"),
];

impl Counter {
    /// A10.31, section 8: returns the half-squad in [`LESSER_HALF_SQUADS`]; `None` for others.
    pub fn lesser_half_squad(&self) -> Option<usize> {
        LESSER_HALF_SQUADS
            .iter()
            .find(|(squad, _)| *squad == self.id)
            .map(|(_, half)| index_of(half))
    }

    /// A25.25: returns whether the unit belongs to the NKVD.
    pub fn is_nkvd(&self) -> bool {
        matches!(self.id.as_str(), "rus_2_628" | "rus_2_328")
    }

    fn read(field: &HashMap<&str, String>) -> Option<Counter> {
        let text = |name: &str| field[name].clone();
        let number = |name: &str| field[name].parse::<i32>().unwrap_or(0);
        let kind = match field["kind"].as_str() {
            "squad" => Kind::Squad,
            "hs" => Kind::HalfSquad,
            "crew" => Kind::Crew,
            "leader" => Kind::Leader,
            "commissar" => Kind::Commissar,
            "hero" => Kind::Hero,
            _ => return None,
        };
        let printed = match kind {
            Kind::Leader | Kind::Commissar if number("leadership") > 0 => {
                format!("{}+{}", number("morale"), number("leadership"))
            }
            Kind::Leader | Kind::Commissar => {
                format!("{}-{}", number("morale"), -number("leadership"))
            }
            _ => format!("{}-{}-{}", number("firepower"), number("range"), number("morale")),
        };
        let replacement = match field["elr_to"].as_str() {
            "DISRUPT" => Replacement::Disrupted,
            "BREAK_ONLY" => Replacement::OnlyBroken,
            "IMMUNE" => Replacement::Immune,
            other => match other.strip_prefix("2x:") {
                Some(half) => Replacement::TwoHalfSquads(half.to_string()),
                None => Replacement::Lower(other.to_string()),
            },
        };
        let hardened = match field["bh_to"].as_str() {
            "FANATIC" => Hardened::Fanatic,
            "NOT_SUBJECT" => Hardened::NotSubject,
            better => Hardened::Better(better.to_string()),
        };
        Some(Counter {
            id: text("id"),
            nationality: text("nationality"),
            kind,
            class: text("class"),
            printed,
            morale: number("morale"),
            broken_morale: number("broken_morale"),
            underlined: number("underlined") == 1,
            self_rally: number("self_rally_box") == 1,
            leadership: number("leadership"),
            half_squad: text("hs_id"),
            replacement,
            hardened,
        })
    }
}

pub fn counters() -> &'static [Counter] {
    static COUNTERS: OnceLock<Vec<Counter>> = OnceLock::new();
    COUNTERS.get_or_init(|| {
        let mut lines = include_str!("../../crates/asl/src/units.csv")
            .lines()
            .filter(|line| !line.trim().is_empty());
        let header = fields_of(lines.next().expect("a header"));
        let row = |line| {
            header.iter().map(String::as_str).zip(fields_of(line)).collect::<HashMap<_, _>>()
        };
        lines.filter_map(|line| Counter::read(&row(line))).collect()
    })
}

pub fn index_of(id: &str) -> usize {
    counters()
        .iter()
        .position(|counter| counter.id == id)
        .unwrap_or_else(|| panic!("no counter {id}"))
}

/// Returns the index of the leader of a grade, such as `8-1`, for a unit of this nationality. Units
/// of no nation get a leader of any.
pub fn leader_of(nationality: &str, grade: &str) -> usize {
    let prints = |counter: &Counter| counter.kind == Kind::Leader && counter.printed == grade;
    counters()
        .iter()
        .position(|counter| prints(counter) && counter.nationality == nationality)
        .or_else(|| counters().iter().position(prints))
        .unwrap_or_else(|| panic!("no leader {grade}"))
}

fn fields_of(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            '\r' => {}
            _ => fields.last_mut().expect("never empty").push(letter),
        }
    }
    fields
}
