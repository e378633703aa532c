//! This seat's answers that came after their questions were closed, and what became of them.

use app::recorder::{LateFate, LateInput};
use record::History;
use record::words::row_words;

use super::player::Player;
use crate::http::Problem;
use crate::page::When;

/// The most of them on the page.
const SHOWN: usize = 3;

/// An answer that came too late.
#[derive(Debug)]
pub(super) struct LateAnswer {
    /// Such as "Round 3".
    pub(super) round: String,
    pub(super) text: String,
    pub(super) sent: When,
    /// True if the umpire let it count.
    pub(super) counts: bool,
}

/// What was sent too late to any question of the match, by either seat: what becomes of it is not told to both.
pub(super) async fn late_inputs(player: &Player, history: &History) -> Result<Vec<LateInput>, Problem> {
    if !history.is_live() {
        return Ok(Vec::new());
    }
    Ok(player.app.recorder.all_late_inputs(history.match_id).await?)
}

/// The last ones of this seat, newest first.
pub(super) fn late_answers(player: &Player, history: &History, late: &[LateInput]) -> Vec<LateAnswer> {
    let (seat, now) = (player.chair.seat, player.app.system().now());
    let rows = history.rows();
    let mine = late.iter().rev().filter(|late| late.seat == seat);
    let mine = mine.filter(|late| !history.open.iter().any(|open| open.asked.decision == late.decision));
    let shown = mine.filter_map(|late| {
        let (counts, step) = match late.fate(history) {
            LateFate::Counts => (true, None),
            LateFate::Left(step) => (false, step),
            LateFate::Struck => return None,
        };
        let row = rows.iter().find(|row| row.steps.iter().any(|other| Some(other.number) == step));
        Some(LateAnswer {
            round: row.map_or_else(|| "Your move".to_owned(), |row| row_words(&row.label)),
            text: late.text().to_owned(),
            sent: When::second_on(late.sent, now),
            counts,
        })
    });
    shown.take(SHOWN).collect()
}
