//! Recorded matches that may be the same as the one about to be entered.

use app::archive::At;
use app::imports::between;
use app::{App, AppError};
use ledger::MatchId;
use record::write::Import;

/// The number of matches between the same two players that are compared, newest first: examples are enough.
const COMPARED_MAX: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Duplicate {
    pub(super) slug: String,
    pub(super) bout: String,
    pub(super) date: String,
    pub(super) same_steps: bool,
}

/// The matches between these two under these rules with the same steps, or of the same day. `own` and void matches are
/// left out.
pub(super) async fn duplicates(app: &App, import: &Import, own: MatchId) -> Result<Vec<Duplicate>, AppError> {
    let new = import.new_match();
    let mut found = Vec::new();
    let mut compared = 0;
    let mut at = None;
    while compared < COMPARED_MAX {
        let page = app.archive().list(&between(import), at.as_ref()).await?;
        compared += page.matches.len();
        for listed in page.matches.into_iter().filter(|listed| MatchId(listed.match_id) != own) {
            let same_steps = app.imports.has_same_steps(&listed, import).await?;
            let same_day = new.date.is_some() && new.date == listed.date && listed.result != "void";
            if same_steps || same_day {
                found.push(Duplicate {
                    slug: listed.slug,
                    bout: format!("{} – {}", listed.p1.name, listed.p2.name),
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
