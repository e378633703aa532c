//! The key of a seat. Browsers offer one with their first answer, and the one that signed the seat's first entered answer
//! enters with it. Until then a newer key takes the place of an older one; a seat that sent anything without a key has none.

use ledger::{PlayerId, PlayerKey};
use record::body::LinkAct;
use record::words::sentence;
use record::write::{self, NewKey, WriteError};
use record::{History, Vouching};
use store::accounts::player_sessions;
use store::matches::waiting_keys::{self, WaitingKey};

use super::Seats;
use crate::account::Token;
use crate::account::player::{SeatAccess, SeatRef};
use crate::error::AppError;
use crate::recorder::{NO_KEY, SubmittedKey, by};
use crate::scope::Scope;

const OTHER_KEY: WriteError =
    WriteError::NotNow("this seat has a key already, and keeps it until the end of the match");

const SAME_KEY: WriteError = WriteError::NotNow("the other seat has this key, and each seat has a key of its own");

const ENDED_KEY: WriteError = WriteError::NotNow(
    "a newer link to your seat signs for it, so this browser does not: moves from here are sealed by the server, unsigned",
);

#[derive(Clone, Debug, Default)]
pub struct SigningKey {
    pub key: Option<PlayerKey>,
    pub entered: bool,
    pub unsigned: Option<String>,
}

impl Seats {
    /// Offers a seat's key, for the browser of a cookie, with the registered player who vouches for it. Offering the same
    /// key again changes nothing. Where another one is in the record it is refused, and the record and the seat are told.
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

fn is_ended(waiting: &[SubmittedKey], access: SeatAccess) -> bool {
    waiting.iter().any(|other| other.link > access.link)
}
