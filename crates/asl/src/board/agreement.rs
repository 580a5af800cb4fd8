//! A comparison of computed lines of sight with listed ones, at ground level.

use std::collections::HashMap;

use super::hex::Hex;
use super::map::{Location, Map};
use super::sight::LineOfSight;
use super::table::ListedLine;

/// Counts of pairs of hexes, by their lines of sight in the table and in the computation. The
/// methods return fractions from 0 to 1, or `None` if no pair is in the denominator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgreementCounts {
    /// The pairs that are clear in both.
    pub clear: u32,
    /// The pairs that are blocked in both.
    pub blocked: u32,
    /// The pairs that are clear in the table only.
    pub missed: u32,
    /// The pairs that are clear in the computation only.
    pub invented: u32,
    /// The pairs that are clear in both, with equal Hindrances.
    pub same_hindrance: u32,
}

fn share(part: u32, whole: u32) -> Option<f64> {
    (whole > 0).then(|| f64::from(part) / f64::from(whole))
}

impl AgreementCounts {
    /// Returns the number of pairs.
    pub const fn pairs(&self) -> u32 {
        self.clear + self.blocked + self.missed + self.invented
    }

    /// Returns the fraction of all pairs that are clear in both sources or blocked in both.
    pub fn agreement(&self) -> Option<f64> {
        share(self.clear + self.blocked, self.pairs())
    }

    /// Returns the fraction of the lines clear in the table that the computation finds clear.
    pub fn recall(&self) -> Option<f64> {
        share(self.clear, self.clear + self.missed)
    }

    /// Returns the fraction of the lines computed clear that are clear in the table.
    pub fn precision(&self) -> Option<f64> {
        share(self.clear, self.clear + self.invented)
    }

    /// Returns the fraction of the lines clear in both sources that have equal Hindrances.
    pub fn hindrance_agreement(&self) -> Option<f64> {
        share(self.same_hindrance, self.clear)
    }

    fn count(&mut self, listed: Option<u8>, computed: Option<u8>) {
        match (listed, computed) {
            (Some(_), Some(_)) => self.clear += 1,
            (None, None) => self.blocked += 1,
            (Some(_), None) => self.missed += 1,
            (None, Some(_)) => self.invented += 1,
        }
        self.same_hindrance += u32::from(listed.is_some() && listed == computed);
    }
}

/// A comparison of computed lines of sight with the lines of a table, by range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The counts for each range, indexed by the range in hexes.
    pub by_range: Vec<AgreementCounts>,
}

impl Agreement {
    /// Compares the lines between all pairs of different hexes with listed ones, except `left_out`.
    pub fn compare(
        map: &Map,
        listed: &[ListedLine],
        sight: &impl LineOfSight,
        left_out: impl Fn(Hex, Hex) -> bool,
    ) -> Agreement {
        let ordered = |a: Hex, b: Hex| (a.min(b), a.max(b));
        let lines: HashMap<(Hex, Hex), u8> =
            listed.iter().map(|&(a, b, hindrance)| (ordered(a, b), hindrance)).collect();
        let hexes: Vec<Hex> = map.hexes().collect();
        let mut agreement = Agreement::default();
        for (place, &a) in hexes.iter().enumerate() {
            for &b in hexes[place + 1..].iter().filter(|&&b| !left_out(a, b)) {
                let computed = sight.hindrance(map, Location::ground(a), Location::ground(b));
                let range = usize::from(a.range(b));
                if agreement.by_range.len() <= range {
                    agreement.by_range.resize(range + 1, AgreementCounts::default());
                }
                agreement.by_range[range].count(lines.get(&ordered(a, b)).copied(), computed);
            }
        }
        agreement
    }

    /// Returns the sum of the counts of all pairs up to a range in hexes.
    pub fn within(&self, range: u16) -> AgreementCounts {
        let within = &self.by_range[..self.by_range.len().min(usize::from(range) + 1)];
        let sum = |count: fn(&AgreementCounts) -> u32| within.iter().map(count).sum();
        AgreementCounts {
            clear: sum(|counts| counts.clear),
            blocked: sum(|counts| counts.blocked),
            missed: sum(|counts| counts.missed),
            invented: sum(|counts| counts.invented),
            same_hindrance: sum(|counts| counts.same_hindrance),
        }
    }

    /// Returns the sum of the counts of all pairs.
    pub fn total(&self) -> AgreementCounts {
        self.within(u16::MAX)
    }
}

/// Returns whether two hexes of a geomorphic board are both in row 0, or both in row 10 of odd
/// columns. Tables made from its artwork lack such lines, which run along its edge.
pub const fn along_edge(a: Hex, b: Hex) -> bool {
    let odd = a.column % 2 != 0 && b.column % 2 != 0;
    a.row == b.row && (a.row == 0 || a.row == 10 && odd)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::map::{HexContents, PlacedBoard};
    use crate::board::terrain::Terrain;

    /// A source of lines of sight that are clear between neighbours and blocked elsewhere.
    struct Neighbours;

    impl LineOfSight for Neighbours {
        fn hindrance(&self, _: &Map, from: Location, to: Location) -> Option<u8> {
            (from.hex.range(to.hex) <= 1).then_some(0)
        }
    }

    #[test]
    fn agreement_counts_pairs_by_range() {
        let hex = |row| Hex::new(1, row);
        let map = Map::new(
            vec![PlacedBoard::alone()],
            (1..=4).map(|row| (hex(row), HexContents::from_terrain(Terrain::open()))),
        );
        let listed = [(hex(1), hex(2), 0), (hex(3), hex(2), 1), (hex(2), hex(4), 0)];
        let agreement =
            Agreement::compare(&map, &listed, &Neighbours, |a, b| (a, b) == (hex(1), hex(4)));
        let total = agreement.total();
        assert_eq!(
            total,
            AgreementCounts { clear: 2, blocked: 1, missed: 1, invented: 1, same_hindrance: 1 }
        );
        assert_eq!((total.agreement(), total.hindrance_agreement()), (Some(0.6), Some(0.5)));
        assert_eq!((total.recall(), total.precision()), (Some(2.0 / 3.0), Some(2.0 / 3.0)));
        assert_eq!(
            agreement.by_range[2],
            AgreementCounts { blocked: 1, missed: 1, ..AgreementCounts::default() }
        );
        assert_eq!(agreement.within(1).recall(), Some(1.0));
        assert_eq!(agreement.within(0).agreement(), None);
    }

    #[test]
    fn lines_along_the_edge_of_a_board_are_found() {
        let along = |a: &str, b: &str| along_edge(Hex::parse(a).unwrap(), Hex::parse(b).unwrap());
        assert!(along("B0", "H0") && along("A10", "GG10"));
        assert!(!along("A10", "B10") && !along("B10", "C10"));
        assert!(!along("B10", "H10") && !along("B0", "C1") && !along("A9", "C9"));
    }
}
