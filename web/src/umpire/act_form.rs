//! A form with which an umpire acts on a match, and the one way in which all of them are answered.

use std::sync::Arc;

use app::text::{KnownClause, Purpose, RulingText, TextError, UnknownClause};
use app::{Act, App, AppError};
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
use crate::http::Problem;

/// A form with which an umpire acts on a match.
#[derive(Debug)]
pub(super) struct ActForm {
    pub(super) context: MatchContext,
    pub(super) act: Act,
    /// The head that the umpire saw.
    pub(super) seen: Head,
    pub(super) sent: FormData,
}

/// The same of any umpire of the site: for taking a match over.
#[derive(Debug)]
pub(super) struct AnybodysForm(pub(super) ActForm);

/// The reason why an act was not recorded.
#[derive(Debug)]
pub(super) enum Refusal {
    /// An error in the input, as a sentence.
    Input(String),
    Book(AppError),
}

/// The result of an act, as far as its form has to know it.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It was recorded, or somebody else acted first: then the answer shows their acts, and the input of this umpire.
    Answered(Response),
    /// The form is shown again with this sentence.
    Refused(String),
}

/// The word in the console's address for what was done; empty if the console shows it by itself.
pub(super) type Confirmation = &'static str;

/// The way in which the console shows a refused form again.
#[derive(Debug)]
pub(super) enum Again {
    /// The form of this name, with its input.
    Form(&'static str),
    /// A notice at the top, and the lines that were typed.
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

impl From<UnknownClause> for Refusal {
    fn from(error: UnknownClause) -> Self {
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
        let sent = FormData::from_request(request, app).await?;
        Ok(Self { act: context.act(&sent)?, seen: sent.head()?, context, sent })
    }

    /// A field, without white space around it.
    pub(super) fn text(&self, name: &str) -> &str {
        self.sent.text(name)
    }

    /// The public reason of an act.
    pub(super) fn reason(&self, name: &str) -> Result<&str, Refusal> {
        self.required(name, Purpose::Reason)
    }

    /// A text that must not be empty.
    pub(super) fn required(&self, name: &str, purpose: Purpose) -> Result<&str, Refusal> {
        Ok(RulingText::required(purpose, self.text(name))?.as_str())
    }

    /// A text that may be empty.
    pub(super) fn optional(&self, name: &str) -> Result<&str, Refusal> {
        Ok(RulingText::optional(self.text(name))?.as_str())
    }

    /// The seat that the act is about.
    pub(super) fn seat(&self, missing: &'static str) -> Result<Seat, Refusal> {
        self.text("seat").parse().map_err(|_| missing.into())
    }

    /// The clause that the act cites, if any.
    pub(super) fn clause(&self) -> Result<Option<&str>, Refusal> {
        let clause = KnownClause::read(&self.context.history.setup.ruleset, self.text("clause"))?;
        Ok(clause.map(KnownClause::number))
    }

    /// The decision that the act is about. What is no id of a decision is of none that is open.
    pub(super) fn decision(&self) -> Result<DecisionId, Refusal> {
        self.text("decision").parse().map_err(|_| AppError::Overtaken.into())
    }

    /// A text of the form with its label, to be copied if the act was not recorded.
    pub(super) fn copy(&self, label: &str, name: &str) -> Vec<(String, String)> {
        vec![(label.to_owned(), self.text(name).to_owned())]
    }

    /// Sorts the result of the act. `copies` is the input to give back if somebody else acted first.
    ///
    /// # Errors
    /// Errors that no form can do anything about.
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
            Err(Refusal::Book(error @ AppError::Waits { .. })) => {
                Outcome::Refused(record::words::sentence(&error.to_string()))
            }
            Err(Refusal::Book(error)) => Outcome::Answered(self.context.conflict(error, self.seen.next, copies).await?),
        })
    }
}

/// The console after an act: it confirms it, or shows the form again.
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

/// The same after an act with one text, which is given back under a label.
pub(super) async fn answer_text(
    done: Result<Confirmation, Refusal>,
    form: ActForm,
    again: Again,
    (label, field): (&str, &str),
) -> Result<Response, Problem> {
    let copies = form.copy(label, field);
    answer(done, form, again, copies).await
}

/// The same after an act on a decision.
pub(super) async fn answer_lines(
    done: Result<Confirmation, Refusal>,
    form: ActForm,
    lines: TypedLines,
) -> Result<Response, Problem> {
    let copies = lines.copies(&form.context.history);
    answer(done, form, Again::Notice(lines), copies).await
}

/// The reason of a refusal, as a sentence.
pub(super) fn reason(history: &History, why: &WriteError) -> String {
    record::words::sentence(&engine::name_seats(&why.to_string(), history.both_names()))
}
