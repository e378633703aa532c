//! The choice of the published checkpoint.
//!
//! A reader of `/checkpoint` with a policy needs a checkpoint that its witnesses have cosigned, and the newest never
//! is: it is some milliseconds old. So the newest checkpoint that satisfies this site's policy is published, as long as
//! it is young. If witnesses are unreachable, the newest is published with the cosignatures that it has: a log must not
//! seem to stand still because its witnesses do.

use std::time::Duration;

use ledger::{CosignedAt, Moment, Tree};
use store::{SignedCheckpoint, Term};

const AGE_MAX: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessedCheckpoint {
    pub signed: SignedCheckpoint,
    pub note: String,
    pub reached: Option<CosignedAt>,
}

impl WitnessedCheckpoint {
    #[must_use]
    pub fn stands_for(&self, term: Term, tree: Tree, now: Moment) -> bool {
        let age = micros(now).saturating_sub(micros(self.signed.at));
        self.signed.term == term && (self.signed.tree == tree || age <= AGE_MAX.as_micros())
    }

    pub(super) fn place(&self) -> (Term, u64) {
        (self.signed.term, self.signed.tree.size.0)
    }
}

fn micros(moment: Moment) -> u128 {
    u128::from(moment.micros().unsigned_abs())
}

#[cfg(test)]
mod tests {
    use ledger::{Hash, TreeSize};

    use super::*;

    fn signed(term: u16, size: u64, seconds: i64) -> SignedCheckpoint {
        let tree = Tree { size: TreeSize(size), root: Hash::new([size as u8; 32]) };
        let at = Moment::from_micros(seconds * 1_000_000).unwrap();
        SignedCheckpoint { term: Term(term), tree, note: String::new(), at }
    }

    #[test]
    fn a_young_one_is_shown_and_an_old_one_is_not() {
        let witnessed = WitnessedCheckpoint { signed: signed(0, 5, 100), note: String::new(), reached: None };
        let stands = |newest: SignedCheckpoint| witnessed.stands_for(newest.term, newest.tree, newest.at);
        assert!(stands(signed(0, 9, 110)));
        assert!(!stands(signed(0, 9, 111)));
        assert!(stands(signed(0, 5, 100)));
        assert!(!stands(signed(1, 5, 100)), "another origin is another log");
    }
}
