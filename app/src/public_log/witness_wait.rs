//! Matches that wait for the witnesses: the tree under which a decision opens.

use std::time::Duration;

use ledger::policy::Witness;
use ledger::{CosignedAt, MatchId, Moment, TreeSize};
use record::Waiting;
use record::body::Tree;
use record::write::Cover;
use serde::Serialize;
use store::SignedCheckpoint;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::{CannotWait, PublicLog};
use crate::cosigning::{Cosigning, WitnessedCheckpoint};
use crate::due::later;
use crate::error::AppError;
use crate::scope::Scope;
use crate::signing::SignedTree;

/// The time for which witnesses are asked at short intervals while they have not confirmed the last checkpoint; each try
/// begins it anew.
const UNCONFIRMED: Duration = Duration::from_secs(10);
/// The time after which a decision whose limit has passed is tried again, if no checkpoint covers its seals yet.
const UNSIGNED: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WitnessedTree {
    Ready(Cover),
    /// Not yet. An answer of a witness, or this moment, is a reason to try again.
    Waits(Option<Moment>),
}

/// The witnesses that have seen what is sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WitnessCount {
    /// Those that have cosigned a tree with it.
    #[schema(example = 1)]
    pub seen: usize,
    /// It opens when so many have, at least.
    #[schema(example = 2)]
    pub needed: usize,
    /// All in the log's policy.
    #[schema(example = 3)]
    pub known: usize,
}

impl PublicLog {
    pub async fn seen_by(&self, match_id: MatchId, waiting: &Waiting) -> Result<Option<WitnessCount>, AppError> {
        let Some(policy) = self.cosigning().map(|cosigning| cosigning.policy().policy()) else { return Ok(None) };
        let store = self.logs.store(match_id);
        let sealed = store.match_entries_since(match_id, waiting.sealed).await?;
        let cosigners = match (self.signer.latest(), sealed.first()) {
            (Some(latest), Some(sealed)) => store.cosigners_since(latest.term, sealed.index.covered_by()).await?,
            _ => Vec::new(),
        };
        let has = |witness: &&Witness| cosigners.iter().any(|name| name == witness.key.name().as_str());
        let seen = policy.witnesses().iter().filter(has).count();
        Ok(Some(WitnessCount { seen, known: policy.witnesses().len(), needed: policy.fewest() }))
    }

    pub fn can_wait(&self, scope: Scope) -> Result<(), CannotWait> {
        let policy = self.cosigning().map(Cosigning::policy);
        match (scope, policy) {
            (Scope::Practice, _) => Err(CannotWait::Practice),
            (Scope::Record, Some(policy)) if policy.can_be_asked() => Ok(()),
            (Scope::Record, Some(policy)) if !policy.policy().asks_for_nobody() => Err(CannotWait::NoAddresses),
            (Scope::Record, _) => Err(CannotWait::NoWitnesses),
        }
    }

    pub(crate) fn answers(&self) -> watch::Receiver<()> {
        self.answers.subscribe()
    }

    /// The tree under which a decision opens whose seals are covered by the tree `sealed`: one with enough cosignatures,
    /// or after the limit any signed one. While none is signed, nothing opens.
    pub(crate) async fn witnessed(&self, sealed: Tree, waiting: &Waiting) -> WitnessedTree {
        let (now, size) = (self.system.now(), TreeSize(sealed.size));
        let signed = self.signer.covering(size).await.ok();
        if self.unconfirmed().is_some() {
            // The limit does not pass: nobody knows yet if this log was set back.
            self.want(size, signed.as_deref(), later(now, UNCONFIRMED).max(waiting.until));
            return WitnessedTree::Waits(None);
        }
        // A tree of an earlier origin may hold entries that this log has lost.
        let term = signed.as_ref().map(|signed| signed.term);
        let covers =
            |witnessed: &WitnessedCheckpoint| witnessed.signed.tree.size >= size && Some(witnessed.signed.term) == term;
        let witnessed = self.cosigning().and_then(Cosigning::witnessed).filter(covers);
        // A witness whose clock is ahead: the entry must not be dated before its cosignature.
        let reached = witnessed.as_ref().and_then(|witnessed| witnessed.reached);
        if let Some(witnessed) = witnessed.filter(|_| reached.is_some_and(|reached| reached <= CosignedAt::from(now))) {
            return WitnessedTree::Ready(Cover { tree: witnessed.signed.tree.into(), witnessed: true });
        }
        if now >= waiting.until {
            let Some(signed) = signed.as_deref() else { return WitnessedTree::Waits(Some(later(now, UNSIGNED))) };
            let tree = Tree { size: signed.size.0, root: signed.root };
            return WitnessedTree::Ready(Cover { tree, witnessed: false });
        }
        self.want(size, signed.as_deref(), waiting.until);
        let reached = reached.and_then(|reached| Moment::try_from(reached).ok());
        WitnessedTree::Waits(Some(reached.map_or(waiting.until, |reached| reached.min(waiting.until))))
    }

    pub(super) fn want(&self, size: TreeSize, signed: Option<&SignedTree>, until: Moment) {
        let (Some(cosigning), Some(signed)) = (self.cosigning(), signed) else { return };
        let tree = ledger::Tree { size: signed.size, root: signed.root };
        let checkpoint = SignedCheckpoint { term: signed.term, tree, note: signed.note.clone(), at: signed.at };
        cosigning.want(size, checkpoint, until);
    }
}
