//! Ending a match that is over.

use axum::response::Response;

use super::act_form::{ActForm, answer_lines};
use super::question::TypedLines;
use web_http::Problem;

pub(super) async fn send(form: ActForm) -> Result<Response, Problem> {
    let ended = form.context.app.commands.end(&form.act, form.context.match_id, form.seen).await;
    answer_lines(ended.map(|_| "ended").map_err(Into::into), form, TypedLines::default()).await
}
