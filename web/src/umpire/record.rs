//! The seats' lines or the host's draw: read back, and recorded.

use app::book::{BookError, Moves};
use app::mint::Mint;
use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use engine::{BySeat, Seat, Stream, To};
use ledger::DecisionId;
use record::OpenDecision;
use serde_json::json;

use super::console::{self, Brought};
use super::match_context::{Chair, reason};
use super::question::{HOST, Typed, parties};
use super::sent::Sent;
use super::sent_at;
use crate::page::Problem;
use crate::page::typed::Line;

/// The lines of an open decision or a due draw, read back; none if it is neither.
fn lines(chair: &Chair, typed: &Typed) -> Option<Vec<Line>> {
    let history = &chair.history;
    let duel = history.duel();
    let (what, to) = if typed.decision == HOST {
        let ask = duel.asks().into_iter().find(|ask| ask.to == To::Host)?;
        (ask.what.to_owned(), To::Host)
    } else {
        let open = open(chair, typed)?;
        (open.asked.what.clone(), open.to()?)
    };
    let line = |party| Line::read(history, duel, party, &what, typed.of(party));
    Some(parties(to).into_iter().map(line).collect())
}

fn open<'c>(chair: &'c Chair, typed: &Typed) -> Option<&'c OpenDecision> {
    chair.history.open.iter().find(|open| open.asked.decision.to_string() == typed.decision)
}

/// `POST .../read`: reads back, and records nothing. The console's script gets JSON; a browser gets the console itself.
pub(super) async fn read(chair: Chair, headers: HeaderMap, sent: Sent) -> Result<Response, Problem> {
    let typed = Typed::of_form(&sent);
    let Some(mut lines) = lines(&chair, &typed) else {
        let seen = sent.head()?.next;
        return chair.lost(BookError::Overtaken, seen, typed.copies(&chair.history)).await;
    };
    let now = chair.book.mint().now();
    let times = sent_at::times(&sent, now);
    if let Some(open) = open(&chair, &typed) {
        for (line, seat) in lines.iter_mut().filter_map(|line| line.seat.parse().ok().map(|seat: Seat| (line, seat))) {
            sent_at::judge(line, (&chair.history, open), times[seat], now);
        }
    }
    let wants_json = headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes() == b"application/json");
    if wants_json {
        return Ok(Json(json!({ "decision": typed.decision, "seats": lines })).into_response());
    }
    console::render(&chair, Brought { status: StatusCode::OK, typed: Some(typed), ..Brought::default() }).await
}

/// Numbers from the system's entropy. Nobody can verify a draw made from them.
struct Entropy<'m>(&'m Mint);

impl Stream for Entropy<'_> {
    fn word(&mut self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0.bytes32();
        u64::from_be_bytes([a, b, c, d, e, f, g, h])
    }
}

/// `POST .../draw`: draws for the host and fills in the line; nothing is recorded.
pub(super) async fn draw(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let mut typed = Typed::of_form(&sent);
    let Some(draw) = chair.history.duel().draw(&mut Entropy(chair.book.mint())) else {
        let seen = sent.head()?.next;
        return chair.lost(BookError::Overtaken, seen, typed.copies(&chair.history)).await;
    };
    typed.draw = draw;
    console::render(&chair, Brought { status: StatusCode::OK, typed: Some(typed), ..Brought::default() }).await
}

/// `POST .../list-without`: lists the shares again without one that cannot be opened.
pub(super) async fn list_without(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    let Ok(seat) = sent.text("seat").parse() else {
        return chair.refused(Brought::default(), "A share is a seat’s.").await;
    };
    match chair.book.list_without(&act, chair.match_id, seen, seat).await {
        Ok(_) => Ok(Redirect::to(&console::address(&chair.slug)).into_response()),
        Err(BookError::Refused(why)) => {
            let why = reason(&chair.history, &why);
            chair.refused(Brought { problem: Some(why.clone()), ..Brought::default() }, &why).await
        }
        Err(error) => chair.lost(error, seen.next, Vec::new()).await,
    }
}

/// `POST .../record`: seals and resolves the answers of a decision, or enters the host's draw.
pub(super) async fn send(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    let (typed, early) = (Typed::of_form(&sent), sent.text("early") == "yes");
    if sent.text("keyed") == "yes" {
        return match chair.book.draw_by_key(&act, chair.match_id, seen, early).await {
            Ok(_) => Ok(Redirect::to(&console::address(&chair.slug)).into_response()),
            Err(BookError::Refused(why)) => {
                let why = reason(&chair.history, &why);
                chair.refused(Brought { problem: Some(why.clone()), ..Brought::default() }, &why).await
            }
            Err(error) => chair.lost(error, seen.next, Vec::new()).await,
        };
    }
    // A draw is validated only against the head that the umpire saw: on another head it was already entered, or
    // somebody else was first.
    let as_seen = typed.decision != HOST || chair.history.head == seen;
    if as_seen && lines(&chair, &typed).is_some_and(|lines| !lines.iter().all(Line::counts)) {
        let why = "Every line has to be valid first; - stands for nothing sent in time.";
        let brought = Brought { problem: Some(why.to_owned()), typed: Some(typed), ..Brought::default() };
        return chair.refused(brought, why).await;
    }
    let done = if typed.decision == HOST {
        chair.book.draw(&act, chair.match_id, seen, &typed.draw, early).await.map(|_| ())
    } else {
        let Ok(decision) = typed.decision.parse::<DecisionId>() else {
            return chair.lost(BookError::Overtaken, seen.next, typed.copies(&chair.history)).await;
        };
        let asked = |seat: Seat| match open(&chair, &typed) {
            Some(open) => open.asked.seats.iter().any(|asked| asked.0 == seat),
            None => true,
        };
        let moves: Moves = BySeat::from_fn(|seat| {
            let sent = typed.moves[seat].clone();
            Some(sent).filter(|sent| asked(seat) && !sent.is_empty())
        });
        let times = sent_at::times(&sent, chair.book.mint().now());
        if let Some(why) = times.each().into_iter().find_map(|(_, time)| time.err()) {
            let brought = Brought { problem: Some(why.to_owned()), typed: Some(typed), ..Brought::default() };
            return chair.refused(brought, why).await;
        }
        let times = times.map(|time| time.ok().flatten());
        chair.book.record_sent(&act, chair.match_id, &decision, &moves, times).await.map(|_| ())
    };
    match done {
        Ok(()) => Ok(Redirect::to(&console::address(&chair.slug)).into_response()),
        Err(BookError::Refused(why)) => {
            let why = reason(&chair.history, &why);
            let brought = Brought { problem: Some(why.clone()), typed: Some(typed), ..Brought::default() };
            chair.refused(brought, &why).await
        }
        Err(error) => chair.lost(error, seen.next, typed.copies(&chair.history)).await,
    }
}
