//! Deleting a practice match whole.

use app::AppError;
use app::Scope;
use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};

use super::act_form::reason;
use super::form_data::FormData;
use super::match_context::MatchContext;
use super::{console, shown};
use page::Frame;
use web_http::Problem;

#[derive(Template)]
#[template(path = "umpire/delete.html")]
struct Delete<'c> {
    frame: Frame,
    context: &'c MatchContext,
    form: String,
    console: String,
    error: Option<String>,
}

impl<'c> Delete<'c> {
    fn of(context: &'c MatchContext) -> Self {
        Self {
            frame: context.frame("Delete a practice match"),
            form: context.fresh_form(),
            console: console::address(&context.slug),
            context,
            error: None,
        }
    }
}

fn require_practice(context: &MatchContext) -> Result<(), Problem> {
    let official = "This match is in the record, and what is there stays. It can be ruled void on its console.";
    match Scope::of(context.match_id) {
        Scope::Practice => Ok(()),
        Scope::Record => Err(Problem::refused(official).back(console::address(&context.slug), "Back to the console")),
    }
}

pub(super) async fn show(context: MatchContext) -> Result<Response, Problem> {
    require_practice(&context)?;
    shown(&Delete::of(&context), None)
}

pub(super) async fn send(context: MatchContext, sent: FormData) -> Result<Response, Problem> {
    require_practice(&context)?;
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
