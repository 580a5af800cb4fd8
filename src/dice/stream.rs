//! The seeded roll stream: nine unbiased DR from one 64-bit word of xoshiro256++.
//!
//! A word `w` is read as the fraction `w / 2^64`. Its nine leading base-36 digits are `floor(w * 36^9 / 2^64)`; they are
//! uniform once the few words whose remainder falls below `2^64 mod 36^9` are rejected (Lemire, *Fast Random Integer
//! Generation in an Interval*, 2019), about one word in 300,000. Each digit is then one multiplication: the high half of
//! `36 * w` is the digit, the low half the fraction that remains. Nine codes are three base-36^3 digits, which the walk of a
//! composed table takes off whole.
//!
//! **Sampler version 1.** A run is cut into chunks of [`CHUNK`] sequences. Chunk `i` has a stream of its own, seeded from the
//! mixed seed and `i`; its accepted words are dealt in turn to [`LANES`] lanes, and lane `l` plays sequences `l`, `l + LANES`,
//! `l + 2 LANES`, ... of the chunk, one DR code a roll. Results depend on nothing else, so these constants are part of the version.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use super::{Dice, Face};

/// Name of the scheme that turns a seed into rolls; a change of any constant here is a new name.
pub const SAMPLER: &str = "lowcrawl-1";
/// Sequences in one chunk.
pub const CHUNK: u64 = 65_536;
/// Lanes of a chunk, each with dice of its own.
pub const LANES: usize = 4;
/// DR codes in one accepted word.
pub const CODES_PER_WORD: u32 = 9;

const CODES: u64 = 36u64.pow(CODES_PER_WORD);
/// `2^64 mod 36^9`.
const REJECT_BELOW: u64 = (u64::MAX % CODES + 1) % CODES;

/// The accepted words of one chunk.
#[derive(Clone, Debug)]
pub struct ChunkStream {
    generator: Xoshiro256PlusPlus,
}

impl ChunkStream {
    /// The stream of chunk `chunk` under `seed`.
    pub fn new(seed: u64, chunk: u64) -> Self {
        let mixed = SplitMix64::seed_from_u64(seed).next_u64();
        let own = SplitMix64::seed_from_u64(mixed.wrapping_add(chunk)).next_u64();
        ChunkStream { generator: Xoshiro256PlusPlus::seed_from_u64(own) }
    }

    /// The next word that holds nine unbiased DR codes, as a fraction (see [`next_code`]).
    #[inline]
    pub fn next_word(&mut self) -> u64 {
        loop {
            let word = self.generator.next_u64();
            if word.wrapping_mul(CODES) >= REJECT_BELOW {
                return word;
            }
        }
    }
}

/// Takes the leading DR code (`0..36`) off a word and leaves the remaining fraction in it.
#[inline(always)]
pub fn next_code(word: &mut u64) -> usize {
    next_digit::<36>(word)
}

/// Takes the leading base-`BASE` digit off a word: for 36^k, k DR codes at once, the first roll first.
#[inline(always)]
pub fn next_digit<const BASE: u64>(word: &mut u64) -> usize {
    let product = u128::from(*word) * u128::from(BASE);
    *word = product as u64;
    (product >> 64) as usize
}

/// One lane of a chunk: the rolls of its sequences, in order.
#[derive(Clone, Debug)]
pub struct Lane {
    stream: ChunkStream,
    lane: usize,
    word: u64,
    left: u32,
}

impl Lane {
    /// Lane `lane` (below [`LANES`]) of chunk `chunk` under `seed`.
    pub fn new(seed: u64, chunk: u64, lane: usize) -> Self {
        assert!(lane < LANES, "a chunk has {LANES} lanes");
        Lane { stream: ChunkStream::new(seed, chunk), lane, word: 0, left: 0 }
    }

    /// The dice of one stratum of a stratified run: a lane of a chunk that no plain run reaches.
    pub fn of_stratum(seed: u64, stratum: u64) -> Self {
        Lane::new(seed, (1 << 63) + stratum, 0)
    }

    /// The next DR code, `0..36`.
    #[inline]
    pub fn next_code(&mut self) -> u8 {
        if self.left == 0 {
            for lane in 0..LANES {
                let word = self.stream.next_word();
                if lane == self.lane {
                    self.word = word;
                }
            }
            self.left = CODES_PER_WORD;
        }
        self.left -= 1;
        next_code(&mut self.word) as u8
    }

    /// The next roll of `dice`.
    #[inline]
    pub fn roll(&mut self, dice: Dice) -> Face {
        dice.face_of_code(self.next_code())
    }
}

/// Sequences of a chunk of `sequences` that fall to `lane`.
pub const fn lane_quota(sequences: u64, lane: usize) -> u64 {
    (sequences + LANES as u64 - 1 - lane as u64) / LANES as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contract of sampler version 1: these values never change.
    #[test]
    fn pinned_values() {
        let mut lane = Lane::new(36, 0, 0);
        let codes: Vec<u8> = (0..24).map(|_| lane.next_code()).collect();
        assert_eq!(codes, PINNED_LANE_0);
        let mut lane = Lane::new(36, 1, 3);
        let codes: Vec<u8> = (0..12).map(|_| lane.next_code()).collect();
        assert_eq!(codes, PINNED_CHUNK_1_LANE_3);
    }

    const PINNED_LANE_0: [u8; 24] = [25, 26, 29, 30, 13, 24, 33, 30, 14, 12, 20, 14, 7, 13, 9, 0, 1, 8, 6, 1, 32, 10, 11, 26];
    const PINNED_CHUNK_1_LANE_3: [u8; 12] = [27, 33, 11, 10, 35, 27, 5, 2, 28, 9, 23, 5];

    #[test]
    fn a_word_yields_the_digits_of_the_scaled_fraction() {
        let mut stream = ChunkStream::new(1, 2);
        for _ in 0..1000 {
            let word = stream.next_word();
            let mut scaled = (u128::from(word) * u128::from(CODES)) >> 64;
            let mut digits: Vec<usize> = Vec::new();
            for _ in 0..CODES_PER_WORD {
                digits.push((scaled % 36) as usize);
                scaled /= 36;
            }
            digits.reverse();
            let mut rest = word;
            let codes: Vec<usize> = (0..CODES_PER_WORD).map(|_| next_code(&mut rest)).collect();
            assert_eq!(codes, digits);
        }
    }

    /// Accepted words fall evenly on the 36^9 codes: each code keeps `floor(2^64 / 36^9)` words, none more.
    #[test]
    fn rejection_leaves_every_code_the_same_number_of_words() {
        assert_eq!(u128::from(REJECT_BELOW), (1u128 << 64) % u128::from(CODES));
        let words_per_code = (1u128 << 64) / u128::from(CODES);
        for code in [0u128, 1, 35, u128::from(CODES) / 2, u128::from(CODES) - 1] {
            let first = (code << 64).div_ceil(u128::from(CODES));
            let last = (((code + 1) << 64) - 1) / u128::from(CODES);
            let accepted = (first..=last).filter(|&w| (w as u64).wrapping_mul(CODES) >= REJECT_BELOW).count();
            assert_eq!(accepted as u128, words_per_code);
        }
    }

    #[test]
    fn lanes_share_out_every_sequence() {
        for sequences in [1, 7, 8, 9, 1000, CHUNK] {
            assert_eq!((0..LANES).map(|lane| lane_quota(sequences, lane)).sum::<u64>(), sequences);
        }
        assert_eq!(lane_quota(9, 0), 3);
        assert_eq!(lane_quota(9, 1), 2);
    }
}
