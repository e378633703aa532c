//! The writer's memory of the matches it appended to lately.

use std::collections::HashMap;

use ledger::{Head, MatchId, Moment};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tip {
    pub(super) head: Head,
    pub(super) at: Moment,
}

impl Tip {
    pub(super) const GENESIS: Self = Self { head: Head::GENESIS, at: Moment::MIN };
}

/// A bounded memory in two generations. When the young one is full it becomes the old one, and old items that were not
/// used since are dropped. Dropped items are read from the database again.
#[derive(Debug)]
pub(super) struct Tips {
    generation: usize,
    young: HashMap<MatchId, Tip>,
    old: HashMap<MatchId, Tip>,
}

impl Tips {
    /// A memory of at least `generation` matches and at most twice as many.
    pub(super) fn new(generation: usize) -> Self {
        Self { generation, young: HashMap::new(), old: HashMap::new() }
    }

    pub(super) fn emptied(&self) -> Self {
        Self::new(self.generation)
    }

    pub(super) fn get(&mut self, match_id: MatchId) -> Option<Tip> {
        if let Some(tip) = self.young.get(&match_id) {
            return Some(*tip);
        }
        let tip = self.old.remove(&match_id)?;
        self.learn(match_id, tip);
        Some(tip)
    }

    pub(super) fn learn(&mut self, match_id: MatchId, tip: Tip) {
        if self.young.len() >= self.generation {
            self.old = std::mem::take(&mut self.young);
        }
        self.old.remove(&match_id);
        self.young.insert(match_id, tip);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger::{Hash, Seq};

    #[test]
    fn remembers_the_latest_and_stays_bounded() {
        let mut tips = Tips::new(4);
        let id = |n: u128| MatchId(uuid::Uuid::from_u128(n));
        let tip = |n: u32| Tip { head: Head { next: Seq(n), leaf: Hash::ZERO }, at: Moment::MIN };
        for n in 0..100u32 {
            tips.learn(id(7), tip(n));
            tips.learn(id(u128::from(n) + 1000), tip(1));
            assert_eq!(tips.get(id(7)), Some(tip(n)));
            assert!(tips.young.len() + tips.old.len() <= 8);
        }
        assert_eq!(tips.get(id(1000)), None);
        assert_eq!(tips.get(id(1099)), Some(tip(1)));
    }
}
