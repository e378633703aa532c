//! Striking back to a step: first a preview of everything that would no longer count, then the strike.

use app::book::BookError;
use askama::Template;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::Response;
use ledger::Head;
use record::words::{in_a_line, standing};
use record::write::plan_strike;

use super::allowed::{TEXT_MAX_CHARS, unsaid};
use super::chair::{Chair, reason};
use super::console::line_of;
use super::sent::Sent;
use super::{console, form, frame, shown};
use crate::page::{Frame, Problem};

#[derive(Template)]
#[template(path = "umpire/strike.html")]
struct Strike {
    frame: Frame,
    slug: String,
    bout: String,
    from: u32,
    gone: Vec<Gone>,
    /// The state of the match after the strike.
    after: String,
    was_ended: bool,
    reason: String,
    error: Option<String>,
    form: String,
    head: String,
}

/// A step that would no longer count.
struct Gone {
    number: u32,
    line: String,
    figures: String,
}

/// The number in an address.
pub(super) fn asked(query: Option<&str>, name: &str) -> Option<u32> {
    let pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name)?.1.parse().ok()
}

/// `GET .../strike?from=N`: the preview.
pub(super) async fn show(chair: Chair, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let from = asked(query.as_deref(), "from").unwrap_or(0);
    render(&chair, from, String::new(), None, chair.history.head)
}

/// `POST .../strike`.
pub(super) async fn send(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    let from = sent.text("from").parse().unwrap_or(0);
    let text = sent.text("reason");
    let why = match unsaid(text, TEXT_MAX_CHARS, "Say why: everybody reads it.") {
        Some(error) => error,
        None => match chair.book.strike(&act, chair.match_id, seen, from, text).await {
            Ok(_) => return Ok(chair.done("struck")),
            Err(BookError::Refused(why)) => reason(&chair.history, &why),
            Err(error) => return chair.lost(error, seen.next, vec![("The reason".to_owned(), text.to_owned())]).await,
        },
    };
    render(&chair, from, text.to_owned(), Some(why), seen)
}

fn render(chair: &Chair, from: u32, typed: String, error: Option<String>, seen: Head) -> Result<Response, Problem> {
    let history = &chair.history;
    let plan = plan_strike(history, from).map_err(|why| {
        Problem::refused(reason(history, &why)).back(console::address(&chair.slug), "Go back to the console")
    })?;
    let gone = plan.changes.iter().map(|change| {
        let step = history.steps.iter().find(|step| step.number == change.number);
        Gone {
            number: change.number,
            line: step.map_or(change.was.as_str(), line_of).to_owned(),
            figures: in_a_line(change.figures.iter().map(|(was, _)| was.clone())),
        }
    });
    let names = history.both_names();
    let problem = error.clone().map(Problem::refused);
    let strike = Strike {
        frame: frame(format!("Strike back to step {from}"), &chair.umpire),
        slug: chair.slug.clone(),
        bout: format!("{} – {}", names.p1, names.p2),
        from,
        gone: gone.collect(),
        after: standing(&plan.after),
        was_ended: history.is_ended(),
        reason: typed,
        error,
        form: form::fresh(chair.book.mint()),
        head: form::write_head(seen),
    };
    let status = problem.as_ref().map_or(StatusCode::OK, |problem| problem.status());
    let mut response = shown(status, &strike)?;
    problem.and_then(|problem| response.extensions_mut().insert(problem));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::asked;

    #[test]
    fn the_step_is_read_from_the_address() {
        assert_eq!(asked(Some("a=1&from=12"), "from"), Some(12));
        for query in [None, Some(""), Some("from"), Some("from="), Some("from=-1"), Some("from=99999999999")] {
            assert_eq!(asked(query, "from"), None);
        }
    }
}
