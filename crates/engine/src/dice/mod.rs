//! Dice as the rulebooks use them (DR, dr, a die of a pool, d20), and the sources of rolls.

pub mod common;
pub mod script;
pub mod stream;

use std::fmt;

/// The dice of one roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dice {
    /// A DR (A.1): one coloured and one white die, 36 faces.
    Dr,
    /// A DR of which only the total counts: 36 faces with 11 totals.
    DrTotal,
    /// A dr (A.1): one die, 6 faces.
    One,
    /// One of several dice of 6 faces rolled together. Rolling them in turn has the same odds.
    OneOfPool,
    /// A die of 20 faces.
    D20,
    /// One of several dice of 20 faces that are rolled together.
    OneOfD20Pool,
}

/// The meaning of a code (one roll as a number from 0), common to all dice of one process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Base {
    /// A code is one of the 36 DR. A single die of 6 faces is its coloured die.
    #[default]
    Dr,
    /// A code is one of the 20 faces of a d20.
    D20,
}

impl Base {
    /// Returns the number of codes: 36 for DR, 20 for d20.
    pub const fn codes(self) -> u8 {
        match self {
            Base::Dr => 36,
            Base::D20 => 20,
        }
    }
}

const TOTALS: [(Face, u8); 11] = {
    let mut totals = [(Face(0), 0); 11];
    let mut place = 0;
    while place < 11 {
        let total = place as u8 + 2;
        let coloured = if total > 7 { total - 6 } else { 1 };
        totals[place] = (Face((coloured - 1) * 6 + total - coloured - 1), 6 - total.abs_diff(7));
        place += 1;
    }
    totals
};

impl Dice {
    /// Returns the number of equally likely faces.
    #[inline]
    pub const fn faces(self) -> u8 {
        match self {
            Dice::Dr | Dice::DrTotal => 36,
            Dice::One | Dice::OneOfPool => 6,
            Dice::D20 | Dice::OneOfD20Pool => 20,
        }
    }

    /// Returns the base of the codes from which these dice are read.
    pub const fn base(self) -> Base {
        match self {
            Dice::Dr | Dice::DrTotal | Dice::One | Dice::OneOfPool => Base::Dr,
            Dice::D20 | Dice::OneOfD20Pool => Base::D20,
        }
    }

    /// Returns whether the die is one of several that are rolled together.
    pub const fn is_of_pool(self) -> bool {
        matches!(self, Dice::OneOfPool | Dice::OneOfD20Pool)
    }

    /// Returns every face of these dice, in order.
    pub fn all(self) -> impl Iterator<Item = Face> {
        (0..self.faces()).map(Face)
    }

    /// Returns one face for each different result, with the number of faces that have this result.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_engine::dice::Dice;
    ///
    /// assert_eq!(Dice::DrTotal.distinct().count(), 11);
    /// assert_eq!(Dice::DrTotal.distinct().map(|(_, faces)| faces).sum::<u8>(), 36);
    /// ```
    #[inline]
    pub fn distinct(self) -> impl Iterator<Item = (Face, u8)> {
        let by_total = if self == Dice::DrTotal { &TOTALS[..] } else { &[] };
        let by_face = if self == Dice::DrTotal { 0 } else { self.faces() };
        by_total.iter().copied().chain((0..by_face).map(|face| (Face(face), 1)))
    }

    /// Returns the face of a single die that shows `number`; `None` if no face does.
    pub const fn face(self, number: u8) -> Option<Face> {
        if number >= 1 && number <= self.faces() { Some(Face(number - 1)) } else { None }
    }

    /// Returns the face of these dice for `code`, which must be below `Base::codes` of their base.
    #[inline]
    pub const fn face_of_code(self, code: u8) -> Face {
        Face(if self.faces() == 6 { code / 6 } else { code })
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dice::Dr | Dice::DrTotal => "DR",
            Dice::One => "dr",
            Dice::OneOfPool => "die of a pool",
            Dice::D20 => "d20",
            Dice::OneOfD20Pool => "d20 of a pool",
        })
    }
}

/// One face of some [`Dice`], as an index from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Face(u8);

impl Face {
    /// Returns the 0-based index of this face.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the number that this face of a single die shows: 1 to 6 for a dr, 1 to 20 for a d20.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }
}

/// An Original DR (A.1): two dice, told apart by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dr {
    coloured: u8,
    white: u8,
}

impl Dr {
    /// The 36 equally likely DR, ordered by the coloured die first.
    pub const ALL: [Dr; 36] = {
        let mut all = [Dr { coloured: 1, white: 1 }; 36];
        let mut face = 0;
        while face < 36 {
            all[face] = Dr { coloured: face as u8 / 6 + 1, white: face as u8 % 6 + 1 };
            face += 1;
        }
        all
    };

    /// Creates the DR with these pips; `None` unless both are 1 to 6.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_engine::dice::Dr;
    ///
    /// assert_eq!(Dr::new(3, 4).map(Dr::total), Some(7));
    /// assert_eq!(Dr::new(3, 7), None);
    /// ```
    pub const fn new(coloured: u8, white: u8) -> Option<Dr> {
        match (Dice::One.face(coloured), Dice::One.face(white)) {
            (Some(_), Some(_)) => Some(Dr { coloured, white }),
            _ => None,
        }
    }

    /// Converts a face of [`Dice::Dr`] to its DR.
    #[inline]
    pub const fn from_face(face: Face) -> Dr {
        Dr { coloured: face.0 / 6 + 1, white: face.0 % 6 + 1 }
    }

    /// Returns the face of [`Dice::Dr`] that shows this DR.
    pub const fn face(self) -> Face {
        Face((self.coloured - 1) * 6 + self.white - 1)
    }

    /// Returns the pips of the coloured die.
    pub const fn coloured(self) -> u8 {
        self.coloured
    }

    /// Returns the pips of the white die.
    pub const fn white(self) -> u8 {
        self.white
    }

    /// Returns the sum of both dice, the Original DR, from 2 to 12.
    #[inline]
    pub const fn total(self) -> u8 {
        self.coloured + self.white
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A.1: the weights of the totals 2 to 12 are 1 2 3 4 5 6 5 4 3 2 1.
    #[test]
    fn two_dice_totals_have_triangular_weights() {
        let weights: Vec<u8> = Dice::DrTotal.distinct().map(|(_, faces)| faces).collect();
        assert_eq!(weights, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
        for (place, dr) in Dr::ALL.iter().enumerate() {
            assert_eq!(dr.face().index(), place);
            assert_eq!(Dr::from_face(dr.face()), *dr);
            assert_eq!(Dr::new(dr.coloured(), dr.white()), Some(*dr));
        }
        assert_eq!(Dr::new(0, 3), None);
        assert_eq!(Dr::new(3, 7), None);
    }

    #[test]
    fn distinct_faces_cover_all_faces() {
        for dice in
            [Dice::Dr, Dice::DrTotal, Dice::One, Dice::OneOfPool, Dice::D20, Dice::OneOfD20Pool]
        {
            assert_eq!(
                dice.distinct().map(|(_, faces)| u32::from(faces)).sum::<u32>(),
                u32::from(dice.faces())
            );
        }
        let totals: Vec<(u8, u8)> = Dice::DrTotal
            .distinct()
            .map(|(face, faces)| (Dr::from_face(face).total(), faces))
            .collect();
        assert_eq!(totals, (2..=12).zip([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]).collect::<Vec<_>>());
    }

    #[test]
    fn every_dr_has_6_of_36_codes() {
        for dice in [Dice::One, Dice::OneOfPool] {
            let pips: Vec<u8> =
                (0..dice.base().codes()).map(|code| dice.face_of_code(code).number()).collect();
            for value in 1..=6 {
                assert_eq!(pips.iter().filter(|&&p| p == value).count(), 6);
            }
        }
    }

    #[test]
    fn every_d20_has_one_code() {
        for dice in [Dice::D20, Dice::OneOfD20Pool] {
            let numbers: Vec<u8> =
                (0..dice.base().codes()).map(|code| dice.face_of_code(code).number()).collect();
            assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
        }
    }
}
