//! The log of accounts, for admins: a page, and a file of JSON lines. An umpire's own events are on their account's page.

use std::sync::Arc;

use app::App;
use app::account::{self, AccountError, AccountEvent};
use askama::Template;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;

use super::umpires::admin;
use super::{failed, frame};
use page::{Frame, When, page};
use web_http::Problem;
use web_http::visitor::SignedIn;

#[derive(Template)]
#[template(path = "sign_in/activity.html")]
struct EventsPage {
    frame: Frame,
    rows: Vec<EventRow>,
    failures: bool,
    next: Option<i64>,
}

pub(super) struct EventRow {
    pub(super) account: String,
    pub(super) what: String,
    pub(super) at: When,
    pub(super) by: String,
    pub(super) address: String,
    channel: String,
}

#[derive(Deserialize)]
pub(super) struct Part {
    before: Option<i64>,
    after: Option<i64>,
    failed: Option<String>,
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Query(part): Query<Part>,
) -> Result<Response, Problem> {
    admin(&umpire)?;
    let failures = part.failed.is_some();
    let (events, next) = account::events_before(app.pool(), failures, part.before).await.map_err(failed)?;
    let rows = events.into_iter().map(|event| EventRow::of(event, Some(&umpire.0.id))).collect();
    page(&EventsPage { frame: frame("What happened to accounts", &umpire), rows, failures, next })
}

pub(super) async fn file(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Query(part): Query<Part>,
) -> Result<Response, Problem> {
    admin(&umpire)?;
    let batches = stream::try_unfold((app, part.after.unwrap_or(0)), |(app, after)| async move {
        let lines = account::events_after(app.pool(), after).await?;
        let Some(last) = lines.last().map(|line| line.id) else { return Ok(None) };
        let mut text = Vec::new();
        for line in &lines {
            // A line of strings and numbers is always written.
            if serde_json::to_writer(&mut text, line).is_ok() {
                text.push(b'\n');
            }
        }
        Ok::<_, AccountError>(Some((text, (app, last))))
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(batches)).into_response())
}

impl EventRow {
    pub(super) fn of(event: AccountEvent, reader: Option<&str>) -> Self {
        let name = |id: &Option<String>, name: Option<String>| match (id, name) {
            (Some(id), _) if Some(id.as_str()) == reader => Some("you".to_owned()),
            (_, name) => name,
        };
        let nobody = if event.channel == "command-line" { "the command line" } else { "nobody who was signed in" };
        Self {
            what: said(&event.kind, &event.note),
            account: name(&event.umpire_id, event.umpire).unwrap_or_else(|| "nobody’s".to_owned()),
            by: name(&event.by_id, event.by_name).unwrap_or_else(|| nobody.to_owned()),
            at: When::utc_second(event.at),
            address: event.address,
            channel: event.channel,
        }
    }

    pub(super) fn from(&self) -> String {
        match (self.channel.as_str(), self.address.as_str()) {
            ("pages", address) => address.to_owned(),
            ("api", address) => format!("{address}, a program"),
            ("discord", _) => "Discord".to_owned(),
            _ => "this machine".to_owned(),
        }
    }
}

fn said(kind: &str, note: &str) -> String {
    let said = match kind {
        "signed-in" => return format!("Signed in {note}"),
        "sessions-ended" => return format!("Signed out {note}"),
        "role-changed" => return format!("The role became {note}"),
        "sign-in-failed" => "A sign-in failed",
        "signed-out" => "Signed out",
        "password-set" => "A password was set",
        "password-wrong" => "A wrong password was typed by somebody who is signed in",
        "token-made" => "A token was made",
        "token-revoked" => "A token was revoked",
        "link-made" => "A sign-in link was made",
        "umpire-added" => "The umpire was added",
        "account-closed" => "The account was closed",
        "account-opened" => "The account was opened again",
        "discord-linked" => "Discord was linked",
        "discord-unlinked" => "Discord was unlinked",
        "passkey-added" => "A passkey was added",
        "passkey-removed" => "A passkey was removed",
        "passkey-needed" => "Signing in changed",
        "name-set" => "A public name was set",
        "name-withdrawn" => "The public name was withdrawn",
        "helper-named" => "Named as helper in a match",
        "helper-dismissed" => "Dismissed as helper in a match",
        "commentator-named" => "Named as commentator in a match",
        "commentator-dismissed" => "Dismissed as commentator in a match",
        other => other,
    };
    if note.is_empty() { said.to_owned() } else { format!("{said}: {note}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_a_sentence() {
        assert_eq!(said("signed-in", "by a link, Firefox on Linux"), "Signed in by a link, Firefox on Linux");
        assert_eq!(said("token-made", "bot: umpire, for 90 days"), "A token was made: bot: umpire, for 90 days");
        assert_eq!(said("link-made", ""), "A sign-in link was made");
    }
}
