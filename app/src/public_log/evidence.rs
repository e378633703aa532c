//! The evidence of a match in the log, for its bundle: the last checkpoint, the trees that its entries name, and the places
//! of its seals.

use std::collections::BTreeSet;

use ledger::{Checkpoint, ConsistencyProof, Entry, InclusionProof, LeafIndex, Note, Seq, Subtree, Tree, TreeSize};
use record::{LogEvidence, SealProof, TreeMentions, TreeProof};
use store::Stored;

use super::PublicLog;
use crate::error::AppError;

impl PublicLog {
    /// The evidence for these entries of a match. It waits for a checkpoint that is due. None if no signed checkpoint covers
    /// any of them, or a checkpoint cannot be read.
    pub(crate) async fn logged(&self, stored: &[Stored]) -> Result<Option<LogEvidence>, AppError> {
        let places: Vec<LeafIndex> = stored.iter().map(|entry| entry.index).collect();
        let Some(last) = places.last() else { return Ok(None) };
        let covering = self.signer.covering(last.covered_by()).await.ok();
        let Some(signed) = covering.or_else(|| self.signer.latest()) else { return Ok(None) };
        let covers = |(_, tree): &(Note, Tree)| tree.size >= last.covered_by();
        // The checkpoint that satisfies the policy, if it covers everything.
        let newest = match read(&self.satisfying_checkpoint(&signed).await?).filter(covers) {
            Some(shown) => Some(shown),
            None => read(&self.cosigned(&signed).await?),
        };
        let Some((checkpoint, newest)) = newest else { return Ok(None) };
        let within = |place: &&LeafIndex| place.covered_by() <= newest.size;
        let Some((entry, index)) = places.iter().enumerate().rev().find(|(_, place)| within(place)) else {
            return Ok(None);
        };
        let entries: Vec<Entry> = stored.iter().filter_map(|entry| Entry::read(&entry.bytes).ok()).collect();
        let named = TreeMentions::of(&entries);
        let covered = named.covered.iter().map(|(entry, covered)| (*entry, covered.tree.size));
        let covered = covered.filter(|(_, size)| *size <= newest.size);
        let place = |entry: Seq| places.get(usize::try_from(entry.0).ok()?).copied();
        let seals: Vec<(Seq, LeafIndex, TreeSize)> =
            covered.filter_map(|(entry, size)| Some((entry, place(entry)?, size))).collect();
        let sizes: BTreeSet<TreeSize> = named.trees.iter().map(|naming| naming.tree.size).collect();
        let sizes: Vec<TreeSize> = sizes.into_iter().filter(|size| *size < newest.size).collect();

        let mut needed = InclusionProof::subtrees(*index, newest.size).unwrap_or_default();
        for (_, index, size) in &seals {
            needed.extend(InclusionProof::subtrees(*index, *size).unwrap_or_default());
        }
        for size in &sizes {
            needed.extend(ConsistencyProof::subtrees(*size, newest.size).unwrap_or_default());
            needed.extend(ledger::proof::subtrees_of_root(*size));
        }
        let hashes = self.logs.record().hashes(&needed).await?;
        let source = |subtree: Subtree| hashes.get(&subtree).copied();

        let Ok(inclusion) = InclusionProof::prove(*index, newest.size, &source) else { return Ok(None) };
        let checkpoints = self.logs.record().checkpoints_at(&sizes).await?;
        let mut cosignatures = self.logs.record().cosignature_lines(&sizes).await?;
        let trees = sizes.into_iter().filter_map(|size| {
            let tree = Tree { size, root: ledger::proof::root(size, &source).ok()? };
            // A term begins with the last tree of the one before, under which witnesses had seen it.
            let signed = checkpoints.iter().find(|signed| signed.tree == tree);
            let checkpoint = signed.and_then(|signed| {
                let lines = cosignatures.remove(&(signed.term, size)).unwrap_or_default();
                lines.iter().fold(signed.note.clone(), |note, line| note + line + "\n").parse().ok()
            });
            Some(TreeProof { tree, checkpoint, consistency: ConsistencyProof::prove(size, newest.size, &source).ok()? })
        });
        let seals = seals.into_iter().filter_map(|(entry, index, size)| {
            let inclusion = InclusionProof::prove(index, size, &source).ok()?;
            Some(SealProof { entry, index, size, inclusion })
        });
        let terms = self.signer.terms().iter().filter(|known| known.term <= signed.term);
        let keys = terms.map(|known| known.key.clone()).collect();
        let entry = Seq(u32::try_from(entry).unwrap_or(u32::MAX));
        let (trees, seals) = (trees.collect(), seals.collect());
        Ok(Some(LogEvidence { keys, checkpoint, entry, index: *index, inclusion, trees, seals, players: None }))
    }

    /// The policy of this site for its own log, as text. Without a policy file it is the log's keys, and no witness.
    #[must_use]
    pub fn policy_text(&self) -> String {
        let others = self.cosigning().map_or("quorum none\n", |cosigning| cosigning.policy().others());
        self.signer.terms().policy() + others
    }
}

fn read(note: &str) -> Option<(Note, Tree)> {
    let note: Note = note.parse().ok()?;
    let tree = Checkpoint::read(note.text()).ok()?.tree();
    Some((note, tree))
}
