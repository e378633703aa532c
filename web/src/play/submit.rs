//! A submission: read back, or made durable and answered with its receipt.

use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Form, Json};
use ledger::store::SubmitId;
use ledger::{Commitment, DecisionId, Field, Hash, Moment, PlayerSignature, SealKey, Signed, TreeSize};
use record::Secret;
use serde::Deserialize;
use serde_json::json;

use super::player::Player;
use super::seat::{self, Brought};
use crate::book::{Answer, Book, Sent, SubmissionRefusal};
use crate::page::Problem;
use crate::page::typed::{MOVE_MAX_CHARS, sentence, too_long};

/// The fields of the form. All but the first three are filled in by the page's script.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Fields {
    #[serde(default)]
    decision: String,
    #[serde(default)]
    submit: String,
    #[serde(default, rename = "move")]
    text: String,
    #[serde(default)]
    sealed: String,
}

/// What the script seals: commitments with their openings, and perhaps a signature.
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
    fn read(text: &str) -> Option<(Answer, Option<Signed>)> {
        let sealed: Self = serde_json::from_str(text).ok()?;
        let opening = |opening: Opening| {
            let key = SealKey::from_hex(&opening.key).ok()?;
            Some((opening.field, Secret { key, value: opening.value }))
        };
        let openings = sealed.openings.into_iter().map(opening).collect::<Option<_>>()?;
        let signed = match (sealed.signature, sealed.size, sealed.root) {
            (None, None, None) => None,
            (Some(signature), Some(size), Some(root)) => Some(Signed { signature, seen: (TreeSize(size), root) }),
            _ => return None,
        };
        Some((Answer::Sealed { commitments: sealed.commitments, openings }, signed))
    }
}

/// `POST .../submit`. What counts is when it arrived, before anything is looked up.
pub(super) async fn send(arrived: Arrived) -> Result<Response, Problem> {
    let Arrived { player, came, fields } = arrived;
    let brought = |status, problem: String| Brought {
        status,
        problem: Some(problem),
        typed: Some((fields.decision.clone(), fields.text.clone())),
        ..Brought::default()
    };
    if let Some(long) = too_long(&fields.text, MOVE_MAX_CHARS) {
        return seat::render(&player, brought(StatusCode::UNPROCESSABLE_ENTITY, long)).await;
    }
    let ids = fields.decision.parse::<DecisionId>().ok().zip(fields.submit.parse::<SubmitId>().ok());
    let Some((decision, submit)) = ids else {
        let why =
            "This form came without the hidden fields it was made with, so nothing was stored. Open the page again.";
        return Err(Problem::refused(why).back(seat::address(&player.slug, player.chair.seat), "Open the page"));
    };
    let (answer, signed) = if fields.sealed.is_empty() {
        (Answer::Text(fields.text.clone()), None)
    } else {
        let why = "What this page's script sealed does not read, so nothing was stored. Open the page again.";
        Sealed::read(&fields.sealed).ok_or_else(|| Problem::refused(why))?
    };
    let chair = player.chair;
    match player.book.submit(player.history(), Sent { chair, decision, submit, came, answer, signed }).await {
        // A browser goes on to the page that shows the receipt; whoever looks at the answer itself has it there.
        Ok(signed) => {
            let (home, receipt) = (seat::address(&player.slug, chair.seat), &signed.receipt);
            let page = format!("{home}?received={}.{}", receipt.decision, receipt.ordinal);
            Ok((StatusCode::SEE_OTHER, [(header::LOCATION, page)], signed.text()).into_response())
        }
        Err(refusal) => {
            let status = status(&refusal)?;
            let why = engine::name_seats(&refusal.to_string(), player.history().both_names());
            seat::render(&player, brought(status, sentence(&why))).await
        }
    }
}

/// The status of a refusal; what the book could not say is a problem of its own.
fn status(refusal: &SubmissionRefusal) -> Result<StatusCode, Problem> {
    Ok(match refusal {
        SubmissionRefusal::Late | SubmissionRefusal::Reused => StatusCode::CONFLICT,
        SubmissionRefusal::NotAsked
        | SubmissionRefusal::Refused(_)
        | SubmissionRefusal::BadSignature
        | SubmissionRefusal::NeverSigned
        | SubmissionRefusal::SealReused => StatusCode::UNPROCESSABLE_ENTITY,
        SubmissionRefusal::Unsigned => StatusCode::FORBIDDEN,
        SubmissionRefusal::TooMany => StatusCode::TOO_MANY_REQUESTS,
        SubmissionRefusal::Book(error) => {
            tracing::error!(%error, "a submission could not be stored");
            return Err(Problem {
                status: StatusCode::SERVICE_UNAVAILABLE,
                title: "The record does not answer",
                ..Problem::refused(
                    "The database cannot be reached just now, and this may be stored or not. Go back and send the same \
                     form again in a moment: sent twice, it counts once.",
                )
            });
        }
    })
}

/// `POST .../read`: reads back, and stores nothing. The values to seal for the page's script, else the page itself.
pub(super) async fn read(headers: HeaderMap, arrived: Arrived) -> Result<Response, Problem> {
    let Arrived { player, fields, .. } = arrived;
    let wants_json = headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes() == b"application/json");
    if !wants_json {
        let typed = Some((fields.decision.clone(), fields.text.clone()));
        return seat::render(&player, Brought { typed, ..Brought::default() }).await;
    }
    let refused = |why: String| Problem::refused(sentence(&engine::name_seats(&why, player.history().both_names())));
    if let Some(long) = too_long(&fields.text, MOVE_MAX_CHARS) {
        return Err(Problem::refused(long));
    }
    let decision: DecisionId = fields.decision.parse().map_err(|_| refused("no such question".to_owned()))?;
    match player.book.values(player.chair, &decision, &fields.text).await {
        Ok(values) => {
            let values: Vec<_> =
                values.iter().map(|(field, value)| json!({ "field": field, "value": value })).collect();
            Ok(Json(json!({ "values": values })).into_response())
        }
        Err(refusal) => Err(refused(refusal.to_string())),
    }
}

/// A form of a player's, with the moment at which it had arrived.
#[derive(Debug)]
pub(super) struct Arrived {
    player: Player,
    came: Moment,
    fields: Fields,
}

impl FromRequest<Arc<Book>> for Arrived {
    type Rejection = Problem;

    async fn from_request(request: Request, book: &Arc<Book>) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let form = Form::<Fields>::from_request(Request::from_parts(parts.clone(), body), book).await;
        // Arrived is what is here whole, before anything is looked up.
        let came = book.mint().now();
        let player = Player::from_request_parts(&mut parts, book).await?;
        let Form(fields) = form.map_err(|error| match error.into_response().status() {
            status @ StatusCode::PAYLOAD_TOO_LARGE => Problem {
                status,
                title: "Too large",
                ..Problem::refused("This is larger than any form of ours: at most 256 kB.")
            },
            _ => Problem::refused("What was sent is no form of this page, so nothing was stored. Open the page again."),
        })?;
        Ok(Self { player, came, fields })
    }
}
