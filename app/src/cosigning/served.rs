//! Which checkpoint is shown to the world.
//!
//! Whoever reads `/checkpoint` with a policy of their own needs one that its witnesses have cosigned, and the newest never
//! has: it is some milliseconds old. So the newest checkpoint that satisfies this site's policy is shown, as long as it is
//! nearly the newest at all. When witnesses are away that ends, and the newest is shown with whatever it has: a log must
//! not look as if it stood still because somebody else does.

use std::time::Duration;

use ledger::{Moment, Tree};
use store::{SignedCheckpoint, Term};

/// How much older than the newest a witnessed checkpoint may be, to be shown in its place.
const BEHIND_MAX: Duration = Duration::from_secs(10);

/// A checkpoint that satisfies the policy, with the cosignatures that do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessedCheckpoint {
    /// As it was signed.
    pub signed: SignedCheckpoint,
    /// The note with its cosignatures.
    pub note: String,
}

impl WitnessedCheckpoint {
    /// Whether it is shown where the newest checkpoint is this one: of a term, of a tree, signed then.
    #[must_use]
    pub fn stands_for(&self, term: Term, tree: Tree, at: Moment) -> bool {
        let behind = micros(at).saturating_sub(micros(self.signed.at));
        self.signed.term == term && (self.signed.tree == tree || behind <= BEHIND_MAX.as_micros())
    }

    /// Its place among others: a later term, then more entries, say more.
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
    fn nearly_the_newest_is_shown_and_an_old_one_is_not() {
        let witnessed = WitnessedCheckpoint { signed: signed(0, 5, 100), note: String::new() };
        let stands = |newest: SignedCheckpoint| witnessed.stands_for(newest.term, newest.tree, newest.at);
        assert!(stands(signed(0, 9, 110)));
        assert!(!stands(signed(0, 9, 111)));
        assert!(stands(signed(0, 5, 100)));
        assert!(!stands(signed(1, 5, 100)), "another origin is another log");
    }
}
