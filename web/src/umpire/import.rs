//! Entering a match of the past: read it, look at what was understood, then enter it.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use engine::dmn;
use record::write::Import;

use super::allowed::{NAME_MAX_CHARS, TEXT_MAX_CHARS, too_long};
use super::chair::reason_alone;
use super::figures::standing;
use super::sent::Sent;
use super::{console, form, frame, shown};
use crate::account::SignedIn;
use crate::book::{Act, Book, BookError, slug};
use crate::page::typed::sentence;
use crate::page::{Frame, Problem, result_sentence};

/// Errors that are listed; a file of another kind has one on every line.
const ERRORS_SHOWN: usize = 50;

#[derive(Default, Template)]
#[template(path = "umpire/import.html")]
struct Page {
    frame: Frame,
    dmn: String,
    source: String,
    source_error: Option<String>,
    /// What is wrong with all of it.
    problem: Option<String>,
    errors: Vec<Wrong>,
    more_errors: usize,
    understood: Option<Understood>,
    form: String,
}

/// An error in the file, with its line.
struct Wrong {
    line: usize,
    column: usize,
    before: String,
    found: String,
    after: String,
    expected: String,
}

/// A match that was understood.
struct Understood {
    names: [String; 2],
    ruleset: String,
    event: String,
    date: String,
    steps: usize,
    rounds: u32,
    result: String,
    standing: String,
}

impl Wrong {
    fn of(text: &str, error: &dmn::Error) -> Self {
        let line = text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
        let at = line.char_indices().nth(error.column.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
        let (before, from) = line.split_at_checked(at).unwrap_or((line, ""));
        let after = from.strip_prefix(error.found.as_str());
        Self {
            line: error.line,
            column: error.column,
            before: before.to_owned(),
            found: if after.is_some() { error.found.clone() } else { String::new() },
            after: after.unwrap_or(from).to_owned(),
            expected: sentence(&error.expected),
        }
    }
}

impl Understood {
    fn of(import: &Import) -> Self {
        let (new, duel) = (import.new_match(), import.duel());
        let names = new.names.as_ref().map(String::as_str);
        Self {
            names: [new.names.p1.clone(), new.names.p2.clone()],
            ruleset: engine::ruleset(&new.setup.ruleset).map_or_else(
                |_| new.setup.ruleset.clone(),
                |ruleset| format!("{}, {}", ruleset.card().title, ruleset.card().hosting),
            ),
            event: new.event.clone().unwrap_or_default(),
            date: new.date.clone().unwrap_or_default(),
            steps: import.lines().len(),
            rounds: duel.coming_round().map_or(0, |round| round.saturating_sub(1)),
            result: result_sentence(import.outcome(), names),
            standing: standing(duel),
        }
    }
}

/// `GET /umpire/import`.
pub(super) async fn show(State(book): State<Arc<Book>>, umpire: SignedIn) -> Result<Response, Problem> {
    let page = Page { frame: frame("Enter a past match", &umpire), form: form::fresh(book.mint()), ..Page::default() };
    shown(StatusCode::OK, &page)
}

/// `POST /umpire/import`: reads it, or enters it.
pub(super) async fn send(State(book): State<Arc<Book>>, umpire: SignedIn, sent: Sent) -> Result<Response, Problem> {
    let act = Act { by: umpire.by(), form: sent.form()? };
    let file = sent.whole("file");
    let text = if file.trim().is_empty() { sent.whole("dmn") } else { file };
    let source = sent.text("source");
    let mut page = Page {
        frame: frame("Enter a past match", &umpire),
        dmn: text.to_owned(),
        source: source.to_owned(),
        source_error: too_long(source, TEXT_MAX_CHARS),
        form: form::fresh(book.mint()),
        ..Page::default()
    };
    if !sent.text("file-not-text").is_empty() || !sent.text("dmn-not-text").is_empty() {
        page.problem = Some("This file is no text in UTF-8, so nothing of it was read.".to_owned());
    } else if text.trim().is_empty() {
        page.problem = Some("There is nothing to read: paste a match, or choose a file.".to_owned());
    } else {
        match Import::read(text) {
            Ok(import) => {
                page.problem = names_too_long(&import);
                if sent.text("do") == "enter" && page.problem.is_none() && page.source_error.is_none() {
                    match book.import(&act, &import, Some(source)).await {
                        Ok(match_id) => {
                            let address = format!("{}?done=imported", console::address(&slug(match_id)));
                            return Ok(Redirect::to(&address).into_response());
                        }
                        Err(BookError::Refused(why)) => page.problem = Some(reason_alone(&why)),
                        Err(error) => return Err(Problem::from(error).back("/umpire/import", "Begin again")),
                    }
                }
                page.understood = Some(Understood::of(&import));
            }
            Err(errors) => {
                page.more_errors = errors.len().saturating_sub(ERRORS_SHOWN);
                page.errors = errors.iter().take(ERRORS_SHOWN).map(|error| Wrong::of(text, error)).collect();
                let first = errors.first().map(ToString::to_string).unwrap_or_default();
                return refused(&page, &first);
            }
        }
    }
    match page.problem.clone().or(page.source_error.clone()) {
        Some(why) => refused(&page, &why),
        None => shown(StatusCode::OK, &page),
    }
}

fn refused(page: &Page, why: &str) -> Result<Response, Problem> {
    let problem = Problem::refused(why);
    let mut response = shown(problem.status, page)?;
    response.extensions_mut().insert(problem);
    Ok(response)
}

fn names_too_long(import: &Import) -> Option<String> {
    let new = import.new_match();
    let event = new.event.as_deref().unwrap_or_default();
    let named = [("P1", new.names.p1.as_str()), ("P2", new.names.p2.as_str()), ("Event", event)];
    named.iter().find_map(|(tag, name)| Some(format!("{tag}: {}", too_long(name, NAME_MAX_CHARS)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_quotes_its_line_and_marks_its_place() {
        let text = "[DMN \"1\"]\r\nnaïve s / claim";
        let error = |line, column, found: &str| dmn::Error {
            line,
            column,
            found: found.into(),
            expected: "x".into(),
            sealed: false,
        };
        let wrong = Wrong::of(text, &error(2, 7, "s"));
        assert_eq!((wrong.before.as_str(), wrong.found.as_str(), wrong.after.as_str()), ("naïve ", "s", " / claim"));
        assert_eq!(wrong.expected, "X.");
        let wrong = Wrong::of(text, &error(9, 99, "s"));
        assert_eq!((wrong.before.as_str(), wrong.found.as_str(), wrong.after.as_str()), ("", "", ""));
    }
}
