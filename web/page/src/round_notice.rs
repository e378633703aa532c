//! A draw that waits for a round of the public beacon, in a few sentences.

use app::App;
use app::views::match_address;
use askama::Template;
use record::History;

use super::When;

#[derive(Clone, Debug, Template)]
#[template(path = "round_notice.html")]
pub struct RoundNotice {
    round: u64,
    at: Option<When>,
    due: bool,
    address: String,
}

impl RoundNotice {
    pub fn now(app: &App, history: &History) -> Option<Self> {
        let awaited = app.rounds.awaited(history)?;
        let now = app.system().now();
        let at = Some(When::second_on(awaited.at, now));
        Some(Self { at, due: awaited.at <= now, ..Self::lasting(history)? })
    }

    pub fn lasting(history: &History) -> Option<Self> {
        let round = history.awaited_round()?.round.number();
        Some(Self { round, at: None, due: false, address: format!("{}/round", match_address(history.match_id)) })
    }
}
