//! A decision that is sealed and waits for the log's witnesses, in a few sentences: for its umpire and its players.

use app::App;
use askama::Template;
use record::History;

use super::When;

/// The notice, as long as a decision waits.
#[derive(Debug, Template)]
#[template(path = "page/wait_notice.html")]
pub(crate) struct WaitNotice {
    /// The seconds so far.
    so_far: u64,
    since: When,
    until: When,
    /// The reason why even the limit does not open it.
    unconfirmed: Option<String>,
}

impl WaitNotice {
    /// None if nothing waits.
    pub(crate) fn of(app: &App, history: &History) -> Option<Self> {
        let (waiting, now) = (history.waiting()?, app.system().now());
        let micros = now.micros().saturating_sub(waiting.since.micros());
        Some(Self {
            so_far: u64::try_from(micros / 1_000_000).unwrap_or(0),
            since: When::second_on(waiting.since, now),
            until: When::second_on(waiting.until, now),
            unconfirmed: app.public_log.unconfirmed().map(|why| why.to_string()),
        })
    }
}
