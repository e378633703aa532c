//! The parameters of addresses and headers that several operations share, for the document.

#![expect(dead_code, reason = "names and shapes for the document; extractors read the values")]

use utoipa::IntoParams;

pub(super) const KEY_NAME: &str = "Idempotency-Key";

/// The match in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Slug {
    /// The match's short name.
    #[param(pattern = "^[0-9a-hjkmnp-tv-z]{10}$", example = "3t16wed731")]
    slug: String,
}

/// The key of an act. Each operation has an example of its own: `examples.json` has them.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub(super) struct IdempotencyKey {
    /// Another one for every act; the same when you send the same again.
    #[param(rename = "Idempotency-Key", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$")]
    key: String,
}

/// The key of a submission.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub(super) struct SubmissionKey {
    /// Another one for every submission; the same when you send the same again.
    #[param(rename = "Idempotency-Key", pattern = "^([A-Za-z0-9._:-]{1,80}|\"[A-Za-z0-9._:-]{1,80}\")$")]
    key: String,
}

/// The webhook in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct WebhookId {
    /// The webhook's id.
    #[param(pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]
    id: String,
}

/// The plan in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct PlanId {
    /// The plan's id.
    #[param(pattern = "^[0-9a-f]{32}$")]
    id: String,
}

/// The umpire in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct UmpireName {
    /// The umpire's pseudonym.
    #[param(pattern = "^[a-z0-9]{1,32}$")]
    id: String,
}

/// The ruleset in an address.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct RulesetName {
    /// The game.
    #[param(pattern = "^[a-z0-9-]{1,60}$", example = "five-card-trick")]
    game: String,
    /// The rest of the ruleset's id.
    #[param(pattern = "^[a-z0-9-]{1,60}$", example = "dm-colosseum-2")]
    ruleset: String,
}
