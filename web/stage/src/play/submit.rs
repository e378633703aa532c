//! A submission: read back, or stored durably and answered with its receipt.

use std::sync::Arc;

use app::submissions::{Answer, PlayerSubmission, SubmissionRefusal};
use app::views::LineReading;
use app::{App, InFlight};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Form, Json};
use ledger::{Commitment, DecisionId, Field, Hash, Moment, PlayerSignature, SealKey, SubmissionSignature, TreeSize};
use record::Secret;
use record::limits::{MOVE_MAX_CHARS, too_long};
use record::words::sentence;
use serde::Deserialize;
use serde_json::json;
use store::SubmitId;

use super::confirmation::SubmissionName;
use super::player::Player;
use super::question::{composed_line, form_of};
use super::seat_page::{self, FormState};
use web_http::{ErrorKind, Problem, Waited};

#[derive(Debug, Default)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(sent, _)| sent == name).map_or("", |(_, value)| value)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sealed {
    commitments: Vec<Commitment>,
    openings: Vec<Opening>,
    signature: Option<PlayerSignature>,
    size: Option<u64>,
    root: Option<Hash>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    field: Field,
    key: String,
    value: String,
}

impl Sealed {
    fn read(text: &str) -> Option<(Answer, Option<SubmissionSignature>)> {
        let sealed: Self = serde_json::from_str(text).ok()?;
        let opening = |opening: Opening| {
            let key = SealKey::from_hex(&opening.key).ok()?;
            Some((opening.field, Secret { key, value: opening.value }))
        };
        let openings = sealed.openings.into_iter().map(opening).collect::<Option<_>>()?;
        let signed = match (sealed.signature, sealed.size, sealed.root) {
            (None, None, None) => None,
            (Some(signature), Some(size), Some(root)) => {
                Some(SubmissionSignature { signature, seen: (TreeSize(size), root) })
            }
            _ => return None,
        };
        Some((Answer::Sealed { commitments: sealed.commitments, openings }, signed))
    }
}

/// `POST .../submit`. The time of arrival counts, taken before any lookup.
pub(super) async fn send(form: TimedForm) -> Result<Response, Problem> {
    let TimedForm { player, came, fields, _underway } = form;
    let form_state = |problem: Problem| FormState {
        status: problem.status(),
        problem: Some(problem),
        typed: Some((fields.get("decision").to_owned(), fields.0.clone())),
        ..FormState::default()
    };
    let ids = fields.get("decision").parse::<DecisionId>().ok().zip(fields.get("submit").parse::<SubmitId>().ok());
    let Some((decision, submit)) = ids else {
        let why =
            "This form came without the hidden fields it was made with, so nothing was stored. Open the page again.";
        return Err(Problem::refused(why).back(seat_page::address(&player.slug, player.chair.seat), "Open the page"));
    };
    let text = composed_line(form_of(&player, player.history(), &decision).as_ref(), &fields.0);
    if let Some(long) = too_long(&text, MOVE_MAX_CHARS) {
        return seat_page::render(&player, form_state(Problem::refused(long))).await;
    }
    let chose = !text.trim().is_empty() || !fields.get("sealed").is_empty();
    let (answer, signed) = if fields.get("sealed").is_empty() {
        (Answer::Text(text), None)
    } else {
        let why = "What this page's script sealed does not read, so nothing was stored. Open the page again.";
        Sealed::read(fields.get("sealed")).ok_or_else(|| Problem::refused(why))?
    };
    let chair = player.chair;
    let is_final = fields.get("final") == "on";
    let sent = PlayerSubmission { access: player.access, decision, submit, came, answer, signed, is_final };
    match player.app.submissions.submit(player.history(), sent).await {
        // A browser continues to the page with the receipt; a program finds the receipt in the answer.
        Ok(signed) => {
            let (home, receipt) = (seat_page::address(&player.slug, chair.seat), &signed.receipt);
            let page =
                format!("{home}?{}", SubmissionName::query(player.history(), &receipt.decision, receipt.ordinal));
            Ok(Waited::mark((StatusCode::SEE_OTHER, [(header::LOCATION, page)], signed.text()).into_response()))
        }
        Err(SubmissionRefusal::App(error)) if !error.is_unanswered() => Err(error.into()),
        Err(SubmissionRefusal::App(error)) => {
            let detail = "The database cannot be reached just now, and this may be stored or not. Go back and send the same \
                          form again in a moment: sent twice, it counts once.";
            Err(Problem::of(ErrorKind::Unavailable, detail).caused_by(&error))
        }
        Err(refusal) => {
            let why = match &refusal {
                SubmissionRefusal::Refused(_) if !chose => "choose a move first".to_owned(),
                refusal => refusal.to_string(),
            };
            let why = engine::name_seats(&why, player.history().both_names());
            seat_page::render(&player, form_state(Problem::from(refusal).saying(sentence(&why)))).await
        }
    }
}

/// `POST .../read`: reads back, and stores nothing. The page's script gets the line with the values to seal; a browser
/// gets the page itself.
pub(super) async fn read(headers: HeaderMap, form: TimedForm) -> Result<Response, Problem> {
    let TimedForm { player, fields, .. } = form;
    let wants_json = headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes() == b"application/json");
    if !wants_json {
        let typed = Some((fields.get("decision").to_owned(), fields.0));
        return seat_page::render(&player, FormState { typed, ..FormState::default() }).await;
    }
    let (history, seat) = (player.history(), player.chair.seat);
    let refused = |why: String| Problem::refused(engine::name_seats(&sentence(&why), history.both_names()));
    let decision: DecisionId = fields.get("decision").parse().map_err(|_| refused("no such question".to_owned()))?;
    let text = composed_line(form_of(&player, history, &decision).as_ref(), &fields.0);
    let open = history.open.iter().find(|open| open.asked.decision == decision && open.sealed.is_empty());
    let Some(open) = open.filter(|open| app::recorder::asks(open, seat)) else {
        let stale = "This question is closed, or is not yours any more.";
        return Err(Problem::of(ErrorKind::Closed, stale));
    };
    let line = LineReading::read(history, history.duel(), seat, &open.asked.what, &text);
    let values = match player.app.submissions.values(player.chair, &decision, &text).await {
        Ok(values) if line.counts() => Some(values),
        _ => None,
    };
    let values: Option<Vec<_>> =
        values.map(|values| values.iter().map(|(field, value)| json!({ "field": **field, "value": value })).collect());
    Ok(Json(json!({ "line": line, "text": text, "values": values })).into_response())
}

#[derive(Debug)]
pub(super) struct TimedForm {
    pub(super) player: Player,
    pub(super) came: Moment,
    pub(super) fields: Fields,
    pub(super) _underway: InFlight,
}

impl FromRequest<Arc<App>> for TimedForm {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let form = Form::<Vec<(String, String)>>::from_request(Request::from_parts(parts.clone(), body), app).await;
        // The request has arrived when its body is complete. The time is taken before any lookup.
        let came = app.system().now();
        let slug = parts.uri.path().split('/').nth(3).unwrap_or_default().to_owned();
        let underway = app.arrivals.note(&slug, came);
        let player = Player::from_request_parts(&mut parts, app).await?;
        let Form(fields) = form.map_err(|error| match error.into_response().status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Problem::of(ErrorKind::TooLarge, "This is larger than any form of ours: at most 256 kB.")
            }
            _ => Problem::refused("What was sent is no form of this page, so nothing was stored. Open the page again."),
        })?;
        Ok(Self { player, came, fields: Fields(fields), _underway: underway })
    }
}
