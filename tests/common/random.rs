//! Random numbers of a fixed seed, and the number of random cases.
#![allow(dead_code)]

/// Returns the factor on the number of cases from `LOWCRAWL_CASES`, for longer runs; by default 1.
pub fn case_factor() -> u64 {
    std::env::var("LOWCRAWL_CASES").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// SplitMix64: <https://prng.di.unimi.it/splitmix64.c>.
pub struct Rng(pub u64);

impl Rng {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `end` - 1.
    pub fn below<N: TryFrom<u64> + TryInto<u64>>(&mut self, end: N) -> N {
        let end: u64 = end.try_into().ok().expect("a bound above 0");
        N::try_from(self.word() % end).ok().unwrap()
    }

    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below(high - low + 1)
    }

    pub fn one_in(&mut self, number: u64) -> bool {
        self.below(number) == 0
    }

    /// Returns true with a probability of `share` percent.
    pub fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }

    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }
}
