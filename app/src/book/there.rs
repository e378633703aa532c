//! Whether a match of the past is in the record already.

use engine::Seat;
use ledger::MatchId;
use record::name_key;
use record::write::Import;

use super::{At, Book, BookError, Filter, ListedMatch, Occasion};

impl Book {
    /// The first match of these two under these rules with the same steps, newest first, that may have been played on the
    /// same occasion. `own` is not meant.
    ///
    /// # Errors
    /// The database, or a match that cannot be read.
    pub async fn in_the_record(&self, import: &Import, own: MatchId) -> Result<Option<MatchId>, BookError> {
        let (occasion, mut at) = (Occasion::of(import), None);
        loop {
            let page = self.list(&between(import), at.as_ref()).await?;
            for listed in page.matches.iter().filter(|listed| MatchId(listed.match_id) != own) {
                let theirs = Occasion::new(listed.date.as_deref(), listed.event.as_deref());
                if !occasion.is_another(&theirs) && self.has_same_steps(listed, import).await? {
                    return Ok(Some(MatchId(listed.match_id)));
                }
            }
            let Some(older) = page.older else { return Ok(None) };
            at = Some(At::After(older));
        }
    }

    /// Whether the same was played in the same seats. The match is folded only where the list does not tell already.
    ///
    /// # Errors
    /// The database, or a match that cannot be read.
    pub async fn has_same_steps(&self, listed: &ListedMatch, import: &Import) -> Result<bool, BookError> {
        let same_seats = listed.p1_key.as_deref() == Some(name_key(&import.new_match().names[Seat::P1]).as_str());
        if !same_seats || listed.result != import.outcome().tag() {
            return Ok(false);
        }
        let history = self.history(MatchId(listed.match_id)).await?;
        let steps = history.steps.iter().map(|step| step.text.as_deref().unwrap_or(&step.public));
        Ok(played(steps).eq(played(import.lines().iter().map(String::as_str))))
    }
}

/// The matches of the same two under the same rules.
pub fn between(import: &Import) -> Filter {
    let new = import.new_match();
    Filter {
        player: Some(new.names.p1.clone()),
        against: Some(new.names.p2.clone()),
        ruleset: Some(new.setup.ruleset.clone()),
        ..Filter::default()
    }
}

/// What tells a match from others on the same occasion: seats, rules and steps, on a line each.
pub fn said_of(import: &Import) -> String {
    let new = import.new_match();
    let named = [name_key(&new.names[Seat::P1]), name_key(&new.names[Seat::P2]), new.setup.ruleset.clone()];
    let steps = played(import.lines().iter().map(String::as_str)).map(str::to_owned);
    named.into_iter().chain(steps).collect::<Vec<_>>().join("\n")
}

/// The steps of a match without the words of its umpire.
fn played<'s>(steps: impl Iterator<Item = &'s str>) -> impl Iterator<Item = &'s str> {
    steps
        .map(|step| if step.starts_with("umpire: result ") { step.split(' ').nth(2).unwrap_or_default() } else { step })
}
