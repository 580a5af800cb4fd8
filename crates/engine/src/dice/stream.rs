//! The seeded stream of rolls: nine unbiased DR from one 64-bit word of xoshiro256++.
//!
//! A word `w` is the fraction `w / 2^64`, its nine leading base-36 digits `floor(w * 36^9 / 2^64)`.
//! To make them uniform, words whose remainder falls below `2^64 mod 36^9` are rejected, one in
//! 300,000: Lemire, *Fast Random Integer Generation in an Interval*, 2019. Each digit is then one
//! multiplication: the high half of `36 * w` is the digit, the low half the fraction that remains.
//! Three digits are one digit of base 36^3, which a table of composed rolls uses as a whole. A
//! process of d20 reads the same words in base 20.
//!
//! **Sampler version 1.** A run is cut into chunks of [`CHUNK`] sequences. Chunk `i` has its own
//! stream, seeded from the mixed seed and `i`, and [`LANES`] lanes, to which the accepted words go
//! in turn. Lane `l` plays sequences `l`, `l + LANES`, `l + 2 LANES`, ... of the chunk, one DR code
//! a roll. Results depend on nothing else, so these constants are part of the version.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use super::{Base, Dice, Face};

/// The name of the scheme that turns a seed into rolls. Any change of the scheme gets a new name.
pub const SAMPLER: &str = "lowcrawl-1";
/// The number of sequences in one chunk, the part of a run that has its own random stream.
pub const CHUNK: u64 = 65_536;
/// The number of lanes of a chunk: series of sequences played side by side, each with its own dice.
pub const LANES: usize = 4;
/// The number of codes in one accepted word. A code is one roll as a number from 0: 0..36 for a DR.
pub const CODES_PER_WORD: u32 = 9;

/// Returns the number of values that the codes of one word can take: 36^9 for DR.
const fn words(base: Base) -> u64 {
    (base.codes() as u64).pow(CODES_PER_WORD)
}

const fn reject_below(base: Base) -> u64 {
    (u64::MAX % words(base) + 1) % words(base)
}

pub(super) fn mixed(seed: u64, number: u64) -> u64 {
    let mixed = SplitMix64::seed_from_u64(seed).next_u64();
    SplitMix64::seed_from_u64(mixed.wrapping_add(number)).next_u64()
}

/// The random words of one chunk, without those that would bias the dice.
#[derive(Clone, Debug)]
pub struct ChunkStream {
    generator: Xoshiro256PlusPlus,
    words: u64,
    reject_below: u64,
}

impl ChunkStream {
    /// Creates the stream of the 0-based chunk `chunk` under `seed`, for codes of `base`.
    pub fn new(base: Base, seed: u64, chunk: u64) -> Self {
        ChunkStream {
            generator: Xoshiro256PlusPlus::seed_from_u64(mixed(seed, chunk)),
            words: words(base),
            reject_below: reject_below(base),
        }
    }

    /// Returns the next word, which holds nine unbiased codes (see [`next_code`]).
    #[inline]
    pub fn next_word(&mut self) -> u64 {
        loop {
            let word = self.generator.next_u64();
            if word.wrapping_mul(self.words) >= self.reject_below {
                return word;
            }
        }
    }
}

/// Takes the leading code (one roll, numbered from 0) off a word.
#[inline(always)]
pub fn next_code(base: Base, word: &mut u64) -> usize {
    next_digit(base.codes().into(), word)
}

/// Takes the leading digit of a base off a word. A base-36^k digit is k DR codes, in order.
#[inline(always)]
pub fn next_digit(base: u64, word: &mut u64) -> usize {
    let product = u128::from(*word) * u128::from(base);
    *word = product as u64;
    (product >> 64) as usize
}

/// The dice of one of the `OF` lanes of a chunk: the rolls of a series of sequences, in order.
#[derive(Clone, Debug)]
pub struct DiceLane<const OF: usize = LANES> {
    base: Base,
    stream: ChunkStream,
    lane: usize,
    word: u64,
    left: u32,
}

impl DiceLane {
    /// Creates the dice of the 0-based `lane` of chunk `chunk` under `seed`, for dice of `base`.
    ///
    /// # Panics
    ///
    /// Panics if `lane` is not below [`LANES`].
    pub fn new(base: Base, seed: u64, chunk: u64, lane: usize) -> Self {
        assert!(lane < LANES, "a chunk has {LANES} lanes");
        DiceLane { base, stream: ChunkStream::new(base, seed, chunk), lane, word: 0, left: 0 }
    }
}

impl DiceLane<1> {
    /// Creates the dice of a whole chunk, as the only lane of it.
    pub fn undivided(base: Base, seed: u64, chunk: u64) -> Self {
        DiceLane { base, stream: ChunkStream::new(base, seed, chunk), lane: 0, word: 0, left: 0 }
    }
}

impl<const OF: usize> DiceLane<OF> {
    /// Returns the next roll as a code, from 0 to below the number of codes of the base.
    #[inline]
    pub fn next_code(&mut self) -> u8 {
        if self.left == 0 {
            for lane in 0..OF {
                let word = self.stream.next_word();
                if lane == self.lane {
                    self.word = word;
                }
            }
            self.left = CODES_PER_WORD;
        }
        self.left -= 1;
        next_code(self.base, &mut self.word) as u8
    }

    /// Rolls `dice`.
    ///
    /// # Panics
    ///
    /// Debug builds panic if `dice` are not of the base of this lane.
    #[inline]
    pub fn roll(&mut self, dice: Dice) -> Face {
        debug_assert_eq!(dice.base(), self.base);
        dice.face_of_code(self.next_code())
    }
}

/// Returns the number of sequences that `lane` (0-based) plays in a chunk of `sequences`.
pub const fn lane_quota(sequences: u64, lane: usize) -> u64 {
    (sequences + LANES as u64 - 1 - lane as u64) / LANES as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These values define sampler version 1 and never change.
    #[test]
    fn sampler_keeps_its_values() {
        let mut lane = DiceLane::new(Base::Dr, 36, 0, 0);
        let codes: Vec<u8> = (0..24).map(|_| lane.next_code()).collect();
        assert_eq!(codes, PINNED_LANE_0);
        let mut lane = DiceLane::new(Base::Dr, 36, 1, 3);
        let codes: Vec<u8> = (0..12).map(|_| lane.next_code()).collect();
        assert_eq!(codes, PINNED_CHUNK_1_LANE_3);
        let mut lane = DiceLane::new(Base::D20, 36, 0, 0);
        let codes: Vec<u8> = (0..12).map(|_| lane.next_code()).collect();
        assert_eq!(codes, PINNED_D20);
    }

    const PINNED_LANE_0: [u8; 24] =
        [25, 26, 29, 30, 13, 24, 33, 30, 14, 12, 20, 14, 7, 13, 9, 0, 1, 8, 6, 1, 32, 10, 11, 26];
    const PINNED_CHUNK_1_LANE_3: [u8; 12] = [27, 33, 11, 10, 35, 27, 5, 2, 28, 9, 23, 5];
    /// These codes were computed by a separate program from the published algorithms.
    const PINNED_D20: [u8; 12] = [14, 6, 1, 3, 6, 13, 3, 17, 15, 6, 19, 12];

    #[test]
    fn codes_are_the_digits_of_the_scaled_word() {
        for base in [Base::Dr, Base::D20] {
            let mut stream = ChunkStream::new(base, 1, 2);
            for _ in 0..1000 {
                let word = stream.next_word();
                let mut scaled = (u128::from(word) * u128::from(words(base))) >> 64;
                let mut digits: Vec<usize> = Vec::new();
                for _ in 0..CODES_PER_WORD {
                    digits.push((scaled % u128::from(base.codes())) as usize);
                    scaled /= u128::from(base.codes());
                }
                digits.reverse();
                let mut rest = word;
                let codes: Vec<usize> =
                    (0..CODES_PER_WORD).map(|_| next_code(base, &mut rest)).collect();
                assert_eq!(codes, digits);
            }
        }
    }

    /// Rejection leaves exactly `floor(2^64 / 36^9)` words for each value of nine DR codes.
    #[test]
    fn rejection_gives_every_code_equally_many_words() {
        let (codes, rejected) = (words(Base::Dr), reject_below(Base::Dr));
        let words_per_code = (1u128 << 64) / u128::from(codes);
        for code in [0u128, 1, 35, u128::from(codes) / 2, u128::from(codes) - 1] {
            let first = (code << 64).div_ceil(u128::from(codes));
            let last = (((code + 1) << 64) - 1) / u128::from(codes);
            let accepted =
                (first..=last).filter(|&w| (w as u64).wrapping_mul(codes) >= rejected).count();
            assert_eq!(accepted as u128, words_per_code);
        }
        for base in [Base::Dr, Base::D20] {
            assert_eq!(u128::from(reject_below(base)), (1u128 << 64) % u128::from(words(base)));
        }
    }

    #[test]
    fn lane_quotas_sum_to_all_sequences() {
        for sequences in [1, 7, 8, 9, 1000, CHUNK] {
            assert_eq!((0..LANES).map(|lane| lane_quota(sequences, lane)).sum::<u64>(), sequences);
        }
        assert_eq!(lane_quota(9, 0), 3);
        assert_eq!(lane_quota(9, 1), 2);
    }
}
