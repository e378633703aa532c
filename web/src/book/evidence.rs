//! What shows a match in the log, gathered for its bundle: the last checkpoint, the trees that its entries name, and the
//! places of its seals.

use std::collections::{BTreeMap, BTreeSet};

use ledger::{
    Checkpoint, ConsistencyProof, Entry, InclusionProof, LeafIndex, MatchId, Note, Seq, Subtree, Tree, TreeSize,
};
use record::body::Body;
use record::{Logged, NamedTree, SealPlace};

use super::{Book, BookError};

/// What the entries of a match say of the log.
#[derive(Debug, Default)]
struct Named {
    /// Every size of a tree.
    sizes: BTreeSet<TreeSize>,
    /// Every seal that counted, with the size of the tree that its `resolved` names.
    seals: BTreeMap<u32, TreeSize>,
}

impl Book {
    /// What shows the match in the log. A checkpoint that is due is waited for; none where the log has signed nothing that
    /// covers an entry of it, or what it has signed does not read.
    pub(super) async fn logged(&self, match_id: MatchId, lines: &[Vec<u8>]) -> Result<Option<Logged>, BookError> {
        let places = self.store.indexes(match_id).await?;
        let Some(last) = places.last() else { return Ok(None) };
        let covering = self.signer.covering(last.covered_by()).await.ok();
        let Some(signed) = covering.or_else(|| self.signer.latest()) else { return Ok(None) };
        let Ok(checkpoint) = self.cosigned(&signed).await?.parse::<Note>() else { return Ok(None) };
        let Ok(newest) = Checkpoint::read(checkpoint.text()).map(|checkpoint| checkpoint.tree()) else {
            return Ok(None);
        };
        let within = |place: &&LeafIndex| place.covered_by() <= newest.size;
        let Some((entry, index)) = places.iter().enumerate().rev().find(|(_, place)| within(place)) else {
            return Ok(None);
        };
        let named = Named::of(lines);
        let seals: Vec<(u32, LeafIndex, TreeSize)> = named
            .seals
            .into_iter()
            .filter(|(_, size)| *size <= newest.size)
            .filter_map(|(entry, size)| Some((entry, *places.get(usize::try_from(entry).ok()?)?, size)))
            .collect();
        let sizes: Vec<TreeSize> = named.sizes.into_iter().filter(|size| *size < newest.size).collect();

        let mut needed = InclusionProof::subtrees(*index, newest.size).unwrap_or_default();
        for (_, index, size) in &seals {
            needed.extend(InclusionProof::subtrees(*index, *size).unwrap_or_default());
        }
        for size in &sizes {
            needed.extend(ConsistencyProof::subtrees(*size, newest.size).unwrap_or_default());
            needed.extend(ledger::proof::subtrees_of_root(*size));
        }
        let hashes = self.store.hashes(&needed).await?;
        let source = |subtree: Subtree| hashes.get(&subtree).copied();

        let Ok(inclusion) = InclusionProof::prove(*index, newest.size, &source) else { return Ok(None) };
        let mut checkpoints = self.store.checkpoints_at(&sizes).await?;
        let trees = sizes.into_iter().filter_map(|size| {
            let tree = Tree { size, root: ledger::proof::root(size, &source).ok()? };
            let signed = checkpoints.remove(&size).filter(|signed| signed.tree == tree);
            let checkpoint = signed.and_then(|signed| signed.note.parse().ok());
            Some(NamedTree { tree, checkpoint, consistency: ConsistencyProof::prove(size, newest.size, &source).ok()? })
        });
        let seals = seals.into_iter().filter_map(|(entry, index, size)| {
            let inclusion = InclusionProof::prove(index, size, &source).ok()?;
            Some(SealPlace { entry: Seq(entry), index, size, inclusion })
        });
        let mut keys = vec![self.signer.verifier(self.origin())];
        let later = self.store.successions().await?.into_iter().filter(|succession| succession.term <= signed.term);
        keys.extend(later.map(|succession| self.signer.verifier(&succession.origin)));
        let entry = Seq(u32::try_from(entry).unwrap_or(u32::MAX));
        let (trees, seals) = (trees.collect(), seals.collect());
        Ok(Some(Logged { keys, checkpoint, entry, index: *index, inclusion, trees, seals }))
    }

    /// The policy by which this site judges its own log, as text. Without a policy of its own: the log's key, and no witness.
    #[must_use]
    pub fn policy_text(&self) -> String {
        format!("log {}\nquorum none\n", self.signer.verifier(&self.signer.origin()))
    }
}

impl Named {
    fn of(lines: &[Vec<u8>]) -> Self {
        let mut named = Self::default();
        for entry in lines.iter().filter_map(|line| Entry::read(line).ok()) {
            match Body::read(&entry) {
                Ok(Body::Resolved(body)) => {
                    let size = TreeSize(body.tree.size);
                    named.sizes.insert(size);
                    named
                        .seals
                        .extend([body.counted.p1, body.counted.p2].into_iter().flatten().map(|seal| (seal, size)));
                }
                Ok(Body::Sealed(body)) => {
                    named.sizes.extend(body.signature.map(|signature| TreeSize(signature.tree.size)));
                }
                _ => {}
            }
        }
        named.sizes.remove(&TreeSize(0));
        named
    }
}
