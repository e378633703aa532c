//! A new term of the log: a new origin with new keys. The old one cannot continue where it signed entries that are lost, because
//! holders of such a checkpoint must not see another history under the same name; or the operator changes the keys.

use std::path::{Path, PathBuf};

use ledger::{Hash, KeyName, Origin, Tree, TreeSize, VerifierKey};
use record::succession::Succession as SuccessionLine;
use store::{Contradiction, PgConnection, SignedHead, Store, StoreError, Succession, SurveyError, Term};
use thiserror::Error;

use super::Terms;
use super::file::{CheckpointFile, FileError};
use super::task::checkpoint_of_term;
use crate::keys::{Keys, KeysError};
use crate::log_key::{LogKey, LogSignerError};
use crate::scope::LOG;
use crate::system::System;

#[derive(Clone, Debug)]
pub struct Plan {
    /// The last signed head, which must still be the same when the term begins.
    pub seen: Option<SignedHead>,
    pub before: Origin,
    pub before_key: VerifierKey,
    pub term: Term,
    pub origin: Origin,
    /// The last tree that was signed and is still there.
    pub common: Tree,
    pub last: Tree,
    pub why: Option<Contradiction>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Lost,
    LostElsewhere,
    Keys,
}

#[derive(Debug, Error)]
pub enum SuccessionError {
    #[error(
        "the log extends everything that it signed, as far as this machine knows: there is nothing to succeed. (If a \
         witness holds a checkpoint that it cannot extend, say --even-so)"
    )]
    Sound,
    #[error(
        "{0}. A change of keys does not mend that: as docs/operating.md says, \u{201c}The log is not signed any more. What now?\u{201d}"
    )]
    Unsound(Contradiction),
    #[error(
        "the key of {0} is not in keys/, so it cannot name the next one. Put it back; if it is lost or was stolen, say \
         --old-key-lost"
    )]
    NoKey(Origin),
    #[error(
        "the command has the key of {0}, and each name of a log has its own: make another there, delete the newest file of \
         the log in keys/, and try again"
    )]
    SameKey(Origin),
    #[error("the log was signed in the meantime: look again before you do this")]
    Moved,
    #[error("the log is damaged, and no origin could sign it: {0}. Restore the database from a backup first")]
    Damaged(Contradiction),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the checkpoint file cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    #[error(transparent)]
    Keys(#[from] KeysError),
    #[error("the log\u{2019}s key before is behind a command, and {0}")]
    Signer(#[from] LogSignerError),
    #[error("the origin {0} is too long for another part")]
    TooLong(Origin),
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub async fn plan(store: &Store, terms: &Terms, file: PathBuf, reason: Reason) -> Result<Plan, SuccessionError> {
    let seen = store.signed_head().await?;
    let term = seen.map_or(Term(0), |seen| seen.term);
    let present = terms.of(term).unwrap_or(terms.present());
    let (before, before_key) = (present.origin.clone(), present.key.clone());
    let file = CheckpointFile::new(file, terms.clone());
    let kept = file.read()??;
    let kept = checkpoint_of_term(&file, kept, term)?;
    let size = store.size().await?;
    if reason != Reason::Keys {
        // The entries themselves must be intact, whatever was signed. Tiles are derived, and are built again.
        match store.with_pool(store.pool().clone()).survey(size, &[]).await {
            Ok(_) | Err(SurveyError::Contradiction(Contradiction::Tile { .. })) => {}
            Err(SurveyError::Contradiction(damage)) => return Err(SuccessionError::Damaged(damage)),
            Err(SurveyError::Store(error)) => return Err(error.into()),
        }
    }
    let signed = [seen.map(|seen| seen.tree), kept.map(|kept| kept.tree)].into_iter().flatten();
    let mut why = None;
    for tree in signed.clone() {
        why = why.or(against(store, tree, size).await?);
    }
    match (reason, why) {
        (Reason::Lost, None) => {
            return Err(match seen.filter(|_| !file.path().exists()) {
                Some(seen) => FileError::Missing { path: file.path().to_owned(), size: seen.tree.size }.into(),
                None => SuccessionError::Sound,
            });
        }
        (Reason::Keys, Some(why)) => return Err(SuccessionError::Unsound(why)),
        _ => {}
    }
    let start = present.line.as_ref().map_or_else(Tree::empty, |line| line.common);
    let common = match seen.map(|seen| seen.tree) {
        Some(seen) if against(store, seen, size).await?.is_none() => seen,
        _ => common(store, term, size, start).await?,
    };
    let last = signed.max_by_key(|tree| tree.size).filter(|last| last.size > common.size).unwrap_or(common);
    let next = Term(term.0.saturating_add(1));
    let origin = store.log().origin.later(number(next));
    let origin = origin.map_err(|_| SuccessionError::TooLong(before.clone()))?;
    Ok(Plan { seen, before, before_key, term: next, origin, common, last, why })
}

fn number(term: Term) -> u32 {
    u32::from(term.0) + 1
}

/// Begins a planned term: makes its keys in the data folder, and has the key before name them, if that is here. Only
/// the owner of the database may. After an error nothing has begun, and the next try finds keys that were made.
pub async fn begin_term(
    owner: &mut PgConnection,
    plan: &Plan,
    data: &Path,
    before: Option<&LogKey>,
    system: &System,
) -> Result<SuccessionLine, SuccessionError> {
    let Plan { seen, term, ref origin, common, last, .. } = *plan;
    let keys = Keys::create_term(data, number(term), system)?;
    if keys.log.bytes().as_slice() == plan.before_key.public() {
        return Err(SuccessionError::SameKey(plan.before.clone()));
    }
    let key = VerifierKey::ed25519(KeyName::from(origin), keys.log);
    let host = Hash::new(keys.host);
    let mut line = SuccessionLine { before: plan.before.to_string(), common, key, host, last, named: None };
    if let (Some(before), Some(statement)) = (before, line.statement()) {
        line.named = Some(before.sign(KeyName::from(&plan.before), &statement).await?);
    }
    let next = Succession {
        term,
        origin: origin.clone(),
        common,
        last,
        log_key: *keys.log.bytes(),
        host_key: keys.host,
        named: line.named.as_ref().map(ToString::to_string),
        at: system.now(),
    };
    if store::succeed(owner, LOG, seen, &next).await? { Ok(line) } else { Err(SuccessionError::Moved) }
}

async fn against(store: &Store, tree: Tree, size: TreeSize) -> Result<Option<Contradiction>, StoreError> {
    if tree.size > size {
        return Ok(Some(Contradiction::Shorter { signed: tree.size, size }));
    }
    let found = store.root_at(tree.size).await?;
    let other = found.filter(|found| *found != tree.root);
    Ok(other.map(|found| Contradiction::Different { size: tree.size, signed: tree.root, found }))
}

/// The largest tree signed in a term that the log still has. A log that agrees with a checkpoint agrees with all
/// earlier ones, so a binary search finds it. `start` is the tree with which the term began.
async fn common(store: &Store, term: Term, size: TreeSize, start: Tree) -> Result<Tree, StoreError> {
    // Checkpoints up to `low` are `agreed` or older; checkpoints above `limit` disagree or do not exist.
    let start = if against(store, start, size).await?.is_none() { start } else { Tree::empty() };
    let (mut agreed, mut low, mut limit) = (start, start.size.0, size.0);
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
