//! A decision that is sealed and waits for the log's witnesses, in a few sentences: for its umpire, its players and
//! everybody else.

use app::public_log::WitnessCount;
use app::{App, AppError};
use askama::Template;
use ledger::Moment;
use record::{History, Waiting};

use super::When;
use super::wait_cost::tenths;

#[derive(Clone, Debug, Template)]
#[template(path = "wait_notice.html")]
pub struct WaitNotice {
    sealed_at: String,
    so_far: Option<String>,
    since: When,
    until: When,
    witnesses: Option<WitnessCount>,
    unconfirmed: Option<String>,
}

impl WaitNotice {
    pub async fn now(app: &App, history: &History) -> Result<Option<Self>, AppError> {
        let Some(waiting) = history.waiting() else { return Ok(None) };
        if app.matches.lost_openings(history).await?.is_some_and(|lost| lost.has_moves()) {
            return Ok(None);
        }
        let now = app.system().now();
        let so_far = u64::try_from(now.micros().saturating_sub(waiting.since.micros())).unwrap_or(0);
        Ok(Some(Self {
            so_far: Some(tenths(std::time::Duration::from_micros(so_far))),
            witnesses: app.public_log.seen_by(history.match_id, &waiting).await?,
            unconfirmed: app.public_log.unconfirmed().map(|why| why.to_string()),
            ..Self::on_day(&waiting, now)
        }))
    }

    pub fn lasting(history: &History) -> Option<Self> {
        history.waiting().map(|waiting| Self::on_day(&waiting, history.last_at))
    }

    fn on_day(waiting: &Waiting, day: Moment) -> Self {
        Self {
            sealed_at: waiting.since.to_string(),
            so_far: None,
            since: When::second_on(waiting.since, day),
            until: When::second_on(waiting.until, day),
            witnesses: None,
            unconfirmed: None,
        }
    }
}
