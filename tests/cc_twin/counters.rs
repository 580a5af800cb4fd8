//! The counters as printed, read from `units.csv`, and the tables of A11.11, A11.4 and A18.2.

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

#[derive(Clone, Debug)]
pub struct Counter {
    pub id: String,
    pub nation: String,
    pub kind: Kind,
    pub class: String,
    pub printed: String,
    pub fp: i64,
    pub morale: i32,
    pub leadership: i32,
    pub half_squad: String,
    pub nkvd: bool,
}

impl Counter {
    pub fn is_smc(&self) -> bool {
        matches!(self.kind, Kind::Leader | Kind::Commissar | Kind::Hero)
    }

    pub fn is_leader(&self) -> bool {
        matches!(self.kind, Kind::Leader | Kind::Commissar)
    }

    /// 41.1, 26.21: returns the CVP of the counter.
    pub fn points(&self) -> i32 {
        match self.kind {
            Kind::Squad | Kind::Crew => 2,
            Kind::HalfSquad => 1,
            Kind::Leader | Kind::Commissar => 1 + (-self.leadership).max(0),
            Kind::Hero => 0,
        }
    }
}

pub fn all() -> &'static [Counter] {
    static ALL: OnceLock<Vec<Counter>> = OnceLock::new();
    ALL.get_or_init(|| {
        let text = include_str!("../../crates/asl/src/units.csv");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let heads = reader.headers().unwrap().clone();
        let read = |record: csv::StringRecord| {
            let cell = |name: &str| {
                record[heads.iter().position(|head| head == name).unwrap()].to_string()
            };
            let number = |name: &str| cell(name).parse::<i32>().unwrap_or(0);
            let (morale, leadership) = (number("morale"), number("leadership"));
            let printed = match (cell("firepower").as_str(), leadership) {
                ("", up @ 1..) => format!("{morale}+{up}"),
                ("", down) => format!("{morale}-{}", -down),
                (fp, _) => format!("{fp}-{}-{morale}", cell("range")),
            };
            Counter {
                kind: match cell("kind").as_str() {
                    "squad" => Kind::Squad,
                    "hs" => Kind::HalfSquad,
                    "crew" => Kind::Crew,
                    "leader" => Kind::Leader,
                    "commissar" => Kind::Commissar,
                    _ => Kind::Hero,
                },
                nkvd: ["rus_2_628", "rus_2_328"].contains(&cell("id").as_str()),
                id: cell("id"),
                nation: cell("nationality"),
                class: cell("class"),
                fp: number("firepower").into(),
                half_squad: cell("hs_id"),
                printed,
                morale,
                leadership,
            }
        };
        reader.records().map(|record| read(record.unwrap())).collect()
    })
}

pub fn counter(index: usize) -> &'static Counter {
    &all()[index]
}

pub fn index(id: &str) -> usize {
    all().iter().position(|counter| counter.id == id).unwrap_or_else(|| panic!("no {id}"))
}

/// 11.11: the columns between the first and the last, as attack to defence.
const COLUMNS: [(i64, i64); 12] = [
    (1, 8),
    (1, 6),
    (1, 4),
    (1, 2),
    (1, 1),
    (3, 2),
    (2, 1),
    (3, 1),
    (4, 1),
    (6, 1),
    (8, 1),
    (10, 1),
];

/// 11.11: returns the Kill Number of odds in black print; the red one is 2 higher.
pub fn kill_number(attack: i64, defence: i64) -> i32 {
    if attack > 10 * defence {
        return 13;
    }
    COLUMNS.iter().filter(|(own, enemy)| attack * enemy >= defence * own).count() as i32
}

/// 18.2: returns how many columns odds are below 1-1.
pub fn below_even(attack: i64, defence: i64) -> i32 {
    (5 - kill_number(attack, defence)).max(0)
}

/// 18.2: returns the leader of a modified dr.
pub fn created(modified: i32, nkvd: bool) -> Option<&'static str> {
    let grades = if nkvd {
        [(1, "10-0"), (3, "9-0"), (5, "8+1"), (5, "")]
    } else {
        [(1, "8-1"), (3, "8-0"), (5, "7-0"), (6, "6+1")]
    };
    grades.into_iter().find(|(most, _)| modified <= *most).map(|(_, grade)| grade)
}
