//! The seats' lines or the host's draw: read back, and recorded.

use app::commands::Moves;
use app::system::System;
use app::umpire_act::DrawLine;
use app::views::LineReading;
use app::{AppError, UmpireAct};
use axum::Json;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use engine::{BySeat, Seat, Stream, To};
use record::OpenDecision;
use serde_json::json;

use super::act_form::{ActForm, Confirmation, Refusal, answer_lines};
use super::form_data::FormData;
use super::form_state::FormState;
use super::match_context::MatchContext;
use super::question::{HOST, TypedLines, parties};
use super::{console, sent_at};
use web_http::Problem;

fn lines(context: &MatchContext, typed: &TypedLines) -> Option<Vec<LineReading>> {
    let history = &context.history;
    let duel = history.duel();
    let (what, to) = if typed.decision == HOST {
        let ask = duel.asks().into_iter().find(|ask| ask.to == To::Host)?;
        (ask.what.to_string(), To::Host)
    } else {
        let open = open(context, typed)?;
        (open.asked.what.clone(), open.to()?)
    };
    let line = |party| LineReading::read(history, duel, party, &what, typed.of(party));
    Some(parties(to).into_iter().map(line).collect())
}

fn open<'c>(context: &'c MatchContext, typed: &TypedLines) -> Option<&'c OpenDecision> {
    context.history.open.iter().find(|open| open.asked.decision.to_string() == typed.decision)
}

/// `POST .../read`: reads back, and records nothing. The console's script gets JSON; a browser gets the console itself.
pub(super) async fn read(context: MatchContext, headers: HeaderMap, sent: FormData) -> Result<Response, Problem> {
    let typed = TypedLines::of_form(&sent);
    let Some(mut lines) = lines(&context, &typed) else {
        let seen = sent.head()?.next;
        return context.conflict(AppError::Overtaken, seen, typed.copies(&context.history)).await;
    };
    let now = context.app.system().now();
    let times = sent_at::times(&sent, now);
    if let Some(open) = open(&context, &typed) {
        for (line, seat) in lines.iter_mut().filter_map(|line| line.seat.parse().ok().map(|seat: Seat| (line, seat))) {
            sent_at::check_time(line, (&context.history, open), times[seat], now);
        }
    }
    let wants_json = headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes() == b"application/json");
    if wants_json {
        return Ok(Json(json!({ "decision": typed.decision, "seats": lines })).into_response());
    }
    console::render(&context, FormState { lines: Some(typed), ..FormState::default() }).await
}

/// Numbers from the system's entropy. Nobody can verify a draw made from them.
struct Entropy<'m>(&'m System);

impl Stream for Entropy<'_> {
    fn word(&mut self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0.bytes32();
        u64::from_be_bytes([a, b, c, d, e, f, g, h])
    }
}

pub(super) async fn draw(context: MatchContext, sent: FormData) -> Result<Response, Problem> {
    let mut typed = TypedLines::of_form(&sent);
    let Some(draw) = context.history.duel().draw(&mut Entropy(context.app.system())) else {
        let seen = sent.head()?.next;
        return context.conflict(AppError::Overtaken, seen, typed.copies(&context.history)).await;
    };
    typed.draw = draw;
    console::render(&context, FormState { lines: Some(typed), ..FormState::default() }).await
}

pub(super) async fn send(form: ActForm) -> Result<Response, Problem> {
    let typed = TypedLines::of_form(&form.sent);
    answer_lines(record(&form, &typed).await, form, typed).await
}

async fn record(form: &ActForm, typed: &TypedLines) -> Result<Confirmation, Refusal> {
    let (context, early) = (&form.context, form.text("early") == "yes");
    let (app, match_id) = (&context.app, context.match_id);
    if form.text("keyed") == "yes" {
        return form.perform(&UmpireAct::Draw(DrawLine { head: form.head(), text: None, early }), "").await;
    }
    // A draw is validated only against the head that the umpire saw: on another head it was already entered, or
    // somebody else was first.
    let as_seen = typed.decision != HOST || context.history.allows_act_on(form.seen);
    if as_seen && lines(context, typed).is_some_and(|lines| !lines.iter().all(LineReading::counts)) {
        return Err("Every line has to be valid first; type - for no move.".into());
    }
    if typed.decision == HOST {
        let text = Some(typed.draw.clone());
        return form.perform(&UmpireAct::Draw(DrawLine { head: form.head(), text, early }), "").await;
    }
    let decision = form.decision()?;
    let asked = |seat: Seat| {
        let open = open(context, typed);
        open.is_none_or(|open| open.asked.seats.iter().any(|asked| asked.0 == seat))
    };
    let moves: Moves = BySeat::from_fn(|seat| {
        let sent = typed.moves[seat].clone();
        Some(sent).filter(|sent| asked(seat) && !sent.is_empty())
    });
    let times = sent_at::times(&form.sent, app.system().now());
    let times = BySeat { p1: times.p1?, p2: times.p2? };
    app.commands.record_sent(&form.act, match_id, &decision, &moves, times).await?;
    Ok("")
}
