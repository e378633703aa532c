//! An umpire in front of a match: who, which match, and how it stands now.

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

/// An umpire in front of a match.
#[derive(Debug)]
pub(super) struct Chair {
    /// The book.
    pub(super) book: Arc<Book>,
    /// Who is signed in.
    pub(super) umpire: SignedIn,
    /// Where this site is, as the browser called it.
    pub(super) site: String,
    /// The match's short name.
    pub(super) slug: String,
    /// The match.
    pub(super) match_id: MatchId,
    /// The match as it stands, with nothing left half done.
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
    /// An umpire in front of a match, on a site that the browser called so.
    pub(super) async fn at(
        book: &Arc<Book>,
        umpire: SignedIn,
        site: String,
        match_id: MatchId,
    ) -> Result<Self, Problem> {
        // A round that a crash cut short is finished here, so that the umpire never meets half of one.
        let history = book.settle(match_id).await?;
        Ok(Self { book: book.clone(), umpire, site, slug: slug(match_id), match_id, history })
    }

    /// The act that a form asks for.
    pub(super) fn act(&self, sent: &Sent) -> Result<Act, Problem> {
        Ok(Act { by: self.umpire.by(), form: sent.form()? })
    }

    /// Back to the console, which says what was done.
    pub(super) fn done(&self, what: &str) -> Response {
        Redirect::to(&format!("{}?done={what}", console::address(&self.slug))).into_response()
    }

    /// The console with what was refused, everything typed still in it.
    pub(super) async fn refused(&self, brought: Brought, why: &str) -> Result<Response, Problem> {
        let problem = Problem::refused(why);
        let mut response = console::render(self, Brought { status: problem.status, ..brought }).await?;
        response.extensions_mut().insert(problem);
        Ok(response)
    }

    /// The console after somebody else was first: what they did, and what was typed here.
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
        let brought = Brought { status: problem.status, conflict: Some(conflict), ..Brought::default() };
        let mut response = console::render(self, brought).await?;
        response.extensions_mut().insert(problem);
        Ok(response)
    }
}

/// Why the book refused, as a sentence.
pub(super) fn reason(history: &History, why: &WriteError) -> String {
    record::words::sentence(&engine::name_seats(&why.to_string(), history.both_names()))
}
