//! The book that a request is about: that of practice where the match in its address, or its seat's, is a practice match;
//! else the official one.
//!
//! Tokens, limits and keys are the official book's for both, so that nothing about a program depends on which it asks.

use std::sync::Arc;

use app::account::Bearer;
use app::book::{Book, BookError, is_practice, log_of};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use ledger::MatchId;
use store::PRACTICE;

use super::caller::Caller;
use super::sent::Named;
use crate::page::Problem;

/// The book of the match that a request is about.
pub(super) struct BookOf(pub(super) Arc<Book>);

/// The practice match that a request is about.
enum Practised {
    /// By the short name in its address. There may be none of that name.
    Named(String),
    /// By the seat that it is sent for.
    Seated(MatchId),
}

impl Practised {
    /// None where the request is about the record, or about no match.
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

/// Whether a match is practice.
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

/// The practice match that a request is about; none where it is about the record, or about no match.
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
