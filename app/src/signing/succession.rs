//! Continuing under a new origin, when the old one cannot continue: it signed entries that are lost, and holders of
//! such a checkpoint must not see another history under the same name.

use std::io;
use std::path::PathBuf;

use ledger::checkpoint::{CheckpointError, ExtensionLine};
use ledger::{Moment, Origin, Tree, TreeSize};
use store::{Contradiction, SignedHead, Store, StoreError, Succession, SurveyError, Term};
use thiserror::Error;

use super::file::{CheckpointFile, FileError};
use super::task::{checkpoint_of_term, extension};
use crate::keys::LogKey;

/// A possible succession.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The last signed head, which must still be the same when the succession is made.
    pub seen: Option<SignedHead>,
    /// The previous origin.
    pub before: Origin,
    /// The new one.
    pub next: Succession,
    /// The reason why the old origin cannot continue; none if it is not known here.
    pub why: Option<Contradiction>,
    /// The line that every checkpoint of the new origin has.
    pub line: ExtensionLine,
}

/// The reason why a succession is unnecessary or impossible.
#[derive(Debug, Error)]
pub enum SuccessionError {
    /// The old origin can continue.
    #[error(
        "the log extends everything that it signed, as far as this machine knows: there is nothing to succeed. (If a \
         witness holds a checkpoint that it cannot extend, say --even-so)"
    )]
    Sound,
    /// The log itself is damaged.
    #[error("the log is damaged, and no origin could sign it: {0}. Restore the database from a backup first")]
    Damaged(Contradiction),
    /// The file does not belong to this log.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file cannot be read.
    #[error("the checkpoint file cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The new name is too long.
    #[error("the origin {0} is too long for another part")]
    TooLong(Origin),
    /// The line cannot be written.
    #[error(transparent)]
    Line(#[from] CheckpointError),
    /// An error of the database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Plans a succession of the current log. `even_so` allows it even if nothing here contradicts the log.
///
/// # Errors
/// [`SuccessionError`]
pub async fn plan(
    store: &Store,
    key: &LogKey,
    file: PathBuf,
    now: Moment,
    even_so: bool,
) -> Result<Plan, SuccessionError> {
    let seen = store.signed_head().await?;
    let term = seen.map_or(Term(0), |seen| seen.term);
    let successions = store.successions().await?;
    let before = successions.iter().find(|succession| succession.term == term);
    let before = before.map_or(&store.log().origin, |succession| &succession.origin).clone();
    let file = CheckpointFile::new(file, key.public());
    let kept = file.read()??;
    let kept = checkpoint_of_term(file.path(), kept, term, &before, &store.log().origin, &successions)?;
    let size = store.size().await?;
    // The entries themselves must be intact, whatever was signed. Tiles are derived, and are built again.
    match store.with_pool(store.pool().clone()).survey(size, &[]).await {
        Ok(_) | Err(SurveyError::Contradiction(Contradiction::Tile { .. })) => {}
        Err(SurveyError::Contradiction(damage)) => return Err(SuccessionError::Damaged(damage)),
        Err(SurveyError::Store(error)) => return Err(error.into()),
    }
    let mut why = None;
    for tree in [seen.map(|seen| seen.tree), kept.map(|kept| kept.tree)].into_iter().flatten() {
        why = why.or(against(store, tree, size).await?);
    }
    if why.is_none() && !even_so {
        return Err(SuccessionError::Sound);
    }
    let common = common(store, term, size).await?;
    let next = Term(term.0.saturating_add(1));
    let origin = store.log().origin.later(u32::from(next.0) + 1);
    let origin = origin.map_err(|_| SuccessionError::TooLong(before.clone()))?;
    let line = extension(&before, common)?;
    Ok(Plan { seen, before, next: Succession { term: next, origin, common, at: now }, why, line })
}

/// The reason why the log does not extend this tree, if it does not.
async fn against(store: &Store, tree: Tree, size: TreeSize) -> Result<Option<Contradiction>, StoreError> {
    if tree.size > size {
        return Ok(Some(Contradiction::Shorter { signed: tree.size, size }));
    }
    let found = store.root_at(tree.size).await?;
    let other = found.filter(|found| *found != tree.root);
    Ok(other.map(|found| Contradiction::Different { size: tree.size, signed: tree.root, found }))
}

/// The largest tree signed in a term that the log still has. A log that agrees with a checkpoint agrees with all
/// earlier ones, so a binary search finds it.
async fn common(store: &Store, term: Term, size: TreeSize) -> Result<Tree, StoreError> {
    // Checkpoints up to `low` are `agreed` or older; checkpoints above `limit` disagree or do not exist.
    let (mut agreed, mut low, mut limit) = (Tree::empty(), 0, size.0);
    // The newest one first: after a restore it is nearly always right.
    let mut probe = limit;
    while low < limit {
        match store.checkpoint_up_to(term, TreeSize(probe)).await?.filter(|found| found.tree.size.0 > low) {
            Some(found) if against(store, found.tree, size).await?.is_some() => {
                limit = found.tree.size.0.saturating_sub(1);
            }
            Some(found) => (agreed, low) = (found.tree, probe),
            None => low = probe,
        }
        probe = low.saturating_add(limit.saturating_sub(low).div_ceil(2));
    }
    Ok(agreed)
}
