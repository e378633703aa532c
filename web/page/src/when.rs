//! Times, for people in UTC and for programs in `<time datetime>`.
//!
//! This is the only place that writes times for people, so that all of them look alike. `times.js` converts a text that
//! ends in "UTC" to the reader's own zone with the same precision; every other text is left alone.

use askama::Template;
use chrono::{DateTime, NaiveDate, Utc};
use ledger::Moment;

#[derive(Clone, Debug, PartialEq, Eq, Template)]
#[template(
    source = r#"{% if machine.is_empty() %}{{ text }}{% else %}<time datetime="{{ machine }}">{{ text }}</time>{% endif %}"#,
    ext = "html"
)]
pub struct When {
    pub machine: String,
    pub text: String,
}

impl When {
    /// The date of a match: as it was written, or else the day. Undated matches of the past are ordered by the day on
    /// which they were entered.
    #[must_use]
    pub fn of_match(written: Option<&str>, mode: &str, played_at: DateTime<Utc>) -> Self {
        match written {
            Some(date) => Self::written(date),
            None if mode == "imported" || mode == "result" => Self::written("undated"),
            None => Self::day(played_at),
        }
    }

    /// A moment to the minute: `20 Nov 2026, 20:41 UTC`.
    #[must_use]
    pub fn minute(at: Moment) -> Self {
        Self::utc_minute(at.to_utc())
    }

    #[must_use]
    pub fn utc_minute(at: DateTime<Utc>) -> Self {
        Self { machine: machine(at), text: at.format("%-d %b %Y, %H:%M UTC").to_string() }
    }

    /// A time of day to the second: `20:41:48 UTC`.
    #[must_use]
    pub fn second(at: Moment) -> Self {
        Self { machine: at.to_string(), text: at.to_utc().format("%H:%M:%S UTC").to_string() }
    }

    /// A moment to the second relative to `now`: the time of day, with the day if that differs.
    #[must_use]
    pub fn second_on(at: Moment, now: Moment) -> Self {
        let same_day = at.to_utc().date_naive() == now.to_utc().date_naive();
        if same_day { Self::second(at) } else { Self { machine: at.to_string(), ..Self::utc_second(at.to_utc()) } }
    }

    /// A time that is not in the record, to the second: `20 Nov 2026, 20:41:48 UTC`.
    #[must_use]
    pub fn utc_second(at: DateTime<Utc>) -> Self {
        Self { machine: machine(at), text: at.format("%-d %b %Y, %H:%M:%S UTC").to_string() }
    }

    /// A moment to the millisecond, without its day: `20:41:48.381`.
    #[must_use]
    pub fn clock(at: Moment) -> Self {
        Self { machine: at.to_string(), text: at.to_utc().format("%H:%M:%S%.3f").to_string() }
    }

    #[must_use]
    pub fn day(at: DateTime<Utc>) -> Self {
        Self { machine: at.format("%Y-%m-%d").to_string(), text: at.format("%-d %b %Y").to_string() }
    }

    /// A date as somebody wrote it; in words if it is a date.
    #[must_use]
    pub fn written(date: &str) -> Self {
        match date.parse::<NaiveDate>() {
            Ok(day) => Self { machine: day.format("%Y-%m-%d").to_string(), text: day.format("%-d %b %Y").to_string() },
            Err(_) => Self { machine: String::new(), text: date.to_owned() },
        }
    }
}

fn machine(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_in_words() {
        assert_eq!(When::written("2025-02-10").to_string(), r#"<time datetime="2025-02-10">10 Feb 2025</time>"#);
        assert_eq!(When::written("spring of 2025").to_string(), "spring of 2025");
        assert_eq!(When::written("<b>").to_string(), "&#60;b&#62;");
        let at = "2026-11-20T20:41:48.381204Z".parse().unwrap();
        assert_eq!(
            When::minute(at).to_string(),
            r#"<time datetime="2026-11-20T20:41:48Z">20 Nov 2026, 20:41 UTC</time>"#
        );
        assert_eq!(When::clock(at).text, "20:41:48.381");
        let said = |now: &str| When::second_on(at, now.parse().unwrap()).text;
        assert_eq!(said("2026-11-20T00:00:00.000000Z"), "20:41:48 UTC");
        assert_eq!(said("2026-11-19T23:59:59.999999Z"), "20 Nov 2026, 20:41:48 UTC");
    }
}
