//! Players' objections as tasks of the umpire: each needs a ruling, and the match cannot end before.

use app::book::BookError;
use askama::Template;
use axum::response::Response;
use ledger::Seq;
use record::History;

use super::allowed::{TEXT_MAX_CHARS, unsaid};
use super::console::Brought;
use super::match_context::{Chair, reason};
use super::sent::Sent;
use crate::page::Problem;

/// The open objections of a match.
#[derive(Debug, Template)]
#[template(path = "umpire/objections.html")]
pub(super) struct Objections {
    slug: String,
    head: String,
    open: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    entry: Seq,
    name: String,
    step: u32,
    /// The recorded line.
    line: String,
    said: String,
    form: String,
}

impl Objections {
    /// The objections of a match, oldest first; `fresh` creates the ids of their forms.
    pub(super) fn of(history: &History, slug: &str, head: String, fresh: impl Fn() -> String) -> Self {
        let line = |step: u32| history.steps.iter().find(|one| one.number == step).map(super::console::line_of);
        let open = history.open_objections().map(|one| Open {
            entry: one.entry,
            name: history.name(one.seat).to_owned(),
            step: one.step,
            line: line(one.step).unwrap_or_default().to_owned(),
            said: one.text.or("(withdrawn)").to_owned(),
            form: fresh(),
        });
        Self { slug: slug.to_owned(), head, open: open.collect() }
    }
}

/// `POST .../answer`: rules on an objection and keeps the step. Correcting or striking the step also answers it.
pub(super) async fn send(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    let entry = sent.text("objection").parse().map(Seq);
    let entry = entry.map_err(|_| Problem::refused("This form does not say which objection it answers."))?;
    let text = sent.text("text");
    let why = match unsaid(text, TEXT_MAX_CHARS, "Say what was decided, and why: everybody reads it.") {
        Some(error) => error,
        None => match chair.book.answer_objection(&act, chair.match_id, seen, entry, None, text).await {
            Ok(_) => return Ok(chair.done("ruled")),
            Err(BookError::Refused(why)) => reason(&chair.history, &why),
            Err(error) => {
                return chair.lost(error, seen.next, vec![("The ruling".to_owned(), text.to_owned())]).await;
            }
        },
    };
    chair.refused(Brought { problem: Some(why.clone()), ..Brought::default() }, &why).await
}
