//! Sealing what the seats sent.

use engine::{BySeat, Seat};
use ledger::{DecisionId, Hash, Moment, SealMessage};

use super::{Desk, WriteError, Written, place};
use crate::body::{Body, Sealed, Seated};
use crate::history::History;
use crate::secret::Secret;

/// What an umpire typed for a decision: a seat's move, or `-` where nothing came. None for a seat that is not asked.
pub type Sealing<'m> = BySeat<Option<&'m str>>;

/// Seals the moves of a decision, one entry a seat that sent something. They are checked first, and refused where the
/// rules refuse them.
///
/// # Errors
/// The decision is not open, a seat's move is missing, or a move is refused.
pub fn seal(
    desk: &mut Desk<'_>,
    history: &History,
    decision: &DecisionId,
    moves: Sealing<'_>,
    came: Moment,
) -> Result<Written, WriteError> {
    let open = history.open.iter().find(|open| open.asked.decision == *decision);
    let open = open.ok_or(WriteError::NotNow("this decision is not open any more"))?;
    let (asked, leaf): (_, Hash) = (&open.asked, open.leaf);
    if !open.sealed.is_empty() {
        return Err(WriteError::NotNow("this decision is sealed already, and waits to be resolved"));
    }
    let mut written = Written::default();
    for seat in Seat::BOTH {
        if !asked.seats.contains(&Seated(seat)) {
            continue;
        }
        let text =
            moves[seat].ok_or(WriteError::Missing("a move, or - for none, is due from every seat that is asked"))?;
        let values = history.duel().split(seat, &asked.what, text)?;
        if text.trim() == "-" {
            continue;
        }
        let seq = place(history, written.drafts.len());
        let mut commitments = Vec::with_capacity(values.len());
        for ((_, value), field) in values.into_iter().zip(&asked.fields) {
            let key = desk.key();
            let message = SealMessage {
                origin: desk.origin,
                match_id: desk.match_id,
                decision,
                seat: Seated(seat).sealer(),
                field,
                asked: leaf,
                value: &value,
            };
            commitments.push(message.seal(&key)?);
            written.secrets.push((seq, field.clone(), Secret { key, value }));
        }
        let decision = decision.clone();
        let sealed = Sealed { decision, seat: Seated(seat), ordinal: 1, came, commitments };
        written.drafts.push(desk.draft(&Body::Sealed(sealed)));
    }
    Ok(written)
}
