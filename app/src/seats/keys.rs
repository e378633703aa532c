//! The key of a seat: registered when its page is opened. While a question is open it waits, so that its entry does not
//! tell when a seat begins to answer.

use std::sync::Arc;

use engine::{BySeat, Seat};
use ledger::{MatchId, PlayerId, PlayerKey};
use record::body::LinkAct;
use record::write::{self, WriteError};
use record::{History, Vouching};
use store::accounts::player_sessions;
use store::matches::waiting_keys::{self, WaitingKey};

use super::Seats;
use crate::account::Token;
use crate::account::player::{SeatAccess, SeatRef};
use crate::error::AppError;
use crate::recorder::{Recorder, by};
use crate::scope::Scope;

/// The seat's key is another one.
const OTHER_KEY: WriteError =
    WriteError::NotNow("this seat has a key already, and keeps it until the end of the match");

/// The other seat has this key.
const SAME_KEY: WriteError = WriteError::NotNow("the other seat has this key, and each seat has a key of its own");

/// A seat's key as it was handed in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubmittedKey {
    /// The key.
    pub(crate) key: PlayerKey,
    /// The registered player who vouches for it.
    pub(crate) vouching: Option<Vouching>,
}

impl Seats {
    /// Registers a seat's key, for the browser of a cookie, with the registered player who vouches for it. Registering the
    /// same key again changes nothing. Another key is refused, and the record and the seat are told.
    ///
    /// # Errors
    /// The seat has another key, the other seat has this one, the match takes none, or the database.
    pub async fn register_key(
        &self,
        access: SeatAccess,
        cookie: &Token,
        key: PlayerKey,
        vouching: Option<Vouching>,
    ) -> Result<(), AppError> {
        let seat_ref = access.seat_ref;
        let history = self.recorder.settle(seat_ref.match_id).await?;
        let registered = history.keys[seat_ref.seat].map(|registered| registered.key).or(access.waiting_key);
        match registered {
            None => {
                let other = seat_ref.seat.other();
                let waiting = self.recorder.waiting_keys(seat_ref.match_id).await?[other];
                if history.keys[other].map(|other| other.key).or(waiting.map(|other| other.key)) == Some(key) {
                    return Err(SAME_KEY.into());
                }
                if let Some(vouching) = &vouching {
                    self.check_vouching(&history, seat_ref, key, vouching).await?;
                }
                self.add_key(seat_ref, SubmittedKey { key, vouching }).await
            }
            Some(registered) if registered == key => Ok(()),
            Some(_) => {
                let now = self.system.now().to_utc();
                if player_sessions::note_refused_key(self.logs.pool(), &cookie.hash(), now).await? {
                    self.note(access, LinkAct::Refused).await?;
                }
                Err(OTHER_KEY.into())
            }
        }
    }

    async fn add_key(&self, seat_ref: SeatRef, submitted: SubmittedKey) -> Result<(), AppError> {
        let SeatRef { match_id, seat } = seat_ref;
        let SubmittedKey { key, vouching } = submitted;
        let mut waits = false;
        self.recorder
            .append_quietly(match_id, &by(seat_ref), |context, history| {
                let written = write::register(context, history, write::NewKey { seat, key, vouching }, 0)?;
                waits = !history.open.is_empty();
                Ok(if waits { write::NewEntries::default() } else { written })
            })
            .await?;
        if !waits {
            return Ok(());
        }
        let (log_id, now) = (Scope::of(match_id).log_id(), self.system.now().to_utc());
        let vouching = vouching.map(|vouching| vouching.to_string());
        let waits = WaitingKey { seat: seat.word().to_owned(), key, vouching };
        waiting_keys::add(self.logs.pool(), (log_id, match_id), &waits, now).await?;
        // Another browser may have been first.
        match self.recorder.waiting_keys(match_id).await?[seat] {
            Some(first) if first.key != key => Err(OTHER_KEY.into()),
            _ => Ok(()),
        }
    }
}

impl Recorder {
    /// The keys that came for the seats of a match while a question was open; also those that have entered since.
    pub(crate) async fn waiting_keys(&self, match_id: MatchId) -> Result<BySeat<Option<SubmittedKey>>, AppError> {
        let rows = waiting_keys::of_match(self.logs.pool(), Scope::of(match_id).log_id(), match_id).await?;
        let submitted = |row: &WaitingKey| SubmittedKey {
            key: row.key,
            vouching: row.vouching.as_deref().and_then(|vouching| vouching.parse().ok()),
        };
        Ok(BySeat::from_fn(|seat: Seat| rows.iter().find(|row| row.seat == seat.word()).map(submitted)))
    }

    /// Enters the keys that wait, now that a question has closed and before its answers enter. A crash behind it leaves a
    /// closed question, which the next caller settles.
    pub(crate) async fn enter_waiting_keys(&self, history: &Arc<History>) -> Result<Arc<History>, AppError> {
        let match_id = history.match_id;
        if !history.is_live() || Seat::BOTH.iter().all(|seat| history.keys[*seat].is_some()) {
            return Ok(history.clone());
        }
        let waiting = self.waiting_keys(match_id).await?;
        let mut written = write::NewEntries::default();
        // The keys of both seats, and who vouches: two keys that came at one moment may be the same, or one player's.
        let registered: Vec<_> = history.keys.each().into_iter().filter_map(|(_, key)| key.as_ref()).collect();
        let mut keys: Vec<PlayerKey> = registered.iter().map(|registered| registered.key).collect();
        let mut players: Vec<PlayerId> =
            registered.iter().filter_map(|registered| registered.vouching.player()).collect();
        for (seat, submitted) in waiting.each() {
            let new = submitted.filter(|new| history.keys[seat].is_none() && !keys.contains(&new.key));
            let Some(SubmittedKey { key, vouching }) = new else {
                continue;
            };
            keys.push(key);
            let vouching = vouching.filter(|vouching| !players.contains(&vouching.player));
            players.extend(vouching.map(|vouching| vouching.player));
            let author = by(SeatRef { match_id, seat });
            let (key, n) = (write::NewKey { seat, key, vouching }, written.drafts.len());
            let entry = self.compose(match_id, &author, |context| write::register(context, history, key, n))?;
            written.drafts.extend(entry.drafts);
            written.texts.extend(entry.texts);
        }
        if written.drafts.is_empty() {
            return Ok(history.clone());
        }
        self.append(match_id, history.head, written, None).await?;
        self.matches.history(match_id).await
    }
}

impl SeatAccess {
    /// The key with which this seat signs from now on: the one in the record, or the one that waits to enter.
    #[must_use]
    pub fn key(&self, history: &History) -> Option<PlayerKey> {
        history.keys[self.seat_ref.seat].map(|registered| registered.key).or(self.waiting_key)
    }
}
