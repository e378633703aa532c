//! The places of a match's entries in the log, as far as they are known, and the newest entry that a tree so holds.

use ledger::{CosignedAt, Entry, LeafIndex, Moment, Seq, TreeSize};

use super::{LogEvidence, SignedTree};

#[derive(Clone, Debug)]
pub(crate) struct EntryPlaces<'e> {
    entries: &'e [Entry],
    known: Vec<(Seq, LeafIndex)>,
}

impl<'e> EntryPlaces<'e> {
    pub(crate) const fn new(entries: &'e [Entry], known: Vec<(Seq, LeafIndex)>) -> Self {
        Self { entries, known }
    }

    /// The places that a bundle gives. One that is false fails by itself.
    pub(crate) fn of(entries: &'e [Entry], logged: Option<&LogEvidence>) -> Self {
        let known = logged.into_iter().flat_map(|logged| {
            let opened = logged.players.iter().map(|players| (Seq(0), players.opened));
            let seals = logged.seals.iter().map(|seal| (seal.entry, seal.index));
            seals.chain(opened).chain([(logged.entry, logged.index)])
        });
        Self::new(entries, known.collect())
    }

    /// The newest entry that the tree of this size holds for certain: those before an entry lie at least as far before
    /// it in the log as in the match.
    pub(crate) fn newest_in(&self, size: TreeSize) -> Option<&'e Entry> {
        let held = |(entry, index): &(Seq, LeafIndex)| {
            let outside = index.0.saturating_add(1).saturating_sub(size.0);
            u64::from(entry.0).checked_sub(outside)
        };
        let newest = self.known.iter().filter_map(held).max()?;
        self.entries.get(usize::try_from(newest).ok()?)
    }

    /// The entry that a tree holds although it was cosigned, or signed by a player, before it by more than clocks differ.
    pub(crate) fn later_than(&self, size: TreeSize, seconds: u64) -> Option<&'e Entry> {
        let second = |at: Moment| CosignedAt::from(at).seconds();
        let latest = seconds.saturating_add(CosignedAt::TOLERANCE_SECONDS);
        self.newest_in(size).filter(|newest| second(newest.at) > latest)
    }

    pub(crate) fn after_sent(&self, signed: &SignedTree) -> Option<&'e Entry> {
        self.later_than(signed.tree.size, CosignedAt::from(signed.came?).seconds())
    }
}
