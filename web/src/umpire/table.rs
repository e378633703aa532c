//! What an umpire should know of the table beside the game: whose match it is, who is ready, who was warned, what was noted
//! for umpires alone, and how the log stands.

use engine::Seat;
use ledger::Moment;
use record::History;

use super::chair::Chair;
use super::happened::Umpires;
use crate::page::{Problem, When};

/// The table beside the game.
#[derive(Debug)]
pub(super) struct TableFacts {
    /// Whose match it is, where it is not the reader's.
    pub(super) others: Option<String>,
    /// Who said to be ready, before the first step.
    pub(super) ready: Vec<(String, Option<When>)>,
    /// How often somebody was warned.
    pub(super) warned: Vec<(String, usize)>,
    /// Notes for umpires alone, newest first.
    pub(super) notes: Vec<PrivateNote>,
    /// Umpires who can take the match over: pseudonym and name.
    pub(super) successors: Vec<(String, String)>,
    /// How far the log is signed and witnessed.
    pub(super) log: String,
}

/// A note for umpires alone.
#[derive(Debug)]
pub(super) struct PrivateNote {
    pub(super) at: When,
    pub(super) who: String,
    pub(super) text: String,
}

impl TableFacts {
    /// Gathers it.
    pub(super) async fn of(chair: &Chair, history: &History, umpires: &Umpires) -> Result<Self, Problem> {
        let book = &chair.book;
        let at = book.mint().now();
        let clock = |moment| When::second_on(moment, at);
        let ready = book.who_is_ready(chair.match_id).await?;
        let waits = history.is_live() && history.steps.is_empty();
        let said = |seat: Seat| (history.name(seat).to_owned(), ready[seat].map(clock));
        let warnings = history.warnings();
        let warned = Seat::BOTH.map(|seat| (history.name(seat).to_owned(), warnings[seat]));
        let notes = book.notes(chair.match_id).await?.into_iter().rev().map(|note| PrivateNote {
            at: clock(Moment::from_micros(note.at.timestamp_micros()).unwrap_or(Moment::MAX)),
            who: umpires.name(&app::book::by_umpire(&note.umpire)),
            text: note.text,
        });
        let now = history.umpire_now();
        let all =
            app::account::in_office(book.pool(), book.mint()).await.map_err(app::book::BookError::from_account)?;
        let others = all.into_iter().filter(|umpire| app::book::by_umpire(&umpire.id) != *now);
        Ok(Self {
            others: (*now != chair.umpire.by()).then(|| umpires.name(now)),
            ready: Seat::BOTH.map(said).into_iter().filter(|_| waits).collect(),
            warned: warned.into_iter().filter(|(_, times)| *times > 0).collect(),
            notes: notes.collect(),
            successors: others.map(|umpire| (umpire.id, umpire.name)).collect(),
            log: log(chair).await?,
        })
    }
}

/// How far the log is signed, and who has seen it.
async fn log(chair: &Chair) -> Result<String, Problem> {
    if chair.book.is_practice() {
        return Ok("Practice: nothing of this match is in the log.".to_owned());
    }
    let Some(signed) = chair.book.signer().latest() else {
        return Ok("The log is not signed yet.".to_owned());
    };
    let standing = chair.book.standing(&signed).await?;
    let standing = standing.map(|standing| format!(", {standing}")).unwrap_or_default();
    Ok(format!("The log is signed over {} entries{standing}.", signed.size.0))
}
