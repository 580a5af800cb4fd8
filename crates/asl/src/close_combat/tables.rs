//! The Close Combat Table (11.11), and the drm of an Ambush (11.4).

use std::sync::LazyLock;

use crate::board::terrain::cell;
use crate::rulebook::{Rulebook, Switch};
use schema::declared::named;
use schema::field::words_of;

/// The factor by which FP is multiplied, so that three halvings leave whole numbers.
pub const FP_PARTS: u16 = 8;

/// A column of the Close Combat Table: an odds ratio with its Kill Numbers (11.11).
#[derive(Clone, Debug)]
pub struct OddsColumn {
    /// The ratio as printed, such as `3-2`.
    pub odds: String,
    attack: u16,
    defence: u16,
    /// The Kill Number of ordinary Close Combat, in black print.
    black: i8,
    /// The Kill Number of Hand-to-Hand Close Combat, in red print (J2.31).
    red: i8,
}

static COLUMNS: LazyLock<Vec<OddsColumn>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(include_str!("cct.csv").as_bytes());
    let column = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.expect("cct.csv is well formed");
        let number = |place: usize| -> u8 {
            let text = &record[place];
            text.parse().unwrap_or_else(|_| panic!("cct.csv has no number `{text}`"))
        };
        let (attack, defence) = (number(1).into(), number(2).into());
        let kill = |place: usize| number(place) as i8;
        OddsColumn { odds: record[0].to_string(), attack, defence, black: kill(3), red: kill(4) }
    };
    reader.records().map(column).collect()
});

/// The place of a column in the Close Combat Table, from 0 on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ColumnIndex(u8);

impl ColumnIndex {
    /// Returns the column of a FP ratio, rounded down (11.11). Beyond 10-1 is the last column, by
    /// the alternative of interpretation I-110 only from 11-1 on.
    pub fn of_odds(attack: u16, defence: u16, rulebook: Rulebook) -> ColumnIndex {
        let last = COLUMNS.len() - 1;
        let (attack, defence) = (u32::from(attack), u32::from(defence));
        let is_beyond = match rulebook.chooses(Switch::WholeOddsBeyondTen) {
            true => attack >= 11 * defence,
            false => attack > 10 * defence,
        };
        let reaches = |column: &OddsColumn| {
            attack * u32::from(column.defence) >= defence * u32::from(column.attack)
        };
        let place = match is_beyond {
            true => last,
            false => (1..last).rev().find(|&place| reaches(&COLUMNS[place])).unwrap_or(0),
        };
        ColumnIndex(place as u8)
    }

    /// Returns the column printed as `odds`, such as `1-4`.
    pub fn named(odds: &str) -> Option<ColumnIndex> {
        let place = COLUMNS.iter().position(|column| column.odds == odds)?;
        Some(ColumnIndex(place as u8))
    }

    /// Returns the ratio as printed.
    pub fn odds(self) -> &'static str {
        &COLUMNS[usize::from(self.0)].odds
    }

    /// Returns the Kill Number, by the red numbers in Hand-to-Hand Close Combat (J2.31).
    pub fn kill_number(self, is_hand_to_hand: bool) -> i8 {
        let column = &COLUMNS[usize::from(self.0)];
        if is_hand_to_hand { column.red } else { column.black }
    }

    /// Returns how many columns the odds are below 1-1 (18.2).
    pub fn below_even(self) -> i8 {
        let even = COLUMNS.iter().position(|column| column.attack == column.defence);
        even.map_or(0, |even| (even as i8 - self.0 as i8).max(0))
    }
}

named! {
    /// A cause of a drm to the Ambush dr of a force (11.4), beside leadership.
    pub enum AmbushCause {
        Cx = "cx",
        Lax = "lax",
        Broken = "broken",
        Pinned = "pinned",
        Berserk = "berserk",
        Stealthy = "stealthy",
        Concealed = "concealed",
    }
}

words_of!(AmbushCause, "CAUSE", "");

static AMBUSH: LazyLock<Vec<(AmbushCause, i8, String)>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(include_str!("ambush_drm.csv").as_bytes());
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.expect("ambush_drm.csv is well formed");
        let drm = record[1].parse().unwrap_or_else(|_| panic!("no drm `{}`", &record[1]));
        (cell(&record, 0), drm, record[2].to_string())
    };
    reader.records().map(row).collect()
});

impl AmbushCause {
    /// Returns the drm of the cause and its rule, in the notation of the rulebook.
    pub fn drm(self) -> (i8, &'static str) {
        let row = AMBUSH.iter().find(|(cause, ..)| *cause == self);
        row.map_or((0, ""), |(_, drm, rule)| (*drm, rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Odds are rounded down to a column, as in the examples of 11.11.
    #[test]
    fn odds_are_rounded_down() {
        let table = [
            (12, 4, "3-1", 8),
            (7, 4, "3-2", 6),
            (11, 2, "4-1", 9),
            (4, 15, "1-4", 3),
            (3, 4, "1-2", 4),
            (1, 9, "<1-8", 0),
            (10, 1, "10-1", 12),
            (21, 2, ">10-1", 13),
        ];
        for (attack, defence, odds, kill) in table {
            let column = ColumnIndex::of_odds(attack, defence, Rulebook::default());
            assert_eq!(
                (column.odds(), column.kill_number(false)),
                (odds, kill),
                "{attack}:{defence}"
            );
            assert_eq!(column.kill_number(true), kill + 2);
        }
        let mut whole = Rulebook::default();
        whole.set("i110", "whole").unwrap();
        assert_eq!(ColumnIndex::of_odds(21, 2, whole).odds(), "10-1");
        assert_eq!(ColumnIndex::of_odds(11, 1, whole).odds(), ">10-1");
        assert_eq!(ColumnIndex::named("1-4").map(ColumnIndex::below_even), Some(2));
    }

    /// Every cause has a row of the table.
    #[test]
    fn every_cause_of_an_ambush_has_its_drm() {
        let drms = AmbushCause::ALL.map(|cause| cause.drm().0);
        assert_eq!(drms, [1, 1, 1, 1, 1, -1, -2]);
    }
}
