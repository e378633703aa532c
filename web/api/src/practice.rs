//! The practice match that a request is about: its id is kept with the answer, so that the answer goes when the match is
//! deleted.

use std::sync::Arc;

use app::account::Bearer;
use app::{App, AppError, Scope, is_practice};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use ledger::MatchId;

use super::caller::Caller;
use super::request::MatchSlug;

pub(super) fn is_of_practice(match_id: MatchId) -> bool {
    Scope::of(match_id) == Scope::Practice
}

/// The practice match of a request, by the short name in its address or by the seat that submits; none if the request is
/// about the record, or about no match.
pub(super) async fn practice_match(parts: &mut Parts, app: &Arc<App>) -> Result<Option<MatchId>, AppError> {
    if let Ok(MatchSlug(slug)) = MatchSlug::from_request_parts(parts, app).await {
        if !is_practice(&slug) {
            return Ok(None);
        }
        return match app.matches.match_of(&slug).await {
            Err(AppError::NoMatch) => Ok(None),
            found => found.map(Some),
        };
    }
    match parts.extensions.get::<Caller>().and_then(|caller| caller.0.as_ref()) {
        Some((_, Bearer::Seat(access))) => {
            Ok(Some(access.seat_ref.match_id).filter(|match_id| is_of_practice(*match_id)))
        }
        _ => Ok(None),
    }
}
