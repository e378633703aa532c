//! The umpire's dashboard and console: opening matches, recording rounds, and all other acts of an umpire.
//!
//! Every form carries its own id, so that sending it twice acts once. It also carries the decision or the head that the
//! umpire saw, so that of two windows only one can win. A refused form is shown again with all of its input.

mod act_form;
mod act_post;
mod activity;
mod acts;
mod announce;
mod chat_post;
mod clock;
mod console;
mod correct;
mod dashboard;
mod declare;
mod delete;
mod desk;
mod early_end;
mod form_state;
mod links;
mod live_answers;
mod live_question;
mod match_context;
mod match_facts;
mod new_match;
mod not_your_match;
mod objections;
mod open;
mod plan;
mod question;
mod record;
mod sent_at;
mod share_panel;
mod strike;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::{Redirect, Response};
use axum::routing::{get, post};

use page::{Frame, form, form_data, page};
use web_http::Problem;
use web_http::visitor::SignedIn;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/umpire", get(dashboard::show))
        .route("/umpire/open", get(open::show).post(open::send))
        .route("/umpire/plan/drop", post(plan::withdraw))
        .route("/umpire/m/{slug}", get(console::show))
        .route("/umpire/m/{slug}/read", post(record::read).get(back))
        .route("/umpire/m/{slug}/record", post(record::send).get(back))
        .route("/umpire/m/{slug}/type", post(live_answers::type_for).get(back))
        .route("/umpire/m/{slug}/close", post(live_answers::close).get(back))
        .route("/umpire/m/{slug}/clock", post(acts::send).get(back))
        .route("/umpire/m/{slug}/links", get(links::show).post(links::send))
        .route("/umpire/m/{slug}/draw", post(record::draw).get(back))
        .route("/umpire/m/{slug}/announce", post(acts::send).get(back))
        .route("/umpire/m/{slug}/shares", post(acts::send).get(back))
        .route("/umpire/m/{slug}/without-round", post(acts::send).get(back))
        .route("/umpire/m/{slug}/rule", post(acts::send).get(back))
        .route("/umpire/m/{slug}/decide", post(acts::send).get(back))
        .route("/umpire/m/{slug}/warn", post(acts::send).get(back))
        .route("/umpire/m/{slug}/admit", post(acts::send).get(back))
        .route("/umpire/m/{slug}/leave-out", post(live_question::leave_out).get(back))
        .route("/umpire/m/{slug}/go-on-recorded", post(acts::send).get(back))
        .route("/umpire/m/{slug}/hand", post(acts::send_of_anybody).get(back))
        .route("/umpire/m/{slug}/private-note", post(acts::keep_private_note).get(back))
        .route("/umpire/m/{slug}/answer", post(acts::send).get(back))
        .route("/umpire/m/{slug}/note", post(acts::send).get(back))
        .route("/umpire/m/{slug}/strike", get(strike::show).post(strike::send))
        .route("/umpire/m/{slug}/correct", get(correct::show).post(correct::send))
        .route("/umpire/m/{slug}/delete", get(delete::show).post(delete::send))
        .route("/umpire/m/{slug}/end", post(acts::send).get(back))
        .layer(map_response(uncached))
}

/// An umpire's page may contain secrets, so no cache may store it.
async fn uncached(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn back(Path(slug): Path<String>) -> Redirect {
    Redirect::to(&console::address(&slug))
}

fn frame(title: impl Into<String>, umpire: &SignedIn) -> Frame {
    let mut frame = Frame::titled(title).in_section("umpire");
    frame.umpire = Some(umpire.0.name.clone());
    frame.obstacle = umpire.1.clone();
    frame
}

fn shown(template: &impl askama::Template, refused: Option<&str>) -> Result<Response, Problem> {
    let mut response = page(template)?;
    if let Some(why) = refused {
        let problem = Problem::refused(why);
        *response.status_mut() = problem.status();
        response.extensions_mut().insert(problem);
    }
    Ok(response)
}
