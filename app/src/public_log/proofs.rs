//! Tiles, bundles of entries, and proofs, only of entries that a signed checkpoint covers.

use std::sync::{Arc, PoisonError};

use ledger::proof::ProveError;
use ledger::tile::{TileId, TileIndex, TileLevel, TileWidth};
use ledger::{ConsistencyProof, Hash, InclusionProof, LeafIndex, MatchId, Seq, Tree, TreeSize};
use store::smallest_tree;
use thiserror::Error;

use super::PublicLog;
use crate::error::AppError;
use crate::scope::Scope;
use crate::signing::{SignedTree, SigningError};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryProof {
    pub index: LeafIndex,
    pub leaf: Hash,
    pub tree: Tree,
    pub proof: InclusionProof,
}

#[derive(Debug, Error)]
pub enum ProofError {
    /// No signed checkpoint covers it.
    #[error("no signed checkpoint covers {wanted} entries yet; the last one covers {signed}")]
    NotSigned {
        /// The size that would cover it.
        wanted: TreeSize,
        /// The size of the last checkpoint.
        signed: TreeSize,
    },
    /// It cannot be proved.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// The program failed.
    #[error(transparent)]
    App(#[from] AppError),
}

impl From<store::StoreError> for ProofError {
    fn from(error: store::StoreError) -> Self {
        Self::App(error.into())
    }
}

impl PublicLog {
    /// True if a signed checkpoint covers this many entries. Others are not served: they may be seals of a decision that is
    /// about to close.
    pub async fn is_signed(&self, size: TreeSize) -> Result<bool, AppError> {
        if self.signed_size() >= size {
            return Ok(true);
        }
        if self.signer.stopped().is_some() {
            return Ok(false);
        }
        // Another node may have signed since this one looked.
        Ok(self.logs.record().latest_checkpoint().await?.is_some_and(|latest| latest.tree.size >= size))
    }

    /// True if the log signed this tree. Players of practice matches name such trees, too, although practice is not signed.
    pub(crate) async fn has_signed(&self, tree: Tree) -> Result<bool, AppError> {
        if self.signer.latest().is_some_and(|latest| (latest.size, latest.root) == (tree.size, tree.root)) {
            return Ok(true);
        }
        Ok(self.logs.record().checkpoint_at(tree.size).await?.is_some_and(|signed| signed.tree == tree))
    }

    /// The place of a match's entry in the log. A player signs an answer with a tree that holds the question. None in
    /// practice, which is in no tree.
    pub async fn place(&self, match_id: MatchId, entry: Seq) -> Result<Option<LeafIndex>, AppError> {
        if Scope::of(match_id) == Scope::Practice {
            return Ok(None);
        }
        let key = (match_id, entry);
        let cached = self.places.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        if cached.is_some() {
            return Ok(cached);
        }
        let place = self.logs.record().place(match_id, entry).await?;
        if let Some(place) = place {
            self.places.lock().unwrap_or_else(PoisonError::into_inner).put(key, place);
        }
        Ok(place)
    }

    fn signed_size(&self) -> TreeSize {
        self.signer.latest().map_or(TreeSize(0), |latest| latest.size)
    }

    /// A full or partial tile as it is served; none if no signed checkpoint covers it. Every width is served: each tile is the
    /// beginning of the next wider one.
    pub async fn tile(&self, tile: TileId) -> Result<Option<Vec<u8>>, AppError> {
        let Some(needs) = smallest_tree(tile) else { return Ok(None) };
        if !self.is_signed(needs).await? {
            return Ok(None);
        }
        let hashes = self.logs.record().tile(tile).await?;
        Ok(hashes.map(|hashes| hashes.iter().flat_map(|hash| hash.bytes()).copied().collect()))
    }

    /// A bundle of entries (C2SP tlog-tiles), each after its length in two bytes; none if no signed checkpoint covers it.
    pub async fn entry_bundle(&self, index: TileIndex, width: TileWidth) -> Result<Option<Vec<u8>>, AppError> {
        let leaves = TileId { level: TileLevel::LEAVES, index, width };
        let Some(needs) = smallest_tree(leaves) else { return Ok(None) };
        if !self.is_signed(needs).await? {
            return Ok(None);
        }
        let Some(entries) = self.logs.record().entry_bundle(index, width).await? else { return Ok(None) };
        let mut bundle = Vec::with_capacity(entries.iter().map(|entry| entry.len() + 2).sum());
        for entry in &entries {
            // An entry has at most 65,535 bytes.
            let Ok(length) = u16::try_from(entry.len()) else { return Ok(None) };
            bundle.extend(length.to_be_bytes());
            bundle.extend(entry);
        }
        Ok(Some(bundle))
    }

    pub async fn cosigned(&self, signed: &SignedTree) -> Result<String, AppError> {
        let lines = self.logs.record().cosignatures(signed.term, signed.size).await?;
        Ok(lines.iter().fold(signed.note.clone(), |note, cosignature| note + &cosignature.line + "\n"))
    }

    pub async fn prove_inclusion(&self, index: LeafIndex, size: Option<TreeSize>) -> Result<EntryProof, ProofError> {
        let size = self.signed_or(size, index.covered_by()).await?;
        let mut needed = InclusionProof::subtrees(index, size)?;
        needed.extend(ledger::proof::subtrees_of_root(size));
        needed.push(ledger::Subtree::leaf(index));
        let hashes = self.logs.record().hashes(&needed).await?;
        let source = |subtree: ledger::Subtree| hashes.get(&subtree).copied();
        let leaf = source(ledger::Subtree::leaf(index)).ok_or(ProveError::NoSuchLeaf { leaf: index, size })?;
        let tree = Tree { size, root: ledger::proof::root(size, &source)? };
        Ok(EntryProof { index, leaf, tree, proof: InclusionProof::prove(index, size, &source)? })
    }

    pub async fn prove_consistency(
        &self,
        old: TreeSize,
        new: Option<TreeSize>,
    ) -> Result<(Tree, Tree, ConsistencyProof), ProofError> {
        let new = self.signed_or(new, old).await?;
        let mut needed = ConsistencyProof::subtrees(old, new)?;
        needed.extend(ledger::proof::subtrees_of_root(old));
        needed.extend(ledger::proof::subtrees_of_root(new));
        let hashes = self.logs.record().hashes(&needed).await?;
        let source = |subtree: ledger::Subtree| hashes.get(&subtree).copied();
        let tree = |size| Ok::<_, ProofError>(Tree { size, root: ledger::proof::root(size, &source)? });
        Ok((tree(old)?, tree(new)?, ConsistencyProof::prove(old, new, &source)?))
    }

    pub async fn place_of(&self, match_id: MatchId, seq: Seq) -> Result<LeafIndex, AppError> {
        let places = self.logs.store(match_id).indexes(match_id).await?;
        let seq = usize::try_from(seq.0).unwrap_or(usize::MAX);
        places.get(seq).copied().ok_or(AppError::NoMatch)
    }

    pub async fn prove_entry(
        &self,
        match_id: MatchId,
        index: LeafIndex,
    ) -> Result<(EntryProof, Arc<SignedTree>), ProofError> {
        let covers = index.covered_by();
        let refused = |_| ProofError::NotSigned { wanted: covers, signed: self.signed_size() };
        if Scope::of(match_id) == Scope::Practice {
            return Err(refused(SigningError::Timeout));
        }
        let signed = self.signer.covering(covers).await.map_err(refused)?;
        Ok((self.prove_inclusion(index, Some(signed.size)).await?, signed))
    }

    async fn signed_or(&self, size: Option<TreeSize>, at_least: TreeSize) -> Result<TreeSize, ProofError> {
        let size = size.unwrap_or_else(|| self.signed_size());
        if self.is_signed(size.max(at_least)).await? {
            Ok(size)
        } else {
            Err(ProofError::NotSigned { wanted: size.max(at_least), signed: self.signed_size() })
        }
    }
}
