//! A time that a program sends, parsed the same way everywhere.

use ledger::Moment;
use serde::Deserialize;
use utoipa::ToSchema;

use web_http::Problem;

/// A time in UTC as RFC 3339 writes it, with `Z` at its end, and up to six decimals of a second or none.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(
    pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6})?Z$",
    example = "2026-11-20T20:41:48Z"
)]
pub(super) struct Instant(String);

impl Instant {
    pub(super) fn read(&self, field: &str) -> Result<Moment, Problem> {
        read(&self.0).ok_or_else(|| {
            let how = "Write it in UTC, such as 2026-11-20T20:41:48Z, with up to six decimals of a second or none.";
            Problem::refused(format!("`{field}` is no time. {how}"))
        })
    }

    pub(super) fn read_some(sent: Option<&Self>, field: &str) -> Result<Option<Moment>, Problem> {
        sent.map(|sent| sent.read(field)).transpose()
    }
}

fn read(text: &str) -> Option<Moment> {
    let (seconds, decimals) = match text.strip_suffix('Z')?.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (text.strip_suffix('Z')?, ""),
    };
    format!("{seconds}.{decimals:0<6}Z").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_with_up_to_six_decimals() {
        let second: Moment = "2026-11-20T20:41:48.000000Z".parse().unwrap();
        for text in ["2026-11-20T20:41:48Z", "2026-11-20T20:41:48.0Z", "2026-11-20T20:41:48.000000Z"] {
            assert_eq!(read(text), Some(second), "{text}");
        }
        assert_eq!(read("2026-11-20T20:41:48.38Z").unwrap().to_string(), "2026-11-20T20:41:48.380000Z");
        assert_eq!(read("2026-11-20T20:41:48.381204Z").unwrap().to_string(), "2026-11-20T20:41:48.381204Z");
    }

    #[test]
    fn nothing_else_is_a_time() {
        for text in [
            "",
            "Z",
            ".Z",
            "soon",
            "2026-11-20",
            "2026-11-20T20:41Z",
            "2026-11-20T20:41:48",
            "2026-11-20T20:41:48.Z",
            "2026-11-20T20:41:48.3812045Z",
            "2026-11-20T20:41:48.-1Z",
            "2026-11-20T20:41:48.1.1Z",
            "2026-11-20 20:41:48Z",
            "2026-11-20T20:41:48+01:00",
            "2026-11-20T20:41:48+00:00",
            "2026-02-30T20:41:48Z",
            "2026-11-20T24:00:00Z",
            "2016-12-31T23:59:60Z",
            "1969-12-31T23:59:59Z",
            "\u{663}026-11-20T20:41:48Z",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
