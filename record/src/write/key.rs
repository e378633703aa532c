//! A seat's key.

use engine::Seat;
use ledger::PlayerKey;

use super::{NewEntries, WriteContext, WriteError, place};
use crate::body::{Body, Key, Mode, SeatWord};
use crate::history::History;
use crate::vouching::{PLAYER, Vouching};

/// A seat's key, with the registered player who vouches for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewKey {
    /// The seat.
    pub seat: Seat,
    /// The key.
    pub key: PlayerKey,
    /// The vouching. The caller has checked its signature against the player's chain.
    pub vouching: Option<Vouching>,
}

/// Registers a seat's key, as the n-th entry of an append. From then on only submissions signed with it count for the
/// seat.
///
/// # Errors
/// The players do not submit by themselves, or the seat has a key, or the other one has this key.
pub fn register(
    context: &mut WriteContext<'_>,
    history: &History,
    NewKey { seat, key, vouching }: NewKey,
    n: usize,
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
    if history.keys[seat.other()].is_some_and(|other| other.key == key) {
        return Err(WriteError::NotNow("the other seat has this key, and each seat has a key of its own"));
    }
    if vouching.is_some() && history.opened.rules < 2 {
        return Err(WriteError::NotNow("in a match under rules 1 nobody vouches for a key"));
    }
    let mut written = NewEntries::default();
    let player = vouching.map(|vouching| context.word(&mut written, place(history, n), PLAYER, &vouching.to_string()));
    let body = Body::Key(Key { seat: SeatWord(seat), key, player: player.transpose()? });
    written.drafts.push(context.draft(&body));
    Ok(written)
}
