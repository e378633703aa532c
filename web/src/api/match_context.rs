//! The match and the act of an umpire's request.

use std::sync::Arc;

use app::text::{KnownClause, Purpose, RulingText};
use app::{Act, App, AppError};
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use engine::name_seats;
use ledger::MatchId;
use record::History;
use record::words::sentence;

use super::answer::json;
use super::caller::Umpire;
use super::idempotency::Key;
use super::request::MatchSlug;
use super::shapes::MatchStatus;
use crate::http::{ErrorKind, Problem};

/// The request of an umpire about a match, before anything is looked up.
pub(super) struct UmpireRequest {
    pub(super) umpire: Umpire,
    slug: MatchSlug,
}

/// The same for an act, which has a key.
pub(super) struct ActRequest {
    pub(super) request: UmpireRequest,
    pub(super) act: Act,
}

/// A match without half-finished rounds, and the act of the request.
pub(super) struct MatchContext {
    pub(super) app: Arc<App>,
    pub(super) match_id: MatchId,
    pub(super) history: Arc<History>,
    pub(super) act: Act,
}

impl FromRequestParts<Arc<App>> for UmpireRequest {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let umpire = Umpire::from_request_parts(parts, app).await?;
        let slug = MatchSlug::from_request_parts(parts, app).await?;
        Ok(Self { umpire, slug })
    }
}

impl FromRequestParts<Arc<App>> for ActRequest {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let request = UmpireRequest::from_request_parts(parts, app).await?;
        let key = Key::from_request_parts(parts, app).await?;
        Ok(Self { act: request.umpire.act(&key), request })
    }
}

impl UmpireRequest {
    pub(super) const fn app(&self) -> &Arc<App> {
        &self.umpire.app
    }

    /// The match, of whomever it is: for what tells nothing of it, or has a check of its own.
    pub(super) async fn match_id(&self) -> Result<MatchId, Problem> {
        self.slug.id(self.app()).await
    }

    /// The match without half-finished rounds, for its own umpire and the helpers alone.
    pub(super) async fn settled(&self) -> Result<(MatchId, Arc<History>), Problem> {
        let (match_id, history) = self.anybodys().await?;
        self.app().umpires.check(&history, &self.umpire.by()).await?;
        Ok((match_id, history))
    }

    /// The same for any umpire of the site.
    async fn anybodys(&self) -> Result<(MatchId, Arc<History>), Problem> {
        let match_id = self.match_id().await?;
        Ok((match_id, self.app().recorder.settle(match_id).await?))
    }
}

impl ActRequest {
    /// Looks up the match, after the body was read, for its own umpire and the helpers alone.
    pub(super) async fn settled(self) -> Result<MatchContext, Problem> {
        let (match_id, history) = self.request.settled().await?;
        Ok(MatchContext { app: self.request.umpire.app, match_id, history, act: self.act })
    }

    /// The same for any umpire of the site: for taking the match over.
    pub(super) async fn anybodys(self) -> Result<MatchContext, Problem> {
        let (match_id, history) = self.request.anybodys().await?;
        Ok(MatchContext { app: self.request.umpire.app, match_id, history, act: self.act })
    }
}

impl MatchContext {
    /// The clause that a request names, if the ruleset has it.
    pub(super) fn clause<'t>(&self, clause: Option<&'t str>) -> Result<Option<&'t str>, Problem> {
        let known = KnownClause::read(&self.history.setup.ruleset, clause.unwrap_or_default())?;
        Ok(known.map(KnownClause::number))
    }

    /// The state of the match after an act, or the reason of its refusal.
    pub(super) fn answer(&self, acted: Result<Arc<History>, AppError>) -> Result<Response, Problem> {
        answer(&self.history, acted)
    }
}

/// A text that everybody reads, and that must be there.
pub(super) fn public_text(purpose: Purpose, text: &str) -> Result<&str, Problem> {
    Ok(RulingText::required(purpose, text)?.as_str())
}

/// The state of the match after an act, or the reason of its refusal.
pub(super) fn answer(before: &History, acted: Result<Arc<History>, AppError>) -> Result<Response, Problem> {
    let after = acted.map_err(|error| refused(before, error))?;
    json(StatusCode::OK, &MatchStatus::of(&after))
}

/// An error of an act, with the players' names in its sentence.
pub(super) fn refused(history: &History, error: AppError) -> Problem {
    let overtaken = matches!(error, AppError::Overtaken);
    let problem = Problem::from(error);
    match problem.kind {
        ErrorKind::Refused => Problem::refused(name_seats(&sentence(&problem.detail), history.both_names())),
        _ if overtaken => problem.saying(
            "Somebody else changed the match since you read it, and nothing of this was recorded. Read its state again.",
        ),
        _ => problem,
    }
}
