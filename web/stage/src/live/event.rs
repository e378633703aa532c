//! One event in its wire format. It is written once, and every spectator gets the same bytes.

use axum::body::Bytes;
use ledger::{Moment, Seq};
use serde::Serialize;

/// The delay before a browser reconnects, in milliseconds.
const RETRY_MS: u32 = 3_000;
/// Keeps the connection alive. Browsers ignore it.
pub(super) const ALIVE: Bytes = Bytes::from_static(b": alive\n\n");
/// The node stops: the client should reconnect, to this address or another node.
pub(super) const BYE: Bytes = Bytes::from_static(b"event: bye\ndata: {}\n\n");

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Event {
    #[serde(skip)]
    pub(super) name: &'static str,
    #[serde(serialize_with = "number")]
    pub(super) entry: Seq,
    #[serde(serialize_with = "text")]
    pub(super) at: Moment,
    pub(super) says: String,
    pub(super) moves: Vec<String>,
    pub(super) details: Vec<String>,
    pub(super) address: Option<String>,
    #[serde(rename = "match")]
    pub(super) slug: String,
}

#[derive(Debug, Serialize)]
pub(super) struct StateEvent<'n> {
    #[serde(serialize_with = "number")]
    pub(super) entry: Seq,
    #[serde(serialize_with = "text")]
    pub(super) time: Moment,
    pub(super) html: &'n str,
    #[serde(rename = "match")]
    pub(super) slug: &'n str,
}

fn number<S: serde::Serializer>(seq: &Seq, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(seq.0)
}

fn text<S: serde::Serializer>(moment: &Moment, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(moment)
}

impl Event {
    /// The event as bytes. JSON contains no bare line break, so one `data` line is enough.
    pub(super) fn to_bytes(&self) -> Bytes {
        to_bytes(self.name, self.entry, self)
    }
}

impl StateEvent<'_> {
    pub(super) fn to_bytes(&self) -> Bytes {
        to_bytes("now", self.entry, self)
    }
}

fn to_bytes(name: &str, id: Seq, data: &impl Serialize) -> Bytes {
    // The data holds only strings and integers, so serializing cannot fail.
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("id: {}\nevent: {name}\ndata: {data}\n\n", id.0).into()
}

/// Somebody sent something; it does not say who.
pub(super) fn sent(slug: &str) -> Bytes {
    format!("event: sent\ndata: {{\"match\":\"{slug}\"}}\n\n").into()
}

/// The beginning of every stream: the delay for reconnecting, and the server's clock, so that a countdown does not
/// depend on the reader's.
pub(super) fn stream_start(time: Moment) -> Bytes {
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
            slug: "4kd2m9x7qp".into(),
            entry: Seq(37),
            at,
            says: "Ruling: \"stop\"\nid: 99".into(),
            moves: vec!["Ada: Grow".into()],
            details: vec!["<b>".into()],
            address: None,
        };
        assert_eq!(
            event.to_bytes(),
            "id: 37\nevent: ruled\ndata: {\"entry\":37,\"at\":\"2026-11-20T20:41:48.381204Z\",\
             \"says\":\"Ruling: \\\"stop\\\"\\nid: 99\",\"moves\":[\"Ada: Grow\"],\"details\":[\"<b>\"],\"address\":null,\"match\":\"4kd2m9x7qp\"}\n\n"
        );
        let now = StateEvent { slug: "4kd2m9x7qp", entry: Seq(40), time: at, html: "<p>\n</p>" };
        assert_eq!(
            now.to_bytes(),
            "id: 40\nevent: now\ndata: {\"entry\":40,\"time\":\"2026-11-20T20:41:48.381204Z\",\"html\":\"<p>\\n</p>\",\"match\":\"4kd2m9x7qp\"}\n\n"
        );
        assert!(stream_start(at).starts_with(b"retry: 3000\n\nevent: time\ndata: {\"time\":\"2026-"));
    }
}
