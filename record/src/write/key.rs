//! A seat's key.

use engine::{BySeat, Seat};
use ledger::{Author, PlayerId, PlayerKey};

use super::{NewEntries, WriteContext, WriteError, link, place};
use crate::body::{Body, Key, LinkAct, Mode, SeatWord};
use crate::history::History;
use crate::vouching::{PLAYER, Vouching};

/// The keys that wait to enter with whatever takes a question away or shows an answer: each signed the seat's answers so far.
pub type WaitingKeys = BySeat<Option<WaitingKey>>;

/// Nobody's.
pub static NO_KEYS: WaitingKeys = BySeat { p1: None, p2: None };

/// A key that waits.
#[derive(Clone, Debug)]
pub struct WaitingKey {
    /// The key.
    pub new: NewKey,
    /// The links by which other keys of the seat came. Everybody reads that they were offered.
    pub others: Vec<u32>,
}

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
    if history.opened.host_key == key.to_string() {
        return Err(WriteError::NotNow("this is the host's own key, and each seat has a key of its own"));
    }
    let mut written = NewEntries::default();
    let player = vouching.map(|vouching| context.word(&mut written, place(history, n), PLAYER, &vouching.to_string()));
    let body = Body::Key(Key { seat: SeatWord(seat), key, player: player.transpose()? });
    written.drafts.push(context.draft(&body));
    Ok(written)
}

impl WriteContext<'_> {
    /// Adds the keys that wait, and returns the key of each seat from then on. Whoever calls this takes the open questions
    /// away, or answers follow. Of two equal keys that came at one moment only the first enters, and a player vouches for
    /// one seat.
    pub(super) fn enter_keys(
        &mut self,
        written: &mut NewEntries,
        history: &History,
    ) -> Result<BySeat<Option<PlayerKey>>, WriteError> {
        let mut keys = history.keys.map(|key| key.map(|key| key.key));
        if history.opened.mode != Mode::Live || history.is_ended() {
            return Ok(keys);
        }
        let registered = history.keys.each().into_iter().filter_map(|(_, key)| key.as_ref());
        let mut players: Vec<PlayerId> = registered.filter_map(|key| key.vouching.player()).collect();
        let waits = self.waiting;
        for (seat, waiting) in waits.each() {
            let is_new = |waiting: &&WaitingKey| keys[seat].is_none() && keys[seat.other()] != Some(waiting.new.key);
            let Some(WaitingKey { new, others }) = waiting.as_ref().filter(is_new) else { continue };
            let new = NewKey { vouching: new.vouching.filter(|vouching| !players.contains(&vouching.player)), ..*new };
            players.extend(new.vouching.map(|vouching| vouching.player));
            let by = if seat == Seat::P1 { Author::P1 } else { Author::P2 };
            let mut own = WriteContext { by, entropy: &mut *self.entropy, ..*self };
            let entry = register(&mut own, history, new, written.drafts.len())?;
            written.drafts.extend(entry.drafts);
            written.texts.extend(entry.texts);
            let server = WriteContext { by: Author::Server, entropy: &mut *self.entropy, ..*self };
            for other in others {
                written.drafts.extend(link(&server, history, seat, *other, LinkAct::Refused)?.drafts);
            }
            keys[seat] = Some(new.key);
        }
        Ok(keys)
    }
}
