//! The note on a round that no longer counts, or that differs from its first version.

use app::views::{Beat, BeforeStrike};
use record::words::sentence;
use record::{Correction, History, SheetRow, Strike};

use super::moment_context::MomentContext;
use page::{Link, Urls, When};

pub(super) struct ChangeNote {
    pub(super) what: &'static str,
    pub(super) reason: String,
    pub(super) by: String,
    pub(super) at: When,
    pub(super) links: Vec<Link>,
}

impl ChangeNote {
    /// The notes on a row: on its strike, if it was struck, or else on those that changed it.
    pub(super) fn all(history: &History, row: &SheetRow<'_>, beat: Beat, context: &MomentContext<'_>) -> Vec<Self> {
        match context.strike {
            Some(strike) => vec![Self::of_struck(strike, &row.label, beat, context)],
            None => Self::of_counting(history, row, beat, context),
        }
    }

    /// For a struck round: the link to the version that counts. A round with this label may no longer exist there.
    fn of_struck(strike: &Strike, label: &str, beat: Beat, context: &MomentContext<'_>) -> Self {
        let what = match strike.correction {
            Correction::None => "This was struck, and no longer counts.",
            Correction::First => "This is the round before it was corrected.",
        };
        let urls = Urls::of(context.now.match_id, context.params);
        let counts = context.now.rows().iter().any(|row| row.label == *label);
        let counts = counts.then(|| urls.link(label, beat.in_any_version(), "What counts instead"));
        let sheet = (!context.params.spoilers.hidden())
            .then(|| Link { address: format!("{}#r{label}", urls.page()), words: "The score sheet".to_owned() });
        Self::with_links(context, strike, what, counts.into_iter().chain(sheet).collect())
    }

    fn of_counting(history: &History, row: &SheetRow<'_>, beat: Beat, context: &MomentContext<'_>) -> Vec<Self> {
        let here = history.strikes.iter().filter(|strike| row.steps.iter().any(|step| step.number == strike.from));
        let notes = here.map(|strike| {
            let (what, words) = match strike.correction {
                Correction::None => ("What first stood here was struck.", "What was struck"),
                Correction::First => ("This was corrected.", "How it stood before"),
            };
            let earlier = BeforeStrike::of(history, strike);
            let urls = Urls::of(history.match_id, context.params).struck(strike.entry);
            let first = earlier.rows().first().map(|row| urls.link(&row.label, beat.in_any_version(), words));
            Self::with_links(context, strike, what, first.into_iter().collect())
        });
        notes.collect()
    }

    fn with_links(context: &MomentContext<'_>, strike: &Strike, what: &'static str, links: Vec<Link>) -> Self {
        Self {
            what,
            reason: sentence(strike.reason.or("the reason was withdrawn")),
            by: context.umpires.by(&strike.by),
            at: When::minute(strike.at),
            links,
        }
    }
}
