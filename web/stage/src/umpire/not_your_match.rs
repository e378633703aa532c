//! The page that another umpire finds in the place of the console: whose match it is, and how to take part in it.
//!
//! Nothing on it is more than everybody may read, so whoever asks for it again and again learns nothing of what came.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use record::History;

use super::activity::Umpires;
use super::console::RecentActivity;
use super::form;
use super::form_state::FormState;
use super::match_context::MatchContext;
use page::{Frame, page};
use web_http::Problem;

#[derive(Template)]
#[template(path = "umpire/not_your_match.html")]
struct Foreign<'c> {
    frame: Frame,
    context: &'c MatchContext,
    history: &'c History,
    state: &'c FormState,
    slug: &'c str,
    head: String,
    now: i64,
    owner: String,
    activity: RecentActivity,
    focus_below: bool,
}

/// The page, with the input and the result of the form that takes the match over. A look at it is answered as `refused`.
pub(super) async fn page_of(
    context: &MatchContext,
    history: &History,
    state: FormState,
    refused: Problem,
) -> Result<Response, Problem> {
    let app = &context.app;
    let umpires = Umpires::all(app).await?;
    let foreign = Foreign {
        frame: context.frame(history.bout()),
        context,
        history,
        slug: &context.slug,
        head: form::write_head(history.head),
        now: app.system().now().micros() / 1000,
        owner: umpires.name(history.umpire_now()),
        activity: RecentActivity::of(context, history, &umpires, &state).await?,
        focus_below: false,
        state: &state,
    };
    let mut response = page(&foreign)?;
    *response.status_mut() = state.status;
    // Whoever has just handed the match over is not refused.
    if state.status == StatusCode::OK && state.done.is_none() {
        *response.status_mut() = refused.status();
        response.extensions_mut().insert(refused);
    }
    Ok(response)
}
