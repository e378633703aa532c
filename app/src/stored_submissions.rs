//! Stored submissions for a decision.

use engine::Seat;
use record::body::SeatWord;
use store::StoredSubmission;

/// The last submission of a seat for a decision, if there is one.
#[must_use]
pub fn last_of(rows: &[StoredSubmission], seat: Seat) -> Option<&StoredSubmission> {
    rows.iter().rfind(|row| row.seat == SeatWord(seat).sealer() && !row.closes())
}
