//! This seat's answers that came too late, and what became of them.

use app::recorder::{LateFate, LateInput};
use app::views::line_words;
use ledger::Seq;
use record::words::row_words;
use record::{History, SheetRow, StepSource};

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
    /// In full words.
    pub(super) words: String,
    /// `arrived`, or `sent` where the umpire typed when it was sent.
    pub(super) how: &'static str,
    pub(super) sent: When,
    /// True if the umpire let it count.
    pub(super) counts: bool,
    /// True if the umpire left it out.
    pub(super) is_left_out: bool,
    /// True if its round is open, or is the last that was played.
    pub(super) is_news: bool,
    /// The name of its notice, which is closed once in a browser.
    pub(super) id: String,
}

/// An admitted answer, for which the host signed no receipt when it came.
#[derive(Debug)]
pub(super) struct AdmittedAnswer {
    pub(super) round: String,
    pub(super) sent: When,
    /// The entry of the record by which it counts.
    pub(super) entry: Seq,
}

/// The admitted answers that this seat sent, newest first, as far as its link may show them.
pub(super) fn admitted_answers(player: &Player, history: &History, all: &[LateInput]) -> Vec<AdmittedAnswer> {
    let (access, now) = (&player.access, player.app.system().now());
    let mine = all.iter().rev().filter(|late| late.is_of_player() && late.seat == access.seat_ref.seat);
    let admitted = mine.filter(|late| late.sent >= access.since).filter_map(|late| {
        Some(AdmittedAnswer {
            round: history.decision_words(&late.decision),
            sent: When::second_on(late.sent, now),
            entry: late.admitted_by(history, all)?,
        })
    });
    admitted.collect()
}

/// What was sent too late to any question of the match, by either seat: what becomes of it is not told to both.
pub(super) async fn late_inputs(player: &Player, history: &History) -> Result<Vec<LateInput>, Problem> {
    if !history.is_live() {
        return Ok(Vec::new());
    }
    Ok(player.app.recorder.all_late_inputs(history.match_id).await?)
}

/// The last ones of this seat, newest first.
pub(super) fn late_answers(player: &Player, history: &History, all: &[LateInput]) -> Vec<LateAnswer> {
    let (seat, now) = (player.chair.seat, player.app.system().now());
    let rows = history.rows();
    let is_open = |late: &LateInput| history.open.iter().any(|open| open.asked.decision == late.decision);
    let mine = all.iter().rev().filter(|late| late.seat == seat);
    // What is open is still secret: a new link does not show what was sent before it.
    let mine = mine.filter(|late| !is_open(late) || late.typed >= player.access.since);
    let is_news = |late: &LateInput| is_open(late) || rows.last().is_some_and(|row| holds(history, row, late));
    let shown = mine.filter_map(|late| {
        let (counts, step) = match late.fate(history) {
            // Where the umpire admitted what was typed for the seat, that is what counts.
            LateFate::Counts if late.admitted_by(history, all).is_none() => return None,
            LateFate::Counts => (true, None),
            LateFate::Left(step) => (false, step),
            LateFate::Struck => return None,
        };
        let row = rows.iter().find(|row| row.steps.iter().any(|other| Some(other.number) == step));
        Some(LateAnswer {
            round: match row {
                Some(row) => row_words(&row.label),
                None if counts || is_open(late) => history.decision_words(&late.decision),
                None => "Your move".to_owned(),
            },
            words: words(history, late),
            how: late.time_word(),
            sent: When::second_on(late.sent, now),
            counts,
            is_left_out: late.is_left_out,
            is_news: is_news(late),
            id: format!("said-late-{}{}", late.decision, if late.is_left_out { "-left" } else { "" }),
        })
    });
    shown.take(SHOWN).collect()
}

/// True if the step in the place of its question is in this row. A correction keeps the step's number.
fn holds(history: &History, row: &SheetRow<'_>, late: &LateInput) -> bool {
    let answers = StepSource::Decision(late.decision.clone());
    let mut steps = history.steps.iter().chain(history.strikes.iter().flat_map(|strike| &strike.struck));
    let number = steps.find(|step| step.source == answers).map(|step| step.number);
    row.steps.iter().any(|step| Some(step.number) == number)
}

/// The answer in full words, or as it was typed if it cannot be read any more.
fn words(history: &History, late: &LateInput) -> String {
    let words = line_words(history, late.seat, &late.decision, late.text());
    words.unwrap_or_else(|| late.text().to_owned())
}
