//! The context of an umpire's request: the umpire, the match, and its history.

use std::sync::Arc;

use app::{Act, App, AppError, slug};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use ledger::{MatchId, Seq};
use record::History;

use super::activity::{Umpires, since};
use super::form_data::FormData;
use super::form_state::{Conflict, FormState};
use super::{console, form};
use page::{Frame, PracticeMark};
use web_http::visitor::SignedIn;
use web_http::{Problem, site};

#[derive(Debug)]
pub(super) struct MatchContext {
    pub(super) app: Arc<App>,
    pub(super) umpire: SignedIn,
    pub(super) site: String,
    pub(super) slug: String,
    pub(super) match_id: MatchId,
    pub(super) history: Arc<History>,
}

#[derive(Debug)]
pub(super) struct AnybodysMatch(pub(super) MatchContext);

impl FromRequestParts<Arc<App>> for AnybodysMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let umpire = SignedIn::from_request_parts(parts, app).await?;
        let path = Path::<String>::from_request_parts(parts, app).await;
        let Path(slug) = path.map_err(|_| Problem::from(AppError::NoMatch))?;
        let match_id = app.matches.match_of(&slug).await?;
        MatchContext::at(app, umpire, site(&parts.headers), match_id).await.map(Self)
    }
}

impl FromRequestParts<Arc<App>> for MatchContext {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let AnybodysMatch(context) = AnybodysMatch::from_request_parts(parts, app).await?;
        match context.foreign(&context.history).await? {
            Some(foreign) => Err(foreign.back(console::address(&context.slug), "Whose match it is")),
            None => Ok(context),
        }
    }
}

impl MatchContext {
    pub(super) async fn at(app: &Arc<App>, umpire: SignedIn, site: String, match_id: MatchId) -> Result<Self, Problem> {
        // Finishes a round that a crash interrupted, so that the umpire never sees half of one.
        let history = app.recorder.settle(match_id).await?;
        Ok(Self { app: app.clone(), umpire, site, slug: slug(match_id), match_id, history })
    }

    pub(super) async fn foreign(&self, history: &History) -> Result<Option<Problem>, Problem> {
        match self.app.umpires.check(history, &self.umpire.by()).await {
            Ok(()) => Ok(None),
            Err(error @ AppError::NotYourMatch) => Ok(Some(error.into())),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn frame(&self, title: impl Into<String>) -> Frame {
        Frame { practice: PracticeMark::for_umpire(self.match_id), ..super::frame(title, &self.umpire) }
    }

    pub(super) fn act(&self, sent: &FormData) -> Result<Act, Problem> {
        Ok(Act { by: self.umpire.by(), form: sent.form()? })
    }

    pub(super) fn fresh_form(&self) -> String {
        form::fresh(self.app.system())
    }

    pub(super) fn done(&self, confirmation: &str) -> Response {
        let address = console::address(&self.slug);
        let address = if confirmation.is_empty() { address } else { format!("{address}?done={confirmation}") };
        Redirect::to(&address).into_response()
    }

    pub(super) async fn refused(&self, state: FormState, why: &str) -> Result<Response, Problem> {
        self.console_with(state, Problem::refused(why)).await
    }

    pub(super) async fn conflict(
        &self,
        error: AppError,
        seen: Seq,
        mut copies: Vec<(String, String)>,
    ) -> Result<Response, Problem> {
        let title = match error {
            AppError::Overtaken => "Somebody else was first: nothing of this form was recorded",
            AppError::SubmitReused => "This form was sent before, with something else in it: nothing more was recorded",
            error => return Err(error.into()),
        };
        let umpires = Umpires::all(&self.app).await?;
        let activity = since(&self.app, &umpires, self.match_id, seen).await?;
        copies.retain(|(_, text)| !text.is_empty());
        let conflict = Some(Conflict { title, activity, copies });
        self.console_with(FormState { conflict, ..FormState::default() }, Problem::conflict(error.to_string())).await
    }

    async fn console_with(&self, state: FormState, problem: Problem) -> Result<Response, Problem> {
        let mut response = console::render(self, FormState { status: problem.status(), ..state }).await?;
        response.extensions_mut().insert(problem);
        Ok(response)
    }
}
