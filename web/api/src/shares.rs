//! What coming draws wait for: the shares of both seats, and a round of the public beacon.

use std::sync::Arc;

use app::App;
use app::account::RateLimits;
use app::submissions::SentOpening;
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use ledger::{SealKey, SubmissionSignature, TreeSize};
use record::{History, Secret};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::caller::Player;
use super::idempotency::{ArrivedAt, Key};
use super::moves::{decision, submission_refused};
use super::parameters::SubmissionKey;
use super::request::{Body, MatchSlug, form, malformed};
use super::seat::{Receipt, SignedBy};
use super::shapes::MatchStatus;
use web_http::Problem;
use web_http::visitor::{Peer, count_round};

/// A list of shares that is to be opened.
#[derive(Serialize, ToSchema)]
pub(super) struct ShareToOpen {
    /// The decision that asked for the share.
    #[schema(example = "d1")]
    decision: String,
    /// The entry with the list. Check that a tree of the log holds it, and that it holds your commitment.
    #[schema(example = 5)]
    listed: u32,
    /// Its leaf hash, which you sign.
    leaf: String,
    /// Until when an opening is in time.
    deadline: String,
}

/// The opening of a share that a program kept.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ShareOpening {
    /// The decision that asked for the share.
    #[schema(pattern = "^[a-z0-9-]{1,32}$", example = "d1")]
    decision: String,
    /// 64 hex digits.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    key: String,
    /// The share: 64 hex digits.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    value: String,
    /// The signature over the list, `docs/record-format.md`, "Draws". Without one the share counts as known to the server.
    #[schema(nullable = false)]
    signed: Option<SignedBy>,
}

/// A round of the beacon, as it was published.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedRound {
    /// The signature of the round: 96 hex digits.
    #[schema(pattern = "^[0-9a-f]{96}$")]
    signature: String,
}

impl ShareToOpen {
    pub(super) fn of(history: &History) -> Option<Self> {
        let list = history.awaited_openings()?;
        let decision = history.gathering()?.asked.as_ref()?.to_string();
        let (listed, leaf) = (list.entry.0, list.leaf.to_string());
        Some(Self { decision, listed, leaf, deadline: list.deadline().to_string() })
    }
}

/// Open the share that you kept
///
/// A program that signs may seal its share without an opening (`sealed.openings` empty), and opens it here once the list
/// of both shares is in a tree of the log that it has checked. Sent again with the same key, it is answered the same.
#[utoipa::path(post, path = "/api/v1/seat/openings", tag = "player", operation_id = "openShare", request_body = ShareOpening,
    params(SubmissionKey),
    responses((status = 201, description = "The move is received: its receipt.", body = Receipt)))]
pub(super) async fn open(
    Player { app, chair, access }: Player,
    key: Key,
    ArrivedAt(came): ArrivedAt,
    Body(sent): Body<ShareOpening>,
) -> Result<Response, Problem> {
    let decision = decision(&sent.decision)?;
    let secret = Secret {
        key: SealKey::from_hex(&sent.key).map_err(|_| malformed("`key` is not 64 hex digits."))?,
        value: sent.value,
    };
    let signed = sent.signed.map(SubmissionSignature::from);
    let history = app::with_retries(|| app.matches.history(chair.match_id)).await?;
    let opening = SentOpening { access, decision, submit: form(&key), came, secret, signed };
    let opened = app.submissions.open_share(&history, opening).await;
    let receipt = opened.map_err(|refusal| submission_refused(&history, refusal))?;
    json(StatusCode::CREATED, &Receipt::signed(&receipt, "counts"))
}

/// Hand in the round of the beacon that the next draw waits for
///
/// No token is needed: a round proves itself. `awaits` of the match says which round it is. The same sent again changes
/// nothing.
#[utoipa::path(post, path = "/api/v1/matches/{slug}/round", tag = "reading", operation_id = "handInRound",
    request_body = PublishedRound,
    responses((status = 200, description = "The draw is made.", body = MatchStatus)))]
pub(super) async fn hand_in_round(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    slug: MatchSlug,
    Body(sent): Body<PublishedRound>,
) -> Result<Response, Problem> {
    let match_id = slug.id(&app).await?;
    count_round(&app, &limits, peer)?;
    let signature = sent.signature.parse().map_err(|_| malformed("`signature` is not 96 lower-case hex digits."))?;
    let history = app.rounds.hand_in(match_id, signature).await?;
    json(StatusCode::OK, &MatchStatus::of(&history))
}

impl From<SignedBy> for SubmissionSignature {
    fn from(by: SignedBy) -> Self {
        Self { signature: by.signature, seen: (TreeSize(by.size.into()), by.root) }
    }
}
