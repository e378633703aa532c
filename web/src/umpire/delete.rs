//! Deleting a practice match whole.

use app::AppError;
use app::Scope;
use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};

use super::act_form::reason;
use super::match_context::MatchContext;
use super::sent::Sent;
use super::{console, shown};
use crate::http::Problem;
use crate::page::Frame;

#[derive(Template)]
#[template(path = "umpire/delete.html")]
struct Delete {
    frame: Frame,
    form: String,
    console: String,
    bout: String,
    error: Option<String>,
}

impl Delete {
    fn of(context: &MatchContext) -> Self {
        Self {
            frame: context.frame("Delete a practice match"),
            form: context.fresh_form(),
            console: console::address(&context.slug),
            bout: context.history.bout(),
            error: None,
        }
    }
}

/// Answers "not found" unless the match is practice.
fn practice(context: &MatchContext) -> Result<(), Problem> {
    let official = "This match is in the record, and what is there stays. It can be ruled void on its console.";
    let back = (console::address(&context.slug), "Back to the console".to_owned());
    if Scope::of(context.match_id) == Scope::Practice {
        Ok(())
    } else {
        Err(Problem::refused(official).back(back.0, back.1))
    }
}

/// `GET /umpire/m/{slug}/delete`: asks for confirmation, and changes nothing.
pub(super) async fn show(context: MatchContext) -> Result<Response, Problem> {
    practice(&context)?;
    shown(&Delete::of(&context), None)
}

/// `POST /umpire/m/{slug}/delete`.
pub(super) async fn send(context: MatchContext, sent: Sent) -> Result<Response, Problem> {
    practice(&context)?;
    match context.app.commands.delete_practice(&context.act(&sent)?.by, context.match_id).await {
        Ok(()) => Ok(Redirect::to("/umpire").into_response()),
        Err(AppError::Refused(why)) => {
            let error = Some(reason(&context.history, &why));
            let page = Delete { error, ..Delete::of(&context) };
            shown(&page, page.error.as_deref())
        }
        Err(error) => Err(error.into()),
    }
}
