//! Matches that are in the record already and may be the same as one that is about to be entered.

use app::book::{At, Book, BookError, between};
use ledger::MatchId;
use record::write::Import;

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

/// Matches between these two under these rules with the same steps, or of the same day. `own` is not among them, nor is
/// what was made void.
pub(super) async fn twins(book: &Book, import: &Import, own: MatchId) -> Result<Vec<Twin>, BookError> {
    let new = import.new_match();
    let mut found = Vec::new();
    let mut looked_at = 0;
    let mut at = None;
    while looked_at < LOOKED_AT {
        let page = book.list(&between(import), at.as_ref()).await?;
        looked_at += page.matches.len();
        for listed in page.matches.into_iter().filter(|listed| MatchId(listed.match_id) != own) {
            let same_steps = book.has_same_steps(&listed, import).await?;
            let same_day = new.date.is_some() && new.date == listed.date && listed.result != "void";
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
