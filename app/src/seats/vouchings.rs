//! The judgement of a vouching, before it enters with a seat's key. It is the one of every verifier.

use engine::Seat;
use ledger::{PlayerKey, VouchRequest};
use record::body::SeatWord;
use record::write::WriteError;
use record::{History, VouchPlaces, Vouching};

use super::Seats;
use crate::account::player::SeatRef;
use crate::error::AppError;

impl Seats {
    #[must_use]
    pub fn vouch_request(&self, history: &History, seat: Seat, session: PlayerKey) -> VouchRequest {
        VouchRequest { match_id: history.match_id, seat: SeatWord(seat).sealer(), opened: history.opened_leaf, session }
    }

    pub(super) async fn check_vouching(
        &self,
        history: &History,
        SeatRef { match_id, seat }: SeatRef,
        session: PlayerKey,
        vouching: &Vouching,
    ) -> Result<(), AppError> {
        let refused = |why| Err(WriteError::NotNow(why).into());
        if history.origin.is_practice() {
            return refused("a practice match is no record, so nobody vouches for a key in it");
        }
        let other = history.keys[seat.other()].and_then(|key| key.vouching.player());
        let waiting = &self.recorder.waiting_keys(match_id).await?[seat.other()];
        let mut waiting = waiting.iter().filter_map(|key| key.vouching);
        if other == Some(vouching.player) || waiting.any(|other| other.player == vouching.player) {
            return refused("this player has vouched for the other seat of this match, and nobody plays both");
        }
        let public_log = &self.recorder.public_log;
        let Some(stored) = public_log.chain(vouching.player).await? else {
            return refused("no player is registered under this id");
        };
        let opened = self.recorder.logs.store(match_id).first_entry(match_id).await?.ok_or(AppError::NoMatch)?.index;
        let before = public_log.signed_before(opened).await?.map(|signed| signed.tree.size).unwrap_or_default();
        let places = stored.places();
        let places = VouchPlaces { chain: &places, opened, before };
        let request = self.vouch_request(history, seat, session);
        vouching.key_of(&history.origin, &stored.chain, places, request).map_err(WriteError::Vouch)?;
        Ok(())
    }
}
