//! Matches that are in the record already and may be the same as one that is about to be entered.

use engine::Seat;
use ledger::MatchId;
use record::write::Import;

use crate::book::{Book, BookError, Filter, fold, slug};

/// Matches of the same two that are looked at, newest first.
const LOOKED_AT: usize = 30;

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
    let filter = Filter {
        player: Some(new.names.p1.clone()),
        against: Some(new.names.p2.clone()),
        ruleset: Some(new.setup.ruleset.clone()),
        ..Filter::default()
    };
    let mut found = Vec::new();
    for listed in book.list(&filter, None).await?.matches.into_iter().take(LOOKED_AT) {
        let match_id = MatchId(listed.match_id);
        if match_id == own {
            continue;
        }
        let same_seats = listed.p1_key.as_deref() == Some(fold(&new.names[Seat::P1]).as_str());
        let history = book.history(match_id).await?;
        let steps = history.steps.iter().map(|step| step.text.as_deref().unwrap_or(&step.public));
        let same_steps = same_seats && played(steps).eq(played(import.lines().iter().map(String::as_str)));
        let same_day = new.date.is_some() && new.date == listed.date;
        if same_steps || same_day {
            found.push(Twin {
                slug: slug(match_id),
                bout: format!("{} – {}", listed.p1, listed.p2),
                date: listed.date.unwrap_or_default(),
                same_steps,
            });
        }
    }
    Ok(found)
}

/// The steps of a match without the words of its umpire.
fn played<'s>(steps: impl Iterator<Item = &'s str>) -> impl Iterator<Item = &'s str> {
    steps
        .map(|step| if step.starts_with("umpire: result ") { step.split(' ').nth(2).unwrap_or_default() } else { step })
}
