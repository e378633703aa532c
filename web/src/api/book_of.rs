//! The book of a request: the practice book if the match in its address, or its seat's match, is a practice match;
//! otherwise the official one.
//!
//! Tokens, limits and keys belong to the official book in both cases, so that they work the same for every match.

use std::sync::Arc;

use app::account::Bearer;
use app::book::{Book, BookError, is_practice, log_of};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use ledger::MatchId;
use store::PRACTICE;

use super::caller::Caller;
use super::sent::Named;
use crate::http::Problem;

/// The book of the match in a request.
pub(super) struct BookOf(pub(super) Arc<Book>);

/// The practice match of a request.
enum Practised {
    /// By the short name in its address. It may not exist.
    Named(String),
    /// By the seat that submits.
    Seated(MatchId),
}

impl Practised {
    /// None if the request is about the record, or about no match.
    async fn by(parts: &mut Parts, book: &Arc<Book>) -> Option<Self> {
        if let Ok(Named(slug)) = Named::from_request_parts(parts, book).await {
            return is_practice(&slug).then_some(Self::Named(slug));
        }
        match parts.extensions.get::<Caller>().and_then(|caller| caller.0.as_ref()) {
            Some((_, Bearer::Seat(chair))) => is_practised(chair.match_id).then_some(Self::Seated(chair.match_id)),
            _ => None,
        }
    }
}

/// True for a practice match.
pub(super) fn is_practised(match_id: MatchId) -> bool {
    log_of(match_id) == PRACTICE
}

impl FromRequestParts<Arc<Book>> for BookOf {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, book: &Arc<Book>) -> Result<Self, Problem> {
        match Practised::by(parts, book).await {
            Some(_) => Ok(Self(book.practice().await?.clone())),
            None => Ok(Self(book.clone())),
        }
    }
}

/// The practice match of a request; none if it is about the record, or about no match.
///
/// # Errors
/// The database.
pub(super) async fn practised(parts: &mut Parts, book: &Arc<Book>) -> Result<Option<MatchId>, BookError> {
    match Practised::by(parts, book).await {
        None => Ok(None),
        Some(Practised::Seated(match_id)) => Ok(Some(match_id)),
        Some(Practised::Named(slug)) => match book.practice().await?.match_of(&slug).await {
            Err(BookError::NoMatch) => Ok(None),
            found => found.map(Some),
        },
    }
}
