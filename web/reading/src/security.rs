//! The addresses under `.well-known` by which programs find whom to tell of a hole (RFC 9116) and where a password is
//! changed.

use std::sync::Arc;

use app::App;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use ledger::Moment;

use web_http::Problem;

/// The place to write to about holes: a `mailto:` or `https:` address. Without one the site has no security.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecurityContact(pub String);

/// The file must say when it is out of date, and should not be believed for more than a year.
const DAYS: i64 = 180;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/.well-known/security.txt", get(contact))
        .route("/.well-known/change-password", get(async || Redirect::to("/account")))
}

async fn contact(
    State(app): State<Arc<App>>,
    contact: Option<Extension<SecurityContact>>,
) -> Result<Response, Problem> {
    let Some(Extension(SecurityContact(contact))) = contact else {
        return Err(Problem::not_found("This site names nobody to tell of a hole. Ask its umpires."));
    };
    let now = app.system().now();
    let ends = Moment::from_micros(now.micros() + DAYS * 24 * 60 * 60 * 1_000_000).unwrap_or(now);
    let text = format!("Contact: {contact}\nExpires: {ends}\nPreferred-Languages: en\n");
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}
