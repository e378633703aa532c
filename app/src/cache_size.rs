//! The memory of this node's caches: one number that the operator sets, and the share of each cache.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheSize(u64);

impl CacheSize {
    pub const DEFAULT_MEGABYTES: u32 = 256;

    #[must_use]
    pub const fn of_megabytes(megabytes: u32) -> Self {
        Self((megabytes as u64) << 20)
    }

    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.0
    }

    const fn sixteenths(self, parts: u64) -> u64 {
        self.0 / 16 * parts
    }

    #[must_use]
    pub const fn histories(self) -> u64 {
        self.sixteenths(6)
    }

    #[must_use]
    pub const fn reports(self) -> u64 {
        self.sixteenths(1)
    }

    #[must_use]
    pub const fn tiles(self) -> u64 {
        self.sixteenths(1)
    }

    #[must_use]
    pub const fn lists(self) -> u64 {
        self.sixteenths(2)
    }

    #[must_use]
    pub const fn pages(self) -> u64 {
        self.sixteenths(4)
    }

    #[must_use]
    pub const fn compressed(self) -> u64 {
        self.sixteenths(1)
    }

    #[must_use]
    pub const fn files(self) -> u64 {
        self.sixteenths(1)
    }
}

impl Default for CacheSize {
    fn default() -> Self {
        Self::of_megabytes(Self::DEFAULT_MEGABYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_are_the_whole() {
        let size = CacheSize::default();
        let drawn = [size.lists(), size.pages(), size.compressed(), size.files()];
        let shares = [size.histories(), size.reports(), size.tiles()].into_iter().chain(drawn);
        assert_eq!(shares.sum::<u64>(), size.bytes());
    }
}
