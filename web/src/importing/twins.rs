//! Matches that are in the record already and may be the same as one that is about to be entered.

use engine::Seat;
use ledger::MatchId;
use record::write::Import;

use crate::book::{At, Book, BookError, Filter, ListedMatch, fold};

/// Matches of the same two that a page looks at, newest first: it is shown what to think of, and not all of them.
const LOOKED_AT: usize = 100;

/// A match that may be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Twin {
    /// Its short name.
    pub(super) slug: String,
    /// Its players.
    pub(super) bout: String,
    /// When it was played, as it was written.
    pub(super) date: String,
    /// Whether every step is the same; else it was played on the same day.
    pub(super) same_steps: bool,
}

/// Matches between these two under these rules with the same steps, or of the same day. `own` is not among them.
pub(super) async fn twins(book: &Book, import: &Import, own: MatchId) -> Result<Vec<Twin>, BookError> {
    let new = import.new_match();
    let mut found = Vec::new();
    let mut looked_at = 0;
    let mut at = None;
    while looked_at < LOOKED_AT {
        let page = book.list(&filter(import), at.as_ref()).await?;
        looked_at += page.matches.len();
        for listed in page.matches.into_iter().filter(|listed| MatchId(listed.match_id) != own) {
            let same_steps = has_same_steps(book, &listed, import).await?;
            let same_day = new.date.is_some() && new.date == listed.date;
            if same_steps || same_day {
                found.push(Twin {
                    slug: listed.slug,
                    bout: format!("{} – {}", listed.p1, listed.p2),
                    date: listed.date.unwrap_or_default(),
                    same_steps,
                });
            }
        }
        let Some(older) = page.older else { break };
        at = Some(At::After(older));
    }
    Ok(found)
}

/// The first match of these two under these rules with the same steps, newest first. `own` is not meant.
pub(crate) async fn in_the_record(book: &Book, import: &Import, own: MatchId) -> Result<Option<MatchId>, BookError> {
    let mut at = None;
    loop {
        let page = book.list(&filter(import), at.as_ref()).await?;
        for listed in page.matches.iter().filter(|listed| MatchId(listed.match_id) != own) {
            if has_same_steps(book, listed, import).await? {
                return Ok(Some(MatchId(listed.match_id)));
            }
        }
        let Some(older) = page.older else { return Ok(None) };
        at = Some(At::After(older));
    }
}

fn filter(import: &Import) -> Filter {
    let new = import.new_match();
    Filter {
        player: Some(new.names.p1.clone()),
        against: Some(new.names.p2.clone()),
        ruleset: Some(new.setup.ruleset.clone()),
        ..Filter::default()
    }
}

/// Whether the same was played in the same seats. The match is folded only where the list does not tell already.
async fn has_same_steps(book: &Book, listed: &ListedMatch, import: &Import) -> Result<bool, BookError> {
    let same_seats = listed.p1_key.as_deref() == Some(fold(&import.new_match().names[Seat::P1]).as_str());
    if !same_seats || listed.result != import.outcome().tag() {
        return Ok(false);
    }
    let history = book.history(MatchId(listed.match_id)).await?;
    let steps = history.steps.iter().map(|step| step.text.as_deref().unwrap_or(&step.public));
    Ok(played(steps).eq(played(import.lines().iter().map(String::as_str))))
}

/// What tells a match from others that were played: seats, rules and steps, on a line each.
pub(crate) fn said_of(import: &Import) -> String {
    let new = import.new_match();
    let named = [fold(&new.names[Seat::P1]), fold(&new.names[Seat::P2]), new.setup.ruleset.clone()];
    let steps = played(import.lines().iter().map(String::as_str)).map(str::to_owned);
    named.into_iter().chain(steps).collect::<Vec<_>>().join("\n")
}

/// The steps of a match without the words of its umpire.
fn played<'s>(steps: impl Iterator<Item = &'s str>) -> impl Iterator<Item = &'s str> {
    steps
        .map(|step| if step.starts_with("umpire: result ") { step.split(' ').nth(2).unwrap_or_default() } else { step })
}
