//! An attack on the Infantry Fire Table (7.3 - 7.305), and Cowering (7.9).

use std::sync::LazyLock;

use engine::dice::Dr;

/// A result of the Infantry Fire Table, the mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FireResult {
    NoEffect,
    /// A Pin Task Check (7.305).
    PinTaskCheck,
    /// A Morale Check with this DRM; 0 is a NMC (7.303, 7.304).
    MoraleCheck(i8),
    /// A K result: one unit is Reduced, then all take a MC with this DRM (7.302).
    Casualties(i8),
    /// A KIA result: this many units are eliminated, and the others break (7.301).
    Kills(u8),
}

impl FireResult {
    fn read(text: &str) -> Option<FireResult> {
        let number = |text: &str| text.parse().ok();
        Some(match text {
            "-" => FireResult::NoEffect,
            "PTC" => FireResult::PinTaskCheck,
            "NMC" => FireResult::MoraleCheck(0),
            _ if text.starts_with("K/") => FireResult::Casualties(number(&text[2..])?),
            _ if text.ends_with("KIA") => {
                FireResult::Kills(number(text.trim_end_matches("KIA"))? as u8)
            }
            _ => FireResult::MoraleCheck(number(text.trim_end_matches("MC"))?),
        })
    }
}

impl std::fmt::Display for FireResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FireResult::NoEffect => f.write_str("no effect"),
            FireResult::PinTaskCheck => f.write_str("PTC"),
            FireResult::MoraleCheck(0) => f.write_str("NMC"),
            FireResult::MoraleCheck(drm) => write!(f, "{drm}MC"),
            FireResult::Casualties(drm) => write!(f, "K/{drm}"),
            FireResult::Kills(count) => write!(f, "{count}KIA"),
        }
    }
}

/// The Infantry Fire Table (7.3): FP of its columns, and results by Final DR from 0 to 15.
struct FireTable {
    firepower: Vec<u16>,
    results: Vec<Vec<FireResult>>,
}

/// The table of the embedded file. A test reads it, so a malformed entry cannot reach a user.
static TABLE: LazyLock<FireTable> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(include_str!("../ift.csv").as_bytes());
    let headings = reader.headers().expect("ift.csv has headings").clone();
    let firepower = headings
        .iter()
        .skip(1)
        .map(|heading| heading[2..].parse().expect("a column of ift.csv is named by its FP"));
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.expect("ift.csv is well formed");
        let result = |text| {
            FireResult::read(text).unwrap_or_else(|| panic!("ift.csv has no result `{text}`"))
        };
        record.iter().skip(1).map(result).collect()
    };
    FireTable { firepower: firepower.collect(), results: reader.records().map(row).collect() }
});

/// Returns the FP of the column for an attack of at least 1 FP (7.3): the highest up to its FP.
pub(crate) fn ift_column(firepower: u16) -> u16 {
    let columns = TABLE.firepower.iter().copied();
    columns.take_while(|&column| column <= firepower).last().unwrap_or(firepower)
}

/// An attack (7.3): its FP, its DRM and the number of columns that Cowering costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attack {
    pub firepower: u16,
    pub drm: i8,
    /// The columns lost on Original doubles (7.9): 0, 1, or 2 for Inexperienced firers (19.3).
    pub cowering: u8,
    /// The Original DR from which a DC does not go off (23.2), if it can fail.
    pub dud: Option<u8>,
    /// True if a Final DR above 15 has no effect (I-70).
    pub ends_at_fifteen: bool,
}

impl Attack {
    /// Creates an attack without a dud, in which the row of 15 stands for higher Final DR too.
    pub const fn new(firepower: u16, drm: i8, cowering: u8) -> Attack {
        Attack { firepower, drm, cowering, dud: None, ends_at_fifteen: false }
    }

    /// Returns the FP of the highest column up to a FP (7.3); `None` below 1.
    pub(crate) fn column_of(firepower: u16) -> Option<u16> {
        TABLE.firepower.iter().rev().copied().find(|&column| column <= firepower)
    }

    /// Returns the place of the column that an Original DR uses. Doubles shift it left (7.9), out
    /// of the table for no effect.
    fn place(&self, original: Dr) -> Option<usize> {
        let column = TABLE.firepower.iter().rposition(|&firepower| firepower <= self.firepower);
        let shift = if self.cowers(original) { usize::from(self.cowering) } else { 0 };
        let goes_off = self.dud.is_none_or(|dud| original.total() < dud);
        column.and_then(|column| column.checked_sub(shift)).filter(|_| goes_off)
    }

    /// Returns the FP of the column that an Original DR uses, after Cowering; `None` for no effect.
    pub(crate) fn column_after(&self, original: Dr) -> Option<u16> {
        self.place(original).map(|place| TABLE.firepower[place])
    }

    /// Returns the result of an Original DR (7.3). The Final DR is clamped to 0 to 15. By the
    /// alternative of I-70 a higher one has no effect.
    pub fn result(&self, original: Dr) -> FireResult {
        let table = &*TABLE;
        let Some(column) = self.place(original) else { return FireResult::NoEffect };
        let (row, last) = (original.total() as i8 + self.drm, table.results.len() as i8 - 1);
        match self.ends_at_fifteen && row > last {
            true => FireResult::NoEffect,
            false => table.results[row.clamp(0, last) as usize][column],
        }
    }

    /// Returns whether the firers Cower on Original doubles, if they Cower at all (7.9).
    fn cowers(&self, original: Dr) -> bool {
        original.coloured() == original.white()
    }

    /// Returns whether some DR would be at least a NMC, after Cowering (10.62).
    pub(crate) fn may_check_morale(&self) -> bool {
        let spares = |result| matches!(result, FireResult::NoEffect | FireResult::PinTaskCheck);
        Dr::ALL.iter().any(|&original| !spares(self.result(original)))
    }

    pub(crate) fn words(&self, original: Dr) -> String {
        let drm = match self.drm {
            0 => String::new(),
            drm => format!(" {drm:+} = Final {}", original.total() as i8 + drm),
        };
        let cowers = match self.cowering {
            1 if self.cowers(original) => ", Cowering (1 column left, 7.9)",
            2.. if self.cowers(original) => ", Cowering (2 columns left, 7.9)",
            _ => "",
        };
        format!(
            "attack of {} FP: Original {}{drm}{cowers}: {}",
            self.firepower,
            original.total(),
            self.result(original)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(firepower: u16, drm: i8, cowering: u8, coloured: u8, white: u8) -> String {
        Attack::new(firepower, drm, cowering).result(Dr::new(coloured, white).unwrap()).to_string()
    }

    /// The table has the right columns, DRM, and results beyond its edges (7.3).
    #[test]
    fn infantry_fire_table_gives_the_printed_results() {
        assert_eq!(TABLE.firepower, [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36]);
        assert_eq!(
            (TABLE.results.len(), TABLE.results.iter().all(|row| row.len() == 11)),
            (16, true)
        );
        for (firepower, drm, coloured, white, expected) in [
            (8, 0, 3, 4, "1MC"),
            (8, 1, 3, 4, "NMC"),
            (11, 1, 3, 4, "NMC"),
            (12, 1, 3, 4, "1MC"),
            (4, 0, 3, 4, "PTC"),
            (4, 2, 3, 4, "no effect"),
            (1, 0, 1, 2, "1MC"),
            (36, -9, 1, 2, "7KIA"),
            (500, 10, 3, 2, "PTC"),
            (500, 11, 3, 2, "PTC"),
            (36, 99, 6, 6, "PTC"),
            (30, 9, 3, 2, "PTC"),
            (30, 10, 3, 2, "no effect"),
            (6, -1, 3, 1, "K/2"),
            (0, 0, 1, 2, "no effect"),
        ] {
            assert_eq!(
                result(firepower, drm, 0, coloured, white),
                expected,
                "{firepower} FP {drm:+} on {coloured},{white}"
            );
        }
    }

    /// Doubles cost one column, and Inexperienced firers two (7.9).
    #[test]
    fn cowering_moves_the_attack_to_lower_columns() {
        assert_eq!(result(8, 0, 0, 3, 3), "1MC");
        assert_eq!(result(8, 0, 1, 3, 3), "1MC");
        assert_eq!(result(8, 0, 1, 2, 2), "2MC");
        assert_eq!(result(8, 0, 2, 2, 2), "1MC");
        assert_eq!(result(8, 0, 2, 1, 3), "2MC");
        assert_eq!(result(1, 0, 1, 1, 1), "no effect");
        assert_eq!(result(2, 0, 1, 1, 1), "1MC");
        assert_eq!(result(2, 0, 2, 1, 1), "no effect");
    }
}
