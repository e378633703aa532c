//! Random numbers from a seed: xorshift64*, so that the archive is the same everywhere.

pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        let mut chance = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        chance.next();
        chance
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32
    }

    /// Below `n`, near enough to evenly for a game.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        (self.next() % u64::from(n.max(1))) as u32
    }

    /// True this many times in a thousand.
    pub(crate) fn thousandths(&mut self, often: u32) -> bool {
        self.below(1000) < often
    }

    /// An index, each as likely as its weight; none if all weights are 0.
    pub(crate) fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let mut left = self.below(weights.iter().sum::<u32>().max(1));
        weights.iter().position(|weight| {
            let here = left < *weight;
            left = left.saturating_sub(*weight);
            here
        })
    }
}
