//! What the umpire did that a player must know: rulings, warnings, corrections, strikes and pauses, with their reasons.
//! Everybody reads the same on the match's page.

use app::views::VisibleMatch;
use engine::Seat;
use ledger::{Moment, Seq};
use record::body::RulingEffect;
use record::words::sentence;
use record::{Change, CommittedText, Correction, History, StepSource};

use crate::page::When;

/// The most acts on the page.
const SHOWN: usize = 8;

/// An act of the umpire.
#[derive(Debug)]
pub(super) struct UmpireSaid {
    pub(super) entry: Seq,
    /// Such as "Warning to you".
    pub(super) title: String,
    pub(super) text: String,
    pub(super) at: When,
    /// True if nothing was played since.
    pub(super) is_news: bool,
}

impl UmpireSaid {
    /// The last acts, newest first, as this seat reads them.
    pub(super) fn of(visible: &VisibleMatch<'_>, seat: Seat, now: Moment) -> Vec<Self> {
        let history = visible.history;
        let played = last_played(history);
        let said = |entry: Seq, at: Moment, title: String, text: &CommittedText| Self {
            entry,
            title,
            text: text.text().map(sentence).unwrap_or_default(),
            at: When::second_on(at, now),
            is_news: entry > played,
        };
        let remarks = history.remarks.iter().filter(|remark| remark.objects.is_none()).map(|remark| {
            let title = match &remark.does {
                Some(RulingEffect::Warns(warned)) if warned.0 == seat => "Warning to you".to_owned(),
                Some(RulingEffect::Admits(admitted)) if admitted.seat.0 == seat => "Your late move counts".to_owned(),
                _ => history.remark_title(remark),
            };
            said(remark.entry, remark.at, title, &remark.text)
        });
        let strikes = history.strikes.iter().map(|strike| {
            let round = strike.struck.first().map_or(0, |step| step.row.round);
            let title = match strike.correction {
                Correction::First => format!("The umpire corrected round {round}"),
                Correction::None if round == 0 => "The umpire went back to before round 1".to_owned(),
                Correction::None => format!("The umpire went back to round {round}"),
            };
            said(strike.entry, strike.at, title, &strike.reason)
        });
        let pauses = history.clocks.iter().flat_map(|clock| &clock.changes).filter_map(|change| match &change.change {
            Change::Paused { reason: Some(reason) } => {
                Some(said(change.entry, change.at, "The clock was paused".to_owned(), reason))
            }
            Change::Extended { reason, .. } => {
                Some(said(change.entry, change.at, "The clock got more time".to_owned(), reason))
            }
            _ => None,
        });
        let mut all: Vec<Self> = remarks.chain(strikes).chain(pauses).collect();
        all.sort_by_key(|said| std::cmp::Reverse(said.entry));
        // One pause stops every clock of the match.
        all.dedup_by(|one, other| one.title == other.title && one.text == other.text && one.at == other.at);
        all.truncate(SHOWN);
        all
    }
}

/// The last entry by which something was played. The steps of a correction come after its strike, and nobody played them
/// then: a correction is news as long as any other act.
fn last_played(history: &History) -> Seq {
    let steps = history.strikes.iter().flat_map(|strike| &strike.struck).chain(&history.steps);
    let played = steps.filter(|step| !matches!(step.source, StepSource::Correction { .. }));
    played.map(|step| step.entry).max().unwrap_or(Seq(0))
}
