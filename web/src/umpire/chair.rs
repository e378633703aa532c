//! The context of an umpire's request: the umpire, the match, and its history.

use std::sync::Arc;

use app::book::{Act, Book, BookError, slug};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use ledger::{MatchId, Seq};
use record::History;
use record::write::WriteError;

use super::console::{self, Brought, Conflict};
use super::happened::{Umpires, since};
use super::sent::Sent;
use crate::page::{Problem, site};
use crate::visitor::SignedIn;

/// The context of an umpire's request.
#[derive(Debug)]
pub(super) struct Chair {
    pub(super) book: Arc<Book>,
    /// The umpire who is signed in.
    pub(super) umpire: SignedIn,
    /// The address of this site as the browser wrote it.
    pub(super) site: String,
    pub(super) slug: String,
    pub(super) match_id: MatchId,
    /// The current history, without half-finished rounds.
    pub(super) history: Arc<History>,
}

impl FromRequestParts<Arc<Book>> for Chair {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, book: &Arc<Book>) -> Result<Self, Problem> {
        let umpire = SignedIn::from_request_parts(parts, book).await?;
        let path = Path::<String>::from_request_parts(parts, book).await;
        let Path(slug) = path.map_err(|_| Problem::from(BookError::NoMatch))?;
        let match_id = book.match_of(&slug).await?;
        Self::at(book, umpire, site(&parts.headers), match_id).await
    }
}

impl Chair {
    /// The context for a match, on a site with this address.
    pub(super) async fn at(
        book: &Arc<Book>,
        umpire: SignedIn,
        site: String,
        match_id: MatchId,
    ) -> Result<Self, Problem> {
        // Finishes a round that a crash interrupted, so that the umpire never sees half of one.
        let history = book.settle(match_id).await?;
        Ok(Self { book: book.clone(), umpire, site, slug: slug(match_id), match_id, history })
    }

    /// The act of a form.
    pub(super) fn act(&self, sent: &Sent) -> Result<Act, Problem> {
        Ok(Act { by: self.umpire.by(), form: sent.form()? })
    }

    /// Leads back to the console, which confirms the act.
    pub(super) fn done(&self, what: &str) -> Response {
        Redirect::to(&format!("{}?done={what}", console::address(&self.slug))).into_response()
    }

    /// The console after a refusal, with all of the input still in the form.
    pub(super) async fn refused(&self, brought: Brought, why: &str) -> Result<Response, Problem> {
        let problem = Problem::refused(why);
        let mut response = console::render(self, Brought { status: problem.status(), ..brought }).await?;
        response.extensions_mut().insert(problem);
        Ok(response)
    }

    /// The console after somebody else acted first, with their acts and the input of this umpire.
    pub(super) async fn lost(
        &self,
        error: BookError,
        seen: Seq,
        typed: Vec<(String, String)>,
    ) -> Result<Response, Problem> {
        let title = match error {
            BookError::Overtaken => "Somebody else was first: nothing of this form was recorded",
            BookError::SubmitReused => {
                "This form was sent before, with something else in it: nothing more was recorded"
            }
            error => return Err(error.into()),
        };
        let umpires = Umpires::all(&self.book).await?;
        let happened = since(&self.book, &umpires, self.match_id, seen).await?;
        let typed = typed.into_iter().filter(|(_, text)| !text.is_empty()).collect();
        let conflict = Conflict { title, happened, typed };
        let problem = Problem::conflict(error.to_string());
        let brought = Brought { status: problem.status(), conflict: Some(conflict), ..Brought::default() };
        let mut response = console::render(self, brought).await?;
        response.extensions_mut().insert(problem);
        Ok(response)
    }
}

/// The reason of a refusal, as a sentence.
pub(super) fn reason(history: &History, why: &WriteError) -> String {
    record::words::sentence(&engine::name_seats(&why.to_string(), history.both_names()))
}
