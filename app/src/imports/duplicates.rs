//! Finding an imported match that is in the record already.

use engine::Seat;
use ledger::MatchId;
use record::name_key;
use record::write::Import;

use super::{EventDate, Imports};
use crate::archive::{At, Filter, MatchSummary};
use crate::error::AppError;

impl Imports {
    pub async fn find_duplicate(&self, import: &Import, own: MatchId) -> Result<Option<MatchId>, AppError> {
        let (event_date, mut at) = (EventDate::of(import), None);
        loop {
            let page = self.archive.list(&between(import), at.as_ref()).await?;
            for listed in page.matches.iter().filter(|listed| MatchId(listed.match_id) != own) {
                let theirs = EventDate::new(listed.date.as_deref(), listed.event.as_deref());
                if !event_date.is_another(&theirs) && self.has_same_steps(listed, import).await? {
                    return Ok(Some(MatchId(listed.match_id)));
                }
            }
            let Some(older) = page.older else { return Ok(None) };
            at = Some(At::After(older));
        }
    }

    /// True if the same steps were played in the same seats. The match is folded only if its row does not rule that out.
    pub async fn has_same_steps(&self, listed: &MatchSummary, import: &Import) -> Result<bool, AppError> {
        let same_seats = listed.p1.key.as_deref() == Some(name_key(&import.new_match().names[Seat::P1]).as_str());
        if !same_seats || listed.mode == "result" || listed.result != import.outcome().tag() {
            return Ok(false);
        }
        let history = self.recorder.matches.history(MatchId(listed.match_id)).await?;
        let steps = history.steps.iter().map(|step| step.text.as_deref().unwrap_or(&step.public));
        Ok(played(steps).eq(played(import.lines().iter().map(String::as_str))))
    }
}

pub fn between(import: &Import) -> Filter {
    let new = import.new_match();
    Filter {
        player: Some(new.names.p1.clone()),
        against: Some(new.names.p2.clone()),
        ruleset: Some(new.setup.ruleset.clone()),
        ..Filter::default()
    }
}

/// The key by which matches of one day are compared: seats, rules and steps, on a line each.
pub fn same_occasion_key(import: &Import) -> String {
    let new = import.new_match();
    let named = [name_key(&new.names[Seat::P1]), name_key(&new.names[Seat::P2]), new.setup.ruleset.clone()];
    let steps = played(import.lines().iter().map(String::as_str)).map(str::to_owned);
    named.into_iter().chain(steps).collect::<Vec<_>>().join("\n")
}

fn played<'s>(steps: impl Iterator<Item = &'s str>) -> impl Iterator<Item = &'s str> {
    steps
        .map(|step| if step.starts_with("umpire: result ") { step.split(' ').nth(2).unwrap_or_default() } else { step })
}
