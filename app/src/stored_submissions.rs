//! Stored submissions for a decision.

use engine::Seat;
use record::body::SeatWord;
use store::StoredSubmission;

#[must_use]
pub fn last_of(rows: &[StoredSubmission], seat: Seat) -> Option<&StoredSubmission> {
    rows.iter().rfind(|row| row.seat == SeatWord(seat).sealer() && !row.closes())
}
