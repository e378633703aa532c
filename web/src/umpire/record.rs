//! What the seats sent: read back, and recorded.

use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use engine::{BySeat, Seat};
use ledger::DecisionId;
use record::OpenDecision;
use serde_json::json;

use super::chair::{Chair, reason};
use super::console::{self, Brought};
use super::line::Line;
use super::question::Typed;
use super::sent::Sent;
use crate::book::{BookError, Moves};
use crate::page::Problem;

fn typed(sent: &Sent) -> Typed {
    let moves = BySeat::from_fn(|seat| sent.text(seat.word()).to_owned());
    Typed { decision: sent.text("decision").to_owned(), moves }
}

fn copies(chair: &Chair, typed: &Typed) -> Vec<(String, String)> {
    Seat::BOTH.map(|seat| (chair.history.name(seat).to_owned(), typed.moves[seat].clone())).into()
}

/// The lines of a decision that is open, read back.
fn lines(chair: &Chair, open: &OpenDecision, typed: &Typed) -> Vec<Line> {
    let history = &chair.history;
    let seats = open.asked.seats.iter().map(|seat| seat.0);
    seats.map(|seat| Line::read(history, history.duel(), seat, &open.asked.what, &typed.moves[seat])).collect()
}

fn open<'c>(chair: &'c Chair, typed: &Typed) -> Option<&'c OpenDecision> {
    chair.history.open.iter().find(|open| open.asked.decision.to_string() == typed.decision)
}

/// `POST .../read`: reads back, and records nothing. JSON for the console's script, else the console itself.
pub(super) async fn read(chair: Chair, headers: HeaderMap, sent: Sent) -> Result<Response, Problem> {
    let typed = typed(&sent);
    let Some(open) = open(&chair, &typed) else {
        let seen = sent.head()?.next;
        return chair.lost(BookError::Overtaken, seen, copies(&chair, &typed)).await;
    };
    let wants_json = headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes() == b"application/json");
    if wants_json {
        return Ok(Json(json!({ "decision": typed.decision, "seats": lines(&chair, open, &typed) })).into_response());
    }
    console::render(&chair, Brought { status: StatusCode::OK, typed: Some(typed), ..Brought::default() }).await
}

/// `POST .../record`: seals what was typed for a decision and resolves it.
pub(super) async fn send(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?.next);
    let typed = typed(&sent);
    let Ok(decision) = typed.decision.parse::<DecisionId>() else {
        return chair.lost(BookError::Overtaken, seen, copies(&chair, &typed)).await;
    };
    if let Some(open) = open(&chair, &typed)
        && !lines(&chair, open, &typed).iter().all(Line::counts)
    {
        let why = "Every line has to be valid first; - stands for nothing sent in time.";
        let brought = Brought { problem: Some(why.to_owned()), typed: Some(typed), ..Brought::default() };
        return chair.refused(brought, why).await;
    }
    let asked = |seat: Seat| match open(&chair, &typed) {
        Some(open) => open.asked.seats.iter().any(|asked| asked.0 == seat),
        None => true,
    };
    let moves: Moves = BySeat::from_fn(|seat| {
        let sent = typed.moves[seat].clone();
        Some(sent).filter(|sent| asked(seat) && !sent.is_empty())
    });
    match chair.book.record(&act, chair.match_id, &decision, &moves).await {
        Ok(_) => Ok(Redirect::to(&console::address(&chair.slug)).into_response()),
        Err(BookError::Refused(why)) => {
            let why = reason(&chair.history, &why);
            let brought = Brought { problem: Some(why.clone()), typed: Some(typed), ..Brought::default() };
            chair.refused(brought, &why).await
        }
        Err(error) => chair.lost(error, seen, copies(&chair, &typed)).await,
    }
}
