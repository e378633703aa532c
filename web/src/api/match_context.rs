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
use super::request::{MatchSlug, act};
use super::shapes::MatchStatus;
use crate::http::{ErrorKind, Problem};

/// The request for an act of an umpire on a match, before anything is looked up.
pub(super) struct UmpireRequest {
    app: Arc<App>,
    umpire: Umpire,
    slug: MatchSlug,
    key: Key,
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

    async fn from_request_parts(parts: &mut Parts, state: &Arc<App>) -> Result<Self, Problem> {
        let umpire = Umpire::from_request_parts(parts, state).await?;
        let slug = MatchSlug::from_request_parts(parts, state).await?;
        let key = Key::from_request_parts(parts, state).await?;
        Ok(Self { app: state.clone(), umpire, slug, key })
    }
}

impl UmpireRequest {
    /// Looks up the match, after the body was read.
    pub(super) async fn settled(self) -> Result<MatchContext, Problem> {
        let Self { app, umpire, slug, key } = self;
        let (match_id, history) = settled(&app, &slug).await?;
        Ok(MatchContext { app, match_id, history, act: act(umpire.by(), &key) })
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

/// The match without half-finished rounds.
pub(super) async fn settled(app: &App, slug: &MatchSlug) -> Result<(MatchId, Arc<History>), Problem> {
    let match_id = slug.id(app).await?;
    Ok((match_id, app.recorder.settle(match_id).await?))
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
