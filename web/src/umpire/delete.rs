//! Deleting a practice match whole.

use app::book::BookError;
use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use engine::Seat;

use super::chair::{Chair, reason};
use super::sent::Sent;
use super::{console, form, frame, shown};
use crate::page::{Frame, Problem};

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
    fn of(chair: &Chair) -> Self {
        let name = |seat| chair.history.name(seat);
        let bout = format!("{} \u{2013} {}", name(Seat::P1), name(Seat::P2));
        Self {
            frame: frame("Delete a practice match", &chair.umpire),
            form: form::fresh(chair.book.mint()),
            console: console::address(&chair.slug),
            bout,
            error: None,
        }
    }
}

/// Answers "not found" unless the match is practice.
fn practice(chair: &Chair) -> Result<(), Problem> {
    let official = "This match is in the record, and what is there stays. It can be ruled void on its console.";
    let back = (console::address(&chair.slug), "Back to the console".to_owned());
    if chair.book.is_practice() { Ok(()) } else { Err(Problem::refused(official).back(back.0, back.1)) }
}

/// `GET /umpire/m/{slug}/delete`: asks for confirmation, and changes nothing.
pub(super) async fn show(chair: Chair) -> Result<Response, Problem> {
    practice(&chair)?;
    shown(StatusCode::OK, &Delete::of(&chair))
}

/// `POST /umpire/m/{slug}/delete`.
pub(super) async fn send(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    practice(&chair)?;
    match chair.book.delete_practice(&chair.act(&sent)?.by, chair.match_id).await {
        Ok(()) => Ok(Redirect::to("/umpire").into_response()),
        Err(BookError::Refused(why)) => {
            let error = reason(&chair.history, &why);
            let problem = Problem::refused(&error);
            let mut response = shown(problem.status(), &Delete { error: Some(error), ..Delete::of(&chair) })?;
            response.extensions_mut().insert(problem);
            Ok(response)
        }
        Err(error) => Err(error.into()),
    }
}
