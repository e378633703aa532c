//! Numbers that are drawn elsewhere. The engine never draws: the caller brings the stream of a deal.

/// A source of numbers, each of 64 bits equally likely, such as the draw streams of `docs/record-format.md`.
pub trait Stream {
    /// The next number.
    fn word(&mut self) -> u64;

    /// A number below `n`, each equally likely: a word at or above the largest multiple of `n` is thrown away. 0 for an
    /// `n` of 0.
    fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        // The words from 2^64 - 2^64 mod n on would make the small remainders likelier.
        let spare = (u64::MAX % n + 1) % n;
        loop {
            let word = self.word();
            if word <= u64::MAX - spare {
                return word % n;
            }
        }
    }

    /// Shuffles a list so that each order is equally likely: for i from the last place to 1, i swaps with a place below
    /// i + 1.
    fn shuffle<T>(&mut self, list: &mut [T])
    where
        Self: Sized,
    {
        for at in (1..list.len()).rev() {
            let with = self.below(at as u64 + 1);
            list.swap(at, usize::try_from(with).unwrap_or(at));
        }
    }
}

/// The same numbers from the same seed everywhere, by SplitMix64 (Steele, Lea, Flood 2014): for examples, measurements
/// and tests. Anybody can foresee them, so a host never draws with them.
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl Stream for SplitMix64 {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl<S: Stream + ?Sized> Stream for &mut S {
    fn word(&mut self) -> u64 {
        (**self).word()
    }
}

impl Stream for dyn FnMut() -> u64 + '_ {
    fn word(&mut self) -> u64 {
        self()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Given<'w>(&'w [u64]);

    impl Stream for Given<'_> {
        fn word(&mut self) -> u64 {
            let (first, rest) = self.0.split_first().unwrap();
            self.0 = rest;
            *first
        }
    }

    #[test]
    fn a_word_that_would_tip_the_scales_is_thrown_away() {
        assert_eq!(Given(&[u64::MAX, 7]).below(3), 1, "2^64 is 1 mod 3: one word too many");
        assert_eq!(Given(&[u64::MAX - 1]).below(3), 2);
        assert_eq!(Given(&[u64::MAX]).below(4), 3, "4 divides 2^64: every word counts");
        assert_eq!(Given(&[u64::MAX]).below(1), 0);
        assert_eq!(Given(&[]).below(0), 0);
    }

    #[test]
    fn a_shuffle_swaps_from_the_last_place_on() {
        let mut list = ['a', 'b', 'c', 'd'];
        Given(&[0, 1, 1]).shuffle(&mut list);
        assert_eq!(list, ['d', 'c', 'b', 'a']);
    }
}
