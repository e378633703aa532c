//! Acts with a public reason: warnings, late answers admitted, resuming a live match as recorded, and handovers.

use app::book::BookError;
use axum::response::Response;
use engine::Seat;
use ledger::{DecisionId, UmpireId};
use record::History;

use super::allowed::{TEXT_MAX_CHARS, unsaid};
use super::console::Brought;
use super::match_context::{Chair, reason};
use super::refused_form::Duty;
use super::sent::Sent;
use crate::page::Problem;

const WHY: &str = "Say why: everybody reads it.";

/// The clause that a form names, if the ruleset has it.
pub(super) fn clause<'s>(history: &History, sent: &'s Sent) -> Result<Option<&'s str>, String> {
    let clause = sent.text("clause");
    if clause.is_empty() {
        return Ok(None);
    }
    let ruleset = engine::ruleset(&history.setup.ruleset);
    let known = ruleset.is_ok_and(|ruleset| ruleset.clauses().iter().any(|known| known.number == clause));
    if known { Ok(Some(clause)) } else { Err("The ruleset has no such clause.".to_owned()) }
}

/// The console with the form as it was typed, and the reason of the refusal.
async fn refused(chair: &Chair, name: &'static str, sent: Sent, why: String) -> Result<Response, Problem> {
    let duty = Some(Duty::refused(name, why.clone(), sent));
    chair.refused(Brought { duty, ..Brought::default() }, &why).await
}

/// The result of an act, as a page.
async fn answer<T>(
    chair: &Chair,
    name: &'static str,
    done: Result<T, BookError>,
    sent: Sent,
) -> Result<Response, Problem> {
    match done {
        Ok(_) => Ok(chair.done(name)),
        Err(BookError::Refused(why)) => {
            let why = reason(&chair.history, &why);
            refused(chair, name, sent, why).await
        }
        Err(error) => {
            let (seen, text) = (sent.head()?.next, sent.text("text").to_owned());
            chair.lost(error, seen, vec![("What you wrote".to_owned(), text)]).await
        }
    }
}

/// `POST .../warn`.
pub(super) async fn warn(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    let text = sent.text("text");
    let seat = sent.text("seat").parse::<Seat>().map_err(|_| "Say who is warned.".to_owned());
    let checked = unsaid(text, TEXT_MAX_CHARS, WHY).map_or(Ok(()), Err);
    let checked = checked.and(seat).and_then(|seat| Ok((seat, clause(&chair.history, &sent)?)));
    match checked {
        Err(why) => refused(&chair, "warned", sent, why).await,
        Ok((seat, clause)) => {
            let done = chair.book.warn(&act, chair.match_id, seen, seat, clause, text).await;
            answer(&chair, "warned", done, sent).await
        }
    }
}

/// `POST .../admit`: a late answer counts.
pub(super) async fn admit(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    let text = sent.text("text");
    let seat = sent.text("seat").parse::<Seat>().map_err(|_| "Say whose answer counts.".to_owned());
    let decision = sent.text("decision").parse::<DecisionId>();
    let checked = unsaid(text, TEXT_MAX_CHARS, WHY).map_or(Ok(()), Err);
    let checked = checked.and(seat).and_then(|seat| Ok((seat, clause(&chair.history, &sent)?)));
    match (checked, decision) {
        (Err(why), _) => refused(&chair, "admitted", sent, why).await,
        (_, Err(_)) => chair.lost(BookError::Overtaken, seen.next, Vec::new()).await,
        (Ok((seat, clause)), Ok(decision)) => {
            let done = chair.book.admit(&act, chair.match_id, seen, &decision, seat, clause, text).await;
            answer(&chair, "admitted", done, sent).await
        }
    }
}

pub(super) async fn go_on_recorded(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    let text = sent.text("text");
    match unsaid(text, TEXT_MAX_CHARS, WHY) {
        Some(why) => refused(&chair, "recorded", sent, why).await,
        None => {
            let done = chair.book.go_on_recorded(&act, chair.match_id, seen, None, text).await;
            answer(&chair, "recorded", done, sent).await
        }
    }
}

/// `POST .../hand`: hands the match over to another umpire.
pub(super) async fn hand(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    let text = sent.text("text");
    let book = &chair.book;
    let umpires = app::account::in_office(book.pool(), book.mint()).await.map_err(BookError::from_account)?;
    let to = umpires.iter().find(|umpire| umpire.id == sent.text("to"));
    let to = to.and_then(|to| to.id.parse::<UmpireId>().ok()).ok_or_else(|| "Say whose match it becomes.".to_owned());
    match unsaid(text, TEXT_MAX_CHARS, WHY).map_or(Ok(()), Err).and(to) {
        Err(why) => refused(&chair, "handed", sent, why).await,
        Ok(to) => {
            let done = chair.book.hand_over(&act, chair.match_id, seen, &to, text).await;
            answer(&chair, "handed", done, sent).await
        }
    }
}

/// `POST .../private-note`: only for the umpires of the match.
pub(super) async fn private_note(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, text) = (chair.act(&sent)?, sent.text("text"));
    match unsaid(text, TEXT_MAX_CHARS, "A note says something.") {
        Some(why) => refused(&chair, "kept", sent, why).await,
        None => {
            chair.book.keep_note(&act, chair.match_id, text).await?;
            Ok(chair.done("kept"))
        }
    }
}
