//! Rounds of the public randomness beacon that draws wait for: their signatures are fetched, or handed in by anybody.

mod fetching;

use std::sync::Arc;

use ledger::{Author, MatchId, Moment, Network, Round, RoundSignature, Seq};
use record::body::Tree;
use record::verify::RoundCheck;
use record::write::{self, WriteError};
use record::{History, RoundRecord};

pub use fetching::BeaconSource;

use crate::error::AppError;
use crate::recorder::Recorder;

/// The time from naming a round to its own: for a signed checkpoint, and for the witnesses to see it.
pub(crate) const LEAD_SECONDS: u64 = 10;

#[must_use]
pub fn is_signed(check: &RoundCheck) -> bool {
    beacon::is_signed(&check.network, check.round, &check.signature)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwaitedRound {
    pub network: Network,
    pub round: Round,
    pub at: Moment,
    named: Seq,
}

#[derive(Debug, Clone)]
pub struct Rounds {
    recorder: Arc<Recorder>,
}

impl Rounds {
    pub(crate) const fn new(recorder: Arc<Recorder>) -> Self {
        Self { recorder }
    }

    #[must_use]
    pub fn awaited(&self, history: &History) -> Option<AwaitedRound> {
        self.recorder.awaited_round(history)
    }

    /// Enters the signature of the round that a match waits for, and makes the draws. Anybody may hand it in: it proves
    /// itself. The same again changes nothing.
    pub async fn hand_in(&self, match_id: MatchId, signature: RoundSignature) -> Result<Arc<History>, AppError> {
        let recorder = &self.recorder;
        let lock = recorder.locks.of(match_id);
        let _guard = lock.lock().await;
        let history = recorder.matches.history(match_id).await?;
        let is_there = |round: &RoundRecord| round.signed.as_ref().is_some_and(|signed| signed.signature == signature);
        if history.rounds.iter().any(is_there) {
            return Ok(history);
        }
        let awaited =
            self.awaited(&history).ok_or(WriteError::NotNow("this match waits for no round of the beacon"))?;
        if recorder.system.now() < awaited.at {
            return Err(WriteError::NotNow("the time of the round that this match waits for has not come").into());
        }
        if !fetching::is_signature(&awaited, signature).await {
            return Err(WriteError::NotNow("this is not the beacon\u{2019}s signature of that round").into());
        }
        let tree = recorder.tree_since(&history, awaited.named).await?;
        let tree = recorder.public_log.seen_before(match_id, tree, &awaited.network, awaited.round).await?;
        // A crash after this leaves the signature without its draws: settle() makes them.
        let place = (match_id, history.head);
        let written = recorder.compose_repeatable(place, &Author::Server, None, |context| {
            write::sign_round(context, &history, awaited.round, signature, tree)
        })?;
        recorder.append(match_id, history.head, written, None).await?;
        recorder.index.update(match_id).await?;
        recorder.host_acts(match_id, &Author::Server).await
    }
}

impl Recorder {
    pub(crate) fn awaited_round(&self, history: &History) -> Option<AwaitedRound> {
        let RoundRecord { round, entry, .. } = history.awaited_round()?;
        let network = self.public_log.known_network(&history.beacon()?)?;
        Some(AwaitedRound { at: network.time_of(*round), round: *round, named: *entry, network })
    }

    /// The first stored tree that covers an entry, and that is no smaller than the trees that the match names already.
    async fn tree_since(&self, history: &History, entry: Seq) -> Result<Tree, AppError> {
        let store = self.logs.store(history.match_id);
        let unreadable = || AppError::Unreadable("an entry is not in the log".to_owned());
        let entries = store.match_entries_since(history.match_id, entry).await?;
        let index = entries.first().ok_or_else(unreadable)?.index;
        let head = store.tree_head_covering(index).await?.ok_or_else(unreadable)?;
        let covering = Tree { size: head.size.0, root: head.root };
        let last = history.trees.iter().map(|(_, tree)| *tree).max_by_key(|tree| tree.size);
        Ok(last.filter(|last| last.size > covering.size).unwrap_or(covering))
    }
}
