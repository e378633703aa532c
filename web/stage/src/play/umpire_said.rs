//! What the umpire did that a player must know: rulings, warnings, corrections, strikes and pauses, with their reasons.
//! Everybody reads the same on the match's page.

use app::views::VisibleMatch;
use engine::Seat;
use ledger::{Moment, Seq};
use record::body::RulingEffect;
use record::words::sentence;
use record::{Change, Clock, ClockChange, ClockState, CommittedText, Correction, History, StepSource};

use page::When;

/// The most acts on the page.
const SHOWN: usize = 8;

#[derive(Debug)]
pub(super) struct UmpireSaid {
    pub(super) entry: Seq,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) at: When,
    pub(super) is_news: bool,
}

impl UmpireSaid {
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
        let changes = history.clocks.iter().flat_map(|clock| clock.changes.iter().map(move |change| (clock, change)));
        let pauses = changes.filter_map(|(clock, change)| match &change.change {
            Change::Paused { reason: Some(reason) } => {
                let said = said(change.entry, change.at, "The clock was paused".to_owned(), reason);
                Some(Self { is_news: said.is_news && lasts(clock, change.entry), ..said })
            }
            Change::Extended { reason, .. } => {
                Some(said(change.entry, change.at, "The clock got more time".to_owned(), reason))
            }
            _ => None,
        });
        let handovers = history
            .handovers
            .iter()
            .map(|handover| said(handover.entry, handover.at, "Another umpire took over".to_owned(), &handover.reason));
        let mut all: Vec<Self> = remarks.chain(strikes).chain(pauses).chain(handovers).collect();
        all.sort_by_key(|said| std::cmp::Reverse(said.entry));
        // One pause stops every clock of the match.
        all.dedup_by(|one, other| one.title == other.title && one.text == other.text && one.at == other.at);
        all.truncate(SHOWN);
        all
    }
}

fn lasts(clock: &Clock, entry: Seq) -> bool {
    let runs_again = |change: &ClockChange| change.entry > entry && matches!(change.change, Change::Resumed { .. });
    matches!(clock.state, ClockState::Paused { .. }) && !clock.changes.iter().any(runs_again)
}

/// The last entry by which something was played. The steps of a correction come after its strike, and nobody played them
/// then: a correction is news as long as any other act.
fn last_played(history: &History) -> Seq {
    let steps = history.strikes.iter().flat_map(|strike| &strike.struck).chain(&history.steps);
    let played = steps.filter(|step| !matches!(step.source, StepSource::Correction { .. }));
    played.map(|step| step.entry).max().unwrap_or(Seq(0))
}
