//! The chains of registered players: as they stand in the log, and for the bundle of a match in which they vouch.

use std::collections::BTreeSet;

use ledger::{Checkpoint, ConsistencyProof, Entry, Hash, InclusionProof, LeafIndex, PlayerId, Subtree, Tree, TreeSize};
use record::body::Body;
use record::{ChainEntry, LogEvidence, PlayerChain, PlayerEvidence, Texts, TreeProof, Vouching};
use store::{SignedCheckpoint, Stored, Term};

use super::PublicLog;
use crate::error::AppError;

#[derive(Clone, Debug)]
pub struct StoredChain {
    pub chain: PlayerChain,
    pub entries: Vec<Stored>,
}

impl StoredChain {
    #[must_use]
    pub fn places(&self) -> Vec<LeafIndex> {
        self.entries.iter().map(|entry| entry.index).collect()
    }
}

impl PublicLog {
    pub async fn chain(&self, player: PlayerId) -> Result<Option<StoredChain>, AppError> {
        let entries = self.logs.record().match_entries(player.chain()).await?;
        let first = entries.first().and_then(|first| Entry::read(&first.bytes).ok());
        if !first.is_some_and(|first| first.kind.is_of_player()) {
            return Ok(None);
        }
        let chain = PlayerChain::read(&self.logs.record().log().origin, player, &entries);
        let chain = chain.map_err(|broken| AppError::Unreadable(broken.to_string()))?;
        Ok(Some(StoredChain { chain, entries }))
    }

    /// The last checkpoint that was signed before an entry entered the log, of those that the log still extends.
    pub(crate) async fn signed_before(&self, place: LeafIndex) -> Result<Option<SignedCheckpoint>, AppError> {
        let store = self.logs.record();
        let (mut most, mut later) = (TreeSize(place.0), store.successions().await?);
        loop {
            let term = later.last().map_or(Term(0), |succession| succession.term);
            if let Some(signed) = store.checkpoint_up_to(term, most).await?.filter(|signed| signed.tree.size.0 > 0) {
                return Ok(Some(signed));
            }
            match later.pop() {
                // What an earlier term signed beyond the tree in common was lost.
                Some(succession) => most = most.min(succession.common.size),
                None => return Ok(None),
            }
        }
    }

    /// The chains of the players who vouch in a match, with their proof. None where nobody does, or nothing was signed
    /// before the opening.
    pub(super) async fn player_evidence(
        &self,
        stored: &[Stored],
        texts: &Texts,
        logged: &LogEvidence,
    ) -> Result<Option<PlayerEvidence>, AppError> {
        let players = players(stored, texts);
        let Some(opened) = stored.first().map(|first| first.index).filter(|_| !players.is_empty()) else {
            return Ok(None);
        };
        let Some(newest) = Checkpoint::read(logged.checkpoint.text()).ok().map(|read| read.tree().size) else {
            return Ok(None);
        };
        let Some(before) = self.signed_before(opened).await? else { return Ok(None) };
        let size = before.tree.size;
        let mut entries = Vec::new();
        for player in players {
            let chain = self.chain(player).await?.map(|stored| stored.entries).unwrap_or_default();
            entries.extend(chain.into_iter().filter(|entry| newest.covers(entry.index)).map(|entry| (player, entry)));
        }
        let tree_of = |place: LeafIndex| if size.covers(place) { size } else { newest };

        let mut needed = InclusionProof::subtrees(opened, newest).unwrap_or_default();
        needed.extend(ConsistencyProof::subtrees(size, newest).unwrap_or_default());
        for (_, entry) in &entries {
            needed.extend(InclusionProof::subtrees(entry.index, tree_of(entry.index)).unwrap_or_default());
        }
        let hashes = self.logs.record().hashes(&needed).await?;
        let source = |subtree: Subtree| hashes.get(&subtree).copied();
        Ok(proven(opened, newest, &before, entries, &source))
    }
}

fn proven(
    opened: LeafIndex,
    newest: TreeSize,
    before: &SignedCheckpoint,
    entries: Vec<(PlayerId, Stored)>,
    source: &impl Fn(Subtree) -> Option<Hash>,
) -> Option<PlayerEvidence> {
    let Tree { size, .. } = before.tree;
    let entries = entries.into_iter().map(|(player, entry)| {
        let size = if size.covers(entry.index) { size } else { newest };
        let inclusion = InclusionProof::prove(entry.index, size, source).ok()?;
        Some(ChainEntry { player, bytes: entry.bytes, index: entry.index, size, inclusion })
    });
    Some(PlayerEvidence {
        opened,
        inclusion: InclusionProof::prove(opened, newest, source).ok()?,
        before: TreeProof {
            tree: before.tree,
            checkpoint: before.note.parse().ok(),
            consistency: ConsistencyProof::prove(size, newest, source).ok()?,
        },
        entries: entries.collect::<Option<_>>()?,
    })
}

fn players(stored: &[Stored], texts: &Texts) -> BTreeSet<PlayerId> {
    let entries = stored.iter().filter_map(|entry| Entry::read(&entry.bytes).ok());
    let vouching = |entry: Entry| match Body::read(&entry) {
        Ok(Body::Key(body)) => texts.get(&body.player?)?.text.parse::<Vouching>().ok(),
        _ => None,
    };
    entries.filter_map(vouching).map(|vouching| vouching.player).collect()
}
