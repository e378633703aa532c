//! What the seats sent, recorded: privately first, then sealed, then opened. An act that was cut short is finished by
//! [`Book::settle`], at the next act on the match or at the next start.

use std::sync::Arc;

use engine::{BySeat, Seat};
use ledger::{By, DecisionId, MatchId, Moment, Sealer, TreeSize};
use record::body::{SubmitSignature, Tree};
use record::share::SHARE;
use record::write::{self, Seal, WriteError};
use record::{History, StepSource};
use sha2::{Digest, Sha256};
use store::{Counts, Received, Submission as Private, Submit, SubmitId};

use super::act::{Act, Moves, Recorded};
use super::closing::optional;
use super::late::sent_at;
use super::submitting::{self, counts};
use super::{Book, BookError};
use crate::signing::Unsigned;

/// A form's id for one seat's private row: the form's own id is the append's.
pub(super) fn seat_submit(submit: &Submit, seat: Seat) -> Submit {
    let hash = Sha256::new().chain_update(submit.id.0).chain_update(seat.word()).finalize();
    let mut id = [0; 16];
    id.iter_mut().zip(hash).for_each(|(byte, from)| *byte = from);
    Submit { id: SubmitId(id), digest: submit.digest }
}

/// A seat, as the one who seals; none for the host.
pub(super) const fn sealer_of(whose: engine::Party) -> Option<Sealer> {
    match whose {
        engine::Party::Seat(seat) => Some(sealer(seat)),
        engine::Party::Host => None,
    }
}

const fn sealer(seat: Seat) -> Sealer {
    match seat {
        Seat::P1 => Sealer::P1,
        Seat::P2 => Sealer::P2,
    }
}

impl Book {
    /// Records what the seats sent for a decision: sealed, closed, covered by a tree, then opened and resolved.
    ///
    /// # Errors
    /// A move is refused, or somebody else was first; nothing was recorded then.
    pub async fn record(
        &self,
        act: &Act,
        match_id: MatchId,
        decision: &DecisionId,
        moves: &Moves,
    ) -> Result<Recorded, BookError> {
        self.record_sent(act, match_id, decision, moves, BySeat::default()).await
    }

    /// The same, with the time at which each seat sent it elsewhere; now where it is none.
    ///
    /// # Errors
    /// As [`Book::record`]; or a time cannot be.
    pub async fn record_sent(
        &self,
        act: &Act,
        match_id: MatchId,
        decision: &DecisionId,
        moves: &Moves,
        times: BySeat<Option<Moment>>,
    ) -> Result<Recorded, BookError> {
        let turn = self.turn(match_id);
        let _turn = turn.lock().await;
        let sent = moves.as_ref().map(|sent| sent.as_deref().map(str::trim));
        let said = times.map(|at| at.map_or_else(String::new, |at| at.to_string()));
        let mut what = vec!["record", decision.as_str(), sent.p1.unwrap_or(""), sent.p2.unwrap_or("")];
        if times != BySeat::default() {
            what.extend([said.p1.as_str(), said.p2.as_str()]);
        }
        let submit = act.submit(&self.keys, &what);
        let history = self.settle_in_turn(match_id, &act.by).await?;
        if self.repeated(&submit).await? {
            return Ok(Recorded { history });
        }
        let Some(open) = history.open.iter().find(|open| open.asked.decision == *decision) else {
            // A crash may have come between its rows and its seals: then it was settled by somebody else.
            let ours = self.is_ours(match_id, decision, &submit).await? || said_nothing(&history, decision, &sent);
            return if ours { Ok(Recorded { history }) } else { Err(BookError::Overtaken) };
        };
        let mut came: BySeat<Option<Moment>> = BySeat::default();
        for (seat, at) in times.each() {
            came[seat] = at.map(|at| sent_at(open, at, self.mint.now())).transpose()?;
        }
        let seats: Vec<Seat> = open.asked.seats.iter().map(|seat| seat.0).collect();
        let mut prepared = Vec::new();
        for seat in &seats {
            let text = sent[*seat].filter(|text| !text.is_empty());
            let text = text.ok_or(WriteError::Missing("type a move for each seat, or - where nothing came"))?;
            let made = self.at_desk(match_id, &act.by, |desk| write::prepare(desk, &history, decision, *seat, text))?;
            prepared.extend(made);
        }
        for submission in &prepared {
            let seat = sealer(submission.seat);
            let private = Private {
                log_id: self.log(),
                match_id,
                decision: decision.clone(),
                seat,
                at: submitting::came(open, came[submission.seat].unwrap_or_else(|| self.mint.now())),
                commitments: submission.commitments.clone(),
                escrow: Some(self.lock_away(match_id, decision, seat, &submission.secrets)?),
                submit: Some(seat_submit(&submit, submission.seat)),
                sent_by: act.by.clone(),
                signed: None,
                counts: counts(open),
            };
            // A crash after this leaves a private row that does not count until the decision closes: typed again, the
            // later row counts.
            self.letters.submit(private).await?;
        }
        let seats: Vec<Sealer> = seats.into_iter().map(sealer).collect();
        let received = self.store.close(match_id, decision, &seats, self.mint.now()).await?;
        // From here on the decision is closed, and whoever comes next settles it with what came in until now.
        let history = self.enter(match_id, &act.by, &history, decision, &received, Some(submit)).await?;
        Ok(Recorded { history })
    }

    /// Whether a row of this form is among the submissions for a decision.
    async fn is_ours(&self, match_id: MatchId, decision: &DecisionId, submit: &Submit) -> Result<bool, BookError> {
        for seat in Seat::BOTH {
            let (decision, at, submit) = (decision.clone(), self.mint.now(), Some(seat_submit(submit, seat)));
            let seat = sealer(seat);
            let (commitments, sent_by) = (Vec::new(), By::Server);
            let (escrow, signed, counts) = (None, None, Counts::Last);
            let row = Private {
                log_id: self.log(),
                match_id,
                decision,
                seat,
                at,
                commitments,
                escrow,
                submit,
                sent_by,
                signed,
                counts,
            };
            if self.store.repeated(&row).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Seals and resolves a decision that has closed.
    pub(super) async fn enter(
        &self,
        match_id: MatchId,
        by: &By,
        history: &History,
        decision: &DecisionId,
        received: &[Received],
        submit: Option<Submit>,
    ) -> Result<Arc<History>, BookError> {
        if history.open.iter().any(|open| open.asked.decision == *decision && open.asked.what == SHARE) {
            return self.enter_shares(match_id, by, history, decision, received, submit).await;
        }
        let seals = counting(received);
        // An answer that came after the deadline counts by an extension of its seat, which has to begin first.
        let mut extended = None;
        let by_itself = |seal: &&Seal| matches!(seal.sent_by, Some(By::P1 | By::P2));
        while let Some(late) = seals.iter().filter(by_itself).map(|seal| seal.came).max() {
            let now = extended.as_deref().unwrap_or(history);
            let open = now.open.iter().find(|open| open.asked.decision == *decision);
            let until = open.and_then(|open| Some((now.clock(decision)?.deadline()?, now.in_time_until(open)?)));
            if until.is_none_or(|(deadline, stored)| late <= deadline || stored <= deadline) {
                break;
            }
            extended = Some(self.spend_extension(now, decision).await?);
        }
        let history = extended.as_deref().unwrap_or(history);
        let written = self.at_desk(match_id, by, |desk| write::seal(desk, history, decision, &seals))?;
        let (tree, submit) = if written.drafts.is_empty() {
            (self.tree().await?, submit)
        } else {
            // A crash after this leaves seals without a resolution: settle() resolves them, with the same openings.
            let appended = self.append(match_id, history.head, written, submit).await?;
            (Tree { size: appended.tree.size.0, root: appended.tree.root }, None)
        };
        let sealed = self.history(match_id).await?;
        self.resolve(match_id, by, &sealed, decision, tree, submit).await
    }

    /// A signed tree that covers these seals: nothing opens before there is one. Where the log must not be signed any more,
    /// matches go on under the tree as it was appended, and their verification says that no signed checkpoint covers it.
    /// Practice always does.
    pub(super) async fn signed(&self, sealed: Tree) -> Result<Tree, BookError> {
        if self.is_practice() {
            return Ok(sealed);
        }
        match self.signer.covering(TreeSize(sealed.size)).await {
            Ok(signed) => Ok(Tree { size: signed.size.0, root: signed.root }),
            Err(Unsigned::Stopped { .. }) => Ok(sealed),
            Err(Unsigned::Timeout) => Err(BookError::Stopped),
        }
    }

    async fn resolve(
        &self,
        match_id: MatchId,
        by: &By,
        sealed: &History,
        decision: &DecisionId,
        tree: Tree,
        submit: Option<Submit>,
    ) -> Result<Arc<History>, BookError> {
        // A crash after this leaves a checkpoint over the seals, and nothing open: settle() resolves them under a later one.
        let tree = self.signed(tree).await?;
        let secrets = self.secrets(match_id).await?;
        let written = self.at_desk(match_id, by, |desk| write::resolve(desk, sealed, decision, &secrets, tree))?;
        self.append(match_id, sealed.head, written, submit).await?;
        self.index(match_id).await?;
        self.history(match_id).await
    }

    /// Finishes what a crash cut short: a decision that was closed or sealed, and not resolved.
    ///
    /// # Errors
    /// The match cannot be read, or the database.
    pub async fn settle(&self, match_id: MatchId) -> Result<Arc<History>, BookError> {
        let turn = self.turn(match_id);
        let _turn = turn.lock().await;
        self.settle_in_turn(match_id, &By::Server).await
    }

    /// Finishes what a crash cut short, in every match that still runs.
    ///
    /// # Errors
    /// The database. A match that cannot be read is skipped, and said in the program's log.
    pub async fn settle_all(&self) -> Result<(), BookError> {
        let running =
            sqlx::query_scalar!("select match_id from archive where log_id = $1 and result = '*'", self.log().0);
        for match_id in running.fetch_all(self.pool()).await? {
            match self.settle(MatchId(match_id)).await {
                Err(error @ BookError::Store(_)) => return Err(error),
                Err(error) => tracing::error!(%match_id, %error, "a running match cannot be settled"),
                Ok(_) => {}
            }
        }
        Ok(())
    }

    pub(super) async fn settle_in_turn(&self, match_id: MatchId, by: &By) -> Result<Arc<History>, BookError> {
        let history = self.history(match_id).await?;
        for open in &history.open {
            let decision = &open.asked.decision;
            if !open.sealed.is_empty() {
                let tree = self.tree().await?;
                return self.resolve(match_id, by, &history, decision, tree, None).await;
            }
            let received = self.store.submissions(match_id, decision).await?;
            // What nobody waits for and nobody answered closes with the question beside it, and needs no step.
            let idle = received.iter().all(Received::closes) && history.is_live();
            if received.iter().any(Received::closes) && !(idle && optional(&history, open)) {
                return self.enter(match_id, by, &history, decision, &received, None).await;
            }
        }
        if history.host_act().is_some() { self.host_acts(match_id, by).await } else { Ok(history) }
    }
}

/// Whether the form said that nothing came from anybody, and that is how the decision was resolved. Such a form leaves no
/// row behind.
fn said_nothing(history: &History, decision: &DecisionId, sent: &BySeat<Option<&str>>) -> bool {
    let nothing = Seat::BOTH.into_iter().all(|seat| sent[seat].is_none_or(|sent| sent == "-"));
    let resolved = history.steps.iter().find(|step| step.source == StepSource::Decision(decision.clone()));
    nothing && resolved.is_some_and(|step| step.seals.is_empty())
}

/// A row's signature, as entries write it.
pub(super) fn signature(row: &Received) -> Option<SubmitSignature> {
    let (signed, submit) = row.signed.zip(row.submit)?;
    let tree = Tree { size: signed.seen.0.0, root: signed.seen.1 };
    Some(SubmitSignature { submit, tree, signature: signed.signature })
}

/// The last submission of each seat below the close.
pub(super) fn counting(received: &[Received]) -> Vec<Seal> {
    let last = |seat: Seat| {
        let mut rows = received.iter().filter(|row| row.seat == sealer(seat) && !row.closes());
        rows.next_back().map(|row| Seal {
            seat,
            ordinal: u32::from(row.ordinal.0),
            came: row.at,
            commitments: row.commitments.clone(),
            sent_by: row.sent_by.clone(),
            signature: signature(row),
        })
    };
    Seat::BOTH.into_iter().filter_map(last).collect()
}
