//! Rounds: the submissions are sealed, then covered by a signed tree, then opened. The next caller settles a round that was
//! cut short.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::Seat;
use futures_util::{StreamExt, TryStreamExt, stream};
use ledger::{Author, DecisionId, MatchId, Sealer};
use record::History;
use record::body::{SubmitSignature, Tree};
use record::share::SHARE;
use record::write::{self, Cover, Seal, WriteContext};
use store::{StoredSubmission, Submit};

use super::closing::optional;
use super::early_close::closer;
use super::{Over, Recorder};
use crate::error::AppError;
use crate::protocol_trace;
use crate::scope::Scope;

pub(super) type Received = BTreeMap<DecisionId, Vec<StoredSubmission>>;

const AT_ONCE: usize = 8;

pub(crate) const fn sealer_of(whose: engine::Party) -> Option<Sealer> {
    match whose {
        engine::Party::Seat(seat) => Some(sealer(seat)),
        engine::Party::Host => None,
    }
}

pub(crate) const fn sealer(seat: Seat) -> Sealer {
    match seat {
        Seat::P1 => Sealer::P1,
        Seat::P2 => Sealer::P2,
    }
}

impl Recorder {
    pub(crate) async fn enter(
        &self,
        match_id: MatchId,
        by: &Author,
        history: &Arc<History>,
        decision: &DecisionId,
        received: &[StoredSubmission],
        submit: Option<Submit>,
    ) -> Result<Arc<History>, AppError> {
        if history.open.iter().any(|open| open.asked.decision == *decision && open.asked.what == SHARE) {
            return self.enter_shares(match_id, by, history, decision, received, submit).await;
        }
        let seals = counting(received);
        // An answer after the deadline counts if an extension of its seat begins first.
        let mut extended = None;
        let by_itself = |seal: &&Seal| matches!(seal.sent_by, Some(Author::P1 | Author::P2));
        while let Some(late) = seals.iter().filter(by_itself).map(|seal| seal.came).max() {
            let now = extended.as_ref().unwrap_or(history);
            let open = now.open.iter().find(|open| open.asked.decision == *decision);
            let until = open.and_then(|open| Some((now.clock(decision)?.deadline()?, now.in_time_until(open)?)));
            if until.is_none_or(|(deadline, stored)| late <= deadline || stored <= deadline) {
                break;
            }
            extended = Some(self.spend_extension(now, decision).await?);
        }
        let (tree, submit) = if seals.is_empty() {
            (self.tree(match_id).await?, submit)
        } else {
            let history = extended.as_ref().unwrap_or(history);
            let seal = |context: &mut WriteContext<'_>| write::seal(context, history, decision, &seals);
            let written = self.compose_on((history.as_ref(), Over::Closed), by, submit, seal).await?;
            // A crash after this leaves seals without a resolution: settle() resolves them, with the same openings.
            let appended = self.append(match_id, history.head, written, submit).await?;
            protocol_trace::of_decision("enter", match_id, decision, appended.tree.size);
            (Tree { size: appended.tree.size.0, root: appended.tree.root }, None)
        };
        self.resolve(match_id, by, decision, tree, submit).await
    }

    async fn resolve(
        &self,
        match_id: MatchId,
        by: &Author,
        decision: &DecisionId,
        tree: Tree,
        submit: Option<Submit>,
    ) -> Result<Arc<History>, AppError> {
        let (sealed, secrets) = self.matches.with_secrets(match_id).await?;
        if !sealed.open.iter().any(|open| open.asked.decision == *decision) {
            // Another node has resolved it meanwhile.
            return Err(AppError::Overtaken);
        }
        if self.matches.lost_openings(&sealed).await?.is_some_and(|lost| lost.has_moves()) {
            // Nobody can open it any more: the umpire must rule.
            return Ok(sealed);
        }
        let (cover, by) = match sealed.waiting().filter(|waiting| waiting.decision == *decision) {
            Some(waiting) => match self.cover_of(match_id, by, &waiting).await? {
                Some(covered) => covered,
                None => return Ok(sealed),
            },
            // A crash after this leaves a checkpoint over unopened seals: settle() resolves them under a later one.
            None => {
                let tree = self.public_log.signed(match_id, tree).await?;
                (Cover { tree, witnessed: false }, by.clone())
            }
        };
        let resolve = |context: &mut WriteContext<'_>| write::resolve(context, &sealed, decision, &secrets, cover);
        let written = self.compose_on((sealed.as_ref(), Over::Closed), &by, submit, resolve).await?;
        let appended = self.append(match_id, sealed.head, written, submit).await?;
        protocol_trace::of_decision("open", match_id, decision, appended.tree.size);
        self.indexed_at(match_id, appended.head).await
    }

    /// Finishes an act that was cut short: resolves a decision that was closed or sealed. While nothing new is accepted the
    /// match stays as it is: whoever looks at it reads why.
    pub async fn settle(&self, match_id: MatchId) -> Result<Arc<History>, AppError> {
        match self.finish(match_id).await {
            Err(error) if error.accepts_nothing() => self.matches.history(match_id).await,
            finished => finished,
        }
    }

    async fn finish(&self, match_id: MatchId) -> Result<Arc<History>, AppError> {
        let lock = self.locks.of(match_id);
        let _guard = lock.lock().await;
        self.settle_locked(match_id, &Author::Server).await
    }

    /// The same for every running match, and for the escrow of those that have ended. A match that cannot be read is
    /// skipped and logged; after an error it has to be called again.
    pub async fn settle_all(&self) -> Result<(), AppError> {
        for scope in Scope::ALL {
            let running = self.index.running(scope).await?;
            let finish = async |match_id| match self.finish(match_id).await {
                Err(error) if error.accepts_nothing() || matches!(error, AppError::Store(_)) => Err(error),
                Err(error) => {
                    tracing::error!(%match_id, %error, "a running match cannot be settled");
                    Ok(())
                }
                Ok(_) => Ok(()),
            };
            stream::iter(running).map(finish).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
            for match_id in self.logs.in_scope(scope).store.matches_in_escrow().await? {
                match self.matches.history(match_id).await {
                    Ok(history) if history.is_ended() => self.logs.store(match_id).forget_escrow(match_id).await?,
                    Err(error @ AppError::Store(_)) => return Err(error),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    pub(crate) async fn settle_locked(&self, match_id: MatchId, by: &Author) -> Result<Arc<History>, AppError> {
        Ok(self.settle_and_read(match_id, by).await?.0)
    }

    pub(super) async fn settle_and_read(
        &self,
        match_id: MatchId,
        by: &Author,
    ) -> Result<(Arc<History>, Received), AppError> {
        let mut tried = None;
        loop {
            let history = self.matches.history(match_id).await?;
            let (head, mut received) = (history.head, Received::new());
            match self.settle_once(history, by, &mut received).await {
                // Another node was first, unless the head is the same as at the last try.
                Err(AppError::Overtaken) if tried != Some(head) => tried = Some(head),
                settled => return Ok((settled?, received)),
            }
        }
    }

    async fn settle_once(
        &self,
        mut history: Arc<History>,
        by: &Author,
        received: &mut Received,
    ) -> Result<Arc<History>, AppError> {
        let match_id = history.match_id;
        if history.closed_at.is_some() {
            // A step cannot be replayed here any more: what was asked behind it waits for the umpire.
            return Ok(history);
        }
        self.admit_late(&history).await?;
        while let Some(entered) = self.enter_cut_short(&history, by, received).await? {
            if entered.head == history.head {
                // It waits for the log's witnesses, or for the umpire where its openings are lost.
                return Ok(entered);
            }
            history = entered;
        }
        let history = self.make_up(history).await?;
        if history.host_act().is_some() { self.host_acts(match_id, by).await } else { Ok(history) }
    }

    async fn enter_cut_short(
        &self,
        history: &Arc<History>,
        by: &Author,
        read: &mut Received,
    ) -> Result<Option<Arc<History>>, AppError> {
        let match_id = history.match_id;
        for open in &history.open {
            let decision = &open.asked.decision;
            if !open.sealed.is_empty() {
                let (tree, by) = (self.tree(match_id).await?, &self.closer_of(history, open, by).await?);
                return self.resolve(match_id, by, decision, tree, None).await.map(Some);
            }
            let received = self.logs.store(match_id).submissions(match_id, decision).await?;
            // An optional question without an answer closes with the question beside it, and needs no step.
            let idle = received.iter().all(StoredSubmission::closes) && history.is_live();
            if !received.iter().any(StoredSubmission::closes) || (idle && optional(history, open)) {
                read.insert(decision.clone(), received);
                continue;
            }
            // The close may be missing in the journal.
            let received = self.close_rows(match_id, open, by).await?;
            return self.enter(match_id, &closer(&received, by), history, decision, &received, None).await.map(Some);
        }
        Ok(None)
    }
}

pub(crate) fn signature(row: &StoredSubmission) -> Option<SubmitSignature> {
    let (signed, submit) = row.signed.zip(row.submit)?;
    let tree = Tree { size: signed.seen.0.0, root: signed.seen.1 };
    Some(SubmitSignature { submit, tree, signature: signed.signature })
}

/// The last submission of each seat below the close.
pub(crate) fn counting(received: &[StoredSubmission]) -> Vec<Seal> {
    let last = |seat: Seat| {
        let mut rows = received.iter().filter(|row| row.seat == sealer(seat) && !row.closes());
        rows.next_back().map(|row| Seal {
            seat,
            ordinal: u32::from(row.ordinal.0),
            came: row.at,
            commitments: row.commitments.clone(),
            sent_by: row.sent_by.clone(),
            is_final: row.is_final,
            signature: signature(row),
        })
    };
    Seat::BOTH.into_iter().filter_map(last).collect()
}
