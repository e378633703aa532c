//! Alerts by webhook, for sites without Prometheus: one message when something has been wrong for as long as its
//! [patience](Alert::patience), and one when it is well again. What nobody received is sent again, unless it has changed meanwhile.

use std::collections::BTreeMap;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method, header};
use serde_json::json;

use super::{Alert, Monitor};
use crate::fetch::{Fetch, FetchError, Limits};

const INTERVAL: Duration = Duration::from_secs(10);
const LIMITS: Limits = Limits { time: Duration::from_secs(10), bytes: 64 * 1024 };

#[derive(Debug)]
pub struct AlertWebhook {
    monitor: Monitor,
    /// It may hold a secret, and is in no message or log.
    address: String,
    site: String,
    fetch: Fetch,
    states: BTreeMap<Alert, AlertState>,
    is_failing: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct AlertState {
    wrong_since: Option<Duration>,
    told: bool,
}

impl AlertState {
    fn note(&mut self, is_wrong: Option<bool>, now: Duration, patience: Duration) -> Option<bool> {
        match is_wrong {
            Some(true) => drop(self.wrong_since.get_or_insert(now)),
            Some(false) => self.wrong_since = None,
            // A database that is away changes nothing.
            None => {}
        }
        let is_raised = match self.wrong_since {
            Some(since) => self.told || now.saturating_sub(since) >= patience,
            None => false,
        };
        (is_raised != self.told).then_some(is_raised)
    }
}

impl AlertWebhook {
    #[must_use]
    pub fn new(monitor: Monitor, address: String, site: String) -> Self {
        let (fetch, states) = (Fetch::new(LIMITS), BTreeMap::new());
        Self { monitor, address, site, fetch, states, is_failing: false }
    }

    pub async fn run(mut self) {
        loop {
            self.check(self.monitor.app.system().ticking()).await;
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// Looks once, at a time that never goes back, and sends what has changed.
    pub async fn check(&mut self, now: Duration) {
        for (alert, is_wrong) in self.monitor.alerts().await {
            let Some(is_raised) = self.states.entry(alert).or_default().note(is_wrong, now, alert.patience()) else {
                continue;
            };
            match self.send(alert, is_raised).await {
                Ok(()) => {
                    self.states.entry(alert).or_default().told = is_raised;
                    self.is_failing = false;
                }
                Err(reason) => {
                    if !std::mem::replace(&mut self.is_failing, true) {
                        tracing::warn!(alert = alert.name(), reason, "an alert could not be sent; it is tried again");
                    }
                }
            }
        }
    }

    async fn send(&self, alert: Alert, is_raised: bool) -> Result<(), String> {
        let (kind, says) =
            if is_raised { ("alert.raised", alert.raised()) } else { ("alert.cleared", alert.cleared()) };
        let text = format!("{}: {says}", self.site);
        let body = json!({
            "type": kind,
            "timestamp": self.monitor.app.system().now().to_string(),
            "alert": alert.name(),
            "site": self.site,
            "text": text,
            // Discord shows this one, and chats like Slack the other.
            "content": text,
        });
        let json = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        match self.fetch.send(Method::POST, &self.address, json, body.to_string()).await {
            // An answer that is too long was an answer.
            Err(FetchError::Body(_)) => Ok(()),
            Err(FetchError::Address(_)) => Err("its address is none".to_owned()),
            Err(error) => Err(error.to_string()),
            Ok(answer) if answer.status.is_success() => Ok(()),
            Ok(answer) => Err(format!("the receiver answered {}", answer.status)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_told_once_and_only_after_a_minute() {
        let seconds = Duration::from_secs;
        let mut state = AlertState::default();
        let note = |state: &mut AlertState, wrong, now| state.note(wrong, now, seconds(60));
        assert_eq!(note(&mut state, Some(true), seconds(0)), None);
        assert_eq!(note(&mut state, Some(true), seconds(59)), None);
        assert_eq!(note(&mut state, Some(true), seconds(60)), Some(true));
        // Nobody received it.
        assert_eq!(note(&mut state, Some(true), seconds(70)), Some(true));
        state.told = true;
        assert_eq!(note(&mut state, Some(true), seconds(80)), None);
        assert_eq!(note(&mut state, None, seconds(90)), None, "what is not known is no change");
        assert_eq!(note(&mut state, Some(false), seconds(100)), Some(false));
        state.told = false;
        assert_eq!(note(&mut state, Some(true), seconds(110)), None);
        assert_eq!(note(&mut state, Some(false), seconds(120)), None, "it was short");
        assert_eq!(note(&mut state, Some(true), seconds(130)), None);
        assert_eq!(note(&mut state, Some(true), seconds(189)), None, "a minute without a break");
        assert_eq!(note(&mut state, Some(true), seconds(190)), Some(true));
        assert_eq!(note(&mut state, Some(false), seconds(200)), None, "nobody was told, and it is well");
    }
}
