//! Private links to seats. The token is derived from the umpire's form and a key of this installation, so the same form sent
//! again shows the same link.

use engine::Seat;
use ledger::MatchId;

use super::Seats;
use crate::account::Token;
use crate::account::player::{self, SeatRef};
use crate::act::Act;
use crate::error::AppError;

impl Seats {
    /// Makes a link to a seat.
    ///
    /// # Errors
    /// The database.
    pub async fn invite(&self, act: &Act, match_id: MatchId, seat: Seat) -> Result<Token, AppError> {
        let match_name = match_id.to_string();
        let parts = ["player-link", &match_name, &act.form.to_string(), seat.word()];
        let token = Token::of(*self.vault.digest(&parts.map(str::as_bytes)).bytes());
        let seat_ref = SeatRef { match_id, seat };
        player::make_link_once(self.logs.pool(), &self.system, seat_ref, &token)
            .await
            .map_err(AppError::from_account)?;
        Ok(token)
    }
}
