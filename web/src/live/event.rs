//! One event as it goes over the wire. It is written once, and every spectator is sent the same bytes.

use axum::body::Bytes;
use ledger::{Moment, Seq};
use serde::Serialize;

/// How long a browser waits before it comes back, in milliseconds.
const RETRY_MS: u32 = 3_000;
/// Says that the connection lives. Browsers pass over it.
pub(super) const ALIVE: Bytes = Bytes::from_static(b": alive\n\n");
/// The node stops: come back, to this address or another node.
pub(super) const BYE: Bytes = Bytes::from_static(b"event: bye\ndata: {}\n\n");

/// Something that happened in public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Event {
    /// Its name, such as `resolved`.
    #[serde(skip)]
    pub(super) name: &'static str,
    /// The entry that says it.
    #[serde(serialize_with = "number")]
    pub(super) entry: Seq,
    /// When it was entered.
    #[serde(serialize_with = "text")]
    pub(super) at: Moment,
    /// In one line.
    pub(super) says: String,
    /// What came of it, in sentences.
    pub(super) details: Vec<String>,
    /// The moment that it leads to.
    pub(super) address: Option<String>,
}

/// The match as it stands.
#[derive(Debug, Serialize)]
pub(super) struct Now<'n> {
    /// The last entry that told the public something.
    #[serde(serialize_with = "number")]
    pub(super) entry: Seq,
    /// The server's clock when it was written.
    #[serde(serialize_with = "text")]
    pub(super) time: Moment,
    /// What the page shows.
    pub(super) html: &'n str,
}

fn number<S: serde::Serializer>(seq: &Seq, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(seq.0)
}

fn text<S: serde::Serializer>(moment: &Moment, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(moment)
}

impl Event {
    /// As bytes. JSON has no bare line break, so that one `data` line holds it.
    pub(super) fn written(&self) -> Bytes {
        written(self.name, self.entry, self)
    }
}

impl Now<'_> {
    /// As bytes.
    pub(super) fn written(&self) -> Bytes {
        written("now", self.entry, self)
    }
}

fn written(name: &str, id: Seq, data: &impl Serialize) -> Bytes {
    // Strings and integers: nothing in here can fail to become JSON.
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("id: {}\nevent: {name}\ndata: {data}\n\n", id.0).into()
}

/// What every stream begins with: when to come back, and the server's clock, for a countdown that does not rest on the
/// reader's.
pub(super) fn beginning(time: Moment) -> Bytes {
    format!("retry: {RETRY_MS}\n\nevent: time\ndata: {{\"time\":\"{time}\"}}\n\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_of_data() {
        let at = "2026-11-20T20:41:48.381204Z".parse().unwrap();
        let event = Event {
            name: "ruled",
            entry: Seq(37),
            at,
            says: "Ruling: \"stop\"\nid: 99".into(),
            details: vec!["<b>".into()],
            address: None,
        };
        assert_eq!(
            event.written(),
            "id: 37\nevent: ruled\ndata: {\"entry\":37,\"at\":\"2026-11-20T20:41:48.381204Z\",\
             \"says\":\"Ruling: \\\"stop\\\"\\nid: 99\",\"details\":[\"<b>\"],\"address\":null}\n\n"
        );
        let now = Now { entry: Seq(40), time: at, html: "<p>\n</p>" };
        assert_eq!(
            now.written(),
            "id: 40\nevent: now\ndata: {\"entry\":40,\"time\":\"2026-11-20T20:41:48.381204Z\",\"html\":\"<p>\\n</p>\"}\n\n"
        );
        assert!(beginning(at).starts_with(b"retry: 3000\n\nevent: time\ndata: {\"time\":\"2026-"));
    }
}
