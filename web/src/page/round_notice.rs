//! A draw that waits for a round of the public beacon, in a few sentences.

use app::App;
use app::views::match_address;
use askama::Template;
use record::History;

use super::When;

/// The notice, as long as a draw waits.
#[derive(Clone, Debug, Template)]
#[template(path = "page/round_notice.html")]
pub(crate) struct RoundNotice {
    round: u64,
    /// Its time; none where the page does not know the network.
    at: Option<When>,
    /// True if its time has come.
    due: bool,
    /// The page where anybody hands it in.
    address: String,
}

impl RoundNotice {
    /// The notice now; none if no draw waits.
    pub(crate) fn now(app: &App, history: &History) -> Option<Self> {
        let awaited = app.rounds.awaited(history)?;
        let now = app.system().now();
        let at = Some(When::second_on(awaited.at, now));
        Some(Self { at, due: awaited.at <= now, ..Self::lasting(history)? })
    }

    /// The same at any time.
    pub(crate) fn lasting(history: &History) -> Option<Self> {
        let round = history.awaited_round()?.round.number();
        Some(Self { round, at: None, due: false, address: format!("{}/round", match_address(history.match_id)) })
    }
}
