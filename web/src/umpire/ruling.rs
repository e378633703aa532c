//! Rulings and remarks.

use app::book::BookError;
use axum::response::Response;
use engine::{Seat, Verdict};

use super::allowed::{TEXT_MAX_CHARS, unsaid};
use super::console::Brought;
use super::match_context::{Chair, reason};
use super::sent::Sent;
use crate::page::Problem;

/// The ruling's form.
#[derive(Debug, Default)]
pub(super) struct Ruling {
    /// The clause that it cites.
    pub(super) clause: String,
    /// The decision and its reason.
    pub(super) text: String,
    /// `p1`, `p2`, `undecided`, `void`, or empty if the match goes on.
    pub(super) result: String,
    pub(super) error: Option<String>,
}

/// The remark's form.
#[derive(Debug, Default)]
pub(super) struct Remark {
    pub(super) text: String,
    pub(super) error: Option<String>,
}

fn verdict(word: &str) -> Result<Option<Verdict>, ()> {
    if word.is_empty() {
        return Ok(None);
    }
    let all = [Verdict::Won(Seat::P1), Verdict::Won(Seat::P2), Verdict::Undecided, Verdict::Void];
    all.into_iter().find(|verdict| verdict.word() == word).map(Some).ok_or(())
}

/// `POST .../rule`.
pub(super) async fn send(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    let (clause, text) = (sent.text("clause"), sent.text("text"));
    let mut ruling =
        Ruling { clause: clause.into(), text: text.into(), result: sent.text("result").into(), error: None };
    let missing = "Say what was decided, and why: everybody reads it.";
    let known = clause.is_empty() || clauses(&chair).contains(&clause);
    let error = unsaid(text, TEXT_MAX_CHARS, missing)
        .or_else(|| (!known).then(|| "The ruleset has no such clause.".to_owned()));
    let why = match (error, verdict(&ruling.result)) {
        (Some(error), _) => error,
        (None, Err(())) => "A ruling decides for a player, leaves undecided, voids, or lets the match go on.".into(),
        (None, Ok(verdict)) => {
            let clause = Some(clause).filter(|clause| !clause.is_empty());
            match chair.book.rule(&act, chair.match_id, seen, clause, text, verdict).await {
                Ok(_) => return Ok(chair.done("ruled")),
                Err(BookError::Refused(why)) => reason(&chair.history, &why),
                Err(error) => {
                    let typed = vec![("The ruling".to_owned(), text.to_owned())];
                    return chair.lost(error, seen.next, typed).await;
                }
            }
        }
    };
    ruling.error = Some(why.clone());
    chair.refused(Brought { ruling, ..Brought::default() }, &why).await
}

fn clauses(chair: &Chair) -> Vec<&'static str> {
    let ruleset = engine::ruleset(&chair.history.setup.ruleset);
    ruleset.map(|ruleset| ruleset.clauses().iter().map(|clause| clause.number).collect()).unwrap_or_default()
}

/// `POST .../note`: a public remark.
pub(super) async fn note(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    let text = sent.text("text");
    let why = match unsaid(text, TEXT_MAX_CHARS, "A remark says something.") {
        Some(error) => error,
        None => match chair.book.note(&act, chair.match_id, seen, text).await {
            Ok(_) => return Ok(chair.done("noted")),
            Err(BookError::Refused(why)) => reason(&chair.history, &why),
            Err(error) => return chair.lost(error, seen.next, vec![("The remark".to_owned(), text.to_owned())]).await,
        },
    };
    let remark = Remark { text: text.into(), error: Some(why.clone()) };
    chair.refused(Brought { remark, ..Brought::default() }, &why).await
}
