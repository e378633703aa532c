//! The key of a seat. Browsers offer one with their first answer, and the one that signed the seat's first entered answer
//! enters with it. Until then a newer key takes the place of an older one; a seat that sent anything without a key has none.

use engine::{BySeat, Seat};
use ledger::{DecisionId, Hash, MatchId, PlayerId, PlayerKey};
use record::body::{LinkAct, Mode, SeatWord};
use record::words::sentence;
use record::write::{self, NO_KEYS, NewKey, WaitingKeys, WriteError};
use record::{History, SealGrade, SignedSubmission, Vouching};
use store::StoredSubmission;
use store::accounts::player_sessions;
use store::matches::waiting_keys::{self, WaitingKey};

use super::Seats;
use crate::account::Token;
use crate::account::player::{SeatAccess, SeatRef};
use crate::error::AppError;
use crate::recorder::{Recorder, by, signature};
use crate::scope::Scope;

/// The seat's key is another one.
const OTHER_KEY: WriteError =
    WriteError::NotNow("this seat has a key already, and keeps it until the end of the match");

/// The other seat has this key.
const SAME_KEY: WriteError = WriteError::NotNow("the other seat has this key, and each seat has a key of its own");

/// The seat plays without a key.
const NO_KEY: WriteError = WriteError::NotNow(
    "your seat has sent a move without a key, so it plays without one: moves are sealed by the server, unsigned",
);

/// A newer link to the seat has a key.
const ENDED_KEY: WriteError = WriteError::NotNow(
    "a newer link to your seat signs for it, so this browser does not: moves from here are sealed by the server, unsigned",
);

/// A seat's key as it was handed in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubmittedKey {
    /// The key.
    pub(crate) key: PlayerKey,
    /// The registered player who vouches for it.
    pub(crate) vouching: Option<Vouching>,
    /// The number of the link by which it came.
    link: Option<u32>,
}

/// The questions whose answers can be shown once the next entries are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// Those that are closed.
    Closed,
    /// All: the open ones are taken away.
    All,
}

/// The key with which a seat signs.
#[derive(Clone, Debug, Default)]
pub struct SigningKey {
    /// The key in the record, or else the newest that a browser offered.
    pub key: Option<PlayerKey>,
    /// True if it is in the record.
    pub entered: bool,
    /// The reason why what comes through this link is unsigned; none if it may sign.
    pub unsigned: Option<String>,
}

impl Seats {
    /// Offers a seat's key, for the browser of a cookie, with the registered player who vouches for it. Offering the same
    /// key again changes nothing. Where another one is in the record it is refused, and the record and the seat are told.
    ///
    /// # Errors
    /// The seat has another key or plays without one, the other seat has this one, the match takes none, or the database.
    pub async fn register_key(
        &self,
        access: SeatAccess,
        cookie: &Token,
        key: PlayerKey,
        vouching: Option<Vouching>,
    ) -> Result<(), AppError> {
        let seat_ref @ SeatRef { match_id, seat } = access.seat_ref;
        let history = self.recorder.settle(match_id).await?;
        match history.keys[seat] {
            Some(entered) if entered.key == key => return Ok(()),
            Some(_) => {
                let now = self.system.now().to_utc();
                if player_sessions::note_refused_key(self.logs.pool(), &cookie.hash(), now).await? {
                    self.note(access, LinkAct::Refused).await?;
                }
                return Err(OTHER_KEY.into());
            }
            None => {}
        }
        // Nothing is entered now: this is whether the match takes a key at all.
        let new = NewKey { seat, key, vouching };
        self.recorder.compose(match_id, &by(seat_ref), |context| write::register(context, &history, new, 0))?;
        let waiting = self.recorder.waiting_keys(match_id).await?;
        if waiting[seat.other()].iter().any(|other| other.key == key) {
            return Err(SAME_KEY.into());
        }
        if self.recorder.sent_without_key(&history, seat).await? {
            return Err(NO_KEY.into());
        }
        if is_ended(&waiting[seat], access) {
            return Err(ENDED_KEY.into());
        }
        let entered = history.keys.each().into_iter().filter_map(|(_, key)| key.as_ref()?.vouching.player());
        let offered = waiting.each().into_iter().flat_map(|(_, keys)| keys).filter_map(|other| other.vouching);
        let vouchers: Vec<PlayerId> = offered.chain(vouching).map(|vouching| vouching.player).chain(entered).collect();
        if let Some(why) = self.recorder.foreign_key(&history, &key, vouchers).await? {
            return Err(why.into());
        }
        if let Some(vouching) = &vouching {
            self.check_vouching(&history, seat_ref, key, vouching).await?;
        }
        let waits = WaitingKey {
            seat: seat.word().to_owned(),
            key,
            vouching: vouching.map(|vouching| vouching.to_string()),
            link: access.link.and_then(|link| i32::try_from(link).ok()),
        };
        let log_id = Scope::of(match_id).log_id();
        Ok(waiting_keys::add(self.logs.pool(), (log_id, match_id), &waits, self.system.now().to_utc()).await?)
    }

    /// The key with which a seat signs what comes through a link.
    ///
    /// # Errors
    /// The database.
    pub async fn signing_key(&self, history: &History, access: SeatAccess) -> Result<SigningKey, AppError> {
        let SeatRef { match_id, seat } = access.seat_ref;
        if let Some(entered) = history.keys[seat] {
            return Ok(SigningKey { key: Some(entered.key), entered: true, unsigned: None });
        }
        if !history.is_live() || history.is_ended() {
            return Ok(SigningKey::default());
        }
        if self.recorder.sent_without_key(history, seat).await? {
            return Ok(SigningKey { unsigned: Some(sentence(&NO_KEY.to_string())), ..SigningKey::default() });
        }
        let waiting = &self.recorder.waiting_keys(match_id).await?[seat];
        let unsigned = is_ended(waiting, access).then(|| sentence(&ENDED_KEY.to_string()));
        Ok(SigningKey { key: waiting.last().map(|newest| newest.key), entered: false, unsigned })
    }
}

/// True if a key of a newer link ends those of this one.
fn is_ended(waiting: &[SubmittedKey], access: SeatAccess) -> bool {
    waiting.iter().any(|other| other.link > access.link)
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

    /// The keys that may sign what comes through a link: the one in the record, or those that wait; or the reason why none
    /// may.
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
    async fn sent_without_key(&self, history: &History, seat: Seat) -> Result<bool, AppError> {
        let entered = history.seals.iter().any(|seal| {
            seal.whose == seat.into() && seal.grade == Some(SealGrade::Escrow) && history.keys[seat].is_none()
        });
        Ok(entered || self.sent_rows(history, seat).await?.iter().any(|(_, row)| !row.closes() && row.signed.is_none()))
    }

    /// All that a seat itself sent, in the order of the questions.
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
