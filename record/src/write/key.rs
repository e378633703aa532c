//! A seat's key.

use engine::Seat;
use ledger::PlayerKey;

use super::{NewEntries, WriteContext, WriteError};
use crate::body::{Body, Key, Mode, SeatWord};
use crate::history::History;

/// Registers a seat's key. From then on only submissions signed with it count for the seat.
///
/// # Errors
/// The players do not submit by themselves, or the seat has a key.
pub fn register(
    context: &WriteContext<'_>,
    history: &History,
    seat: Seat,
    key: PlayerKey,
) -> Result<NewEntries, WriteError> {
    if history.opened.mode != Mode::Live {
        return Err(WriteError::NotNow("the umpire types for both seats of this match, so no seat has a key"));
    }
    if history.is_ended() {
        return Err(WriteError::NotNow("the match is ended"));
    }
    if history.keys[seat].is_some() {
        return Err(WriteError::NotNow("this seat has a key already, and keeps it until the end of the match"));
    }
    let body = Body::Key(Key { seat: SeatWord(seat), key });
    Ok(NewEntries { drafts: vec![context.draft(&body)], ..NewEntries::default() })
}
