//! The only writer of matches: one act at a time on each match, on the head that its author saw.
//!
//! Each step says what a crash there would mean. [`Recorder::settle`] finishes an act that was cut short, at the next act
//! on the match or at the next start.

mod closing;
mod early_close;
mod entropy;
mod heartbeat;
mod host_acts;
mod late;
mod lost_submissions;
mod openings;
mod put_back;
mod rounds;
mod seat_keys;
mod wait_list;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ledger::{Author, Head, MatchId, Sealer};
use record::body::Tree;
use record::write::{NO_KEYS, NewEntries, WaitingKeys, WriteContext, WriteError};
use record::{History, Secrets};
use sha2::{Digest, Sha256};
use store::{Append, AppendResult, Counts, Submission, SubmissionQueue, Submit, Writer};
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::timeout;

pub use closing::asks;
pub(crate) use early_close::{CloseRule, told_closer};
pub(crate) use late::sent_at;
pub use late::{LateFate, LateInput, is_late};
pub(crate) use lost_submissions::{entered, is_opening, openings_of};
pub(crate) use rounds::{counting, sealer, sealer_of, signature};
pub(crate) use seat_keys::{NO_KEY, Over, SubmittedKey};
pub(crate) use wait_list::WaitList;

use crate::account::player::SeatRef;
use crate::act::Act;
use crate::archive::Index;
use crate::arrivals::Arrivals;
use crate::due::DueList;
use crate::error::AppError;
use crate::half_hash::first_half;
use crate::heartbeat::Heartbeat;
use crate::live_feed::MatchFeed;
use crate::logs::Logs;
use crate::matches::Matches;
use crate::metrics::Metrics;
use crate::public_log::PublicLog;
use crate::queue::Queue;
use crate::scope::Scope;
use crate::submission_journal::Journal;
use crate::system::System;
use crate::umpires::Permissions;
use crate::vault::Vault;
use entropy::Entropy;

pub(crate) const PATIENCE: Duration = Duration::from_secs(15);
pub(crate) const LISTED_AT_ONCE: usize = 2;
/// Locks that nobody holds are dropped when there are more than this.
const LOCKS_MAX: usize = 10_000;

#[derive(Debug)]
pub struct Recorder {
    pub(crate) logs: Arc<Logs>,
    pub(crate) matches: Arc<Matches>,
    pub(crate) public_log: Arc<PublicLog>,
    pub(crate) index: Arc<Index>,
    pub(crate) vault: Vault,
    pub(crate) system: Arc<System>,
    pub(crate) arrivals: Arc<Arrivals>,
    pub(crate) due: Arc<DueList>,
    pub(crate) feed: Arc<MatchFeed>,
    pub(crate) heartbeat: Arc<Heartbeat>,
    pub(crate) metrics: Metrics,
    pub(crate) journal: Arc<Journal>,
    pub(crate) writer: Writer,
    pub(crate) submissions: SubmissionQueue,
    pub(crate) permissions: Permissions,
    /// One act at a time for each match, on this node. Between nodes the expected head decides.
    pub(crate) locks: MatchLocks,
    pub(crate) waits: WaitList,
    pub(crate) list_turns: Queue,
}

#[derive(Debug, Default)]
pub(crate) struct MatchLocks(Mutex<HashMap<MatchId, Arc<AsyncMutex<()>>>>);

impl MatchLocks {
    pub(crate) fn of(&self, match_id: MatchId) -> Arc<AsyncMutex<()>> {
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if locks.len() > LOCKS_MAX {
            locks.retain(|_, lock| Arc::strong_count(lock) > 1);
        }
        locks.entry(match_id).or_default().clone()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    Umpires,
    Own,
    Anybodys,
}

pub(crate) trait Write: Fn(&mut WriteContext<'_>, &History, &Secrets) -> Result<NewEntries, WriteError> {}
impl<W: Fn(&mut WriteContext<'_>, &History, &Secrets) -> Result<NewEntries, WriteError>> Write for W {}

impl Recorder {
    pub(crate) async fn act_in(
        &self,
        (match_id, whose): (MatchId, Whose),
        act: &Act,
        seen: Head,
        submit: Submit,
        write: impl Write,
    ) -> Result<Arc<History>, AppError> {
        let lock = self.locks.of(match_id);
        let _guard = lock.lock().await;
        let mut tried = None;
        loop {
            let history = self.settle_locked(match_id, &act.by).await?;
            if self.repeated(match_id, &submit).await? {
                return Ok(history);
            }
            match whose {
                Whose::Umpires if *history.umpire_now() != act.by => return Err(AppError::NotYourMatch),
                Whose::Own => self.permissions.check(&history, &act.by).await?,
                Whose::Umpires | Whose::Anybodys => {}
            }
            // On the same head it is no other node that refuses.
            if !history.allows_act_on(seen) || tried == Some(history.head) {
                return Err(AppError::Overtaken);
            }
            self.not_waiting(&history).await?;
            match self.act_locked(act, &history, submit, &write).await {
                // Another node was first. If it appended only what conflicts with no act, such as the key of a seat, the
                // act is still allowed on the new head.
                Err(AppError::Overtaken) => tried = Some(history.head),
                acted => return acted,
            }
        }
    }

    pub(crate) async fn act_locked(
        &self,
        act: &Act,
        history: &History,
        submit: Submit,
        write: impl Write,
    ) -> Result<Arc<History>, AppError> {
        let match_id = history.match_id;
        let secrets = self.matches.secrets(match_id).await?;
        let form = Some(submit);
        let write = |context: &mut WriteContext<'_>| write(context, history, &secrets);
        let written = self.compose_on((history, Over::All), &act.by, form, write).await?;
        self.append(match_id, history.head, written, Some(submit)).await?;
        // A crash after this leaves decisions open that are not asked any more. That is harmless: every submission is first
        // checked against the history.
        let now = self.matches.history(match_id).await?;
        self.close_unasked(history, &now).await?;
        self.index.update(match_id).await?;
        self.host_acts(match_id, &act.by).await
    }

    /// One append that no other act conflicts with: on whatever head the match has.
    pub(crate) async fn append_quietly(
        &self,
        match_id: MatchId,
        by: &Author,
        mut write: impl FnMut(&mut WriteContext<'_>, &History) -> Result<NewEntries, WriteError>,
    ) -> Result<Arc<History>, AppError> {
        let lock = self.locks.of(match_id);
        let _guard = lock.lock().await;
        loop {
            let history = self.settle_locked(match_id, &Author::Server).await?;
            let written = self.compose(match_id, by, |context| write(context, &history))?;
            if written.drafts.is_empty() {
                return Ok(history);
            }
            match self.append(match_id, history.head, written, None).await {
                // Another node was first: the next head is its own. Each turn means that somebody else got on.
                Err(AppError::Overtaken) => {}
                appended => {
                    appended?;
                    return self.indexed(match_id).await;
                }
            }
        }
    }

    pub(crate) async fn repeated(&self, match_id: MatchId, submit: &Submit) -> Result<bool, AppError> {
        match self.logs.store(match_id).submitted(submit).await? {
            Some(false) => Err(AppError::SubmitReused),
            Some(true) => Ok(true),
            None => Ok(false),
        }
    }

    pub(crate) async fn append(
        &self,
        match_id: MatchId,
        expected: Head,
        written: NewEntries,
        submit: Option<Submit>,
    ) -> Result<AppendResult, AppError> {
        self.accepts()?;
        let log_id = Scope::of(match_id).log_id();
        let texts = written.texts.into_iter().map(|(commitment, text)| store::Text {
            commitment,
            key: text.key,
            text: text.text,
        });
        let texts = texts.collect();
        // Openings first: a crash in between leaves openings that no entry mentions. In the other order it would leave
        // entries without openings.
        if let Some(decision) = written.kept_as {
            let commitments: Vec<_> = written.secrets.iter().map(|(commitment, ..)| *commitment).collect();
            let secrets: Vec<_> = written.secrets.into_iter().map(|(_, field, secret)| (field, secret)).collect();
            let seat = Sealer::Host;
            let row = Submission {
                log_id,
                match_id,
                seat,
                at: self.system.now(),
                escrow: Some(self.vault.lock_openings(match_id, &decision, seat, &secrets)?),
                // The same seals are the same row, so attempts that are cut short do not add rows.
                submit: Some(self.vault.submit_of(match_id, &decision, &commitments)),
                sent_by: Author::Host,
                signed: None,
                is_final: false,
                counts: Counts::Last,
                commitments,
                decision,
            };
            timeout(PATIENCE, self.submissions.submit(row)).await.map_err(|_| AppError::Stopped)??;
        }
        // The writer waits as long as the database is away. The caller does not: then it is unknown if this was appended,
        // and the same form can be sent again.
        let append = self.writer.append(Append { log_id, match_id, expected, drafts: written.drafts, texts, submit });
        let late = |_| self.accepts().err().unwrap_or(AppError::Stopped);
        let appended = timeout(PATIENCE, append).await.map_err(late)??;
        self.public_log.appended(match_id, appended.tree.size);
        self.feed.appended(match_id, &appended);
        Ok(appended)
    }

    pub(crate) fn compose<T>(
        &self,
        match_id: MatchId,
        by: &Author,
        write: impl FnOnce(&mut WriteContext<'_>) -> Result<T, WriteError>,
    ) -> Result<T, WriteError> {
        let place = format!("desk/{match_id}/{by}");
        self.compose_with(match_id, by, &NO_KEYS, &mut || self.system.bytes32_for(&place), write)
    }

    pub(crate) async fn compose_on<T>(
        &self,
        (history, over): (&History, Over),
        by: &Author,
        submit: Option<Submit>,
        write: impl FnOnce(&mut WriteContext<'_>) -> Result<T, WriteError>,
    ) -> Result<T, AppError> {
        let waiting = self.keys_to_enter(history, over).await?;
        let mut entropy = Entropy::at(&self.vault, (history.match_id, history.head), by, submit);
        Ok(self.compose_with(history.match_id, by, &waiting, &mut || entropy.next(), write)?)
    }

    /// Makes entries with keys that are derived from the head and the form, so the same attempt makes the same seals.
    /// Attempts that are cut short add no rows, and the host cannot try again for better seals.
    pub(crate) fn compose_repeatable<T>(
        &self,
        (match_id, head): (MatchId, Head),
        by: &Author,
        submit: Option<Submit>,
        write: impl FnOnce(&mut WriteContext<'_>) -> Result<T, WriteError>,
    ) -> Result<T, WriteError> {
        let mut entropy = Entropy::at(&self.vault, (match_id, head), by, submit);
        self.compose_with(match_id, by, &NO_KEYS, &mut || entropy.next(), write)
    }

    fn compose_with<T>(
        &self,
        match_id: MatchId,
        by: &Author,
        waiting: &WaitingKeys,
        entropy: &mut dyn FnMut() -> [u8; 32],
        write: impl FnOnce(&mut WriteContext<'_>) -> Result<T, WriteError>,
    ) -> Result<T, WriteError> {
        let (by, at) = (by.clone(), self.system.now());
        write(&mut WriteContext { origin: self.logs.origin(match_id), match_id, by, at, waiting, entropy })
    }

    /// The id of the match that an act opens. It is derived from the form, so that the form can be sent again.
    pub(crate) fn id_of(&self, scope: Scope, act: &Act) -> MatchId {
        let hash = Sha256::new()
            .chain_update(b"matchbook/match-id/1\n")
            .chain_update(self.logs.in_scope(scope).store.log().origin.as_str())
            .chain_update(act.form.0)
            .finalize();
        scope.match_id(first_half(hash.into()))
    }

    pub(crate) async fn tree(&self, match_id: MatchId) -> Result<Tree, AppError> {
        let head = self.logs.store(match_id).tree_head().await?;
        Ok(Tree { size: head.size.0, root: head.root })
    }

    pub(crate) async fn indexed(&self, match_id: MatchId) -> Result<Arc<History>, AppError> {
        self.index.update(match_id).await?;
        self.matches.history(match_id).await
    }

    /// The history with this head or a later one, after its rows in the lists were updated. Where many decisions close
    /// at once, the lists wait for the players: few matches at a time are written to them.
    async fn indexed_at(&self, match_id: MatchId, head: Head) -> Result<Arc<History>, AppError> {
        // Reading it schedules its next deadlines.
        self.matches.history_at(match_id, head).await?;
        let _turn = self.list_turns.turn().await;
        self.index.update_at(match_id, head).await
    }
}

pub(crate) const fn by(seat_ref: SeatRef) -> Author {
    match seat_ref.seat {
        engine::Seat::P1 => Author::P1,
        engine::Seat::P2 => Author::P2,
    }
}
