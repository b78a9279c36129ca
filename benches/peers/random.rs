//! Random numbers that are the same on every machine: SplitMix64, with integers only, since the last digit of a
//! floating-point power depends on the platform's library.

/// A seeded sequence.
pub struct Random(u64);

impl Random {
    /// The sequence that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, or 0 if there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        let wide = u128::from(self.number()) * limit as u128;
        (wide >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True `share` times in a hundred.
    pub fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    /// One of `choices`, which are not empty.
    pub fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }

    /// A length from `low` to `high`, with as many between 100 and 200 as between 1000 and 2000: texts are like that.
    pub fn length(&mut self, low: usize, high: usize) -> usize {
        let octaves = high.div_ceil(low).next_power_of_two().ilog2().max(1) as usize;
        let start = low << self.below(octaves);
        self.between(start, high.min(2 * start))
    }
}
