//! The keys that were offered for the seats of a match and wait, and which of them enter with the next entries.

use engine::{BySeat, Seat};
use ledger::{DecisionId, Hash, MatchId, PlayerKey};
use record::body::{Mode, SeatWord};
use record::write::{self, NO_KEYS, NewKey, WaitingKeys, WriteError};
use record::{History, SealGrade, SignedSubmission, Vouching};
use store::StoredSubmission;
use store::matches::waiting_keys::{self, WaitingKey};

use super::{Recorder, by, signature};
use crate::account::player::{SeatAccess, SeatRef};
use crate::error::AppError;
use crate::scope::Scope;

pub(crate) const NO_KEY: WriteError = WriteError::NotNow(
    "your seat has sent a move without a key, so it plays without one: moves are sealed by the server, unsigned",
);

#[derive(Clone, Copy, Debug)]
pub(crate) struct SubmittedKey {
    pub(crate) key: PlayerKey,
    pub(crate) vouching: Option<Vouching>,
    pub(crate) link: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    Closed,
    /// All: the open ones are taken away.
    All,
}

impl Recorder {
    /// The keys that came for the seats of a match, oldest first; also those that have entered since.
    pub(crate) async fn waiting_keys(&self, match_id: MatchId) -> Result<BySeat<Vec<SubmittedKey>>, AppError> {
        let rows = waiting_keys::of_match(self.logs.pool(), Scope::of(match_id).log_id(), match_id).await?;
        let submitted = |row: &WaitingKey| SubmittedKey {
            key: row.key,
            vouching: row.vouching.as_deref().and_then(|vouching| vouching.parse().ok()),
            link: row.link.and_then(|link| u32::try_from(link).ok()),
        };
        let of = |seat: Seat| rows.iter().filter(|row| row.seat == seat.word()).map(submitted).collect();
        Ok(BySeat::from_fn(of))
    }

    pub(crate) async fn keys_of(
        &self,
        history: &History,
        access: SeatAccess,
    ) -> Result<Result<Vec<PlayerKey>, WriteError>, AppError> {
        let SeatRef { match_id, seat } = access.seat_ref;
        if let Some(entered) = history.keys[seat] {
            return Ok(Ok(vec![entered.key]));
        }
        if self.sent_without_key(history, seat).await? {
            return Ok(Err(NO_KEY));
        }
        // A key of a newer link ends those of older ones.
        let waiting = &self.waiting_keys(match_id).await?[seat];
        let newest = waiting.iter().map(|waiting| waiting.link).max();
        Ok(Ok(waiting.iter().filter(|waiting| Some(waiting.link) == newest).map(|waiting| waiting.key).collect()))
    }

    /// True if a seat sent a move, and not with a key: it plays without one. Otherwise whoever makes a second link could
    /// sign for a player who does not.
    pub(crate) async fn sent_without_key(&self, history: &History, seat: Seat) -> Result<bool, AppError> {
        let entered = history.seals.iter().any(|seal| {
            seal.whose == seat.into() && seal.grade == Some(SealGrade::Escrow) && history.keys[seat].is_none()
        });
        Ok(entered || self.sent_rows(history, seat).await?.iter().any(|(_, row)| !row.closes() && row.signed.is_none()))
    }

    async fn sent_rows(&self, history: &History, seat: Seat) -> Result<Vec<(DecisionId, StoredSubmission)>, AppError> {
        let (match_id, decisions) = (history.match_id, history.questions.keys().cloned().collect::<Vec<_>>());
        let rows = self.logs.store(match_id).submissions_of(match_id, SeatWord(seat).sealer(), &decisions).await?;
        let author = by(SeatRef { match_id, seat });
        let mut own: Vec<_> =
            rows.into_iter().filter(|(_, row)| row.closes() || row.sent_by.as_ref() == Some(&author)).collect();
        own.sort_by_key(|(decision, row)| (history.questions.get(decision).map(|asked| asked.entry), row.ordinal.0));
        Ok(own)
    }

    /// The key that signed the last answer of a seat to a question that is over; none if it sent any without a key. What
    /// is still open tells nothing.
    async fn signer(
        &self,
        history: &History,
        seat: Seat,
        waiting: &[SubmittedKey],
        over: Over,
    ) -> Result<Option<SubmittedKey>, AppError> {
        if waiting.is_empty() {
            return Ok(None);
        }
        let mut rows = self.sent_rows(history, seat).await?;
        let is_open = |decision: &DecisionId| {
            let is_there = history.open.iter().any(|open| open.asked.decision == *decision && open.sealed.is_empty());
            over == Over::Closed && is_there && !rows.iter().any(|(other, row)| other == decision && row.closes())
        };
        let open: Vec<DecisionId> = history.questions.keys().filter(|decision| is_open(decision)).cloned().collect();
        rows.retain(|(decision, row)| !row.closes() && !open.contains(decision));
        if rows.iter().any(|(_, row)| row.signed.is_none()) {
            return Ok(None);
        }
        let Some((decision, row)) = rows.last() else { return Ok(None) };
        let asked = history.questions.get(decision).map_or(Hash::ZERO, |question| question.leaf);
        let Some(signature) = signature(row) else { return Ok(None) };
        let (commitments, is_final) = (&row.commitments[..], row.is_final);
        let sent = SignedSubmission { seat, decision, asked, commitments, is_final, signature };
        Ok(waiting.iter().find(|waiting| sent.check(history, &waiting.key).is_ok()).copied())
    }

    /// The keys that wait, for the next entries of a match: those that take open questions away, or show an answer, enter
    /// them. After a close they are read behind its rows, so no signature comes before its key.
    pub(crate) async fn keys_to_enter(&self, history: &History, over: Over) -> Result<WaitingKeys, AppError> {
        let mut keys = NO_KEYS.clone();
        if history.opened.mode != Mode::Live || history.keys.each().into_iter().all(|(_, key)| key.is_some()) {
            return Ok(keys);
        }
        let waiting = self.waiting_keys(history.match_id).await?;
        for seat in Seat::BOTH.into_iter().filter(|seat| history.keys[*seat].is_none()) {
            let signer = self.signer(history, seat, &waiting[seat], over).await?;
            keys[seat] = signer.map(|SubmittedKey { key, vouching, .. }| {
                // Everybody reads that another browser had offered a key.
                let others = waiting[seat].iter().filter(|other| other.key != key).filter_map(|other| other.link);
                write::WaitingKey { new: NewKey { seat, key, vouching }, others: others.collect() }
            });
        }
        Ok(keys)
    }
}
