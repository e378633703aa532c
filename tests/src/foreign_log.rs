//! Another operator's log, in memory: it signs whatever the test wants, also invalid trees.

use ledger::checkpoint::Checkpoint;
use ledger::{ConsistencyProof, Frontier, Hash, Note, OriginLine, SignerKey, Subtree, Tree, TreeSize, leaf_hash};

/// Leaves and a key.
pub(crate) struct ForeignLog {
    pub(crate) origin: OriginLine,
    pub(crate) key: SignerKey,
    leaves: Vec<Hash>,
}

impl ForeignLog {
    /// A log of 300 leaves. Another `branch` has different leaves from `fork` on.
    pub(crate) fn new(origin: &str, branch: u8, fork: usize) -> Self {
        let leaf =
            |at: usize| leaf_hash(&[at.to_be_bytes().as_slice(), &[if at < fork { 0 } else { branch }]].concat());
        let key = SignerKey::from_seed("example.com/log".parse().expect("a name"), &[1; 32]);
        Self { origin: origin.parse().expect("an origin"), key, leaves: (0..300).map(leaf).collect() }
    }

    pub(crate) fn tree(&self, size: u64) -> Tree {
        let leaves: Frontier = self.leaves.iter().take(size as usize).copied().collect();
        Tree { size: TreeSize(size), root: leaves.root() }
    }

    pub(crate) fn note(&self, size: u64) -> Note {
        Checkpoint::new(self.origin.clone(), self.tree(size)).sign(&self.key)
    }

    /// The proof that the later tree extends the earlier one; none from the empty tree.
    pub(crate) fn proof(&self, old: u64, new: u64) -> ConsistencyProof {
        if old == 0 {
            return ConsistencyProof::default();
        }
        let of = |subtree: Subtree| {
            let (from, to) = (subtree.first_leaf().0 as usize, subtree.covered_by().0 as usize);
            Some(self.leaves.get(from..to)?.iter().copied().collect::<Frontier>().root())
        };
        ConsistencyProof::prove(TreeSize(old), TreeSize(new), &of).expect("a proof")
    }

    /// The body of a request.
    pub(crate) fn request(&self, old: u64, new: u64) -> String {
        body(&old.to_string(), &self.proof(old, new), &self.note(new).to_string())
    }
}

/// The body of any request.
pub(crate) fn body(old: &str, proof: &ConsistencyProof, note: &str) -> String {
    let lines: String = proof.path.iter().map(|hash| format!("{}\n", hash.to_base64())).collect();
    format!("old {old}\n{lines}\n{note}")
}
