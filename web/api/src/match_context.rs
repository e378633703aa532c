//! The match and the act of an umpire's request.

use std::sync::Arc;

use app::text::{Purpose, RulingText};
use app::{Act, App, AppError, UmpireAct};
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use engine::name_seats;
use ledger::{Author, MatchId};
use record::History;
use record::words::sentence;

use super::answer::json;
use super::caller::Umpire;
use super::idempotency::Key;
use super::request::MatchSlug;
use super::shapes::MatchStatus;
use web_http::{ErrorKind, Problem};

pub(super) struct UmpireRequest {
    umpire: Umpire,
    slug: MatchSlug,
}

/// A match without half-finished rounds, for its own umpire and the helpers. Anybody else is refused before the body is
/// read: what is sent says nothing about whether they may.
pub(super) struct OwnMatch {
    pub(super) umpire: Umpire,
    pub(super) match_id: MatchId,
    pub(super) history: Arc<History>,
}

pub(super) struct MatchContext {
    pub(super) app: Arc<App>,
    pub(super) match_id: MatchId,
    pub(super) history: Arc<History>,
    pub(super) act: Act,
}

pub(super) struct AnybodysMatch(pub(super) MatchContext);

impl FromRequestParts<Arc<App>> for UmpireRequest {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let umpire = Umpire::from_request_parts(parts, app).await?;
        let slug = MatchSlug::from_request_parts(parts, app).await?;
        Ok(Self { umpire, slug })
    }
}

impl FromRequestParts<Arc<App>> for OwnMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let request = UmpireRequest::from_request_parts(parts, app).await?;
        let (match_id, history) = request.settled().await?;
        app.umpires.check(&history, &request.umpire.by()).await?;
        Ok(Self { umpire: request.umpire, match_id, history })
    }
}

impl FromRequestParts<Arc<App>> for MatchContext {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let OwnMatch { umpire, match_id, history } = OwnMatch::from_request_parts(parts, app).await?;
        let act = umpire.act(&Key::from_request_parts(parts, app).await?);
        Ok(Self { app: umpire.app, match_id, history, act })
    }
}

impl FromRequestParts<Arc<App>> for AnybodysMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let request = UmpireRequest::from_request_parts(parts, app).await?;
        let (match_id, history) = request.settled().await?;
        let act = request.umpire.act(&Key::from_request_parts(parts, app).await?);
        Ok(Self(MatchContext { app: request.umpire.app, match_id, history, act }))
    }
}

impl UmpireRequest {
    pub(super) const fn app(&self) -> &Arc<App> {
        &self.umpire.app
    }

    pub(super) fn by(&self) -> Author {
        self.umpire.by()
    }

    pub(super) async fn match_id(&self) -> Result<MatchId, Problem> {
        self.slug.id(self.app()).await
    }

    async fn settled(&self) -> Result<(MatchId, Arc<History>), Problem> {
        let match_id = self.match_id().await?;
        Ok((match_id, self.app().recorder.settle(match_id).await?))
    }
}

impl MatchContext {
    pub(super) fn answer(&self, acted: Result<Arc<History>, AppError>) -> Result<Response, Problem> {
        answer(&self.history, acted)
    }

    pub(super) async fn performed(&self, act: &UmpireAct) -> Result<Arc<History>, Problem> {
        let performed = self.app.commands.perform(&self.act, self.match_id, act).await;
        performed.map_err(|error| refused(&self.history, error))
    }
}

pub(super) fn public_text(purpose: Purpose, text: &str) -> Result<&str, Problem> {
    Ok(RulingText::required(purpose, text)?.as_str())
}

/// The state of the match after an act, or the reason of its refusal.
pub(super) fn answer(before: &History, acted: Result<Arc<History>, AppError>) -> Result<Response, Problem> {
    let after = acted.map_err(|error| refused(before, error))?;
    json(StatusCode::OK, &MatchStatus::of(&after))
}

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
