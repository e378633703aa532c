//! This seat's answers that came too late, and what became of them.

use app::recorder::{LateFate, LateInput};
use app::views::line_words;
use ledger::Seq;
use record::words::row_words;
use record::{History, SheetRow, StepSource};

use super::player::Player;
use page::When;
use web_http::Problem;

/// The most of them on the page.
const SHOWN: usize = 3;

#[derive(Debug)]
pub(super) struct LateAnswer {
    pub(super) round: String,
    pub(super) words: String,
    pub(super) how: &'static str,
    pub(super) sent: When,
    pub(super) counts: bool,
    pub(super) is_left_out: bool,
    pub(super) is_news: bool,
    pub(super) id: String,
}

/// An admitted answer, for which the host signed no receipt when it came.
#[derive(Debug)]
pub(super) struct AdmittedAnswer {
    pub(super) round: String,
    pub(super) sent: When,
    pub(super) entry: Seq,
}

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

pub(super) async fn late_inputs(player: &Player, history: &History) -> Result<Vec<LateInput>, Problem> {
    if !history.is_live() {
        return Ok(Vec::new());
    }
    Ok(player.app.recorder.all_late_inputs(history.match_id).await?)
}

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

fn holds(history: &History, row: &SheetRow<'_>, late: &LateInput) -> bool {
    let answers = StepSource::Decision(late.decision.clone());
    let mut steps = history.steps.iter().chain(history.strikes.iter().flat_map(|strike| &strike.struck));
    let number = steps.find(|step| step.source == answers).map(|step| step.number);
    row.steps.iter().any(|step| Some(step.number) == number)
}

fn words(history: &History, late: &LateInput) -> String {
    let words = line_words(history, late.seat, &late.decision, late.text());
    words.unwrap_or_else(|| late.text().to_owned())
}
