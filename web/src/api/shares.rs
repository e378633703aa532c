//! The shares of coming draws: a program opens its own, and an umpire has them gathered anew.

use app::submissions::SentOpening;
use app::text::Purpose;
use app::views::HeadJson;
use axum::http::StatusCode;
use axum::response::Response;
use ledger::{SealKey, SubmissionSignature, TreeSize};
use record::{History, Secret};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::caller::Player;
use super::idempotency::{ArrivedAt, Key};
use super::match_context::{ActRequest, public_text};
use super::moves::{decision, submission_refused};
use super::parameters::SubmissionKey;
use super::request::{Body, form, malformed, read_head};
use super::seat::{Receipt, SignedBy};
use super::shapes::MatchStatus;
use crate::http::Problem;

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

/// A new start of the shares.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewShares {
    /// The head that you read.
    head: HeadJson,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "Bo’s browser was lost before it opened.")]
    text: String,
    /// The clause that it rests on.
    #[schema(nullable = false, max_length = 40)]
    clause: Option<String>,
}

impl ShareToOpen {
    /// The list that waits for openings.
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
    responses((status = 201, description = "Received and kept: the receipt.", body = Receipt)))]
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

/// Gather the shares of the draws anew
///
/// The host opens its share of before. What was drawn keeps its cards; the rest follows from the new shares.
#[utoipa::path(post, path = "/api/v1/matches/{slug}/shares", tag = "umpire", operation_id = "beginShares", request_body = NewShares,
    responses((status = 200, description = "Ruled; the seats are asked again.", body = MatchStatus)))]
pub(super) async fn begin(request: ActRequest, Body(sent): Body<NewShares>) -> Result<Response, Problem> {
    let on = request.settled().await?;
    let head = read_head(&sent.head)?;
    let (clause, text) = (on.clause(sent.clause.as_deref())?, public_text(Purpose::Reason, &sent.text)?);
    on.answer(on.app.commands.begin_shares(&on.act, on.match_id, head, clause, text).await)
}

impl From<SignedBy> for SubmissionSignature {
    fn from(by: SignedBy) -> Self {
        Self { signature: by.signature, seen: (TreeSize(by.size.into()), by.root) }
    }
}
