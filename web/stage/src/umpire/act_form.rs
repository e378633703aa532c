//! A form with which an umpire acts on a match, and the one way in which all of them are answered.

use std::sync::Arc;

use app::text::TextError;
use app::views::HeadJson;
use app::{Act, App, AppError, UmpireAct};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::Response;
use engine::Seat;
use ledger::{DecisionId, Head};
use record::History;
use record::write::WriteError;

use super::form_data::FormData;
use super::form_state::{FormState, RefusedForm};
use super::match_context::{AnybodysMatch, MatchContext};
use super::question::TypedLines;
use web_http::Problem;

#[derive(Debug)]
pub(super) struct ActForm {
    /// The last part of its address.
    pub(super) name: String,
    pub(super) context: MatchContext,
    pub(super) act: Act,
    pub(super) seen: Head,
    pub(super) sent: FormData,
}

#[derive(Debug)]
pub(super) struct AnybodysForm(pub(super) ActForm);

#[derive(Debug)]
pub(super) enum Refusal {
    Input(String),
    Book(AppError),
}

#[derive(Debug)]
pub(super) enum Outcome {
    Answered(Response),
    Refused(String),
}

/// The word in the console's address for what was done; empty if the console shows it by itself.
pub(super) type Confirmation = &'static str;

#[derive(Debug)]
pub(super) enum Again {
    Form(&'static str),
    Notice(TypedLines),
}

impl FromRequest<Arc<App>> for ActForm {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let context = MatchContext::from_request_parts(&mut parts, app).await?;
        Self::of(context, Request::from_parts(parts, body), app).await
    }
}

impl FromRequest<Arc<App>> for AnybodysForm {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let AnybodysMatch(context) = AnybodysMatch::from_request_parts(&mut parts, app).await?;
        ActForm::of(context, Request::from_parts(parts, body), app).await.map(Self)
    }
}

impl From<AppError> for Refusal {
    fn from(error: AppError) -> Self {
        Self::Book(error)
    }
}

impl From<TextError> for Refusal {
    fn from(error: TextError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<&str> for Refusal {
    fn from(why: &str) -> Self {
        Self::Input(why.to_owned())
    }
}

impl ActForm {
    async fn of(context: MatchContext, request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let name = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
        let sent = FormData::from_request(request, app).await?;
        Ok(Self { name, act: context.act(&sent)?, seen: sent.head()?, context, sent })
    }

    pub(super) fn text(&self, name: &str) -> &str {
        self.sent.text(name)
    }

    pub(super) fn seat(&self, missing: &'static str) -> Result<Seat, Refusal> {
        self.text("seat").parse().map_err(|_| missing.into())
    }

    pub(super) const fn head(&self) -> HeadJson {
        HeadJson::of(self.seen)
    }

    pub(super) fn clause(&self) -> Option<String> {
        Some(self.text("clause").to_owned()).filter(|clause| !clause.is_empty())
    }

    /// The decision that the act is about. What is no id of a decision is of none that is open.
    pub(super) fn decision(&self) -> Result<DecisionId, Refusal> {
        self.text("decision").parse().map_err(|_| AppError::Overtaken.into())
    }

    pub(super) fn copy(&self, label: &str, name: &str) -> Vec<(String, String)> {
        vec![(label.to_owned(), self.text(name).to_owned())]
    }

    pub(super) async fn perform(&self, act: &UmpireAct, done: Confirmation) -> Result<Confirmation, Refusal> {
        self.context.app.commands.perform(&self.act, self.context.match_id, act).await?;
        Ok(done)
    }

    pub(super) async fn outcome(
        &self,
        done: Result<Confirmation, Refusal>,
        copies: Vec<(String, String)>,
    ) -> Result<Outcome, Problem> {
        Ok(match done {
            Ok(confirmation) => Outcome::Answered(self.context.done(confirmation)),
            Err(Refusal::Input(why)) => Outcome::Refused(why),
            Err(Refusal::Book(AppError::Refused(why))) => Outcome::Refused(reason(&self.context.history, &why)),
            // Nobody was first: the same form can be sent again.
            Err(Refusal::Book(error @ (AppError::Waits { .. } | AppError::Text(_) | AppError::Clause(_)))) => {
                Outcome::Refused(record::words::sentence(&error.to_string()))
            }
            Err(Refusal::Book(error)) => Outcome::Answered(self.context.conflict(error, self.seen.next, copies).await?),
        })
    }
}

pub(super) async fn answer(
    done: Result<Confirmation, Refusal>,
    form: ActForm,
    again: Again,
    copies: Vec<(String, String)>,
) -> Result<Response, Problem> {
    let why = match form.outcome(done, copies).await? {
        Outcome::Answered(answer) => return Ok(answer),
        Outcome::Refused(why) => why,
    };
    let state = match again {
        Again::Form(name) => {
            let refused = Some(RefusedForm { name, why: why.clone(), sent: form.sent });
            FormState { refused, ..FormState::default() }
        }
        // A question whether to close is asked beside its button, and is no failure.
        Again::Notice(lines) => {
            FormState { notice: (!lines.unsure).then(|| why.clone()), lines: Some(lines), ..FormState::default() }
        }
    };
    form.context.refused(state, &why).await
}

pub(super) async fn answer_lines(
    done: Result<Confirmation, Refusal>,
    form: ActForm,
    lines: TypedLines,
) -> Result<Response, Problem> {
    let copies = lines.copies(&form.context.history);
    answer(done, form, Again::Notice(lines), copies).await
}

pub(super) fn reason(history: &History, why: &WriteError) -> String {
    record::words::sentence(&engine::name_seats(&why.to_string(), history.both_names()))
}
