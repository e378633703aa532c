//! Acknowledged submissions that are in a journal, and neither in the database nor in the record. The database lost them, and
//! their questions closed before the journal was compared with it: they cannot come back, and everybody is told.

use engine::Party;
use ledger::{Commitment, DecisionId, Seq};
use record::share::opening_id;
use record::{History, ShareListRecord};

use super::{Recorder, sealer_of};
use crate::error::AppError;
use crate::submission_journal::Line;

impl Recorder {
    /// Notes those of these lines whose submissions are missing. Without a history the match itself is lost.
    pub(super) async fn note_missing(&self, history: Option<&History>, lines: &[Line]) -> Result<(), AppError> {
        for line in lines {
            let store = self.logs.store(line.place.match_id);
            if self.is_missing(history, line).await? && store.note_missing(&line.row, self.system.now()).await? {
                let (match_id, decision) = (line.place.match_id, &line.place.decision);
                tracing::error!(%match_id, %decision, "a journal has an acknowledged submission that is not in the record");
                // A page of the match that was drawn before does not say so. Other nodes find the note by themselves.
                self.matches.caches.forget(match_id);
            }
        }
        Ok(())
    }

    async fn is_missing(&self, history: Option<&History>, line: &Line) -> Result<bool, AppError> {
        // Nobody has a receipt for a close.
        let Some(commitments) = line.commitments() else { return Ok(false) };
        let place = &line.place;
        let rows = self.logs.store(place.match_id).submissions(place.match_id, &place.decision).await?;
        // What is stored enters at the end of the match at the latest.
        let is_stored = rows.iter().any(|row| row.seat.to_string() == place.seat && row.commitments == commitments);
        Ok(!is_stored && history.is_none_or(|history| !is_settled(history, line, &commitments)))
    }
}

/// True if the record has a submission, or needs none: it came after the close, or the shares were given up.
fn is_settled(history: &History, line: &Line, commitments: &[Commitment]) -> bool {
    let place = &line.place;
    if is_opening(&place.decision) {
        let seed = history.seeds.iter().find(|seed| seed.list.as_ref().is_some_and(|list| list.leaf == line.asked));
        let is_its = |whose: Party| sealer_of(whose).is_some_and(|seat| seat.to_string() == place.seat);
        return seed.is_some_and(|seed| {
            let opened = seed.opened.as_ref();
            opened.is_none_or(|opened| {
                opened.came.each().into_iter().any(|(seat, came)| is_its(seat.into()) && *came == Some(place.at))
            })
        });
    }
    let mut seals = history.seals.iter().filter(|seal| seal.asked.is_some() && seal.decision == place.decision);
    entered(history, commitments).is_some() || seals.any(|seal| seal.at < place.at)
}

pub(crate) fn entered(history: &History, commitments: &[Commitment]) -> Option<Seq> {
    let sealed = history.seals.iter().find(|seal| seal.commitments == commitments).map(|seal| seal.entry);
    let replaced = || history.replaced.iter().find(|(_, one)| one.commitments == commitments).map(|(entry, _)| *entry);
    sealed.or_else(replaced)
}

pub(crate) fn openings_of(history: &History) -> impl Iterator<Item = (&ShareListRecord, DecisionId)> {
    history.seeds.iter().filter_map(|seed| Some((seed.list.as_ref()?, opening_id(seed.asked.as_ref()?).ok()?)))
}

pub(crate) fn is_opening(decision: &DecisionId) -> bool {
    decision.as_str().starts_with("open-")
}
